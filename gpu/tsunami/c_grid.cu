// The kernels of `c-grid-6`, in both precisions.
#include "gpu/tsunami/c_grid_elevation.cuh"
#include "gpu/tsunami/c_grid_velocities.cuh"

using namespace tsunami::staggered;

enum { THREADS = 128 };

// Thread blocks for the indices −`beyond` … n − 1 + `after` along both axes, along y about the own rows. Rows
// are along gridDim.x, which has the larger limit.
template <typename Real> static dim3 blocks_of(const c_level<Real> &level, int beyond, int after)
{
    return dim3((unsigned)(level.end_own - level.first_own + beyond + after),
                (unsigned)(level.nx + beyond + after + THREADS - 1) / THREADS);
}

// Launches the kernels up to the velocities at the time of η.
template <typename Real> static void launch_now(const c_level<Real> &level, cudaStream_t stream)
{
    plain_first<<<blocks_of(level, BEYOND_FIRST, BEYOND_FIRST), THREADS, 0, stream>>>(level);
    plain_now<<<blocks_of(level, BEYOND_NOW, BEYOND_NOW), THREADS, 0, stream>>>(level);
}

extern "C" cudaError_t tsunami_launch_c_plain_velocities(const struct tsunami_c_grid_view *view,
                                                         cudaStream_t stream)
{
    return with_c_level(*view, [&](const auto &level) {
        launch_now(level, stream);
        plain_heads<<<blocks_of(level, BEYOND_HEAD, BEYOND_HEAD), THREADS, 0, stream>>>(level);
        plain_velocities<<<blocks_of(level, 1, 0), THREADS, 0, stream>>>(level);
    });
}

extern "C" cudaError_t tsunami_launch_c_plain_elevation(const struct tsunami_c_grid_view *view,
                                                        cudaStream_t stream)
{
    return with_c_level(*view, [&](const auto &level) {
        plain_middle<<<blocks_of(level, BEYOND_MIDDLE, BEYOND_MIDDLE), THREADS, 0, stream>>>(level);
        plain_fluxes<<<blocks_of(level, BEYOND_FLUX, BEYOND_FLUX), THREADS, 0, stream>>>(level);
        plain_elevation<<<blocks_of(level, 0, 0), THREADS, 0, stream>>>(level);
    });
}

extern "C" cudaError_t tsunami_launch_c_plain_nodes(const struct tsunami_c_grid_view *view,
                                                    cudaStream_t stream)
{
    return with_c_level(*view, [&](const auto &level) {
        launch_now(level, stream);
        plain_nodes<<<blocks_of(level, 0, 0), THREADS, 0, stream>>>(level);
    });
}

extern "C" cudaError_t tsunami_launch_c_record(const struct tsunami_c_grid_view *view,
                                               const struct device_records *records, float time_s,
                                               cudaStream_t stream)
{
    return with_c_level(*view, [&](const auto &level) {
        record_state<<<blocks_of(level, 0, 0), THREADS, 0, stream>>>(level, *records, time_s);
    });
}

extern "C" cudaError_t tsunami_launch_c_halo(const struct tsunami_c_grid_view *view, void *field,
                                             enum c_grid_beyond kind, cudaStream_t stream)
{
    return with_c_level(*view, [&](const auto &level) {
        using Real = std::remove_const_t<decltype(level.step)>;
        fill_halo<<<blocks_of(level, 1, 0), THREADS, 0, stream>>>(level, static_cast<Real *>(field), kind);
    });
}

extern "C" cudaError_t tsunami_launch_c_faces(const struct tsunami_c_grid_view *view, cudaStream_t stream)
{
    return with_c_level(
        *view, [&](const auto &level) { set_faces<<<blocks_of(level, 1, 0), THREADS, 0, stream>>>(level); });
}

extern "C" cudaError_t tsunami_launch_c_half_back(const struct tsunami_c_grid_view *view, cudaStream_t stream)
{
    return with_c_level(*view, [&](const auto &level) {
        take_half_back<<<blocks_of(level, 0, 0), THREADS, 0, stream>>>(level);
    });
}

extern "C" cudaError_t tsunami_launch_c_unlift(const struct tsunami_c_grid_view *view, cudaStream_t stream)
{
    return with_c_level(*view, [&](const auto &level) {
        press_lift<<<blocks_of(level, BEYOND_HEAD, BEYOND_HEAD), THREADS, 0, stream>>>(level);
        unlift<<<blocks_of(level, 0, 0), THREADS, 0, stream>>>(level);
    });
}

// Calls launch(level, tiles), unless all nodes are land.
template <typename Launch>
static cudaError_t with_c_tiles(const struct tsunami_c_grid_view *view, const struct c_grid_tiles *t,
                                const Launch &launch)
{
    if (t->count == 0)
        return cudaSuccess;
    return with_c_level(*view, [&](const auto &level) {
        launch(level, c_tiles{t->list, t->skips, t->moving, t->awake, t->has_land, t->computed});
    });
}

// Allows each kernel the shared memory of a `Shared`.
template <typename Shared, typename... Kernels> static cudaError_t allow_shared(Kernels... each)
{
    cudaError_t error = cudaSuccess;
    ((error = error != cudaSuccess ? error
                                   : cudaFuncSetAttribute(each, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                          (int)sizeof(Shared))),
     ...);
    return error;
}

extern "C" cudaError_t tsunami_prepare_c_tiles(enum element precision)
{
    return kernels::with_real(precision, [](auto real) {
        using Real = decltype(real);
        const cudaError_t error = allow_shared<velocity_shared<Real>>(
            tiled_velocities<true, NODES_RECORDED, Real>, tiled_velocities<false, NODES_RECORDED, Real>,
            tiled_velocities<true, NODES_UNUSED, Real>, tiled_velocities<false, NODES_UNUSED, Real>,
            tiled_velocities<false, NODES_STORED, Real>);
        return error != cudaSuccess ? error
                                    : allow_shared<elevation_shared<Real>>(tiled_elevation<true, Real>,
                                                                           tiled_elevation<false, Real>);
    });
}

// Launches a kernel of tiles with the shared memory of a `Shared`.
template <typename Shared, typename... Parameters, typename... Arguments>
static void launch_tiles(void (*kernel)(Parameters...), int blocks, cudaStream_t stream,
                         const Arguments &...arguments)
{
    kernel<<<blocks, C_TILE_THREADS, sizeof(Shared), stream>>>(arguments...);
}

extern "C" cudaError_t tsunami_launch_c_velocities(const struct tsunami_c_grid_view *view,
                                                   const struct c_grid_tiles *tiles,
                                                   const struct device_records *records, cudaStream_t stream)
{
    const struct device_records none = {};
    return with_c_tiles(view, tiles, [&](const auto &level, const c_tiles &t) {
        using Real = std::remove_const_t<decltype(level.step)>;
        const auto launch = [&](auto kernel, const struct device_records &of) {
            launch_tiles<velocity_shared<Real>>(kernel, tiles->count, stream, level, of, t);
        };
        const bool has_friction = level.friction > 0;
        if (records && has_friction)
            launch(tiled_velocities<true, NODES_RECORDED, Real>, *records);
        else if (records)
            launch(tiled_velocities<false, NODES_RECORDED, Real>, *records);
        else if (has_friction)
            launch(tiled_velocities<true, NODES_UNUSED, Real>, none);
        else
            launch(tiled_velocities<false, NODES_UNUSED, Real>, none);
    });
}

extern "C" cudaError_t tsunami_launch_c_elevation(const struct tsunami_c_grid_view *view,
                                                  const struct c_grid_tiles *tiles,
                                                  const struct device_records *records, float time_s,
                                                  cudaStream_t stream)
{
    const struct device_records none = {};
    return with_c_tiles(view, tiles, [&](const auto &level, const c_tiles &t) {
        using Real = std::remove_const_t<decltype(level.step)>;
        const auto launch = [&](auto kernel, const struct device_records &of) {
            launch_tiles<elevation_shared<Real>>(kernel, tiles->count * C_TILE_PARTS, stream, level, of, t,
                                                 time_s);
        };
        if (records)
            launch(tiled_elevation<true, Real>, *records);
        else
            launch(tiled_elevation<false, Real>, none);
    });
}

extern "C" cudaError_t tsunami_launch_c_nodes(const struct tsunami_c_grid_view *view,
                                              const struct c_grid_tiles *tiles, cudaStream_t stream)
{
    const struct device_records none = {};
    return with_c_tiles(view, tiles, [&](const auto &level, const c_tiles &t) {
        using Real = std::remove_const_t<decltype(level.step)>;
        launch_tiles<velocity_shared<Real>>(tiled_velocities<false, NODES_STORED, Real>, tiles->count, stream,
                                            level, none, t);
    });
}

extern "C" cudaError_t tsunami_launch_c_inspection(const struct tsunami_c_grid_view *view,
                                                   const struct c_grid_tiles *tiles, cudaStream_t stream)
{
    return with_c_tiles(view, tiles, [&](const auto &level, const c_tiles &t) {
        tiled_inspection<<<tiles->count, C_TILE_THREADS, 0, stream>>>(level, t);
    });
}
