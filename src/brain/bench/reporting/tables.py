"""Markdown tables of a run: each arm by category with intervals, and what one arm has over another.

An interval is 95 %, by drawing accounts; `n` counts the questions a measure speaks of. A difference is starred where
its interval leaves out 0. What a run of this size could not show is said under the differences.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from brain.bench.answered import Answered
from brain.bench.measures import ALL, BY_NAME, MEASURES, Compared, Measured, compared, measured
from brain.bench.statistics import Estimate

QUALITY = ("accuracy", "f1", "evidence recall", "reached", "citation recall", "citation precision")
HONESTY = ("currency", "abstention", "refused", "unsupported", "stale", "unscored")
PRICE = ("read", "tokens in", "tokens out", "calls", "cost", "seconds")


def markdown(record: Answered, *, apart: Sequence[str] = (), base: str = "") -> str:
    """The whole report: what was run, then arms, then differences of each arm to `base` (the last arm by default)."""
    found = measured(record, apart=apart)
    parts = [
        "\n".join(about(record)),
        summary(found),
        by_category(found, "accuracy"),
        by_category(found, "evidence recall"),
    ]
    pairs = list(differences(record, apart=apart, base=base))
    for pair in pairs:
        parts += [difference(pair), power(pair)]
    if record.remarks:
        parts.append("Remarks:\n\n" + "\n".join(f"- {remark}" for remark in record.remarks))
    return "\n\n".join(part for part in parts if part) + "\n"


def about(record: Answered) -> Iterator[str]:
    """What a reader must know to read the figures: data, reader, judge, size."""
    plan = record.plan
    arms = ", ".join(dict.fromkeys(one.arm for one in record.results))
    questions = len({one.question for one in record.results})
    yield f"{plan.get('dataset', '')}: {questions} questions of {len(record.accounts)} accounts, arms {arms}."
    told = {
        key: plan[key]
        for key in ("reader", "engine", "every", "judge", "judged_by", "questions", "seed")
        if plan.get(key) not in (None, "", ())
    }
    yield (
        "; ".join(f"{key.replace('_', ' ')} {value}" for key, value in told.items())
        + f"; embedder {record.embedder}; {record.seconds:.0f} s."
    )


def summary(found: Sequence[Measured]) -> str:
    """Every measure of every arm over all questions."""
    arms = list(dict.fromkeys(one.arm for one in found))
    by = {(one.measure, one.arm): one.estimate for one in found if one.category == ALL}
    lines = [_row(["measure", *arms, "n"]), "|" + "---|" * (len(arms) + 2)]
    for measure in (*QUALITY, *HONESTY, *PRICE):
        cells = [by.get((measure, arm)) for arm in arms]
        if any(cell is not None and (cell.mean or measure in (*QUALITY, *HONESTY)) for cell in cells):
            most = max(cell.n for cell in cells if cell)
            lines.append(_row([measure, *(shown(measure, cell) for cell in cells), str(most)]))
    return "\n".join(lines)


def by_category(found: Sequence[Measured], measure: str) -> str:
    """One measure by category, arms side by side."""
    some = [one for one in found if one.measure == measure]
    if not some:
        return ""
    arms = list(dict.fromkeys(one.arm for one in some))
    kinds = list(dict.fromkeys(one.category for one in some))
    by = {(one.category, one.arm): one.estimate for one in some}
    lines = [_row([f"{measure} by category", *arms, "n"]), "|" + "---|" * (len(arms) + 2)]
    for kind in kinds:
        cells = [by.get((kind, arm)) for arm in arms]
        most = max(cell.n for cell in cells if cell)
        lines.append(_row([kind, *(shown(measure, cell) for cell in cells), str(most)]))
    return "\n".join(lines)


def differences(record: Answered, *, apart: Sequence[str] = (), base: str = "") -> Iterator[list[Compared]]:
    """Each arm against the one called `base`."""
    arms = list(dict.fromkeys(one.arm for one in record.results))
    against = base or ("no-wiki" if "no-wiki" in arms else arms[-1] if arms else "")
    for arm in arms:
        if arm != against:
            yield compared(record.of(against), record.of(arm), (against, arm), apart=apart)


def difference(pairs: Sequence[Compared]) -> str:
    """What the second arm has over the first, by category for accuracy and recall, over all for the rest."""
    if not pairs:
        return ""
    first, second = pairs[0].first, pairs[0].second
    lines = [_row([f"{second} − {first}", "category", "difference", f"only {first}", f"only {second}", "p", "n"])]
    lines.append("|" + "---|" * 7)
    for one in pairs:
        whole = one.category == ALL
        if not whole and one.measure not in ("accuracy", "evidence recall"):
            continue
        estimate = one.paired.difference
        if whole and one.measure not in QUALITY and not estimate.mean:
            continue
        exact = BY_NAME[one.measure].name in ("accuracy", "reached", "currency", "abstention")
        counts = (
            [str(one.paired.only_first), str(one.paired.only_second), f"{one.paired.p:.3f}"] if exact else ["", "", ""]
        )
        lines.append(_row([one.measure, one.category, signed(one.measure, estimate), *counts, str(estimate.n)]))
    return "\n".join(lines)


def power(pairs: Sequence[Compared]) -> str:
    """What difference in accuracy this run could show."""
    one = next((p for p in pairs if p.measure == "accuracy" and p.category == ALL), None)
    seen = one.paired.difference.detectable if one else None
    if one is None or seen is None:
        return ""
    n = one.paired.difference.n
    return f"With these {n} questions a true difference in accuracy of {100 * seen:.1f} points is found 8 times of 10."


def shown(measure: str, estimate: Estimate | None) -> str:
    """`.661 [.62, .70]` for a share, `1,204 [1,180, 1,230]` else."""
    if estimate is None:
        return "–"
    if estimate.low is None or estimate.high is None or estimate.low == estimate.high:
        return number(measure, estimate.mean)
    return f"{number(measure, estimate.mean)} [{number(measure, estimate.low)}, {number(measure, estimate.high)}]"


def signed(measure: str, estimate: Estimate) -> str:
    """A difference with its sign, starred where its interval leaves out 0."""
    if estimate.low is None or estimate.high is None:
        return f"{number(measure, estimate.mean, plus=True)}"
    low, high = (number(measure, value, plus=True) for value in (estimate.low, estimate.high))
    star = " *" if estimate.low > 0 or estimate.high < 0 else ""
    return f"{number(measure, estimate.mean, plus=True)} [{low}, {high}]{star}"


def number(measure: str, value: float, *, plus: bool = False) -> str:
    """A share as `.661`, anything else with as many digits as say something."""
    sign = ("+" if value > 0 else "−" if value < 0 else "±") if plus else ("−" if value < 0 else "")
    size = abs(value)
    if BY_NAME[measure].share:
        text = f"{size:.3f}".removeprefix("0") if size < 1 else f"{size:.3f}"
    elif size >= 100:
        text = f"{size:,.0f}"
    else:
        text = f"{size:.3g}" if size else "0"
    return sign + text


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def measures_said() -> str:
    """What each measure means, a line each."""
    return "\n".join(f"- {one.name}: {one.says}" for one in MEASURES)
