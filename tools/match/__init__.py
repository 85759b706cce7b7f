"""Playing a match: its options, the runner and its workers, the referee, and what is printed."""
