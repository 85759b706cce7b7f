import json
import random
import sys
import time

import pytest

from engines.core.game import IllegalMove, InvalidText
from engines.core.timing import TimeControl
from protocols.ask.score import Evaluation, Score
from tests.tools.play.sessions import engine, fake, person, playing
from tests.tools.waiting import TIMEOUT
from tools.play.players import PlayTerms, parse_player
from tools.play.session import CannotPlay, PlaySession
from tools.play.snapshot import Phase, PlayerState, Snapshot

QUICK = TimeControl.parse("0.05/move")


def over(snapshot: Snapshot) -> bool:
    return snapshot.phase == Phase.OVER


def waits(snapshot: Snapshot) -> bool:
    """Whether the session waits for a person."""
    return snapshot.to_throw or bool(snapshot.legal) or over(snapshot)


def test_two_persons_play_and_the_snapshot_tells_all() -> None:
    with playing(PlayTerms("neutron"), person("Ann"), person()) as (session, _):
        session.play("b1-b4")
        shown = session.snapshot()
        assert shown.setup == "BBBBB/.W.../..N../...../W.WWW b"
        assert (shown.turn, shown.ply, shown.plies) == (1, 1, 1)
        assert [player.name for player in shown.players] == ["Ann", "person"]
        assert [(move.side, move.text) for move in shown.moves] == [(0, "b1-b4")]
        assert shown.last is not None
        assert shown.last.text == "b1-b4"
        assert "c3-c4/a5-a4" not in shown.legal
        assert shown.legal == shown.choices
        assert json.loads(json.dumps(shown.to_json()))["players"][0]["state"] == "waiting"


def test_a_refused_move_says_why_and_changes_nothing() -> None:
    with playing(PlayTerms("morris"), person(), person()) as (session, _):
        before = session.snapshot()
        with pytest.raises(InvalidText, match="expected d6"):
            session.play("nonsense")
        with pytest.raises(IllegalMove, match="men are still to be placed"):
            session.play("d6-d5")
        after = session.snapshot()
        assert (after.version, after.setup) == (before.version, before.setup)


@pytest.mark.parametrize("game", ["neutron", "morris", "senet", "shogi", "go"])
def test_a_person_plays_moves_against_level_one(game: str) -> None:
    chance = random.Random(1)
    size = 5 if game == "go" else 0
    words = {"shogi": "options.SkillLevel=0"}.get(game, "options.level=1")
    terms = PlayTerms(game, size=size, seed=1, thinking=TimeControl.parse("nodes=50"))
    with playing(terms, person(), engine(game, words)) as (session, watch):
        shown = watch.until(waits)
        while not over(shown) and sum(move.side == 1 for move in shown.moves) < 2:
            if shown.to_throw:
                session.throw()
            else:
                assert shown.turn == 0
                session.play(chance.choice([move for move in shown.legal if move != "pass"]))
            shown = watch.until(waits)
        assert PlayerState.DEAD not in [player.state for player in shown.players]
        assert any(move.side == 1 for move in shown.moves)


def test_two_engines_play_to_the_end_without_a_person() -> None:
    terms = PlayTerms("neutron", thinking=QUICK)
    players = engine("neutron", "options.level=1"), engine("neutron", "options.level=random")
    with playing(terms, *players) as (_, watch):
        shown = watch.until(over)
    assert shown.result is not None
    assert shown.result.sentence.endswith("home row") or shown.result.sentence
    assert shown.legal == ()


def test_two_engines_that_are_watched_keep_their_pace_and_can_be_interrupted() -> None:
    terms = PlayTerms("neutron", thinking=QUICK, pace=0.3)
    players = engine("neutron", "options.level=1"), engine("neutron", "options.level=1")
    began = time.monotonic()
    with playing(terms, *players) as (session, watch):
        watch.until(lambda each: each.plies == 2)
        assert time.monotonic() - began >= 0.6
        session.go_to(2)
        assert session.snapshot().plies == 2
        assert session.snapshot().phase == Phase.STEPPING


def test_a_dead_engine_is_announced_and_started_again_in_mid_game() -> None:
    with playing(PlayTerms("neutron"), person(), fake("legal", "die")) as (session, watch):
        session.play("b1-b4")
        shown = watch.until(lambda each: each.plies == 2)
        session.play(next(move for move in shown.legal if "/" in move))
        shown = watch.until(lambda each: each.players[1].state == PlayerState.DEAD)
        assert "exited with code 3" in shown.players[1].reason
        assert shown.messages[-1].kind == "error"
        with pytest.raises(CannotPlay, match="engine plays that side"):
            session.play("b1-b4")
        session.restart_engine(1)
        shown = watch.until(lambda each: each.plies == 4 or over(each))
        assert shown.players[1].state != PlayerState.DEAD


def test_an_illegal_move_of_an_engine_is_a_fault_not_a_move() -> None:
    with playing(PlayTerms("neutron"), fake("a1-a5"), person()) as (_, watch):
        shown = watch.until(lambda each: each.players[0].state == PlayerState.DEAD)
        assert "illegal move, a1-a5" in shown.players[0].reason
        assert shown.plies == 0


def test_hostile_text_of_an_engine_is_shown_without_control_characters() -> None:
    with playing(PlayTerms("neutron"), fake("spit"), person()) as (session, watch):
        shown = watch.until(lambda each: each.players[0].state == PlayerState.DEAD)
        assert "owned" in shown.players[0].reason
        texts = (shown.players[0].reason, shown.messages[-1].text, session.title(0))
        assert all(line.isprintable() for text in texts for line in text.splitlines())


def test_undo_withdraws_the_question_of_an_engine_that_thinks() -> None:
    with playing(PlayTerms("neutron"), person(), fake("hang")) as (session, watch):
        session.play("b1-b4")
        watch.until(lambda each: each.players[1].state == PlayerState.THINKING)
        session.undo()
        shown = session.snapshot()
        assert (shown.plies, shown.turn) == (0, 0)
        assert shown.players[1].state == PlayerState.WAITING


def test_resigning_ends_the_game_while_the_engine_thinks_and_undo_lifts_it() -> None:
    with playing(PlayTerms("neutron"), person(), fake("hang")) as (session, watch):
        session.play("b1-b4")
        session.resign()
        shown = watch.until(over)
        assert shown.result is not None
        assert shown.result.sentence == "Black wins: White resigned"
        assert shown.result.score == "0-1"
        with pytest.raises(CannotPlay, match="the game is over"):
            session.play("b1-b4")
        session.undo()
        assert session.snapshot().phase == Phase.PLAYING
        assert session.snapshot().plies == 1


def test_a_person_without_time_loses() -> None:
    control = TimeControl.parse("0.05")
    terms = PlayTerms("neutron", controls=(control, TimeControl()))
    with playing(terms, person(), person()) as (_, watch):
        shown = watch.until(over)
        assert shown.result is not None
        assert shown.result.sentence == "Black wins: White has no time left"
        assert shown.clocks[0] is not None
        assert shown.clocks[0].left == 0
        assert shown.clocks[1] is None


@pytest.mark.slow
def test_an_engine_that_hangs_beyond_its_flag_loses_on_time() -> None:
    terms = PlayTerms("neutron", controls=(TimeControl.parse("0.1"), TimeControl()))
    with playing(terms, fake("hang"), person()) as (_, watch):
        shown = watch.until(over)
        assert shown.result is not None
        assert shown.result.sentence == "Black wins: White has no time left"
        assert shown.players[0].state == PlayerState.DEAD


def test_clocks_go_back_when_a_move_is_taken_back() -> None:
    moment = [100.0]
    control = TimeControl.parse("60+5")
    terms = PlayTerms("neutron", controls=(control, control))
    session = PlaySession(terms, (person(), person()), now=lambda: moment[0])
    session.start()
    moment[0] += 20
    session.play("b1-b4")
    first, second = session.snapshot().clocks
    assert first is not None
    assert second is not None
    assert (first.left, first.running, second.left, second.running) == (45, False, 60, True)
    moment[0] += 7
    assert session.snapshot().clocks[1].left == 53  # type: ignore[union-attr]
    session.undo()
    first = session.snapshot().clocks[0]
    assert first is not None
    assert (first.left, first.running) == (60, True)
    session.close()


def test_senet_throws_for_the_person_and_repeats_the_throw_after_undo() -> None:
    with playing(PlayTerms("senet", seed=1), person(), person()) as (session, _):
        assert session.snapshot().to_throw
        with pytest.raises(CannotPlay, match="throw first"):
            session.play("10-11")
        session.throw()
        shown = session.snapshot()
        assert (shown.throw, shown.legal) == (1, ("10-11",))
        assert shown.messages[-1].text == "Black throws [1]: 1 square"
        with pytest.raises(CannotPlay, match="no throw is due"):
            session.throw()
        session.play("10-11")
        session.undo()
        session.throw()
        assert session.snapshot().throw == 1


def test_after_two_passes_the_dead_stones_are_found_changed_and_counted() -> None:
    terms = PlayTerms("go", size=5)
    with playing(terms, person(), person()) as (session, watch):
        for move in ("B3", "D3", "B2", "D2", "B4", "D4", "B1", "D1", "B5", "D5", "C3", "pass"):
            session.play(move)
        with pytest.raises(CannotPlay, match="no dead stones"):
            session.toggle_dead("B3")
        session.play("pass")
        shown = watch.until(lambda each: each.scoring is not None and each.scoring.ready)
        assert shown.phase == Phase.SCORING
        assert shown.scoring is not None
        assert shown.scoring.dead == ()
        session.toggle_dead("D3")
        dead = session.snapshot().scoring
        assert dead is not None
        assert dead.dead == ("D5", "D4", "D3", "D2", "D1")
        assert dead.owners == "X" * 25
        with pytest.raises(InvalidText, match="no stone stands on A1"):
            session.toggle_dead("A1")
        with pytest.raises(CannotPlay, match="being discussed"):
            session.play("A1")
        session.toggle_dead("D1")
        session.accept_score()
        result = session.snapshot().result
        assert result is not None
        assert result.sentence.startswith("White wins: by")
        session.undo()
        assert session.snapshot().phase == Phase.PLAYING


def test_stepping_stops_the_game_and_continuing_keeps_the_tail() -> None:
    with playing(PlayTerms("morris"), person(), person()) as (session, _):
        for move in ("a1", "d1", "g1", "b2"):
            session.play(move)
        session.go_to(1)
        shown = session.snapshot()
        assert (shown.phase, shown.ply, shown.plies) == (Phase.STEPPING, 1, 4)
        assert shown.legal == ()
        assert shown.choices
        with pytest.raises(CannotPlay, match="go to move 4"):
            session.play("d2")
        session.continue_from()
        session.play("d2")
        assert [move.text for move in session.snapshot().moves] == ["a1", "d2"]
        (tail,) = session.history.tails
        assert (tail.at, [move.text for move in tail.moves]) == (1, ["d1", "g1", "b2"])
        with pytest.raises(CannotPlay, match="no move 9"):
            session.go_to(9)


def test_a_hint_comes_from_our_own_engine() -> None:
    with playing(PlayTerms("neutron", thinking=QUICK), person(), person()) as (session, watch):
        session.hint()
        shown = watch.until(lambda each: bool(each.hint))
        assert shown.hint in shown.legal
        assert not shown.hinting
        session.play(shown.hint)
        assert session.snapshot().hint == ""
        assert shown.hints == ()  # The line protocol gives one line.
        assert [each.kind for each in shown.messages] == ["hint"]
        assert shown.evaluation is not None
        after = session.snapshot()
        assert after.messages == ()
        assert after.evaluation is None, "it was about the position before the move"
        session.undo()
        assert session.snapshot().messages[0].number > shown.messages[0].number


@pytest.mark.parametrize(("game", "size", "nodes"), [("go", 9, 40), ("shogi", 0, 300)])
def test_a_hint_has_up_to_three_lines_where_its_engine_gives_several(
    game: str, size: int, nodes: int
) -> None:
    terms = PlayTerms(game, size=size, seed=1, thinking=TimeControl.parse(f"nodes={nodes}"))
    with playing(terms, person(), person()) as (session, watch):
        session.hint()
        shown = watch.until(lambda each: bool(each.hint))
        firsts = [each.line.partition(" ")[0] for each in shown.hints]
        assert 2 <= len(firsts) <= 3
        assert firsts[0] == shown.hint
        assert len(set(firsts)) == len(firsts)
        assert set(firsts) <= set(shown.legal)
        assert all(each.share is not None for each in shown.hints)
        session.play(firsts[1])
        assert session.snapshot().hints == ()


def test_the_lines_of_a_hint_are_valued_for_the_side_that_moves_first() -> None:
    with playing(PlayTerms("shogi"), person(), person()) as (session, _):
        session.play("7g7f")
        session.hint_lines = (
            Evaluation(Score(chance=0.8), "3c3d 2g2f"),
            Evaluation(line="8c8d"),
        )
        hints = session.snapshot().hints
        assert [(hint.line, hint.share) for hint in hints] == [
            ("3c3d 2g2f", pytest.approx(0.2)),
            ("8c8d", None),
        ]
        session.go_to(0)
        assert session.snapshot().hints == ()


def test_captures_are_named_by_their_places() -> None:
    with playing(PlayTerms("go", size=5), person(), person()) as (session, _):
        for move in ("A2", "A1", "B1"):
            session.play(move)
        last = session.snapshot().last
        assert last is not None
        assert (last.text, last.taken) == ("B1", ("A1",))


@pytest.mark.slow
def test_closing_does_not_wait_for_an_engine_that_never_answers() -> None:
    command = f"{sys.executable} -c 'import sys; sys.stdin.read()'"
    mute = parse_player((command, "protocol=line", "game=neutron", "name=mute"))
    session = PlaySession(PlayTerms("neutron"), (mute, person()))
    session.start()
    began = time.monotonic()
    session.close()
    assert time.monotonic() - began < TIMEOUT / 4


@pytest.mark.slow
def test_an_engine_that_does_not_speak_is_named_and_replaced_by_a_person() -> None:
    command = f"{sys.executable} -c 'import sys; sys.stdin.read()'"
    mute = parse_player((command, "protocol=line", "game=neutron", "name=mute"))
    with playing(PlayTerms("neutron"), mute, person()) as (session, watch):
        shown = watch.until(lambda each: bool(each.players[0].reason))
        assert shown.players[0].state == PlayerState.THINKING
        said = shown.messages[-1].text
        assert said.startswith("mute has not answered for 3 s: waiting for the reply to ")
        assert "protocol_version" in said
        assert "60 s in all (patience=SECONDS)" in said
        session.set_player(0, person("Ann"))
        session.play("b1-b4")
        shown = session.snapshot()
        assert (shown.players[0].name, shown.players[0].reason) == ("Ann", "")
        assert shown.plies == 1


def test_a_side_is_given_to_an_engine_in_the_middle_of_a_game() -> None:
    with playing(PlayTerms("neutron", thinking=QUICK), person(), person()) as (session, watch):
        session.play("b1-b4")
        with pytest.raises(InvalidText, match="plays senet, not neutron"):
            session.set_player(1, engine("senet"))
        session.set_player(1, engine("neutron", "options.level=1"))
        shown = watch.until(lambda each: each.plies == 2)
        assert not shown.players[1].person


def test_a_closed_session_refuses_commands() -> None:
    with playing(PlayTerms("neutron"), person(), person()) as (session, _):
        session.close()
        with pytest.raises(CannotPlay, match="closed"):
            session.play("b1-b4")


def test_an_engine_of_another_game_is_refused() -> None:
    with pytest.raises(InvalidText, match="plays senet, not go"):
        PlaySession(PlayTerms("go"), (person(), engine("senet")))


def test_moves_of_shogi_are_typed_in_any_notation() -> None:
    with playing(PlayTerms("shogi"), person(), person()) as (session, _):
        for text in ("76歩", "P-3d", "8822UM", "同銀"):
            session.play(text)
        moves = [move.text for move in session.snapshot().moves]
        assert moves == ["7g7f", "3c3d", "8h2b+", "3a2b"]
        with pytest.raises(InvalidText, match="no legal move is 11歩"):
            session.play("11歩")
