"""Choosing moves in Neutron: evaluation, search and levels."""
