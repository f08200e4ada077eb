// What drains the tissue: a wall that loses heat, perfusion, blood that flows.
#include "validate/bioheat/suites.h"
#include "validate/bioheat/tissue.h"
#include "validate/closed/heat_slab.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- a wall that loses heat

enum { WALL_CELLS = 16 };

static enum status run_wall(struct validation_run *run, int fine, double *error_k)
{
    // The air at 34 °C: 3 K below where temperatures are counted from.
    const double outside_k = -3, time_s = 400;
    const struct heat_cooling cooling = {0.02, tissue_brain.conductivity_w_m_k,
                                         tissue_capacity_j_m3_k(&tissue_brain), 60, 8 - outside_k};
    const size_t count = (size_t)(WALL_CELLS << fine);
    const double h = cooling.length_m / (double)count;
    char name[32];
    struct heat_job job;
    snprintf(name, sizeof name, "wall-%d", fine);
    enum status status = heat_job_new(&job, (const size_t[]){1, 1, count}, (const double[]){h, h, h});
    job.tissues[1] = tissue_brain;
    job.faces = "{\"all\": {\"kind\": \"insulated\"}, \"x_high\": {\"kind\": \"convective\", \"transfer\": "
                "\"60 W m-2 "
                "K-1\", \"outside\": \"34 degC\"}}";
    job.steps = (int64_t)(count * count) * 5;
    job.step_s = time_s / (double)job.steps;
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        job.theta_k[i] = 8;
    if (status == STATUS_OK)
        status = heat_job_run(run, &job, name);
    *error_k = 0;
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        *error_k = heat_worst(*error_k, fabs(job.theta_k[i] - outside_k -
                                             heat_cooling_k(&cooling, ((double)i + 0.5) * h, time_s)));
    heat_job_free(&job);
    return status;
}

enum status bioheat_case_wall(struct validation_run *run)
{
    double error[2];
    for (int fine = 0; fine < 2; fine++) {
        char quantity[VALIDATION_NAME_BYTES];
        CHECK(run_wall(run, fine, &error[fine]));
        snprintf(quantity, sizeof quantity, "largest error after 400 s at %g mm, of 11 K",
                 1.25 / (1 << fine));
        CHECK(
            validation_measure(run, &(struct validation_measure){.quantity = quantity,
                                                                 .unit = "K",
                                                                 .computed = error[fine],
                                                                 .source = "series, Carslaw & Jaeger (1959)",
                                                                 .tolerance = "convective-wall/error"}));
    }
    CHECK(validation_measure(run, &(struct validation_measure){.quantity = "order, 1.25 to 0.625 mm",
                                                               .unit = "1",
                                                               .computed = log2(error[0] / error[1]),
                                                               .reference = 2,
                                                               .source = "order of the wall",
                                                               .tolerance = "convective-wall/order"}));
    return heat_job_note(run, "wall-1", "20 mm of brain, 60 W/m2/K to air of 34 degC");
}

// ---- perfusion

enum status bioheat_case_perfusion(struct validation_run *run)
{
    struct heat_job job;
    double theta = NAN, spread = 0;
    const double time_s = 100;
    enum status status = heat_job_new(&job, (const size_t[]){4, 5, 6}, (const double[]){1e-3, 1e-3, 1e-3});
    job.tissues[1] = tissue_brain_perfused;
    job.faces = "{\"all\": {\"kind\": \"insulated\"}}";
    job.arterial_c = 36.5;
    job.steps = 1000;
    job.step_s = time_s / (double)job.steps;
    for (size_t cell = 0; cell < heat_job_cells(&job) && status == STATUS_OK; cell++)
        job.theta_k[cell] = 6;
    if (status == STATUS_OK)
        status = heat_job_run(run, &job, "perfusion");
    for (size_t cell = 0; cell < heat_job_cells(&job) && status == STATUS_OK; cell++) {
        theta = job.theta_k[cell];
        spread = heat_worst(spread, fabs(theta - job.theta_k[0]));
    }
    const double rate =
        tissue_brain_perfused.perfusion_w_m3_k / tissue_capacity_j_m3_k(&tissue_brain_perfused);
    const double euler = -0.5 + 6.5 * pow(1 - rate * job.step_s, (double)job.steps);
    heat_job_free(&job);
    CHECK(status);
    CHECK(validation_measure(run, &(struct validation_measure){.quantity = "rise after 100 s, of 6 K",
                                                               .unit = "K",
                                                               .computed = theta,
                                                               .reference = -0.5 + 6.5 * exp(-rate * time_s),
                                                               .source = "exponential decay",
                                                               .tolerance = "perfusion/decay"}));
    CHECK(validation_measure(run, &(struct validation_measure){.quantity = "the same, less explicit Euler's",
                                                               .unit = "K",
                                                               .computed = theta - euler,
                                                               .source = "explicit Euler's factor a step",
                                                               .tolerance = "perfusion/factor"}));
    CHECK(
        validation_measure(run, &(struct validation_measure){.quantity = "largest difference between cells",
                                                             .unit = "K",
                                                             .computed = spread,
                                                             .source = "a uniform temperature stays uniform",
                                                             .tolerance = "perfusion/spread"}));
    return heat_job_note(run, "perfusion", "brain, insulated, blood of 36.5 degC");
}

// ---- blood that flows

static enum status run_flow(struct validation_run *run, int fine, double *error_k)
{
    const double length_m = 0.04, speed_m_s = 1e-3, time_s = 5,
                 wave_number = 2 * 3.14159265358979323846 / length_m;
    const double capacity = tissue_capacity_j_m3_k(&tissue_brain), blood = 1050.0 * 3617;
    const double D = tissue_brain.conductivity_w_m_k / capacity;
    const size_t count = (size_t)(64 << fine);
    const double h = length_m / (double)count;
    char name[32];
    struct heat_job job;
    snprintf(name, sizeof name, "flow-%d", fine);
    enum status status = heat_job_new(&job, (const size_t[]){1, 1, count}, (const double[]){h, h, h});
    job.label = heat_job_array(&job);
    job.velocity_m_s = heat_job_array(&job);
    if (status == STATUS_OK && (!job.label || !job.velocity_m_s))
        status = FAIL(STATUS_SYSTEM, "not enough memory for a row of cells");
    job.tissues[1] = tissue_brain;
    job.steps = (int64_t)(count * count) / 4;
    job.step_s = time_s / (double)job.steps;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        job.label[i] = 1;
        job.velocity_m_s[i] = speed_m_s;
        job.theta_k[i] = 4 * sin(wave_number * ((double)i + 0.5) * h);
    }
    if (status == STATUS_OK)
        status = heat_job_run(run, &job, name);
    *error_k = 0;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        const double exact =
            4 * exp(-D * wave_number * wave_number * time_s) *
            sin(wave_number * (((double)i + 0.5) * h - blood / capacity * speed_m_s * time_s));
        *error_k = heat_worst(*error_k, fabs(job.theta_k[i] - exact));
    }
    heat_job_free(&job);
    return status;
}

enum status bioheat_case_flow(struct validation_run *run)
{
    double error[2];
    for (int fine = 0; fine < 2; fine++)
        CHECK(run_flow(run, fine, &error[fine]));
    CHECK(validation_measure(
        run, &(struct validation_measure){.quantity = "largest error after 5 s at 0.31 mm, of 4 K",
                                          .unit = "K",
                                          .computed = error[1],
                                          .source = "exact translation and decay",
                                          .tolerance = "blood-flow/error"}));
    CHECK(validation_measure(run, &(struct validation_measure){.quantity = "order, 0.62 to 0.31 mm",
                                                               .unit = "1",
                                                               .computed = log2(error[0] / error[1]),
                                                               .reference = 1,
                                                               .source = "upwind differences",
                                                               .tolerance = "blood-flow/order"}));
    return heat_job_note(run, "flow-1", "40 mm of brain, blood of 1 mm/s along x");
}
