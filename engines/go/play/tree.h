/* A lock that needs no Python: held for microseconds, between evaluations of hundreds. */
#ifndef QUINTET_GO_TREE
#define QUINTET_GO_TREE

#if defined(_MSC_VER)
#include <intrin.h>
#include <windows.h>
static void go_acquire(volatile long *gate)
{
    while (_InterlockedExchange(gate, 1))
        SwitchToThread();
}
static void go_release(volatile long *gate) { _InterlockedExchange(gate, 0); }
static void go_yield(void) { SwitchToThread(); }
#else
#include <sched.h>
static void go_acquire(volatile long *gate)
{
    while (__sync_lock_test_and_set(gate, 1))
        sched_yield();
}
static void go_release(volatile long *gate) { __sync_lock_release(gate); }
static void go_yield(void) { sched_yield(); }
#endif
#endif
