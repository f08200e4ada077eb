// Pairs of values, block by block (see the header).
#include "validate/compare/stream.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Unneeded entries in between are read too where that is cheaper than many small reads: up to this many
// values, or this multiple of the needed ones.
enum { HULL_VALUES = 1 << 16, HULL_WASTE = 4 };

struct stream {
    const struct compare_match *match;
    size_t capacity;
    double *raw, *reference, *run, *upper; // [capacity]; upper NULL without interpolation
    int time;                              // the interpolated axis, or −1
    compare_consumer *consume;
    void *context;
};

// A block of pairs: entries start … start + count − 1 of each axis.
struct block {
    size_t start[COMPARE_AXES_MAX], count[COMPARE_AXES_MAX];
};

static size_t block_volume(const struct stream *s, const struct block *block)
{
    size_t volume = 1;
    for (int k = 0; k < s->match->rank; k++)
        volume *= block->count[k];
    return volume;
}

static const size_t *entries_of(const struct compare_axis *axis, int operand, bool is_upper)
{
    return is_upper && axis->upper ? axis->upper : axis->operands[operand].index;
}

// Smallest range of an operand's own entries that holds those of a block.
static void hull_of(const size_t *entries, size_t count, size_t *first, size_t *length)
{
    size_t least = entries[0], most = entries[0];
    for (size_t k = 1; k < count; k++) {
        least = entries[k] < least ? entries[k] : least;
        most = entries[k] > most ? entries[k] : most;
    }
    *first = least;
    *length = most - least + 1;
}

// Values that must be read of one operand, SIZE_MAX if that is more than can be counted.
static size_t hull_volume(const struct stream *s, const struct block *block, int operand, bool is_upper)
{
    size_t volume = 1;
    for (int k = 0; k < s->match->rank; k++) {
        const struct compare_axis *axis = &s->match->axes[k];
        size_t first, length;
        if (axis->operands[operand].dimension < 0)
            continue;
        hull_of(entries_of(axis, operand, is_upper) + block->start[k], block->count[k], &first, &length);
        if (__builtin_mul_overflow(volume, length, &volume))
            return SIZE_MAX;
    }
    return volume;
}

static bool fits(const struct stream *s, const struct block *block)
{
    size_t volume = 1;
    for (int k = 0; k < s->match->rank; k++)
        if (__builtin_mul_overflow(volume, block->count[k], &volume))
            return false;
    if (volume > s->capacity)
        return false;
    const size_t hulls[3] = {hull_volume(s, block, COMPARE_RUN, false),
                             s->upper ? hull_volume(s, block, COMPARE_RUN, true) : 0,
                             hull_volume(s, block, COMPARE_REFERENCE, false)};
    for (int k = 0; k < 3; k++)
        if (hulls[k] > s->capacity || (hulls[k] > HULL_VALUES && hulls[k] / HULL_WASTE > volume))
            return false;
    return true;
}

// Where an operand's part of a block lies in its file, and in memory once it is read.
struct region {
    size_t start[DATASET_RANK_MAX], count[DATASET_RANK_MAX];  // the file's dimensions
    size_t first[COMPARE_AXES_MAX], stride[COMPARE_AXES_MAX]; // by axis; stride 0: not a dimension of it
};

static struct region region_of(const struct stream *s, const struct block *block, int operand, bool is_upper)
{
    struct region region = {{0}, {0}, {0}, {0}};
    const struct compare_match *match = s->match;
    for (int k = 0; k < match->rank; k++) {
        const int d = match->axes[k].operands[operand].dimension;
        if (d < 0)
            continue;
        hull_of(entries_of(&match->axes[k], operand, is_upper) + block->start[k], block->count[k],
                &region.start[d], &region.count[d]);
        region.first[k] = region.start[d];
    }
    for (int k = 0; k < match->rank; k++) {
        const int d = match->axes[k].operands[operand].dimension;
        if (d < 0)
            continue;
        region.stride[k] = 1;
        for (int j = d + 1; j < match->operands[operand].variable->rank; j++)
            region.stride[k] *= region.count[j];
    }
    return region;
}

// Whether the values that are read are in the order of the pairs.
static bool is_in_order(const struct stream *s, const struct block *block, int operand, bool is_upper,
                        const struct region *region)
{
    size_t stride = 1;
    for (int k = s->match->rank - 1; k >= 0; k--) {
        const struct compare_axis *axis = &s->match->axes[k];
        if (block->count[k] == 1)
            continue;
        const size_t *entries = entries_of(axis, operand, is_upper) + block->start[k];
        if (region->stride[k] != stride)
            return false;
        for (size_t i = 0; i < block->count[k]; i++)
            if (entries[i] != region->first[k] + i)
                return false;
        stride *= block->count[k];
    }
    return true;
}

// Picks the block's values from those that were read, in the order of the pairs.
static void gather(const struct stream *s, const struct block *block, int operand, bool is_upper,
                   const struct region *region, double *values)
{
    const struct compare_match *match = s->match;
    const int last = match->rank - 1;
    const size_t *fastest = entries_of(&match->axes[last], operand, is_upper) + block->start[last];
    size_t at[COMPARE_AXES_MAX] = {0};
    for (;;) {
        size_t base = 0;
        for (int k = 0; k < last; k++)
            if (region->stride[k] > 0)
                base += (entries_of(&match->axes[k], operand, is_upper)[block->start[k] + at[k]] -
                         region->first[k]) *
                        region->stride[k];
        for (size_t i = 0; i < block->count[last]; i++)
            *values++ = s->raw[base + (region->stride[last] > 0
                                           ? (fastest[i] - region->first[last]) * region->stride[last]
                                           : 0)];
        int k = last - 1;
        for (; k >= 0 && ++at[k] == block->count[k]; k--)
            at[k] = 0;
        if (k < 0)
            return;
    }
}

static enum status read_side(const struct stream *s, const struct block *block, int operand, bool is_upper,
                             double *values)
{
    const struct compare_operand *from = &s->match->operands[operand];
    const struct region region = region_of(s, block, operand, is_upper);
    const bool is_direct = is_in_order(s, block, operand, is_upper, &region);
    CHECK(dataset_read(from->file, from->variable, &from->packing, region.start, region.count,
                       is_direct ? values : s->raw));
    if (!is_direct)
        gather(s, block, operand, is_upper, &region, values);
    const size_t volume = block_volume(s, block);
    if (from->multiplier != 1 || from->divisor != 1 || from->offset != 0)
        for (size_t k = 0; k < volume; k++)
            values[k] = values[k] * from->multiplier / from->divisor + from->offset;
    return STATUS_OK;
}

// Between two records of the run. With weight 0 the later one has no effect, not even if it is missing.
static void interpolate(const struct stream *s, const struct block *block)
{
    const struct compare_axis *axis = &s->match->axes[s->time];
    size_t inner = 1, outer = 1;
    for (int k = 0; k < s->time; k++)
        outer *= block->count[k];
    for (int k = s->time + 1; k < s->match->rank; k++)
        inner *= block->count[k];
    for (size_t o = 0; o < outer; o++)
        for (size_t t = 0; t < block->count[s->time]; t++) {
            const double weight = axis->weight[block->start[s->time] + t];
            double *lower = s->run + (o * block->count[s->time] + t) * inner;
            const double *upper = s->upper + (o * block->count[s->time] + t) * inner;
            for (size_t k = 0; weight != 0 && k < inner; k++)
                lower[k] = (1 - weight) * lower[k] + weight * upper[k];
        }
}

// Halves a block along its slowest axis until it fits: the halves come in the pairs' order.
static enum status visit(const struct stream *s, const struct block *block)
{
    if (!fits(s, block)) {
        int k = 0;
        while (block->count[k] == 1) // a block of one pair fits
            k++;
        struct block half = *block;
        half.count[k] = block->count[k] / 2;
        CHECK(visit(s, &half));
        half.start[k] += half.count[k];
        half.count[k] = block->count[k] - half.count[k];
        return visit(s, &half);
    }
    CHECK(read_side(s, block, COMPARE_RUN, false, s->run));
    if (s->upper) {
        CHECK(read_side(s, block, COMPARE_RUN, true, s->upper));
        interpolate(s, block);
    }
    CHECK(read_side(s, block, COMPARE_REFERENCE, false, s->reference));
    s->consume(s->context, s->run, s->reference, block_volume(s, block));
    return STATUS_OK;
}

enum status compare_stream(const struct compare_match *match, size_t buffer_values, compare_consumer *consume,
                           void *context)
{
    struct stream s = {.match = match, .capacity = 1, .time = -1, .consume = consume, .context = context};
    struct block all = {{0}, {0}};
    for (int k = 0; k < match->rank; k++) {
        all.count[k] = match->axes[k].count;
        if (all.count[k] == 0)
            return STATUS_OK;
        if (match->axes[k].upper)
            s.time = k;
        // At most the values of a variable, and at most the buffer.
        const struct compare_axis_operand *operands = match->axes[k].operands;
        const size_t length =
            operands[0].length > operands[1].length ? operands[0].length : operands[1].length;
        if (__builtin_mul_overflow(s.capacity, length, &s.capacity) || s.capacity > buffer_values)
            s.capacity = buffer_values;
    }
    s.raw = calloc(s.capacity, sizeof(double));
    s.run = calloc(s.capacity, sizeof(double));
    s.reference = calloc(s.capacity, sizeof(double));
    s.upper = s.time >= 0 ? calloc(s.capacity, sizeof(double)) : NULL;
    enum status status = STATUS_OK;
    if (!s.raw || !s.run || !s.reference || (s.time >= 0 && !s.upper))
        status = FAIL(STATUS_SYSTEM, "%s: variable %s: not enough memory for blocks of %zu values",
                      dataset_path(match->operands[0].file), match->operands[0].variable->name, s.capacity);
    if (status == STATUS_OK)
        status = visit(&s, &all);
    free(s.raw);
    free(s.run);
    free(s.reference);
    free(s.upper);
    return status;
}

void compare_stream_place(const struct compare_match *match, uint64_t index, size_t entries[COMPARE_AXES_MAX])
{
    for (int k = match->rank - 1; k >= 0; k--) {
        entries[k] = (size_t)(index % match->axes[k].count);
        index /= match->axes[k].count;
    }
}
