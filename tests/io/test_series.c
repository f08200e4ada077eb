// io/formats/series.c: the same series from text tables and netCDF files of every shape, and every way in
// which one can be wrong.
#include "tests/support/test.h"

#include "io/formats/series.h"
#include "io/time_units.h"
#include "io/units.h"
#include "tests/support/fresh.h"
#include "tests/support/netcdf_maker.h"
#include "tests/support/statuses.h"

static char path[64];

static int make_path(void **state)
{
    const int code = fresh_folder(state);
    snprintf(path, sizeof path, "%s", folder_path("series"));
    return code;
}

static void write_text(const char *text)
{
    folder_write_text("series", text);
}

// Time and η (and velocity) as in a job that says nothing but the units.
static struct series_request request_of(int value_count)
{
    return (struct series_request){
        .path = path,
        .time = {.unit = "s", .target = "s", .key = "time", .unit_key = "time_unit"},
        .values = {{.unit = "m", .target = "m", .limit = 12000, .key = "eta", .unit_key = "eta_unit"},
                   {.unit = "m s-1", .target = "m s-1", .key = "velocity", .unit_key = "velocity_unit"}},
        .value_count = value_count};
}

static struct series_request netcdf_request(void)
{
    struct series_request request = request_of(1);
    request.time.unit = request.values[0].unit = NULL;
    return request;
}

enum { SAMPLES_MAX = 20000 };
static double times_s[SAMPLES_MAX], values[SERIES_VALUES_MAX][SAMPLES_MAX];

// Reads everything into the arrays above; how many samples.
static size_t read_all(const struct series_request *request)
{
    struct series *series;
    double *const places[SERIES_VALUES_MAX] = {values[0], values[1]};
    assert_ok(series_open(request, &series));
    const struct series_info info = *series_info(series);
    assert_true(info.samples <= SAMPLES_MAX);
    for (int pass = 0; pass < 2; pass++) // a second time too
        assert_ok(series_read(series, times_s, places));
    series_close(series);
    assert_true(info.first_s == times_s[0] && info.last_s == times_s[info.samples - 1]);
    return info.samples;
}

static void assert_refused(const struct series_request *request, enum status status, const char *fragment,
                           const char *other)
{
    struct series *series;
    assert_failure(series_open(request, &series), status, path, fragment, other);
    assert_null(series);
}

// ---- text

static void assert_three(const struct series_request *request)
{
    assert_int_equal(read_all(request), 3);
    const double expected_times[3] = {0, 0.5, 2}, expected[3] = {0.25, -1e-3, 1000};
    for (int k = 0; k < 3; k++)
        if (times_s[k] != expected_times[k] || values[0][k] != expected[k])
            fail_msg("sample %d: %.17g %.17g", k, times_s[k], values[0][k]);
}

TEST_SUITE(.end = units_release, .setup = make_path, .teardown = folder_remove);

TEST(reads_every_kind_of_table)
{
    static const char *const tables[] = {
        "0 0.25\n0.5 -1e-3\n2 1000\n",
        "0,0.25\n0.5,-1e-3\n2,1000",               // no end of the last line
        "0 , 0.25\r\n0.5 , -1e-3\r\n2 , 1000\r\n", // from Windows
        "0;0.25;;\n0.5;-1e-3;x;\n2;1000;;\n",      // columns that are not read may hold anything
        "  0\t\t0.25  9\n\n\t0.5 \t-1e-3\n# later\n2\t1000\t\n", // blanks, empty lines, comments
        "# t  eta\n0 0.25 # the start\n0.5 -1e-3\n2 1000#\n",
        "\357\273\2770 0.25\n0.5 -1e-3\n2 1000\n", // a byte-order mark
        "0 0.25\n5.0D-01 -1.d-3\n+2.0E0 1d+3\n",   // Fortran
        "\"0\",\"0.25\"\n\"0.5\",\"-1e-3\"\n\"2\",\"1000\"\n"};
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++) {
        write_text(tables[k]);
        const struct series_request request = request_of(1);
        assert_three(&request);
    }
}

TEST(takes_the_columns_that_are_asked_for)
{
    struct series_request request = request_of(2);
    write_text("a heading of\ntwo lines, words\n7 0.25 0 -2\n8 -1e-3 0.5 -3\n9 1000 2 -4\n");
    request.skip_lines = 2;
    request.time.number = 3;
    request.values[0].number = 2;
    request.values[1].number = 4;
    assert_three(&request);
    for (int k = 0; k < 3; k++)
        assert_true(values[1][k] == -2 - k);
}

// A repeated time: an error, or passed over where the caller allows it.
TEST(passes_over_repeated_times)
{
    struct series_request request = request_of(1);
    request.may_repeat = true;
    write_text("0 0.25\n0.5 -1e-3\n0.5 7\n0.5 8\n2 1000\n2 9\n");
    assert_three(&request);
    write_text("0 0.25\n0.5 -1e-3\n0.5 7\n0.25 8\n");
    assert_refused(&request, STATUS_DATA, "line 4, column 1: the time 0.25 s is not after", "0.5 s");
    struct series *series;
    write_text("0 0.25\n0.5 -1e-3\n0.5 7\n0.5 8\n0.5 -1e-3\n2 1000\n2 1000\n");
    assert_ok(series_open(&request, &series));
    const struct series_info *info = series_info(series);
    assert_true(fabs(info->contradiction - 8.001) < 1e-12);
    assert_true(info->contradiction_s == 0.5 && info->contradiction_place == 4);
    series_close(series);
    write_text("0 0.25\n0.5 -1e-3\n0.5 nan\n");
    assert_refused(&request, STATUS_DATA, "line 3, column 2", NULL);
}

TEST(converts_units)
{
    struct series_request request = request_of(1);
    request.time.unit = "min";
    request.values[0].unit = "cm";
    write_text("-1 50\n1.5 -100\n");
    assert_int_equal(read_all(&request), 2);
    assert_true(times_s[0] == -60 && times_s[1] == 90 && values[0][0] == 0.5 && values[0][1] == -1);
}

TEST(refuses_bad_tables)
{
    const struct series_request request = request_of(1);
    static const struct {
        const char *text, *fragment, *other;
    } cases[] = {
        {"0 1\n1 x7\n", "line 2, column 2: \"x7\" is not a number", "skip_lines"},
        {"t eta\n0 1\n1 2\n", "line 1, column 1: \"t\" is not a number", "skip_lines"},
        {"0 1\n1 1.5.2\n", "line 2, column 2: \"1.5.2\"", NULL},
        {"0 1\n1 1e999\n", "line 2, column 2: \"1e999\"", NULL},
        {"0 1\n1 inf\n", "line 2, column 2: \"inf\"", NULL},
        {"0 1\n1 nan\n2 3\n", "line 2, column 2: missing value", NULL},
        {"0,1\n1,,5\n2,3\n", "line 2, column 2: missing value", NULL},
        {"0 1\n\n# so\n1\n", "line 4 has 1 column, expected at least 2", NULL},
        {"0;1,5\n1;2,5\n", "line 1 has both semicolons and commas", "points"},
        {"0 1\n2 1\n1 1\n", "line 3, column 1: the time 1 s is not after", "2 s"},
        {"0 1\n2 1\n2 1\n", "line 3, column 1: the time 2 s is not after", NULL},
        {"0 1\n1 9.96921e+36\n", "line 2, column 2: 9.96921e+36 m is beyond ±12000 m", "missing value"},
        {"0 1\n", "1 sample, expected at least 2", NULL},
        {"# nothing\n", "0 samples, expected at least 2", NULL},
        {"", "the file is empty", NULL}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        write_text(cases[k].text);
        assert_refused(&request, STATUS_DATA, cases[k].fragment, cases[k].other);
    }
    folder_write("series", "0 1\n1\0002\n", 8);
    assert_refused(&request, STATUS_DATA, "line 2 holds a zero byte", "netCDF");
}

TEST(refuses_a_line_without_end)
{
    const struct series_request request = request_of(1);
    static char text[10000];
    memset(text, '7', sizeof text);
    folder_write("series", text, sizeof text);
    assert_refused(&request, STATUS_DATA, "line 1 is longer than 4095 bytes", NULL);
}

TEST(refuses_what_the_caller_got_wrong)
{
    write_text("0 1\n1 2\n");
    struct series_request request = request_of(1);
    request.values[0].unit = NULL;
    assert_refused(&request, STATUS_DATA, "states no unit of column 2", "\"eta_unit\"");
    request.values[0].unit = "kg";
    assert_refused(&request, STATUS_DATA, "column 2", "mass");
    request.values[0].unit = "metre";
    request.time.unit = "furlongs of time";
    assert_refused(&request, STATUS_DATA, "column 1", "furlongs");
    request.time.unit = "s";
    request.values[0].variable = "eta";
    assert_refused(&request, STATUS_DATA, "text table", "\"eta\" must be the number of a column");
    request.values[0].variable = NULL;
    request.values[0].number = 3;
    assert_refused(&request, STATUS_DATA, "line 1 has 2 columns, expected at least 3", NULL);
}

TEST(refuses_what_cannot_be_opened)
{
    struct series *series;
    struct series_request request = request_of(1);
    request.path = "/nonexistent/wave.txt";
    assert_failure(series_open(&request, &series), STATUS_NO_INPUT, "/nonexistent/wave.txt");
    request.path = "/tmp";
    assert_int_equal(series_open(&request, &series), STATUS_NO_INPUT);
}

// ---- netCDF

enum { LONG_SERIES = 10000 }; // several blocks

static double wave(double time_s)
{
    return 0.3 * sin(0.7 * time_s) + 1e-3 * time_s;
}

TEST(text_and_netcdf_give_the_same_bits)
{
    static double times[LONG_SERIES], eta[LONG_SERIES], from_text[2][LONG_SERIES];
    FILE *text = fopen(path, "w");
    assert_non_null(text);
    for (int k = 0; k < LONG_SERIES; k++) {
        times[k] = 0.1 * k + 0.01 * sin((double)k);
        eta[k] = wave(times[k]);
        assert_true(fprintf(text, "%.17g;%.17g\n", times[k], eta[k]) > 0);
    }
    assert_int_equal(fclose(text), 0);
    const struct series_request request = request_of(1);
    assert_int_equal(read_all(&request), LONG_SERIES);
    memcpy(from_text[0], times_s, sizeof from_text[0]);
    memcpy(from_text[1], values[0], sizeof from_text[1]);
    assert_memory_equal(from_text[0], times, sizeof times);
    assert_memory_equal(from_text[1], eta, sizeof eta);
    for (int kind = 0; kind < 2; kind++) {
        const int file = make_file(path, kind == 0 ? NC_NETCDF4 : NC_64BIT_OFFSET);
        const int time = make_axis(file, "time", "seconds", LONG_SERIES, times);
        make_field(file, "eta", "m", 1, &time, eta);
        NC(nc_close(file));
        const struct series_request plain = netcdf_request();
        assert_int_equal(read_all(&plain), LONG_SERIES);
        assert_memory_equal(times_s, from_text[0], sizeof from_text[0]);
        assert_memory_equal(values[0], from_text[1], sizeof from_text[1]);
    }
}

TEST(dates_count_from_the_origin)
{
    const double hours[3] = {1, 2, 3}, eta[3] = {10, 20, 30};
    const int file = make_file(path, NC_NETCDF4);
    const int time = make_axis(file, "time", "hours since 2011-03-11 05:00:00", 3, hours);
    make_field(file, "eta", "cm", 1, &time, eta);
    NC(nc_close(file));
    struct series_request request = netcdf_request();
    assert_int_equal(read_all(&request), 3);
    assert_true(times_s[0] == 3600 && times_s[2] == 10800 && values[0][1] == 0.2);
    request.origin = "2011-03-11 05:46:24";
    assert_int_equal(read_all(&request), 3);
    assert_true(fabs(times_s[0] - (3600 - 2784)) < 1e-6 && fabs(times_s[2] - (10800 - 2784)) < 1e-6);
}

// Packed shorts, a second dimension of length 1, the time under another name, a velocity beside.
TEST(reads_unusual_files)
{
    const double minutes[4] = {0, 1, 2, 4}, packed[4] = {-500, 0, 500, 1000}, velocity[4] = {1, 2, 3, 4};
    const int file = make_file(path, NC_NETCDF4);
    const int dimensions[2] = {make_dimension(file, "n", 4), make_dimension(file, "station", 1)};
    make_values(file, make_variable(file, "t", NC_DOUBLE, "min", 1, dimensions), minutes);
    const int eta = make_variable(file, "ssh", NC_SHORT, "mm", 2, dimensions);
    const double scale = 2;
    NC(nc_redef(file));
    NC(nc_put_att_double(file, eta, "scale_factor", NC_DOUBLE, 1, &scale));
    make_values(file, eta, packed);
    make_field(file, "u", "cm/s", 1, dimensions, velocity);
    NC(nc_close(file));
    struct series_request request = netcdf_request();
    request.value_count = 2;
    request.time.variable = "t";
    request.values[0].variable = "ssh";
    request.values[1] = (struct series_column){.variable = "u", .target = "m s-1", .key = "velocity"};
    assert_int_equal(read_all(&request), 4);
    for (int k = 0; k < 4; k++)
        assert_true(times_s[k] == 60 * minutes[k] && fabs(values[0][k] - 2e-3 * packed[k]) < 1e-15 &&
                    fabs(values[1][k] - 1e-2 * velocity[k]) < 1e-15);
    // A unit against the file's is refused, and taken only if the caller says that the file is wrong.
    request.values[0].unit = "millimetres";
    assert_int_equal(read_all(&request), 4);
    assert_true(fabs(values[0][3] - 2) < 1e-13);
    request.values[0].unit = "cm";
    assert_refused(&request, STATUS_CONFIGURATION, "variable ssh: \"eta_unit\": \"cm\" contradicts the file",
                   "units = \"mm\"");
    request.overrides = true;
    assert_int_equal(read_all(&request), 4);
    assert_true(fabs(values[0][3] - 20) < 1e-13);
}

// A netCDF-4 file with time and two series.
static void make_pair(const char *time_unit, const char *eta_unit, const double *times, const double *eta)
{
    const int file = make_file(path, NC_NETCDF4);
    const int time = make_axis(file, "time", time_unit, 3, times);
    make_field(file, "eta", eta_unit, 1, &time, eta);
    make_field(file, "other", "m", 1, &time, eta);
    NC(nc_close(file));
}

TEST(refuses_bad_netcdf)
{
    const double times[3] = {0, 1, 2}, back[3] = {0, 2, 1}, eta[3] = {1, 2, 3};
    const double missing[3] = {1, NC_FILL_DOUBLE, 3};
    struct series_request request = netcdf_request();
    make_pair("s", "m", times, eta);
    assert_refused(&request, STATUS_DATA, "several series", "eta, other");
    request.values[0].variable = "etta";
    assert_refused(&request, STATUS_DATA, "no variable etta (it has: ", NULL);
    request.values[0].variable = "eta";
    request.time.variable = "eta";
    assert_refused(&request, STATUS_DATA, "both the time and a value", NULL);
    request.time.variable = NULL;
    request.values[0].number = 2;
    assert_refused(&request, STATUS_DATA, "is netCDF", "\"eta\" must be the name of a variable");
    request.values[0].number = 0;
    request.skip_lines = 1;
    assert_refused(&request, STATUS_DATA, "\"skip_lines\" is for text", NULL);
    request.skip_lines = 0;
    make_pair("s", "m", times, missing);
    assert_refused(&request, STATUS_DATA, "index 1, variable eta: missing value", NULL);
    make_pair("s", "m", back, eta);
    assert_refused(&request, STATUS_DATA, "index 2, variable time: the time 1 s is not after", NULL);
    make_pair(NULL, "m", times, eta);
    assert_refused(&request, STATUS_DATA, "unit of variable time", "\"time_unit\"");
    make_pair("s", NULL, times, eta);
    assert_refused(&request, STATUS_DATA, "unit of variable eta", "\"eta_unit\"");
    make_pair("s", "s", times, eta);
    assert_refused(&request, STATUS_DATA, "variable eta", "a length");
    make_pair("s since yesterday", "m", times, eta);
    request.origin = "2011-03-11 05:46:24";
    assert_refused(&request, STATUS_DATA, "variable time", "yesterday");
}

TEST(refuses_grids_as_series)
{
    const double x[2] = {0, 1}, field[4] = {1, 2, 3, 4};
    const int file = make_file(path, NC_NETCDF4);
    const int dimensions[2] = {make_axis(file, "y", "m", 2, x), make_axis(file, "x", "m", 2, x)};
    make_field(file, "eta", "m", 2, dimensions, field);
    make_field(file, "profile", "m", 1, dimensions, field);
    NC(nc_close(file));
    struct series_request request = netcdf_request();
    assert_refused(&request, STATUS_DATA, "no variable is a series over time", NULL);
    request.values[0].variable = "eta";
    assert_refused(&request, STATUS_DATA, "variable eta is not a series", NULL);
}

TEST(sees_that_a_file_was_changed)
{
    const struct series_request request = request_of(1);
    double *const places[SERIES_VALUES_MAX] = {values[0], values[1]};
    static const struct {
        const char *text, *fragment;
    } cases[] = {{"0 1\n1 2\n", "fewer samples"}, {"0 1\n1 2\n2 3\n3 4\n", "more samples"}};
    for (int k = 0; k < 2; k++) {
        struct series *series;
        write_text("0 1\n1 2\n2 3\n");
        assert_ok(series_open(&request, &series));
        write_text(cases[k].text);
        assert_failure(series_read(series, times_s, places), STATUS_DATA, cases[k].fragment);
        series_close(series);
    }
}

TEST_WITH(interpolates, NULL, NULL)
{
    const double t[4] = {-1, 0, 0.5, 3}, y[4] = {5, 0.1, 0.3, -7};
    for (int k = 0; k < 4; k++)
        assert_true(series_at(t, y, 4, t[k]) == y[k]);
    assert_true(fabs(series_at(t, y, 4, 0.25) - 0.2) < 1e-16);
    assert_true(fabs(series_at(t, y, 4, 1.75) - (0.3 - 7) / 2) < 1e-15);
    assert_true(isnan(series_at(t, y, 4, -1.0000001)) && isnan(series_at(t, y, 4, 3.0000001)));
    assert_true(isnan(series_at(t, y, 4, NAN)));
}
