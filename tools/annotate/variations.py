"""Better lines of play beside mistakes: what the engine expected, as variations of a record.

A variation that an earlier annotation has written is recognised by its comment, which says how many
moves it has. If a person has changed it or added to it, it is kept as a variation of the record.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from engines import registry
from engines.core.game import CHANCE, Game, IllegalMove, InvalidText, Rules
from engines.core.sgf import SgfNode
from engines.shogi.rules.notation import parse_move
from engines.shogi.rules.records.record import Node
from tools.annotate.judging import ERRORS, JudgedMove
from tools.records.game import PlayedMove, Variation
from tools.records.grafting import add_variation
from tools.records.recorded import RecordedGame
from tools.records.sgf import move_properties
from tools.records.tree import MoveNode
from tools.records.tree import Source as FileNode

PREFIX: Final = "annotate: "
"""How all words of an annotation begin."""
_HEAD: Final = re.compile(rf"{PREFIX}better line of (\d{{1,6}}) moves? by .*")
_UNPLAYED: Final = ("resign", "win")

Make = Callable[[Sequence[PlayedMove], int], Iterator[tuple[FileNode, int]]]
"""Makes the nodes of a line behind so many plies, with the plies that lead to each of them."""


def better_lines(
    recorded: RecordedGame, judged: Sequence[JudgedMove], author: str, longest: int
) -> list[Variation]:
    """Return the engine's line in place of each doubtful move, mistake and blunder.

    A line ends after `longest` moves, before a throw of dice, and where the rules cannot follow it.
    The comment of its first move names the engine and the value.
    """
    errors = {move.number: move for move in judged if move.mark in ERRORS}
    game = Game(registry.rules(recorded.game, recorded.variant, recorded.size), recorded.setup)
    number = 0
    found = []
    for at, played in enumerate(recorded.moves):
        number += played.side != CHANCE
        if played.side != CHANCE and number in errors:
            moves = _better_moves(game, errors[number], longest)
            if moves:
                comment = _describe(errors[number], game, len(moves), author)
                found.append(Variation(at, (moves[0]._replace(comment=comment), *moves[1:])))
        game.push(game.rules.parse(game.position, played.text))
    return found


def _better_moves(game: Game[Any], judged: JudgedMove, longest: int) -> list[PlayedMove]:
    """Return the line that the engine gave with its choice, or the choice alone."""
    best, words = judged.before.best, judged.before.evaluation.line.split()
    line = list(_follow(game.copy(), words[:longest]))
    if line and line[0].text == best:
        return line
    return list(_follow(game.copy(), [best][:longest]))


def _follow(game: Game[Any], words: Sequence[str]) -> Iterator[PlayedMove]:
    for word in words:
        if word in _UNPLAYED or game.turn == CHANCE or game.outcome() is not None:
            return
        try:
            move = game.rules.parse(game.position, word)
            played = PlayedMove(game.turn, game.rules.format(game.position, move), 0.0, None)
            game.push(move)
        except (InvalidText, IllegalMove):
            return
        yield played


def _describe(judged: JudgedMove, game: Game[Any], count: int, author: str) -> str:
    share = judged.before.share(judged.side)
    assert share is not None  # A move without a value has no mark.
    moves = f"{count} move{'s' if count != 1 else ''}"
    side = game.rules.sides[judged.side]
    return f"{PREFIX}better line of {moves} by {author}: {side} {100 * share:.1f} %"


def is_annotation(variation: Variation) -> bool:
    """Tell whether a variation is what an annotation has written, and nothing more."""
    return not variation.variations and _has_own_moves(variation.moves)


def _has_own_moves(moves: Sequence[PlayedMove]) -> bool:
    """Tell whether the only comment of a line is ours, and the line ends as it says.

    The moves before the comment repeat those of a node with several moves.
    """
    comments = [(at, move.comment) for at, move in enumerate(moves) if move.comment]
    if len(comments) != 1:
        return False
    ((at, comment),) = comments
    match = _HEAD.fullmatch(comment)
    return match is not None and int(match[1]) == len(moves) - at


def remove_lines(tree: MoveNode[FileNode], is_bare: Callable[[FileNode], bool]) -> None:
    """Remove the variations of an earlier annotation that nobody has changed.

    `is_bare` tells whether a node has only a move and a comment.
    """
    todo = [tree]
    while todo:
        node = todo.pop()
        own = [child for child in node.children[1:] if _is_own(child, is_bare)]
        nodes, sources = {id(child) for child in own}, {id(child.source) for child in own}
        node.children = [child for child in node.children if id(child) not in nodes]
        node.source.children = [child for child in node.source.children if id(child) not in sources]
        todo += node.children


def _is_own(start: MoveNode[FileNode], is_bare: Callable[[FileNode], bool]) -> bool:
    moves: list[PlayedMove] = []
    node = start
    while node.moves and is_bare(node.source):
        moves += node.moves
        if not node.source.children:
            return _has_own_moves(moves)
        if len(node.source.children) > 1 or not node.children:
            return False
        (node,) = node.children
    return False


def is_bare_sgf(node: SgfNode) -> bool:
    """Tell whether a node of SGF has only a move and a comment."""
    return node.values.keys() <= {"B", "W", "C"}


def is_bare_shogi(node: Node) -> bool:
    """Tell whether a node of shogi has only a move and a comment."""
    return not node.bookmark and not node.seconds


def add_lines(
    tree: MoveNode[FileNode],
    moves: Sequence[PlayedMove],
    lines: Sequence[Variation],
    make: Make[FileNode],
) -> None:
    """Write lines beside the moves of a game, where no variation begins with the same move."""
    for line in lines:
        add_variation(tree, (*moves[: line.at], *line.moves), line.at, make)


def sgf_maker(rules: Rules[Any]) -> Make[SgfNode]:
    """Return what makes the nodes of a line in SGF."""

    def make(whole: Sequence[PlayedMove], at: int) -> Iterator[tuple[SgfNode, int]]:
        for ply, values in move_properties(rules, whole):
            if ply > at:
                comment = whole[ply - 1].comment
                yield SgfNode({**values, **({"C": [comment]} if comment else {})}), ply

    return make


def make_shogi(whole: Sequence[PlayedMove], at: int) -> Iterator[tuple[Node, int]]:
    """Make the nodes of a line of shogi."""
    for ply, move in enumerate(whole[at:], at + 1):
        comments = [move.comment] if move.comment else []
        yield Node(parse_move(move.text), comments=comments), ply
