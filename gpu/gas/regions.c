// The three regions on the device as gpu/gas/method.h offers them: their memory, and their kernels in order.
// Knows no kernel's inside.
#include "gpu/gas/regions.h"

#include "gpu/gas/method.h"
#include "gpu/memory.h"

#include <stdlib.h>

struct gas_device_regions {
    struct gas_setup setup;
    struct gas_law law;
    struct gas_device_grid grid;
    struct region_arrays arrays;
    bool has_lists;
    double *pairs; // pinned
};

struct wanted_array {
    void *pointer;
    size_t count, bytes;
    const char *name;
};

static enum status plan_arrays(struct gas_device_regions *r, struct memory_plan *plan, const char *prefix)
{
    struct region_arrays *a = &r->arrays;
    const size_t cells = (size_t)a->cells, splits = (size_t)a->far_splits;
    const struct wanted_array wanted[] = {
        {&r->grid.starts, cells + 1, sizeof *r->grid.starts, "first particles"},
        {&r->grid.scratch, r->grid.scratch_bytes, 1, "scratch of the sort"},
        {&a->near_of, cells, ((size_t)a->spans_most + 1) * sizeof *a->near_of, "near cells"},
        {&a->middle_of, cells, ((size_t)a->middle_most + 1) * sizeof *a->middle_of, "middle cells"},
        {&a->blocks, region_blocks(a), sizeof *a->blocks, "blocks of particles"},
        {&a->centre, cells, GAS_AXES * sizeof *a->centre, "centres of mass"},
        {&a->square, cells, GAS_AXES * sizeof *a->square, "second moments"},
        {&a->far_field, splits * cells, REGION_FAR_TERMS * sizeof *a->far_field, "far fields"},
        {&a->pairs, 1, sizeof *a->pairs, "number of pairs"},
    };
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
        CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_U8, wanted[k].count, wanted[k].bytes,
                              wanted[k].pointer, "%sregions, %s", prefix, wanted[k].name));
    return memory_plan_add(plan, MEMORY_PINNED, ELEMENT_F64, 1, 1, (void **)&r->pairs,
                           "%sregions, number of pairs on the host", prefix);
}

static void take_rule(struct gas_device_regions *r)
{
    const struct gas_physics *physics = r->setup.physics;
    const struct gas_regions *rule = &physics->regions;
    struct region_arrays *a = &r->arrays;
    a->count = (unsigned)r->setup.count;
    a->columns = r->grid.columns = rule->columns;
    a->rows = r->grid.rows = rule->rows;
    a->cells = rule->columns * rule->rows;
    a->near = rule->near;
    a->far = rule->far;
    a->order = rule->order;
    for (int axis = 0; axis < GAS_AXES; axis++)
        a->box[axis] = r->grid.box[axis] = physics->box[axis];
    device_regions_measure(a);
}

enum status gas_device_regions_plan(const struct gas_setup *setup, struct memory_plan *plan,
                                    const char *prefix, struct gas_device_regions **regions)
{
    struct gas_device_regions *r = calloc(1, sizeof *r);
    *regions = r;
    if (!r)
        return FAIL(STATUS_SYSTEM, "no memory for the regions on the GPU");
    r->setup = *setup;
    r->law = gas_law_of(setup->physics);
    take_rule(r);
    CUDA_CHECK(device_regions_share_far(&r->arrays, setup->precision, setup->device), "to load its kernels");
    CUDA_CHECK(gas_device_grid_choose(&r->grid, setup->count, setup->has_masses,
                                      setup->physics->limiters.jump > 0, setup->device),
               "to load its kernels");
    return plan_arrays(r, plan, prefix);
}

void gas_device_regions_destroy(struct gas_device_regions *regions)
{
    free(regions);
}

// Cells do not move: their lists are made once, as soon as there is memory.
static enum status make_lists(struct gas_device_regions *r, cudaStream_t stream)
{
    r->arrays.starts = r->grid.starts;
    if (!r->has_lists)
        CUDA_CHECK(device_regions_list(&r->arrays, stream), "to list cells");
    r->has_lists = true;
    return STATUS_OK;
}

enum status gas_device_regions_sort(struct gas_device_regions *regions,
                                    const struct gas_device_particles *particles, cudaEvent_t *sorted,
                                    cudaStream_t stream)
{
    CHECK(make_lists(regions, stream));
    CUDA_CHECK(gas_device_sort(&regions->grid, particles, NULL, 0, stream), "to sort");
    if (sorted)
        CUDA_CHECK(cudaEventRecord(*sorted, stream), "to mark a time");
    CUDA_CHECK(device_regions_sum_cells(&regions->arrays, particles->position, stream), "to sum up cells");
    return STATUS_OK;
}

static enum status begin_forces(struct gas_device_regions *r, const double *position, double *force,
                                cudaEvent_t *far_begins, cudaStream_t stream)
{
    const enum element precision = r->setup.precision;
    CUDA_CHECK(device_regions_near_forces(&r->arrays, &r->law, precision, position, force, stream),
               "the forces of near pairs");
    if (far_begins)
        CUDA_CHECK(cudaEventRecord(*far_begins, stream), "to mark a time");
    CUDA_CHECK(device_regions_far(&r->arrays, r->law.softening_square, precision, 0, stream),
               "the field of far cells");
    CUDA_CHECK(device_regions_cells_forces(&r->arrays, &r->law, precision, position, force, stream),
               "the forces of cells");
    return STATUS_OK;
}

static enum status begin_energies(struct gas_device_regions *r, const double *position,
                                  gas_device_energy energy, cudaStream_t stream)
{
    CUDA_CHECK(device_regions_near_energies(&r->arrays, &r->law, position, energy, stream),
               "the energies of near pairs");
    CUDA_CHECK(device_regions_far(&r->arrays, r->law.softening_square, ELEMENT_F64, 1, stream),
               "the potential of far cells");
    CUDA_CHECK(device_regions_cells_energies(&r->arrays, &r->law, position, energy, stream),
               "the energies of cells");
    return STATUS_OK;
}

enum status gas_device_regions_sums(struct gas_device_regions *regions,
                                    const struct gas_device_particles *particles, double *force,
                                    gas_device_energy energy, cudaEvent_t *far_begins, cudaStream_t stream)
{
    if (force)
        CHECK(begin_forces(regions, particles->position, force, far_begins, stream));
    return energy ? begin_energies(regions, particles->position, energy, stream) : STATUS_OK;
}

// Only loads: before a start all particles are at one point, in one cell, and their pairs are the square of
// their number.
enum status gas_device_regions_warm_up(struct gas_device_regions *regions,
                                       const struct gas_device_particles *particles, cudaStream_t stream)
{
    (void)particles;
    CUDA_CHECK(device_regions_load_cells(), "to load its kernels");
    CUDA_CHECK(device_regions_load_near(&regions->arrays, &regions->law, regions->setup.precision),
               "to load its kernels");
    CUDA_CHECK(device_regions_load_far(), "to load its kernels");
    CUDA_CHECK(device_regions_load_middle(), "to load its kernels");
    CHECK(make_lists(regions, stream));
    return STATUS_OK;
}

double gas_device_regions_pairs(const struct gas_device_regions *regions)
{
    if (device_regions_count_pairs(&regions->arrays, NULL) != cudaSuccess ||
        cudaMemcpy(regions->pairs, regions->arrays.pairs, sizeof *regions->pairs, cudaMemcpyDeviceToHost) !=
            cudaSuccess)
        return 0;
    return *regions->pairs;
}
