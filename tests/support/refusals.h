// What the program must answer to jobs and to files of bodies that are right but for what a test changes in
// them. Header only; include it after cmocka.h.
#ifndef FATHOM_TESTS_SUPPORT_REFUSALS_H
#define FATHOM_TESTS_SUPPORT_REFUSALS_H

#include "tests/support/cli_fixture.h"
#include "tests/support/netcdf_maker.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONFIGURATION = 78, DATA = 65, NO_INPUT = 66, MACHINE = 71 };
enum { BODIES = 200, AXES = 3 };

// ---- files

// What a test changes in a good file of bodies.
static struct {
    size_t count, velocity_count;
    int mode;                                      // of netCDF
    const char *units[3];                          // of position, velocity, mass; NULL: the file does not say
    void (*make)(double *x, double *v, double *m); // [body][axis], [body][axis], [body]
    void (*change)(double *x, double *v, double *m);
} wanted;

static inline void write_bodies(void)
{
    static double x[AXES * BODIES], v[AXES * BODIES], m[BODIES];
    wanted.make(x, v, m);
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

// The caller's set-up: a folder, and a good file that `make` makes.
static inline int set_up_with(void **state, void (*make)(double *x, double *v, double *m))
{
    memset(&wanted, 0, sizeof wanted);
    wanted.count = wanted.velocity_count = BODIES;
    wanted.mode = NC_NETCDF4;
    wanted.make = make;
    return cli_setup(state);
}

// ---- runs

static inline const struct cli_result *run(cJSON *job)
{
    cli_write_job(job, "job.json");
    cJSON_Delete(job);
    return cli_run("run", "-q", "--restart", "job.json", NULL);
}

struct bad {
    const char *key, *json; // what is changed in the good job
    int exit_code;
    const char *fragments[4];
};

static inline void expect_bad(cJSON *job, const struct bad *bad)
{
    if (bad->key)
        cli_set(job, bad->key, bad->json);
    const struct cli_result *result = run(job);
    for (int k = 0; k < 4 && bad->fragments[k]; k++)
        if (!strstr(result->error, bad->fragments[k]))
            fail_msg("%s = %s: exit code %d, \"%s\" does not say \"%s\"", bad->key ? bad->key : "",
                     bad->json ? bad->json : "", result->exit_code, result->error, bad->fragments[k]);
    cli_assert_error(result, bad->exit_code, false, bad->fragments[0], NULL);
    assert_false(cli_exists("out/final.nc"));
}

static inline void expect_all(cJSON *(*job)(void), const struct bad *cases, size_t count)
{
    for (size_t k = 0; k < count; k++)
        expect_bad(job(), &cases[k]);
}
#define EXPECT_ALL(job, cases) expect_all((job), (cases), sizeof(cases) / sizeof *(cases))

// A file that is wrong: what is changed in it, and what is said.
struct bad_file {
    void (*change)(double *x, double *v, double *m);
    const char *fragments[4];
};

static inline void expect_bad_files(cJSON *(*job)(void), const struct bad_file *cases, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        struct bad bad = {NULL, NULL, DATA, {NULL}};
        memcpy(bad.fragments, cases[k].fragments, sizeof bad.fragments);
        wanted.change = cases[k].change;
        expect_bad(job(), &bad);
    }
}
#define EXPECT_BAD_FILES(job, cases) expect_bad_files((job), (cases), sizeof(cases) / sizeof *(cases))

#endif
