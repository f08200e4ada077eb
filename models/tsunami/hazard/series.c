// Percentiles of the gauges' series: of a block of times the values of all members are brought together.
#include "models/team.h"
#include "models/tsunami/hazard/private.h"

#include <math.h>
#include <string.h>

struct block {
    const struct hazard *h;
    size_t first, times, values; // values: times × stations
    double *read;                // [time][station] of one member, as all
    double *kept;                // [member][value]
    float *mean, *percentile;    // [value], [percentile][value]
};

size_t hazard_series_time_bytes(const struct hazard *h)
{
    return h->series.stations *
           ((h->request->member_count + 1) * sizeof(double) + (1 + HAZARD_PERCENTILES) * sizeof(float));
}

enum status hazard_series_plan(struct hazard *h)
{
    if (h->series.stations == 0)
        return STATUS_OK;
    return memory_plan_add(h->memory, MEMORY_HOST, ELEMENT_F64, h->series.stations, h->request->member_count,
                           (void **)&h->series.largest_m, "largest elevations at gauges");
}

// Without a height (a dry gauge) a member is left out at that time.
static void evaluate_value(const struct block *b, size_t k, struct weighted_value *entries)
{
    const struct hazard *h = b->h;
    size_t count = 0;
    for (size_t m = 0; m < h->request->member_count; m++) {
        const double value = b->kept[m * b->values + k];
        if (!isnan(value))
            entries[count++] = (struct weighted_value){value, h->weights[m]};
    }
    b->mean[k] = (float)weighted_mean(entries, count);
    weighted_sort(entries, count);
    for (size_t p = 0; p < HAZARD_PERCENTILES; p++)
        b->percentile[p * b->values + k] =
            (float)weighted_quantile(entries, count, hazard_percentiles[p] / 100);
}

static void evaluate_part(void *context, size_t item)
{
    const struct block *b = context;
    const size_t items = (size_t)b->h->threads;
    struct weighted_value *entries = b->h->entries + item * HAZARD_TILE * b->h->request->member_count;
    for (size_t k = item; k < b->values; k += items)
        evaluate_value(b, k, entries);
}

static enum status read_member(const struct block *b, size_t member)
{
    const struct hazard *h = b->h;
    const struct hazard_member *m = &h->request->members[member];
    const size_t start[2] = {b->first, 0}, count[2] = {b->times, h->series.stations};
    char path[PATH_BYTES];
    struct result_file *file;
    CHECK(hazard_path(m, "", "gauges.nc", path));
    CHECK_ABOUT(result_open(path, &file), "member %s", m->name);
    const enum status status = result_read(file, "eta", start, count, b->read);
    result_close(file);
    CHECK_ABOUT(status, "member %s", m->name);
    memcpy(b->kept + member * b->values, b->read, b->values * sizeof *b->read);
    for (size_t k = 0; k < b->values; k++) {
        double *largest_m = &h->series.largest_m[k % h->series.stations * h->request->member_count + member];
        *largest_m = fmax(*largest_m, b->read[k]); // NaN counts for nothing
    }
    return STATUS_OK;
}

static enum status write_block(struct hazard *h, struct block *b, const struct hazard_series_ids *ids)
{
    const size_t start[3] = {0, b->first, 0}, count[3] = {HAZARD_PERCENTILES, b->times, h->series.stations};
    b->values = b->times * h->series.stations;
    b->read = (double *)h->block;
    b->kept = b->read + b->values;
    b->mean = (float *)(b->kept + b->values * h->request->member_count);
    b->percentile = b->mean + b->values;
    for (size_t m = 0; m < h->request->member_count; m++)
        CHECK(read_member(b, m));
    team_for(h->threads, (size_t)h->threads, evaluate_part, b);
    CHECK(hazard_put_block(h, ids->mean, start + 1, count + 1, b->mean));
    return hazard_put_block(h, ids->percentile, start, count, b->percentile);
}

static enum status write_largest(struct hazard *h, const struct hazard_series_ids *ids)
{
    const size_t members = h->request->member_count;
    for (size_t s = 0; s < h->series.stations; s++) {
        const size_t start[2] = {s, 0}, rows[2] = {1, HAZARD_PERCENTILES};
        const double *largest_m = h->series.largest_m + s * members;
        float row[HAZARD_PERCENTILES];
        size_t count = 0;
        for (size_t m = 0; m < members; m++)
            if (!isnan(largest_m[m]))
                h->entries[count++] = (struct weighted_value){largest_m[m], h->weights[m]};
        weighted_sort(h->entries, count);
        for (size_t p = 0; p < HAZARD_PERCENTILES; p++)
            row[p] = (float)weighted_quantile(h->entries, count, hazard_percentiles[p] / 100);
        CHECK(hazard_put_block(h, ids->largest, start, rows, row));
    }
    return hazard_put(h, ids->largest_of, h->series.largest_m);
}

enum status hazard_series_write(struct hazard *h, const struct hazard_series_ids *ids)
{
    const struct hazard_series *s = &h->series;
    const size_t most = h->block_bytes / hazard_series_time_bytes(h);
    struct block b = {.h = h};
    for (size_t k = 0; k < s->stations * h->request->member_count; k++)
        s->largest_m[k] = NAN;
    CHECK(hazard_put(h, ids->time, s->times_s));
    CHECK(hazard_put_names(h, ids->names, s->stations, HAZARD_NAME_BYTES, s->names[0], sizeof *s->names));
    if (s->x && s->y) {
        CHECK(hazard_put(h, ids->x, s->x));
        CHECK(hazard_put(h, ids->y, s->y));
    }
    for (; b.first < s->times; b.first += b.times) {
        b.times = s->times - b.first < most ? s->times - b.first : most;
        CHECK(write_block(h, &b, ids));
    }
    return write_largest(h, ids);
}

static enum status define_largest(struct hazard *h, const struct hazard_dimensions *d,
                                  struct hazard_series_ids *ids)
{
    const struct hazard_variable largest = {"series_max_percentile",
                                            "weighted percentiles of the largest elevation of the series",
                                            "m",
                                            NULL,
                                            NULL,
                                            NULL,
                                            NC_FLOAT,
                                            2,
                                            {d->station, d->percentile},
                                            true},
                                 largest_of = {"series_max_of_member",
                                               "largest elevation of the series in each member",
                                               "m",
                                               NULL,
                                               NULL,
                                               NULL,
                                               NC_DOUBLE,
                                               2,
                                               {d->station, d->member},
                                               true};
    CHECK(hazard_define(h, &largest, &ids->largest));
    return hazard_define(h, &largest_of, &ids->largest_of);
}

enum status hazard_series_define(struct hazard *h, const struct hazard_dimensions *d,
                                 struct hazard_series_ids *ids)
{
    static const char counted[] = "a member without a height there at that time (a dry gauge) is left out";
    const struct hazard_variable mean = {"series_mean",
                                         "weighted mean of the sea surface elevation",
                                         "m",
                                         NULL,
                                         NULL,
                                         counted,
                                         NC_FLOAT,
                                         2,
                                         {d->time, d->station},
                                         true},
                                 percentile =
                                     {"series_percentile",
                                      "weighted percentiles of the sea surface elevation at each time",
                                      "m",
                                      NULL,
                                      NULL,
                                      counted,
                                      NC_FLOAT,
                                      3,
                                      {d->percentile, d->time, d->station},
                                      true},
                                 x = {"station_x",
                                      "position of the gauge",
                                      h->grids[0].x_units,
                                      NULL,
                                      NULL,
                                      NULL,
                                      NC_DOUBLE,
                                      1,
                                      {d->station},
                                      false},
                                 y = {"station_y",
                                      "position of the gauge",
                                      h->grids[0].y_units,
                                      NULL,
                                      NULL,
                                      NULL,
                                      NC_DOUBLE,
                                      1,
                                      {d->station},
                                      false};
    CHECK(hazard_define_names(h, "station_name", "gauge name", d->station, "station_strlen",
                              HAZARD_NAME_BYTES, &ids->names));
    if (h->series.x && h->series.y) {
        CHECK(hazard_define(h, &x, &ids->x));
        CHECK(hazard_define(h, &y, &ids->y));
    }
    CHECK(define_largest(h, d, ids));
    CHECK(hazard_define(h, &mean, &ids->mean));
    return hazard_define(h, &percentile, &ids->percentile);
}
