"""The rules of shogi: board, moves, notation, set-ups and records."""
