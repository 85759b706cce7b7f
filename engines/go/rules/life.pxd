cimport cython
from engines.go.rules.board cimport Board

cdef int _EMPTY, _BLACK, _WHITE, _WALL


@cython.final
cdef class Life:
    cdef int[::1] owner
    cdef int[::1] region
    cdef int[::1] vital
    cdef int[::1] good
    cdef int[::1] dead
    cdef int[::1] eyes
    cdef int[::1] queue
    cdef int regions

    cpdef int owner_of(self, int point) noexcept nogil
    @cython.locals(i=cython.int)
    cpdef void look(self, Board board) noexcept nogil
    @cython.locals(i=cython.int, j=cython.int, k=cython.int, point=cython.int, other=cython.int, top=cython.int, done=cython.int,
                   region=cython.int, seen=cython.int, head=cython.int, listed=cython.bint, touches=cython.bint)
    cdef void _divide(self, Board board, int colour) noexcept nogil
    @cython.locals(i=cython.int, j=cython.int, point=cython.int, head=cython.int, region=cython.int, changed=cython.bint, other=cython.int)
    cdef bint _prune(self, Board board, int colour) noexcept nogil
    @cython.locals(i=cython.int, j=cython.int, point=cython.int, other=cython.int, touched=cython.bint)
    cdef void _claim(self, Board board, int colour) noexcept nogil
