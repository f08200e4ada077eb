// Values of run.json on a report's page: names as text, units from the suffixes of names, objects and lists
// as tables. Shows every key; units come from a key's suffix, labels of some words from a table.
#include "report/html.h"
#include "report/page.h"
#include "report/style.h"
#include "report/tiles.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// "advance_s" → "advance" and seconds: suffixes that denote units, longest first.
struct name_unit {
    const char *end, *unit;
    enum {
        NAME_PLAIN,
        NAME_DURATION,
        NAME_BYTES,
        NAME_LENGTH, // in mm where the model's lengths are small, as its volumes in mm³ or cm³
        NAME_VOLUME,
        NAME_PREFIXED,
        NAME_ROUNDED,  // to three digits
        NAME_INTENSITY // in W/cm², as the field has it
    } kind;
};
static const struct name_unit name_units[] = {
    {"_w_m3_k", "W/m³/K", NAME_ROUNDED},
    {"_j_m3_k", "J/m³/K", NAME_ROUNDED},
    {"_j_kg_k", "J/kg/K", NAME_ROUNDED},
    {"_kg_m3", "kg/m³", NAME_PLAIN},
    {"_w_m2", "W/cm²", NAME_INTENSITY},
    {"_np_m", "Np/m", NAME_ROUNDED},
    {"_w_m3", "W/m³", NAME_ROUNDED},
    {"_w_m_k", "W/m/K", NAME_PLAIN},
    {"_bytes_per_s", "B/s", NAME_PLAIN},
    {"_gb_per_s", "GB/s", NAME_PLAIN},
    {"_per_s", "/s", NAME_PLAIN},
    {"_gb_s", "GB/s", NAME_PLAIN},
    {"_m_s", "m/s", NAME_PLAIN},
    {"_percent", "%", NAME_PLAIN},
    {"_xxh3", "", NAME_PLAIN},
    {"_arcmin", "′", NAME_PLAIN},
    {"_degrees", "°", NAME_PLAIN},
    {"_degree", "°", NAME_PLAIN},
    {"_bytes", "", NAME_BYTES},
    {"_ms", "ms", NAME_PLAIN},
    {"_m3", "m³", NAME_VOLUME},
    {"_m2", "m²", NAME_PLAIN},
    {"_min", "min", NAME_PLAIN},
    {"_degC", "°C", NAME_PLAIN},
    {"_k", "K", NAME_PLAIN},
    {"_c", "°C", NAME_PLAIN},
    {"_W", "W", NAME_ROUNDED},
    {"_J", "J", NAME_PLAIN},
    {"_hz", "Hz", NAME_PREFIXED},
    {"_w", "W", NAME_ROUNDED},
    {"_j", "J", NAME_PLAIN},
    {"_n_m", "N m", NAME_PLAIN},
    {"_pa", "Pa", NAME_PREFIXED},
    {"_s", "s", NAME_DURATION},
    {"_m", "m", NAME_LENGTH},
    {"_at_40_gpa", "", NAME_PLAIN},
};
// Names that are another thing's symbol, or whose unit no suffix says.
static const struct whole_name {
    const char *name, *label; // NULL: the name as it is
    struct name_unit unit;
} whole_names[] = {
    {"moment_magnitude", "Moment magnitude Mw", {"", "", NAME_PLAIN}},
    {"moment_magnitude_at_40_gpa", "Moment magnitude Mw with a rigidity of 40 GPa", {"", "", NAME_PLAIN}},
    {"tensor_n_m", "Moment tensor", {"", "N m", NAME_PLAIN}},
    {"tensor_moment_n_m", "Moment of the tensor", {"", "N m", NAME_PLAIN}},
    {"tensor_magnitude", "Magnitude Mw of the tensor", {"", "", NAME_PLAIN}},
    {"clvd", "Part of the tensor that is no double couple", {"", "", NAME_PLAIN}},
    {"sigma_log10_length", "Standard deviation of log10(length)", {"", "", NAME_PLAIN}},
    {"sigma_log10_width", "Standard deviation of log10(width)", {"", "", NAME_PLAIN}},
    {"sigma_log10_area", "Standard deviation of log10(area)", {"", "", NAME_PLAIN}},
    {"longitude", NULL, {"", "°", NAME_PLAIN}},
    {"latitude", NULL, {"", "°", NAME_PLAIN}},
    {"strike", NULL, {"", "°", NAME_PLAIN}},
    {"dip", NULL, {"", "°", NAME_PLAIN}},
    {"rake", NULL, {"", "°", NAME_PLAIN}},
    {"isppa_w_m2", "Isppa, in situ", {"", "W/cm²", NAME_INTENSITY}},
    {"ispta_w_m2", "Ispta, in situ", {"", "W/cm²", NAME_INTENSITY}},
    {"attenuation_at_1_mhz_np_m", "Attenuation at 1 MHz", {"", "Np/m", NAME_ROUNDED}},
    {"attenuation_np_m", "Attenuation at the frequency", {"", "Np/m", NAME_ROUNDED}},
    {"prf_hz", "Pulse repetition frequency", {"", "Hz", NAME_PREFIXED}},
    {"on_s", "Time with sound, all pulses", {"", "s", NAME_DURATION}},
    {"pulse_length_s", "Pulse length", {"", "s", NAME_DURATION}},
    {"tissue_m3", "Volume of tissue", {"", "m³", NAME_VOLUME}},
    {"at_least_43_degC_m3", "Volume of 43 °C or more", {"", "m³", NAME_VOLUME}},
    {"at_least_50_degC_m3", "Volume of 50 °C or more", {"", "m³", NAME_VOLUME}},
    {"at_least_240_cem43_m3", "Volume of 240 CEM43 or more", {"", "m³", NAME_VOLUME}},
    {"at_least_240_cem43_by_second_dose_m3",
     "Volume of 240 CEM43 or more, second dose",
     {"", "m³", NAME_VOLUME}},
    {"hottest_distance_m", "Distance of the hottest cell", {"", "m", NAME_LENGTH}},
    {"hottest_place", "Position of the hottest cell", {"", "", NAME_PLAIN}},
    {"x_m", "x", {"", "m", NAME_LENGTH}},
    {"y_m", "y", {"", "m", NAME_LENGTH}},
    {"z_m", "z", {"", "m", NAME_LENGTH}},
    {"x", "x", {"", "", NAME_PLAIN}},
    {"y", "y", {"", "", NAME_PLAIN}},
    {"z", "z", {"", "", NAME_PLAIN}},
};

static const struct whole_name *find_whole(const char *name)
{
    for (size_t k = 0; k < sizeof whole_names / sizeof *whole_names; k++)
        if (strcmp(name, whole_names[k].name) == 0)
            return &whole_names[k];
    return NULL;
}

static const struct name_unit *find_unit(const char *name)
{
    const struct whole_name *whole = find_whole(name);
    size_t length = strlen(name);
    if (length == 1) // x, y, z: that of the object
        return NULL;
    if (whole)
        return &whole->unit;
    for (size_t k = 0; k < sizeof name_units / sizeof *name_units; k++) {
        size_t end = strlen(name_units[k].end);
        if (length > end && strcmp(name + length - end, name_units[k].end) == 0)
            return &name_units[k];
    }
    return NULL;
}

// Writes the name without its unit, with blanks, and with a capital at the beginning. A key of a job such as
// "physics.manning_n" is not changed.
void report_page_name(FILE *page, const char *name)
{
    if (strchr(name, '.')) {
        html_name(page, name);
        return;
    }
    char text[128];
    const struct whole_name *whole = find_whole(name);
    if (whole && whole->label) {
        html_text(page, whole->label);
        return;
    }
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

// Writes a whole number with a narrow blank between groups of three digits.
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

// Writes "5.31 × 10²²".
static void write_power(FILE *page, double value)
{
    const int power = (int)floor(log10(fabs(value)));
    fprintf(page, "%.4g × 10<sup>%d</sup>", value / pow(10, power), power);
}

// The unit in which a value is shown; *value is converted, and *digits the number of its digits.
static const char *shown_unit(const struct name_unit *unit, bool in_mm, double *value, int *digits)
{
    *digits = unit->kind == NAME_ROUNDED || unit->kind == NAME_INTENSITY ? 3 : 6;
    if (unit->kind == NAME_INTENSITY)
        *value *= 1e-4;
    if (!in_mm || (unit->kind != NAME_LENGTH && unit->kind != NAME_VOLUME))
        return unit->unit;
    *digits = 4;
    const bool is_length = unit->kind == NAME_LENGTH, is_large = !is_length && fabs(*value) >= 1e-6;
    *value *= is_length ? 1e3 : is_large ? 1e6 : 1e9;
    return is_length ? "mm" : is_large ? "cm³" : "mm³";
}

static void write_number(FILE *page, double value, const struct name_unit *unit, bool in_mm)
{
    char text[STYLE_TEXT_BYTES];
    const char *prefix = "", *shown = "";
    int digits = 6;
    if (unit)
        shown = shown_unit(unit, in_mm, &value, &digits);
    if (unit && unit->kind == NAME_PREFIXED)
        value /= style_si_prefix(value, &prefix);
    const double rounded = nearbyint(value),
                 written = fabs(value - rounded) < 1e-9 * fabs(value) ? rounded : value;
    if (unit && unit->kind == NAME_DURATION)
        fputs(report_tile_time(value, text), page);
    else if (unit && unit->kind == NAME_BYTES)
        fputs(bytes_text(value, text), page);
    else if (written == floor(written) && fabs(written) < 1e15)
        write_integer(page, written);
    else if (digits == 3 && fabs(value) >= 1e3 && fabs(value) < 1e15)
        write_integer(page, nearbyint(value));
    else if (fabs(value) >= 1e15 && isfinite(value))
        write_power(page, value);
    else
        fprintf(page, "%.*g", digits, value);
    if (shown[0] && unit->kind != NAME_DURATION && unit->kind != NAME_BYTES)
        fprintf(page, "%s%s%s", strcmp(shown, "′") == 0 || strcmp(shown, "°") == 0 ? "" : " ", prefix, shown);
}

static void write_value(FILE *page, const char *name, const cJSON *value, bool in_mm, int depth);

// Lists for programs, which are too long to read.
static bool is_for_programs(const char *name)
{
    return strcmp(name, "fault_tables") == 0;
}

// An object as a two-column table. Numbers whose names have no unit have that of the object's name.
static void write_object(FILE *page, const char *name, const cJSON *object, bool in_mm, int depth)
{
    fputs("<table><tbody>\n", page);
    const cJSON *item;
    cJSON_ArrayForEach(item, object)
    {
        if (item->string && is_for_programs(item->string))
            continue;
        fputs("<tr><th>", page);
        report_page_name(page, item->string ? item->string : "");
        fputs("</th><td>", page);
        const bool has_unit = !item->string || find_unit(item->string);
        write_value(page,
                    cJSON_IsNumber(item) && !has_unit ? name
                    : item->string                    ? item->string
                                                      : "",
                    item, in_mm, depth + 1);
        fputs("</td></tr>\n", page);
    }
    fputs("</tbody></table>\n", page);
}

enum { ROWS_MAX = 100, COLUMNS_MAX = 32 };

// The keys of all objects of a list, in the order of their first appearance: air has fewer than a tissue.
static int list_columns(const cJSON *list, const char *columns[COLUMNS_MAX])
{
    const cJSON *row, *key;
    int count = 0, rows = 0;
    cJSON_ArrayForEach(row, list)
    {
        if (rows++ == ROWS_MAX)
            break;
        cJSON_ArrayForEach(key, row)
        {
            bool is_new = key->string != NULL && count < COLUMNS_MAX;
            for (int k = 0; k < count && is_new; k++)
                is_new = strcmp(columns[k], key->string) != 0;
            if (is_new)
                columns[count++] = key->string;
        }
    }
    return count;
}

// Writes a list of similar objects as a table.
static void write_object_list(FILE *page, const cJSON *list, bool in_mm, int depth)
{
    const char *columns[COLUMNS_MAX];
    const int count = list_columns(list, columns);
    const cJSON *row;
    fputs("<div class=\"scroll\"><table><thead><tr>", page);
    for (int k = 0; k < count; k++) {
        fputs("<th>", page);
        report_page_name(page, columns[k]);
        fputs("</th>", page);
    }
    fputs("</tr></thead><tbody>\n", page);
    int rows = 0;
    cJSON_ArrayForEach(row, list)
    {
        if (rows++ == ROWS_MAX)
            break;
        fputs("<tr>", page);
        for (int k = 0; k < count; k++) {
            fputs("<td>", page);
            const cJSON *value = cJSON_GetObjectItemCaseSensitive(row, columns[k]);
            if (value)
                write_value(page, columns[k], value, in_mm, depth + 1);
            fputs("</td>", page);
        }
        fputs("</tr>\n", page);
    }
    fputs("</tbody></table></div>\n", page);
    if (rows > ROWS_MAX)
        fprintf(page, "<p class=\"soft\">and %d more</p>\n", cJSON_GetArraySize(list) - ROWS_MAX);
}

static void write_list(FILE *page, const char *name, const cJSON *list, bool in_mm, int depth)
{
    if (cJSON_IsObject(list->child)) {
        write_object_list(page, list, in_mm, depth);
        return;
    }
    const cJSON *item;
    int count = 0;
    cJSON_ArrayForEach(item, list)
    {
        if (count++ > 0)
            fputs(cJSON_IsString(item) ? "<br>" : ", ", page);
        write_value(page, name, item, in_mm, depth + 1);
        if (count == 100) {
            fputs(" …", page);
            break;
        }
    }
}

static void write_value(FILE *page, const char *name, const cJSON *value, bool in_mm, int depth)
{
    enum { DEPTH_MAX = 6, SHORT_BYTES = 16 };
    if (depth > DEPTH_MAX)
        fputs("…", page);
    else if (cJSON_IsNumber(value)) {
        fputs("<span class=\"whole\">", page);
        write_number(page, value->valuedouble, find_unit(name), in_mm);
        fputs("</span>", page);
    } else if (cJSON_IsBool(value))
        fputs(cJSON_IsTrue(value) ? "yes" : "no", page);
    else if (cJSON_IsString(value)) {
        const char *word = value->valuestring;
        const int verdict = report_tile_verdict(word);
        const char *mark = verdict < 0 ? "bad" : (verdict > 0 ? "good" : NULL);
        const bool is_short = strlen(word) <= SHORT_BYTES; // "m s-1" must not be broken at its hyphen
        if (mark)
            fprintf(page, "<b class=\"%s\">", mark);
        fputs(is_short ? "<span class=\"whole\">" : "", page);
        html_breakable(page, word);
        fputs(is_short ? "</span>" : "", page);
        fputs(mark ? "</b>" : "", page);
    } else if (cJSON_IsArray(value) && value->child)
        write_list(page, name, value, in_mm, depth);
    else if (cJSON_IsObject(value) && value->child)
        write_object(page, name, value, in_mm, depth);
    else
        fputs("–", page);
}

// Whether the value contains a list of objects, which is shown as a table of many columns.
static bool has_wide_table(const cJSON *value)
{
    if (cJSON_IsArray(value) && cJSON_IsObject(value->child))
        return true;
    for (const cJSON *item = value->child; item; item = item->next)
        if (has_wide_table(item))
            return true;
    return false;
}

void report_page_block(FILE *page, const char *title, const cJSON *value, bool in_mm)
{
    fprintf(page, "<div class=\"card%s\"><h3>", has_wide_table(value) ? " wide" : "");
    report_page_name(page, title);
    fputs("</h3>\n", page);
    write_value(page, "", value, in_mm, 0);
    fputs("</div>\n", page);
}

void report_page_value(FILE *page, const char *name, const cJSON *value, bool in_mm)
{
    if (value)
        write_value(page, name, value, in_mm, 0);
}
