"""Conversations in USI: positions, searches, and answers judged by our own rules of shogi."""

import time
from collections.abc import Sequence
from typing import ClassVar, Final, NamedTuple

from engines import registry
from engines.core.game import Game, IllegalMove, InvalidText
from protocols.ask.detect import Client, UsiClient
from protocols.errors import EngineTimeout
from tools.check.probe import Fault, Stray, Unsuited, expect
from tools.check.talks.talk import ANSWER, START, Talk

THOUGHT: Final = 15.0  # Seconds for a move under a short clock.
CLOCK: Final = "btime 10000 wtime 10000 byoyomi 1000"
QUICK: Final = "btime 4000 wtime 4000 byoyomi 0"
SHORT: Final = "btime 0 wtime 0 byoyomi 1000"
LONG: Final = "btime 0 wtime 0 byoyomi 60000"


class SearchOutput(NamedTuple):
    """The lines from `go` to `bestmove`."""

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
        """Send `usi` and read the answer."""
        self.send("usi")
        self.read_until("usiok", START)

    def prepare(self) -> None:
        """Greet the engine, set the user's options, and wait until it is ready."""
        super().prepare()
        self.ready()

    def ready(self, seconds: float = 2 * START) -> None:
        """Send `isready` and wait; all outstanding answers arrive before `readyok`."""
        self.send("isready")
        self.read_until("readyok", seconds)

    def expect_ready_alone(self, why: str, seconds: float = 2 * START) -> None:
        """Send `isready`; raises Fault if an answer arrives before `readyok`, Stray for text."""
        self.send("isready")
        lines = self.read_until("readyok", seconds)
        for line in lines:
            expect(not line.startswith(("bestmove", "checkmate")), f"{why}: it wrote {line[:80]!r}")
        for line in lines:
            raise Stray(f"{why}: it wrote {line[:80]!r}")

    def reset(self) -> None:
        """Begin a game, with MultiPV 1."""
        if "MultiPV" in self.client.options:
            self.send("setoption name MultiPV value 1")
        self.ready()
        self.send("usinewgame")

    def settle(self) -> None:
        """Check that no answer is left over."""
        self.expect_no_answer("it sent an answer without a question", 2 * START)

    def expect_no_answer(self, why: str, seconds: float = ANSWER) -> None:
        """Send `isready`, and check that no `bestmove` or `checkmate` comes before `readyok`."""
        self.send("isready")
        for line in self.read_until("readyok", seconds):
            expect(not line.startswith(("bestmove", "checkmate")), f"{why}: {line[:80]!r}")

    def read_until(self, word: str, seconds: float) -> list[str]:
        """Return the lines before the line that is `word`, or begins with it and a blank."""
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

    def listen(self, seconds: float, why: str = "stop had not been sent") -> None:
        """Read for a while; raises Fault if an answer arrives."""
        until = min(time.monotonic() + seconds, self.until)
        try:
            while True:
                line = self.process.read_line(until)
                expect(not line.startswith(("bestmove", "checkmate")), f"{line[:80]!r}: {why}")
        except EngineTimeout:
            return

    def answer(self, seconds: float = THOUGHT) -> SearchOutput:
        """Read up to the next `bestmove`."""
        *infos, line = self.read_until("bestmove", seconds)
        words = line.split()
        expect(len(words) in (2, 4), f"{line!r} is not `bestmove MOVE [ponder MOVE]`")
        expect(len(words) == 2 or words[2] == "ponder", f"{line!r}: ponder was expected")
        for info in infos:
            expect(not info.startswith("checkmate"), f"{info!r} in answer to go")
        return SearchOutput(infos, words[1], words[3] if len(words) == 4 else "")

    def search(self, go: str, position: str = "startpos", seconds: float = THOUGHT) -> SearchOutput:
        """Set up a position and search; return the answer, which must be legal by our rules."""
        self.send(f"position {position}", f"go {go}")
        output = self.answer(seconds)
        self.judge(output, position)
        return output

    def judge(self, output: SearchOutput, position: str = "startpos") -> None:
        """Raise Fault unless the answer and the reply that it expects are legal."""
        game = position_of(position)
        moves = [move for move in (output.move, output.ponder) if move]
        if output.move == "resign" and game.position.legal_moves():
            raise Fault("it resigns although nothing is lost")
        if output.move in ("resign", "win"):
            moves = [move for move in moves[:1] if move == "win"]
        for move in moves:
            try:
                game.play(move)
            except (IllegalMove, InvalidText) as error:
                raise Fault(f"bestmove {' ponder '.join(moves)}: {error}") from error

    def keep_thinking(self, seconds: float) -> None:
        """Read for a while; raises Unsuited if `go infinite` is answered before `stop`."""
        try:
            self.listen(seconds)
        except Fault as fault:
            raise Unsuited("it answers go infinite before stop: see go-infinite") from fault

    def think(self) -> None:
        """Let the engine make a move."""
        self.search(QUICK)

    def begin_long_thought(self) -> None:
        """Start a search of a minute."""
        self.send("position startpos", f"go {LONG}")

    def begin_endless_thought(self) -> None:
        """Start a search without a limit."""
        self.send("position startpos", "go infinite")


def position_of(text: str) -> Game:  # type: ignore[type-arg]
    """Return the game that a `position` command describes."""
    front, _, moves = text.partition(" moves ")
    setup = "" if front == "startpos" else front.removeprefix("sfen ")
    game = Game(registry.rules("shogi"), setup)
    for move in moves.split():
        game.push(game.rules.parse(game.position, move))
    return game
