// The device's own account of its time (see the header). Knows no model.
#include "gpu/timeline.h"

#include "gpu/memory.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static struct timeline_batch *batch(struct timeline *t, int64_t number)
{
    return &t->batches[number % TIMELINE_BATCHES];
}

enum status timeline_open(struct timeline *t)
{
    for (int k = 0; k < TIMELINE_BATCHES; k++) {
        CUDA_CHECK(cudaEventCreateWithFlags(&t->batches[k].begin, cudaEventDefault), "an event");
        t->events++;
        CUDA_CHECK(cudaEventCreateWithFlags(&t->batches[k].end, cudaEventDefault), "an event");
        t->events++;
    }
    return STATUS_OK;
}

void timeline_close(struct timeline *t)
{
    for (int k = 0; k < t->events; k++)
        (void)cudaEventDestroy(k % 2 == 0 ? t->batches[k / 2].begin : t->batches[k / 2].end);
    t->events = 0;
}

void timeline_restart(struct timeline *t)
{
    struct timeline fresh = {.events = t->events};
    memcpy(fresh.batches, t->batches, sizeof fresh.batches); // the events
    *t = fresh;
}

static enum status seconds_between(cudaEvent_t begin, cudaEvent_t end, double *seconds)
{
    float elapsed_ms = 0;
    CUDA_CHECK(cudaEventElapsedTime(&elapsed_ms, begin, end), "a time");
    *seconds = (double)elapsed_ms * 1e-3;
    return STATUS_OK;
}

static enum status is_over(cudaEvent_t event, bool *answer)
{
    const cudaError_t error = cudaEventQuery(event);
    *answer = error == cudaSuccess;
    if (error == cudaErrorNotReady) {
        (void)cudaGetLastError(); // no failure: the next launch must not find it
        return STATUS_OK;
    }
    CUDA_CHECK(error, "to say how far it is");
    return STATUS_OK;
}

// Times are chained from batch to batch: a single-precision time since the run's start would be too coarse.
static enum status take_batch(struct timeline *t)
{
    struct timeline_batch *b = batch(t, t->over);
    double length_s = 0, since_s = 0;
    CHECK(seconds_between(b->begin, b->end, &length_s));
    b->begin_s = 0;
    if (t->over > 0) {
        const struct timeline_batch *before = batch(t, t->over - 1);
        CHECK(seconds_between(before->begin, b->begin, &since_s));
        b->begin_s = before->begin_s + since_s;
    }
    overlap_add(&t->overlap, OVERLAP_FIRST, b->begin_s, b->begin_s + length_s);
    t->seconds[b->kind] += length_s;
    if (b->kind == TIMELINE_STEPS)
        t->step_s = length_s / b->steps;
    t->steps_ahead -= b->steps;
    t->over++;
    return STATUS_OK;
}

// A copy waits for what was begun before it: when it is over, the batch before it is, too.
static enum status take_copy(struct timeline *t)
{
    const struct timeline_copy *copy = &t->copies[t->copy_head];
    double length_s = 0, since_s = 0;
    CHECK(seconds_between(copy->begin, copy->end, &length_s));
    t->copy_s += length_s;
    if (copy->after >= 0 && copy->after < t->over && t->begun - copy->after < TIMELINE_BATCHES) {
        const struct timeline_batch *before = batch(t, copy->after);
        CHECK(seconds_between(before->begin, copy->begin, &since_s));
        overlap_add(&t->overlap, OVERLAP_SECOND, before->begin_s + since_s,
                    before->begin_s + since_s + length_s);
    } else {
        t->lost++;
    }
    t->copy_head = (t->copy_head + 1) % TIMELINE_COPIES;
    t->copy_count--;
    return STATUS_OK;
}

enum status timeline_update(struct timeline *t)
{
    // Copies first asked, then batches taken, then copies: a copy that is over has its batch taken before it.
    int copies_over = 0;
    for (bool answer = true; answer && copies_over < t->copy_count;) {
        CHECK(is_over(t->copies[(t->copy_head + copies_over) % TIMELINE_COPIES].end, &answer));
        copies_over += answer;
    }
    for (bool answer = true; answer && t->over < t->ended;) {
        CHECK(is_over(batch(t, t->over)->end, &answer));
        if (answer)
            CHECK(take_batch(t));
    }
    for (; copies_over > 0; copies_over--)
        CHECK(take_copy(t));
    // What is begun from now on is later than all that is over.
    if (t->copy_count == 0)
        overlap_settle(&t->overlap, OVERLAP_SECOND);
    if (t->over == t->begun)
        overlap_settle(&t->overlap, OVERLAP_FIRST);
    return STATUS_OK;
}

int timeline_batch_steps(const struct timeline *t)
{
    if (t->step_s <= 0)
        return 1;
    return (int)fmax(1, fmin(TIMELINE_BATCH_STEPS, TIMELINE_BATCH_S / t->step_s));
}

enum status timeline_begin(struct timeline *t, enum timeline_kind kind, int steps, cudaStream_t stream)
{
    CHECK(timeline_close_batch(t, stream));
    CHECK(timeline_update(t));
    while (t->over < t->ended &&
           (t->steps_ahead > 2 * timeline_batch_steps(t) || t->begun - t->over > TIMELINE_BATCHES / 2)) {
        CUDA_CHECK(gpu_wait(batch(t, t->over)->end), "to finish a batch of steps");
        CHECK(timeline_update(t));
    }
    struct timeline_batch *b = batch(t, t->begun);
    b->kind = kind;
    b->steps = steps;
    CUDA_CHECK(cudaEventRecord(b->begin, stream), "to mark a time");
    t->begun++;
    t->steps_ahead += steps;
    return STATUS_OK;
}

enum status timeline_end(struct timeline *t, cudaStream_t stream)
{
    assert(t->ended == t->begun - 1);
    CUDA_CHECK(cudaEventRecord(batch(t, t->ended)->end, stream), "to mark a time");
    t->ended++;
    return STATUS_OK;
}

enum status timeline_close_batch(struct timeline *t, cudaStream_t stream)
{
    return t->ended < t->begun ? timeline_end(t, stream) : STATUS_OK;
}

enum status timeline_join(struct timeline *t, int64_t wanted, cudaStream_t stream, int *granted)
{
    const struct timeline_batch *open = t->ended < t->begun ? batch(t, t->ended) : NULL;
    int room = open ? timeline_batch_steps(t) - open->steps : 0;
    const bool is_new = room <= 0;
    if (is_new)
        room = timeline_batch_steps(t);
    *granted = wanted < room ? (int)wanted : room;
    if (is_new)
        return timeline_begin(t, TIMELINE_STEPS, *granted, stream);
    batch(t, t->ended)->steps += *granted;
    t->steps_ahead += *granted;
    return STATUS_OK;
}

enum status timeline_copied(struct timeline *t, cudaEvent_t begin, cudaEvent_t end, size_t bytes)
{
    assert(t->copy_count < TIMELINE_COPIES);
    t->copies[(t->copy_head + t->copy_count) % TIMELINE_COPIES] =
        (struct timeline_copy){begin, end, t->begun - 1};
    t->copy_count++;
    t->copied_bytes += (double)bytes;
    return STATUS_OK;
}

struct device_times timeline_times(const struct timeline *t)
{
    return (struct device_times){
        .is_measured = true,
        .compute_s = t->seconds[TIMELINE_STEPS],
        .results_s = t->seconds[TIMELINE_RESULTS],
        .copy_s = t->copy_s,
        .overlap_s = t->overlap.common_s,
        .copied_bytes = t->copied_bytes,
        .uncounted = t->lost + t->overlap.dropped,
    };
}
