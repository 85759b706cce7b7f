"""Elo estimates, error bars and sequential tests; nothing here plays a game."""
