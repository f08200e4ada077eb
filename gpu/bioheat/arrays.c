// A CUDA heat solver's arrays: their shape, what they ask of the memory plan, and what travels between host
// and device. Knows no kernel but those that clear.
#include "gpu/bioheat/solver.h"
#include "gpu/memory.h"

#include <math.h>
#include <string.h>

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

// Cells that steps may change; rows that begin, with the first of these, at a multiple of 128 bytes.
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
    if ((pitch & (pitch - 1)) == 0) // powers of two fall on the same memory channels
        pitch += ALIGNMENT;
    const size_t plane = pitch * (grid->cells[BIOHEAT_Y] + HEAT_GHOSTS);
    if (plane > PLANE_MAX)
        return FAIL(STATUS_CONFIGURATION,
                    "the cuda back end takes planes of at most %d cells with their padding, not %zu",
                    (int)PLANE_MAX, plane);
    shape->pitch = (int)pitch;
    shape->plane = (long long)plane;
    s->lead = HEAT_HALO * plane + HEAT_HALO * pitch + (size_t)(HEAT_LEFT - shape->first[BIOHEAT_X]);
    s->array_elements = (grid->cells[BIOHEAT_Z] + HEAT_GHOSTS) * plane + HEAT_LEFT + TILE_MAX;
    return STATUS_OK;
}

// In place the state moves along z by a slab and two planes in each step, to and fro: what a slab's kernel
// writes lies outside of what it reads.
static void set_slab(struct solver *s)
{
    enum { SLABS = 8, LEAST = 4 };
    const int nz = s->shape.cells[BIOHEAT_Z];
    s->slab = (nz + SLABS - 1) / SLABS;
    if (s->slab < LEAST)
        s->slab = LEAST;
    s->shift = s->slab + HEAT_HALO;
}

static enum status plan_state(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    const enum element real = s->setup.precision;
    size_t elements = s->array_elements;
    if (solver_is_in_place(s)) {
        elements += (size_t)s->shift * (size_t)s->shape.plane;
        if (s->shape.is_periodic[BIOHEAT_Z])
            CHECK(memory_plan_add(plan, MEMORY_DEVICE, real, HEAT_HALO, (size_t)s->shape.plane,
                                  &s->side_planes, "%sdevice old planes", prefix));
    }
    CHECK(memory_plan_add(plan, MEMORY_DEVICE, real, 1, elements, &s->theta[0], "%sdevice temperature",
                          prefix));
    if (s->setup.physics->method == BIOHEAT_EULER)
        CHECK(memory_plan_add(plan, MEMORY_DEVICE, real, 1, elements, &s->theta[1],
                              "%sdevice temperature, next", prefix));
    return STATUS_OK;
}

static enum status plan_records(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    const enum element real = s->setup.precision;
    const size_t cells = bioheat_cells(s->setup.grid), elements = s->array_elements;
    const struct {
        bool is_wanted;
        enum element element;
        void *device, *mirror;
        const char *name;
    } arrays[] = {
        {true, real, NULL, &s->mirror_theta, "temperature"},
        {solver_has_dose(s), real, &s->low, &s->mirror_low, "dose of the last steps"},
        {solver_has_dose(s), ELEMENT_F64, &s->high, &s->mirror_high, "dose"},
        {s->setup.physics->has_maximum, real, &s->largest, &s->mirror_largest, "largest rise"},
        {s->setup.physics->has_maximum, ELEMENT_F64, &s->largest_at_s, &s->mirror_largest_at_s,
         "time of the largest rise"},
    };
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        if (!arrays[k].is_wanted)
            continue;
        if (arrays[k].device)
            CHECK(memory_plan_add(plan, MEMORY_DEVICE, arrays[k].element, 1, elements, arrays[k].device,
                                  "%sdevice %s", prefix, arrays[k].name));
        CHECK(memory_plan_add(plan, MEMORY_PINNED, arrays[k].element, 1, cells, arrays[k].mirror,
                              "%smirror %s", prefix, arrays[k].name));
    }
    return STATUS_OK;
}

enum status heat_plan_arrays(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    s->element = element_bytes(s->setup.precision);
    CHECK(set_shape(s));
    set_slab(s);
    CHECK(plan_state(s, plan, prefix));
    return plan_records(s, plan, prefix);
}

void *solver_theta(const struct solver *s, bool next)
{
    const int which = next ? 1 - s->current : s->current;
    if (s->setup.physics->method == BIOHEAT_EULER)
        return solver_cells(s, s->theta[which]);
    char *const cells = solver_cells(s, s->theta[0]);
    if (!solver_is_in_place(s))
        return cells;
    return cells + (which ? (size_t)s->shift * (size_t)s->shape.plane * s->element : 0);
}

enum status heat_copy_grid(struct solver *s, void *device_cells, void *host, size_t element, bool to_device,
                           cudaStream_t stream)
{
    const size_t *n = s->setup.grid->cells;
    const size_t width = n[BIOHEAT_X] * element;
    const struct cudaPitchedPtr device = {device_cells, (size_t)s->shape.pitch * element, width,
                                          n[BIOHEAT_Y] + HEAT_GHOSTS};
    const struct cudaPitchedPtr dense = {host, width, width, n[BIOHEAT_Y]};
    const struct cudaMemcpy3DParms copy = {
        .srcPtr = to_device ? dense : device,
        .dstPtr = to_device ? device : dense,
        .extent = {width, n[BIOHEAT_Y], n[BIOHEAT_Z]},
        .kind = to_device ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost,
    };
    CUDA_CHECK(cudaMemcpy3DAsync(&copy, stream),
               to_device ? "a copy to the device" : "a copy from the device");
    return STATUS_OK;
}

static enum status copy_mirror(struct solver *s, bool to_device)
{
    const struct {
        void *cells, *mirror;
        size_t element;
    } arrays[] = {
        {solver_theta(s, false), s->mirror_theta, s->element},
        {solver_cells(s, s->low), s->mirror_low, s->element},
        {s->high ? s->high + s->lead : NULL, s->mirror_high, sizeof(double)},
        {solver_cells(s, s->largest), s->mirror_largest, s->element},
        {s->largest_at_s ? s->largest_at_s + s->lead : NULL, s->mirror_largest_at_s, sizeof(double)},
    };
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        if (arrays[k].cells)
            CHECK(heat_copy_grid(s, arrays[k].cells, arrays[k].mirror, arrays[k].element, to_device,
                                 s->timeline.compute));
    return STATUS_OK;
}

enum status heat_fetch_mirror(struct solver *s)
{
    CHECK(copy_mirror(s, false));
    return gpu_timeline_finish_compute(&s->timeline);
}

enum status heat_send_mirror(struct solver *s)
{
    CHECK(copy_mirror(s, true));
    if (s->setup.physics->method == BIOHEAT_EULER) // cells that no step changes are not written again
        CHECK(
            heat_copy_grid(s, solver_theta(s, true), s->mirror_theta, s->element, true, s->timeline.compute));
    return gpu_timeline_finish_compute(&s->timeline);
}
