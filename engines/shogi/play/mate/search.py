"""The search for mates by unbroken checks: a depth-first proof-number search.

A repetition in the line is no mate, because perpetual check loses. A disproof that depends on a
repetition is valid only for its line until the repeated position itself is disproved. Proof and
disproof numbers are stored as the side to move sees them: its own number (`own`) is the proof
number for the attacker and the disproof number for the defender.
"""

from array import array
from collections.abc import Callable

import engines.shogi.play.mate.proofs as proofs
import engines.shogi.rules.bits as bits
import engines.shogi.rules.board as board
from engines.shogi.play.mate.proofs import Proofs
from engines.shogi.rules.generation import MOST_MOVES
from engines.shogi.rules.position import Position

try:
    import cython
except ImportError:
    from engines.core import uncompiled as cython

NEVER = proofs.NEVER
ALWAYS = proofs.ALWAYS
UNKNOWN = proofs.UNKNOWN
DEEPEST = 500  # The greatest number of plies in a line.
_INTERVAL = 512 if cython.compiled else 8


class Solver(Proofs):
    """Find mates or prove that there are none, unless stopped before."""

    def __init__(self, megabytes: int = 64) -> None:
        Proofs.__init__(self, megabytes)
        room = MOST_MOVES * (DEEPEST + 2)
        self.child_owns = array("i", bytes(4 * room))
        self.child_others = array("i", bytes(4 * room))
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
        self.nodes = 0
        self.node_limit = 0

    def solve(
        self, position: Position, stop: Callable[[], bool], node_limit: int = 0
    ) -> tuple[list[int], bool]:
        """Return a mating line, replayed to its end, and whether a mate was disproved."""
        self.clock = stop
        self.node_limit = node_limit
        self.nodes = 0
        self.stopped = 0
        self.clear()
        if position.king_square(position.turn ^ 1) < 0:
            return [], True
        self.attacker = position.turn
        if not self._decide(position):
            return [], False
        if self.found_proof:
            return [], True
        return self._line(position), False

    def _decide(self, position: Position) -> bool:
        """Prove or disprove a mate in a position; return False when stopped before."""
        self.position = position.copy()
        self.position.reserve(DEEPEST + 8)
        self.position.make_room(MOST_MOVES * (DEEPEST + 2))
        return bool(self._run())

    def _run(self) -> bool:
        self.position.survey()
        self.path_codes[0] = 0
        with cython.nogil:
            self._expand(NEVER - 1, NEVER - 1, 0, 0)
        if self.stopped:
            return False
        # A line cut off at the greatest depth is no disproof.
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
        """Return the attacker's hand, six bits per kind."""
        hand = 0
        for kind in range(1, 8):
            hand += self.position.hands[self.attacker][kind] * board.HAND_UNIT[kind]
        return hand

    def _repeats(self, key: int, hand: int, ply: int) -> int:
        """Return the ply of the same position, with as much in hand or more, in the line, or -1."""
        at = ply - 2
        while at >= 0:
            if self.path_keys[at] == key and self.at_least(self.path_hands[at], hand):
                return at
            at -= 2
        return -1

    def _needed(self) -> int:
        """Return the men that the attacker must hold so that the defender cannot interpose them."""
        # Only kinds of which the defender holds none matter.
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

    def _after(self, hand: int, move: int) -> int:
        """Return the attacker's hand after one of its moves."""
        start = (move >> 7) & 127
        if start > 80:
            return hand - board.HAND_UNIT[start - 80]
        kind = self.position.cells[move & 127] & 15
        if kind > 8:
            kind -= 8
        return hand + board.HAND_UNIT[kind] if kind else hand

    def _before(self, hand: int, move: int) -> int:
        """Return the hand that the attacker needs before a move, given that needed after it."""
        start = (move >> 7) & 127
        if start > 80:
            return hand + board.HAND_UNIT[start - 80]
        kind = self.position.cells[move & 127] & 15
        if kind > 8:
            kind -= 8
        if kind and hand & 63 * board.HAND_UNIT[kind]:
            return hand - board.HAND_UNIT[kind]
        return hand

    def _leader(self, base: int, at: int) -> int:
        """Return the index of the move that must be decided before this one, or -1.

        An interposed drop waits for the previous drop on the same square; a pawn, bishop or rook
        that declines promotion waits for the promotion.
        """
        move = self.position.moves[at]
        start = (move >> 7) & 127
        if self.position.turn != self.attacker:
            if start < 81:
                return -1
            other = self.last_drops[move & 127]
            self.last_drops[move & 127] = at
            # An index that another position left behind does not fit this list of moves.
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

    def _guess(self, end: int) -> None:
        """Initialise the numbers of a new position by its moves, or decide it if it has none."""
        self.position.survey()
        self.found_proof = 1
        self.found_disproof = 1
        if self.position.turn == self.attacker:
            self.found_disproof = self.position.generate_checks(end) - end
            if self.found_disproof == 0:
                self.found_proof = NEVER
                self.found_plies = ALWAYS
            return
        self.found_proof = self.position.count()
        if self.found_proof == 0:
            self.found_disproof = NEVER
            self.found_plies = 0
            self.found_hand = self._needed()
        elif self.found_proof > 8:
            self.found_proof = 8

    def _open(self, base: int, end: int, ply: int) -> int:
        """Look up or initialise every child; return the end of the list of children.

        The list is cut off after a child that decides the position for the side to move.
        """
        attacking = self.position.turn == self.attacker
        held = self.path_hands[ply]
        at = base
        while at < end:
            self.leaders[at] = self._leader(base, at)
            hand = self._after(held, self.position.moves[at]) if attacking else held
            self.position.make(self.position.moves[at])
            key = self.position.board_key
            self.found_plies = self._repeats(key, hand, ply + 1)
            if self.found_plies >= 0:
                self.found_proof = NEVER
                self.found_disproof = 0
            else:
                known = self.look(key, hand)
                if not known or (self.found_proof and self.found_disproof):
                    rests = self.looped(self.code(self.path_codes[ply + 1], key, hand, ply + 1))
                    if rests != UNKNOWN:
                        self.found_proof = NEVER
                        self.found_disproof = 0
                        self.found_plies = rests
                    elif not known:
                        self._guess(end)
            self.position.unmake()
            self._keep(at, attacking)
            at += 1
            if (self.found_proof if attacking else self.found_disproof) == 0 and (
                attacking or self.found_plies == ALWAYS
            ):
                return at
        return end

    def _keep(self, at: int, attacking: bool) -> None:
        """Store the numbers that were found for a child."""
        self.child_owns[at] = self.found_proof if attacking else self.found_disproof
        self.child_others[at] = self.found_disproof if attacking else self.found_proof
        self.child_plies[at] = self.found_plies
        self.child_hands[at] = self.found_hand

    def _expand(self, most_own: int, most_other: int, ply: int, base: int) -> None:
        """Search a position until one of its numbers reaches its limit, and store the numbers."""
        self.nodes += 1
        self.countdown -= 1
        if self.countdown <= 0:
            self._poll()
        if self._halted():
            return
        key = self.position.board_key
        hand = self._hand()
        begun = self.nodes
        checkers = self.position.checkers
        pinned = self.position.pinned
        attacking = self.position.turn == self.attacker
        if ply >= DEEPEST:
            self.found_proof = NEVER
            self.found_disproof = 0
            self.found_plies = -1
            return
        free = self.position.generate_checks(base) if attacking else self.position.generate(base, 0)
        self.path_keys[ply] = key
        self.path_hands[ply] = hand
        self.path_codes[ply + 1] = self.code(self.path_codes[ply], key, hand, ply)
        needed = 0 if attacking else self._needed()
        # Looking up the children does not survey their positions; searching them does.
        end = self._open(base, free, ply)
        while True:
            self.position.checkers = checkers
            self.position.pinned = pinned
            own = NEVER
            second = NEVER
            other = 0
            best = -1
            at = base
            while at < end:
                number = self.child_owns[at]
                if number == 0:
                    # Of several deciding moves, prefer the one that depends on the latest ply.
                    if own or self.child_plies[at] > self.child_plies[best]:
                        best = at
                    own = 0
                elif self.child_others[at] and (
                    self.leaders[at] < 0 or self.child_others[self.leaders[at]] == 0
                ):
                    other = min(other + self.child_others[at], NEVER - 1)
                    if number < own:
                        second = own
                        own = number
                        best = at
                    elif number < second:
                        second = number
                at += 1
            if own == 0:
                other = NEVER
            elif other == 0:
                own = NEVER
            if own >= most_own or other >= most_other:
                break
            self.position.make(self.position.moves[best])
            self.position.survey()
            self._expand(
                most_other - (other - self.child_others[best]),
                min(most_own, second + (second >> 2) + 1),
                ply + 1,
                free,
            )
            self.position.unmake()
            if self._halted():
                return
            self._keep(best, attacking)
        self.found_proof = own if attacking else other
        self.found_disproof = other if attacking else own
        self._conclude(base, end, best, needed, ply)
        if self.found_disproof == 0 and self.found_plies < ply:
            self.loop(self.code(self.path_codes[ply], key, hand, ply), self.found_plies)
        else:
            if self.found_disproof == 0:
                self.found_plies = ALWAYS
            self.store(key, hand, self.nodes - begun)

    def _conclude(self, base: int, end: int, best: int, needed: int, ply: int) -> None:
        """Find the length and the hand of a mate, or the ply that a disproof depends on."""
        attacking = self.position.turn == self.attacker
        self.found_plies = 0
        if self.found_proof == 0 and attacking:
            self.found_plies = self.child_plies[best] + 1
            self.found_hand = self._before(self.child_hands[best], self.position.moves[best])
        elif self.found_proof == 0:
            self.found_hand = needed
            at = base
            while at < end:
                self.found_plies = max(self.found_plies, self.child_plies[at] + 1)
                self.found_hand = self.union(self.found_hand, self.child_hands[at])
                at += 1
        elif self.found_disproof == 0 and attacking:
            self.found_plies = ALWAYS
            at = base
            while at < end:
                self.found_plies = min(self.found_plies, self.child_plies[at])
                at += 1
        elif self.found_disproof == 0:
            self.found_plies = self.child_plies[best]

    def _known(self, position: Position, move: int) -> int:
        """Return the length of a proved mate after a move in plies, or -1."""
        position.play(move)
        self.position = position
        known = self.look(position.board_hash(), self._hand()) and self.found_proof == 0
        if known and self.found_plies > 1 and position.turn == self.attacker:
            self.found_plies = 1 if position.find_mate_in_one() else self.found_plies
        position.undo()
        return self.found_plies if known else -1

    def _line(self, root: Position) -> list[int]:
        """Replay a proof, quickest checks against longest defence; empty if it has a gap."""
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
        """Return the next move of the line, or 0; proofs that the table has lost are repeated."""
        if attacking and (mate := position.find_mate_in_one()):
            return mate
        known = {move: self._known(position, move) for move in moves}
        if attacking and max(known.values()) < 0 and self._decide(position):
            known = {move: self._known(position, move) for move in moves}
        if attacking:
            proved = [move for move in moves if known[move] >= 0]
            return min(proved, key=lambda move: known[move], default=0)
        for move in moves:
            if known[move] < 0:
                position.play(move)
                proved_again = self._decide(position) and self.found_proof == 0
                known[move] = self.found_plies
                position.undo()
                if not proved_again:
                    return 0
        return max(moves, key=lambda move: known[move])
