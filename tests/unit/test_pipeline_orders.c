// core/pipeline: calls queued for later (reading ahead). Their order among the frames, what they leave in
// their orders, that their failures are nobody's but the caller's, and that nobody is left waiting.
#include "tests/support/test.h"

#include "core/pipeline.h"
#include "tests/support/gate.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

enum { VALUES = 500, NOTES_MAX = 512 };

static struct memory_plan plan;
static struct pipeline pipeline;
static struct stream stream;
static const struct stream *const stream_list[1] = {&stream};
// What the I/O thread did, in its order: a frame's first value, or a call's number.
static double notes[NOTES_MAX];
static int note_count, failing_write;
static atomic_long delay_us;
static struct gate gate; // of the calls
static bool is_finished, is_abandoned;

static void note(double value)
{
    if (delay_us > 0)
        nanosleep(&(struct timespec){0, delay_us * 1000}, NULL);
    if (note_count < NOTES_MAX)
        notes[note_count++] = value;
}

static enum status sink_write(void *context, const struct frame *frame)
{
    note(((const double *)frame->data)[0]);
    return note_count == failing_write ? FAIL(STATUS_IO, "the fake disk is full") : STATUS_OK;
}

static enum status sink_checkpoint(void *context, struct checkpoint_header *header,
                                   const struct checkpoint_array *arrays, int count)
{
    return STATUS_OK;
}

static enum status sink_finish(void *context)
{
    is_finished = true;
    return STATUS_OK;
}

static void sink_abandon(void *context)
{
    is_abandoned = true;
}

static const struct sink sink = {NULL, sink_write, sink_checkpoint, sink_finish, sink_abandon};

static int begin(void **state)
{
    status_clear();
    note_count = failing_write = 0;
    gate.is_closed = false;
    delay_us = 0;
    is_finished = is_abandoned = false;
    stream = (struct stream){.name = "fields",
                             .has_records = true,
                             .element = ELEMENT_F64,
                             .records_per_frame = 1,
                             .axis_count = 1,
                             .variable_count = 1};
    stream.axes[0] = (struct stream_axis){.name = "n", .length = VALUES};
    stream.variables[0] = (struct stream_variable){.name = "value", .rank = 1};
    memory_plan_begin(&plan);
    return pipeline_plan(&pipeline, &plan, stream_list, 1, NULL, 0) == STATUS_OK &&
                   memory_plan_reserve(&plan, SIZE_MAX, SIZE_MAX) == STATUS_OK &&
                   pipeline_start(&pipeline, sink) == STATUS_OK
               ? 0
               : -1;
}

static int end(void **state)
{
    (void)pipeline_stop(&pipeline, false);
    memory_plan_release(&plan);
    status_clear();
    return 0;
}

static enum status send(double value)
{
    struct frame *frame;
    CHECK(pipeline_acquire(&pipeline, 0, &frame));
    ((double *)frame->data)[0] = value;
    frame->times_s[0] = value;
    frame->records = 1;
    return pipeline_submit(&pipeline, frame);
}

// A piece of work: fills an array, as reading ahead does.
struct work {
    struct pipeline_order order;
    double number;
    double values[VALUES];
    bool is_failing;
    pthread_t thread;
};

static enum status fill(void *context)
{
    struct work *work = context;
    gate_pass(&gate);
    note(work->number);
    work->thread = pthread_self();
    for (int k = 0; k < VALUES; k++)
        work->values[k] = work->number;
    return work->is_failing ? STATUS_DATA : STATUS_OK;
}

TEST_SUITE(.setup = begin, .teardown = end, .limit_s = 120);

// Frames and calls in the order in which they were queued, all on one thread; the caller goes on meanwhile,
// and finds all of the values once it has waited.
TEST(test_calls_keep_their_place_and_bring_their_values)
{
    static struct work works[3];
    delay_us = 5000;
    gate.is_closed = true;
    assert_int_equal(send(1), STATUS_OK);
    for (int k = 0; k < 3; k++) {
        works[k] = (struct work){.number = 10 + k};
        assert_int_equal(pipeline_call_later(&pipeline, fill, &works[k], &works[k].order), STATUS_OK);
        assert_int_equal(send(20 + k), STATUS_OK);
    }
    assert_false(pipeline_is_call_done(&pipeline, &works[2].order));
    gate.is_closed = false;
    double waited_s = -1;
    assert_int_equal(pipeline_await_call(&pipeline, &works[2].order, &waited_s), STATUS_OK);
    assert_true(waited_s >= 0);
    for (int k = 0; k < 3; k++) {
        assert_true(pipeline_is_call_done(&pipeline, &works[k].order));
        assert_true(works[k].order.elapsed_s >= 4e-3);
        assert_true(pthread_equal(works[k].thread, works[0].thread));
        assert_false(pthread_equal(works[k].thread, pthread_self()));
        for (int i = 0; i < VALUES; i++)
            assert_true(works[k].values[i] == 10 + k);
    }
    assert_int_equal(pipeline_await_call(&pipeline, &works[1].order, NULL), STATUS_OK); // again: at once
    assert_int_equal(pipeline_stop(&pipeline, true), STATUS_OK);
    const double expected[] = {1, 10, 20, 11, 21, 12, 22};
    assert_int_equal(note_count, 7);
    assert_memory_equal(notes, expected, sizeof expected);
    assert_true(is_finished);
}

// A record that cannot be read is no failure of the pipeline: frames before and after it are written, and the
// end is a good one.
TEST(test_a_failing_call_stays_in_its_order)
{
    struct work bad = {.number = 5, .is_failing = true}, good = {.number = 6};
    assert_int_equal(pipeline_call_later(&pipeline, fill, &bad, &bad.order), STATUS_OK);
    assert_int_equal(send(1), STATUS_OK);
    assert_int_equal(pipeline_call_later(&pipeline, fill, &good, &good.order), STATUS_OK);
    assert_int_equal(pipeline_await_call(&pipeline, &bad.order, NULL), STATUS_DATA);
    assert_int_equal(pipeline_await_call(&pipeline, &good.order, NULL), STATUS_OK);
    assert_int_equal(send(2), STATUS_OK);
    assert_int_equal(pipeline_stop(&pipeline, true), STATUS_OK);
    assert_true(is_finished && !is_abandoned);
    assert_int_equal(note_count, 4);
}

// Once the disk is full nothing is read any more, and whoever waits is told.
TEST(test_a_failed_pipeline_fails_the_calls_behind)
{
    struct work late = {.number = 5};
    failing_write = 1;
    delay_us = 3000;
    assert_int_equal(send(1), STATUS_OK);
    assert_int_equal(pipeline_call_later(&pipeline, fill, &late, &late.order), STATUS_OK);
    assert_int_equal(pipeline_await_call(&pipeline, &late.order, NULL), STATUS_IO);
    assert_int_equal(note_count, 1);
    assert_string_equal(status_message(), "the fake disk is full");
    assert_int_equal(pipeline_stop(&pipeline, true), STATUS_IO);
    assert_true(is_abandoned);
}

// A stop drains what is queued: memory that calls write to may be released after it.
TEST(test_stop_waits_for_what_is_queued)
{
    static struct work works[8];
    delay_us = 2000;
    for (int k = 0; k < 8; k++) {
        works[k] = (struct work){.number = k};
        assert_int_equal(pipeline_call_later(&pipeline, fill, &works[k], &works[k].order), STATUS_OK);
    }
    assert_int_equal(pipeline_stop(&pipeline, false), STATUS_OK);
    for (int k = 0; k < 8; k++)
        assert_true(works[k].order.is_done && works[k].values[VALUES - 1] == k);
    assert_int_equal(note_count, 8);
}

// The queue is fixed: what does not fit is refused, and room comes back.
TEST(test_more_calls_than_fit_are_refused)
{
    static struct work works[PIPELINE_ORDERS_MAX + 1];
    gate.is_closed = true; // the first is under way
    for (int k = 0; k <= PIPELINE_ORDERS_MAX; k++) {
        works[k] = (struct work){.number = k};
        const enum status status = pipeline_call_later(&pipeline, fill, &works[k], &works[k].order);
        assert_int_equal(status, k < PIPELINE_ORDERS_MAX ? STATUS_OK : STATUS_SOFTWARE);
        if (k == 0)
            gate_await_one(&gate);
    }
    status_clear();
    gate.is_closed = false;
    assert_int_equal(pipeline_await_call(&pipeline, &works[PIPELINE_ORDERS_MAX - 1].order, NULL), STATUS_OK);
    assert_int_equal(pipeline_call_later(&pipeline, fill, &works[0], &works[0].order), STATUS_OK);
    assert_int_equal(pipeline_stop(&pipeline, true), STATUS_OK);
}
