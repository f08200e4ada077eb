// Steps of method rkl2 in jobs: the automatic one keeps the tolerance that it is given, ends where the source
// is switched, and says so in run.json; steps that cannot do what the job asks are refused; results agree
// with short steps of Euler's method.
#include "tests/support/bioheat_job.h"
#include "tests/support/numbers.h"
#include "tests/support/test.h"

// 24 s, the first 10 heated, with few records.
static cJSON *long_steps(const char *changes)
{
    cJSON *job = cli_change(bioheat_job(), "delete output.sensors; delete output.fields; delete time.step; "
                                           "method = 'rkl2'; output.diagnostics.every = '24 s'");
    return changes[0] ? cli_change(job, changes) : job;
}

static bool is_divisor(double step_s, double length_s)
{
    return fabs(length_s / step_s - nearbyint(length_s / step_s)) < 1e-6;
}

TEST(test_automatic_steps_keep_the_tolerance)
{
    double step_s[2];
    static const char *const tolerances[] = {"0.4 K", "0.02 K"};
    for (int k = 0; k < 2; k++) {
        cli_run_job(cli_change(long_steps(""),
                               "time.tolerance = '%s'; output.directory = 'r%d'; precision = "
                               "'double'",
                               tolerances[k], k));
        const cJSON *run = cli_read_json(k == 0 ? "r0/run.json" : "r1/run.json");
        step_s[k] = cli_json_number(run, "step_s");
        const double tolerance_k = cli_json_number(run, "physics.step_tolerance_k"),
                     estimate_k = cli_json_number(run, "physics.step_error_estimate_k");
        assert_true(estimate_k > 0.05 * tolerance_k && estimate_k <= tolerance_k);
        assert_true(is_divisor(step_s[k], 10)); // where the box is switched off
        assert_string_equal(cli_text(run, "physics.switches"), "resolved");
        assert_string_equal(cli_text(run, "physics.interfaces"), "quadratic");
        assert_true(cli_json_number(run, "physics.stages") >= 2);
    }
    assert_true(step_s[1] < step_s[0]);
    // A tolerance is a difference: a degree Celsius is a kelvin, a degree Fahrenheit 5/9 of one.
    static const char *const same[] = {"0.4 degC", "0.72 degF"};
    for (size_t k = 0; k < COUNT(same); k++) {
        cli_run_job(cli_change(long_steps(""),
                               "time.tolerance = '%s'; check = {'reference_steps': 1, 'tolerance': '%s'}; "
                               "output.directory = 'd%zu'; precision = 'double'",
                               same[k], same[k], k));
        const cJSON *run = cli_read_json(format_text("d%zu/run.json", k));
        assert_near("step tolerance", cli_json_number(run, "physics.step_tolerance_k"), 0.4, 1e-12);
        assert_near("check tolerance", cli_json_number(run, "reference_check.tolerance_k"), 0.4, 1e-12);
    }
    assert_true(step_s[0] > cli_run_number("r0", "physics.step_limit_s"));
    // The exact solution in time, nearly: a hundredth of the step.
    cli_run_job(cli_change(long_steps(""), "time.step = '0.01 s'; method = 'euler'; physics.interfaces = "
                                           "'quadratic'; output.directory = 'fine'; precision = 'double'"));
    for (int k = 0; k < 2; k++) {
        const char *file = k == 0 ? "r0/maxima.nc" : "r1/maxima.nc";
        const double error_k = cli_difference(file, "fine/maxima.nc", "max_temperature");
        print_message("steps of %g s: %.4f K\n", step_s[k], error_k);
        assert_true(error_k <= cli_run_number(k == 0 ? "r0" : "r1", "physics.step_tolerance_k"));
    }
}

// The first step after a switch damps the source's sharp parts by half only; its sub-steps damp them further.
TEST(test_substeps_follow_a_switch)
{
    double error_k[2];
    const char *about = "precision = 'double'; output.precision = 'double'; physics.interfaces = 'quadratic'";
    cli_run_job(
        cli_change(long_steps(about), "time.step = '0.02 s'; method = 'euler'; output.directory = 'fine'"));
    for (int k = 0; k < 2; k++) {
        cli_run_job(cli_change(long_steps(about),
                               "time.step = '2 s'; time.substeps = %d; output.directory = 's%d'",
                               k == 0 ? 1 : 3, k));
        error_k[k] =
            cli_difference(k == 0 ? "s0/maxima.nc" : "s1/maxima.nc", "fine/maxima.nc", "max_temperature");
        print_message("%d sub-steps: %.4f K\n", k == 0 ? 1 : 3, error_k[k]);
        assert_true(cli_run_number(k == 0 ? "s0" : "s1", "physics.substeps") == (k == 0 ? 1 : 3));
    }
    assert_true(error_k[1] < 0.5 * error_k[0]);
}

// Pulses of 10 ms each 0.1 s for 10 s: their mean power, and steps that end with the train.
TEST(test_pulses_are_averaged_within_their_train)
{
    bioheat_job_write_map();
    cli_run_job(cli_change(
        long_steps(""),
        "time.tolerance = '0.2 K'; source = {'maps': {'focus': {'file': 'map.nc', 'amplitude': 'train'}}, "
        "'protocols': {'train': {'on': '10 ms', 'amplitude': 8, 'levels': [{'name': 'pulse', 'period': '0.1 "
        "s', 'duration': "
        "'10 s'}]}}}"));
    const cJSON *run = cli_read_json("out/run.json");
    const double step_s = cli_json_number(run, "step_s");
    assert_true(is_divisor(step_s, 10) && step_s > 0.5);
    assert_string_equal(cli_text(run, "physics.switches"), "averaged");
    assert_string_equal(cli_text(run, "source.maps.0.values"), "middles");
}

// The same source in other units: the same step, the same estimate. 5 W/cm³ for 10 s.
TEST(test_units_do_not_change_the_step)
{
    static const struct {
        const char *units;
        double value;
    } cases[] = {{"W m-3", 5e6},   {"kW m-3", 5e3}, {"W cm-3", 5},
                 {"W mm-3", 5e-3}, {"J m-3", 5e7},  {"J cm-3", 50}};
    double step_s[2] = {0}, estimate_k[2] = {0};
    for (size_t k = 0; k < COUNT(cases); k++)
        for (int points = 0; points < 2; points++) {
            cJSON *job = long_steps("");
            if (points)
                cli_change(job,
                           "source = {'points': {'at': [{'x': 9, 'y': 8, 'z': 9}], 'after_end': 'last'}}");
            const char *key = points ? "points" : "boxes";
            cli_change(job,
                       "source.%s.units = '%s'; source.%s.values = [[%.17g]]; source.%s.times = ['0 s', '10 "
                       "s']; source.%s.after_end = 'zero'",
                       key, cases[k].units, key, cases[k].value, key, key);
            cli_run_job(job);
            const cJSON *run = cli_read_json("out/run.json");
            if (k == 0) {
                step_s[points] = cli_json_number(run, "step_s");
                estimate_k[points] = cli_json_number(run, "physics.step_error_estimate_k");
            }
            assert_near(cases[k].units, cli_json_number(run, "step_s"), step_s[points], 1e-12);
            assert_near(cases[k].units, cli_json_number(run, "physics.step_error_estimate_k"),
                        estimate_k[points], 1e-9 * estimate_k[points]);
        }
    assert_true(step_s[0] > 0.2);
}

static const char pulses[] =
    "source = {'maps': {'focus': {'file': 'map.nc', 'amplitude': 'p'}}, 'protocols': "
    "{'p': {'on': '1.7 s', 'start': '0.3 s', 'amplitude': 4, 'levels': [{'period': "
    "'%s', 'count': 3}]}}}; output.fields = {'every': '4 s'}; output.sensors = "
    "{'every': '2 s', 'list': [{'name': 'focus', 'x': '11 mm', 'y': '9 mm', 'z': "
    "'9 mm'}]}; output.directory = '%s'; precision = 'double'";

static void assert_times(const char *directory, const char *file, double every_s, size_t count)
{
    char path[64];
    snprintf(path, sizeof path, "%s/%s", directory, file);
    const double *times_s = cli_read_values(path, "time", count);
    for (size_t k = 0; k < count; k++)
        assert_near(path, times_s[k], (double)k * every_s, 1e-9);
}

// Pulses whose times have 0.1 s in common, and some that have no step in common that is worth it: the
// estimate counts what averaging misses, so that the automatic step keeps the tolerance either way; records
// and end come at their times.
TEST(test_missed_switches_count)
{
    static const char *const periods[] = {"5.9 s", "5.9173 s"};
    static const char *const ways[] = {"", "; time.switches = 'averaged'", "; time.step = '1 s'"};
    bioheat_job_write_map();
    for (int k = 0; k < 2; k++) {
        cli_run_job(cli_change(cli_change(long_steps(""), pulses, periods[k], "fine"),
                               "time.step = '0.0125 s'; method = 'euler'; physics.interfaces = 'quadratic'"));
        for (size_t way = 0; way < COUNT(ways); way++) {
            cJSON *job = cli_change(long_steps(""), pulses, periods[k], "long");
            cli_run_job(ways[way][0] ? cli_change(job, ways[way] + 2) : job);
            const cJSON *run = cli_read_json("long/run.json");
            const double error_k = cli_difference("long/maxima.nc", "fine/maxima.nc", "max_temperature"),
                         estimate_k = cli_json_number(run, "physics.step_error_estimate_k"),
                         missed_k = cli_json_number(run, "physics.switch_error_estimate_k");
            print_message("period %s%s: steps of %g s, estimate %.3f K, error %.4f K\n", periods[k],
                          ways[way], cli_json_number(run, "step_s"), estimate_k, error_k);
            assert_true(error_k <= estimate_k + 0.005 && missed_k <= estimate_k);
            assert_true(way == 2 ? error_k > 0.05 && missed_k > 0.1 : estimate_k <= 0.05);
            assert_true(cli_has_warning("long", "time.switches: the source is switched within", "") ==
                        (way == 2));
            if (k == 0 && way == 0) {
                assert_string_equal(cli_text(run, "physics.switches"), "resolved");
                assert_true(is_divisor(cli_json_number(run, "step_s"), 0.1));
            } else {
                assert_string_equal(cli_text(run, "physics.switches"), "averaged");
            }
            assert_times("long", "fields.nc", 4, 7);
            assert_times("long", "sensors.nc", 2, 13);
        }
    }
}

// Steps of the job's own that meet neither records nor end: the run says when they are.
TEST(test_missed_records_are_stated)
{
    cli_run_job(
        long_steps("time.step = '0.7 s'; output.fields = {'every': '5 s'}; output.diagnostics.every = '1 "
                   "s'; method = 'euler'"));
    assert_true(
        cli_has_warning("out", "output.fields: every 5 s is no multiple of the step, 0.7 s", "4.9 s, 9.8 s"));
    assert_true(cli_has_warning("out", "output.diagnostics: every 1 s is no multiple", "0.7 s, 2.1 s"));
    assert_true(cli_has_warning("out", "time.duration: 24 s is no multiple of the step, 0.7 s",
                                "the run ends at 24.5 s"));
    cli_run_job(long_steps("time.step = '0.5 s'; output.fields = {'every': '5 s'}"));
    assert_false(cli_has_warning("out", "is no multiple", ""));
}

// Automatic steps are parts of the run's duration, with whatever records and switches.
TEST(test_automatic_steps_end_the_run_on_time)
{
    static const char *const durations[] = {"11.3 s", "13.7 s", "24.1 s"};
    static const char *const methods[] = {"euler", "three-colour", "rkl2"};
    static const double ends_s[] = {11.3, 13.7, 24.1};
    static const char *const changes[] = {"output.fields = {'every': '5 s'}",
                                          "output.sensors = {'every': '0.7 s', 'list': [{'name': 'f', 'x': "
                                          "'11 mm', 'y': '9 mm', 'z': '9 mm'}]}"};
    for (size_t k = 0; k < COUNT(durations); k++)
        for (size_t m = 0; m < COUNT(methods); m++)
            for (size_t c = 0; c < COUNT(changes); c++) {
                cli_run_job(cli_change(long_steps(changes[c]), "time.duration = '%s'; method = '%s'",
                                       durations[k], methods[m]));
                const cJSON *run = cli_read_json("out/run.json");
                const double end_s = cli_json_number(run, "step_s") * cli_json_number(run, "steps");
                print_message("%s of %s: %g s\n", methods[m], durations[k], end_s);
                assert_near(durations[k], end_s, ends_s[k], 1e-9);
                assert_false(cli_has_warning("out", "time.duration", ""));
            }
}

// Where all switches must be ends of steps and the run's end cannot be one, the run ends later.
TEST(test_resolved_switches_come_before_the_end)
{
    cli_run_job(long_steps("time.duration = '24.0001 s'; time.switches = 'resolved'"));
    const cJSON *run = cli_read_json("out/run.json");
    assert_true(is_divisor(cli_json_number(run, "step_s"), 10));
    assert_true(cli_has_warning("out", "time.duration: 24.0001 s is no multiple of the step", ""));
}

TEST(test_steps_that_cannot_be)
{
    bioheat_job_write_stream(20, 1.7);
    static const struct {
        const char *changes, *fragment;
    } cases[] = {
        {"source = {'stream': {'file': 'heating.nc'}}", "time.step: auto needs the source's values"},
        {"time.tolerance = '1e-9 K'; source.boxes.values = [[1e8], [0]]",
         "time.tolerance: 1e-09 K: steps of"},
        {"source.boxes.times = ['0 s', '3 s', '10.000073 s']; time.switches = 'resolved'",
         "time.switches: \"resolved\": no step of "},
        // A thousand million switches a second: no step of the run is as short as that.
        {"source.boxes.times = ['0 s', '1 ns']; time.switches = 'resolved'",
         "s or more ends at all times at which the source is switched, 1e-09 s apart"},
        {"source.boxes.times = ['0 s', '1 ns']; time.switches = 'resolved'; time.step = '0.2 s'",
         "time.switches: the source is switched at times that are no ends of steps of 0.2 s, 1e-09 s apart"},
        {"source.boxes.times = ['0 s', '1 us']; time.switches = 'resolved'",
         "s or more ends at all times at which the source is switched, 1e-06 s apart"},
        {"time.step = '0.7 s'; time.switches = 'resolved'",
         "time.switches: the source is switched at times that are no ends of steps of 0.7 s"},
        {"source = {'stream': {'file': 'heating.nc', 'between': 'stepwise', 'after_end': 'last'}}; "
         "time.step = '2 s'; time.switches = 'resolved'",
         "time.switches: the source is switched at times that are no ends of steps of 2 s"},
        {"source = {'stream': {'file': 'heating.nc', 'between': 'stepwise', 'after_end': 'last', 'start': "
         "'-0.5 s'}}; time.step = '1.7 s'; time.switches = 'resolved'",
         "time.switches: the source is switched at times that are no ends of steps of 1.7 s"},
    };
    for (size_t k = 0; k < COUNT(cases); k++) {
        cli_save_job(long_steps(cases[k].changes));
        const struct cli_result *result = cli_run("run -q job.json");
        assert_int_equal(result->exit_code, 78);
        if (!strstr(result->error, cases[k].fragment))
            fail_msg("%s: %s", cases[k].changes, result->error);
    }
    // A stream with a step, and its switches averaged.
    cli_run_job(
        long_steps("source = {'stream': {'file': 'heating.nc', 'after_end': 'last'}}; time.step = '2 s'"));
    assert_true(cli_run_number("out", "physics.stages") >= 3);
}

// A stream's records are switches where it is stepwise: run.json says whether steps end at all of them,
// and the step that begins with a record has sub-steps.
TEST(test_streams_are_switched)
{
    bioheat_job_write_stream(20, 1.7);
    static const struct {
        const char *between, *step, *switches;
    } cases[] = {{"stepwise", "1.7 s", "resolved"},
                 {"stepwise", "0.85 s", "resolved"},
                 {"stepwise", "2 s", "averaged"},
                 {"linear", "2 s", "resolved"}};
    const char *stream =
        "source = {'stream': {'file': 'heating.nc', 'between': '%s', 'after_end': 'last'}}; "
        "time.step = '%s'; output.directory = '%s'; precision = 'double'; "
        "output.precision = 'double'; physics.interfaces = 'quadratic'; time.duration = '23.8 s'";
    cli_run_job(
        cli_change(cli_change(long_steps(""), stream, "stepwise", "0.017 s", "fine"), "method = 'euler'"));
    for (size_t k = 0; k < COUNT(cases); k++) {
        double error_k[2];
        for (int w = 0; w < 2; w++) {
            cli_run_job(
                cli_change(cli_change(long_steps(""), stream, cases[k].between, cases[k].step, "long"),
                           "time.substeps = %d", w == 0 ? 1 : 3));
            assert_string_equal(cli_text(cli_read_json("long/run.json"), "physics.switches"),
                                cases[k].switches);
            error_k[w] = cli_difference("long/maxima.nc", "fine/maxima.nc", "max_temperature");
        }
        print_message("%s, %s: %.3g K without sub-steps, %.3g K with them\n", cases[k].between, cases[k].step,
                      error_k[0], error_k[1]);
        if (k == 0)
            assert_true(error_k[1] < 0.8 * error_k[0]);
    }
}

// The same map read as means: the middle of its focus is hotter by about h²/24 of its curvature.
TEST(test_means_are_converted)
{
    double top[2];
    bioheat_job_write_map();
    for (int k = 0; k < 2; k++) {
        cli_run_job(cli_change(
            long_steps("time.step = '1 s'; source = {'maps': {'focus': {'file': 'map.nc'}}}"),
            "source.maps.focus.values = '%s'; output.directory = 'm%d'", k == 0 ? "middles" : "means", k));
        top[k] = cli_run_number(k == 0 ? "m0" : "m1", "diagnostics.run.largest_temperature_degC") - 37;
    }
    // Q'' = −Q/6 mm² along each axis at the focus: 1 + 3/(24 · 6), less what conduction evens out.
    assert_true(top[1] / top[0] > 1.005 && top[1] / top[0] < 1 + 3.0 / 144);
}

// A map inherits nothing that null could take away.
TEST(test_a_maps_keys_take_no_null)
{
    static const char *const keys[] = {"values", "units", "variable", "amplitude"};
    bioheat_job_write_map();
    for (size_t k = 0; k < COUNT(keys); k++) {
        cli_save_job(
            cli_change(long_steps("time.step = '1 s'; source = {'maps': {'focus': {'file': 'map.nc'}}}"),
                       "source.maps.focus.%s = null", keys[k]));
        cli_assert_error(cli_run("plan job.json"), CONFIGURATION, false,
                         format_text("source.maps.focus.%s: null", keys[k]));
    }
}

// No automatic step is longer than an interval of records, so that millions of them would be tried.
TEST(test_intervals_and_durations_that_no_step_can_have)
{
    static const struct {
        const char *change, *says;
    } rows[] = {
        {"output.fields = {'every': '1e-6 s'}", "output.fields.every: 1e-06 s: automatic steps"},
        {"output.sensors = {'every': '1e-6 s', 'list': [{'name': 'a', 'x': '4 mm', 'y': '9 mm', 'z': '9 "
         "mm'}]}",
         "output.sensors.every: 1e-06 s: automatic steps"},
        {"time.duration = '1e300 s'", "time.duration: 1e+300 s is out of range"},
        {"time.duration = '1e12 s'", "time.duration: 1e+12 s is out of range"},
    };
    for (size_t k = 0; k < COUNT(rows); k++) {
        cli_save_job(cli_change(long_steps(""), "%s", rows[k].change));
        cli_assert_error(cli_run("plan job.json"), CONFIGURATION, false, rows[k].says, "time.step");
    }
    // A step that is given makes a record of each.
    cli_save_job(cli_change(long_steps(""), "time.step = '0.5 s'; output.fields = {'every': '1e-6 s'}"));
    assert_int_equal(cli_run("plan job.json")->exit_code, 0);
}

// A piece of brain whose middle cell is heated, at two thirds of the first half or all the time.
static const struct cli_result *judge_hot_cell(double power_w_m3, bool is_switched, const char *time)
{
    const double p = power_w_m3;
    const char *rows = is_switched
                           ? format_text("[[%g], [0], [%g], [0], [%g], [0]], 'times': ['0 s', '3.3 s', "
                                         "'9.1 s', '14 s', '21.7 s', '25 s', '60 s']",
                                         p, p, p)
                           : format_text("[[%g]], 'times': ['0 s', '60 s']", p);
    cli_write_json(
        "job.json",
        "{'fathom': 1, 'model': 'bioheat', 'domain': {'uniform': {'tissue': 'brain', 'cells': {'x': 12, 'y': "
        "12, 'z': 12}, 'spacing': '1 mm'}, 'faces': {'all': {'kind': 'insulated'}}}, 'initial': "
        "{'temperature': '37 degC'}, 'method': 'rkl2', 'dose': {}, 'time': %s, 'source': {'boxes': {'at': "
        "[{'first': {'x': 6, 'y': 6, 'z': 6}, 'last': {'x': 6, 'y': 6, 'z': 6}}], 'units': 'W m-3', "
        "'between': 'stepwise', 'values': %s}}, 'check': {'itrusst': true}, 'output': {'directory': 'out'}}",
        time, rows);
    return cli_run("run --restart job.json");
}

// Nothing passes by less than the error that its steps state, whatever tolerance is asked for.
TEST(a_pass_leaves_space_for_the_error_of_the_steps)
{
    static const struct {
        bool is_switched;
        double power_w_m3, weak_w_m3;
        const char *time;
    } coarse[] = {{true, 4e7, 1e6, "{'duration': '60 s', 'tolerance': '20 K'}"},
                  {false, 2e7, 2e6, "{'duration': '60 s', 'step': '60 s'}"}};
    for (size_t k = 0; k < COUNT(coarse); k++) {
        const bool is_switched = coarse[k].is_switched;
        cli_assert_error(judge_hot_cell(coarse[k].power_w_m3, is_switched, "{'duration': '60 s'}"),
                         CHECK_FAILED, true, "check.itrusst", "EXCEEDED");
        cli_assert_error(judge_hot_cell(coarse[k].power_w_m3, is_switched, coarse[k].time), CHECK_FAILED,
                         true, "check.itrusst", "more than what is left to the levels", "brain: not judged");
        // Weak enough to pass with the error, of 0.1 K and more.
        cli_assert_done(judge_hot_cell(coarse[k].weak_w_m3, is_switched, coarse[k].time));
        assert_true(cli_run_number("out", "physics.step_error_estimate_k") > 0.1);
    }
}

TEST_MAIN(cli_setup, cli_teardown)
