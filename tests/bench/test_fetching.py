"""Getting data sets: whole or not at all, noted by hash, refused where the licence is not for everybody."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from brain.bench.fetching import DATA_SETS, SUMS, fetch
from brain.cli.app import app
from brain.errors import ConnectorError, UsageError


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """A mirror on this machine."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder))) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


def test_files_come_once_and_another_release_is_said(tmp_path: Path) -> None:
    mirror, out = tmp_path / "mirror", tmp_path / "data"
    mirror.mkdir()
    (mirror / "longmemeval_oracle.json").write_text("[1]")
    with served(mirror) as url:
        first = fetch(DATA_SETS["longmemeval-oracle"], out, base=url)
        (mirror / "longmemeval_oracle.json").write_text("[2]")
        second = fetch(DATA_SETS["longmemeval-oracle"], out, base=url)
        (out / "longmemeval_oracle.json").unlink()
        third = fetch(DATA_SETS["longmemeval-oracle"], out, base=url)
    assert (first.new, first.kept, first.warnings) == (("longmemeval_oracle.json",), (), ())
    assert (second.new, second.kept, second.warnings) == ((), ("longmemeval_oracle.json",), ())
    assert "another release" in third.warnings[0]
    assert (out / SUMS).read_text().endswith("  longmemeval_oracle.json\n")


def test_what_a_listing_names_is_fetched_by_its_name(tmp_path: Path) -> None:
    mirror = tmp_path / "mirror"
    mirror.mkdir()
    (mirror / "Tove_Dahl_dialogues_256k.json").write_text("{}")
    rows = [{"name": name, "download_url": ""} for name in ("Tove_Dahl_dialogues_256k.json", "README.md")]
    (mirror / "listing.json").write_text(json.dumps(rows))
    with served(mirror) as url:
        assert fetch(DATA_SETS["realmem"], tmp_path / "data", base=url).new == ("Tove_Dahl_dialogues_256k.json",)


def test_a_file_that_cannot_be_had_leaves_nothing_half_written(tmp_path: Path) -> None:
    (tmp_path / "mirror").mkdir()
    with served(tmp_path / "mirror") as url, pytest.raises(ConnectorError, match="cannot be had"):
        fetch(DATA_SETS["longmemeval-oracle"], tmp_path / "data", base=url)
    assert [path for path in (tmp_path / "data").rglob("*") if path.is_file()] == []


def test_a_data_set_that_is_not_for_everybody_is_named_with_its_place(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="CC BY-NC") as error:
        fetch(DATA_SETS["locomo"], tmp_path)
    assert "locomo10.json" in str(error.value.hint)


def test_the_command_lists_what_there_is_with_licences() -> None:
    done = CliRunner().invoke(app, ["bench", "fetch"])
    assert done.exit_code == 0
    assert all(one.name in done.stdout and one.licence in done.stdout for one in DATA_SETS.values())
