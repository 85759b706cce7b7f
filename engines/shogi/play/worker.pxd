cimport cython
cimport engines.shogi.rules.board as board
cimport engines.shogi.rules.native as bits
from engines.shogi.rules.native cimport squares
cimport engines.shogi.play.tree as search
from engines.shogi.play.tree cimport Search

cdef int INFINITE, TOP

cdef class Worker(Search):
    cdef int root_count
    cdef int root_moves[600]
    cdef bint better

    @cython.locals(at=cython.int, move=cython.int, best=cython.int,
                   score=cython.int, checkers=squares, pinned=squares, shift=cython.int,
                   reduction=cython.int, reduced_depth=cython.int)
    cdef int _root(self, int depth, int alpha, int beta, int first) noexcept nogil
    cpdef int search_root(self, int depth, int alpha, int beta, int first)
