"""A run: orient, summarise, attach facts to subjects, write the proposed state, check it; `sync` puts it onto main."""
