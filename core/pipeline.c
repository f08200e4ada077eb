// The frame pipeline: one producer (the run loop), one consumer (the I/O thread), fixed rings.
#include "core/pipeline.h"

#include "core/clock.h"
#include "core/library_call.h"

#include <assert.h>
#include <string.h>

enum status pipeline_plan(struct pipeline *pipeline, struct memory_plan *plan,
                          const struct stream *const *streams, int stream_count,
                          const struct checkpoint_array *arrays, int array_count)
{
    assert(stream_count <= RUN_STREAMS_MAX);
    assert(array_count <= CHECKPOINT_ARRAYS_MAX);
    memset(pipeline, 0, sizeof *pipeline);
    pipeline->streams = streams;
    pipeline->stream_count = stream_count;
    pipeline->statistics.checkpoint_step = -1;
    for (int s = 0; s < stream_count; s++) {
        const struct stream *stream = streams[s];
        pipeline->slots[s] = stream->has_records ? PIPELINE_FRAME_SLOTS : 1;
        for (int k = 0; k < pipeline->slots[s]; k++) {
            struct frame *frame = &pipeline->frames[s][k];
            frame->stream = s;
            frame->slot = k;
            // A static stream is written once: not worth pinning (which takes as long as clearing the
            // memory).
            CHECK(memory_plan_add(plan, stream->has_records ? MEMORY_PINNED : MEMORY_HOST, ELEMENT_U8,
                                  stream->records_per_frame, stream_held_bytes(stream), &frame->data,
                                  "frame %s %d", stream->name, k));
            CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_F64, 1, stream->records_per_frame,
                                  (void **)&frame->times_s, "frame times %s %d", stream->name, k));
        }
    }
    pipeline->checkpoint_array_count = array_count;
    for (int k = 0; k < array_count; k++) {
        pipeline->staged[k] = arrays[k];
        CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_U8, 1, arrays[k].bytes, &pipeline->staged[k].data,
                              "checkpoint %s", arrays[k].name));
    }
    return STATUS_OK;
}

static void take_item(struct pipeline *pipeline, struct pipeline_item *item)
{
    pthread_mutex_lock(&pipeline->lock);
    while (pipeline->queue_length == 0)
        pthread_cond_wait(&pipeline->submitted, &pipeline->lock);
    *item = pipeline->queue[pipeline->queue_head];
    pipeline->queue_head = (pipeline->queue_head + 1) % PIPELINE_QUEUE_MAX;
    pipeline->queue_length--;
    pthread_mutex_unlock(&pipeline->lock);
}

static enum status await_frame(const struct pipeline *pipeline, const struct frame *frame, double *await_s)
{
    const struct frame_source *source = &pipeline->source;
    if (!source->await)
        return STATUS_OK;
    const double begin_s = clock_now_s();
    const enum status status = source->await(source->context, frame);
    *await_s = clock_now_s() - begin_s;
    return status;
}

static enum status handle_item(struct pipeline *pipeline, const struct pipeline_item *item, double *await_s)
{
    const struct sink *sink = &pipeline->sink;
    switch (item->kind) {
    case PIPELINE_FRAME:
        CHECK(await_frame(pipeline, item->frame, await_s));
        return sink->write(sink->context, item->frame);
    case PIPELINE_CHECKPOINT:
        return sink->checkpoint(sink->context, &pipeline->checkpoint_header, pipeline->staged,
                                pipeline->checkpoint_array_count);
    case PIPELINE_CALL:
        return item->call(item->call_context);
    case PIPELINE_QUIT:
        if (item->call)
            return item->call(item->call_context);
        break;
    }
    return STATUS_OK;
}

static void release_item(struct pipeline *pipeline, const struct pipeline_item *item, enum status status,
                         double elapsed_s, double await_s)
{
    struct pipeline_statistics *statistics = &pipeline->statistics;
    pthread_mutex_lock(&pipeline->lock);
    if (item->order) {
        item->order->status = status != STATUS_OK ? status : pipeline->status;
        item->order->elapsed_s = elapsed_s;
        item->order->is_done = true;
        pipeline->order_count--;
    } else if (status != STATUS_OK && pipeline->status == STATUS_OK) {
        pipeline->status = status;
    }
    if (item->kind != PIPELINE_CALL)
        statistics->write_s += elapsed_s - await_s;
    statistics->await_s += await_s;
    if (item->kind == PIPELINE_FRAME) {
        const struct frame *frame = item->frame;
        statistics->frames++;
        statistics->bytes += (double)(frame->records * stream_held_bytes(pipeline->streams[frame->stream]));
        pipeline->is_busy[frame->stream][frame->slot] = false;
    } else if (item->kind == PIPELINE_CHECKPOINT) {
        statistics->checkpoints++;
        statistics->checkpoint_s += elapsed_s;
        if (status == STATUS_OK && pipeline->status == STATUS_OK) {
            statistics->checkpoint_step = pipeline->checkpoint_header.step;
            statistics->checkpoint_time_s = pipeline->checkpoint_header.time_s;
        }
        pipeline->is_checkpoint_busy = false;
    } else if (item->kind == PIPELINE_CALL && !item->order) {
        pipeline->is_call_done = true;
    }
    pthread_cond_broadcast(&pipeline->released);
    pthread_mutex_unlock(&pipeline->lock);
}

// After a failure the thread keeps taking items, so that no thread waits forever, but drops them.
static void *io_thread(void *argument)
{
    struct pipeline *pipeline = argument;
    char handlers[LIBRARY_CALL_STACK_BYTES];
    library_call_use_stack(handlers);
    memory_thread_may_allocate = true;
    for (;;) {
        struct pipeline_item item;
        take_item(pipeline, &item);
        double begin_s = clock_now_s(), await_s = 0;
        enum status status = STATUS_OK;
        if (pipeline->status == STATUS_OK)
            status = handle_item(pipeline, &item, &await_s);
        else if (item.kind == PIPELINE_QUIT)
            pipeline->sink.abandon(pipeline->sink.context);
        if (item.kind == PIPELINE_QUIT && status != STATUS_OK)
            pipeline->sink.abandon(pipeline->sink.context);
        release_item(pipeline, &item, status, clock_now_s() - begin_s, await_s);
        if (item.kind == PIPELINE_QUIT)
            return NULL;
    }
}

enum status pipeline_start(struct pipeline *pipeline, struct sink sink)
{
    pipeline->sink = sink;
    if (pthread_mutex_init(&pipeline->lock, NULL) != 0 ||
        pthread_cond_init(&pipeline->submitted, NULL) != 0 ||
        pthread_cond_init(&pipeline->released, NULL) != 0)
        return FAIL(STATUS_SYSTEM, "the I/O thread's locks cannot be made");
    const int error = pthread_create(&pipeline->thread, NULL, io_thread, pipeline);
    if (error != 0)
        return FAIL(STATUS_SYSTEM,
                    "the thread that writes files cannot be started: %s; a higher limit of processes (ulimit "
                    "-u, pids.max) or memory (ulimit -v) helps",
                    strerror(error));
    pipeline->is_running = true;
    return STATUS_OK;
}

// With the lock held.
static void put_item(struct pipeline *pipeline, struct pipeline_item item)
{
    assert(pipeline->queue_length < PIPELINE_QUEUE_MAX);
    int tail = (pipeline->queue_head + pipeline->queue_length) % PIPELINE_QUEUE_MAX;
    pipeline->queue[tail] = item;
    pipeline->queue_length++;
    if (pipeline->queue_length > pipeline->statistics.deepest_queue)
        pipeline->statistics.deepest_queue = pipeline->queue_length;
    pthread_cond_signal(&pipeline->submitted);
}

static int find_free_slot(const struct pipeline *pipeline, int stream)
{
    for (int k = 0; k < pipeline->slots[stream]; k++)
        if (!pipeline->is_busy[stream][k])
            return k;
    return -1;
}

enum status pipeline_acquire(struct pipeline *pipeline, int stream, struct frame **frame)
{
    double begin_s = clock_now_s();
    pthread_mutex_lock(&pipeline->lock);
    int slot;
    while ((slot = find_free_slot(pipeline, stream)) < 0)
        pthread_cond_wait(&pipeline->released, &pipeline->lock);
    pipeline->is_busy[stream][slot] = true;
    enum status status = pipeline->status;
    pipeline->statistics.stall_s += clock_now_s() - begin_s;
    pthread_mutex_unlock(&pipeline->lock);
    *frame = &pipeline->frames[stream][slot];
    (*frame)->records = 0;
    return status;
}

void pipeline_set_source(struct pipeline *pipeline, struct frame_source source)
{
    pthread_mutex_lock(&pipeline->lock);
    pipeline->source = source;
    pthread_mutex_unlock(&pipeline->lock);
}

enum status pipeline_submit(struct pipeline *pipeline, struct frame *frame)
{
    pthread_mutex_lock(&pipeline->lock);
    put_item(pipeline, (struct pipeline_item){.kind = PIPELINE_FRAME, .frame = frame});
    enum status status = pipeline->status;
    pthread_mutex_unlock(&pipeline->lock);
    return status;
}

enum status pipeline_checkpoint(struct pipeline *pipeline, const struct checkpoint_header *header,
                                const struct checkpoint_array *arrays)
{
    double begin_s = clock_now_s();
    pthread_mutex_lock(&pipeline->lock);
    while (pipeline->is_checkpoint_busy)
        pthread_cond_wait(&pipeline->released, &pipeline->lock);
    pipeline->statistics.stall_s += clock_now_s() - begin_s;
    pipeline->is_checkpoint_busy = true;
    enum status status = pipeline->status;
    pthread_mutex_unlock(&pipeline->lock);
    CHECK(status);
    pipeline->checkpoint_header = *header;
    for (int k = 0; k < pipeline->checkpoint_array_count; k++) {
        assert(arrays[k].bytes == pipeline->staged[k].bytes);
        memcpy(pipeline->staged[k].data, arrays[k].data, arrays[k].bytes);
    }
    pthread_mutex_lock(&pipeline->lock);
    put_item(pipeline, (struct pipeline_item){.kind = PIPELINE_CHECKPOINT});
    pthread_mutex_unlock(&pipeline->lock);
    return STATUS_OK;
}

enum status pipeline_call(struct pipeline *pipeline, enum status (*call)(void *context), void *context)
{
    pthread_mutex_lock(&pipeline->lock);
    pipeline->is_call_done = false;
    put_item(pipeline, (struct pipeline_item){.kind = PIPELINE_CALL, .call = call, .call_context = context});
    while (!pipeline->is_call_done)
        pthread_cond_wait(&pipeline->released, &pipeline->lock);
    enum status status = pipeline->status;
    pthread_mutex_unlock(&pipeline->lock);
    return status;
}

enum status pipeline_call_later(struct pipeline *pipeline, enum status (*call)(void *context), void *context,
                                struct pipeline_order *order)
{
    *order = (struct pipeline_order){0};
    pthread_mutex_lock(&pipeline->lock);
    const bool has_space = pipeline->order_count < PIPELINE_ORDERS_MAX;
    if (has_space) {
        pipeline->order_count++;
        put_item(pipeline, (struct pipeline_item){
                               .kind = PIPELINE_CALL, .call = call, .call_context = context, .order = order});
    }
    pthread_mutex_unlock(&pipeline->lock);
    return has_space ? STATUS_OK
                     : FAIL(STATUS_SOFTWARE, "more than %d calls are queued for the I/O thread",
                            PIPELINE_ORDERS_MAX);
}

enum status pipeline_await_call(struct pipeline *pipeline, struct pipeline_order *order, double *waited_s)
{
    const double begin_s = clock_now_s();
    pthread_mutex_lock(&pipeline->lock);
    while (!order->is_done)
        pthread_cond_wait(&pipeline->released, &pipeline->lock);
    pthread_mutex_unlock(&pipeline->lock);
    if (waited_s)
        *waited_s = clock_now_s() - begin_s;
    return order->status;
}

bool pipeline_is_call_done(struct pipeline *pipeline, const struct pipeline_order *order)
{
    pthread_mutex_lock(&pipeline->lock);
    const bool is_done = order->is_done;
    pthread_mutex_unlock(&pipeline->lock);
    return is_done;
}

static enum status abandon(void *context)
{
    struct sink *sink = context;
    sink->abandon(sink->context);
    return STATUS_OK;
}

enum status pipeline_stop(struct pipeline *pipeline, bool finish)
{
    if (!pipeline->is_running)
        return STATUS_OK;
    struct pipeline_item quit = {.kind = PIPELINE_QUIT, .call = abandon, .call_context = &pipeline->sink};
    if (finish) {
        quit.call = pipeline->sink.finish;
        quit.call_context = pipeline->sink.context;
    }
    pthread_mutex_lock(&pipeline->lock);
    put_item(pipeline, quit);
    pthread_mutex_unlock(&pipeline->lock);
    pthread_join(pipeline->thread, NULL);
    pipeline->is_running = false;
    pthread_cond_destroy(&pipeline->released);
    pthread_cond_destroy(&pipeline->submitted);
    pthread_mutex_destroy(&pipeline->lock);
    return pipeline->status;
}
