// A CUDA gas solver's steps: their kernels in order, and the times of their stages. Before and after each
// step the forces are those of the present particles. The end of a step and the beginning of the next are one
// pass over the particles unless sums are needed in between.
#include "gpu/gas/solver.h"
#include "gpu/memory.h"

// ---- order and forces

enum status gas_begin_order(struct solver *s, bool must, int64_t done, struct stage_sample *sample)
{
    cudaEvent_t *const sorted = sample ? &sample->events[GAS_STAGE_LISTS] : NULL;
    if (!s->has_lists && !s->has_regions)
        return STATUS_OK;
    if (must)
        CHECK(gas_device_bands_hold_all(s));
    CHECK(stage_sample_mark(sample, GAS_STAGE_SORT, s->timeline.compute));
    if (sample)
        sample->recorded |= 1u << GAS_STAGE_LISTS;
    if (s->has_regions)
        return gas_device_regions_sort(&s->regions, &s->particles, sorted, s->timeline.compute);
    const struct gas_renewal renewal = {.must = must,
                                        .token = s->token,
                                        .done = done,
                                        .error_flag = s->error_flag,
                                        .counts = s->counts,
                                        .sorted = sorted};
    return gas_device_lists_renew(&s->lists, &s->particles, &renewal, s->timeline.compute);
}

enum status gas_begin_forces(struct solver *s, struct stage_sample *sample)
{
    const cudaStream_t stream = s->timeline.compute;
    double *force = s->particles.force;
    s->has_field = false;
    CHECK(stage_sample_mark(sample, GAS_STAGE_FORCE, s->timeline.compute));
    if (s->has_regions) {
        if (sample)
            sample->recorded |= 1u << GAS_STAGE_REGIONS;
        CHECK(gas_device_regions_near(&s->regions, &s->particles, force,
                                      sample ? &sample->events[GAS_STAGE_REGIONS] : NULL, stream));
        CHECK(gas_device_ranks_begin_writes(s));
        CHECK(gas_device_regions_cells(&s->regions, &s->particles, force, stream));
    } else if (s->has_lists) {
        CHECK(gas_device_lists_sums(&s->lists, &s->particles, force, NULL, stream));
    } else if (gas_has_pairs(s)) {
        CUDA_CHECK(gas_device_direct_sums(&s->direct, &s->particles, force, NULL, stream),
                   "the forces of all pairs");
    }
    CHECK(gas_device_ranks_gather_forces(s));
    return stage_sample_mark(sample, GAS_STAGES, stream);
}

enum status gas_begin_energy(struct solver *s, bool is_by_pairs)
{
    const cudaStream_t stream = s->timeline.compute;
    if (s->has_lists)
        CHECK(gas_device_lists_sums(&s->lists, &s->particles, NULL, s->energy, stream));
    else if (s->has_regions && !is_by_pairs)
        CHECK(gas_device_regions_energies(&s->regions, &s->particles, s->energy, stream));
    else if (gas_has_pairs(s))
        CUDA_CHECK(gas_device_direct_sums(&s->direct, &s->particles, NULL, s->energy, stream),
                   "the energies of all pairs");
    else
        CUDA_CHECK(cudaMemsetAsync(s->energy, 0, GAS_AXES * s->setup.count * sizeof *s->energy, stream),
                   "to clear its memory");
    CHECK(gas_device_ranks_gather(s, s->energy));
    CUDA_CHECK(gas_device_add_outer(&s->move, &s->particles, NULL, s->energy, stream), "the outer forces");
    return STATUS_OK;
}

// By direct summation, which regions do not take in a step.
static enum status begin_direct_forces(struct solver *s)
{
    CUDA_CHECK(gas_device_direct_sums(&s->direct, &s->particles, s->other_force, NULL, s->timeline.compute),
               "the forces of all pairs");
    return gas_device_ranks_gather(s, s->other_force);
}

enum status gas_begin_other_forces(struct solver *s, bool is_by_pairs)
{
    const cudaStream_t stream = s->timeline.compute;
    if (s->has_regions && is_by_pairs)
        CHECK(begin_direct_forces(s));
    else
        CUDA_CHECK(cudaMemcpyAsync(s->other_force, s->particles.force,
                                   GAS_AXES * s->setup.count * sizeof *s->other_force,
                                   cudaMemcpyDeviceToDevice, stream),
                   "a copy within its memory");
    if (s->bands.is_open)
        CHECK(gas_device_ranks_gather(s, s->other_force));
    CUDA_CHECK(gas_device_add_outer(&s->move, &s->particles, s->other_force, NULL, stream),
               "the outer forces");
    return STATUS_OK;
}

// ---- steps

static enum status pass(struct solver *s, int parts, int64_t done)
{
    if (parts == 0)
        return STATUS_OK;
    if (parts & GAS_MOVE_BEGIN)
        s->token++;
    CUDA_CHECK(gas_device_move(&s->move, &s->particles, parts, done, s->token, s->timeline.compute),
               "to move the particles");
    return STATUS_OK;
}

// The end of the step after which `done` are done, and the beginning of the next where it `begins`.
static enum status end_step(struct solver *s, int64_t done, bool begins)
{
    const struct gas_physics *physics = s->setup.physics;
    const cudaStream_t stream = s->timeline.compute;
    int parts = physics->integrator == GAS_LEAPFROG ? GAS_MOVE_KICK : 0;
    if (physics->thermostat == GAS_BUSSI) {
        CHECK(pass(s, parts | GAS_MOVE_NOTE_KINETIC, done));
        CUDA_CHECK(gas_device_find_factor(&s->move, s->setup.count, done, stream), "the thermostat's factor");
        parts = GAS_MOVE_SCALE;
    }
    if (physics->limiters.jump > 0)
        parts |= GAS_MOVE_LIMIT_JUMPS;
    if (physics->limiters.energy > 0) {
        CHECK(pass(s, parts | GAS_MOVE_NOTE_KINETIC, done));
        CUDA_CHECK(gas_device_find_limit(&s->move, s->setup.count, stream), "the most energy of a particle");
        parts = GAS_MOVE_LIMIT_ENERGIES;
    }
    return pass(s, parts | (begins ? GAS_MOVE_BEGIN : 0), done);
}

enum status gas_begin_step(struct solver *s, int64_t step, bool begins, bool ends)
{
    struct stage_sample *sample;
    CHECK(stage_samples_choose(&s->samples, &sample));
    CHECK(stage_sample_mark(sample, GAS_STAGE_MOVE, s->timeline.compute));
    CHECK(begins ? pass(s, GAS_MOVE_BEGIN, step) : end_step(s, step, true));
    CHECK(gas_device_bands_meet(s));
    CHECK(gas_begin_order(s, false, step + 1, sample));
    CHECK(gas_begin_forces(s, sample));
    return ends ? end_step(s, step + 1, false) : STATUS_OK;
}
