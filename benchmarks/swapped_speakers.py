"""How many claims by another speaker the check finds: in wikis of two people's chats, each name put for the other.

    python benchmarks/swapped_speakers.py --data locomo10.json

Each conversation is filled as in use, or found in the cache of `brain bench`; a copy of its wiki has the two names
swapped in every line that opens with one. Those claims are then another's; of the wiki as it is, none should be.
"""

from __future__ import annotations

import argparse
import re
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from brain.bench.filling import Filling, fill
from brain.bench.loading import Source
from brain.bench.plan import Dataset, Part
from brain.bench.quality import speakers
from brain.bench.quality.tree import Wiki
from brain.bench.study import cache_place
from brain.config import cache_home

CHECK = "claims by another speaker"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    source = Source(dataset=Dataset.LOCOMO, data=parser.parse_args().data, part=Part.ALL)
    place = cache_place(cache_home() / "bench")[0]
    print("| conversation | named falsely | of | swapped: found | of lines |\n|---|---|---|---|---|")
    totals = [0, 0, 0, 0]
    for name in source.names():
        account = source.account(name)
        root = fill(account, place, Filling()).root(account.states[-1])
        row = [*_found(root), *_swapped(root, account.owners)]
        totals = [total + one for total, one in zip(totals, row, strict=True)]
        print(f"| {name} | {' | '.join(map(str, row))} |", flush=True)
    print(f"| all | {' | '.join(map(str, totals))} |")


def _found(root: Path) -> tuple[int, int]:
    one = next(measure for measure in speakers.measures(Wiki(root)) if measure.name == CHECK)
    return one.count, one.of


def _swapped(root: Path, names: tuple[str, ...]) -> tuple[int, int]:
    first, second = names
    other = {first: second, second: first}
    with TemporaryDirectory(prefix="brain-swapped-") as folder:
        copy = Path(shutil.copytree(root, Path(folder) / "memory", symlinks=True))
        lines = 0
        for path in (copy / "knowledge").glob("*/*.md"):
            opened = re.compile(rf"(?m)^(- )({first}|{second})\b")
            said, count = opened.subn(lambda m: m[1] + other[m[2]], path.read_text("utf-8"))
            path.write_text(said, "utf-8")
            lines += count
        return _found(copy)[0], lines


if __name__ == "__main__":
    main()
