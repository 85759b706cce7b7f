"""The commands that list and change settings."""

import pytest

from tests.engines.go.talk import Session


def test_settings_are_listed_read_and_changed(gtp: Session) -> None:
    for name in gtp.ask("kata-list-params")[2:].split():
        before = gtp.ask(f"kata-get-param {name}")[2:]
        gtp.does(f"kata-set-param {name} {before}")
        assert gtp.ask(f"kata-get-param {name}") == f"= {before}"
    changes = {
        "maxVisits": "20",
        "maxTime": "0.5",
        "level": "3",
        "seed": "5",
        "threads": "1",
        "ponder": "false",
        "resign": "false",
        "resignBelow": "0.01",
        "resignAfter": "5",
        "cpuctExploration": "0.7",
        "fpuReductionMax": "0",
    }
    for name, value in changes.items():
        gtp.does(f"kata-set-param {name} {value}")
        assert gtp.ask(f"kata-get-param {name}") == f"= {value}"


@pytest.mark.parametrize(
    ("setting", "complaint"),
    [
        ("maxVisits -3", "maxVisits not an integer"),
        ("maxTime 0", "maxTime not a positive number"),
        ("maxTime soon", "maxTime not a positive number"),
        ("level 0", "level goes from 1 to 10"),
        ("seed x", "seed not an integer"),
        ("threads 0", "threads goes from 1 to 64"),
        ("ponder maybe", "ponder is true or false"),
        ("resignBelow 0.9", "resignBelow not a chance from 0 to 0.5"),
        ("resignAfter 0", "resignAfter goes from 1 on"),
        ("cpuctExploration 0", "cpuctExploration not a number above 0 to 10"),
        ("cpuctExploration inf", "cpuctExploration not a number above 0 to 10"),
        ("fpuReductionMax 3", "fpuReductionMax not a number from 0 to 2"),
        ("net /no/such/net.npz", "cannot read the network"),
        (f"net {__file__}", "cannot read the network"),
        ("colour red", "unknown parameter: colour"),
        ("level", "a parameter and its value are expected"),
    ],
)
def test_settings_that_cannot_be_are_refused(gtp: Session, setting: str, complaint: str) -> None:
    assert gtp.ask(f"kata-set-param {setting}").startswith(f"? {complaint}")


def test_lizzie_may_be_given_the_name_that_it_believes(gtp: Session) -> None:
    assert gtp.ask("name") == "= Quintet Go"
    gtp.does("kata-set-param name KataGo-compatible")
    assert gtp.ask("name") == "= KataGo-compatible"
    gtp.does("kata-set-param name own")
    assert gtp.ask("name") == "= Quintet Go"


@pytest.mark.parametrize("name", ["K\u00e4taGo", "K" * 81])
def test_a_name_is_a_short_text_in_ascii(gtp: Session, name: str) -> None:
    assert gtp.ask(f"kata-set-param name {name}").startswith("? name has 1 to 80 printable")
    assert gtp.ask("name") == "= Quintet Go"


def test_a_seed_makes_the_same_moves_come_out(gtp: Session) -> None:
    games = []
    for level in (10, 10, 2, 2):
        gtp.does(f"kata-set-param level {level}", "kata-set-param seed 5", "clear_board")
        games.append([gtp.ask(f"genmove {turn}") for turn in "bwbwbw"])
    assert games[0] == games[1]
    assert games[2] == games[3]
