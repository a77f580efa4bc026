"""Git as memory uses it: a closed environment, commits without a work tree, references moved by compare-and-swap."""

from brain.git.process import require_git
from brain.git.repository import DREAM, MAIN, SOMEONE, SYNC, Change, Git, GitTree, Person

__all__ = ["DREAM", "MAIN", "SOMEONE", "SYNC", "Change", "Git", "GitTree", "Person", "require_git"]
