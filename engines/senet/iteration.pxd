cimport cython
from engines.senet.table cimport Table
from engines.senet.track cimport movable, moved, steps_of, throws_again

cdef class Iteration:
    cdef Table table
    cdef bint passing
    cdef bint over

    @cython.locals(
        total=cython.double, throws=cython.double, throw=cython.int, steps=cython.int,
        again=cython.int, men=cython.longlong, best=cython.double, after=cython.longlong,
        mine=cython.longlong, theirs=cython.longlong, chance=cython.double,
    )
    cdef double _value(self, long long own, long long enemy) noexcept nogil
