// A gate at which other threads wait until the test opens it, so that their work is in progress on any
// machine. Header only.
#ifndef FATHOM_TESTS_SUPPORT_GATE_H
#define FATHOM_TESTS_SUPPORT_GATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

// {0}: open.
struct gate {
    atomic_bool is_closed;
    atomic_int waiting; // threads at the closed gate
};

static inline void gate_pass(struct gate *gate)
{
    atomic_fetch_add(&gate->waiting, 1);
    while (atomic_load(&gate->is_closed))
        nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
    atomic_fetch_sub(&gate->waiting, 1);
}

static inline void gate_await_one(struct gate *gate)
{
    while (atomic_load(&gate->waiting) == 0)
        nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
}

#endif
