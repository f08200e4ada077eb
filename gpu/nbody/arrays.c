// A CUDA N-body solver's arrays: their part of the memory plan, the copies between host and device, and the
// mirror by id, in the model's order.
#include "gpu/memory.h"
#include "gpu/nbody/solver.h"

#include <math.h>

enum { NUMBERS = 4 }; // of a body, a velocity, a field

enum status nbody_plan_arrays(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    const enum element real = s->setup.precision;
    const size_t count = s->setup.count, tree = solver_has_tree(s) ? count : 0; // 0: not wanted
    struct nbody_direct *direct = &s->direct;
    const struct gpu_array arrays[] = {
        {&s->planned_body[0], MEMORY_DEVICE, real, count, NUMBERS, "device bodies"},
        {&s->planned_velocity[0], MEMORY_DEVICE, real, count, NUMBERS, "device velocities"},
        {&s->planned_id[0], MEMORY_DEVICE, ELEMENT_I32, 1, tree, "device ids"},
        {&s->planned_body[1], MEMORY_DEVICE, real, tree, NUMBERS, "device bodies, spare"},
        {&s->planned_velocity[1], MEMORY_DEVICE, real, tree, NUMBERS, "device velocities, spare"},
        {&s->planned_id[1], MEMORY_DEVICE, ELEMENT_I32, 1, tree, "device ids, spare"},
        {&s->planned_field, MEMORY_DEVICE, real, count, NUMBERS, "device field"},
        {&direct->scratch, MEMORY_DEVICE, ELEMENT_F64, 1, direct->scratch_numbers, "device sums of parts"},
        {&direct->carried, MEMORY_DEVICE, ELEMENT_F64, 1, direct->carried_numbers,
         "device sums between blocks"},
        {&direct->left, MEMORY_DEVICE, ELEMENT_I32, 1, direct->end > 0 ? direct->blocks : 0,
         "device flags between blocks"},
        {&s->mirror_body, MEMORY_PINNED, real, count, NUMBERS, "mirror bodies"},
        {&s->mirror_velocity, MEMORY_PINNED, real, count, NUMBERS, "mirror velocities"},
        {&s->mirror_field, MEMORY_PINNED, real, count, NUMBERS, "mirror field"},
        {&s->mirror_order.ids, MEMORY_PINNED, ELEMENT_I32, 1, tree, "mirror ids"},
        {&s->mirror_order.index, MEMORY_HOST, ELEMENT_I32, 1, tree, "index by id"},
    };
    s->element = element_bytes(real);
    return GPU_PLAN_ARRAYS(plan, prefix, arrays);
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

static double number(const struct solver *s, const void *array, size_t index, int k)
{
    return gpu_real(array, s->setup.precision, NUMBERS * index + (size_t)k);
}

static void set_number(const struct solver *s, void *array, size_t index, int k, double value)
{
    gpu_set_real(array, s->setup.precision, NUMBERS * index + (size_t)k, value);
}

void nbody_get(const struct solver *s, size_t first, size_t count, struct nbody_body *bodies)
{
    for (size_t b = 0; b < count; b++) {
        const size_t index = gpu_order_index(&s->mirror_order, first + b);
        for (int k = 0; k < NBODY_AXES; k++) {
            bodies[b].position[k] = number(s, s->mirror_body, index, k);
            bodies[b].velocity[k] = number(s, s->mirror_velocity, index, k);
        }
        bodies[b].mass = number(s, s->mirror_body, index, NBODY_AXES);
    }
}

// By id: all are set before the next touch, which makes the order that of the ids.
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
        const size_t index = gpu_order_index(&s->mirror_order, first + b);
        for (int k = 0; k < NBODY_AXES; k++)
            field[b].acceleration[k] = s->has_field ? number(s, s->mirror_field, index, k) : (double)NAN;
        field[b].potential = s->has_field ? number(s, s->mirror_field, index, NBODY_AXES) : (double)NAN;
    }
}

enum status nbody_take_order(struct solver *s)
{
    return gpu_order_take(&s->mirror_order, s->setup.count, "body");
}

enum status nbody_fetch_mirror(struct solver *s)
{
    const size_t count = s->setup.count, bytes = NUMBERS * count * s->element;
    CHECK(s->status);
    if (s->is_mirror_current)
        return STATUS_OK;
    CHECK(gpu_timeline_download(&s->timeline, s->mirror_body, s->bodies.body, bytes));
    CHECK(gpu_timeline_download(&s->timeline, s->mirror_velocity, s->bodies.velocity, bytes));
    if (s->bodies.id)
        CHECK(gpu_timeline_download(&s->timeline, s->mirror_order.ids, s->bodies.id,
                                    count * sizeof *s->bodies.id));
    CHECK(gpu_timeline_finish_compute(&s->timeline));
    s->is_mirror_current = true;
    return nbody_take_order(s);
}

enum status nbody_send_mirror(struct solver *s)
{
    const size_t count = s->setup.count, bytes = NUMBERS * count * s->element;
    CHECK(gpu_timeline_upload(&s->timeline, s->bodies.body, s->mirror_body, bytes));
    CHECK(gpu_timeline_upload(&s->timeline, s->bodies.velocity, s->mirror_velocity, bytes));
    if (s->bodies.id)
        CHECK(gpu_timeline_upload(&s->timeline, s->bodies.id, s->mirror_order.ids,
                                  count * sizeof *s->bodies.id));
    return gpu_timeline_finish_compute(&s->timeline);
}

enum status nbody_fetch_field(struct solver *s, const void *field)
{
    const size_t bytes = NUMBERS * s->setup.count * s->element;
    CHECK(gpu_timeline_download(&s->timeline, s->mirror_field, field, bytes));
    return gpu_timeline_finish_compute(&s->timeline);
}
