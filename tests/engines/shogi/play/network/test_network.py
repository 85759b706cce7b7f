"""The network: sums that follow the moves equal fresh ones, and all kernels agree."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.shogi.play.network import network as module
from engines.shogi.play.network.network import Network, NetworkEvaluation
from engines.shogi.play.table import TranspositionTable
from engines.shogi.play.worker import Worker
from engines.shogi.rules.notation import parse_move
from engines.shogi.rules.position import Position
from engines.shogi.rules.sfen import START, format_sfen, parse_sfen
from tests.engines.shogi.play.network.random_network import random_layers
from tests.engines.shogi.play.network.reference import value_by_reference
from tests.engines.shogi.play.test_fitted import mirrored, turned, unpromoted
from tests.engines.shogi.wandering import wander, wander_and_note

COMPILED = not str(module.__file__).endswith(".py")
EXAMPLES = 30 if COMPILED else 5
LAYERS = random_layers()
NETWORK = Network(LAYERS)


def worker_of(position: Position, network: Network = NETWORK) -> Worker:
    worker = Worker(Position(), TranspositionTable(1))
    worker.evaluate_by(NetworkEvaluation(network))
    worker.begin(position)
    return worker


def value(position: Position, network: Network = NETWORK) -> int:
    return worker_of(position, network).static_value()


@given(st.integers(0, 2**32), st.integers(0, 200))
@settings(deadline=None, max_examples=EXAMPLES)
def test_the_value_is_that_of_plain_arithmetic(seed: int, plies: int) -> None:
    position = wander(seed, plies)
    assert value(position) == value_by_reference(LAYERS, position)


@pytest.mark.slow
@pytest.mark.compiled("there is one kernel only")
def test_all_kernels_give_the_same_values() -> None:
    networks = [Network(LAYERS, level) for level in range(NETWORK.level + 1)]
    assert [network.level for network in networks] == list(range(NETWORK.level + 1))
    for seed in range(200):
        position = wander(seed, seed)
        assert len({value(position, network) for network in networks}) == 1


@pytest.mark.slow
@given(st.integers(0, 2**32), st.integers(0, 120))
@settings(deadline=None, max_examples=EXAMPLES)
def test_both_sides_are_worth_the_same(seed: int, plies: int) -> None:
    sfen = format_sfen(wander(seed, plies if plies < 30 else 6))
    if unpromoted(sfen):
        assert value(parse_sfen(sfen)) == value(parse_sfen(turned(sfen)))


@pytest.mark.parametrize(
    "sfen",
    [
        "ln4knl/1rs3gs1/p1ppppppp/1p7/9/2P6/PPSPPPPPP/2G4R1/LN1K2SNL b BGbg 1",
        "lnk4nl/1rs3gs1/p1ppppppp/1p7/9/2P6/PPSPPPPPP/2G3KR1/LN4SNL w BGbg 1",
        "k8/9/9/9/4r4/9/9/9/7BK b 18PR 1",
    ],
)
def test_the_mirror_image_is_worth_the_same(sfen: str) -> None:
    """Not so with a king on file 5, which sees no mirror image."""
    image = mirrored(sfen)
    assert image != sfen
    assert value(parse_sfen(sfen, tolerate="rule")) == value(parse_sfen(image, tolerate="rule"))


@pytest.mark.slow
@given(st.integers(0, 2**32), st.integers(1, 110))
@settings(deadline=None, max_examples=EXAMPLES)
def test_sums_that_follow_the_moves_equal_fresh_sums(seed: int, plies: int) -> None:
    position, moves = wander_and_note(seed, plies)
    start = value(parse_sfen(START))
    for asked in (0.0, 0.3, 1.0):  # How often the value is asked for on the way.
        chance = random.Random(seed)
        worker = worker_of(parse_sfen(START))
        for move in moves:
            worker.follow(move)
            if chance.random() < asked:
                worker.static_value()
        assert worker.static_value() == value(position)
        for _ in moves:
            worker.take_back()
            if chance.random() < asked:
                worker.static_value()
        assert worker.static_value() == start


def test_a_king_that_crosses_the_middle_turns_the_view() -> None:
    sfen = "4k4/9/9/9/9/9/9/R8/4K4 b - 1"
    worker = worker_of(parse_sfen(sfen))
    for text, after in (
        ("5i4i", "4k4/9/9/9/9/9/9/R8/5K3 w - 2"),
        ("5a6a", "3k5/9/9/9/9/9/9/R8/5K3 b - 3"),
        ("4i5i", "3k5/9/9/9/9/9/9/R8/4K4 w - 4"),
        ("6a5a", "4k4/9/9/9/9/9/9/R8/4K4 b - 5"),
        ("5i6i", "4k4/9/9/9/9/9/9/R8/3K5 w - 6"),
    ):
        worker.follow(parse_move(text))
        assert worker.static_value() == value(parse_sfen(after))


@pytest.mark.parametrize(
    "sfen",
    [
        "4k4/9/9/9/9/9/9/9/9 b 2G 1",
        "4k4/RRRRRRRRR/9/9/4K4/9/9/9/9 b 9R9B9b 1",
        "+P+L+N+Sk4/9/9/9/9/9/9/9/4K+p+l+n+s b - 1",
    ],
)
def test_positions_with_too_many_men_or_without_a_king_have_a_value(sfen: str) -> None:
    position = parse_sfen(sfen, tolerate="inventory")
    assert value(position) == value_by_reference(LAYERS, position)
