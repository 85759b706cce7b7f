"""Records in SGF, a line of play each, for every game that SGF has a number for."""

from collections.abc import Mapping, Sequence

from sgfmill import sgf_grammar

from engines.core.game import InvalidText
from engines.core.sgf_tree import main_line, parse_sgf

Node = Mapping[str, Sequence[str]]
"""Property values by identifier, unescaped."""


def write_sgf(nodes: Sequence[Node]) -> bytes:
    """Write one line of play; every value is taken as text and escaped."""
    tree = sgf_grammar.Coarse_game_tree()
    for node in nodes:
        tree.sequence.append(
            {
                key: [sgf_grammar.escape_text(value.encode("utf-8")) for value in values]
                for key, values in node.items()
            }
        )
    written: bytes = sgf_grammar.serialise_game_tree(tree)
    return written


def read_sgf(data: bytes) -> list[dict[str, list[str]]]:
    """Read the main line of the first game; raises InvalidText saying where and what is wrong."""
    try:
        root = parse_sgf(data).roots[0]
    except InvalidText as error:
        raise InvalidText(f"not an SGF record: {error}") from error
    return [node.values for node in main_line(root)]
