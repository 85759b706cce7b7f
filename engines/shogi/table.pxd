cimport cython
# Where sets of squares do not compile, this must not either, for compiled and
# interpreted layers do not see each other's methods.
cimport engines.shogi.native as bits

cdef long long LINE

cdef class Table:
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
