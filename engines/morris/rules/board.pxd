cimport cython

ctypedef unsigned int Points

cdef int _NONE

cpdef int count(Points points) noexcept nogil
@cython.locals(middles=Points)
cpdef Points neighbours(Points points) noexcept nogil
@cython.locals(behind=Points, ahead=Points, sides=Points, across=Points)
cpdef Points in_mills(Points men) noexcept nogil
@cython.locals(
    behind=Points, ahead=Points, behind2=Points, ahead2=Points,
    outer=Points, middle=Points, inner=Points,
)
cpdef Points closers(Points men) noexcept nogil
@cython.locals(
    behind=Points, ahead=Points, behind2=Points, ahead2=Points,
    outer=Points, middle=Points, inner=Points, across=Points,
)
cpdef Points double_closers(Points men) noexcept nogil
@cython.locals(loose=Points)
cpdef Points removable(Points enemy) noexcept nogil
cpdef int pack(int start, int end, int first, int second) noexcept nogil

cdef class Generator:
    cdef bint flying
    cdef bint doubles
    cdef int spare
    cdef int[::1] room
    @cython.locals(free=Points, prey=Points, rest=Points, man=Points, targets=Points, flies=bint)
    cdef int _fill(self, Points own, Points enemy, int hand, int end) noexcept nogil
    @cython.locals(
        closing=Points, twice=Points, plain=Points, point=Points, base=int, left=Points,
        victim=Points, others=Points, other=Points, low=Points,
    )
    cdef int _emit(
        self, int start, Points targets, Points rest, Points enemy, Points prey, int end
    ) noexcept nogil
    @cython.locals(
        free=Points, closing=Points, flies=bint, quiet=int, captures=int, rest=Points,
        man=Points, targets=Points,
    )
    cdef int _count(self, Points own, Points enemy, int hand) noexcept nogil
    @cython.locals(free=Points, steps=int, rest=Points, man=Points)
    cdef int _count_steps(self, Points own, Points enemy, int hand) noexcept nogil
    @cython.locals(end=int, index=int)
    cpdef list moves(self, Points own, Points enemy, int hand)
