from dataclasses import replace

from tests.tools.match.matches import finished, spec
from tools.journal.standings import EngineStanding
from tools.records.game import Verdict


def test_points_moves_and_seconds_add_up() -> None:
    standing = EngineStanding("good")
    standing.add(finished(spec(), 1, 0), 0)
    standing.add(finished(spec(), 2, None), 1)
    standing.add(finished(spec(), 3, 1), 0)
    assert (standing.games, standing.wins, standing.draws, standing.losses) == (3, 1, 1, 1)
    assert (standing.points, standing.points_first, standing.games_first) == (1.5, 1.0, 2)
    assert (standing.moves, round(standing.seconds, 1)) == (2, 0.2)


def test_the_longest_move_may_be_the_one_that_lost_on_time() -> None:
    loser, winner = EngineStanding("loser"), EngineStanding("winner")
    record = replace(finished(spec(), 1, 1, Verdict.TIME), late=0.6)
    loser.add(record, 0)
    winner.add(record, 1)
    assert (loser.longest, winner.longest) == (0.6, 0.0)


def test_a_forfeit_counts_for_the_side_that_lost_by_it() -> None:
    loser, winner = EngineStanding("loser"), EngineStanding("winner")
    for verdict in (Verdict.CRASH, Verdict.TIME, Verdict.RESIGN):
        record = finished(spec(), 1, 1, verdict)
        loser.add(record, 0)
        winner.add(record, 1)
    assert (loser.forfeits, winner.forfeits) == (2, 0)
