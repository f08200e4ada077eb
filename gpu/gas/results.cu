// Kernels for trajectories, diagnostics and findings of the gas model (see the header). All arithmetic is in
// double, and no product and sum are fused (-fmad=false), as on the host.
#include "gpu/gas/results_kernels.h"

#include "gpu/block_sums.cuh"
#include "gpu/gas/error_flag.cuh"
#include "gpu/launch.cuh"
#include "gpu/order.cuh"
#include "models/gas/particle_terms.h"

static_assert(static_cast<int>(RESULTS_GAS_SUMS) == static_cast<int>(GAS_TERMS), "a sum a term");
static_assert(static_cast<unsigned long long>(GAS_COUNT_MAX) <= 1ull << 30, "an id and its partner are ints");

namespace gas {
namespace {

enum { THREADS = 256, SEEKERS = 1024 };

struct state_view {
    const double2 *position, *velocity;
    const double *mass;
    double one_mass;
    const unsigned *ids, *index;
    unsigned count;

    DEVICE unsigned index_of(size_t id) const { return index ? index[id] : static_cast<unsigned>(id); }
    DEVICE unsigned id_of(unsigned i) const { return ids ? ids[i] : i; }
    DEVICE double mass_of(unsigned i) const { return mass ? mass[i] : one_mass; }
};

state_view view_of(const results_gas *state)
{
    const gas_device_particles *p = state->particles;
    return {reinterpret_cast<const double2 *>(p->position),
            reinterpret_cast<const double2 *>(p->velocity),
            p->mass,
            state->mass,
            p->id,
            state->index,
            static_cast<unsigned>(p->count)};
}

// ---- trajectories

template <typename Out> DEVICE void store(Out *record, size_t atom, const double2 &value)
{
    record[3 * atom] = static_cast<Out>(value.x);
    record[3 * atom + 1] = static_cast<Out>(value.y);
    record[3 * atom + 2] = 0;
}

template <typename Out>
__global__ void __launch_bounds__(THREADS)
    trajectory_kernel(const state_view state, const struct results_gas_trajectory wanted, size_t atoms,
                      Out *record)
{
    const size_t atom = static_cast<size_t>(blockIdx.x) * THREADS + threadIdx.x;
    if (atom >= atoms)
        return;
    const unsigned k = state.index_of(atom * wanted.stride);
    store(record, atom, state.position[k]);
    if (wanted.has_velocities)
        store(record, atoms + atom, state.velocity[k]);
}

// ---- diagnostics

struct particle_terms {
    state_view state;
    const double2 *energy;

    DEVICE void operator()(size_t id, double *terms) const
    {
        const unsigned k = state.index_of(id);
        const double2 velocity = state.velocity[k], energies = energy[k];
        const double v[GAS_AXES] = {velocity.x, velocity.y};
        gas_terms_of_particle(state.mass_of(k), v, energies.x, energies.y, terms);
    }
};

struct make_record {
    gas_physics physics;
    double count, degrees;
    const gas_device_counts *counts;
    double *record;

    DEVICE void operator()(const double *sums) const
    {
        const unsigned long long limited = counts->limited_energy + counts->limited_jumps;
        gas_record_of_terms(&physics, count, degrees, static_cast<double>(limited), sums, record);
    }
};

// ---- findings

struct nearest {
    double square;
    unsigned index, id;
};

DEVICE bool is_nearer(const nearest &a, const nearest &b)
{
    return a.square < b.square || (a.square == b.square && a.id < b.id);
}

struct seek_view {
    state_view state;
    double2 periodic;         // lengths of the box; 0 on an axis that is not periodic
    unsigned first, end;      // the particles of this rank
    const bands_state *bands; // NULL: it has all

    DEVICE bool is_known(unsigned k) const
    {
        bool is_near = !bands || (k >= first && k < end);
        for (int n = 0; bands && n < 2; n++)
            is_near = is_near || (k >= bands->near[n].first && k < bands->near[n].end);
        return is_near;
    }
};

DEVICE double image(double r, double length)
{
    return length > 0 ? r - length * rint(r / length) : r;
}

// The index of the particle of this id; ~0: another rank has it.
__device__ unsigned find_id(const seek_view &view, unsigned id)
{
    __shared__ unsigned index;
    if (!view.state.ids)
        return id;
    if (threadIdx.x == 0)
        index = ~0u;
    __syncthreads();
    for (unsigned k = view.first + threadIdx.x; k < view.end; k += SEEKERS)
        if (view.state.ids[k] == id)
            index = k;
    __syncthreads();
    return index;
}

// The particle nearest to that of this index, in the block's first thread; if there is no other, the distance
// is infinite.
__device__ nearest find_nearest(const seek_view &view, unsigned index)
{
    __shared__ nearest found[SEEKERS];
    const double2 at = view.state.position[index];
    nearest best = {INFINITY, 0, ~0u};
    for (unsigned k = threadIdx.x; k < view.state.count; k += SEEKERS) {
        const double x = image(at.x - view.state.position[k].x, view.periodic.x);
        const double y = image(at.y - view.state.position[k].y, view.periodic.y);
        const nearest candidate = {x * x + y * y, k, view.state.id_of(k)};
        if (k != index && view.is_known(k) && is_nearer(candidate, best))
            best = candidate;
    }
    found[threadIdx.x] = best;
    __syncthreads();
    for (unsigned t = 0; threadIdx.x == 0 && t < SEEKERS; t++)
        if (is_nearer(found[t], best))
            best = found[t];
    return best;
}

// One block. Two particles overlap if a force is not finite although the position is.
__global__ void __launch_bounds__(SEEKERS)
    find_kernel(const seek_view view, const gas_error_flag *error_flag, results_gas_finding *finding)
{
    const unsigned long long first = error_flag->first;
    if (first == ~0ull || finding->error != GAS_NO_ERROR)
        return;
    const unsigned id = static_cast<unsigned>(first >> ERROR_ID_BIT & ((1ull << 40) - 1));
    const unsigned index = find_id(view, id);
    if (index == ~0u) {
        __syncthreads(); // all threads have read `finding`
        if (threadIdx.x == 0)
            finding->error = GAS_ERRORS;
        return;
    }
    int error = static_cast<int>(first & ((1u << ERROR_ID_BIT) - 1)), partner = -1;
    if (error == GAS_OVERLAPPING) {
        const nearest other = find_nearest(view, index);
        if (isfinite(other.square))
            partner = static_cast<int>(other.id);
        else
            error = GAS_NOT_FINITE;
    }
    __syncthreads(); // all threads have read `finding`
    if (threadIdx.x > 0)
        return;
    const double2 x = view.state.position[index], v = view.state.velocity[index];
    const bool is_of_next = first >> ERROR_MOMENT_BIT == ERROR_IN_MOVE;
    *finding = {error_flag->step + (is_of_next ? 1 : 0),
                error,
                static_cast<int>(id),
                partner,
                0,
                {x.x, x.y},
                {v.x, v.y},
                view.state.mass_of(index)};
}

} // namespace
} // namespace gas

using namespace gas;

extern "C" cudaError_t results_gas_index(const struct results_gas *state, cudaStream_t stream)
{
    return order::find_index(state->particles->id, state->particles->count, state->index, stream);
}

extern "C" cudaError_t results_gas_trajectory(const struct results_gas *state,
                                              const struct results_gas_trajectory *wanted, void *record,
                                              cudaStream_t stream)
{
    const size_t atoms = (state->particles->count + wanted->stride - 1) / wanted->stride;
    return kernels::launch(wanted->element, [&](auto out) {
        trajectory_kernel<<<kernels::blocks_for(atoms, THREADS), THREADS, 0, stream>>>(
            view_of(state), *wanted, atoms, static_cast<decltype(out) *>(record));
    });
}

extern "C" size_t results_gas_partials(size_t count)
{
    return block_sums::blocks_of(count) * GAS_TERMS;
}

extern "C" cudaError_t results_gas_diagnose(const struct results_gas *state, const double *energy,
                                            const struct gas_device_counts *counts,
                                            const struct results_gas_scratch *scratch, double *record,
                                            cudaStream_t stream)
{
    const size_t count = state->particles->count, blocks = block_sums::blocks_of(count);
    const particle_terms terms = {view_of(state), reinterpret_cast<const double2 *>(energy)};
    const make_record finish = {*state->physics, static_cast<double>(count),
                                gas_degrees(state->physics, count), counts, record};
    block_sums::blocks_kernel<GAS_TERMS>
        <<<static_cast<unsigned>(blocks), block_sums::THREADS, 0, stream>>>(terms, count, scratch->partial);
    block_sums::total_kernel<GAS_TERMS>
        <<<1, block_sums::THREADS, 0, stream>>>(scratch->partial, blocks, scratch->sums, finish);
    return cudaGetLastError();
}

extern "C" cudaError_t results_gas_find(const struct results_gas *state,
                                        const struct gas_error_flag *error_flag,
                                        struct results_gas_finding *finding, cudaStream_t stream)
{
    const gas_physics *physics = state->physics;
    const gas_bands *bands = state->bands;
    const seek_view view = {view_of(state),
                            {gas_is_periodic(physics, GAS_X) ? physics->box[GAS_X] : 0,
                             gas_is_periodic(physics, GAS_Y) ? physics->box[GAS_Y] : 0},
                            bands ? bands->bounds[bands->rank] : 0,
                            bands ? bands->bounds[bands->rank + 1]
                                  : static_cast<unsigned>(state->particles->count),
                            bands ? bands->state : nullptr};
    find_kernel<<<1, SEEKERS, 0, stream>>>(view, error_flag, finding);
    return cudaGetLastError();
}

extern "C" cudaError_t results_gas_load(void)
{
    return kernels::load(find_kernel);
}
