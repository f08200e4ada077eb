// gpu/frames and gpu/timeline on a device: frames arrive complete, with the note as it was when they were
// sent; the host is at most a bounded number of steps ahead of the device; copies during other work are
// distinguished from copies after it. Skipped without a device.
#include "tests/support/test.h"

#include "gpu/frames.h"
#include "gpu/memory.h"
#include "tests/support/cuda_test.h"
#include "tests/support/statuses.h"

enum { RECORDS = 2, RECORD_BYTES = 8 << 20, WORK_BYTES = 256 << 20 };

static struct memory_plan plan;
static struct gpu_timeline timeline;
static struct gpu_frames frames;
static unsigned char *work, *note, *host[PIPELINE_FRAME_SLOTS];

static void require_cuda(cudaError_t error)
{
    if (error != cudaSuccess)
        fail_msg("%s", cudaGetErrorString(error));
}

static int begin(void **state)
{
    status_clear();
    memset(&timeline, 0, sizeof timeline);
    memset(&frames, 0, sizeof frames);
    memory_plan_begin(&plan);
    assert_ok(gpu_memory_use(&plan, 0));
    assert_ok(gpu_timeline_open(&timeline, 0));
    assert_ok(gpu_frames_plan(&frames, &plan, PIPELINE_FRAME_SLOTS, RECORDS, RECORD_BYTES, "test"));
    assert_ok(gpu_frames_open(&frames));
    assert_ok(memory_plan_add(&plan, MEMORY_DEVICE, ELEMENT_U8, 1, WORK_BYTES, (void **)&work, "work"));
    assert_ok(memory_plan_add(&plan, MEMORY_DEVICE, ELEMENT_U8, 1, GPU_NOTE_BYTES, (void **)&note, "note"));
    for (int k = 0; k < PIPELINE_FRAME_SLOTS; k++)
        assert_ok(memory_plan_add(&plan, MEMORY_PINNED, ELEMENT_U8, RECORDS, RECORD_BYTES, (void **)&host[k],
                                  "host %d", k));
    assert_ok(memory_plan_reserve(&plan, SIZE_MAX, SIZE_MAX));
    return 0;
}

static int end(void **state)
{
    memory_plan_release(&plan);
    gpu_frames_close(&frames);
    gpu_timeline_close(&timeline);
    return 0;
}

static void send(int slot, size_t records, int value)
{
    for (size_t k = 0; k < records; k++)
        require_cuda(cudaMemsetAsync(gpu_frames_record(&frames, slot, k), value + (int)k, RECORD_BYTES,
                                     timeline.compute));
    require_cuda(cudaMemsetAsync(note, value, GPU_NOTE_BYTES, timeline.compute));
    assert_ok(gpu_frames_ready(&frames, &timeline, slot, note));
    require_cuda(cudaMemsetAsync(note, 0xee, GPU_NOTE_BYTES, timeline.compute)); // after it
    assert_ok(gpu_frames_send(&frames, &timeline, slot, records, host[slot]));
}

static bool is_all(const unsigned char *bytes, size_t count, int value)
{
    for (size_t k = 0; k < count; k++)
        if (bytes[k] != value)
            return false;
    return true;
}

static int skip_without_device(int argc, char **argv)
{
    return has_cuda() ? 0 : EXIT_SKIPPED;
}

TEST_SUITE(.setup = begin, .teardown = end, .begin = skip_without_device);

TEST(frames_arrive_complete_with_their_notes)
{
    for (int round = 0; round < 20; round++) {
        for (int slot = 0; slot < PIPELINE_FRAME_SLOTS; slot++) {
            memset(host[slot], 0x5a, RECORDS * (size_t)RECORD_BYTES);
            send(slot, slot == 1 ? 1 : RECORDS, 10 * slot + round + 1);
        }
        for (int slot = 0; slot < PIPELINE_FRAME_SLOTS; slot++) {
            const void *arrived;
            const int value = 10 * slot + round + 1;
            assert_ok(gpu_frames_await(&frames, &timeline, slot, &arrived));
            assert_true(is_all(arrived, GPU_NOTE_BYTES, value));
            assert_true(is_all(host[slot], RECORD_BYTES, value));
            assert_true(is_all(host[slot] + RECORD_BYTES, RECORD_BYTES, slot == 1 ? 0x5a : value + 1));
            assert_ok(gpu_frames_peek(&frames, slot, &arrived));
            assert_non_null(arrived);
        }
    }
    assert_ok(gpu_timeline_finish(&timeline));
    const struct device_times times = gpu_timeline_times(&timeline);
    assert_true(times.copied_bytes == 20.0 * 5 * RECORD_BYTES);
    assert_true(times.copy_s > 0);
}

static void do_work(int times)
{
    for (int k = 0; k < times; k++)
        require_cuda(cudaMemsetAsync(work, k, WORK_BYTES, timeline.compute));
}

static void batch(enum gpu_timeline_kind kind, int steps)
{
    assert_ok(gpu_timeline_begin(&timeline, kind, steps));
    do_work(steps);
    assert_ok(gpu_timeline_end(&timeline));
}

// Begins more batches than the ring holds. However fast the host is, the number in progress stays within its
// bound.
TEST(the_lead_of_the_host_is_bounded)
{
    struct gpu_timeline *t = &timeline;
    for (int k = 0; k < 3 * GPU_TIMELINE_BATCHES; k++) {
        batch(k % 7 == 0 ? GPU_TIMELINE_RESULTS : GPU_TIMELINE_STEPS, 1 + k % 3);
        assert_true(t->steps_ahead <= 2 * gpu_timeline_batch_steps(t) + 3);
        assert_true(t->begun - t->over <= GPU_TIMELINE_BATCHES / 2 + 1);
    }
    assert_in_range(gpu_timeline_batch_steps(t), 1, GPU_TIMELINE_BATCH_STEPS);
    assert_ok(gpu_timeline_finish(&timeline));
    const struct device_times times = gpu_timeline_times(t);
    assert_int_equal(t->over, 3 * GPU_TIMELINE_BATCHES);
    assert_int_equal(t->steps_ahead, 0);
    assert_true(times.compute_s > 0 && times.results_s > 0);
    assert_true(times.copy_s == 0 && times.overlap_s == 0 && times.uncounted == 0);
    gpu_timeline_restart(t); // sets all times and counts to 0
    batch(GPU_TIMELINE_STEPS, 1);
    assert_ok(gpu_timeline_finish(&timeline));
    assert_int_equal(t->over, 1);
    assert_true(gpu_timeline_times(t).compute_s > 0 && gpu_timeline_times(t).results_s == 0);
}

TEST(a_copy_without_other_work_overlaps_nothing)
{
    batch(GPU_TIMELINE_STEPS, 4);
    assert_ok(gpu_timeline_finish(&timeline));
    send(0, RECORDS, 1);
    assert_ok(gpu_timeline_finish(&timeline));
    batch(GPU_TIMELINE_STEPS, 4);
    assert_ok(gpu_timeline_finish(&timeline));
    const struct device_times times = gpu_timeline_times(&timeline);
    assert_true(times.copy_s > 0 && times.overlap_s == 0 && times.uncounted == 0);
}

// What fraction of the copies overlaps other work depends on the machine; it is at most 1.
TEST(copies_during_other_work_are_counted_once)
{
    batch(GPU_TIMELINE_STEPS, 4);
    for (int k = 0; k < 30; k++) {
        const void *arrived;
        send(k % PIPELINE_FRAME_SLOTS, RECORDS, k);
        batch(GPU_TIMELINE_STEPS, 40);
        assert_ok(gpu_frames_await(&frames, &timeline, k % PIPELINE_FRAME_SLOTS, &arrived));
    }
    assert_ok(gpu_timeline_finish(&timeline));
    const struct device_times times = gpu_timeline_times(&timeline);
    print_message("copies %.3g s, inside the work %.3g s; work %.3g s\n", times.copy_s, times.overlap_s,
                  times.compute_s);
    assert_true(times.copied_bytes == 30.0 * RECORDS * RECORD_BYTES);
    assert_true(times.copy_s > 0 && times.compute_s > 0);
    assert_true(times.overlap_s >= 0 && times.overlap_s <= times.copy_s * (1 + 1e-9));
    assert_int_equal(times.uncounted, 0);
}
