"""Who plays which role: by settings and environment, by inheritance, and never another one in silence."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from chat_with_faults import Chat, chatting
from pydantic_ai import NativeOutput, ToolOutput

from brain import Brain
from brain.agents.estimates import Load, expected
from brain.agents.ledger import Ledger
from brain.agents.models import context_tokens, model_for, settings_for, shaped
from brain.agents.prices import estimate
from brain.agents.roles import Role, cast_of
from brain.config import Config
from brain.dream.extractive import Extractive
from brain.engines import Engine, engines_for, seat_of
from brain.errors import ConfigError, UsageError
from brain.status import stages


def models(text: str = "", environ: Mapping[str, str] | None = None) -> Config:
    return Config.parse(f"[models]\n{text}", environ)


def test_a_role_inherits_its_parents_model_and_then_the_default() -> None:
    config = models('default = "openai:a"\ndream = "openai:b"\nanswer = "openai:c"\njudge = "openai:d"\n')
    named = {role.value: (found := cast_of(config, role)) and found.model for role in Role}
    assert named == {
        "distil": "openai:a",
        "dream": "openai:b",
        "verify": "openai:b",
        "recall": "openai:c",
        "answer": "openai:c",
        "judge": "openai:d",
    }
    assert cast_of(models(), "dream") is None


def test_the_environment_names_models_too() -> None:
    config = models('dream = "openai:file"\n', {"BRAIN_MODEL": "openai:x", "BRAIN_MODELS_DISTIL": "anthropic:y"})
    assert [cast_of(config, role).model for role in ("distil", "dream", "answer")] == [  # type: ignore[union-attr]
        "anthropic:y",
        "openai:file",
        "openai:x",
    ]


def test_a_server_of_a_role_keeps_the_key_of_the_others_away() -> None:
    config = models(
        'default = "m"\nbase_url = "http://one/v1"\nkey = "ONE"\n'
        '[models.roles.verify]\nbase_url = "http://two/v1"\n[models.roles.distil]\ncontext = 9000\n'
    )
    verify, distil = cast_of(config, "verify"), cast_of(config, "distil")
    assert verify
    assert distil
    assert (verify.base_url, verify.key) == ("http://two/v1", "")
    assert (distil.base_url, distil.key, distil.context) == ("http://one/v1", "ONE", 9000)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("chef = 'x'\n", "unknown key 'models.chef'"),
        ("[models.roles.chef]\nkey = 'A'\n", "models.roles.chef: no such role"),
        ("output = 'poem'\n", "models.output = 'poem'"),
        ("[models.prices.x]\ninput = 'much'\n", "models.prices.x.input = 'much' is not a number"),
    ],
)
def test_a_wrong_setting_is_named(text: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        models(text)


@pytest.mark.parametrize(
    ("model", "variable"), [("openai:gpt-5", "OPENAI_API_KEY"), ("anthropic:claude-sonnet-4-5", "ANTHROPIC_API_KEY")]
)
def test_a_missing_key_is_named_by_its_variable(model: str, variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ConfigError, match=f"{variable} is not set"):
        model_for(models(f"default = '{model}'\n"), "dream")


def test_a_key_by_the_name_of_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    config = models("default = 'm'\nbase_url = 'http://127.0.0.1:9/v1'\nkey = 'HOUSE_KEY'\n")
    monkeypatch.delenv("HOUSE_KEY", raising=False)
    with pytest.raises(ConfigError, match="HOUSE_KEY is not set"):
        model_for(config, "dream")
    monkeypatch.setenv("HOUSE_KEY", "k")
    assert model_for(config, "dream").model_name == "m"


@pytest.mark.parametrize("model", ["nobody:x", "justaname"])
def test_a_model_that_nobody_knows_is_an_error_with_its_role(model: str) -> None:
    with pytest.raises(ConfigError, match=r"dream"):
        model_for(models(f"default = '{model}'\n"), "dream")


@pytest.mark.parametrize(
    ("written", "name", "kind"),
    [
        ("qwen3:8b", "qwen3:8b", "OpenAIChatModel"),
        ("openai:gpt-x", "gpt-x", "OpenAIChatModel"),
        ("openai", "openai", "OpenAIChatModel"),
        ("openai-responses:gpt-x", "gpt-x", "OpenAIResponsesModel"),
        ("anthropic:claude-x", "claude-x", "AnthropicModel"),
    ],
)
def test_a_server_of_ones_own_may_call_its_models_as_it_likes(written: str, name: str, kind: str) -> None:
    model = model_for(models(f"default = '{written}'\nbase_url = 'http://127.0.0.1:9/v1'\n"), "dream")
    assert (model.model_name, type(model).__name__) == (name, kind)


def test_no_model_at_all_says_what_to_write() -> None:
    with pytest.raises(ConfigError, match="no model is set for answer") as error:
        model_for(models(), "answer")
    assert "BRAIN_MODEL" in str(error.value.hint)


def test_structured_output_is_asked_for_as_the_server_can() -> None:
    own = models("default = 'm'\nbase_url = 'http://127.0.0.1:9/v1'\n")
    assert isinstance(shaped(own, model_for(own, "distil"), dict), NativeOutput)
    assert isinstance(shaped(own, model_for(own, "answer"), dict, tools=True), ToolOutput)
    tool = models("default = 'm'\nbase_url = 'http://127.0.0.1:9/v1'\noutput = 'tool'\n")
    assert isinstance(shaped(tool, model_for(tool, "distil"), dict), ToolOutput)


def test_every_request_has_a_time_limit_and_prompts_go_to_the_cache() -> None:
    config = models("default = 'm'\nbase_url = 'http://127.0.0.1:9/v1'\ntimeout = 12.5\nmax_tokens = 700\n")
    settings = settings_for(config, "dream")
    assert (settings["timeout"], settings["max_tokens"], settings["max_retries"]) == (12.5, 700, 0)
    assert settings["cache"] is True
    assert settings_for(config, "distil")["cache"] == {"messages": False}
    assert context_tokens(config, "dream", model_for(config, "dream")) == 32_000


# -- engines


def test_a_model_plays_a_role_as_soon_as_one_is_named_for_it() -> None:
    config = models("distil = 'openai:x'\n")
    assert [seat_of(config, role).engine for role in ("distil", "dream", "answer")] == [
        Engine.MODEL,
        Engine.EXTRACTIVE,
        Engine.EXTRACTIVE,
    ]
    assert seat_of(config, "distil").why == "as models.distil says"


def test_the_option_goes_before_the_settings_and_those_before_the_default() -> None:
    config = Config.parse('[run]\nengine = "extractive"\n[models]\ndefault = "openai:x"\n')
    assert seat_of(config, "dream").engine is Engine.EXTRACTIVE
    assert seat_of(config, "dream", "model").engine is Engine.MODEL
    assert seat_of(config, "verify", "command").engine is Engine.MODEL, "a command dreams and answers; the rest stays"
    with pytest.raises(ConfigError, match="no engine 'oracle'"):
        engines_for(config, Ledger(None, "r"), override="oracle")


def test_what_cannot_think_is_an_error_and_not_another_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    asked = engines_for(models("default = 'openai:x'\n"), Ledger(None, "r"))
    for engine in (asked.distiller, asked.dreamer, asked.verifier, asked.memory_agent, asked.answerer):
        with pytest.raises(ConfigError, match="OPENAI_API_KEY is not set"):
            engine()
    without = engines_for(models(), Ledger(None, "r"), override="model")
    with pytest.raises(ConfigError, match="no model is set for dream"):
        without.dreamer()
    with pytest.raises(ConfigError, match="no command for the agent"):
        engines_for(models(), Ledger(None, "r"), override="command").dreamer()
    with pytest.raises(UsageError, match=r"a limit of \$2 cannot be held"):
        engines_for(models(), Ledger(None, "r", max_cost=2), override="command", command="agent").dreamer()
    with pytest.raises(UsageError, match="does not recall"):
        engines_for(models(), Ledger(None, "r"), override="command").memory_agent()
    plain = engines_for(models(), Ledger(None, "r"))
    assert isinstance(plain.dreamer(), Extractive)
    assert (plain.distiller(), plain.verifier(), plain.memory_agent(), plain.answerer()) == (None, None, None, None)


def test_status_says_who_and_why_and_what_is_missing_and_does_not_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    """T41: nothing degrades in silence."""
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    told = {stage.name: stage for stage in stages(models("answer = 'anthropic:claude-sonnet-4-5'\n"))}
    assert list(told) == ["distil", "dream", "verify", "recall", "answer"]
    assert (told["distil"].engine, told["verify"].engine) == ("extractive", "rules")
    assert told["recall"].model == told["answer"].model == "anthropic:claude-sonnet-4-5"
    assert "ANTHROPIC_API_KEY is not set" in str(told["answer"].missing)
    assert told["answer"].line().startswith("answer     model anthropic:claude-sonnet-4-5: as models.answer says")


def test_status_knows_whether_the_agents_command_is_there() -> None:
    there = Config.parse(f'[run]\nengine = "command"\ncommand = "{sys.executable} agent.py"\n')
    assert {stage.name: stage.missing for stage in stages(there)}["dream"] is None
    gone = Config.parse('[run]\nengine = "command"\ncommand = "no-such-agent -p"\n')
    told = {stage.name: stage for stage in stages(gone)}
    assert "no program 'no-such-agent'" in str(told["dream"].missing)
    assert (told["answer"].engine, told["recall"].engine) == ("command", "extractive")


# -- cost


def test_prices_come_from_the_list_that_the_package_brings() -> None:
    config = models()
    assert estimate(config, "anthropic:claude-sonnet-4-5", tokens_in=1_000_000, tokens_out=0)
    assert estimate(config, "openai:gpt-5", tokens_in=1_000_000, tokens_out=0) == pytest.approx(1.25, abs=0.5)
    assert estimate(config, "openai:never-heard-of", tokens_in=1, tokens_out=1) is None
    assert estimate(config, "openai:gpt-5", tokens_in=1, tokens_out=1, own_server=True) is None


def test_an_estimate_grows_with_what_is_new_and_is_nothing_without_it() -> None:
    config = models("default = 'openai:gpt-5'\n")
    seats = [seat_of(config, role) for role in ("distil", "dream", "verify")]
    small = expected(config, seats, Load(sessions=1, tokens=1_000, chunks=1))
    large = expected(config, seats, Load(sessions=50, tokens=400_000, chunks=60))
    assert [one.role for one in small] == ["distil", "dream", "verify"]
    assert all(b.input > a.input and (b.cost or 0) > (a.cost or 0) for a, b in zip(small, large, strict=True))
    assert expected(config, seats, Load()) == ()


# -- through the command line


def brain(*words: str, root: Path, **env: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
    return subprocess.run(
        [sys.executable, "-m", "brain", *words, "--memory", str(root)], env=clean | env, capture_output=True, text=True
    )


def at(chat: Chat) -> dict[str, str]:
    return {"BRAIN_MODEL": "local", "BRAIN_MODELS_BASE_URL": chat.url, "BRAIN_MODELS_OUTPUT": "native"}


def test_ask_by_a_model_behind_an_address(nadia: Brain) -> None:
    with chatting() as chat:
        host = {"text": "Sora City Lab hosts the team.", "cites": ["entities/sora-city-lab cite:1"]}
        chat.says = json.dumps({"statements": [host], "missing": ""})
        done = brain("ask", "Who hosts us?", "--json", root=nadia.root, **at(chat))
    answer = json.loads(done.stdout)
    assert (answer["found"], answer["engine"]) == (True, "model local")
    assert answer["spent"]["calls"] == 1
    assert answer["spent"]["unpriced"] == 1
    assert "price unknown" in done.stderr
    calls = sorted((nadia.root / ".brain/runs").glob("*.calls.jsonl"))
    assert json.loads(calls[-1].read_text("utf-8").splitlines()[0])["role"] == "answer"


def test_recall_by_a_model_behind_an_address(nadia: Brain, tmp_path: Path) -> None:
    with chatting() as chat:
        host = {"text": "Sora City Lab hosts the team.", "sources": ["entities/sora-city-lab cite:1"]}
        chat.says = json.dumps({"statements": [host], "files": [], "missing": ""})
        done = brain("recall", "who hosts us?", "--into", str(tmp_path / "set"), "--json", root=nadia.root, **at(chat))
    brought = json.loads(done.stdout)
    assert brought["recall"]["engine"] == "model local"
    assert (tmp_path / "set/knowledge/entities/sora-city-lab.md").is_file()


def test_a_limit_on_cost_is_refused_where_it_cannot_be_held(nadia: Brain) -> None:
    with chatting() as chat:
        done = brain("ask", "Who hosts us?", "--max-cost", "0.5", root=nadia.root, **at(chat))
        assert chat.asked == []
    assert done.returncode == 2
    assert "nobody knows what 'local' costs" in done.stderr


def test_a_missing_key_stops_a_dream_before_it_begins_and_another_engine_can_be_asked_for(
    nadia: Brain, tmp_path: Path
) -> None:
    root = tmp_path / "copy"
    shutil.copytree(nadia.root, root)
    env = {"BRAIN_MODEL": "anthropic:claude-sonnet-4-5"}
    refused = brain("dream", root=root, **env)
    assert refused.returncode == 2
    assert "ANTHROPIC_API_KEY is not set" in refused.stderr
    assert brain("dream", "--engine", "extractive", root=root, **env).returncode == 0
    status = brain("status", root=root, **env)
    assert status.returncode == 0
    assert "CANNOT RUN: ANTHROPIC_API_KEY is not set" in status.stdout


def test_a_dry_run_says_what_it_is_likely_to_cost_and_needs_no_key(tmp_path: Path) -> None:
    from brain.demo.play import SESSIONS

    root = tmp_path / "memory"
    Brain.init(root)
    Brain.open(root).import_([SESSIONS / "night-1"])
    done = brain("dream", "--dry-run", root=root, BRAIN_MODEL="anthropic:claude-sonnet-4-5")
    assert done.returncode == 0
    assert "dream by anthropic:claude-sonnet-4-5: about" in done.stdout
    assert "together about $" in done.stdout
    plain = brain("dream", "--dry-run", root=root)
    assert "$" not in plain.stdout
