"""A finished game of shogi as a record in KIF or CSA."""

import itertools
from dataclasses import replace
from typing import Final

from engines.core.game import FIRST, Side
from engines.core.timing import TimeControl
from engines.shogi.csa import write_csa
from engines.shogi.kif import write_kif
from engines.shogi.notation import parse_move
from engines.shogi.record import Ending, Grower, Record
from engines.shogi.remark import Remark, write_remark
from engines.shogi.rules import make_rules
from tools.record import GameRecord, PlayedMove, Player, Verdict

NAME: Final = "shogi"
DECLARED: Final = "win"

_NATURAL: Final = {
    "repetition": Ending.REPETITION,
    "declaration": Ending.DECLARATION,
    "try": Ending.TRY,
}


def to_kif(record: GameRecord) -> bytes:
    """Write a record as KIF in Shift_JIS; the verdict stands in a comment at its end."""
    # KIF has no word for a limit of moves: what is usual there is read as an impasse.
    return write_kif(_tree(record, limit=Ending.INTERRUPT))


def to_csa(record: GameRecord) -> bytes:
    """Write a record as CSA; what its fixed headers have no place for is its first comment."""
    made = _tree(record, limit=Ending.MAX_MOVES)
    told = (f"{key} {made.headers[key]}" for key in ("持ち時間", "備考"))
    made.root.comments.insert(0, ", ".join(told))
    return write_csa(made)


def _tree(record: GameRecord, *, limit: Ending) -> Record:
    """Return the record; `limit` is the word for a game that its length ended."""
    rules = make_rules(record.variant)
    start = rules.setup(rules.start(record.setup))
    black, white = (_player(player) for player in record.players)
    made = Record(start, black, white, _headers(record))
    grower = Grower(made)
    turn = grower.position.turn
    for number, move in enumerate(record.moves):
        if move.text == DECLARED:
            break
        given = number < record.opening
        grower.play(parse_move(move.text), number + 1, None if given else move.seconds)
        if not given:
            grower.node.comments += _remarks(move)
        turn = 1 - move.side
    ending = _ending(record, turn)
    grower.end(limit if ending is Ending.MAX_MOVES else ending)
    grower.node.comments.append(record.told)
    grower.node.comments += [f"stderr: {line}" for line in record.stderr.splitlines()]
    return made


def _player(player: Player) -> str:
    return str(player) if player.name else player.label


def _headers(record: GameRecord) -> dict[str, str]:
    times = " / ".join(dict.fromkeys(_allowance(control) for control in record.controls))
    started = record.started[:19].replace("-", "/").replace("T", " ")
    headers = {"開始日時": started, "持ち時間": times}
    told = [f"game {record.number}", f"seed {record.seed}", f"rules {record.variant or 'default'}"]
    if record.opening_name:
        told.append(f"opening {record.opening_name}, {record.opening} moves")
    return headers | {"備考": ", ".join(told)}


def _allowance(control: TimeControl) -> str:
    """Write a time control as Japanese records do, `10分+30秒`; what they cannot say, as we do."""
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
    told = (f"{minutes}分" if minutes or not seconds else "") + (f"{seconds}秒" if seconds else "")
    return told + (f"+{int(period)}秒" if period else "")


def _ending(record: GameRecord, turn: Side) -> Ending:
    """Return the word for the end; `turn` is who would move next."""
    verdict, winner = record.verdict, record.outcome.winner
    if verdict in (Verdict.TIME, Verdict.STALL) and winner == 1 - turn:
        return Ending.TIMEOUT
    if verdict == Verdict.RESIGN:
        return Ending.RESIGN
    if verdict == Verdict.NATURAL and record.outcome.reason in _NATURAL:
        return _NATURAL[record.outcome.reason]
    if verdict == Verdict.NATURAL and record.outcome.reason != "perpetual check":
        return Ending.MATE if winner == 1 - turn else Ending.IMPASSE
    if verdict in (Verdict.VOID, Verdict.ADJUDICATION):
        # Nothing was decided on the board; who won by agreement stands in the comment.
        return Ending.MAX_MOVES if winner is None and verdict != Verdict.VOID else Ending.INTERRUPT
    return Ending.FOUL_LOSS if winner == 1 - turn else Ending.FOUL_WIN


def _remarks(move: PlayedMove) -> list[str]:
    """Return what the mover thought, its score seen from Black's side."""
    words = move.evaluation.split()
    told = dict(itertools.pairwise(words))
    sign = 1 if move.side == FIRST else -1
    score = _whole(told.get("cp", ""))
    mate = _whole(told.get("mate", ""))
    return write_remark(
        Remark(
            score=None if score is None else sign * score,
            mate=sign * mate if mate else None,
            depth=_whole(told.get("depth", "")),
            nodes=_whole(told.get("nodes", "")),
        )
    )


def _whole(text: str) -> int | None:
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdecimal() else None
