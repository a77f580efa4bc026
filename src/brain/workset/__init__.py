"""What a sandbox holds of memory: a few files of one commit, read-only, grown by request; never the whole corpus."""
