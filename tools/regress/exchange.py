"""What was said with an engine during one test, as far as a cap allows."""

from typing import Final

LINES: Final = 400
WIDTH: Final = 2000  # Characters of a line.


class Exchange:
    """The first lines of a dialogue and its last ones: a flood in between is left out."""

    def __init__(self) -> None:
        self._head: list[str] = []
        self._tail: list[str] = []
        self._left_out = 0

    def __call__(self, mark: str, text: str) -> None:
        """Note a line; `mark` is `>` for what was sent, `<` for what came."""
        line = f"{mark} {text[:WIDTH]}"
        if len(self._head) < LINES // 2:
            self._head.append(line)
            return
        self._tail.append(line)
        if len(self._tail) > LINES // 2:
            del self._tail[0]
            self._left_out += 1

    def forget(self) -> None:
        """Keep nothing of what was said so far."""
        self._head, self._tail, self._left_out = [], [], 0

    def close(self) -> None:
        """Keep what there is."""

    def lines(self) -> tuple[str, ...]:
        """Return what is kept."""
        gap = (f"... {self._left_out} lines left out",) if self._left_out else ()
        return (*self._head, *gap, *self._tail)
