// The example jobs of heat in tissue, and the generator of the head: the demo runs as it stands; the head is
// made (of ellipsoids: Colin-27 need not be installed), and in its insulated, heterogeneous inside no heat is
// lost.
#include "tests/support/example_job.h"
#include "tests/support/numbers.h"
#include "tests/support/stopped_run.h"
#include "tests/support/test.h"

TEST(the_demo_runs)
{
    cJSON *job = cli_change(example("liver-electrode.json"), "time.duration = '1 min'"); // of four
    cli_change(job, "output.directory = 'out'");
    cli_run_job(job);
    size_t count;
    double *focus = cli_read_variable("out/sensors.nc", "temperature", &count, NULL);
    // 0.8 W into 80 mm3 of liver: it warms from the first second on, and fastest there.
    assert_true(focus[0] == 37);
    assert_true(focus[count - 3] > 47 && focus[count - 3] < 60);
    assert_true(focus[count - 3] > focus[count - 2] && focus[count - 2] > focus[count - 1] &&
                focus[count - 1] > 37);
}

// Of every so many cells along each axis. All tests share a folder: a head that lies there is not made again.
static void make_coarse_head(int every)
{
    static int made;
    if (made == every)
        return;
    made = 0;
    if (cli_run_tool("/usr/bin/python3", "-c", "import netCDF4")->exit_code != 0) {
        skip_because("python3-netcdf4 is not installed: the head is not made");
    }
    const struct cli_result *result =
        cli_run_tool("/usr/bin/python3", format_text("%s/data/generate-head", TEST_SOURCE_DIRECTORY),
                     "--synthetic", "--every", format_text("%d", every), ".");
    if (result->exit_code != 0)
        fail_msg("generate-head: %s", result->error);
    made = every;
}

static void make_head(void)
{
    make_coarse_head(1);
}

// -S: python without Debian's packages.
TEST(the_generator_names_the_packages_that_are_missing)
{
    const struct cli_result *result =
        cli_run_tool("/usr/bin/python3", "-S", format_text("%s/data/generate-head", TEST_SOURCE_DIRECTORY),
                     "--synthetic", ".");
    assert_int_equal(result->exit_code, 69);
    assert_string_equal(
        result->error,
        "generate-head: numpy is missing: sudo apt-get install python3-numpy python3-netcdf4\n");
}

static size_t count_label(const double *labels, size_t count, double label)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        found += labels[i] == label;
    return found;
}

TEST(the_head_is_closed_and_heated)
{
    make_head();
    size_t count, shape[4];
    double *labels = cli_read_variable("head.nc", "label", &count, shape);
    // The brain's ellipsoid: 4/3 pi 66 x 84 x 66 mm3, cut below by nothing.
    const double brain = (double)count_label(labels, count, 3);
    assert_true(fabs(brain / (4.0 / 3 * acos(-1.0) * 66 * 84 * 66) - 1) < 0.01);
    assert_true(count_label(labels, count, 0) + count_label(labels, count, 1) +
                    count_label(labels, count, 2) + count_label(labels, count, 3) ==
                count);
    // No way leads from brain to scalp or air but through the skull.
    const size_t nx = shape[2], ny = shape[1];
    for (size_t i = 0; i + ny * nx < count; i++)
        if (labels[i] == 3) {
            const double next[] = {labels[i + 1], labels[i + nx], labels[i + ny * nx]};
            for (int k = 0; k < 3; k++)
                assert_true(next[k] >= 2);
        }
    static const struct {
        const char *name;
        double watts;
    } maps[] = {{"focus", 1}, {"skull", 2}, {"scalp", 0.4}};
    for (size_t m = 0; m < COUNT(maps); m++) {
        double *density = cli_read_variable("heating.nc", maps[m].name, &count, NULL), watts = 0;
        for (size_t i = 0; i < count; i++)
            watts += density[i] * 1e-9;
        assert_true(fabs(watts / maps[m].watts - 1) < 1e-5); // stored in single precision
    }
}

// A job that others begin with has nothing to be warned of: neither its steps nor the times of its records.
TEST(the_examples_are_planned_without_a_warning)
{
    static const char *const names[] = {"head-hyperthermia.json", "my-head.json", "liver-electrode.json",
                                        "head-pulsed.json"};
    make_head();
    for (size_t k = 0; k < COUNT(names); k++) {
        if (k + 1 == COUNT(names) && !cli_exists("pressure.h5"))
            skip_because("python3-h5py is not installed: the pressure is not made");
        (void)example(names[k]);
        const char *said = cli_do("plan -o out job.json")->error;
        if (strstr(said, "warning"))
            fail_msg("%s: %s", names[k], said);
    }
}

// The head in long steps: its automatic step meets the end of the exposure and the records.
TEST(the_head_takes_long_steps)
{
    make_head();
    cJSON *job =
        cli_change(example("head-hyperthermia.json"),
                   "time.duration = '5 s'; source.protocols.sonication.on = '2.5 s'; output.directory "
                   "= 'out'; output.maxima = false; delete output.fields; delete check"); // 2.5 of 30 s
    cli_run_job(job);
    const double step_s = cli_run_number("out", "step_s");
    assert_true(step_s == 2.5 && step_s > cli_run_number("out", "physics.step_limit_s"));
    assert_true(cli_run_number("out", "physics.step_error_estimate_k") <= 0.2);
    const double *focus = cli_read_variable("out/sensors.nc", "temperature", NULL, NULL);
    // Of four sensors, every 2.5 s.
    assert_true(focus[0] == 37 && focus[4] > 38.5 && focus[8] < focus[4] && focus[8] > 37);
}

// README's example of an own head, whose box lies in the brain; that it fits the head of generate-head
// --synthetic is seen above, when it is planned.
TEST(my_head_fits_the_head)
{
    make_coarse_head(2);
    cJSON *job = cli_change(example("my-head.json"),
                            "time.duration = '5 s'; output.directory = 'out'; output.maxima = false; delete "
                            "output.fields; delete check"); // 5 s of a minute
    cli_run_job(job);
    const double *focus = cli_read_variable("out/sensors.nc", "temperature", NULL, NULL);
    // At first without conduction: 2 W/cm3 / (1046 kg/m3 · 3630 J/(kg K)) = 0.527 K/s in a brain.
    assert_true(focus[0] == 37 && focus[1] > 37.4 && focus[1] < 37.53);
}

// Without blood, with nothing passing the walls: all that the beam brings stays, to rounding.
TEST(a_heterogeneous_head_keeps_its_heat)
{
    make_coarse_head(2);
    cJSON *job = cli_change(
        example("head-hyperthermia.json"),
        "method = 'euler'; time = {'duration': '4.8 s', 'step': '0.8 s'}; physics.perfusion = false; "
        "source.protocols.sonication.on = '2 s'; output = {'directory': 'out', 'maxima': false, "
        "'precision': 'double', 'diagnostics': {'every': '0.8 s'}}; delete dose; delete check");
    cli_save_job(job);
    cli_do("run -q -p double job.json");
    size_t count;
    double *heat_j = cli_read_variable("out/diagnostics.nc", "heat", &count, NULL);
    assert_int_equal(count, 7);
    // 3.4 W, 2 s: two steps and a half of them.
    static const double on_s[] = {0, 0.8, 1.6, 2, 2, 2, 2};
    for (size_t k = 0; k < count; k++) {
        if (!(fabs(heat_j[k] - 3.4 * on_s[k]) <= 1e-5 * 3.4 * on_s[k])) // the maps are of single precision
            fail_msg("after %zu steps: %.12g J, expected %.12g", k, heat_j[k], 3.4 * on_s[k]);
        if (k > 3 && !(fabs(heat_j[k] / heat_j[3] - 1) < 1e-12))
            fail_msg("after %zu steps: %.17g J, with the source off %.17g were there", k, heat_j[k],
                     heat_j[3]);
    }
}

// At 2.6 K/s Euler's steps of 0.83 s, as long as they are stable, may be 1.1 K too warm while the rate falls.
TEST(steps_too_long_for_the_curve_are_warned_of)
{
    static const char *const methods[] = {"euler", "rkl2"};
    make_coarse_head(2);
    for (size_t k = 0; k < COUNT(methods); k++) {
        cli_run_job(cli_change(example("my-head.json"),
                               "method = '%s'; source.boxes.values = [[10]]; time.duration = '4 s'; "
                               "output.directory = 'out'; output.maxima = false; delete output.fields; "
                               "delete check",
                               methods[k]));
        assert_int_equal(cli_has_warning("out", "time.step", "may be wrong by up to"), k == 0);
        // The same in run.json: half a step at 10 W/cm3 over the smallest heat capacity, 1908 kg/m3 · 1313
        // J/(kg K) of bone, since where the source lies is not looked at.
        const cJSON *physics = cli_item(cli_read_json("out/run.json"), "physics"),
                    *estimate = cJSON_GetObjectItem(physics, "truncation_error_estimate_k");
        assert_true(!estimate == (k == 1));
        if (estimate)
            assert_near("estimate", estimate->valuedouble,
                        0.5 * cli_run_number("out", "step_s") * 1e7 / (1908.0 * 1313), 1e-9);
    }
}

static void compare_plans(const char *what)
{
    static const char *const files[] = {"largest_temperature.nii.gz",
                                        "dose.nii.gz",
                                        "labels.nii.gz",
                                        "exposures.csv",
                                        "sensors.csv",
                                        "histograms.csv"};
    for (size_t k = 0; k < COUNT(files); k++) {
        if (!cli_exists(format_text("whole/%s", files[k])))
            fail_msg("%s: no %s", what, files[k]);
        folder_shell("cmp %s %s", cli_path(format_text("whole/%s", files[k])),
                     cli_path(format_text("out/%s", files[k])));
    }
    // A heading; of each exposure a line for every tissue (skin, bone, grey matter: ellipsoids have one
    // brightness of brain) and sensor.
    const char *table = folder_text("out/exposures.csv");
    size_t lines = 0;
    for (; *table; table++)
        lines += *table == '\n';
    assert_int_equal(lines, 1 + 20 * (3 + 2));
}

// Twenty exposures, in a tenth of the time, on a coarse head: one job, images and tables, and the bits of a
// run without a stop.
TEST(the_plan_of_twenty_exposures)
{
    make_coarse_head(6);
    if (!cli_exists("pressure.h5"))
        skip_because("python3-h5py is not installed: the pressure is not made");
    cJSON *job = cli_change(example("head-pulsed.json"),
                            "time.duration = '2 min'; source.protocols.plan.train = '2 s'; "
                            "source.protocols.plan.inter_train_interval = '4 s'; checkpoint.every_steps = 7; "
                            "delete time.tolerance; time.step = '1 s'");
    stopped_run(job, "twenty exposures", 20, compare_plans);
}

static int remove_results(void **state)
{
    if (cli_exists("out"))
        cli_remove("out");
    return 0;
}

TEST_SUITE(.group_setup = cli_setup, .group_teardown = cli_teardown, .teardown = remove_results);
