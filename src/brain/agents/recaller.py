"""The memory agent by a model: it searches, opens, follows and stops, and returns a synthesis whose sources resolve.

>>> Recaller(ledger)(corpus, "who hosts us in Kyoto?", Budget()).text()             # doctest: +SKIP
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from pydantic import BaseModel, ConfigDict, Field

from brain.agents.asking import ask_agent
from brain.agents.ledger import Ledger
from brain.agents.manners import Manners
from brain.agents.metered import metered
from brain.agents.models import shaped
from brain.agents.prompts import fenced, prompt
from brain.agents.records import Records
from brain.agents.roles import Role
from brain.corpus.corpus import Corpus
from brain.explore.recall import Budget, Passage, Recall, Stop, Told, Wanted
from brain.text import clip, one_line
from brain.tree.layout import FileClass, classify
from brain.tree.uri import SessionUri, parse

if TYPE_CHECKING:
    from pydantic_ai import Agent, RunContext
    from pydantic_ai.models import Model

STATEMENTS = 8
REPAIRS = 2
BESIDE_SEARCHES = 20
"""Requests that a recall may take beside its searches: opening, following, mending its answer."""

_PAGE_CITE = re.compile(r"(?P<page>[^\s#\[\]]+)[\s#]*\[?cite:(?P<number>\d+)\]?")


class Said(BaseModel):
    """One statement with the sources that carry it."""

    model_config = ConfigDict(extra="ignore")
    text: str = Field(description="One sentence that stands alone.")
    sources: list[str] = Field(description="session://<id>#t3-t5, or a page as `entities/x cite:4`.")


class Worth(BaseModel):
    """A file worth having at hand."""

    model_config = ConfigDict(extra="ignore")
    path: str
    why: str = ""


class Finding(BaseModel):
    """What the memory agent brings back."""

    model_config = ConfigDict(extra="ignore")
    statements: list[Said] = Field(default_factory=list)
    files: list[Worth] = Field(default_factory=list)
    missing: str = Field(default="", description="What of the need memory does not hold; empty when nothing.")


class Recaller:
    """A `MemoryAgent` on any model. `model` is the settings' model for the role unless given."""

    def __init__(self, ledger: Ledger, *, model: Model | str | None = None) -> None:
        self.ledger = ledger
        self._model = metered(ledger, Role.RECALL, model)

    def __call__(self, corpus: Corpus, need: str, budget: Budget) -> Recall:
        """Raises BudgetExceeded, BadOutput, ModelFailed, ContextOverflow, ConfigError; NotFound on an empty memory."""
        from pydantic_ai.messages import CachePoint

        desk = _Desk(records=Records(corpus=corpus, budget=budget), need=need)
        before, _, after = prompt(
            "need",
            self.ledger.root,
            map=fenced("map", desk.records.index() or "The wiki has no pages yet."),
            need=clip(need, 4_000),
            searches=str(budget.searches),
            files=str(budget.files),
        ).partition("\nNeed, in the words")
        ask_agent(
            self.ledger,
            self._agent(desk.records),
            [before, CachePoint(), f"Need, in the words{after}"],
            role=Role.RECALL,
            model=self._model,
            deps=desk,
            requests=budget.searches + BESIDE_SEARCHES,
        )
        return desk.recalled(f"model {self._model.name}")

    def _agent(self, records: Records) -> Agent[_Desk, Finding]:
        from pydantic_ai import Agent

        agent: Agent[_Desk, Finding] = Agent(
            self._model,
            output_type=shaped(self.ledger.config, self._model, Finding, tools=True),
            deps_type=_Desk,
            instructions=prompt("recall", self.ledger.root),
            tools=records.tools(),
            retries={"output": REPAIRS},
            capabilities=[cast(Any, Manners())],
        )
        agent.output_validator(_checked)
        return agent


def _checked(ctx: RunContext[_Desk], finding: Finding) -> Finding:
    """Sends a finding back with what does not hold; the last one is taken without it."""
    from pydantic_ai import ModelRetry

    faults = ctx.deps.read(finding)
    if faults and ctx.retry < ctx.max_retries:
        listed = "\n".join(f"- {fault}" for fault in faults[:12])
        raise ModelRetry(f"Mend these and return the whole answer again:\n{listed}")
    return finding


@dataclass(slots=True, kw_only=True)
class _Desk:
    """What came of the agent's last answer, after its sources were followed."""

    records: Records
    need: str
    statements: list[Told] = field(default_factory=list)
    files: list[Wanted] = field(default_factory=list)
    missing: str = ""
    left_out: int = 0
    nowhere: list[str] = field(default_factory=list)

    def read(self, finding: Finding) -> list[str]:
        """Take an answer in place of the one before; returns what is wrong with it."""
        self.statements, self.files, self.left_out, self.nowhere = [], [], 0, []
        self.missing = one_line(finding.missing)
        faults = []
        for number, said in enumerate(finding.statements[:STATEMENTS], start=1):
            told, wrong = self._told(said, number)
            faults += wrong
            if told:
                self.statements.append(told)
            else:
                self.left_out += 1
        for worth in finding.files:
            path = self.records.path_of(worth.path)
            if path:
                self.files.append(Wanted(path=path, why=clip(one_line(worth.why), 120) or "chosen", score=1.0))
            else:
                faults.append(f"files: memory holds no file {worth.path!r}")
        if not finding.statements and not self.missing:
            faults.append("there are no statements: say in missing what memory does not hold")
        return faults

    def _told(self, said: Said, number: int) -> tuple[Told | None, list[str]]:
        faults, uris, paths = [], [], []
        for source in said.sources:
            found = list(self._resolved(source))
            if not found:
                self.nowhere.append(source)
                faults.append(f"statement {number}: {source!r} leads nowhere; cite turns you opened")
            uris += [uri for uri, _ in found if uri]
            paths += [path for _, path in found]
        text = one_line(said.text)
        if not paths or not text:
            return None, faults or [f"statement {number} has no source"]
        days = [self.records.days[uri] for uri in uris if uri in self.records.days]
        return (
            Told(
                text=text,
                path=paths[0],
                line=0,
                day=max(days, default=None),
                sources=tuple(dict.fromkeys(uris)),
                score=round(1.0 - 0.05 * (number - 1), 4),
            ),
            faults,
        )

    def _resolved(self, source: str) -> Iterator[tuple[str, str]]:
        """The turns behind a source with the file they are cited from; the URI is empty for a page as a whole."""
        source = source.strip().strip("<>`[]")
        records = self.records
        if "://" in source:
            if found := records.source(source):
                yield str(found), records.rows[found.session].transcript
        elif match := _PAGE_CITE.fullmatch(source):
            path = records.path_of(match["page"])
            page = records.reader.pages([path]).get(path) if path else None
            reference = page.references.get(int(match["number"])) if page else None
            if path and reference:
                yield str(parse(reference.uri)), path
        elif path := records.path_of(source.rpartition(":")[0] if source[-1:].isdigit() else source):
            yield "", path

    def recalled(self, engine: str) -> Recall:
        """The recall, with the files behind its statements first."""
        records, budget = self.records, self.records.budget
        wanted: dict[str, Wanted] = {}
        for told in self.statements:
            cited = f"cited for {clip(told.text, 60)!r}"
            wanted.setdefault(told.path, Wanted(path=told.path, why=cited, score=told.score))
            for uri in told.sources:
                if (source := records.source(uri)) and (path := records.rows[source.session].transcript):
                    wanted.setdefault(path, Wanted(path=path, why=cited, score=told.score))
        for file in self.files:
            wanted.setdefault(file.path, file)
        files, passages = [], []
        for one in list(wanted.values())[: budget.files]:
            size = records.size(one.path) if classify(one.path) is FileClass.TRANSCRIPT else 0
            if size > budget.transcript:
                passages.append(Passage(uri=self._uri(one.path), path=one.path, size=size))
            else:
                files.append(one)
        many = f"{self.left_out} statements" if self.left_out > 1 else "1 statement"
        cited = f": {', '.join(repr(clip(one, 60)) for one in self.nowhere[:3])}" if self.nowhere else ""
        over = f"{many} without a source that resolves left out{cited}" if self.left_out else ""
        spent = len(records.steps) >= budget.searches
        return Recall(
            need=self.need,
            commit=records.commit,
            found=bool(self.statements),
            statements=tuple(self.statements),
            records=tuple(files),
            passages=tuple(passages),
            steps=tuple(records.steps),
            stopped=Stop.BUDGET if spent else Stop.SATISFIED if self.statements else Stop.EMPTY,
            engine=engine,
            missing=self.missing,
            remark=over,
        )

    def _uri(self, path: str) -> str:
        """What of a transcript that is too large to bring was cited."""
        sources = [self.records.source(uri) for told in self.statements for uri in told.sources]
        mine = [one for one in sources if one and self.records.rows[one.session].transcript == path]
        ranges = tuple(pair for one in mine for pair in one.ranges)
        session = next(row.id for row in self.records.rows.values() if row.transcript == path)
        return str(SessionUri(session, ranges[:5]))
