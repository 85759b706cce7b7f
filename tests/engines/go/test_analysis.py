import json
import re

import pytest

from tests.engines.go.talk import Session


def test_analysis_streams_until_the_next_line(gtp: Session) -> None:
    for command, number in (("lz-analyze b 1", r"\d+"), ("kata-analyze 1 b", r"-?\d+\.\d+")):
        gtp.conversation.say(f"5 {command}\n")
        assert gtp.conversation.hear_line() == "=5"
        line = gtp.conversation.hear_line()
        told = re.match(
            rf"info move [A-HJ][1-9] visits (\d+) .*winrate ({number}) .*pv [A-HJ][1-9]", line
        )
        assert told, line
        assert int(told[1]) > 0
        assert "  " not in line
        gtp.conversation.say("6 name\n")
        rest = gtp.conversation.hear_until(b"=6 Quintet Go\n\n")
        assert rest.endswith("\n\n") or rest == "\n"


def test_no_candidate_is_told_to_be_better_than_the_best(gtp: Session) -> None:
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
    found = replies("")
    assert found
    assert not replies(f"avoid b {','.join(found)} 2") & found
    assert replies(f"allow b {min(found)},pass 2") <= {min(found), "pass"}
    assert replies(f"avoid b {','.join(found)} 1") & found  # The first move only is White's.


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("avoid b", "avoid wants a colour, vertices and a depth"),
        ("avoid b E5 x", "avoid wants a depth, not 'x'"),
        ("avoid x E5 1", "invalid color"),
        ("allow b E9,K1 1", "K1 is off the board (A1 to J9)"),
        ("allow b E5 1 avoid b E5 1", "no legal move is left to look at"),
    ],
)
def test_limits_that_cannot_be_are_refused(gtp: Session, words: str, complaint: str) -> None:
    for command in ("lz-analyze", "kata-analyze", "kata-genmove_analyze", "kata-search_analyze"):
        assert gtp.ask(f"{command} b 1 {words}") == f"? {complaint}"


def test_genmove_analyze_tells_and_then_plays(gtp: Session) -> None:
    for line in (
        "lz-genmove_analyze W 50",
        "kata-genmove_analyze ownership true",
        "kata-genmove_analyze b",
    ):
        gtp.conversation.say(f"{line}\n")
        assert gtp.conversation.hear_line() == "="
        told = gtp.conversation.hear().split("\n")
        assert told[0].startswith("info move ")
        assert re.fullmatch(r"play [A-HJ][1-9]", told[-1])
        assert gtp.ask(f"play b {told[-1].split()[1]}").endswith("point is occupied")


def test_gogui_is_given_pictures_of_the_search(gtp: Session) -> None:
    assert gtp.ask("quintet-gfx") == "= TEXT no search yet"
    move = gtp.ask("genmove b")[2:]
    drawn = gtp.ask("quintet-gfx")[2:].split("\n")
    assert [line.split()[0] for line in drawn] == ["INFLUENCE", "LABEL", "VAR", "TEXT"]
    assert len(drawn[0].split()) == 1 + 2 * 81
    assert drawn[2].startswith(f"VAR B {move}")
    for line in gtp.ask("gogui-analyze_commands")[2:].split("\n"):
        kind, _, command = line.split("/")
        assert kind in ("gfx", "dboard", "pspairs", "string", "plist")
        assert gtp.ask(f"known_command {command.split()[0]}") == "= true"


def test_a_picture_is_the_searchers_whatever_was_played_since(gtp: Session) -> None:
    named = gtp.ask("reg_genmove b")[2:]
    drawn = gtp.ask("quintet-gfx")
    assert f"\nVAR B {named}" in drawn
    gtp.does("play b A1")  # Levels, too, make another move than the best.
    assert gtp.ask("quintet-gfx") == drawn


def test_a_move_that_was_not_searched_has_no_evaluation(gtp: Session) -> None:
    assert gtp.ask("quintet-evaluation") == "= "
    named = gtp.ask("reg_genmove b")[2:]
    gtp.does(f"play w {named}")
    assert gtp.ask("quintet-evaluation") == "= "
    gtp.does("clear_board")
    gtp.ask("genmove b")
    gtp.does("undo", "clear_board", "play b E5")
    assert gtp.ask("quintet-evaluation") == "= "


def test_the_network_alone_is_told(gtp: Session) -> None:
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


def test_cgos_gets_one_object_a_line(gtp: Session) -> None:
    gtp.conversation.say("cgos-genmove_analyze b\n")
    gtp.conversation.hear_line()
    *lines, last = gtp.conversation.hear().split("\n")
    told = json.loads(lines[-1])
    assert set(told) == {"winrate", "score", "visits", "moves", "ownership"}
    assert re.fullmatch(r"[A-Za-z0-9+]{81}", told["ownership"])
    assert last == f"play {told['moves'][0]['move']}"
    assert all(
        set(one) >= {"move", "winrate", "score", "prior", "visits", "pv"} for one in told["moves"]
    )


def test_more_is_told_of_owners_where_that_is_asked_for(gtp: Session) -> None:
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


def test_gomill_may_ask_for_more_and_gets_a_move(gtp: Session) -> None:
    assert gtp.ask("gomill-genmove_ex") == "= "
    assert re.fullmatch(r"= [A-HJ][1-9]", gtp.ask("gomill-genmove_ex b claim"))
    assert re.match(r"= \d+ visits, ", gtp.ask("gomill-explain_last_move"))
