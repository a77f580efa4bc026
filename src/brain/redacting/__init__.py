"""Redaction of what is there already: secrets in a brain that was filled before they were known, and in its history."""
