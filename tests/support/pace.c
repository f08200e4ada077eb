// Loaded before the C library into a program under test (LD_PRELOAD; cli_pace.h sets it up), so that a run
// stands still where a test wants it to, however fast the machine is. Knows nothing of the program but the
// names of its files.
//
// FATHOM_TEST_HOLD=PART, FATHOM_TEST_HELD=FILE, FATHOM_TEST_GO=FILE: the first thread that renames a file to
//     a path that holds PART makes the file HELD, right after the renaming, and waits until its process has
//     handled SIGHUP, SIGINT or SIGTERM, or the file GO is there. Where HELD is there already nothing is
//     held.
// FATHOM_TEST_TICK=MICROSECONDS: the monotonic clock advances by so much at each reading, and not
// otherwise. FATHOM_TEST_LEAP=FILE: the monotonic clock is two hours ahead from the moment on when the file
// is there. Both for looks of the program itself: its libraries (OpenMP, CUDA's driver) see the usual clock.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { SIGNALS = 3, PATIENCE_S = 110 };

static const int signals[SIGNALS] = {SIGHUP, SIGINT, SIGTERM};
static struct sigaction before[SIGNALS];
static atomic_bool is_told;

static long long now_ns(clockid_t clock)
{
    struct timespec now = {0};
    syscall(SYS_clock_gettime, clock, &now);
    return 1000000000LL * now.tv_sec + now.tv_nsec;
}

// ---- standing still

static void take_signal(int number)
{
    for (int k = 0; k < SIGNALS; k++)
        if (signals[k] == number)
            before[k].sa_handler(number);
    atomic_store(&is_told, true);
}

// The handlers that the program has at this moment are called as usual.
static void watch_signals(void)
{
    for (int k = 0; k < SIGNALS; k++) {
        if (sigaction(signals[k], NULL, &before[k]) != 0 || before[k].sa_handler == SIG_DFL ||
            before[k].sa_handler == SIG_IGN || (before[k].sa_flags & SA_SIGINFO) != 0)
            continue;
        struct sigaction watching = before[k];
        watching.sa_handler = take_signal;
        sigaction(signals[k], &watching, NULL);
    }
}

static void hold(const char *path)
{
    const char *part = getenv("FATHOM_TEST_HOLD"), *held = getenv("FATHOM_TEST_HELD"),
               *go = getenv("FATHOM_TEST_GO");
    if (!part || !held || !go || !strstr(path, part))
        return;
    watch_signals();
    const int file = open(held, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0)
        return; // one was held before
    close(file);
    const long long end_ns = now_ns(CLOCK_MONOTONIC) + 1000000000LL * PATIENCE_S;
    while (!atomic_load(&is_told) && access(go, F_OK) != 0) {
        if (now_ns(CLOCK_MONOTONIC) > end_ns) { // the test is gone
            fprintf(stderr, "held at %s, and neither told to stop nor let go\n", path);
            _exit(99);
        }
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

int rename(const char *from, const char *to)
{
    const int result = (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
    const int error = errno;
    if (result == 0)
        hold(to);
    errno = error;
    return result;
}

// ---- the clock

static uintptr_t program_begin = UINTPTR_MAX, program_end;

// The first object is the program.
static int note_program(struct dl_phdr_info *object, size_t bytes, void *unused)
{
    (void)bytes;
    (void)unused;
    for (int k = 0; k < object->dlpi_phnum; k++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[k];
        const uintptr_t begin = object->dlpi_addr + segment->p_vaddr, end = begin + segment->p_memsz;
        if (segment->p_type != PT_LOAD)
            continue;
        program_begin = begin < program_begin ? begin : program_begin;
        program_end = end > program_end ? end : program_end;
    }
    return 1;
}

__attribute__((constructor)) static void find_program(void)
{
    (void)dl_iterate_phdr(note_program, NULL);
}

static long long ticking_ns(long long tick_us)
{
    static atomic_llong looks;
    return 1000000000LL + 1000 * tick_us * atomic_fetch_add(&looks, 1);
}

static long long leaping_ns(const char *file)
{
    static atomic_bool has_leapt;
    if (!atomic_load(&has_leapt) && access(file, F_OK) == 0)
        atomic_store(&has_leapt, true);
    return now_ns(CLOCK_MONOTONIC) + (atomic_load(&has_leapt) ? 7200 * 1000000000LL : 0);
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    const char *tick_us = getenv("FATHOM_TEST_TICK"), *leap = getenv("FATHOM_TEST_LEAP");
    const uintptr_t caller = (uintptr_t)__builtin_return_address(0);
    if (clock != CLOCK_MONOTONIC || (!tick_us && !leap) || caller < program_begin || caller >= program_end)
        return (int)syscall(SYS_clock_gettime, clock, time);
    const long long ns = tick_us ? ticking_ns(atoll(tick_us)) : leaping_ns(leap);
    *time = (struct timespec){.tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000)};
    return 0;
}
