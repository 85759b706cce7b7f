"""Being an engine: read commands, call handlers, write replies."""
