// Times of phases (see the header).
#include "gpu/samples.h"

#include "gpu/memory.h"

static cudaEvent_t *event_of(struct phase_samples *s, int number)
{
    return &s->samples[number / (s->phases + 1)].events[number % (s->phases + 1)];
}

enum status phase_samples_open(struct phase_samples *s, int phases, int every)
{
    s->phases = phases;
    s->every = every;
    while (s->events < PHASE_SAMPLES * (phases + 1)) {
        CUDA_CHECK(cudaEventCreateWithFlags(event_of(s, s->events), cudaEventDefault), "an event");
        s->events++;
    }
    return STATUS_OK;
}

void phase_samples_close(struct phase_samples *s)
{
    while (s->events > 0)
        (void)cudaEventDestroy(*event_of(s, --s->events));
}

void phase_samples_restart(struct phase_samples *s)
{
    s->begun = s->steps = 0;
    for (int phase = 0; phase < s->phases; phase++)
        s->seconds[phase] = 0;
}

static enum status take_sample(struct phase_samples *s, struct phase_sample *sample)
{
    for (int phase = 0; phase < s->phases; phase++) {
        if (!(sample->recorded >> phase & 1))
            continue;
        int next = phase + 1;
        while (!(sample->recorded >> next & 1))
            next++;
        float elapsed_ms = 0;
        CUDA_CHECK(cudaEventElapsedTime(&elapsed_ms, sample->events[phase], sample->events[next]), "a time");
        s->seconds[phase] += (double)elapsed_ms * 1e-3;
    }
    s->steps++;
    sample->is_under_way = false;
    return STATUS_OK;
}

enum status phase_samples_take(struct phase_samples *s)
{
    for (int k = 0; k < PHASE_SAMPLES; k++) {
        if (!s->samples[k].is_under_way)
            continue;
        const cudaError_t error = cudaEventQuery(s->samples[k].events[s->phases]);
        if (error == cudaErrorNotReady) {
            (void)cudaGetLastError(); // no failure: the next launch must not find it
            continue;
        }
        CUDA_CHECK(error, "to say how far it is");
        CHECK(take_sample(s, &s->samples[k]));
    }
    return STATUS_OK;
}

enum status phase_samples_choose(struct phase_samples *s, struct phase_sample **sample)
{
    *sample = NULL;
    if (s->begun++ % s->every != 0)
        return STATUS_OK;
    CHECK(phase_samples_take(s));
    for (int k = 0; k < PHASE_SAMPLES && !*sample; k++)
        if (!s->samples[k].is_under_way)
            *sample = &s->samples[k];
    if (*sample) {
        (*sample)->is_under_way = true;
        (*sample)->recorded = 0;
    }
    return STATUS_OK;
}

enum status phase_sample_mark(struct phase_sample *sample, int event, cudaStream_t stream)
{
    if (!sample)
        return STATUS_OK;
    sample->recorded |= 1u << event;
    CUDA_CHECK(cudaEventRecord(sample->events[event], stream), "to mark a time");
    return STATUS_OK;
}
