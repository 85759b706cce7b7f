"""Making the shipped data: training the evaluation, writing and auditing the book."""
