"""From each format of shogi to each other one: everything is kept, or said to be lost."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.core.sgf import read_sgf
from engines.shogi.rules.records.record import Ending, Node, Record
from engines.shogi.rules.sfen import START, handicap_names, handicap_sfen
from tests.engines.shogi.rules.records.test_kif import COMPILED, grow
from tests.tools.records.speed import go_records
from tools.records.converting import convert_data, targets_of
from tools.records.reading import READERS, WRITERS

FORMATS = [name for name in targets_of("kif") if f".{name}" in WRITERS]
STARTS = [START, *(handicap_sfen(name) for name in handicap_names())]
STARTS.append("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1")


def tree(node: Node) -> list[object]:
    own = [node.move, node.ending, node.seconds, list(filter(None, node.comments)), node.bookmark]
    return [*own, *(tree(child) for child in node.children)]


def whole(record: Record) -> list[object]:
    start = record.start.split()
    return [start, record.black, record.white, record.headers, tree(record.root)]


def sample(seed: int) -> Record:
    record = grow(STARTS[seed % len(STARTS)], seed)
    record.black, record.white = "一人", "Engine B"
    record.headers = {"開始日時": "2026/11/19 10:00:00", "掲載": "新聞"} if seed % 2 else {}
    last = record.main_line()[-1:]
    if last and last[0].ending is not None:
        last[0].ending = list(Ending)[seed % len(Ending)]
    return record


def read(data: bytes, name: str) -> Record:
    return READERS[f".{name}"](data)[0]


@pytest.mark.parametrize(("source", "target"), list(product(FORMATS, FORMATS)))
def test_what_is_not_kept_is_said(source: str, target: str) -> None:
    @given(st.integers(0, 2**32))
    @settings(deadline=None, max_examples=8 if COMPILED else 1)
    def check(seed: int) -> None:
        data = WRITERS[f".{source}"](sample(seed))
        before = read(data, source)
        conversion = convert_data(data, source, target)
        after = read(conversion.files[0], target)
        assert after.moves() == before.moves()
        assert after.start.split()[:3] == before.start.split()[:3]
        assert (whole(after) == whole(before)) == (not conversion.losses), conversion.losses
        # What is left passes through the same format again without a loss, and to the byte.
        again = convert_data(conversion.files[0], target, target)
        assert again.losses == []
        assert again.files[0] == conversion.files[0]

    check()


@pytest.mark.parametrize("target", FORMATS)
def test_kif_and_ki2_keep_variations_and_the_others_count_them(target: str) -> None:
    text = "1 ７六歩(77)\n2 ３四歩(33)\n変化：2手\n2 ８四歩(83)\n変化：1手\n1 ２六歩(27)\n"
    conversion = convert_data(text.encode(), "kif", target)
    lost = [loss for loss in conversion.losses if loss.thing == "variation"]
    kept = target.startswith(("kif", "ki2", "jkf"))
    assert [loss.count for loss in lost] == ([] if kept else [2])


@pytest.mark.parametrize("source", ["gib", "ngf", "ugf"])
def test_a_record_of_a_go_server_keeps_its_moves_as_sgf(source: str) -> None:
    @given(st.integers(0, 2**32))
    @settings(deadline=None, max_examples=8 if COMPILED else 1)
    def check(seed: int) -> None:
        records = go_records(seed)
        conversion = convert_data(records[f".{source}"], source, "sgf")
        moves = read_sgf(conversion.files[0])[1:]
        assert moves == read_sgf(records[".sgf"])[1:]
        again = convert_data(conversion.files[0], "sgf", "sgf")
        assert (again.files, again.notices) == (conversion.files, [])

    check()
