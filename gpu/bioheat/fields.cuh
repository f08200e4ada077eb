// The changes of media given as full fields for the heat model's sweeping kernels (sweep.cuh). Planes of
// conductivity are in shared memory beside those of the
// temperature; gains and perfusion are read once, where they are needed. A warp's tile whose conductivities
// differ so little that all its faces have the four-point law (by its class, computed at the start) does not
// test its faces.
#ifndef FATHOM_GPU_BIOHEAT_FIELDS_CUH
#define FATHOM_GPU_BIOHEAT_FIELDS_CUH

#include "gpu/bioheat/sweep.cuh"

namespace heat {

template <typename Tile> struct field_memory {
    typedef typename Tile::Real Real;
    alignas(128) Real theta[Tile::STAGES][Tile::PLANE];
    alignas(128) Real k[Tile::STAGES][Tile::PLANE];
    stage_gates<Tile> gates;
};

template <bool IS_SMOOTH, typename Real>
DEVICE Real flux_between(Real limit, Real k0, Real k1, Real k2, Real k3, Real t0, Real t1, Real t2, Real t3)
{
    return field_flux(IS_SMOOTH ? smooth_law_of(k0, k1, k2, k3) : field_law_of(limit, k0, k1, k2, k3), t0, t1,
                      t2, t3);
}

// A thread's first cell in the planes −1, 0, 1, 2 from the present one.
template <typename Real> struct field_planes {
    const Real *before, *here, *next, *after;
};

// The fluxes through the faces above a row of a thread's cells.
template <bool IS_SMOOTH, typename Real>
DEVICE pack<Real> fluxes_above(Real limit, const field_planes<Real> &theta, const field_planes<Real> &k,
                               int offset)
{
    const pack<Real> t0 = load_pack(theta.before + offset), t1 = load_pack(theta.here + offset),
                     t2 = load_pack(theta.next + offset), t3 = load_pack(theta.after + offset);
    const pack<Real> k0 = load_pack(k.before + offset), k1 = load_pack(k.here + offset),
                     k2 = load_pack(k.next + offset), k3 = load_pack(k.after + offset);
    pack<Real> flux;
#pragma unroll
    for (int v = 0; v < sweep_shape<Real>::VECTOR; v++)
        flux.cells[v] = flux_between<IS_SMOOTH>(limit, k0.cells[v], k1.cells[v], k2.cells[v], k3.cells[v],
                                                t0.cells[v], t1.cells[v], t2.cells[v], t3.cells[v]);
    return flux;
}

// The sums over the axes of scale times difference of fluxes, in the order of plain.cuh. `flux`: through the
// faces below, then above.
template <bool IS_SMOOTH, typename Tile>
DEVICE void field_sums(const sweep_numbers<typename Tile::Real> &numbers,
                       const field_planes<typename Tile::Real> &theta,
                       const field_planes<typename Tile::Real> &k, const pack<typename Tile::Real> own[],
                       pack<typename Tile::Real> flux[], pack<typename Tile::Real> sum[])
{
    typedef typename Tile::Real Real;
    enum { ROWS = sweep_shape<Real>::ROWS, VECTOR = sweep_shape<Real>::VECTOR };
    const Real limit = numbers.contrast_limit;
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const pack<Real> up = fluxes_above<IS_SMOOTH>(limit, theta, k, r * Tile::PITCH);
#pragma unroll
        for (int v = 0; v < VECTOR; v++)
            sum[r].cells[v] = numbers.scale[BIOHEAT_Z] * (up.cells[v] - flux[r].cells[v]);
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
                const Real high = flux_between<IS_SMOOTH>(
                    limit, along_y(own_k, q, r - 1, v), along_y(own_k, q, r, v), along_y(own_k, q, r + 1, v),
                    along_y(own_k, q, r + 2, v), along_y(own, t, r - 1, v), along_y(own, t, r, v),
                    along_y(own, t, r + 1, v), along_y(own, t, r + 2, v));
                if (r >= 0)
                    sum[r].cells[v] = madd(numbers.scale[BIOHEAT_Y], high - low, sum[r].cells[v]);
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
            const Real high = flux_between<IS_SMOOTH>(
                limit, along_x(own_k[r], q, v - 1), along_x(own_k[r], q, v), along_x(own_k[r], q, v + 1),
                along_x(own_k[r], q, v + 2), along_x(own[r], t, v - 1), along_x(own[r], t, v),
                along_x(own[r], t, v + 1), along_x(own[r], t, v + 2));
            if (v >= 0)
                sum[r].cells[v] = madd(numbers.scale[BIOHEAT_X], high - low, sum[r].cells[v]);
            low = high;
        }
    }
}

// Turns the sums of field_sums into the change of a row of cells: times Δt/ρc, with perfusion and layers.
template <typename Real>
DEVICE void finish_row(const heat_step &step, const sweep_numbers<Real> &numbers, long long place,
                       const pack<Real> &theta, pack<Real> &change)
{
    enum { VECTOR = sweep_shape<Real>::VECTOR };
    const pack<Real> gain = load_pack(array<Real>(step.media.gain) + place);
#pragma unroll
    for (int v = 0; v < VECTOR; v++)
        change.cells[v] = gain.cells[v] * change.cells[v];
    if (step.media.has_perfusion) {
        const pack<Real> loss = load_pack(array<Real>(step.media.loss) + place);
#pragma unroll
        for (int v = 0; v < VECTOR; v++)
            change.cells[v] = madd(-loss.cells[v], theta.cells[v] - numbers.arterial, change.cells[v]);
    }
    if (step.layers.count > 0) {
        const pack<Real> heat = layers_of<Real>(step.layers, place);
#pragma unroll
        for (int v = 0; v < VECTOR; v++)
            change.cells[v] = madd(gain.cells[v], heat.cells[v], change.cells[v]);
    }
}

// For sweep_kernel.
struct field_media {
    template <typename Real> using tile = sweep_tile<Real, 4, 3, 1, 1>;
    template <typename Tile> using memory = field_memory<Tile>;

    template <typename Tile> static __device__ void fill(const heat_media &, memory<Tile> &) {}

    // Planes of θ and of conductivity; prefetches the workers' other fields into the second cache level,
    // 128 bytes a lane.
    template <typename Tile, typename Ending>
    static DEVICE void supply(memory<Tile> &shared, const heat_step &step, const Ending &ending,
                              const sweep_block<Tile> &block)
    {
        typedef typename Tile::Real Real;
        enum {
            LINE = 128 / sizeof(Real),
            LINES_A_ROW = Tile::WIDTH / LINE,
            LINES = LINES_A_ROW * Tile::HEIGHT
        };
        const heat_shape &shape = step.shape;
        const heat_media &media = step.media;
        plane_copier<Tile> of_theta, of_k;
        of_theta.place(shape, block.x0, block.y0, true);
        of_k.place(shape, block.x0, block.y0, false);
        const Real *const from = array<Real>(step.from), *const conductivity =
                                                             array<Real>(media.conductivity);
        heat::supply(shared.gates, block, [&](int z, int stage) {
            of_theta.copy(shape, shared.theta[stage], from + plane_offset(step, z));
            of_k.copy(shape, shared.k[stage], conductivity + z * shape.plane);
            const int other = z - 1; // the workers are some planes below
            ending.fetch(shape, block, other);
            if (other < block.first || other >= block.last)
                return;
#pragma unroll
            for (int line = static_cast<int>(threadIdx.x) % 32; line < LINES; line += 32) {
                const int x = block.x0 + line % LINES_A_ROW * LINE, y = block.y0 + line / LINES_A_ROW;
                if (x >= shape.last[BIOHEAT_X] || y >= shape.last[BIOHEAT_Y])
                    continue;
                const long long place = place_of(shape, other, y, x);
                fetch_ahead(array<Real>(media.gain) + place);
                if (media.has_perfusion)
                    fetch_ahead(array<Real>(media.loss) + place);
            }
        });
    }

    template <typename Tile, typename Ending>
    static DEVICE void work(memory<Tile> &shared, const heat_step &step,
                            const sweep_numbers<typename Tile::Real> &numbers, const Ending &ending,
                            const sweep_block<Tile> &block)
    {
        typedef typename Tile::Real Real;
        enum { ROWS = sweep_shape<Real>::ROWS, VECTOR = sweep_shape<Real>::VECTOR };
        const heat_shape &shape = step.shape;
        sweep_place<Tile> me;
        me.find(shape, block.x0, block.y0);
        const int own_place = (me.row + HEAT_HALO) * Tile::PITCH + me.column + VECTOR;
        class_column classes = classes_of<Tile>(step, block, static_cast<int>(threadIdx.x) / 32);
        unsigned next_kind = *classes.here;
        sweep_ring<Tile> ring = sweep_ring<Tile>::first();
        const auto stages = [&](const Real(*planes)[Tile::PLANE]) {
            return field_planes<Real>{planes[ring.before] + own_place, planes[ring.here] + own_place,
                                      planes[ring.next] + own_place, planes[ring.after] + own_place};
        };

        // The fluxes into the first plane.
        pack<Real> flux[ROWS];
        for (int k = 0; k < 4; k++)
            await(&shared.gates.filled[k], 0);
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            flux[r] = fluxes_above<false>(numbers.contrast_limit, stages(shared.theta), stages(shared.k),
                                          r * Tile::PITCH);
        shared.gates.leave(ring.before);

        long long place = place_of(shape, block.first, me.y, me.x);
        for (int z = block.first; z < block.last; z++, place += shape.plane) {
            const unsigned kind = next_kind;
            classes.here += classes.plane;
            if (z + 1 < block.last)
                next_kind = *classes.here;
            ring.go_on();
            await(&shared.gates.filled[ring.after], ring.parity);
            const field_planes<Real> theta = stages(shared.theta), k = stages(shared.k);
            pack<Real> own[ROWS], change[ROWS];
            typename Ending::plane held;
            load_own<Tile>(theta.here, own);
            if (kind != HEAT_CLASS_MIXED)
                field_sums<true, Tile>(numbers, theta, k, own, flux, change);
            else
                field_sums<false, Tile>(numbers, theta, k, own, flux, change);
            if (z + 1 < block.last)
                ending.fetch_next(step, me, numbers, theta.next, place);
            shared.gates.leave(ring.before);
            ending.load(step, me, numbers, own, place, held);
#pragma unroll
            for (int r = 0; r < ROWS; r++) {
                const long long here_place = place + r * shape.pitch;
                if (!me.is_inside[r])
                    continue;
                finish_row(step, numbers, here_place, own[r], change[r]);
                ending.record(step, numbers, here_place, r, own[r], held, me.count);
                ending.store(step, me, z, here_place, r, own[r], change[r], held);
            }
        }
    }
};

} // namespace heat

#endif
