cimport cython
cimport engines.shogi.rules.native as bits
from engines.shogi.rules.native cimport squares

cdef squares ALL, RANK9, CARRY
cdef squares SQUARE[81]
cdef squares FROM[81]
cdef squares STEP[32][81]
cdef squares RAY[8][81]
cdef squares ROOK_RAYS[81]
cdef squares BISHOP_RAYS[81]
cdef squares FILE_ATTACKS[9][128]
cdef squares BETWEEN[81][81]
cdef squares LINE[81][81]
cdef squares ZONE[2]
cdef squares DEAD[2][16]
cdef long long MAN_KEY[32][81]
cdef long long HAND_KEY[2][8][19]
cdef long long TURN_KEY
cdef int VALUE[16]
cdef int EXCHANGE[16]
cdef long long HAND_UNIT[8]
cdef long long HAND_GUARD

@cython.locals(along=squares, met=squares, down=squares)
cdef squares rank_attacks(int square, squares men) noexcept nogil
@cython.locals(along=squares, met=squares, reached=squares)
cdef squares bishop_attacks(int square, squares men) noexcept nogil
@cython.locals(shift=cython.int)
cdef squares file_attacks(int square, squares men) noexcept nogil
cdef squares rook_attacks(int square, squares men) noexcept nogil
@cython.locals(kind=cython.int)
cdef squares attacks(int man, int square, squares men) noexcept nogil

cdef class Board:
    cdef public int turn
    cdef public int ply
    cdef int height
    cdef int cells[81]
    cdef squares kinds[16]
    cdef squares sides[2]
    cdef int hands[2][8]
    cdef int kings[2]
    cdef long long board_key, hand_key, black_counts
    cdef squares checkers, pinned
    cdef readonly int capacity
    cdef int[::1] past_moves, past_taken, past_checks
    cdef long long[::1] past_boards, past_hands, past_counts

    cdef squares golds(self) noexcept nogil
    @cython.locals(own=squares, attackers=squares, lines=squares, other=cython.int)
    cdef squares attackers(self, int square, int side, squares men) noexcept nogil
    @cython.locals(own=squares, lines=squares, other=cython.int)
    cdef bint attacked(self, int square, int side, squares men) noexcept nogil
    @cython.locals(king=cython.int, other=cython.int, at=cython.int, enemy=squares, men=squares,
                   snipers=squares, way=squares)
    cdef void survey(self) noexcept nogil
    @cython.locals(king=cython.int, at=cython.int, men=squares,
                   snipers=squares, way=squares, shields=squares)
    cdef squares shields(self, int side, int king_side) noexcept nogil
    cdef squares snipers(self, int king, int side) noexcept nogil
    @cython.locals(height=cython.int, us=cython.int, to=cython.int, start=cython.int,
                   kind=cython.int, man=cython.int, taken=cython.int, held=cython.int,
                   key=cython.longlong)
    cdef void make(self, int move) noexcept nogil
    @cython.locals(height=cython.int, us=cython.int, to=cython.int, start=cython.int,
                   kind=cython.int, man=cython.int, taken=cython.int, move=cython.int)
    cdef void unmake(self) noexcept nogil
    @cython.locals(to=cython.int, start=cython.int, king=cython.int, man=cython.int, us=cython.int)
    cdef bint checks(self, int move, squares shields) noexcept nogil
    @cython.locals(to=cython.int, start=cython.int, side=cython.int, us=cython.int,
                   gain=cython.int, stake=cython.int, at=cython.int, kind=cython.int,
                   men=squares, left=squares, mine=squares, result=cython.int)
    cdef bint wins(self, int move, int threshold) noexcept nogil
