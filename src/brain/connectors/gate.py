"""Runs a server program behind a gate: some variables taken away, and its output cut off when there is too much of it.

Started as a program of its own (`python -I gate.py TOTAL LINE NAMES COMMAND…`), between the MCP client and the server.
It knows nothing of Brain. The server reads the client's input directly; what it says passes through here.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Sequence

CHUNK = 65_536
TALK = 4_000
"""Bytes of a server's own messages that are kept, for saying why it failed."""


def main(argv: Sequence[str]) -> int:
    total, line, names = int(argv[0]), int(argv[1]), argv[2]
    for name in filter(None, names.split(",")):
        os.unsetenv(name)
    try:
        server = subprocess.Popen(list(argv[3:]), stdin=None, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except OSError as error:
        print(f"{argv[3]!r} does not start: {error.strerror}", file=sys.stderr)
        return 127
    assert server.stdout is not None
    assert server.stderr is not None
    threading.Thread(target=_talk, args=(server.stderr.fileno(),), daemon=True).start()
    over = _relay(server.stdout.fileno(), sys.stdout.fileno(), total, line)
    if over:
        server.kill()
        print(over, file=sys.stderr)
        return 3
    return server.wait()


def _relay(source: int, sink: int, total: int, line: int) -> str:
    """Pass bytes on until they end; what was exceeded, else ""."""
    passed = since = 0
    while chunk := os.read(source, CHUNK):
        passed += len(chunk)
        at = chunk.rfind(b"\n")
        since = len(chunk) - at - 1 if at >= 0 else since + len(chunk)
        if passed > total:
            return f"the server says more than {total:,} bytes"
        if since > line:
            return f"the server sends a line of more than {line:,} bytes"
        while chunk:
            chunk = chunk[os.write(sink, chunk) :]
    return ""


def _talk(source: int) -> None:
    """Read all of a server's messages and pass the first of them on."""
    left = TALK
    while chunk := os.read(source, CHUNK):
        if left > 0:
            os.write(2, chunk[:left])
            left -= len(chunk)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (BrokenPipeError, KeyboardInterrupt):
        os._exit(1)
