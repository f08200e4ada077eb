// See gas_common.h.
#include "bench/ladder/gas/gas_common.h"

#include "core/philox.h"

#include <stdlib.h>
#include <string.h>

enum { SEED = 1, ALIGNMENT = 64 };

static const double speed = 4e-3; // largest component of a velocity

static float *allocate(size_t count)
{
    const size_t bytes = count * sizeof(float);
    float *array = aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    if (array)
        memset(array, 0, bytes);
    return array;
}

// Of one axis: position from two words, velocity from the others.
static void place(size_t count, int axis, float *at, float *velocity)
{
    const struct philox_key key = philox_key_from_seed(SEED);
    for (size_t id = 0; id < count; id++) {
        const struct philox_counter random = philox4x32(philox_counter_from((uint64_t)axis, id), key);
        at[id] = (float)(philox_double(random.v[0], random.v[1]) * GAS_LADDER_BOX);
        velocity[id] = (float)((2 * philox_double(random.v[2], random.v[3]) - 1) * speed);
    }
}

enum status gas_ladder_place(const struct ladder_case *wanted, int axes,
                             struct gas_ladder_particles *particles)
{
    *particles = (struct gas_ladder_particles){.count = (size_t)wanted->size[0], .axes = axes};
    for (int axis = 0; axis < axes; axis++) {
        particles->at[axis] = allocate(particles->count);
        particles->velocity[axis] = allocate(particles->count);
        if (!particles->at[axis] || !particles->velocity[axis])
            return FAIL(STATUS_SYSTEM, "no memory for %zu particles", particles->count);
        place(particles->count, axis, particles->at[axis], particles->velocity[axis]);
    }
    return STATUS_OK;
}

void gas_ladder_free(struct gas_ladder_particles *particles)
{
    for (int axis = 0; axis < LADDER_AXES; axis++) {
        free(particles->at[axis]);
        free(particles->velocity[axis]);
    }
    *particles = (struct gas_ladder_particles){0};
}

void gas_ladder_read(const struct gas_ladder_particles *particles, double *values)
{
    const size_t count = particles->count;
    for (int axis = 0; axis < LADDER_AXES; axis++)
        for (size_t id = 0; id < count; id++) {
            const bool is_there = axis < particles->axes;
            values[(size_t)axis * count + id] = is_there ? particles->at[axis][id] : 0;
            values[(size_t)(LADDER_AXES + axis) * count + id] = is_there ? particles->velocity[axis][id] : 0;
        }
}

void gas_ladder_count(const struct ladder_case *wanted, double operations, double share,
                      struct ladder_counts *counts)
{
    const double pairs = (double)wanted->size[0] * (double)wanted->size[0];
    counts->work = pairs;
    counts->operations = operations * share * pairs;
}
