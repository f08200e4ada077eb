// A device that cannot be used: this build has no code for it, or another process holds it. The CUDA
// runtime's answers are the test's (the linker's --wrap), so it runs on any machine with a build for CUDA.
#include "core/log.h"
#include "gpu/device.h"
#include "gpu/memory.h"
#include "models/tsunami/solver.h"
#include "tests/support/test.h"

// ---- a machine with three devices

enum { DEVICES = 3, OLD = 0, FINE = 1, BUSY = 2 };

static struct {
    int current, probes, last_errors, queries_not_ready;
    bool is_busy;
} machine;

cudaError_t __wrap_cudaDriverGetVersion(int *version);
cudaError_t __wrap_cudaGetDeviceCount(int *count);
cudaError_t __wrap_cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device);
cudaError_t __wrap_cudaGetDeviceProperties_v2(struct cudaDeviceProp *properties, int device);
cudaError_t __wrap_cudaSetDevice(int device);
cudaError_t __wrap_cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *kernel);
cudaError_t __wrap_cudaGetLastError(void);
cudaError_t __wrap_cudaEventQuery(cudaEvent_t event);

cudaError_t __wrap_cudaDriverGetVersion(int *version)
{
    *version = 13000;
    return cudaSuccess;
}

cudaError_t __wrap_cudaGetDeviceCount(int *count)
{
    *count = DEVICES;
    return cudaSuccess;
}

cudaError_t __wrap_cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device)
{
    memset(properties, 0, sizeof *properties);
    snprintf(properties->name, sizeof properties->name, "Device No. %d", device);
    properties->major = device == OLD ? 7 : 9;
    properties->minor = device == OLD ? 5 : 0;
    properties->totalGlobalMem = (size_t)16 << 30;
    return cudaSuccess;
}

// The same function's name in CUDA 12.
cudaError_t __wrap_cudaGetDeviceProperties_v2(struct cudaDeviceProp *properties, int device)
{
    return __wrap_cudaGetDeviceProperties(properties, device);
}

cudaError_t __wrap_cudaSetDevice(int device)
{
    machine.current = device;
    return device == BUSY && machine.is_busy ? cudaErrorDevicesUnavailable : cudaSuccess;
}

cudaError_t __wrap_cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *kernel)
{
    assert_non_null(kernel);
    memset(attributes, 0, sizeof *attributes);
    machine.probes++;
    return machine.current == OLD ? cudaErrorNoKernelImageForDevice : cudaSuccess;
}

cudaError_t __wrap_cudaGetLastError(void)
{
    machine.last_errors++;
    return cudaSuccess;
}

cudaError_t __wrap_cudaEventQuery(cudaEvent_t event)
{
    return machine.queries_not_ready-- > 0 ? cudaErrorNotReady : cudaSuccess;
}

static const char no_code[] =
    "device 0 (Device No. 0, compute capability 7.5): this build has no code for it";

static int setup(void **state)
{
    memset(&machine, 0, sizeof machine);
    machine.is_busy = true;
    status_clear();
    return 0;
}

static void assert_unusable(int device, const char *expected)
{
    char why[256] = "", message[300];
    assert_false(gpu_is_usable(device, why, sizeof why));
    assert_string_equal(why, expected);
    snprintf(message, sizeof message, "the GPU cannot be used: %s", expected);
    status_clear();
    assert_int_equal(gpu_use(device), STATUS_SYSTEM);
    assert_string_equal(status_message(), message);
}

// ---- tests

TEST(test_a_device_without_code_is_unusable)
{
    char why[256];
    for (int k = 0; k < 3; k++)
        assert_unusable(OLD, no_code);
    assert_int_equal(machine.probes, 1); // a context takes its time: asked once
    assert_true(gpu_is_usable(FINE, why, sizeof why));
    assert_int_equal(gpu_use(FINE), STATUS_OK);
    assert_int_equal(machine.current, FINE);
    assert_int_equal(machine.probes, 2);
    assert_false(gpu_is_absent()); // it is there, and worth a word
}

TEST(test_a_device_in_use_may_be_free_later)
{
    char why[256];
    assert_unusable(BUSY, format_text("device 2 (Device No. 2): CUDA reports: %s",
                                      cudaGetErrorString(cudaErrorDevicesUnavailable)));
    machine.is_busy = false;
    assert_true(gpu_is_usable(BUSY, why, sizeof why));
    assert_unusable(3, "there is no device 3: this machine has 3, numbers 0 to 2");
    assert_unusable(-1, "there is no device -1: this machine has 3, numbers 0 to 2");
}

TEST(test_the_description_of_all_devices)
{
    char text[512], expected[512];
    snprintf(expected, sizeof expected,
             "3 devices: %s; Device No. 1, compute capability 9.0, 16.0 GiB; Device No. 2, compute "
             "capability 9.0, 16.0 GiB",
             no_code);
    machine.is_busy = false;
    assert_int_equal(gpu_describe(text, sizeof text), 2);
    assert_string_equal(text, expected);
    char guarded[32];
    memset(guarded, '#', sizeof guarded);
    assert_int_equal(gpu_describe(guarded, 16), 2); // cut, and nothing written beyond
    assert_string_equal(guarded, "3 devices: devi");
    assert_true(guarded[16] == '#');
}

TEST(test_auto_falls_back_with_a_warning)
{
    gpu_register();
    const size_t before = log_warning_count();
    assert_ptr_equal(backend_find(&tsunami_backends, "auto"), &tsunami_backend_openmp.head);
    assert_int_equal(log_warning_count(), before + 1);
    assert_string_equal(log_warning_text(log_warning_kept() - 1),
                        format_text("back end auto: openmp, because cuda cannot be used here: %s", no_code));
}

// Older runtimes keep "not ready" as the last error, which the next launch would take for its own.
TEST(test_waiting_leaves_no_error_behind)
{
    machine.queries_not_ready = 3;
    assert_int_equal(gpu_wait(NULL), cudaSuccess);
    assert_int_equal(machine.last_errors, 3);
}

TEST_MAIN(setup, NULL)
