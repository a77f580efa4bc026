"""What a statement says of a subject that a later statement may replace: (subject, attribute, value).

The same words for the same attribute every time ("lives in", "works at", "works on", "job", "host", "deadline", "number
of …"), or nothing could supersede anything.
"""

# ruff: noqa: E501, SIM905 — patterns, one thing a line
from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """`subject` None means the speaker. An empty value closes the attribute ("left Acme")."""

    name: str
    value: str
    subject: str | None = None


_CAP = r"(?-i:[A-ZÀ-Þ][\w'’&.-]*(?:\s(?:(?:of|the|de|and|&)\s)?[A-ZÀ-Þ0-9][\w'’&.-]*){0,4})"
_END = r"(?=$|[.,;!?:()]|\s(?:and|but|so|because|since|with|for|on|in|at|as|after|before|when|where|which|from|until|by|this|last|next|now|about|shortly|to)\b)"
_NAMED = (
    r"deadline|due date|release date|launch date|start date|end date|host|venue|budget|price|version|owner|lead|maintainer|manager|boss|address|e-?mail|phone number|phone|port|branch|default branch|"
    r"status|target|goal|capital|location|time zone|timezone|schedule|title|name|username|salary|rent|size|colou?r|theme|format|language|database|framework|region|provider|headcount|capacity|password manager|"
    r"birthday|age|major|job|team|slogan|logo|date|time|duration|threshold|limit|timeout|interval|contact|sponsor|supplier|partner|dream|passion|hobby|degree|nickname|middle name|surname|home country|hometown|school|university|college|instrument|car|native language|mother tongue|star sign|blood type|shoe size"
)
_THING = r"(?:(?!full\b|part\b|from\b|until\b|since\b|for\b|in\b|on\b|at\b|with\b|and\b|so\b|but\b|is\b|was\b|to\b|of\b|by\b|the\b|next\b|last\b|now\b)[\w-]+)(?:\s(?!full\b|part\b|from\b|until\b|since\b|for\b|in\b|on\b|at\b|with\b|and\b|so\b|but\b|is\b|was\b|to\b|of\b|by\b|next\b|last\b|now\b|as\b)[\w-]+){0,2}"
_PLACES = r"(?:city|country|countryside|house|apartment|flat|suburbs?|coast|mountains?|office|area|neighbou?rhood|us|uk|usa|next|other|front|back|top|bottom|new|states|gym|beach|park)"
_I = r"\b(?:I|we)(?:'ve| have|'m| am|'re| are|'ll| will)?\s+(?:(?:now|just|finally|also|recently|currently|both|actually)\s+)*"
_ROLE = (
    r"(?:(?!bit\b|big\b|huge\b|fan\b|little\b|lot\b|member\b|firm\b|great\b|good\b)[\w-]+\s){0,3}(?:engineer|developer|designer|researcher|teacher|nurse|doctor|lawyer|manager|director|student|writer|author|artist|musician|photographer|chef|cook|analyst|scientist|consultant|"
    r"accountant|architect|assistant|coordinator|counselor|counsellor|dancer|editor|electrician|entrepreneur|founder|freelancer|journalist|lecturer|librarian|marketer|mechanic|officer|pharmacist|physicist|pilot|plumber|producer|professor|"
    r"programmer|psychologist|recruiter|salesperson|secretary|specialist|streamer|firefighter|dancer|coach|actor|actress|screenwriter|gamer|blogger|vet|baker|banker|barista|carpenter|farmer|model|singer|painter|poet|owner|agent|broker|clerk|driver|guard|instructor|intern|judge|soldier|pastor|planner|stylist|tailor|cyclist|player|composer|director|supervisor|surgeon|technician|therapist|trainer|translator|tutor|veterinarian|volunteer|waiter|waitress|worker|lead|cto|ceo)"
)

_RULES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(source, re.IGNORECASE), name)
    for source, name in (
        (rf"{_I}(?:live|living|based|settled|relocated)\s+(?:in|at|near|to)\s+(?P<v>(?:the\s)?{_CAP})", "lives in"),
        (rf"{_I}moved\s+(?:back\s+)?(?:over\s+)?(?:from\s+{_CAP}\s+)?to\s+(?P<v>{_CAP})(?!\s+(?:project|team|app|department))", "lives in"),
        (rf"{_I}(?:moved|switched|transferred)\s+(?:over\s+)?to\s+(?:the\s+)?(?P<v>{_CAP})\s+(?:project|team|app|department)", "works on"),
        (rf"{_I}(?:work|working|worked)\s+on\s+(?:the\s+)?(?P<v>{_CAP})(?:\s+project)?", "works on"),
        (rf"{_I}(?:work|working)\s+(?:as\s+an?\s+[\w\s-]{{3,30}}?\s+)?(?:at|for|with)\s+(?P<v>(?:the\s)?{_CAP})", "works at"),
        (rf"{_I}(?:joined|started\s+(?:working\s+)?at|started\s+a\s+(?:new\s+)?job\s+at|got\s+(?:a|the)\s+job\s+at)\s+(?P<v>{_CAP})", "works at"),
        (rf"{_I}(?:work|working)\s+as\s+an?\s+(?P<v>{_ROLE})\b", "job"),
        (rf"\bI(?:'m| am)\s+(?:now\s+)?an?\s+(?P<v>{_ROLE})\b", "job"),
        (rf"\bas an? (?:\d\d-year-old )?(?P<v>{_ROLE})(?: at {_CAP})?,", "job"),
        (r"\bI(?:'m| am)\s+(?P<v>\d{1,2})(?:\s+years?\s+old)\b", "age"),
        (r"(?<!\bof )\b(?P<s>my|our)\s+(?P<a>fav(?:ou?rite)\s+[\w-]+(?:\s[\w-]+)?)\s+(?:is|are)\s+(?:now\s+)?(?P<v>[^.,;!?]{2,50})", ""),
        (rf"\bIn\s+(?P<s>{_CAP}),?\s+(?:my|our|the)\s+host\s+is\s+(?P<v>(?:the\s)?{_CAP})", "host"),
        (rf"\b(?P<s>my|our|the)\s+(?:new\s+|current\s+)?(?P<a>{_NAMED})\s+(?:(?P<prep>for|of|in|at)\s+(?P<of>[^.,;!?]{{2,40}}?)\s+)?(?:is|are|was|will be|has been|moved to|changed to|is set to|got moved to|moves to|has moved to|was moved to|slipped to)\s+(?:now\s+|actually\s+|set to\s+|moved to\s+|on\s+|pushed to\s+|changed to\s+)?"
         r"(?!not\b|also\b|very\b|so\b|too\b|really\b|still\b|going\b|that\b)(?P<v>[^.,;!?]{1,60})", ""),
        (rf"(?P<s>{_CAP})\s+is\s+(?:now\s+)?(?:being\s+)?hosted\s+by\s+(?P<v>(?:the\s)?{_CAP})", "host"),
        (rf"(?P<v>{_CAP})\s+(?:is hosting|hosts|will host)\s+(?:us\s+|me\s+|the\s+\w+\s+|{_CAP}\s+and\s+others\s+)?in\s+(?P<s>{_CAP})", "host"),
        (rf"(?P<s>{_CAP})\s+(?:now\s+)?(?:leads|heads|manages|is leading|is heading|is managing)\s+(?:the\s+)?(?P<v>{_THING})", "leads"),
        (rf"(?P<s>{_CAP})\s+(?:now\s+)?(?:builds|develops|designs|maintains|is building|is developing|is responsible for|is in charge of)\s+(?:the\s+)?(?P<v>{_THING})", "works on"),
        (rf"(?P<s>{_CAP})\s+(?:will\s+)?(?:takes?|took|is taking|has taken)\s+over\s+(?:the\s+)?(?P<v>{_THING})", "works on"),
        (rf"(?P<s>{_CAP})\s+(?:has\s+)?(?:moved|switched|moves|goes)\s+(?:over\s+)?(?:to|onto)\s+the\s+(?P<v>(?!{_PLACES}\b){_THING})", "works on"),
        (rf"(?:the\s+|\b)(?P<s>\b{_THING})(?:\s+(?:for|of|to)\s+[^.,;!?]{{2,40}}?)?\s+is\s+due\s+(?:on\s+|by\s+|in\s+)?(?P<v>[^.,;!?]{{3,40}})", "deadline"),
        (rf"(?P<s>{_CAP})\s+(?:now\s+)?(?:works|is working|worked)\s+on\s+(?:the\s+)?(?P<v>{_CAP}|{_THING})", "works on"),
        (rf"(?P<s>{_CAP})\s+(?:has\s+)?(?:moved|switched|transferred)\s+(?:over\s+)?to\s+(?:the\s+)?(?P<v>{_CAP})\s+(?:project|team|app)", "works on"),
        (rf"(?P<s>{_CAP})\s+(?:now\s+)?(?:works|is working)\s+(?:at|for)\s+(?P<v>(?:the\s)?{_CAP})", "works at"),
        (rf"(?P<s>{_CAP})\s+(?:has\s+)?(?:moved|relocated)\s+to\s+(?P<v>{_CAP})", "lives in"),
        (rf"(?P<s>{_CAP})\s+(?:now\s+)?lives\s+in\s+(?P<v>{_CAP})", "lives in"),
        (rf"(?P<s>{_CAP})\s+is\s+(?:now\s+)?(?:the|our|my|an?)\s+(?:new\s+)?(?P<v>{_ROLE})\b", "job"),
    )
)  # fmt: skip
_LEFT = re.compile(
    rf"(?:\b(?P<me>I|we)(?:'ve| have)?|(?P<s>{_CAP})(?:\s+has)?)\s+(?:just\s+|recently\s+)?(?:left|quit|resigned from|dropped off|is off|stopped working (?:on|at|for))\s+(?:the\s+)?(?P<v>{_CAP})(?P<p>\s+(?:project|team|app))?",
    re.IGNORECASE,
)
_AS_FORMAT = re.compile(
    r"\b(?:want|prefer|like|need|send|export|deliver|use|make|keep|write|get|have)s?\s+(?:me\s+)?(?:my\s|the\s|all\s|any\s|our\s|their\s|exported\s|every\s)*(?P<a>(?!this\b|that\b|it\b|them\b|these\b|those\b|to\b)[a-z][\w-]*(?:\s[a-z][\w-]*){0,2}?)\s+(?:to be\s+|delivered\s+|exported\s+)?"
    r"(?:as\s+(?:an?\s+)?(?P<v>[A-Z][\w.+-]*|[\w.+-]+(?=,? (?:not|rather|instead|never)))|in\s+(?P<v2>[A-Z]{2,5}|Markdown|English|French|German|Spanish|Japanese|Chinese|Ukrainian|metric|Celsius)\b)",
)
_COUNT = re.compile(
    r"\b(?:I|we|there)(?:'ve| have|'re| are)?\s+(?:(?:now|already|currently|only|just|about|got)\s+)*(?:have|has|own|got|booked|need|are|completed)?(?:(?<=\s)|\s+)"
    r"(?P<v>\d{1,6}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\s+(?P<a>(?!years?\b|months?\b|weeks?\b|days?\b|hours?\b|minutes?\b|miles?\b|km\b|kilomet\w+\b|pages?\b|pounds?\b|percent\b|into\b|of\b|times?\b|or\b|to\b|more\b)[a-z][\w-]*(?:\s(?!and\b|in\b|on\b|at\b|for\b|from\b|with\b|of\b|so\b|but\b|to\b|now\b|since\b|last\b|that\b|which\b)[a-z][\w-]*){0,2})",
    re.IGNORECASE,
)
_COUNT_OF = re.compile(
    rf"(?P<s>{_CAP})\s+(?:now\s+|actually\s+)?(?:runs|has|owns|operates|employs|keeps|uses|sells|serves)\s+(?:about\s+|only\s+)?(?P<v>\d{{1,6}}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\s+(?P<a>(?!years?\b|days?\b|hours?\b|%)[a-z][\w-]*(?:\s(?!and\b|in\b|on\b|at\b|for\b|from\b|with\b|of\b|so\b|but\b|to\b|now\b|that\b|which\b|not\b)[a-z][\w-]*){{0,2}})"
)
_MOVED = re.compile(
    rf"\b(?:(?:the|our|my)\s+)?(?P<mod>{_CAP}\s)?(?P<a>{_NAMED}|trip|stay|meeting|launch|release|move|visit|review|workshop|wedding|exam|conference|flight|appointment|sprint|test|interview|party|concert)\s+(?:is\s+|was\s+|has been\s+|got\s+|has\s+)?(?:moved|postponed|pushed|shifted|rescheduled|changed|delayed)(?:\s+(?:back|forward))?(?:\s+from\s+(?P<old>[^.,;]{{2,30}}?))?\s+to\s+(?P<v>[^.,;!?]{{2,40}})",
    re.IGNORECASE,
)
_PLANNED = re.compile(
    rf"\b(?:the|our|my)\s+(?P<mod>(?:{_CAP}|[a-z-]+)\s)?(?P<a>trip|stay|meeting|launch|release|move|visit|review|workshop|wedding|exam|conference|flight|appointment|sprint|test|interview|party|concert)\s+(?:is|was)\s+(?:planned|scheduled|set|booked|fixed|due)\s+(?:for|on|to|in)\s+(?P<v>[^.,;:!?]{{2,40}})",
    re.IGNORECASE,
)
_STATUS = (
    (
        re.compile(
            r"\bI(?:'m| am) (?:now )?(?P<v>single|married|engaged|divorced|widowed)\b|\bI(?:'ve)? (?:just )?got(?:ten)? (?P<v2>married|engaged|divorced)\b",
            re.IGNORECASE,
        ),
        "relationship status",
    ),
    (
        re.compile(
            r"\bI(?:'m| am) (?:now |a |strictly )*(?P<v>vegan|vegetarian|pescatarian|lactose intolerant|gluten[- ]free)\b",
            re.IGNORECASE,
        ),
        "diet",
    ),
    (
        re.compile(
            r"\bI(?:'ve)? (?:just |recently )?(?:got|was|been|were) (?:hired|promoted) (?:as|to) (?:an? |the )?(?P<v>[\w -]{3,40}?)(?=[.,;!?]|$| at | in | for | and | last | on )",
            re.IGNORECASE,
        ),
        "job",
    ),
    (
        re.compile(r"\b(?:lost|quit|left) my job\b(?P<v>)", re.IGNORECASE),
        "job",
    ),
    (re.compile(rf"\bmy (?:new )?job as (?:an? )?(?P<v>{_ROLE})\b", re.IGNORECASE), "job"),
)
_LIFE = (
    (
        re.compile(
            rf"\bI(?:'m| am) (?:originally )?from (?P<v>{_CAP})|\bI(?:'m| am| was) born in (?P<v2>{_CAP})",
            re.IGNORECASE,
        ),
        "comes from",
    ),
    (re.compile(rf"\bI grew up in (?P<v>(?:the\s)?{_CAP})", re.IGNORECASE), "grew up in"),
    (
        re.compile(
            r"\bI(?:'m| am) (?:now |currently )?(?:studying|majoring in|doing a degree in) (?P<v>(?!for\b|hard\b|at\b|with\b|to\b)[\w' -]{3,40}?)(?=[.,;!?]|$| at | in | and | because | so )",
            re.IGNORECASE,
        ),
        "studies",
    ),
    (re.compile(rf"\bI drive (?:an? |my )?(?P<v>{_CAP})", re.IGNORECASE), "car"),
    (
        re.compile(
            r"\b(?:I|we)(?:'ve| have) been (?P<a>(?:\w+ing|married|together|friends|sober|vegan|vegetarian)\b(?:\s(?!for\b|since\b)[\w'-]+){0,4}?) (?P<p>for|since) (?P<v>(?:about |over |almost |around |more than |nearly )?(?:\d+|a|an|two|three|four|five|six|seven|eight|nine|ten|\w+teen|twenty) (?:days?|weeks?|months?|years?|decades?)|\d{4})\b",
            re.IGNORECASE,
        ),
        "",
    ),
    (
        re.compile(
            rf"(?P<v>\"[^\"]{{2,50}}\"|{_CAP}) (?:is|was|has always been) my (?:all-time |absolute |personal )?(?P<a>fav(?:ou?rite)\s(?!of\b|to\b|because\b)[\w-]+(?:\s(?!of\b|to\b|because\b|and\b|so\b|in\b|right\b)[\w-]+)?)",
            re.IGNORECASE,
        ),
        "",
    ),
)
_PRONOUNS = frozenset(
    "I We He She They It You This That There What Who One Someone Everyone Everybody Since When While If Because".split()
)
_EVALUATION = re.compile(
    r"^(?:(?:an?|the|so|very|really|such|pretty|quite|just|super|also|still|too|always|going|been|getting|doing|not|all|my|being)\s+)*(?:bummer|determined|decided|based|expected|required|concern|problem|issue|challenge|mess|joy|pleasure|hard|tough|great|good|bad|nice|awesome|amazing|fun|crazy|important|perfect|important|fine|ok|okay|tight|short|long|"
    r"close|near|open|full|free|busy|tired|easy|clear|done|over|up|here|there|ready|set|huge|big|small|high|low|well|right|wrong|true|boring|exciting|stressful|best|worst|better|worse|\w+ing|\w+ful)\b",
    re.IGNORECASE,
)
_CUE = re.compile(
    r"\b(?:live|living|lives|based|moved|moves|runs|owns|operates|employs|uses|due|takes|took|taking|taken|over|goes|work|works|working|worked|joined|job|left|quit|host|hosts|hosted|hosting|favou?rite|prefer|want|as|in|am|i'm|is|are|was|have|has|own|booked|deadline|switched|transferred|postponed|pushed|rescheduled|runs|due|takes|takes over|took|years old|number|leads|heads|manages|leading|heading|managing|builds|develops|designs|maintains|building|developing|responsible|charge|single|married|engaged|divorced|vegan|vegetarian|intolerant|hired|promoted|lost|moved|planned|scheduled|changed|from|born|grew|studying|majoring|drive|been|\d+)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=16384)
def attribute_of(sentence: str) -> Attribute | None:
    """The attribute that `sentence` (as said, dates absolute) sets, None when nothing in it can be superseded."""
    if not _CUE.search(sentence):
        return None
    if left := _LEFT.search(sentence):
        return Attribute(name="works on" if left["p"] else "works at", value="", subject=left["s"])
    if moved := _MOVED.search(sentence) or _PLANNED.search(sentence):
        return Attribute(name=f"{moved['mod'] or ''}{moved['a'].lower()}", value=_trim(moved["v"]), subject="")
    for pattern, name in (*_STATUS, *_LIFE):
        if m := pattern.search(sentence):
            return _of_speaker(m, name)
    for pattern, name in _RULES:
        if m := pattern.search(sentence):
            found = _from_match(m, name)
            vague = name == "works on" and re.match(r"(?:an?\s|\w+ing\b)", found.value) is not None
            bad = (
                vague
                or not _PRONOUNS.isdisjoint((found.subject or "").split())
                or (not name and _EVALUATION.match(found.value) is not None)
            )
            return None if bad else found
    if m := _AS_FORMAT.search(sentence):
        return Attribute(name=f"format of {m['a'].lower()}", value=_trim(m["v"] or m["v2"]))
    if m := _COUNT_OF.search(sentence):
        return Attribute(name=f"number of {m['a'].lower()}", value=m["v"], subject=m["s"])
    if m := _COUNT.search(sentence):
        return Attribute(name=f"number of {m['a'].lower()}", value=m["v"])
    return None


def _of_speaker(m: re.Match[str], name: str) -> Attribute:
    groups = m.groupdict()
    value = groups.get("v") or groups.get("v2") or ""
    if name:
        return Attribute(name=name, value=_trim(value))
    label = re.sub(r"favour", "favor", m["a"].lower())
    return Attribute(name=f"{label} {m['p'].lower()}" if groups.get("p") else label, value=_trim(value))


def _from_match(m: re.Match[str], name: str) -> Attribute:
    groups = m.groupdict()
    subject = groups.get("s")
    if subject in ("I", "We"):
        subject = None
    if not name:
        name = re.sub(r"favour", "favor", m["a"].lower())
    if subject and subject.lower() in ("my", "our"):
        subject = None
        if groups.get("of"):
            name = f"{name} {m['prep']} {_trim(m['of'])}"
    elif subject and subject.lower() == "the":
        subject = (groups.get("of") or "").removeprefix("the ").removeprefix("my ").removeprefix("our ").strip()
    return Attribute(name=name, value=_trim(m["v"]), subject=subject.strip(" .") if subject else subject)


def _trim(value: str) -> str:
    value = re.split(r"[:(]|\s(?:and|but|so|because|which|where|while|since|instead|rather|not)\s", value + " ")[0]
    return value.strip(" .,;:!?'\"()").removeprefix("the ")
