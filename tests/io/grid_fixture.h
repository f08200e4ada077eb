// Helpers of the grid tests: a fresh directory, files written into it, and netCDF made from CDL by ncgen
// (independent of the code under test). Header only, because each test is one program.
#ifndef FATHOM_TESTS_IO_GRID_FIXTURE_H
#define FATHOM_TESTS_IO_GRID_FIXTURE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/status.h"
#include "io/grid/grid.h"
#include "tests/support/benchmarks.h"

enum { FIXTURE_PATH = 512 };

struct fixture {
    char directory[FIXTURE_PATH];
    char path[FIXTURE_PATH + 64];
};

static inline int fixture_setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    const char *base = getenv("TMPDIR");
    if (fixture == NULL)
        return -1;
    snprintf(fixture->directory, sizeof fixture->directory, "%s/fathom-grid-XXXXXX",
             base != NULL ? base : "/tmp");
    if (mkdtemp(fixture->directory) == NULL)
        return -1;
    status_clear();
    *state = fixture;
    return 0;
}

static inline int fixture_teardown(void **state)
{
    struct fixture *fixture = *state;
    char command[FIXTURE_PATH + 16];
    snprintf(command, sizeof command, "rm -rf '%s'", fixture->directory);
    int code = system(command);
    free(fixture);
    return code;
}

// The path of a file in the test's directory; valid until the next call.
static inline const char *fixture_path(struct fixture *fixture, const char *name)
{
    snprintf(fixture->path, sizeof fixture->path, "%s/%s", fixture->directory, name);
    return fixture->path;
}

static inline const char *fixture_write(struct fixture *fixture, const char *name, const void *bytes,
                                        size_t length)
{
    const char *path = fixture_path(fixture, name);
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, length, stream), length);
    assert_int_equal(fclose(stream), 0);
    return path;
}

static inline const char *fixture_text(struct fixture *fixture, const char *name, const char *text)
{
    return fixture_write(fixture, name, text, strlen(text));
}

// CDL → netCDF of the given kind ("classic", "64-bit-offset", "netCDF-4", "64-bit-data").
static inline const char *fixture_cdl(struct fixture *fixture, const char *name, const char *kind,
                                      const char *cdl)
{
    char command[3 * FIXTURE_PATH];
    if (system("command -v ncgen > /dev/null") != 0) {
        print_message("skipped: ncgen (package netcdf-bin) is not installed\n");
        skip();
    }
    fixture_text(fixture, "source.cdl", cdl);
    const char *path = fixture_path(fixture, name);
    snprintf(command, sizeof command, "ncgen -k '%s' -o '%s' '%s/source.cdl'", kind, path,
             fixture->directory);
    assert_int_equal(system(command), 0);
    return path;
}

static inline void assert_message_has(const char *part)
{
    if (strstr(status_message(), part) == NULL)
        fail_msg("the message \"%s\" does not say \"%s\"", status_message(), part);
    if (strchr(status_message(), '\n') != NULL)
        fail_msg("the message \"%s\" is more than one line", status_message());
}

// Opens what must open.
static inline struct grid_file *must_open(const struct grid_request *request)
{
    struct grid_file *file = NULL;
    if (grid_open(request, &file) != STATUS_OK)
        fail_msg("%s", status_message());
    assert_non_null(file);
    return file;
}

// Opening must fail with this status and a message that has `part` and the file's name.
static inline void must_refuse(const struct grid_request *request, enum status expected, const char *part)
{
    struct grid_file *file = NULL;
    status_clear();
    enum status status = grid_open(request, &file);
    if (status != expected)
        fail_msg("status %s (\"%s\"), expected %s", status_name(status), status_message(),
                 status_name(expected));
    assert_null(file);
    assert_message_has(part);
    assert_message_has(request->path);
    status_clear();
}

static inline void assert_row(struct grid_file *file, size_t row, const double *expected)
{
    size_t nx = grid_info(file)->nx;
    double *values = malloc(nx * sizeof *values);
    assert_non_null(values);
    if (grid_read_row(file, row, values) != STATUS_OK)
        fail_msg("%s", status_message());
    for (size_t k = 0; k < nx; k++) {
        bool same = isnan(expected[k]) ? isnan(values[k]) : values[k] == expected[k];
        if (!same)
            fail_msg("row %zu, column %zu: %.17g, expected %.17g", row, k, values[k], expected[k]);
    }
    free(values);
}

static inline void assert_axis(const double *values, size_t count, const double *expected, double tolerance)
{
    for (size_t k = 0; k < count; k++)
        if (!(fabs(values[k] - expected[k]) <= tolerance))
            fail_msg("node %zu: %.17g, expected %.17g", k, values[k], expected[k]);
}

// Public data that users may not have, else skipped by name; valid until the next call.
static inline const char *benchmark_or_skip(const char *name)
{
    static char path[BENCHMARK_PATH];
    need_benchmark(name, path);
    return path;
}

static inline const char *file_or_skip(const char *path)
{
    if (access(path, R_OK) != 0) {
        print_message("skipped: %s is not there\n", path);
        skip();
    }
    return path;
}

#endif
