// THE LISTS of a CUDA gas solver: what they ask of the memory plan, and when they are made. Knows no step.
#include "gpu/gas/lists.h"
#include "gpu/gas/method.h"
#include "gpu/memory.h"
#include "models/gas/method.h"

#include <stdlib.h>

struct gas_device_lists {
    struct lists_arrays arrays;
    struct gas_device_grid grid;
    unsigned *host_summary; // pinned
};

static enum status plan_arrays(struct gas_device_lists *l, struct memory_plan *plan, const char *prefix)
{
    struct lists_arrays *a = &l->arrays;
    const size_t cells = (size_t)l->grid.columns * (size_t)l->grid.rows;
    const struct gpu_array arrays[] = {
        {&a->neighbours, MEMORY_DEVICE, ELEMENT_I32, a->most, a->pitch, "device lists"},
        {&a->lengths, MEMORY_DEVICE, ELEMENT_I32, 1, a->count, "device lists, lengths"},
        {&a->stale, MEMORY_DEVICE, ELEMENT_I32, 1, 1, "device lists, stale"},
        {&a->summary, MEMORY_DEVICE, ELEMENT_I32, 1, LISTS_SUMMARY, "device lists, summary"},
        {&l->host_summary, MEMORY_PINNED, ELEMENT_I32, 1, LISTS_SUMMARY, "lists, summary"},
        {&l->grid.starts, MEMORY_DEVICE, ELEMENT_I32, 1, cells + 1, "device cells, starts"},
        {&l->grid.places, MEMORY_DEVICE, ELEMENT_F64, a->count, GAS_AXES, "device places at the sort"},
        {&l->grid.scratch, MEMORY_DEVICE, ELEMENT_U8, 1, l->grid.scratch_bytes, "device sort"},
    };
    return GPU_PLAN_ARRAYS(plan, prefix, arrays);
}

static enum status choose_grid(struct gas_device_lists *l, const struct gas_setup *setup)
{
    const struct gas_physics *physics = setup->physics;
    l->grid.columns = gas_lists_cells(physics, setup->count, GAS_X);
    l->grid.rows = gas_lists_cells(physics, setup->count, GAS_Y);
    l->grid.has_places = 1;
    for (int axis = 0; axis < GAS_AXES; axis++) {
        l->grid.box[axis] = physics->box[axis];
        if (gas_is_periodic(physics, axis) && gas_lists_cells(physics, setup->count, axis) < 3)
            return FAIL(STATUS_CONFIGURATION,
                        "a periodic box of %g on axis %d has no three cells of the cut-off and the skin, %g",
                        physics->box[axis], axis, gas_lists_reach(physics));
    }
    CUDA_CHECK(gas_device_grid_choose(&l->grid, setup->count, setup->has_masses, physics->limiters.jump > 0,
                                      setup->device),
               "to load its kernels");
    return STATUS_OK;
}

enum status gas_device_lists_plan(const struct gas_setup *setup, struct memory_plan *plan, const char *prefix,
                                  struct gas_device_lists **lists)
{
    struct gas_device_lists *l = calloc(1, sizeof *l);
    *lists = l;
    if (!l)
        return FAIL(STATUS_SYSTEM, "no memory for the lists of neighbours");
    l->arrays = (struct lists_arrays){.physics = setup->physics,
                                      .precision = setup->precision,
                                      .count = setup->count,
                                      .pitch = memory_pitch(setup->count, ELEMENT_I32),
                                      .most = (unsigned)setup->physics->lists.neighbours};
    CHECK(choose_grid(l, setup));
    CUDA_CHECK(lists_choose(&l->arrays, setup->device), "to load its kernels");
    return plan_arrays(l, plan, prefix);
}

void gas_device_lists_destroy(struct gas_device_lists *lists)
{
    free(lists);
}

struct gas_device_staleness gas_device_lists_staleness(const struct gas_device_lists *lists)
{
    return (struct gas_device_staleness){lists->grid.places, lists->arrays.stale};
}

enum status gas_device_lists_renew(struct gas_device_lists *l, const struct gas_device_particles *particles,
                                   const struct gas_renewal *renewal, cudaStream_t stream)
{
    const unsigned *wanted = renewal->must ? NULL : l->arrays.stale;
    CUDA_CHECK(gas_device_sort(&l->grid, particles, wanted, renewal->token, stream), "to sort the particles");
    if (renewal->sorted)
        CUDA_CHECK(cudaEventRecord(*renewal->sorted, stream), "to mark a time");
    CUDA_CHECK(lists_build(&l->arrays, &l->grid, particles, renewal->must, renewal->token, renewal->done,
                           renewal->error_flag, renewal->counts, stream),
               "to find the neighbours");
    return STATUS_OK;
}

enum status gas_device_lists_sums(struct gas_device_lists *l, const struct gas_device_particles *particles,
                                  double *force, gas_device_energy energy, cudaStream_t stream)
{
    CUDA_CHECK(lists_sum(&l->arrays, particles, force, energy, stream), "the forces of neighbours");
    return STATUS_OK;
}

enum status gas_device_lists_count(struct gas_device_lists *l, struct gas_counts *counts, cudaStream_t stream)
{
    const unsigned *summary = l->host_summary;
    CUDA_CHECK(lists_summarize(&l->arrays, stream), "to count the neighbours");
    CUDA_CHECK(cudaMemcpyAsync(l->host_summary, l->arrays.summary, LISTS_SUMMARY * sizeof *summary,
                               cudaMemcpyDeviceToHost, stream),
               "a copy from the device");
    CUDA_CHECK(cudaStreamSynchronize(stream), "to wait for it");
    counts->pairs = (double)summary[LISTS_TOTAL_LOW] + 0x1p32 * (double)summary[LISTS_TOTAL_HIGH];
    counts->neighbours = counts->pairs / (double)l->arrays.count;
    counts->largest_list = summary[LISTS_LONGEST];
    return STATUS_OK;
}
