"""Games of Go as SGF: replaying the main line of a record, and writing a game."""

from collections.abc import Iterator, Sequence
from typing import Final

from engines.core.game import InvalidText
from engines.core.sgf import Node, read_sgf, write_sgf
from engines.go.rules.history import Position
from engines.go.rules.ruleset import AREA, DEFAULT, RuleSet, named
from engines.go.rules.text import LARGEST, SMALLEST, GoRules, parse_komi

_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"


def parse_game(data: bytes, before: int = 0, rules: RuleSet = DEFAULT) -> tuple[GoRules, Position]:
    """Replay a record, up to the position before move `before` if one is given.

    `rules` apply if the record names none that are known. Raises InvalidText with the first move
    that is illegal.
    """
    nodes: Sequence[Node] = read_sgf(data)
    if before:
        nodes = _until(nodes, before)
    *_, (texts, position, _) = _stations(nodes, rules)
    return texts, position


def walk(
    nodes: Sequence[Node], rules: RuleSet = DEFAULT
) -> Iterator[tuple[GoRules, Position, int, str]]:
    """Yield rules, position, number and text of each move of a record.

    The first item is the start, with number 0. Stones may be set up at any node, after which the
    history starts again; if the record ends with a set-up, the last item has the number of the last
    move and no text. `rules` apply if the record names none that are known. Raises InvalidText
    with the first move that is illegal.
    """
    last, pending = -1, False
    for texts, position, number in _stations(nodes, rules):
        pending = number == last
        if not pending:
            yield texts, position, number, _last_text(texts, position) if number else ""
            last = number
    if pending:
        yield texts, position, last, ""


def _last_text(texts: GoRules, position: Position) -> str:
    colour, move = position.played[-1]
    return f"{texts.sides[colour - 1]} {texts.format_vertex(move)}"


def _stations(nodes: Sequence[Node], rules: RuleSet) -> Iterator[tuple[GoRules, Position, int]]:
    """Yield rules, position and moves so far at the start and after each move or set-up."""
    texts, position = _start(nodes, rules)
    yield texts, position, 0
    number = 0
    behind = len(_opening(nodes))
    for place, node in enumerate(nodes):
        if place >= behind and _sets_up(node):
            position = _set_up(texts, position, node, f"in the set-up after move {number}")
            yield texts, position, number
        for key in moves_of(node):
            number += 1
            if len(set(node[key])) > 1:
                raise InvalidText(f"move {number}: two moves of {key} in one node")
            _play(texts, position, "BW".index(key), node[key][0], number)
            yield texts, position, number


def moves_of(node: Node) -> list[str]:
    """Return the properties of a node that are moves; some programs write two moves in one."""
    return [key for key in node if key in ("B", "W")]


def sets_up(texts: GoRules, position: Position, node: Node) -> bool:
    """Tell whether a node changes the stones or the turn; raises InvalidText."""
    if not _sets_up(node):
        return False
    return _set_up(texts, position, node, "in the set-up") is not position


def _until(nodes: Sequence[Node], before: int) -> list[dict[str, Sequence[str]]]:
    """Return a copy of a record that ends before a move."""
    copies = []
    number = 0
    for node in nodes:
        copies.append(dict(node))
        for key in moves_of(node):
            number += 1
            if number >= before:
                del copies[-1][key]
        if number >= before:
            break
    return copies


def _start(nodes: Sequence[Node], rules: RuleSet) -> tuple[GoRules, Position]:
    """Read the board size, rules and set-up of a record."""
    first = nodes[0]
    if first.get("GM", ["1"])[0].strip() not in ("1", ""):
        raise InvalidText(f"not a game of Go: GM[{first['GM'][0][:20]}]")
    width, height = _parse_size(first.get("SZ", ["19"])[0])
    rules = named(first.get("QV", first.get("RU", [""]))[0], rules)
    texts = GoRules(rules, width, height)
    position = texts.start()
    if first.get("KM", [""])[0].strip():
        position.komi = _komi(first["KM"][0], rules)
    handicap = first.get("HA", ["0"])[0].strip()
    position.handicap = int(handicap) if _is_number(handicap) else 0
    opening = _opening(nodes)
    for node in opening:
        position = _set_up(texts, position, node, "in the set-up")
    if (
        position.handicap > 1
        and any(position.board.cells_copy())
        and not any("PL" in node for node in opening)
    ):
        position.turn = 1
    return texts, position


def _komi(text: str, rules: RuleSet) -> float:
    """Read the komi of a record; the Fox server writes hundredths, and Chinese rules in stones."""
    komi = parse_komi(text)
    if abs(komi) < 100:
        return komi
    return komi / 50 if rules.scoring == AREA else komi / 100


def _is_number(word: str) -> bool:
    return len(word) < 4 and word.isascii() and word.isdecimal()


def _sets_up(node: Node) -> bool:
    return any(key in node for key in ("AB", "AW", "AE", "PL"))


def _set_up(texts: GoRules, before: Position, node: Node, where: str) -> Position:
    """Return a position after stones were added or removed; the captures so far are kept."""
    old = before.board.cells_copy()
    cells = bytearray(old)
    touched: dict[int, int] = {}
    for key, colour in (("AB", 1), ("AW", 2), ("AE", 0)):
        for move in _points(node.get(key, []), texts):
            if touched.setdefault(move, colour) != colour:
                raise InvalidText(f"{texts.format_vertex(move)} is named twice {where}")
            cells[move] = colour
    turn = before.turn
    if "PL" in node:
        turn = 1 if node["PL"][0].strip().lower() in ("w", "white", "2") else 0
    if cells == old and turn == before.turn:
        return before
    position = texts.start()
    position.komi, position.handicap = before.komi, before.handicap
    position.board.credit(before.board.black_captured, before.board.white_captured)
    position.put([(colour, move) for move, colour in enumerate(cells) if colour], turn)
    for move, colour in enumerate(cells):
        if position.board.cell(position.board.point(move)) != colour:
            raise InvalidText(f"{texts.format_vertex(move)} has no liberty {where}")
    return position


def _opening(nodes: Sequence[Node]) -> list[Node]:
    """Return the nodes before the first move; some programs set up in a node after the first."""
    opening: list[Node] = []
    for node in nodes:
        opening.append(node)
        if "B" in node or "W" in node:
            break
    return opening


def _play(texts: GoRules, position: Position, side: int, text: str, number: int) -> None:
    move = _parse_point(text, texts, f"move {number}")
    board = position.board
    if move < board.area:
        point = board.point(move)
        vertex = texts.format_vertex(move)
        if board.cell(point):
            raise InvalidText(f"move {number}, {vertex}: point is occupied")
        if point != board.ko and not board.is_legal(point, 1 + side):
            raise InvalidText(f"move {number}, {vertex}: suicide")
    position.play_as(side, move)


def _parse_size(text: str) -> tuple[int, int]:
    words = text.strip().split(":")
    if len(words) > 2 or not all(map(_is_number, words)):
        raise InvalidText(f"unacceptable size: SZ[{text[:20]}]")
    width, height = int(words[0]), int(words[-1])
    for side in (width, height):
        if not SMALLEST <= side <= LARGEST:
            raise InvalidText(f"unacceptable size: SZ[{text}]")
    return width, height


def _parse_point(text: str, texts: GoRules, where: str) -> int:
    word = text.strip()
    if word == "" or (word == "tt" and max(texts.width, texts.height) <= 19):
        return texts.width * texts.height
    if len(word) != 2 or word[0] not in _LETTERS or word[1] not in _LETTERS:
        raise InvalidText(f"{where}: no point: {word[:20]!r}")
    x, y = _LETTERS.index(word[0]), _LETTERS.index(word[1])
    if x >= texts.width or y >= texts.height:
        raise InvalidText(f"{where}: {word!r} is off the board")
    return y * texts.width + x


def _points(values: Sequence[str], texts: GoRules) -> list[int]:
    """Read points and rectangles such as `aa:cc`."""
    points = []
    area = texts.width * texts.height
    for value in values:
        corners = [_parse_point(part, texts, "the set-up") for part in value.split(":")]
        if len(corners) > 2 or area in corners:
            raise InvalidText(f"the set-up: no point: {value[:20]!r}")
        top, left = divmod(corners[0], texts.width)
        bottom, right = divmod(corners[-1], texts.width)
        for y in range(min(top, bottom), max(top, bottom) + 1):
            for x in range(min(left, right), max(left, right) + 1):
                points.append(y * texts.width + x)
    return points


def format_game(texts: GoRules, position: Position, result: str = "") -> bytes:
    """Write a game as SGF; passes are empty values."""
    first: dict[str, Sequence[str]] = {
        "FF": ["4"],
        "GM": ["1"],
        "CA": ["UTF-8"],
        "AP": ["quintet-go"],
        "SZ": [
            str(texts.width) if texts.width == texts.height else f"{texts.width}:{texts.height}"
        ],
        "KM": [f"{position.komi:g}"],
        "RU": [texts.rules.title],
    }
    stones = position.setup_stones()
    if position.handicap:
        first["HA"] = [str(position.handicap)]
    for key, colour in (("AB", 1), ("AW", 2)):
        if placed := [_format_point(move, texts) for held, move in stones if held == colour]:
            first[key] = placed
    if stones or position.first_turn():
        first["PL"] = ["BW"[position.first_turn()]]
    if result:
        first["RE"] = [result]
    nodes: list[Node] = [first]
    for colour, move in position.played:
        nodes.append({" BW"[colour]: [_format_point(move, texts)]})
    return write_sgf(nodes)


def _format_point(move: int, texts: GoRules) -> str:
    if move == texts.width * texts.height:
        return ""
    y, x = divmod(move, texts.width)
    return _LETTERS[x] + _LETTERS[y]
