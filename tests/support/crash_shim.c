// tests/fault/test_crash.c preloads this library into the program. It crashes in the netCDF function that
// FATHOM_TEST_CRASH_IN names, as HDF5 does on a damaged file, in the way of FATHOM_TEST_CRASH_BY: a number of
// a signal, "memory" (an address that is none), "stack" (endless recursion).
#include <dlfcn.h>
#include <netcdf.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static int recurse(volatile int *before)
{
    volatile int here[1024];
    here[0] = before ? before[0] : 1;
    return here[0] == 0 ? 0 : recurse(here) + here[0]; // never 0, which the compiler does not know
}

static void crash_in(const char *function)
{
    static volatile int *volatile nowhere;
    const char *chosen = getenv("FATHOM_TEST_CRASH_IN"), *way = getenv("FATHOM_TEST_CRASH_BY");
    if (!chosen || !way || strcmp(chosen, function) != 0)
        return;
    if (strcmp(way, "memory") == 0)
        *nowhere = 1;
    else if (strcmp(way, "stack") == 0)
        *nowhere = recurse(NULL);
    else
        raise((int)strtol(way, NULL, 10));
}

// netCDF's function, which this library replaces.
#define NEXT(name)                                                                                           \
    static __typeof__(&name) next;                                                                           \
    if (!next)                                                                                               \
        *(void **)&next = dlsym(RTLD_NEXT, #name);                                                           \
    crash_in(#name)

int nc_open(const char *path, int mode, int *file)
{
    NEXT(nc_open);
    return next(path, mode, file);
}

int nc_get_vara_double(int file, int variable, const size_t *start, const size_t *count, double *values)
{
    NEXT(nc_get_vara_double);
    return next(file, variable, start, count, values);
}

int nc_close(int file)
{
    NEXT(nc_close);
    return next(file);
}

int nc_enddef(int file)
{
    NEXT(nc_enddef);
    return next(file);
}
