cimport cython

from engines.morris.rules.board cimport Points

cdef class Symmetries:
    cdef int[::1] ring
    @cython.locals(base=int, outer=Points, middle=Points, inner=Points)
    cdef Points _image(self, Points points, int number) noexcept nogil
    @cython.locals(
        outer=int, middle=int, inner=int, least=int, ties=int, number=int, base=int, one=int,
        two=int, three=int, image=int, best=int, chosen=int,
    )
    cdef int _choose(self, Points own, Points enemy) noexcept nogil
    cdef int _inverse(self, int number) noexcept nogil
    @cython.locals(image=int, shift=int, point=int, ring=int, at=int)
    cdef int _move(self, int move, int number) noexcept nogil
