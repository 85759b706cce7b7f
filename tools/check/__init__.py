"""Probes that ask whether a program is a good citizen of GTP, USI or the line protocol."""
