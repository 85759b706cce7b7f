"""GNU Shogi behind USI, so that `quintet match` can play it: `gnushogi.py [SECONDS] [depth=N]`.

    quintet match quintet-shogi "python tests/tools/gnushogi.py 1" --game shogi --time 5/move

GNU Shogi 1.4 takes moves as USI writes them and answers each with its own: `3. ... 8h2b+ 297450`.
Its thinking time is only roughly SECONDS per move; the records show the time that both sides used.
With a depth, its speed depends on the depth and not on the load of the machine.
It cannot be set to a position other than the start; an opening is sent to it as moves.
"""

import re
import subprocess
import sys

REPLY = re.compile(r"\d+\. \.\.\. (\S+)")


class GnuShogi:
    """One process per game; it receives only the moves that it does not know yet."""

    def __init__(self, seconds: str, depth: str = "") -> None:
        self._seconds = seconds
        self._depth = depth
        self._known: list[str] = []
        self._playing = False
        self._process = self._start()

    def _start(self) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            ["/usr/games/gnushogi", "-X", "-a", "-h", self._seconds],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def tell(self, text: str) -> None:
        """Write a line."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{text}\n")
        self._process.stdin.flush()

    def answer(self, moves: list[str]) -> str:
        """Return its move after these, or `resign` where it has none."""
        if self._playing and moves[:-1] == self._known:
            self.tell(moves[-1])
        else:
            # A process for each game: what it says at an end would pass for its next answer.
            self.close()
            self._process = self._start()
            depth = ("depth", self._depth) if self._depth else ()
            for text in (*depth, "force", *moves, "go"):
                self.tell(text)
        self._playing = True
        move = self._read()
        self._known = [*moves, move]
        return move

    def _read(self) -> str:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if match := REPLY.match(line):
                return match[1]
            if "mates" in line or "resign" in line.lower() or "Illegal" in line:
                break
        self._playing = False
        return "resign"

    def close(self) -> None:
        """End it."""
        self._process.kill()
        self._process.wait()


def main() -> None:
    """Serve USI until `quit` or the end of input."""
    words = sys.argv[1:]
    depth = next((word.removeprefix("depth=") for word in words if word.startswith("depth=")), "")
    engine = GnuShogi(next((word for word in words if word.isdigit()), "1"), depth)
    moves: list[str] = []
    refused = False
    for line in sys.stdin:
        words = line.split()
        reply = ""
        if words[:1] == ["usi"]:
            reply = "id name GNU Shogi 1.4\nid author the GNU project\nusiok"
        elif words[:1] == ["isready"]:
            reply = "readyok"
        elif words[:1] == ["position"]:
            refused = words[1:2] != ["startpos"]
            moves = words[3:]
        elif words[:1] == ["go"]:
            reply = "bestmove " + ("resign" if refused else engine.answer(moves))
        elif words[:1] == ["quit"]:
            break
        if reply:
            print(reply, flush=True)
    engine.close()


if __name__ == "__main__":
    main()
