// An even sphere at rest falls in: the radii against dust's, and the moment when it is smallest.
#include "validate/closed/spheres.h"
#include "validate/nbody/body_job.h"
#include "validate/nbody/suites.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { USUAL = 4096, FULL = 1 << 17, RADII = 7, HALF = 3, FALL_STEPS = 256, STEPS = 320, MOMENTS = 3 };
static const char name[] = "collapse";

static enum status run_collapse(struct validation_run *run, size_t count)
{
    struct case_job job = body_job_new(0.02);
    case_job_set(&job, "particles", "{\"cold-collapse\": {\"count\": %zu, \"virial_ratio\": 0}}", count);
    case_job_set(&job, "method.name", count > USUAL ? "\"barnes-hut\"" : "\"direct\"");
    body_job_time(&job, dust_fall_time(1) / FALL_STEPS, STEPS, 2);
    return case_job_run_once(run, &job, name, NULL, body_case_precision(run));
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
    static const double moments[MOMENTS] = {0.4, 0.6, 0.8};
    size_t smallest = 0;
    for (size_t k = 0; k < records; k++)
        smallest = radius[k] < radius[smallest] ? k : smallest;
    for (int m = 0; m < MOMENTS; m++) {
        size_t k = 0;
        while (k + 1 < records && share[k] < moments[m] - 1e-9)
            k++;
        CHECK(validation_compare(run, "collapse/radius", "1", "dust: Binney & Tremaine (2008), problem 3.4",
                                 radius[k], dust_radius(share[k]), "half-mass radius after %.3g of the fall",
                                 share[k]));
    }
    CHECK(validation_compare(run, "collapse/time", "1", "dust: pi/2 sqrt(R3/2GM)", share[smallest], 1,
                             "moment of the smallest, in times of fall"));
    CHECK(validation_compare(run, NULL, "1", "what bodies at random leave of the collapse", radius[smallest],
                             NAN, "smallest half-mass radius, of the first"));
    return draw_fall(run, share, radius, records);
}

enum status nbody_case_collapse(struct validation_run *run)
{
    const size_t count = body_case_size(run, USUAL, FULL);
    double *time = NULL, *radii = NULL;
    size_t records = 0, width = 0;
    CHECK(run_collapse(run, count));
    CHECK(case_note(run, name, "%zu bodies at rest, softening 0.02", count));
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
