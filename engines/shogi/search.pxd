cimport cython
cimport engines.shogi.board as board
cimport engines.shogi.native as bits
from engines.shogi.evaluation cimport Evaluation
from engines.shogi.native cimport squares
from engines.shogi.position cimport Position
from engines.shogi.table cimport Table

cdef int MATE, SURE, INFINITE, TOP, MEN, SURPLUS
cdef long long BARRED_KEY
cdef int REDUCTION[64][64]

cdef class Worker:
    cdef Position position
    cdef Evaluation evaluation
    cdef Table table
    cdef object clock
    cdef public long long nodes
    cdef long long node_limit
    cdef int countdown, interval
    cdef public int reached
    cdef int declaring, most_plies
    cdef int[::1] scores
    cdef short[::1] following
    cdef int quiets[64][81]
    cdef int captures[32][81][16]
    cdef int killers[130][2]
    cdef int made[130]
    cdef int barred[130]
    cdef int tries[130][64]
    cdef int catches[130][32]
    cdef int values[130]
    cdef int lines[130][130]
    cdef int lengths[130]
    cdef int root_count
    cdef int root_depth
    cdef int root_moves[600]

    cdef void _poll(self) noexcept with gil
    cdef void _advance(self, int move, int ply) noexcept nogil
    cdef void _retreat(self) noexcept nogil
    @cython.locals(at=cython.int, best=cython.int, kept=cython.int)
    cdef int _pick(self, int at, int end) noexcept nogil
    @cython.locals(move=cython.int, to=cython.int, man=cython.int, taken=cython.int)
    cdef void _weigh_captures(self, int at, int end) noexcept nogil
    @cython.locals(move=cython.int, to=cython.int, start=cython.int, man=cython.int,
                   us=cython.int, slot=cython.int, first=cython.int, second=cython.int)
    cdef void _weigh_quiets(self, int at, int end, int ply) noexcept nogil
    @cython.locals(start=cython.int)
    cdef int _man_of(self, int move) noexcept nogil
    @cython.locals(man=cython.int, slot=cython.int, at=cython.int)
    cdef void _learn_quiet(self, int move, int ply, int bonus) noexcept nogil
    @cython.locals(man=cython.int, taken=cython.int, to=cython.int)
    cdef void _learn_capture(self, int move, int bonus) noexcept nogil
    @cython.locals(kept=cython.int)
    cdef int _bring(self, int hint, int at, int end) noexcept nogil
    @cython.locals(at=cython.int)
    cdef void _extend_line(self, int move, int ply) noexcept nogil
    @cython.locals(found=cython.int)
    cdef int _ended(self, int ply) noexcept nogil
    @cython.locals(entry=cython.longlong, key=cython.longlong,
                   hint=cython.int, best=cython.int, stand=cython.int, score=cython.int,
                   end=cython.int, at=cython.int, move=cython.int, chosen=cython.int,
                   bound=cython.int, taken=cython.int, gain=cython.int, checked=cython.bint,
                   checkers=squares, pinned=squares, old=cython.int)
    cdef int _quiesce(self, int alpha, int beta, int ply, int depth, int base) noexcept nogil
    @cython.locals(entry=cython.longlong, key=cython.longlong,
                   hint=cython.int, best=cython.int, value=cython.int, score=cython.int,
                   end=cython.int, at=cython.int, move=cython.int, chosen=cython.int,
                   bound=cython.int, checked=cython.bint, open_window=cython.bint,
                   checkers=squares, pinned=squares, old=cython.int, old_depth=cython.int,
                   improving=cython.bint, stage=cython.int, bad=cython.int, bad_at=cython.int,
                   bad_end=cython.int, free=cython.int, count=cython.int, quiet=cython.bint,
                   reduction=cython.int, reduced=cython.int, extension=cython.int,
                   new_depth=cython.int, excluded=cython.int, raised=cython.int,
                   history=cython.int, gives=cython.bint, tried=cython.int, bonus=cython.int,
                   margin=cython.int, caught=cython.int,
                   man=cython.int, first=cython.int)
    cdef int _search(self, int depth, int alpha, int beta, int ply, bint cut, int base) noexcept nogil
    @cython.locals(at=cython.int, move=cython.int, best=cython.int,
                   score=cython.int, checkers=squares, pinned=squares, shift=cython.int,
                   base=cython.int, reduction=cython.int, place=cython.int)
    cdef int _root(self, int depth, int alpha, int beta, int first) noexcept nogil
    cpdef int search_root(self, int depth, int alpha, int beta, int first)
