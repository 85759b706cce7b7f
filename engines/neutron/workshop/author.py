"""Write the shipped book: `python -m engines.neutron.workshop.author [FILE]`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from engines.core.errors import QuintetError
from engines.core.game import Game
from engines.core.search import Limits, Report
from engines.neutron.play.search import Search
from engines.neutron.rules.board import BOARD
from engines.neutron.rules.position import GOES_ON, Position
from engines.neutron.rules.text import NeutronRules, fold, make_rules
from engines.neutron.tables import book

NODES: Final = 60_000_000  # More than any position needs.


class Unproved(QuintetError, RuntimeError):
    """The search does not prove that a position is won; the text names the position."""


class Author:
    """Finds a winning strategy for the side to move, and the most turns that it takes."""

    def __init__(self, rules: NeutronRules) -> None:
        self._rules = rules
        self._search = Search(knows=False)
        self._turns: dict[str, str] = {}
        self._lengths: dict[str, int] = {}

    def write(self, setup: str = "") -> Iterator[str]:
        """Yield a line for each position that can arise from the strategy; raises Unproved."""
        rules = self._rules
        start = rules.start(setup)
        known: set[str] = set()
        level = [start]
        while level:
            following: list[Position] = []
            for position in level:
                self._turns[fold(rules, position)] = self._prove(position)
                self._play(position)
                if position.ending() == GOES_ON:
                    following.extend(_replies(rules, position, known))
            level = following
        self._measure(rules.start(setup))
        for folded, turn in self._turns.items():
            yield f"{rules.variant or '-'} {folded} {turn} {self._lengths[folded]}"

    def _prove(self, position: Position) -> str:
        """Return a turn that the search proves to win, as the folded position has it."""
        game = Game(self._rules, self._rules.setup(position))
        reports: list[Report] = []
        move = self._search.search(
            game, Limits(nodes=NODES), stop=lambda: False, report=reports.append
        )
        score = reports[-1].score
        if not score.exact or score.chance != 1.0:
            raise Unproved(f"{self._rules.setup(position)}: {score}")
        return book.orient(self._rules, position, self._rules.format(position, move))

    def _play(self, position: Position) -> None:
        text = self._turns[fold(self._rules, position)]
        position.play(self._rules.parse(position, book.orient(self._rules, position, text)))

    def _measure(self, position: Position) -> int:
        """Return the most turns that winning a position takes; raises Unproved for a cycle."""
        if not position.only_man and can_win(position):
            return 1
        folded = fold(self._rules, position)
        if folded not in self._lengths:
            self._lengths[folded] = 0
            after = position.copy()
            self._play(after)
            longest = 1
            for reply in after.legal_moves():
                after.play(reply)
                ended = after.ending() != GOES_ON
                longest = max(longest, 2 if ended else 2 + self._measure(after))
                after.undo()
            self._lengths[folded] = longest
        if self._lengths[folded] == 0:
            raise Unproved(f"{self._rules.setup(position)}: occurs again")
        return self._lengths[folded]


def _replies(rules: NeutronRules, position: Position, known: set[str]) -> Iterator[Position]:
    """Yield the new positions after each reply, except where the mover can win directly."""
    for reply in position.legal_moves():
        position.play(reply)
        if position.ending() == GOES_ON and not can_win(position):
            folded = fold(rules, position)
            if folded not in known:
                known.add(folded)
                yield position.copy()
        position.undo()


def can_win(position: Position) -> bool:
    """Return whether the mover can slide the neutron to its own home row."""
    men = position.white | position.black
    return BOARD.can_win(position.turn, position.neutron, men)


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), default=book.SHIPPED)
def main(file: Path) -> None:
    """Write the book of both variants to FILE; show each proof on stderr."""
    lines = []
    for variant in ("", "kraus"):
        for line in Author(make_rules(variant)).write():
            lines.append(line)
            click.echo(f"{len(lines)} {line}", err=True)
    file.write_text("".join(f"{line}\n" for line in sorted(lines)), "ascii")


if __name__ == "__main__":
    main()
