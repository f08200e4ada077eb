// The loops over all j for ONE instruction set (models/isa.h). No sum is reordered but that of vectors, which
// says so.
#include "bench/ladder/gas/host_pairs_isa.h"

#include <math.h>

// A Δt / s (7 operations with the differences).
static inline float factor_of(float constant, float dx, float dy)
{
    return constant / (dx * dx + dy * dy + GAS_LADDER_SOFTENING);
}

// ---- I: sums of i

static void i_plain(struct gas_pair_task *task)
{
    const float *x = task->at[0], *y = task->at[1];
    const float own_x = task->own[0], own_y = task->own[1], constant = task->constant;
    float sum_x = 0, sum_y = 0;
    for (size_t j = 0; j < task->count; j++) {
        const float dx = own_x - x[j], dy = own_y - y[j];
        const float factor = factor_of(constant, dx, dy);
        sum_x += factor * dx;
        sum_y += factor * dy;
    }
    task->sum[0] += sum_x;
    task->sum[1] += sum_y;
}

static void i_unrolled(struct gas_pair_task *task)
{
    const float *x = task->at[0], *y = task->at[1];
    const float own_x = task->own[0], own_y = task->own[1], constant = task->constant;
    float sum_x = 0, sum_y = 0, sum_x2 = 0, sum_y2 = 0;
    size_t j = 0;
    for (; j + 1 < task->count; j += 2) {
        const float dx = own_x - x[j], dy = own_y - y[j];
        const float dx2 = own_x - x[j + 1], dy2 = own_y - y[j + 1];
        const float factor = factor_of(constant, dx, dy), factor2 = factor_of(constant, dx2, dy2);
        sum_x += factor * dx;
        sum_y += factor * dy;
        sum_x2 += factor2 * dx2;
        sum_y2 += factor2 * dy2;
    }
    for (; j < task->count; j++) {
        const float dx = own_x - x[j], dy = own_y - y[j];
        sum_x += factor_of(constant, dx, dy) * dx;
        sum_y += factor_of(constant, dx, dy) * dy;
    }
    task->sum[0] += sum_x + sum_x2;
    task->sum[1] += sum_y + sum_y2;
}

// The constant is outside of the loop, as on the GPU.
static void i_root(struct gas_pair_task *task)
{
    const float *x = task->at[0], *y = task->at[1];
    const float own_x = task->own[0], own_y = task->own[1];
    float sum_x = 0, sum_y = 0;
    for (size_t j = 0; j < task->count; j++) {
        const float dx = own_x - x[j], dy = own_y - y[j];
        const float square = dx * dx + dy * dy + GAS_LADDER_SOFTENING;
        const float factor = 1 / sqrtf(square * square);
        sum_x += factor * dx;
        sum_y += factor * dy;
    }
    task->sum[0] += task->constant * sum_x;
    task->sum[1] += task->constant * sum_y;
}

static void store_factors(struct gas_pair_task *task)
{
    const float *x = task->at[0], *y = task->at[1];
    const float own_x = task->own[0], own_y = task->own[1], constant = task->constant;
    float *row = task->row[0];
    for (size_t j = 0; j < task->count; j++)
        row[j] = factor_of(constant, own_x - x[j], own_y - y[j]);
}

static void store_components(struct gas_pair_task *task)
{
    const float *x = task->at[0], *y = task->at[1];
    const float own_x = task->own[0], own_y = task->own[1], constant = task->constant;
    float *row_x = task->row[0], *row_y = task->row[1];
    for (size_t j = 0; j < task->count; j++) {
        const float dx = own_x - x[j], dy = own_y - y[j];
        const float factor = factor_of(constant, dx, dy);
        row_x[j] = factor * dx;
        row_y[j] = factor * dy;
    }
}

static void sum_axis(struct gas_pair_task *task, int axis)
{
    const float *at = task->at[axis], *row = task->row[0];
    const float own = task->own[axis];
    float sum = 0;
    for (size_t j = 0; j < task->count; j++)
        sum += row[j] * (own - at[j]);
    task->sum[axis] += sum;
}

static void i_fission_mem(struct gas_pair_task *task)
{
    store_factors(task);
    sum_axis(task, 0);
    sum_axis(task, 1);
}

static void i_fission_fusion_mem(struct gas_pair_task *task)
{
    const float *row_x = task->row[0], *row_y = task->row[1];
    float sum_x = 0, sum_y = 0;
    store_components(task);
    for (size_t j = 0; j < task->count; j++) {
        sum_x += row_x[j];
        sum_y += row_y[j];
    }
    task->sum[0] += sum_x;
    task->sum[1] += sum_y;
}

static void i_fission_fusion_mem_2(struct gas_pair_task *task)
{
    const float *row_x = task->row[0], *row_y = task->row[1];
    float sum_x = 0, sum_y = 0, sum_x2 = 0, sum_y2 = 0;
    size_t j = 0;
    store_components(task);
    for (; j + 1 < task->count; j += 2) {
        sum_x += row_x[j];
        sum_y += row_y[j];
        sum_x2 += row_x[j + 1];
        sum_y2 += row_y[j + 1];
    }
    if (j < task->count) {
        sum_x += row_x[j];
        sum_y += row_y[j];
    }
    task->sum[0] += sum_x + sum_x2;
    task->sum[1] += sum_y + sum_y2;
}

// ---- I in three dimensions

// A3 Δt / s^(3/2)
static inline float factor_3d_of(float constant, float dx, float dy, float dz)
{
    const float square = dx * dx + dy * dy + dz * dz + GAS_LADDER_SOFTENING;
    return constant / sqrtf(square * square * square);
}

static void i_3d(struct gas_pair_task *task)
{
    const float *x = task->at[0], *y = task->at[1], *z = task->at[2];
    const float own_x = task->own[0], own_y = task->own[1], own_z = task->own[2], constant = task->constant;
    float sum_x = 0, sum_y = 0, sum_z = 0;
    for (size_t j = 0; j < task->count; j++) {
        const float dx = own_x - x[j], dy = own_y - y[j], dz = own_z - z[j];
        const float factor = factor_3d_of(constant, dx, dy, dz);
        sum_x += factor * dx;
        sum_y += factor * dy;
        sum_z += factor * dz;
    }
    task->sum[0] += sum_x;
    task->sum[1] += sum_y;
    task->sum[2] += sum_z;
}

static void i_3d_vectors(struct gas_pair_task *task)
{
    const float *x = task->at[0], *y = task->at[1], *z = task->at[2];
    const float own_x = task->own[0], own_y = task->own[1], own_z = task->own[2], constant = task->constant;
    float sum_x = 0, sum_y = 0, sum_z = 0;
#pragma omp simd reduction(+ : sum_x, sum_y, sum_z)
    for (size_t j = 0; j < task->count; j++) {
        const float dx = own_x - x[j], dy = own_y - y[j], dz = own_z - z[j];
        const float factor = factor_3d_of(constant, dx, dy, dz);
        sum_x += factor * dx;
        sum_y += factor * dy;
        sum_z += factor * dz;
    }
    task->sum[0] += sum_x;
    task->sum[1] += sum_y;
    task->sum[2] += sum_z;
}

// ---- J: updates of j

static void j_plain(struct gas_pair_task *task)
{
    const float *x = task->at[0], *y = task->at[1];
    const float own_x = task->own[0], own_y = task->own[1], constant = task->constant;
    float *velocity_x = task->velocity[0], *velocity_y = task->velocity[1];
    for (size_t j = 0; j < task->count; j++) {
        const float dx = own_x - x[j], dy = own_y - y[j];
        const float factor = factor_of(constant, dx, dy);
        velocity_x[j] -= factor * dx;
        velocity_y[j] -= factor * dy;
    }
}

// As where i's position is an element of an array that might have changed: it is loaded for each j.
static void j_from_array(struct gas_pair_task *task)
{
    const float *x = task->at[0], *y = task->at[1];
    const volatile float *own_x = &task->own[0], *own_y = &task->own[1];
    const float constant = task->constant;
    float *velocity_x = task->velocity[0], *velocity_y = task->velocity[1];
    for (size_t j = 0; j < task->count; j++) {
        const float dx = *own_x - x[j], dy = *own_y - y[j];
        const float factor = factor_of(constant, dx, dy);
        velocity_x[j] -= factor * dx;
        velocity_y[j] -= factor * dy;
    }
}

static void j_skipping(struct gas_pair_task *task)
{
    const float *x = task->at[0], *y = task->at[1];
    const float own_x = task->own[0], own_y = task->own[1], constant = task->constant;
    float *velocity_x = task->velocity[0], *velocity_y = task->velocity[1];
    for (size_t j = 0; j < task->count; j += task->stride) {
        const float dx = own_x - x[j], dy = own_y - y[j];
        const float factor = factor_of(constant, dx, dy);
        velocity_x[j] -= factor * dx;
        velocity_y[j] -= factor * dy;
    }
}

static void j_fission(struct gas_pair_task *task)
{
    const float *x = task->at[0], *y = task->at[1];
    const float own_x = task->own[0], own_y = task->own[1], constant = task->constant;
    float *velocity_x = task->velocity[0], *velocity_y = task->velocity[1];
    for (size_t j = 0; j < task->count; j++) {
        const float dx = own_x - x[j], dy = own_y - y[j];
        velocity_x[j] -= factor_of(constant, dx, dy) * dx;
    }
    for (size_t j = 0; j < task->count; j++) {
        const float dx = own_x - x[j], dy = own_y - y[j];
        velocity_y[j] -= factor_of(constant, dx, dy) * dy;
    }
}

static void update_axis(struct gas_pair_task *task, int axis)
{
    const float *at = task->at[axis], *row = task->row[0];
    const float own = task->own[axis];
    float *velocity = task->velocity[axis];
    for (size_t j = 0; j < task->count; j++)
        velocity[j] -= row[j] * (own - at[j]);
}

static void j_fission_mem(struct gas_pair_task *task)
{
    store_factors(task);
    update_axis(task, 0);
    update_axis(task, 1);
}

// ---- IJ: both

static void ij_plain(struct gas_pair_task *task)
{
    const float *x = task->at[0], *y = task->at[1];
    const float own_x = task->own[0], own_y = task->own[1], constant = task->constant;
    float *velocity_x = task->velocity[0], *velocity_y = task->velocity[1];
    float sum_x = 0, sum_y = 0;
    for (size_t j = 0; j < task->count; j++) {
        const float dx = own_x - x[j], dy = own_y - y[j];
        const float factor = factor_of(constant, dx, dy);
        sum_x += factor * dx;
        sum_y += factor * dy;
        velocity_x[j] -= factor * dx;
        velocity_y[j] -= factor * dy;
    }
    task->sum[0] += sum_x;
    task->sum[1] += sum_y;
}

static void ij_fission_mem(struct gas_pair_task *task)
{
    store_factors(task);
    update_axis(task, 0);
    update_axis(task, 1);
    sum_axis(task, 0);
    sum_axis(task, 1);
}

static void ij_fission_fusion_mem(struct gas_pair_task *task)
{
    const float *row_x = task->row[0], *row_y = task->row[1];
    float *velocity_x = task->velocity[0], *velocity_y = task->velocity[1];
    float sum_x = 0, sum_y = 0;
    store_components(task);
    for (size_t j = 0; j < task->count; j++) {
        velocity_x[j] -= row_x[j];
        velocity_y[j] -= row_y[j];
        sum_x += row_x[j];
        sum_y += row_y[j];
    }
    task->sum[0] += sum_x;
    task->sum[1] += sum_y;
}

const struct gas_pair_loops ISA_OWN(gas_pair_loops) = {
    .i_plain = i_plain,
    .i_unrolled = i_unrolled,
    .i_root = i_root,
    .i_fission_mem = i_fission_mem,
    .i_fission_fusion_mem = i_fission_fusion_mem,
    .i_fission_fusion_mem_2 = i_fission_fusion_mem_2,
    .i_3d = i_3d,
    .i_3d_vectors = i_3d_vectors,
    .j_plain = j_plain,
    .j_from_array = j_from_array,
    .j_skipping = j_skipping,
    .j_fission = j_fission,
    .j_fission_mem = j_fission_mem,
    .ij_plain = ij_plain,
    .ij_fission_mem = ij_fission_mem,
    .ij_fission_fusion_mem = ij_fission_fusion_mem,
};
