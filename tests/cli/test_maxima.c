// maxima.nc: in the precision that output.precision asks for, absent where output.maxima is false; and the
// extremes of the whole run in run.json, which are not those of its last record.
#include "tests/support/bioheat_job.h"
#include "tests/support/netcdf_maker.h"
#include "tests/support/test.h"

enum { CELLS = BIOHEAT_JOB_Z * BIOHEAT_JOB_Y * BIOHEAT_JOB_X };

// All floating variables of a file.
static void assert_type(const char *name, nc_type expected)
{
    int file, count;
    NC(nc_open(cli_path(name), NC_NOWRITE, &file));
    NC(nc_inq_nvars(file, &count));
    for (int v = 0; v < count; v++) {
        int rank, coordinate;
        char variable[NC_MAX_NAME + 1];
        nc_type type;
        NC(nc_inq_var(file, v, variable, &type, &rank, NULL, NULL));
        if (rank < 2 || nc_inq_dimid(file, variable, &coordinate) == NC_NOERR)
            continue;
        if (type != expected)
            fail_msg("%s: %s is of type %d, expected %d", name, variable, (int)type, (int)expected);
    }
    NC(nc_close(file));
}

// In double precision the largest temperatures and doses of maxima.nc are those of the last frame, to the
// last bit.
TEST(test_heat_in_double)
{
    static const char *const names[][2] = {{"max_temperature", "maximum"}, {"dose", "dose"}};
    cJSON *job = cli_change(bioheat_job(), "precision = 'double'; output.precision = 'double'");
    cli_run_job(job);
    assert_type("out/maxima.nc", NC_DOUBLE);
    for (int k = 0; k < 2; k++) {
        size_t count;
        double *most = cli_read_values("out/maxima.nc", names[k][0], CELLS),
               *frames = cli_read_variable("out/fields.nc", names[k][1], &count, NULL);
        const double *last = frames + count - CELLS;
        bool needs_double = false;
        for (size_t c = 0; c < CELLS; c++) {
            if (!isnan(most[c]))
                assert_true(most[c] == last[c]);
            needs_double |= !isnan(most[c]) && (double)(float)most[c] != most[c];
        }
        assert_true(needs_double);
    }
    cli_run_job(cli_change(job, "output.precision = 'single'; output.directory = 'single'"));
    assert_type("single/maxima.nc", NC_FLOAT);
    cli_change(job, "output.maxima = false"); // the dose alone makes none
    cli_run_job(cli_change(job, "output.directory = 'none'"));
    assert_false(cli_exists("none/maxima.nc"));
}

TEST(test_waves_in_double)
{
    cJSON *job = cli_change(cli_sea_job(), "output.precision = 'double'");
    cli_run_job(job);
    assert_type("out/maxima.nc", NC_DOUBLE);
    assert_type("out/deformation.nc", NC_DOUBLE);
    cli_run_job(cli_change(job, "output.precision = 'single'; output.directory = 'single'"));
    assert_type("single/maxima.nc", NC_FLOAT);
    size_t count;
    bool needs_double = false;
    double *is_double = cli_read_variable("out/maxima.nc", "depth", &count, NULL),
           *is_single = cli_read_values("single/maxima.nc", "depth", count);
    for (size_t k = 0; k < count; k++) {
        assert_true(isnan(is_double[k]) ? isnan(is_single[k]) : is_single[k] == (double)(float)is_double[k]);
        needs_double |= !isnan(is_double[k]) && is_single[k] != is_double[k];
    }
    assert_true(needs_double);
    cli_run_job(cli_change(job, "delete output.arrival; output.maxima = false; output.directory = 'none'"));
    assert_false(cli_exists("none/maxima.nc"));
    // What is found from the maxima, or written beside them, needs them.
    cli_save_job(cli_change(job, "output.drawdown = '1 cm'"));
    cli_assert_error(cli_run("run job.json"), CONFIGURATION, false, "output.drawdown", "\"maxima\": true");
}

static double largest_in(const char *file, const char *variable)
{
    size_t count;
    double *values = cli_read_variable(file, variable, &count, NULL), largest = -INFINITY;
    for (size_t k = 0; k < count; k++)
        largest = fmax(largest, values[k]);
    return largest;
}

// JSON gives 15 digits.
static void assert_close(double a, double b)
{
    if (!(fabs(a - b) <= 1e-14 * fabs(b)))
        fail_msg("%.17g, expected %.17g", a, b);
}

// The wave is highest soon after the source, and run.json states it: under "run" what is known of every step,
// where maxima are kept, and under "records" the largest of the records of the diagnostics, over a stop too.
TEST(test_waves_of_the_whole_run)
{
    cJSON *job = cli_sea_job();
    cli_run_job(job);
    const double recorded_m = largest_in("out/diagnostics.nc", "max_abs_eta"),
                 highest_m = largest_in("out/maxima.nc", "max_eta"),
                 fastest_m_s = largest_in("out/maxima.nc", "max_speed");
    assert_true(fastest_m_s >= largest_in("out/diagnostics.nc", "max_speed"));
    const double run_m = cli_run_number("out", "diagnostics.records.max_abs_eta_m");
    assert_close(run_m, recorded_m);
    assert_close(cli_run_number("out", "diagnostics.run.max_eta_m"), highest_m);
    assert_close(cli_run_number("out", "diagnostics.run.max_speed_m_s"), fastest_m_s);
    assert_true(cli_run_number("out", "diagnostics.end.max_abs_eta_m") < 0.9 * run_m);
    cli_save_job(
        cli_change(job, "delete output.arrival; output.maxima = false; output.directory = 'stopped'"));
    // Stopped after its first steps, when the wave is highest: the part after the stop alone does not know
    // that.
    assert_int_equal(cli_run("run -q --time-limit '1 ns' job.json")->exit_code, STOPPED);
    cli_do("run -q --resume job.json");
    assert_close(cli_run_number("stopped", "diagnostics.records.max_abs_eta_m"), recorded_m);
}

TEST_MAIN(cli_setup, cli_teardown)

static bool has_variable(const char *name, const char *variable)
{
    int file, id;
    NC(nc_open(cli_path(name), NC_NOWRITE, &file));
    const bool has = nc_inq_varid(file, variable, &id) == NC_NOERR;
    NC(nc_close(file));
    return has;
}

static void assert_same_variable(const char *variable)
{
    size_t count, expected_count;
    double *found = cli_read_variable("some/maxima.nc", variable, &count, NULL),
           *expected = cli_read_variable("out/maxima.nc", variable, &expected_count, NULL);
    assert_int_equal(count, expected_count);
    assert_memory_equal(found, expected, count * sizeof *found);
}

// The variables that the job names have the bits that they have beside all others, in whatever order it names
// them; the others and their axes are not in the file.
TEST(test_named_variables)
{
    static const char *const all[] = {"depth",    "max_eta",        "time_of_max", "max_speed",
                                      "max_flux", "first_drawdown", "arrival"};
    static const char *const lists[] = {"['max_eta']", "['arrival', 'time_of_max']", "['first_drawdown']",
                                        "['max_flux', 'depth', 'max_speed']"};
    cJSON *job = cli_change(cli_sea_job(), "output.arrival = ['1 mm', '1 cm']; output.drawdown = '1 mm'");
    cli_run_job(job);
    cli_change(job, "output.directory = 'some'");
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        cli_change(job, "%s", format_text("output.maxima_variables = %s", lists[k]));
        cli_save_job(job);
        cli_do("run --quiet --restart job.json");
        for (size_t v = 0; v < sizeof all / sizeof *all; v++) {
            const bool is_wanted = strstr(lists[k], format_text("'%s'", all[v])) != NULL;
            assert_int_equal(has_variable("some/maxima.nc", all[v]), is_wanted);
            if (is_wanted)
                assert_same_variable(all[v]);
        }
        assert_int_equal(has_variable("some/maxima.nc", "threshold"), k == 1);
    }
}

TEST(test_variables_that_cannot_be)
{
    static const struct {
        const char *change, *said;
    } cases[] = {
        {"output.maxima_variables = ['max_depth']", "names nothing that the run has"},
        {"output.maxima_variables = []", "must name a variable"},
        {"output.maxima_variables = ['max_eta']; output.maxima = false", "needs \"maxima\": true"},
        {"output.maxima_variables = ['max_etta']", "max_etta"},
        {"output.maxima_variables = ['depth']; output.products = ['kml']", "need max_eta"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        cli_save_job(cli_change(cli_sea_job(), "%s", cases[k].change));
        cli_assert_error(cli_run("run --quiet job.json"), 78, true, "output.", cases[k].said);
    }
}
