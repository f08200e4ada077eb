// A CUDA heat solver's arrays: their shape, their part of the memory plan, and the copies between host and
// device. Knows no kernel.
#include "gpu/bioheat/solver.h"
#include "gpu/memory.h"

#include <string.h>

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static void set_planes(struct solver *s)
{
    const struct bioheat_planes held = bioheat_around(s->setup.grid), own = bioheat_own(s->setup.grid);
    s->shape.first_held = (int)held.first;
    s->shape.end_held = (int)held.end;
    s->shape.first_own = (int)own.first;
    s->shape.end_own = (int)own.end;
    s->shape.is_ring = s->setup.grid->is_ring;
}

// The cells that steps may change; the pitch, with which the first of these in a row is at a multiple of 128
// bytes.
static enum status set_shape(struct solver *s)
{
    enum {
        CELLS_MAX = 65000,
        PLANE_MAX = 1 << 29,
        ALIGNMENT = 32,
        TILE_MAX = 512
    }; // a tile may hang over the last row
    const struct bioheat_grid *grid = s->setup.grid;
    struct heat_shape *shape = &s->shape;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        const int n = (int)grid->cells[axis];
        if (grid->cells[axis] > CELLS_MAX)
            return FAIL(STATUS_CONFIGURATION,
                        "the cuda back end takes at most %d cells along an axis, not %zu", (int)CELLS_MAX,
                        grid->cells[axis]);
        shape->cells[axis] = n;
        shape->is_periodic[axis] = grid->faces[axis][0].kind == BIOHEAT_PERIODIC;
        shape->first[axis] = n > 1 && grid->faces[axis][0].kind == BIOHEAT_FIXED ? smaller(2, n) : 0;
        shape->last[axis] = n > 1 && grid->faces[axis][1].kind == BIOHEAT_FIXED ? n - 2 : n;
        if (shape->last[axis] < shape->first[axis])
            shape->last[axis] = shape->first[axis];
    }
    size_t pitch = HEAT_LEFT + grid->cells[BIOHEAT_X] + 2 * HEAT_GHOSTS;
    pitch = (pitch + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if ((pitch & (pitch - 1)) == 0) // rows a power of two apart would use the same memory channels
        pitch += ALIGNMENT;
    const size_t plane = pitch * (grid->cells[BIOHEAT_Y] + HEAT_GHOSTS);
    if (plane > PLANE_MAX)
        return FAIL(STATUS_CONFIGURATION,
                    "the cuda back end takes planes of at most %d cells with their padding, not %zu",
                    (int)PLANE_MAX, plane);
    shape->pitch = (int)pitch;
    shape->plane = (long long)plane;
    set_planes(s);
    s->lead = (HEAT_HALO - shape->first_held) * (ptrdiff_t)plane + HEAT_HALO * (ptrdiff_t)pitch + HEAT_LEFT -
              shape->first[BIOHEAT_X];
    s->array_elements =
        (size_t)(shape->end_held - shape->first_held + HEAT_GHOSTS) * plane + HEAT_LEFT + TILE_MAX;
    return STATUS_OK;
}

// In place, the state moves along z by a slab and two planes in each step, alternately up and down: a slab's
// kernel writes outside of the planes that it reads.
static void set_slab(struct solver *s)
{
    enum { SLABS = 8, LEAST = 4 };
    const int planes = s->shape.end_own - s->shape.first_own;
    s->slab = (planes + SLABS - 1) / SLABS;
    if (s->slab < LEAST)
        s->slab = LEAST;
    s->shift = s->slab + HEAT_HALO;
}

static enum status plan_state(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    const enum element real = s->setup.precision;
    const bool wraps = s->shape.is_periodic[BIOHEAT_Z] && !s->shape.is_ring;
    const size_t planes = solver_is_in_place(s) && wraps ? HEAT_HALO : 0;
    const size_t moved = solver_is_in_place(s) ? (size_t)s->shift * (size_t)s->shape.plane : 0;
    const enum bioheat_method method = s->setup.physics->method;
    const size_t stages = method == BIOHEAT_RKL2, next = method == BIOHEAT_EULER || stages; // 0: not wanted
    const struct gpu_array arrays[] = {
        {&s->side_planes, MEMORY_DEVICE, real, planes, (size_t)s->shape.plane, "device old planes"},
        {&s->theta[0], MEMORY_DEVICE, real, 1, s->array_elements + moved, "device temperature"},
        {&s->theta[1], MEMORY_DEVICE, real, next, s->array_elements, "device temperature, next"},
        {&s->theta[2], MEMORY_DEVICE, real, stages, s->array_elements, "device temperature, a stage"},
        {&s->first_change, MEMORY_DEVICE, real, stages, s->array_elements, "device change at the start"},
    };
    return GPU_PLAN_ARRAYS(plan, prefix, arrays);
}

static enum status plan_records(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    const enum element real = s->setup.precision;
    const size_t elements = s->array_elements;
    const size_t dose = solver_has_dose(s), largest = s->setup.physics->has_maximum; // 0: not wanted
    const size_t second = solver_has_second_dose(s),
                 starts = second && s->setup.physics->method == BIOHEAT_RKL2;
    const struct gpu_array arrays[] = {
        {&s->low, MEMORY_DEVICE, real, dose, elements, "device dose of the last steps"},
        {&s->high, MEMORY_DEVICE, ELEMENT_F64, dose, elements, "device dose"},
        {&s->second_low, MEMORY_DEVICE, real, second, elements, "device second dose of the last steps"},
        {&s->second_high, MEMORY_DEVICE, ELEMENT_F64, second, elements, "device second dose"},
        {&s->second_start, MEMORY_DEVICE, real, starts, elements, "device temperature at a step's start"},
        {&s->largest, MEMORY_DEVICE, real, largest, elements, "device largest rise"},
        {&s->largest_at_s, MEMORY_DEVICE, ELEMENT_F64, largest, elements, "device time of the largest rise"},
    };
    return GPU_PLAN_ARRAYS(plan, prefix, arrays);
}

static enum status plan_mirror(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    const enum element real = s->setup.precision;
    const bool dose = solver_has_dose(s), second = solver_has_second_dose(s),
               largest = s->setup.physics->has_maximum;
    const struct {
        bool is_wanted;
        enum element element;
        void *pointer;
        const char *name;
    } arrays[] = {
        {true, real, &s->mirror_theta, "temperature"},
        {dose, real, &s->mirror_low, "dose of the last steps"},
        {dose, ELEMENT_F64, &s->mirror_high, "dose"},
        {second, real, &s->mirror_second_low, "second dose of the last steps"},
        {second, ELEMENT_F64, &s->mirror_second_high, "second dose"},
        {largest, real, &s->mirror_largest, "largest rise"},
        {largest, ELEMENT_F64, &s->mirror_largest_at_s, "time of the largest rise"},
    };
    const size_t plane = s->setup.grid->cells[BIOHEAT_Y] * s->setup.grid->cells[BIOHEAT_X];
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        if (arrays[k].is_wanted)
            CHECK(memory_plan_add_rows(plan, MEMORY_PINNED, arrays[k].element, (size_t)s->shape.first_held,
                                       (size_t)s->shape.end_held, plane, arrays[k].pointer, "%smirror %s",
                                       prefix, arrays[k].name));
    return STATUS_OK;
}

// Ranks exchange the planes that a step, a stage, or all colours read at once; in a ring each colour.
static enum status plan_exchange(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    struct ranks *ranks = s->setup.ranks;
    const size_t bytes = s->setup.halo * (size_t)s->shape.plane * s->element;
    if (!s->setup.shares)
        return STATUS_OK;
    const enum bioheat_method method = s->setup.physics->method;
    const bool is_ring = s->shape.is_ring, has_colours = heat_has_colours(method);
    const int sides = is_ring ? 2 : (ranks->rank > 0) + (ranks->rank + 1 < ranks->count);
    const int passes = method == BIOHEAT_RKL2   ? s->setup.physics->stages
                       : is_ring && has_colours ? HEAT_COLOURS
                                                : 1;
    const int depth = method == BIOHEAT_EULER ? (int)s->setup.halo / HEAT_HALO : 1;
    ranks->planned_step_bytes = (double)bytes * sides * passes / depth;
    return gpu_exchange_plan(&s->exchange, ranks, is_ring, bytes, plan, prefix);
}

enum status heat_plan_arrays(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    s->element = element_bytes(s->setup.precision);
    CHECK(set_shape(s));
    set_slab(s);
    CHECK(plan_state(s, plan, prefix));
    CHECK(plan_records(s, plan, prefix));
    CHECK(plan_mirror(s, plan, prefix));
    return plan_exchange(s, plan, prefix);
}

void *solver_theta(const struct solver *s, bool next)
{
    const int which = next ? 1 - s->current : s->current;
    if (s->setup.physics->method == BIOHEAT_RKL2)
        return solver_cells(s, s->theta[s->current]);
    if (s->setup.physics->method == BIOHEAT_EULER)
        return solver_cells(s, s->theta[which]);
    char *const cells = solver_cells(s, s->theta[0]);
    if (!solver_is_in_place(s))
        return cells;
    return cells + (which ? (size_t)s->shift * (size_t)s->shape.plane * s->element : 0);
}

enum status heat_copy_planes(struct solver *s, struct bioheat_planes copied, void *device_cells, void *host,
                             size_t element, bool to_device, cudaStream_t stream)
{
    const size_t *n = s->setup.grid->cells;
    const size_t width = n[BIOHEAT_X] * element, held = copied.first, planes = copied.end - held;
    const struct cudaPitchedPtr device = {
        solver_address(device_cells, (ptrdiff_t)(held * (size_t)s->shape.plane * element)),
        (size_t)s->shape.pitch * element, width, n[BIOHEAT_Y] + HEAT_GHOSTS};
    const struct cudaPitchedPtr dense = {solver_address(host, (ptrdiff_t)(held * n[BIOHEAT_Y] * width)),
                                         width, width, n[BIOHEAT_Y]};
    const struct cudaMemcpy3DParms copy = {
        .srcPtr = to_device ? dense : device,
        .dstPtr = to_device ? device : dense,
        .extent = {width, n[BIOHEAT_Y], planes},
        .kind = to_device ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost,
    };
    CUDA_CHECK(cudaMemcpy3DAsync(&copy, stream),
               to_device ? "a copy to the device" : "a copy from the device");
    return STATUS_OK;
}

enum status heat_copy_grid(struct solver *s, void *device_cells, void *host, size_t element, bool to_device,
                           cudaStream_t stream)
{
    return heat_copy_planes(s, bioheat_around(s->setup.grid), device_cells, host, element, to_device, stream);
}

static enum status copy_mirror(struct solver *s, bool to_device)
{
    const struct {
        void *cells, *mirror;
        size_t element;
    } arrays[] = {
        {solver_theta(s, false), s->mirror_theta, s->element},
        {solver_cells(s, s->low), s->mirror_low, s->element},
        {solver_doubles(s, s->high), s->mirror_high, sizeof(double)},
        {solver_cells(s, s->second_low), s->mirror_second_low, s->element},
        {solver_doubles(s, s->second_high), s->mirror_second_high, sizeof(double)},
        {solver_cells(s, s->largest), s->mirror_largest, s->element},
        {solver_doubles(s, s->largest_at_s), s->mirror_largest_at_s, sizeof(double)},
    };
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        if (arrays[k].cells)
            CHECK(heat_copy_grid(s, arrays[k].cells, arrays[k].mirror, arrays[k].element, to_device,
                                 s->timeline.compute));
    return STATUS_OK;
}

enum status heat_fetch_mirror(struct solver *s)
{
    CHECK(s->status);
    if (s->is_mirror_current)
        return STATUS_OK;
    CHECK(copy_mirror(s, false));
    s->is_mirror_current = true;
    return gpu_timeline_finish_compute(&s->timeline);
}

enum status heat_send_mirror(struct solver *s)
{
    solver_forget_halo(s);
    CHECK(copy_mirror(s, true));
    const bool is_euler = s->setup.physics->method == BIOHEAT_EULER;
    const bool is_plain_rkl2 = s->setup.physics->method == BIOHEAT_RKL2 && !solver_sweeps_stages(s);
    const int states = is_plain_rkl2 ? HEAT_STATES : is_euler ? 2 : 1;
    for (int k = 1; k < states; k++) // cells that no step changes are not written again
        CHECK(heat_copy_grid(s, solver_cells(s, s->theta[(s->current + k) % states]), s->mirror_theta,
                             s->element, true, s->timeline.compute));
    return gpu_timeline_finish_compute(&s->timeline);
}
