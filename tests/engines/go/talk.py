"""A conversation with the program's commands, and a board that is settled."""

from engines.go.__main__ import handlers
from engines.go.gtp.commands import Commands
from engines.go.play.player import Player
from engines.go.play.search import Search
from protocols.serve.gtp import serve
from protocols.serve.session import Channel
from tests.protocols.conversation import Conversation

SHARED = Search()  # The network is read once for all tests.
WALL = [f"play {c} {column}{row}" for row in range(1, 10) for c, column in (("b", "D"), ("w", "E"))]
DEAD = ["play b G5", "play w B5", "play b G6", "play w B6"]
REST = "B2 G2 B4 G4 B8 G8 C6 H6 C5 H5 B7 G7".split()  # noqa: SIM905
SETTLED = [*WALL, *DEAD, *(f"play {'bw'[i % 2]} {v}" for i, v in enumerate(REST))]


class Session:
    """A conversation with the program's table of commands."""

    def __init__(self) -> None:
        self.player = Player(lambda settings: SHARED)
        self.player.settings.visits = 12
        commands = Commands(self.player, "1.15.0 (test)")

        def run(channel: Channel) -> None:
            serve(channel, handlers(commands))

        self.conversation = Conversation(run)

    def ask(self, line: str) -> str:
        return self.conversation.ask(line)

    def does(self, *lines: str) -> None:
        """Send commands that must all succeed with an empty text."""
        for line in lines:
            assert self.ask(line) == "= ", line

    def close(self) -> None:
        self.conversation.hang_up()
        self.conversation.finish()
