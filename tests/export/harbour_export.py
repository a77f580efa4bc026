"""A small memory on a folder, every word of it hostile: titles, claims, notes and turns that try to be markup."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from brain import Brain
from brain.text import clean, clip, one_line
from brain.tree import edit, layout, markdown, note, sessions, transcript
from brain.tree.edit import Statement
from brain.tree.files import write_atomic
from brain.tree.ids import session_id
from brain.tree.page import Page
from brain.tree.sessions import SessionRow
from brain.types import Qualifier, Role, Transcript, Turn

AT = datetime(2026, 8, 6, 7, 51, tzinfo=UTC)
SESSION = session_id("test", "harbour")
ATTACKS = (
    "<script>window.owned = 1</script>",
    "</script><img src=x onerror='window.owned = 1'>",
    "[a](javascript:window.owned=1) [b](data:text/html,<script>window.owned=1</script>)",
    "![x](http://collector.invalid/p.png) <iframe src=//collector.invalid></iframe>",
    "`</code><script>window.owned=1</script>` and [[nowhere]] and [^cite-1] and [^1]: x",
    "quote \" and ' and & and --> and ]]> and <!-- and \\ and `",
    "京都 🌸 Київ نص  ```\n\n### t9\n\n````text\nout\n````\n## t3 · user · -",
)


def page(id: str, title: str, claims: Sequence[Statement], *, sensitivity: str | None = None, **more: str) -> Page:
    """A page whose lead is the first claim."""
    words = one_line(title)
    made = edit.new_page(
        id=id, title=clip(words, 80), description=clip(f"About {words}, as it stands now", 160), language="en",
        now=AT, updated_by="dream/0.1", entity_kind="org" if id.startswith("entities/") else None,
    )  # fmt: skip
    made = edit.set_lead(made, claims[:1])
    for claim in claims[1:]:
        made = edit.add_claim(made, "Facts", claim.text, qualifier=claim.qualifier, uris=claim.uris)
    for key, value in {"sensitivity": sensitivity, **more}.items():
        made = edit.set_meta(made, key, value)
    return made


def said(text: str, turns: str = "t1", label: str | None = None, qualifier: str | None = None) -> Statement:
    return Statement(
        text=markdown.escape(text), label=label, qualifier=qualifier, uris=[f"session://{SESSION}#{turns}"]
    )


def transcribed(texts: Sequence[str]) -> Transcript:
    turns = tuple(
        Turn(number=n, role=Role.USER if n % 2 else Role.ASSISTANT, text=clean(text), time=AT, name="N. <b>x</b>")
        for n, text in enumerate(texts, start=1)
    )
    return Transcript(
        id=SESSION, source="test", external_id="harbour", title="Harbour <b>talk</b> [[x]]", started_at=AT,
        participants=("N. <b>x</b>",), turns=turns,
    )  # fmt: skip


def write(root: Path, pages: Sequence[Page], told: Transcript, notes: Sequence[note.NoteFile] = ()) -> None:
    """Files of a memory, as they lie in a folder."""
    for one in pages:
        write_atomic(root / one.path, one.text)
    for file in notes:
        write_atomic(root / layout.note_path(file.id), note.render(file))
    place = layout.transcript_path(layout.stem(told))
    write_atomic(root / place, transcript.render(told))
    row = SessionRow(
        id=told.id, source=told.source, external_id=told.external_id, title=told.title, started_at=told.started_at,
        ended_at=AT, last_turn_at=AT, turns=len(told.turns), transcript=place,
    )  # fmt: skip
    write_atomic(root / layout.SESSION_INDEX, sessions.render_rows([row]))


def hostile_memory(root: Path) -> None:
    """A brain whose pages hold every attack, linked with each other, private ones among them."""
    Brain.init(root, owner="Nadia", now=AT)
    pages = []
    for number, attack in enumerate(ATTACKS, start=1):
        claims = [said(attack, f"t{number}"), said(f"{attack} again", f"t{number}", qualifier="external")]
        claims.append(Statement(text=f"See [[concepts/log|{'log'}]] and `[[code]]`.", uris=claims[0].uris))
        pages.append(page(f"entities/attack-{number}", f"{attack} {number}", claims))
    pages.append(page("concepts/log", "Log", [said("A log is kept of every tide.", "t1-t2"), said("It is blue.")]))
    secret = [said("The reef alarm code lies with Nadia."), said("It changes in March.")]
    pages.append(page("projects/secret-reef", "Secret reef", secret, sensitivity="private"))
    hint = [said("It stands near the reef."), Statement(text="Part of [[projects/secret-reef]].", uris=secret[0].uris)]
    pages.append(page("projects/mole", "Mole", hint, stale_after="2026-12-01"))
    uri = f"session://{SESSION}#t2"
    lines = [note.snippet(markdown.escape(a), uri, day=AT.date(), qualifier=Qualifier.EXTERNAL) for a in ATTACKS]
    file = note.NoteFile(id="notes/facts/attacks", title="Attacks <i>x</i>", updated_at=AT, snippets=tuple(lines))
    write(root, pages, transcribed([*ATTACKS, "a turn that nothing cites: kelp"]), [file])
