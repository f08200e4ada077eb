// How a CUDA solver's steps are launched: by method, by precision, tile by tile or a kernel a sweep. Knows no
// arithmetic.
#include "gpu/memory.h"
#include "gpu/tsunami/solver.h"

#define REAL        float
#define POINT(name) name##_f
#include "gpu/tsunami/view.inc"
#undef REAL
#undef POINT
#define REAL        double
#define POINT(name) name##_d
#include "gpu/tsunami/view.inc"
#undef REAL
#undef POINT

enum status solver_launch_record(struct solver *s, double time_s)
{
    if (s->records.kind != RECORDS_NONE)
        CUDA_CHECK(solver_is_single(s) ? record_f(s, (float)time_s) : record_d(s, (float)time_s),
                   "to record");
    return STATUS_OK;
}

static enum status disperse(struct solver *s, int64_t step)
{
    CUDA_CHECK(solver_is_single(s) ? disperse_f(s, step) : disperse_d(s, step), "to disperse a step");
    return STATUS_OK;
}

static double time_after_s(const struct solver *s, int64_t step)
{
    return s->host.setup.start_s + (double)(step + 1) * s->host.setup.step_s;
}

// The baseline's: a few launches a step; the present state stays in its copy.
static enum status launch_plain_steps(struct solver *s, int64_t first_step, int64_t count)
{
    const bool disperses = s->host.setup.physics->has_dispersion;
    for (int64_t step = first_step; step < first_step + count; step++) {
        if (disperses)
            CHECK(solver_keep_before(s));
        CUDA_CHECK(solver_is_single(s) ? plain_step_f(s, step) : plain_step_d(s, step), "to start a step");
        if (!disperses)
            continue;
        CHECK(disperse(s, step));
        CHECK(s->is_paused ? STATUS_OK : solver_launch_record(s, time_after_s(s, step)));
    }
    return STATUS_OK;
}

static struct device_tiles tiles_of(const struct solver *s, int64_t first_step)
{
    const struct tsunami_geometry *g = s->host.setup.geometry;
    const int old = s->moving ^ (int)(first_step & 1); // the flags that an even step looks at
    const size_t tiles = solver_tiles(s);
    return (struct device_tiles){
        .list = s->device_list,
        .count = s->tile_count,
        .columns = s->tile_columns,
        .rows = s->tile_rows,
        .nx = (int)g->nx,
        .ny = (int)g->ny,
        .shape = s->shape,
        .is_periodic_x = g->edges[TSUNAMI_WEST] == TSUNAMI_EDGE_PERIODIC,
        .is_periodic_y = g->edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_PERIODIC,
        .skips = s->host.setup.skips_quiet_tiles && !s->host.setup.physics->has_dispersion,
        .moving = {s->device_flags + (size_t)old * tiles, s->device_flags + (size_t)(1 - old) * tiles},
        .awake = s->host.floods ? NULL : s->device_flags + 2 * tiles,
        .made = s->device_made,
        .taken = s->device_taken,
        .computed = s->device_computed,
    };
}

static int resident_blocks(const struct solver *s)
{
    if (s->host.floods)
        return s->multiprocessors * (solver_is_single(s) ? FV_BLOCKS_F : FV_BLOCKS_D);
    return s->multiprocessors * (solver_is_single(s) ? BLOCKS_F : BLOCKS_D);
}

static enum status launch_marched_steps(struct solver *s, int64_t first_step, int64_t count)
{
    const int64_t items = (int64_t)s->tile_count * count;
    const int most = resident_blocks(s);
    const struct device_tiles tiles = tiles_of(s, first_step);
    const struct device_steps steps = {.first = first_step,
                                       .count = count,
                                       .made = s->steps_made,
                                       .taken = s->taken,
                                       .blocks = items < most ? (int)items : most,
                                       .start_s = s->host.setup.start_s,
                                       .step_s = s->host.setup.step_s};
    if (items > 0)
        CUDA_CHECK(solver_is_single(s) ? steps_f(s, &tiles, &steps) : steps_d(s, &tiles, &steps),
                   "to start its steps");
    // Every block takes one item more than there is.
    s->taken += (unsigned long long)(items + steps.blocks);
    s->steps_made += (unsigned long long)count;
    s->current ^= (int)(count & 1);
    s->moving ^= (int)(count & 1);
    return STATUS_OK;
}

enum status solver_launch_steps(struct solver *s, int64_t first_step, int64_t count)
{
    if (s->is_plain)
        return launch_plain_steps(s, first_step, count);
    if (!s->host.setup.physics->has_dispersion)
        return launch_marched_steps(s, first_step, count);
    for (int64_t step = first_step; step < first_step + count; step++) {
        CHECK(launch_marched_steps(s, step, 1));
        CHECK(disperse(s, step));
        CHECK(s->is_paused ? STATUS_OK : solver_launch_record(s, time_after_s(s, step)));
    }
    return STATUS_OK;
}

struct results_state solver_present_state(const struct solver *s)
{
    const size_t offset = s->host.halo_offset * s->host.element;
    void *const *fields = s->state[s->current];
    return (struct results_state){
        .e = (const char *)fields[0] + offset,
        .u = (const char *)fields[1] + offset,
        .v = (const char *)fields[2] + offset,
        .still = (const char *)s->still + offset,
        .precision = s->host.setup.precision,
        .nx = (int)s->host.setup.geometry->nx,
        .ny = (int)s->host.setup.geometry->ny,
        .pitch = (int)s->host.pitch,
        .floods = s->host.floods,
    };
}
