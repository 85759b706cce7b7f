cimport cython
cimport engines.shogi.rules.board as board
cimport engines.shogi.rules.native as bits
from engines.shogi.rules.generation cimport Generation
from engines.shogi.rules.native cimport squares

cdef class Position(Generation):
    cdef int declared

    @cython.locals(end=cython.int, at=cython.int, total=cython.longlong)
    cdef long long _perft(self, int depth, int base) noexcept nogil
    cdef void advance(self, int move) noexcept nogil
    @cython.locals(us=cython.int, zone=squares, own=squares, points=cython.int, kind=cython.int)
    cdef int points(self) noexcept nogil
    @cython.locals(total=cython.longlong)
    cpdef long long perft(self, int depth)
    @cython.locals(at=cython.int)
    cpdef Position copy(self)
    @cython.locals(height=cython.int)
    cdef void make_pass(self) noexcept nogil
    cdef void unmake_pass(self) noexcept nogil
    @cython.locals(height=cython.int, last=cython.int, at=cython.int, moves=cython.int,
                   now=cython.longlong, then=cython.longlong)
    cdef int recurrence(self, int reach) noexcept nogil
    @cython.locals(times=cython.int, at=cython.int)
    cdef int occurrences(self) noexcept nogil
    cdef void note_check(self, bint check) noexcept nogil
