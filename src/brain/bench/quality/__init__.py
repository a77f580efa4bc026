"""How good a wiki is without asking it anything: citations, subjects, links, staleness, forgetting, growth, drift."""
