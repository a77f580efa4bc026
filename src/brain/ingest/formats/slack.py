"""Slack export, unpacked: a folder a channel, a file a day, beside `channels.json` and `users.json`.

    tide-room/2026-03-14.json   [{"type": "message", "user": "U1", "ts": "1773478800.000200", "text": "<@U2> reef?"}]

A channel's day is one session, so that an export of a longer time adds sessions and changes none. Names come from
`users.json`; answers in a thread stand behind the message they answer where that was written the same day.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from brain.ingest.messages import Speaking
from brain.ingest.raw import RawSession, RawTurn, Skips
from brain.ingest.source import Head, json_array, read_json, text_of
from brain.ingest.times import read_time
from brain.types import Role, Trust

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_MENTION = re.compile(r"<@([UWB][A-Z0-9]+)(?:\|([^>]+))?>")
_CHANNEL = re.compile(r"<#[A-Z0-9]+\|([^>]*)>")
_LINK = re.compile(r"<((?:https?|mailto|tel):[^>|]+)(?:\|([^>]+))?>")
_SPECIAL = re.compile(r"<!(?:subteam\^[A-Z0-9]+\|)?([^>|]+)(?:\|([^>]+))?>")
_NOT_SPEECH = {
    "channel_join", "channel_leave", "channel_topic", "channel_purpose", "channel_name", "channel_archive",
    "channel_unarchive", "group_join", "group_leave", "group_topic", "group_purpose", "group_name", "pinned_item",
    "unpinned_item", "bot_add", "bot_remove", "reminder_add", "file_comment", "tombstone", "sh_room_created",
}  # fmt: skip


class Slack:
    name = "slack"
    title = "Slack export"
    where = "`<channel>/<day>.json` beside `users.json`; a channel's day is one session"
    known_by = "channel and day"
    times = "each message, UTC"
    kept = "messages with their writers' names, threads, links, files by name, what programs posted (as `tool`)"
    dropped = (
        "joins and other events (not speech); reactions and edits (not words); blocks (they repeat the text); "
        "contents of files (not in the export)"
    )

    def detect(self, head: Head) -> int:
        if head.json != "array" or not _DAY.fullmatch(head.path.stem) or not head.records:
            return 0
        return 85 if any(map(_is_ours, head.records[:3])) else 0

    def read(self, path: Path, skips: Skips) -> Iterator[RawSession]:
        people = _people(path.parent.parent)
        messages = [
            (position, one)
            for position, one in json_array(path, skips)
            if _is_message(one, f"message {position}", skips)
        ]
        spoken = [(position, one) for position, one in messages if not _is_event(one, skips)]
        ordered = _threaded(spoken)
        names = tuple(dict.fromkeys(_writer(one, people) for _, one in ordered))
        channel = path.parent.name
        yield RawSession(
            source=self.name,
            external_id=f"{channel}/{path.stem}",
            turns=_speak(ordered, people, skips),
            title=f"#{channel}, {path.stem}",
            participants=names,
            place=f"{channel}/{path.name}",
        )


FORMAT = Slack()


def _is_ours(one: dict[str, Any]) -> bool:
    return ("ts" in one and ("text" in one or "type" in one)) or (one.get("type") == "message" and "text" in one)


@lru_cache(maxsize=8)
def _people_at(place: Path, changed: int) -> dict[str, str]:
    try:
        listed = read_json(place)
    except (OSError, ValueError, RecursionError):
        return {}
    found: dict[str, str] = {}
    for one in listed if isinstance(listed, list) else ():
        if isinstance(one, dict) and isinstance(one.get("id"), str):
            profile = one.get("profile") if isinstance(one.get("profile"), dict) else {}
            assert isinstance(profile, dict)
            names = (profile.get("real_name"), one.get("real_name"), profile.get("display_name"), one.get("name"))
            found[one["id"]] = next((name for name in names if isinstance(name, str) and name.strip()), one["id"])
    return found


def _people(root: Path) -> dict[str, str]:
    """Names by user id."""
    place = root / "users.json"
    try:
        return _people_at(place, place.stat().st_mtime_ns)
    except OSError:
        return {}


def _is_message(one: Any, place: str, skips: Skips) -> bool:
    if isinstance(one, dict):
        return True
    skips.damage("not a message", place)
    return False


def _is_event(one: dict[str, Any], skips: Skips) -> bool:
    subtype = text_of(one.get("subtype"))
    if subtype in _NOT_SPEECH or one.get("type", "message") != "message":
        skips.leave("event of the channel")
        return True
    return False


def _threaded(messages: list[tuple[int, dict[str, Any]]]) -> list[tuple[int, dict[str, Any]]]:
    """In the order of the file, answers behind the message that began their thread when it is here."""
    stamps = [(_stamp(one.get("ts")), _stamp(one.get("thread_ts"))) for _, one in messages]
    starts = {own for own, thread in stamps if own and thread in ("", own)}
    answers: dict[str, list[tuple[int, dict[str, Any]]]] = {}
    for (own, thread), (position, one) in zip(stamps, messages, strict=True):
        if thread in starts and thread != own:
            answers.setdefault(thread, []).append((position, one))
    moved = {position for group in answers.values() for position, _ in group}
    ordered: list[tuple[int, dict[str, Any]]] = []
    for (own, _), (position, one) in zip(stamps, messages, strict=True):
        if position not in moved:
            ordered += [(position, one), *answers.pop(own, [])]
    return ordered


def _stamp(value: Any) -> str:
    """Slack's time of a message, which is its id in the channel; "" when it has none."""
    return str(value) if isinstance(value, (str, float, int)) else ""


def _writer(one: dict[str, Any], people: dict[str, str]) -> str:
    profile = one.get("user_profile") if isinstance(one.get("user_profile"), dict) else {}
    assert isinstance(profile, dict)
    user = one.get("user")
    known = people.get(user) if isinstance(user, str) else None
    named = known or profile.get("real_name") or one.get("username") or user or one.get("bot_id")
    return named if isinstance(named, str) and named else "someone"


def _speak(messages: list[tuple[int, dict[str, Any]]], people: dict[str, str], skips: Skips) -> Iterator[RawTurn]:
    speaking = Speaking(skips)
    for position, one in messages:
        try:
            yield from _message(one, people, speaking)
        except (TypeError, ValueError, AttributeError, KeyError, RecursionError) as error:
            skips.damage(f"message does not read ({type(error).__name__})", f"message {position}")


def _message(one: dict[str, Any], people: dict[str, str], speaking: Speaking) -> Iterator[RawTurn]:
    text = one.get("text") if isinstance(one.get("text"), str) else ""
    files = one.get("files")
    names = [
        file.get("title") or file.get("name")
        for file in (files if isinstance(files, list) else ())
        if isinstance(file, dict)
    ]
    beside = [f"[file: {name}]" for name in names if name]
    said = "\n".join(filter(None, [_plain(str(text), people) or _shown(one, people), *beside]))
    if not said:
        speaking.skips.leave("empty message")
        return
    time, name = read_time(one.get("ts")), _writer(one, people)
    if one.get("bot_id") or one.get("subtype") == "bot_message":
        yield RawTurn(role=Role.TOOL, text=said, time=time, name=name, trust=Trust.EXTERNAL)
    else:
        yield from speaking.user(said, time, name=name, origin=one.get("client_msg_id"))


def _shown(one: dict[str, Any], people: dict[str, str]) -> str:
    """What a message without text shows: the cards of a program."""
    cards = one.get("attachments")
    texts = [
        next(
            (
                card[key]
                for key in ("text", "fallback", "pretext", "title")
                if isinstance(card.get(key), str) and card[key]
            ),
            "",
        )
        for card in (cards if isinstance(cards, list) else ())
        if isinstance(card, dict)
    ]
    return "\n".join(filter(None, (_plain(text, people) for text in texts)))


def _plain(text: str, people: dict[str, str]) -> str:
    """Slack's markup as text: names for ids, links as Markdown."""
    text = _MENTION.sub(lambda m: "@" + (people.get(m[1]) or m[2] or m[1]), text)
    text = _CHANNEL.sub(lambda m: "#" + m[1], text)
    text = _LINK.sub(lambda m: f"[{m[2]}]({m[1]})" if m[2] and m[2] not in m[1] else m[1].removeprefix("mailto:"), text)
    return html.unescape(_SPECIAL.sub(lambda m: m[2] or "@" + m[1], text)).strip()
