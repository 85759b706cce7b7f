cimport cython
from engines.neutron.rules.board cimport Board

cdef int _NOWHERE
cdef int _MOST_MOVES
cdef int _MIDDLE
cdef int _HOME
cdef int _FAR
cdef int _UNREAD
cdef int _GROUP

cdef class Retrograde:
    cdef Board board
    cdef readonly int men
    cdef readonly bint kraus
    cdef readonly int[::1] words
    cdef int _number
    cdef long long _block
    cdef int _half
    cdef int[::1] _low
    cdef int[::1] _high
    cdef int[::1] _wide_low
    cdef int[::1] _wide_high
    cdef int[::1] _rows
    cdef int[::1] _row_of
    cdef int[::1] _sets
    cdef int _groups
    cdef int _many
    cdef int _few
    cdef readonly object changes
    cdef readonly object marks
    cdef int[::1] _changes
    cdef signed char[::1] _marks
    cdef signed char[::1] _todo
    cdef int _mover
    cdef int[::1] _line
    cdef long long[::1] _places
    cdef int[::1] _free
    cdef int[::1] _place
    cdef int[::1] _there
    cdef int[::1] _middle
    cdef int[::1] _rays
    cdef int[::1] _lengths
    cdef int[::1] _moves

    @cython.locals(word=cython.int)
    cpdef int value(self, int own, int enemy, int neutron)
    cpdef int sweep(self, int first, int last)
    @cython.locals(wins=cython.longlong, losses=cython.longlong, enemy=cython.int, rank=cython.longlong, own=cython.int, empty=cython.int, word=cython.int)
    cdef _count_row(self, long long row, int[::1] bits)
    @cython.final
    @cython.locals(changed=cython.int, row=cython.int)
    cdef int _sweep(self, int first, int last) noexcept nogil
    @cython.final
    @cython.locals(number=cython.int, square=cython.int, place=cython.int, direction=cython.int, length=cython.int, target=cython.int)
    cdef void _survey(self, int enemy) noexcept nogil
    @cython.final
    @cython.locals(man=cython.int, squares=cython.int)
    cdef int _spread(self, int men) noexcept nogil
    @cython.final
    @cython.locals(known=cython.int, first=cython.longlong, group=cython.int, enemy=cython.int, base=cython.longlong, changed=cython.int, men=cython.int, index=cython.int, last=cython.int, word=cython.int, own=cython.int, open_=cython.int, after=cython.int)
    cdef int _improve(self, int row) noexcept nogil
    @cython.final
    @cython.locals(index=cython.int, men=cython.int)
    cdef void _gather(self) noexcept nogil
    @cython.final
    @cython.locals(rank=cython.int, after=cython.int, word=cython.int)
    cdef inline int _after(self, int men) noexcept nogil
    @cython.final
    @cython.locals(men=cython.int, still=cython.int, row=cython.int, target=cython.int, neutrons=cython.int)
    cdef void _mark(self, int own, int enemy, int fresh) noexcept nogil
    @cython.final
    @cython.locals(first=cython.longlong, number=cython.int, after=cython.int, square=cython.int, occupied=cython.int, man=cython.int, at=cython.int, others=cython.int, direction=cython.int, ahead=cython.int, able=cython.int, back=cython.int, step=cython.int, start=cython.int, before=cython.int)
    cdef void _mark_in(self, int target, int still, int men, int neutrons) noexcept nogil
    @cython.final
    @cython.locals(occupied=cython.int, needed=cython.int, count=cython.int, rest=cython.int, bit=cython.int, ends=cython.int, good=cython.int, fair=cython.int, able=cython.int, left=cython.int, man=cython.int, at=cython.int, others=cython.int, direction=cython.int, length=cython.int, path=cython.int, step=cython.int, place=cython.int, neutron=cython.int, after=cython.int, before=cython.int, bad=cython.int)
    cdef int _decide(self, int men, int own, int enemy, int word, int open_) noexcept nogil
    @cython.final
    @cython.locals(low=cython.int)
    cdef inline int _rank(self, int men) noexcept nogil
    @cython.final
    @cython.locals(low=cython.int)
    cdef int _wide_rank(self, int men) noexcept nogil
    @cython.final
    cdef int _word(self, int own, int enemy) noexcept nogil
    @cython.final
    @cython.locals(row=cython.longlong, below=cython.int)
    cdef long long _find(self, int own, int enemy) noexcept nogil
    @cython.final
    @cython.locals(word=cython.int)
    cdef int _read(self, long long place) noexcept nogil
    @cython.final
    @cython.locals(best=cython.int, count=cython.int, number=cython.int, move=cython.int, to=cython.int, value=cython.int, moved=cython.int, word=cython.int)
    cdef int _expected(self, int own, int enemy, int neutron) noexcept nogil

cdef int _flip(int men) noexcept nogil
cdef int _upside_down(int word) noexcept nogil
cdef int _mirrored(int men) noexcept nogil
