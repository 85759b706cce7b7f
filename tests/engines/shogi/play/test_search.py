"""The search: legal moves everywhere, mates, repetition, declarations, limits, threads."""

import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.shogi.play import search
from engines.shogi.play import tree as search_module
from engines.shogi.play.scores import ALL_METHODS, INFINITE, MATE, METHODS
from engines.shogi.play.search import (
    Task,
    Thinker,
    Thought,
    mate_in,
)
from engines.shogi.rules.notation import format_move
from engines.shogi.rules.position import Position
from engines.shogi.rules.sfen import START, parse_sfen
from tests.engines.shogi.wandering import wander

COMPILED = not str(search_module.__file__).endswith(".py")

NODES = 3000 if COMPILED else 150


def wander_in_play(seed: int, plies: int) -> Position:
    """Stop a move before the game is over."""
    position = wander(seed, plies)
    if not position.legal_moves():
        position.undo()
    return position


@given(st.integers(0, 2**32), st.integers(0, 250))
@settings(deadline=None, max_examples=40 if COMPILED else 4)
def test_a_search_returns_legal_lines_and_leaves_the_position_alone(seed: int, plies: int) -> None:
    position = wander_in_play(seed, plies)
    if not position.legal_moves():
        return
    key = position.key()
    thoughts = Thinker(1).think(
        Task(position, lambda: False, nodes=NODES, lines=lambda: 3, depth=12)
    )
    assert position.key() == key
    assert 1 <= len(thoughts) <= 3
    assert len({thought.line[0] for thought in thoughts}) == len(thoughts)
    for thought in thoughts:
        twin = position.copy()
        for move in thought.line:
            assert move in twin.legal_moves()
            twin.play(move)
        if thought.mate is not None and thought.mate > 0 and len(thought.line) == thought.mate:
            assert twin.legal_moves() == [] or twin.outcome() is None


@pytest.mark.parametrize(
    ("sfen", "first", "plies"),
    [
        ("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b", 1),
        ("4k4/9/9/9/9/9/4p4/9/4K4 w g 1", "G*5h", 1),
        ("5n1k1/5G3/9/6+R2/9/9/9/9/9 b 2NPg 1", "3d3b", 3),
    ],
)
def test_mates_are_found_and_counted(sfen: str, first: str, plies: int) -> None:
    thoughts = Thinker(1).think(Task(parse_sfen(sfen), lambda: False, depth=5))
    assert thoughts[0].mate == plies
    assert format_move(thoughts[0].line[0]) == first


def test_being_mated_is_reported_as_a_negative_mate() -> None:
    position = parse_sfen("5n1k1/5G3/9/6+R2/9/9/9/9/9 b 2NPg 1")
    position.play(next(m for m in position.legal_moves() if format_move(m) == "3d3b"))
    thoughts = Thinker(1).think(Task(position, lambda: False, depth=4))
    assert thoughts[0].mate == -2


def test_the_same_search_plays_the_same_game() -> None:
    thinker = Thinker(1)
    results = []
    for _ in range(2):
        thinker.forget()
        thoughts = thinker.think(Task(wander_in_play(3, 30), lambda: False, nodes=NODES))
        results.append((thoughts[0].line, thoughts[0].score, thoughts[0].nodes))
    assert results[0] == results[1]


def test_a_limit_of_nodes_is_kept() -> None:
    thoughts = Thinker(1).think(Task(parse_sfen(START), lambda: False, nodes=NODES))
    assert thoughts[0].nodes <= NODES + 1


def test_a_stop_ends_the_search_soon() -> None:
    begun = time.monotonic()
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > 3

    thoughts = Thinker(1).think(Task(parse_sfen(START), stop))
    assert time.monotonic() - begun < 5
    assert asked == 4
    assert thoughts[0].line


def test_a_search_that_is_stopped_immediately_still_has_a_move() -> None:
    position = parse_sfen(START)
    thoughts = Thinker(1).think(Task(position, lambda: True, nodes=1))
    assert thoughts[0].line[0] in position.legal_moves()


class ScriptedRoot:
    """Stands for a worker whose searches of the root have known ends."""

    def __init__(self, *searches: tuple[int, Sequence[int]], halts: bool) -> None:
        self._searches = list(searches)  # Scores, and lines of better moves than the first.
        self._halts = halts
        self._line: Sequence[int] = ()
        self.windows: list[tuple[int, int]] = []

    def search_root(self, depth: int, alpha: int, beta: int, first: int) -> int:
        self.windows.append((alpha, beta))
        score, self._line = self._searches.pop(0)
        return score

    def improved(self) -> bool:
        return bool(self._line)

    def line(self) -> list[int]:
        return list(self._line)

    def halted(self) -> bool:
        return self._halts and not self._searches


def aspire(worker: ScriptedRoot) -> tuple[int, list[int]]:
    scripted: Any = worker
    return search._aspire(scripted, 8, 100, 0)


def test_a_better_move_is_known_when_a_search_with_a_wider_window_is_stopped() -> None:
    # The second move fails high at 140; the search that is to find its score does not end.
    assert aspire(ScriptedRoot((140, [7, 8]), (-INFINITE, []), halts=True)) == (140, [7, 8])
    assert aspire(ScriptedRoot((60, []), (-INFINITE, []), halts=True)) == (-INFINITE, [])
    assert aspire(ScriptedRoot((120, [7]), halts=True)) == (120, [7])
    worker = ScriptedRoot((60, []), (10, []), halts=False)
    assert aspire(worker) == (10, [])
    assert worker.windows == [(60, 140), (-20, 140)]


def test_a_better_move_takes_the_first_place_of_the_lines_that_are_known() -> None:
    known = [
        Thought(8, 9, 1000, 0.1, 50, None, 1, [1, 2], 0),
        Thought(8, 9, 1000, 0.1, 20, None, 2, [3, 4], 0),
    ]
    found = search._with_better(known, [3, 5], 90)
    assert [(each.rank, each.score, each.line) for each in found] == [
        (1, 90, [3, 5]),
        (2, 50, [1, 2]),
    ]
    found = search._with_better(known, [6], MATE - 3)
    assert [(each.rank, each.mate, each.line) for each in found] == [(1, 3, [6]), (2, None, [1, 2])]


@pytest.mark.slow
@pytest.mark.compiled("searches of this depth take minutes")
def test_each_method_changes_the_search_and_can_be_switched_off() -> None:
    kept = Path(__file__).parents[3] / "data" / "shogi-middle-games.txt"
    positions = kept.read_text(encoding="ascii").splitlines()[:6]

    def nodes(methods: int) -> list[int]:
        return [
            Thinker(4, methods=methods)
            .think(Task(parse_sfen(sfen), lambda: False, depth=9))[0]
            .nodes
            for sfen in positions
        ]

    every = nodes(ALL_METHODS)
    for bit, name in enumerate(METHODS):
        assert nodes(ALL_METHODS & ~(1 << bit)) != every, name


def test_named_moves_alone_are_searched() -> None:
    position = parse_sfen(START)
    named = [move for move in position.legal_moves() if format_move(move) in ("1g1f", "9g9f")]
    thoughts = Thinker(1).think(
        Task(position, lambda: False, depth=3, moves=named, lines=lambda: 10)
    )
    assert sorted(thought.line[0] for thought in thoughts) == sorted(named)


def test_a_line_that_was_searched_later_and_scored_better_is_reported_first() -> None:
    sfen = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"
    task = Task(parse_sfen(sfen), lambda: False, depth=3, lines=lambda: 3)
    thoughts = Thinker(1).think(task)
    scores = [thought.score for thought in thoughts]
    assert scores == sorted(scores, reverse=True)
    assert [thought.rank for thought in thoughts] == [1, 2, 3]


def test_levels_tell_no_more_lines_than_are_asked_for() -> None:
    position = parse_sfen(START)
    counts: list[int] = []
    for lines in (1, 2):
        task = Task(
            position,
            lambda: False,
            depth=2,
            lines=lambda lines=lines: lines,  # type: ignore[misc]
            report=lambda thoughts: counts.append(len(thoughts)),
        )
        assert len(Thinker(1, level=5).think(task)) == lines
        assert set(counts) == {lines}
        counts.clear()


def test_a_beginner_takes_a_mate_and_a_rook_that_hangs() -> None:
    for sfen, move in (
        ("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b"),
        ("4k4/9/4r4/4R4/9/9/9/9/4K4 b - 1", "5d5c"),
    ):
        thoughts = Thinker(1, level=0).think(Task(parse_sfen(sfen), lambda: False))
        assert format_move(thoughts[0].line[0]).startswith(move)


@pytest.mark.compiled("threads gain nothing while the interpreter is locked")
def test_threads_help_and_end_with_the_search() -> None:

    before = threading.active_count()
    thoughts = Thinker(4, threads=3).think(Task(parse_sfen(START), lambda: False, depth=8))
    assert thoughts[0].depth == 8
    assert threading.active_count() == before


def test_a_system_that_gives_fewer_threads_is_searched_with_those(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    start = threading.Thread.start
    begun: list[threading.Thread] = []

    def grudge(thread: threading.Thread) -> None:
        if begun:
            raise RuntimeError("can't start new thread")
        begun.append(thread)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", grudge)
    thoughts = Thinker(1, threads=4).think(Task(parse_sfen(START), lambda: False, depth=2))
    assert thoughts[0].depth == 2
    assert len(begun) == 1
    assert not begun[0].is_alive()


def test_levels_are_weaker_and_still_legal() -> None:
    position = wander_in_play(8, 20)
    for level in (0, 10):
        thoughts = Thinker(1, level=level).think(Task(position, lambda: False, depth=6))
        assert thoughts[0].line[0] in position.legal_moves()
        assert thoughts[0].nodes <= 250 * 1.39**level + 2


def test_mates_are_scored_by_their_plies() -> None:
    assert mate_in(MATE - 3) == 3
    assert mate_in(4 - MATE) == -4
    assert mate_in(150) is None
