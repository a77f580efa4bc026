"""Topics that come back: terms that hold enough statements over enough sessions to be a concept page of their own.

pottery: 9 statements over 5 sessions of a chat        -> concepts/pottery
dance studio: 14 statements, "studio" 16               -> concepts/dance-studio, the longer name wins
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from brain.dream import topics
from brain.dream.place import Attached
from brain.dream.subjects import Directory
from brain.types import Fact

Recall = Callable[[Sequence[str]], list[Fact]]
"""Earlier notes that hold any of these names or words, as facts."""

MIN_FACTS = 6
MIN_SESSIONS = 3
MAX_FACTS = 40
MAX_SHARE = 0.3
ASK_AT_ONCE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A topic with a page, or that earned one: its stem, its title, and the earlier facts recalled for it."""

    stem: str
    title: str
    earlier: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Topics:
    """The topics met in a run, and which new fact (by position) belongs to which."""

    found: tuple[Topic, ...]
    of: dict[int, str]
    page_of: dict[str, str]


def discover(pool: Sequence[Attached], directory: Directory, recall: Recall) -> Topics:
    """Assign facts to topics that have pages, then let the terms of the rest compete for new ones.

    A term needs MIN_FACTS statements over MIN_SESSIONS sessions, earlier notes counted; the best takes its facts and
    the rest compete anew, so every fact has one topic at most.
    """
    terms = [topics.terms(item.fact.text) if item.fact.language.startswith("en") else {} for item in pool]
    page_of = _existing(directory)
    of: dict[int, str] = {}
    for at, found in enumerate(terms):
        known = [stem for stem in found if stem in page_of]
        if known:
            of[at] = max(known, key=lambda stem: (len(stem.split()), stem))
    loose = [at for at in range(len(pool)) if at not in of and terms[at]]
    earlier = _earlier(terms, loose, page_of, recall, {item.fact.text for item in pool})
    out: list[Topic] = []
    while (best := _best(pool, terms, loose, earlier, len(pool))) is not None:
        mine = [at for at in loose if best in terms[at]]
        past = earlier.get(best, [])
        out.append(Topic(stem=best, title=_title([terms[at][best] for at in mine]), earlier=tuple(past)))
        of.update(dict.fromkeys(mine, best))
        loose = [at for at in loose if at not in of]
        taken = {fact.text for fact in past}
        earlier = {stem: [fact for fact in facts if fact.text not in taken] for stem, facts in earlier.items()}
    return Topics(found=tuple(out), of=of, page_of=page_of)


def _existing(directory: Directory) -> dict[str, str]:
    pages: dict[str, str] = {}
    for head in sorted(directory.heads.values(), key=lambda head: head.id):
        if head.kind == "concept" and head.has_page and head.language.startswith("en"):
            for name in head.names:
                words = name.lower().split()
                if len(words) <= 2:
                    pages.setdefault(" ".join(topics.stem(word) for word in words), head.id)
    return pages


def _earlier(
    terms: Sequence[dict[str, str]], loose: Sequence[int], page_of: dict[str, str], recall: Recall, new: set[str]
) -> dict[str, list[Fact]]:
    """Earlier notes by term, for the terms met now: one question to memory for all of them."""
    forms: Counter[str] = Counter()
    for at in loose:
        forms.update(form.lower() for stem, form in terms[at].items() if " " not in stem and stem not in page_of)
    asked = sorted(form for form, _ in forms.most_common(ASK_AT_ONCE))
    by_stem: dict[str, list[Fact]] = defaultdict(list)
    for fact in recall(asked) if asked else []:
        if fact.text not in new:
            for stem in topics.terms(fact.text):
                by_stem[stem].append(fact)
    return by_stem


def _best(
    pool: Sequence[Attached],
    terms: Sequence[dict[str, str]],
    loose: Sequence[int],
    earlier: dict[str, list[Fact]],
    total: int,
) -> str | None:
    facts: dict[str, list[Fact]] = defaultdict(list)
    for at in loose:
        for stem in terms[at]:
            facts[stem].append(pool[at].fact)
    ranked: list[tuple[float, str]] = []
    for stem, new in facts.items():
        every = new + earlier.get(stem, [])
        sessions = len({fact.session for fact in every})
        least = MIN_FACTS - 2 if " " in stem else MIN_FACTS
        if len(every) < least or sessions < MIN_SESSIONS or (total >= 40 and len(new) > MAX_SHARE * total):
            continue
        size = len(every) if len(every) <= MAX_FACTS else MAX_FACTS / 2
        if " " not in stem and _modifies(stem, [terms[at] for at in loose if stem in terms[at]]):
            continue
        ranked.append((size * (2.0 if " " in stem else 1.0) * (1 + 0.1 * min(sessions, 10)), stem))
    return max(ranked)[1] if ranked else None


def _modifies(stem: str, found: Sequence[dict[str, str]]) -> bool:
    """Whether a word stands before another noun most times ("coconut milk"): then it is no topic of its own."""
    if any(terms[stem].isupper() for terms in found):
        return False
    before = sum(any(pair.startswith(f"{stem} ") for pair in terms) for terms in found)
    return before * 2 > len(found)


def _title(forms: Sequence[str]) -> str:
    """A gerund before the bare word ("hiking" before "hike"), a plural in use before the singular; capitalised."""
    counts = Counter(form.lower() for form in forms)

    def fits(form: str) -> tuple[bool, bool, int, int, str]:
        plural = form.endswith("s") and not form.endswith("ss")
        return (form.endswith("ing"), plural, counts[form], len(form), form)

    form = max(counts, key=fits)
    if form.upper() in forms:
        return form.upper()
    return form[:1].upper() + form[1:]
