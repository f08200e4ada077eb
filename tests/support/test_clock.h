// A monotonic clock that advances only when a test moves it, in place of the machine's for the whole test
// program. Header only; include it in one .c file of a program.
#ifndef FATHOM_TESTS_SUPPORT_TEST_CLOCK_H
#define FATHOM_TESTS_SUPPORT_TEST_CLOCK_H

#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_llong test_clock_ns = 1000000000LL;
// How often the watched thread has read the clock.
static pthread_t test_clock_watched;
static atomic_int test_clock_looks = -1;

int clock_gettime(clockid_t clock, struct timespec *time)
{
    if (clock != CLOCK_MONOTONIC)
        return (int)syscall(SYS_clock_gettime, clock, time);
    const long long ns = atomic_load(&test_clock_ns);
    *time = (struct timespec){.tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000)};
    if (atomic_load(&test_clock_looks) >= 0 && pthread_equal(pthread_self(), test_clock_watched))
        atomic_fetch_add(&test_clock_looks, 1);
    return 0;
}

static inline void test_clock_advance(double seconds)
{
    atomic_fetch_add(&test_clock_ns, (long long)(1e9 * seconds + 0.5));
}

static inline void test_clock_count_looks(void)
{
    test_clock_watched = pthread_self();
    atomic_store(&test_clock_looks, 0);
}

// Another thread waits until the watched thread has read the clock `looks` times.
static inline void test_clock_await_looks(int looks)
{
    while (looks > 0 && atomic_load(&test_clock_looks) < looks)
        nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
}

#endif
