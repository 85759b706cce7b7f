"""What a record loses in a format."""

from dataclasses import replace

import pytest

from engines.shogi.rules.records.csa import read_csa, write_csa
from engines.shogi.rules.records.kif import read_kif, write_kif
from engines.shogi.rules.records.record import Ending, Grower, Record
from tools.records.losses import find_losses, same_game

KIF = """場所：東京
持ち時間：10分+30秒
掲載：新聞
先手：A
*はじめ
1 ７六歩(77) (0:05/00:00:05)
*よい手
&しおり
2 ３四歩(33)
3 封じ手
変化：2手
2 ８四歩(83)
3 ２六歩(27)
変化：3手
3 ５六歩(57)
"""


def test_nothing_is_lost_in_the_same_format() -> None:
    record = read_kif(KIF)
    assert find_losses(record, read_kif(write_kif(record)), "KIF") == []


def test_each_thing_that_csa_cannot_hold_is_counted() -> None:
    record = read_kif(KIF)
    copy = read_csa(write_csa(record))
    assert same_game(record, copy)
    assert sorted(str(loss) for loss in find_losses(record, copy, "CSA")) == [
        "1 bookmark left out: CSA has none",
        "1 ending changed: CSA writes sealed move as interrupt",
        "1 header left out: CSA has no place for 掲載",
        "2 variations left out: CSA has none",
    ]


def test_characters_that_a_character_set_lacks_are_counted() -> None:
    record = read_kif("先手：Ōyama\n1 ７六歩(77)\n*ｱéŁ\n2 投了\n")
    losses = find_losses(record, read_kif(write_kif(record)), "KIF")
    assert sorted(map(str, losses)) == [
        "1 comment changed: KIF cannot express all of it",
        "1 name changed: KIF cannot express all of it",
    ]


def test_times_and_the_number_of_the_first_move_are_compared() -> None:
    record = Record.from_usi("position startpos moves 7g7f 3c3d")
    first, second = record.main_line()
    first.seconds, second.seconds = 1.5, 2.0
    numbered = replace(record, start=record.start[:-1] + "7")
    losses = find_losses(numbered, read_kif(write_kif(record)), "KIF")
    assert sorted(map(str, losses)) == [
        "1 number of the first move left out: KIF begins with 1",
        "1 time changed: KIF has whole seconds",
    ]


@pytest.mark.parametrize("ending", Ending)
def test_every_ending_is_kept_or_told(ending: Ending) -> None:
    record = Record()
    Grower(record).end(ending)
    for read, write in ((read_kif, write_kif), (read_csa, write_csa)):
        copy = read(write(record))
        losses = find_losses(record, copy, "X")
        assert [loss.thing for loss in losses] == ["ending"] * (copy.ending() is not ending)


def test_another_game_is_not_the_same() -> None:
    one = Record.from_usi("position startpos moves 7g7f")
    assert not same_game(one, Record.from_usi("position startpos moves 2g2f"))
    assert not same_game(one, Record.from_usi("position startpos moves 7g7f 3c3d"))
    assert not same_game(one, Record("4k4/9/9/9/9/9/9/9/4K4 b - 1", root=one.root))
