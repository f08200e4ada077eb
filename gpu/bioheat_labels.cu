// The heat model's explicit step for labelled media, marching along z (bioheat_march.cuh), with dose and largest rise
// recorded on the way.
//
// A warp's tile that is of one medium with all its faces (by the class that was found at the start) looks nothing up; else
// codes, which come into shared memory as the planes do, tell for every face between which labels it is.
#include "gpu/bioheat_march.cuh"

namespace heat {
namespace {

// Measured on an H200: two blocks of eight warps a multiprocessor, with registers for all that they hold, beat more blocks.
enum { WARPS_X = 4, WARPS_Y = 2, AHEAD = 1, BLOCKS = 2 };

template <typename Real> using tile_for = march_tile<Real, WARPS_X, WARPS_Y, AHEAD>;

// The codes of a tile: a row and 16 columns more on either side.
template <typename Tile> struct code_tile {
    enum {
        MARGIN = 16,
        PITCH = Tile::WIDTH + 2 * MARGIN,
        HIGH = Tile::HEIGHT + 2,
        CHUNKS_A_ROW = PITCH / 16,
        CHUNKS = CHUNKS_A_ROW * HIGH,
        PLANE = PITCH * HIGH
    };
};

template <typename Tile> struct shared_memory {
    typedef typename Tile::Real Real;
    alignas(128) Real theta[Tile::STAGES][Tile::PLANE];
    alignas(16) unsigned char codes[Tile::STAGES][code_tile<Tile>::PLANE];
    alignas(16) Real conductances[HEAT_FEW_LABELS * HEAT_FEW_LABELS];
    alignas(16) Real cells[HEAT_FEW_LABELS * 4];
    Real gains[HEAT_FEW_LABELS];
};

template <typename Tile>
__device__ __forceinline__ void fill_tables(const heat_media &media, shared_memory<Tile> &shared)
{
    typedef typename Tile::Real Real;
    for (int k = static_cast<int>(threadIdx.x); k < media.labels * HEAT_FEW_LABELS; k += Tile::THREADS)
        shared.conductances[k] = array<Real>(media.conductances)[k];
    for (int k = static_cast<int>(threadIdx.x); k < media.labels * 4; k += Tile::THREADS)
        shared.cells[k] = array<Real>(media.cells)[k];
    for (int k = static_cast<int>(threadIdx.x); k < media.labels; k += Tile::THREADS)
        shared.gains[k] = array<Real>(media.gains)[k];
}

// Codes of a vector of cells.
template <int VECTOR>
__device__ __forceinline__ void load_codes(const unsigned char *from, unsigned code[VECTOR])
{
    unsigned word;
    if (VECTOR == 4)
        word = *reinterpret_cast<const unsigned *>(from);
    else
        word = *reinterpret_cast<const unsigned short *>(from);
#pragma unroll
    for (int v = 0; v < VECTOR; v++)
        code[v] = (word >> (8 * v)) & 0xffu;
}

template <typename Real>
__device__ __forceinline__ Real face_flux(const Real *conductances, unsigned low_code, unsigned high_code,
                                          int axis, Real before, Real low, Real high, Real after)
{
    typedef code_traits<unsigned char> traits;
    const Real k =
        conductances[label_of<unsigned char>(high_code) * traits::ROW + label_of<unsigned char>(low_code)];
    return label_flux(k, is_one_medium<unsigned char>(high_code, axis), before, low, high, after);
}

// The fluxes through the faces above, from a plane's codes and the next one's.
template <typename Tile>
__device__ __forceinline__ void mixed_fluxes_above(
    const typename Tile::Real *conductances, const unsigned char *codes, const unsigned char *codes_above,
    const pack<typename Tile::Real> before[], const pack<typename Tile::Real> here[],
    const pack<typename Tile::Real> next[], const pack<typename Tile::Real> after[],
    pack<typename Tile::Real> flux[])
{
    typedef typename Tile::Real Real;
    enum { ROWS = march_shape<Real>::ROWS, VECTOR = march_shape<Real>::VECTOR };
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        unsigned code[VECTOR], above[VECTOR];
        load_codes<VECTOR>(codes + r * code_tile<Tile>::PITCH, code);
        load_codes<VECTOR>(codes_above + r * code_tile<Tile>::PITCH, above);
#pragma unroll
        for (int v = 0; v < VECTOR; v++)
            flux[r].cells[v] = face_flux(conductances, code[v], above[v], BIOHEAT_Z, before[r].cells[v],
                                         here[r].cells[v], next[r].cells[v], after[r].cells[v]);
    }
}

// Where a thread's first cell lies in the planes −1, 0, 1, 2 from the one at work, and its code in 0 and 1.
template <typename Real> struct stages_at_work {
    const Real *before, *here, *next, *after;
    const unsigned char *codes, *codes_above;
};

// What a step does with a cell of a label.
template <typename Real> struct label_shares {
    Real z, y, x, loss;
};

template <typename Real>
__device__ __forceinline__ label_shares<Real> shares_of(const Real *cells, unsigned label)
{
    if (sizeof(Real) == sizeof(float)) {
        const float4 four = *reinterpret_cast<const float4 *>(cells + 4 * label);
        return {Real(four.x), Real(four.y), Real(four.z), Real(four.w)};
    }
    return {cells[4 * label], cells[4 * label + 1], cells[4 * label + 2], cells[4 * label + 3]};
}

// The changes of a thread's cells by heat passing their faces and by perfusion: axis by axis, so that little is held at a
// time, in the order of bioheat_plain.cuh. `own`: the cells; `flux`: through the faces below, then above. In one medium.
template <typename Tile>
__device__ __forceinline__ void uniform_change(const shared_memory<Tile> &shared, unsigned label,
                                               const stages_at_work<typename Tile::Real> &at,
                                               const pack<typename Tile::Real> own[],
                                               pack<typename Tile::Real> flux[], typename Tile::Real arterial,
                                               int has_perfusion, pack<typename Tile::Real> change[])
{
    typedef typename Tile::Real Real;
    enum { ROWS = march_shape<Real>::ROWS, VECTOR = march_shape<Real>::VECTOR };
    const label_shares<Real> share = shares_of(shared.cells, label);
    const Real k = shared.conductances[label * (HEAT_FEW_LABELS + 1)];
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const pack<Real> before = load_pack(at.before + r * Tile::PITCH),
                         next = load_pack(at.next + r * Tile::PITCH),
                         after = load_pack(at.after + r * Tile::PITCH);
#pragma unroll
        for (int v = 0; v < VECTOR; v++) {
            const Real up = uniform_flux(k, before.cells[v], own[r].cells[v], next.cells[v], after.cells[v]);
            change[r].cells[v] = share.z * (up - flux[r].cells[v]);
            flux[r].cells[v] = up;
        }
    }
    const rows_about<Real> rows = load_rows<Tile>(at.here);
#pragma unroll
    for (int v = 0; v < VECTOR; v++) {
        Real low = uniform_flux(k, along_y(own, rows, -2, v), along_y(own, rows, -1, v),
                                along_y(own, rows, 0, v), along_y(own, rows, 1, v));
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            const Real high = uniform_flux(k, along_y(own, rows, r - 1, v), along_y(own, rows, r, v),
                                           along_y(own, rows, r + 1, v), along_y(own, rows, r + 2, v));
            change[r].cells[v] = madd(share.y, high - low, change[r].cells[v]);
            low = high;
        }
    }
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const ends<Real> e = load_ends(at.here + r * Tile::PITCH);
        Real low = uniform_flux(k, along_x(own[r], e, -2), along_x(own[r], e, -1), along_x(own[r], e, 0),
                                along_x(own[r], e, 1));
#pragma unroll
        for (int v = 0; v < VECTOR; v++) {
            const Real high = uniform_flux(k, along_x(own[r], e, v - 1), along_x(own[r], e, v),
                                           along_x(own[r], e, v + 1), along_x(own[r], e, v + 2));
            change[r].cells[v] = madd(share.x, high - low, change[r].cells[v]);
            low = high;
            if (has_perfusion)
                change[r].cells[v] = madd(-share.loss, own[r].cells[v] - arterial, change[r].cells[v]);
        }
    }
}

// The same where labels meet.
template <typename Tile>
__device__ __forceinline__ void mixed_change(const shared_memory<Tile> &shared,
                                             const stages_at_work<typename Tile::Real> &at,
                                             const pack<typename Tile::Real> own[],
                                             pack<typename Tile::Real> flux[], typename Tile::Real arterial,
                                             int has_perfusion, pack<typename Tile::Real> change[])
{
    typedef typename Tile::Real Real;
    typedef code_tile<Tile> tile;
    enum { ROWS = march_shape<Real>::ROWS, VECTOR = march_shape<Real>::VECTOR };
    const Real *const conductances = shared.conductances, *const cells = shared.cells;
    unsigned code[ROWS + 2][VECTOR]; // from one row below the own ones
#pragma unroll
    for (int r = 0; r < ROWS + 2; r++)
        load_codes<VECTOR>(at.codes + (r - 1) * tile::PITCH, code[r]);
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const pack<Real> before = load_pack(at.before + r * Tile::PITCH),
                         next = load_pack(at.next + r * Tile::PITCH),
                         after = load_pack(at.after + r * Tile::PITCH);
        unsigned above[VECTOR];
        load_codes<VECTOR>(at.codes_above + r * tile::PITCH, above);
#pragma unroll
        for (int v = 0; v < VECTOR; v++) {
            const Real up = face_flux(conductances, code[r + 1][v], above[v], BIOHEAT_Z, before.cells[v],
                                      own[r].cells[v], next.cells[v], after.cells[v]);
            change[r].cells[v] = cells[4 * label_of<unsigned char>(code[r + 1][v])] * (up - flux[r].cells[v]);
            flux[r].cells[v] = up;
        }
    }
    const rows_about<Real> rows = load_rows<Tile>(at.here);
#pragma unroll
    for (int v = 0; v < VECTOR; v++) {
        Real low = face_flux(conductances, code[0][v], code[1][v], BIOHEAT_Y, along_y(own, rows, -2, v),
                             along_y(own, rows, -1, v), along_y(own, rows, 0, v), along_y(own, rows, 1, v));
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            const Real high = face_flux(conductances, code[r + 1][v], code[r + 2][v], BIOHEAT_Y,
                                        along_y(own, rows, r - 1, v), along_y(own, rows, r, v),
                                        along_y(own, rows, r + 1, v), along_y(own, rows, r + 2, v));
            change[r].cells[v] =
                madd(cells[4 * label_of<unsigned char>(code[r + 1][v]) + 1], high - low, change[r].cells[v]);
            low = high;
        }
    }
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const ends<Real> e = load_ends(at.here + r * Tile::PITCH);
        const unsigned left = at.codes[r * tile::PITCH - 1], right = at.codes[r * tile::PITCH + VECTOR];
        Real low = face_flux(conductances, left, code[r + 1][0], BIOHEAT_X, along_x(own[r], e, -2),
                             along_x(own[r], e, -1), along_x(own[r], e, 0), along_x(own[r], e, 1));
#pragma unroll
        for (int v = 0; v < VECTOR; v++) {
            const Real high =
                face_flux(conductances, code[r + 1][v], v + 1 < VECTOR ? code[r + 1][v + 1] : right,
                          BIOHEAT_X, along_x(own[r], e, v - 1), along_x(own[r], e, v),
                          along_x(own[r], e, v + 1), along_x(own[r], e, v + 2));
            const Real *const share = cells + 4 * label_of<unsigned char>(code[r + 1][v]);
            change[r].cells[v] = madd(share[2], high - low, change[r].cells[v]);
            low = high;
            if (has_perfusion)
                change[r].cells[v] = madd(-share[3], own[r].cells[v] - arterial, change[r].cells[v]);
        }
    }
}

// Heat of layers. `codes`: the row's, where the tile is mixed.
template <typename Real>
__device__ __forceinline__ void add_layers(const heat_layers &layers, const Real *gains, unsigned kind,
                                           const unsigned char *codes, long long place, pack<Real> &change)
{
    enum { VECTOR = march_shape<Real>::VECTOR };
    const pack<Real> heat = layers_of<Real>(layers, place);
#pragma unroll
    for (int v = 0; v < VECTOR; v++) {
        const unsigned label = kind != HEAT_CLASS_MIXED ? kind : label_of<unsigned char>(codes[v]);
        change.cells[v] = madd(gains[label], heat.cells[v], change.cells[v]);
    }
}

// A thread's 16 codes: their distance from a plane's cell (0, 0).
template <typename Tile>
__device__ __forceinline__ int codes_of_thread(const heat_shape &shape, int x0, int y0)
{
    typedef code_tile<Tile> tile;
    static_assert(static_cast<int>(tile::CHUNKS) <= static_cast<int>(Tile::THREADS), "16 codes a thread");
    const int chunk = static_cast<int>(threadIdx.x);
    const int y = min(y0 - 1 + chunk / tile::CHUNKS_A_ROW, shape.cells[BIOHEAT_Y]);
    return y * shape.pitch + x0 - tile::MARGIN + chunk % tile::CHUNKS_A_ROW * 16;
}

template <typename Tile>
__device__ __forceinline__ void copy_codes(const heat_step &step, unsigned char *stage, int z, int chunk)
{
    if (static_cast<int>(threadIdx.x) < code_tile<Tile>::CHUNKS)
        copy_async(stage + threadIdx.x * 16,
                   array<unsigned char>(step.media.codes) + z * step.shape.plane + chunk);
}

// Through the faces below the first plane, whose planes −2 … 1 are in stages 0 … 3.
template <typename Tile>
__device__ __forceinline__ void first_fluxes(const shared_memory<Tile> &shared, int own_place, int own_code,
                                             pack<typename Tile::Real> flux[])
{
    typedef typename Tile::Real Real;
    pack<Real> planes[4][march_shape<Real>::ROWS];
    for (int k = 0; k < 4; k++)
        load_own<Tile>(shared.theta[k] + own_place, planes[k]);
    mixed_fluxes_above<Tile>(shared.conductances, shared.codes[1] + own_code, shared.codes[2] + own_code,
                             planes[0], planes[1], planes[2], planes[3], flux);
}

// The classes of a warp's tile, plane above plane. Beyond the grid's last tile that of the first, which is then of no effect.
struct class_column {
    const unsigned char *here;
    int plane;
};

template <typename Tile>
__device__ __forceinline__ class_column classes_of(const heat_step &step, const march_place<Tile> &me,
                                                   int first)
{
    typedef typename Tile::shape cells_of;
    const heat_media &media = step.media;
    const int tile_x = (me.x - step.shape.first[BIOHEAT_X]) / cells_of::WARP_X,
              tile_y = (me.y - step.shape.first[BIOHEAT_Y]) / cells_of::WARP_Y;
    const bool has_class = tile_x < media.class_columns && tile_y < media.class_rows;
    return {media.classes + static_cast<long long>(first) * media.class_columns * media.class_rows +
                (has_class ? static_cast<long long>(tile_y) * media.class_columns + tile_x : 0),
            has_class ? media.class_columns * media.class_rows : 0};
}

template <typename Tile, bool HAS_DOSE, bool HAS_LARGEST>
__global__ void __launch_bounds__(Tile::THREADS, sizeof(typename Tile::Real) == 4 ? BLOCKS : 1)
    labels_kernel(const __grid_constant__ heat_step step, int planes_a_block)
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
    plane_copier<Tile> copier;
    copier.place(shape, block.x0, block.y0, true);
    const int code_chunk = codes_of_thread<Tile>(shape, block.x0, block.y0);
    const Real *const from = array<Real>(step.from);
    const auto begin = [&](int z, int stage) {
        if (z <= block.last + 1) { // the highest that is looked at
            copier.copy(shape, shared.theta[stage], from + plane_offset(step, z));
            if (z >= block.first - 1 && z <= block.last)
                copy_codes<Tile>(step, shared.codes[stage], z, code_chunk);
        }
        commit_copies();
    };
    for (int k = 0; k < Tile::STAGES; k++)
        begin(block.first - 2 + k, k);
    fill_tables(media, shared);
    await_copies<Tile::AHEAD>();
    __syncthreads();

    // The fluxes into the first plane.
    const int own_place = (me.row + HEAT_HALO) * Tile::PITCH + me.column + VECTOR;
    const int own_code = (me.row + 1) * code_tile<Tile>::PITCH + me.column + code_tile<Tile>::MARGIN;
    pack<Real> flux[ROWS];
    first_fluxes(shared, own_place, own_code, flux);

    const dose_law<Real> law = dose_law_of<Real>(step.records);
    const Real arterial = static_cast<Real>(media.arterial_theta_k);
    class_column classes = classes_of(step, me, block.first);
    unsigned next_kind = *classes.here;
    long long place = place_of(shape, block.first, me.y, me.x);
    march_ring<Tile> ring;
    ring.begin();
    for (int z = block.first; z < block.last; z++, place += shape.plane) {
        const unsigned kind = next_kind;
        classes.here += classes.plane;
        if (z + 1 < block.last)
            next_kind = *classes.here;
        await_copies<Tile::AHEAD - 1>();
        __syncthreads(); // nobody reads plane z − 2 any more
        begin(z + 2 + Tile::AHEAD, ring.freed());
        ring.turn();
        const stages_at_work<Real> at = {
            shared.theta[ring.before] + own_place, shared.theta[ring.here] + own_place,
            shared.theta[ring.next] + own_place,   shared.theta[ring.after] + own_place,
            shared.codes[ring.here] + own_code,    shared.codes[ring.next] + own_code};
        pack<Real> own[ROWS], change[ROWS], dose[ROWS];
        bool is_warm[ROWS];
        load_own<Tile>(at.here, own);
        if (HAS_DOSE)
            load_doses(step, me, law, own, place, is_warm, dose);
        if (kind != HEAT_CLASS_MIXED)
            uniform_change(shared, kind, at, own, flux, arterial, media.has_perfusion, change);
        else
            mixed_change(shared, at, own, flux, arterial, media.has_perfusion, change);
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            const long long here_place = place + r * shape.pitch;
            if (!me.is_inside[r])
                continue;
            record_row<HAS_LARGEST>(step, law, here_place, own[r], HAS_DOSE && is_warm[r], dose[r], me.count);
            if (step.layers.count > 0)
                add_layers(step.layers, shared.gains, kind, at.codes + r * code_tile<Tile>::PITCH, here_place,
                           change[r]);
            store_sum(step, here_place, own[r], change[r], me.count);
        }
        ring.go_on();
    }
}

template <typename Real> march_kernels kernels()
{
    typedef tile_for<Real> Tile;
    return {{{labels_kernel<Tile, false, false>, labels_kernel<Tile, false, true>},
             {labels_kernel<Tile, true, false>, labels_kernel<Tile, true, true>}},
            sizeof(shared_memory<Tile>),
            BLOCKS};
}

} // namespace

bool loads_labels(enum element precision)
{
    return march_loads(precision == ELEMENT_F32 ? kernels<float>() : kernels<double>());
}

} // namespace heat

extern "C" cudaError_t heat_step_labels(const heat_step *step, enum element precision, int multiprocessors,
                                        cudaStream_t stream)
{
    using namespace heat;
    return precision == ELEMENT_F32
               ? march<tile_for<float>>(kernels<float>(), step, multiprocessors, stream)
               : march<tile_for<double>>(kernels<double>(), step, multiprocessors, stream);
}
