"""From a session to the snapshot that faces show."""

from typing import Any

from engines import registry
from engines.core.game import CHANCE, Game, Side
from protocols.ask.score import Evaluation
from protocols.ask.text import plain
from tools.play.effects import find_taken, is_check
from tools.play.snapshot import (
    ClockView,
    EvaluationView,
    LastMove,
    MoveView,
    Phase,
    PlayerState,
    PlayerView,
    ResultView,
    ScoringView,
    Snapshot,
)
from tools.play.state import GameState
from tools.play.texts import describe_result


def describe(session: GameState) -> Snapshot:
    """Return the snapshot of a session whose lock the caller holds."""
    entry = registry.find(session.terms.game)
    game = _shown(session)
    ply, plies = len(game.moves), len(session.history)
    phase = session.phase
    at_end = ply == plies
    over = at_end and session.ended is not None
    scoring = at_end and session.scoring is not None
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
        size=_size(game),
        setup=game.rules.setup(game.position),
        ply=ply,
        plies=plies,
        turn=turn,
        sides=game.rules.sides,
        players=(first, second),
        clocks=(_clock(session, 0), _clock(session, 1)),
        moves=_moves(session),
        legal=choices if mine else (),
        choices=choices,
        last=_last(session, game),
        throw=thrown,
        throw_due=throw_due,
        to_throw=throw_due and mine,
        check=turn is not None and is_check(game),
        result=_result(session) if over else None,
        evaluation=_best(session),
        hint=session.hint_text,
        hinting=session.hinting,
        scoring=_scoring(session) if scoring else None,
        messages=tuple(session.messages),
    )


def _shown(session: GameState) -> Game[Any]:
    """Return the game up to the ply that is looked at."""
    if session.shown is None:
        return session.game
    game = Game(session.game.rules, session.game.initial_setup)
    for move in session.game.moves[: session.shown]:
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


def _size(game: Game[Any]) -> str:
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
    name = plain(player.label)
    return PlayerView(name, session.game.rules.sides[side], player.is_person, state, reason)


def _clock(session: GameState, side: Side) -> ClockView | None:
    if not session.clocks.has_clock(side):
        return None
    left, periods = session.clocks.left(side)
    running = session.clocks.running == side
    return ClockView(str(session.terms.controls[side]), round(left, 3), periods, running)


def _moves(session: GameState) -> tuple[MoveView, ...]:
    views = []
    position = session.game.rules.start(session.game.initial_setup)
    for ply, (played, move) in enumerate(
        zip(session.history.moves, session.game.moves, strict=True), 1
    ):
        mover = position.thrower if played.side == CHANCE else played.side
        evaluation = _evaluation(played.side, played.evaluation) if played.evaluation else None
        views.append(
            MoveView(ply, played.side, mover, played.text, played.seconds, played.left, evaluation)
        )
        position.play(move)
    return tuple(views)


def _evaluation(side: Side, given: Evaluation, engine: str = "") -> EvaluationView:
    share = None if given.score is None else given.score.share
    if share is not None and side == 1:
        share = 1 - share
    score = "" if given.score is None else str(given.score)
    return EvaluationView(share, score, given.line, given.depth, given.nodes, engine)


def _best(session: GameState) -> EvaluationView | None:
    if session.evaluation is None:
        return None
    side, given, engine = session.evaluation
    return _evaluation(side, given, plain(engine))


def _last(session: GameState, game: Game[Any]) -> LastMove | None:
    ply = len(game.moves)
    while ply and session.history.plies[ply - 1].move.side == CHANCE:
        ply -= 1
    if not ply:
        return None
    played = session.history.plies[ply - 1].move
    before = game
    if ply < len(game.moves):  # A throw followed the move.
        before = game.copy()
        while len(before.moves) > ply:
            before.undo()
    return LastMove(played.text, played.side, find_taken(before, ply))


def _result(session: GameState) -> ResultView:
    assert session.ended is not None
    outcome, verdict = session.ended
    score = "1/2-1/2"
    if outcome.winner is not None:
        score = "1-0" if outcome.winner == 0 else "0-1"
    sentence = describe_result(outcome, verdict, session.game.rules.sides)
    return ResultView(score, outcome.reason, sentence)


def _scoring(session: GameState) -> ScoringView:
    scoring = session.scoring
    assert scoring is not None
    if not scoring.ready:
        return ScoringView(False, (), 0.0, 0.0, "", "")
    count = scoring.count()
    result = scoring.outcome().reason
    return ScoringView(True, scoring.dead(), count.black, count.white, result, scoring.owners())
