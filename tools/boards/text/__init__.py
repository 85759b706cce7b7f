"""The boards of the five games as text for a terminal."""
