// Reads fault tables: JSON (described in faults.h) and NOAA's SIFT unit sources. Errors name file, row and
// column. Before the seal.
#include "models/tsunami/earthquake/faults.h"

#include "core/log.h"
#include "io/json_file.h"
#include "io/suggest.h"
#include "io/units.h"
#include "models/tsunami/earthquake/tensor.h"

#include <cjson/cJSON.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE_BYTES_MAX = 256 << 20, ABOUT_BYTES = 512 };

enum column_kind {
    COLUMN_LONGITUDE,
    COLUMN_LATITUDE,
    COLUMN_X,
    COLUMN_Y,
    COLUMN_DEPTH,
    COLUMN_LENGTH,
    COLUMN_WIDTH,
    COLUMN_STRIKE,
    COLUMN_DIP,
    COLUMN_RAKE,
    COLUMN_SLIP,
    COLUMN_START,
    COLUMN_RISE,
    COLUMN_KINDS
};

// Ranges are inclusive, a minimum with is_above excepted. NOAA's own table has strikes beyond 360°.
struct column {
    const char *name;
    const char *unit;
    size_t offset; // in struct fault
    double minimum, maximum;
    bool is_above; // the minimum itself is not allowed
    const char *range;
};

#define COLUMN(text, unit, member, low, high, above, range)                                                  \
    {                                                                                                        \
        text, unit, offsetof(struct fault, member), low, high, above, range                                  \
    }

static const struct column columns[COLUMN_KINDS] = {
    [COLUMN_LONGITUDE] = COLUMN("longitude", "degree", longitude_deg, -360, 360, false, "-360 to 360 degree"),
    [COLUMN_LATITUDE] = COLUMN("latitude", "degree", latitude_deg, -89, 89, false, "-89 to 89 degree"),
    [COLUMN_X] = COLUMN("x", "m", longitude_deg, -1e12, 1e12, false, "-1e12 to 1e12 m"),
    [COLUMN_Y] = COLUMN("y", "m", latitude_deg, -1e12, 1e12, false, "-1e12 to 1e12 m"),
    [COLUMN_DEPTH] = COLUMN("depth", "m", depth_m, 0, 7e6, false, "0 to 7e6 m, positive down"),
    [COLUMN_LENGTH] = COLUMN("length", "m", length_m, 0, 4e7, true, "above 0, up to 4e7 m"),
    [COLUMN_WIDTH] = COLUMN("width", "m", width_m, 0, 4e7, true, "above 0, up to 4e7 m"),
    [COLUMN_STRIKE] = COLUMN("strike", "degree", strike_deg, -720, 720, false, "-720 to 720 degree"),
    [COLUMN_DIP] = COLUMN("dip", "degree", dip_deg, 0, 90, false, "0 to 90 degree"),
    [COLUMN_RAKE] = COLUMN("rake", "degree", rake_deg, -360, 360, false, "-360 to 360 degree"),
    [COLUMN_SLIP] = COLUMN("slip", "m", slip_m, -1e6, 1e6, false, "-1e6 to 1e6 m"),
    [COLUMN_START] = COLUMN("start", "s", start_s, 0, 1e9, false, "0 to 1e9 s"),
    [COLUMN_RISE] = COLUMN("rise", "s", rise_s, 0, 1e9, false, "0 to 1e9 s"),
};

static const char *const reference_names[] = {
    [FAULT_CENTRE] = "centre", [FAULT_TOP_CENTRE] = "top_centre", [FAULT_BOTTOM_CENTRE] = "bottom_centre",
    [FAULT_SIFT] = "sift",     [FAULT_TOP_CORNER] = "top_corner",
};
enum { REFERENCE_KINDS = sizeof reference_names / sizeof reference_names[0] };

static const char *const table_keys[] = {"fathom_faults", "title",   "source", "comment",
                                         "reference",     "columns", "units",  "rows"};
enum { TABLE_KEYS = sizeof table_keys / sizeof table_keys[0] };

// " (did you mean \"dip\"?)", or "" if no known word is near.
static const char *did_you_mean(const char *word, const char *const *words, size_t count, char *text,
                                size_t bytes)
{
    const char *nearest = suggest_word(word, words, count);
    text[0] = '\0';
    if (nearest != NULL)
        (void)snprintf(text, bytes, " (did you mean \"%s\"?)", nearest);
    return text;
}

// `about` names the row ("tohoku.json: row 3"); `value` is in `unit`, and is stored converted.
static enum status set_value(struct fault *fault, enum column_kind kind, double value, const char *unit,
                             double slope, double offset, const char *about)
{
    const struct column *column = &columns[kind];
    double converted = slope * value + offset;
    bool is_inside = isfinite(converted) && converted <= column->maximum &&
                     (column->is_above ? converted > column->minimum : converted >= column->minimum);
    if (!is_inside)
        return FAIL(STATUS_DATA, "%s, column \"%s\": %g %s is out of range, expected %s", about, column->name,
                    value, unit, column->range);
    memcpy((char *)fault + column->offset, &converted, sizeof converted);
    return STATUS_OK;
}

// Checks of a whole row. An upper edge above the surface by the rounding of the table's figures is moved to
// the surface.
static enum status check_fault(struct fault *fault, const char *about)
{
    double top_m = fault_top_depth_m(fault);
    if (top_m >= 0.0)
        return STATUS_OK;
    if (top_m < -1e-5 * fault->width_m)
        return FAIL(STATUS_DATA,
                    "%s: the upper edge would lie %g m above the surface (depth %g m is measured at \"%s\"; "
                    "width %g m, dip %g degree); expected a deeper fault or another \"reference\"",
                    about, -top_m, fault->depth_m, reference_names[fault->reference], fault->width_m,
                    fault->dip_deg);
    fault->depth_m -= top_m;
    return STATUS_OK;
}

static enum status allocate(struct fault_table *table, size_t count, const char *about)
{
    table->faults = calloc(count, sizeof *table->faults);
    if (table->faults == NULL)
        return FAIL(STATUS_SYSTEM, "%s: no memory for %zu faults", about, count);
    table->count = count;
    return STATUS_OK;
}

void fault_table_free(struct fault_table *table)
{
    free(table->faults);
    *table = (struct fault_table){0};
}

// Somewhat more than the largest on record. Slip: about 62 m at the trench off Tohoku, 2011 (Sun et al.,
// Nature Communications 8, 14044, 2017). Length: some 1300 km off Sumatra, 2004 (Ammon et al., Science 308,
// 1133, 2005). Width: some 200 km in both. Depth: earthquakes end near 700 km (Frohlich, Deep Earthquakes,
// Cambridge, 2006).
static const struct {
    enum column_kind kind;
    double most, shown_scale;
    const char *shown_unit, *largest;
} plausible[] = {
    {COLUMN_SLIP, 70, 1, "m", "the largest on record is about 62 m (Tohoku 2011)"},
    {COLUMN_LENGTH, 2e6, 1e-3, "km", "the longest rupture on record is about 1300 km (Sumatra 2004)"},
    {COLUMN_WIDTH, 4e5, 1e-3, "km", "the widest ruptures on record are about 200 km (Tohoku 2011)"},
    {COLUMN_DEPTH, 7.5e5, 1e-3, "km", "the deepest earthquakes on record are at about 700 km"},
};
// A rupture slips by a ten-thousandth of its length or less (Scholz, Bull. Seismol. Soc. Am. 72, 1, 1982),
// patches of it by more.
static const double slip_share_most = 0.1;

static const char *name_fault(const char *const *names, size_t index, char text[ABOUT_BYTES])
{
    if (names)
        (void)snprintf(text, ABOUT_BYTES, "unit source \"%s\"", names[index]);
    else
        (void)snprintf(text, ABOUT_BYTES, "fault %zu", index + 1);
    return text;
}

static void warn_of_size(const struct fault_table *table, size_t quantity, const char *about,
                         const char *const *names)
{
    const struct column *column = &columns[plausible[quantity].kind];
    const double scale = plausible[quantity].shown_scale;
    const char *unit = plausible[quantity].shown_unit;
    size_t first = 0, count = 0;
    double first_value = 0;
    char text[ABOUT_BYTES];
    for (size_t k = 0; k < table->count; k++) {
        double value;
        memcpy(&value, (const char *)&table->faults[k] + column->offset, sizeof value);
        if (fabs(value) <= plausible[quantity].most)
            continue;
        first = count == 0 ? k : first;
        first_value = count == 0 ? value : first_value;
        count++;
    }
    if (count > 0)
        log_warning("%s: %s: %s %g %s, in %zu of %zu faults more than %g %s: %s; is it in another unit (cm, "
                    "or m for km)?",
                    about, name_fault(names, first, text), column->name, scale * first_value, unit, count,
                    table->count, scale * plausible[quantity].most, unit, plausible[quantity].largest);
}

void fault_table_warn(const struct fault_table *table, const char *about, const char *const *names)
{
    size_t first = 0, count = 0;
    char text[ABOUT_BYTES];
    for (size_t k = 0; k < sizeof plausible / sizeof *plausible; k++)
        warn_of_size(table, k, about, names);
    for (size_t k = 0; k < table->count; k++) {
        const struct fault *fault = &table->faults[k];
        if (fabs(fault->slip_m) > slip_share_most * fmin(fault->length_m, fault->width_m))
            first = count++ == 0 ? k : first;
    }
    if (count > 0)
        log_warning("%s: %s: a slip of %g m on a fault of %g m by %g m, in %zu of %zu faults more than a "
                    "tenth of its size: are length and width in km, or the slip in cm?",
                    about, name_fault(names, first, text), table->faults[first].slip_m,
                    table->faults[first].length_m, table->faults[first].width_m, count, table->count);
}

double fault_table_magnitude(const struct fault_table *table, double rigidity_pa)
{
    double moment_n_m = 0.0;
    for (size_t i = 0; i < table->count; i++) {
        const struct fault *fault = &table->faults[i];
        moment_n_m += rigidity_pa * fault->length_m * fault->width_m * fabs(fault->slip_m);
    }
    return earthquake_magnitude(moment_n_m);
}

// ---------------------------------------------------------------------------------------------------- the
// JSON form

// The columns in the table's order.
struct layout {
    size_t count;
    enum column_kind kinds[COLUMN_KINDS];
    const char *units[COLUMN_KINDS];
    double slopes[COLUMN_KINDS], offsets[COLUMN_KINDS];
    bool has[COLUMN_KINDS];
};

static enum status check_keys(const cJSON *object, const char *about)
{
    const cJSON *item = NULL;
    char hint[ABOUT_BYTES];
    cJSON_ArrayForEach(item, object)
    {
        bool is_known = false;
        for (size_t k = 0; k < TABLE_KEYS; k++)
            is_known = is_known || strcmp(item->string, table_keys[k]) == 0;
        if (!is_known)
            return FAIL(STATUS_DATA, "%s: unknown key \"%s\"%s", about, item->string,
                        did_you_mean(item->string, table_keys, TABLE_KEYS, hint, sizeof hint));
        for (const cJSON *later = item->next; later != NULL; later = later->next)
            if (strcmp(item->string, later->string) == 0)
                return FAIL(STATUS_DATA, "%s: the key \"%s\" appears twice", about, item->string);
    }
    const cJSON *version = cJSON_GetObjectItemCaseSensitive(object, "fathom_faults");
    if (!cJSON_IsNumber(version) || version->valuedouble != 1.0)
        return FAIL(STATUS_DATA, "%s: expected a fault table with \"fathom_faults\": 1", about);
    static const char *const texts[] = {"title", "source", "comment"};
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        const cJSON *text = cJSON_GetObjectItemCaseSensitive(object, texts[k]);
        if (text != NULL && !cJSON_IsString(text))
            return FAIL(STATUS_DATA, "%s: \"%s\": expected text", about, texts[k]);
    }
    return STATUS_OK;
}

static enum status parse_reference(const cJSON *object, const char *about, enum fault_reference *reference)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, "reference");
    char hint[ABOUT_BYTES];
    if (!cJSON_IsString(item))
        return FAIL(STATUS_DATA,
                    "%s: \"reference\" is missing or not a text: expected where position and depth are "
                    "measured: centre, top_centre, bottom_centre, sift or top_corner",
                    about);
    for (size_t k = 0; k < REFERENCE_KINDS; k++) {
        if (strcmp(item->valuestring, reference_names[k]) == 0) {
            *reference = (enum fault_reference)k;
            return STATUS_OK;
        }
    }
    return FAIL(STATUS_DATA,
                "%s: \"reference\": \"%s\"%s, expected centre, top_centre, bottom_centre, sift or top_corner",
                about, item->valuestring,
                did_you_mean(item->valuestring, reference_names, REFERENCE_KINDS, hint, sizeof hint));
}

static enum status add_column(struct layout *layout, const cJSON *name, const cJSON *unit, const char *about)
{
    char hint[ABOUT_BYTES];
    const char *known[COLUMN_KINDS];
    if (!cJSON_IsString(name) || !cJSON_IsString(unit))
        return FAIL(STATUS_DATA, "%s: \"columns\" and \"units\": entry %zu is not a text", about,
                    layout->count + 1);
    for (int kind = 0; kind < COLUMN_KINDS; kind++) {
        known[kind] = columns[kind].name;
        if (strcmp(name->valuestring, columns[kind].name) != 0)
            continue;
        if (layout->has[kind])
            return FAIL(STATUS_DATA, "%s: the column \"%s\" appears twice", about, name->valuestring);
        size_t c = layout->count;
        CHECK_ABOUT(
            units_conversion(unit->valuestring, columns[kind].unit, &layout->slopes[c], &layout->offsets[c]),
            "%s: column \"%s\"", about, name->valuestring);
        layout->has[kind] = true;
        layout->kinds[c] = (enum column_kind)kind;
        layout->units[c] = unit->valuestring;
        layout->count++;
        return STATUS_OK;
    }
    return FAIL(STATUS_DATA, "%s: unknown column \"%s\"%s", about, name->valuestring,
                did_you_mean(name->valuestring, known, COLUMN_KINDS, hint, sizeof hint));
}

static enum status check_columns(const struct layout *layout, const char *about)
{
    bool has_any_geographic = layout->has[COLUMN_LONGITUDE] || layout->has[COLUMN_LATITUDE];
    bool has_any_plane = layout->has[COLUMN_X] || layout->has[COLUMN_Y];
    if (has_any_geographic && has_any_plane)
        return FAIL(STATUS_DATA, "%s: expected longitude and latitude, or x and y, not a mixture", about);
    if (!has_any_geographic && !has_any_plane)
        return FAIL(STATUS_DATA, "%s: no position: expected the columns longitude and latitude, or x and y",
                    about);
    for (int kind = 0; kind < COLUMN_KINDS; kind++) {
        bool is_optional = kind == COLUMN_START || kind == COLUMN_RISE;
        bool is_other_geometry = has_any_plane ? kind == COLUMN_LONGITUDE || kind == COLUMN_LATITUDE
                                               : kind == COLUMN_X || kind == COLUMN_Y;
        if (!layout->has[kind] && !is_optional && !is_other_geometry)
            return FAIL(STATUS_DATA, "%s: the column \"%s\" is missing", about, columns[kind].name);
    }
    return STATUS_OK;
}

static enum status parse_layout(const cJSON *object, const char *about, struct layout *layout)
{
    const cJSON *names = cJSON_GetObjectItemCaseSensitive(object, "columns");
    const cJSON *units = cJSON_GetObjectItemCaseSensitive(object, "units");
    if (!cJSON_IsArray(names) || !cJSON_IsArray(units))
        return FAIL(STATUS_DATA, "%s: \"columns\" and \"units\" are missing or not lists", about);
    if (cJSON_GetArraySize(names) != cJSON_GetArraySize(units))
        return FAIL(STATUS_DATA, "%s: %d \"columns\" but %d \"units\": expected one unit for each column",
                    about, cJSON_GetArraySize(names), cJSON_GetArraySize(units));
    *layout = (struct layout){0};
    const cJSON *name = names->child;
    for (const cJSON *unit = units->child; unit != NULL; unit = unit->next, name = name->next)
        CHECK(add_column(layout, name, unit, about));
    return check_columns(layout, about);
}

static enum status parse_row(const cJSON *row, const struct layout *layout, const char *about,
                             struct fault *fault)
{
    if (!cJSON_IsArray(row) || (size_t)cJSON_GetArraySize(row) != layout->count)
        return FAIL(STATUS_DATA, "%s: expected a list of %zu numbers, one for each column", about,
                    layout->count);
    const cJSON *cell = row->child;
    for (size_t c = 0; c < layout->count; c++, cell = cell->next) {
        if (!cJSON_IsNumber(cell))
            return FAIL(STATUS_DATA, "%s, column \"%s\": expected a number", about,
                        columns[layout->kinds[c]].name);
        CHECK(set_value(fault, layout->kinds[c], cell->valuedouble, layout->units[c], layout->slopes[c],
                        layout->offsets[c], about));
    }
    return check_fault(fault, about);
}

static enum status parse_rows(const cJSON *rows, const struct layout *layout, enum fault_reference reference,
                              const char *about, struct fault_table *table)
{
    size_t r = 0;
    for (const cJSON *row = rows->child; row != NULL; row = row->next, r++) {
        char row_about[ABOUT_BYTES];
        (void)snprintf(row_about, sizeof row_about, "%s: row %zu", about, r + 1);
        table->faults[r].reference = reference;
        CHECK(parse_row(row, layout, row_about, &table->faults[r]));
    }
    return STATUS_OK;
}

enum status fault_table_parse(const void *json, const char *about, struct fault_table *table)
{
    const cJSON *object = json;
    struct layout layout;
    enum fault_reference reference = FAULT_CENTRE;
    *table = (struct fault_table){0};
    if (!cJSON_IsObject(object))
        return FAIL(STATUS_DATA, "%s: expected a fault table, an object with \"fathom_faults\": 1", about);
    CHECK(check_keys(object, about));
    CHECK(parse_reference(object, about, &reference));
    CHECK(parse_layout(object, about, &layout));
    const cJSON *rows = cJSON_GetObjectItemCaseSensitive(object, "rows");
    if (!cJSON_IsArray(rows) || rows->child == NULL)
        return FAIL(STATUS_DATA, "%s: \"rows\": expected a list with at least one fault", about);
    CHECK(allocate(table, (size_t)cJSON_GetArraySize(rows), about));
    table->is_geographic = layout.has[COLUMN_LONGITUDE];
    enum status status = parse_rows(rows, &layout, reference, about, table);
    if (status != STATUS_OK)
        fault_table_free(table);
    return status;
}

// -----------------------------------------------------------------------------------------------------------
// files

enum status fault_table_read(const char *path, struct fault_table *table)
{
    cJSON *json;
    *table = (struct fault_table){0};
    CHECK(json_file_read(path, TABLE_BYTES_MAX, &json));
    const enum status status = fault_table_parse(json, path, table);
    cJSON_Delete(json);
    return status;
}

// ------------------------------------------------------------------------------------------------ NOAA's
// unit sources

enum { SIFT_FIELDS = 11, SIFT_NUMBERS = 9 };

// The numbers after name and URL, in the table's order, and their units.
static const struct {
    enum column_kind kind;
    double slope;
    const char *unit;
} sift_numbers[SIFT_NUMBERS] = {
    {COLUMN_LONGITUDE, 1, "degree"}, {COLUMN_LATITUDE, 1, "degree"}, {COLUMN_SLIP, 1, "m"},
    {COLUMN_STRIKE, 1, "degree"},    {COLUMN_DIP, 1, "degree"},      {COLUMN_DEPTH, 1e3, "km"},
    {COLUMN_LENGTH, 1e3, "km"},      {COLUMN_WIDTH, 1e3, "km"},      {COLUMN_RAKE, 1, "degree"},
};

struct sift_source {
    const char *name; // in the file's text
    struct fault fault;
};

struct sift_table {
    struct sift_source *sources;
    size_t count;
};

static char *trimmed(char *text)
{
    static const char blanks[] = " \t\r";
    text += strspn(text, blanks);
    size_t length = strlen(text);
    while (length > 0 && strchr(blanks, text[length - 1]) != NULL)
        text[--length] = '\0';
    return text;
}

// Splits a line in place. `about` names file and line.
static enum status parse_sift_line(char *line, const char *about, struct sift_source *source)
{
    char *fields[SIFT_FIELDS + 1] = {NULL};
    size_t count = 0;
    for (char *rest = line; rest != NULL && count <= SIFT_FIELDS;) {
        char *field = strsep(&rest, ",");
        fields[count++] = trimmed(field);
    }
    if (count != SIFT_FIELDS || fields[0][0] == '\0')
        return FAIL(STATUS_DATA,
                    "%s: expected %d fields: name, URL, longitude, latitude, slip, strike, dip, depth, "
                    "length, width, rake",
                    about, SIFT_FIELDS);
    source->name = fields[0];
    source->fault.reference = FAULT_SIFT;
    for (size_t k = 0; k < SIFT_NUMBERS; k++) {
        char *end = NULL;
        const char *text = fields[k + 2];
        double value = strtod(text, &end);
        if (end == text || *end != '\0')
            return FAIL(STATUS_DATA, "%s, column \"%s\": \"%s\" is not a number", about,
                        columns[sift_numbers[k].kind].name, text);
        CHECK(set_value(&source->fault, sift_numbers[k].kind, value, sift_numbers[k].unit,
                        sift_numbers[k].slope, 0.0, about));
    }
    return check_fault(&source->fault, about);
}

// Fills table->sources, which has an entry for every line of the text.
static enum status parse_sift(char *text, const char *path, struct sift_table *table)
{
    size_t number = 0;
    for (char *rest = text; rest != NULL;) {
        char *line = trimmed(strsep(&rest, "\n"));
        char about[ABOUT_BYTES];
        number++;
        if (line[0] == '\0' || line[0] == '#')
            continue;
        (void)snprintf(about, sizeof about, "%s: line %zu", path, number);
        CHECK(parse_sift_line(line, about, &table->sources[table->count]));
        table->count++;
    }
    if (table->count == 0)
        return FAIL(STATUS_DATA, "%s: no unit source in it", path);
    return STATUS_OK;
}

static enum status fail_unknown_source(const struct sift_table *known, const char *name, const char *path)
{
    char hint[ABOUT_BYTES] = "";
    const char **words = calloc(known->count, sizeof *words);
    for (size_t i = 0; words != NULL && i < known->count; i++)
        words[i] = known->sources[i].name;
    if (words != NULL)
        (void)did_you_mean(name, words, known->count, hint, sizeof hint);
    free(words);
    return FAIL(STATUS_CONFIGURATION, "%s: no unit source \"%s\"%s; the table has %zu, from \"%s\" to \"%s\"",
                path, name, hint, known->count, known->sources[0].name,
                known->sources[known->count - 1].name);
}

static enum status pick_sift(const struct sift_table *known, const char *path, const char *const *names,
                             const double *slips_m, struct fault_table *table)
{
    for (size_t n = 0; n < table->count; n++) {
        char about[ABOUT_BYTES];
        for (size_t earlier = 0; earlier < n; earlier++)
            if (strcmp(names[earlier], names[n]) == 0)
                return FAIL(STATUS_CONFIGURATION, "%s: the unit source \"%s\" is named twice", path,
                            names[n]);
        size_t i = 0;
        while (i < known->count && strcmp(known->sources[i].name, names[n]) != 0)
            i++;
        if (i == known->count)
            return fail_unknown_source(known, names[n], path);
        table->faults[n] = known->sources[i].fault;
        (void)snprintf(about, sizeof about, "%s: unit source \"%s\"", path, names[n]);
        CHECK(set_value(&table->faults[n], COLUMN_SLIP, slips_m[n], "m", 1.0, 0.0, about));
    }
    return STATUS_OK;
}

enum status fault_table_read_sift(const char *path, const char *const *names, const double *slips_m,
                                  size_t count, struct fault_table *table)
{
    char *text = NULL;
    size_t length = 0, lines = 1;
    struct sift_table known = {0};
    *table = (struct fault_table){0};
    if (count == 0)
        return FAIL(STATUS_CONFIGURATION, "%s: expected at least one unit source with its slip", path);
    CHECK(text_file_read(path, TABLE_BYTES_MAX, &text, &length));
    for (size_t i = 0; i < length; i++)
        lines += text[i] == '\n' ? 1 : 0;
    known.sources = calloc(lines, sizeof *known.sources);
    enum status status = STATUS_OK;
    if (known.sources == NULL)
        status = FAIL(STATUS_SYSTEM, "%s: no memory for %zu unit sources", path, lines);
    if (status == STATUS_OK)
        status = parse_sift(text, path, &known);
    if (status == STATUS_OK)
        status = allocate(table, count, path);
    if (status == STATUS_OK) {
        table->is_geographic = true;
        status = pick_sift(&known, path, names, slips_m, table);
    }
    if (status != STATUS_OK)
        fault_table_free(table);
    free(known.sources);
    free(text);
    return status;
}
