cimport cython

from engines.morris.rules.board cimport (
    Points, closers, count, double_closers, neighbours, removable
)
from engines.morris.tables.index cimport Index
from engines.morris.tables.lookup cimport Tables

cdef class Sweep:
    cdef Tables tables
    cdef Index index
    cdef int own_men
    cdef int enemy_men
    cdef readonly int classes
    cdef readonly int width
    cdef bint flying
    cdef bint doubles
    cdef unsigned char[::1] cells
    cdef unsigned char[::1] opposite
    cdef int[::1] subsets
    cdef readonly int opposite_classes
    cdef readonly int opposite_width
    cdef int[::1] opposite_subsets
    @cython.locals(place=int)
    cpdef begin(self, int start, int end)
    @cython.locals(place=int, decided=cython.longlong)
    cpdef long long retreat(self, int value, int start, int end)
    @cython.locals(place=int, decided=cython.longlong)
    cpdef long long advance(self, int layer, int start, int end)
    cpdef long long count(self, int value)
    @cython.locals(origins=int, still=cython.longlong)
    cpdef bint prefers_advance(self, long long wins)
    @cython.locals(total=cython.longlong, number=cython.longlong)
    cdef long long _open(self) noexcept nogil
    @cython.locals(total=cython.longlong, number=cython.longlong)
    cdef long long _occurrences(self, int value) noexcept nogil
    @cython.locals(
        leader=Points, base=cython.longlong, value=int, decided=cython.longlong, rank=int,
        enemy=Points,
    )
    cdef long long _advance(self, int place, int layer) noexcept nogil
    @cython.locals(place=int)
    cpdef complete(self, int start, int end)
    cdef Points _leader(self, int place) noexcept nogil
    cdef bint _has_twins(self, int place) noexcept nogil
    @cython.locals(
        leader=Points, twins=bint, base=cython.longlong, rank=int, enemy=Points, value=int
    )
    cdef void _begin(self, int place) noexcept nogil
    @cython.locals(
        free=Points, flies=bint, quiet=bint, captures=bint, escape=bint, prey=Points,
        rest=Points, man=Points, targets=Points, closing=Points, point=Points, worst=int,
    )
    cdef int _first(self, Points own, Points enemy) noexcept nogil
    @cython.locals(
        men=Points, twice=bint, best=int, victim=Points, left=Points, others=Points,
        other=Points, value=int,
    )
    cdef int _capture(self, Points rest, Points point, Points enemy, Points prey) noexcept nogil
    @cython.locals(
        leader=Points, base=cython.longlong, decided=cython.longlong, rank=int, enemy=Points
    )
    cdef long long _retreat(self, int place, int value) noexcept nogil
    @cython.locals(
        free=Points, flies=bint, further=int, decided=int, rest=Points, man=Points, before=Points,
        origins=Points, origin=Points, number=cython.longlong,
    )
    cdef int _undo(self, Points own, Points enemy, int lost, int layer) noexcept nogil
    @cython.locals(
        free=Points, flies=bint, rest=Points, man=Points, targets=Points, point=Points, value=int
    )
    cdef bint _is_lost(self, Points own, Points enemy, int layer) noexcept nogil
    @cython.locals(rest=Points, man=Points, targets=Points, point=Points)
    cdef bint _captures_lose(
        self, Points own, Points enemy, Points free, bint flies
    ) noexcept nogil
    @cython.locals(
        men=Points, twice=bint, prey=Points, victim=Points, left=Points, others=Points,
        other=Points, value=int,
    )
    cdef bint _escapes(self, Points rest, Points point, Points enemy) noexcept nogil
    @cython.locals(leader=Points, base=cython.longlong, rank=int, enemy=Points)
    cdef void _complete(self, int place) noexcept nogil
    @cython.locals(place=int)
    cdef _tally(self, long long[::1] counts, int start, int end)
    @cython.locals(
        leader=Points, twins=bint, base=cython.longlong, rank=int, value=int,
        enemy=Points,
    )
    cdef void _count(self, long long[::1] counts, int place) noexcept nogil
