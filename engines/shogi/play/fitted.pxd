cimport cython
cimport engines.shogi.rules.board as board
cimport engines.shogi.rules.native as bits
from engines.shogi.rules.board cimport Board
from engines.shogi.play.effects cimport Effects, fill_effects
from engines.shogi.rules.native cimport squares

# By the king first: a search stays near one place of each king, and so in few lines of cache.
cdef short PLACED[81][32][81]
cdef int HELD[81][2][8][19]
cdef int NEAR[16][4]
cdef int FAR[16][4]
cdef int REACH[16]
cdef int TEMPO, HOME
cdef squares BALL[4][81]

@cython.locals(weights="short[::1]", at=cython.int, man=cython.int, king=cython.int,
               square=cython.int, counts=cython.int, relation=cython.int, kind=cython.int,
               held=cython.int, worth=cython.int, ring=cython.int)
cpdef int fill(weights) except -1
cdef int _mirror(int square) noexcept nogil

cdef class Fitted(Effects):
    cdef int sums[256]
    cdef void reset(self, Board men) noexcept nogil
    @cython.locals(total=cython.int, left=squares, at=cython.int, kind=cython.int, man=cython.int,
                   black=cython.int, white=cython.int)
    cdef int total(self, Board men) noexcept nogil
    @cython.locals(us=cython.int, to=cython.int, start=cython.int, man=cython.int,
                   taken=cython.int, total=cython.int, kind=cython.int, black=cython.int,
                   white=cython.int)
    cdef void make(self, Board men, int move) noexcept nogil
    cdef int change(self, int black, int white, int us, int kind, int held, int more) noexcept nogil
    cdef void settle(self, Board men) noexcept nogil
    cdef void unmake(self) noexcept nogil
    @cython.locals(total=cython.int, left=squares, all_men=squares, at=cython.int, man=cython.int,
                   kind=cython.int, reached=squares, black=cython.int, white=cython.int,
                   black_once=squares, black_again=squares, white_once=squares, white_again=squares)
    cdef int value(self, Board men) noexcept nogil
    @cython.locals(kind=cython.int, side=cython.int, own=cython.int, other=cython.int,
                   ring=cython.int, total=cython.int)
    cdef int pressure(self, Board men, squares reached, int man) noexcept nogil
