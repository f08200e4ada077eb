// Points and zones as tables: a row for each with its percentiles and probabilities; the points' curves.
#include "io/geo/features.h"
#include "models/tsunami/export/notice.h"
#include "models/tsunami/hazard/private.h"

#include <math.h>

static enum status begin(const struct hazard *h, const char *name, struct whole_file *file)
{
    char path[PATH_BYTES + 32];
    snprintf(path, sizeof path, "%s/%s", h->request->directory, name);
    return whole_file_begin(file, path);
}

static void next(FILE *stream, double value)
{
    fputc(',', stream);
    geo_csv_number(stream, value);
}

static void head_heights(const struct hazard *h, FILE *stream, const char *name)
{
    const struct hazard_result *result = h->result;
    fprintf(stream, ",%s_mean_m", name);
    for (size_t p = 0; p < HAZARD_PERCENTILES; p++)
        fprintf(stream, ",%s_p%g_m", name, hazard_percentiles[p]);
    for (size_t t = 0; t < result->threshold_count; t++)
        fprintf(stream, ",%s_above_%g_m", name, result->thresholds_m[t]);
}

static void write_heights(const struct hazard *h, FILE *stream, const double *values_m)
{
    const size_t count = hazard_entries(h, values_m, h->entries);
    next(stream, weighted_mean(h->entries, count));
    weighted_sort(h->entries, count);
    for (size_t p = 0; p < HAZARD_PERCENTILES; p++)
        next(stream, weighted_quantile(h->entries, count, hazard_percentiles[p] / 100));
    for (size_t t = 0; t < h->result->threshold_count; t++)
        next(stream, weighted_share_above(h->entries, count, h->result->thresholds_m[t]));
}

// After the arrivals, to the end of the line: the states.
static void head_states(const struct hazard *h, FILE *stream)
{
    fputs(",not_reached", stream);
    for (size_t t = 0; t <= h->result->threshold_count; t++)
        fprintf(stream, ",threat_%zu", t);
    fputs(",lower_bound,event,notice\r\n", stream);
}

static void write_states(const struct hazard *h, FILE *stream, const double shares[HAZARD_THRESHOLDS_MAX + 2],
                         double sum, double lower_bound)
{
    for (size_t k = 0; k < h->result->threshold_count + 2; k++)
        next(stream, sum > 0 ? shares[k] / sum : (double)NAN);
    next(stream, sum > 0 ? lower_bound : (double)NAN);
    fputc(',', stream);
    geo_csv_text(stream, h->request->title);
    fputc(',', stream);
    geo_csv_text(stream, HAZARD_NOTICE);
    fputs("\r\n", stream);
}

// ---- points

static const char *const names[2] = {"crest", "coastal_height"};

static void write_row(const struct hazard *h, FILE *stream, size_t point)
{
    const struct points_result *first = &h->points.first;
    const size_t row = point * h->request->member_count;
    double shares[HAZARD_THRESHOLDS_MAX + 2];
    const double sum =
        hazard_states(h, h->points.values[HAZARD_COASTAL] + row, h->points.reached + row, shares);
    geo_csv_text(stream, first->names[point]);
    next(stream, first->values[POINTS_LONGITUDE][point]);
    next(stream, first->values[POINTS_LATITUDE][point]);
    next(stream, sum);
    for (int q = 0; q < 2; q++)
        write_heights(h, stream, h->points.values[q] + row);
    const struct hazard_arrival arrival = hazard_arrival_of(h, h->points.values[HAZARD_ARRIVAL] + row);
    next(stream, arrival.earliest_s);
    next(stream, arrival.median_s);
    next(stream, arrival.probability);
    write_states(h, stream, shares, sum, h->points.lower_bound[point]);
}

static enum status write_points(const struct hazard *h)
{
    struct whole_file file;
    CHECK(begin(h, "hazard_points.csv", &file));
    fprintf(file.stream, "name,%s,weight_of_members",
            h->points.first.is_geographic ? "longitude,latitude" : "x_m,y_m");
    for (int q = 0; q < 2; q++)
        head_heights(h, file.stream, names[q]);
    fputs(",arrival_earliest_s,arrival_median_s,arrival_probability", file.stream);
    head_states(h, file.stream);
    for (size_t k = 0; k < h->points.first.count; k++)
        write_row(h, file.stream, k);
    return whole_file_end(&file, STATUS_OK);
}

static void write_curve(const struct hazard *h, FILE *stream, size_t point)
{
    for (int q = 0; q < 2; q++) {
        const double *values_m = h->points.values[q] + point * h->request->member_count;
        const size_t count = hazard_entries(h, values_m, h->entries);
        for (size_t k = 0; k < HAZARD_CURVE && count > 0; k++) {
            geo_csv_text(stream, h->points.first.names[point]);
            fprintf(stream, ",%s", names[q]);
            next(stream, h->curve_m[k]);
            next(stream, weighted_share_above(h->entries, count, h->curve_m[k]));
            fputs("\r\n", stream);
        }
    }
}

static enum status write_curves(const struct hazard *h)
{
    struct whole_file file;
    CHECK(begin(h, "exceedance.csv", &file));
    fputs("name,quantity,height_m,probability\r\n", file.stream);
    for (size_t k = 0; k < h->points.first.count; k++)
        write_curve(h, file.stream, k);
    return whole_file_end(&file, STATUS_OK);
}

// ---- zones

static void write_zone(const struct hazard *h, FILE *stream, size_t zone)
{
    const struct hazard_zones *z = &h->zones;
    const size_t row = zone * h->request->member_count;
    double shares[HAZARD_THRESHOLDS_MAX + 2];
    const double sum = hazard_states(h, z->values[HAZARD_ZONE_HEIGHT] + row, z->reached + row, shares);
    geo_csv_text(stream, z->first.zones[zone].name);
    write_heights(h, stream, z->values[HAZARD_ZONE_CREST] + row);
    const struct hazard_arrival arrival = hazard_arrival_of(h, z->values[HAZARD_ZONE_ARRIVAL] + row);
    next(stream, arrival.earliest_s);
    for (size_t p = 0; p < HAZARD_PERCENTILES; p++)
        next(stream, arrival.percentiles_s[p]);
    next(stream, arrival.probability);
    write_states(h, stream, shares, sum, z->lower_bound[zone]);
}

static enum status write_zones(const struct hazard *h)
{
    struct whole_file file;
    CHECK(begin(h, "hazard_zones.csv", &file));
    fputs("name", file.stream);
    head_heights(h, file.stream, names[0]);
    fputs(",arrival_earliest_s", file.stream);
    for (size_t p = 0; p < HAZARD_PERCENTILES; p++)
        fprintf(file.stream, ",arrival_p%g_s", hazard_percentiles[p]);
    fputs(",arrival_probability", file.stream);
    head_states(h, file.stream);
    for (size_t k = 0; k < h->zones.first.zone_count; k++)
        write_zone(h, file.stream, k);
    return whole_file_end(&file, STATUS_OK);
}

// ---- all

enum status hazard_tables_write(struct hazard *h)
{
    if (h->points.first.count > 0) {
        CHECK(write_points(h));
        CHECK(write_curves(h));
    }
    return h->zones.first.zone_count > 0 ? write_zones(h) : STATUS_OK;
}
