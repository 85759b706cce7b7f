"""Support for GoGui in engines of the line protocol: `gogui-rules_*`, and moves point by point.

GoGui (1.6) can show a game that it does not know. It asks the engine for the board and for the
points that may be clicked, and it sends a move of several points as several `play` commands of the
same colour. This mode begins with `gogui-rules_game_id`, a command that only GoGui sends, and
sends first. Until then all commands have their meaning in the line protocol.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NoReturn

from protocols.serve.gtp import GtpError, Handler, Request, serve
from protocols.serve.line import Commands, LineEngine, refusing
from protocols.serve.session import Channel

Cells = Callable[[str], Sequence[str]]
Phrase = Callable[[str, Sequence[str]], str]

_POINT: Final = re.compile(r"[a-z][1-9]\d?", re.ASCII)
_COLUMNS: Final = "ABCDEFGHJKLMNOPQRST"  # As in Go, without I.


@dataclass(frozen=True, slots=True)
class GoGuiGame:
    """The facts about a game that GoGui needs.

    `cells` turns the text of a position into rows, from the top: `X` is black, `O` is white, `.` is
    a free point and `?` is no point. `phrase` writes points that fit no legal move as the text of
    a move, so that the engine can say what is wrong with it. `marks` names what else to draw.
    `options` are set so that row 1 of the engine is the lowest.
    """

    game: str
    size: int
    cells: Cells
    phrase: Phrase
    marks: Cells = lambda position: ()
    options: Mapping[str, str] = field(default_factory=dict)


def serve_both(
    engine: LineEngine, channel: Channel, refusals: tuple[type[Exception], ...], ruler: GoGuiGame
) -> None:
    """Answer the line protocol, and GoGui if it asks, until `quit` or the end of input."""
    table = GoGuiCommands(engine, ruler, Commands(engine).table()).table()
    serve(channel, refusing(table, refusals))


def serve_unshown(
    engine: LineEngine, channel: Channel, refusals: tuple[type[Exception], ...]
) -> None:
    """Answer the line protocol, and tell GoGui that it cannot show this game."""

    def refuse(request: Request) -> str:
        raise GtpError(
            f"{engine.game} has no board that a Go program can show; "
            f"play it with: quintet play {engine.game}"
        )

    # The first commands that change anything; GoGui shows the reply to the one that fails.
    table = {**Commands(engine).table(), "boardsize": refuse, "clear_board": refuse}
    serve(channel, refusing(table, refusals))


class GoGuiCommands:
    """The handlers that GoGui needs in addition to the commands of the line protocol."""

    def __init__(self, engine: LineEngine, ruler: GoGuiGame, below: Mapping[str, Handler]) -> None:
        self._engine = engine
        self._ruler = ruler
        self._below = below
        self._shown = False
        self._chosen: list[str] = []  # The points of a move that is not complete yet.
        # The points of the engine's own move that GoGui has not asked for yet.
        self._planned: list[str] = []
        self._played: list[list[str]] = []

    def table(self) -> dict[str, Handler]:
        """Return the handlers by command."""
        rules: dict[str, Handler] = {
            "gogui-rules_game_id": self._begin,
            "gogui-rules_board_size": lambda request: str(self._ruler.size),
            "gogui-rules_board": lambda request: "\n" + "\n".join(self._rows()),
            "gogui-rules_board_gfx": lambda request: "\n".join(self._graphics()),
            "gogui-rules_legal_moves": lambda request: " ".join(self._points()),
            "gogui-rules_side_to_move": lambda request: self._side(),
            "gogui-rules_final_result": lambda request: self._engine.result(),
            "gogui-play_sequence": self._sequence,
            "gg-undo": self._undo_many,
            "boardsize": self._size,
            "clear_board": self._clear,
            "komi": lambda request: "",
        }
        faced = {"play": self._play, "genmove": self._generate, "undo": self._undo}
        faced |= {"time_settings": self._time, "position": self._reset, "newgame": self._reset}
        return {**self._below, **rules} | {
            name: self._facing(do, self._below[name]) for name, do in faced.items()
        }

    def _facing(self, shown: Handler, plain: Handler) -> Handler:
        return lambda request: (shown if self._shown else plain)(request)

    def _begin(self, request: Request) -> str:
        if not self._shown:
            for name, value in self._ruler.options.items():
                self._engine.set_option(name, value)
        self._shown = True
        return self._ruler.game

    def _rows(self) -> Sequence[str]:
        return self._ruler.cells(self._engine.position())

    def _graphics(self) -> list[str]:
        missing = [
            f"{_COLUMNS[column]}{self._ruler.size - row}"
            for row, cells in enumerate(self._rows())
            for column, cell in enumerate(cells)
            if cell == "?"
        ]
        lines = [f"COLOR #8a6a3a {' '.join(missing)}"] if missing else []
        lines += self._ruler.marks(self._engine.position())
        if self._chosen:
            lines.append(f"CIRCLE {' '.join(point.upper() for point in self._chosen)}")
        return lines

    def _moves(self) -> list[list[str]]:
        """List the legal moves that begin with the points chosen so far, as points."""
        moves = [_split(text) for text in self._engine.legal()]
        length = len(self._chosen)
        return [move for move in moves if move[:length] == self._chosen]

    def _points(self) -> list[str]:
        points = {move[len(self._chosen)] for move in self._moves()}
        return sorted(point.upper() for point in points)

    def _side(self) -> str:
        turn = self._engine.turn()
        return turn if turn != "over" else "black"

    def _choose(self, point: str) -> None:
        """Add one more point; the move is played when it is complete."""
        fitting = [move for move in self._moves() if move[len(self._chosen)] == point]
        if not fitting:
            self._refuse([*self._chosen, point])
        self._chosen.append(point)
        for move, text in ((_split(text), text) for text in self._engine.legal()):
            if move == self._chosen:
                self._engine.play(text)
                self._played.append(self._chosen)
                self._chosen = []
                return

    def _refuse(self, points: Sequence[str]) -> NoReturn:
        """Raise GtpError with the engine's reason why no move has these points."""
        text = self._ruler.phrase(self._engine.position(), points)
        self._engine.play(text)
        self._engine.undo(1)
        raise GtpError(f"illegal move {text}")

    def _play(self, request: Request) -> str:
        if len(request.args) != 2:
            raise GtpError("expected COLOUR POINT")
        self._place(*request.args)
        return ""

    def _place(self, colour: str, text: str) -> None:
        self._check_side(colour)
        point = text.lower()
        if not _POINT.fullmatch(point):
            raise GtpError(f"no such point: {text!r} (expected one as D7)")
        if not (self._planned and point == self._planned[0]):
            self._planned = []
        self._choose(point)
        self._planned = self._planned[1:]

    def _sequence(self, request: Request) -> str:
        """Play point after point; if one is refused, none is played."""
        self._refuse_unless_shown()
        words = request.args
        if len(words) % 2:
            raise GtpError("expected COLOUR POINT COLOUR POINT ...")
        placed = 0
        try:
            for colour, point in zip(words[::2], words[1::2], strict=True):
                self._place(colour, point)
                placed += 1
        finally:
            if 2 * placed < len(words):
                for _ in range(placed):
                    self._take_back()
        return ""

    def _check_side(self, colour: str) -> None:
        if colour.lower() in ("b", "w", "black", "white"):
            self._engine.check_side("black" if colour[0] in "bB" else "white")

    def _generate(self, request: Request) -> str:
        if request.args:
            self._check_side(request.args[0])
        if not self._planned:
            if self._chosen:
                raise GtpError("the last move is not complete")
            self._planned = _split(self._engine.generate(request.urgent, play=False))
        point, *rest = self._planned
        self._choose(point)
        self._planned = rest
        return point.upper()

    def _undo(self, request: Request) -> str:
        self._take_back()
        return ""

    def _undo_many(self, request: Request) -> str:
        """Take back points; if one is refused, none is taken back."""
        self._refuse_unless_shown()
        word = request.args[0] if len(request.args) == 1 else ""
        if not (word.isascii() and word.isdigit() and int(word[:9]) > 0 and len(word) < 9):
            raise GtpError("expected a number of points to take back")
        if int(word) > len(self._chosen) + sum(map(len, self._played)):
            raise GtpError("cannot undo: the history begins here")
        for _ in range(int(word)):
            self._take_back()
        return ""

    def _take_back(self) -> None:
        self._planned = []
        if not self._chosen:
            self._engine.undo(1)
            self._chosen = self._played.pop() if self._played else []
        self._chosen = self._chosen[:-1]

    def _refuse_unless_shown(self) -> None:
        if not self._shown:
            raise GtpError("expected gogui-rules_game_id first, as GoGui sends it")

    def _time(self, request: Request) -> str:
        """Set the clock by the three numbers of GTP: main time, byo-yomi time, stones."""
        try:
            main, extra, stones = (int(word) for word in request.args)
        except ValueError:
            raise GtpError("expected MAIN BYOYOMI STONES") from None
        if stones == 0:
            control = "none" if extra > 0 else f"{main}"
        else:
            control = f"{main}+{stones}/{extra}"
        self._engine.time_settings(control)
        return ""

    def _size(self, request: Request) -> str:
        if request.args != [str(self._ruler.size)]:
            raise GtpError(f"unacceptable size: the board has {self._ruler.size} rows")
        return self._clear(request)

    def _clear(self, request: Request) -> str:
        self._forget()
        self._engine.new_game("", {})
        return ""

    def _reset(self, request: Request) -> str:
        reply = self._below[request.name](request)
        if request.args or request.name == "newgame":
            self._forget()
        return reply

    def _forget(self) -> None:
        self._chosen, self._planned, self._played = [], [], []


def _split(move: str) -> list[str]:
    return re.findall(r"[a-z]\d+", move)
