"""Connectors: read-only outside sources that a run may probe. What they say is pinned, and stays external."""

from brain.connectors.connectors import Connectors, Standing
from brain.connectors.kind import Entry, Kind, Place, Source
from brain.connectors.kinds import kinds

__all__ = ["Connectors", "Entry", "Kind", "Place", "Source", "Standing", "kinds"]
