// See model_run.h.
#include "tests/support/model_run.h"
#include "tests/support/cli_fixture.h"
#include "tests/support/statuses.h"

#include <time.h>

void model_run_create(struct model_run *run, const struct model *model)
{
    *run = (struct model_run){.model = model};
    status_clear();
    assert_ok(job_read(cli_path("job.json"), &run->job));
    const struct job_key_table tables[] = {job_shared_keys, *model->keys};
    assert_ok(job_check(run->job, tables, 2));
    assert_ok(model_create(model, run->job, &run->instance));
}

void model_run_start(struct model_run *run)
{
    const struct model *model = run->model;
    memory_plan_begin(&run->memory);
    assert_ok(model->plan(run->instance, &run->memory, &run->plan));
    assert_ok(
        pipeline_plan(&run->pipeline, &run->memory, run->plan.streams, run->plan.stream_count, NULL, 0));
    assert_ok(memory_plan_reserve(&run->memory, SIZE_MAX, SIZE_MAX));
    assert_ok(model_warm_up(run->instance));
    assert_ok(model->prepare(run->instance));
    assert_ok(model->start(run->instance));
    run->simulation = model_simulation(run->instance);
    if (run->simulation.begin)
        assert_ok(run->simulation.begin(run->instance, NULL, 0));
}

void model_run_destroy(struct model_run *run)
{
    memory_plan_release(&run->memory);
    model_destroy(run->instance);
    job_free(run->job);
}

static double value_of(const void *element, size_t bytes)
{
    return bytes == 1               ? (double)*(const unsigned char *)element
           : bytes == sizeof(float) ? (double)*(const float *)element
                                    : *(const double *)element;
}

void expect_same_bits(const struct stream *stream, size_t records, const void *actual, const void *expected,
                      const char *about)
{
    const size_t bytes = element_bytes(stream->element), length = stream_record_bytes(stream) / bytes;
    for (size_t k = 0; k < records * length; k++) {
        const char *a = (const char *)actual + k * bytes, *b = (const char *)expected + k * bytes;
        if (memcmp(a, b, bytes) == 0)
            continue;
        const double values[2] = {value_of(a, bytes), value_of(b, bytes)};
        if (isnan(values[0]) && isnan(values[1]))
            continue; // the kind of NaN has no meaning
        fail_msg("%s, %s: record %zu, element %zu of %zu is %.17g, by the host %.17g", about, stream->name,
                 k / length, k % length, length, values[0], values[1]);
    }
}

// ---- late frames

static struct {
    char *frames[PIPELINE_FRAME_SLOTS];
    size_t records, record_bytes, sent[PIPELINE_FRAME_SLOTS];
    void *to[PIPELINE_FRAME_SLOTS];
} late[LATE_RESULTS_MAX];

void late_frames_forget(void)
{
    for (int r = 0; r < LATE_RESULTS_MAX; r++)
        for (int k = 0; k < PIPELINE_FRAME_SLOTS; k++)
            free(late[r].frames[k]);
    memset(late, 0, sizeof late);
}

void late_frames_make(int result, int slots, size_t records, size_t record_bytes)
{
    assert_in_range(result, 0, LATE_RESULTS_MAX - 1);
    assert_true(slots == PIPELINE_FRAME_SLOTS);
    late[result].records = records;
    late[result].record_bytes = record_bytes;
    for (int k = 0; k < slots; k++) {
        late[result].frames[k] = calloc(records, record_bytes);
        assert_non_null(late[result].frames[k]);
    }
}

size_t late_frames_record_bytes(int result)
{
    return late[result].record_bytes;
}

char *late_frames_record(int result, int slot, size_t record)
{
    return late[result].frames[slot] + record * late[result].record_bytes;
}

void late_frames_send(int result, int slot, size_t records, void *to)
{
    assert_in_range(records, 1, late[result].records);
    late[result].sent[slot] = records;
    late[result].to[slot] = to;
}

void late_frames_await(int result, int slot)
{
    nanosleep(&(struct timespec){0, 100000}, NULL);
    memcpy(late[result].to[slot], late[result].frames[slot],
           late[result].sent[slot] * late[result].record_bytes);
}
