// Units of an N-body run: see units.h.
#include "models/nbody/units.h"

#include <math.h>
#include <string.h>

bool nbody_units_is_si(const struct job *job)
{
    return strcmp(job_string(job, "units"), "si") == 0;
}

enum status nbody_units_check_keys(const struct job *job)
{
    const bool is_si = nbody_units_is_si(job);
    for (size_t k = 0; k < nbody_keys.count; k++) {
        const struct job_key *key = &nbody_keys.keys[k];
        if (key->type != JOB_REDUCED || !job_has(job, key->path))
            continue;
        const bool is_bare = job_is_bare(job, key->path);
        if (is_si && is_bare && job_reduced(job, key->path) != 0)
            return job_fail(job, key->path,
                            "%g has no unit; with units si a text with a unit is expected, as in \"%g %s\"",
                            job_reduced(job, key->path), job_reduced(job, key->path), key->unit);
        if (!is_si && !is_bare)
            return job_fail(job, key->path,
                            "a text with a unit is given; with units nbody (G = 1) a bare number is "
                            "expected; did you mean \"units\": \"si\"?");
    }
    return STATUS_OK;
}

enum status nbody_units_read(const struct job *job, const char *key, double fallback, double *value)
{
    *value = job_has(job, key) ? job_reduced(job, key) : fallback;
    if (!job_has(job, key) && nbody_units_is_si(job))
        return job_fail(job, key, "is missing: with units si it has no default");
    return STATUS_OK;
}

struct nbody_units nbody_units_make(bool is_si, double length_m, double mass_kg)
{
    if (!is_si)
        return (struct nbody_units){.length = 1,
                                    .mass = 1,
                                    .time = 1,
                                    .velocity = 1,
                                    .energy = 1,
                                    .length_name = "1",
                                    .velocity_name = "1",
                                    .time_name = "1",
                                    .energy_name = "1",
                                    .mass_name = "1"};
    const double velocity_m_s = sqrt(NBODY_GRAVITY_M3_KG_S2 * mass_kg / length_m);
    return (struct nbody_units){.is_si = true,
                                .length = length_m,
                                .mass = mass_kg,
                                .time = length_m / velocity_m_s,
                                .velocity = velocity_m_s,
                                .energy = mass_kg * velocity_m_s * velocity_m_s,
                                .length_name = "m",
                                .velocity_name = "m s-1",
                                .time_name = "s",
                                .energy_name = "J",
                                .mass_name = "kg"};
}
