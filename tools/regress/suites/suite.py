"""Our own suites: positions of any of our games, and the answers that are expected.

The format is described in tools/regress/README.md.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from engines import registry
from engines.core.game import CHANCE, Game, IllegalMove, InvalidText
from engines.core.timing import TimeControl
from tools.regress.suites.diagram import go_size, setup_from
from tools.regress.suites.span import Span
from tools.regress.suites.trials import Trials

SUFFIX: Final = ".suite"
KEYS: Final = (
    *("game", "variant", "size", "komi", "position", "diagram", "turn", "moves"),
    *("limit", "level", "seed", "option", "timeout", "tries"),
    *("accept", "forbid", "score", "mate", "fails", "ignore", "replay"),
)
_ASKED: Final = ("accept", "forbid", "score", "mate")
_HEADER: Final = re.compile(r"test\s+([^\s:]+)\s*(?::\s*(.*))?")
_BEGINNING: Final = re.compile(r"test(?:\s|:|$)")
_PAIR: Final = re.compile(r"([a-z-]+)\s*:\s*(.*)")
_PREFIX: Final = "..."


@dataclass(frozen=True, slots=True)
class InvalidTest:
    """A test that cannot be asked, and why."""

    name: str
    line: int
    message: str


@dataclass(frozen=True, slots=True)
class Problem:
    """A position, the limits of the search, and what is expected of the move."""

    name: str
    line: int = 0
    title: str = ""
    game: str = ""
    variant: str = ""
    size: str = ""
    komi: str = ""
    setup: str = ""
    moves: tuple[str, ...] = ()
    control: TimeControl = field(default_factory=lambda: TimeControl.parse("1/move"))
    level: str = ""
    seed: int | None = None
    options: tuple[tuple[str, str], ...] = ()
    timeout: float | None = None
    trials: Trials = field(default_factory=Trials)
    accept: tuple[str, ...] = ()
    forbid: tuple[str, ...] = ()
    score: Span | None = None
    mate: Span | None = None
    fails: str = ""
    ignore: str = ""
    replay: tuple[str, ...] = ()

    def start(self) -> Game[Any]:
        """Return the game at the question; raises InvalidText or IllegalMove."""
        game = Game(make_rules(self.game, self.variant, self.size), self.setup)
        if self.komi:
            position: Any = game.position
            position.komi = float(self.komi)
        for number, text in enumerate(self.moves, 1):
            try:
                game.play(text)
            except (InvalidText, IllegalMove) as error:
                raise InvalidText(f"moves: number {number}: {error}") from error
        return game

    @property
    def required(self) -> str:
        """A short description of what is expected."""
        parts = []
        if self.accept:
            parts.append(" ".join(self.accept))
        if self.forbid:
            parts.append(f"not {' '.join(self.forbid)}")
        if self.score is not None:
            parts.append(f"score {self.score}")
        if self.mate is not None:
            parts.append(f"mate {self.mate}")
        return "; ".join(parts)


def make_rules(game: str, variant: str, size: str) -> Any:
    """Return the rules of a game; only Go has boards that are not square."""
    columns, _, rows = size.partition("x")
    if not rows or rows == columns:
        return registry.rules(game, variant, int(columns or 0))
    square: Any = registry.rules(game, variant, int(columns))
    return type(square)(square.rules, int(columns), int(rows))


def read_suite(path: Path) -> list[Problem | InvalidTest]:
    """Read a suite: its tests, or what is wrong with each. Raises InvalidText if it is no suite."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InvalidText(f"{path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise InvalidText(f"{path}: not a text in UTF-8: {error}") from error
    if "\0" in text:
        raise InvalidText(f"{path}: a binary file, not a suite")
    return parse_suite(text, str(path))


@dataclass(slots=True)
class _Block:
    """The lines of one test, by key."""

    name: str
    line: int
    title: str = ""
    values: dict[str, list[str]] = field(default_factory=dict)
    wrong: str = ""


def parse_suite(text: str, where: str = "suite") -> list[Problem | InvalidTest]:
    """Read the text of a suite; raises InvalidText if it contains no test."""
    defaults, blocks = _blocks(text)
    if defaults.wrong:
        raise InvalidText(f"{where}: {defaults.wrong}")
    if not blocks:
        raise InvalidText(f"{where}: no tests in it (a test begins with `test NAME`)")
    tests: list[Problem | InvalidTest] = []
    seen = set()
    for block in blocks:
        if block.name in seen:
            block.wrong = block.wrong or f"a second test {block.name!r}"
        seen.add(block.name)
        try:
            if block.wrong:
                raise InvalidText(block.wrong)
            tests.append(_problem(block, defaults.values))
        except (InvalidText, IllegalMove) as error:
            tests.append(InvalidTest(block.name, block.line, str(error)))
    return tests


def _blocks(text: str) -> tuple[_Block, list[_Block]]:
    defaults = current = _Block("", 0)
    blocks: list[_Block] = []
    key = ""
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip()
        if stripped.startswith("#") or not stripped:
            continue
        if line[0] in " \t" and key:
            current.values[key].append(line.rstrip())
        elif header := _HEADER.fullmatch(stripped):
            current = _Block(header[1], number, header[2] or "")
            blocks.append(current)
            key = ""
        elif _BEGINNING.match(stripped):
            # This is an error of its own; the lines below it belong to no other test.
            message = f"expected `test NAME` or `test NAME: TITLE`, not {stripped[:40]!r}"
            current = _Block(f"line-{number}", number, wrong=f"line {number}: {message}")
            blocks.append(current)
            key = ""
        elif (pair := _PAIR.fullmatch(stripped)) and pair[1] in KEYS:
            key = pair[1]
            if key in current.values and key != "option":
                current.wrong = current.wrong or f"line {number}: a second {key!r}"
            value_lines = [pair[2]] if pair[2] else []
            current.values[key] = [*current.values.get(key, []), *value_lines]
        else:
            message = f"{stripped[:40]!r} is neither `KEY: VALUE` nor indented"
            if pair:
                message = f"no such key: {pair[1]!r} (known: {', '.join(KEYS)})"
            current.wrong = current.wrong or f"line {number}: {message}"
            key = ""
    return defaults, blocks


def _problem(block: _Block, defaults: Mapping[str, list[str]]) -> Problem:
    values = {**defaults, **block.values}
    if "option" in defaults:
        values["option"] = [*defaults["option"], *block.values.get("option", [])]
    for one, other in (("position", "diagram"), ("fails", "ignore")):
        if one in block.values and other in block.values:
            raise InvalidText(f"{one} and {other} exclude each other")
    for one, other in (("position", "diagram"), ("diagram", "position")):
        if one in block.values:
            values.pop(other, None)

    def value(key: str) -> str:
        return " ".join(line.strip() for line in values.get(key, []))

    game = value("game")
    registry.find(game)
    drawn = values.get("diagram", [])
    setup, position_moves = _split_position(game, value("position"))
    size = value("size")
    if drawn:
        setup = setup_from(game, drawn, value("turn"))
        size = size or (go_size(drawn) if game == "go" else "")
    elif "turn" in values:
        raise InvalidText("turn: only for a diagram; a position already names the side to move")
    if not any(value(key) for key in _ASKED):
        raise InvalidText(f"nothing is expected (give one of {', '.join(_ASKED)})")
    problem = Problem(
        name=block.name,
        line=block.line,
        title=block.title,
        game=game,
        variant="" if value("variant") == "default" else value("variant"),
        size=_size(game, size, setup),
        komi=_number("komi", value("komi")) if "komi" in values else "",
        setup=setup,
        moves=(*position_moves, *value("moves").split()),
        control=TimeControl.parse(value("limit") or "1/move"),
        level=value("level"),
        seed=int(_number("seed", value("seed"), whole=True)) if "seed" in values else None,
        options=tuple(_option(line) for line in values.get("option", [])),
        timeout=float(_number("timeout", value("timeout"))) if "timeout" in values else None,
        trials=Trials.parse(value("tries")) if "tries" in values else Trials(),
        accept=tuple(value("accept").split()),
        forbid=tuple(value("forbid").split()),
        score=Span.parse("score", value("score")) if "score" in values else None,
        mate=Span.parse("mate", value("mate"), whole=True) if "mate" in values else None,
        fails=value("fails") or ("known" if "fails" in values else ""),
        ignore=value("ignore") or ("asked" if "ignore" in values else ""),
        replay=tuple(line.strip() for line in values.get("replay", [])),
    )
    if problem.komi and game != "go":
        raise InvalidText(f"komi: there is no komi in {game}")
    check(problem)
    return problem


def _split_position(game: str, text: str) -> tuple[str, list[str]]:
    """Separate a set-up from the moves after it, as USI writes both."""
    if game != "shogi":
        return text, []
    setup, _, moves = text.removeprefix("position ").partition(" moves ")
    setup = setup.removeprefix("sfen ").strip()
    return "" if setup == "startpos" else setup, moves.split()


def _size(game: str, text: str, setup: str) -> str:
    if text and not re.fullmatch(r"\d{1,2}(?:x\d{1,2})?", text):
        raise InvalidText(f"size: expected 9 or 9x13, not {text!r}")
    if text or game != "go" or not setup:
        return text
    rows = setup.split()[0].split("/")
    width = sum(int(part) if part.isdigit() else 1 for part in re.findall(r"\d+|[XO]", rows[0]))
    return str(width) if width == len(rows) else f"{width}x{len(rows)}"


def _number(key: str, text: str, *, whole: bool = False) -> str:
    if re.fullmatch(r"\d+" if whole else r"-?\d+(?:\.\d+)?", text):
        return text
    raise InvalidText(f"{key}: expected a {'whole ' if whole else ''}number, not {text!r}")


def _option(line: str) -> tuple[str, str]:
    name, equals, value = line.strip().partition("=")
    if not equals or not name:
        raise InvalidText(f"option: expected NAME=VALUE, not {line.strip()!r}")
    return name.strip(), value.strip()


def check(problem: Problem) -> None:
    """Raise InvalidText or IllegalMove for a test that contradicts its own position."""
    game = problem.start()
    if (ended := game.outcome()) is not None:
        raise InvalidText(f"the game is over: {ended.reason}")
    if game.turn == CHANCE:
        raise InvalidText("a throw is due: `moves` must end with it")
    for key, texts in (("accept", problem.accept), ("forbid", problem.forbid)):
        for text in texts:
            if not list(matching(game, text)):
                raise InvalidText(f"{key}: {text!r} fits no legal move")
    both = set(expand(game, problem.accept)) & set(expand(game, problem.forbid))
    if both:
        raise InvalidText(f"{min(both)} is both accepted and forbidden")


def matching(game: Game[Any], text: str) -> Iterator[str]:
    """Yield the legal moves that a word of `accept` or `forbid` means, in the game's notation.

    Raises InvalidText or IllegalMove if there is no such move.
    """
    rules, position = game.rules, game.position
    if text == "resign":
        yield text
    elif text.endswith(_PREFIX):
        begun = text.removesuffix(_PREFIX)
        legal = (rules.format(position, move) for move in position.legal_moves())
        yield from (move for move in legal if move.startswith(begun))
    else:
        move = rules.parse(position, text)
        yield "win" if text == "win" else rules.format(position, move)


def expand(game: Game[Any], texts: Sequence[str]) -> tuple[str, ...]:
    """Return the legal moves that several words mean."""
    return tuple(dict.fromkeys(move for text in texts for move in matching(game, text)))


def write_suite(problems: Sequence[Problem], head: str = "") -> str:
    """Write problems as the text of a suite, which `parse_suite` can read."""
    lines = [f"# {line}".rstrip() for line in head.splitlines()]
    for problem in problems:
        title = f": {problem.title}" if problem.title else ""
        lines += ["", f"test {problem.name}{title}"]
        seed = "" if problem.seed is None else str(problem.seed)
        trials = problem.trials
        tries = f"{trials.needed} of {trials.count}" if trials.count > 1 else ""
        timeout = "" if problem.timeout is None else f"{problem.timeout:g}"
        pairs: list[tuple[str, str]] = [
            ("game", problem.game),
            ("variant", problem.variant),
            ("size", problem.size),
            ("komi", problem.komi),
            ("position", problem.setup),
            ("moves", " ".join(problem.moves)),
            ("limit", str(problem.control)),
            ("level", problem.level),
            ("seed", seed),
            *(("option", f"{name}={value}") for name, value in problem.options),
            ("timeout", timeout),
            ("tries", tries),
            ("accept", " ".join(problem.accept)),
            ("forbid", " ".join(problem.forbid)),
            ("score", "" if problem.score is None else str(problem.score)),
            ("mate", "" if problem.mate is None else str(problem.mate)),
            ("fails", problem.fails),
            ("ignore", problem.ignore),
        ]
        lines += [f"{key}: {value}" for key, value in pairs if value]
        if problem.replay:
            lines += ["replay:", *(f"  {line}" for line in problem.replay)]
    return "\n".join(lines).lstrip("\n") + "\n"
