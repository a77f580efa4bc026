"""`python -m brain` does what `brain` does."""

from brain.cli import main

main()
