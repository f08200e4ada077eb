// Tables and figures of a report's page: the key figures at the top, the gauges, and values of run.json.
// Knows the names that run.json uses for its parts, but needs none of them: what is there is shown, with
// units taken from the ends of the names.
#include "report/context.h"
#include "report/html.h"

#include "report/style.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// "advance_s" → "advance" and seconds: the ends of names that stand for units, longest first.
struct name_unit {
    const char *end, *unit;
    enum { NAME_PLAIN, NAME_DURATION, NAME_BYTES, NAME_LENGTH } kind;
};
static const struct name_unit name_units[] = {
    {"_w_m3_k", "W/m³/K", NAME_PLAIN}, {"_j_m3_k", "J/m³/K", NAME_PLAIN},
    {"_w_m_k", "W/m/K", NAME_PLAIN},   {"_bytes_per_s", "B/s", NAME_PLAIN},
    {"_gb_per_s", "GB/s", NAME_PLAIN}, {"_per_s", "/s", NAME_PLAIN},
    {"_gb_s", "GB/s", NAME_PLAIN},     {"_m_s", "m/s", NAME_PLAIN},
    {"_percent", "%", NAME_PLAIN},     {"_xxh3", "", NAME_PLAIN},
    {"_arcmin", "′", NAME_PLAIN},      {"_degrees", "°", NAME_PLAIN},
    {"_degree", "°", NAME_PLAIN},      {"_bytes", "", NAME_BYTES},
    {"_ms", "ms", NAME_PLAIN},         {"_m3", "m³", NAME_PLAIN},
    {"_m2", "m²", NAME_PLAIN},         {"_min", "min", NAME_PLAIN},
    {"_degC", "°C", NAME_PLAIN},       {"_k", "K", NAME_PLAIN},
    {"_c", "°C", NAME_PLAIN},          {"_W", "W", NAME_PLAIN},
    {"_J", "J", NAME_PLAIN},           {"_hz", "Hz", NAME_PLAIN},
    {"_j", "J", NAME_PLAIN},           {"_s", "s", NAME_DURATION},
    {"_m", "m", NAME_LENGTH},
};

static const struct name_unit *find_unit(const char *name)
{
    size_t length = strlen(name);
    for (size_t k = 0; k < sizeof name_units / sizeof *name_units; k++) {
        size_t end = strlen(name_units[k].end);
        if (length > end && strcmp(name + length - end, name_units[k].end) == 0)
            return &name_units[k];
    }
    return NULL;
}

// The name without its unit, with blanks, beginning with a capital. A job's key such as "physics.manning_n"
// stays as it is.
static void write_name(FILE *page, const char *name)
{
    if (strchr(name, '.')) {
        html_name(page, name);
        return;
    }
    char text[128];
    const struct name_unit *unit = find_unit(name);
    size_t length = strlen(name) - (unit ? strlen(unit->end) : 0);
    snprintf(text, sizeof text, "%.*s", (int)(length < 120 ? length : 120), name);
    for (char *p = text; *p; p++)
        if (*p == '_')
            *p = ' ';
    if (text[0] >= 'a' && text[0] <= 'z')
        text[0] = (char)(text[0] - 'a' + 'A');
    html_text(page, text);
}

static const char *bytes_text(double bytes, char *text)
{
    const char *prefix;
    double factor = style_si_prefix(bytes, &prefix);
    snprintf(text, STYLE_TEXT_BYTES, bytes < 1 ? "%g B" : "%.3g %sB", bytes / (bytes < 1 ? 1 : factor),
             prefix);
    return text;
}

// Times of a run: three digits below a minute, else minutes and hours.
static const char *run_time_text(double time_s, char *text)
{
    if (fabs(time_s) > 0 && fabs(time_s) < 1)
        snprintf(text, STYLE_TEXT_BYTES, "%.3g ms", time_s * 1000);
    else
        style_duration(time_s, text);
    return text;
}

// With a narrow blank between thousands.
static void write_integer(FILE *page, double value)
{
    char digits[32];
    int length = snprintf(digits, sizeof digits, "%.0f", fabs(value));
    fputs(value < 0 ? "−" : "", page);
    for (int k = 0; k < length; k++) {
        if (k > 0 && length > 4 && (length - k) % 3 == 0)
            fputs("\u202F", page);
        fputc(digits[k], page);
    }
}

static void write_number(FILE *page, double value, const struct name_unit *unit)
{
    char text[STYLE_TEXT_BYTES];
    if (unit && unit->kind == NAME_DURATION)
        fputs(run_time_text(value, text), page);
    else if (unit && unit->kind == NAME_BYTES)
        fputs(bytes_text(value, text), page);
    else if (value == floor(value) && fabs(value) < 1e15)
        write_integer(page, value);
    else
        fprintf(page, "%.6g", value);
    if (unit && unit->kind != NAME_DURATION && unit->kind != NAME_BYTES)
        fprintf(page, "%s%s", strncmp(unit->unit, "′", 3) == 0 || strncmp(unit->unit, "°", 2) == 0 ? "" : " ",
                unit->unit);
}

static bool is_bad_word(const char *word)
{
    return strcmp(word, "failed") == 0 || strcmp(word, "fail") == 0;
}

static bool is_good_word(const char *word)
{
    return strcmp(word, "passed") == 0 || strcmp(word, "pass") == 0 || strcmp(word, "ok") == 0;
}

static void write_value(FILE *page, const char *name, const cJSON *value, int depth);

// An object as a two-column table.
static void write_object(FILE *page, const cJSON *object, int depth)
{
    fputs("<table><tbody>\n", page);
    const cJSON *item;
    cJSON_ArrayForEach(item, object)
    {
        fputs("<tr><th>", page);
        write_name(page, item->string ? item->string : "");
        fputs("</th><td>", page);
        write_value(page, item->string ? item->string : "", item, depth + 1);
        fputs("</td></tr>\n", page);
    }
    fputs("</tbody></table>\n", page);
}

// A list of alike objects as a table with a column for each key of the first.
static void write_object_list(FILE *page, const cJSON *list, int depth)
{
    enum { ROWS_MAX = 100 };
    fputs("<div class=\"scroll\"><table><thead><tr>", page);
    const cJSON *key, *row;
    cJSON_ArrayForEach(key, list->child)
    {
        fputs("<th>", page);
        write_name(page, key->string ? key->string : "");
        fputs("</th>", page);
    }
    fputs("</tr></thead><tbody>\n", page);
    int rows = 0;
    cJSON_ArrayForEach(row, list)
    {
        if (rows++ == ROWS_MAX)
            break;
        fputs("<tr>", page);
        cJSON_ArrayForEach(key, list->child)
        {
            fputs("<td>", page);
            const cJSON *value = cJSON_GetObjectItemCaseSensitive(row, key->string);
            if (value)
                write_value(page, key->string, value, depth + 1);
            fputs("</td>", page);
        }
        fputs("</tr>\n", page);
    }
    fputs("</tbody></table></div>\n", page);
    if (rows > ROWS_MAX)
        fprintf(page, "<p class=\"soft\">and %d more</p>\n", cJSON_GetArraySize(list) - ROWS_MAX);
}

static void write_list(FILE *page, const char *name, const cJSON *list, int depth)
{
    if (cJSON_IsObject(list->child)) {
        write_object_list(page, list, depth);
        return;
    }
    const cJSON *item;
    int count = 0;
    cJSON_ArrayForEach(item, list)
    {
        if (count++ > 0)
            fputs(cJSON_IsString(item) ? "<br>" : ", ", page);
        write_value(page, name, item, depth + 1);
        if (count == 100) {
            fputs(" …", page);
            break;
        }
    }
}

static void write_value(FILE *page, const char *name, const cJSON *value, int depth)
{
    enum { DEPTH_MAX = 6, SHORT_BYTES = 16 };
    if (depth > DEPTH_MAX)
        fputs("…", page);
    else if (cJSON_IsNumber(value)) {
        fputs("<span class=\"whole\">", page);
        write_number(page, value->valuedouble, find_unit(name));
        fputs("</span>", page);
    } else if (cJSON_IsBool(value))
        fputs(cJSON_IsTrue(value) ? "yes" : "no", page);
    else if (cJSON_IsString(value)) {
        const char *word = value->valuestring;
        const char *mark = is_bad_word(word) ? "bad" : (is_good_word(word) ? "good" : NULL);
        const bool is_short = strlen(word) <= SHORT_BYTES; // "m s-1" is not to be broken at its hyphen
        if (mark)
            fprintf(page, "<b class=\"%s\">", mark);
        fputs(is_short ? "<span class=\"whole\">" : "", page);
        html_breakable(page, word);
        fputs(is_short ? "</span>" : "", page);
        fputs(mark ? "</b>" : "", page);
    } else if (cJSON_IsArray(value) && value->child)
        write_list(page, name, value, depth);
    else if (cJSON_IsObject(value) && value->child)
        write_object(page, value, depth);
    else
        fputs("–", page);
}

// Does it hold a list of objects, which makes a table of many columns?
static bool has_wide_table(const cJSON *value)
{
    if (cJSON_IsArray(value) && cJSON_IsObject(value->child))
        return true;
    for (const cJSON *item = value->child; item; item = item->next)
        if (has_wide_table(item))
            return true;
    return false;
}

void report_html_card(FILE *page, const char *title, const cJSON *value)
{
    fprintf(page, "<div class=\"card%s\"><h3>", has_wide_table(value) ? " wide" : "");
    write_name(page, title);
    fputs("</h3>\n", page);
    write_value(page, "", value, 0);
    fputs("</div>\n", page);
}

void report_html_name(FILE *page, const char *name)
{
    write_name(page, name);
}

void report_html_value(FILE *page, const char *name, const cJSON *value)
{
    if (value)
        write_value(page, name, value, 0);
}

static void write_cell(FILE *page, const char *text)
{
    fputs("<td>", page);
    html_text(page, text);
    fputs("</td>", page);
}

// A height, and under it when.
static void write_peak_cell(FILE *page, double height_m, double time_s)
{
    char height[STYLE_TEXT_BYTES], time[STYLE_TEXT_BYTES];
    if (isfinite(height_m) && isfinite(time_s))
        fprintf(page, "<td>%s<small>%s</small></td>", style_length(height_m, height),
                style_duration(time_s, time));
    else
        fputs("<td>–</td>", page);
}

// The highest level; where no wave arrived, that there was none.
static void write_level_cell(FILE *page, const struct report *report, const struct report_gauge *gauge)
{
    char least[STYLE_TEXT_BYTES];
    const double least_m = report_least_height_m(report);
    if (report_gauge_size_m(gauge) < least_m)
        fprintf(page, "<td>&lt; %s</td>", style_length(least_m, least));
    else
        write_peak_cell(page, gauge->maximum_m, gauge->maximum_s);
}

// The usual time between two samples of a record.
static double sampling_s(const struct report_series *series)
{
    return series->count > 1
               ? (series->times_s[series->count - 1] - series->times_s[0]) / (double)(series->count - 1)
               : 0;
}

// The observed peak and the model's errors. What is asked of an operational forecast (NOAA PMEL-135;
// Synolakis et al. 2007): height within 20 % where more than 0.5 m was observed, else within 0.3 m; time
// within 3 % of the travel time, here plus one sampling interval of the record.
static void write_observed_cells(FILE *page, const struct report_gauge *gauge)
{
    char text[STYLE_TEXT_BYTES];
    if (!isfinite(gauge->observed_peak_s)) {
        fputs("<td>–</td><td>–</td><td>–</td>", page);
        return;
    }
    double late_s = gauge->first_peak_s - gauge->observed_peak_s;
    double above_m = gauge->first_peak_m - gauge->observed_peak_m;
    bool is_timely = fabs(late_s) <= 0.03 * gauge->observed_peak_s + sampling_s(&gauge->observed);
    bool is_high = gauge->observed_peak_m > 0.5;
    bool is_accurate = fabs(above_m) <= (is_high ? 0.2 * gauge->observed_peak_m : 0.3);
    write_peak_cell(page, gauge->observed_peak_m, gauge->observed_peak_s);
    fprintf(page, "<td class=\"%s\">%s%s %s<small>%.1f %%</small></td>", is_timely ? "good" : "bad",
            late_s < 0 ? "−" : "+", style_duration(fabs(late_s), text), is_timely ? "✓" : "✗",
            100 * fabs(late_s) / gauge->observed_peak_s);
    fprintf(page, "<td class=\"%s\">%s%s %s<small>%.0f %%</small></td>", is_accurate ? "good" : "bad",
            above_m < 0 ? "−" : "+", style_length(fabs(above_m), text), is_accurate ? "✓" : "✗",
            100 * fabs(above_m) / fabs(gauge->observed_peak_m));
}

static void write_gauge_row(FILE *page, const struct report *report, const struct report_gauge *gauge,
                            bool has_observed)
{
    char text[STYLE_TEXT_BYTES];
    fputs("<tr><th scope=\"row\">", page);
    html_text(page, gauge->name);
    fputs("</th>", page);
    if (report->is_geographic)
        write_cell(page, style_position(gauge->longitude, gauge->latitude, text));
    else {
        snprintf(text, sizeof text, "%.5g, %.5g", gauge->longitude, gauge->latitude);
        write_cell(page, isfinite(gauge->longitude) ? text : "–");
    }
    write_cell(page, style_length(gauge->distance_m, text));
    write_cell(page, style_length(gauge->depth_m, text));
    write_cell(page, style_duration(gauge->arrival_s, text));
    write_peak_cell(page, gauge->first_peak_m, gauge->first_peak_s);
    write_level_cell(page, report, gauge);
    if (has_observed)
        write_observed_cells(page, gauge);
    fputs("</tr>\n", page);
}

void report_html_gauges(FILE *page, const struct report *report)
{
    bool has_observed = false;
    for (size_t k = 0; k < report->gauge_count; k++)
        has_observed = has_observed || report->gauges[k].observed.count > 0;
    fprintf(page,
            "<div class=\"card scroll\"><table class=\"gauges\"><thead><tr><th>Gauge</th><th>%s</th>"
            "<th>Distance<br>to node</th><th>Depth</th><th>Arrival</th><th>First<br>peak</th>"
            "<th>Highest<br>level</th>%s</tr></thead><tbody>\n",
            report->is_geographic ? "Position" : "x, y (m)",
            has_observed ? "<th>Observed<br>peak</th><th>Time<br>error</th><th>Height<br>error</th>" : "");
    for (size_t k = 0; k < report->gauge_count; k++)
        write_gauge_row(page, report, &report->gauges[k], has_observed);
    char text[STYLE_TEXT_BYTES];
    fputs("</tbody></table></div>\n<p class=\"soft\">", page);
    fprintf(page,
            "Arrival: the level first stands %s above that which the source left, on land above the ground; "
            "–: it did not within the run. ",
            style_length(report->arrival_threshold_m, text));
    fputs("First peak: the first crest after that, of at least a fifth of the largest height above the level "
          "that the source left, and after which the level falls by half of the crest's height; –: there was "
          "none before the record ended.",
          page);
    if (has_observed)
        fputs(" Observed: the highest sample within ±20 % of the model's travel time, which leaves out "
              "seismic waves; –: that is no crest. Errors are model minus observation; ✓: height within 20 % "
              "where more than 0.5 m was observed, else within 0.3 m; time within 3 % of the travel time and "
              "one "
              "sample.",
              page);
    fputs("</p>\n", page);
}

void report_html_tile(FILE *page, const char *value, const char *label, const char *note)
{
    fputs("<div class=\"tile\"><b>", page);
    html_text(page, value);
    fputs("</b><span>", page);
    html_text(page, label);
    fputs("</span><span>", page);
    html_breakable(page, note);
    fputs("</span></div>\n", page);
}

// A number at "a.b" in run.json, NaN if there is none.
static double run_number(const struct report *report, const char *object, const char *key)
{
    const cJSON *from = object ? cJSON_GetObjectItemCaseSensitive(report->run, object) : report->run;
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(from, key);
    return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

static const char *run_text(const struct report *report, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(report->run, key);
    return cJSON_IsString(item) ? item->valuestring : NULL;
}

// Counts of checks that passed and failed: items with "passed": true or false, or a word such as "verdict":
// "passed".
static void count_checks(const cJSON *value, int depth, int counts[2])
{
    const cJSON *item;
    cJSON_ArrayForEach(item, value)
    {
        bool is_verdict = item->string && strcmp(item->string, "passed") == 0 && cJSON_IsBool(item);
        if (is_verdict)
            counts[cJSON_IsTrue(item) ? 0 : 1]++;
        else if (cJSON_IsString(item) && (is_good_word(item->valuestring) || is_bad_word(item->valuestring)))
            counts[is_good_word(item->valuestring) ? 0 : 1]++;
        else if (item->child && depth < 3)
            count_checks(item, depth + 1, counts);
    }
}

static void write_check_tile(FILE *page, const struct report *report)
{
    int counts[2] = {0, 0};
    static const char *const names[] = {"checks", "check"};
    for (int k = 0; k < 2; k++)
        count_checks(cJSON_GetObjectItemCaseSensitive(report->run, names[k]), 0, counts);
    if (counts[0] + counts[1] == 0)
        return;
    char note[STYLE_TEXT_BYTES];
    snprintf(note, sizeof note, "%d of %d passed", counts[0], counts[0] + counts[1]);
    fprintf(page, "<div class=\"tile\"><b class=\"%s\">%s</b><span>checks</span><span>%s</span></div>\n",
            counts[1] ? "bad" : "good", counts[1] ? "✗ failed" : "✓ passed", note);
}

static void write_run_tiles(FILE *page, const struct report *report)
{
    char text[STYLE_TEXT_BYTES], note[STYLE_TEXT_BYTES] = "";
    double nx = run_number(report, "grid", "nx"), ny = run_number(report, "grid", "ny");
    if (isfinite(nx) && isfinite(ny)) {
        snprintf(text, sizeof text, "%.0f × %.0f", nx, ny);
        double step_s = run_number(report, NULL, "step_s");
        if (isfinite(step_s))
            snprintf(note, sizeof note, "step %.4g s", step_s);
        report_html_tile(page, text, "nodes", note);
    }
    double total_s = run_number(report, "timings", "total_s");
    const char *backend = run_text(report, "backend"), *precision = run_text(report, "precision");
    snprintf(note, sizeof note, "%.24s%s%.24s", backend ? backend : "", backend && precision ? ", " : "",
             precision ? precision : "");
    if (isfinite(total_s))
        report_html_tile(page, run_time_text(total_s, text), "to compute", note);
    double rate_per_s = run_number(report, "timings", "rate_per_s");
    const cJSON *rate_unit = cJSON_GetObjectItemCaseSensitive(
        cJSON_GetObjectItemCaseSensitive(report->run, "timings"), "rate_unit");
    if (rate_per_s > 0 && cJSON_IsString(rate_unit)) {
        const char *prefix;
        double factor = style_si_prefix(rate_per_s, &prefix);
        snprintf(text, sizeof text, "%.3g %s", rate_per_s / factor, prefix);
        snprintf(note, sizeof note, "%.40s", rate_unit->valuestring);
        report_html_tile(page, text, note, "while advancing");
    }
    write_check_tile(page, report);
}

static const char *position_note(const struct report *report, double x, double y, char *note)
{
    if (report->is_geographic)
        return style_position(x, y, note);
    snprintf(note, STYLE_TEXT_BYTES, "at x %.5g, y %.5g", x, y);
    return note;
}

static const struct report_grid *highest_run_up(const struct report *report)
{
    const struct report_grid *highest = NULL;
    for (size_t g = 0; g < report->grid_count; g++)
        if (isfinite(report->grids[g].run_up.highest_m) &&
            (!highest || report->grids[g].run_up.highest_m > highest->run_up.highest_m))
            highest = &report->grids[g];
    return highest;
}

void report_html_figures(FILE *page, const struct report *report)
{
    char text[STYLE_TEXT_BYTES], note[STYLE_TEXT_BYTES];
    char origin[RESULT_UNITS_BYTES + 8];
    fputs("<p class=\"soft\">", page);
    const char *model = run_text(report, "model");
    html_text(page, model ? model : (report->ising.is_ising ? "ising" : "tsunami"));
    if (report_origin_text(report, origin, sizeof origin)) {
        fputs(" · time counts from ", page);
        html_text(page, origin);
    }
    fputs("</p>\n<div class=\"tiles\">\n", page);
    const struct report_grid *grid = &report->grids[0];
    if (report->heat.is_heat)
        report_html_heat_figures(page, report);
    if (report->nbody.is_nbody)
        report_html_nbody_figures(page, report);
    if (report->gas.is_gas)
        report_html_gas_figures(page, report);
    if (report->ising.is_ising)
        report_html_ising_figures(page, report);
    if (isfinite(grid->largest_m))
        report_html_tile(page, style_length(grid->largest_m, text), "largest elevation",
                         position_note(report, grid->largest_x, grid->largest_y, note));
    const struct report_grid *highest = highest_run_up(report);
    if (highest) {
        const struct report_run_up *run_up = &highest->run_up;
        report_html_tile(page, style_length(run_up->highest_m, text), "highest run-up",
                         position_note(report, run_up->x, run_up->y, note));
    }
    if (report->duration_s > 0 && !report->nbody.is_nbody && !report->gas.is_gas && !report->ising.is_ising)
        report_html_tile(page, style_duration(report->duration_s, text), "of model time", "");
    size_t observed = 0;
    for (size_t k = 0; k < report->gauge_count; k++)
        observed += report->gauges[k].observed.count > 0;
    if (report->gauge_count > 0) {
        snprintf(text, sizeof text, "%zu", report->gauge_count);
        snprintf(note, sizeof note, observed ? "%zu with observations" : "none with observations", observed);
        report_html_tile(page, text, report->gauge_count == 1 ? "gauge" : "gauges", note);
    }
    write_run_tiles(page, report);
    fputs("</div>\n", page);
}
