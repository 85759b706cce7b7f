cimport cython

cdef class ChanceTable:
    cdef readonly str kind
    cdef readonly long long size
    cdef readonly object values
    cdef long long[::1] _bases
    cdef long long[::1] _blocks
    cdef int[::1] _counts
    cdef int[::1] _low
    cdef int[::1] _high
    cdef float[::1] _floats
    cdef unsigned short[::1] _shorts
    cdef bint _wide

    @cython.locals(index=cython.longlong)
    cdef _from_floats(self, long long base, float[::1] values)
    @cython.locals(index=cython.longlong)
    cdef _from_shorts(self, long long base, unsigned short[::1] values)
    @cython.locals(low=cython.int, number=cython.int, base=cython.longlong, rank=cython.longlong, below=cython.longlong)
    cdef long long _index(self, long long own, long long enemy) noexcept nogil
    cdef double _get(self, long long index) noexcept nogil
    @cython.locals(change=cython.double, before=cython.int, after=cython.int)
    cdef double _put(self, long long index, double value) noexcept nogil
    cdef double _chance(self, long long own, long long enemy) noexcept nogil
