cimport cython

from engines.morris.board cimport Points

cdef class Symmetries:
    cdef int[::1] ring
    @cython.locals(base=int, outer=Points, middle=Points, inner=Points)
    cdef Points _image(self, Points points, int number) noexcept nogil
    @cython.locals(
        outer=int, middle=int, inner=int, least=int, ties=int, number=int, base=int, one=int,
        two=int, three=int, image=int, best=int, key=cython.longlong,
    )
    cdef long long _fold(self, Points own, Points enemy) noexcept nogil
