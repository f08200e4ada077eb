// core/run: when records are taken, resuming, checkpoints, limits and signals, with a simulation and a sink
// that only keep books.
#include "tests/support/test.h"

#include "core/clock.h"
#include "core/stop_signals.h"
#include "tests/support/fake_run.h"
#include "tests/support/test_clock.h"

#include <signal.h>
#include <sys/wait.h>

static struct fake_books expected;

// ---- the schedule alone

// All steps of a schedule, from its meaning: the nearest step to each time asked for, every step if asked for
// more often; and the last step, if not among them.
static int list_steps(const struct run_request *request, const struct run_schedule *schedule, int64_t *steps)
{
    int count = 0;
    if (schedule->every_s > 0) {
        for (int64_t k = schedule->at_start ? 0 : 1;; k++) {
            const double ratio = schedule->every_s / request->step_s;
            const int64_t step = ratio <= 1 ? k : (int64_t)nearbyint((double)k * ratio);
            if (step > request->steps)
                break;
            steps[count++] = step;
        }
    } else if (schedule->at_start) {
        steps[count++] = 0;
    }
    if (schedule->at_end && (count == 0 || steps[count - 1] != request->steps))
        steps[count++] = request->steps;
    return count;
}

static void pass_time(long microseconds);

static int begin(int argc, char **argv)
{
    fake_pass_time = pass_time;
    return 0;
}

TEST_SUITE(.setup = fake_begin, .limit_s = 120, .begin = begin);

TEST(test_record_steps)
{
    static int64_t steps[8192];
    static const double intervals[] = {0, 0.1, 1, 2, 3, 5, 6, 7, 7.3, 50, 99, 100, 101, 200, 1e9};
    static const int64_t lengths[] = {1, 2, 3, 17, 50, 51, 500};
    for (size_t e = 0; e < sizeof intervals / sizeof *intervals; e++)
        for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
            for (int flags = 0; flags < 4; flags++) {
                struct run_request request = {.steps = lengths[l], .step_s = 2, .start_s = 100};
                request.schedules[0] = (struct run_schedule){
                    .every_s = intervals[e], .at_start = flags & 1, .at_end = flags & 2};
                const int count = list_steps(&request, &request.schedules[0], steps);
                for (int k = 0; k < count; k++)
                    if (run_record_step(&request, 0, k) != steps[k])
                        fail_msg("every %g s, %lld steps, flags %d: record %d at step %lld, expected %lld",
                                 intervals[e], (long long)lengths[l], flags, k,
                                 (long long)run_record_step(&request, 0, k), (long long)steps[k]);
                assert_int_equal(run_record_step(&request, 0, count), -1);
                assert_int_equal(run_record_step(&request, 0, count + 1), -1);
            }
}

// Written out, so that the oracle above is checked too.
TEST(test_record_steps_by_hand)
{
    struct run_request request = {.steps = 10, .step_s = 3};
    request.schedules[0] = (struct run_schedule){.every_s = 10, .at_start = true, .at_end = true};
    const int64_t steps[] = {0, 3, 7, 10, -1}; // 0, 10, 20, 30 s: 0, 9, 21, 30 s
    for (int k = 0; k < 5; k++)
        assert_int_equal(run_record_step(&request, 0, k), steps[k]);
    request.steps = 11;
    const int64_t longer[] = {0, 3, 7, 10, 11, -1};
    for (int k = 0; k < 6; k++)
        assert_int_equal(run_record_step(&request, 0, k), longer[k]);
    request.schedules[0] = (struct run_schedule){
        .every_s = 1, .at_start = false, .at_end = true}; // oftener than the steps: each of them, once
    for (int k = 0; k < 11; k++)
        assert_int_equal(run_record_step(&request, 0, k), k + 1);
    assert_int_equal(run_record_step(&request, 0, 11), -1);
}

// No record is further than half a step from its time, over a year of one-second steps.
TEST(test_record_times_do_not_drift)
{
    struct run_request request = {.steps = 31557600, .step_s = 1.0 / 3, .start_s = 0};
    request.schedules[0] = (struct run_schedule){.every_s = 61.7, .at_start = true, .at_end = false};
    const int64_t last = (int64_t)((double)request.steps / 3 / 61.7);
    for (int64_t k = 0; k <= last; k += 97)
        assert_true(fabs((double)run_record_step(&request, 0, k) / 3 - (double)k * 61.7) <= 0.5 / 3 + 1e-6);
}

// ---- the loop

TEST(test_records_come_at_their_steps_with_their_times)
{
    const struct run_request request = fake_request();
    fake_run_well(&request);
    assert_int_equal(fake_result.steps_run, 500);
    static int64_t steps[1024];
    for (int s = 0; s < FAKE_STREAMS; s++) {
        const int count = list_steps(&request, &request.schedules[s], steps);
        assert_int_equal(fake_count(&fake_books, s), count);
        int k = 0;
        for (int n = 0; n < fake_books.count; n++) {
            if (fake_books.seen[n].stream != s)
                continue;
            assert_true(fake_books.seen[n].step == (double)(1000 * s) + (double)steps[k]);
            assert_true(fake_books.seen[n].time_s == 100 + 2.0 * (double)steps[k]);
            k++;
        }
    }
    assert_int_equal(fake_books.saved_count, 0);
    assert_true(fake.largest_count <= 30); // never past a record: fields come each 30 steps
}

TEST(test_every_record_when_asked_for_oftener_than_steps)
{
    struct run_request request = fake_request();
    request.schedules[FAKE_FIELDS].every_s = 0.25;
    fake_run_well(&request);
    assert_int_equal(fake_count(&fake_books, FAKE_FIELDS), 501);
    assert_int_equal(fake.largest_count, 1);
}

// How many records of the series that were taken before a field's came after it.
static int count_late_records(void)
{
    int late = 0;
    for (int n = 0; n < fake_books.count; n++)
        for (int m = n + 1; fake_books.seen[n].stream == FAKE_FIELDS && m < fake_books.count; m++)
            late += fake_books.seen[m].stream == FAKE_SERIES &&
                    fake_books.seen[m].time_s < fake_books.seen[n].time_s;
    return late;
}

// A record that says what follows from those of others comes after them, though their frames are not full.
TEST(test_records_after_the_others)
{
    struct run_request request = fake_request();
    fake_run_well(&request);
    const int all = fake_books.count;
    assert_true(count_late_records() > 0);
    fake_begin(cmocka_state);
    request.schedules[FAKE_FIELDS].after_others = true;
    fake_run_well(&request);
    assert_int_equal(count_late_records(), 0);
    assert_int_equal(fake_books.count, all);
}

TEST(test_checkpoints_by_steps)
{
    struct run_request request = fake_request();
    request.checkpoint_every_steps = 70;
    request.header =
        (struct checkpoint_header){.job_hash = 77, .input_hash = 88, .version = "v", .backend = "fake"};
    fake_run_well(&request);
    assert_int_equal(fake_books.saved_count, 7); // 70 … 490, none at the end
    static int64_t steps[1024];
    for (int k = 0; k < fake_books.saved_count; k++) {
        const struct fake_checkpoint *saved = &fake_books.saved[k];
        const int64_t step = 70 * (k + 1);
        assert_int_equal(saved->header.step, step);
        assert_true(saved->header.time_s == 100 + 2.0 * (double)step);
        assert_int_equal(saved->header.steps_run, step);
        assert_int_equal(saved->header.job_hash, 77);
        assert_string_equal(saved->header.backend, "fake");
        int64_t records = 0;
        for (int s = 0; s < FAKE_STREAMS; s++) {
            const int count = list_steps(&request, &request.schedules[s], steps);
            int64_t before = 0;
            while (before < count && steps[before] <= step)
                before++;
            assert_int_equal(saved->header.records[s], before);
            records += before;
        }
        assert_int_equal(saved->seen, records); // and all of them were handed over before it
        double value = 0, sum = 0;
        for (int64_t n = 0; n < step; n++) {
            value = 0.75 * value + sin((double)n);
            sum += value;
        }
        assert_true(saved->state[0] == value && saved->state[1] == sum);
    }
}

TEST(test_no_checkpoint_when_the_interval_is_the_run)
{
    struct run_request request = fake_request();
    request.checkpoint_every_steps = 500;
    fake_run_well(&request);
    assert_int_equal(fake_books.saved_count, 0);
}

TEST(test_checkpoints_by_the_clock)
{
    struct run_request request = fake_request();
    request.steps = 60;
    request.checkpoint_every_s = 0.02;
    fake.step_us = 2000;
    fake_run_well(&request);
    assert_in_range(fake_books.saved_count, 2, 6); // 120 ms
}

// Stopped at many steps, each time resumed from what was saved: the records together are those of a run in
// one piece.
TEST(test_stopped_and_resumed_is_the_same_run)
{
    struct run_request request = fake_request();
    fake_run_well(&request);
    memcpy(&expected, &fake_books, sizeof expected);
    static const int64_t stops[] = {0, 1, 29, 30, 31, 199, 200, 333, 481};
    fake_begin(cmocka_state);
    struct run_request part = request;
    int resumed_parts = 0;
    for (size_t k = 0; k < sizeof stops / sizeof *stops; k++) {
        fake.raise_at = stops[k];
        assert_int_equal(stop_signals_defer(), STATUS_OK);
        assert_int_equal(fake_run(&part), STATUS_STOPPED);
        assert_int_equal(fake_stopped, STATUS_OK);
        assert_int_equal(fake_result.stop_signal, SIGTERM);
        assert_false(fake_result.is_complete);
        const struct fake_checkpoint *saved = &fake_books.saved[fake_books.saved_count - 1];
        assert_int_equal(saved->header.step, fake_result.steps_done);
        assert_true(fake_result.steps_done > stops[k]); // the step in hand was finished
        assert_int_equal(saved->header.steps_run, fake_result.steps_run);
        fake_books.count = saved->seen; // what came after it is lost
        part.header = saved->header;
        part.is_resumed = true;
        memcpy(fake.state, saved->state, sizeof fake.state);
        fake.step = saved->header.step;
        resumed_parts++;
        if (fake.step > stops[k] + 1) // the batch went on: skip stops that lie behind
            while (k + 1 < sizeof stops / sizeof *stops && stops[k + 1] < fake.step)
                k++;
    }
    assert_true(resumed_parts >= 4);
    assert_int_equal(stop_signals_defer(), STATUS_OK);
    fake.raise_at = -1;
    fake_run_well(&part);
    assert_int_equal(fake_result.steps_run, 500);
    assert_int_equal(fake_books.count, expected.count);
    for (int s = 0; s < FAKE_STREAMS; s++) { // streams apart: frames of several records may be cut elsewhere
        int a = 0, b = 0;
        for (;;) {
            while (a < fake_books.count && fake_books.seen[a].stream != s)
                a++;
            while (b < expected.count && expected.seen[b].stream != s)
                b++;
            assert_int_equal(a == fake_books.count, b == expected.count);
            if (a == fake_books.count)
                break;
            assert_memory_equal(&fake_books.seen[a].time_s, &expected.seen[b].time_s, 3 * sizeof(double));
            a++;
            b++;
        }
    }
}

TEST(test_signal_before_the_first_step)
{
    const struct run_request request = fake_request();
    raise(SIGINT);
    assert_int_equal(stop_signals_pending(), SIGINT);
    assert_int_equal(fake_run(&request), STATUS_STOPPED);
    assert_int_equal(fake_result.steps_done, 0);
    assert_int_equal(fake_books.saved_count, 1);
    assert_int_equal(fake_books.saved[0].header.step, 0);
    assert_int_equal(fake_books.saved[0].header.records[FAKE_FIELDS],
                     1); // the record at the start is taken and counted
}

TEST(test_second_interrupt_kills)
{
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        raise(SIGINT);
        raise(SIGINT);
        _exit(0); // only if neither killed it
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGINT);
}

TEST(test_time_limit)
{
    struct run_request request = fake_request();
    fake.step_us = 1000;
    stop_signals_set_limit(clock_now_s() + 0.03);
    assert_int_equal(fake_run(&request), STATUS_STOPPED);
    stop_signals_set_limit(INFINITY);
    assert_true(fake_result.is_time_limit);
    assert_int_equal(fake_result.stop_signal, 0);
    assert_in_range(fake_result.steps_done, 1, 60); // 30 fill it; steps are made in batches
    assert_int_equal(fake_books.saved_count, 1);
    assert_int_equal(fake_books.saved[0].header.step, fake_result.steps_done);
}

// Batches of steps that are only begun take no time: they must not grow to where no signal is seen for long.
TEST(test_batches_grow_by_steps)
{
    struct run_request request = fake_request();
    request.steps = 5000;
    request.stream_count = 0;
    fake_run_well(&request);
    assert_int_equal(fake.largest_count, 2048); // 1, 2, 4 …; the rest of 5000 after 4095 is less
}

// ---- what a model begins with

static struct {
    int count;
    int64_t step;
    bool has_pipeline, was_first, must_fail;
} begun;

// On the run's own thread, with the pipeline at work: a call through it comes back.
static enum status nothing(void *context)
{
    *(bool *)context = true;
    return STATUS_OK;
}

static enum status begin_books(void *context, struct pipeline *pipeline, int64_t step)
{
    const struct fake *f = context;
    begun.count++;
    begun.step = step;
    begun.was_first = f->guard_count == 0 && fake_books.count == 0;
    const enum status status = pipeline_call(pipeline, nothing, &begun.has_pipeline);
    return begun.must_fail ? FAIL(STATUS_DATA, "the fake source cannot be read") : status;
}

TEST(test_begin_comes_once_and_first)
{
    struct run_request request = fake_request();
    struct simulation simulated = fake_simulation;
    simulated.begin = begin_books;
    memset(&begun, 0, sizeof begun);
    assert_int_equal(fake_run_as(&request, &simulated), STATUS_OK);
    assert_true(begun.count == 1 && begun.step == 0 && begun.has_pipeline && begun.was_first);
    // Of a part that goes on: with the step from which it does.
    fake_begin(cmocka_state);
    memset(&begun, 0, sizeof begun);
    request.is_resumed = true;
    request.header.step = fake.step = 77;
    assert_int_equal(fake_run_as(&request, &simulated), STATUS_OK);
    assert_true(begun.count == 1 && begun.step == 77);
    // Its failure is the run's: no step, no record.
    fake_begin(cmocka_state);
    memset(&begun, 0, sizeof begun);
    begun.must_fail = true;
    request = fake_request();
    assert_int_equal(fake_run_as(&request, &simulated), STATUS_DATA);
    assert_string_equal(status_message(), "the fake source cannot be read");
    assert_true(fake.step == 0 && fake_books.count == 0);
}

// ---- failures of the parts

TEST(test_failures_come_back)
{
    struct run_request request = fake_request();
    fake.fail_advance_at = 123;
    assert_int_equal(fake_run(&request), STATUS_SOFTWARE);
    assert_string_equal(status_message(), "the fake simulation fails in step 123");
    fake_begin(cmocka_state);
    fake.fail_capture_at = 60;
    assert_int_equal(fake_run(&request), STATUS_SOFTWARE);
    assert_string_equal(status_message(), "the fake capture fails at step 60");
    fake_begin(cmocka_state);
    fake_books.fail_write_number = 20;
    const enum status status = fake_run(&request);
    assert_int_equal(fake_stopped, STATUS_IO); // the loop may have been done before the disk refused
    assert_true(status == STATUS_IO || status == STATUS_OK);
    assert_string_equal(status_message(), "the fake disk is full");
    assert_int_equal(fake_books.count, 19);
}

static void pass_time(long microseconds)
{
    test_clock_advance(1e-6 * (double)microseconds);
}
