"""Forgetting: what is named goes from pages, notes, summaries, transcripts and search, and is never learned again."""
