// How a CUDA solver's steps are launched: by method, tile by tile or a kernel a sweep. Knows no arithmetic.
#include "gpu/memory.h"
#include "gpu/tsunami/solver.h"

// (Of a divided grid node (0, 0) may be another rank's.)
static void *node_0_of(const struct solver *s, void *array)
{
    return (void *)((uintptr_t)array + s->host.halo_offset * s->host.element);
}

// `from`: the copy of the state that an even step reads.
static struct tsunami_level_view view_of(const struct solver *s, int from)
{
    const struct tsunami_geometry *g = s->host.setup.geometry;
    const struct tsunami_physics *physics = s->host.setup.physics;
    const size_t element = s->host.element;
    const bool is_o2 = physics->method == TSUNAMI_VTCS2_O2 || physics->method == TSUNAMI_VTCS2_SHORE;
    struct tsunami_level_view level = {
        .precision = s->host.setup.precision,
        .nx = (int)g->nx,
        .ny = (int)g->ny,
        .first_own = (int)tsunami_own(g).first,
        .end_own = (int)tsunami_own(g).end,
        .beyond = s->host.is_divided ? (int)host_level_reach(physics) : 0,
        .pitch = (int)s->host.pitch,
        .still = node_0_of(s, s->still),
        .columns = (const char *)s->columns + TSUNAMI_HALO_COLUMNS * element,
        .rows = s->rows,
        .step_s = s->host.setup.step_s,
        .friction = host_level_friction(&s->host),
        .gravity_m_s2 = g->gravity_m_s2,
        .minimum_depth_m = physics->minimum_depth_m,
        .has_rotation = physics->has_coriolis || physics->has_curvature,
        .has_metric_source = g->is_spherical && is_o2,
        .has_metric_in_sweep = g->is_spherical && physics->method == TSUNAMI_VTCS2,
        .limiter = physics->limiter,
        .is_periodic_x = g->edges[TSUNAMI_WEST] == TSUNAMI_EDGE_PERIODIC,
        .is_periodic_y = g->edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_PERIODIC,
        .is_ring = s->host.is_ring,
    };
    for (int f = 0; f < TSUNAMI_FIELDS; f++) {
        level.state[0][f] = node_0_of(s, s->state[from][f]);
        level.state[1][f] = node_0_of(s, s->state[1 - from][f]);
    }
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        level.edges[side] = s->edges[side];
        level.has_given |= g->edges[side] == TSUNAMI_EDGE_GIVEN;
        level.is_open[side] = g->edges[side] == TSUNAMI_EDGE_OPEN || g->edges[side] == TSUNAMI_EDGE_GIVEN;
    }
    return level;
}

enum status solver_launch_record(struct solver *s, double time_s)
{
    if (solver_is_staggered(s))
        return solver_launch_c_record(s, time_s);
    const struct tsunami_level_view level = view_of(s, s->current);
    if (s->records.kind != RECORDS_NONE)
        CUDA_CHECK((s->host.floods ? tsunami_launch_fv_record : tsunami_launch_record)(
                       &level, &s->records, 0, (float)time_s, s->timeline->compute),
                   "to record");
    return STATUS_OK;
}

// On the state after a step. The state before it is in the other copy; in the plain version its velocities
// are in `before`.
static enum status disperse(struct solver *s, int64_t step)
{
    const struct tsunami_level_view level = view_of(s, s->current);
    const size_t offset = s->host.halo_offset * s->host.element;
    struct tsunami_dispersion_view d = {
        .u_before = s->is_plain ? s->dispersion.before[0] : s->state[1 - s->current][1],
        .v_before = s->is_plain ? s->dispersion.before[1] : s->state[1 - s->current][2],
        .work = s->dispersion.work,
        .scratch = s->dispersion.scratch,
        .division = {.first = s->dispersion.ranks.first,
                     .end = s->dispersion.ranks.end,
                     .ends = s->dispersion.ranks.ends,
                     .slots = s->dispersion.ranks.device_slots,
                     .pitch = s->dispersion.ranks.pitch},
    };
    d.u_before = (char *)d.u_before + offset;
    d.v_before = (char *)d.v_before + offset;
    d.work = (char *)d.work + offset;
    for (int axis = 0; axis < 2; axis++) {
        d.value[axis] = (char *)s->dispersion.value[axis] + offset;
        d.lower[axis] = (char *)s->dispersion.lower[axis] + offset;
        d.upper[axis] = (char *)s->dispersion.upper[axis] + offset;
        d.psi[axis] = (char *)s->dispersion.psi[axis] + offset;
    }
    const struct solver_dispersion_step dispersion = {&level, &d, step % 2 == 0};
    return solver_disperse(s, &dispersion);
}

// On the state after a step.
static enum status stir(struct solver *s)
{
    const struct tsunami_level_view level = view_of(s, s->current);
    const struct tsunami_physics *physics = s->host.setup.physics;
    const struct tsunami_eddy_view eddies = {
        .change_u = node_0_of(s, s->eddy[0]),
        .change_v = node_0_of(s, s->eddy[1]),
        .constant_m2_s = physics->eddy_viscosity_m2_s,
        .smagorinsky = physics->smagorinsky,
    };
    CUDA_CHECK(tsunami_launch_eddies(&level, &eddies, 0, s->timeline->compute),
               "to apply a step's eddy viscosity");
    return STATUS_OK;
}

// Eddy viscosity, dispersion and records, after a step.
static enum status finish_step(struct solver *s, int64_t step)
{
    const double time_s = s->host.setup.start_s + (double)(step + 1) * s->host.setup.step_s;
    if (tsunami_physics_has_eddies(s->host.setup.physics)) {
        CHECK(solver_exchange_rows(s));
        CHECK(stir(s));
    }
    if (s->host.setup.physics->has_dispersion) {
        CHECK(solver_exchange_rows(s));
        CHECK(disperse(s, step));
    }
    return s->is_paused ? STATUS_OK : solver_launch_record(s, time_s);
}

// After a whole step.
static enum status record_points(struct solver *s, int64_t step)
{
    return s->is_paused
               ? STATUS_OK
               : solver_launch_points(s, s->host.setup.start_s + (double)(step + 1) * s->host.setup.step_s);
}

static cudaError_t launch_plain_step(struct solver *s, int64_t step)
{
    const struct tsunami_level_view level = view_of(s, s->current);
    const enum tsunami_method method = s->host.setup.physics->method;
    if (method == TSUNAMI_VTCS2_SHORE)
        return tsunami_launch_shore(&level, step, s->timeline->compute);
    if (s->host.floods)
        return tsunami_launch_fv_plain(&level, step, s->timeline->compute);
    return tsunami_launch_plain(&level, step, method == TSUNAMI_VTCS2_O2, s->timeline->compute);
}

// Of the plain version: a few launches a step; the present state stays in its copy.
static enum status launch_plain_steps(struct solver *s, int64_t first_step, int64_t count)
{
    for (int64_t step = first_step; step < first_step + count; step++) {
        if (s->host.setup.physics->has_dispersion)
            CHECK(solver_keep_before(s));
        CUDA_CHECK(launch_plain_step(s, step), "to start a step");
        CHECK(finish_step(s, step));
        CHECK(solver_exchange_step(s));
        CHECK(record_points(s, step));
    }
    return STATUS_OK;
}

static struct device_tiles tiles_of(const struct solver *s, int64_t first_step)
{
    const struct tsunami_geometry *g = s->host.setup.geometry;
    const int old = s->moving ^ (int)(first_step & 1); // the flags that an even step reads
    const size_t tiles = solver_tiles(s);
    return (struct device_tiles){
        .list = s->device_list,
        .count = s->tile_count,
        .columns = s->tile_columns,
        .rows = s->tile_rows,
        .nx = (int)g->nx,
        .ny = (int)g->ny,
        .first_own = (int)tsunami_own(g).first,
        .end_own = (int)tsunami_own(g).end,
        .shape = s->shape,
        .parts = s->tile_parts,
        .part_rows = solver_part_rows(s),
        .is_periodic_x = g->edges[TSUNAMI_WEST] == TSUNAMI_EDGE_PERIODIC,
        .is_periodic_y = g->edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_PERIODIC,
        .skips = s->host.setup.skips_quiet_tiles && !tsunami_physics_completes_steps(s->host.setup.physics),
        .moving = {s->device_flags + (size_t)old * tiles, s->device_flags + (size_t)(1 - old) * tiles},
        .awake = s->host.floods ? NULL : s->device_flags + 2 * tiles,
        .made = s->device_made,
        .peers = solver_peers(s, first_step),
        .taken = s->device_taken,
        .computed = s->device_computed,
    };
}

int solver_blocks(const struct solver *s)
{
    if (s->host.floods)
        return solver_is_single(s) ? FV_BLOCKS_F : FV_BLOCKS_D;
    return solver_is_single(s) ? BLOCKS_F : BLOCKS_D;
}

// With 1 to 2 1/4 tiles for each place fewer blocks are faster: a tile takes a shorter time, and fewer wait
// for the last step of a neighbour.
int solver_resident_blocks(const struct solver *s)
{
    const int blocks = solver_blocks(s), places = s->multiprocessors * blocks;
    const bool is_few = s->tile_count > places && 4 * s->tile_count < 9 * places;
    return is_few ? s->multiprocessors * ((3 * blocks + 3) / 4) : places;
}

// From the present state, before the first of the steps. The kernels keep no records if more of the step,
// or the rest of the bottom's rise, follows.
static cudaError_t launch_steps(struct solver *s, const struct device_tiles *tiles,
                                const struct device_steps *steps)
{
    const struct tsunami_level_view level = view_of(s, s->current ^ (int)(steps->first & 1));
    struct device_records records = s->records;
    if (tsunami_physics_completes_steps(s->host.setup.physics) || s->is_paused)
        records.kind = RECORDS_NONE;
    if (s->host.floods)
        return tsunami_launch_fv_steps(&level, &records, tiles, steps, s->timeline->compute);
    return tsunami_launch_steps(&level, &records, tiles, steps,
                                s->host.setup.physics->method == TSUNAMI_VTCS2_O2, s->timeline->compute);
}

static enum status launch_tiled_steps(struct solver *s, int64_t first_step, int64_t count)
{
    const int64_t items = (int64_t)s->tile_count * count;
    const int most = solver_resident_blocks(s);
    const struct device_tiles tiles = tiles_of(s, first_step);
    const struct device_steps steps = {.first = first_step,
                                       .count = count,
                                       .made = s->steps_made,
                                       .taken = s->taken,
                                       .blocks = items < most ? (int)items : most,
                                       .start_s = s->host.setup.start_s,
                                       .step_s = s->host.setup.step_s};
    if (items > 0)
        CUDA_CHECK(launch_steps(s, &tiles, &steps), "to start its steps");
    // Every block takes one item more than exist.
    s->taken += (unsigned long long)(items + steps.blocks);
    s->steps_made += (unsigned long long)count;
    s->current ^= (int)(count & 1);
    s->moving ^= (int)(count & 1);
    return STATUS_OK;
}

enum status solver_launch_steps(struct solver *s, int64_t first_step, int64_t count)
{
    if (solver_is_staggered(s))
        return solver_launch_c_steps(s, first_step, count);
    if (s->is_plain)
        return launch_plain_steps(s, first_step, count);
    // Points need the state after every step, and so do neighbours whose tiles do not wait: then a launch has
    // one.
    const bool completes = tsunami_physics_completes_steps(s->host.setup.physics);
    if (!completes && !solver_has_points(s) && (!s->host.is_divided || s->peers.is_used)) {
        CHECK(launch_tiled_steps(s, first_step, count));
        return s->peers.is_used ? solver_settle_peers(s, count) : STATUS_OK;
    }
    for (int64_t step = first_step; step < first_step + count; step++) {
        CHECK(launch_tiled_steps(s, step, 1));
        if (completes)
            CHECK(finish_step(s, step));
        CHECK(solver_exchange_step(s));
        CHECK(record_points(s, step));
    }
    return STATUS_OK;
}

struct results_state solver_present_surface(const struct solver *s)
{
    const bool is_staggered = solver_is_staggered(s);
    const struct tsunami_rows own = tsunami_own(s->host.setup.geometry);
    return (struct results_state){
        .e = node_0_of(s, s->state[s->current][0]),
        .still = node_0_of(s, is_staggered ? s->c_grid.depth : s->still),
        .first_own = (int)own.first,
        .end_own = (int)own.end,
        .precision = s->host.setup.precision,
        .nx = (int)s->host.setup.geometry->nx,
        .ny = (int)s->host.setup.geometry->ny,
        .pitch = (int)s->host.pitch,
        .floods = s->host.floods,
        .is_ring = s->host.is_ring,
        .is_staggered = is_staggered,
    };
}

enum status solver_present_state(struct solver *s, struct results_state *state)
{
    const bool is_staggered = solver_is_staggered(s);
    if (is_staggered)
        CHECK(solver_make_c_nodes(s));
    void *const *velocities = is_staggered ? s->c_grid.nodes : s->state[s->current] + 1;
    *state = solver_present_surface(s);
    state->u = node_0_of(s, velocities[0]);
    state->v = node_0_of(s, velocities[1]);
    return STATUS_OK;
}
