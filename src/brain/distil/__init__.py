"""From a session's turns to facts, notes and a summary, without any model: selection, never invention."""

from brain.distil.context import DistilContext
from brain.distil.facts import facts

__all__ = ["DistilContext", "facts"]
