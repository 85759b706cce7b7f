cimport cython

from engines.morris.board cimport (
    Points, closers, count, double_closers, in_mills, neighbours
)

cdef int _MAN
cdef int _STEP
cdef int _BLOCKED
cdef int _MILL
cdef int _THREAT
cdef int _STRIKE
cdef int _FORK

@cython.locals(
    free=Points, beside=Points, mine=int, theirs=int, score=int, own_threats=Points, enemy_threats=Points
)
cpdef int evaluate(Points own, Points enemy, int own_hand, int enemy_hand) noexcept nogil
@cython.locals(flies=bint, found=Points, rest=Points, man=Points, targets=Points)
cpdef Points strikes(Points men, Points free, int hand, int grounded) noexcept nogil
