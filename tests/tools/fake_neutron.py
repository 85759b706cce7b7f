"""A Neutron engine that plays its first legal move and misbehaves as its argument says."""

import os
import sys
import time

from engines.core.game import Game
from engines.neutron.rules import make_rules
from protocols import gtp
from protocols.gtp import GtpError, Request
from protocols.session import Channel, Log


class Fake:
    """Answers what a referee asks; `temper` decides what goes wrong at the second move."""

    def __init__(self, temper: str) -> None:
        self.temper = temper
        self.game = Game(make_rules())
        self.asked = 0

    def table(self) -> dict[str, gtp.Handler]:
        return {
            "name": lambda request: f"fake {self.temper}",
            "version": lambda request: "1",
            "game": lambda request: "neutron",
            "newgame": self.begin,
            "time_settings": lambda request: "",
            "time_left": lambda request: "",
            "play": self.play,
            "genmove": self.generate,
        }

    def begin(self, request: Request) -> str:
        if self.temper == "unwilling":
            raise GtpError("no variants here")
        self.game = Game(make_rules())
        return ""

    def play(self, request: Request) -> str:
        if self.temper == "stubborn":
            raise GtpError("I do not believe it")
        self.game.play(request.args[-1])
        return ""

    def generate(self, request: Request) -> str:
        self.asked += 1
        if self.asked == 2:
            if self.temper == "crash":
                print("out of luck", file=sys.stderr, flush=True)
                os._exit(3)
            if self.temper == "hang":
                time.sleep(60)
            if self.temper == "illegal":
                return "a1-a1"
            if self.temper == "confused":
                os.write(1, b"=123456 b1-b4\n\n")
            if self.temper == "resign":
                return "resign"
        position = self.game.position
        move = position.legal_moves()[0]
        text = self.game.rules.format(position, move)
        self.game.push(move)
        return text


if __name__ == "__main__":
    gtp.serve(Channel.standard(gtp.is_urgent, Log()), Fake(sys.argv[1]).table())
