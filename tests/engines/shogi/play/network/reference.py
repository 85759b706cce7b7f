"""The network's value by plain arithmetic, written without the code that it tests."""

from engines.shogi.play.network.inputs import INPUTS
from engines.shogi.play.network.weights import HIDDEN, NEURONS, Layers
from engines.shogi.rules.position import Position

ORDER = "PLNSGBRHDTK"  # H and D: promoted bishop and rook; T: promoted pawn.
KINDS = {1: "P", 2: "L", 3: "N", 4: "S", 5: "B", 6: "R", 7: "G", 8: "K", 9: "T"}
KINDS |= {10: "G", 11: "G", 12: "G", 13: "H", 14: "D"}
HELD = [(1, 18), (2, 4), (3, 4), (4, 4), (5, 2), (6, 2), (7, 4)]


def inputs_of(position: Position, view: int) -> list[int]:
    men = []
    king = -1
    for square in range(81):
        man = position.man_at(square)
        if man:
            seen = 80 - square if view else square
            own = (man >> 4) == view
            if KINDS[man & 15] == "K" and own:
                king = seen
            men.append((KINDS[man & 15], own, seen))
    found = []
    for kind, own, square in men:
        file, rank = divmod(square, 9)
        if king // 9 > 4:
            file = 8 - file
        found.append((ORDER.index(kind) * 2 + (not own)) * 81 + file * 9 + rank)
    at = 22 * 81
    for side in (view, 1 - view):
        for number, most in HELD:
            found += [at + held for held in range(min(position.held(side, number), most))]
            at += most
    assert at == INPUTS
    return found


def layer(inputs: list[int], weights: list[int], offsets: list[int]) -> list[int]:
    width = len(inputs)
    results = []
    for neuron, offset in enumerate(offsets):
        row = weights[neuron * width : (neuron + 1) * width]
        total = offset + sum(x * w for x, w in zip(inputs, row, strict=True))
        results.append(min(max(total // 64, 0), 127))
    return results


def value_by_reference(layers: Layers, position: Position) -> int:
    seen = []
    for view in (position.turn, 1 - position.turn):
        sums = list(layers.offsets)
        for at in inputs_of(position, view):
            row = layers.table[at * NEURONS : (at + 1) * NEURONS]
            sums = [total + weight for total, weight in zip(sums, row, strict=True)]
        seen += [min(max(total, 0), 127) for total in sums]
    hidden = layer(seen, list(layers.first), list(layers.first_offsets))
    deeper = layer(hidden, list(layers.second), list(layers.second_offsets))
    assert len(deeper) == HIDDEN
    total = sum(x * w for x, w in zip(deeper, layers.last, strict=True))
    return (total + layers.last_offset[0]) // 16
