cimport cython

from engines.morris.rules.board cimport Generator, Points, count, removable

cdef int _NONE
cdef int _STRIDE

cdef class Position:
    cdef readonly int turn
    cdef readonly Points own
    cdef readonly Points enemy
    cdef readonly int own_hand
    cdef readonly int enemy_hand
    cdef readonly int quiet
    cdef readonly bint flying
    cdef readonly bint doubles
    cdef int limit
    cdef Generator generator
    cdef list past
    cdef bint _is_over(self)
    @cython.locals(own=Points, enemy=Points, hand=int, quiet=int, start=int)
    cpdef play(self, int move)
    @cython.locals(enemy=cython.longlong, hands=cython.longlong)
    cpdef long long key(self)
    @cython.locals(twin=Position)
    cpdef Position copy(self)

cdef class _Counter:
    cdef Generator generator
    cdef int limit
    cdef long long random
    @cython.locals(
        end=int, total=cython.longlong, index=int, move=int, men=Points,
        hand=int, calm=int, start=int, left=Points,
    )
    cdef long long _whole(
        self, Points own, Points enemy, int own_hand, int enemy_hand, int quiet, int depth, int base
    ) noexcept nogil
    @cython.locals(
        end=int, total=cython.longlong, index=int, move=int, men=Points,
        hand=int, calm=int, start=int, left=Points, done=int, further=int, prey=Points,
        first=Points, second=Points, victim=Points,
    )
    cdef long long _apart(
        self, Points own, Points enemy, int own_hand, int enemy_hand, int quiet, int depth, int base
    ) noexcept nogil
    cpdef long long run(
        self, Points own, Points enemy, int own_hand, int enemy_hand, int quiet, int depth,
        bint apart,
    )
    @cython.locals(plies=cython.longlong)
    cpdef long long play(
        self, Points own, Points enemy, int own_hand, int enemy_hand, int quiet, int games,
        long long seed,
    )
    @cython.locals(plies=int, end=int, move=int, start=int)
    cdef int _play(
        self, Points own, Points enemy, int own_hand, int enemy_hand, int quiet
    ) noexcept nogil
