// `fathom combine`, `convert --as propagation` and `compare` with NOAA's files, on runs of the program
// itself: what the sum of unit sources leaves of the whole run is of second order in the slips; NOAA's form
// and back is the same to single precision; files as NOAA's are a reference, whatever their units, order and
// spacing; what is wrong is reported in one line.
#include "models/tsunami/forecast/far_field.h"
#include "tests/support/cli_fixture.h"
#include "tests/support/numbers.h"
#include "tests/support/propagation_fixture.h"
#include "tests/support/report_page.h"
#include "tests/support/test.h"

static const char table[] =
    "# name, URL, longitude, latitude, slip, strike, dip, depth, length, width, rake\n"
    "tssza1, http://nowhere/ts_001_a_ha.nc, 145.0, 34.0, 1.0, 195.0, 14.0, 20.0, 100.0, 50.0, 90.0\n"
    "tsszb1, http://nowhere/ts_001_b_ha.nc, 145.6, 33.9, 1.0, 195.0, 10.0, 8.0, 100.0, 50.0, 90.0\n";

// Two unit sources, in double precision, each minute, with gauges.
static cJSON *source_job(const char *slips, const char *directory)
{
    cJSON *job = cli_sea_job();
    cli_write_text("table.txt", table);
    cli_write_gauges("gauges.json");
    cli_change(job,
               "delete source; source.sift.table = 'table.txt'; source.sift.slips = %s; precision = "
               "'double'; time.duration = '10 min'; output.fields.every = '1 min'; output.gauges = {'file': "
               "'gauges.json', 'every': '1 min'}; output.directory = '%s'",
               slips, directory);
    return job;
}

static void run_source(const char *slips, const char *directory)
{
    cli_run_job(source_job(slips, directory));
}

static int make_database(void **state)
{
    cli_setup(state);
    run_source("{'tssza1': 1}", "database/first");
    run_source("{'tsszb1': 0.5}", "database/second");
    return 0;
}

static void combine_well(const char *slips, const char *directory)
{
    cli_do("combine --slips %s database -o %s", slips, directory);
}

// A number attribute; `otherwise` without it.
static double number_of(const char *file, const char *variable, const char *attribute, double otherwise)
{
    int ncid, id;
    double value = otherwise;
    NC(nc_open(cli_path(file), NC_NOWRITE, &ncid));
    NC(nc_inq_varid(ncid, variable, &id));
    if (nc_get_att_double(ncid, id, attribute, &value) != NC_NOERR)
        value = otherwise;
    NC(nc_close(ncid));
    return value;
}

// As the file's attributes say: rounded numbers are stored as integers.
static double *read_numbers(const char *file, const char *variable, size_t *count)
{
    double *values = cli_read_variable(file, variable, count, NULL);
    const double scale = number_of(file, variable, "scale_factor", 1),
                 offset = number_of(file, variable, "add_offset", 0),
                 missing = number_of(file, variable, "_FillValue", NAN);
    for (size_t k = 0; k < *count; k++)
        values[k] = values[k] == missing ? NAN : scale * values[k] + offset;
    return values;
}

static double largest_difference(const char *one, const char *other, const char *variable, double *largest)
{
    size_t count, other_count;
    double *a = read_numbers(one, variable, &count), *b = read_numbers(other, variable, &other_count);
    assert_int_equal(count, other_count);
    double most = 0;
    *largest = 0;
    for (size_t k = 0; k < count; k++) {
        assert_true(isnan(a[k]) == isnan(b[k]));
        most = isnan(a[k]) ? most : fmax(most, fabs(a[k] - b[k]));
        *largest = isnan(b[k]) ? *largest : fmax(*largest, fabs(b[k]));
    }
    return most;
}

// The solver's equations are not linear: what remains must fall with the square of the slips, and be small
// beside the wave. At a hundredth of the slip it is a hundredth of that share.
TEST_WITH(sum_of_runs, cli_setup, cli_teardown)
{
    static const double scales[] = {10, 0.1}; // m: far above the rounding of the results
    double shares[2][2];
    for (int k = 0; k < 2; k++) {
        char sources[2][64];
        snprintf(sources[0], sizeof sources[0], "{\"tssza1\": %g}", scales[k]);
        snprintf(sources[1], sizeof sources[1], "{\"tsszb1\": %g}", 0.5 * scales[k]);
        run_source(sources[0], "database/first");
        run_source(sources[1], "database/second");
        combine_well(format_text("tssza1=%g,tsszb1=%g", 1.3 * scales[k], -0.7 * scales[k]), "sum");
        run_source(format_text("{\"tssza1\": %g, \"tsszb1\": %g}", 1.3 * scales[k], -0.7 * scales[k]),
                   "whole");
        static const char *const files[2][2] = {{"sum/fields.nc", "whole/fields.nc"},
                                                {"sum/gauges.nc", "whole/gauges.nc"}};
        for (int f = 0; f < 2; f++) {
            double largest;
            const double difference = largest_difference(files[f][0], files[f][1], "eta", &largest);
            shares[f][k] = difference / largest;
        }
    }
    for (int f = 0; f < 2; f++) {
        if (!(shares[f][0] < 2e-3 && shares[f][0] > 0))
            fail_msg("the sum differs by %g of the wave", shares[f][0]);
        const double ratio = shares[f][0] / shares[f][1];
        if (!(ratio > 70 && ratio < 140))
            fail_msg("a hundredth of the slip: a share of %g and %g, not a hundred times less", shares[f][0],
                     shares[f][1]);
    }
}

// A source with its own slip is its run, bit for bit; the record lists its components; a report is
// drawn.
TEST(identity)
{
    combine_well("tsszb1=0.5", "same");
    cli_assert_same_data("same/fields.nc", "database/second/fields.nc");
    cli_assert_same_data("same/gauges.nc", "database/second/gauges.nc");
    assert_string_equal(cli_attribute("same/fields.nc", "time", "units"),
                        cli_attribute("database/second/fields.nc", "time", "units"));
    assert_true(cli_run_number("same", "source.sift.slips.tsszb1") == 0.5);
    assert_true(cli_run_number("same", "grid.nx") == 40);
    assert_int_equal(cli_count(cli_read_json("same/run.json"), "gauges"), 3);
    assert_false(cli_exists("same/partial"));
    cli_do("report same --size 500x400");
    assert_true(cli_exists("same/report.html"));
    // The sum is a source itself, of the slip that it was made with.
    cli_do("combine --slips tsszb1=2 . -o deep/four");
    double largest[2];
    assert_true(largest_difference("deep/four/fields.nc", "same/fields.nc", "u", &largest[0]) > 0);
    (void)largest_difference("same/fields.nc", "database/second/fields.nc", "u", &largest[1]);
    assert_true(largest[1] > 0 && fabs(largest[0] - largest[1]) == 0);
}

static void assert_error_is_stated(const char *folder, double slip_share, double resolution)
{
    static const char *const variables[3] = {"eta", "u", "v"};
    const char *file = format_text("%s/fields.nc", folder);
    for (int v = 0; v < 3; v++) {
        double largest;
        const double error = largest_difference(file, "exact/fields.nc", variables[v], &largest),
                     bound = slip_share * 0.5e-3 + 0.5 * resolution;
        print_message("%s: %s is off by %g, stated %g\n", folder, variables[v], error, bound);
        assert_true(error > 1e-5 && error <= bound * 1.000001);
        assert_true(fabs(number_of(file, variables[v], "largest_rounding_error", NAN) - bound) < 1e-15);
        assert_true(number_of(file, variables[v], "scale_factor", 0) == resolution);
    }
}

// Members whose fields were rounded: the sum is rounded as they are, and states the slips' share of their
// errors and its own. One that lost its end is refused with one line.
TEST(rounded_members)
{
    static const char *const names[2] = {"first", "second"}, *const slips[2] = {"{'tssza1': 1}",
                                                                                "{'tsszb1': 0.5}"};
    for (int k = 0; k < 2; k++)
        cli_run_job(cli_change(source_job(slips[k], format_text("rounded/%s", names[k])),
                               "output.fields.resolution = {'elevation': '1 mm', 'velocity': '1 mm/s'}"));
    combine_well("tssza1=2,tsszb1=-1", "exact");
    cli_do("combine --slips tssza1=2,tsszb1=-1 rounded -o near");
    assert_error_is_stated("near", 2 + 1 / 0.5, 1e-3);
    assert_true(fabs(cli_run_number("near", "largest_rounding_error_eta_m") - 2.5e-3) < 1e-15);
    cli_do("combine --slips tssza1=2,tsszb1=-1 rounded -o plain --unrounded");
    assert_error_is_stated("plain", 2 + 1 / 0.5, 0);
    size_t rounded_bytes, plain_bytes;
    (void)folder_read("near/fields.nc", &rounded_bytes);
    (void)folder_read("plain/fields.nc", &plain_bytes);
    print_message("%zu bytes rounded, %zu in double precision\n", rounded_bytes, plain_bytes);
    assert_true(3 * rounded_bytes < plain_bytes);
    // A source with its own slip is its run, bit for bit.
    cli_do("combine --slips tsszb1=0.5 rounded -o same-rounded");
    cli_assert_same_data("same-rounded/fields.nc", "rounded/second/fields.nc");
    cli_assert_same_data("near/gauges.nc", "exact/gauges.nc"); // they are not rounded
    folder_shell("truncate -s -3000 %s", cli_path("rounded/second/fields.nc"));
    cli_assert_error(cli_run("combine --slips tssza1=2,tsszb1=-1 rounded -o cut"), 65, false,
                     "rounded/second/fields.nc");
}

// A fit's far-field delay goes into the sum's gauges, source by source; what it did else is not silent.
TEST(slips_of_a_fit)
{
    size_t count, shape[4];
    static const char slips[] = "{'fathom_slips': 1, 'slips': {'tsszb1': 1}, 'fit': {%s}}";
    const struct far_field sea = {.depth_m = 4000};
    cli_write_json("far.json", slips, "'far_field_depth_m': 4000");
    cli_write_json("late.json", slips, "'delay_s': 80, 'stations': [{'name': 'a', 'shift_s': -16}]");
    cli_write_json("bad.json", slips, "'far_field_depth_m': 'deep'");
    const struct cli_result *result = cli_do("combine --slips far.json database -o far");
    assert_has(result->error, "the gauges are corrected for the far field over an ocean of 4000 m",
               "fields and maxima are not");
    assert_near("depth", cli_run_number("far", "combination.far_field_depth_m"), 4000, 0);
    cli_assert_error(cli_run("report far --far-field '4 km'"), 64, false, "are corrected already");
    double *eta = cli_read_variable("database/second/gauges.nc", "eta", &count, shape);
    double *found = cli_read_variable("far/gauges.nc", "eta", &count, NULL);
    double *times_s = cli_read_values("far/gauges.nc", "time", shape[0]), largest_change_m = 0;
    for (size_t s = 0; s < shape[1]; s++) {
        double series_m[64];
        assert_true(shape[0] <= COUNT(series_m));
        for (size_t k = 0; k < shape[0]; k++)
            series_m[k] = eta[k * shape[1] + s] / 0.5;
        assert_int_equal(far_field_correct(&sea, times_s, series_m, shape[0]), STATUS_OK);
        for (size_t k = 0; k < shape[0]; k++) {
            assert_near("corrected", found[k * shape[1] + s], series_m[k], 1e-9);
            largest_change_m =
                fmax(largest_change_m, fabs(found[k * shape[1] + s] - 2 * eta[k * shape[1] + s]));
        }
    }
    assert_true(largest_change_m > 1e-4);
    cli_do("combine --slips tsszb1=1 --far-field '4 km' database -o same-far");
    cli_assert_same_data("same-far/gauges.nc", "far/gauges.nc");
    result = cli_do("combine --slips late.json database -o late");
    assert_has(result->error, "the sum has no shifts", "delayed all waves by 80 s");
    assert_null(
        strstr(cli_do("combine --slips late.json database -o late --origin '2011-03-11 05:47:44'")->error,
               "delayed"));
    cli_assert_error(cli_run("combine --slips bad.json database -o none"), 65, false,
                     "far_field_depth_m: expected a number");
}

TEST(noaa_and_back)
{
    cli_do("convert database/first/fields.nc ts_001_a --as propagation");
    static const char *const files[] = {"ts_001_a_ha.nc", "ts_001_a_ua.nc", "ts_001_a_va.nc"};
    for (int k = 0; k < 3; k++) {
        cli_do("compare database/first/fields.nc %s --relative 1.2e-7", files[k]);
        cli_do("compare %s database/first/fields.nc --relative 1.2e-7", files[k]);
    }
    cli_do("combine --slips tssza1=1 . -o deep/back");
    cli_do("compare deep/back/fields.nc database/first/fields.nc --relative 2.4e-7");
    assert_string_equal(cli_attribute("deep/back/fields.nc", "eta", "units"), "m");
    cli_do("combine --slips tssza1=1 database -o out --noaa again");
    cli_do("compare again_va.nc ts_001_a_va.nc");
    cli_remove("out"); // which is a tssza1, too
    // What is read is not written over; elevations alone take away the velocities of the source before.
    cli_assert_error(cli_run("combine --slips tssza1=1 . -o deep/same --noaa ts_001_a"), 73, false,
                     "ts_001_a_ha.nc: is the input itself");
    cli_assert_error(cli_run("convert again_ha.nc again --as propagation"), 73, false,
                     "again_ha.nc: is the input itself");
    cli_do("convert again_ha.nc ts_001_a --as propagation");
    assert_true(cli_exists("ts_001_a_ha.nc") && !cli_exists("ts_001_a_ua.nc") &&
                !cli_exists("ts_001_a_va.nc"));
}

// ---- compare with what stands for a local copy of the database

static double swell(double time_s, double latitude, double longitude)
{
    if (latitude > 32.7 && longitude < 141)
        return NAN;
    return round(800 * sin(0.01 * time_s + latitude) * cos(longitude)) / 1024;
}

static double other_swell(double time_s, double latitude, double longitude)
{
    return swell(time_s, latitude, longitude) +
           (time_s == 120 && latitude == 31.04 && longitude == 142.5 ? 0.25 : 0);
}

TEST_WITH(local_copy, cli_setup, cli_teardown)
{
    struct wave_file f = wave_file_of(false, swell);
    wave_file_write(cli_path("run.nc"), &f);
    f = wave_file_of(true, swell);
    f.turn = -360;
    f.is_north_first = true;
    f.has_missing_value = false; // -1e34 all the same
    wave_file_write(cli_path("copy.nc"), &f);
    cli_do("compare run.nc copy.nc");
    cli_do("compare copy.nc run.nc --variable HA --relative 1e-15");
    f.value = other_swell;
    f.units = "m";
    f.per_si = 1;
    wave_file_write(cli_path("copy.nc"), &f);
    const struct cli_result *result = cli_run("compare run.nc copy.nc");
    cli_assert_error(result, 1, false, "eta by up to 0.25 m");
    assert_has(result->output, "with HA of the reference (paired by NOAA's name)", "time[2] 120 seconds");
    // Every second node and time of the run's.
    f.value = swell;
    struct wave_file coarse = f;
    for (int k = 0; k < WAVE_COLUMNS; k++)
        coarse.longitudes[k] = f.longitudes[0] + 2 * (f.longitudes[k] - f.longitudes[0]);
    for (int k = 0; k < WAVE_ROWS; k++)
        coarse.latitudes[k] = k < 3 ? f.latitudes[2 * k] : 40 + k;
    for (int k = 0; k < WAVE_RECORDS; k++)
        coarse.times[k] = 2 * f.times[k];
    wave_file_write(cli_path("coarse.nc"), &coarse);
    cli_assert_error(cli_run("compare run.nc coarse.nc"), 65, false, "--overlap");
    cJSON *json = cli_output_json(cli_do("compare run.nc coarse.nc --overlap --json"));
    const cJSON *variable = cli_item(json, "variables.0");
    // 3 times, 3 rows, 4 columns; no node of these is land.
    assert_int_equal(cJSON_GetObjectItemCaseSensitive(variable, "compared")->valueint, 3 * 3 * 4);
    // Times between the run's.
    for (int k = 0; k < WAVE_RECORDS; k++)
        f.times[k] = 20 + 40 * k;
    wave_file_write(cli_path("between.nc"), &f);
    cli_do("compare run.nc between.nc --time linear --absolute 0.2");
    cli_do("compare run.nc between.nc --time nearest --absolute 0.4");
}

// The gauges are those of the whole sum, and no field is read or written.
TEST(gauges_alone)
{
    combine_well("tssza1=3,tsszb1=2", "whole");
    cli_do("combine --slips tssza1=3,tsszb1=2 --gauges-only database -o alone");
    cli_do("compare alone/gauges.nc whole/gauges.nc");
    assert_false(cli_exists("alone/fields.nc") || cli_exists("alone/maxima.nc"));
    cli_assert_error(cli_run("combine --slips tssza1=3 --gauges-only --noaa sum database -o none"), 64, false,
                     "--gauges-only");
    // A name without its member, and a member that is cut short.
    cli_assert_error(cli_run("combine --slips tssza1=3,tssza7=1 --gauges-only database -o none"), 65, false,
                     "no unit source \"tssza7\"");
    cli_copy("database/second/gauges.nc", "kept.nc");
    cli_truncate("database/second/gauges.nc", 0.5);
    cli_assert_error(cli_run("combine --slips tssza1=3,tsszb1=2 --gauges-only database -o none"), 65, false,
                     "database/second/gauges.nc");
    cli_copy("kept.nc", "database/second/gauges.nc");
    assert_false(cli_exists("none"));
}

// Uncompressed numbers of which one bit changed are numbers still: the checksums of their run show it.
TEST(changed_numbers)
{
    static const struct {
        const char *file, *others;
    } cases[] = {{"gauges.nc", "--gauges-only"}, {"fields.nc", ""}};
    for (size_t k = 0; k < COUNT(cases); k++) {
        const char *file = format_text("database/second/%s", cases[k].file);
        cli_copy(file, "kept.nc");
        cli_flip_byte(file, -400);
        cli_assert_error(
            cli_run(format_text("combine --slips tssza1=3,tsszb1=2 %s database -o none", cases[k].others)),
            DATA, false, file, "was damaged or changed after its run");
        assert_false(cli_exists("none"));
        cli_do("combine --slips tssza1=3 database -o first%zu", k); // the other source is whole
        cli_copy("kept.nc", file);
    }
    // Those of the sum show it, too.
    int file, id;
    NC(nc_open(cli_path("first1/maxima.nc"), NC_WRITE, &file));
    NC(nc_inq_varid(file, "max_eta", &id));
    NC(nc_put_var1_float(file, id, (const size_t[]){1, 2}, &(float){1.5f}));
    NC(nc_close(file));
    cli_assert_error(cli_run("report first1"), DATA, true,
                     "first1/maxima.nc: was damaged or changed after its run");
}

// A source whose results are getting their names may have files of two runs; so may the folder of the sum.
TEST(results_without_their_names)
{
    static const struct cli_refusal cases[] = {
        {"combine --slips tssza1=3,tsszb1=2 database -o none", 66, {"database/second: its run was ended"}},
        {"combine --slips tsszb1=2 --gauges-only database -o none", 66, {"files of two runs may lie here"}},
        {"combine --slips tssza1=3 database -o held", 66, {"held: its run was ended"}},
    };
    static const char *const folders[] = {"database/second", "held"};
    for (size_t k = 0; k < COUNT(folders); k++) {
        folder_shell("mkdir -p %s/partial/final", cli_path(folders[k]));
        cli_write_text(format_text("%s/partial/final/run.json", folders[k]), "{}");
    }
    CLI_ASSERT_REFUSED(cases);
    assert_false(cli_exists("none"));
    cli_remove("held");
    cli_remove("database/second/partial");
}

// A report of an earlier sum does not stay beside the new one, and a list of its files removes no result.
TEST(an_earlier_report_goes)
{
    combine_well("tssza1=3", "twice");
    write_earlier_report("twice", "fields.nc");
    cli_assert_error(cli_run("combine --slips tssza7=3 database -o twice"), DATA, false, "tssza7");
    assert_true(cli_exists("twice/report.html"));
    combine_well("tsszb1=2", "twice");
    assert_report_is_gone("twice", "fields.nc");
}

// ---- mistakes

TEST(refused)
{
    static const struct cli_refusal cases[] = {
        {"combine database", 64, {"combine needs --slips and --output"}},
        {"combine --slips tssza1=1 -o out", 64, {"combine needs one DATABASE"}},
        {"combine --list --slips tssza1=1 database", 64, {"--list adds nothing"}},
        {"combine --slips tssza1 -o out database", 66, {"--slips"}},
        {"combine --slips tssza1=x -o out database", 64, {"expected NAME=SLIP"}},
        {"combine --slips tssza2=1 -o out database",
         65,
         {"no unit source \"tssza2\" (did you mean tssza1?)"}},
        {"combine --slips tssza1=1 -o database/out database", 65, {"lies in the database"}},
        {"combine --slips tssza1=1 -o out nowhere", 66, {"nowhere: cannot be read"}},
        {"combine --slips tssza1=1 -o out database/first", 65, {"no unit source in it"}},
        {"combine --slips bad.json -o out database", 65, {"slips.tssza1: expected a number"}},
        {"combine --slips tssza1=1 -o out --memory '1 MB' database", 78, {"a record of 40 × 30 nodes needs"}},
        {"combine --memory much database", 78, {"--memory"}},
        {"convert sea.nc x --as propagation", 65, {"no variable eta or HA"}},
        {"convert database/first/fields.nc x --as propagation --compress", 64, {"takes no other option"}},
    };
    cli_write_json("bad.json", "{'fathom_slips': 1, 'slips': {'tssza1': '2'}}");
    CLI_ASSERT_REFUSED(cases);
    assert_false(cli_exists("out"));
    assert_false(cli_exists("x_ha.nc"));
    cli_truncate("database/second/fields.nc", 0.5);
    cli_assert_error(cli_run("combine --slips tssza1=1,tsszb1=1 -o out database"), 65, false,
                     "database/second/fields.nc");
    assert_false(cli_exists("out"));
    assert_int_equal(cJSON_GetArraySize(cli_output_json(cli_do("combine --list database --json"))), 2);
    assert_has(cli_do("combine --help")->output, "Usage: fathom combine");
}

// The job of the Pacific's database, as its queue runs it, on a grid of one degree for an hour: members that
// a batch made add up, and at each of the 545 places the sum is that of the members' series.
TEST_WITH(members_of_the_pacific_on_a_coarse_grid, cli_setup, cli_teardown)
{
    static const char grid[] = "/usr/share/ferret-vis/data/etopo5.cdf";
    if (access(grid, R_OK) != 0)
        skip_because("%s is missing: install ferret-datasets", grid);
    cli_write_text("table.txt", table);
    cli_write_json(
        "queue.json",
        "{'fathom_batch': 1, 'output': 'database', 'defaults': {'set': {'backend': 'openmp', "
        "'domain.spacing': '1 degree', 'time.duration': '1 h', 'output.fields.stride': 2, "
        "'source.sift.table': '%s'}}, 'jobs': [{'name': 'a', 'job': '%s/data/jobs/pacific-unit.json', "
        "'set': {'source.sift.slips': {'tssza1': 1}}}, {'name': 'b', 'job': "
        "'%s/data/jobs/pacific-unit.json', 'set': {'source.sift.slips': {'tsszb1': 1}}}]}",
        cli_path("table.txt"), TEST_SOURCE_DIRECTORY, TEST_SOURCE_DIRECTORY);
    cli_do("batch -q queue.json");
    cli_do("combine --slips tssza1=2,tsszb1=-0.5 database -o sum --gauges-only");
    assert_false(cli_exists("sum/fields.nc"));
    size_t count, other_count, shape[4];
    const double *sum = cli_read_variable("sum/gauges.nc", "eta", &count, shape),
                 *a = cli_read_variable("database/a/gauges.nc", "eta", &other_count, NULL),
                 *b = cli_read_variable("database/b/gauges.nc", "eta", &other_count, NULL);
    assert_true(count == other_count && shape[0] == 61 && shape[1] > 400);
    double largest = 0;
    for (size_t k = 0; k < count; k++) {
        assert_near("series", sum[k], 2 * a[k] - 0.5 * b[k], 1e-7);
        largest = fmax(largest, fabs(sum[k]));
    }
    assert_true(largest > 1e-3);
}

TEST_MAIN(make_database, cli_teardown)
