cimport cython
from engines.senet.rules.track cimport (
    count, foremost, movable, moved, rearmost, square_of, steps_of, throws_again
)

cdef class SenetPosition:
    cdef readonly long long first
    cdef readonly long long second
    cdef readonly int thrower
    cdef readonly int throw
    cdef readonly int forced
    cdef readonly int passing
    cdef readonly int over
    cdef public list _past

    @cython.locals(men=cython.longlong)
    cdef long long _sources(self, int throw) noexcept nogil
    cpdef play(self, int move)
    @cython.locals(after=cython.longlong)
    cdef void _make(self, int move) noexcept nogil
    cdef long long _bit(self, int square) noexcept nogil
    cdef void _restore(self, long long key) noexcept nogil
    @cython.locals(key=cython.longlong)
    cdef long long _key(self) noexcept nogil
    cdef long long _high(self, long long value, int places) noexcept nogil
    cpdef long long perft(self, int depth)
    @cython.locals(key=cython.longlong, total=cython.longlong, men=cython.longlong, throw=cython.int)
    cdef long long _perft(self, int depth) noexcept nogil
    cpdef long long play_out(self, long long games, long long seed)
    @cython.locals(
        state=cython.longlong, wins=cython.longlong, own=cython.longlong, enemy=cython.longlong,
        side=cython.int, throw=cython.int, forced=cython.int, men=cython.longlong,
        again=cython.int, after=cython.longlong, _=cython.longlong,
    )
    cdef long long _play_out(self, long long games, long long seed) noexcept nogil
