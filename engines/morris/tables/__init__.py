"""Exact tables of the moving phase, the opening book, and the solver that builds the tables."""
