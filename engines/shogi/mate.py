"""Mate by unbroken checks: a depth-first proof-number search.

A repetition inside the line counts as no mate, for perpetual check loses. Such a disproof holds
only while the position that came again is not itself proved; where one is proved later, all
disproofs are dropped and the search begins again with the proofs that it has.
"""

from array import array
from collections.abc import Callable

import engines.shogi.board as board
from engines.shogi.generation import MOST_MOVES
from engines.shogi.position import Position

try:
    import cython
except ImportError:
    from engines.core import uncompiled as cython

NEVER = 1 << 40  # A proof or disproof number of what cannot be.
DEEPEST = 500  # Plies of a line at most.
_MOST_RESTARTS = 32
_INTERVAL = 512 if cython.compiled else 8


class Solver:
    """Finds mates, proves that there are none, or runs out of time."""

    def __init__(self, megabytes: int = 64) -> None:
        entries = 1024
        while entries * 64 <= megabytes << 20:
            entries *= 2
        self.mask = entries // 8 - 1
        self.keys = array("q", bytes(8 * entries))
        self.hands = array("q", bytes(8 * entries))
        self.proofs = array("q", bytes(8 * entries))
        self.disproofs = array("q", bytes(8 * entries))
        self.efforts = array("q", bytes(8 * entries))
        room = MOST_MOVES * (DEEPEST + 2)
        self.child_keys = array("q", bytes(8 * room))
        self.child_hands = array("q", bytes(8 * room))
        self.repeats = array("i", bytes(4 * room))
        self.path_keys = array("q", bytes(8 * (DEEPEST + 2)))
        self.path_hands = array("q", bytes(8 * (DEEPEST + 2)))
        self.relied = array("i", bytes(4 * (DEEPEST + 2)))
        self.position = Position()
        self.clock: Callable[[], bool] | None = None
        self.attacker = 0
        self.countdown = _INTERVAL
        self.doubtful = 0
        self.stopped = 0
        self.nodes = 0
        self.node_limit = 0
        self.found_proof = 1
        self.found_disproof = 1
        self.found_plies = 0

    def solve(
        self, position: Position, stop: Callable[[], bool], node_limit: int = 0
    ) -> tuple[list[int], bool]:
        """Return a line that mates, replayed to its end, and whether a mate is disproved."""
        self.clock = stop
        self.node_limit = node_limit
        self.nodes = 0
        self.stopped = 0
        self.keys = array("q", bytes(8 * len(self.keys)))
        if position.king_square(position.turn ^ 1) < 0:
            return [], True
        self.attacker = position.turn
        if not self._decide(position):
            return [], False
        if self.found_proof:
            return [], True
        moves = self._line(position)
        return moves, False

    def _decide(self, position: Position) -> bool:
        """Prove or disprove a position; False when stopped before, or when doubts stay."""
        for _ in range(_MOST_RESTARTS):
            self.position = position.copy()
            self.position.reserve(DEEPEST + 8)
            self.position.make_room(MOST_MOVES * (DEEPEST + 2))
            self.doubtful = 0
            if not self._run():
                return False
            if self.found_proof == 0 or not self.doubtful:
                return True
            self._drop_disproofs()
        return False

    def _drop_disproofs(self) -> int:
        at = 8 * (self.mask + 1)
        while at > 0:
            at -= 1
            if self.proofs[at] != 0:
                self.keys[at] = 0
        return 0

    def _run(self) -> bool:
        self.position.survey()
        with cython.nogil:
            self._expand(NEVER - 1, NEVER - 1, 0, 0)
        self._look(self.position.board_key, self.position.black_counts)
        return self.found_proof == 0 or (self.found_proof >= NEVER and not self.stopped)

    def _poll(self) -> None:
        self.countdown = _INTERVAL
        if (self.clock is not None and self.clock()) or (
            self.node_limit and self.nodes >= self.node_limit
        ):
            self.stopped = 1

    def _halted(self) -> bool:
        return self.stopped != 0

    def _at_least(self, now: int, then: int) -> bool:
        """Tell whether the attacker has in hand now at least what it had then."""
        if self.attacker == 0:
            return ((now | board.HAND_GUARD) - then) & board.HAND_GUARD == board.HAND_GUARD
        return ((then | board.HAND_GUARD) - now) & board.HAND_GUARD == board.HAND_GUARD

    def _look(self, key: int, hand: int) -> None:
        """Find what is known of a position, better or worse hands included."""
        at = (key & self.mask) * 8
        end = at + 8
        self.found_proof = 1
        self.found_disproof = 1
        self.found_plies = 0
        while at < end:
            if self.keys[at] == key:
                if self.proofs[at] == 0:
                    if self._at_least(hand, self.hands[at]):
                        self.found_proof = 0
                        self.found_disproof = NEVER
                        self.found_plies = self.efforts[at] & 1023
                        return
                elif self.disproofs[at] == 0:
                    if self._at_least(self.hands[at], hand):
                        self.found_proof = NEVER
                        self.found_disproof = 0
                        return
                elif self.hands[at] == hand:
                    self.found_proof = self.proofs[at]
                    self.found_disproof = self.disproofs[at]
            at += 1

    def _store(
        self, key: int, hand: int, proof: int, disproof: int, plies: int, effort: int
    ) -> None:
        """Keep what is known; proofs and disproofs before numbers, great efforts before small."""
        at = (key & self.mask) * 8
        end = at + 8
        place = at
        least = NEVER * 4
        while at < end:
            if self.keys[at] == 0 or (self.keys[at] == key and self.hands[at] == hand):
                place = at
                break
            if self.efforts[at] < least:
                least = self.efforts[at]
                place = at
            at += 1
        self.keys[place] = key
        self.hands[place] = hand
        self.proofs[place] = proof
        self.disproofs[place] = disproof
        self.efforts[place] = plies | effort << 10

    def _repeats(self, key: int, hand: int, ply: int) -> int:
        """Return the ply, plus one, of the same position above with no less in hand, or 0."""
        at = ply - 2
        while at >= 0:
            if self.path_keys[at] == key and self._at_least(self.path_hands[at], hand):
                return at + 1
            at -= 2
        return 0

    def _expand(self, most_proof: int, most_disproof: int, ply: int, base: int) -> None:
        """Search a position until its numbers reach the given ones; then they are stored."""
        self.nodes += 1
        self.countdown -= 1
        if self.countdown <= 0:
            self._poll()
        key = self.position.board_key
        hand = self.position.black_counts
        begun = self.nodes
        checkers = self.position.checkers
        pinned = self.position.pinned
        attacking = self.position.turn == self.attacker
        if self._halted():
            return
        if attacking:
            move = 0 if checkers else self.position.mate_in_one(base)
            if move:
                self._store(key, hand, 0, NEVER, 1, 1)
                return
            end = self.position.generate_checks(base)
        else:
            end = self.position.generate(base, 0)
        if end == base or ply >= DEEPEST:
            if attacking or ply >= DEEPEST:
                self._store(key, hand, NEVER, 0, 0, 1)
                if ply >= DEEPEST:
                    self.doubtful = 2
            else:
                self._store(key, hand, 0, NEVER, 0, 1)
            return
        self.path_keys[ply] = key
        self.path_hands[ply] = hand
        self.relied[ply] = 0
        at = base
        while at < end:
            self.position.make(self.position.moves[at])
            self.child_keys[at] = self.position.board_key
            self.child_hands[at] = self.position.black_counts
            self.position.unmake()
            self.repeats[at] = self._repeats(self.child_keys[at], self.child_hands[at], ply + 1)
            at += 1
        while True:
            first = NEVER * 2
            second = NEVER * 2
            total = 0
            dropped = 0
            best = base
            best_proof = 1
            best_disproof = 1
            longest = 0
            shortest = 1000
            at = base
            while at < end:
                if self.repeats[at]:
                    child_proof = NEVER
                    child_disproof = 0
                    self.relied[self.repeats[at] - 1] = 1
                else:
                    self._look(self.child_keys[at], self.child_hands[at])
                    child_proof = self.found_proof
                    child_disproof = self.found_disproof
                    if child_proof == 0:
                        longest = max(longest, self.found_plies)
                        shortest = min(shortest, self.found_plies)
                if attacking:
                    # The attacker needs one proof; its disproof is the sum of all.
                    total += child_disproof
                    if child_proof < first:
                        second = first
                        first = child_proof
                        best = at
                        best_proof = child_proof
                        best_disproof = child_disproof
                    elif child_proof < second:
                        second = child_proof
                else:
                    # Interposed drops share their continuations: the greatest stands for all.
                    if (self.position.moves[at] >> 7) & 127 > 80:
                        dropped = max(dropped, child_proof)
                    else:
                        total += child_proof
                    if child_disproof < first:
                        second = first
                        first = child_disproof
                        best = at
                        best_proof = child_proof
                        best_disproof = child_disproof
                    elif child_disproof < second:
                        second = child_disproof
                at += 1
            total = min(total + dropped, NEVER)
            first = min(first, NEVER)
            second = min(second, NEVER)
            plies = (shortest if attacking else longest) + 1
            proof = first if attacking else total
            disproof = total if attacking else first
            if proof == 0:
                disproof = NEVER
            elif disproof == 0:
                proof = NEVER
            if self._halted():
                return
            if proof >= most_proof or disproof >= most_disproof:
                if proof == 0 and self.relied[ply]:
                    self.doubtful = 1
                self._store(
                    key, hand, proof, disproof, min(plies, 1000), min(self.nodes - begun, NEVER)
                )
                return
            if attacking:
                wanted_proof = min(most_proof, second + (second >> 2) + 1)
                wanted_disproof = most_disproof - (total - best_disproof)
            else:
                wanted_disproof = min(most_disproof, second + (second >> 2) + 1)
                wanted_proof = most_proof - (total - best_proof)
                if (self.position.moves[best] >> 7) & 127 > 80:
                    # Of the drops only the greatest counts, so this one may become as great.
                    wanted_proof = most_proof - (total - dropped)
            move = self.position.moves[best]
            self.position.make(move)
            self.position.survey()
            self._expand(wanted_proof, wanted_disproof, ply + 1, end)
            self.position.unmake()
            self.position.checkers = checkers
            self.position.pinned = pinned

    def _known(self, position: Position, move: int) -> int:
        """Return the plies of a proved mate after a move, or -1."""
        position.play(move)
        self._look_at(position)
        position.undo()
        return self.found_plies if self.found_proof == 0 else -1

    def _look_at(self, position: Position) -> None:
        self._look(position.board_hash(), position.black_hand())

    def _line(self, root: Position) -> list[int]:
        """Replay the proof: the quickest check, the longest defence; nothing if it has a hole."""
        position = root.copy()
        line: list[int] = []
        seen: set[int] = set()
        while len(line) < DEEPEST:
            attacking = position.turn == self.attacker
            position.legal_moves()
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
