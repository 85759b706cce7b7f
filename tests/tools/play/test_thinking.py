import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from engines import registry
from engines.core.game import Game
from engines.core.timing import TimeControl
from tests.tools.play.sessions import engine, fake
from tests.tools.waiting import TIMEOUT
from tools.play.players import Player
from tools.play.thinking import EngineFailed, Interrupted, Question, Thinker

NODES = TimeControl.parse("nodes=20")


@contextmanager
def thinking(player: Player) -> Iterator[Thinker]:
    thinker = Thinker(player.engine)
    try:
        yield thinker
    finally:
        thinker.close()


def question(game: Game[Any], *texts: str) -> Question:
    moves = []
    for text in texts:
        moves.append((game.turn, text))
        game.play(text)
    return Question(game.copy(), tuple(moves), game.turn, NODES)


def never() -> bool:
    return False


def neutron() -> Game[Any]:
    return Game(registry.rules("neutron"))


def test_an_engine_is_sent_only_the_moves_that_it_does_not_know() -> None:
    with thinking(engine("neutron", "options.level=1")) as thinker:
        sent: list[str] = []

        class Listener:
            def __call__(self, mark: str, text: str) -> None:
                sent.append(text.partition(" ")[2]) if mark == ">" else None

            def close(self) -> None:
                pass

        thinker.listen(Listener())
        game = neutron()
        first = thinker.ask(question(game, "b1-b4"), never).move
        assert sent.count("play w b1-b4") == 1
        sent.clear()
        reply = game.rules.format(game.position, game.rules.parse(game.position, first))
        game.play(reply)
        legal = [game.rules.format(game.position, move) for move in game.position.legal_moves()]
        mine = next(text for text in legal if "/" in text)
        game.play(mine)
        asked = Question(game.copy(), ((0, "b1-b4"), (1, reply), (0, mine)), 1, NODES)
        thinker.ask(asked, never)
        assert [text for text in sent if text.startswith(("play", "newgame"))] == [f"play w {mine}"]
        sent.clear()
        thinker.ask(question(neutron(), "d1-d4"), never)
        assert any(text.startswith("newgame") for text in sent), "another game begins anew"


def test_a_withdrawn_question_ends_the_program_and_the_next_one_starts_it_again() -> None:
    with thinking(fake("hang")) as thinker:
        begun = threading.Event()
        with pytest.raises(Interrupted):
            thinker.ask(question(neutron(), "b1-b4"), begun.is_set, begun.set)
        assert begun.is_set()
        with pytest.raises(Interrupted):
            thinker.ask(question(neutron(), "b1-b4"), lambda: True)


def test_a_failed_engine_is_not_asked_again_before_it_is_restarted() -> None:
    with thinking(fake("die")) as thinker:
        asked = question(neutron(), "b1-b4")
        with pytest.raises(EngineFailed, match="exited with code 3"):
            thinker.ask(asked, never)
        with pytest.raises(EngineFailed, match="has to be started again"):
            thinker.ask(asked, never)
        thinker.restart()
        with pytest.raises(EngineFailed, match="exited with code 3"):
            thinker.ask(asked, never)


@pytest.mark.parametrize(
    "setup",
    [
        "XO3/5/5/5/5 b komi=7.5",
        "X3X/5/5/5/5 w komi=0.5 handicap=2",
        "5/1XO2/5/5/5 w komi=6.5",
    ],
)
def test_an_engine_of_go_gets_any_set_up(setup: str) -> None:
    game = Game(registry.rules("go", "", 5), setup)
    with thinking(engine("go", "options.level=1")) as thinker:
        reply = thinker.ask(question(game), never)
    if reply.move != "resign":
        game.play(reply.move)


def test_two_questions_wait_for_each_other() -> None:
    with thinking(engine("neutron", "options.level=1")) as thinker:
        moves: list[str] = []

        def ask() -> None:
            moves.append(thinker.ask(question(neutron(), "b1-b4"), never).move)

        threads = [threading.Thread(target=ask) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(TIMEOUT)
        assert len(moves) == 3
