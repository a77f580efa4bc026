"""From a session's turns to facts, notes and a summary, without any model: selection, never invention.

`facts` lifts statements from turns; `merge_notes` files them as snippets; `ExtractiveDistiller` does both and writes
the summary. Every statement stands alone: speaker named, dates absolute, at most 40 words, in its own language.
"""

from brain.distil.context import DistilContext
from brain.distil.distiller import Distilled, Distiller, ExtractiveDistiller
from brain.distil.facts import facts
from brain.distil.notes import merge as merge_notes
from brain.distil.session import project_of

__all__ = ["DistilContext", "Distilled", "Distiller", "ExtractiveDistiller", "facts", "merge_notes", "project_of"]
