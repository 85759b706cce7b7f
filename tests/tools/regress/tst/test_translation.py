from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from engines.core.game import InvalidText
from protocols.ask.framed import FramedClient
from tools.regress.tst.parsing import Step, parse_tst
from tools.regress.tst.pattern import Dialect
from tools.regress.tst.translation import Unknown, translate


def client(*known: str) -> FramedClient:
    fake = SimpleNamespace(name="fake", known=lambda command: command in known)
    return cast(FramedClient, fake)


def step(line: str) -> Step:
    (parsed,) = parse_tst(f"{line}\n", Dialect.STRICT)
    return parsed


@pytest.mark.parametrize(
    ("line", "known", "commands"),
    [
        ("attack D4", ("attack",), ["attack D4"]),
        ("black D4", (), ["play black D4"]),
        ("trymove white D4", (), ["play white D4"]),
        ("popgo", (), ["undo"]),
        ("reg_genmove black", (), ["genmove black"]),
        ("reg_genmove black", ("reg_genmove",), ["reg_genmove black"]),
        ("increase_depths", (), []),
        (
            "restricted_genmove black D4 E5",
            ("lz-genmove_analyze",),
            ["lz-genmove_analyze black 99999 allow black D4,E5 1"],
        ),
    ],
)
def test_unknown_commands_are_replaced(
    line: str, known: tuple[str, ...], commands: list[str]
) -> None:
    sent = list(translate(client(*known), step(line), Path()))
    if "allow" in line or "analyze" in "".join(sent):
        assert [text.split(" allow ")[1] for text in sent] == ["black D4,E5 1"]
    else:
        assert sent == commands


@pytest.mark.parametrize("line", ["attack D4", "restricted_genmove black D4", "black"])
def test_what_cannot_be_replaced_is_named(line: str) -> None:
    with pytest.raises(Unknown, match=f"fake has no command {line.split()[0]}"):
        translate(client(), step(line), Path())


def test_a_record_is_found_beside_its_suite(tmp_path: Path) -> None:
    (tmp_path / "game.sgf").write_text("(;SZ[9];B[ee];W[cc])")
    known = client("loadsgf")
    assert translate(known, step("loadsgf game.sgf 2"), tmp_path) == [
        f"loadsgf {tmp_path / 'game.sgf'} 2"
    ]
    moves = translate(client(), step("loadsgf game.sgf 2"), tmp_path)
    assert "play b E5" in moves
    assert "play w C7" not in moves
    with pytest.raises(InvalidText, match="expected the number of a move"):
        translate(client(), step("loadsgf game.sgf x"), tmp_path)
