// Near cells: all pairs of a cell's particles with theirs, which pass through shared memory. In float,
// positions are relative to the middle of the target's cell.
#include "gpu/gas/regions.cuh"

namespace gas {
namespace {

enum {
    SOURCES = 768,   // in shared memory at a time
    ROUND = 4,       // sources
    ROUNDS_MOST = 64 // terms in the pair's own precision: 256; sums of those in double
};

// The origin of positions; in double they are not shifted.
template <typename Real> DEVICE double2 origin_of(const region_arrays &r, unsigned cell);
template <> DEVICE double2 origin_of<float>(const region_arrays &r, unsigned cell)
{
    return cell_middle(r, cell);
}
template <> DEVICE double2 origin_of<double>(const region_arrays &, unsigned)
{
    return {0, 0};
}

template <typename Real> DEVICE point<Real> point_of(const double2 &position, const double2 &origin)
{
    return {static_cast<Real>(position.x - origin.x), static_cast<Real>(position.y - origin.y)};
}

// Copies the near particles from number `first` on, as many as fit, to shared memory; their numbers are in
// the order of the list. Returns the number of rounds; the last sources may be idle.
template <typename Real>
DEVICE unsigned fetch_sources(const region_arrays &r, unsigned cell, unsigned first,
                              const double2 *__restrict__ position, const double2 &origin, point<Real> *tile)
{
    unsigned begin = 0; // the number of a span's first
    for (const region_span *near = near_list(r, cell); near->first != REGION_END; near++) {
        const unsigned from = r.starts[near->first], end = begin + (r.starts[near->end] - from);
        for (unsigned n = max(begin, first) + threadIdx.x; n < min(end, first + SOURCES); n += REGION_TARGETS)
            tile[n - first] = point_of<Real>(position[from + (n - begin)], origin);
        begin = end;
    }
    const unsigned count = min(begin - first, SOURCES), rounds = (count + ROUND - 1) / ROUND;
    if (threadIdx.x < rounds * ROUND - count)
        tile[count + threadIdx.x] = {nowhere<Real>, nowhere<Real>};
    return rounds;
}

// A particle's number among the near ones.
DEVICE unsigned number_of(const region_arrays &r, unsigned cell, unsigned particle)
{
    unsigned begin = 0;
    for (const region_span *near = near_list(r, cell); near->first != REGION_END; near++) {
        const unsigned from = r.starts[near->first], end = r.starts[near->end];
        if (particle >= from && particle < end)
            return begin + (particle - from);
        begin += end - from;
    }
    return begin;
}

template <typename Pair>
DEVICE void add_sources(const Pair &pair, const typename Pair::source *tile, const region_part &part,
                        unsigned first, const typename Pair::target &target, unsigned own, double2 &total)
{
    for (unsigned begin = part.begin; begin < part.end; begin += ROUNDS_MOST) {
        const unsigned end = min(begin + ROUNDS_MOST, part.end);
        typename Pair::sum sum = pair.nothing();
#pragma unroll 2
        for (unsigned round = begin; round < end; round++) {
            typename Pair::source sources[ROUND];
            load_four(tile + round * ROUND, sources);
#pragma unroll
            for (unsigned u = 0; u < ROUND; u++)
                pair.add(sum, target, own, sources[u], first + round * ROUND + u);
        }
        total.x += pair.term(sum, 0);
        total.y += pair.term(sum, 1);
    }
}

template <typename Pair>
__global__ void __launch_bounds__(REGION_TARGETS)
    near_kernel(const region_arrays r, const Pair shared_pair, const double2 *__restrict__ position,
                double2 *sums)
{
    using Real = typename Pair::real;
    __shared__ alignas(16) point<Real> tile[SOURCES];
    __shared__ double2 scratch[REGION_TARGETS];
    region_team team;
    if (!find_team(r, team))
        return;
    const double2 origin = origin_of<Real>(r, team.cell);
    const unsigned all = near_particles(r, team.cell), there = min(team.target, team.end - 1);
    const point<Real> target = point_of<Real>(position[there], origin);
    const unsigned own = number_of(r, team.cell, there);
    Pair pair = shared_pair;
    pair.set_count(all);
    double2 total = {0, 0};
    for (unsigned first = 0; first < all; first += SOURCES) {
        if (first > 0)
            __syncthreads();
        const unsigned rounds = fetch_sources<Real>(r, team.cell, first, position, origin, tile);
        __syncthreads();
        add_sources(pair, tile, part_of(team, rounds), first, target, own, total);
    }
    if (sum_of_parts(team, scratch, total))
        sums[team.target] = total;
}

template <typename Pair>
cudaError_t launch(const region_arrays *regions, const Pair &pair, const double *position, double *sums,
                   cudaStream_t stream)
{
    near_kernel<Pair><<<region_blocks(regions), REGION_TARGETS, 0, stream>>>(
        *regions, pair, reinterpret_cast<const double2 *>(position), reinterpret_cast<double2 *>(sums));
    return cudaGetLastError();
}

template <typename Real, typename Run>
cudaError_t with_force(const region_arrays *regions, const gas_law *law, const Run &run)
{
    return law->kind == GAS_LAW_LOG ? run(log_force_of<Real>(regions->box, *law))
                                    : run(force_of<Real, GAS_LAW_NEAR, false>({}, *law, 0));
}

template <typename Run> cudaError_t with_energy(const gas_law *law, const Run &run)
{
    return law->kind == GAS_LAW_LOG ? run(energy_of<GAS_LAW_LOG>({}, *law, 0))
                                    : run(energy_of<GAS_LAW_NEAR>({}, *law, 0));
}

} // namespace
} // namespace gas

extern "C" cudaError_t device_regions_near_forces(const struct region_arrays *regions,
                                                  const struct gas_law *law, enum element precision,
                                                  const double *position, double *sums, cudaStream_t stream)
{
    const auto run = [&](const auto &pair) { return gas::launch(regions, pair, position, sums, stream); };
    return precision == ELEMENT_F32 ? gas::with_force<float>(regions, law, run)
                                    : gas::with_force<double>(regions, law, run);
}

extern "C" cudaError_t device_regions_near_energies(const struct region_arrays *regions,
                                                    const struct gas_law *law, const double *position,
                                                    double *sums, cudaStream_t stream)
{
    return gas::with_energy(
        law, [&](const auto &pair) { return gas::launch(regions, pair, position, sums, stream); });
}

extern "C" cudaError_t device_regions_load_near(const struct region_arrays *regions,
                                                const struct gas_law *law, enum element precision)
{
    const auto run = [](const auto &pair) {
        return kernels::load(gas::near_kernel<std::decay_t<decltype(pair)>>);
    };
    const cudaError_t error = precision == ELEMENT_F32 ? gas::with_force<float>(regions, law, run)
                                                       : gas::with_force<double>(regions, law, run);
    return error == cudaSuccess ? gas::with_energy(law, run) : error;
}
