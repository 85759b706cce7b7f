from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from engines.core.game import Game, IllegalMove, InvalidText, Outcome
from engines.core.player import Option, Player, describe_outcome, format_outcome
from engines.core.search import Limits, Stop
from tests.engines.core.toy import HeapSearcher, dice_equipment, heap_equipment


def never() -> bool:
    return False


def test_a_new_game_begins_at_the_start() -> None:
    player = Player(heap_equipment())
    player.play("2")
    player.new_game("", {})
    assert (player.position(), player.turn(), player.result()) == ("7", "white", "none")


def test_a_new_game_takes_a_variant_and_options() -> None:
    player = Player(heap_equipment())
    player.new_game("short", {"level": "1"})
    assert player.position() == "3"
    assert player.options()["level"] == "1 (1 2)"
    player.new_game("default", {})
    assert player.position() == "7"


@pytest.mark.parametrize(
    ("variant", "options", "made"),
    [("", {}, 0), ("default", {"level": "2"}, 0), ("short", {}, 1), ("", {"level": "1"}, 1)],
)
def test_a_new_game_keeps_a_reusable_searcher_that_suits(
    variant: str, options: dict[str, str], made: int
) -> None:
    searchers: list[HeapSearcher] = []

    def make(options: Mapping[str, str]) -> HeapSearcher:
        searchers.append(HeapSearcher())
        return searchers[-1]

    player = Player(replace(heap_equipment(), searcher=make, reusable=True))
    player.new_game(variant, options)
    assert len(searchers) == 1 + made


def test_a_new_game_makes_any_other_searcher_again() -> None:
    searchers: list[HeapSearcher] = []

    def make(options: Mapping[str, str]) -> HeapSearcher:
        searchers.append(HeapSearcher())
        return searchers[-1]

    player = Player(replace(heap_equipment(), searcher=make))
    player.new_game("", {})
    assert len(searchers) == 2


@pytest.mark.parametrize(
    ("variant", "options", "reason"),
    [
        ("long", {}, "no such variant: 'long'"),
        (",", {}, "expected variants joined by commas, not ','"),
        ("short,", {}, "expected variants joined by commas, not 'short,'"),
        ("default, short", {}, "default stands alone, not 'default, short'"),
        ("", {"level": "3"}, "level: expected 1 2, not '3'"),
        ("", {"seed": "x"}, "seed: expected a whole number, or random, not 'x'"),
        ("", {"seed": "9" * 5000}, "seed: expected at most 1000 digits, not 5000"),
        ("", {"colour": "red"}, "no such option: 'colour' .known: level, seed, words."),
    ],
)
def test_a_refused_new_game_changes_nothing(
    variant: str, options: dict[str, str], reason: str
) -> None:
    player = Player(heap_equipment())
    player.play("2")
    with pytest.raises(InvalidText, match=reason):
        player.new_game(variant, options)
    assert (player.position(), player.turn()) == ("5", "black")


def test_a_position_begins_a_new_history() -> None:
    player = Player(heap_equipment())
    player.play("2")
    player.set_position("4")
    with pytest.raises(IllegalMove, match="cannot undo"):
        player.undo(1)
    with pytest.raises(InvalidText):
        player.set_position("four")
    assert player.position() == "4"


def test_undo_takes_back_all_or_nothing() -> None:
    player = Player(heap_equipment())
    for move in ("1", "2", "0"):
        player.play(move)
    with pytest.raises(IllegalMove):
        player.undo(4)
    assert player.position() == "4"
    player.undo(2)
    assert (player.position(), player.turn()) == ("6", "black")


def test_genmove_plays_and_reg_genmove_does_not() -> None:
    player = Player(heap_equipment())
    assert player.generate(never, play=False) == "1"
    assert player.position() == "7"
    assert player.generate(never, play=True) == "1"
    assert player.position() == "6"


def test_a_search_that_breaks_leaves_the_game_as_it_was() -> None:
    def spoil(game: Game[Any], limits: Limits, stop: Stop) -> None:
        game.push(2)
        raise ZeroDivisionError

    player = Player(heap_equipment(HeapSearcher(spoil)))
    with pytest.raises(ZeroDivisionError):
        player.generate(never, play=True)
    assert (player.position(), player.turn()) == ("7", "white")


def test_the_result_is_reported_and_no_move_is_generated_after_the_end() -> None:
    player = Player(heap_equipment())
    player.set_position("1")
    player.play("1")
    assert (player.turn(), player.result(), player.legal()) == ("over", "white heap empty", [])
    with pytest.raises(IllegalMove, match="the game is over: heap empty"):
        player.generate(never, play=True)
    player.undo(1)
    assert player.result() == "none"


def budget_of(*calls: tuple[str, tuple[Any, ...]]) -> Limits:
    searcher = HeapSearcher()
    player = Player(heap_equipment(searcher))
    for name, arguments in calls:
        getattr(player, name)(*arguments)
    player.generate(never, play=False)
    assert searcher.limits is not None
    return searcher.limits


def test_without_any_limit_a_move_takes_a_second() -> None:
    assert budget_of() == Limits(seconds=1.0)


def test_a_depth_alone_has_no_time() -> None:
    assert budget_of(("limit", ("depth", 3))) == Limits(depth=3)


def test_a_limit_is_lifted_by_zero() -> None:
    assert budget_of(("limit", ("nodes", 5)), ("limit", ("nodes", 0))) == Limits(seconds=1.0)


def test_the_smallest_limit_of_each_kind_holds() -> None:
    limits = budget_of(
        ("limit", ("nodes", 50)),
        ("limit", ("seconds", 0.5)),
        ("time_settings", ("1/move,nodes=20,depth=4",)),
    )
    assert limits == Limits(seconds=0.5, depth=4, nodes=20)


def test_a_clock_gives_a_share_of_the_time_left() -> None:
    limits = budget_of(("time_settings", ("60",)), ("time_left", ("white", 8.0, 0)))
    assert limits.seconds == pytest.approx(2.0)


def test_the_other_side_has_its_own_clock() -> None:
    limits = budget_of(("time_settings", ("60",)), ("time_left", ("black", 8.0, 0)))
    assert limits.seconds == pytest.approx(15.0)


@pytest.mark.parametrize(
    ("control", "seconds"), [("1/move", 0.85), ("0.2/move", 0.15), ("0+2x10", 9.85)]
)
def test_a_busy_machine_is_left_some_time(control: str, seconds: float) -> None:
    assert budget_of(("time_settings", (control,))).seconds == pytest.approx(seconds)


def test_no_clock_any_more() -> None:
    limits = budget_of(("time_settings", ("60",)), ("time_settings", ("none",)))
    assert limits == Limits(seconds=1.0)


def test_an_option_of_the_rules_keeps_the_game() -> None:
    player = Player(heap_equipment())
    player.play("2")
    player.set_option("words", "many")
    assert player.position() == "5"
    player.undo(1)
    assert player.position() == "7"


@pytest.mark.parametrize(("value", "kept"), [("12", "12"), ("random", "random")])
def test_a_seed_is_a_number_or_random(value: str, kept: str) -> None:
    assert Option("random", hint="a whole number, or random").check("seed", value) == kept


def test_an_evaluation_follows_a_search_and_not_a_new_game() -> None:
    player = Player(heap_equipment())
    assert player.evaluation() == ""
    player.generate(never, play=True)
    assert player.evaluation() == "info depth 1 nodes 3 time 1 score exact win 1 pv 1"
    player.new_game("", {})
    assert player.evaluation() == ""


def test_analysis_reports_what_it_finds_and_stops_on_request() -> None:
    player = Player(heap_equipment())
    lines: list[str] = []
    player.analyze(0.5, lambda: bool(lines), lines.append)
    assert lines == ["info depth 1 nodes 3 time 1 score exact win 1 pv 1"]
    assert player.position() == "7"


def test_dice_must_be_thrown_before_a_move() -> None:
    player = Player(dice_equipment())
    assert player.turn() == "white roll"
    for act in (lambda: player.play("1"), lambda: player.generate(never, play=True)):
        with pytest.raises(IllegalMove, match="roll first"):
            act()
    assert player.throw(2) == "2"
    assert player.turn() == "white"
    with pytest.raises(IllegalMove, match="no throw is due: white"):
        player.throw(1)


def test_the_engine_throws_from_its_seed() -> None:
    player = Player(dice_equipment())
    player.new_game("", {"seed": "1"})
    thrown = [player.throw(None)]
    player.play("0")
    thrown.append(player.throw(None))
    assert thrown == ["1", "2"]


def test_without_a_seed_each_game_has_throws_of_its_own() -> None:
    seeds: list[str] = []

    def throw(seed: str, number: int) -> int:
        seeds.append(seed)
        return number

    player = Player(replace(dice_equipment(), throw=throw))
    for _ in range(3):
        player.new_game("", {})
        player.throw(None)
        player.play("0")
        player.throw(None)
    player.set_position("")
    player.throw(None)
    assert seeds[::2] == [*seeds[1::2], seeds[-1]]
    assert len(set(seeds)) == 4


def test_a_refused_side_is_called_by_its_name() -> None:
    player = Player(dice_equipment())
    player.check_side("white")
    with pytest.raises(IllegalMove, match="it is white's turn, not black's"):
        player.check_side("black")


def test_undo_takes_a_move_back_with_its_throw() -> None:
    player = Player(dice_equipment())
    player.throw(1)
    player.play("1")
    player.throw(2)
    player.undo(1)
    assert (player.position(), player.turn()) == ("7", "white roll")
    with pytest.raises(IllegalMove):
        player.undo(1)


def test_there_are_no_dice_without_dice() -> None:
    with pytest.raises(IllegalMove, match="there are no dice in heap"):
        Player(heap_equipment()).throw(1)


@pytest.mark.parametrize(
    ("outcome", "text"),
    [
        (Outcome(0, "home"), "white home"),
        (Outcome(1, "home"), "black home"),
        (Outcome(None, "repetition"), "draw repetition"),
        (Outcome(None, "blocked", both=True), "both blocked"),
    ],
)
def test_an_outcome_is_written_as_a_result(outcome: Outcome, text: str) -> None:
    assert format_outcome(outcome, ("white", "black")) == text


def test_the_board_of_a_finished_game_says_who_has_won_in_words() -> None:
    player = Player(heap_equipment())
    player.new_game("short", {})
    assert player.board().endswith("\nwhite")
    player.play("2")
    player.play("1")
    winner, _, reason = player.result().partition(" ")
    assert player.board().endswith(f"\n{winner.capitalize()} wins: {reason}")


@pytest.mark.parametrize(
    ("outcome", "text"),
    [
        (Outcome(0, "neutron home"), "White wins: neutron home"),
        (Outcome(None, "third repetition"), "Draw: third repetition"),
        (Outcome(None, "neutron blocked", both=True), "Both win: neutron blocked"),
    ],
)
def test_an_outcome_reads_as_a_sentence(outcome: Outcome, text: str) -> None:
    assert describe_outcome(outcome, ("white", "black")) == text


def test_an_option_with_an_equals_sign_is_told_of_the_blank() -> None:
    player = Player(heap_equipment())
    with pytest.raises(InvalidText, match="a blank separates an option from its value: level 3"):
        player.set_option("level=3", "x")


def test_it_says_how_moves_are_written_and_what_options_mean() -> None:
    option = Option("1", ("1", "2"), meaning="how well it plays")
    player = Player(replace(heap_equipment(), moves="1 to 3", options={"level": option}))
    assert list(player.about()) == [
        "Moves: 1 to 3",
        "Options:",
        "  level: how well it plays; 1 2 (default 1)",
    ]
