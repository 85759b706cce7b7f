cimport cython

cdef class Turns:
    cdef readonly int enemy
    cdef readonly int free
    cdef readonly long long block
    cdef long long[::1] choose
    cdef int[::1] masks
    cdef signed char[::1] members
    cdef int[::1] places
    cdef long long[::1] left
    cdef long long[::1] right
    cdef long long[::1] insert

    @cython.locals(start=cython.longlong, index=cython.longlong, mask=cython.longlong, lowest=cython.longlong, ripple=cython.longlong, low=cython.int, k=cython.int, number=cython.int, place=cython.int)
    cdef _make(self)
    @cython.locals(index=cython.longlong, men=cython.longlong, field=cython.longlong, inside=cython.longlong, turned=cython.longlong)
    cdef void _turn_left(self, long long start, int low, int k) noexcept nogil
    @cython.locals(index=cython.longlong, men=cython.longlong, field=cython.longlong, inside=cython.longlong, turned=cython.longlong)
    cdef void _turn_right(self, long long start, int low, int k) noexcept nogil
    @cython.locals(index=cython.longlong, men=cython.longlong, below=cython.longlong)
    cdef void _make_room(self, long long start, int low) noexcept nogil
    @cython.locals(rank=cython.longlong, number=cython.int, place=cython.int)
    cdef long long _rank(self, long long men) noexcept nogil
