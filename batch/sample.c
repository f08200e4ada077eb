// Samples of distributions (see the header).
#include "batch/sample.h"

#include "batch/distribution.h"
#include "batch/queue.h"
#include "core/philox.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static const double below_one = 1 - 0x1p-53;

static const struct job_key sample_keys[] = {
    {.path = "method",
     .type = JOB_CHOICE,
     .default_value = "latin_hypercube",
     .choices = "latin_hypercube|random|grid",
     .help = "how values are drawn"},
    {.path = "count",
     .type = JOB_INTEGER,
     .minimum = 1,
     .maximum = BATCH_JOBS_MAX,
     .help = "number of runs; a grid's follows from its cells"},
    {.path = "seed",
     .type = JOB_INTEGER,
     .default_value = "1",
     .minimum = 0,
     .maximum = 9007199254740991.0,
     .help = "of the random numbers"},
    {.path = "keys", .type = JOB_ANY, .required = true, .help = "job keys and their distributions"},
};

struct sample {
    const struct job *document, *job; // the entry, and its block "sample"
    struct batch_pool **pool;
    struct batch_axes *axes;
    bool is_grid, is_random;
    uint64_t seed;
    size_t count;
    char where[BATCH_AXES_MAX][320];
    struct batch_distribution distributions[BATCH_AXES_MAX];
};

static enum status fail_memory(const struct sample *sample)
{
    return FAIL(STATUS_SYSTEM, "%s: no memory to read it", job_path(sample->document));
}

// ---- reading

static enum status read_distributions(struct sample *sample)
{
    cJSON *keys = cJSON_GetObjectItemCaseSensitive(job_json(sample->document, "sample"), "keys");
    if (!cJSON_IsObject(keys) || !keys->child)
        return job_fail(sample->job, "keys",
                        "an object {\"KEY\": {DISTRIBUTION}, ...} with one key at least is expected");
    for (cJSON *item = keys->child; item; item = item->next) {
        struct batch_axis *axis;
        const size_t k = sample->axes->count;
        if (k < BATCH_AXES_MAX)
            snprintf(sample->where[k], sizeof sample->where[k], "sample.keys.%.200s", item->string);
        CHECK(batch_axes_add(sample->document, k < BATCH_AXES_MAX ? sample->where[k] : "sample.keys",
                             item->string, sample->pool, sample->axes, &axis));
        CHECK(batch_distribution_read(sample->document, sample->where[k], item, sample->pool,
                                      &sample->distributions[k]));
    }
    return STATUS_OK;
}

static enum status check_count(const struct sample *sample, double count, size_t count_max, const char *key)
{
    if (count <= (double)count_max)
        return STATUS_OK;
    return job_fail(sample->job, key,
                    "%.6g runs are too many; the queue has capacity for %zu (%d runs in total)", count,
                    count_max, BATCH_JOBS_MAX);
}

static enum status count_runs(struct sample *sample, size_t count_max)
{
    double cells = 1;
    for (size_t k = 0; k < sample->axes->count; k++) {
        const struct batch_distribution *d = &sample->distributions[k];
        if (sample->is_grid && d->cells == 0)
            return job_fail(sample->document, sample->where[k], "\"cells\" is missing: a grid needs them");
        if (!sample->is_grid && d->cells > 0 && d->kind != BATCH_CHOICE)
            return job_fail(sample->document, sample->where[k],
                            "\"cells\" has no effect: \"method\" is not \"grid\"");
        cells *= (double)d->cells;
    }
    if (sample->is_grid) {
        if (job_has(sample->job, "count") || job_has(sample->job, "seed"))
            return job_fail(sample->job, job_has(sample->job, "count") ? "count" : "seed",
                            "has no effect: a grid has every combination of the cells");
        CHECK(check_count(sample, cells, count_max, "keys"));
        sample->count = (size_t)cells;
        return STATUS_OK;
    }
    if (!job_has(sample->job, "count"))
        return job_fail(sample->job, "count", "missing: the number of runs is expected");
    sample->count = (size_t)job_integer(sample->job, "count");
    return check_count(sample, (double)sample->count, count_max, "count");
}

// ---- drawing

// Two numbers of run `run` for a key: for the order of the parts, and for the place in its part.
static void draw(uint64_t seed, uint64_t key, uint64_t run, double numbers[2])
{
    const struct philox_counter words = philox4x32(philox_counter_from(run, key), philox_key_from_seed(seed));
    numbers[0] = philox_double(words.v[0], words.v[1]);
    numbers[1] = philox_double(words.v[2], words.v[3]);
}

// Which part each run takes: a random order (Durstenfeld 1964, Comm. ACM 7, 420).
static void shuffle(uint64_t seed, uint64_t key, size_t *parts, size_t count)
{
    for (size_t k = 0; k < count; k++)
        parts[k] = k;
    for (size_t k = count; k-- > 1;) {
        double numbers[2];
        draw(seed, key, k, numbers);
        const size_t other = (size_t)(numbers[0] * (double)(k + 1)), part = parts[k];
        parts[k] = parts[other];
        parts[other] = part;
    }
}

static enum status draw_axis(const struct sample *sample, size_t k, size_t *parts)
{
    struct batch_axis *axis = &sample->axes->axes[k];
    const char *name = sample->axes->keys[k];
    const uint64_t key = XXH3_64bits(name, strlen(name));
    if (!sample->is_random)
        shuffle(sample->seed, key, parts, sample->count);
    for (size_t run = 0; run < sample->count; run++) {
        double numbers[2];
        draw(sample->seed, key, run, numbers);
        const double u = sample->is_random
                             ? numbers[1]
                             : fmin(((double)parts[run] + numbers[1]) / (double)sample->count, below_one);
        CHECK(batch_distribution_value(sample->document, sample->where[k], &sample->distributions[k], u,
                                       sample->pool, &axis->values[run]));
    }
    return STATUS_OK;
}

// ---- a grid

// The texts of the cells' values once; runs share them. The cell changes after each `repeats` runs.
static enum status fill_axis(const struct sample *sample, size_t k, size_t repeats, const char **cells,
                             double *weights)
{
    const struct batch_distribution *d = &sample->distributions[k];
    for (size_t cell = 0; cell < d->cells; cell++) {
        CHECK(
            batch_distribution_cell(sample->document, sample->where[k], d, cell, sample->pool, &cells[cell]));
    }
    for (size_t run = 0; run < sample->count; run++) {
        const size_t cell = run / repeats % d->cells;
        sample->axes->axes[k].values[run] = cells[cell];
        weights[run] *= batch_distribution_probability(d, cell);
    }
    return STATUS_OK;
}

// ---- all keys

static enum status fill(const struct sample *sample, size_t *parts, const char **cells, double *weights)
{
    size_t repeats = sample->count;
    for (size_t k = 0; k < sample->axes->count; k++) {
        struct batch_axis *axis = &sample->axes->axes[k];
        axis->count = sample->count;
        axis->values = batch_pool_take(sample->pool, axis->count * sizeof *axis->values);
        if (!axis->values)
            return fail_memory(sample);
        if (sample->is_grid) {
            repeats /= sample->distributions[k].cells;
            CHECK(fill_axis(sample, k, repeats, cells, weights));
        } else {
            CHECK(draw_axis(sample, k, parts));
        }
    }
    return STATUS_OK;
}

static enum status read_checked(struct sample *sample, size_t count_max)
{
    const char *method = job_string(sample->job, "method");
    sample->is_grid = strcmp(method, "grid") == 0;
    sample->is_random = strcmp(method, "random") == 0;
    sample->seed = (uint64_t)job_integer(sample->job, "seed");
    CHECK(read_distributions(sample));
    CHECK(count_runs(sample, count_max));
    double *weights = batch_pool_take(sample->pool, sample->count * sizeof *weights);
    size_t *parts = malloc(sample->count * sizeof *parts);
    const char **cells = malloc(sample->count * sizeof *cells);
    enum status status = weights && parts && cells ? STATUS_OK : fail_memory(sample);
    if (status == STATUS_OK) {
        for (size_t run = 0; run < sample->count; run++)
            weights[run] = sample->is_grid ? 1 : 1 / (double)sample->count;
        status = fill(sample, parts, cells, weights);
    }
    free(parts);
    free(cells);
    sample->axes->members = sample->count;
    sample->axes->weights = weights;
    return status;
}

enum status batch_sample_read(const struct job *document, size_t count_max, struct batch_pool **pool,
                              struct batch_axes *axes)
{
    const struct job_key_table table = {sample_keys, sizeof sample_keys / sizeof *sample_keys};
    struct sample *sample = calloc(1, sizeof *sample);
    if (!sample)
        return FAIL(STATUS_SYSTEM, "%s: no memory to read it", job_path(document));
    struct job *job = NULL;
    sample->document = document;
    sample->pool = pool;
    sample->axes = axes;
    enum status status = job_open_member(document, "sample", job_json(document, "sample"), &job);
    sample->job = job;
    if (status == STATUS_OK)
        status = job_check(job, &table, 1);
    if (status == STATUS_OK)
        status = read_checked(sample, count_max);
    job_free(job);
    free(sample);
    return status;
}
