import sys
from dataclasses import replace
from pathlib import Path

import pytest

from engines import registry
from engines.core.game import Game, InvalidText
from engines.core.sgf import read_sgf
from engines.core.timing import TimeControl
from engines.go.rules.ruleset import RULE_SETS
from engines.go.rules.text import handicap_moves
from protocols.ask.engine import EngineSpec
from tests.programs import peer
from tools.match.referee import play_game
from tools.records.game import Verdict
from tools.records.go import go_rules
from tools.records.sgf import to_sgf
from tools.roster.seats import EnginePool
from tools.terms import go
from tools.terms.spec import GameSpec

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


def test_size_komi_and_rules_are_told() -> None:
    name, settings = go.settings(Game(go_rules(registry.rules("go", "japanese", 9))))
    assert (name, settings["size"], settings["komi"]) == ("japanese", "9", "6.5")
    assert '"scoring":"TERRITORY"' in settings["rules"]
    assert settings["kgs-rules"] == "japanese"


def test_what_kgs_has_no_name_for_is_not_told_by_one() -> None:
    for variant, name in (("cgos", ""), ("tromp-taylor", ""), ("new-zealand", "new_zealand")):
        assert go.settings(Game(go_rules(registry.rules("go", variant, 9))))[1]["kgs-rules"] == name


def test_a_handicap_is_told_by_its_points() -> None:
    rules = go_rules(registry.rules("go", "", 9))
    setup = go.setup_handicap(rules, handicap_moves(9, 9, 3), 0.5)
    _, settings = go.settings(Game(rules, setup))
    assert (settings["handicap"], settings["komi"]) == ("C7 G7 C3", "0.5")


@pytest.mark.parametrize("setup", ["OX7/9/9/9/9/9/9/9/9 w", "X8/9/9/9/9/9/9/9/9 b"])
def test_a_set_up_that_is_no_handicap_cannot_be_told(setup: str) -> None:
    with pytest.raises(InvalidText, match="cannot be sent in GTP"):
        go.settings(Game(go_rules(registry.rules("go", "", 9)), setup))


def test_gnu_go_has_flags_for_the_rules() -> None:
    flags = {
        name: " ".join(go.gnugo_flags(rules)).replace("--", "") for name, rules in RULE_SETS.items()
    }
    assert flags["chinese"] == flags["cgos"] == "chinese-rules positional-superko"
    assert flags["tromp-taylor"] == "chinese-rules positional-superko allow-suicide"
    assert flags["aga"] == "chinese-rules situational-superko"
    assert flags["new-zealand"] == "chinese-rules situational-superko allow-suicide"
    assert flags["japanese"] == flags["korean"] == "japanese-rules"


def test_two_passes_are_counted_and_recorded() -> None:
    pool = EnginePool()
    record = play_game(game(scripted("a", "C3", "pass"), scripted("b", "pass")), pool)
    pool.close()
    assert record.verdict == Verdict.NATURAL
    assert record.outcome.reason == "B+17.5"
    root, *nodes = read_sgf(to_sgf(record, ("black", "white")))
    properties = [root[key] for key in ("GM", "SZ", "KM", "RU", "RE")]
    assert properties == [["1"], ["5"], ["7.5"], ["Tromp-Taylor"], ["B+17.5"]]
    assert [node.get("B", node.get("W")) for node in nodes] == [["cc"], [""], [""]]


def test_a_breach_of_superko_is_a_verdict_of_its_own() -> None:
    pool = EnginePool()
    # Black's two stones kill themselves in White's eye: the board is what it was before them.
    black = scripted("a", "E5", "E4", "E3", "A1", "B1")
    white = scripted("b", "A2", "B2", "C1", "pass")
    record = play_game(game(black, white), pool)
    pool.close()
    assert (record.verdict, record.outcome.winner) == (Verdict.SUPERKO, 1)
    assert record.outcome.reason == "illegal move B1: superko"
    assert record.offence == "B1"


def test_an_occupied_point_is_no_superko() -> None:
    pool = EnginePool()
    record = play_game(game(scripted("a", "A1"), scripted("b", "A1")), pool)
    pool.close()
    assert (record.verdict, record.outcome.winner) == (Verdict.ILLEGAL, 0)


def test_a_move_is_recorded_and_sent_in_our_own_spelling() -> None:
    pool = EnginePool()
    record = play_game(game(scripted("a", "c3", "pass"), scripted("b", "PASS")), pool)
    pool.close()
    assert [move.text for move in record.moves] == ["C3", "pass", "pass"]


def test_letters_of_other_scripts_are_no_move() -> None:
    pool = EnginePool()
    record = play_game(game(scripted("a", "\u017f1"), scripted("b", "pass")), pool)  # Long s.
    pool.close()
    assert (record.verdict, record.outcome.winner) == (Verdict.ILLEGAL, 1)
    assert record.outcome.reason.endswith("it is not ASCII text")


@pytest.mark.slow
@pytest.mark.peer("gnugo")
def test_gnu_go_plays_a_game() -> None:
    command = (peer("gnugo"), "--mode", "gtp", "--level", "1")
    rules = ("--chinese-rules", "--positional-superko")
    one = EngineSpec("gnugo", (*command, *rules), "gtp", "go")
    clock = TimeControl.parse("60")
    pool = EnginePool()
    spec = GameSpec("go", "", 7, (one, replace(one, label="other")), (clock, clock))
    record = play_game(spec, pool)
    pool.close()
    assert record.verdict in (Verdict.NATURAL, Verdict.RESIGN)
    assert record.players[0].name == "GNU Go"
    assert Path(command[0]).name == "gnugo"
