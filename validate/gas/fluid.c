// A Lennard-Jones fluid at constant temperature: energy and pressure at five state points against Monte
// Carlo. Its own standard errors are those of means over blocks of time (Flyvbjerg & Petersen 1989,
// doi:10.1063/1.457480).
#include "validate/gas/gas_job.h"
#include "validate/gas/suites.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { POINTS = 5, COUNT = 400, USUAL = 100000, FULL = 500000, EVERY = 25, BLOCKS = 20 };
static const double step = 0.002;
static const char source[] = "independent Monte Carlo of 400 particles";

struct mean {
    double value, error; // one standard error
};
struct state_point {
    const char *name;
    double density, temperature;
    struct mean energy, pressure; // known ones; a particle's energy
};
static const struct state_point points[POINTS] = {
    {"0.10", 0.1, 1, {-0.28727, 0.00015}, {0.09412, 0.00005}},
    {"0.30", 0.3, 1, {-0.77954, 0.00091}, {0.28674, 0.00058}},
    {"0.50", 0.5, 1, {-1.24846, 0.00064}, {0.62635, 0.00151}},
    {"0.70", 0.7, 1, {-1.76339, 0.00042}, {1.80754, 0.00320}},
    {"0.70-hot", 0.7, 2, {-1.41255, 0.00072}, {4.64241, 0.00516}},
};

static enum status run_point(struct validation_run *run, const struct state_point *point, int64_t steps)
{
    struct case_job job = gas_job_new(step, steps, EVERY);
    case_job_set(&job, "particles", "{\"lattice\": {\"count\": %d, \"seed\": 7}}", COUNT);
    case_job_set(&job, "domain", "{\"density\": %g, \"walls\": \"periodic\"}", point->density);
    case_job_set(&job, "physics",
                 "{\"potential\": {\"name\": \"lennard-jones\"}, \"thermostat\": {\"name\": \"langevin\", "
                 "\"temperature\": %g}}",
                 point->temperature);
    case_job_set(&job, "method", "{\"name\": \"cells\"}");
    return case_job_run_once(run, &job, point->name, NULL, body_case_precision(run));
}

// Of the later four fifths of the records: the lattice melts in the first.
static struct mean mean_over_blocks(const double *values, size_t records)
{
    const size_t skipped = records / 5, length = (records - skipped) / BLOCKS;
    double sum = 0, squares = 0;
    for (size_t block = 0; block < BLOCKS; block++) {
        double mean = 0;
        for (size_t k = 0; k < length; k++)
            mean += values[skipped + block * length + k] / (double)length;
        sum += mean;
        squares += mean * mean;
    }
    const double mean = sum / BLOCKS, variance = fmax(0, squares / BLOCKS - mean * mean);
    return (struct mean){mean, sqrt(variance / (BLOCKS - 1))};
}

static enum status read_mean(const struct validation_run *run, const char *name, const char *variable,
                             double scale, struct mean *mean)
{
    double *values;
    size_t records;
    CHECK(body_job_series(run, name, variable, &values, &records, NULL));
    *mean = mean_over_blocks(values, records);
    mean->value *= scale;
    mean->error *= scale;
    free(values);
    return STATUS_OK;
}

static enum status measure_mean(struct validation_run *run, const struct state_point *point, const char *what,
                                const struct mean *mean, const struct mean *known)
{
    char quantity[VALIDATION_NAME_BYTES];
    snprintf(quantity, sizeof quantity, "density %.2f, T %g: %s, +-%.2g", point->density, point->temperature,
             what, mean->error);
    return validation_measure(run, &(struct validation_measure){.quantity = quantity,
                                                                .unit = "1",
                                                                .computed = mean->value,
                                                                .reference = known->value,
                                                                .source = source,
                                                                .tolerance = "fluid/errors",
                                                                .scale = hypot(mean->error, known->error)});
}

static enum status measure_point(struct validation_run *run, const struct state_point *point)
{
    struct mean energy, pressure;
    CHECK(read_mean(run, point->name, "energy_potential", 1. / COUNT, &energy));
    CHECK(read_mean(run, point->name, "pressure", 1, &pressure));
    CHECK(measure_mean(run, point, "U/N", &energy, &point->energy));
    return measure_mean(run, point, "pressure", &pressure, &point->pressure);
}

enum status gas_case_fluid(struct validation_run *run)
{
    const int64_t steps = run->is_full ? FULL : USUAL; // 400 particles take a GPU as long as a processor
    for (int k = 0; k < POINTS; k++) {
        CHECK(run_point(run, &points[k], steps));
        CHECK(measure_point(run, &points[k]));
    }
    return case_note(run, points[0].name, "%d particles, Langevin (BAOAB); first", COUNT);
}
