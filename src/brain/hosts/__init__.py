"""Brain in the agents people use: entries in their settings, hooks and the skill; put in, taken out, looked at."""
