"""What a statement is about when it names nobody: the area of life it belongs to, and the terms that make a topic.

Areas give a person's page its heads. Terms that come back over several sessions earn a concept page (a hobby, a health
journey, an adoption). Areas have words in a few languages; a statement that matches none stays under "Facts". Terms need
English noun lookup, so other languages get their concepts from the subjects that distilling names.
"""

from __future__ import annotations

import re
from functools import lru_cache

FAMILY = "Family and friends"

AREAS: dict[str, str] = {
    FAMILY: """family mother mom mum father dad parent parents sister brother son daughter kid kids child
        children baby wife husband girlfriend boyfriend partner married marriage wedding divorce grandma grandmother
        grandpa grandfather uncle aunt cousin niece nephew friend friends roommate adopt adoption engaged pregnant
        famille mère père soeur sœur frère fils fille enfant enfants mari femme amis ami amie
        сім'я мама тато мати батько сестра брат син дочка дружина чоловік діти друг подруга
        家 家族 家庭 妈妈 爸爸 母亲 父亲 妹妹 姐姐 哥哥 弟弟 儿子 女儿 孩子 妻子 丈夫 朋友 母 父 妹 姉 兄 弟 息子 娘 子供 友達""",
    "Work and study": """job career boss colleague colleagues coworker office company business startup client
        clients customer customers salary promotion promoted hired fired interview internship manager engineer teacher
        nurse banker degree university college school exam exams study studying student
        students graduated graduate graduation thesis store shop studio campaign project investor investors
        travail métier bureau entreprise études université école cours робота офіс компанія університет школа навчання
        工作 公司 学校 大学 同事 老板 学习 仕事 会社 職場 勉強""",
    "Health": """health doctor hospital therapy therapist counseling counselor surgery injury injured diagnosed diagnosis
        illness sick pain medication medicine allergic allergy allergies asthma diet weight fitness gym workout workouts
        exercise yoga meditation sleep anxiety anxious stress depression heart ankle knee accident recovery rehab
        santé médecin hôpital maladie blessure régime здоров'я лікар лікарня хвороба 健康 医生 医院 医師 病院 病気""",
    "Pets": """pet pets dog dogs puppy pup pups cat cats kitten kitty turtle turtles guinea hamster rabbit parrot leash vet
        shelter-dog doggo doggos chien chat собака кіт 狗 猫 犬 ペット 宠物""",
    "Home and places": """house apartment flat moved move moving neighborhood neighbourhood rent landlord mortgage city
        town garden gardening lives living hometown country maison appartement quartier ville дім будинок квартира місто
        家里 房子 公寓 城市 引っ越し 部屋 都市""",
    "Travel": """trip trips travel traveled travelled travelling traveling vacation holiday flight flights hotel beach mountain mountains hike hiked hiking hikes camping camped roadtrip road-trip abroad tour
        voyage vacances randonnée подорож поїздка відпустка 旅行 出差 出張 酒店 ホテル""",
    "Food": """food cook cooking cooked recipe recipes bake baking baked dinner lunch breakfast restaurant restaurants meal
        meals dish dishes cake cookies vegan vegetarian dairy coffee tea wine ice-cream sushi pizza salad soup
        cuisine recette repas restaurant їжа рецепт вечеря кухня 菜 餐厅 料理 食べ物 レストラン""",
    "Interests": """hobby hobbies paint painting painted art artist drawing draw pottery music song songs guitar violin piano
        concert concerts band sing singing dance dancing dancer book books read reading novel movie movies film films series
        show game games gaming video-game videogame tournament tournaments sport sports basketball soccer football tennis
        running race swim swimming surf surfing climbing cycling photography photo-shoot writing poem poetry script screenplay
        knitting chess museum festival exhibit exhibition theater theatre fantasy
        peinture musique livre film jeu lecture danse музика книга фільм гра спорт малювання 音乐 电影 书 游戏 运动 画画
        音楽 映画 本 ゲーム スポーツ 絵""",
    "Community": """volunteer volunteering volunteered charity community fundraiser fundraising donate donated donation activism
        activist rights campaign protest pride support-group mentor mentoring church faith religion religious politics
        political military veteran veterans council bénévole association волонтер громада церква 志愿者 社区 ボランティア""",
}
"""Head → words, by which a person's statements are grouped. Order is the order of heads on a page."""

AREA_ORDER = tuple(AREAS)
_AREA_OF = {word: area for area, words in reversed(AREAS.items()) for word in words.split()}
_CJK_AREA = {word: area for word, area in _AREA_OF.items() if re.fullmatch(r"[぀-ヿ㐀-鿿]+", word)}
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")

_GENERIC = frozenset(
    [
        "i",
        "you",
        "he",
        "she",
        "it",
        "we",
        "they",
        "them",
        "him",
        "her",
        "us",
        "me",
        "my",
        "mine",
        "yours",
        "these",
        "those",
        "this",
        "that",
        "who",
        "what",
        "which",
        "all",
        "both",
        "each",
        "every",
        "either",
        "neither",
        "many",
        "much",
        "few",
        "several",
        "such",
        "same",
        "another",
        "themself",
        "themselves",
        "himself",
        "herself",
        "yourself",
        "myself",
        "itself",
        "most",
        "more",
        "less",
        "enough",
        "half",
        "double",
        "plenty",
        "none",
        "nobody",
        "anybody",
        "somebody",
        "everybody",
        "whole",
        "back",
        "front",
        "top",
        "bottom",
        "right",
        "left",
        "girlfriend",
        "boyfriend",
        "colleague",
        "colleagues",
        "coworker",
        "coworkers",
        "boss",
        "neighbor",
        "neighbour",
        "neighbors",
        "crew",
        "park",
        "parks",
        "court",
        "room",
        "center",
        "centre",
        "city",
        "town",
        "country",
        "impact",
        "customer",
        "customers",
        "teammate",
        "teammates",
        "community",
        "communities",
        "person",
        "holding",
        "sitting",
        "standing",
        "lying",
        "wearing",
        "background",
        "wall",
        "floor",
        "table",
        "hand",
        "hands",
        "face",
        "faces",
        "eye",
        "eyes",
        "head",
        "hair",
        "arm",
        "arms",
        "body",
        "voice",
        "sky",
        "light",
        "lights",
        "ground",
        "street",
        "door",
        "window",
        "chair",
        "bed",
        "car",
        "road",
        "time",
        "times",
        "thing",
        "things",
        "way",
        "ways",
        "life",
        "day",
        "days",
        "week",
        "weeks",
        "weekend",
        "month",
        "months",
        "year",
        "years",
        "moment",
        "moments",
        "people",
        "person",
        "man",
        "woman",
        "men",
        "women",
        "lot",
        "lots",
        "bit",
        "kind",
        "sort",
        "part",
        "side",
        "end",
        "start",
        "bunch",
        "couple",
        "everyone",
        "someone",
        "something",
        "anything",
        "nothing",
        "everything",
        "fun",
        "joy",
        "love",
        "hope",
        "dream",
        "dreams",
        "idea",
        "ideas",
        "plan",
        "plans",
        "goal",
        "goals",
        "step",
        "steps",
        "progress",
        "work",
        "working",
        "job",
        "help",
        "support",
        "advice",
        "feeling",
        "feelings",
        "feel",
        "thought",
        "thoughts",
        "mind",
        "heart",
        "experience",
        "experiences",
        "journey",
        "story",
        "stories",
        "memory",
        "memories",
        "place",
        "places",
        "area",
        "world",
        "nature",
        "spot",
        "spots",
        "home",
        "house",
        "family",
        "families",
        "friend",
        "friends",
        "kid",
        "kids",
        "child",
        "children",
        "guy",
        "guys",
        "girl",
        "boy",
        "mom",
        "dad",
        "son",
        "daughter",
        "sister",
        "brother",
        "mother",
        "father",
        "husband",
        "wife",
        "parent",
        "parents",
        "partner",
        "question",
        "questions",
        "answer",
        "problem",
        "problems",
        "issue",
        "issues",
        "challenge",
        "challenges",
        "change",
        "changes",
        "difference",
        "success",
        "chance",
        "choice",
        "reason",
        "reminder",
        "example",
        "passion",
        "inspiration",
        "motivation",
        "confidence",
        "strength",
        "courage",
        "peace",
        "comfort",
        "freedom",
        "power",
        "energy",
        "growth",
        "connection",
        "connections",
        "bond",
        "relationship",
        "relationships",
        "acceptance",
        "understanding",
        "kindness",
        "positivity",
        "stress",
        "picture",
        "pictures",
        "photo",
        "photos",
        "pic",
        "pics",
        "image",
        "view",
        "views",
        "look",
        "sight",
        "beauty",
        "color",
        "colors",
        "style",
        "design",
        "detail",
        "details",
        "name",
        "number",
        "list",
        "page",
        "word",
        "words",
        "note",
        "notes",
        "line",
        "type",
        "level",
        "point",
        "set",
        "group",
        "team",
        "member",
        "members",
        "session",
        "sessions",
        "today",
        "tonight",
        "morning",
        "afternoon",
        "evening",
        "night",
        "summer",
        "winter",
        "spring",
        "autumn",
        "fall",
        "season",
        "morning's",
        "minute",
        "minutes",
        "hour",
        "hours",
        "second",
        "date",
        "dates",
        "news",
        "update",
        "updates",
        "chat",
        "talk",
        "conversation",
        "message",
        "call",
        "stuff",
        "item",
        "items",
        "piece",
        "pieces",
        "attention",
        "focus",
        "effort",
        "efforts",
        "practice",
        "skill",
        "skills",
        "interest",
        "interests",
        "hobby",
        "activity",
        "activities",
        "event",
        "events",
        "pleasure",
        "smile",
        "laugh",
        "laughs",
        "tear",
        "thanks",
        "thank",
        "luck",
        "congrats",
        "hug",
        "hugs",
        "blast",
        "treat",
        "surprise",
        "gift",
        "present",
        "reward",
        "importance",
        "value",
        "quality",
        "sense",
        "purpose",
        "meaning",
        "perspective",
        "outlook",
        "vibe",
        "vibes",
        "atmosphere",
        "environment",
        "space",
        "self",
        "others",
        "other",
        "one",
        "ones",
        "anyone",
        "age",
        "stage",
        "role",
        "key",
        "touch",
        "care",
        "trust",
        "respect",
        "pride",
        "honor",
        "break",
        "rest",
        "opportunity",
        "opportunities",
        "resource",
        "resources",
        "process",
        "result",
        "results",
        "project",
        "projects",
        "task",
        "tasks",
        "system",
        "file",
        "files",
        "folder",
        "code",
        "version",
        "request",
        "response",
        "user",
        "assistant",
        "option",
        "options",
        "information",
        "data",
        "text",
        "title",
        "section",
        "chapter",
        "content",
        "sentence",
        "matter",
        "situation",
        "case",
        "fact",
        "deal",
        "pressure",
        "balance",
        "state",
        "status",
        "thanking",
        "being",
        "making",
        "getting",
        "going",
        "doing",
        "having",
        "taking",
        "looking",
        "trying",
        "thinking",
        "talking",
        "feeling",
        "seeing",
        "finding",
        "keeping",
        "giving",
        "meeting",
        "sharing",
        "learning",
        "living",
        "starting",
        "helping",
        "loving",
        "enjoying",
        "wanting",
        "needing",
        "planning",
        "hoping",
        "coming",
        "using",
        "building",
        "growing",
        "turning",
        "putting",
        "bringing",
        "leaving",
        "spending",
        "telling",
        "asking",
        "saying",
        "knowing",
        "showing",
        "letting",
        "checking",
        "working",
        "waiting",
        "hearing",
        "remembering",
        "believing",
        "including",
        "becoming",
        "creating",
        "supporting",
        "facing",
        "pushing",
        "setting",
        "staying",
        "standing",
        "sticking",
        "getting",
        "class",
        "classes",
        "agency",
        "goes",
        "times",
        "clothes",
        "good",
        "great",
        "new",
        "old",
        "big",
        "small",
        "best",
        "amazing",
        "awesome",
        "lovely",
        "nice",
        "cool",
    ]
)
_PRAISE = frozenset(
    [
        "good",
        "great",
        "new",
        "old",
        "big",
        "small",
        "best",
        "nice",
        "amazing",
        "awesome",
        "little",
        "lovely",
        "own",
        "different",
        "special",
        "real",
        "hard",
        "long",
        "last",
        "next",
        "first",
        "whole",
        "few",
        "cool",
        "fun",
        "important",
        "happy",
        "proud",
        "tough",
        "rough",
        "crazy",
        "huge",
        "wonderful",
        "beautiful",
        "cute",
        "sweet",
        "perfect",
        "favorite",
        "favourite",
        "incredible",
        "inspiring",
        "free",
        "full",
        "sure",
        "certain",
        "various",
        "several",
        "recent",
        "current",
        "previous",
        "main",
        "major",
        "busy",
        "young",
        "loving",
        "caring",
        "close",
        "true",
        "positive",
        "negative",
        "difficult",
        "easy",
        "simple",
        "single",
        "personal",
        "similar",
        "possible",
        "better",
        "bad",
        "safe",
        "warm",
        "happy",
        "local",
    ]
)
_EMPTY = frozenset(
    [
        "lot",
        "lots",
        "bit",
        "kind",
        "sort",
        "part",
        "end",
        "start",
        "bunch",
        "couple",
        "way",
        "thing",
        "things",
        "time",
        "times",
        "day",
        "days",
        "week",
        "weeks",
        "month",
        "months",
        "year",
        "years",
        "moment",
        "moments",
        "today",
        "tonight",
        "morning",
        "night",
        "one",
        "ones",
        "other",
        "others",
        "person",
        "people",
        "it",
        "them",
        "they",
        "you",
        "all",
    ]
)
_BEFORE_NOUN = frozenset(
    [
        "a",
        "an",
        "the",
        "his",
        "her",
        "their",
        "its",
        "my",
        "our",
        "your",
        "this",
        "that",
        "some",
        "any",
        "no",
        "of",
        "in",
        "about",
        "for",
        "with",
        "from",
        "new",
        "own",
        "first",
        "another",
        "local",
        "favorite",
        "favourite",
        "online",
        "into",
        "went",
        "go",
        "goes",
        "gone",
        "tried",
        "doing",
        "did",
        "taking",
        "took",
        "teaches",
        "taught",
        "learning",
        "learned",
    ]
)
_SAME_AS = {
    "pup": "dog",
    "pups": "dog",
    "puppy": "dog",
    "doggo": "dog",
    "doggos": "dog",
    "kitty": "cat",
    "kitten": "cat",
    "film": "movie",
    "films": "movie",
}
_STEM = re.compile(r"(?:ing|ers|er|ed|es|s|e|ion|ions)$")


def area(text: str) -> str:
    """The head a statement belongs under on a person's page; "Facts" when no area's words are in it.

    >>> area("Mara's sister Ida moved in with her.")
    'Family and friends'
    """
    votes: dict[str, int] = {}
    for word in _WORD.findall(text.lower()):
        for part in (word.replace("’", "'"), word.removesuffix("'s").removesuffix("’s")):
            if part in _AREA_OF:
                votes[_AREA_OF[part]] = votes.get(_AREA_OF[part], 0) + 1
                break
    for word, name in _CJK_AREA.items():
        if word in text:
            votes[name] = votes.get(name, 0) + len(word)
    if not votes:
        return "Facts"
    return max(votes, key=lambda name: (votes[name], -AREA_ORDER.index(name)))


def terms(text: str) -> dict[str, str]:
    """Topic terms of an English statement: stem → the form met. Nouns and gerunds, and pairs of them; names are not terms.

    >>> sorted(terms("Mara went to a pottery class").values())
    ['pottery', 'pottery class']
    """
    words = _WORD.findall(text)
    nouns = [_noun(word) if at and word.islower() else _acronym(word) for at, word in enumerate(words)]
    found: dict[str, str] = {}
    for at, noun in enumerate(nouns):
        word, before = words[at], words[at - 1].lower()
        following = nouns[at + 1] if at + 1 < len(nouns) else None
        if (
            following is not None
            and not (following in _EMPTY or following.isupper())
            and noun is None
            and _adjective(word)
        ):
            found.setdefault(f"{word} {stem(following)}", f"{word} {words[at + 1]}")
        if noun is None:
            continue
        sure = before in _BEFORE_NOUN or not _verbal(word)
        if sure and noun not in _GENERIC and word not in _GENERIC:
            found.setdefault(stem(noun), word)
        if following is None or not sure or (noun in _GENERIC and following in _GENERIC) or following.endswith("ing"):
            continue
        if noun in _EMPTY or following in _EMPTY:
            continue
        if f"{word} {words[at + 1]}" in text:
            found.setdefault(f"{stem(noun)} {stem(following)}", f"{word} {words[at + 1]}")
    return found


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A crude stem that brings dance, dancing and dancer together.

    >>> stem("dancing") == stem("dance") == stem("dancers")
    True
    """
    word = _SAME_AS.get(word, word)
    if len(word) <= 4:
        return word.removesuffix("s") if len(word) == 4 else word
    cut = _STEM.sub("", word)
    if len(cut) > 3 and cut[-1] == cut[-2] and cut[-1] not in "sl":
        cut = cut[:-1]
    return cut if len(cut) >= 3 else word


@lru_cache(maxsize=65536)
def _noun(word: str) -> str | None:
    """The singular when the word can be a topic: a noun more than anything else, or a gerund."""
    from lemminflect import getAllLemmas

    word = word.lower()
    if len(word) < 3 or "'" in word or "’" in word or word in _BEFORE_NOUN:
        return None
    lemmas = getAllLemmas(word)
    if word.endswith("ing") and len(word) > 5 and ("VERB" in lemmas or "NOUN" in lemmas):
        return word
    if "NOUN" not in lemmas or "ADV" in lemmas or "AUX" in lemmas or "ADJ" in lemmas:
        return None
    return str(lemmas["NOUN"][0])


@lru_cache(maxsize=65536)
def _verbal(word: str) -> bool:
    """Whether the word may as well be a verb here; a gerund that is also a noun ("painting") does not count."""
    from lemminflect import getAllLemmas

    lemmas = getAllLemmas(word.lower())
    return "VERB" in lemmas and not (word.endswith("ing") and "NOUN" in lemmas)


@lru_cache(maxsize=65536)
def _adjective(word: str) -> bool:
    """Whether a word can make a topic of the noun behind it ("mental health"): an adjective that is not mere praise."""
    from lemminflect import getAllLemmas

    if not word.islower() or word in _GENERIC or word in _PRAISE or "'" in word or "’" in word:
        return False
    lemmas = getAllLemmas(word)
    return "ADJ" in lemmas and "VERB" not in lemmas and "ADV" not in lemmas


def _acronym(word: str) -> str | None:
    return word if word.isupper() and len(word) >= 3 and word.isascii() else None
