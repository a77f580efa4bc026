"""Words from outside on a page: whatever they are, they stand there once, read back as they were, and break no rule."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from brain.config import Config, Connector
from brain.dream.links import Linker
from brain.dream.noticed import Hand
from brain.dream.sightings import of_event, quoted
from brain.dream.subjects import Head
from brain.rules import check
from brain.rules.evidence import TreeEvidence
from brain.tree import frontmatter
from brain.tree.deletions import Deletions
from brain.tree.files import MemoryTree
from brain.tree.ids import parse_time
from brain.tree.page import ORDER, Page, parse
from brain.tree.snapshot import Record, Snapshot, render
from brain.types import Qualifier, Severity

NOW = parse_time("2026-08-06T07:40:11Z")
CONFIG = Config(connectors={"calendar": Connector(kind="calendar")})


def blank() -> Page:
    head = {
        "id": "projects/sprint", "type": "project", "title": "Sprint", "description": "A sprint in two cities, planned",
        "status": "active", "created_at": "2026-05-20T09:00:00Z", "updated_at": "2026-05-20T09:00:00Z",
        "updated_by": "dream/0.1", "next_cite": "2", "language": "en",
    }  # fmt: skip
    body = "# Sprint\n\nA sprint in two cities. [cite:1]\n\n## References\n[cite:1]: file://artifacts/plan.md\n"
    return parse(frontmatter.render(head, ORDER) + body, "knowledge/projects/sprint.md")


def hand() -> Hand:
    linker = Linker([Head(id="entities/lab", title="Lab", kind="org"), Head(id="projects/sprint", title="Sprint")])
    return Hand(connector="calendar", mark=Qualifier.EXTERNAL, linker=linker)


def record(title: str, where: str, day: str = "2026-10-12") -> Record:
    return Record(
        kind="event", id="e1", title=title, day=day, fields=(("when", f"{day} 14:00 (UTC)"), ("where", where))
    )


ANY = st.text(alphabet=st.characters(codec="utf-8", exclude_categories=("Cs", "Cc", "Cf")), max_size=60)
ODD = st.sampled_from(
    [
        "[[entities/lab]]", "Lab [cite:4]", "^[external] x", "`code` in", "# head", "- item", "<b>x</b>", "a | b",
        "x\\", '"q"', "**Calendar** — y", "[a](b)", "| row |", "1. one", "~~~", "Lab's \\[x\\]", "![[x]]",
        "x ^n12345678",
    ]
)  # fmt: skip
words = ANY | ODD


@settings(max_examples=300, deadline=None)
@given(words, words)
def test_any_event_stands_on_a_page_once_and_reads_back(title: str, where: str) -> None:
    said = record(title, where)
    sighting = of_event(said, "project")
    if sighting is None:
        return
    snapshot = Snapshot(connector="calendar", at="2026-08-06T07:40:11Z", record=said)
    once = hand().put(blank(), sighting, snapshot.uri)
    (claim,) = (one for one in once.claims if one.label == "Calendar")
    assert claim.qualifiers == ("external",)
    assert len(claim.cites) == 1
    assert quoted(title, 120) in claim.words
    assert hand().put(once, sighting, snapshot.uri) is once
    again = Snapshot(connector="calendar", at="2026-09-01T00:00:00Z", record=said)
    assert hand().put(once, sighting, again.uri) is once


@settings(max_examples=150, deadline=None)
@given(words, words)
def test_any_event_breaks_no_rule_and_moves_to_history_when_it_moves(title: str, where: str) -> None:
    said, moved = record(title, where), record(title, where, "2026-10-19")
    first, second = of_event(said, "project"), of_event(moved, "project")
    if first is None or second is None:
        return
    snapshots = [Snapshot(connector="calendar", at="2026-08-06T07:40:11Z", record=one) for one in (said, moved)]
    once = hand().put(blank(), first, snapshots[0].uri)
    twice = hand().put(once, second, snapshots[1].uri)
    assert [one.section for one in twice.claims if one.label == "Calendar"] == ["Timeline"]
    history = twice.section("History")
    assert history is not None
    assert "replaced on 2026-08-06" in history.claims[0].words
    for page in (once, twice):
        files = {page.path: page.text, "sessions/artifacts/plan.md": "A sprint in two cities."}
        files |= {f"sessions/artifacts/connectors/calendar/{one.sha}.json": render(one) for one in snapshots}
        tree = MemoryTree(files)
        found = check(tree, MemoryTree({}), config=CONFIG, evidence=TreeEvidence(tree), deletions=Deletions(), now=NOW)
        ours = [
            one
            for one in found
            if one.severity is Severity.E and one.rule[:3] in ("CIT", "QUA", "SEC", "SRC", "STR", "TXT")
        ]
        assert ours == [], (title, where)
