// N-body jobs and files of bodies that are right but for what a test changes in them. Header only.
#ifndef FATHOM_TESTS_SUPPORT_NBODY_REFUSALS_H
#define FATHOM_TESTS_SUPPORT_NBODY_REFUSALS_H

#include "tests/support/refusals.h"

// In a box of side 2, at no two the same place.
static inline void make_bodies(double *x, double *v, double *m)
{
    for (size_t i = 0; i < AXES * BODIES; i++) {
        x[i] = sin(12.9898 * (double)(i + 1));
        v[i] = 0.1 * cos(78.233 * (double)(i + 1));
        m[i / AXES] = 1.0 / BODIES;
    }
}

static inline int set_up(void **state)
{
    return set_up_with(state, make_bodies);
}

// ---- jobs

static inline cJSON *job_of(const char *particles)
{
    char text[1024];
    snprintf(text, sizeof text,
             "{'fathom': 1, 'model': 'nbody', 'backend': 'openmp', 'particles': %s, 'physics': {'softening': "
             "0.01}, 'time': {'duration': 0.5, 'step': 0.125}, 'output': {'directory': 'out'}}",
             particles);
    return cli_json("%s", text);
}

static inline cJSON *plummer_job(void)
{
    return job_of("{'plummer': {'count': 100}}");
}

static inline cJSON *encounter_job(void)
{
    return job_of("{'encounter': {'count': 100}}");
}

static inline cJSON *file_job(void)
{
    write_bodies();
    return job_of("{'file': {'file': 'bodies.nc'}}");
}

static inline cJSON *point_job(void)
{
    return cli_change(file_job(), "physics.softening = 0");
}

static inline cJSON *double_job(void)
{
    return cli_change(file_job(), "precision = 'double'");
}

static inline cJSON *si_job(void)
{
    cJSON *job = cli_change(
        job_of("{'plummer': {'count': 100, 'mass': '1e4 Msun', 'radius': '1 pc'}}"),
        "units = 'si'; physics.softening = '0.01 pc'; time = {'duration': '1 kyr', 'step': '100 yr'}");
    return job;
}

static inline cJSON *si_file_job(void)
{
    cJSON *job = si_job();
    write_bodies();
    cli_change(job, "particles = {'file': {'file': 'bodies.nc'}}");
    return job;
}

#endif
