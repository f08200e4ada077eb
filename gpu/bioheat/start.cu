// The start of a run of the heat model: codes from labels, classes of tiles, coefficients from full fields.
#include "gpu/bioheat/sweep.cuh"

namespace heat {
namespace {

enum { THREADS = 128 };

// Where the medium at an index lies; in a ring also that of planes beyond the sides is held.
DEVICE int within(const heat_shape &shape, int axis, int index)
{
    return axis == BIOHEAT_Z && shape.is_ring ? index
                                              : mapped(index, shape.cells[axis], shape.is_periodic[axis]);
}

// Whether a medium exists at an index, up to HEAT_HALO cells beyond a side, and the index that it is taken
// from.
struct origin {
    bool is_there;
    int index;
};

DEVICE origin origin_of(const heat_shape &shape, const int *is_missing, int axis, int index)
{
    const int cells = shape.cells[axis];
    const bool is_beyond = index < 0 || index >= cells;
    return {!is_beyond || !is_missing[2 * axis + (index >= cells)], within(shape, axis, index)};
}

// A thread's cell, from −HEAT_HALO, and HEAT_HALO planes before the held ones; false beyond the last.
DEVICE bool cell_with_halo(const heat_shape &shape, int at[BIOHEAT_AXES])
{
    at[BIOHEAT_X] = static_cast<int>(blockIdx.x * THREADS + threadIdx.x) - HEAT_HALO;
    at[BIOHEAT_Y] = static_cast<int>(blockIdx.y) - HEAT_HALO;
    at[BIOHEAT_Z] = shape.first_held + static_cast<int>(blockIdx.z) - HEAT_HALO;
    return at[BIOHEAT_X] < shape.cells[BIOHEAT_X] + HEAT_HALO;
}

dim3 blocks_with_halo(const heat_shape &shape)
{
    return dim3(static_cast<unsigned>((shape.cells[BIOHEAT_X] + HEAT_GHOSTS + THREADS - 1) / THREADS),
                static_cast<unsigned>(shape.cells[BIOHEAT_Y] + HEAT_GHOSTS),
                static_cast<unsigned>(shape.end_held - shape.first_held + HEAT_GHOSTS));
}

DEVICE unsigned number_at(const heat_encoding &e, const int at[BIOHEAT_AXES])
{
    int inside[BIOHEAT_AXES];
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        inside[axis] = within(e.shape, axis, at[axis]);
    if (e.uniform >= 0)
        return static_cast<unsigned>(e.uniform);
    // Beyond what is held: any plane; no step reads what depends on it.
    inside[BIOHEAT_Z] = min(max(inside[BIOHEAT_Z], e.shape.first_held), e.shape.end_held - 1);
    const long long row = static_cast<long long>(inside[0]) * e.shape.cells[BIOHEAT_Y] + inside[1];
    return e.compact[e.labels[row * e.shape.cells[BIOHEAT_X] + inside[2]]];
}

template <typename Code>
__global__ void __launch_bounds__(THREADS) encode_kernel(const __grid_constant__ heat_encoding e)
{
    int at[BIOHEAT_AXES];
    if (!cell_with_halo(e.shape, at))
        return;
    const unsigned here = number_at(e, at);
    unsigned code = here;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        bool is_one = true;
        for (int k = -HEAT_HALO; k < HEAT_HALO; k++) {
            int other[BIOHEAT_AXES] = {at[0], at[1], at[2]};
            other[axis] = at[axis] + k;
            is_one = is_one && origin_of(e.shape, e.is_missing, axis, other[axis]).is_there &&
                     number_at(e, other) == here;
        }
        // The faces of the outer ghosts belong to no cell.
        const bool is_face = at[axis] >= 0 && at[axis] <= e.shape.cells[axis];
        code |= is_one && is_face ? 1u << (code_traits<Code>::LABEL_BITS + axis) : 0u;
    }
    array<Code>(e.codes)[place_of(e.shape, at[0], at[1], at[2])] = static_cast<Code>(code);
}

// Between labels alone does a face's pair count: elsewhere its bits have no meaning.
__global__ void __launch_bounds__(THREADS)
    pairs_kernel(const __grid_constant__ heat_shape shape, const __grid_constant__ heat_media media,
                 unsigned char *pairs)
{
    int at[BIOHEAT_AXES];
    if (!cell_with_halo(shape, at))
        return;
    const long long place = place_of(shape, at[0], at[1], at[2]);
    const unsigned char *const code = array<unsigned char>(media.codes) + place;
    unsigned bits = 0;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        const long long stride = axis == BIOHEAT_Z ? shape.plane : axis == BIOHEAT_Y ? shape.pitch : 1;
        if (at[axis] < 0 || at[axis] > shape.cells[axis]) // no cell's face
            continue;
        const unsigned low = label_of<unsigned char>(code[-stride]), high = label_of<unsigned char>(code[0]);
        const bool low_has_two =
            label_of<unsigned char>(code[-2 * stride]) == low && has_medium(shape, media, axis, at[axis] - 2);
        const bool high_has_two =
            label_of<unsigned char>(code[stride]) == high && has_medium(shape, media, axis, at[axis] + 1);
        const unsigned pair = (low_has_two ? HEAT_PAIR_LOW : 0u) | (high_has_two ? HEAT_PAIR_HIGH : 0u);
        bits |= pair << (2 * axis);
    }
    pairs[place] = static_cast<unsigned char>(bits);
}

// Whether all cells at the cell's six faces have its label.
DEVICE bool is_in_one_medium(const heat_shape &shape, const unsigned char *code, unsigned label)
{
    return code[0] == (label | code_traits<unsigned char>::ALL_BITS) &&
           is_one_medium<unsigned char>(code[1], BIOHEAT_X) &&
           is_one_medium<unsigned char>(code[shape.pitch], BIOHEAT_Y) &&
           is_one_medium<unsigned char>(code[shape.plane], BIOHEAT_Z);
}

// Whether the cell's six faces have the four-point law.
template <typename Real> DEVICE bool is_in_smooth_medium(const heat_shape &shape, const Real *k, Real limit)
{
    bool all = true;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        const long long stride = axis == BIOHEAT_Z ? shape.plane : axis == BIOHEAT_Y ? shape.pitch : 1;
        for (int face = 0; face < 2; face++) {
            const Real *const low = k + (face - 1) * stride;
            all = all && is_smooth(limit, low[-stride], low[0], low[stride], low[2 * stride]);
        }
    }
    return all;
}

// A warp for each tile, which is of one kind if all its cells are.
template <typename Real>
__global__ void __launch_bounds__(32)
    classify_kernel(const __grid_constant__ heat_shape shape, const __grid_constant__ heat_media media,
                    unsigned char *classes)
{
    const int x0 = shape.first[BIOHEAT_X] + static_cast<int>(blockIdx.x) * sweep_shape<Real>::WARP_X;
    const int y0 = shape.first[BIOHEAT_Y] + static_cast<int>(blockIdx.y) * sweep_shape<Real>::WARP_Y;
    const int x1 = min(x0 + sweep_shape<Real>::WARP_X, shape.last[BIOHEAT_X]);
    const int y1 = min(y0 + sweep_shape<Real>::WARP_Y, shape.last[BIOHEAT_Y]);
    const int z = shape.first_held + static_cast<int>(blockIdx.z), lane = static_cast<int>(threadIdx.x);
    const unsigned char *const codes = array<unsigned char>(media.codes);
    const unsigned kind =
        media.has_labels ? label_of<unsigned char>(codes[place_of(shape, z, y0, x0)]) : HEAT_CLASS_SMOOTH;
    const int width = x1 - x0, cells = width * (y1 - y0);
    bool is_same = true;
    for (int k = lane; k < cells; k += 32) {
        const long long place = place_of(shape, z, y0 + k / width, x0 + k % width);
        is_same =
            is_same && (media.has_labels ? is_in_one_medium(shape, codes + place, kind)
                                         : is_in_smooth_medium(shape, array<Real>(media.conductivity) + place,
                                                               static_cast<Real>(media.contrast_limit)));
    }
    is_same = __all_sync(0xffffffffu, is_same);
    if (lane == 0)
        classes[(static_cast<long long>(z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x] =
            static_cast<unsigned char>(is_same ? kind : HEAT_CLASS_MIXED);
}

template <typename Real>
__global__ void __launch_bounds__(THREADS)
    extend_kernel(heat_shape shape, encoding_sides missing, Real *field)
{
    int at[BIOHEAT_AXES], from[BIOHEAT_AXES];
    bool is_there = true, is_inside = true;
    if (!cell_with_halo(shape, at))
        return;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        const origin o = origin_of(shape, missing.is_missing, axis, at[axis]);
        is_there = is_there && o.is_there;
        is_inside = is_inside && o.index == at[axis];
        from[axis] = o.index;
    }
    if (!is_inside)
        field[place_of(shape, at[0], at[1], at[2])] =
            is_there ? field[place_of(shape, from[0], from[1], from[2])] : Real(0);
}

// The blood's share along an axis; 0 if no medium is upstream, or one that conducts no heat.
template <typename Real>
DEVICE Real carry_at(const heat_shape &shape, const heat_media &media, const encoding_sides &missing,
                     int axis, const int at[BIOHEAT_AXES], double gain, double velocity, double blood)
{
    if (velocity == 0 || shape.cells[axis] == 1)
        return 0;
    const int upstream = at[axis] + (velocity > 0 ? -1 : 1);
    const origin o = origin_of(shape, missing.is_missing, axis, upstream);
    if (!o.is_there || o.index == at[axis])
        return 0;
    const long long stride = axis == BIOHEAT_Z ? shape.plane : axis == BIOHEAT_Y ? shape.pitch : 1;
    const long long place = place_of(shape, at[0], at[1], at[2]) + (o.index - at[axis]) * stride;
    const bool is_void =
        media.has_labels
            ? (media.is_few ? array<Real>(media.conductances)[label_of<unsigned char>(
                                                                  array<unsigned char>(media.codes)[place]) *
                                                              (HEAT_FEW_LABELS + 1)]
                            : array<Real>(media.conductances)[label_of<unsigned short>(
                                                                  array<unsigned short>(media.codes)[place]) *
                                                              (BIOHEAT_LABELS + 1)]) == 0
            : array<Real>(media.conductivity)[place] == 0;
    return is_void ? Real(0) : static_cast<Real>(gain * blood * velocity / media.spacing_m[axis]);
}

template <typename Real> DEVICE double label_gain(const heat_media &media, long long place)
{
    const unsigned label = media.is_few ? label_of<unsigned char>(array<unsigned char>(media.codes)[place])
                                        : label_of<unsigned short>(array<unsigned short>(media.codes)[place]);
    return array<Real>(media.cells)[2 * label];
}

template <typename Real>
__global__ void __launch_bounds__(THREADS)
    prepare_kernel(const __grid_constant__ heat_shape shape, const __grid_constant__ heat_media media,
                   double step_s, double blood, encoding_sides missing)
{
    const int at[BIOHEAT_AXES] = {shape.first_held + static_cast<int>(blockIdx.z),
                                  static_cast<int>(blockIdx.y),
                                  static_cast<int>(blockIdx.x * THREADS + threadIdx.x)};
    if (at[BIOHEAT_X] >= shape.cells[BIOHEAT_X])
        return;
    const long long place = place_of(shape, at[0], at[1], at[2]);
    double gain;
    if (media.has_labels) {
        gain = label_gain<Real>(media, place);
    } else {
        Real *const capacity = const_cast<Real *>(array<Real>(media.gain)) + place;
        const double k = array<Real>(media.conductivity)[place];
        gain = k > 0 ? step_s / static_cast<double>(*capacity) : 0.0;
        *capacity = static_cast<Real>(gain);
        if (media.loss) {
            Real *const perfusion = const_cast<Real *>(array<Real>(media.loss)) + place;
            *perfusion = static_cast<Real>(gain * static_cast<double>(*perfusion));
        }
    }
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        if (!media.carry[axis])
            continue;
        Real *const velocity = const_cast<Real *>(array<Real>(media.carry[axis])) + place;
        *velocity = carry_at<Real>(shape, media, missing, axis, at, gain, *velocity, blood);
    }
}

template <typename Real> cudaError_t load_of()
{
    return kernels::load(encode_kernel<unsigned char>, encode_kernel<unsigned short>, pairs_kernel,
                         classify_kernel<Real>, extend_kernel<Real>, prepare_kernel<Real>);
}

encoding_sides sides_of(const int is_missing[HEAT_SIDES])
{
    encoding_sides sides;
    for (int side = 0; side < HEAT_SIDES; side++)
        sides.is_missing[side] = is_missing[side];
    return sides;
}

} // namespace

// The time is about the number of rounds of blocks times the planes of a block, with the two on either side
// that belong to another block.
int sweep_planes(int tiles, int planes, int multiprocessors, int blocks_a_multiprocessor)
{
    const double at_once = static_cast<double>(multiprocessors) * blocks_a_multiprocessor;
    double least = 0;
    int best = planes;
    for (int parts = 1; parts <= planes && parts <= 64; parts++) {
        const int each = (planes + parts - 1) / parts, blocks = tiles * ((planes + each - 1) / each);
        const int full = static_cast<int>(blocks / at_once);
        const double rest = blocks / at_once - full;
        // A partial round takes less than a full one, but not in proportion.
        const double rounds = full + (rest > 0 ? 0.35 + 0.65 * rest : 0.0);
        const double cost = rounds * (each + 2.5);
        if (parts == 1 || cost < least) {
            least = cost;
            best = each;
        }
    }
    return best;
}

cudaError_t load_start(enum element precision)
{
    return kernels::with_real(precision, [](auto real) { return load_of<decltype(real)>(); });
}

} // namespace heat

using namespace heat;

extern "C" cudaError_t heat_encode(const heat_encoding *encoding, cudaStream_t stream)
{
    if (encoding->is_few)
        encode_kernel<unsigned char><<<blocks_with_halo(encoding->shape), THREADS, 0, stream>>>(*encoding);
    else
        encode_kernel<unsigned short><<<blocks_with_halo(encoding->shape), THREADS, 0, stream>>>(*encoding);
    return cudaGetLastError();
}

extern "C" cudaError_t heat_encode_pairs(const heat_shape *shape, const heat_media *media, void *pairs,
                                         cudaStream_t stream)
{
    pairs_kernel<<<blocks_with_halo(*shape), THREADS, 0, stream>>>(*shape, *media,
                                                                   array<unsigned char>(pairs));
    return cudaGetLastError();
}

extern "C" void heat_class_tiles(const heat_shape *shape, enum element precision, int *columns, int *rows)
{
    const bool is_single = precision == ELEMENT_F32;
    const int width = is_single ? int(sweep_shape<float>::WARP_X) : int(sweep_shape<double>::WARP_X);
    const int height = is_single ? int(sweep_shape<float>::WARP_Y) : int(sweep_shape<double>::WARP_Y);
    *columns = (shape->last[BIOHEAT_X] - shape->first[BIOHEAT_X] + width - 1) / width;
    *rows = (shape->last[BIOHEAT_Y] - shape->first[BIOHEAT_Y] + height - 1) / height;
}

extern "C" cudaError_t heat_classify(const heat_shape *shape, const heat_media *media, enum element precision,
                                     unsigned char *classes, cudaStream_t stream)
{
    const dim3 blocks(static_cast<unsigned>(media->class_columns), static_cast<unsigned>(media->class_rows),
                      static_cast<unsigned>(shape->end_held - shape->first_held));
    return kernels::launch(precision, [&](auto real) {
        classify_kernel<decltype(real)><<<blocks, 32, 0, stream>>>(*shape, *media, classes);
    });
}

extern "C" cudaError_t heat_extend(const heat_shape *shape, const int is_missing[HEAT_SIDES], void *field,
                                   enum element precision, cudaStream_t stream)
{
    return kernels::launch(precision, [&](auto real) {
        extend_kernel<<<blocks_with_halo(*shape), THREADS, 0, stream>>>(*shape, sides_of(is_missing),
                                                                        array<decltype(real)>(field));
    });
}

extern "C" cudaError_t heat_prepare_fields(const heat_shape *shape, const heat_media *media, double step_s,
                                           double blood_heat_capacity_j_m3_k,
                                           const int is_missing[HEAT_SIDES], enum element precision,
                                           cudaStream_t stream)
{
    const dim3 blocks(kernels::blocks_for(shape->cells[BIOHEAT_X], THREADS),
                      static_cast<unsigned>(shape->cells[BIOHEAT_Y]),
                      static_cast<unsigned>(shape->end_held - shape->first_held));
    return kernels::launch(precision, [&](auto real) {
        prepare_kernel<decltype(real)><<<blocks, THREADS, 0, stream>>>(
            *shape, *media, step_s, blood_heat_capacity_j_m3_k, sides_of(is_missing));
    });
}

extern "C" cudaError_t heat_load_kernels(enum element precision, struct heat_sweeps *sweeps)
{
    cudaError_t error = load_plain(precision);
    if (error == cudaSuccess)
        error = load_rkl2(precision);
    if (error == cudaSuccess)
        error = load_start(precision);
    if (error != cudaSuccess)
        return error;
    *sweeps = {loads_labels(precision), loads_fields(precision), loads_label_stages(precision),
               loads_field_stages(precision)};
    if (!sweeps->labels || !sweeps->fields || !sweeps->label_stages ||
        !sweeps->field_stages) // no failure, and the next launch must not find it
        (void)cudaGetLastError();
    return cudaSuccess;
}
