"""The journal of a match, and everything that follows from its games."""
