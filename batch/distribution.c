// Distributions of a job's key (see the header).
#include "batch/distribution.h"

#include "batch/queue.h"
#include "core/reproducible.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[BATCH_DISTRIBUTIONS] = {"normal", "lognormal", "uniform", "integer", "choice"};

static const double whole_most = 9007199254740991.0; // 2^53 − 1
static const double held_least = 1e-6;               // probability between bounds
static const double sum_tolerance = 1e-6;            // of probabilities
static const double below_one = 1 - 0x1p-53, tiny = 1e-300;

#define ANY(key, is_needed, text)                                                                            \
    {                                                                                                        \
        .path = (key), .type = JOB_ANY, .required = (is_needed), .help = (text)                              \
    }
#define BLOCK(key, text)                                                                                     \
    {                                                                                                        \
        .path = (key), .type = JOB_OBJECT, .help = (text)                                                    \
    }
#define WHOLE(key, text)                                                                                     \
    {                                                                                                        \
        .path = (key), .type = JOB_INTEGER, .required = true, .minimum = -whole_most, .maximum = whole_most, \
        .help = (text)                                                                                       \
    }

static const struct job_key distribution_keys[] = {
    BLOCK("normal", "mean and standard deviation, truncated at from and to if they are given"),
    ANY("normal.mean", true, "before it is truncated"),
    ANY("normal.sigma", true, "the standard deviation before it is truncated"),
    ANY("normal.from", false, "the least value"),
    ANY("normal.to", false, "the largest value"),
    BLOCK("lognormal", "its logarithm is normal"),
    ANY("lognormal.median", true, "above 0"),
    {.path = "lognormal.sigma",
     .type = JOB_NUMBER,
     .required = true,
     .minimum = 1e-9,
     .maximum = 100,
     .help = "standard deviation of the natural logarithm"},
    ANY("lognormal.from", false, "the least value"),
    ANY("lognormal.to", false, "the largest value"),
    BLOCK("uniform", "equally probable between two values"),
    ANY("uniform.from", true, "the least value"),
    ANY("uniform.to", true, "the largest value"),
    BLOCK("integer", "equally probable whole numbers"),
    WHOLE("integer.from", "the least"),
    WHOLE("integer.to", "the largest"),
    BLOCK("choice", "some values"),
    ANY("choice.values", true, "a list"),
    ANY("choice.probabilities", false, "a list of numbers with a sum of 1; equal ones if left out"),
    {.path = "cells",
     .type = JOB_INTEGER,
     .minimum = 1,
     .maximum = BATCH_CELLS_MAX,
     .help = "parts of equal probability, in a grid"},
};

// ---- reading

static const char *key_of(char key[64], const struct batch_distribution *d, const char *name)
{
    snprintf(key, 64, "%s.%s", names[d->kind], name);
    return key;
}

// A number of the distribution, in the unit of the first one that was read.
static enum status read_number(const struct job *job, struct batch_distribution *d, const char *name,
                               const char *first, double *value)
{
    char key[64], first_key[64], unit[BATCH_UNIT_BYTES];
    CHECK(batch_quantity_read(job, key_of(key, d, name), value, unit));
    if (strcmp(name, first) == 0)
        memcpy(d->unit, unit, sizeof unit);
    else if (!isnan(*value))
        CHECK(batch_quantity_same(job, key, unit, key_of(first_key, d, first), d->unit));
    return STATUS_OK;
}

static enum status check_bounds(const struct job *job, const struct batch_distribution *d)
{
    char key[64];
    if (d->from >= d->to)
        return job_fail(job, key_of(key, d, "to"), "%g is not above \"from\", %g", d->to, d->from);
    if (d->kind == BATCH_LOGNORMAL && (d->from <= 0 || d->to <= 0))
        return job_fail(job, key_of(key, d, d->from <= 0 ? "from" : "to"), "%g: must be above 0",
                        d->from <= 0 ? d->from : d->to);
    return STATUS_OK;
}

// The standard normal value of a bound.
static double standard_of(const struct batch_distribution *d, double value)
{
    return d->kind == BATCH_NORMAL ? (value - d->middle) / d->sigma
                                   : reproducible_log(value / d->middle) / d->sigma;
}

static enum status read_normal(const struct job *job, struct batch_distribution *d)
{
    char key[64];
    const char *first = d->kind == BATCH_NORMAL ? "mean" : "median";
    CHECK(read_number(job, d, first, first, &d->middle));
    if (d->kind == BATCH_NORMAL)
        CHECK(read_number(job, d, "sigma", first, &d->sigma));
    else
        d->sigma = job_number(job, "lognormal.sigma");
    CHECK(read_number(job, d, "from", first, &d->from));
    CHECK(read_number(job, d, "to", first, &d->to));
    if (!(d->sigma > 0))
        return job_fail(job, key_of(key, d, "sigma"), "%g: must be above 0", d->sigma);
    if (d->kind == BATCH_LOGNORMAL && !(d->middle > tiny))
        return job_fail(job, key_of(key, d, "median"), "%g: must be above 0", d->middle);
    CHECK(check_bounds(job, d));
    d->least_p = isnan(d->from) ? 0 : reproducible_normal_probability(standard_of(d, d->from));
    d->most_p = isnan(d->to) ? 1 : reproducible_normal_probability(standard_of(d, d->to));
    if (!(d->most_p - d->least_p >= held_least))
        return job_fail(job, key_of(key, d, isnan(d->to) ? "from" : "to"),
                        "the bounds hold less than a millionth of the distribution: are they right?");
    return STATUS_OK;
}

static enum status read_probabilities(const struct job *job, struct batch_distribution *d)
{
    static const char key[] = "choice.probabilities";
    const cJSON *list = job_json(job, key);
    if (list && (!cJSON_IsArray(list) || (size_t)cJSON_GetArraySize(list) != d->cells))
        return job_fail(job, key, "a list of %zu numbers, one for each of the values, is expected", d->cells);
    const cJSON *item = list ? list->child : NULL;
    double sum = 0;
    for (size_t k = 0; k < d->cells; k++) {
        if (item && !(cJSON_IsNumber(item) && item->valuedouble > 0 && item->valuedouble <= 1))
            return job_fail(job, key, "entry %zu: a number above 0, and at most 1, is expected", k + 1);
        d->probabilities[k] = item ? item->valuedouble : 1 / (double)d->cells;
        sum += d->probabilities[k];
        item = item ? item->next : NULL;
    }
    if (fabs(sum - 1) > sum_tolerance)
        return job_fail(job, key, "the sum is %.9g, expected 1 within %g", sum, sum_tolerance);
    for (size_t k = 0; k < d->cells; k++)
        d->probabilities[k] /= sum;
    return STATUS_OK;
}

static enum status read_choice(const struct job *job, const struct job *document, const char *where,
                               struct batch_pool **pool, struct batch_distribution *d)
{
    cJSON *list = cJSON_GetObjectItemCaseSensitive(job_json(job, "choice"), "values");
    if (!cJSON_IsArray(list) || !list->child)
        return job_fail(job, "choice.values", "a list with one value at least is expected");
    d->cells = (size_t)cJSON_GetArraySize(list);
    if (d->cells > BATCH_CHOICES_MAX)
        return job_fail(job, "choice.values", "%zu values are too many; %d are expected at most", d->cells,
                        BATCH_CHOICES_MAX);
    d->values = batch_pool_take(pool, d->cells * sizeof *d->values);
    d->probabilities = batch_pool_take(pool, d->cells * sizeof *d->probabilities);
    if (!d->values || !d->probabilities)
        return FAIL(STATUS_SYSTEM, "%s: no memory to read it", job_path(document));
    size_t k = 0;
    for (cJSON *item = list->child; item; item = item->next, k++)
        CHECK(batch_value_text(document, where, item, pool, &d->values[k]));
    return read_probabilities(job, d);
}

static enum status find_kind(const struct job *job, const struct job *document, const char *where,
                             struct batch_distribution *d)
{
    size_t given = 0;
    for (int kind = 0; kind < BATCH_DISTRIBUTIONS; kind++)
        if (job_has(job, names[kind])) {
            d->kind = (enum batch_distribution_kind)kind;
            given++;
        }
    if (given == 1)
        return STATUS_OK;
    return job_fail(document, where,
                    "%s distribution; one of normal, lognormal, uniform, integer, choice is expected",
                    given == 0 ? "has no" : "has more than one");
}

static enum status read_checked(const struct job *job, const struct job *document, const char *where,
                                struct batch_pool **pool, struct batch_distribution *d)
{
    CHECK(find_kind(job, document, where, d));
    d->from = d->to = (double)NAN;
    if (d->kind == BATCH_CHOICE) {
        if (job_has(job, "cells"))
            return job_fail(job, "cells", "has no effect: each value of a choice is a cell");
        return read_choice(job, document, where, pool, d);
    }
    d->cells = job_has(job, "cells") ? (size_t)job_integer(job, "cells") : 0;
    if (d->kind == BATCH_NORMAL || d->kind == BATCH_LOGNORMAL)
        return read_normal(job, d);
    CHECK(read_number(job, d, "from", "from", &d->from));
    CHECK(read_number(job, d, "to", "from", &d->to));
    if (d->kind == BATCH_INTEGER && d->from == d->to)
        return STATUS_OK;
    return check_bounds(job, d);
}

enum status batch_distribution_read(const struct job *document, const char *where, cJSON *value,
                                    struct batch_pool **pool, struct batch_distribution *distribution)
{
    const struct job_key_table table = {distribution_keys,
                                        sizeof distribution_keys / sizeof *distribution_keys};
    struct job *job;
    memset(distribution, 0, sizeof *distribution);
    if (!cJSON_IsObject(value))
        return job_fail(document, where,
                        "a distribution is expected: {\"normal\": {\"mean\": ..., \"sigma\": ...}}, or "
                        "lognormal, uniform, integer, choice");
    CHECK(job_open_member(document, where, value, &job));
    enum status status = job_check(job, &table, 1);
    if (status == STATUS_OK)
        status = read_checked(job, document, where, pool, distribution);
    job_free(job);
    return status;
}

// ---- values

static double normal_value(const struct batch_distribution *d, double u)
{
    const double p = d->least_p + u * (d->most_p - d->least_p);
    const double z = reproducible_normal_quantile(fmin(fmax(p, tiny), below_one));
    return d->kind == BATCH_NORMAL ? d->middle + d->sigma * z : d->middle * reproducible_exp(d->sigma * z);
}

// To BATCH_DISTRIBUTION_DIGITS digits, within the bounds.
static double rounded(const struct batch_distribution *d, double value)
{
    char text[48];
    snprintf(text, sizeof text, "%.*e", BATCH_DISTRIBUTION_DIGITS - 1, value);
    const double result = strtod(text, NULL);
    return fmin(fmax(result, d->from), d->to); // a NaN is no bound
}

static size_t choice_at(const struct batch_distribution *d, double u)
{
    double sum = 0;
    for (size_t k = 0; k + 1 < d->cells; k++) {
        sum += d->probabilities[k];
        if (u < sum)
            return k;
    }
    return d->cells - 1;
}

enum status batch_distribution_value(const struct job *document, const char *where,
                                     const struct batch_distribution *d, double u, struct batch_pool **pool,
                                     const char **text)
{
    double value = 0;
    switch (d->kind) {
    case BATCH_CHOICE:
        *text = d->values[choice_at(d, u)];
        return STATUS_OK;
    case BATCH_INTEGER:
        value = fmin(d->from + floor(u * (d->to - d->from + 1)), d->to);
        break;
    case BATCH_UNIFORM:
        value = rounded(d, d->from + u * (d->to - d->from));
        break;
    case BATCH_NORMAL:
    case BATCH_LOGNORMAL:
    case BATCH_DISTRIBUTIONS:
        value = rounded(d, normal_value(d, u));
        break;
    }
    if (!isfinite(value))
        return job_fail(document, where, "a value of the distribution is too large");
    return batch_quantity_write(document, where, value, d->unit, pool, text);
}

double batch_distribution_probability(const struct batch_distribution *d, size_t cell)
{
    return d->kind == BATCH_CHOICE ? d->probabilities[cell] : 1 / (double)d->cells;
}

enum status batch_distribution_cell(const struct job *document, const char *where,
                                    const struct batch_distribution *d, size_t cell, struct batch_pool **pool,
                                    const char **text)
{
    if (d->kind != BATCH_CHOICE)
        return batch_distribution_value(document, where, d, ((double)cell + 0.5) / (double)d->cells, pool,
                                        text);
    *text = d->values[cell];
    return STATUS_OK;
}
