// See host.h: the arrays of the processor's rungs, and the rungs.
#include "bench/ladder/bioheat/host.h"

#include "bench/ladder/bioheat/host_steps.h"

#include <stdlib.h>
#include <string.h>

struct heat_ladder_host {
    struct heat_ladder_grid grid;
    size_t points;
    float *values, *next; // `next` is NULL where one array is enough
    float *coefficient;
};

static enum status create(const struct ladder_case *wanted, bool has_two, void **state)
{
    CHECK(heat_ladder_check(wanted));
    struct heat_ladder_host *host = calloc(1, sizeof *host);
    *state = host;
    if (!host)
        return FAIL(STATUS_SYSTEM, "no memory for a rung");
    host->grid = (struct heat_ladder_grid){(int)wanted->size[0], (int)wanted->size[1], (int)wanted->size[2]};
    host->points = heat_ladder_points(wanted);
    CHECK(heat_ladder_make_start(wanted, &host->values, &host->coefficient));
    if (!has_two)
        return STATUS_OK;
    host->next = malloc(host->points * sizeof *host->next);
    if (!host->next)
        return FAIL(STATUS_SYSTEM, "no memory for %zu bytes of a rung's points",
                    host->points * sizeof *host->next);
    memcpy(host->next, host->values, host->points * sizeof *host->next);
    return STATUS_OK;
}

static enum status create_two(const struct ladder_case *wanted, void **state)
{
    return create(wanted, true, state);
}

static enum status create_one(const struct ladder_case *wanted, void **state)
{
    return create(wanted, false, state);
}

void heat_ladder_host_set(void *state, const float *temperature, const float *coefficient)
{
    struct heat_ladder_host *host = state;
    const size_t bytes = host->points * sizeof(float);
    memcpy(host->values, temperature, bytes);
    memcpy(host->coefficient, coefficient, bytes);
    if (host->next)
        memcpy(host->next, temperature, bytes);
}

static enum status read_values(void *state, double *values)
{
    const struct heat_ladder_host *host = state;
    for (size_t k = 0; k < host->points; k++)
        values[k] = host->values[k];
    return STATUS_OK;
}

static void destroy(void *state)
{
    struct heat_ladder_host *host = state;
    free(host->values);
    free(host->next);
    free(host->coefficient);
    free(host);
}

static enum status advance(struct heat_ladder_host *host, heat_ladder_host_step *step, int count)
{
    for (int k = 0; k < count; k++) {
        float *const next = host->next;
        step(&host->grid, host->values, next, host->coefficient);
        host->next = host->values;
        host->values = next;
    }
    return STATUS_OK;
}

static enum status step_serial(void *state, int count)
{
    return advance(state, heat_ladder_host_serial, count);
}

static enum status step_plain(void *state, int count)
{
    return advance(state, ISA_TABLE(heat_ladder_host_steps)->plain, count);
}

static enum status step_blocks(void *state, int count)
{
    return advance(state, ISA_TABLE(heat_ladder_host_steps)->blocks, count);
}

static enum status step_colours(void *state, int count)
{
    struct heat_ladder_host *host = state;
    for (int k = 0; k < count; k++)
        ISA_TABLE(heat_ladder_host_steps)->colours(&host->grid, host->values, host->coefficient);
    return STATUS_OK;
}

const struct ladder_rung heat_ladder_serial = {
    .name = "serial",
    .summary = "plain loops, one thread, compiled without optimisation",
    .differs = "what makes the thesis' thread unoptimised is not known",
    .precisions = LADDER_SINGLE,
    .create = create_two,
    .step = step_serial,
    .read = read_values,
    .destroy = destroy};

const struct ladder_rung heat_ladder_openmp = {.name = "openmp",
                                               .summary = "the same loops, vectorised, all threads",
                                               .has_threads = true,
                                               .precisions = LADDER_SINGLE,
                                               .create = create_two,
                                               .step = step_plain,
                                               .read = read_values,
                                               .destroy = destroy};

const struct ladder_rung heat_ladder_cache_blocks = {
    .name = "cache-blocks",
    .summary = "twelve loops: tiles for three levels of cache",
    .differs = "tiles of 64x64x512, 32x32x512 and 32x16x512 points; the thesis' are not known",
    .has_threads = true,
    .precisions = LADDER_SINGLE,
    .create = create_two,
    .step = step_blocks,
    .read = read_values,
    .destroy = destroy};

const struct ladder_rung heat_ladder_colours = {.name = "colours",
                                                .summary =
                                                    "Gauss-Seidel: one array, a pass for each of 3 colours",
                                                .has_threads = true,
                                                .precisions = LADDER_SINGLE,
                                                .create = create_one,
                                                .step = step_colours,
                                                .read = read_values,
                                                .destroy = destroy};
