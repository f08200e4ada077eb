// The rungs on a device, with the kernels' launches: naive.cu, shared.cu, texture.cu, fused.cu.
#ifndef FATHOM_BENCH_LADDER_BIOHEAT_DEVICE_H
#define FATHOM_BENCH_LADDER_BIOHEAT_DEVICE_H

#include "bench/ladder/bioheat/heat.h"

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

enum heat_ladder_memory {
    HEAT_LINEAR,
    HEAT_TEXTURE_1D, // linear, read through textures
    HEAT_ARRAYS      // of three axes, read through textures or surfaces
};

// A state. What is not of its memory is 0.
struct heat_ladder_device {
    const struct heat_ladder_kernel *kernel;
    cudaStream_t stream;
    int number;                     // of the device
    int planes, rows, columns;      // points along z, y, x, with their borders
    int block[LADDER_AXES];         // threads along x, y, z
    int now;                        // which of two holds the temperatures; the other takes the next step's
    float *values[2], *coefficient; // [z][y][x]; one array where two are not needed
    cudaArray_t arrays[2];
    cudaTextureObject_t textures[2]; // of values or of arrays
    cudaSurfaceObject_t surfaces[2];
};

// What a rung is on the device.
struct heat_ladder_kernel {
    enum heat_ladder_memory memory;
    bool has_one_array;
    int least_threads; // along each axis of a block, more than 1
    // Makes `count` steps; returns before they are done.
    cudaError_t (*advance)(struct heat_ladder_device *device, int count);
    size_t (*shared_bytes)(const int block[LADDER_AXES]); // (optional) of a block
};

cudaError_t heat_ladder_naive_advance(struct heat_ladder_device *device, int count);
cudaError_t heat_ladder_naive_colours_advance(struct heat_ladder_device *device, int count);

cudaError_t heat_ladder_shared_advance(struct heat_ladder_device *device, int count);
cudaError_t heat_ladder_shared_borders_advance(struct heat_ladder_device *device, int count);
cudaError_t heat_ladder_shared_8_advance(struct heat_ladder_device *device, int count);
cudaError_t heat_ladder_shared_colours_advance(struct heat_ladder_device *device, int count);
size_t heat_ladder_shared_bytes(const int block[LADDER_AXES]);
size_t heat_ladder_shared_8_bytes(const int block[LADDER_AXES]);
size_t heat_ladder_shared_colours_bytes(const int block[LADDER_AXES]);

cudaError_t heat_ladder_texture_1d_advance(struct heat_ladder_device *device, int count);
cudaError_t heat_ladder_texture_3d_advance(struct heat_ladder_device *device, int count);
cudaError_t heat_ladder_surface_advance(struct heat_ladder_device *device, int count);

cudaError_t heat_ladder_fused_advance(struct heat_ladder_device *device, int count);
cudaError_t heat_ladder_fused_colours_advance(struct heat_ladder_device *device, int count);
size_t heat_ladder_fused_bytes(const int block[LADDER_AXES]);
size_t heat_ladder_fused_colours_bytes(const int block[LADDER_AXES]);
// With the points that several blocks compute.
void heat_ladder_fused_count(const struct ladder_case *wanted, struct ladder_counts *counts);
void heat_ladder_fused_colours_count(const struct ladder_case *wanted, struct ladder_counts *counts);

extern const struct ladder_rung heat_ladder_gpu_naive, heat_ladder_gpu_naive_colours, heat_ladder_gpu_shared,
    heat_ladder_gpu_shared_borders, heat_ladder_gpu_shared_8, heat_ladder_gpu_shared_colours,
    heat_ladder_gpu_texture_1d, heat_ladder_gpu_texture_3d, heat_ladder_gpu_surface, heat_ladder_gpu_fused,
    heat_ladder_gpu_fused_colours;

// Sets a state of these rungs (heat_ladder_set).
enum status heat_ladder_device_set(void *state, const float *temperature, const float *coefficient);

#ifdef __cplusplus
}
#endif

#endif
