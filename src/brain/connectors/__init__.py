"""Connectors: read-only outside sources that a run may probe. What they say is pinned, and stays external."""

from brain.connectors.connectors import Connectors, Standing, is_pinned, named
from brain.connectors.kind import Entry, Kind, Place, Source
from brain.connectors.kinds import kinds
from brain.connectors.pins import Pinned

__all__ = ["Connectors", "Entry", "Kind", "Pinned", "Place", "Source", "Standing", "is_pinned", "kinds", "named"]
