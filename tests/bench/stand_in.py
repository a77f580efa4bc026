"""An agent from outside, for tests: it has only the folder it stands in, asks memory once, and answers by rote."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path


def main() -> None:
    start = Path("start.md").read_text("utf-8")
    question = start.rpartition("\nQuestion:\n")[2].splitlines()[0] if "\nQuestion:\n" in start else ""
    read = [path.as_posix() for path in sorted(Path("tree").glob("sessions/transcripts/**/*.md"))]
    statements = []
    if Path("memory").exists() and question:
        said = subprocess.run(["./memory", "recall", question], capture_output=True, check=True, text=True).stdout
        for line in said.splitlines():
            if match := re.match(r"- (.*?)(?: \([\d-]+\))? — \S+((?: <[^>]+>)+)$", line):
                statements.append({"text": match[1], "cites": re.findall(r"<([^>]+)>", match[2])})
    answer = {"statements": statements[:1], "missing": "" if statements else "Nothing is known.", "opened": read}
    Path("answer.json").write_text(json.dumps(answer), "utf-8")


main()
