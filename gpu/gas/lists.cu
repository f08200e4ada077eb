// Lists of neighbours on the device: the pairs within reach at the sort, and sums over them. A thread a
// particle; neighbours k of adjacent particles are adjacent in memory.
#include "gpu/gas/cell.cuh"
#include "gpu/gas/error_flag.cuh"
#include "gpu/gas/lists.h"
#include "gpu/gas/point.cuh"
#include "gpu/launch.cuh"

namespace gas {
namespace {

enum { THREADS = 256 };

// ---- which pairs are within reach

struct build_view {
    unsigned begin, end, columns, rows, most;
    size_t pitch;
    double2 box;
    bool is_periodic_x, is_periodic_y;
    double reach_square;
    const double2 *positions;
    const unsigned *starts, *id;
    unsigned *neighbours, *lengths;
    const unsigned *stale; // NULL: build
    unsigned token;
    long long done;
    gas_error_flag *error_flag;
    gas_device_counts *counts;
};

// A particle in search of its neighbours.
struct seeker {
    unsigned index, length;
    double2 at;
};

// The near ones of `count` ≤ 32 particles from `first` on, as bits: so loads do not depend on what is found,
// and many threads write to their lists at once.
DEVICE unsigned find_near(const build_view &view, const seeker &particle, double2 shift, unsigned first,
                          unsigned count)
{
    unsigned near = 0;
#pragma unroll 4
    for (unsigned u = 0; u < count; u++) {
        const double2 other = view.positions[first + u];
        const double x = particle.at.x - other.x + shift.x, y = particle.at.y - other.y + shift.y;
        near |= static_cast<unsigned>(x * x + y * y < view.reach_square) << u;
    }
    const unsigned own = particle.index - first;
    return own < 32 ? near & ~(1u << own) : near;
}

// Those of cells first … last of a row, displaced by the shift.
DEVICE void seek(const build_view &view, unsigned row, unsigned first, unsigned last, double2 shift,
                 seeker &particle)
{
    const unsigned *const starts = view.starts + row * view.columns;
    const unsigned end = starts[last + 1];
    for (unsigned j = starts[first]; j < end; j += 32) {
        unsigned near = find_near(view, particle, shift, j, end - j < 32 ? end - j : 32);
        for (; near != 0; near &= near - 1) {
            if (particle.length < view.most)
                view.neighbours[particle.length * view.pitch + particle.index] =
                    j + static_cast<unsigned>(__ffs(static_cast<int>(near))) - 1;
            particle.length++;
        }
    }
}

DEVICE void seek_in_row(const build_view &view, unsigned row, unsigned column, double shift_y,
                        seeker &particle)
{
    const unsigned last = view.columns - 1;
    seek(view, row, column > 0 ? column - 1 : 0, column < last ? column + 1 : last, {0, shift_y}, particle);
    if (view.is_periodic_x && column == 0)
        seek(view, row, last, last, {view.box.x, shift_y}, particle);
    if (view.is_periodic_x && column == last)
        seek(view, row, 0, 0, {-view.box.x, shift_y}, particle);
}

__global__ void __launch_bounds__(THREADS) build_kernel(const build_view view)
{
    if (view.stale && *view.stale != view.token)
        return;
    if (blockIdx.x == 0 && threadIdx.x == 0)
        view.counts->rebuilds++;
    for (unsigned i = view.begin + blockIdx.x * THREADS + threadIdx.x; i < view.end;
         i += gridDim.x * THREADS) {
        seeker particle = {i, 0, view.positions[i]};
        const unsigned column = cell_on(particle.at.x, view.box.x, view.columns);
        const unsigned row = cell_on(particle.at.y, view.box.y, view.rows), last = view.rows - 1;
        if (row > 0)
            seek_in_row(view, row - 1, column, 0, particle);
        else if (view.is_periodic_y)
            seek_in_row(view, last, column, view.box.y, particle);
        seek_in_row(view, row, column, 0, particle);
        if (row < last)
            seek_in_row(view, row + 1, column, 0, particle);
        else if (view.is_periodic_y)
            seek_in_row(view, 0, column, -view.box.y, particle);
        view.lengths[i] = particle.length < view.most ? particle.length : view.most;
        if (particle.length > view.most && !is_stopped(view.error_flag, view.done))
            raise_error_flag(view.error_flag, view.done, ERROR_IN_LISTS, view.id[i], GAS_CROWDED);
    }
}

// ---- sums

struct sum_view {
    unsigned begin, end;
    size_t pitch;
    double2 box;                    // 0 on an axis that is not periodic
    double2 inner_begin, inner_end; // no pair of a particle within crosses a boundary
    const double2 *position;
    const unsigned *neighbours, *lengths;
};

DEVICE double image(double r, double length)
{
    return r > length / 2 ? r - length : r < -length / 2 ? r + length : r;
}

// x_i − x_j, in double.
DEVICE double2 separation(const sum_view &view, bool has_images, double2 at, double2 other)
{
    double2 r = {at.x - other.x, at.y - other.y};
    if (has_images && view.box.x > 0)
        r.x = image(r.x, view.box.x);
    if (has_images && view.box.y > 0)
        r.y = image(r.y, view.box.y);
    return r;
}

// Whether a pair of this particle may cross a periodic boundary.
DEVICE bool is_at_edge(const sum_view &view, double2 at)
{
    return !(at.x >= view.inner_begin.x && at.x <= view.inner_end.x && at.y >= view.inner_begin.y &&
             at.y <= view.inner_end.y);
}

// Pairs in Real, from differences that are rounded once; their sums in double, in which opposite forces
// cancel exactly.
template <typename Real, gas_law_kind kind>
__global__ void __launch_bounds__(THREADS)
    forces_kernel(const sum_view view, const pair_law<Real> law, double2 *force)
{
    enum { AT_ONCE = 2 }; // more would cost registers, and so resident threads
    const unsigned i = view.begin + blockIdx.x * THREADS + threadIdx.x;
    const bool is_valid = i < view.end;
    const double2 at = view.position[is_valid ? i : view.end - 1];
    const unsigned length = is_valid ? view.lengths[i] : 0;
    const bool has_images = __any_sync(0xffffffffu, is_at_edge(view, at));
    double2 sum = {0, 0};
    for (unsigned k = 0; k < length; k += AT_ONCE) {
        double2 other[AT_ONCE];
#pragma unroll
        for (unsigned u = 0; u < AT_ONCE; u++)
            other[u] = view.position[k + u < length ? view.neighbours[(k + u) * view.pitch + i] : i];
#pragma unroll
        for (unsigned u = 0; u < AT_ONCE; u++) {
            const double2 r = separation(view, has_images, at, other[u]);
            const Real x = static_cast<Real>(r.x), y = static_cast<Real>(r.y);
            const Real s = madd(x, x, madd(y, y, law.softening_square));
            const Real f = k + u < length ? pair_force_of<kind>(law, s) : 0;
            sum.x += static_cast<double>(f * x);
            sum.y += static_cast<double>(f * y);
        }
    }
    if (is_valid)
        force[i] = sum;
}

template <gas_law_kind kind>
__global__ void __launch_bounds__(THREADS)
    energies_kernel(const sum_view view, const gas_law law, const pair_law<double> made, double2 *energy)
{
    const unsigned i = view.begin + blockIdx.x * THREADS + threadIdx.x;
    if (i >= view.end)
        return;
    const double2 at = view.position[i];
    energy_sum sum;
    sum.clear();
    for (unsigned k = 0; k < view.lengths[i]; k++) {
        const double2 r = separation(view, true, at, view.position[view.neighbours[k * view.pitch + i]]);
        const double square = r.x * r.x + r.y * r.y;
        if (square + law.softening_square < law.end_square)
            sum.add<kind>(law, made, square);
    }
    energy[i] = {sum.potential<kind>(law), sum.virial};
}

template <gas_law_kind kind>
void sum(const lists_arrays &lists, const sum_view &view, const gas_law &law, double2 *force, double2 *energy,
         cudaStream_t stream)
{
    const unsigned blocks = kernels::blocks_for(view.end - view.begin, THREADS);
    if (force && lists.precision == ELEMENT_F32)
        forces_kernel<float, kind><<<blocks, THREADS, 0, stream>>>(view, pair_law_of<float>(law), force);
    else if (force)
        forces_kernel<double, kind><<<blocks, THREADS, 0, stream>>>(view, pair_law_of<double>(law), force);
    if (energy)
        energies_kernel<kind><<<blocks, THREADS, 0, stream>>>(view, law, pair_law_of<double>(law), energy);
}

// ---- lengths

__global__ void __launch_bounds__(THREADS)
    summary_kernel(const unsigned *lengths, unsigned begin, unsigned end, unsigned long long *total,
                   unsigned *longest)
{
    unsigned long long sum = 0;
    unsigned most = 0;
    for (unsigned i = begin + blockIdx.x * THREADS + threadIdx.x; i < end; i += gridDim.x * THREADS) {
        sum += lengths[i];
        most = lengths[i] > most ? lengths[i] : most;
    }
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, step);
    if (threadIdx.x % 32 == 0)
        atomicAdd(total, sum);
    atomicMax(longest, most);
}

template <gas_law_kind kind> cudaError_t load_sums()
{
    return kernels::load(forces_kernel<float, kind>, forces_kernel<double, kind>, energies_kernel<kind>);
}

// The end of the lists, of as many particles as there are; of a rank perhaps none.
unsigned end_of(const lists_arrays *lists, const gas_device_particles *particles)
{
    const size_t end = lists->end < particles->count ? lists->end : particles->count;
    return static_cast<unsigned>(end > lists->first ? end : lists->first);
}

} // namespace
} // namespace gas

using namespace gas;

extern "C" cudaError_t lists_choose(struct lists_arrays *lists, int device)
{
    const gas_law law = gas_law_of(lists->physics);
    int multiprocessors = 0, each = 0;
    cudaError_t error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess)
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, build_kernel, THREADS, 0);
    if (error == cudaSuccess)
        error = kernels::load(summary_kernel);
#define LOAD(kind)                                                                                           \
    if (error == cudaSuccess)                                                                                \
    error = load_sums<kind>()
    GAS_FOR_LISTED_LAW(law.kind, LOAD)
#undef LOAD
    const unsigned useful = kernels::blocks_for(lists->end - lists->first, THREADS),
                   most = static_cast<unsigned>(each * multiprocessors);
    lists->blocks = useful < most ? useful : most;
    return error;
}

extern "C" cudaError_t lists_build(const struct lists_arrays *lists, const struct gas_device_grid *grid,
                                   const struct gas_device_particles *particles, int must, unsigned token,
                                   long long done, struct gas_error_flag *error_flag,
                                   struct gas_device_counts *counts, cudaStream_t stream)
{
    const gas_physics *physics = lists->physics;
    const double reach = physics->cut_off + physics->lists.skin;
    const build_view view = {static_cast<unsigned>(lists->first),
                             end_of(lists, particles),
                             static_cast<unsigned>(grid->columns),
                             static_cast<unsigned>(grid->rows),
                             lists->most,
                             lists->pitch,
                             {grid->box[GAS_X], grid->box[GAS_Y]},
                             gas_is_periodic(physics, GAS_X),
                             gas_is_periodic(physics, GAS_Y),
                             reach * reach,
                             reinterpret_cast<const double2 *>(grid->at_sort),
                             grid->starts,
                             particles->id,
                             lists->neighbours,
                             lists->lengths,
                             must ? nullptr : lists->stale,
                             token,
                             done,
                             error_flag,
                             counts};
    build_kernel<<<lists->blocks, THREADS, 0, stream>>>(view);
    return cudaGetLastError();
}

static sum_view sum_view_of(const lists_arrays *lists, const gas_device_particles *particles)
{
    const gas_physics *physics = lists->physics;
    const double margin = physics->cut_off + 3 * physics->lists.skin;
    double box[GAS_AXES], begin[GAS_AXES], end[GAS_AXES];
    for (int axis = 0; axis < GAS_AXES; axis++) {
        const bool is_periodic = gas_is_periodic(physics, axis);
        box[axis] = is_periodic ? physics->box[axis] : 0;
        begin[axis] = is_periodic ? margin : -INFINITY;
        end[axis] = is_periodic ? physics->box[axis] - margin : INFINITY;
    }
    return {static_cast<unsigned>(lists->first),
            end_of(lists, particles),
            lists->pitch,
            {box[GAS_X], box[GAS_Y]},
            {begin[GAS_X], begin[GAS_Y]},
            {end[GAS_X], end[GAS_Y]},
            reinterpret_cast<const double2 *>(particles->position),
            lists->neighbours,
            lists->lengths};
}

extern "C" cudaError_t lists_sum(const struct lists_arrays *lists,
                                 const struct gas_device_particles *particles, double *force,
                                 gas_device_energy energy, cudaStream_t stream)
{
    const gas_law law = gas_law_of(lists->physics);
    const sum_view view = sum_view_of(lists, particles);
    if (view.begin == view.end)
        return cudaSuccess;
#define SUM(kind)                                                                                            \
    sum<kind>(*lists, view, law, reinterpret_cast<double2 *>(force), reinterpret_cast<double2 *>(energy),    \
              stream)
    GAS_FOR_LISTED_LAW(law.kind, SUM)
#undef SUM
    return cudaGetLastError();
}

extern "C" cudaError_t lists_summarize(const struct lists_arrays *lists, cudaStream_t stream)
{
    const cudaError_t error =
        cudaMemsetAsync(lists->summary, 0, LISTS_SUMMARY * sizeof *lists->summary, stream);
    if (error != cudaSuccess)
        return error;
    summary_kernel<<<lists->blocks, THREADS, 0, stream>>>(
        lists->lengths, static_cast<unsigned>(lists->first), static_cast<unsigned>(lists->end),
        reinterpret_cast<unsigned long long *>(lists->summary), lists->summary + LISTS_LONGEST);
    return cudaGetLastError();
}
