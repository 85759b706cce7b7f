import time

import pytest

from engines.senet.play import lookahead as module
from engines.senet.play.lookahead import Lookahead
from engines.senet.play.net import Net
from engines.senet.rules.track import movable, moved, steps_of, throws_again
from engines.senet.tables.sweep import Sweep, improve
from engines.senet.tables.table import FLOAT, ChanceTable

COMPILED = not module.__file__.endswith(".py")
OWN = sum(1 << (square - 1) for square in (12, 14, 20))
ENEMY = sum(1 << (square - 1) for square in (15, 16, 9))
EMPTY = ChanceTable([], FLOAT)


def solved() -> ChanceTable:
    table = ChanceTable([(1, 1)], FLOAT)
    sweep = Sweep(table, 1, 1, 0, 0, None)
    while improve([sweep]) > 1e-6:
        pass
    return table


def plain(net: Net, own: int, enemy: int, depth: int, passing: int) -> float:
    """Look ahead without a table, a cache or C types."""
    if depth == 0:
        return net.evaluate(own, enemy)
    values = []
    for throw in range(1, 6):
        chances = []
        for square in range(29):
            if not movable(own, enemy, steps_of(throw), 0) >> square & 1:
                continue
            after = moved(own, enemy, 1 << square, steps_of(throw))
            mine, theirs = after & 0xFFFFFFFF, after >> 32
            if mine == 0:
                chances.append(1.0)
            elif throws_again(throw):
                chances.append(plain(net, mine, theirs, depth - 1, passing))
            else:
                chances.append(1 - plain(net, theirs, mine, depth - 1, passing))
        if chances:
            values.append(max(chances))
        elif passing and not throws_again(throw):
            values.append(1 - plain(net, enemy, own, depth - 1, passing))
    return sum(values) / len(values)


@pytest.mark.parametrize("passing", [0, 1])
@pytest.mark.parametrize("depth", [0, 1, 2])
def test_values_are_those_of_a_plain_search(depth: int, passing: int) -> None:
    net = Net(seed=1)
    lookahead = Lookahead(net, EMPTY, passing, 0)
    lookahead.arm(None, 0.0, -1)
    value = lookahead.expect(OWN, ENEMY, depth)
    assert value == pytest.approx(plain(net, OWN, ENEMY, depth, passing))
    assert lookahead.expect(OWN, ENEMY, depth) == value  # From the cache, this time.


def test_a_move_is_worth_what_its_position_is_worth() -> None:
    lookahead = Lookahead(Net(seed=1), EMPTY, 0, 0)
    man = 1 << 19
    again = moved(OWN, ENEMY, man, 1)
    assert lookahead.after(OWN, ENEMY, man, 1, 0) == pytest.approx(
        lookahead.expect(again & 0x1FFFFFFF, again >> 32, 0)
    )
    ended = moved(OWN, ENEMY, man, 2)
    assert lookahead.after(OWN, ENEMY, man, 2, 1) == pytest.approx(
        1 - lookahead.expect(ended >> 32, ended & 0x1FFFFFFF, 1)
    )
    assert lookahead.after(1 << 28, ENEMY, 1 << 28, 1, 3) == 1.0


def test_tables_are_believed_and_nothing_is_guessed() -> None:
    table = solved()
    lookahead = Lookahead(Net(seed=1), table, 0, 0)
    assert lookahead.expect(1 << 4, 1 << 20, 5) == pytest.approx(table.chance(1 << 4, 1 << 20))
    assert not lookahead.take_guess()
    assert lookahead.nodes() == 0
    lookahead.expect(OWN, ENEMY, 0)
    assert lookahead.take_guess()
    assert not lookahead.take_guess()


def test_cached_values_still_count_as_guesses() -> None:
    lookahead = Lookahead(Net(seed=1), EMPTY, 0, 0)
    lookahead.expect(OWN, ENEMY, 1)
    lookahead.take_guess()
    lookahead.expect(OWN, ENEMY, 1)
    assert lookahead.take_guess()


def test_a_search_gives_way_after_its_nodes() -> None:
    lookahead = Lookahead(Net(seed=1), EMPTY, 0, 0)
    lookahead.arm(None, 0.0, 10)
    lookahead.expect(OWN, ENEMY, 3)
    assert lookahead.is_halted()
    assert lookahead.nodes() <= 12
    lookahead.arm(None, 0.0, -1)
    lookahead.expect(OWN, ENEMY, 1)
    assert not lookahead.is_halted()


def test_a_search_ends_at_its_deadline_and_on_request() -> None:
    lookahead = Lookahead(Net(seed=1), EMPTY, 0, 0)
    lookahead.arm(None, time.monotonic() - 1, -1)
    assert lookahead.is_halted()
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > 2

    lookahead.arm(stop, 0.0, -1)
    lookahead.expect(OWN, ENEMY, 9)
    assert lookahead.is_halted()
    assert asked == 3


def test_forgetting_makes_the_search_do_its_work_again() -> None:
    lookahead = Lookahead(Net(seed=1), EMPTY, 0, 0)
    counts = []
    for _ in range(2):
        lookahead.forget()
        lookahead.arm(None, 0.0, -1)
        lookahead.expect(OWN, ENEMY, 2)
        counts.append(lookahead.nodes())
    assert counts[0] == counts[1] > 0
    lookahead.arm(None, 0.0, -1)
    lookahead.expect(OWN, ENEMY, 2)
    assert lookahead.nodes() == 0
