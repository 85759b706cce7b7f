"""Making the weights of the evaluation: self-play, labels, fitting."""
