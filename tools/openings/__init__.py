"""Drawing openings for matches: distinct, and balanced as an engine judges them."""
