// A solver's streams and their times (see the header).
#include "gpu/timeline.h"

#include "gpu/memory.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static struct gpu_timeline_batch *batch(struct gpu_timeline *t, int64_t number)
{
    return &t->batches[number % GPU_TIMELINE_BATCHES];
}

static enum status open_streams(struct gpu_timeline *t)
{
    int least = 0, greatest = 0;
    CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest), "to report its streams' priorities");
    CUDA_CHECK(cudaStreamCreateWithPriority(&t->compute, cudaStreamNonBlocking, least), "a stream");
    t->has_compute = true;
    CUDA_CHECK(cudaStreamCreateWithPriority(&t->copy, cudaStreamNonBlocking, greatest), "a stream");
    t->has_copy = true;
    CUDA_CHECK(cudaEventCreateWithFlags(&t->settled, cudaEventDisableTiming), "an event");
    t->has_settled = true;
    return STATUS_OK;
}

enum status gpu_timeline_open(struct gpu_timeline *t, int device)
{
    t->device = device;
    CHECK(open_streams(t));
    for (int k = 0; k < GPU_TIMELINE_BATCHES; k++) {
        CUDA_CHECK(cudaEventCreateWithFlags(&t->batches[k].begin, cudaEventDefault), "an event");
        t->events++;
        CUDA_CHECK(cudaEventCreateWithFlags(&t->batches[k].end, cudaEventDefault), "an event");
        t->events++;
    }
    return STATUS_OK;
}

void gpu_timeline_close(struct gpu_timeline *t)
{
    (void)cudaSetDevice(t->device);
    for (int k = 0; k < t->events; k++)
        (void)cudaEventDestroy(k % 2 == 0 ? t->batches[k / 2].begin : t->batches[k / 2].end);
    t->events = 0;
    if (t->has_settled)
        (void)cudaEventDestroy(t->settled);
    if (t->has_copy)
        (void)cudaStreamDestroy(t->copy);
    if (t->has_compute)
        (void)cudaStreamDestroy(t->compute);
    t->has_settled = t->has_copy = t->has_compute = false;
}

static enum status finish_stream(struct gpu_timeline *t, cudaStream_t stream)
{
    CUDA_CHECK(cudaEventRecord(t->settled, stream), "to mark an end");
    CUDA_CHECK(gpu_wait(t->settled), "to finish its work");
    return STATUS_OK;
}

enum status gpu_timeline_finish_compute(struct gpu_timeline *t)
{
    CHECK(gpu_timeline_close_batch(t));
    return finish_stream(t, t->compute);
}

enum status gpu_timeline_finish(struct gpu_timeline *t)
{
    CHECK(gpu_timeline_finish_compute(t));
    CHECK(finish_stream(t, t->copy));
    return gpu_timeline_update(t);
}

enum status gpu_timeline_upload(const struct gpu_timeline *t, void *to, const void *from, size_t bytes)
{
    if (bytes > 0)
        CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, t->compute),
                   "a copy to the device");
    return STATUS_OK;
}

enum status gpu_timeline_download(const struct gpu_timeline *t, void *to, const void *from, size_t bytes)
{
    if (bytes > 0)
        CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, t->compute),
                   "a copy from the device");
    return STATUS_OK;
}

enum status gpu_timeline_fill(const struct gpu_timeline *t, void *to, int byte, size_t bytes)
{
    if (bytes > 0)
        CUDA_CHECK(cudaMemsetAsync(to, byte, bytes, t->compute), "to fill its memory");
    return STATUS_OK;
}

void gpu_timeline_restart(struct gpu_timeline *t)
{
    struct gpu_timeline fresh = {.device = t->device,
                                 .compute = t->compute,
                                 .copy = t->copy,
                                 .has_compute = t->has_compute,
                                 .has_copy = t->has_copy,
                                 .has_settled = t->has_settled,
                                 .settled = t->settled,
                                 .events = t->events};
    memcpy(fresh.batches, t->batches, sizeof fresh.batches); // the events
    *t = fresh;
}

static enum status seconds_between(cudaEvent_t begin, cudaEvent_t end, double *seconds)
{
    float elapsed_ms = 0;
    CUDA_CHECK(cudaEventElapsedTime(&elapsed_ms, begin, end), "a time");
    *seconds = (double)elapsed_ms * 1e-3;
    return STATUS_OK;
}

// Times are added from batch to batch: CUDA's single-precision time since the run's start would be too
// coarse.
static enum status add_batch(struct gpu_timeline *t)
{
    struct gpu_timeline_batch *b = batch(t, t->over);
    double length_s = 0, since_s = 0;
    CHECK(seconds_between(b->begin, b->end, &length_s));
    b->begin_s = 0;
    if (t->over > 0) {
        const struct gpu_timeline_batch *before = batch(t, t->over - 1);
        CHECK(seconds_between(before->begin, b->begin, &since_s));
        b->begin_s = before->begin_s + since_s;
    }
    overlap_add(&t->overlap, OVERLAP_FIRST, b->begin_s, b->begin_s + length_s);
    t->seconds[b->kind] += length_s;
    if (b->kind == GPU_TIMELINE_STEPS)
        t->step_s = length_s / b->steps;
    t->steps_ahead -= b->steps;
    t->over++;
    return STATUS_OK;
}

// A copy waits for the work launched before it. So when a copy is over, the batch before it is over too.
static enum status add_copy(struct gpu_timeline *t)
{
    const struct gpu_timeline_copy *copy = &t->copies[t->copy_head];
    double length_s = 0, since_s = 0;
    CHECK(seconds_between(copy->begin, copy->end, &length_s));
    t->copy_s += length_s;
    if (copy->after >= 0 && copy->after < t->over && t->begun - copy->after < GPU_TIMELINE_BATCHES) {
        const struct gpu_timeline_batch *before = batch(t, copy->after);
        CHECK(seconds_between(before->begin, copy->begin, &since_s));
        overlap_add(&t->overlap, OVERLAP_SECOND, before->begin_s + since_s,
                    before->begin_s + since_s + length_s);
    } else {
        t->lost++;
    }
    t->copy_head = (t->copy_head + 1) % GPU_TIMELINE_COPIES;
    t->copy_count--;
    return STATUS_OK;
}

enum status gpu_timeline_update(struct gpu_timeline *t)
{
    // First queries the copies, then adds batches, then adds the copies that were over: so the batch before a
    // copy is always added first.
    int copies_over = 0;
    for (bool answer = true; answer && copies_over < t->copy_count;) {
        CHECK(gpu_is_over(t->copies[(t->copy_head + copies_over) % GPU_TIMELINE_COPIES].end, &answer));
        copies_over += answer;
    }
    for (bool answer = true; answer && t->over < t->ended;) {
        CHECK(gpu_is_over(batch(t, t->over)->end, &answer));
        if (answer)
            CHECK(add_batch(t));
    }
    for (; copies_over > 0; copies_over--)
        CHECK(add_copy(t));
    // Work that is launched later begins after all work that is over.
    if (t->copy_count == 0)
        overlap_settle(&t->overlap, OVERLAP_SECOND);
    if (t->over == t->begun)
        overlap_settle(&t->overlap, OVERLAP_FIRST);
    return STATUS_OK;
}

int gpu_timeline_batch_steps(const struct gpu_timeline *t)
{
    if (t->step_s <= 0)
        return 1;
    return (int)fmax(1, fmin(GPU_TIMELINE_BATCH_STEPS, GPU_TIMELINE_BATCH_S / t->step_s));
}

enum status gpu_timeline_begin(struct gpu_timeline *t, enum gpu_timeline_kind kind, int steps)
{
    CHECK(gpu_timeline_close_batch(t));
    CHECK(gpu_timeline_update(t));
    while (t->over < t->ended && (t->steps_ahead > 2 * gpu_timeline_batch_steps(t) ||
                                  t->begun - t->over > GPU_TIMELINE_BATCHES / 2)) {
        CUDA_CHECK(gpu_wait(batch(t, t->over)->end), "to finish a batch of steps");
        CHECK(gpu_timeline_update(t));
    }
    struct gpu_timeline_batch *b = batch(t, t->begun);
    b->kind = kind;
    b->steps = steps;
    CUDA_CHECK(cudaEventRecord(b->begin, t->compute), "to mark a time");
    t->begun++;
    t->steps_ahead += steps;
    return STATUS_OK;
}

enum status gpu_timeline_end(struct gpu_timeline *t)
{
    assert(t->ended == t->begun - 1);
    CUDA_CHECK(cudaEventRecord(batch(t, t->ended)->end, t->compute), "to mark a time");
    t->ended++;
    return STATUS_OK;
}

enum status gpu_timeline_close_batch(struct gpu_timeline *t)
{
    return t->ended < t->begun ? gpu_timeline_end(t) : STATUS_OK;
}

enum status gpu_timeline_join(struct gpu_timeline *t, int64_t wanted, int *granted)
{
    const struct gpu_timeline_batch *open = t->ended < t->begun ? batch(t, t->ended) : NULL;
    int room = open ? gpu_timeline_batch_steps(t) - open->steps : 0;
    const bool is_new = room <= 0;
    if (is_new)
        room = gpu_timeline_batch_steps(t);
    *granted = wanted < room ? (int)wanted : room;
    if (is_new)
        return gpu_timeline_begin(t, GPU_TIMELINE_STEPS, *granted);
    batch(t, t->ended)->steps += *granted;
    t->steps_ahead += *granted;
    return STATUS_OK;
}

enum status gpu_timeline_copied(struct gpu_timeline *t, cudaEvent_t begin, cudaEvent_t end, size_t bytes)
{
    assert(t->copy_count < GPU_TIMELINE_COPIES);
    t->copies[(t->copy_head + t->copy_count) % GPU_TIMELINE_COPIES] =
        (struct gpu_timeline_copy){begin, end, t->begun - 1};
    t->copy_count++;
    t->copied_bytes += (double)bytes;
    return STATUS_OK;
}

struct device_times gpu_timeline_times(const struct gpu_timeline *t)
{
    return (struct device_times){
        .is_measured = true,
        .compute_s = t->seconds[GPU_TIMELINE_STEPS],
        .results_s = t->seconds[GPU_TIMELINE_RESULTS],
        .copy_s = t->copy_s,
        .overlap_s = t->overlap.common_s,
        .copied_bytes = t->copied_bytes,
        .uncounted = t->lost + t->overlap.dropped,
    };
}
