// A step of the gas without the pairs. All arithmetic is in double, by models/gas/move_point.h, and no
// product and sum are fused (-fmad=false), as on the host.
#include "gpu/gas/move.h"

#include "gpu/block_sums.cuh"
#include "gpu/gas/bands.cuh"
#include "gpu/gas/error_flag.cuh"
#include "gpu/launch.cuh"
#include "models/gas/move_point.h"

namespace gas {
namespace {

enum { THREADS = 256 };

struct move_view {
    gas_physics physics;
    double one_mass, decay, fastest_square, half_skin_square;
    double2 periodic; // lengths of the box; 0 on an axis that is not periodic
    gas_bands bands;
    double row_height;
    unsigned first, end;
    double2 *position, *velocity, *before;
    const double2 *force, *at_sort;
    const double *mass, *factor;
    const unsigned *id;
    double *kinetic;
    unsigned *stale, token;
    int parts;
    long long done;
    gas_error_flag *error_flag;
    gas_device_counts *counts;

    DEVICE double mass_of(unsigned i) const { return mass ? mass[i] : one_mass; }
    DEVICE unsigned id_of(unsigned i) const { return id ? id[i] : i; }
};

// One particle, in a thread's registers.
struct mover {
    double x[GAS_AXES], v[GAS_AXES], a[GAS_AXES], mass;
};

DEVICE double kinetic_of(const mover &m)
{
    return m.mass * (m.v[GAS_X] * m.v[GAS_X] + m.v[GAS_Y] * m.v[GAS_Y]) / 2;
}

DEVICE void limit_jump(const move_view &view, unsigned i, mover &m)
{
    const double2 before = view.before[i];
    if (hypot(m.v[GAS_X], m.v[GAS_Y]) <= view.physics.limiters.jump * hypot(before.x, before.y))
        return;
    m.v[GAS_X] = before.x;
    m.v[GAS_Y] = before.y;
    atomicAdd(&view.counts->limited_jumps, 1ull);
}

DEVICE void limit_energy(const move_view &view, mover &m)
{
    const double energy = kinetic_of(m), most = *view.factor;
    if (energy <= most)
        return;
    for (int axis = 0; axis < GAS_AXES; axis++)
        m.v[axis] *= sqrt(most / energy);
    atomicAdd(&view.counts->limited_energy, 1ull);
}

// The step's end.
DEVICE void end_step(const move_view &view, unsigned i, mover &m)
{
    if (view.parts & GAS_MOVE_KICK)
        for (int axis = 0; axis < GAS_AXES; axis++)
            m.v[axis] += m.a[axis] * (view.physics.step / 2);
    if (view.parts & GAS_MOVE_SCALE)
        for (int axis = 0; axis < GAS_AXES; axis++)
            m.v[axis] *= *view.factor;
    if (view.parts & GAS_MOVE_LIMIT_JUMPS)
        limit_jump(view, i, m);
    if (view.parts & GAS_MOVE_LIMIT_ENERGIES)
        limit_energy(view, m);
    if (view.parts & GAS_MOVE_NOTE_KINETIC)
        view.kinetic[view.id_of(i)] = kinetic_of(m);
}

template <bool has_noise> DEVICE void move_on(const move_view &view, unsigned i, mover &m)
{
    const gas_physics &physics = view.physics;
    const double time = physics.step;
    const double kick_time = physics.integrator == GAS_SYMPLECTIC_EULER ? time : time / 2;
    gas_apply_a_priori_walls(&physics, m.x, m.a, m.v);
    for (int axis = 0; axis < GAS_AXES; axis++)
        m.v[axis] += m.a[axis] * kick_time;
    if (has_noise) {
        gas_drift(&physics, time / 2, kick_time, m.a, m.x, m.v);
        gas_add_noise(&physics, view.decay, m.mass, view.done, view.id_of(i), m.v);
        gas_drift(&physics, time / 2, kick_time, m.a, m.x, m.v);
    } else {
        gas_drift(&physics, time, kick_time, m.a, m.x, m.v);
    }
}

// `length`: 0 where the axis is not periodic.
DEVICE double image(double r, double length)
{
    return !(length > 0) ? r : r > length / 2 ? r - length : r < -length / 2 ? r + length : r;
}

// Of bands: `there` is the way since the sort, `way` that to the nearest image.
DEVICE void note_row(const move_view &view, unsigned i, double there, double way)
{
    if (fabs(there) > view.physics.box[GAS_Y] / 2 && view.periodic.y > 0)
        atomicAdd(&view.bands.state->flux, there < 0 ? 1 : -1);
    if (fabs(way) > view.row_height)
        raise_error_flag(view.error_flag, view.done, ERROR_IN_MOVE, view.id_of(i), GAS_TOO_FAST);
}

template <bool has_bands> DEVICE void mark_stale(const move_view &view, unsigned i, const mover &m)
{
    const double2 before = view.at_sort[i];
    const double x = image(m.x[GAS_X] - before.x, view.periodic.x);
    const double y = image(m.x[GAS_Y] - before.y, view.periodic.y);
    if (x * x + y * y > view.half_skin_square)
        *view.stale = view.token; // all threads write the same value
    if (has_bands)
        note_row(view, i, m.x[GAS_Y] - before.y, y);
}

template <bool has_noise, bool has_bands> DEVICE void begin_step(const move_view &view, unsigned i, mover &m)
{
    if (view.before)
        view.before[i] = {m.v[GAS_X], m.v[GAS_Y]};
    move_on<has_noise>(view, i, m);
    view.position[i] = {m.x[GAS_X], m.x[GAS_Y]};
    if (view.at_sort)
        mark_stale<has_bands>(view, i, m);
    const double square = m.v[GAS_X] * m.v[GAS_X] + m.v[GAS_Y] * m.v[GAS_Y];
    if (!(square <= view.fastest_square))
        raise_error_flag(view.error_flag, view.done, ERROR_IN_MOVE, view.id_of(i),
                         isfinite(square) ? GAS_TOO_FAST : GAS_NOT_FINITE);
}

// A particle whose force is not finite is not moved, so that the value does not spread.
template <bool has_noise, bool has_bands>
__global__ void __launch_bounds__(THREADS) move_kernel(const __grid_constant__ move_view view)
{
    const unsigned i = view.first + blockIdx.x * THREADS + threadIdx.x;
    if (!has_bands && (i >= view.end || is_stopped(view.error_flag, view.done)))
        return;
    const unsigned there = has_bands && i >= view.end ? view.end - 1 : i;
    const double2 x = view.position[there], v = view.velocity[there], pairs = view.force[there];
    if (has_bands) { // after the loads, which take as long
        await_readers(view.bands);
        if (i >= view.end || is_stopped(view.error_flag, view.done))
            return;
    }
    mover m = {{x.x, x.y}, {v.x, v.y}, {pairs.x, pairs.y}, view.mass_of(i)};
    (void)gas_outer_force(&view.physics, m.mass, m.x, m.a);
    if (!isfinite(m.a[GAS_X] + m.a[GAS_Y])) {
        raise_error_flag(view.error_flag, view.done, ERROR_IN_FORCES, view.id_of(i), GAS_OVERLAPPING);
        return;
    }
    const double inverse_mass = 1 / m.mass;
    for (int axis = 0; axis < GAS_AXES; axis++)
        m.a[axis] *= inverse_mass;
    end_step(view, i, m);
    if (view.parts & GAS_MOVE_BEGIN)
        begin_step<has_noise, has_bands>(view, i, m);
    view.velocity[i] = {m.v[GAS_X], m.v[GAS_Y]};
}

// ---- sums

struct kinetic_terms {
    const double *kinetic;

    DEVICE void operator()(size_t id, double *terms) const { terms[0] = kinetic[id]; }
};

struct find_factor {
    gas_physics physics;
    double degrees;
    long long step;
    double *factor;

    DEVICE void operator()(const double *sum) const
    {
        *factor = gas_bussi_factor(&physics, step, degrees, sum[0]);
    }
};

struct find_limit {
    double share, count;
    double *factor;

    DEVICE void operator()(const double *sum) const { *factor = share * sum[0] / count; }
};

template <typename Finish>
cudaError_t sum_kinetic(const gas_move *move, size_t count, const Finish &finish, cudaStream_t stream)
{
    const size_t blocks = block_sums::blocks_of(count);
    block_sums::blocks_kernel<1><<<static_cast<unsigned>(blocks), block_sums::THREADS, 0, stream>>>(
        kinetic_terms{move->kinetic}, count, move->partial);
    block_sums::total_kernel<1>
        <<<1, block_sums::THREADS, 0, stream>>>(move->partial, blocks, move->sum, finish);
    return cudaGetLastError();
}

// ---- outer forces, and checks

__global__ void __launch_bounds__(THREADS)
    outer_kernel(const __grid_constant__ move_view view, unsigned count, double2 *force, double2 *energy)
{
    const unsigned i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= count)
        return;
    const double2 at = view.position[i];
    const double x[GAS_AXES] = {at.x, at.y};
    double sum[GAS_AXES] = {0, 0};
    if (force) {
        sum[GAS_X] = force[i].x;
        sum[GAS_Y] = force[i].y;
    }
    const double potential = gas_outer_force(&view.physics, view.mass_of(i), x, sum);
    if (force)
        force[i] = {sum[GAS_X], sum[GAS_Y]};
    if (energy)
        energy[i].x += potential;
}

__global__ void __launch_bounds__(THREADS) check_kernel(const __grid_constant__ move_view view)
{
    const unsigned i = view.first + blockIdx.x * THREADS + threadIdx.x;
    if (i >= view.end || is_stopped(view.error_flag, view.done))
        return;
    const double2 x = view.position[i], v = view.velocity[i], force = view.force[i];
    if (!isfinite(x.x) || !isfinite(x.y) || !isfinite(v.x) || !isfinite(v.y))
        raise_error_flag(view.error_flag, view.done, ERROR_IN_FORCES, view.id_of(i), GAS_NOT_FINITE);
    else if (fabs(x.x - view.physics.box[GAS_X] / 2) > 1.5 * view.physics.box[GAS_X] ||
             fabs(x.y - view.physics.box[GAS_Y] / 2) > 1.5 * view.physics.box[GAS_Y])
        raise_error_flag(view.error_flag, view.done, ERROR_IN_FORCES, view.id_of(i), GAS_ESCAPED);
    else if (!isfinite(force.x) || !isfinite(force.y))
        raise_error_flag(view.error_flag, view.done, ERROR_IN_FORCES, view.id_of(i), GAS_OVERLAPPING);
}

__global__ void join_flags_kernel(gas_error_flag *flags, int count, int rank)
{
    gas_error_flag least = flags[rank];
    for (int r = 0; r < count; r++) {
        least.step = flags[r].step < least.step ? flags[r].step : least.step;
        least.first = flags[r].first < least.first ? flags[r].first : least.first;
    }
    flags[rank] = least;
}

move_view view_of(const gas_move *move, const gas_device_particles *particles)
{
    const gas_physics &physics = *move->physics;
    const double shorter = physics.box[GAS_X] < physics.box[GAS_Y] ? physics.box[GAS_X] : physics.box[GAS_Y];
    const double fastest = (physics.cut_off > 0 ? physics.cut_off : shorter) / physics.step;
    const double half_skin = physics.lists.skin / 2;
    move_view view = {};
    view.physics = physics;
    view.one_mass = move->mass;
    view.decay = exp(-physics.friction * physics.step);
    view.fastest_square = fastest * fastest;
    view.half_skin_square = half_skin * half_skin;
    view.periodic = {gas_is_periodic(&physics, GAS_X) ? physics.box[GAS_X] : 0,
                     gas_is_periodic(&physics, GAS_Y) ? physics.box[GAS_Y] : 0};
    view.end = static_cast<unsigned>(particles->count);
    if (move->bands) {
        view.bands = *move->bands;
        view.row_height = move->row_height;
        view.first = view.bands.bounds[view.bands.rank];
        const unsigned last = view.bands.bounds[view.bands.rank + 1];
        view.end = last < view.end ? last : view.end;
    }
    view.position = reinterpret_cast<double2 *>(particles->position);
    view.velocity = reinterpret_cast<double2 *>(particles->velocity);
    view.before = reinterpret_cast<double2 *>(particles->before);
    view.force = reinterpret_cast<const double2 *>(particles->force);
    view.at_sort = reinterpret_cast<const double2 *>(move->at_sort);
    view.mass = particles->mass;
    view.factor = move->factor;
    view.id = particles->id;
    view.kinetic = move->kinetic;
    view.stale = move->stale;
    view.error_flag = move->error_flag;
    view.counts = move->counts;
    return view;
}

// Of a rank's particles perhaps none, where there are fewer than it was planned for.
unsigned blocks_of(const move_view &view)
{
    return view.end > view.first ? kernels::blocks_for(view.end - view.first, THREADS) : 0;
}

} // namespace
} // namespace gas

using namespace gas;

extern "C" size_t gas_move_partials(size_t count)
{
    return block_sums::blocks_of(count);
}

extern "C" bool gas_move_has_sums(const struct gas_physics *physics)
{
    return physics->thermostat == GAS_BUSSI || physics->limiters.energy > 0;
}

extern "C" cudaError_t gas_device_move(const struct gas_move *move,
                                       const struct gas_device_particles *particles, int parts,
                                       long long done, unsigned token, cudaStream_t stream)
{
    move_view view = view_of(move, particles);
    view.parts = parts;
    view.done = done;
    view.token = token;
    const bool has_noise =
        move->physics->thermostat == GAS_LANGEVIN && move->physics->integrator != GAS_SYMPLECTIC_EULER;
    const auto launch = [&](const auto kernel) {
        if (blocks_of(view) > 0)
            kernel<<<blocks_of(view), THREADS, 0, stream>>>(view);
    };
    if (move->bands)
        launch(has_noise ? move_kernel<true, true> : move_kernel<false, true>);
    else
        launch(has_noise ? move_kernel<true, false> : move_kernel<false, false>);
    return cudaGetLastError();
}

extern "C" cudaError_t gas_device_find_factor(const struct gas_move *move, size_t count, long long done,
                                              cudaStream_t stream)
{
    return sum_kinetic(move, count,
                       find_factor{*move->physics, gas_degrees(move->physics, count), done - 1, move->factor},
                       stream);
}

extern "C" cudaError_t gas_device_find_limit(const struct gas_move *move, size_t count, cudaStream_t stream)
{
    return sum_kinetic(move, count,
                       find_limit{move->physics->limiters.energy, static_cast<double>(count), move->factor},
                       stream);
}

extern "C" cudaError_t gas_device_add_outer(const struct gas_move *move,
                                            const struct gas_device_particles *particles, double *force,
                                            gas_device_energy energy, cudaStream_t stream)
{
    const move_view view = view_of(move, particles);
    const unsigned count = static_cast<unsigned>(particles->count);
    outer_kernel<<<kernels::blocks_for(count, THREADS), THREADS, 0, stream>>>(
        view, count, reinterpret_cast<double2 *>(force), reinterpret_cast<double2 *>(energy));
    return cudaGetLastError();
}

extern "C" cudaError_t gas_device_check(const struct gas_move *move,
                                        const struct gas_device_particles *particles, long long done,
                                        cudaStream_t stream)
{
    move_view view = view_of(move, particles);
    view.done = done;
    if (blocks_of(view) > 0)
        check_kernel<<<blocks_of(view), THREADS, 0, stream>>>(view);
    return cudaGetLastError();
}

extern "C" cudaError_t gas_device_join_flags(struct gas_error_flag *flags, int count, int rank,
                                             cudaStream_t stream)
{
    join_flags_kernel<<<1, 1, 0, stream>>>(flags, count, rank);
    return cudaGetLastError();
}

extern "C" cudaError_t gas_device_load_moves(const struct gas_physics *physics)
{
    cudaError_t error = kernels::load(move_kernel<false, false>, move_kernel<false, true>, outer_kernel,
                                      check_kernel, join_flags_kernel);
    if (error == cudaSuccess && physics->thermostat == GAS_LANGEVIN)
        error = kernels::load(move_kernel<true, false>, move_kernel<true, true>);
    if (error == cudaSuccess && gas_move_has_sums(physics))
        error =
            kernels::load(block_sums::blocks_kernel<1, kinetic_terms>,
                          block_sums::total_kernel<1, find_factor>, block_sums::total_kernel<1, find_limit>);
    return error;
}
