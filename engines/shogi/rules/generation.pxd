cimport cython
cimport engines.shogi.rules.board as board
cimport engines.shogi.rules.native as bits
from engines.shogi.rules.board cimport Board
from engines.shogi.rules.native cimport squares

cdef class Generation(Board):
    cdef int[::1] moves
    cdef int room

    @cython.locals(us=cython.int, king=cython.int, enemy=squares, empty=squares,
                   goals=squares, drops=squares)
    cdef int generate(self, int end, int part) noexcept nogil
    @cython.locals(men=squares, own=squares, left=squares, start=cython.int, man=cython.int,
                   reached=squares, promoted=squares, plain=squares, pawns=squares, base=cython.int,
                   zone=squares, king=cython.int, us=cython.int)
    cdef int _board_moves(self, int end, squares goals, int part) noexcept nogil
    cdef int _emit(self, int end, squares reached, int base) noexcept nogil
    @cython.locals(reached=squares, to=cython.int, men=squares, king=cython.int, us=cython.int)
    cdef int _king_moves(self, int end, squares goals) noexcept nogil
    @cython.locals(us=cython.int, kind=cython.int, reached=squares, base=cython.int)
    cdef int _drops(self, int end, squares empty) noexcept nogil
    cdef squares _drop_goals(self, int kind, squares empty) noexcept nogil
    @cython.locals(pawns=squares, full=squares, to=cython.int, king=cython.int, us=cython.int)
    cdef squares _pawn_drops(self, squares empty) noexcept nogil
    @cython.locals(us=cython.int, king=cython.int, men=squares, pinned=squares, takers=squares,
                   at=cython.int, flights=squares)
    cdef bint _drop_mates(self, int to) noexcept nogil
    @cython.locals(us=cython.int, own=squares, men=squares, left=squares, start=cython.int,
                   man=cython.int, kind=cython.int, reached=squares, pawns=squares, total=cython.int,
                   goals=squares, drops=squares, king=cython.int, to=cython.int, zone=squares,
                   promoted=squares)
    cdef int count(self) noexcept nogil
    cdef bint has_move(self) noexcept nogil
    @cython.locals(us=cython.int, king=cython.int, to=cython.int, start=cython.int, kind=cython.int,
                   man=cython.int, goals=squares, drops=squares, men=squares)
    cdef bint is_legal(self, int move) noexcept nogil
    @cython.locals(us=cython.int, king=cython.int, their=cython.int, other=cython.int, men=squares,
                   empty=squares, shields=squares, goals=squares, gold=squares, diagonal=squares,
                   straight=squares, left=squares, start=cython.int, man=cython.int,
                   kind=cython.int, reached=squares, plain=squares, promoted=squares,
                   discovered=squares)
    cdef int generate_checks(self, int end) noexcept nogil
    @cython.locals(shields=squares, at=cython.int, kept=cython.int)
    cdef int _filter_checks(self, int base, int end) noexcept nogil
    @cython.locals(end=cython.int, at=cython.int, mates=cython.bint)
    cdef int mate_in_one(self, int base) noexcept nogil
