// Far cells: every cell as a multipole at the centre of mass of every cell that is far from it. A block has 8
// × 8 target cells; each of its warps has all of them, two a thread. Sources are divided into chunks of 32
// consecutive cells among the warps, and among `far_splits` blocks of the same targets. Distances are tested
// only for chunks that are near some of the targets.
#include "gpu/gas/multipole.cuh"
#include "gpu/gas/regions.cuh"

namespace gas {
namespace {

enum {
    WARPS = 8,
    SIDE = 8,         // target cells on each axis
    HALF = SIDE / 2,  // rows between a thread's two targets
    CHUNK = 32,       // source cells
    CHUNKS_A_SUM = 8, // terms in the sum's own precision: 256
};
static_assert(SIDE * SIDE == REGION_FAR_TARGETS && SIDE * HALF == 32, "a thread has two targets");

struct far_rule {
    double softening_square;
    int reach;        // columns and rows beyond which all cells are far
    int least_square; // of a far cell's distance
    int chunks;
};

struct far_target {
    int column, row;
    bool is_valid;
};

DEVICE far_target target_of(const region_arrays &r, int number)
{
    const int patches = (r.columns + SIDE - 1) / SIDE, patch = static_cast<int>(blockIdx.x);
    const int column = patch % patches * SIDE + number % SIDE, row = patch / patches * SIDE + number / SIDE;
    return {column, row, column < r.columns && row < r.rows};
}

// Whether the block's cells have particles whose sums are made. By all threads.
DEVICE bool has_targets(const region_arrays &r, const far_target &corner)
{
    const int row = corner.row + static_cast<int>(threadIdx.x);
    bool has_some = false;
    if (r.end - r.first == r.count)
        return true;
    if (threadIdx.x < SIDE && row < r.rows) {
        const unsigned *const starts = r.starts + row * r.columns;
        has_some = starts[min(corner.column + SIDE, r.columns)] > r.first && starts[corner.column] < r.end;
    }
    return __syncthreads_or(has_some) != 0;
}

// Whether all of a chunk's cells are far from all of the block's.
DEVICE bool is_far(const region_arrays &r, const far_rule &rule, const far_target &corner, int chunk)
{
    const int first = chunk * CHUNK, last = first + CHUNK - 1;
    const int first_row = first / r.columns, last_row = last / r.columns;
    if (last_row < corner.row - rule.reach || first_row > corner.row + SIDE - 1 + rule.reach)
        return true;
    const int first_column = first - first_row * r.columns, last_column = last - last_row * r.columns;
    return first_row == last_row &&
           (last_column < corner.column - rule.reach || first_column > corner.column + SIDE - 1 + rule.reach);
}

template <typename Field, typename Real>
DEVICE void add_chunk(const multipole_tile<Real, CHUNK> &tile, const point<Real> (&at)[2],
                      Real softening_square, Field (&fields)[2])
{
#pragma unroll 1
    for (int first = 0; first < CHUNK; first += 4) {
        Real counts[4];
        load_four(tile.counts + first, counts);
#pragma unroll
        for (int n = 0; n < 4; n++)
#pragma unroll
            for (int t = 0; t < 2; t++)
                fields[t].add(at[t], tile.moments[first + n], counts[n], softening_square);
    }
}

template <typename Field, typename Real>
__device__ void add_far_of_chunk(const region_arrays &r, const far_rule &rule, const far_target (&targets)[2],
                                 int chunk, const multipole_tile<Real, CHUNK> &tile,
                                 const point<Real> (&at)[2], Field (&fields)[2])
{
    int row = chunk * CHUNK / r.columns, column = chunk * CHUNK - row * r.columns;
    for (int n = 0; n < CHUNK; n++) {
#pragma unroll
        for (int t = 0; t < 2; t++) {
            const int dx = targets[t].column - column, dy = targets[t].row - row;
            if (dx * dx + dy * dy >= rule.least_square)
                fields[t].add(at[t], tile.moments[n], tile.counts[n],
                              static_cast<Real>(rule.softening_square));
        }
        if (++column == r.columns) {
            column = 0;
            row++;
        }
    }
}

template <typename Field> DEVICE void flush(Field (&fields)[2], double (&totals)[2][REGION_FAR_TERMS])
{
#pragma unroll
    for (int t = 0; t < 2; t++) {
        totals[t][0] += fields[t].field.x;
        totals[t][1] += fields[t].field.y;
        totals[t][2] -= fields[t].slope.x;
        totals[t][3] -= fields[t].slope.y;
        totals[t][4] += fields[t].potential;
        fields[t].clear();
    }
}

// The warps' totals, added up in their order, to memory.
DEVICE void store(const region_arrays &r, const double (&sums)[WARPS][REGION_FAR_TARGETS][REGION_FAR_TERMS])
{
    for (unsigned k = threadIdx.x; k < REGION_FAR_TARGETS * REGION_FAR_TERMS; k += 32 * WARPS) {
        const unsigned number = k / REGION_FAR_TERMS, term = k % REGION_FAR_TERMS;
        const far_target target = target_of(r, static_cast<int>(number));
        double sum = 0;
        for (int w = 0; w < WARPS; w++)
            sum += sums[w][number][term];
        if (r.order == 0 && (term == 2 || term == 3))
            sum = 0;
        if (target.is_valid)
            r.far_field[(static_cast<size_t>(blockIdx.y) * r.cells + target.row * r.columns + target.column) *
                            REGION_FAR_TERMS +
                        term] = sum;
    }
}

template <typename Real, bool IS_SOFTENED, bool HAS_POTENTIAL>
__global__ void __launch_bounds__(32 * WARPS) far_kernel(const region_arrays r, const far_rule rule)
{
    using Field = multipole_field<Real, IS_SOFTENED, true, HAS_POTENTIAL>;
    __shared__ multipole_tile<Real, CHUNK> tiles[WARPS];
    __shared__ double sums[WARPS][REGION_FAR_TARGETS][REGION_FAR_TERMS];
    const int lane = static_cast<int>(threadIdx.x % 32), warp = static_cast<int>(threadIdx.x / 32);
    const double2 origin = {r.box[GAS_X] / 2, r.box[GAS_Y] / 2};
    const far_target corner = target_of(r, 0);
    const far_target targets[2] = {target_of(r, lane), target_of(r, lane + SIDE * HALF)};
    if (!has_targets(r, corner))
        return;
    double totals[2][REGION_FAR_TERMS] = {};
    point<Real> at[2];
    Field fields[2];
#pragma unroll
    for (int t = 0; t < 2; t++) {
        const int cell = targets[t].is_valid ? targets[t].row * r.columns + targets[t].column : 0;
        const double2 c = reinterpret_cast<const double2 *>(r.centre)[cell];
        at[t] = {static_cast<Real>(c.x - origin.x), static_cast<Real>(c.y - origin.y)};
        fields[t].clear();
    }
    int added = 0;
    for (int chunk = static_cast<int>(blockIdx.y) * WARPS + warp; chunk < rule.chunks;
         chunk += WARPS * static_cast<int>(gridDim.y)) {
        __syncwarp();
        tiles[warp].put(r, lane, chunk * CHUNK + lane, origin);
        __syncwarp();
        if (is_far(r, rule, corner, chunk))
            add_chunk(tiles[warp], at, static_cast<Real>(rule.softening_square), fields);
        else
            add_far_of_chunk(r, rule, targets, chunk, tiles[warp], at, fields);
        if (++added % CHUNKS_A_SUM == 0)
            flush(fields, totals);
    }
    flush(fields, totals);
#pragma unroll
    for (int t = 0; t < 2; t++)
#pragma unroll
        for (int k = 0; k < REGION_FAR_TERMS; k++)
            sums[warp][lane + t * SIDE * HALF][k] = totals[t][k];
    __syncthreads();
    store(r, sums);
}

unsigned patches_of(const region_arrays *r)
{
    return static_cast<unsigned>(((r->columns + SIDE - 1) / SIDE) * ((r->rows + SIDE - 1) / SIDE));
}

int chunks_of(const region_arrays *r)
{
    return (r->cells + CHUNK - 1) / CHUNK;
}

// The length of a launch, in chunks; each block has a small cost of its own.
double length_of(const region_arrays *r, int splits, int resident)
{
    const int blocks = static_cast<int>(patches_of(r)) * splits, waves = (blocks + resident - 1) / resident;
    const int chunks = (chunks_of(r) + WARPS * splits - 1) / (WARPS * splits);
    return static_cast<double>(waves) * (chunks + 1.5);
}

template <typename Real, bool HAS_POTENTIAL>
cudaError_t launch(const region_arrays *r, double softening_square, cudaStream_t stream)
{
    const unsigned patches =
        static_cast<unsigned>(((r->columns + SIDE - 1) / SIDE) * ((r->rows + SIDE - 1) / SIDE));
    const dim3 blocks(patches, static_cast<unsigned>(r->far_splits));
    const far_rule rule = {softening_square, static_cast<int>(ceil(r->far)),
                           static_cast<int>(ceil(r->far * r->far)), chunks_of(r)};
    if (softening_square > 0)
        far_kernel<Real, true, HAS_POTENTIAL><<<blocks, 32 * WARPS, 0, stream>>>(*r, rule);
    else
        far_kernel<Real, false, HAS_POTENTIAL><<<blocks, 32 * WARPS, 0, stream>>>(*r, rule);
    return cudaGetLastError();
}

} // namespace
} // namespace gas

extern "C" cudaError_t device_regions_share_far(struct region_arrays *regions, enum element precision,
                                                int device)
{
    const int splits_most = 16;
    int multiprocessors = 0, blocks = 0;
    cudaError_t error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess)
        error = kernels::with_real(precision, [&](auto real) {
            return cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                &blocks, gas::far_kernel<decltype(real), false, false>, 32 * gas::WARPS, 0);
        });
    regions->far_splits = 1;
    for (int splits = 2; error == cudaSuccess && splits <= splits_most; splits++)
        if (gas::length_of(regions, splits, multiprocessors * blocks) <
            0.98 * gas::length_of(regions, regions->far_splits, multiprocessors * blocks))
            regions->far_splits = splits;
    return error;
}

extern "C" cudaError_t device_regions_far(const struct region_arrays *regions, double softening_square,
                                          enum element precision, int has_energy, cudaStream_t stream)
{
    if (has_energy)
        return gas::launch<double, true>(regions, softening_square, stream);
    return precision == ELEMENT_F32 ? gas::launch<float, false>(regions, softening_square, stream)
                                    : gas::launch<double, false>(regions, softening_square, stream);
}

extern "C" cudaError_t device_regions_load_far(void)
{
    return kernels::load(gas::far_kernel<float, true, false>, gas::far_kernel<float, false, false>,
                         gas::far_kernel<double, true, false>, gas::far_kernel<double, false, false>,
                         gas::far_kernel<double, true, true>, gas::far_kernel<double, false, true>);
}
