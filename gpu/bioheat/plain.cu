// The heat model's kernels with a cell a thread, threads along x: the plain step, the colourings, separate
// records, and heat added at points and in boxes.
#include "gpu/bioheat/plain.cuh"
#include "gpu/bioheat/sweep.cuh"

namespace heat {
namespace {

enum { THREADS = 128 };

// Cells in ranges along x (a thread each), y and z (a block each).
dim3 blocks_over(int x, int y, int z)
{
    return dim3(kernels::blocks_for(x, THREADS), static_cast<unsigned>(y), static_cast<unsigned>(z));
}

template <typename Real, typename Code>
__global__ void __launch_bounds__(THREADS) plain_kernel(const __grid_constant__ heat_step step)
{
    const heat_shape &shape = step.shape;
    const int x = shape.first[BIOHEAT_X] + static_cast<int>(blockIdx.x * THREADS + threadIdx.x);
    const int y = shape.first[BIOHEAT_Y] + static_cast<int>(blockIdx.y);
    const int z = step.first_plane + static_cast<int>(blockIdx.z);
    if (x >= shape.last[BIOHEAT_X])
        return;
    const long long place = place_of(shape, z, y, x);
    array<Real>(step.to)[place] = array<Real>(step.from)[place] + change_of<Real, Code>(step, z, y, x).theta;
}

// Thread i has the i-th cell of its row with the colour: x ≡ colour − y − z (mod 3).
template <typename Real, typename Code>
__global__ void __launch_bounds__(THREADS)
    colour_kernel(const __grid_constant__ heat_step step, int colour, int is_plain)
{
    const heat_shape &shape = step.shape;
    const int y = shape.first[BIOHEAT_Y] + static_cast<int>(blockIdx.y);
    const int z = step.first_plane + static_cast<int>(blockIdx.z);
    const int first = shape.first[BIOHEAT_X], shift = (first + y + z) % 3;
    const int x = first + (colour + 3 - shift) % 3 + 3 * static_cast<int>(blockIdx.x * THREADS + threadIdx.x);
    if (x >= shape.last[BIOHEAT_X])
        return;
    cell_change<Real> change = change_of<Real, Code>(step, z, y, x);
    const cell_change<Real> walls = walls_of<Real, Code>(step, z, y, x);
    change.theta += walls.theta;
    change.diagonal += walls.diagonal;
    const Real share = is_plain ? change.theta : change.theta / madd(Real(0.5), change.diagonal, Real(1));
    array<Real>(step.to)[place_of(shape, z, y, x)] += share;
}

// The thread's cell of a box; false beyond the last.
DEVICE bool cell_of_box(const heat_box &box, const heat_shape &shape, long long *place)
{
    const long long k = static_cast<long long>(blockIdx.x) * THREADS + threadIdx.x;
    const long long row = box.count[BIOHEAT_X], layer = row * box.count[BIOHEAT_Y];
    if (k >= layer * box.count[BIOHEAT_Z])
        return false;
    *place = place_of(shape, box.first[BIOHEAT_Z] + static_cast<int>(k / layer),
                      box.first[BIOHEAT_Y] + static_cast<int>(k % layer / row),
                      box.first[BIOHEAT_X] + static_cast<int>(k % row));
    return true;
}

template <typename Real>
DEVICE void record_at(const heat_records &records, const dose_law<Real> &law, int steps, long long place,
                      Real theta)
{
    if (records.low && theta >= law.least_k) {
        Real low = array<Real>(records.low)[place];
        for (int n = 0; n < steps; n++)
            low = dose_with(law, low, theta);
        array<Real>(records.low)[place] = low;
    }
    if (records.largest && theta > array<Real>(records.largest)[place]) {
        array<Real>(records.largest)[place] = theta;
        records.largest_at_s[place] = records.time_s;
    }
}

template <typename Real>
__global__ void __launch_bounds__(THREADS)
    record_kernel(const __grid_constant__ heat_step step, const __grid_constant__ heat_box box, int steps)
{
    long long place;
    if (cell_of_box(box, step.shape, &place))
        record_at(step.records, dose_law_of<Real>(step.records), steps, place, array<Real>(step.from)[place]);
}

template <typename Real, typename Code>
__global__ void __launch_bounds__(THREADS)
    walls_kernel(const __grid_constant__ heat_step step, const __grid_constant__ heat_box box)
{
    const long long k = static_cast<long long>(blockIdx.x) * THREADS + threadIdx.x;
    const long long row = box.count[BIOHEAT_X], layer = row * box.count[BIOHEAT_Y];
    if (k >= layer * box.count[BIOHEAT_Z])
        return;
    const int z = box.first[BIOHEAT_Z] + static_cast<int>(k / layer),
              y = box.first[BIOHEAT_Y] + static_cast<int>(k % layer / row),
              x = box.first[BIOHEAT_X] + static_cast<int>(k % row);
    array<Real>(step.to)[place_of(step.shape, z, y, x)] += walls_of<Real, Code>(step, z, y, x).theta;
}

template <typename Real>
__global__ void __launch_bounds__(THREADS)
    move_kernel(const __grid_constant__ heat_step step, const __grid_constant__ heat_box box)
{
    long long place;
    if (cell_of_box(box, step.shape, &place))
        array<Real>(step.to)[place] = array<Real>(step.from)[place];
}

// A row a thread.
template <typename Real>
__global__ void __launch_bounds__(THREADS)
    extend_rows_kernel(const __grid_constant__ heat_shape shape, Real *theta)
{
    const int nx = shape.cells[BIOHEAT_X], y = static_cast<int>(blockIdx.x * THREADS + threadIdx.x);
    if (y >= shape.cells[BIOHEAT_Y])
        return;
    Real *const row = theta + place_of(shape, shape.first_held + static_cast<int>(blockIdx.y), y, 0);
    for (int k = 0; k < HEAT_HALO; k++) {
        row[-1 - k] = row[mapped(-1 - k, nx, shape.is_periodic[BIOHEAT_X])];
        row[nx + k] = row[mapped(nx + k, nx, shape.is_periodic[BIOHEAT_X])];
    }
}

template <typename Real>
__global__ void __launch_bounds__(THREADS) flush_kernel(heat_shape shape, heat_records records)
{
    const int x = static_cast<int>(blockIdx.x * THREADS + threadIdx.x);
    if (x >= shape.cells[BIOHEAT_X])
        return;
    const long long place = own_place(shape, x);
    Real *const low = array<Real>(records.low) + place;
    if (*low == 0)
        return;
    records.high[place] += fabs(*low);
    *low = copysign(Real(0), *low);
}

template <typename Real>
__global__ void __launch_bounds__(THREADS)
    forget_kernel(heat_shape shape, Real *largest, double *largest_at_s)
{
    const int x = static_cast<int>(blockIdx.x * THREADS + threadIdx.x);
    if (x >= shape.cells[BIOHEAT_X])
        return;
    const long long place = own_place(shape, x);
    largest[place] = -Real(INFINITY);
    largest_at_s[place] = __longlong_as_double(0x7ff8000000000000LL);
}

template <typename Real>
__global__ void __launch_bounds__(THREADS)
    points_kernel(Real *theta, struct heat_points points, const double *amplitudes, Real weight)
{
    const int p = static_cast<int>(blockIdx.x * THREADS + threadIdx.x);
    if (p >= points.count)
        return;
    const Real gain = weight * array<Real>(points.gains)[p];
    Real value = theta[points.places[p]];
    for (int k = points.starts[p]; k < points.starts[p + 1]; k++)
        value = madd(gain, static_cast<Real>(amplitudes[points.indices[k]]), value);
    theta[points.places[p]] = value;
}

// A box for each of the blocks along y; the threads loop over its cells.
template <typename Real, typename Code>
__global__ void __launch_bounds__(THREADS)
    boxes_kernel(Real *theta, heat_shape shape, heat_media media, const heat_box *boxes,
                 const double *amplitudes, Real weight, int first, int last)
{
    heat_box box = boxes[blockIdx.y];
    const int end = min(box.first[BIOHEAT_Z] + box.count[BIOHEAT_Z], last);
    box.first[BIOHEAT_Z] = max(box.first[BIOHEAT_Z], first);
    box.count[BIOHEAT_Z] = max(end - box.first[BIOHEAT_Z], 0);
    const Real amplitude = static_cast<Real>(amplitudes[box.amplitude]);
    const long long row = box.count[BIOHEAT_X], layer = row * box.count[BIOHEAT_Y],
                    cells = layer * box.count[BIOHEAT_Z];
    if (amplitude == 0)
        return;
    for (long long k = static_cast<long long>(blockIdx.x) * THREADS + threadIdx.x; k < cells;
         k += static_cast<long long>(gridDim.x) * THREADS) {
        const int z = box.first[BIOHEAT_Z] + static_cast<int>(k / layer);
        const int y = box.first[BIOHEAT_Y] + static_cast<int>(k % layer / row);
        const int x = box.first[BIOHEAT_X] + static_cast<int>(k % row);
        const long long place = place_of(shape, z, y, x);
        theta[place] = madd(weight * medium_at<Real, Code>(media, place).gain, amplitude, theta[place]);
    }
}

// Calls work(Real(), Code()) with the types of a precision and of codes; `work` launches kernels.
template <typename Work> cudaError_t launch(enum element precision, int is_few, const Work &work)
{
    return kernels::launch(precision, [&](auto real) {
        if (is_few)
            work(real, static_cast<unsigned char>(0));
        else
            work(real, static_cast<unsigned short>(0));
    });
}

bool has_cells(const heat_step *step)
{
    return step->last_plane > step->first_plane &&
           step->shape.last[BIOHEAT_Y] > step->shape.first[BIOHEAT_Y] &&
           step->shape.last[BIOHEAT_X] > step->shape.first[BIOHEAT_X];
}

// Of the cells that the step may change: a thread for every `stride` of them along x.
dim3 blocks_over_inner(const heat_step *step, int stride)
{
    const heat_shape &s = step->shape;
    return blocks_over((s.last[BIOHEAT_X] - s.first[BIOHEAT_X] + stride - 1) / stride,
                       s.last[BIOHEAT_Y] - s.first[BIOHEAT_Y], step->last_plane - step->first_plane);
}

// The cells that steps never change, within planes [first, last), as boxes without common cells; returns
// their number.
enum { SHELL_BOXES = HEAT_SIDES };
int shell_of(const heat_shape &s, int first, int last, heat_box boxes[SHELL_BOXES])
{
    int inner[BIOHEAT_AXES][2] = {{first, last}, {0, s.cells[BIOHEAT_Y]}, {0, s.cells[BIOHEAT_X]}}, count = 0;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        const int lowest = inner[axis][0], highest = inner[axis][1];
        int low_end = s.first[axis] < lowest ? lowest : s.first[axis];
        low_end = low_end < highest ? low_end : highest;
        int high_begin = s.last[axis] < low_end ? low_end : s.last[axis];
        high_begin = high_begin < highest ? high_begin : highest;
        const int ends[2][2] = {{lowest, low_end}, {high_begin, highest}};
        for (int side = 0; side < 2; side++) {
            inner[axis][0] = ends[side][0];
            inner[axis][1] = ends[side][1];
            heat_box box = {};
            long long cells = 1;
            for (int a = 0; a < BIOHEAT_AXES; a++) {
                box.first[a] = inner[a][0];
                box.count[a] = inner[a][1] - inner[a][0];
                cells *= box.count[a];
            }
            if (cells > 0)
                boxes[count++] = box;
        }
        inner[axis][0] = low_end;
        inner[axis][1] = high_begin;
    }
    return count;
}

unsigned blocks_over_box(const heat_box &box)
{
    return kernels::blocks_for(static_cast<long long>(box.count[0]) * box.count[1] * box.count[2], THREADS);
}

// The cells at convective sides, each in one box: a side's box omits the cells of earlier sides.
int wall_boxes_of(const heat_step *step, int first, int last, heat_box boxes[HEAT_SIDES])
{
    const heat_shape &s = step->shape;
    int inner[BIOHEAT_AXES][2], count = 0;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        inner[axis][0] = s.first[axis];
        inner[axis][1] = s.last[axis];
    }
    inner[BIOHEAT_Z][0] = first > s.first[BIOHEAT_Z] ? first : s.first[BIOHEAT_Z];
    inner[BIOHEAT_Z][1] = last < s.last[BIOHEAT_Z] ? last : s.last[BIOHEAT_Z];
    for (int side = 0; side < HEAT_SIDES; side++) {
        const int axis = side / 2, at = side % 2 ? s.cells[axis] - 1 : 0;
        if (!step->media.has_wall[side] || at < inner[axis][0] || at >= inner[axis][1])
            continue;
        heat_box box = {};
        long long cells = 1;
        for (int a = 0; a < BIOHEAT_AXES; a++) {
            box.first[a] = a == axis ? at : inner[a][0];
            box.count[a] = a == axis ? 1 : inner[a][1] - inner[a][0];
            cells *= box.count[a] > 0 ? box.count[a] : 0;
        }
        inner[axis][side % 2] = side % 2 ? at : at + 1;
        if (cells > 0)
            boxes[count++] = box;
    }
    return count;
}

dim3 blocks_over_all(const heat_shape *shape)
{
    return blocks_over(shape->cells[BIOHEAT_X], shape->cells[BIOHEAT_Y], shape->end_own - shape->first_own);
}

template <typename Real>
cudaError_t record(const heat_step *step, const heat_box *boxes, int count, int steps, cudaStream_t stream)
{
    for (int k = 0; k < count; k++)
        record_kernel<Real><<<blocks_over_box(boxes[k]), THREADS, 0, stream>>>(*step, boxes[k], steps);
    return cudaGetLastError();
}

template <typename Real, typename Code> cudaError_t load_of_code()
{
    return kernels::load(plain_kernel<Real, Code>, colour_kernel<Real, Code>, boxes_kernel<Real, Code>,
                         walls_kernel<Real, Code>);
}

template <typename Real> cudaError_t load_of()
{
    cudaError_t error = load_of_code<Real, unsigned char>();
    if (error == cudaSuccess)
        error = load_of_code<Real, unsigned short>();
    return error != cudaSuccess
               ? error
               : kernels::load(record_kernel<Real>, extend_rows_kernel<Real>, move_kernel<Real>,
                               flush_kernel<Real>, forget_kernel<Real>, points_kernel<Real>);
}

} // namespace

cudaError_t load_plain(enum element precision)
{
    return kernels::with_real(precision, [](auto real) { return load_of<decltype(real)>(); });
}

} // namespace heat

using namespace heat;

extern "C" cudaError_t heat_step_plain(const heat_step *step, enum element precision, cudaStream_t stream)
{
    if (!has_cells(step))
        return cudaSuccess;
    return launch(precision, step->media.is_few, [&](auto real, auto code) {
        plain_kernel<decltype(real), decltype(code)>
            <<<blocks_over_inner(step, 1), THREADS, 0, stream>>>(*step);
    });
}

extern "C" cudaError_t heat_step_colour(const heat_step *step, enum element precision, int colour,
                                        int is_plain, cudaStream_t stream)
{
    if (!has_cells(step))
        return cudaSuccess;
    return launch(precision, step->media.is_few, [&](auto real, auto code) {
        colour_kernel<decltype(real), decltype(code)>
            <<<blocks_over_inner(step, 3), THREADS, 0, stream>>>(*step, colour, is_plain);
    });
}

extern "C" cudaError_t heat_record(const heat_step *step, enum element precision, cudaStream_t stream)
{
    const heat_shape &s = step->shape;
    const heat_box all = {
        {s.first_own, 0, 0}, {s.end_own - s.first_own, s.cells[BIOHEAT_Y], s.cells[BIOHEAT_X]}, 0};
    return kernels::with_real(precision,
                              [&](auto real) { return record<decltype(real)>(step, &all, 1, 1, stream); });
}

extern "C" cudaError_t heat_record_unchanged(const heat_step *step, enum element precision, int steps,
                                             cudaStream_t stream)
{
    heat_box boxes[SHELL_BOXES];
    const int count = shell_of(step->shape, step->shape.first_own, step->shape.end_own, boxes);
    return kernels::with_real(
        precision, [&](auto real) { return record<decltype(real)>(step, boxes, count, steps, stream); });
}

extern "C" cudaError_t heat_walls(const heat_step *step, enum element precision, int first, int last,
                                  cudaStream_t stream)
{
    heat_box boxes[HEAT_SIDES];
    const int count = wall_boxes_of(step, first, last, boxes);
    return launch(precision, step->media.is_few, [&](auto real, auto code) {
        for (int k = 0; k < count; k++)
            walls_kernel<decltype(real), decltype(code)>
                <<<blocks_over_box(boxes[k]), THREADS, 0, stream>>>(*step, boxes[k]);
    });
}

extern "C" cudaError_t heat_move_unchanged(const heat_step *step, int first, int last, enum element precision,
                                           cudaStream_t stream)
{
    heat_box boxes[SHELL_BOXES];
    const int count = shell_of(step->shape, first, last, boxes);
    return kernels::launch(precision, [&](auto real) {
        for (int k = 0; k < count; k++)
            move_kernel<decltype(real)><<<blocks_over_box(boxes[k]), THREADS, 0, stream>>>(*step, boxes[k]);
    });
}

extern "C" cudaError_t heat_extend_rows(const heat_shape *shape, void *theta, enum element precision,
                                        cudaStream_t stream)
{
    const dim3 blocks(kernels::blocks_for(shape->cells[BIOHEAT_Y], THREADS),
                      static_cast<unsigned>(shape->end_held - shape->first_held));
    return kernels::launch(precision, [&](auto real) {
        extend_rows_kernel<<<blocks, THREADS, 0, stream>>>(*shape, array<decltype(real)>(theta));
    });
}

extern "C" cudaError_t heat_flush_dose(const heat_shape *shape, const heat_records *records,
                                       enum element precision, cudaStream_t stream)
{
    return kernels::launch(precision, [&](auto real) {
        flush_kernel<decltype(real)><<<blocks_over_all(shape), THREADS, 0, stream>>>(*shape, *records);
    });
}

extern "C" cudaError_t heat_forget_largest(const heat_shape *shape, void *largest, double *largest_at_s,
                                           enum element precision, cudaStream_t stream)
{
    return kernels::launch(precision, [&](auto real) {
        forget_kernel<<<blocks_over_all(shape), THREADS, 0, stream>>>(*shape, array<decltype(real)>(largest),
                                                                      largest_at_s);
    });
}

extern "C" cudaError_t heat_points(void *theta, const struct heat_points *points, const double *amplitudes,
                                   double weight, enum element precision, cudaStream_t stream)
{
    if (points->count == 0)
        return cudaSuccess;
    const unsigned blocks = kernels::blocks_for(points->count, THREADS);
    return kernels::launch(precision, [&](auto real) {
        points_kernel<<<blocks, THREADS, 0, stream>>>(array<decltype(real)>(theta), *points, amplitudes,
                                                      static_cast<decltype(real)>(weight));
    });
}

extern "C" cudaError_t heat_boxes(void *theta, const heat_shape *shape, const heat_media *media,
                                  const heat_box *boxes, int count, const double *amplitudes, double weight,
                                  int first, int last, enum element precision, cudaStream_t stream)
{
    enum { AT_ONCE = 65535, BLOCKS = 256 };
    return launch(precision, media->is_few, [&](auto real, auto code) {
        for (int done = 0; done < count; done += AT_ONCE) {
            const unsigned now = static_cast<unsigned>(count - done < AT_ONCE ? count - done : AT_ONCE);
            boxes_kernel<decltype(real), decltype(code)><<<dim3(BLOCKS, now), THREADS, 0, stream>>>(
                array<decltype(real)>(theta), *shape, *media, boxes + done, amplitudes,
                static_cast<decltype(real)>(weight), first, last);
        }
    });
}
