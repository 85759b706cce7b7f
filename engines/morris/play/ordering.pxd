cimport cython

from engines.morris.rules.board cimport Generator, Points, count
from engines.morris.play.evaluation cimport strikes

cdef int _NONE
cdef int _VICTIMS
cdef int _SLOTS
cdef int _MOST
cdef int _BLOCK
cdef int _SPARED

cdef class Ordering:
    cdef Generator generator
    cdef int plies
    cdef bint grounded
    cdef int[::1] scores
    cdef int[::1] history
    cdef int[::1] killers
    @cython.locals(at=int, move=int, victim=int)
    cdef void _arrange(self, int base, int end, int hint, int ply) noexcept nogil
    @cython.locals(at=int, move=int, victim=int, men=Points, left=Points, free=Points, threats=int)
    cdef void _sharpen(
        self, int base, int end, Points own, Points enemy, int enemy_hand, Points danger
    ) noexcept nogil
    @cython.locals(best=int, other=int, move=int, score=int)
    cdef void _select(self, int at, int end) noexcept nogil
    @cython.locals(place=int, at=int)
    cdef void _praise(self, int move, int depth, int ply) noexcept nogil
