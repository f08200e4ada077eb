// The same bits from two runs, on another number of processor cores, and from one that was stopped and went
// on.
#include "validate/gas/gas_job.h"
#include "validate/gas/suites.h"

#include <cjson/cJSON.h>
#include <omp.h>
#include <stdio.h>

enum { COUNT = 3000, STEPS = 200, EVERY = 10, WAYS = 4 };
static const char *const precisions[] = {"double", "single"};

struct way {
    const char *name, *domain, *physics, *method;
};
static const struct way ways[WAYS] = {
    {"pairs", "{\"density\": 0.5, \"walls\": \"reflect\"}",
     "{\"potential\": {\"name\": \"log\", \"attraction\": 0.001, \"softening\": 0.1}}",
     "{\"name\": \"all-pairs\"}"},
    {"regions", "{\"density\": 0.5, \"walls\": \"damped\", \"damping\": 0.1}",
     "{\"potential\": {\"name\": \"condensing\", \"attraction\": 0.001, \"smooth\": true}}",
     "{\"name\": \"cells\"}"},
    {"lists", "{\"density\": 0.5, \"walls\": \"periodic\"}",
     "{\"potential\": {\"name\": \"lj-force-shifted\"}, \"thermostat\": {\"name\": \"langevin\", "
     "\"temperature\": 1}}",
     "{\"name\": \"cells\"}"},
    {"bussi", "{\"density\": 0.5, \"walls\": \"soft\", \"stiffness\": 100}",
     "{\"potential\": {\"name\": \"lennard-jones\"}, \"thermostat\": {\"name\": \"bussi\", \"temperature\": "
     "1}}",
     "{\"name\": \"cells\"}"},
};

// ---- runs

struct trio {
    char once[64], again[64], parts[64];
    int stops;
};

// Again on one core: runs are separate processes, which inherit this one's number of threads.
static enum status run_trio(struct validation_run *run, const struct way *way, const char *precision,
                            struct trio *trio)
{
    const int threads = omp_get_max_threads();
    char particles[64];
    struct cJSON *json;
    snprintf(particles, sizeof particles, "{\"lattice\": {\"count\": %d, \"temperature\": 1}}", COUNT);
    snprintf(trio->once, sizeof trio->once, "%s-%s", way->name, precision);
    snprintf(trio->again, sizeof trio->again, "%.40s-again", trio->once);
    const struct gas_job job = {.particles = particles,
                                .domain = way->domain,
                                .physics = way->physics,
                                .method = way->method,
                                .step = 0.002,
                                .steps = STEPS,
                                .every = EVERY};
    CHECK(gas_job_new(&job, &json));
    enum status status = case_job_run(run, json, trio->once, NULL, precision);
    omp_set_num_threads(1);
    if (status == STATUS_OK)
        status = case_job_run(run, json, trio->again, NULL, precision);
    omp_set_num_threads(threads);
    if (status == STATUS_OK)
        status = body_run_in_parts(run, json, trio->once, precision, trio->parts, &trio->stops);
    cJSON_Delete(json);
    return status;
}

static enum status measure_bits(struct validation_run *run, const struct way *way, const char *precision)
{
    static const char source[] = "the same job in a piece";
    struct trio trio;
    double different;
    CHECK(run_trio(run, way, precision, &trio));
    CHECK(body_count_differences(run, trio.once, trio.again, &different));
    CHECK(body_measure(run, "repeat/differences", source, different, 0,
                       "%s, %s: again on one core, numbers that differ", way->name, precision));
    if (trio.stops == 0)
        return validation_leave_out(run, "stopped and resumed", "%s, %s: it ended before it could be stopped",
                                    way->name, precision);
    CHECK(body_count_differences(run, trio.once, trio.parts, &different));
    CHECK(body_measure(run, "repeat/differences", source, different, 0, "%s, %s: parts, numbers that differ",
                       way->name, precision));
    return body_note(run, trio.once, "%d particles, each run once, again and in parts; last, in %d parts",
                     COUNT, trio.stops + 1);
}

enum status gas_case_repeat(struct validation_run *run)
{
    for (int w = 0; w < WAYS; w++)
        for (int p = 0; p < 2; p++)
            if (case_precision_is_asked(run, precisions[p]))
                CHECK(measure_bits(run, &ways[w], precisions[p]));
    return STATUS_OK;
}
