// Waves given along the edges by a field (source.edges.field): a grid driven by the fields of a run is that
// grid nested in the run; a wave of known form crosses the edges and is that wave inside; what cannot be
// right is refused in one line. And `fathom combine` of a part of the fields, which such a run takes.
#include "tests/support/numbers.h"
#include "tests/support/refusals.h"
#include "tests/support/test.h"

// ---- a grid in a sea

// 1500 to 3500 m deep, with an island on the bay's western edge.
static double sea_floor(double x, double y, double time_s)
{
    const double dx = x - 141.5, dy = y - 32.4;
    return dx * dx + dy * dy < 0.03 ? 50 : -(2500 + 1000 * sin(2 * x) * cos(3 * y));
}

static const char table[] =
    "# name, URL, longitude, latitude, slip, strike, dip, depth, length, width, rake\n"
    "tssza1, http://nowhere/ts_001_a_ha.nc, 145.0, 34.4, 1.0, 195.0, 14.0, 20.0, 100.0, 50.0, 90.0\n";

// 6 degrees of sea at 6', a unit source 300 km from the bay, whose uplift does not reach it.
static cJSON *sea_job(void)
{
    static const struct cli_grid grid =
        CLI_GLOBE(61, 51, 141, 31, 0.1, 0.1, {"z", "m", "up", NULL, sea_floor});
    cli_write_grid("floor.nc", &grid);
    cli_write_text("table.txt", table);
    return cli_json("{'fathom': 1, 'model': 'tsunami', 'backend': 'openmp', 'precision': 'double', 'method': "
                    "'vtcs2-o2', 'domain': {'bathymetry': {'file': 'floor.nc'}}, 'source': {'extent': '150 "
                    "km', 'sift': {'table': 'table.txt', 'slips': {'tssza1': 1}}}, 'time': {'duration': '40 "
                    "min', 'step': '20 s'}, 'output': {'precision': 'double', 'directory': 'database/sea', "
                    "'fields': {'every': '20 s', 'variables': ['eta', 'u', 'v']}}}");
}

static const char bay_domain[] =
    "{'bathymetry': {'file': 'floor.nc'}, 'longitude': ['141.55 degree', '143 degree'], 'latitude': ['31.6 "
    "degree', '33.2 degree'], 'spacing': '3 arcmin'}";

static void run_nested(const char *method)
{
    cJSON *job = cli_change(sea_job(),
                            "nested.bay.domain = %s; nested.bay.method = '%s'; nested.bay.time.step = '10 s'",
                            bay_domain, method);
    cli_run_job(job);
}

static cJSON *bay_job(const char *method, const char *file)
{
    return cli_change(sea_job(),
                      "domain = %s; method = '%s'; time.step = '10 s'; source = {'edges': {'field': "
                      "{'file': '%s'}}}; output.directory = 'bay'; output.fields.every = '20 s'",
                      bay_domain, method, file);
}

// The largest difference of two files' eta, u √(d/g), v √(d/g), over the largest eta of the second.
static double distance_of(const char *one, const char *other)
{
    static const char *const names[] = {"eta", "u", "v"};
    double most = 0, scale = 0;
    for (int v = 0; v < 3; v++) {
        size_t count, other_count;
        const double *a = cli_read_variable(one, names[v], &count, NULL),
                     *b = cli_read_variable(other, names[v], &other_count, NULL);
        assert_int_equal(count, other_count);
        for (size_t k = 0; k < count; k++) {
            assert_true(isnan(a[k]) == isnan(b[k]));
            if (isnan(a[k]))
                continue;
            most = fmax(most, (v == 0 ? 1 : sqrt(2500 / 9.81)) * fabs(a[k] - b[k]));
            scale = fmax(scale, v == 0 ? fabs(b[k]) : 0);
        }
    }
    assert_true(scale > 1e-3);
    return most / scale;
}

// With the parent's state after each of its steps, the edges have what nesting gives them: the rest is
// rounding.
TEST(a_grid_driven_by_fields_of_every_step_is_the_nested_grid)
{
    static const char *const methods[] = {"vtcs2-o2", "muscl-hancock"};
    for (int k = 0; k < 2; k++) {
        run_nested(methods[k]);
        cli_run_job(bay_job(methods[k], "database/sea/fields.nc"));
        const double distance = distance_of("bay/fields.nc", "database/sea/bay.fields.nc");
        print_message("%s: %.2g of the wave\n", methods[k], distance);
        assert_true(distance < 1e-9);
        assert_true(cli_run_number("bay", "source.edges.field.records") == 121);
        assert_true(cli_run_number("bay", "source.edges.field.last_s") == 2400);
        cli_remove("bay");
        cli_remove("database");
    }
}

// From unit source to the bay: the part of the sum that holds the bay, each minute, in single precision.
// Between the records the wave is linear, which costs 2 % of one with periods of some ten minutes.
TEST(a_part_of_a_sum_drives_a_grid)
{
    run_nested("vtcs2-o2");
    cli_run_job(cli_change(sea_job(), "output.directory = 'minutes/sea'; output.precision = 'single'; "
                                      "output.fields.every = '1 min'"));
    cli_do("combine --slips tssza1=1 minutes -o whole");
    cli_do("combine --slips tssza1=1 minutes -o part --longitude '141.55 degree,143 degree' --latitude '31.6 "
           "degree,33.2 "
           "degree' "
           "--times '2 min,40 min'");
    size_t shape[4], count;
    (void)cli_read_variable("part/fields.nc", "eta", &count, shape);
    assert_true(shape[0] == 39 && shape[1] == 17 && shape[2] == 16);
    const double *longitudes = cli_read_variable("part/fields.nc", "lon", &count, NULL),
                 *times = cli_read_variable("part/fields.nc", "time", &count, NULL);
    assert_near("west", longitudes[0], 141.5, 1e-9);
    assert_near("first", times[0], 120, 0);
    cli_run_job(bay_job("vtcs2-o2", "whole/fields.nc"));
    const double distance = distance_of("bay/fields.nc", "database/sea/bay.fields.nc");
    print_message("each minute: %.2g of the wave\n", distance);
    assert_true(distance > 1e-9 && distance < 0.03);
    // Nothing has reached the bay in the first two minutes: the part gives the same.
    cli_run_to(bay_job("vtcs2-o2", "part/fields.nc"), "late");
    assert_true(distance_of("late/fields.nc", "bay/fields.nc") < 1e-6);
}

// Ten seconds are no part of 16: the edges' records are others than the field's.
TEST(records_that_are_no_multiple_of_the_step_are_interpolated)
{
    run_nested("vtcs2-o2");
    cli_run_job(cli_change(bay_job("vtcs2-o2", "database/sea/fields.nc"), "time.step = '8 s'; "
                                                                          "output.fields.every = '40 s'"));
    cli_run_to(cli_change(bay_job("vtcs2-o2", "database/sea/fields.nc"), "time.step = '10 s'; "
                                                                         "output.fields.every = '40 s'"),
               "other");
    assert_true(distance_of("bay/fields.nc", "other/fields.nc") < 0.02);
}

// ---- a wave of known form

static const double crest_m = 0.01, period_s = 1500, depth_m = 1000, radius_m = 6371000;

// A hump of water that travels east at √(gd): η = f(t − x/c), u = √(g/d) η; it enters at x = 0, 10° E, after
// half a period. On a sphere it is exact at the equator; over one degree it changes by 2·10⁻⁴.
static double wave_at(double longitude, double time_s)
{
    const double pi = acos(-1.0), c = sqrt(9.81 * depth_m);
    const double phase = time_s - radius_m * (longitude - 10) * pi / 180 / c;
    return phase > 0 && phase < period_s ? crest_m * pow(sin(pi * phase / period_s), 4) : 0;
}

static double wave_eta(double x, double y, double time_s)
{
    return wave_at(x, time_s);
}

static double wave_u(double x, double y, double time_s)
{
    return sqrt(9.81 / depth_m) * wave_at(x, time_s);
}

static double nothing(double x, double y, double time_s)
{
    return 0;
}

static double level_floor(double x, double y, double time_s)
{
    return -depth_m;
}

static void write_wave(const char *name)
{
    enum { RECORDS = 181 };
    double times[RECORDS];
    for (int k = 0; k < RECORDS; k++)
        times[k] = 30.0 * k;
    struct cli_grid grid = CLI_GLOBE(65, 33, 9.9, -0.8, 0.05, 0.05, {"eta", "m", NULL, NULL, wave_eta});
    grid.records = RECORDS;
    grid.times_s = times;
    grid.variable_count = 3;
    grid.variables[1] = (struct cli_variable){"u", "m s-1", NULL, NULL, wave_u};
    grid.variables[2] = (struct cli_variable){"v", "m s-1", NULL, NULL, nothing};
    cli_write_grid(name, &grid);
}

static cJSON *wave_job(void)
{
    static const struct cli_grid grid =
        CLI_GLOBE(71, 31, 9, -1.5, 0.1, 0.1, {"z", "m", "up", NULL, level_floor});
    cli_write_grid("floor.nc", &grid);
    if (!cli_exists("wave.nc"))
        write_wave("wave.nc");
    return cli_json(
        "{'fathom': 1, 'model': 'tsunami', 'backend': 'openmp', 'precision': 'double', 'method': "
        "'vtcs2-o2', 'domain': {'bathymetry': {'file': 'floor.nc'}, 'longitude': ['10 degree', '13 "
        "degree'], 'latitude': ['-0.6 degree', '0.6 degree'], 'spacing': '0.75 arcmin'}, 'source': "
        "{'edges': {'field': {'file': 'wave.nc'}}}, 'time': {'duration': '80 min', 'step': '5 s'}, 'output': "
        "{'directory': 'out', 'precision': 'double', 'fields': {'every': '10 min', "
        "'variables': ['eta', 'u', 'v']}}}");
}

static double largest_error(const char *file)
{
    size_t count, shape[4], nx, ny;
    const double *eta = cli_read_variable(file, "eta", &count, shape),
                 *x = cli_read_variable(file, "lon", &nx, NULL),
                 *times = cli_read_variable(file, "time", &ny, NULL);
    double most = 0;
    for (size_t k = 0; k < count; k++)
        most = fmax(most, fabs(eta[k] - wave_at(x[k % nx], times[k / (shape[1] * shape[2])])));
    return most;
}

TEST(a_known_wave_enters_passes_and_leaves)
{
    static const char *const methods[] = {"vtcs2-o2", "vtcs2", "muscl-hancock"};
    static const double tolerances[] = {0.01, 0.01, 0.03}; // the last one's limiter cuts crests
    cJSON *job = wave_job();
    for (int k = 0; k < 3; k++) {
        cli_rerun(cli_change(job, "method = '%s'", methods[k]));
        const double error = largest_error("out/fields.nc");
        print_message("%s: %.2g of the crest\n", methods[k], error / crest_m);
        assert_true(error < tolerances[k] * crest_m);
    }
}

// A shift of the file's times is one of the wave; with dates on both sides the job's origin counts.
TEST(start_and_origin_place_the_field_in_time)
{
    cJSON *job = cli_change(wave_job(), "time.duration = '40 min'"); // 25 min of it come in
    cli_run_job(job);
    cli_run_to(cli_change(job, "source.edges.field.start = '10 min'; time.duration = '50 min'"), "later");
    cli_run_to(cli_change(job, "source.edges.field.start = '0 s'; time.origin = '2011-03-11 05:36:24'"),
               "dated");
    cli_assert_same_data("later/fields.nc", "dated/fields.nc");
    size_t count, later_count, shape[4];
    const double *eta = cli_read_variable("out/fields.nc", "eta", &count, shape),
                 *later = cli_read_variable("later/fields.nc", "eta", &later_count, NULL);
    const size_t plane = shape[1] * shape[2];
    assert_int_equal(later_count, count + plane);
    for (size_t k = 0; k < count; k++)
        assert_near("ten minutes later", later[plane + k], eta[k], 1e-12);
}

// ---- what is refused

static double one_metre(double x, double y, double time_s)
{
    return 1;
}

static double no_value(double x, double y, double time_s)
{
    return NAN;
}

static void write_constant(const char *name, size_t records, int variables,
                           double (*value)(double, double, double))
{
    static const double times[] = {0, 60, 120};
    struct cli_grid grid = CLI_GLOBE(33, 17, 9.9, -0.8, 0.1, 0.1, {"eta", "m", NULL, NULL, value});
    grid.records = records;
    grid.times_s = times;
    grid.variable_count = variables;
    grid.variables[1] = (struct cli_variable){"u", "m s-1", NULL, NULL, value};
    grid.variables[2] = (struct cli_variable){"v", "m s-1", NULL, NULL, value};
    cli_write_grid(name, &grid);
}

// Of one variable at one time, in a part of the file.
static double gap(double x, double y, double time_s)
{
    return time_s == 60 && y > 0 ? NAN : 0.01;
}

// Without one of its values a node is open: not a number must not reach the steps.
TEST(gaps_of_a_variable_open_the_edge_and_are_told)
{
    static const double times[] = {0, 60, 120};
    struct cli_grid grid = CLI_GLOBE(33, 17, 9.9, -0.8, 0.1, 0.1, {"eta", "m", NULL, NULL, one_metre});
    grid.records = 3;
    grid.times_s = times;
    grid.variable_count = 3;
    grid.variables[1] = (struct cli_variable){"u", "m s-1", NULL, NULL, gap};
    grid.variables[2] = (struct cli_variable){"v", "m s-1", NULL, NULL, gap};
    cJSON *job = cli_change(wave_job(), "source.edges.field.file = 'gap.nc'; time.duration = '2 min'; "
                                        "output.fields.every = '1 min'");
    cli_write_grid("gap.nc", &grid);
    const struct cli_result *result = cli_try(job);
    cli_assert_done(result);
    assert_has(result->error, "source.edges.field", "gap.nc", "only at some of the times", "open");
    grid.variables[0].value = gap;
    cli_write_grid("gap.nc", &grid);
    result = cli_try(job);
    cli_assert_done(result);
    assert_has(result->error, "only at some of the times");
}

TEST(what_cannot_be_right_is_refused)
{
    static const struct bad cases[] = {
        BAD_AS(NO_INPUT, "source.edges.field.file = 'wav.nc'", "source.edges.field.file", "wav.nc"),
        BAD("domain.longitude = ['9.5 degree', '12 degree']", "source.edges.field.file", "beyond the field",
            "west", "9.5", "9.9"),
        BAD("domain.latitude = ['-0.6 degree', '1 degree']", "beyond the field", "north", "0.8"),
        BAD("source.edges.field.start = '90 min'", "source.edges.field.start", "begins at 5400 s", "4800 s"),
        BAD("source.edges.field.start = '-2 h'", "source.edges.field.start", "ends at -1800 s"),
        BAD("source.edges.west = {'file': 'wave.txt', 'time_unit': 's', 'eta_unit': 'm'}",
            "source.edges.field", "source.edges.west"),
        BAD("domain.edges = {'west': 'wall', 'east': 'wall', 'south': 'wall', 'north': 'wall'}",
            "source.edges.field", "no edge open"),
        BAD("source.edges.field = {'start': '1 h'}", "source.edges.field.file"),
        BAD("method = 'c-grid-6'", "method", "source.edges"),
        BAD("limits.volume_drift = 0.1", "limits.volume_drift", "source.edges"),
    };
    cli_write_text("wave.txt", "0 0\n100 1\n200 0\n");
    EXPECT_ALL(wave_job, cases);
    write_constant("eta.nc", 3, 1, one_metre);
    EXPECT_BAD(wave_job(), DATA, "source.edges.field.file = 'eta.nc'", "source.edges.field.file", "eta.nc",
               "no variable u");
    write_constant("once.nc", 1, 3, one_metre);
    EXPECT_BAD(wave_job(), CONFIGURATION, "source.edges.field.file = 'once.nc'", "once.nc", "one record");
    write_constant("land.nc", 3, 3, no_value);
    EXPECT_BAD(wave_job(), CONFIGURATION, "source.edges.field.file = 'land.nc'", "source.edges.field",
               "land.nc", "no wave can come in");
}

TEST(parts_of_a_sum_that_are_not_there_are_refused)
{
    cli_run_job(cli_change(sea_job(), "time.duration = '2 min'"));
    static const struct cli_refusal cases[] = {
        {"combine --slips tssza1=1 database -o out --longitude 130degree,140degree",
         65,
         {"--longitude", "141 to 147"}},
        {"combine --slips tssza1=1 database -o out --latitude 33degree,32degree",
         65,
         {"--latitude", "31 to 36"}},
        {"combine --slips tssza1=1 database -o out --latitude 33degree",
         64,
         {"--latitude", "two quantities"}},
        {"combine --slips tssza1=1 database -o out --times 60s,180s", 65, {"--times", "0 to 120 s"}},
        {"combine --slips tssza1=1 database -o out --times 60s,120s --gauges-only",
         64,
         {"--times", "--gauges-only"}},
    };
    CLI_ASSERT_REFUSED(cases);
}

TEST_MAIN(cli_setup, cli_teardown)
