"""An engine of Neutron that plays listed moves and misbehaves as it is told.

Its arguments are what it does when it is asked for a move, one after the other: a move, `die`,
`hang`, `spit` (writes escape sequences to stderr and dies) or `legal`, which plays by our rules.
"""

import contextlib
import sys
from collections.abc import Iterator
from typing import Any

from engines import registry
from engines.core.game import Game

COMMANDS = "protocol_version name version known_command list_commands quit game newgame position"
COMMANDS += " play genmove undo"


def answers(game: Game[Any], behaviour: Iterator[str]) -> None:
    for line in sys.stdin:
        number, _, rest = line.strip().partition(" ")
        command, *words = rest.split()
        if command == "quit":
            print(f"={number}\n", flush=True)
            return
        if command == "newgame":
            game = Game(registry.rules("neutron"))
        print(f"={number} {answer(game, command, words, behaviour)}\n", flush=True)


def answer(game: Game[Any], command: str, words: list[str], behaviour: Iterator[str]) -> str:
    match command:
        case "protocol_version":
            return "2"
        case "name":
            return "\x1b[31mFake\x1b[0m"
        case "known_command":
            return "true" if words[0] in COMMANDS.split() else "false"
        case "list_commands":
            return "\n".join(COMMANDS.split())
        case "game":
            return "neutron"
        case "play":
            game.play(words[-1])
            return ""
        case "genmove":
            return move(game, next(behaviour, "legal"))
    return "1"


def move(game: Game[Any], what: str) -> str:
    if what == "die":
        sys.exit(3)
    if what == "spit":
        sys.stderr.write("\x1b[2J\x1b]0;owned\x07[bold]boo[/bold]\n")
        sys.exit(4)
    if what == "hang":
        sys.stdin.read()
        sys.exit(0)
    if what == "legal":
        what = game.rules.format(game.position, game.position.legal_moves()[0])
        game.play(what)
        return what
    with contextlib.suppress(ValueError):
        game.play(what)
    return what


if __name__ == "__main__":
    answers(Game(registry.rules("neutron")), iter(sys.argv[1:]))
