// The frame pipeline: a fixed ring of frames per stream, one I/O thread that gives them to a sink in order,
// and the measured back-pressure. Independent of models and file formats.
//
// The computing thread acquires a free frame, fills it, submits it, and continues; it waits only when every
// frame of that stream is still on its way to the disk, and that wait is counted (stall). All calls into a
// sink, and every call made through pipeline_call, run on the one I/O thread. A frame may be submitted before
// its data are there (a device is still copying them): the I/O thread then waits for them, and no other.
#ifndef FATHOM_CORE_PIPELINE_H
#define FATHOM_CORE_PIPELINE_H

#include "core/memory_plan.h"
#include "core/status.h"
#include "core/stream.h"

#include <pthread.h>

// Frames of a record stream: one being filled, one waiting, one being written. A static stream has one. A
// back end with frames of its own (on a device) has as many, so that a free frame here means a free one
// there.
enum {
    PIPELINE_FRAME_SLOTS = 3,
    PIPELINE_ORDERS_MAX = 64, // calls queued for later at a time
    PIPELINE_QUEUE_MAX = RUN_STREAMS_MAX * PIPELINE_FRAME_SLOTS + PIPELINE_ORDERS_MAX + 4
};

struct pipeline_statistics {
    int64_t frames, checkpoints;
    double bytes;        // given to the sink
    double await_s;      // I/O thread waiting for a frame's data
    double write_s;      // I/O thread inside the sink
    double stall_s;      // computing thread waiting for a free frame or for the checkpoint's staging memory
    double checkpoint_s; // I/O thread writing checkpoints (part of write_s)
    int deepest_queue;   // most frames waiting at once
    int64_t checkpoint_step; // of the last checkpoint that was written and synced; −1: no checkpoint
    double checkpoint_time_s;
};

// A call that was queued for later, and its result. The caller's; must stay where it is until it is done.
struct pipeline_order {
    bool is_done;
    enum status status; // of the call; when it is done
    double elapsed_s;   // duration on the I/O thread
};

// The source of frames whose data may arrive after they are submitted.
struct frame_source {
    void *context;
    // (optional) Returns when the frame's data have arrived, before the sink gets it. Called on the I/O
    // thread.
    enum status (*await)(void *context, const struct frame *frame);
};

struct pipeline_item {
    enum { PIPELINE_FRAME, PIPELINE_CHECKPOINT, PIPELINE_CALL, PIPELINE_QUIT } kind;
    struct frame *frame;
    enum status (*call)(void *context);
    void *call_context;
    struct pipeline_order *order; // of a call for which no thread waits yet
};

// Planned by pipeline_plan; the fields are the pipeline's own.
struct pipeline {
    const struct stream *const *streams;
    int stream_count;
    int slots[RUN_STREAMS_MAX];
    struct frame frames[RUN_STREAMS_MAX][PIPELINE_FRAME_SLOTS];
    bool is_busy[RUN_STREAMS_MAX][PIPELINE_FRAME_SLOTS];
    struct checkpoint_array staged[CHECKPOINT_ARRAYS_MAX];
    int checkpoint_array_count;
    struct checkpoint_header checkpoint_header;
    bool is_checkpoint_busy;
    struct sink sink;
    struct frame_source source;
    pthread_t thread;
    bool is_running;
    pthread_mutex_t lock;
    pthread_cond_t submitted, released;
    struct pipeline_item queue[PIPELINE_QUEUE_MAX];
    int queue_head, queue_length;
    bool is_call_done;
    int order_count;    // in the queue, or under way
    enum status status; // the I/O thread's first failure
    struct pipeline_statistics statistics;
};

// Declares the frames (PIPELINE_FRAME_SLOTS per record stream, in pinned memory; one for a static stream)
// and, if there are checkpoint arrays, a staging copy of them. `streams` and `arrays[k].bytes` must be final.
enum status pipeline_plan(struct pipeline *pipeline, struct memory_plan *plan,
                          const struct stream *const *streams, int stream_count,
                          const struct checkpoint_array *arrays, int array_count);

// Starts the I/O thread.
enum status pipeline_start(struct pipeline *pipeline, struct sink sink);

// Gives a free frame of the stream, with records = 0; waits while all are in use. Returns a failure of the
// I/O thread.
enum status pipeline_acquire(struct pipeline *pipeline, int stream, struct frame **frame);
// Queues a filled frame for the sink.
enum status pipeline_submit(struct pipeline *pipeline, struct frame *frame);

// Sets the source that is awaited before the sink gets a frame submitted from now on; default: none.
void pipeline_set_source(struct pipeline *pipeline, struct frame_source source);

// Copies the arrays (as planned, in the same order) and queues their writing; returns as soon as the copy is
// made. Records submitted before are synced before the checkpoint refers to them.
enum status pipeline_checkpoint(struct pipeline *pipeline, const struct checkpoint_header *header,
                                const struct checkpoint_array *arrays);

// Runs a function on the I/O thread, after everything queued, and waits for it: for reading inputs after the
// seal.
enum status pipeline_call(struct pipeline *pipeline, enum status (*call)(void *context), void *context);

// Queues a function for the I/O thread, after everything queued before, and returns at once: for reading
// ahead. Its status is stored in the order and is not a failure of the pipeline. After a failure of the
// pipeline the function is not called, and the order gets that failure. Allocates nothing.
enum status pipeline_call_later(struct pipeline *pipeline, enum status (*call)(void *context), void *context,
                                struct pipeline_order *order);
// Waits until the order is done; *waited_s (may be NULL) receives the duration. Returns the order's status.
// All orders are done at the end of the pipeline.
enum status pipeline_await_call(struct pipeline *pipeline, struct pipeline_order *order, double *waited_s);
// Returns whether the order is done; the caller may then read what it wrote.
bool pipeline_is_call_done(struct pipeline *pipeline, const struct pipeline_order *order);

// Waits until everything queued is done, and ends the thread. The thread's last call is sink->finish if
// `finish`, else sink->abandon. Returns the I/O thread's first failure.
enum status pipeline_stop(struct pipeline *pipeline, bool finish);

#endif
