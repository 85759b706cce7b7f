from importlib.resources import files

import pytest

from engines.core.game import Game
from engines.core.search import Limits, Report
from engines.neutron.play import tree as module
from engines.neutron.play.search import Search
from engines.neutron.rules.position import GOES_ON, Position
from engines.neutron.rules.text import NeutronRules, fold, make_rules
from engines.neutron.tables.book import entries, look_up, orient
from engines.neutron.workshop.author import can_win

COMPILED = not module.__file__.endswith(".py")
KRAUS = make_rules("kraus")
PLAIN = make_rules()


def replies(position: Position) -> list[Position]:
    """Return the positions after each reply; one that ends the game ends it as White's win."""
    positions = []
    for reply in position.legal_moves():
        position.play(reply)
        if position.ending() == GOES_ON:
            positions.append(position.copy())
        else:
            assert position.ending() == 1
        position.undo()
    return positions


def promise(rules: NeutronRules, position: Position) -> int:
    """Return in how many turns White wins at the latest, as the book or the neutron has it."""
    if not position.only_man and can_win(position):
        return 1
    entry = look_up(rules, position)
    assert entry is not None, rules.setup(position)
    return entry[1]


@pytest.mark.compiled("minutes")
@pytest.mark.parametrize(("rules", "latest"), [(KRAUS, 11), (PLAIN, 19)])
def test_every_reply_to_the_book_loses_in_time(rules: NeutronRules, latest: int) -> None:
    start = rules.start()
    assert promise(rules, start) == latest
    seen = {fold(rules, start)}
    todo = [start]
    used = 0
    while todo:
        position = todo.pop()
        if not position.only_man and can_win(position):
            continue
        entry = look_up(rules, position)
        assert entry is not None
        used += 1
        move, turns = entry
        position.play(move)
        if position.ending() != GOES_ON:
            assert position.ending() == 1
            continue
        for after in replies(position):
            folded = fold(rules, after)
            if folded not in seen:
                seen.add(folded)
                todo.append(after)
            # What is promised shrinks from turn to turn: no game goes round in circles.
            assert promise(rules, after) <= turns - 2
    assert used == sum(variant == rules.variant for variant, _ in entries())
    assert len(seen) > 3000


def test_a_mirrored_position_gets_the_mirrored_turn() -> None:
    position = KRAUS.start()
    first = look_up(KRAUS, position)
    assert first is not None
    position.play(first[0])
    checked = 0
    for after in replies(position):
        mirrored = after.mirrored()
        entry, other = look_up(KRAUS, after), look_up(KRAUS, mirrored)
        if entry is None:
            assert other is None
            continue
        assert other is not None
        assert entry[1] == other[1]
        text = KRAUS.format(mirrored, other[0])
        if fold(KRAUS, after) != KRAUS.setup(after):
            assert orient(KRAUS, after, KRAUS.format(after, entry[0])) == text
        checked += 1
    assert checked > 10


def test_the_search_plays_from_the_book_immediately() -> None:
    for rules in (KRAUS, PLAIN):
        game = Game(rules)
        reports: list[Report] = []
        move = Search(table_bits=10).search(
            game, Limits(nodes=1), stop=lambda: False, report=reports.append
        )
        entry = look_up(rules, game.position)
        assert entry is not None
        assert move == entry[0]
        assert str(reports[-1].score) == f"exact win {entry[1]}"


def test_positions_off_the_book_are_unknown() -> None:
    assert look_up(PLAIN, PLAIN.start("WWWBB/...../..N../...../BBBWW b")) is None


def test_the_book_is_small() -> None:
    size = len(files("engines.neutron").joinpath("data", "book.txt").read_bytes())
    assert 10_000 < size < 300_000
