// What buoys and tide gauges recorded, beside the percentiles of the members' largest elevations. run.json
// names the records, as the members' does.
#include "report/hazard/report.h"
#include "report/tsunami/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A record may begin with seismic waves, which move a buoy's pressure gauge before any water comes. It counts
// from the time on when the 95th percentile of the members' series first has this share of its largest value.
static const double wave_share = 0.1;
static const float largest_m = 1000; // beyond: a mark of what is missing

static double first_wave_s(const struct report_hazard_series *s, size_t gauge)
{
    const double *upper_m = s->percentile_m + (HAZARD_SHOWN_PERCENTILES - 1) * s->times * s->count + gauge;
    double most_m = 0;
    for (size_t t = 0; t < s->times; t++)
        most_m = fmax(most_m, upper_m[t * s->count]); // NaN counts for nothing
    for (size_t t = 0; t < s->times && most_m > 0; t++)
        if (upper_m[t * s->count] >= wave_share * most_m)
            return s->times_s[t];
    return INFINITY;
}

static void take_largest(struct report_hazard_series *s, size_t gauge, const struct panels_series *record)
{
    const double first_s = first_wave_s(s, gauge), last_s = s->times > 0 ? s->times_s[s->times - 1] : 0;
    for (size_t k = 0; k < record->count; k++)
        if (record->times_s[k] >= first_s && record->times_s[k] <= last_s &&
            fabsf(record->values_m[k]) <= largest_m)
            s->observed_m[gauge] = fmax(s->observed_m[gauge], (double)record->values_m[k]);
}

static int integer_of(const cJSON *object, const char *key, int otherwise)
{
    const double number = json_number(object, key);
    return isfinite(number) ? (int)number : otherwise;
}

static void read_record(struct report *report, size_t gauge, const cJSON *observed)
{
    struct report_hazard_series *s = &report_hazard_state(report)->series;
    const char *file = json_text(observed, "file");
    char path[REPORT_PATH_BYTES];
    struct panels_series record = {0};
    if (!report_tsunami_find_observed(report, file, path)) {
        report_warn(report,
                    "gauge %s: its record %s was not found; name the folder of the records by --observations",
                    s->names[gauge], file);
        return;
    }
    if (report_tsunami_read_observed(path, integer_of(observed, "time_column", 0),
                                     integer_of(observed, "value_column", 1),
                                     integer_of(observed, "skip_lines", 0), &record) != STATUS_OK) {
        report_warn(report, "gauge %s: %s", s->names[gauge], status_message());
        status_clear();
    }
    take_largest(s, gauge, &record);
    panels_free_series(&record);
}

enum status report_hazard_read_observed(struct report *report)
{
    struct report_hazard_series *s = &report_hazard_state(report)->series;
    const cJSON *item;
    if (s->count == 0)
        return STATUS_OK;
    s->observed_m = malloc(s->count * sizeof *s->observed_m);
    if (!s->observed_m)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for %zu gauges", s->count);
    for (size_t g = 0; g < s->count; g++)
        s->observed_m[g] = NAN;
    cJSON_ArrayForEach(item, json_member(json_member(report->run, "hazard"), "observed"))
    {
        for (size_t g = 0; g < s->count; g++)
            if (strcmp(s->names[g], json_text(item, "gauge")) == 0)
                read_record(report, g, item);
    }
    return STATUS_OK;
}

enum report_hazard_place report_hazard_place_of(const struct report_hazard_series *s, size_t gauge)
{
    const double *m = s->largest_m + gauge * HAZARD_SHOWN_PERCENTILES, observed_m = s->observed_m[gauge];
    return isnan(observed_m) || isnan(m[0])               ? HAZARD_NOT_OBSERVED
           : observed_m < m[0]                            ? HAZARD_BELOW
           : observed_m > m[HAZARD_SHOWN_PERCENTILES - 1] ? HAZARD_ABOVE
                                                          : HAZARD_WITHIN;
}
