// Forecast points, zones and travel times: every figure of points.nc against numpy's, from the fields of each
// step by the definitions of docs/points.md, for every method and back end; which node stands for a
// point; what a stop and a resumption leave. With the argument "cuda" on a GPU.
#include "tests/support/cli_fixture.h"
#include "tests/support/cuda_test.h"
#include "tests/support/test.h"

#include <signal.h>

static const double step_s = 5;

// Looks at each folder that it is given as FOLDER:LEVEL, LEVEL "source" or "still".
static const char script[] =
    "import sys, numpy as np, netCDF4\n"
    "def read(f, n): return np.ma.filled(netCDF4.Dataset(f)[n][:].astype(float), np.nan)\n"
    "def figures(eta, t, level, threshold, step, travel):\n"
    "    z = eta - level; f = dict.fromkeys(['arrival', 'first_crest', 'first_crest_time'], np.nan)\n"
    "    f['first_motion'] = 0; far = np.flatnonzero(abs(z) >= threshold)\n"
    "    if len(far): f['arrival'] = t[far[0]]; f['first_motion'] = np.sign(z[far[0]])\n"
    "    f['crest'], f['trough'] = np.nanmax(z), np.nanmin(z)\n"
    "    f['crest_time'] = t[np.nanargmax(z)] if f['crest'] > 0 else np.nan\n"
    "    f['trough_time'] = t[np.nanargmin(z)] if f['trough'] < 0 else np.nan\n"
    "    f['peak_to_trough'] = f['crest'] - f['trough']\n"
    "    f['duration'] = np.sum(eta[1:] - max(0, level) >= threshold) * step\n"
    "    above = np.flatnonzero(z >= threshold)\n"
    "    for k in range(above[0] if len(above) else len(z), len(z)):\n"
    "        top = above[0] + np.nanargmax(np.where(z[above[0]:k + 1] >= threshold, z[above[0]:k + 1], -9))\n"
    "        if z[k] <= z[top] - threshold: f['first_crest'], f['first_crest_time'] = z[top], t[top]; break\n"
    "    late = f['crest_time'] >= 0.95 * t[-1] and f['crest'] >= 0.1 * threshold; soon = t[-1] - 3600\n"
    "    if len(far): late |= np.isnan(f['first_crest']) and f['arrival'] > soon\n"
    "    else: late |= soon < travel <= t[-1]\n"
    "    f['unfinished'] = int(late); return f\n"
    "def distance(sphere, x, y, X, Y):\n"
    "    if not sphere: return np.hypot(X - x, Y - y)\n"
    "    a, b = np.radians(y), np.radians(Y); c = np.radians(X - x)\n"
    "    u = np.cos(b) * np.sin(c); v = np.cos(a) * np.sin(b) - np.sin(a) * np.cos(b) * np.cos(c)\n"
    "    return 6371e3 * np.arctan2(np.hypot(u, v), np.sin(a) * np.sin(b) + np.cos(a) * np.cos(b) * "
    "np.cos(c))\n"
    "seen = 0\n"
    "for argument in sys.argv[2:]:\n"
    "    folder, start = argument.split(':'); p = folder + '/points.nc'; sphere = 'longitude' in "
    "netCDF4.Dataset(p).variables\n"
    "    names = ('longitude', 'latitude') if sphere else ('x', 'y'); axes = ('lon', 'lat') if sphere else "
    "('x', 'y')\n"
    "    eta = read(folder + '/fields.nc', 'eta'); x, y = (read(folder + '/fields.nc', n) for n in axes)\n"
    "    t = np.arange(len(eta)) * float(sys.argv[1]); depth = read(folder + '/maxima.nc', 'depth')\n"
    "    a = netCDF4.Dataset(p); threshold, hc, levels = a.threshold_m, a.green_depth_m, a.threat_levels_m\n"
    "    X, Y = np.meshgrid(x, y)\n"
    "    for k in range(a.dimensions['point'].size):\n"
    "        g = {n: float(a[n][k]) if not np.ma.is_masked(a[n][k]) else np.nan for n in a.variables if n "
    "not in ('name', 'skipped')}\n"
    "        d = distance(sphere, g[names[0]], g[names[1]], X, Y); d[~(depth >= 50)] = np.inf\n"
    "        j, i = np.unravel_index(np.argmin(d), d.shape)\n"
    "        assert (x[i], y[j]) == (g['node_' + names[0]], g['node_' + names[1]]), (argument, k, x[i], "
    "y[j], "
    "g)\n"
    "        assert abs(d[j, i] - g['distance']) < 1e-6 * d[j, i] + 1e-3, (argument, k)\n"
    "        assert abs(depth[j, i] - g['depth']) < 2, (argument, k, depth[j, i], g['depth'])\n"
    "        want = figures(eta[:, j, i], t, eta[0, j, i] if start == 'source' else 0, threshold, t[1], "
    "g['travel_time'])\n"
    "        for n, w in want.items():\n"
    "            assert w == g[n] or (np.isnan(w) and np.isnan(g[n])), (argument, k, n, w, g[n])\n"
    "        level = eta[0, j, i] if start == 'source' else 0; assert level == g['source_level'], (argument, "
    "k)\n"
    "        coast = max(0, g['crest'] + max(0, level)) * (g['depth'] / hc) ** 0.25 if g['arrival'] == "
    "g['arrival'] else np.nan\n"
    "        assert abs(coast - g['coastal_height']) <= 1e-12 * coast or np.isnan(coast), (argument, k)\n"
    "        judged = g['arrival'] == g['arrival'] or g['travel_time'] <= t[-1]\n"
    "        assert g['threat'] == np.sum(coast >= levels) if judged else np.isnan(g['threat']), (argument, "
    "k, "
    "coast, g['threat'])\n"
    "        seen += int(np.isfinite(want['first_crest'])) + int(np.isfinite(want['arrival']))\n"
    "print('seen', seen)\n";

static double thrust(double x, double y, double time_s)
{
    const double north = exp(-(y - 8000) * (y - 8000) / 4e7);
    return north * (exp(-(x - 7000) * (x - 7000) / 4e6) - 0.6 * exp(-(x - 12000) * (x - 12000) / 4e6));
}

static cJSON *basin_job(const char *backend, const char *method)
{
    struct cli_grid uplift = cli_basin;
    cJSON *job = cli_sea_job();
    cli_write_grid("basin.nc", &cli_basin);
    uplift.variables[0] = (struct cli_variable){.name = "uplift", .units = "m", .value = thrust};
    cli_write_grid("uplift.nc", &uplift);
    // A point each in the uplift, in the subsidence, beside both, and on land, 1 km from the water.
    cli_write_text("towns.csv",
                   "name,x,y\nup,7100,8200\ndown,12000,8000\nbeside,2900,15100\nland,23100,9000\n");
    cli_change(
        job,
        "domain = {'bathymetry': {'file': 'basin.nc'}, 'edges': {'west': 'wall', 'east': 'wall', "
        "'south': 'wall', 'north': 'wall'}}; source = {'displacement': {'file': 'uplift.nc'}}; backend "
        "= '%s'; method = '%s'; physics.steepness_limit = 0; time.duration = '%g s'; time.step = '%g "
        "s'; output = {'directory': 'out', 'fields': {'every': '%g s', 'variables': ['eta']}, "
        "'points': {'file': 'towns.csv', 'depth': '50 m', 'search': '3 km', 'threshold': '5 cm'}}",
        backend, method, 120 * step_s, step_s, step_s);
    return job;
}

static cJSON *sea_job(const char *backend, const char *method)
{
    cJSON *job = cli_sea_job();
    cli_write_text(
        "towns.geojson",
        "{\"type\": \"FeatureCollection\", \"features\": [{\"type\": \"Feature\", \"properties\": "
        "{\"name\": \"near\"}, \"geometry\": {\"type\": \"Point\", \"coordinates\": [-215.6, 33.4]}},"
        "{\"type\": \"Feature\", \"properties\": {\"name\": \"north\"}, \"geometry\": {\"type\": "
        "\"Point\", \"coordinates\": [146.1, 36.2]}}, {\"type\": \"Feature\", \"properties\": "
        "{\"name\": \"west\"}, \"geometry\": {\"type\": \"Point\", \"coordinates\": [140.3, 32]}}]}");
    return cli_change(
        job,
        "backend = '%s'; method = '%s'; physics.steepness_limit = 0; output.fields = {'every': "
        "'30 s', 'variables': ['eta']}; output.points = {'file': 'towns.geojson', 'depth': '50 "
        "m', 'search': '200 km', 'green_depth': '2 m'}; output.threat_levels = ['10 cm', '1 m', "
        "'2 m', '8 m']",
        backend, method);
}

// A beach: 20 m of water, and ground up to 26 m.
static double beach(double x, double y, double time_s)
{
    return -20 + 0.004 * fmax(0, x - 12000) + 0.5 * sin(y / 3000);
}

static double swell(double x, double y, double time_s)
{
    return 8 * exp(-(x - 8000) * (x - 8000) / 4e6);
}

static const char *backends[] = {"reference", "openmp"};
static int backend_count = 2;
static const char *const methods[] = {"vtcs2", "vtcs2-o2", "c-grid-6", "muscl-hancock", "vtcs2-shore"};

enum { FOLDERS_MAX = 16 };

// numpy's word on the folders; how much it had to compare.
static void check_by_script(const char *text, char *const *folders, int count, double step, int least)
{
    if (cli_run_tool("/usr/bin/python3", "-c", "import numpy, netCDF4")->exit_code != 0)
        skip_because("python3-numpy and python3-netcdf4 are not installed");
    cli_write_text("check.py", text);
    char command[4096];
    int length =
        snprintf(command, sizeof command, "cd %s && /usr/bin/python3 check.py %g", folder_root(), step);
    for (int k = 0; k < count; k++)
        length += snprintf(command + length, sizeof command - (size_t)length, " %s", folders[k]);
    snprintf(command + length, sizeof command - (size_t)length, " > said.txt 2>&1");
    const int code = folder_shell_code("%s", command);
    const char *said = folder_text("said.txt");
    int seen = 0;
    if (code != 0 || sscanf(said, "seen %d", &seen) != 1)
        fail_msg("%s", said);
    if (seen < least)
        fail_msg("only %d figures could be compared, expected %d or more", seen, least);
}

TEST(figures_are_numpys_on_a_plane)
{
    char *folders[FOLDERS_MAX];
    int count = 0;
    for (int b = 0; b < backend_count; b++)
        for (size_t m = 0; m < COUNT(methods); m++) {
            const bool is_still = m == 1 && b == 0;
            cJSON *job = basin_job(backends[b], methods[m]);
            if (is_still)
                cli_change(job, "output.arrival_from = 'still_water'");
            folders[count] = format_text("%s-%s:%s", backends[b], methods[m], is_still ? "still" : "source");
            cli_run_to(job, format_text("%s-%s", backends[b], methods[m]));
            count++;
        }
    check_by_script(script, folders, count, step_s, 5 * count);
}

TEST(figures_are_numpys_on_the_sphere)
{
    char *folders[FOLDERS_MAX];
    int count = 0;
    for (int b = 0; b < backend_count; b++) {
        folders[count++] = format_text("%s:source", backends[b]);
        cli_run_to(sea_job(backends[b], "vtcs2-o2"), backends[b]);
    }
    check_by_script(script, folders, count, 30, 2 * count);
}

// The level moves with the bottom, and the crest is that above where it was then: the same on every back end,
// and close to that of a bottom that rises at once in this time.
TEST(a_moving_source_is_followed)
{
    for (int b = backend_count - 1; b < backend_count; b++)
        for (size_t m = 1; m < COUNT(methods); m++) {
            cli_run_to(cli_change(basin_job(backends[b], methods[m]),
                                  "source.displacement.start = '12 s'; source.displacement.rise = '41 s'"),
                       format_text("moving-%d", b));
            double *arrival = cli_read_values(format_text("moving-%d/points.nc", b), "arrival", 4);
            double *motion = cli_read_values(format_text("moving-%d/points.nc", b), "first_motion", 4);
            for (int k = 0; k < 4; k++)
                assert_true(arrival[k] > 12 && arrival[k] < 600); // the uplift itself is no arrival
            assert_true(motion[0] == -1 && motion[1] == 1);
        }
}

// hazard_rating and inundation_duration of maxima.nc against the fields of every step.
static const char flood_script[] =
    "import sys, numpy as np, netCDF4\n"
    "def read(f, n): return np.ma.filled(netCDF4.Dataset(f)[n][:].astype(float), np.nan)\n"
    "seen = 0\n"
    "for folder in sys.argv[2:]:\n"
    "    f, m = folder + '/fields.nc', folder + '/maxima.nc'; depth = read(m, 'depth')\n"
    "    eta, u, v = (read(f, n) for n in ('eta', 'u', 'v')); t = np.arange(len(eta)) * float(sys.argv[1])\n"
    "    h = eta + depth; wet = np.isfinite(h); land = depth < 0; flooded = land & wet.any(0)\n"
    "    hazard = np.where(flooded, np.max(np.where(wet, h * (np.hypot(u, v) + 0.5), 0), 0), np.nan)\n"
    "    time = np.where(flooded, np.sum(wet[:-1], 0) * t[1], np.nan)\n"
    "    for name, want in (('hazard_rating', hazard), ('inundation_duration', time)):\n"
    "        got = read(m, name); assert (np.isnan(got) == np.isnan(want)).all(), (folder, name)\n"
    "        worst = np.nanmax(abs(got - want) / (want + 1e-3)); assert worst < 1e-5, (folder, name, worst)\n"
    "    seen += np.sum(flooded) + np.sum(flooded & (time > 0) & ~wet[-1])\n"
    "print('seen', seen)\n";

TEST(hazard_and_inundation_are_numpys)
{
    static const char *const flooding[] = {"muscl-hancock", "vtcs2-shore"};
    char *folders[FOLDERS_MAX];
    int count = 0;
    struct cli_grid ground = cli_basin;
    for (int b = 0; b < backend_count; b++)
        for (int m = 0; m < 2; m++) {
            cJSON *job = basin_job(backends[b], flooding[m]);
            ground.variables[0].value = beach;
            cli_write_grid("basin.nc", &ground);
            ground.variables[0] = (struct cli_variable){.name = "uplift", .units = "m", .value = swell};
            cli_write_grid("uplift.nc", &ground);
            ground = cli_basin;
            folders[count++] = format_text("flood-%s-%s", backends[b], flooding[m]);
            cli_run_to(cli_change(job,
                                  "delete output.points; output.precision = 'double'; precision = 'double'; "
                                  "time.duration = '1000 s'; physics.minimum_depth = '1 cm'; "
                                  "output.fields.variables = ['eta', 'u', 'v']"),
                       folders[count - 1]);
        }
    check_by_script(flood_script, folders, count, step_s, 100 * count);
}

TEST(a_stopped_and_resumed_run_has_the_same_bits)
{
    static const char zone[] =
        "{\"type\": \"FeatureCollection\", \"crs\": {\"type\": \"name\", \"properties\": "
        "{\"name\": \"urn:ogc:def:crs:EPSG::32654\"}}, \"features\": [{\"type\": "
        "\"Feature\", \"properties\": {\"name\": \"all\"}, \"geometry\": {\"type\": "
        "\"Polygon\", \"coordinates\": [[[0, 0], [3e4, 0], [3e4, 3e4], [0, 3e4], [0, "
        "0]]]}}]}";
    for (int b = 0; b < backend_count; b++)
        for (size_t m = b == 0 ? 3 : 1; m < COUNT(methods) - (b == 0); m++) {
            cJSON *job = basin_job(backends[b], methods[m]);
            cli_write_text("zones.geojson", zone);
            cli_change(job, "output.zones = {'file': 'zones.geojson'}; output.travel_time = true; "
                            "checkpoint.every_steps = 40; source.displacement.rise = '61 s'");
            cli_run_to(job, "whole");
            cli_write_job(job, "job.json");
            const struct cli_result *stopped =
                cli_stop_at("out/partial/checkpoint.", SIGTERM, "run -q -o out job.json");
            assert_int_equal(stopped->exit_code, 75);
            cli_do("run -q --resume -o out job.json");
            cli_assert_same_results("out", "whole");
            cli_remove("out");
            cli_remove("whole");
        }
}

// The values of one place agree in all results: in the map, the points, the zones and the report.
TEST(results_agree_with_each_other)
{
    cJSON *job = sea_job(backends[backend_count - 1], "vtcs2-o2");
    cli_write_text("zones.geojson",
                   "{\"type\": \"FeatureCollection\", \"features\": [{\"type\": \"Feature\", \"properties\": "
                   "{\"CODE\": 7}, \"geometry\": {\"type\": \"Polygon\", \"coordinates\": [[[-216.1, 33.1], "
                   "[-214.9, 33.1], [-214.9, 34.1], [-216.1, 34.1], [-216.1, 33.1]]]}}]}");
    cli_change(job, "output.zones = {'file': 'zones.geojson', 'name': 'CODE'}; time.origin = '2011-03-11 "
                    "05:46:23'");
    cli_run_job(job);
    size_t count, nodes = 0;
    double *highest = cli_read_variable("out/maxima.nc", "max_eta", &count, NULL), most = 0;
    double *lon = cli_read_values("out/maxima.nc", "lon", 40),
           *lat = cli_read_values("out/maxima.nc", "lat", 30);
    for (size_t k = 0; k < count; k++)
        if (lon[k % 40] > 143.9 && lon[k % 40] < 145.1 && lat[k / 40] > 33.1 && lat[k / 40] < 34.1) {
            most = fmax(most, highest[k]);
            nodes++;
        }
    assert_true(nodes == 20);
    assert_true(cli_read_values("out/zones.nc", "nodes", 1)[0] == (double)nodes);
    assert_true(cli_read_values("out/zones.nc", "points", 1)[0] == 1);
    assert_true(cli_read_values("out/zones.nc", "crest", 1)[0] == most);
    assert_string_equal(cli_attribute("out/points.nc", NULL, "time_origin"), "2011-03-11 05:46:23");
    double *height = cli_read_values("out/points.nc", "coastal_height", 3), worst = 0;
    double *arrival = cli_read_values("out/points.nc", "arrival", 3), earliest = INFINITY;
    for (int k = 0; k < 3; k++) {
        worst = fmax(worst, height[k]);
        earliest = fmin(earliest, arrival[k]);
    }
    assert_true(fabs(cli_run_number("out", "diagnostics.run.coastal_height_m") - worst) < 1e-12 * worst);
    assert_true(cli_run_number("out", "diagnostics.run.earliest_arrival_s") == earliest);
    static const double levels[] = {0.1, 1, 2, 8};
    int threat = 0;
    while (threat < 4 && fmax(height[0], most) >= levels[threat])
        threat++;
    assert_true(threat > 0 && cli_read_values("out/zones.nc", "threat", 1)[0] == threat);
}

// A nested grid's node stands for a point in it, however near one of the coarse grid is.
TEST(the_finest_grid_has_the_point)
{
    cli_run_job(cli_change(basin_job(backends[backend_count - 1], "vtcs2-o2"),
                           "nested = {'bay': {'domain': {'bathymetry': {'file': 'basin.nc'}, 'spacing': '250 "
                           "m', 'x': ['4 km', '9 km'], 'y': ['4 km', '12 km']}}}"));
    const double *x = cli_read_values("out/points.nc", "node_x", 4),
                 *y = cli_read_values("out/points.nc", "node_y", 4);
    const double expected[4][2] = {{7000, 8250}, {12000, 8000}, {3000, 15000}, {22000, 9000}};
    for (int k = 0; k < 4; k++)
        if (x[k] != expected[k][0] || y[k] != expected[k][1])
            fail_msg("point %d: node (%g, %g)", k, x[k], y[k]);
    assert_false(cli_exists("out/bay.points.nc"));
}

// The basin with a pond beyond its eastern shore, 60 m deep, of 4 nodes.
static double with_pond(double x, double y, double time_s)
{
    if (x > 22800 && x < 23700 && y > 8800 && y < 9700)
        return -60;
    return x > 22200 ? 5 : -100;
}

static cJSON *pond_job(void)
{
    struct cli_grid ground = cli_basin;
    cJSON *job = basin_job(backends[backend_count - 1], "vtcs2-o2");
    ground.variables[0].value = with_pond;
    cli_write_grid("basin.nc", &ground);
    return job;
}

// A pond beside the sea is near the point, and calm: the node is the nearest of the sea.
TEST(water_that_the_grid_cuts_off_has_no_points)
{
    cli_run_job(pond_job());
    assert_true(cli_read_values("out/points.nc", "node_x", 4)[3] == 22000);
    assert_true(cli_read_values("out/points.nc", "crest", 4)[3] > 0.01);
    // Of a nested grid, too, whose eastern edge lies in the parent's pond.
    cli_run_job(cli_change(pond_job(), "nested = {'bay': {'domain': {'bathymetry': {'file': 'basin.nc'}, "
                                       "'spacing': '250 m', 'x': ['16 km', '23 km'], 'y': ['4 km', '12 "
                                       "km']}}}"));
    assert_true(cli_read_values("out/points.nc", "node_x", 4)[3] == 22000);
    // The sea lies beyond the radius.
    cJSON *job = pond_job();
    cli_run_job(cli_change(job, "output.points.search = '800 m'; output.products = ['csv']"));
    assert_int_equal(cli_dimension("out/points.nc", "point"), 4);
    assert_non_null(strstr(folder_text("out/points.csv"), "\nland,23100,9000,,,,,cut off,,"));
    assert_true(cli_has_warning("out", "point land at (23100, 9000)", "the grid cuts off the water there"));
    cli_change(job, "output.points.required = true");
    cli_assert_error(cli_try(job), 78, true, "point land", "output.points.required is true");
}

// Half of the basin's waves come later than the run's end, or never: no statement on the threat, unlike at a
// point that a wave of less than the threshold has reached.
TEST(no_threat_level_where_no_wave_can_have_come)
{
    enum { MISSING = -127 };
    cJSON *job = basin_job(backends[backend_count - 1], "vtcs2-o2");
    cli_write_text("towns.csv", "name,x,y\nnear,12000,8000\nfar,22000,500\n");
    cli_run_job(cli_change(job, "output.travel_time = true; time.duration = '100 s'; output.points.threshold "
                                "= '90 m'; output.products = ['csv']"));
    const double *threat = cli_read_values("out/points.nc", "threat", 2),
                 *travel_s = cli_read_values("out/points.nc", "travel_time", 2);
    assert_true(travel_s[0] < 100 && travel_s[1] > 100);
    assert_true(threat[0] == 0 && threat[1] == MISSING);
    assert_non_null(strstr(folder_text("out/points.csv"), "far"));
    cli_run_job(cli_change(job, "time.duration = '600 s'"));
    assert_true(cli_read_values("out/points.nc", "threat", 2)[1] == 0);
    cli_run_job(cli_change(job, "output.travel_time = false"));
    threat = cli_read_values("out/points.nc", "threat", 2);
    assert_true(threat[0] == MISSING && threat[1] == MISSING);
}

// A shelf of 30 m beside 3000 m of sea: smoothing makes the shelf's edge deeper. The node is the nearest one
// that is deep enough by the depth with which waves are computed, the one that maxima.nc has.
static double with_shelf(double x, double y, double time_s)
{
    (void)y, (void)time_s;
    return x < 7000 ? -30 : -3000;
}

TEST(nodes_are_chosen_by_the_depth_computed_with)
{
    struct cli_grid grid = cli_basin;
    cJSON *job = basin_job("openmp", "vtcs2-o2");
    grid.variables[0].value = with_shelf;
    cli_write_grid("basin.nc", &grid);
    cli_write_text("towns.csv", "name,x,y\nshelf,4100,8200\n");
    cli_change(job, "physics.steepness_limit = 2; time.duration = '10 s'; time.step = '1 s'; delete "
                    "output.fields; output.maxima = true; "
                    "output.points.search = '9 km'");
    cli_run_job(job);
    const double *depth = cli_read_variable("out/maxima.nc", "depth", NULL, NULL),
                 *x = cli_read_variable("out/maxima.nc", "x", NULL, NULL),
                 *y = cli_read_variable("out/maxima.nc", "y", NULL, NULL);
    const double found_m = cli_read_values("out/points.nc", "distance", 1)[0],
                 depth_m = cli_read_values("out/points.nc", "depth", 1)[0];
    const size_t nx = (size_t)cli_dimension("out/maxima.nc", "x"),
                 ny = (size_t)cli_dimension("out/maxima.nc", "y");
    double nearest_m = INFINITY, nearest_raw_m = INFINITY;
    for (size_t k = 0; k < nx * ny; k++) {
        const double away_m = hypot(x[k % nx] - 4100, y[k / nx] - 8200);
        if (depth[k] >= 50)
            nearest_m = fmin(nearest_m, away_m);
        if (with_shelf(x[k % nx], 0, 0) <= -50)
            nearest_raw_m = fmin(nearest_raw_m, away_m);
    }
    assert_true(nearest_raw_m - nearest_m > 100); // the two depths choose different nodes
    assert_true(fabs(found_m - nearest_m) < 1e-6 && depth_m >= 50);
}

// Skipped points keep their rows, after the others: names, positions and the reason; all else is missing.
TEST(points_without_water_are_skipped_or_refused)
{
    enum { MISSING = -127 };
    static const char *const none[] = {"node_x", "node_y",   "distance",       "depth",       "arrival",
                                       "crest",  "duration", "coastal_height", "source_level"};
    static const char *const bytes[] = {"first_motion", "threat", "unfinished"};
    cJSON *job = basin_job("openmp", "vtcs2-o2");
    cli_change(job, "output.points.search = '800 m'; output.products = ['csv']");
    cli_write_text("towns.csv", "name,x,y\nland,23100,9000\nup,7100,8200\noutside,1e6,0\n");
    cli_run_job(job);
    assert_int_equal(cli_dimension("out/points.nc", "point"), 3);
    const double *x = cli_read_values("out/points.nc", "x", 3);
    assert_true(x[0] == 7100 && x[1] == 23100 && x[2] == 1e6);
    for (size_t k = 0; k < COUNT(none); k++) {
        const double *value = cli_read_values("out/points.nc", none[k], 3);
        assert_true(isfinite(value[0]) && isnan(value[1]) && isnan(value[2]));
    }
    for (size_t k = 0; k < COUNT(bytes); k++) {
        const double *value = cli_read_values("out/points.nc", bytes[k], 3);
        assert_true(value[0] >= -1 && value[1] == MISSING && value[2] == MISSING);
    }
    const char *table = folder_text("out/points.csv");
    assert_non_null(strstr(table, "\nland,23100,9000,,,,,no water,,"));
    assert_non_null(strstr(table, "\noutside,1000000,0,,,,,outside,,"));
    assert_non_null(strstr(table, "\nup,7100,8200,7000,8000,"));
    assert_true(cli_has_warning("out", "point land at (23100, 9000)", "no wet node at least 50 m deep"));
    assert_true(cli_has_warning("out", "point outside at", "outside the domain"));
    assert_true(cli_run_number("out", "points.skipped") == 2);
    cli_change(job, "output.points.required = true");
    cli_assert_error(cli_try(job), 78, true, "point land", "output.points.required is true");
    cli_write_text("towns.csv", "name,x,y\nland,23100,9000\n");
    cli_change(job, "output.points.required = false");
    cli_assert_error(cli_try(job), 78, true, "no point is left of 1", "point land");
}

static double deep(double x, double y, double time_s)
{
    return -3000;
}

// Most points outside the domain, and most of them in it with longitude and latitude exchanged.
TEST(exchanged_columns_are_asked_about)
{
    static const struct cli_grid sea = CLI_GLOBE(40, 30, 40, 28, 0.25, 0.25, {"z", "m", "up", NULL, deep});
    cJSON *job = sea_job("openmp", "vtcs2-o2");
    cli_write_grid("sea.nc", &sea);
    cli_change(job,
               "source.faults.rows = [[44.5, 31.5, 20, 150, 80, 195, 14, 90, 8]]; time.duration = '1 min'");
    cli_write_text("towns.geojson", "name,longitude,latitude\nA,31,42\nB,30,44\nC,45,33\nD,29,47\n");
    cli_run_job(job);
    assert_true(cli_has_warning("out", "towns.geojson: 3 of 4 points are skipped",
                                "are longitude and latitude exchanged?"));
    cli_write_text("towns.geojson", "name,longitude,latitude\nA,31,42\nB,30,44\n");
    cli_assert_error(cli_try(job), 78, true, "no point is left of 2",
                     "are longitude and latitude exchanged?");
    cli_write_text("towns.geojson", "name,longitude,latitude\nA,71,42\nB,70,44\n");
    cli_assert_error(cli_try(job), 78, true, "no point is left of 2");
    assert_null(strstr(cli_try(job)->error, "exchanged"));
}

// Where the source moves the sea by at least a tenth of its most.
TEST(points_in_the_source_are_marked)
{
    cJSON *job = basin_job(backends[backend_count - 1], "vtcs2-o2");
    double most = 0;
    cli_write_text("towns.csv",
                   "name,x,y\nup,7100,8200\ndown,12000,8000\nbeside,2900,15100\nedge,7000,12000\n"
                   "nearly,3500,8000\n");
    cli_run_job(cli_change(job, "output.travel_time = true"));
    for (int j = 0; j < 32; j++)
        for (int i = 0; i < 48; i++)
            most = fmax(most, fabs(thrust(500 * i, 500 * j, 0)));
    const double *x = cli_read_values("out/points.nc", "node_x", 5),
                 *y = cli_read_values("out/points.nc", "node_y", 5),
                 *in_source = cli_read_values("out/points.nc", "in_source", 5);
    int count = 0;
    for (int k = 0; k < 5; k++) {
        const bool is_in = fabs(thrust(x[k], y[k], 0)) >= 0.1 * most;
        if (in_source[k] != is_in)
            fail_msg("point %d at (%g, %g): %g", k, x[k], y[k], in_source[k]);
        count += is_in;
    }
    assert_int_equal(count, 3);
}

TEST(mistakes_have_their_line)
{
    static const struct {
        const char *change;
        int code;
        const char *fragment, *other;
    } mistakes[] = {
        {"output.points = {'file': 'none.csv'}", 66, "output.points.file", "none.csv"},
        {"output.points = {'depth': '5 m'}", 78, "output.points.file", "missing"},
        {"output.threat_levels = ['3 m', '1 m']", 78, "output.threat_levels", "ascend"},
        {"delete output.points; output.threat_levels = ['1 m']", 78, "output.threat_levels", "no effect"},
        {"output.travel_time_share = 0.2", 78, "output.travel_time_share", "travel_time"},
        {"output.zones = {'file': 'towns.csv'}; output.maxima = false", 78, "output.zones", "maxima"},
        {"output.zones = {'file': 'towns.csv'}", 65, "towns.csv", "not valid JSON"},
        {"output.points.treshold = '1 cm'", 78, "treshold", "threshold"},
        {"source = {'solitary': {'height': '1 m', 'crest': '5 km', 'toward': 'east'}}; output.travel_time = "
         "true",
         78, "output.travel_time", "no source"},
    };
    for (size_t k = 0; k < COUNT(mistakes); k++) {
        cJSON *job = basin_job("openmp", "vtcs2-o2");
        cli_change(job, "%s", mistakes[k].change);
        const struct cli_result *result = cli_try(job);
        if (result->exit_code != mistakes[k].code || !strstr(result->error, mistakes[k].fragment) ||
            !strstr(result->error, mistakes[k].other))
            fail_msg("%s: exit code %d, %s", mistakes[k].change, result->exit_code, result->error);
    }
    cJSON *job = sea_job("openmp", "vtcs2-o2");
    cli_write_text("towns.geojson", "name,x,y\nA,1,1\n");
    cli_assert_error(cli_try(job), 65, true, "towns.geojson: line 1", "x and y in metres", "longitude");
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
