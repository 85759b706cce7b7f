cimport cython
from libc.math cimport atan, exp, floor, log, sqrt

from engines.go.board cimport Board
from engines.go.features cimport Features
from engines.go.network cimport Evaluator


cdef extern from "engines/go/tree.h" nogil:
    void go_acquire(volatile long *gate)
    void go_release(volatile long *gate)
    void go_yield()


cdef inline void acquire(long[::1] gate) noexcept nogil:
    go_acquire(<volatile long *> &gate[0])


cdef inline void release(long[::1] gate) noexcept nogil:
    go_release(<volatile long *> &gate[0])


cdef inline void give_way() noexcept nogil:
    go_yield()


cdef int _EMPTY, _WALL, _WIDEST, _DEEPEST, _FRESH, _BUSY, _OVER, _ROOT
cdef double _FPU, _EXPLORE, _LEAD_WORTH, _LEAD


@cython.final
cdef class Worker:
    cdef Board board
    cdef Features features
    cdef Evaluator evaluator
    cdef int[::1] path
    cdef long long[::1] seen
    cdef int[::1] recent
    cdef int[::1] region
    cdef int[::1] queue
    cdef unsigned char[::1] lost
    cdef float[::1] chances
    cdef int depth, colour, passes, before, top
    cdef double komi
    cdef bint first


@cython.final
cdef class Tree:
    cdef Board start
    cdef int colour, passes, before, earlier, capacity, room
    cdef readonly int nodes, edges
    cdef double komi, lead_at_root
    cdef bint territory, cleanup
    cdef int superko
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
    cdef unsigned char[::1] banned
    cdef unsigned char[::1] dead
    cdef long long[::1] history
    cdef int[::1] recent
    cdef double[::1] owned
    cdef double[::1] owned_square
    cdef float[::1] owned_behind
    cdef int[::1] owners_behind
    cdef double owners

    @cython.locals(count=cython.int, node=cython.int, lead=cython.double, share=cython.double)
    cdef void _work(self, Worker worker) noexcept nogil
    cdef bint _poll(self) noexcept with gil
    cpdef void work(self, Worker worker)
    @cython.locals(node=cython.int, edge=cython.int, i=cython.int)
    cdef int _descend(self, Worker worker) noexcept nogil
    @cython.locals(point=cython.int, i=cython.int)
    cdef void _advance(self, Worker worker, int move) noexcept nogil
    @cython.locals(i=cython.int, edge=cython.int, child=cython.int, best=cython.int, sign=cython.double,
                   total=cython.double, root=cython.double, mean=cython.double, mass=cython.double, fresh=cython.double,
                   worth=cython.double, most=cython.double, count=cython.double, waiting=cython.double)
    cdef int _choose(self, int node, int colour, bint top) noexcept nogil
    @cython.locals(node=cython.int)
    cdef int _new_node(self) noexcept nogil
    @cython.locals(i=cython.int)
    cdef void _retreat(self, Worker worker) noexcept nogil
    @cython.locals(i=cython.int, node=cython.int, utility=cython.double)
    cdef void _back_up(self, Worker worker, double win, double lead) noexcept nogil
    @cython.locals(i=cython.int, komi=cython.double, phase=cython.double, wave=cython.double, area=cython.int)
    cdef void _evaluate(self, Worker worker) noexcept nogil
    @cython.locals(area=cython.int, i=cython.int, j=cython.int, k=cython.int, point=cython.int, legal=cython.int, best=cython.int,
                   most=cython.float, total=cython.double, edge=cython.int, widest=cython.int, win=cython.double, lead=cython.double,
                   sign=cython.double, first=cython.int, owned=cython.double)
    cdef void _expand(self, Worker worker, int node) noexcept nogil
    @cython.locals(i=cython.int, other=cython.int, after=cython.longlong, found=cython.bint)
    cdef bint _repeats(self, Worker worker, int point) noexcept nogil
    @cython.locals(i=cython.int, j=cython.int, point=cython.int, other=cython.int, top=cython.int, done=cython.int, black=cython.int,
                   white=cython.int, cell=cython.int, margin=cython.double, area=cython.int)
    cdef double _count(self, Worker worker) noexcept nogil
    @cython.locals(cell=cython.int)
    cdef int _cell(self, Worker worker, int point) noexcept nogil
    @cython.locals(i=cython.int, point=cython.int, cell=cython.int, area=cython.int, own=cython.float)
    cdef void _strike(self, Worker worker) noexcept nogil
    @cython.locals(i=cython.int, old=cython.int, node=cython.int)
    cdef void _graft(self, Tree other, int top) noexcept nogil
    @cython.locals(i=cython.int, count=cython.double, area=cython.int, mean=cython.double)
    cdef void _inherit(self, Tree other, int move) noexcept nogil
