"""English words of a user to an assistant that are about the talk itself: complaints, reactions, fragments, back references."""

# ruff: noqa: E501 — patterns, one thing a line
from __future__ import annotations

import re


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{p})" for p in patterns), re.IGNORECASE)


REFUSAL = _any(
    r"^(?:and |so )?no (?:more |further )?[\w'’\" -]{2,40}, (?:and )?no\b", r"^(?:so |and )?no (?:more|further|need)\b",
    r"^(?:no,? )?(?:just|simply) (?:tell|give|list|show|do|combine|make|put|write)\b",
)  # fmt: skip
"""Impatience with the assistant; it corrects nothing."""

COMPLAINT = _any(
    r"\b(?:I|we)(?:'ve| have)? (?:already |just |distinctly |clearly |literally |specifically )*(?:told|gave|given|asked|explained to|provided|showed) you\b",
    r"\b(?:I|we)(?:'ve| have)? (?:\w+ )?already (?:\w+ )?(?:talked|discussed|decided|agreed|went|covered|confirmed|settled|did|established|clarified|said|gave|answered|chose|shared)\b.{0,30}\b(?:this|that|it|these|those|you)\b",
    r"\b(?:repeat(?:ing)? myself|back and forth|long talk|half-finished|waste of (?:my )?time|wasting (?:my )?time|conversation history)\b",
    r"\b(?:distinctly|clearly|specifically) remember\b", r"^stop\b",
    r"\byou(?:'re| are)? (?:just |keep |kept |already |only |still |also )*(?:promised|admitted|telling me|asking me|told me|said|mentioned|were supposed|had|did|confirmed|suggested|asked|listed|flagged|helped)\b",
    r"\bthis is(?:n't| not)? (?:a |really |seriously |just |still |absolutely )*(?:serious|solution|unacceptable|ridiculous|frustrating|useless|nonsense|exhausting|enough|wahala|not how)\b",
    r"\bI(?:'m| am) (?:still |just |now )?(?:waiting|sitting here|stuck with|left with|stuck here)\b",
    r"\bexpect(?:ing)? (?:you|the (?:ai|assistant|system))\b", r"\b(?:the|this) (?:next|first|last) (?:step|part|section|task|one)\b.{0,20}\b(?:you|now)\b",
)  # fmt: skip
"""What the assistant did or failed to do: the state of this talk, not of the user's life."""

REACTION = _any(
    r"\b(?:sounds?|looks?|seems?) (?:(?:so|really|very|pretty|absolutely|super|quite|like|like a|just|more|a|an|incredibly) ){0,3}(?:good|great|perfect|interesting|useful|amazing|awesome|right|solid|promising|appealing|helpful|doable|manageable|reasonable|fun|delicious|nice|clear|lovely|fantastic|incredible|unique|game-changer|plan|complicated|easy|fair|wonderful|cool|exciting|relaxing|beautiful|fascinating|intriguing|logical|on point|sharp)\b",
    r"\b(?:is|are|was|were|'s) (?:(?:absolutely|really|seriously|definitely|exactly|precisely|just|also) ){0,2}(?:what I(?:'m| am| was| need|'ve)|what we|the kind of|on point|spot on|the force multiplier|a game-changer|super helpful|so helpful|very helpful|really helpful|helpful|a great (?:idea|point|way|start|tip|suggestion)|smart|clever|brilliant)\b",
    r"\b(?:exactly|precisely|just) (?:what|how) (?:I|we) (?:need|want|was|were|am|had|'m)\w*\b",
    r"\b(?:nails?|nailed) (?:it|the|this|that)\b|\bmakes? (?:\w+ )?(?:\w+ )?sense\b|\bgood (?:recap|catch|call|point|job|stuff)\b|\bgame-changer\b|\bpoint taken\b|\bthat helps\b|\bspot on\b",
    r"\b(?:I|we) (?:really |just |do |also )*(?:like|love|appreciate) (?:how|that|the way|it|your|all (?:the|your|of)|these|those|this|the (?:tips|suggestions?|advice|ideas?|sound|look))\b",
)  # fmt: skip
"""A word about the answer just given."""

FRAGMENT = _any(
    r"^(?:like (?!to\b)|or\b|especially\b|which\b|such as\b|whereas\b|in theory\b|regarding\b|using\b|for example\b|the fact that\b|something that\b|examples? of\b|because\b|unless\b)",
    r"^(?:\w+ ){0,3}(?:for|from|by|about|on|of|and|or|with|to|the|a|an)[.!]?$",
)  # fmt: skip
"""Half a sentence, or a piece of a list."""

OPEN_QUESTION = re.compile(
    r"^(?:(?:and|or|so|but|also)\s)*(?:(?:how|what|why|which|who|where)\s(?!I (?:like|need|want|do|love|did)\b|(?:a|an) )|(?:is|are|does|do|did|can|could|should|would)\s(?:I|you|we|they|it|there|the|this|that|these|an?|any|he|she)\b)",
    re.IGNORECASE,
)
"""A question even without its mark."""

CLEFT = re.compile(
    r"^what (?!you\b|is\b|are\b|was\b|were\b)(?:[\w'’-]+ ){1,9}(?:is|was|were) [^?]+[.!]$|^how (?:I|we) [^?:]{3,60}: [^?]+$",
    re.IGNORECASE,
)
"""Tells in the shape of a question: "What solved the late trains was a second signal."."""

SPEC = re.compile(
    r"^(?:(?:please|now|ok|okay|also|and|first|next|so|hey|hi|can you|could you|help me(?: to)?|i want you to|i need you to|you are|act as)[,!]?\s+)*(?:write|create|generate|rewrite|summari[sz]e|translate|draft|act|imagine|pretend|continue|paraphrase|expand|elaborate|answer|compose|describe|explain|analy[sz]e|classify|convert|implement|extract|correct|proofread|edit|review|revise|improve|shorten|make|build|design|develop|give|provide|list)\b",
    re.IGNORECASE,
)
"""A task whose details follow it in the same turn."""

GIVEN_TEXT = re.compile(
    r"\b(?:following|below|(?<!to the )above|given)\b[^.?!:\n]{0,60}[:：]|\b(?:text|paragraph|essay|email|reply|letter|article|abstract|passage|code|job offer|job description|description|story|script|prompt|transcript|query|table|draft|chapter|scene|notes|response|bio|tweet|post)s?\s*[:：]\s*(?:$|[\"“«])"
    r"|\b(?:suivant|ci-dessous|folgend\w+|siguiente)\b[^.?!:\n]{0,60}[:：]|(?:以下|下面|次)の?[^。！？\n]{0,20}[:：]",
    re.IGNORECASE,
)
"""What follows is a text the user hands over."""


def penalty(sentence: str, *, first: bool) -> float:
    """How much less a sentence to an assistant weighs for being about the talk."""
    weight = 0.0
    if COMPLAINT.search(sentence):
        weight += 0.3
    if REACTION.search(sentence):
        weight += 0.16 if first else 0.3
    if FRAGMENT.search(sentence):
        weight += 0.16
    return weight
