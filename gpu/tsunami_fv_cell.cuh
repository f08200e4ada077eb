// What the kernels of the moving shoreline do at a node and with its neighbours in a warp, once per precision: included with
// REAL and POINT(name) defined, after fv_point.h. The arithmetic is that header's; knows no tiles and no order of work.

// A node as stored: w is η where z < 0, and the depth on land.
struct POINT(water) {
    REAL w, u, v, z;
};

// Constants of a row as the sweeps need them; `held`: what a unit of depth can give to a face, h/λ over the face's cosine.
struct POINT(fv_row) {
    REAL step_x, held_x, lambda, half, fastest, held_south, held_north;
    REAL cosine_south, cosine, coriolis, curvature, metric;
};

// |un| + c is held below this part of what a cell lets through.
#define FV_FASTEST (REAL)0.95

// Of a row, or beyond an edge: of the wrapped one, or the mirror image of the mirrored one.
static __device__ __forceinline__ struct POINT(fv_row)
    POINT(fv_row_of)(const struct POINT(device_level) & level, int row)
{
    const int inside = wrapped_or_mirrored(row, level.ny, level.is_periodic_y);
    const bool is_mirrored = !level.is_periodic_y && inside != row;
    const REAL *given = level.rows + (inside + 1) * ROW_CONSTANTS;
    const REAL lambda = given[FV_ROW_LAMBDA], cosine = given[FV_ROW_COSINE];
    const REAL south = given[is_mirrored ? FV_ROW_COSINE_NORTH : FV_ROW_COSINE_SOUTH];
    const REAL north = given[is_mirrored ? FV_ROW_COSINE_SOUTH : FV_ROW_COSINE_NORTH];
    struct POINT(fv_row) k;
    k.step_x = given[FV_ROW_STEP_X];
    k.held_x = (REAL)1 / k.step_x;
    k.lambda = lambda;
    k.half = (REAL)0.5 * lambda * cosine;
    k.fastest = FV_FASTEST / (lambda * cosine);
    // Through a face of no width, at a pole, nothing goes.
    k.held_south = south > (REAL)0 ? (REAL)1 / (lambda * south) : (REAL)0;
    k.held_north = north > (REAL)0 ? (REAL)1 / (lambda * north) : (REAL)0;
    k.cosine_south = south;
    k.cosine = cosine;
    k.coriolis = given[FV_ROW_CORIOLIS];
    k.curvature = given[FV_ROW_CURVATURE];
    k.metric = given[FV_ROW_METRIC];
    return k;
}

static __device__ __forceinline__ struct POINT(fv_cell) POINT(fv_along_x)(struct POINT(water) c)
{
    return POINT(fv_cell_of)(c.w, c.u, c.v, c.z);
}

static __device__ __forceinline__ struct POINT(fv_cell) POINT(fv_along_y)(struct POINT(water) c)
{
    return POINT(fv_cell_of)(c.w, c.v, c.u, c.z);
}

static __device__ __forceinline__ REAL POINT(fv_stored)(struct POINT(fv_cell) c)
{
    return c.z < (REAL)0 ? c.eta : c.h;
}

static __device__ __forceinline__ struct POINT(water) POINT(water_from_lane)(struct POINT(water) c, int step)
{
    return {from_lane(c.w, step), from_lane(c.u, step), from_lane(c.v, step), from_lane(c.z, step)};
}

// What lies beyond an edge, from the node `inner` on it and the one mirrored in it; un and ut along and across.
static __device__ __noinline__ struct POINT(fv_cell)
    POINT(fv_ghost)(const struct POINT(device_level) & level, struct POINT(fv_cell) inner,
                    struct POINT(fv_cell) mirrored, enum tsunami_side side, const struct given_now &given,
                    int place)
{
    const enum tsunami_edge edge = level.edges[side].kind;
    const bool is_along_x = side == TSUNAMI_WEST || side == TSUNAMI_EAST;
    struct POINT(fv_outside) outside = {edge == TSUNAMI_EDGE_WALL, 0, 0, 0, 0, 0};
    if (edge == TSUNAMI_EDGE_GIVEN) {
        const struct given_node node = given_at(level.edges[side], given, place);
        if (node.is_there) {
            outside.eta = (REAL)node.eta_m;
            outside.is_elevation_alone = outside.has_ut = level.edges[side].has_velocity;
            outside.is_elevation_alone ^= 1;
            outside.un = (REAL)(is_along_x ? node.u_m_s : node.v_m_s);
            outside.ut = (REAL)(is_along_x ? node.v_m_s : node.u_m_s);
        }
    }
    const REAL sign = side == TSUNAMI_EAST || side == TSUNAMI_NORTH ? (REAL)1 : (REAL)-1;
    return POINT(fv_beyond)(inner, mirrored, sign, outside, level.gravity, level.minimum_depth);
}

// The metric term of a row beyond an edge, as the column has it whose node on the edge is `inner`: turned round with
// everything else in a wall's mirror image; none in what comes from outside.
static __device__ __forceinline__ REAL POINT(fv_ghost_metric)(const struct POINT(device_level) & level,
                                                              struct POINT(fv_cell) inner,
                                                              enum tsunami_side side, REAL metric)
{
    const bool is_wall = level.edges[side].kind == TSUNAMI_EDGE_WALL || !(inner.h > level.minimum_depth) ||
                         !(inner.z < (REAL)0);
    return is_wall ? -metric : (REAL)0;
}

// Constants of a lane's column: 1 over its width (at the equator), its width, and that of the column before.
struct POINT(fv_column) {
    REAL inverse, width, width_before;
};

static __device__ __forceinline__ struct POINT(fv_side)
    POINT(fv_side_from_lane)(struct POINT(fv_side) s, int step)
{
    return {from_lane(s.eta, step), from_lane(s.z, step), from_lane(s.un, step), from_lane(s.ut, step)};
}

// The x sweep of a row; every lane makes its western face. `bits` gathers what changed.
static __device__ __forceinline__ struct POINT(water)
    POINT(fv_sweep_x)(const struct POINT(device_level) & level, struct POINT(water) here,
                      const struct POINT(fv_column) & h, const struct POINT(fv_row) & k, unsigned &bits)
{
    const REAL gravity = level.gravity, minimum = level.minimum_depth, lambda = k.step_x * h.inverse;
    const struct POINT(fv_cell) west = POINT(fv_along_x)(POINT(water_from_lane)(here, -1));
    const struct POINT(fv_cell) cell = POINT(fv_along_x)(here);
    const struct POINT(fv_cell) east = POINT(fv_along_x)(POINT(water_from_lane)(here, +1));
    const struct POINT(fv_faces) faces =
        POINT(fv_faces_of)(west, cell, east, (REAL)0.5 * lambda, (REAL)0, gravity, minimum);
    const struct POINT(fv_flux) flux =
        POINT(fv_flux_of)(POINT(fv_side_from_lane)(faces.plus, -1), faces.minus, west.h > minimum,
                          cell.h > minimum, west.h * (k.held_x * h.width_before),
                          cell.h * (k.held_x * h.width), from_lane(faces.froude, -1), faces.froude, gravity);
    const struct POINT(fv_flux)
        beyond = {from_lane(flux.h, +1), from_lane(flux.minus, +1), (REAL)0, from_lane(flux.ut, +1)};
    struct POINT(water) swept = here;
    POINT(fv_update)
    (cell, flux, beyond, faces.push, lambda, FV_FASTEST * (k.held_x * h.width), gravity, minimum, &swept.w,
     &swept.u, &swept.v);
    bits |= changed_bits(swept.w, here.w);
    return swept;
}

// What a column carries from row to row of the y sweep: its last row's northern side, and the flux below that row.
struct POINT(fv_carried) {
    struct POINT(fv_side) plus;
    REAL push, froude;
    struct POINT(fv_flux) below;
};

// The flux between rows `south` and `centre`; `faces` are the centre's.
static __device__ __forceinline__ struct POINT(fv_flux)
    POINT(fv_flux_y)(const struct POINT(device_level) & level, struct POINT(fv_cell) south,
                     struct POINT(fv_cell) centre, const struct POINT(fv_side) & from_south,
                     REAL froude_south, const struct POINT(fv_faces) & faces,
                     const struct POINT(fv_row) & k_south, const struct POINT(fv_row) & k_centre)
{
    struct POINT(fv_flux) flux =
        POINT(fv_flux_of)(from_south, faces.minus, south.h > level.minimum_depth,
                          centre.h > level.minimum_depth, south.h * k_south.held_north,
                          centre.h * k_centre.held_south, froude_south, faces.froude, level.gravity);
    flux.h *= k_centre.cosine_south;
    flux.minus *= k_centre.cosine_south;
    flux.plus *= k_centre.cosine_south;
    flux.ut *= k_centre.cosine_south;
    return flux;
}

static __device__ __forceinline__ struct POINT(water)
    POINT(fv_update_y)(const struct POINT(device_level) & level, struct POINT(fv_cell) cell,
                       struct POINT(fv_flux) below, struct POINT(fv_flux) above, REAL push,
                       const struct POINT(fv_row) & k)
{
    struct POINT(water) next;
    next.z = cell.z;
    POINT(fv_update)
    (cell, below, above, push * k.cosine, k.lambda, k.fastest, level.gravity, level.minimum_depth, &next.w,
     &next.v, &next.u);
    return next;
}

// Rotation and friction, or the other way round.
template <bool IS_REVERSED>
static __device__ __forceinline__ struct POINT(water)
    POINT(fv_sources)(const struct POINT(device_level) & level, struct POINT(water) c,
                      const struct POINT(fv_row) & k)
{
    if (!IS_REVERSED && level.has_rotation)
        POINT(rotate)(&c.u, &c.v, k.coriolis, k.curvature);
    if (level.friction > (REAL)0) {
        const REAL h = POINT(fv_along_x)(c).h;
        const REAL factor = POINT(fv_friction_factor)(h, c.u, c.v, level.friction, level.minimum_depth);
        c.u *= factor;
        c.v *= factor;
    }
    if (IS_REVERSED && level.has_rotation)
        POINT(rotate)(&c.u, &c.v, k.coriolis, k.curvature);
    return c;
}

static __device__ __forceinline__ void POINT(store_water)(REAL *const *state, struct POINT(water) c,
                                                          int offset)
{
    state[0][offset] = c.w;
    state[1][offset] = c.u;
    state[2][offset] = c.v;
}
