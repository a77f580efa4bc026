"""A session in pieces that fit a model: whole turns where they fit, with the turns before them as context only.

Context overlaps, output does not: each new turn is to be noted in exactly one piece.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from brain.agents.prompts import quoted
from brain.distil.material import prose_of
from brain.distil.speech import blocks
from brain.text import clip, est_tokens
from brain.tree.ids import turns_text
from brain.types import Role, Trust, Turn

BEFORE_TOKENS = 700
"""Of earlier turns, so that "yes, do that" and "he" can be understood."""

_BEFORE_CHARS = 400
_CALL_CHARS = 300
_OUTPUT_CHARS = 1_000
_PASTED_CHARS = 4_000
_LEAST_CHARS = 200
"""Of a turn that is cut in two; what is shorter is not cut again."""

_SPEECH = 0.5
"""Share of a long turn's beginning that must read as speech, or it is text handed over: head and tail are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """`turns` are to be noted, `before` are context. A long turn may be spread over several chunks, in parts."""

    before: tuple[Turn, ...]
    turns: tuple[Turn, ...]

    @property
    def first(self) -> int:
        return self.turns[0].number

    @property
    def last(self) -> int:
        return self.turns[-1].number

    @property
    def shown(self) -> tuple[Turn, ...]:
        """All turns of it, by number."""
        return (*self.before, *self.turns)

    @property
    def range(self) -> str:
        return turns_text(self.first, self.last)

    def halves(self) -> tuple[Chunk, Chunk] | None:
        """Two chunks in place of one that was too much; None when it cannot be cut."""
        if len(self.turns) > 1:
            at = len(self.turns) // 2
            first, second = self.turns[:at], self.turns[at:]
        else:
            parts = list(_parts(self.turns[0], max(_LEAST_CHARS, len(self.turns[0].text) // 2)))
            if len(parts) < 2:
                return None
            first, second = (parts[0],), tuple(parts[1:])
        before = _context((*self.before, *first), BEFORE_TOKENS // 2)
        return Chunk(before=_context(self.before, BEFORE_TOKENS // 2), turns=first), Chunk(before=before, turns=second)


def readable(turn: Turn) -> bool:
    """Whether a turn has words to read: not blank, not taken out, no machine's text."""
    return not turn.redacted and turn.role is not Role.SYSTEM and bool(turn.text.strip())


def chunks(turns: Sequence[Turn], first: int, room: int) -> list[Chunk]:
    """The readable turns from number `first` on, in chunks of at most about `room` tokens. None when there are none."""
    kept = [turn for turn in turns if readable(turn)]
    before = [turn for turn in kept if turn.number < first]
    found: list[Chunk] = []
    group: list[Turn] = []
    size = 0
    for part in _fitting((turn for turn in kept if turn.number >= first), room):
        tokens = est_tokens(part.text) + 20
        if group and size + tokens > room:
            found.append(Chunk(before=_context(before, BEFORE_TOKENS), turns=tuple(group)))
            before, group, size = [*before, *group], [], 0
        group.append(part)
        size += tokens
    if group:
        found.append(Chunk(before=_context(before, BEFORE_TOKENS), turns=tuple(group)))
    return found


def shown(turns: Iterable[Turn], speaker: dict[int, str]) -> str:
    """Turns as a model reads them: a head line each, then their words behind bars."""
    return "\n".join(f"[t{turn.number}] {_who(turn, speaker)}\n{quoted(turn.text)}" for turn in turns) or "(nothing)"


def _who(turn: Turn, speaker: dict[int, str]) -> str:
    name = speaker.get(turn.number) or turn.name or turn.role.value
    return f"{' '.join(name.split())[:60]} ({turn.trusted_as.value})"


def _fitting(turns: Iterable[Turn], room: int) -> Iterator[Turn]:
    """Turns as they are shown, those longer than `room` in parts."""
    for turn in turns:
        short = _shown_of(turn)
        if est_tokens(short.text) <= room:
            yield short
        else:
            yield from _parts(short, max(_LEAST_CHARS, room * len(short.text) // est_tokens(short.text)))


def _shown_of(turn: Turn) -> Turn:
    """What of a turn is read: calls and outputs by their ends, and text that a person only handed over."""
    if turn.call or turn.role is Role.TOOL or turn.trusted_as in (Trust.TOOL, Trust.EXTERNAL):
        return replace(turn, text=_ends(turn.text, _CALL_CHARS if turn.role is Role.ASSISTANT else _OUTPUT_CHARS))
    if len(turn.text) > _PASTED_CHARS and turn.role is Role.USER:
        head = turn.text[:_PASTED_CHARS]
        said = sum(len(block.text) for block in prose_of(list(blocks(head)), head, chat=False))
        if said < _SPEECH * len(head):
            return replace(turn, text=_ends(turn.text, _PASTED_CHARS))
    return turn


def _ends(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    head, tail = most * 3 // 4, most // 4
    return f"{text[:head]}\n(… {len(text) - head - tail} characters left out …)\n{text[-tail:]}"


def _parts(turn: Turn, most: int) -> Iterator[Turn]:
    """One turn as several with the same number, cut where a paragraph, a line or a word ends."""
    text = turn.text
    while len(text) > most:
        cut = max(
            text.rfind("\n\n", most // 2, most), text.rfind("\n", most // 2, most), text.rfind(" ", most // 2, most)
        )
        cut = cut if cut > 0 else most
        yield replace(turn, text=text[:cut])
        text = text[cut:].lstrip()
    if text:
        yield replace(turn, text=text)


def _context(turns: Iterable[Turn], room: int) -> tuple[Turn, ...]:
    kept: list[Turn] = []
    for turn in reversed(list(turns)):
        short = replace(turn, text=clip(" ".join(turn.text.split()), _BEFORE_CHARS))
        room -= est_tokens(short.text) + 20
        if room < 0:
            break
        kept.append(short)
    return tuple(reversed(kept))
