// The same bits from two runs, on another number of processor cores, and from one that was stopped and
// resumed.
#include "validate/gas/gas_job.h"
#include "validate/gas/suites.h"

#include <stdio.h>

enum { COUNT = 3000, STEPS = 200, EVERY = 10, WAYS = 4 };

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

static enum status measure_bits(struct validation_run *run, const struct way *way, const char *precision)
{
    char name[64], what[64];
    int legs;
    snprintf(name, sizeof name, "%s-%s", way->name, precision);
    snprintf(what, sizeof what, "%s, %s", way->name, precision);
    struct case_job job = gas_job_new(0.002, STEPS, EVERY);
    case_job_set(&job, "particles", "{\"lattice\": {\"count\": %d, \"temperature\": 1}}", COUNT);
    case_job_set(&job, "domain", "%s", way->domain);
    case_job_set(&job, "physics", "%s", way->physics);
    case_job_set(&job, "method", "%s", way->method);
    const enum status status =
        body_measure_repeat(run, &job, &(struct body_repeat){name, what, precision, true}, &legs);
    case_job_free(&job);
    CHECK(status);
    return legs > 0
               ? case_note(
                     run, name,
                     "%d particles; each run once, again, and stopped and resumed (the last one in %d legs)",
                     COUNT, legs)
               : STATUS_OK;
}

enum status gas_case_repeat(struct validation_run *run)
{
    for (int w = 0; w < WAYS; w++)
        for (const char *const *precision = case_precisions(run); *precision; precision++)
            CHECK(measure_bits(run, &ways[w], *precision));
    return STATUS_OK;
}
