// The heat model's explicit step for media given as full fields, marching along z (bioheat_march.cuh), with dose and largest
// rise recorded on the way. Planes of conductivity come into shared memory beside those of the temperature; gains and
// perfusion are read once, where they are needed.
#include "gpu/bioheat_march.cuh"

namespace heat {
namespace {

enum { WARPS_X = 4, WARPS_Y = 2, AHEAD = 1, BLOCKS = 2 };

template <typename Real> using tile_for = march_tile<Real, WARPS_X, WARPS_Y, AHEAD>;

template <typename Tile> struct shared_memory {
    typedef typename Tile::Real Real;
    alignas(128) Real theta[Tile::STAGES][Tile::PLANE];
    alignas(128) Real k[Tile::STAGES][Tile::PLANE];
};

template <typename Real>
__device__ __forceinline__ Real flux_between(Real limit, Real k0, Real k1, Real k2, Real k3, Real t0, Real t1,
                                             Real t2, Real t3)
{
    return field_flux(field_law_of(limit, k0, k1, k2, k3), t0, t1, t2, t3);
}

// Where a thread's first cell lies in the planes −1, 0, 1, 2 from the one at work.
template <typename Real> struct stages_at_work {
    const Real *before, *here, *next, *after;
};

// The fluxes through the faces above a row of a thread's cells.
template <typename Real>
__device__ __forceinline__ pack<Real> fluxes_above(Real limit, const stages_at_work<Real> &theta,
                                                   const stages_at_work<Real> &k, int offset)
{
    const pack<Real> t0 = load_pack(theta.before + offset), t1 = load_pack(theta.here + offset),
                     t2 = load_pack(theta.next + offset), t3 = load_pack(theta.after + offset);
    const pack<Real> k0 = load_pack(k.before + offset), k1 = load_pack(k.here + offset),
                     k2 = load_pack(k.next + offset), k3 = load_pack(k.after + offset);
    pack<Real> flux;
#pragma unroll
    for (int v = 0; v < march_shape<Real>::VECTOR; v++)
        flux.cells[v] = flux_between(limit, k0.cells[v], k1.cells[v], k2.cells[v], k3.cells[v], t0.cells[v],
                                     t1.cells[v], t2.cells[v], t3.cells[v]);
    return flux;
}

// The sums over the axes of scale times difference of fluxes, in the order of bioheat_plain.cuh. `flux`: through the faces
// below, then above.
template <typename Tile>
__device__ __forceinline__ void field_change(const heat_media &media,
                                             const stages_at_work<typename Tile::Real> &theta,
                                             const stages_at_work<typename Tile::Real> &k,
                                             const pack<typename Tile::Real> own[],
                                             pack<typename Tile::Real> flux[],
                                             const pack<typename Tile::Real> gain[],
                                             pack<typename Tile::Real> change[])
{
    typedef typename Tile::Real Real;
    enum { ROWS = march_shape<Real>::ROWS, VECTOR = march_shape<Real>::VECTOR };
    const Real limit = static_cast<Real>(media.contrast_limit);
    const Real scale_z = static_cast<Real>(media.scale[BIOHEAT_Z]),
               scale_y = static_cast<Real>(media.scale[BIOHEAT_Y]),
               scale_x = static_cast<Real>(media.scale[BIOHEAT_X]);
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const pack<Real> up = fluxes_above(limit, theta, k, r * Tile::PITCH);
#pragma unroll
        for (int v = 0; v < VECTOR; v++)
            change[r].cells[v] = gain[r].cells[v] * scale_z * (up.cells[v] - flux[r].cells[v]);
        flux[r] = up;
    }
    pack<Real> own_k[ROWS];
    load_own<Tile>(k.here, own_k);
    {
        const rows_about<Real> t = load_rows<Tile>(theta.here), q = load_rows<Tile>(k.here);
#pragma unroll
        for (int v = 0; v < VECTOR; v++) {
            Real low = 0;
#pragma unroll
            for (int r = -1; r < ROWS; r++) {
                const Real high = flux_between(limit, along_y(own_k, q, r - 1, v), along_y(own_k, q, r, v),
                                               along_y(own_k, q, r + 1, v), along_y(own_k, q, r + 2, v),
                                               along_y(own, t, r - 1, v), along_y(own, t, r, v),
                                               along_y(own, t, r + 1, v), along_y(own, t, r + 2, v));
                if (r >= 0)
                    change[r].cells[v] = madd(gain[r].cells[v] * scale_y, high - low, change[r].cells[v]);
                low = high;
            }
        }
    }
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const ends<Real> t = load_ends(theta.here + r * Tile::PITCH), q = load_ends(k.here + r * Tile::PITCH);
        Real low = 0;
#pragma unroll
        for (int v = -1; v < VECTOR; v++) {
            const Real high = flux_between(limit, along_x(own_k[r], q, v - 1), along_x(own_k[r], q, v),
                                           along_x(own_k[r], q, v + 1), along_x(own_k[r], q, v + 2),
                                           along_x(own[r], t, v - 1), along_x(own[r], t, v),
                                           along_x(own[r], t, v + 1), along_x(own[r], t, v + 2));
            if (v >= 0)
                change[r].cells[v] = madd(gain[r].cells[v] * scale_x, high - low, change[r].cells[v]);
            low = high;
        }
    }
}

// Of rows with a cell that steps may change.
template <typename Tile>
__device__ __forceinline__ void load_gains(const heat_step &step, const march_place<Tile> &me,
                                           long long place, pack<typename Tile::Real> gain[],
                                           pack<typename Tile::Real> loss[])
{
    typedef typename Tile::Real Real;
#pragma unroll
    for (int r = 0; r < march_shape<Real>::ROWS; r++)
        if (me.is_inside[r]) {
            gain[r] = load_pack(array<Real>(step.media.gain) + place + r * step.shape.pitch);
            if (step.media.has_perfusion)
                loss[r] = load_pack(array<Real>(step.media.loss) + place + r * step.shape.pitch);
        }
}

// Perfusion and layers, of a vector of cells.
template <typename Real>
__device__ __forceinline__ void add_to_change(const heat_step &step, long long place, const pack<Real> &theta,
                                              const pack<Real> &gain, const pack<Real> &loss,
                                              pack<Real> &change)
{
    enum { VECTOR = march_shape<Real>::VECTOR };
    const Real arterial = static_cast<Real>(step.media.arterial_theta_k);
    if (step.media.has_perfusion)
#pragma unroll
        for (int v = 0; v < VECTOR; v++)
            change.cells[v] = madd(-loss.cells[v], theta.cells[v] - arterial, change.cells[v]);
    if (step.layers.count > 0) {
        const pack<Real> heat = layers_of<Real>(step.layers, place);
#pragma unroll
        for (int v = 0; v < VECTOR; v++)
            change.cells[v] = madd(gain.cells[v], heat.cells[v], change.cells[v]);
    }
}

template <typename Tile, bool HAS_DOSE, bool HAS_LARGEST>
__global__ void __launch_bounds__(Tile::THREADS, sizeof(typename Tile::Real) == 4 ? BLOCKS : 1)
    fields_kernel(const __grid_constant__ heat_step step, int planes_a_block)
{
    typedef typename Tile::Real Real;
    enum { ROWS = march_shape<Real>::ROWS, VECTOR = march_shape<Real>::VECTOR };
    extern __shared__ __align__(128) unsigned char memory[];
    shared_memory<Tile> &shared = *reinterpret_cast<shared_memory<Tile> *>(memory);
    const heat_shape &shape = step.shape;
    const heat_media &media = step.media;
    march_block<Tile> block;
    block.find(step, planes_a_block);
    march_place<Tile> me;
    me.find(shape, block.x0, block.y0);
    plane_copier<Tile> of_theta, of_k;
    of_theta.place(shape, block.x0, block.y0, true);
    of_k.place(shape, block.x0, block.y0, false);
    const Real *const from = array<Real>(step.from), *const conductivity = array<Real>(media.conductivity);
    const auto begin = [&](int z, int stage) {
        if (z <= block.last + 1) { // the highest that is looked at
            of_theta.copy(shape, shared.theta[stage], from + plane_offset(step, z));
            of_k.copy(shape, shared.k[stage], conductivity + z * shape.plane);
        }
        commit_copies();
    };
    for (int k = 0; k < Tile::STAGES; k++)
        begin(block.first - 2 + k, k);
    await_copies<Tile::AHEAD>();
    __syncthreads();

    // The fluxes into the first plane.
    const int own_place = (me.row + HEAT_HALO) * Tile::PITCH + me.column + VECTOR;
    const Real limit = static_cast<Real>(media.contrast_limit);
    const auto stages = [&](const Real(*planes)[Tile::PLANE], const march_ring<Tile> &ring) {
        return stages_at_work<Real>{planes[ring.before] + own_place, planes[ring.here] + own_place,
                                    planes[ring.next] + own_place, planes[ring.after] + own_place};
    };
    const march_ring<Tile> bottom = {0, 1, 2, 3};
    pack<Real> flux[ROWS];
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        flux[r] =
            fluxes_above(limit, stages(shared.theta, bottom), stages(shared.k, bottom), r * Tile::PITCH);

    const dose_law<Real> law = dose_law_of<Real>(step.records);
    long long place = place_of(shape, block.first, me.y, me.x);
    march_ring<Tile> ring;
    ring.begin();
    for (int z = block.first; z < block.last; z++, place += shape.plane) {
        pack<Real> gain[ROWS] = {}, loss[ROWS] = {}, own[ROWS], change[ROWS], dose[ROWS];
        bool is_warm[ROWS];
        load_gains(step, me, place, gain, loss);
        await_copies<Tile::AHEAD - 1>();
        __syncthreads(); // nobody reads plane z − 2 any more
        begin(z + 2 + Tile::AHEAD, ring.freed());
        ring.turn();
        const stages_at_work<Real> theta = stages(shared.theta, ring), k = stages(shared.k, ring);
        load_own<Tile>(theta.here, own);
        if (HAS_DOSE)
            load_doses(step, me, law, own, place, is_warm, dose);
        field_change<Tile>(media, theta, k, own, flux, gain, change);
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            const long long here_place = place + r * shape.pitch;
            if (!me.is_inside[r])
                continue;
            record_row<HAS_LARGEST>(step, law, here_place, own[r], HAS_DOSE && is_warm[r], dose[r], me.count);
            add_to_change(step, here_place, own[r], gain[r], loss[r], change[r]);
            store_sum(step, here_place, own[r], change[r], me.count);
        }
        ring.go_on();
    }
}

template <typename Real> march_kernels kernels()
{
    typedef tile_for<Real> Tile;
    return {{{fields_kernel<Tile, false, false>, fields_kernel<Tile, false, true>},
             {fields_kernel<Tile, true, false>, fields_kernel<Tile, true, true>}},
            sizeof(shared_memory<Tile>),
            BLOCKS};
}

} // namespace

bool loads_fields(enum element precision)
{
    return march_loads(precision == ELEMENT_F32 ? kernels<float>() : kernels<double>());
}

} // namespace heat

extern "C" cudaError_t heat_step_fields(const heat_step *step, enum element precision, int multiprocessors,
                                        cudaStream_t stream)
{
    using namespace heat;
    return precision == ELEMENT_F32
               ? march<tile_for<float>>(kernels<float>(), step, multiprocessors, stream)
               : march<tile_for<double>>(kernels<double>(), step, multiprocessors, stream);
}
