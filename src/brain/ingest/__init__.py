"""Ingest: transcripts of real tools become sessions: redacted, append-only Markdown with numbered turns.

`import_paths` is the door; `formats/` holds one file a transcript format; the rest is the way between, in order:
choose (which files), noise and recall (what is not speech), prepare and redact, align (what is new), store, report.
"""

from brain.ingest.importer import import_paths, import_sessions
from brain.ingest.raw import RawFile, RawSession, RawTurn, Skips
from brain.ingest.report import FileReport, ImportReport

__all__ = ["FileReport", "ImportReport", "RawFile", "RawSession", "RawTurn", "Skips", "import_paths", "import_sessions"]
