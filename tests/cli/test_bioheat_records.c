// Sources whose records are shorter than steps, in a single cell, which nothing cools: the steps have their
// mean power, and a run that misses more of their heat than is allowed says so and is not judged as passed,
// whatever file the source comes from; with steps that end with the records its temperatures are exact.
#include "tests/support/bioheat_job.h"
#include "tests/support/netcdf_maker.h"
#include "tests/support/numbers.h"
#include "tests/support/test.h"

// In each second the first tenth has all of the heat.
enum { RECORDS = 100, A_SECOND = 10 };
static const double heat_j_m3_k = 4e6, mean_k_s = 0.13;

TEST_SUITE(.setup = cli_setup, .teardown = cli_teardown);

// In cell (place, place, place).
static void write_sources(double place)
{
    double times_s[RECORDS + 1], power[RECORDS];
    const double at[] = {place, place, place}, corners[] = {place, place, place, place, place, place};
    for (int k = 0; k <= RECORDS; k++)
        times_s[k] = 0.1 * k;
    for (int k = 0; k < RECORDS; k++)
        power[k] = k % A_SECOND == 0 ? A_SECOND * mean_k_s * heat_j_m3_k : 0;
    const int file = make_file(cli_path("source.nc"), NC_NETCDF4);
    int dimensions[] = {make_dimension(file, "record", RECORDS), make_dimension(file, "z", 1),
                        make_dimension(file, "y", 1), make_dimension(file, "x", 1)};
    make_axis(file, "times", "s", RECORDS + 1, times_s);
    make_values(file, make_variable(file, "Q", NC_DOUBLE, "W m-3", 4, dimensions), power);
    make_values(file, make_variable(file, "rows", NC_DOUBLE, "W m-3", 2, dimensions), power);
    dimensions[0] = make_dimension(file, "axis", 3);
    make_values(file, make_variable(file, "at", NC_DOUBLE, NULL, 2, (int[]){dimensions[1], dimensions[0]}),
                at);
    make_values(file,
                make_variable(file, "corners", NC_DOUBLE, NULL, 3,
                              (int[]){dimensions[1], make_dimension(file, "corner", 2), dimensions[0]}),
                corners);
    NC(nc_close(file));
}

static const char *const sources[] = {
    "source = {'stream': {'file': 'source.nc', 'variable': 'Q', 'times': 'times', 'between': 'stepwise'}}",
    "source = {'points': {'file': 'source.nc', 'at': 'at', 'values': 'rows', 'times': 'times'}}",
    "source = {'boxes': {'file': 'source.nc', 'at': 'corners', 'values': 'rows', 'times': 'times'}}"};

static cJSON *one_cell(const char *source)
{
    cJSON *job = cli_json(
        "{'fathom': 1, 'model': 'bioheat', 'backend': 'openmp', 'precision': 'double', 'domain': {'uniform': "
        "{'tissue': 'brain', 'density': '1000 kg m-3', 'specific_heat': '4000 J kg-1 K-1', 'cells': {'x': 1, "
        "'y': 1, 'z': 1}, 'spacing': '1 mm'}}, 'physics': {'perfusion': false}, 'time': {'duration': '10 s', "
        "'step': '1 s'}, 'output': {'directory': 'out', 'diagnostics': {'every': '1 s'}}, 'check': "
        "{'itrusst': true}}");
    return cli_change(job, "%s", source);
}

// As much heat in every second, evenly: nothing is missed.
TEST(constant_power_passes)
{
    const cJSON *run;
    cli_run_job(one_cell(format_text(
        "source = {'points': {'at': [{'x': 0, 'y': 0, 'z': 0}], 'values': [[%.17g], [%.17g]], 'units': 'W "
        "m-3', 'times': ['0 s', '5 s', '10 s']}}",
        mean_k_s * heat_j_m3_k, mean_k_s * heat_j_m3_k)));
    run = cli_read_json("out/run.json");
    assert_string_equal(cli_text(run, "findings.0.verdict"), "passed");
    assert_near("rise", cli_json_number(run, "diagnostics.run.largest_temperature_degC"), 38.3, 1e-9);
    assert_near("error", cli_json_number(run, "physics.switch_error_estimate_k"), 0, 1e-12);
}

// The record of 0.1 s of each second warms by 0.13 K, of which its mean has given a tenth.
TEST(records_within_steps_are_not_judged_as_passed)
{
    write_sources(0);
    for (size_t k = 0; k < COUNT(sources); k++) {
        cli_save_job(one_cell(sources[k]));
        const struct cli_result *result = cli_run("run job.json");
        cli_assert_error(result, CHECK_FAILED, true, "check.itrusst", "not judged: the source is switched",
                         "within steps, an error of up to about 0.12 K: brain: not judged");
        assert_non_null(strstr(result->error, "time.step: the source is switched within steps of 1 s, an "
                                              "error of up to about 0.12 K (allowed: 0.05 K)"));
        const cJSON *run = cli_read_json("out/run.json");
        assert_string_equal(cli_text(run, "findings.0.verdict"), "not judged");
        assert_string_equal(cli_text(run, "physics.switches"), "averaged");
        assert_near("error", cli_json_number(run, "physics.switch_error_estimate_k"), 0.9 * mean_k_s, 1e-9);
        assert_near("rise", cli_json_number(run, "diagnostics.run.largest_temperature_degC"), 38.3, 1e-9);
    }
}

// Exact rises: the run is as warm as the sum of the records.
TEST(steps_that_end_with_the_records_are_exact)
{
    write_sources(0);
    for (size_t k = 0; k < COUNT(sources); k++) {
        cli_run_job(
            cli_change(one_cell(sources[k]),
                       "time.step = '0.1 s'; output.precision = 'double'; output.sensors = {'every': '0.1 "
                       "s', 'list': [{'name': 'cell', 'x': '0 mm', 'y': '0 "
                       "mm', 'z': '0 mm'}]}"));
        const cJSON *run = cli_read_json("out/run.json");
        assert_string_equal(cli_text(run, "findings.0.verdict"), "passed");
        assert_string_equal(cli_text(run, "physics.switches"), "resolved");
        assert_true(cli_json_number(run, "physics.switch_error_estimate_k") == 0);
        const double *series = cli_read_values("out/sensors.nc", "temperature", RECORDS + 1);
        for (int n = 0; n <= RECORDS; n++)
            assert_near("temperature", series[n], 37 + mean_k_s * ((n + A_SECOND - 1) / A_SECOND), 1e-9);
    }
}

// Where the records are known before the run, an automatic step ends with them, as with the switches of
// pulses.
TEST(automatic_steps_end_with_records_of_files)
{
    write_sources(9);
    for (size_t k = 1; k < COUNT(sources); k++) {
        cli_run_job(cli_change(bioheat_job(),
                               "%s; time = {'duration': '10 s'}; method = 'rkl2'; delete output.sensors; "
                               "delete output.fields",
                               sources[k]));
        const cJSON *run = cli_read_json("out/run.json");
        assert_near("step", cli_json_number(run, "step_s"), 0.1, 1e-12);
        assert_string_equal(cli_text(run, "physics.switches"), "resolved");
        assert_true(cli_json_number(run, "physics.step_error_estimate_k") <= 0.05);
    }
    // Of a stream the times alone are known.
    cli_save_job(cli_change(one_cell(sources[0]), "time.step = 'auto'; method = 'rkl2'"));
    cli_assert_error(cli_run("run job.json"), CONFIGURATION, false, "time.step: auto needs",
                     "those of a stream");
}

// Of a stream, too, the automatic step of an explicit method ends with the records, if it is half as long.
TEST(automatic_steps_end_with_records_of_a_stream)
{
    bioheat_job_write_stream(20, 1.7);
    cli_run_job(cli_change(bioheat_job(), "source = {'stream': {'file': 'heating.nc', 'between': 'stepwise', "
                                          "'after_end': 'last'}}; time = {'duration': '23.8 s'}; delete "
                                          "output.sensors; delete output.fields"));
    const cJSON *run = cli_read_json("out/run.json");
    const double records = 1.7 / cli_json_number(run, "step_s");
    assert_near("steps a record", records, nearbyint(records), 1e-9);
    assert_string_equal(cli_text(run, "physics.switches"), "resolved");
    assert_true(cli_json_number(run, "physics.switch_error_estimate_k") == 0);
}

// The rows of a file are a part of the plan, as those of a job are.
TEST(rows_of_files_beyond_the_end_are_missed)
{
    write_sources(0);
    cli_save_job(cli_change(one_cell(sources[1]), "time = {'duration': '5 s', 'step': '0.1 s'}"));
    cli_assert_error(cli_run("run job.json"), CHECK_FAILED, true, "check.itrusst", "not judged",
                     "source.points heat beyond its end at 5 s");
}

// Linear: from 0 at 0 s to 0.8 K/s at 1 s and back, in steps of 1 s: along each line 0.8/8 K.
TEST(lines_within_steps_are_not_judged_as_passed)
{
    const double times_s[] = {0, 1, 2}, power[] = {0, 0.8 * heat_j_m3_k, 0};
    const int file = make_file(cli_path("line.nc"), NC_NETCDF4),
              dimensions[] = {make_axis(file, "time", "s", 3, times_s), make_dimension(file, "z", 1),
                              make_dimension(file, "y", 1), make_dimension(file, "x", 1)};
    make_values(file, make_variable(file, "Q", NC_DOUBLE, "W m-3", 4, dimensions), power);
    NC(nc_close(file));
    cli_save_job(cli_change(one_cell("source = {'stream': {'file': 'line.nc', 'after_end': 'zero'}}"),
                            "delete check; dose.definition = 'cem43'; output.state = true"));
    cli_do("run job.json");
    const cJSON *run = cli_read_json("out/run.json");
    assert_near("error", cli_json_number(run, "physics.switch_error_estimate_k"), 0.1, 1e-9);
    assert_string_equal(cli_text(run, "findings.0.verdict"), "not judged");
    // A run that continues it is not judged either.
    cli_save_job(cli_change(one_cell("dose.definition = 'cem43'"),
                            "initial = {'from': 'out'}; output.directory = 'next'"));
    cli_assert_error(cli_run("run job.json"), CHECK_FAILED, true, "check.itrusst", "not judged",
                     "the error of its steps is too large");
}
