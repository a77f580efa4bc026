"""Workflows explained: which method a talk is about, which sentences are its steps, and the list a user calls right."""

# ruff: noqa: E501 — patterns, one thing a line
from __future__ import annotations

import re
from collections.abc import Sequence

from brain.distil.sentences import word_count
from brain.distil.speech import Block, BlockKind, blocks
from brain.types import Subject, SubjectKind

LASTS = 14
"""Turns after which a method that was named no longer governs what is said."""

_NOUN = r"(?P<t>(?!it\b|that\b|this\b|them\b|things\b|so\b|what\b)[\w'’-]+(?:\s(?!because\b|so\b|and\b|but\b|in\b|on\b|at\b|for\b|from\b|with\b|to\b|by\b|when\b|every\b|is\b|as\b|goes\b|works\b)[\w'’-]+){0,3})"
_NAMED = (
    re.compile(
        rf"\b(?:how|the way)\s+(?:I|we)\s+(?:usually\s+|always\s+|normally\s+)?(?:run|do|make|handle|prepare|organi[sz]e|review|release|deploy|write|plan|conduct|process|test|cook|bake|publish|onboard|triage|archive|clean|check)\s+(?:an?\s|the\s|my\s|our\s)?{_NOUN}",
        re.IGNORECASE,
    ),
    re.compile(rf"\b(?:the|my|our)\s+{_NOUN}\s+(?:goes|works)\s+like\s+this\b", re.IGNORECASE),
    re.compile(rf"\b(?:my|our)\s+{_NOUN}\s+(?:process|workflow|routine|checklist|procedure|ritual)\b", re.IGNORECASE),
    re.compile(
        rf"\b(?:steps|process|workflow|checklist|procedure)\s+(?:for|of)\s+(?:an?\s|the\s|my\s|our\s)?{_NOUN}",
        re.IGNORECASE,
    ),
)
_CUE = re.compile(r"\b(?:how|way|like this|process|workflow|routine|checklist|procedure|ritual|steps)\b", re.IGNORECASE)
_STEP = re.compile(
    r"\b(?:first|then|next|after|afterwards|before|finally|last|each|every|always|never|must|until|once|when|step|pass(?:es)?|fails?|score|at least|within|followed by|start|end)\b",
    re.IGNORECASE,
)
_RIGHT = re.compile(
    r"\b(?:list|that|this|it|method|steps?|order)(?:'s|'re| is| are| looks?) (?:now )?(?:right|correct|good|perfect|complete|exactly)\b|^(?:yes|exactly|perfect|correct|right)[,.! ]*$",
    re.IGNORECASE,
)


def method_named(text: str) -> Subject | None:
    """The method that a turn sets out to explain ("how I run a wayfinding audit"), as a concept."""
    if not _CUE.search(text[:2000]):
        return None
    for pattern in _NAMED:
        if m := pattern.search(text[:2000]):
            name = m["t"].strip(" '’-")
            if len(name) > 3:
                return Subject(name=name[:1].upper() + name[1:], kind=SubjectKind.CONCEPT)
    return None


def is_step(sentence: str) -> bool:
    return _STEP.search(sentence) is not None


def confirms_list(sentences: list[str]) -> bool:
    """Whether a user calls the list just given right."""
    return any(_RIGHT.search(s) for s in sentences[:3])


def numbered(text: str) -> list[str]:
    """The numbered steps of a turn, [] when there are fewer than three."""
    steps = [b.text.rstrip(" .;") for b in blocks(text) if b.kind is BlockKind.ITEM and b.marker]
    return steps if len(steps) >= 3 else []


_THEN = {
    "en": r"(?:,\s+(?:and\s+)?(?:then|after that|afterwards|next|finally|lastly)|\s+(?:and\s+)?then)\b,?\s+",
    "de": r",\s+(?:und\s+)?(?:dann|danach|anschließend|zuletzt|schließlich|zum schluss)\s+",
    "fr": r",\s+(?:et\s+)?(?:puis|ensuite|après quoi|enfin)\s+",
    "es": r",\s+(?:y\s+)?(?:luego|después|entonces|por último|finalmente)\s+",
    "uk": r",\s+(?:(?:а|і|й)\s+)?(?:потім|далі|тоді|після цього|нарешті)\s+",
    "ru": r",\s+(?:(?:а|и)\s+)?(?:потом|затем|далее|тогда|после этого|наконец)\s+",
    "ja": r"、?(?:それから|次に|その後|続いて|最後に)、?",
    "zh": r"[，、](?:然后|然後|接着|接著|最后|最後|再)，?",
}
_SPLITS = {language: re.compile(source, re.IGNORECASE) for language, source in _THEN.items()}
_ORDERED = re.compile(
    r"^(?:when(?:ever)?|after|before|every|each|if|once|for (?:every|each|an?)|in this order)\b|\bin (?:this|that) order\b|\bI do this\b"
    r"|^(?:wenn|nach|vor|jede[nsrm]?|sobald)(?!\w)|\b(?:Ablauf|Schritte|Reihenfolge)|^(?:quand|après|avant|chaque|dès que)(?!\w)|\b(?:étapes|dans cet ordre|marche à suivre)"
    r"|^(?:cuando|después|antes|cada)(?!\w)|\b(?:pasos|en este orden)|^(?:коли|після|перед|кожн\w+|щоразу)(?!\w)|\b(?:кроки|порядок)|^(?:когда|после|перед|кажд\w+)(?!\w)|\b(?:шаги)"
    r"|手順|順番|流れ|(?:とき|時|場合|際)は|步骤|步驟|流程|顺序",
    re.IGNORECASE,
)
"""A line that leads to a way of doing something, not to any list."""

_A_STEP = 20
_HEADED = re.compile(r"^(?P<head>[^:：]{2,90})[:：]\s*(?P<rest>.+)$", re.DOTALL)
_FIT = 34
"""Words of a way of doing something that stays one sentence."""


def sequence(sentence: str, language: str, name: str) -> list[str]:
    """A sentence that tells steps in their order, whole, or numbered in as many statements as it takes; [] for others.

    >>> sequence("A leak: close the valve, then warn the cellar, then mop up.", "en", "Mara")
    ['A leak: close the valve, then warn the cellar, then mop up.']
    """
    split = _SPLITS.get(language)
    steps = [s.strip(" ,;.。、，") for s in split.split(sentence)] if split else []
    steps = [s for s in steps if s]
    if len(steps) < 3:
        return []
    if word_count(sentence) <= _FIT:
        return [sentence]
    head = name
    if m := _HEADED.match(steps[0]):
        head, steps[0] = m["head"].strip(), m["rest"].strip()
    return step_texts(head, [re.sub(r"^(?:first,?\s+)?(?:I|we)\s+(?=\w)", "", s) for s in steps], room=_FIT - 2)


def listed(parts: Sequence[Block]) -> tuple[str, list[str]]:
    """A numbered list of at least three steps that a person wrote, with the line that leads to it; ("", []) for none."""
    lead, steps = "", list[str]()
    for block in parts:
        if block.kind is BlockKind.ITEM and block.marker:
            steps.append(block.text.rstrip(" .;"))
        elif len(steps) >= 3:
            break
        else:
            lead, steps = block.text, []
    lead = lead.rstrip(" :：.")
    last = re.split(r"(?<=[.!?。])\s+", lead)[-1]
    ordered = _CUE.search(last) or _ORDERED.search(last)
    told = len(steps) >= 3 and ordered and word_count(last) <= 14 and all(word_count(s) <= _A_STEP for s in steps)
    return (last, steps) if told else ("", [])


def step_texts(method: str, steps: list[str], room: int = 24) -> list[str]:
    """`Wayfinding audit: (1) …; (2) …` within the word limit, in as many statements as that takes."""
    texts: list[str] = []
    start = 0
    while start < len(steps):
        end, words = start, word_count(method)
        while end < len(steps) and (end == start or words + word_count(steps[end]) + 1 <= room):
            words += word_count(steps[end]) + 1
            end += 1
        joined = "; ".join(f"({start + i + 1}) {s}" for i, s in enumerate(steps[start:end]))
        texts.append(f"{method}: {joined}.")
        start = end
    return texts
