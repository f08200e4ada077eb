// The rungs of tsunami on a device (rung.h). A thread is a node; blocks are 16 × 16 unless the case says
// otherwise.
extern "C" { // it does not say so itself; before the others, which include it
#include "core/status.h"
}

#include "bench/ladder/tsunami/node.inc"
#include "bench/ladder/tsunami/rung.h"

#include <cuda_runtime.h>

#include <cmath>
#include <new>
#include <vector>

namespace {

constexpr int tile = 16, arrays_max = 40, marks_max = 32;
constexpr size_t nodes_max = size_t(1) << 27; // of a texture

// ---- kernels

// Where a solver reads a field: in memory, or through a texture of its memory.
template <typename Real> struct source {
    const Real *values;
    cudaTextureObject_t texture;
};

template <bool has_textures> __device__ float value_at(const source<float> &from, int k)
{
    return has_textures ? tex1Dfetch<float>(from.texture, k) : from.values[k];
}

template <bool has_textures> __device__ double value_at(const source<double> &from, int k)
{
    if (!has_textures)
        return from.values[k];
    const int2 words = tex1Dfetch<int2>(from.texture, k); // textures have no doubles
    return __hiloint2double(words.y, words.x);
}

// Distances along an axis, or the inverses of all but `skew`; entry k of `gap`: from node k − 1 to k.
// `scale`: of each line across, or its inverse; `skew_scale`: never the inverse; `tangent`: NULL where it is
// 0.
template <typename Real> struct axis {
    const Real *gap, *span, *skew, *scale, *skew_scale, *tangent;
};

// A field is [height][pitch], of which `width` columns are nodes.
template <typename Real> struct solve_view {
    source<Real> p, q, ut, d;
    Real *p_next, *q_next, *ut_next;
    axis<Real> along;
    Real dt, gravity;
    int width, height, pitch;
};

template <typename Real, bool has_textures, bool is_along_y>
__device__ most_node<Real> node_at(const solve_view<Real> &view, int k)
{
    const most_node<Real> node = {value_at<has_textures>(view.p, k), value_at<has_textures>(view.q, k),
                                  value_at<has_textures>(view.ut, k), value_at<has_textures>(view.d, k)};
    return is_along_y ? most_turned(node) : node;
}

template <typename Real, bool has_inverses>
__device__ most_spacing<Real> spacing_at(const axis<Real> &along, int place, int line)
{
    const Real scale = along.scale[line], minus = along.gap[place] * scale,
               plus = along.gap[place + 1] * scale;
    if (!has_inverses)
        return {minus, plus, minus + plus, plus - minus, false};
    return {minus, plus, along.span[place] * scale, along.skew[place] * along.skew_scale[line], true};
}

// A step of the lines along x; or of those along y of the same fields, whose invariants are those along x.
template <typename Real, bool has_inverses, bool has_textures, bool is_along_y>
__global__ void solve_kernel(const solve_view<Real> view)
{
    const int x = threadIdx.x + blockDim.x * blockIdx.x, y = threadIdx.y + blockDim.y * blockIdx.y;
    if (x >= view.width || y >= view.height)
        return;
    const int place = is_along_y ? y : x, line = is_along_y ? x : y,
              last = (is_along_y ? view.height : view.width) - 1, stride = is_along_y ? view.pitch : 1,
              k = x + view.pitch * y;
    const most_place<Real> at = {view.dt, view.gravity, view.along.tangent ? view.along.tangent[place] : 0,
                                 place == 0, place == last};
    const auto load = [&](int index) { return node_at<Real, has_textures, is_along_y>(view, index); };
    most_node<Real> next =
        most_step(load(at.is_first ? k : k - stride), load(k), load(at.is_last ? k : k + stride),
                  spacing_at<Real, has_inverses>(view.along, place, line), at);
    if (is_along_y)
        next = most_turned(next);
    view.p_next[k] = next.p;
    view.q_next[k] = next.q;
    view.ut_next[k] = next.ut;
}

// Elevation, velocity along and across, still depth; or p and q in place of the first two.
template <typename Real> struct fields {
    Real *first, *second, *across, *d;
    int width, height, pitch;
};

enum conversion { TO_INVARIANTS, FROM_INVARIANTS, TURN };

template <typename Real, conversion what> __global__ void convert_kernel(const fields<Real> f, Real gravity)
{
    const int x = threadIdx.x + blockDim.x * blockIdx.x, y = threadIdx.y + blockDim.y * blockIdx.y,
              k = x + f.pitch * y;
    if (x >= f.width || y >= f.height)
        return;
    if (what == TO_INVARIANTS) {
        const most_node<Real> node =
            most_node_of<Real>(f.first[k], f.second[k], f.across[k], f.d[k], gravity);
        f.first[k] = node.p;
        f.second[k] = node.q;
        return;
    }
    const most_node<Real> node = {f.first[k], f.second[k], f.across[k], f.d[k]};
    const most_node<Real> turned = most_turned(node);
    f.first[k] = what == TURN ? turned.p : most_elevation(node, gravity);
    f.second[k] = what == TURN ? turned.q : turned.ut;
    if (what == TURN)
        f.across[k] = turned.ut;
}

// [height][pitch] → [width][to_pitch], in blocks of tile × tile.
template <typename Real>
__global__ void transpose_kernel(const Real *from, int width, int height, int pitch, Real *to, int to_pitch)
{
    __shared__ Real nodes[tile][tile + 1]; // a column more, so that columns lie in different banks
    const int x = tile * blockIdx.x, y = tile * blockIdx.y, across = threadIdx.x, down = threadIdx.y;
    if (x + across < width && y + down < height)
        nodes[down][across] = from[x + across + pitch * (y + down)];
    __syncthreads();
    if (x + down < width && y + across < height)
        to[y + across + to_pitch * (x + down)] = nodes[across][down];
}

// ---- a rung's sea

// What tells the rungs apart.
struct program {
    const char *name;
    bool keeps_invariants, has_inverses, has_two_solvers, is_padded, has_textures;
};

enum status status_of(const program &rung, cudaError_t error)
{
    return error == cudaSuccess ? STATUS_OK
                                : FAIL(STATUS_SYSTEM, "rung %s: %s", rung.name, cudaGetErrorString(error));
}

// Its fields with one axis along the rows.
template <typename Real> struct layout {
    int width = 0, height = 0, pitch = 0;
    source<Real> now[3] = {}, next[3] = {}; // p, q (or elevation, velocity along) and the velocity across
    source<Real> d = {};
    axis<Real> along_rows = {}, along_columns = {};
};

class any_sea {
  public:
    virtual ~any_sea() = default;
    virtual enum status open(const struct ladder_case &wanted, const struct tsunami_ladder_ocean &ocean) = 0;
    virtual enum status step(int count, double *seconds) = 0;
    virtual enum status read(double *values) = 0;
};

template <typename Real> class sea : public any_sea {
  public:
    explicit sea(const program &which) : rung(which) {}
    sea(const sea &) = delete;
    sea &operator=(const sea &) = delete;
    ~sea() override;
    enum status open(const struct ladder_case &wanted, const struct tsunami_ladder_ocean &ocean) override;
    enum status step(int count, double *seconds) override;
    enum status read(double *values) override;

  private:
    const program rung;
    int device = 0;
    dim3 block;
    Real dt = 0, gravity = 0;
    cudaStream_t stream = nullptr;
    layout<Real> rows, columns; // columns: where there are transposes
    void *arrays[arrays_max] = {};
    cudaTextureObject_t textures[arrays_max] = {};
    int array_count = 0, texture_count = 0;
    // Of time_stages: an event before each kernel, and one after the last.
    cudaEvent_t events[marks_max] = {};
    int stages[marks_max], mark_count = 0;
    bool is_timed = false;

    dim3 blocks_of(const layout<Real> &of, dim3 shape) const
    {
        return dim3((of.width + shape.x - 1) / shape.x, (of.height + shape.y - 1) / shape.y);
    }
    cudaError_t reserve_list(const std::vector<Real> &values, const Real **list);
    cudaError_t reserve_axis(const double *gap, size_t count, const std::vector<double> &scales,
                             const double *tangent, axis<Real> *along);
    cudaError_t reserve_field(layout<Real> *of, source<Real> *field);
    cudaError_t reserve_layout(int width, int height, layout<Real> *of);
    cudaError_t reserve(const struct tsunami_ladder_ocean &ocean);
    cudaError_t send(const std::vector<Real> &values, const layout<Real> &of, const source<Real> &field);
    cudaError_t fill(const struct tsunami_ladder_ocean &ocean);
    cudaError_t mark(int stage);
    cudaError_t add_marks(double *seconds);
    template <bool is_along_y> void solve(layout<Real> *of);
    template <bool has_inverses, bool has_textures, bool is_along_y> void launch_solver(layout<Real> *of);
    template <conversion what> void convert(const layout<Real> &of);
    void transpose(const source<Real> &from, const layout<Real> &as, const source<Real> &to, int to_pitch);
    void turn(const layout<Real> &from, const layout<Real> &to);
    void sweep_and_turn(layout<Real> *from, const layout<Real> &to);
};

template <typename Real> sea<Real>::~sea()
{
    for (cudaEvent_t event : events)
        if (event)
            cudaEventDestroy(event);
    for (int k = 0; k < texture_count; k++)
        cudaDestroyTextureObject(textures[k]);
    for (int k = 0; k < array_count; k++)
        cudaFree(arrays[k]);
    if (stream)
        cudaStreamDestroy(stream);
}

// ---- memory

template <typename Real>
cudaError_t sea<Real>::reserve_list(const std::vector<Real> &values, const Real **list)
{
    const size_t bytes = values.size() * sizeof(Real);
    cudaError_t error = cudaMalloc(&arrays[array_count], bytes);
    if (error != cudaSuccess)
        return error;
    *list = static_cast<const Real *>(arrays[array_count]);
    error = cudaMemcpyAsync(arrays[array_count++], values.data(), bytes, cudaMemcpyHostToDevice, stream);
    return error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
}

template <typename Real>
cudaError_t sea<Real>::reserve_axis(const double *gap, size_t count, const std::vector<double> &scales,
                                    const double *tangent, axis<Real> *along)
{
    std::vector<Real> gaps, spans, skews, scale, skew_scale, tangents;
    for (size_t k = 0; k <= count; k++)
        gaps.push_back(Real(rung.has_inverses ? 1 / gap[k] : gap[k]));
    for (size_t k = 0; k < count; k++) {
        spans.push_back(Real(1 / (gap[k] + gap[k + 1])));
        skews.push_back(Real(gap[k + 1] - gap[k]));
        tangents.push_back(Real(tangent ? tangent[k] : 0));
    }
    for (double of_line : scales) {
        scale.push_back(Real(rung.has_inverses ? 1 / of_line : of_line));
        skew_scale.push_back(Real(of_line));
    }
    const struct {
        const std::vector<Real> &values;
        const Real **list;
    } lists[] = {{gaps, &along->gap},
                 {spans, &along->span},
                 {skews, &along->skew},
                 {scale, &along->scale},
                 {skew_scale, &along->skew_scale},
                 {tangents, &along->tangent}};
    cudaError_t error = cudaSuccess;
    for (const auto &list : lists)
        if (error == cudaSuccess && (list.list != &along->tangent || tangent))
            error = reserve_list(list.values, list.list);
    return error;
}

template <typename Real> cudaError_t sea<Real>::reserve_field(layout<Real> *of, source<Real> *field)
{
    size_t pitch_bytes = of->width * sizeof(Real);
    const cudaError_t error =
        rung.is_padded ? cudaMallocPitch(&arrays[array_count], &pitch_bytes, pitch_bytes, of->height)
                       : cudaMalloc(&arrays[array_count], pitch_bytes * of->height);
    if (error != cudaSuccess)
        return error;
    field->values = static_cast<const Real *>(arrays[array_count++]);
    of->pitch = static_cast<int>(pitch_bytes / sizeof(Real));
    if (!rung.has_textures)
        return cudaSuccess;
    cudaResourceDesc resource = {};
    cudaTextureDesc how = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = arrays[array_count - 1];
    resource.res.linear.desc =
        sizeof(Real) == sizeof(float) ? cudaCreateChannelDesc<float>() : cudaCreateChannelDesc<int2>();
    resource.res.linear.sizeInBytes = pitch_bytes * of->height;
    how.readMode = cudaReadModeElementType;
    const cudaError_t made = cudaCreateTextureObject(&field->texture, &resource, &how, nullptr);
    if (made == cudaSuccess)
        textures[texture_count++] = field->texture;
    return made;
}

template <typename Real> cudaError_t sea<Real>::reserve_layout(int width, int height, layout<Real> *of)
{
    source<Real> *const all[] = {&of->now[0],  &of->now[1],  &of->now[2], &of->next[0],
                                 &of->next[1], &of->next[2], &of->d};
    cudaError_t error = cudaSuccess;
    of->width = width;
    of->height = height;
    for (source<Real> *field : all)
        if (error == cudaSuccess)
            error = reserve_field(of, field);
    return error;
}

template <typename Real> cudaError_t sea<Real>::reserve(const struct tsunami_ladder_ocean &ocean)
{
    const size_t nx = ocean.nx, ny = ocean.ny;
    const std::vector<double> cosines(ocean.cosine, ocean.cosine + ny), ones(nx, 1.0);
    axis<Real> along_y = {};
    cudaError_t error = cudaStreamCreate(&stream);
    for (cudaEvent_t &event : events)
        if (error == cudaSuccess)
            error = cudaEventCreate(&event);
    if (error == cudaSuccess)
        error = reserve_axis(ocean.x_gap, nx, cosines, nullptr, &rows.along_rows);
    if (error == cudaSuccess)
        error = reserve_axis(ocean.y_gap, ny, ones, ocean.tan_over_radius, &along_y);
    rows.along_columns = columns.along_rows = along_y;
    if (error == cudaSuccess)
        error = reserve_layout(static_cast<int>(nx), static_cast<int>(ny), &rows);
    if (error == cudaSuccess && !rung.has_two_solvers)
        error = reserve_layout(static_cast<int>(ny), static_cast<int>(nx), &columns);
    return error;
}

template <typename Real>
cudaError_t sea<Real>::send(const std::vector<Real> &values, const layout<Real> &of,
                            const source<Real> &field)
{
    const size_t bytes = of.width * sizeof(Real);
    const cudaError_t error =
        cudaMemcpy2DAsync(const_cast<Real *>(field.values), of.pitch * sizeof(Real), values.data(), bytes,
                          bytes, of.height, cudaMemcpyHostToDevice, stream);
    return error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
}

template <typename Real> cudaError_t sea<Real>::fill(const struct tsunami_ladder_ocean &ocean)
{
    const size_t nodes = ocean.nx * ocean.ny;
    std::vector<Real> values[4];
    for (auto &list : values)
        list.resize(nodes);
    for (size_t k = 0; k < nodes; k++) {
        const bool is_wet = ocean.depth[k] > 0;
        const Real eta = is_wet ? Real(ocean.eta[k]) : 0, u = is_wet ? Real(ocean.u[k]) : 0,
                   d = Real(ocean.depth[k]);
        values[2][k] = is_wet ? Real(ocean.v[k]) : 0;
        const most_node<Real> node = most_node_of<Real>(eta, u, values[2][k], d, gravity);
        values[0][k] = rung.keeps_invariants ? node.p : eta;
        values[1][k] = rung.keeps_invariants ? node.q : u;
        values[3][k] = d;
    }
    cudaError_t error = send(values[3], rows, rows.d);
    for (int k = 0; k < 3 && error == cudaSuccess; k++)
        error = send(values[k], rows, rows.now[k]);
    if (error == cudaSuccess && !rung.has_two_solvers) {
        transpose(rows.d, rows, columns.d, columns.pitch);
        error = cudaGetLastError();
    }
    return error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
}

template <typename Real>
enum status sea<Real>::open(const struct ladder_case &wanted, const struct tsunami_ladder_ocean &ocean)
{
    const int threads = wanted.block[0] * wanted.block[1];
    device = wanted.device;
    block = threads > 0 ? dim3(wanted.block[0], wanted.block[1]) : dim3(tile, tile);
    dt = Real(ocean.step_s);
    gravity = Real(ocean.gravity_m_s2);
    if (wanted.block[0] < 0 || wanted.block[1] < 0 || threads > 1024)
        return FAIL(STATUS_CONFIGURATION, "rung %s: blocks of %d x %d threads: at most 1024 are possible",
                    rung.name, wanted.block[0], wanted.block[1]);
    if (ocean.nx * ocean.ny > nodes_max)
        return FAIL(STATUS_CONFIGURATION, "rung %s: %zu x %zu nodes: at most %zu are possible", rung.name,
                    ocean.nx, ocean.ny, nodes_max);
    cudaError_t error = cudaSetDevice(device);
    if (error == cudaSuccess)
        error = reserve(ocean);
    if (error == cudaSuccess)
        error = fill(ocean);
    return status_of(rung, error);
}

// ---- a step

template <typename Real> cudaError_t sea<Real>::mark(int stage)
{
    if (!is_timed)
        return cudaSuccess;
    stages[mark_count] = stage;
    return cudaEventRecord(events[mark_count++], stream);
}

// The times between the marks of a step.
template <typename Real> cudaError_t sea<Real>::add_marks(double *seconds)
{
    cudaError_t error = mark(TSUNAMI_LADDER_STAGES);
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(stream);
    for (int k = 0; error == cudaSuccess && k + 1 < mark_count; k++) {
        float ms = 0;
        error = cudaEventElapsedTime(&ms, events[k], events[k + 1]);
        seconds[stages[k]] += 1e-3 * ms;
    }
    mark_count = 0;
    return error;
}

template <typename Real>
template <bool has_inverses, bool has_textures, bool is_along_y>
void sea<Real>::launch_solver(layout<Real> *of)
{
    const solve_view<Real> view = {of->now[0],
                                   of->now[1],
                                   of->now[2],
                                   of->d,
                                   const_cast<Real *>(of->next[0].values),
                                   const_cast<Real *>(of->next[1].values),
                                   const_cast<Real *>(of->next[2].values),
                                   is_along_y ? of->along_columns : of->along_rows,
                                   dt,
                                   gravity,
                                   of->width,
                                   of->height,
                                   of->pitch};
    solve_kernel<Real, has_inverses, has_textures, is_along_y>
        <<<blocks_of(*of, block), block, 0, stream>>>(view);
}

template <typename Real> template <bool is_along_y> void sea<Real>::solve(layout<Real> *of)
{
    mark(TSUNAMI_LADDER_SOLVER);
    if (rung.has_textures)
        launch_solver<true, true, is_along_y>(of);
    else if (rung.has_inverses)
        launch_solver<true, false, is_along_y>(of);
    else
        launch_solver<false, false, is_along_y>(of);
    for (int k = 0; k < 3; k++) {
        const source<Real> now = of->now[k];
        of->now[k] = of->next[k];
        of->next[k] = now;
    }
}

template <typename Real> template <conversion what> void sea<Real>::convert(const layout<Real> &of)
{
    const fields<Real> f = {const_cast<Real *>(of.now[0].values),
                            const_cast<Real *>(of.now[1].values),
                            const_cast<Real *>(of.now[2].values),
                            const_cast<Real *>(of.d.values),
                            of.width,
                            of.height,
                            of.pitch};
    mark(TSUNAMI_LADDER_CONVERSIONS);
    convert_kernel<Real, what><<<blocks_of(of, block), block, 0, stream>>>(f, gravity);
}

template <typename Real>
void sea<Real>::transpose(const source<Real> &from, const layout<Real> &as, const source<Real> &to,
                          int to_pitch)
{
    const dim3 square(tile, tile);
    mark(TSUNAMI_LADDER_TRANSPOSES);
    transpose_kernel<<<blocks_of(as, square), square, 0, stream>>>(from.values, as.width, as.height, as.pitch,
                                                                   const_cast<Real *>(to.values), to_pitch);
}

// Invariants have been turned before; of velocities, what runs along the lines of one layout runs across
// those of the other.
template <typename Real> void sea<Real>::turn(const layout<Real> &from, const layout<Real> &to)
{
    const int along = rung.keeps_invariants ? 1 : 2;
    transpose(from.now[0], from, to.now[0], to.pitch);
    transpose(from.now[1], from, to.now[along], to.pitch);
    transpose(from.now[2], from, to.now[3 - along], to.pitch);
}

template <typename Real> void sea<Real>::sweep_and_turn(layout<Real> *from, const layout<Real> &to)
{
    if (!rung.keeps_invariants)
        convert<TO_INVARIANTS>(*from);
    solve<false>(from);
    if (rung.keeps_invariants)
        convert<TURN>(*from);
    else
        convert<FROM_INVARIANTS>(*from);
    turn(*from, to);
}

template <typename Real> enum status sea<Real>::step(int count, double *seconds)
{
    cudaError_t error = cudaSetDevice(device);
    is_timed = seconds != nullptr;
    for (int k = 0; k < count && error == cudaSuccess; k++) {
        if (rung.has_two_solvers) {
            solve<false>(&rows);
            solve<true>(&rows);
        } else {
            sweep_and_turn(&rows, columns);
            sweep_and_turn(&columns, rows);
        }
        error = cudaGetLastError();
        if (error == cudaSuccess && is_timed)
            error = add_marks(seconds);
    }
    is_timed = false;
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(stream);
    return status_of(rung, error);
}

template <typename Real> enum status sea<Real>::read(double *values)
{
    const size_t nodes = static_cast<size_t>(rows.width) * rows.height, bytes = rows.width * sizeof(Real);
    const source<Real> from[] = {rows.now[0], rows.now[1], rows.now[2], rows.d};
    std::vector<Real> lists[4];
    cudaError_t error = cudaSetDevice(device);
    for (int k = 0; k < 4 && error == cudaSuccess; k++) {
        lists[k].resize(nodes);
        error = cudaMemcpy2DAsync(lists[k].data(), bytes, from[k].values, rows.pitch * sizeof(Real), bytes,
                                  rows.height, cudaMemcpyDeviceToHost, stream);
        if (error == cudaSuccess)
            error = cudaStreamSynchronize(stream);
    }
    for (size_t k = 0; k < nodes && error == cudaSuccess; k++) {
        const most_node<double> node = {lists[0][k], lists[1][k], lists[2][k], lists[3][k]};
        const bool is_wet = node.d > 0, has_invariants = rung.keeps_invariants;
        values[k] = !is_wet ? NAN : has_invariants ? most_elevation<double>(node, gravity) : node.p;
        values[nodes + k] = has_invariants ? most_turned(node).ut : node.q;
        values[2 * nodes + k] = node.ut;
    }
    return status_of(rung, error);
}

// ---- the rungs

enum status open_sea(const program &rung, const struct ladder_case *wanted,
                     const struct tsunami_ladder_ocean *ocean, void **state)
{
    any_sea *made = nullptr;
    if (wanted->precision == ELEMENT_F32)
        made = new (std::nothrow) sea<float>(rung);
    else
        made = new (std::nothrow) sea<double>(rung);
    *state = made;
    return made ? made->open(*wanted, *ocean) : FAIL(STATUS_SYSTEM, "rung %s: no memory", rung.name);
}

enum status step_sea(void *state, int count)
{
    return static_cast<any_sea *>(state)->step(count, nullptr);
}

enum status read_sea(void *state, double *values)
{
    return static_cast<any_sea *>(state)->read(values);
}

void destroy_sea(void *state)
{
    delete static_cast<any_sea *>(state);
}

enum status time_sea(void *state, int count, double seconds[LADDER_STAGES_MAX])
{
    for (int k = 0; k < TSUNAMI_LADDER_STAGES; k++)
        seconds[k] = 0;
    return static_cast<any_sea *>(state)->step(count, seconds);
}

const int shapes[][LADDER_AXES] = {{8, 8, 1},  {16, 16, 1}, {32, 4, 1}, {32, 8, 1},
                                   {64, 4, 1}, {256, 1, 1}, {0, 0, 0}};

constexpr struct ladder_rung head_of(const char *name, const char *summary,
                                     enum status (*create)(const struct ladder_case *, void **))
{
    struct ladder_rung head = {};
    head.name = name;
    head.summary = summary;
    head.differs = tsunami_ladder_differs;
    head.is_device = true;
    head.precisions = LADDER_SINGLE | LADDER_DOUBLE;
    head.block[0] = head.block[1] = tile;
    head.block[2] = 1;
    head.shapes = shapes;
    head.create = create;
    head.step = step_sea;
    head.read = read_sea;
    head.destroy = destroy_sea;
    head.stages = tsunami_ladder_stages;
    head.time_stages = time_sea;
    return head;
}

} // namespace

// A rung by its name, what is new, and what tells it apart.
#define DEVICE_RUNG(which, name, summary, ...)                                                               \
    static enum status open_##which(const struct ladder_case *wanted,                                        \
                                    const struct tsunami_ladder_ocean *ocean, void **state)                  \
    {                                                                                                        \
        return open_sea({name, __VA_ARGS__}, wanted, ocean, state);                                          \
    }                                                                                                        \
    static enum status create_##which(const struct ladder_case *wanted, void **state)                        \
    {                                                                                                        \
        return tsunami_ladder_create(&tsunami_rung_##which, wanted, state);                                  \
    }                                                                                                        \
    extern const struct tsunami_rung tsunami_rung_##which = {head_of(name, summary, create_##which),         \
                                                             open_##which}

// Keeps the invariants, has inverses, two solvers, padded rows, textures.
DEVICE_RUNG(gpu_transposes, "gpu-transposes", "sweeps with three transposes", false, false, false, false,
            false);
DEVICE_RUNG(gpu_invariants, "gpu-invariants", "invariants kept between steps", true, false, false, false,
            false);
DEVICE_RUNG(gpu_multiplied, "gpu-multiplied", "inverses in place of divisions", true, true, false, false,
            false);
DEVICE_RUNG(gpu_two_solvers, "gpu-two-solvers", "a second solver along y, no transposes", true, true, true,
            false, false);
DEVICE_RUNG(gpu_padded, "gpu-padded", "rows padded to the alignment", true, true, true, true, false);
DEVICE_RUNG(gpu_textures, "gpu-textures", "read through textures", true, true, true, true, true);
