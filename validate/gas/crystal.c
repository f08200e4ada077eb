// The triangular crystal of the whole Lennard-Jones potential at rest: the spacing at which the pressure
// vanishes, and the energy there. What lies beyond the cut-off is added as of evenly spread particles; what
// the shift took is given back.
#include "validate/gas/gas_job.h"
#include "validate/gas/suites.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { COLUMNS = 42, ROWS = 48, COUNT = COLUMNS * ROWS };
static const double pi = 3.14159265358979323846, cut_off = 20;
static const char source[] = "lattice sums of the potential without an end";

struct crystal {
    double spacing, energy, pressure; // a particle's energy
};

static double row_height(double spacing)
{
    return spacing * sqrt(3) / 2;
}

static enum status write_crystal(const struct validation_run *run, double spacing)
{
    struct body_set set = {0};
    enum status status = body_set_new(&set, COUNT);
    for (size_t k = 0; k < COUNT && status == STATUS_OK; k++) {
        const size_t column = k % COLUMNS, row = k / COLUMNS;
        set.position[3 * k] = spacing * ((double)column + (row % 2 ? 0.75 : 0.25));
        set.position[3 * k + 1] = row_height(spacing) * ((double)row + 0.5);
        set.mass[k] = 1;
    }
    if (status == STATUS_OK)
        status = body_set_write(run, &set, "crystal.nc");
    body_set_free(&set);
    return status;
}

static enum status run_crystal(struct validation_run *run, const char *name, double spacing,
                               const char *precision)
{
    CHECK(write_crystal(run, spacing));
    struct case_job job = gas_job_new(0x1p-10, 1, 1);
    case_job_set(&job, "particles", GAS_JOB_FILE("crystal.nc"));
    case_job_set(&job, "domain", "{\"size\": [%.17g, %.17g], \"walls\": \"periodic\"}", COLUMNS * spacing,
                 ROWS * row_height(spacing));
    case_job_set(&job, "physics", "{\"potential\": {\"name\": \"lennard-jones\", \"cut_off\": %g}}", cut_off);
    case_job_set(&job, "method", "{\"name\": \"all-pairs\"}");
    return case_job_run_once(run, &job, name, NULL, precision);
}

// How many of the crystal are nearer to a particle than the cut-off.
static double neighbours_of(double spacing)
{
    const int most = (int)(cut_off / row_height(spacing)) + 1;
    int count = -1; // not itself
    for (int a = -2 * most; a <= 2 * most; a++)
        for (int b = -most; b <= most; b++)
            count += spacing * sqrt((double)(a * a + a * b + b * b)) < cut_off;
    return count;
}

static enum status read_crystal(const struct validation_run *run, const char *name, double spacing,
                                struct crystal *crystal)
{
    const double density = 1 / (spacing * row_height(spacing)), square = cut_off * cut_off;
    const double shift = 4 * (pow(square, -6) - pow(square, -3));
    double *energy, *pressure;
    CHECK(body_job_series(run, name, "energy_potential", &energy, NULL, NULL));
    const enum status status = body_job_series(run, name, "pressure", &pressure, NULL, NULL);
    if (status == STATUS_OK)
        *crystal = (struct crystal){.spacing = spacing,
                                    .energy = energy[0] / COUNT + shift * neighbours_of(spacing) / 2 -
                                              pi * density / pow(square, 2),
                                    .pressure = pressure[0] - 3 * pi * pow(density / square, 2)};
    free(energy);
    if (status == STATUS_OK)
        free(pressure);
    return status;
}

// Where the line through the two pressures is 0.
static double spacing_without_pressure(const struct crystal *a, const struct crystal *b)
{
    return a->spacing - a->pressure * (b->spacing - a->spacing) / (b->pressure - a->pressure);
}

enum status gas_case_crystal(struct validation_run *run)
{
    static const double known_spacing = 1.111455, known_energy = -3.382123, around = 2e-4;
    for (const char *const *precision = case_precisions(run); *precision; precision++) {
        struct crystal crystals[3];
        char name[48];
        for (int k = 0; k < 3; k++) {
            const double spacing = known_spacing + (k - 1) * around;
            snprintf(name, sizeof name, "%s-%d", *precision, k);
            CHECK(run_crystal(run, name, spacing, *precision));
            CHECK(read_crystal(run, name, spacing, &crystals[k]));
        }
        CHECK(validation_compare(run, "crystal/energy", "1", source, crystals[1].energy, known_energy,
                                 "%s: energy a particle at the spacing %.6f", *precision, known_spacing));
        CHECK(validation_compare(run, "crystal/spacing", "1", source,
                                 spacing_without_pressure(&crystals[0], &crystals[2]), known_spacing,
                                 "%s: spacing without pressure", *precision));
        CHECK(case_note(run, name, "%d particles at rest, all pairs closer than %g; last", COUNT, cut_off));
    }
    return STATUS_OK;
}
