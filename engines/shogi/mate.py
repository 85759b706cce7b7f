"""Mate by unbroken checks: a depth-first proof-number search.

A repetition inside the line is no mate, for perpetual check loses. A disproof that rests on one
holds for that line alone until the position that came again is itself disproved. It is taken for
one all the same at first, for most of them are, and mates are found sooner; where that disproves
the whole, the search begins again and keeps them apart, each under the line that led to it.
A proof rests on nothing: it is kept with the least hand that it needs.
Its one function is long and flat on purpose.
"""

from array import array
from collections.abc import Callable

import engines.shogi.bits as bits
import engines.shogi.board as board
from engines.shogi.generation import MOST_MOVES
from engines.shogi.position import Position

try:
    import cython
except ImportError:
    from engines.core import uncompiled as cython

NEVER = 1 << 30  # A proof or disproof number of what cannot be.
DEEPEST = 500  # Plies of a line at most.
ALWAYS = 1000  # The ply that a disproof rests on which rests on none.
HAND_MIX = 0x1B873593CC9E2D51
PLY_MIX = 0x5851F42D4C957F2D
WHOLE = 0x7FFFFFFFFFFFFFFF  # Both modes agree on 63 bits.
_ENTRY = 32  # Bytes: key, hand, both numbers, effort and plies.
_INTERVAL = 512 if cython.compiled else 8


class Solver:
    """Finds mates, proves that there are none, or runs out of time."""

    def __init__(self, megabytes: int = 64) -> None:
        entries = 1024
        while 3 * entries * _ENTRY <= megabytes << 20:
            entries *= 2
        self.mask = entries // 8 - 1
        self.loop_mask = entries // 2 - 1
        self.keys = array("q")
        self.table = array("q")
        self.loops = array("q")
        self._clear()
        room = MOST_MOVES * (DEEPEST + 2)
        self.child_proofs = array("i", bytes(4 * room))
        self.child_disproofs = array("i", bytes(4 * room))
        self.child_plies = array("i", bytes(4 * room))
        self.child_hands = array("q", bytes(8 * room))
        self.leaders = array("i", bytes(4 * room))
        self.last_drops = array("i", bytes(4 * 81))
        self.path_keys = array("q", bytes(8 * (DEEPEST + 2)))
        self.path_hands = array("q", bytes(8 * (DEEPEST + 2)))
        self.path_codes = array("q", bytes(8 * (DEEPEST + 2)))
        self.position = Position()
        self.clock: Callable[[], bool] | None = None
        self.attacker = 0
        self.countdown = _INTERVAL
        self.stopped = 0
        self.careful = 0
        self.rash = 0
        self.nodes = 0
        self.node_limit = 0
        self.found_proof = 1
        self.found_disproof = 1
        self.found_plies = 0
        self.found_hand = 0

    def _clear(self) -> None:
        """Forget all positions."""
        # Keys lie by themselves: most looks find none, and touch no more.
        self.keys = array("q", [0]) * (8 * (self.mask + 1))
        self.table = array("q", [0]) * (24 * (self.mask + 1))
        self.loops = array("q", [0]) * (2 * (self.loop_mask + 1))

    def solve(
        self, position: Position, stop: Callable[[], bool], node_limit: int = 0
    ) -> tuple[list[int], bool]:
        """Return a line that mates, replayed to its end, and whether a mate is disproved."""
        self.clock = stop
        self.node_limit = node_limit
        self.nodes = 0
        self.stopped = 0
        self.careful = 0
        self.rash = 0
        self._clear()
        if position.king_square(position.turn ^ 1) < 0:
            return [], True
        self.attacker = position.turn
        if not self._decide(position):
            return [], False
        if self.found_proof:
            return [], True
        return self._line(position), False

    def _decide(self, position: Position) -> bool:
        """Prove or disprove a position; False when stopped before."""
        while True:
            self.position = position.copy()
            self.position.reserve(DEEPEST + 8)
            self.position.make_room(MOST_MOVES * (DEEPEST + 2))
            decided = bool(self._run())
            if not decided or self.found_proof == 0 or self.careful or not self.rash:
                return decided
            self._clear()
            self.careful = 1

    def _run(self) -> bool:
        self.position.survey()
        self.path_codes[0] = 0
        with cython.nogil:
            self._expand(NEVER - 1, NEVER - 1, 0, 0)
        if self.stopped:
            return False
        # What rests on the greatest depth, and not on the rules, is no disproof.
        return self.found_proof == 0 or self.found_plies >= 0

    def _poll(self) -> None:
        self.countdown = _INTERVAL
        if (self.clock is not None and self.clock()) or (
            self.node_limit and self.nodes >= self.node_limit
        ):
            self.stopped = 1

    def _halted(self) -> bool:
        return self.stopped != 0

    def _hand(self) -> int:
        """Return what the attacker holds, six bits a kind."""
        hand = 0
        for kind in range(1, 8):
            hand += self.position.hands[self.attacker][kind] * board.HAND_UNIT[kind]
        return hand

    def _at_least(self, more: int, less: int) -> bool:
        return ((more | board.HAND_GUARD) - less) & board.HAND_GUARD == board.HAND_GUARD

    def _look(self, key: int, hand: int) -> bool:
        """Find what is known of a position, better or worse hands included."""
        slot = (key & self.mask) * 8
        end = slot + 8
        exact = False
        while slot < end:
            if self.keys[slot] == key:
                at = slot * 3
                held = self.table[at]
                numbers = self.table[at + 1]
                if numbers >> 31 == 0:
                    if self._at_least(hand, held):
                        self.found_proof = 0
                        self.found_disproof = NEVER
                        self.found_plies = self.table[at + 2] & 1023
                        self.found_hand = held
                        return True
                elif numbers & 0x7FFFFFFF == 0:
                    if self._at_least(held, hand):
                        self.found_proof = NEVER
                        self.found_disproof = 0
                        self.found_plies = ALWAYS
                        return True
                elif held == hand:
                    self.found_proof = numbers >> 31
                    self.found_disproof = numbers & 0x7FFFFFFF
                    self.found_plies = 0
                    exact = True
            slot += 1
        return exact

    def _store(
        self, key: int, hand: int, proof: int, disproof: int, plies: int, effort: int
    ) -> None:
        """Keep what is known, in the place of what cost least."""
        slot = (key & self.mask) * 8
        end = slot + 8
        place = slot
        least = -1
        while slot < end:
            at = slot * 3
            if self.keys[slot] == 0 or (self.keys[slot] == key and self.table[at] == hand):
                place = slot
                break
            if least < 0 or self.table[at + 2] < least:
                least = self.table[at + 2]
                place = slot
            slot += 1
        self.keys[place] = key
        at = place * 3
        self.table[at] = hand
        self.table[at + 1] = proof << 31 | disproof
        self.table[at + 2] = plies | effort << 10

    def _code(self, key: int, hand: int, ply: int) -> int:
        """Return a number for a position and the line that led to it."""
        mixed = (key ^ hand * HAND_MIX) & WHOLE
        mixed = ((mixed ^ mixed >> 29) + ply * PLY_MIX) & WHOLE
        return mixed ^ self.path_codes[ply]

    def _looped(self, code: int) -> int:
        """Return the ply on which the disproof of a position in its line rests, or -2."""
        at = (code & self.loop_mask) * 2
        if self.loops[at] == code:
            return int(self.loops[at + 1])
        return -2

    def _repeats(self, key: int, hand: int, ply: int) -> int:
        """Return the ply of the same position above with no less in hand, or -1."""
        at = ply - 2
        while at >= 0:
            if self.path_keys[at] == key and self._at_least(self.path_hands[at], hand):
                return at
            at -= 2
        return -1

    def _needed(self) -> int:
        """Return what the attacker must hold lest the side in check could interpose it."""
        # Only men of which that side has none in hand are kept from it.
        checkers = self.position.checkers
        us = self.position.turn
        if checkers & (checkers - 1):
            return 0
        if not board.BETWEEN[self.position.kings[us]][bits.lowest(checkers)]:
            return 0
        hand = 0
        for kind in range(1, 8):
            if self.position.hands[us][kind] == 0:
                hand += self.position.hands[us ^ 1][kind] * board.HAND_UNIT[kind]
        return hand

    def _union(self, one: int, other: int) -> int:
        """Return the greater count of each kind."""
        result = 0
        for kind in range(1, 8):
            mask = 63 << 6 * kind
            result |= max(one & mask, other & mask)
        return result

    def _after(self, hand: int, move: int) -> int:
        """Return what the attacker holds after a move of its own."""
        start = (move >> 7) & 127
        if start > 80:
            return hand - board.HAND_UNIT[start - 80]
        kind = self.position.cells[move & 127] & 15
        if kind > 8:
            kind -= 8
        return hand + board.HAND_UNIT[kind] if kind else hand

    def _before(self, hand: int, move: int) -> int:
        """Return what the attacker needs before a move, from what it needs after it."""
        start = (move >> 7) & 127
        if start > 80:
            return hand + board.HAND_UNIT[start - 80]
        kind = self.position.cells[move & 127] & 15
        if kind > 8:
            kind -= 8
        if kind and hand & (63 << 6 * kind):
            return hand - board.HAND_UNIT[kind]
        return hand

    def _leader(self, base: int, at: int) -> int:
        """Return the place of the move that another waits for, or -1.

        A man dropped between waits for the one before it on the same square; a refusal to promote
        a pawn, bishop or rook waits for the promotion.
        """
        move = self.position.moves[at]
        start = (move >> 7) & 127
        if self.position.turn != self.attacker:
            if start < 81:
                return -1
            other = self.last_drops[move & 127]
            self.last_drops[move & 127] = at
            # What other positions left behind shows itself.
            if other < base or other >= at or (self.position.moves[other] >> 7) & 127 < 81:
                return -1
            return other if (self.position.moves[other] & 127) == (move & 127) else -1
        if start > 80 or move & 16384:
            return -1
        kind = self.position.cells[start] & 15
        if kind != 1 and kind != 5 and kind != 6:
            return -1
        other = at - 1
        while other >= base:
            if self.position.moves[other] == move | 16384:
                return other
            other -= 1
        return -1

    def _open(self, base: int, end: int, ply: int) -> None:
        """Find what is known or can be guessed of every child."""
        attacking = self.position.turn == self.attacker
        held = self.path_hands[ply]
        at = base
        while at < end:
            self.leaders[at] = self._leader(base, at)
            hand = self._after(held, self.position.moves[at]) if attacking else held
            self.position.make(self.position.moves[at])
            key = self.position.board_key
            rests = self._repeats(key, hand, ply + 1)
            self.found_proof = NEVER
            self.found_disproof = 0
            self.found_plies = rests
            if rests < 0 and not self._look(key, hand):
                self.found_plies = -2
                if self.careful:
                    self.found_plies = self._looped(self._code(key, hand, ply + 1))
                if self.found_plies == -2:
                    self.found_proof = 1
                    self.found_disproof = 1
                    if attacking:
                        self.position.survey()
                        self.found_proof = self.position.count()
                        if self.found_proof == 0:
                            self.found_disproof = NEVER
                            self.found_plies = 0
                            self.found_hand = self._needed()
                        elif self.found_proof > 8:
                            self.found_proof = 8
            self.position.unmake()
            self.child_proofs[at] = self.found_proof
            self.child_disproofs[at] = self.found_disproof
            self.child_plies[at] = self.found_plies
            self.child_hands[at] = self.found_hand
            if attacking and self.found_proof == 0:
                return
            at += 1

    def _expand(self, most_proof: int, most_disproof: int, ply: int, base: int) -> None:
        """Search a position until its numbers reach the given ones; leave and store them."""
        self.nodes += 1
        self.countdown -= 1
        if self.countdown <= 0:
            self._poll()
        key = self.position.board_key
        hand = self._hand()
        begun = self.nodes
        checkers = self.position.checkers
        pinned = self.position.pinned
        attacking = self.position.turn == self.attacker
        if self._halted():
            return
        if ply >= DEEPEST:
            self.found_proof = NEVER
            self.found_disproof = 0
            self.found_plies = -1
            self.rash = 1
            return
        end = self.position.generate_checks(base) if attacking else self.position.generate(base, 0)
        self.path_keys[ply] = key
        self.path_hands[ply] = hand
        self.path_codes[ply + 1] = self._code(key, hand, ply)
        needed = 0 if attacking else self._needed()
        # The children's positions are looked at before they are searched, and not surveyed.
        self._open(base, end, ply)
        self.position.checkers = checkers
        self.position.pinned = pinned
        while True:
            first = NEVER
            second = NEVER
            total = 0
            greatest = 0
            open_children = 0
            best = -1
            rests = ALWAYS
            least = needed
            longest = 0
            shortest = 1000
            at = base
            while at < end:
                proof = self.child_proofs[at]
                disproof = self.child_disproofs[at]
                if attacking:
                    if proof == 0:
                        best = at
                        first = 0
                        shortest = self.child_plies[at]
                        break
                    if disproof == 0:
                        rests = min(rests, self.child_plies[at])
                    elif self.leaders[at] < 0 or self.child_disproofs[self.leaders[at]] == 0:
                        open_children += 1
                        greatest = max(greatest, disproof)
                        if proof < first:
                            second = first
                            first = proof
                            best = at
                        elif proof < second:
                            second = proof
                elif disproof == 0:
                    if first > 0 or self.child_plies[at] > rests:
                        rests = self.child_plies[at]
                    first = 0
                    best = at
                elif proof == 0:
                    longest = max(longest, self.child_plies[at])
                    least = self._union(least, self.child_hands[at])
                elif self.leaders[at] < 0 or self.child_proofs[self.leaders[at]] == 0:
                    open_children += 1
                    greatest = max(greatest, proof)
                    if disproof < first:
                        second = first
                        first = disproof
                        best = at
                    elif disproof < second:
                        second = disproof
                at += 1
            # The sum would count what several children share several times.
            total = greatest + open_children - 1 if open_children else 0
            if attacking:
                proof = first
                disproof = NEVER if first == 0 else total
                if disproof == 0:
                    proof = NEVER
            else:
                disproof = first
                proof = NEVER if first == 0 else total
                if proof == 0:
                    disproof = NEVER
            if self._halted():
                return
            if proof >= most_proof or disproof >= most_disproof:
                break
            if attacking:
                wanted_proof = min(most_proof, second + (second >> 2) + 1)
                wanted_disproof = most_disproof - (open_children - 1)
            else:
                wanted_disproof = min(most_disproof, second + (second >> 2) + 1)
                wanted_proof = most_proof - (open_children - 1)
            self.position.make(self.position.moves[best])
            self.position.survey()
            self._expand(wanted_proof, wanted_disproof, ply + 1, end)
            self.position.unmake()
            self.position.checkers = checkers
            self.position.pinned = pinned
            self.child_proofs[best] = self.found_proof
            self.child_disproofs[best] = self.found_disproof
            self.child_plies[best] = self.found_plies
            self.child_hands[best] = self.found_hand
        self.found_proof = proof
        self.found_disproof = disproof
        self.found_plies = 0
        if proof == 0:
            if attacking:
                self.found_plies = shortest + 1
                self.found_hand = self._before(self.child_hands[best], self.position.moves[best])
            else:
                self.found_plies = longest + 1 if end > base else 0
                self.found_hand = least
            self.found_plies = min(self.found_plies, 1000)
            hand = self.found_hand
        elif disproof == 0:
            if rests < ply:
                self.rash = 1
            if rests < ply and self.careful:
                self.found_plies = rests
                code = self._code(key, hand, ply)
                at = (code & self.loop_mask) * 2
                self.loops[at] = code
                self.loops[at + 1] = rests
                return
            self.found_plies = ALWAYS
        self._store(key, hand, proof, disproof, self.found_plies, self.nodes - begun)

    def _known(self, position: Position, move: int) -> int:
        """Return the plies of a proved mate after a move, or -1."""
        position.play(move)
        self.position = position
        known = self._look(position.board_hash(), self._hand()) and self.found_proof == 0
        position.undo()
        return self.found_plies if known else -1

    def _line(self, root: Position) -> list[int]:
        """Replay the proof: the quickest check, the longest defence; nothing if it has a hole."""
        position = root.copy()
        line: list[int] = []
        seen: set[int] = set()
        while len(line) < DEEPEST:
            attacking = position.turn == self.attacker
            moves = position.checking_moves() if attacking else position.legal_moves()
            if not moves:
                return [] if attacking else line
            if position.key() in seen:
                return []
            seen.add(position.key())
            move = self._choose(position, list(moves), attacking=attacking)
            if not move:
                return []
            line.append(move)
            position.play(move)
        return []

    def _choose(self, position: Position, moves: list[int], *, attacking: bool) -> int:
        if attacking and (mate := position.find_mate_in_one()):
            return mate
        known = {move: self._known(position, move) for move in moves}
        if attacking:
            proved = {move: plies for move, plies in known.items() if plies >= 0}
            if proved:
                return min(proved, key=lambda move: proved[move])
        # What the table has lost is proved again.
        for move in moves:
            if known[move] >= 0:
                continue
            position.play(move)
            decided = self._decide(position) and self.found_proof == 0
            plies = self.found_plies
            position.undo()
            if decided and attacking:
                return move
            if not decided and not attacking:
                return 0
            known[move] = plies
        return 0 if attacking else max(moves, key=lambda move: known[move])
