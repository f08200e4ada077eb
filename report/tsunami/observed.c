// The observed records of the gauges: text files of times and values, named in run.json. Also the levels that
// run.json states for each gauge.
#include "report/tsunami/report.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static enum status append_sample(struct panels_series *series, size_t *capacity, double time, double value,
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
                                       struct panels_series *series)
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

enum status report_tsunami_read_observed(const char *path, int time_column, int value_column, int skip_lines,
                                         struct panels_series *series)
{
    *series = (struct panels_series){0};
    FILE *stream = fopen(path, "r");
    if (!stream)
        return FAIL(STATUS_NO_INPUT, "%s: %s", path, strerror(errno));
    enum status status =
        read_observed_lines(stream, path, (int[]){time_column, value_column}, skip_lines, series);
    fclose(stream);
    if (status != STATUS_OK)
        panels_free_series(series);
    return status;
}

bool report_tsunami_find_observed(const struct report *report, const char *file,
                                  char found[REPORT_PATH_BYTES])
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
    const double number = json_number(object, key);
    return isfinite(number) ? (int)number : otherwise;
}

// What is no elevation (not a number, a mark of what is missing as 9999) becomes a gap, and is named.
static void leave_out_marks(struct report *report, struct report_gauge *gauge, const char *path)
{
    static const float largest_m = 1000;
    struct panels_series *series = &gauge->observed;
    size_t marks = 0, first = 0;
    for (size_t k = 0; k < series->count; k++) {
        if (fabsf(series->values_m[k]) <= largest_m)
            continue;
        first = marks++ == 0 ? k : first;
        series->values_m[k] = NAN;
    }
    if (marks > 0)
        report_warn(
            report,
            "gauge %s: %s: %zu of %zu samples are not a number, or beyond %g m: left out, the first at "
            "%g s",
            gauge->name, path, marks, series->count, (double)largest_m, series->times_s[first]);
}

// A record that cannot be used causes a warning; the report is drawn without it.
static void read_observed_of(struct report *report, struct report_gauge *gauge, const cJSON *observed)
{
    const char *file = json_text(observed, "file");
    char path[REPORT_PATH_BYTES];
    if (!file[0])
        return;
    snprintf(gauge->observed_file, sizeof gauge->observed_file, "%s", file);
    if (!report_tsunami_find_observed(report, file, path)) {
        // With a folder of records each missing one is an error of the user; without, one message serves for
        // all.
        gauge->is_observed_missing = report->options.observations == NULL;
        if (report->options.observations)
            report_warn(report,
                        "gauge %s: observed record %s was not found here, in the result folder or in %s",
                        gauge->name, file, report->options.observations);
        return;
    }
    if (report_tsunami_read_observed(path, integer_of(observed, "time_column", 0),
                                     integer_of(observed, "value_column", 1),
                                     integer_of(observed, "skip_lines", 0), &gauge->observed) != STATUS_OK) {
        report_warn(report, "gauge %s: %s", gauge->name, status_message());
        status_clear();
        return;
    }
    leave_out_marks(report, gauge, path);
}

// One message for all missing records, with what to do. It is no warning: the run itself is valid.
static void warn_missing_records(const struct report_waves *waves)
{
    char names[160] = "";
    size_t missing = 0;
    for (size_t k = 0; k < waves->gauge_count; k++) {
        if (!waves->gauges[k].is_observed_missing)
            continue;
        const size_t length = strlen(names);
        missing++;
        if (length + strlen(waves->gauges[k].name) + 3 < sizeof names)
            snprintf(names + length, sizeof names - length, "%s%s", length ? ", " : "",
                     waves->gauges[k].name);
    }
    if (missing > 0)
        fprintf(stderr,
                "fathom: report: no observations for the gauges %s: the files of their records were not "
                "found; name their folder by --observations DIR\n",
                names);
}

static void read_levels_of(struct report_gauge *gauge, const cJSON *item)
{
    gauge->level_at_start_m = json_number(item, "level_at_start_m");
    gauge->level_m = json_number(item, "level_m");
    gauge->level_from_s = json_number(item, "level_from_s");
}

static void read_observed_in(struct report *report, const struct report_grid *grid)
{
    const struct report_waves *waves = report_tsunami_waves(report);
    const cJSON *item;
    cJSON_ArrayForEach(item, json_member(grid->run, "gauges"))
    {
        const char *name = json_text(item, "name");
        const cJSON *observed = json_member(item, "observed");
        for (size_t k = 0; k < waves->gauge_count && name[0]; k++) {
            struct report_gauge *gauge = &waves->gauges[k];
            if (strcmp(gauge->name, name) != 0)
                continue;
            if (grid == &waves->grids[gauge->grid])
                read_levels_of(gauge, item);
            if (observed && gauge->observed.count == 0)
                read_observed_of(report, gauge, observed);
        }
    }
}

void report_tsunami_read_records(struct report *report)
{
    const struct report_waves *waves = report_tsunami_waves(report);
    for (size_t g = 0; g < waves->grid_count; g++)
        read_observed_in(report, &waves->grids[g]);
    warn_missing_records(waves);
}
