// The communicator and its thread (see the header).
#include "gpu/nccl_world.h"

#include "core/clock.h"
#include "core/log.h"
#include "core/memory_limits.h"
#include "core/memory_plan.h"
#include "parallel/pulse.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

// start_s: to connect all ranks; close_s: to end. lost_s: an error that may be the loss of a rank is reported
// after this time if the pulse has not named one; other_s: the same of other errors.
static const double nap_s = 0.005, start_s = 120, close_s = 10, lost_s = PULSE_LOST_S + 5, other_s = 5;

// Each channel takes memory of the devices, and a multiprocessor while rows are exchanged.
enum { CHANNELS_MAX = 8 };

enum state {
    IDLE,    // nothing to do but to watch
    WORKING, // on `work`
    DONE,    // with it; result
    GONE     // aborted or ended
};

static struct {
    int users;
    struct ranks *ranks;
    int device;
    ncclUniqueId id;
    ncclComm_t comm;
    pthread_t thread;
    pthread_mutex_t lock; // of the communicator's use by the thread that computes
    struct nccl_work work;
    ncclResult_t result;
    atomic_int state; // enum state
    atomic_bool must_end, is_aborted;
    size_t device_bytes, host_bytes; // free, and in memory, when it was last looked at
    double failing_s;                // since when NCCL reports an error; 0: it does not
} world = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = (long)(nap_s * 1e9)}, NULL);
}

// ---- the thread

// What is under way in the other thread is given some time to come back.
static void abort_comm(void)
{
    enum { PATIENCE_S = 5 };
    struct timespec limit;
    (void)clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += PATIENCE_S;
    const bool is_locked = pthread_mutex_timedlock(&world.lock, &limit) == 0;
    atomic_store(&world.is_aborted, true);
    if (is_locked)
        pthread_mutex_unlock(&world.lock);
    if (world.comm)
        (void)nccl_library()->abort(world.comm);
    world.comm = NULL;
}

static double patience_s(ncclResult_t result)
{
    return result == ncclRemoteError ? lost_s : other_s;
}

static void look_for_errors(void)
{
    char message[RANKS_MESSAGE_BYTES];
    ncclResult_t error = ncclSuccess;
    if (nccl_library()->get_async_error(world.comm, &error) != ncclSuccess || error == ncclSuccess ||
        error == ncclInProgress)
        return;
    const double now_s = clock_now_s();
    world.failing_s = world.failing_s > 0 ? world.failing_s : now_s;
    if (now_s - world.failing_s < patience_s(error))
        return;
    snprintf(message, sizeof message, "NCCL cannot exchange rows: %s", nccl_library()->error_string(error));
    ranks_set_failure(world.ranks, world.ranks->rank, STATUS_SYSTEM, false, message);
}

static void watch(void)
{
    if (atomic_load(&world.state) == WORKING) {
        world.result = world.work.run(world.comm, world.work.context);
        atomic_store(&world.state, DONE);
    }
    if (world.comm && !ranks_have_failed(world.ranks))
        look_for_errors();
}

static void *serve(void *unused)
{
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    memory_thread_may_allocate = true;
    config.blocking = 1; // or each group would start a thread
    config.maxCTAs = CHANNELS_MAX;
    (void)prctl(PR_SET_NAME, "NCCL watch"); // NCCL's threads inherit it
    (void)cudaSetDevice(world.device);
    world.result =
        nccl_library()->init(&world.comm, world.ranks->count, world.id, world.ranks->rank, &config);
    if (world.result != ncclSuccess)
        world.comm = NULL;
    atomic_store(&world.state, DONE);
    while (!atomic_load(&world.must_end) && !ranks_have_failed(world.ranks)) {
        watch();
        nap();
    }
    if (ranks_have_failed(world.ranks))
        abort_comm();
    else if (world.comm)
        (void)nccl_library()->destroy(world.comm);
    world.comm = NULL;
    atomic_store(&world.state, GONE);
    return unused;
}

// ---- the thread that computes

// The failure that NCCL reports, or that of a rank which explains it.
static enum status fail(const char *what, ncclResult_t result)
{
    const double begin_s = clock_now_s();
    while (!ranks_have_failed(world.ranks) && clock_now_s() - begin_s < patience_s(result))
        nap();
    CHECK(ranks_failed(world.ranks));
    return FAIL(STATUS_SYSTEM,
                "NCCL cannot %s: %s (NCCL_DEBUG=WARN says more; --transport mpi needs no NCCL)", what,
                nccl_library()->error_string(result));
}

// Until the thread has done its work, or has no more to do it for.
static enum status await(const char *what)
{
    const double begin_s = clock_now_s();
    while (atomic_load(&world.state) == WORKING) {
        if (ranks_have_failed(world.ranks))
            return ranks_failed(world.ranks);
        if (clock_now_s() - begin_s > start_s)
            return FAIL(STATUS_SYSTEM, "NCCL cannot %s: no answer of the other ranks for %.0f s", what,
                        start_s);
        nap();
    }
    CHECK(ranks_failed(world.ranks));
    const ncclResult_t result = world.result;
    atomic_store(&world.state, IDLE);
    return result == ncclSuccess ? STATUS_OK : fail(what, result);
}

static size_t above(size_t bytes, size_t least)
{
    return bytes > least ? bytes - least : 0;
}

// What was taken since the last look: by NCCL, as nothing else allocates then.
static void look_at_memory(const char *when)
{
    size_t device = 0, all = 0;
    char on_device[MEMORY_TEXT_BYTES], on_host[MEMORY_TEXT_BYTES];
    const size_t host = memory_limits_resident("");
    if (cudaMemGetInfo(&device, &all) != cudaSuccess)
        return;
    if (when)
        log_detail("NCCL: %s of the device, %s of the host %s",
                   memory_bytes_text(above(world.device_bytes, device), on_device),
                   memory_bytes_text(above(host, world.host_bytes), on_host), when);
    world.device_bytes = device;
    world.host_bytes = host;
}

enum status nccl_world_open(struct ranks *ranks)
{
    ncclResult_t result = ncclSuccess;
    if (world.users++ > 0)
        return STATUS_OK;
    world.ranks = ranks;
    world.comm = NULL;
    world.failing_s = 0;
    atomic_store(&world.must_end, false);
    atomic_store(&world.is_aborted, false);
    atomic_store(&world.state, WORKING);
    look_at_memory(NULL);
    if (cudaGetDevice(&world.device) != cudaSuccess)
        return FAIL(STATUS_SYSTEM, "CUDA does not say which device this rank has");
    if (ranks->rank == 0)
        result = nccl_library()->get_unique_id(&world.id);
    if (result != ncclSuccess)
        return fail("be started", result);
    CHECK(ranks_share(ranks, TRANSPORT_STEPS, &world.id, sizeof world.id));
    const int error = pthread_create(&world.thread, NULL, serve, NULL);
    if (error != 0)
        return FAIL(STATUS_SYSTEM, "the thread that watches NCCL cannot be started: %s", strerror(error));
    CHECK(await("connect the ranks"));
    look_at_memory("to connect the ranks");
    return STATUS_OK;
}

void nccl_world_close(void)
{
    const double begin_s = clock_now_s();
    if (--world.users > 0)
        return;
    look_at_memory("since then, for whatever");
    atomic_store(&world.must_end, true);
    while (atomic_load(&world.state) != GONE && clock_now_s() - begin_s < close_s)
        nap();
    if (atomic_load(&world.state) == GONE)
        pthread_join(world.thread, NULL);
    else
        pthread_detach(world.thread);
}

enum status nccl_world_work(const struct nccl_work *work)
{
    world.work = *work;
    atomic_store(&world.state, WORKING);
    CHECK(await(work->what));
    look_at_memory(work->when);
    return STATUS_OK;
}

enum status nccl_world_begin(ncclComm_t *comm)
{
    pthread_mutex_lock(&world.lock);
    *comm = world.comm;
    if (!atomic_load(&world.is_aborted))
        return STATUS_OK;
    pthread_mutex_unlock(&world.lock);
    return ranks_failed(world.ranks);
}

enum status nccl_world_end(ncclResult_t result)
{
    pthread_mutex_unlock(&world.lock);
    return result == ncclSuccess ? STATUS_OK : fail("exchange rows", result);
}
