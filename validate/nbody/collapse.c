// An even sphere at rest falls in: the radii against dust's, and the moment when it is smallest.
#include "validate/closed/spheres.h"
#include "validate/nbody/body_job.h"
#include "validate/nbody/suites.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { USUAL = 4096, FULL = 1 << 17, RADII = 7, HALF = 3, FALL_STEPS = 256, STEPS = 384, LOOKS = 3 };
static const char name[] = "collapse";

static enum status run_collapse(struct validation_run *run, size_t count)
{
    struct cJSON *job;
    char particles[VALIDATION_TEXT_BYTES];
    snprintf(particles, sizeof particles, "{\"cold-collapse\": {\"count\": %zu, \"virial_ratio\": 0}}",
             count);
    CHECK(body_job_new(&job, particles, 0.02));
    enum status status =
        case_job_set(job, "method", count > USUAL ? "{\"name\": \"barnes-hut\"}" : "{\"name\": \"direct\"}");
    if (status == STATUS_OK)
        status = body_job_time(job, dust_fall_time(1) / FALL_STEPS, STEPS, 2);
    if (status == STATUS_OK)
        status = case_job_run(run, job, name, NULL, body_case_precision(run));
    cJSON_Delete(job);
    return status;
}

static enum status draw_fall(struct validation_run *run, const double *share, const double *radius,
                             size_t records)
{
    struct validation_picture *picture;
    double *dust = malloc(records * sizeof *dust);
    if (!dust)
        return FAIL(STATUS_SYSTEM, "not enough memory for a line");
    for (size_t k = 0; k < records; k++)
        dust[k] = share[k] <= 1 ? dust_radius(share[k]) : (double)NAN;
    enum status status = validation_picture(run, "Collapse of an even sphere at rest", "time / time of fall",
                                            "half-mass radius / that at the start",
                                            "Bodies against dust, which all comes to the middle.", &picture);
    if (status == STATUS_OK)
        status = validation_line(run, picture, "bodies", false, share, radius, records);
    if (status == STATUS_OK)
        status = validation_line(run, picture, "dust", false, share, dust, records);
    free(dust);
    return status;
}

// `share` of the time of fall, `radius` of the first.
static enum status measure_fall(struct validation_run *run, const double *share, const double *radius,
                                size_t records)
{
    static const double looks[LOOKS] = {0.4, 0.6, 0.8};
    size_t smallest = 0;
    for (size_t k = 0; k < records; k++)
        smallest = radius[k] < radius[smallest] ? k : smallest;
    for (int l = 0; l < LOOKS; l++) {
        size_t k = 0;
        while (k + 1 < records && share[k] < looks[l] - 1e-9)
            k++;
        CHECK(body_measure(run, "collapse/radius", "dust: Binney & Tremaine (2008), problem 3.4", radius[k],
                           dust_radius(share[k]), "half-mass radius after %.3g of the fall", share[k]));
    }
    CHECK(body_measure(run, "collapse/time", "dust: pi/2 sqrt(R3/2GM)", share[smallest], 1,
                       "moment of the smallest, in times of fall"));
    CHECK(validation_show(run, "smallest half-mass radius, of the first", "1", radius[smallest], NAN,
                          "what bodies at random leave of the collapse"));
    return draw_fall(run, share, radius, records);
}

enum status nbody_case_collapse(struct validation_run *run)
{
    const size_t count = body_case_size(run, USUAL, FULL);
    double *time = NULL, *radii = NULL;
    size_t records = 0, width = 0;
    CHECK(run_collapse(run, count));
    CHECK(body_note(run, name, "%zu bodies at rest, softening 0.02", count));
    CHECK(body_job_series(run, name, "time", &time, NULL, NULL));
    enum status status = body_job_series(run, name, "lagrangian_radius", &radii, &records, &width);
    if (status == STATUS_OK && width != RADII)
        status = FAIL(STATUS_DATA, "%zu radii of %d", width, RADII);
    const double first = status == STATUS_OK ? radii[HALF] : 1;
    for (size_t k = 0; k < records && status == STATUS_OK; k++) {
        time[k] /= dust_fall_time(1);
        radii[k] = radii[k * RADII + HALF] / first;
    }
    if (status == STATUS_OK)
        status = measure_fall(run, time, radii, records);
    free(time);
    free(radii);
    return status;
}
