// ndk: the Global CMT catalogue's form of five lines a solution ("allorder.ndk_explained", globalcmt.org):
//   1  catalogue, date, time, hypocentre (latitude, longitude, depth in km), mb, MS, region
//   2  event name (columns 1–16), stations, type of source and half duration
//   3  CENTROID: time shift, latitude, longitude, depth, each with its error
//   4  exponent of ten, then Mrr Mtt Mpp Mrt Mrp Mtp in dyne cm, each with its error
//   5  version, principal axes, scalar moment (in the exponent's unit), both nodal planes
#include "models/tsunami/earthquake/event.h"
#include "models/tsunami/earthquake/text.h"

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

// The first number of columns, NaN without one.
static double column_number(const char *line, size_t first, size_t last)
{
    char text[32];
    char *rest;
    double numbers[EARTHQUAKE_NUMBERS_MAX];
    take_columns(line, first, last, text, sizeof text);
    return earthquake_text_numbers(text, numbers, &rest) >= 1 ? numbers[0] : NAN;
}

static enum status read_head(const char *line, const char *about, struct earthquake_event *event,
                             double *magnitude)
{
    char date[16], time[16];
    take_columns(line, 6, 15, date, sizeof date);
    take_columns(line, 17, 24, time, sizeof time);
    for (char *slash = date; (slash = strchr(slash, '/'));)
        *slash = '-';
    snprintf(event->time, sizeof event->time, "%s %s", date, time);
    take_columns(line, 57, 80, event->place, sizeof event->place);
    event->hypocentre = (struct earthquake_point){.latitude_deg = column_number(line, 28, 33),
                                                  .longitude_deg = column_number(line, 35, 41),
                                                  .depth_m = 1e3 * column_number(line, 43, 47)};
    if (isnan(event->hypocentre.latitude_deg + event->hypocentre.longitude_deg + event->hypocentre.depth_m))
        return FAIL(
            STATUS_DATA,
            "%s: expected date, time and hypocentre as in the first line of an ndk solution (latitude in "
            "columns 28 to 33, longitude in 35 to 41, depth in 43 to 47)",
            about);
    const double body = column_number(line, 49, 51), surface = column_number(line, 53, 55);
    *magnitude = fmax(isnan(body) ? 0 : body, isnan(surface) ? 0 : surface);
    return STATUS_OK;
}

// By columns: a time shift and its error may touch each other ("1.060.0").
static enum status read_centroid(const char *line, const char *about, struct earthquake_event *event)
{
    event->centroid = (struct earthquake_point){.latitude_deg = column_number(line, 23, 29),
                                                .longitude_deg = column_number(line, 35, 42),
                                                .depth_m = 1e3 * column_number(line, 48, 53)};
    if (!earthquake_text_begins(line, "CENTROID:") ||
        isnan(event->centroid.latitude_deg + event->centroid.longitude_deg + event->centroid.depth_m))
        return FAIL(
            STATUS_DATA,
            "%s: expected \"CENTROID:\" and, in columns 23 to 29, 35 to 42 and 48 to 53, latitude, longitude "
            "and depth",
            about);
    return STATUS_OK;
}

static enum status read_tensor(const char *line, const char *about, struct earthquake_event *event,
                               double *unit_n_m)
{
    struct earthquake_tensor *m = &event->tensor;
    double *const values[] = {&m->rr, &m->tt, &m->pp, &m->rt, &m->rp, &m->tp};
    const double exponent = column_number(line, 1, 2);
    if (!(exponent >= 20 && exponent <= 32 && exponent == floor(exponent)))
        return FAIL(STATUS_DATA,
                    "%s: \"%.2s\" is no exponent: expected a whole number from 20 to 32 (dyne cm)", about,
                    line);
    *unit_n_m = pow(10, exponent - 7);
    for (size_t k = 0; k < 6; k++) {
        *values[k] = *unit_n_m * column_number(line, 3 + 13 * k, 9 + 13 * k);
        if (isnan(*values[k]))
            return FAIL(STATUS_DATA,
                        "%s: no number in columns %zu to %zu: expected the six components of the tensor, "
                        "each with its "
                        "error, seven and six columns wide",
                        about, 3 + 13 * k, 9 + 13 * k);
    }
    return STATUS_OK;
}

// Columns 50 to 56: the scalar moment.
static enum status read_moment(const char *line, const char *about, double unit_n_m,
                               struct earthquake_event *event)
{
    event->stated_moment_n_m = unit_n_m * column_number(line, 50, 56);
    return isnan(event->stated_moment_n_m)
               ? FAIL(STATUS_DATA, "%s: no scalar moment in columns 50 to 56", about)
               : STATUS_OK;
}

// The five lines of one solution; *is_end: there is none. Blank lines between solutions do not count.
static enum status read_solution(struct earthquake_text *text, struct earthquake_event *event,
                                 double *magnitude, bool *is_end)
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
    CHECK(read_head(line, text->about, event, magnitude));
    for (int k = 1; k < LINES; k++) {
        line = earthquake_text_line(text);
        if (!line)
            return FAIL(STATUS_DATA, "%s: the solution ends after %d of its %d lines: is the file cut short?",
                        text->about, k, LINES);
        if (k == 1)
            take_columns(line, 1, 16, event->name, sizeof event->name);
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
    double magnitude = 0, other = 0;
    size_t solutions = 0, matches = 0;
    earthquake_text_begin(&text, path, content);
    for (;;) {
        bool is_end;
        CHECK(read_solution(&text, &found, &magnitude, &is_end));
        if (is_end)
            break;
        solutions++;
        if (!wanted || is_wanted(found.name, wanted)) {
            matches++;
            *event = found;
            other = magnitude;
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
    return earthquake_event_finish(event, other, text.about);
}
