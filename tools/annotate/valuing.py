"""The value of a position: an engine is asked for its move there, and says what it is worth."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from engines import registry
from engines.core.errors import QuintetError
from engines.core.game import CHANCE, FIRST, Game, IllegalMove, InvalidText, Side
from engines.core.timing import TimeControl
from protocols.ask.analysis import ANALYSES, analyse_move
from protocols.ask.contract import Reply
from protocols.ask.detect import Client, FramedClient, GtpClient
from protocols.ask.score import Evaluation, Score
from protocols.errors import EngineRefused
from tools.match.referee import start_game
from tools.records.game import PlayedMove
from tools.roster.abilities import check_game
from tools.roster.gtp_setup import place
from tools.roster.seats import Seat, reply_deadline
from tools.terms import go

_UNPLAYED: Final = ("resign", "win")  # Answers that leave the engine's board as it is.
_DEEPEST: Final = 4  # Throws in a row that allow no move; what lies beyond weighs next to nothing.
_NONE: Final = Evaluation()
MARGIN: Final = 10.0  # Seconds beyond the limit of a move.


class GivesNoScores(QuintetError):
    """An engine that tells no values; the text names it."""


@dataclass(frozen=True, slots=True)
class Value:
    """An engine's opinion of a position, from the view of `side`; `fault` says why there is none.

    `best` is the move that it chose, in the referee's spelling; empty at the end of a game.
    """

    side: Side
    best: str = ""
    evaluation: Evaluation = _NONE
    fault: str = ""

    def share(self, side: Side) -> float | None:
        """Return the expected share of the points of a side, from 0 to 1; None if unknown."""
        score = self.evaluation.score
        share = None if score is None else score.share
        return share if share is None or side == self.side else 1 - share


class Valuer:
    """Asks one engine, which follows a game move by move as far as that is possible."""

    def __init__(self, seat: Seat, control: TimeControl, timeout: float | None = None) -> None:
        self._seat = seat
        self._control = control
        self._timeout = timeout or max(60.0, control.main + MARGIN)
        self._starts = 0
        self._plays = ""  # The game that the running program is known to play.
        # The engine has this game on its board, after these moves.
        self._game: tuple[str, str, str] | None = None
        self._line: list[str] = []

    def value(self, game: Game[Any], moves: Sequence[PlayedMove]) -> Value:
        """Return the value of the position of `game` after all of its moves.

        A position before a throw of dice is the mean over the throws. Raises EngineError,
        EngineRefused and CannotSay.
        """
        if (outcome := game.outcome()) is not None:
            share = outcome.points(FIRST)
            return Value(FIRST, evaluation=Evaluation(Score.parse(f"exact {share:g}")))
        if game.turn == CHANCE:
            return self._average(game, moves, 1)
        reply = self._ask(game, moves)
        if reply.move in _UNPLAYED:
            return Value(game.turn, _best_of(reply, game), reply.evaluation)
        try:
            move = game.rules.parse(game.position, reply.move)
        except (InvalidText, IllegalMove) as error:
            self._game = None
            return Value(game.turn, fault=f"the engine answered {reply.move[:40]!r}: {error}")
        text = game.rules.format(game.position, move)
        self._line.append(text)
        return Value(game.turn, text, reply.evaluation)

    def _average(self, game: Game[Any], moves: Sequence[PlayedMove], depth: int) -> Value:
        total = weight = 0.0
        for throw in game.position.legal_moves():
            text = game.rules.format(game.position, throw)
            twin = game.copy()
            twin.push(throw)
            after = [*moves, PlayedMove(CHANCE, text, 0.0, None)]
            if twin.outcome() is None and twin.turn == CHANCE:
                if depth >= _DEEPEST:
                    continue
                value = self._average(twin, after, depth + 1)
            else:
                value = self.value(twin, after)
            share = value.share(FIRST)
            if share is None:
                return Value(FIRST, fault=value.fault or f"no score after the throw {text}")
            total, weight = total + share, weight + 1
        if not weight:
            return Value(FIRST, fault="no throw allows a move")
        return Value(FIRST, evaluation=Evaluation(Score.parse(f"est {total / weight:.6f}")))

    def _ask(self, game: Game[Any], moves: Sequence[PlayedMove]) -> Reply:
        client = self._seat.client()
        if self._starts != self._seat.starts:
            self._starts, self._game, self._plays = self._seat.starts, None, ""
        if self._plays != game.rules.name:
            check_game(client, game.rules.name)
            self._plays = game.rules.name
        if not gives_scores(client):
            raise GivesNoScores(
                f"{client.name} tells no values with its moves, so it cannot annotate "
                f"({_wanted(client)})"
            )
        deadline = reply_deadline(self._timeout)
        self._bring(client, game, moves, deadline)
        side = game.rules.sides[game.turn][0]
        self._line = [move.text for move in moves]
        if isinstance(client, GtpClient) and not client.known("quintet-evaluation"):
            return analyse_move(client, side, deadline)
        return client.genmove(side, deadline)

    def _bring(
        self, client: Client, game: Game[Any], moves: Sequence[PlayedMove], deadline: float
    ) -> None:
        """Bring the engine to the position: by a move more, by one less, or from the start."""
        rules = game.rules
        same = (rules.name, f"{rules.variant} {getattr(rules, 'width', '')}", game.initial_setup)
        texts = [move.text for move in moves]
        known = self._line if self._game == same else None
        self._game = None  # If anything fails, the engine's board is not known.
        if known is not None and known != texts[: len(known)] and not _has_dice(game):
            known = known[:-1] if self._took_back(client, deadline) else None
        if known is None or known != texts[: len(known)]:
            self._begin(client, Game(rules, game.initial_setup), deadline)
            known = []
        letters = [side[0] for side in rules.sides]
        for move in moves[len(known) :]:
            if move.side == CHANCE:
                client.note_throw(int(move.text))
            else:
                client.note(letters[move.side], move.text)
        self._game = same

    def _begin(self, client: Client, start: Game[Any], deadline: float) -> None:
        """Begin a game; stones that are no handicap are put on an engine's board one by one."""
        rules = start.rules
        setup = rules.setup(start.position)
        empty = setup == rules.setup(rules.start())
        if not isinstance(client, GtpClient) or _fits_gtp(start):
            position = "" if empty else setup
            start_game(self._seat, start, rules.variant, self._control, position=position)
            return
        variant, settings = go.settings(Game(rules))
        settings["komi"] = f"{start.position.komi:g}"
        client.new_game(deadline, variant=variant, settings=settings, control=self._control)
        place(client, start, deadline)

    @staticmethod
    def _took_back(client: Client, deadline: float) -> bool:
        try:
            client.undo(deadline)
        except EngineRefused:
            return False
        return True


def _best_of(reply: Reply, game: Game[Any]) -> str:
    """Return the move that an engine would play if it did not resign; its answer if unknown."""
    try:
        move = game.rules.parse(game.position, reply.evaluation.line.partition(" ")[0])
    except (InvalidText, IllegalMove):
        return reply.move
    return game.rules.format(game.position, move)


def gives_scores(client: Client) -> bool:
    """Whether an engine can say what its move is worth; of USI engines it is only seen later."""
    if isinstance(client, GtpClient):
        return any(client.known(name) for name in ("quintet-evaluation", *ANALYSES))
    return not isinstance(client, FramedClient) or client.known("evaluation")


def _fits_gtp(game: Game[Any]) -> bool:
    """Whether GTP has words for the start of a game of Go: the empty board, or a handicap."""
    try:
        go.settings(game)
    except InvalidText:
        return False
    return True


def _wanted(client: Client) -> str:
    commands = ANALYSES if isinstance(client, GtpClient) else ("evaluation",)
    return f"it has no command {' or '.join(commands)}"


def _has_dice(game: Game[Any]) -> bool:
    return "throw" in registry.find(game.rules.name).parts
