// Particles that all start with one speed reach Maxwell's distribution: chi² over classes of equal
// probability.
#include "validate/gas/gas_job.h"
#include "validate/gas/suites.h"

#include "core/philox.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 100, COUNT = SIDE * SIDE, CLASSES = 40, STEPS = 4000, BINS = 60 };
static const double pi = 3.14159265358979323846, spacing = 1.4, step = 0.005;

// A square lattice; speed √2 each, in directions at random.
static enum status write_start(const struct validation_run *run)
{
    struct body_set set = {0};
    enum status status = body_set_new(&set, COUNT);
    for (size_t k = 0; k < COUNT && status == STATUS_OK; k++) {
        const struct philox_counter words =
            philox4x32(philox_counter_from(0, k), philox_key_from_seed(20161122));
        const double turn = 2 * pi * philox_double(words.v[0], words.v[1]);
        set.position[3 * k] = spacing * ((double)(k % SIDE) + 0.5);
        set.position[3 * k + 1] = spacing * ((double)(k / SIDE) + 0.5);
        set.velocity[3 * k] = sqrt(2) * cos(turn);
        set.velocity[3 * k + 1] = sqrt(2) * sin(turn);
        set.mass[k] = 1;
    }
    if (status == STATUS_OK)
        status = body_set_write(run, &set, "start.nc");
    body_set_free(&set);
    return status;
}

static enum status run_speeds(struct validation_run *run, const char *name)
{
    CHECK(write_start(run));
    struct case_job job = gas_job_new(step, STEPS, STEPS);
    case_job_set(&job, "particles", GAS_JOB_FILE("start.nc"));
    case_job_set(&job, "domain", "{\"size\": [%g, %g], \"walls\": \"periodic\"}", SIDE * spacing,
                 SIDE * spacing);
    case_job_set(&job, "physics", "{\"potential\": {\"name\": \"lj-force-shifted\"}}");
    return case_job_run_once(run, &job, name, NULL, body_case_precision(run));
}

// ---- the distribution

// Probability that χ² of an even number of degrees of freedom is more than this.
static double chance_of_more(double chi2, int degrees)
{
    double term = exp(-chi2 / 2), sum = 0;
    for (int k = 0; k < degrees / 2; k++) {
        sum += term;
        term *= chi2 / 2 / (k + 1);
    }
    return sum;
}

// ⟨v²⟩/2, of unit masses.
static double temperature_of(const struct body_set *set)
{
    double sum = 0;
    for (size_t k = 0; k < set->count; k++)
        sum += pow(body_length(&set->velocity[3 * k]), 2) / 2;
    return sum / (double)set->count;
}

static double chi2_of(const struct body_set *set, double temperature)
{
    const double expected = (double)set->count / CLASSES;
    double counts[CLASSES] = {0}, chi2 = 0;
    for (size_t k = 0; k < set->count; k++) {
        // Of Maxwell's speeds in two dimensions this is even from 0 to 1.
        const double share = -expm1(-pow(body_length(&set->velocity[3 * k]), 2) / (2 * temperature));
        counts[share < 1 ? (int)(share * CLASSES) : CLASSES - 1]++;
    }
    for (int c = 0; c < CLASSES; c++)
        chi2 += pow(counts[c] - expected, 2) / expected;
    return chi2;
}

static enum status draw_speeds(struct validation_run *run, const struct body_set *set, double temperature)
{
    struct validation_picture *picture;
    const double width = 5. / BINS;
    double u[BINS], density[BINS] = {0}, maxwell[BINS];
    for (size_t k = 0; k < set->count; k++) {
        const double at = body_length(&set->velocity[3 * k]) / sqrt(temperature) / width;
        if (at < BINS)
            density[(int)at] += 1 / (width * (double)set->count);
    }
    for (int bin = 0; bin < BINS; bin++) {
        u[bin] = (bin + 0.5) * width;
        maxwell[bin] = u[bin] * exp(-u[bin] * u[bin] / 2);
    }
    CHECK(validation_picture(run, "Speeds", "v sqrt(m/T)", "density",
                             "At the end of a run whose particles all began with the same speed.", &picture));
    CHECK(validation_line(run, picture, "Maxwell", false, u, maxwell, BINS));
    return validation_line(run, picture, "run", true, u, density, BINS);
}

static enum status measure_speeds(struct validation_run *run, const struct body_set *set)
{
    static const char source[] = "Maxwell's distribution in two dimensions";
    const double temperature = temperature_of(set), chi2 = chi2_of(set, temperature);
    const int degrees = CLASSES - 2; // the number and the temperature are the run's own
    double fourth = 0;
    for (size_t k = 0; k < set->count; k++)
        fourth += pow(body_length(&set->velocity[3 * k]), 4) / (double)set->count;
    CHECK(validation_compare(run, "speeds/chance", "1", source, chance_of_more(chi2, degrees), 0.5,
                             "chance of a larger chi2 than %.1f, %d degrees of freedom", chi2, degrees));
    CHECK(validation_compare(run, "speeds/fourth", "1", source, fourth / pow(2 * temperature, 2), 2,
                             "<v4>/<v2>2"));
    CHECK(validation_compare(run, NULL, "1", "the run's own", temperature, NAN, "temperature"));
    return draw_speeds(run, set, temperature);
}

enum status gas_case_speeds(struct validation_run *run)
{
    static const char name[] = "speeds";
    struct body_set set;
    CHECK(run_speeds(run, name));
    enum status status = body_set_read(run, name, &set);
    if (status == STATUS_OK && set.count != COUNT)
        status = FAIL(STATUS_DATA, "the job ended with %zu particles", set.count);
    if (status == STATUS_OK)
        status = measure_speeds(run, &set);
    body_set_free(&set);
    CHECK(status);
    return case_note(run, name, "%d particles, all of speed sqrt(2) at the start", COUNT);
}
