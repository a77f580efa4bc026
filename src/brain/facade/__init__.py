"""The verbs of a brain, by what they are for; `brain.Brain` is all of them together."""
