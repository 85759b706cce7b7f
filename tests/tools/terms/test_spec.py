from dataclasses import replace

import pytest

from engines.core.game import InvalidText
from tests.tools.match.matches import spec
from tools.terms.openings import Opening
from tools.terms.spec import check_openings


def test_the_second_game_of_a_pair_swaps_the_engines() -> None:
    made = spec()
    first, second = made.game_spec(0, 0, 0), made.game_spec(0, 1, 0)
    assert (first.number, second.number) == (1, 2)
    assert second.engines == first.engines[::-1]
    assert first.seed == second.seed


def test_pairs_use_the_openings_in_turn() -> None:
    openings = (Opening("one", ("b1-b4",)), Opening("two", ("c1-c4",)))
    made = spec(openings=openings)
    assert [made.game_spec(pair, 0, 0).opening.name for pair in range(3)] == ["one", "two", "one"]


def test_an_opening_without_a_set_up_takes_that_of_the_match() -> None:
    made = spec(openings=(Opening("one"), Opening("two", setup="own")), setup="common")
    assert [made.game_spec(pair, 0, 0).opening.setup for pair in range(2)] == ["common", "own"]


def test_the_number_for_an_option_does_not_reveal_the_seed() -> None:
    game = spec(seed=5).game_spec(0, 0, 0)
    assert game.named_seed != game.seed
    assert len({game.engine_seed(0), game.engine_seed(1)}) == 2
    assert replace(game, attempt=1).engine_seed(0) != game.engine_seed(0)


def test_a_set_up_cannot_be_sent_to_a_gtp_engine() -> None:
    made = spec(openings=(Opening("odd", setup="x"),))
    check_openings(made)
    gtp = replace(made.engines[0], protocol="gtp")
    with pytest.raises(InvalidText, match="opening odd: a set-up cannot be sent in GTP"):
        check_openings(replace(made, engines=(gtp, made.engines[1])))
