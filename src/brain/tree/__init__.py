"""The memory tree as data: one parse/render pair a kind of file, ids, URIs and paths. Pure; no git, no clock."""
