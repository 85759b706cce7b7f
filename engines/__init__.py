"""Everything that knows a game: one package each, what they share in `core`."""
