// See heat.h.
#include "bench/ladder/bioheat/heat.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

enum { OPERATIONS = 25, BYTES = 12 };

size_t heat_ladder_points(const struct ladder_case *wanted)
{
    return (size_t)wanted->size[0] * (size_t)wanted->size[1] * (size_t)wanted->size[2];
}

enum status heat_ladder_check(const struct ladder_case *wanted)
{
    double points = 1;
    for (int axis = 0; axis < LADDER_AXES; axis++) {
        if (wanted->size[axis] < 2 * HEAT_RIM + 1)
            return FAIL(STATUS_SYSTEM, "a rung needs 5 points along each axis, not %lld", wanted->size[axis]);
        points *= (double)wanted->size[axis];
    }
    return points <= INT_MAX ? STATUS_OK
                             : FAIL(STATUS_SYSTEM, "a rung has at most %d points, not %.4g", INT_MAX, points);
}

// Two tissues in shells, with the diffusivities of brain and of skull as they are to each other: the larger
// one at 0.8 of the stable step, Δt D/h² = 1/8.
static float coefficient_of(double radius)
{
    return (float)((radius > 0.7 && radius < 0.85 ? 0.1 : 0.095) / 12);
}

static void fill_row(const struct ladder_case *wanted, long long z, long long y, float *temperature,
                     float *coefficient)
{
    const double v = 2 * (double)y / (double)(wanted->size[1] - 1) - 1,
                 w = 2 * (double)z / (double)(wanted->size[0] - 1) - 1;
    for (long long x = 0; x < wanted->size[2]; x++) {
        const double u = 2 * (double)x / (double)(wanted->size[2] - 1) - 1;
        temperature[x] = (float)(42 + 5 * sin(0.05 * (double)x + 0.07 * (double)y) * cos(0.06 * (double)z));
        coefficient[x] = coefficient_of(sqrt(u * u + v * v + w * w));
    }
}

enum status heat_ladder_make_start(const struct ladder_case *wanted, float **temperature, float **coefficient)
{
    const long long *n = wanted->size;
    const size_t bytes = heat_ladder_points(wanted) * sizeof(float);
    *temperature = malloc(bytes);
    *coefficient = malloc(bytes);
    if (!*temperature || !*coefficient) {
        free(*temperature);
        free(*coefficient);
        *temperature = *coefficient = NULL;
        return FAIL(STATUS_SYSTEM, "no memory for %zu bytes of a rung's points", 2 * bytes);
    }
#pragma omp parallel for collapse(2)
    for (long long z = 0; z < n[0]; z++)
        for (long long y = 0; y < n[1]; y++) {
            const size_t row = (size_t)(z * n[1] + y) * (size_t)n[2];
            fill_row(wanted, z, y, *temperature + row, *coefficient + row);
        }
    return STATUS_OK;
}

void heat_ladder_count(const struct ladder_case *wanted, struct ladder_counts *counts)
{
    counts->work = 1;
    for (int axis = 0; axis < LADDER_AXES; axis++)
        counts->work *= (double)(wanted->size[axis] - 2 * HEAT_RIM);
    counts->operations = OPERATIONS * counts->work;
    counts->bytes = BYTES * counts->work;
}
