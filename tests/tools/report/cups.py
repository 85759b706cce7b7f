"""Tournaments as if they had been played: games of random legal moves, in a journal."""

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from engines import registry
from engines.core.game import CHANCE, FIRST, Game, Outcome
from engines.core.timing import TimeControl
from protocols.ask.score import Evaluation
from tests.tools.fakes import fake
from tools.journal.events import TOURNAMENT, game_event
from tools.journal.journal import NAME, Event
from tools.records.game import GameRecord, PlayedMove, Player, Verdict
from tools.terms.seal import seal
from tools.terms.spec import MatchSpec

CLOCK = TimeControl.parse("60")


def random_moves(game: str, size: int, plies: int, source: random.Random) -> list[PlayedMove]:
    """Play legal moves at random; an evaluation goes up and down beside them."""
    rules = registry.rules(game, "", size)
    played: Game[Any] = Game(rules)
    moves: list[PlayedMove] = []
    share = 0.5
    while len(moves) < plies and played.outcome() is None:
        position = played.position
        side = position.turn
        texts = [rules.format(position, move) for move in position.legal_moves()]
        text = source.choice([each for each in texts if each != "pass"] or texts)
        share = min(1.0, max(0.0, share + source.uniform(-0.12, 0.12)))
        own = share if side == FIRST else 1 - share
        score = "" if side == CHANCE else f"score est {own:.3f}"
        seconds = 0.0 if side == CHANCE else round(source.expovariate(4), 3)
        played.play(text)
        moves.append(PlayedMove(side, text, seconds, None, Evaluation.parse(score)))
    return moves


def write_cup(
    folder: Path,
    *,
    game: str = "neutron",
    size: int = 0,
    names: Sequence[str] = ("a", "b", "c"),
    games: int = 12,
    plies: int = 40,
    seed: int = 1,
    kind: str = TOURNAMENT,
    different: int = 40,
    openings: int = 8,
) -> Path:
    """Write the journal of a tournament; an engine is the stronger, the earlier its name stands.

    All games are beginnings of some `different` ones.
    """
    source = random.Random(seed)
    played = [random_moves(game, size, plies, source) for _ in range(min(games, different))]
    engines = tuple(replace(fake("good"), label=name) for name in names)
    made = MatchSpec(game, "", size, engines, games, (CLOCK,) * len(engines))
    folder.mkdir(parents=True, exist_ok=True)
    begin: Event = {"event": kind, "seal": dict(seal(made)), "games": games}
    with (folder / NAME).open("w", encoding="utf-8") as file:
        file.write(json.dumps(begin) + "\n")
        for number in range(1, games + 1):
            name = f"line {(number - 1) // 2 % openings + 1}"
            record = replace(_game(made, number, played, source), opening_name=name)
            file.write(json.dumps(game_event(record)) + "\n")
    return folder


def _game(
    made: MatchSpec, number: int, played: Sequence[list[PlayedMove]], source: random.Random
) -> GameRecord:
    """Return one game of the pair that its number belongs to."""
    pair, side = divmod(number - 1, 2)
    count = len(made.engines)
    one, other = random.Random(pair).sample(range(count), 2)
    first, second = (one, other) if side == FIRST else (other, one)
    chance = 0.5 + 0.4 * (second - first) / count
    drawn = source.random() < 0.15
    winner = None if drawn else int(source.random() > chance)
    verdict = source.choice([Verdict.NATURAL] * 6 + [Verdict.RESIGN] * 3 + [Verdict.TIME])
    moves = source.choice(played)
    players = tuple(Player(made.engines[each].label, "", "1.0") for each in (first, second))
    return GameRecord(
        game=made.game,
        variant="",
        number=number,
        players=(players[0], players[1]),
        controls=(CLOCK, CLOCK),
        started=f"2026-11-20T10:{number // 60 % 60:02}:{number % 60:02}+00:00",
        moves=moves[: source.randint(len(moves) // 2, len(moves))],
        outcome=Outcome(winner, str(verdict)),
        verdict=verdict,
        size=made.size,
        pair=pair,
        side=side,
        engines=(one, other),
        round=1,
        seed=pair,
        opening=2,
        cpu=(0.2, 0.3),
    )
