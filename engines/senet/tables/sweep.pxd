cimport cython
from engines.senet.tables.gathering cimport GatheredRows
from engines.senet.play.net cimport Net
from engines.senet.tables.table cimport ChanceTable
from engines.senet.rules.track cimport moved, steps_of, throws_again
from engines.senet.tables.turns cimport Turns

cdef int _CHUNK
cdef int _STORED
cdef int _ROWS
cdef int _CERTAIN
cdef int _GATHERED

@cython.final
cdef class Sweep:
    cdef ChanceTable table
    cdef Turns _turns
    cdef readonly GatheredRows _source
    cdef readonly int own
    cdef readonly int enemy
    cdef readonly int most
    cdef bint passing
    cdef bint over
    cdef int _free
    cdef long long _block
    cdef bint _wide
    cdef float _top
    cdef float[::1] _floats
    cdef unsigned short[::1] _shorts
    cdef long long[::1] _choose
    cdef long long[::1] _scratch
    cdef long long[::1] _moves
    cdef int _listed
    cdef long long _next_row
    cdef long long _next_wider
    cdef float[::1] _best
    cdef float[::1] _total
    cdef float[::1] _throws
    cdef float[::1] _rows
    cdef float[::1] _gathered
    cdef int[::1] _sets
    cdef long long[::1] _starts
    cdef int[::1] _masks
    cdef signed char[::1] _members
    cdef int[::1] _places
    cdef long long[::1] _left
    cdef long long[::1] _right
    cdef long long[::1] _insert

    @cython.locals(index=cython.longlong, end=cython.longlong, men=cython.longlong, own=cython.longlong, base=cython.longlong, e=cython.longlong, value=cython.float)
    cdef void _guess(self, Net net, int part, int parts) noexcept nogil
    @cython.locals(enemy=cython.longlong, i=cython.int, place=cython.longlong)
    cdef long long _enemy_set(self, long long number) noexcept nogil
    @cython.locals(number=cython.int, base=cython.longlong)
    cdef long long _base(self, long long men, int own, int enemy) noexcept nogil
    @cython.locals(free=cython.int, place=cython.int)
    cdef void _list_free(self, long long men) noexcept nogil
    @cython.locals(number=cython.int)
    cdef int _count_below(self, long long men, int place) noexcept nogil
    @cython.locals(at=cython.int)
    cdef void _add(self, int kind, long long start, long long places, long long man, long long neighbours, long long closed) noexcept nogil
    cpdef guess(self, Net net, int part, int parts)
    cpdef gather(self, int pips, int part, int parts)
    cpdef double level(self, int pips, int part, int parts)
    @cython.locals(largest=cython.float, index=cython.longlong, change=cython.float)
    cdef double _level(self, int pips, int part, int parts) noexcept nogil
    @cython.locals(base=cython.longlong, largest=cython.float, first=cython.longlong, number=cython.longlong, change=cython.float)
    cdef float _row(self, long long men, int pips) noexcept nogil
    @cython.locals(throw=cython.int, steps=cython.int, again=cython.int, place=cython.int)
    cdef void _list_moves(self, long long men, int pips) noexcept nogil
    @cython.locals(target=cython.int, low=cython.int)
    cdef void _list_move(self, long long men, int pips, int place, int steps, int again) noexcept nogil
    @cython.locals(start=cython.longlong)
    cdef void _list_exit(self, long long rest, int low, int again) noexcept nogil
    @cython.locals(house=cython.int, here=cython.int, turn=cython.longlong, after=cython.longlong, start=cython.longlong)
    cdef void _list_fall(self, long long men, int place, int low, int again) noexcept nogil
    @cython.locals(here=cython.int, neighbours=cython.longlong, after=cython.longlong, turn=cython.longlong, start=cython.longlong)
    cdef void _list_step(self, long long men, int pips, int place, int low, int goal, int again) noexcept nogil
    @cython.locals(e=cython.longlong, throw=cython.int, move=cython.int, passes=cython.bint, largest=cython.float, value=cython.float, change=cython.float, after=cython.int)
    cdef float _improve(self, long long men, long long base, long long first, long long number) noexcept nogil
    @cython.locals(kind=cython.int, start=cython.longlong, places=cython.longlong, man=cython.int, neighbours=cython.int, closed=cython.int, top=cython.float, lower=cython.float, e=cython.longlong, others=cython.int, value=cython.float, blocked=cython.int)
    cdef void _raise(self, int move, long long first, long long number) noexcept nogil
    @cython.locals(value=cython.float)
    cdef float _value(self, int kind, long long index) noexcept nogil
    @cython.locals(closed=cython.longlong, man=cython.longlong, steps=cython.int, again=cython.int, own=cython.longlong, e=cython.longlong, others=cython.longlong, after=cython.longlong, mine=cython.longlong, theirs=cython.longlong, index=cython.longlong, value=cython.float)
    cdef void _spring(self, long long men, int move, int throw, long long first, long long number) noexcept nogil
