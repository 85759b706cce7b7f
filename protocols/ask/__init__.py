"""Talking to an engine: one client per protocol, and how to detect which one an engine speaks."""
