cimport cython

from engines.morris.rules.board cimport Points, count
from engines.morris.rules.symmetry cimport Symmetries

cdef class Index:
    cdef Symmetries symmetries
    cdef int[::1] low
    cdef int[::1] high
    cdef int[::1] squeezed
    cdef int[::1] spread
    cdef int[::1] ways
    cdef int[::1] number_starts
    cdef int[::1] leader_starts
    cdef int[::1] class_counts
    cdef int[::1] numbers
    cdef int[::1] leaders
    cdef int[::1] fixing
    @cython.locals(
        numbers=int, leaders=int, classes=int, men=Points, at=int, fixing=int, number=int,
        image=Points, place=int, back=int, lowest=Points, ripple=Points,
    )
    cdef int _classify(self, int size) noexcept nogil
    @cython.locals(half=Points)
    cdef int _rank(self, Points points) noexcept nogil
    @cython.locals(first=Points, second=Points, shift=int)
    cdef Points _squeeze(self, Points leader, Points enemy) noexcept nogil
    @cython.locals(first=Points, second=Points, shift=int, wide=Points)
    cdef Points _widen(self, Points leader, Points points) noexcept nogil
    @cython.locals(size=int, entry=int, place=int, leader=Points, image=Points, first=cython.longlong)
    cdef long long _find(self, Points own, Points enemy) noexcept nogil
    @cython.locals(
        size=int, entry=int, place=int, leader=Points, image=Points, first=cython.longlong,
        fixing=int, best=int, number=int, rank=int,
    )
    cdef long long _least(self, Points own, Points enemy) noexcept nogil
