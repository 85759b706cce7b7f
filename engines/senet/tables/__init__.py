"""Exact win chances of every position with few men, and the solver that computes them."""
