"""Records in SGF, over sgfmill's grammar, for every game that SGF has a number for."""

import codecs
from collections.abc import Mapping, Sequence

from sgfmill import sgf_grammar

from engines.core.game import InvalidText

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
    """Read the main line of the first game; raises InvalidText saying what is wrong."""
    try:
        tree = sgf_grammar.parse_sgf_game(data)
    except ValueError as error:
        raise InvalidText(f"not an SGF record: {error}") from error
    nodes = [dict(node) for node in sgf_grammar.main_sequence_iter(tree)]
    named = nodes[0].get("CA", [b"UTF-8"])[0].decode("ascii", errors="replace")
    try:
        charset = codecs.lookup(named.strip() or "UTF-8").name
    except LookupError as error:
        raise InvalidText(f"not an SGF record: unknown character set {named!r}") from error
    return [
        {
            key: [
                sgf_grammar.text_value(value).decode(charset, errors="replace") for value in list_
            ]
            for key, list_ in node.items()
        }
        for node in nodes
    ]
