cimport cython
from engines.go.rules.board cimport Board
from engines.go.play.network.ladder cimport Ladder
from engines.go.rules.life cimport Life

cdef int _EMPTY, _PLANES, _RECENT, _ON_BOARD, _OWN, _ENEMY, _LIBERTIES, _KO, _MOVES, _DOOMED, _CATCHES, _OWN_ALIVE, _ENEMY_ALIVE


@cython.final
cdef class Features:
    cdef readonly Ladder ladder
    cdef readonly Life life
    cdef int[::1] recent
    cdef int[::1] liberties
    cdef int[::1] doomed

    cpdef void remember(self, int back, int point) noexcept nogil
    @cython.locals(i=cython.int, p=cython.int, area=cython.int, cell=cython.int, head=cython.int, count=cython.int, enemy=cython.int,
                   back=cython.int)
    cpdef void fill(self, Board board, int colour, unsigned char[::1] planes, int start) noexcept nogil
    @cython.locals(back=cython.int)
    cpdef void replay(self, Board board, int[::1] moves, int start, int count, unsigned char[::1] planes, int place) noexcept nogil
    @cython.locals(i=cython.int, j=cython.int, p=cython.int, liberty=cython.int, stone=cython.int,
                   one=cython.int, two=cython.int, area=cython.int)
    cdef void _read_ladders(self, Board board, int colour, unsigned char[::1] planes, int start) noexcept nogil
