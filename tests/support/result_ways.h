// Results that a back end makes where its state lies, compared with those that the host makes from the same
// state: a model is driven as a run drives it, and asked twice. Knows no model; on top of model_run.h. What
// differs fails the test.
#ifndef FATHOM_TESTS_SUPPORT_RESULT_WAYS_H
#define FATHOM_TESTS_SUPPORT_RESULT_WAYS_H

#include "tests/support/model_run.h"

enum { WAYS_STREAMS_MAX = 16, WAYS_KINDS_MAX = 3, WAYS_RECORDS = 5, WAYS_STEPS = 7 };

// What a variable of a record holds.
struct ways_values {
    size_t nonzero, missing; // finite and not 0; NaN
    double low, high;        // of those that are not NaN
};

// A run and its two ways. A model's file puts it first in a struct of its own.
struct result_ways {
    struct model_run run;
    int stream[WAYS_STREAMS_MAX]; // of the run's streams, by the model's kinds; −1: it has none
    int kinds[WAYS_KINDS_MAX];    // which are compared
    int kind_count;
    enum status (*host_capture)(struct result_ways *w, int64_t step, struct frame *frame);
    // (optional) Fails where the state compared was a trivial one.
    void (*expect)(const struct result_ways *w, const struct stream_variable *variable,
                   const struct ways_values *values);
};

struct frame *ways_frame(struct result_ways *w, int kind, int slot); // kind: one of the model's
const struct stream *ways_stream(const struct result_ways *w, int kind);

// Puts a record behind those that the frame has: through the back end, or the host's own way.
void ways_capture(struct result_ways *w, struct frame *frame, int64_t step);
void ways_capture_on_host(struct result_ways *w, struct frame *frame, int64_t step);
// Sends a frame and waits for it.
enum status ways_fetch(struct result_ways *w, struct frame *frame);

// Maps and series of a grid. Frames of one record and of many: begun one after the other, awaited beside
// steps; then the same run again from its start, by the host's way.
void ways_compare(struct result_ways *w, const char *about);
// A frame that a checkpoint or the end cuts short carries the records that it has, and nothing beyond them is
// touched.
void ways_check_partial_frame(struct result_ways *w, int kind);

// Records of particles, one a frame: all are begun without a wait, and awaited at the end. The caller closes
// the run, opens it again, and compares it, which frees them.
struct ways_records {
    char *data[WAYS_KINDS_MAX][PIPELINE_FRAME_SLOTS];
};
void ways_collect(struct result_ways *w, struct ways_records *records);
void ways_compare_records(struct result_ways *w, struct ways_records *records, const char *about);

// What is the same in the stand-in of each model: its frames (model_run.h) and its finding, `stand_in_found`.
#define STAND_IN_OPERATIONS(model, finding)                                                                  \
    static struct finding stand_in_found;                                                                    \
    static enum status stand_in_send(struct solver *solver, int result, int slot, size_t records, void *to)  \
    {                                                                                                        \
        late_frames_send(result, slot, records, to);                                                         \
        return STATUS_OK;                                                                                    \
    }                                                                                                        \
    static enum status stand_in_await(struct solver *solver, enum model##_result result, int slot,           \
                                      struct finding *found)                                                 \
    {                                                                                                        \
        late_frames_await((int)result, slot);                                                                \
        *found = stand_in_found;                                                                             \
        return STATUS_OK;                                                                                    \
    }                                                                                                        \
    static enum status stand_in_finish(struct solver *solver, struct finding *found)                         \
    {                                                                                                        \
        *found = stand_in_found;                                                                             \
        return STATUS_OK;                                                                                    \
    }                                                                                                        \
    _Static_assert(1, "takes the semicolon")

// Between the two: `present`, the instance of the run that is open (the stand-in has no other way to it), and
// `apart`, the back end under test.
#define STAND_IN_INSTANCE(model)                                                                             \
    static const struct model##_backend *apart;                                                              \
    static struct model *present;                                                                            \
    static void use_backend(const struct model##_backend *backend)                                           \
    {                                                                                                        \
        present->backend = backend;                                                                          \
        present->base.backend = &backend->head;                                                              \
    }                                                                                                        \
    _Static_assert(1, "takes the semicolon")

// The suite, at the end of a file: with the argument "cuda" on the GPU, otherwise on the stand-in, whose
// functions come before it; `extra`: what else the stand-in has.
#define STAND_IN_SUITE(model, extra)                                                                         \
    static const struct model##_backend *register_stand_in(void)                                             \
    {                                                                                                        \
        static struct model##_backend backend;                                                               \
        backend = model##_backend_openmp;                                                                    \
        backend.head.name = "stand-in";                                                                      \
        backend.head.rank = -1;                                                                              \
        backend.plan_results = stand_in_plan_results;                                                        \
        backend.capture = stand_in_capture;                                                                  \
        backend.head.send = stand_in_send;                                                                   \
        backend.await = stand_in_await;                                                                      \
        backend.guard = stand_in_guard;                                                                      \
        backend.finish = stand_in_finish;                                                                    \
        extra;                                                                                               \
        backend_register(&model##_backends, &backend.head);                                                  \
        return &backend;                                                                                     \
    }                                                                                                        \
    static int begin(int argc, char **argv)                                                                  \
    {                                                                                                        \
        const int code = cuda_begin(argc, argv);                                                             \
        if (code == 0)                                                                                       \
            apart = wants_cuda(argc, argv)                                                                   \
                        ? (const struct model##_backend *)backend_find(&model##_backends, "cuda")            \
                        : register_stand_in();                                                               \
        return code != 0 || apart ? code : EXIT_FAILURE;                                                     \
    }                                                                                                        \
    TEST_SUITE(.setup = cli_setup, .teardown = cli_teardown, .begin = begin, .end = late_frames_forget)

#endif
