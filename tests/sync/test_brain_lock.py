"""One writer at a time: waiting, stale locks, and a holder that overslept."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from brain.errors import LockHeld
from brain.sync import lock as lock_module
from brain.sync.lock import Lock


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / ".brain").mkdir()
    return tmp_path


def lock(root: Path, what: str = "brain test") -> Lock:
    return Lock(root, root / "state" / "epoch", what=what)


def test_a_second_writer_waits_and_is_told_who_holds_it(root: Path) -> None:
    with lock(root, "brain dream"), pytest.raises(LockHeld, match="'brain dream'"):
        lock(root).acquire(patience=0.1)
    with lock(root) as free:
        assert free.fence == 2


def test_the_number_rises_and_outlives_the_lock(root: Path) -> None:
    fences = []
    for _ in range(3):
        with lock(root) as held:
            fences.append(held.fence)
    assert fences == [1, 2, 3]


def test_the_lock_of_a_killed_process_is_broken_at_once(root: Path) -> None:
    code = (
        "import os, sys; from pathlib import Path; from brain.sync.lock import Lock; root = Path(sys.argv[1])\n"
        "Lock(root, root / 'state' / 'epoch', what='killed').acquire(); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", code, str(root)], check=False)
    assert (root / ".brain" / "lock").exists()
    with lock(root) as held:
        assert held.fence == 2


def test_a_number_used_again_by_the_system_is_not_taken_for_the_holder(root: Path) -> None:
    with lock(root):
        pass
    held = {"what": "old", "pid": os.getpid(), "started": "1", "host": lock_module._host(), "until": 4e9, "fence": 7}
    (root / ".brain" / "lock").write_text(json.dumps(held))
    with lock(root) as taken:
        assert taken.fence == 8


def test_the_lock_of_another_machine_holds_until_its_lease_is_over(root: Path) -> None:
    held = {"what": "far", "pid": 1, "started": "", "host": "elsewhere/1", "until": time.time() + 60, "fence": 7}
    place = root / ".brain" / "lock"
    place.write_text(json.dumps(held))
    with pytest.raises(LockHeld, match="elsewhere"):
        lock(root).acquire(patience=0.05)
    place.write_text(json.dumps(held | {"until": time.time() - 1}))
    with lock(root) as taken:
        assert taken.fence == 8


def test_a_holder_that_overslept_notices_before_it_publishes(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock_module, "LEASE", 0.05)
    slow = lock(root)
    slow.acquire()
    time.sleep(0.1)
    with lock(root):
        with pytest.raises(LockHeld, match="broke this brain's lock"):
            slow.check()
        slow.release()
        assert (root / ".brain" / "lock").exists(), "the sleeper must not remove its successor's lock"


def test_a_lock_file_that_does_not_read_is_no_obstacle(root: Path) -> None:
    (root / ".brain" / "lock").write_text("{")
    with lock(root):
        pass


def test_many_threads_are_never_in_at_once(root: Path) -> None:
    inside: list[int] = []
    most: list[int] = []

    def work() -> None:
        for _ in range(5):
            with lock(root):
                inside.append(1)
                most.append(len(inside))
                time.sleep(0.001)
                inside.pop()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(most) == 20
    assert max(most) == 1
