// See device.h: the arrays of the device's rungs, and the rungs.
#include "bench/ladder/bioheat/device.h"

#include <stdlib.h>
#include <string.h>

static enum status checked(cudaError_t error, const char *what)
{
    return error == cudaSuccess
               ? STATUS_OK
               : FAIL(STATUS_SYSTEM, "the GPU refused %s: %s", what, cudaGetErrorString(error));
}

// ---- what a device can do

static enum status limit_of(const struct heat_ladder_device *device, enum cudaDeviceAttr attribute,
                            size_t *limit)
{
    int value = 0;
    CHECK(checked(cudaDeviceGetAttribute(&value, attribute, device->number), "a question about it"));
    *limit = (size_t)value;
    return STATUS_OK;
}

static enum status check_block(const struct heat_ladder_device *device)
{
    const int *block = device->block;
    size_t limit, bytes;
    for (int axis = 0; axis < LADDER_AXES; axis++)
        if (block[axis] < 1 || block[axis] < device->kernel->least_threads || block[axis] > 1024)
            return FAIL(STATUS_SYSTEM, "it has no blocks of %d x %d x %d threads", block[0], block[1],
                        block[2]);
    if ((long long)block[0] * block[1] * block[2] > 1024 || block[2] > 64)
        return FAIL(STATUS_SYSTEM, "%d x %d x %d threads are too many for a block", block[0], block[1],
                    block[2]);
    if (!device->kernel->shared_bytes)
        return STATUS_OK;
    bytes = device->kernel->shared_bytes(block);
    CHECK(limit_of(device, cudaDevAttrMaxSharedMemoryPerBlockOptin, &limit));
    return bytes <= limit ? STATUS_OK
                          : FAIL(STATUS_SYSTEM,
                                 "blocks of %d x %d x %d need %zu bytes of shared memory, the device has %zu",
                                 block[0], block[1], block[2], bytes, limit);
}

static enum status check_texture(const struct heat_ladder_device *device, size_t points)
{
    size_t limit;
    if (device->kernel->memory != HEAT_TEXTURE_1D)
        return STATUS_OK;
    CHECK(limit_of(device, cudaDevAttrMaxTexture1DLinearWidth, &limit));
    return points <= limit
               ? STATUS_OK
               : FAIL(STATUS_SYSTEM, "a 1-D texture has at most %zu points here, the grid has %zu", limit,
                      points);
}

// ---- arrays

static size_t bytes_of(const struct heat_ladder_device *device)
{
    return (size_t)device->planes * (size_t)device->rows * (size_t)device->columns * sizeof(float);
}

static enum status make_view(struct heat_ladder_device *device, int k)
{
    struct cudaResourceDesc resource = {.resType = cudaResourceTypeLinear};
    const struct cudaTextureDesc how = {.readMode = cudaReadModeElementType};
    if (device->kernel->memory == HEAT_TEXTURE_1D) {
        resource.res.linear.devPtr = device->values[k];
        resource.res.linear.desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
        resource.res.linear.sizeInBytes = bytes_of(device);
    } else {
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = device->arrays[k];
        CHECK(checked(cudaCreateSurfaceObject(&device->surfaces[k], &resource), "a surface"));
    }
    return checked(cudaCreateTextureObject(&device->textures[k], &resource, &how, NULL), "a texture");
}

static enum status make_array(struct heat_ladder_device *device, int k)
{
    const struct cudaChannelFormatDesc channel =
        cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    const struct cudaExtent extent = {(size_t)device->columns, (size_t)device->rows, (size_t)device->planes};
    return checked(cudaMalloc3DArray(&device->arrays[k], &channel, extent, cudaArraySurfaceLoadStore),
                   "an array of three axes");
}

static enum status reserve(struct heat_ladder_device *device)
{
    CHECK(checked(cudaStreamCreate(&device->stream), "a stream"));
    CHECK(checked(cudaMalloc((void **)&device->coefficient, bytes_of(device)), "memory for coefficients"));
    for (int k = 0; k < (device->kernel->has_one_array ? 1 : 2); k++) {
        if (device->kernel->memory == HEAT_ARRAYS)
            CHECK(make_array(device, k));
        else
            CHECK(checked(cudaMalloc((void **)&device->values[k], bytes_of(device)), "memory for a grid"));
        if (device->kernel->memory != HEAT_LINEAR)
            CHECK(make_view(device, k));
    }
    return STATUS_OK;
}

// Between an array of three axes and a host's, either way.
static enum status copy_array(const struct heat_ladder_device *device, int k, float *host,
                              enum cudaMemcpyKind kind)
{
    const struct cudaPitchedPtr linear = {host, (size_t)device->columns * sizeof(float),
                                          (size_t)device->columns, (size_t)device->rows};
    struct cudaMemcpy3DParms copy = {
        .extent = {(size_t)device->columns, (size_t)device->rows, (size_t)device->planes}, .kind = kind};
    if (kind == cudaMemcpyHostToDevice) {
        copy.srcPtr = linear;
        copy.dstArray = device->arrays[k];
    } else {
        copy.srcArray = device->arrays[k];
        copy.dstPtr = linear;
    }
    CHECK(checked(cudaMemcpy3DAsync(&copy, device->stream), "a copy"));
    return checked(cudaStreamSynchronize(device->stream), "a copy");
}

static enum status copy_linear(const struct heat_ladder_device *device, void *to, const void *from,
                               enum cudaMemcpyKind kind)
{
    CHECK(checked(cudaMemcpyAsync(to, from, bytes_of(device), kind, device->stream), "a copy"));
    return checked(cudaStreamSynchronize(device->stream), "a copy");
}

enum status heat_ladder_device_set(void *state, const float *temperature, const float *coefficient)
{
    const struct heat_ladder_device *device = state;
    CHECK(copy_linear(device, device->coefficient, coefficient, cudaMemcpyHostToDevice));
    for (int k = 0; k < (device->kernel->has_one_array ? 1 : 2); k++)
        if (device->kernel->memory == HEAT_ARRAYS)
            CHECK(copy_array(device, k, (float *)temperature, cudaMemcpyHostToDevice));
        else
            CHECK(copy_linear(device, device->values[k], temperature, cudaMemcpyHostToDevice));
    return STATUS_OK;
}

// ---- a rung's functions

static enum status create(const struct ladder_case *wanted, const struct heat_ladder_kernel *kernel,
                          void **state)
{
    float *temperature, *coefficient;
    CHECK(heat_ladder_check(wanted));
    struct heat_ladder_device *device = calloc(1, sizeof *device);
    *state = device;
    if (!device)
        return FAIL(STATUS_SYSTEM, "no memory for a rung");
    device->kernel = kernel;
    device->number = wanted->device;
    device->planes = (int)wanted->size[0];
    device->rows = (int)wanted->size[1];
    device->columns = (int)wanted->size[2];
    memcpy(device->block, wanted->block, sizeof device->block);
    CHECK(checked(cudaSetDevice(device->number), "its use"));
    CHECK(check_block(device));
    CHECK(check_texture(device, heat_ladder_points(wanted)));
    CHECK(reserve(device));
    CHECK(heat_ladder_make_start(wanted, &temperature, &coefficient));
    const enum status status = heat_ladder_device_set(device, temperature, coefficient);
    free(temperature);
    free(coefficient);
    return status;
}

static enum status step(void *state, int count)
{
    struct heat_ladder_device *device = state;
    CHECK(checked(device->kernel->advance(device, count), "a step"));
    return checked(cudaStreamSynchronize(device->stream), "a step");
}

static enum status read_values(void *state, double *values)
{
    const struct heat_ladder_device *device = state;
    const size_t points = bytes_of(device) / sizeof(float);
    float *copy = malloc(bytes_of(device));
    if (!copy)
        return FAIL(STATUS_SYSTEM, "no memory for %zu bytes of a rung's points", bytes_of(device));
    const enum status status =
        device->kernel->memory == HEAT_ARRAYS
            ? copy_array(device, device->now, copy, cudaMemcpyDeviceToHost)
            : copy_linear(device, copy, device->values[device->now], cudaMemcpyDeviceToHost);
    for (size_t k = 0; status == STATUS_OK && k < points; k++)
        values[k] = copy[k];
    free(copy);
    return status;
}

static void destroy(void *state)
{
    struct heat_ladder_device *device = state;
    for (int k = 0; k < 2; k++) {
        if (device->textures[k])
            cudaDestroyTextureObject(device->textures[k]);
        if (device->surfaces[k])
            cudaDestroySurfaceObject(device->surfaces[k]);
        cudaFreeArray(device->arrays[k]);
        cudaFree(device->values[k]);
    }
    cudaFree(device->coefficient);
    if (device->stream)
        cudaStreamDestroy(device->stream);
    free(device);
}

// ---- the rungs

// Those of the thesis; in shared memory what goes into it.
static const int shapes[][LADDER_AXES] = {{8, 8, 8}, {16, 8, 8}, {32, 8, 4}, {0}};
static const int coloured_shapes[][LADDER_AXES] = {{8, 8, 8}, {16, 8, 8}, {0}};

// A rung `heat_ladder_gpu_NAME` with its kernel; further members of struct ladder_rung follow.
#define RUNG(id, KERNEL, ...)                                                                                \
    static enum status create_##id(const struct ladder_case *wanted, void **state)                           \
    {                                                                                                        \
        static const struct heat_ladder_kernel kernel = KERNEL;                                              \
        return create(wanted, &kernel, state);                                                               \
    }                                                                                                        \
    const struct ladder_rung heat_ladder_gpu_##id = {.is_device = true,                                      \
                                                     .precisions = LADDER_SINGLE,                            \
                                                     .create = create_##id,                                  \
                                                     .step = step,                                           \
                                                     .read = read_values,                                    \
                                                     .destroy = destroy,                                     \
                                                     __VA_ARGS__}
#define KERNEL(...)                                                                                          \
    {                                                                                                        \
        __VA_ARGS__                                                                                          \
    }

RUNG(naive, KERNEL(.advance = heat_ladder_naive_advance), .name = "gpu-naive",
     .summary = "a thread a point, from global memory", .block = {32, 8, 4}, .shapes = shapes);
RUNG(naive_colours, KERNEL(.has_one_array = true, .advance = heat_ladder_naive_colours_advance),
     .name = "gpu-naive-colours", .summary = "one array, a launch for each of 3 colours", .block = {32, 8, 4},
     .shapes = shapes);
RUNG(shared,
     KERNEL(.least_threads = HEAT_RIM, .advance = heat_ladder_shared_advance,
            .shared_bytes = heat_ladder_shared_bytes),
     .name = "gpu-shared",
     .summary = "a block's points in shared memory; threads at its sides load the borders",
     .block = {32, 8, 4}, .shapes = shapes);
RUNG(shared_borders,
     KERNEL(.advance = heat_ladder_shared_borders_advance, .shared_bytes = heat_ladder_shared_bytes),
     .name = "gpu-shared-borders", .summary = "all threads load points and borders in turns",
     .differs = "how the thesis' other loading goes is not known", .block = {32, 8, 4}, .shapes = shapes);
RUNG(shared_8, KERNEL(.advance = heat_ladder_shared_8_advance, .shared_bytes = heat_ladder_shared_8_bytes),
     .name = "gpu-shared-8", .summary = "8 points a thread, one above the other",
     .differs = "where a thread's 8 points lie in the thesis is not known", .block = {32, 8, 1});
RUNG(shared_colours,
     KERNEL(.has_one_array = true, .advance = heat_ladder_shared_colours_advance,
            .shared_bytes = heat_ladder_shared_colours_bytes),
     .name = "gpu-shared-colours", .summary = "one array, a launch for each colour, through shared memory",
     .block = {32, 8, 4}, .shapes = shapes);
RUNG(texture_1d, KERNEL(.memory = HEAT_TEXTURE_1D, .advance = heat_ladder_texture_1d_advance),
     .name = "gpu-texture-1d", .summary = "read through a texture over global memory", .block = {32, 8, 4},
     .shapes = shapes);
RUNG(texture_3d, KERNEL(.memory = HEAT_ARRAYS, .advance = heat_ladder_texture_3d_advance),
     .name = "gpu-texture-3d", .summary = "read through a 3-D texture",
     .differs = "written through a surface; the thesis' way is not known", .block = {32, 8, 4},
     .shapes = shapes);
RUNG(surface, KERNEL(.memory = HEAT_ARRAYS, .advance = heat_ladder_surface_advance), .name = "gpu-surface",
     .summary = "read and written through 3-D surfaces", .block = {32, 8, 4}, .shapes = shapes);
RUNG(fused, KERNEL(.advance = heat_ladder_fused_advance, .shared_bytes = heat_ladder_fused_bytes),
     .name = "gpu-fused", .summary = "3 steps in shared memory, with what overlaps",
     .differs = "the thesis' tiles are not known; operations here are all that are made", .block = {8, 8, 8},
     .shapes = shapes, .count = heat_ladder_fused_count);
RUNG(
    fused_colours,
    KERNEL(.advance = heat_ladder_fused_colours_advance, .shared_bytes = heat_ladder_fused_colours_bytes),
    .name = "gpu-fused-colours", .summary = "3 steps of 3 colours in shared memory, with what overlaps",
    .differs = "two arrays, and every point is that of the colouring: 187 KB a block, where a GTX 580 has 48",
    .block = {8, 8, 8}, .shapes = coloured_shapes, .count = heat_ladder_fused_colours_count);
