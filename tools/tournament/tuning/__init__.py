"""Tuning runs: an engine plays pairs of games against itself until its values are better."""
