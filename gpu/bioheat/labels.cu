// The heat model's explicit step for labelled media, sweeping along z (sweep.cuh), with the records of dose
// and largest rise.
//
// A warp's tile of one medium with all its faces (by its class, computed at the start) needs no lookups.
// Otherwise codes, which are copied to shared memory as the planes are, give the labels on both sides of
// every face.
#include "gpu/bioheat/codes.cuh"
#include "gpu/bioheat/sweep.cuh"

namespace heat {
namespace {

template <typename Tile> struct shared_memory {
    typedef typename Tile::Real Real;
    alignas(128) Real theta[Tile::STAGES][Tile::PLANE];
    alignas(16) unsigned char codes[Tile::STAGES][code_tile<Tile>::PLANE];
    alignas(16) law_table<Real> laws;
    alignas(16) Real cells[HEAT_FEW_LABELS * 2];
    stage_gates<Tile> gates;
};

// The fluxes through the faces above, from a plane's codes and the next one's.
template <typename Tile>
DEVICE void mixed_fluxes_above(const law_table<typename Tile::Real> &laws, const unsigned char *codes,
                               const unsigned char *codes_above, const pack<typename Tile::Real> before[],
                               const pack<typename Tile::Real> here[], const pack<typename Tile::Real> next[],
                               const pack<typename Tile::Real> after[], pack<typename Tile::Real> flux[])
{
    typedef typename Tile::Real Real;
    enum { ROWS = sweep_shape<Real>::ROWS, VECTOR = sweep_shape<Real>::VECTOR };
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const code_word code = load_codes<VECTOR>(codes + r * code_tile<Tile>::PITCH),
                        above = load_codes<VECTOR>(codes_above + r * code_tile<Tile>::PITCH);
#pragma unroll
        for (int v = 0; v < VECTOR; v++)
            flux[r].cells[v] =
                label_flux(laws.of[code.label(v)][above.column(BIOHEAT_Z, v)], before[r].cells[v],
                           here[r].cells[v], next[r].cells[v], after[r].cells[v]);
    }
}

// A thread's first cell in the planes −1, 0, 1, 2 from the present one, and its code in 0 and 1.
template <typename Real> struct stages_at_work {
    const Real *before, *here, *next, *after;
    const unsigned char *codes, *codes_above;
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
template <typename Tile>
DEVICE void uniform_change(const shared_memory<Tile> &shared, unsigned label,
                           const stages_at_work<typename Tile::Real> &at,
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

// The same where labels meet.
template <typename Tile>
DEVICE void mixed_change(const shared_memory<Tile> &shared, const stages_at_work<typename Tile::Real> &at,
                         const sweep_numbers<typename Tile::Real> &numbers,
                         const pack<typename Tile::Real> own[], pack<typename Tile::Real> flux[],
                         pack<typename Tile::Real> change[])
{
    typedef typename Tile::Real Real;
    typedef code_tile<Tile> tile;
    enum { ROWS = sweep_shape<Real>::ROWS, VECTOR = sweep_shape<Real>::VECTOR };
    const law_table<Real> &laws = shared.laws;
    code_word code[ROWS + 2]; // from one row below the own ones
#pragma unroll
    for (int r = 0; r < ROWS + 2; r++)
        code[r] = load_codes<VECTOR>(at.codes + (r - 1) * tile::PITCH);
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const pack<Real> before = load_pack(at.before + r * Tile::PITCH),
                         next = load_pack(at.next + r * Tile::PITCH),
                         after = load_pack(at.after + r * Tile::PITCH);
        const code_word above = load_codes<VECTOR>(at.codes_above + r * tile::PITCH);
#pragma unroll
        for (int v = 0; v < VECTOR; v++) {
            const Real up = label_flux(laws.of[code[r + 1].label(v)][above.column(BIOHEAT_Z, v)],
                                       before.cells[v], own[r].cells[v], next.cells[v], after.cells[v]);
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
            const Real high = label_flux(laws.of[code[r + 1].label(v)][code[r + 2].column(BIOHEAT_Y, v)],
                                         along_y(own, rows, r - 1, v), along_y(own, rows, r, v),
                                         along_y(own, rows, r + 1, v), along_y(own, rows, r + 2, v));
            if (r >= 0)
                change[r].cells[v] = madd(numbers.scale[BIOHEAT_Y], high - low, change[r].cells[v]);
            low = high;
        }
    }
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const ends<Real> e = load_ends(at.here + r * Tile::PITCH);
        const code_word left = {at.codes[r * tile::PITCH - 1]}, right = {at.codes[r * tile::PITCH + VECTOR]};
        Real low = 0;
#pragma unroll
        for (int v = -1; v < VECTOR; v++) {
            const unsigned below = v < 0 ? left.label(0) : code[r + 1].label(v);
            const unsigned column =
                v + 1 < VECTOR ? code[r + 1].column(BIOHEAT_X, v + 1) : right.column(BIOHEAT_X, 0);
            const Real high =
                label_flux(laws.of[below][column], along_x(own[r], e, v - 1), along_x(own[r], e, v),
                           along_x(own[r], e, v + 1), along_x(own[r], e, v + 2));
            if (v >= 0) {
                const Real sum = madd(numbers.scale[BIOHEAT_X], high - low, change[r].cells[v]);
                change[r].cells[v] =
                    change_by(shares_of(shared.cells, below), sum, own[r].cells[v], numbers.arterial);
            }
            low = high;
        }
    }
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
template <typename Tile>
DEVICE void first_fluxes(const shared_memory<Tile> &shared, int own_place, int own_code,
                         pack<typename Tile::Real> flux[])
{
    typedef typename Tile::Real Real;
    pack<Real> planes[4][sweep_shape<Real>::ROWS];
    for (int k = 0; k < 4; k++)
        load_own<Tile>(shared.theta[k] + own_place, planes[k]);
    mixed_fluxes_above<Tile>(shared.laws, shared.codes[1] + own_code, shared.codes[2] + own_code, planes[0],
                             planes[1], planes[2], planes[3], flux);
}

// For sweep_kernel. Measured on an H200: two blocks of eight workers a multiprocessor, with registers for all
// values, are faster than three. The tables of double precision leave less memory for planes.
struct label_media {
    enum { BLOCKS = 2 };
    template <typename Real> using tile = sweep_tile<Real, 4, 2, sizeof(Real) == sizeof(float) ? 2 : 1>;
    template <typename Tile> using memory = shared_memory<Tile>;

    template <typename Tile> static DEVICE void fill(const heat_media &media, shared_memory<Tile> &shared)
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
    }

    // All planes of θ that are read; planes of codes only where a warp's tile is mixed, and above such
    // tiles.
    template <typename Tile>
    static DEVICE void supply(shared_memory<Tile> &shared, const heat_step &step,
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
            if (z < block.first - 1 || z > block.last)
                return;
            bool is_mixed = true;
            if (z >= block.first) {
                is_mixed = z < block.last && __any_sync(0xffffffffu, next_kind == HEAT_CLASS_MIXED);
                if (z + 1 < block.last)
                    next_kind = *(classes.here += classes.plane);
            }
            if (is_mixed || was_mixed)
                of_codes.copy(shared.codes[stage], codes + z * shape.plane);
            was_mixed = is_mixed;
        });
    }

    template <bool HAS_DOSE, bool HAS_LARGEST, typename Tile>
    static DEVICE void work(shared_memory<Tile> &shared, const heat_step &step,
                            const sweep_numbers<typename Tile::Real> &numbers, const sweep_block<Tile> &block)
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
        first_fluxes(shared, own_place, own_code, flux);
        shared.gates.leave(ring.before);

        long long place = place_of(shape, block.first, me.y, me.x);
        for (int z = block.first; z < block.last; z++, place += shape.plane) {
            const unsigned kind = next_kind;
            classes.here += classes.plane;
            if (z + 1 < block.last)
                next_kind = *classes.here;
            ring.go_on();
            await(&shared.gates.filled[ring.after], ring.parity);
            const stages_at_work<Real> at = {
                shared.theta[ring.before] + own_place, shared.theta[ring.here] + own_place,
                shared.theta[ring.next] + own_place,   shared.theta[ring.after] + own_place,
                shared.codes[ring.here] + own_code,    shared.codes[ring.next] + own_code};
            pack<Real> own[ROWS], change[ROWS], dose[ROWS];
            bool is_warm[ROWS];
            load_own<Tile>(at.here, own);
            if (HAS_DOSE)
                load_doses(step, me, numbers.law, own, place, is_warm, dose);
            if (kind != HEAT_CLASS_MIXED)
                uniform_change(shared, kind, at, numbers, own, flux, change);
            else
                mixed_change(shared, at, numbers, own, flux, change);
            if ((HAS_DOSE || HAS_LARGEST) && z + 1 < block.last)
                fetch_records<HAS_DOSE, HAS_LARGEST>(step, me, numbers.law, at.next, place);
#pragma unroll
            for (int r = 0; r < ROWS; r++) {
                const long long here_place = place + r * shape.pitch;
                if (!me.is_inside[r])
                    continue;
                record_row<HAS_LARGEST>(step, numbers.law, here_place, own[r], HAS_DOSE && is_warm[r],
                                        dose[r], me.count);
                if (step.layers.count > 0)
                    add_layers(step.layers, shared.cells, kind, at.codes + r * code_tile<Tile>::PITCH,
                               here_place, change[r]);
                store_sum(step, here_place, own[r], change[r], me.count);
            }
            shared.gates.leave(ring.before);
        }
    }
};

} // namespace

bool loads_labels(enum element precision)
{
    return sweep_loads<label_media>(precision);
}

} // namespace heat

extern "C" cudaError_t heat_step_labels(const heat_step *step, enum element precision, int multiprocessors,
                                        cudaStream_t stream)
{
    return heat::sweep<heat::label_media>(step, precision, multiprocessors, stream);
}
