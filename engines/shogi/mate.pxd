cimport cython
cimport engines.shogi.board as board
cimport engines.shogi.native as bits
from engines.shogi.native cimport squares
from engines.shogi.position cimport Position

cdef int NEVER
cdef int DEEPEST
cdef int ALWAYS
cdef long long HAND_MIX, PLY_MIX, WHOLE

cdef class Solver:
    cdef Position position
    cdef object clock
    cdef int attacker, countdown, careful, rash
    cdef volatile bint stopped
    cdef public long long nodes
    cdef long long node_limit
    cdef long long mask, loop_mask
    cdef long long[::1] keys, table, loops
    cdef int[::1] child_proofs, child_disproofs, child_plies, leaders, last_drops
    cdef long long[::1] child_hands
    cdef long long[::1] path_keys, path_hands, path_codes
    cdef int found_proof, found_disproof, found_plies
    cdef long long found_hand

    cdef void _poll(self) noexcept with gil
    cdef bint _halted(self) noexcept nogil
    @cython.locals(hand=cython.longlong, kind=cython.int)
    cdef long long _hand(self) noexcept nogil
    cdef bint _at_least(self, long long more, long long less) noexcept nogil
    @cython.locals(slot=cython.longlong, at=cython.longlong, end=cython.longlong, held=cython.longlong,
                   numbers=cython.longlong, exact=cython.bint)
    cdef bint _look(self, long long key, long long hand) noexcept nogil
    @cython.locals(slot=cython.longlong, at=cython.longlong, end=cython.longlong,
                   place=cython.longlong, least=cython.longlong)
    cdef void _store(self, long long key, long long hand, long long proof, long long disproof,
                     int plies, long long effort) noexcept nogil
    @cython.locals(mixed=cython.longlong)
    cdef long long _code(self, long long key, long long hand, long long ply) noexcept nogil
    @cython.locals(at=cython.longlong)
    cdef int _looped(self, long long code) noexcept nogil
    @cython.locals(at=cython.int)
    cdef int _repeats(self, long long key, long long hand, int ply) noexcept nogil
    @cython.locals(checkers=squares, us=cython.int, hand=cython.longlong, kind=cython.int)
    cdef long long _needed(self) noexcept nogil
    @cython.locals(result=cython.longlong, mask=cython.longlong, kind=cython.int)
    cdef long long _union(self, long long one, long long other) noexcept nogil
    @cython.locals(start=cython.int, kind=cython.int)
    cdef long long _after(self, long long hand, int move) noexcept nogil
    @cython.locals(start=cython.int, kind=cython.int)
    cdef long long _before(self, long long hand, int move) noexcept nogil
    @cython.locals(move=cython.int, start=cython.int, other=cython.int, kind=cython.int)
    cdef int _leader(self, int base, int at) noexcept nogil
    @cython.locals(attacking=cython.bint, at=cython.int, key=cython.longlong, hand=cython.longlong,
                   held=cython.longlong, rests=cython.int)
    cdef void _open(self, int base, int end, int ply) noexcept nogil
    @cython.locals(end=cython.int, at=cython.longlong, best=cython.int, key=cython.longlong,
                   hand=cython.longlong, proof=cython.int, disproof=cython.int, first=cython.int,
                   second=cython.int, total=cython.int, greatest=cython.int,
                   open_children=cython.int, rests=cython.int, least=cython.longlong,
                   needed=cython.longlong, longest=cython.int, shortest=cython.int,
                   begun=cython.longlong, checkers=squares, pinned=squares, wanted_proof=cython.int,
                   wanted_disproof=cython.int, attacking=cython.bint, code=cython.longlong)
    cdef void _expand(self, int most_proof, int most_disproof, int ply, int base) noexcept nogil
    cpdef bint _run(self)
