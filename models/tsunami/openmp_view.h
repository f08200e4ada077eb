// The tiles' view of a level's arrays (openmp_level.h, openmp_fv_level.h), once per precision (REAL and POINT(name) defined).

static REAL *POINT(field)(const struct host_level *h, void *block)
{
    return (REAL *)block + h->halo_offset;
}

static struct POINT(level) POINT(level_of)(const struct host_level *h, int from, int to, int64_t step)
{
    const struct tsunami_geometry *g = h->setup.geometry;
    const struct tsunami_physics *physics = h->setup.physics;
    const REAL *columns = (const REAL *)h->columns + TSUNAMI_HALO_COLUMNS;
    const REAL *rows = (const REAL *)h->row_coefficients + TSUNAMI_HALO_ROWS;
    struct POINT(level) level = {
        .nx = g->nx,
        .ny = g->ny,
        .pitch = h->pitch,
        .e = POINT(field)(h, h->state[from][0]),
        .u = POINT(field)(h, h->state[from][1]),
        .v = POINT(field)(h, h->state[from][2]),
        .c0 = POINT(field)(h, h->c0),
        .e_new = POINT(field)(h, h->state[to][0]),
        .u_new = POINT(field)(h, h->state[to][1]),
        .v_new = POINT(field)(h, h->state[to][2]),
        .kx0 = columns,
        .kxm = columns + h->pitch,
        .kxp = columns + 2 * h->pitch,
        .dx_difference = columns + 3 * h->pitch,
        .ky0 = rows,
        .kym = rows + h->rows,
        .kyp = rows + 2 * h->rows,
        .dy_difference = rows + 3 * h->rows,
        .step_x = rows + 4 * h->rows,
        .coriolis = rows + 5 * h->rows,
        .curvature = rows + 6 * h->rows,
        .metric = rows + 7 * h->rows,
        .step = (REAL)h->setup.step_s,
        .friction = (REAL)host_level_friction(h),
        .gravity = (REAL)g->gravity_m_s2,
        .second_order = physics->method == TSUNAMI_VTCS2_O2,
        .has_rotation = physics->has_coriolis || physics->has_curvature,
        .has_metric_source = g->is_spherical && physics->method == TSUNAMI_VTCS2_O2,
        .has_metric_in_sweep = g->is_spherical && physics->method == TSUNAMI_VTCS2,
        .is_periodic_x = g->edges[TSUNAMI_WEST] == TSUNAMI_EDGE_PERIODIC,
        .is_periodic_y = g->edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_PERIODIC,
        .setup = &h->setup,
        .step_number = step,
    };
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        level.is_open[side] = g->edges[side] == TSUNAMI_EDGE_OPEN || g->edges[side] == TSUNAMI_EDGE_GIVEN;
    return level;
}

static struct POINT(fv_level) POINT(fv_level_of)(const struct host_level *h, int from, int to, int64_t step)
{
    const struct tsunami_geometry *g = h->setup.geometry;
    const struct tsunami_physics *physics = h->setup.physics;
    const REAL *columns = (const REAL *)h->columns + TSUNAMI_HALO_COLUMNS;
    const REAL *rows = (const REAL *)h->row_coefficients + TSUNAMI_HALO_ROWS;
    return (struct POINT(fv_level)){
        .nx = g->nx,
        .ny = g->ny,
        .pitch = h->pitch,
        .w = POINT(field)(h, h->state[from][0]),
        .u = POINT(field)(h, h->state[from][1]),
        .v = POINT(field)(h, h->state[from][2]),
        .z = POINT(field)(h, h->z),
        .w_new = POINT(field)(h, h->state[to][0]),
        .u_new = POINT(field)(h, h->state[to][1]),
        .v_new = POINT(field)(h, h->state[to][2]),
        .kx0 = columns,
        .kx_width = columns + h->pitch,
        .rate_y = rows,
        .cosine = rows + h->rows,
        .cos_south = rows + 2 * h->rows,
        .cos_north = rows + 3 * h->rows,
        .step_x = rows + 4 * h->rows,
        .coriolis = rows + 5 * h->rows,
        .curvature = rows + 6 * h->rows,
        .metric = rows + 7 * h->rows,
        .friction = (REAL)host_level_friction(h),
        .gravity = (REAL)g->gravity_m_s2,
        .minimum = (REAL)physics->minimum_depth_m,
        .wet = (REAL)h->setup.records->wet_depth_m,
        .has_rotation = physics->has_coriolis || physics->has_curvature,
        .setup = &h->setup,
        .step = step,
    };
}
