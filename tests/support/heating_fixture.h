// Sources of heat made by a test: a job with nothing but a source, on a small grid, with files of a few lines
// in the test's own folder (folder.h). Knows no solver. What goes wrong in here fails the running test.
//
#ifndef FATHOM_TESTS_SUPPORT_HEATING_FIXTURE_H
#define FATHOM_TESTS_SUPPORT_HEATING_FIXTURE_H

#include "models/bioheat/params.h"
#include "models/bioheat/source/source.h"
#include "tests/support/folder.h"
#include "tests/support/netcdf_maker.h"

// A job's heating from its creation to its end.
struct heating_trial {
    struct job *job;
    struct bioheat_heating *heating;
    struct memory_plan plan;
};

// Between two middles of cells 1, 2 and 3 mm; the first at 10, 20, 30 mm (z, y, x).
enum { HEATING_NZ = 3, HEATING_NY = 4, HEATING_NX = 5, HEATING_CELLS = HEATING_NZ * HEATING_NY * HEATING_NX };
static const struct bioheat_grid heating_grid = {.cells = {HEATING_NZ, HEATING_NY, HEATING_NX},
                                                 .spacing_m = {1e-3, 2e-3, 3e-3},
                                                 .origin_m = {10e-3, 20e-3, 30e-3}};

// The heating of that source: {'points': ...}. `trial` must be all zero; heating_trial_end releases it.
static inline enum status heating_trial_create(struct heating_trial *trial, const struct bioheat_grid *grid,
                                               enum element precision, const char *source)
{
    const struct job_key_table tables[] = {job_shared_keys, bioheat_keys};
    folder_write_json("job.json",
                      "{'fathom': 1, 'model': 'bioheat', 'time': {'duration': '1 s'}, 'output': "
                      "{'directory': 'out'}, 'source': %s}",
                      source);
    status_clear();
    memory_plan_begin(&trial->plan);
    CHECK(job_read(folder_path("job.json"), &trial->job));
    CHECK(job_check(trial->job, tables, 2));
    return bioheat_heating_create(trial->job, grid, precision, NULL, &trial->heating);
}

// Then the plan of `steps` steps, its memory, and the files that are read before the first step.
static inline enum status heating_trial_prepare(struct heating_trial *trial, double step_s, int64_t steps)
{
    CHECK(bioheat_heating_plan(trial->heating, &trial->plan, step_s, steps, 0));
    CHECK(memory_plan_reserve(&trial->plan, SIZE_MAX, SIZE_MAX));
    memory_plan_seal(&trial->plan);
    return bioheat_heating_prepare(trial->heating);
}

static inline void heating_trial_end(struct heating_trial *trial)
{
    memory_plan_release(&trial->plan); // takes its pointers back from the heating
    bioheat_heating_destroy(trial->heating);
    job_free(trial->job);
    *trial = (struct heating_trial){0};
}

// What must be refused, when it is created, checked or prepared, with a message that ends in `expected`,
// begins with a file of the test's folder, and is one line. Source and message have single quotes or double
// ones.
static inline void heating_refused_in(enum element precision, const char *source, double step_s,
                                      int64_t steps, enum status expected, const char *message)
{
    struct heating_trial trial = {0};
    enum status status = heating_trial_create(&trial, &heating_grid, precision, source);
    if (status == STATUS_OK)
        status = bioheat_heating_check(trial.heating, step_s, 4e6);
    if (status == STATUS_OK)
        status = heating_trial_prepare(&trial, step_s, steps);
    char got[1024], expected_end[1024];
    snprintf(got, sizeof got, "%s", status_message());
    snprintf(expected_end, sizeof expected_end, "%s", message);
    message = folder_double_quotes(expected_end);
    heating_trial_end(&trial);
    status_clear();
    if (status != expected)
        fail_msg("%s: status %s (%s), expected %s", source, status_name(status), got, status_name(expected));
    const size_t length = strlen(got), wanted = strlen(message);
    if (length < wanted || strcmp(got + length - wanted, message) != 0 || strchr(got, '\n'))
        fail_msg("%s:\n  \"%s\", expected at its end\n  \"%s\"", source, got, message);
    if (strncmp(got, folder_root(), strlen(folder_root())) != 0)
        fail_msg("%s: no file is named first: %s", source, got);
}

static inline void heating_refused(const char *source, double step_s, int64_t steps, enum status expected,
                                   const char *message)
{
    heating_refused_in(ELEMENT_F64, source, step_s, steps, expected, message);
}

// A file with a field over z, y, x and, if records > 0, time; `times` NULL: without coordinate.
static inline void heating_make_field(const char *name, int mode, nc_type type, const char *units,
                                      const double *times, size_t records, const double *values)
{
    const int file = make_file(folder_path("%s", name), mode);
    int dimensions[4], count = 0;
    if (records > 0)
        dimensions[count++] =
            times ? make_axis(file, "time", "s", records, times) : make_dimension(file, "record", records);
    const int code = nc_redef(file);
    if (code != NC_NOERR && code != NC_EINDEFINE)
        NC(code);
    dimensions[count++] = make_dimension(file, "z", HEATING_NZ);
    dimensions[count++] = make_dimension(file, "y", HEATING_NY);
    dimensions[count++] = make_dimension(file, "x", HEATING_NX);
    make_values(file, make_variable(file, "Q", type, units, count, dimensions), values);
    NC(nc_close(file));
}

#endif
