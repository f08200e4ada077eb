// Gravity by direct summation (gpu/pairs.cuh): several bodies for each thread, in registers. Also the two
// forms of Pavlović (2016), with one body for each thread, for comparison. Sums of up to 256 terms are in the
// run's precision, and the sums of these in double. Their order depends only on the number of bodies and on
// the device.
#include "gpu/launch.cuh"
#include "gpu/nbody/kernels.h"
#include "gpu/nbody/point.cuh"
#include "gpu/pairs.cuh"

namespace nbody {
namespace {

// With a smaller softening, m/ε³ of a body with itself may be infinite; then pairs at the same point are
// excluded one by one.
template <typename Real> constexpr Real softening_square_least;
template <> constexpr float softening_square_least<float> = 1e-24f;
template <> constexpr double softening_square_least<double> = 1e-200;

// The attraction by a body, or (IS_POTENTIAL) its contribution to −φ. IS_SOFTENED: the softening is at least
// the limit above; otherwise a pair at the same point contributes nothing.
template <typename Real, bool IS_POTENTIAL, bool IS_SOFTENED> struct gravity {
    using source = quad<Real>;
    using target = vector<Real>;
    enum { TERMS = IS_POTENTIAL ? 1 : 3 };
    struct sum {
        vector<Real> force; // of a potential: only x
    };
    Real softening_square;

    DEVICE target target_of(const source &body) const { return {body.x, body.y, body.z}; }
    DEVICE sum nothing() const { return {{0, 0, 0}}; }
    DEVICE source idle_source(const source &body) const { return {body.x, body.y, body.z, 0}; }
    DEVICE double term(const sum &s, int k) const
    {
        return k == 0 ? s.force.x : k == 1 ? s.force.y : s.force.z;
    }
    DEVICE void add(sum &s, const target &t, unsigned i, const source &body, unsigned j) const
    {
        const vector<Real> r = {body.x - t.x, body.y - t.y, body.z - t.z};
        const Real bare = IS_SOFTENED ? 0 : softened_square(r, Real(0));
        const Real square = IS_SOFTENED ? softened_square(r, softening_square) : bare + softening_square;
        Real root = approximate_inverse_root(square);
        if (!IS_SOFTENED)
            root = (IS_POTENTIAL ? square : bare) >= smallest_square<Real> ? root : 0;
        if (!IS_POTENTIAL)
            add_attraction(r, square, root, body.w, &s.force);
        else if (i != j) // a softened body would add to its own potential
            s.force.x += body.w * refined(root, square);
    }
};

template <typename Real, bool IS_POTENTIAL> struct put_field {
    quad<Real> *field;

    DEVICE void operator()(unsigned i, const double *totals) const
    {
        if (IS_POTENTIAL) {
            field[i].w = static_cast<Real>(-totals[0]);
            return;
        }
        field[i].x = static_cast<Real>(totals[0]);
        field[i].y = static_cast<Real>(totals[1]);
        field[i].z = static_cast<Real>(totals[2]);
    }
};
template <typename Real, bool IS_POTENTIAL>
using keeper = pairs::keeper<IS_POTENTIAL ? 1 : 3, put_field<Real, IS_POTENTIAL>>;

enum { PLAIN_THREADS = 256 };

// The dimensions of the fast kernel, chosen as the fastest on an H200 (docs/performance.md).
template <typename Real> struct shape;
template <> struct shape<float> {
    enum { TARGETS = 5, THREADS = 256, BLOCKS = 2, UNROLL = 8 };
};
template <> struct shape<double> {
    enum { TARGETS = 4, THREADS = 128, BLOCKS = 3, UNROLL = 4 };
};

template <typename Real, bool IS_POTENTIAL, bool IS_SOFTENED>
constexpr auto fast_kernel =
    pairs::tiles_kernel<gravity<Real, IS_POTENTIAL, IS_SOFTENED>, shape<Real>::TARGETS, shape<Real>::THREADS,
                        shape<Real>::BLOCKS, shape<Real>::UNROLL, keeper<Real, IS_POTENTIAL>>;
template <typename Real, bool IS_POTENTIAL, bool IS_SOFTENED>
constexpr auto rank_kernel =
    pairs::part_kernel<gravity<Real, IS_POTENTIAL, IS_SOFTENED>, shape<Real>::TARGETS, shape<Real>::THREADS,
                       shape<Real>::BLOCKS, shape<Real>::UNROLL, keeper<Real, IS_POTENTIAL>>;
template <typename Real, bool IS_SOFTENED>
constexpr auto tiled_kernel =
    pairs::tiles_kernel<gravity<Real, false, IS_SOFTENED>, 1, PLAIN_THREADS, 4, 8, keeper<Real, false>>;
template <typename Real, bool IS_SOFTENED>
constexpr auto naive_kernel =
    pairs::naive_kernel<gravity<Real, false, IS_SOFTENED>, PLAIN_THREADS, keeper<Real, false>>;

template <typename Real> constexpr unsigned group_size = shape<Real>::TARGETS *shape<Real>::THREADS;

// Pavlović's two forms, in which every thread block adds all sources.
template <typename Real, bool IS_SOFTENED>
void launch_plain(const nbody_direct *direct, const quad<Real> *bodies, const keeper<Real, false> &keep,
                  Real softening, cudaStream_t stream)
{
    const gravity<Real, false, IS_SOFTENED> pair = {softening * softening};
    const unsigned groups = kernels::blocks_for(keep.count, PLAIN_THREADS);
    const pairs::layout layout = {keep.count, keep.count, groups, groups, 1};
    if (direct->physics->method == NBODY_DIRECT_NAIVE)
        naive_kernel<Real, IS_SOFTENED><<<groups, PLAIN_THREADS, 0, stream>>>(pair, bodies, layout, keep);
    else
        tiled_kernel<Real, IS_SOFTENED><<<groups, PLAIN_THREADS, 0, stream>>>(pair, bodies, layout, keep);
}

// The rank's bodies; of fewer bodies than it was chosen for perhaps none.
template <typename Real, bool IS_POTENTIAL, bool IS_SOFTENED>
void launch_part(nbody_direct *direct, const quad<Real> *bodies, const pairs::layout &layout,
                 const keeper<Real, IS_POTENTIAL> &keep, Real softening, cudaStream_t stream)
{
    const gravity<Real, IS_POTENTIAL, IS_SOFTENED> pair = {softening * softening};
    const unsigned first = static_cast<unsigned>(direct->first), last = static_cast<unsigned>(direct->end),
                   end = last < layout.targets ? last : layout.targets;
    if (first >= end)
        return;
    pairs::part part = pairs::part_of(layout, group_size<Real>, first, end, direct->blocks);
    part.carried = direct->carried;
    part.left = direct->left;
    part.launch = ++direct->launches;
    rank_kernel<Real, IS_POTENTIAL, IS_SOFTENED>
        <<<part.blocks, shape<Real>::THREADS, 0, stream>>>(pair, bodies, part, keep);
}

template <typename Real, bool IS_POTENTIAL, bool IS_SOFTENED>
cudaError_t launch(nbody_direct *direct, const nbody_device_bodies *bodies, void *field, cudaStream_t stream)
{
    const nbody_physics *physics = direct->physics;
    const unsigned count = static_cast<unsigned>(bodies->count);
    const pairs::layout layout = pairs::layout_of(direct->whole, direct->splits, count, group_size<Real>);
    const Real softening = static_cast<Real>(physics->softening);
    const gravity<Real, IS_POTENTIAL, IS_SOFTENED> pair = {softening * softening};
    const quad<Real> *const from = static_cast<const quad<Real> *>(bodies->body);
    keeper<Real, IS_POTENTIAL> keep = {{static_cast<quad<Real> *>(field)}, direct->scratch, count, count};
    if constexpr (!IS_POTENTIAL)
        if (physics->method == NBODY_DIRECT_NAIVE || physics->method == NBODY_DIRECT_TILED) {
            launch_plain<Real, IS_SOFTENED>(direct, from, keep, softening, stream);
            return cudaGetLastError();
        }
    keep.first = pairs::first_split(layout, group_size<Real>);
    if (direct->end > 0)
        launch_part<Real, IS_POTENTIAL, IS_SOFTENED>(direct, from, layout, keep, softening, stream);
    else
        fast_kernel<Real, IS_POTENTIAL, IS_SOFTENED>
            <<<pairs::blocks_of(layout), shape<Real>::THREADS, 0, stream>>>(pair, from, layout, keep);
    pairs::gather(keep, direct->splits, stream);
    return cudaGetLastError();
}

template <typename Real>
cudaError_t forces(nbody_direct *direct, const nbody_device_bodies *bodies, void *field, int has_acceleration,
                   int has_potential, cudaStream_t stream)
{
    const Real softening = static_cast<Real>(direct->physics->softening);
    const bool is_softened = softening * softening >= softening_square_least<Real>;
    cudaError_t error = cudaSuccess;
    if (has_acceleration)
        error = is_softened ? launch<Real, false, true>(direct, bodies, field, stream)
                            : launch<Real, false, false>(direct, bodies, field, stream);
    if (error == cudaSuccess && has_potential)
        error = is_softened ? launch<Real, true, true>(direct, bodies, field, stream)
                            : launch<Real, true, false>(direct, bodies, field, stream);
    return error;
}

template <typename Real> cudaError_t load_all()
{
    return kernels::load(fast_kernel<Real, false, true>, fast_kernel<Real, false, false>,
                         fast_kernel<Real, true, true>, fast_kernel<Real, true, false>,
                         tiled_kernel<Real, true>, tiled_kernel<Real, false>, naive_kernel<Real, true>,
                         naive_kernel<Real, false>, pairs::gather_kernel<3, put_field<Real, false>>,
                         pairs::gather_kernel<1, put_field<Real, true>>);
}

template <typename Real> cudaError_t load_parts()
{
    return kernels::load(rank_kernel<Real, false, true>, rank_kernel<Real, false, false>,
                         rank_kernel<Real, true, true>, rank_kernel<Real, true, false>);
}

template <typename Real> cudaError_t choose(nbody_direct *direct, size_t count, int device)
{
    pairs::chosen chosen;
    cudaError_t error = pairs::choose(fast_kernel<Real, false, true>, shape<Real>::THREADS, group_size<Real>,
                                      3, count, device, &chosen);
    if (error == cudaSuccess)
        error = load_all<Real>();
    if (error == cudaSuccess && direct->end > 0)
        error = load_parts<Real>();
    if (error != cudaSuccess)
        return error;
    direct->whole = chosen.whole;
    direct->splits = chosen.splits;
    direct->scratch_numbers = chosen.scratch_numbers;
    if (direct->end == 0)
        return cudaSuccess;
    direct->blocks = chosen.resident;
    direct->carried_numbers = size_t(3) * group_size<Real> * chosen.resident;
    return cudaSuccess;
}

} // namespace
} // namespace nbody

extern "C" cudaError_t nbody_direct_choose(struct nbody_direct *direct, const struct nbody_physics *physics,
                                           size_t count, size_t first, size_t end, enum element precision,
                                           int device)
{
    *direct = {physics, 0, 1, 0, nullptr, first, end, 0, 0, 0, nullptr, nullptr};
    return kernels::with_real(
        precision, [&](auto real) { return nbody::choose<decltype(real)>(direct, count, device); });
}

extern "C" cudaError_t nbody_device_direct_forces(struct nbody_direct *direct,
                                                  const struct nbody_device_bodies *bodies, void *field,
                                                  int has_acceleration, int has_potential,
                                                  cudaStream_t stream)
{
    return kernels::with_real(bodies->precision, [&](auto real) {
        return nbody::forces<decltype(real)>(direct, bodies, field, has_acceleration, has_potential, stream);
    });
}
