// The kernels' view of the solver's arrays, once per precision (REAL and POINT(name) defined).

static struct POINT(device_level) POINT(view)(const struct tsunami_solver *s, int from, int to)
{
    const struct tsunami_geometry *g = s->host.setup.geometry;
    const struct tsunami_physics *physics = s->host.setup.physics;
    const size_t offset = s->host.halo_offset;
    struct POINT(device_level) level = {
        .nx = (int)g->nx,
        .ny = (int)g->ny,
        .pitch = (int)s->host.pitch,
        .e = (const REAL *)s->state[from][0] + offset,
        .u = (const REAL *)s->state[from][1] + offset,
        .v = (const REAL *)s->state[from][2] + offset,
        .c0 = (const REAL *)s->c0 + offset,
        .e_new = (REAL *)s->state[to][0] + offset,
        .u_new = (REAL *)s->state[to][1] + offset,
        .v_new = (REAL *)s->state[to][2] + offset,
        .columns = (const REAL *)s->columns + TSUNAMI_HALO_COLUMNS,
        .rows = (const REAL *)s->rows,
        .step = (REAL)s->host.setup.step_s,
        .friction = (REAL)host_level_friction(&s->host),
        .inverse_gravity = (REAL)1 / (REAL)g->gravity_m_s2,
        .has_rotation = physics->has_coriolis || physics->has_curvature,
        .has_metric_source = g->is_spherical && physics->method == TSUNAMI_VTCS2_O2,
        .has_metric_in_sweep = g->is_spherical && physics->method == TSUNAMI_VTCS2,
    };
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        level.is_open[side] = g->edges[side] == TSUNAMI_EDGE_OPEN;
    return level;
}

static cudaError_t POINT(step)(struct tsunami_solver *s, bool is_odd, float time_s)
{
    const struct tsunami_geometry *g = s->host.setup.geometry;
    const struct POINT(device_level) level = POINT(view)(s, s->current, 1 - s->current);
    const size_t tiles = tile_flags(s);
    const struct device_tiles list = {
        .list = s->device_list,
        .count = s->tile_count,
        .columns = s->tile_columns,
        .rows = s->tile_rows,
        .is_periodic_x = g->edges[TSUNAMI_WEST] == TSUNAMI_EDGE_PERIODIC,
        .is_periodic_y = g->edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_PERIODIC,
        .skips = s->host.setup.skips_quiet_tiles,
        .moving_old = s->device_flags + (size_t)s->moving * tiles,
        .moving_new = s->device_flags + (size_t)(1 - s->moving) * tiles,
        .computed = s->device_computed,
        .awake = s->device_flags + 2 * tiles,
    };
    return POINT(tsunami_launch_step)(&level, &s->records, &list, is_odd,
                                      s->host.setup.physics->method == TSUNAMI_VTCS2_O2, time_s, s->stream);
}

static cudaError_t POINT(record)(struct tsunami_solver *s, float time_s)
{
    const struct POINT(device_level) level = POINT(view)(s, s->current, s->current);
    return POINT(tsunami_launch_record)(&level, &s->records, time_s, s->stream);
}
