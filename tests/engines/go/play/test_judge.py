"""The judge of dead stones with the real network: seki, semeai, and equal results everywhere."""

from collections.abc import Callable, Collection

import pytest

from engines.core.game import Game
from engines.go.play.judge import DeadStoneJudge, shared_judge
from engines.go.play.judged import make_rules
from engines.go.play.search import Findings, Line, Search
from engines.go.rules.history import Position, format_margin
from engines.go.rules.text import GoRules

# From games against GNU Go, which counts them in the same way but for the eye in seki at G3.
CORNER_SEKI = (
    "1OOX5/XOXXXX3/O1OX1X3/1OOXX2XX/OOOOXXXXO/O2OXOOOO/2OXXO1O1/1OOXXXOXX/O1OXXOOO1 w komi=7.5"
)
# The chain of 43 has one eye and, if Black moves first, a second one at O15.
ONE_EYE = (
    "8X3XXO1O2/4X2XOXXXXOOO1O1/3X1X2OXOOXOO2OO/2X1X2O1XOOOXXOOOX/2XO1OO1OXO1X1XOOXX/"
    "2XO2X1OXOOOXXXXXX/3XOOXXXOOXOX1XXOX/3XXXXOOOOXXXXXOOX/3XOOOOO1OOOOXXOOX/3XOXXXXOO1OXXXOXX/"
    "3XOOOOXXOOXXOXOXX/2O1XXXXX1XOOXOOOXX/1O1XXO1OOXXXXOXOOOX/2XX1XXOXOX1XOX1OXX/"
    "1X4XXXOOXXOXOOOX/2X1XXXOOO1OOOXXO1O/2XXO2XOO1O2XOXO1/7XXO1O1OOOXXO/8XO1O7 w komi=7.5"
)
# Black's stones on the right have one eye; White is ahead by far.
LOPSIDED = (
    "7X3O1O5/1O5OXO1XO1O4/O1OO1OOOOX1XXOOXXO1/OOOOOOOO1O1XO2OOOO/OXOXXXO2OXXO1OOXO1/"
    "XXXXXO1OO1OO1OXXXXX/XXOXOO1O1OXXOOXXXX1/XOOOO1O1OOXXXOXOOXO/XXXXXOOO1OOXOOOOXX1/"
    "2XOXOXXOOXXXXXOOXX/XXOOXXXO1XOXX1XXXOX/OXXOXOOOOOOOOXX1XOX/OXXOXXXOXXOXXXOXXOO/"
    "OOOOXX1XXXOOOXOOO1O/O1OOX5XOOOO1OO1/1OXOXX1X2XXO2X1OO/1OX1OOXXXXXO2OOOXX/"
    "1O1XO1OXOOOOOOOOX2/4OOOXXO4O4 b komi=6.5 captured=36,7"
)
SEMEAI = (
    "1XXXXO1OO/OO1XOOOOO/OXXO2OXO/XXOOOOOX1/1XOXXXOO1/XXOX1XO1O/OOOXXOOOO/1OXXXXXOX/1OOX1XXXX "
    "b komi=7.5"
)


def start(setup: str, variant: str = "") -> tuple[GoRules, Position]:
    rules = make_rules(variant, len(setup.split()[0].split("/")))
    return rules, rules.start(setup)


def dead(setup: str, variant: str = "") -> set[str]:
    rules, position = start(setup, variant)
    return {rules.format_vertex(move) for move in shared_judge().dead(position)}


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["", "aga", "japanese"])
def test_a_seki_in_the_corner_is_no_dead_group(variant: str) -> None:
    rules, position = start(CORNER_SEKI, variant)
    lost = shared_judge().dead(position)
    assert {rules.format_vertex(move) for move in lost} == {"A8"}
    seki = {rules.format_vertex(move) for move in position.count(lost).seki}
    assert seki == set("J5 F4 G4 H4 J4 F3 H3 G2 H2 J2 F1 G1 H1".split())  # noqa: SIM905


def test_who_wins_a_race_is_found_by_playing_it() -> None:
    assert dead(SEMEAI) == {"A8", "B8", "A7", "H7", "H6"}


@pytest.mark.slow
@pytest.mark.compiled("takes a minute")
def test_who_would_live_by_moving_first_dies_by_the_enemys_move() -> None:
    assert {"O16", "P14", "T5"} <= dead(ONE_EYE)
    _, position = start(ONE_EYE)
    assert format_margin(position.count(shared_judge().dead(position)).margin) == "W+4.5"


@pytest.mark.slow
@pytest.mark.compiled("takes a minute")
def test_who_is_ahead_by_far_takes_what_is_dead_as_well() -> None:
    assert {"R15", "P14", "S12", "S10", "T8"} <= dead(LOPSIDED, "japanese")
    _, position = start(LOPSIDED, "japanese")
    assert format_margin(position.count(shared_judge().dead(position)).margin) == "W+176.5"


def test_stones_that_can_be_taken_are_dead_in_the_settled_board() -> None:
    rules = make_rules("", 9)
    game = Game(rules)
    for row in range(1, 10):
        game.play(f"D{row}")
        game.play(f"E{row}")
    for vertex in "G5 B5 G6 B6 B2 G2 B4 G4 B8 G8 C6 H6 C5 H5 B7 G7 pass pass".split():  # noqa: SIM905
        game.play(vertex)
    game.position.komi = 6.5
    lost = {rules.format_vertex(move) for move in shared_judge().dead(game.position)}
    assert lost == {"B5", "B6", "G5", "G6"}
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.reason == "W+15.5"


def test_where_every_stone_counts_nothing_is_dead() -> None:
    assert dead(CORNER_SEKI, "tromp-taylor") == set()


@pytest.mark.slow
def test_every_judge_gives_the_same_answer() -> None:
    for setup in (CORNER_SEKI, SEMEAI):
        _, position = start(setup)
        own = DeadStoneJudge(Search(threads=2))
        first = own.dead(position)
        assert first == own.dead(position) == shared_judge().dead(position)
        position.play(position.area)
        position.play(position.area)
        outcome = position.outcome()
        assert outcome is not None
        assert outcome.reason == format_margin(position.count(first).margin)


class Counting:
    """The network's search, with a count of the visits that it made."""

    def __init__(self) -> None:
        self.search = Search(threads=1)
        self.visits = 0

    def look(self, position: Position, visits: int, *, stop: Callable[[], bool] = bool) -> Findings:
        findings = self.search.look(position, visits, stop=stop)
        self.visits += findings.visits
        return findings

    def follow(
        self, position: Position, dead: Collection[int], ground: Collection[int]
    ) -> "CountedLine":
        return CountedLine(self, self.search.follow(position, dead, ground))


class CountedLine:
    """A line of play whose visits are counted as well."""

    def __init__(self, counting: Counting, line: Line) -> None:
        self.counting = counting
        self.line = line

    def play(self, visits: int, stop: Callable[[], bool]) -> int:
        spent = self.line.play(visits, stop)
        self.counting.visits += spent
        return spent


def judged_with(setup: str, stop: Callable[[], bool] = bool) -> tuple[DeadStoneJudge, int]:
    """Judge a position; return the judge and the visits that were made."""
    counting = Counting()
    judge = DeadStoneJudge(counting)
    judge.dead(start(setup)[1], stop)
    return judge, counting.visits


@pytest.mark.parametrize("setup", [SEMEAI, CORNER_SEKI, "19/" * 18 + "19 b komi=6.5"])
def test_a_judge_that_is_stopped_says_so_after_a_few_visits(setup: str) -> None:
    judge, visits = judged_with(setup, lambda: True)
    assert judge.hurried
    assert visits <= 4


def test_a_judge_that_is_stopped_while_a_fight_is_played_says_so() -> None:
    asked = [0, 0]

    def count() -> bool:
        asked[0] += 1
        return False

    def stop() -> bool:
        asked[1] += 1
        return 10 * asked[1] > 9 * asked[0]

    judge, whole = judged_with(SEMEAI, count)
    assert not judge.hurried
    judge, stopped = judged_with(SEMEAI, stop)
    assert judge.hurried
    assert 200 < stopped < whole


# An opening with stones in every corner, and two boards with more doubt than the visits can settle.
OPENING = "19/19/19/3X11X3/16O2/19/19/19/19/3X15/19/19/19/19/19/3O11O3/19/9X9/19 b komi=6.5"


@pytest.mark.slow
@pytest.mark.parametrize(("setup", "most"), [(OPENING, 200), (ONE_EYE, 1800), (LOPSIDED, 1800)])
def test_the_visits_of_a_judgement_are_limited(setup: str, most: int) -> None:
    assert judged_with(setup)[1] <= most


# A seki that fills the board, one in a corner, a race, a board that is divided.
BOARDS = (
    ("XXXOO/XX1OO/XXOOO/XX1OO/XXXOO b komi=0.5", 5),
    (CORNER_SEKI, 9),
    (SEMEAI, 9),
    ("2XO1/2XO1/2XO1/2XO1/2XO1 b komi=0.5", 5),
    ("2XO1/1OXO1/2XO1/2XO1/2XO1 b komi=0.5", 5),
)


@pytest.mark.slow
@pytest.mark.parametrize(("setup", "size"), BOARDS)
def test_how_the_stones_came_there_does_not_matter(setup: str, size: int) -> None:
    rules = make_rules("japanese", size)
    judged = []
    for turn in (0, 1):
        position = rules.start(setup)
        position.turn = turn
        judged.append(shared_judge().dead(position))
    played = rules.start("")
    for colour, move in reversed(rules.start(setup).setup_stones()):
        played.play_as(colour - 1, move)
    played.play(played.area)
    played.play(played.area)
    judged.append(shared_judge().dead(played))
    assert all(one == judged[0] for one in judged)


@pytest.mark.parametrize(("variant", "result"), [("", "B+0.5"), ("japanese", "W+0.5")])
def test_a_seki_that_fills_the_board_lives(variant: str, result: str) -> None:
    rules = make_rules(variant, 5)
    position = rules.start(BOARDS[0][0])
    for _ in range(2):
        position.play(position.area)
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.reason == result
