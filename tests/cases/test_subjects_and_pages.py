"""One subject, one page; a newer value retires the older of the same subject only; a second night changes nothing."""

from __future__ import annotations

import re
from collections.abc import Callable

from lived import Lived, sections_of, talk, words_in

from brain.types import Severity

Living = Callable[..., Lived]


def test_one_colleague_by_several_names_is_one_page_with_aliases(live: Living) -> None:
    """T02: Wei Zhang, Zhang Wei (张伟) and Wei from infra in one run, beside another Zhang and a 张伟丽."""
    mara = live("Mara")
    mara.claude(
        1,
        "Wei Zhang from infra runs the build farm for us. Wei Zhang joined Nordkart in 2021.",
        ("assistant", "Noted."),
        "Lena Zhang is a geologist in Bergen and she draws the seabed maps for us.",
    )
    mara.codex(
        2,
        "Zhang Wei (张伟) fixed the cache of the build farm on 2026-05-01. "
        "Zhang Wei leads the migration to the new cluster.",
        ("assistant", "Good."),
        "张伟丽是我们的会计，她在奥斯陆工作。张伟丽负责项目预算。",
    )
    mara.chatgpt(
        talk("Infra", 3, "We decided with Wei from infra to keep the logs of the build farm for 90 days."),
        talk("Maps", 3, "Lena Zhang finished the seabed map of the Tern basin on 2026-05-02."),
    )

    mara.night()

    people = mara.pages("entities/")
    wei = [page for page in people if "wei" in page]
    assert len([page for page in wei if "build farm" in mara.page(page)]) == 1
    page = next(page for page in wei if "build farm" in mara.page(page))
    text = mara.page(page)
    assert words_in(text, "Nordkart", "90 days", "migration") == ["Nordkart", "90 days", "migration"]
    names = text.partition("\n# ")[0]
    assert "Wei Zhang" in names
    assert "Zhang Wei" in names
    assert "张伟" in names
    assert words_in(text, "张伟丽", "会计", "seabed") == []
    assert "Lena" not in text
    others = "\n".join(mara.page(one) for one in people if one not in (page, "entities/mara"))
    assert words_in(others, "joined Nordkart", "Wei leads") == []
    mara.chatgpt(talk("Later", 9, "Wei from infra moved the build farm to Trondheim on 2026-05-08."), file="later.json")
    mara.night()
    assert [one for one in mara.pages("entities/") if "wei" in one] == wei
    assert "Trondheim" in mara.page(page)


def test_second_dream_over_the_same_sessions_is_no_commit(live: Living) -> None:
    """T04: dreamed again on another day, imported again, dreamed by the command line: not a byte, not a commit."""
    mara = live("Mara")
    mara.claude(1, "I live in Oslo. We decided to use lidar for the Tern survey.", cwd="/home/u/tern-survey")
    mara.claude(2, "The Tern survey is due on 2026-06-30. Wei Zhang runs the build farm.", cwd="/home/u/tern-survey")
    mara.night()
    before, head = mara.files(), mara.head
    assert mara.pages()

    for days in (1, 40):
        mara.now = mara.now.replace(year=2026 + days)
        again = mara.dream()
        assert (again.noop, again.applied, again.commit) == (True, False, None)
    assert mara.take().turns == 0
    typed = mara.typed("dream")
    assert typed.returncode == 0, typed.stderr
    assert (mara.files(), mara.head) == (before, head)

    mara.claude(
        2,
        "The Tern survey is due on 2026-06-30. Wei Zhang runs the build farm.",
        ("assistant", "Noted."),
        "ok thanks",
        cwd="/home/u/tern-survey",
    )
    mara.take()
    result = mara.dream()
    assert (result.noop, result.turns) == (True, 2)
    after = mara.files()
    assert {
        path for path in before if path.startswith(("knowledge/", "notes/")) and before[path] != after[path]
    } == set()
    assert mara.errors() == []


def test_a_move_closes_only_the_claim_of_the_one_who_moved(live: Living) -> None:
    """T08: A works on X and moves to Y; B and C stay, C visits Y; what closes has its day and both cites."""
    mara = live("Mara")
    mara.claude(
        1,
        "Ana works on the Reef project. Ben works on the Reef project. Cleo works on the Reef project.",
        ("assistant", "Noted."),
        "Ana is a diver from Faro. Ben is a cartographer from Gent. Cleo is a biologist from Nice.",
        "I live in Oslo.",
    )
    mara.claude(2, "Ana, Ben and Cleo presented the Reef project to the council on 2026-05-01.")
    mara.night()
    mara.claude(5, "Ana moved to the Delta project. Cleo visited the Delta project on 2026-05-04.")
    mara.claude(6, "I moved to Bergen last week, the flat in Oslo is sold.")
    mara.claude(7, "My sister Ingrid moved to Tromsø.")

    mara.night()

    history = [line for page in mara.pages() for line in mara.claims(page, "History")]
    reef = [line for line in history if "Reef" in line]
    assert any("Ana works on the Reef project" in line for line in reef)
    assert not any(name in line for line in reef for name in ("Ben", "Cleo"))
    oslo = [line for line in history if "Oslo" in line]
    assert oslo
    for line in (*reef, *oslo):
        assert re.search(r"2026-05-0\d|week of 2026-04-\d\d", line), line
        assert line.count("[cite:") >= 2, line
    current = [line for page in mara.pages() for line in mara.claims(page) if line not in history]
    assert any("Ben" in line and "works on the Reef" in line for line in current)
    assert any("Cleo" in line and "works on the Reef" in line for line in current)
    assert not any("Ana works on the Reef" in line for line in current)
    assert any("Ana" in line and "Delta" in line for line in current)
    assert any("Bergen" in line for line in current)
    assert not any("lives in Oslo" in line for line in current)
    assert not any("lives in Oslo" in one.text for one in mara.snippets())
    assert words_in("\n".join(line for line in history), "Tromsø") == []


def test_leaving_closes_the_one_assignment_and_no_other(live: Living) -> None:
    """T08, same kind: "Ben left the Delta project" must not retire Ben's home, nor Ana's Delta."""
    mara = live("Mara")
    mara.claude(
        1,
        "Ben works on the Delta project. Ben lives in Gent. Ana works on the Delta project. Ana lives in Faro.",
        ("assistant", "Noted."),
    )
    mara.claude(2, "Ben and Ana showed the Delta project to the council on 2026-05-01.")
    mara.night()
    mara.claude(8, "Ben left the Delta project on 2026-05-07.")

    mara.night()

    history = "\n".join(line for page in mara.pages() for line in mara.claims(page, "History"))
    lines = [line for page in mara.pages() for line in mara.claims(page)]
    current = "\n".join(line for line in lines if line not in history)
    assert "Ben left the Delta project" in current.replace("[[entities/ben|Ben]]", "Ben")
    assert "Gent" not in history
    assert "Ana" not in history
    assert "Faro" in current
    assert not re.search(r"Ben(?:\]\])? works on the Delta", current)


def test_many_sessions_make_a_wiki_that_hangs_together(live: Living) -> None:
    """T23: thirty sessions: links resolve, pages are in the index or counted, none stands alone or twice."""
    mara = live("Mara")
    people = ["Ana Faro", "Ben Gent", "Cleo Nantes", "Dag Moss", "Eva Riga", "Finn Cork"]
    for day in range(1, 31):
        who, other = people[day % 6], people[(day + 1) % 6]
        mara.claude(
            day,
            f"{who} works with {other} on the Gate {'A' if day % 2 else 'B'} project. {who} lives in {who.split()[1]}.",
            ("assistant", "Noted."),
            f"We decided to use method {day} for Gate {'A' if day % 2 else 'B'} as {who} tested it on {day} piers.",
            cwd=f"/home/u/gate-{'a' if day % 2 else 'b'}",
        )

    mara.night()

    problems = mara.problems()
    assert [p for p in problems if p.severity is Severity.E] == []
    assert [p.path for p in problems if p.rule in ("LNK006", "FM005")] == []
    pages = mara.pages()
    index = mara.brain.index()
    listed = set(re.findall(r"^((?:entities|concepts|projects|learnings)/[a-z0-9-]+) — ", index, re.MULTILINE))
    hidden = sum(int(n) for n in re.findall(r"^\(\+(\d+)", index, re.MULTILINE))
    assert listed <= set(pages)
    assert len(pages) == len(listed) + hidden
    targets = set(re.findall(r"\[\[([^\]|#]+)", mara.wiki()))
    assert targets <= set(pages)
    titles = [re.search(r"^title: (.+)$", mara.page(page), re.MULTILINE)[1].casefold() for page in pages]  # type: ignore[index]
    assert len(titles) == len(set(titles))
    assert {f"entities/{name.lower().replace(' ', '-')}" for name in people} <= set(pages)
    assert sum("gate" in page for page in pages) == 2


def test_broken_links_duplicates_and_orphans_are_refused(live: Living) -> None:
    """T23, the other half: what a careless hand puts into the folder is named by `brain check`, with exit code 1."""
    mara = live("Mara")
    mara.claude(1, "I live in Oslo and I want maps as SVG, not PNG. I am a hydrographer at Nordkart.")
    mara.night()
    good = mara.page("entities/mara")
    path = mara.root / "knowledge/entities/mara.md"
    bad = {
        "LNK001": good.replace("## References", "## See also\n- [[projects/gone]] — nothing there\n\n## References"),
        "LNK002": good.replace("## References", "## See also\n- [[../entities/mara.md]] — path\n\n## References"),
        "CIT002": good.replace("[cite:1]\n", "[cite:77]\n", 1),
    }
    for rule, text in bad.items():
        assert text != good
        path.write_text(text, "utf-8")
        typed = mara.typed("check")
        assert typed.returncode == 1, (rule, typed.stdout)
        assert rule in typed.stdout
        assert "knowledge/entities/mara.md" in typed.stdout
    path.write_text(good, "utf-8")
    twin = mara.root / "knowledge/entities/mara-two.md"
    twin.write_text(good.replace("id: entities/mara\n", "id: entities/mara-two\n"), "utf-8")
    assert any(p.rule == "FM005" for p in mara.problems())
    twin.unlink()
    assert mara.errors() == []


def test_index_that_was_written_over_is_built_anew(live: Living) -> None:
    """T23, same kind: a person's text in the generated index is named by the check, and the next night rebuilds it."""
    mara = live("Mara")
    mara.claude(1, "I live in Oslo and I want maps as SVG, not PNG.")
    mara.night()
    (mara.root / "knowledge/index.md").write_text("# My own index\n", "utf-8")
    assert any(problem.rule == "IDX001" for problem in mara.problems())
    mara.claude(2, "We decided to hire the boat Tern because the ferry is full.")

    mara.night()

    assert mara.read("knowledge/index.md").startswith("<!-- brain-index v1")
    assert mara.errors() == []


def test_page_that_cannot_be_read_is_named_and_the_night_goes_on_around_it(live: Living) -> None:
    """T19, T23: a file that is no page among the pages: exit code 1 with its name, left as it is, the rest is done."""
    mara = live("Mara")
    mara.claude(1, "I live in Oslo and I want maps as SVG, not PNG.")
    mara.night()
    stray = mara.root / "knowledge/entities/scratch.md"
    stray.write_text("# My own thoughts\n", "utf-8")
    mara.claude(2, "We decided to hire the boat Tern because the ferry is full.")
    mara.take()

    typed = mara.typed("dream")

    assert typed.returncode == 1
    assert "knowledge/entities/scratch.md" in typed.stderr + typed.stdout
    assert stray.read_text("utf-8") == "# My own thoughts\n"
    assert any("Tern" in one.text for one in mara.snippets())
    stray.unlink()
    assert mara.typed("dream").returncode == 0
    assert mara.typed("check").returncode == 0


def test_sections_of_a_page_can_be_told_apart() -> None:
    assert sections_of("# A\n\nx\n\n## B\n1\n\n## C\n2\n") == {"B": "\n1\n\n", "C": "\n2\n"}
