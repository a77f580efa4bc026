"""One definition of memory's tools, and the doors through which agents of any framework take them."""

from __future__ import annotations

import asyncio
import inspect
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from agents_memory import NIGHT
from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from brain import Brain
from brain.serve.mcp import make_server
from brain.tools import Memory, call, functions, schemas, toolset
from brain.tools.verbs import NAMES
from brain.tree.note import parse
from brain.types import Qualifier


@pytest.fixture
def brain(root: Path) -> Iterator[Brain]:
    with Brain.open(root, clock=lambda: NIGHT) as brain:
        yield brain


@pytest.fixture(autouse=True)
def _loop() -> Iterator[None]:
    """The loop that `run_sync` runs on, closed at the end: it makes one where there is none, and leaves it open."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    yield
    asyncio.set_event_loop(None)
    loop.close()


def plain(schema: dict[str, Any]) -> dict[str, Any]:
    """A JSON schema without titles, and with definitions put where they are used."""
    defined = schema.get("$defs", {})

    def look(value: Any) -> Any:
        if isinstance(value, dict):
            if "$ref" in value:
                return look(defined[value["$ref"].rpartition("/")[2]])
            left_out = {"$defs", "additionalProperties", "title"} | ({"description"} if "enum" in value else set())
            return {key: look(item) for key, item in value.items() if key not in left_out}
        return [look(item) for item in value] if isinstance(value, list) else value

    found: dict[str, Any] = look(schema)
    return found


def test_every_door_has_the_same_tools_with_the_same_arguments(brain: Brain) -> None:
    ours = {one["function"]["name"]: one["function"] for one in schemas(brain)}
    served = {tool.name: tool for tool in asyncio.run(make_server(brain).list_tools())}
    taken = {name: one.tool_def for name, one in toolset(brain).tools.items()}
    assert list(ours) == list(NAMES)
    assert set(served) == set(taken) == set(NAMES)
    for name, one in ours.items():
        assert one["description"] == served[name].description == taken[name].description
        wanted = plain(one["parameters"])
        assert plain(served[name].input_schema) == wanted
        assert plain(taken[name].parameters_json_schema) == wanted
        assert all("description" in argument for argument in wanted.get("properties", {}).values())
    assert [one["name"] for one in schemas(brain, "anthropic")] == list(NAMES)
    assert all(one["type"] == "function" and one["name"] in NAMES for one in schemas(brain, "responses"))


def test_plain_functions_answer_in_text_an_error_too(brain: Brain) -> None:
    search, recall, read, links, status, note = functions(brain)
    assert "Sora City Lab" in search("who hosts us in Kyoto?")
    assert search(query="Kyoto", limit=1, surfaces=["note"]).startswith("<<material ")
    assert "Sora City Lab" in recall("Who hosts us in Kyoto?")
    assert "PDF" in read("entities/nadia")
    assert "session://" in read("entities/nadia", cite="1")
    assert "entities/nadia" in links("entities/nadia")
    assert "pages" in status()
    assert "^[assistant]" in note("The harbour office opens at seven.", topic="work/harbour")
    assert read("entities/nobody").startswith("error: ")
    assert "40 words" in note("word " * 50)
    assert inspect.signature(read).parameters["cite"].default is None
    assert (read.__name__, bool(read.__doc__)) == ("read", True)


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("search", '{"query": "Kyoto", "limit": 2}', "Sora City Lab"),
        ("search", {"query": "Kyoto", "surfaces": ["page"]}, "material"),
        ("status", "", "sessions"),
        ("search", '{"query": "Kyoto", "limit": 5000}', "error: search: 'limit' should be less than"),
        ("search", '{"quary": "Kyoto"}', "error: search: 'query' is missing, there is no 'quary'; it takes query"),
        ("search", "[1]", "error: search: "),
        ("search", "{broken", "error: search: the arguments are no JSON"),
        ("forget_all", "{}", "error: there is no tool 'forget_all'"),
        ("index", "{}", "error: there is no tool 'index'"),
    ],
)
def test_a_call_is_answered_whatever_a_model_wrote(brain: Brain, name: str, arguments: Any, said: str) -> None:
    assert said in call(brain, name, arguments)


def test_tools_may_be_called_from_many_threads(brain: Brain) -> None:
    (search, status) = functions(brain, ["search", "status"])
    found: list[str] = []
    work = [threading.Thread(target=lambda: found.append(search("Kyoto") + status())) for _ in range(6)]
    for one in work:
        one.start()
    for one in work:
        one.join()
    assert len(found) == 6
    assert len(set(found)) == 1


def model(seen: list[tuple[list[ModelMessage], AgentInfo]], *calls: tuple[str, dict[str, Any]]) -> FunctionModel:
    """A model that makes these calls, one a turn, and then says what the last one answered."""

    def speak(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        seen.append((list(messages), info))
        done = len(seen) - 1
        if done < len(calls):
            return ModelResponse(parts=[ToolCallPart(calls[done][0], calls[done][1])])
        last = [part for part in messages[-1].parts if isinstance(part, ToolReturnPart)]
        return ModelResponse(parts=[TextPart(str(last[-1].content) if last else "nothing asked")])

    return FunctionModel(speak)


def told(seen: list[tuple[list[ModelMessage], AgentInfo]], turn: int = 0) -> str:
    """The instructions of one request."""
    requests = [one for one in seen[turn][0] if isinstance(one, ModelRequest)]
    return requests[-1].instructions or ""


def test_an_agent_has_the_tools_and_the_index_once(brain: Brain) -> None:
    seen: list[tuple[list[ModelMessage], AgentInfo]] = []
    calls = [("search", {"query": "figures"}), ("read", {"what": "entities/nadia"})]
    agent = Agent(model(seen, *calls), capabilities=[Memory(brain)])
    assert "PDF" in agent.run_sync("How do I want figures?").output
    assert {tool.name for tool in seen[0][1].function_tools} == set(NAMES)
    assert told(seen).count("brain-index v1") == 1
    assert told(seen, 0) == told(seen, 1) == told(seen, 2)


def test_the_index_stays_through_a_run_and_is_read_anew_for_the_next(brain: Brain) -> None:
    seen: list[tuple[list[ModelMessage], AgentInfo]] = []
    agent = Agent(model(seen, ("status", {}), ("status", {})), capabilities=[Memory(brain)])
    changing = brain.root / "knowledge/index.md"

    def later(query: str) -> str:
        return query

    agent.tool_plain(later)
    agent.run_sync("first")
    changing.write_text(
        changing.read_text("utf-8") + "entities/mira — Leads the harbour survey. · 2026-08-07\n", "utf-8"
    )
    seen.clear()
    agent.run_sync("second")
    assert "entities/mira" in told(seen)
    assert told(seen, 0) == told(seen, 2)


def test_an_agent_that_may_not_write_has_no_note(brain: Brain) -> None:
    seen: list[tuple[list[ModelMessage], AgentInfo]] = []
    Agent(model(seen), capabilities=[Memory(brain, notes=False, index=False)]).run_sync("hello")
    assert {tool.name for tool in seen[0][1].function_tools} == set(NAMES) - {"note"}
    assert "brain-index" not in told(seen)
    assert set(toolset(brain, notes=False).tools) == set(NAMES) - {"note"}


def test_a_wrong_call_of_an_agent_is_answered_and_it_goes_on(brain: Brain) -> None:
    seen: list[tuple[list[ModelMessage], AgentInfo]] = []
    agent = Agent(model(seen, ("read", {"what": "entities/nobody"})), toolsets=[toolset(brain)])
    assert "error: memory holds nothing named 'entities/nobody'" in agent.run_sync("Who?").output


def test_a_note_by_an_agent_is_marked(brain: Brain) -> None:
    seen: list[tuple[list[ModelMessage], AgentInfo]] = []
    words = {"text": "The harbour office opens at seven.", "topic": "work/harbour"}
    Agent(model(seen, ("note", words)), capabilities=[Memory(brain)]).run_sync("Remember it.")
    path = "notes/work/harbour.md"
    (one,) = parse((brain.root / path).read_text("utf-8"), path).snippets
    assert one.qualifier is Qualifier.ASSISTANT


def test_a_server_loads_no_agent_framework_and_no_search_before_it_is_asked() -> None:
    """T39: what a host waits for at the start is the protocol alone."""
    program = (
        "import sys\nfrom pathlib import Path\nfrom brain.serve.mcp import make_server\n"
        "make_server(lambda: 1 / 0)\n"
        "heavy = {'pydantic_ai', 'tantivy', 'numpy', 'onnxruntime', 'brain.brain', 'anthropic'}\n"
        "print(sorted(set(sys.modules) & heavy))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert json.loads(done.stdout.replace("'", '"')) == [], done.stderr
