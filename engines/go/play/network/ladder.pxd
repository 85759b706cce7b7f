cimport cython
from engines.go.rules.board cimport Board

cdef int _EMPTY, _BUDGET, _CAPTURES, _DEPTH


@cython.final
cdef class Ladder:
    cdef int[::1] steps
    cdef int[::1] cells
    cdef int[::1] marks
    cdef int[::1] stack
    cdef int[::1] stones
    cdef int[::1] chain
    cdef int[::1] changes
    cdef int stamp, budget, changed, first, second, held, top

    @cython.locals(i=cython.int)
    cpdef void look(self, Board board) noexcept nogil
    cpdef bint escapes(self, int point) noexcept nogil
    cpdef bint falls(self, int point, int attack) noexcept nogil
    @cython.locals(i=cython.int, top=cython.int, done=cython.int, stone=cython.int, other=cython.int,
                   count=cython.int, colour=cython.int)
    cdef int _liberties(self, int point) noexcept nogil
    @cython.locals(i=cython.int, other=cython.int, enemy=cython.int, j=cython.int)
    cdef bint _put(self, int point, int colour) noexcept nogil
    @cython.locals(point=cython.int)
    cdef void _back(self, int mark) noexcept nogil
    @cython.locals(one=cython.int, two=cython.int, count=cython.int)
    cdef bint _attacked(self, int target, int depth) noexcept nogil
    @cython.locals(mark=cython.int, caught=cython.bint, enemy=cython.int)
    cdef bint _try_attack(self, int target, int point, int depth) noexcept nogil
    @cython.locals(i=cython.int, j=cython.int, liberty=cython.int, start=cython.int, end=cython.int,
                   other=cython.int, colour=cython.int, size=cython.int, saved=cython.bint)
    cdef bint _defended(self, int target, int depth) noexcept nogil
    @cython.locals(mark=cython.int, saved=cython.bint, count=cython.int, colour=cython.int)
    cdef bint _try_defence(self, int target, int point, int depth) noexcept nogil
