cimport cython
cimport engines.shogi.rules.native as bits
from engines.shogi.rules.board cimport Board
from engines.shogi.rules.native cimport squares

cdef int MEN

cdef class Correction:
    cdef short pawns[2][16384]
    cdef short hands[2][16384]
    cdef short moves[2592]

    @cython.locals(side=cython.int, slot=cython.int)
    cpdef void forget(self)
    @cython.locals(black=squares, white=squares, slot=cython.longlong, first=cython.int)
    cdef int pawn_slot(self, Board men) noexcept nogil
    cdef int hand_slot(self, Board men) noexcept nogil
    @cython.locals(total=cython.int)
    cdef int of(self, Board men, int last) noexcept nogil
    @cython.locals(size=cython.int, at=cython.int)
    cdef void learn(self, Board men, int last, int error) noexcept nogil
