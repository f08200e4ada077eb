// One step of one tile of `vtcs2-shore` in the fast CPU version: both sweeps in one pass over two rings of rows, the state's
// and what is flooded from it, in the order of the steps of openmp_fv_march.h. Included once per precision by openmp_shore.c,
// with REAL and POINT(name) defined; knows no threads and no schedule.

// A row segment of state and bottom: pointers to the tile's column 0, valid from −FV_BEYOND to width + FV_BEYOND − 1.
struct POINT(shore_row) {
    REAL *w, *u, *v, *z;
};

// The nodes of a row with what floods them (struct shore_node): what a sweep advances.
struct POINT(shore_nodes) {
    REAL *w, *un, *ut, *c, *deepest, *pace;
};

// A tile in the making.
struct POINT(shore_tile) {
    const struct POINT(fv_level) * level;
    const struct tsunami_tile *tile;
    REAL *scratch;
    ptrdiff_t begin, end; // columns that the sweep along y makes
    bool is_odd, has_friction, is_periodic_x, is_periodic_y;
};

TILE_INLINE REAL *POINT(shore_array)(REAL *scratch, int index)
{
    return scratch + (size_t)index * FV_STRIDE + TSUNAMI_HALO_COLUMNS;
}

TILE_INLINE struct POINT(shore_row) POINT(shore_scratch_row)(REAL *scratch, int row)
{
    REAL *f[FV_ROW_FIELDS];
    for (int k = 0; k < FV_ROW_FIELDS; k++)
        f[k] = POINT(shore_array)(scratch, row * FV_ROW_FIELDS + k);
    return (struct POINT(shore_row)){f[0], f[1], f[2], f[3]};
}

TILE_INLINE struct POINT(shore_nodes) POINT(shore_scratch_nodes)(REAL *scratch, int row)
{
    REAL *f[SHORE_NODE_FIELDS];
    for (int k = 0; k < SHORE_NODE_FIELDS; k++)
        f[k] = POINT(shore_array)(scratch, SHORE_ROWS * FV_ROW_FIELDS + row * SHORE_NODE_FIELDS + k);
    return (struct POINT(shore_nodes)){f[0], f[1], f[2], f[3], f[4], f[5]};
}

TILE_INLINE struct POINT(shore_row) POINT(shore_ring_row)(const struct POINT(shore_tile) * t, ptrdiff_t row)
{
    return POINT(shore_scratch_row)(t->scratch, (int)((row + SHORE_RING) % SHORE_RING));
}

TILE_INLINE struct POINT(shore_nodes)
    POINT(shore_ring_nodes)(const struct POINT(shore_tile) * t, ptrdiff_t row)
{
    return POINT(shore_scratch_nodes)(t->scratch, (int)((row + SHORE_NODES) % SHORE_NODES));
}

TILE_INLINE struct POINT(shore_row) POINT(shore_spare_row)(const struct POINT(shore_tile) * t)
{
    return POINT(shore_scratch_row)(t->scratch, SHORE_RING);
}

// ---- from the level ----

static void POINT(shore_load_field)(const REAL *line, ptrdiff_t nx, bool is_periodic, REAL beyond,
                                    ptrdiff_t column, ptrdiff_t count, REAL *to)
{
    const ptrdiff_t begin = column < 0 ? -column : 0;
    const ptrdiff_t end = column + count > nx ? nx - column : count;
    memcpy(to + begin, line + column + begin, (size_t)(end - begin) * sizeof *to);
    for (ptrdiff_t k = 0; k < begin; k++)
        to[k] = is_periodic ? line[(column + k + nx) % nx] : beyond;
    for (ptrdiff_t k = end; k < count; k++)
        to[k] = is_periodic ? line[(column + k) % nx] : beyond;
}

// A row of the level with its columns beyond the tile; beyond the domain the periodic ones, or ground that nothing floods.
static void POINT(shore_load_row)(const struct POINT(shore_tile) * t, ptrdiff_t row,
                                  struct POINT(shore_row) to)
{
    const struct POINT(fv_level) *level = t->level;
    const ptrdiff_t offset = row * (ptrdiff_t)level->pitch, nx = (ptrdiff_t)level->nx;
    const REAL *from[] = {level->w + offset, level->u + offset, level->v + offset, level->z + offset};
    REAL *fields[] = {to.w, to.u, to.v, to.z};
    for (int f = 0; f < FV_ROW_FIELDS; f++)
        POINT(shore_load_field)
    (from[f], nx, t->is_periodic_x, f == FV_ROW_FIELDS - 1 ? SHORE_OUTSIDE : (REAL)0,
     t->tile->column - FV_BEYOND, t->tile->width + 2 * FV_BEYOND, fields[f] - FV_BEYOND);
}

// A row beyond an edge that is not periodic.
static void POINT(shore_fill_outside)(const struct POINT(shore_tile) * t, struct POINT(shore_row) to)
{
    for (ptrdiff_t i = -FV_BEYOND; i < t->tile->width + FV_BEYOND; i++) {
        to.w[i] = to.u[i] = to.v[i] = (REAL)0;
        to.z[i] = SHORE_OUTSIDE;
    }
}

// ---- the sweeps ----

TILE_INLINE void POINT(shore_keep)(struct POINT(shore_nodes) to, ptrdiff_t i, struct POINT(shore_node) node)
{
    to.w[i] = node.w;
    to.un[i] = node.un;
    to.ut[i] = node.ut;
    to.c[i] = node.c;
    to.deepest[i] = node.deepest;
    to.pace[i] = node.pace;
}

TILE_INLINE struct POINT(shore_node) POINT(shore_kept)(struct POINT(shore_nodes) from, ptrdiff_t i)
{
    return (struct POINT(shore_node)){from.w[i], from.un[i],      from.ut[i],
                                      from.c[i], from.deepest[i], from.pace[i]};
}

// What its neighbours in the row flood of each node, from −1 to width.
TILE_INLINE void POINT(shore_flood_row)(const struct POINT(fv_level) * level, ptrdiff_t width,
                                        struct POINT(shore_row) in, struct POINT(shore_nodes) to)
{
    const REAL gravity = level->gravity, minimum = level->minimum;
    const REAL *restrict w = in.w, *restrict u = in.u, *restrict v = in.v, *restrict z = in.z;
#pragma omp simd
    for (ptrdiff_t i = -1; i < width + 1; i++) {
        const struct POINT(shore_node) node =
            POINT(shore_flooded)(POINT(fv_cell_of)(w[i - 1], u[i - 1], v[i - 1], z[i - 1]),
                                 POINT(fv_cell_of)(w[i], u[i], v[i], z[i]),
                                 POINT(fv_cell_of)(w[i + 1], u[i + 1], v[i + 1], z[i + 1]), gravity, minimum);
        POINT(shore_keep)(to, i, node);
    }
}

// What the rows beside it flood of each node.
TILE_INLINE void POINT(shore_flood_rows)(const struct POINT(shore_tile) * t, struct POINT(shore_row) south,
                                         struct POINT(shore_row) here, struct POINT(shore_row) north,
                                         struct POINT(shore_nodes) to)
{
    const REAL gravity = t->level->gravity, minimum = t->level->minimum;
#pragma omp simd
    for (ptrdiff_t i = t->begin; i < t->end; i++) {
        const struct POINT(shore_node) node = POINT(shore_flooded)(
            POINT(fv_cell_of)(south.w[i], south.v[i], south.u[i], south.z[i]),
            POINT(fv_cell_of)(here.w[i], here.v[i], here.u[i], here.z[i]),
            POINT(fv_cell_of)(north.w[i], north.v[i], north.u[i], north.z[i]), gravity, minimum);
        POINT(shore_keep)(to, i, node);
    }
}

// The sweep along x of a row with what floods it.
TILE_INLINE void POINT(shore_sweep_row)(const struct POINT(fv_level) * level, ptrdiff_t row, ptrdiff_t column,
                                        ptrdiff_t width, struct POINT(shore_nodes) nodes,
                                        const REAL *restrict z, REAL *restrict w, REAL *restrict u,
                                        REAL *restrict v)
{
    // Along x the level's coefficients are those of struct host_level, [4][pitch].
    const REAL *restrict k0 = level->kx0 + column, *restrict km = k0 + level->pitch;
    const REAL *restrict kp = km + level->pitch, *restrict dd = kp + level->pitch;
    const REAL step = level->step_x[row], gravity = level->gravity, minimum = level->minimum;
#pragma omp simd
    for (ptrdiff_t i = 0; i < width; i++) {
        const struct POINT(spacing) h = POINT(spacing_of)(k0[i], km[i], kp[i], dd[i], step);
        const struct POINT(shore_node) node = POINT(shore_kept)(nodes, i);
        const struct POINT(shore_change) change = POINT(shore_advance)(
            POINT(shore_seen_of)(POINT(shore_kept)(nodes, i - 1), z[i - 1]), POINT(shore_seen_of)(node, z[i]),
            POINT(shore_seen_of)(POINT(shore_kept)(nodes, i + 1), z[i + 1]), h, gravity);
        REAL w_new, un, ut;
        POINT(shore_update)(node, z[i], change, h.rate, gravity, minimum, &w_new, &un, &ut);
        w[i] = w_new;
        u[i] = un;
        v[i] = ut;
    }
}

// Of row number `row`, in the places where the finite volumes have theirs (struct host_level).
TILE_INLINE struct POINT(spacing) POINT(shore_spacing_y)(const struct POINT(fv_level) * level, ptrdiff_t row)
{
    return POINT(spacing_of)(level->rate_y[row], level->cosine[row], level->cos_south[row],
                             level->cos_north[row], (REAL)level->setup->step_s);
}

// The sweep along y of the middle of three rows with what floods them.
TILE_INLINE void POINT(shore_sweep_rows)(const struct POINT(shore_tile) * t, ptrdiff_t row,
                                         const struct POINT(shore_nodes) nodes[3], const REAL *const z[3],
                                         REAL *restrict w, REAL *restrict u, REAL *restrict v)
{
    const struct POINT(spacing) h = POINT(shore_spacing_y)(t->level, row);
    const REAL gravity = t->level->gravity, minimum = t->level->minimum;
    const struct POINT(shore_nodes) south = nodes[0], here = nodes[1], north = nodes[2];
    const REAL *restrict z_south = z[0], *restrict z_here = z[1], *restrict z_north = z[2];
#pragma omp simd
    for (ptrdiff_t i = t->begin; i < t->end; i++) {
        const struct POINT(shore_node) node = POINT(shore_kept)(here, i);
        const struct POINT(shore_change) change =
            POINT(shore_advance)(POINT(shore_seen_of)(POINT(shore_kept)(south, i), z_south[i]),
                                 POINT(shore_seen_of)(node, z_here[i]),
                                 POINT(shore_seen_of)(POINT(shore_kept)(north, i), z_north[i]), h, gravity);
        REAL w_new, un, ut;
        POINT(shore_update)(node, z_here[i], change, h.rate, gravity, minimum, &w_new, &un, &ut);
        w[i] = w_new;
        v[i] = un;
        u[i] = ut;
    }
}

// ---- open and given edges ----

// What lies outside `side` at its node number `node`, at a moment of the step (0 to 1).
static struct POINT(fv_outside) POINT(shore_outside_of)(const struct POINT(fv_level) * level,
                                                        enum tsunami_side side, ptrdiff_t node, double moment)
{
    const struct tsunami_given_edge *edge = tsunami_edge_of(level->setup, side);
    struct POINT(fv_outside) outside = {0};
    if (!edge)
        return outside;
    const struct tsunami_edge_value given =
        tsunami_edge_value(edge, tsunami_edge_time(edge, level->step, moment), (size_t)node);
    const bool along_x = side == TSUNAMI_WEST || side == TSUNAMI_EAST;
    outside.is_elevation_alone = given.is_given && !given.has_velocity;
    outside.has_ut = given.is_given && given.has_velocity;
    outside.eta = (REAL)given.eta_m;
    outside.un = (REAL)(along_x ? given.u_m_s : given.v_m_s);
    outside.ut = (REAL)(along_x ? given.v_m_s : given.u_m_s);
    return outside;
}

static bool POINT(shore_is_open)(const struct POINT(fv_level) * level, enum tsunami_side side)
{
    const enum tsunami_edge edge = level->setup->geometry->edges[side];
    return edge == TSUNAMI_EDGE_OPEN || edge == TSUNAMI_EDGE_GIVEN;
}

// The node on a side, `inner` the next one inwards; `k` over their distance.
static void POINT(shore_make_edge)(const struct POINT(fv_level) * level, enum tsunami_side side,
                                   ptrdiff_t number, struct POINT(shore_node) node, REAL z,
                                   struct POINT(shore_seen) inner, REAL k, REAL step, REAL rate, REAL *w,
                                   REAL *un, REAL *ut)
{
    if (!POINT(shore_is_edge)(node, z))
        return;
    const REAL outward = side == TSUNAMI_EAST || side == TSUNAMI_NORTH ? (REAL)1 : (REAL)-1;
    const double moment = tsunami_edge_sweep_moment(
        TSUNAMI_VTCS2_SHORE, side == TSUNAMI_WEST || side == TSUNAMI_EAST, level->step);
    const struct POINT(shore_change) change =
        POINT(shore_edge)(inner, POINT(shore_seen_of)(node, z), z, outward, k, step,
                          POINT(shore_outside_of)(level, side, number, moment), level->gravity);
    POINT(shore_update)(node, z, change, rate, level->gravity, level->minimum, w, un, ut);
}

// The western and eastern nodes of a row that has been swept along x.
static void POINT(shore_make_edges_x)(const struct POINT(fv_level) * level, ptrdiff_t row, ptrdiff_t column,
                                      ptrdiff_t width, struct POINT(shore_nodes) nodes, const REAL *z,
                                      REAL *w, REAL *u, REAL *v)
{
    const struct {
        enum tsunami_side side;
        bool is_here;
        ptrdiff_t at, inward;
    } ends[] = {{TSUNAMI_WEST, column == 0, 0, 1},
                {TSUNAMI_EAST, column + width == (ptrdiff_t)level->nx, width - 1, -1}};
    for (int e = 0; e < 2; e++) {
        if (!ends[e].is_here || !POINT(shore_is_open)(level, ends[e].side))
            continue;
        const ptrdiff_t i = ends[e].at, in = i + ends[e].inward, pitch = (ptrdiff_t)level->pitch;
        const REAL *k0 = level->kx0 + column + i; // 1/dm and 1/dp follow
        const REAL step = level->step_x[row];
        POINT(shore_make_edge)
        (level, ends[e].side, row, POINT(shore_kept)(nodes, i), z[i],
         POINT(shore_seen_of)(POINT(shore_kept)(nodes, in), z[in]), k0[in > i ? 2 * pitch : pitch], step,
         step * k0[0], &w[i], &u[i], &v[i]);
    }
}

// The nodes of a row on the southern or northern edge that has been swept along y. Columns beyond the domain are the other
// side's on periodic edges, else dry.
static void POINT(shore_make_edge_row)(const struct POINT(shore_tile) * t, enum tsunami_side side,
                                       ptrdiff_t row, const struct POINT(shore_nodes) nodes[3],
                                       const REAL *const z[3], REAL *w, REAL *u, REAL *v)
{
    const struct POINT(spacing) h = POINT(shore_spacing_y)(t->level, row);
    const ptrdiff_t nx = (ptrdiff_t)t->level->nx;
    const int inner = side == TSUNAMI_SOUTH ? 2 : 0;
    for (ptrdiff_t i = t->begin; i < t->end; i++) {
        const ptrdiff_t column = (t->tile->column + i + nx) % nx;
        POINT(shore_make_edge)
        (t->level, side, column, POINT(shore_kept)(nodes[1], i), z[1][i],
         POINT(shore_seen_of)(POINT(shore_kept)(nodes[inner], i), z[inner][i]), inner == 2 ? h.kp : h.km,
         h.step, h.rate, &w[i], &v[i], &u[i]);
    }
}

// What is given at a node of a side at the end of the step, by the edge's rule for a step of no length; un across the edge.
static void POINT(shore_give_node)(const struct POINT(fv_level) * level, enum tsunami_side side,
                                   ptrdiff_t number, REAL z, REAL rate, REAL *w, REAL *un, REAL *ut)
{
    if (!tsunami_edge_of(level->setup, side))
        return;
    const struct POINT(fv_cell) cell = POINT(fv_cell_of)(*w, *un, *ut, z);
    const struct POINT(shore_node) node =
        POINT(shore_flooded)(cell, cell, cell, level->gravity, level->minimum); // alone: nothing floods it
    const struct POINT(fv_outside) outside =
        POINT(shore_outside_of)(level, side, number, tsunami_edge_moment(TSUNAMI_VTCS2_SHORE));
    const bool is_given = outside.is_elevation_alone || outside.has_ut;
    if (!is_given || !POINT(shore_is_edge)(node, z))
        return;
    const REAL outward = side == TSUNAMI_EAST || side == TSUNAMI_NORTH ? (REAL)1 : (REAL)-1;
    const struct POINT(shore_seen) seen = POINT(shore_seen_of)(node, z);
    const struct POINT(shore_change) change =
        POINT(shore_edge)(seen, seen, z, outward, (REAL)0, (REAL)0, outside, level->gravity);
    POINT(shore_update)(node, z, change, rate, level->gravity, level->minimum, w, un, ut);
}

static void POINT(shore_give_x)(const struct POINT(shore_tile) * t, ptrdiff_t row, const REAL *z, REAL *w,
                                REAL *u, REAL *v)
{
    const ptrdiff_t column = t->tile->column, last = t->tile->width - 1;
    const REAL *k0 = t->level->kx0 + column;
    const REAL step = t->level->step_x[row];
    if (column == 0)
        POINT(shore_give_node)(t->level, TSUNAMI_WEST, row, z[0], step * k0[0], &w[0], &u[0], &v[0]);
    if (column + last == (ptrdiff_t)t->level->nx - 1)
        POINT(shore_give_node)
    (t->level, TSUNAMI_EAST, row, z[last], step * k0[last], &w[last], &u[last], &v[last]);
}

static void POINT(shore_give_y)(const struct POINT(shore_tile) * t, ptrdiff_t row, const REAL *z, REAL *w,
                                REAL *u, REAL *v)
{
    const bool is_there[] = {row == 0, row == (ptrdiff_t)t->level->ny - 1};
    const REAL rate = POINT(shore_spacing_y)(t->level, row).rate;
    for (int end = 0; end < 2; end++)
        for (ptrdiff_t i = 0; is_there[end] && i < t->tile->width; i++)
            POINT(shore_give_node)
    (t->level, end ? TSUNAMI_NORTH : TSUNAMI_SOUTH, t->tile->column + i, z[i], rate, &w[i], &v[i], &u[i]);
}

// At last the edges of a finished row, in the order of the sweeps: neither the sweep along an edge nor what acts at a point
// may move on what is given for the end of the step.
static void POINT(shore_give_row)(const struct POINT(shore_tile) * t, ptrdiff_t row, const REAL *z, REAL *w,
                                  REAL *u, REAL *v)
{
    if (!t->level->setup->given)
        return;
    if (t->is_odd)
        POINT(shore_give_y)(t, row, z, w, u, v);
    POINT(shore_give_x)(t, row, z, w, u, v);
    if (!t->is_odd)
        POINT(shore_give_y)(t, row, z, w, u, v);
}

// ---- what acts at a point ----

// Metric, rotation, friction, or the reverse.
TILE_INLINE void POINT(shore_sources_row)(const struct POINT(fv_level) * level, ptrdiff_t row,
                                          ptrdiff_t begin, ptrdiff_t end, REAL *restrict w,
                                          const REAL *restrict z, REAL *restrict u, REAL *restrict v,
                                          bool has_friction, bool is_reversed)
{
    const REAL coriolis = level->coriolis[row], curvature = level->curvature[row];
    const REAL metric = level->metric[row], friction = level->friction, minimum = level->minimum;
#pragma omp simd
    for (ptrdiff_t i = begin; i < end; i++) {
        struct POINT(fv_cell) cell = POINT(fv_cell_of)(w[i], u[i], v[i], z[i]);
        REAL u_new = u[i], v_new = v[i], w_new = w[i], factor = (REAL)1;
        if (has_friction && is_reversed)
            factor = POINT(fv_friction_factor)(cell.h, u_new, v_new, friction, minimum);
        u_new *= factor;
        v_new *= factor;
        if (!is_reversed)
            w_new = POINT(shore_metric)(cell, v_new, metric, minimum);
        POINT(rotate)(&u_new, &v_new, coriolis, curvature);
        if (is_reversed)
            w_new = POINT(shore_metric)(cell, v_new, metric, minimum);
        factor = (REAL)1;
        if (has_friction && !is_reversed) {
            cell = POINT(fv_cell_of)(w_new, u_new, v_new, z[i]);
            factor = POINT(fv_friction_factor)(cell.h, u_new, v_new, friction, minimum);
        }
        w[i] = w_new;
        u[i] = u_new * factor;
        v[i] = v_new * factor;
    }
}

static void POINT(shore_sources)(const struct POINT(shore_tile) * t, ptrdiff_t row, ptrdiff_t begin,
                                 ptrdiff_t end, REAL *w, const REAL *z, REAL *u, REAL *v)
{
    const struct POINT(fv_level) *level = t->level;
    if (!t->has_friction && !level->has_rotation && !level->setup->geometry->is_spherical)
        return;
    if (t->has_friction && t->is_odd)
        POINT(shore_sources_row)(level, row, begin, end, w, z, u, v, true, true);
    else if (t->has_friction)
        POINT(shore_sources_row)(level, row, begin, end, w, z, u, v, true, false);
    else if (t->is_odd)
        POINT(shore_sources_row)(level, row, begin, end, w, z, u, v, false, true);
    else
        POINT(shore_sources_row)(level, row, begin, end, w, z, u, v, false, false);
}

// ---- a tile ----

static void POINT(shore_pass_x)(const struct POINT(shore_tile) * t, ptrdiff_t row, struct POINT(shore_row) in,
                                REAL *w, REAL *u, REAL *v)
{
    const struct POINT(shore_nodes) nodes = POINT(shore_scratch_nodes)(t->scratch, SHORE_NODES);
    const ptrdiff_t column = t->tile->column, width = t->tile->width;
    POINT(shore_flood_row)(t->level, width, in, nodes);
    POINT(shore_sweep_row)(t->level, row, column, width, nodes, in.z, w, u, v);
    POINT(shore_make_edges_x)(t->level, row, column, width, nodes, in.z, w, u, v);
}

// Makes a row ready for the sweep along y: swept along x, or its sources applied.
static void POINT(shore_prepare_row)(const struct POINT(shore_tile) * t, ptrdiff_t row)
{
    const ptrdiff_t ny = (ptrdiff_t)t->level->ny, from = (row % ny + ny) % ny;
    const struct POINT(shore_row) to = POINT(shore_ring_row)(t, row);
    if (from != row && !t->is_periodic_y) {
        POINT(shore_fill_outside)(t, to);
        return;
    }
    if (t->is_odd) {
        POINT(shore_load_row)(t, from, to);
        POINT(shore_sources)(t, from, t->begin, t->end, to.w, to.z, to.u, to.v);
        return;
    }
    const struct POINT(shore_row) loaded = POINT(shore_spare_row)(t);
    POINT(shore_load_row)(t, from, loaded);
    POINT(shore_pass_x)(t, from, loaded, to.w, to.u, to.v);
    memcpy(to.z, loaded.z, (size_t)t->tile->width * sizeof *to.z);
}

// The sweep along y of a row whose neighbours' nodes are ready; then the sources, or the sweep along x, complete the step.
static void POINT(shore_finish_row)(const struct POINT(shore_tile) * t, ptrdiff_t row)
{
    const struct POINT(fv_level) *level = t->level;
    const ptrdiff_t offset = row * (ptrdiff_t)level->pitch + t->tile->column;
    REAL *w = level->w_new + offset, *u = level->u_new + offset, *v = level->v_new + offset;
    struct POINT(shore_row) to = {w, u, v, NULL};
    struct POINT(shore_nodes) nodes[3];
    const REAL *z[3];
    for (int k = 0; k < 3; k++) {
        nodes[k] = POINT(shore_ring_nodes)(t, row - 1 + k);
        z[k] = POINT(shore_ring_row)(t, row - 1 + k).z;
    }
    if (t->is_odd)
        to = POINT(shore_spare_row)(t);
    POINT(shore_sweep_rows)(t, row, nodes, z, to.w, to.u, to.v);
    if (row == 0 && POINT(shore_is_open)(level, TSUNAMI_SOUTH))
        POINT(shore_make_edge_row)(t, TSUNAMI_SOUTH, row, nodes, z, to.w, to.u, to.v);
    if (row == (ptrdiff_t)level->ny - 1 && POINT(shore_is_open)(level, TSUNAMI_NORTH))
        POINT(shore_make_edge_row)(t, TSUNAMI_NORTH, row, nodes, z, to.w, to.u, to.v);
    if (t->is_odd) {
        memcpy(to.z + t->begin, z[1] + t->begin, (size_t)(t->end - t->begin) * sizeof *to.z);
        POINT(shore_pass_x)(t, row, to, w, u, v);
    } else {
        POINT(shore_sources)(t, row, 0, t->tile->width, w, level->z + offset, u, v);
    }
    POINT(shore_give_row)(t, row, level->z + offset, w, u, v);
}

static bool POINT(shore_advance_tile)(const struct POINT(fv_level) * level,
                                      const struct tsunami_records *records, const struct tsunami_tile *tile,
                                      REAL *scratch, bool is_odd, float time_s)
{
    const enum tsunami_edge *edges = level->setup->geometry->edges;
    const ptrdiff_t beyond = is_odd ? FV_BEYOND : 0;
    const struct POINT(shore_tile) t = {.level = level,
                                        .tile = tile,
                                        .scratch = scratch,
                                        .begin = -beyond,
                                        .end = tile->width + beyond,
                                        .is_odd = is_odd,
                                        .has_friction = level->friction > (REAL)0,
                                        .is_periodic_x = edges[TSUNAMI_WEST] == TSUNAMI_EDGE_PERIODIC,
                                        .is_periodic_y = edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_PERIODIC};
    const ptrdiff_t first = tile->row_begin - FV_BEYOND;
    for (ptrdiff_t row = first; row < tile->row_end + FV_BEYOND; row++) {
        POINT(shore_prepare_row)(&t, row);
        // The node rows that three rows make are those of the middle one; the row that three of these make is the one before.
        if (row >= first + 2)
            POINT(shore_flood_rows)
        (&t, POINT(shore_ring_row)(&t, row - 2), POINT(shore_ring_row)(&t, row - 1),
         POINT(shore_ring_row)(&t, row), POINT(shore_ring_nodes)(&t, row - 1));
        if (row >= first + 4)
            POINT(shore_finish_row)(&t, row - 2);
    }
    const bool has_changed = POINT(fv_has_changed)(level, tile);
    POINT(fv_record_tile)(level, records, tile, time_s);
    return has_changed;
}
