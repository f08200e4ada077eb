// For tests of the whole program: a fresh folder, small input grids and job files in it; the program run as a
// child in that folder (cli_program.h); and its result files read back (cli_results.h). Knows the command
// line and the files, nothing of the program's inside.
//
// Every file name is relative to the test's folder. What goes wrong in here fails the test that called it.
#ifndef FATHOM_TESTS_SUPPORT_CLI_FIXTURE_H
#define FATHOM_TESTS_SUPPORT_CLI_FIXTURE_H

#include "tests/support/cli_pace.h"
#include "tests/support/cli_results.h"
#include "tests/support/folder.h"

// ---- the folder

// cmocka set-up and tear-down of one test: a new folder under /tmp, removed with all that is in it.
int cli_setup(void **state);
int cli_teardown(void **state);

// Full path of a name; one of a few static buffers, valid for the next hundred calls.
const char *cli_path(const char *name);
bool cli_exists(const char *name);
void cli_write_text(const char *name, const char *text);
// Names in a folder, those of entries "." and ".." left out.
int cli_count_entries(const char *name);
void cli_remove(const char *name); // a file or a whole folder

// Copies a file whole.
void cli_copy(const char *from, const char *to);
// XOR of one byte, `offset` from the start, or from the end if negative; and cutting a file short.
void cli_flip_byte(const char *name, long offset);
void cli_truncate(const char *name, double share);

// ---- input grids

enum { CLI_VARIABLES_MAX = 4 };

struct cli_variable {
    const char *name, *units, *positive, *standard_name; // NULL: the attribute is left out
    double (*value)(double x, double y, double time_s);
};

// Uniform nodes x0 + i·dx, y0 + j·dy: degrees, or metres if is_plane. With records > 0 the variables have a
// time axis.
struct cli_grid {
    size_t nx, ny;
    double x0, y0, dx, dy;
    bool is_plane;
    size_t records;
    const double *times_s;
    int variable_count;
    struct cli_variable variables[CLI_VARIABLES_MAX];
};

// With one variable: a struct cli_variable, in braces.
#define CLI_GLOBE(nx_, ny_, x0_, y0_, dx_, dy_, ...)                                                         \
    {                                                                                                        \
        .nx = nx_, .ny = ny_, .x0 = x0_, .y0 = y0_, .dx = dx_, .dy = dy_, .variable_count = 1,               \
        .variables = {                                                                                       \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }
#define CLI_PLANE(nx_, ny_, x0_, y0_, dx_, dy_, ...)                                                         \
    {                                                                                                        \
        .nx = nx_, .ny = ny_, .x0 = x0_, .y0 = y0_, .dx = dx_, .dy = dy_, .is_plane = true,                  \
        .variable_count = 1, .variables = {                                                                  \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }

// netCDF-4 with coordinate variables lon, lat (x, y on a plane).
void cli_write_grid(const char *name, const struct cli_grid *grid);

// The sea of most tests: 40 × 30 nodes of 0.25 degree from 140 E, 30 N; 1000 to 4500 m deep, land in the west
// and an island. As elevations, positive up.
extern const struct cli_grid cli_sea;
// A plane basin of 48 × 32 nodes of 500 m, 100 m deep with a shoal, land at its eastern side.
extern const struct cli_grid cli_basin;

// ---- jobs

// A forecast of 30 minutes on "sea.nc" (which is written, too): one fault, fields each 10 min, four kinds of
// result, output in "out".
cJSON *cli_sea_job(void);
// Sets a key ("output.fields.every") to a value given as JSON text, in single or double quotes; makes objects
// on the way. NULL removes the key.
void cli_set(cJSON *job, const char *key, const char *json);
// The same for a value that is text, put together as by printf.
void cli_set_text(cJSON *job, const char *key, const char *format, ...) __attribute__((format(printf, 3, 4)));
// Changes a job by assignments, "precision = 'double'; delete title; output.fields = {'every': '1 h'}", put
// together as by printf. Texts stand in single or double quotes.
// Returns the job.
cJSON *cli_change(cJSON *job, const char *format, ...) __attribute__((format(printf, 2, 3)));
// The JSON value of a text with such quotes; fails the test where it is not JSON.
cJSON *cli_json(const char *format, ...) __attribute__((format(printf, 1, 2)));
// Writes such a value to a file.
void cli_write_json(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cli_write_job(const cJSON *job, const char *name);
// Writes job.json; runs it, too, quietly; to its end, or the test fails.
void cli_save_job(const cJSON *job);
const struct cli_result *cli_try(const cJSON *job);
void cli_run_job(const cJSON *job);
// The same into a folder; and once more into the job's own, whatever was left there.
void cli_run_to(const cJSON *job, const char *directory);
const struct cli_result *cli_rerun(const cJSON *job);
// A gauge list of three gauges in the sea: "west" (in the open water there), "east", "south".
void cli_write_gauges(const char *name);

#endif
