from tools.tournament.formats.rounds import History, Pairings, PairResult, Round

ROUND = Round(1, ((0, 1), (2, 3)), games=4, first_pair=0, start=0, byes=(4,))


def test_a_round_plays_its_openings_one_after_the_other_in_all_pairings() -> None:
    assert [(pair.pair, pair.engines, pair.start) for pair in ROUND.pairs()] == [
        (0, (0, 1), 0),
        (1, (2, 3), 0),
        (2, (0, 1), 1),
        (3, (2, 3), 1),
    ]


def test_the_next_round_has_other_openings_and_goes_on_with_the_numbers() -> None:
    after = History(5, [ROUND]).make_round(Pairings(((3, 4),), 2))
    assert (after.number, after.first_pair, after.start) == (2, 4, 2)


def test_points_are_those_of_games_byes_and_opponents_that_dropped_out() -> None:
    results = {0: PairResult((0, 1), (1.0, 0.5)), 1: PairResult((2, 3), (0.0, 0.0))}
    history = History(5, [ROUND], results, frozenset({3}))
    assert history.points() == {0: 1.5, 1: 0.5, 2: 2.0, 3: 2.0, 4: 4.0}
    assert not history.complete
    assert [pair.pair for pair in history.unfinished(ROUND)] == [2]


def test_annulled_games_give_no_points() -> None:
    results = {0: PairResult((0, 1), (1.0, 1.0))}
    history = History(5, [ROUND], results, frozenset({1}), frozenset({1}))
    assert history.points()[0] == 0.0
