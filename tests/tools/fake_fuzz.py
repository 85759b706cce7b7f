"""An engine that plays legal moves and writes nonsense.

Its arguments are a game and a seed. It speaks GTP for Go, USI for shogi and the line protocol for
other games. Each of its moves comes with nonsense where the protocol has room for it: LINES lines
of a search in USI, evaluations, options, scores and claims. Now and then its move itself is
nonsense.
"""

import os
import random
import sys
from collections.abc import Sequence

from engines import registry
from engines.core.game import Game
from tests.tools.fuzzing import Fuzz

LINES = 20
OPTIONS = 200
_COMMANDS = ("play", "genmove", "boardsize", "clear_board", "komi", "final_score", "time_settings")
_LISTED = (*_COMMANDS, "quintet-evaluation", "evaluation", "option", "kata-get-param", "newgame")


class Nonsense:
    """Answers in one of the three protocols."""

    def __init__(self, game: str, seed: str) -> None:
        self._fuzz = Fuzz(int(seed))
        self._random = random.Random(int(seed))
        self._name = game
        self._game = Game(registry.rules(game))

    def begin(self, size: int = 0) -> None:
        """Begin a game."""
        self._game = Game(registry.rules(self._name, "", size))

    def _choose(self, *, play: bool) -> bytes:
        position = self._game.position
        move = self._random.choice(list(position.legal_moves()))
        text = self._game.rules.format(position, move)
        if play:
            self._game.push(move)
        if self._random.random() < 0.01:
            return self._fuzz.line()
        return text.encode()

    def _lines(self, count: int = LINES) -> bytes:
        return b"\n".join(self._fuzz.line() for _ in range(count))

    def usi(self, words: Sequence[str]) -> bytes | None:
        """Answer a line of USI."""
        match words:
            case ["usi"]:
                return b"id name " + self._lines(OPTIONS) + b"\nusiok\n"
            case ["isready"]:
                return self._lines() + b"\nreadyok\n"
            case ["position", *rest]:
                self.begin()
                for move in rest[rest.index("moves") + 1 :] if "moves" in rest else ():
                    self._game.play(move)
            case ["go", *_]:
                search = [b"info " + self._fuzz.line() for _ in range(LINES)]
                return b"\n".join([*search, b"bestmove " + self._choose(play=False)]) + b"\n"
        return b""

    def framed(self, words: Sequence[str]) -> bytes:
        """Answer a numbered command of GTP or of the line protocol."""
        number, command, *rest = words
        answer = b""
        match command:
            case "protocol_version":
                answer = b"2"
            case "list_commands":
                answer = "\n".join(_LISTED).encode() + b"\n" + self._lines()
            case "boardsize":
                self.begin(int(rest[0]))
            case "newgame":
                self.begin()
            case "play":
                self._game.play(rest[-1])
            case "genmove":
                answer = self._choose(play=True)
            case "name" | "version" | "evaluation" | "quintet-evaluation" | "final_score":
                answer = self._lines(1 if self._random.random() < 0.8 else LINES)
            case "option" | "kata-get-param":
                answer = self._lines(1)
        strays = b"" if self._random.random() < 0.5 else b"\ninfo ".join([b"", self._lines(1), b""])
        return strays[1:] + b"\n=" + number.encode() + b" " + answer + b"\n\n"


def main() -> None:
    """Answer until the end of input."""
    nonsense = Nonsense(*sys.argv[1:])
    for line in sys.stdin:
        words = line.split()
        if words[-1:] == ["quit"]:
            return
        answer = nonsense.usi(words) if sys.argv[1] == "shogi" else nonsense.framed(words)
        view = memoryview(answer or b"")
        while view:
            view = view[os.write(1, view) :]


if __name__ == "__main__":
    main()
