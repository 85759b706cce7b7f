cimport cython
from engines.go.rules.board cimport Board

cdef int _EMPTY, _BLACK, _WALL
cdef long long _MASK


@cython.final
cdef class Playout:
    cdef Board board
    cdef long long state
    cdef int[::1] steps
    cdef int[::1] corners
    cdef readonly long long moves

    @cython.locals(colour=cython.int, passes=cython.int, left=cython.int, point=cython.int)
    cpdef void finish(self, Board start, int colour) noexcept nogil
    @cython.locals(i=cython.int, first=cython.int, tries=cython.int, point=cython.int)
    cdef int _choose(self, int colour) noexcept nogil
    @cython.locals(i=cython.int, cell=cython.int, enemies=cython.int, walls=cython.int)
    cdef bint _is_eye(self, int point, int colour) noexcept nogil
    @cython.locals(i=cython.int, cell=cython.int)
    cpdef int owner(self, int point) noexcept nogil
    cdef long long _next(self) noexcept nogil
