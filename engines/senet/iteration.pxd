cimport cython
from engines.senet.table cimport Table
from engines.senet.track cimport movable, moved, steps_of, throws_again

cdef int _PIPS

cdef class Iteration:
    cdef Table table
    cdef bint passing
    cdef bint over
    cdef long long[::1] _sets
    cdef long long[::1] _starts

    @cython.locals(
        total=cython.double, throws=cython.double, throw=cython.int, steps=cython.int,
        again=cython.int, men=cython.longlong, best=cython.double, after=cython.longlong,
        mine=cython.longlong, theirs=cython.longlong, chance=cython.double,
    )
    cdef double _value(self, long long own, long long enemy) noexcept nogil
    cpdef double level(self, int own, int enemy, int pips, int part, int parts)
    @cython.locals(
        largest=cython.double, mine=cython.int, theirs=cython.int, start=cython.longlong,
        end=cython.longlong, i=cython.longlong, j=cython.longlong, men=cython.longlong,
        others=cython.longlong, change=cython.double,
    )
    cdef double _level(self, int own, int enemy, int pips, int part, int parts) noexcept nogil
