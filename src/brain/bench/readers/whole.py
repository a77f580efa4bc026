"""The two ends of the scale: a model with every transcript before it, and one with nothing, both asked at once."""

from __future__ import annotations

from collections.abc import Iterator

from brain.agents.asking import ask_agent
from brain.agents.citing import Citing
from brain.agents.ledger import Ledger
from brain.agents.metered import metered
from brain.agents.models import shaped
from brain.agents.openings import Place
from brain.agents.prompts import fenced, prompt
from brain.agents.replied import Reply, ReplyReader
from brain.agents.roles import Role
from brain.explore.answer import Answer
from brain.text import clip, est_tokens
from brain.tree import layout, transcript
from brain.tree.files import FolderTree

ALL = "All of them are in the first message, the oldest first."
NONE = "You have nothing of them."


def answer_at_once(ledger: Ledger, place: Place, question: str, *, whole: bool) -> tuple[Answer, int]:
    """An answer, and the tokens of memory put before the model, as estimated. Citations are followed, not sent back.

    Raises BudgetExceeded, BadOutput, ModelFailed, ContextOverflow, ConfigError.
    """
    from pydantic_ai import Agent

    model = metered(ledger, Role.ANSWER, None)
    agent: Agent[None, Reply] = Agent(
        model,
        output_type=shaped(ledger.config, model, Reply, tools=False),
        instructions=prompt("at-once", place.root, what=ALL if whole else NONE),
        retries={"output": 2},
    )
    material = "".join(transcripts(place)) if whole else ""
    asked = f"Today is {place.today.isoformat()}.\nQuestion:\n{clip(question, 8_000)}"
    result = ask_agent(
        ledger,
        agent,
        [fenced("sessions", material), asked] if whole else asked,
        role=Role.ANSWER,
        model=model,
    )
    reader = ReplyReader(citing=Citing(place.root, place.config))
    reader.read(result.output)
    return reader.answer(question, f"model {model.name}"), est_tokens(material)


def transcripts(place: Place) -> Iterator[str]:
    """Every session's turns, under the URI they are cited by, the oldest first."""
    tree = FolderTree(place.root)
    paths = [
        path for path in tree.paths("sessions/transcripts/") if layout.classify(path) is layout.FileClass.TRANSCRIPT
    ]
    for path in sorted(paths, key=lambda one: one.rpartition("/")[2]):
        held = transcript.read(place.root / path)
        yield f"\n# session://{held.id}\n" + "".join(map(transcript.render_turn, held.turns))
