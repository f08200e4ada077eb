// core/pipeline: order, the single I/O thread, stalls (a full queue), checkpoint staging, and failures, which
// are returned without a deadlock.
#include "tests/support/test.h"

#include "core/pipeline.h"
#include "tests/support/gate.h"
#include "tests/support/test_clock.h"

#include <pthread.h>
#include <time.h>

enum { STREAMS = 3, SLOTS = PIPELINE_FRAME_SLOTS, EVENTS_MAX = 256, STATE = 100, FIELD = 1000 };

// ---- a sink that records its calls

enum event_kind { EVENT_WRITE, EVENT_CHECKPOINT, EVENT_CALL, EVENT_FINISH, EVENT_ABANDON };

struct event {
    enum event_kind kind;
    int stream;
    size_t records;
    double value, time_s; // first element of the data; first time
};

struct recorder {
    struct event events[EVENTS_MAX];
    int count;
    long delay_us; // duration of each work, by the machine's clock
    double work_s; // duration of each work, by the test's clock
    // Work number k begins after the caller has read the clock 2 k + looks_ahead times, at most looks_most.
    int looks_ahead;
    int looks_most;
    struct gate gate;
    enum event_kind failing_kind;
    int failing_number; // the n-th of its kind fails, from 1; 0 = none
    int of_kind[EVENT_ABANDON + 1];
    pthread_t thread;
    bool has_thread, has_second_thread, is_uniform, may_allocate;
};

static struct recorder recorder;
static struct memory_plan plan;
static struct pipeline pipeline;
static struct stream streams[STREAMS];
static const struct stream *const stream_list[STREAMS] = {&streams[0], &streams[1], &streams[2]};
static double state_a[STATE];
static float state_b[3 * STATE];

static enum status note(struct event event)
{
    if (recorder.has_thread && !pthread_equal(recorder.thread, pthread_self()))
        recorder.has_second_thread = true;
    recorder.thread = pthread_self();
    recorder.has_thread = true;
    recorder.may_allocate |= memory_thread_may_allocate;
    gate_pass(&recorder.gate);
    const int looks = 2 * recorder.count + recorder.looks_ahead;
    test_clock_await_looks(looks < recorder.looks_most ? looks : recorder.looks_most);
    test_clock_advance(recorder.work_s);
    if (recorder.delay_us > 0)
        nanosleep(&(struct timespec){0, recorder.delay_us * 1000}, NULL);
    if (recorder.count < EVENTS_MAX)
        recorder.events[recorder.count++] = event;
    recorder.of_kind[event.kind]++;
    if (recorder.failing_number > 0 && event.kind == recorder.failing_kind &&
        recorder.of_kind[event.kind] == recorder.failing_number)
        return FAIL(STATUS_IO, "the fake disk is full at event %d", recorder.count);
    return STATUS_OK;
}

static enum status sink_write(void *context, const struct frame *frame)
{
    const double *data = frame->data;
    const size_t length = stream_record_bytes(&streams[frame->stream]) / sizeof *data;
    for (size_t k = 0; k < frame->records * length; k++)
        recorder.is_uniform &= data[k] == data[0];
    return note((struct event){EVENT_WRITE, frame->stream, frame->records, data[0], frame->times_s[0]});
}

static enum status sink_checkpoint(void *context, struct checkpoint_header *header,
                                   const struct checkpoint_array *arrays, int array_count)
{
    recorder.is_uniform &=
        array_count == 2 && arrays[0].bytes == sizeof state_a && arrays[1].bytes == sizeof state_b;
    recorder.is_uniform &= strcmp(arrays[0].name, "a") == 0 && strcmp(arrays[1].name, "b") == 0;
    const double *a = arrays[0].data;
    const float *b = arrays[1].data;
    const struct event event = {EVENT_CHECKPOINT, -1, (size_t)header->step, a[0], header->time_s};
    const enum status status = note(event); // waits before the rest is compared
    for (int k = 0; k < STATE; k++)
        recorder.is_uniform &= a[k] == a[0] && b[3 * k] == (float)a[0];
    return status;
}

static enum status sink_finish(void *context)
{
    return note((struct event){.kind = EVENT_FINISH});
}

static void sink_abandon(void *context)
{
    (void)note((struct event){.kind = EVENT_ABANDON});
}

static const struct sink sink = {NULL, sink_write, sink_checkpoint, sink_finish, sink_abandon};

static void fill_state(double value)
{
    for (int k = 0; k < STATE; k++)
        state_a[k] = value;
    for (int k = 0; k < 3 * STATE; k++)
        state_b[k] = (float)value;
}

static void get_arrays(struct checkpoint_array arrays[2])
{
    arrays[0] = (struct checkpoint_array){"a", state_a, sizeof state_a};
    arrays[1] = (struct checkpoint_array){"b", state_b, sizeof state_b};
}

static int begin(void **state)
{
    status_clear();
    recorder = (struct recorder){.is_uniform = true};
    // Fields, a series of up to four records a frame, and a static stream.
    for (int s = 0; s < STREAMS; s++) {
        streams[s] = (struct stream){.name = s == 0   ? "fields"
                                             : s == 1 ? "series"
                                                      : "static",
                                     .has_records = s < 2,
                                     .element = ELEMENT_F64,
                                     .records_per_frame = s == 1 ? 4 : 1,
                                     .axis_count = 1,
                                     .variable_count = 1};
        streams[s].axes[0] = (struct stream_axis){.name = "n", .length = s == 1 ? 5 : FIELD};
        streams[s].variables[0] = (struct stream_variable){.name = "value", .rank = 1};
    }
    struct checkpoint_array arrays[2];
    get_arrays(arrays);
    memory_plan_begin(&plan);
    if (pipeline_plan(&pipeline, &plan, stream_list, STREAMS, arrays, 2) != STATUS_OK ||
        memory_plan_reserve(&plan, SIZE_MAX, SIZE_MAX) != STATUS_OK)
        return -1;
    return 0;
}

static int end(void **state)
{
    (void)pipeline_stop(&pipeline, false); // without effect if the test has stopped it
    memory_plan_release(&plan);
    status_clear();
    return 0;
}

static enum status send(int stream, size_t records, double value)
{
    struct frame *frame;
    CHECK(pipeline_acquire(&pipeline, stream, &frame));
    assert_int_equal(frame->records, 0);
    frame->records = records;
    frame->times_s[0] = 10 * value;
    double *data = frame->data;
    for (size_t k = 0; k < records * stream_record_bytes(&streams[stream]) / sizeof *data; k++)
        data[k] = value;
    return pipeline_submit(&pipeline, frame);
}

static enum status save(int64_t step, double value)
{
    struct checkpoint_array arrays[2];
    get_arrays(arrays);
    fill_state(value);
    const struct checkpoint_header header = {.step = step, .time_s = 10 * value};
    const enum status status = pipeline_checkpoint(&pipeline, &header, arrays);
    fill_state(-1); // the run continues at once: the copy must be written
    return status;
}

static enum status noting_call(void *context)
{
    return note((struct event){.kind = EVENT_CALL, .value = *(double *)context});
}

static void assert_event(int index, enum event_kind kind, int stream, double value)
{
    assert_in_range(index, 0, recorder.count - 1);
    assert_int_equal(recorder.events[index].kind, kind);
    assert_int_equal(recorder.events[index].stream, stream);
    assert_true(recorder.events[index].value == value);
}

// ---- the plan

TEST_SUITE(.setup = begin, .teardown = end, .limit_s = 120);

TEST(test_plan_declares_frames_and_staging)
{
    assert_true(memory_plan_is_valid(&plan));
    // Three slots of fields and series, one of the static stream, two arrays of a checkpoint; frames padded
    // to 256 bytes.
    const size_t frames = 3 * 8192 + 3 * 256, once = 8192, staging = 1024 + 1280, times = 7 * 256;
    assert_int_equal(plan.total[MEMORY_PINNED], frames);
    assert_int_equal(plan.total[MEMORY_HOST], once + staging + times);
}

// A frame states its stream and its number. Back ends use the number to find their own frame.
TEST(test_frames_are_numbered)
{
    bool is_seen[SLOTS] = {false};
    assert_int_equal(pipeline_start(&pipeline, sink), STATUS_OK);
    for (int k = 0; k < SLOTS; k++) {
        struct frame *frame;
        assert_int_equal(pipeline_acquire(&pipeline, 1, &frame), STATUS_OK);
        assert_int_equal(frame->stream, 1);
        assert_in_range(frame->slot, 0, SLOTS - 1);
        assert_false(is_seen[frame->slot]);
        is_seen[frame->slot] = true;
    }
    assert_int_equal(pipeline_stop(&pipeline, false), STATUS_OK);
}

// ---- order and threads

TEST(test_order_is_kept)
{
    assert_int_equal(pipeline_start(&pipeline, sink), STATUS_OK);
    recorder.delay_us = 200;
    for (int round = 0; round < 20; round++) {
        const double value = 100 * round;
        assert_int_equal(send(0, 1, value + 1), STATUS_OK);
        assert_int_equal(send(1, 3, value + 2), STATUS_OK);
        assert_int_equal(save(round, value + 3), STATUS_OK);
        assert_int_equal(send(1, 4, value + 4), STATUS_OK);
    }
    assert_int_equal(send(2, 1, 7), STATUS_OK);
    assert_int_equal(pipeline_stop(&pipeline, true), STATUS_OK);
    assert_int_equal(recorder.count, 82);
    for (int round = 0; round < 20; round++) {
        const double value = 100 * round;
        assert_event(4 * round, EVENT_WRITE, 0, value + 1);
        assert_event(4 * round + 1, EVENT_WRITE, 1, value + 2);
        assert_int_equal(recorder.events[4 * round + 1].records, 3);
        assert_event(4 * round + 2, EVENT_CHECKPOINT, -1, value + 3);
        assert_int_equal(recorder.events[4 * round + 2].records, round);
        assert_event(4 * round + 3, EVENT_WRITE, 1, value + 4);
    }
    assert_event(80, EVENT_WRITE, 2, 7);
    assert_event(81, EVENT_FINISH, 0, 0);
    assert_true(recorder.is_uniform);
    const struct pipeline_statistics *s = &pipeline.statistics;
    assert_int_equal(s->frames, 61);
    assert_int_equal(s->checkpoints, 20);
    assert_true(s->bytes == 20 * (8000.0 + 3 * 40 + 4 * 40) + 8000);
}

TEST(test_everything_runs_on_one_thread_that_may_allocate)
{
    double value = 5;
    assert_int_equal(pipeline_start(&pipeline, sink), STATUS_OK);
    assert_int_equal(send(0, 1, 1), STATUS_OK);
    assert_int_equal(pipeline_call(&pipeline, noting_call, &value), STATUS_OK);
    assert_int_equal(save(1, 2), STATUS_OK);
    assert_int_equal(pipeline_stop(&pipeline, true), STATUS_OK);
    assert_int_equal(recorder.count, 4);
    assert_false(recorder.has_second_thread);
    assert_false(pthread_equal(recorder.thread, pthread_self()));
    assert_true(recorder.may_allocate);
    assert_false(memory_thread_may_allocate); // the test's thread may not
}

// A call is made after all earlier work of the queue, and has ended when pipeline_call returns.
TEST(test_call_waits_for_what_is_queued)
{
    double value = 9;
    recorder.delay_us = 3000;
    assert_int_equal(pipeline_start(&pipeline, sink), STATUS_OK);
    assert_int_equal(send(0, 1, 1), STATUS_OK);
    assert_int_equal(send(0, 1, 2), STATUS_OK);
    assert_int_equal(send(1, 1, 3), STATUS_OK);
    assert_int_equal(pipeline_call(&pipeline, noting_call, &value), STATUS_OK);
    assert_int_equal(recorder.count, 4);
    assert_event(3, EVENT_CALL, 0, 9);
}

// ---- frames whose data come later

// Another thread fills frames that are already in the queue, as a device does.
struct supply {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t arrived;
    struct frame *frames[EVENTS_MAX];
    int count, done; // frames submitted; frames filled
    bool is_ended;
    double work_s; // duration of filling a frame, by the test's clock
    int failing;   // await of this frame (from 1) fails; 0 = none
    int awaited;
};

static struct supply supply;

static void *fill_frames(void *unused)
{
    pthread_mutex_lock(&supply.lock);
    while (!supply.is_ended || supply.done < supply.count) {
        // The data come when the I/O thread waits for them.
        if (supply.done == supply.count || (supply.awaited <= supply.done && !supply.is_ended)) {
            pthread_cond_wait(&supply.arrived, &supply.lock);
            continue;
        }
        struct frame *frame = supply.frames[supply.done];
        const double value = supply.done;
        pthread_mutex_unlock(&supply.lock);
        test_clock_advance(supply.work_s);
        for (size_t k = 0; k < FIELD; k++)
            ((double *)frame->data)[k] = value;
        pthread_mutex_lock(&supply.lock);
        supply.done++;
        pthread_cond_broadcast(&supply.arrived);
    }
    pthread_mutex_unlock(&supply.lock);
    return NULL;
}

static enum status await_supply(void *context, const struct frame *frame)
{
    struct supply *s = context;
    pthread_mutex_lock(&s->lock);
    const int number = s->awaited++; // frames of one stream are awaited in their order
    pthread_cond_broadcast(&s->arrived);
    pthread_mutex_unlock(&s->lock);
    recorder.is_uniform &= s->frames[number] == frame;
    if (s->failing == number + 1)
        return FAIL(STATUS_SYSTEM, "frame %d is lost", number);
    pthread_mutex_lock(&s->lock);
    while (s->done <= number)
        pthread_cond_wait(&s->arrived, &s->lock);
    pthread_mutex_unlock(&s->lock);
    return STATUS_OK;
}

static void supply_begin(double work_s, int failing)
{
    supply = (struct supply){.work_s = work_s, .failing = failing};
    assert_int_equal(pthread_mutex_init(&supply.lock, NULL), 0);
    assert_int_equal(pthread_cond_init(&supply.arrived, NULL), 0);
    assert_int_equal(pthread_create(&supply.thread, NULL, fill_frames, NULL), 0);
    assert_int_equal(pipeline_start(&pipeline, sink), STATUS_OK);
    pipeline_set_source(&pipeline, (struct frame_source){&supply, await_supply});
}

static void supply_end(void)
{
    pthread_mutex_lock(&supply.lock);
    supply.is_ended = true;
    pthread_cond_broadcast(&supply.arrived);
    pthread_mutex_unlock(&supply.lock);
    pthread_join(supply.thread, NULL);
    pthread_cond_destroy(&supply.arrived);
    pthread_mutex_destroy(&supply.lock);
}

static enum status send_later(void)
{
    struct frame *frame;
    CHECK(pipeline_acquire(&pipeline, 0, &frame));
    frame->records = 1;
    frame->times_s[0] = 0;
    memset(frame->data, 0xff, FIELD * sizeof(double)); // NaN: not what the sink must see
    pthread_mutex_lock(&supply.lock);
    supply.frames[supply.count++] = frame;
    pthread_cond_broadcast(&supply.arrived);
    pthread_mutex_unlock(&supply.lock);
    return pipeline_submit(&pipeline, frame);
}

// The sink receives every frame complete and in order. The thread that submits does not wait while there are
// free frames (the gate is closed). The time for which the I/O thread waits counts as await_s, not as
// write_s.
TEST(test_the_sink_receives_a_frame_after_its_data_have_arrived)
{
    enum { FRAMES = 8 };
    recorder.gate.is_closed = true;
    supply_begin(20e-3, 0);
    for (int k = 0; k < SLOTS; k++)
        assert_int_equal(send_later(), STATUS_OK);
    recorder.gate.is_closed = false;
    for (int k = SLOTS; k < FRAMES; k++)
        assert_int_equal(send_later(), STATUS_OK);
    assert_int_equal(pipeline_stop(&pipeline, true), STATUS_OK);
    supply_end();
    assert_true(recorder.is_uniform);
    for (int k = 0; k < FRAMES; k++)
        assert_event(k, EVENT_WRITE, 0, k);
    assert_true(fabs(pipeline.statistics.await_s - FRAMES * 20e-3) < 1e-9);
    assert_true(pipeline.statistics.write_s == 0);
}

// After a failure of the I/O thread nothing more is written, and the next submit returns the failure.
TEST(test_failing_await_is_returned)
{
    supply_begin(1e-3, 3);
    int sent = 0;
    enum status status = STATUS_OK;
    while (status == STATUS_OK && sent < 100) {
        status = send_later();
        sent++;
    }
    assert_int_equal(status, STATUS_SYSTEM);
    assert_int_equal(pipeline_stop(&pipeline, true), STATUS_SYSTEM);
    supply_end();
    assert_in_range(sent, 3, 3 + SLOTS + 1);
    assert_string_equal(status_message(), "frame 2 is lost");
    assert_int_equal(recorder.of_kind[EVENT_WRITE], 2);
    assert_int_equal(recorder.of_kind[EVENT_FINISH], 0);
    assert_int_equal(recorder.of_kind[EVENT_ABANDON], 1);
}

// ---- stalls, by the test's clock, which advances only during work

TEST(test_slow_sink_stalls_the_producer_and_is_counted)
{
    enum { FRAMES = 25 };
    recorder.work_s = 4e-3;
    recorder.looks_ahead = 2 * SLOTS + 1; // a frame is written only after the caller asks for its slot again
    recorder.looks_most = 2 * FRAMES;
    test_clock_count_looks();
    assert_int_equal(pipeline_start(&pipeline, sink), STATUS_OK);
    for (int k = 0; k < FRAMES; k++)
        assert_int_equal(send(0, 1, k), STATUS_OK);
    const double stall_s = pipeline.statistics.stall_s; // only this thread counts it
    assert_int_equal(pipeline_stop(&pipeline, true), STATUS_OK);
    // The first SLOTS frames do not wait; each later one waits until another is written.
    assert_true(fabs(stall_s - (FRAMES - SLOTS) * 4e-3) < 1e-9);
    assert_true(fabs(pipeline.statistics.write_s - (FRAMES + 1) * 4e-3) < 1e-9); // finish included
    assert_in_range(pipeline.statistics.deepest_queue, 1, SLOTS + 1); // the last entry is the order to stop
    for (int k = 0; k < FRAMES; k++)
        assert_event(k, EVENT_WRITE, 0, k);
}

TEST(test_no_stall_while_slots_are_free)
{
    recorder.gate.is_closed = true; // nothing is written until all is sent
    recorder.work_s = 1;
    assert_int_equal(pipeline_start(&pipeline, sink), STATUS_OK);
    assert_int_equal(send(0, 1, 1), STATUS_OK);
    assert_int_equal(send(0, 1, 2), STATUS_OK);
    assert_int_equal(send(1, 1, 3), STATUS_OK);
    assert_int_equal(send(2, 1, 4), STATUS_OK);
    assert_int_equal(save(1, 5), STATUS_OK);
    assert_true(pipeline.statistics.stall_s == 0);
    recorder.gate.is_closed = false;
    assert_int_equal(pipeline_stop(&pipeline, true), STATUS_OK);
    assert_int_equal(recorder.count, 6);
}

// The second checkpoint must wait for the staging memory; otherwise the file of the first would contain
// values of the second.
TEST(test_second_checkpoint_waits_for_the_first)
{
    recorder.work_s = 10e-3;
    recorder.looks_ahead = 3; // each is written only after the next is requested
    recorder.looks_most = 2 * 4;
    test_clock_count_looks();
    assert_int_equal(pipeline_start(&pipeline, sink), STATUS_OK);
    for (int k = 1; k <= 4; k++)
        assert_int_equal(save(k, 10 * k), STATUS_OK);
    assert_true(fabs(pipeline.statistics.stall_s - 30e-3) < 1e-9);
    assert_int_equal(pipeline_stop(&pipeline, false), STATUS_OK);
    for (int k = 1; k <= 4; k++)
        assert_event(k - 1, EVENT_CHECKPOINT, -1, 10 * k);
    assert_event(4, EVENT_ABANDON, 0, 0);
    assert_true(recorder.is_uniform);
    assert_true(fabs(pipeline.statistics.checkpoint_s - 40e-3) < 1e-9);
}

// ---- ends

TEST(test_stop_without_finish_abandons_after_what_is_queued)
{
    recorder.delay_us = 1000;
    assert_int_equal(pipeline_start(&pipeline, sink), STATUS_OK);
    assert_int_equal(send(0, 1, 1), STATUS_OK);
    assert_int_equal(send(1, 2, 2), STATUS_OK);
    assert_int_equal(pipeline_stop(&pipeline, false), STATUS_OK);
    assert_int_equal(recorder.count, 3);
    assert_event(2, EVENT_ABANDON, 0, 0);
    assert_false(recorder.has_second_thread);
    assert_int_equal(pipeline_stop(&pipeline, true), STATUS_OK); // already stopped: no effect
    assert_int_equal(recorder.count, 3);
}

// acquire or submit returns the failure within SLOTS more frames. After it the sink is called only once, to
// abandon. pipeline_stop returns the failure although finishing was requested.
TEST(test_failing_write_is_returned)
{
    recorder.failing_kind = EVENT_WRITE;
    recorder.failing_number = 3;
    assert_int_equal(pipeline_start(&pipeline, sink), STATUS_OK);
    int sent = 0;
    enum status status = STATUS_OK;
    while (status == STATUS_OK && sent < 100) {
        status = send(0, 1, sent);
        sent++;
    }
    assert_int_equal(status, STATUS_IO);
    assert_in_range(sent, 3, 3 + SLOTS + 1);
    assert_int_equal(pipeline_stop(&pipeline, true), STATUS_IO);
    assert_int_equal(recorder.of_kind[EVENT_WRITE], 3);
    assert_int_equal(recorder.of_kind[EVENT_FINISH], 0);
    assert_int_equal(recorder.of_kind[EVENT_ABANDON], 1);
    assert_string_equal(status_message(), "the fake disk is full at event 3");
}

TEST(test_failing_checkpoint_is_returned)
{
    recorder.failing_kind = EVENT_CHECKPOINT;
    recorder.failing_number = 1;
    assert_int_equal(pipeline_start(&pipeline, sink), STATUS_OK);
    assert_int_equal(save(1, 1), STATUS_OK); // queued; the next call returns its failure
    assert_int_equal(save(2, 2), STATUS_IO);
    double value = 0;
    assert_int_equal(pipeline_call(&pipeline, noting_call, &value), STATUS_IO);
    assert_int_equal(pipeline_stop(&pipeline, true), STATUS_IO);
    assert_int_equal(recorder.of_kind[EVENT_CHECKPOINT], 1);
    assert_int_equal(recorder.of_kind[EVENT_CALL], 0); // not called after a failure
    assert_int_equal(recorder.of_kind[EVENT_ABANDON], 1);
}

TEST(test_failing_call_is_returned)
{
    double value = 0;
    recorder.failing_kind = EVENT_CALL;
    recorder.failing_number = 1;
    assert_int_equal(pipeline_start(&pipeline, sink), STATUS_OK);
    assert_int_equal(pipeline_call(&pipeline, noting_call, &value), STATUS_IO);
    assert_int_equal(pipeline_stop(&pipeline, true), STATUS_IO);
    assert_int_equal(recorder.of_kind[EVENT_FINISH], 0);
    assert_int_equal(recorder.of_kind[EVENT_ABANDON], 1);
}

TEST(test_failing_finish_abandons)
{
    recorder.failing_kind = EVENT_FINISH;
    recorder.failing_number = 1;
    assert_int_equal(pipeline_start(&pipeline, sink), STATUS_OK);
    assert_int_equal(send(0, 1, 1), STATUS_OK);
    assert_int_equal(pipeline_stop(&pipeline, true), STATUS_IO);
    assert_int_equal(recorder.of_kind[EVENT_FINISH], 1);
    assert_int_equal(recorder.of_kind[EVENT_ABANDON], 1);
    assert_event(recorder.count - 1, EVENT_ABANDON, 0, 0);
}

TEST(test_stop_of_a_pipeline_that_never_started)
{
    assert_int_equal(pipeline_stop(&pipeline, true), STATUS_OK);
    assert_int_equal(recorder.count, 0);
}
