"""English first person into a named third person: "I've moved" said by Nadia → "Nadia has moved"; None when unsafe."""

# ruff: noqa: E501, SIM905 — word lists and patterns, one thing a line
from __future__ import annotations

import re
from dataclasses import dataclass, field

from brain.distil.verbs import agree, is_participle, past_of, verb_forms

_TOKEN = re.compile(
    r"\"[^\"\n]{0,300}\"|“[^”\n]{0,300}”|`[^`\n]{0,200}`|[A-Za-zÀ-ÿ]+(?:['’][A-Za-z]+)*|\d[\d.,:/-]*|[^\sA-Za-z\d]|\s+"
)
_FIRST = {"i", "i'm", "i've", "i'd", "i'll", "im", "ive", "me", "my", "mine", "myself"}
_GROUP = {"we", "we're", "we've", "we'd", "we'll", "us", "our", "ours", "ourselves", "let's", "lets"}
_GROUP_UNSAFE = {"ourselves", "let's", "lets", "ours"}
_SECOND = {"you", "you're", "you've", "you'd", "you'll", "your", "yours", "yourself", "ya", "u", "y'all", "youre"}
_THEY = {"they", "them", "their", "they're", "they've", "theirs", "they'd", "they'll"}
_ADVERBS = frozenset(
    (
        "also always never just still often sometimes usually really actually only already even ever now then "
        "recently finally definitely probably currently mostly mainly generally totally absolutely certainly clearly "
        "honestly simply truly soon once almost rarely seldom first kinda both either too quite so"
    ).split()
)
_HELPED = frozenset(
    (
    "let make made help helped see saw watch watched hear heard have had to can could did do does will would "
    "should might may and or if when that are were is was"
    ).split()
)  # fmt: skip
_PREPOSITIONS = frozenset(
    (
    "to for with of about from at by on in than like without after before behind around near between thank and "
    "see tell told show showed give gave teach ask asked send sent help wish"
    ).split()
)  # fmt: skip
_AND_VERBS = frozenset(
    (
        "go take make have use try keep get want need think feel live play read write cook run eat drink watch listen "
        "hope know see love like enjoy prefer spend meet help teach learn bring give send share do start stop find "
        "believe hate dislike avoid check build put carry lead manage organize organise follow wash clean grow "
        "collect travel visit train jog stretch volunteer practice swim hike paint draw sing dance wear sleep wake"
    ).split()
)
_OTHER_SUBJECTS = frozenset("he she it they who which that this there we you what it's he's she's they're".split())
_OBJECTS = frozenset(
    "the a an every each my your his her its our their it them him me this that these those all some".split()
)
_GENERIC_YOU = re.compile(r"\b(?:if|when|once|before|after|as|how|what|where|whatever) you\b|\byou (?:know|can|could|have to|need|get|want|should|see|might|may)\b",
                          re.IGNORECASE)  # fmt: skip


@dataclass(slots=True)
class _State:
    name: str
    other: str | None
    group: str
    past: bool
    clear_they: bool
    out: list[str] = field(default_factory=list)
    last: int = 0
    named: bool = False
    grouped: bool = False
    subject: bool = False
    present: bool = False


def is_first_person(sentence: str) -> bool:
    """Whether the speaker says I, me, my, we, our (outside quoted words)."""
    said = (t.lower().replace("’", "'") for t in _TOKEN.findall(sentence) if t != "US")
    return any(word in _FIRST or word in _GROUP for word in said)


def third_person(
    sentence: str, name: str, other: str | None = None, *, past: bool = False, group: str = ""
) -> str | None:
    """`sentence` with I/me/my (and you/your, when `other` is the one addressed) as names; None when that is not safe.

    `past` tells that the sentence is about the past, which settles verbs like "put" that look the same in both.
    `group` is what "we" is called ("the team", a singular); "Nadia and others" when it is empty.
    """
    tokens = [t.replace("’", "'") if t[0].isalpha() else t for t in _TOKEN.findall(sentence)]
    lower = [t.lower() if t != "US" else "usa" for t in tokens]
    if not _safe(lower, sentence, other):
        return None
    state = _State(name=name, other=other, group=group, past=past, clear_they=not any(t in _THEY for t in lower))
    at = 0
    while at < len(tokens):
        step = _step(state, tokens, lower, at)
        if step is None:
            return None
        at += step
    text = re.sub(r"(?<=[^.!?] )The (?=user\b|assistant\b)", "the ", "".join(state.out))
    if text.count(name) > 2:
        return None  # clumsy: the speaker's own words read better
    return text[:1].upper() + text[1:] if text.split(" ", 1)[0].isalpha() else text


def _safe(lower: list[str], sentence: str, other: str | None) -> bool:
    if any(t in _GROUP_UNSAFE for t in lower):
        return False
    seconds = sum(t in _SECOND for t in lower)
    generic = len(_GENERIC_YOU.findall(sentence)) if seconds else 0
    if seconds and other is None and seconds > generic:
        return False
    if seconds and other is not None and (seconds > 2 or generic):
        return False
    if re.search(
        r"\b(?:be|being|am|is|was|as|like|than|it's) (?:me|myself)\b|\bme-time\b|\b(?:me|my) and (?:my|the)\b",
        sentence,
        re.IGNORECASE,
    ):
        return False
    return not any(t in ("y'all", "ya", "u", "you'd", "yourself", "youre", "im", "ive") for t in lower)


def _step(state: _State, tokens: list[str], lower: list[str], at: int) -> int | None:
    """Handle the token at `at`; returns how many tokens were used, None when unsafe."""
    word = lower[at]
    if word in ("i", "i'm", "i've", "i'd", "i'll"):
        return _subject(state, tokens, lower, at)
    if word in _GROUP:
        return _group(state, tokens, lower, at)
    if word in ("my", "mine"):
        state.out.append(_possessive(state))
        state.named = True
        return 1
    if word == "me":
        state.out.append("them" if state.subject and state.clear_they else state.name)
        state.named = True
        return 1
    if word == "myself":
        state.out.append("themself" if state.named else state.name)
        return 1
    if word in _SECOND:
        return _addressed(state, tokens, lower, at)
    if state.present and word in ("and", "but", "or", "then"):
        return _second_verb(state, tokens, lower, at)
    if word in ("to", "that", "because", "if", "when", "who", "which", "where", "can", "could", "will", "would"):
        state.present = False
    state.out.append(tokens[at])
    return 1


def _group(state: _State, tokens: list[str], lower: list[str], at: int) -> int | None:
    """we, us, our: the team (singular), or the speaker "and others" (plural, so verbs stay as they are)."""
    word = lower[at]
    known = (state.grouped or state.subject) and state.clear_they
    if word == "our":
        own = f"{state.group}'s" if state.group else _possessive(state)
        state.out.append("their" if known or (state.subject and state.clear_they) else own)
        state.named = True
        return 1
    who = state.group or f"{state.name} and others"
    if word == "us":
        state.out.append("them" if known else who)
        state.grouped = state.named = True
        return 1
    plural = known or not state.group
    who = "they" if known else who
    state.grouped = state.named = True
    if word != "we":
        full = {"re": "are" if plural else "is", "ve": "have" if plural else "has", "ll": "will"}.get(
            word.split("'")[1]
        )
        if full is None:
            return None
        state.out.append(f"{who} {full}")
        return 1
    if plural:
        state.out.append(who)
        return 1
    nxt = at + 1
    while nxt < len(tokens) and (tokens[nxt].isspace() or _is_adverb(lower[nxt])):
        nxt += 1
    verb = (
        agree({"are": "am", "were": "was"}.get(lower[nxt], lower[nxt]), plural=False, past=state.past)
        if nxt < len(tokens)
        else None
    )
    if verb is None:
        return None
    state.present = verb not in ("is", "was", "has") and verb != lower[nxt]
    state.out.append(who)
    state.out.extend(tokens[at + 1 : nxt])
    state.out.append(verb)
    return nxt + 1 - at


def _possessive(state: _State) -> str:
    if (state.subject or state.named) and state.clear_they:
        return "their"
    return (
        f"{state.name}'"
        if state.name.endswith("s") and len(state.name) > 3 and " " not in state.name
        else f"{state.name}'s"
    )


def _subject(state: _State, tokens: list[str], lower: list[str], at: int) -> int | None:
    word = lower[at]
    again = _again(state, lower, at)
    plural = again == "they"
    who = state.name if again == "name" else again
    if _coordinated(lower, at):
        who, plural = state.name, True
    state.subject = True
    state.named = True
    state.last = at
    if again == "" and not plural:
        while state.out and state.out[-1].isspace():
            state.out.pop()
    if word != "i":
        return _contracted(state, tokens, lower, at, who, plural)
    nxt = at + 1
    between: list[str] = []
    while nxt < len(tokens) and (tokens[nxt].isspace() or _is_adverb(lower[nxt])):
        between.append(tokens[nxt])
        nxt += 1
    if nxt >= len(tokens) or not tokens[nxt][0].isalpha():
        state.out.append(who or state.name)
        state.out.extend(between)
        return nxt - at if nxt >= len(tokens) or tokens[nxt] in ".,!?;)" else None
    verb = agree(lower[nxt], plural=plural, past=state.past)
    if verb is None:
        return None
    if (
        lower[at - 2 : at - 1]
        and at >= 2
        and lower[at - 2] in ("do", "did", "am", "was", "have", "had", "should", "can", "could", "will", "would")
    ):
        return None  # a question's word order
    state.present = verb != lower[nxt] and verb not in ("is", "was", "has", "are") and not plural
    state.out.append(who)
    state.out.extend(between)
    state.out.append(verb)
    return nxt + 1 - at


def _again(state: _State, lower: list[str], at: int) -> str:
    """What a further "I" becomes: nothing after "and"/"but" (one subject, two verbs), "they" in a subordinate clause,
    else the name."""
    if not state.subject:
        return "name"
    between = [t for t in lower[state.last + 1 : at] if not t.isspace()]
    last = between[-1] if between else ""
    joined = last in ("and", "but")
    if joined and not any(t in _OTHER_SUBJECTS for t in between):
        return ""
    if joined or last in ("so", "then", "plus", "or", "yet", "") or not last[-1].isalnum() or not state.clear_they:
        return "name"
    return "they"


def _coordinated(lower: list[str], at: int) -> bool:
    """ "my brother and I": one subject of two, so the verb stays plural."""
    before = [t for t in lower[max(0, at - 14) : at] if not t.isspace()]
    if not before or before[-1] != "and":
        return False
    words = before[:-1]
    if 0 < len(words) <= 3 and (words[0] in ("my", "the") or len(words) == 1):
        return True
    if not words or not words[-1].isalpha():
        return False
    return words[-2:-1] in (["my"], ["our"]) or (words[-3:-2] in (["my"], ["our"]) and words[-2].isalpha())


def _is_adverb(word: str) -> bool:
    return word in _ADVERBS or (
        word.endswith("ly")
        and len(word) > 4
        and word not in ("apply", "reply", "rely", "supply", "comply", "imply", "multiply")
    )


def _contracted(state: _State, tokens: list[str], lower: list[str], at: int, who: str, plural: bool) -> int | None:
    end = lower[at].split("'")[1]
    if end == "d":
        nxt = next((i for i in range(at + 1, len(tokens)) if tokens[i][0].isalpha() and not _is_adverb(lower[i])), None)
        if nxt is None:
            return None
        full = "had" if lower[nxt] == "better" or is_participle(lower[nxt]) else "would"
    else:
        full = {"m": "are" if plural else "is", "ve": "have" if plural else "has", "ll": "will"}[end]
    state.out.append(f"{who} {full}")
    return 1


def _addressed(state: _State, tokens: list[str], lower: list[str], at: int) -> int | None:
    word, other = lower[at], state.other or ""
    if not other:
        state.out.append(tokens[at])
        return 1
    if word in ("your", "yours"):
        state.out.append(f"{other}'s")
        return 1
    if "'" in word:
        end = {"re": "is", "ve": "has", "ll": "will"}.get(word.split("'")[1])
        if end is None:
            return None
        state.out.append(f"{other} {end}")
        return 1
    before = next((t for t in reversed(lower[:at]) if not t.isspace()), "")
    nxt = next((i for i in range(at + 1, len(tokens)) if not tokens[i].isspace()), None)
    state.out.append(other)
    if (
        nxt is None
        or before in _PREPOSITIONS
        or (before in _HELPED and before not in ("that", "and", "if", "when"))
        or not tokens[nxt][0].isalpha()
    ):
        return 1
    if lower[nxt] in ("are", "aren't"):
        state.out.append(" is" if lower[nxt] == "are" else " isn't")
        return nxt + 1 - at
    verb = agree(lower[nxt], plural=False, past=state.past)
    if verb is None or verb == lower[nxt]:
        return 1
    state.out.append(" " + verb)
    return nxt + 1 - at


def _second_verb(state: _State, tokens: list[str], lower: list[str], at: int) -> int:
    """ "I cook and eat" → the second verb of the same subject agrees as well."""
    state.out.append(tokens[at])
    nxt = at + 1
    while nxt < len(tokens) and (tokens[nxt].isspace() or _is_adverb(lower[nxt])):
        nxt += 1
    after = next((t for t in lower[nxt + 1 :] if not t.isspace()), "")
    if nxt < len(tokens) and (lower[nxt] in _AND_VERBS or (after in _OBJECTS and verb_forms(lower[nxt]) is not None)):
        state.out.extend(tokens[at + 1 : nxt])
        state.out.append(agree(lower[nxt], plural=False, past=False) or tokens[nxt])
        return nxt + 1 - at
    return 1


def dated_past(sentence: str, name: str) -> str:
    """ "Nadia has moved … on 2026-06-09" → "Nadia moved …": with a definite date English wants the simple past."""
    pattern = rf"\b{re.escape(name)} has (?P<adverb>(?:just|also|finally|already) )?(?P<verb>\w+)\b"

    def simple(m: re.Match[str]) -> str:
        past = past_of(m["verb"]) if m["verb"] != "been" and is_participle(m["verb"]) else None
        return f"{name} {(m['adverb'] or '').replace('just ', '')}{past}" if past else m[0]

    return re.sub(pattern, simple, sentence)
