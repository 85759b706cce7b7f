"""Records of shogi as SGF, and SGF of shogi as records."""
