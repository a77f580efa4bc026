"""Reading memory: show a page or the turns behind a claim, follow links, answer a question from what is there."""
