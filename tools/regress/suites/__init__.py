"""Our own suites: positions of any of the five games with known answers."""
