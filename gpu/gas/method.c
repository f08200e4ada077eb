// Lists and regions of a CUDA gas solver (see the header).
#include "gpu/gas/method.h"

#include "gpu/memory.h"
#include "models/gas/method.h"

// ---- lists

static enum status plan_list_arrays(struct gas_device_lists *l, struct memory_plan *plan, const char *prefix)
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
        {&l->grid.at_sort, MEMORY_DEVICE, ELEMENT_F64, a->count, GAS_AXES, "device positions at the sort"},
        {&l->grid.scratch, MEMORY_DEVICE, ELEMENT_U8, 1, l->grid.scratch_bytes, "device sort"},
    };
    return GPU_PLAN_ARRAYS(plan, prefix, arrays);
}

static enum status choose_grid(struct gas_device_lists *l, const struct gas_setup *setup)
{
    const struct gas_physics *physics = setup->physics;
    l->grid.columns = gas_lists_cells(physics, setup->count, GAS_X);
    l->grid.rows = gas_lists_cells(physics, setup->count, GAS_Y);
    l->grid.is_periodic_y = gas_is_periodic(physics, GAS_Y);
    l->grid.has_at_sort = 1;
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
                                  struct gas_device_lists *l)
{
    const struct particles_range own = particles_own(setup->shares, setup->ranks, setup->count);
    l->arrays = (struct lists_arrays){.physics = setup->physics,
                                      .precision = setup->precision,
                                      .count = setup->count,
                                      .first = own.first,
                                      .end = own.end,
                                      .pitch = memory_pitch(setup->count, ELEMENT_I32),
                                      .most = (unsigned)setup->physics->lists.neighbours};
    CHECK(choose_grid(l, setup));
    CUDA_CHECK(lists_choose(&l->arrays, setup->device), "to load its kernels");
    return plan_list_arrays(l, plan, prefix);
}

enum status gas_device_lists_renew(struct gas_device_lists *l, struct gas_device_particles *particles,
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

// ---- regions

static enum status plan_region_arrays(struct gas_device_regions *r, struct memory_plan *plan,
                                      const char *prefix)
{
    const enum memory_kind device = MEMORY_DEVICE;
    const enum element byte = ELEMENT_U8;
    struct region_arrays *a = &r->arrays;
    const size_t cells = (size_t)a->cells, splits = (size_t)a->far_splits;
    const struct gpu_array arrays[] = {
        {&r->grid.starts, device, byte, cells + 1, sizeof *r->grid.starts, "regions, first particles"},
        {&r->grid.scratch, device, byte, r->grid.scratch_bytes, 1, "regions, scratch of the sort"},
        {&a->near_of, device, byte, cells, ((size_t)a->spans_most + 1) * sizeof *a->near_of,
         "regions, near cells"},
        {&a->middle_of, device, byte, cells, ((size_t)a->middle_most + 1) * sizeof *a->middle_of,
         "regions, middle cells"},
        {&a->blocks, device, byte, region_blocks(a), sizeof *a->blocks, "regions, blocks of particles"},
        {&a->centre, device, byte, cells, GAS_AXES * sizeof *a->centre, "regions, centres of mass"},
        {&a->square, device, byte, cells, GAS_AXES * sizeof *a->square, "regions, second moments"},
        {&a->far_field, device, byte, splits * cells, REGION_FAR_TERMS * sizeof *a->far_field,
         "regions, far fields"},
        {&a->pairs, device, byte, 1, sizeof *a->pairs, "regions, number of pairs"},
        {&r->pairs, MEMORY_PINNED, byte, 1, sizeof *r->pairs, "regions, number of pairs on the host"},
    };
    return GPU_PLAN_ARRAYS(plan, prefix, arrays);
}

static void take_rule(struct gas_device_regions *r)
{
    const struct gas_physics *physics = r->setup.physics;
    const struct gas_regions *rule = &physics->regions;
    struct region_arrays *a = &r->arrays;
    const struct particles_range own = particles_own(r->setup.shares, r->setup.ranks, r->setup.count);
    a->count = (unsigned)r->setup.count;
    a->first = (unsigned)own.first;
    a->end = (unsigned)own.end;
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
                                    const char *prefix, struct gas_device_regions *r)
{
    r->setup = *setup;
    r->law = gas_law_of(setup->physics);
    take_rule(r);
    CUDA_CHECK(device_regions_share_far(&r->arrays, setup->precision, setup->device), "to load its kernels");
    CUDA_CHECK(gas_device_grid_choose(&r->grid, setup->count, setup->has_masses,
                                      setup->physics->limiters.jump > 0, setup->device),
               "to load its kernels");
    return plan_region_arrays(r, plan, prefix);
}

// Cells do not move: their lists are built once, after the reserve.
static enum status list_cells(struct gas_device_regions *r, cudaStream_t stream)
{
    r->arrays.starts = r->grid.starts;
    if (!r->has_lists)
        CUDA_CHECK(device_regions_list(&r->arrays, stream), "to list cells");
    r->has_lists = true;
    return STATUS_OK;
}

enum status gas_device_regions_sort(struct gas_device_regions *regions,
                                    struct gas_device_particles *particles, cudaEvent_t *sorted,
                                    cudaStream_t stream)
{
    CHECK(list_cells(regions, stream));
    CUDA_CHECK(gas_device_sort(&regions->grid, particles, NULL, 0, stream), "to sort");
    if (sorted)
        CUDA_CHECK(cudaEventRecord(*sorted, stream), "to mark a time");
    CUDA_CHECK(device_regions_sum_cells(&regions->arrays, particles->position, stream), "to sum up cells");
    return STATUS_OK;
}

// A part of the far cells' targets seldom fills the device's last blocks; near pairs do.
enum status gas_device_regions_near(struct gas_device_regions *r,
                                    const struct gas_device_particles *particles, double *force,
                                    cudaEvent_t *far_begins, cudaStream_t stream)
{
    const enum element precision = r->setup.precision;
    const bool is_beside = r->exchange && !far_begins;
    cudaStream_t far = stream;
    if (is_beside)
        CHECK(gpu_exchange_fork(r->exchange, stream, &far));
    if (!far_begins)
        CUDA_CHECK(device_regions_far(&r->arrays, r->law.softening_square, precision, 0, far),
                   "the field of far cells");
    CUDA_CHECK(device_regions_near_forces(&r->arrays, &r->law, precision, particles->position, force, stream),
               "the forces of near pairs");
    if (is_beside)
        CHECK(gpu_exchange_join(r->exchange, stream));
    if (!far_begins)
        return STATUS_OK;
    CUDA_CHECK(cudaEventRecord(*far_begins, stream), "to mark a time");
    CUDA_CHECK(device_regions_far(&r->arrays, r->law.softening_square, precision, 0, stream),
               "the field of far cells");
    return STATUS_OK;
}

enum status gas_device_regions_cells(struct gas_device_regions *r,
                                     const struct gas_device_particles *particles, double *force,
                                     cudaStream_t stream)
{
    CUDA_CHECK(device_regions_cells_forces(&r->arrays, &r->law, r->setup.precision, particles->position,
                                           force, stream),
               "the forces of cells");
    return STATUS_OK;
}

enum status gas_device_regions_energies(struct gas_device_regions *r,
                                        const struct gas_device_particles *particles,
                                        gas_device_energy energy, cudaStream_t stream)
{
    const double *position = particles->position;
    CUDA_CHECK(device_regions_near_energies(&r->arrays, &r->law, position, energy, stream),
               "the energies of near pairs");
    CUDA_CHECK(device_regions_far(&r->arrays, r->law.softening_square, ELEMENT_F64, 1, stream),
               "the potential of far cells");
    CUDA_CHECK(device_regions_cells_energies(&r->arrays, &r->law, position, energy, stream),
               "the energies of cells");
    return STATUS_OK;
}

// Only loads: before the start all particles are at one point, in one cell, and their pairs are the square of
// their number.
enum status gas_device_regions_warm_up(struct gas_device_regions *regions, cudaStream_t stream)
{
    CUDA_CHECK(device_regions_load_cells(), "to load its kernels");
    CUDA_CHECK(device_regions_load_near(&regions->arrays, &regions->law, regions->setup.precision),
               "to load its kernels");
    CUDA_CHECK(device_regions_load_far(), "to load its kernels");
    CUDA_CHECK(device_regions_load_middle(), "to load its kernels");
    CHECK(list_cells(regions, stream));
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
