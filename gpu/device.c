// The GPUs of this machine (see the header). Independent of models and of the memory plan.
#include "gpu/device.h"

#include "gpu/probe.h"

#include <cuda_runtime_api.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static const double gibibyte = 1024.0 * 1024.0 * 1024.0;

bool gpu_is_compiled(void)
{
    return true;
}

// CUDA writes a version as 1000 × major + 10 × minor.
struct version {
    int major, minor;
};

static struct version version_of(int number)
{
    return (struct version){number / 1000, number % 1000 / 10};
}

static void driver_and_runtime(struct version *driver, struct version *runtime)
{
    int numbers[2] = {0, 0}; // stay 0 where a call fails
    (void)cudaDriverGetVersion(&numbers[0]);
    (void)cudaRuntimeGetVersion(&numbers[1]);
    *driver = version_of(numbers[0]);
    *runtime = version_of(numbers[1]);
}

// The number of devices; if 0, the reason, and whether the hardware or the driver is absent.
static int count_devices(char *why, size_t bytes, bool *is_absent)
{
    int count = 0;
    struct version driver, runtime;
    const cudaError_t error = cudaGetDeviceCount(&count);
    (void)cudaGetLastError(); // a later call must not find it again
    *is_absent = false;
    if (error == cudaSuccess && count > 0)
        return count;
    driver_and_runtime(&driver, &runtime);
    *is_absent = driver.major == 0 || error == cudaSuccess || error == cudaErrorNoDevice;
    if (driver.major == 0)
        snprintf(why, bytes, "no NVIDIA driver is installed");
    else if (*is_absent)
        snprintf(why, bytes, "no NVIDIA device was found");
    else if (error == cudaErrorInsufficientDriver)
        snprintf(why, bytes, "the NVIDIA driver is too old: it supports CUDA %d.%d, this build needs %d.%d",
                 driver.major, driver.minor, runtime.major, runtime.minor);
    else
        snprintf(why, bytes, "CUDA reports: %s", cudaGetErrorString(error));
    return 0;
}

enum { PROBED_MAX = 64 };

static bool lacks_code(cudaError_t error)
{
    return error == cudaErrorNoKernelImageForDevice || error == cudaErrorInvalidDeviceFunction;
}

// The result of loading a kernel of this build on the device. The load creates a context, so the answer is
// stored, unless it may change (a device in exclusive use by another process).
static cudaError_t probe(int device)
{
    static atomic_int answers[PROBED_MAX]; // the error + 1; 0: not probed
    const int known = device < PROBED_MAX ? atomic_load(&answers[device]) : 0;
    if (known != 0)
        return (cudaError_t)(known - 1);
    cudaError_t error = cudaSetDevice(device);
    if (error == cudaSuccess)
        error = gpu_probe();
    (void)cudaGetLastError(); // a later call must not find it again
    if (device < PROBED_MAX && (error == cudaSuccess || lacks_code(error)))
        atomic_store(&answers[device], (int)error + 1);
    return error;
}

// Whether this build can run on an existing device; if not, why.
static bool can_run(int device, char *why, size_t bytes)
{
    struct cudaDeviceProp properties;
    const cudaError_t error = probe(device);
    if (error == cudaSuccess)
        return true;
    if (cudaGetDeviceProperties(&properties, device) != cudaSuccess) {
        (void)cudaGetLastError();
        snprintf(why, bytes, "device %d: CUDA reports: %s", device, cudaGetErrorString(error));
    } else if (lacks_code(error)) {
        snprintf(why, bytes, "device %d (%s, compute capability %d.%d): this build has no code for it",
                 device, properties.name, properties.major, properties.minor);
    } else {
        snprintf(why, bytes, "device %d (%s): CUDA reports: %s", device, properties.name,
                 cudaGetErrorString(error));
    }
    return false;
}

// Appends to a text; what does not fit is cut.
static void __attribute__((format(printf, 3, 4))) append(char *text, size_t bytes, const char *format, ...)
{
    const size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, bytes - length, format, arguments);
    va_end(arguments);
}

int gpu_describe(char *text, size_t bytes)
{
    char why[256];
    bool is_absent;
    const int count = count_devices(why, sizeof why, &is_absent);
    if (count == 0) {
        snprintf(text, bytes, "compiled in, no usable device: %s", why);
        return 0;
    }
    int usable = 0;
    snprintf(text, bytes, "%d device%s", count, count == 1 ? "" : "s");
    for (int device = 0; device < count; device++) {
        struct cudaDeviceProp properties;
        const char *const separator = device == 0 ? ": " : "; ";
        if (!can_run(device, why, sizeof why)) {
            append(text, bytes, "%s%s", separator, why);
            continue;
        }
        usable++;
        if (cudaGetDeviceProperties(&properties, device) == cudaSuccess)
            append(text, bytes, "%s%s, compute capability %d.%d, %.1f GiB", separator, properties.name,
                   properties.major, properties.minor, (double)properties.totalGlobalMem / gibibyte);
    }
    return usable;
}

const char *gpu_instruction_set(void)
{
    return "cuda";
}

bool gpu_is_absent(void)
{
    char why[256];
    bool is_absent;
    (void)count_devices(why, sizeof why, &is_absent);
    return is_absent;
}

bool gpu_is_usable(int device, char *why, size_t bytes)
{
    bool is_absent;
    const int count = count_devices(why, bytes, &is_absent);
    if (count == 0)
        return false;
    if (device >= 0 && device < count)
        return can_run(device, why, bytes);
    if (count == 1)
        snprintf(why, bytes, "there is no device %d: this machine has one, number 0", device);
    else
        snprintf(why, bytes, "there is no device %d: this machine has %d, numbers 0 to %d", device, count,
                 count - 1);
    return false;
}

enum status gpu_use(int device)
{
    char why[256];
    if (!gpu_is_usable(device, why, sizeof why))
        return FAIL(STATUS_SYSTEM, "the GPU cannot be used: %s", why);
    const cudaError_t error = cudaSetDevice(device);
    if (error != cudaSuccess)
        return FAIL(STATUS_SYSTEM, "the GPU cannot be used: device %d: CUDA reports: %s", device,
                    cudaGetErrorString(error));
    return STATUS_OK;
}

size_t gpu_free_bytes(int device)
{
    size_t free_bytes = 0, total_bytes = 0;
    char why[256];
    if (!gpu_is_usable(device, why, sizeof why) || cudaSetDevice(device) != cudaSuccess ||
        cudaMemGetInfo(&free_bytes, &total_bytes) != cudaSuccess)
        return 0;
    return free_bytes;
}

void gpu_describe_one(int device, char *text, size_t bytes)
{
    struct cudaDeviceProp properties;
    struct version driver, runtime;
    snprintf(text, bytes, "%s", "");
    if (cudaGetDeviceProperties(&properties, device) != cudaSuccess) {
        (void)cudaGetLastError();
        return;
    }
    driver_and_runtime(&driver, &runtime);
    snprintf(text, bytes,
             "cuda:%d, %s, compute capability %d.%d, %.1f GiB, %d multiprocessors, %.0f MiB of L2 cache, "
             "driver for CUDA %d.%d, runtime %d.%d",
             device, properties.name, properties.major, properties.minor,
             (double)properties.totalGlobalMem / gibibyte, properties.multiProcessorCount,
             (double)properties.l2CacheSize / (1024.0 * 1024.0), driver.major, driver.minor, runtime.major,
             runtime.minor);
}
