// The tsunami's kernels in one precision: included once for float and once for double, with REAL and POINT(name) defined.
//
// step: both sweeps in one pass. A warp owns a strip of columns, one a lane, and marches along y with three rows in
// registers; neighbours along x come by shuffles. The strip's outer lanes are halo: they compute what the inner ones need
// and write nothing. A block is one tile: land tiles have no block, and a tile that the wave has not reached returns at
// once.
// plain_*: one kernel a sweep, the textbook form, kept as the baseline of the benchmark.

// Everything that a kernel needs of the level; passed by value.
struct POINT(device_level) {
    int nx, ny;
    long pitch;
    const REAL *__restrict__ e, *__restrict__ u, *__restrict__ v, *__restrict__ c0; // interior (0, 0)
    REAL *__restrict__ e_new, *__restrict__ u_new, *__restrict__ v_new;
    const REAL *__restrict__ columns; // [4][pitch]: k0, km, kp, dp − dm
    const REAL *__restrict__ rows;    // [ny + 2][8]: ky0, kym, kyp, dy difference, step_x, coriolis, curvature, metric
    REAL step, friction, inverse_gravity;
    int has_rotation, has_metric_source, has_metric_in_sweep;
    int is_open[TSUNAMI_SIDES];
};

struct POINT(row_constants) {
    REAL k0, km, kp, dd, step_x, coriolis, curvature, metric;
};

static __device__ __forceinline__ struct POINT(row_constants) POINT(load_row)(const struct POINT(device_level) & level, int row)
{
    return reinterpret_cast<const struct POINT(row_constants) *>(level.rows)[row + 1];
}

// What a lane holds of one node.
struct POINT(cell) {
    REAL e, u, v, c0;
};

static __device__ __forceinline__ struct POINT(node) POINT(along_x)(struct POINT(cell) c)
{
    return {c.e, c.u, c.v, c.c0};
}

static __device__ __forceinline__ struct POINT(node) POINT(along_y)(struct POINT(cell) c)
{
    return {c.e, c.v, c.u, c.c0};
}

static __device__ __forceinline__ struct POINT(cell) POINT(load_cell)(const struct POINT(device_level) & level, long offset)
{
    return {level.e[offset], level.u[offset], level.v[offset], level.c0[offset]};
}

static __device__ __forceinline__ struct POINT(cell) POINT(from_lane)(struct POINT(cell) c, int step)
{
    const unsigned all = 0xffffffffu;
    if (step < 0)
        return {__shfl_up_sync(all, c.e, 1), __shfl_up_sync(all, c.u, 1), __shfl_up_sync(all, c.v, 1),
                __shfl_up_sync(all, c.c0, 1)};
    return {__shfl_down_sync(all, c.e, 1), __shfl_down_sync(all, c.u, 1), __shfl_down_sync(all, c.v, 1),
            __shfl_down_sync(all, c.c0, 1)};
}

template <bool HAS_LAND, bool SECOND>
static __device__ __forceinline__ struct POINT(cell)
    POINT(sweep_x)(const struct POINT(device_level) & level, struct POINT(cell) centre, struct POINT(spacing) h, int column)
{
    struct POINT(node) left = POINT(along_x)(POINT(from_lane)(centre, -1));
    struct POINT(node) right = POINT(along_x)(POINT(from_lane)(centre, +1));
    struct POINT(node) here = POINT(along_x)(centre);
    if (HAS_LAND) {
        left = POINT(neighbour)(left, here);
        right = POINT(neighbour)(right, here);
    }
    struct POINT(node) next = POINT(sweep)(left, here, right, h, SECOND);
    if (HAS_LAND) {
        if (level.is_open[TSUNAMI_WEST] && column == 0)
            next = POINT(open_edge)(right, here, (REAL)-1, h.kp, h.step, (REAL)0);
        if (level.is_open[TSUNAMI_EAST] && column == level.nx - 1)
            next = POINT(open_edge)(left, here, (REAL)1, h.km, h.step, (REAL)0);
        if (!(centre.c0 > (REAL)0))
            next = {(REAL)0, (REAL)0, (REAL)0, centre.c0};
    }
    return {next.e, next.un, next.ut, centre.c0};
}

template <bool HAS_LAND, bool SECOND>
static __device__ __forceinline__ struct POINT(cell)
    POINT(sweep_y)(const struct POINT(device_level) & level, struct POINT(cell) south, struct POINT(cell) centre,
                   struct POINT(cell) north, const struct POINT(row_constants) & k, int row)
{
    struct POINT(node) left = POINT(along_y)(south), here = POINT(along_y)(centre), right = POINT(along_y)(north);
    if (HAS_LAND) {
        left = POINT(neighbour)(left, here);
        right = POINT(neighbour)(right, here);
    }
    const struct POINT(spacing) h = {k.k0, k.km, k.kp, k.dd, level.step};
    struct POINT(node) next = POINT(sweep)(left, here, right, h, SECOND);
    if (!SECOND && level.has_metric_in_sweep)
        next.e = MADD(here.un * k.metric, here.c0 + here.e, next.e);
    if (HAS_LAND) {
        if (level.is_open[TSUNAMI_SOUTH] && row == 0)
            next = POINT(open_edge)(right, here, (REAL)-1, h.kp, h.step, (REAL)0);
        if (level.is_open[TSUNAMI_NORTH] && row == level.ny - 1)
            next = POINT(open_edge)(left, here, (REAL)1, h.km, h.step, (REAL)0);
        if (!(centre.c0 > (REAL)0))
            next = {(REAL)0, (REAL)0, (REAL)0, centre.c0};
    }
    return {next.e, next.ut, next.un, centre.c0};
}

template <bool HAS_LAND, bool SECOND, bool HAS_FRICTION, bool IS_REVERSED>
static __device__ __forceinline__ struct POINT(cell)
    POINT(apply_sources)(const struct POINT(device_level) & level, struct POINT(cell) c, const struct POINT(row_constants) & k)
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

// Maxima and arrivals of one node that has just been computed: one read, and writes only where something grew.
static __device__ __forceinline__ void POINT(record)(const struct device_records &records, const struct POINT(device_level) & level,
                                                     struct POINT(cell) c, long offset, float time_s)
{
    const float eta = (float)POINT(eta)(c.e, c.c0, level.inverse_gravity);
    const float highest = records.max_eta_m[offset];
    if (eta > highest) {
        records.max_eta_m[offset] = eta;
        for (int a = 0; a < records.arrival_count; a++)
            if (highest < records.arrival_m[a] && eta >= records.arrival_m[a])
                records.arrival_s[a][offset] = time_s;
        if (records.time_of_max_s)
            records.time_of_max_s[offset] = time_s;
    }
    if (records.max_speed_m_s || records.max_flux_m2_s) {
        const float speed = sqrtf((float)(c.u * c.u + c.v * c.v));
        const float depth = (float)((c.c0 + c.e) * (c.c0 + c.e) * level.inverse_gravity);
        if (records.max_speed_m_s && speed > records.max_speed_m_s[offset])
            records.max_speed_m_s[offset] = speed;
        if (records.max_flux_m2_s && speed * depth > records.max_flux_m2_s[offset])
            records.max_flux_m2_s[offset] = speed * depth;
    }
    if (records.first_drawdown_s && eta < -records.drawdown_m && isnan(records.first_drawdown_s[offset]))
        records.first_drawdown_s[offset] = time_s;
}

// One tile, one step.
template <bool IS_ODD, bool HAS_LAND, bool SECOND, bool HAS_FRICTION>
static __device__ __forceinline__ int POINT(march)(const struct POINT(device_level) & level, const struct device_records &records,
                                                   int first_column, int row_begin, int row_end, float time_s)
{
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const int column = first_column + warp * STRIP_COLUMNS + lane - 1;
    const bool is_read = column <= level.nx; // halo columns −1 and nx are there to be read
    const bool is_written = lane > 0 && lane < 31 && column < level.nx;
    const int safe = is_read ? column : level.nx;
    struct POINT(spacing) hx = {level.columns[safe], level.columns[level.pitch + safe], level.columns[2 * level.pitch + safe],
                                level.columns[3 * level.pitch + safe], (REAL)0};
    struct POINT(cell) south = {}, centre = {}, north = {}, ahead;
    int moving = 0;
    long offset = (long)(row_begin - 1) * level.pitch + safe;
    ahead = POINT(load_cell)(level, offset);
    struct POINT(row_constants) k_centre = {}, k_north;
    for (int row = row_begin - 1; row <= row_end; row++, offset += level.pitch) {
        struct POINT(cell) loaded = ahead;
        if (row < row_end)
            ahead = POINT(load_cell)(level, offset + level.pitch);
        k_north = POINT(load_row)(level, row);
        if (IS_ODD) {
            north = POINT(apply_sources)<HAS_LAND, SECOND, HAS_FRICTION, true>(level, loaded, k_north);
        } else {
            hx.step = k_north.step_x;
            north = POINT(sweep_x)<HAS_LAND, SECOND>(level, loaded, hx, column);
        }
        if (row > row_begin) {
            struct POINT(cell) next = POINT(sweep_y)<HAS_LAND, SECOND>(level, south, centre, north, k_centre, row - 1);
            if (IS_ODD) {
                hx.step = k_centre.step_x;
                next = POINT(sweep_x)<HAS_LAND, SECOND>(level, next, hx, column);
            } else {
                next = POINT(apply_sources)<HAS_LAND, SECOND, HAS_FRICTION, false>(level, next, k_centre);
            }
            if (is_written) {
                const long place = offset - level.pitch;
                level.e_new[place] = next.e;
                level.u_new[place] = next.u;
                level.v_new[place] = next.v;
                moving |= (next.e != (REAL)0) | (next.u != (REAL)0) | (next.v != (REAL)0);
                if (records.max_eta_m)
                    POINT(record)(records, level, next, place, time_s);
            }
        }
        south = centre;
        centre = north;
        k_centre = k_north;
    }
    return moving;
}

template <bool IS_ODD, bool SECOND, bool HAS_FRICTION>
__global__ void __launch_bounds__(BLOCK_THREADS)
    POINT(step_kernel)(struct POINT(device_level) level, struct device_records records, struct device_tiles tiles, float time_s)
{
    const struct device_tile tile = tiles.list[blockIdx.x];
    if (!tile_is_awake(tiles, tile))
        return;
    const int first_column = tile.i * TILE_COLUMNS, row_begin = tile.j * TILE_ROWS;
    const int row_end = row_begin + TILE_ROWS < level.ny ? row_begin + TILE_ROWS : level.ny;
    const int moving =
        tile.has_land
            ? POINT(march)<IS_ODD, true, SECOND, HAS_FRICTION>(level, records, first_column, row_begin, row_end, time_s)
            : POINT(march)<IS_ODD, false, SECOND, HAS_FRICTION>(level, records, first_column, row_begin, row_end, time_s);
    if (__syncthreads_or(moving) && threadIdx.x == 0)
        tiles.moving_new[tile.j * tiles.columns + tile.i] = 1;
}
