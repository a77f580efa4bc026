"""Pages from elsewhere: exports of a brain, Open Knowledge Format bundles, Obsidian vaults, folders of Markdown."""
