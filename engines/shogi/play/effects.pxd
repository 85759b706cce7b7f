cimport cython
cimport engines.shogi.rules.native as bits
from engines.shogi.rules.board cimport Board
from engines.shogi.play.evaluation cimport Evaluation
from engines.shogi.rules.native cimport squares

cdef short ABOUT[2][3][5][256]
cdef short ALONG[9][256]
cdef long long SPREAD[512]

@cython.locals(weights="short[::1]", file=cython.int, rank=cython.int, along=cython.int,
               marks=cython.int, black=cython.int, white=cython.int, files=cython.int,
               ranks=cython.int, place=cython.int, one=cython.longlong)
cpdef int fill_effects(weights, int at) except -1
@cython.locals(black=cython.int, white=cython.int, own=cython.int, man=cython.int)
cdef int _state(int marks, int side) noexcept nogil

cdef class Effects(Evaluation):
    cdef long long fights[9]
    cdef long long stands[9]
    @cython.locals(kings=squares, low=squares, high=squares, total=cython.int, file=cython.int,
                   rank=cython.int, fights=cython.longlong, stands=cython.longlong)
    cdef int balance(self, Board men, int black, int white, squares black_once, squares black_again,
                     squares white_once, squares white_again) noexcept nogil
    @cython.cdivision(True)
    @cython.locals(total=cython.int, file=cython.int, rank=cython.int, first=cython.int,
                   last=cython.int, at=cython.int, aside=cython.int, step=cython.int,
                   fights=cython.longlong, stands=cython.longlong)
    cdef int about(self, int side, int king) noexcept nogil
