// The forces, the energy and the pressure of one set of particles on a fast back end, compared with the
// reference in double precision: every potential with every method that can sum it.
#include "models/backend.h"
#include "models/gas/solver.h"
#include "validate/gas/gas_job.h"
#include "validate/gas/suites.h"

#include "core/philox.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { COLUMNS = 64, ROWS = 48, COUNT = COLUMNS * ROWS, WAYS = 8 };
static const double spacing = 1.125, jitter = 0.125;

// `plain`: the method of the reference: direct summation, or the fast method if that is an approximation.
struct way {
    const char *name, *potential, *method, *plain, *walls;
};
#define PAIRS   "\"name\": \"all-pairs\""
#define CELLS   "\"name\": \"cells\""
#define REGIONS "\"name\": \"cells\", \"regions\": {\"columns\": 20, \"rows\": 15, \"order\": 1}"
#define ORDER_0 "\"name\": \"cells\", \"regions\": {\"columns\": 20, \"rows\": 15, \"order\": 0}"
static const struct way ways[WAYS] = {
    {"log, all-pairs", "\"name\": \"log\"", PAIRS, PAIRS, "reflect"},
    {"log, regions", "\"name\": \"log\"", REGIONS, REGIONS, "reflect"},
    {"log, regions of order 0", "\"name\": \"log\"", ORDER_0, ORDER_0, "reflect"},
    {"real-gas, all-pairs", "\"name\": \"real-gas\", \"repulsion_everywhere\": true", PAIRS, PAIRS,
     "reflect"},
    {"condensing, regions", "\"name\": \"condensing\", \"smooth\": true", REGIONS, REGIONS, "reflect"},
    {"lennard-jones, all-pairs", "\"name\": \"lennard-jones\"", PAIRS, PAIRS, "periodic"},
    {"lennard-jones, lists", "\"name\": \"lennard-jones\"", CELLS, PAIRS, "periodic"},
    {"lj-force-shifted, lists", "\"name\": \"lj-force-shifted\"", CELLS, PAIRS, "reflect"},
};

// A distorted lattice. Every coordinate is exact in single precision, also relative to the middle of the box.
static enum status write_set(const struct validation_run *run)
{
    struct body_set set = {0};
    enum status status = body_set_new(&set, COUNT);
    for (size_t k = 0; k < COUNT && status == STATUS_OK; k++) {
        const struct philox_counter words = philox4x32(philox_counter_from(0, k), philox_key_from_seed(3));
        const double place[] = {(double)(k % COLUMNS), (double)(k / COLUMNS)};
        for (size_t axis = 0; axis < 2; axis++) {
            const double u = philox_double(words.v[2 * axis], words.v[2 * axis + 1]);
            set.position[3 * k + axis] =
                rint(0x1p12 * (spacing * (place[axis] + 0.5) + jitter * (2 * u - 1))) * 0x1p-12;
        }
        set.mass[k] = 1;
    }
    if (status == STATUS_OK)
        status = body_set_write(run, &set, "start.nc");
    body_set_free(&set);
    return status;
}

static enum status run_way(struct validation_run *run, const char *name, const struct way *way,
                           const char *method, const char *backend, const char *precision)
{
    struct case_job job = gas_job_of_forces("start.nc", method);
    case_job_set(&job, "domain", "{\"size\": [%g, %g], \"walls\": \"%s\"}", COLUMNS * spacing, ROWS * spacing,
                 way->walls);
    case_job_set(&job, "physics", "{\"potential\": {%s}}", way->potential);
    return case_job_run_once(run, &job, name, backend, precision);
}

// ---- differences

// Reads a variable of the first record of the diagnostics.
static enum status read_first(const struct validation_run *run, const char *name, const char *variable,
                              double *first)
{
    double *values;
    CHECK(body_job_series(run, name, variable, &values, NULL, NULL));
    *first = values[0];
    free(values);
    return STATUS_OK;
}

static enum status measure_scalar(struct validation_run *run, const struct way *way, const char *precision,
                                  const char *name, const char *reference, const char *variable)
{
    char tolerance[64];
    double computed, known;
    snprintf(tolerance, sizeof tolerance, "forces/scalar-%s", precision);
    CHECK(read_first(run, name, variable, &computed));
    CHECK(read_first(run, reference, variable, &known));
    return validation_compare(run, tolerance, "1", "the back end reference", computed, known, "%s, %s: %s",
                              way->name, precision, variable);
}

static enum status measure_forces(struct validation_run *run, const struct way *way, const char *precision,
                                  const char *name, const struct body_set *reference)
{
    static const char source[] = "the back end reference";
    struct body_set fast;
    char tolerance[64];
    const enum status status = gas_job_read_forces(run, name, &fast);
    const struct body_difference d = status == STATUS_OK && fast.count == reference->count
                                         ? body_compare(&fast, reference, 0.1)
                                         : (struct body_difference){NAN, NAN};
    body_set_free(&fast);
    CHECK(status);
    // Errors are relative to the force, or to a tenth of the root mean square if the force is smaller,
    // because on a lattice forces cancel.
    snprintf(tolerance, sizeof tolerance, "forces/%s-rms", precision);
    CHECK(validation_compare(run, tolerance, "1", source, d.rms, 0, "%s, %s: rms of |dF|/|F|", way->name,
                             precision));
    snprintf(tolerance, sizeof tolerance, "forces/%s-largest", precision);
    return validation_compare(run, tolerance, "1", source, d.largest, 0, "%s, %s: largest |dF|/|F|",
                              way->name, precision);
}

static enum status compare_precision(struct validation_run *run, const char *backend, const struct way *way,
                                     const char *precision, const char *plain)
{
    struct body_set reference;
    char name[64];
    snprintf(name, sizeof name, "%s-%td", precision, way - ways);
    CHECK(run_way(run, name, way, way->method, backend, precision));
    enum status status = gas_job_read_forces(run, plain, &reference);
    if (status == STATUS_OK)
        status = measure_forces(run, way, precision, name, &reference);
    body_set_free(&reference);
    CHECK(status);
    CHECK(measure_scalar(run, way, precision, name, plain, "energy_potential"));
    CHECK(measure_scalar(run, way, precision, name, plain, "pressure"));
    return case_note(run, name, "%d particles of a distorted lattice; last", COUNT);
}

enum status gas_case_backend(struct validation_run *run)
{
    const char *chosen;
    const struct backend *backend;
    CHECK(case_backend_chosen(run, &gas_backends, &chosen, &backend));
    if (!backend)
        return STATUS_OK;
    CHECK(write_set(run));
    for (int w = 0; w < WAYS; w++) {
        char plain[64];
        snprintf(plain, sizeof plain, "reference-%d", w);
        CHECK(run_way(run, plain, &ways[w], ways[w].plain, "reference", "double"));
        for (const char *const *precision = case_precisions(run); *precision; precision++)
            CHECK(compare_precision(run, chosen, &ways[w], *precision, plain));
    }
    return STATUS_OK;
}
