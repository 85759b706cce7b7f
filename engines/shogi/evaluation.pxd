cimport cython
cimport engines.shogi.board as board
cimport engines.shogi.native as bits
from engines.shogi.board cimport Board
from engines.shogi.native cimport squares

cdef int WEIGHT[2][81][81]
cdef short EFFECT[32][81][81]
cdef int HELD[8]
cdef int NEAR[4]
cdef int FAR[4]
cdef int TEMPO, FAR_AWAY
cdef squares BALL[4][81]

@cython.locals(man=cython.int, kind=cython.int, square=cython.int, king=cython.int,
               total=cython.int, left=squares)
cdef int _fill_effects() except -1

cdef class Evaluation:
    cdef int sums[256]
    cdef int height
    cdef void reset(self, Board men) noexcept nogil
    @cython.locals(total=cython.int, left=squares, at=cython.int, kind=cython.int)
    cdef int total(self, Board men) noexcept nogil
    @cython.locals(value=cython.int, king=cython.int)
    cdef int worth(self, Board men, int man, int square) noexcept nogil
    @cython.locals(us=cython.int, to=cython.int, start=cython.int, sign=cython.int,
                   man=cython.int, taken=cython.int, total=cython.int, kind=cython.int)
    cdef void make(self, Board men, int move) noexcept nogil
    cdef void settle(self, Board men) noexcept nogil
    cdef void hold(self) noexcept nogil
    cdef void unmake(self) noexcept nogil
    @cython.locals(total=cython.int, left=squares, all_men=squares, at=cython.int, man=cython.int)
    cdef int value(self, Board men) noexcept nogil
    @cython.locals(king=cython.int, ring=cython.int, total=cython.int)
    cdef int pressure(self, Board men, squares reached, int side) noexcept nogil
