cimport cython
from engines.neutron.rules.board cimport Board

cdef int _GOES_ON
cdef int _BOTH
cdef int _NOWHERE
cdef int _ENDS
cdef int _MOST_MOVES
cdef int _MOST_TURNS
cdef unsigned long long _FACTOR
cdef unsigned long long _MASK

@cython.final
cdef class Position:
    cdef Board board
    cdef readonly int white
    cdef readonly int black
    cdef readonly int neutron
    cdef readonly int turn
    cdef readonly bint only_man
    cdef readonly bint kraus
    cdef list past
    cdef int[::1] buffer

    cpdef int ending(self)
    @cython.locals(own=cython.int, enemy=cython.int)
    cpdef long long perft(self, int depth)
    @cython.locals(black=cython.longlong, neutron=cython.longlong, rest=cython.longlong)
    cpdef long long key(self)
    @cython.locals(men=cython.int)
    cdef int _ending(self, int white, int black, int neutron, int turn, bint only_man) noexcept nogil
    @cython.locals(men=cython.int, total=cython.longlong, targets=cython.int, bit=cython.int)
    cdef long long _neutron_halves(self, int own, int enemy, int neutron, int turn, int depth) noexcept nogil
    @cython.locals(occupied=cython.int, men=cython.int, man=cython.int, targets=cython.int,
                   bit=cython.int, moved=cython.int, total=cython.longlong)
    cdef long long _men_halves(self, int own, int enemy, int neutron, int turn, int depth) noexcept nogil
    @cython.locals(own=cython.int, enemy=cython.int, at=cython.int, end=cython.int, move=cython.int,
                   own_moved=cython.int, to=cython.int, first=cython.int, second=cython.int,
                   total=cython.longlong)
    cdef long long _turns(self, int white, int black, int neutron, int turn, bint only_man, int depth) noexcept nogil
    cpdef int play_out(self, long long seed)
    cpdef long long play_games(self, long long number)
    @cython.locals(won=cython.longlong, seed=cython.longlong)
    cdef long long _play_games(self, long long number) noexcept nogil
    @cython.locals(own=cython.int, enemy=cython.int, neutron=cython.int, turn=cython.int,
                   only_man=cython.bint, _=cython.int, men=cython.int, targets=cython.int,
                   bit=cython.int, draw=cython.int, rest=cython.int, start=cython.int,
                   stop=cython.int)
    cdef int _play_out(self, unsigned long long state) noexcept nogil
    @cython.locals(total=cython.int, rest=cython.int, bit=cython.int, left=cython.int)
    cdef int _draw_neutron(self, int own, int men, int targets, unsigned long long number) noexcept nogil
    cdef int _weigh(self, int own, int men, int bit) noexcept nogil
