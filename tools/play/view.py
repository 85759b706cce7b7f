"""From a session to the snapshot that faces show."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from engines import registry
from engines.core.errors import QuintetError
from engines.core.game import CHANCE, Game, Outcome, Side
from protocols.ask.score import Evaluation
from protocols.ask.text import plain
from tools.play.effects import find_taken, is_check
from tools.play.history import History, MovePath
from tools.play.snapshot import (
    BranchView,
    ClockView,
    EvaluationView,
    LastMove,
    MoveView,
    Phase,
    PlayerState,
    PlayerView,
    RecordView,
    ResultView,
    ScoringView,
    Snapshot,
)
from tools.play.state import GameState
from tools.play.texts import describe_result, describe_score, header_name, say
from tools.records.game import PlayedMove, Verdict

_LONGEST_COMMENT: Final = 6000  # Characters that are shown.
_MOST_LINES: Final = 80
_MOST_HEADERS: Final = 40


class CannotLook(QuintetError):
    """There is no such position; the text says which there are."""


@dataclass(frozen=True, slots=True)
class Look:
    """A position that one face looks at, while the game goes on: a ply of a line.

    An empty path is the current line of the session; a ply of None is the last one.
    """

    ply: int | None = None
    path: MovePath = ()


def look_at(session: GameState, look: Look, ply: int) -> Look:
    """Return a look at another ply of the same line; raises CannotLook."""
    with session.lock:
        history, whole, _ = _line(session, look)
    if ply > len(history):
        raise CannotLook(say("no.ply", ply=ply, plies=len(history)))
    if whole is session.game and ply == len(history):
        return Look()
    return Look(ply, history.texts())


def look_along(session: GameState, look: Look, number: int) -> Look:
    """Return a look at the first move of a line that begins at a position; raises CannotLook."""
    with session.lock:
        history, _, ply = _line(session, look)
        at = len(history) if ply is None else ply
        beside = history.branches(at)
        if not beside:
            raise CannotLook(say("no.branches"))
        if number > len(beside):
            known = ", ".join(map(str, range(len(beside) + 1)))
            raise CannotLook(say("no.branch", number=number, known=known))
        path = history.texts()
        if number:
            first = beside[number - 1].moves[0]
            turned = session.history.along((*path[:at], (first.side, first.text)))
            assert turned is not None  # The line is one of the history.
            path = turned.texts()
    return look_at(session, Look(None, path), min(at + 1, len(path)))


def describe(session: GameState, look: Look | None = None) -> Snapshot:
    """Return the snapshot of a session whose lock the caller holds, at a position of its own."""
    entry = registry.find(session.terms.game)
    history, whole, shown = _line(session, look)
    game = _upto(whole, shown)
    ply, plies = len(game.moves), len(history)
    current = whole is session.game
    at_end = ply == plies
    phase = session.phase if current and (look is None or at_end) else Phase.STEPPING
    ended = session.ended if current else session.recorded_end(history)
    over = at_end and ended is not None
    scoring = at_end and current and session.scoring is not None
    turn = None if over or scoring else _mover(game)
    thrown = None if turn is None or game.turn == CHANCE else _throw_of(game)
    choices = _choices(game) if turn is not None and game.turn != CHANCE else ()
    throw_due = turn is not None and game.turn == CHANCE
    mine = phase == Phase.PLAYING and turn is not None and session.players[turn].is_person
    first, second = (_player(session, side) for side in (0, 1))
    return Snapshot(
        version=session.version,
        phase=phase,
        game=entry.name,
        title=entry.title,
        variant=game.rules.variant,
        size=size_of(game),
        setup=game.rules.setup(game.position),
        ply=ply,
        plies=plies,
        turn=turn,
        sides=game.rules.sides,
        players=(first, second),
        clocks=(_clock(session, 0), _clock(session, 1)),
        moves=_moves(history, whole),
        legal=choices if mine else (),
        choices=choices,
        last=_last(history, game),
        throw=thrown,
        throw_due=throw_due,
        to_throw=throw_due and mine,
        check=turn is not None and is_check(game),
        result=_result(ended, game.rules.sides) if over else None,
        evaluation=_best(session) if current else None,
        hint=session.hint_text if current else "",
        hints=_hints(session) if current and at_end else (),
        hinting=session.hinting,
        scoring=_scoring(session) if scoring else None,
        comment=_comment(session, history, ply),
        branches=_branches(history, ply),
        record=_record(session),
        messages=tuple(session.messages),
    )


def _line(session: GameState, look: Look | None) -> tuple[History, Game[Any], int | None]:
    """Return the line that is looked at, with its game, and the ply."""
    if look is None:
        return session.history, session.game, session.shown
    history = session.history.along(look.path)
    if history is None:  # Its moves were taken back.
        return session.history, session.game, None
    ply = look.ply if look.ply is None or look.ply <= len(history) else None
    texts = history.texts()
    if texts == session.history.texts():
        return session.history, session.game, ply
    game = Game(session.game.rules, session.game.initial_setup)
    for _, text in texts:
        game.push(game.rules.parse(game.position, text))
    return history, game, ply


def _upto(whole: Game[Any], ply: int | None) -> Game[Any]:
    """Return a game up to a ply."""
    if ply is None or ply == len(whole.moves):
        return whole
    game = Game(whole.rules, whole.initial_setup)
    for move in whole.moves[:ply]:
        game.push(move)
    return game


def _mover(game: Game[Any]) -> Side:
    side: Side = game.position.thrower if game.turn == CHANCE else game.turn
    return side


def _throw_of(game: Game[Any]) -> int | None:
    return getattr(game.position, "throw", None) or None


def _choices(game: Game[Any]) -> tuple[str, ...]:
    rules, position = game.rules, game.position
    return tuple(rules.format(position, move) for move in position.legal_moves())


def size_of(game: Game[Any]) -> str:
    """Return the size of a board of Go; the boards of other games have one size."""
    if game.rules.name != registry.GO:
        return ""
    board = game.position.board
    width, height = board.width, board.height
    return str(width) if width == height else f"{width}x{height}"


def _player(session: GameState, side: Side) -> PlayerView:
    player = session.players[side]
    state = session.states[side]
    playing = session.phase == Phase.PLAYING and session.mover() == side
    if player.is_person:
        state = PlayerState.THINKING if playing else PlayerState.WAITING
    reason = session.reasons[side]
    name = plain(session.name_of(side))
    return PlayerView(name, session.game.rules.sides[side], player.is_person, state, reason)


def _clock(session: GameState, side: Side) -> ClockView | None:
    if not session.clocks.has_clock(side):
        return None
    left, periods = session.clocks.left(side)
    running = session.clocks.running == side
    return ClockView(str(session.terms.controls[side]), round(left, 3), periods, running)


def _moves(history: History, game: Game[Any]) -> tuple[MoveView, ...]:
    views = []
    position = game.rules.start(game.initial_setup)
    begin = Counter(tail.at for tail in history.tails)
    for ply, (played, move) in enumerate(zip(history.moves, game.moves, strict=True), 1):
        mover = position.thrower if played.side == CHANCE else played.side
        evaluation = None
        if played.evaluation:
            evaluation = _evaluation(played.side, played.evaluation, game.rules.sides)
        view = MoveView(
            ply,
            played.side,
            mover,
            played.text,
            played.seconds,
            played.left,
            evaluation,
            begin[ply - 1],
            bool(played.comment),
        )
        views.append(view)
        position.play(move)
    return tuple(views)


def _evaluation(
    side: Side, given: Evaluation, sides: tuple[str, str], engine: str = ""
) -> EvaluationView:
    share = None if given.score is None else given.score.share
    if share is not None and side == 1:
        share = 1 - share
    score = "" if given.score is None else describe_score(given.score, side, sides)
    return EvaluationView(share, score, given.line, given.depth, given.nodes, engine)


def _best(session: GameState) -> EvaluationView | None:
    if session.evaluation is None:
        return None
    side, given, engine = session.evaluation
    return _evaluation(side, given, session.game.rules.sides, plain(engine))


def _hints(session: GameState) -> tuple[EvaluationView, ...]:
    sides = session.game.rules.sides
    return tuple(_evaluation(session.mover(), each, sides) for each in session.hint_lines)


def _comment(session: GameState, history: History, ply: int) -> str:
    """Return what the record says of a position, line by line without control characters."""
    text = history.plies[ply - 1].move.comment if ply else ""
    if not ply and session.loaded is not None:
        text = session.loaded.comment
    lines = text[:_LONGEST_COMMENT].split("\n")[:_MOST_LINES]
    return "\n".join(plain(line, _LONGEST_COMMENT) for line in lines).strip("\n")


def _branches(history: History, ply: int) -> tuple[BranchView, ...]:
    beside = history.branches(ply)
    if not beside:
        return ()
    lines = [history.moves[ply:], *(tail.moves for tail in beside)]
    return tuple(_branch(number, moves) for number, moves in enumerate(lines) if moves)


def _branch(number: int, moves: Sequence[PlayedMove]) -> BranchView:
    """Describe a line by its first move, with the throws before it."""
    texts = []
    for move in moves:
        texts.append(move.text)
        if move.side != CHANCE:
            break
    side = next((move.side for move in moves if move.side != CHANCE), CHANCE)
    count = sum(move.side != CHANCE for move in moves)
    return BranchView(number, " ".join(texts), side, count)


def _record(session: GameState) -> RecordView | None:
    loaded = session.loaded
    if loaded is None:
        return None
    headers = tuple(
        (header_name(plain(key, 60)), plain(text))
        for key, text in loaded.headers[:_MOST_HEADERS]
        if text.strip()
    )
    file = plain(loaded.source.name) if loaded.source is not None else ""
    return RecordView(file, loaded.names, loaded.result, headers)


def _last(history: History, game: Game[Any]) -> LastMove | None:
    ply = len(game.moves)
    while ply and history.plies[ply - 1].move.side == CHANCE:
        ply -= 1
    if not ply:
        return None
    played = history.plies[ply - 1].move
    before = game
    if ply < len(game.moves):  # A throw followed the move.
        before = game.copy()
        while len(before.moves) > ply:
            before.undo()
    return LastMove(played.text, played.side, find_taken(before, ply))


def _result(ended: tuple[Outcome, Verdict] | None, sides: tuple[str, str]) -> ResultView:
    assert ended is not None
    outcome, verdict = ended
    score = "1/2-1/2"
    if outcome.winner is not None:
        score = "1-0" if outcome.winner == 0 else "0-1"
    sentence = describe_result(outcome, verdict, sides)
    return ResultView(score, outcome.reason, sentence)


def _scoring(session: GameState) -> ScoringView:
    scoring = session.scoring
    assert scoring is not None
    if not scoring.ready:
        return ScoringView(False, (), 0.0, 0.0, "", "")
    count = scoring.count()
    result = scoring.outcome().reason
    return ScoringView(True, scoring.dead(), count.black, count.white, result, scoring.owners())
