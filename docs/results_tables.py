"""The tables of docs/results.md and docs/results/ from the records of runs; `docs/build.py` puts them in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from brain.bench import answered, records
from brain.bench import tables as recall_tables
from brain.bench.measures import ALL, Compared, measured
from brain.bench.plan import APART, Arm, Unit
from brain.bench.quality import record as quality
from brain.bench.reporting import tables, wikis

RECORDS = Path(__file__).resolve().parent.parent / "benchmarks" / "records"
GENERATED = "Generated from the records in `benchmarks/records` by `make docs`; do not edit.\n"
WANTED = (
    ("recall-locomo", "R@10", Unit.TURN, (Arm.FUSED, Arm.WIKI), 0.78, "LoCoMo, turns"),
    ("recall-realmem", "R@5", Unit.SESSION, (Arm.FUSED,), 0.72, "RealMem, sessions"),
    ("recall-longmemeval-s", "all@5", Unit.SESSION, (Arm.FUSED,), 0.95, "LongMemEval-S, sessions"),
)
"""Of each record of recall: what counts, of which arms, and what is wanted."""


def short() -> str:
    """What holds and what does not, a row each."""
    lines = ["| what | measured | wanted | |", "|---|---|---|---|", *_answers_short(), *_recall_short(), *_wiki_short()]
    return "\n".join(lines)


def answers_brief() -> str:
    """Accuracy and recall by category of every record, and the differences over all."""
    return "\n".join(_brief(path) for path in _paths("answers"))


def answers_whole() -> str:
    parts = [f"# Answers, all tables\n\n{GENERATED}\nIn plain words: [results](../results.md#what-memory-adds).\n"]
    for path in _paths("answers"):
        record = answered.parse(path.read_text(encoding="utf-8"), path.name)
        parts.append(f"## {title(path)}\n\n{_how(path)}\n\n{tables.markdown(record, apart=_apart(record.plan))}")
    return "\n".join(parts)


def recall_brief() -> str:
    """Every arm over all questions, and the categories of what search does."""
    parts = []
    for path in _paths("recall"):
        record = records.parse(path.read_text(encoding="utf-8"))
        found = recall_tables.table(record.rows, apart=_apart(record.plan)).splitlines()
        kept = [line for line in found if not line.startswith("| ") or _counts(line)]
        parts.append(f"\n### {title(path)}\n\n" + "\n".join(kept) + "\n")
    return "\n".join(parts)


def recall_whole() -> str:
    parts = [f"# What is found, all tables\n\n{GENERATED}\nIn plain words: [results](../results.md#finding).\n"]
    for path in _paths("recall"):
        record = records.parse(path.read_text(encoding="utf-8"))
        parts.append(f"## {title(path)}\n\n{recall_tables.table(record.rows, apart=_apart(record.plan))}\n")
    parts.insert(1, _by_wanted())
    return "\n".join(parts)


def _by_wanted() -> str:
    """R@5 and R@10 of what search does, by how many units a question wants."""
    lines = ["## By how much is wanted", "", "| data, unit | wanted | n | R@5 | R@10 |", "|---|---|---|---|---|"]
    for name, unit in (("recall-locomo", Unit.TURN), ("recall-realmem", Unit.SESSION)):
        path = RECORDS / f"{name}.json"
        record = records.parse(path.read_text(encoding="utf-8"))
        rows = [row for row in record.rows if row.unit is unit and row.arm is Arm.FUSED]
        rows = [row for row in rows if row.category not in _apart(record.plan)]
        for count in (1, 2, 3, 4):
            some = [row for row in rows if min(len(row.ranks), 4) == count]
            wanted = f"{count} or more" if count == 4 else str(count)
            found = " | ".join(f"{recall_tables.mean(some, k):.3f}" for k in (5, 10))
            lines.append(f"| {_named(path)}, {unit.value}s | {wanted} | {len(some)} | {found} |")
    return "\n".join(lines) + "\n"


def wiki() -> str:
    paths = _paths("wiki")
    how = f"    brain bench report {' '.join(f'benchmarks/records/{path.name}' for path in paths)}"
    return f"\n{how}\n\n{wikis.markdown({_named(path): _quality(path) for path in paths})}"


def title(path: Path) -> str:
    name = path.stem.replace("-", " ").replace("locomo", "LoCoMo").replace("longmemeval", "LongMemEval")
    name = name.replace("realmem", "RealMem").replace("LongMemEval s", "LongMemEval-S")
    return name[:1].upper() + name[1:]


def _brief(path: Path) -> str:
    record = answered.parse(path.read_text(encoding="utf-8"), path.name)
    apart = _apart(record.plan)
    found = measured(record, apart=apart)
    parts = ["\n".join(tables.about(record)), tables.by_category(found, "accuracy")]
    parts.append(tables.by_category(found, "evidence recall"))
    for pairs in tables.differences(record, apart=apart):
        parts += [tables.difference([one for one in pairs if one.category == ALL]), tables.power(pairs)]
    return f"\n### {title(path)}\n\n{_how(path)}\n\n" + "\n\n".join(part for part in parts if part) + "\n"


def _answers_short() -> Iterator[str]:
    for path in _paths("answers"):
        record = answered.parse(path.read_text(encoding="utf-8"), path.name)
        apart = _apart(record.plan)
        found = measured(record, apart=apart)
        by = {one.arm: one.estimate for one in found if one.measure == "accuracy" and one.category == ALL}
        pairs = next((pairs for pairs in tables.differences(record, apart=apart) if pairs[0].second == "wiki"), None)
        if pairs is None or not {"wiki", "no-wiki"} <= by.keys():
            continue
        one = next(pair for pair in pairs if pair.measure == "accuracy" and pair.category == ALL)
        on, off = (tables.number("accuracy", by[arm].mean) for arm in ("wiki", "no-wiki"))
        said = (
            f"{on} with the wiki, {off} without: {tables.signed('accuracy', one.paired.difference).removesuffix(' *')}"
        )
        yield f"| [right answers](#what-memory-adds), {_named(path)} | {said} | more with it | {_verdict(one)} |"


def _verdict(pair: Compared) -> str:
    """In words, by whether the interval leaves out 0."""
    seen = pair.paired.difference
    if seen.low is not None and seen.low > 0:
        return "**the wiki helps**"
    if seen.high is not None and seen.high < 0:
        return "**the wiki costs**"
    return "no difference shown"


def _recall_short() -> Iterator[str]:
    for name, measure, unit, arms, wanted, said in WANTED:
        path = RECORDS / f"{name}.json"
        if not path.exists():
            continue
        record = records.parse(path.read_text(encoding="utf-8"))
        apart = _apart(record.plan)
        k, whole = int(measure.partition("@")[2]), measure.startswith("all")
        reached = []
        for arm in arms:
            rows = [row for row in record.rows if row.unit is unit and row.arm is arm and row.category not in apart]
            if rows:
                reached.append((arm, recall_tables.strict(rows, k) if whole else recall_tables.mean(rows, k)))
        told = ", ".join(f"{value:.3f} {arm.value}" for arm, value in reached)
        verdict = "reached" if reached and reached[0][1] >= wanted else "**missed**"
        yield f"| [evidence found](#finding), {said}, {measure} | {told} | ≥ {wanted:.2f} | {verdict} |"


def _wiki_short() -> Iterator[str]:
    whole = {_named(path): _quality(path).all for path in _paths("wiki")}
    for name in (
        "citations that lead somewhere",
        "cited claims held",
        "planted updates told",
        "told updates with the newest value",
        "stale claims",
        "residue after forget",
    ):
        some = {where: next((one for one in each.measures if one.name == name), None) for where, each in whole.items()}
        held = {where: one for where, one in some.items() if one is not None and one.of}
        if not held:
            continue
        told = ", ".join(f"{one.count}/{one.of} {where}" for where, one in held.items())
        share = min(1 - one.flaws / one.of for one in held.values())
        verdict = "holds" if share == 1 else "nearly" if share >= 0.95 else "**does not hold**"
        wanted = "none" if next(iter(held.values())).bad else "all"
        yield f"| [{name}](#the-wiki-without-questions) | {told} | {wanted} | {verdict} |"


def _counts(line: str) -> bool:
    _, arm, category = [cell.strip() for cell in line.strip("|").split(" | ")][:3]
    return arm in ("arm", "fused", "fused+wiki") or category == "all"


def _paths(kind: str) -> list[Path]:
    return sorted(RECORDS.glob(f"{kind}-*.json"))


def _named(path: Path) -> str:
    return title(path).partition(" ")[2]


def _how(path: Path) -> str:
    return f"    brain bench report benchmarks/records/{path.name}"


def _quality(path: Path) -> quality.Quality:
    return quality.parse(path.read_text(encoding="utf-8"), path.name)


def _apart(plan: Mapping[str, object]) -> Sequence[str]:
    return next((names for one, names in APART.items() if one == plan.get("dataset")), ())
