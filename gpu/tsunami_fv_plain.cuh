// The plain version of the step where the shore moves, once per precision (REAL and POINT(name) defined): one kernel a
// sweep, one for the sources; a thread a node, nothing kept between kernels but the arrays, every face made by both nodes
// beside it. A second opinion on the march, to the bit, and its baseline.

// Node `place` of the line through `line`, a row (is_along_x) or a column, as the sweep sees it.
static __device__ __forceinline__ struct POINT(fv_cell)
    POINT(fv_plain_load)(const struct POINT(device_level) & level, int copy, bool is_along_x, int place,
                         int line)
{
    const int offset = is_along_x ? line * level.pitch + place : place * level.pitch + line;
    REAL *const *state = level.state[copy];
    const struct POINT(water) c = {state[0][offset], state[1][offset], state[2][offset], level.still[offset]};
    return is_along_x ? POINT(fv_along_x)(c) : POINT(fv_along_y)(c);
}

// The same, and beyond an edge what stands there.
static __device__ __forceinline__ struct POINT(fv_cell)
    POINT(fv_plain_cell)(const struct POINT(device_level) & level, int copy, bool is_along_x, int place,
                         int line, const struct given_now *given)
{
    const int count = is_along_x ? level.nx : level.ny;
    const int is_periodic = is_along_x ? level.is_periodic_x : level.is_periodic_y;
    const struct POINT(fv_cell) cell =
        POINT(fv_plain_load)(level, copy, is_along_x, wrapped_or_mirrored(place, count, is_periodic), line);
    if (is_periodic || (place >= 0 && place < count))
        return cell;
    const bool is_before = place < 0;
    const enum tsunami_side side =
        is_along_x ? (is_before ? TSUNAMI_WEST : TSUNAMI_EAST) : (is_before ? TSUNAMI_SOUTH : TSUNAMI_NORTH);
    const struct POINT(fv_cell) inner =
        POINT(fv_plain_load)(level, copy, is_along_x, is_before ? 0 : count - 1, line);
    const struct POINT(fv_cell) ghost = POINT(fv_ghost)(level, inner, cell, side, given[side], line);
    return is_along_x ? POINT(fv_along_x)({POINT(fv_stored)(ghost), ghost.un, ghost.ut, ghost.z}) : ghost;
}

// What the cells of a line have: width, and of the y sweep the cosines.
struct POINT(fv_plain_metric) {
    REAL lambda, half, held_minus, held_plus, fastest, cosine_minus, cosine, metric;
};

static __device__ struct POINT(fv_plain_metric)
    POINT(fv_plain_metric_of)(const struct POINT(device_level) & level, bool is_along_x, int place, int line)
{
    if (!is_along_x) {
        const struct POINT(fv_row) k = POINT(fv_row_of)(level, place);
        return {k.lambda, k.half, k.held_south, k.held_north, k.fastest, k.cosine_south, k.cosine, k.metric};
    }
    const struct POINT(fv_row) k = POINT(fv_row_of)(level, line);
    const int column = wrapped_or_mirrored(place, level.nx, level.is_periodic_x);
    const REAL inverse = (REAL)2 * level.columns[column], held = k.held_x * ((REAL)1 / inverse);
    return {k.step_x * inverse, (REAL)0.5 * k.step_x * inverse, held, held, FV_FASTEST * held, 1, 1, 0};
}

// From one copy of the state to the other.
__global__ void POINT(fv_plain_sweep)(const __grid_constant__ struct POINT(device_level) level, int from,
                                      int is_along_x, long long step)
{
    const int column = (int)(blockIdx.y * blockDim.x + threadIdx.x), row = (int)blockIdx.x;
    if (column >= level.nx)
        return;
    const int place = is_along_x ? column : row, line = is_along_x ? row : column;
    struct given_now given[TSUNAMI_SIDES] = {};
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        if (level.edges[side].kind == TSUNAMI_EDGE_GIVEN)
            given[side] = given_during(level.edges[side], step, FV_GIVEN_SHIFT);
    struct POINT(fv_cell) cells[5];
    struct POINT(fv_faces) faces[3];
    struct POINT(fv_plain_metric) metrics[3];
    for (int k = 0; k < 5; k++)
        cells[k] = POINT(fv_plain_cell)(level, from, is_along_x, place - 2 + k, line, given);
    for (int k = 0; k < 3; k++) {
        metrics[k] = POINT(fv_plain_metric_of)(level, is_along_x, place - 1 + k, line);
        if (!is_along_x && !level.is_periodic_y && (place - 1 + k < 0 || place - 1 + k >= level.ny))
            metrics[k].metric = POINT(fv_ghost_metric)(
                level, cells[2], k == 0 ? TSUNAMI_SOUTH : TSUNAMI_NORTH, metrics[k].metric);
        faces[k] = POINT(fv_faces_of)(cells[k], cells[k + 1], cells[k + 2], metrics[k].half,
                                      metrics[k].metric, level.gravity, level.minimum_depth);
    }
    struct POINT(fv_flux) flux[2];
    for (int k = 0; k < 2; k++) {
        const struct POINT(fv_cell) &left = cells[k + 1], &right = cells[k + 2];
        flux[k] = POINT(fv_flux_of)(faces[k].plus, faces[k + 1].minus, left.h > level.minimum_depth,
                                    right.h > level.minimum_depth, left.h * metrics[k].held_plus,
                                    right.h * metrics[k + 1].held_minus, faces[k].froude, faces[k + 1].froude,
                                    level.gravity);
        const REAL share = metrics[k + 1].cosine_minus;
        flux[k] = {flux[k].h * share, flux[k].minus * share, flux[k].plus * share, flux[k].ut * share};
    }
    struct POINT(water) next;
    REAL un, ut;
    POINT(fv_update)
    (cells[2], flux[0], flux[1], faces[1].push * metrics[1].cosine, metrics[1].lambda, metrics[1].fastest,
     level.gravity, level.minimum_depth, &next.w, &un, &ut);
    next.u = is_along_x ? un : ut;
    next.v = is_along_x ? ut : un;
    POINT(store_water)(level.state[1 - from], next, row * level.pitch + column);
}

template <bool IS_REVERSED>
__global__ void POINT(fv_plain_sources)(const __grid_constant__ struct POINT(device_level) level)
{
    const int column = (int)(blockIdx.y * blockDim.x + threadIdx.x), row = (int)blockIdx.x;
    const int offset = row * level.pitch + column;
    if (column >= level.nx)
        return;
    REAL *const *state = level.state[0];
    const struct POINT(water)
        here = {state[0][offset], state[1][offset], state[2][offset], level.still[offset]};
    POINT(store_water)
    (state, POINT(fv_sources) < IS_REVERSED > (level, here, POINT(fv_row_of)(level, row)), offset);
}

extern "C" cudaError_t POINT(tsunami_launch_fv_plain)(const struct POINT(device_level) * level,
                                                      const struct device_records *records, long long step,
                                                      float time_s, cudaStream_t stream)
{
    const dim3 blocks((unsigned)level->ny, (unsigned)(level->nx + 127) / 128);
    const int is_odd = (int)(step & 1);
    if (is_odd)
        POINT(fv_plain_sources)<true><<<blocks, 128, 0, stream>>>(*level);
    POINT(fv_plain_sweep)<<<blocks, 128, 0, stream>>>(*level, 0, !is_odd, step);
    POINT(fv_plain_sweep)<<<blocks, 128, 0, stream>>>(*level, 1, is_odd, step);
    if (!is_odd)
        POINT(fv_plain_sources)<false><<<blocks, 128, 0, stream>>>(*level);
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess || records->kind == RECORDS_NONE)
        return error;
    return POINT(tsunami_launch_fv_record)(level, records, 0, time_s, stream);
}
