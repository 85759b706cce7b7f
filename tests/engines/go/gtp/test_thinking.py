"""The commands that search: moves that are chosen, and the raw output of the network."""

import re

import pytest

from tests.engines.go.talk import Session


def test_genmove_analyze_tells_and_then_plays(gtp: Session) -> None:
    for line in (
        "lz-genmove_analyze W 50",
        "kata-genmove_analyze ownership true",
        "kata-genmove_analyze b",
    ):
        gtp.conversation.say(f"{line}\n")
        assert gtp.conversation.hear_line() == "="
        lines = gtp.conversation.hear().split("\n")
        assert lines[0].startswith("info move ")
        assert re.fullmatch(r"play [A-HJ][1-9]", lines[-1])
        assert gtp.ask(f"play b {lines[-1].split()[1]}").endswith("point is occupied")


def test_the_output_of_the_network_is_reported(gtp: Session) -> None:
    gtp.does("play b E5")
    lines = gtp.ask("kata-raw-nn 0")[2:].split("\n")
    assert lines[0] == "symmetry 0"
    policy = lines[lines.index("policy") + 1 :][:9]
    assert policy[4].split()[4] == "NAN"
    chances = [float(word) for row in policy for word in row.split() if word != "NAN"]
    chances.append(float(lines[lines.index("policy") + 10].removeprefix("policyPass ")))
    assert sum(chances) == pytest.approx(1.0, abs=0.001)
    owned = lines[lines.index("whiteOwnership") + 1 :]
    assert len(owned) == 9
    assert all(-1.0 <= float(word) <= 1.0 for row in owned for word in row.split())
    assert gtp.ask("kata-raw-nn 9").startswith("? ")


def test_searches_name_a_move_without_making_it(gtp: Session) -> None:
    before = gtp.ask("showboard")
    assert re.fullmatch(r"= [A-HJ][1-9]", gtp.ask("kata-search b"))
    assert re.fullmatch(r"= [A-HJ][1-9]", gtp.ask("kata-search_cancellable w"))
    gtp.conversation.say("kata-search_analyze b 50\n")
    assert gtp.conversation.hear_line() == "="
    assert re.fullmatch(r"play [A-HJ][1-9]", gtp.conversation.hear().split("\n")[-1])
    assert gtp.ask("showboard") == before


def test_a_search_is_cancelled_by_any_line(gtp: Session) -> None:
    gtp.player.settings.visits = 0
    gtp.does("kata-set-param maxTime 600", "kata-set-param maxVisits 0")
    gtp.conversation.say("kata-search_cancellable b\nname\n")
    assert gtp.conversation.hear() == "= cancelled"
    assert gtp.conversation.hear() == "= Quintet Go"
    gtp.conversation.say("kata-search_analyze_cancellable b 1\nname\n")
    assert gtp.conversation.hear_until(b"= Quintet Go\n\n").endswith("play cancelled\n\n")


def test_gomill_may_ask_for_more_and_gets_a_move(gtp: Session) -> None:
    assert gtp.ask("gomill-genmove_ex") == "= "
    assert re.fullmatch(r"= [A-HJ][1-9]", gtp.ask("gomill-genmove_ex b claim"))
    told = gtp.ask("gomill-explain_last_move")
    assert re.match(r"= before move 1, Black to move: \d+ visits, ", told)
