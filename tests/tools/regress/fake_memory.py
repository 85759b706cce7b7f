"""A Neutron engine whose moves depend on what it was asked before, as a full hash's do.

It plays its first legal move, but after it has named two moves without playing them its last one.
"""

from engines.core.game import Game
from engines.neutron.rules.text import make_rules
from protocols.serve import gtp
from protocols.serve.gtp import Request
from protocols.serve.session import Channel, Log


class Fake:
    """Remembers how often it was asked."""

    def __init__(self) -> None:
        self.game = Game(make_rules())
        self.asked = 0

    def table(self) -> dict[str, gtp.Handler]:
        return {
            "name": lambda request: "forgetful",
            "version": lambda request: "1",
            "game": lambda request: "neutron",
            "option": lambda request: "",
            "time_settings": lambda request: "",
            "newgame": self.begin,
            "play": self.play,
            "genmove": self.generate,
            "reg_genmove": self.name_move,
        }

    def begin(self, request: Request) -> str:
        self.game = Game(make_rules())
        return ""

    def play(self, request: Request) -> str:
        self.game.play(request.args[-1])
        return ""

    def name_move(self, request: Request) -> str:
        self.asked += 1
        return self.choose()

    def generate(self, request: Request) -> str:
        move = self.choose()
        self.game.play(move)
        return move

    def choose(self) -> str:
        position = self.game.position
        moves = position.legal_moves()
        chosen = moves[-1] if self.asked >= 2 else moves[0]
        return self.game.rules.format(position, chosen)


if __name__ == "__main__":
    gtp.serve(Channel.standard(gtp.is_urgent, Log()), Fake().table())
