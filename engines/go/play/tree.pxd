cimport cython
from libc.math cimport atan, exp, log, sqrt

from engines.go.rules.board cimport Board
from engines.go.play.worker cimport Root, Worker


cdef extern from "engines/go/play/tree.h" nogil:
    void go_acquire(volatile long *gate)
    void go_release(volatile long *gate)
    void go_yield()


cdef inline void acquire(long[::1] gate) noexcept nogil:
    go_acquire(<volatile long *> &gate[0])


cdef inline void release(long[::1] gate) noexcept nogil:
    go_release(<volatile long *> &gate[0])


cdef inline void give_way() noexcept nogil:
    go_yield()


cdef int _WIDEST, _FRESH, _BUSY, _OVER, _ROOT
cdef double _LEAD_WORTH, _LEAD, _SLOPE


@cython.final
cdef class Tree:
    cdef Root root
    cdef int capacity, room
    cdef readonly int nodes, edges
    cdef double lead_at_root
    cdef public double exploration
    cdef public double urgency
    cdef public long long visits_wanted
    cdef volatile bint halted
    cdef readonly bint full
    cdef readonly bint stopped
    cdef double deadline
    cdef object stop
    cdef object clock
    cdef long[::1] gate
    cdef int[::1] visits
    cdef int[::1] virtual
    cdef int[::1] first
    cdef int[::1] count
    cdef double[::1] value
    cdef double[::1] square
    cdef double[::1] wins
    cdef double[::1] leads
    cdef double[::1] spread
    cdef int[::1] move
    cdef float[::1] prior
    cdef int[::1] child
    cdef int[::1] banned
    cdef int deepest
    cdef double[::1] owned
    cdef double[::1] owned_square
    cdef float[::1] owned_behind
    cdef int[::1] owners_behind
    cdef double owners

    @cython.locals(count=cython.int, node=cython.int, lead=cython.double, share=cython.double)
    cdef void _work(self, Worker worker) noexcept nogil
    cdef bint _poll(self) noexcept with gil
    cpdef void work(self, Worker worker)
    @cython.locals(node=cython.int, edge=cython.int)
    cdef int _descend(self, Worker worker) noexcept nogil
    @cython.locals(i=cython.int, edge=cython.int, child=cython.int, best=cython.int, shut=cython.int, sign=cython.double,
                   total=cython.double, root=cython.double, mean=cython.double, mass=cython.double, fresh=cython.double,
                   worth=cython.double, most=cython.double, count=cython.double, waiting=cython.double)
    cdef int _choose(self, int node, int colour, int depth) noexcept nogil
    @cython.locals(node=cython.int)
    cdef int _new_node(self) noexcept nogil
    @cython.locals(i=cython.int)
    cdef void _retreat(self, Worker worker) noexcept nogil
    @cython.locals(i=cython.int, node=cython.int, utility=cython.double)
    cdef void _back_up(self, Worker worker, double win, double lead) noexcept nogil
    @cython.locals(area=cython.int, shut=cython.int, i=cython.int, j=cython.int, k=cython.int, point=cython.int, legal=cython.int, best=cython.int,
                   most=cython.float, total=cython.double, edge=cython.int, widest=cython.int, win=cython.double, lead=cython.double,
                   sign=cython.double, first=cython.int, owned=cython.double)
    cdef void _expand(self, Worker worker, int node) noexcept nogil
    @cython.locals(i=cython.int, old=cython.int, node=cython.int)
    cdef void _graft(self, Tree other, int top) noexcept nogil
    @cython.locals(i=cython.int, count=cython.double, area=cython.int, mean=cython.double)
    cdef void _inherit(self, Tree other, int move) noexcept nogil
