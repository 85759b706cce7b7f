"""Shogi: rules, records, search and the USI program."""
