// The tsunami's kernels in one precision: included once for float and once for double, with REAL and POINT(name) defined.
//
// step: both sweeps in one pass. A warp owns a strip of columns, one a lane, and marches along y with three rows in
// registers; neighbours along x come by shuffles. The strip's outer lanes are halo: they compute what the inner ones need
// and write nothing. A block is one tile: land tiles have no block, and a tile that the wave has not reached returns at
// once.

static __device__ __forceinline__ struct POINT(row_constants)
    POINT(load_row)(const struct POINT(device_level) & level, int row)
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

static __device__ __forceinline__ struct POINT(cell)
    POINT(load_cell)(const struct POINT(device_level) & level, int offset)
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
    POINT(sweep_x)(const struct POINT(device_level) & level, struct POINT(cell) centre,
                   struct POINT(spacing) h, int column)
{
    struct POINT(node) left = POINT(along_x)(POINT(from_lane)(centre, -1));
    struct POINT(node) right = POINT(along_x)(POINT(from_lane)(centre, +1));
    struct POINT(node) here = POINT(along_x)(centre);
    struct POINT(node) next;
    if (HAS_LAND) {
        left = POINT(neighbour)(left, here);
        right = POINT(neighbour)(right, here);
        next = POINT(sweep)(left, here, right, h, SECOND);
    } else {
        const struct POINT(flux) plus = POINT(difference)(right, here);
        const struct POINT(flux)
            minus = {__shfl_up_sync(0xffffffffu, plus.p, 1), __shfl_up_sync(0xffffffffu, plus.q, 1)};
        next = POINT(sweep_between)(left, here, right, minus, plus, h, SECOND);
    }
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
    POINT(sweep_y)(const struct POINT(device_level) & level, struct POINT(cell) south,
                   struct POINT(cell) centre, struct POINT(cell) north, const struct POINT(row_constants) & k,
                   int row, struct POINT(flux) & below)
{
    struct POINT(node) left = POINT(along_y)(south), here = POINT(along_y)(centre),
                       right = POINT(along_y)(north);
    const struct POINT(spacing) h = {k.k0, k.km, k.kp, k.dd, level.step};
    struct POINT(node) next;
    if (HAS_LAND) {
        left = POINT(neighbour)(left, here);
        right = POINT(neighbour)(right, here);
        next = POINT(sweep)(left, here, right, h, SECOND);
    } else {
        const struct POINT(flux) above = POINT(difference)(right, here);
        next = POINT(sweep_between)(left, here, right, below, above, h, SECOND);
        below = above;
    }
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

// Maxima and arrivals of one node that has just been computed; `highest` was read while it was on its way. Writes only where
// something grew.
template <int RECORDS>
static __device__ __forceinline__ void POINT(record)(const struct device_records &records,
                                                     const struct POINT(device_level) & level,
                                                     struct POINT(cell) c, int offset, float highest,
                                                     float time_s)
{
    const float eta = (float)POINT(eta)(c.e, c.c0, level.inverse_gravity);
    if (eta > highest) {
        records.max_eta_m[offset] = eta;
        for (int a = 0; a < records.arrival_count; a++)
            if (highest < records.arrival_m[a] && eta >= records.arrival_m[a])
                records.arrival_s[a][offset] = time_s;
        if (records.time_of_max_s)
            records.time_of_max_s[offset] = time_s;
    }
    if (RECORDS < RECORDS_ALL)
        return;
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
template <bool IS_ODD, bool HAS_LAND, bool SECOND, bool HAS_FRICTION, int RECORDS>
static __device__ __forceinline__ int POINT(march)(const struct POINT(device_level) & level,
                                                   const struct device_records &records, int first_column,
                                                   int row_begin, int row_end, float time_s)
{
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const int column = first_column + warp * STRIP_COLUMNS + lane - 1;
    const bool is_read = column <= level.nx; // halo columns −1 and nx are there to be read
    const bool is_written = lane > 0 && lane < 31 && column < level.nx;
    const int safe = is_read ? column : level.nx;
    struct POINT(spacing)
        hx = {level.columns[safe], level.columns[level.pitch + safe], level.columns[2 * level.pitch + safe],
              level.columns[3 * level.pitch + safe], (REAL)0};
    struct POINT(cell) south = {}, centre = {}, north = {}, ahead;
    int moving = 0;
    int offset = (row_begin - 1) * level.pitch + safe;
    float highest = 0;
    ahead = POINT(load_cell)(level, offset);
    struct POINT(row_constants) k_centre = {}, k_north;
    struct POINT(flux) below = {};
    for (int row = row_begin - 1; row <= row_end; row++, offset += level.pitch) {
        struct POINT(cell) loaded = ahead;
        if (row < row_end)
            ahead = POINT(load_cell)(level, offset + level.pitch);
        k_north = POINT(load_row)(level, row);
        if (RECORDS && row > row_begin && is_written)
            highest = records.max_eta_m[offset - level.pitch];
        if (IS_ODD) {
            north = POINT(apply_sources)<HAS_LAND, SECOND, HAS_FRICTION, true>(level, loaded, k_north);
        } else {
            hx.step = k_north.step_x;
            north = POINT(sweep_x)<HAS_LAND, SECOND>(level, loaded, hx, column);
        }
        if (row == row_begin && !HAS_LAND)
            below = POINT(difference)(POINT(along_y)(north), POINT(along_y)(centre));
        if (row > row_begin) {
            struct POINT(cell) next =
                POINT(sweep_y)<HAS_LAND, SECOND>(level, south, centre, north, k_centre, row - 1, below);
            if (IS_ODD) {
                hx.step = k_centre.step_x;
                next = POINT(sweep_x)<HAS_LAND, SECOND>(level, next, hx, column);
            } else {
                next = POINT(apply_sources)<HAS_LAND, SECOND, HAS_FRICTION, false>(level, next, k_centre);
            }
            if (is_written) {
                const int place = offset - level.pitch;
                level.e_new[place] = next.e;
                level.u_new[place] = next.u;
                level.v_new[place] = next.v;
                moving |= (next.e != (REAL)0) | (next.u != (REAL)0) | (next.v != (REAL)0);
                if (RECORDS)
                    POINT(record)<RECORDS>(records, level, next, place, highest, time_s);
            }
        }
        south = centre;
        centre = north;
        k_centre = k_north;
    }
    return moving;
}

template <bool IS_ODD, bool SECOND, bool HAS_FRICTION, int RECORDS>
__global__ void __launch_bounds__(BLOCK_THREADS)
    POINT(step_kernel)(struct POINT(device_level) level, struct device_records records,
                       struct device_tiles tiles, float time_s)
{
    const struct device_tile tile = tiles.list[blockIdx.x];
    if (!tile_is_awake(tiles, tile))
        return;
    const int first_column = tile.i * TILE_COLUMNS, row_begin = tile.j * TILE_ROWS;
    const int row_end = row_begin + TILE_ROWS < level.ny ? row_begin + TILE_ROWS : level.ny;
    const int moving = tile.has_land ? POINT(march)<IS_ODD, true, SECOND, HAS_FRICTION, RECORDS>(
                                           level, records, first_column, row_begin, row_end, time_s)
                                     : POINT(march)<IS_ODD, false, SECOND, HAS_FRICTION, RECORDS>(
                                           level, records, first_column, row_begin, row_end, time_s);
    const int is_moving = __syncthreads_or(moving);
    if (threadIdx.x == 0) {
        if (is_moving)
            tiles.moving_new[tile.j * tiles.columns + tile.i] = 1;
        const int width = first_column + TILE_COLUMNS < level.nx ? TILE_COLUMNS : level.nx - first_column;
        atomicAdd(tiles.computed, (unsigned long long)width * (row_end - row_begin));
    }
}

// Records of the present state (the level's new arrays), without a step. One thread a node.
__global__ void POINT(record_kernel)(struct POINT(device_level) level, struct device_records records,
                                     float time_s)
{
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    if (column >= level.nx)
        return;
    const int place = row * level.pitch + column;
    const struct POINT(cell)
        here = {level.e_new[place], level.u_new[place], level.v_new[place], level.c0[place]};
    if (records.max_eta_m)
        POINT(record)<RECORDS_ALL>(records, level, here, place, records.max_eta_m[place], time_s);
}

// What periodic edges show of the new state. Columns first (rows 0 … ny − 1), then, in a launch of its own, rows with the halo
// columns, so that the corners are there.
__global__ void POINT(halo_columns_kernel)(struct POINT(device_level) level)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= level.ny)
        return;
    REAL *const fields[] = {level.e_new, level.u_new, level.v_new};
    for (int f = 0; f < 3; f++) {
        REAL *line = fields[f] + row * level.pitch;
        line[-1] = line[level.nx - 1];
        line[level.nx] = line[0];
    }
}

__global__ void POINT(halo_rows_kernel)(struct POINT(device_level) level)
{
    const int column = (int)(blockIdx.x * blockDim.x + threadIdx.x) - 1;
    if (column > level.nx)
        return;
    REAL *const fields[] = {level.e_new, level.u_new, level.v_new};
    for (int f = 0; f < 3; f++) {
        fields[f][column - level.pitch] = fields[f][column + (level.ny - 1) * level.pitch];
        fields[f][column + level.ny * level.pitch] = fields[f][column];
    }
}

template <bool IS_ODD, bool SECOND, bool HAS_FRICTION>
static cudaError_t POINT(launch_with)(const struct POINT(device_level) & level,
                                      const struct device_records &records, const struct device_tiles &tiles,
                                      float time_s, cudaStream_t stream)
{
    if (records.kind == RECORDS_ALL)
        POINT(step_kernel)<IS_ODD, SECOND, HAS_FRICTION, RECORDS_ALL>
            <<<tiles.count, BLOCK_THREADS, 0, stream>>>(level, records, tiles, time_s);
    else if (records.kind == RECORDS_ETA)
        POINT(step_kernel)<IS_ODD, SECOND, HAS_FRICTION, RECORDS_ETA>
            <<<tiles.count, BLOCK_THREADS, 0, stream>>>(level, records, tiles, time_s);
    else
        POINT(step_kernel)<IS_ODD, SECOND, HAS_FRICTION, RECORDS_NONE>
            <<<tiles.count, BLOCK_THREADS, 0, stream>>>(level, records, tiles, time_s);
    return cudaGetLastError();
}

extern "C" cudaError_t POINT(tsunami_launch_step)(const struct POINT(device_level) * level,
                                                  const struct device_records *records,
                                                  const struct device_tiles *tiles, int is_odd,
                                                  int second_order, float time_s, cudaStream_t stream)
{
    const bool is_rough = level->friction > (REAL)0;
    cudaError_t error;
    if (is_odd)
        error = is_rough ? POINT(launch_with)<true, true, true>(*level, *records, *tiles, time_s, stream)
                         : POINT(launch_with)<true, true, false>(*level, *records, *tiles, time_s, stream);
    else if (second_order)
        error = is_rough ? POINT(launch_with)<false, true, true>(*level, *records, *tiles, time_s, stream)
                         : POINT(launch_with)<false, true, false>(*level, *records, *tiles, time_s, stream);
    else
        error = is_rough ? POINT(launch_with)<false, false, true>(*level, *records, *tiles, time_s, stream)
                         : POINT(launch_with)<false, false, false>(*level, *records, *tiles, time_s, stream);
    if (error == cudaSuccess && tiles->is_periodic_x)
        POINT(halo_columns_kernel)<<<(level->ny + 127) / 128, 128, 0, stream>>>(*level);
    if (error == cudaSuccess && tiles->is_periodic_y)
        POINT(halo_rows_kernel)<<<(level->nx + 2 + 127) / 128, 128, 0, stream>>>(*level);
    return error == cudaSuccess ? cudaGetLastError() : error;
}

extern "C" cudaError_t POINT(tsunami_launch_record)(const struct POINT(device_level) * level,
                                                    const struct device_records *records, float time_s,
                                                    cudaStream_t stream)
{
    const dim3 blocks((unsigned)(level->nx + 127) / 128, (unsigned)level->ny);
    POINT(record_kernel)<<<blocks, 128, 0, stream>>>(*level, *records, time_s);
    return cudaGetLastError();
}
