// See pairs_rungs.h.
#include "bench/ladder/gas/pairs_rungs.h"

#include "bench/ladder/gas/device_pairs.h"

#include <stdlib.h>

enum { WORK_GROUP = 64 }; // the author's

// He says that their size matters no more once loops are unrolled.
static const int shapes[][LADDER_AXES] = {{64, 1, 1},  {128, 1, 1},  {256, 1, 1},
                                          {512, 1, 1}, {1024, 1, 1}, {0}};
static const char stays[] = "the particles stay on the device";
static const char counted[] =
    "the particles stay on the device; operations are counted as if all pairs had all forces";

struct state {
    struct gas_ladder_particles particles; // as they were at the last `read`
    struct gas_pairs *pairs;
};

static enum status done(const char *why)
{
    return why ? FAIL(STATUS_SYSTEM, "cuda: %s", why) : STATUS_OK;
}

static enum status create(enum gas_pairs_kernel kernel, const struct ladder_case *wanted, void **state)
{
    struct state *made = *state = calloc(1, sizeof *made);
    if (!made)
        return FAIL(STATUS_SYSTEM, "no memory for a rung");
    CHECK(gas_ladder_place(wanted, gas_pairs_axes(kernel), &made->particles));
    const int threads = wanted->block[0] > 0 ? wanted->block[0] : WORK_GROUP;
    return done(gas_pairs_open(kernel, threads, wanted->device, &made->particles, &made->pairs));
}

static enum status step(void *state, int count)
{
    return done(gas_pairs_step(((struct state *)state)->pairs, count));
}

static enum status read_state(void *state, double *values)
{
    struct state *of = state;
    CHECK(done(gas_pairs_get(of->pairs, &of->particles)));
    gas_ladder_read(&of->particles, values);
    return STATUS_OK;
}

static void destroy(void *state)
{
    struct state *of = state;
    gas_pairs_close(of->pairs);
    gas_ladder_free(&of->particles);
    free(of);
}

// Bytes as the author counts them for table 5: each pair reads the place of one of the two.
static void count(const struct ladder_case *wanted, enum gas_pairs_kernel kernel, int operations,
                  struct ladder_counts *counts)
{
    gas_ladder_count(wanted, operations, 1, counts);
    counts->bytes = counts->work * sizeof(float) * gas_pairs_axes(kernel);
}

#define DEFINE(identifier, name_, kernel, operations, summary_, differs_)                                    \
    static enum status identifier##_create(const struct ladder_case *wanted, void **state)                   \
    {                                                                                                        \
        return create(kernel, wanted, state);                                                                \
    }                                                                                                        \
    static void identifier##_count(const struct ladder_case *wanted, struct ladder_counts *counts)           \
    {                                                                                                        \
        count(wanted, kernel, operations, counts);                                                           \
    }                                                                                                        \
    const struct ladder_rung identifier = {.name = (name_),                                                  \
                                           .summary = (summary_),                                            \
                                           .differs = (differs_),                                            \
                                           .is_device = true,                                                \
                                           .precisions = LADDER_SINGLE,                                      \
                                           .block = {WORK_GROUP, 1, 1},                                      \
                                           .shapes = shapes,                                                 \
                                           .create = identifier##_create,                                    \
                                           .step = step,                                                     \
                                           .read = read_state,                                               \
                                           .destroy = destroy,                                               \
                                           .count = identifier##_count};
GAS_PAIRS_RUNGS(DEFINE)
