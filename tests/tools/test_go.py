import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engines import registry
from engines.core.game import Game, InvalidText
from engines.core.sgf import read_sgf
from engines.core.timing import TimeControl
from engines.go.rules import handicap_moves
from engines.go.ruleset import RULE_SETS
from tests.programs import peer
from tools import go
from tools.engines import EngineSpec
from tools.record import Verdict, to_sgf
from tools.referee import GameSpec, play_game
from tools.seat import Crew

# Plays its moves in turn, whatever is asked of it.
SCRIPTED = """
import sys
moves = sys.argv[1:]
for line in sys.stdin:
    number, name, *words = line.split()
    text = {"protocol_version": "2", "name": "scripted", "version": "1"}.get(name, "")
    if name == "list_commands":
        text = "boardsize\\nclear_board\\nkomi\\nplay\\ngenmove"
    if name == "genmove":
        text = moves.pop(0)
    if name == "komi":
        assert words == ["7.5"]
    if name == "boardsize":
        assert words == ["5"]
    print(f"={number} {text}\\n", flush=True)
"""


def scripted(label: str, *moves: str) -> EngineSpec:
    return EngineSpec(label, (sys.executable, "-c", SCRIPTED, *moves), "gtp", "go")


def game(first: EngineSpec, second: EngineSpec) -> GameSpec:
    clock = TimeControl.parse("60")
    return GameSpec("go", "tromp-taylor", 5, (first, second), (clock, clock))


def test_points_in_sgf_and_back() -> None:
    rules = registry.rules("go", "", 19)
    for ours, sgf in (("Q16", "pd"), ("A1", "as"), ("T19", "sa"), ("pass", "")):
        assert go.format_point(ours, rules) == sgf
        assert go.parse_point(sgf, rules) == ours
    assert go.parse_point("tt", rules) == "pass"
    assert go.parse_point("zz", rules) == "zz"


def test_size_komi_and_rules_are_told() -> None:
    name, settings = go.settings(Game(registry.rules("go", "japanese", 9)))
    assert (name, settings["size"], settings["komi"]) == ("japanese", "9", "6.5")
    assert '"scoring":"TERRITORY"' in settings["rules"]
    assert settings["kgs-rules"] == "japanese"


def test_what_kgs_has_no_name_for_is_not_told_by_one() -> None:
    for variant, name in (("cgos", ""), ("tromp-taylor", ""), ("new-zealand", "new_zealand")):
        assert go.settings(Game(registry.rules("go", variant, 9)))[1]["kgs-rules"] == name


def test_a_handicap_is_told_by_its_points() -> None:
    rules: Any = registry.rules("go", "", 9)
    setup = go.setup_handicap(rules, handicap_moves(9, 9, 3), 0.5)
    _, settings = go.settings(Game(rules, setup))
    assert (settings["handicap"], settings["komi"]) == ("C7 G7 C3", "0.5")


@pytest.mark.parametrize("setup", ["OX7/9/9/9/9/9/9/9/9 w", "X8/9/9/9/9/9/9/9/9 b"])
def test_a_set_up_that_is_no_handicap_cannot_be_told(setup: str) -> None:
    with pytest.raises(InvalidText, match="cannot be told in GTP"):
        go.settings(Game(registry.rules("go", "", 9), setup))


def test_gnu_go_has_flags_for_the_rules() -> None:
    flags = {
        name: " ".join(go.rules_flags(rules)).replace("--", "") for name, rules in RULE_SETS.items()
    }
    assert flags["chinese"] == flags["cgos"] == "chinese-rules positional-superko"
    assert flags["tromp-taylor"] == "chinese-rules positional-superko allow-suicide"
    assert flags["aga"] == "chinese-rules situational-superko"
    assert flags["new-zealand"] == "chinese-rules situational-superko allow-suicide"
    assert flags["japanese"] == flags["korean"] == "japanese-rules"


def test_two_passes_are_counted_and_recorded() -> None:
    crew = Crew()
    record = play_game(game(scripted("a", "C3", "pass"), scripted("b", "pass")), crew)
    crew.close()
    assert record.verdict == Verdict.NATURAL
    assert record.outcome.reason == "B+17.5"
    root, *nodes = read_sgf(to_sgf(record, ("black", "white")))
    found = [root[key] for key in ("GM", "SZ", "KM", "RU", "RE")]
    assert found == [["1"], ["5"], ["7.5"], ["Tromp-Taylor"], ["B+17.5"]]
    assert [node.get("B", node.get("W")) for node in nodes] == [["cc"], [""], [""]]


def test_a_breach_of_superko_is_a_verdict_of_its_own() -> None:
    crew = Crew()
    # Black's two stones kill themselves in White's eye: the board is what it was before them.
    black = scripted("a", "E5", "E4", "E3", "A1", "B1")
    white = scripted("b", "A2", "B2", "C1", "pass")
    record = play_game(game(black, white), crew)
    crew.close()
    assert (record.verdict, record.outcome.winner) == (Verdict.SUPERKO, 1)
    assert record.outcome.reason == "illegal move B1: superko"
    assert record.offence == "B1"


def test_an_occupied_point_is_no_superko() -> None:
    crew = Crew()
    record = play_game(game(scripted("a", "A1"), scripted("b", "A1")), crew)
    crew.close()
    assert (record.verdict, record.outcome.winner) == (Verdict.ILLEGAL, 0)


@pytest.mark.peer("gnugo")
def test_gnu_go_plays_a_game() -> None:
    command = (peer("gnugo"), "--mode", "gtp", "--level", "1")
    rules = ("--chinese-rules", "--positional-superko")
    one = EngineSpec("gnugo", (*command, *rules), "gtp", "go")
    clock = TimeControl.parse("60")
    crew = Crew()
    spec = GameSpec("go", "", 7, (one, replace(one, label="other")), (clock, clock))
    record = play_game(spec, crew)
    crew.close()
    assert record.verdict in (Verdict.NATURAL, Verdict.RESIGN)
    assert record.players[0].name == "GNU Go"
    assert Path(command[0]).name == "gnugo"


@pytest.mark.parametrize(
    ("record", "told"),
    [
        (b"(;SZ[9];B[cc];W[])", ["C7", "pass"]),
        (b"(;SZ[9]QP[komi=6];B[tt])", ["pass"]),
        (b"(;SZ[9]HA[2]QP[6X2/9/9/9/9/9/2X6/9/9 w handicap=2]AB[gc];W[ee])", ["E5"]),
        (b"(;SZ[19];B[cc])", "its board is SZ[19]; this match is on 9"),
        (b"(;GM[2]SZ[9];B[cc])", "not a game of Go: GM[2]"),
        (b"(;SZ[9]AB[cc];W[dd])", "stones are set up in it; an opening is moves (see --handicap)"),
        (b"(;SZ[9];B[cc];B[dd])", "move 2 is black's out of turn"),
    ],
)
def test_an_opening_is_moves_in_turn(record: bytes, told: list[str] | str) -> None:
    rules = registry.rules("go", "", 9)
    if isinstance(told, list):
        assert go.opening_moves(read_sgf(record), rules) == told
        return
    with pytest.raises(InvalidText) as raised:
        go.opening_moves(read_sgf(record), rules)
    assert str(raised.value) == told
