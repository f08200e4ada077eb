// Thermal dose: an hour at 43 °C in short steps, and ramps of temperature in cells that air parts from each
// other.
#include "validate/bioheat/suites.h"
#include "validate/bioheat/tissue.h"
#include "validate/closed/heat_dose.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// ---- an hour

static enum status measure_hour(struct validation_run *run, const char *precision)
{
    struct heat_job job;
    double *dose = NULL, minutes = NAN;
    char name[32], tolerance[VALIDATION_NAME_BYTES];
    snprintf(name, sizeof name, "hour-%s", precision);
    heat_job_new(&job, 1, 1, 4, 1e-3);
    job.tissues[1] = tissue_brain;
    job.dose = "kwave";
    job.precision = precision;
    job.step_s = 0.01;
    job.steps = 360000;
    for (size_t cell = 0; cell < heat_job_cells(&job); cell++)
        job.theta_k[cell] = 6;
    enum status status = heat_job_run(run, &job, name);
    if (status == STATUS_OK)
        status = heat_job_read(run, &job, name, "state.nc", "dose", &dose);
    if (status == STATUS_OK)
        minutes = dose[0];
    free(dose);
    heat_job_free(&job);
    CHECK(status);
    snprintf(tolerance, sizeof tolerance, "dose-hour/%s", precision);
    return validation_compare(run, tolerance, "min", "an hour at 43 degC is 60 CEM43", minutes, 60,
                              "%s precision: dose of 360000 steps", precision);
}

enum status bioheat_case_dose_hour(struct validation_run *run)
{
    for (const char *const *precision = case_precisions(run); *precision; precision++) {
        char name[32];
        CHECK(measure_hour(run, *precision));
        snprintf(name, sizeof name, "hour-%s", *precision);
        CHECK(case_note(run, name, "four cells at 43 degC; last"));
    }
    return STATUS_OK;
}

// ---- ramps

// All start at 35 °C, rise for 240 s and fall for 200 s, each by its own share of the steepest, which reaches
// 59 °C.
enum { RAMPS = 8 };
static const double up_s = 240, down_s = 200, steepest_k_s = 0.1, ramp_step_s = 0.2;

static double steepness(int ramp)
{
    return steepest_k_s * (ramp + 1) / RAMPS;
}

static double exact_min(enum heat_dose_definition definition, int ramp)
{
    const double top_c = 35 + steepness(ramp) * up_s;
    return heat_dose_ramp_min(definition, 35, top_c, up_s, false) +
           heat_dose_ramp_min(definition, top_c, top_c - steepness(ramp) * down_s, down_s, top_c >= 43);
}

static enum status run_ramps(struct validation_run *run, const char *definition, double dose_min[RAMPS])
{
    static const char source[] = "{\"maps\": {\"ramps\": {\"file\": \"%s.nc\", \"variable\": \"source\", "
                                 "\"amplitude\": \"ramps\"}}, \"tables\": {\"ramps\": {\"times\": [\"0 s\", "
                                 "\"240 s\", \"440 s\"], \"values\": [1, -1], \"between\": \"stepwise\"}}}";
    struct heat_job job;
    double *dose = NULL;
    char json[512];
    snprintf(json, sizeof json, source, definition);
    heat_job_new(&job, 1, 1, 2 * RAMPS, 1e-3);
    heat_job_add(&job, &job.label);
    heat_job_add(&job, &job.source_w_m3);
    job.tissues[1] = tissue_brain;
    job.faces = "{\"all\": {\"kind\": \"insulated\"}}";
    job.dose = definition;
    job.source = json;
    job.step_s = ramp_step_s;
    job.steps = (int64_t)lround((up_s + down_s) / ramp_step_s);
    for (size_t k = 0; k < heat_job_cells(&job); k++) {
        job.label[k] = k % 2 == 0;
        job.theta_k[k] = -2;
        job.source_w_m3[k] = steepness((int)k / 2) * tissue_capacity_j_m3_k(&tissue_brain);
    }
    enum status status = heat_job_run(run, &job, definition);
    if (status == STATUS_OK)
        status = heat_job_read(run, &job, definition, "state.nc", "dose", &dose);
    for (int k = 0; k < RAMPS && status == STATUS_OK; k++)
        dose_min[k] = dose[2 * k];
    free(dose);
    heat_job_free(&job);
    return status;
}

enum status bioheat_case_dose_ramps(struct validation_run *run)
{
    static const char *const names[] = {"none", "kwave", "iso"};
    static const enum heat_dose_definition definitions[] = {HEAT_DOSE_PLAIN, HEAT_DOSE_KWAVE, HEAT_DOSE_ISO};
    for (int d = 0; d < 3; d++) {
        double dose_min[RAMPS];
        CHECK(run_ramps(run, names[d], dose_min));
        for (int k = 0; k < RAMPS; k++) {
            const double exact = exact_min(definitions[d], k), top_c = 35 + steepness(k) * up_s;
            if (isinf(exact)) // "infinite" is a yes or no: both sides as one
                CHECK(validation_compare(run, "dose-ramps/infinite", "infinite", "above 57 degC",
                                         isinf(dose_min[k]) ? 1 : 0, 1, "%s: dose, up to %g degC", names[d],
                                         top_c));
            else if (exact != 0) // else never above the cut-off: nothing to compare
                CHECK(validation_compare(run, "dose-ramps/dose", "min", "exact integral of the rate",
                                         dose_min[k], exact, "%s: dose, up to %g degC", names[d], top_c));
        }
    }
    return case_note(run, names[2], "eight cells, 240 s of warming by 12.5 to 100 mK/s and 200 s of cooling");
}
