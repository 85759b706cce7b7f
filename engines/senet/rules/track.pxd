cimport cython

cpdef int steps_of(int throw) noexcept nogil
cpdef int throws_again(int throw) noexcept nogil
@cython.locals(targets=cython.longlong, closed=cython.longlong, legal=cython.longlong)
cpdef long long movable(long long own, long long enemy, int steps, bint over) noexcept nogil
@cython.locals(target=cython.longlong, taken=cython.longlong)
cpdef long long moved(long long own, long long enemy, long long man, int steps) noexcept nogil
@cython.locals(total=cython.int)
cpdef int count(long long men) noexcept nogil
@cython.locals(square=cython.int)
cpdef int square_of(long long man) noexcept nogil
cpdef long long rearmost(long long men, int number) noexcept nogil
cpdef long long foremost(long long men) noexcept nogil
