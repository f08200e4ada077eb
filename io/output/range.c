// Smallest and largest numbers: see range.h.
#include "io/output/range.h"

#include <math.h>
#include <stdint.h>

const struct output_range output_range_none = {INFINITY, -INFINITY};

struct output_range output_range_of(const double *values, size_t count)
{
    struct output_range range = {INFINITY, -INFINITY};
    for (size_t i = 0; i < count; i++) {
        range.low = values[i] < range.low ? values[i] : range.low;
        range.high = values[i] > range.high ? values[i] : range.high;
    }
    return range;
}

void output_range_join(struct output_range *range, struct output_range found)
{
    range->low = fmin(range->low, found.low);
    range->high = fmax(range->high, found.high);
}

static void extend_range_of_bytes(struct output_range *range, const unsigned char *values, size_t count)
{
    unsigned char low = UINT8_MAX, high = 0;
    for (size_t i = 0; i < count; i++) {
        low = values[i] < low ? values[i] : low;
        high = values[i] > high ? values[i] : high;
    }
    if (count > 0) {
        range->low = fmin(range->low, low);
        range->high = fmax(range->high, high);
    }
}

void output_range_extend(struct output_range *range, enum element element, const void *data, size_t count)
{
    // NaN compares false: missing values do not count.
    if (element == ELEMENT_F64) {
        output_range_join(range, output_range_of(data, count));
        return;
    }
    if (element == ELEMENT_U8) {
        extend_range_of_bytes(range, data, count);
        return;
    }
    const float *values = data;
    float low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        low = values[i] < low ? values[i] : low;
        high = values[i] > high ? values[i] : high;
    }
    range->low = fmin(range->low, (double)low);
    range->high = fmax(range->high, (double)high);
}
