"""Run records of answered questions: what a run depends on, each question, then each answer with its judgement.

    "questions": {"p07-q3": {"account": "p07", "category": "preference", "kind": "preference", "evidence": ["~0#t3"]}}
    "results": [{"question": "p07-q3", "arm": "wiki", "cites": ["~0#t3"], "judgement": {"correct": true, …}},
                {"question": "p07-q3", "arm": "again", "as": "wiki", "seconds": 0.02}]

In the file `~0` is the first id of its list `sessions`; `brain.bench.lean` says what else is left out for brevity.
Records of format 1, which say everything of each answer, are read too.

Of data sets with a licence of their own no text is in it, neither of questions nor of answers, so that a record can be
published; what we generated ourselves keeps its answers, for reading failures. Written and read without loss.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from brain.bench.asked import Asked, Given, Judgement, Kind, Use
from brain.bench.lean import pack, unpack
from brain.errors import FormatError

FORMAT = 2
_SHORT = re.compile(r"session://~(\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One question under one arm; `evidence` is its gold, `superseded` says that an older value of the answer is about,
    `forgotten` that it was asked after a forget."""

    question: str
    account: str
    arm: str
    category: str
    kind: Kind
    given: Given
    judgement: Judgement
    evidence: tuple[str, ...] = ()
    superseded: bool = False
    forgotten: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """What filling one account gave, and took; `seconds` are of the first time, when it was not in the cache."""

    account: str
    content: str  # hash of its inputs
    sessions: int = 0
    turns: int = 0
    pages: int = 0
    dreams: int = 0
    seconds: float = 0.0
    cost: float = 0.0
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """A whole run. `arms` are what each of them changes; `code` hashes what filled and what read."""

    brain: str
    plan: Mapping[str, object]
    arms: Mapping[str, Mapping[str, object]]
    files: Mapping[str, str]
    code: Mapping[str, str]
    weights: Mapping[str, float]
    embedder: str
    accounts: tuple[Filled, ...]
    results: tuple[Result, ...]
    remarks: tuple[str, ...] = ()
    seconds: float = 0.0
    started: str = ""

    def of(self, arm: str) -> tuple[Result, ...]:
        """The results of one arm, in the order of the questions."""
        return tuple(one for one in self.results if one.arm == arm)


def result(arm: str, asked: Asked, given: Given, judgement: Judgement, *, text: bool) -> Result:
    """A result; without `text`, no word of the question's data is kept."""
    if not text:
        why = given.error.partition(":")[0] if given.error else None
        given, judgement = replace(given, text="", error=why), replace(judgement, how=judgement.how.partition(":")[0])
    return Result(
        question=asked.id,
        account=asked.account,
        arm=arm,
        category=asked.category,
        kind=asked.kind,
        evidence=asked.evidence,
        superseded=bool(asked.stale),
        forgotten=asked.forget is not None,
        given=given,
        judgement=judgement,
    )


_HEAD = ("brain", "started", "seconds", "plan", "arms", "files", "code", "weights", "embedder", "remarks")


def render(record: Answered) -> str:
    """JSON, a line for each thing a run depends on, each account and each result."""
    head = [f' "answered_format": {FORMAT}', *(f" {_json(name)}: {_json(getattr(record, name))}" for name in _HEAD)]
    accounts = ",\n".join(f"  {_json(asdict(one))}" for one in record.accounts)
    sessions, asked, answers = pack(_plain(one) for one in record.results)
    questions = ",\n".join(f"  {_json(name)}: {_json(one)}" for name, one in asked.items())
    results = ",\n".join(f"  {_json(one)}" for one in answers)
    lists = (
        ("sessions", _json(sessions)),
        ("accounts", f"[\n{accounts}\n ]"),
        ("questions", f"{{\n{questions}\n }}"),
        ("results", f"[\n{results}\n ]"),
    )
    return "{\n" + ",\n".join([*head, *(f' "{name}": {value}' for name, value in lists)]) + "\n}\n"


def parse(text: str, path: str = "") -> Answered:
    """Read what `render` wrote. Raises FormatError."""
    try:
        held = json.loads(text)
        if held["answered_format"] not in (1, FORMAT):
            raise FormatError(f"a record of format {held['answered_format']}, this is {FORMAT}", path=path)
        sessions = held["sessions"]
        if held["answered_format"] == 1:
            rows = [_whole(one, sessions) for one in held["results"]]
        else:
            rows = list(unpack(sessions, held["questions"], held["results"]))
        return Answered(
            **{name: held[name] for name in _HEAD if name != "remarks"},
            remarks=tuple(held["remarks"]),
            accounts=tuple(Filled(**{**one, "remarks": tuple(one["remarks"])}) for one in held["accounts"]),
            results=tuple(_result(one) for one in rows),
        )
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise FormatError(f"no record of answers: {error}", path=path) from None


def given_of(raw: Mapping[str, Any]) -> Given:
    """An answer from its JSON."""
    return Given(
        text=str(raw.get("text", "")),
        found=bool(raw["found"]),
        cites=tuple(raw.get("cites", ())),
        opened=tuple(raw.get("opened", ())),
        unresolved=tuple(raw.get("unresolved", ())),
        use=Use(**raw.get("use", {})),
        error=raw.get("error"),
    )


_SAID = ("text", "cites", "opened", "unresolved", "error")


def given_json(given: Given) -> dict[str, object]:
    """An answer as JSON knows it; what says nothing is left out."""
    out: dict[str, object] = {"found": given.found}
    out |= {name: getattr(given, name) for name in _SAID if getattr(given, name)}
    default = Use()
    use = {name: value for name, value in asdict(given.use).items() if value != getattr(default, name)}
    return out | ({"use": use} if use else {})


def _plain(one: Result) -> dict[str, object]:
    judged = {name: value for name, value in asdict(one.judgement).items() if name in _JUDGED or value}
    return {
        "question": one.question, "account": one.account, "arm": one.arm, "category": one.category,
        "kind": one.kind.value, "evidence": one.evidence,
        **{name: True for name in ("superseded", "forgotten") if getattr(one, name)},
        "given": given_json(one.given), "judgement": judged,
    }  # fmt: skip


_JUDGED = ("correct", "score", "how", "f1")


def _result(raw: Mapping[str, Any]) -> Result:
    return Result(
        **{name: str(raw[name]) for name in ("question", "account", "arm", "category")},
        kind=Kind(raw["kind"]),
        evidence=tuple(raw["evidence"]),
        superseded=bool(raw.get("superseded", False)),
        forgotten=bool(raw.get("forgotten", False)),
        given=given_of(raw["given"]),
        judgement=Judgement(**raw["judgement"]),
    )


def _whole(value: Any, sessions: Sequence[str]) -> Any:
    """A result of format 1 with the ids of its sessions in place of their numbers."""
    if isinstance(value, str):
        return _SHORT.sub(lambda match: f"session://{sessions[int(match[1])]}", value)
    if isinstance(value, list):
        return [_whole(one, sessions) for one in value]
    if isinstance(value, dict):
        return {name: _whole(one, sessions) for name, one in value.items()}
    return value


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
