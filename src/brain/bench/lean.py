"""Rows of a record made lean, and whole again: what several arms share is said once.

>>> turn = "session://0a0a0a0a-0000-4000-8000-000000000001#t3"
>>> rows = [{"question": "q1", "arm": arm, "account": "a", "category": "c", "kind": "text", "evidence": [turn],
...          "given": {"found": True, "cites": [turn], "opened": [turn], "use": {"seconds": took}},
...          "judgement": {"correct": True, "score": 1.0, "how": "holds the answer"}} for arm, took in (("wiki", .2), ("again", .3))]
>>> sessions, questions, lean = pack(rows)
>>> sessions
['0a0a0a0a-0000-4000-8000-000000000001']
>>> questions
{'q1': {'account': 'a', 'category': 'c', 'kind': 'text', 'evidence': ['~0#t3']}}
>>> lean[1]
{'question': 'q1', 'arm': 'again', 'as': 'wiki', 'seconds': 0.3}
>>> list(unpack(sessions, questions, lean)) == rows
True
"""

# ruff: noqa: E501 — a row of the example a line
from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

Row = dict[str, Any]
ASKED = ("account", "category", "kind", "evidence", "superseded", "forgotten")
"""What a row says of its question, whatever the arm."""
LISTS = ("evidence", "cites", "opened", "unresolved")
_SESSION = re.compile(r"session://([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?=#|$)")
_SHORT = re.compile(r"~(\d+)(?=#|$)")


def pack(rows: Iterable[Row]) -> tuple[list[str], dict[str, Row], list[Row]]:
    """Ids of sessions, which stand as their number in lists of sources; questions by id; and a row an answer.

    A question of which rows say different things is told in each of them. An answer that another arm gave
    too is named by that arm, with the seconds it took itself.
    """
    sessions: dict[str, int] = {}
    questions: dict[str, Row] = {}
    first: dict[tuple[str, str], str] = {}
    lean = []
    for row in rows:
        name, asked = row["question"], _short({key: row[key] for key in ASKED if key in row}, sessions)
        told = {} if questions.setdefault(name, asked) == asked else dict.fromkeys(ASKED[-2:], False) | asked
        given, use = dict(row["given"]), dict(row["given"].get("use", {}))
        seconds = use.pop("seconds", None)
        given["use"] = use
        body = _short(_given(given), sessions) | {"judgement": _judged(row["judgement"])}
        head = {"question": name, "arm": row["arm"]}
        end = {} if seconds is None else {"seconds": seconds}
        same = first.setdefault((name, repr(body)), row["arm"])
        lean.append({**head, **told, **(body if same == row["arm"] else {"as": same}), **end})
    return list(sessions), questions, lean


def unpack(sessions: Sequence[str], questions: Mapping[str, Row], lean: Iterable[Row]) -> Iterator[Row]:
    """The rows as they were. Raises KeyError and IndexError where a row names what is not there."""
    bodies: dict[tuple[str, str], Row] = {}
    for row in lean:
        name, arm = row["question"], row["arm"]
        asked = questions[name] | {key: row[key] for key in ASKED if key in row}
        body = bodies[name, row["as"]] if "as" in row else row
        bodies[name, arm] = body
        yield {
            "question": name,
            "account": asked["account"],
            "arm": arm,
            **_long({key: asked[key] for key in ASKED[1:] if key in asked}, sessions),
            "given": _given_again(_long(body, sessions), row.get("seconds")),
            "judgement": _judged_again(body["judgement"]),
        }


def _given(given: Row) -> Row:
    """Without what goes without saying: something was found, what was cited was opened and nothing else."""
    found, use = given.pop("found"), given.pop("use")
    opened, cites = given.pop("opened", []), given.get("cites", [])
    lean = given | ({} if list(opened) == list(cites) else {"opened": opened})
    return lean | ({} if found else {"found": False}) | ({"use": use} if use else {})


def _given_again(body: Row, seconds: float | None) -> Row:
    cites = body.get("cites", [])
    opened = body.get("opened", cites)
    use = dict(body.get("use", {})) | ({} if seconds is None else {"seconds": seconds})
    parts = {"text": body.get("text"), "cites": cites, "opened": opened}
    parts |= {key: body.get(key) for key in ("unresolved", "error")} | {"use": use}
    return {"found": body.get("found", True)} | {key: value for key, value in parts.items() if value}


def _judged(judgement: Row) -> Row:
    """Without a score that only says again whether it is right."""
    correct = judgement["correct"]
    plain = correct is not None and judgement["score"] == float(correct)
    return {key: value for key, value in judgement.items() if not (plain and key == "score")}


def _judged_again(judgement: Row) -> Row:
    if "score" in judgement:
        return judgement
    return {"correct": judgement["correct"], "score": float(judgement["correct"])} | judgement


def _short(row: Row, sessions: dict[str, int]) -> Row:
    """Sources with their session's number, the next one where it is new."""

    def number(found: re.Match[str]) -> str:
        return f"~{sessions.setdefault(found[1], len(sessions))}"

    return {
        key: [_SESSION.sub(number, one) if one.startswith("session:") else one for one in value]
        if key in LISTS
        else value
        for key, value in row.items()
    }


def _long(row: Row, sessions: Sequence[str]) -> Row:
    def whole(found: re.Match[str]) -> str:
        return f"session://{sessions[int(found[1])]}"

    return {
        key: [_SHORT.sub(whole, one, count=1) if one.startswith("~") else one for one in value]
        if key in LISTS
        else value
        for key, value in row.items()
    }
