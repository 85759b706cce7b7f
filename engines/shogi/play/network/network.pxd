cimport cython
from engines.shogi.play.evaluation cimport Evaluation
from engines.shogi.rules.board cimport Board

cdef extern from "engines/shogi/play/network/kernel.h" nogil:
    int shogi_level()
    void shogi_change(int level, short *to, const short *origin, const short *table,
                      const int *more, int mores, const int *less, int lesses)
    int shogi_value(int level, const short *own, const short *other, const signed char *first,
                    const int *first_offsets, const signed char *second, const int *second_offsets,
                    const short *last, int last_offset)

cdef int PLACED[32]
cdef int HELD[2][8][19]
cdef int STALE, RENEW, FRESH

cdef inline int best_level():
    return shogi_level()

cdef inline object numbers(object weights):
    return memoryview(weights)

# A view of a position has a row of 256 sums.
cdef inline void change_all(int level, const short[::1] table, const short[::1] offsets, short *sums, int row,
                            int *every, int count) noexcept nogil:
    shogi_change(level, sums + 256 * row, &offsets[0], &table[0], every, count, every, 0)

cdef inline void change(int level, const short[::1] table, short *sums, int row, int *more,
                        int mores, int *less, int lesses) noexcept nogil:
    shogi_change(level, sums + 256 * row, sums + 256 * (row - 2), &table[0],
                 more + 2 * row, mores, less + 2 * row, lesses)

cdef inline int value_of(Network net, short *sums, int row) noexcept nogil:
    return shogi_value(net.level, sums + 256 * row, sums + 256 * (row ^ 1), &net.first[0],
                       &net.first_offsets[0], &net.second[0], &net.second_offsets[0],
                       &net.last[0], net.last_offset)

cdef class Network:
    cdef readonly int level
    cdef const short[::1] table
    cdef const short[::1] offsets
    cdef const signed char[::1] first
    cdef const int[::1] first_offsets
    cdef const signed char[::1] second
    cdef const int[::1] second_offsets
    cdef const short[::1] last
    cdef int last_offset

cdef class NetworkEvaluation(Evaluation):
    cdef readonly Network network
    cdef short sums[66560]
    cdef int states[260]
    cdef int turned[260]
    cdef int more[520]
    cdef int less[520]
    cdef int mores[260]
    cdef int lesses[260]
    cdef int every[160]

    @cython.locals(view=cython.int)
    cdef void reset(self, Board men) noexcept nogil
    cdef int is_turned(self, int king, int view) noexcept nogil
    @cython.locals(at=cython.int)
    cdef int place(self, int man, int square, int view, int turned) noexcept nogil
    @cython.locals(turned=cython.int, count=cython.int, square=cython.int, at=cython.int,
                   side=cython.int, kind=cython.int, held=cython.int, row=cython.int)
    cdef void renew(self, Board men, int view) noexcept nogil
    @cython.locals(us=cython.int, to=cython.int, start=cython.int, taken=cython.int, man=cython.int,
                   after=cython.int, view=cython.int, row=cython.int, turned=cython.int,
                   kind=cython.int)
    cdef void make(self, Board men, int move) noexcept nogil
    cdef void add(self, int row, int at) noexcept nogil
    cdef void drop(self, int row, int at) noexcept nogil
    cdef void unmake(self) noexcept nogil
    @cython.locals(row=cython.int, first=cython.int)
    cdef void bring(self, Board men, int view) noexcept nogil
    cdef int value(self, Board men) noexcept nogil
