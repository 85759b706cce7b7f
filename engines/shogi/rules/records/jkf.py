"""JKF, json-kifu-format: read as other programs write it, written as its schema has it."""

import json
from typing import Any, Final, NamedTuple

from engines.core.game import InvalidText
from engines.shogi.rules.geometry import WHITE
from engines.shogi.rules.notation import dropped, make_drop, make_move, origin, promotes, target
from engines.shogi.rules.position import Position
from engines.shogi.rules.records.csa import ENDINGS, NAMES, format_ending
from engines.shogi.rules.records.kakinoki import side_names
from engines.shogi.rules.records.ki2_writer import may_promote, tell_apart
from engines.shogi.rules.records.record import (
    MOST_MOVES,
    Ending,
    Grower,
    Node,
    Record,
    RecordError,
    text_of,
)
from engines.shogi.rules.sfen import START, format_sfen, handicap_sfen, set_up

_PRESETS: Final = {
    "KY": "lance",
    "KY_R": "right-lance",
    "KA": "bishop",
    "HI": "rook",
    "HIKY": "rook+lance",
    "2": "two",
    "3": "three",
    "4": "four",
    "5": "five",
    "5_L": "left-five",
    "6": "six",
    "7_L": "left-seven",
    "7_R": "right-seven",
    "8": "eight",
    "10": "ten",
}
# Other readers refuse these, so their start position is written out.
_UNSAFE: Final = ("3", "5", "5_L", "7_L", "7_R")
_BLACK: Final = ("先手", "下手")
_WHITE: Final = ("後手", "上手")
_START: Final = "手合割"  # The property `initial` says the same.
_PARTS: Final = {"header", "initial", "moves"}
_ACTION: Final = "ILLEGAL_ACTION"

_WORDS: Final = dict(zip("左右直上寄引打", "LRCUMDH", strict=True))
_UNKNOWN: Final = {"MAX_MOVES": "HIKIWAKE"}  # Words of CSA that the schema does not have.

_Line = list[Any]


def read_jkf(data: bytes | str) -> Record:
    """Read a game with its variations; raises InvalidText with the number of the move."""
    text = text_of(data)
    try:
        root = json.loads(text)
    except json.JSONDecodeError as error:
        raise RecordError(error.lineno, f"not JSON: {error.msg}, column {error.colno}") from None
    except (RecursionError, ValueError):
        raise InvalidText("not JSON that can be read: it is nested too deeply") from None
    root = _typed(root, dict, "the file")
    if not root.keys() & _PARTS:
        raise InvalidText(f"it holds no game: expected one of {', '.join(sorted(_PARTS))}")
    record = Record(_start(root.get("initial")))
    for key, value in _typed(root.get("header", {}), dict, "header").items():
        value = _typed(value, str, f"header {key!r}")
        if key in _BLACK:
            record.black = value
        elif key in _WHITE:
            record.white = value
        elif key != _START:
            record.headers[key] = value
    _read_moves(record, _typed(root.get("moves", []), list, "moves"))
    return record


def _typed(value: Any, kind: type, what: str) -> Any:
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise InvalidText(f"{what} is no {kind.__name__}: {str(value)[:40]!r}")
    return value


def _start(initial: Any) -> str:
    if initial is None:
        return START
    preset = _typed(initial, dict, "initial").get("preset")
    if preset == "HIRATE":
        return START
    if preset in _PRESETS:
        return handicap_sfen(_PRESETS[preset])
    if preset != "OTHER":
        raise InvalidText(
            f"no such preset: {str(preset)[:40]!r} (known: HIRATE, OTHER, {', '.join(_PRESETS)})"
        )
    state = _typed(initial.get("data"), dict, "initial.data")
    cells = [0] * 81
    for file, column in enumerate(_typed(state.get("board"), list, "the board")):
        for rank, man in enumerate(_typed(column, list, f"column {file + 1}")):
            man = _typed(man, dict, f"the man on {file + 1}{rank + 1}")
            if file > 8 or rank > 8:
                raise InvalidText(f"a board of 9x9 has no {file + 1}{rank + 1}")
            if man.get("kind") is not None:
                cells[file * 9 + rank] = _kind(man["kind"]) | WHITE * _side(man.get("color"))
    hands = [[0] * 8, [0] * 8]
    for side, hand in enumerate(_typed(state.get("hands"), list, "the hands")[:2]):
        for name, number in _typed(hand, dict, "a hand").items():
            kind = _kind(name)
            if kind > 7 or not 0 <= _typed(number, int, f"the number of {name}") <= 18:
                raise InvalidText(f"not men in hand: {number} {name}")
            hands[side][kind] = number
    position = set_up(cells, hands, _side(state.get("color")), tolerate="rule")
    return format_sfen(position)


def _kind(name: Any) -> int:
    if not isinstance(name, str) or not name or name not in NAMES:
        raise InvalidText(f"not a man: {str(name)[:40]!r}")
    return NAMES.index(name)


def _side(color: Any) -> int:
    if color not in (0, 1):
        raise InvalidText(f"not a side, 0 or 1: {str(color)[:40]!r}")
    return int(color)


def _read_moves(record: Record, main: _Line) -> None:
    grower = Grower(record)
    waiting: list[tuple[int, _Line]] = [(1, main)]
    while waiting:
        ply, line = waiting.pop()
        if not line:
            continue
        if line is not main:
            _ask(grower.branch, ply, ply)
        elif not _is_ply(line[0]):
            record.root.comments += _comments(line[0], 0)
            line = line[1:]
        forks = []
        for number, step in enumerate(line, ply):
            _ask(_read_step, grower, step, number)
            for fork in reversed(_typed(step.get("forks", []), list, f"move {number}: forks")):
                forks.append((number, _typed(fork, list, f"move {number}: a fork")))
        waiting += forks  # The deepest is read first, when the line to it is still the current one.
        if len(waiting) > MOST_MOVES:
            raise InvalidText(f"it has more than {MOST_MOVES} variations")
        _ask(grower.finish)


def _ask(function: Any, *arguments: Any) -> None:
    """Call a function; its errors name a move where those of other formats name a line."""
    try:
        function(*arguments)
    except RecordError as error:
        raise InvalidText(f"move {error.line}: {error.message}") from None


def _is_ply(step: Any) -> bool:
    return isinstance(step, dict) and ("move" in step or "special" in step)


def _comments(step: Any, number: int) -> list[str]:
    step = _typed(step, dict, f"move {number}")
    comments = _typed(step.get("comments", []), list, f"move {number}: comments")
    return [_typed(comment, str, f"move {number}: a comment") for comment in comments]


def _read_step(grower: Grower, step: Any, number: int) -> None:
    comments = _comments(step, number)
    seconds = _seconds(step.get("time"), number)
    if "move" in step:
        grower.attempt(_read_move(grower, step["move"], number), number, seconds)
    elif "special" in step:
        grower.end(_ending(grower, step["special"], number), number, seconds)
    else:
        raise RecordError(number, "neither a move nor a word for the end")
    grower.node.comments += comments


def _seconds(time: Any, number: int) -> float | None:
    if time is None:
        return None
    now = _typed(time, dict, f"move {number}: time").get("now")
    total = 0.0
    for unit, factor in (("h", 3600), ("m", 60), ("s", 1)):
        value = _typed(now, dict, f"move {number}: time").get(unit, 0)
        if not isinstance(value, int | float) or not 0 <= value < 1e9:
            raise RecordError(number, f"not a time: {str(now)[:40]!r}")
        total += value * factor
    return total


def _ending(grower: Grower, word: Any, number: int) -> Ending:
    if word in (f"+{_ACTION}", f"-{_ACTION}"):
        own = "+-".index(word[0]) == grower.turn
        if own:
            grower.finish()
        return Ending.FOUL_ACTION if own else Ending.FOUL_WIN
    if word == _ACTION:
        return Ending.FOUL_WIN
    if not isinstance(word, str) or word not in ENDINGS:
        raise RecordError(number, f"not an ending: {str(word)[:40]!r}")
    return ENDINGS[word]


def _read_move(grower: Grower, move: Any, number: int) -> int:
    grower.finish()
    move = _typed(move, dict, f"move {number}")
    if "color" in move and _side(move["color"]) != grower.turn:
        raise RecordError(number, "the other side is to move")
    kind = _kind(move.get("piece"))
    if "to" in move:
        to = _square(move["to"], number)
    elif move.get("same") and grower.node.move:
        to = target(grower.node.move)
    else:
        raise RecordError(number, "a move without its target")
    if "from" not in move:
        if kind > 7 or move.get("relative", "H") != "H":
            raise RecordError(number, "a move without its origin, which only drops lack")
        return make_drop(kind, to)
    start = _square(move["from"], number)
    if grower.position.man_at(start) & 15 != kind:
        raise RecordError(number, f"no {move['piece']} on {start // 9 + 1}{start % 9 + 1}")
    promotion = move.get("promote", False) is True
    if promotion and kind > 6:
        raise RecordError(number, f"{move['piece']} cannot promote")
    return make_move(start, to, promotion=promotion)


def _square(place: Any, number: int) -> int:
    place = _typed(place, dict, f"move {number}: a square")
    file, rank = (_typed(place.get(axis), int, f"move {number}: {axis}") for axis in "xy")
    if not (1 <= file <= 9 and 1 <= rank <= 9):
        raise RecordError(number, f"no square: {file}, {rank}")
    return int((file - 1) * 9 + rank - 1)


def write_jkf(record: Record) -> bytes:
    """Write a game with its variations; raises InvalidText if they are nested too deeply for JSON.

    JKF has whole seconds, and no bookmarks.
    """
    names = zip(side_names(record), (record.black, record.white), strict=True)
    header = record.headers | {key: name for key, name in names if name}
    root = {"header": header, "initial": _write_start(record), "moves": _write_moves(record)}
    try:
        return f"{json.dumps(root, ensure_ascii=False)}\n".encode()
    except RecursionError:
        raise InvalidText("its variations are nested too deeply for JSON") from None


def _write_start(record: Record) -> dict[str, Any]:
    if record.start == START:
        return {"preset": "HIRATE"}
    for preset, name in _PRESETS.items():
        if preset not in _UNSAFE and handicap_sfen(name) == record.start:
            return {"preset": preset}
    position = record.position()
    men = [position.man_at(square) for square in range(81)]
    squares = [{"color": man >> 4, "kind": NAMES[man & 15]} if man else {} for man in men]
    data = {
        "color": position.turn,
        "board": [squares[9 * file : 9 * file + 9] for file in range(9)],
        "hands": [
            {NAMES[kind]: position.held(side, kind) for kind in range(1, 8)} for side in range(2)
        ],
    }
    return {"preset": "OTHER", "data": data}


class _PendingLine(NamedTuple):
    """A line of play that is still to be written into `moves`, and the state before it."""

    parent: Node
    child: int
    plies: int
    spent: tuple[int, int]
    previous: int
    moves: _Line


def _write_moves(record: Record) -> _Line:
    """Write all lines with a stack, because variations may be nested deeply."""
    position = record.position()
    main: _Line = [{"comments": record.root.comments} if record.root.comments else {}]
    waiting = [_PendingLine(record.root, 0, 0, (0, 0), 0, main)]
    while waiting:
        line = waiting.pop()
        while position.plies() > line.plies:
            position.undo()
        node, chosen, spent, previous = line.parent, line.child, line.spent, line.previous
        while node.children:
            parent, node = node, node.children[chosen]
            forks: list[_Line] = [[] for _ in parent.children[1:]] if chosen == 0 else []
            waiting += [
                _PendingLine(parent, number, position.plies(), spent, previous, fork)
                for number, fork in enumerate(forks, 1)
            ]
            chosen, turn = 0, position.turn ^ parent.foul
            step, spent = _write_step(position, node, turn, previous, spent)
            line.moves.append(step | ({"forks": forks} if forks else {}))
            previous = node.move
            if node.ending is None and not node.foul:
                position.play(node.move)
    return main


def _write_step(
    position: Position, node: Node, turn: int, previous: int, spent: tuple[int, int]
) -> tuple[dict[str, Any], tuple[int, int]]:
    """Return a move or an ending, and the seconds that both sides have spent after it."""
    step: dict[str, Any] = {}
    if node.comments:
        step["comments"] = node.comments
    if node.ending is not None:
        word = format_ending(node.ending, turn)
        step["special"] = _UNKNOWN.get(word, word)
    else:
        step["move"] = _write_move(position, node.move, previous)
    if node.seconds is not None:
        now = int(node.seconds)
        spent = (spent[0] + now, spent[1]) if turn == 0 else (spent[0], spent[1] + now)
        step["time"] = {"now": _write_time(now), "total": _write_time(spent[turn])}
    return step, spent


def _write_time(seconds: int) -> dict[str, int]:
    return {"h": seconds // 3600, "m": seconds // 60 % 60, "s": seconds % 60}


def _write_move(position: Position, move: int, previous: int) -> dict[str, Any]:
    to, kind = target(move), dropped(move)
    written: dict[str, Any] = {"color": position.turn, "to": _write_square(to)}
    if not kind:
        start = origin(move)
        kind = position.man_at(start) & 15
        written["from"] = _write_square(start)
        if previous and target(previous) == to:
            written["same"] = True
        if promotes(move) or may_promote(position, move):
            written["promote"] = promotes(move)
        if taken := position.man_at(to) & 15:
            written["capture"] = NAMES[taken]
    written["piece"] = NAMES[kind]
    if words := tell_apart(position, move):
        written["relative"] = "".join(_WORDS[word] for word in words)
    return written


def _write_square(square: int) -> dict[str, int]:
    return {"x": square // 9 + 1, "y": square % 9 + 1}
