cimport cython
from engines.neutron.rules.board cimport Board
from engines.neutron.play.evaluation cimport Evaluation

cdef int _WIN
cdef int _PROVED
cdef int _DEEPEST
cdef int _BLOCKS
cdef int _NOWHERE
cdef int _MOST_MOVES
cdef unsigned long long _FACTOR
cdef unsigned long long _MASK
cdef long long _NODES_BETWEEN_POLLS
cdef long long _THOROUGH
cdef int _UPPER
cdef int _LOWER
cdef int _EXACT

@cython.final
cdef class Tree:
    cdef Board board
    cdef Evaluation evaluation
    cdef int noise
    cdef long long seed
    cdef int table_bits
    cdef long long[::1] table
    cdef int[::1] moves
    cdef int[::1] order
    cdef int[::1] killers
    cdef int[::1] history
    cdef long long[::1] path
    cdef long long[::1] drawn
    cdef int drawn_count
    cdef int[::1] root_moves
    cdef int root_count
    cdef int root_done
    cdef bint kraus
    cdef bint thorough
    cdef long long mark
    cdef int turn
    cdef int white
    cdef int black
    cdef int neutron
    cdef readonly long long nodes
    cdef long long next_check
    cdef long long node_limit
    cdef double deadline
    cdef object stop
    cdef volatile bint stopped

    cpdef int deepen(self, int depth, int alpha, int beta)
    @cython.locals(best=cython.int, index=cython.int, own=cython.int, enemy=cython.int, move=cython.int,
                   score=cython.int, at=cython.int)
    cdef int _root(self, int depth, int alpha, int beta) noexcept nogil
    @cython.locals(far=cython.int, to=cython.int)
    cdef int _child(self, int own, int enemy, int move, int depth, int alpha, int beta) noexcept nogil
    @cython.locals(key=cython.longlong, back=cython.int, index=cython.int, first=cython.int,
                   slot=cython.longlong, entry=cython.longlong, stored=cython.int, bound=cython.int,
                   at=cython.int, end=cython.int, best=cython.int, best_move=cython.int,
                   floor=cython.int, pick=cython.int, move=cython.int, score=cython.int,
                   moved=cython.int, to=cython.int, deep=cython.bint, reduced=cython.int, searched=cython.int)
    cdef int _node(self, int own, int enemy, int neutron, int side, int depth, int alpha, int beta, int ply) noexcept nogil
    @cython.locals(men=cython.int, targets=cython.int, bit=cython.int)
    cdef int _lost(self, int own, int enemy, int neutron, int ply) noexcept nogil
    @cython.locals(move=cython.int, rank=cython.int, moved=cython.int)
    cdef void _rank_turns(self, int at, int end, int own, int enemy, int side, int ply, int depth, int first) noexcept nogil
    @cython.locals(index=cython.int)
    cdef void _fade(self) noexcept nogil
    @cython.locals(neutron=cython.int, man=cython.int, index=cython.int)
    cdef void _reward(self, int move, int side, int ply, int depth) noexcept nogil
    @cython.locals(white=cython.longlong, black=cython.longlong, rest=cython.longlong)
    cdef long long _key(self, int own, int enemy, int neutron, int side) noexcept nogil
    @cython.locals(at=cython.longlong)
    cdef long long _find(self, long long key) noexcept nogil
    @cython.locals(at=cython.longlong, high=cython.longlong)
    cdef void _store(self, long long key, int score, int bound, int depth, int move, int ply) noexcept nogil
    @cython.locals(worth=cython.int, mixed=cython.longlong)
    cdef int _evaluate(self, int own, int enemy, int neutron, int side, long long key) noexcept nogil
    cdef void _check(self) noexcept nogil
    cdef void _poll(self) noexcept with gil
