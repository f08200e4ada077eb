// Frames from the device to the host (see the header). Knows no model and no file.
#include "gpu/frames.h"

#include "gpu/device.h"
#include "gpu/memory.h"

#include <assert.h>

enum status gpu_lanes_open(struct gpu_lanes *lanes, int device)
{
    int least = 0, greatest = 0;
    lanes->device = device;
    CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest), "to say its streams' priorities");
    CUDA_CHECK(cudaStreamCreateWithPriority(&lanes->compute, cudaStreamNonBlocking, least), "a stream");
    lanes->has_compute = true;
    CUDA_CHECK(cudaStreamCreateWithPriority(&lanes->copy, cudaStreamNonBlocking, greatest), "a stream");
    lanes->has_copy = true;
    CUDA_CHECK(cudaEventCreateWithFlags(&lanes->settled, cudaEventDisableTiming), "an event");
    lanes->has_settled = true;
    return timeline_open(&lanes->timeline);
}

static enum status finish_stream(struct gpu_lanes *lanes, cudaStream_t stream)
{
    CUDA_CHECK(cudaEventRecord(lanes->settled, stream), "to mark an end");
    CUDA_CHECK(gpu_wait(lanes->settled), "to finish its work");
    return STATUS_OK;
}

enum status gpu_lanes_finish_compute(struct gpu_lanes *lanes)
{
    CHECK(timeline_close_batch(&lanes->timeline, lanes->compute));
    return finish_stream(lanes, lanes->compute);
}

enum status gpu_lanes_finish(struct gpu_lanes *lanes)
{
    CHECK(gpu_lanes_finish_compute(lanes));
    CHECK(finish_stream(lanes, lanes->copy));
    return timeline_update(&lanes->timeline);
}

void gpu_lanes_close(struct gpu_lanes *lanes)
{
    (void)cudaSetDevice(lanes->device);
    timeline_close(&lanes->timeline);
    if (lanes->has_settled)
        (void)cudaEventDestroy(lanes->settled);
    if (lanes->has_copy)
        (void)cudaStreamDestroy(lanes->copy);
    if (lanes->has_compute)
        (void)cudaStreamDestroy(lanes->compute);
    lanes->has_settled = lanes->has_copy = lanes->has_compute = false;
}

enum status gpu_frames_plan(struct gpu_frames *f, struct memory_plan *plan, int slots, size_t records,
                            size_t record_bytes, const char *name)
{
    assert(slots >= 1 && slots <= PIPELINE_FRAME_SLOTS);
    f->slots = slots;
    f->records = records;
    f->record_bytes = record_bytes;
    if (records > 0)
        CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_U8, (size_t)slots * records, record_bytes,
                              (void **)&f->data, "device frames %s", name));
    CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_U8, (size_t)slots, GPU_NOTE_BYTES,
                          (void **)&f->device_notes, "device notes %s", name));
    return memory_plan_add(plan, MEMORY_PINNED, ELEMENT_U8, (size_t)slots, GPU_NOTE_BYTES, (void **)&f->notes,
                           "notes %s", name);
}

enum { EVENTS_A_SLOT = 3 };

static cudaEvent_t *event(struct gpu_frames *f, int number)
{
    cudaEvent_t *const events[EVENTS_A_SLOT] = {f->ready, f->begin, f->end};
    return &events[number % EVENTS_A_SLOT][number / EVENTS_A_SLOT];
}

enum status gpu_frames_open(struct gpu_frames *f)
{
    // The first orders two streams, the second is a time, the third is a time and waited for asleep.
    static const unsigned flags[EVENTS_A_SLOT] = {cudaEventDisableTiming, cudaEventDefault, cudaEventDefault};
    while (f->events < EVENTS_A_SLOT * f->slots) {
        CUDA_CHECK(cudaEventCreateWithFlags(event(f, f->events), flags[f->events % EVENTS_A_SLOT]),
                   "an event");
        f->events++;
    }
    return STATUS_OK;
}

void gpu_frames_close(struct gpu_frames *f)
{
    while (f->events > 0)
        (void)cudaEventDestroy(*event(f, --f->events));
}

void *gpu_frames_record(const struct gpu_frames *f, int slot, size_t record)
{
    assert(slot >= 0 && slot < f->slots && record < f->records);
    return f->data + ((size_t)slot * f->records + record) * f->record_bytes;
}

enum status gpu_frames_ready(struct gpu_frames *f, struct gpu_lanes *lanes, int slot, const void *note)
{
    assert(slot >= 0 && slot < f->slots);
    CHECK(timeline_close_batch(&lanes->timeline, lanes->compute));
    CHECK(timeline_update(
        &lanes->timeline)); // takes the times of the slot's last journey before its events are used anew
    CUDA_CHECK(cudaMemcpyAsync(f->device_notes + (size_t)slot * GPU_NOTE_BYTES, note, GPU_NOTE_BYTES,
                               cudaMemcpyDeviceToDevice, lanes->compute),
               "a copy within its memory");
    CUDA_CHECK(cudaEventRecord(f->ready[slot], lanes->compute), "to mark a frame as ready");
    CUDA_CHECK(cudaStreamWaitEvent(lanes->copy, f->ready[slot], 0), "to let a copy wait for its frame");
    return STATUS_OK;
}

enum status gpu_frames_send(struct gpu_frames *f, struct gpu_lanes *lanes, int slot, size_t records, void *to)
{
    assert(slot >= 0 && slot < f->slots && records <= f->records);
    const size_t bytes = records * f->record_bytes, note = (size_t)slot * GPU_NOTE_BYTES;
    if (bytes > 0) {
        CUDA_CHECK(cudaEventRecord(f->begin[slot], lanes->copy), "to mark a time");
        CUDA_CHECK(
            cudaMemcpyAsync(to, gpu_frames_record(f, slot, 0), bytes, cudaMemcpyDeviceToHost, lanes->copy),
            "a copy of a frame to the host");
    }
    CUDA_CHECK(cudaMemcpyAsync(f->notes + note, f->device_notes + note, GPU_NOTE_BYTES,
                               cudaMemcpyDeviceToHost, lanes->copy),
               "a copy of a note to the host");
    CUDA_CHECK(cudaEventRecord(f->end[slot], lanes->copy), "to mark a time");
    return bytes > 0 ? timeline_copied(&lanes->timeline, f->begin[slot], f->end[slot], bytes) : STATUS_OK;
}

enum status gpu_frames_await(const struct gpu_frames *f, const struct gpu_lanes *lanes, int slot,
                             const void **note)
{
    CUDA_CHECK(cudaSetDevice(lanes->device), "to be used by the I/O thread");
    CUDA_CHECK(gpu_wait(f->end[slot]), "to bring a frame to the host");
    *note = f->notes + (size_t)slot * GPU_NOTE_BYTES;
    return STATUS_OK;
}

enum status gpu_frames_peek(const struct gpu_frames *f, int slot, const void **note)
{
    const cudaError_t error = cudaEventQuery(f->end[slot]);
    *note = error == cudaSuccess ? f->notes + (size_t)slot * GPU_NOTE_BYTES : NULL;
    if (error == cudaErrorNotReady) {
        (void)cudaGetLastError(); // no failure: the next launch must not find it
        return STATUS_OK;
    }
    CUDA_CHECK(error, "to say how far it is");
    return STATUS_OK;
}
