cimport cython
from libc.math cimport floor, sqrt

from engines.go.rules.board cimport Board
from engines.go.play.network.features cimport Features
from engines.go.play.network.network cimport Evaluator


cdef int _EMPTY, _DEEPEST
cdef double _TAUGHT


@cython.final
cdef class Root:
    cdef Board start
    cdef int colour, passes, before, superko
    cdef double komi
    cdef bint territory, cleanup
    cdef unsigned char[::1] dead
    cdef long long[::1] history
    cdef int[::1] recent


@cython.final
cdef class Worker:
    cdef Root root
    cdef Board board
    cdef Features features
    cdef Evaluator evaluator
    cdef int[::1] path
    cdef long long[::1] seen
    cdef int[::1] recent
    cdef int[::1] region
    cdef int[::1] queue
    cdef unsigned char[::1] lost
    cdef float[::1] chances
    cdef int depth, colour, passes, before, top
    cdef double komi, beyond
    cdef bint first

    @cython.locals(i=cython.int)
    cdef void _restart(self) noexcept nogil
    @cython.locals(point=cython.int, i=cython.int)
    cdef void _advance(self, int move) noexcept nogil
    @cython.locals(i=cython.int, other=cython.int)
    cdef bint _besets(self, int point) noexcept nogil
    @cython.locals(i=cython.int, komi=cython.double, known=cython.double, phase=cython.double, wave=cython.double, area=cython.int)
    cdef void _evaluate(self) noexcept nogil
    @cython.locals(i=cython.int, other=cython.int, after=cython.longlong, repeated=cython.bint)
    cdef bint _repeats(self, int point) noexcept nogil
    @cython.locals(i=cython.int, j=cython.int, point=cython.int, other=cython.int, top=cython.int, done=cython.int, black=cython.int,
                   white=cython.int, cell=cython.int, margin=cython.double, area=cython.int)
    cdef double _count(self) noexcept nogil
    @cython.locals(cell=cython.int)
    cdef int _cell(self, int point) noexcept nogil
    @cython.locals(i=cython.int, point=cython.int, cell=cython.int, area=cython.int, own=cython.float)
    cdef void _strike(self) noexcept nogil
