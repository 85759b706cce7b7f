import json
import re

import pytest

from tests.engines.go.talk import Session


def test_analysis_streams_until_the_next_line(gtp: Session) -> None:
    for command, number in (("lz-analyze b 1", r"\d+"), ("kata-analyze 1 b", r"-?\d+\.\d+")):
        gtp.conversation.say(f"5 {command}\n")
        assert gtp.conversation.hear_line() == "=5"
        line = gtp.conversation.hear_line()
        match = re.match(
            rf"info move [A-HJ][1-9] visits (\d+) .*winrate ({number}) .*pv [A-HJ][1-9]", line
        )
        assert match, line
        assert int(match[1]) > 0
        assert "  " not in line
        gtp.conversation.say("6 name\n")
        rest = gtp.conversation.hear_until(b"=6 Quintet Go\n\n")
        assert rest.endswith("\n\n") or rest == "\n"


def test_no_candidate_is_reported_to_be_better_than_the_best(gtp: Session) -> None:
    gtp.conversation.say("kata-analyze b 1 rootInfo true ownership true pvVisits true maxmoves 4\n")
    gtp.conversation.hear_line()
    line = gtp.conversation.hear_line()
    gtp.conversation.say("name\n")
    gtp.conversation.hear_until(b"= Quintet Go\n\n")
    wins = [float(win) for win in re.findall(r"info move .*? winrate (\S+)", line)]
    assert 1 <= len(wins) <= 4
    assert max(wins) == wins[0]
    assert " rootInfo visits " in line
    owned = line.split(" ownership ")[1].split()
    assert len(owned) == 81
    assert all(-1 <= float(value) <= 1 for value in owned)
    assert line.count("pvVisits") == len(wins)


def test_analysis_keeps_to_the_allowed_moves(gtp: Session) -> None:
    gtp.conversation.say("lz-analyze b 1 allow b E5,pass 1 unknown thing\n")
    gtp.conversation.hear_line()
    line = gtp.conversation.hear_line()
    gtp.conversation.say("lz-analyze b 1 avoid b E5 1\n")
    rest = gtp.conversation.hear_until(b"=\n")
    other = gtp.conversation.hear_line()
    gtp.conversation.say("name\n")
    gtp.conversation.hear_until(b"= Quintet Go\n\n")
    assert set(re.findall(r"move (\S+)", line + rest)) <= {"E5", "pass"}
    assert "move E5" not in other


def test_moves_that_are_to_be_avoided_are_not_in_the_lines_either(gtp: Session) -> None:
    def replies(words: str) -> set[str]:
        gtp.conversation.say(f"kata-search_analyze w 9999 {words}\n")
        lines = re.findall(r" pv (.*?)(?: info|\n)", gtp.conversation.hear() + "\n")
        return {line.split()[1] for line in lines if " " in line}

    gtp.does("boardsize 5", "play b C3", "kata-set-param maxVisits 30")
    answers = replies("")
    assert answers
    assert not replies(f"avoid b {','.join(answers)} 2") & answers
    assert replies(f"allow b {min(answers)},pass 2") <= {min(answers), "pass"}
    assert replies(f"avoid b {','.join(answers)} 1") & answers  # The first move only is White's.


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("avoid b", "avoid wants a colour, vertices and a depth"),
        ("avoid b E5 x", "avoid wants a depth, not 'x'"),
        ("avoid x E5 1", "invalid color"),
        ("allow b E9,K1 1", "K1 is off the board (A1 to J9)"),
        ("allow b E5 1 avoid b E5 1", "no legal move is left to search"),
    ],
)
def test_limits_that_cannot_be_are_refused(gtp: Session, words: str, complaint: str) -> None:
    for command in ("lz-analyze", "kata-analyze", "kata-genmove_analyze", "kata-search_analyze"):
        assert gtp.ask(f"{command} b 1 {words}") == f"? {complaint}"


def test_cgos_gets_one_object_a_line(gtp: Session) -> None:
    gtp.conversation.say("cgos-genmove_analyze b\n")
    gtp.conversation.hear_line()
    *lines, last = gtp.conversation.hear().split("\n")
    analysis = json.loads(lines[-1])
    assert set(analysis) == {"winrate", "score", "visits", "moves", "ownership"}
    assert re.fullmatch(r"[A-Za-z0-9+]{81}", analysis["ownership"])
    assert last == f"play {analysis['moves'][0]['move']}"
    assert all(
        set(one) >= {"move", "winrate", "score", "prior", "visits", "pv"}
        for one in analysis["moves"]
    )


def test_more_about_ownership_is_reported_on_request(gtp: Session) -> None:
    gtp.does("play b E5")
    options = "ownership ownershipStdev movesOwnership pvVisits pvEdgeVisits rootInfo".split()  # noqa: SIM905
    gtp.conversation.say(f"kata-analyze w 1 {' '.join(f'{option} true' for option in options)}\n")
    gtp.conversation.hear_line()
    line = gtp.conversation.hear_line()
    gtp.conversation.say("name\n")
    gtp.conversation.hear_until(b"= Quintet Go\n\n")
    moves, _, rest = line.partition(" rootInfo ")
    root, _, owned = rest.partition(" ownership ")
    owned, _, spread = owned.partition(" ownershipStdev ")
    assert {len(owned.split()), len(spread.split())} == {81}
    assert "scoreStdev" in root
    for part in moves.split("info move ")[1:]:
        words, _, behind = part.partition(" movesOwnership ")
        assert len(behind.split()) == 81
        line_of_play = words.partition(" pv ")[2]
        vertices, _, visits = line_of_play.partition(" pvVisits ")
        visits, _, edges = visits.partition(" pvEdgeVisits ")
        assert len(vertices.split()) == len(visits.split()) == len(edges.split())
