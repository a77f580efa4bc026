"""The sandbox of agents: what cannot be reached from inside, and what happens to commands that want too much."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic_ai.models.test import TestModel

from brain.agents.dreamer import ModelDreamer
from brain.agents.ledger import Ledger
from brain.agents.sandbox import Limits, Sandbox, memory_of, missing, sandbox
from brain.errors import ConfigError
from brain.sync.plain import plain

pytestmark = pytest.mark.skipif(missing() is not None, reason=f"no sandbox here: {missing()} (apt install bubblewrap)")
MB = 1 << 20
TIGHT = Limits(
    processes=24, memory=300 * MB, file=4 * MB, disk=8 * MB, files=300, tmp=4 * MB, output=MB // 4, seconds=20
)


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    """A brain's folder with an open run, and another brain beside it."""
    root = tmp_path / "memory"
    for folder in ("knowledge", "sessions/transcripts", ".git", ".brain/index", ".brain/staging/run/tree/knowledge"):
        (root / folder).mkdir(parents=True)
    (root / "knowledge/page.md").write_text("Tea is green.\n")
    (root / ".brain/index/words").write_text("forgotten words\n")
    (root / ".brain/staging/run/tree/.git").write_text("gitdir: elsewhere\n")
    (tmp_path / "other/knowledge").mkdir(parents=True)
    (tmp_path / "other/knowledge/page.md").write_text("Somebody else's.\n")
    return root


@pytest.fixture
def tree(memory: Path) -> Path:
    return memory / ".brain/staging/run/tree"


@pytest.fixture
def place(memory: Path, tree: Path) -> Sandbox:
    return sandbox(tree, readable=memory_of(memory), limits=TIGHT)


def sh(place: Sandbox, command: str) -> tuple[int, str]:
    """Exit code and both streams of a command."""
    result = asyncio.run(place.workspace().run(command, shell=True, timeout=60))
    return result.exit_code, result.stdout + result.stderr


def python(place: Sandbox, program: str) -> tuple[int, str]:
    result = asyncio.run(place.workspace().run(["python3", "-c", program], timeout=60))
    if result.exit_code == 127:
        pytest.skip("this machine has no python3 under /usr for the sandbox to run")
    return result.exit_code, result.stdout + result.stderr


# What it is for


def test_commands_read_memory_and_write_staging(place: Sandbox, memory: Path, tree: Path) -> None:
    code, said = sh(place, f"cat {memory}/knowledge/page.md && echo 'Tea is black.' > knowledge/new.md && pwd")
    assert (code, said) == (0, f"Tea is green.\n{tree}\n")
    assert (tree / "knowledge/new.md").read_text() == "Tea is black.\n"


def test_file_tools_work_where_commands_do(place: Sandbox, tree: Path) -> None:
    async def edit() -> str:
        workspace = place.workspace()
        await workspace.write_text(f"{tree}/knowledge/a/b.md", "Thé vert\n")
        return await workspace.read_text(f"{tree}/knowledge/a/b.md")

    assert asyncio.run(edit()) == "Thé vert\n" == (tree / "knowledge/a/b.md").read_text()


def test_an_exit_code_and_both_streams_come_through(place: Sandbox) -> None:
    result = asyncio.run(place.workspace().run("echo out; echo err >&2; exit 7", shell=True))
    assert (result.exit_code, result.stdout, result.stderr) == (7, "out\n", "err\n")


def test_a_single_file_beside_the_folder_can_be_written_when_named(place: Sandbox, tree: Path) -> None:
    report = tree.parent / "report.md"
    report.write_text("first\n")
    code, _ = sh(replace(place, files=(report,)), f"echo second >> {report}")
    assert (code, report.read_text()) == (0, "first\nsecond\n")


def test_an_answering_agent_gets_a_folder_it_cannot_write(place: Sandbox, tree: Path) -> None:
    code, said = sh(replace(place, writable=False), "ls; touch knowledge/x")
    assert code != 0
    assert "knowledge" in said
    assert not (tree / "knowledge/x").exists()


# What is out of reach


@pytest.mark.parametrize("target", ["{root}/knowledge/page.md", "{root}/.brain/staging/run/manifest.json", "/usr/x"])
def test_nothing_outside_the_folder_can_be_written(place: Sandbox, memory: Path, target: str) -> None:
    path = target.format(root=memory)
    before = Path(path).read_text() if Path(path).exists() else None
    sh(place, f"echo bad > '{path}'")  # below /tmp it may land in the private /tmp
    assert (Path(path).read_text() if Path(path).exists() else None) == before


def test_a_link_does_not_lead_outside(place: Sandbox, memory: Path, tree: Path) -> None:
    code, _ = sh(place, f"ln -s {memory}/knowledge/page.md out && echo bad > out")
    assert code != 0
    assert (memory / "knowledge/page.md").read_text() == "Tea is green.\n"

    async def write() -> None:
        await place.workspace().write_text(f"{tree}/out", "bad")

    with pytest.raises(OSError, match=r"ermission|ead-only|denied|out"):
        asyncio.run(write())
    assert (memory / "knowledge/page.md").read_text() == "Tea is green.\n"


def test_a_hard_link_cannot_be_made_to_what_lies_outside(place: Sandbox, memory: Path) -> None:
    code, _ = sh(place, f"ln {memory}/knowledge/page.md mine")
    assert code != 0


def test_the_pointer_to_git_cannot_be_changed(place: Sandbox, tree: Path) -> None:
    sh(place, "echo gitdir: evil > .git; rm -f .git; mv .git old; mkdir evil")
    assert (tree / ".git").read_text() == "gitdir: elsewhere\n"


def test_home_and_other_brains_are_not_there(place: Sandbox, memory: Path, tmp_path: Path) -> None:
    home = Path.home()
    code, said = sh(
        place, f"ls -A {home} {home}/.ssh /etc/shadow /root /home /var; cat {tmp_path}/other/knowledge/page.md"
    )
    assert code != 0
    assert "Somebody" not in said
    assert all("No such file" in line for line in said.splitlines() if line)


def test_of_a_brain_only_memory_is_there(place: Sandbox, memory: Path) -> None:
    _, said = sh(place, f"ls -A {memory} {memory}/.brain")
    assert ".git" not in said
    assert "index" not in said


def test_the_environment_holds_no_keys(place: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-person")
    _, said = sh(place, "env; tr '\\0' '\\n' < /proc/1/environ; tr '\\0' '\\n' < /proc/self/environ")
    assert "sk-of-the-person" not in said
    assert "BRAIN_RUN=1" in said


@pytest.fixture
def server() -> Iterator[tuple[int, list[str]]]:
    """A server of this machine, and whom it has heard from."""
    heard: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.1)
        done = threading.Event()

        def serve() -> None:
            while not done.is_set():
                try:
                    connection, address = listener.accept()
                except TimeoutError:
                    continue
                heard.append(str(address))
                connection.close()

        thread = threading.Thread(target=serve)
        thread.start()
        yield listener.getsockname()[1], heard
        done.set()
        thread.join()


def test_there_is_no_network(place: Sandbox, server: tuple[int, list[str]]) -> None:
    port, heard = server
    with socket.create_connection(("127.0.0.1", port)):
        pass  # from outside it answers
    code, said = python(place, f"import socket; socket.create_connection(('127.0.0.1', {port}), 3)")
    assert code != 0
    assert "Error" in said
    code, _ = python(place, "import socket; print(socket.getaddrinfo('example.com', 80))")
    assert code != 0
    assert len(heard) <= 1


def test_no_socket_of_the_machine_can_be_reached(place: Sandbox, tree: Path) -> None:
    place_of_socket = tree / "s"
    here = Path.cwd()
    os.chdir(tree)  # a socket's path must be short
    try:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind("s")
            listener.listen()
            code, said = python(place, "import socket; s = socket.socket(socket.AF_UNIX); s.connect('s'); print('in')")
    finally:
        os.chdir(here)
    assert place_of_socket.is_socket()
    assert code != 0
    assert "in\n" not in said


def test_other_processes_are_neither_seen_nor_killed(place: Sandbox) -> None:
    with subprocess.Popen(["sleep", "600"]) as other:
        _, said = sh(place, f"ls -d /proc/[0-9]*; kill -9 {other.pid} {os.getpid()}; kill -9 -1")
        assert f"/proc/{other.pid}\n" not in said
        assert other.poll() is None
        other.kill()


def test_settings_of_the_kernel_cannot_be_written(place: Sandbox) -> None:
    before = Path("/proc/sys/vm/swappiness").read_text()
    code, _ = sh(place, "echo 7 > /proc/sys/vm/swappiness")
    assert code != 0
    assert Path("/proc/sys/vm/swappiness").read_text() == before


def test_nobody_becomes_somebody_else(place: Sandbox) -> None:
    code, _ = sh(place, "unshare -U true || mount -t tmpfs none /tmp || su -c true")
    assert code != 0


# Who wants too much


def stopped(place: Sandbox, command: str) -> str:
    """What a command was stopped for; afterwards the sandbox and this machine go on."""
    code, said = sh(place, command)
    assert code == 125, said[-400:]
    assert sh(place, "echo still here") == (0, "still here\n")
    return said.splitlines()[-1]


def test_a_fork_bomb_ends(place: Sandbox) -> None:
    said = stopped(place, "bomb() { bomb & bomb & }; bomb; sleep 30")
    assert "24 processes" in said or "20 seconds" in said  # a busy machine may use up the time before all are counted
    names = [path.read_text() for path in Path("/proc").glob("[0-9]*/comm") if path.exists()]
    assert len(names) < 2000


def test_all_processes_together_have_so_much_memory(place: Sandbox) -> None:
    program = "a = bytearray(b'x') * (90 << 20); import time; time.sleep(30)"
    command = f'for i in 1 2 3 4 5; do python3 -c "{program}" & done; wait'
    if sh(place, "command -v python3")[0]:
        pytest.skip("this machine has no python3 under /usr for the sandbox to run")
    assert "300 MB of memory" in stopped(place, command)


def test_one_process_cannot_ask_for_more_memory_than_there_is_to_have(place: Sandbox) -> None:
    code, said = python(place, "a = bytearray(40 << 30)")
    assert code == 1
    assert "MemoryError" in said


def test_the_disk_does_not_fill(place: Sandbox, tree: Path) -> None:
    command = "i=0; while :; do i=$((i+1)); dd if=/dev/zero of=f$i bs=1M count=3 2>/dev/null; done"
    assert "8 MB of new files" in stopped(place, command)
    assert sum(path.stat().st_size for path in tree.rglob("*")) < 400 * MB
    assert sh(place, "rm -f f*; ls") == (0, "knowledge\n")  # and it can be cleared up


def test_many_commands_do_not_fill_it_either(place: Sandbox) -> None:
    workspace = place.workspace()

    async def write(number: int) -> int:
        command = f"dd if=/dev/zero of=f{number} bs=1M count=3 2>/dev/null; sleep 0.3"
        return (await workspace.run(command, shell=True)).exit_code

    async def clear() -> int:
        return (await workspace.run("rm f*", shell=True)).exit_code

    assert [asyncio.run(write(number)) for number in range(4)] == [0, 0, 125, 125]
    assert asyncio.run(clear()) == 0
    assert asyncio.run(write(5)) == 0


def test_files_without_a_name_count_too(place: Sandbox) -> None:
    program = (
        "import os, time\nkept = []\nfor i in range(40):\n f = open('x', 'wb'); os.unlink('x')\n"
        " f.write(bytes(3 << 20)); f.flush(); kept.append(f)\ntime.sleep(30)"
    )
    code, said = python(place, program)
    assert code == 125
    assert "8 MB of new files" in said


def test_there_are_only_so_many_files(place: Sandbox) -> None:
    assert "300 new files" in stopped(place, "i=0; while :; do i=$((i+1)); : > n$i; done")


def test_depth_hides_nothing(place: Sandbox, tree: Path) -> None:
    place = replace(place, limits=replace(TIGHT, files=5_000))
    command = "i=0; while [ $i -lt 3000 ]; do i=$((i+1)); mkdir long-name-$i; cd long-name-$i; done; sleep 1"
    code, said = sh(place, command)
    assert code == 125
    assert "24 folders one in the other" in said
    assert sh(place, "ls -d long*") == (0, "long-name-1\n")
    assert plain(tree)[0].endswith(": too deep, removed")
    fill = "while :; do i=$((i+1)); dd if=/dev/zero of=shut/f$i bs=1M count=3 2>/dev/null; done"
    assert "8 MB of new files" in sh(place, f"mkdir shut; chmod 300 shut; i=0; {fill}")[1]


def test_one_file_grows_only_so_far(place: Sandbox, tree: Path) -> None:
    code, _ = sh(place, "dd if=/dev/zero of=big bs=1M count=500")
    assert code != 0
    assert (tree / "big").stat().st_size <= 4 * MB


@pytest.mark.parametrize("folder", ["/tmp", "/dev/shm"])
def test_what_lies_in_memory_is_bounded_and_gone_afterwards(place: Sandbox, folder: str) -> None:
    fill = f"for i in 1 2 3; do dd if=/dev/zero of={folder}/x$i bs=1M count=3 2>/dev/null; done"
    code, said = sh(place, f"{fill}; cat {folder}/x* | wc -c")
    assert code == 0
    assert int(said) <= 4 * MB
    assert sh(place, f"ls {folder}/x*")[0] != 0


def test_endless_output_ends(place: Sandbox) -> None:
    assert "output" in stopped(place, "yes")


@pytest.mark.parametrize("command", ["while :; do :; done", "exec >&- 2>&-; sleep 600"])
def test_an_endless_command_ends(place: Sandbox, command: str) -> None:
    assert "1 seconds" in stopped(replace(place, limits=replace(TIGHT, seconds=1)), command)


def test_nothing_goes_on_in_the_background(place: Sandbox) -> None:
    code, _ = sh(place, "setsid sleep 98765 & echo started")
    assert code == 0
    lines = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if path.exists()]
    assert b"sleep\x0098765\x00" not in lines


# What it leaves


def test_only_plain_files_are_left(place: Sandbox, tree: Path) -> None:
    sh(
        place,
        "ln -s /etc/passwd link; mkfifo pipe; mkdir -p deep/er; echo x > deep/er/file; chmod 000 deep/er; ln -s . loop",
    )
    assert plain(tree) == [
        "link: a symbolic link, removed",
        "loop: a symbolic link, removed",
        "pipe: a named pipe, removed",
    ]
    assert (tree / "deep/er/file").read_text() == "x\n"


# Where there is none


def test_without_bubblewrap_it_refuses_and_says_how_to_get_it(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing.cache_clear()
    monkeypatch.setenv("PATH", str(tmp_path))
    try:
        with pytest.raises(ConfigError, match="bubblewrap is not installed") as refused:
            sandbox(tree)
        assert "apt install bubblewrap" in (refused.value.hint or "")
        assert "unsandboxed = true" in (refused.value.hint or "")
        assert not sandbox(tree, unsandboxed=True).isolated
    finally:
        missing.cache_clear()


def test_a_dream_by_a_model_refuses_before_anything_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    missing.cache_clear()
    monkeypatch.setenv("PATH", str(tmp_path))
    try:
        with pytest.raises(ConfigError, match="agents run in a sandbox, and bubblewrap is not installed"):
            ModelDreamer(Ledger(None, "run"), model=TestModel())
    finally:
        missing.cache_clear()


def test_without_a_sandbox_commands_still_have_limits(place: Sandbox, tree: Path) -> None:
    outside = Sandbox(folder=tree, isolated=False, limits=replace(TIGHT, seconds=1))
    assert "1 seconds" in stopped(outside, "sleep 600")
