// Nested grids in whole runs: a wave through one is that of a fine run on the whole sea, its parent goes on
// as if it were not there, and every grid leaves its results.
#include "tests/support/nested_fixture.h"
#include "tests/support/test.h"

#include <signal.h>

// A nested grid, and a run on the whole sea with its spacing, step and method.
struct nest_case {
    const char *about, *backend, *method, *nested_method;
    double spacing_m;
    const char *nested_step, *fine_step; // nested: NULL = automatic
};

static const struct nest_case cases[] = {
    {"ratio 3", "reference", "vtcs2-o2", NULL, 1000 / 3.0, "4 s", "4 s"},
    {"ratio 2.5", "reference", "vtcs2-o2", NULL, 400, NULL, "6 s"},
    {"ratio 3, vtcs2", "reference", "vtcs2", NULL, 1000 / 3.0, "4 s", "4 s"},
    // The reference takes ten times as long; conformance.nested holds the other against it.
    {"ratio 3, run-up grid", "openmp", "vtcs2-o2", "muscl-hancock", 1000 / 3.0, "3 s", "3 s"},
    {"ratio 2.5, run-up grids", "openmp", "muscl-hancock", NULL, 400, "3 s", "3 s"},
};

// What comes in through the edges is the parent's, with its error: a nested grid must not be further from the
// fine run than the parent itself is, all over the grid, and no node by more than 5 % of the wave, 2 % rms.
static void expect_near(const char *about, const char *nested_file, const char *coarse_file,
                        const char *fine_file)
{
    const struct distance nested = distance_at(nested_file, nested_file, fine_file),
                          coarse = distance_at(nested_file, coarse_file, fine_file);
    print_message("%s: from the fine run %.2g at most, rms %.2g; its parent %.2g, rms %.2g\n", about,
                  nested.largest, nested.rms, coarse.largest, coarse.rms);
    assert_true(nested.largest > 0); // two runs
    assert_true(nested.largest < 0.05);
    assert_true(nested.rms < 0.02);
    assert_true(nested.rms < coarse.rms);
}

TEST(a_wave_through_a_nested_grid_is_that_of_a_fine_run)
{
    write_sea();
    for (size_t k = 0; k < COUNT(cases); k++) {
        const struct nest_case *c = &cases[k];
        const char *coarse_step = strcmp(c->method, "muscl-hancock") == 0 ? "6 s" : "12 s";
        cJSON *job = sea_job(c->backend, c->method, 1000, coarse_step);
        run_job(job, "alone");
        nest(job, "bay", c->spacing_m, c->nested_step, c->nested_method, NULL);
        run_job(job, "nested");
        // By the fast version, which conformance.tsunami holds against the reference: it takes longest.
        job = sea_job("openmp", c->nested_method ? c->nested_method : c->method, c->spacing_m, c->fine_step);
        run_job(job, "fine");
        expect_near(c->about, "nested/bay.fields.nc", "nested/fields.nc", "fine/fields.nc");
        // One-way: the parent knows nothing of the grid in it.
        static const char *const files[] = {"fields.nc", "maxima.nc", "diagnostics.nc", "deformation.nc"};
        for (size_t f = 0; f < COUNT(files); f++) {
            const char *nested = format_text("nested/%s", files[f]);
            const char *alone = format_text("alone/%s", files[f]);
            cli_assert_same_data(nested, alone);
        }
        cli_remove("alone");
        cli_remove("nested");
        cli_remove("fine");
    }
}

// A grid in a nested grid, and a sibling that changes neither.
TEST(grids_nest_in_nested_grids)
{
    write_sea();
    cJSON *job = sea_job("reference", "vtcs2-o2", 1000, "12 s");
    nest(job, "quay", 200, "3 s", NULL, "bay"); // before its parent in the file
    nest(job, "bay", 500, "6 s", NULL, NULL);
    run_job(job, "two");
    nest(job, "sibling", 500, "4 s", "muscl-hancock", NULL);
    run_job(job, "three");
    cli_assert_same_data("three/quay.fields.nc", "two/quay.fields.nc");
    cli_assert_same_data("three/bay.maxima.nc", "two/bay.maxima.nc");
    cli_assert_same_data("three/maxima.nc", "two/maxima.nc");
    job = sea_job("openmp", "vtcs2-o2", 250, "3 s"); // the floor's own spacing
    run_job(job, "fine");
    expect_near("two deep", "two/quay.fields.nc", "two/fields.nc", "fine/fields.nc");
    assert_true(cli_run_number("two", "steps") == 40);
    cJSON *report = cli_read_json("two/run.json");
    const cJSON *nested = cJSON_GetObjectItem(report, "nested");
    assert_int_equal(cJSON_GetArraySize(nested), 2);
    const cJSON *bay = cJSON_GetArrayItem(nested, 0), *quay = cJSON_GetArrayItem(nested, 1);
    assert_string_equal(cli_text(bay, "name"), "bay");
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(bay, "parent")));
    assert_string_equal(cli_text(quay, "parent"), "bay");
    assert_true(cli_json_number(bay, "steps_per_parent") == 2 &&
                cli_json_number(quay, "steps_per_parent") == 2);
    assert_true(cli_json_number(quay, "steps") == 160 && cli_json_number(quay, "step_s") == 3);
    assert_true(cli_json_number(quay, "grid.nx") == 61);
}

// ---- what every grid leaves

static void write_gauge_list(void)
{
    cli_write_json("gauges.json", "{'fathom_gauges': 1, 'gauges': [{'name': 'west', 'x': '10 km', 'y': '25 "
                                  "km'},{'name': 'middle', 'x': '36 km', 'y': '26 km'}]}");
}

// Three grids: of the list's gauges two lie in the outermost, one in the bay, none in the corner. Only the
// bay has maps, and only the corner no maxima.
TEST(every_grid_has_its_own_results)
{
    write_sea();
    write_gauge_list();
    cJSON *job = sea_job("openmp", "vtcs2-o2", 1000, "12 s");
    nest(job, "bay", 500, NULL, NULL, NULL);
    nest(job, "corner", 500, NULL, NULL, NULL);
    run_job(cli_change(job, "nested.corner.domain.x = ['32 km', '40 km']; nested.corner.domain.y = ['16 km', "
                            "'22 km']; output.gauges = {'file': 'gauges.json', 'every': '24 s'}; "
                            "nested.corner.output = {'fields': null, 'maxima': false, 'arrival': null}"),
            "out");
    static const char *const files[] = {
        "fields",      "gauges",          "diagnostics",        "maxima",
        "deformation", "bay.fields",      "bay.gauges",         "bay.diagnostics",
        "bay.maxima",  "bay.deformation", "corner.diagnostics", "corner.deformation"};
    for (size_t k = 0; k < COUNT(files); k++) {
        const char *path = format_text("out/%s.nc", files[k]);
        if (!cli_exists(path))
            fail_msg("%s is missing", path);
    }
    assert_int_equal(cli_count_entries("out"), (int)(COUNT(files)) + 2); // run.json, run.log
    assert_int_equal(cli_dimension("out/gauges.nc", "station"), 2);
    assert_int_equal(cli_dimension("out/bay.gauges.nc", "station"), 1);
    assert_has(cli_attribute("out/bay.maxima.nc", NULL, "title"), "nested grid bay");
    // The same moments in both grids, and at the same place nearly the same wave.
    size_t count, bay_count;
    double *x = cli_read_variable("out/bay.gauges.nc", "x", &count, NULL);
    assert_true(count == 1 && x[0] == 36000);
    double *time = cli_read_variable("out/gauges.nc", "time", &count, NULL),
           *bay_time = cli_read_variable("out/bay.gauges.nc", "time", &bay_count, NULL);
    assert_true(count == 21 && bay_count == 21);
    assert_memory_equal(time, bay_time, count * sizeof *time);
    double *eta = cli_read_variable("out/gauges.nc", "eta", &count, NULL),
           *bay_eta = cli_read_variable("out/bay.gauges.nc", "eta", &bay_count, NULL);
    double highest = 0, furthest = 0;
    for (size_t k = 0; k < bay_count; k++) {
        highest = fmax(highest, fabs(bay_eta[k]));
        furthest = fmax(furthest, fabs(bay_eta[k] - eta[2 * k + 1]));
    }
    assert_true(highest > 0.02 && furthest < 0.04 * highest);
}

TEST(a_plan_lists_the_grids)
{
    write_sea();
    cJSON *job = sea_job("openmp", "vtcs2-o2", 1000, "12 s");
    nest(job, "bay", 500, "4 s", "muscl-hancock", NULL);
    nest(job, "quay", 250, NULL, NULL, "bay");
    cli_save_job(cli_change(job, "output.directory = 'out'"));
    const struct cli_result *plan = cli_do("plan --arrays job.json");
    static const char *const lines[] = {
        "grids      outermost grid: 73 x 55 nodes, vtcs2-o2, steps of 12 s\n",
        "           bay: 41 x 41 nodes, muscl-hancock, steps of 4 s (3 to a step of the outermost)\n",
        "           quay: 49 x 49 nodes, muscl-hancock, steps of 2 s (2 to a step of bay)\n", "bay.maxima.nc",
        "quay still depth"};
    for (size_t k = 0; k < COUNT(lines); k++)
        if (!strstr(plan->output, lines[k]))
            fail_msg("\"%s\" is not in: %s", lines[k], plan->output);
    cli_do("plan --json job.json");
}

// ---- back ends, threads, stops

// A run-up grid in a run-up grid in the sea, over a bottom that rises during the run.
static double rising(double x, double y, double time_s)
{
    return 3 * hump(x, y, 0) * fmin(1, time_s / 100);
}

static cJSON *moving_job(const char *backend)
{
    static const double times_s[] = {0, 50, 100};
    const struct cli_grid uplift = {.nx = 73,
                                    .ny = 55,
                                    .dx = 1000,
                                    .dy = 1000,
                                    .is_plane = true,
                                    .records = 3,
                                    .times_s = times_s,
                                    .variable_count = 1,
                                    .variables = {{"uplift", "m", NULL, NULL, rising}}};
    write_sea();
    cli_write_grid("uplift.nc", &uplift);
    cJSON *job = cli_change(sea_job(backend, "vtcs2-o2", 1000, "12 s"),
                            "source = {'displacement': {'file': 'uplift.nc'}}; time.duration = '4 min'; "
                            "output.fields.every = '1 min'");
    nest(job, "bay", 500, NULL, "muscl-hancock", NULL);
    cli_change(job, "nested.bay.domain.x = ['12 km', '42 km']");
    nest(job, "quay", 250, NULL, NULL, "bay");
    cli_change(job, "nested.quay.domain.x = ['15 km', '30 km']");
    return job;
}

TEST(back_ends_and_threads_agree)
{
    cJSON *job = moving_job("reference");
    run_job(job, "reference");
    run_job(cli_change(job, "backend = 'openmp'"), "openmp");
    static const char *const files[] = {"fields.nc", "bay.fields.nc", "quay.fields.nc"};
    for (int k = 0; k < 3; k++) {
        const char *one = format_text("reference/%s", files[k]);
        const char *other = format_text("openmp/%s", files[k]);
        assert_true(cli_difference(one, other, "eta") < 1e-11);
        assert_true(cli_difference(one, other, "u") < 1e-11);
    }
    cli_do("run -q -t 1 -o alone openmp.json");
    cli_assert_same_results("alone", "openmp");
}

// A fault that moves a slope sideways lifts it by a slope that itself sinks and rises: each step from the
// bottom as it lay before, whichever thread comes first.
TEST(slopes_are_lifted_alike_on_any_threads)
{
    static const char source[] =
        "{'horizontal': true, 'faults': {'fathom_faults': 1, 'reference': 'centre', 'columns': ['x', 'y', "
        "'depth', 'length', 'width', 'strike', 'dip', 'rake', 'slip', 'start', 'rise'], 'units': ['km', "
        "'km', 'km', 'km', 'km', 'degree', 'degree', 'degree', 'm', 's', 's'], 'rows': [[22, 25, 4, 12, 6, "
        "20, 30, 90, 6, 0, 60]]}}";
    cJSON *job = moving_job("openmp");
    cli_set(job, "source", source);
    cli_write_job(cli_change(job, "time.duration = '90 s'; output.fields.every = '30 s'"), "slope.json");
    cli_do("run -q -t 1 -o alone slope.json");
    cli_do("run -q -t 4 -o four slope.json");
    cli_assert_same_results("four", "alone");
}

// Where the shore moves the bottom rises and the water on it keeps its depth; elsewhere the water is lifted
// over a bottom that stays where it is.
TEST(the_bottom_of_a_run_up_grid_rises)
{
    run_job(moving_job("openmp"), "out");
    size_t count, nx;
    double *x = cli_read_variable("out/quay.maxima.nc", "x", &nx, NULL),
           *y = cli_read_variable("out/quay.maxima.nc", "y", &count, NULL);
    double *depth = cli_read_variable("out/quay.maxima.nc", "depth", &count, NULL),
           *uplift = cli_read_variable("out/quay.deformation.nc", "deformation", &count, NULL);
    double highest = 0;
    for (size_t k = 0; k < count; k++) {
        const double still = -sea_floor(x[k % nx], y[k / nx], 0);
        highest = fmax(highest, uplift[k]);
        assert_true(fabs(depth[k] - (still - uplift[k])) < 0.02); // both files are bilinear
    }
    assert_true(highest > 0.29 && highest < 0.301);
    depth = cli_read_variable("out/maxima.nc", "depth", &count, NULL);
    assert_true(fabs(depth[25 * 73 + 22] + sea_floor(22000, 25000, 0)) < 1e-4);
    // The water that rose with the bottom is all that came: the hump's volume, π (7 km)² 0.3 m, is in every
    // grid that holds it.
    const double volume = acos(-1.0) * 7000 * 7000 * 0.3;
    assert_true(fabs(cli_run_number("out", "diagnostics.volume_drift_m3") / volume - 1) < 0.01);
}

TEST(a_stopped_run_ends_with_the_same_bits)
{
    cJSON *job = cli_change(moving_job("reference"), "checkpoint.every_steps = 3");
    run_job(job, "whole");
    cli_write_job(cli_change(job, "output.directory = 'stopped'"), "stopped.json");
    const struct cli_result *stopped =
        cli_stop_at("stopped/partial/checkpoint.", SIGTERM, "run -q stopped.json");
    assert_int_equal(stopped->exit_code, 75);
    cli_do("run -q --resume stopped.json");
    assert_true(cli_run_number("stopped", "timings.first_step") > 0);
    cli_assert_same_results("stopped", "whole");
}

TEST(a_check_covers_the_outermost_grid)
{
    cJSON *job = cli_change(moving_job("openmp"),
                            "method = 'muscl-hancock'"); // its bottom moves while steps are repeated
    cli_save_job(cli_change(job, "time.step = 'auto'; output.directory = 'out'"));
    assert_has(cli_do("run --verify 8 job.json")->error, "the outermost grid alone");
    assert_true(cli_run_number("out", "reference_check.steps") == 8);
    assert_true(cli_run_number("out", "reference_check.largest_difference_m") < 1e-9);
}

TEST_MAIN(cli_setup, cli_teardown)
