"""What of a turn to an assistant is its user's own words: not the text they hand over, not the details of a task."""

from __future__ import annotations

from dataclasses import replace

from brain.distil import chatter_en
from brain.distil import cues_en as en
from brain.distil.sentences import sentences
from brain.distil.speech import Block, BlockKind
from brain.language import language_of

_PASTE = 1_600
"""A turn longer than this that hardly says "I" is pasted text."""

_SHORT = 500
_OWN = 300
"""A turn or paragraph this long that never says "I" is not about its speaker."""

SPEC_PENALTY, UNOWNED_PENALTY = 0.26, 0.12


def prose_of(parts: list[Block], text: str, *, chat: bool, asked: bool = False) -> list[Block]:
    """The blocks a person wrote themself. `asked`: the turn answers a question of the assistant."""
    prose = [b for b in parts if b.kind is BlockKind.PROSE]
    head = text[:8000]
    said = len(en.FIRST.findall(head))
    if len(text) >= _PASTE and said < len(head) / 400:
        own = [b for b in dict.fromkeys([*prose[:1], *prose[-1:]]) if len(b.text) < _SHORT]
        return own if chat else _before_given(own)
    own = [b for b in parts if b.kind in (BlockKind.PROSE, BlockKind.ITEM)]
    if chat:
        return own
    own = _before_given(own)
    if not said and not asked and len(text) > _OWN and language_of(head[:600], "en") == "en":
        return [b for b in own[:1] if len(b.text) < _OWN]
    return [b for b in own if len(b.text) < _OWN or not b.text.isascii() or en.FIRST.search(b.text)]


def _before_given(blocks: list[Block]) -> list[Block]:
    """Blocks up to where a text is handed over ("Rewrite the following: …"); an "I" in that text is another's."""
    kept: list[Block] = []
    for block in blocks:
        found = chatter_en.GIVEN_TEXT.search(block.text)
        if found is None:
            kept.append(block)
            continue
        start = block.text[: found.start()]
        if start.strip():
            kept.append(replace(block, text=start))
        break
    return kept


def unowned(prose: list[Block], *, asked: bool, project: bool) -> float:
    """What a sentence without "I" loses: much in a turn that sets a task, a little where nothing is said of oneself."""
    spoken = [s for b in prose[:3] for s in sentences(b.text)]
    if any(chatter_en.SPEC.match(s) for s in spoken[:2]):
        return SPEC_PENALTY
    if asked or project or any(en.FIRST.search(s) for s in spoken):
        return 0.0
    return UNOWNED_PENALTY
