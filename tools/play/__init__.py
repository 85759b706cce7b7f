"""Playing a game: the session behind every face, and the faces for people."""
