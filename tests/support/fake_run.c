// A simulation and a sink that only keep books, and the run loop over them: see fake_run.h. Knows the core
// alone.
#include "tests/support/fake_run.h"

#include "core/stop_signals.h"
#include "tests/support/asserts.h"

#include <signal.h>
#include <time.h>

#include "tests/support/asserts.h"

struct fake fake;
struct fake_books fake_books;
struct run_result fake_result;
enum status fake_stopped;
void (*fake_before_release)(void);

// ---- the simulation

static void sleep_us(long microseconds)
{
    nanosleep(&(struct timespec){0, microseconds * 1000}, NULL);
}

void (*fake_pass_time)(long microseconds) = sleep_us;

enum status fake_advance(void *context, int64_t first_step, int64_t count)
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
            fake_pass_time(f->step_us);
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

enum status fake_arrays(void *context, struct checkpoint_array *arrays)
{
    struct fake *f = context;
    arrays[0] = (struct checkpoint_array){"state", f->state, sizeof f->state};
    return STATUS_OK;
}

static enum status fake_guard(void *context, int64_t step)
{
    struct fake *f = context;
    f->is_in_order &= step == f->step;
    if (f->guard_count < FAKE_BOOKS_MAX)
        f->guards[f->guard_count++] = step;
    if (f->unsound_from >= 0 && step >= f->unsound_from)
        return FAIL(STATUS_CHECK_FAILED, "unstable by step %lld", (long long)step);
    return STATUS_OK;
}

static enum status fake_check_begin(void *context, int64_t step)
{
    struct fake *f = context;
    f->is_in_order &= step == f->step && f->begin_count == f->end_count;
    if (f->begin_count < FAKE_BOOKS_MAX)
        f->begins[f->begin_count++] = step;
    return STATUS_OK;
}

static enum status fake_check_end(void *context, int64_t step)
{
    struct fake *f = context;
    f->is_in_order &= step == f->step;
    if (f->end_count < FAKE_BOOKS_MAX)
        f->ends[f->end_count++] = step;
    return STATUS_OK;
}

const struct simulation fake_simulation = {.context = &fake,
                                           .advance = fake_advance,
                                           .capture = fake_capture,
                                           .checkpoint_arrays = fake_arrays,
                                           .guard = fake_guard,
                                           .check_begin = fake_check_begin,
                                           .check_end = fake_check_end};

// ---- the sink

static enum status keep_write(void *context, const struct frame *frame)
{
    struct fake_books *b = context;
    for (size_t k = 0; k < frame->records; k++) {
        const double *values = (const double *)frame->data + 2 * k;
        if (b->fail_write_number > 0 && b->count + 1 == b->fail_write_number)
            return FAIL(STATUS_IO, "the fake disk is full");
        if (b->count < FAKE_SEEN_MAX)
            b->seen[b->count++] =
                (struct fake_record){frame->stream, frame->times_s[k], values[0], values[1]};
    }
    return STATUS_OK;
}

static enum status keep_checkpoint(void *context, struct checkpoint_header *header,
                                   const struct checkpoint_array *arrays, int array_count)
{
    struct fake_books *b = context;
    if (array_count != 1 || b->saved_count == FAKE_CHECKPOINTS_MAX)
        return FAIL(STATUS_SOFTWARE, "unexpected checkpoint");
    struct fake_checkpoint *saved = &b->saved[b->saved_count++];
    saved->header = *header;
    memcpy(saved->state, arrays[0].data, sizeof saved->state);
    saved->seen = b->count;
    return STATUS_OK;
}

static enum status keep_finish(void *context)
{
    return STATUS_OK;
}

static void keep_abandon(void *context) {}

// ---- a run

static struct stream streams[FAKE_STREAMS];
static const struct stream *const stream_list[FAKE_STREAMS] = {&streams[FAKE_FIELDS], &streams[FAKE_SERIES],
                                                               &streams[FAKE_LAST]};

int fake_begin(void **state)
{
    status_clear();
    for (int s = 0; s < FAKE_STREAMS; s++) {
        streams[s] = (struct stream){.name = s == FAKE_FIELDS   ? "fields"
                                             : s == FAKE_SERIES ? "series"
                                                                : "last",
                                     .has_records = s != FAKE_LAST,
                                     .is_time_series = s == FAKE_SERIES,
                                     .element = ELEMENT_F64,
                                     .records_per_frame = s == FAKE_SERIES ? FAKE_SERIES_FRAME : 1,
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
    fake_books.count = fake_books.saved_count = fake_books.fail_write_number = 0;
    return stop_signals_defer() == STATUS_OK ? 0 : -1; // forgets a signal of the test before
}

struct run_request fake_request(void)
{
    struct run_request request = {
        .steps = 500, .step_s = 2, .start_s = 100, .streams = stream_list, .stream_count = FAKE_STREAMS};
    request.schedules[FAKE_FIELDS] = (struct run_schedule){.every_s = 60, .at_start = true, .at_end = false};
    request.schedules[FAKE_SERIES] = (struct run_schedule){.every_s = 7, .at_start = true, .at_end = true};
    request.schedules[FAKE_LAST] = (struct run_schedule){.at_end = true};
    return request;
}

enum status fake_run_as(const struct run_request *request, const struct simulation *simulated)
{
    static struct pipeline pipeline;
    static struct memory_plan plan;
    const struct checkpoint_array arrays[] = {{"state", fake.state, sizeof fake.state}};
    const struct sink sink = {&fake_books, keep_write, keep_checkpoint, keep_finish, keep_abandon};
    memory_plan_begin(&plan);
    assert_int_equal(pipeline_plan(&pipeline, &plan, stream_list, FAKE_STREAMS, arrays, 1), STATUS_OK);
    assert_int_equal(memory_plan_reserve(&plan, SIZE_MAX, SIZE_MAX), STATUS_OK);
    assert_int_equal(pipeline_start(&pipeline, sink), STATUS_OK);
    const enum status status = run_loop(request, *simulated, &pipeline, &fake_result);
    fake_stopped = pipeline_stop(&pipeline, status == STATUS_OK);
    if (fake_before_release)
        fake_before_release();
    memory_plan_release(&plan);
    return status;
}

enum status fake_run(const struct run_request *request)
{
    return fake_run_as(request, &fake_simulation);
}

void fake_run_well(const struct run_request *request)
{
    assert_int_equal(fake_run(request), STATUS_OK);
    assert_int_equal(fake_stopped, STATUS_OK);
    assert_true(fake_result.is_complete && fake.is_in_order);
    assert_int_equal(fake.step, request->steps);
    assert_int_equal(fake_result.steps_done, request->steps);
}

int fake_count(const struct fake_books *b, int stream)
{
    int count = 0;
    for (int k = 0; k < b->count; k++)
        count += b->seen[k].stream == stream;
    return count;
}
