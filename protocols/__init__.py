"""Conversations between engines and programs that ask them; nothing here knows a game."""
