cimport cython
cimport engines.shogi.board as board
cimport engines.shogi.native as bits
from engines.shogi.native cimport squares
from engines.shogi.quiescence cimport Quiescence

cdef int MATE, SURE, PERPETUAL, INFINITE, TOP, MEN, TRY, SURPLUS
cdef long long BARRED_KEY
cdef int REDUCTION[64][64]

cdef int REVERSE_FUTILITY, SINGULAR, LATE_MOVES, FUTILITY, EXCHANGES, BAD_CAPTURES, REDUCTIONS
cdef int MATE_IN_ONE, CORRECTION

cdef int reduction_of(int depth, int count) noexcept nogil

cdef class Search(Quiescence):
    cdef public int reached
    cdef int declaring, most_plies
    cdef int barred[130]
    cdef int tries[8320]
    cdef int catches[4160]
    cdef int values[130]
    cdef int root_depth

    @cython.locals(found=cython.int)
    cdef int _ended(self, int ply) noexcept nogil
    @cython.locals(entry=cython.longlong, key=cython.longlong,
                   hint=cython.int, best=cython.int, value=cython.int, score=cython.int,
                   end=cython.int, at=cython.int, move=cython.int, chosen=cython.int,
                   bound=cython.int, checked=cython.bint, open_window=cython.bint,
                   checkers=squares, pinned=squares, old=cython.int, old_depth=cython.int,
                   improving=cython.bint, stage=cython.int, bad=cython.int, bad_at=cython.int,
                   free=cython.int, count=cython.int, quiet=cython.bint,
                   reduction=cython.int, reduced=cython.int, extension=cython.int,
                   new_depth=cython.int, excluded=cython.int,
                   history=cython.int, gives=cython.bint, tried=cython.int, bonus=cython.int,
                   margin=cython.int, caught=cython.int,
                   man=cython.int, first=cython.int, unaided=cython.int)
    cdef int _search(self, int depth, int alpha, int beta, int ply, bint cut, int base) noexcept nogil
