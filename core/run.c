// The run loop.
#include "core/run.h"

#include "core/clock.h"
#include "core/stop_signals.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// Interval between checks of the clock, of signals and of the progress display.
static const double batch_target_s = 0.1;
// A guard reads the whole state, which costs about a third of a step. It runs before every map record and at
// least every GUARD_STEPS steps.
enum { GUARD_STEPS = 256 };
// The number of steps that a check repeats at a time.
enum { CHECK_SPAN = 2 };

int64_t run_record_step(const struct run_request *request, int stream, int64_t index)
{
    const struct run_schedule *schedule = &request->schedules[stream];
    int64_t periodic = 0; // number of records at the start and at intervals
    if (schedule->every_s > 0) {
        const double ratio = fmax(schedule->every_s / request->step_s, 1.0);
        const int64_t multiple = index + (schedule->at_start ? 0 : 1);
        const double step = nearbyint((double)multiple * ratio);
        if (step <= (double)request->steps)
            return (int64_t)step;
        periodic = (int64_t)floor((double)request->steps / ratio) + 1;
        while (nearbyint((double)periodic * ratio) <= (double)request->steps)
            periodic++;
        while (nearbyint((double)(periodic - 1) * ratio) > (double)request->steps)
            periodic--;
        const bool is_end_taken = nearbyint((double)(periodic - 1) * ratio) == (double)request->steps;
        periodic -= schedule->at_start ? 0 : 1;
        if (is_end_taken)
            return -1;
    } else if (schedule->at_start) {
        if (index == 0)
            return 0;
        periodic = 1;
    }
    return schedule->at_end && index == periodic ? request->steps : -1;
}

// The loop's working state.
struct loop {
    const struct run_request *request;
    struct simulation simulation;
    struct pipeline *pipeline;
    struct run_result *result;
    struct frame *open[RUN_STREAMS_MAX]; // frames being filled
    int64_t records[RUN_STREAMS_MAX];
    int64_t next_record_step[RUN_STREAMS_MAX]; // −1: no more records
    int64_t step, batch, last_guard_step, last_checkpoint_step;
    int64_t checks_done, check_end; // check_end: last step of the present check; −1 without one
    double begin_s, last_checkpoint_s;
};

static double model_time_s(const struct loop *loop, int64_t step)
{
    return loop->request->start_s + (double)step * loop->request->step_s;
}

static enum status flush_stream(struct loop *loop, int stream)
{
    struct frame *frame = loop->open[stream];
    if (!frame)
        return STATUS_OK;
    loop->open[stream] = NULL;
    if (loop->simulation.send)
        CHECK(loop->simulation.send(loop->simulation.context, frame));
    return pipeline_submit(loop->pipeline, frame);
}

static enum status take_record(struct loop *loop, int s)
{
    const struct stream *stream = loop->request->streams[s];
    for (int other = 0; loop->request->schedules[s].after_others && other < loop->request->stream_count;
         other++)
        CHECK(flush_stream(loop, other));
    if (!loop->open[s])
        CHECK(pipeline_acquire(loop->pipeline, s, &loop->open[s]));
    struct frame *frame = loop->open[s];
    double begin_s = clock_now_s();
    CHECK(loop->simulation.capture(loop->simulation.context, loop->step, frame));
    loop->result->capture_s += clock_now_s() - begin_s;
    frame->times_s[frame->records++] = model_time_s(loop, loop->step);
    loop->records[s]++;
    loop->next_record_step[s] = run_record_step(loop->request, s, loop->records[s]);
    return frame->records == stream->records_per_frame ? flush_stream(loop, s) : STATUS_OK;
}

static enum status take_due_records(struct loop *loop)
{
    for (int s = 0; s < loop->request->stream_count; s++)
        if (loop->next_record_step[s] == loop->step)
            CHECK(take_record(loop, s));
    return STATUS_OK;
}

static enum status guard(struct loop *loop)
{
    if (!loop->simulation.guard || loop->last_guard_step == loop->step)
        return STATUS_OK;
    double begin_s = clock_now_s();
    CHECK(loop->simulation.guard(loop->simulation.context, loop->step));
    loop->result->guard_s += clock_now_s() - begin_s;
    loop->last_guard_step = loop->step;
    return STATUS_OK;
}

static enum status finish(struct loop *loop)
{
    if (!loop->simulation.finish)
        return STATUS_OK;
    double begin_s = clock_now_s();
    CHECK(loop->simulation.finish(loop->simulation.context, loop->step));
    loop->result->advance_s += clock_now_s() - begin_s;
    return STATUS_OK;
}

static enum status save_checkpoint(struct loop *loop)
{
    CHECK(guard(loop)); // an invalid state must not replace a good checkpoint
    CHECK(finish(loop));
    struct checkpoint_header header = loop->request->header;
    header.step = loop->step;
    header.time_s = model_time_s(loop, loop->step);
    header.steps_run = loop->result->steps_run;
    for (int s = 0; s < loop->request->stream_count; s++) {
        CHECK(flush_stream(loop, s));
        header.records[s] = loop->records[s];
    }
    struct checkpoint_array arrays[CHECKPOINT_ARRAYS_MAX];
    CHECK(loop->simulation.checkpoint_arrays(loop->simulation.context, arrays));
    if (loop->request->watch)
        arrays[loop->pipeline->checkpoint_array_count - 1] = watch_array(loop->request->watch);
    CHECK(pipeline_checkpoint(loop->pipeline, &header, arrays));
    loop->last_checkpoint_step = loop->step;
    loop->last_checkpoint_s = clock_now_s();
    return STATUS_OK;
}

static bool is_checkpoint_due(const struct loop *loop)
{
    const struct run_request *request = loop->request;
    if (loop->step == loop->last_checkpoint_step || loop->step == request->steps)
        return false;
    if (request->checkpoint_every_steps > 0 && loop->step % request->checkpoint_every_steps == 0)
        return true;
    return request->checkpoint_every_s > 0 &&
           clock_now_s() - loop->last_checkpoint_s >= request->checkpoint_every_s;
}

// Step at which check number `index` begins: the middle of its share of the run. No step is checked twice:
// more checks than fit would overlap, and the second of two would never begin.
static int64_t check_step(const struct run_request *request, int64_t index)
{
    const int64_t most = request->steps > CHECK_SPAN ? request->steps / CHECK_SPAN : 1;
    const int64_t checks = request->check_steps < most ? request->check_steps : most;
    if (index >= checks)
        return INT64_MAX;
    // In whole numbers: rounded ones could come closer to each other than CHECK_SPAN. The product may need
    // more than 64 bits.
    __extension__ typedef __int128 wide;
    return (int64_t)((wide)(2 * index + 1) * request->steps / (2 * checks));
}

static int64_t leg_end(const struct loop *loop)
{
    const struct run_request *request = loop->request;
    if (request->leg_steps <= 0)
        return INT64_MAX;
    return (request->is_resumed ? request->header.step : 0) + request->leg_steps;
}

// The end of the next batch: the next record, check or checkpoint, the leg's end, or as many steps as fit the
// batch's time.
static int64_t next_stop(const struct loop *loop)
{
    const struct run_request *request = loop->request;
    int64_t stop = loop->step + loop->batch;
    if (stop > request->steps)
        stop = request->steps;
    if (leg_end(loop) > loop->step && leg_end(loop) < stop)
        stop = leg_end(loop);
    for (int s = 0; s < request->stream_count; s++)
        if (loop->next_record_step[s] > loop->step && loop->next_record_step[s] < stop)
            stop = loop->next_record_step[s];
    if (request->checkpoint_every_steps > 0) {
        int64_t checkpoint =
            (loop->step / request->checkpoint_every_steps + 1) * request->checkpoint_every_steps;
        stop = checkpoint < stop ? checkpoint : stop;
    }
    int64_t check = check_step(request, loop->checks_done);
    if (loop->check_end > loop->step && loop->check_end < stop)
        stop = loop->check_end;
    return check > loop->step && check < stop ? check : stop;
}

static enum status begin_check(struct loop *loop)
{
    const struct run_request *request = loop->request;
    if (!loop->simulation.check_begin || check_step(request, loop->checks_done) != loop->step)
        return STATUS_OK;
    const double begin_s = clock_now_s();
    CHECK(loop->simulation.check_begin(loop->simulation.context, loop->step));
    loop->check_end = loop->step + CHECK_SPAN < request->steps ? loop->step + CHECK_SPAN : request->steps;
    loop->result->check_s += clock_now_s() - begin_s;
    return STATUS_OK;
}

static enum status end_check(struct loop *loop)
{
    if (loop->check_end != loop->step)
        return STATUS_OK;
    const double begin_s = clock_now_s();
    CHECK(loop->simulation.check_end(loop->simulation.context, loop->step));
    loop->check_end = -1;
    loop->checks_done++;
    loop->result->check_s += clock_now_s() - begin_s;
    return STATUS_OK;
}

static enum status advance_batch(struct loop *loop)
{
    const struct simulation *simulation = &loop->simulation;
    CHECK(begin_check(loop));
    const int64_t stop = next_stop(loop), count = stop - loop->step;
    const double begin_s = clock_now_s();
    CHECK(simulation->advance(simulation->context, loop->step, count));
    const double elapsed_s = clock_now_s() - begin_s;
    loop->step = stop;
    loop->result->steps_run += count;
    loop->result->advance_s += elapsed_s;
    CHECK(end_check(loop));
    const double per_step_s = elapsed_s / (double)count;
    // At most twice as many as now: a back end may only have started the steps.
    const double fitting = fmin(batch_target_s / fmax(per_step_s, 1e-9), 2 * (double)count);
    loop->batch = fitting < 1 ? 1 : fitting > 1e6 ? 1000000 : (int64_t)fitting;
    return STATUS_OK;
}

// What this rank would do before the next batch.
static struct run_vote vote_of(const struct loop *loop)
{
    const struct run_request *request = loop->request;
    struct run_vote vote = {.batch = loop->batch, .is_checkpoint_due = is_checkpoint_due(loop)};
    if (loop->check_end >= 0) // a check under way is ended first: it could not be resumed
        return vote;
    vote.stop_signal = stop_signals_pending();
    // A resumed run makes a step at least, so that legs shorter than its preparation still reach the end.
    const bool is_fresh_leg = request->is_resumed && loop->step == request->header.step;
    if (vote.stop_signal == 0 && !is_fresh_leg)
        vote.is_time_limit = stop_signals_limit_is_over() || loop->step >= leg_end(loop);
    if (vote.stop_signal == 0 && !vote.is_time_limit && request->must_stop)
        vote.is_asked_to = request->must_stop(request->must_stop_context, loop->step);
    return vote;
}

// Ends with STATUS_STOPPED if the run is to stop here.
static enum status decide(struct loop *loop)
{
    const struct run_request *request = loop->request;
    struct run_result *result = loop->result;
    struct run_vote vote = vote_of(loop);
    if (request->agree)
        CHECK(request->agree(request->agree_context, &vote));
    loop->batch = vote.batch;
    result->stop_signal = vote.stop_signal;
    result->is_time_limit = vote.stop_signal == 0 && vote.is_time_limit;
    result->is_asked_to = vote.stop_signal == 0 && !vote.is_time_limit && vote.is_asked_to;
    const bool must_stop = result->stop_signal != 0 || result->is_time_limit || result->is_asked_to;
    if (must_stop || vote.is_checkpoint_due)
        CHECK(save_checkpoint(loop));
    return must_stop ? STATUS_STOPPED : STATUS_OK;
}

static enum status run_steps(struct loop *loop)
{
    const struct run_request *request = loop->request;
    CHECK(guard(loop));
    if (!request->is_resumed)
        CHECK(take_due_records(loop));
    while (loop->step < request->steps) {
        CHECK(decide(loop));
        CHECK(advance_batch(loop));
        bool has_map = false; // a record of the whole state, not of a few points
        for (int s = 0; s < request->stream_count; s++)
            has_map |= loop->next_record_step[s] == loop->step && !request->streams[s]->is_time_series;
        if (has_map || loop->step - loop->last_guard_step >= GUARD_STEPS)
            CHECK(guard(loop));
        CHECK(take_due_records(loop));
        if (request->progress)
            progress_update(request->progress, model_time_s(loop, loop->step) - request->start_s,
                            (double)(loop->step - request->header.step) * request->work_per_step);
    }
    CHECK(guard(loop));
    for (int s = 0; s < request->stream_count; s++)
        CHECK(flush_stream(loop, s));
    CHECK(finish(loop));
    loop->result->is_complete = true;
    return STATUS_OK;
}

enum status run_loop(const struct run_request *request, struct simulation simulation,
                     struct pipeline *pipeline, struct run_result *result)
{
    assert(request->steps > 0 && request->step_s > 0 && request->stream_count <= RUN_STREAMS_MAX);
    assert(simulation.advance && simulation.capture);
    *result = (struct run_result){0};
    pipeline_set_source(pipeline, (struct frame_source){simulation.context, simulation.await});
    struct loop loop = {.request = request, .simulation = simulation, .pipeline = pipeline, .result = result};
    loop.begin_s = loop.last_checkpoint_s = clock_now_s();
    loop.step = loop.last_checkpoint_step = request->is_resumed ? request->header.step : 0;
    loop.last_guard_step = -1;
    loop.batch = 1;
    loop.check_end = -1;
    result->steps_run = request->is_resumed ? request->header.steps_run : 0;
    for (int s = 0; s < request->stream_count; s++) {
        loop.records[s] = request->is_resumed ? request->header.records[s] : 0;
        loop.next_record_step[s] = run_record_step(request, s, loop.records[s]);
    }
    while (check_step(request, loop.checks_done) < loop.step)
        loop.checks_done++;
    enum status status =
        simulation.begin ? simulation.begin(simulation.context, pipeline, loop.step) : STATUS_OK;
    if (status == STATUS_OK)
        status = run_steps(&loop);
    result->steps_done = loop.step;
    result->total_s = clock_now_s() - loop.begin_s;
    return status;
}
