import subprocess
from collections import Counter
from pathlib import Path
from typing import cast

import pytest

from engines.core.game import InvalidText
from protocols.ask.detect import FramedClient
from tests.programs import gnugo_suites, peer
from tools.regress.tst.loading import Loaded, load
from tools.regress.tst.parsing import read_tst


class Knowing:
    """All that lowering asks of a client: which commands are listed."""

    def __init__(self, *commands: str) -> None:
        self.commands = commands

    def known(self, command: str) -> bool:
        return command in self.commands


def commands(loaded: Loaded, *known: str) -> list[str]:
    return loaded.commands(cast(FramedClient, Knowing(*known)))


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return tmp_path / "a.sgf"


def test_moves_up_to_one_are_played(record: Path) -> None:
    record.write_text("(;SZ[9]KM[6.5];B[aa];W[bb];B[];W[cc])")
    assert commands(load(record, 4)) == [
        "boardsize 9",
        "clear_board",
        "komi 6.5",
        "play b A9",
        "play w B8",
        "play b pass",
    ]
    assert load(record, 1).moves == []
    assert len(load(record).moves) == 4
    assert len(load(record, 99).moves) == 4


def test_the_first_variation_is_the_line(record: Path) -> None:
    record.write_text("(;SZ[9];B[aa](;W[bb](;B[cc])(;B[dd]))(;W[ee]))")
    assert [vertex for _, vertex in load(record).moves] == ["A9", "B8", "C7"]


def test_stones_that_are_set_up_stand_first(record: Path) -> None:
    record.write_text("(;SZ[9]AB[aa][bb:cb]AW[ii]PL[W];W[ee])")
    loaded = load(record)
    assert commands(loaded)[3:] == [
        *("play b A9", "play b B8", "play b C8", "play w J1", "play w E5")
    ]
    assert commands(loaded, "set_position")[3:] == [
        "set_position b A9 b B8 b C8 w J1",
        "play w E5",
    ]


def test_handicap_stones_are_told_as_such_where_that_is_known(record: Path) -> None:
    record.write_text("(;SZ[9]HA[2]AB[gc][cg];W[ee])")
    assert commands(load(record), "set_free_handicap")[2:] == [
        *("komi 0.5", "set_free_handicap G7 C3", "play w E5")
    ]
    assert commands(load(record))[3] == "play b G7"
    record.write_text("(;SZ[9]HA[2];W[ee])")
    assert commands(load(record))[3] == "fixed_handicap 2"


def test_stones_may_come_and_go_between_moves(record: Path) -> None:
    record.write_text("(;SZ[9];B[aa];AW[bb];W[cc];AE[aa];B[dd])")
    assert load(record, 2).moves == [("b", "A9"), ("w", "B8")]
    loaded = load(record)
    assert loaded.stones == [("w", "B8"), ("w", "C7")]
    assert loaded.moves == [("b", "D6")]


def test_a_move_onto_a_stone_ends_the_line_as_in_gnu_go(record: Path) -> None:
    record.write_text("(;SZ[9];B[aa];W[aa];B[bb])")
    assert load(record).moves == [("b", "A9")]
    record.write_text("(;SZ[9];B[zz];W[aa])")
    assert load(record).moves == []


def test_captured_points_may_be_played_again(record: Path) -> None:
    record.write_text("(;SZ[5];B[aa];W[ba];B[ee];W[ab];B[dd];W[aa])")
    assert load(record).moves[-1] == ("w", "A5")


def test_a_rectangular_board_has_a_command_of_its_own(record: Path) -> None:
    record.write_text("(;SZ[9:13])")
    assert commands(load(record))[0] == "boardsize 9 13"
    assert commands(load(record), "rectangular_boardsize")[0] == "rectangular_boardsize 9 13"


def test_a_record_that_is_not_closed_is_read_all_the_same(record: Path) -> None:
    record.write_text("junk before (;SZ[9];B[aa](;W[bb]")
    assert len(load(record).moves) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not an SGF record"),
        ("(;SZ[big])", "unacceptable size"),
        ("(;SZ[99])", "unacceptable size"),
        ("(;SZ[9]AB[a])", "not a point"),
        ("(;SZ[9]AB[zz])", "off the board"),
    ],
)
def test_what_is_no_record_of_go_is_refused(record: Path, text: str, message: str) -> None:
    record.write_text(text)
    with pytest.raises(InvalidText, match=f"a.sgf: .*{message}"):
        load(record)


def test_a_missing_record_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidText, match=r"none.sgf: No such file"):
        load(tmp_path / "none.sgf")


def test_gnu_go_stands_where_its_own_loadsgf_would_put_it() -> None:
    gnugo, folder = peer("gnugo"), gnugo_suites()
    uses = [
        step.args
        for file in sorted(folder.glob("*.tst"))
        for step in read_tst(file)
        if step.name == "loadsgf" and not step.args[0].endswith("endgame1.sgf")
    ]
    chosen = sorted(Counter(uses))[::25]
    assert len(chosen) > 60
    lines = []
    for args in chosen:
        loaded = load(folder / args[0], int(args[1]) if len(args) > 1 else 0)
        native = " ".join(("loadsgf", *args))
        for way in ([native], commands(loaded, "set_free_handicap")):
            lines += [*way, "list_stones black", "list_stones white", "query_boardsize", "get_komi"]
            lines.append("echo done")
    done = subprocess.run(
        [gnugo, "--mode", "gtp", "--quiet"],
        input="\n".join([*lines, "quit", ""]),
        capture_output=True,
        text=True,
        cwd=folder,
        check=True,
        timeout=120,
    )
    blocks = [block.strip() for block in done.stdout.split("\n\n")]
    groups, current = [], list[str]()
    for block in blocks:
        if block == "= done":
            groups.append([" ".join(sorted(text.split())) for text in current[-4:]])
            current = []
        else:
            current.append(block)
    assert len(groups) == 2 * len(chosen)
    wrong = [
        args
        for args, native, lowered in zip(chosen, groups[::2], groups[1::2], strict=True)
        if native != lowered
    ]
    assert not wrong
