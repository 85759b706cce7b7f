"""Go as text: vertices, set-ups and diagrams; the rules as the referee uses them."""

from typing import Final

from engines.core.game import Game, IllegalMove, InvalidText, Move, Outcome
from engines.go.rules.board import BLACK, EMPTY, WHITE
from engines.go.rules.history import DeadStoneFinder, Position
from engines.go.rules.ruleset import POSITIONAL, RULE_SETS, SITUATIONAL, RuleSet, find

COLUMNS: Final = "ABCDEFGHJKLMNOPQRSTUVWXYZ"  # No I.
SMALLEST: Final = 2
LARGEST: Final = 25
SIZE: Final = 19
SIGNS: Final = ".XO"
_COLUMN: Final = 100  # The factor of the width in the number of a rectangular board.


class GoRules:
    """The rules for one rule set and board size; without `find_dead`, all stones are alive."""

    name = "go"
    sides = ("black", "white")

    def __init__(
        self,
        rules: RuleSet,
        width: int = SIZE,
        height: int = 0,
        find_dead: DeadStoneFinder | None = None,
    ) -> None:
        self.rules = rules
        self.find_dead = find_dead
        self.width = width
        self.height = height or width
        for size in (self.width, self.height):
            if not SMALLEST <= size <= LARGEST:
                raise InvalidText(f"unacceptable size: {size} (from {SMALLEST} to {LARGEST})")

    @property
    def variant(self) -> str:
        """The name of the rule set, or an empty text for Chinese rules."""
        return "" if self.rules == find("") else self.rules.name

    def start(self, setup: str = "") -> Position:
        """Set up the empty board, or `[ROWS] [b|w] [komi=K] [handicap=N] [captured=B,W] [ko=D4]`.

        Rows are written from the top and joined by `/`: `X` is black, `O` white, and a number is
        so many empty points. `captured` is the numbers of captured black and white stones.
        """
        position = Position(self.width, self.height, self.rules, find_dead=self.find_dead)
        words = setup.split()
        if not words:
            return position
        bare = "=" in words[0] or words[0] in ("b", "w")
        stones = [] if bare else self._parse_rows(words.pop(0))
        turn = 0
        ko = 0
        for word in words:
            key, _, value = word.partition("=")
            if word in ("b", "w"):
                turn = "bw".index(word)
            elif key == "komi":
                position.komi = parse_komi(value)
            elif key == "handicap" and _is_count(value):
                position.handicap = int(value)
            elif key == "captured":
                black, comma, white = value.partition(",")
                if not (comma and _is_count(black) and _is_count(white)):
                    raise InvalidText(f"captured is B,W, not {value!r}")
                position.board.credit(int(black), int(white))
            elif key == "ko":
                ko = position.board.point(self.parse_vertex(value))
            else:
                raise InvalidText(
                    f"unknown word in a set-up: {word!r} "
                    "(known: b, w, komi=, handicap=, captured=, ko=)"
                )
        position.put(stones, turn)
        position.board.suicide = self.rules.suicide
        for colour, move in stones:
            if position.board.cell(position.board.point(move)) != colour:
                raise InvalidText(f"{self.format_vertex(move)} has no liberty")
        if ko:
            if position.board.cell(ko) != EMPTY:
                raise InvalidText("the ko stands on a stone")
            position.board.forbid(ko, 1 + turn)
        return position

    def setup(self, position: Position) -> str:
        """Return the set-up text of a position, from which `start` sets it up without its moves."""
        board = position.board
        cells = board.cells_copy()
        rows = []
        for y in range(self.height):
            row, gap = "", 0
            for cell in cells[y * self.width : (y + 1) * self.width]:
                if cell == EMPTY:
                    gap += 1
                    continue
                row += (str(gap) if gap else "") + SIGNS[cell]
                gap = 0
            rows.append(row + (str(gap) if gap else ""))
        words = ["/".join(rows), "bw"[position.turn], f"komi={position.komi:g}"]
        if position.handicap:
            words.append(f"handicap={position.handicap}")
        if board.black_captured or board.white_captured:
            words.append(f"captured={board.black_captured},{board.white_captured}")
        if board.ko:
            words.append(f"ko={self.format_vertex(board.index(board.ko))}")
        return " ".join(words)

    def parse(self, position: Position, text: str) -> Move:
        """Parse a legal move such as `D4` or `pass`; raises InvalidText or IllegalMove."""
        move = self.parse_move(text)
        if objection := position.objection(move):
            raise IllegalMove(f"illegal move {text.strip()}: {objection}")
        return move

    def parse_move(self, text: str) -> Move:
        """Parse a vertex or `pass`, legal or not; raises InvalidText."""
        if text.strip().lower() == "pass":
            return self.width * self.height
        return self.parse_vertex(text)

    def parse_vertex(self, text: str) -> Move:
        """Parse a vertex such as `D4`; raises InvalidText."""
        word = text.strip().upper()
        column = COLUMNS.find(word[:1]) if word else -1
        digits = word[1:]
        if column < 0 or not (digits.isascii() and digits.isdecimal()) or len(digits) > 2:
            raise InvalidText(f"invalid vertex: {text.strip()!r} (expected such as D4, or pass)")
        row = int(digits)
        if column >= self.width or not 1 <= row <= self.height:
            raise InvalidText(
                f"{word} is off the board (A1 to {COLUMNS[self.width - 1]}{self.height})"
            )
        return (self.height - row) * self.width + column

    def format(self, position: Position, move: Move) -> str:
        """Format a move: `D4` or `pass`."""
        return self.format_vertex(move)

    def format_vertex(self, move: Move) -> str:
        """Format a vertex, or `pass` for the area."""
        if move == self.width * self.height:
            return "pass"
        y, x = divmod(move, self.width)
        return f"{COLUMNS[x]}{self.height - y}"

    def diagram(self, position: Position) -> str:
        """Draw the board with coordinates, star points and prisoners."""
        letters = "   " + " ".join(COLUMNS[: self.width])
        stars = set(star_points(self.width, self.height))
        cells = position.board.cells_copy()
        last = position.played[-1][1] if position.played else -1
        rows = [letters]
        for y in range(self.height):
            row = f"{self.height - y:2}"
            for move in range(y * self.width, (y + 1) * self.width):
                sign = SIGNS[cells[move]]
                if sign == "." and move in stars:
                    sign = "+"
                row += (
                    "(" if move == last else ")" if move - 1 == last and move % self.width else " "
                ) + sign
            rows.append(
                row + (")" if last == (y + 1) * self.width - 1 else " ") + f"{self.height - y}"
            )
        rows.append(letters)
        board = position.board
        turn = "" if position.passes >= 2 else f"{self.sides[position.turn]} to move, "
        rows.append(
            f"{turn}komi {position.komi:g}, "
            f"captured: {board.black_captured} black, {board.white_captured} white"
        )
        return "\n".join(rows)

    def ending(self, game: Game[Position]) -> Outcome | None:
        """Return "no result" at a third occurrence under rules without superko, otherwise None."""
        return self.repeated(len(game.occurrences()))

    def repeated(self, occurrences: int) -> Outcome | None:
        """Return how the number of times that a position has occurred ends the game, or None."""
        if self.rules.ko in (POSITIONAL, SITUATIONAL):
            return None
        return Outcome(None, "no result") if occurrences > 2 else None

    def _parse_rows(self, text: str) -> list[tuple[int, Move]]:
        rows = text.split("/")
        if len(rows) != self.height:
            raise InvalidText(f"{len(rows)} rows where the board has {self.height}")
        stones = []
        for y, row in enumerate(rows):
            x = 0
            digits = ""
            for sign in row + "|":
                if sign.isascii() and sign.isdigit():
                    digits += sign
                    continue
                x += int(digits[:3] or "0")
                digits = ""
                if sign in "XO":
                    stones.append((BLACK if sign == "X" else WHITE, y * self.width + x))
                    x += 1
                elif sign != "|":
                    raise InvalidText(f"unknown sign in a row: {sign!r} (known: X, O, numbers)")
                if x > self.width:
                    break
            if x != self.width:
                raise InvalidText(f"row {row!r} does not have {self.width} points")
        return stones


def _is_count(word: str) -> bool:
    return len(word) < 7 and word.isascii() and word.isdecimal()


def parse_komi(text: str) -> float:
    """Parse a komi; raises InvalidText unless it is a number of acceptable size."""
    try:
        if (
            "_" in text or not text.isascii()
        ):  # Python would accept 1_0 and the digits of all scripts.
            raise ValueError(text)
        komi = float(text)
    except ValueError:
        raise InvalidText(f"komi is no number: {text!r}") from None
    if not -1000.0 <= komi <= 1000.0:
        raise InvalidText(f"unacceptable komi: {text}")
    return komi


def star_points(width: int, height: int) -> list[Move]:
    """List up to nine handicap points of a board, in the order in which GNU Go uses them.

    Sides of even length have no middle point, sides of 7 have corner points only, and boards with a
    shorter side have none.
    """
    if width < 7 or height < 7:
        return []
    left, top = (3 if width > 12 else 2), (3 if height > 12 else 2)
    right, bottom = width - 1 - left, height - 1 - top
    points = [(right, top), (left, bottom), (left, top), (right, bottom)]
    if width > 7 and height > 7 and width % 2 and height % 2:
        x, y = width // 2, height // 2
        points += [(left, y), (right, y), (x, top), (x, bottom), (x, y)]
    return [y * width + x for x, y in points]


def handicap_moves(width: int, height: int, count: int) -> list[Move]:
    """Return the points of a fixed handicap of `count` stones; raises InvalidText."""
    stars = star_points(width, height)
    if not 2 <= count <= len(stars):
        most = f"2 to {len(stars)}" if stars else "none"
        raise InvalidText(f"invalid handicap: {count} on {width}x{height} (possible: {most})")
    if count in (5, 7):
        return [*stars[: count - 1], stars[8]]
    return stars[:count]


def make_rules(
    variant: str = "", size: int = 0, find_dead: DeadStoneFinder | None = None
) -> GoRules:
    """Return the rules of a variant, which is the name of a rule set; size 0 means 19x19.

    The size of a rectangular board is a number of `size_number`.
    """
    width, height = divmod(size, _COLUMN) if size > _COLUMN else (size or SIZE, size or SIZE)
    return GoRules(find(variant), width, height or 1, find_dead=find_dead)


def size_number(width: int, height: int) -> int:
    """Return the size of a board as one number, as `make_rules` reads it: 9, or 913 for 9x13."""
    return width if width == height else width * _COLUMN + height


def fold(rules: GoRules, position: Position) -> str:
    """Return a text that is the same for all mirror images and rotations of a position."""
    cells = position.board.cells_copy().translate(bytes.maketrans(b"\0\1\2", b".XO"))
    points = list(cells.decode("ascii"))
    if position.board.ko:
        points[position.board.index(position.board.ko)] = "k"
    rows = ["".join(points[y * rules.width :][: rules.width]) for y in range(rules.height)]
    images = []
    for board in (rows, [*map("".join, zip(*rows, strict=True))]):
        if len(board) == rules.height:
            flipped = [row[::-1] for row in board]
            images += [board, flipped, board[::-1], flipped[::-1]]
    turn = "bw"[position.turn]
    return f"{'/'.join(min(images))} {turn} {position.komi:g} {position.handicap}"


def perft(rules: GoRules, setup: str, depth: int, style: str) -> int:
    """Count move sequences with passes; those that two passes end earlier are not counted."""
    if style:
        raise InvalidText(f"no such way to count in Go: {style!r}")
    return _count(rules.start(setup), depth)


def _count(position: Position, depth: int) -> int:
    if depth == 0:
        return 1
    moves = position.legal_moves()
    if depth == 1:
        return len(moves) - (position.passes == 1)
    total = 0
    for move in moves:
        position.play(move)
        total += _count(position, depth - 1)
        position.undo()
    return total


def explanation() -> str:
    """Return a short explanation of the rules."""
    return f"""\
Black and White take turns to put stones on the points of a board of 19x19, 13x13, 9x9, 7x7 or
any size from {SMALLEST} to {LARGEST}; Black moves first. A chain of stones without an empty point
beside it is captured; a move captures chains of the opponent first. A move that would leave the
mover's own chain without such a point is not allowed. It is also not allowed to recapture a single
stone immediately (ko) or, except under Japanese rules, to repeat an earlier position (superko).
The game ends after two passes in a row or by resignation. Chinese rules count territory and living
stones, with komi 7.5. Japanese rules count territory and prisoners, with komi 6.5; a game that
repeats itself without end has "no result". Rule sets: {", ".join(RULE_SETS)}.
A move is a vertex such as D4 (there is no column I), or pass.
GNU Go needs flags for the rules: --chinese-rules --positional-superko for Chinese and cgos, with
--allow-suicide in addition for Tromp-Taylor; --chinese-rules --situational-superko for AGA, with
--allow-suicide in addition for New Zealand; --japanese-rules for Japanese and Korean."""
