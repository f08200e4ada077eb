// ndk: the Global CMT catalogue's form of five lines a solution ("allorder.ndk_explained", globalcmt.org):
//   1  catalogue, date, time, hypocentre (latitude, longitude, depth in km), mb, MS, region
//   2  event name (columns 1–16), stations, type of source and half duration
//   3  CENTROID: time shift, latitude, longitude, depth, each with its error
//   4  exponent of ten, then Mrr Mtt Mpp Mrt Mrp Mtp in dyne cm, each with its error
//   5  version, principal axes, scalar moment (in the exponent's unit), both nodal planes
// Numbers stand in columns, without a rule for blanks between them: a line that one blank shifts would still
// have numbers there, though others. So each field must hold exactly one, which does not go on behind it.
#include "models/tsunami/earthquake/event.h"
#include "models/tsunami/earthquake/text.h"

#include "io/utf8.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LINES = 5 };

// Columns first to last of a line, from 1, without blanks at the ends.
static void take_columns(const char *line, size_t first, size_t last, char *text, size_t bytes)
{
    const size_t length = strlen(line);
    const char *start = line + (first - 1 < length ? first - 1 : length);
    size_t count = strnlen(start, last + 1 - first);
    while (count > 0 && isspace((unsigned char)*start)) {
        start++;
        count--;
    }
    while (count > 0 && isspace((unsigned char)start[count - 1]))
        count--;
    snprintf(text, bytes, "%.*s", (int)count, start);
}

// A number's columns, first to last from 1. NaN: they are blank.
struct field {
    const char *name;
    size_t first, last;
    double *value; // NULL: is checked alone
};

static bool is_part_of_number(char character)
{
    return isdigit((unsigned char)character) || character == '.';
}

// A column for a value with one decimal that it fills may touch the one before it, as in "1.060.0", a time
// shift of 1.0 s with an error of 60.0 s.
static bool is_filled(const char *left, const char *right, size_t width)
{
    const size_t length = strlen(left);
    return length > 2 && left[length - 2] == '.' && strlen(right) == width && right[width - 2] == '.';
}

// Whether a number goes on across the end of a field: the line is not set by the columns of the form.
static bool is_cut(const char *line, const char *text, const struct field *field)
{
    if (strlen(line) <= field->last || !is_part_of_number(line[field->last - 1]) ||
        !is_part_of_number(line[field->last]))
        return false;
    char next[8];
    take_columns(line, field->last + 1, field->last + 4, next, sizeof next);
    return !is_filled(text, next, 4);
}

// Each field must hold one number, and nothing else.
static enum status read_fields(const char *line, const char *about, const struct field *fields, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        char text[32];
        const char *end = text;
        double value = NAN;
        take_columns(line, fields[k].first, fields[k].last, text, sizeof text);
        if (!earthquake_text_number(text, &end, &value) || *end || is_cut(line, text, &fields[k]))
            return FAIL(STATUS_DATA,
                        "%s: columns %zu to %zu (%s) hold \"%.24s\", expected one number there: is the "
                        "line shifted against the columns of ndk?",
                        about, fields[k].first, fields[k].last, fields[k].name, text);
        if (fields[k].value)
            *fields[k].value = value;
    }
    return STATUS_OK;
}

// Columns that part fields.
static enum status check_blanks(const char *line, const char *about, const size_t *columns, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (strlen(line) >= columns[k] && line[columns[k] - 1] != ' ')
            return FAIL(
                STATUS_DATA,
                "%s: \"%c\" in column %zu, expected a blank: is the line shifted against the columns of "
                "ndk?",
                about, isprint((unsigned char)line[columns[k] - 1]) ? line[columns[k] - 1] : '?', columns[k]);
    return STATUS_OK;
}

static enum status read_head(const char *line, const char *about, struct earthquake_event *event)
{
    static const size_t blanks[] = {5, 16, 27, 34, 42, 48, 52, 56};
    char date[32];
    double depth_km, body, surface;
    const struct field fields[] = {{"latitude", 28, 33, &event->hypocentre.latitude_deg},
                                   {"longitude", 35, 41, &event->hypocentre.longitude_deg},
                                   {"depth", 43, 47, &depth_km},
                                   {"mb", 49, 51, &body},
                                   {"MS", 53, 55, &surface}};
    CHECK(check_blanks(line, about, blanks, sizeof blanks / sizeof *blanks));
    CHECK(read_fields(line, about, fields, sizeof fields / sizeof *fields));
    event->hypocentre.depth_m = 1e3 * depth_km;
    earthquake_event_offer_magnitude(event, surface > 0 ? surface : NAN, "MS"); // 0: not determined
    earthquake_event_offer_magnitude(event, body > 0 ? body : NAN, "mb");
    char place[32];
    take_columns(line, 57, 80, place, sizeof place);
    utf8_copy_line(event->place, sizeof event->place, place);
    take_columns(line, 6, 26, date, sizeof date);
    return earthquake_event_take_time(event, date, about);
}

static enum status read_centroid(const char *line, const char *about, struct earthquake_event *event)
{
    double depth_km;
    const struct field fields[] = {{"time shift", 10, 18, NULL},
                                   {"its error", 19, 22, NULL},
                                   {"latitude", 23, 29, &event->centroid.latitude_deg},
                                   {"its error", 30, 34, NULL},
                                   {"longitude", 35, 42, &event->centroid.longitude_deg},
                                   {"its error", 43, 47, NULL},
                                   {"depth", 48, 53, &depth_km},
                                   {"its error", 54, 58, NULL}};
    if (strncmp(line, "CENTROID:", 9) != 0)
        return FAIL(STATUS_DATA, "%s: expected \"CENTROID:\", the third line of an ndk solution", about);
    CHECK(read_fields(line, about, fields, sizeof fields / sizeof *fields));
    event->centroid.depth_m = 1e3 * depth_km;
    return STATUS_OK;
}

static enum status read_tensor(const char *line, const char *about, struct earthquake_event *event,
                               double *unit_n_m)
{
    struct earthquake_tensor *m = &event->tensor;
    double *const values[] = {&m->rr, &m->tt, &m->pp, &m->rt, &m->rp, &m->tp};
    static const char *const names[] = {"Mrr", "Mtt", "Mpp", "Mrt", "Mrp", "Mtp"};
    double exponent;
    const struct field first = {"exponent", 1, 2, &exponent};
    CHECK(read_fields(line, about, &first, 1));
    if (!(exponent >= 20 && exponent <= 32 && exponent == floor(exponent)))
        return FAIL(STATUS_DATA,
                    "%s: \"%.2s\" is no exponent: expected a whole number from 20 to 32 (dyne cm)", about,
                    line);
    *unit_n_m = pow(10, exponent - 7);
    for (size_t k = 0; k < 6; k++) {
        const struct field fields[] = {{names[k], 3 + 13 * k, 9 + 13 * k, values[k]},
                                       {"its error", 10 + 13 * k, 15 + 13 * k, NULL}};
        CHECK(read_fields(line, about, fields, 2));
        *values[k] *= *unit_n_m;
    }
    return STATUS_OK;
}

// The scalar moment; the principal axes and the nodal planes follow from the tensor.
static enum status read_moment(const char *line, const char *about, double unit_n_m,
                               struct earthquake_event *event)
{
    static const size_t widths[] = {8, 3, 4, 8, 3, 4, 8, 3, 4};
    size_t column = 4;
    for (size_t k = 0; k < sizeof widths / sizeof *widths; k++) {
        const struct field axis = {"a principal axis", column, column + widths[k] - 1, NULL};
        CHECK(read_fields(line, about, &axis, 1));
        column += widths[k];
    }
    const struct field moment = {"scalar moment", 49, 56, &event->stated_moment_n_m};
    CHECK(read_fields(line, about, &moment, 1));
    event->stated_moment_n_m *= unit_n_m;
    return STATUS_OK;
}

static void read_name(const char *line, struct earthquake_event *event)
{
    char name[32];
    take_columns(line, 1, 16, name, sizeof name);
    utf8_copy_line(event->name, sizeof event->name, name);
}

// The five lines of one solution; *is_end: there is none. Blank lines between solutions do not count.
static enum status read_solution(struct earthquake_text *text, struct earthquake_event *event, bool *is_end)
{
    double unit_n_m = 1;
    char *line;
    while ((line = earthquake_text_line(text)) && earthquake_text_is_blank(line))
        continue;
    *is_end = !line;
    if (*is_end)
        return STATUS_OK;
    *event = earthquake_event_begin();
    event->has_mechanism = true;
    CHECK(read_head(line, text->about, event));
    for (int k = 1; k < LINES; k++) {
        line = earthquake_text_line(text);
        if (!line)
            return FAIL(STATUS_DATA, "%s: the solution ends after %d of its %d lines: is the file cut short?",
                        text->about, k, LINES);
        if (k == 1)
            read_name(line, event);
        else if (k == 2)
            CHECK(read_centroid(line, text->about, event));
        else if (k == 3)
            CHECK(read_tensor(line, text->about, event, &unit_n_m));
        else
            CHECK(read_moment(line, text->about, unit_n_m, event));
    }
    return STATUS_OK;
}

// Catalogue names have a letter before them that tells the kind of data; both forms are accepted.
static bool is_wanted(const char *name, const char *wanted)
{
    return strcmp(name, wanted) == 0 || (name[0] && strcmp(name + 1, wanted) == 0);
}

enum status earthquake_ndk_read(const char *path, char *content, const char *wanted,
                                struct earthquake_event *event)
{
    struct earthquake_text text;
    struct earthquake_event found = {0};
    size_t solutions = 0, matches = 0;
    earthquake_text_begin(&text, path, content);
    for (;;) {
        bool is_end;
        CHECK(read_solution(&text, &found, &is_end));
        if (is_end)
            break;
        solutions++;
        if (!wanted || is_wanted(found.name, wanted)) {
            matches++;
            *event = found;
        }
    }
    if (solutions == 0)
        return FAIL(STATUS_DATA, "%s: no solution", path);
    if (matches == 0)
        return FAIL(STATUS_DATA, "%s: none of its %zu solutions is \"%s\"", path, solutions, wanted);
    if (matches > 1)
        return FAIL(STATUS_DATA, "%s: %zu solutions%s%s: give the name of one as source.earthquake.event",
                    path, matches, wanted ? " are " : "", wanted ? wanted : "");
    snprintf(text.about, sizeof text.about, "%s: %s", path, event->name);
    return earthquake_event_finish(event, text.about);
}
