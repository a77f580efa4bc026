"""A stand-in for an agent: plays Dream with the command line and edits of files, and nothing else of the package.

    standin.py by-hand      opens a run, works, closes it
    standin.py command      is called by the command engine: the prompt on standard input, the tree as working folder

It makes pages of the subjects of FACTS.md, moves what was said otherwise later to History, mends what the check names
by taking it out, and says in report.md which sessions gave nothing.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

BRAIN = [sys.executable, "-m", "brain"]
LEAST = 2
KINDS = {"wayfinding audit": "concepts", "japan universal design sprint": "projects"}
PEOPLE = {"Nadia", "Inès Moreau", "Mai Okuda", "Tomasz Wilk", "Haruka Nishida", "Kenji Aoyama", "Hervé Blanc"}
FACT = re.compile(
    r"- (?:\S+ · )?(?P<kind>\w+) · (?:[^·]+ · )?(?P<text>.+?)(?P<mark> \^\[\w+\])? (?P<cite>\[cite:\S+\])$"
)


def brain(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*BRAIN, *words], capture_output=True, text=True)


def subjects(facts: str) -> dict[str, list[re.Match[str]]]:
    found: dict[str, list[re.Match[str]]] = {}
    name = ""
    for line in facts.splitlines():
        if line.startswith("## "):
            name = line[3:].partition(" → ")[0]
        elif match := FACT.match(line):
            found.setdefault(name, []).append(match)
    return found


def slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.casefold().replace("è", "e")).strip("-")


def write_pages(tree: Path, facts: str) -> None:
    for name, found in subjects(facts).items():
        if name.startswith("(") or len(found) < LEAST:
            continue
        folder = KINDS.get(name.casefold(), "entities")
        place = tree / "knowledge" / folder / f"{slug(name)}.md"
        lines = [f"- {m['text']}{m['mark'] or ''} {m['cite']}" for m in found]
        if place.exists():
            add(place, lines)
            continue
        kind = f"entity_kind: {'person' if name in PEOPLE else 'org'}\n" if folder == "entities" else ""
        lead = lines[0][2:]
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(
            f"---\ntitle: {name}\ndescription: {name}, as told in {len(found)} facts so far\n{kind}---\n"
            f"# {name}\n\n{lead}\n\n## Facts\n" + "\n".join(lines[1:]) + "\n",
            "utf-8",
        )


def add(place: Path, lines: list[str]) -> None:
    """New facts go to the end of the section Facts."""
    head, mark, tail = place.read_text("utf-8").partition("\n## Facts\n")
    facts, gap, rest = tail.partition("\n\n## ")
    place.write_text(head + mark + "\n".join([facts.rstrip("\n"), *lines]) + gap + rest, "utf-8")


def supersede(tree: Path, facts: str) -> None:
    """The Kyoto stay that was planned for September goes to History, with the words that moved it to October."""
    found = [m for every in subjects(facts).values() for m in every if "moved from September to October" in m["text"]]
    for place in sorted((tree / "knowledge").rglob("*.md")):
        lines = place.read_text("utf-8").split("\n")
        old = next((line for line in lines if line.startswith("- The Kyoto stay is planned for September")), None)
        if old and found:
            lines.remove(old)
            words, _, cite = old.partition(" [cite:")
            lines.insert(lines.index("## Changelog"), f"## History\n{words} [cite:{cite} {found[0]['cite']}\n")
            place.write_text("\n".join(lines), "utf-8")


def mend(tree: Path, report: Path) -> bool:
    """Take out the lines that the check names, account for sessions; whether nothing blocks any more."""
    checked = json.loads(brain("dream", "check", "--json").stdout)
    broken = [p for p in checked["problems"] if p["severity"] == "E"]
    by_path: dict[str, set[int]] = {}
    for problem in broken:
        if problem["rule"] == "STG006":
            session = re.search(r"session ([0-9a-f]{8})", problem["message"])
            assert session
            with report.open("a", encoding="utf-8") as file:
                file.write(f"- {session[1]} nothing: nothing of it lasts\n")
        elif problem["line"]:
            by_path.setdefault(problem["path"], set()).add(problem["line"])
    for path, numbers in by_path.items():
        kept = [line for n, line in enumerate((tree / path).read_text("utf-8").split("\n"), 1) if n not in numbers]
        (tree / path).write_text("\n".join(kept), "utf-8")
    return not broken


def main(mode: str) -> int:
    prompt = ""
    if mode == "by-hand":
        opened = json.loads(brain("dream", "open", "--by", "stand-in", "--json").stdout)
        tree, report = Path(opened["tree"]), Path(opened["report"])
    else:
        prompt = sys.stdin.read()
        assert prompt.startswith(f"brain-run: {os.environ['BRAIN_RUN']}"), prompt[:80]
        tree, report = Path.cwd(), Path.cwd().parent / "report.md"
    os.chdir(tree)
    if "What the check found" not in prompt:
        facts = (tree.parent / "FACTS.md").read_text("utf-8")
        write_pages(tree, facts)
        supersede(tree, facts)
    for _ in range(6):
        if mend(tree, report):
            break
    if mode == "by-hand":
        done = brain("dream", "close")
        print(done.stdout, done.stderr)
        return done.returncode
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
