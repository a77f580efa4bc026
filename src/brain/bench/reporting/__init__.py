"""Runs of answered questions as tables, as Markdown and as one HTML page with charts; two runs side by side."""
