"""The formats of tournaments: from the results so far to the next pairings, and the standings."""
