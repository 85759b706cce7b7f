"""Choosing a move in Go: search, levels, use of time, and the judge of dead stones."""
