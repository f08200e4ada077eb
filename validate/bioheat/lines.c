// Rows of cells whose final temperature is known exactly: two half spaces in contact, a wall that loses heat,
// blood that carries heat along. Each runs on two grids, the second twice as fine. Also a body that perfusion
// cools.
#include "validate/bioheat/suites.h"
#include "validate/bioheat/tissue.h"
#include "validate/closed/heat_slab.h"

#include <math.h>
#include <stdio.h>

struct line {
    const char *name; // of the jobs
    size_t cells;     // of the coarse grid
    double length_m, time_s;
    double steps; // number of steps divided by the square of the number of cells
    void (*fill)(struct heat_job *job, double length_m);
    heat_error *error;
    bool is_coarse_shown;       // the error on the coarse grid is judged too
    const char *spacings_mm[2]; // as they are printed
    const char *scale, *source; // of the error
    double order;               // expected
    const char *order_source;
    const char *error_tolerance, *order_tolerance;
    const char *note;
};

static enum status run_line(struct validation_run *run, const struct line *line, int fine, double *error_k)
{
    const size_t count = line->cells << fine;
    struct heat_job job;
    char name[32];
    snprintf(name, sizeof name, "%s-%d", line->name, fine);
    heat_job_new(&job, 1, 1, count, line->length_m / (double)count);
    line->fill(&job, line->length_m);
    job.steps = (int64_t)((double)(count * count) * line->steps);
    job.step_s = line->time_s / (double)job.steps;
    return heat_job_error(run, &job, name, line->error, line, error_k);
}

static enum status measure_line(struct validation_run *run, const struct line *line)
{
    double error[2];
    char name[32];
    for (int fine = 0; fine < 2; fine++) {
        CHECK(run_line(run, line, fine, &error[fine]));
        if (fine == 1 || line->is_coarse_shown)
            CHECK(validation_compare(run, line->error_tolerance, "K", line->source, error[fine], 0,
                                     "largest error after %g s at %s mm, of %s", line->time_s,
                                     line->spacings_mm[fine], line->scale));
    }
    CHECK(validation_compare(run, line->order_tolerance, "1", line->order_source, log2(error[0] / error[1]),
                             line->order, "order, %s to %s mm", line->spacings_mm[0], line->spacings_mm[1]));
    snprintf(name, sizeof name, "%s-1", line->name);
    return case_note(run, name, "%s", line->note);
}

// ---- contact of two half spaces

static const double contact_k[2] = {10, -2};

static void fill_contact(struct heat_job *job, double length_m)
{
    (void)length_m;
    heat_job_add(job, &job->label);
    tissue_set_head(job, &tissue_brain);
    job->faces = "{\"all\": {\"kind\": \"insulated\"}}";
    for (size_t i = 0; i < heat_job_cells(job); i++) {
        const bool is_right = i >= job->cells[2] / 2;
        job->label[i] = is_right ? 1 : 3;
        job->theta_k[i] = contact_k[is_right];
    }
}

static double contact_error_k(const void *context, const double at_m[3], double rise_k)
{
    const struct line *line = context;
    const struct heat_contact contact = {
        {contact_k[0], contact_k[1]},
        {tissue_brain.conductivity_w_m_k, tissue_skin.conductivity_w_m_k},
        {tissue_capacity_j_m3_k(&tissue_brain), tissue_capacity_j_m3_k(&tissue_skin)}};
    return rise_k - heat_contact_k(&contact, at_m[2] - line->length_m / 2, line->time_s);
}

enum status bioheat_case_contact(struct validation_run *run)
{
    return measure_line(run,
                        &(const struct line){.name = "contact",
                                             .cells = 80,
                                             .length_m = 40e-3,
                                             .time_s = 40,
                                             .steps = 1.0 / 8,
                                             .fill = fill_contact,
                                             .error = contact_error_k,
                                             .is_coarse_shown = true,
                                             .spacings_mm = {"0.5", "0.25"},
                                             .scale = "a jump of 12 K",
                                             .source = "Carslaw & Jaeger (1959)",
                                             .order = 2,
                                             .order_source = "order of the scheme at an interface",
                                             .error_tolerance = "contact/error",
                                             .order_tolerance = "contact/order",
                                             .note = "20 mm of brain at 47 degC, 20 mm of skin at 35 degC"});
}

// ---- a wall that loses heat

static const double outside_k = -3; // air of 34 degC, 3 K below the reference temperature

static void fill_wall(struct heat_job *job, double length_m)
{
    (void)length_m;
    job->tissues[1] = tissue_brain;
    job->faces = "{\"all\": {\"kind\": \"insulated\"}, \"x_high\": {\"kind\": \"convective\", \"transfer\": "
                 "\"60 W m-2 K-1\", \"outside\": \"34 degC\"}}";
    for (size_t i = 0; i < heat_job_cells(job); i++)
        job->theta_k[i] = 8;
}

static double wall_error_k(const void *context, const double at_m[3], double rise_k)
{
    const struct line *line = context;
    const struct heat_cooling cooling = {line->length_m, tissue_brain.conductivity_w_m_k,
                                         tissue_capacity_j_m3_k(&tissue_brain), 60, 8 - outside_k};
    return rise_k - outside_k - heat_cooling_k(&cooling, at_m[2], line->time_s);
}

enum status bioheat_case_wall(struct validation_run *run)
{
    return measure_line(run, &(const struct line){.name = "wall",
                                                  .cells = 16,
                                                  .length_m = 0.02,
                                                  .time_s = 400,
                                                  .steps = 5,
                                                  .fill = fill_wall,
                                                  .error = wall_error_k,
                                                  .is_coarse_shown = true,
                                                  .spacings_mm = {"1.25", "0.625"},
                                                  .scale = "11 K",
                                                  .source = "series, Carslaw & Jaeger (1959)",
                                                  .order = 2,
                                                  .order_source = "order of the wall",
                                                  .error_tolerance = "convective-wall/error",
                                                  .order_tolerance = "convective-wall/order",
                                                  .note = "20 mm of brain, 60 W/m2/K to air of 34 degC"});
}

// ---- blood that flows

static const double speed_m_s = 1e-3;

static double wave_number_rad_m(double length_m)
{
    return 2 * 3.14159265358979323846 / length_m;
}

static void fill_flow(struct heat_job *job, double length_m)
{
    heat_job_add(job, &job->label);
    heat_job_add(job, &job->velocity_m_s);
    job->tissues[1] = tissue_brain;
    for (size_t i = 0; i < heat_job_cells(job); i++) {
        job->label[i] = 1;
        job->velocity_m_s[i] = speed_m_s;
        job->theta_k[i] = 4 * sin(wave_number_rad_m(length_m) * ((double)i + 0.5) * job->spacing_m[2]);
    }
}

static double flow_error_k(const void *context, const double at_m[3], double rise_k)
{
    const struct line *line = context;
    const double capacity = tissue_capacity_j_m3_k(&tissue_brain), blood = 1050.0 * 3617;
    const double D = tissue_brain.conductivity_w_m_k / capacity, k = wave_number_rad_m(line->length_m);
    return rise_k - 4 * exp(-D * k * k * line->time_s) *
                        sin(k * (at_m[2] - blood / capacity * speed_m_s * line->time_s));
}

enum status bioheat_case_flow(struct validation_run *run)
{
    return measure_line(run, &(const struct line){.name = "flow",
                                                  .cells = 64,
                                                  .length_m = 0.04,
                                                  .time_s = 5,
                                                  .steps = 1.0 / 4,
                                                  .fill = fill_flow,
                                                  .error = flow_error_k,
                                                  .spacings_mm = {"0.62", "0.31"},
                                                  .scale = "4 K",
                                                  .source = "exact translation and decay",
                                                  .order = 1,
                                                  .order_source = "upwind differences",
                                                  .error_tolerance = "blood-flow/error",
                                                  .order_tolerance = "blood-flow/order",
                                                  .note = "40 mm of brain, blood of 1 mm/s along x"});
}

// ---- perfusion

enum status bioheat_case_perfusion(struct validation_run *run)
{
    struct heat_job job;
    double theta = NAN, spread = 0;
    const double time_s = 100;
    heat_job_new(&job, 4, 5, 6, 1e-3);
    job.tissues[1] = tissue_brain_perfused;
    job.faces = "{\"all\": {\"kind\": \"insulated\"}}";
    job.arterial_c = 36.5;
    job.steps = 1000;
    job.step_s = time_s / (double)job.steps;
    for (size_t cell = 0; cell < heat_job_cells(&job); cell++)
        job.theta_k[cell] = 6;
    const enum status status = heat_job_run(run, &job, "perfusion");
    for (size_t cell = 0; cell < heat_job_cells(&job) && status == STATUS_OK; cell++) {
        theta = job.theta_k[cell];
        spread = heat_worst(spread, fabs(theta - job.theta_k[0]));
    }
    const double rate =
        tissue_brain_perfused.perfusion_w_m3_k / tissue_capacity_j_m3_k(&tissue_brain_perfused);
    const double euler = -0.5 + 6.5 * pow(1 - rate * job.step_s, (double)job.steps);
    heat_job_free(&job);
    CHECK(status);
    CHECK(validation_compare(run, "perfusion/decay", "K", "exponential decay", theta,
                             -0.5 + 6.5 * exp(-rate * time_s), "rise after 100 s, of 6 K"));
    CHECK(validation_compare(run, "perfusion/factor", "K", "explicit Euler's factor a step", theta - euler, 0,
                             "the same, less explicit Euler's"));
    CHECK(validation_compare(run, "perfusion/spread", "K", "a uniform temperature stays uniform", spread, 0,
                             "largest difference between cells"));
    return case_note(run, "perfusion", "brain, insulated, blood of 36.5 degC");
}
