// A gas between damped walls condenses: drops form, and the largest grows tenfold. Four stages, as the source
// document shows them.
#include "validate/gas/gas_job.h"
#include "validate/gas/suites.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 900, STEPS = 21000, EVERY = 200, STAGES = 4, LAST_RECORDS = 5 };
static const double side = 78, step = 0.02;
static const char name[] = "condensation";

static enum status run_condensation(struct validation_run *run)
{
    struct case_job job = gas_job_new(step, STEPS, EVERY);
    case_job_set(&job, "particles", "{\"random\": {\"count\": %d, \"temperature\": 2}}", COUNT);
    case_job_set(&job, "domain", "{\"size\": [%g, %g], \"walls\": \"damped\", \"damping\": 0.9}", side, side);
    case_job_set(&job, "physics",
                 "{\"potential\": {\"name\": \"condensing\", \"attraction\": 0.0001, \"attraction2\": 10, "
                 "\"smooth\": true}}");
    case_job_set(&job, "output.structure.every", "%.17g", EVERY * step);
    case_job_set(&job, "output.fields.every", "%.17g", STEPS / 3 * step);
    return case_job_run_once(run, &job, name, NULL, body_case_precision(run));
}

// ---- drops

static double mean_of(const double *values, size_t count)
{
    double sum = 0;
    for (size_t k = 0; k < count; k++)
        sum += values[k];
    return sum / (double)count;
}

static enum status draw_growth(struct validation_run *run, const double *largest, size_t records)
{
    struct validation_picture *picture;
    CHECK(validation_picture(run, "Growth of the largest drop", "time", "particles",
                             "Particles nearer than 1.5 cores belong to one drop.", &picture));
    return validation_line_even(run, picture, "largest", false, 0, EVERY * step, largest, records);
}

static enum status measure_growth(struct validation_run *run)
{
    double *largest;
    size_t shape[4];
    CHECK(case_read_variable(run, name, "structure.nc", "largest_cluster", &largest, shape));
    const size_t records = shape[0];
    enum status status =
        records > LAST_RECORDS ? STATUS_OK : FAIL(STATUS_DATA, "structure.nc has only %zu records", records);
    if (status == STATUS_OK) {
        const double last = mean_of(largest + records - LAST_RECORDS, LAST_RECORDS);
        status = validation_compare(
            run, "condensation/growth", "1", "Balen's (2016) figure 35: drops form", last / largest[0], 10,
            "largest drop, %.0f particles, over the first, of %.0f", last, largest[0]);
    }
    if (status == STATUS_OK)
        status = draw_growth(run, largest, records);
    free(largest);
    return status;
}

// ---- energy: walls only take it

static enum status measure_energy(struct validation_run *run)
{
    double *energy, rise = 0;
    size_t records;
    CHECK(body_job_series(run, name, "energy_total", &energy, &records, NULL));
    for (size_t k = 1; k < records; k++)
        rise = body_worse(rise, (energy[k] - energy[k - 1]) / COUNT);
    const double lost = (energy[records - 1] - energy[0]) / COUNT;
    free(energy);
    CHECK(validation_compare(run, "condensation/rise", "1", "damped walls only take energy", rise, 0,
                             "largest rise of the energy a particle from one record to the next"));
    return validation_compare(run, NULL, "1", "given to the walls", lost, NAN,
                              "change of the energy a particle");
}

// ---- pictures

static enum status draw_stage(struct validation_run *run, const double *coordinates, size_t stage,
                              double time)
{
    struct validation_picture *picture;
    double x[COUNT], y[COUNT];
    char title[VALIDATION_NAME_BYTES];
    snprintf(title, sizeof title, "Condensation, time %.3g", time);
    for (size_t k = 0; k < COUNT; k++) {
        x[k] = coordinates[(stage * COUNT + k) * 3];
        y[k] = coordinates[(stage * COUNT + k) * 3 + 1];
    }
    CHECK(validation_picture(run, title, "x", "y", "", &picture));
    picture->is_map = true;
    return validation_line(run, picture, "particles", true, x, y, COUNT);
}

static enum status draw_stages(struct validation_run *run)
{
    double *coordinates;
    size_t shape[4];
    CHECK(case_read_variable(run, name, "trajectory.nc", "coordinates", &coordinates, shape));
    enum status status =
        shape[0] >= STAGES && shape[1] == COUNT && shape[2] == 3
            ? STATUS_OK
            : FAIL(STATUS_DATA, "trajectory.nc has %zu frames of %zu particles", shape[0], shape[1]);
    for (size_t stage = 0; stage < STAGES && status == STATUS_OK; stage++)
        status = draw_stage(run, coordinates, stage, (double)stage * (STEPS / 3) * step);
    free(coordinates);
    return status;
}

enum status gas_case_condensation(struct validation_run *run)
{
    CHECK(run_condensation(run));
    CHECK(measure_growth(run));
    CHECK(measure_energy(run));
    CHECK(draw_stages(run));
    return case_note(run, name, "%d particles in a box of %g, walls that take nine tenths of the speed",
                     COUNT, side);
}
