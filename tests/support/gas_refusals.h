// Gas jobs and a file of particles that are right but for what a test changes in them. Header only.
#ifndef FATHOM_TESTS_SUPPORT_GAS_REFUSALS_H
#define FATHOM_TESTS_SUPPORT_GAS_REFUSALS_H

#include "tests/support/refusals.h"

// In a box of 20 by 20, 16 in a row, 1.2 apart and more; z is not used.
static inline void make_particles(double *x, double *v, double *m)
{
    for (size_t i = 0; i < BODIES; i++) {
        x[AXES * i] = 0.7 + 1.2 * (double)(i % 16);
        x[AXES * i + 1] = 0.7 + 1.4 * (double)(i / 16);
        x[AXES * i + 2] = NAN;
        for (size_t axis = 0; axis < AXES; axis++)
            v[AXES * i + axis] = 0.1 * cos(78.233 * (double)(AXES * i + axis + 1));
        m[i] = 1 + (double)(i % 3);
    }
}

static inline int set_up(void **state)
{
    return set_up_with(state, make_particles);
}

static inline cJSON *job_of(const char *particles, const char *domain, const char *physics)
{
    char text[2048];
    snprintf(text, sizeof text,
             "{'fathom': 1, 'model': 'gas', 'backend': 'openmp', 'particles': %s, 'domain': %s, 'physics': "
             "%s, 'time': {'duration': 0.02, 'step': 0.004}, 'output': {'directory': 'out'}}",
             particles, domain, physics);
    return cli_json("%s", text);
}

// Periodic, in lists of neighbours.
static inline cJSON *fluid_job(void)
{
    return cli_change(job_of("{'lattice': {'count': 200, 'temperature': 1}}",
                             "{'size': [20, 20], 'walls': 'periodic'}",
                             "{'potential': {'name': 'lennard-jones'}}"),
                      "method = {'name': 'cells'}");
}

static inline cJSON *thermostat_job(void)
{
    return cli_change(fluid_job(), "physics.thermostat = {'name': 'bussi', 'temperature': 1}");
}

// Between walls, in regions.
static inline cJSON *condensing_job(void)
{
    return cli_change(job_of("{'random': {'count': 200, 'temperature': 1}}", "{'size': [40, 40]}",
                             "{'potential': {'name': 'condensing'}}"),
                      "method = {'name': 'cells', 'regions': {'columns': 10, 'rows': 10, 'far': 4}}");
}

static inline cJSON *file_job(void)
{
    write_bodies();
    return job_of("{'file': {'file': 'bodies.nc'}}", "{'size': [20, 20]}",
                  "{'potential': {'name': 'lennard-jones'}}");
}

#endif
