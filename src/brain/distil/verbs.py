"""English verb forms: what agrees with a third person, which words are past forms; lemminflect looks them up."""

# ruff: noqa: E501, SIM905 — word lists
from __future__ import annotations

from functools import lru_cache

_UNCHANGED = frozenset(
    (
        "will would can could should might may must shall won't wouldn't can't cannot couldn't shouldn't mightn't "
        "mustn't did didn't had hadn't was wasn't used ought gonna could've would've should've might've"
    ).split()
)
_THIRD = {"am": "is", "have": "has", "haven't": "hasn't", "do": "does", "don't": "doesn't", "dont": "doesn't", "were": "was",
          "weren't": "wasn't", "wanna": "wants to", "gotta": "has to", "need": "needs"}  # fmt: skip
_SAME_PAST = frozenset(
    "put set cut hit let read cost hurt quit shut spread bet beat cast split burst upset fit".split()
)


@lru_cache(maxsize=8192)
def agree(verb: str, *, plural: bool, past: bool) -> str | None:
    """The form of `verb` (as said after "I") for a third person; None when it is no verb or could be two forms."""
    if plural:
        return {"am": "are", "was": "were", "wasn't": "weren't"}.get(verb, verb) if _is_verb(verb) else None
    if verb in _THIRD:
        return _THIRD[verb]
    if verb in _UNCHANGED:
        return verb
    if verb in _SAME_PAST:
        return verb if past else None
    forms = verb_forms(verb)
    if forms is None:
        return None
    is_past, third = forms
    return verb if is_past else third


def _is_verb(verb: str) -> bool:
    return verb in _THIRD or verb in _UNCHANGED or verb in _SAME_PAST or verb_forms(verb) is not None


@lru_cache(maxsize=8192)
def verb_forms(verb: str) -> tuple[bool, str] | None:
    """(is a past form, third person singular) of `verb`; None when lemminflect knows no such verb."""
    import lemminflect

    lemmas = lemminflect.getLemma(verb, upos="VERB", lemmatize_oov=False)
    if not lemmas:
        return None
    for lemma in lemmas:
        if lemma != verb and verb in lemminflect.getInflection(lemma, tag="VBD"):
            return True, verb
    if verb not in lemmas:
        return None
    third = lemminflect.getInflection(verb, tag="VBZ")
    return (False, third[0]) if third else None


@lru_cache(maxsize=4096)
def is_participle(word: str) -> bool:
    import lemminflect

    if word in ("been", "had", "gone", "done"):
        return True
    lemmas = lemminflect.getLemma(word, upos="VERB", lemmatize_oov=False)
    return any(lemma != word and word in lemminflect.getInflection(lemma, tag="VBN") for lemma in lemmas)


@lru_cache(maxsize=4096)
def past_of(participle: str) -> str | None:
    import lemminflect

    for lemma in lemminflect.getLemma(participle, upos="VERB", lemmatize_oov=False):
        if participle in lemminflect.getInflection(lemma, tag="VBN"):
            forms = lemminflect.getInflection(lemma, tag="VBD")
            return forms[0] if forms else None
    return None
