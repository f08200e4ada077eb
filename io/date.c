// Dates with a time of day, in UTC (see the header).
#include "io/date.h"

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
static bool take_fraction(const char **text, char fraction[12])
{
    enum { DIGITS_MOST = 9 };
    size_t digits = strspn(*text, "0123456789");
    const char *begin = *text;
    *text += digits;
    if (digits == 0 || digits > DIGITS_MOST)
        return false;
    while (digits > 0 && begin[digits - 1] == '0')
        digits--;
    snprintf(fraction, 12, "%s%.*s", digits > 0 ? "." : "", (int)digits, begin);
    return true;
}

static bool read(const char *text, char canonical[DATE_BYTES])
{
    static const int month_days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int year, month, day, hour, minute, second = 0;
    char fraction[12] = "";
    if (!take_number(&text, 4, 4, &year) || !take_one_of(&text, "-") || !take_number(&text, 1, 2, &month) ||
        !take_one_of(&text, "-") || !take_number(&text, 1, 2, &day) || !take_one_of(&text, "Tt ") ||
        !take_number(&text, 1, 2, &hour) || !take_one_of(&text, ":") || !take_number(&text, 2, 2, &minute))
        return false;
    if (take_one_of(&text, ":") &&
        (!take_number(&text, 2, 2, &second) || (take_one_of(&text, ".") && !take_fraction(&text, fraction))))
        return false;
    text += strspn(text, " ");
    if (*text && strcasecmp(text, "Z") != 0 && strcasecmp(text, "UTC") != 0)
        return false;
    const bool is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    if (month < 1 || month > 12 || day < 1 || day > month_days[month - 1] + (month == 2 && is_leap) ||
        hour > 23 || minute > 59 || second > 60)
        return false;
    snprintf(canonical, DATE_BYTES, "%04d-%02d-%02d %02d:%02d:%02d%s", year, month, day, hour, minute, second,
             fraction);
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
