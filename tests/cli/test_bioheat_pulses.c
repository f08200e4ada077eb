// Pulses that steps do not resolve, in media where the temperature has a closed form: no conduction between
// cells that are heated evenly, so that it is the integral of the pulses. Both notations, both methods, steps
// of the job's and automatic ones; what run.json says of the error; plans that last longer than the run.
#include "tests/support/bioheat_job.h"
#include "tests/support/netcdf_maker.h"
#include "tests/support/numbers.h"
#include "tests/support/test.h"

enum { SIDE = 6 };

static void write_even_map(double w_m3)
{
    static const char *const names[] = {"z", "y", "x"};
    double values[SIDE * SIDE * SIDE], places[SIDE];
    const int file = make_file(cli_path("even.nc"), NC_NETCDF4);
    int dimensions[3];
    for (int k = 0; k < SIDE; k++)
        places[k] = 2 * k;
    for (int axis = 0; axis < 3; axis++)
        dimensions[axis] = make_axis(file, names[axis], "mm", SIDE, places);
    for (size_t i = 0; i < COUNT(values); i++)
        values[i] = w_m3;
    make_field(file, "q", "W m-3", 3, dimensions, values);
    NC(nc_close(file));
}

// rho c is 4e6 J/m3/K; Euler's limit is 4 s.
static cJSON *even_job(double k_s)
{
    write_even_map(4e6 * k_s);
    return cli_json(
        "{'fathom': 1, 'model': 'bioheat', 'backend': 'openmp', 'precision': 'double', 'domain': {'uniform': "
        "{'density': '1000 kg m-3', 'specific_heat': '4000 J kg-1 K-1', 'conductivity': '0.5 W m-1 K-1', "
        "'cells': {'x': 6, 'y': 6, 'z': 6}, 'spacing': '2 mm'}, 'faces': {'all': {'kind': 'insulated'}}}, "
        "'source': {'maps': {'q': {'file': 'even.nc', 'amplitude': 'p'}}}, 'time': {'duration': '24 s'}, "
        "'output': {'directory': 'out', 'precision': 'double', 'sensors': {'every': '4 s', 'list': [{'name': "
        "'a', 'x': '4 mm', 'y': '4 mm', 'z': '4 mm'}]}}}");
}

struct plan {
    double length_s, period_s, start_s;
    int pulses;
    double k_s;
};

static cJSON *plan_job(const struct plan *p, bool in_words)
{
    cJSON *job = cli_change(even_job(p->k_s), "time.duration = '%.17g s'",
                            ceil(p->start_s + p->pulses * p->period_s) + 3);
    if (in_words)
        return cli_change(job,
                          "source.protocols.p = {'start': '%.17g s', 'prf': '%.17g Hz', 'pulse_length': "
                          "'%.17g s', 'train': '%.17g s'}",
                          p->start_s, 1 / p->period_s, p->length_s, p->pulses * p->period_s);
    return cli_change(job,
                      "source.protocols.p = {'start': '%.17g s', 'on': '%.17g s', 'levels': [{'period': "
                      "'%.17g s', 'count': %d}]}",
                      p->start_s, p->length_s, p->period_s, p->pulses);
}

static double rise_k(const struct plan *p, double t_s)
{
    double on_s = 0;
    for (int k = 0; k < p->pulses; k++)
        on_s += fmin(fmax(t_s - p->start_s - k * p->period_s, 0), p->length_s);
    return p->k_s * on_s;
}

// Of the temperatures at the ends of steps, straight lines between them, against the true ones at any time.
// The former are exact, or those of the mean power.
static double missed_k(const struct plan *p, double step_s, double end_s, bool is_mean)
{
    double missed = 0;
    for (double from = 0; from < end_s - 1e-9; from += step_s) {
        double ends[2];
        for (int k = 0; k < 2; k++) {
            const double t_s = from + k * step_s, whole_s = p->pulses * p->period_s;
            ends[k] = is_mean ? p->k_s * p->length_s / p->period_s * fmin(fmax(t_s - p->start_s, 0), whole_s)
                              : rise_k(p, t_s);
        }
        for (int i = 0; i < 200; i++) {
            const double share = i / 200.0;
            missed = fmax(missed,
                          fabs(rise_k(p, from + share * step_s) - (1 - share) * ends[0] - share * ends[1]));
        }
    }
    return missed;
}

static void assert_closed_form(const struct plan *p, double apart_k)
{
    size_t count, shape[4];
    const double *time_s = cli_read_variable("out/sensors.nc", "time", &count, shape),
                 *T = cli_read_values("out/sensors.nc", "temperature", count);
    for (size_t k = 0; k < count; k++)
        assert_near("temperature", T[k], 37 + rise_k(p, time_s[k]), apart_k + 1e-9);
}

// Steps that meet no pulse, longer ones than pulses among them: exact at their ends, and the estimate is what
// is missed within them.
TEST(test_steps_between_pulses)
{
    static const struct plan plan = {2, 4, 0, 3, 1};
    static const double steps_s[] = {0.3, 0.37, 1.7, 3};
    static const char *const methods[] = {"euler", "rkl2"};
    for (size_t m = 0; m < COUNT(methods); m++)
        for (size_t k = 0; k < COUNT(steps_s); k++)
            for (int in_words = 0; in_words < 2; in_words++) {
                const double step_s = steps_s[k], missed = missed_k(&plan, step_s, 15, false);
                cli_run_job(cli_change(plan_job(&plan, in_words), "method = '%s'; time.step = '%g s'",
                                       methods[m], step_s));
                assert_closed_form(&plan, 0);
                const double estimate = cli_run_number("out", "physics.switch_error_estimate_k");
                assert_true(estimate >= missed * (1 - 1e-9) && estimate <= 1.01 * missed);
                assert_true(cli_has_warning("out", "the source is switched within steps of",
                                            format_text("up to about %.2g K", estimate)));
                if (in_words)
                    assert_has(cli_text(cli_read_json("out/run.json"), "source.protocols.0.pulses"),
                               "shared: each step has the part");
            }
}

// Automatic steps keep the tolerance at every time, or say by how much they do not. The first plan was once
// replaced by its mean power: 1.5 K too cold at the end of the first pulse.
TEST(test_automatic_steps_of_plans)
{
    static const struct plan plans[] = {
        {2.9, 29.3, 0, 3, 1.1}, {0.7, 3.33, 0, 6, 0.5},  {1.3, 4, 0.37, 5, 0.2},
        {1.7, 4.35, 1, 5, 0.5}, {2.9, 7, 0, 3, 0.1},     {0.3, 1.1, 0, 20, 3},
        {5.03, 20, 0, 2, 0.4},  {0.011, 0.13, 0, 40, 2}, {2.9, 7.013, 0.01, 3, 2}};
    static const char *const methods[] = {"euler", "rkl2"};
    for (size_t m = 0; m < COUNT(methods); m++)
        for (size_t k = 0; k < COUNT(plans); k++) {
            const struct plan *p = &plans[k];
            cli_run_job(cli_change(plan_job(p, true), "method = '%s'", methods[m]));
            const cJSON *run = cli_read_json("out/run.json");
            const double step_s = cli_json_number(run, "step_s"),
                         estimate = cli_json_number(run, "physics.switch_error_estimate_k"),
                         end_s = step_s * cli_json_number(run, "steps");
            const bool is_mean = strstr(cli_text(run, "source.protocols.0.pulses"), "mean power") != NULL,
                       is_warned = cli_has_warning("out", "the source is switched within steps", "");
            const double missed = missed_k(p, step_s, end_s, is_mean);
            print_message("%s, plan %zu: steps of %g s miss %.4f K, estimate %.4f K%s%s\n", methods[m], k,
                          step_s, missed, estimate, is_mean ? ", mean power" : "",
                          is_warned ? ", warned" : "");
            assert_closed_form(p, is_mean ? 0.025 : 0);
            assert_true(estimate >= missed - 1e-9 && estimate <= 2 * missed + 1e-4);
            assert_true(missed <= 0.05 || is_warned);
        }
}

// Pulses of 2 ms each 10 ms in steps of 1.003 s: 0.0016 K of ripple are hidden, and no step beats with them.
TEST(test_many_pulses_act_by_their_mean_power)
{
    static const struct plan plan = {2e-3, 10e-3, 0, 2000, 1};
    cli_run_job(
        cli_change(plan_job(&plan, true), "time.step = '1.003 s'; output.diagnostics.every = '1.003 s'"));
    const cJSON *run = cli_read_json("out/run.json"), *told = cli_item(run, "source.protocols.0");
    assert_has(cli_text(told, "pulses"), "mean power");
    assert_near("ripple", cli_json_number(told, "ripple_k"), 2e-3 * 0.8, 1e-12);
    assert_closed_form(&plan, 1.6e-3);
    size_t count, shape[4];
    const double *power_w = cli_read_variable("out/diagnostics.nc", "source_power", &count, shape),
                 mean_w = 0.2 * 4e6 * 216 * 8e-9;
    for (size_t k = 1; k < 19; k++)
        assert_near("power", power_w[k], mean_w, 1e-12 * mean_w);
    // 0.2 s of pulses are too many to hide.
    cli_run_job(cli_change(plan_job(&(struct plan){0.2, 0.5, 0, 40, 1}, true), "time.step = '1.003 s'"));
    assert_has(cli_text(cli_read_json("out/run.json"), "source.protocols.0.pulses"), "shared");
    assert_closed_form(&(struct plan){0.2, 0.5, 0, 40, 1}, 0);
}

// ---- plans that last longer than the run

TEST(test_a_plan_is_cut)
{
    static const struct {
        const char *change, *says;
    } cases[] = {
        {"source.protocols.p = {'train': '1 s', 'inter_train_interval': '9 s', 'repetitions': 10}",
         "protocol p: 3 of 10 trains"},
        {"source.protocols.p = {'start': '1 s', 'on': '1 s', 'levels': [{'period': '2 s', 'count': 3}, "
         "{'period': '20 s', 'count': 4}]}",
         "protocol p: 1 of 4 trains and a part of the next"},
        {"source.protocols.p = {'start': '30 s', 'on': '1 s'}",
         "protocol p begins at 30 s, when the run has ended"},
        {"source.protocols.p = {'start': '4 s', 'prf': '1 Hz', 'duty_cycle': 0.5, 'train': '30 s'}",
         "protocol p: the train of 29.5 s is cut after 20 s"},
        {"source.tables.p = {'times': ['0 s', '20 s', '30 s'], 'values': [1, 1, 0]}",
         "table p heats beyond its end at 24 s"},
        {"delete source.maps; source.points = {'at': [{'x': 3, 'y': 3, 'z': 3}], 'units': 'W m-3', 'times': "
         "['0 s', '20 s', '30 s'], 'values': [[0], [5]]}",
         "source.points heat beyond its end at 24 s"},
        // A last value without an end, beginning at the run's end or later.
        {"source.tables.p = {'times': ['0 s', '40 s'], 'values': [0, 1], 'between': 'stepwise', 'after_end': "
         "'last'}",
         "table p heats beyond its end at 24 s"},
        {"source.tables.p = {'times': ['40 s'], 'values': [1], 'before_start': 'zero', 'after_end': 'last'}",
         "table p heats beyond its end at 24 s"},
        {"delete source.maps; source.points = {'at': [{'x': 3, 'y': 3, 'z': 3}], 'units': 'W m-3', 'times': "
         "['0 s', '24 s'], 'values': [[0], [5]], 'after_end': 'zero'}",
         "source.points heat beyond its end at 24 s"},
        // A row for each of 24 steps, and one more.
        {"delete source.maps; source.points = {'at': [{'x': 3, 'y': 3, 'z': 3}], 'units': 'W m-3', 'rows': "
         "'steps', 'values': [[1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], "
         "[1], "
         "[1], [1], [1], [1], [1], [1], [1], [1], [1]]}",
         "source.points heat beyond its end at 24 s"},
    };
    for (size_t k = 0; k < COUNT(cases); k++) {
        cli_save_job(cli_change(even_job(0.01), "time.step = '1 s'; %s", cases[k].change));
        assert_has(cli_do("run --restart job.json")->error, cases[k].says);
        assert_true(cli_has_warning("out", "time.duration: the run ends before", cases[k].says));
        const cJSON *run = cli_read_json("out/run.json");
        assert_has(cli_text(run, "unfinished_plan"), cases[k].says);
        assert_string_equal(cli_text(run, "findings.0.verdict"), "not judged");
        assert_has(cli_text(run, "findings.0.message"), cases[k].says);
        assert_string_equal(cli_text(run, "thermal_safety.tissues.0.reason"),
                            "not judged (the run ends before the plan)");
    }
    // A run that must be judged fails; what is exceeded already stays so.
    cli_save_job(cli_change(even_job(0.01), "time.step = '1 s'; check.itrusst = true; %s", cases[0].change));
    cli_assert_error(cli_run("run --restart job.json"), CHECK_FAILED, true, "not judged", "3 of 10 trains");
    // Of a whole plan nothing is said: its last pulse ends before the last train does.
    static const char *const whole[] = {
        "source.protocols.p = {'prf': '1 Hz', 'duty_cycle': 0.5, 'train': '24 s'}",
        "source.protocols.p = {'on': '23.5 s'}",
        "source.protocols.p = {'start': '30 s', 'on': '1 s', 'amplitude': 0}",
        "source.tables.p = {'times': ['0 s', '20 s', '30 s'], 'values': [1, 0, 0]}",
        "source.tables.p = {'times': ['0 s', '20 s'], 'values': [1, 1], 'after_end': 'last'}",
        "source.tables.p = {'times': ['0 s', '24 s'], 'values': [1, 0], 'between': 'stepwise', 'after_end': "
        "'last'}",
        "source.tables.p = {'times': ['0 s', '24 s'], 'values': [1, 1], 'after_end': 'last'}"};
    for (size_t k = 0; k < COUNT(whole); k++) {
        cli_run_job(cli_change(even_job(0.01), "time.step = '0.5 s'; %s", whole[k]));
        assert_false(cli_has_warning("out", "time.duration", ""));
        assert_string_equal(cli_text(cli_read_json("out/run.json"), "findings.0.verdict"), "passed");
    }
}

// At its other end a plan is judged alike. The last column: K of the rise, 0.01 K a second while on.
TEST(test_a_plan_begins_before_the_run)
{
    static const struct {
        const char *change, *says;
        double heated_s;
    } cases[] = {
        {"source.protocols.p = {'start': '-15 s', 'train': '4 s', 'inter_train_interval': '6 s', "
         "'repetitions': 3}",
         "protocol p: 1 of 3 trains", 4},
        {"source.protocols.p = {'start': '-12 s', 'train': '4 s', 'inter_train_interval': '6 s', "
         "'repetitions': 3}",
         "protocol p: 1 of 3 trains and a part of the one before", 6},
        {"source.protocols.p = {'start': '-12 s', 'train': '4 s', 'inter_train_interval': '6 s', "
         "'repetitions': 4}",
         "protocol p: 2 of 4 trains and a part of the one before", 10},
        {"source.protocols.p = {'start': '-10 s', 'on': '4 s'}", "protocol p ends at -6 s", 0},
        {"source.protocols.p = {'start': '-2 s', 'on': '6 s'}",
         "protocol p: of the train of 6 s, 4 s lie in the run", 4},
        {"source.tables.p = {'times': ['-5 s', '5 s', '7 s'], 'values': [1, 1], 'between': 'stepwise', "
         "'after_end': 'zero'}",
         "table p heats before the run's start", NAN},
    };
    for (size_t k = 0; k < COUNT(cases); k++) {
        cli_save_job(cli_change(even_job(0.01), "time.step = '1 s'; %s", cases[k].change));
        assert_has(cli_do("run --restart job.json")->error, cases[k].says);
        assert_true(cli_has_warning("out", "source: the run begins after a part of", cases[k].says));
        const cJSON *run = cli_read_json("out/run.json");
        assert_has(cli_text(run, "unfinished_plan"), cases[k].says);
        assert_string_equal(cli_text(run, "findings.0.verdict"), "not judged");
        assert_string_equal(cli_text(run, "thermal_safety.tissues.0.reason"),
                            "not judged (the run begins after a part of the plan)");
        if (!isnan(cases[k].heated_s))
            assert_near("rise", cli_json_number(run, "thermal_safety.tissues.0.largest_rise_k"),
                        0.01 * cases[k].heated_s, 1e-6);
    }
    cli_run_job(cli_change(even_job(0.01), "time.step = '1 s'; source.protocols.p = {'start': '-15 s', "
                                           "'train': '4 s', 'inter_train_interval': '6 s', "
                                           "'repetitions': 10}"));
    assert_true(cli_has_warning("out", "the run is only a part of", "protocol p: 2 of 10 trains"));
    // A run that continues another one has what came before.
    cli_run_job(cli_change(even_job(0.01),
                           "time.step = '1 s'; time.duration = '2 s'; output.directory = "
                           "'first'; output.state = true; source.protocols.p = {'on': '2 s'}"));
    cli_run_job(cli_change(even_job(0.01), "time.step = '1 s'; initial.from = 'first'; source.protocols.p = "
                                           "{'start': '-2 s', 'on': '6 s'}"));
    assert_false(cli_has_warning("out", "source: the run begins", ""));
    assert_string_equal(cli_text(cli_read_json("out/run.json"), "findings.0.verdict"), "passed");
}

// Whatever the number of trains, those of the run are counted, and steps end at the same times.
TEST(test_a_plan_of_very_many_trains)
{
    static const char *const counts[] = {"10", "1000000000", "1000000000000"};
    for (size_t k = 0; k < COUNT(counts); k++) {
        cli_run_job(cli_change(even_job(0.01),
                               "method = 'rkl2'; time.duration = '64 s'; source.protocols.p = {'start': '4 "
                               "s', 'prf': '5 Hz', 'duty_cycle': 0.3, 'train': '12 s', "
                               "'inter_train_interval': '8 s', 'repetitions': %s}",
                               counts[k]));
        assert_true(cli_has_warning("out", "time.duration: the run ends before",
                                    format_text("protocol p: 3 of %s trains", counts[k])));
        assert_false(cli_has_warning("out", "is no multiple of", ""));
        const cJSON *run = cli_read_json("out/run.json");
        assert_near("end", cli_json_number(run, "step_s") * cli_json_number(run, "steps"), 64, 1e-12);
    }
}

// A duty cycle of 1 is one pulse a train, however it is written: its ramps are at its two ends.
TEST(test_a_duty_cycle_of_one_is_continuous)
{
    static const char *const words[] = {"'duty_cycle': 1", "'prf': '5 Hz', 'duty_cycle': 1",
                                        "'prf': '5 Hz', 'pulse_length': '200 ms'",
                                        "'pulse_length': '0.7 s', 'duty_cycle': 1", "'amplitude': 1"};
    for (size_t k = 0; k < COUNT(words); k++) {
        cli_run_job(cli_change(
            even_job(0.1), "time.step = '1 s'; source.protocols.p = {%s, 'ramp': '50 ms', 'train': '12 s'}",
            words[k]));
        const cJSON *run = cli_read_json("out/run.json");
        assert_near("rise", cli_json_number(run, "thermal_safety.tissues.0.largest_rise_k"), 0.1 * 11.95,
                    1e-6);
        assert_string_equal(cli_text(run, "source.protocols.0.pulses"), "continuous");
    }
}

TEST_MAIN(cli_setup, cli_teardown)
