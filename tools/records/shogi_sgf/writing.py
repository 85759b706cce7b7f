"""Records of shogi as SGF."""

from collections.abc import Sequence
from typing import Final

from engines import __version__, registry
from engines.core.game import Side
from engines.core.sgf import SgfNode, write_trees
from engines.shogi.rules.notation import format_move
from engines.shogi.rules.records.record import FOULS, Ending, Node, Record
from engines.shogi.rules.sfen import START
from tools.records.game import Verdict

LETTERS: Final = "BW"
"""The sides in SGF, in the order of moving."""
DATE: Final = ("開始日時", "DT")
TIME: Final = ("持ち時間", "OT")
HEADERS: Final = {"表題": "GN", "棋戦": "EV", "場所": "PC", "戦型": "ON", "備考": "GC"}
"""The headers of shogi records that a property of the root says in words, as DATE and TIME do."""
NUMBER: Final = str(registry.find(registry.SHOGI).record_number)
"""The number of shogi in the property GM."""
_DECIDED: Final = {  # Whether the side to move wins; the others are draws, or open.
    **dict.fromkeys((Ending.DECLARATION, Ending.WIN_BY_DEFAULT, Ending.FOUL_WIN), True),
    **dict.fromkeys((Ending.RESIGN, Ending.TIMEOUT, Ending.MATE, Ending.TRY), False),
    **dict.fromkeys((Ending.FOUL_LOSS, Ending.FOUL_ACTION, Ending.LOSS_BY_DEFAULT), False),
}
_OPEN: Final = (Ending.INTERRUPT, Ending.SEALED, Ending.ERROR, Ending.NO_MATE)
_VERDICTS: Final = {
    Ending.RESIGN: Verdict.RESIGN,
    Ending.TIMEOUT: Verdict.TIME,
    **dict.fromkeys(FOULS, Verdict.ILLEGAL),
    **dict.fromkeys(_OPEN, Verdict.UNFINISHED),
}
FORMS: Final = {Verdict.RESIGN: "R", Verdict.TIME: "T", Verdict.ILLEGAL: "F"}
"""What follows the winner in the property RE."""


def write_shogi(records: Sequence[Record]) -> bytes:
    """Write games as one file in SGF."""
    return write_trees([record_to_sgf(record) for record in records])


def record_to_sgf(record: Record) -> SgfNode:
    """Return a record as a game tree of SGF, with all its variations.

    An illegal move has no place in it; the ending that follows it says that it was one.
    """
    root = SgfNode(_root(record))
    turn = record.position().turn
    todo: list[tuple[Node, SgfNode, Side, bool]] = [(record.root, root, turn, True)]
    while todo:
        node, parent, turn, main = todo.pop()
        for number, child in enumerate(node.children):
            first = main and not number
            last = child.children[0] if child.foul and child.children else child
            if last.ending is not None:
                _end(last, parent, root if first else None, turn, after_foul=child.foul)
                if len(node.children) > 1 and not parent.children:
                    # Otherwise, a variation beside the ending would become the main line.
                    parent.children.append(SgfNode({"QE": root.values["QE"]}))
            elif not child.foul:
                made = SgfNode({LETTERS[turn]: [format_move(child.move)], **_words(child)})
                parent.children.append(made)
                todo.append((child, made, 1 - turn, first))
    return root


def _root(record: Record) -> dict[str, list[str]]:
    values = {
        "FF": ["4"],
        "GM": [NUMBER],
        "CA": ["UTF-8"],
        "AP": [f"quintet:{__version__}"],
        "QG": [registry.SHOGI],
        "PB": [record.black],
        "PW": [record.white],
    }
    headers = record.headers
    if (date := headers.get(DATE[0], "").strip()) and "-" not in date:
        values[DATE[1]] = [date[:10].replace("/", "-")]  # SGF has no time of the day.
    for key, name in (*HEADERS.items(), TIME):
        if headers.get(key, "").strip():
            values[name] = [headers[key]]
    if record.start != START:
        values["QP"] = [record.start]
    return values | _words(record.root)


def _words(node: Node) -> dict[str, list[str]]:
    """Return the comment of a node, which begins with the time of its move, and its bookmark."""
    lines = [] if node.seconds is None else [f"{node.seconds:.3f} s"]
    lines += node.comments
    words = {"C": ["\n".join(lines)]} if lines else {}
    return words | ({"N": [node.bookmark]} if node.bookmark else {})


def _end(
    node: Node, parent: SgfNode, root: SgfNode | None, turn: Side, *, after_foul: bool
) -> None:
    """Write an ending: that of the main line at the root, and what it has else in a last node."""
    ending = node.ending
    assert ending is not None
    if after_foul:
        ending = Ending.FOUL_ACTION if ending is Ending.FOUL_ACTION else Ending.FOUL_LOSS
    verdict = _VERDICTS.get(ending, Verdict.NATURAL)
    said = [f"{verdict}: {ending}"]
    if root is not None:
        root.values["RE"] = [_result(ending, verdict, turn)]
        root.values["QE"] = said
    words = _words(node)
    if words or root is None:
        parent.children.append(SgfNode({"QE": said, **words}))


def _result(ending: Ending, verdict: Verdict, turn: Side) -> str:
    if ending in _OPEN:
        return "?"
    if ending not in _DECIDED:
        return "Draw"
    winner = turn if _DECIDED[ending] else 1 - turn
    return f"{LETTERS[winner]}+{FORMS.get(verdict, '')}"
