"""Openings: read from text files, records and folders, shortened, ordered and checked."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from engines import registry
from engines.core.game import Game, IllegalMove, InvalidText, Outcome, Rules
from engines.core.sgf import main_line
from engines.shogi.rules.records.record import Record
from engines.shogi.rules.sfen import START
from tools.records import go as sgf_go
from tools.records.go import go_rules
from tools.records.reading import SGF, TREES, read_records


@dataclass(frozen=True, slots=True)
class Opening:
    """The moves that a game begins with, from a set-up if there is one."""

    name: str = ""
    moves: tuple[str, ...] = ()
    setup: str = ""


BUILTIN: Final = "builtin"
"""Stands for the openings that come with us, in place of a path."""
ORDERS: Final = ("sequential", "random")
_RECORDS: Final = {
    registry.SHOGI: (".kif", ".kifu", ".ki2", ".ki2u", ".csa", ".jkf"),
    registry.GO: tuple(TREES),
}
"""The suffixes of records; other games are recorded in SGF only."""
_NOTICES: Final = 3  # Openings cut to a few plies are often the same; nobody reads a hundred lines.
_USI_WORDS: Final = ("position", "startpos", "sfen")
_LINES: Final = (".txt", ".usi", ".sfen")


def load_openings(
    path: Path, rules: Rules[Any], *, plies: int = 0, order: str = "sequential", seed: int = 0
) -> tuple[tuple[Opening, ...], list[str]]:
    """Return the openings, and notices about those that were left out.

    Each opening is cut to `plies` moves and throws; 0 keeps all. Of several openings that lead to
    the same or symmetric positions with the same repetitions, only the first is kept. Raises
    InvalidText, which names the file and the line, for an opening that cannot be played.
    """
    openings = [opening for file in _files(path, rules) for opening in _read(file, rules)]
    if not openings:
        raise InvalidText(f"{path}: it has no openings")
    if plies:
        openings = [replace(opening, moves=opening.moves[:plies]) for opening in openings]
    seen: dict[tuple[str, int], tuple[str, int]] = {}
    kept, notices, repeated = [], [], []
    for opening in openings:
        game = _replay(opening, rules)
        if (ended := game.outcome()) is not None:
            if not path.is_dir():
                raise _finished(opening, ended)
            notices.append(f"{_finished(opening, ended)}: left out")
            continue
        key = sameness(game)
        if key in seen:
            name, exact = seen[key]
            how = "the same as" if exact == game.position.key() else "a mirror image of"
            repeated.append(f"{opening.name} is {how} {name}: left out")
            continue
        seen[key] = opening.name, game.position.key()
        kept.append(opening)
    notices += _shortened(repeated)
    if not kept:
        raise InvalidText("\n".join([*notices, f"{path}: no openings are left"]))
    if order == "random":
        random.Random(seed).shuffle(kept)
    return tuple(kept), notices


def _shortened(notices: Sequence[str]) -> list[str]:
    """Return the notices, or the first two and the number of the others."""
    if len(notices) <= _NOTICES:
        return list(notices)
    more = len(notices) - 2
    return [
        *notices[:2],
        f"{more} more openings are the same as others, or mirror images: left out",
    ]


def _files(path: Path, rules: Rules[Any]) -> list[Path]:
    if not path.is_dir():
        return [path]
    suffixes = (*_LINES, *_RECORDS.get(rules.name, (SGF,)))
    return sorted(file for file in path.rglob("*") if file.suffix.lower() in suffixes)


def _read(path: Path, rules: Rules[Any]) -> Iterator[Opening]:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InvalidText(f"{path}: {error.strerror}") from error
    suffix = path.suffix.lower()
    if suffix == SGF or (suffix in TREES and rules.name == registry.GO):
        yield _from_tree(path, data, rules)
        return
    if suffix in _RECORDS.get(rules.name, ()):
        try:
            records = read_records(path)
            for number, record in enumerate(records, 1):
                name = path.name if len(records) == 1 else f"{path.name}:{number}"
                yield _from_shogi(name, record)
        except InvalidText as error:
            raise InvalidText(f"{path}: {error}") from error
        return
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidText(f"{path}: not text in UTF-8: {error}") from error
    for number, line in enumerate(text.splitlines(), 1):
        if not (words := line.partition("#")[0].split()):
            continue
        name = f"{path.name}:{number}"
        if rules.name == registry.SHOGI and (words[0] in _USI_WORDS or "/" in words[0]):
            try:
                yield _from_shogi(name, Record.from_usi(" ".join(words)))
            except InvalidText as error:
                reason = str(error).removeprefix("line 1: ")  # The name tells the file's line.
                raise InvalidText(f"opening {name}: {reason}") from error
        else:
            yield Opening(name, tuple(words))


def _from_tree(path: Path, data: bytes, rules: Rules[Any]) -> Opening:
    try:
        tree = TREES[path.suffix.lower()](data, "").roots[0]
        root, *nodes = [node.values for node in main_line(tree)]
        if rules.name == registry.GO:
            moves = sgf_go.opening_moves([root, *nodes], go_rules(rules))
        else:
            letters = [side[0].upper() for side in rules.sides]
            texts = [node[key][0] for node in nodes for key in letters if key in node]
            # In Senet, the throws stand before the move, as in 5:2:10-12.
            moves = [word for text in texts for word in text.split(":")]
    except InvalidText as error:
        raise InvalidText(f"{path}: {error}") from error
    return Opening(path.name, tuple(moves), root.get("QP", [""])[0])


def _from_shogi(name: str, record: Record) -> Opening:
    return Opening(name, tuple(record.moves()), "" if record.start == START else record.start)


def _folded(game: Game[Any]) -> str:
    """Describe a position by a text that is the same for all of its symmetric images."""
    entry = registry.find(game.rules.name)
    if "fold" not in entry.parts:
        return game.rules.setup(game.position)
    text: str = entry.load("fold")(game.rules, game.position)
    return text


def sameness(game: Game[Any]) -> tuple[str, int]:
    """Return what is the same for positions that make openings the same."""
    return _folded(game), len(game.occurrences())


def builtin_openings(rules: Rules[Any]) -> Path:
    """Return the file of the openings that come with us; raises InvalidText if there is none.

    Variants without openings of their own share those of the usual rules.
    """
    entry = registry.find(rules.name)
    if not entry.openings:
        raise InvalidText(
            f"--openings builtin: {entry.title} has none; its dice make every game different"
        )
    name = rules.variant if rules.variant in entry.openings else ""
    if rules.name == registry.GO:
        board = go_rules(rules)
        name = f"{board.width}x{board.height}"
    if name not in entry.openings:
        known = ", ".join(entry.openings)
        raise InvalidText(f"--openings builtin: there are none for {name} (known: {known})")
    return entry.openings_file(name)


def play_opening(opening: Opening, rules: Rules[Any]) -> Game[Any]:
    """Return the game after an opening; raises InvalidText if it cannot be played."""
    game = _replay(opening, rules)
    if (ended := game.outcome()) is not None:
        raise _finished(opening, ended)
    return game


def _replay(opening: Opening, rules: Rules[Any]) -> Game[Any]:
    game = Game(rules, opening.setup)
    for number, text in enumerate(opening.moves, 1):
        try:
            game.play(text)
        except (InvalidText, IllegalMove) as error:
            raise InvalidText(f"opening {opening.name}, move {number}: {error}") from error
    return game


def _finished(opening: Opening, ended: Outcome) -> InvalidText:
    return InvalidText(f"opening {opening.name} ends the game: {ended.reason}")


def pick(openings: Sequence[Opening], pair: int) -> Opening:
    """Return the opening of a pair; the pairs use the openings in turn."""
    return openings[pair % len(openings)] if openings else Opening()
