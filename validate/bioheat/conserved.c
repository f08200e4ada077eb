// Tissues and air at random, cell by cell, in insulated walls: no heat comes or goes. The sum is taken here,
// from the state at the end, and is also read from the run's own diagnostics. And a head, heated for a while:
// what the beam brought is there, and stays.
#include "validate/bioheat/suites.h"
#include "validate/bioheat/tissue.h"

#include <cjson/cJSON.h>
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
    double sum = 0, lost = 0; // compensated: the sum's own rounding is not the matter
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

static enum status new_body(struct heat_job *job)
{
    CHECK(heat_job_new(job, (const size_t[]){CELLS_Z, CELLS_Y, CELLS_X},
                       (const double[]){1e-3, 1.2e-3, 0.9e-3}));
    job->label = heat_job_array(job);
    if (!job->label)
        return FAIL(STATUS_SYSTEM, "not enough memory for labels");
    job->tissue_count = 3;
    job->tissues[1] = tissue_skin;
    job->tissues[2] = tissue_skull;
    job->tissues[3] = tissue_brain;
    job->faces = "{\"all\": {\"kind\": \"insulated\"}}";
    for (size_t cell = 0; cell < heat_job_cells(job); cell++) {
        // Rises that single precision holds exactly, so that both start with the same heat.
        job->label[cell] = floor(3.6 * rough(2 * cell + 1)) + 1;
        job->label[cell] = job->label[cell] > 3 ? 0 : job->label[cell];
        job->theta_k[cell] = floor(20 * 256 * rough(2 * cell)) / 256 - 5;
    }
    job->step_s = 0.15;
    job->steps = 400;
    return STATUS_OK;
}

static enum status measure(struct validation_run *run, const char *method, const char *precision)
{
    struct heat_job job;
    char name[64], quantity[VALIDATION_NAME_BYTES], tolerance[VALIDATION_NAME_BYTES];
    double start_j = NAN, end_j = NAN;
    snprintf(name, sizeof name, "%s-%s", method, precision);
    enum status status = new_body(&job);
    if (status == STATUS_OK) {
        start_j = heat_j(&job);
        job.method = method;
        job.precision = precision;
        status = heat_job_run(run, &job, name);
    }
    if (status == STATUS_OK)
        end_j = heat_j(&job);
    heat_job_free(&job);
    CHECK(status);
    snprintf(quantity, sizeof quantity, "%s, %s: heat after %d steps", method, precision, 400);
    snprintf(tolerance, sizeof tolerance, "conservation/heat-%s", precision);
    return validation_measure(run, &(struct validation_measure){.quantity = quantity,
                                                                .unit = "J",
                                                                .computed = end_j,
                                                                .reference = start_j,
                                                                .source = "heat at the start",
                                                                .tolerance = tolerance});
}

static enum status measure_diagnostics(struct validation_run *run, const char *name, const char *precision)
{
    double *heat;
    size_t shape[4];
    char quantity[VALIDATION_NAME_BYTES], tolerance[VALIDATION_NAME_BYTES];
    CHECK(case_read_variable(run, name, "diagnostics.nc", "heat", &heat, shape));
    const double start_j = heat[0], end_j = heat[shape[0] - 1];
    free(heat);
    snprintf(quantity, sizeof quantity, "%s: heat at the end by the run's own diagnostics", precision);
    snprintf(tolerance, sizeof tolerance, "conservation/heat-%s", precision);
    return validation_measure(run, &(struct validation_measure){.quantity = quantity,
                                                                .unit = "J",
                                                                .computed = end_j,
                                                                .reference = start_j,
                                                                .source = "its heat at the start",
                                                                .tolerance = tolerance});
}

enum status bioheat_case_conserved(struct validation_run *run)
{
    static const char *const methods[] = {"euler", "euler-in-place"}, *const precisions[] = {"double",
                                                                                             "single"};
    static const char what[] = "33 x 37 x 41 cells of skin, skull, brain and air at random, insulated";
    for (int p = 0; p < 2; p++) {
        char name[64];
        if (!case_precision_is_asked(run, precisions[p]))
            continue;
        for (int m = 0; m < 2; m++)
            CHECK(measure(run, methods[m], precisions[p]));
        snprintf(name, sizeof name, "euler-%s", precisions[p]);
        CHECK(measure_diagnostics(run, name, precisions[p]));
        CHECK(heat_job_note(run, name, what));
    }
    return STATUS_OK;
}

// ---- a head

const char *const bioheat_head_files[] = {"head.nc", "heating.nc", NULL};

static enum status set_head(struct cJSON *job)
{
    static const char *const removed[] = {"output.fields", "output.sensors", "check", "dose"};
    for (size_t k = 0; k < sizeof removed / sizeof *removed; k++)
        CHECK(case_job_set(job, removed[k], NULL));
    CHECK(case_job_set(job, "physics.perfusion", "false"));
    CHECK(case_job_set(job, "source.protocols.sonication.on", "\"5 s\""));
    CHECK(case_job_set(job, "output.diagnostics.every", "\"5 s\""));
    CHECK(case_job_set(job, "output.maxima", "false"));
    return case_job_set(job, "time.duration", "\"10 s\"");
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
    CHECK(validation_measure(run, &(struct validation_measure){.quantity = "heat found after 5 s of heating",
                                                               .unit = "J",
                                                               .computed = middle_j,
                                                               .reference = given_j,
                                                               .source = "power of the source times 5 s",
                                                               .tolerance = "head/given"}));
    return validation_measure(run, &(struct validation_measure){.quantity = "heat 5 s later",
                                                                .unit = "J",
                                                                .computed = end_j,
                                                                .reference = middle_j,
                                                                .source = "heat when the beam went off",
                                                                .tolerance = "head/kept"});
}

enum status bioheat_case_head(struct validation_run *run)
{
    struct cJSON *job = NULL;
    CHECK(case_job_read("jobs/head-hyperthermia.json", &job));
    enum status status = set_head(job);
    if (status == STATUS_OK)
        status = case_job_run(run, job, "head", NULL, "double");
    cJSON_Delete(job);
    CHECK(status);
    CHECK(measure_head(run));
    return heat_job_note(
        run, "head",
        "data/jobs/head-hyperthermia.json without blood, insulated, 5 s of heating and 5 s after");
}
