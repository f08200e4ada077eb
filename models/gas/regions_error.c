// See regions_error.h.
#include "models/gas/regions_error.h"

#include "models/gas/reference.h"
#include "models/team.h"

#include <math.h>
#include <omp.h>

struct sample {
    struct gas_particle particle;
    int cell[GAS_AXES];
    size_t id;
    double force[GAS_AXES]; // the solver's
    struct gas_field exact; // of near cells, gravity and soft walls
    double far[GAS_AXES];   // the exact one of all else
};

struct comparison {
    const struct gas_backend *backend;
    const struct solver *solver;
    const struct gas_setup *setup;
    struct gas_particle *scratch;
    size_t block;
    int count;
    struct sample samples[GAS_ERROR_SAMPLES];
};

static void find_cell(const struct gas_physics *physics, const double *position, int *cell)
{
    const int cells[GAS_AXES] = {physics->regions.columns, physics->regions.rows};
    for (int axis = 0; axis < GAS_AXES; axis++) {
        const double at = position[axis] / physics->box[axis] * cells[axis];
        cell[axis] = at < 0 ? 0 : at < cells[axis] ? (int)at : cells[axis] - 1;
    }
}

static void begin_sample(const struct comparison *c, int k, struct sample *sample)
{
    const struct gas_physics *physics = c->setup->physics;
    struct gas_field field;
    *sample = (struct sample){.id = (size_t)k * c->setup->count / (size_t)c->count};
    c->backend->get(c->solver, sample->id, 1, &sample->particle);
    c->backend->get_field(c->solver, sample->id, 1, &field);
    find_cell(physics, sample->particle.position, sample->cell);
    for (int axis = 0; axis < GAS_AXES; axis++) {
        sample->force[axis] = field.force[axis];
        sample->exact.force[axis] = sample->particle.mass * physics->gravity[axis];
    }
    reference_add_soft_walls(physics, sample->particle.position, &sample->exact);
}

// What particle `other` gives the sample. Near and far forces are added up apart.
static void add(const struct gas_physics *physics, struct sample *sample, const struct gas_particle *other,
                const int *cell)
{
    const double columns = sample->cell[GAS_X] - cell[GAS_X], rows = sample->cell[GAS_Y] - cell[GAS_Y];
    const double near = physics->regions.near;
    double *sum = columns * columns + rows * rows < near * near ? sample->exact.force : sample->far;
    double r[GAS_AXES];
    reference_separation(physics, sample->particle.position, other->position, r);
    const struct reference_pair pair = reference_pair_at(physics, r);
    for (int axis = 0; axis < GAS_AXES; axis++)
        sum[axis] += pair.f * r[axis];
}

static void sum_samples(void *context, size_t item)
{
    struct comparison *c = context;
    const struct gas_physics *physics = c->setup->physics;
    struct gas_particle *particles = c->scratch + (size_t)omp_get_thread_num() * c->block;
    const int begin = (int)item * GAS_ERROR_SAMPLES_AT_A_TIME;
    const int end =
        begin + GAS_ERROR_SAMPLES_AT_A_TIME < c->count ? begin + GAS_ERROR_SAMPLES_AT_A_TIME : c->count;
    for (int k = begin; k < end; k++)
        begin_sample(c, k, &c->samples[k]);
    for (size_t first = 0; first < c->setup->count; first += c->block) {
        const size_t left = c->setup->count - first, length = left < c->block ? left : c->block;
        c->backend->get(c->solver, first, length, particles);
        for (size_t j = 0; j < length; j++) {
            int cell[GAS_AXES];
            find_cell(physics, particles[j].position, cell);
            for (int k = begin; k < end; k++)
                if (c->samples[k].id != first + j)
                    add(physics, &c->samples[k], &particles[j], cell);
        }
    }
}

struct gas_regions_error gas_find_regions_error(const struct gas_backend *backend,
                                                const struct solver *solver, const struct gas_setup *setup,
                                                int threads, struct gas_particle *scratch, size_t block)
{
    struct comparison c = {.backend = backend,
                           .solver = solver,
                           .setup = setup,
                           .scratch = scratch,
                           .block = block,
                           .count = setup->count < GAS_ERROR_SAMPLES ? (int)setup->count : GAS_ERROR_SAMPLES};
    double errors2 = 0, far2 = 0, largest2 = 0;
    team_for(threads, ((size_t)c.count + GAS_ERROR_SAMPLES_AT_A_TIME - 1) / GAS_ERROR_SAMPLES_AT_A_TIME,
             sum_samples, &c);
    for (int k = 0; k < c.count; k++) {
        const struct sample *sample = &c.samples[k];
        double error2 = 0;
        for (int axis = 0; axis < GAS_AXES; axis++) {
            const double error = sample->force[axis] - (sample->exact.force[axis] + sample->far[axis]);
            error2 += error * error;
            far2 += sample->far[axis] * sample->far[axis];
        }
        errors2 += error2;
        largest2 = isnan(error2) ? INFINITY : fmax(largest2, error2);
    }
    return (struct gas_regions_error){.samples = far2 > 0 ? c.count : 0,
                                      .rms = sqrt(errors2 / far2),
                                      .largest = sqrt(largest2 * c.count / far2)};
}
