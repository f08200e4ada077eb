// Frames from the device to the host (see the header).
#include "gpu/frames.h"

#include "gpu/memory.h"

#include <assert.h>

enum status gpu_frames_plan(struct gpu_frames *f, struct memory_plan *plan, int slots, size_t records,
                            size_t record_bytes, const char *name)
{
    assert(slots >= 1 && slots <= PIPELINE_FRAME_SLOTS);
    f->slots = slots;
    f->records = records;
    f->record_bytes = record_bytes;
    if (records * record_bytes > 0) // (a rank may have no row of a map)
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
    // The first orders two streams, the second is a time, the third a time and awaited.
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

enum status gpu_frames_ready(struct gpu_frames *f, struct gpu_timeline *timeline, int slot, const void *note)
{
    assert(slot >= 0 && slot < f->slots);
    CHECK(gpu_timeline_close_batch(timeline));
    // Reads the times of the slot's last copy before its events are recorded anew.
    CHECK(gpu_timeline_update(timeline));
    CUDA_CHECK(cudaMemcpyAsync(f->device_notes + (size_t)slot * GPU_NOTE_BYTES, note, GPU_NOTE_BYTES,
                               cudaMemcpyDeviceToDevice, timeline->compute),
               "a copy within its memory");
    CUDA_CHECK(cudaEventRecord(f->ready[slot], timeline->compute), "to mark a frame as ready");
    CUDA_CHECK(cudaStreamWaitEvent(timeline->copy, f->ready[slot], 0), "to let a copy wait for its frame");
    return STATUS_OK;
}

// Begins the copy of records, or of the pieces of one.
static enum status copy_records(const struct gpu_frames *f, struct gpu_timeline *timeline, int slot,
                                size_t records, void *to)
{
    const size_t pieces = f->pieces > 0 ? f->pieces : 1, bytes = records * f->record_bytes / pieces;
    const char *from = gpu_frames_record(f, slot, 0);
    assert(records <= 1 || f->pieces == 0);
    for (size_t k = 0; k < pieces; k++)
        CUDA_CHECK(cudaMemcpyAsync((char *)to + k * f->host_stride, from + k * bytes, bytes,
                                   cudaMemcpyDeviceToHost, timeline->copy),
                   "a copy of a frame to the host");
    return STATUS_OK;
}

enum status gpu_frames_send(struct gpu_frames *f, struct gpu_timeline *timeline, int slot, size_t records,
                            void *to)
{
    assert(slot >= 0 && slot < f->slots && records <= f->records);
    const size_t bytes = records * f->record_bytes, note = (size_t)slot * GPU_NOTE_BYTES;
    if (bytes > 0) {
        CUDA_CHECK(cudaEventRecord(f->begin[slot], timeline->copy), "to mark a time");
        CHECK(copy_records(f, timeline, slot, records, to));
    }
    CUDA_CHECK(cudaMemcpyAsync(f->notes + note, f->device_notes + note, GPU_NOTE_BYTES,
                               cudaMemcpyDeviceToHost, timeline->copy),
               "a copy of a note to the host");
    CUDA_CHECK(cudaEventRecord(f->end[slot], timeline->copy), "to mark a time");
    return bytes > 0 ? gpu_timeline_copied(timeline, f->begin[slot], f->end[slot], bytes) : STATUS_OK;
}

enum status gpu_frames_await(const struct gpu_frames *f, const struct gpu_timeline *timeline, int slot,
                             const void **note)
{
    CUDA_CHECK(cudaSetDevice(timeline->device), "to be used by the I/O thread");
    CUDA_CHECK(gpu_wait(f->end[slot]), "to bring a frame to the host");
    *note = f->notes + (size_t)slot * GPU_NOTE_BYTES;
    return STATUS_OK;
}

enum status gpu_frames_peek(const struct gpu_frames *f, int slot, const void **note)
{
    bool is_over;
    CHECK(gpu_is_over(f->end[slot], &is_over));
    *note = is_over ? f->notes + (size_t)slot * GPU_NOTE_BYTES : NULL;
    return STATUS_OK;
}
