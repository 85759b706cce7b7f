"""The engine behind USI: time for a move, options, what it answers and says."""

from dataclasses import dataclass, field

import pytest

from engines.core.game import InvalidText
from engines.shogi.play.player import Budget, Player, budget, describe
from engines.shogi.play.search import Thinker, Thought
from engines.shogi.rules.notation import parse_move

DELAY = 0.2


@dataclass
class Order:
    numbers: dict[str, int] = field(default_factory=dict)
    infinite: bool = False
    searchmoves: list[str] = field(default_factory=list)
    mate_time: int | None = None


@dataclass
class Watch:
    begun: float = 0.0
    pondering: bool = False
    patience: int = 10**9
    lines: list[str] = field(default_factory=list)

    def stopped(self) -> bool:
        self.patience -= 1
        return self.patience < 0

    def info(self, text: str) -> None:
        self.lines.append(text)


def test_byoyomi_is_spent_but_for_the_margin() -> None:
    seconds = budget({"btime": 0, "wtime": 0, "byoyomi": 1000}, 0, DELAY)
    assert seconds.wanted == seconds.most == pytest.approx(0.8)


def test_main_time_is_shared_out_and_never_overdrawn() -> None:
    seconds = budget({"btime": 600_000, "wtime": 1000}, 0, DELAY)
    assert seconds.wanted is not None
    assert seconds.most is not None
    assert 5 < seconds.wanted < seconds.most < 120
    poor = budget({"btime": 600_000, "wtime": 1000}, 1, DELAY)
    assert poor.most is not None
    assert poor.most <= 0.8


@pytest.mark.parametrize("own", [0, 1, 50, 100, 199, 200, 300, 1000, 10_000, 3_600_000])
@pytest.mark.parametrize("more", [{}, {"byoyomi": 100}, {"byoyomi": 30_000}, {"binc": 5000}])
def test_no_budget_exceeds_what_the_clock_has(own: int, more: dict[str, int]) -> None:
    seconds = budget({"btime": own, "wtime": 1, **more}, 0, DELAY)
    available = (own + sum(more.values())) / 1000
    assert seconds.wanted is not None
    assert seconds.most is not None
    assert 0 <= seconds.wanted <= seconds.most <= 1e-9 + available - min(DELAY, 0.4 * available)


def test_increments_may_be_spent_on_this_very_move() -> None:
    seconds = budget({"btime": 0, "wtime": 0, "binc": 5000, "winc": 5000}, 0, DELAY)
    assert seconds.most == pytest.approx(4.5)  # A reserve remains.


@pytest.mark.parametrize("delay", [0.005, 0.02])
@pytest.mark.parametrize(("main", "increment"), [(1.0, 0.05), (10.0, 0.1), (0.0, 0.1)])
def test_a_clock_with_increments_survives_delays_on_every_move(
    main: float, increment: float, delay: float
) -> None:
    own = main
    for move in range(300):
        numbers = {"btime": int(own * 1000), "binc": int(increment * 1000)}
        seconds = budget(numbers, 0, 0.06)
        assert seconds.wanted is not None
        assert seconds.most is not None
        # Now and then a search uses all that it may, and the machine is busy for longer.
        rare = move % 20 == 19
        own += increment - (seconds.most + 4 * delay if rare else seconds.wanted + delay)
        assert own > 0, f"move {move}"


def test_other_limits_have_no_clock_and_a_bare_go_has_a_second() -> None:
    assert budget({"depth": 5}, 0, DELAY) == Budget()
    assert budget({"nodes": 5}, 0, DELAY) == Budget()
    assert budget({}, 0, DELAY) == Budget(1.0, 1.0)
    assert budget({"nodes": 0}, 0, DELAY) == budget({"nodes": -1}, 0, DELAY) == Budget(1.0, 1.0)
    assert budget({"movetime": 500}, 0, DELAY).most == pytest.approx(0.45)
    assert budget({"btime": -500, "wtime": 0}, 0, DELAY).most == 0


def test_a_position_without_a_legal_move_is_resigned_and_a_declaration_won() -> None:
    player, watch = Player(), Watch()
    player.set_position("8k/9/7+R1/9/9/9/9/9/K8 w - 1", [])
    assert player.go(Order({"depth": 1}), watch) == ("resign", "")
    assert watch.lines == ["depth 0 score mate -"]
    assert player.any_move() == "resign"
    player.set_position("4K4/+P+P+P+P+P4/+P+P+P+P+P4/9/9/9/9/9/4k4 b 2R8P 1", [])
    assert player.go(Order({"depth": 1}), watch) == ("win", "")
    player.configure(variant="no-declaration")
    assert player.go(Order({"depth": 1}), watch)[0] not in ("win", "resign")


@pytest.mark.parametrize(("score", "wins"), [(-500, True), (500, False)])
def test_a_draw_is_declared_by_the_weaker_side_alone(
    monkeypatch: pytest.MonkeyPatch, score: int, wins: bool
) -> None:
    thought = Thought(1, 1, 1, 0.0, score, None, 1, [parse_move("5a4a")], 0)
    monkeypatch.setattr(Thinker, "think", lambda self, task: [thought])
    player = Player()
    player.configure(variant="24-point")
    player.set_position("4K4/+P+P+P+P+P4/+P+P+P+P+P4/9/9/9/9/9/4k4 b 2R8P 1", [])
    assert (player.go(Order({"depth": 1}), Watch())[0] == "win") == wins


@pytest.mark.parametrize("limit", [{"nodes": 3000}, {"depth": 5}])
def test_a_search_with_a_limit_of_its_own_can_be_repeated_whatever_the_threads(
    limit: dict[str, int],
) -> None:
    found = []
    for threads in (1, 4):
        player, watch = Player(), Watch()
        player.configure(threads=threads, megabytes=1)
        player.set_position("", ["7g7f", "3c3d"])
        answer = player.go(Order(limit), watch)
        last = watch.lines[-1].split(" pv ")[1]  # How many lines there are depends on the time.
        player.configure(level=3)
        found.append((answer, last, player.go(Order({"movetime": 10**6}), Watch())))
    assert found[0] == found[1]


def test_a_hopeless_game_is_resigned_by_default() -> None:
    player = Player()
    player.set_position("4k4/9/9/9/9/9/9/9/3K5 w 2R2B4G4S4N4L18P 1", [])
    assert player.go(Order({"depth": 3}), Watch())[0] == "resign"
    player.configure(resign=99999)
    assert player.go(Order({"depth": 3}), Watch())[0] != "resign"


def test_a_mate_search_gives_its_memory_back_to_the_search() -> None:
    player = Player()
    player.configure(megabytes=1)
    player.set_position("", [])
    for _ in range(2):
        assert player.mate(Order(), Watch()) == ([], True)
        assert player.go(Order({"depth": 2}), Watch())[0] != "resign"


def test_a_reply_is_expected_and_the_last_line_begins_with_the_move() -> None:
    player, watch = Player(), Watch()
    player.set_position("", ["7g7f", "3c3d"])
    move, reply = player.go(Order({"depth": 4}), watch)
    words = watch.lines[-1].split()
    assert words[words.index("pv") + 1] == move
    assert words[words.index("pv") + 2] == reply


def test_several_lines_are_reported_in_order_and_more_than_there_are_moves_do_no_harm() -> None:
    player, watch = Player(), Watch()
    player.configure(lines=600)
    player.set_position("8k/9/9/9/9/9/9/9/K8 b - 1", [])
    move, _ = player.go(Order({"depth": 2}), watch)
    ranks = [line.split()[line.split().index("multipv") + 1] for line in watch.lines[-3:]]
    assert ranks == ["1", "2", "3"]
    assert f"pv {move}" in watch.lines[-3]


def test_the_number_of_lines_may_change_during_a_search() -> None:
    player = Player()
    player.set_position("", [])

    class Changing(Watch):
        def info(self, text: str) -> None:
            super().info(text)
            player.configure(lines=3)

    watch = Changing()
    player.go(Order({"depth": 6}), watch)
    assert "multipv" not in watch.lines[0]
    assert "multipv 3" in watch.lines[-1]


@pytest.mark.parametrize(("before", "after"), [(1, 3), (3, 2)])
def test_another_number_of_lines_is_looked_for_from_the_first_depth_on(
    before: int, after: int
) -> None:
    player = Player()
    player.configure(lines=before)
    player.set_position("", [])

    class Changing(Watch):
        def info(self, text: str) -> None:
            super().info(text)
            if int(text.split()[1]) >= 2:
                player.configure(lines=after)

        def begun_anew(self) -> bool:
            return sum(text.startswith("depth 1 ") for text in self.lines) >= before + after

        def stopped(self) -> bool:
            return self.begun_anew() or super().stopped()

    watch = Changing(patience=20_000)
    player.go(Order(infinite=True), watch)
    assert watch.begun_anew()


def test_named_moves_alone_are_played() -> None:
    player = Player()
    player.set_position("", [])
    assert player.go(Order({"depth": 3}, searchmoves=["1g1f"]), Watch())[0] == "1g1f"
    assert player.go(Order({"depth": 1}, searchmoves=["9z9z"]), Watch())[0] != "resign"


def test_a_hopeless_position_is_resigned_where_that_was_asked_for() -> None:
    player = Player()
    player.configure(resign=3000)
    player.set_position("4k4/9/9/9/9/9/9/9/4K4 b 2r2b4g4s 1", [])
    assert player.go(Order({"depth": 2}), Watch())[0] == "resign"
    player.configure(resign=99999)
    assert player.go(Order({"depth": 2}), Watch())[0] != "resign"


def test_illegal_moves_and_broken_positions_are_refused() -> None:
    player = Player()
    for setup, moves in (("", ["7g7e"]), ("x", []), ("", ["7g7f", "zzz"])):
        with pytest.raises(InvalidText):
            player.set_position(setup, moves)
    player.set_position("4k4/4R4/9/9/9/9/9/9/4K4 b - 1", [])  # A king that could be taken.
    assert player.go(Order({"depth": 2}), Watch())[0] != "resign"


def test_a_mate_search_replays_what_it_tells_and_keeps_its_deadline() -> None:
    player = Player()
    player.configure(megabytes=1)
    player.set_position("5n1k1/5G3/9/6+R2/9/9/9/9/9 b 2NPg 1", [])
    assert player.mate(Order(), Watch()) == (["3d3b", "2a1a", "N*2c"], False)
    player.set_position("", [])
    assert player.mate(Order(), Watch()) == ([], True)
    player.set_position("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1", [])
    assert player.mate(Order(), Watch(patience=0)) == ([], False)


def test_information_has_the_form_of_usi() -> None:
    thought = Thought(3, 5, 1200, 0.6, -35, None, 1, [parse_move("7g7f")], 12)
    assert describe(thought, 0) == (
        "depth 3 seldepth 5 score cp -35 nodes 1200 nps 2000 time 600 hashfull 12 pv 7g7f"
    )
    lost = Thought(3, 5, 10, 0.0, -31996, -4, 2, [parse_move("7g7f"), parse_move("P*5e")], 0)
    assert describe(lost, 2) == (
        "depth 3 seldepth 5 multipv 2 score mate -4 nodes 10 time 0 hashfull 0 pv 7g7f P*5e"
    )
