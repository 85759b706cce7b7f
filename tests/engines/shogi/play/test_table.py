from engines.shogi.play.search import Task, Thinker
from engines.shogi.play.table import TranspositionTable
from engines.shogi.play.worker import Worker
from engines.shogi.rules.sfen import START, parse_sfen


def searched(table: TranspositionTable, depth: int) -> int:
    """Search the start position and return the nodes."""
    worker = Worker(parse_sfen(START), table)
    worker.set_root(parse_sfen(START).legal_moves())
    worker.search_root(depth, -1000, 1000, 0)
    return worker.nodes


def test_a_search_fills_the_table_and_another_profits_from_it() -> None:
    table = TranspositionTable(1)
    table.grow_older()
    assert table.fullness() == 0
    nodes = searched(table, 4)
    full = table.fullness()
    assert 0 < full <= 1000
    assert searched(table, 4) < nodes / 2
    table.grow_older()
    assert table.fullness() == 0  # The entries are there, but of an earlier search.
    assert searched(table, 4) < nodes / 2


def test_an_empty_table_has_forgotten_everything() -> None:
    table = TranspositionTable(1)
    table.grow_older()
    nodes = searched(table, 4)
    table.clear()
    table.grow_older()
    assert table.fullness() == 0
    assert searched(table, 4) == nodes


def test_a_halted_table_stops_searches_until_it_is_released() -> None:
    table = TranspositionTable(1)
    table.halt()
    halted = searched(table, 3)
    table.release()
    assert halted <= 2 < searched(table, 3)


def test_mates_are_counted_from_the_root_wherever_the_table_found_them() -> None:
    """The entry of a mate in three is met two plies later in the game, as a mate in one."""
    thinker = Thinker(1)
    position = parse_sfen("5n1k1/5G3/9/6+R2/9/9/9/9/9 b 2NPg 1", tolerate="rule")
    first = thinker.think(Task(position, lambda: False, depth=7))[0]
    assert first.mate is not None
    assert first.mate == len(first.line) > 1
    for move in first.line[:2]:
        position.play(move)
    later = thinker.think(Task(position, lambda: False, depth=7))[0]
    assert later.mate == first.mate - 2
