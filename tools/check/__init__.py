"""Check whether an engine conforms to GTP, USI or the line protocol."""
