// tests/fault/test_kill_points.c preloads this library into the program. It ends the program with SIGKILL
// just before the n-th call that changes a folder or waits for the disk; n is FATHOM_TEST_KILL_AT. Calls that
// only read are not counted.
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
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

// The function of the C library, which this library replaces.
#define NEXT(name)                                                                                           \
    static __typeof__(&name) next;                                                                           \
    if (!next)                                                                                               \
        *(void **)&next = dlsym(RTLD_NEXT, #name);                                                           \
    count_call()

int unlink(const char *path)
{
    NEXT(unlink);
    return next(path);
}

int rmdir(const char *path)
{
    NEXT(rmdir);
    return next(path);
}

int rename(const char *from, const char *to)
{
    NEXT(rename);
    return next(from, to);
}

int link(const char *from, const char *to)
{
    NEXT(link);
    return next(from, to);
}

int mkdir(const char *path, mode_t mode)
{
    NEXT(mkdir);
    return next(path, mode);
}

// Data that a killed process has written are not lost; only a loss of power could lose them. So the calls do
// not wait for the disk, and hundreds of runs take only seconds.
int fsync(int descriptor)
{
    (void)descriptor;
    count_call();
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
