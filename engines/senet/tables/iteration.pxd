cimport cython
from engines.senet.tables.table cimport ChanceTable
from engines.senet.rules.track cimport movable, moved, steps_of, throws_again

cdef class Iteration:
    cdef ChanceTable table
    cdef bint passing
    cdef bint over

    @cython.locals(
        total=cython.double, throws=cython.double, throw=cython.int, steps=cython.int,
        again=cython.int, men=cython.longlong, best=cython.double, after=cython.longlong,
        mine=cython.longlong, theirs=cython.longlong, chance=cython.double,
    )
    cdef double _value(self, long long own, long long enemy) noexcept nogil
