// Kernels for trajectories, diagnostics and the guard of the N-body model (see the header). All arithmetic is
// in double, and no product and sum are fused (-fmad=false), as on the host.
#include "gpu/nbody/results_kernels.h"

#include "gpu/block_sums.cuh"
#include "gpu/launch.cuh"
#include "gpu/nbody/point.cuh"
#include "gpu/order.cuh"
#include "gpu/results.cuh"
#include "gpu/sort.h"
#include "models/nbody/body_terms.h"

static_assert(static_cast<int>(RESULTS_NBODY_SUMS) == static_cast<int>(NBODY_TERMS), "one sum for each term");
static_assert(NBODY_COUNT_MAX <= 1 << RESULTS_NBODY_ID_BITS, "an id has at most this many bits");

namespace nbody {
namespace {

enum { THREADS = 256 };

template <typename Real> struct view {
    const quad<Real> *bodies, *velocities;
    const unsigned *index;
    unsigned count;

    DEVICE unsigned index_of(size_t id) const { return index ? index[id] : static_cast<unsigned>(id); }
};

template <typename Real> view<Real> view_of(const results_nbody *state)
{
    return {static_cast<const quad<Real> *>(state->bodies->body),
            static_cast<const quad<Real> *>(state->bodies->velocity), state->index,
            static_cast<unsigned>(state->bodies->count)};
}

template <typename Real, typename Out>
DEVICE void store_vector(Out *record, size_t atom, const quad<Real> &vector, double scale)
{
    results::store(record, 3 * atom, vector.x * scale);
    results::store(record, 3 * atom + 1, vector.y * scale);
    results::store(record, 3 * atom + 2, vector.z * scale);
}

template <typename Real, typename Out>
__global__ void __launch_bounds__(THREADS)
    trajectory_kernel(const view<Real> state, const quad<Real> *accelerations,
                      const struct results_nbody_trajectory wanted, size_t atoms, Out *record)
{
    const size_t atom = static_cast<size_t>(blockIdx.x) * THREADS + threadIdx.x;
    if (atom >= atoms)
        return;
    const unsigned k = state.index_of(atom * wanted.stride);
    store_vector(record, atom, state.bodies[k], wanted.length_scale);
    size_t next = atoms + atom; // of the next variable
    if (wanted.has_velocities) {
        store_vector(record, next, state.velocities[k], wanted.velocity_scale);
        next += atoms;
    }
    if (wanted.has_accelerations)
        store_vector(record, next, accelerations[k], wanted.acceleration_scale);
}

// ---- diagnostics

template <typename Real> struct body_terms {
    view<Real> state;
    const quad<Real> *accelerations, *potentials;

    DEVICE void operator()(size_t id, double *terms) const
    {
        const unsigned k = state.index_of(id);
        const quad<Real> body = state.bodies[k], velocity = state.velocities[k], field = accelerations[k];
        const double x[] = {body.x, body.y, body.z}, v[] = {velocity.x, velocity.y, velocity.z},
                     a[] = {field.x, field.y, field.z};
        nbody_terms_of_body(body.w, x, v, a, potentials[k].w, terms);
    }
};

struct make_record {
    double *record;

    DEVICE void operator()(const double *sums) const { nbody_record_of_terms(sums, record); }
};

// Writes the distances from the centre of mass in the order of ids. The later sort is stable, so bodies at
// equal distances stay in this order.
template <typename Real>
__global__ void __launch_bounds__(THREADS)
    distances_kernel(const view<Real> state, const double *record, double *distances, unsigned *order)
{
    const unsigned id = blockIdx.x * THREADS + threadIdx.x;
    if (id >= state.count)
        return;
    const unsigned k = state.index_of(id);
    const quad<Real> body = state.bodies[k];
    const double x[] = {body.x, body.y, body.z};
    distances[id] = nbody_distance(x, record + NBODY_CENTRE);
    order[id] = k;
}

template <typename Real> struct mass_terms {
    const quad<Real> *bodies;
    const unsigned *order;

    DEVICE void operator()(size_t k, double *terms) const { terms[0] = bodies[order[k]].w; }
};

struct shares {
    double of[NBODY_RADII];
};

// One thread block for each share of the mass. It finds the block of 4096 bodies in which the enclosed mass
// reaches the share, then the body.
template <typename Real>
__global__ void __launch_bounds__(THREADS)
    radii_kernel(const mass_terms<Real> masses, size_t count, const double *partial, const double *sums,
                 const double *distances, const shares shares, double *record)
{
    __shared__ double loaded[THREADS];
    __shared__ size_t begin;
    __shared__ double before;
    const size_t blocks = (count + STATISTICS_BLOCK - 1) / STATISTICS_BLOCK;
    const double wanted = nbody_mass_of_share(shares.of[blockIdx.x], sums[NBODY_TERM_MASS]);
    double total = 0, compensation = 0;
    bool is_found = false; // used by the first thread only
    if (threadIdx.x == 0) {
        begin = (blocks - 1) * STATISTICS_BLOCK;
        before = 0;
    }
    for (size_t first = 0; first < blocks; first += THREADS) {
        if (first + threadIdx.x < blocks)
            loaded[threadIdx.x] = partial[first + threadIdx.x];
        __syncthreads();
        if (threadIdx.x == 0)
            for (size_t b = first; b < blocks && b < first + THREADS && !is_found; b++) {
                const double so_far = total + compensation;
                block_sums::compensated_add(&total, &compensation, loaded[b - first]);
                is_found = total + compensation >= wanted;
                if (is_found || b == blocks - 1) {
                    begin = b * STATISTICS_BLOCK;
                    before = so_far;
                }
            }
        __syncthreads();
    }
    const size_t end = begin + STATISTICS_BLOCK < count ? begin + STATISTICS_BLOCK : count;
    size_t found = end - 1;
    total = before;
    compensation = 0;
    is_found = false;
    for (size_t first = begin; first < end; first += THREADS) {
        if (first + threadIdx.x < end)
            masses(first + threadIdx.x, &loaded[threadIdx.x]);
        __syncthreads();
        if (threadIdx.x == 0)
            for (size_t k = first; k < end && k < first + THREADS && !is_found; k++) {
                block_sums::compensated_add(&total, &compensation, loaded[k - first]);
                is_found = total + compensation >= wanted;
                if (is_found)
                    found = k;
            }
        __syncthreads();
    }
    if (threadIdx.x == 0)
        record[NBODY_LAGRANGIAN + blockIdx.x] = distances[found];
}

template <typename Real>
cudaError_t diagnose(const results_nbody *state, const void *accelerations, const void *potentials,
                     const results_nbody_scratch *scratch, double *record, cudaStream_t stream)
{
    const size_t count = state->bodies->count, blocks = block_sums::blocks_of(count);
    const view<Real> from = view_of<Real>(state);
    const body_terms<Real> terms = {from, static_cast<const quad<Real> *>(accelerations),
                                    static_cast<const quad<Real> *>(potentials)};
    block_sums::blocks_kernel<NBODY_TERMS>
        <<<static_cast<unsigned>(blocks), block_sums::THREADS, 0, stream>>>(terms, count, scratch->partial);
    block_sums::total_kernel<NBODY_TERMS>
        <<<1, block_sums::THREADS, 0, stream>>>(scratch->partial, blocks, scratch->sums, make_record{record});
    distances_kernel<Real><<<kernels::blocks_for(count, THREADS), THREADS, 0, stream>>>(
        from, record, scratch->distances[0], scratch->order[0]);
    cudaError_t error = cudaGetLastError();
    gpu_sort_values order = {{scratch->order[0], scratch->order[1]}, count, 0};
    size_t bytes = scratch->sorting_bytes;
    if (error == cudaSuccess)
        error = gpu_sort_by_numbers(scratch->sorting, &bytes, scratch->distances, &order, stream);
    if (error != cudaSuccess)
        return error;
    const mass_terms<Real> masses = {from.bodies, order.values[order.current]};
    const double *const distances = scratch->distances[order.current];
    block_sums::blocks_kernel<1>
        <<<static_cast<unsigned>(blocks), block_sums::THREADS, 0, stream>>>(masses, count, scratch->partial);
    shares wanted;
    for (int k = 0; k < NBODY_RADII; k++)
        wanted.of[k] = nbody_lagrangian_shares[k];
    radii_kernel<Real><<<NBODY_RADII, THREADS, 0, stream>>>(masses, count, scratch->partial, scratch->sums,
                                                            distances, wanted, record);
    return cudaGetLastError();
}

// ---- the guard

template <typename Real>
__global__ void __launch_bounds__(THREADS)
    guard_kernel(const view<Real> state, const unsigned *ids, const results_nbody_finding *finding,
                 unsigned long long *first)
{
    const unsigned k = blockIdx.x * THREADS + threadIdx.x;
    if (k >= state.count || finding->found != 0)
        return;
    const quad<Real> x = state.bodies[k], v = state.velocities[k];
    if (isfinite(x.x) && isfinite(x.y) && isfinite(x.z) && isfinite(v.x) && isfinite(v.y) && isfinite(v.z))
        return;
    const unsigned long long id = ids ? ids[k] : k;
    atomicMin(first, id << 32 | k); // the smallest id, whatever the order of the threads
}

// Records the first non-finite body that guard_kernel found.
template <typename Real>
__global__ void finding_kernel(const view<Real> state, long long step, unsigned long long *first,
                               results_nbody_finding *finding)
{
    const unsigned long long found = *first;
    if (finding->found != 0 || found == RESULTS_NBODY_NOTHING)
        return;
    *first = RESULTS_NBODY_NOTHING;
    const quad<Real> x = state.bodies[static_cast<unsigned>(found)],
                     v = state.velocities[static_cast<unsigned>(found)];
    *finding = {static_cast<unsigned long long>(step + 1) << RESULTS_NBODY_ID_BITS | found >> 32,
                {x.x, x.y, x.z},
                {v.x, v.y, v.z},
                x.w};
}

} // namespace
} // namespace nbody

using namespace nbody;

extern "C" cudaError_t results_nbody_index(const struct results_nbody *state, cudaStream_t stream)
{
    return order::find_index(state->bodies->id, state->bodies->count, state->index, stream);
}

extern "C" cudaError_t results_nbody_trajectory(const struct results_nbody *state,
                                                const struct results_nbody_trajectory *wanted, void *record,
                                                cudaStream_t stream)
{
    const size_t atoms = (state->bodies->count + wanted->stride - 1) / wanted->stride;
    return kernels::launch(state->bodies->precision, wanted->element, [&](auto real, auto out) {
        typedef decltype(real) Real;
        trajectory_kernel<Real><<<kernels::blocks_for(atoms, THREADS), THREADS, 0, stream>>>(
            view_of<Real>(state), static_cast<const quad<Real> *>(state->bodies->field), *wanted, atoms,
            static_cast<decltype(out) *>(record));
    });
}

extern "C" size_t results_nbody_partials(size_t count)
{
    return block_sums::blocks_of(count) * NBODY_TERMS;
}

extern "C" cudaError_t results_nbody_sorting_bytes(size_t count, size_t *bytes)
{
    double *const distances[2] = {nullptr, nullptr};
    gpu_sort_values order = {{nullptr, nullptr}, count, 0};
    *bytes = 0;
    return gpu_sort_by_numbers(nullptr, bytes, distances, &order, nullptr);
}

extern "C" cudaError_t results_nbody_diagnose(const struct results_nbody *state, const void *accelerations,
                                              const void *potentials,
                                              const struct results_nbody_scratch *scratch, double *record,
                                              cudaStream_t stream)
{
    return kernels::with_real(state->bodies->precision, [&](auto real) {
        return diagnose<decltype(real)>(state, accelerations, potentials, scratch, record, stream);
    });
}

extern "C" cudaError_t results_nbody_guard(const struct results_nbody *state, long long step,
                                           unsigned long long *first, struct results_nbody_finding *finding,
                                           cudaStream_t stream)
{
    return kernels::launch(state->bodies->precision, [&](auto real) {
        const auto from = view_of<decltype(real)>(state);
        guard_kernel<<<kernels::blocks_for(from.count, THREADS), THREADS, 0, stream>>>(
            from, state->bodies->id, finding, first);
        finding_kernel<<<1, 1, 0, stream>>>(from, step, first, finding);
    });
}
