"""Writing finished games as SGF, with clocks, evaluations and the reason for the end."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from engines import __version__, registry
from engines.core.game import CHANCE, Rules
from engines.core.sgf import SgfNode, write_sgf, write_trees
from engines.core.timing import Clock, TimeControl
from tools.records import go as sgf_go
from tools.records.game import GameRecord, PlayedMove, Variation, Verdict

Node = dict[str, list[str]]
"""The properties of a node, by name."""

_SGF_FORM: Final = {
    Verdict.NATURAL: "",
    Verdict.ADJUDICATION: "",
    Verdict.RESIGN: "R",
    Verdict.TIME: "T",
    Verdict.STALL: "T",
}


def to_sgf(record: GameRecord, sides: tuple[str, str]) -> bytes:
    """Write a record as SGF; `sides` names the colours in the order of moving."""
    letters = tuple(side[0].upper() for side in sides)
    root, moves = _root(record, letters), list(move_nodes(record, record.moves, letters))
    nodes = [root, *(node for _, node in moves)]
    if record.verdict != Verdict.UNFINISHED:
        comments = [*nodes[-1].get("C", []), conclusion(record, sides)]
        nodes[-1]["C"] = ["\n".join(comments)]
    if not record.variations:
        return write_sgf(nodes)
    line = {0: SgfNode(root)}
    _append(line, moves)
    _branch(line, record, record.moves, record.variations, letters)
    return write_trees([line[0]])


def _append(line: dict[int, SgfNode], nodes: Iterable[tuple[int, Node]]) -> None:
    """Append nodes to a line, which holds its nodes by the plies that lead to them."""
    for ply, values in nodes:
        child = SgfNode(values)
        line[max(line)].children.append(child)
        line[ply] = child


def _branch(
    line: Mapping[int, SgfNode],
    record: GameRecord,
    moves: Sequence[PlayedMove],
    variations: Iterable[Variation],
    letters: Sequence[str],
) -> None:
    """Append the variations of a line.

    A node holds a move with the throws before it, so that a variation that begins behind a throw
    branches at the node before and repeats the throw.
    """
    for variation in variations:
        start = max(ply for ply in line if ply <= variation.at)
        other = {ply: node for ply, node in line.items() if ply <= start}
        whole = (*moves[: variation.at], *variation.moves)
        _append(other, (each for each in move_nodes(record, whole, letters) if each[0] > start))
        _branch(other, record, whole, variation.variations, letters)


def _root(record: GameRecord, letters: Sequence[str]) -> Node:
    root = {
        "FF": ["4"],
        "GM": [str(registry.find(record.game).record_number)],
        "CA": ["UTF-8"],
        "AP": [f"quintet:{__version__}"],
        "DT": [record.started[:10]],
        "RU": [record.variant or "default"],
        "RE": [result_property(record, letters)],
        "QG": [record.game],
    }
    if record.number:
        root |= {"GN": [f"{record.game} {record.number}"], "RO": [str(record.number)]}
    if record.verdict != Verdict.UNFINISHED:
        root["QE"] = [record.verdict_with_reason]
    for letter, player in zip(letters, record.players, strict=True):
        root[f"P{letter}"] = [str(player)]
    if record.game == registry.GO:
        root |= sgf_go.root_properties(record.variant, record.size, record.setup)
    if record.count is not None:
        root["QC"] = [str(record.count)]
    if record.setup:
        root["QP"] = [record.setup]
    if record.opening_name:
        root["ON"] = [record.opening_name]
    if record.opening:
        root["QO"] = [str(record.opening)]
    root["QS"] = [str(record.seed)]
    return root | _clock_properties(record.controls, letters)


def move_nodes(
    record: GameRecord, moves: Sequence[PlayedMove], letters: Sequence[str]
) -> Iterator[tuple[int, Node]]:
    """Yield a node for each move, with the number of plies that lead to it.

    Throws of dice are plies, and are written with the move that they allow.
    """
    rules = registry.rules(record.game, record.variant, record.size)
    clocks = [Clock(control) for control in record.controls]
    for ply, node in move_properties(rules, moves):
        move = moves[ply - 1]
        letter = letters[move.side]
        if lines := list(_comment(record, ply - 1, move)):
            node["C"] = ["\n".join(lines)]
        if move.left is not None:
            node[f"{letter}L"] = [f"{move.left:.3f}"]
            if periods := _periods_left(clocks, move):
                node[f"O{letter}"] = [str(periods)]
        if record.game == registry.GO:
            node |= sgf_go.evaluation_properties(move.evaluation.score, move.side)
        yield ply, node


def move_properties(rules: Rules[Any], moves: Sequence[PlayedMove]) -> Iterator[tuple[int, Node]]:
    """Yield a node with nothing but its move for each move, as `move_nodes` does."""
    throws = ""
    for ply, move in enumerate(moves, 1):
        if move.side == CHANCE:
            throws += f"{move.text}:"  # A throw that allowed no move stands before the next one.
            continue
        text = move.text
        if rules.name == registry.GO:
            text = sgf_go.format_point(text, sgf_go.go_rules(rules))
        yield ply, {rules.sides[move.side][0].upper(): [throws + text]}
        throws = ""


def _comment(record: GameRecord, number: int, move: PlayedMove) -> Iterator[str]:
    # Moves that a session of play took from a record may have no times.
    if number >= record.opening and (record.number or move.seconds):
        yield f"{move.seconds:.3f} s"
        if move.evaluation:
            yield str(move.evaluation)
    if move.comment:
        yield move.comment


def conclusion(record: GameRecord, sides: tuple[str, str]) -> str:
    """Say in a comment how a game ended."""
    outcome = record.outcome
    if record.verdict == Verdict.VOID:
        who = "No result"
    elif outcome.winner is not None:
        who = f"{sides[outcome.winner].capitalize()} wins"
    else:
        who = "Both win" if outcome.both else "Draw"
    last = "".join(f"\nstderr: {line}" for line in record.stderr.splitlines())
    return f"{who}: {outcome.reason}{_counting(record, sides)}{last}"


def _periods_left(clocks: Sequence[Clock], move: PlayedMove) -> int:
    """Charge a move to the clock; return the periods or stones left, 0 in main time."""
    clock = clocks[move.side]
    seconds = min(move.seconds, clock.available())
    clock.charge(seconds)
    clocks[1 - move.side].credit(seconds)
    return clock.left()[1]


def _counting(record: GameRecord, sides: tuple[str, str]) -> str:
    if record.count is None:
        return ""
    lines = [
        f"{side} said {claim}"
        for side, claim in zip(sides, record.count.claims, strict=True)
        if claim
    ]
    return "\n".join(("", *lines, str(record.count)))


def result_property(record: GameRecord, letters: Sequence[str]) -> str:
    """Return the result of a game as the property RE has it."""
    if record.verdict == Verdict.VOID:
        return "Void"
    if record.verdict == Verdict.UNFINISHED:
        return "?"
    if record.count is not None:
        return record.count.result
    if record.game == registry.GO and record.verdict == Verdict.NATURAL:
        return sgf_go.result(record.outcome.reason)
    if record.outcome.winner is None:
        return "Draw"
    return f"{letters[record.outcome.winner]}+{_SGF_FORM.get(record.verdict, 'F')}"


def _clock_properties(
    controls: tuple[TimeControl, TimeControl], letters: Sequence[str]
) -> dict[str, list[str]]:
    properties = _time_properties(controls[0])
    if controls[0] != controls[1]:
        times = " ".join(
            f"{letter} {control}" for letter, control in zip(letters, controls, strict=True)
        )
        properties["OT"] = [times]
    return properties


def _time_properties(control: TimeControl) -> dict[str, list[str]]:
    if not control.kind:
        return {"OT": [str(control)]} if str(control) else {}
    properties = {"TM": [f"{0 if control.kind == 'move' else control.main:.10g}"]}
    if control.kind == "byoyomi":
        properties["OT"] = [f"{control.count}x{control.period:.10g} byo-yomi"]
    elif control.kind == "canadian":
        properties["OT"] = [f"{control.count} moves / {control.period:.10g} sec"]
    elif control.kind != "sudden":
        properties["OT"] = [str(control)]
    return properties
