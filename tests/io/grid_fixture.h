// Helpers of the grid tests: files in the test's folder (folder.h), and netCDF made from CDL by ncgen
// (independent of the code under test). Header only.
#ifndef FATHOM_TESTS_IO_GRID_FIXTURE_H
#define FATHOM_TESTS_IO_GRID_FIXTURE_H

#include "io/grid/grid.h"
#include "tests/support/benchmarks.h"
#include "tests/support/fresh.h"
#include "tests/support/statuses.h"
#include "tests/support/test.h"

// A request for values in m, all records open to choice.
static inline struct grid_request request_of(const char *path, enum grid_positive positive)
{
    return (struct grid_request){.path = path, .target_units = "m", .positive = positive, .time_index = -1};
}

static inline const char *file_of_bytes(const char *name, const void *bytes, size_t length)
{
    folder_write(name, bytes, length);
    return folder_path("%s", name);
}

static inline const char *file_of_text(const char *name, const char *text)
{
    return file_of_bytes(name, text, strlen(text));
}

// CDL → netCDF of the given kind ("classic", "64-bit-offset", "netCDF-4", "64-bit-data"). Texts in single
// quotes or double ones.
static inline const char *file_of_cdl(const char *name, const char *kind, const char *cdl)
{
    if (system("command -v ncgen > /dev/null") != 0) {
        print_message("skipped: ncgen (package netcdf-bin) is not installed\n");
        skip();
    }
    folder_write_json("source.cdl", "%s", cdl);
    folder_shell("ncgen -k '%s' -o '%s' '%s'", kind, folder_path("%s", name), folder_path("source.cdl"));
    return folder_path("%s", name);
}

static inline void assert_message_has(const char *part)
{
    if (strstr(status_message(), part) == NULL)
        fail_msg("the message \"%s\" does not say \"%s\"", status_message(), part);
    if (strchr(status_message(), '\n') != NULL)
        fail_msg("the message \"%s\" is more than one line", status_message());
}

OWNED(own_grid, struct grid_file, grid_close);

// Opens what must open; the test's.
static inline struct grid_file *must_open(const struct grid_request *request)
{
    struct grid_file *file = NULL;
    assert_ok(grid_open(request, &file));
    assert_non_null(file);
    return own_grid(file);
}

// Opening must fail with this status and a message that has `part` and the file's name.
static inline void must_refuse(const struct grid_request *request, enum status expected, const char *part)
{
    struct grid_file *file = NULL;
    assert_failure(grid_open(request, &file), expected, part, request->path);
    assert_null(file);
}

static inline void assert_row(struct grid_file *file, size_t row, const double *expected)
{
    size_t nx = grid_info(file)->nx;
    double *values = owned_zeros(nx, sizeof *values);
    assert_ok(grid_read_row(file, row, values));
    for (size_t k = 0; k < nx; k++) {
        bool same = isnan(expected[k]) ? isnan(values[k]) : values[k] == expected[k];
        if (!same)
            fail_msg("row %zu, column %zu: %.17g, expected %.17g", row, k, values[k], expected[k]);
    }
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
