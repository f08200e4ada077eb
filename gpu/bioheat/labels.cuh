// The changes of labelled media for the heat model's sweeping kernels (sweep.cuh).
//
// A warp's tile of one medium with all its faces (by its class, computed at the start) needs no lookups.
// Otherwise codes, which are copied to shared memory as the planes are, give the labels on both sides of
// every face; where the flux between two labels is that of parabolas, `pairs` besides (heat_encode_pairs).
#ifndef FATHOM_GPU_BIOHEAT_LABELS_CUH
#define FATHOM_GPU_BIOHEAT_LABELS_CUH

#include "gpu/bioheat/codes.cuh"
#include "gpu/bioheat/sweep.cuh"

namespace heat {

// What only parabolas need.
template <typename Tile, bool IS_QUADRATIC> struct shared_pairs {
    alignas(16) unsigned char pairs[Tile::STAGES][code_tile<Tile>::PLANE];
    typename Tile::Real resistances[HEAT_FEW_LABELS][2]; // of half a cell: as a line, as a parabola
    DEVICE const unsigned char *pairs_of(int stage) const { return pairs[stage]; }
};
template <typename Tile> struct shared_pairs<Tile, false> {
    DEVICE const unsigned char *pairs_of(int) const { return nullptr; }
};

template <typename Tile, bool IS_QUADRATIC_> struct label_memory : shared_pairs<Tile, IS_QUADRATIC_> {
    enum { IS_QUADRATIC = IS_QUADRATIC_ };
    typedef typename Tile::Real Real;
    alignas(128) Real theta[Tile::STAGES][Tile::PLANE];
    alignas(16) unsigned char codes[Tile::STAGES][code_tile<Tile>::PLANE];
    alignas(16) law_table<Real> laws;
    alignas(16) Real cells[HEAT_FEW_LABELS * 2];
    stage_gates<Tile> gates;
};

// The flux between two labels, from the label on the low side, the column of the law (codes.cuh) and, for
// parabolas, the bits of the face's pairs.
template <typename Shared, typename Real>
DEVICE Real flux_between_labels(const Shared &shared, unsigned low_label, unsigned column, unsigned pair,
                                Real before, Real low, Real high, Real after)
{
    if constexpr (Shared::IS_QUADRATIC) {
        const unsigned high_label = column % HEAT_FEW_LABELS;
        // In single precision without a branch, so that faces are computed side by side; a division in double
        // costs more than that gains.
        constexpr bool has_branch = sizeof(Real) == sizeof(double);
        Real bent = 0;
        if (!has_branch || low_label != high_label) {
            const bool low_has_two = pair & HEAT_PAIR_LOW, high_has_two = pair & HEAT_PAIR_HIGH;
            const Real sides =
                (low_has_two ? low - before : Real(0)) + (high_has_two ? after - high : Real(0));
            bent = divide(12 * madd(Real(-0.125), sides, high - low),
                          shared.resistances[low_label][low_has_two] +
                              shared.resistances[high_label][high_has_two]);
            if (has_branch)
                return bent;
        }
        const Real straight = label_flux(shared.laws.of[low_label][column], before, low, high, after);
        return low_label == high_label ? straight : bent;
    }
    return label_flux(shared.laws.of[low_label][column], before, low, high, after);
}

// The pairs of a vector of cells; none without parabolas.
template <typename Shared, int VECTOR> DEVICE pair_word load_pairs(const unsigned char *from)
{
    if constexpr (Shared::IS_QUADRATIC)
        return {load_codes<VECTOR>(from).word};
    return {0};
}

template <typename Shared> DEVICE pair_word load_pair(const unsigned char *from)
{
    if constexpr (Shared::IS_QUADRATIC)
        return {*from};
    return {0};
}

// The fluxes through the faces above, from a plane's codes and the next one's, and the next one's pairs.
template <typename Tile, typename Shared>
DEVICE void mixed_fluxes_above(const Shared &shared, const unsigned char *codes,
                               const unsigned char *codes_above, const unsigned char *pairs_above,
                               const pack<typename Tile::Real> before[],
                               const pack<typename Tile::Real> here[], const pack<typename Tile::Real> next[],
                               const pack<typename Tile::Real> after[], pack<typename Tile::Real> flux[])
{
    typedef typename Tile::Real Real;
    enum { ROWS = sweep_shape<Real>::ROWS, VECTOR = sweep_shape<Real>::VECTOR };
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const code_word code = load_codes<VECTOR>(codes + r * code_tile<Tile>::PITCH),
                        above = load_codes<VECTOR>(codes_above + r * code_tile<Tile>::PITCH);
        const pair_word pairs = load_pairs<Shared, VECTOR>(pairs_above + r * code_tile<Tile>::PITCH);
#pragma unroll
        for (int v = 0; v < VECTOR; v++)
            flux[r].cells[v] = flux_between_labels(shared, code.label(v), above.column(BIOHEAT_Z, v),
                                                   pairs.of(BIOHEAT_Z, v), before[r].cells[v],
                                                   here[r].cells[v], next[r].cells[v], after[r].cells[v]);
    }
}

// A thread's first cell in the planes −1, 0, 1, 2 from the present one, and its code and pairs in 0 and 1.
template <typename Real> struct planes_at_work {
    const Real *before, *here, *next, *after;
    const unsigned char *codes, *codes_above, *pairs, *pairs_above;
};

// Coefficients of a label's cells: Δt/ρc, and the share of perfusion.
template <typename Real> struct label_shares {
    Real gain, loss;
};

template <typename Real> DEVICE label_shares<Real> shares_of(const Real *cells, unsigned label)
{
    if (sizeof(Real) == sizeof(float)) {
        const float2 both = *reinterpret_cast<const float2 *>(cells + 2 * label);
        return {Real(both.x), Real(both.y)};
    }
    const pack<Real> both = load_pack(cells + 2 * label);
    return {both.cells[0], both.cells[1]};
}

// The change by a sum of differences of fluxes, and by perfusion.
template <typename Real>
DEVICE Real change_by(const label_shares<Real> &share, Real sum, Real theta, Real arterial)
{
    return madd(-share.loss, theta - arterial, share.gain * sum);
}

// The changes of a thread's cells by the fluxes through their faces and by perfusion, in one medium: axis by
// axis, to need few registers, in the order of plain.cuh. `own`: the cells; `flux`: through the faces below,
// then above.
template <typename Tile, typename Shared>
DEVICE void uniform_change(const Shared &shared, unsigned label,
                           const planes_at_work<typename Tile::Real> &at,
                           const sweep_numbers<typename Tile::Real> &numbers,
                           const pack<typename Tile::Real> own[], pack<typename Tile::Real> flux[],
                           pack<typename Tile::Real> change[])
{
    typedef typename Tile::Real Real;
    enum { ROWS = sweep_shape<Real>::ROWS, VECTOR = sweep_shape<Real>::VECTOR };
    const label_shares<Real> share = shares_of(shared.cells, label);
    const label_law<Real> law = shared.laws.of[label][label + HEAT_FEW_LABELS];
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const pack<Real> before = load_pack(at.before + r * Tile::PITCH),
                         next = load_pack(at.next + r * Tile::PITCH),
                         after = load_pack(at.after + r * Tile::PITCH);
#pragma unroll
        for (int v = 0; v < VECTOR; v++) {
            const Real up = label_flux(law, before.cells[v], own[r].cells[v], next.cells[v], after.cells[v]);
            change[r].cells[v] = numbers.scale[BIOHEAT_Z] * (up - flux[r].cells[v]);
            flux[r].cells[v] = up;
        }
    }
    const rows_about<Real> rows = load_rows<Tile>(at.here);
#pragma unroll
    for (int v = 0; v < VECTOR; v++) {
        Real low = label_flux(law, along_y(own, rows, -2, v), along_y(own, rows, -1, v),
                              along_y(own, rows, 0, v), along_y(own, rows, 1, v));
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            const Real high = label_flux(law, along_y(own, rows, r - 1, v), along_y(own, rows, r, v),
                                         along_y(own, rows, r + 1, v), along_y(own, rows, r + 2, v));
            change[r].cells[v] = madd(numbers.scale[BIOHEAT_Y], high - low, change[r].cells[v]);
            low = high;
        }
    }
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const ends<Real> e = load_ends(at.here + r * Tile::PITCH);
        Real low = label_flux(law, along_x(own[r], e, -2), along_x(own[r], e, -1), along_x(own[r], e, 0),
                              along_x(own[r], e, 1));
#pragma unroll
        for (int v = 0; v < VECTOR; v++) {
            const Real high = label_flux(law, along_x(own[r], e, v - 1), along_x(own[r], e, v),
                                         along_x(own[r], e, v + 1), along_x(own[r], e, v + 2));
            const Real sum = madd(numbers.scale[BIOHEAT_X], high - low, change[r].cells[v]);
            low = high;
            change[r].cells[v] = change_by(share, sum, own[r].cells[v], numbers.arterial);
        }
    }
}

// The fluxes along x, and perfusion, of row r, whose changes along y and z are there.
template <typename Tile, typename Shared>
DEVICE void mixed_row(const Shared &shared, const planes_at_work<typename Tile::Real> &at,
                      const sweep_numbers<typename Tile::Real> &numbers, int r, const code_word &code,
                      const pair_word &pairs, const pack<typename Tile::Real> &own,
                      pack<typename Tile::Real> &change)
{
    typedef typename Tile::Real Real;
    typedef code_tile<Tile> tile;
    enum { VECTOR = sweep_shape<Real>::VECTOR };
    const ends<Real> e = load_ends(at.here + r * Tile::PITCH);
    const code_word left = {at.codes[r * tile::PITCH - 1]}, right = {at.codes[r * tile::PITCH + VECTOR]};
    const pair_word pairs_right = load_pair<Shared>(at.pairs + r * tile::PITCH + VECTOR);
    Real low = 0;
#pragma unroll
    for (int v = -1; v < VECTOR; v++) {
        const unsigned below = v < 0 ? left.label(0) : code.label(v);
        const unsigned column = v + 1 < VECTOR ? code.column(BIOHEAT_X, v + 1) : right.column(BIOHEAT_X, 0);
        const unsigned pair = v + 1 < VECTOR ? pairs.of(BIOHEAT_X, v + 1) : pairs_right.of(BIOHEAT_X, 0);
        const Real high =
            flux_between_labels(shared, below, column, pair, along_x(own, e, v - 1), along_x(own, e, v),
                                along_x(own, e, v + 1), along_x(own, e, v + 2));
        if (v >= 0) {
            const Real sum = madd(numbers.scale[BIOHEAT_X], high - low, change.cells[v]);
            change.cells[v] = change_by(shares_of(shared.cells, below), sum, own.cells[v], numbers.arterial);
        }
        low = high;
    }
}

// The same where labels meet.
template <typename Tile, typename Shared>
DEVICE void mixed_change(const Shared &shared, const planes_at_work<typename Tile::Real> &at,
                         const sweep_numbers<typename Tile::Real> &numbers,
                         const pack<typename Tile::Real> own[], pack<typename Tile::Real> flux[],
                         pack<typename Tile::Real> change[])
{
    typedef typename Tile::Real Real;
    typedef code_tile<Tile> tile;
    enum { ROWS = sweep_shape<Real>::ROWS, VECTOR = sweep_shape<Real>::VECTOR };
    code_word code[ROWS + 2];  // from one row below the own ones
    pair_word pairs[ROWS + 1]; // from the own ones
#pragma unroll
    for (int r = 0; r < ROWS + 2; r++)
        code[r] = load_codes<VECTOR>(at.codes + (r - 1) * tile::PITCH);
#pragma unroll
    for (int r = 0; r < ROWS + 1; r++)
        pairs[r] = load_pairs<Shared, VECTOR>(at.pairs + r * tile::PITCH);
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const pack<Real> before = load_pack(at.before + r * Tile::PITCH),
                         next = load_pack(at.next + r * Tile::PITCH),
                         after = load_pack(at.after + r * Tile::PITCH);
        const code_word above = load_codes<VECTOR>(at.codes_above + r * tile::PITCH);
        const pair_word upper = load_pairs<Shared, VECTOR>(at.pairs_above + r * tile::PITCH);
#pragma unroll
        for (int v = 0; v < VECTOR; v++) {
            const Real up = flux_between_labels(shared, code[r + 1].label(v), above.column(BIOHEAT_Z, v),
                                                upper.of(BIOHEAT_Z, v), before.cells[v], own[r].cells[v],
                                                next.cells[v], after.cells[v]);
            change[r].cells[v] = numbers.scale[BIOHEAT_Z] * (up - flux[r].cells[v]);
            flux[r].cells[v] = up;
        }
    }
    const rows_about<Real> rows = load_rows<Tile>(at.here);
#pragma unroll
    for (int v = 0; v < VECTOR; v++) {
        Real low = 0;
#pragma unroll
        for (int r = -1; r < ROWS; r++) {
            const Real high = flux_between_labels(
                shared, code[r + 1].label(v), code[r + 2].column(BIOHEAT_Y, v), pairs[r + 1].of(BIOHEAT_Y, v),
                along_y(own, rows, r - 1, v), along_y(own, rows, r, v), along_y(own, rows, r + 1, v),
                along_y(own, rows, r + 2, v));
            if (r >= 0)
                change[r].cells[v] = madd(numbers.scale[BIOHEAT_Y], high - low, change[r].cells[v]);
            low = high;
        }
    }
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        mixed_row<Tile>(shared, at, numbers, r, code[r + 1], pairs[r], own[r], change[r]);
}

// Heat of layers. `codes`: the row's, where the tile is mixed.
template <typename Real>
DEVICE void add_layers(const heat_layers &layers, const Real *cells, unsigned kind,
                       const unsigned char *codes, long long place, pack<Real> &change)
{
    enum { VECTOR = sweep_shape<Real>::VECTOR };
    const pack<Real> heat = layers_of<Real>(layers, place);
#pragma unroll
    for (int v = 0; v < VECTOR; v++) {
        const unsigned label = kind != HEAT_CLASS_MIXED ? kind : label_of<unsigned char>(codes[v]);
        change.cells[v] = madd(cells[2 * label], heat.cells[v], change.cells[v]);
    }
}

// Through the faces below the first plane, whose planes −2 … 1 are in stages 0 … 3.
template <typename Tile, typename Shared>
DEVICE void first_fluxes(const Shared &shared, int own_place, int own_code, pack<typename Tile::Real> flux[])
{
    typedef typename Tile::Real Real;
    pack<Real> planes[4][sweep_shape<Real>::ROWS];
    for (int k = 0; k < 4; k++)
        load_own<Tile>(shared.theta[k] + own_place, planes[k]);
    mixed_fluxes_above<Tile>(shared, shared.codes[1] + own_code, shared.codes[2] + own_code,
                             shared.pairs_of(2) + own_code, planes[0], planes[1], planes[2], planes[3], flux);
}

// For sweep_kernel. Measured on an H200: two blocks of eight workers a multiprocessor, with registers for all
// values, are faster than three. Parabolas need more registers: where values go to memory instead, workers
// wait for them, and three blocks of four workers, sixteen warps at most with the suppliers, are faster. The
// tables of double precision, and pairs, leave less memory for planes.
template <bool IS_QUADRATIC, bool IS_SINGLE> struct label_tile {
    enum { WARPS_X = 4, WARPS_Y = 2, AHEAD = IS_SINGLE ? 2 : 1, BLOCKS = 2 };
};
template <bool IS_SINGLE> struct label_tile<true, IS_SINGLE> {
    enum { WARPS_X = IS_SINGLE ? 2 : 4, WARPS_Y = 4 / WARPS_X, AHEAD = 1, BLOCKS = 3 };
};

template <bool IS_QUADRATIC> struct label_media {
    template <typename Real, typename Shape = label_tile<IS_QUADRATIC, sizeof(Real) == sizeof(float)>>
    using tile = sweep_tile<Real, Shape::WARPS_X, Shape::WARPS_Y, Shape::AHEAD, Shape::BLOCKS>;
    template <typename Tile> using memory = label_memory<Tile, IS_QUADRATIC>;

    template <typename Tile> static DEVICE void fill(const heat_media &media, memory<Tile> &shared)
    {
        typedef typename Tile::Real Real;
        enum { COLUMNS = law_table<Real>::COLUMNS };
        for (int k = static_cast<int>(threadIdx.x); k < media.labels * COLUMNS; k += Tile::THREADS) {
            const int low = k / COLUMNS, high = k % HEAT_FEW_LABELS;
            const bool one_medium = k % COLUMNS >= HEAT_FEW_LABELS;
            if (high < media.labels)
                shared.laws.of[low][k % COLUMNS] =
                    label_law_of(array<Real>(media.conductances)[high * HEAT_FEW_LABELS + low], one_medium);
        }
        for (int k = static_cast<int>(threadIdx.x); k < media.labels * 2; k += Tile::THREADS)
            shared.cells[k] = array<Real>(media.cells)[k];
        if constexpr (IS_QUADRATIC)
            for (int k = static_cast<int>(threadIdx.x); k < media.labels; k += Tile::THREADS) {
                const Real own = array<Real>(media.conductances)[k * (HEAT_FEW_LABELS + 1)];
                shared.resistances[k][0] = Real(0.5) / own; // infinite in a void
                shared.resistances[k][1] = Real(0.375) / own;
            }
    }

    // All planes of θ that are read; planes of codes only where a warp's tile is mixed, and above such
    // tiles.
    template <typename Tile, typename Ending>
    static DEVICE void supply(memory<Tile> &shared, const heat_step &step, const Ending &ending,
                              const sweep_block<Tile> &block)
    {
        typedef typename Tile::Real Real;
        const heat_shape &shape = step.shape;
        plane_copier<Tile> of_theta;
        code_copier<Tile> of_codes;
        of_theta.place(shape, block.x0, block.y0, true);
        of_codes.place(shape, block.x0, block.y0);
        const Real *const from = array<Real>(step.from);
        const unsigned char *const codes = array<unsigned char>(step.media.codes);
        // A lane reads the classes of one warp's tiles.
        class_column classes =
            classes_of<Tile>(step, block, static_cast<int>(threadIdx.x) % 32 % Tile::WORKERS);
        bool was_mixed = true; // the faces below the first plane are taken as such
        unsigned next_kind = *classes.here;
        heat::supply(shared.gates, block, [&](int z, int stage) {
            of_theta.copy(shape, shared.theta[stage], from + plane_offset(step, z));
            ending.fetch(shape, block, z - 1); // the workers are some planes below
            if (z < block.first - 1 || z > block.last)
                return;
            bool is_mixed = true;
            if (z >= block.first) {
                is_mixed = z < block.last && __any_sync(0xffffffffu, next_kind == HEAT_CLASS_MIXED);
                if (z + 1 < block.last)
                    next_kind = *(classes.here += classes.plane);
            }
            if (is_mixed || was_mixed) {
                of_codes.copy(shared.codes[stage], codes + z * shape.plane);
                if constexpr (IS_QUADRATIC)
                    of_codes.copy(shared.pairs[stage],
                                  array<unsigned char>(step.media.pairs) + z * shape.plane);
            }
            was_mixed = is_mixed;
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
        const int own_code = (me.row + 1) * code_tile<Tile>::PITCH + me.column + code_tile<Tile>::MARGIN;
        class_column classes = classes_of<Tile>(step, block, static_cast<int>(threadIdx.x) / 32);
        unsigned next_kind = *classes.here;

        // The fluxes into the first plane.
        pack<Real> flux[ROWS];
        sweep_ring<Tile> ring = sweep_ring<Tile>::first();
        for (int k = 0; k < 4; k++)
            await(&shared.gates.filled[k], 0);
        first_fluxes<Tile>(shared, own_place, own_code, flux);
        shared.gates.leave(ring.before);

        long long place = place_of(shape, block.first, me.y, me.x);
        for (int z = block.first; z < block.last; z++, place += shape.plane) {
            const unsigned kind = next_kind;
            classes.here += classes.plane;
            if (z + 1 < block.last)
                next_kind = *classes.here;
            ring.go_on();
            await(&shared.gates.filled[ring.after], ring.parity);
            const planes_at_work<Real> at = {
                shared.theta[ring.before] + own_place, shared.theta[ring.here] + own_place,
                shared.theta[ring.next] + own_place,   shared.theta[ring.after] + own_place,
                shared.codes[ring.here] + own_code,    shared.codes[ring.next] + own_code,
                shared.pairs_of(ring.here) + own_code, shared.pairs_of(ring.next) + own_code};
            pack<Real> own[ROWS], change[ROWS];
            typename Ending::plane held;
            load_own<Tile>(at.here, own);
            if (Ending::IS_EARLY)
                ending.load(step, me, numbers, own, place, held);
            if (kind != HEAT_CLASS_MIXED)
                uniform_change<Tile>(shared, kind, at, numbers, own, flux, change);
            else
                mixed_change<Tile>(shared, at, numbers, own, flux, change);
            if (!Ending::IS_EARLY)
                ending.load(step, me, numbers, own, place, held);
            if (z + 1 < block.last)
                ending.fetch_next(step, me, numbers, at.next, place);
#pragma unroll
            for (int r = 0; r < ROWS; r++) {
                const long long here_place = place + r * shape.pitch;
                if (!me.is_inside[r])
                    continue;
                ending.record(step, numbers, here_place, r, own[r], held, me.count);
                if (step.layers.count > 0)
                    add_layers(step.layers, shared.cells, kind, at.codes + r * code_tile<Tile>::PITCH,
                               here_place, change[r]);
                ending.store(step, me, z, here_place, r, own[r], change[r], held);
            }
            shared.gates.leave(ring.before);
        }
    }
};

} // namespace heat

#endif
