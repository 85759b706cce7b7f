cimport cython

from engines.morris.rules.board cimport Generator, Points, count, neighbours
from engines.morris.play.evaluation cimport evaluate, strikes
from engines.morris.tables.oracle cimport Oracle
from engines.morris.play.ordering cimport Ordering
from engines.morris.rules.symmetry cimport Symmetries

cdef int _WIN
cdef int _TABLE
cdef int _DECIDED
cdef int _PLIES
cdef int _STRIDE
cdef int _NONE
cdef int _CROWD
cdef int _POLL
cdef int _EXACT
cdef int _LOWER
cdef int _UPPER

cdef class Tree:
    cdef Oracle oracle
    cdef Symmetries symmetries
    cdef Generator generator
    cdef Ordering ordering
    cdef bint grounded
    cdef int limit
    cdef long long mask
    cdef long long[::1] keys
    cdef long long[::1] entries
    cdef int[::1] line
    cdef int[::1] lengths
    cdef long long[::1] path
    cdef int table_men
    cdef long long nodes
    cdef long long next_poll
    cdef int interval
    cdef public int slack
    cdef double polled
    cdef long long most_nodes
    cdef double deadline
    cdef object stop
    cdef bint halted
    cdef Points own
    cdef Points enemy
    cdef int own_hand
    cdef int enemy_hand
    cdef int quiet
    cdef int base
    cdef int depth
    cdef int passed
    @cython.locals(score=int, high=int)
    cdef int _root(self, int move, int depth, int alpha, int beta, bint first)
    @cython.locals(now=double)
    cdef void _poll(self) noexcept with gil
    @cython.locals(key=cython.longlong)
    cdef long long _key(self, Points own, Points enemy) noexcept nogil
    @cython.locals(length=int, at=int)
    cdef void _extend(self, int ply, int move) noexcept nogil
    @cython.locals(start=int)
    cdef int _child(
        self, Points own, Points enemy, int own_hand, int enemy_hand, int quiet, int move,
        int depth, int alpha, int beta, int ply,
    ) noexcept nogil
    @cython.locals(at=int, lowest=int)
    cdef bint _repeats(self, long long key, int quiet, int ply) noexcept nogil
    @cython.locals(plies=int, deep=bint, score=int)
    cdef int _judge(self, int value, Points own, Points enemy, int quiet, int ply) noexcept nogil
    @cython.locals(
        key=cython.longlong, value=int, blocked=bint, number=int, folded=cython.longlong,
        hands=cython.longlong, slot=cython.longlong, hint=int, entry=cython.longlong, score=int,
        kind=int, base=int, end=int, best=int, chosen=int, low=int, at=int, move=int,
        capture=bint, further=int, reduced=int, free=Points, danger=Points, worth=int, before=int, high=int,
    )
    cdef int _search(
        self, Points own, Points enemy, int own_hand, int enemy_hand, int quiet, int depth,
        int alpha, int beta, int ply,
    ) noexcept nogil
    @cython.locals(
        free=Points, best=int, base=int, end=int, low=int, at=int, move=int, men=Points, hand=int,
        left=Points, score=int,
    )
    cdef int _settle(
        self, Points own, Points enemy, int own_hand, int enemy_hand, int alpha, int beta,
        int ply, int depth,
    ) noexcept nogil
    @cython.locals(low=cython.longlong, high=cython.longlong)
    cdef long long _slot(self, long long folded) noexcept nogil
    @cython.locals(packed=cython.longlong)
    cdef void _keep(
        self, long long slot, long long folded, int number, int depth, int kind, int score,
        int move, int ply,
    ) noexcept nogil
