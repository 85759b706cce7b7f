"""Conversations of a conformance check, one class per protocol."""
