"""Choosing moves in Senet: net, lookahead and levels."""
