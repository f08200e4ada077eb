// Kajiura's filter of a rising bottom as a user has it: against 1/cosh kh at constant depth, for a cosine and
// for a Gaussian hump (by the Hankel integral); the volume, the coast and a moving bottom, by shapes and lift
// by lift; nested grids; defaults and refusals; a run that is stopped and resumed.
#include "tests/support/numbers.h"
#include "tests/support/stopped_run.h"
#include "tests/support/test.h"

#include <signal.h>
#include <time.h>

static const double pi = 3.14159265358979323846;

static double depth_m, wave_x, wave_y, hump_m; // of the sea; wave numbers (1/m) and radius of the uplift

static double flat(double x, double y, double time_s)
{
    return depth_m;
}

static double cosine(double x, double y, double time_s)
{
    return 2 * cos(wave_x * x + wave_y * y);
}

static double hump(double x, double y, double time_s)
{
    return 2 * exp(-(x * x + y * y) / (hump_m * hump_m));
}

// A coast along x = 0: land to the east.
static double coast(double x, double y, double time_s)
{
    return x > 0 ? -50 : depth_m * (1 + 0.5 * sin(x / 7e3));
}

// An uplift over a sea of constant depth: lifted at once, no step but one.
static cJSON *lift_job(const char *edges, const char *filter)
{
    return cli_change(
        cli_json(
            "{'fathom': 1, 'model': 'tsunami', 'backend': 'openmp', 'precision': 'double', 'domain': "
            "{'bathymetry': {'file': 'sea.nc'}, 'edges': {'west': '%s', 'east': '%s', 'south': '%s', "
            "'north': '%s'}}, 'source': {'displacement': {'file': 'up.nc'}}, 'physics': "
            "{'steepness_limit': 0}, 'time': {'duration': '1 s', 'step': '1 s'}, 'output': {'directory': "
            "'out', 'precision': 'double', 'fields': {'every': '1 s'}}}",
            edges, edges, edges, edges),
        "source.filter = '%s'", filter);
}

enum { WAVE_NODES = 64 };

TEST(a_cosine_is_divided_by_cosh)
{
    const double depths[] = {0.3, 1, 2, 4}; // times the wave number
    const double spacing = 1000, k = 2 * pi / (WAVE_NODES * spacing);
    for (size_t d = 0; d < COUNT(depths); d++)
        for (int is_oblique = 0; is_oblique < 2; is_oblique++) {
            wave_x = k;
            wave_y = is_oblique ? k : 0;
            depth_m = depths[d] / hypot(wave_x, wave_y);
            const struct cli_grid sea =
                CLI_PLANE(WAVE_NODES, WAVE_NODES, 0, 0, 1000, 1000, {"d", "m", "down", NULL, flat});
            const struct cli_grid up =
                CLI_PLANE(WAVE_NODES, WAVE_NODES, 0, 0, 1000, 1000, {"up", "m", NULL, NULL, cosine});
            cli_write_grid("sea.nc", &sea);
            cli_write_grid("up.nc", &up);
            cli_run_to(cli_change(lift_job("periodic", "kajiura"), "domain.bathymetry.override = true"),
                       "out");
            double *eta = cli_read_variable("out/fields.nc", "eta", NULL, NULL), worst = 0;
            for (size_t n = 0; n < WAVE_NODES * WAVE_NODES; n++)
                worst = fmax(worst, fabs(eta[n] - cosine(spacing * (double)(n % WAVE_NODES),
                                                         spacing * (double)(n / WAVE_NODES), 0) /
                                                      cosh(depths[d])));
            print_message("k h = %g%s: 1/cosh %.5f, off by %.1e of the amplitude\n", depths[d],
                          is_oblique ? ", oblique" : "", 1 / cosh(depths[d]), worst / 2);
            assert_true(worst / 2 < 8e-4); // 5e-4 of the product, and the grid's k
        }
}

// A Gaussian's: s²/2 ∫ k exp(−k²s²/4) J0(kr) / cosh kh dk.
static double hankel(double r_m)
{
    const int parts = 4000;
    const double most = 20 / hump_m;
    double sum = 0;
    for (int q = 0; q < parts; q++) {
        const double k = (q + 0.5) * most / parts;
        sum += k * exp(-0.25 * k * k * hump_m * hump_m) * j0(k * r_m) / cosh(k * depth_m) * most / parts;
    }
    return 2 * 0.5 * hump_m * hump_m * sum;
}

enum { HUMP_NODES = 121 };

TEST(a_hump_is_smoothed_as_the_integral_says)
{
    hump_m = depth_m = 4000;
    const struct cli_grid sea =
        CLI_PLANE(HUMP_NODES, HUMP_NODES, -24e3, -24e3, 400, 400, {"d", "m", "down", NULL, flat});
    const struct cli_grid up =
        CLI_PLANE(HUMP_NODES, HUMP_NODES, -24e3, -24e3, 400, 400, {"up", "m", NULL, NULL, hump});
    cli_write_grid("sea.nc", &sea);
    cli_write_grid("up.nc", &up);
    cli_run_to(lift_job("open", "kajiura"), "out");
    double *eta = cli_read_variable("out/fields.nc", "eta", NULL, NULL);
    double *bottom = cli_read_variable("out/deformation.nc", "deformation", NULL, NULL);
    double worst = 0, volume = 0, lifted = 0;
    for (size_t n = 0; n < HUMP_NODES * HUMP_NODES; n++) {
        const double x = -24e3 + 400 * (double)(n % HUMP_NODES), y = -24e3 + 400 * (double)(n / HUMP_NODES);
        if (n % 7 == 0)
            worst = fmax(worst, fabs(eta[n] - hankel(hypot(x, y))));
        assert_true(fabs(bottom[n] - hump(x, y, 0)) < 1e-6); // the bottom's own uplift is not filtered
        volume += eta[n];
        lifted += hump(x, y, 0);
    }
    print_message("largest %.4f m of 2, by the integral %.4f; off by %.1e m; volume off by %.1e\n",
                  eta[HUMP_NODES * HUMP_NODES / 2], hankel(0), worst, volume / lifted - 1);
    assert_true(worst < 3e-3 * 2);
    assert_true(fabs(volume / lifted - 1) < 1e-8);
    assert_true(fabs(eta[0]) < 1e-4); // far away nothing moves
}

// Before a coast: the sea's water rises by the volume that its own bottom was lifted by, the land as it is.
TEST(a_coast_is_a_wall_to_it)
{
    static const char *const methods[] = {"vtcs2-o2", "muscl-hancock"};
    hump_m = 8e3;
    depth_m = 3000;
    const struct cli_grid sea = CLI_PLANE(81, 61, -40.25e3, -15e3, 500, 500, {"d", "m", "down", NULL, coast});
    const struct cli_grid up = CLI_PLANE(81, 61, -40.25e3, -15e3, 500, 500, {"up", "m", NULL, NULL, hump});
    cli_write_grid("sea.nc", &sea);
    cli_write_grid("up.nc", &up);
    for (size_t m = 0; m < COUNT(methods); m++) {
        cJSON *job = cli_change(lift_job("wall", "kajiura"), "method = '%s'", methods[m]);
        cli_run_to(m == 0 ? job : cli_change(job, "delete physics"), "out");
        double *eta = cli_read_variable("out/fields.nc", "eta", NULL, NULL), volume = 0, lifted = 0, most = 0;
        for (size_t n = 0; n < 81 * 61; n++) {
            const double x = -40.25e3 + 500 * (double)(n % 81), y = -15e3 + 500 * (double)(n / 81);
            if (x > 0)
                continue;
            volume += eta[n];
            lifted += hump(x, y, 0);
            most = fmax(most, eta[n]);
        }
        print_message("%s: volume off by %.1e, highest %.3f m\n", methods[m], volume / lifted - 1, most);
        assert_true(fabs(volume / lifted - 1) < 1e-6); // the displacement is kept in single precision
        assert_true(most > 1 && most < 2);
    }
}

// ---- a rise that takes its time

enum { RISE_NX = 61, RISE_NY = 41, RECORDS_MAX = 24 };
static const double rise_spacing_m = 500;
static double filtered_m[2][RISE_NX * RISE_NY]; // of two shapes
static bool is_filtered;                        // what `rising` gives
static double rise_s;

static double hump_beside(double x, double y, double time_s)
{
    return -0.7 * hump(x + 4e3, y - 2e3, time_s);
}

// At a node: the first shape's uplift or what the surface shows of it times the share of the time, and of the
// second shape what belongs to the square of it.
static double rising(double x, double y, double time_s)
{
    const size_t node =
        (size_t)lround((x + 20e3) / rise_spacing_m) + (size_t)lround((y + 10e3) / rise_spacing_m) * RISE_NX;
    const double share = rise_s > 0 ? time_s / rise_s : 1;
    const double first = is_filtered ? filtered_m[0][node] : hump(x, y, 0),
                 second = is_filtered ? filtered_m[1][node] : hump_beside(x, y, 0);
    return share * first + share * share * second;
}

static void write_rise(double (*value)(double x, double y, double time_s), const double *times_s,
                       size_t records)
{
    struct cli_grid up = CLI_PLANE(RISE_NX, RISE_NY, -20e3, -10e3, rise_spacing_m, rise_spacing_m,
                                   {"up", "m", NULL, NULL, value});
    up.records = records;
    up.times_s = times_s;
    cli_write_grid("up.nc", &up);
}

// The sea with its coast, and what the filter makes of each shape when it rises at once.
static void filter_shapes(void)
{
    double (*const shapes[2])(double x, double y, double time_s) = {hump, hump_beside};
    hump_m = 6e3;
    depth_m = 3000;
    const struct cli_grid sea = CLI_PLANE(RISE_NX, RISE_NY, -20e3, -10e3, rise_spacing_m, rise_spacing_m,
                                          {"d", "m", "down", NULL, coast});
    cli_write_grid("sea.nc", &sea);
    for (int k = 0; k < 2; k++) {
        write_rise(shapes[k], NULL, 0);
        cli_run_to(lift_job("wall", "kajiura"), "shape");
        const double *eta = cli_read_variable("shape/fields.nc", "eta", NULL, NULL);
        for (size_t n = 0; n < RISE_NX * RISE_NY; n++)
            filtered_m[k][n] = isnan(eta[n]) ? 0 : eta[n];
        cli_remove("shape");
    }
}

static cJSON *rise_job(const char *filter)
{
    return cli_change(lift_job("wall", filter),
                      "time = {'duration': '30 s', 'step': '1 s'}; "
                      "output.fields.every = '5 s'; source.displacement.start = '2 s'");
}

// How often the log says that a shape was filtered.
static int count_filterings(const char *directory)
{
    const char *log = folder_text(format_text("%s/run.log", directory));
    int count = 0;
    for (const char *at = log; (at = strstr(at, "source.filter: filtered")); at++)
        count++;
    return count;
}

// The filter is linear: a rise that is filtered is the rise of what was filtered. A ramp needs it once,
// records once each, and records closer than the steps in every lift.
TEST(a_slow_rise_is_filtered_by_shapes)
{
    static const struct {
        const char *about;
        size_t records;
        double rise_s;
        const char *step;
        int filterings;
    } cases[] = {{"ramp", 0, 12, "1 s", 1},
                 {"records", 7, 18, "1 s", 7},
                 {"records as far apart as a lift is long", 13, 18, "1.5 s", 13},
                 {"records closer than steps", 24, 18, "2 s", -1}};
    filter_shapes();
    for (size_t c = 0; c < COUNT(cases); c++) {
        double times_s[RECORDS_MAX];
        cJSON *jobs[2];
        for (size_t k = 0; k < cases[c].records; k++)
            times_s[k] = cases[c].rise_s * (double)k / (double)(cases[c].records - 1);
        rise_s = cases[c].records > 0 ? cases[c].rise_s : 0;
        for (int k = 0; k < 2; k++) {
            is_filtered = k == 1;
            write_rise(rising, times_s, cases[c].records);
            jobs[k] = cli_change(rise_job(k == 0 ? "kajiura" : "none"), "time.step = '%s'", cases[c].step);
            if (cases[c].records == 0)
                cli_change(jobs[k], "source.displacement.rise = '%g s'", cases[c].rise_s);
            cli_run_to(jobs[k], k == 0 ? "here" : "before");
        }
        const double difference = cli_difference("here/fields.nc", "before/fields.nc", "eta");
        const int filterings = count_filterings("here");
        print_message("%s: differ by %.1e m; filtered %d times\n", cases[c].about, difference, filterings);
        assert_true(difference < 3e-6); // the displacement is kept in single precision
        if (cases[c].filterings >= 0)
            assert_int_equal(filterings, cases[c].filterings);
    }
}

// Also where the shore moves, and the filter's depth with it.
TEST(a_slow_rise_resumed_ends_with_the_same_bits)
{
    static const char *const methods[] = {"vtcs2-o2", "muscl-hancock"};
    const double times_s[] = {0, 4, 9, 14, 22};
    filter_shapes();
    is_filtered = false;
    rise_s = 22;
    for (int has_records = 0; has_records < 2; has_records++)
        for (size_t m = 0; m < COUNT(methods); m++) {
            cJSON *job =
                cli_change(rise_job("kajiura"), "method = '%s'; checkpoint = {'every_steps': 9}", methods[m]);
            write_rise(has_records ? rising : hump, times_s, has_records ? COUNT(times_s) : 0);
            cli_change(job, m == 0 ? "time.step = '1 s'" : "delete physics; time.step = '0.5 s'");
            if (!has_records)
                cli_change(job, "source.displacement.rise = '22 s'");
            cli_run_to(job, "whole");
            cli_save_job(job);
            const struct cli_result *stopped =
                cli_stop_at("parts/partial/checkpoint.", SIGTERM, "run -q -o parts job.json");
            assert_int_equal(stopped->exit_code, 75);
            cli_do("run -q -o parts --resume job.json");
            cli_assert_same_results("parts", "whole");
            cli_remove("parts");
            cli_remove("whole");
        }
}

// ---- nested grids

// The largest difference at the nodes of the nested grid, whose first one is the parent's (column, row), with
// `parts` of its spacings in one of the parent's; of some records.
static double nested_difference(size_t column, size_t row, size_t parts, size_t records)
{
    size_t shape[3], nested_shape[3];
    const double *whole = cli_read_variable("out/fields.nc", "eta", NULL, shape),
                 *nested = cli_read_variable("out/part.fields.nc", "eta", NULL, nested_shape);
    double worst = 0;
    for (size_t r = 0; r < shape[0] && r < records; r++)
        for (size_t j = 0; j < nested_shape[1]; j += parts)
            for (size_t i = 0; i < nested_shape[2]; i += parts)
                worst = fmax(worst,
                             fabs(nested[(r * nested_shape[1] + j) * nested_shape[2] + i] -
                                  whole[(r * shape[1] + row + j / parts) * shape[2] + column + i / parts]));
    return worst;
}

static cJSON *nested_job(const char *filter, const char *spacing, double rise)
{
    return cli_change(
        rise_job(filter),
        "nested.part.domain = {'bathymetry': {'file': 'sea.nc'}, 'x': ['-11 km', '-1 km'], 'y': "
        "['-4 km', '6 km'], 'spacing': '%s'}; source.displacement.start = '%s'; "
        "source.displacement.rise = '%g s'",
        spacing, rise > 0 ? "2 s" : "0 s", rise);
}

// A source that the nested grid's edges cut: with its parent's spacing it shows what the parent shows.
TEST(a_nested_grid_continues_its_parents_filter)
{
    filter_shapes();
    write_rise(hump, NULL, 0);
    cli_run_to(
        cli_change(nested_job("kajiura", "500 m", 0), "time.duration = '1 s'; output.fields.every = '1 s'"),
        "out");
    const double at_once = nested_difference(18, 12, 1, 1);
    cli_run_to(
        cli_change(nested_job("kajiura", "250 m", 0), "time.duration = '1 s'; output.fields.every = '1 s'"),
        "out");
    const double finer = nested_difference(18, 12, 2, 1);
    double moving[2];
    for (int k = 0; k < 2; k++) {
        cli_run_to(cli_change(nested_job(k == 0 ? "kajiura" : "none", "500 m", 9),
                              "time.duration = '12 s'; nested.part.time.step = '0.5 s'"),
                   "out");
        moving[k] = nested_difference(18, 12, 1, SIZE_MAX);
    }
    print_message("of 2 m: at once %.1e m, at half the spacing %.1e m; within 12 s of a rise of 9 s %.1e m, "
                  "without the filter %.1e m\n",
                  at_once, finer, moving[0], moving[1]);
    assert_true(at_once < 1e-7 * 2);
    assert_true(finer < 2e-3 * 2);
    assert_true(moving[0] < 2e-3 * 2 && moving[0] < moving[1]);
}

// Two faults; the second one starts at its own time.
static cJSON *fault_job(const char *second_start)
{
    depth_m = 3000;
    const struct cli_grid sea = CLI_PLANE(61, 61, -30e3, -30e3, 1000, 1000, {"d", "m", "down", NULL, flat});
    cli_write_grid("sea.nc", &sea);
    cJSON *job =
        cli_change(lift_job("open", "kajiura"),
                   "delete source; time.duration = '12 s'; time.step = '2 s'; output.fields.every = '12 s'");
    return cli_change(job,
                      "source = {'extent': '0 m', 'faults': {'fathom_faults': 1, 'reference': 'centre', "
                      "'columns': ['x', 'y', 'depth', 'length', 'width', 'strike', 'dip', 'rake', 'slip', "
                      "'start', 'rise'], 'units': ['km', 'km', 'km', 'km', 'km', 'degree', 'degree', "
                      "'degree', 'm', 's', 's'], 'rows': [[0, 0, 6, 20, 12, 20, 30, 90, 4, 1, 6], [5, 5, 6, "
                      "20, 12, 20, 30, 90, 4, %s, 6]]}}",
                      second_start);
}

// Faults that move together are filtered once, others in every lift: the same sea. It is the default.
TEST(faults_are_filtered_unless_the_job_says_none)
{
    cli_run_to(fault_job("1"), "together");
    cli_run_to(fault_job("1.000001"), "apart");
    cli_run_to(cli_change(fault_job("1"), "source.filter = 'none'"), "none");
    size_t count;
    double *together = cli_read_variable("together/fields.nc", "eta", &count, NULL);
    double *apart = cli_read_variable("apart/fields.nc", "eta", NULL, NULL);
    double *none = cli_read_variable("none/fields.nc", "eta", NULL, NULL);
    double difference = 0, changed = 0;
    for (size_t n = 0; n < count; n++) {
        difference = fmax(difference, fabs(together[n] - apart[n]));
        changed = fmax(changed, fabs(together[n] - none[n]));
    }
    print_message("together and apart differ by %.1e m; the filter changes %.2f m\n", difference, changed);
    assert_true(difference < 1e-5 && changed > 0.1);
    cli_save_job(fault_job("1"));
    assert_has(cli_do("plan --arrays job.json")->output, "filter change");
    const char *of[] = {"together", "none"}, *words[] = {"kajiura, of faults", "none"};
    for (int k = 0; k < 2; k++) {
        cJSON *report = cli_read_json(format_text("%s/run.json", of[k]));
        assert_string_equal(cJSON_GetObjectItem(cli_item(report, "source"), "filter")->valuestring, words[k]);
    }
}

TEST(a_run_resumed_ends_with_the_same_bits)
{
    const char *const starts[] = {"1", "3"};
    for (size_t k = 0; k < COUNT(starts); k++) {
        cJSON *job = cli_change(fault_job(starts[k]), "time.duration = '40 s'");
        stopped_run_once(job, "26 ms");
    }
}

static double corner(double x, double y, double time_s)
{
    (void)time_s;
    return x < 8 && y < 8 ? 3 : 0;
}

// Water so deep beside the grid (1/cosh kh is 0 for every wave of the grid) shows the mean of the rise, after
// as many steps as the grid has cells across, not as its depth has: otherwise this takes minutes.
TEST(very_deep_water_shows_the_mean)
{
    enum { NX = 24, NY = 16 };
    depth_m = 11000;
    const struct cli_grid sea = CLI_PLANE(NX, NY, 0, 0, 1, 1, {"d", "m", "down", NULL, flat}),
                          up = CLI_PLANE(NX, NY, 0, 0, 1, 1, {"up", "m", NULL, NULL, corner});
    cli_write_grid("sea.nc", &sea);
    cli_write_grid("up.nc", &up);
    cli_run_to(cli_change(lift_job("wall", "kajiura"), "time.duration = '1 ms'; time.step = '1 ms'; "
                                                       "output.fields.every = '1 ms'"),
               "out");
    const double *eta = cli_read_variable("out/fields.nc", "eta", NULL, NULL);
    for (size_t n = 0; n < NX * NY; n++)
        assert_near("mean", eta[n], 3.0 * 8 * 8 / (NX * NY), 2e-7);
}

// A job whose filter takes hours, on a large and deep grid.
static void save_slow_job(void)
{
    enum { NODES = 800 };
    depth_m = 11000;
    const struct cli_grid sea = CLI_PLANE(NODES, NODES, 0, 0, 1, 1, {"d", "m", "down", NULL, flat}),
                          up = CLI_PLANE(NODES, NODES, 0, 0, 1, 1, {"up", "m", NULL, NULL, corner});
    cli_write_grid("sea.nc", &sea);
    cli_write_grid("up.nc", &up);
    cli_save_job(cli_change(lift_job("wall", "kajiura"), "time.duration = '1 ms'; time.step = '1 ms'; "
                                                         "output.fields.every = '1 ms'"));
}

// A stop signal before the first step ends it.
TEST(a_stop_signal_ends_it)
{
    save_slow_job();
    const pid_t child = cli_start("run -q -o long job.json");
    assert_true(cli_wait_for("long/run.log", child));
    nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
    assert_int_equal(kill(child, SIGTERM), 0);
    const struct cli_result *result = cli_finish(child);
    assert_int_equal(result->exit_code, 75);
    assert_has(result->error, "before the first step");
}

// The same by a time limit, which counts from the program's start; the plan says so before.
TEST(a_time_limit_ends_it)
{
    save_slow_job();
    assert_has(cli_do("plan job.json")->output, "of preparation beside the steps");
    const struct cli_result *result = cli_run("run -q -o long --time-limit '1 s' job.json");
    cli_assert_error(result, 75, false, "the time limit", "before the first step", "no step was made");
    assert_false(cli_exists("long/run.json") || cli_exists("long/fields.nc") || cli_exists("long/partial"));
}

TEST(it_is_refused_where_nothing_is_lifted)
{
    cJSON *job = fault_job("1");
    cli_save_job(cli_change(job,
                            "delete source; source.solitary = {'height': '1 m', 'crest': '0 m', 'toward': "
                            "'east'}; source.filter = 'none'"));
    cli_assert_error(cli_run("plan job.json"), CONFIGURATION, false, "source.filter", "neither faults");
    cli_save_job(cli_change(fault_job("1"), "source.filter = 'kajura'"));
    cli_assert_error(cli_run("plan job.json"), CONFIGURATION, false, "source.filter", "kajiura");
}

TEST_MAIN(cli_setup, cli_teardown)
