// Resources of this machine for a batch (see the header).
#include "batch/resources.h"

#include "core/memory_plan.h"
#include "gpu/device.h"
#include "io/path.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

// Share of the free memory that the runs' plans may take; the processes need the rest.
static const double memory_share = 0.95;

static int container_cores(void)
{
    double quota, period;
    FILE *file = fopen("/sys/fs/cgroup/cpu.max", "r");
    if (!file)
        return INT_MAX;
    const bool is_limited =
        fscanf(file, "%lf %lf", &quota, &period) == 2 && quota > 0 && period > 0; // else "max"
    fclose(file);
    return is_limited ? (int)(quota / period + 0.5) : INT_MAX;
}

static int affinity_cores(void)
{
    enum { CPUS_MAX = 8192 };
    cpu_set_t *set = CPU_ALLOC(CPUS_MAX);
    const size_t bytes = CPU_ALLOC_SIZE(CPUS_MAX);
    int cores = INT_MAX;
    if (set && sched_getaffinity(0, bytes, set) == 0)
        cores = CPU_COUNT_S(bytes, set);
    CPU_FREE(set);
    return cores == INT_MAX ? (int)sysconf(_SC_NPROCESSORS_ONLN) : cores;
}

static int min(int a, int b)
{
    return a < b ? a : b;
}

// The number of cores that this process may use, at least 1: the least of its affinity, of its container
// (cgroup v2, whole cores), and of its Slurm task (SLURM_CPUS_PER_TASK).
static int usable_cores(void)
{
    const char *task = getenv("SLURM_CPUS_PER_TASK");
    const int slurm = task && atoi(task) > 0 ? atoi(task) : INT_MAX;
    const int cores = min(min(affinity_cores(), container_cores()), slurm);
    return cores > 1 ? cores : 1;
}

// Runs in a process of its own.
static void ask_devices(int output)
{
    size_t bytes[PLACEMENT_DEVICES_MAX];
    char text[1024];
    int count = gpu_describe(text, sizeof text);
    count = min(count, PLACEMENT_DEVICES_MAX);
    for (int k = 0; k < count; k++)
        bytes[k] = gpu_free_bytes(k);
    const size_t length = (size_t)count * sizeof *bytes;
    _exit(write(output, bytes, length) == (ssize_t)length ? 0 : 1);
}

// If the probe fails there are no devices: runs that need one then report why.
static enum status probe_devices(struct placement_resources *resources)
{
    int pipe_ends[2];
    if (pipe(pipe_ends) != 0)
        return FAIL(STATUS_SYSTEM, "cannot create a pipe: %s", strerror(errno));
    const pid_t batch = getpid(), child = fork();
    if (child == 0) {
        // The probe is killed with its batch. Standard input becomes the pipe, to which the probe writes.
        if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != batch ||
            dup2(pipe_ends[1], STDIN_FILENO) < 0)
            _exit(1);
        // Closes the batch's lock files, so that a probe that hangs does not keep them locked.
        closefrom(STDERR_FILENO + 1);
        ask_devices(STDIN_FILENO);
    }
    close(pipe_ends[1]);
    const ssize_t length =
        child > 0 ? read(pipe_ends[0], resources->device_bytes, sizeof resources->device_bytes) : 0;
    close(pipe_ends[0]);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
    resources->device_count = length > 0 ? (int)((size_t)length / sizeof *resources->device_bytes) : 0;
    return STATUS_OK;
}

enum status batch_resources_measure(const struct batch_queue *queue, struct placement_resources *resources,
                                    size_t *device_free)
{
    static struct memory_plan plan; // too large for a stack
    const struct batch_limits *limits = &queue->limits;
    uint64_t disk;
    memory_plan_begin(&plan);
    const size_t available = plan.allocators[MEMORY_HOST].available(plan.allocators[MEMORY_HOST].context);
    CHECK(path_free_bytes(queue->directory, &disk));
    *resources = (struct placement_resources){.cores = usable_cores(), .disk_bytes = (double)disk};
    if (limits->cores > 0 && (limits->may_exceed || limits->cores < resources->cores))
        resources->cores = limits->cores;
    resources->jobs = limits->jobs > 0 ? limits->jobs : resources->cores;
    resources->host_bytes = available == SIZE_MAX ? SIZE_MAX : (size_t)(memory_share * (double)available);
    resources->host_bytes =
        limits->host_bytes < resources->host_bytes ? limits->host_bytes : resources->host_bytes;
    if (gpu_is_compiled())
        CHECK(probe_devices(resources));
    memcpy(device_free, resources->device_bytes, sizeof resources->device_bytes);
    for (int k = 0; k < resources->device_count; k++)
        if (limits->device_bytes < resources->device_bytes[k])
            resources->device_bytes[k] = limits->device_bytes;
    return STATUS_OK;
}

const char *batch_resources_device_name(int device, char *text, size_t bytes)
{
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    for (int k = 0; visible && k < device; k++) {
        visible = strchr(visible, ',');
        visible = visible ? visible + 1 : NULL;
    }
    if (visible)
        snprintf(text, bytes, "%.*s", (int)strcspn(visible, ","), visible);
    else
        snprintf(text, bytes, "%d", device);
    return text;
}
