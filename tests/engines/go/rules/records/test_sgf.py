from pathlib import Path

import pytest
from sgfmill import sgf

from engines.core.game import InvalidText
from engines.core.sgf import read_sgf
from engines.go.rules.records.sgf import format_game, parse_game, walk
from engines.go.rules.ruleset import RULE_SETS
from engines.go.rules.text import GoRules, make_rules
from tests import programs
from tests.mutants import mutants

RECORDS = programs.RECORDS / "sgf"


def vertices(data: bytes, before: int = 0) -> list[str]:
    rules, position = parse_game(data, before)
    return [f"{' bw'[colour]} {rules.format_vertex(move)}" for colour, move in position.played]


def test_a_record_is_replayed_to_its_last_move() -> None:
    data = b"(;GM[1]SZ[9]KM[6.5]RU[Japanese];B[ee];W[cc];B[];W[tt];B[aa])"
    assert vertices(data) == ["b E5", "w C7", "b pass", "w pass", "b A9"]
    rules, position = parse_game(data)
    assert rules.rules.name == "japanese"
    assert position.komi == 6.5


def test_the_position_before_a_move_is_found() -> None:
    data = b"(;SZ[9];B[ee];W[cc];B[gg])"
    assert vertices(data, 1) == []
    assert vertices(data, 3) == ["b E5", "w C7"]
    assert len(vertices(data, 99)) == 3


@pytest.mark.parametrize(
    ("written", "komi"),
    [
        ("RU[Chinese]KM[375]", 7.5),
        ("RU[Chinese]KM[325]", 6.5),
        ("KM[0]", 0.0),
        ("RU[Japanese]KM[650]", 6.5),
        ("KM[-99.5]", -99.5),
    ],
)
def test_komi_in_hundredths_is_the_fox_servers(written: str, komi: float) -> None:
    _, position = parse_game(f"(;GM[1]SZ[19]{written}AP[foxwq];B[pd])".encode())
    assert position.komi == komi


def test_set_ups_handicaps_and_the_first_side_are_kept() -> None:
    rules, position = parse_game(b"(;SZ[9]HA[2]AB[cc][gg]AW[aa:ba];W[ee])")
    assert position.handicap == 2
    assert position.turn == 0
    assert position.setup_stones() == [(2, 0), (2, 1), (1, 20), (1, 60)]
    _, position = parse_game(b"(;SZ[5]AB[aa]PL[W])")
    assert position.turn == 1
    assert rules.width == 9
    _, position = parse_game(b"(;SZ[9];AB[cc]AW[gg];B[ee])")
    assert len(position.setup_stones()) == 2


def test_whose_turn_it_is_on_an_empty_board_is_kept() -> None:
    rules, position = parse_game(b"(;SZ[9]PL[W])")
    assert parse_game(format_game(rules, position))[1].turn == 1
    assert b"PL" not in format_game(rules, rules.start())


def test_stones_set_up_between_moves_are_taken_and_the_game_goes_on() -> None:
    data = b"(;SZ[9]KM[6.5]RU[Japanese];B[ba];W[aa];B[ab];AE[ba]AW[ee:ef]AB[ab];PL[W];W[cc];B[dd])"
    rules, position = parse_game(data)
    assert rules.setup(position) == "9/X8/2O6/3X5/4O4/4O4/9/9/9 w komi=6.5 captured=0,1"
    assert vertices(data) == ["w C7", "b D6"]
    assert position.first_turn() == 1
    assert vertices(data, 2) == ["b B9"]
    assert rules.setup(parse_game(data, 4)[1]) == "9/X8/9/9/4O4/4O4/9/9/9 w komi=6.5 captured=0,1"


def test_stones_set_up_at_the_end_or_in_many_nodes_are_taken() -> None:
    rules, position = parse_game(b"(;SZ[5];AB[aa];AE[aa]AW[bb];B[cc];AE[cc];AB[dd])")
    assert rules.setup(position) == "5/1O3/5/3X1/5 w komi=7.5"
    rules, position = parse_game(b"(;SZ[5]HA[2];AB[aa][bb])")
    assert rules.setup(position).endswith(" w komi=7.5 handicap=2")


def test_what_changes_nothing_keeps_the_history() -> None:
    assert vertices(b"(;SZ[5];B[aa];AE[ee];W[bb];PL[B];B[cc])") == ["b A5", "w B4", "b C3"]


def test_the_main_line_is_read_and_text_before_the_tree_skipped() -> None:
    assert vertices(b"hello (;SZ[9];B[ee](;W[cc])(;W[dd]))") == ["b E5", "w C7"]
    assert vertices(b"\xef\xbb\xbf(;SZ[9];B[ee])") == ["b E5"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not an SGF record"),
        (b"hello", "not an SGF record"),
        (b"(;GM[2]SZ[8];B[aa])", r"not a game of Go: GM\[2\]"),
        (b"(;SZ[1])", r"unacceptable size: SZ\[1\]"),
        (b"(;SZ[9:99])", "unacceptable size"),
        (b"(;SZ[x])", "unacceptable size"),
        (b"(;SZ[9]KM[x])", "komi is no number"),
        (b"(;SZ[9];B[ee];W[ee])", "move 2, E5: point is occupied"),
        (b"(;SZ[9];B[zz])", "move 1: 'zz' is off the board"),
        (b"(;SZ[9];B[e])", "move 1: no point: 'e'"),
        (b"(;SZ[9]AB[ab][ba];W[aa])", "move 1, A9: suicide"),
        (b"(;SZ[9]AB[aa]AW[aa])", "A9 is named twice in the set-up"),
        (b"(;SZ[9]AB[ab][ba]AW[aa])", "A9 has no liberty in the set-up"),
        (b"(;SZ[9]AB[])", "the set-up: no point"),
        (b"(;SZ[9];B[ab];AB[ba]AW[aa])", "A9 has no liberty in the set-up after move 1"),
        (b"(;SZ[9];B[ab];AB[ba]AE[ba])", "B9 is named twice in the set-up after move 1"),
        (b"(;SZ[9];B[ee];AW[ee];W[ee])", "move 2, E5: point is occupied"),
        (b"(;SZ[" + b"9" * 5_000 + b"])", "unacceptable size"),
        (b"(;SZ[9];B[ee" + b"e" * 1_000_000 + b"])", "move 1: no point"),
    ],
)
def test_what_is_no_game_is_refused_with_the_place(data: bytes, message: str) -> None:
    with pytest.raises(InvalidText, match=message):
        parse_game(data)


@pytest.mark.parametrize(("width", "height"), [(9, 9), (5, 7), (19, 19), (25, 25)])
def test_what_is_written_is_read_alike_by_us_and_by_sgfmill(width: int, height: int) -> None:
    rules = GoRules(RULE_SETS["japanese"], width, height)
    position = rules.start()
    position.put([(1, 0), (2, 7)], 1)
    position.komi = -3.5
    for move in (width + 1, width * height, width * height - 1):
        position.play(move)
    data = format_game(rules, position, "B+R")
    again, replayed = parse_game(data)
    assert replayed.played == position.played
    assert replayed.setup_stones() == position.setup_stones()
    assert (again.width, again.height, replayed.komi) == (width, height, -3.5)
    if width == height:
        game = sgf.Sgf_game.from_bytes(data)
        assert game.get_size() == width
        assert game.get_winner() == "b"
        assert [node.get_move()[0] for node in game.main_sequence_iter()][1:] == ["w", "b", "w"]


@pytest.mark.skipif(
    not RECORDS.is_dir(), reason="there are no records of other programs (QUINTET_RECORDS)"
)
def test_records_of_other_programs_are_read() -> None:
    read = 0
    for path in sorted(RECORDS.glob("*.sgf")):
        _, position = parse_game(path.read_bytes())
        read += len(position.played) > 0
    assert read >= 5


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("New Zealand", "new-zealand"),  # KGS.
        ("NZ", "new-zealand"),
        ("Tromp Taylor", "tromp-taylor"),
        ("BGA", "aga"),
        (" japanese\n", "japanese"),
        ("GOE", "aga"),
        (" ", "aga"),
    ],
)
def test_rules_are_known_in_any_spelling(written: str, name: str) -> None:
    data = f"(;SZ[9]RU[{written}];B[ee])".encode()
    rules, _ = parse_game(data, rules=RULE_SETS["aga"])
    assert rules.rules.name == name


@pytest.mark.parametrize("name", RULE_SETS)
def test_what_a_record_is_given_as_its_rules_is_read_back(name: str) -> None:
    rules = make_rules(name, 9)
    read, _ = parse_game(format_game(rules, rules.start()), rules=RULE_SETS["aga"])
    assert read.rules.title == rules.rules.title


def test_a_written_game_names_its_rules() -> None:
    rules = make_rules("aga", 9)
    assert b"RU[AGA]" in format_game(rules, rules.start())


def test_a_node_may_have_a_move_of_each_colour() -> None:
    assert vertices(b"(;SZ[5];W[aa]B[bb];B[cc]W[dd])") == ["w A5", "b B4", "b C3", "w D2"]
    assert vertices(b"(;SZ[5];W[aa]B[bb];B[cc]W[dd])", 2) == ["w A5"]
    assert vertices(b"(;SZ[5];B[aa]B[aa])") == ["b A5"]
    with pytest.raises(InvalidText, match="move 2: two moves of B in one node"):
        parse_game(b"(;SZ[5];W[aa]B[bb]B[cc])")


def test_the_last_set_up_of_a_record_is_walked_to() -> None:
    nodes = read_sgf(b"(;SZ[5]AB[ee];B[aa];AW[bb];AE[aa])")
    steps = [(number, text) for _, _, number, text in walk(nodes)]
    assert steps == [(0, ""), (1, "black A5"), (1, "")]


@pytest.mark.parametrize(
    "path", sorted(Path("tests/data/records").glob("*.sgf")), ids=lambda path: path.name
)
def test_a_damaged_record_is_replayed_or_refused(path: Path) -> None:
    replayed = 0
    for data in mutants(
        path.read_bytes(), 100, [b"[tt]", b"AE[aa:ii]", b"PL[W]", b"HA[9]", b";B[]"]
    ):
        try:
            rules, position = parse_game(data)
        except InvalidText:
            continue
        replayed += 1
        again = parse_game(format_game(rules, position))[1]
        assert again.played == position.played
    assert replayed
