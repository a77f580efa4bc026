"""A run: orient, attach facts to subjects, write the proposed state, check it, and sync it as one commit.

`sync` and `publish` are the only ways anything gets onto main; `history` reads and takes back what they did.
"""
