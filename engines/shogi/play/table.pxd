cimport cython
# Where sets of squares do not compile, this must not either, for compiled and
# interpreted layers do not see each other's methods.
cimport engines.shogi.rules.native as bits

cdef long long LINE

cdef int SURE

cdef int move_in(long long entry) noexcept nogil
cdef int value_in(long long entry) noexcept nogil
cdef int depth_in(long long entry) noexcept nogil
cdef int bound_in(long long entry) noexcept nogil
cdef int age_in(long long entry) noexcept nogil
@cython.locals(score=cython.int)
cdef int score_in(long long entry, int ply) noexcept nogil
cdef int stored_score(int score, int ply) noexcept nogil

cdef class TranspositionTable:
    cdef long long[::1] words
    cdef long long first
    cdef long long mask
    cdef long long age
    cdef volatile bint stopped

    cdef void fetch(self, long long key) noexcept nogil
    @cython.locals(at=cython.longlong, end=cython.longlong, entry=cython.longlong)
    cdef long long probe(self, long long key) noexcept nogil
    @cython.locals(at=cython.longlong, end=cython.longlong, entry=cython.longlong,
                   place=cython.longlong, worst=cython.longlong, worth=cython.longlong)
    cdef void store(self, long long key, long long move, long long score, long long value,
                    long long depth, long long bound) noexcept nogil
    @cython.locals(at=cython.longlong, end=cython.longlong)
    cpdef void clear(self)
    @cython.locals(at=cython.longlong, end=cython.longlong, entry=cython.longlong, used=cython.int)
    cpdef int fullness(self)
    cpdef void halt(self)
    cpdef void release(self)
    cdef bint is_halted(self) noexcept nogil
