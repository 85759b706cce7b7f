import random

from engines.morris.tables import store
from engines.morris.tables.index import Index
from engines.morris.tables.lookup import UNKNOWN, Tables
from engines.morris.tables.oracle import Oracle
from tests.engines.morris.solutions import MARK, Built


def test_the_positions_one_move_away_from_a_table_are_known(built: Built) -> None:
    index = Index()
    whole, half = Tables(), Tables()
    for own, enemy in ((3, 3), (4, 3), (3, 4)):
        path = built[0] / MARK / store.name(own, enemy, "depth")
        _, cells = store.load(path, MARK, own, enemy, index.entries(own, enemy))
        whole.hold(own, enemy, "depth", cells)
        if own >= enemy:
            half.hold(own, enemy, "depth", cells)
    oracle = Oracle(half, flying=True, doubles=False)
    assert oracle.refresh() == 7
    chance = random.Random(7)
    for _ in range(3_000):
        men = index.position(3, 4, chance.randrange(index.entries(3, 4)))
        assert half.probe(*men) == UNKNOWN
        assert oracle.value(*men) == whole.probe(*men)
    assert oracle.value(0b11111, 0b111 << 8) == UNKNOWN
