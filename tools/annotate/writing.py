"""Writing annotated records: values as Sabaki and ShogiHome draw them, and words for people.

SGF gets SBKV (Black's chance in percent), SBKS (Black's lead in Go) and the marks TE, IT, DO and
BM; records of shogi get the comments of a research in ShogiHome. Each has comments that begin with
`annotate: `, and variations beside mistakes if its format has any. What an earlier annotation has
written is replaced, and nothing else.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engines import registry
from engines.core.game import FIRST, Game, InvalidText
from engines.core.sgf import SgfNode, main_line
from engines.go.rules.records.sgf import moves_of
from engines.shogi.rules.notation import parse_move
from engines.shogi.rules.position import Position
from engines.shogi.rules.records.ki2_writer import format_ki2_move
from engines.shogi.rules.records.record import Node, Record
from engines.shogi.rules.records.remark import RESEARCH, Remark, write_remark
from tools.annotate.judging import JudgedMove, Mark
from tools.annotate.valuing import Value
from tools.annotate.variations import (
    PREFIX,
    add_lines,
    is_bare_sgf,
    is_bare_shogi,
    make_shogi,
    remove_lines,
    sgf_maker,
)
from tools.records.cleaning import clean_trees
from tools.records.game import PlayedMove, Variation
from tools.records.reading import COLLECTIONS, READERS, SGF, TREES, WRITERS
from tools.records.recorded import RecordedGame, sgf_tree, shogi_tree

_BY: Final = f"{PREFIX}by "
_ANNOTATOR: Final = "AN"
_VALUES: Final = ("SBKV", "SBKS")
_SGF_MARKS: Final = {
    Mark.GOOD: ("TE", "1"),
    Mark.INTERESTING: ("IT", ""),
    Mark.DOUBTFUL: ("DO", ""),
    Mark.MISTAKE: ("BM", "1"),
    Mark.BLUNDER: ("BM", "2"),
}
_MARK_KEYS: Final = tuple(dict.fromkeys(key for key, _ in _SGF_MARKS.values()))
_JAPANESE: Final = {
    Mark.GOOD: "好手",
    Mark.INTERESTING: "注目手",
    Mark.DOUBTFUL: "疑問手",
    Mark.MISTAKE: "悪手",
    Mark.BLUNDER: "大悪手",
}


@dataclass(frozen=True, slots=True)
class Annotation:
    """The content to be written into one game: the values of its positions, and its judged moves.

    `values` are named as in `judge_moves`. `author` names the engine and its limit. `lines` are the
    variations to be written beside the moves.
    """

    game: RecordedGame
    values: Mapping[str, Value]
    moves: Sequence[JudgedMove]
    author: str
    lines: Sequence[Variation] = ()


def target_suffix(suffix: str) -> str:
    """Return the suffix of an annotated record: its own, if the format is written and has comments.

    The formats of Go servers become SGF, and USI becomes KIF in UTF-8.
    """
    if suffix in TREES:
        return SGF
    return ".kifu" if suffix in (".usi", ".sfen") else suffix


def holds_variations(suffix: str) -> bool:
    """Tell whether the annotated record of a format has variations; only CSA has none."""
    return target_suffix(suffix) != ".csa"


def annotate(data: bytes, suffix: str, annotations: Sequence[Annotation]) -> bytes:
    """Return a file with an annotation for each of its games; raises InvalidText."""
    if suffix in TREES:
        file = TREES[suffix](data, "")
        for root, annotation in zip(file.roots, annotations, strict=True):
            _annotate_tree(root, annotation)
        clean, _ = clean_trees(file)
        return clean
    records = READERS[suffix](data)
    for record, annotation in zip(records, annotations, strict=True):
        _annotate_shogi(record, annotation)
    target = target_suffix(suffix)
    if target in COLLECTIONS:
        return COLLECTIONS[target](records)
    if len(records) > 1:
        raise InvalidText(f"{target} holds one game, and there are {len(records)}")
    return WRITERS[target](records[0])


def _annotate_tree(root: SgfNode, annotation: Annotation) -> None:
    game = annotation.game
    rules = registry.rules(game.game, game.variant, game.size)
    tree = sgf_tree(root, Game(rules, game.setup))
    remove_lines(tree, is_bare_sgf)
    nodes = list(main_line(root))
    again = root.values.get(_ANNOTATOR, [""])[0].startswith(PREFIX)
    for node in nodes:
        _clear(node, again=again)
    # Another annotator keeps the name; ours is in the comment.
    if again or _ANNOTATOR not in root.values:
        root.values[_ANNOTATOR] = [f"{PREFIX}{annotation.author}"]
    _comment(root, [f"{_BY}{annotation.author}"])
    judged = {move.number: move for move in annotation.moves}
    places = _nodes_of_moves(nodes, game)
    for number, node in enumerate([root, *places]):
        value = _after(annotation.values, number)
        if value is not None:
            _put_value(node, value, game.game)
        if (move := judged.get(number)) is not None:
            _comment(node, _describe(move, game.game))
            if move.mark is not None and not any(key in node.values for key in _MARK_KEYS):
                key, text = _SGF_MARKS[move.mark]
                node.values[key] = [text]
    add_lines(tree, game.moves, annotation.lines, sgf_maker(rules))


def _clear(node: SgfNode, *, again: bool) -> None:
    """Remove what an earlier annotation has written."""
    for key in (*_VALUES, *_MARK_KEYS) if again else ():
        node.values.pop(key, None)
    if "C" in node.values:
        kept = _kept("\n".join(node.values["C"]).split("\n"))
        node.values["C"] = ["\n".join(kept)]
        if not any(kept):
            del node.values["C"]


def _kept(lines: Iterable[str]) -> list[str]:
    return [line for line in lines if not line.startswith(PREFIX)]


def _comment(node: SgfNode, lines: Sequence[str]) -> None:
    node.values["C"] = ["\n".join([*node.values.get("C", []), *lines])]


def _nodes_of_moves(nodes: Sequence[SgfNode], game: RecordedGame) -> list[SgfNode]:
    """Return the node of each move of a game; a node may have two moves."""
    rules = registry.rules(game.game, game.variant, game.size)
    letters = [side[0].upper() for side in rules.sides]
    found = []
    for node in nodes:
        if game.game == registry.GO:
            found += [node for _ in moves_of(node.values)]
            continue
        for letter in letters:
            texts = node.values.get(letter, [""])
            found += [node] if texts[0].rpartition(":")[2] else []
    return found[: len(_sided(game.moves))]


def _sided(moves: Sequence[PlayedMove]) -> list[PlayedMove]:
    return [move for move in moves if move.side in (0, 1)]


def _after(values: Mapping[str, Value], number: int) -> Value | None:
    return values.get(f"{number}+", values.get(str(number)))


def _put_value(node: SgfNode, value: Value, game: str) -> None:
    black = registry.rules(game).sides.index("black")
    share = value.share(black)
    if share is None:
        return
    for key in _VALUES:  # The players' own values, in the record of a match.
        node.values.pop(key, None)
    node.values["SBKV"] = [f"{100 * share:.2f}"]
    score = value.evaluation.score
    if score is not None and score.lead is not None:
        lead = score.lead if value.side == black else -score.lead
        node.values["SBKS"] = [f"{round(lead, 1) + 0.0:.1f}"]  # Never -0.0.


def _describe(move: JudgedMove, game: str) -> list[str]:
    """Say in words what a move was worth."""
    if move.loss is None:
        return [f"{PREFIX}{move.text} is not valued: {move.fault}"]
    side = registry.rules(game).sides[move.side]
    was, now = move.before.share(move.side), move.after.share(move.side)
    shown = was if now is None or move.agrees else now  # Its own choice is as good as it says.
    head = f"{PREFIX}{side} {_percent(shown)}"
    if move.agrees:
        return [f"{head}, {move.text} is the engine's choice"]
    line = move.before.evaluation.line
    better = f"the engine's choice was {move.before.best} ({_percent(was)})"
    mark = f", {move.mark}" if move.mark is not None else ""
    lost = f", {_percent(move.loss)} lost" if move.loss > 0 else ""
    return [f"{head}{mark}{lost}; {better}" + (f": {line}" if line else "")]


def _percent(share: float | None) -> str:
    return "?" if share is None else f"{100 * share:.1f} %"


def _annotate_shogi(record: Record, annotation: Annotation) -> None:
    tree = shogi_tree(record, Game(registry.rules(registry.SHOGI), record.start))
    remove_lines(tree, is_bare_shogi)
    again = any(text.startswith(_BY) for text in record.root.comments)
    judged = {move.number: move for move in annotation.moves}
    engine = annotation.author.partition(",")[0]
    position, previous = record.position(), 0
    for number, node in enumerate([record.root, *record.main_line()]):
        if again:
            node.comments = [
                text for text in node.comments if not text.startswith((PREFIX, *RESEARCH))
            ]
        if node.ending is not None or node.foul:
            continue
        if number:
            position.play(node.move)
            previous = node.move
        if (value := _after(annotation.values, number)) is not None:
            line = _japanese_line(position, value.evaluation.line, previous)
            node.comments += write_remark(_remark(value, line, engine), research=True)
        if (move := judged.get(number)) is not None:
            _comment_shogi(node, move)
    record.root.comments.insert(0, f"{_BY}{annotation.author}")
    add_lines(tree, annotation.game.moves, annotation.lines, make_shogi)


def _comment_shogi(node: Node, move: JudgedMove) -> None:
    lines = _describe(move, registry.SHOGI)
    if move.mark is not None:
        lines.append(f"{PREFIX}{_JAPANESE[move.mark]}")
    node.comments += lines


def _japanese_line(position: Position, line: str, previous: int) -> str:
    """Return an engine's line of play as Japanese programs write it, as far as it is legal."""
    end, written = position.copy(), ""
    for word in line.split():
        try:
            move = parse_move(word)
        except InvalidText:
            break
        if move not in end.legal_moves():
            break
        written += format_ki2_move(end, move, previous)
        end.play(move)
        previous = move
    return written


def _remark(value: Value, line: str, engine: str) -> Remark:
    """Return a value as programs for shogi draw it: for Black, in hundredths of a pawn."""
    evaluation = value.evaluation
    score = evaluation.score
    sign = 1 if value.side == FIRST else -1
    centipawns = mate = None
    if score is not None and score.bound is None and score.centipawns is not None:
        centipawns = sign * score.centipawns
    elif score is not None and score.mate:
        mate = sign * score.mate
    return Remark(
        score=centipawns,
        mate=mate,
        line=line,
        depth=evaluation.depth,
        nodes=evaluation.nodes,
        engine=engine if value.best else "",
    )
