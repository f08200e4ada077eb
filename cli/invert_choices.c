// The stations that the command line of `fathom invert` names (see invert_options.h).
#include "cli/invert_options.h"

#include "cli/options.h"
#include "io/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct choices {
    struct invert_choice *items; // [INVERT_STATIONS_MAX]
    size_t count;
};

static enum status add_choice(struct choices *choices, const char *name, struct invert_choice **choice)
{
    if (strlen(name) >= GAUGE_NAME_MAX)
        return FAIL(STATUS_USAGE, "station \"%.80s\": expected a name of at most %d characters", name,
                    GAUGE_NAME_MAX - 1);
    for (size_t k = 0; k < choices->count; k++)
        if (strcmp(choices->items[k].name, name) == 0)
            return FAIL(STATUS_USAGE, "station %s is named twice", name);
    if (choices->count == INVERT_STATIONS_MAX)
        return FAIL(STATUS_USAGE, "more than %d stations", INVERT_STATIONS_MAX);
    *choice = &choices->items[choices->count++];
    **choice = (struct invert_choice){.longitude = NAN,
                                      .latitude = NAN,
                                      .time_column = 1,
                                      .value_column = 2,
                                      .begin_s = NAN,
                                      .end_s = NAN,
                                      .weight = 1};
    snprintf((*choice)->name, sizeof(*choice)->name, "%s", name);
    return STATUS_OK;
}

// A station that neither --fit nor --forecast names is fitted; given slips say themselves what it was.
static enum invert_role unnamed_role(const struct invert_options *options)
{
    return options->slips ? INVERT_COMPARED : INVERT_FITTED;
}

// ---- stations of a list of gauges

static enum status add_gauge(const struct invert_options *options, const struct gauge *gauge,
                             enum invert_role role, struct choices *choices)
{
    struct invert_choice *choice;
    CHECK(add_choice(choices, gauge->name, &choice));
    choice->is_named = true;
    choice->role = role;
    choice->longitude = gauge->x;
    choice->latitude = gauge->y;
    choice->time_column = gauge->observed_time_column + 1;
    choice->value_column = gauge->observed_value_column + 1;
    choice->skip_lines = gauge->observed_skip_lines;
    CHECK_ABOUT(path_find(gauge->observed_file, options->observations, choice->record), "station %s%s",
                gauge->name,
                options->observations ? "" : " (--observations DIR names the folder of the records)");
    return STATUS_OK;
}

static const char *suggest_gauge(const struct gauge_list *list, const char *name,
                                 char suggestion[OPTIONS_SUGGESTION_BYTES])
{
    const char **names = calloc(list->count + 1, sizeof *names);
    for (size_t k = 0; names && k < list->count; k++)
        names[k] = list->gauges[k].name;
    options_suggestion(name, names, list->count, suggestion);
    free(names);
    return suggestion;
}

// The stations of "NAME,NAME".
static enum status add_named(const struct invert_options *options, const struct gauge_list *list,
                             const char *option, const char *names, enum invert_role role,
                             struct choices *choices)
{
    for (const char *at = names; *at;) {
        char name[GAUGE_NAME_MAX];
        const size_t length = strcspn(at, ",");
        size_t k = 0;
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        while (k < list->count && strcmp(list->gauges[k].name, name) != 0)
            k++;
        if (k == list->count) {
            char suggestion[OPTIONS_SUGGESTION_BYTES];
            return FAIL(STATUS_USAGE, "--%s: %s has no gauge \"%s\"%s", option, options->gauges, name,
                        suggest_gauge(list, name, suggestion));
        }
        if (!list->gauges[k].observed_file[0])
            return FAIL(STATUS_USAGE, "--%s: %s names no record of gauge %s (\"observed\")", option,
                        options->gauges, name);
        CHECK(add_gauge(options, &list->gauges[k], role, choices));
        at += length + (at[length] == ',');
    }
    return STATUS_OK;
}

static enum status add_listed(const struct invert_options *options, const struct gauge_list *list,
                              struct choices *choices)
{
    if (options->fit)
        CHECK(add_named(options, list, "fit", options->fit, INVERT_FITTED, choices));
    if (options->forecast)
        CHECK(add_named(options, list, "forecast", options->forecast, INVERT_FORECAST, choices));
    if (options->fit || options->forecast)
        return STATUS_OK;
    for (size_t k = 0; k < list->count; k++)
        if (list->gauges[k].observed_file[0])
            CHECK(add_gauge(options, &list->gauges[k], unnamed_role(options), choices));
    return choices->count > 0
               ? STATUS_OK
               : FAIL(STATUS_USAGE, "%s names no record of any gauge (\"observed\")", options->gauges);
}

static enum status add_list(const struct invert_options *options, struct choices *choices)
{
    char path[PATH_BYTES];
    struct gauge_list list;
    CHECK(path_find(options->gauges, NULL, path));
    CHECK(gauge_list_read(path, &list));
    const enum status status = add_listed(options, &list, choices);
    gauge_list_free(&list);
    return status;
}

// ---- stations of --observed

static bool parse_position(const char *text, double *longitude, double *latitude)
{
    char *end;
    *longitude = strtod(text, &end);
    if (end == text || *end != ',')
        return false;
    const char *second = end + 1;
    *latitude = strtod(second, &end);
    return end != second && (*end == '\0' || *end == '=') && fabs(*longitude) <= 720 && fabs(*latitude) <= 90;
}

static enum status add_observed(const char *text, const struct invert_options *options,
                                struct choices *choices)
{
    const char *at = strrchr(text, '@'), *equals = at ? strchr(at, '=') : NULL;
    const char *base = at ? memrchr(text, '/', (size_t)(at - text)) : NULL;
    char file[PATH_BYTES], name[GAUGE_NAME_MAX + 1];
    struct invert_choice *choice;
    double longitude = NAN, latitude = NAN;
    const bool has_position = at && strchr(at, ',');
    if (!at || at == text || at[1] == '\0' || (equals && equals[1] == '\0') ||
        (has_position && !parse_position(at + 1, &longitude, &latitude)))
        return FAIL(STATUS_USAGE,
                    "--observed %s: expected FILE@LONGITUDE,LATITUDE=NAME in degrees, as "
                    "21413.csv@152.123,30.528=21413, or FILE@NAME",
                    text);
    const char *begin = base ? base + 1 : text;
    if (equals || !has_position)
        snprintf(name, sizeof name, "%s", equals ? equals + 1 : at + 1);
    else
        snprintf(name, sizeof name, "%.*s", (int)fmin(GAUGE_NAME_MAX - 1, (double)(at - begin)), begin);
    CHECK(add_choice(choices, name, &choice));
    choice->is_named = equals || !has_position;
    choice->role = unnamed_role(options);
    choice->longitude = longitude;
    choice->latitude = latitude;
    choice->skip_lines = (int)options->skip_lines;
    snprintf(file, sizeof file, "%.*s", (int)(at - text), text);
    CHECK_ABOUT(path_find(file, NULL, choice->record), "--observed");
    return STATUS_OK;
}

// ---- windows and weights

// The station of "NAME=..."; NULL without NAME: all stations. *rest: the text after it.
static enum status find_choice(const char *option, const char *text, struct choices *choices,
                               struct invert_choice **choice, const char **rest)
{
    const char *equals = strchr(text, '='), *names[INVERT_STATIONS_MAX];
    char name[GAUGE_NAME_MAX];
    *choice = NULL;
    *rest = equals ? equals + 1 : text;
    if (!equals)
        return STATUS_OK;
    snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
    for (size_t k = 0; k < choices->count; k++) {
        names[k] = choices->items[k].name;
        if (strcmp(names[k], name) == 0)
            *choice = &choices->items[k];
    }
    char suggestion[OPTIONS_SUGGESTION_BYTES];
    if (!*choice)
        return FAIL(STATUS_USAGE, "--%s %s: unknown station \"%s\"%s", option, text, name,
                    options_suggestion(name, names, choices->count, suggestion));
    return STATUS_OK;
}

static enum status parse_time(const char *text, const char *part, size_t length, double *time_s)
{
    char quantity[64];
    snprintf(quantity, sizeof quantity, "%.*s", (int)length, part);
    if (quantity[strspn(quantity, " ")] == '\0')
        return STATUS_OK; // unchanged
    if (units_parse_quantity(quantity, "s", time_s) != STATUS_OK)
        return status_prefix(STATUS_USAGE, "--window %s", text);
    return STATUS_OK;
}

static enum status set_window(const char *text, struct choices *choices, bool is_for_all)
{
    struct invert_choice *choice;
    const char *rest;
    double begin_s = NAN, end_s = NAN;
    CHECK(find_choice("window", text, choices, &choice, &rest));
    const char *comma = strchr(rest, ',');
    if (!comma)
        return FAIL(STATUS_USAGE,
                    "--window %s: expected two times with a comma between, as \"3600 s,6000 s\"", text);
    CHECK(parse_time(text, rest, (size_t)(comma - rest), &begin_s));
    CHECK(parse_time(text, comma + 1, strlen(comma + 1), &end_s));
    if (begin_s >= end_s)
        return FAIL(STATUS_USAGE, "--window %s: ends before it begins", text);
    for (size_t k = 0; k < choices->count; k++)
        if (choice ? choice == &choices->items[k] && !is_for_all : is_for_all) {
            choices->items[k].begin_s = begin_s;
            choices->items[k].end_s = end_s;
        }
    return STATUS_OK;
}

static enum status set_weight(const char *text, struct choices *choices)
{
    struct invert_choice *choice;
    const char *rest;
    char *end;
    CHECK(find_choice("weight", text, choices, &choice, &rest));
    const double weight = strtod(rest, &end);
    if (!choice || end == rest || *end != '\0' || !(weight > 0 && weight <= 1e6))
        return FAIL(STATUS_USAGE, "--weight %s: expected NAME=W with a number above 0, as 21413=2", text);
    choice->weight = weight;
    return STATUS_OK;
}

enum status invert_options_stations(const struct invert_options *options,
                                    struct invert_choice items[INVERT_STATIONS_MAX], size_t *count)
{
    struct choices choices = {.items = items};
    if (options->gauges)
        CHECK(add_list(options, &choices));
    for (size_t k = 0; k < options->observed.count; k++)
        CHECK(add_observed(options->observed.texts[k], options, &choices));
    for (int is_for_all = 1; is_for_all >= 0; is_for_all--) // a station's own goes before that of all
        for (size_t k = 0; k < options->windows.count; k++)
            CHECK(set_window(options->windows.texts[k], &choices, is_for_all));
    for (size_t k = 0; k < options->weights.count; k++)
        CHECK(set_weight(options->weights.texts[k], &choices));
    *count = choices.count;
    return STATUS_OK;
}
