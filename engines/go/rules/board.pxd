cimport cython

cdef int _EMPTY, _BLACK, _WHITE, _WALL


@cython.final
cdef class Board:
    cdef readonly int width, height, stride, limit, area
    cdef readonly int free, ko, banned
    cdef public bint suicide
    cdef readonly long long hash
    cdef readonly int black_captured, white_captured
    cdef object buffer
    cdef object table
    cdef int[::1] memory
    cdef int[::1] cells
    cdef int[::1] chain
    cdef int[::1] following
    cdef int[::1] stones
    cdef int[::1] breaths
    cdef int[::1] sums
    cdef int[::1] squares
    cdef int[::1] empties
    cdef int[::1] slots
    cdef int[::1] marks
    cdef int[::1] points
    cdef int[::1] steps
    cdef long long[::1] keys
    cdef int stamp

    @cython.locals(point=cython.int, x=cython.int, y=cython.int)
    cpdef void clear(self) noexcept nogil
    cpdef int point(self, int index) noexcept nogil
    cpdef int index(self, int point) noexcept nogil
    cpdef int cell(self, int point) noexcept nogil
    cpdef bint is_legal(self, int point, int colour) noexcept nogil
    @cython.locals(after=cython.longlong, taken=cython.int, friends=cython.int, i=cython.int,
                   other=cython.int, kind=cython.int, head=cython.int)
    cpdef long long hash_after(self, int point, int colour) noexcept nogil
    @cython.locals(combined=cython.longlong, stone=cython.int)
    cdef long long _hash_of(self, int head) noexcept nogil
    @cython.locals(enemy=cython.int, i=cython.int, other=cython.int, kind=cython.int, head=cython.int,
                   count=cython.int, total=cython.int, squares=cython.int, taken=cython.int,
                   captured=cython.int, lost=cython.int)
    cpdef int play(self, int point, int colour) noexcept nogil
    @cython.locals(i=cython.int, move=cython.int, colour=cython.int)
    cpdef void play_all(self, int[::1] moves, int start, int count) noexcept nogil
    @cython.locals(stone=cython.int, swap=cython.int)
    cdef int _merge(self, int one, int two) noexcept nogil
    @cython.locals(stone=cython.int, i=cython.int, other=cython.int, kind=cython.int, head=cython.int, count=cython.int)
    cdef int _remove(self, int start) noexcept nogil
    @cython.locals(count=cython.longlong, total=cython.longlong)
    cdef bint _in_atari(self, int head) noexcept nogil
    @cython.locals(stone=cython.int, i=cython.int, other=cython.int, count=cython.int)
    cpdef int count_liberties(self, int point, int most) noexcept nogil
    cpdef void lift_ko(self) noexcept nogil
    cpdef void copy_from(self, Board other) noexcept nogil
