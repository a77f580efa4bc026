"""Capture: sessions come in by themselves, by watching where hosts keep them and by the hooks that hosts call."""
