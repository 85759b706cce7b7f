import random
from pathlib import Path

from click.testing import CliRunner

from engines.shogi.play.search import Thinker, Thought
from engines.shogi.rules.notation import parse_move
from engines.shogi.rules.sfen import START, parse_sfen
from engines.shogi.workshop.label import ASIDE, LAST, RECORD, position_of
from engines.shogi.workshop.selfplay import (
    GamePlan,
    beginnings,
    excursion,
    fill,
    finished,
    main,
    play,
    quiet_ahead,
)

RECORD_OF_21_PLIES = (
    "V2.2\nPI\n+\n"
    "+7776FU\n-3334FU\n+2726FU\n-8384FU\n+2625FU\n-8485FU\n+6978KI\n-4132KI\n+2524FU\n-2324FU\n"
    "+2824HI\n-8586FU\n+8786FU\n-8286HI\n+2434HI\n-2233KA\n+3436HI\n-3122GI\n+0087FU\n-8684HI\n"
    "+3948GI\n%TORYO\n"
)


def test_a_run_that_was_stopped_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole.labels", tmp_path / "parts.labels"
    assert list(fill(whole, 2, 20, 3)) == [1, 2]
    assert list(fill(parts, 1, 20, 3)) == [1]
    raw = parts.read_bytes()
    assert raw[-RECORD.size + 96] & LAST
    parts.write_bytes(raw + raw[: RECORD.size] + b"torn")
    assert finished(parts) == 1
    assert list(fill(parts, 2, 20, 3)) == [2]
    assert parts.read_bytes() == whole.read_bytes()


def test_another_seed_plays_other_games(tmp_path: Path) -> None:
    one, other = tmp_path / "one.labels", tmp_path / "other.labels"
    list(fill(one, 1, 20, 1))
    list(fill(other, 1, 20, 2))
    assert one.read_bytes() != other.read_bytes()


def test_plans_differ_and_follow_from_the_seed() -> None:
    plans = [GamePlan.draw(random.Random(seed)) for seed in range(400)]
    assert plans[:5] == [GamePlan.draw(random.Random(seed)) for seed in range(5)]
    handicaps = sum(plan.setup != "" for plan in plans)
    assert 0.1 < handicaps / 400 < 0.35
    assert {plan.setup for plan in plans} == {"", "lance", "bishop", "rook", "two"}
    assert {plan.weaker for plan in plans} == {None, 0, 1}
    assert max(plan.opening for plan in plans) > 30


def test_a_handicap_game_begins_with_white() -> None:
    labels, _ = play(Thinker(4), 20, random.Random(5), GamePlan("lance", 2, 0.0))
    assert labels[0].ply == 2
    assert labels[0].turn == 1


def test_the_weaker_side_labels_nothing() -> None:
    labels, _ = play(Thinker(4), 40, random.Random(7), GamePlan("", 4, 0.5, weaker=0))
    assert {label.turn for label in labels} == {1}


def test_positions_beside_the_game_are_marked_and_do_not_change_it() -> None:
    plan = GamePlan("", 4, 0.5)
    alone, _ = play(Thinker(4), 60, random.Random(3), plan)
    assert not all(label.aside for label in alone)
    many, points = play(Thinker(4), 60, random.Random(3), plan, aside=2.0)
    aside = [label for label in many if label.aside]
    assert len(aside) > len(many) // 3
    assert all(RECORD.unpack(label.pack(points, last=False))[84] & ASIDE for label in aside)
    for label in aside:
        assert not position_of(label.pack(points, last=False)).is_check()


def test_an_excursion_is_a_few_moves_long_and_leaves_the_game_alone() -> None:
    position = parse_sfen(START)
    found = [excursion(Thinker(4), position, 30, random.Random(seed), 7) for seed in range(8)]
    labels = [label for label in found if label is not None]
    assert position.ply == parse_sfen(START).ply
    assert len({label.men for label in labels}) > 4
    assert all(label.aside and label.ply == 7 for label in labels)


def test_the_first_quiet_position_of_a_line_has_the_score_of_the_line() -> None:
    position = parse_sfen("lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 1")
    line = [parse_move(text) for text in ("8h2b+", "3a2b", "2h7h", "2b3c")]
    thought = Thought(4, 4, 9, 0.0, 70, None, 1, line, 0)
    label = quiet_ahead(position, thought, 30)
    assert label is not None
    assert label.aside
    # After the exchange of bishops, Black is to move again: the score is Black's.
    assert (label.turn, label.value) == (0, 70)
    assert label.hands[0][4] == label.hands[1][4] == 1
    assert quiet_ahead(position, Thought(1, 1, 9, 0.0, 70, None, 1, line[:2], 0), 30) is None


def test_games_begin_with_the_moves_of_records(tmp_path: Path) -> None:
    records = tmp_path / "records"
    records.mkdir()
    (records / "long.csa").write_text(RECORD_OF_21_PLIES)
    (records / "short.csa").write_text("V2.2\nPI\n+\n+7776FU\n%TORYO\n")
    (records / "handicap.csa").write_text(RECORD_OF_21_PLIES.replace("PI", "PI11KY"))
    found = beginnings([records])
    assert [len(moves) for moves in found] == [21]
    plans = [GamePlan.draw(random.Random(seed), found) for seed in range(60)]
    assert {len(plan.recorded) for plan in plans} == {6, 7, 8, 9, 10, 11}
    assert {plan.opening - len(plan.recorded) for plan in plans} == {0, 1, 2, 3}
    assert all(plan.recorded == found[0][: len(plan.recorded)] for plan in plans)
    plan = next(plan for plan in plans if plan.opening == len(plan.recorded) == 8)
    first = play(Thinker(4), 40, random.Random(1), plan)[0][0]
    position = parse_sfen(START)
    for move in found[0][:8]:
        position.play(move)
    assert (first.ply, first.turn) == (8, 0)
    assert first.men == bytes(position.man_at(square) for square in range(81))


def test_records_without_a_beginning_are_refused(tmp_path: Path) -> None:
    record = tmp_path / "short.csa"
    record.write_text("V2.2\nPI\n+\n+7776FU\n%TORYO\n")
    done = CliRunner().invoke(main, [str(tmp_path / "out"), "--records", str(record)])
    assert done.exit_code == 2
    assert "no game from the usual start is long enough" in done.stderr
    assert not (tmp_path / "out").exists()
