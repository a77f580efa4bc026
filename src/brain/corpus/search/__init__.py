"""Search over everything the tree holds: words at once, meaning as vectors follow, fused by score."""
