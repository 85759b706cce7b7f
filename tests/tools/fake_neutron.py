"""A Neutron engine that misbehaves as its first argument says, at its second move of a game.

It plays its first legal move, or after `option seed N` one that the seed and the game's moves
choose. A second argument names a file: the misdeed happens only while that does not exist yet. For
`slow` it is the number of seconds of every move.
"""

import hashlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from engines.core.game import Game
from engines.neutron.rules.text import make_rules
from protocols.serve import gtp
from protocols.serve.gtp import GtpError, Request
from protocols.serve.session import Channel, Log
from tests.protocols.fakes import hide

LATE = 0.7  # Seconds.


class Fake:
    """Answers what a referee asks; `temper` decides what goes wrong."""

    def __init__(self, temper: str, once: str = "") -> None:
        self.temper = temper
        self.once = once
        self.game = Game(make_rules())
        self.asked = 0
        self.seed = ""
        self.games = 0

    def table(self) -> dict[str, gtp.Handler]:
        table: dict[str, gtp.Handler] = {
            "name": lambda request: f"fake {self.temper}",
            "version": lambda request: "1",
            "game": lambda request: "neutron",
            "option": self.option,
            "newgame": self.begin,
            "time_settings": self.set_clock,
            "time_left": lambda request: "",
            "play": self.play,
            "genmove": self.generate,
        }
        if self.temper.startswith("says"):
            table["evaluation"] = self.evaluate
        return table

    def option(self, request: Request) -> str:
        if request.args[0] != "seed":
            raise GtpError("no such option")
        if len(request.args) == 1:
            return self.seed or "random"
        self.seed = request.args[1]
        return ""

    def begin(self, request: Request) -> str:
        if self.temper == "unwilling":
            raise GtpError("no variants here")
        self.game = Game(make_rules())
        self.asked = 0
        self.games += 1
        if self.temper == "gone-at-newgame" and self.games == 2:
            os._exit(6)
        return ""

    def set_clock(self, request: Request) -> str:
        if (self.temper, self.games) == ("gone-before-moves", 2) or self.temper == "never-plays":
            # A child answers when this process is dead, so that it cannot read another command.
            pid = os.getpid()
            if os.fork():
                os._exit(6)
            while os.getppid() == pid:
                time.sleep(0.001)
            os.write(1, f"={request.id} \n\n".encode())
            os._exit(0)
        return ""

    def play(self, request: Request) -> str:
        if self.temper == "stubborn":
            raise GtpError("I do not believe it")
        if self.temper == "deaf-to-moves":
            time.sleep(60)
        self.game.play(request.args[-1])
        return ""

    def evaluate(self, request: Request) -> str:
        score = {
            "says-lost": "exact loss 4",
            "says-even": "est 0.500",
            "says-won": "exact win 3",
            "says-saved": "exact loss 3" if self.asked == 1 else "exact win 3",
            "says-both": "exact win 3" if self.asked % 2 else "exact loss 3",
        }.get(self.temper, "est 0.500")
        line = "a1-a1" if self.temper == "says-nonsense" else ""
        return f"info depth 3 nodes 17 score {score}" + (f" pv {line}" if line else "")

    def generate(self, request: Request) -> str:
        self.asked += 1
        if self.temper == "slow":
            time.sleep(float(self.once))
        due = self.temper != "slow" and self.asked == 2 and self.is_due()
        if due and (answer := self.misbehave(request.id)) is not None:
            return answer
        text = self.choose()
        if self.temper == "gone-after-game" and self.game.outcome() is not None:
            os.write(1, f"={request.id} {text}\n\n".encode())
            os._exit(6)  # If it made the last move.
        if self.temper == "last-words" and self.asked == 2:
            os.write(1, f"={request.id} {text}\n\n".encode())
            os._exit(0)
        return text

    def is_due(self) -> bool:
        """Whether it misbehaves now; of several engines that share a file, only one does."""
        if not self.once:
            return True
        try:
            Path(self.once).touch(exist_ok=False)
        except FileExistsError:
            return False
        return True

    def choose(self) -> str:
        position = self.game.position
        moves = position.legal_moves()
        chosen = 0
        if self.seed:
            data = f"{self.seed} {self.game.moves}".encode()
            chosen = int.from_bytes(hashlib.sha256(data).digest()[:8], "big") % len(moves)
        text = self.game.rules.format(position, moves[chosen])
        self.game.push(moves[chosen])
        return text

    def misbehave(self, number: str) -> str | None:
        match self.temper:
            case "crash":
                print("out of luck", file=sys.stderr, flush=True)
                os._exit(3)
            case "murderer":
                os.kill(os.getppid(), signal.SIGKILL)
            case "killed":
                os.kill(os.getpid(), signal.SIGKILL)
            case "hang" | "lazy":
                time.sleep(60)
            case "undying":
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                while True:
                    time.sleep(60)
            case "late":
                time.sleep(LATE)
            case "illegal":
                return "a1-a1"
            case "nonsense":
                return "\x07knight to f3" + "!" * 100
            case "empty":
                return ""
            case "confused":
                os.write(1, b"=123456 b1-b4\n\n")
            case "twice":
                os.write(1, b"=1 b1-b4\n\n")
            case "chatter":
                while True:
                    os.write(1, b"info thinking about it\n" * 20)
                    time.sleep(0.01)
            case "garbage":
                while True:
                    os.write(1, bytes(range(256)) + b"\n")
            case "endless-reply":
                os.write(1, f"={number} b1-b4".encode())
                while True:
                    os.write(1, b" and so on" * 100 + b"\n")
            case "endless-line":
                while True:
                    os.write(1, b"x" * 4096)
            case "flood":
                for _ in range(20 * 16):
                    os.write(2, b"e" * 65536)
            case "half":
                os.write(1, b"=")
                os._exit(0)
            case "parent":
                subprocess.Popen(["sleep", "60"])
                os._exit(4)
            case "resign":
                return "resign"
        return None


if __name__ == "__main__":
    if sys.argv[1] == "hiding":
        hide(sys.argv[2], orphan=True)
    gtp.serve(Channel.standard(gtp.is_urgent, Log()), Fake(*sys.argv[1:]).table())
