"""Measuring our programs: the referee, the client, how quickly engines start and stop, perft."""
