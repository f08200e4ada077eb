// Accelerations of sampled bodies by direct summation (force_error.h), from state.h's formula, independent of
// point.inc and of the solvers.
#include "models/nbody/force_error.h"

#include <math.h>
#include <omp.h>

// Number of sources of a partial sum. Partial sums are added to the total, so that rounding errors do not
// grow with the number of bodies.
enum { BLOCK = 1024 };

struct block {
    double position[NBODY_AXES][BLOCK], mass[BLOCK];
};

static double rounded(double x, enum element precision)
{
    return precision == ELEMENT_F32 ? element_rounded_to_single(x) : x;
}

static void fill_block(struct block *block, const struct nbody_body *bodies, size_t count,
                       enum element precision)
{
    for (size_t j = 0; j < count; j++) {
        for (int axis = 0; axis < NBODY_AXES; axis++)
            block->position[axis][j] = rounded(bodies[j].position[axis], precision);
        block->mass[j] = rounded(bodies[j].mass, precision);
    }
}

static void add_block(const struct block *block, size_t count, const double at[NBODY_AXES],
                      double softening_square, double sum[NBODY_AXES])
{
    const double *x = block->position[NBODY_X], *y = block->position[NBODY_Y], *z = block->position[NBODY_Z];
    double ax = 0, ay = 0, az = 0;
#pragma omp simd reduction(+ : ax, ay, az)
    for (size_t j = 0; j < count; j++) {
        const double rx = x[j] - at[NBODY_X], ry = y[j] - at[NBODY_Y], rz = z[j] - at[NBODY_Z];
        const double square = rx * rx + ry * ry + rz * rz + softening_square;
        const double weight = square > 0 ? block->mass[j] / (square * sqrt(square)) : 0;
        ax += weight * rx;
        ay += weight * ry;
        az += weight * rz;
    }
    sum[NBODY_X] += ax;
    sum[NBODY_Y] += ay;
    sum[NBODY_Z] += az;
}

void nbody_exact_accelerations(size_t count, const struct nbody_body *bodies, enum element precision,
                               double softening, size_t samples, double (*acceleration)[NBODY_AXES])
{
    const size_t threads = (size_t)omp_get_max_threads(), share = (samples + threads - 1) / threads;
#pragma omp parallel for schedule(static, 1)
    for (size_t first = 0; first < samples; first += share) {
        const size_t end = first + share < samples ? first + share : samples;
        struct block block;
        for (size_t k = first; k < end; k++)
            for (int axis = 0; axis < NBODY_AXES; axis++)
                acceleration[k][axis] = 0;
        for (size_t from = 0; from < count; from += BLOCK) {
            const size_t part = count - from < BLOCK ? count - from : BLOCK;
            fill_block(&block, bodies + from, part, precision);
            for (size_t k = first; k < end; k++) {
                const struct nbody_body *body = &bodies[nbody_sample_id(k, samples, count)];
                double at[NBODY_AXES];
                for (int axis = 0; axis < NBODY_AXES; axis++)
                    at[axis] = rounded(body->position[axis], precision);
                add_block(&block, part, at, softening * softening, acceleration[k]);
            }
        }
    }
}

void nbody_relative_errors(const struct nbody_backend *backend, const struct solver *solver, size_t count,
                           size_t samples, double (*exact)[NBODY_AXES], double *error)
{
    for (size_t k = 0; k < samples; k++) {
        struct nbody_field field;
        double off = 0, size = 0;
        backend->get_field(solver, nbody_sample_id(k, samples, count), 1, &field);
        for (int axis = 0; axis < NBODY_AXES; axis++) {
            const double difference = field.acceleration[axis] - exact[k][axis];
            off += difference * difference;
            size += exact[k][axis] * exact[k][axis];
        }
        error[k] = off == 0 ? 0 : sqrt(off / size);
    }
}
