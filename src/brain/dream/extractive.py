"""The engine without a model: facts are attached to subjects and written as they were said, never rephrased."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from brain.dream import lesson
from brain.dream.attach import Attacher, Attachment
from brain.dream.attach import page_id as page_id_for
from brain.dream.checked import Checked
from brain.dream.engine import Desk, Update
from brain.dream.entries import in_order, spoken
from brain.dream.handover import handed_over
from brain.dream.lead import Theme
from brain.dream.learn import MIN_LESSONS
from brain.dream.limits import CLAIMS, Room
from brain.dream.links import Linker
from brain.dream.opening import Opening
from brain.dream.pages import Pen, Plan, Written
from brain.dream.place import Attached, Placement, home, place
from brain.dream.renewal import Renewal
from brain.dream.split import Moved, is_full, largest_area, move
from brain.dream.subjects import Directory, Head
from brain.dream.worth import worth
from brain.errors import FormatError
from brain.rules import verify
from brain.sync.manifest import Op, Operation
from brain.tree import frontmatter, markdown, uri
from brain.tree.files import Tree
from brain.tree.layout import DIR_TYPES, page_id, page_path
from brain.tree.page import parse
from brain.types import Qualifier, Subject, SubjectKind, Turn

VERSION = "0.1"
LEAST_CLAIMS = 2
MOST_THEMES = 4
_FIRST = ("projects", "learnings", "concepts", "entities")
"""Kinds of pages in the order in which they take from a run's allowance."""

LENT = 3
"""How many statements of other pages an owner's new page repeats when it has none of its own."""

OWNERS_SHARE = 0.35
"""The part of a run's allowance that other new pages leave to those of the owners."""


class Extractive:
    """Selection, never invention: every claim is lifted from a turn, and checked against it once more."""

    name = "extractive"
    version = VERSION
    model: str | None = None
    in_tree = False
    rounds = 0
    """What it writes was checked line by line already; a claim that still fails is taken out."""

    def revise(self, desk: Desk, checked: Checked) -> Update:
        return Update()

    def update(self, desk: Desk) -> Update:
        directory = desk.directory
        for id, name in sorted(desk.owners.items()):
            if id not in directory.heads:
                directory.add(Head(id=id, title=name, kind="person"))
        owners = frozenset(desk.owners)
        done = Update()
        language = spoken((fact for fact in desk.facts if fact.qualifier is None), desk.config.language)
        found = Attacher(directory, desk.past, owners=owners, language=language).attach(desk.facts, desk.vocabulary)
        if found.unplaced:
            done.drop("no page yet", len(found.unplaced))
        for why, number in sorted(found.unclear.items()):
            done.drop(why, number)
        checker = _Checker(desk)
        opening = Opening(
            linker=Linker(()),
            owners=desk.owners,
            check=checker,
            human=desk.human,
            english=language.startswith("en"),
        )
        pen = Pen(
            opening=opening,
            room=Room(left=desk.allowance, dropped=Counter()),
            day=desk.now.date().isoformat(),
            run_id=desk.run_id,
            language=language,
        )
        plans = self._plan(found, directory, desk, pen)
        moved = self._split(found, directory, desk) | self._lessons(found, desk, plans)
        pen.opening.linker = Linker(head for head in directory.heads.values() if head.has_page)
        for owner, part in sorted(moved.items()):
            page = part.to.removeprefix("knowledge/").removesuffix(".md")
            plan = plans.get(page, Plan(lines=[], past=[]))
            plan = Plan(lines=[*part.lines, *plan.lines], past=plan.past)
            split = pen.create(
                directory.heads[page],
                plan,
                found.placements.pop(page, []),
                {owner: len(plan.lines)},
                sources=part.sources,
            )
            plans.pop(page, None)
            _keep(desk, done, split)
        for id in sorted(found.placements):
            head, placements, met = directory.heads[id], found.placements[id], found.met.get(id, {})
            if id in directory.unreadable:
                done.drop("its page cannot be read", len(placements))
            elif id in plans:
                themes = themes_of(id, found, directory) if id in desk.owners else []
                _keep(desk, done, pen.create(head, plans[id], placements, met, themes))
            elif written := pen.update(
                head, parse(desk.base.read(page_path(id)), page_path(id)), placements, met, moved.get(id)
            ):
                _keep(desk, done, written)
        self._close_elsewhere(desk, found, directory, done, pen)
        self._hand_over(desk, plans, directory, done, pen)
        placed = [one for id in sorted(found.placements) for one in found.placements[id]]
        news = Renewal(desk, directory, pen, lambda written: _keep(desk, done, written))
        news.run([*desk.facts, *(one.fact for one in placed)], placed, [op.path for op in done.ops])
        for reason, number in sorted(pen.dropped.items()):
            done.drop(reason, number)
        for id in sorted(found.placements):
            for placement in found.placements[id] if id.startswith("projects/") else ():
                ids = done.projects.setdefault(placement.fact.session, [])
                if id not in ids:
                    ids.append(id)
        for written in desk.probe.written(desk) if desk.probe else ():
            _keep(desk, done, written)
        return done

    def _plan(self, found: Attachment, directory: Directory, desk: Desk, pen: Pen) -> dict[str, Plan]:
        """Plans of the new pages. One whose claims do not hold is no page: its name links nowhere, and what its
        facts say of an owner goes to the owner's page."""
        plans: dict[str, Plan] = {}
        owners = frozenset(desk.owners)
        new = [id for id in sorted(found.placements) if page_path(id) not in desk.base and id not in desk.owners]
        kept_back = 0 if pen.room.left is None else int(pen.room.left * OWNERS_SHARE)
        pen.room.left = None if pen.room.left is None else pen.room.left - kept_back
        for id in sorted(
            new, key=lambda page: (_FIRST.index(page.partition("/")[0]), -len(found.placements[page]), page)
        ):
            plan = pen.plan(directory.heads[id], found.placements[id])
            if id in found.lessons and len(plan.lines) + lesson.held(desk.past.body(found.lessons[id])) >= MIN_LESSONS:
                plans[id] = plan
                continue
            if len(plan.lines) < LEAST_CLAIMS:
                found.placements[id] += self._elsewhere(id, found, directory, owners)
                plan = pen.plan(directory.heads[id], found.placements[id])
            if plan.is_worth_a_page(directory.heads[id]):
                plans[id] = plan
                continue
            for placement in found.placements.pop(id):
                ids = tuple(other for other in placement.ids if other in directory and directory[other].id != id)
                item = Attached(fact=placement.fact, ids=ids)
                other = home(item, directory, owners)
                if other is not None and (
                    other in found.placements or other in owners or page_path(other) in desk.base
                ):
                    found.placements.setdefault(other, []).append(place(item, other, directory, owners))
        pen.room.left = None if pen.room.left is None else pen.room.left + kept_back
        for id in sorted(id for id in owners if page_path(id) not in desk.base):
            if id not in found.placements:
                told = self._elsewhere(id, found, directory, owners)
                found.placements[id] = sorted(told, key=lambda one: -worth(one.fact))[:LENT]
            plans[id] = pen.plan(directory.heads[id], found.placements[id])
            if not plans[id].lines:
                del plans[id], found.placements[id]
        for id in [id for id, head in directory.heads.items() if head.has_page]:
            if id not in found.placements and page_path(id) not in desk.base:
                del directory.heads[id]
        for row in found.met.values():
            for id in [id for id in row if id not in directory.heads]:
                del row[id]
        return plans

    def _split(self, found: Attachment, directory: Directory, desk: Desk) -> dict[str, Moved]:
        """Owners' pages that are full give their largest area of life away, to a page that does not exist yet."""
        out: dict[str, Moved] = {}
        for owner in sorted(desk.owners):
            path = page_path(owner)
            if owner not in found.placements or path not in desk.base or owner in directory.unreadable:
                continue
            standing = parse(desk.base.read(path), path)
            part = largest_area(standing) if is_full(standing, CLAIMS["person"]) else None
            if part is None or not standing.language.startswith("en"):
                continue
            title = f"{desk.owners[owner].split(' ')[0]}'s {part[0].lower()}"
            if directory.find(Subject(name=title, kind=SubjectKind.CONCEPT)) is None:
                head = Head(id="", title=title, kind="concept")
                head = directory.add(replace(head, id=page_id_for(head, directory)))
                out[owner] = move(standing, *part, page_path(head.id))
        return out

    def _lessons(self, found: Attachment, desk: Desk, plans: dict[str, Plan]) -> dict[str, Moved]:
        """Lessons that stood on their subject's page move to the learning page that is made now."""
        out: dict[str, Moved] = {}
        for page, subject in sorted(found.lessons.items()):
            path = page_path(subject)
            if page not in plans or path not in desk.base or subject in desk.directory.unreadable:
                continue
            standing = parse(desk.base.read(path), path)
            section = standing.section(lesson.HEAD)
            claims = [claim for claim in (section.claims if section else ()) if claim.is_cited]
            if claims:
                out[subject] = move(standing, lesson.HEAD, claims, page_path(page), lesson.head_of)
                found.placements.setdefault(subject, [])
        return out

    def _elsewhere(self, id: str, found: Attachment, directory: Directory, owners: frozenset[str]) -> list[Placement]:
        """Statements that name a thin page's subject and live on another page: here they are what there is to say."""
        out = []
        for page in sorted(found.placements):
            for placement in found.placements[page] if page != id else ():
                if any(directory[other].id == id for other in placement.ids if other in directory):
                    out.append(place(Attached(fact=placement.fact, ids=placement.ids), id, directory, owners))
        return out

    def _close_elsewhere(self, desk: Desk, found: Attachment, directory: Directory, done: Update, pen: Pen) -> None:
        """A value of a subject that stands on another subject's page is closed there by newer news (T08)."""
        newest: dict[str, tuple[Placement, str]] = {}
        for id, placements in found.placements.items():
            for placement in placements:
                fact = placement.fact
                if fact.attribute and fact.about:
                    label = f"{fact.about[0].name}: {fact.attribute}"
                    known = newest.get(label)
                    if known is None or in_order([known[0], placement])[-1] is placement:
                        newest[label] = (placement, id)
        if not newest:
            return
        for label, ids in sorted(desk.past.labelled(sorted(newest)).items()):
            placement, home = newest[label]
            for id in ids:
                path = page_path(id)
                if id != home and path in desk.stage and id in directory and id not in directory.unreadable:
                    written = pen.close(directory[id], parse(desk.stage.read(path), path), label, placement)
                    if written is not None:
                        _keep(desk, done, written)

    def _hand_over(self, desk: Desk, plans: dict[str, Plan], directory: Directory, done: Update, pen: Pen) -> None:
        """Owners' pages stop saying what a page made now says of its own subject."""
        made = [page_path(id) for id in sorted(plans.keys() - desk.owners.keys()) if page_path(id) in desk.stage]
        pages = [parse(desk.stage.read(path), path) for path in made]
        for owner in sorted(desk.owners.keys() & directory.heads.keys() - directory.unreadable.keys()):
            path = page_path(owner)
            if not pages or path not in desk.stage:
                continue
            human = desk.human(path)
            for page in pages:
                standing = parse(desk.stage.read(path), path)
                if claims := handed_over(standing, page, human):
                    _keep(desk, done, pen.hand_over(directory[owner], standing, claims, page.path))


class _Checker:
    """Whether cited turns carry a claim; asked often for the same words, so answers are kept."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.owners = tuple(desk.owners.values())
        self.known: dict[tuple[str, tuple[str, ...], Qualifier | None], str | None] = {}

    def __call__(self, text: str, uris: Sequence[str], qualifier: Qualifier | None, head: Head) -> str | None:
        key = (text, tuple(uris), qualifier)
        if key not in self.known:
            turns = self.turns(uris)
            verdict = verify(markdown.plain(text), turns, qualifier=qualifier, owners=self.owners, subjects=head.names)
            self.known[key] = None if verdict.ok else f"{verdict.support.value}: {verdict.why}"
        return self.known[key]

    def turns(self, uris: Iterable[str]) -> list[Turn]:
        """The turns behind these sources."""
        found: list[Turn] = []
        for source in uris:
            parsed = uri.parse(source)
            if isinstance(parsed, uri.SessionUri):
                for first, last in parsed.ranges:
                    found += self.desk.evidence.turns(parsed.session, first, last)
        return found


def directory_of(tree: Tree) -> Directory:
    """All pages of a tree by the names in their frontmatter; bodies are not parsed."""
    directory = Directory()
    for path in tree.paths("knowledge/"):
        id = page_id(path)
        if id is None:
            continue
        try:
            meta, _, _ = frontmatter.parse(tree.read(path), path)
        except FormatError as error:
            directory.unreadable[id] = f"line {error.line}: {error.reason}"
            meta = {"title": id.partition("/")[2].replace("-", " ")}
        if meta.get("status") == "superseded":
            continue
        kind = str(meta.get("entity_kind") or DIR_TYPES[id.partition("/")[0]])
        aliases = meta.get("aliases", [])
        directory.add(
            Head(
                id=id,
                title=str(meta.get("title", "")),
                kind="other" if kind == "entity" else kind,
                aliases=(aliases,) if isinstance(aliases, str) else tuple(aliases),
                language=str(meta.get("language", "en")),
            )
        )
    return directory


def _keep(desk: Desk, done: Update, written: Written) -> None:
    desk.stage.write(written.page.path, written.page.text)
    earlier = next((op for op in done.ops if op.path == written.page.path), None)
    done.ops = [op for op in done.ops if op is not earlier] + [_joined(earlier, written.op)]
    done.added += written.added
    done.retired += written.retired


def _joined(earlier: Op | None, op: Op) -> Op:
    if earlier is None:
        return op
    return Op(
        op=earlier.op,
        path=op.path,
        reason=earlier.reason,
        note=earlier.note,
        cites_added=tuple(sorted({*earlier.cites_added, *op.cites_added})),
        claims_removed=(*earlier.claims_removed, *op.claims_removed) if earlier.op is not Operation.CREATE else (),
    )


def themes_of(owner: str, found: Attachment, directory: Directory) -> list[Theme]:
    """The topics an owner has most to say of: concept pages that hold statements of theirs, the fullest first."""
    themes: list[tuple[int, Theme]] = []
    for page in sorted(found.placements):
        title = directory.heads[page].title
        if page.startswith("concepts/") and "'s " not in title:
            mine = [p for p in found.placements[page] if owner in p.ids and p.fact.qualifier is None]
            named = [p for p in mine if all(word in p.text.lower() for word in title.lower().split())]
            if len(mine) >= LEAST_CLAIMS and named:
                themes.append((len(mine), Theme(title=title, uri=named[0].uri)))
    return [theme for _, theme in sorted(themes, key=lambda pair: (-pair[0], pair[1].title))[:MOST_THEMES]]
