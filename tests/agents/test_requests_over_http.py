"""Models behind an address, over real HTTP: streamed and whole, with the faults that servers have."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest
from chat_with_faults import WORDS, Chat, chatting, free_port, up
from pydantic import BaseModel
from pydantic_ai import Agent
from pydantic_ai.models import override_allow_model_requests

from brain.agents import metered
from brain.agents.asking import ask_agent
from brain.agents.ledger import Ledger
from brain.agents.models import context_tokens, model_for, shaped
from brain.config import Config
from brain.errors import BadOutput, BudgetExceeded, ConfigError, ContextOverflow, ModelFailed


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metered, "WAIT_SECONDS", 0.01)


def ledger_at(chat: Chat, more: str = "", **limits: Any) -> Ledger:
    text = f'[models]\ndefault = "local"\nbase_url = "{chat.url}"\ntimeout = 10.0\n{more}'
    return Ledger(None, "run", config=Config.parse(text), **limits)


def asked(ledger: Ledger, prompt: str = "Say something.") -> str:
    return str(ask_agent(ledger, Agent(), prompt, role="distil").output)


@pytest.mark.parametrize("stream", ["false", "true"])
def test_an_answer_comes_whole_or_as_a_stream(stream: str) -> None:
    with chatting() as chat:
        chat.cached = 60
        ledger = ledger_at(chat, f"stream = {stream}\n")
        assert asked(ledger) == WORDS
        assert bool(chat.asked[0].get("stream")) == (stream == "true")
    (call,) = ledger.calls
    assert (call.role, call.model, call.input, call.output, call.cached) == ("distil", "local", 100, 10, 60)
    assert call.cost is None, "a server of one's own is not priced by what its model's name costs elsewhere"


@pytest.mark.parametrize("fault", [500, 503, 429])
def test_a_server_that_stumbles_is_asked_again(fault: int) -> None:
    with chatting() as chat:
        chat.faults = [fault, fault]
        ledger = ledger_at(chat)
        assert asked(ledger) == WORDS
    outcomes = [call.outcome for call in ledger.calls]
    assert [outcome == "ok" for outcome in outcomes] == [False, False, True]
    assert ledger.totals.failed == 2


def test_a_server_that_keeps_failing_is_left_after_the_retries() -> None:
    """T18: bounded, and each try is in the ledger."""
    with chatting() as chat:
        chat.faults = [500] * 20
        ledger = ledger_at(chat, "retries = 2\n")
        with pytest.raises(ModelFailed, match="fault 500"):
            asked(ledger)
        assert len(chat.asked) == 3
    assert len(ledger.calls) == 3


def test_a_stream_that_breaks_in_the_middle_is_asked_again() -> None:
    with chatting() as chat:
        chat.faults = ["drop"]
        ledger = ledger_at(chat, "stream = true\n")
        assert asked(ledger) == WORDS
        assert len(chat.asked) == 2


def test_a_server_that_restarts_is_waited_for() -> None:
    chat = Chat(port=free_port())
    ledger = ledger_at(chat, "retries = 10\n")
    heard: list[str] = []
    thread = threading.Thread(target=lambda: heard.append(asked(ledger)))
    with override_allow_model_requests(True):
        with up(chat):
            assert asked(ledger) == WORDS
        thread.start()
        while not any(call.outcome != "ok" for call in ledger.calls):
            time.sleep(0.01)
        with up(chat):
            thread.join(20)
    assert heard == [WORDS]


def test_a_server_that_is_away_is_an_error_that_says_so() -> None:
    with chatting() as chat:
        pass
    with override_allow_model_requests(True), pytest.raises(ModelFailed, match="cannot be reached") as away:
        asked(ledger_at(chat, "retries = 1\n"))
    assert away.value.hint


def test_a_prompt_too_long_is_an_error_of_its_own_and_not_asked_again() -> None:
    with chatting() as chat:
        chat.faults = ["overflow"]
        with pytest.raises(ContextOverflow, match="longer than what the model takes"):
            asked(ledger_at(chat))
        assert len(chat.asked) == 1


def test_a_refused_key_names_whose_it_is() -> None:
    with chatting() as chat:
        chat.faults = [401]
        with pytest.raises(ConfigError, match="refuses the key"):
            asked(ledger_at(chat))


def test_the_time_limit_ends_a_run_between_requests() -> None:
    with chatting() as chat:
        ledger = ledger_at(chat, max_minutes=0.0001)
        time.sleep(0.02)
        with pytest.raises(BudgetExceeded) as stop:
            asked(ledger)
        assert stop.value.limit == "time"
        assert chat.asked == []


def test_a_price_of_the_settings_holds_for_a_server_of_ones_own() -> None:
    with chatting() as chat:
        ledger = ledger_at(chat, "[models.prices.local]\ninput = 1.0\noutput = 2.0\ncached = 0.5\n", max_cost=1.0)
        asked(ledger)
    assert ledger.calls[0].cost == pytest.approx((100 * 1.0 + 10 * 2.0) / 1e6)


class Pair(BaseModel):
    first: str
    second: str


def test_a_schema_is_sent_to_a_server_of_ones_own_and_bad_json_is_sent_back() -> None:
    """T16: twice with the fault, then it is an error; nothing is taken for an answer."""
    with chatting() as chat:
        chat.says = '{"first": "one"'
        ledger = ledger_at(chat)
        model = model_for(ledger.config, "distil")
        agent: Agent[None, Pair] = Agent(output_type=shaped(ledger.config, model, Pair), retries={"output": 2})
        with pytest.raises(BadOutput, match="did not answer in the form asked for"):
            ask_agent(ledger, agent, "Give a pair.", role="distil")
        assert chat.asked[0]["response_format"]["type"] == "json_schema"
        assert len(chat.asked) == 3


def test_a_key_goes_only_where_it_was_meant_to_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "meant-for-somebody-else")
    monkeypatch.setenv("HOUSE_KEY", "meant-for-this-server")
    with chatting() as chat:
        asked(ledger_at(chat))
        asked(ledger_at(chat, 'key = "HOUSE_KEY"\n'))
    assert chat.keys == ["Bearer none", "Bearer meant-for-this-server"]


def test_each_role_may_have_a_server_of_its_own() -> None:
    with chatting() as one, chatting() as other:
        more = f'verify = "judge"\n[models.roles.verify]\nbase_url = "{other.url}"\ncontext = 4096\n'
        ledger = ledger_at(one, more)
        asked(ledger)
        ask_agent(ledger, Agent(), "And now?", role="verify")
        assert (len(one.asked), len(other.asked)) == (1, 1)
        assert other.asked[0]["model"] == "judge"
        assert context_tokens(ledger.config, "verify", model_for(ledger.config, "verify")) == 4096


def test_many_threads_share_one_ledger() -> None:
    with chatting() as chat:
        ledger = ledger_at(chat)
        threads = [threading.Thread(target=asked, args=(ledger,)) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
    assert ledger.totals.calls == 6
    assert ledger.totals.failed == 0
