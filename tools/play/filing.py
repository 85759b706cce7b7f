"""Games of a session as records: what a session saves, and a session from what was saved."""

from dataclasses import replace
from pathlib import Path
from typing import Final

from engines import registry
from engines.core.errors import QuintetError
from engines.core.game import CHANCE, InvalidText, Outcome
from engines.core.storage import write_whole
from engines.core.timing import TimeControl
from tools.play.players import PlayTerms
from tools.play.state import GameState
from tools.play.texts import say
from tools.records.game import GameRecord, Player, Verdict
from tools.records.losses import find_losses
from tools.records.reading import READERS, WRITERS, read_bytes
from tools.records.recorded import RecordedGame, read_game
from tools.records.sgf import to_sgf
from tools.records.shogi import to_tree

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
        number=1,
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


def write_game(record: GameRecord, suffix: str) -> tuple[bytes, list[str]]:
    """Return a file of a game, and what its format cannot hold; raises InvalidText."""
    if suffix not in suffixes(record.game):
        known = ", ".join(suffixes(record.game))
        raise InvalidText(say("no.format", suffix=suffix, game=record.game, known=known))
    if suffix == SGF:
        return to_sgf(record, registry.rules(record.game, record.variant, record.size).sides), []
    tree = to_tree(record)
    data = WRITERS[suffix](tree)
    losses = find_losses(tree, READERS[suffix](data)[0], suffix[1:].upper())
    # Persons do not miss the fractions of seconds that most formats cannot hold.
    return data, [str(loss) for loss in losses if loss.thing != "time"][:_MOST_LOSSES]


def save_file(path: Path, record: GameRecord) -> list[str]:
    """Write a game as a file that appears when it is whole; return what the format cannot hold.

    The suffix of the path tells the format. Raises InvalidText and CannotSave.
    """
    data, losses = write_game(record, path.suffix.lower())
    try:
        write_whole(path, [data])
    except OSError as error:
        raise CannotSave(f"{path}: {error.strerror}") from error
    return losses


def load_file(path: Path) -> RecordedGame:
    """Read a file of any format; raises InvalidText, which names the file and the place."""
    try:
        return read_game(path.name, read_bytes(path))
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
