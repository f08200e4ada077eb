// core/run: when records are taken, resuming, checkpoints, checks against the reference, guards, limits and
// signals, with a simulation and a sink that only keep books.
#include "core/run.h"

#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { SERIES_FRAME = 4, SEEN_MAX = 40000, CHECKPOINTS_MAX = 512, BOOKS_MAX = 4096 };
enum { FIELDS, SERIES, LAST, STREAMS };

// ---- a simulation whose state tells which steps it has made

struct fake {
    int64_t step;          // steps made
    double state[2];       // a recurrence that any left-out or repeated step would change
    int64_t largest_count; // of one advance
    int64_t raise_at;      // SIGTERM to itself in this step; −1 = never
    int64_t fail_advance_at, fail_capture_at, unsound_from; // −1 = never
    long step_us;
    int64_t guards[BOOKS_MAX], begins[BOOKS_MAX], ends[BOOKS_MAX];
    int guard_count, begin_count, end_count;
    bool is_in_order;
};

static struct fake fake;

static enum status fake_advance(void *context, int64_t first_step, int64_t count)
{
    struct fake *f = context;
    f->is_in_order &= first_step == f->step && count >= 1;
    if (count > f->largest_count)
        f->largest_count = count;
    for (int64_t step = first_step; step < first_step + count; step++) {
        if (step == f->fail_advance_at)
            return FAIL(STATUS_SOFTWARE, "the fake simulation fails in step %lld", (long long)step);
        if (step == f->raise_at)
            raise(SIGTERM);
        if (f->step_us > 0)
            nanosleep(&(struct timespec){0, f->step_us * 1000}, NULL);
        f->state[0] = 0.75 * f->state[0] + sin((double)step);
        f->state[1] += f->state[0];
    }
    f->step += count;
    return STATUS_OK;
}

static enum status fake_capture(void *context, int64_t step, const struct frame *frame)
{
    struct fake *f = context;
    f->is_in_order &= step == f->step;
    if (step == f->fail_capture_at)
        return FAIL(STATUS_SOFTWARE, "the fake capture fails at step %lld", (long long)step);
    double *values = (double *)frame->data + 2 * frame->records;
    values[0] = (double)(1000 * frame->stream) + (double)step;
    values[1] = f->state[1];
    return STATUS_OK;
}

static enum status fake_arrays(void *context, struct checkpoint_array *arrays)
{
    struct fake *f = context;
    arrays[0] = (struct checkpoint_array){"state", f->state, sizeof f->state};
    return STATUS_OK;
}

static enum status fake_guard(void *context, int64_t step)
{
    struct fake *f = context;
    f->is_in_order &= step == f->step;
    if (f->guard_count < BOOKS_MAX)
        f->guards[f->guard_count++] = step;
    if (f->unsound_from >= 0 && step >= f->unsound_from)
        return FAIL(STATUS_CHECK_FAILED, "unstable by step %lld", (long long)step);
    return STATUS_OK;
}

static enum status fake_check_begin(void *context, int64_t step)
{
    struct fake *f = context;
    f->is_in_order &= step == f->step && f->begin_count == f->end_count;
    if (f->begin_count < BOOKS_MAX)
        f->begins[f->begin_count++] = step;
    return STATUS_OK;
}

static enum status fake_check_end(void *context, int64_t step)
{
    struct fake *f = context;
    f->is_in_order &= step == f->step;
    if (f->end_count < BOOKS_MAX)
        f->ends[f->end_count++] = step;
    return STATUS_OK;
}

static const struct simulation simulation = {.context = &fake,
                                             .advance = fake_advance,
                                             .capture = fake_capture,
                                             .checkpoint_arrays = fake_arrays,
                                             .guard = fake_guard,
                                             .check_begin = fake_check_begin,
                                             .check_end = fake_check_end};

// ---- a sink that keeps records and checkpoints

struct seen {
    int stream;
    double time_s, step, value;
};

struct saved {
    struct checkpoint_header header;
    double state[2];
    int seen; // records that had come before it
};

struct books {
    struct seen seen[SEEN_MAX];
    int count;
    struct saved saved[CHECKPOINTS_MAX];
    int saved_count;
    int fail_write_number; // from 1; 0 = never
};

static struct books books, expected;

static enum status keep_write(void *context, const struct frame *frame)
{
    struct books *b = context;
    for (size_t k = 0; k < frame->records; k++) {
        const double *values = (const double *)frame->data + 2 * k;
        if (b->fail_write_number > 0 && b->count + 1 == b->fail_write_number)
            return FAIL(STATUS_IO, "the fake disk is full");
        if (b->count < SEEN_MAX)
            b->seen[b->count++] = (struct seen){frame->stream, frame->times_s[k], values[0], values[1]};
    }
    return STATUS_OK;
}

static enum status keep_checkpoint(void *context, struct checkpoint_header *header,
                                   const struct checkpoint_array *arrays, int array_count)
{
    struct books *b = context;
    if (array_count != 1 || b->saved_count == CHECKPOINTS_MAX)
        return FAIL(STATUS_SOFTWARE, "unexpected checkpoint");
    struct saved *saved = &b->saved[b->saved_count++];
    saved->header = *header;
    memcpy(saved->state, arrays[0].data, sizeof saved->state);
    saved->seen = b->count;
    return STATUS_OK;
}

static enum status keep_finish(void *context)
{
    (void)context;
    return STATUS_OK;
}

static void keep_abandon(void *context)
{
    (void)context;
}

// ---- a run

static struct stream streams[STREAMS];
static const struct stream *const stream_list[STREAMS] = {&streams[FIELDS], &streams[SERIES], &streams[LAST]};

static int begin(void **state)
{
    (void)state;
    status_clear();
    for (int s = 0; s < STREAMS; s++) {
        streams[s] = (struct stream){.name = s == FIELDS   ? "fields"
                                             : s == SERIES ? "series"
                                                           : "last",
                                     .has_records = s != LAST,
                                     .is_time_series = s == SERIES,
                                     .element = ELEMENT_F64,
                                     .records_per_frame = s == SERIES ? SERIES_FRAME : 1,
                                     .axis_count = 1,
                                     .variable_count = 1};
        streams[s].axes[0] = (struct stream_axis){.name = "n", .length = 2};
        streams[s].variables[0] = (struct stream_variable){.name = "value", .rank = 1};
    }
    fake = (struct fake){.is_in_order = true,
                         .raise_at = -1,
                         .fail_advance_at = -1,
                         .fail_capture_at = -1,
                         .unsound_from = -1};
    books.count = books.saved_count = books.fail_write_number = 0;
    return run_install_signals() == STATUS_OK ? 0 : -1; // forgets a signal of the test before
}

// 500 steps of 2 s from t = 100 s: fields each 60 s, a series each 7 s (not a multiple), one frame at the
// end.
static struct run_request usual_request(void)
{
    struct run_request request = {
        .steps = 500, .step_s = 2, .start_s = 100, .streams = stream_list, .stream_count = STREAMS};
    request.schedules[FIELDS] = (struct run_schedule){60, true, false};
    request.schedules[SERIES] = (struct run_schedule){7, true, true};
    request.schedules[LAST] = (struct run_schedule){.at_end = true};
    return request;
}

// Whoever still works on the plan's memory ends that before it is given back; NULL: nobody.
static void (*before_release)(void);

static enum status run(const struct run_request *request, const struct simulation *simulated,
                       struct run_result *result, enum status *stopped)
{
    static struct pipeline pipeline;
    static struct memory_plan plan;
    const struct checkpoint_array arrays[] = {{"state", fake.state, sizeof fake.state}};
    const struct sink sink = {&books, keep_write, keep_checkpoint, keep_finish, keep_abandon};
    memory_plan_begin(&plan);
    assert_int_equal(pipeline_plan(&pipeline, &plan, stream_list, STREAMS, arrays, 1), STATUS_OK);
    assert_int_equal(memory_plan_reserve(&plan, SIZE_MAX, SIZE_MAX), STATUS_OK);
    assert_int_equal(pipeline_start(&pipeline, sink), STATUS_OK);
    const enum status status = run_loop(request, *simulated, &pipeline, result);
    *stopped = pipeline_stop(&pipeline, status == STATUS_OK);
    if (before_release)
        before_release();
    memory_plan_release(&plan);
    return status;
}

static void run_well(const struct run_request *request, struct run_result *result)
{
    enum status stopped;
    assert_int_equal(run(request, &simulation, result, &stopped), STATUS_OK);
    assert_int_equal(stopped, STATUS_OK);
    assert_true(result->is_complete && fake.is_in_order);
    assert_int_equal(fake.step, request->steps);
    assert_int_equal(result->steps_done, request->steps);
}

static int count_stream(const struct books *b, int stream)
{
    int count = 0;
    for (int k = 0; k < b->count; k++)
        count += b->seen[k].stream == stream;
    return count;
}

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

static void test_record_steps(void **state)
{
    (void)state;
    static int64_t steps[8192];
    static const double intervals[] = {0, 0.1, 1, 2, 3, 5, 6, 7, 7.3, 50, 99, 100, 101, 200, 1e9};
    static const int64_t lengths[] = {1, 2, 3, 17, 50, 51, 500};
    for (size_t e = 0; e < sizeof intervals / sizeof *intervals; e++)
        for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
            for (int flags = 0; flags < 4; flags++) {
                struct run_request request = {.steps = lengths[l], .step_s = 2, .start_s = 100};
                request.schedules[0] = (struct run_schedule){intervals[e], flags & 1, flags & 2};
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
static void test_record_steps_by_hand(void **state)
{
    (void)state;
    struct run_request request = {.steps = 10, .step_s = 3};
    request.schedules[0] = (struct run_schedule){10, true, true};
    const int64_t steps[] = {0, 3, 7, 10, -1}; // 0, 10, 20, 30 s: 0, 9, 21, 30 s
    for (int k = 0; k < 5; k++)
        assert_int_equal(run_record_step(&request, 0, k), steps[k]);
    request.steps = 11;
    const int64_t longer[] = {0, 3, 7, 10, 11, -1};
    for (int k = 0; k < 6; k++)
        assert_int_equal(run_record_step(&request, 0, k), longer[k]);
    request.schedules[0] =
        (struct run_schedule){1, false, true}; // oftener than the steps: each of them, once
    for (int k = 0; k < 11; k++)
        assert_int_equal(run_record_step(&request, 0, k), k + 1);
    assert_int_equal(run_record_step(&request, 0, 11), -1);
}

// No record is further than half a step from its time, over a year of one-second steps.
static void test_record_times_do_not_drift(void **state)
{
    (void)state;
    struct run_request request = {.steps = 31557600, .step_s = 1.0 / 3, .start_s = 0};
    request.schedules[0] = (struct run_schedule){61.7, true, false};
    const int64_t last = (int64_t)((double)request.steps / 3 / 61.7);
    for (int64_t k = 0; k <= last; k += 97)
        assert_true(fabs((double)run_record_step(&request, 0, k) / 3 - (double)k * 61.7) <= 0.5 / 3 + 1e-6);
}

// ---- the loop

static void test_records_come_at_their_steps_with_their_times(void **state)
{
    (void)state;
    const struct run_request request = usual_request();
    struct run_result result;
    run_well(&request, &result);
    assert_int_equal(result.steps_run, 500);
    static int64_t steps[1024];
    for (int s = 0; s < STREAMS; s++) {
        const int count = list_steps(&request, &request.schedules[s], steps);
        assert_int_equal(count_stream(&books, s), count);
        int k = 0;
        for (int n = 0; n < books.count; n++) {
            if (books.seen[n].stream != s)
                continue;
            assert_true(books.seen[n].step == (double)(1000 * s) + (double)steps[k]);
            assert_true(books.seen[n].time_s == 100 + 2.0 * (double)steps[k]);
            k++;
        }
    }
    assert_int_equal(books.saved_count, 0);
    assert_true(fake.largest_count <= 30); // never past a record: fields come each 30 steps
}

static void test_every_record_when_asked_for_oftener_than_steps(void **state)
{
    (void)state;
    struct run_request request = usual_request();
    request.schedules[FIELDS].every_s = 0.25;
    struct run_result result;
    run_well(&request, &result);
    assert_int_equal(count_stream(&books, FIELDS), 501);
    assert_int_equal(fake.largest_count, 1);
}

static void test_checkpoints_by_steps(void **state)
{
    (void)state;
    struct run_request request = usual_request();
    request.checkpoint_every_steps = 70;
    request.header =
        (struct checkpoint_header){.job_hash = 77, .input_hash = 88, .version = "v", .backend = "fake"};
    struct run_result result;
    run_well(&request, &result);
    assert_int_equal(books.saved_count, 7); // 70 … 490, none at the end
    static int64_t steps[1024];
    for (int k = 0; k < books.saved_count; k++) {
        const struct saved *saved = &books.saved[k];
        const int64_t step = 70 * (k + 1);
        assert_int_equal(saved->header.step, step);
        assert_true(saved->header.time_s == 100 + 2.0 * (double)step);
        assert_int_equal(saved->header.steps_run, step);
        assert_int_equal(saved->header.job_hash, 77);
        assert_string_equal(saved->header.backend, "fake");
        int64_t records = 0;
        for (int s = 0; s < STREAMS; s++) {
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

static void test_no_checkpoint_when_the_interval_is_the_run(void **state)
{
    (void)state;
    struct run_request request = usual_request();
    request.checkpoint_every_steps = 500;
    struct run_result result;
    run_well(&request, &result);
    assert_int_equal(books.saved_count, 0);
}

static void test_checkpoints_by_the_clock(void **state)
{
    (void)state;
    struct run_request request = usual_request();
    request.steps = 60;
    request.checkpoint_every_s = 0.02;
    fake.step_us = 2000;
    struct run_result result;
    run_well(&request, &result);
    assert_in_range(books.saved_count, 2,
                    7); // 120 ms at least; a busy machine takes longer, and saves not more
}

// Stopped at many steps, each time resumed from what was saved: the records together are those of a run in
// one piece.
static void test_stopped_and_resumed_is_the_same_run(void **state)
{
    (void)state;
    struct run_request request = usual_request();
    struct run_result result;
    run_well(&request, &result);
    memcpy(&expected, &books, sizeof expected);
    static const int64_t stops[] = {0, 1, 29, 30, 31, 199, 200, 333, 481};
    begin(state);
    struct run_request part = request;
    int resumed_parts = 0;
    for (size_t k = 0; k < sizeof stops / sizeof *stops; k++) {
        fake.raise_at = stops[k];
        enum status stopped;
        assert_int_equal(run_install_signals(), STATUS_OK);
        assert_int_equal(run(&part, &simulation, &result, &stopped), STATUS_STOPPED);
        assert_int_equal(stopped, STATUS_OK);
        assert_int_equal(result.stop_signal, SIGTERM);
        assert_false(result.is_complete);
        const struct saved *saved = &books.saved[books.saved_count - 1];
        assert_int_equal(saved->header.step, result.steps_done);
        assert_true(result.steps_done > stops[k]); // the step in hand was finished
        assert_int_equal(saved->header.steps_run, result.steps_run);
        books.count = saved->seen; // what came after it is lost
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
    assert_int_equal(run_install_signals(), STATUS_OK);
    fake.raise_at = -1;
    run_well(&part, &result);
    assert_int_equal(result.steps_run, 500);
    assert_int_equal(books.count, expected.count);
    for (int s = 0; s < STREAMS; s++) { // streams apart: frames of several records may be cut elsewhere
        int a = 0, b = 0;
        for (;;) {
            while (a < books.count && books.seen[a].stream != s)
                a++;
            while (b < expected.count && expected.seen[b].stream != s)
                b++;
            assert_int_equal(a == books.count, b == expected.count);
            if (a == books.count)
                break;
            assert_memory_equal(&books.seen[a].time_s, &expected.seen[b].time_s, 3 * sizeof(double));
            a++;
            b++;
        }
    }
}

static void test_signal_before_the_first_step(void **state)
{
    (void)state;
    const struct run_request request = usual_request();
    struct run_result result;
    enum status stopped;
    raise(SIGINT);
    assert_int_equal(run_pending_signal(), SIGINT);
    assert_int_equal(run(&request, &simulation, &result, &stopped), STATUS_STOPPED);
    assert_int_equal(result.steps_done, 0);
    assert_int_equal(books.saved_count, 1);
    assert_int_equal(books.saved[0].header.step, 0);
    assert_int_equal(books.saved[0].header.records[FIELDS],
                     1); // the record at the start is taken and counted
}

static void test_second_interrupt_kills(void **state)
{
    (void)state;
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

static void test_time_limit(void **state)
{
    (void)state;
    struct run_request request = usual_request();
    request.time_limit_s = 0.03;
    fake.step_us = 1000;
    struct run_result result;
    enum status stopped;
    assert_int_equal(run(&request, &simulation, &result, &stopped), STATUS_STOPPED);
    assert_true(result.is_time_limit);
    assert_int_equal(result.stop_signal, 0);
    assert_in_range(result.steps_done, 1, 499);
    assert_int_equal(books.saved_count, 1);
    assert_int_equal(books.saved[0].header.step, result.steps_done);
}

// ---- checks on the reference

static void run_with_checks(int64_t steps, int64_t checks)
{
    struct run_request request = usual_request();
    request.steps = steps;
    request.check_steps = checks;
    struct run_result result;
    run_well(&request, &result);
}

// As many as asked for, in the middle of equal shares of the run; each two steps, whatever records lie
// between.
static void test_checks_are_spread(void **state)
{
    (void)state;
    run_with_checks(500, 5);
    assert_int_equal(fake.begin_count, 5);
    assert_int_equal(fake.end_count, 5);
    for (int k = 0; k < 5; k++) {
        assert_int_equal(fake.begins[k], 100 * k + 50);
        assert_int_equal(fake.ends[k], 100 * k + 52);
    }
}

// As many as there is room for, one behind the other, and the last may end with the run.
static void assert_every_pair_of_steps_is_checked(int64_t steps)
{
    assert_int_equal(fake.begin_count, steps / 2);
    assert_int_equal(fake.end_count, steps / 2);
    for (int k = 0; k < fake.begin_count; k++) {
        assert_int_equal(fake.begins[k], 2 * k + 1);
        assert_int_equal(fake.ends[k], 2 * k + 3 < steps ? 2 * k + 3 : steps);
    }
}

static void test_as_many_checks_as_steps(void **state)
{
    (void)state;
    run_with_checks(40, 40);
    assert_every_pair_of_steps_is_checked(40);
}

static void test_more_checks_than_steps(void **state)
{
    (void)state;
    run_with_checks(10, 25);
    assert_every_pair_of_steps_is_checked(10);
}

// However many are asked for: as many as fit, none lost, none overlapping another.
static void test_checks_of_any_density(void **state)
{
    (void)state;
    for (int64_t steps = 2; steps <= 120; steps++)
        for (int64_t checks = 1; checks <= steps / 2; checks++) {
            begin(state);
            run_with_checks(steps, checks);
            assert_int_equal(fake.begin_count, checks);
            assert_int_equal(fake.end_count, checks);
            for (int k = 1; k < checks; k++)
                assert_true(fake.begins[k] >= fake.ends[k - 1]);
        }
}

static void test_check_of_a_single_step(void **state)
{
    (void)state;
    run_with_checks(1, 3);
    assert_int_equal(fake.begin_count, 1);
    assert_int_equal(fake.end_count, 1);
    assert_int_equal(fake.begins[0], 0);
    assert_int_equal(fake.ends[0], 1);
}

static void test_checks_of_a_resumed_run_go_on(void **state)
{
    (void)state;
    struct run_request request = usual_request();
    request.check_steps = 5;
    request.is_resumed = true;
    request.header.step = 252; // the check of steps 250 and 251 is made
    fake.step = 252;
    struct run_result result;
    run_well(&request, &result);
    assert_int_equal(fake.begin_count, 2);
    assert_int_equal(fake.begins[0], 350);
    assert_int_equal(fake.begins[1], 450);
}

// A signal in the first step of a check: the second is made too, then the run stops, and the check counts.
static void test_signal_during_a_check(void **state)
{
    (void)state;
    struct run_request request = usual_request();
    request.steps = 502; // the check begins at 251: a record of the series, each 3.5 steps, lies at 252
    request.check_steps = 1;
    fake.raise_at = 251;
    struct run_result result;
    enum status stopped;
    assert_int_equal(run(&request, &simulation, &result, &stopped), STATUS_STOPPED);
    assert_int_equal(fake.begin_count, 1);
    assert_int_equal(fake.end_count, 1);
    assert_int_equal(fake.ends[0], 253);
    assert_int_equal(result.steps_done, 253);
}

static void test_no_checks_unless_the_simulation_has_them(void **state)
{
    (void)state;
    struct run_request request = usual_request();
    request.check_steps = 5;
    struct simulation without = simulation;
    without.check_begin = without.check_end = NULL;
    struct run_result result;
    enum status stopped;
    assert_int_equal(run(&request, &without, &result, &stopped), STATUS_OK);
    assert_true(result.is_complete);
    assert_int_equal(fake.step, 500);
}

// ---- guards

static void test_guard_comes_before_every_map_and_in_between(void **state)
{
    (void)state;
    struct run_request request = usual_request();
    request.steps = 5000;
    request.schedules[FIELDS].every_s = 2 * 1700; // each 1700 steps
    request.schedules[SERIES].every_s = 14;       // a series alone asks for no guard
    struct run_result result;
    run_well(&request, &result);
    assert_in_range(fake.guard_count, 5000 / 270, 5000 / 200);
    assert_int_equal(fake.guards[0], 0); // the state at the start too
    int64_t before = 0;
    bool has_map[2] = {false, false};
    for (int k = 1; k < fake.guard_count; k++) {
        assert_in_range(fake.guards[k] - before, 1, 256 + 7); // seven steps between records of the series
        before = fake.guards[k];
        has_map[0] |= before == 1700;
        has_map[1] |= before == 3400;
    }
    assert_true(has_map[0] && has_map[1]);
    assert_int_equal(before, 5000);
}

// An unsound state must neither be written nor replace a good checkpoint.
static void test_failing_guard_ends_the_run(void **state)
{
    (void)state;
    struct run_request request = usual_request();
    request.checkpoint_every_steps = 40;
    fake.unsound_from = 115;
    struct run_result result;
    enum status stopped;
    assert_int_equal(run(&request, &simulation, &result, &stopped), STATUS_CHECK_FAILED);
    assert_int_equal(stopped, STATUS_OK);
    assert_false(result.is_complete);
    assert_string_equal(status_message(), "unstable by step 120");
    assert_int_equal(books.saved_count, 2);
    assert_int_equal(books.saved[1].header.step, 80);
    for (int k = 0; k < books.count; k++)
        assert_true(books.seen[k].stream != FIELDS || books.seen[k].step < 115);
}

static void test_guard_at_a_signal_protects_the_checkpoint(void **state)
{
    (void)state;
    const struct run_request request = usual_request();
    fake.unsound_from = 3;
    fake.raise_at = 2;
    struct run_result result;
    enum status stopped;
    assert_int_equal(run(&request, &simulation, &result, &stopped), STATUS_CHECK_FAILED);
    assert_int_equal(books.saved_count, 0);
}

static void test_guard_at_the_end(void **state)
{
    (void)state;
    struct run_request request = usual_request();
    request.steps = 7;
    fake.unsound_from = 7;
    struct run_result result;
    enum status stopped;
    assert_int_equal(run(&request, &simulation, &result, &stopped), STATUS_CHECK_FAILED);
    assert_false(result.is_complete);
}

// ---- a simulation that only begins its work

// Another thread does it, in the order of the calls and some time later, with frames of its own: as a device
// would.
enum { ORDERS_MAX = 256 };

struct order {
    enum { ORDER_STEPS, ORDER_RECORD, ORDER_LOOK, ORDER_SEND, ORDER_QUIT } kind;
    int64_t step, count;
    const struct frame *frame;
    size_t record;
};

struct distant {
    pthread_t thread, caller;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct order orders[ORDERS_MAX];
    int64_t begun, done;                         // orders
    int64_t sent[STREAMS][PIPELINE_FRAME_SLOTS]; // number of the order that sends the frame
    double frames[STREAMS][PIPELINE_FRAME_SLOTS][SERIES_FRAME][2];
    int64_t found;     // step at which something unsound was seen; −1: nothing
    int64_t farthest;  // most orders ever ahead
    int64_t lost_from; // an await from this step on finds the device gone; −1: never
    int finishes;
    bool has_waited_inside; // the caller's thread waited for a frame
};

static struct distant distant;

static void carry_out(const struct order *o)
{
    double *const place = o->frame ? distant.frames[o->frame->stream][o->frame->slot][o->record] : NULL;
    if (o->kind == ORDER_STEPS) {
        (void)fake_advance(&fake, o->step, o->count);
    } else if (o->kind == ORDER_RECORD) {
        fake.is_in_order &= o->step == fake.step;
        place[0] = (double)(1000 * o->frame->stream) + (double)o->step;
        place[1] = fake.state[1];
    } else if (o->kind == ORDER_LOOK && fake.unsound_from >= 0 && o->step >= fake.unsound_from) {
        pthread_mutex_lock(&distant.lock);
        distant.found = distant.found < 0 ? o->step : distant.found;
        pthread_mutex_unlock(&distant.lock);
    } else if (o->kind == ORDER_SEND) {
        nanosleep(&(struct timespec){0, 300000}, NULL);
        memcpy(o->frame->data, distant.frames[o->frame->stream][o->frame->slot],
               (size_t)o->count * 2 * sizeof(double));
    }
}

static void *work_far_away(void *unused)
{
    (void)unused;
    for (bool is_going = true; is_going;) {
        pthread_mutex_lock(&distant.lock);
        while (distant.done == distant.begun)
            pthread_cond_wait(&distant.changed, &distant.lock);
        const struct order order = distant.orders[distant.done % ORDERS_MAX];
        pthread_mutex_unlock(&distant.lock);
        carry_out(&order);
        is_going = order.kind != ORDER_QUIT;
        pthread_mutex_lock(&distant.lock);
        distant.done++;
        pthread_cond_broadcast(&distant.changed);
        pthread_mutex_unlock(&distant.lock);
    }
    return NULL;
}

static int64_t begin_order(struct order order)
{
    pthread_mutex_lock(&distant.lock);
    while (distant.begun - distant.done == ORDERS_MAX) // far enough ahead
        pthread_cond_wait(&distant.changed, &distant.lock);
    distant.orders[distant.begun % ORDERS_MAX] = order;
    const int64_t number = distant.begun++;
    if (distant.begun - distant.done > distant.farthest)
        distant.farthest = distant.begun - distant.done;
    pthread_cond_broadcast(&distant.changed);
    pthread_mutex_unlock(&distant.lock);
    return number;
}

static int64_t wait_for_order(int64_t number)
{
    pthread_mutex_lock(&distant.lock);
    while (distant.done <= number)
        pthread_cond_wait(&distant.changed, &distant.lock);
    const int64_t found = distant.found;
    pthread_mutex_unlock(&distant.lock);
    return found;
}

static enum status judge(int64_t found)
{
    return found < 0 ? STATUS_OK : FAIL(STATUS_CHECK_FAILED, "unstable by step %lld", (long long)found);
}

static enum status distant_advance(void *context, int64_t first_step, int64_t count)
{
    (void)context;
    begin_order((struct order){.kind = ORDER_STEPS, .step = first_step, .count = count});
    return STATUS_OK;
}

static enum status distant_capture(void *context, int64_t step, const struct frame *frame)
{
    (void)context;
    begin_order((struct order){.kind = ORDER_RECORD, .step = step, .frame = frame, .record = frame->records});
    return STATUS_OK;
}

static enum status distant_send(void *context, const struct frame *frame)
{
    (void)context;
    memset(frame->data, 0xff, frame->records * 2 * sizeof(double)); // what nobody must see
    distant.sent[frame->stream][frame->slot] =
        begin_order((struct order){.kind = ORDER_SEND, .frame = frame, .count = (int64_t)frame->records});
    return STATUS_OK;
}

static enum status distant_await(void *context, const struct frame *frame)
{
    (void)context;
    distant.has_waited_inside |= pthread_equal(pthread_self(), distant.caller) != 0;
    const int64_t found = wait_for_order(distant.sent[frame->stream][frame->slot]);
    const double step = fmod(*(const double *)frame->data, 1000);
    if (distant.lost_from >= 0 && step >= (double)distant.lost_from)
        return FAIL(STATUS_SYSTEM, "the device is gone");
    return judge(found);
}

static enum status distant_guard(void *context, int64_t step)
{
    (void)context;
    begin_order((struct order){.kind = ORDER_LOOK, .step = step});
    return STATUS_OK;
}

static enum status distant_finish(void *context, int64_t step)
{
    (void)context;
    distant.finishes++;
    const int64_t found = wait_for_order(distant.begun - 1);
    fake.is_in_order &= step == fake.step;
    return judge(found);
}

static enum status distant_arrays(void *context, struct checkpoint_array *arrays)
{
    (void)context;
    return fake_arrays(&fake, arrays);
}

static const struct simulation distant_simulation = {.context = &distant,
                                                     .advance = distant_advance,
                                                     .capture = distant_capture,
                                                     .send = distant_send,
                                                     .await = distant_await,
                                                     .finish = distant_finish,
                                                     .checkpoint_arrays = distant_arrays,
                                                     .guard = distant_guard};

static void end_distant(void)
{
    begin_order((struct order){.kind = ORDER_QUIT});
    pthread_join(distant.thread, NULL);
}

static enum status run_far_away(const struct run_request *request, int64_t lost_from,
                                struct run_result *result, enum status *stopped)
{
    distant = (struct distant){.found = -1, .lost_from = lost_from, .caller = pthread_self()};
    assert_int_equal(pthread_mutex_init(&distant.lock, NULL), 0);
    assert_int_equal(pthread_cond_init(&distant.changed, NULL), 0);
    assert_int_equal(pthread_create(&distant.thread, NULL, work_far_away, NULL), 0);
    before_release = end_distant;
    const enum status status = run(request, &distant_simulation, result, stopped);
    before_release = NULL;
    pthread_cond_destroy(&distant.changed);
    pthread_mutex_destroy(&distant.lock);
    assert_false(distant.has_waited_inside);
    return status;
}

// The same records, times and checkpoints as of a simulation that does its work at once; and it did run
// ahead.
static void test_work_that_is_only_begun_gives_the_same_run(void **state)
{
    struct run_request request = usual_request();
    request.checkpoint_every_steps = 120;
    struct run_result result;
    enum status stopped;
    run_well(&request, &result);
    expected = books;
    begin(state);
    assert_int_equal(run_far_away(&request, -1, &result, &stopped), STATUS_OK);
    assert_int_equal(stopped, STATUS_OK);
    assert_true(result.is_complete && fake.is_in_order);
    assert_int_equal(fake.step, request.steps);
    assert_true(distant.farthest > 5);
    assert_int_equal(distant.finishes, 5); // four checkpoints and the end
    assert_int_equal(books.saved_count, expected.saved_count);
    for (int k = 0; k < books.saved_count; k++)
        assert_memory_equal(books.saved[k].state, expected.saved[k].state, sizeof books.saved[k].state);
    assert_int_equal(books.count, expected.count);
    for (int s = 0; s < STREAMS; s++) { // frames of different streams may overtake each other
        int at = 0;
        for (int k = 0; k < books.count; k++) {
            if (books.seen[k].stream != s)
                continue;
            while (expected.seen[at].stream != s)
                at++;
            assert_memory_equal(&books.seen[k], &expected.seen[at], sizeof books.seen[k]);
            at++;
        }
    }
}

// What a look finds comes back later than it was begun, but before a checkpoint of it, and before a map of
// it is written.
static void test_unsound_work_is_found_in_time(void **state)
{
    (void)state;
    struct run_request request = usual_request();
    request.checkpoint_every_steps = 40;
    fake.unsound_from = 115;
    struct run_result result;
    enum status stopped;
    const enum status status = run_far_away(&request, -1, &result, &stopped);
    assert_true(status == STATUS_CHECK_FAILED && !result.is_complete);
    assert_true(stopped == STATUS_OK || stopped == STATUS_CHECK_FAILED);
    assert_string_equal(status_message(), "unstable by step 120");
    assert_int_equal(books.saved_count, 2);
    assert_int_equal(books.saved[1].header.step, 80);
    for (int k = 0; k < books.count; k++)
        assert_true(books.seen[k].stream != FIELDS || books.seen[k].step < 115);
}

static void test_unsound_work_at_the_very_end_is_found(void **state)
{
    (void)state;
    struct run_request request = usual_request();
    request.stream_count = 0; // no frame tells it
    fake.unsound_from = request.steps;
    struct run_result result;
    enum status stopped;
    assert_int_equal(run_far_away(&request, -1, &result, &stopped), STATUS_CHECK_FAILED);
    assert_false(result.is_complete);
    assert_string_equal(status_message(), "unstable by step 500");
}

static void test_a_signal_saves_what_was_begun(void **state)
{
    (void)state;
    const struct run_request request = usual_request();
    fake.raise_at = 70; // by the other thread, whenever it gets there
    struct run_result result;
    enum status stopped;
    const enum status status = run_far_away(&request, -1, &result, &stopped);
    if (status == STATUS_OK) // it had begun all steps by then
        return;
    assert_int_equal(status, STATUS_STOPPED);
    assert_int_equal(books.saved_count, 1);
    assert_int_equal(books.saved[0].header.step, fake.step);
    assert_memory_equal(books.saved[0].state, fake.state, sizeof fake.state);
}

// The failure of an await is the run's, and the checkpoint before it stays the last.
static void test_a_lost_device_ends_the_run(void **state)
{
    (void)state;
    struct run_request request = usual_request();
    request.checkpoint_every_steps = 100;
    struct run_result result;
    enum status stopped;
    const enum status status = run_far_away(&request, 240, &result, &stopped);
    assert_true(status == STATUS_SYSTEM || stopped == STATUS_SYSTEM);
    assert_string_equal(status_message(), "the device is gone");
    assert_in_range(books.saved_count, 1, 2);
    for (int k = 0; k < books.count; k++)
        assert_true(fmod(books.seen[k].step, 1000) <
                    240 + SERIES_FRAME * 4); // a frame from before 240 may reach beyond
}

// Batches of steps that are only begun take no time: they must not grow to where no signal is seen for long.
static void test_batches_grow_by_steps(void **state)
{
    (void)state;
    struct run_request request = usual_request();
    request.steps = 5000;
    request.stream_count = 0;
    struct run_result result;
    run_well(&request, &result);
    assert_int_equal(fake.largest_count, 2048); // 1, 2, 4 …; the rest of 5000 after 4095 is less
}

// ---- failures of the parts

static void test_failures_come_back(void **state)
{
    struct run_request request = usual_request();
    struct run_result result;
    enum status stopped;
    fake.fail_advance_at = 123;
    assert_int_equal(run(&request, &simulation, &result, &stopped), STATUS_SOFTWARE);
    assert_string_equal(status_message(), "the fake simulation fails in step 123");
    begin(state);
    fake.fail_capture_at = 60;
    assert_int_equal(run(&request, &simulation, &result, &stopped), STATUS_SOFTWARE);
    assert_string_equal(status_message(), "the fake capture fails at step 60");
    begin(state);
    books.fail_write_number = 20;
    const enum status status = run(&request, &simulation, &result, &stopped);
    assert_int_equal(stopped, STATUS_IO); // the loop may have been done before the disk refused
    assert_true(status == STATUS_IO || status == STATUS_OK);
    assert_string_equal(status_message(), "the fake disk is full");
    assert_int_equal(books.count, 19);
}

int main(void)
{
    alarm(120); // a hang is a failure, not a wait
#define TEST(function) cmocka_unit_test_setup(function, begin)
    const struct CMUnitTest tests[] = {
        TEST(test_record_steps),
        TEST(test_record_steps_by_hand),
        TEST(test_record_times_do_not_drift),
        TEST(test_records_come_at_their_steps_with_their_times),
        TEST(test_every_record_when_asked_for_oftener_than_steps),
        TEST(test_checkpoints_by_steps),
        TEST(test_no_checkpoint_when_the_interval_is_the_run),
        TEST(test_checkpoints_by_the_clock),
        TEST(test_stopped_and_resumed_is_the_same_run),
        TEST(test_signal_before_the_first_step),
        TEST(test_second_interrupt_kills),
        TEST(test_time_limit),
        TEST(test_checks_are_spread),
        TEST(test_as_many_checks_as_steps),
        TEST(test_more_checks_than_steps),
        TEST(test_checks_of_any_density),
        TEST(test_check_of_a_single_step),
        TEST(test_checks_of_a_resumed_run_go_on),
        TEST(test_signal_during_a_check),
        TEST(test_no_checks_unless_the_simulation_has_them),
        TEST(test_guard_comes_before_every_map_and_in_between),
        TEST(test_failing_guard_ends_the_run),
        TEST(test_guard_at_a_signal_protects_the_checkpoint),
        TEST(test_guard_at_the_end),
        TEST(test_work_that_is_only_begun_gives_the_same_run),
        TEST(test_unsound_work_is_found_in_time),
        TEST(test_unsound_work_at_the_very_end_is_found),
        TEST(test_a_signal_saves_what_was_begun),
        TEST(test_a_lost_device_ends_the_run),
        TEST(test_batches_grow_by_steps),
        TEST(test_failures_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
