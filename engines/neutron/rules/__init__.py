"""The rules of Neutron as a referee needs them: board, position, notation."""
