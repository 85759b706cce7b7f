cimport cython
cimport engines.shogi.rules.board as board
cimport engines.shogi.rules.native as bits
from engines.shogi.rules.native cimport squares
from engines.shogi.rules.position cimport Position

cdef int TOP, MEN, SAFE_CHECK

cdef class Ordering:
    cdef Position position
    cdef int[::1] scores
    cdef short[::1] following
    cdef int quiets[64][81]
    cdef int captures[32][81][16]
    cdef int killers[130][2]
    cdef int made[130]
    cdef int quiet_made[130]
    cdef squares checking[16]

    @cython.locals(at=cython.int, man=cython.int, square=cython.int, taken=cython.int)
    cpdef void forget(self)
    @cython.locals(start=cython.int)
    cdef int _man_of(self, int move) noexcept nogil
    @cython.locals(start=cython.int, to=cython.int)
    cdef int _quiet_slot(self, int move) noexcept nogil
    @cython.locals(slot=cython.int, man=cython.int, at=cython.int)
    cdef void _learn_last(self, int ply, int bonus) noexcept nogil
    @cython.locals(at=cython.int, best=cython.int, kept=cython.int)
    cdef int _pick(self, int at, int end) noexcept nogil
    @cython.locals(kept=cython.int)
    cdef int _bring(self, int hint, int at, int end) noexcept nogil
    @cython.locals(move=cython.int, to=cython.int, man=cython.int, taken=cython.int)
    cdef void _weigh_captures(self, int at, int end) noexcept nogil
    @cython.locals(us=cython.int, king=cython.int, kind=cython.int, other=cython.int, men=squares)
    cdef void _find_checks(self) noexcept nogil
    @cython.locals(move=cython.int, to=cython.int, start=cython.int, man=cython.int,
                   us=cython.int, slot=cython.int, first=cython.int, second=cython.int,
                   fourth=cython.int, kind=cython.int,
                   threats=squares)
    cdef void _weigh_quiets(self, int at, int end, int ply) noexcept nogil
    @cython.locals(move=cython.int, to=cython.int, man=cython.int, slot=cython.int,
                   first=cython.int)
    cdef void _weigh_evasions(self, int at, int end, int ply) noexcept nogil
    @cython.locals(man=cython.int, slot=cython.int, at=cython.int)
    cdef void _learn_quiet(self, int move, int ply, int bonus) noexcept nogil
    @cython.locals(man=cython.int, taken=cython.int, to=cython.int)
    cdef void _learn_capture(self, int move, int bonus) noexcept nogil
