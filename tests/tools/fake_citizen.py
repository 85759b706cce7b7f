"""One of our programs with a fault: `python fake_citizen.py MODULE RULE ...`.

A rule is a list in JSON. `["in", PATTERN, ACTION, TEXT]` acts on a line that arrives, the first
rule that fits alone: `say` TEXT instead of passing the line on (`{id}` is the line's id, `{n}` how
often the rule has fitted), `late` the same after so many seconds (`SECONDS TEXT`), `as` TEXT in
its place, `drop` it, `die` (`CODE` or `CODE@N`: at the Nth), `spin` a thread and pass it on.
`["out", PATTERN, TEXT]` rewrites what is written. `["start", ACTION, TEXT]` acts at the start:
`say`, `sleep`, `spin`, `stderr` (so many bytes), `deaf` to SIGTERM, `homeless` (dies without a
home), `lock` a file or die, `child` (leaves one). `["eof"]` ignores the end of input.
"""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from importlib import import_module
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from protocols.serve.session import Inbox, Writer


def _write(text: str) -> None:
    data = text.encode()
    while data:
        data = data[os.write(1, data) :]


def _spin() -> None:
    def run() -> None:
        while True:
            pass

    threading.Thread(target=run, daemon=True).start()


def _start(action: str, text: str = "") -> None:
    match action:
        case "say":
            _write(text)
        case "sleep":
            time.sleep(float(text))
        case "spin":
            _spin()
        case "stderr":
            os.write(2, b"e" * int(text))
        case "deaf":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        case "homeless":
            if not Path.home().is_dir():
                sys.exit("no home")
        case "lock":
            os.close(os.open(text, os.O_CREAT | os.O_EXCL))
        case "child":
            quiet = subprocess.DEVNULL
            subprocess.Popen(["sleep", "60"], stdin=quiet, stdout=quiet, stderr=quiet)
        case _:
            raise ValueError(action)


class Faults:
    """The rules for what arrives and what is written."""

    def __init__(self, rules: list[list[str]]) -> None:
        self._in = [rule[1:] for rule in rules if rule[0] == "in"]
        self._out = [rule[1:] for rule in rules if rule[0] == "out"]
        self._fits = [0] * len(self._in)

    def arrive(self, line: str) -> str | None:
        """Return the line to pass on, or None."""
        for number, (pattern, action, *text) in enumerate(self._in):
            if re.search(pattern, line):
                self._fits[number] += 1
                return self._act(line, self._fits[number], action, "".join(text))
        return line

    def _act(self, line: str, count: int, action: str, text: str) -> str | None:
        match = re.match(r"\s*(\d*)", line)
        identity = match[1] if match else ""
        filled = text.replace("{id}", identity).replace("{n}", str(count))
        match action:
            case "say":
                _write(filled)
            case "late":
                seconds, _, filled = filled.partition(" ")
                time.sleep(float(seconds))
                _write(filled)
            case "as":
                return filled
            case "drop":
                pass
            case "die":
                code, _, at = text.partition("@")
                if count >= int(at or 1):
                    os._exit(int(code))
                return line
            case "spin":
                _spin()
                return line
            case _:
                raise ValueError(action)
        return None

    def written(self, text: str) -> str:
        """Return what is written instead."""
        for pattern, instead in self._out:
            text = re.sub(pattern, instead, text)
        return text


def main() -> None:
    """Run the program."""
    module, *texts = sys.argv[1:]
    rules: list[list[str]] = [json.loads(text) for text in texts]
    for rule in rules:
        if rule[0] == "start":
            _start(*rule[1:])
    faults = Faults(rules)
    take, write, end = Inbox.take, Writer.write, Inbox.end

    def faulty_take(self: Inbox) -> str | None:
        # Where lines are taken, not where they arrive: answers keep their order.
        while (line := take(self)) is not None:
            passed = faults.arrive(line)
            if passed is not None:
                return passed
        return None

    def faulty_write(self: Writer, text: str) -> None:
        write(self, faults.written(text))

    def faulty_end(self: Inbox) -> None:
        if ["eof"] not in rules:
            end(self)

    patched: Any = Inbox
    patched.take, patched.end = faulty_take, faulty_end
    patched = Writer
    patched.write = faulty_write
    sys.argv = [module]
    import_module(module).main()


if __name__ == "__main__":
    main()
