// The points as tables: a row for each with its percentiles and probabilities, and all curves.
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

static void write_heading(const struct hazard *h, FILE *stream)
{
    const struct hazard_result *result = h->result;
    const bool is_geographic = h->points.first.is_geographic;
    fprintf(stream, "name,%s,weight_of_members", is_geographic ? "longitude,latitude" : "x_m,y_m");
    static const char *const names[2] = {"crest", "coastal_height"};
    for (int q = 0; q < 2; q++) {
        fprintf(stream, ",%s_mean_m", names[q]);
        for (size_t p = 0; p < HAZARD_PERCENTILES; p++)
            fprintf(stream, ",%s_p%g_m", names[q], hazard_percentiles[p]);
        for (size_t t = 0; t < result->threshold_count; t++)
            fprintf(stream, ",%s_above_%g_m", names[q], result->thresholds_m[t]);
    }
    fprintf(stream, ",arrival_earliest_s,arrival_median_s,arrival_probability,not_reached");
    for (size_t t = 0; t <= result->threshold_count; t++)
        fprintf(stream, ",threat_%zu", t);
    fprintf(stream, ",event,notice\r\n");
}

static void next(FILE *stream, double value)
{
    fputc(',', stream);
    geo_csv_number(stream, value);
}

static void write_heights(const struct hazard *h, FILE *stream, enum hazard_quantity q, size_t point)
{
    const size_t count = hazard_points_entries(h, q, point, h->entries);
    next(stream, weighted_mean(h->entries, count));
    weighted_sort(h->entries, count);
    for (size_t p = 0; p < HAZARD_PERCENTILES; p++)
        next(stream, weighted_quantile(h->entries, count, hazard_percentiles[p] / 100));
    for (size_t t = 0; t < h->result->threshold_count; t++)
        next(stream, weighted_share_above(h->entries, count, h->result->thresholds_m[t]));
}

static void write_row(const struct hazard *h, FILE *stream, size_t point)
{
    const struct points_result *first = &h->points.first;
    double shares[HAZARD_THRESHOLDS_MAX + 2];
    const double sum = hazard_points_states(h, point, shares);
    geo_csv_text(stream, first->names[point]);
    next(stream, first->values[POINTS_LONGITUDE][point]);
    next(stream, first->values[POINTS_LATITUDE][point]);
    next(stream, sum);
    write_heights(h, stream, HAZARD_CREST, point);
    write_heights(h, stream, HAZARD_COASTAL, point);
    const size_t count = hazard_points_entries(h, HAZARD_ARRIVAL, point, h->entries);
    weighted_sort(h->entries, count);
    const double earliest_s = weighted_least(h->entries, count),
                 median_s = weighted_quantile(h->entries, count, 0.5);
    next(stream, isfinite(earliest_s) ? earliest_s : (double)NAN);
    next(stream, isfinite(median_s) ? median_s : (double)NAN);
    next(stream, 1 - weighted_share_above(h->entries, count, 1e300));
    for (size_t k = 0; k < h->result->threshold_count + 2; k++)
        next(stream, sum > 0 ? shares[k] / sum : (double)NAN);
    fputc(',', stream);
    geo_csv_text(stream, h->request->title);
    fputc(',', stream);
    geo_csv_text(stream, HAZARD_NOTICE);
    fputs("\r\n", stream);
}

static enum status write_points(const struct hazard *h)
{
    struct whole_file file;
    CHECK(begin(h, "hazard_points.csv", &file));
    write_heading(h, file.stream);
    for (size_t k = 0; k < h->points.first.count; k++)
        write_row(h, file.stream, k);
    return whole_file_end(&file, STATUS_OK);
}

static void write_curve(const struct hazard *h, FILE *stream, size_t point)
{
    static const char *const names[2] = {"crest", "coastal_height"};
    for (int q = 0; q < 2; q++) {
        const size_t count = hazard_points_entries(h, (enum hazard_quantity)q, point, h->entries);
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

enum status hazard_tables_write(struct hazard *h)
{
    if (h->points.first.count == 0)
        return STATUS_OK;
    CHECK(write_points(h));
    return write_curves(h);
}
