"""Whether a later statement gives anew what an earlier one gave: another value of the same matter, in any language here.

    >>> old = Matter.of("The spare key is with Imogen Strand, next door.")
    >>> new = Matter.of("The spare key went from Imogen Strand to Zadie Osei.", said="The key went to Zadie Osei now.")
    >>> new.renews(old)
    True

Three ways, each of which needs words in common beside the values: the later statement names the earlier value as a
former one and gives another of its kind; it says that something changed and gives another value of the same kind of
nearly the same matter; or it says so of a preference. What is in doubt is no renewal: both statements stand, with days.
"""

# ruff: noqa: E501 — one language a line
from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from brain.rules.values import Value, bare, values
from brain.rules.wording import STOP, alike, stem
from brain.text import words

CHANGE = re.compile(
    r"\b(?:now|instead|any ?more|any longer|no longer|moved?|moves|slipped|slips|pushed|postponed|rescheduled|changed?|switched|replaced|replaces|takes? over|took over|steps in|these days|used to|scrap|correction|latest|final(?:ly)?|"
    r"again|after all|make (?:that|it)|gave up|no more|went (?:from|up|down)|will be called|is called|becomes?|became|new(?! (?:question|topic|subject|task|thing))|another|last (?:extension|time)|settled|from (?:now|here|today|tomorrow|next|this|the week|january|february|march|april|may|june|july|august|september|october|november|december)\b[\w ]{0,8}|"
    r"since (?:the|this|last)|not [\w ]{1,20} but|instead of|talked (?:us|them|me) into|come round|tightened|raised|lowered|cut to|up to|down to|rather than|on leave|lately|by now|meanwhile|already)\b"
    r"|\b(?:désormais|maintenant|dorénavant|à partir d|finalement|décalé\w*|reporté\w*|déplacé\w*|avancé\w*|remplac\w+|plutôt|au lieu de|on passe|passe à|devient|dernière|nouveau|nouvelle(?! question)|nouvel|ne \w+ plus|point final|changé|basculé|non plus)\b|n['’]\w+ plus"
    r"|\b(?:jetzt|nun|nicht mehr|sondern|ab (?:jetzt|sofort|heute|morgen)|künftig|inzwischen|statt|stattdessen|verschoben|rutscht|wechselt|übernimmt|springt|neu|neue[rsnm]?(?! (?:thema|frage|aufgabe))|geändert|umgestellt|beschlossen|endgültig|mittlerweile|seit (?:heute|neuestem)|doch)\b"
    r"|\b(?:ahora|ya no|desde (?:hoy|ahora|el|la)|a partir de|en vez de|en lugar de|cambi\w+|definitiv\w+|nuev[oa](?! (?:tema|pregunta))|pasado a|pasamos|otro cambio|últimamente|finalmente|al final|dejado|aplaz\w+|retras\w+|en adelante)\b"
    r"|\bне [^,.;]{1,24}, а\b|\b(?:тепер|відтепер|віднині|вже не|більше не|замість|змін\w+|перенес\w*|нов\w{1,3}|стало|останнім часом|передума\w+|віддали|зрештою|остаточн\w+|нарешті|знову|перейш\w+)\b"
    r"|\b(?:теперь|отныне|уже не|больше не|вместо|измен\w+|перенес\w*|перенёс\w*|новы?\w{1,3}|стало|в последнее время|передума\w+|окончательн\w+|наконец|снова|переш\w+)\b"
    r"|现在|如今|改成|改为|改到|换成|不再|从现在|以后|最终|推迟|提前|新的|今は|今後|これから|からは|に変更|になりました|になります|に改め|結局|最近|もう|代わ|やめて|変わ|最後は|決着|新しい",
    re.I,
)
"""Words that something is otherwise than before."""

ONWARD = re.compile(
    r"\b(?:from (?:now|here|today) on|from (?:now|here)\b|change (?:for|of|to)|correction (?:for|on|of)|scrap (?:what|that)|no longer|not [\w ]{1,20} any ?more|^make (?:that|it)|(?:would|['’]d)(?: now)? (?:like|want|prefer))\b"
    r"|\b(?:désormais|dorénavant|à partir d|basculé)\b|\b(?:ab (?:jetzt|sofort|heute)|künftig|nicht mehr)\b"
    r"|\b(?:desde hoy|en adelante|a partir de|ya no)\b|\b(?:відтепер|віднині|передума\w+|вже не)\b|\b(?:отныне|передума\w+|уже не)\b"
    r"|从现在|以后|改成|今後|これから|からは",
    re.I,
)
"""Words that a wish is another from here on."""

_NOW = re.compile(
    r"\b(?:now|these days|lately|instead|maintenant|jetzt|inzwischen|stattdessen|ahora|últimamente|тепер|останнім часом|теперь)\b|现在|最近|今は",
    re.I,
)
_BRIEF = 9
"""Words of a statement up to which a mere "now" says the same."""

_LIKING = re.compile(
    r"\b(?:lov(?:e|es|ed|ing)|lik(?:es|ed|ing)|enjoy\w*|ador\w+|passion\w*|favou?rite|fan of|fun|aime|adore|liebt|mag|gern|encanta|gusta|любл\w+|обожн\w+|喜欢|好き)\b",
    re.I,
)


_THIN = frozenset(
    """please make sure way thing things like need want keep use used using get got give given put set let still day days time date
    please first next last так ось going good new old change changed correction latest final note just really even back round moved move read work
    bitte gern immer merci toujours por favor siempre будь ласка""".split()  # noqa: SIM905
)
_ELIDED = re.compile(r"^(?:[dlcnsmtj]|qu)['’]")
_NAMING = frozenset({"name", "code"})
ROOT = 6
"""Letters that words of one root have in common, beside those that `alike` knows."""

_QUOTED = re.compile(r"[«“„\"]([^»”“\"]{2,40})[»”“\"]")
_KANA = re.compile(r"[ぁ-ゟ]+")
_CJK = re.compile(r"[぀-ヿ㐀-鿿]")
HALF = 0.5
"""The share of the words around the earlier value that the later statement has, from which both are of one matter."""

_CLAUSE = (",", ";", ":", "—", "、", "，", "；", "：")


@dataclass(frozen=True, slots=True, kw_only=True)
class Matter:
    """A statement as what may be renewed: its values, the stems of its other words, those of them that are names.

    `changes` and `onward`: its turn says that something is otherwise now, or from here on.
    """

    text: str
    values: tuple[Value, ...]
    stems: frozenset[str]
    names: frozenset[str]
    speakers: frozenset[str] = frozenset()
    day: str = ""
    changes: bool = False
    onward: bool = False

    @classmethod
    def of(cls, text: str, *, day: str = "", said: str = "", but: Iterable[str] = ()) -> Matter:
        """Of a statement told on a day (ISO); `said` is the turn's sentence behind it, `but` names of those who speak."""
        own = {word for name in but for word in words(name)}
        every = values(text)
        known = [set(words(name)) for name in but]
        found = tuple(one for one in every if not _is_of(set(one.form.split()), known, own))
        rest = bare(text, [one for one in every if one.kind != "word"])
        stems = frozenset(_stems(CHANGE.sub(" ", rest), own))
        names = {stem(one.form) for one in found if one.kind == "word" and not _CJK.search(one.form)}
        names |= {stem(word) for match in _QUOTED.finditer(rest) for word in words(match[1])}
        return cls(
            text=text,
            values=found,
            stems=stems,
            names=frozenset(names & stems),
            speakers=frozenset(own),
            day=day,
            changes=bool(said and CHANGE.search(said)),
            onward=bool(said and (ONWARD.search(said) or (len(words(text)) <= _BRIEF and _NOW.search(said)))),
        )

    def renews(self, old: Matter, *, wish: bool = False) -> bool:
        """Whether this, said later, takes the place of `old`; `wish`: both say how somebody wants things."""
        shared = frozenset(a for a in self.stems if any(_akin(a, b) for b in old.stems))
        both = {one.form for one in self.values if one.kind in _NAMING and not one.old and _among(one, old.values)}
        return (
            self._names_as_former(old, bool(shared or both))
            or self._gives_another(old, both)
            or (wish and self._wishes(old, shared))
        )

    def _names_as_former(self, old: Matter, shared: bool) -> bool:
        """ "From 3 June to 9 June": the earlier value is in it, as a former one, beside another of its kind."""
        for mine in self.values:
            if not mine.old or not _among(mine, old.values):
                continue
            fresh = [
                one for one in self.values if one.kind == mine.kind and not one.old and not _among(one, old.values)
            ]
            if fresh and (shared if mine.kind != "word" else self.changes and mine.form not in self._subjects(old)):
                return True
        return False

    def _subjects(self, old: Matter) -> frozenset[str]:
        """Words with a capital that open a statement are what it is about, not what it says of that."""
        first = next(iter(words(old.text)), "")
        return frozenset({first})

    def _gives_another(self, old: Matter, both: AbstractSet[str]) -> bool:
        """Another value of the same kind, of the same matter, in a turn that says that something changed."""
        if not self.changes:
            return False
        for kind in {one.kind for one in self.values if not one.old and one.kind != "word"}:
            new = [one for one in self.values if one.kind == kind and one.form not in both]
            was = [one for one in old.values if one.kind == kind and one.form not in both]
            if len(new) != 1 or new[0].old or not was or _among(new[0], was) or self._is_of_another(old, kind):
                continue
            mine, theirs = self._around(new[0]), old._around(was[-1])
            shared = {a for a in self.stems if any(_akin(a, b) for b in old.stems)}
            common, size = len(shared) + len(both), len(theirs) + len(both)
            if not (_within(mine, old.stems) or _within(old.stems, self.stems)) or common < HALF * size:
                continue
            equal = _within(mine, theirs) and _within(theirs, mine)
            named = bool(both) or any(_akin(a, b) for a in self.names for b in old.names)
            if kind in ("weekday", "time", "code"):
                enough = common > 1 or named or equal or len(theirs) - len(shared) == 1
            elif kind == "name":
                enough = common > 1 and (named or not _CJK.search(self.text))
            else:
                past = any(_is_past(one, told.day) for told in (self, old) for one in told.values if kind == "day")
                enough = not past and (common > 1 or equal)
            if enough:
                return True
        return False

    def _around(self, value: Value) -> frozenset[str]:
        """Stems of the clause in which a value stands, or of all when it has no others."""
        rest = bare(self.text, [one for one in self.values if one.kind != "word"])
        start = max(rest.rfind(mark, 0, value.start) for mark in _CLAUSE) + 1
        ends = [at for mark in _CLAUSE if (at := rest.find(mark, value.end)) >= 0]
        part = rest[start : min(ends, default=len(rest))]
        return frozenset(_stems(CHANGE.sub(" ", part), self.speakers)) & self.stems or self.stems

    def _is_of_another(self, old: Matter, kind: str) -> bool:
        """Whether `old` names somebody or something, or gives a value, beside the one in question, that this does not."""
        for other in {one.kind for one in self.values} & {one.kind for one in old.values} - {kind, "word"}:
            if not any(one.kind == other and _among(one, old.values) for one in self.values):
                return True
        naming = [one for one in old.values if one.kind in _NAMING and one.kind != kind]
        theirs = {stem(word) for one in naming for word in words(one.form)} | old.names
        mine = self.stems | {stem(word) for one in self.values for word in words(one.form)}
        return bool(theirs) and not any(_akin(a, b) for a in theirs for b in mine)

    def _wishes(self, old: Matter, shared: frozenset[str]) -> bool:
        """Another wish for the same: both give values of the same kinds or none, and what they are about is one."""
        if not self.onward or not shared or _LIKING.search(old.text) or _LIKING.search(self.text):
            return False
        mine = {one.kind for one in self.values if one.kind != "word" and not one.old}
        others = {one.kind for one in old.values if one.kind != "word"}
        same = any(
            one.meets(other) for one in self.values for other in old.values if one.kind != "word" and not one.old
        )
        return (
            mine == others
            and not same
            and len(mine) < 2
            and not self._is_of_another(old, next(iter(mine - {"name"}), ""))
        )


def _is_past(one: Value, told: str) -> bool:
    """Whether a day was over when it was told: then something happened on it, and nothing can move it."""
    return one.kind == "day" and len(one.form) > len("01-01") and bool(told) and one.form <= told


def _stems(text: str, but: AbstractSet[str]) -> Iterator[str]:
    """Stems of the words that say what a text is about; elided articles and all-kana words aside."""
    for word in words(text):
        bare_word = _ELIDED.sub("", word)
        root = stem(bare_word)
        thin = bare_word in STOP or bare_word in _THIN or root in _THIN or bool({word, bare_word, root} & but)
        if not thin and (len(bare_word) > 2 or _CJK.search(word)) and not word.isdigit() and not _KANA.fullmatch(word):
            yield root


def _akin(a: str, b: str) -> bool:
    """Whether two stems are forms of one word, "comparison" and "compare" among them."""
    return alike(a, b) or (len(a) >= ROOT and a[:ROOT] == b[:ROOT])


def _within(some: AbstractSet[str], others: AbstractSet[str]) -> bool:
    return bool(some) and all(any(_akin(a, b) for b in others) for a in some)


def _among(one: Value, others: Iterable[Value]) -> bool:
    return any(one.meets(other) for other in others)


def _is_of(form: AbstractSet[str], people: Iterable[AbstractSet[str]], own: AbstractSet[str]) -> bool:
    """Whether a value is the name of one of those who speak, with a word before it or in part."""
    return form <= own or any(person <= form for person in people)
