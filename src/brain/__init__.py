"""Brain: agent memory as a knowledge wiki.

The story, in the order data flows (each step is a folder of this package):

1. `ingest` turns transcripts of real tools into sessions: loss-free, redacted, append-only, with numbered turns.
2. `distil` lifts from each session with new turns a summary and notes, one line and one source each.
3. `dream` attaches facts to subjects and updates the wiki in a staging tree: small surgical edits, or none at all.
4. `rules` check what was proposed, and every claim against the turns it cites; `dream.sync` merges and commits it.
5. `corpus` makes pages, notes, summaries and turns searchable, by words and by meaning. Derived, rebuildable.
6. `explore` shows, follows links, resolves citations and answers.

`Brain` is the one door to all of it; the command line is a skin over it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from brain.brain import Brain

__all__ = ["Brain", "__version__"]
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Import `Brain` when it is asked for: `brain --help` must not load a search engine."""
    if name == "Brain":
        from brain.brain import Brain

        return Brain
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
