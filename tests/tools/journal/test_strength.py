from dataclasses import replace

from tests.tools.match.matches import finished, spec
from tools.journal.state import MatchState
from tools.journal.strength import (
    format_decision,
    format_sample,
    format_score,
    format_strength,
    format_test,
)


def state(winners: list[int | None], sprt: str = "", *, distinct: bool = True) -> MatchState:
    """Return a match with the sides that won its games."""
    match = MatchState(("good", "better"), 1000, sprt, 10)
    for number, winner in enumerate(winners, 1):
        record = finished(spec(games=1000), number, winner)
        match.count(replace(record, setup=str(number)) if distinct else record)
    return match


def lines(match: MatchState) -> list[str]:
    return [*format_sample(match), *format_decision(match, match.status())]


def test_without_games_there_is_nothing_to_say() -> None:
    match = state([])
    assert (format_strength(match), format_test(match), lines(match)) == ("", "", [])


def test_half_a_pair_says_that_it_waits() -> None:
    assert lines(state([0])) == ["1 game, 1 distinct", "1 game waits for its pair"]


def test_a_clean_sweep_has_a_bound() -> None:
    assert lines(state([0, 1] * 10)) == [
        "20 games, 20 distinct",
        "pairs of good: LL 0, LD 0, DD+WL 0, WD 0, WW 10",
        "elo of good > +140.2, LOS > 99.9 % (95 %, Dirichlet interval of the pairs)",
    ]
    assert format_strength(state([1, 0] * 10)) == "elo < -140.2, LOS < 0.1 %"


def test_there_is_no_elo_from_a_few_pairs() -> None:
    for pairs in (1, 2, 9):
        *_, counts, elo = lines(state([0, 1] * pairs))
        assert counts == f"pairs of good: LL 0, LD 0, DD+WL 0, WD 0, WW {pairs}"
        assert elo == f"too few pairs to estimate Elo: {pairs} of at least 10"
        assert format_strength(state([0, 1] * pairs)) == ""


def test_other_results_have_normalized_elo_as_well() -> None:
    *_, counts, strength = lines(state([0, 1, None, 1, 0, 0] * 4))
    assert counts == "pairs of good: LL 0, LD 0, DD+WL 4, WD 4, WW 4"
    assert strength.startswith("elo of good +190.8 [+")
    assert ", nelo +" in strength


def test_repeated_games_say_on_how_many_samples_the_figures_stand() -> None:
    match = state([0, 1, 0, 1, 0, 1], "elo0=0,elo1=50", distinct=False)
    first, *_, test = lines(match)
    assert first == "6 games, 2 distinct: 3 pairs count as 1 sample"
    assert test == (
        f"{format_test(match)}: of 3 pairs only 1 is distinct, and equal pairs count once"
    )
    assert format_test(match).endswith(" [-2.944, 2.944] undecided")
    assert format_strength(match) == ""


def test_pairs_may_differ_although_some_games_are_equal() -> None:
    match = state([0, 1])
    for number, winner in ((3, 0), (4, 0)):
        record = finished(spec(games=4), number, winner)
        match.count(replace(record, setup=str(number - 2)))
    assert next(format_sample(match)) == (
        "4 games, 3 distinct; no pair of games repeats another pair"
    )


def test_a_single_pair_repeats_no_other() -> None:
    match = state([0, 1])
    match.count(replace(finished(spec(games=4), 3, 0), setup="1"))
    assert next(format_sample(match)) == (
        "3 games, 2 distinct; no pair of games repeats another pair"
    )


def test_the_score_names_the_engine_once_and_says_what_is_repeated() -> None:
    match = state([0, 1, 0, 1], "elo0=0,elo1=50", distinct=False)
    assert format_score(match) == (f"4 of 4 for good  4 games, 2 distinct  {format_test(match)}")
    assert format_score(state([])) == "0 of 0 for good"
    assert "distinct" not in format_score(state([0, 1]))


def test_a_decided_test_comes_with_its_unbiased_estimate() -> None:
    winners: list[int | None] = [None, 1, *[0, 1] * 60]
    match = state(winners, "elo0=0,elo1=200")
    *_, test, unbiased = lines(match)
    assert test.endswith("] H1 accepted")
    assert unbiased.startswith("unbiased elo of good +")
