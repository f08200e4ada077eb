// Quantities, units and dates, as jobs and files have them.
#include "io/units.h"
#include "io/time_units.h"

#include "tests/fuzz/support/fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const targets[] = {"s", "m", "degree", "m s-1", "K", "1", "kg", "W m-3", "Pa", "m2"};

static void parse(const char *text, const char *unit)
{
    double value = NAN, again = NAN;
    if (fuzz_ok(units_parse_quantity(text, unit, &value))) {
        FUZZ_EXPECT(isfinite(value), "\"%s\" is %g %s", text, value, unit);
        FUZZ_EXPECT(fuzz_ok(units_parse_quantity(text, unit, &again)) && again == value,
                    "\"%s\" is another number again", text);
    }
    if (fuzz_ok(units_parse_difference(text, unit, &value)))
        FUZZ_EXPECT(isfinite(value), "a difference \"%s\" is %g %s", text, value, unit);
}

static void convert(const char *from, const char *to)
{
    double slope = NAN, offset = NAN, back = NAN, rest = NAN;
    if (!fuzz_ok(units_conversion(from, to, &slope, &offset)))
        return;
    FUZZ_EXPECT(isfinite(slope) && isfinite(offset) && slope != 0, "\"%s\" to \"%s\": %g x + %g", from, to,
                slope, offset);
    if (fuzz_ok(units_conversion(to, from, &back, &rest)))
        FUZZ_EXPECT(fabs(back * slope - 1) < 1e-9, "\"%s\" to \"%s\" and back: %g", from, to, back * slope);
}

static void convert_dates(const char *from, const char *to, const char *calendar)
{
    double slope = NAN, offset = NAN;
    time_units_have_date(from);
    if (fuzz_ok(time_units_conversion(from, calendar, to, calendar, &slope, &offset)))
        FUZZ_EXPECT(isfinite(slope) && isfinite(offset) && slope != 0, "\"%s\" to \"%s\": %g t + %g", from,
                    to, slope, offset);
}

static void format(struct fuzz_bytes *bytes)
{
    char text[24], after[UNITS_AFTER_BYTES];
    const double number = fuzz_number(bytes);
    FUZZ_EXPECT(strlen(units_format_duration(number, text, sizeof text)) < sizeof text, "%g s", number);
    FUZZ_EXPECT(strlen(units_format_bytes(number, text, sizeof text)) < sizeof text, "%g bytes", number);
    units_after("m", after);
}

FUZZ_HARNESS(units)
{
    static const char *const calendars[] = {"", "standard", "gregorian", "noleap", "360_day"};
    if (size < 2 || size > 400)
        return -1;
    struct fuzz_bytes bytes = {data, size};
    const uint8_t kind = fuzz_byte(&bytes), choice = fuzz_byte(&bytes);
    const char *target = targets[choice % FUZZ_COUNT(targets)],
               *calendar = calendars[choice % FUZZ_COUNT(calendars)];
    char *text = strndup((const char *)bytes.at, bytes.left);
    char *second = strchr(text, '|');
    if (second)
        *second++ = '\0';
    switch (kind % 4) {
    case 0:
        parse(text, target);
        break;
    case 1:
        convert(text, second ? second : target);
        break;
    case 2:
        convert_dates(text, second ? second : "seconds since 1970-01-01 00:00:00", calendar);
        break;
    default:
        format(&bytes);
    }
    free(text);
    return 0;
}
