cimport cython

@cython.final
cdef class Evaluation:
    cdef int[::1] digits
    cdef short[::1] weights

    @cython.locals(at=cython.int, wide=cython.longlong, other=cython.longlong, total=cython.int,
                   line=cython.int)
    cpdef int evaluate(self, int own, int enemy, int neutron, int side) noexcept nogil
