cimport cython

cdef int _bits(unsigned long long word) noexcept nogil

cdef int _FULL
cdef int _ENDS
cdef int _NOWHERE
cdef int _BLOCKS
cdef int _FAR_WHITE
cdef int _FAR_BLACK
cdef int _NEVER
cdef unsigned long long _FIVES
cdef unsigned long long _THREES
cdef unsigned long long _NIBBLES
cdef unsigned long long _ONES

@cython.final
cdef class Board:
    cdef int[::1] index
    cdef int[::1] near
    cdef int[::1] wins
    cdef int[::1] ways
    cdef int[::1] row_shift
    cdef int[::1] column
    cdef int[::1] rising
    cdef int[::1] falling
    cdef int[::1] slides

    @cython.locals(wide=cython.longlong, at=cython.int)
    cpdef int destinations(self, int square, int occupied) noexcept nogil
    @cython.locals(at=cython.int, end=cython.int, target=cython.int)
    cpdef int stop_of(self, int square, int direction, int occupied) noexcept nogil
    @cython.locals(at=cython.int)
    cpdef bint can_win(self, int side, int neutron, int men) noexcept nogil
    @cython.locals(free=cython.int, man=cython.int)
    cpdef bint can_move(self, int men, int occupied) noexcept nogil
    @cython.locals(men=cython.int, targets=cython.int, bit=cython.int,
                   to=cython.int, half=cython.int)
    cpdef int legal_turns(self, int own, int enemy, int neutron, bint only_man, int[::1] moves, int count) noexcept nogil
    @cython.locals(occupied=cython.int, man=cython.int, start=cython.int, targets=cython.int,
                   bit=cython.int)
    cdef int _men_turns(self, int own, int men, int half, int neutron, int[::1] moves, int count) noexcept nogil
    @cython.locals(free=cython.longlong, left=cython.longlong, right=cython.longlong, total=cython.int)
    cpdef int count_men_moves(self, int own, int occupied) noexcept nogil
    cpdef int count_neutron_moves(self, int neutron, int men) noexcept nogil
    @cython.locals(men=cython.int, total=cython.int, targets=cython.int, bit=cython.int, halves=cython.int)
    cpdef int count_turns(self, int own, int enemy, int neutron, bint only_man) noexcept nogil
    @cython.locals(men=cython.int, neutrons=cython.int, bit=cython.int, to=cython.int, at=cython.int,
                   left=cython.int, middle=cython.int, right=cython.int, guarded=cython.int,
                   half=cython.int, last=cython.int, began=cython.int, rest=cython.int, man=cython.int,
                   others=cython.int, goals=cython.int, start=cython.int, goal=cython.int,
                   move=cython.int)
    cpdef int safe_turns(self, int own, int enemy, int neutron, int side, int[::1] moves, int count) noexcept nogil
    @cython.locals(men=cython.int, neutrons=cython.int, bit=cython.int, to=cython.int, at=cython.int,
                   left=cython.int, middle=cython.int, right=cython.int, guarded=cython.int,
                   rest=cython.int, man=cython.int, others=cython.int, goals=cython.int)
    cpdef bint can_answer(self, int own, int enemy, int neutron, int side) noexcept nogil
    @cython.locals(gap=cython.int, man=cython.int, start=cython.int, neutrons=cython.int, bit=cython.int,
                   half=cython.int)
    cpdef int filling_turn(self, int own, int enemy, int neutron, int side) noexcept nogil
