"""`python -m brain.cli` does what `brain` does."""

from brain.cli import main

main()
