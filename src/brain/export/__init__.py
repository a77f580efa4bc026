"""Memory out again: an Open Knowledge Format bundle, an Obsidian vault, one HTML file, or JSON Lines."""
