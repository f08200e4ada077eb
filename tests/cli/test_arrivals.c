// What counts as an arrival: a rise above the level that the source leaves, not the source's own uplift. Held
// against the definition, looked up in the fields of every step. With the argument "cuda" on a GPU.
#include "tests/support/cuda_test.h"
#include "tests/support/gnuplot.h"
#include "tests/support/report_page.h"
#include "tests/support/test.h"

#include <sys/stat.h>

static const double threshold_m = 0.05, step_s = 5;

// Up by a metre in the west, down by more than half of that beside it.
static double thrust(double x, double y, double time_s)
{
    const double north = exp(-(y - 8000) * (y - 8000) / 4e7);
    return north * (exp(-(x - 7000) * (x - 7000) / 4e6) - 0.6 * exp(-(x - 12000) * (x - 12000) / 4e6));
}

static double weak_thrust(double x, double y, double time_s)
{
    return 0.005 * thrust(x, y, time_s);
}

static cJSON *basin_job(const char *backend, const char *method, const char *source)
{
    struct cli_grid uplift = cli_basin;
    cJSON *job = cli_sea_job();
    cli_write_grid("basin.nc", &cli_basin);
    uplift.variables[0] = (struct cli_variable){.name = "uplift", .units = "m", .value = thrust};
    cli_write_grid("uplift.nc", &uplift);
    cli_change(job,
               "domain = {'bathymetry': {'file': 'basin.nc'}, 'edges': {'west': 'wall', 'east': 'wall', "
               "'south': 'wall', 'north': 'wall'}}; source = %s; precision = 'double'; backend = '%s'; "
               "method = '%s'; time.duration = '%g s'; time.step = '%g s'; output = {'directory': 'out', "
               "'precision': 'double', 'drawdown': '5 cm'}; output.arrival = ['5 cm', '30 cm']; "
               "output.fields.every = '%g s'; output.fields.variables = ['eta']",
               source, backend, method, 120 * step_s, step_s, step_s);
    return job;
}

struct expected {
    double start_s, rise_s; // of the uplift
    bool is_still_water;    // arrivals count from it
};

static double level_at(const struct expected *e, double x, double y, double time_s)
{
    const double share =
        e->rise_s > 0 ? fmin(1, fmax(0, time_s - e->start_s) / e->rise_s) : time_s >= e->start_s;
    return e->is_still_water ? 0 : share * thrust(x, y, 0);
}

// The first record in which `sign` times the difference from the level reaches the threshold; NaN: none.
// `is_close`: some record before it, or it, was so near that rounding decides.
static double first_time(const struct expected *e, const double *eta, size_t nodes, size_t node,
                         size_t records, double sign, double least_m, bool *is_close)
{
    const double x = cli_basin.x0 + (double)(node % cli_basin.nx) * cli_basin.dx;
    const double y = cli_basin.y0 + (double)(node / cli_basin.nx) * cli_basin.dy;
    *is_close = false;
    for (size_t r = 0; r < records; r++) {
        const double over_m =
            sign * (eta[r * nodes + node] - level_at(e, x, y, step_s * (double)r)) - least_m;
        *is_close |= fabs(over_m) < 1e-5;
        if (over_m >= 0)
            return step_s * (double)r;
    }
    return NAN;
}

// Every node that is sea in the beginning; land has its own rule.
static void check_arrivals(const char *folder, const struct expected *e, const char *what)
{
    const char *maxima = format_text("%s/maxima.nc", folder);
    const size_t nodes = cli_basin.nx * cli_basin.ny;
    size_t count, looked_at = 0, shape[4];
    double *eta = cli_read_variable(format_text("%s/fields.nc", folder), "eta", &count, shape);
    double *arrival = cli_read_values(maxima, "arrival", 2 * nodes);
    double *drawdown = cli_read_values(maxima, "first_drawdown", nodes);
    static const double thresholds[] = {0.05, 0.3};
    for (size_t k = 0; k < nodes; k++) {
        bool is_close;
        if (isnan(eta[k]))
            continue;
        for (size_t a = 0; a < 3; a++) { // the third is the draw-down
            const double sign = a < 2 ? 1 : -1, least_m = a < 2 ? thresholds[a] : threshold_m;
            const double wanted = first_time(e, eta, nodes, k, shape[0], sign, least_m, &is_close);
            const double found = a < 2 ? arrival[a * nodes + k] : drawdown[k];
            looked_at += !is_close && isfinite(wanted);
            if (!is_close && !(found == wanted || (isnan(found) && isnan(wanted))))
                fail_msg("%s: %s %zu at node %zu, %zu: %g s, expected %g s", what,
                         a < 2 ? "arrival" : "draw-down", a, k % cli_basin.nx, k / cli_basin.nx, found,
                         wanted);
        }
    }
    assert_true(looked_at > 200);
}

static const char *backends[] = {"reference", "openmp"};
static int backend_count = 2;
static const char *const methods[] = {"vtcs2-o2", "muscl-hancock", "vtcs2-shore"};

TEST(test_uplift_at_once)
{
    for (int b = 0; b < backend_count; b++)
        for (int m = 0; m < 3; m++) {
            cli_run_job(basin_job(backends[b], methods[m], "{'displacement': {'file': 'uplift.nc'}}"));
            check_arrivals("out", &(struct expected){0}, methods[m]);
            // No place has an arrival in the moment of the earthquake.
            double *arrival = cli_read_values("out/maxima.nc", "arrival", 2 * cli_basin.nx * cli_basin.ny);
            for (size_t k = 0; k < cli_basin.nx * cli_basin.ny; k++)
                assert_false(arrival[k] == 0);
        }
}

// Where the bottom sinks after the start, a rise above the level is none above what the surface once was.
TEST(test_moving_level)
{
    for (int b = 0; b < backend_count; b++)
        for (int m = 0; m < 3; m++) {
            cli_run_job(
                basin_job(backends[b], methods[m],
                          "{'displacement': {'file': 'uplift.nc', 'start': '12 s', 'rise': '41 s'}}"));
            check_arrivals("out", &(struct expected){.start_s = 12, .rise_s = 41}, methods[m]);
        }
}

TEST(test_still_water)
{
    for (int b = 0; b < backend_count; b++) {
        cli_run_job(cli_change(basin_job(backends[b], "vtcs2-o2", "{'displacement': {'file': 'uplift.nc'}}"),
                               "output.arrival_from = 'still_water'"));
        check_arrivals("out", &(struct expected){.is_still_water = true}, "still water");
    }
}

// An initial state is a source, too; nested grids have the same rule.
TEST(test_initial_state_and_nested)
{
    cli_run_job(cli_change(basin_job(backends[backend_count - 1], "vtcs2-o2",
                                     "{'initial': {'file': 'uplift.nc', 'eta': 'uplift'}}"),
                           "nested = {'bay': {'domain': {'bathymetry': {'file': 'basin.nc'}, 'x': ['4 km', "
                           "'16 km'], 'y': ['4 km', '12 km']}}}"));
    check_arrivals("out", &(struct expected){0}, "initial state");
    size_t count, nx;
    double *arrival = cli_read_variable("out/bay.maxima.nc", "arrival", &count, NULL);
    double *outer = cli_read_values("out/maxima.nc", "arrival", 2 * cli_basin.nx * cli_basin.ny);
    double *x = cli_read_variable("out/bay.maxima.nc", "x", &nx, NULL);
    const size_t first = 8 * cli_basin.nx + 8; // of the nested grid's nodes in the outer one: 4 km, 4 km
    size_t same = 0, all = 0;
    assert_true(x[0] == 4000 && nx == 25);
    for (size_t k = 0; k < count / 2; k++) {
        const double wanted = outer[first + k / nx * cli_basin.nx + k % nx];
        assert_false(arrival[k] == 0);
        all++;
        same += (isnan(wanted) && isnan(arrival[k])) || fabs(wanted - arrival[k]) <= step_s;
    }
    assert_true((double)same > 0.9 * (double)all);
}

// Gauges along the thrust, from the wall in the west to the one in the east.
static void add_gauges(cJSON *job)
{
    cli_write_json("gauges.json", "{'fathom_gauges': 1, 'gauges': [{'name': 'up', 'x': '7 km', 'y': '8 "
                                  "km'},{'name': 'down', 'x': '12 km', 'y': '8 km'},{'name': 'beside', 'x': "
                                  "'3 km', 'y': '8 km'},{'name': 'far', 'x': '17 km', 'y': '8 km'}]}");
    cli_change(job, "output.gauges = {'file': 'gauges.json', 'every': '5 s'}");
}

static const double gauge_x[] = {7000, 12000, 3000, 17000};
enum { PLACES = COUNT(gauge_x) };

static cJSON *report_of(const char *folder)
{
    cJSON *report = cli_output_json(cli_do("report --json %s --size 500x400", folder));
    assert_int_equal(cli_count(report, "gauges"), PLACES);
    return report;
}

static double number_or_nan(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItem(object, key);
    assert_true(cJSON_IsNumber(item) || cJSON_IsNull(item));
    return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

// The same arrivals as the map's at the gauges' nodes: gauges are sampled at every step here. None is at 0 s.
static size_t check_table(const cJSON *report)
{
    const size_t nodes = cli_basin.nx * cli_basin.ny;
    double *arrival = cli_read_values("out/maxima.nc", "arrival", 2 * nodes);
    size_t reached = 0;
    for (int k = 0; k < PLACES; k++) {
        const double found =
            number_or_nan(cJSON_GetArrayItem(cJSON_GetObjectItem(report, "gauges"), k), "arrival_s");
        const double wanted =
            arrival[16 * cli_basin.nx + (size_t)(gauge_x[k] / cli_basin.dx)]; // the lowest threshold is first
        if (!(found == wanted || (isnan(found) && isnan(wanted))) || found == 0)
            fail_msg("gauge %d: arrival at %g s, on the map at %g s", k, found, wanted);
        reached += isfinite(found);
    }
    return reached;
}

// Before a peak the water stands lower; after it, it falls to less than half of the peak's height above the
// source's level.
static size_t check_peaks(const cJSON *report)
{
    size_t count, shape[4], peaks = 0;
    double *eta = cli_read_variable("out/gauges.nc", "eta", &count, shape);
    assert_true(shape[1] == PLACES);
    for (size_t k = 0; k < PLACES; k++) {
        const cJSON *gauge = cJSON_GetArrayItem(cJSON_GetObjectItem(report, "gauges"), (int)k);
        const double at_s = number_or_nan(gauge, "first_peak_s"), level_m = thrust(gauge_x[k], 8000, 0);
        if (isnan(at_s)) {
            assert_true(isnan(number_or_nan(gauge, "first_peak_m")));
            continue;
        }
        const size_t at = (size_t)lround(at_s / step_s);
        double least_m = INFINITY;
        assert_true(at > 0 && at + 1 < shape[0]);
        assert_true(eta[(at - 1) * PLACES + k] < eta[at * PLACES + k]);
        for (size_t r = at; r < shape[0]; r++)
            least_m = fmin(least_m, eta[r * PLACES + k] - level_m);
        assert_true(least_m < 0.5 * (eta[at * PLACES + k] - level_m));
        peaks++;
    }
    return peaks;
}

// The report's table agrees with the map: no gauge within the source has its wave in the first moment.
TEST(test_report)
{
    need_gnuplot();
    static const char *const sources[] = {"{'displacement': {'file': 'uplift.nc'}}",
                                          "{'displacement': {'file': 'uplift.nc', 'rise': '60 s'}}"};
    for (int k = 0; k < 2; k++) {
        cJSON *job = basin_job(backends[backend_count - 1], "vtcs2-o2", sources[k]);
        add_gauges(job);
        cli_run_job(job);
        cJSON *run = cli_read_json("out/run.json");
        const cJSON *up = cli_item(run, "gauges.0");
        assert_true(fabs(cli_json_number(up, "level_m") - thrust(7000, 8000, 0)) < 1e-5);
        assert_true(fabs(cli_json_number(up, "level_at_start_m") - (k == 0 ? thrust(7000, 8000, 0) : 0)) <
                    1e-5);
        cli_expect_number(up, "level_from_s", (k == 0 ? 0 : 60));
        cJSON *report = report_of("out");
        cli_expect_number(report, "arrival_threshold_m", threshold_m);
        assert_true(check_table(report) >= 2);
        assert_true(check_peaks(report) >= 2);
    }
}

// Runs that end before the wave comes, and while it rises.
TEST(test_report_of_short_runs)
{
    need_gnuplot();
    static const int steps[] = {2, 8, 16, 30};
    size_t missing = 0;
    for (int k = 0; k < 4; k++) {
        cJSON *job =
            basin_job(backends[backend_count - 1], "vtcs2-o2", "{'displacement': {'file': 'uplift.nc'}}");
        add_gauges(job);
        cli_run_job(cli_change(job, "time.duration = '%g s'", steps[k] * step_s));
        cJSON *report = report_of("out");
        missing += PLACES - check_table(report);
        check_peaks(report);
    }
    assert_true(missing >= 8);
}

// How far the lowest of the three traces of gauges_all.png leaves its line, in the spacing of the traces.
static float lowest_trace(const char *scripts)
{
    char path[512];
    float pair[2], largest = 0;
    const struct cli_result *found = cli_run_tool("grep", "-rl", "gauges_all.png", scripts);
    cli_assert_done(found);
    snprintf(path, sizeof path, "%.*s", (int)strcspn(found->output, "\n"), found->output);
    char *name = strrchr(path, '/');
    assert_non_null(name);
    snprintf(name, sizeof path - (size_t)(name - path), "/data2.bin");
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    while (fread(pair, sizeof pair, 1, file) == 1)
        largest = fmaxf(largest, fabsf(pair[1]));
    fclose(file);
    return largest;
}

// The level of a gauge that no wave reached is the foot of the source, 5e-7 m: its trace is flat, and it has
// no figure.
TEST(test_report_of_still_gauges)
{
    need_gnuplot();
    cJSON *job =
        basin_job(backends[backend_count - 1], "vtcs2-o2", "{'displacement': {'file': 'uplift.nc'}}");
    cli_write_json("gauges.json",
                   "{'fathom_gauges': 1, 'gauges': [{'name': 'up', 'x': '7 km', 'y': '8 km'},{'name': "
                   "'down', 'x': '12 km', 'y': '8 km'},{'name': 'still', 'x': '19.5 km', 'y': '8 km'}]}");
    cli_run_job(cli_change(
        job, "output.gauges = {'file': 'gauges.json', 'every': '5 s'}; time.duration = '%g s'", 2 * step_s));
    const char *scripts = report_scripts("--size=500x400");
    assert_true(lowest_trace(scripts) < 0.01F);
    assert_page_says("or by 1&nbsp;mm where that is less", ">&lt; 1 mm</td>");
    assert_page_lacks(" µm");
    cli_assert_done(cli_run_tool("grep", "-rq", "set label '< 1 mm'", scripts));
}

// Where a job asks for no arrivals, a centimetre counts, and nothing below it.
TEST(test_report_without_map)
{
    need_gnuplot();
    cJSON *job =
        basin_job(backends[backend_count - 1], "vtcs2-o2", "{'displacement': {'file': 'uplift.nc'}}");
    struct cli_grid weak = cli_basin;
    weak.variables[0] = (struct cli_variable){.name = "uplift", .units = "m", .value = weak_thrust};
    cli_write_grid("uplift.nc", &weak);
    add_gauges(job);
    cJSON_DeleteItemFromObject(cJSON_GetObjectItem(job, "output"), "arrival");
    cli_run_job(job);
    cJSON *report = report_of("out");
    const cJSON *gauge;
    cli_expect_number(report, "arrival_threshold_m", 0.01);
    cJSON_ArrayForEach(gauge, cJSON_GetObjectItem(report, "gauges"))
    {
        assert_true(cli_json_number(gauge, "maximum_m") > 1e-4);
        assert_true(isnan(number_or_nan(gauge, "arrival_s")));
        assert_true(isnan(number_or_nan(gauge, "first_peak_s")));
    }
}

TEST(test_key_without_effect)
{
    cJSON *job = cli_change(basin_job("openmp", "vtcs2-o2", "{'displacement': {'file': 'uplift.nc'}}"),
                            "output = {'directory': 'out', 'arrival_from': 'source'}");
    const struct cli_result *result = cli_try(job);
    assert_int_equal(result->exit_code, 0);
    assert_has(result->error, "output.arrival_from: has no effect");
    cli_assert_error(cli_try(cli_change(job, "output.arrival_from = 'sea'")), 78, false,
                     "output.arrival_from", "sea", "still_water");
}

static int begin(int argc, char **argv)
{
    if (!wants_cuda(argc, argv))
        return 0;
    backends[0] = "cuda";
    backend_count = 1;
    return has_cuda() ? 0 : EXIT_SKIPPED;
}

TEST_SUITE(.setup = cli_setup, .teardown = cli_teardown, .begin = begin);
