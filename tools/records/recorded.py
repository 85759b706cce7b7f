"""A recorded game as a value: its terms, moves and result, from any format that we read."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import PurePath
from typing import Any, Final, TypeVar

from engines import registry
from engines.core.game import CHANCE, Game, IllegalMove, InvalidText, Outcome, Side
from engines.core.sgf import SgfNode, main_line
from engines.go.rules.records.sgf import moves_of, sets_up, walk
from engines.go.rules.text import size_number
from engines.shogi.rules.notation import parse_move
from engines.shogi.rules.records.record import FOULS, Ending, Node, Record
from protocols.ask.text import plain
from tools.records import go as sgf_go
from tools.records.diagrams import KNOWN, rules_of
from tools.records.game import PlayedMove, Variation, Verdict
from tools.records.nodes import Properties, play_man, play_own, play_stones
from tools.records.reading import MOST_BYTES, READERS, TREES, check_number
from tools.records.tree import Lines, MoveNode, grow, unfold

_RESULT: Final = re.compile(r"([A-Z])\+(R|Resign|T|Time|\d{1,4}(?:\.\d+)?)", re.IGNORECASE)
_MOST_SEED: Final = 20  # Digits.

HEADERS: Final = (
    *("GN", "EV", "RO", "PC", "DT", "BR", "WR", "BT", "WT", "ON", "OT", "SO", "US", "AN"),
    *("CP", "GC"),
)
"""The properties of the root of an SGF that say something about the game in words."""

_Read = TypeVar("_Read")


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """A recorded game; `names` are the players in the order of moving.

    `ended` is the outcome if the record names one that the rules of the game do not show. `result`
    is the result as the record writes it. `notices` say what of the file is not in the value.
    `comment` stands before the first move, and `headers` are the keys and values of the file that
    describe the game; all these are texts of the record, and may be anything. `source` is the file.
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
    variations: tuple[Variation, ...] = ()
    comment: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    source: "Source | None" = None


@dataclass(frozen=True, slots=True)
class Source:
    """The file of a recorded game: its name, of which the suffix tells the format.

    `number` is the number of the game in the file, from 1.
    """

    name: str
    data: bytes = field(repr=False)
    number: int = 1

    @property
    def suffix(self) -> str:
        """The suffix of the name, in lower case."""
        return PurePath(self.name).suffix.lower()


@dataclass(frozen=True, slots=True)
class RecordFile:
    """A file of one game or more; `titles` are the players of each game and its result.

    The moves of a game are followed when it is asked for.
    """

    name: str
    data: bytes
    titles: tuple[str, ...]
    _readers: Sequence[Callable[[], RecordedGame]]

    def game(self, number: int = 1) -> RecordedGame:
        """Return a game by its number; raises InvalidText."""
        count = len(self._readers)
        check_number(number, count)
        read = self._readers[number - 1]()
        more = [f"it has {count} games; this is game {number}"] if count > 1 else []
        source = Source(self.name, self.data, number)
        return replace(read, notices=(*read.notices, *more), source=source)

    def games(self) -> list[RecordedGame]:
        """Return all games; raises InvalidText."""
        return [read() for read in self._readers]


def read_game(name: str, data: bytes, number: int = 1) -> RecordedGame:
    """Read a game of a file; the suffix of its name tells the format.

    Raises InvalidText, which says what is wrong and where.
    """
    return read_file(name, data).game(number)


def read_games(name: str, data: bytes) -> list[RecordedGame]:
    """Read all games of a file, at least one; raises as `read_game` does."""
    return read_file(name, data).games()


def read_file(name: str, data: bytes) -> RecordFile:
    """Parse a file, whose games can then be chosen; raises as `read_game` does."""
    suffix = PurePath(name).suffix.lower()
    if len(data) > MOST_BYTES:
        raise InvalidText(f"it has more than {MOST_BYTES >> 20} MiB")
    if suffix not in KNOWN:
        known = ", ".join(KNOWN)
        raise InvalidText(
            f"the suffix of a file tells its format: expected {known}, not {suffix!r}"
        )
    if suffix in READERS:
        records = READERS[suffix](data)
        titles = tuple(_title(each.black, each.white, str(each.ending() or "")) for each in records)
        return RecordFile(
            name, data, titles, [partial(_followed, _read_shogi, record) for record in records]
        )
    file = TREES[suffix](data, "")
    remarks = tuple(map(plain, file.notices))
    readers = [
        partial(_followed, partial(_read_tree, remarks=remarks if number == 0 else ()), root)
        for number, root in enumerate(file.roots)
    ]
    return RecordFile(name, data, tuple(map(_title_of, file.roots)), readers)


def _title_of(root: SgfNode) -> str:
    properties = root.values
    letters = _letters(properties.get("QG", [""])[0])
    first, second = (properties.get(f"P{letter}", [""])[0] for letter in letters)
    return _title(first, second, properties.get("RE", [""])[0])


@cache
def _letters(game: str) -> tuple[str, str]:
    """Return the first letters of the sides of a game; it is Go if it is not one of ours."""
    first, second = registry.rules(game if game in registry.GAMES else registry.GO).sides
    return first[0].upper(), second[0].upper()


def _title(first: str, second: str, result: str) -> str:
    players = f"{plain(first) or '?'} - {plain(second) or '?'}"
    return f"{players}, {plain(result)}" if result not in ("", "?") else players


def _followed(read: Callable[[_Read], RecordedGame], source: _Read) -> RecordedGame:
    try:
        return read(source)
    except IllegalMove as error:
        raise InvalidText(str(error)) from error


def _read_shogi(record: Record) -> RecordedGame:
    notices = []
    foul = record.foul()
    if foul:
        notices.append(f"the last move is illegal and left out: {foul}")
    game = Game(registry.rules(registry.SHOGI), record.start)
    lines = unfold(shogi_tree(record, game))
    notices += _unread(lines)
    for text in record.moves():
        game.push(parse_move(text))
    ending = record.ending()
    ended = None
    if game.outcome() is None:
        ended = _ended_by(ending, game.turn, before_foul=bool(foul))
    names = plain(record.black), plain(record.white)
    return RecordedGame(
        game=registry.SHOGI,
        variant="",
        size=0,
        setup=record.start,
        names=names,
        moves=lines.moves,
        ended=ended,
        result=str(ending or ""),
        notices=tuple(notices),
        variations=lines.variations,
        comment=lines.comment,
        headers=tuple(record.headers.items()),
    )


def shogi_tree(record: Record, game: Game[Any]) -> MoveNode[Node]:
    """Return all lines of a record of shogi; the game is at its start."""
    return grow(record.root, game, play_man, lambda node: "\n".join(node.comments))


def _ended_by(
    ending: Ending | None, turn: Side, *, before_foul: bool
) -> tuple[Outcome, Verdict] | None:
    """Return the outcome of an ending that the board does not show."""
    if ending in (Ending.RESIGN, Ending.TIMEOUT):
        verdict = Verdict.RESIGN if ending == Ending.RESIGN else Verdict.TIME
        return Outcome(1 - turn, str(verdict)), verdict
    if ending in FOULS:
        # An illegal move stands in the record, or else the last move was the foul, or the next.
        loser = turn if before_foul or ending != Ending.FOUL_WIN else 1 - turn
        return Outcome(1 - loser, str(Verdict.ILLEGAL)), Verdict.ILLEGAL
    return None


def _unread(lines: Lines) -> list[str]:
    count = lines.left_out
    if not count:
        return []
    return [f"{count} variation{'s are' if count > 1 else ' is'} too long or too deep to be shown"]


def is_foreign(root: Properties) -> bool:
    """Tell whether a record may be of Go by any program, and not of our own form."""
    return root.get("GM", ["1"])[0].strip() in ("1", "") and "QP" not in root


def sgf_tree(root: SgfNode, game: Game[Any]) -> MoveNode[SgfNode]:
    """Return all lines of a record in SGF; the game is at its start."""
    opening = set()  # Stones that these nodes set up are in the set-up of the game.
    for node in main_line(root):
        opening.add(id(node))
        if moves_of(node.values):
            break
    foreign = is_foreign(root.values)

    def play(node: SgfNode, game: Game[Any]) -> Iterator[PlayedMove] | None:
        if not foreign:
            return play_own(node.values, game)
        rules = sgf_go.go_rules(game.rules)
        if id(node) not in opening and sets_up(rules, game.position, node.values):
            return None
        return play_stones(node.values, game)

    return grow(root, game, play, lambda node: "\n".join(node.values.get("C", [])))


def _read_tree(tree: SgfNode, remarks: Sequence[str]) -> RecordedGame:
    notices = list(remarks)
    nodes = [node.values for node in main_line(tree)]
    root = nodes[0]
    if is_foreign(root):
        game = _go_game(nodes, notices)
    else:
        game = Game(rules_of(root), root.get("QP", [""])[0])
        _check_moves(nodes[1:], Game(game.rules, game.initial_setup))
    lines = unfold(sgf_tree(tree, game))
    notices += _unread(lines)
    letters = [side[0].upper() for side in game.rules.sides]
    first, second = (plain(root.get(f"P{letter}", [""])[0]) for letter in letters)
    result = plain(root.get("RE", [""])[0])
    seed = root.get("QS", ["0"])[0]
    rules, size = game.rules, 0
    if rules.name == registry.GO:
        board = sgf_go.go_rules(rules)
        size = size_number(board.width, board.height)
    return RecordedGame(
        game=rules.name,
        variant=rules.variant,
        size=size,
        setup=game.initial_setup,
        names=(first, second),
        moves=lines.moves,
        ended=_ended(result, letters),
        result=result,
        seed=int(seed) if seed.isdecimal() and len(seed) <= _MOST_SEED else 0,
        notices=tuple(notices),
        variations=lines.variations,
        comment=lines.comment,
        headers=tuple((key, "\n".join(root[key])) for key in HEADERS if key in root),
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


def _go_game(nodes: Sequence[Properties], notices: list[str]) -> Game[Any]:
    """Return the start of a game of Go by any program; notices say how far our rules follow it."""
    game: Game[Any] | None = None
    for texts, position, number, move in walk(nodes):
        if game is None:
            size = size_number(texts.width, texts.height)
            rules = registry.rules(registry.GO, texts.variant, size)
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
    assert game is not None
    return Game(game.rules, game.initial_setup)


def _check_moves(nodes: Sequence[Properties], game: Game[Any]) -> None:
    """Raise InvalidText, with its number, for a move of a record of ours that is not possible."""
    number = 1
    for node in nodes:
        try:
            for move in play_own(node, game):
                number += move.side != CHANCE
        except (InvalidText, IllegalMove) as error:
            raise InvalidText(f"move {number}: {plain(str(error))}") from error
