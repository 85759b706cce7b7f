cimport cython
from engines.shogi.rules.board cimport Board

cdef class Evaluation:
    cdef public int height
    cdef void reset(self, Board men) noexcept nogil
    cdef void make(self, Board men, int move) noexcept nogil
    cdef void settle(self, Board men) noexcept nogil
    cdef void unmake(self) noexcept nogil
    cdef int value(self, Board men) noexcept nogil
