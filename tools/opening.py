"""Openings from text files, records and folders of them: read, cut, ordered, checked."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from engines import registry
from engines.core.game import Game, IllegalMove, InvalidText, Outcome, Rules
from engines.core.sgf import read_sgf
from engines.shogi.record import Record
from engines.shogi.sfen import START
from tools import go, shogi
from tools.convert import read_record
from tools.referee import Opening

ORDERS: Final = ("sequential", "random")
_RECORDS: Final = {shogi.NAME: (".kif", ".kifu", ".ki2", ".csa")}
"""What games are recorded in where it is not SGF."""
_USI_WORDS: Final = ("position", "startpos", "sfen")
_LINES: Final = (".txt", ".usi", ".sfen")


def load_openings(
    path: Path, rules: Rules[Any], *, plies: int = 0, order: str = "sequential", seed: int = 0
) -> tuple[tuple[Opening, ...], list[str]]:
    """Return the openings and what was noticed; `plies` 0 keeps all moves, throws are plies too.

    Of openings that lead to one position, or to symmetric ones, with one history of repetitions,
    the first stays. Raises InvalidText naming file and line of what cannot be played.
    """
    found = [opening for file in _files(path, rules) for opening in _read(file, rules)]
    if not found:
        raise InvalidText(f"{path}: no openings in it")
    if plies:
        found = [replace(opening, moves=opening.moves[:plies]) for opening in found]
    seen: dict[tuple[str, int], tuple[str, int]] = {}
    kept, notices = [], []
    for opening in found:
        game = _replay(opening, rules)
        if (ended := game.outcome()) is not None:
            if not path.is_dir():
                raise _finished(opening, ended)
            notices.append(f"{_finished(opening, ended)}: left out")
            continue
        key = _folded(game), len(game.occurrences())
        if key in seen:
            name, exact = seen[key]
            how = "the same as" if exact == game.position.key() else "a mirror image of"
            notices.append(f"{opening.name} is {how} {name}: left out")
            continue
        seen[key] = opening.name, game.position.key()
        kept.append(opening)
    if not kept:
        raise InvalidText("\n".join([*notices, f"{path}: no openings are left"]))
    if order == "random":
        random.Random(seed).shuffle(kept)
    return tuple(kept), notices


def _files(path: Path, rules: Rules[Any]) -> list[Path]:
    if not path.is_dir():
        return [path]
    suffixes = (*_LINES, *_RECORDS.get(rules.name, (".sgf",)))
    return sorted(file for file in path.rglob("*") if file.suffix.lower() in suffixes)


def _read(path: Path, rules: Rules[Any]) -> Iterator[Opening]:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InvalidText(f"{path}: {error.strerror}") from error
    if path.suffix.lower() == ".sgf":
        yield _from_sgf(path, data, rules)
        return
    if path.suffix.lower() in _RECORDS.get(rules.name, ()):
        try:
            yield _from_shogi(path.name, read_record(path))
        except InvalidText as error:
            raise InvalidText(f"{path}: {error}") from error
        return
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidText(f"{path}: no text in UTF-8: {error}") from error
    for number, line in enumerate(text.splitlines(), 1):
        if not (words := line.partition("#")[0].split()):
            continue
        name = f"{path.name}:{number}"
        if rules.name == shogi.NAME and (words[0] in _USI_WORDS or "/" in words[0]):
            try:
                yield _from_shogi(name, Record.from_usi(" ".join(words)))
            except InvalidText as error:
                told = str(error).removeprefix("line 1: ")  # The file's line is in the name.
                raise InvalidText(f"opening {name}: {told}") from error
        else:
            yield Opening(name, tuple(words))


def _from_sgf(path: Path, data: bytes, rules: Rules[Any]) -> Opening:
    try:
        root, *nodes = read_sgf(data)
        if rules.name == go.NAME:
            moves = go.opening_moves([root, *nodes], rules)
        else:
            letters = [side[0].upper() for side in rules.sides]
            told = [node[key][0] for node in nodes for key in letters if key in node]
            # Senet: the throws stand in front of the move, as in 5:2:10-12.
            moves = [word for text in told for word in text.split(":")]
    except InvalidText as error:
        raise InvalidText(f"{path}: {error}") from error
    return Opening(path.name, tuple(moves), root.get("QP", [""])[0])


def _from_shogi(name: str, record: Record) -> Opening:
    return Opening(name, tuple(record.moves()), "" if record.start == START else record.start)


def _folded(game: Game[Any]) -> str:
    """Describe a position so that its symmetric images read the same, where a game has such."""
    entry = registry.find(game.rules.name)
    if "fold" not in entry.tasks:
        return game.rules.setup(game.position)
    told: str = entry.load("fold")(game.rules, game.position)
    return told


def play_opening(opening: Opening, rules: Rules[Any]) -> Game[Any]:
    """Return the game after an opening; raises InvalidText where it cannot be played."""
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
    """Return the opening of a pair; they are used in turn."""
    return openings[pair % len(openings)] if openings else Opening()
