"""The questions that a conformance check asks, by protocol and subject."""
