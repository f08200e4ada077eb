// Plummer's sphere in equilibrium for ten time units, by direct summation and by the tree: energy, momentum,
// virial ratio, and the radii that hold shares of the mass.
#include "validate/closed/spheres.h"
#include "validate/nbody/body_job.h"
#include "validate/nbody/suites.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { USUAL = 4096, FULL = 32768, STEPS = 2560, EVERY = 32, RADII = 7, HALF = 3 };
static const double pi = 3.14159265358979323846, softening = 0.01, step = 0x1p-8;
static const char name[] = "plummer";

struct way {
    const char *title, *method, *energy_tolerance; // method: JSON of that block
};
static const struct way pairs = {"every pair", "{\"name\": \"direct\"}", "plummer/energy-direct"};
static const struct way tree = {"tree", "{\"name\": \"barnes-hut\", \"theta\": 0.6}", "plummer/energy-tree"};

static enum status run_sphere(struct validation_run *run, size_t count, const char *method)
{
    struct case_job job = body_job_new(softening);
    case_job_set(&job, "particles", "{\"plummer\": {\"count\": %zu}}", count);
    case_job_set(&job, "method", "%s", method);
    body_job_time(&job, step, STEPS, EVERY);
    return case_job_run_once(run, &job, name, NULL, body_case_precision(run));
}

// ---- energy, momentum, balance

// Adds a picture of the sphere, named after the way in which it was run.
static enum status new_picture(struct validation_run *run, const struct way *way, const char *what,
                               const char *label, const char *caption, struct validation_picture **picture)
{
    char title[VALIDATION_NAME_BYTES];
    snprintf(title, sizeof title, "%s of a Plummer sphere, %s", what, way->title);
    return validation_picture(run, title, "time", label, caption, picture);
}

static enum status measure_energy(struct validation_run *run, const struct way *way, const double *time)
{
    struct validation_picture *picture;
    double *error;
    size_t records;
    CHECK(body_job_series(run, name, "energy_error", &error, &records, NULL));
    enum status status =
        validation_compare(run, way->energy_tolerance, "1", "energy is conserved",
                           body_largest_change(error, 0, records), 0, "largest |dE/E| of the run");
    if (status == STATUS_OK)
        status = new_picture(run, way, "Energy", "(E - E0)/|E0|",
                             "Softening 0.01, steps of 1/256, kick-drift-kick.", &picture);
    if (status == STATUS_OK)
        status = validation_line(run, picture, "run", false, time, error, records);
    free(error);
    return status;
}

// |P(t) − P(0)| / Σ m|v|, the largest.
static enum status find_momentum(const struct validation_run *run, double *worst)
{
    double *momentum, *scale;
    size_t records;
    CHECK(body_job_series(run, name, "momentum", &momentum, &records, NULL));
    const enum status status = body_job_series(run, name, "momentum_scale", &scale, NULL, NULL);
    *worst = 0;
    for (size_t k = 0; k < records && status == STATUS_OK; k++)
        *worst = body_worse(*worst, body_distance(&momentum[3 * k], momentum) / scale[k]);
    free(momentum);
    if (status == STATUS_OK)
        free(scale);
    return status;
}

static enum status measure_balance(struct validation_run *run, const struct way *way, const double *time)
{
    struct validation_picture *picture;
    double *ratio, furthest = 1, mean = 0;
    size_t records;
    CHECK(body_job_series(run, name, "virial_ratio", &ratio, &records, NULL));
    for (size_t k = 0; k < records; k++) {
        // NaN counts as the largest distance, and stays.
        furthest = fabs(ratio[k] - 1) <= fabs(furthest - 1) || isnan(furthest) ? furthest : ratio[k];
        mean += ratio[k] / (double)records;
    }
    enum status status = validation_compare(run, "plummer/virial", "1", "virial theorem", furthest, 1,
                                            "2K/|W|, furthest from 1 in the run");
    if (status == STATUS_OK)
        status = validation_compare(run, NULL, "1", "virial theorem", mean, 1, "2K/|W|, mean of the run");
    if (status == STATUS_OK)
        status = new_picture(run, way, "Balance", "2K/|W|", "W = sum of m x.a.", &picture);
    if (status == STATUS_OK)
        status = validation_line(run, picture, "run", false, time, ratio, records);
    free(ratio);
    return status;
}

// ---- radii

static enum status draw_radii(struct validation_run *run, const struct way *way, const double *time,
                              const double *radii, size_t records, const double exact[RADII])
{
    static const char *const names[RADII] = {"1 %", "10 %", "25 %", "50 %", "75 %", "90 %", "99 %"};
    struct validation_picture *picture;
    double *line = malloc(records * sizeof *line), at[RADII];
    if (!line)
        return FAIL(STATUS_SYSTEM, "not enough memory for a line");
    enum status status =
        new_picture(run, way, "Lagrangian radii", "radius",
                    "Radii that hold shares of the mass; points: the exact sphere's.", &picture);
    // That of 99 % lies far outside.
    for (int r = 0; r + 1 < RADII && status == STATUS_OK; r++) {
        for (size_t k = 0; k < records; k++)
            line[k] = radii[k * RADII + (size_t)r];
        at[r] = 0;
        status = validation_line(run, picture, names[r], false, time, line, records);
    }
    free(line);
    CHECK(status);
    return validation_line(run, picture, "exact", true, at, exact, RADII - 1);
}

static enum status measure_radii(struct validation_run *run, const struct way *way, const double *time)
{
    static const double shares[RADII] = {0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99};
    const double scale = 3 * pi / 16, all = plummer_mass(scale, 40 * scale);
    double *radii, exact[RADII];
    size_t records, width;
    CHECK(body_job_series(run, name, "lagrangian_radius", &radii, &records, &width));
    enum status status = width == RADII ? STATUS_OK : FAIL(STATUS_DATA, "%zu radii of %d", width, RADII);
    for (int r = 0; r < RADII; r++)
        exact[r] = plummer_radius(scale, all * shares[r]);
    // The innermost and the outermost bodies are too few for statistics.
    for (int r = 1; r + 1 < RADII && status == STATUS_OK; r++) {
        double mean = 0;
        for (size_t k = 0; k < records; k++)
            mean += radii[k * RADII + (size_t)r] / (double)records;
        status = validation_compare(run, "plummer/radius", "1", "Plummer (1911)", mean, exact[r],
                                    "radius of %g %% of the mass, mean of the run", 100 * shares[r]);
        if (status == STATUS_OK && r == HALF)
            status = validation_compare(run, "plummer/radius-kept", "1", "the sphere is in equilibrium",
                                        radii[(records - 1) * RADII + HALF], radii[HALF],
                                        "half-mass radius, end against start");
    }
    if (status == STATUS_OK)
        status = draw_radii(run, way, time, radii, records, exact);
    free(radii);
    return status;
}

// ---- the cases

static enum status measure_run(struct validation_run *run, const struct way *way, double *momentum)
{
    double *time, *energy = NULL;
    CHECK(body_job_series(run, name, "time", &time, NULL, NULL));
    enum status status = body_job_series(run, name, "energy_total", &energy, NULL, NULL);
    if (status == STATUS_OK)
        status = validation_compare(run, "plummer/start", "1", "Aarseth, Henon & Wielen (1974)", energy[0],
                                    plummer_energy(3 * pi / 16), "energy at the start");
    if (status == STATUS_OK)
        status = measure_energy(run, way, time);
    if (status == STATUS_OK)
        status = find_momentum(run, momentum);
    if (status == STATUS_OK)
        status = measure_balance(run, way, time);
    if (status == STATUS_OK)
        status = measure_radii(run, way, time);
    free(time);
    free(energy);
    return status;
}

enum status nbody_case_plummer(struct validation_run *run)
{
    const size_t count = body_case_size(run, USUAL, FULL);
    double momentum = NAN;
    CHECK(run_sphere(run, count, pairs.method));
    CHECK(measure_run(run, &pairs, &momentum));
    CHECK(validation_compare(run, "plummer/momentum", "1", "momentum is conserved", momentum, 0,
                             "largest |dP| / sum of m|v|"));
    return case_note(run, name, "%zu bodies, direct summation, softening 0.01", count);
}

enum status nbody_case_plummer_tree(struct validation_run *run)
{
    const size_t count = body_case_size(run, USUAL, FULL);
    double momentum = NAN;
    CHECK(run_sphere(run, count, tree.method));
    CHECK(measure_run(run, &tree, &momentum));
    CHECK(validation_compare(run, NULL, "1", "a cell's attraction has no counterpart: as good as the forces",
                             momentum, NAN, "largest |dP| / sum of m|v|"));
    return case_note(run, name, "%zu bodies, barnes-hut, theta 0.6, softening 0.01", count);
}
