"""Invented people with months of sessions: a ledger of a life first, transcripts of it, questions bound to turns."""
