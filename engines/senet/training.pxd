cimport cython
from engines.senet.lookahead cimport Lookahead
from engines.senet.net cimport Net
from engines.senet.track cimport count, movable, moved, rearmost, steps_of, throws_again

cdef class Trainer:
    cdef Net net
    cdef Lookahead lookahead
    cdef bint passing
    cdef bint over
    cdef long long _state

    cpdef double run(self, long long positions, double rate, double explore)
    cdef long long _random(self, long long below) noexcept nogil
    @cython.locals(placed=cython.longlong, man=cython.longlong)
    cdef long long _scatter(self, long long men, long long taken) noexcept nogil
    cdef long long _one(self) noexcept nogil
    @cython.locals(
        squares=cython.double, own=cython.longlong, enemy=cython.longlong, games=cython.longlong,
        error=cython.double, throw=cython.int, men=cython.longlong, again=cython.int,
        after=cython.longlong,
    )
    cdef double _run(self, long long positions, double rate, double explore) noexcept nogil
    @cython.locals(best=cython.double, chosen=cython.longlong, value=cython.double)
    cdef long long _choose(
        self, long long own, long long enemy, long long men, int throw, double explore
    ) noexcept nogil
