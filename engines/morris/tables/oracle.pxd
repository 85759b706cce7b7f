cimport cython

from engines.morris.rules.board cimport Generator, Points, count
from engines.morris.tables.lookup cimport Tables

cdef int _FAR
cdef int _STRIDE
cdef int _NONE

cdef class Oracle:
    cdef readonly Tables tables
    cdef Generator generator
    cdef int most
    cdef int _value(self, Points own, Points enemy) noexcept nogil
    @cython.locals(mine=int, theirs=int, bits=int)
    cdef bint _has_distances(self, Points own, Points enemy) noexcept nogil
    @cython.locals(
        mine=int, theirs=int, value=int, end=int, best=int, unknown=bint, at=int, move=int,
        men=Points, plies=int, left=Points,
    )
    cdef int _look(self, Points own, Points enemy, int base) noexcept nogil
