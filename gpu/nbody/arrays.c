// A CUDA N-body solver's arrays: what they ask of the memory plan, what travels between host and device, and
// the mirror as the model sees it, by id. Knows no kernel.
#include "gpu/memory.h"
#include "gpu/nbody/private.h"

#include <math.h>
#include <string.h>

enum { NUMBERS = 4 }; // of a body, a velocity, a field

static enum status plan_device(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    const enum element real = s->setup.precision;
    const size_t count = s->setup.count;
    const int copies = solver_has_tree(s) ? 2 : 1;
    static const char *const which[2] = {"", ", spare"};
    for (int k = 0; k < copies; k++) {
        CHECK(memory_plan_add(plan, MEMORY_DEVICE, real, count, NUMBERS, &s->planned_body[k],
                              "%sdevice bodies%s", prefix, which[k]));
        CHECK(memory_plan_add(plan, MEMORY_DEVICE, real, count, NUMBERS, &s->planned_velocity[k],
                              "%sdevice velocities%s", prefix, which[k]));
        if (solver_has_tree(s))
            CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_I32, 1, count, (void **)&s->planned_id[k],
                                  "%sdevice ids%s", prefix, which[k]));
    }
    CHECK(memory_plan_add(plan, MEMORY_DEVICE, real, count, NUMBERS, &s->planned_field, "%sdevice field",
                          prefix));
    if (s->direct.scratch_numbers > 0)
        CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_F64, 1, s->direct.scratch_numbers,
                              (void **)&s->direct.scratch, "%sdevice sums of parts", prefix));
    return STATUS_OK;
}

enum status nbody_plan_arrays(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    const enum element real = s->setup.precision;
    const size_t count = s->setup.count;
    s->element = element_bytes(real);
    CHECK(plan_device(s, plan, prefix));
    CHECK(memory_plan_add(plan, MEMORY_PINNED, real, count, NUMBERS, &s->mirror_body, "%smirror bodies",
                          prefix));
    CHECK(memory_plan_add(plan, MEMORY_PINNED, real, count, NUMBERS, &s->mirror_velocity,
                          "%smirror velocities", prefix));
    CHECK(memory_plan_add(plan, MEMORY_PINNED, real, count, NUMBERS, &s->mirror_field, "%smirror field",
                          prefix));
    if (!solver_has_tree(s))
        return STATUS_OK;
    CHECK(memory_plan_add(plan, MEMORY_PINNED, ELEMENT_I32, 1, count, (void **)&s->mirror_id, "%smirror ids",
                          prefix));
    return memory_plan_add(plan, MEMORY_HOST, ELEMENT_I32, 1, count, (void **)&s->place, "%splaces by id",
                           prefix);
}

void nbody_point_bodies(struct solver *s)
{
    s->bodies = (struct nbody_device_bodies){.count = s->setup.count,
                                             .precision = s->setup.precision,
                                             .body = s->planned_body[0],
                                             .velocity = s->planned_velocity[0],
                                             .field = s->planned_field,
                                             .id = s->planned_id[0],
                                             .spare_body = s->planned_body[1],
                                             .spare_velocity = s->planned_velocity[1],
                                             .spare_id = s->planned_id[1]};
}

static size_t place_of(const struct solver *s, size_t id)
{
    return s->place ? s->place[id] : id;
}

static double number(const struct solver *s, const void *array, size_t place, int k)
{
    const size_t index = NUMBERS * place + (size_t)k;
    return solver_is_single(s) ? (double)((const float *)array)[index] : ((const double *)array)[index];
}

static void set_number(const struct solver *s, void *array, size_t place, int k, double value)
{
    const size_t index = NUMBERS * place + (size_t)k;
    if (solver_is_single(s))
        ((float *)array)[index] = (float)value;
    else
        ((double *)array)[index] = value;
}

void nbody_get(const struct solver *s, size_t first, size_t count, struct nbody_body *bodies)
{
    for (size_t b = 0; b < count; b++) {
        const size_t place = place_of(s, first + b);
        for (int k = 0; k < NBODY_AXES; k++) {
            bodies[b].position[k] = number(s, s->mirror_body, place, k);
            bodies[b].velocity[k] = number(s, s->mirror_velocity, place, k);
        }
        bodies[b].mass = number(s, s->mirror_body, place, NBODY_AXES);
    }
}

// All are set before the next touch, which makes the order that of the ids: so that is where they go.
void nbody_set(struct solver *s, size_t first, size_t count, const struct nbody_body *bodies)
{
    for (size_t b = 0; b < count; b++) {
        for (int k = 0; k < NBODY_AXES; k++) {
            set_number(s, s->mirror_body, first + b, k, bodies[b].position[k]);
            set_number(s, s->mirror_velocity, first + b, k, bodies[b].velocity[k]);
        }
        set_number(s, s->mirror_body, first + b, NBODY_AXES, bodies[b].mass);
        set_number(s, s->mirror_velocity, first + b, NBODY_AXES, 0);
    }
}

void nbody_get_field(const struct solver *s, size_t first, size_t count, struct nbody_field *field)
{
    for (size_t b = 0; b < count; b++) {
        const size_t place = place_of(s, first + b);
        for (int k = 0; k < NBODY_AXES; k++)
            field[b].acceleration[k] = s->has_field ? number(s, s->mirror_field, place, k) : (double)NAN;
        field[b].potential = s->has_field ? number(s, s->mirror_field, place, NBODY_AXES) : (double)NAN;
    }
}

void nbody_order_by_id(struct solver *s)
{
    for (size_t k = 0; s->place && k < s->setup.count; k++)
        s->mirror_id[k] = s->place[k] = (unsigned)k;
}

enum status nbody_take_order(struct solver *s)
{
    const size_t count = s->setup.count;
    if (!s->place)
        return STATUS_OK;
    memset(s->place, 0xff, count * sizeof *s->place);
    for (size_t k = 0; k < count; k++) {
        const unsigned id = s->mirror_id[k];
        if (id >= count || s->place[id] != ~0u)
            return FAIL(STATUS_DATA, "the order of the bodies names body %u %s", id,
                        id >= count ? "of which there is none" : "twice");
        s->place[id] = (unsigned)k;
    }
    return STATUS_OK;
}

static enum status copy_mirror(struct solver *s, bool to_device)
{
    const size_t count = s->setup.count, bytes = NUMBERS * count * s->element;
    const struct {
        void *device, *mirror;
        size_t bytes;
    } arrays[] = {{s->bodies.body, s->mirror_body, bytes},
                  {s->bodies.velocity, s->mirror_velocity, bytes},
                  {s->bodies.id, s->mirror_id, count * sizeof *s->mirror_id}};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        if (arrays[k].device)
            CUDA_CHECK(cudaMemcpyAsync(to_device ? arrays[k].device : arrays[k].mirror,
                                       to_device ? arrays[k].mirror : arrays[k].device, arrays[k].bytes,
                                       to_device ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost,
                                       s->timeline.compute),
                       to_device ? "a copy to the device" : "a copy from the device");
    return gpu_timeline_finish_compute(&s->timeline);
}

enum status nbody_fetch_mirror(struct solver *s)
{
    CHECK(copy_mirror(s, false));
    return nbody_take_order(s);
}

enum status nbody_send_mirror(struct solver *s)
{
    return copy_mirror(s, true);
}

enum status nbody_fetch_field(struct solver *s, const void *field)
{
    CUDA_CHECK(cudaMemcpyAsync(s->mirror_field, field, NUMBERS * s->setup.count * s->element,
                               cudaMemcpyDeviceToHost, s->timeline.compute),
               "a copy from the device");
    return gpu_timeline_finish_compute(&s->timeline);
}
