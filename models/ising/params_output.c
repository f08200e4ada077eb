// The blocks `analysis`, `output` and `check` of a job of the Ising model.
#include "models/ising/params_private.h"
#include "models/params.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- analysis

static enum status read_analysis(const struct job *job, struct ising_params *p)
{
    struct ising_analysis_wanted *analysis = &p->analysis;
    const size_t kept = (size_t)ising_least_kept(p);
    analysis->blocks = (size_t)job_integer(job, "analysis.blocks");
    analysis->block_times = job_number(job, "analysis.block_times");
    analysis->bins = (size_t)job_integer(job, "analysis.bins");
    analysis->lags = (size_t)job_integer(job, "analysis.lags");
    if (analysis->lags > kept && job_has(job, "analysis.lags"))
        return job_fail(job, "analysis.lags",
                        "%zu: of a temperature's measurements %zu may be left after thermalisation; expected "
                        "at most this number",
                        analysis->lags, kept);
    if (analysis->lags > kept)
        analysis->lags = kept;
    if (!job_has(job, "analysis.reweighting"))
        return STATUS_OK;
    analysis->reweighting_width = job_number(job, "analysis.reweighting.width");
    analysis->reweighting_points = (size_t)job_integer(job, "analysis.reweighting.points");
    return STATUS_OK;
}

// ---- correlations

static int64_t half_of_shorter_side(const struct ising_lattice *lattice)
{
    return (lattice->columns < lattice->rows ? lattice->columns : lattice->rows) / 2;
}

static int64_t next_distance(int64_t distance)
{
    return distance < 16 ? distance + 1 : distance + distance / 5;
}

static enum status choose_distances(struct ising_params *p)
{
    const int64_t most = half_of_shorter_side(&p->physics.lattice);
    for (int64_t distance = 1; distance <= most; distance = next_distance(distance))
        p->distances++;
    p->distance = calloc(p->distances, sizeof *p->distance);
    if (!p->distance)
        return FAIL(STATUS_SYSTEM, "no memory for %zu distances", p->distances);
    for (size_t k = 0; k < p->distances; k++)
        p->distance[k] = k == 0 ? 1 : next_distance(p->distance[k - 1]);
    return STATUS_OK;
}

static enum status read_distance(const struct job *job, const struct ising_params *p, size_t index,
                                 const cJSON *item, int64_t *distance)
{
    static const char key[] = "output.correlations.distances";
    const int64_t most = half_of_shorter_side(&p->physics.lattice);
    const int64_t least = index > 0 ? p->distance[index - 1] + 1 : 1;
    if (!cJSON_IsNumber(item) || item->valuedouble != floor(item->valuedouble))
        return job_fail(job, key, "number %zu (counted from 0): a whole number of sites is expected", index);
    if (!(item->valuedouble >= (double)least && item->valuedouble <= (double)most))
        return job_fail(job, key,
                        "number %zu (counted from 0): %g: %lld to %lld is expected: distances ascend, up to "
                        "half the shorter side",
                        index, item->valuedouble, (long long)least, (long long)most);
    *distance = (int64_t)item->valuedouble;
    return STATUS_OK;
}

static enum status read_distances(const struct job *job, struct ising_params *p)
{
    static const char key[] = "output.correlations.distances";
    static const int most = 4096;
    const cJSON *list = job_json(job, key);
    const int count = cJSON_GetArraySize(list);
    if (!list)
        return choose_distances(p);
    if (!cJSON_IsArray(list) || count < 1 || count > most)
        return job_fail(job, key, "a list of 1 to %d whole numbers, [1, 2, 4], is expected", most);
    p->distances = (size_t)count;
    p->distance = calloc((size_t)count, sizeof *p->distance);
    if (!p->distance)
        return FAIL(STATUS_SYSTEM, "no memory for %d distances", count);
    size_t index = 0;
    for (const cJSON *item = list->child; item; item = item->next, index++)
        CHECK(read_distance(job, p, index, item, &p->distance[index]));
    return STATUS_OK;
}

static enum status read_correlations(const struct job *job, struct ising_params *p)
{
    static const char key[] = "output.correlations.every";
    const int64_t every = p->sweeps.every;
    if (!job_has(job, "output.correlations"))
        return STATUS_OK;
    p->correlations_every = job_integer(job, key);
    if (p->correlations_every % every != 0)
        return job_fail(job, key, "%lld is not a multiple of sweeps.every, %lld",
                        (long long)p->correlations_every, (long long)every);
    const int64_t kept_sweeps = ising_least_kept(p) * every;
    if (p->correlations_every > kept_sweeps / 2)
        return job_fail(job, key,
                        "%lld: of a temperature's sweeps %lld may be left after thermalisation; expected at "
                        "most half of this number, so that there are two measurements",
                        (long long)p->correlations_every, (long long)kept_sweeps);
    return read_distances(job, p);
}

// ---- configurations

static enum status read_configurations(const struct job *job, struct ising_params *p)
{
    static const char key[] = "output.configurations.every";
    static const int64_t most = 10000000;
    if (!job_has(job, "output.configurations"))
        return STATUS_OK;
    p->configurations_every = job_integer(job, key);
    p->format =
        strcmp(job_string(job, "output.configurations.format"), "bytes") == 0 ? ISING_BYTES : ISING_PACKED;
    const int64_t records = ising_steps(p) / p->configurations_every;
    if (records > most)
        return job_fail(job, key, "%lld makes %lld configurations: at most %lld are expected",
                        (long long)p->configurations_every, (long long)records, (long long)most);
    if (records == 0)
        return job_fail(job, key, "%lld is more than the sweeps of the whole run, %lld",
                        (long long)p->configurations_every, (long long)ising_steps(p));
    return STATUS_OK;
}

enum status ising_params_read_outputs(const struct job *job, struct ising_params *p)
{
    p->has_series = job_boolean(job, "output.series");
    p->has_final_state = job_boolean(job, "output.final");
    p->check_steps = params_check_steps(job);
    CHECK(read_analysis(job, p));
    CHECK(read_configurations(job, p));
    return read_correlations(job, p);
}
