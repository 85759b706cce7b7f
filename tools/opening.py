"""Openings from text files, SGF files and folders of them: read, cut, ordered, checked."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from engines.core.game import Game, IllegalMove, InvalidText, Rules
from engines.core.sgf import read_sgf
from tools import go
from tools.referee import Opening

ORDERS: Final = ("sequential", "random")
_SUFFIXES: Final = (".sgf", ".txt")


def load_openings(
    path: Path, rules: Rules[Any], *, plies: int = 0, order: str = "sequential", seed: int = 0
) -> tuple[tuple[Opening, ...], list[str]]:
    """Return the openings and what was noticed; `plies` 0 keeps all moves.

    Of openings that lead to one position with one history of repetitions, the first stays.
    Raises InvalidText naming the file and line of an opening that cannot be played.
    """
    found = [opening for file in _files(path) for opening in _read(file, rules)]
    if not found:
        raise InvalidText(f"{path}: no openings in it")
    if plies:
        found = [replace(opening, moves=opening.moves[:plies]) for opening in found]
    seen: dict[tuple[int, int], str] = {}
    kept, notices = [], []
    for opening in found:
        key = _key(opening, rules)
        if key in seen:
            notices.append(f"{opening.name} is the same as {seen[key]}: left out")
            continue
        seen[key] = opening.name
        kept.append(opening)
    if order == "random":
        random.Random(seed).shuffle(kept)
    return tuple(kept), notices


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    return sorted(file for file in path.rglob("*") if file.suffix.lower() in _SUFFIXES)


def _read(path: Path, rules: Rules[Any]) -> Iterator[Opening]:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InvalidText(f"{path}: {error.strerror}") from error
    if path.suffix.lower() == ".sgf":
        yield _from_sgf(path, data, rules)
        return
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidText(f"{path}: no text in UTF-8: {error}") from error
    for number, line in enumerate(text.splitlines(), 1):
        if words := line.partition("#")[0].split():
            yield Opening(f"{path.name}:{number}", tuple(words))


def _from_sgf(path: Path, data: bytes, rules: Rules[Any]) -> Opening:
    try:
        root, *nodes = read_sgf(data)
    except InvalidText as error:
        raise InvalidText(f"{path}: {error}") from error
    letters = [side[0].upper() for side in rules.sides]
    moves = [node[key][0] for node in nodes for key in letters if key in node]
    if rules.name == go.NAME:
        moves = [go.parse_point(move, rules) for move in moves]
    return Opening(path.name, tuple(moves), root.get("QP", [""])[0])


def _key(opening: Opening, rules: Rules[Any]) -> tuple[int, int]:
    game = play_opening(opening, rules)
    return game.position.key(), len(game.occurrences())


def play_opening(opening: Opening, rules: Rules[Any]) -> Game[Any]:
    """Return the game after an opening; raises InvalidText where it cannot be played."""
    game = Game(rules, opening.setup)
    for number, text in enumerate(opening.moves, 1):
        try:
            game.play(text)
        except (InvalidText, IllegalMove) as error:
            raise InvalidText(f"opening {opening.name}, move {number}: {error}") from error
    if (ended := game.outcome()) is not None:
        raise InvalidText(f"opening {opening.name} ends the game: {ended.reason}")
    return game


def pick(openings: Sequence[Opening], pair: int) -> Opening:
    """Return the opening of a pair; they are used in turn."""
    return openings[pair % len(openings)] if openings else Opening()
