"""The evaluation by a neural network."""
