"""Programs a person runs that are not engines."""
