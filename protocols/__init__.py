"""Conversations with and as an engine; knows no game and no search."""
