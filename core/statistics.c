// Reproducible sums, order statistics, differences (see the header). Independent of physics and of files.
#include "core/statistics.h"

#include <math.h>
#include <string.h>

// ---- sums

// One addition with Neumaier's compensation. An infinite total keeps no compensation: inf − inf would make it
// NaN.
void statistics_add_block(double *total, double *compensation, double block)
{
    double next = *total + block;
    if (isfinite(next)) {
        if (fabs(*total) >= fabs(block))
            *compensation += (*total - next) + block;
        else
            *compensation += (block - next) + *total;
    }
    *total = next;
}

double statistics_add_lanes(const double lanes[STATISTICS_LANES])
{
    return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

// Adds values whose first one belongs to lane `lane`.
static void add_to_lanes(double lanes[STATISTICS_LANES], unsigned lane, const double *values, size_t count)
{
    size_t i = 0;
    for (; i < count && (lane + i) % STATISTICS_LANES != 0; i++)
        lanes[(lane + i) % STATISTICS_LANES] += values[i];
    double local[STATISTICS_LANES];
    memcpy(local, lanes, sizeof local);
    for (; i + STATISTICS_LANES <= count; i += STATISTICS_LANES)
        for (size_t k = 0; k < STATISTICS_LANES; k++)
            local[k] += values[i + k];
    for (size_t k = 0; i + k < count; k++)
        local[k] += values[i + k];
    memcpy(lanes, local, sizeof local);
}

static uint64_t block_count(uint64_t count)
{
    return count / STATISTICS_BLOCK + (count % STATISTICS_BLOCK != 0);
}

size_t block_sum_bytes(uint64_t count)
{
    uint64_t blocks = block_count(count);
    if (blocks > SIZE_MAX / (STATISTICS_LANES * sizeof(double)))
        return SIZE_MAX;
    return (size_t)blocks * STATISTICS_LANES * sizeof(double);
}

enum status block_sum_init(struct block_sum *sum, uint64_t count, void *memory, size_t bytes)
{
    size_t needed = block_sum_bytes(count);
    if (bytes < needed)
        return FAIL(STATUS_SOFTWARE, "block sum of %llu elements: %zu bytes of memory given, %zu needed",
                    (unsigned long long)count, bytes, needed);
    *sum = (struct block_sum){.lanes = memory, .count = count, .blocks = block_count(count)};
    block_sum_clear(sum);
    return STATUS_OK;
}

void block_sum_clear(struct block_sum *sum)
{
    for (uint64_t i = 0; i < sum->blocks * STATISTICS_LANES; i++)
        sum->lanes[i] = 0.0;
}

double block_sum_total(const struct block_sum *sum)
{
    double total = 0.0, compensation = 0.0;
    for (uint64_t block = 0; block < sum->blocks; block++)
        statistics_add_block(&total, &compensation,
                             statistics_add_lanes(sum->lanes + block * STATISTICS_LANES));
    return total + compensation;
}

void running_sum_add(struct running_sum *sum, const double *values, size_t count)
{
    while (count > 0) {
        size_t inside = (size_t)(sum->count % STATISTICS_BLOCK);
        size_t piece = STATISTICS_BLOCK - inside < count ? STATISTICS_BLOCK - inside : count;
        add_to_lanes(sum->lanes, (unsigned)(inside % STATISTICS_LANES), values, piece);
        sum->count += piece;
        values += piece;
        count -= piece;
        if (sum->count % STATISTICS_BLOCK == 0) {
            statistics_add_block(&sum->total, &sum->compensation, statistics_add_lanes(sum->lanes));
            memset(sum->lanes, 0, sizeof sum->lanes);
        }
    }
}

double running_sum_total(const struct running_sum *sum)
{
    double total = sum->total, compensation = sum->compensation;
    if (sum->count % STATISTICS_BLOCK != 0)
        statistics_add_block(&total, &compensation, statistics_add_lanes(sum->lanes));
    return total + compensation;
}

double statistics_block_sum(const double *values, size_t count)
{
    struct running_sum sum = {0};
    running_sum_add(&sum, values, count);
    return running_sum_total(&sum);
}

// ---- order statistics

// Shell's sort: in place, and without the memory that qsort may ask for.
static void sort_ascending(double *values, size_t count)
{
    size_t gap = 1;
    while (gap < count / 3)
        gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3) {
        for (size_t i = gap; i < count; i++) {
            double value = values[i];
            size_t j = i;
            for (; j >= gap && values[j - gap] > value; j -= gap)
                values[j] = values[j - gap];
            values[j] = value;
        }
    }
}

double statistics_percentile(double *values, size_t count, double percent)
{
    if (count == 0 || !(percent >= 0.0 && percent <= 100.0))
        return NAN;
    for (size_t i = 0; i < count; i++)
        if (isnan(values[i]))
            return NAN;
    sort_ascending(values, count);
    double rank = percent / 100.0 * (double)(count - 1);
    size_t below = (size_t)rank;
    if (below + 1 >= count)
        return values[count - 1];
    double weight = rank - (double)below;
    if (weight == 0.0 || values[below] == values[below + 1]) // infinite neighbours must not make a NaN
        return values[below];
    return values[below] + weight * (values[below + 1] - values[below]);
}

double statistics_median(double *values, size_t count)
{
    return statistics_percentile(values, count, 50.0);
}

// ---- differences

// Takes a few pairs, already converted to double. `count` ≤ STATISTICS_BLOCK.
static void difference_add_piece(struct difference *d, const double *reference, const double *value,
                                 size_t count)
{
    double squares[STATISTICS_BLOCK], reference_squares[STATISTICS_BLOCK];
    size_t compared = 0;
    uint64_t first = d->compared + d->missing + d->mismatched;
    for (size_t i = 0; i < count; i++) {
        bool reference_missing = isnan(reference[i]), value_missing = isnan(value[i]);
        if (reference_missing && value_missing) {
            d->missing++;
            continue;
        }
        if (reference_missing || value_missing) {
            if (d->mismatched++ == 0)
                d->first_mismatch = first + i;
            continue;
        }
        // Equal infinities agree; their difference would be NaN.
        double error = value[i] == reference[i] ? 0.0 : fabs(value[i] - reference[i]);
        if (error > d->max_abs || (d->compared == 0 && compared == 0)) {
            d->max_abs = error;
            d->max_abs_index = first + i;
        }
        if (fabs(reference[i]) > d->max_abs_reference)
            d->max_abs_reference = fabs(reference[i]);
        squares[compared] = error * error;
        reference_squares[compared] = reference[i] * reference[i];
        compared++;
    }
    d->compared += compared;
    running_sum_add(&d->squares, squares, compared);
    running_sum_add(&d->reference_squares, reference_squares, compared);
}

void difference_add_f64(struct difference *difference, const double *reference, const double *value,
                        size_t count)
{
    for (size_t done = 0; done < count; done += STATISTICS_BLOCK) {
        size_t piece = count - done < STATISTICS_BLOCK ? count - done : STATISTICS_BLOCK;
        difference_add_piece(difference, reference + done, value + done, piece);
    }
}

double difference_rms(const struct difference *difference)
{
    if (difference->compared == 0)
        return NAN;
    return sqrt(running_sum_total(&difference->squares) / (double)difference->compared);
}

double difference_reference_rms(const struct difference *difference)
{
    if (difference->compared == 0)
        return NAN;
    return sqrt(running_sum_total(&difference->reference_squares) / (double)difference->compared);
}
