"""One module a host: where its settings lie, what goes into them, and the pages that say so."""
