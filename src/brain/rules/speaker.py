"""Whose words the evidence holds: is "I" the one a claim is about, and does the qualifier say who spoke (SEM002)?"""

from __future__ import annotations

import re
from collections.abc import Sequence

from brain.rules import voice
from brain.rules.scene import Scene
from brain.rules.wording import Words, names
from brain.text import normal_name, words
from brain.types import Qualifier, Trust, Turn

_SAYS = re.compile(r"^(?P<who>[^\s\"“«„:][^\"“«„:]{0,60}):\s*[\"“«„]")
_NO_NAMES = frozenset({"the", "a", "an", "this", "that", "these", "one", "my", "our", "his", "her", "their"})
_SUBJECT = re.compile(r"^(?P<who>[^\W\d_][\w’'.-]*(?: [^\W\d_a-z][\w’'.-]*)*)")


def wrong_subject(
    prose: str, scene: Scene, turns: Sequence[Turn], owners: tuple[str, ...], subjects: tuple[str, ...]
) -> str | None:
    """A claim about one person whose evidence is another's "I", or a quote put into the wrong mouth."""
    speakers = {t.name for t in turns if t.name} | {
        o for t in turns if not t.name and t.trusted_as is Trust.OWNER for o in owners
    }
    quoted = _SAYS.match(prose)
    subject = quoted["who"] if quoted else _subject(prose, (*owners, *subjects, *speakers))
    if not speakers or subject is None or any(same_person(subject, speaker) for speaker in speakers):
        return None
    text = " ".join(t.text for t in turns)
    ranked = scene.ranked()
    best = scene.sentences[ranked[0]][0] if ranked else text
    about = any(same_person(subject, s) for s in subjects)
    if quoted:
        wrong = not about or subject in owners
    elif _mentioned(subject, text):
        wrong = False
    elif voice.opens_in_first_person(best):
        wrong = not voice.third_person(best)
    elif voice.first_person(best):
        wrong = not (voice.third_person(best) or voice.second_person(best))
    else:
        wrong = not about and not voice.second_person(best)
    if not wrong:
        return None
    return f"this is {' and '.join(sorted(speakers))} speaking, not {subject}"


_CALLED = re.compile(
    r"(?:^|[,!.?…]|\b(?:hi|hey|hello|thanks|thank you|yep|yeah|yes|no|oh|wow|ok|okay|sure|bye|dear|congrats))\s*$", re.I
)


def _mentioned(name: str, text: str) -> bool:
    """Whether a text speaks of somebody, and not only to them: "Thanks, Caroline!" does not."""
    held = [w for w in words(name) if len(w) > 1]
    spans = [m for w in held for m in re.finditer(rf"(?<!\w){re.escape(w)}(?!\w)", text, re.IGNORECASE)]
    if not spans:
        return bool(held) and all(w in Words(text) for w in held)
    return not all(_CALLED.search(text[: m.start()]) and text[m.end() : m.end() + 1] in ("", *",!.?…") for m in spans)


def _subject(prose: str, known: Sequence[str]) -> str | None:
    """The name that opens a claim: a known one, or what looks like one."""
    match = _SUBJECT.match(prose)
    if match is None:
        return None
    opening = match["who"].removesuffix("'s").removesuffix("’s")
    for part in (opening, opening.split(" ")[0]):
        if part.casefold() in _NO_NAMES:
            continue  # an alias such as "the store" does not make "The" a name
        if any(same_person(part, name) for name in known):
            return part
    found = names(prose)
    if prose[match.end() :].startswith(","):
        return None  # "Alhamdulillah, …": an interjection or a list, not the one who acts
    return opening if found and prose.startswith(found[0]) else None


def same_person(a: str, b: str) -> bool:
    """Whether one name may stand for the other: all words of one are among the other's. Jean is not Jean-Luc."""
    x, y = set(normal_name(a).split()), set(normal_name(b).split())
    return bool(x and y) and (x <= y or y <= x)


def speaker_problem(qualifier: Qualifier | None, trusts: Sequence[Trust]) -> str | None:
    """What is wrong with a qualifier, seen from who speaks in the evidence alone; None when nothing is."""
    kinds = set(trusts)
    if not kinds or qualifier is Qualifier.INFERRED:
        return None
    if kinds == {Trust.AGENT} and qualifier is not Qualifier.ASSISTANT:
        return "only the assistant said this: add ^[assistant], or cite the user's confirmation"
    if kinds == {Trust.EXTERNAL} and qualifier is not Qualifier.EXTERNAL:
        return "this stands only in outside content: add ^[external], or cite the user's confirmation"
    return None
