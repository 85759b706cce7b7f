"""The shipped book, exact tables, and the solver that builds the tables."""
