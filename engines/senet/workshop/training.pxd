cimport cython
from engines.senet.play.lookahead cimport Lookahead
from engines.senet.play.net cimport Net
from engines.senet.tables.table cimport ChanceTable
from engines.senet.rules.track cimport count, movable, moved, rearmost, steps_of, throws_again

cdef class Trainer:
    cdef Net net
    cdef Lookahead lookahead
    cdef bint passing
    cdef bint over
    cdef long long _state
    cdef long long _own
    cdef long long _enemy
    cdef long long _games

    cpdef double run(self, long long positions, double rate, double explore)
    @cython.locals(index=cython.Py_ssize_t)
    cpdef scatter(self, long long men, long long others, long long[::1] owns, long long[::1] enemies)
    @cython.locals(index=cython.Py_ssize_t, squares=cython.double, own=cython.longlong, enemy=cython.longlong, error=cython.double)
    cdef double _teach(self, ChanceTable table, long long[::1] owns, long long[::1] enemies, double rate) noexcept nogil
    @cython.locals(index=cython.Py_ssize_t, squares=cython.double, own=cython.longlong, enemy=cython.longlong, error=cython.double)
    cdef double _foresee(self, long long[::1] owns, long long[::1] enemies, double rate) noexcept nogil
    @cython.locals(index=cython.Py_ssize_t)
    cdef void _wander(self, long long[::1] owns, long long[::1] enemies, double explore) noexcept nogil
    cdef long long _random(self, long long below) noexcept nogil
    @cython.locals(placed=cython.longlong, man=cython.longlong)
    cdef long long _scatter(self, long long men, long long taken) noexcept nogil
    cdef long long _one(self) noexcept nogil
    @cython.locals(
        squares=cython.double, own=cython.longlong, enemy=cython.longlong, error=cython.double, _=cython.longlong,
    )
    cdef double _run(self, long long positions, double rate, double explore) noexcept nogil
    cdef void _begin(self) noexcept nogil
    @cython.locals(
        own=cython.longlong, enemy=cython.longlong, throw=cython.int, men=cython.longlong, again=cython.int,
        after=cython.longlong,
    )
    cdef void _advance(self, double explore) noexcept nogil
    @cython.locals(best=cython.double, chosen=cython.longlong, value=cython.double)
    cdef long long _choose(
        self, long long own, long long enemy, long long men, int throw, double explore
    ) noexcept nogil
