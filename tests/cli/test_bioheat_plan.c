// A plan of exposures in the planner's words: pulses and trains, the table per exposure against the sensors'
// file, histograms and target against the maxima's file, percentiles of a sweep against numpy's, and stops.
#include "tests/support/bioheat_job.h"
#include "tests/support/netcdf_maker.h"
#include "tests/support/stopped_run.h"
#include "tests/support/test.h"

enum { CELLS = BIOHEAT_JOB_Z * BIOHEAT_JOB_Y * BIOHEAT_JOB_X };

// Four trains of 2 s, 5 s apart, from 2 s on; pulses of 0.4 s, one a second.
static cJSON *planned_job(void)
{
    cJSON *job = bioheat_job();
    bioheat_job_write_map();
    return cli_change(
        job,
        "source = {'maps': {'focus': {'file': 'map.nc', 'variable': 'q', 'amplitude': 'plan'}}, "
        "'protocols': {'plan': {'start': '2 s', 'amplitude': 5, 'prf': '1 Hz', 'duty_cycle': 0.4, 'train': "
        "'2 s', 'inter_train_interval': '3 s', 'repetitions': 4}}}; output.products = ['csv']; delete "
        "output.fields; output.sensors.every = '0.2 s'; delete output.state; output.precision = 'double'");
}

TEST(test_the_words_mean_what_levels_mean)
{
    static const char *const same[] = {
        "delete source.protocols.plan.duty_cycle; source.protocols.plan.pulse_length = '0.4 s'",
        "delete source.protocols.plan.prf; source.protocols.plan.duty_cycle = 0.4",
        "source.protocols.plan.prf = '1 Hz'",
        "delete source.protocols.plan.inter_train_interval; source.protocols.plan.train_repetition_interval "
        "= "
        "'5 s'",
        "source.protocols.plan.inter_train_interval = '3 s'",
        "source.protocols.plan = {'start': '2 s', 'amplitude': 5, 'on': '0.4 s', 'levels': [{'period': '1 "
        "s', "
        "'count': 2}, {'period': '5 s', 'count': 4}]}"};
    cJSON *job = planned_job();
    cli_run_to(job, "first");
    const cJSON *plan = cli_item(cli_read_json("first/run.json"), "source.protocols.0");
    assert_string_equal(cli_text(plan, "pulses"), "resolved by the steps");
    for (size_t k = 0; k < COUNT(same); k++) {
        cli_run_to(cli_change(job, "%s", same[k]), "again");
        cli_assert_same_results("again", "first");
        cli_remove("again");
    }
}

// The first value of a sweep over repetitions: one train, whose interval does nothing.
TEST(test_one_train_may_have_an_interval)
{
    cJSON *job = cli_change(planned_job(), "source.protocols.plan.repetitions = 1");
    cli_run_to(job, "first");
    cli_run_to(cli_change(job, "delete source.protocols.plan.inter_train_interval"), "again");
    cli_assert_same_results("again", "first");
}

// What the run cannot use, and a target without tissue, are told in words.
TEST(test_what_is_of_no_use_is_told)
{
    cli_run_job(cli_change(planned_job(),
                           "source.protocols.spare = {'on': '1 s'}; output.target = {'x': '1 mm', "
                           "'y': '1 mm', 'z': '1 mm', 'radius': '0.5 mm'}"));
    assert_true(cli_has_warning("out", "source.protocols.spare is used by no source", ""));
    assert_true(cli_has_warning("out", "the target holds no tissue; the hottest cell, in brain", ""));
    assert_false(cli_has_warning("out", "nan", ""));
}

// Pulses of 6 ms every 20 ms in steps of 0.2 s: each step of a train has the same mean power, with its ramps.
TEST(test_pulses_that_steps_do_not_resolve)
{
    cJSON *job = cli_change(planned_job(), "source.protocols.plan.prf = '50 Hz'; "
                                           "source.protocols.plan.duty_cycle = 0.3; "
                                           "source.protocols.plan.ramp = '1 ms'");
    cli_save_job(job);
    assert_has(
        cli_do("run -o pulses job.json")->error,
        "protocol plan: steps of 0.2 s do not resolve pulses of 0.006 s every 0.02 s: their mean power");
    assert_has(cli_text(cli_item(cli_read_json("pulses/run.json"), "source.protocols.0"), "pulses"),
               "mean power");
    // A ramp takes half of its length: (6 ms − 1 ms)/20 ms.
    cli_run_to(cli_change(job, "source.protocols.plan = {'start': '2 s', 'amplitude': 1.25, 'train': '2 s', "
                               "'inter_train_interval': '3 s', 'repetitions': 4}"),
               "continuous");
    assert_true(cli_difference("pulses/maxima.nc", "continuous/maxima.nc", "max_temperature") < 1e-5);
    size_t count, shape[4];
    const double *power = cli_read_variable("pulses/diagnostics.nc", "source_power", &count, shape);
    double least = INFINITY, most = 0;
    for (size_t k = 0; k < count; k++)
        if (power[k] != 0) {
            least = fmin(least, power[k]);
            most = fmax(most, power[k]);
        }
    assert_true(most > 0 && most - least < 1e-12 * most); // no beat of steps and pulses
}

TEST(test_contradictions)
{
    static const struct {
        const char *change, *fragments[2];
    } rows[] = {
        {"source.protocols.plan.pulse_length = '0.5 s'",
         {"source.protocols.plan.duty_cycle: is 0.4, but prf times pulse_length", "is 0.5"}},
        {"delete source.protocols.plan.duty_cycle; source.protocols.plan.pulse_length = '2 s'",
         {"source.protocols.plan.pulse_length", "would overlap: their duty cycle would be 2"}},
        {"delete source.protocols.plan.duty_cycle",
         {"source.protocols.plan.prf: is not enough", "give two of prf, duty_cycle and pulse_length"}},
        {"source.protocols.plan.train = '2.5 s'",
         {"source.protocols.plan.train: 2.5 s is not a whole number of pulses at 1 Hz", "2.5"}},
        {"delete source.protocols.plan.train", {"source.protocols.plan.train: missing", "how long a train"}},
        {"delete source.protocols.plan.inter_train_interval; source.protocols.plan.train_repetition_interval "
         "= "
         "'1 s'",
         {"train_repetition_interval: trains of 2 s every 1 s would overlap", ""}},
        {"source.protocols.plan.train_repetition_interval = '6 s'",
         {"train_repetition_interval: is 6 s, but train and inter_train_interval", "are 5 s"}},
        {"delete source.protocols.plan.inter_train_interval",
         {"source.protocols.plan.repetitions: need", "pause"}},
        {"delete source.protocols.plan.repetitions",
         {"inter_train_interval: has no effect with one train", "repetitions"}},
        {"source.protocols.plan.repetitions = 1; source.protocols.plan.train_repetition_interval = '6 s'",
         {"train_repetition_interval: is 6 s, but train and inter_train_interval", "are 5 s"}},
        {"source.protocols.plan.duty_cycle = '40'",
         {"plan.duty_cycle: text is given; a number from 0 to 1 is expected", "write \"40 %\", or 0.4"}},
        {"source.protocols.plan.on = '1 s'", {"source.protocols.plan.on: is given beside prf", ""}},
        {"source.protocols.plan.ramp = '0.3 s'",
         {"the ramps, 0.3 s and 0.3 s, are longer than the pulse", ""}},
        {"source.protocols.plan.prf = '10 ms'", {"source.protocols.plan.prf", ""}},
        {"output.target = {'x': '1 m', 'y': '9 mm', 'z': '9 mm', 'radius': '2 mm'}",
         {"output.target.x: 1 m lies outside the domain", ""}},
        {"output.target = {'x': '10.5 mm', 'y': '9 mm', 'z': '9 mm', 'radius': '0.1 mm'}",
         {"output.target.radius: 0.1 mm: no cell's middle lies so near", "0.5 mm away"}},
        {"output.products = ['pdf']", {"output.products", "pdf"}},
    };
    for (size_t k = 0; k < COUNT(rows); k++) {
        cli_save_job(cli_change(planned_job(), "%s", rows[k].change));
        cli_assert_error(cli_run("run job.json"), CONFIGURATION, false, rows[k].fragments[0],
                         rows[k].fragments[1]);
    }
}

static void assert_close(double a, double b)
{
    if (!(fabs(a - b) <= 1e-8 * fmax(fabs(a), fabs(b)) + 1e-15))
        fail_msg("%.12g, expected %.12g", a, b);
}

// Every exposure against the records of the sensors; the tissue in which a sensor lies is at least as warm.
TEST(test_exposures_agree_with_the_sensors)
{
    enum { SENSORS = 2, EXPOSURES = 4 };
    cli_run_job(cli_change(planned_job(), "dose = {'definitions': ['cem43', 'cem43-from-37']}"));
    size_t count, shape[4];
    const double *time = cli_read_variable("out/sensors.nc", "time", &count, shape),
                 *T = cli_read_values("out/sensors.nc", "temperature", count * SENSORS),
                 *dose = cli_read_values("out/sensors.nc", "dose", count * SENSORS),
                 *second = cli_read_values("out/sensors.nc", "dose_cem43_from_37", count * SENSORS);
    cJSON *run = cli_read_json("out/run.json");
    assert_int_equal(cli_count(run, "exposures"), EXPOSURES);
    for (int e = 0; e < EXPOSURES; e++) {
        const cJSON *exposure = cli_item(run, format_text("exposures.%d", e));
        const double begin_s = 2 + 5 * e, end_s = e + 1 < EXPOSURES ? begin_s + 5 : 24;
        assert_close(cli_json_number(exposure, "begin_s"), begin_s);
        assert_close(cli_json_number(exposure, "train_end_s"), begin_s + 2);
        assert_close(cli_json_number(exposure, "end_s"), end_s);
        for (int s = 0; s < SENSORS; s++) {
            const cJSON *row = cli_item(exposure, format_text("sensors.%d", s));
            double peak = -INFINITY, before = NAN, after = NAN, gained = 0, second_gained = 0;
            for (size_t t = 0; t < count; t++) {
                const size_t k = t * SENSORS + (size_t)s;
                if (time[t] > begin_s - 1e-6 && time[t] < end_s + 1e-6)
                    peak = fmax(peak, T[k]);
                if (fabs(time[t] - begin_s) < 1e-6)
                    before = T[k], gained -= dose[k], second_gained -= second[k];
                if (fabs(time[t] - end_s) < 1e-6)
                    after = T[k], gained += dose[k], second_gained += second[k];
            }
            assert_close(cli_json_number(row, "before_c"), before);
            assert_close(cli_json_number(row, "peak_c"), peak);
            assert_close(cli_json_number(row, "after_c"), after);
            assert_close(cli_json_number(row, "dose_gained_min"), gained);
            assert_close(cli_json_number(row, "second_dose_gained_min"), second_gained);
            const cJSON *tissue = cli_item(exposure, format_text("tissues.%d", s == 0 ? 2 : 1));
            assert_true(cli_json_number(tissue, "peak_c") >= peak - 1e-6);
        }
    }
    char *table = folder_text("out/exposures.csv"), *series = folder_text("out/sensors.csv");
    assert_has(table,
               "exposure,begin_s,train_end_s,end_s,of,name,before_degC,peak_degC,after_degC,dose_gained_min",
               "4,17,19,24,sensor,focus,", "1,2,4,7,tissue,brain,37,");
    assert_has(series, "time_s,focus temperature_degC,skull temperature_degC,focus dose_min,skull "
                       "dose_min,focus dose_cem43_from_37_min,");
}

// A plan that began before the run does: what is over has no line, and the others keep their numbers.
TEST(test_exposures_before_the_run)
{
    cJSON *job = cli_change(planned_job(), "source.protocols.plan.start = '-12 s'");
    cli_run_job(job);
    cJSON *run = cli_read_json("out/run.json");
    assert_int_equal(cli_count(run, "exposures"), 2);
    static const double expected[2][4] = {{3, 0, 0, 3}, {4, 3, 5, 24}};
    for (int e = 0; e < 2; e++) {
        const cJSON *exposure = cli_item(run, format_text("exposures.%d", e));
        assert_close(cli_json_number(exposure, "number"), expected[e][0]);
        assert_close(cli_json_number(exposure, "begin_s"), expected[e][1]);
        assert_close(cli_json_number(exposure, "train_end_s"), expected[e][2]);
        assert_close(cli_json_number(exposure, "end_s"), expected[e][3]);
    }
    assert_has(folder_text("out/exposures.csv"), "\r\n3,0,0,3,tissue,", "\r\n4,3,5,24,sensor,skull");
    // Two thousand are over; only those of this run count against the limit.
    cli_run_job(cli_change(job, "source.protocols.plan.start = '-10002 s'; "
                                "source.protocols.plan.repetitions = 2003"));
    assert_int_equal(cli_count(cli_read_json("out/run.json"), "exposures"), 3);
    assert_has(folder_text("out/exposures.csv"), "\r\n2001,0,0,3,tissue,");
}

// The whole table of a tissue, from another run of each exposure's end: one that ends there has the same
// largest temperature.
TEST(test_tissues_at_an_exposures_end)
{
    cJSON *job = cli_change(planned_job(), "dose.definition = 'cem43'");
    cli_run_to(job, "whole");
    cli_run_to(cli_change(job, "time.duration = '12 s'; output.diagnostics.every = '1 s'"), "part");
    const cJSON *brain = cli_item(cli_read_json("whole/run.json"), "exposures.1.tissues.2");
    assert_string_equal(cli_text(brain, "tissue"), "brain");
    assert_close(cli_json_number(brain, "after_c"),
                 cli_run_number("part", "diagnostics.end.largest_temperature_degC"));
    assert_close(cli_json_number(brain, "peak_c"),
                 cli_run_number("part", "diagnostics.run.largest_temperature_degC"));
}

// Against a count over maxima.nc.
TEST(test_histograms_and_target)
{
    enum { TEMPERATURES = 127, DOSES = 91, TISSUES = 3 };
    cli_run_job(cli_change(planned_job(), "source.protocols.plan.amplitude = 40; dose = {'definitions': "
                                          "['cem43', 'cem43-from-37']}; output.target = {'x': '10 mm', 'y': "
                                          "'8.5 mm', 'z': '9 mm', 'radius': '3 mm'}"));
    const double *T = cli_read_values("out/maxima.nc", "max_temperature", CELLS),
                 *dose = cli_read_values("out/maxima.nc", "dose_cem43_from_37", CELLS),
                 *label = cli_read_values("out/maxima.nc", "label", CELLS),
                 *warm = cli_read_values("out/histograms.nc", "temperature", TEMPERATURES),
                 *min = cli_read_values("out/histograms.nc", "dose", DOSES),
                 *of_T = cli_read_values("out/histograms.nc", "temperature_volume", TISSUES * TEMPERATURES),
                 *of_dose = cli_read_values("out/histograms.nc", "second_dose_volume", TISSUES * DOSES);
    double hot[2] = {0}, hottest = 0, far_m = 0, in_target_c = 0;
    for (int tissue = 0; tissue < TISSUES; tissue++) {
        for (int k = 0; k < TEMPERATURES + DOSES; k++) {
            const bool is_dose = k >= TEMPERATURES;
            double cells = 0;
            for (size_t c = 0; c < CELLS; c++)
                cells +=
                    label[c] == tissue + 1 && (is_dose ? dose[c] >= min[k - TEMPERATURES] : T[c] >= warm[k]);
            assert_close(is_dose ? of_dose[tissue * DOSES + k - TEMPERATURES]
                                 : of_T[tissue * TEMPERATURES + k],
                         cells * 1e-9);
        }
    }
    for (size_t c = 0; c < CELLS; c++) {
        const double x = (double)(c % BIOHEAT_JOB_X), y = (double)(c / BIOHEAT_JOB_X % BIOHEAT_JOB_Y),
                     z = (double)(c / BIOHEAT_JOB_X / BIOHEAT_JOB_Y),
                     apart = sqrt(pow(x - 10, 2) + pow(y - 8.5, 2) + pow(z - 9, 2));
        if (!(label[c] > 0))
            continue;
        hot[0] += T[c] >= 50;
        hot[1] += T[c] >= 50 && apart <= 3;
        in_target_c = apart <= 3 ? fmax(in_target_c, T[c]) : in_target_c;
        if (T[c] > hottest)
            hottest = T[c], far_m = 1e-3 * apart;
    }
    assert_true(hot[1] > 0 && hot[0] > hot[1]);
    assert_close(cli_run_number("out", "volumes.at_least_50_degC_m3"), hot[0] * 1e-9);
    assert_close(cli_run_number("out", "target.at_least_50_degC_m3"), hot[1] * 1e-9);
    assert_close(cli_run_number("out", "target.hottest_distance_m"), far_m);
    assert_close(cli_run_number("out", "target.largest_temperature_degC"), in_target_c);
    assert_has(folder_text("out/target.csv"), "quantity,value,units\r\nx,", "\r\nlargest_temperature,",
               "\r\nlargest_second_dose,", "\r\ndistance_of_the_hottest_cell,");
    assert_has(folder_text("out/histograms.csv"), "tissue,quantity,at_least,units,volume_m3\r\n",
               "brain,temperature_volume,43,degC,", "brain,second_dose_volume,1,min,");
}

static const char against_numpy[] =
    "import json, sys\n"
    "try:\n    import numpy as np\nexcept ImportError:\n    sys.exit(77)\n"
    "s = json.load(open('batch/summary.json'))\n"
    "entry, = s['entries']\n"
    "assert entry['members'] == 5 and [m['name'] for m in entry['left_out']] == ['perfusion-0004'], entry\n"
    "runs = [json.load(open('batch/%s/run.json' % r['name'])) for r in s['runs'] if r['state'] != 'failed']\n"
    "of = lambda v: [np.inf if x is None else x for x in v] if isinstance(v, list) else v\n"
    "for tissue, values in runs[0]['distributions']['tissues'].items():\n"
    "    for name in values:\n"
    "        all = np.array([of(r['distributions']['tissues'][tissue][name]) for r in runs], float)\n"
    "        for q in (5, 25, 50, 75, 95):\n"
    "            mine = np.array(of(entry['tissues'][tissue][name]['p%d' % q]))\n"
    "            assert np.allclose(mine, np.percentile(all, q, axis=0), rtol=1e-12, atol=0), (tissue, "
    "name)\n"
    "assert np.ptp([r['distributions']['tissues']['brain']['largest_dose_min'] for r in runs]) > 0\n";

// The least and the largest value of each number, with the runs that have them.
static const char extremes[] =
    "import json, math\n"
    "s = json.load(open('batch/summary.json'))\n"
    "entry, = s['entries']\n"
    "names = [r['name'] for r in s['runs'] if r['state'] != 'failed']\n"
    "runs = [json.load(open('batch/%s/run.json' % n))['distributions']['tissues'] for n in names]\n"
    "for tissue in runs[0]:\n"
    "    for k in ('largest_temperature_degC', 'largest_dose_min'):\n"
    "        v, e = [r[tissue][k] for r in runs], entry['tissues'][tissue][k]\n"
    "        assert math.isclose(e['min'], min(v), rel_tol=1e-12) and e['min_of'] == names[v.index(min(v))], "
    "(tissue, "
    "k, e)\n"
    "        assert math.isclose(e['max'], max(v), rel_tol=1e-12) and e['max_of'] == names[v.index(max(v))], "
    "(tissue, "
    "k, e)\n";

TEST(test_percentiles_of_a_sweep)
{
    cli_save_job(
        cli_change(planned_job(), "tissues.labels.3 = {'tissue': 'brain'}; dose.definition = 'cem43'"));
    cli_write_json(
        "queue.json",
        "{'fathom_batch': 1, 'output': 'batch', 'jobs': [{'job': 'job.json', 'name': 'perfusion', "
        "'sweep': {'tissues.labels.3.perfusion': ['391 mL/min/kg', '475 mL/min/kg', '559 mL/min/kg', "
        "'-1 s-1', '643 mL/min/kg', '727 mL/min/kg']}}]}");
    assert_int_equal(cli_run("batch queue.json")->exit_code, CHECK_FAILED); // one is refused
    char *page = folder_text("batch/index.html");
    assert_has(page, "spread over 5 runs", "<th>least</th><th>25 %</th><th>50 %</th>",
               "Left out: perfusion-0004: ", "perfusion cannot be negative");
    cli_assert_tool(cli_run_tool("/usr/bin/python3", "-c",
                                 format_text("import os\nos.chdir('%s')\n%s", cli_path("."), against_numpy)));
    cli_assert_tool(cli_run_tool("/usr/bin/python3", "-c",
                                 format_text("import os\nos.chdir('%s')\n%s", cli_path("."), extremes)));
}

// Bits of all files, of the tables too, after stops within and between exposures.
static void compare_tables(const char *what)
{
    static const char *const files[] = {"exposures.csv", "sensors.csv", "histograms.csv"};
    (void)what;
    for (size_t k = 0; k < COUNT(files); k++)
        assert_string_equal(folder_text(format_text("out/%s", files[k])),
                            folder_text(format_text("whole/%s", files[k])));
}

TEST(test_stopped_and_resumed)
{
    static const char *const methods[] = {"euler", "rkl2"};
    for (size_t k = 0; k < COUNT(methods); k++)
        stopped_run(
            cli_change(planned_job(),
                       "method = '%s'; dose = {'definitions': ['cem43', 'cem43-from-39']}; time.step = "
                       "'0.1 s'; source.protocols.plan.repetitions = 8; time.duration = '40 s'",
                       methods[k]),
            methods[k], 200, compare_tables);
}

// What an infinite dose gains is not known: null, and infinite in the table.
TEST(test_an_infinite_dose_gains_no_number)
{
    cli_run_job(cli_change(planned_job(), "source.protocols.plan.amplitude = 200; dose = {'definitions': "
                                          "['cem43', 'cem43-from-39']}"));
    cJSON *run = cli_read_json("out/run.json");
    assert_true(cJSON_IsTrue(cli_item(run, "thermal_safety.tissues.2.second_dose_is_infinite")));
    for (int k = 1; k < 4; k++)
        assert_true(
            cJSON_IsNull(cli_item(run, format_text("exposures.%d.tissues.2.second_dose_gained_min", k))));
    assert_true(cli_json_number(run, "exposures.0.tissues.2.dose_gained_min") > 0);
}

TEST_MAIN(cli_setup, cli_teardown)
