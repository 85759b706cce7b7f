from engines.shogi.play.evaluation cimport Evaluation
from engines.shogi.play.fitted cimport Fitted
from engines.shogi.play.network.network cimport NetworkEvaluation
from engines.shogi.rules.board cimport Board

cdef class Mixed(Evaluation):
    cdef Fitted fitted
    cdef NetworkEvaluation network
    cdef void reset(self, Board men) noexcept nogil
    cdef void make(self, Board men, int move) noexcept nogil
    cdef void settle(self, Board men) noexcept nogil
    cdef void unmake(self) noexcept nogil
    cdef int value(self, Board men) noexcept nogil
