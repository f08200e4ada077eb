// Tests that the program refuses bad jobs and bad files of particles. A test changes a correct job or file;
// each row of its table has the changes, the expected exit code and fragments of the expected message. Header
// only.
#ifndef FATHOM_TESTS_SUPPORT_REFUSALS_H
#define FATHOM_TESTS_SUPPORT_REFUSALS_H

#include "tests/support/cli_fixture.h"
#include "tests/support/netcdf_maker.h"

enum { FRAGMENTS_MAX = 6 };
enum { BODIES = 200, AXES = 3 };

// ---- files

// What a test changes in a good file of bodies.
static struct {
    size_t count, velocity_count;
    int mode;                                      // of netCDF
    const char *units[3];                          // of position, velocity, mass; NULL: no attribute
    void (*make)(double *x, double *v, double *m); // [body][axis], [body][axis], [body]
    struct odd_value {
        char array; // 'x', 'v', 'm'; 0: none
        size_t body, axis;
        double value;
    } odd;
    void (*change)(double *x, double *v, double *m);
} wanted;

static inline void write_bodies(void)
{
    static double x[AXES * BODIES], v[AXES * BODIES], m[BODIES];
    wanted.make(x, v, m);
    const struct odd_value *odd = &wanted.odd;
    if (odd->array == 'm')
        m[odd->body] = odd->value;
    else if (odd->array)
        (odd->array == 'x' ? x : v)[AXES * odd->body + odd->axis] = odd->value;
    if (wanted.change)
        wanted.change(x, v, m);
    const int file = make_file(cli_path("bodies.nc"), wanted.mode);
    const int body = make_dimension(file, "body", wanted.count > 0 ? wanted.count : NC_UNLIMITED);
    const int other =
        wanted.velocity_count != wanted.count ? make_dimension(file, "other", wanted.velocity_count) : body;
    const int axis = make_dimension(file, "axis", AXES), places[] = {body, axis}, speeds[] = {other, axis};
    const int position = make_variable(file, "position", NC_DOUBLE, wanted.units[0], 2, places);
    const int velocity = make_variable(file, "velocity", NC_DOUBLE, wanted.units[1], 2, speeds);
    const int mass = make_variable(file, "mass", NC_DOUBLE, wanted.units[2], 1, &body);
    make_values(file, position, x);
    make_values(file, velocity, v);
    make_values(file, mass, m);
    NC(nc_close(file));
}

// Set-up of a test: makes its folder. `make` computes the values of the correct file of bodies.
static inline int set_up_with(void **state, void (*make)(double *x, double *v, double *m))
{
    memset(&wanted, 0, sizeof wanted);
    wanted.count = wanted.velocity_count = BODIES;
    wanted.mode = NC_NETCDF4;
    wanted.make = make;
    return cli_setup(state);
}

// ---- runs

// A test's set-up sets this if the run refuses the job before it writes a log or makes a folder.
static bool is_refused_at_once;

static inline const struct cli_result *run(cJSON *job)
{
    cli_save_job(job);
    if (is_refused_at_once)
        return cli_run("run job.json");
    return cli_run("run -q --restart job.json");
}

struct bad {
    const char *changes; // of the good job (cli_change), or NULL
    int exit_code;
    const char *fragments[FRAGMENTS_MAX]; // of the message
};

// A row of a table. BAD: with the exit code of configuration errors, the most frequent one.
#define BAD(changes, ...)                                                                                    \
    {                                                                                                        \
        changes, CONFIGURATION,                                                                              \
        {                                                                                                    \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }
#define BAD_AS(code, changes, ...)                                                                           \
    {                                                                                                        \
        changes, code,                                                                                       \
        {                                                                                                    \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }

static inline void expect_bad(cJSON *job, const struct bad *bad)
{
    if (bad->changes)
        cli_change(job, "%s", bad->changes);
    const struct cli_result *result = run(job);
    for (int k = 0; k < FRAGMENTS_MAX && bad->fragments[k]; k++)
        if (!strstr(result->error, bad->fragments[k]))
            fail_msg("%s: exit code %d, \"%s\" lacks \"%s\"", bad->changes ? bad->changes : "",
                     result->exit_code, result->error, bad->fragments[k]);
    cli_assert_error(result, bad->exit_code, false, bad->fragments[0]);
    assert_false(is_refused_at_once && cli_exists("out"));
    assert_false(cli_exists("out/final.nc") || cli_exists("out/fields.nc"));
}
#define EXPECT_BAD(job, code, changes, ...)                                                                  \
    expect_bad((job), &(const struct bad)BAD_AS(code, changes, __VA_ARGS__))

static inline void expect_all(cJSON *(*job)(void), const struct bad *cases, size_t count)
{
    for (size_t k = 0; k < count; k++)
        expect_bad(job(), &cases[k]);
}
#define EXPECT_ALL(job, cases) expect_all((job), (cases), sizeof(cases) / sizeof *(cases))

// A file of bodies with one wrong value, or with values that `change` has changed, and fragments of the
// expected message. The changes of the last row stay in effect.
struct bad_file {
    struct odd_value odd;
    void (*change)(double *x, double *v, double *m);
    const char *fragments[FRAGMENTS_MAX];
};
#define ODD_VALUE(array, body, axis, value, ...)                                                             \
    {                                                                                                        \
        {array, body, axis, value}, NULL,                                                                    \
        {                                                                                                    \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }
#define CHANGED(change, ...)                                                                                 \
    {                                                                                                        \
        {0, 0, 0, 0}, change,                                                                                \
        {                                                                                                    \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }

static inline void expect_bad_files(cJSON *(*job)(void), const struct bad_file *cases, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        struct bad bad = BAD_AS(DATA, NULL, NULL);
        memcpy(bad.fragments, cases[k].fragments, sizeof bad.fragments);
        wanted.odd = cases[k].odd;
        wanted.change = cases[k].change;
        expect_bad(job(), &bad);
    }
}
#define EXPECT_BAD_FILES(job, cases) expect_bad_files((job), (cases), sizeof(cases) / sizeof *(cases))

// ---- what particles of both models have in common

static const struct bad unreadable_files[] = {
    BAD_AS(NO_INPUT, "particles.file.file = 'nowhere.nc'", "particles.file.file", "nowhere.nc"),
    BAD_AS(DATA, "particles.file.file = 'job.json'", "job.json"),
    BAD("delete particles.file.file", "particles.file.file: missing"),
    BAD_AS(NO_INPUT, "particles.file.mass_file = 'nowhere.nc'", "particles.file.mass_file", "nowhere.nc"),
    BAD_AS(DATA, "particles.file.position = 'posiiton'",
           "bodies.nc: no variable posiiton for the positions (it has: position, velocity, mass)"),
    BAD_AS(DATA, "particles.file.velocity = 'mass velocity'", "expected one name, or three"),
    BAD("particles.file.frame = 0", "particles.file.frame", "variable position has no frames"),
};

// Tests the jobs of unreadable_files, and truncated files of netCDF-4 and netCDF-3.
static inline void expect_unreadable(cJSON *(*job)(void))
{
    EXPECT_ALL(job, unreadable_files);
    for (int k = 0; k < 6; k++) {
        wanted.mode = k % 2 == 0 ? NC_NETCDF4 : 0;
        cJSON *cut = job();
        cli_truncate("bodies.nc", 0.2 + 0.15 * k);
        EXPECT_BAD(cut, DATA, NULL, "bodies.nc");
    }
}

// Tests files of one particle, of none, and with one velocity too few.
static inline void expect_bad_counts(cJSON *(*job)(void), const char *const fragments[3])
{
    static const size_t counts[3][2] = {{1, 1}, {0, 0}, {BODIES, BODIES - 1}};
    for (size_t k = 0; k < 3; k++) {
        wanted.count = counts[k][0];
        wanted.velocity_count = counts[k][1];
        EXPECT_BAD(job(), DATA, NULL, fragments[k], "bodies.nc");
    }
    wanted.count = wanted.velocity_count = BODIES;
}

// Writes a file with two frames of positions; velocities and masses have no frames.
static inline void write_frames(const double *x, const double *v, const double *m)
{
    const int file = make_file(cli_path("bodies.nc"), NC_NETCDF4);
    const int d[] = {make_dimension(file, "frame", 2), make_dimension(file, "body", BODIES),
                     make_dimension(file, "axis", AXES)};
    make_field(file, "position", NULL, 3, d, x);
    make_field(file, "velocity", NULL, 2, d + 1, v);
    make_field(file, "mass", NULL, 1, d + 1, m);
    NC(nc_close(file));
}

#endif
