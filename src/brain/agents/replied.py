"""What an answering agent replies, followed to its evidence by code, whoever it was: a citation must lead somewhere."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from brain.agents.citing import PAGE_CITE, URI, Citing
from brain.explore.answer import Answer, Citation, Statement
from brain.text import clip, one_line
from brain.tree import layout
from brain.types import Surface

STATEMENTS = 8
_EMPTY = re.compile(r"\s*[(<\[`]\s*[,;]?\s*[)>\]`]")


class Sentence(BaseModel):
    """One sentence of the answer, with the citations that carry it."""

    model_config = ConfigDict(extra="ignore")
    text: str = Field(description="One sentence that stands alone.")
    cites: list[str] = Field(description="session://<id>#t3-t5, or a page as `projects/x cite:4`.")


class Reply(BaseModel):
    """The answer to the question."""

    model_config = ConfigDict(extra="ignore")
    statements: list[Sentence] = Field(default_factory=list)
    missing: str = Field(default="", description="What memory does not answer; empty when nothing is missing.")


@dataclass(slots=True, kw_only=True)
class ReplyReader:
    """What came of the agent's last reply, after its citations were followed."""

    citing: Citing
    statements: list[Statement] = field(default_factory=list)
    missing: str = ""
    nowhere: list[str] = field(default_factory=list)
    left_out: int = 0

    def read(self, reply: Reply) -> list[str]:
        """Take a reply in place of the one before; returns what is wrong with it."""
        self.statements, self.nowhere, self.left_out = [], [], 0
        self.missing = one_line(reply.missing)
        faults = []
        for number, said in enumerate(reply.statements[:STATEMENTS], start=1):
            cites: dict[str, Citation] = {}
            path = ""
            for cited in said.cites:
                followed = self.citing.follow(cited)
                if not followed:
                    self.nowhere.append(cited)
                    faults.append(f"statement {number}: {clip(cited, 100)!r} leads nowhere; cite what you read")
                for one in followed:
                    cites.setdefault(one.citation.uri, one.citation)
                    path = path or one.path
            if not cites:
                self.left_out += 1
                faults.append(f"statement {number} has no citation that leads anywhere")
                continue
            self.statements.append(_statement(said, path, tuple(cites.values())))
        if not reply.statements and not self.missing:
            faults.append("there are no statements: say in missing what memory does not answer")
        return faults

    def answer(self, question: str, engine: str) -> Answer:
        said = []
        if self.nowhere:
            many = "1 citation" if len(self.nowhere) == 1 else f"{len(self.nowhere)} citations"
            were = "was" if len(self.nowhere) == 1 else "were"
            cited = ", ".join(repr(clip(one, 60)) for one in self.nowhere[:3])
            said.append(f"{many} led nowhere and {were} left out: {cited}")
        if self.left_out:
            said.append(f"{self.left_out} statement{'s' if self.left_out > 1 else ''} had no other and went with them")
        return Answer(
            question=question,
            found=bool(self.statements),
            statements=tuple(self.statements),
            remark="; ".join(said) or None,
            engine=engine,
            missing=self.missing,
            nowhere=tuple(self.nowhere),
        )


def _statement(said: Sentence, path: str, cites: tuple[Citation, ...]) -> Statement:
    return Statement(
        text=one_line(said.text),
        surface=Surface.PAGE if layout.page_id(path) else Surface.TURN,
        path=path,
        line=0,
        title="",
        day=max((cite.day for cite in cites if cite.day), default=None),
        relevance=1.0,
        cites=cites,
    )


def reply_in(text: str) -> Reply | None:
    """The reply that a command printed: the last JSON object of that shape, else its lines with their citations."""
    decoder = json.JSONDecoder()
    at = text.rfind("{")
    while at >= 0:
        try:
            found, _ = decoder.raw_decode(text, at)
            if isinstance(found, dict) and "statements" in found:
                return Reply.model_validate(found)
        except (ValueError, ValidationError, RecursionError):
            pass
        at = text.rfind("{", 0, at)
    rows = [_sentence(line) for line in text.splitlines()]
    kept = [row for row in rows if row.cites and row.text]
    return Reply(statements=kept) if kept else None


def _sentence(line: str) -> Sentence:
    cites = [*URI.findall(line), *(match[0] for match in PAGE_CITE.finditer(URI.sub("", line)))]
    said = line
    for cited in cites:
        said = said.replace(cited, "")
    return Sentence(text=one_line(_EMPTY.sub("", said)).strip(" -*•,;"), cites=cites)
