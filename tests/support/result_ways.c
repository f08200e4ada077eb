// See result_ways.h.
#include "tests/support/result_ways.h"
#include "tests/support/asserts.h"
#include "tests/support/statuses.h"

enum { PARTICLE_STEPS = 2 }; // between two records of particles

const struct stream *ways_stream(const struct result_ways *w, int kind)
{
    assert_true(w->stream[kind] >= 0);
    return w->run.plan.streams[w->stream[kind]];
}

struct frame *ways_frame(struct result_ways *w, int kind, int slot)
{
    assert_true(w->stream[kind] >= 0);
    return &w->run.pipeline.frames[w->stream[kind]][slot];
}

static void record_taken(const struct result_ways *w, struct frame *frame, int64_t step)
{
    frame->times_s[frame->records++] = w->run.plan.start_s + (double)step * w->run.plan.step_s;
}

void ways_capture(struct result_ways *w, struct frame *frame, int64_t step)
{
    assert_ok(w->run.simulation.capture(w->run.instance, step, frame));
    record_taken(w, frame, step);
}

void ways_capture_on_host(struct result_ways *w, struct frame *frame, int64_t step)
{
    assert_ok(w->host_capture(w, step, frame));
    record_taken(w, frame, step);
}

enum status ways_fetch(struct result_ways *w, struct frame *frame)
{
    assert_ok(w->run.simulation.send(w->run.instance, frame));
    return w->run.simulation.await(w->run.instance, frame);
}

// ---- maps and series

static void expect_values(const struct result_ways *w, const struct frame *frame)
{
    const struct stream *stream = w->run.plan.streams[frame->stream];
    size_t place = (frame->records - 1) * stream_record_bytes(stream) / element_bytes(stream->element);
    for (int v = 0; v < stream->variable_count && w->expect; v++) {
        const size_t length = stream_variable_length(stream, &stream->variables[v]);
        struct ways_values values = {.low = INFINITY, .high = -INFINITY};
        for (size_t k = 0; k < length; k++, place++) {
            const double value = stream->element == ELEMENT_F32 ? (double)((const float *)frame->data)[place]
                                                                : ((const double *)frame->data)[place];
            values.nonzero += isfinite(value) && value != 0;
            values.missing += isnan(value) != 0;
            values.low = fmin(values.low, value);
            values.high = fmax(values.high, value);
        }
        w->expect(w, &stream->variables[v], &values);
    }
}

static bool is_map(const struct result_ways *w, int kind)
{
    return ways_stream(w, kind)->records_per_frame == 1;
}

// The frame of record n: frames of one record use all the slots but the last, a series has all its records in
// the first.
static struct frame *frame_there(struct result_ways *w, int kind, int n)
{
    return ways_frame(w, kind, is_map(w, kind) ? n % (PIPELINE_FRAME_SLOTS - 1) : 0);
}

static void run_there(struct result_ways *w)
{
    const struct simulation *simulation = &w->run.simulation;
    void *instance = w->run.instance;
    int64_t step = 0;
    for (int n = 0; n < WAYS_RECORDS; n++, step += WAYS_STEPS) {
        assert_ok(simulation->guard(instance, step));
        for (int k = 0; k < w->kind_count; k++) {
            struct frame *frame = frame_there(w, w->kinds[k], n);
            if (is_map(w, w->kinds[k]))
                frame->records = 0;
            ways_capture(w, frame, step);
            if (is_map(w, w->kinds[k]) || n == WAYS_RECORDS - 1)
                assert_ok(simulation->send(instance, frame));
        }
        assert_ok(simulation->advance(instance, step, WAYS_STEPS)); // goes on beside the frames
        for (int k = 0; k < w->kind_count; k++)
            if (is_map(w, w->kinds[k]) || n == WAYS_RECORDS - 1)
                assert_ok(simulation->await(instance, frame_there(w, w->kinds[k], n)));
    }
    assert_ok(simulation->finish(instance, step));
}

static void compare_on_host(struct result_ways *w, int kind, int n, int64_t step, const char *about)
{
    const struct frame *there = frame_there(w, kind, n);
    struct frame *on_host = ways_frame(w, kind, PIPELINE_FRAME_SLOTS - 1);
    if (is_map(w, kind))
        on_host->records = 0;
    ways_capture_on_host(w, on_host, step);
    // Of the frames of one record only the last ones are still there; a series has all its records.
    if (is_map(w, kind) ? n < WAYS_RECORDS - (PIPELINE_FRAME_SLOTS - 1) : n < WAYS_RECORDS - 1)
        return;
    assert_int_equal(there->records, on_host->records);
    expect_same_bits(ways_stream(w, kind), on_host->records, there->data, on_host->data, about);
    expect_values(w, on_host);
}

void ways_compare(struct result_ways *w, const char *about)
{
    const struct simulation *simulation = &w->run.simulation;
    run_there(w);
    assert_ok(w->run.model->start(w->run.instance));
    if (simulation->begin)
        assert_ok(simulation->begin(w->run.instance, NULL, 0));
    int64_t step = 0;
    for (int n = 0; n < WAYS_RECORDS; n++, step += WAYS_STEPS) {
        for (int k = 0; k < w->kind_count; k++)
            compare_on_host(w, w->kinds[k], n, step, about);
        assert_ok(simulation->advance(w->run.instance, step, WAYS_STEPS));
    }
}

void ways_check_partial_frame(struct result_ways *w, int kind)
{
    struct frame *frame = ways_frame(w, kind, 1), *expected = ways_frame(w, kind, 2);
    const size_t record_bytes = stream_record_bytes(ways_stream(w, kind));
    memset(frame->data, 0x5a, ways_stream(w, kind)->records_per_frame * record_bytes);
    ways_capture(w, frame, 0);
    assert_ok(w->run.simulation.advance(w->run.instance, 0, 3));
    ways_capture(w, frame, 3);
    assert_ok(ways_fetch(w, frame));
    expected->records = 1;
    ways_capture_on_host(w, expected, 3);
    assert_memory_equal((const char *)frame->data + record_bytes, (const char *)expected->data + record_bytes,
                        record_bytes);
    for (size_t k = 2 * record_bytes; k < 3 * record_bytes; k++)
        assert_int_equal(((const unsigned char *)frame->data)[k], 0x5a);
}

// ---- particles

void ways_collect(struct result_ways *w, struct ways_records *records)
{
    const struct simulation *simulation = &w->run.simulation;
    void *instance = w->run.instance;
    for (int64_t n = 0; n < PIPELINE_FRAME_SLOTS; n++) {
        assert_ok(simulation->guard(instance, n * PARTICLE_STEPS));
        for (int k = 0; k < w->kind_count; k++) {
            struct frame *frame = ways_frame(w, w->kinds[k], (int)n);
            frame->records = 0;
            ways_capture(w, frame, n * PARTICLE_STEPS);
            assert_ok(simulation->send(instance, frame));
        }
        assert_ok(simulation->advance(instance, n * PARTICLE_STEPS, PARTICLE_STEPS)); // beside the frames
    }
    for (int n = 0; n < PIPELINE_FRAME_SLOTS; n++)
        for (int k = 0; k < w->kind_count; k++) {
            const struct frame *frame = ways_frame(w, w->kinds[k], n);
            const size_t bytes = stream_record_bytes(ways_stream(w, w->kinds[k]));
            assert_ok(simulation->await(instance, frame));
            records->data[k][n] = owned_zeros(bytes, 1);
            memcpy(records->data[k][n], frame->data, bytes);
        }
    assert_ok(simulation->finish(instance, (int64_t)PIPELINE_FRAME_SLOTS * PARTICLE_STEPS));
}

void ways_compare_records(struct result_ways *w, struct ways_records *records, const char *about)
{
    for (int64_t n = 0; n < PIPELINE_FRAME_SLOTS; n++) {
        for (int k = 0; k < w->kind_count; k++) {
            struct frame *frame = ways_frame(w, w->kinds[k], (int)n);
            frame->records = 0;
            ways_capture_on_host(w, frame, n * PARTICLE_STEPS);
            expect_same_bits(ways_stream(w, w->kinds[k]), 1, records->data[k][n], frame->data, about);
        }
        assert_ok(w->run.simulation.advance(w->run.instance, n * PARTICLE_STEPS, PARTICLE_STEPS));
    }
    for (int k = 0; k < w->kind_count; k++) {
        // The particles moved: no record is the one before.
        for (int n = 1; n < PIPELINE_FRAME_SLOTS; n++)
            assert_memory_not_equal(records->data[k][n], records->data[k][n - 1],
                                    stream_record_bytes(ways_stream(w, w->kinds[k])));
    }
}
