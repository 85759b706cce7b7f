cimport cython
cimport engines.shogi.rules.board as board
cimport engines.shogi.rules.native as bits
from engines.shogi.rules.native cimport squares
cimport engines.shogi.play.table as table
from engines.shogi.play.quiescence cimport Quiescence

cdef int MATE, SURE, PERPETUAL, INFINITE, TOP, MEN, TRY, SURPLUS
cdef long long BARRED_KEY
cdef int REDUCTION[64][64]

cdef int REVERSE_FUTILITY, NULL_MOVE, PROBCUT, NO_TABLE_MOVE, SINGULAR, LATE_MOVES, FUTILITY, EXCHANGES, BAD_CAPTURES, REDUCTIONS
cdef int MATE_IN_ONE, CORRECTION, FEW_CAPTURES, HISTORY_PRUNING, CAPTURE_FUTILITY, REFUTATIONS, GAINS, TABLE_IN_QUIESCENCE

cdef int reduction_of(int depth, int count) noexcept nogil

cdef class Search(Quiescence):
    cdef public int reached
    cdef int declaring, most_plies
    cdef int barred[130]
    cdef int tries[8320]
    cdef int catches[4160]
    cdef int values[130]
    cdef int root_depth
    cdef int first_pass
    cdef int proven

    @cython.locals(recurrence=cython.int, goal=cython.int, points=cython.int)
    cdef int _ended(self, int ply) noexcept nogil
    @cython.locals(checkers=squares, pinned=squares, reduction=cython.int, score=cython.int)
    cdef bint _pass_holds(self, int depth, int beta, int ply, int value, int base) noexcept nogil
    @cython.locals(checkers=squares, pinned=squares, end=cython.int, at=cython.int,
                   move=cython.int, score=cython.int)
    cdef int _wins_by_capture(self, int depth, int goal, int ply, int value, bint cut,
                              int base) noexcept nogil
    @cython.locals(entry=cython.longlong, key=cython.longlong,
                   table_move=cython.int, table_score=cython.int, table_depth=cython.int,
                   table_bound=cython.int, best=cython.int, value=cython.int, estimate=cython.int, score=cython.int,
                   at=cython.int, move=cython.int, chosen=cython.int,
                   bound=cython.int, checked=cython.bint, open_window=cython.bint,
                   checkers=squares, pinned=squares, first_alpha=cython.int,
                   improving=cython.bint, stage=cython.int, bad=cython.int, bad_at=cython.int,
                   free=cython.int, count=cython.int, quiet=cython.bint,
                   reduction=cython.int, reduced_depth=cython.int, singular_beta=cython.int, singular_score=cython.int,
                   extension=cython.int,
                   new_depth=cython.int, excluded=cython.int,
                   history=cython.int, gives_check=cython.bint, tried=cython.int, bonus=cython.int,
                   caught=cython.int,
                   man=cython.int, first=cython.int, raw_value=cython.int, goal=cython.int)
    cdef int _search(self, int depth, int alpha, int beta, int ply, bint cut, int base) noexcept nogil
