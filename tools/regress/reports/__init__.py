"""Results of a run: on the terminal, as JUnit XML, as an HTML page, as a baseline."""
