"""A GTP engine that answers immediately, as its tests want it to.

Its arguments are the names of commands that it does not know.
"""

import os
import signal
import sys
import time

from protocols.serve import gtp
from protocols.serve.gtp import GtpError, Request
from protocols.serve.session import Channel, Log


class Fake:
    """An engine without a game; its command `heard` lists the commands since the last `heard`."""

    def __init__(self) -> None:
        self.commands: list[str] = []

    def table(self, unknown: list[str]) -> dict[str, gtp.Handler]:
        table: dict[str, gtp.Handler] = {
            "name": lambda request: "fake",
            "version": lambda request: "1",
            "echo": lambda request: request.text,
            "lines": lambda request: "\n".join(request.args),
            "refuse": self.refuse,
            "die": self.die,
            "hang": self.hang,
            "heard": self.tell,
        }
        for name in (
            *("boardsize", "clear_board", "komi", "play", "undo", "fixed_handicap"),
            *("set_free_handicap", "set_position", "loadsgf", "rectangular_boardsize"),
        ):
            table[name] = self.note(name)
        for name in ("genmove", "reg_genmove"):
            table[name] = self.note(name, "C3")
        table["lz-genmove_analyze"] = self.note("lz-genmove_analyze", "info move B2\nplay B2")
        return {name: handler for name, handler in table.items() if name not in unknown}

    def note(self, name: str, answer: str = "") -> gtp.Handler:
        def handle(request: Request) -> str:
            self.commands.append(f"{name} {request.text}".strip())
            if "refused" in request.args:
                raise GtpError("as you wish")
            return answer

        return handle

    def tell(self, request: Request) -> str:
        commands, self.commands = self.commands, []
        return " | ".join(commands)

    def refuse(self, request: Request) -> str:
        raise GtpError(request.text)

    def die(self, request: Request) -> str:
        print("farewell", file=sys.stderr, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
        return ""

    def hang(self, request: Request) -> str:
        time.sleep(600)
        return ""


if __name__ == "__main__":
    gtp.serve(Channel.standard(gtp.is_urgent, Log()), Fake().table(sys.argv[1:]))
