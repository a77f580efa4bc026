"""One web application over a brain: files in batches, search and recall, behind a token."""
