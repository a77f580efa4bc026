"""Languages, names of files, markup and odd bytes: text stays what it was and is found again."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

import pytest
from lived import Lived, talk, words_in

from brain.tree.page import links, parse
from brain.types import Role

Living = Callable[..., Lived]

TOLD = {
    "fr": (
        "Claire",
        "J'habite à Lyon et je travaille comme architecte chez Pont & Fils.",
        "Nous avons décidé d'utiliser le bois pour le pavillon parce que le béton est trop lourd.",
        "Je préfère les réponses courtes, sans tableaux.",
        ["Lyon", "bois", "réponses courtes"],
    ),
    "uk": (
        "Оксана",
        "Я живу у Львові й працюю архітекторкою в бюро «Міст».",
        "Ми вирішили взяти дерево для павільйону, тому що бетон надто важкий.",
        "Я віддаю перевагу коротким відповідям без таблиць.",
        ["Львові", "дерево", "коротким відповідям"],
    ),
    "zh": (
        "林岚",
        "我住在杭州，在西湖设计院做建筑师。",
        "我们决定用竹子做展馆，因为混凝土太重。",
        "我喜欢简短的回答，不要表格。",
        ["杭州", "竹子", "简短的回答"],
    ),
    "ja": (
        "あや",
        "私は鎌倉に住んでいて、木村設計で建築士をしています。",
        "コンクリートは重すぎるので、パビリオンには竹を使うことに決めました。",
        "私は表のない短い回答が好みです。",
        ["鎌倉", "竹", "短い回答"],
    ),
}
ENGLISH = re.compile(r"\b(?:the|lives|works|decided|prefers|because|asked|said|answers)\b", re.IGNORECASE)


@pytest.mark.parametrize("language", TOLD)
def test_what_is_said_in_a_language_is_kept_in_it(live: Living, language: str) -> None:
    """T22: sessions in French, Ukrainian, Chinese, Japanese; statements in the user's words, page language set."""
    owner, home, decision, wish, expected = TOLD[language]
    life = live(owner)
    life.claude(1, home, ("assistant", "Noted, I will remember that you like it."), wish)
    life.claude(2, decision, ("assistant", "That is a good choice because it is light."), wish)

    life.night()

    texts = [one.text for one in life.snippets()]
    assert words_in("\n".join(texts), *expected) == expected
    assert [text for text in texts if ENGLISH.search(text)] == []
    page = life.brain.config.owners[0]
    assert page in life.pages("entities/")
    text = life.page(page)
    assert f"\nlanguage: {language}\n" in text
    assert words_in(life.wiki(), expected[0], expected[2]) == [expected[0], expected[2]]
    for one in life.pages():
        for line in life.claims(one):
            assert not ENGLISH.search(re.sub(r"\[\[.*?\]\]|\*\*.*?\*\*", "", line)), line


def test_languages_live_beside_each_other(live: Living) -> None:
    """T22, same kind: one owner who speaks three languages: nothing is translated or lost."""
    life = live("Claire")
    life.claude(1, TOLD["fr"][1], ("assistant", "Bien."), "I want all figures as PDF, not PNG.")
    life.codex(2, "我们决定用竹子做展馆，因为混凝土太重。", ("assistant", "好的。"))

    life.night()

    told = "\n".join(one.text for one in life.snippets())
    assert words_in(told, "Lyon", "architecte", "PDF", "竹子") == ["Lyon", "architecte", "PDF", "竹子"]
    assert words_in(told, "bamboo", "architect ") == []


TITLES = [
    "Проєкт",
    "Проект",
    "展馆",
    "展館",
    "🏗️",
    "🏠",
    "Ünï",
    "Uni",
    "README",
    "readme",
    "con",
    "a/b:c*?",
    "é" * 90,
    ".",
]


def test_titles_of_any_script_get_files_of_their_own(live: Living) -> None:
    """T26: like, empty, reserved and emoji titles: a distinct, stable, portable path each, the title kept."""
    life = live("Claire")
    life.chatgpt(
        *(talk(title, 1, f"I live in Lyon and I bought item {at}.", id=f"id-{at}") for at, title in enumerate(TITLES))
    )
    life.night()

    paths = [path for path in life.files() if path.startswith("sessions/transcripts/")]
    assert len(paths) == len(TITLES)
    assert {one.title for one in life.transcripts()} >= {title for title in TITLES if len(title) < 40}
    every = list(life.files())
    folded = [unicodedata.normalize("NFKC", path).casefold() for path in every]
    assert len(set(folded)) == len(every)
    for path in every:
        if path.startswith(("knowledge/", "notes/", "sessions/")):
            assert path.isascii(), path
            assert not re.search(r'[<>:"|?*\\]|[. ]$', path), path
            assert not re.search(r"(?:^|/)(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|/|$)", path), path
            assert len(path.encode()) <= 200
    other = live("Claire", at="other/memory")
    other.chatgpt(
        *(
            talk(title, 1, f"I live in Lyon and I bought item {at}.", id=f"id-{at}")
            for at, title in reversed(list(enumerate(TITLES)))
        )
    )
    other.night()
    assert sorted(p for p in other.files() if "/transcripts/" in p) == sorted(paths)


def test_pages_of_like_names_in_other_scripts_never_meet(live: Living) -> None:
    """T26: Олена and Олень, 张伟 and 章伟 sound and transliterate alike; four subjects, four pages or none, no mix."""
    life = live()
    for day in (1, 2, 3):
        life.chat(
            day,
            ("张伟", f"我住在杭州，在西湖设计院工作。2026年4月{day}日我画了{day + 4}张图。"),
            ("章伟", f"我住在成都，在天府茶馆工作。2026年4月{day + 10}日我泡了{day + 4}壶茶。"),
            ("Олена", f"Я живу у Львові й працюю лікаркою. 2026-04-0{day} я купила велосипед."),
            ("Олень", f"Я живу в Одесі й працюю моряком. 2026-04-1{day} я продав човен."),
        )

    life.night()

    pages = {parse(life.page(page), f"knowledge/{page}.md").title: page for page in life.pages("entities/")}
    assert {"张伟", "章伟", "Олена", "Олень"} <= set(pages)
    assert len(set(pages.values())) == len(pages)
    assert "杭州" in life.page(pages["张伟"])
    assert words_in(life.page(pages["张伟"]), "成都", "Львові") == []
    assert "成都" in life.page(pages["章伟"])
    assert words_in(life.page(pages["章伟"]), "杭州", "Одесі") == []
    assert "Одесі" not in life.page(pages["Олена"])


CODE = """Here is what I have:

```markdown
## t3 · user · 2026-01-01T00:00:00Z
See [[projects/phantom]] and [cite:1] and - [x] done
```

- [x] bought rope
- [ ] call the harbour [[Phantom Person]]
- Added [[Target]] to the list
[24:33.098 --> 24:35.000] words of a caption
`[[inline/phantom]]` and <b>bold</b> and ![[embed]]
---
id: entities/phantom
---

I live in Lyon and I want maps as SVG, not PNG."""


def test_markup_in_what_is_said_is_no_structure(live: Living) -> None:
    """T27: fences with heads, links and cites, task lists, captions, frontmatter: stored to the letter, no edges."""
    life = live("Claire")
    life.claude(1, CODE, ("assistant", CODE.replace("I live in Lyon and ", "")))
    life.claude(2, "We decided to use [[brackets]] and [cite:9] for the Tern notes because [x] marks a task.")

    life.night()

    said = [turn.text for one in life.transcripts() for turn in one.turns if turn.role is Role.USER]
    assert CODE in said
    assert [len(one.turns) for one in sorted(life.transcripts(), key=lambda one: -len(one.turns))] == [2, 1]
    targets = {link.target for page in life.pages() for link in links(parse(life.page(page), f"knowledge/{page}.md"))}
    assert targets <= set(life.pages())
    assert words_in("\n".join(life.pages()), "phantom", "target", "brackets") == []
    for page in life.pages():
        one = parse(life.page(page), f"knowledge/{page}.md")
        assert one.cites() == set(one.references)
        assert life.page(page).count("\n---\n") == 1
    assert any("SVG" in snippet.text for snippet in life.snippets())


ODD = {
    "bom": "\ufeffI live in Lyon and I want maps as SVG, not PNG.",
    "nul": "I live in Ly\x00on and I want maps as SVG\x00, not PNG.",
    "surrogate": "I live in Lyon \ud83d and I want maps as SVG, not PNG.",
    "astral": "I live in Lyon 🏗️👩‍🔬 and I want maps as SVG, not PNG.\n" + "😀" * 3000,
    "crlf": "I live in Lyon.\r\nI want maps as SVG, not PNG.\r\rLast line.",
    "bidi": "I live in \u202eLyon\u202c and I want \u2066maps\u2069 as SVG, not PNG.",
    "separators": "I live in Lyon.\u2028I want maps as SVG, not PNG.\u2029\x85Last.",
    "private": "I live in Lyon \ue200cite\ue202turn0\ue201 and I want maps as SVG, not PNG.",
    "decomposed": "Je vis à Orle\u0301ans. I live in Lyon and I want maps as SVG, not PNG.",
    "controls": "I live in \x1b[31mLyon\x1b[0m and I want maps\x07 as SVG, not PNG.",
}


@pytest.mark.parametrize("kind", ODD)
def test_odd_bytes_come_through_clean(live: Living, kind: str) -> None:
    """T29: BOM, NUL, lone surrogates, astral emoji, bidi, line separators: valid files, words kept, found again."""
    life = live("Claire")
    life.chatgpt(talk(f"Odd {ODD[kind][:12]}", 1, ODD[kind], ("assistant", ODD[kind])))

    life.night()

    for path, data in life.files().items():
        text = data.decode("utf-8")
        assert unicodedata.is_normalized("NFC", text), path
        bad = [
            c
            for c in text
            if (unicodedata.category(c) in ("Cc", "Cs") and c not in "\n\t") or c in "\ufeff\u202e\u2066"
        ]
        assert bad == [], path
        assert "\r" not in text
        assert text == "" or text.endswith("\n"), path
    one = life.transcripts()[0]
    assert len(one.turns) == 2
    assert "SVG" in one.turns[0].text
    assert any("SVG" in snippet.text for snippet in life.snippets())
    assert life.brain.search("SVG")


def test_a_file_of_odd_bytes_gives_what_is_whole(live: Living) -> None:
    """T29: UTF-16, latin-1 bytes, NUL blocks in a file: what can be read is, nothing raises, nothing is a success
    without a session."""
    life = live("Claire")
    good = "**User:** I live in Lyon and I want maps as SVG, not PNG.\n\n**Assistant:** Noté, à bientôt.\n"
    life.write("utf16.md", good.encode("utf-16"))
    life.write("bom.md", b"\xef\xbb\xbf" + good.replace("SVG", "PDF").encode())
    life.write("latin1.md", good.replace("SVG", "DXF").encode("latin-1"))
    path = life.claude(1, "We decided to hire the boat Tern because the ferry is full.")
    path.write_bytes(b"\x00" * 512 + b"\n" + path.read_bytes() + b"\x00" * 64)

    life.take()
    result = life.dream()

    assert result.exit_code == 0
    assert life.errors() == []
    told = "\n".join(turn.text for one in life.transcripts() for turn in one.turns)
    assert words_in(told, "PDF", "Tern") == ["PDF", "Tern"]
    assert len(life.transcripts()) >= 3


ASKED = {
    "東京 出張": "東京",
    "东京出差": "东京",
    "竹子 展馆": "竹子",
    "パビリオン": "パビリオン",
    "київ відрядження": "Києва",
    "서울 출장": "서울",
    "Tokyo 出張": "東京",
    "αθήνα": "Αθήνα",
    "lidar 浅瀬": "浅瀬",
}


@pytest.mark.parametrize("embedder", ["none", "minilm"])
def test_queries_in_any_script_find(live: Living, embedder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """T42: Japanese, Chinese, Ukrainian, Korean, Greek and mixed queries find the turn, the note or the page."""
    monkeypatch.setenv("BRAIN_SEARCH_EMBEDDER", embedder)
    life = live("あや")
    life.claude(
        1,
        "来週の東京出張の前に、資料をPDFで送ってください。Tokyo の会場は日比谷です。",
        ("assistant", "承知しました。"),
    )
    life.claude(2, "我们决定用竹子做展馆，因为混凝土太重。下个月我去东京出差。", ("assistant", "好的。"))
    life.claude(3, "パビリオンの締め切りは2026年6月30日です。浅瀬では lidar を使うことに決めました。")
    life.claude(4, "У травні в мене відрядження до Києва, поїзд о восьмій.")
    life.claude(5, "다음 주에 서울 출장을 갑니다. 회의는 강남에서 합니다.")
    life.claude(6, "Τον Ιούνιο πηγαίνω στην Αθήνα για το συνέδριο.")
    life.claude(7, "I live in Kamakura and I want maps as SVG, not PNG. The ferry was late on 2026-05-06.")
    life.night()

    for query, word in ASKED.items():
        found = life.brain.search(query, k=5)
        assert found, query
        assert any(word in hit.text for hit in found[:3]), (query, [hit.text for hit in found[:3]])
    typed = life.typed("search", "東京 出張", "--json")
    assert typed.returncode == 0
    assert "東京" in typed.stdout
    answer = life.brain.ask("東京出張はどこですか")
    assert any("東京" in statement.text for statement in (*answer.statements, *answer.nearest))
