"""What one recall brings near: are all turns that a LoCoMo question rests on in the files it writes?

    python benchmarks/recall_workset.py --data LOCOMO.json [--only conv-26] [--vectors FILE] [--missed 9]

Each conversation becomes a brain as in production (import, dream, index, vectors); each question with evidence is one
recall with a budget of 20, of 10 and of 5 files. "whole": every gold turn lies in a transcript that was brought;
"held": or stands word for word in the file of further turns; "cited": or is cited by a page or note that was brought.
Files, bytes and seconds are means a question. Conversations that were tuned on are apart from the others.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from brain.bench.brains import Dreamed
from brain.bench.datasets import locomo
from brain.bench.datasets.dialogue import Conversation, Question
from brain.bench.vectors import Kept
from brain.corpus.local import LocalCorpus
from brain.corpus.search.meaning import Embedder, open_embedder
from brain.explore import excerpts
from brain.explore.recall import Budget, Recall, recall
from brain.text import clean
from brain.tree.layout import FileClass, classify

TUNED_ON = ("conv-26", "conv-30")
FILES = (20, 10, 5)
APART = "adversarial"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One question with one budget. `whole`: every gold turn lies in a transcript; `held`: or in the file of further
    turns; `cited`: or is cited by a page or note."""

    conversation: str
    category: str
    question: str
    budget: int
    whole: bool
    held: bool
    cited: bool
    files: int
    bytes: int
    seconds: float
    missed: tuple[str, ...]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="a LoCoMo JSON file")
    parser.add_argument("--only", nargs="*", help="conversations by id")
    parser.add_argument("--vectors", type=Path, help="keep vectors here, so that a second run need not embed again")
    parser.add_argument("--missed", type=int, default=0, help="print so many questions that 20 files did not hold")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    embedder = Kept(open_embedder(), options.vectors) if options.vectors else None
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as made:
        for conversation in locomo.load(options.data):
            if not options.only or conversation.id in options.only:
                print(f"{conversation.id} …", file=sys.stderr, flush=True)
                rows += measure(conversation, Path(made) / conversation.id, embedder)
    if options.json:
        print(json.dumps([asdict(row) for row in rows], ensure_ascii=False))
        return
    for part, tuned in (("tuned on", True), ("never tuned on", False)):
        these = [row for row in rows if (row.conversation in TUNED_ON) is tuned]
        if these:
            print(f"\n{part}: {', '.join(dict.fromkeys(row.conversation for row in these))}\n\n{table(these)}")
    for row in [row for row in rows if row.budget == FILES[0] and not row.held][: options.missed]:
        print(f"\n{row.conversation} {row.category}: {row.question}\n  not brought: {', '.join(row.missed)}")


def measure(conversation: Conversation, root: Path, embedder: Embedder | None = None) -> Iterator[Row]:
    """One recall a question and budget."""
    brain = Dreamed(conversation=conversation, root=root, embedder=embedder)
    index = brain.reach(frozenset(session.number for session in conversation.sessions))
    with LocalCorpus(root, index) as corpus:
        for question in conversation.questions:
            for files in FILES if question.evidence else ():
                start = time.perf_counter()
                found = recall(corpus, question.text, Budget(files=files))
                seconds = time.perf_counter() - start
                yield judge(corpus, conversation, question, files, found, seconds)


def judge(
    corpus: LocalCorpus, conversation: Conversation, question: Question, budget: int, found: Recall, seconds: float
) -> Row:
    """Which gold turns the files hold."""
    paths = [record.path for record in found.records]
    gold = {(conversation.session_id(session), turn) for session, turn in question.evidence}
    brought = {path[-11:-3] for path in paths if classify(path) is FileClass.TRANSCRIPT}
    whole = {(session, turn) for session, turn in gold if session[:8] in brought}
    files = {file.path: file.data for file in corpus.fetch(paths, at=found.commit)}
    if found.excerpts:
        files[excerpts.place(question.text)] = excerpts.render(question.text, found.excerpts).encode()
    held = whole | {turn for turn in gold if quoted(turn, conversation, found)}
    cited = held | {turn for path, data in files.items() for turn in cites(path, data.decode("utf-8"))}
    return Row(
        conversation=conversation.id,
        category=question.category,
        question=question.text,
        budget=budget,
        whole=whole == gold,
        held=held == gold,
        cited=gold <= cited,
        files=len(files),
        bytes=sum(map(len, files.values())),
        seconds=seconds,
        missed=tuple(sorted(f"{session[:8]}#t{turn}" for session, turn in gold - held)),
    )


def quoted(turn: tuple[str, int], conversation: Conversation, found: Recall) -> bool:
    """Whether the file of further turns holds a turn, all of its text."""
    session, number = turn
    said = {f"session://{conversation.session_id(s.number)}#t{n}": t.text
            for s in conversation.sessions if conversation.session_id(s.number) == session
            for n, t in enumerate(s.turns, start=1) if n == number}  # fmt: skip
    return any(one.uri in said and one.text == clean(said[one.uri]) for one in found.excerpts)


def cites(path: str, text: str) -> Iterator[tuple[str, int]]:
    """The turns that a page, note or summary names as its sources."""
    if classify(path) in (FileClass.PAGE, FileClass.NOTE, FileClass.SUMMARY):
        for session, ranges in re.findall(r"session://([0-9a-f-]{36})#([t0-9,-]+)", text):
            yield from ((session, turn) for turn in parse_turns(ranges))
        for session in re.findall(r"^id: ([0-9a-f-]{36})$", text, re.MULTILINE):
            for ranges in re.findall(r"\((t[t0-9,-]+)\)$", text, re.MULTILINE):
                yield from ((session, turn) for turn in parse_turns(ranges))


def parse_turns(ranges: str) -> Iterator[int]:
    for part in ranges.split(","):
        first, _, last = part.replace("t", "").partition("-")
        yield from range(int(first), int(last or first) + 1)


def table(rows: Sequence[Row]) -> str:
    """By category, then all of them but the adversarial ones."""
    names = [*sorted({row.category for row in rows} - {APART}), "1–4 together", APART]
    lines = ["category       n     " + "  ".join(f"{f'{files} files':>33}" for files in FILES)]
    lines += ["                     " + "  ".join(f"{'whole   held  cited  files     KB':>33}" for _ in FILES)]
    for name in names:
        these = [row for row in rows if row.category == name or (name == "1–4 together" and row.category != APART)]
        cells = [_cell([row for row in these if row.budget == files]) for files in FILES]
        lines.append(f"{name:13} {len(these) // len(FILES):4}   " + "  ".join(f"{cell:>33}" for cell in cells))
    seconds = [_mean(row.seconds for row in rows if row.budget == files) for files in FILES]
    return "\n".join([*lines, "seconds a recall     " + "  ".join(f"{one:>33.3f}" for one in seconds)])


def _cell(rows: Sequence[Row]) -> str:
    whole, held, cited = (_mean(getattr(row, kind) for row in rows) for kind in ("whole", "held", "cited"))
    files, size = _mean(row.files for row in rows), _mean(row.bytes for row in rows) / 1000
    return f"{whole:.3f}  {held:.3f}  {cited:.3f}  {files:5.1f}  {size:5.0f}"


def _mean(values: Iterable[float]) -> float:
    them = list(values)
    return sum(them) / max(1, len(them))


if __name__ == "__main__":
    main()
