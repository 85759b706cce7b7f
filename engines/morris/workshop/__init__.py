"""Making the shipped data: self-play, fits, the book, packed tables."""
