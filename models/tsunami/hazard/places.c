// Statistics of one place, a point or a zone, from the values of all members there; exact.
#include "models/tsunami/hazard/private.h"
#include "models/tsunami/zones.h"

#include <math.h>

size_t hazard_entries(const struct hazard *h, const double *values, struct weighted_value *entries)
{
    size_t count = 0;
    for (size_t k = 0; k < h->request->member_count; k++)
        if (!isnan(values[k]))
            entries[count++] = (struct weighted_value){values[k], h->weights[k]};
    return count;
}

double hazard_states(const struct hazard *h, const double *heights_m, const double *reached,
                     double shares[HAZARD_THRESHOLDS_MAX + 2])
{
    const struct hazard_result *result = h->result;
    double sum = 0;
    for (size_t k = 0; k < HAZARD_THRESHOLDS_MAX + 2; k++)
        shares[k] = 0;
    for (size_t k = 0; k < h->request->member_count; k++) {
        if (isnan(heights_m[k]))
            continue;
        const int level = tsunami_threat(result->thresholds_m, (int)result->threshold_count, heights_m[k]);
        shares[reached[k] == 1 || level > 0 ? 1 + level : 0] += h->weights[k];
        sum += h->weights[k];
    }
    return sum;
}

double hazard_finite_or_missing(double time_s)
{
    return isfinite(time_s) ? time_s : (double)NAN;
}

struct hazard_arrival hazard_arrival_of(const struct hazard *h, const double *values_s)
{
    const size_t count = hazard_entries(h, values_s, h->entries);
    struct hazard_arrival arrival = {.probability = 1 - weighted_share_above(h->entries, count, 1e300)};
    weighted_sort(h->entries, count);
    arrival.earliest_s = hazard_finite_or_missing(weighted_least(h->entries, count));
    arrival.median_s = hazard_finite_or_missing(weighted_quantile(h->entries, count, 0.5));
    for (size_t p = 0; p < HAZARD_PERCENTILES; p++)
        arrival.percentiles_s[p] =
            hazard_finite_or_missing(weighted_quantile(h->entries, count, hazard_percentiles[p] / 100));
    return arrival;
}

enum status hazard_put_row(struct hazard *h, int id, size_t place, size_t length, const double *values)
{
    const size_t start[2] = {place, 0}, count[2] = {1, length};
    NC_CHECK_WRITE(nc_put_vara_double(h->writer.ncid, id, start, count, values), h->writer.path,
                   "writing values");
    return STATUS_OK;
}

enum status hazard_put_heights(struct hazard *h, const struct hazard_height_ids *ids, size_t place,
                               const double *values_m)
{
    const struct hazard_result *result = h->result;
    double row[HAZARD_THRESHOLDS_MAX > HAZARD_PERCENTILES ? HAZARD_THRESHOLDS_MAX : HAZARD_PERCENTILES];
    const size_t count = hazard_entries(h, values_m, h->entries);
    row[0] = weighted_mean(h->entries, count);
    CHECK(hazard_put_row(h, ids->mean, place, 1, row));
    for (size_t t = 0; t < result->threshold_count; t++)
        row[t] = weighted_share_above(h->entries, count, result->thresholds_m[t]);
    CHECK(hazard_put_row(h, ids->exceedance, place, result->threshold_count, row));
    weighted_sort(h->entries, count);
    for (size_t p = 0; p < HAZARD_PERCENTILES; p++)
        row[p] = weighted_quantile(h->entries, count, hazard_percentiles[p] / 100);
    return hazard_put_row(h, ids->percentile, place, HAZARD_PERCENTILES, row);
}

enum status hazard_put_states(struct hazard *h, int id, size_t place,
                              const double shares[HAZARD_THRESHOLDS_MAX + 2], double sum)
{
    double row[HAZARD_THRESHOLDS_MAX + 2];
    const size_t states = h->result->threshold_count + 2;
    for (size_t k = 0; k < states; k++)
        row[k] = sum > 0 ? shares[k] / sum : (double)NAN;
    return hazard_put_row(h, id, place, states, row);
}
