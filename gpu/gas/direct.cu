// The gas by direct summation (gpu/pairs.cuh). Forces are in the run's precision, from positions relative to
// the box's middle; energies are in double. Sums of up to 256 terms are in that precision, the sums of these
// in double, all in an order that depends on the number of particles and on the device alone.
#include "gpu/gas/kernels.h"
#include "gpu/gas/pairs.cuh"
#include "gpu/launch.cuh"
#include "gpu/pairs.cuh"

namespace gas {
namespace {

struct put_two {
    double2 *to;

    DEVICE void operator()(unsigned i, const double *totals) const { to[i] = {totals[0], totals[1]}; }
};
using keeper = pairs::keeper<2, put_two>;

// The kernel's shape; of float, the fastest of fifteen on an H200.
template <typename Real> struct shape;
template <> struct shape<float> {
    enum { TARGETS = 8, THREADS = 256, BLOCKS = 2, UNROLL = 8 };
};
template <> struct shape<double> {
    enum { TARGETS = 4, THREADS = 128, BLOCKS = 4, UNROLL = 4 };
};
// Of one rank's particles: two teams of threads for each group, as there are fewer groups.
enum { PART_TEAMS = 2 };
template <typename Real> constexpr unsigned group_size = shape<Real>::TARGETS *shape<Real>::THREADS;

template <typename Real, typename Pair>
constexpr auto tiles = pairs::tiles_kernel<Pair, shape<Real>::TARGETS, shape<Real>::THREADS,
                                           shape<Real>::BLOCKS, shape<Real>::UNROLL, keeper>;
template <typename Real, typename Pair>
constexpr auto part_tiles =
    pairs::part_kernel<Pair, shape<Real>::TARGETS, shape<Real>::THREADS, shape<Real>::BLOCKS / PART_TEAMS,
                       shape<Real>::UNROLL, keeper, PART_TEAMS>;

enum { POINTS_THREADS = 256 };

__global__ void __launch_bounds__(POINTS_THREADS)
    points_kernel(const double2 *position, double2 middle, unsigned count, point<float> *points)
{
    const unsigned i = blockIdx.x * POINTS_THREADS + threadIdx.x;
    if (i < count)
        points[i] = {static_cast<float>(position[i].x - middle.x),
                     static_cast<float>(position[i].y - middle.y)};
}

// The rank's particles; of fewer than it was chosen for perhaps none.
template <typename Real, typename Pair>
void launch_part(gas_direct *direct, const gas_direct_share &share, const Pair &pair,
                 const point<Real> *points, const pairs::layout &layout, const keeper &keep,
                 cudaStream_t stream)
{
    const unsigned first = static_cast<unsigned>(direct->first), last = static_cast<unsigned>(direct->end),
                   end = last < layout.targets ? last : layout.targets;
    if (first >= end)
        return;
    pairs::part part = pairs::part_of(layout, group_size<Real>, first, end, share.blocks);
    part.carried = direct->carried;
    part.left = direct->left;
    part.launch = ++direct->launches;
    part_tiles<Real, Pair>
        <<<part.blocks, PART_TEAMS * shape<Real>::THREADS, 0, stream>>>(pair, points, part, keep);
}

template <typename Real, typename Pair>
cudaError_t launch(gas_direct *direct, const gas_direct_share &share, const Pair &pair,
                   const point<Real> *points, size_t count, double *to, cudaStream_t stream)
{
    const unsigned targets = static_cast<unsigned>(count);
    const pairs::layout layout = pairs::layout_of(share.whole, share.splits, targets, group_size<Real>);
    const keeper keep = {{reinterpret_cast<double2 *>(to)},
                         direct->scratch,
                         pairs::first_split(layout, group_size<Real>),
                         targets};
    if (direct->end > 0)
        launch_part<Real>(direct, share, pair, points, layout, keep, stream);
    else
        tiles<Real, Pair>
            <<<pairs::blocks_of(layout), shape<Real>::THREADS, 0, stream>>>(pair, points, layout, keep);
    pairs::gather(keep, share.splits, stream);
    return cudaGetLastError();
}

bool has_images(const gas_physics *physics)
{
    return gas_is_periodic(physics, GAS_X) || gas_is_periodic(physics, GAS_Y);
}

// Calls run(pair) with the pair's force for these physics.
template <typename Real, typename Run>
cudaError_t with_force(const gas_physics *physics, unsigned count, const Run &run)
{
    const gas_law law = gas_law_of(physics);
    const images<Real> image = images_of<Real>(physics);
    const bool is_periodic = has_images(physics);
    switch (law.kind) {
    case GAS_LAW_LOG: // never periodic
        return run(log_force_of<Real>(physics->box, law));
    case GAS_LAW_NEAR:
        return is_periodic ? run(force_of<Real, GAS_LAW_NEAR, true>(image, law, count))
                           : run(force_of<Real, GAS_LAW_NEAR, false>(image, law, count));
    case GAS_LAW_LENNARD_JONES:
        return is_periodic ? run(force_of<Real, GAS_LAW_LENNARD_JONES, true>(image, law, count))
                           : run(force_of<Real, GAS_LAW_LENNARD_JONES, false>(image, law, count));
    case GAS_LAW_FORCE_SHIFTED:
        return is_periodic ? run(force_of<Real, GAS_LAW_FORCE_SHIFTED, true>(image, law, count))
                           : run(force_of<Real, GAS_LAW_FORCE_SHIFTED, false>(image, law, count));
    case GAS_LAW_NONE:
    case GAS_LAWS:
        break;
    }
    return cudaSuccess;
}

template <typename Run> cudaError_t with_energy(const gas_physics *physics, unsigned count, const Run &run)
{
    const gas_law law = gas_law_of(physics);
#define RUN_ENERGY(kind) return run(energy_of<kind>(images_of<double>(physics), law, count))
    GAS_FOR_LAW(law.kind, RUN_ENERGY)
#undef RUN_ENERGY
    return cudaSuccess;
}

template <typename Real>
cudaError_t begin_forces(gas_direct *direct, const point<Real> *points, size_t count, double *to,
                         cudaStream_t stream)
{
    return with_force<Real>(direct->physics, static_cast<unsigned>(count), [&](const auto &pair) {
        return launch<Real>(direct, direct->force, pair, points, count, to, stream);
    });
}

cudaError_t begin_single_forces(gas_direct *direct, const double2 *position, size_t count, double *to,
                                cudaStream_t stream)
{
    point<float> *const points = static_cast<point<float> *>(direct->points);
    const double2 middle = {direct->physics->box[GAS_X] / 2, direct->physics->box[GAS_Y] / 2};
    const unsigned blocks = static_cast<unsigned>((count + POINTS_THREADS - 1) / POINTS_THREADS);
    points_kernel<<<blocks, POINTS_THREADS, 0, stream>>>(position, middle, static_cast<unsigned>(count),
                                                         points);
    const cudaError_t error = cudaGetLastError();
    return error == cudaSuccess ? begin_forces<float>(direct, points, count, to, stream) : error;
}

cudaError_t begin_energies(gas_direct *direct, const point<double> *points, size_t count, double *to,
                           cudaStream_t stream)
{
    return with_energy(direct->physics, static_cast<unsigned>(count), [&](const auto &pair) {
        return launch<double>(direct, direct->energy, pair, points, count, to, stream);
    });
}

// Loads the kernel of a pair, and chooses its layout.
template <typename Real> struct chooser {
    gas_direct *direct;
    gas_direct_share *share;
    size_t count;
    int device;

    template <typename Kernel> cudaError_t choose_blocks(const Kernel kernel) const
    {
        int multiprocessors = 0, resident = 0;
        cudaError_t error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
        if (error == cudaSuccess)
            error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel,
                                                                  PART_TEAMS * shape<Real>::THREADS, 0);
        share->blocks = static_cast<unsigned>(multiprocessors * resident);
        const size_t carried = size_t(2) * group_size<Real> * share->blocks;
        if (carried > direct->carried_numbers)
            direct->carried_numbers = carried;
        if (share->blocks > direct->left_numbers)
            direct->left_numbers = share->blocks;
        return error == cudaSuccess ? kernels::load(kernel) : error;
    }
    template <typename Pair> cudaError_t operator()(const Pair &) const
    {
        pairs::chosen chosen;
        const cudaError_t error = pairs::choose(tiles<Real, Pair>, shape<Real>::THREADS, group_size<Real>, 2,
                                                count, device, &chosen);
        *share = {chosen.whole, chosen.splits, 0};
        if (chosen.scratch_numbers > direct->scratch_numbers)
            direct->scratch_numbers = chosen.scratch_numbers;
        if (error != cudaSuccess || direct->end == 0)
            return error == cudaSuccess ? kernels::load(tiles<Real, Pair>) : error;
        return choose_blocks(part_tiles<Real, Pair>);
    }
};

cudaError_t choose(gas_direct *direct, size_t count, int device)
{
    const unsigned targets = static_cast<unsigned>(count);
    const gas_physics *physics = direct->physics;
    cudaError_t error =
        direct->precision == ELEMENT_F32
            ? with_force<float>(physics, targets, chooser<float>{direct, &direct->force, count, device})
            : with_force<double>(physics, targets, chooser<double>{direct, &direct->force, count, device});
    if (error == cudaSuccess)
        error = with_energy(physics, targets, chooser<double>{direct, &direct->energy, count, device});
    return error == cudaSuccess ? kernels::load(pairs::gather_kernel<2, put_two>, points_kernel) : error;
}

} // namespace
} // namespace gas

extern "C" cudaError_t gas_direct_choose(struct gas_direct *direct, const struct gas_physics *physics,
                                         size_t count, size_t first, size_t end, enum element precision,
                                         int device)
{
    *direct = {physics, precision, {0, 1, 0}, {0, 1, 0}, 0, 0,       nullptr, nullptr,
               first,   end,       0,         0,         0, nullptr, nullptr};
    if (precision == ELEMENT_F32)
        direct->points_bytes = count * sizeof(gas::point<float>);
    return gas::choose(direct, count, device);
}

extern "C" cudaError_t gas_device_direct_sums(struct gas_direct *direct,
                                              const struct gas_device_particles *particles, double *force,
                                              gas_device_energy energy, cudaStream_t stream)
{
    const size_t count = particles->count, bytes = 2 * count * sizeof(double);
    const double2 *position = reinterpret_cast<const double2 *>(particles->position);
    const gas::point<double> *points = reinterpret_cast<const gas::point<double> *>(particles->position);
    cudaError_t error = cudaSuccess;
    if (direct->physics->potential == GAS_NO_FORCE) {
        if (force)
            error = cudaMemsetAsync(force, 0, bytes, stream);
        return error == cudaSuccess && energy ? cudaMemsetAsync(energy, 0, bytes, stream) : error;
    }
    if (force)
        error = direct->precision == ELEMENT_F32
                    ? gas::begin_single_forces(direct, position, count, force, stream)
                    : gas::begin_forces<double>(direct, points, count, force, stream);
    if (error == cudaSuccess && energy)
        error = gas::begin_energies(direct, points, count, energy, stream);
    return error;
}
