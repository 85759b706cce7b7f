"""The report of a match or a tournament: one HTML page with plots, games and boards."""
