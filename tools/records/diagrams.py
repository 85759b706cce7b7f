"""The positions of a recorded game, to be drawn."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from engines import registry
from engines.core.errors import QuintetError
from engines.core.game import CHANCE, Game, IllegalMove, InvalidText, Outcome, Rules
from engines.core.sgf import SgfNode
from engines.go.rules.records.sgf import moves_of, walk
from engines.shogi.rules.records.record import Node, Record
from tools.records import go as sgf_go
from tools.records.reading import READERS, TREES, check_number, read_bytes, read_records
from tools.records.variations import Line, find_line

_DEFAULT_VARIANT: Final = "default"

Properties = dict[str, list[str]]
"""The properties of a node in SGF."""


@dataclass(frozen=True, slots=True)
class RecordedPosition:
    """A position of a recorded game, which is only valid until the next one is asked for.

    `number` is the number of moves before it; two positions have that of the last move if stones
    are set up after it. `marks` are pairs of a place and a sign or label, as the record sets them.
    `ending` is an ending that only the moves before it show, such as a repetition.
    """

    number: int
    head: str  # The move that led to the position, with its comment.
    move: str
    rules: Rules[Any]
    position: Any
    marks: tuple[tuple[str, str], ...] = ()
    ending: Outcome | None = None


@dataclass(frozen=True, slots=True)
class RecordDiagrams:
    """A recorded game: its game, a heading, and its positions.

    The positions are computed when they are asked for: raises Undrawable then.
    """

    game: str
    heading: str
    positions: Iterator[RecordedPosition]
    notices: Sequence[str]  # Remarks about an unusual file.


class Undrawable(QuintetError):
    """A record that cannot be drawn; the text names the file and the reason."""


_Positions = Iterator[RecordedPosition]

_SIGNS: Final = {"TR": "triangle", "SQ": "square", "CR": "circle", "MA": "cross"}
"""The properties of SGF that mark points."""

KNOWN: Final = (*TREES, *READERS)
"""The suffixes of the records that can be drawn."""


def draw_record(path: Path, variation: Sequence[int] = (), number: int = 1) -> RecordDiagrams:
    """Draw the main line of a record, whose format the suffix tells, or a variation.

    `number` is that of the game in a file that has several.

    Raises Undrawable and OSError.
    """
    suffix = path.suffix.lower()
    if suffix not in KNOWN:
        raise Undrawable(
            f"{path}: the suffix of a file tells its format: expected {', '.join(KNOWN)}, "
            f"not {path.suffix!r}"
        )
    try:
        draw = _draw_shogi if suffix in READERS else _draw_tree
        drawn = draw(path, variation, number)
    except (InvalidText, IllegalMove) as error:
        raise Undrawable(f"{path}: {error}") from error
    return replace(drawn, positions=_named(drawn.positions, path))


def _named(positions: _Positions, path: Path) -> _Positions:
    """Yield positions; their errors get the name of the file."""
    try:
        yield from positions
    except (InvalidText, IllegalMove) as error:
        raise Undrawable(f"{path}: {error}") from error


def _draw_tree(path: Path, variation: Sequence[int], number: int) -> RecordDiagrams:
    file = TREES[path.suffix.lower()](read_bytes(path), "")
    notices = list(file.notices)
    notices += _others(number, len(file.roots))
    line = find_line(file.roots[number - 1], variation, _count_moves)
    notices += _variations(line)
    root, *nodes = [node.values for node in line.nodes]
    if root.get("GM", ["1"])[0].strip() in ("1", "") and "QP" not in root:
        return RecordDiagrams(registry.GO, _heading(root, "BW"), _draw_go([root, *nodes]), notices)
    rules = rules_of(root)
    letters = [side[0].upper() for side in rules.sides]
    heading = _heading(root, letters)
    return RecordDiagrams(rules.name, heading, _draw_moves(root, nodes, rules), notices)


def _count_moves(node: SgfNode) -> int:
    return sum(key in node.values for key in "BW")


def _others(number: int, count: int) -> list[str]:
    """Say that there are other games than that of a number; raises InvalidText if it is missing."""
    check_number(number, count)
    return [f"it has {count} games; this is game {number} (--number)"] if count > 1 else []


def _variations(line: Line[Any]) -> list[str]:
    return [f"this line has {line.describe()} (--variation)"] if line.branches else []


def _heading(root: Properties, letters: Sequence[str]) -> str:
    players = " - ".join(root.get(f"P{letter}", ["?"])[0] for letter in letters)
    return f"{players}  {root.get('RE', ['?'])[0]}  {root.get('QE', [''])[0]}".rstrip()


def _draw_go(nodes: Sequence[Mapping[str, list[str]]]) -> _Positions:
    """Draw a game of Go by any program.

    Colours need not alternate, superko is not enforced, and stones may be set up between moves.
    """
    having = [node for node in nodes for _ in moves_of(node)]
    seen: Counter[int] = Counter()
    for texts, position, number, move in walk(nodes):
        if not move:
            seen.clear()  # Stones were set up: the history starts again.
        seen[position.key()] += 1
        node = having[number - 1] if move else nodes[0]
        if move:
            head = f"{number}. {move}  {_one_line(node.get('C', [''])[0])}"
        else:
            head = f"set up after move {number}" if number else ""
        point = move.rpartition(" ")[2]
        ending = texts.repeated(seen[position.key()])
        marks = _marks(node, texts)
        yield RecordedPosition(number, head, point, texts, position, marks, ending)


def _marks(node: Mapping[str, list[str]], rules: Any) -> tuple[tuple[str, str], ...]:
    """Read the marks and labels on points; what names no point is kept, and not on the board."""
    written = [(point, sign) for key, sign in _SIGNS.items() for point in node.get(key, [])]
    for value in node.get("LB", []):
        point, _, label = value.partition(":")
        written.append((point, label))
    known = sgf_go.go_rules(rules)
    return tuple((sgf_go.parse_point(point, known), sign) for point, sign in written)


def _one_line(comment: str) -> str:
    return "  ".join(comment.splitlines())


def _draw_shogi(path: Path, variation: Sequence[int], number: int) -> RecordDiagrams:
    records = read_records(path)
    others = _others(number, len(records))
    chosen = records[number - 1]
    line = find_line(chosen.root, variation, lambda node: int(bool(node.move)))
    record, notices = _alone(chosen, line.nodes), [*_variations(line), *others]
    if foul := record.foul():
        notices.append(f"the last move is illegal and not shown: {foul}")
    players = " - ".join(name or "?" for name in (record.black, record.white))
    heading = f"{players}  {record.ending() or '?'}"
    return RecordDiagrams(registry.SHOGI, heading, _draw_men(record), notices)


def _draw_men(record: Record) -> _Positions:
    rules = registry.rules("shogi")
    position = record.position()  # Of a game, or of a composed problem.
    game = Game(rules, record.start, position)
    yield RecordedPosition(0, "", "", rules, position)
    for number, (node, text) in enumerate(zip(record.main_line(), record.moves(), strict=False), 1):
        head = f"{number}. {rules.sides[position.turn]} {text}  {'  '.join(node.comments)}"
        game.push(node.move)  # The reader has checked its legality.
        ending = rules.ending(game)
        yield RecordedPosition(number, head, text, rules, position, ending=ending)


def _alone(record: Record, nodes: Sequence[Node]) -> Record:
    """Return a record that has one line only."""
    following: list[Node] = []
    for node in reversed(nodes):
        following = [replace(node, children=following)]
    return replace(record, root=following[0])


def rules_of(root: Mapping[str, Sequence[str]]) -> Rules[Any]:
    """Return the rules that the root of a record names; raises InvalidText."""
    number = root.get("GM", [""])[0]
    named = [entry.name for entry in registry.GAMES.values() if str(entry.record_number) == number]
    game = root.get("QG", named)[:1]
    if not game:
        raise InvalidText(f"its game, GM[{number}], is none of {', '.join(sorted(registry.GAMES))}")
    variant = root.get("QV", root.get("RU", [_DEFAULT_VARIANT]))[0]
    size = root.get("SZ", ["0"])[0]
    if not size.isdecimal():
        raise InvalidText(f"its size, SZ[{size}], is no number")
    return registry.rules(game[0], "" if variant == _DEFAULT_VARIANT else variant, int(size))


def _draw_moves(root: Properties, nodes: Sequence[Properties], rules: Rules[Any]) -> _Positions:
    """Draw a game that a referee of ours has recorded."""
    game = Game(rules, root.get("QP", [""])[0])
    letters = {side[0].upper(): side for side in rules.sides}
    yield RecordedPosition(0, "", "", rules, game.position)
    number = 0
    for node in nodes:
        for letter, side in letters.items():
            if letter not in node:
                continue
            number += 1
            throws, colon, move = node[letter][0].rpartition(":")
            if rules.name == registry.GO:
                move = sgf_go.parse_point(move, sgf_go.go_rules(rules))
            shown = f"{throws}:{move}" if colon else move
            try:
                for throw in throws.split(":") if colon and game.turn == CHANCE else ():
                    game.play(throw)
                game.play(move)
            except (InvalidText, IllegalMove) as error:
                raise InvalidText(f"move {number}: {error}") from error
            head = f"{number}. {side} {shown}  {_one_line(node.get('C', [''])[0])}"
            ending = rules.ending(game)
            yield RecordedPosition(number, head, move, rules, game.position, ending=ending)
