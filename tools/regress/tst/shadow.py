"""Follow the board of a .tst file, for the picture of each test."""

import re
from pathlib import Path
from typing import Final

from engines.core.game import InvalidText
from engines.go.rules.board import Board
from engines.go.rules.ruleset import DEFAULT
from engines.go.rules.text import GoRules
from tools.boards.scene import Scene
from tools.regress.tst.loading import load
from tools.regress.tst.parsing import Step, vertices

_CODES: Final = {"b": 1, "black": 1, "w": 2, "white": 2}
_GAME: Final = "go"


class Shadow:
    """Follows commands; after an unknown one, no board is drawn until the next new board."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._rules = GoRules(DEFAULT)
        self._boards: list[Board] | None = [self._empty()]

    def _empty(self) -> Board:
        board = Board(self._rules.width, self._rules.height)
        board.suicide = True
        return board

    def follow(self, step: Step) -> None:
        """Apply a command."""
        try:
            self._follow(step.name, step.args)
        except (InvalidText, ValueError):
            self._boards = None

    def _follow(self, name: str, args: tuple[str, ...]) -> None:
        match name, args:
            case "loadsgf", [file, *more]:
                until = int(more[0]) if more else 0
                loaded = load(self._folder / file, until)
                self._rules = GoRules(DEFAULT, loaded.width, loaded.height)
                self._boards = [self._empty()]
                for side, vertex in (*loaded.stones, *loaded.moves):
                    self._play(side, vertex)
            case (("boardsize" | "rectangular_boardsize"), [width, *height]):
                self._rules = GoRules(DEFAULT, int(width), int(height[0] if height else width))
                self._boards = [self._empty()]
            case "clear_board", _:
                self._boards = [self._empty()]
            case (("play" | "trymove"), [side, vertex, *_]):
                self._play(side, vertex)
            case (("black" | "white"), [vertex, *_]):
                self._play(name, vertex)
            case (("undo" | "popgo"), _) if self._boards and len(self._boards) > 1:
                self._boards.pop()
            case (("undo" | "popgo" | "gg-undo" | "genmove" | "fixed_handicap"), _):
                self._boards = None
            case (("set_free_handicap" | "place_free_handicap" | "set_position" | "position"), _):
                self._boards = None

    def _play(self, side: str, vertex: str) -> None:
        if not self._boards:
            return
        board = self._boards[-1].copy()
        move = self._rules.parse_move(vertex)
        if move < board.area:
            board.play(board.point(move), _CODES[side.lower()])
        self._boards.append(board)

    def scene(self, step: Step, answer: str) -> Scene | None:
        """Return the picture of a test: the board, the points it names, the point of the answer."""
        if not self._boards:
            return None
        named = vertices(step.expectation)
        negated = step.expectation is not None and step.expectation.negated
        match = re.search(r"\b[A-HJ-Za-hj-z]\d{1,2}\b", answer)
        rules = self._rules
        position = rules.start()
        position.board = self._boards[-1]
        square = rules.width == rules.height
        return Scene(
            _GAME,
            size=str(rules.width) if square else f"{rules.width}x{rules.height}",
            setup=_without_ko(rules.setup(position)),
            accept=() if negated else tuple(named),
            forbid=tuple(named) if negated else (),
            answer=match[0].upper() if match else "",
        )


def _without_ko(setup: str) -> str:
    return " ".join(word for word in setup.split() if not word.startswith("ko="))
