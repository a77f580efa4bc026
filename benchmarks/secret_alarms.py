"""False alarms and speed of the search for secrets, over texts that hold none or few.

    python benchmarks/secret_alarms.py FILE_OR_FOLDER... [--show]

JSON is read value by value, as an import would; other text in pieces of 20,000 characters. Prints characters a second
of processor time, and what was taken for a secret, by kind; `--show` prints each once, with what is around it.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from brain.secrets import find_secrets

LARGEST = 64 << 20
PIECE = 20_000


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("places", type=Path, nargs="+")
    options.add_argument("--show", action="store_true")
    given = options.parse_args()
    texts = [text for place in given.places for text in _texts(place)]
    characters = sum(map(len, texts))
    began = time.process_time()
    found = [(secret, text) for text in texts for secret in find_secrets(text)]
    seconds = time.process_time() - began
    alarms = Counter(secret.kind for secret, _ in found)
    told = ", ".join(f"{count} {kind}" for kind, count in alarms.most_common()) or "none"
    print(f"{characters:,} characters, {characters / seconds / 1e6:.1f} million a second; alarms: {told}")
    for line in sorted(
        {repr(text[max(0, one.start - 50) : one.end + 20]) for one, text in found} if given.show else ()
    ):
        print(" ", line)


def _texts(place: Path) -> Iterator[str]:
    for file in sorted(place.rglob("*")) if place.is_dir() else [place]:
        if not file.is_file() or file.stat().st_size > LARGEST:
            continue
        try:
            text = file.read_text("utf-8")
        except UnicodeDecodeError:
            continue
        if file.suffix in (".json", ".jsonl"):
            for piece in text.split("\n") if file.suffix == ".jsonl" else [text]:
                try:
                    yield from _strings(json.loads(piece))
                except ValueError:
                    yield piece
        else:
            yield from (text[at : at + PIECE] for at in range(0, len(text), PIECE))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _strings(inner)


if __name__ == "__main__":
    main()
