"""Talks in USI: positions, searches and their answers, judged by our own rules of shogi."""

import time
from collections.abc import Sequence
from typing import ClassVar, Final, NamedTuple

from engines import registry
from engines.core.game import Game, IllegalMove, InvalidText
from protocols.client import Client, UsiClient
from protocols.errors import EngineTimeout
from tools.check.probe import Fault, expect
from tools.check.talk import ANSWER, START, Talk

THOUGHT: Final = 15.0  # Seconds for a move on a modest clock.
CLOCK: Final = "btime 10000 wtime 10000 byoyomi 1000"
QUICK: Final = "btime 4000 wtime 4000 byoyomi 0"
SHORT: Final = "btime 0 wtime 0 byoyomi 1000"
LONG: Final = "btime 0 wtime 0 byoyomi 60000"


class Search(NamedTuple):
    """What came from `go` to `bestmove`."""

    infos: Sequence[str]
    move: str
    ponder: str


class UsiTalk(Talk):
    """A conversation in USI."""

    client: UsiClient
    client_type: ClassVar[type[Client]] = UsiClient

    def first_command(self) -> str:
        """Return `usi`."""
        return "usi"

    def first_words(self) -> None:
        """Ask who it is."""
        self.send("usi")
        self.read_until("usiok", START)

    def prepare(self) -> None:
        """Greet, set the user's options, wait until it is ready."""
        super().prepare()
        self.ready()

    def ready(self, seconds: float = 2 * START) -> None:
        """Ask whether it is ready, and wait; whatever is owed comes before."""
        self.send("isready")
        self.read_until("readyok", seconds)

    def expect_ready_alone(self, why: str, seconds: float = 2 * START) -> None:
        """Ask whether it is ready; a line before the answer is a Fault, however late it comes."""
        self.send("isready")
        for line in self.read_until("readyok", seconds):
            raise Fault(f"{why}: it wrote {line[:80]!r}")

    def reset(self) -> None:
        """Begin a game with one line of thought."""
        if "MultiPV" in self.client.options:
            self.send("setoption name MultiPV value 1")
        self.ready()
        self.send("usinewgame")

    def settle(self) -> None:
        """See that no answer is left over."""
        self.expect_no_answer("an answer that nobody asked for", 2 * START)

    def expect_no_answer(self, why: str, seconds: float = ANSWER) -> None:
        """Ask `isready`, and see that no `bestmove` or `checkmate` comes before its reply."""
        self.send("isready")
        for line in self.read_until("readyok", seconds):
            expect(not line.startswith(("bestmove", "checkmate")), f"{why}: {line[:80]!r}")

    def read_until(self, word: str, seconds: float) -> list[str]:
        """Return the lines before one that is `word`, or that begins with it and a blank."""
        deadline = self.soon(seconds)
        lines: list[str] = []
        while True:
            try:
                line = self.process.read_line(deadline)
            except EngineTimeout as error:
                raise Fault(f"no {word} within {seconds * self.patience:.3g} s") from error
            if line.rstrip() == word or line.startswith(word + " "):
                return [*lines, line] if line.rstrip() != word else lines
            lines.append(line)

    def listen(self, seconds: float, why: str = "nobody had said stop") -> None:
        """Read for a while; an answer that comes is a Fault."""
        until = min(time.monotonic() + seconds, self.until)
        try:
            while True:
                line = self.process.read_line(until)
                expect(not line.startswith(("bestmove", "checkmate")), f"{line[:80]!r}: {why}")
        except EngineTimeout:
            return

    def answer(self, seconds: float = THOUGHT) -> Search:
        """Read to the next `bestmove`."""
        *infos, line = self.read_until("bestmove", seconds)
        words = line.split()
        expect(len(words) in (2, 4), f"{line!r} is not `bestmove MOVE [ponder MOVE]`")
        expect(len(words) == 2 or words[2] == "ponder", f"{line!r}: ponder was expected")
        for info in infos:
            expect(not info.startswith("checkmate"), f"{info!r} in answer to go")
        return Search(infos, words[1], words[3] if len(words) == 4 else "")

    def search(self, go: str, position: str = "startpos", seconds: float = THOUGHT) -> Search:
        """Set a position up, think, and return an answer that our rules find legal."""
        self.send(f"position {position}", f"go {go}")
        found = self.answer(seconds)
        self.judge(found, position)
        return found

    def judge(self, found: Search, position: str = "startpos") -> None:
        """Raise Fault unless an answer is legal, and so is what it expects in reply."""
        game = position_of(position)
        moves = [move for move in (found.move, found.ponder) if move]
        if found.move == "resign" and game.position.legal_moves():
            raise Fault("it resigns where nothing is lost")
        if found.move in ("resign", "win"):
            moves = [move for move in moves[:1] if move == "win"]
        for move in moves:
            try:
                game.play(move)
            except (IllegalMove, InvalidText) as error:
                raise Fault(f"bestmove {' ponder '.join(moves)}: {error}") from error

    def think(self) -> None:
        """Have a move made."""
        self.search(QUICK)

    def begin_long_thought(self) -> None:
        """Give a minute."""
        self.send("position startpos", f"go {LONG}")

    def begin_endless_thought(self) -> None:
        """Think until told to stop."""
        self.send("position startpos", "go infinite")


def position_of(text: str) -> Game:  # type: ignore[type-arg]
    """Return the game that a `position` command describes."""
    front, _, moves = text.partition(" moves ")
    setup = "" if front == "startpos" else front.removeprefix("sfen ")
    game = Game(registry.rules("shogi"), setup)
    for move in moves.split():
        game.push(game.rules.parse(game.position, move))
    return game
