// Dates with a time of day, in UTC (see the header).
#include "io/date.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

// Moves *text past a number of `least` to `most` digits; false if fewer stand there.
static bool take_number(const char **text, int least, int most, int *value)
{
    int digits = 0;
    for (*value = 0; digits < most && **text >= '0' && **text <= '9'; digits++)
        *value = 10 * *value + (*(*text)++ - '0');
    return digits >= least;
}

static bool take_one_of(const char **text, const char *characters)
{
    const bool is_there = **text != '\0' && strchr(characters, **text) != NULL;
    *text += is_there;
    return is_there;
}

// ".250" as ".25", and ".0" as "".
static bool take_fraction(const char **text, bool cuts, char fraction[12])
{
    enum { DIGITS_MOST = 9 };
    size_t digits = strspn(*text, "0123456789");
    const char *begin = *text;
    *text += digits;
    if (digits == 0 || (digits > DIGITS_MOST && !cuts))
        return false;
    digits = digits < DIGITS_MOST ? digits : DIGITS_MOST;
    while (digits > 0 && begin[digits - 1] == '0')
        digits--;
    snprintf(fraction, 12, "%s%.*s", digits > 0 ? "." : "", (int)digits, begin);
    return true;
}

// A date as it is written. `second` may be 60.
struct stamp {
    int year, month, day, hour, minute, second;
    char fraction[12];
    bool has_time;
};

// A day, and what follows it until a zone; *text moves behind it. separators: between year, month and day.
static bool take_stamp(const char **text, const char *separators, bool cuts_fraction, struct stamp *s)
{
    static const int month_days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    *s = (struct stamp){0};
    if (!take_number(text, 4, 4, &s->year) || !take_one_of(text, separators) ||
        !take_number(text, 1, 2, &s->month) || !take_one_of(text, separators) ||
        !take_number(text, 1, 2, &s->day))
        return false;
    const bool is_leap = s->year % 4 == 0 && (s->year % 100 != 0 || s->year % 400 == 0);
    if (s->month < 1 || s->month > 12 || s->day < 1 ||
        s->day > month_days[s->month - 1] + (s->month == 2 && is_leap))
        return false;
    s->has_time = **text != '\0' && (*text)[strspn(*text, " ")] != '\0';
    if (!s->has_time)
        return true;
    if (!take_one_of(text, "Tt ") || !take_number(text, 1, 2, &s->hour) || !take_one_of(text, ":") ||
        !take_number(text, 2, 2, &s->minute))
        return false;
    if (take_one_of(text, ":") &&
        (!take_number(text, 2, 2, &s->second) ||
         (take_one_of(text, ".") && !take_fraction(text, cuts_fraction, s->fraction))))
        return false;
    return s->hour <= 23 && s->minute <= 59 && s->second <= 60;
}

static bool is_utc(const char *text)
{
    return !*text || strcasecmp(text, "Z") == 0 || strcasecmp(text, "UTC") == 0;
}

static void print_stamp(const struct stamp *s, char canonical[DATE_BYTES])
{
    char text[96]; // as long as any numbers would make it
    snprintf(text, sizeof text, "%04d-%02d-%02d %02d:%02d:%02d%s", s->year, s->month, s->day, s->hour,
             s->minute, s->second, s->fraction);
    snprintf(canonical, DATE_BYTES, "%.*s", DATE_BYTES - 1, text);
}

static bool read(const char *text, char canonical[DATE_BYTES])
{
    struct stamp stamp;
    if (!take_stamp(&text, "-", false, &stamp) || !stamp.has_time || !is_utc(text + strspn(text, " ")))
        return false;
    print_stamp(&stamp, canonical);
    return true;
}

// "+09:00", "-0330", "+9": seconds east of UTC. No zone has more than 14 hours.
static bool take_zone(const char *text, int *east_s)
{
    int hours, minutes = 0;
    *east_s = 0;
    if (is_utc(text))
        return true;
    const bool is_west = *text == '-';
    if (!take_one_of(&text, "+-") || !take_number(&text, 1, 2, &hours))
        return false;
    take_one_of(&text, ":");
    if (*text && (!take_number(&text, 2, 2, &minutes) || *text))
        return false;
    *east_s = (is_west ? -60 : 60) * (60 * hours + minutes);
    return hours <= 14 && minutes <= 59;
}

// Moves a date by seconds, and a leap second into the minute after it. False: years of other than four
// digits.
static bool shift(struct stamp *s, int64_t seconds)
{
    struct tm date = {.tm_year = s->year - 1900,
                      .tm_mon = s->month - 1,
                      .tm_mday = s->day,
                      .tm_hour = s->hour,
                      .tm_min = s->minute,
                      .tm_sec = s->second};
    const time_t moved = timegm(&date) + (time_t)seconds;
    if (!gmtime_r(&moved, &date) || date.tm_year < -1900 || date.tm_year > 9999 - 1900)
        return false;
    *s = (struct stamp){.year = date.tm_year + 1900,
                        .month = date.tm_mon + 1,
                        .day = date.tm_mday,
                        .hour = date.tm_hour,
                        .minute = date.tm_min,
                        .second = date.tm_sec,
                        .has_time = s->has_time};
    return true;
}

enum date_kind date_convert(const char *text, char canonical[DATE_BYTES])
{
    struct stamp stamp;
    int east_s;
    canonical[0] = '\0';
    text += strspn(text, " ");
    if (!take_stamp(&text, "-/", true, &stamp))
        return DATE_INVALID;
    text += strspn(text, " ");
    const bool is_midnight = stamp.hour == 0 && stamp.minute == 0 && stamp.second == 0 && !stamp.fraction[0];
    char fraction[sizeof stamp.fraction];
    memcpy(fraction, stamp.fraction, sizeof fraction);
    if (!take_zone(text, &east_s) || !shift(&stamp, -east_s))
        return DATE_INVALID;
    memcpy(stamp.fraction, fraction, sizeof fraction);
    print_stamp(&stamp, canonical);
    return !stamp.has_time ? DATE_DAY : is_midnight ? DATE_MIDNIGHT : DATE_TIME;
}

bool date_of_epoch_ms(double epoch_ms, char canonical[DATE_BYTES])
{
    struct stamp stamp = {.year = 1970, .month = 1, .day = 1, .has_time = true};
    canonical[0] = '\0';
    if (!(fabs(epoch_ms) < 1e15))
        return false;
    const int64_t whole_ms = (int64_t)floor(epoch_ms), seconds = whole_ms / 1000 - (whole_ms % 1000 < 0);
    if (!shift(&stamp, seconds))
        return false;
    char digits[12];
    const char *text = digits;
    snprintf(digits, sizeof digits, "%03d", (int)(whole_ms - 1000 * seconds));
    (void)take_fraction(&text, true, stamp.fraction);
    print_stamp(&stamp, canonical);
    return true;
}

enum status date_read(const char *text, char canonical[DATE_BYTES])
{
    if (read(text, canonical))
        return STATUS_OK;
    return FAIL(STATUS_CONFIGURATION,
                "\"%.80s\" is not a date and time in UTC: expected \"YEAR-MONTH-DAY HOURS:MINUTES:SECONDS\", "
                "as \"2011-03-11 05:46:24\"; convert a time of another zone to UTC",
                text);
}

bool date_epoch(const char *text, double *epoch_s)
{
    char whole[DATE_BYTES + 16], canonical[DATE_BYTES];
    struct tm date = {0};
    double seconds;
    if (snprintf(whole, sizeof whole, "%s%s", text, strchr(text, ':') ? "" : " 00:00") >= (int)sizeof whole ||
        !read(whole, canonical) ||
        sscanf(canonical, "%d-%d-%d %d:%d:%lf", &date.tm_year, &date.tm_mon, &date.tm_mday, &date.tm_hour,
               &date.tm_min, &seconds) != 6)
        return false;
    date.tm_year -= 1900;
    date.tm_mon -= 1;
    *epoch_s = (double)timegm(&date) + seconds;
    return true;
}
