// How wrong the tree's accelerations are, over the opening angle: at a sample of the bodies, against every
// pair in double.
#include "models/nbody/force_error.h"
#include "validate/nbody/body_job.h"
#include "validate/nbody/suites.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { USUAL = 1 << 14, FULL = 1 << 20, SAMPLES = 1024, ANGLES = 6, SETS = 2, SHARES = 4 };

static const double angles[ANGLES] = {0.3, 0.4, 0.5, 0.6, 0.8, 1}, softening = 0.01, judged = 0.6;
static const double shares[SHARES] = {0.5, 0.9, 0.99, 1};
static const char *const share_names[SHARES] = {"median", "90 %", "99 %", "largest"};

struct shape {
    const char *name, *file, *key; // of the file of tolerances
    enum status (*make)(struct body_set *set, size_t count);
};
static const struct shape shapes[SETS] = {{"Plummer", "plummer.nc", "plummer", body_set_plummer},
                                          {"cube", "cube.nc", "cube", body_set_cube}};

static void job_name(const struct shape *shape, int angle, char name[48])
{
    snprintf(name, 48, "%s-%.1f", shape->key, angles[angle]);
}

// ---- all runs first: they run in separate processes, which must not share the machine with the threads
// below

static enum status run_trees(struct validation_run *run, const struct shape *shape, size_t count)
{
    struct body_set bodies = {0};
    enum status status = shape->make(&bodies, count);
    if (status == STATUS_OK)
        status = body_set_write(run, &bodies, shape->file);
    body_set_free(&bodies);
    for (int k = 0; k < ANGLES && status == STATUS_OK; k++) {
        char method[64], name[48];
        snprintf(method, sizeof method, "\"name\": \"barnes-hut\", \"theta\": %g", angles[k]);
        const struct body_force force = {shape->file, method, NULL, body_case_precision(run), softening};
        job_name(shape, k, name);
        status = body_job_run_accelerations(run, name, &force);
    }
    return status;
}

// ---- errors

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static enum status sample_errors(const struct validation_run *run, const char *name, size_t count,
                                 double (*exact)[NBODY_AXES], double errors[SAMPLES])
{
    struct body_set tree = {0};
    enum status status = body_job_read_accelerations(run, name, &tree);
    if (status == STATUS_OK && tree.count != count)
        status = FAIL(STATUS_DATA, "the job %s ended with %zu bodies", name, tree.count);
    for (size_t k = 0; k < SAMPLES && status == STATUS_OK; k++) {
        const double *a = &tree.velocity[3 * nbody_sample_id(k, SAMPLES, count)];
        const double error = body_distance(a, exact[k]) / body_length(exact[k]);
        errors[k] = isnan(error) ? (double)INFINITY : error;
    }
    body_set_free(&tree);
    qsort(errors, SAMPLES, sizeof *errors, ascending);
    return status;
}

static enum status measure_shares(struct validation_run *run, const struct shape *shape, double angle,
                                  const double at[SHARES])
{
    for (int s = 0; s < SHARES; s++) {
        char tolerance[64];
        const bool is_judged = angle == judged && (s == 0 || s == 2);
        snprintf(tolerance, sizeof tolerance, "tree-errors/%s-%s", shape->key, s == 0 ? "median" : "99");
        CHECK(validation_compare(run, is_judged ? tolerance : NULL, "1", "direct summation in double", at[s],
                                 is_judged ? 0 : (double)NAN, "%s, theta %.1f: %s", shape->name, angle,
                                 share_names[s]));
    }
    return STATUS_OK;
}

static enum status draw_shares(struct validation_run *run, const struct shape *shape, size_t count,
                               double at[SHARES][ANGLES])
{
    struct validation_picture *picture;
    char title[VALIDATION_NAME_BYTES];
    snprintf(title, sizeof title, "Error of the tree's acceleration, %s, %zu bodies", shape->name, count);
    CHECK(validation_picture(run, title, "theta", "|da|/|a|",
                             "At 1024 of the bodies, each error relative to its own acceleration; softening "
                             "0.01, quadrupoles, opening by offset.",
                             &picture));
    picture->is_logarithmic = true;
    for (int s = 0; s < SHARES; s++)
        CHECK(validation_line(run, picture, share_names[s], false, angles, at[s], ANGLES));
    return STATUS_OK;
}

static enum status measure_shape(struct validation_run *run, const struct shape *shape, size_t count,
                                 const struct nbody_body *bodies, double (*exact)[NBODY_AXES])
{
    double at[SHARES][ANGLES], errors[SAMPLES];
    nbody_exact_accelerations(count, bodies, ELEMENT_F64, softening, SAMPLES, exact);
    for (int k = 0; k < ANGLES; k++) {
        double column[SHARES];
        char name[48];
        job_name(shape, k, name);
        CHECK(sample_errors(run, name, count, exact, errors));
        for (int s = 0; s < SHARES; s++)
            column[s] = at[s][k] = errors[(size_t)ceil(shares[s] * SAMPLES) - 1];
        CHECK(measure_shares(run, shape, angles[k], column));
    }
    return draw_shares(run, shape, count, at);
}

static enum status make_bodies(const struct shape *shape, size_t count, struct nbody_body **bodies)
{
    struct body_set set = {0};
    enum status status = shape->make(&set, count);
    *bodies = calloc(count, sizeof **bodies);
    if (status == STATUS_OK && !*bodies)
        status = FAIL(STATUS_SYSTEM, "not enough memory for %zu bodies", count);
    for (size_t k = 0; k < count && status == STATUS_OK; k++) {
        for (size_t axis = 0; axis < NBODY_AXES; axis++)
            (*bodies)[k].position[axis] = set.position[3 * k + axis];
        (*bodies)[k].mass = set.mass[k];
    }
    body_set_free(&set);
    return status;
}

enum status nbody_case_tree_errors(struct validation_run *run)
{
    static double exact[SAMPLES][NBODY_AXES];
    const size_t count = body_case_size(run, USUAL, FULL);
    char name[48];
    for (int s = 0; s < SETS; s++)
        CHECK(run_trees(run, &shapes[s], count));
    job_name(&shapes[SETS - 1], ANGLES - 1, name);
    CHECK(case_note(run, name, "%zu bodies, softening 0.01, 1024 of them compared; last", count));
    for (int s = 0; s < SETS; s++) {
        struct nbody_body *bodies = NULL;
        enum status status = make_bodies(&shapes[s], count, &bodies);
        if (status == STATUS_OK)
            status = measure_shape(run, &shapes[s], count, bodies, exact);
        free(bodies);
        CHECK(status);
    }
    return STATUS_OK;
}
