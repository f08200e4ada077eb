// A run that continues where another ended, with another source: the same temperatures, bit for bit, as one
// run with both sources one after the other; dose, largest temperatures and clock continue; and what must be
// refused.
#include "tests/support/bioheat_job.h"
#include "tests/support/netcdf_maker.h"
#include "tests/support/stopped_run.h"
#include "tests/support/test.h"

enum { CELLS = BIOHEAT_JOB_Z * BIOHEAT_JOB_Y * BIOHEAT_JOB_X };

static double *read_values(const char *file, const char *variable)
{
    size_t count;
    double *values = cli_read_variable(file, variable, &count, NULL);
    assert_int_equal(count, CELLS);
    return values;
}

static void run(cJSON *job, const char *directory)
{
    cli_run_job(cli_change(job, "output.directory = '%s'", directory));
}

static cJSON *job_on(const char *backend, const char *precision, const char *dose)
{
    cJSON *job = cli_change(bioheat_job(), "backend = '%s'; precision = '%s'; dose.definition = '%s'",
                            backend, precision, dose);
    return job;
}

// 24 s heated and cooled in one piece, against 10 s heated and 14 s cooled from there.
static void compare_chain(const char *backend, const char *precision, const char *dose)
{
    cJSON *job = job_on(backend, precision, dose);
    run(job, "whole");
    run(cli_change(job, "time.duration = '10 s'"), "heating");
    run(cli_change(job, "delete source; delete initial; initial.from = 'heating'; time.duration = '14 s'"),
        "cooling");
    assert_true(cli_difference("cooling/state.nc", "whole/state.nc", "rise") == 0);
    // The sum begins anew, so that it is rounded in another place.
    double rounding = strcmp(precision, "double") == 0 ? 1e-12 : 1e-6;
    // What lies within a rounding of the cut-off at 37 °C may count in one half step and not in another: 0.1
    // s of R⁶.
    if (strcmp(dose, "kwave") == 0)
        rounding += 2 * 0.1 / 60 * pow(0.25, 6);
    const double dose_min = cli_difference("cooling/state.nc", "whole/state.nc", "dose");
    if (!(dose_min < rounding))
        fail_msg("%s %s %s: doses differ by %g min", backend, precision, dose, dose_min);
    assert_true(cli_difference("cooling/state.nc", "whole/state.nc", "largest_rise") == 0);
    assert_true(cli_difference("cooling/state.nc", "whole/state.nc", "largest_at") <= 4e-6);
    size_t count;
    double *times = cli_read_variable("cooling/diagnostics.nc", "time", &count, NULL);
    assert_true(fabs(times[0] - 10) < 1e-12 && fabs(times[count - 1] - 24) < 1e-12);
    assert_true(fabs(cli_run_number("cooling", "continues.at_s") - 10) < 1e-12);
}

TEST(test_chain_is_one_run)
{
    compare_chain("reference", "double", "kwave");
    compare_chain("openmp", "double", "kwave");
    compare_chain("openmp", "single", "kwave");
    compare_chain("openmp", "double", "none");
}

// ISO's dose remembers where 43 °C was passed, also across runs: hot enough that many cells do.
TEST(test_isos_memory_continues)
{
    static const char *const backends[] = {"reference", "openmp"};
    for (size_t b = 0; b < 2; b++) {
        compare_chain(backends[b], "double", "iso");
        double *largest = read_values("whole/state.nc", "largest_rise");
        size_t passed = 0;
        for (size_t k = 0; k < CELLS; k++)
            passed += largest[k] >= 6;
        assert_true(passed > 20);
    }
}

// A chain of three, each heated anew; with another reference temperature, which is only where rises count
// from.
TEST(test_three_exposures)
{
    cJSON *job = cli_change(job_on("openmp", "double", "kwave"), "time.duration = '12 s'");
    run(job, "a");
    run(cli_change(job, "initial = {'from': 'a'}"), "b");
    run(cli_change(job, "initial = {'from': 'b'}; physics.reference_temperature = '40 degC'"), "c");
    double *dose[3], *maximum[3];
    static const char *const files[] = {"a/maxima.nc", "b/maxima.nc", "c/maxima.nc"};
    for (size_t k = 0; k < 3; k++) {
        dose[k] = read_values(files[k], "dose");
        maximum[k] = read_values(files[k], "max_temperature");
    }
    size_t grown = 0;
    for (size_t k = 0; k < CELLS; k++) {
        assert_false(dose[1][k] < dose[0][k] || dose[2][k] < dose[1][k]);
        assert_false(maximum[1][k] < maximum[0][k] || maximum[2][k] < maximum[1][k] - 1e-5);
        grown += dose[2][k] > 2.5 * dose[0][k] && dose[0][k] > 0.01;
    }
    assert_true(grown > 20); // each exposure adds, on what is warm already
    double time_s = cli_run_number("c", "continues.at_s");
    assert_true(fabs(time_s - 24) < 1e-12);
    for (size_t k = 0; k < 3; k++) {
    }
}

// Temperatures and dose of one cell are not those of another tissue.
TEST(test_a_head_that_moved_is_doubted)
{
    static const char words[] = "the labels differ";
    cJSON *job = cli_change(job_on("openmp", "double", "kwave"), "time.duration = '2 s'");
    run(job, "first");
    run(cli_change(job, "delete initial; initial.from = 'first'"), "same");
    assert_false(cli_has_warning("same", "initial.from", words));
    static unsigned char labels[CELLS + 1];
    int file, variable;
    NC(nc_open(cli_path("head.nc"), NC_WRITE, &file));
    NC(nc_inq_varid(file, "label", &variable));
    NC(nc_get_var_uchar(file, variable, labels));
    labels[CELLS] = labels[CELLS - 1];
    NC(nc_put_var_uchar(file, variable, labels + 1)); // by one cell
    NC(nc_close(file));
    run(job, "other");
    assert_true(cli_has_warning("other", "initial.from", words));
}

// The same dose, whatever its place in the list of either run; another law's is refused.
TEST(test_each_dose_by_its_definition)
{
    cJSON *job = cli_change(job_on("openmp", "double", "none"),
                            "delete dose.definition; dose.definitions = ['cem43', 'cem43-from-39']; "
                            "time.duration = '10 s'; output.precision = 'double'");
    run(job, "both");
    run(cli_change(cli_own_json(cJSON_Duplicate(job, true)), "dose.definitions = ['cem43']"), "one");
    cli_change(job, "delete source; delete initial; initial.from = 'both'; time.duration = '2 s'");
    run(job, "same");
    run(cli_change(job, "dose.definitions = ['cem43-from-39', 'cem43']"), "swapped");
    run(cli_change(job, "dose.definitions = ['cem43-from-39']"), "second");
    static const char *const pairs[][4] = {{"same", "dose", "swapped", "dose_cem43"},
                                           {"same", "dose_cem43_from_39", "swapped", "dose"},
                                           {"same", "dose_cem43_from_39", "second", "dose"}};
    for (size_t k = 0; k < COUNT(pairs); k++) {
        const double *a = read_values(format_text("%s/maxima.nc", pairs[k][0]), pairs[k][1]);
        const double *b = read_values(format_text("%s/maxima.nc", pairs[k][2]), pairs[k][3]);
        size_t differ = 0, dosed = 0;
        for (size_t cell = 0; cell < CELLS; cell++) {
            differ += a[cell] != b[cell] && !(isnan(a[cell]) && isnan(b[cell]));
            dosed += a[cell] > 0.1;
        }
        assert_true(differ == 0 && dosed > 20);
    }
    assert_true(read_values("same/maxima.nc", "dose")[0] != read_values("swapped/maxima.nc", "dose")[0] ||
                cli_difference("same/maxima.nc", "swapped/maxima.nc", "dose") > 0);
    cli_change(job, "initial.from = 'one'; output.directory = 'next'");
    cli_assert_error(cli_try(job), CONFIGURATION, false, "initial.from",
                     "one/state.nc has the dose by cem43,", "continues that by cem43-from-39");
    cli_assert_error(cli_try(cli_change(job, "dose.definitions = ['cem43', 'cem43-from-39']")), CONFIGURATION,
                     false, "has the dose by cem43, but this run continues that by cem43-from-39");
    int file;
    NC(nc_open(cli_path("both/state.nc"), NC_WRITE, &file));
    NC(nc_del_att(file, NC_GLOBAL, "dose_definition"));
    NC(nc_close(file));
    cli_assert_error(cli_try(cli_change(job, "initial.from = 'both'; dose.definitions = ['cem43']")),
                     CONFIGURATION, false, "does not state the definition of its dose");
}

// Numbers that no run writes: the variable and the cell.
TEST(test_states_that_cannot_be)
{
    static const struct {
        const char *variable, *fragment;
        double value;
    } rows[] = {
        {"rise", "rise[2717] (index in [z][y][x] order) is -400: a temperature below absolute zero", -400},
        {"dose", "dose[2717] (index in [z][y][x] order) is -1: negative", -1},
        {"second_dose", "second_dose[2717] (index in [z][y][x] order) is -0.5: negative", -0.5},
        {"dose", "dose[2717] (index in [z][y][x] order) is nan: missing", NAN},
        {"largest_rise", "largest_rise[2717] (index in [z][y][x] order) is -5: less than the rise", -5},
        {"largest_rise", "largest_rise[2717] (index in [z][y][x] order) is -inf: not finite", -INFINITY},
        {"largest_at", "largest_at[2717] (index in [z][y][x] order) is 99: later than the state", 99}};
    cJSON *job = cli_change(job_on("openmp", "double", "none"),
                            "delete dose.definition; dose.definitions = ['cem43', 'cem43-from-39']; "
                            "time.duration = '2 s'; source.boxes.times = ['0 s', '1 s']");
    run(job, "first");
    cli_change(job, "initial = {'from': 'first'}; output.directory = 'next'");
    for (size_t k = 0; k < COUNT(rows); k++) {
        int file, variable;
        double before;
        const size_t at[3] = {6, 5, 5}; // ((6 · 18) + 5) · 24 + 5
        NC(nc_open(cli_path("first/state.nc"), NC_WRITE, &file));
        NC(nc_inq_varid(file, rows[k].variable, &variable));
        NC(nc_get_var1_double(file, variable, at, &before));
        NC(nc_put_var1_double(file, variable, at, &rows[k].value));
        NC(nc_close(file));
        cli_assert_error(cli_try(job), DATA, false, "first/state.nc", rows[k].fragment);
        NC(nc_open(cli_path("first/state.nc"), NC_WRITE, &file));
        NC(nc_put_var1_double(file, variable, at, &before));
        NC(nc_close(file));
    }
    cli_run_job(job);
}

static void refused(cJSON *job, int code, const char *a, const char *b)
{
    cli_assert_error(cli_try(job), code, false, "initial.from", a, b);
}

TEST(test_refusals)
{
    cJSON *job = cli_change(job_on("openmp", "single", "kwave"), "time.duration = '2 s'");
    run(job, "first");
    run(cli_change(job, "output.state = false"), "no-state");
    refused(cli_change(job, "output.directory = 'next'; initial = {'from': 'nowhere'}"), NO_INPUT,
            "nowhere/state.nc", "such file");
    refused(cli_change(job, "initial = {'from': 'no-state'}"), NO_INPUT, "no-state/state.nc", "output.state");
    cli_assert_error(cli_try(cli_change(job, "initial = {'from': 'first', 'temperature': '37 degC'}")),
                     CONFIGURATION, false, "initial");
    cli_change(job, "initial = {'from': 'first'}");
    cJSON *other =
        cli_change(cJSON_Duplicate(job, true),
                   "domain = {'uniform': {'tissue': 'brain', 'cells': {'x': 24, 'y': 18, 'z': 14}, "
                   "'spacing': '1 mm'}}; delete tissues; delete time.step; delete output.sensors");
    refused(other, DATA, "15 cells along z", "14");
    refused(cli_change(other, "domain.uniform.cells.z = 15; domain.uniform.spacing = '2 mm'"), DATA,
            "grids must be the same", "state.nc");
    cJSON_Delete(other);
    // A dose that continues needs one to start from.
    run(cli_change(job, "delete initial; delete dose; output.state = true; delete output.fields; "
                        "source.boxes.times = ['0 s', '1 s']"),
        "cold");
    cli_assert_error(
        cli_try(cli_change(
            job, "initial = {'from': 'cold'}; dose.definition = 'kwave'; output.directory = 'next'")),
        CONFIGURATION, false, "cold/state.nc has no dose, but this run continues that by cem43-from-37");
    cli_truncate("first/state.nc", 0.6);
    refused(cli_change(job, "initial = {'from': 'first'}"), DATA, "first/state.nc", "");
}

// ---- an earlier run that was not judged

static void assert_not_judged(const char *directory, const char *earlier, const char *why)
{
    const cJSON *report = cli_read_json(format_text("%s/run.json", directory));
    assert_string_equal(cli_text(report, "findings.0.verdict"), "not judged");
    assert_has(cli_text(report, "findings.0.message"), "earlier run ");
    assert_has(cli_text(report, "findings.0.message"), format_text("%s: %s", earlier, why));
    assert_true(cli_has_warning(directory, "initial.from: the run continues one that is not judged", why));
    assert_has(cli_text(report, "continues.not_judged"), why);
    assert_string_equal(cli_text(report, "thermal_safety.tissues.0.reason"),
                        "not judged (the run continues one that did not pass)");
}

static double lacking(const char *directory)
{
    size_t count;
    return cli_read_variable(format_text("%s/state.nc", directory), "lacking", &count, NULL)[0];
}

static void compare_message(const char *what)
{
    (void)what;
    assert_not_judged("out", "first", "heat in layers of fixed faces is left out");
}

// A source that warms nothing much, and the same in the layers of fixed faces, in air, or for longer than the
// run.
TEST(test_what_was_not_judged_stays_so)
{
    static const char points[] =
        "{'points': {'at': [{'x': %d, 'y': %d, 'z': %d}, {'x': 12, 'y': 9, 'z': 9}], "
        "'values': [[1e3, 1e3]], 'units': 'W m-3', 'times': ['0 s'], 'after_end': "
        "'last'}}";
    static const struct {
        const char *change, *why;
        int cell[3], lacks;
    } rows[] = {
        {"title = 'layers'", "heat in layers of fixed faces is left out", {1, 9, 9}, 4},
        {"domain.faces.all.kind = 'insulated'", "heat in air or cells of fixed temperature", {1, 1, 1}, 8},
        {"delete source.points; source.boxes = {'at': [{'first': {'x': 9, 'y': 7, 'z': 7}, "
         "'last': {'x': 12, 'y': 10, 'z': 11}}], 'values': [[1e3], [0]], 'units': 'W m-3', 'times': ['0 s', "
         "'9 "
         "s'], 'after_end': 'last'}",
         "it ends before its plan",
         {9, 9, 9},
         2},
        {"delete source.points; source.stream = {'file': 'heating.nc', 'amplitude': 1e-3}",
         "heat in layers of fixed faces is left out",
         {9, 9, 9},
         4},
    };
    bioheat_job_write_stream(5, 1);
    for (size_t k = 0; k < COUNT(rows); k++) {
        char source[400];
        snprintf(source, sizeof source, points, rows[k].cell[0], rows[k].cell[1], rows[k].cell[2]);
        cJSON *job = cli_change(bioheat_job(),
                                "time.duration = '2 s'; delete output.fields; domain.faces.all.kind "
                                "= 'fixed'; source = %s",
                                source);
        run(cli_change(job, "%s", rows[k].change), "first");
        assert_int_equal(lacking("first"), rows[k].lacks);
        assert_has(cli_attribute("first/state.nc", NULL, "lacking_reasons"), rows[k].why);
        run(cli_change(job, "delete source; delete initial; initial.from = 'first'; domain.faces.all.kind = "
                            "'insulated'"),
            "second");
        assert_not_judged("second", "first", rows[k].why);
        assert_int_equal(lacking("second"), 32);
        assert_string_equal(cli_attribute("second/state.nc", NULL, "lacking_reasons"),
                            "a run before it (lacking_before)");
        run(cli_change(job, "initial.from = 'second'"), "third");
        assert_not_judged("third", "first", rows[k].why);
    }
}

TEST(test_what_was_not_judged_stays_so_across_a_stop)
{
    cJSON *job =
        cli_change(bioheat_job(), "time.duration = '2 s'; delete output.fields; delete domain.faces; "
                                  "source = {'points': {'at': [{'x': 1, 'y': 9, 'z': 9}], 'values': "
                                  "[[1e3]], 'units': 'W m-3', 'times': ['0 s'], 'after_end': 'last'}}");
    run(job, "first");
    cli_change(job, "delete source; delete initial; initial.from = 'first'; time.duration = '40 s'; "
                    "output.directory = 'out'");
    stopped_run(job, "continued", 20, compare_message);
}

// One that was judged leaves no trace; a state that does not say is not trusted.
TEST(test_what_was_judged_is_judged)
{
    cJSON *job =
        cli_change(bioheat_job(), "time.duration = '2 s'; delete output.fields; source.boxes.values = "
                                  "[[1e3], [0]]; source.boxes.times = ['0 s', '1 s']");
    run(job, "first");
    assert_true(lacking("first") == 0);
    run(cli_change(job, "delete source; delete initial; initial.from = 'first'"), "second");
    assert_true(lacking("second") == 0);
    assert_string_equal(cli_text(cli_read_json("second/run.json"), "findings.0.verdict"), "passed");
    int file, variable;
    NC(nc_open(cli_path("first/state.nc"), NC_WRITE, &file));
    NC(nc_inq_varid(file, "lacking", &variable));
    NC(nc_put_var_double(file, variable, (double[]){0.5}));
    NC(nc_close(file));
    cli_assert_error(cli_try(cli_change(job, "output.directory = 'third'")), DATA, false, "first/state.nc",
                     "lacking is 0.5: expected a whole number");
    NC(nc_open(cli_path("first/state.nc"), NC_WRITE, &file));
    NC(nc_rename_var(file, variable, "other"));
    NC(nc_close(file));
    cli_remove("first/run.json"); // with its checksum
    run(job, "third");
    assert_not_judged("third", "first", "its state does not say");
}

TEST_MAIN(cli_setup, cli_teardown)
