"""The rules of Nine Men's Morris as a referee needs them: board, position, notation."""
