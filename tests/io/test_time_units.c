// io/time_units.c against intervals between dates that the calendar gives.
#include "tests/support/test.h"

#include "io/time_units.h"
#include "io/units.h"
#include "tests/support/fresh.h"
#include "tests/support/statuses.h"

static void assert_conversion(const char *from, const char *to, double slope, double offset, double tolerance)
{
    double have_slope, have_offset;
    assert_ok(time_units_conversion(from, "", to, "standard", &have_slope, &have_offset));
    assert_true(have_slope == slope);
    if (!(fabs(have_offset - offset) <= tolerance))
        fail_msg("%s to %s: offset %.17g, expected %.17g", from, to, have_offset, offset);
}

TEST_SUITE(.end = units_release, .setup = fresh_status);

TEST(recognises_dates)
{
    assert_true(time_units_have_date("seconds since 2011-03-11 05:46:24"));
    assert_true(time_units_have_date("Days SINCE 1900-1-1"));
    assert_false(time_units_have_date("s"));
    assert_false(time_units_have_date("since"));
}

TEST(converts)
{
    assert_conversion("seconds since 2011-03-11 05:46:24", "seconds since 2011-03-11 05:46:24", 1, 0, 0);
    assert_conversion("hours since 2011-03-11 07:46:24", "seconds since 2011-03-11 05:46:24", 3600, 7200,
                      1e-6);
    // One day and one leap day: 2012-02-28 to 2012-03-01.
    assert_conversion("days since 2012-03-01", "days since 2012-02-28", 1, 2, 1e-9);
    assert_conversion("days since 2011-03-01", "days since 2011-02-28", 1, 1, 1e-9);
    assert_conversion("minutes since 2000-01-01T00:00:00Z", "hours since 2000-01-01 01:00:00 +01:00",
                      1 / 60.0, 0, 1e-9);
    // 1970-01-01 to 2011-03-11 05:46:24 UTC is Unix time 1299822384.
    assert_conversion("seconds since 2011-03-11 05:46:24 UTC", "seconds since 1970-1-1 0:0:0", 1, 1299822384,
                      1e-5);
    assert_conversion("hrs since 2011-03-11", "min since 2011-03-11", 60, 0, 0);
}

static void assert_refused(const char *from, const char *from_calendar, const char *to,
                           const char *to_calendar, const char *fragment)
{
    double slope, offset;
    assert_failure(time_units_conversion(from, from_calendar, to, to_calendar, &slope, &offset), STATUS_DATA,
                   fragment);
}

TEST(refuses)
{
    assert_refused("s", "", "s since 2000-01-01", "", "has no date");
    assert_refused("s since yesterday", "", "s since 2000-01-01", "", "yesterday");
    assert_refused("m since 2000-01-01", "", "s since 2000-01-01", "", "a length");
    assert_refused("m since 2000-01-01", "", "m since 2000-01-01", "", "a length");
    assert_refused("days since 2000-01-01", "noleap", "days since 1999-01-01", "noleap", "noleap");
    assert_refused("days since 2000-01-01", "360_day", "days since 2000-01-01", "standard", "360_day");
    assert_refused("days since 1500-01-01", "proleptic_gregorian", "days since 1600-01-01", "standard",
                   "1500-01-01");
}

TEST(calendars)
{
    double slope, offset;
    assert_ok(time_units_conversion("days since 2000-01-01", "noleap", "hours since 2000-01-01", "365_day",
                                    &slope, &offset));
    assert_true(slope == 24 && offset == 0);
    assert_ok(time_units_conversion("days since 2000-01-02", "proleptic_gregorian", "days since 2000-01-01",
                                    "gregorian", &slope, &offset));
    assert_true(fabs(offset - 1) < 1e-9);
}
