"""Training the network. Nothing here is needed to play."""
