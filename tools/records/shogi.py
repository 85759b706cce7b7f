"""Writing finished games of shogi as KIF or CSA."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from engines.core.game import FIRST, Outcome, Side
from engines.core.timing import TimeControl
from engines.shogi.rules.notation import parse_move
from engines.shogi.rules.records.csa import write_csa
from engines.shogi.rules.records.kif import write_kif
from engines.shogi.rules.records.record import Ending, Grower, Record
from engines.shogi.rules.records.remark import Remark, write_remark
from engines.shogi.rules.text import make_rules
from tools.records.game import GameRecord, PlayedMove, Player, Variation, Verdict

DECLARED: Final = "win"

_NATURAL: Final = {
    "repetition": Ending.REPETITION,
    "declaration": Ending.DECLARATION,
    "try": Ending.TRY,
}


def to_kif(record: GameRecord, encoding: str = "cp932") -> bytes:
    """Write a record as KIF, with the verdict in a comment at its end."""
    return write_kif(to_tree(record), encoding)


def to_csa(record: GameRecord) -> bytes:
    """Write a record as CSA; its first comment holds what the fixed headers have no place for."""
    made = to_tree(record)
    extra = [f"{key} {made.headers[key]}" for key in ("持ち時間", "備考") if key in made.headers]
    made.root.comments.insert(0, ", ".join(extra))
    made.headers.pop("備考", None)
    return write_csa(made)


def to_tree(record: GameRecord) -> Record:
    """Return a record as a tree, which all formats of shogi can be written from."""
    rules = make_rules(record.variant)
    start = rules.setup(rules.start(record.setup))
    black, white = (_player(player) for player in record.players)
    made = Record(start, black, white, _headers(record))
    grower = Grower(made)
    turn = grower.position.turn
    for number, move in enumerate(record.moves):
        if move.text == DECLARED:
            break
        if number < record.opening:
            grower.play(parse_move(move.text), number + 1)
        else:
            grower.play(parse_move(move.text), number + 1, _seconds(record, move))
            grower.node.comments += remarks(move)
        turn = 1 - move.side
    grower.end(ending_of(record.verdict, record.outcome, turn))
    last = grower.node
    if record.verdict != Verdict.UNFINISHED:
        last.comments.append(record.verdict_with_reason)
    last.comments += [f"stderr: {line}" for line in record.stderr.splitlines()]
    _branch(grower, record, record.variations)
    return made


def _seconds(record: GameRecord, move: PlayedMove) -> float | None:
    """Return the time of a move; what a session of play took from a record may have none."""
    return move.seconds if record.number or move.seconds else None


def _branch(grower: Grower, record: GameRecord, variations: Sequence[Variation]) -> None:
    """Append variations to the current line, and return to the place of the first of them.

    Those that begin later come first, because a line cannot be entered again once it is left.
    """
    for variation in sorted(variations, key=lambda each: each.at, reverse=True):
        grower.branch(variation.at + 1, 0)
        for move in variation.moves:
            if move.text == DECLARED:
                break
            grower.play(parse_move(move.text), 0, _seconds(record, move))
            grower.node.comments += remarks(move)
        _branch(grower, record, variation.variations)


def _player(player: Player) -> str:
    return str(player) if player.name else player.label


def _headers(record: GameRecord) -> dict[str, str]:
    times = " / ".join(dict.fromkeys(_allowance(control) for control in record.controls))
    started = record.started[:19].replace("-", "/").replace("T", " ")
    headers = {"開始日時": started, "持ち時間": times}
    notes = [f"game {record.number}", f"seed {record.seed}"] if record.number else []
    if record.number or record.variant:
        notes.append(f"rules {record.variant or 'default'}")
    if record.opening_name:
        notes.append(f"opening {record.opening_name}, {record.opening} moves")
    return headers | ({"備考": ", ".join(notes)} if notes else {})


def _allowance(control: TimeControl) -> str:
    """Write a time control as in Japanese records, `10分+30秒`, or else in our notation."""
    main, period = control.main, 0.0
    if control.kind == "move":
        main, period = 0.0, control.main
    elif control.kind == "byoyomi" and control.count == 1:
        period = control.period
    elif control.kind != "sudden":
        return str(control)
    if main % 1 or period % 1 or str(control) != str(replace(control, depth=None, nodes=None)):
        return str(control)
    minutes, seconds = divmod(int(main), 60)
    allowance = (f"{minutes}分" if minutes or not seconds else "") + (
        f"{seconds}秒" if seconds else ""
    )
    return allowance + (f"+{int(period)}秒" if period else "")


def ending_of(verdict: Verdict, outcome: Outcome, turn: Side) -> Ending:
    """Return the word for the end; `turn` is the side that would move next."""
    winner = outcome.winner
    if verdict in (Verdict.TIME, Verdict.STALL) and winner == 1 - turn:
        return Ending.TIMEOUT
    if verdict == Verdict.RESIGN:
        return Ending.RESIGN
    if verdict == Verdict.NATURAL and outcome.reason in _NATURAL:
        return _NATURAL[outcome.reason]
    if verdict == Verdict.NATURAL and outcome.reason != "perpetual check":
        return Ending.MATE if winner == 1 - turn else Ending.IMPASSE
    if verdict == Verdict.ADJUDICATION and winner is None:
        # Every reader takes this word for a draw: in KIF it is written as an impasse, the only draw
        # besides repetition, and in CSA as %HIKIWAKE. Fewer readers know %MAX_MOVES.
        return Ending.DRAW
    if verdict in (Verdict.VOID, Verdict.ADJUDICATION, Verdict.UNFINISHED):
        # Nothing was decided on the board; the comment names the winner by adjudication.
        return Ending.INTERRUPT
    return Ending.FOUL_LOSS if winner == 1 - turn else Ending.FOUL_WIN


def remarks(move: PlayedMove) -> list[str]:
    """Return the mover's evaluation as remarks, with the score from Black's side, and comments."""
    evaluation = move.evaluation
    sign = 1 if move.side == FIRST else -1
    centipawns = mate = None
    if evaluation.score is not None and evaluation.score.centipawns is not None:
        centipawns = sign * evaluation.score.centipawns
    elif evaluation.score is not None and evaluation.score.mate:
        mate = sign * evaluation.score.mate
    remark = Remark(score=centipawns, mate=mate, depth=evaluation.depth, nodes=evaluation.nodes)
    return write_remark(remark) + (move.comment.split("\n") if move.comment else [])
