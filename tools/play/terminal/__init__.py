"""The terminal face of a session of play."""
