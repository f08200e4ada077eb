// The plain version of the step, once per precision (REAL and POINT(name) defined): one kernel a sweep, one for the
// sources, one for the records; a thread a node, coalesced, nothing kept between kernels but the arrays. What the march is
// measured against, and a second opinion on it.

struct POINT(plain_place) {
    int column, row, offset;
};

static __device__ __forceinline__ bool POINT(plain_place_of)(const struct POINT(device_level) & level,
                                                             struct POINT(plain_place) * place)
{
    place->column = (int)(blockIdx.y * blockDim.x + threadIdx.x);
    place->row = (int)blockIdx.x;
    place->offset = place->row * level.pitch + place->column;
    return place->column < level.nx;
}

static __device__ __forceinline__ struct POINT(node)
    POINT(plain_node)(const struct POINT(device_level) & level, int copy, int offset, bool is_along_x)
{
    const REAL u = level.state[copy][1][offset], v = level.state[copy][2][offset];
    return POINT(node_of)(level.state[copy][0][offset], is_along_x ? u : v, is_along_x ? v : u,
                          level.still[offset]);
}

static __device__ __forceinline__ void POINT(plain_given)(const struct POINT(device_level) & level,
                                                          long long step, double shift,
                                                          struct given_now given[TSUNAMI_SIDES])
{
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        if (level.edges[side].kind == TSUNAMI_EDGE_GIVEN)
            given[side] = given_during(level.edges[side], step, shift);
}

// From one copy of the state to the other.
template <bool SECOND, bool HAS_GIVEN>
__global__ void POINT(plain_sweep_x)(const __grid_constant__ struct POINT(device_level) level, int from,
                                     long long step)
{
    struct given_now given[TSUNAMI_SIDES] = {};
    struct POINT(plain_place) at;
    if (!POINT(plain_place_of)(level, &at))
        return;
    const bool is_first = at.column == 0, is_last = at.column == level.nx - 1;
    const int left = level.is_periodic_x && is_first ? level.nx - 1 : -1;
    const int right = level.is_periodic_x && is_last ? 1 - level.nx : 1;
    const struct POINT(spacing) h = POINT(spacing_of)(
        level.columns[at.column], level.columns[level.pitch + at.column],
        level.columns[2 * level.pitch + at.column], level.columns[3 * level.pitch + at.column],
        level.rows[(at.row + 1) * ROW_CONSTANTS + ROW_STEP_X]);
    if (HAS_GIVEN)
        POINT(plain_given)(level, step, given_sweep_shift(true, !SECOND || step % 2 == 0), given);
    const struct POINT(node) next =
        POINT(sweep_coast)<SECOND, HAS_GIVEN>(level, POINT(plain_node)(level, from, at.offset + left, true),
                                              POINT(plain_node)(level, from, at.offset, true),
                                              POINT(plain_node)(level, from, at.offset + right, true), h,
                                              POINT(end_x)(level, at.column, at.row, given));
    POINT(store_cell)(level.state[1 - from], {next.e, next.un, next.ut, next.c0}, at.offset);
}

template <bool SECOND, bool HAS_GIVEN>
__global__ void POINT(plain_sweep_y)(const __grid_constant__ struct POINT(device_level) level, int from,
                                     long long step)
{
    struct given_now given[TSUNAMI_SIDES] = {};
    struct POINT(plain_place) at;
    if (!POINT(plain_place_of)(level, &at))
        return;
    const bool is_first = at.row == 0, is_last = at.row == level.ny - 1;
    const int south = level.is_periodic_y && is_first ? level.ny - 1 : -1;
    const int north = level.is_periodic_y && is_last ? 1 - level.ny : 1;
    const struct POINT(row_constants) k = POINT(row_of)(level, at.row);
    if (HAS_GIVEN)
        POINT(plain_given)(level, step, given_sweep_shift(false, !SECOND || step % 2 == 0), given);
    const struct POINT(cell) next = POINT(sweep_y_coast)<SECOND, HAS_GIVEN>(
        level, POINT(plain_node)(level, from, at.offset + south * level.pitch, false),
        POINT(plain_node)(level, from, at.offset, false),
        POINT(plain_node)(level, from, at.offset + north * level.pitch, false), k, at.row, at.column, given);
    POINT(store_cell)(level.state[1 - from], next, at.offset);
}

template <bool SECOND, bool HAS_FRICTION, bool IS_REVERSED>
__global__ void POINT(plain_sources)(const __grid_constant__ struct POINT(device_level) level, int copy)
{
    struct POINT(plain_place) at;
    if (!POINT(plain_place_of)(level, &at))
        return;
    REAL *const *state = level.state[copy];
    const struct POINT(cell)
        here = {state[0][at.offset], state[1][at.offset], state[2][at.offset], level.still[at.offset]};
    POINT(store_cell)
    (state, POINT(apply_sources) < true, SECOND, HAS_FRICTION,
     IS_REVERSED > (level, here, POINT(row_of)(level, at.row)), at.offset);
}

// The nodes of all edges at the end of the step.
__global__ void POINT(plain_give)(const __grid_constant__ struct POINT(device_level) level, int is_x_first,
                                  long long step)
{
    struct given_now given[TSUNAMI_SIDES] = {};
    struct POINT(plain_place) at;
    if (!POINT(plain_place_of)(level, &at))
        return;
    if (at.column > 0 && at.column < level.nx - 1 && at.row > 0 && at.row < level.ny - 1)
        return;
    REAL *const *state = level.state[0];
    const struct POINT(cell)
        here = {state[0][at.offset], state[1][at.offset], state[2][at.offset], level.still[at.offset]};
    POINT(plain_given)(level, step, GIVEN_SHIFT, given);
    POINT(store_cell)
    (state, POINT(give_ends)(level, here, is_x_first != 0, at.column, at.row, given), at.offset);
}

template <bool SECOND, bool HAS_FRICTION, bool HAS_GIVEN>
static void POINT(plain_step)(const struct POINT(device_level) & level, dim3 blocks, long long step,
                              cudaStream_t stream)
{
    if (SECOND && step % 2 != 0) {
        POINT(plain_sources)<SECOND, HAS_FRICTION, true><<<blocks, 128, 0, stream>>>(level, 0);
        POINT(plain_sweep_y)<SECOND, HAS_GIVEN><<<blocks, 128, 0, stream>>>(level, 0, step);
        POINT(plain_sweep_x)<SECOND, HAS_GIVEN><<<blocks, 128, 0, stream>>>(level, 1, step);
    } else {
        POINT(plain_sweep_x)<SECOND, HAS_GIVEN><<<blocks, 128, 0, stream>>>(level, 0, step);
        POINT(plain_sweep_y)<SECOND, HAS_GIVEN><<<blocks, 128, 0, stream>>>(level, 1, step);
        POINT(plain_sources)<SECOND, HAS_FRICTION, false><<<blocks, 128, 0, stream>>>(level, 0);
    }
    if (HAS_GIVEN)
        POINT(plain_give)<<<blocks, 128, 0, stream>>>(level, !SECOND || step % 2 == 0, step);
}

extern "C" cudaError_t POINT(tsunami_launch_plain)(const struct POINT(device_level) * level,
                                                   const struct device_records *records, long long step,
                                                   int second_order, float time_s, cudaStream_t stream)
{
    const dim3 blocks((unsigned)level->ny, (unsigned)(level->nx + 127) / 128);
    const bool is_rough = level->friction > (REAL)0;
    if (level->has_given && second_order) // as of the march: friction of 0 changes no bit
        POINT(plain_step)<true, true, true>(*level, blocks, step, stream);
    else if (level->has_given)
        POINT(plain_step)<false, true, true>(*level, blocks, step, stream);
    else if (second_order && is_rough)
        POINT(plain_step)<true, true, false>(*level, blocks, step, stream);
    else if (second_order)
        POINT(plain_step)<true, false, false>(*level, blocks, step, stream);
    else if (is_rough)
        POINT(plain_step)<false, true, false>(*level, blocks, step, stream);
    else
        POINT(plain_step)<false, false, false>(*level, blocks, step, stream);
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess || records->kind == RECORDS_NONE)
        return error;
    return POINT(tsunami_launch_record)(level, records, 0, time_s, stream);
}
