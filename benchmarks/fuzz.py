"""Fuzzing every parser of foreign bytes: coverage-guided with atheris where it is installed, else at random.

    pip install 'brain[fuzz]'                               # atheris; without it the same runs unguided
    pytest tests/ingest tests/connectors --basetemp=/tmp/seeds   # writes hundreds of inputs of every format
    python benchmarks/fuzz.py run --work /tmp/fuzz --seeds /tmp/seeds --minutes 60 [--only chatgpt,mail] [--slice 60]
    python benchmarks/fuzz.py report --work /tmp/fuzz

`run` goes round robin, one process at a time, a slice of seconds a parser, and goes on where the last run stopped: what
reached new code is kept in WORK/corpus. An input that breaks a parser (an exception, ten seconds of processor time, a
loss without a count) is kept in WORK/found, one for each place in the code; it belongs into tests/fixtures/fuzz then.
"""

from __future__ import annotations

import argparse
import importlib
import json
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from types import FrameType
from typing import Any

import fuzz_mutations as mutations

ROOT = Path(__file__).parent.parent
KEPT = ROOT / "tests" / "fixtures" / "fuzz"
LIMIT = 10
"""Seconds of processor time one input may take, under instrumentation."""

LARGEST = 1 << 15
_SEED = 1 << 16


class Hangs(BaseException):
    """An input took too long. No parser may swallow it."""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("what", choices=("run", "report", "slice"))
    options.add_argument("--work", type=Path, required=True)
    options.add_argument("--seeds", type=Path)
    options.add_argument("--minutes", type=float, default=60)
    options.add_argument("--slice", type=int, default=60)
    options.add_argument("--only", default="")
    given = options.parse_args()
    sys.path.insert(0, str(ROOT / "tests" / "robust"))
    if given.what == "run":
        _run(given.work, given.seeds, given.minutes * 60, given.slice, [one for one in given.only.split(",") if one])
    elif given.what == "slice":
        _slice(given.work, given.only, given.slice)
    else:
        _report(given.work)


def _run(work: Path, seeds: Path | None, seconds: float, piece: int, only: list[str]) -> None:
    from parsers import PARSERS

    names = only or list(PARSERS)
    for name in names:
        (work / "corpus" / name).mkdir(parents=True, exist_ok=True)
        (work / "found" / name).mkdir(parents=True, exist_ok=True)
    _sow(work, seeds, set(names))
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        for name in names:
            if time.monotonic() >= until:
                return
            began, busy = time.monotonic(), _busy()
            command = [sys.executable, __file__, "slice", "--work", str(work), "--only", name, "--slice", str(piece)]
            done = subprocess.run(command, capture_output=True, text=True, errors="replace")
            _enter(work, name, time.monotonic() - began, _busy() - busy, done)


def _busy() -> float:
    """Processor seconds of the slices that ended so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _enter(work: Path, name: str, seconds: float, busy: float, done: subprocess.CompletedProcess[str]) -> None:
    """A line in the book: how long, how many inputs, and how the process ended."""
    units = [line.rpartition(" ")[2] for line in done.stderr.splitlines() if "number_of_executed_units" in line]
    row = {
        "parser": name,
        "seconds": round(seconds, 1),
        "busy": round(busy, 1),
        "inputs": int(units[-1]) if units else 0,
        "code": done.returncode,
        "corpus": len(list((work / "corpus" / name).iterdir())),
        "found": len(list((work / "found" / name).glob("*.bin"))),
    }
    if done.returncode:
        row["end"] = done.stderr[-600:]
    with (work / "book.jsonl").open("a") as book:
        book.write(json.dumps(row) + "\n")
    print(
        f"{name:22} {row['seconds']:6} s {row['inputs']:8} inputs, corpus {row['corpus']}, found {row['found']}",
        flush=True,
    )


# What a parser begins with


def _sow(work: Path, seeds: Path | None, names: set[str]) -> None:
    """Put seeds into the corpora: what once broke a parser, and files of `seeds` by the format they have."""
    for kept in sorted(KEPT.glob("*/*")):
        if kept.parent.name in names:
            shutil.copyfile(kept, work / "corpus" / kept.parent.name / kept.name)
    own = {
        "tree": [b"---\nid: a\n---\n\n# A\n\n- x [cite:1]\n"],
        "secrets": [b"password: hunter2!\n"],
        "html": [b"<p>x</p>"],
    }
    for name, inputs in own.items():
        for data in inputs if name in names else ():
            _plant(work, name, data)
    for file in sorted(seeds.rglob("*")) if seeds else ():
        if file.is_file() and not file.is_symlink() and 0 < file.stat().st_size <= _SEED:
            for name, data in _as_inputs(file):
                if name in names:
                    _plant(work, name, data)
    for folder in sorted(seeds.rglob("*")) if seeds and "folder" in names else ():
        if folder.is_dir() and folder.name in ("storage", "source", "export") and (data := _as_folder(folder)):
            _plant(work, "folder", data)


def _plant(work: Path, name: str, data: bytes) -> None:
    (work / "corpus" / name / sha256(data).hexdigest()[:24]).write_bytes(data)


def _as_inputs(file: Path) -> Iterator[tuple[str, bytes]]:
    from brain.ingest.formats import Head, find_format

    data, suffix = file.read_bytes(), file.suffix.lower()
    if data.startswith(b"SQLite format 3"):
        name = "opencode" if file.name.startswith("opencode") else "cursor"
        yield name, data
        yield f"{name}-rows", _as_rows(file)
    elif data.startswith(b"PK\x03\x04"):
        yield "archive", data
        yield "archive-members", _as_members(data)
    elif suffix in (".ics", ".ical"):
        yield "calendar", data
    elif suffix in (".mbox", ".eml") or data.startswith(b"From "):
        yield "mail", data
    elif suffix == ".md" and data.startswith(b"---\n"):
        yield "tree", data
    else:
        form = find_format(Head.of(file))
        if form is not None:
            yield ("gemini-takeout-html" if data.lstrip().startswith(b"<") else form.name), data
            if form.name == "cursor":
                yield "cursor-lines", data
            yield "secrets", data
        if suffix == ".html":
            yield "html", data


def _as_rows(file: Path) -> bytes:
    import sqlite3
    from contextlib import closing

    found: dict[str, Any] = {}
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as db:
        try:
            for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
                cursor = db.execute(f'SELECT * FROM "{table}" LIMIT 40')
                columns = [one[0] for one in cursor.description]
                found[table] = [
                    {
                        column: value.decode("utf-8", "replace") if isinstance(value, bytes) else value
                        for column, value in zip(columns, row, strict=True)
                    }
                    for row in cursor
                ]
        except sqlite3.Error:
            pass
    return json.dumps(found).encode()


def _as_members(data: bytes) -> bytes:
    import io
    import zipfile
    import zlib

    found: dict[str, Any] = {}
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for member in archive.infolist()[:20]:
                if member.file_size < 20_000:
                    found[member.filename] = archive.read(member).decode("utf-8", "replace")
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError, NotImplementedError):
        pass
    return json.dumps(found).encode()


def _as_folder(folder: Path) -> bytes:
    files = {
        f"{folder.name}/{file.relative_to(folder)}": file.read_bytes().decode("utf-8", "replace")
        for file in sorted(folder.rglob("*.json*"))[:30]
        if file.is_file()
    }
    data = json.dumps(files).encode()
    return data if files and len(data) <= _SEED else b""


# One slice


def _slice(work: Path, name: str, seconds: int) -> None:
    random.seed(0)
    try:
        atheris: Any = importlib.import_module("atheris")
    except ImportError:
        _unguided(work, name, seconds)
        return
    with atheris.instrument_imports(include=["brain", "icalendar"]):
        from parsers import PARSERS
    parser = PARSERS[name]
    trial = _Trial(work, name, parser.hold)

    def mutator(data: bytes, largest: int, seed: int) -> bytes:
        chance = random.Random(seed)
        changed = _mutated(
            parser.shape, data, chance, lambda given: bytes(atheris.Mutate(given, max(8, len(given) * 2)))
        )
        return changed[:largest] if len(changed) > largest else changed

    corpus = str(work / "corpus" / name)
    flags = [
        f"-max_total_time={seconds}",
        f"-max_len={LARGEST}",
        "-timeout=600",
        f"-artifact_prefix={work}/",
        "-rss_limit_mb=3000",
        "-print_final_stats=1",
        "-len_control=0",
    ]
    more = {"custom_mutator": mutator} if parser.shape != "bytes" else {}
    atheris.Setup([sys.argv[0], corpus, *flags], trial, **more)
    atheris.Fuzz()


def _unguided(work: Path, name: str, seconds: int) -> None:
    from parsers import PARSERS

    parser = PARSERS[name]
    trial = _Trial(work, name, parser.hold)
    inputs = [file.read_bytes() for file in sorted((work / "corpus" / name).iterdir())] or [b"{}"]
    chance, tried, until = random.Random(time.time_ns()), 0, time.monotonic() + seconds
    while time.monotonic() < until:
        trial(
            _mutated(parser.shape, chance.choice(inputs), chance, lambda given: mutations.plain(given, chance))[
                :LARGEST
            ]
        )
        tried += 1
    print(f"stat::number_of_executed_units: {tried}", file=sys.stderr)


def _mutated(shape: str, data: bytes, chance: random.Random, plain: mutations.Bytes) -> bytes:
    if shape == "json":
        return mutations.values(data, chance, plain)
    return mutations.text(data, chance, plain) if shape == "text" else plain(data)


class _Trial:
    """Gives a parser one input after another, each in an empty folder, and keeps what breaks it."""

    def __init__(self, work: Path, name: str, hold: Callable[[bytes, Path], None]) -> None:
        self.found = work / "found" / name
        memory = Path("/dev/shm")
        self.folder = (memory if memory.is_dir() else work) / f"fuzz-{name}"
        self.hold = hold
        self.seen: Counter[str] = Counter()
        signal.signal(signal.SIGVTALRM, _too_long)

    def __call__(self, data: bytes) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        try:
            signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT)
            self.hold(data, self.folder)
        except (Exception, Hangs) as error:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            self._keep(data, error)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    def _keep(self, data: bytes, error: BaseException) -> None:
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "/brain/" in frame.filename]
        last = frames[-1] if frames else traceback.extract_tb(error.__traceback__)[-1]
        place = f"{type(error).__name__}-{Path(last.filename).stem}-{last.name}"
        place = "".join(letter if letter.isalnum() or letter in "-_" else "_" for letter in place)[:80]
        kept = self.found / f"{place}.bin"
        if not kept.exists() or len(data) < kept.stat().st_size:
            kept.write_bytes(data)
            kept.with_suffix(".txt").write_text("".join(traceback.format_exception(error)), errors="replace")


def _too_long(number: int, frame: FrameType | None) -> None:
    raise Hangs(f"more than {LIMIT} s of processor time")


def _report(work: Path) -> None:
    """A table by parser: minutes, those of processor time (where they were counted), inputs, and what was found."""
    seconds: defaultdict[str, float] = defaultdict(float)
    busy: defaultdict[str, float] = defaultdict(float)
    inputs: Counter[str] = Counter()
    for line in (work / "book.jsonl").read_text().splitlines():
        row = json.loads(line)
        seconds[row["parser"]] += row["seconds"]
        busy[row["parser"]] += row.get("busy", 0)
        inputs[row["parser"]] += row["inputs"]
    print("| parser | minutes | of a processor | inputs | places found |\n|---|---|---|---|---|")
    for name in seconds:
        found = sorted(one.stem for one in (work / "found" / name).glob("*.bin"))
        print(f"| {name} | {seconds[name] / 60:.1f} | {busy[name] / 60:.1f} | {inputs[name]:,} | {len(found)} |")
    print(f"| all | {sum(seconds.values()) / 60:.0f} | {sum(busy.values()) / 60:.0f} | {sum(inputs.values()):,} | |")


if __name__ == "__main__":
    main()
