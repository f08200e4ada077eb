// Quantities with units: exact values of what users write, and refusals of what would be silently wrong.
// The expected numbers are the definitions of the units (SI brochure, 9th edition, and the international
// nautical mile).
#include "tests/support/test.h"

#include "io/units.h"
#include "tests/support/statuses.h"

static void expect_exactly(const char *text, const char *unit, double expected)
{
    double value = -1e300;
    status_clear();
    enum status status = units_parse_quantity(text, unit, &value);
    if (status != STATUS_OK || value != expected || signbit(value) != signbit(expected))
        fail_msg("\"%s\" in %s: %s, %.17g instead of %.17g %s", text, unit, status_name(status), value,
                 expected, status_message());
}

static void expect_close(const char *text, const char *unit, double expected)
{
    double value = -1e300;
    status_clear();
    enum status status = units_parse_quantity(text, unit, &value);
    if (status != STATUS_OK || !(fabs(value - expected) <= 4e-16 * fabs(expected)))
        fail_msg("\"%s\" in %s: %s, %.17g instead of %.17g %s", text, unit, status_name(status), value,
                 expected, status_message());
}

static void expect_refusal(const char *text, const char *unit, const char *expected)
{
    double value = 4711.0;
    status_clear();
    assert_int_equal(units_parse_quantity(text, unit, &value), STATUS_CONFIGURATION);
    assert_string_equal(status_message(), expected);
    assert_true(value == 4711.0);
}

TEST_SUITE(.end = units_release);

TEST(times_are_exact)
{
    expect_exactly("24 h", "s", 86400.0);
    expect_exactly("10 min", "s", 600.0);
    expect_exactly("5 Min", "s", 300.0); // udunits2 alone: five megainches
    expect_exactly("1 d", "s", 86400.0);
    expect_exactly("2 days", "s", 172800.0);
    expect_exactly("1.5e3 ms", "s", 1.5);
    expect_exactly("0.1 s", "s", 0.1);
    expect_exactly("-3 s", "s", -3.0);
    expect_exactly("90 min", "h", 1.5);
    expect_exactly("0 s", "s", 0.0);
}

TEST(angles_are_correctly_rounded)
{
    expect_exactly("4 arcmin", "degree", 4.0 / 60.0);
    expect_exactly("20 arcmin", "degree", 20.0 / 60.0);
    expect_exactly("20 arcsec", "degree", 20.0 / 3600.0);
    expect_exactly("30 arcsec", "degree", 30.0 / 3600.0);
    expect_exactly("-60 degree", "degree", -60.0);
    expect_exactly("290 degrees", "degree", 290.0);
    expect_exactly("5 \xC2\xB0", "degree", 5.0); // the degree sign
    for (int k = 1; k <= 3600; k++) {
        char text[32];
        snprintf(text, sizeof text, "%d arcmin", k);
        expect_exactly(text, "degree", k / 60.0);
        snprintf(text, sizeof text, "%d cm", k);
        expect_exactly(text, "m", k / 100.0);
    }
    expect_close("1 radian", "degree", 57.295779513082321);
}

TEST(lengths_speeds_temperatures)
{
    expect_exactly("1 cm", "m", 0.01);
    expect_exactly("7 cm", "m", 0.07); // 7 * 0.01 is not
    expect_exactly("1.5 km", "m", 1500.0);
    expect_exactly("1 nautical_mile", "m", 1852.0);
    expect_exactly("1 nmi", "m", 1852.0); // udunits2 alone: a nanomile
    expect_close("1 ft", "m", 0.3048);
    expect_close("36 km/h", "m s-1", 10.0);
    expect_close("1 knot", "m s-1", 1852.0 / 3600.0);
    expect_close("1 kts", "m s-1", 1852.0 / 3600.0);
    expect_exactly("3 m/s", "m s-1", 3.0);
    expect_exactly("3 m s-1", "m s-1", 3.0);
    expect_exactly("3 m.s-1", "m s-1", 3.0);
    expect_exactly("10 degC", "K", 283.15);
    expect_exactly("10 degC", "degC", 10.0);
    expect_exactly("310.15 K", "K", 310.15);
    expect_close("32 degF", "K", 273.15);
    expect_exactly("0.5 W m-1 K-1", "W m-1 K-1", 0.5);
    expect_close("0.5 kW/m/K", "W m-1 K-1", 500.0);
}

TEST(pure_numbers)
{
    expect_exactly("0.025", "1", 0.025);
    expect_exactly(" -2 ", "1", -2.0);
    expect_exactly("5 %", "1", 0.05);
    expect_refusal("5 degree", "1",
                   "\"5 degree\": degree is an angle, but a number without unit is expected");
    expect_refusal(
        "30 %", "degree",
        "\"30 %\": % is a number without unit, but an angle in degree, arcmin or arcsec is expected");
}

TEST(spellings_and_blanks)
{
    expect_exactly("24 hrs", "s", 86400.0);
    expect_exactly("5 mins", "s", 300.0);
    expect_exactly("7 secs", "s", 7.0);
    expect_exactly("3 hours", "s", 10800.0);
    expect_exactly("5 deg", "degree", 5.0);
    expect_exactly("5 degs", "degree", 5.0);
    expect_exactly("5 DEGREES", "degree", 5.0);
    expect_exactly("120 deg E", "degree", 120.0);
    expect_exactly("120 degE", "degree", 120.0);
    expect_exactly("120 degrees_west", "degree", -120.0);
    expect_exactly("120 degW", "degree", -120.0);
    expect_exactly("33 degS", "degree", -33.0);
    expect_exactly("33 deg south", "degree", -33.0);
    expect_exactly("33 degrees_north", "degree", 33.0);
    expect_exactly("\t 24h ", "s", 86400.0);
    expect_exactly("24\xC2\xA0h", "s", 86400.0); // a no-break space, from a word processor
    expect_exactly("+1.E+1 s", "s", 10.0);
    expect_exactly(".5 s", "s", 0.5);
    expect_exactly("5 deg/h", "degree h-1", 5.0);
}

TEST(units_are_required)
{
    expect_refusal("24", "s", "24 has no unit; write \"24 s\", \"24 min\" or \"24 h\"");
    expect_refusal(" 24 ", "s", "24 has no unit; write \"24 s\", \"24 min\" or \"24 h\"");
    expect_refusal("2", "degree", "2 has no unit; write \"2 degree\", \"2 arcmin\" or \"2 arcsec\"");
    expect_refusal("3", "W m-1 K-1", "3 has no unit; write \"3 W m-1 K-1\"");
    expect_refusal("500", "Hz", "500 has no unit; write \"500 Hz\", \"500 kHz\" or \"500 MHz\"");
    expect_refusal("-52", "m", "-52 has no unit; write \"-52 m\", \"-52 km\" or \"-52 mm\"");
    units_suggest_first("mm"); // of lengths alone
    expect_refusal("-52", "m", "-52 has no unit; write \"-52 mm\", \"-52 m\" or \"-52 km\"");
    expect_refusal("-52 s", "m", "\"-52 s\": s is a time, but a length in mm, m or km is expected");
    expect_refusal("24", "s", "24 has no unit; write \"24 s\", \"24 min\" or \"24 h\"");
    units_suggest_first(NULL);
}

TEST(wrong_kinds_are_named)
{
    expect_refusal("24 m", "s", "\"24 m\": m is a length, but a time in s, min or h is expected");
    expect_refusal("24 h", "m", "\"24 h\": h is a time, but a length in m, km or mm is expected");
    expect_refusal("3 m", "W m-1 K-1", "\"3 m\": m is a length, but a quantity in W m-1 K-1 is expected");
    // udunits2 would make a period of it: 0.1 s
    expect_refusal("10 Hz", "s", "\"10 Hz\": Hz is a rate, but a time in s, min or h is expected");
    // udunits2 reads a product of hours and minutes
    expect_refusal("24 h 30 min", "s",
                   "\"24 h 30 min\": one number and one unit are expected, as in \"90 min\"");
    expect_refusal("10 m 5", "m", "\"10 m 5\": one number and one unit are expected, as in \"90 min\"");
    expect_refusal("5 m @ 3", "m", "\"5 m @ 3\": one number and one unit are expected, as in \"90 min\"");
    expect_refusal(
        "5 ln(re s)", "s",
        "\"5 ln(re s)\": ln(re s) is a date or a logarithmic unit, but a time in s, min or h is expected");
}

TEST(misspelt_units_get_a_suggestion)
{
    expect_refusal("24 huors", "s", "\"24 huors\": unknown unit huors (did you mean hours?)");
    expect_refusal("4 arcmn", "degree", "\"4 arcmn\": unknown unit arcmn (did you mean arcmin?)");
    expect_refusal("4 arcmn", "s", "\"4 arcmn\": unknown unit arcmn (did you mean arcmin?)");
    expect_refusal("4 Meeter", "m", "\"4 Meeter\": unknown unit Meeter (did you mean meter?)");
    expect_refusal("4 bananas", "m",
                   "\"4 bananas\": unknown unit bananas (a length in m, km or mm is expected)");
}

TEST(numbers_are_decimal_and_finite)
{
    expect_refusal("1e400 s", "s", "\"1e400 s\" is too large: a finite number is expected");
    expect_refusal("1e308 h", "s", "\"1e308 h\" is too large: a finite number is expected");
    expect_refusal("1,5 h", "s", "\"1,5 h\": write decimals with a point, not a comma");
    static const char *const not_numbers[] = {"nan s", "inf s", "-Infinity s", "0x10 s", "h 24",
                                              "",      "  ",    "- 3 s",       "auto"};
    for (size_t k = 0; k < sizeof not_numbers / sizeof *not_numbers; k++) {
        double value = 4711.0;
        assert_failure(units_parse_quantity(not_numbers[k], "s", &value), STATUS_CONFIGURATION,
                       "does not begin with a number");
        assert_true(value == 4711.0);
    }
    char text[400];
    memset(text, 'a', sizeof text);
    memcpy(text, "1 ", 2);
    text[sizeof text - 1] = '\0';
    status_clear();
    double value = 0.0;
    assert_int_equal(units_parse_quantity(text, "s", &value), STATUS_CONFIGURATION);
}

static void expect_conversion(const char *from, const char *to, double expected_slope, double expected_offset)
{
    double slope = -1e300, offset = -1e300;
    status_clear();
    enum status status = units_conversion(from, to, &slope, &offset);
    if (status != STATUS_OK || slope != expected_slope || fabs(offset - expected_offset) > 1e-13)
        fail_msg("%s to %s: %s, %.17g %.17g, %s", from, to, status_name(status), slope, offset,
                 status_message());
    assert_false(offset == 0.0 && signbit(offset));
}

TEST(conversions_of_files)
{
    expect_conversion("METERS", "m", 1.0, 0.0);
    expect_conversion("meters", "m", 1.0, 0.0);
    expect_conversion("M", "m", 1.0, 0.0);
    expect_conversion("cm", "m", 0.01, 0.0);
    expect_conversion("km", "m", 1000.0, 0.0);
    expect_conversion("1e-3 m", "m", 1e-3, 0.0);
    expect_conversion("cm/s", "m s-1", 0.01, 0.0);
    expect_conversion("deg E", "degree_east", 1.0, 0.0);
    expect_conversion("deg N", "degree", 1.0, 0.0);
    expect_conversion("degrees_east", "degree", 1.0, 0.0);
    expect_conversion("degrees_west", "degree", -1.0, 0.0);
    expect_conversion("DEGREES_NORTH", "degree", 1.0, 0.0);
    expect_conversion("arcmin", "degree", 1.0 / 60.0, 0.0);
    expect_conversion("hours", "s", 3600.0, 0.0);
    expect_conversion("degC", "K", 1.0, 273.15);
    expect_conversion("K", "degC", 1.0, -273.15);
    expect_conversion("cm", " cm\n", 1.0, 0.0); // a file's own, on both sides
    expect_conversion("7 3", "7\n3", 1.0, 0.0);
    double slope, offset;
    static const char *const refused[] = {
        "", "seconds since 2011-03-11 05:46:24", "degree", "meter (m)", "furlung", "m2"};
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        status_clear();
        assert_int_equal(units_conversion(refused[k], "m", &slope, &offset), STATUS_DATA);
        assert_true(strlen(status_message()) > 10);
    }
}

TEST(another_unit_contradicts)
{
    static const struct {
        const char *said, *stated;
        bool contradict;
    } cases[] = {{"metres", "m", false},
                 {"cm", "m", true},
                 {"degC", "K", true},
                 {"s", "m", true},
                 {"parsec", "pc", false},          // udunits2 rounds it
                 {"US_survey_foot", "foot", true}, // 1200/3937 m and 0.3048 m, 2e-6 apart
                 {"m", "", false},
                 {"m", "1", false},
                 {"m", "counts of something", false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bool contradict = !cases[k].contradict;
        assert_ok(units_contradict(cases[k].said, cases[k].stated, &contradict));
        if (contradict != cases[k].contradict)
            fail_msg("\"%s\" for \"%s\"", cases[k].said, cases[k].stated);
    }
    bool contradict;
    assert_failure(units_contradict("counts of something", "m", &contradict), STATUS_DATA, "");
}

TEST(test_units_behind_numbers)
{
    char text[UNITS_AFTER_BYTES];
    assert_string_equal(units_after("m s-1", text), " m s-1");
    assert_string_equal(units_after("1", text), "");
    assert_string_equal(units_after("", text), "");
}

static void expect_duration(double seconds, const char *expected)
{
    char text[24];
    assert_string_equal(units_format_duration(seconds, text, sizeof text), expected);
}

TEST(durations_for_people)
{
    expect_duration(0.0, "0 s");
    expect_duration(2e-9, "2 ns");
    expect_duration(3.25e-5, "32.5 us");
    expect_duration(0.85, "850 ms");
    expect_duration(0.99996, "1 s");
    expect_duration(1.0, "1 s");
    expect_duration(12.345, "12.3 s");
    expect_duration(59.96, "1 min");
    expect_duration(200.0, "3 min 20 s");
    expect_duration(600.0, "10 min");
    expect_duration(754.0, "12.6 min");
    expect_duration(3599.0, "1 h");
    expect_duration(3900.0, "1 h 5 min");
    expect_duration(84600.0, "23.5 h");
    expect_duration(86400.0, "24 h");
    expect_duration(216000.0, "2 d 12 h");
    expect_duration(864000.0, "10 d");
    expect_duration(365.25 * 86400.0 * 100.0, "100 years");
    expect_duration(365.25 * 86400.0 * -1.2e9, "-1.2 Gyr");
    expect_duration(365.2422 * 86400.0 * 1e6, "1 Myr"); // the tropical year, which is udunits'
    expect_duration(-200.0, "-3 min 20 s");
    expect_duration((double)INFINITY, "forever");
    expect_duration((double)NAN, "unknown");
    char text[24];
    for (double seconds = 1e-9; seconds < 1e10; seconds *= 1.0007) { // always fits, never a full larger unit
        units_format_duration(seconds, text, sizeof text);
        assert_true(strlen(text) < sizeof text - 1);
        assert_null(strstr(text, "e+"));
        assert_string_not_equal(text, "60 s");
        assert_string_not_equal(text, "60 min");
    }
    assert_true(strlen(units_format_duration(-1.7e308, text, sizeof text)) < sizeof text - 1);
}

TEST(sizes_for_people)
{
    char text[24];
    assert_string_equal(units_format_bytes(0.0, text, sizeof text), "0 B");
    assert_string_equal(units_format_bytes(512.0, text, sizeof text), "512 B");
    assert_string_equal(units_format_bytes(999.0, text, sizeof text), "999 B");
    assert_string_equal(units_format_bytes(1000.0, text, sizeof text), "1 kB");
    assert_string_equal(units_format_bytes(999600.0, text, sizeof text), "1 MB");
    assert_string_equal(units_format_bytes(1.5e9, text, sizeof text), "1.5 GB");
    assert_string_equal(units_format_bytes(150e9, text, sizeof text), "150 GB");
    assert_string_equal(units_format_bytes(2e12, text, sizeof text), "2 TB");
}

TEST(system_can_be_released_and_read_again)
{
    expect_exactly("24 h", "s", 86400.0);
    units_release();
    units_release();
    expect_exactly("24 h", "s", 86400.0);
}

TEST(missing_tables_are_an_error)
{
    units_release();
    double value;
    setenv("UDUNITS2_XML_PATH", "/nonexistent/udunits2.xml", 1);
    assert_failure(units_parse_quantity("24 h", "s", &value), STATUS_SYSTEM, "libudunits2-data");
    unsetenv("UDUNITS2_XML_PATH");
    expect_exactly("24 h", "s", 86400.0);
}

// A difference of temperatures is counted from nowhere.
TEST(differences_have_no_zero)
{
    static const struct {
        const char *text, *unit;
        double value;
    } cases[] = {
        {"0.001 K", "degC", 0.001}, {"1 degC", "K", 1}, {"9 degF", "K", 5},
        {"1 mm", "m", 0.001},       {"5", "1", 5},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double value = NAN;
        assert_ok(units_parse_difference(cases[k].text, cases[k].unit, &value));
        assert_true(fabs(value - cases[k].value) <= 4e-16 * cases[k].value);
    }
    double value;
    assert_int_equal(units_parse_difference("1 m", "degC", &value), STATUS_CONFIGURATION);
    assert_failure(units_parse_difference("1", "degC", &value), STATUS_CONFIGURATION, "");
}
