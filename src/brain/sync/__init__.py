"""Putting changes onto main: staging, the three-way merge, one commit by compare-and-swap, and the folder after it."""
