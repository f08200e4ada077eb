// What the water is like at the start, and the bottom's motion after it, in small runs: solitary waves, given
// states where the shore moves, an uplift followed by nested grids.
#include "tests/support/channel_fixture.h"
#include "tests/support/cli_fixture.h"
#include "tests/support/test.h"

static const char *const methods[] = {"vtcs2-o2", "muscl-hancock"};

// ---- solitary waves

static const double solitary_m = 1; // over 100 m

static double solitary(double distance_m)
{
    const double sech =
        1 /
        cosh(sqrt(3 * solitary_m / (4 * channel_depth_m * channel_depth_m * channel_depth_m)) * distance_m);
    return solitary_m * sech * sech;
}

TEST(a_solitary_wave_is_set_as_written)
{
    static const char *const sides[] = {"west", "east", "south", "north"};
    for (int m = 0; m < 2; m++)
        for (int side = 0; side < 4; side++)
            for (int is_exact = 0; is_exact < 2; is_exact++) {
                char source[256];
                cJSON *job = channel_job(methods[m], sides[side]);
                snprintf(
                    source, sizeof source,
                    "{\"height\": \"100 cm\", \"crest\": \"8 km\", \"toward\": \"%s\", \"velocity\": \"%s\"}",
                    sides[side], is_exact ? "exact" : "linear");
                cli_change(job,
                           "source.solitary = %s; time.duration = '0.625 s'; output.fields = {'every': "
                           "'0.625 s', 'variables': ['eta', 'u', 'v']}",
                           source);
                channel_run(job, "out");
                double *eta = cli_read_variable("out/fields.nc", "eta", NULL, NULL);
                double *u = cli_read_variable("out/fields.nc", side < 2 ? "u" : "v", NULL, NULL);
                double *across = cli_read_variable("out/fields.nc", side < 2 ? "v" : "u", NULL, NULL);
                const double c = sqrt(channel_gravity * (channel_depth_m + solitary_m));
                for (int k = 0; k < CHANNEL_ACROSS * CHANNEL_NODES; k++) {
                    const int along = side < 2 ? k % CHANNEL_NODES : k / CHANNEL_ACROSS;
                    const double expected = solitary(along * channel_spacing_m - 8000);
                    const double speed = is_exact ? c * expected / (channel_depth_m + expected)
                                                  : sqrt(channel_gravity / channel_depth_m) * expected;
                    assert_true(fabs(eta[k] - expected) < 1e-13);
                    assert_true(fabs(u[k] - (side % 2 == 0 ? -speed : speed)) < 1e-13);
                    assert_true(across[k] == 0);
                }
                assert_true(cli_run_number("out", "source.solitary.depth_m") == channel_depth_m);
            }
}

// ---- Serre's: it keeps its form

static double ten_metres(double x, double y, double time_s)
{
    return 10;
}

// A wave of 0.3 depths in 10 m, 200 m on its way: its largest difference from itself there, over its height.
static double changed_on_its_way(const char *form, double *crest_m)
{
    enum { NODES = 1000, ROWS = 4 };
    const double spacing = 0.5, d = 10, height = 3, c = sqrt(9.81 * (d + height)), time_s = 200 / c;
    const struct cli_grid grid = CLI_PLANE(NODES, ROWS, 0, 0, 0.5, 0.5, {"d", "m", "down", NULL, ten_metres});
    cli_write_grid("tank.nc", &grid);
    cli_run_to(
        cli_change(
            cli_json(
                "{'fathom': 1, 'model': 'tsunami', 'backend': 'openmp', 'precision': 'double', 'method': "
                "'muscl-hancock', 'limiter': 'third-order', 'domain': {'bathymetry': {'file': 'tank.nc'}, "
                "'edges': {'south': 'periodic', 'north': 'periodic'}}, 'physics': {'dispersion': true}, "
                "'output': {'directory': 'out', 'precision': 'double'}}"),
            "source.solitary = {'height': '3 m', 'crest': '150 m', 'toward': 'east', %s}; time.duration = "
            "'%.12g "
            "s'; "
            "output.fields.every = '%.12g s'",
            form, time_s, time_s),
        "out");
    size_t count;
    const double *eta = cli_read_variable("out/fields.nc", "eta", &count, NULL) + count / 2;
    double worst = 0;
    *crest_m = 0;
    for (int i = 0; i < NODES; i++) {
        const double kappa = sqrt(0.75 * height / (d * d * (d + height)));
        const double sech = 1 / cosh(kappa * (i * spacing - 350));
        worst = fmax(worst, fabs(eta[i] - height * sech * sech));
        *crest_m = fmax(*crest_m, eta[i]);
    }
    return worst / height;
}

TEST(serre_s_wave_keeps_its_form)
{
    double crests_m[2];
    const double serre = changed_on_its_way("'profile': 'serre'", &crests_m[0]);
    const double boussinesq = changed_on_its_way("'velocity': 'exact'", &crests_m[1]);
    print_message("after 20 depths: crests %.4f and %.4f m of 3; changed by %.4f and %.4f of the height\n",
                  crests_m[0], crests_m[1], serre, boussinesq);
    assert_true(fabs(crests_m[0] / 3 - 1) < 0.01 && serre < 0.02);
    assert_true(crests_m[1] / 3 - 1 < -0.03);
}

TEST(serre_s_wave_needs_dispersion)
{
    cJSON *job =
        cli_change(channel_job("muscl-hancock", "west"),
                   "source.solitary = {'height': '1 m', 'crest': '4 km', 'toward': 'east', 'profile': "
                   "'serre'}");
    cli_save_job(job);
    cli_assert_error(cli_run("plan job.json"), CONFIGURATION, false, "source.solitary.profile", "dispersion");
    cli_save_job(cli_change(job, "physics.dispersion = true; source.solitary.velocity = 'linear'"));
    cli_assert_error(cli_run("plan job.json"), CONFIGURATION, false, "source.solitary.velocity", "serre");
}

// Without dispersion it steepens as a simple wave does: what stood at ξ is at ξ + (3c − 2c0)t. Its velocity
// is that of a simple wave but for a four-hundredth: √(g/d) η is 2(c − c0) to first order.
static double steepened(double x_m, double time_s)
{
    const double c0 = sqrt(channel_gravity * channel_depth_m);
    double low = x_m - 2 * c0 * time_s, high = x_m;
    for (int k = 0; k < 100; k++) {
        const double middle = 0.5 * (low + high),
                     c = sqrt(channel_gravity * (channel_depth_m + solitary(middle - 4000)));
        *(middle + (3 * c - 2 * c0) * time_s < x_m ? &low : &high) = middle;
    }
    return solitary(low - 4000);
}

TEST(a_solitary_wave_travels_as_the_equations_say)
{
    for (size_t m = 0; m < COUNT(methods); m++) {
        cJSON *job = cli_change(channel_job(methods[m], "west"),
                                "source.solitary = {'height': '1 m', 'crest': '4 km', 'toward': 'east'}; "
                                "time.duration = '400 s'"); // 125 depths
        channel_run(job, "out");
        const double error = channel_error("out", steepened, 0, solitary_m);
        print_message("%s: solitary wave of 1 %% of the depth, error %.2g of the height\n", methods[m],
                      error);
        assert_true(error < 0.015);
    }
}

// ---- states at the start where the shore moves

enum { BEACH_NODES = 41 };

// 20 m deep in the west, 20 m high in the east; in its middle a node under 5 mm of sea, less than flows.
static double beach_bottom(double x, double y, double time_s)
{
    return -20 + 0.01 * x - 0.005;
}

static double start_eta_m;

static double beach_eta(double x, double y, double time_s)
{
    return start_eta_m;
}

// A row of η of the first record.
static void run_beach(double eta_m, const char *source, double eta[BEACH_NODES], const char *duration)
{
    struct cli_grid grid =
        CLI_PLANE(BEACH_NODES, CHANNEL_ACROSS, 0, 0, 100, 100, {"z", "m", "up", NULL, beach_bottom});
    cli_write_grid("beach.nc", &grid);
    start_eta_m = eta_m;
    grid.variables[0] = (struct cli_variable){"eta", "m", NULL, NULL, beach_eta};
    cli_write_grid("start.nc", &grid);
    cJSON *job = cli_change(channel_job("muscl-hancock", "west"),
                            "domain.bathymetry.file = 'beach.nc'; delete output.gauges; source.initial = %s; "
                            "time = %s; output.fields = {'every': '1 s', 'variables': ['eta']}",
                            source, duration);
    channel_run(job, "out");
    size_t count;
    double *all = cli_read_variable("out/fields.nc", "eta", &count, NULL);
    assert_true(count >= BEACH_NODES);
    memcpy(eta, all, BEACH_NODES * sizeof *eta);
}

static const char at_start[] = "{'duration': '1 s', 'step': '1 s'}";

static void assert_beach(const double eta[BEACH_NODES], double eta_m, double highest_wet_ground_m)
{
    for (int k = 0; k < BEACH_NODES; k++) {
        const double ground = beach_bottom(100 * k, 0, 0);
        const bool is_wet = ground < highest_wet_ground_m;
        if (is_wet ? !(fabs(eta[k] - eta_m) < 1e-6) : !isnan(eta[k]))
            fail_msg("node %d, ground %g m: eta %g m", k, ground, eta[k]);
    }
}

TEST(land_starts_dry_unless_stated)
{
    double eta[BEACH_NODES];
    run_beach(3, "{'file': 'start.nc'}", eta, at_start);
    assert_beach(eta, 3, 0);
    run_beach(3, "{'file': 'start.nc', 'floods_land': true}", eta, at_start);
    assert_beach(eta, 3, 2.95);
    run_beach(-3.5, "{'file': 'start.nc'}", eta, at_start);
    assert_beach(eta, -3.5, -3.5);
}

// A start at η = 0, with a thin rim of sea at the shore, is rest: nothing ever moves.
TEST(a_start_at_rest_is_rest)
{
    double eta[BEACH_NODES];
    run_beach(0, "{'file': 'start.nc', 'floods_land': true}", eta, "{'duration': '200 s', 'step': '1 s'}");
    assert_beach(eta, 0, -0.05); // shallower water counts as dry in the results
    size_t count;
    double *speed = cli_read_variable("out/diagnostics.nc", "max_speed", &count, NULL);
    for (size_t k = 0; k < count; k++)
        assert_true(speed[k] == 0);
}

// ---- uplift in nested grids

// Grows evenly, linear in both directions: what is interpolated is exact.
static double tilt(double x, double y, double time_s)
{
    return (1 + 1e-4 * x - 2e-3 * y) * time_s / 100;
}

TEST(an_uplift_in_time_is_followed_in_nested_grids)
{
    static const double times[] = {0, 50, 200};
    const struct cli_grid uplift = {.nx = 21,
                                    .ny = 5,
                                    .x0 = -500,
                                    .y0 = -100,
                                    .dx = 1050,
                                    .dy = 100,
                                    .is_plane = true,
                                    .records = 3,
                                    .times_s = times,
                                    .variable_count = 1,
                                    .variables = {{"uplift", "m", NULL, NULL, tilt}}};
    cJSON *job = channel_job("vtcs2-o2", "west");
    cli_write_grid("uplift.nc", &uplift);
    cli_change(
        job, "source.displacement = {'file': 'uplift.nc', 'start': '10 s'}; time.duration = '135 s'; "
             "output.deformation = true; delete output.gauges; nested = {'bay': {'domain': {'x': ['3 km', '6 "
             "km'], 'y': ['50 m', '100 m'], 'bathymetry': {'file': 'channel.nc'}, 'spacing': '12.5 m'}}}");
    channel_run(job, "out");
    size_t count, counts[2];
    double *bay = cli_read_variable("out/bay.deformation.nc", "deformation", &count, NULL);
    double *x = cli_read_variable("out/bay.deformation.nc", "x", &counts[0], NULL);
    double *y = cli_read_variable("out/bay.deformation.nc", "y", &counts[1], NULL);
    assert_int_equal(count, counts[0] * counts[1]);
    for (size_t j = 0; j < counts[1]; j++)
        for (size_t i = 0; i < counts[0]; i++)
            if (!(fabs(bay[j * counts[0] + i] - tilt(x[i], y[j], 125)) < 5e-5)) // summed in float
                fail_msg("(%g, %g): %.9g, not %.9g", x[i], y[j], bay[j * counts[0] + i],
                         tilt(x[i], y[j], 125));
}

TEST_MAIN(cli_setup, cli_teardown)
