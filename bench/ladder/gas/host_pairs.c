// How the processor's rungs divide the pairs among threads (host_pairs_private.h).
#include "bench/ladder/gas/host_pairs_private.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

static float *row_of(const struct gas_host_pairs *pairs, int thread, int row)
{
    return pairs->rows + (size_t)(thread * GAS_HOST_ROWS + row) * pairs->row_stride;
}

static float *wide_of(const struct gas_host_pairs *pairs, int thread, int axis)
{
    return row_of(pairs, thread, 2 + axis);
}

// Particle i and the others first … end − 1. `velocity`: of all others, [count]; NULL: of kind I.
static struct gas_pair_task task_of(const struct gas_host_pairs *pairs, size_t i, size_t first, size_t end,
                                    float *const *velocity)
{
    const struct gas_ladder_particles *particles = &pairs->particles;
    const int thread = omp_get_thread_num();
    struct gas_pair_task task = {.constant = pairs->constant,
                                 .count = end - first,
                                 .stride = pairs->program->stride,
                                 .row = {row_of(pairs, thread, 0), row_of(pairs, thread, 1)}};
    for (int axis = 0; axis < particles->axes; axis++) {
        task.own[axis] = particles->at[axis][i];
        task.at[axis] = particles->at[axis] + first;
    }
    for (int axis = 0; velocity && axis < 2; axis++)
        task.velocity[axis] = velocity[axis] + first;
    return task;
}

static void add_sums(const struct gas_ladder_particles *particles, size_t i, const float *sum)
{
    for (int axis = 0; axis < particles->axes; axis++)
        particles->velocity[axis][i] += sum[axis];
}

// ---- I

void gas_host_sum_own(struct gas_host_pairs *pairs)
{
    const size_t count = pairs->particles.count;
#pragma omp parallel for schedule(static) num_threads(pairs->threads)
    for (size_t i = 0; i < count; i++) {
        struct gas_pair_task task = task_of(pairs, i, 0, count, NULL);
        pairs->loop(&task);
        add_sums(&pairs->particles, i, task.sum);
    }
}

// Particles first … end − 1 with all others, a block of which stays in the cache for all of them.
static void sum_block(struct gas_host_pairs *pairs, size_t first, size_t end)
{
    const size_t count = pairs->particles.count, width = pairs->block[1];
    float *const sums = pairs->sums + (size_t)omp_get_thread_num() * 2 * pairs->block[0];
    memset(sums, 0, 2 * pairs->block[0] * sizeof *sums);
    for (size_t from = 0; from < count; from += width) {
        const size_t to = from + width < count ? from + width : count;
        for (size_t i = first; i < end; i++) {
            struct gas_pair_task task = task_of(pairs, i, from, to, NULL);
            pairs->loop(&task);
            sums[2 * (i - first)] += task.sum[0];
            sums[2 * (i - first) + 1] += task.sum[1];
        }
    }
    for (size_t i = first; i < end; i++)
        add_sums(&pairs->particles, i, sums + 2 * (i - first));
}

void gas_host_sum_blocks(struct gas_host_pairs *pairs)
{
    const size_t count = pairs->particles.count, width = pairs->block[0];
#pragma omp parallel for schedule(static) num_threads(pairs->threads)
    for (size_t first = 0; first < count; first += width)
        sum_block(pairs, first, first + width < count ? first + width : count);
}

// ---- J and IJ on the velocities themselves

// Particle i with the others of one part of the velocities.
static void update_part(struct gas_host_pairs *pairs, size_t i, int part, int parts, float *sum)
{
    const size_t count = pairs->particles.count;
    const size_t end = (size_t)(part + 1) * count / (size_t)parts;
    size_t first = (size_t)part * count / (size_t)parts;
    if (pairs->program->is_half && first <= i)
        first = i + 1;
    if (first >= end)
        return;
    struct gas_pair_task task = task_of(pairs, i, first, end, pairs->particles.velocity);
    pairs->loop(&task);
    sum[0] += task.sum[0];
    sum[1] += task.sum[1];
}

// In a turn each thread has a part of the velocities to itself, and waits for the others after it: each still
// writes all of them for each of its particles, as in the thesis, where the threads race and lose updates.
void gas_host_update_shared(struct gas_host_pairs *pairs)
{
    const size_t count = pairs->particles.count;
#pragma omp parallel num_threads(pairs->threads)
    {
        const int parts = omp_get_num_threads(), thread = omp_get_thread_num();
        for (size_t together = 0; together < count; together += (size_t)parts) {
            const size_t i = together + (size_t)thread;
            float sum[LADDER_AXES] = {0};
            for (int turn = 0; turn < parts; turn++) {
                if (i < count)
                    update_part(pairs, i, (thread + turn) % parts, parts, sum);
                if (parts > 1) {
#pragma omp barrier
                }
            }
            if (!pairs->program->is_half)
                continue;
            if (i < count)
                add_sums(&pairs->particles, i, sum);
            if (parts > 1) {
#pragma omp barrier
            }
        }
    }
}

// ---- J and IJ on velocities of each thread

static void update_wide(struct gas_host_pairs *pairs, size_t i)
{
    const int thread = omp_get_thread_num();
    float *const wide[2] = {wide_of(pairs, thread, 0), wide_of(pairs, thread, 1)};
    struct gas_pair_task task =
        task_of(pairs, i, pairs->program->is_half ? i : 0, pairs->particles.count, wide);
    pairs->loop(&task);
    if (pairs->program->is_half)
        for (int axis = 0; axis < 2; axis++)
            wide[axis][i] += task.sum[axis];
}

// The author's ArrayAdder.
static void add_wide(struct gas_host_pairs *pairs)
{
    const size_t count = pairs->particles.count;
#pragma omp parallel for schedule(static) num_threads(pairs->threads)
    for (size_t i = 0; i < count; i++)
        for (int thread = 0; thread < pairs->threads; thread++)
            for (int axis = 0; axis < 2; axis++) {
                float *const wide = wide_of(pairs, thread, axis);
                pairs->particles.velocity[axis][i] += wide[i];
                wide[i] = 0;
            }
}

// Particles go to the threads in turn, since the later ones have fewer pairs where each pair is taken once.
void gas_host_update_wide(struct gas_host_pairs *pairs)
{
#pragma omp parallel for schedule(static, 1) num_threads(pairs->threads)
    for (size_t i = 0; i < pairs->particles.count; i++)
        update_wide(pairs, i);
    add_wide(pairs);
}

// ---- a rung

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

enum status gas_host_create(const struct ladder_case *wanted, const struct gas_host_program *program,
                            void **state)
{
    const struct gas_pair_loops *loops = ISA_TABLE(gas_pair_loops);
    struct gas_host_pairs *pairs = *state = calloc(1, sizeof *pairs);
    if (!pairs)
        return FAIL(STATUS_SYSTEM, "no memory for a rung");
    pairs->program = program;
    memcpy(&pairs->loop, (const char *)loops + program->loop, sizeof pairs->loop);
    pairs->threads = program->is_serial ? 1 : wanted->threads > 0 ? wanted->threads : omp_get_max_threads();
    CHECK(gas_ladder_place(wanted, program->axes, &pairs->particles));
    const size_t count = pairs->particles.count, threads = (size_t)pairs->threads;
    pairs->constant = gas_ladder_attraction(count, program->axes) * GAS_LADDER_STEP;
    for (int side = 0; side < 2; side++)
        pairs->block[side] = least(wanted->block[side] > 0 ? (size_t)wanted->block[side] : count, count);
    pairs->row_stride = (count + 15) / 16 * 16 + 16; // whole lines of the cache, which no two threads share
    const size_t bytes = threads * GAS_HOST_ROWS * pairs->row_stride * sizeof(float);
    pairs->rows = aligned_alloc(64, bytes);
    pairs->sums = calloc(threads * 2 * pairs->block[0], sizeof *pairs->sums);
    if (!pairs->rows || !pairs->sums)
        return FAIL(STATUS_SYSTEM, "no memory for %zu threads and %zu particles", threads, count);
    memset(pairs->rows, 0, bytes);
    return STATUS_OK;
}

// The author's SemiIntegrator and the walls.
static void move(struct gas_host_pairs *pairs)
{
    const struct gas_ladder_particles *particles = &pairs->particles;
#pragma omp parallel for schedule(static) num_threads(pairs->threads)
    for (size_t i = 0; i < particles->count; i++)
        for (int axis = 0; axis < particles->axes; axis++)
            gas_ladder_move(&particles->at[axis][i], &particles->velocity[axis][i]);
}

enum status gas_host_step(void *state, int count)
{
    struct gas_host_pairs *pairs = state;
    for (int step = 0; step < count; step++) {
        pairs->program->find_velocities(pairs);
        move(pairs);
    }
    return STATUS_OK;
}

enum status gas_host_read(void *state, double *values)
{
    const struct gas_host_pairs *pairs = state;
    gas_ladder_read(&pairs->particles, values);
    return STATUS_OK;
}

void gas_host_destroy(void *state)
{
    struct gas_host_pairs *pairs = state;
    gas_ladder_free(&pairs->particles);
    free(pairs->rows);
    free(pairs->sums);
    free(pairs);
}
