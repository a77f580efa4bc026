"""The skill that an author of a run follows: Markdown in the package, its hash in the manifest and the commit."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

SKILL = Path(__file__).parent.parent / "skills" / "dream" / "SKILL.md"


def skill() -> str:
    """The text of the skill, frontmatter included."""
    return SKILL.read_text("utf-8")


def skill_sha256() -> str:
    return sha256(SKILL.read_bytes()).hexdigest()
