cimport cython


cdef extern from "engines/go/play/network/kernel.h" nogil:
    long go_work(int width, int height, int channels)
    int go_level()
    void go_run(const float *weights, int channels, int blocks, long pooled, const unsigned char *planes,
                const float *scalars, int width, int height, int level, float *work, float *out)


cdef inline long work_size(int width, int height, int channels) noexcept nogil:
    return go_work(width, height, channels)


cdef inline int best_level() noexcept nogil:
    return go_level()


cdef inline void run_net(float[::1] weights, int channels, int blocks, long pooled, unsigned char[::1] planes,
                         float[::1] scalars, int width, int height, int level, float[::1] work,
                         float[::1] out) noexcept nogil:
    go_run(&weights[0], channels, blocks, pooled, &planes[0], &scalars[0], width, height, level, &work[0], &out[0])


@cython.final
cdef class Evaluator:
    cdef readonly int width, height, area
    cdef int channels, blocks, level
    cdef long pooled
    cdef float[::1] weights
    cdef float[::1] work
    cdef unsigned char[::1] planes
    cdef float[::1] scalars
    cdef float[::1] out

    cpdef void run(self) noexcept nogil
    cpdef void put(self, const unsigned char[::1] planes, float[::1] scalars)
