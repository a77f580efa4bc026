"""Evidence recall on LoCoMo, by arm and category; the tuning conversations apart from those never tuned on.

    python benchmarks/recall_locomo.py DATA/locomo/locomo_dev6.json [--keep DIR] [--worst]

The brains hold transcripts only; `brain bench recall` measures with pages and notes too.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from brain.bench.brains import transcripts_only
from brain.bench.datasets import locomo
from brain.bench.recall import Arm, Row, measure, table, worst

TUNED_ON = ("conv-26", "conv-30")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--keep", type=Path, help="keep the brains here, so that a second run need not embed again")
    parser.add_argument("--worst", action="store_true", help="print the ten questions that come out worst")
    options = parser.parse_args()
    keep = options.keep or Path(tempfile.mkdtemp())
    seen: dict[tuple[str, Arm], list[Row]] = {}
    for conversation in locomo.load(options.data):
        index = transcripts_only(conversation, keep / conversation.id)
        for arm in (Arm.WORDS, Arm.MEANING, Arm.FUSED):
            part = "tuned on" if conversation.id in TUNED_ON else "held out"
            seen.setdefault((part, arm), []).extend(measure(conversation, index, arm))
    for part in ("tuned on", "held out"):
        arms = {arm.value: rows for (name, arm), rows in seen.items() if name == part}
        print(f"\n{part}\n\n{table(arms, apart=['adversarial'])}")
    if options.worst:
        rows = [row for row in seen["held out", Arm.FUSED] if row.category != "adversarial"]
        for row in worst(rows):
            print(f"\n{row.question} ({row.category}) {row.text}\n  ranks {row.ranks}")


if __name__ == "__main__":
    main()
