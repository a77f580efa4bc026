"""One module a public data set; each reads its file into conversations and questions (`dialogue.py`)."""
