"""What a sentence commits itself to: its words, numbers, names, quotes and codes, in a form that can be compared."""

# ruff: noqa: E501 — lists of words and patterns, one language a line
from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache

from brain.text import normal_name, words
from brain.tree import markdown

_TAIL = re.compile(r"(?:\s*<(?:session|file|connector)://[^>\s]+>)?(?:\s+\^n[0-9a-z]{8})?\s*$")
_BULLET = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+(?:[0-9]{4}-[0-9]{2}-[0-9]{2} · |- · )?")
_LABEL = re.compile(r"^\s*(?:[-*+] |\d+[.)] )?\s*\*\*([^*\n]+)\*\*\s*(?:[—–:-]\s*)?")
_QUOTE = re.compile(r"“([^”\n]+)”|\"([^\"\n]+)\"|«\s*([^»\n]+?)\s*»|„([^“”\n]+)[“”]|「([^」\n]+)」|『([^』\n]+)』")

EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
URL = re.compile(r"\b(?:https?://|www\.)[^\s<>\"'`)\]]+")
PHONE = re.compile(r"(?<![\w.-])\+?[0-9][0-9 ().-]{7,17}[0-9](?![\w-])")
CODE = re.compile(
    r"(?<![\w-])(?=[A-Za-z0-9_-]*[0-9])(?=[A-Za-z0-9_-]*[A-Za-z])[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*(?![\w-])"
)
DATE = re.compile(r"(?<![0-9A-Za-z/-])[0-9]{4}-[0-9]{2}(?:-[0-9]{2})?(?![0-9A-Za-z-])")
_NUMBER = re.compile(
    r"(?<![A-Za-z0-9_.])[0-9]+(?:[.,  '’][0-9]{3})*(?:[.,][0-9]+)?(?=[^\w]|$|[a-zA-Zа-яіїє%€$¥°]|[\u3040-\u9fff])"
)
_NAME = re.compile(r"(?<![\w@#/.])([^\W\d_a-zа-яіїєґёß-öø-ÿ][\w’'-]*)", re.U)

_STOP_WORDS = """
others going gonna wanna gotta hasn't haven't hadn't shouldn't wouldn't i'd he'd she'd we'd they'd you'd we've they've you've we'll they'll you'll he'll
she'll it'll who's what's here's where's
a an the and or but nor so of to in on at by for from with into onto over under about as than that this these those
it its is are was were be been being am do does did doing done have has had having will would shall should can could
may might must i me my mine myself you your yours he him his she her hers they them their theirs we us our ours who
whom whose which what there here then when where how why all any some each both few more most other such own same
too very just also only even still not no nor never don't doesn't didn't isn't aren't wasn't weren't won't can't
couldn't i'm i've i'll i'd he's she's it's we're they're you're that's there's let's said says say told tell asked
ask one ones if because while during before after until since up out off down again once week month year day days
weeks months years ago yesterday today tomorrow last next now currently recently soon evening night morning
afternoon weekend tonight early late around shortly le la les un une des du de et ou mais donc à au aux en dans sur
sous par pour avec sans ce cet cette ces il elle ils elles on nous vous je tu me te se mon ma mes ton ta tes son sa
ses notre votre leur leurs que qui quoi dont où est sont était été être ai as a avons avez ont avait fait ne pas
plus y semaine jour hier demain aujourd'hui der die das den dem des ein eine einen einem einer und oder aber in im
an am auf aus bei mit nach von vom zu zum zur für über ich du er sie es wir ihr mich mir dich dir ihn ihm uns euch
mein meine sein seine ihre unser ist sind war waren bin bist habe hat haben hatte wird werden wurde nicht kein keine
auch nur noch schon gestern heute morgen el los las unos unas del al y o pero con sin por para como su sus mi mis tu
tus yo él ella ellos ellas nosotros lo se le que es son era fue ser estar está he ha han había no sí ya muy más
también ayer hoy mañana и в во на с со к ко у о об от до из за по при под над для не ни но а да же ли бы что как это
этот эта эти тот та те то он она оно они мы вы я ты мой моя мои мне меня его её их нас вас нам вам был была было
были есть быть уже ещё еще вчера сегодня завтра і й та або але що як це цей ця ці той він вона воно вони ми ви ти
мене мені його її їх був була було були є бути вже ще не ні у в на з зі із до від для при про під над за по вчора
сьогодні завтра
"""
STOP = frozenset(_STOP_WORDS.split())
"""Words that carry grammar, person or time, in several languages: they neither support nor refute a claim."""

_LEMMA = {
    form: base
    for base, forms in {
        "go": "went gone goes", "do": "does did done", "buy": "bought", "bring": "brought", "take": "took taken", "get": "got gotten", "make": "made",
        "see": "saw seen", "know": "knew known", "think": "thought", "find": "found", "give": "gave given", "keep": "kept",
        "leave": "left", "meet": "met", "send": "sent", "run": "ran", "write": "wrote written", "read": "read", "speak": "spoke spoken",
        "teach": "taught", "feel": "felt", "lose": "lost", "win": "won", "begin": "began begun", "choose": "chose chosen",
        "come": "came", "become": "became", "grow": "grew grown", "drive": "drove driven", "eat": "ate eaten", "fall": "fell fallen",
        "fly": "flew flown", "forget": "forgot forgotten", "hear": "heard", "hold": "held", "pay": "paid", "ride": "rode ridden",
        "sell": "sold", "sing": "sang sung", "sit": "sat", "sleep": "slept", "spend": "spent", "stand": "stood", "swim": "swam swum",
        "wear": "wore worn", "draw": "drew drawn", "break": "broke broken", "build": "built", "catch": "caught", "fight": "fought",
        "hide": "hid hidden", "lead": "led", "mean": "meant", "ring": "rang rung", "rise": "rose risen", "shake": "shook shaken",
        "show": "shown", "throw": "threw thrown", "understand": "understood", "wake": "woke woken", "child": "children",
        "person": "people", "man": "men", "woman": "women", "foot": "feet", "mouse": "mice",
    }.items()
    for form in forms.split()
}  # fmt: skip

_COUNTS = {
    word: str(value)
    for value, names in enumerate(
        (
            "zero zéro null cero ноль нуль", "one un une uno una ein eine eins один одна одне одно", "two deux dos zwei два две дві couple",
            "three trois tres drei три", "four quatre cuatro vier четыре чотири", "five cinq cinco fünf пять п'ять", "six seis sechs шесть шість",
            "seven sept siete sieben семь сім", "eight huit ocho acht восемь вісім", "nine neuf nueve neun девять дев'ять",
            "ten dix diez zehn десять", "eleven onze once elf одиннадцать одинадцять", "twelve douze doce zwölf двенадцать дванадцять dozen",
            "thirteen", "fourteen", "fifteen quinze", "sixteen", "seventeen", "eighteen", "nineteen", "twenty vingt veinte zwanzig двадцать двадцять",
        )
    )
    for word in names.split()
} | {"thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90", "hundred": "100",
     "thousand": "1000", "half": "0.5", "twice": "2", "first": "1", "second": "2", "third": "3", "fourth": "4", "fifth": "5"}  # fmt: skip
_CJK_COUNTS = {c: str(n) for n, c in enumerate("〇一二三四五六七八九十")} | {"两": "2", "兩": "2"}


def plain(claim: str) -> str:
    """A claim, snippet or table row as prose: no bullet, cites, qualifiers, link targets or ids; its label kept as words."""
    text = _TAIL.sub("", claim)
    text = _LABEL.sub(lambda m: f"{m[1]}: ", text)
    text = _BULLET.sub("", text)
    return markdown.plain(text.replace("**", ""))


def label_of(claim: str) -> str:
    """The bold label that opens a claim, or nothing."""
    match = _LABEL.match(claim)
    return match[1].strip() if match else ""


def quotes(text: str) -> list[str]:
    """Quoted strings, without their marks."""
    return [next(group for group in match.groups() if group is not None) for match in _QUOTE.finditer(text)]


def unquoted(text: str) -> str:
    """The text with every quoted string blanked, same length: what its author says in their own voice."""
    return _QUOTE.sub(lambda m: " " * len(m[0]), text)


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A light stem: enough that `moved`, `moves` and `moving` meet; other scripts are cut by `alike` instead."""
    word = word.strip("'’").removesuffix("'s").removesuffix("’s")
    word = _LEMMA.get(word, word)
    if len(word) > 3 and word.isascii():
        for suffix, put in (
            ("ies", "y"),
            ("ingly", ""),
            ("edly", ""),
            ("ing", ""),
            ("ied", "y"),
            ("ed", ""),
            ("ly", ""),
            ("es", ""),
            ("s", ""),
        ):
            if word.endswith(suffix) and len(word) - len(suffix) + len(put) >= 3 and not word.endswith("ss"):
                word = word[: -len(suffix)] + put
                break
        if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lse":
            word = word[:-1]
        word = word.removesuffix("e")
    return word


def alike(a: str, b: str) -> bool:
    """Whether two stems are forms of one word: equal, or a shared beginning of four letters and 70 % of the longer."""
    if a == b:
        return True
    shared = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        shared += 1
    return shared >= 4 and shared >= 0.7 * max(len(a), len(b))


class Words:
    """The stems of a text, to be asked whether it holds a word in any form."""

    def __init__(self, text: str) -> None:
        self.stems = frozenset(stem(word) for word in words(text))
        self._by_start: dict[str, list[str]] = defaultdict(list)
        for one in self.stems:
            self._by_start[one[:4]].append(one)

    def __contains__(self, word: str) -> bool:
        root = stem(word)
        return root in self.stems or any(alike(root, other) for other in self._by_start.get(root[:4], ()))


def content(text: str, ignore: Iterable[str] = ()) -> list[str]:
    """The words that carry the meaning, in order, case-folded; CJK as overlapping pairs."""
    skip = set(ignore)
    every = (w.removesuffix("'s") for w in words(text))
    return [w for w in every if w not in STOP and w not in skip and (len(w) > 1 or not w.isascii())]


def numbers(text: str) -> list[str]:
    """Numbers in digits, dates left out, in one spelling: `1 200,50` and `1,200.50` are `1200.5`."""
    return [canonical_number(m[0]) for m in _NUMBER.finditer(EMAIL.sub(" ", URL.sub(" ", DATE.sub(" ", text))))]


def canonical_number(raw: str) -> str:
    raw = re.sub(r"[  '’]", "", raw)
    if re.fullmatch(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?", raw):
        raw = raw.replace(",", "")
    elif re.fullmatch(r"[0-9]{1,3}(?:\.[0-9]{3})+(?:,[0-9]+)?", raw):
        raw = raw.replace(".", "").replace(",", ".")
    else:
        raw = raw.replace(",", ".")
    if "." in raw:
        raw = raw.rstrip("0").rstrip(".")
    return raw.lstrip("0") or "0"


def number_of(word: str) -> str | None:
    """The number a word stands for, in digits or spelled out; None for other words."""
    return canonical_number(word) if word.isascii() and word.isdigit() else _COUNTS.get(word)


def spoken_numbers(text: str) -> frozenset[str]:
    """Every number a text mentions, in digits or in words of the languages known here."""
    found = set(numbers(text))
    found.update(canonical_number(part) for part in re.findall(r"[0-9]+", text))
    found.update(_COUNTS[word] for word in words(text) if word in _COUNTS)
    found.update(_CJK_COUNTS[c] for c in text if c in _CJK_COUNTS)
    return frozenset(found)


def codes(text: str) -> list[str]:
    """What must be right to the letter: e-mail addresses, URLs, phone numbers, and words that mix letters and digits."""
    text = DATE.sub(" ", text)
    found = [m[0] for m in EMAIL.finditer(text)]
    text = EMAIL.sub(" ", text)
    found += [m[0].rstrip(".,;:!?") for m in URL.finditer(text)]
    text = URL.sub(" ", text)
    found += [m[0].strip() for m in PHONE.finditer(text) if sum(c.isdigit() for c in m[0]) >= 8]
    text = PHONE.sub(" ", text)
    return found + [m[0] for m in CODE.finditer(text) if len(m[0]) >= 5 and not re.fullmatch(r"[0-9]+[a-z]{1,5}", m[0])]


def names(text: str) -> list[str]:
    """Proper names by their capital: inside a sentence always, at its start only when more speaks for it."""
    return list(_names(text))


_VERB = re.compile(
    r"(?:is|was|has|had|will|would|can|does|did|wants?|says?|said|[\w’']+(?:ed|s)|est|a|aime|hat|ist|es|tiene)$"
)


def _names(text: str) -> Iterator[str]:
    for match in _NAME.finditer(text):
        word = match[1].rstrip("'’-").removesuffix("'s").removesuffix("’s")
        if len(word) < 2 or normal_name(word) in STOP or word in _NOT_NAMES:
            continue
        before = text[: match.start()].rstrip(" \"'“«„(*_[")
        starts = not before or before[-1] in ".!?:;—–\n…。！？：-•·"
        if starts and not any(c.isupper() for c in word[1:]):
            following = text[match.end() :].lstrip().split(" ", 1)[0].rstrip(".,;:")
            if not (following[:1].isupper() and following.lower() not in STOP) and not _VERB.match(following):
                continue
        yield word


_NOT_NAMES_WORDS = """
January February March April May June July August September October November December Monday Tuesday Wednesday
Thursday Friday Saturday Sunday Asked Plans Planned Prefers Wants Uses Likes The This That These Those There It He
She They We You If When After Before Because Since While For As At On In Also Then Both All Some Each Every No Not
Yes New Old
"""
_NOT_NAMES = frozenset(_NOT_NAMES_WORDS.split())
