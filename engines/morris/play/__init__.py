"""Choosing moves in Nine Men's Morris: evaluation, search and levels."""
