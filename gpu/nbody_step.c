// A CUDA N-body solver's steps: which kernels in which order, and what their phases take. The field of the bodies as they stand is there
// before a step and after it.
#include "gpu/memory.h"
#include "gpu/nbody_private.h"

static cudaEvent_t *event_of(struct nbody_solver *s, int number)
{
    return &s->samples[number / (NBODY_PHASES + 1)].events[number % (NBODY_PHASES + 1)];
}

enum status nbody_open_samples(struct nbody_solver *s)
{
    while (s->events < NBODY_SAMPLES * (NBODY_PHASES + 1)) {
        CUDA_CHECK(cudaEventCreateWithFlags(event_of(s, s->events), cudaEventDefault), "an event");
        s->events++;
    }
    return STATUS_OK;
}

void nbody_close_samples(struct nbody_solver *s)
{
    while (s->events > 0)
        (void)cudaEventDestroy(*event_of(s, --s->events));
}

static enum status take_sample(struct nbody_solver *s, struct nbody_sample *sample)
{
    const int first = solver_has_tree(s) ? 0 : NBODY_PHASE_FORCE;
    for (int phase = first; phase < NBODY_PHASES; phase++) {
        float elapsed_ms = 0;
        CUDA_CHECK(cudaEventElapsedTime(&elapsed_ms, sample->events[phase], sample->events[phase + 1]),
                   "a time");
        s->times.seconds[phase] += (double)elapsed_ms * 1e-3;
    }
    s->times.steps++;
    sample->is_under_way = false;
    return STATUS_OK;
}

enum status nbody_take_samples(struct nbody_solver *s)
{
    for (int k = 0; k < NBODY_SAMPLES; k++) {
        if (!s->samples[k].is_under_way)
            continue;
        const cudaError_t error = cudaEventQuery(s->samples[k].events[NBODY_PHASES]);
        if (error == cudaErrorNotReady) {
            (void)cudaGetLastError(); // no failure: the next launch must not find it
            continue;
        }
        CUDA_CHECK(error, "to say how far it is");
        CHECK(take_sample(s, &s->samples[k]));
    }
    return STATUS_OK;
}

// A sample that is free, now and then.
static enum status choose_sample(struct nbody_solver *s, struct nbody_sample **sample)
{
    *sample = NULL;
    if (s->steps++ % NBODY_SAMPLE_EVERY != 0)
        return STATUS_OK;
    CHECK(nbody_take_samples(s));
    for (int k = 0; k < NBODY_SAMPLES && !*sample; k++)
        if (!s->samples[k].is_under_way)
            *sample = &s->samples[k];
    if (*sample)
        (*sample)->is_under_way = true;
    return STATUS_OK;
}

static enum status mark(struct nbody_solver *s, struct nbody_sample *sample, int event)
{
    if (sample)
        CUDA_CHECK(cudaEventRecord(sample->events[event], s->lanes.compute), "to mark a time");
    return STATUS_OK;
}

enum status nbody_begin_forces(struct nbody_solver *s, struct nbody_sample *sample)
{
    s->has_field = false;
    if (s->tree) {
        // It records those up to the one before the forces.
        CHECK(nbody_device_tree_build(s->tree, &s->bodies, sample ? sample->events : NULL, s->lanes.compute));
        CHECK(nbody_device_tree_forces(s->tree, &s->bodies, s->bodies.field, false, s->lanes.compute));
    } else {
        CHECK(mark(s, sample, NBODY_PHASE_FORCE));
        CUDA_CHECK(
            nbody_device_direct_forces(&s->direct, &s->bodies, s->bodies.field, 1, 0, s->lanes.compute),
            "the forces of all pairs");
    }
    return mark(s, sample, NBODY_PHASE_INTEGRATE);
}

// The tree is that of the bodies as they stand: every step ends with its forces.
enum status nbody_begin_field(struct nbody_solver *s, bool is_direct, const void **field)
{
    void *place = s->bodies.field;
    if (s->tree && !is_direct) {
        place = s->bodies.spare_body; // free between two builds
        CHECK(nbody_device_tree_forces(s->tree, &s->bodies, place, true, s->lanes.compute));
    } else {
        CUDA_CHECK(nbody_device_direct_forces(&s->direct, &s->bodies, place, 0, 1, s->lanes.compute),
                   "the potentials of all pairs");
    }
    *field = place;
    return STATUS_OK;
}

enum status nbody_begin_step(struct nbody_solver *s, bool begins, bool ends)
{
    struct nbody_sample *sample;
    CHECK(choose_sample(s, &sample));
    if (begins)
        CUDA_CHECK(nbody_move(s->setup.physics, &s->bodies, 0, 1, s->lanes.compute), "to move the bodies");
    CHECK(nbody_begin_forces(s, sample));
    CUDA_CHECK(nbody_move(s->setup.physics, &s->bodies, 1, !ends, s->lanes.compute), "to move the bodies");
    return mark(s, sample, NBODY_PHASES);
}
