"""SGF of shogi as records, and what of it no record of shogi holds."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from engines import registry
from engines.core.game import Game, IllegalMove, InvalidText, Outcome, Side
from engines.core.sgf import SgfFile, SgfNode, main_line
from engines.shogi.rules.notation import parse_move
from engines.shogi.rules.records.record import Ending, Node, Record
from protocols.ask.text import plain
from tools.records.diagrams import rules_of
from tools.records.game import PlayedMove, Verdict
from tools.records.losses import Loss
from tools.records.nodes import has_time, play_own
from tools.records.shogi import DECLARED, ending_of, remarks
from tools.records.shogi_sgf.writing import DATE, FORMS, HEADERS, LETTERS, NUMBER, TIME

_RESULT: Final = re.compile(r"([BW])\+(.*)")
_ISO: Final = re.compile(r"(\d{4})-(\d\d)-(\d\d)(.*)")
# The properties of the root that are understood, besides the headers in words.
_OWN: Final = "FF GM CA AP SZ RU QG QV QP QE QS QO RE PB PW C DT TM OT"
_KEPT: Final = frozenset((*_OWN.split(), *HEADERS.values()))
_IN_NODES: Final = frozenset(("B", "W", "C", "N", "QE"))


def is_shogi(root: SgfNode) -> bool:
    """Tell whether a game tree is a game of shogi."""
    return root.values.get("QG", [""])[0] == registry.SHOGI or (
        "QG" not in root.values and root.values.get("GM", [""])[0].strip() == NUMBER
    )


def read_shogi(file: SgfFile, title: str) -> tuple[list[Record], list[Loss]]:
    """Return all games of a file as records, and what of them the format `title` cannot hold.

    Raises InvalidText if one of them is not of shogi, or has a move that is not possible.
    """
    records, losses = [], Counter[tuple[str, str]]()
    for root in file.roots:
        if not is_shogi(root):
            raise InvalidText(f"it is no game of shogi, and {title} holds no other")
        record, left_out = sgf_to_record(root, title)
        records.append(record)
        losses.update({(loss.thing, loss.fate): loss.count for loss in left_out})
    return records, [Loss(thing, count, fate) for (thing, fate), count in losses.items()]


def sgf_to_record(root: SgfNode, title: str) -> tuple[Record, list[Loss]]:
    """Return a game tree of shogi as a record, and what of it the format `title` cannot hold.

    Raises InvalidText for a move of the main line that is not possible.
    """
    rules = rules_of(root.values)
    game = Game(rules, root.values.get("QP", [""])[0])
    start = rules.setup(game.position)
    record = Record(start, _text(root, "PB"), _text(root, "PW"))
    record.headers = dict(_headers(root.values, rules.variant))
    last, impossible = _grow(record.root, root, game)
    if last is not None:
        turn = (record.position().turn + len(record.moves())) % 2
        ending = _ending(root.values, turn)
        if ending is not None and record.ending() is None:
            last.children.append(Node(ending=ending))
    losses = list(_left_out(root, title))
    if impossible:
        losses.append(Loss("variation", impossible, "left out: its moves are not possible"))
    return record, losses


def _grow(top: Node, root: SgfNode, game: Game[Any]) -> tuple[Node | None, int]:
    """Add all lines below a root.

    Returns the last node of the main line if it has no ending, and the number of variations that
    are not possible.
    """
    top.comments = _comment(root)
    main = {id(node) for node in main_line(root)}
    last: Node | None = top
    impossible = 0
    todo = [(child, top, 0) for child in reversed(root.children)]
    while todo:
        source, node, plies = todo.pop()
        while len(game.moves) > plies:
            game.undo()
        try:
            moves = tuple(play_own(source.values, game))
        except (InvalidText, IllegalMove) as error:
            if id(source) in main:
                raise InvalidText(f"move {plies + 1}: {plain(str(error))}") from error
            impossible += 1
            continue
        for move in moves:
            added = _node(move, source)
            node.children.append(added)
            node = added
        if not moves:
            node = _remark(source, node)
        if id(source) in main:
            last = node if node.ending is None else None
        if node.ending is None:
            plies = len(game.moves)
            todo += [(child, node, plies) for child in reversed(source.children)]
    return last, impossible


def _node(move: PlayedMove, source: SgfNode) -> Node:
    seconds = move.seconds if has_time(source.values) else None
    bookmark = plain(source.values.get("N", [""])[0])
    if move.text == DECLARED:
        return Node(ending=Ending.DECLARATION, seconds=seconds, comments=remarks(move))
    return Node(parse_move(move.text), seconds=seconds, comments=remarks(move), bookmark=bookmark)


def _remark(source: SgfNode, node: Node) -> Node:
    """Add a node without a move to the node before it, or as the ending that it names."""
    said = source.values.get("QE", [""])[0].partition(": ")[2]
    if source.children or said not in list(Ending):
        node.comments += _comment(source)
        return node
    move = PlayedMove(0, "", 0.0, None, comment="\n".join(_comment(source)))
    seconds = None
    if has_time(source.values):
        first, *rest = move.comment.split("\n")
        seconds, move = float(first.removesuffix(" s")), move._replace(comment="\n".join(rest))
    ending = Node(ending=Ending(said), seconds=seconds, comments=remarks(move))
    node.children.append(ending)
    return ending


def _comment(source: SgfNode) -> list[str]:
    return [line for text in source.values.get("C", []) for line in text.split("\n")]


def _headers(root: Mapping[str, Sequence[str]], variant: str) -> Iterator[tuple[str, str]]:
    """Yield the headers in which shogi records say what a root says in words."""
    if date := _first(root, DATE[1]):
        match = _ISO.fullmatch(date)
        yield DATE[0], f"{match[1]}/{match[2]}/{match[3]}{match[4]}" if match else date
    main, more = _first(root, "TM"), _first(root, TIME[1])
    if main.replace(".", "", 1).isdecimal():
        minutes, seconds = divmod(float(main), 60)
        first = f"{minutes:.0f}分" if minutes or not seconds else ""
        yield TIME[0], f"{first}{f'{seconds:.10g}秒' if seconds else ''}{f'+{more}' * bool(more)}"
    elif main or more:
        yield TIME[0], " ".join(filter(None, (main, more)))
    for key, name in HEADERS.items():
        text = _first(root, name)
        if name == "GC" and variant:
            text = ", ".join(filter(None, (text, f"rules {variant}")))
        if text:
            yield key, text


def _first(root: Mapping[str, Sequence[str]], key: str) -> str:
    return " ".join(root.get(key, [""])[0].split())


def _text(root: SgfNode, key: str) -> str:
    return plain(root.values.get(key, [""])[0])


def _ending(root: Mapping[str, Sequence[str]], turn: Side) -> Ending | None:
    """Return the ending that the root names; `turn` is the side that would move next."""
    result = root.get("RE", [""])[0].strip()
    verdict, _, reason = root.get("QE", [""])[0].partition(": ")
    if reason in list(Ending):
        return Ending(reason)
    if not result:
        return None
    match = _RESULT.fullmatch(result)
    if match is None and result.lower() not in ("draw", "0"):
        return Ending.INTERRUPT
    winner = LETTERS.index(match[1]) if match else None
    forms = {form: verdict for verdict, form in FORMS.items()}
    if verdict not in list(Verdict):
        verdict = forms.get(match[2][:1].upper(), Verdict.NATURAL) if match else Verdict.NATURAL
    return ending_of(Verdict(verdict), Outcome(winner, reason), turn)


def _left_out(root: SgfNode, title: str) -> Iterator[Loss]:
    """Yield the properties that have no place in a record of shogi."""
    found = Counter(key for key in root.values if key not in _KEPT)
    todo = list(root.children)
    while todo:
        node = todo.pop()
        found.update(key for key in node.values if key not in _IN_NODES)
        todo += node.children
    for key, count in found.items():
        yield Loss("value", count, f"of {key} left out: {title} has no place for it")
