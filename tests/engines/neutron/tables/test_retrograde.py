import random
from math import comb

import pytest

from engines.core.storage import allocate
from engines.neutron.rules.board import BOARD, MOST_MOVES, NOWHERE
from engines.neutron.tables import retrograde as module
from engines.neutron.tables.retrograde import LOST, OPEN, WON, Retrograde
from engines.neutron.tables.solve import entries

COMPILED = not module.__file__.endswith(".py")
MEN = 2 if COMPILED else 1
FLIP = [square % 5 + 5 * (4 - square // 5) for square in range(25)]


def flip(men: int) -> int:
    return sum(1 << FLIP[square] for square in range(25) if men >> square & 1)


def solved(men: int, kraus: int) -> Retrograde:
    table = Retrograde(men, kraus, allocate("i", entries(men)))
    table.start()
    while table.sweep(0, table.rows()):
        pass
    return table


def by_layers(kraus: bool) -> dict[tuple[int, int, int], int]:
    """Solve one man a side plainly: a win or loss is only entered after all it rests upon."""
    values: dict[tuple[int, int, int], int] = {}
    positions = [
        (1 << own, 1 << enemy, neutron)
        for own in range(25)
        for enemy in range(25)
        for neutron in range(5, 20)
        if len({own, enemy, neutron}) == 3
    ]
    from array import array

    buffer = array("i", [0] * MOST_MOVES)
    after: dict[tuple[int, int, int], list[int | tuple[int, int, int]]] = {}
    for own, enemy, neutron in positions:
        successors: list[int | tuple[int, int, int]] = []
        for move in buffer[: BOARD.legal_turns(own, enemy, neutron, False, buffer, 0)]:
            to = move >> 5 & 31
            if move >> 15 == NOWHERE:
                successors.append(WON if to < 5 else LOST if to > 19 or kraus else OPEN)
            else:
                moved = own ^ 1 << (move >> 10 & 31) ^ 1 << (move >> 15)
                successors.append((flip(enemy), flip(moved), FLIP[to]))
        after[own, enemy, neutron] = successors
    while True:
        fresh = {}
        for position, successors in after.items():
            if position in values:
                continue
            worth = [-values.get(to, OPEN) if isinstance(to, tuple) else to for to in successors]
            value = max(worth) if worth else (LOST if kraus else OPEN)
            if value != OPEN:
                fresh[position] = value
        if not fresh:
            return values
        values.update(fresh)


@pytest.mark.slow
@pytest.mark.parametrize("kraus", [0, 1])
def test_one_man_a_side_is_solved_as_by_hand(kraus: int) -> None:
    table, values = solved(1, kraus), by_layers(bool(kraus))
    won = sum(value == WON for value in values.values())
    lost = sum(value == LOST for value in values.values())
    assert (won, lost) == table.count(0, table.rows())
    assert len(values) == table.positions()
    assert won > lost > 100
    for (own, enemy, neutron), value in values.items():
        assert table.value(own, enemy, neutron) == value


@pytest.mark.slow
@pytest.mark.compiled("takes minutes")
@pytest.mark.parametrize("kraus", [0, 1])
def test_every_value_of_two_men_a_side_follows_from_the_next_ones(kraus: int) -> None:
    table = solved(2, kraus)
    assert table.positions() == 15 * comb(24, 2) * comb(22, 2)
    pieces = [table.count(row, row + 1) for row in range(table.rows())]
    assert table.count(0, table.rows()) == tuple(map(sum, zip(*pieces, strict=True)))
    assert table.check(20_000, seed=3) == 0


def test_two_tables_share_words_and_marks() -> None:
    table = Retrograde(MEN, 0, allocate("i", entries(MEN)))
    table.start()
    twin = Retrograde(MEN, 0, table.words, table)
    changed = [table.sweep(0, table.rows())]
    assert changed[0] > 100
    while changed[-1]:
        changed.append((twin if len(changed) % 2 else table).sweep(0, table.rows()))
    assert len(changed) > 3
    assert sum(table.changes) == 0
    assert sum(table.marks) == 0


@pytest.mark.parametrize("kraus", [0, 1])
def test_marked_words_are_all_that_can_change(kraus: int) -> None:
    table, plain = solved(MEN, kraus), Retrograde(MEN, kraus, allocate("i", entries(MEN)))
    plain.start()
    while plain.sweep(0, plain.rows()):
        plain.doubt()
    assert bytes(memoryview(table.words)) == bytes(memoryview(plain.words))


def test_after_a_doubt_everything_is_looked_over_again() -> None:
    table = solved(1, 0)
    lost = next(index for index, word in enumerate(table.words) if word >> 16)
    table.words[lost] = 0
    assert table.sweep(0, table.rows()) == 0
    table.doubt()
    assert table.sweep(0, table.rows()) > 0
    assert table.words[lost] >> 16


def test_a_check_finds_wrong_values() -> None:
    words = allocate("i", entries(1))
    table = Retrograde(1, 0, words)
    table.start()
    while table.sweep(0, table.rows()):
        pass
    for index in range(0, len(words), 2):
        words[index] = 0
    assert table.check(500, seed=3) > 20


def test_mirror_images_share_their_values() -> None:
    table = solved(1, 0)
    generator = random.Random(4)
    for _ in range(200):
        own, enemy = generator.sample([*range(5), *range(20, 25)], 2)
        neutron = generator.randrange(5, 20)
        mirrored = [square + 4 - 2 * (square % 5) for square in (own, enemy, neutron)]
        assert table.value(1 << own, 1 << enemy, neutron) == table.value(
            1 << mirrored[0], 1 << mirrored[1], mirrored[2]
        )


@pytest.mark.compiled("needs 1.7 GB of memory in huge steps")
def test_sweeps_over_a_few_rows_of_the_whole_game_find_only_what_is_so() -> None:
    words = allocate("i", entries(5))
    table = Retrograde(5, 1, words)
    assert table.rows() == 26728
    assert table.sweep(13_000, 13_002) > 1000
    generator = random.Random(5)
    decided = 0
    block = comb(20, 5)
    for _ in range(300):
        squares = generator.sample(range(25), 11)
        neutron = 5 + squares[10] % 15
        own = sum(1 << square for square in squares[:5] if square != neutron)
        enemy = sum(1 << square for square in squares[5:10] if square != neutron)
        if bin(own).count("1") == bin(enemy).count("1") == 5:
            value = table.value(own, enemy, neutron)
            decided += value != OPEN
            assert value in (OPEN, table.expected(own, enemy, neutron))
    assert any(words[13_000 * block : 13_002 * block])
