cimport cython

from engines.morris.rules.board cimport Points, count
from engines.morris.tables.index cimport Index

cdef class Tables:
    cdef readonly Index index
    cdef list held
    cdef int bits[100]
    cdef const unsigned char* cells[100]
    @cython.locals(at=int)
    cpdef hold(self, int own, int enemy, str kind, const unsigned char[::1] cells)
    @cython.locals(at=int, number=cython.longlong, value=int)
    cdef int _value(self, Points own, Points enemy) noexcept nogil
    @cython.locals(men=int, others=int, bits=int, number=cython.longlong, lost=int)
    cdef int _probe(self, Points own, Points enemy) noexcept nogil
