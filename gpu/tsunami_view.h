// The kernels' view of the solver's arrays, once per precision (REAL and POINT(name) defined).

// `from`: the copy of the state that an even step reads.
static struct POINT(device_level) POINT(view)(const struct tsunami_solver *s, int from)
{
    const struct tsunami_geometry *g = s->host.setup.geometry;
    const struct tsunami_physics *physics = s->host.setup.physics;
    const size_t offset = s->host.halo_offset;
    struct POINT(device_level) level = {
        .nx = (int)g->nx,
        .ny = (int)g->ny,
        .pitch = (int)s->host.pitch,
        .c0 = (const REAL *)s->c0 + offset,
        .columns = (const REAL *)s->columns + TSUNAMI_HALO_COLUMNS,
        .rows = (const REAL *)s->rows,
        .step = (REAL)s->host.setup.step_s,
        .friction = (REAL)host_level_friction(&s->host),
        .inverse_gravity = (REAL)1 / (REAL)g->gravity_m_s2,
        .has_rotation = physics->has_coriolis || physics->has_curvature,
        .has_metric_source = g->is_spherical && physics->method == TSUNAMI_VTCS2_O2,
        .has_metric_in_sweep = g->is_spherical && physics->method == TSUNAMI_VTCS2,
        .is_periodic_x = g->edges[TSUNAMI_WEST] == TSUNAMI_EDGE_PERIODIC,
        .is_periodic_y = g->edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_PERIODIC,
    };
    for (int f = 0; f < TSUNAMI_FIELDS; f++) {
        level.state[0][f] = (REAL *)s->state[from][f] + offset;
        level.state[1][f] = (REAL *)s->state[1 - from][f] + offset;
    }
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        level.is_open[side] = g->edges[side] == TSUNAMI_EDGE_OPEN;
    return level;
}

// Begins `count` steps from the present state, which is that before `first_step`.
static cudaError_t POINT(steps)(struct tsunami_solver *s, int64_t first_step, int64_t count)
{
    const struct tsunami_geometry *g = s->host.setup.geometry;
    // Which copy an even step reads, and which flags it looks at.
    const int parity = (int)(first_step & 1), from = s->current ^ parity, old = s->moving ^ parity;
    const size_t tiles = tile_flags(s);
    const struct POINT(device_level) level = POINT(view)(s, from);
    const struct device_tiles list = {
        .list = s->device_list,
        .count = s->tile_count,
        .columns = s->tile_columns,
        .rows = s->tile_rows,
        .is_periodic_x = g->edges[TSUNAMI_WEST] == TSUNAMI_EDGE_PERIODIC,
        .is_periodic_y = g->edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_PERIODIC,
        .skips = s->host.setup.skips_quiet_tiles,
        .moving = {s->device_flags + (size_t)old * tiles, s->device_flags + (size_t)(1 - old) * tiles},
        .awake = s->device_flags + 2 * tiles,
        .made = s->device_made,
        .taken = s->device_taken,
        .computed = s->device_computed,
    };
    const struct device_steps steps = {.first = first_step,
                                       .count = count,
                                       .made = s->steps_made,
                                       .start_s = s->host.setup.start_s,
                                       .step_s = s->host.setup.step_s,
                                       .multiprocessors = s->multiprocessors};
    return POINT(tsunami_launch_steps)(&level, &s->records, &list, &steps,
                                       s->host.setup.physics->method == TSUNAMI_VTCS2_O2, s->stream);
}

static cudaError_t POINT(plain_step)(struct tsunami_solver *s, int64_t step)
{
    const struct POINT(device_level) level = POINT(view)(s, s->current);
    const bool is_second_order = s->host.setup.physics->method == TSUNAMI_VTCS2_O2;
    return POINT(tsunami_launch_plain)(
        &level, &s->records, is_second_order && step % 2 != 0, is_second_order,
        (float)(s->host.setup.start_s + (double)(step + 1) * s->host.setup.step_s), s->stream);
}

static cudaError_t POINT(record)(struct tsunami_solver *s, float time_s)
{
    const struct POINT(device_level) level = POINT(view)(s, s->current);
    return POINT(tsunami_launch_record)(&level, &s->records, 0, time_s, s->stream);
}
