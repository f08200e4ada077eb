// The fit of an inversion as JSON, as text and as CSV (see invert_print.h).
#include "cli/invert_print.h"

#include "io/json_file.h"
#include "io/whole_file.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *invert_role_name(enum invert_role role)
{
    static const char *const names[] = {
        [INVERT_COMPARED] = "compared", [INVERT_FITTED] = "fitted", [INVERT_FORECAST] = "forecast"};
    return names[role];
}

// How far the shift was sought: here, or in the fit that it comes from.
static double shift_bound_s(const struct invert_report *report, size_t s)
{
    const double here_s = report->result->fits[s].bound_s;
    return here_s > 0 ? here_s : report->choices[s].shift_bound_s;
}

// ---- JSON

static void add_left_out(cJSON *station, const struct invert_left_out *left)
{
    if (!left->is_there)
        return;
    cJSON *object = cJSON_AddObjectToObject(station, "left_out");
    cJSON_AddNumberToObject(object, "variance_reduction", left->variance_reduction);
    cJSON_AddNumberToObject(object, "rms_m", left->rms_m);
    cJSON_AddNumberToObject(object, "fitted_peak_m", left->fitted_peak_m);
    cJSON_AddNumberToObject(object, "fitted_peak_s", left->fitted_peak_s);
    cJSON_AddNumberToObject(object, "others_with", left->others_with);
    cJSON_AddNumberToObject(object, "others_without", left->others_without);
    cJSON_AddBoolToObject(object, "spoils_others", left->spoils);
}

static void add_station(cJSON *list, const struct invert_report *report, size_t s)
{
    const struct invert_choice *choice = &report->choices[s];
    const struct invert_fit *fit = &report->result->fits[s];
    const struct database_series *source = &report->data->sources[s * report->request->source_count];
    cJSON *object = json_append_object(list);
    cJSON_AddStringToObject(object, "name", choice->name);
    cJSON_AddStringToObject(object, "role", invert_role_name(choice->role));
    cJSON_AddBoolToObject(object, "is_fitted", choice->role == INVERT_FITTED);
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
    cJSON_AddNumberToObject(object, "shift_s", fit->shift_s);
    cJSON_AddNumberToObject(object, "shift_bound_s", shift_bound_s(report, s));
    add_left_out(object, &report->left_out[s]);
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
    cJSON_AddNumberToObject(fit, "far_field_depth_m", report->data->far_field_depth_m);
    cJSON_AddBoolToObject(fit, "has_offsets", request->has_offsets);
    if (result->shift_rounds > 0)
        cJSON_AddNumberToObject(fit, "shift_rounds", result->shift_rounds);
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

// The record would have it shifted further: the bound is too small, or the cause is another one.
static bool is_at_bound(const struct invert_report *report, size_t s)
{
    const struct invert_fit *fit = &report->result->fits[s];
    const double bound_s = shift_bound_s(report, s);
    const double centre_s = fit->bound_s > 0 ? report->data->stations[s].shift_s : 0;
    return bound_s > 0 && fabs(fit->shift_s - centre_s) > 0.999 * bound_s;
}

static bool has_shifts(const struct invert_report *report)
{
    bool is_shifted = report->result->shift_rounds > 0;
    for (size_t s = 0; s < report->request->station_count; s++)
        is_shifted |= report->result->fits[s].shift_s != 0;
    return is_shifted;
}

// "12.3 %", or a dash where the record is 0 throughout; `width` columns and a blank and the sign.
static const char *percent(double share, int width, bool has_sign, char text[24])
{
    if (!isfinite(share))
        snprintf(text, 24, "%*s  ", width, "-");
    else
        snprintf(text, 24, has_sign ? "%+*.1f %%" : "%*.1f %%", width, 100 * share);
    return text;
}

static void print_station(const struct invert_report *report, size_t s, int width)
{
    const struct invert_fit *fit = &report->result->fits[s];
    char explained[24], higher[24];
    printf("%-*s %-8s %6.0f … %-6.0f %7zu %8.4f %s %8.3f %7.0f %8.3f %7.0f %s %+6.0f", width,
           report->choices[s].name, invert_role_name(report->choices[s].role), fit->begin_s, fit->end_s,
           fit->samples, fit->rms_m, percent(fit->variance_reduction, 9, false, explained),
           fit->observed_peak_m, fit->observed_peak_s, fit->fitted_peak_m, fit->fitted_peak_s,
           percent(fit->fitted_peak_m / fit->observed_peak_m - 1, 8, true, higher),
           fit->fitted_peak_s - fit->observed_peak_s);
    if (has_shifts(report))
        printf(" %+8.1f %8.1f%s", fit->shift_s, shift_bound_s(report, s),
               is_at_bound(report, s) ? "  at its bound" : "");
    putchar('\n');
}

static int name_width(const struct invert_report *report)
{
    int width = 8;
    for (size_t s = 0; s < report->request->station_count; s++)
        width = (int)fmax(width, (double)strlen(report->choices[s].name));
    return width;
}

void invert_print_text(const struct invert_report *report)
{
    const struct invert_result *result = report->result;
    const int width = name_width(report);
    const char *const heads[2] = {has_shifts(report) ? "    shift    bound" : "",
                                  has_shifts(report) ? "      (s)      (s)" : ""};
    printf("Slips (m), %s %zu unit sources of %s:", report->is_given ? "as given, of" : "0 for the rest of",
           report->request->source_count, report->database);
    print_slips(report);
    printf("%-*s %-8s %-15s %7s %8s %11s %8s %7s %8s %7s %10s %6s%s\n", width, "station", "", "window (s)",
           "samples", "rms (m)", "variance", "observed", "at (s)", "sum of", "at (s)", "height", "time",
           heads[0]);
    printf("%-*s %-8s %-15s %7s %8s %11s %8s %7s %8s %7s %10s %6s%s\n", width, "", "", "", "", "",
           "explained", "peak (m)", "", "sources", "", "", "(s)", heads[1]);
    for (size_t s = 0; s < report->request->station_count; s++)
        print_station(report, s, width);
    printf("\n");
    if (has_shifts(report))
        printf("shift: positive where the record comes later than the sources say. Forecast stations are not "
               "shifted\n");
    if (report->data->far_field_depth_m > 0)
        printf("The sources' waves are corrected for the far field over an ocean of %g m\n",
               report->data->far_field_depth_m);
    if (report->is_as_fitted)
        printf("Windows, delay, shifts, offsets and far field as in the fit of these slips, where no option "
               "gives another\n");
    char explained[24];
    if (!report->is_given)
        printf("Fitted stations together: rms %.4f m, %s of the variance explained; condition number %.3g\n",
               result->rms_m, percent(result->variance_reduction, 0, false, explained),
               result->nnls.condition);
    if (isfinite(report->magnitude))
        printf("Moment magnitude %.2f (rigidity %g GPa)\n", report->magnitude, report->rigidity_pa / 1e9);
}

void invert_print_left_out(const struct invert_report *report)
{
    const int width = name_width(report);
    size_t printed = 0;
    for (size_t s = 0; s < report->request->station_count; s++) {
        const struct invert_left_out *left = &report->left_out[s];
        const struct invert_fit *fit = &report->result->fits[s];
        if (!left->is_there)
            continue;
        if (printed++ == 0)
            printf("\nEach left out in turn, and foretold from the others%s:\n%-*s %8s %11s %10s %6s   %s\n"
                   "%-*s %8s %11s %10s %6s   %s\n",
                   has_shifts(report) ? " (itself not shifted)" : "", width, "station", "rms (m)", "variance",
                   "height", "time", "the others: variance explained", width, "", "", "explained", "", "(s)",
                   "with it, without it");
        char texts[4][24];
        printf("%-*s %8.4f %s %s %+6.0f   %s %s\n", width, report->choices[s].name, left->rms_m,
               percent(left->variance_reduction, 9, false, texts[0]),
               percent(left->fitted_peak_m / fit->observed_peak_m - 1, 8, true, texts[1]),
               left->fitted_peak_s - fit->observed_peak_s, percent(left->others_with, 7, false, texts[2]),
               percent(left->others_without, 9, false, texts[3]));
    }
}

void invert_warn(const struct invert_report *report)
{
    for (size_t s = 0; s < report->request->station_count; s++) {
        const struct invert_left_out *left = &report->left_out[s];
        if (left->spoils)
            fprintf(stderr,
                    "fathom: invert: warning: station %s spoils the fit of the others: %.1f %% of their "
                    "variance is explained with it, %.1f %% without it. Its wave may be one that the sources "
                    "or the grid do not make (near a source: short waves); forecast it instead of fitting "
                    "it, or give it a smaller --weight\n",
                    report->choices[s].name, 100 * left->others_with, 100 * left->others_without);
    }
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
