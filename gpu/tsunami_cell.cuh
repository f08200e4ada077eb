// What the kernels of propagation do at a node and with its neighbours in a warp, once per precision: included with REAL,
// POINT(name) and LANE_COLUMNS (columns that a lane of the march holds) defined. The arithmetic is point.h's; knows no
// tiles and no order of work.

// What a lane holds of one row, and one value each of its columns, as loaded and stored in one piece.
struct POINT(cell) {
    REAL e, u, v, c0;
};

struct POINT(cells) {
    struct POINT(cell) at[LANE_COLUMNS];
};

struct alignas(sizeof(REAL) * LANE_COLUMNS) POINT(values) {
    REAL at[LANE_COLUMNS];
};

// Of the records, which are float in every precision.
struct alignas(sizeof(float) * LANE_COLUMNS) POINT(heights) {
    float at[LANE_COLUMNS];
};

// Constants of a row as the march needs them: the level's, combined.
struct alignas(16) POINT(row_constants) {
    REAL km, kp, dd, rate, step_x, coriolis, curvature, metric;
};

static __device__ __forceinline__ struct POINT(row_constants)
    POINT(row_of)(const struct POINT(device_level) & level, int row)
{
    const REAL *given = level.rows + (row + 1) * ROW_CONSTANTS;
    return {given[1],          given[2], given[3], level.step * given[0],
            given[ROW_STEP_X], given[5], given[6], given[7]};
}

static __device__ __forceinline__ struct POINT(node) POINT(along_x)(struct POINT(cell) c)
{
    return POINT(node_of)(c.e, c.u, c.v, c.c0);
}

static __device__ __forceinline__ struct POINT(node) POINT(along_y)(struct POINT(cell) c)
{
    return POINT(node_of)(c.e, c.v, c.u, c.c0);
}

// The last column of the lane before, or the first of the lane after.
static __device__ __forceinline__ struct POINT(cell) POINT(cell_from_lane)(struct POINT(cell) c, int step)
{
    return {from_lane(c.e, step), from_lane(c.u, step), from_lane(c.v, step), from_lane(c.c0, step)};
}

// Constants of a lane's columns.
struct POINT(columns) {
    REAL k0[LANE_COLUMNS], km[LANE_COLUMNS], kp[LANE_COLUMNS], dd[LANE_COLUMNS];
};

// The node ON an edge at which a wave is given, if there is one there and then, else `otherwise`; without a velocity, that
// follows from what leaves. Seldom called, and apart: its code would crowd out that of the loops.
static __device__ __noinline__ struct POINT(node)
    POINT(given_edge)(const struct POINT(device_level) & level, struct POINT(node) inner,
                      struct POINT(node) edge, REAL k, REAL step, enum tsunami_side which,
                      const struct given_now *now, int place, struct POINT(node) otherwise)
{
    const struct given_node given = given_at(level.edges[which], now[which], place);
    if (!given.is_there)
        return otherwise;
    const bool is_along_x = which == TSUNAMI_WEST || which == TSUNAMI_EAST;
    const REAL side = which == TSUNAMI_EAST || which == TSUNAMI_NORTH ? (REAL)1 : (REAL)-1;
    const double c0 = (double)edge.c0, gravity = (double)level.gravity;
    const double c2 = c0 * c0 + gravity * given.eta_m; // a surface below the bottom is no water
    const REAL e = c2 > 0 ? (REAL)(gravity * given.eta_m / (sqrt(c2) + c0)) : -edge.c0;
    if (!level.edges[which].has_velocity) {
        const struct POINT(node) open = POINT(open_edge)(inner, edge, side, k, step, (REAL)0);
        return POINT(node_of)(e, side * ((REAL)2 * open.un * side - (REAL)2 * e), open.ut, edge.c0);
    }
    const REAL un = (REAL)(is_along_x ? given.u_m_s : given.v_m_s);
    struct POINT(node) next = POINT(open_edge)(inner, edge, side, k, step, side * un - (REAL)2 * e);
    if (side * next.un < (REAL)0) // what comes in brings its own
        next.ut = (REAL)(is_along_x ? given.v_m_s : given.u_m_s);
    return next;
}

// At last, at the end of the step, the edge takes what is given once more, by its rule for a step of no length: neither the
// sweep along it nor the sources may move that on. One axis; `now` for the end of the step.
static __device__ __forceinline__ struct POINT(cell)
    POINT(give_end)(const struct POINT(device_level) & level, struct POINT(cell) c, bool is_along_x,
                    int column, int row, const struct given_now *now)
{
    const int place = is_along_x ? column : row, last = (is_along_x ? level.nx : level.ny) - 1;
    const enum tsunami_side before = is_along_x ? TSUNAMI_WEST : TSUNAMI_SOUTH;
    const enum tsunami_side after = is_along_x ? TSUNAMI_EAST : TSUNAMI_NORTH;
    const enum tsunami_side which = place == 0 ? before : after;
    if ((place != 0 && place != last) || level.edges[which].kind != TSUNAMI_EDGE_GIVEN || !(c.c0 > (REAL)0))
        return c;
    const struct POINT(node) edge = is_along_x ? POINT(along_x)(c) : POINT(along_y)(c);
    const struct POINT(node) next =
        POINT(given_edge)(level, edge, edge, (REAL)0, (REAL)0, which, now, is_along_x ? row : column, edge);
    return {next.e, is_along_x ? next.un : next.ut, is_along_x ? next.ut : next.un, c.c0};
}

// Both axes, in the order of the sweeps.
static __device__ __forceinline__ struct POINT(cell)
    POINT(give_ends)(const struct POINT(device_level) & level, struct POINT(cell) c, bool is_x_first,
                     int column, int row, const struct given_now *now)
{
    c = POINT(give_end)(level, c, is_x_first, column, row, now);
    return POINT(give_end)(level, c, !is_x_first, column, row, now);
}

// A node with land about it, or on the domain's edge. HAS_GIVEN: waves are given at one edge or more.
template <bool SECOND, bool HAS_GIVEN>
static __device__ __forceinline__ struct POINT(node)
    POINT(sweep_coast)(const struct POINT(device_level) & level, struct POINT(node) left,
                       struct POINT(node) here, struct POINT(node) right, const struct POINT(spacing) & h,
                       const struct line_end &end)
{
    left = POINT(neighbour)(left, here);
    right = POINT(neighbour)(right, here);
    const bool is_left = end.is_on_left && level.is_open[end.left];
    const bool is_right = end.is_on_right && level.is_open[end.right];
    struct POINT(node) next = POINT(sweep)(left, here, right, h, SECOND);
    if (is_left)
        next = POINT(open_edge)(right, here, (REAL)-1, h.kp, h.step, (REAL)0);
    if (is_right)
        next = POINT(open_edge)(left, here, (REAL)1, h.km, h.step, (REAL)0);
    if (!(here.c0 > (REAL)0))
        next = POINT(node_of)((REAL)0, (REAL)0, (REAL)0, here.c0);
    else if (HAS_GIVEN && (is_left || is_right) &&
             level.edges[is_right ? end.right : end.left].kind == TSUNAMI_EDGE_GIVEN)
        next = POINT(given_edge)(level, is_right ? left : right, here, is_right ? h.km : h.kp, h.step,
                                 is_right ? end.right : end.left, end.given, end.place, next);
    return next;
}

static __device__ __forceinline__ struct line_end POINT(end_x)(const struct POINT(device_level) & level,
                                                               int column, int row,
                                                               const struct given_now *given)
{
    return {column == 0,
            column == level.nx - 1,
            TSUNAMI_WEST,
            TSUNAMI_EAST,
            wrapped_or_mirrored(row, level.ny, level.is_periodic_y),
            given};
}

static __device__ __forceinline__ struct line_end POINT(end_y)(const struct POINT(device_level) & level,
                                                               int column, int row,
                                                               const struct given_now *given)
{
    return {row == 0,
            row == level.ny - 1,
            TSUNAMI_SOUTH,
            TSUNAMI_NORTH,
            wrapped_or_mirrored(column, level.nx, level.is_periodic_x),
            given};
}

template <bool HAS_LAND, bool SECOND, bool HAS_GIVEN>
static __device__ __forceinline__ struct POINT(cells)
    POINT(sweep_x)(const struct POINT(device_level) & level, const struct POINT(cells) & row,
                   const struct POINT(columns) & h, REAL step, int column, int number,
                   const struct given_now *given)
{
    struct POINT(node) nodes[LANE_COLUMNS + 2];
    nodes[0] = POINT(along_x)(POINT(cell_from_lane)(row.at[LANE_COLUMNS - 1], -1));
    for (int k = 0; k < LANE_COLUMNS; k++)
        nodes[k + 1] = POINT(along_x)(row.at[k]);
    nodes[LANE_COLUMNS + 1] = POINT(along_x)(POINT(cell_from_lane)(row.at[0], +1));
    struct POINT(cells) swept;
    struct POINT(pair) pairs[LANE_COLUMNS + 1];
    if (!HAS_LAND) {
        for (int k = 0; k < LANE_COLUMNS; k++)
            pairs[k + 1] = POINT(between)(nodes[k + 1], nodes[k + 2], h.kp[k]);
        const struct POINT(pair) &last = pairs[LANE_COLUMNS];
        pairs[0] = {from_lane(last.p, -1), from_lane(last.q, -1), from_lane(last.ut, -1)};
    }
    for (int k = 0; k < LANE_COLUMNS; k++) {
        const struct POINT(spacing) spacing = POINT(spacing_of)(h.k0[k], h.km[k], h.kp[k], h.dd[k], step);
        const struct POINT(node) next =
            HAS_LAND
                ? POINT(sweep_coast)<SECOND, HAS_GIVEN>(level, nodes[k], nodes[k + 1], nodes[k + 2], spacing,
                                                        POINT(end_x)(level, column + k, number, given))
                : POINT(sweep_between)(nodes[k], nodes[k + 1], nodes[k + 2], pairs[k], pairs[k + 1], spacing,
                                       SECOND);
        swept.at[k] = {next.e, next.un, next.ut, next.c0};
    }
    return swept;
}

static __device__ __forceinline__ struct POINT(spacing)
    POINT(spacing_y)(const struct POINT(device_level) & level, const struct POINT(row_constants) & k)
{
    return {k.km, k.kp, k.dd, level.step, k.rate, level.step * k.rate};
}

// What the published scheme adds to the y sweep for the sphere.
template <bool SECOND>
static __device__ __forceinline__ struct POINT(cell)
    POINT(finish_y)(const struct POINT(device_level) & level, struct POINT(node) centre,
                    struct POINT(node) next, const struct POINT(row_constants) & k)
{
    if (!SECOND && level.has_metric_in_sweep)
        next.e = MADD(centre.un * k.metric, centre.c0 + centre.e, next.e);
    return {next.e, next.ut, next.un, next.c0};
}

// The middle row's column; `below` is what lies between it and the south, and becomes what lies to its north.
template <bool SECOND>
static __device__ __forceinline__ struct POINT(cell)
    POINT(sweep_y)(const struct POINT(device_level) & level, struct POINT(node) south,
                   struct POINT(node) centre, struct POINT(node) north, const struct POINT(row_constants) & k,
                   struct POINT(pair) & below)
{
    const struct POINT(pair) above = POINT(between)(centre, north, k.kp);
    const struct POINT(node) next =
        POINT(sweep_between)(south, centre, north, below, above, POINT(spacing_y)(level, k), SECOND);
    below = above;
    return POINT(finish_y)<SECOND>(level, centre, next, k);
}

// The same with land about it, or on the domain's edge: there the open edge's rule, not the scheme's, has the last word.
template <bool SECOND, bool HAS_GIVEN>
static __device__ __forceinline__ struct POINT(cell)
    POINT(sweep_y_coast)(const struct POINT(device_level) & level, struct POINT(node) south,
                         struct POINT(node) centre, struct POINT(node) north,
                         const struct POINT(row_constants) & k, int row, int column,
                         const struct given_now *given)
{
    const struct line_end end = POINT(end_y)(level, column, row, given);
    const bool is_through =
        (end.is_on_left && level.is_open[end.left]) || (end.is_on_right && level.is_open[end.right]);
    const struct POINT(node) next =
        POINT(sweep_coast)<SECOND, HAS_GIVEN>(level, south, centre, north, POINT(spacing_y)(level, k), end);
    if (is_through || !(centre.c0 > (REAL)0))
        return {next.e, next.ut, next.un, next.c0};
    return POINT(finish_y)<SECOND>(level, centre, next, k);
}

template <bool HAS_LAND, bool SECOND, bool HAS_FRICTION, bool IS_REVERSED>
static __device__ __forceinline__ struct POINT(cell)
    POINT(apply_sources)(const struct POINT(device_level) & level, struct POINT(cell) c,
                         const struct POINT(row_constants) & k)
{
    const REAL wet_c0 = !HAS_LAND || c.c0 > (REAL)0 ? c.c0 : (REAL)1;
    if (IS_REVERSED && HAS_FRICTION) {
        REAL factor = POINT(friction_factor)(c.e, c.u, c.v, wet_c0, level.friction);
        c.u *= factor;
        c.v *= factor;
    }
    if (SECOND && !IS_REVERSED && level.has_metric_source)
        c.e = POINT(metric)(c.e, c.v, c.c0, k.metric);
    if (level.has_rotation)
        POINT(rotate)(&c.u, &c.v, k.coriolis, k.curvature);
    if (SECOND && IS_REVERSED && level.has_metric_source)
        c.e = POINT(metric)(c.e, c.v, c.c0, k.metric);
    if (!IS_REVERSED && HAS_FRICTION) {
        REAL factor = POINT(friction_factor)(c.e, c.u, c.v, wet_c0, level.friction);
        c.u *= factor;
        c.v *= factor;
    }
    return c;
}

// Largest speed and flux and the first drawdown of one node.
static __device__ __forceinline__ void POINT(record_more)(const struct device_records &records,
                                                          const struct POINT(device_level) & level,
                                                          struct POINT(cell) c, int place, float eta,
                                                          float fastest, float strongest, float time_s)
{
    if (records.max_speed_m_s || records.max_flux_m2_s) {
        const float speed = sqrtf((float)(c.u * c.u + c.v * c.v));
        const float depth = (float)((c.c0 + c.e) * (c.c0 + c.e) * level.inverse_gravity);
        if (records.max_speed_m_s && speed > fastest)
            records.max_speed_m_s[place] = speed;
        if (records.max_flux_m2_s && speed * depth > strongest)
            records.max_flux_m2_s[place] = speed * depth;
    }
    const bool has_level = records.first_drawdown_s && records.source_level_m;
    const float from = has_level ? records.source_level_m[place] : 0.0f;
    if (records.first_drawdown_s && eta < from - records.drawdown_m && isnan(records.first_drawdown_s[place]))
        records.first_drawdown_s[place] = time_s;
}

// The first times above the thresholds. Above a level that stays such a time is one of a new maximum; above one that moves every
// node is looked at.
static __device__ __forceinline__ void POINT(arrive)(const struct device_records &records, int place,
                                                     float eta, float before, float time_s)
{
    if (!(eta > before) && !records.has_moving_level)
        return;
    const float level = records.source_level_m ? records.source_level_m[place] : 0.0f;
    for (int a = 0; a < records.arrival_count; a++)
        if (eta >= level + records.arrival_m[a] && isnan(records.arrival_s[a][place]))
            records.arrival_s[a][place] = time_s;
}

// Maxima and arrivals of a lane's nodes that have just been computed; `before` was read while they were on their way. Writes
// only where something grew.
template <int RECORDS>
static __device__ __forceinline__ void POINT(record)(const struct device_records &records,
                                                     const struct POINT(device_level) & level,
                                                     const struct POINT(cells) & cells, int columns,
                                                     int offset, const struct POINT(heights) * before,
                                                     float time_s)
{
    struct POINT(heights) eta;
    const bool keeps_eta = RECORDS == RECORDS_ETA || records.max_eta_m; // a drawdown may be all that is kept
    bool has_come = false;
    for (int k = 0; k < LANE_COLUMNS; k++)
        eta.at[k] = (float)POINT(eta)(cells.at[k].e, cells.at[k].c0, level.inverse_gravity);
    for (int k = 0; k < LANE_COLUMNS; k++)
        if (k < columns && keeps_eta && eta.at[k] > before[0].at[k]) {
            records.max_eta_m[offset + k] = eta.at[k];
            if (records.time_of_max_s)
                records.time_of_max_s[offset + k] = time_s;
            has_come |= records.source_level_m || before[0].at[k] < records.highest_arrival_m;
        }
    if (has_come || records.has_moving_level)
        for (int k = 0; k < LANE_COLUMNS; k++)
            if (k < columns)
                POINT(arrive)
    (records, offset + k, eta.at[k], before[0].at[k], time_s);
    if (RECORDS == RECORDS_ALL)
        for (int k = 0; k < LANE_COLUMNS; k++)
            if (k < columns)
                POINT(record_more)
    (records, level, cells.at[k], offset + k, eta.at[k], before[1].at[k], before[2].at[k], time_s);
}

static __device__ __forceinline__ void POINT(store_cell)(REAL *const *state, struct POINT(cell) c, int offset)
{
    state[0][offset] = c.e;
    state[1][offset] = c.u;
    state[2][offset] = c.v;
}

// Records of one copy of the state, without a step. One thread a node.
__global__ void POINT(record_kernel)(struct POINT(device_level) level, struct device_records records,
                                     int copy, float time_s)
{
    const int column = (int)(blockIdx.y * blockDim.x + threadIdx.x), row = (int)blockIdx.x;
    if (column >= level.nx)
        return;
    const int place = row * level.pitch + column;
    REAL *const *state = level.state[copy];
    struct POINT(cells) here = {};
    struct POINT(heights) before[RECORD_MAXIMA] = {};
    float *const maxima[RECORD_MAXIMA] = {records.max_eta_m, records.max_speed_m_s, records.max_flux_m2_s};
    here.at[0] = {state[0][place], state[1][place], state[2][place], level.still[place]};
    for (int m = 0; m < RECORD_MAXIMA; m++)
        before[m].at[0] = maxima[m] ? maxima[m][place] : 0;
    POINT(record)<RECORDS_ALL>(records, level, here, 1, place, before, time_s);
}

extern "C" cudaError_t POINT(tsunami_launch_record)(const struct POINT(device_level) * level,
                                                    const struct device_records *records, int copy,
                                                    float time_s, cudaStream_t stream)
{
    const dim3 blocks((unsigned)level->ny, (unsigned)(level->nx + 127) / 128); // of x there may be many more
    POINT(record_kernel)<<<blocks, 128, 0, stream>>>(*level, *records, copy, time_s);
    return cudaGetLastError();
}
