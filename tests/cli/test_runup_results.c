// What a run states about the land that a wave floods: maxima, run-up, inundation and area in run.json, held
// against the same worked out from the result files node by node; on a plane and on the sphere, alone and
// nested.
#include "tests/support/cli_fixture.h"
#include "tests/support/test.h"

static const double radian = 3.14159265358979323846 / 180, earth_radius_m = 6371000;

// A bay 20 m deep that rises 1 in 50 to the east, with a headland and an island; x and y in m.
static double shore(double x, double y, double time_s)
{
    const double beach = x < 2000 ? -20 : -20 + (x - 2000) / 50;
    const double headland = 8 * exp(-pow((x - 2700) / 200, 2) - pow((y - 300) / 150, 2));
    const double island = 22 * exp(-pow((x - 1700) / 80, 2) - pow((y - 900) / 80, 2));
    return beach + headland + island;
}

static double hump(double x, double y, double time_s)
{
    return 2 * exp(-pow((x - 1000) / 250, 2));
}

// The same at 40 degrees north, so many metres to a degree.
static double to_m(double degrees, double from, double scale)
{
    return (degrees - from) * earth_radius_m * radian * scale;
}

static double shore_on_sphere(double longitude, double latitude, double time_s)
{
    return shore(to_m(longitude, 140, cos(40 * radian)), to_m(latitude, 40, 1), time_s);
}

static double hump_on_sphere(double longitude, double latitude, double time_s)
{
    return hump(to_m(longitude, 140, cos(40 * radian)), to_m(latitude, 40, 1), time_s);
}

static void write_shore(bool is_plane)
{
    const double degree_m = earth_radius_m * radian;
    struct cli_grid grid = CLI_GLOBE(
        171, 61, is_plane ? 0 : 140, is_plane ? 0 : 40, is_plane ? 20 : 20 / degree_m / cos(40 * radian),
        is_plane ? 20 : 20 / degree_m, {"z", "m", "up", NULL, is_plane ? shore : shore_on_sphere});
    grid.is_plane = is_plane;
    cli_write_grid("shore.nc", &grid);
    grid.variables[0] = (struct cli_variable){"eta", "m", NULL, NULL, is_plane ? hump : hump_on_sphere};
    cli_write_grid("hump.nc", &grid);
}

static cJSON *shore_job(void)
{
    return cli_json(
        "{'fathom': 1, 'model': 'tsunami', 'backend': 'openmp', 'precision': 'double','method': "
        "'muscl-hancock', 'physics': {'coriolis': false},'domain': {'bathymetry': {'file': 'shore.nc'}, "
        "'edges': {'west': 'wall','south': 'wall', 'north': 'wall', 'east': 'wall'}},'source': {'initial': "
        "{'file': 'hump.nc', 'eta': 'eta'}},'time': {'duration': '240 s'},'output': {'directory': 'out', "
        "'arrival': ['10 cm'], 'fields': {'every': '10 s'}}}");
}

// The result files of a grid, and their attributes.
struct flood {
    double *x, *y, *depth, *max_eta, *max_depth, *time_of_max, *arrival, *eta;
    size_t nx, ny, records;
    bool is_plane;
};

static struct flood read_flood(const char *directory, const char *prefix, bool is_plane)
{
    struct flood f = {.is_plane = is_plane};
    size_t count, shape[4];
    const char *maxima = format_text("%s/%smaxima.nc", directory, prefix);
    f.x = cli_read_variable(maxima, is_plane ? "x" : "lon", &f.nx, NULL);
    f.y = cli_read_variable(maxima, is_plane ? "y" : "lat", &f.ny, NULL);
    f.depth = cli_read_variable(maxima, "depth", &count, NULL);
    f.max_eta = cli_read_variable(maxima, "max_eta", &count, NULL);
    f.max_depth = cli_read_variable(maxima, "max_depth", &count, NULL);
    f.time_of_max = cli_read_variable(maxima, "time_of_max", &count, NULL);
    f.arrival = cli_read_variable(maxima, "arrival", &count, NULL);
    f.eta = cli_read_variable(format_text("%s/%sfields.nc", directory, prefix), "eta", &count, shape);
    f.records = shape[0];
    return f;
}

static double way_m(const struct flood *f, size_t from, size_t to)
{
    const size_t nx = f->nx;
    const double dx = f->x[to % nx] - f->x[from % nx], dy = f->y[to / nx] - f->y[from / nx];
    const double scale = f->is_plane ? 1 : earth_radius_m * radian;
    return hypot(dx * scale * (f->is_plane ? 1 : cos(f->y[from / nx] * radian)), dy * scale);
}

// The first record shows what was wet at the start.
static bool is_flooded(const struct flood *f, size_t k)
{
    return isnan(f->eta[k]) && f->depth[k] < 0 && !isnan(f->max_eta[k]);
}

static void expect_records(const struct flood *f, double wet_depth_m)
{
    size_t dry = 0, flooded = 0, bared = 0;
    for (size_t k = 0; k < f->nx * f->ny; k++) {
        bool was_ever_wet = false;
        double highest = -INFINITY;
        for (size_t r = 0; r < f->records; r++) {
            const double eta = f->eta[r * f->nx * f->ny + k];
            was_ever_wet |= !isnan(eta);
            highest = isnan(eta) ? highest : fmax(highest, eta);
            bared += r > 0 && isnan(eta) && !isnan(f->eta[k]);
            // What is shown is deeper than the wet depth.
            assert_true(isnan(eta) || eta + f->depth[k] > wet_depth_m - 1e-5);
        }
        if (isnan(f->max_eta[k])) {
            assert_false(was_ever_wet);
            assert_true(isnan(f->max_depth[k]) && isnan(f->time_of_max[k]) && isnan(f->arrival[k]));
            dry++;
            continue;
        }
        assert_true(f->max_eta[k] >= highest - 1e-6);
        assert_true(fabs(f->max_depth[k] - (f->max_eta[k] + f->depth[k])) < 1e-4);
        flooded += is_flooded(f, k);
        // On land an arrival is water so deep.
        if (is_flooded(f, k) && f->max_depth[k] > 0.11)
            assert_true(f->arrival[k] > 0 && f->arrival[k] <= f->time_of_max[k] + 1e-3);
        if (is_flooded(f, k) && f->max_depth[k] < 0.09)
            assert_true(isnan(f->arrival[k]));
    }
    print_message("%zu nodes dry for ever, %zu flooded, %zu times bared\n", dry, flooded, bared);
    assert_true(dry > 500 && flooded > 100 && bared > 20);
}

static void expect_runup(const struct flood *f, const cJSON *grid)
{
    const size_t nodes = f->nx * f->ny;
    size_t highest = SIZE_MAX, furthest = SIZE_MAX;
    double furthest_m = -1, area_m2 = 0;
    const double scale = f->is_plane ? 1 : earth_radius_m * radian;
    for (size_t k = 0; k < nodes; k++) {
        if (!is_flooded(f, k))
            continue;
        if (highest == SIZE_MAX || f->max_eta[k] > f->max_eta[highest])
            highest = k;
        double nearest_m = INFINITY;
        for (size_t other = 0; other < nodes; other++)
            if (!isnan(f->eta[other]))
                nearest_m = fmin(nearest_m, way_m(f, k, other));
        if (nearest_m > furthest_m) {
            furthest_m = nearest_m;
            furthest = k;
        }
        area_m2 += (f->x[1] - f->x[0]) * (f->y[1] - f->y[0]) * scale * scale *
                   (f->is_plane ? 1 : cos(f->y[k / f->nx] * radian));
    }
    assert_true(highest != SIZE_MAX && furthest != SIZE_MAX);
    assert_true(fabs(cli_json_number(grid, "run_up.highest_m") - f->max_eta[highest]) < 1e-6);
    assert_true(fabs(cli_json_number(grid, "run_up.x") - f->x[highest % f->nx]) < 1e-9);
    assert_true(fabs(cli_json_number(grid, "run_up.y") - f->y[highest / f->nx]) < 1e-9);
    assert_true(fabs(cli_json_number(grid, "run_up.ground_m") + f->depth[highest]) < 1e-5);
    assert_true(fabs(cli_json_number(grid, "run_up.time_s") - f->time_of_max[highest]) < 1e-3);
    assert_true(fabs(cli_json_number(grid, "run_up.inundation_m") / furthest_m - 1) < 1e-6);
    // Of equally far nodes any may be named.
    assert_true(fabs(cli_json_number(grid, "run_up.flooded_area_m2") / area_m2 - 1) < 1e-6);
    assert_true(cli_json_number(grid, "run_up.highest_m") > 1 && furthest_m > 50);
}

static void check_flood(const char *prefix, const cJSON *grid, bool is_plane)
{
    struct flood f = read_flood("out", prefix, is_plane);
    expect_records(&f, cli_json_number(grid, "physics.wet_depth_m"));
    expect_runup(&f, grid);
}

static void expect_run_to_agree(bool is_plane)
{
    write_shore(is_plane);
    cli_save_job(shore_job());
    const struct cli_result *run = cli_do("run job.json");
    assert_has(run->error, "run-up: highest ");
    cJSON *report = cli_read_json("out/run.json");
    check_flood("", report, is_plane);
    // A basin: no water leaves it, however often land and sea bed change places.
    const double held_m3 = cli_json_number(report, "diagnostics.still_water_m3");
    assert_true(fabs(cli_json_number(report, "diagnostics.volume_drift_m3")) < 1e-12 * held_m3);
    // Both depths are tied to the grid: a ten-thousandth and a hundredth of its smallest spacing, 5 cm at
    // most.
    assert_true(fabs(cli_json_number(report, "physics.minimum_depth_m") / 2e-3 - 1) < 1e-3);
    cli_expect_number(report, "physics.wet_depth_m", 0.05);
}

TEST(a_runs_figures_are_those_of_its_files)
{
    expect_run_to_agree(true);
}

TEST(and_on_the_sphere)
{
    expect_run_to_agree(false);
}

// A gauge on land belongs to the grid that may flood it: missing until the water comes, 1.2 m above the sea.
static void expect_meadow(void)
{
    size_t count, wet = 0;
    assert_int_equal(cli_dimension("out/gauges.nc", "station"), 1);
    assert_int_equal(cli_dimension("out/beach.gauges.nc", "station"), 1);
    double *eta = cli_read_variable("out/beach.gauges.nc", "eta", &count, NULL),
           *u = cli_read_variable("out/beach.gauges.nc", "u", &count, NULL);
    assert_true(isnan(eta[0]) && isnan(u[0]));
    for (size_t k = 0; k < count; k++) {
        assert_true((isnan(eta[k]) != 0) == (isnan(u[k]) != 0));
        wet += isnan(eta[k]) ? 0 : 1;
        assert_true(isnan(eta[k]) || (eta[k] > 1.2 && eta[k] < 5));
    }
    assert_true(wet > 3 && wet < count / 2);
}

TEST(and_of_a_nested_grid)
{
    write_shore(true);
    cJSON *job = cli_change(shore_job(), "method = 'vtcs2-o2'"); // the outer grid's coasts are walls
    cli_change(job, "domain.spacing = '40 m'; physics.wall_depth = '2 m'; nested.beach = {'method': "
                    "'muscl-hancock', 'domain': {'bathymetry': {'file': 'shore.nc'}, 'x': ['1200 m', '3400 "
                    "m'], 'y': ['40 m', '1160 m'], 'spacing': '20 m', 'edges': {'east': 'wall'}}}; "
                    "output.gauges = {'file': 'gauges.json', 'every': '2 s'}");
    cli_write_json("gauges.json", "{'fathom_gauges': 1, 'gauges': [{'name': 'sea', 'x': '500 m', 'y': '600 "
                                  "m'},{'name': 'meadow', 'x': '3060 m', 'y': '600 m'}]}");
    cli_save_job(job);
    const struct cli_result *run = cli_do("run job.json");
    assert_has(run->error, "nested grid beach: run-up: highest ", "gauge meadow lies on land in one grid");
    expect_meadow();
    cJSON *report = cli_read_json("out/run.json");
    assert_null(cJSON_GetObjectItem(report, "run_up"));
    check_flood("beach.", cli_item(report, "nested.0"), true);
    assert_false(cli_has_variable("out/maxima.nc", "max_depth"));
}

static double still(double x, double y, double time_s)
{
    return 0;
}

TEST(no_flood_is_reported_too)
{
    write_shore(true);
    const struct cli_grid calm = CLI_PLANE(171, 61, 0, 0, 20, 20, {"eta", "m", NULL, NULL, still});
    cli_write_grid("hump.nc", &calm);
    cli_save_job(shore_job());
    const struct cli_result *run = cli_do("run job.json");
    assert_has(run->error, "no land was flooded");
    cJSON *report = cli_read_json("out/run.json");
    const cJSON *runup = cJSON_GetObjectItem(report, "run_up");
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(runup, "highest_m")) &&
                cJSON_IsNull(cJSON_GetObjectItem(runup, "inundation_m")));
    assert_true(cli_json_number(runup, "flooded_area_m2") == 0);
}

TEST_MAIN(cli_setup, cli_teardown)
