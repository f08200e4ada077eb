// What cells give particles: middle cells as multipoles, which pass through shared memory, and far cells by
// Taylor's series about the centre of mass of the particle's own cell. In float, positions are relative to
// the middle of that cell.
#include "gpu/gas/multipole.cuh"
#include "gpu/gas/regions.cuh"

namespace gas {
namespace {

enum {
    CELLS = 320,     // in shared memory at a time: enough for radii of 2 and 10
    ROUND = 4,       // cells
    ROUNDS_MOST = 64 // terms in the sum's own precision: 256; sums of those in double
};

struct cells_rule {
    double attraction, softening_square;
};

// Copies the cells of the list from `first` on, as many as fit, to shared memory. Returns the number of
// rounds; the last cells may be empty. All threads of the block call it.
template <typename Real>
DEVICE unsigned fetch_cells(const region_arrays &r, unsigned cell, unsigned first, const double2 &origin,
                            multipole_tile<Real, CELLS> &tile)
{
    const unsigned most = static_cast<unsigned>(r.middle_most) + 1;
    const int *list = r.middle_of + static_cast<size_t>(cell) * most;
    unsigned count = 0;
    for (unsigned begin = 0; begin < CELLS; begin += REGION_TARGETS) {
        const unsigned n = begin + threadIdx.x;
        const int source = first + n < most ? list[first + n] : REGION_END;
        if (n < CELLS)
            tile.put(r, static_cast<int>(n), source, origin);
        count += static_cast<unsigned>(__syncthreads_count(n < CELLS && source != REGION_END));
    }
    return (count + ROUND - 1) / ROUND;
}

template <typename Field, typename Real>
DEVICE void add_cells(const multipole_tile<Real, CELLS> &tile, const region_part &part, const point<Real> &at,
                      Real softening_square, Field &total)
{
    for (unsigned round = part.begin; round < part.end; round++) {
        Real counts[ROUND];
        load_four(tile.counts + round * ROUND, counts);
#pragma unroll
        for (unsigned u = 0; u < ROUND; u++)
            total.add(at, tile.moments[round * ROUND + u], counts[u], softening_square);
    }
}

// Of middle cells: E (a force without −A), or U/A and 0.
template <typename Real, bool IS_SOFTENED, bool IS_ENERGY>
DEVICE double2 sum_middle(const region_arrays &r, const region_team &team, const double2 &origin,
                          const double2 &position, Real softening_square, multipole_tile<Real, CELLS> &tile)
{
    const unsigned most = static_cast<unsigned>(r.middle_most);
    const point<Real> at = {static_cast<Real>(position.x - origin.x),
                            static_cast<Real>(position.y - origin.y)};
    double2 total = {0, 0};
    for (unsigned first = 0; first < most; first += CELLS) {
        if (first > 0)
            __syncthreads();
        const unsigned rounds = fetch_cells(r, team.cell, first, origin, tile);
        const region_part part = part_of(team, rounds);
        for (unsigned begin = part.begin; begin < part.end; begin += ROUNDS_MOST) {
            multipole_field<Real, IS_SOFTENED, false, IS_ENERGY> sum;
            sum.clear();
            add_cells(tile, {begin, min(begin + ROUNDS_MOST, part.end)}, at, softening_square, sum);
            total.x += IS_ENERGY ? sum.potential : sum.field.x;
            total.y += IS_ENERGY ? 0 : sum.field.y;
        }
    }
    return total;
}

// Adds up the splits of the far field into shared memory, by the first threads of the block.
DEVICE void fetch_far(const region_arrays &r, unsigned cell, double (&far)[REGION_FAR_TERMS])
{
    if (threadIdx.x >= REGION_FAR_TERMS)
        return;
    double sum = 0;
    for (int split = 0; split < r.far_splits; split++)
        sum += r.far_field[(static_cast<size_t>(split) * r.cells + cell) * REGION_FAR_TERMS + threadIdx.x];
    far[threadIdx.x] = sum;
}

// E, or U/A, of far cells at a particle that is w from its cell's centre of mass.
template <bool IS_ENERGY> DEVICE double2 far_at(const double (&far)[REGION_FAR_TERMS], const double2 &w)
{
    if (!IS_ENERGY)
        return {far[0] + fma(far[2], w.x, -far[3] * w.y), far[1] + fma(far[2], w.y, far[3] * w.x)};
    const double2 w2 = {w.x * w.x - w.y * w.y, 2 * w.x * w.y};
    return {far[4] + far[0] * w.x - far[1] * w.y + 0.5 * (far[2] * w2.x - far[3] * w2.y), 0};
}

template <typename Real, bool IS_SOFTENED, bool IS_ENERGY>
__global__ void __launch_bounds__(REGION_TARGETS)
    cells_kernel(const region_arrays r, const cells_rule rule, const double2 *__restrict__ position,
                 double2 *sums)
{
    __shared__ multipole_tile<Real, CELLS> tile;
    __shared__ double2 scratch[REGION_TARGETS];
    __shared__ double far[REGION_FAR_TERMS];
    region_team team;
    if (!find_team(r, team))
        return;
    const double2 origin = cell_middle(r, team.cell), at = position[min(team.target, team.end - 1)];
    fetch_far(r, team.cell, far);
    double2 total = sum_middle<Real, IS_SOFTENED, IS_ENERGY>(r, team, origin, at,
                                                             static_cast<Real>(rule.softening_square), tile);
    if (!sum_of_parts(team, scratch, total))
        return;
    // Another rank may already have written here.
    if (team.target < r.first || team.target >= r.end)
        return;
    const double2 c = reinterpret_cast<const double2 *>(r.centre)[team.cell];
    const double2 of_far = far_at<IS_ENERGY>(far, {at.x - c.x, at.y - c.y});
    double2 sum = sums[team.target];
    if (IS_ENERGY) {
        const unsigned partners = r.count - near_particles(r, team.cell);
        sum.x += rule.attraction * (total.x + of_far.x) / 2;
        sum.y -= rule.attraction * static_cast<double>(partners) / 2;
    } else {
        sum.x -= rule.attraction * (total.x + of_far.x);
        sum.y += rule.attraction * (total.y + of_far.y);
    }
    sums[team.target] = sum;
    if (!IS_ENERGY)
        for (double *const to : r.peer_sums)
            if (to)
                reinterpret_cast<double2 *>(to)[team.target] = sum;
}

template <typename Real, bool IS_ENERGY>
cudaError_t launch(const region_arrays *r, const gas_law *law, const double *position, double *sums,
                   cudaStream_t stream)
{
    const cells_rule rule = {law->attraction, law->softening_square};
    const double2 *const at = reinterpret_cast<const double2 *>(position);
    double2 *const to = reinterpret_cast<double2 *>(sums);
    if (law->softening_square > 0)
        cells_kernel<Real, true, IS_ENERGY>
            <<<region_blocks(r), REGION_TARGETS, 0, stream>>>(*r, rule, at, to);
    else
        cells_kernel<Real, false, IS_ENERGY>
            <<<region_blocks(r), REGION_TARGETS, 0, stream>>>(*r, rule, at, to);
    return cudaGetLastError();
}

} // namespace
} // namespace gas

extern "C" cudaError_t device_regions_cells_forces(const struct region_arrays *regions,
                                                   const struct gas_law *law, enum element precision,
                                                   const double *position, double *sums, cudaStream_t stream)
{
    return precision == ELEMENT_F32 ? gas::launch<float, false>(regions, law, position, sums, stream)
                                    : gas::launch<double, false>(regions, law, position, sums, stream);
}

extern "C" cudaError_t device_regions_cells_energies(const struct region_arrays *regions,
                                                     const struct gas_law *law, const double *position,
                                                     double *sums, cudaStream_t stream)
{
    return gas::launch<double, true>(regions, law, position, sums, stream);
}

extern "C" cudaError_t device_regions_load_middle(void)
{
    return kernels::load(gas::cells_kernel<float, true, false>, gas::cells_kernel<float, false, false>,
                         gas::cells_kernel<double, true, false>, gas::cells_kernel<double, false, false>,
                         gas::cells_kernel<double, true, true>, gas::cells_kernel<double, false, true>);
}
