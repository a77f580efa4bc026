"""What a run spends on models is written down call by call, and stops at its limits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel

from brain.agents.asking import ask_agent
from brain.agents.ledger import Ledger
from brain.config import Config
from brain.errors import BudgetExceeded, ConfigError


def says(text: str) -> FunctionModel:
    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        return ModelResponse(parts=[TextPart(text)])

    return FunctionModel(answer, model_name="scripted")


def priced(model: str, input: float, output: float) -> Config:
    return Config.parse(f'[models.prices."{model}"]\ninput = {input}\noutput = {output}\n')


def test_every_call_is_a_line_of_json(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path, "run-1")
    ask_agent(ledger, Agent(), "one", role="distil", model=says("fine"))
    ask_agent(ledger, Agent(), "two", role="verify", model=says("fine"))
    lines = (tmp_path / ".brain/runs/run-1.calls.jsonl").read_text("utf-8").splitlines()
    calls = [json.loads(line) for line in lines]
    assert [call["role"] for call in calls] == ["distil", "verify"]
    assert all(call["outcome"] == "ok" and call["cost"] is None and call["input"] > 0 for call in calls)
    assert ledger.by_role()["verify"].calls == 1


def test_an_unknown_price_is_not_nothing() -> None:
    ledger = Ledger(None, "run-1")
    ask_agent(ledger, Agent(), "one", role="distil", model=says("fine"))
    assert ledger.totals.unpriced == 1
    assert "price unknown" in ledger.totals.line()


def test_a_price_of_the_settings_counts() -> None:
    ledger = Ledger(None, "run-1", config=priced("scripted", 1.0, 2.0))
    ask_agent(ledger, Agent(), "one", role="distil", model=says("fine words"))
    call = ledger.calls[0]
    assert call.cost == pytest.approx((call.input * 1.0 + call.output * 2.0) / 1_000_000)
    assert ledger.totals.unpriced == 0


def test_a_limit_on_cost_needs_a_price() -> None:
    ledger = Ledger(None, "run-1", max_cost=1.0)
    with pytest.raises(ConfigError, match="nobody knows what 'function:scripted' costs"):
        ask_agent(ledger, Agent(), "one", role="distil", model=says("fine"))
    assert ledger.calls == []


def test_the_next_call_after_the_limit_is_not_made() -> None:
    ledger = Ledger(None, "run-1", config=priced("scripted", 1_000_000.0, 0.0), max_cost=1.0)
    ask_agent(ledger, Agent(), "one", role="distil", model=says("fine"))
    with pytest.raises(BudgetExceeded) as stop:
        ask_agent(ledger, Agent(), "two", role="distil", model=says("fine"))
    assert stop.value.limit == "cost"
    assert stop.value.stop_reason == "budget"
    assert len(ledger.calls) == 1


def test_a_loop_that_never_ends_is_stopped() -> None:
    def again(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        return ModelResponse(parts=[ToolCallPart("look", {})])

    agent = Agent()

    @agent.tool_plain
    def look() -> str:
        return "nothing new"

    ledger = Ledger(None, "run-1")
    with pytest.raises(BudgetExceeded) as stop:
        ask_agent(ledger, agent, "look around", role="dream", model=FunctionModel(again), requests=7)
    assert stop.value.limit == "requests"
    assert len(ledger.calls) == 7


def test_sub_agents_are_counted_in_their_own_role() -> None:
    ledger = Ledger(None, "run-1")
    helper = Agent()
    agent = Agent()

    @agent.tool_plain
    def look() -> str:
        return str(ask_agent(ledger, helper, "what is there?", role="recall", model=says("a wiki")).output)

    result = ask_agent(ledger, agent, "look", role="dream", model=TestModel())
    assert "a wiki" in str(result.output)
    assert {role: totals.calls for role, totals in ledger.by_role().items()} == {"dream": 2, "recall": 1}
