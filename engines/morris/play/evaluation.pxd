cimport cython

from engines.morris.rules.board cimport (
    Points, closers, count, double_closers, in_mills, neighbours
)

cdef int _MAN
cdef int _STEP
cdef int _BLOCKED
cdef int _MILL
cdef int _THREAT
cdef int _STRIKE
cdef int _FORK

cdef int _FEW
cdef int _MOST_STRIKES
cdef int _MOST_STEPS
cdef int _STEPS
cdef int _RING
cdef int _FACE
cdef int _ROW
cdef int _MATERIAL
cdef int _MEN
cdef int _SIEGE
cdef int _SIEGE_ROWS
cdef int _SIEGE_COMMON
cdef int _LIKELIEST
cdef int _EVEN
cdef int TERNARY[512]
cdef short WEIGHTS[199020]
cdef int WORTH[512]
cdef int PHASE[19]

@cython.locals(weights="short[::1]", at=int)
cpdef int fill(weights) except -1
@cython.locals(weights="short[::1]", at=int)
cpdef int fill_sieges(weights) except -1
@cython.locals(
    mine=int, theirs=int, free=Points, row=int, score=int, men=Points, others=Points, _=int,
    own_strikes=int, enemy_strikes=int, steps=int, siege=bint,
)
cpdef int evaluate(Points own, Points enemy, int own_hand, int enemy_hand) noexcept nogil
@cython.locals(
    free=Points, beside=Points, mine=int, theirs=int, score=int, own_threats=Points, enemy_threats=Points
)
cdef int _count_up(Points own, Points enemy, int own_hand, int enemy_hand) noexcept nogil
@cython.locals(flies=bint, points=Points, rest=Points, man=Points, targets=Points)
cpdef Points strikes(Points men, Points free, int hand, int grounded) noexcept nogil
