"""A model's judgements kept by what was judged: a killed run pays for none of them twice."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path

from brain.bench.asked import Asked, Given, Judgement

Judge = Callable[[Asked, Given], Judgement]


class KeptJudge:
    """Asks `judge` what is not in `file` yet; what could not be judged is asked again another time."""

    def __init__(self, judge: Judge, by: str, file: Path) -> None:
        self.judge = judge
        self.by = by
        self.file = file
        self.known: dict[str, Judgement] = {}
        if file.exists():
            for line in file.read_text("utf-8", "replace").split("\n"):
                try:
                    row = json.loads(line)
                    self.known[row["key"]] = Judgement(**row["judgement"])
                except (ValueError, KeyError, TypeError):
                    continue  # a line that was cut off by a kill: asked again

    def __call__(self, asked: Asked, given: Given) -> Judgement:
        said = (self.by, asked.text, asked.right, asked.stale, asked.must_not, asked.kind, given.text, given.found)
        key = sha256(repr((*said, given.error)).encode("utf-8", "surrogatepass")).hexdigest()
        if key not in self.known:
            made = self.judge(asked, given)
            if made.correct is None:
                return made
            self.known[key] = made
            self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self.file.open("a", encoding="utf-8") as file:
                line = json.dumps({"key": key, "judgement": asdict(made)}, ensure_ascii=False)
                file.write(f"{line}\n" if file.tell() == 0 else f"\n{line}\n")  # what was cut off ends here
        return self.known[key]
