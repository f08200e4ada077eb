// The pure parts of `fathom report`: texts, steps, colour scales, level lines, coast lines, crests and
// observed records.
#include "report/contour.h"
#include "report/style.h"
#include "report/tsunami/report.h"
#include "tests/support/statuses.h"
#include "tests/support/test.h"

// cmocka's assert_float_equal works in float.
#define assert_near(value, expected, tolerance) assert_true(fabs((value) - (expected)) <= (tolerance))

TEST(writes_values_for_people)
{
    char text[STYLE_TEXT_BYTES];
    assert_string_equal(style_length(7.238, text), "7.24 m");
    assert_string_equal(style_length(-0.1234, text), "−12.3 cm");
    assert_string_equal(style_length(0.0041, text), "4.1 mm");
    assert_string_equal(style_length(0.01, text), "1 cm");
    assert_string_equal(style_length(2e-5, text), "20 µm");
    assert_string_equal(style_length(5613, text), "5.61 km");
    assert_string_equal(style_length(0, text), "0 m");
    assert_string_equal(style_length(NAN, text), "–");
    assert_string_equal(style_duration(22.5, text), "22.5 s");
    assert_string_equal(style_duration(725, text), "12 min 05 s");
    assert_string_equal(style_duration(3599.7, text), "1 h 00 min"); // not "60 min 00 s"
    assert_string_equal(style_duration(12300, text), "3 h 25 min");
    assert_string_equal(style_duration(7199, text), "2 h 00 min"); // not "1 h 60 min"
    assert_string_equal(style_longitude(150, text), "150°E");
    assert_string_equal(style_longitude(209.5, text), "150°30′W");
    assert_string_equal(style_longitude(180, text), "180°");
    assert_string_equal(style_longitude(-180, text), "180°");
    assert_string_equal(style_longitude(360, text), "0°");
    assert_string_equal(style_longitude(-0.75, text), "0°45′W");
    assert_string_equal(style_latitude(-30, text), "30°S");
    assert_string_equal(style_latitude(0, text), "0°");
    assert_string_equal(style_latitude(1. / 3 + 38, text), "38°20′N");
    assert_string_equal(style_position(201.25, -0.5, text), "0.500°S 158.750°W");
}

// A threat that may be higher is neither green nor "less than".
TEST(threats_that_may_be_higher_are_no_all_clear)
{
    const struct report_forecast forecast = {.levels_m = {0.3, 1, 3}, .level_count = 3};
    char text[STYLE_TEXT_BYTES];
    assert_string_equal(report_tsunami_threat_text(&forecast, 0, false, text), "< 0.3 m");
    assert_string_equal(report_tsunami_threat_text(&forecast, 0, true, text), "≥ 0 m");
    assert_string_equal(report_tsunami_threat_text(&forecast, 1, false, text), "0.3 – 1 m");
    assert_string_equal(report_tsunami_threat_text(&forecast, 1, true, text), "≥ 0.3 m");
    assert_string_equal(report_tsunami_threat_text(&forecast, 3, true, text), "≥ 3 m");
    assert_int_equal(report_tsunami_threat_colour(0, false), 0);
    assert_int_equal(report_tsunami_threat_colour(0, true), -1);
    assert_int_equal(report_tsunami_threat_colour(2, true), 2);
    assert_int_equal(report_tsunami_threat_colour(NAN, false), -1);
    const struct report_zone dry = {.nodes = 0, .points = 0}, town = {.nodes = 0, .points = 1};
    assert_true(report_tsunami_is_dry(&dry) && !report_tsunami_is_dry(&town));
}

TEST(quotes_for_gnuplot)
{
    char text[64];
    assert_string_equal(style_quote("a, b (c)\n\"y\"", 40, text, sizeof text), "\"a, b (c) \\042y\\042\"");
    assert_string_equal(style_quote("'s", 40, text, sizeof text), "\"\\047s\"");
    assert_string_equal(style_quote("$12x3", 40, text, sizeof text), "\"\\044\\061\\062x3\""); // not \0441
    assert_string_equal(style_quote("Ōfunato", 3, text, sizeof text), "\"Ōfu…\""); // characters, not bytes
    assert_string_equal(style_quote("\xc5", 3, text, sizeof text), "\"\uFFFD\"");
    char small[14]; // what does not fit is left out whole: no half escapes, no half characters
    assert_string_equal(style_quote("''''''''''", 40, small, sizeof small), "\"\\047\\047…\"");
    assert_string_equal(style_quote("ŌŌŌŌŌŌŌŌŌŌ", 40, small, sizeof small), "\"ŌŌŌŌ…\"");
}

TEST(rounds_steps)
{
    assert_near(style_round_up(0.5), 0.5, 1e-12);
    assert_near(style_round_up(0.51), 1, 1e-12);
    assert_near(style_round_up(2.0), 2, 1e-12);
    assert_near(style_round_down(0.99), 0.5, 1e-12);
    assert_near(style_round_down(0.001), 0.001, 1e-12);
    assert_near(style_round_up_finely(15.6), 20, 1e-9);
    assert_near(style_round_up_finely(6.7), 8, 1e-9);
    assert_near(style_step(170, 8), 50, 1e-9);
    assert_near(style_step_degrees(170, 9), 20, 1e-9);
    assert_near(style_step_degrees(1, 6), 10. / 60, 1e-12);
    assert_near(style_step_time_s(86400, 9), 10800, 1e-9);
    assert_near(style_step_time_s(600, 10), 60, 1e-9);
}

TEST(places_values_on_scales)
{
    const struct style_scale linear = {.kind = STYLE_LINEAR, .low = -2, .high = 2};
    const struct style_scale decades = {.kind = STYLE_LOG, .low = 0.01, .high = 10};
    const struct style_scale symmetric = {.kind = STYLE_SYMMETRIC, .low = -1, .high = 1, .knee = 0.05};
    assert_near(style_scale_position(&linear, 1), 0.75, 1e-12);
    assert_true(style_scale_position(&linear, 5) == 1 && style_scale_position(&linear, -5) == 0);
    assert_near(style_scale_position(&decades, 0.1), 1. / 3, 1e-12);
    assert_true(style_scale_position(&decades, 0) == 0); // calm water is drawn
    assert_true(style_scale_position(&decades, -1) == 0);
    assert_true(isnan(style_scale_position(&decades, NAN)) && isnan(style_scale_position(&symmetric, NAN)));
    assert_near(style_scale_position(&symmetric, 0), 0.5, 1e-12);
    assert_near(style_scale_position(&symmetric, 0.2) + style_scale_position(&symmetric, -0.2), 1, 1e-12);
    assert_near(style_scale_position(&symmetric, 1), 1, 1e-12);
    double ticks[STYLE_TICKS_MAX];
    static const double expected[] = {0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10};
    assert_int_equal(style_scale_ticks(&decades, ticks), 10);
    for (int k = 0; k < 10; k++)
        assert_near(ticks[k], expected[k], 1e-9 * expected[k]);
    size_t count = style_scale_ticks(&symmetric, ticks);
    assert_int_equal(count % 2, 1);
    assert_true(ticks[count / 2] == 0 && !signbit(ticks[count / 2]));
    assert_near(ticks[count - 1], 1, 1e-12);
    for (size_t k = 1; k < count; k++)
        assert_true(ticks[k] > ticks[k - 1]);
}

TEST(chooses_scales)
{
    struct style_scale scale = style_scale_amplitude(0.012, 7.2); // an ocean
    assert_int_equal(scale.kind, STYLE_LOG);
    assert_near(scale.low, 0.01, 1e-12);
    assert_near(scale.high, 10, 1e-12);
    scale = style_scale_amplitude(1e-9, 0.0007); // waves of less than a millimetre: three decades, no more
    assert_near(scale.high / scale.low, 1000, 1e-6);
    scale = style_scale_amplitude(0.015, 0.026); // a wave tank
    assert_int_equal(scale.kind, STYLE_LINEAR);
    assert_true(scale.low == 0);
    assert_near(scale.high, 0.03, 1e-12);
    scale = style_scale_amplitude(NAN, NAN); // nothing moved
    assert_true(scale.high > scale.low);
    scale = style_scale_elevation(0.05, 3);
    assert_int_equal(scale.kind, STYLE_SYMMETRIC);
    assert_true(scale.high == -scale.low && scale.knee > 0 && scale.knee <= 0.05);
    scale = style_scale_elevation(2, 3);
    assert_int_equal(scale.kind, STYLE_LINEAR);
    scale = style_scale_elevation(0, 0);
    assert_true(scale.high > 0 && scale.low == -scale.high);
}

TEST(finds_percentiles)
{
    float values[1003];
    for (int k = 0; k < 1001; k++)
        values[k] = (float)((k * 389) % 1001); // 0 … 1000 in disorder
    values[1001] = NAN;
    values[1002] = INFINITY;
    assert_true(style_percentile(values, 1003, 0.5, -1) == 500);
    assert_true(style_percentile(values, 1003, 1, -1) == 1000);
    assert_true(style_percentile(values, 1003, 0, 0) == 1); // values above the floor
    assert_true(isnan(style_percentile(values, 1003, 0.5, 5000)));
}

// The circle r = 3 of a cone: each point lies on it to the second order of the mesh, and its length is 2πr.
TEST(traces_a_circle)
{
    enum { N = 81 };
    static float values[N * N];
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            values[j * N + i] = (float)hypot(0.1 * i - 4, 0.1 * j - 4);
    struct contour_field field = {N, N, -4, 0.1, -4, 0.1, values};
    struct contour_points points = {0};
    assert_int_equal(contour_trace(&field, 3, 0, 1, &points), STATUS_OK);
    double length = 0;
    size_t lines = 0;
    for (size_t k = 0; k < points.count; k++) {
        if (isnan(points.xy[2 * k])) {
            lines++;
            continue;
        }
        assert_near(hypot(points.xy[2 * k], points.xy[2 * k + 1]), 3, 2e-3);
        if (k > 0 && !isnan(points.xy[2 * k - 2]))
            length +=
                hypot(points.xy[2 * k] - points.xy[2 * k - 2], points.xy[2 * k + 1] - points.xy[2 * k - 1]);
    }
    assert_int_equal(lines, 1); // joined into one closed line
    assert_near(length, 6 * M_PI, 0.02);
    assert_true(points.xy[0] == points.xy[2 * (points.count - 2)]);
    contour_free(&points);
    assert_int_equal(contour_trace(&field, 3, 19, 1, &points), STATUS_OK); // shorter than 19: left out
    assert_int_equal(points.count, 0);
    contour_free(&points);
}

TEST(stops_lines_at_gaps)
{
    enum { NX = 6, NY = 4 };
    float values[NX * NY];
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++)
            values[j * NX + i] = (float)j;
    values[1 * NX + 3] = NAN; // both cells left and right of it are left out
    struct contour_field field = {NX, NY, 0, 1, 0, 1, values};
    struct contour_points points = {0};
    assert_int_equal(contour_trace(&field, 1.25, 0, 1, &points), STATUS_OK);
    double left = INFINITY, right = -INFINITY;
    size_t lines = 0;
    for (size_t k = 0; k < points.count; k++) {
        if (isnan(points.xy[2 * k])) {
            lines++;
            continue;
        }
        assert_true(points.xy[2 * k + 1] == 1.25f);
        assert_true(points.xy[2 * k] <= 2 || points.xy[2 * k] >= 4);
        left = fmin(left, points.xy[2 * k]);
        right = fmax(right, points.xy[2 * k]);
    }
    assert_int_equal(lines, 2);
    assert_true(left == 0 && right == 5);
    contour_free(&points);
}

// One pixel of land in the middle: four sides of length 1 round it, and none elsewhere.
TEST(draws_the_coast)
{
    const float water[9] = {1, 1, 1, 1, 0, 1, 1, 1, 1};
    struct contour_field mask = {3, 3, 10, 2, 0, 1, water};
    struct contour_points points = {0};
    assert_int_equal(contour_coast(&mask, &points), STATUS_OK);
    assert_int_equal(points.count, 12);
    for (size_t k = 0; k < 4; k++) {
        const float *line = points.xy + 6 * k;
        assert_true(line[0] >= 11 && line[0] <= 13 && line[2] >= 11 && line[2] <= 13);
        assert_near(hypot((line[2] - line[0]) / 2, line[3] - line[1]), 1, 1e-6);
        assert_true(isnan(line[4]));
    }
    contour_free(&points);
}

TEST(smooths_around_gaps)
{
    float values[9] = {9, 9, 9, 9, NAN, 9, 9, 9, 0};
    assert_int_equal(contour_smooth(values, 3, 3, 1), STATUS_OK);
    assert_true(isnan(values[4]));
    assert_near(values[0], 9, 1e-6);
    assert_near(values[8], (9 + 9 + 0) / 3., 1e-6);
}

static struct panels_series series_of(const float *values, size_t count)
{
    struct panels_series series = {count, malloc(count * sizeof(double)), malloc(count * sizeof(float))};
    assert_non_null(series.times_s);
    assert_non_null(series.values_m);
    for (size_t k = 0; k < count; k++) {
        series.times_s[k] = 60 * (double)k;
        series.values_m[k] = values[k];
    }
    return series;
}

TEST(finds_the_first_crest)
{
    // A precursor too small to count, a trough, the first crest (index 6), a higher one later.
    const float values[] = {0, 0.1f, 0, -1, 0.2f, 1, 1.5f, 1.2f, 0.3f, -1, 2, 4, 1, 0};
    struct report_gauge gauge = {.model = series_of(values, COUNT(values))};
    const struct panels_series *series = &gauge.model;
    assert_int_equal(report_tsunami_first_crest(&gauge, 0), 6);
    assert_int_equal(report_tsunami_first_crest(&gauge, 500), 11);
    assert_int_equal(report_tsunami_largest_between(series, 0, INFINITY), 11);
    assert_int_equal(report_tsunami_largest_between(series, 0, 420), 6);
    assert_int_equal(report_tsunami_largest_between(series, 1e6, 2e6), series->count);
    panels_free_series(&gauge.model);
}

TEST(takes_only_a_crest_for_one)
{
    enum { COUNT = 7 };
    static const struct {
        float values[COUNT];
        double level_m, depth_m;
        size_t crest;
    } cases[] = {
        {{0, 1, 2, 3, 4, 5, 6}, 0, 100, COUNT},           // still rising at the end
        {{0, 1, 2, 3, 2, 2, 1.6f}, 0, 100, COUNT},        // not yet fallen by half
        {{0, 1, 2, 3, 2, 2, 1.4f}, 0, 100, 3},            //
        {{6, 5, 4, 3, 2, 1, 0}, 0, 100, COUNT},           // falling from the beginning
        {{6, 2, 1, 3, 4, 1, 0}, 0, 100, 4},               // a crest after such a fall
        {{0, -1, -2, -2, -2, -1, -1}, 0, 100, COUNT},     // a trough
        {{2, 3, 4, 3.2f, 2.9f, 2.9f, 3}, 2, 100, 2},      // heights count from a lifted level,
        {{-2, -1.5f, -1, -1.8f, -2, -2, -2}, -2, 100, 2}, // and from a sunken one
        {{NAN, 4, 5, NAN, NAN, NAN, NAN}, 0, -3, 2},      // on ground 3 m above the sea, which dries again
        {{NAN, 4, 5, 4.8f, 4.5f, 3.9f, 3.9f}, 0, -3, 2}};
    for (size_t c = 0; c < COUNT(cases); c++) {
        struct report_gauge gauge = {.model = series_of(cases[c].values, COUNT),
                                     .level_at_start_m = cases[c].level_m,
                                     .level_m = cases[c].level_m,
                                     .depth_m = cases[c].depth_m};
        const size_t found = report_tsunami_first_crest(&gauge, 0);
        if (found != cases[c].crest)
            fail_msg("case %zu: crest at %zu, expected %zu", c, found, cases[c].crest);
        panels_free_series(&gauge.model);
    }
}

static enum status read_text_as_record(const char *text, const int columns[2], int skip_lines,
                                       struct panels_series *series)
{
    char path[] = "/tmp/fathom-test-record-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
    status_clear();
    enum status status = report_tsunami_read_observed(path, columns[0], columns[1], skip_lines, series);
    unlink(path);
    return status;
}

TEST(reads_observed_records)
{
    struct panels_series series;
    static const int plain[2] = {0, 1}, swapped[2] = {2, 0};
    assert_int_equal(read_text_as_record("-60  0.5\n# a remark\n\n0\t-0.25\r\n 60 1e-2", plain, 0, &series),
                     STATUS_OK);
    assert_int_equal(series.count, 3);
    assert_true(series.times_s[0] == -60 && series.times_s[2] == 60);
    assert_true(series.values_m[1] == -0.25f && series.values_m[2] == 0.01f);
    panels_free_series(&series);
    assert_int_equal(
        read_text_as_record("\"Value\";\"?\";\"Time_s\"\n1.5;x;30\n2.5, y ,31\n", swapped, 1, &series),
        STATUS_OK);
    assert_int_equal(series.count, 2);
    assert_true(series.times_s[1] == 31 && series.values_m[1] == 2.5f);
    panels_free_series(&series);
    assert_failure(read_text_as_record("0 1\n60 x\n", plain, 0, &series), STATUS_DATA, "line 2");
    assert_int_equal(read_text_as_record("0 1\n60\n", plain, 0, &series), STATUS_DATA);
    assert_failure(read_text_as_record("60 1\n0 1\n", plain, 0, &series), STATUS_DATA, "before");
    assert_failure(read_text_as_record("time value\n", plain, 1, &series), STATUS_DATA, "");
    assert_failure(report_tsunami_read_observed("/nonexistent/x", 0, 1, 0, &series), STATUS_NO_INPUT, "");
}

TEST_MAIN(NULL, NULL)
