"""How a sentence is meant: denied, asked, only possible, only planned, confirmed, in the first person. Word lists by language."""

# ruff: noqa: E501 — lists of words and patterns, one language a line
from __future__ import annotations

import re

_SENTENCE = re.compile(r"[^.!?…。！？\n]*(?:[.!?…](?=\w)[^.!?…。！？\n]*)*[.!?…。！？]*[\"'”»」)]*\s*|\n")
_CLAUSE = re.compile(
    r"[;:,—–()，、；：]|\s-\s|\b(?:but|however|mais|aber|sondern|pero|sino|но|але|while|whereas)\b|但是?|不过|けど|しかし"
)

_NOT = re.compile(
    r"\b(?:not|never|no longer|no more|without|neither|nor|cannot|nobody|nothing|none)\b|n['’]t\b|^\s*no\s+\w|\bno (?=[a-z])"
    r"|\bn['’e]\s?\w+[^.]{0,40}?\b(?:pas|plus|jamais|rien)\b|\b(?:pas|jamais|sans)\b"
    r"|\b(?:nicht|nie|niemals|kein\w*|ohne)\b|\b(?:no|nunca|jamás|sin)\b(?=\s+[a-zé])"
    r"|\b(?:не|ни|никогда|нет|без|ні|ніколи|немає)\b|不|没|沒|别|未|無い|ない|ません|なかった|ずに",
    re.I,
)
_INTERJECTION = re.compile(r"^\s*(?:no|nope|nah|non|nein|nee|нет|ні|不是?|いいえ|いや)\s*[,.!，。、—-]\s*", re.I)
_POSSIBLE = re.compile(
    r"\b(?:might|maybe|perhaps|possibly|probably|could|not sure|thinking (?:of|about)|considering|wonder\w*|unless|whether)\b|(?-i:\bmay\b)(?!\s+\d)"
    r"|\bif (?:i|we|he|she|they|it)\b|\bpeut-être\b|\bpourrai\w*|\bvielleicht\b|\bkönnte\w*|\bquizás?\b|\btal vez\b|\bподум\w+|\bможет быть\b"
    r"|\bвозможно\b|\bможливо\b|可能|也许|或许|かもしれ|たぶん",
    re.I,
)
_PLANNED = re.compile(
    r"\b(?:will|going to|gonna|plan(?:s|ned|ning)?|intend\w*|hop(?:e|es|ing)|want(?:s|ed)? to|would (?:like|love)|about to|scheduled|upcoming|next)\b|['’]ll\b"
    r"|\b(?:vais|va|allons|vont|compte|prévo\w+|prévu\w*)\b|\b(?:werde\w*|wird|plan\w+|vor(?:habe|hat))\b|\b(?:voy|va|vamos|van) a\b"
    r"|\b(?:буд\w+|собира\w+|планиру\w+|план\w+|збира\w+)\b|打算|计划|计劃|准备|将|要去|つもり|予定|するよ",
    re.I,
)  # fmt: skip
_REQUEST = re.compile(
    r"(?:\s*[,;:–—-]+\s*|\s+)(?:(?:and|but|so|or|also)\s+)*(?:I(?:['’]m| am| was|['’]d| would)?\s(?:just |also )*(?:wondering|curious|like to (?:ask|know)|wanted to (?:ask|know)|(?:have|had) a question|was thinking,)\b|I wonder\b).*$"
    r"|\s*(?:[,;:–—]|\s-)\s*(?:(?:and|but|so|or|also)\s+)*(?:can|could|would|will|do|does|did|have|has|is|are|should|what|which|how|where|when|who|why|any)\b[^?？]*[?？]\W*$"
    r"|\s+(?:and|but|so)\s+(?:(?:can|could|would|will|do)\s+you|(?:what|which|how|where)\s)[^?？]*[?？]\W*$"
    r"|\s*,\s*(?:et\s+|und\s+|y\s+)?(?:peux-tu|pouvez-vous|pourrais-tu|pourriez-vous|tu (?:peux|pourrais|connais|as)|vous (?:pouvez|avez)|est-ce que|as-tu|connais-tu|quels?|quelles?|que me|kannst du|könnten? sie|hast du|was|welche\w*|puedes|podrías|qué|cuáles?|можеш\w*|можешь|можете|чи|що|какие|какой|что)\b[^?？]*[?？]\W*$"
    r"|(?<=[\u3040-\u9fff])(?:が|けど|けれど)、[^、。]*(?:か|ください|教えて|お願いします)[。？?]*$|，(?:你|请|能|可以|有没有|有什么|帮我|怎么)[^，。]*[？?]$",
    re.I,
)
_FIRST = re.compile(
    r"\b(?:I|I['’]\w+|[Mm]y|[Mm]e|[Mm]ine|[Mm]yself|[Ww]e|[Oo]ur|[Uu]s)\b|\b(?:[Jj]e|[Jj]['’]\w+|[Mm]on|[Mm]a|[Mm]es|[Mm]oi|[Nn]ous|[Nn]otre)\b"
    r"|\b(?:[Ii]ch|[Mm]ein\w*|[Mm]ir|[Mm]ich|[Ww]ir|[Uu]nser\w*)\b|\b(?:[Yy]o|[Mm]is?|[Nn]osotros|[Nn]uestr\w+)\b"
    r"|\b(?:[Яя]|[Мм]не|[Мм]еня|[Мм]о[йяеи]\w*|[Мм]ы|[Нн]ам|[Нн]аш\w*|[Мм]ені|[Мм]ене|[Мм]о[їє]\w*|[Мм]и)\b|我|咱|私|僕|俺|わたし|ぼく"
)  # fmt: skip
_THIRD = re.compile(
    r"\b(?:he|she|his|her|him|elle|él|ella|он|она|его|её|ему|ей|він|вона|його|її|йому|їй)\b|他|她|彼", re.I
)
_SECOND = re.compile(
    r"\b(?:you|your|yours|you['’]\w+|tu|toi|ton|ta|tes|vous|votre|vos|du|dich|dir|dein\w*|ihr|euch|usted|tú|tus?|ты|тебя|тебе|твой|твоя|вы|вас|вам|ваш\w*|ти|твій|ви|ваш\w*)\b|你|您|あなた|君",
    re.I,
)  # fmt: skip
_RIGHT = re.compile(
    r"\b(?:list|that|this|it|method|steps?|plan|order|summary)(?:['’]s| is| are| looks?) (?:all )?(?:right|correct|good|perfect|fine)\b",
    re.I,
)
_YES = re.compile(
    r"^\W*(?:yes|yep|yeah|yup|ok(?:ay)?|sure|right|exactly|correct|agreed|perfect|great|good|fine|sounds good|go ahead|do (?:it|that)|let['’]s|please do|works for me"
    r"|oui|d['’]accord|exact\w*|parfait|ja|genau|stimmt|gut|sí|claro|vale|да|хорошо|верно|точно|так|добре|згод\w+|好的?|对|是的?|可以|行|はい|うん|そう|いいね|お願い)",
    re.I,
)


def sentences(text: str) -> list[str]:
    """Rough sentences of any script, cut at marks and line ends; fine enough for comparing."""
    return [part.strip() for part in _SENTENCE.findall(text) if part.strip()]


def clauses(sentence: str) -> list[str]:
    """A sentence cut at commas, dashes and words of contrast."""
    return [part for part in _CLAUSE.split(sentence) if part.strip()]


def denied(text: str) -> bool:
    """Whether it says that something is not so; an opening "No," is an answer, not a denial of what follows."""
    return _NOT.search(_INTERJECTION.sub("", text)) is not None


def asked(sentence: str) -> bool:
    return re.search(r"[?？]|か。?$|吗。?$", sentence.rstrip(" \"'”»」)")) is not None


def told(sentence: str) -> str:
    """What a sentence tells before it turns to a request: "I'm off to Rome, can you help?" → "I'm off to Rome"."""
    return _REQUEST.sub("", sentence)


def possible(text: str) -> bool:
    return _POSSIBLE.search(text) is not None


def planned(text: str) -> bool:
    return _PLANNED.search(text) is not None


def first_person(text: str) -> bool:
    return _FIRST.search(text) is not None


def opens_in_first_person(sentence: str) -> bool:
    """Whether "I", "my", "we" stand among its first three words."""
    return first_person(" ".join(sentence.split()[:3]))


def third_person(text: str) -> bool:
    return _THIRD.search(text) is not None


def second_person(text: str) -> bool:
    return _SECOND.search(text) is not None


def confirmed(text: str) -> bool:
    """A turn that agrees with the one before it."""
    return _YES.search(text) is not None or _RIGHT.search(text) is not None
