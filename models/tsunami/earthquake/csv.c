// Tables of subfaults as CSV, as GeoClaw's dtopotools has them (CSVFault): a line of names, then a subfault a
// line:
//   # reference: top_centre
//   Longitude, Latitude, Depth(km), Length(km), Width(km), Strike, Dip, Rake, Slip(m), Start(s), Rise(s)
// A unit stands in parentheses or brackets behind its name. Angles are degrees without one; lengths need one.
// Start and Rise may be missing. UnitSrc, Name, Id and Segment are no numbers and do not count.
#include "models/tsunami/earthquake/rupture.h"
#include "models/tsunami/earthquake/text.h"

#include "io/suggest.h"
#include "io/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { FIELDS_MAX = 32, NAME_BYTES = 64 };

static const struct {
    const char *name, *unit;
    size_t offset;
    bool is_optional;
} columns[] = {
    {"longitude", "degree", offsetof(struct fault, longitude_deg), false},
    {"latitude", "degree", offsetof(struct fault, latitude_deg), false},
    {"depth", "m", offsetof(struct fault, depth_m), false},
    {"length", "m", offsetof(struct fault, length_m), false},
    {"width", "m", offsetof(struct fault, width_m), false},
    {"strike", "degree", offsetof(struct fault, strike_deg), false},
    {"dip", "degree", offsetof(struct fault, dip_deg), false},
    {"rake", "degree", offsetof(struct fault, rake_deg), false},
    {"slip", "m", offsetof(struct fault, slip_m), false},
    {"start", "s", offsetof(struct fault, start_s), true},
    {"rise", "s", offsetof(struct fault, rise_s), true},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static const char *const references[] = {
    [FAULT_CENTRE] = "centre", [FAULT_TOP_CENTRE] = "top_centre", [FAULT_BOTTOM_CENTRE] = "bottom_centre",
    [FAULT_SIFT] = "sift",     [FAULT_TOP_CORNER] = "top_corner",
};

struct reader {
    struct earthquake_text text;
    struct earthquake_rupture *rupture;
    char reference[NAME_BYTES];
    enum fault_reference measured;
    size_t field_count; // 0 before the line of names
    struct {
        int kind; // −1: not a number
        double slope, offset;
        char unit[NAME_BYTES];
    } fields[FIELDS_MAX];
};

// The next field without blanks and quotes at its ends; *line moves behind its comma, NULL after the last.
static char *take_field(char **line)
{
    char *field = strsep(line, ",");
    field += strspn(field, " \t\"");
    size_t length = strlen(field);
    while (length > 0 && strchr(" \t\"", field[length - 1]))
        field[--length] = '\0';
    return field;
}

// "Depth (km)": the name before the unit; *unit: "" without one.
static void split_unit(char *field, char unit[NAME_BYTES])
{
    char *open = strpbrk(field, "([");
    unit[0] = '\0';
    if (!open)
        return;
    snprintf(unit, NAME_BYTES, "%.*s", (int)strcspn(open + 1, ")]"), open + 1);
    while (open > field && (open[-1] == ' ' || open[-1] == '\t'))
        open--;
    *open = '\0';
}

static enum status read_name(struct reader *r, char *field, bool seen[COLUMNS])
{
    static const char *const texts[] = {"unitsrc", "name", "id", "segment"};
    const char *known[COLUMNS];
    if (r->field_count == FIELDS_MAX)
        return FAIL(STATUS_DATA, "%s: more than %d columns", r->text.about, FIELDS_MAX);
    const size_t at = r->field_count++;
    char *unit = r->fields[at].unit;
    split_unit(field, unit);
    r->fields[at].kind = -1;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        if (strcasecmp(field, texts[k]) == 0)
            return STATUS_OK;
    int kind = 0;
    for (; kind < COLUMNS && strcasecmp(field, columns[kind].name) != 0; kind++)
        known[kind] = columns[kind].name;
    if (kind == COLUMNS) {
        for (char *c = field; *c; c++)
            *c = (char)(*c >= 'A' && *c <= 'Z' ? *c + 'a' - 'A' : *c);
        const char *nearest = suggest_word(field, known, COLUMNS);
        return FAIL(STATUS_DATA, "%s: unknown column \"%.40s\"%s%s%s", r->text.about, field,
                    nearest ? " (did you mean " : "", nearest ? nearest : "", nearest ? "?)" : "");
    }
    if (seen[kind])
        return FAIL(STATUS_DATA, "%s: the column %s appears twice", r->text.about, columns[kind].name);
    seen[kind] = true;
    if (!unit[0] && strcmp(columns[kind].unit, "degree") == 0)
        snprintf(unit, NAME_BYTES, "degree");
    if (!unit[0])
        return FAIL(STATUS_DATA, "%s: the column %s states no unit: expected, for example, \"%s (%s)\"",
                    r->text.about, columns[kind].name, columns[kind].name, columns[kind].unit);
    r->fields[at].kind = kind;
    CHECK_ABOUT(units_conversion(unit, columns[kind].unit, &r->fields[at].slope, &r->fields[at].offset),
                "%s: column %s", r->text.about, columns[kind].name);
    return STATUS_OK;
}

static enum status read_names(struct reader *r, char *line)
{
    bool seen[COLUMNS] = {false};
    while (line)
        CHECK(read_name(r, take_field(&line), seen));
    for (int kind = 0; kind < COLUMNS; kind++)
        if (!seen[kind] && !columns[kind].is_optional)
            return FAIL(STATUS_DATA, "%s: no column %s", r->text.about, columns[kind].name);
    if (!r->reference[0])
        return FAIL(
            STATUS_DATA,
            "%s: the table does not state where position and depth are measured: give "
            "source.faults_reference, "
            "or a line \"# reference: centre\" (top_centre, bottom_centre, top_corner, sift) before this one",
            r->text.about);
    size_t k = 0;
    while (k < sizeof references / sizeof *references && strcmp(references[k], r->reference) != 0)
        k++;
    if (k == sizeof references / sizeof *references)
        return FAIL(STATUS_DATA,
                    "%s: reference \"%s\", expected centre, top_centre, bottom_centre, top_corner or sift",
                    r->text.path, r->reference);
    r->measured = (enum fault_reference)k;
    return STATUS_OK;
}

static enum status read_row(struct reader *r, char *line)
{
    struct fault fault = {.reference = r->measured};
    size_t count = 0;
    for (; line; count++) {
        const char *field = take_field(&line);
        if (count >= r->field_count && field[0])
            return FAIL(STATUS_DATA, "%s: more than %zu fields", r->text.about, r->field_count);
        if (count >= r->field_count || r->fields[count].kind < 0)
            continue;
        const char *end;
        double number;
        const int kind = r->fields[count].kind;
        if (!earthquake_text_number(field, &end, &number) || *end)
            return FAIL(STATUS_DATA, "%s: column %s: \"%.40s\" is not a finite number", r->text.about,
                        columns[kind].name, field);
        const double value = r->fields[count].slope * number + r->fields[count].offset;
        memcpy((char *)&fault + columns[kind].offset, &value, sizeof value);
    }
    if (count < r->field_count)
        return FAIL(STATUS_DATA, "%s: %zu fields, expected %zu", r->text.about, count, r->field_count);
    return earthquake_rupture_add(r->rupture, &fault, NAN, r->text.number, r->text.about);
}

static enum status read_all(struct reader *r)
{
    for (char *line; (line = earthquake_text_line(&r->text));) {
        char *text = earthquake_text_skip(line);
        if (*text == '#') {
            text += strspn(text, "# \t");
            if (earthquake_text_begins(text, "reference:") && r->field_count == 0) {
                const char *word = earthquake_text_skip(strchr(text, ':') + 1);
                char stated[NAME_BYTES];
                snprintf(stated, sizeof stated, "%.*s", (int)strcspn(word, " \t"), word);
                if (r->reference[0] && strcmp(stated, r->reference) != 0)
                    return FAIL(STATUS_DATA, "%s: the table is measured at \"%s\", the job says \"%s\"",
                                r->text.about, stated, r->reference);
                snprintf(r->reference, sizeof r->reference, "%s", stated);
            }
        } else if (*text && r->field_count == 0) {
            CHECK(read_names(r, line));
        } else if (*text) {
            CHECK(read_row(r, line));
        }
    }
    return earthquake_rupture_end_segment(r->rupture, r->text.path);
}

enum status earthquake_csv_read(const char *path, char *content, const char *reference,
                                struct earthquake_rupture *rupture)
{
    struct reader reader = {.rupture = rupture};
    snprintf(reader.reference, sizeof reader.reference, "%s", reference ? reference : "");
    earthquake_rupture_begin(rupture);
    earthquake_text_begin(&reader.text, path, content);
    return earthquake_rupture_finish(rupture, path, read_all(&reader));
}
