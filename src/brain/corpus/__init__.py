"""Where everything lives and is found: the corpus and its search."""
