"""Senet: rules, dice, exact tables, search and program."""
