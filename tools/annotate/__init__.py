"""Annotating records: every move valued by an engine, and the values written into the record."""
