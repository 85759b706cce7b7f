"""The rules of Go: board, history, scoring, notation and SGF."""
