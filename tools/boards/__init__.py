"""The boards of the five games as SVG."""
