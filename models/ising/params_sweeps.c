// The blocks `temperatures` and `sweeps` of a job of the Ising model.
#include "models/ising/params_private.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>

static const int64_t fewest_measurements = 16; // with fewer no error can be estimated

// ---- temperatures

static enum status make_room(struct ising_params *p, size_t count)
{
    p->temperatures = count;
    p->betas = calloc(count, sizeof *p->betas);
    return p->betas ? STATUS_OK : FAIL(STATUS_SYSTEM, "no memory for %zu temperatures", count);
}

// A number of the key; index < 0: it is no list.
static enum status read_number(const struct job *job, const char *key, int index, const cJSON *item,
                               double *beta)
{
    char where[48] = "";
    const bool is_beta = key[sizeof "temperatures." - 1] == 'b';
    if (index >= 0)
        snprintf(where, sizeof where, "number %d (counted from 0): ", index);
    if (!cJSON_IsNumber(item))
        return job_fail(job, key, "%sa bare number above 0 is expected", where);
    const double value = item->valuedouble;
    *beta = is_beta ? value : 1 / value;
    if (!(*beta >= ISING_BETA_MIN && *beta <= ISING_BETA_MAX))
        return job_fail(job, key, "%s%g: %s from %g to %g is expected", where, value,
                        is_beta ? "beta" : "a temperature", ISING_BETA_MIN, ISING_BETA_MAX);
    return STATUS_OK;
}

static enum status read_list(const struct job *job, const char *key, struct ising_params *p)
{
    const cJSON *item = job_json(job, key);
    if (!cJSON_IsArray(item)) {
        CHECK(make_room(p, 1));
        return read_number(job, key, -1, item, p->betas);
    }
    const int count = cJSON_GetArraySize(item);
    if (count == 0)
        return job_fail(job, key, "the list is empty: one number at least is expected");
    if (count > ISING_TEMPERATURES_MAX)
        return job_fail(job, key, "%d numbers: at most %d are expected", count, ISING_TEMPERATURES_MAX);
    CHECK(make_room(p, (size_t)count));
    int index = 0;
    for (const cJSON *child = item->child; child; child = child->next, index++)
        CHECK(read_number(job, key, index, child, &p->betas[index]));
    return STATUS_OK;
}

static enum status read_range(const struct job *job, struct ising_params *p)
{
    const double first = job_number(job, "temperatures.range.first");
    const double last = job_number(job, "temperatures.range.last");
    const int64_t count = job_integer(job, "temperatures.range.count");
    CHECK(make_room(p, (size_t)count));
    for (int64_t k = 0; k < count; k++)
        p->betas[k] = k == count - 1 ? last : first + (last - first) * (double)k / (double)(count - 1);
    return STATUS_OK;
}

// J and B act as β|J| and β|B|: e^{−8β|J|} underflows beyond.
static enum status check_strength(const struct job *job, const struct ising_params *p)
{
    static const double most = 1000;
    const double coupling = fabs(p->physics.coupling), field = fabs(p->physics.field);
    if (coupling == 0)
        return job_fail(job, "physics.coupling",
                        "0: independent spins need no simulation; another number is expected");
    for (size_t k = 0; k < p->temperatures; k++)
        if (p->betas[k] * coupling > most || p->betas[k] * field > most)
            return job_fail(job, "temperatures",
                            "number %zu (counted from 0): beta %g makes beta |J| %g and beta |B| %g: at most "
                            "%g is expected",
                            k, p->betas[k], p->betas[k] * coupling, p->betas[k] * field, most);
    return STATUS_OK;
}

enum status ising_params_read_temperatures(const struct job *job, struct ising_params *p)
{
    const bool has_beta = job_has(job, "temperatures.beta");
    const bool has_temperature = job_has(job, "temperatures.temperature");
    const bool has_range = job_has(job, "temperatures.range");
    const int given = has_beta + has_temperature + has_range;
    if (given != 1)
        return job_fail(job, "temperatures", "needs one of beta, temperature and range, not %d of them",
                        given);
    CHECK(has_range  ? read_range(job, p)
          : has_beta ? read_list(job, "temperatures.beta", p)
                     : read_list(job, "temperatures.temperature", p));
    p->is_tempered = job_string(job, "temperatures.order")[0] == 't';
    return check_strength(job, p);
}

// ---- sweeps

static enum status check_multiple(const struct job *job, const char *key, int64_t count, int64_t every)
{
    if (count % every == 0)
        return STATUS_OK;
    const int64_t next = (count / every + 1) * every;
    return job_fail(job, key, "%lld is not a multiple of sweeps.every, %lld: %lld would be one",
                    (long long)count, (long long)every, (long long)next);
}

enum status ising_params_read_sweeps(const struct job *job, struct ising_params *p)
{
    struct ising_sweeps *sweeps = &p->sweeps;
    const bool is_given = job_has(job, "sweeps.thermalisation");
    sweeps->count = job_integer(job, "sweeps.count");
    sweeps->every = job_integer(job, "sweeps.every");
    sweeps->thermalisation = is_given ? job_integer(job, "sweeps.thermalisation") : -1;
    CHECK(check_multiple(job, "sweeps.count", sweeps->count, sweeps->every));
    if (is_given)
        CHECK(check_multiple(job, "sweeps.thermalisation", sweeps->thermalisation, sweeps->every));
    if (sweeps->thermalisation >= sweeps->count)
        return job_fail(job, "sweeps.thermalisation",
                        "%lld sweeps are dropped of %lld: nothing would be left",
                        (long long)sweeps->thermalisation, (long long)sweeps->count);
    if ((double)sweeps->count * (double)p->temperatures > ISING_SWEEPS_MAX)
        return job_fail(job, "sweeps.count",
                        "%lld at each of %zu temperatures: at most %.0f sweeps in all are expected, which is "
                        "what random numbers are counted by",
                        (long long)sweeps->count, p->temperatures, ISING_SWEEPS_MAX);
    const int64_t kept = ising_least_kept(p);
    if (kept < fewest_measurements)
        return job_fail(job, "sweeps",
                        "%lld measurements at a temperature after thermalisation%s: %lld at least are "
                        "expected to estimate errors",
                        (long long)kept, is_given ? "" : " (which may take half of them)",
                        (long long)fewest_measurements);
    return STATUS_OK;
}

int64_t ising_least_kept(const struct ising_params *p)
{
    const int64_t measurements = p->sweeps.count / p->sweeps.every;
    return p->sweeps.thermalisation < 0 ? measurements - measurements / 2
                                        : measurements - p->sweeps.thermalisation / p->sweeps.every;
}
