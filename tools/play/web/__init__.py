"""The page of a session of play: games at the desk, what pages say, what they are shown."""
