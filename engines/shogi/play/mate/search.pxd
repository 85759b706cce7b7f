cimport cython
cimport engines.shogi.rules.board as board
cimport engines.shogi.rules.native as bits
cimport engines.shogi.play.mate.proofs as proofs
from engines.shogi.rules.native cimport squares
from engines.shogi.rules.position cimport Position
from engines.shogi.play.mate.proofs cimport Proofs

cdef int NEVER
cdef int ALWAYS
cdef int UNKNOWN
cdef int DEEPEST

cdef class Solver(Proofs):
    cdef Position position
    cdef object clock
    cdef int attacker, countdown
    cdef volatile bint stopped
    cdef public long long nodes
    cdef long long node_limit
    cdef int[::1] child_owns, child_others, child_plies, leaders, last_drops
    cdef long long[::1] child_hands
    cdef long long[::1] path_keys, path_hands, path_codes

    cdef void _poll(self) noexcept with gil
    cdef bint _halted(self) noexcept nogil
    @cython.locals(hand=cython.longlong, kind=cython.int)
    cdef long long _hand(self) noexcept nogil
    @cython.locals(at=cython.int)
    cdef int _repeats(self, long long key, long long hand, int ply) noexcept nogil
    @cython.locals(checkers=squares, us=cython.int, hand=cython.longlong, kind=cython.int)
    cdef long long _needed(self) noexcept nogil
    @cython.locals(start=cython.int, kind=cython.int)
    cdef long long _after(self, long long hand, int move) noexcept nogil
    @cython.locals(start=cython.int, kind=cython.int)
    cdef long long _before(self, long long hand, int move) noexcept nogil
    @cython.locals(move=cython.int, start=cython.int, other=cython.int, kind=cython.int)
    cdef int _leader(self, int base, int at) noexcept nogil
    cdef void _guess(self, int end) noexcept nogil
    @cython.locals(attacking=cython.bint, known=cython.bint, at=cython.int, key=cython.longlong,
                   hand=cython.longlong, held=cython.longlong, rests=cython.int)
    cdef int _open(self, int base, int end, int ply) noexcept nogil
    cdef void _keep(self, int at, bint attacking) noexcept nogil
    @cython.locals(free=cython.int, end=cython.int, at=cython.int, best=cython.int,
                   key=cython.longlong, hand=cython.longlong, own=cython.int, second=cython.int,
                   other=cython.int, number=cython.int, needed=cython.longlong,
                   begun=cython.longlong, checkers=squares, pinned=squares, attacking=cython.bint)
    cdef void _expand(self, int most_own, int most_other, int ply, int base) noexcept nogil
    @cython.locals(attacking=cython.bint, at=cython.int)
    cdef void _conclude(self, int base, int end, int best, long long needed, int ply) noexcept nogil
    cpdef bint _run(self)
