"""Is an answer right? By value where code can tell, by a model that cannot see which arm it judges where it cannot."""
