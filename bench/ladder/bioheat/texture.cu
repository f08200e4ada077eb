// The rungs that read temperatures through textures and surfaces; coefficients come from global memory.
#include "bench/ladder/bioheat/view.cuh"

namespace heat_ladder {
namespace {

// The point's temperature after a step; read(dx, dy, dz) gives its neighbours.
template <typename Read> __device__ float advanced(const Read &read, float coefficient)
{
    const float here = read(0, 0, 0);
    return heat_ladder_advanced(
        here, coefficient,
        heat_ladder_difference(read(-2, 0, 0), read(-1, 0, 0), here, read(1, 0, 0), read(2, 0, 0)),
        heat_ladder_difference(read(0, -2, 0), read(0, -1, 0), here, read(0, 1, 0), read(0, 2, 0)),
        heat_ladder_difference(read(0, 0, -2), read(0, 0, -1), here, read(0, 0, 1), read(0, 0, 2)));
}

__global__ void __launch_bounds__(BLOCK_MOST) linear_kernel(const view all, cudaTextureObject_t from)
{
    const point p = own_point();
    if (!is_inner(all, p))
        return;
    const int at = place_of(all, p), plane = all.columns * all.rows;
    const auto read = [=](int dx, int dy, int dz) {
        return tex1Dfetch<float>(from, at + dx + dy * all.columns + dz * plane);
    };
    all.to[at] = advanced(read, all.coefficient[at]);
}

// Texels have their values in their middles.
__global__ void __launch_bounds__(BLOCK_MOST)
    texture_kernel(const view all, cudaTextureObject_t from, cudaSurfaceObject_t to)
{
    const point p = own_point();
    if (!is_inner(all, p))
        return;
    const auto read = [=](int dx, int dy, int dz) {
        return tex3D<float>(from, static_cast<float>(p.x + dx) + 0.5f, static_cast<float>(p.y + dy) + 0.5f,
                            static_cast<float>(p.z + dz) + 0.5f);
    };
    surf3Dwrite(advanced(read, all.coefficient[place_of(all, p)]), to, p.x * static_cast<int>(sizeof(float)),
                p.y, p.z);
}

__global__ void __launch_bounds__(BLOCK_MOST)
    surface_kernel(const view all, cudaSurfaceObject_t from, cudaSurfaceObject_t to)
{
    const point p = own_point();
    if (!is_inner(all, p))
        return;
    const auto read = [=](int dx, int dy, int dz) {
        return surf3Dread<float>(from, (p.x + dx) * static_cast<int>(sizeof(float)), p.y + dy, p.z + dz);
    };
    surf3Dwrite(advanced(read, all.coefficient[place_of(all, p)]), to, p.x * static_cast<int>(sizeof(float)),
                p.y, p.z);
}

} // namespace
} // namespace heat_ladder

using namespace heat_ladder;

extern "C" cudaError_t heat_ladder_texture_1d_advance(heat_ladder_device *device, int count)
{
    for (int k = 0; k < count; k++) {
        linear_kernel<<<blocks_over(device), block_of(device), 0, device->stream>>>(
            view_of(device), device->textures[device->now]);
        device->now = 1 - device->now;
    }
    return cudaGetLastError();
}

extern "C" cudaError_t heat_ladder_texture_3d_advance(heat_ladder_device *device, int count)
{
    for (int k = 0; k < count; k++) {
        const int now = device->now;
        texture_kernel<<<blocks_over(device), block_of(device), 0, device->stream>>>(
            view_of(device), device->textures[now], device->surfaces[1 - now]);
        device->now = 1 - now;
    }
    return cudaGetLastError();
}

extern "C" cudaError_t heat_ladder_surface_advance(heat_ladder_device *device, int count)
{
    for (int k = 0; k < count; k++) {
        const int now = device->now;
        surface_kernel<<<blocks_over(device), block_of(device), 0, device->stream>>>(
            view_of(device), device->surfaces[now], device->surfaces[1 - now]);
        device->now = 1 - now;
    }
    return cudaGetLastError();
}
