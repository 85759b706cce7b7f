"""Records of games: read, written, drawn, converted and cleaned up."""
