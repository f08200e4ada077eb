// See cells_rungs.h.
#include "bench/ladder/gas/cells_rungs.h"

#include "bench/ladder/gas/cells_engine.h"
#include "core/clock.h"

#include <stdlib.h>

enum { WORK_GROUP = 64 }; // the author's; on the processor as many are taken at a time

static const int host_shapes[][LADDER_AXES] = {{16, 1, 1}, {64, 1, 1}, {1024, 1, 1}, {0}};

static const char in_order[] =
    "placed without a list for each cell; the particles are in order from the step before";
#ifdef FATHOM_LADDER_CUDA
static const int device_shapes[][LADDER_AXES] = {{32, 1, 1}, {64, 1, 1}, {128, 1, 1}, {256, 1, 1}, {0}};
static const char with_copies[] = "with the processor's sort and both copies";
static const char kept[] = "with both copies, without the sort";
static const char *const device_stages[] = {
    [GAS_CELLS_STAGE_SORT] = "sort",           [GAS_CELLS_STAGE_FAR] = "far cells",
    [GAS_CELLS_STAGE_PARTICLES] = "particles", [GAS_CELLS_STAGE_TO] = "to the device",
    [GAS_CELLS_STAGE_BACK] = "back",           NULL};
#endif
static const char *const host_stages[] = {[GAS_CELLS_STAGE_SORT] = "sort",
                                          [GAS_CELLS_STAGE_FAR] = "far cells",
                                          [GAS_CELLS_STAGE_PARTICLES] = "particles",
                                          NULL};

struct state {
    const struct gas_cells_engine *engine;
    struct gas_cells cells;
    void *own; // the engine's
};

static enum status done(const char *why)
{
    return why ? FAIL(STATUS_SYSTEM, "cuda: %s", why) : STATUS_OK;
}

static enum status create(const struct gas_cells_engine *engine, const struct gas_cells_way *way,
                          const struct ladder_case *wanted, void **state)
{
    struct state *made = *state = calloc(1, sizeof *made);
    if (!made)
        return FAIL(STATUS_SYSTEM, "no memory for a rung");
    CHECK(gas_cells_open(way, wanted, &made->cells));
    made->engine = engine;
    return done(engine->open(&made->cells, wanted->block[0] > 0 ? wanted->block[0] : WORK_GROUP,
                             wanted->device, &made->own));
}

static void destroy(void *state)
{
    struct state *of = state;
    if (of->engine)
        of->engine->close(of->own, &of->cells);
    gas_cells_free(&of->cells);
    free(of);
}

// The stages of a step, in order of time; returns how many.
static int list_stages(const struct state *state, enum gas_cells_stage list[GAS_CELLS_STAGES])
{
    const struct gas_cells_way *way = &state->cells.way;
    const bool is_whole = way->program != GAS_CELLS_FAR && way->program != GAS_CELLS_SORT,
               has_copies = is_whole && state->engine != &gas_cells_host;
    int count = 0;
    if (way->program == GAS_CELLS_SORT || (is_whole && !way->keeps_cells))
        list[count++] = GAS_CELLS_STAGE_SORT;
    if (has_copies)
        list[count++] = GAS_CELLS_STAGE_TO;
    if (gas_cells_has_far(way))
        list[count++] = GAS_CELLS_STAGE_FAR;
    if (is_whole)
        list[count++] = GAS_CELLS_STAGE_PARTICLES;
    if (has_copies)
        list[count++] = GAS_CELLS_STAGE_BACK;
    return count;
}

static enum status run(struct state *state, enum gas_cells_stage stage)
{
    if (stage != GAS_CELLS_STAGE_SORT)
        return done(state->engine->run(state->own, &state->cells, stage));
    gas_cells_sort(&state->cells);
    return STATUS_OK;
}

static enum status step(void *state, int count)
{
    struct state *of = state;
    enum gas_cells_stage stages[GAS_CELLS_STAGES];
    const int stage_count = list_stages(of, stages);
    for (int turn = 0; turn < count; turn++)
        for (int k = 0; k < stage_count; k++)
            CHECK(run(of, stages[k]));
    return done(of->engine->wait(of->own));
}

// Waits after each stage. (Rungs of one stage have no names of stages.)
static enum status time_stages(void *state, int count, double seconds[LADDER_STAGES_MAX])
{
    struct state *of = state;
    enum gas_cells_stage stages[GAS_CELLS_STAGES];
    const int stage_count = list_stages(of, stages);
    for (int turn = 0; turn < count; turn++)
        for (int k = 0; k < stage_count; k++) {
            const double begin_s = clock_now_s();
            CHECK(run(of, stages[k]));
            CHECK(done(of->engine->wait(of->own)));
            seconds[stages[k]] += clock_now_s() - begin_s;
        }
    return STATUS_OK;
}

// A rung of far cells alone does not move: its velocities are those of the start and what the last step
// found.
static enum status read_state(void *state, double *values)
{
    struct state *of = state;
    const struct gas_cells_view view = gas_cells_look(&of->cells);
    const size_t count = (size_t)view.particles;
    gas_cells_read(&of->cells, values);
    if (of->cells.way.program != GAS_CELLS_FAR)
        return STATUS_OK;
    CHECK(done(of->engine->read_far(of->own, &of->cells)));
    for (int id = 0; id < view.particles; id++)
        for (size_t axis = 0; axis < 2; axis++)
            values[(LADDER_AXES + axis) * count + of->cells.placed[id]] +=
                of->cells.far_kick[axis][gas_cells_find(&view, id)];
    return STATUS_OK;
}

// Places and velocities twice, and three arrays of integers: see gas_cells_open.
static double count_bytes(const struct ladder_case *wanted)
{
    return (8.0 * sizeof(float) + 3.0 * sizeof(int)) * (double)wanted->size[0];
}

#define DEFINE(identifier, name_, shapes_, stages_, summary_, differs_, on_device, engine, ...)              \
    static const struct gas_cells_way identifier##_way = {__VA_ARGS__};                                      \
    static enum status identifier##_create(const struct ladder_case *wanted, void **state)                   \
    {                                                                                                        \
        return create(&(engine), &identifier##_way, wanted, state);                                          \
    }                                                                                                        \
    static void identifier##_count(const struct ladder_case *wanted, struct ladder_counts *counts)           \
    {                                                                                                        \
        gas_cells_count(&identifier##_way, wanted, on_device, counts);                                       \
    }                                                                                                        \
    const struct ladder_rung identifier = {.name = (name_),                                                  \
                                           .summary = (summary_),                                            \
                                           .differs = (differs_),                                            \
                                           .is_device = (on_device),                                         \
                                           .has_threads = true,                                              \
                                           .precisions = LADDER_SINGLE,                                      \
                                           .block = {WORK_GROUP, 1, 1},                                      \
                                           .shapes = (shapes_),                                              \
                                           .create = identifier##_create,                                    \
                                           .step = step,                                                     \
                                           .read = read_state,                                               \
                                           .destroy = destroy,                                               \
                                           .count = identifier##_count,                                      \
                                           .count_bytes = count_bytes,                                       \
                                           .stages = (stages_),                                              \
                                           .time_stages = time_stages};
#define DEFINE_HOST(identifier, name, shapes, stages, summary, differs, ...)                                 \
    DEFINE(identifier, name, shapes, stages, summary, differs, false, gas_cells_host, __VA_ARGS__)
GAS_CELLS_HOST_RUNGS(DEFINE_HOST)
#ifdef FATHOM_LADDER_CUDA
#define DEFINE_DEVICE(identifier, name, shapes, stages, summary, differs, ...)                               \
    DEFINE(identifier, name, shapes, stages, summary, differs, true, gas_cells_device, __VA_ARGS__)
GAS_CELLS_DEVICE_RUNGS(DEFINE_DEVICE)
#endif
