"""The rules of Senet as a referee needs them: track, dice, position, notation."""
