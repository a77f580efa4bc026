"""Nadia, an invented accessibility researcher: her sessions, and what a brain makes of them in three nights."""
