cimport cython
cimport engines.shogi.rules.board as board

cdef int NEVER
cdef int ALWAYS
cdef int UNKNOWN
cdef long long HAND_MIX, PLY_MIX, WHOLE

cdef class Proofs:
    cdef long long mask, loop_mask
    cdef long long[::1] keys, table, loops
    cdef int found_proof, found_disproof, found_plies
    cdef long long found_hand

    cpdef void clear(self)
    cdef bint at_least(self, long long more, long long less) noexcept nogil
    @cython.locals(result=cython.longlong, mask=cython.longlong, kind=cython.int)
    cdef long long union(self, long long one, long long other) noexcept nogil
    @cython.locals(slot=cython.longlong, at=cython.longlong, end=cython.longlong, held=cython.longlong,
                   numbers=cython.longlong, exact=cython.bint)
    cdef bint look(self, long long key, long long hand) noexcept nogil
    @cython.locals(proof=cython.longlong, hand=cython.longlong, slot=cython.longlong, at=cython.longlong,
                   end=cython.longlong, place=cython.longlong, least=cython.longlong)
    cdef void store(self, long long key, long long met, long long effort) noexcept nogil
    @cython.locals(mixed=cython.longlong)
    cdef long long code(self, long long line, long long key, long long hand, long long ply) noexcept nogil
    @cython.locals(at=cython.longlong)
    cdef int looped(self, long long code) noexcept nogil
    @cython.locals(at=cython.longlong)
    cdef void loop(self, long long code, int rests) noexcept nogil
