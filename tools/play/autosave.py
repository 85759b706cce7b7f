"""Games in progress, kept in files so that they survive a crash or a closed terminal.

Each session has a file and a lock beside it. The lock ends with the process, so that a file without
a lock belongs to a game that is no longer being played.
"""

import base64
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from engines.core import places
from engines.core.game import InvalidText, Outcome
from engines.core.storage import write_whole
from engines.core.timing import Clock, TimeControl
from protocols.ask.score import Evaluation
from tools.journal.lock import seize
from tools.play.players import Player, PlayTerms
from tools.play.state import GameState
from tools.play.texts import say
from tools.records.game import PlayedMove, Variation, Verdict
from tools.records.recorded import RecordedGame, Source, read_game

FORMAT: Final = 1
_SUFFIX: Final = ".play"
_LOCK: Final = ".lock"
_MOST_BYTES: Final = 1 << 25
_MOST_SOURCE: Final = 1 << 22  # A record that is larger is not kept with its game.

State = Mapping[str, Any]
"""A game in progress as values of JSON."""


def folder() -> Path:
    """Return the folder of the games in progress."""
    return places.tables() / "play"


def state_of(game: GameState) -> State:
    """Return everything that `restore` needs; the caller holds the lock of the session."""
    terms = game.terms
    ended = None
    if game.ended is not None:
        outcome, verdict = game.ended
        ended = [outcome.winner, outcome.reason, outcome.both, str(verdict)]
    return {
        "format": FORMAT,
        "game": terms.game,
        "variant": terms.variant,
        "size": terms.size,
        "setup": terms.setup,
        "seed": terms.seed,
        "controls": [str(control) for control in terms.controls],
        "thinking": str(terms.thinking),
        "pace": terms.pace,
        "players": [[player.name, *player.words] for player in game.players],
        "started": game.started,
        "moves": _write_moves(game.history.moves),
        "tails": _write_tails(game.history.tails),
        "clocks": [[clock.main, clock.period, clock.periods] for clock in game.clocks.state()],
        "ended": ended,
        "dead": game.scoring.dead() if game.scoring and game.scoring.ready else None,
        "source": _write_source(game.loaded.source if game.loaded is not None else None),
    }


def _write_source(source: Source | None) -> list[str | int] | None:
    """Return the file of a loaded record, to which the game is added when it is saved."""
    if source is None or len(source.data) > _MOST_SOURCE:
        return None
    return [source.name, base64.b64encode(source.data).decode(), source.number]


def _read_source(source: Sequence[Any] | None) -> RecordedGame | None:
    if source is None:
        return None
    name, data, *number = source  # Earlier versions have written no number.
    return read_game(name, base64.b64decode(data), *number)


def _write_moves(moves: Sequence[PlayedMove]) -> list[list[Any]]:
    return [
        [move.side, move.text, move.seconds, move.left, str(move.evaluation), move.comment]
        for move in moves
    ]


def _write_tails(tails: Sequence[Variation]) -> list[list[Any]]:
    return [[tail.at, _write_moves(tail.moves), _write_tails(tail.variations)] for tail in tails]


def _read_moves(moves: Sequence[Any]) -> tuple[PlayedMove, ...]:
    return tuple(
        PlayedMove(side, text, seconds, left, Evaluation.parse(evaluation), *comment)
        for side, text, seconds, left, evaluation, *comment in moves
    )


def _read_tails(tails: Sequence[Any]) -> tuple[Variation, ...]:
    return tuple(
        Variation(at, _read_moves(moves), _read_tails(inner)) for at, moves, inner in tails
    )


@dataclass(frozen=True, slots=True)
class Kept:
    """A game in progress, as its file holds it."""

    terms: PlayTerms
    players: tuple[Player, Player]
    started: str
    moves: tuple[PlayedMove, ...]
    tails: tuple[Variation, ...]
    clocks: tuple[Clock, Clock]
    ended: tuple[Outcome, Verdict] | None
    dead: tuple[str, ...] | None
    loaded: RecordedGame | None = None


def read_state(state: State) -> Kept:
    """Read what `state_of` returned; raises InvalidText for anything else."""
    try:
        if state["format"] != FORMAT:
            raise InvalidText(say("other.format", format=state["format"], known=FORMAT))
        one, other = (
            TimeControl.parse(text) if text else TimeControl() for text in state["controls"]
        )
        first, second = (Player(name, tuple(words)) for name, *words in state["players"])
        thinking = TimeControl.parse(state["thinking"])
        terms = PlayTerms(
            state["game"],
            state["variant"],
            state["size"],
            state["setup"],
            (one, other),
            thinking,
            state["seed"],
            float(state.get("pace", 0.0)),
        )
        ended = None
        if state["ended"] is not None:
            winner, reason, both, verdict = state["ended"]
            ended = (Outcome(winner, reason, both), Verdict(verdict))
        dead = state["dead"]
        return Kept(
            terms,
            (first, second),
            str(state["started"]),
            _read_moves(state["moves"]),
            _read_tails(state["tails"]),
            (_read_clock(one, state["clocks"][0]), _read_clock(other, state["clocks"][1])),
            ended,
            None if dead is None else tuple(dead),
            _read_source(state.get("source")),
        )
    except InvalidText:
        raise
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise InvalidText(f"{type(error).__name__}: {error}") from error


def _read_clock(control: TimeControl, state: Sequence[Any]) -> Clock:
    clock = Clock(control)
    clock.main, clock.period, clock.periods = float(state[0]), float(state[1]), int(state[2])
    return clock


class Keeper:
    """The file of one session; the session calls it under its lock."""

    def __init__(self, path: Path) -> None:
        """Take a file; raises OSError, and FileExistsError if another session has it."""
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = os.open(path.with_suffix(_LOCK), os.O_RDWR | os.O_CREAT, 0o600)
        self._last: bytes = b""
        self.fault = ""
        if not seize(self._lock):
            os.close(self._lock)
            raise FileExistsError(say("taken", path=path))

    def keep(self, state: State) -> None:
        """Write the state if it has changed; `fault` says why it could not be written."""
        data = json.dumps(state).encode()
        if data == self._last:
            return
        try:
            write_whole(self.path, [data])
            self._last, self.fault = data, ""
        except OSError as error:
            self.fault = say("not.kept", reason=error.strerror or error)

    def close(self, *, keep: bool) -> None:
        """Give the file up, and delete it unless it is to be kept."""
        if self._lock < 0:
            return
        if not keep:
            self.path.unlink(missing_ok=True)
        self.path.with_suffix(_LOCK).unlink(missing_ok=True)
        os.close(self._lock)
        self._lock = -1


def new_keeper(place: Path | None = None) -> Keeper:
    """Return a keeper with a new file; raises OSError."""
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S-%f")
    return Keeper((place or folder()) / f"{stamp}-{os.getpid()}{_SUFFIX}")


def unfinished(place: Path | None = None) -> list[Path]:
    """Return the files of games that no session plays any more, the newest first."""
    found = []
    for path in sorted((place or folder()).glob(f"*{_SUFFIX}"), reverse=True):
        try:
            keeper = Keeper(path)
        except OSError:
            continue
        keeper.close(keep=True)
        found.append(path)
    return found


def read_kept(path: Path) -> Kept:
    """Read a file of a game in progress; raises InvalidText, which names the file."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise InvalidText(say("too.big", most=_MOST_BYTES >> 20))
        state = json.loads(path.read_bytes())
        if not isinstance(state, dict):
            raise InvalidText(say("no.object"))
        return read_state(state)
    except (OSError, InvalidText, ValueError, RecursionError) as error:
        raise InvalidText(say("damaged", path=path, reason=error)) from error
