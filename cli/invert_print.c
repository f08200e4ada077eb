// The fit of an inversion as JSON, as text and as CSV (see invert_print.h).
#include "cli/invert_print.h"

#include "io/json_file.h"
#include "io/whole_file.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- JSON

static void add_station(cJSON *list, const struct invert_report *report, size_t s)
{
    const struct invert_choice *choice = &report->choices[s];
    const struct invert_fit *fit = &report->result->fits[s];
    const struct database_series *source = &report->data->sources[s * report->request->source_count];
    cJSON *object = json_append_object(list);
    cJSON_AddStringToObject(object, "name", choice->name);
    cJSON_AddBoolToObject(object, "is_fitted", choice->is_fitted && !report->is_given);
    cJSON_AddStringToObject(object, "record", choice->record);
    cJSON_AddNumberToObject(object, "longitude_degree", source->longitude);
    cJSON_AddNumberToObject(object, "latitude_degree", source->latitude);
    cJSON_AddStringToObject(object, "sources_from",
                            source->origin == DATABASE_FROM_GAUGE ? "gauges" : "fields");
    cJSON_AddNumberToObject(object, "begin_s", fit->begin_s);
    cJSON_AddNumberToObject(object, "end_s", fit->end_s);
    cJSON_AddNumberToObject(object, "samples", (double)fit->samples);
    cJSON_AddNumberToObject(object, "weight", choice->weight);
    cJSON_AddNumberToObject(object, "offset_m", fit->offset_m);
    cJSON_AddNumberToObject(object, "rms_m", fit->rms_m);
    cJSON_AddNumberToObject(object, "variance_reduction", fit->variance_reduction);
    cJSON_AddNumberToObject(object, "observed_peak_m", fit->observed_peak_m);
    cJSON_AddNumberToObject(object, "observed_peak_s", fit->observed_peak_s);
    cJSON_AddNumberToObject(object, "fitted_peak_m", fit->fitted_peak_m);
    cJSON_AddNumberToObject(object, "fitted_peak_s", fit->fitted_peak_s);
}

cJSON *invert_fit_json(const struct invert_report *report)
{
    const struct invert_request *request = report->request;
    const struct invert_result *result = report->result;
    cJSON *fit = cJSON_CreateObject();
    cJSON_AddStringToObject(fit, "database", report->database);
    cJSON *sources = cJSON_AddArrayToObject(fit, "sources");
    for (size_t j = 0; j < request->source_count; j++)
        cJSON_AddItemToArray(sources, cJSON_CreateString(request->source_names[j]));
    cJSON_AddNumberToObject(fit, "delay_s", request->delay_s);
    cJSON_AddBoolToObject(fit, "has_offsets", request->has_offsets);
    if (!report->is_given) {
        cJSON_AddNumberToObject(fit, "damping", request->damping);
        cJSON_AddNumberToObject(fit, "observations", (double)result->nnls.rows);
        cJSON_AddNumberToObject(fit, "condition", result->nnls.condition);
        cJSON_AddNumberToObject(fit, "rms_m", result->rms_m);
        cJSON_AddNumberToObject(fit, "variance_reduction", result->variance_reduction);
    }
    cJSON_AddNumberToObject(fit, "moment_magnitude", report->magnitude);
    cJSON_AddNumberToObject(fit, "rigidity_pa", report->rigidity_pa);
    cJSON *stations = cJSON_AddArrayToObject(fit, "stations");
    for (size_t s = 0; s < request->station_count; s++)
        add_station(stations, report, s);
    return fit;
}

// ---- text

static void print_slips(const struct invert_report *report)
{
    const struct invert_request *request = report->request;
    size_t printed = 0;
    for (size_t j = 0; j < request->source_count; j++)
        if (report->result->slips_m[j] != 0)
            printf("%s%-16s %8.3f", printed++ % 3 == 0 ? "\n  " : "    ", request->source_names[j],
                   report->result->slips_m[j]);
    printf("\n\n");
}

static void print_station(const struct invert_report *report, size_t s, int width)
{
    const struct invert_fit *fit = &report->result->fits[s];
    printf("%-*s %-8s %6.0f … %-6.0f %7zu %8.4f %9.1f %% %8.3f %7.0f %8.3f %7.0f %+8.1f %% %+6.0f\n", width,
           report->choices[s].name, report->choices[s].is_fitted && !report->is_given ? "fitted" : "forecast",
           fit->begin_s, fit->end_s, fit->samples, fit->rms_m, 100 * fit->variance_reduction,
           fit->observed_peak_m, fit->observed_peak_s, fit->fitted_peak_m, fit->fitted_peak_s,
           100 * (fit->fitted_peak_m / fit->observed_peak_m - 1), fit->fitted_peak_s - fit->observed_peak_s);
}

void invert_print_text(const struct invert_report *report)
{
    const struct invert_result *result = report->result;
    int width = 8;
    for (size_t s = 0; s < report->request->station_count; s++)
        width = (int)fmax(width, (double)strlen(report->choices[s].name));
    printf("Slips (m), %s %zu unit sources of %s:", report->is_given ? "as given, of" : "0 for the rest of",
           report->request->source_count, report->database);
    print_slips(report);
    printf("%-*s %-8s %-15s %7s %8s %11s %8s %7s %8s %7s %10s %6s\n", width, "station", "", "window (s)",
           "samples", "rms (m)", "variance", "observed", "at (s)", "sum of", "at (s)", "height", "time");
    printf("%-*s %-8s %-15s %7s %8s %11s %8s %7s %8s %7s %10s %6s\n", width, "", "", "", "", "", "explained",
           "peak (m)", "", "sources", "", "", "(s)");
    for (size_t s = 0; s < report->request->station_count; s++)
        print_station(report, s, width);
    printf("\n");
    if (!report->is_given)
        printf("Fitted stations together: rms %.4f m, %.1f %% of the variance explained; condition number "
               "%.3g\n",
               result->rms_m, 100 * result->variance_reduction, result->nnls.condition);
    if (isfinite(report->magnitude))
        printf("Moment magnitude %.2f (rigidity %g GPa)\n", report->magnitude, report->rigidity_pa / 1e9);
}

// ---- CSV

static void print_rows(FILE *file, const struct invert_report *report, size_t s)
{
    const struct invert_series *record = &report->data->stations[s].observed;
    const struct invert_fit *fit = &report->result->fits[s];
    for (size_t k = 0; k < record->samples; k++) {
        const double time_s = record->times_s[k];
        fprintf(file, "\"%s\",%.10g,%.7g,", report->choices[s].name, time_s, record->eta_m[k]);
        if (isfinite(fit->fitted_m[k]))
            fprintf(file, "%.7g", fit->fitted_m[k]);
        fprintf(file, ",%d\n", time_s >= fit->begin_s && time_s <= fit->end_s);
    }
}

enum status invert_write_csv(const struct invert_report *report, const char *path)
{
    struct whole_file file;
    CHECK(whole_file_begin(&file, path));
    fputs("station,time_s,observed_m,fitted_m,in_window\n", file.stream);
    for (size_t s = 0; s < report->request->station_count; s++)
        print_rows(file.stream, report, s);
    return whole_file_end(&file, STATUS_OK);
}
