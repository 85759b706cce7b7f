"""Games of a session as records: what a session saves, and a session from what was saved."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from engines import registry
from engines.core.errors import QuintetError
from engines.core.game import CHANCE, InvalidText, Outcome
from engines.core.sgf import parse_sgf
from engines.core.storage import write_whole
from engines.core.timing import TimeControl
from engines.shogi.rules.records.record import Record
from tools.play.players import PlayTerms
from tools.play.state import GameState
from tools.play.texts import say, say_count
from tools.records.game import GameRecord, Player, Verdict
from tools.records.grafting import graft_sgf, graft_shogi
from tools.records.losses import find_losses
from tools.records.reading import COLLECTIONS, READERS, TREES, WRITERS, read_bytes
from tools.records.recorded import RecordedGame, read_file
from tools.records.sgf import to_sgf
from tools.records.shogi import to_tree
from tools.records.shogi_sgf.reading import read_shogi
from tools.records.shogi_sgf.writing import write_shogi

SGF: Final = ".sgf"
_MOST_LOSSES: Final = 5


class CannotSave(QuintetError):
    """A game cannot be saved as a file; the text names the file and the reason."""


def suffixes(game: str) -> tuple[str, ...]:
    """Return the suffixes of the formats in which a game can be saved, the usual one first."""
    return (*(WRITERS if game == registry.SHOGI else ()), SGF)


def record_of(session: GameState) -> GameRecord:
    """Return the game of a session, whose lock the caller holds, as a record."""
    moves = session.history.moves
    if session.ended is None:
        count = sum(move.side != CHANCE for move in moves)
        reason = f"{Verdict.UNFINISHED}: saved after {count} move{'s' if count != 1 else ''}"
        outcome, verdict = Outcome(None, reason), Verdict.UNFINISHED
    else:
        outcome, verdict = session.ended
    first, second = (_player(session, side) for side in (0, 1))
    return GameRecord(
        game=session.terms.game,
        variant=session.game.rules.variant,
        size=session.terms.size,
        number=0,  # It is not a game of a match.
        players=(first, second),
        controls=session.terms.controls,
        started=session.started,
        setup=session.game.initial_setup,
        seed=session.terms.seed,
        moves=moves,
        outcome=outcome,
        verdict=verdict,
        variations=tuple(session.history.tails),
    )


def _player(session: GameState, side: int) -> Player:
    player = session.players[side]
    if player.is_person:
        return Player(player.label, player.label, "")
    return Player(player.label, session.title(side), "")


def write_game(
    record: GameRecord, suffix: str, loaded: RecordedGame | None = None
) -> tuple[bytes, list[str]]:
    """Return a file of a game, and what its format cannot hold; raises InvalidText.

    A game that was loaded is added to the content of its file.
    """
    if suffix not in suffixes(record.game):
        known = ", ".join(suffixes(record.game))
        raise InvalidText(say("no.format", suffix=suffix, game=record.game, known=known))
    source = loaded.source if loaded is not None else None
    if suffix == SGF:
        if source is not None and source.suffix in TREES:
            return graft_sgf(source, record), []
        if source is not None:  # A record of shogi.
            return _write_shogi(graft_shogi(source, record), source.number - 1, suffix)
        sides = registry.rules(record.game, record.variant, record.size).sides
        return to_sgf(record, sides), []
    if source is None:
        return _write_shogi([to_tree(record)], 0, suffix)
    if source.suffix in READERS:
        return _write_shogi(graft_shogi(source, record), source.number - 1, suffix)
    trees, left_out = read_shogi(parse_sgf(graft_sgf(source, record)), suffix[1:].upper())
    data, losses = _write_shogi(trees, source.number - 1, suffix)
    return data, [*losses, *map(str, left_out)][:_MOST_LOSSES]


def _write_shogi(trees: Sequence[Record], chosen: int, suffix: str) -> tuple[bytes, list[str]]:
    """Write all games of a file, or the chosen one if the format holds only one."""
    title = suffix[1:].upper()
    write = write_shogi if suffix == SGF else COLLECTIONS.get(suffix)
    data = write(trees) if write is not None else WRITERS[suffix](trees[chosen])
    copies = read_shogi(parse_sgf(data), title)[0] if suffix == SGF else READERS[suffix](data)
    found = find_losses(trees[chosen], copies[0 if write is None else chosen], title)
    # Persons do not miss the fractions of seconds that most formats cannot hold.
    losses = [str(loss) for loss in found if loss.thing != "time"][:_MOST_LOSSES]
    if len(trees) > 1 and write is None:
        losses.append(say_count("lost.games", len(trees) - 1, suffix=suffix))
    return data, losses


def save_file(path: Path, record: GameRecord, loaded: RecordedGame | None = None) -> list[str]:
    """Write a game as a file that appears when it is whole; return what the format cannot hold.

    The suffix of the path tells the format. Raises InvalidText and CannotSave.
    """
    data, losses = write_game(record, path.suffix.lower(), loaded)
    try:
        write_whole(path, [data])
    except OSError as error:
        raise CannotSave(f"{path}: {error.strerror}") from error
    return losses


def load_file(
    path: Path, number: int = 0, choose: Callable[[Sequence[str]], int] = lambda titles: 1
) -> RecordedGame:
    """Read a game of a file of any format; raises InvalidText, which names the file and the place.

    If the file has several and no number is given, `choose` returns that of one of the titles.
    """
    try:
        file = read_file(path.name, read_bytes(path))
        if not number and len(file.titles) > 1:
            number = choose(file.titles)
        return file.game(number or 1)
    except OSError as error:
        raise InvalidText(f"{path}: {error.strerror}") from error
    except InvalidText as error:
        raise InvalidText(f"{path}: {error}") from error


def terms_of(recorded: RecordedGame, terms: PlayTerms | None = None) -> PlayTerms:
    """Return the terms of a recorded game; clocks are those of `terms`, if any are given."""
    base = terms or PlayTerms(recorded.game, controls=(TimeControl(), TimeControl()))
    return replace(
        base,
        game=recorded.game,
        variant=recorded.variant,
        size=recorded.size,
        setup=recorded.setup,
        seed=recorded.seed or base.seed,
    )
