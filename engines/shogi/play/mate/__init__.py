"""The mate solver: a proof-number search in which the attacker gives check each move."""
