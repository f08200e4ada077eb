// tests/fault/test_kill_points.c preloads this library into the program. It ends the program with SIGKILL
// just before the n-th call that changes a folder; n is FATHOM_TEST_KILL_AT. Calls that only read, that find
// nothing to change, or that wait for the disk are not counted: a kill before them leaves what a kill before
// the next one leaves.
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void count_call(void)
{
    static atomic_long calls;
    const char *text = getenv("FATHOM_TEST_KILL_AT");
    if (text && atomic_fetch_add(&calls, 1) + 1 == strtol(text, NULL, 10))
        kill(getpid(), SIGKILL);
}

static bool is_there(const char *path)
{
    struct stat entry;
    return lstat(path, &entry) == 0;
}

// The function of the C library, which this library replaces; it is counted if it will change something.
#define NEXT(name, will_change)                                                                              \
    static __typeof__(&name) next;                                                                           \
    if (!next)                                                                                               \
        *(void **)&next = dlsym(RTLD_NEXT, #name);                                                           \
    if (will_change)                                                                                         \
    count_call()

int unlink(const char *path)
{
    NEXT(unlink, is_there(path));
    return next(path);
}

int rmdir(const char *path)
{
    NEXT(rmdir, is_there(path));
    return next(path);
}

int rename(const char *from, const char *to)
{
    NEXT(rename, is_there(from));
    return next(from, to);
}

int link(const char *from, const char *to)
{
    NEXT(link, is_there(from));
    return next(from, to);
}

int mkdir(const char *path, mode_t mode)
{
    NEXT(mkdir, !is_there(path));
    return next(path, mode);
}

// Data that a killed process has written are not lost; only a loss of power could lose them. So the calls do
// not wait for the disk, and hundreds of runs take only seconds.
int fsync(int descriptor)
{
    (void)descriptor;
    return 0;
}

static mode_t mode_of(int flags, va_list arguments)
{
    return flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
}

#define OPEN(name)                                                                                           \
    int name(const char *path, int flags, ...)                                                               \
    {                                                                                                        \
        static int (*next)(const char *, int, ...);                                                          \
        if (!next)                                                                                           \
            *(void **)&next = dlsym(RTLD_NEXT, #name);                                                       \
        if (flags & O_CREAT)                                                                                 \
            count_call();                                                                                    \
        va_list arguments;                                                                                   \
        va_start(arguments, flags);                                                                          \
        const mode_t mode = mode_of(flags, arguments);                                                       \
        va_end(arguments);                                                                                   \
        return next(path, flags, mode);                                                                      \
    }

OPEN(open)
OPEN(open64)
