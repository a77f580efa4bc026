"""MCP servers, real ones: only tools that read are called, and a server that misbehaves costs one wait and no more."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from outside import NOW, reading

from brain.config import Connector
from brain.connectors import Connectors
from brain.errors import ConnectorError, NotFound

SERVER = Path(__file__).with_name("calendar_server.py")
PROGRAM = (sys.executable, str(SERVER))


def over_streams(tmp_path: Path, *allow: str, timeout: float = 20.0, environment: tuple[str, ...] = ()) -> Connectors:
    table = Connector(kind="mcp", command=PROGRAM, allow=allow, timeout=timeout, environment=environment)
    found = reading(tmp_path, agenda=table)
    found.allow("agenda")
    return found


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """A server behind HTTP, until the test is over."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    talk = (tmp_path / "server.log").open("wb")
    server = subprocess.Popen([*PROGRAM, "http", str(port)], stdout=talk, stderr=talk)
    try:
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        server.kill()
        server.wait()
        talk.close()


def children() -> set[str]:
    """Running processes of the test's server."""
    done = subprocess.run(["ps", "-eo", "pid,args"], capture_output=True, text=True, check=True)
    return {
        line for line in done.stdout.splitlines() if SERVER.name in line and str(os.getpid()) not in line.split()[0]
    }


def test_tools_that_read_and_resources_are_listed_searched_and_fetched(tmp_path: Path) -> None:
    with over_streams(tmp_path) as source:
        ids = [entry.id for entry in source.list("agenda")]
        assert ids == ["tool:fails?{}", "tool:search_events?{}", "tool:slow?{}", "resource:calendar://today"]
        assert source.check("agenda").what == "3 tools that only read, 1 resources"
        id = 'tool:search_events?{"query":"japan universal design sprint"}'
        record = source.read("agenda", id)
        assert record.text == "Host meeting with Sora City Lab, 2026-10-12 14:00 (Asia/Tokyo), Kyoto"
        assert record.title == "search_events: japan universal design sprint"
        assert source.read("agenda", "resource:calendar://today").text == "Packing day"
        pinned = source.fetch("agenda", id)
        assert (tmp_path / "memory" / f"sessions/artifacts/connectors/agenda/{pinned.uri.sha}.json").is_file()
    assert not children()


def test_a_search_asks_the_tools_that_take_a_query(tmp_path: Path) -> None:
    table = Connector(kind="mcp", command=PROGRAM, timeout=4.0)
    source = reading(tmp_path, agenda=table)
    source.allow("agenda")
    with source:
        found = source.search("agenda", "Japan universal design sprint")  # another of its tools takes half a minute
        assert [entry.id for entry in found] == ['tool:search_events?{"query":"Japan universal design sprint"}']
        assert ("tool slow: no answer within 4 seconds", 1) in source.skipped("agenda")
        assert [entry.id for entry in source.search("agenda", "Japan universal design sprint")] == [
            entry.id for entry in found
        ]
        assert "2026-10-12" in source.read("agenda", found[0].id).text


def test_tools_that_may_write_are_not_called_unless_the_config_names_them(tmp_path: Path) -> None:
    with over_streams(tmp_path) as source:
        for name in ("delete_event", "contradictory", "surroundings", "nothing"):
            with pytest.raises(NotFound, match="no tool"):
                source.read("agenda", f'tool:{name}?{{"id":"1","query":"x"}}')
        assert ("tools that may write", 3) in source.skipped("agenda")
    with over_streams(tmp_path, "contradictory") as source:
        assert source.read("agenda", 'tool:contradictory?{"query":"x"}').text == "x"


def test_a_tool_that_fails_leaves_the_server_usable(tmp_path: Path) -> None:
    with over_streams(tmp_path) as source:
        with pytest.raises(NotFound, match="'fails' failed"):
            source.read("agenda", 'tool:fails?{"id":7}')
        with pytest.raises((NotFound, ConnectorError)):
            source.read("agenda", 'tool:fails?{"id":"seven"}')
        with pytest.raises(NotFound, match="lists no resource"):
            source.read("agenda", "resource:file:///etc/passwd")
        assert source.read("agenda", "resource:calendar://today").text == "Packing day"


def test_a_server_sees_only_the_variables_that_the_config_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CALENDAR_KEY", "k-77")
    monkeypatch.setenv("OTHER_KEY", "k-88")
    monkeypatch.setenv("HOME", str(tmp_path))
    with over_streams(tmp_path, "surroundings") as source:
        seen = source.read("agenda", "tool:surroundings?{}").text
        assert seen.endswith("SECRET=")
        assert not {"HOME", "USER", "OTHER_KEY", "CALENDAR_KEY", "BRAIN_STATE"} & set(seen.split(" ")[0].split(","))
    with over_streams(tmp_path, "surroundings", environment=("CALENDAR_KEY",)) as source:
        seen = source.read("agenda", "tool:surroundings?{}").text
        assert seen.endswith("SECRET=k-77")
        assert "OTHER_KEY" not in seen


@pytest.mark.parametrize(
    ("mischief", "why"),
    [
        ("dies", "the calendar database is locked"),
        ("hangs", "no answer within 4 seconds"),
        ("floods", "a line of more than"),
        ("babbles", ""),
    ],
)
def test_a_server_that_misbehaves_is_survived(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mischief: str, why: str
) -> None:
    monkeypatch.setenv("BRAIN_MISCHIEF", mischief)
    seconds = 1.0 if mischief in ("hangs", "babbles") else 20.0
    with over_streams(tmp_path, timeout=seconds, environment=("BRAIN_MISCHIEF",)) as source:
        standing = source.check("agenda")
        assert not standing.ok
        assert why in standing.what
        assert standing.line().startswith("connector agenda (mcp) is not available: ")
        with pytest.raises(ConnectorError, match="agenda"):
            source.search("agenda", "x")
    assert not children()


def test_a_program_that_is_not_there_is_said(tmp_path: Path) -> None:
    source = reading(tmp_path, agenda=Connector(kind="mcp", command=("no-such-program-here",), timeout=5.0))
    source.allow("agenda")
    with source:
        standing = source.check("agenda")
    assert not standing.ok
    assert "no-such-program-here" in standing.what


def test_over_http_it_is_the_same(tmp_path: Path, address: str) -> None:
    source = reading(tmp_path, agenda=Connector(kind="mcp", url=address))
    source.allow("agenda")
    with source:
        assert source.check("agenda").what == "3 tools that only read, 1 resources"
        record = source.read("agenda", 'tool:search_events?{"query":"japan universal design sprint"}')
        assert "2026-10-12 14:00" in record.text


def test_an_address_that_does_not_answer_or_is_none_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        tables = {
            "away": Connector(kind="mcp", url=f"http://127.0.0.1:{port}/mcp", timeout=5.0),
            "file": Connector(kind="mcp", url="file:///etc/passwd"),
            "login": Connector(kind="mcp", url="https://me:secret@example.org/mcp"),
            "open": Connector(kind="mcp", url="http://example.org/mcp", token="AGENDA_TOKEN"),
            "unset": Connector(kind="mcp", url="https://example.org/mcp", token="NO_SUCH_TOKEN"),
            "neither": Connector(kind="mcp"),
        }
        monkeypatch.setenv("AGENDA_TOKEN", "t-1")
        source = reading(tmp_path, "UTC", NOW, **tables)
        for name in tables:
            source.allow(name)
        with source:
            said = {name: source.check(name) for name in tables}
    assert not any(standing.ok for standing in said.values())
    assert "no http address" in said["file"].what
    assert "password" in said["login"].what
    assert "open line" in said["open"].what
    assert "NO_SUCH_TOKEN" in said["unset"].what
    assert "command or a url" in said["neither"].what
    assert "secret" not in str(said["login"])


def test_a_server_starts_only_after_a_person_approved_it_here(tmp_path: Path) -> None:
    marker = tmp_path / "started"
    table = Connector(kind="mcp", command=(sys.executable, "-c", f"open({str(marker)!r}, 'w')"), timeout=5.0)
    source = reading(tmp_path, agenda=table)
    standing = source.check("agenda")
    assert not standing.ok
    assert "brain connector allow agenda" in standing.hint
    assert not marker.exists()
    source.allow("agenda")
    source.check("agenda")
    assert marker.exists()
    changed = Connector(kind="mcp", command=(sys.executable, "-c", "pass"), timeout=5.0)
    assert "not approved" in reading(tmp_path, agenda=changed).check("agenda").what
    source.disallow("agenda")
    assert "not approved" in reading(tmp_path, agenda=table).check("agenda").what
