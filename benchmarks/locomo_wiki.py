"""The LoCoMo conversations as wikis: each becomes a brain of its two speakers, imported and dreamed, then counted.

    python benchmarks/locomo_wiki.py --data DATA/locomo/locomo_dev6.json [--json] [--only conv-26] [--keep DIR]

"held" is the share of statements all of whose numbers, dates and names stand in the turns they cite, by a check that
shares nothing with the rules (`brain.bench.held`); `--missing` prints some that are not. E and W are problems of
`brain check`. The second dream must find nothing to do.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from brain.bench import wiki
from brain.bench.datasets import locomo
from brain.bench.wiki import Measured, Statements

HEAD = (
    "conversation", "sessions", "turns", "pages", "claims", "a page", "notes", "claims held", "notes held", "resolved",
    "E", "W", "quiet again", "wiki/speech", "import s", "turns/s", "dream s", "turns/s", "CPU s", "turns/CPU s",
)  # fmt: skip


def row(one: Measured, of: int = 1) -> tuple[str, ...]:
    errors = one.errors
    warnings = sum(one.problems.values()) - errors
    return (
        one.name, str(one.sessions), str(one.turns), str(one.pages), str(one.claims.all),
        f"{one.claims.all / max(1, one.pages):.1f}", str(one.notes.all), f"{one.claims.share:.1%}",
        f"{one.notes.share:.1%}", f"{one.resolved / max(1, one.citations):.0%}", str(errors), str(warnings),
        f"{one.quiet_again}/{of}", f"{one.share_of_speech:.1%}",
        f"{one.import_seconds:.1f}", f"{one.turns / one.import_seconds:.0f}",
        f"{one.dream_seconds:.1f}", f"{one.turns / one.dream_seconds:.0f}",
        f"{one.dream_cpu:.1f}", f"{one.turns / one.dream_cpu:.0f}",
    )  # fmt: skip


def table(rows: Sequence[Measured]) -> str:
    cells = [HEAD, tuple("---" for _ in HEAD)]
    cells += [row(one) for one in rows]
    cells.append(row(wiki.total(rows), len(rows)))
    return "\n".join(f"| {' | '.join(line)} |" for line in cells)


def kinds(name: str, of: Statements) -> str:
    parts = (
        f"{kind} {getattr(of, f'with_{kind}') - getattr(of, f'{kind}_missing')}/{getattr(of, f'with_{kind}')}"
        for kind in ("number", "date", "name")
    )
    caught = f"made false on purpose and found out {of.altered_found}/{of.altered}"
    return f"{name} that say one and hold it: {', '.join(parts)}; {caught}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="a LoCoMo file")
    parser.add_argument("--only", nargs="*", help="names of conversations")
    parser.add_argument("--keep", type=Path, help="make the brains here and keep them; the folder must be new")
    parser.add_argument("--missing", action="store_true", help="print statements whose turns do not hold them")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    done: list[Measured] = []
    with tempfile.TemporaryDirectory() as made:
        for conversation in locomo.load(options.data):
            if options.only and conversation.id not in options.only:
                continue
            print(f"{conversation.id} …", file=sys.stderr)
            done.append(wiki.measure(conversation, (options.keep or Path(made)) / conversation.id))
    every = wiki.total(done)
    if options.json:
        print(json.dumps({"conversations": [one.json() for one in done], "all": every.json()}, ensure_ascii=False))
        return
    print(table(done))
    print("\n" + kinds("claims", every.claims) + "\n" + kinds("notes", every.notes))
    print(", ".join(f"{rule} × {number}" for rule, number in sorted(every.problems.items())) or "no problems")
    for one in done if options.missing else ():
        for example in one.examples:
            print(f"  {one.name} {example}")


if __name__ == "__main__":
    main()
