"""The command `quintet` and its library: matches, tests and records of board games."""
