"""The neural network of Go: its inputs, its weights, and the kernels that evaluate it."""
