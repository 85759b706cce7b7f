from engines.morris.tables import store
from engines.morris.tables.library import SHIPPED
from tests.engines.morris.solutions import MARK, Built


def test_what_ships_is_what_is_built(built: Built) -> None:
    for own, enemy in ((3, 3), (4, 3), (3, 4)):
        name = store.name(own, enemy, "depth")
        ours, theirs = (store.read_header(place / name) for place in (SHIPPED, built[0] / MARK))
        assert (ours.crc, ours.entries) == (theirs.crc, theirs.entries)


def test_shipped_tables_are_of_at_most_three_megabytes() -> None:
    assert sum(path.stat().st_size for path in SHIPPED.iterdir()) <= 3_000_000
