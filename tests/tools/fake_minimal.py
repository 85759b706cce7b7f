"""A Neutron engine that knows only what every engine of the line protocol must know."""

from engines.core.game import Game
from engines.neutron.rules.text import make_rules
from protocols.serve import gtp
from protocols.serve.gtp import GtpError, Request
from protocols.serve.session import Channel, Log


class Minimal:
    """Plays its first legal move."""

    def __init__(self) -> None:
        self.game = Game(make_rules())

    def table(self) -> dict[str, gtp.Handler]:
        return {
            "name": lambda request: "minimal",
            "version": lambda request: "1",
            "game": lambda request: "neutron",
            "newgame": self.begin,
            "play": self.play,
            "genmove": self.generate,
            "time_settings": lambda request: "",
        }

    def begin(self, request: Request) -> str:
        self.game = Game(make_rules())
        return ""

    def play(self, request: Request) -> str:
        self.game.play(request.args[-1])
        return ""

    def generate(self, request: Request) -> str:
        side = self.game.rules.sides[self.game.turn]
        if request.args and request.args[0] not in (side, side[0]):
            raise GtpError(f"it is {side}'s turn")
        text = self.game.rules.format(self.game.position, self.game.position.legal_moves()[0])
        self.game.play(text)
        return text


if __name__ == "__main__":
    gtp.serve(Channel.standard(gtp.is_urgent, Log()), Minimal().table())
