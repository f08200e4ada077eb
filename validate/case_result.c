// Results of a case's jobs (see case_job.h).
#include "validate/case_job.h"

#include "io/netcdf/result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void case_series_free(struct case_series *series)
{
    free(series->time_s);
    free(series->value);
    *series = (struct case_series){0};
}

static enum status allocate(struct case_series *series, size_t count, const char *about)
{
    *series = (struct case_series){.time_s = malloc((count + 1) * sizeof *series->time_s),
                                   .value = malloc((count + 1) * sizeof *series->value)};
    if (series->time_s && series->value)
        return STATUS_OK;
    case_series_free(series);
    return FAIL(STATUS_SYSTEM, "%s: not enough memory for %zu samples", about, count);
}

// ---- gauges.nc

static enum status find_gauge(const struct result_file *file, const char *gauge, size_t *station)
{
    char **names;
    size_t count;
    CHECK(result_read_texts(file, "name", &names, &count));
    for (*station = 0; *station < count && strcmp(names[*station], gauge) != 0;)
        ++*station;
    result_free_texts(names, count);
    return *station < count ? STATUS_OK
                            : FAIL(STATUS_DATA, "%s: has no gauge \"%s\"", result_path(file), gauge);
}

static enum status read_gauge(const struct result_file *file, const char *gauge, struct case_series *series,
                              double *depth_m)
{
    size_t station;
    const struct result_variable *eta = result_find(file, "eta");
    if (!eta || eta->rank != 2)
        return FAIL(STATUS_DATA, "%s: has no series of the elevation", result_path(file));
    CHECK(find_gauge(file, gauge, &station));
    if (depth_m)
        CHECK(result_read(file, "depth", &station, (const size_t[]){1}, depth_m));
    CHECK(allocate(series, eta->lengths[0], result_path(file)));
    const size_t start[2] = {0, station}, count[2] = {eta->lengths[0], 1};
    series->count = count[0];
    enum status status = result_read(file, "time", start, count, series->time_s);
    if (status == STATUS_OK)
        status = result_read(file, "eta", start, count, series->value);
    if (status != STATUS_OK)
        case_series_free(series);
    return status;
}

enum status case_read_gauge_of(const struct validation_run *run, const char *name, const char *file_name,
                               const char *gauge, struct case_series *series, double *depth_m)
{
    char relative[2 * VALIDATION_NAME_BYTES], path[PATH_BYTES];
    struct result_file *file;
    snprintf(relative, sizeof relative, "%s/%s", name, file_name);
    case_path(run, relative, path);
    CHECK(result_open(path, &file));
    enum status status = read_gauge(file, gauge, series, depth_m);
    result_close(file);
    return status;
}

enum status case_read_gauge(const struct validation_run *run, const char *name, const char *gauge,
                            struct case_series *series)
{
    return case_read_gauge_of(run, name, "gauges.nc", gauge, series, NULL);
}

enum status case_read_variable(const struct validation_run *run, const char *name, const char *file_name,
                               const char *variable, double **values, size_t shape[4])
{
    char relative[2 * VALIDATION_NAME_BYTES], path[PATH_BYTES];
    struct result_file *file;
    size_t length;
    snprintf(relative, sizeof relative, "%s/%s", name, file_name);
    case_path(run, relative, path);
    CHECK(result_open(path, &file));
    const struct result_variable *known = result_find(file, variable);
    for (int k = 0; k < 4; k++)
        shape[k] = known && k < known->rank ? known->lengths[k] : 0;
    enum status status = result_read_all(file, variable, values, &length);
    result_close(file);
    return status;
}

static enum status add_differences(const struct validation_run *run, const char *one, const char *other,
                                   const struct case_variable *v, double *count)
{
    double *a = NULL, *b = NULL;
    size_t shape_a[4], shape_b[4], length = 1;
    enum status status = case_read_variable(run, one, v->file, v->variable, &a, shape_a);
    if (status == STATUS_OK)
        status = case_read_variable(run, other, v->file, v->variable, &b, shape_b);
    if (status == STATUS_OK && memcmp(shape_a, shape_b, sizeof shape_a) != 0)
        status = FAIL(STATUS_DATA, "the jobs %s and %s left %s of different sizes in %s", one, other,
                      v->variable, v->file);
    for (int k = 0; k < 4 && status == STATUS_OK && shape_a[k] > 0; k++)
        length *= shape_a[k];
    for (size_t k = 0; k < length && status == STATUS_OK; k++)
        *count += memcmp(&a[k], &b[k], sizeof *a) != 0;
    free(a);
    free(b);
    return status;
}

enum status case_count_differences(const struct validation_run *run, const char *one, const char *other,
                                   const struct case_variable *variables, double *count)
{
    *count = 0;
    for (; variables->file; variables++)
        CHECK(add_differences(run, one, other, variables, count));
    return STATUS_OK;
}

// ---- series

double case_series_at(const struct case_series *series, double time_s)
{
    size_t low = 0, high = series->count;
    if (series->count == 0 || !(time_s >= series->time_s[0] && time_s <= series->time_s[series->count - 1]))
        return NAN;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (series->time_s[middle] <= time_s)
            low = middle;
        else
            high = middle;
    }
    if (low + 1 == series->count)
        return series->value[low];
    const double share = (time_s - series->time_s[low]) / (series->time_s[low + 1] - series->time_s[low]);
    return (1 - share) * series->value[low] + share * series->value[low + 1];
}

struct case_peak case_series_peak(const struct case_series *series, double begin_s, double end_s)
{
    struct case_peak peak = {NAN, NAN};
    for (size_t k = 0; k < series->count; k++)
        if (series->time_s[k] >= begin_s && series->time_s[k] <= end_s &&
            (isnan(peak.time_s) || series->value[k] > peak.value))
            peak = (struct case_peak){series->time_s[k], series->value[k]};
    return peak;
}

enum status case_series_draw(struct validation_run *run, struct validation_picture *picture, const char *name,
                             bool is_points, const struct case_series *series, double begin_s, double end_s)
{
    size_t first = 0, end = series->count;
    while (first < end && series->time_s[first] < begin_s)
        first++;
    while (end > first && series->time_s[end - 1] > end_s)
        end--;
    return validation_line(run, picture, name, is_points, series->time_s + first, series->value + first,
                           end - first);
}
