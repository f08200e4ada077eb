// The march and its schedule, once per precision (REAL, POINT(name), LANE_COLUMNS defined; after tsunami_cell.cuh).
//
// The march: both sweeps of a tile in one pass. A warp owns a strip of columns, LANE_COLUMNS a lane, and marches along y
// with three rows in registers; neighbours along x come by shuffles; rows ahead are on their way to shared memory
// meanwhile. The strip's outer lanes are halo: they compute what the inner ones need and write nothing.
// The order of work is tsunami_schedule.cuh's.

// What a block keeps in shared memory: rows on their way, with the maxima of the row before each; the rows' constants.
template <int RECORDS> struct POINT(shared) {
    struct POINT(values) ahead[TILE_WARPS(LANE_COLUMNS)][3][4][32];
    struct POINT(heights) before[TILE_WARPS(LANE_COLUMNS)][3][maxima_kept(RECORDS)][32];
    struct POINT(row_constants) rows[TILE_ROWS + 2];
    struct given_now given[TSUNAMI_SIDES],
        given_end[TSUNAMI_SIDES]; // for the sweeps; for the end of the step
};

// Starts the copy of a row's e, u, v, c0 to this lane's places in shared memory.
static __device__ __forceinline__ void POINT(fetch_row)(struct POINT(values) (*slot)[32], REAL *const *state,
                                                        const REAL *c0, int offset, int lane)
{
    for (int f = 0; f < 3; f++)
        __pipeline_memcpy_async(&slot[f][lane], state[f] + offset, sizeof(struct POINT(values)));
    __pipeline_memcpy_async(&slot[3][lane], c0 + offset, sizeof(struct POINT(values)));
}

// And of the maxima that the row is going to be compared with.
template <int RECORDS>
static __device__ __forceinline__ void POINT(fetch_maxima)(struct POINT(heights) (*slot)[32],
                                                           const struct device_records &records, int offset,
                                                           int lane)
{
    float *const maxima[RECORD_MAXIMA] = {records.max_eta_m, records.max_speed_m_s, records.max_flux_m2_s};
    for (int m = 0; m < maxima_kept(RECORDS); m++)
        if (maxima[m])
            __pipeline_memcpy_async(&slot[m][lane], maxima[m] + offset, sizeof(struct POINT(heights)));
}

static __device__ __forceinline__ struct POINT(cells)
    POINT(take_row)(const struct POINT(values) (*slot)[32], int lane)
{
    const struct POINT(values) e = slot[0][lane], u = slot[1][lane], v = slot[2][lane], c0 = slot[3][lane];
    struct POINT(cells) cells;
    for (int k = 0; k < LANE_COLUMNS; k++)
        cells.at[k] = {e.at[k], u.at[k], v.at[k], c0.at[k]};
    return cells;
}

// The rows of a tile with one on each side, and where in the given waves the step lies.
template <int RECORDS, bool IS_X_FIRST>
static __device__ __forceinline__ void POINT(load_rows)(struct POINT(shared) < RECORDS > &shared,
                                                        const struct POINT(device_level) & level,
                                                        struct tile_bounds tile, long long step)
{
    for (int k = threadIdx.x; k < tile.row_end - tile.row_begin + 2; k += blockDim.x)
        shared.rows[k] = POINT(row_of)(level, tile.row_begin - 1 + k);
    if (threadIdx.x < TSUNAMI_SIDES && level.edges[threadIdx.x].kind == TSUNAMI_EDGE_GIVEN) {
        const struct device_edge &edge = level.edges[threadIdx.x];
        const bool is_along_x = threadIdx.x == TSUNAMI_WEST || threadIdx.x == TSUNAMI_EAST;
        shared.given[threadIdx.x] = given_during(edge, step, given_sweep_shift(is_along_x, IS_X_FIRST));
        shared.given_end[threadIdx.x] = given_during(edge, step, GIVEN_SHIFT);
    }
    __syncthreads();
}

static __device__ __forceinline__ struct POINT(columns)
    POINT(load_columns)(const struct POINT(device_level) & level, int column)
{
    struct POINT(columns) h;
    for (int k = 0; k < LANE_COLUMNS; k++) {
        h.k0[k] = level.columns[column + k];
        h.km[k] = level.columns[level.pitch + column + k];
        h.kp[k] = level.columns[2 * level.pitch + column + k];
        h.dd[k] = level.columns[3 * level.pitch + column + k];
    }
    return h;
}

// Gathers the bits of what a node holds: all but the sign are 0 as long as it is at rest.
static __device__ __forceinline__ unsigned POINT(gather_bits)(struct POINT(cell) c)
{
    return bits_of(c.e) | bits_of(c.u) | bits_of(c.v);
}

// Writes a row's new values; returns their bits.
static __device__ __forceinline__ unsigned POINT(store_row)(REAL *const *state,
                                                            const struct POINT(cells) & next, int offset)
{
    struct POINT(values) e, u, v;
    unsigned bits = 0;
    for (int k = 0; k < LANE_COLUMNS; k++) {
        e.at[k] = next.at[k].e;
        u.at[k] = next.at[k].u;
        v.at[k] = next.at[k].v;
        bits |= POINT(gather_bits)(next.at[k]);
    }
    *reinterpret_cast<struct POINT(values) *>(state[0] + offset) = e;
    *reinterpret_cast<struct POINT(values) *>(state[1] + offset) = u;
    *reinterpret_cast<struct POINT(values) *>(state[2] + offset) = v;
    return bits;
}

// The same at the domain's edges: only columns that exist, and what periodic edges show of them.
static __device__ __forceinline__ unsigned POINT(store_edge)(const struct POINT(device_level) & level,
                                                             REAL *const *state,
                                                             const struct POINT(cells) & next, int row,
                                                             int column, int offset)
{
    unsigned bits = 0;
    for (int k = 0; k < LANE_COLUMNS; k++) {
        if (column + k >= level.nx)
            break;
        bits |= POINT(gather_bits)(next.at[k]);
        const int beside = column + k == 0 ? level.nx : column + k == level.nx - 1 ? -level.nx : 0;
        const int beyond = row == 0              ? level.ny * level.pitch
                           : row == level.ny - 1 ? -level.ny * level.pitch
                                                 : 0;
        POINT(store_cell)(state, next.at[k], offset + k);
        if (level.is_periodic_x && beside)
            POINT(store_cell)(state, next.at[k], offset + k + beside);
        if (level.is_periodic_y && beyond)
            POINT(store_cell)(state, next.at[k], offset + k + beyond);
        if (level.is_periodic_x && level.is_periodic_y && beside && beyond)
            POINT(store_cell)(state, next.at[k], offset + k + beside + beyond);
    }
    return bits;
}

// A lane's part of a strip on its way north.
template <int RECORDS> struct POINT(strip) {
    struct POINT(columns) hx;
    struct POINT(values) (*ring)[4][32]; // three rows on their way
    struct POINT(heights) (*before)[maxima_kept(RECORDS)][32];
    const struct given_now *given, *given_end;
    int lane, column, row_begin, row_end;
    int offset, fetched; // of the row in hand; of the row two ahead
    bool is_written;
    unsigned bits; // of all that was written
};

// Takes row `row` from slot `slot` of the ring, sweeps it along x, and finishes the row before it. `south` and `centre` are
// the two rows before; `north` becomes this one.
template <int FROM, bool IS_ODD, bool HAS_LAND, bool SECOND, bool HAS_FRICTION, int RECORDS, bool HAS_GIVEN>
static __device__ __forceinline__ void POINT(march_row)(
    const struct POINT(device_level) & level, const struct device_records &records,
    const struct POINT(row_constants) * rows, struct POINT(strip) < RECORDS > &strip,
    const struct POINT(node) * south, const struct POINT(node) * centre, struct POINT(node) * north,
    struct POINT(pair) * below, int row, int slot, float time_s)
{
    __pipeline_wait_prior(1);
    struct POINT(cells) cells = POINT(take_row)(strip.ring[slot], strip.lane);
    if (row + 2 <= strip.row_end) {
        // Into the place of the row before, which is in registers by now.
        const int place = slot == 0 ? 2 : slot - 1;
        POINT(fetch_row)(strip.ring[place], level.state[FROM], level.still, strip.fetched, strip.lane);
        if (RECORDS)
            POINT(fetch_maxima)<RECORDS>(strip.before[place], records, strip.fetched - level.pitch,
                                         strip.lane);
    }
    __pipeline_commit();
    const struct POINT(row_constants) &k_north = rows[row - strip.row_begin + 1];
    if (IS_ODD)
        for (int k = 0; k < LANE_COLUMNS; k++)
            cells.at[k] =
                POINT(apply_sources)<HAS_LAND, SECOND, HAS_FRICTION, true>(level, cells.at[k], k_north);
    else
        cells = POINT(sweep_x)<HAS_LAND, SECOND, HAS_GIVEN>(level, cells, strip.hx, k_north.step_x,
                                                            strip.column, row, strip.given);
    for (int k = 0; k < LANE_COLUMNS; k++)
        north[k] = POINT(along_y)(cells.at[k]);
    if (row == strip.row_begin && !HAS_LAND)
        for (int k = 0; k < LANE_COLUMNS; k++)
            below[k] = POINT(between)(centre[k], north[k], rows[0].kp);
    if (row <= strip.row_begin)
        return;
    const struct POINT(row_constants) &k_centre = rows[row - strip.row_begin];
    for (int k = 0; k < LANE_COLUMNS; k++)
        cells.at[k] =
            HAS_LAND ? POINT(sweep_y_coast)<SECOND, HAS_GIVEN>(level, south[k], centre[k], north[k], k_centre,
                                                               row - 1, strip.column + k, strip.given)
                     : POINT(sweep_y)<SECOND>(level, south[k], centre[k], north[k], k_centre, below[k]);
    if (IS_ODD)
        cells = POINT(sweep_x)<HAS_LAND, SECOND, HAS_GIVEN>(level, cells, strip.hx, k_centre.step_x,
                                                            strip.column, row - 1, strip.given);
    else
        for (int k = 0; k < LANE_COLUMNS; k++)
            cells.at[k] =
                POINT(apply_sources)<HAS_LAND, SECOND, HAS_FRICTION, false>(level, cells.at[k], k_centre);
    if (!strip.is_written)
        return;
    if (HAS_LAND && HAS_GIVEN)
        for (int k = 0; k < LANE_COLUMNS; k++)
            if (strip.column + k < level.nx)
                cells.at[k] =
                    POINT(give_ends)(level, cells.at[k], !IS_ODD, strip.column + k, row - 1, strip.given_end);
    const int place = strip.offset - level.pitch;
    strip.bits |= HAS_LAND
                      ? POINT(store_edge)(level, level.state[1 - FROM], cells, row - 1, strip.column, place)
                      : POINT(store_row)(level.state[1 - FROM], cells, place);
    if (RECORDS) {
        struct POINT(heights) before[RECORD_MAXIMA];
        for (int m = 0; m < maxima_kept(RECORDS); m++)
            before[m] = strip.before[slot][m][strip.lane];
        POINT(record)<RECORDS>(records, level, cells,
                               HAS_LAND && level.nx - strip.column < LANE_COLUMNS ? level.nx - strip.column
                                                                                  : LANE_COLUMNS,
                               place, before, time_s);
    }
}

template <int RECORDS>
static __device__ __forceinline__ struct POINT(strip)<RECORDS> POINT(strip_of)(
    const struct POINT(device_level) & level, struct POINT(shared) < RECORDS > &shared, int first_column,
    int row_begin, int row_end) {
    struct POINT(strip)<RECORDS> strip = {};
    const int warp = threadIdx.x >> 5;
    strip.lane = threadIdx.x & 31;
    strip.column = first_column + (warp * 30 + strip.lane - 1) * LANE_COLUMNS;
    // Halo columns −1 and nx are there to be read; lanes beyond read them again.
    const int last = LANE_COLUMNS == 1 ? level.nx : level.nx & ~1;
    const int safe = strip.column < last ? strip.column : last;
    strip.is_written = strip.lane > 0 && strip.lane < 31 && strip.column < level.nx;
    strip.hx = POINT(load_columns)(level, safe);
    strip.ring = shared.ahead[warp];
    strip.before = shared.before[warp];
    strip.given = shared.given;
    strip.given_end = shared.given_end;
    strip.row_begin = row_begin;
    strip.row_end = row_end;
    strip.offset = strip.fetched = (row_begin - 1) * level.pitch + safe;
    return strip;
}

// One tile, one step, from copy FROM of the state to the other; whether anything in it moves afterwards.
template <int FROM, bool IS_ODD, bool HAS_LAND, bool SECOND, bool HAS_FRICTION, int RECORDS, bool HAS_GIVEN>
static __device__ __forceinline__ bool POINT(march)(const struct POINT(device_level) & level,
                                                    const struct device_records &records,
                                                    struct POINT(shared) < RECORDS > &shared,
                                                    int first_column, int row_begin, int row_end,
                                                    float time_s)
{
    struct POINT(strip)<RECORDS> strip =
        POINT(strip_of)<RECORDS>(level, shared, first_column, row_begin, row_end);
    for (int k = 0; k < 2;
         k++, strip.fetched += level.pitch) { // with those beside it a tile has three rows or more
        POINT(fetch_row)(strip.ring[k], level.state[FROM], level.still, strip.fetched, strip.lane);
        __pipeline_commit();
    }
    struct POINT(node) nodes[3][LANE_COLUMNS] = {};
    struct POINT(pair) below[LANE_COLUMNS] = {};
    // Three rows at a time, so that no row is moved from register to register; but one where the loop would outgrow the
    // nearest instruction cache, or where few warps are: they wait longer for instructions than for the moves.
    const int turns = HAS_LAND ? 1 : LANE_TURNS(LANE_COLUMNS);
    int slot = 0;
#pragma unroll 1
    for (int first = row_begin - 1; first <= row_end; first += turns) {
#pragma unroll
        for (int turn = 0; turn < turns; turn++) {
            if (first + turn > row_end)
                break;
            POINT(march_row)<FROM, IS_ODD, HAS_LAND, SECOND, HAS_FRICTION, RECORDS, HAS_GIVEN>(
                level, records, shared.rows, strip, nodes[(turn + 1) % 3], nodes[(turn + 2) % 3], nodes[turn],
                below, first + turn, turns == 1 ? slot : turn, time_s);
            strip.offset += level.pitch;
            strip.fetched += level.pitch;
        }
        if (turns == 1) {
            slot = slot == 2 ? 0 : slot + 1;
            for (int k = 0; k < LANE_COLUMNS; k++) {
                nodes[1][k] = nodes[2][k];
                nodes[2][k] = nodes[0][k];
            }
        }
    }
    return (strip.bits << 1) != 0;
}

template <int FROM, bool IS_ODD, bool SECOND, bool HAS_FRICTION, int RECORDS, bool HAS_GIVEN>
static __device__ __forceinline__ bool POINT(step_tile)(const struct POINT(device_level) & level,
                                                        const struct device_records &records,
                                                        struct POINT(shared) < RECORDS > &shared,
                                                        bool is_coast, struct tile_bounds b, float time_s)
{
    const bool moves = is_coast ? POINT(march)<FROM, IS_ODD, true, SECOND, HAS_FRICTION, RECORDS, HAS_GIVEN>(
                                      level, records, shared, b.column_begin, b.row_begin, b.row_end, time_s)
                                : POINT(march)<FROM, IS_ODD, false, SECOND, HAS_FRICTION, RECORDS, HAS_GIVEN>(
                                      level, records, shared, b.column_begin, b.row_begin, b.row_end, time_s);
    return __syncthreads_or(moves);
}

template <bool SECOND, bool HAS_FRICTION, int RECORDS, bool HAS_GIVEN>
__global__ void __launch_bounds__(TILE_THREADS(LANE_COLUMNS), LANE_BLOCKS)
    POINT(steps_kernel)(const __grid_constant__ struct POINT(device_level) level,
                        const __grid_constant__ struct device_records records,
                        const __grid_constant__ struct device_tiles tiles, struct device_steps steps)
{
    __shared__ struct POINT(shared)<RECORDS> shared;
    make_steps(tiles, steps, [&](long long step, struct device_tile tile, struct tile_bounds bounds) {
        const float time_s = (float)(steps.start_s + (double)(step + 1) * steps.step_s);
        if (SECOND && (step & 1))
            POINT(load_rows)<RECORDS, false>(shared, level, bounds, step);
        else
            POINT(load_rows)<RECORDS, true>(shared, level, bounds, step);
        return step & 1 ? POINT(step_tile)<1, SECOND, SECOND, HAS_FRICTION, RECORDS, HAS_GIVEN>(
                              level, records, shared, tile.is_coast, bounds, time_s)
                        : POINT(step_tile)<0, false, SECOND, HAS_FRICTION, RECORDS, HAS_GIVEN>(
                              level, records, shared, tile.is_coast, bounds, time_s);
    });
}

template <bool SECOND, bool HAS_FRICTION, int RECORDS, bool HAS_GIVEN>
static cudaError_t POINT(launch_as)(const struct POINT(device_level) & level,
                                    const struct device_records &records, const struct device_tiles &tiles,
                                    const struct device_steps &steps, cudaStream_t stream)
{
    POINT(steps_kernel)<SECOND, HAS_FRICTION, RECORDS, HAS_GIVEN>
        <<<steps.blocks, TILE_THREADS(LANE_COLUMNS), 0, stream>>>(level, records, tiles, steps);
    return cudaGetLastError();
}

template <bool SECOND, bool HAS_FRICTION, bool HAS_GIVEN>
static cudaError_t POINT(launch_with)(const struct POINT(device_level) & level,
                                      const struct device_records &records, const struct device_tiles &tiles,
                                      const struct device_steps &steps, cudaStream_t stream)
{
    if (records.kind == RECORDS_ALL)
        return POINT(launch_as)<SECOND, HAS_FRICTION, RECORDS_ALL, HAS_GIVEN>(level, records, tiles, steps,
                                                                              stream);
    if (records.kind == RECORDS_ETA)
        return POINT(launch_as)<SECOND, HAS_FRICTION, RECORDS_ETA, HAS_GIVEN>(level, records, tiles, steps,
                                                                              stream);
    return POINT(launch_as)<SECOND, HAS_FRICTION, RECORDS_NONE, HAS_GIVEN>(level, records, tiles, steps,
                                                                           stream);
}

// Where waves are given there is one kernel with friction for both, to have fewer: friction of 0 changes no bit.
template <bool SECOND>
static cudaError_t POINT(launch_order)(const struct POINT(device_level) & level,
                                       const struct device_records &records, const struct device_tiles &tiles,
                                       const struct device_steps &steps, cudaStream_t stream)
{
    if (level.has_given)
        return POINT(launch_with)<SECOND, true, true>(level, records, tiles, steps, stream);
    if (level.friction > (REAL)0)
        return POINT(launch_with)<SECOND, true, false>(level, records, tiles, steps, stream);
    return POINT(launch_with)<SECOND, false, false>(level, records, tiles, steps, stream);
}

extern "C" cudaError_t POINT(tsunami_launch_steps)(const struct POINT(device_level) * level,
                                                   const struct device_records *records,
                                                   const struct device_tiles *tiles,
                                                   const struct device_steps *steps, int second_order,
                                                   cudaStream_t stream)
{
    return second_order ? POINT(launch_order)<true>(*level, *records, *tiles, *steps, stream)
                        : POINT(launch_order)<false>(*level, *records, *tiles, *steps, stream);
}
