"""`brain redact` over a brain that was filled before its secrets were known: found everywhere, taken out for good."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import pytest
from holdings import everything, leaked
from planted import Maker, tokens

from brain import Brain
from brain.errors import SyncConflict
from brain.redacting.scan import Where
from brain.tree.sessions import parse_rows

NOW = datetime(2026, 8, 6, 12, tzinfo=UTC)
MAKE = Maker(11)
SHAPES = tokens(MAKE)
WORD, TOKEN, KEY, CARD = MAKE.password(), SHAPES["github-fine"], SHAPES["anthropic"], MAKE.card()
SECRETS = (WORD, TOKEN, KEY, CARD)
TALK = [
    ("user", f"For the boat project: the harbour portal opens with password: {WORD}"),
    ("assistant", "Noted, I keep the harbour portal in mind."),
    ("user", f"Ines decided to deploy the boat site with {TOKEN} from now on."),
    ("tool", "line\n" * 1500 + f"ANTHROPIC_API_KEY={KEY}\n" + "line\n" * 1500),
    ("user", f"The boat club bills card {CARD} every month. The mast is 14 m tall."),
]


def _talk(*more: dict[str, str]) -> str:
    messages = [{"role": role, "content": text} for role, text in TALK]
    messages[3] |= {"tool_call_id": "call_1"}
    return json.dumps({"messages": [*messages, *more]})


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BRAIN_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("BRAIN_SEARCH_EMBEDDER", "none")
    return tmp_path / "state"


@pytest.fixture
def careless(tmp_path: Path, state: Path) -> Path:
    """A brain that took every secret for harmless: in transcripts, a file, notes, summaries, pages, history."""
    root, source = tmp_path / "memory", tmp_path / "source"
    Brain.init(root, owner="Ines", now=NOW)
    source.mkdir()
    (source / "talk.json").write_text(_talk(), "utf-8")
    with Brain.open(root, clock=lambda: NOW) as brain:
        trusting = replace(brain.config, privacy=replace(brain.config.privacy, redact_allow=SECRETS))
        brain.config = trusting
        brain.import_([source])
        brain.distil()
        brain.dream()
        brain.note(f"The club's card is {CARD}.")
    (root / "notes" / "facts").mkdir(parents=True, exist_ok=True)
    page = root / "notes" / "facts" / "portal.md"
    page.write_text(f"The portal: password: {WORD}\n", "utf-8")
    git = ["git", "-C", str(root), "-c", "user.name=Ines", "-c", "user.email=ines@example.org"]
    subprocess.run([*git, "add", "notes"], check=True)
    subprocess.run([*git, "commit", "-q", "-m", f"portal, password: {WORD}"], check=True)
    page.unlink()
    subprocess.run([*git, "commit", "-q", "-am", "away with it"], check=True)
    return root


def test_a_scan_finds_all_of_it_and_says_none_of_it(careless: Path, state: Path) -> None:
    before = everything(careless)
    assert leaked(SECRETS, before) == sorted(SECRETS)

    told = _brain("redact", "--scan", "--memory", str(careless))

    assert told.returncode == 1
    assert leaked(SECRETS, told.stdout + told.stderr) == []
    with Brain.open(careless) as brain:
        scan = brain.redact().scan
    kinds = {one.kind for one in scan.found}
    assert {"password", "github-token", "anthropic-key", "card"} <= kinds
    assert {Where.FILE, Where.HISTORY, Where.MESSAGE} <= {one.where for one in scan.found}
    places = {one.path.split("/")[0] + "/" + one.path.split("/")[1] for one in scan.found if one.where is Where.FILE}
    assert {"sessions/transcripts", "sessions/artifacts"} <= places
    assert everything(careless).count(WORD) == before.count(WORD)


def test_apply_leaves_none_on_the_disk_and_memory_works_as_before(careless: Path, state: Path) -> None:
    told = _brain("redact", "--apply", "--memory", str(careless))

    assert told.returncode == 0, told.stdout + told.stderr
    assert leaked(SECRETS, told.stdout + told.stderr) == []
    assert leaked(SECRETS, everything(careless, state)) == []
    for row in parse_rows((careless / "sessions" / "index.jsonl").read_text("utf-8")):
        assert sha256((careless / row.transcript).read_bytes()).hexdigest() == row.transcript_sha256
    with Brain.open(careless, clock=lambda: NOW) as brain:
        assert [one for one in brain.check() if one.severity.value == "E"] == []
        assert brain.redact().scan.found == ()
        hits = brain.search("harbour portal password")
        assert any("‹redacted:password:" in hit.text for hit in hits)
        assert brain.search("mast is 14 m tall")
    git = ["git", "-C", str(careless)]
    assert subprocess.run([*git, "status", "--porcelain"], capture_output=True, text=True, check=True).stdout == ""
    subprocess.run([*git, "fsck", "--full", "--strict"], check=True, capture_output=True)


def test_what_was_redacted_is_not_brought_in_again(careless: Path, state: Path, tmp_path: Path) -> None:
    _brain("redact", "--apply", "--memory", str(careless))

    with Brain.open(careless, clock=lambda: NOW) as brain:
        report = brain.import_([tmp_path / "source"])
        (tmp_path / "source" / "talk.json").write_text(_talk({"role": "user", "content": "And now?"}), "utf-8")
        grown = brain.import_([tmp_path / "source"])

    assert (report.new, report.grown) == (0, 0)
    assert (grown.new, grown.grown, grown.turns) == (0, 1, 1)
    assert leaked(SECRETS, everything(careless)) == []


def test_it_says_what_it_cannot_mend(careless: Path, state: Path) -> None:
    config = careless / ".brain" / "config.toml"
    config.write_text(
        config.read_text("utf-8")
        + f'\n[connectors.shop]\nkind = "mcp"\nurl = "https://ines:{WORD.replace("#", "x")}@shop.example.org"\n',
        "utf-8",
    )

    told = _brain("redact", "--apply", "--json", "--memory", str(careless))

    assert told.returncode == 1
    left = json.loads(told.stdout)["left"]
    assert {one["path"] for one in left} == {".brain/config.toml"}


def test_it_does_not_work_under_a_run(careless: Path, state: Path) -> None:
    with Brain.open(careless, clock=lambda: NOW) as brain:
        opened = brain.runs.open()
        with pytest.raises(SyncConflict, match="runs are open"):
            brain.redact(apply=True)
        assert opened is not None
        brain.runs.abort(opened.run_id)
        assert leaked(SECRETS, everything(careless)) == sorted(SECRETS)


def test_strings_that_are_allowed_are_no_secrets(careless: Path, state: Path) -> None:
    with Brain.open(careless) as brain:
        brain.config = replace(brain.config, privacy=replace(brain.config.privacy, redact_allow=SECRETS))
        assert brain.redact().exit_code == 0


def _brain(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "brain", *words], capture_output=True, text=True)
