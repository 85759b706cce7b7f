"""Engines: from the name that a user gives to the running program."""
