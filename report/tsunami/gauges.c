// The gauges of a report: model series, observed records, arrivals and first peaks. Knows the layout of
// gauges.nc and run.json; draws nothing.
#include "report/context.h"

#include "report/style.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Stations read at a time: a series of gauges is stored with all stations of one time together.
enum { GROUP = 16 };

// An observed peak is looked for this far on both sides of the model's, as a part of the travel time. Near
// the source, bottom pressure records hold seismic waves before the tsunami: the whole record would find
// those.
static const double peak_window = 0.2;

void report_free_series(struct report_series *series)
{
    free(series->times_s);
    free(series->values_m);
    *series = (struct report_series){0};
}

void report_free_gauges(struct report *report)
{
    for (size_t k = 0; k < report->gauge_count; k++) {
        report_free_series(&report->gauges[k].model);
        report_free_series(&report->gauges[k].observed);
    }
    free(report->gauges);
    report->gauges = NULL;
    report->gauge_count = 0;
}

size_t report_largest_between(const struct report_series *series, double begin_s, double end_s)
{
    size_t best = series->count;
    for (size_t k = 0; k < series->count; k++)
        if (series->times_s[k] >= begin_s && series->times_s[k] <= end_s && isfinite(series->values_m[k]) &&
            (best == series->count || series->values_m[k] > series->values_m[best]))
            best = k;
    return best;
}

// The level from which the arrival counts. Results without run.json do not tell: it then is the first record.
static double level_at(const struct report_gauge *gauge, double time_s)
{
    const double first = gauge->model.count > 0 ? gauge->model.values_m[0] + fmin(0, gauge->depth_m) : 0;
    if (isnan(gauge->level_m))
        return isfinite(first) ? first : 0;
    if (!(time_s < gauge->level_from_s))
        return gauge->level_m;
    return gauge->level_at_start_m +
           (gauge->level_m - gauge->level_at_start_m) * time_s / gauge->level_from_s;
}

// How high the water stands above that level, on land the depth of the flow; NaN where it is dry.
static double rise_m(const struct report_gauge *gauge, size_t k)
{
    return gauge->model.values_m[k] + fmin(0, gauge->depth_m) - level_at(gauge, gauge->model.times_s[k]);
}

size_t report_first_crest(const struct report_gauge *gauge, double start_s)
{
    const struct report_series *series = &gauge->model;
    double highest_m = 0, crest_m = 0;
    for (size_t k = 0; k < series->count; k++)
        if (series->times_s[k] >= start_s)
            highest_m = fmax(highest_m, rise_m(gauge, k));
    size_t best = series->count;
    for (size_t k = 0; k < series->count; k++) {
        if (series->times_s[k] < start_s)
            continue;
        const double value_m = rise_m(gauge, k);
        if (value_m > crest_m) {
            crest_m = value_m;
            best = k;
        } else if (best < series->count && crest_m >= 0.2 * highest_m && !(value_m >= 0.5 * crest_m)) {
            if (best > 0 && !(rise_m(gauge, best - 1) >= crest_m))
                return best;
            // The level has fallen since the first sample: what it fell from is no crest.
            crest_m = 0;
            best = series->count;
        }
    }
    return series->count;
}

// Splits a line into its columns and reads two of them.
static bool parse_columns(const char *line, int time_column, int value_column, double *time, double *value)
{
    static const char separators[] = " \t,;\r\n";
    bool has_time = false, has_value = false;
    const char *p = line + strspn(line, separators);
    for (int column = 0; *p; column++) {
        char *end;
        double number = strtod(p, &end);
        bool is_number = end > p && (*end == '\0' || strchr(separators, *end));
        if (column == time_column && is_number && isfinite(number)) {
            *time = number;
            has_time = true;
        }
        if (column == value_column && is_number) {
            *value = number;
            has_value = true;
        }
        p += strcspn(p, separators);
        p += strspn(p, separators);
    }
    return has_time && has_value;
}

static enum status append_sample(struct report_series *series, size_t *capacity, double time, double value,
                                 const char *path)
{
    if (series->count == *capacity) {
        *capacity = *capacity ? 2 * *capacity : 1024;
        double *times = realloc(series->times_s, *capacity * sizeof *times);
        if (!times)
            return FAIL(STATUS_SYSTEM, "%s: not enough memory to read it", path);
        series->times_s = times;
        float *values = realloc(series->values_m, *capacity * sizeof *values);
        if (!values)
            return FAIL(STATUS_SYSTEM, "%s: not enough memory to read it", path);
        series->values_m = values;
    }
    series->times_s[series->count] = time;
    series->values_m[series->count++] = (float)value;
    return STATUS_OK;
}

static enum status read_observed_lines(FILE *stream, const char *path, const int columns[2], int skip_lines,
                                       struct report_series *series)
{
    char line[4096];
    size_t capacity = 0;
    for (int number = 1; fgets(line, sizeof line, stream); number++) {
        const char *start = line + strspn(line, " \t\r\n");
        if (number <= skip_lines || *start == '\0' || *start == '#')
            continue;
        double time = NAN, value = NAN;
        if (!parse_columns(line, columns[0], columns[1], &time, &value))
            return FAIL(STATUS_DATA,
                        "%s: line %d: expected numbers in columns %d (time, s) and %d (value, m)", path,
                        number, columns[0], columns[1]);
        if (series->count > 0 && time < series->times_s[series->count - 1])
            return FAIL(STATUS_DATA, "%s: line %d: time %g s is before the line above (%g s)", path, number,
                        time, series->times_s[series->count - 1]);
        CHECK(append_sample(series, &capacity, time, value, path));
    }
    if (ferror(stream))
        return FAIL(STATUS_IO, "%s: reading failed: %s", path, strerror(errno));
    if (series->count == 0)
        return FAIL(STATUS_DATA, "%s: holds no samples", path);
    return STATUS_OK;
}

enum status report_read_observed(const char *path, int time_column, int value_column, int skip_lines,
                                 struct report_series *series)
{
    *series = (struct report_series){0};
    FILE *stream = fopen(path, "r");
    if (!stream)
        return FAIL(STATUS_NO_INPUT, "%s: %s", path, strerror(errno));
    enum status status =
        read_observed_lines(stream, path, (int[]){time_column, value_column}, skip_lines, series);
    fclose(stream);
    if (status != STATUS_OK)
        report_free_series(series);
    return status;
}

// As given, in the result folder, in the folder of --observations (with and without the folders in its name).
static bool find_observed(const struct report *report, const char *file, char found[REPORT_PATH_BYTES])
{
    const char *base = strrchr(file, '/');
    base = base ? base + 1 : file;
    const char *folders[] = {NULL, report->options.directory, report->options.observations,
                             report->options.observations};
    for (int k = 0; k < 4; k++) {
        if (k > 0 && !folders[k])
            continue;
        int length = k == 0 ? snprintf(found, REPORT_PATH_BYTES, "%s", file)
                            : snprintf(found, REPORT_PATH_BYTES, "%s/%s", folders[k], k == 3 ? base : file);
        if (length < REPORT_PATH_BYTES && access(found, R_OK) == 0)
            return true;
    }
    return false;
}

static int integer_of(const cJSON *object, const char *key, int otherwise)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsNumber(item) ? item->valueint : otherwise;
}

// A record that cannot be used is worth a warning, not the loss of the report.
static void read_observed_of(struct report *report, struct report_gauge *gauge, const cJSON *observed)
{
    const cJSON *file = cJSON_GetObjectItemCaseSensitive(observed, "file");
    if (!cJSON_IsString(file))
        return;
    snprintf(gauge->observed_file, sizeof gauge->observed_file, "%s", file->valuestring);
    char path[REPORT_PATH_BYTES];
    if (!find_observed(report, file->valuestring, path)) {
        // Who names a folder of records expects them there; who has none needs no warning for each.
        gauge->is_observed_missing = report->options.observations == NULL;
        if (report->options.observations)
            report_warn(
                report,
                "gauge %s: observed record %s was not found (looked here, in the result folder and in %s)",
                gauge->name, file->valuestring, report->options.observations);
        return;
    }
    if (report_read_observed(path, integer_of(observed, "time_column", 0),
                             integer_of(observed, "value_column", 1), integer_of(observed, "skip_lines", 0),
                             &gauge->observed) != STATUS_OK) {
        report_warn(report, "gauge %s: %s", gauge->name, status_message());
        status_clear();
    }
}

// A user without the records is told once, and where to put them: it is no fault of the run.
static void say_missing_records(const struct report *report)
{
    char names[160] = "";
    size_t missing = 0;
    for (size_t k = 0; k < report->gauge_count; k++) {
        if (!report->gauges[k].is_observed_missing)
            continue;
        const size_t length = strlen(names);
        missing++;
        if (length + strlen(report->gauges[k].name) + 3 < sizeof names)
            snprintf(names + length, sizeof names - length, "%s%s", length ? ", " : "",
                     report->gauges[k].name);
    }
    if (missing > 0)
        fprintf(
            stderr,
            "fathom: report: no observations beside the gauges %s: the files of their records are not here "
            "(--observations DIR says where)\n",
            names);
}

static void read_levels_of(struct report_gauge *gauge, const cJSON *item)
{
    gauge->level_at_start_m = report_json_number(item, "level_at_start_m");
    gauge->level_m = report_json_number(item, "level_m");
    gauge->level_from_s = report_json_number(item, "level_from_s");
}

static void read_observed_in(struct report *report, const struct report_grid *grid)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(grid->run, "gauges"))
    {
        const cJSON *name = cJSON_GetObjectItemCaseSensitive(item, "name");
        const cJSON *observed = cJSON_GetObjectItemCaseSensitive(item, "observed");
        for (size_t k = 0; k < report->gauge_count && cJSON_IsString(name); k++) {
            struct report_gauge *gauge = &report->gauges[k];
            if (strcmp(gauge->name, name->valuestring) != 0)
                continue;
            if (grid == &report->grids[gauge->grid])
                read_levels_of(gauge, item);
            if (observed && gauge->observed.count == 0)
                read_observed_of(report, gauge, observed);
        }
    }
}

static void read_all_observed(struct report *report)
{
    for (size_t g = 0; g < report->grid_count; g++)
        read_observed_in(report, &report->grids[g]);
    say_missing_records(report);
}

// ---- the gauges of one grid

// Those of a gauges.nc, before they are put together with other grids'.
struct stations {
    const struct result_file *file;
    size_t count;
    struct report_gauge *gauges;
    bool have_positions;
};

// One figure per station, if the file has it: the first of the names that exists.
static enum status read_constant(struct stations *stations, const char *const *names, size_t offset,
                                 bool *is_there)
{
    for (const char *const *name = names; *name; name++) {
        const struct result_variable *variable = result_find(stations->file, *name);
        if (!variable || variable->is_text || variable->rank != 1 || variable->lengths[0] != stations->count)
            continue;
        double *values;
        size_t length;
        CHECK(result_read_all(stations->file, *name, &values, &length));
        for (size_t k = 0; k < length; k++)
            *(double *)(void *)((char *)&stations->gauges[k] + offset) = values[k];
        free(values);
        if (is_there)
            *is_there = true;
        return STATUS_OK;
    }
    return STATUS_OK;
}

static enum status read_names(struct stations *stations)
{
    for (size_t k = 0; k < stations->count; k++)
        snprintf(stations->gauges[k].name, sizeof stations->gauges[k].name, "%zu", k + 1);
    const struct result_variable *variable = result_find(stations->file, "name");
    if (!variable || !variable->is_text || variable->lengths[0] != stations->count)
        return STATUS_OK;
    char **texts;
    size_t length;
    CHECK(result_read_texts(stations->file, "name", &texts, &length));
    for (size_t k = 0; k < length; k++)
        snprintf(stations->gauges[k].name, sizeof stations->gauges[k].name, "%s", texts[k]);
    result_free_texts(texts, length);
    return STATUS_OK;
}

static enum status read_constants(struct stations *stations)
{
    static const char *const x_names[] = {"lon", "x", NULL}, *const y_names[] = {"lat", "y", NULL};
    static const char *const distance[] = {"distance", NULL}, *const depth[] = {"depth", NULL};
    bool has_x = false, has_y = false;
    CHECK(read_constant(stations, x_names, offsetof(struct report_gauge, longitude), &has_x));
    CHECK(read_constant(stations, y_names, offsetof(struct report_gauge, latitude), &has_y));
    CHECK(read_constant(stations, distance, offsetof(struct report_gauge, distance_m), NULL));
    CHECK(read_constant(stations, depth, offsetof(struct report_gauge, depth_m), NULL));
    stations->have_positions = has_x && has_y;
    return read_names(stations);
}

static const struct result_variable *series_of(const struct report_grid *grid)
{
    const struct result_variable *eta = result_find(grid->gauges, "eta");
    return eta && eta->rank == 2 && eta->lengths[1] > 0 && result_find(grid->gauges, "time") ? eta : NULL;
}

// ---- all grids' gauges

// The same gauge in another grid's list: of its name, at its place.
static struct report_gauge *find_same(struct report *report, const struct report_gauge *gauge)
{
    for (size_t k = 0; k < report->gauge_count; k++) {
        struct report_gauge *other = &report->gauges[k];
        const bool is_elsewhere = fabs(other->longitude - gauge->longitude) > 1e-9 * fabs(gauge->longitude) ||
                                  fabs(other->latitude - gauge->latitude) > 1e-9 * fabs(gauge->latitude);
        if (other->grid != gauge->grid && !is_elsewhere && strcmp(other->name, gauge->name) == 0)
            return other;
    }
    return NULL;
}

// In the order of the outermost grid's list; each in the deepest grid that holds it.
static enum status merge(struct report *report, const struct stations *stations)
{
    struct report_gauge *longer =
        realloc(report->gauges, (report->gauge_count + stations->count) * sizeof *longer);
    if (!longer)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for %zu gauges",
                    report->gauge_count + stations->count);
    report->gauges = longer;
    for (size_t k = 0; k < stations->count; k++) {
        const struct report_gauge *gauge = &stations->gauges[k];
        struct report_gauge *same = find_same(report, gauge);
        if (!same)
            report->gauges[report->gauge_count++] = *gauge;
        else if (report->grids[gauge->grid].depth > report->grids[same->grid].depth)
            *same = *gauge;
    }
    return STATUS_OK;
}

static enum status add_stations(struct report *report, size_t g)
{
    const struct result_variable *eta = series_of(&report->grids[g]);
    if (!eta)
        return STATUS_OK;
    struct stations stations = {.file = report->grids[g].gauges, .count = eta->lengths[1]};
    stations.gauges = calloc(stations.count, sizeof *stations.gauges);
    if (!stations.gauges)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for %zu gauges", stations.count);
    for (size_t k = 0; k < stations.count; k++)
        stations.gauges[k] = (struct report_gauge){.grid = g,
                                                   .station = k,
                                                   .longitude = NAN,
                                                   .latitude = NAN,
                                                   .distance_m = NAN,
                                                   .depth_m = NAN,
                                                   .arrival_s = NAN,
                                                   .level_at_start_m = NAN,
                                                   .level_m = NAN,
                                                   .level_from_s = NAN,
                                                   .first_peak_s = NAN,
                                                   .first_peak_m = NAN,
                                                   .maximum_s = NAN,
                                                   .maximum_m = NAN,
                                                   .minimum_m = NAN,
                                                   .observed_peak_s = NAN,
                                                   .observed_peak_m = NAN};
    enum status status = read_constants(&stations);
    report->gauges_have_positions =
        stations.have_positions && (report->gauge_count == 0 || report->gauges_have_positions);
    if (status == STATUS_OK)
        status = merge(report, &stations);
    free(stations.gauges);
    return status;
}

// ---- figures

static void find_extremes(struct report_gauge *gauge)
{
    const struct report_series *series = &gauge->model;
    for (size_t k = 0; k < series->count; k++) {
        double value = series->values_m[k];
        if (isfinite(value) && !(gauge->maximum_m >= value)) {
            gauge->maximum_m = value;
            gauge->maximum_s = series->times_s[k];
        }
        if (isfinite(value) && !(gauge->minimum_m <= value))
            gauge->minimum_m = value;
    }
}

double report_gauge_size_m(const struct report_gauge *gauge)
{
    return fmax(fabs(gauge->maximum_m), fabs(gauge->minimum_m));
}

double report_least_height_m(const struct report *report)
{
    double largest_m = isfinite(report->grids[0].largest_m) ? fabs(report->grids[0].largest_m) : 0;
    for (size_t k = 0; k < report->gauge_count; k++)
        largest_m = fmax(largest_m, report_gauge_size_m(&report->gauges[k]));
    return fmin(1e-3, fmax(1e-6, pow(10, round(log10(largest_m)) - 3))); // log10(0) = −∞ gives 1 µm
}

static void find_arrival_and_peak(struct report_gauge *gauge, double threshold_m)
{
    const struct report_series *series = &gauge->model;
    for (size_t k = 0; k < series->count && isnan(gauge->arrival_s); k++)
        if (rise_m(gauge, k) >= threshold_m)
            gauge->arrival_s = series->times_s[k];
    if (isnan(gauge->arrival_s))
        return;
    size_t crest = report_first_crest(gauge, gauge->arrival_s);
    if (crest == series->count)
        return;
    gauge->first_peak_s = series->times_s[crest];
    gauge->first_peak_m = series->values_m[crest];
}

static void find_observed_peak(struct report_gauge *gauge)
{
    double reach_s = peak_window * gauge->first_peak_s;
    size_t k = report_largest_between(&gauge->observed, gauge->first_peak_s - reach_s,
                                      gauge->first_peak_s + reach_s);
    // A record that begins or ends here, or that is higher beside the window, shows no crest.
    if (isnan(gauge->first_peak_s) || k == 0 || k + 1 >= gauge->observed.count ||
        gauge->observed.values_m[k - 1] > gauge->observed.values_m[k] ||
        gauge->observed.values_m[k + 1] > gauge->observed.values_m[k])
        return;
    gauge->observed_peak_s = gauge->observed.times_s[k];
    gauge->observed_peak_m = gauge->observed.values_m[k];
}

static enum status copy_series(const double *times_s, const double *block, size_t count, size_t stations,
                               size_t station, struct report_series *series)
{
    series->times_s = malloc((count + 1) * sizeof *series->times_s);
    series->values_m = malloc((count + 1) * sizeof *series->values_m);
    if (!series->times_s || !series->values_m)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for a gauge of %zu samples", count);
    series->count = count;
    for (size_t k = 0; k < count; k++) {
        series->times_s[k] = times_s[k];
        series->values_m[k] = (float)block[k * stations + station];
    }
    return STATUS_OK;
}

static void work_out(const struct report *report, struct report_gauge *gauge)
{
    find_extremes(gauge);
    find_arrival_and_peak(gauge, report->arrival_threshold_m);
    find_observed_peak(gauge);
}

// Reads eta of a grid's `stations` gauges from `first` on, and works out the figures of those that are shown
// from there.
static enum status read_group(struct report *report, size_t g, const double *times_s, size_t count,
                              size_t first, size_t stations, double *block)
{
    CHECK(result_read(report->grids[g].gauges, "eta", (size_t[]){0, first}, (size_t[]){count, stations},
                      block));
    for (size_t k = 0; k < report->gauge_count; k++) {
        struct report_gauge *gauge = &report->gauges[k];
        if (gauge->grid != g || gauge->station < first || gauge->station >= first + stations)
            continue;
        CHECK(copy_series(times_s, block, count, stations, gauge->station - first, &gauge->model));
        work_out(report, gauge);
        if (k >= REPORT_GAUGES_DRAWN_MAX)
            report_free_series(&gauge->model);
    }
    return STATUS_OK;
}

static enum status read_groups(struct report *report, size_t g, const double *times_s, size_t count,
                               size_t stations)
{
    double *block = malloc((count + 1) * GROUP * sizeof *block);
    if (!block)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for %d gauges of %zu samples", (int)GROUP,
                    count);
    enum status status = STATUS_OK;
    for (size_t first = 0; first < stations && status == STATUS_OK; first += GROUP) {
        size_t left = stations - first;
        status = read_group(report, g, times_s, count, first, left < GROUP ? left : GROUP, block);
    }
    free(block);
    return status;
}

static enum status read_all_series(struct report *report, size_t g)
{
    const struct result_file *file = report->grids[g].gauges;
    const struct result_variable *eta = series_of(&report->grids[g]);
    if (!eta)
        return STATUS_OK;
    double *times_s;
    size_t count;
    CHECK(result_read_all(file, "time", &times_s, &count));
    const enum status status = count == eta->lengths[0]
                                   ? read_groups(report, g, times_s, count, eta->lengths[1])
                                   : FAIL(STATUS_DATA, "%s: %zu times for %zu records of eta",
                                          result_path(file), count, eta->lengths[0]);
    free(times_s);
    return status;
}

enum status report_read_gauges(struct report *report)
{
    for (size_t g = 0; g < report->grid_count; g++)
        CHECK(add_stations(report, g));
    read_all_observed(report);
    for (size_t g = 0; g < report->grid_count; g++)
        CHECK(read_all_series(report, g));
    return STATUS_OK;
}
