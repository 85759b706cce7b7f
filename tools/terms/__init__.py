"""The terms of a match: the game, its openings, adjudication and scoring."""
