"""Choosing a move in shogi: evaluation, search and use of time."""
