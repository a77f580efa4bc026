"""Who answers the questions of a benchmark: production's own ways of answering, and agents from outside by files."""
