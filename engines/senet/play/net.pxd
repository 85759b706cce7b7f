cimport cython
from engines.senet.rules.track cimport count, movable, steps_of

cdef int _FEATURES
cdef Py_ssize_t _UNITS

cdef class Net:
    cdef float[::1] _weights
    cdef float[::1] _mine
    cdef float[::1] _hidden
    cdef float[::1] _slopes
    cdef int[::1] _active
    cdef int[::1] _square
    cdef Py_ssize_t _stride
    cdef Py_ssize_t _base
    cdef long long _own
    cdef int _owners
    cdef int _seen

    @cython.locals(pairs=cython.longlong, number=cython.int)
    cdef int _mark(self, long long men, int first, int slot) noexcept nogil
    @cython.locals(throw=cython.int, steps=cython.int, men=cython.longlong)
    cdef int _look(self, long long own, long long enemy, int first, int slot) noexcept nogil
    @cython.locals(number=cython.int, bias=cython.Py_ssize_t, unit=cython.Py_ssize_t, slot=cython.Py_ssize_t, row=cython.Py_ssize_t)
    cdef void _prepare(self, long long own, int enemies) noexcept nogil
    @cython.locals(
        active=cython.int, unit=cython.Py_ssize_t, slot=cython.Py_ssize_t, row=cython.Py_ssize_t,
        out=cython.Py_ssize_t, odds=cython.float,
    )
    cdef double _finish(self, long long enemy) noexcept nogil
    cdef double _evaluate(self, long long own, long long enemy) noexcept nogil
    @cython.locals(power=cython.double, _=cython.int)
    cdef double _squash(self, double odds) noexcept nogil
    @cython.locals(
        unit=cython.Py_ssize_t, slot=cython.Py_ssize_t, row=cython.Py_ssize_t, out=cython.Py_ssize_t,
        error=cython.double, step=cython.float,
    )
    cdef double _learn(self, long long own, long long enemy, double target, double rate) noexcept nogil
