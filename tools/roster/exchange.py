"""The dialogue with an engine during one test, up to a limit."""

from typing import Final

LINES: Final = 400
WIDTH: Final = 2000  # Longest line, in characters.


class Exchange:
    """Keeps the first and the last lines of a dialogue, and leaves out the middle of a long one."""

    def __init__(self) -> None:
        self._head: list[str] = []
        self._tail: list[str] = []
        self._left_out = 0

    def __call__(self, mark: str, text: str) -> None:
        """Keep a line; `mark` is `>` for a line to the engine, `<` for one from it."""
        line = f"{mark} {text[:WIDTH]}"
        if len(self._head) < LINES // 2:
            self._head.append(line)
            return
        self._tail.append(line)
        if len(self._tail) > LINES // 2:
            del self._tail[0]
            self._left_out += 1

    def forget(self) -> None:
        """Drop all lines so far."""
        self._head, self._tail, self._left_out = [], [], 0

    def close(self) -> None:
        """Do nothing; the lines remain available."""

    def lines(self) -> tuple[str, ...]:
        """Return the kept lines."""
        gap = (f"... {self._left_out} lines left out",) if self._left_out else ()
        return (*self._head, *gap, *self._tail)
