// Conversion between times that count from different dates (see time_units.h).
#include "io/time_units.h"

#include "io/units.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <udunits2.h>

enum { DATE_BYTES = 128 };

static const char since[] = " since ";
// The first day of the Gregorian calendar, after which CF's "standard" and "proleptic_gregorian" agree.
static const char gregorian_start[] = "1582-10-15";

struct moment {
    char unit[DATE_BYTES], date[DATE_BYTES];
};

bool time_units_have_date(const char *units)
{
    return strcasestr(units, since) != NULL;
}

void time_units_without_date(const char *units, char *unit, size_t bytes)
{
    const char *date = strcasestr(units, since);
    snprintf(unit, bytes, "%.*s", (int)(date ? (size_t)(date - units) : strlen(units)), units);
}

static enum status split(const char *units, struct moment *moment)
{
    const char *at = strcasestr(units, since);
    if (!at)
        return FAIL(STATUS_DATA, "\"%s\" has no date: expected \"UNIT since DATE\"", units);
    const char *date = at + strlen(since);
    date += strspn(date, " ");
    if ((size_t)snprintf(moment->unit, DATE_BYTES, "%.*s", (int)(at - units), units) >= DATE_BYTES ||
        (size_t)snprintf(moment->date, DATE_BYTES, "%s", date) >= DATE_BYTES)
        return FAIL(STATUS_DATA, "\"%.60s...\" is not a unit of time", units);
    return STATUS_OK;
}

// CF's names for the same calendars.
static const char *calendar_name(const char *calendar)
{
    if (calendar[0] == '\0' || strcasecmp(calendar, "gregorian") == 0)
        return "standard";
    if (strcasecmp(calendar, "365_day") == 0)
        return "noleap";
    if (strcasecmp(calendar, "366_day") == 0)
        return "all_leap";
    return calendar;
}

// Seconds from date `to` to date `from`.
static enum status seconds_between(const char *from, const char *to, double *seconds)
{
    char text[2][DATE_BYTES + 16];
    ut_unit *units[2] = {NULL, NULL};
    ut_system *system;
    CHECK(units_system(&system));
    snprintf(text[0], sizeof text[0], "seconds since %s", from);
    snprintf(text[1], sizeof text[1], "seconds since %s", to);
    for (int k = 0; k < 2; k++)
        units[k] = ut_parse(system, text[k], UT_UTF8);
    cv_converter *converter = units[0] && units[1] ? ut_get_converter(units[0], units[1]) : NULL;
    const int unreadable = !units[0] ? 0 : 1;
    if (converter)
        *seconds = cv_convert_double(converter, 0);
    cv_free(converter);
    ut_free(units[0]);
    ut_free(units[1]);
    return converter
               ? STATUS_OK
               : FAIL(STATUS_DATA, "\"%s\" is not a date that can be read", unreadable == 0 ? from : to);
}

static enum status check_calendars(const struct moment *from, const char *from_calendar,
                                   const struct moment *to, const char *to_calendar)
{
    const char *names[2] = {calendar_name(from_calendar), calendar_name(to_calendar)};
    const struct moment *moments[2] = {from, to};
    const bool is_same_date = strcmp(from->date, to->date) == 0;
    const bool is_same_calendar = strcasecmp(names[0], names[1]) == 0;
    if (is_same_calendar && (is_same_date || strcasecmp(names[0], "standard") == 0))
        return STATUS_OK;
    for (int k = 0; k < 2; k++) {
        if (strcasecmp(names[k], "standard") != 0 && strcasecmp(names[k], "proleptic_gregorian") != 0)
            return FAIL(STATUS_DATA,
                        "dates \"%s\" (calendar %s) and \"%s\" (calendar %s): only the Gregorian calendar "
                        "can be converted",
                        from->date, names[0], to->date, names[1]);
        double seconds;
        CHECK(seconds_between(moments[k]->date, gregorian_start, &seconds));
        if (seconds < 0)
            return FAIL(STATUS_DATA,
                        "date \"%s\": the calendars standard and proleptic_gregorian differ before %s",
                        moments[k]->date, gregorian_start);
    }
    return STATUS_OK;
}

enum status time_units_conversion(const char *from, const char *from_calendar, const char *to,
                                  const char *to_calendar, double *slope, double *offset)
{
    struct moment a, b;
    double none, seconds = 0, to_s, per_second;
    CHECK(split(from, &a));
    CHECK(split(to, &b));
    CHECK(units_conversion(a.unit, b.unit, slope, &none));
    CHECK(units_conversion(b.unit, "s", &to_s, &none)); // a time at all
    CHECK(units_conversion("s", b.unit, &per_second, &none));
    CHECK(check_calendars(&a, from_calendar, &b, to_calendar));
    if (strcmp(a.date, b.date) != 0)
        CHECK(seconds_between(a.date, b.date, &seconds));
    // Seconds to days must not pass through a rounded 1/86400.
    *offset = seconds == 0 ? 0 : to_s >= 1 ? seconds / to_s : seconds * per_second;
    return STATUS_OK;
}
