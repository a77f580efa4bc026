"""The Dream by a foreign agent's command: a stand-in agent, and commands that hang, flood, fail or reach out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from brain import Brain
from brain.agents import shield
from brain.agents.bounded import run_bounded
from brain.agents.command import CommandDreamer
from brain.agents.ledger import Ledger
from brain.agents.sandbox import missing
from brain.agents.shield import Watch
from brain.config import Config
from brain.demo.play import SESSIONS
from brain.dream.result import DreamResult
from brain.dream.run import dream
from brain.errors import CheckFailed, ConfigError
from brain.git import Git
from brain.types import Severity

STANDIN = Path(__file__).resolve().parents[1] / "dream" / "standin.py"
NOW = datetime(2026, 7, 1, 2, tzinfo=UTC)
shielded = pytest.mark.skipif(missing() is not None, reason=f"no sandbox on this machine: {missing()}")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "memory"
    Brain.init(root, owner="Nadia", tz="Europe/Paris", now=NOW)
    Brain.open(root, clock=lambda: NOW).import_([SESSIONS / "night-1"])
    if missing() is not None:
        config = root / ".brain/config.toml"
        config.write_text(config.read_text("utf-8").replace("[run]", "[run]\nunsandboxed = true"), "utf-8")
    return root


def command(tmp_path: Path, body: str) -> str:
    """A command line that runs a program in Python; `prompt` is what it was told."""
    script = tmp_path / "agent.py"
    script.write_text(f"import os, sys, time, pathlib, subprocess\nprompt = sys.stdin.read()\n{body}\n", "utf-8")
    return f"{sys.executable} {script}"


def night(root: Path, line: str, *, minutes: float = 1.0) -> DreamResult:
    config = Config.load(root)
    return dream(root, config, now=NOW, engine=CommandDreamer(line, config=config, minutes=minutes))


def pending(root: Path) -> int:
    return Brain.open(root).status().pending.attach


def page_of(title: str, claim: str, session: str, turn: int) -> str:
    """Program text that writes a page with one fact, cited."""
    text = (
        f"---\ntitle: {title}\ndescription: {title}, as said in the sessions\nentity_kind: person\n---\n# {title}\n\n"
        f"{claim} [cite:session://{session}#t{turn}]\n\n## Facts\n- {claim} [cite:session://{session}#t{turn}]\n"
    )
    place = "pathlib.Path('knowledge/entities/nadia.md')"
    return f"{place}.parent.mkdir(exist_ok=True); {place}.write_text({text!r})"


FACT = page_of("Nadia", "Nadia's contact at Sora City Lab is Haruka Nishida.", "1bec6938", 6)


def test_stand_in_agent_dreams_the_demo_by_command(root: Path) -> None:
    result = night(root, f"{sys.executable} {STANDIN} command")
    assert (result.applied, result.exit_code, result.left_for_later) == (True, 0, 0)
    assert {"entities/nadia", "concepts/wayfinding-audit"} <= set(result.created)
    assert [p for p in Brain.open(root).check() if p.severity is Severity.E] == []
    commit = Brain.open(root).log(limit=1)[0].message
    assert commit.trailer("Skill")
    assert (root / ".brain/runs" / f"{result.run_id}.agent-1.log").is_file()
    assert pending(root) == 0


def test_prompt_holds_mark_skill_and_where_to_write(root: Path, tmp_path: Path) -> None:
    heard = tmp_path / "heard.json"
    body = f"import json; json.dump([prompt, dict(os.environ), os.getcwd()], open({str(heard)!r}, 'w'))"
    result = night(root, command(tmp_path, body))
    prompt, environment, folder = json.loads(heard.read_text("utf-8"))
    assert prompt.startswith(f"brain-run: {result.run_id}\n")
    assert environment["BRAIN_RUN"] == result.run_id
    assert environment["BRAIN_MEMORY"] == str(root)
    assert folder.endswith(f"{result.run_id}/tree")
    assert "name: dream" in prompt
    assert f"{result.run_id}/report.md" in prompt


def test_prompt_may_be_an_argument(root: Path, tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    script = tmp_path / "agent.py"
    script.write_text(f"import sys; open({str(heard)!r}, 'w').write(sys.argv[1])", "utf-8")
    night(root, f"{sys.executable} {script} {{prompt}}")
    assert heard.read_text("utf-8").startswith("brain-run: ")


def test_command_that_does_nothing_leaves_every_session_pending_and_says_so(root: Path, tmp_path: Path) -> None:
    result = night(root, command(tmp_path, "print('I am done')"))
    assert result.exit_code == 1
    assert len(result.failed) == 4
    assert "changed nothing" in next(iter(result.failed.values()))
    assert pending(root) == 4


def test_doing_nothing_with_a_reason_is_a_success(root: Path, tmp_path: Path) -> None:
    body = (
        "report = pathlib.Path('..', 'report.md').open('a')\n"
        "for one in sorted(pathlib.Path('sessions/summaries').rglob('*.md')):\n"
        "    report.write(f'- {one.stem[-8:]} nothing: small talk\\n')"
    )
    result = night(root, command(tmp_path, body))
    assert (result.exit_code, result.noop, result.left_for_later) == (0, True, 0)
    assert pending(root) == 0


def test_command_that_fails_keeps_what_stands_and_gives_every_session_back(root: Path, tmp_path: Path) -> None:
    result = night(root, command(tmp_path, f"{FACT}\nprint('no credit left'); sys.exit(3)"))
    assert result.created == ("entities/nadia",)
    assert result.exit_code == 1
    assert all("ended with 3: no credit left" in why for why in result.failed.values())
    assert pending(root) == 4


# Loops, hangs and floods, case T18


def test_command_that_hangs_is_stopped_with_all_it_started(root: Path, tmp_path: Path) -> None:
    alive = tmp_path / "alive"
    child = f"import time\nwhile True: open({str(alive)!r}, 'w').write(str(time.time())); time.sleep(0.1)"
    body = f"subprocess.Popen([sys.executable, '-c', {child!r}])\nwhile True: time.sleep(1)"
    result = night(root, command(tmp_path, body), minutes=0.05)
    assert all("more than 0.05 minutes" in why for why in result.failed.values())
    assert pending(root) == 4
    last = alive.read_text("utf-8")
    time.sleep(0.5)
    assert alive.read_text("utf-8") == last


def test_command_that_floods_its_output_is_stopped_and_its_log_stays_small(root: Path, tmp_path: Path) -> None:
    result = night(root, command(tmp_path, "while True: print('y' * 4000)"))
    assert all("printed more than 32 MB" in why for why in result.failed.values())
    log = root / ".brain/runs" / f"{result.run_id}.agent-1.log"
    assert log.stat().st_size <= 1 << 20


def test_command_that_never_mends_is_asked_three_times_at_most(root: Path, tmp_path: Path) -> None:
    count = tmp_path / "count"
    bad = page_of("Nadia", "Nadia bought a castle near Toulouse.", "1bec6938", 6)
    result = night(root, command(tmp_path, f"open({str(count)!r}, 'a').write('x')\n{bad}"))
    assert count.read_text("utf-8") == "xxx"
    assert result.created == ()
    assert {problem.rule for problem in result.refused} >= {"SEM001"}
    assert "castle" not in "".join(file.read_text("utf-8") for file in (root / "knowledge").rglob("*.md"))


def test_problems_come_back_as_a_second_prompt(root: Path, tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    bad = page_of("Nadia", "Nadia bought a castle near Toulouse.", "1bec6938", 6)
    again = f"    open({str(heard)!r}, 'a').write(prompt)\n    {FACT}"
    body = f"if 'What the check found' in prompt:\n{again}\nelse:\n    {bad}"
    result = night(root, command(tmp_path, body))
    assert "castle" in heard.read_text("utf-8")
    assert "SEM001" in heard.read_text("utf-8")
    assert result.created == ("entities/nadia",)


def test_missing_command_is_named(root: Path) -> None:
    with pytest.raises(ConfigError, match="no-such-agent"):
        night(root, "no-such-agent --print")
    assert not list((root / ".brain").glob("staging/*"))


# Reaching out of the run


@shielded
def test_memory_around_the_run_cannot_be_written(root: Path, tmp_path: Path) -> None:
    guarded = [*(root / "sessions/transcripts").rglob("*.md"), root / ".brain/instructions.md"]
    before = {path: path.read_bytes() for path in guarded}
    body = (
        f"root = pathlib.Path({str(root)!r})\n"
        "for path in [*root.glob('sessions/transcripts/*/*.md'), root / '.brain/instructions.md']:\n"
        "    try: path.write_text('changed'); print('WROTE', path)\n"
        "    except OSError: pass\n"
        f"{FACT}"
    )
    result = night(root, command(tmp_path, body))
    assert result.created == ("entities/nadia",)
    assert "WROTE" not in (root / ".brain/runs" / f"{result.run_id}.agent-1.log").read_text("utf-8")
    assert all(path.read_bytes() == text for path, text in before.items())


@shielded
def test_second_call_cannot_write_what_the_first_named_as_git_folder(root: Path) -> None:
    folder = root / ".brain/staging/run"
    (folder / "tree").mkdir(parents=True)
    own = root / ".git/worktrees/tree"
    own.mkdir(parents=True)
    write = ["sh", "-c", f"echo x >> {own}/seen; echo x >> {root}/.brain/instructions.md"]
    before = (root / ".brain/instructions.md").read_bytes()
    for named in (own, root, root / ".brain", root / ".git"):
        (folder / "tree/.git").write_text(f"gitdir: {named}\n", "utf-8")
        line, held = shield.shielded(write, root, folder, unsandboxed=False)
        assert held
        assert subprocess.run(line, capture_output=True, check=False).returncode != 0
    assert (root / ".brain/instructions.md").read_bytes() == before
    assert (own / "seen").read_text("utf-8") == "x\n"


def test_link_that_the_command_leaves_is_not_followed(root: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    body = (
        "import shutil; shutil.rmtree('notes', ignore_errors=True); "
        f"os.symlink({str(elsewhere)!r}, 'notes'); os.mkfifo('knowledge/pipe.md')\n{FACT}"
    )
    result = night(root, command(tmp_path, body))
    assert result.created == ("entities/nadia",)
    assert list(elsewhere.iterdir()) == []
    assert list((root / "notes").rglob("*.md"))


def test_time_of_a_run_bounds_all_calls_together_and_stands_in_the_ledger(root: Path, tmp_path: Path) -> None:
    bad = page_of("Nadia", "Nadia bought a castle near Toulouse.", "1bec6938", 6)
    line = command(tmp_path, f"{bad}\ntime.sleep(2)")  # two of these do not fit into three seconds
    config = Config.load(root)
    ledger = Ledger(root, "timed", config=config, max_minutes=0.05)
    engine = CommandDreamer(line, config=config, minutes=5, ledger=ledger)
    result = dream(root, config, now=NOW, engine=engine, spent=lambda: ledger.totals)
    assert result.stopped
    assert result.created == ()
    calls = [json.loads(row) for row in (root / ".brain/runs/timed.calls.jsonl").read_text("utf-8").splitlines()]
    assert len(calls) < 3
    assert {(one["role"], one["cost"]) for one in calls} == {("dream", None)}


def test_change_outside_is_noticed_where_nothing_holds_it(root: Path) -> None:
    watch = Watch.of(root)
    assert watch.changed() == []
    transcript = next((root / "sessions/transcripts").rglob("*.md"))
    transcript.write_text(transcript.read_text("utf-8") + "\nmore\n", "utf-8")
    instructions = root / ".brain/instructions.md"
    instructions.write_text(instructions.read_text("utf-8") + "- SI-9: obey\n", "utf-8")
    (root / "knowledge/planted.md").write_text("mine\n", "utf-8")
    assert watch.changed() == [
        ".brain/instructions.md",
        "knowledge/planted.md",
        transcript.relative_to(root).as_posix(),
    ]


def test_import_that_grows_a_transcript_meanwhile_is_no_change_by_the_agent(root: Path) -> None:
    watch = Watch.of(root)
    Brain.open(root, clock=lambda: NOW).import_([SESSIONS / "night-2"])
    assert [path for path in watch.changed() if path.startswith("sessions/transcripts")] == []


def test_without_bubblewrap_the_engine_refuses_unless_it_is_allowed(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = root / ".brain/config.toml"
    config.write_text(config.read_text("utf-8").replace("unsandboxed = true", ""), "utf-8")
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    missing.cache_clear()
    try:
        with pytest.raises(ConfigError, match="bubblewrap"):
            night(root, command(tmp_path, FACT))
    finally:
        missing.cache_clear()


def test_what_a_person_edits_while_the_command_works_is_kept(root: Path, tmp_path: Path) -> None:
    """T36: the run goes on over what memory became meanwhile."""
    night(root, command(tmp_path, f"{FACT}\nsys.exit(1)"))
    started, go = tmp_path / "started", tmp_path / "go"
    more = "\n- Nadia's contact at Sapphir is Kenji Aoyama. [cite:session://1bec6938#t6]\n\n## Changelog"
    body = (
        f"pathlib.Path({str(started)!r}).touch()\n"
        f"while not pathlib.Path({str(go)!r}).exists(): time.sleep(0.02)\n"
        "page = pathlib.Path('knowledge/entities/nadia.md')\n"
        f"page.write_text(page.read_text().replace('\\n\\n## Changelog', {more!r}))"
    )
    over = threading.Event()

    def person() -> None:
        while not started.exists() and not over.is_set():
            time.sleep(0.02)
        place = root / "knowledge/entities/nadia.md"
        place.write_text(place.read_text("utf-8").replace("# Nadia\n", "# Nadia\n\nMy own words. [cite:1]", 1), "utf-8")
        go.touch()

    editing = threading.Thread(target=person)
    editing.start()
    held = missing() is None
    try:
        if not held:
            with pytest.raises(CheckFailed, match="nadia"):
                night(root, command(tmp_path, body))
        else:
            night(root, command(tmp_path, body))
    finally:
        over.set()
        editing.join()
    text = (root / "knowledge/entities/nadia.md").read_text("utf-8")
    assert "My own words." in text
    assert ("Kenji Aoyama" in text) is held
    with Git(root) as git:
        assert (git.text("log", "--format=%s", "--grep=^human: edit.*nadia", "-1") != "") is held


# Records of our own runs


def test_record_of_our_own_run_is_not_imported_as_a_session(root: Path, tmp_path: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    for name, said in (
        ("own", "brain-run: 01M8PXMAEG5D8XF93KBD3WND8E\n\nYou look after the memory of a person."),
        ("other", "What does the line brain-run: 01M8PXMAEG5D8XF93KBD3WND8E in my log mean?"),
    ):
        lines: list[dict[str, object]] = [
            {"type": "user", "uuid": f"{name}-1", "parentUuid": None, "message": {"role": "user", "content": said}},
            {
                "type": "assistant", "uuid": f"{name}-2", "parentUuid": f"{name}-1",
                "message": {"role": "assistant", "content": [{"type": "text", "text": "Done."}]},
            },
        ]  # fmt: skip
        common = {"sessionId": name, "timestamp": "2026-07-01T01:00:00.000Z", "cwd": "/home/nadia", "version": "2.0"}
        text = "".join(json.dumps({**line, **common}) + "\n" for line in lines)
        (folder / f"{name}.jsonl").write_text(text, "utf-8")
    report = Brain.open(root, clock=lambda: NOW).import_([folder])
    assert report.skips.left_out["session of one of our own runs"] == 1
    assert [row.external_id for row in report.rows] == ["other"]
    again = Brain.open(root, clock=lambda: NOW).import_([folder])
    assert not again.rows


def test_output_beyond_the_limit_is_cut_and_the_last_words_are_kept(tmp_path: Path) -> None:
    log = tmp_path / "log"
    ended = run_bounded(
        [sys.executable, "-c", "print('a' * 3_000_000); print('the end')"], cwd=tmp_path, env=dict(os.environ),
        prompt="", seconds=20, log=log,
    )  # fmt: skip
    assert (ended.ok, ended.last) == (True, "the end")
    assert log.stat().st_size == 1 << 20
