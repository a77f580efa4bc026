"""The one place that talks to models: which model plays which role, what it costs, and the agents themselves."""
