// Amounts of memory as text: see units.h. Decimal and binary prefixes; no library reads both.
#include "io/units.h"

#include "io/suggest.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_BYTES = 64 };
// Doubles represent all whole numbers up to this one.
static const double largest_bytes = 0x1p53;

static const struct {
    const char *name;
    double bytes;
} byte_units[] = {
    {"B", 1},
    {"bytes", 1},
    {"byte", 1},
    {"kB", 1e3},
    {"KB", 1e3},
    {"MB", 1e6},
    {"GB", 1e9},
    {"TB", 1e12},
    {"PB", 1e15},
    {"KiB", 1024.0},
    {"kiB", 1024.0},
    {"MiB", 1048576.0},
    {"GiB", 1073741824.0},
    {"TiB", 1099511627776.0},
    {"PiB", 1125899906842624.0},
};

enum { BYTE_UNITS = sizeof byte_units / sizeof *byte_units };

static enum status fail_byte_unit(const char *unit)
{
    const char *names[BYTE_UNITS];
    for (size_t k = 0; k < BYTE_UNITS; k++)
        names[k] = byte_units[k].name;
    const char *nearest = suggest_word(unit, names, BYTE_UNITS);
    if (nearest)
        return FAIL(STATUS_CONFIGURATION, "unknown unit of memory %s (did you mean %s?)", unit, nearest);
    return FAIL(STATUS_CONFIGURATION,
                "unknown unit of memory %s; kB, MB, GB, TB or KiB, MiB, GiB, TiB are expected", unit);
}

enum status units_parse_bytes(const char *text, double *bytes)
{
    text += strspn(text, " ");
    // Only what starts like a decimal number: strtod also takes inf, nan and hexadecimals.
    const bool is_decimal =
        isdigit((unsigned char)text[0]) && !(text[0] == '0' && tolower((unsigned char)text[1]) == 'x');
    char *end = NULL;
    const double count = is_decimal ? strtod(text, &end) : (double)NAN;
    if (!isfinite(count))
        return FAIL(STATUS_CONFIGURATION,
                    "\"%.60s\" is not an amount of memory; write for instance \"2 GB\" or \"512 MiB\"", text);
    char unit[SHOWN_BYTES];
    snprintf(unit, sizeof unit, "%.60s", end + strspn(end, " "));
    for (size_t length = strlen(unit); length > 0 && unit[length - 1] == ' '; length--)
        unit[length - 1] = '\0';
    if (unit[0] == '\0')
        return FAIL(STATUS_CONFIGURATION, "%.60s has no unit; write for instance \"2 GB\" or \"512 MiB\"",
                    text);
    for (size_t k = 0; k < BYTE_UNITS; k++) {
        if (strcmp(unit, byte_units[k].name) != 0)
            continue;
        *bytes = round(count * byte_units[k].bytes);
        if (*bytes > largest_bytes)
            return FAIL(STATUS_CONFIGURATION, "\"%.60s\" is too large: at most 9 PB are expected", text);
        return STATUS_OK;
    }
    return fail_byte_unit(unit);
}

const char *units_format_bytes(double bytes_value, char *text, size_t bytes)
{
    static const char *const prefixes[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    double value = fabs(bytes_value);
    size_t prefix = 0;
    if (!isfinite(value)) {
        snprintf(text, bytes, "%s", isnan(value) ? "unknown" : "unlimited");
        return text;
    }
    while (value >= 999.5 && prefix + 1 < sizeof prefixes / sizeof *prefixes) {
        value /= 1000.0;
        prefix++;
    }
    snprintf(text, bytes, "%s%.3g %s", bytes_value < 0.0 ? "-" : "", value, prefixes[prefix]);
    return text;
}
