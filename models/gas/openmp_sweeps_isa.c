// Loops over particles for ONE instruction set (models/isa.h), in plain C that the compiler vectorises. No
// fused multiply-add is used, so all sets give the same bits. Flags are int64_t, as wide as double, so that
// the loops vectorise.
#include "models/gas/openmp_sweeps_isa.h"

#include "models/gas/normals.h"
#include "models/wide.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Whether no particle meets a wall of A_PRIORI before the step; true without such walls.
static bool is_free_a_priori(const struct sweep_step *step, size_t count, const double *restrict position,
                             const double *restrict velocity, const double *restrict acceleration)
{
    const double time = step->time, length = step->length;
    int64_t is_out = 0;
    for (size_t k = 0; k < count && step->is_a_priori; k++) {
        const double next = position[k] + velocity[k] * time + acceleration[k] * time * time;
        is_out |= (next >= 0 ? 0 : 1) | (next <= length ? 0 : 1);
    }
    return is_out == 0;
}

static bool step_on_axis(const struct sweep_step *step, size_t count, const double *restrict position,
                         const double *restrict velocity, const double *restrict acceleration,
                         double *restrict new_position, double *restrict new_velocity)
{
    const double time = step->time, kick_time = step->kick_time, length = step->length;
    int64_t is_out = 0;
    for (size_t k = 0; k < count; k++) {
        new_velocity[k] = velocity[k] + acceleration[k] * kick_time;
        new_position[k] = position[k] + new_velocity[k] * time;
        is_out |= (new_position[k] >= 0 ? 0 : 1) | (new_position[k] <= length ? 0 : 1);
    }
    return is_out == 0 && is_free_a_priori(step, count, position, velocity, acceleration);
}

static bool noisy_step_on_axis(const struct sweep_step *step, size_t count, const double *restrict position,
                               const double *restrict velocity, const double *restrict acceleration,
                               const double *restrict noise, double *restrict new_position,
                               double *restrict new_velocity)
{
    const double half = step->time / 2, kick_time = step->kick_time, length = step->length;
    const double decay = step->decay;
    int64_t is_out = 0;
    for (size_t k = 0; k < count; k++) {
        const double v = velocity[k] + acceleration[k] * kick_time, x = position[k] + v * half;
        is_out |= (x >= 0 ? 0 : 1) | (x <= length ? 0 : 1);
        new_velocity[k] = decay * v + noise[k];
        new_position[k] = x + new_velocity[k] * half;
        is_out |= (new_position[k] >= 0 ? 0 : 1) | (new_position[k] <= length ? 0 : 1);
    }
    return is_out == 0 && is_free_a_priori(step, count, position, velocity, acceleration);
}

// ---- noise

// Philox4x32-10 of core/philox.h, a counter a lane: the bits of its two uniform numbers. A word is the lower
// half of its lane; what is above it has no meaning.
static void draw_words(const struct sweep_noise *noise, const uint32_t *id, uint64_t *first, uint64_t *second)
{
    const wide zero = {0};
    wide v0 = zero + (uint32_t)noise->step, v1 = zero + (noise->step >> 32), v2, v3 = zero;
    struct philox_key key = philox_key_from_seed(noise->seed);
    for (int lane = 0; lane < WIDE_LANES; lane++)
        v2[lane] = id[lane];
    for (int round = 0; round < 10; round++) {
        const wide product0 = wide_multiply(v0, 0xD2511F53u), product1 = wide_multiply(v2, 0xCD9E8D57u);
        v0 = (product1 >> 32) ^ v1 ^ key.v[0];
        v1 = product1;
        v2 = (product0 >> 32) ^ v3 ^ key.v[1];
        v3 = product0;
        key.v[0] += 0x9E3779B9u;
        key.v[1] += 0xBB67AE85u;
    }
    const wide low = zero + 0xffffffffu;
    const wide bits0 = (v0 & low) << 20 | (v1 & low) >> 12, bits1 = (v2 & low) << 20 | (v3 & low) >> 12;
    memcpy(first, &bits0, sizeof bits0);
    memcpy(second, &bits1, sizeof bits1);
}

static void draw_noise(const struct sweep_noise *noise, size_t count, const uint32_t *id, const double *mass,
                       double *restrict x, double *restrict y)
{
    uint64_t first[SWEEP_PARTICLES], second[SWEEP_PARTICLES];
    uint32_t ids[SWEEP_PARTICLES] = {0}; // lanes beyond the last particle draw, too
    const double width = sqrt(noise->spread / noise->mass);
    memcpy(ids, id, count * sizeof *ids);
    for (size_t k = 0; k < count; k += WIDE_LANES)
        draw_words(noise, ids + k, first + k, second + k);
    for (size_t k = 0; k < count; k++)
        gas_normals_of(first[k], second[k], &x[k], &y[k]);
    for (size_t k = 0; k < count; k++) {
        const double own = mass ? sqrt(noise->spread / mass[k]) : width;
        x[k] *= own;
        y[k] *= own;
    }
}

static void find_accelerations(size_t count, const double *restrict force, const double *restrict mass,
                               double inverse_mass, double *restrict to)
{
    if (mass)
        for (size_t k = 0; k < count; k++)
            to[k] = force[k] * (1 / mass[k]);
    else
        for (size_t k = 0; k < count; k++)
            to[k] = force[k] * inverse_mass;
}

static bool are_slow(size_t count, const double *vx, const double *vy, double most_square)
{
    int64_t is_fast = 0;
    for (size_t k = 0; k < count; k++)
        is_fast |= vx[k] * vx[k] + vy[k] * vy[k] <= most_square ? 0 : 1;
    return is_fast == 0;
}

static void kick(size_t count, const double *restrict force, const double *restrict mass, double inverse_mass,
                 double time, double *restrict velocity)
{
    if (mass)
        for (size_t k = 0; k < count; k++)
            velocity[k] += force[k] * (1 / mass[k]) * time;
    else
        for (size_t k = 0; k < count; k++)
            velocity[k] += force[k] * inverse_mass * time;
}

static bool are_finite(size_t count, const double *x, const double *y)
{
    int64_t is_bad = 0;
    for (size_t k = 0; k < count; k++)
        is_bad |= fabs(x[k] + y[k]) <= DBL_MAX ? 0 : 1;
    return is_bad == 0;
}

// x + 1.5 · 2⁵² − 1.5 · 2⁵² is x rounded to an integer.
static bool is_stale(const struct sweep_displacement *displacement, size_t first, size_t end)
{
    const double *const x = displacement->position[GAS_X], *const y = displacement->position[GAS_Y];
    const double *const old_x = displacement->at_sort[GAS_X], *const old_y = displacement->at_sort[GAS_Y];
    const double length_x = displacement->length[GAS_X], length_y = displacement->length[GAS_Y];
    const double inverse_x = length_x > 0 ? 1 / length_x : 0, inverse_y = length_y > 0 ? 1 / length_y : 0;
    const double shift = 0x1.8p52, most_square = displacement->most_square;
    int64_t is_far = 0;
    for (size_t i = first; i < end; i++) {
        double rx = x[i] - old_x[i], ry = y[i] - old_y[i];
        rx -= length_x * ((rx * inverse_x + shift) - shift);
        ry -= length_y * ((ry * inverse_y + shift) - shift);
        is_far |= rx * rx + ry * ry <= most_square ? 0 : 1;
    }
    return is_far != 0;
}

// x + 1.5 · 2⁵² has the integer, modulo 2³², in its low half.
static void to_fixed_point(size_t count, const double *restrict x, double scale, uint32_t *restrict to)
{
    for (size_t k = 0; k < count; k++) {
        const double shifted = x[k] * scale + 0x1.8p52;
        uint64_t bits;
        memcpy(&bits, &shifted, sizeof bits);
        to[2 * k] = (uint32_t)bits;
    }
}

// Adds the far field of `cell`: complex arithmetic, d = x + iy, Q the cell's second moment, E' the derivative
// of the field E. A cell that is not far counts as empty, at a distance of 1.
static void add_far_cell(const struct pair_multipole *cell, double column, double row, double far_square,
                         double softening_square, struct sweep_far *far)
{
    for (int k = 0; k < FAR_TARGETS; k++) {
        const double dx = column - far->column[k], dy = row - far->row[k];
        const double is_far = dx * dx + dy * dy >= far_square ? 1 : 0, not_there = 1 - is_far;
        const double x = is_far * (far->x[k] - cell->x) + not_there, y = is_far * (far->y[k] - cell->y);
        const double count = is_far * cell->count, square = x * x + y * y;
        const double inverse = count / (square + softening_square), bare = 1 / square;
        const double ux = x * bare, uy = -y * bare; // 1/d
        const double u2x = ux * ux - uy * uy, u2y = 2 * ux * uy;
        const double moment_x = is_far * cell->moment_x, moment_y = is_far * cell->moment_y;
        const double qx = moment_x * u2x - moment_y * u2y, qy = moment_x * u2y + moment_y * u2x; // Q/d²
        const double wx = -count - 3 * qx, wy = -3 * qy;                                         // E' d²
        far->field_x[k] += inverse * x + (qx * ux - qy * uy);
        far->field_y[k] += -inverse * y + (qx * uy + qy * ux);
        far->slope_x[k] += wx * u2x - wy * u2y;
        far->slope_y[k] += wx * u2y + wy * u2x;
    }
}

static void add_far(const struct pair_multipole *cells, int columns, double row, double far_square,
                    double softening_square, struct sweep_far *far)
{
    struct sweep_far sums = *far;
    for (int column = 0; column < columns; column++)
        if (cells[column].count > 0)
            add_far_cell(&cells[column], column, row, far_square, softening_square, &sums);
    *far = sums;
}

const struct sweep_functions ISA_OWN(sweep_functions) = {
    .add_far = add_far,
    .step = step_on_axis,
    .noisy_step = noisy_step_on_axis,
    .draw_noise = draw_noise,
    .accelerations = find_accelerations,
    .are_slow = are_slow,
    .kick = kick,
    .are_finite = are_finite,
    .is_stale = is_stale,
    .to_fixed_point = to_fixed_point,
};
