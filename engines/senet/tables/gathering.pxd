cimport cython
from engines.senet.tables.table cimport ChanceTable
from engines.senet.tables.turns cimport Turns

cdef int _BATCH
cdef int _SQUARES
cdef int _GROUP
cdef int _ROOM

@cython.final
cdef class GatheredRows:
    cdef ChanceTable table
    cdef readonly Turns turns
    cdef int own
    cdef int enemy
    cdef bint _wide
    cdef long long _width
    cdef long long _block
    cdef float[::1] _floats
    cdef unsigned short[::1] _shorts
    cdef readonly float[::1] values
    cdef long long[::1] _choose
    cdef long long[::1] _scratch
    cdef readonly int[::1] sets
    cdef readonly long long[::1] starts
    cdef int[::1] _slots
    cdef int[::1] _batched
    cdef long long[::1] _begins
    cdef signed char[::1] _members

    cdef _make(self)
    cdef _share(self, GatheredRows first)
    cpdef gather(self, int pips, int part, int parts)
    @cython.locals(slot=cython.longlong)
    cdef long long _start(self, long long men, int pips) noexcept nogil
    @cython.locals(index=cython.longlong, end=cython.longlong)
    cdef void _gather_batch(self, int batch, int part, int parts) noexcept nogil
    @cython.locals(k=cython.int, men=cython.longlong, first=cython.longlong, limit=cython.int, out=cython.longlong)
    cdef void _gather_group(self, long long index, int number) noexcept nogil
    @cython.locals(first=cython.longlong, end=cython.longlong, limit=cython.int)
    cdef void _gather(self, long long men, int own, float[::1] lines, long long out) noexcept nogil
    cdef int _stretch(self, long long first, int free) noexcept nogil
    @cython.locals(total=cython.int, place=cython.int)
    cdef int _pips(self, long long men) noexcept nogil
    @cython.locals(free=cython.int, own=cython.int, place=cython.int)
    cdef void _spread(self, int at, long long men) noexcept nogil
    @cython.locals(enemy=cython.int, block=cython.longlong, members=cython.longlong, row=cython.longlong, i=cython.int, place=cython.longlong, rank=cython.longlong, j=cython.int, here=cython.int, passed=cython.int, gap=cython.int, e=cython.int, index=cython.longlong)
    cdef void _fetch(self, int at, int own, long long first, int limit, float[::1] lines, long long out) noexcept nogil
