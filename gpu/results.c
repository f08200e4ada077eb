// Frames and findings of all models (see the header).
#include "gpu/results.h"

#include "gpu/memory.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum status gpu_results_plan_finding(struct gpu_results *r, struct memory_plan *plan, const char *prefix)
{
    const struct gpu_array arrays[] = {
        {&r->finding, MEMORY_DEVICE, ELEMENT_U8, 1, GPU_NOTE_BYTES, "device finding"},
        {&r->first, MEMORY_DEVICE, ELEMENT_I64, 1, 1, "device first invalid value"},
        {&r->host_finding, MEMORY_PINNED, ELEMENT_U8, 1, GPU_NOTE_BYTES, "finding"},
    };
    char name[MEMORY_NAME_MAX];
    snprintf(name, sizeof name, "%sguards", prefix);
    CHECK(gpu_frames_plan(&r->guards, plan, 1, 0, 0, name));
    CHECK(gpu_frames_open(&r->guards));
    return GPU_PLAN_ARRAYS(plan, prefix, arrays);
}

enum status gpu_results_plan_frames(struct gpu_results *r, const struct gpu_result_kind *kinds, int count,
                                    const int *slots, const size_t *frame_records, struct memory_plan *plan,
                                    const char *prefix)
{
    char name[MEMORY_NAME_MAX];
    assert(count <= GPU_RESULT_KINDS);
    r->kinds = count;
    for (int k = 0; k < count; k++) {
        if (slots[k] == 0)
            continue;
        snprintf(name, sizeof name, "%s%s", prefix, kinds[k].name);
        CHECK(gpu_frames_plan(&r->frames[k], plan, slots[k], frame_records[k], kinds[k].record_bytes, name));
        r->frames[k].pieces = kinds[k].pieces;
        r->frames[k].host_stride = kinds[k].host_stride;
        CHECK(gpu_frames_open(&r->frames[k]));
    }
    return STATUS_OK;
}

void gpu_results_close(struct gpu_results *r)
{
    for (int k = 0; k < r->kinds; k++)
        gpu_frames_close(&r->frames[k]);
    gpu_frames_close(&r->guards);
}

enum status gpu_results_start(const struct gpu_results *r, const struct gpu_timeline *timeline)
{
    if (!r->finding)
        return STATUS_OK;
    memset(r->guards.notes, 0, GPU_NOTE_BYTES); // of an earlier run
    CHECK(gpu_timeline_fill(timeline, r->finding, 0, GPU_NOTE_BYTES));
    return gpu_timeline_fill(timeline, r->first, 0xff, sizeof *r->first);
}

enum status gpu_results_ready(struct gpu_results *r, struct gpu_timeline *timeline, int kind, int slot)
{
    return gpu_frames_ready(&r->frames[kind], timeline, slot, r->finding);
}

enum status gpu_results_send(struct gpu_results *r, struct gpu_timeline *timeline, int kind, int slot,
                             size_t records, void *to)
{
    CHECK(gpu_results_ready(r, timeline, kind, slot));
    return gpu_frames_send(&r->frames[kind], timeline, slot, records, to);
}

enum status gpu_results_end_guard(struct gpu_results *r, struct gpu_timeline *timeline, const void **note)
{
    CHECK(gpu_timeline_end(timeline));
    CHECK(gpu_frames_peek(&r->guards, 0, note));
    if (!*note)
        return STATUS_OK;
    memcpy(r->host_finding, *note, GPU_NOTE_BYTES); // the next note overwrites this one
    *note = r->host_finding;
    CHECK(gpu_frames_ready(&r->guards, timeline, 0, r->finding));
    return gpu_frames_send(&r->guards, timeline, 0, 0, NULL);
}

enum status gpu_results_finish(struct gpu_results *r, struct gpu_timeline *timeline, const void **note)
{
    if (r->finding)
        CHECK(gpu_timeline_download(timeline, r->host_finding, r->finding, GPU_NOTE_BYTES));
    CHECK(gpu_timeline_finish(timeline));
    *note = r->finding ? r->host_finding : NULL;
    return STATUS_OK;
}

enum status gpu_results_warm_up(const struct gpu_results *r, const struct gpu_timeline *timeline,
                                struct solver *solver, enum status (*make)(struct solver *solver, int kind))
{
    const void *note;
    for (int k = 0; k < r->kinds; k++)
        if (r->frames[k].slots > 0) {
            CHECK(make(solver, k));
            CHECK(gpu_frames_await(&r->frames[k], timeline, 0, &note));
        }
    return STATUS_OK;
}
