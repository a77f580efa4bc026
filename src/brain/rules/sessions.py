"""SES: summaries keep their schema and watermarks; transcripts are only ever appended to."""

from __future__ import annotations

from collections.abc import Iterator

from brain.errors import FormatError
from brain.rules.context import Context, digest
from brain.rules.rule import Found, path_rule
from brain.text import count_words
from brain.tree import summary, transcript
from brain.tree.ids import SESSION, format_day
from brain.tree.layout import FileClass, classify
from brain.types import Turn


@path_rule("SES001")
def summary_schema(path: str, check: Context) -> Iterator[Found]:
    """A summary reads, is short (90 words, 350 with its bullets), and its watermarks are in order and never go back.

    Bad:
        === sessions/summaries/2026/2026-06-21-kyoto-planning-1eaf53d4.md
        attached_through: 19
        through_turn: 9
    Good:
        === sessions/summaries/2026/2026-06-21-kyoto-planning-1eaf53d4.md
        attached_through: 8
        through_turn: 9
    """
    text = check.text(path)
    if text is None or classify(path) is not FileClass.SUMMARY:
        return
    try:
        now = summary.parse(text, path)
    except FormatError as error:
        if not error.reason.startswith(("no frontmatter", "frontmatter")):
            yield Found(
                error.reason,
                line=error.line,
                fix="## Summary, then sections of bullets that end with their turns, (t3-t5)",
            )
        return
    paragraph = count_words(now.summary)
    whole = paragraph + sum(count_words(b.text) for bullets in now.bullets.values() for b in bullets)
    if paragraph > 90:
        yield Found(f"the summary has {paragraph} words, more than 90", fix="shorten it")
    if whole > 350:
        yield Found(f"summary and bullets have {whole} words, more than 350", fix="keep what later work needs")
    if not now.summary:
        yield Found("the summary is empty", fix="say in a sentence what the session was about")
    if len(now.title) > 80:
        yield Found(f"the title has {len(now.title)} characters, more than 80", fix="shorten it")
    if now.through_turn > now.turns:
        yield Found(f"through_turn {now.through_turn} is beyond {now.turns} turns", fix=f"through_turn: {now.turns}")
    if now.attached_through > now.through_turn:
        yield Found("attached_through is beyond through_turn", fix=f"attached_through: {now.through_turn}")
    before = check.base_summary(path)
    if before is not None:
        for key in ("through_turn", "attached_through", "turns"):
            if getattr(now, key) < getattr(before, key):
                yield Found(
                    f"{key} went back from {getattr(before, key)} to {getattr(now, key)}",
                    fix=f"{key}: {getattr(before, key)}",
                )


@path_rule("SES002")
def summary_turns(path: str, check: Context) -> Iterator[Found]:
    """Bullets name turns of their session; the file's stem holds the session's day and the first 8 digits of its id.

    Bad:
        === sessions/summaries/2026/2026-06-21-kyoto-planning-1eaf53d4.md
        ## Decisions
        - Kyoto is hosted by Sora City Lab. (t90-t91)
    Good:
        === sessions/summaries/2026/2026-06-21-kyoto-planning-1eaf53d4.md
        ## Decisions
        - Kyoto is hosted by Sora City Lab. (t3)
    """
    now = check.summary(path)
    if now is None or classify(path) is not FileClass.SUMMARY:
        return
    if not SESSION.fullmatch(now.id):
        yield Found(f"id {now.id!r} is no session id", line=2, fix="the session's whole id")
    stem = path.rpartition("/")[2].removesuffix(".md")
    day = format_day(now.started_at) if now.started_at else "0000-00-00"
    if not stem.startswith(day) or not stem.endswith(now.id[:8]):
        yield Found(f"the file name is not that of session {now.id}", fix=f"{day}-<slug>-{now.id[:8]}.md")
    lines = (check.text(path) or "").split("\n")
    for bullets in now.bullets.values():
        for bullet in bullets:
            if bullet.first > bullet.last or bullet.last > now.turns:
                line = next((n for n, text in enumerate(lines, start=1) if bullet.text in text), 0)
                yield Found(
                    f"turns t{bullet.first}-t{bullet.last} are not in the session's {now.turns}",
                    line=line,
                    fix=f"(t1-t{now.turns}) at most",
                )


@path_rule("SES003")
def transcript_kept(path: str, check: Context) -> Iterator[Found]:
    """A transcript's hash is the recorded one, its turns run 1 to n, and what the base held is its beginning.

    Bad:
        === sessions/transcripts/2026/2026-06-21-kyoto-planning-1eaf53d4.md
        × cut
    Good:
        === sessions/transcripts/2026/2026-06-21-kyoto-planning-1eaf53d4.md
        × same
    """
    text = check.text(path)
    if text is None or classify(path) is not FileClass.TRANSCRIPT:
        return
    try:
        now = transcript.parse(text, path)
    except FormatError as error:
        yield Found(error.reason, line=error.line, fix="import the session again")
        return
    for place, turn in enumerate(now.turns, start=1):
        if turn.number != place:
            yield Found(
                f"t{turn.number} stands where t{place} belongs",
                line=_turn_line(text, turn.number),
                fix="import the session again",
            )
            break
    row = check.evidence.row(now.id)
    if row is not None and row.transcript_sha256 and digest(text) != row.transcript_sha256:
        yield Found(
            "the hash is not the one in sessions/index.jsonl", fix="restore the transcript, or run brain import again"
        )
    before = check.base_text(path)
    if before is not None and before != text:
        yield from _prefix(transcript.parse(before, path).turns, now.turns, text)


def _prefix(before: tuple[Turn, ...], now: tuple[Turn, ...], text: str) -> Iterator[Found]:
    for place, old in enumerate(before):
        new = now[place] if place < len(now) else None
        if new is None:
            yield Found(f"t{old.number} is gone", fix="a transcript only grows; `brain forget` redacts")
            return
        if new != old and not new.redacted:
            yield Found(
                f"t{old.number} was changed",
                line=_turn_line(text, old.number),
                fix="a transcript only grows; `brain forget` redacts",
            )
            return


def _turn_line(text: str, number: int) -> int:
    at = text.find(f"\n## t{number} ")
    return text.count("\n", 0, at + 1) + 1 if at >= 0 else 0
