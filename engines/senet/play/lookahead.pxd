cimport cython
from engines.senet.play.net cimport Net
from engines.senet.tables.table cimport ChanceTable
from engines.senet.rules.track cimport movable, moved, steps_of, throws_again

cdef int _INTERVAL
cdef int _SLOTS

cdef class Lookahead:
    cdef readonly Net net
    cdef readonly ChanceTable table
    cdef readonly bint passing
    cdef readonly bint over
    cdef long long[::1] _keys
    cdef double[::1] _values
    cdef public bint _caching
    cdef long long _nodes
    cdef long long _due
    cdef long long _most
    cdef bint _guessed
    cdef bint _halted
    cdef double _deadline
    cdef object _stop

    cpdef double after(self, long long own, long long enemy, long long man, int throw, int depth)
    cpdef double expect(self, long long own, long long enemy, int depth)
    @cython.locals(after=cython.longlong)
    cdef double _after(
        self, long long own, long long enemy, long long man, int throw, int depth
    ) noexcept nogil
    @cython.locals(
        index=cython.longlong, key=cython.longlong, slot=cython.longlong, total=cython.double
    )
    cdef double _expect(self, long long own, long long enemy, int depth) noexcept nogil
    cdef long long _one(self) noexcept nogil
    cdef double _guess(self, long long own, long long enemy) noexcept nogil
    @cython.locals(
        total=cython.double, throws=cython.double, throw=cython.int, men=cython.longlong,
        best=cython.double, value=cython.double,
    )
    cdef double _mean(self, long long own, long long enemy, int depth) noexcept nogil
    cdef void _poll(self) noexcept with gil
