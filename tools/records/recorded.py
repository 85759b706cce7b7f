"""A recorded game as a value: its terms, moves and result, from any format that we read."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePath
from typing import Any, Final, TypeVar

from engines import registry
from engines.core.game import CHANCE, Game, IllegalMove, InvalidText, Outcome, Rules
from engines.core.sgf import SgfNode, main_line
from engines.go.rules.records.sgf import walk
from engines.shogi.rules.records.record import Ending, Node, Record
from protocols.ask.score import Evaluation
from protocols.ask.text import plain
from tools.records import go as sgf_go
from tools.records.diagrams import KNOWN, rules_of
from tools.records.game import PlayedMove, Verdict
from tools.records.reading import MOST_BYTES, READERS, TREES

_SECONDS: Final = re.compile(r"(\d{1,9}(?:\.\d{1,9})?) s")
_RESULT: Final = re.compile(r"([A-Z])\+(R|Resign|T|Time|\d{1,4}(?:\.\d+)?)", re.IGNORECASE)
_MOST_SEED: Final = 20  # Digits.

Properties = Mapping[str, Sequence[str]]

_Source = TypeVar("_Source")


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """A recorded game; `names` are the players in the order of moving.

    `ended` is the outcome if the record names one that the rules of the game do not show. `result`
    is the result as the record writes it. `notices` say what of the file is not in the value.
    """

    game: str
    variant: str
    size: int
    setup: str
    names: tuple[str, str]
    moves: tuple[PlayedMove, ...]
    ended: tuple[Outcome, Verdict] | None = None
    result: str = ""
    seed: int = 0
    notices: tuple[str, ...] = ()


def read_game(name: str, data: bytes) -> RecordedGame:
    """Read the first game of a file; the suffix of its name tells the format.

    Raises InvalidText, which says what is wrong and where.
    """
    read = _readers(name, data)
    first = read[0]()
    more = [f"it has {len(read)} games; the first is read"] if len(read) > 1 else []
    return replace(first, notices=(*first.notices, *more))


def read_games(name: str, data: bytes) -> list[RecordedGame]:
    """Read all games of a file, at least one; raises as `read_game` does."""
    return [read() for read in _readers(name, data)]


def _readers(name: str, data: bytes) -> list[Callable[[], RecordedGame]]:
    """Parse a file, and return a function for each game that follows its moves."""
    suffix = PurePath(name).suffix.lower()
    if len(data) > MOST_BYTES:
        raise InvalidText(f"it has more than {MOST_BYTES >> 20} MiB")
    if suffix not in KNOWN:
        known = ", ".join(KNOWN)
        raise InvalidText(
            f"the suffix of a file tells its format: expected {known}, not {suffix!r}"
        )
    if suffix in READERS:
        return [partial(_followed, _read_shogi, record) for record in READERS[suffix](data)]
    file = TREES[suffix](data, "")
    remarks = tuple(map(plain, file.notices))
    return [
        partial(_followed, partial(_read_tree, remarks=remarks if number == 0 else ()), root)
        for number, root in enumerate(file.roots)
    ]


def _followed(read: Callable[[_Source], RecordedGame], source: _Source) -> RecordedGame:
    try:
        return read(source)
    except IllegalMove as error:
        raise InvalidText(str(error)) from error


def _read_shogi(record: Record) -> RecordedGame:
    notices = []
    if foul := record.foul():
        notices.append(f"the last move is illegal and left out: {foul}")
    if forks := _count_forks(record.root):
        notices.append(_unread(forks))
    game = Game(registry.rules(registry.SHOGI), record.start)
    moves = []
    for node, text in zip(record.main_line(), record.moves(), strict=False):
        moves.append(PlayedMove(game.turn, text, node.seconds or 0.0, None))
        game.play(text)
    ending = record.ending()
    ended = None
    if ending in (Ending.RESIGN, Ending.TIMEOUT) and game.outcome() is None:
        verdict = Verdict.RESIGN if ending == Ending.RESIGN else Verdict.TIME
        ended = (Outcome(1 - game.turn, str(verdict)), verdict)
    names = plain(record.black), plain(record.white)
    result = str(ending or "")
    return RecordedGame(
        registry.SHOGI, "", 0, record.start, names, tuple(moves), ended, result, 0, tuple(notices)
    )


def _count_forks(root: Node | SgfNode) -> int:
    """Count the variations of a tree."""
    count, todo = 0, [root]
    while todo:
        node = todo.pop()
        count += max(len(node.children) - 1, 0)
        todo += node.children
    return count


def _unread(count: int) -> str:
    return f"only the main line is read, and not {count} variation{'s' if count > 1 else ''}"


def _read_tree(tree: SgfNode, remarks: Sequence[str]) -> RecordedGame:
    notices = list(remarks)
    if forks := _count_forks(tree):
        notices.append(_unread(forks))
    nodes = [node.values for node in main_line(tree)]
    root = nodes[0]
    if root.get("GM", ["1"])[0].strip() in ("1", "") and "QP" not in root:
        game, moves = _go_moves(nodes, notices)
    else:
        game = Game(rules_of(root), root.get("QP", [""])[0])
        moves = list(_moves(nodes[1:], game))
    letters = [side[0].upper() for side in game.rules.sides]
    first, second = (plain(root.get(f"P{letter}", [""])[0]) for letter in letters)
    result = plain(root.get("RE", [""])[0])
    seed = root.get("QS", ["0"])[0]
    rules = game.rules
    return RecordedGame(
        game=rules.name,
        variant=rules.variant,
        size=sgf_go.go_rules(rules).width if rules.name == registry.GO else 0,
        setup=game.initial_setup,
        names=(first, second),
        moves=tuple(moves),
        ended=_ended(result, letters),
        result=result,
        seed=int(seed) if seed.isdecimal() and len(seed) <= _MOST_SEED else 0,
        notices=tuple(notices),
    )


def _ended(result: str, letters: Sequence[str]) -> tuple[Outcome, Verdict] | None:
    """Return the outcome that a result such as `B+R` or `W+3.5` names."""
    match = _RESULT.fullmatch(result)
    if match is None or match[1].upper() not in letters:
        return None
    winner, how = letters.index(match[1].upper()), match[2][0].upper()
    if how == "R":
        return Outcome(winner, str(Verdict.RESIGN)), Verdict.RESIGN
    if how == "T":
        return Outcome(winner, str(Verdict.TIME)), Verdict.TIME
    return Outcome(winner, f"{match[1].upper()}+{match[2]}"), Verdict.NATURAL


def _go_moves(
    nodes: Sequence[Properties], notices: list[str]
) -> tuple[Game[Any], list[PlayedMove]]:
    """Read a game of Go by any program, as far as our rules can follow it."""
    having = [node for node in nodes for key in ("B", "W") if key in node]
    game: Game[Any] | None = None
    moves: list[PlayedMove] = []
    for texts, position, number, move in walk(nodes):
        if game is None:
            if texts.width != texts.height:
                raise InvalidText(f"a board of {texts.width}x{texts.height} cannot be played")
            rules = registry.rules(registry.GO, texts.variant, texts.width)
            game = Game(rules, texts.setup(position))
            continue
        if not move:
            notices.append(f"stones are set up after move {number}; they are left out")
            break
        side, text = position.played[-1][0] - 1, move.rpartition(" ")[2]
        try:
            if side != game.turn:
                raise IllegalMove("it is out of turn")
            game.push(game.rules.parse(game.position, text))
        except IllegalMove as error:
            notices.append(f"move {number} and the rest are left out: {error}")
            break
        if game.position.board.cells_copy() != position.board.cells_copy():
            notices.append(f"stones are set up after move {number - 1}; the rest is left out")
            break
        moves.append(_played(side, text, having[number - 1], "BW"[side]))
    assert game is not None
    return Game(game.rules, game.initial_setup), moves


def _moves(nodes: Sequence[Properties], game: Game[Any]) -> Iterator[PlayedMove]:
    """Read the moves of a game that a program of ours has recorded, and play them."""
    rules: Rules[Any] = game.rules
    number = 0
    for node in nodes:
        for side, name in enumerate(rules.sides):
            letter = name[0].upper()
            if letter not in node:
                continue
            number += 1
            throws, colon, text = node[letter][0].rpartition(":")
            if rules.name == registry.GO:
                text = sgf_go.parse_point(text, sgf_go.go_rules(rules))
            try:
                for throw in throws.split(":") if colon else ():
                    yield _push(game, CHANCE, throw, {}, letter)
                if not text and rules.name != registry.GO:
                    continue
                yield _push(game, side, text, node, letter)
            except (InvalidText, IllegalMove) as error:
                raise InvalidText(f"move {number}: {plain(str(error))}") from error


def _push(game: Game[Any], side: int, text: str, node: Properties, letter: str) -> PlayedMove:
    if game.turn != side:
        raise IllegalMove(f"{plain(text, 40)}: it is out of turn")
    move = game.rules.parse(game.position, text)
    written = text if text == "win" else game.rules.format(game.position, move)
    game.push(move)
    return _played(side, written, node, letter)


def _played(side: int, text: str, node: Properties, letter: str) -> PlayedMove:
    """Return a move with its time and evaluation, if its comment is of our own form."""
    lines = node.get("C", [""])[0].splitlines()
    match = _SECONDS.fullmatch(lines[0]) if lines else None
    evaluation = Evaluation.parse(lines[1]) if match and len(lines) > 1 else Evaluation()
    left = node.get(f"{letter}L", [""])[0]
    return PlayedMove(
        side,
        text,
        float(match[1]) if match else 0.0,
        float(left) if re.fullmatch(r"\d{1,9}(\.\d{1,9})?", left) else None,
        evaluation,
    )
