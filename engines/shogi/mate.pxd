cimport cython
cimport engines.shogi.board as board
from engines.shogi.native cimport squares
from engines.shogi.position cimport Position

cdef long long NEVER
cdef int DEEPEST

cdef class Solver:
    cdef Position position
    cdef object clock
    cdef int attacker, countdown, doubtful
    cdef volatile bint stopped
    cdef public long long nodes
    cdef long long node_limit
    cdef long long mask
    cdef long long[::1] keys, hands, proofs, disproofs, efforts
    cdef long long[::1] child_keys, child_hands
    cdef int[::1] repeats
    cdef long long[::1] path_keys, path_hands
    cdef int[::1] relied
    cdef long long found_proof, found_disproof
    cdef int found_plies

    cdef void _poll(self) noexcept with gil
    cdef bint _halted(self) noexcept nogil
    cdef bint _at_least(self, long long now, long long then) noexcept nogil
    @cython.locals(at=cython.longlong)
    cdef int _drop_disproofs(self) except -1
    @cython.locals(at=cython.longlong, end=cython.longlong)
    cdef void _look(self, long long key, long long hand) noexcept nogil
    @cython.locals(at=cython.longlong, end=cython.longlong, place=cython.longlong,
                   least=cython.longlong)
    cdef void _store(self, long long key, long long hand, long long proof, long long disproof,
                     int plies, long long effort) noexcept nogil
    @cython.locals(at=cython.int)
    cdef int _repeats(self, long long key, long long hand, int ply) noexcept nogil
    @cython.locals(end=cython.int, at=cython.int, best=cython.int, key=cython.longlong,
                   hand=cython.longlong, proof=cython.longlong, disproof=cython.longlong,
                   first=cython.longlong, second=cython.longlong, total=cython.longlong,
                   dropped=cython.longlong, plies=cython.int, begun=cython.longlong,
                   checkers=squares, pinned=squares, best_proof=cython.longlong,
                   best_disproof=cython.longlong, child_proof=cython.longlong,
                   child_disproof=cython.longlong, wanted_proof=cython.longlong,
                   wanted_disproof=cython.longlong, move=cython.int, longest=cython.int,
                   shortest=cython.int, attacking=cython.bint)
    cdef void _expand(self, long long most_proof, long long most_disproof, int ply, int base) noexcept nogil
    cpdef bint _run(self)
