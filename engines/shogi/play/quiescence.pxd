cimport cython
cimport engines.shogi.rules.board as board
cimport engines.shogi.rules.native as bits
from engines.shogi.rules.native cimport squares
from engines.shogi.play.correction cimport Correction
from engines.shogi.play.evaluation cimport Evaluation
from engines.shogi.play.ordering cimport Ordering
cimport engines.shogi.play.table as table
from engines.shogi.play.table cimport TranspositionTable

cdef int MATE, SURE, INFINITE, TOP, CORRECTION, FEW_CAPTURES, TABLE_IN_QUIESCENCE

cdef class Quiescence(Ordering):
    cdef Evaluation evaluation
    cdef Correction correction
    cdef int methods
    cdef TranspositionTable transpositions
    cdef object clock
    cdef public long long nodes
    cdef long long node_limit
    cdef int countdown, interval
    cdef int lines[16900]
    cdef int lengths[130]

    cpdef void forget(self)
    @cython.locals(value=cython.int)
    cdef int _corrected(self, int value, int ply) noexcept nogil
    cdef void _poll(self) noexcept with gil
    cdef void _advance(self, int move, int ply) noexcept nogil
    cdef void _retreat(self) noexcept nogil
    @cython.locals(at=cython.int)
    cdef void _extend_line(self, int move, int ply) noexcept nogil
    @cython.locals(entry=cython.longlong, key=cython.longlong,
                   table_move=cython.int, table_score=cython.int, best=cython.int,
                   stand_pat=cython.int, score=cython.int,
                   end=cython.int, at=cython.int, move=cython.int, chosen=cython.int,
                   bound=cython.int, taken=cython.int, gain=cython.int, checked=cython.bint,
                   checkers=squares, pinned=squares, first_alpha=cython.int, raw_value=cython.int,
                   count=cython.int, answers=cython.int, last=cython.int)
    cdef int _quiesce(self, int alpha, int beta, int ply, int depth, int base) noexcept nogil
