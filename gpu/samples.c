// Times of stages (see the header).
#include "gpu/samples.h"

#include "gpu/memory.h"

static cudaEvent_t *event_of(struct stage_samples *s, int number)
{
    return &s->samples[number / (s->stages + 1)].events[number % (s->stages + 1)];
}

enum status stage_samples_open(struct stage_samples *s, int stages, int every)
{
    s->stages = stages;
    s->every = every;
    while (s->events < STAGE_SAMPLES * (stages + 1)) {
        CUDA_CHECK(cudaEventCreateWithFlags(event_of(s, s->events), cudaEventDefault), "an event");
        s->events++;
    }
    return STATUS_OK;
}

void stage_samples_close(struct stage_samples *s)
{
    while (s->events > 0)
        (void)cudaEventDestroy(*event_of(s, --s->events));
}

void stage_samples_restart(struct stage_samples *s)
{
    s->begun = s->steps = 0;
    for (int stage = 0; stage < s->stages; stage++)
        s->seconds[stage] = 0;
}

static enum status take_sample(struct stage_samples *s, struct stage_sample *sample)
{
    for (int stage = 0; stage < s->stages; stage++) {
        if (!(sample->recorded >> stage & 1))
            continue;
        int next = stage + 1;
        while (!(sample->recorded >> next & 1))
            next++;
        float elapsed_ms = 0;
        CUDA_CHECK(cudaEventElapsedTime(&elapsed_ms, sample->events[stage], sample->events[next]), "a time");
        s->seconds[stage] += (double)elapsed_ms * 1e-3;
    }
    s->steps++;
    sample->is_in_progress = false;
    return STATUS_OK;
}

enum status stage_samples_take(struct stage_samples *s)
{
    for (int k = 0; k < STAGE_SAMPLES; k++) {
        bool is_over = false;
        if (s->samples[k].is_in_progress)
            CHECK(gpu_is_over(s->samples[k].events[s->stages], &is_over));
        if (is_over)
            CHECK(take_sample(s, &s->samples[k]));
    }
    return STATUS_OK;
}

enum status stage_samples_choose(struct stage_samples *s, struct stage_sample **sample)
{
    *sample = NULL;
    if (s->begun++ % s->every != 0)
        return STATUS_OK;
    CHECK(stage_samples_take(s));
    for (int k = 0; k < STAGE_SAMPLES && !*sample; k++)
        if (!s->samples[k].is_in_progress)
            *sample = &s->samples[k];
    if (*sample) {
        (*sample)->is_in_progress = true;
        (*sample)->recorded = 0;
    }
    return STATUS_OK;
}

enum status stage_sample_mark(struct stage_sample *sample, int event, cudaStream_t stream)
{
    if (!sample)
        return STATUS_OK;
    sample->recorded |= 1u << event;
    CUDA_CHECK(cudaEventRecord(sample->events[event], stream), "to mark a time");
    return STATUS_OK;
}
