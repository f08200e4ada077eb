// The kernels' view of the solver's arrays, and how its steps are launched, once per precision (REAL and POINT(name)
// defined).

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
        .still = (const REAL *)s->still + offset,
        .columns = (const REAL *)s->columns + TSUNAMI_HALO_COLUMNS,
        .rows = (const REAL *)s->rows,
        .step = (REAL)s->host.setup.step_s,
        .friction = (REAL)host_level_friction(&s->host),
        .gravity = (REAL)g->gravity_m_s2,
        .inverse_gravity = (REAL)1 / (REAL)g->gravity_m_s2,
        .minimum_depth = (REAL)physics->minimum_depth_m,
        .has_rotation = physics->has_coriolis || physics->has_curvature,
        .has_metric_source = g->is_spherical &&
                             (physics->method == TSUNAMI_VTCS2_O2 || physics->method == TSUNAMI_VTCS2_SHORE),
        .has_metric_in_sweep = g->is_spherical && physics->method == TSUNAMI_VTCS2,
        .is_periodic_x = g->edges[TSUNAMI_WEST] == TSUNAMI_EDGE_PERIODIC,
        .is_periodic_y = g->edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_PERIODIC,
    };
    for (int f = 0; f < TSUNAMI_FIELDS; f++) {
        level.state[0][f] = (REAL *)s->state[from][f] + offset;
        level.state[1][f] = (REAL *)s->state[1 - from][f] + offset;
    }
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        level.edges[side] = s->edges[side];
        level.has_given |= g->edges[side] == TSUNAMI_EDGE_GIVEN;
        level.is_open[side] = g->edges[side] == TSUNAMI_EDGE_OPEN || g->edges[side] == TSUNAMI_EDGE_GIVEN;
    }
    return level;
}

// What a step keeps as it is made: nothing where the dispersion, or the rest of the bottom's rise, comes after it.
static struct device_records POINT(step_records)(const struct tsunami_solver *s)
{
    struct device_records records = s->records;
    if (s->host.setup.physics->has_dispersion || s->is_paused)
        records.kind = RECORDS_NONE;
    return records;
}

// Begins the steps from the present state, which is that before the first of them.
static cudaError_t POINT(steps)(struct tsunami_solver *s, const struct device_tiles *tiles,
                                const struct device_steps *steps)
{
    const struct POINT(device_level) level = POINT(view)(s, s->current ^ (int)(steps->first & 1));
    const struct device_records records = POINT(step_records)(s);
    if (s->host.floods)
        return POINT(tsunami_launch_fv_steps)(&level, &records, tiles, steps, s->lanes->compute);
    return POINT(tsunami_launch_steps)(&level, &records, tiles, steps,
                                       s->host.setup.physics->method == TSUNAMI_VTCS2_O2, s->lanes->compute);
}

static cudaError_t POINT(plain_step)(struct tsunami_solver *s, int64_t step)
{
    const struct POINT(device_level) level = POINT(view)(s, s->current);
    const struct device_records records = POINT(step_records)(s);
    const float time_s = (float)(s->host.setup.start_s + (double)(step + 1) * s->host.setup.step_s);
    if (s->host.setup.physics->method == TSUNAMI_VTCS2_SHORE)
        return POINT(tsunami_launch_shore)(&level, &records, step, time_s, s->lanes->compute);
    if (s->host.floods)
        return POINT(tsunami_launch_fv_plain)(&level, &records, step, time_s, s->lanes->compute);
    return POINT(tsunami_launch_plain)(
        &level, &records, step, s->host.setup.physics->method == TSUNAMI_VTCS2_O2, time_s, s->lanes->compute);
}

// On the state after a step, which left that before it in the other copy, or, in the plain version, its velocities apart.
static cudaError_t POINT(disperse)(struct tsunami_solver *s, int64_t step)
{
    const struct POINT(device_level) level = POINT(view)(s, s->current);
    const size_t offset = s->host.halo_offset;
    REAL *const before[2] = {s->is_plain ? s->dispersion.before[0] : s->state[1 - s->current][1],
                             s->is_plain ? s->dispersion.before[1] : s->state[1 - s->current][2]};
    const struct POINT(device_dispersion) dispersion = {
        .u_before = before[0] + offset,
        .v_before = before[1] + offset,
        .work = (REAL *)s->dispersion.work + offset,
        .value_x = (REAL *)s->dispersion.value[0] + offset,
        .value_y = (REAL *)s->dispersion.value[1] + offset,
        .lower_x = (REAL *)s->dispersion.lower[0] + offset,
        .upper_x = (REAL *)s->dispersion.upper[0] + offset,
        .lower_y = (REAL *)s->dispersion.lower[1] + offset,
        .upper_y = (REAL *)s->dispersion.upper[1] + offset,
        .psi_x = (REAL *)s->dispersion.psi[0] + offset,
        .psi_y = (REAL *)s->dispersion.psi[1] + offset,
        .scratch = s->dispersion.scratch,
    };
    return POINT(tsunami_launch_dispersion)(&level, &dispersion, 0, step % 2 == 0, s->lanes->compute);
}

static cudaError_t POINT(record)(struct tsunami_solver *s, float time_s)
{
    const struct POINT(device_level) level = POINT(view)(s, s->current);
    return s->host.floods ? POINT(tsunami_launch_fv_record)(&level, &s->records, 0, time_s, s->lanes->compute)
                          : POINT(tsunami_launch_record)(&level, &s->records, 0, time_s, s->lanes->compute);
}
