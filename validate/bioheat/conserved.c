// Tissues and air at random, cell by cell, in insulated walls: no heat comes or goes. The sum is taken here,
// from the state at the end, and is also read from the run's own diagnostics. And a head, heated for a while:
// what the beam brought is there, and stays.
#include "validate/bioheat/suites.h"
#include "validate/bioheat/tissue.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS_Z = 33, CELLS_Y = 37, CELLS_X = 41 };

// Between 0 and 1, without pattern (splitmix64's finalizer).
static double rough(uint64_t n)
{
    n *= 0x9e3779b97f4a7c15u;
    n = (n ^ n >> 30) * 0xbf58476d1ce4e5b9u;
    n = (n ^ n >> 27) * 0x94d049bb133111ebu;
    return (double)((n ^ n >> 31) >> 11) * 0x1p-53;
}

static double heat_j(const struct heat_job *job)
{
    const double volume = job->spacing_m[0] * job->spacing_m[1] * job->spacing_m[2];
    double sum = 0, lost = 0; // compensated, so that the sum itself does not round
    for (size_t cell = 0; cell < heat_job_cells(job); cell++) {
        if (job->label[cell] == 0)
            continue;
        const double term =
            tissue_capacity_j_m3_k(&job->tissues[(int)job->label[cell]]) * job->theta_k[cell] * volume;
        const double next = sum + (term - lost);
        lost = (next - sum) - (term - lost);
        sum = next;
    }
    return sum;
}

static void new_body(struct heat_job *job)
{
    heat_job_new(job, CELLS_Z, CELLS_Y, CELLS_X, 1e-3);
    job->spacing_m[1] = 1.2e-3;
    job->spacing_m[2] = 0.9e-3;
    heat_job_add(job, &job->label);
    tissue_set_head(job, &tissue_brain);
    job->faces = "{\"all\": {\"kind\": \"insulated\"}}";
    for (size_t cell = 0; cell < heat_job_cells(job); cell++) {
        // Rises that single precision holds exactly, so that both start with the same heat.
        job->label[cell] = floor(3.6 * rough(2 * cell + 1)) + 1;
        job->label[cell] = job->label[cell] > 3 ? 0 : job->label[cell];
        job->theta_k[cell] = floor(20 * 256 * rough(2 * cell)) / 256 - 5;
    }
    job->step_s = 0.15;
    job->steps = 400;
}

static enum status measure(struct validation_run *run, const char *method, const char *precision)
{
    struct heat_job job;
    char name[64], tolerance[VALIDATION_NAME_BYTES];
    snprintf(name, sizeof name, "%s-%s", method, precision);
    new_body(&job);
    job.method = method;
    job.precision = precision;
    const double start_j = heat_j(&job);
    const enum status status = heat_job_run(run, &job, name);
    const double end_j = heat_j(&job);
    heat_job_free(&job);
    CHECK(status);
    snprintf(tolerance, sizeof tolerance, "conservation/heat-%s", precision);
    return validation_compare(run, tolerance, "J", "heat at the start", end_j, start_j,
                              "%s, %s: heat after %d steps", method, precision, 400);
}

static enum status measure_diagnostics(struct validation_run *run, const char *name, const char *precision)
{
    double *heat;
    size_t shape[4];
    char tolerance[VALIDATION_NAME_BYTES];
    CHECK(case_read_variable(run, name, "diagnostics.nc", "heat", &heat, shape));
    const double start_j = heat[0], end_j = heat[shape[0] - 1];
    free(heat);
    snprintf(tolerance, sizeof tolerance, "conservation/heat-%s", precision);
    return validation_compare(run, tolerance, "J", "its heat at the start", end_j, start_j,
                              "%s: heat at the end by the run's own diagnostics", precision);
}

enum status bioheat_case_conserved(struct validation_run *run)
{
    static const char *const methods[] = {"euler", "euler-in-place"};
    for (const char *const *precision = case_precisions(run); *precision; precision++) {
        char name[64];
        for (int m = 0; m < 2; m++)
            CHECK(measure(run, methods[m], *precision));
        snprintf(name, sizeof name, "euler-%s", *precision);
        CHECK(measure_diagnostics(run, name, *precision));
        CHECK(case_note(run, name, "33 x 37 x 41 cells of skin, skull, brain and air at random, insulated"));
    }
    return STATUS_OK;
}

// ---- a head

const char *const bioheat_head_files[] = {"head.nc", "heating.nc", NULL};

static enum status run_head(struct validation_run *run)
{
    static const char *const removed[] = {"output.fields", "output.sensors", "check", "dose"};
    struct case_job job = case_job_read("jobs/head-hyperthermia.json");
    for (size_t k = 0; k < sizeof removed / sizeof *removed; k++)
        case_job_remove(&job, removed[k]);
    case_job_remove(&job, "time.tolerance");
    case_job_set(&job, "method", "\"euler\""); // as all cases of conservation
    case_job_set(&job, "physics.perfusion", "false");
    case_job_set(&job, "source.protocols.sonication.on", "\"5 s\"");
    case_job_set(&job, "output.diagnostics.every", "\"5 s\"");
    case_job_set(&job, "output.maxima", "false");
    case_job_set(&job, "time.duration", "\"10 s\"");
    return case_job_run_once(run, &job, "head", NULL, "double");
}

static enum status measure_head(struct validation_run *run)
{
    double *heat = NULL, *power = NULL;
    size_t shape[4];
    CHECK(case_read_variable(run, "head", "diagnostics.nc", "heat", &heat, shape));
    enum status status = case_read_variable(run, "head", "diagnostics.nc", "source_power", &power, shape);
    const bool has_all = status == STATUS_OK && shape[0] == 3; // at 0, 5 and 10 s
    const double given_j = has_all ? 5 * power[1] : (double)NAN, middle_j = has_all ? heat[1] : (double)NAN,
                 end_j = has_all ? heat[2] : (double)NAN;
    free(heat);
    free(power);
    CHECK(status);
    CHECK(validation_compare(run, "head/given", "J", "power of the source times 5 s", middle_j, given_j,
                             "heat found after 5 s of heating"));
    return validation_compare(run, "head/conserved-heat", "J", "heat when the beam went off", end_j, middle_j,
                              "heat 5 s later");
}

enum status bioheat_case_head(struct validation_run *run)
{
    CHECK(run_head(run));
    CHECK(measure_head(run));
    return case_note(
        run, "head",
        "data/jobs/head-hyperthermia.json without blood, insulated, 5 s of heating and 5 s after");
}
