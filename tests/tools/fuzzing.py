"""Lines that no engine should write: what a protocol knows, with wrong numbers and wrong text."""

import random
from collections.abc import Iterator

NUMBERS = (
    *(
        "0",
        "-0",
        "1",
        "-1",
        "35",
        "+",
        "-",
        "",
        "nan",
        "inf",
        "-inf",
        "1e400",
        "0x10",
        "1_000",
        "٣٥",
    ),
    *(
        "²",
        "１２",
        "9" * 15,
        "9" * 16,
        "9" * 5000,
        "-" + "9" * 4400,
        "0." + "0" * 5000 + "1",
        "0.5",
    ),
    *("1.0", "0.569549", "00000000001", "--5", "1/2", "5,5", "1e5", "2147483648", "9" * 400),
)
WORDS = (
    *("info", "depth", "seldepth", "nodes", "time", "score", "pv", "cp", "mate", "lowerbound"),
    *("upperbound", "exact", "est", "win", "loss", "draw", "lead", "multipv", "string", "currmove"),
    *("option", "name", "type", "spin", "check", "combo", "button", "default", "min", "max", "var"),
    *("id", "author", "bestmove", "ponder", "none", "7g7f", "b1-b4", "D4", "c3-c1/b1-b4", "pass"),
    *("B+3.5", "W+R", "=", "?", "=1", "?1", "{}", "]", "\\", ";", ")(", "\\]", "'", '"', "%TORYO"),
    *("T5", "*", "**", "#", "&", "+7776FU", "V2.2", "N+", "PI", "変化：1手", "まで", "手数----"),
)
TEXTS = (
    *(b"\x00", b"\x07", b"\x1b[2J", b"\x08", b"\x0b", b"\x0c", b"\x1c", b"\x1d", b"\x1e", b"\x1f"),
    *(
        b"\x7f",
        b"\xc2\x85",
        b"\xc2\xa0",
        b"\xe2\x80\xa8",
        b"\xe2\x80\xa9",
        b"\xef\xbb\xbf",
        b"\xff",
    ),
    *(b"\xed\xa0\x80", b"\xf0\x9f\x98\x80", b"\xc5\xbf", b"\xe2\x80\xae", b"\r", b"\t", b"  "),
    *("☗７六歩(77)".encode(), "ｽ".encode(), "é".encode(), "７六歩".encode("cp932"), b"\xcc\x81"),
)


class Fuzz:
    """Makes lines from a seed; the same seed makes the same lines."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def line(self) -> bytes:
        """Return a line without its line feed; it is never empty."""
        chosen = self._random
        shape = chosen.choice((self._info, self._score, self._option, self._anything))
        line = " ".join(shape()).encode()
        for _ in range(chosen.choice((0, 0, 0, 1, 3))):
            at = chosen.randrange(len(line) + 1)
            line = line[:at] + chosen.choice(TEXTS) + line[at:]
        if chosen.random() < 0.02:
            line += b" pv" + b" 7g7f" * chosen.randrange(12000)
        return line.replace(b"\n", b" ")[:65000] if line.strip(b"\r") else b"info"

    def _number(self) -> str:
        chosen = self._random
        return chosen.choice(NUMBERS) if chosen.random() < 0.7 else str(chosen.randrange(-50, 5000))

    def _value(self) -> str:
        chosen = self._random
        return self._number() if chosen.random() < 0.7 else chosen.choice(WORDS)

    def _score(self) -> Iterator[str]:
        yield self._random.choice(("score", "info depth 3 score", "", "info score"))
        yield self._random.choice(("cp", "mate", "exact", "exact win", "exact loss", "est"))
        yield self._value()
        if self._random.random() < 0.3:
            yield self._random.choice(("lowerbound", "upperbound", "lead", "lead 1.5", "lead nan"))
            yield self._value()

    def _info(self) -> Iterator[str]:
        yield "info"
        keys = ["depth", "seldepth", "nodes", "time", "multipv", "hashfull", "nps"]
        self._random.shuffle(keys)
        for key in keys[: self._random.randrange(5)]:
            yield f"{key} {self._value()}"
        yield from self._score()
        yield "pv"
        for _ in range(self._random.randrange(6)):
            yield self._random.choice(WORDS)

    def _option(self) -> Iterator[str]:
        kinds = ("spin", "check", "combo", "button", "string", "filename", "", "spun")
        yield f"option name {self._value()} type {self._random.choice(kinds)}"
        for _ in range(self._random.randrange(6)):
            yield self._random.choice(("default", "min", "max", "var"))
            yield self._value()

    def _anything(self) -> Iterator[str]:
        for _ in range(self._random.randrange(1, 12)):
            yield self._value()
