// The validation's case of a unit source of NOAA's, with files in NOAA's form from runs of the program itself
// by another method on another grid: it passes with the waves as they are and fails with half as much again.
// It is skipped without a file, saying where to get one; bad files are reported in one line. Skipped where
// the ocean's depths are not there.
#include "tests/support/cli_fixture.h"
#include "tests/support/netcdf_maker.h"
#include "tests/support/test.h"

#include <sys/stat.h>

static const char table[] =
    "# name, URL, longitude, latitude, slip, strike, dip, depth, length, width, rake\n"
    "acszb13, http://nowhere/ac_013_b_ha.nc, 179.842, 51.085, 1.0, 271.0, 15.0, 5.0, 100.0, 50.0, 90.0\n"
    "kiszb26, http://nowhere/ki_026_b_ha.nc, 143.293, 38.52536, 1.0, 188.0, 19.0, 5.0, 100.0, 50.0, 90.0\n";
static const char file[] = "data/sift/ki_026_b_ha.nc";

// The waves of a unit source off Tohoku at two buoys, every 16 arc-minutes and each minute.
static void make_file_of_noaa(void)
{
    if (access("/usr/share/ferret-vis/data/etopo5.cdf", R_OK) != 0)
        skip();
    cJSON *job = cli_json(
        "{'fathom': 1, 'model': 'tsunami', 'precision': 'double', 'method': 'vtcs2', 'domain': "
        "{'bathymetry': {'file': 'etopo5.cdf', 'variable': 'ROSE', 'positive': 'up'}, 'longitude': ['140 "
        "degree', '155 degree'], 'latitude': ['34 degree', '45 degree'], 'spacing': '4 arcmin'}, 'physics': "
        "{'coriolis': true, 'manning_n': 0.025, 'wall_depth': '20 m'}, 'source': {'sift': {'table': "
        "'data/sift/info_sz.dat.txt', 'slips': {'kiszb26': 1}}}, 'time': {'duration': '100 min', 'step': "
        "'10 s'}, 'output': {'directory': 'out', 'fields': {'every': '1 min', 'variables': ['eta'], "
        "'stride': 4}, 'maxima': false}, 'memory': {'host': '1 GB'}}");
    assert_int_equal(mkdir(cli_path("data"), 0700), 0);
    assert_int_equal(mkdir(cli_path("data/sift"), 0700), 0);
    cli_write_text("data/sift/info_sz.dat.txt", table);
    cli_run_job(job);
    (void)cli_do("convert out/fields.nc data/sift/ki_026_b --as propagation");
}

// Multiplies the elevations.
static void scale(double factor)
{
    int id, variable, dimensions[NC_MAX_VAR_DIMS];
    size_t count = 1;
    NC(nc_open(cli_path(file), NC_WRITE, &id));
    NC(nc_inq_varid(id, "HA", &variable));
    NC(nc_inq_vardimid(id, variable, dimensions));
    for (int k = 0; k < 3; k++) {
        size_t length;
        NC(nc_inq_dimlen(id, dimensions[k], &length));
        count *= length;
    }
    double *values = calloc(count, sizeof *values);
    assert_non_null(values);
    NC(nc_get_var_double(id, variable, values));
    for (size_t k = 0; k < count; k++)
        values[k] *= values[k] > -1e30 ? factor : 1;
    NC(nc_put_var_double(id, variable, values));
    NC(nc_close(id));
    free(values);
}

static void set_units(const char *units)
{
    int id, variable;
    NC(nc_open(cli_path(file), NC_WRITE, &id));
    NC(nc_redef(id));
    NC(nc_inq_varid(id, "HA", &variable));
    NC(nc_put_att_text(id, variable, "units", strlen(units), units));
    NC(nc_close(id));
}

static void rename_variable(void)
{
    int id, variable;
    NC(nc_open(cli_path(file), NC_WRITE, &id));
    NC(nc_redef(id));
    NC(nc_inq_varid(id, "HA", &variable));
    NC(nc_rename_var(id, variable, "QA"));
    NC(nc_close(id));
}

// Returns the report of the case, which must have the verdict.
static const cJSON *validate(const char *data, const char *verdict)
{
    const cJSON *report =
        cli_output_json(cli_run("validate --json --data %s tsunami-field/unit-source", data));
    assert_string_equal(cli_text(report, "cases.0.verdict"), verdict);
    return report;
}

// Its reason has both texts, in one line.
static void assert_reason(const char *data, const char *verdict, const char *one, const char *other)
{
    const char *reason = cli_text(validate(data, verdict), "cases.0.reason");
    assert_has(reason, one, other);
    assert_null(strchr(reason, '\n'));
}

static int count_verdicts(const cJSON *report, const char *quantity, const char *verdict)
{
    const cJSON *result;
    int count = 0;
    cJSON_ArrayForEach(result, cli_item(report, "cases.0.results")) count +=
        strstr(cli_text(result, "quantity"), quantity) && strcmp(cli_text(result, "verdict"), verdict) == 0;
    return count;
}

TEST(test_waves)
{
    make_file_of_noaa();
    const cJSON *report = validate("data", "passed");
    assert_int_equal(count_verdicts(report, "arrival", "passed"), 2);
    assert_int_equal(count_verdicts(report, "crest to trough", "passed"), 2);
    scale(1.5);
    report = validate("data", "failed");
    assert_int_equal(count_verdicts(report, "arrival", "passed"), 2);
    assert_int_equal(count_verdicts(report, "crest to trough", "failed"), 2);
}

// Where files are looked for, and what is wrong with some.
TEST(test_files)
{
    const char *folders = getenv("FATHOM_DATA");
    char *before = folders ? strdup(folders) : NULL;
    assert_reason(".", "skipped", "sift/ac_013_b_ha.nc",
                  "https://sift.pmel.noaa.gov/ComMIT/compressed/ac_013_b_ha.nc");
    make_file_of_noaa();
    assert_int_equal(rename(cli_path(file), cli_path("data/sift/AC_013_B_HA.NC")), 0);
    assert_int_equal(setenv("FATHOM_DATA", "nowhere:data", 1), 0);
    assert_reason(".", "failed", "AC_013_B_HA.NC", "does not contain the source acszb13");
    assert_int_equal(before ? setenv("FATHOM_DATA", before, 1) : unsetenv("FATHOM_DATA"), 0);
    free(before);
    assert_int_equal(rename(cli_path("data/sift/AC_013_B_HA.NC"), cli_path(file)), 0);
    set_units("KELVIN");
    assert_reason("data", "failed", file, "KELVIN");
    set_units("CENTIMETERS");
    rename_variable();
    assert_reason("data", "failed", file, "no variable eta or HA");
    cli_truncate(file, 0.5);
    assert_reason("data", "failed", file, "truncated");
    assert_int_equal(rename(cli_path(file), cli_path("data/sift/xx_001_a_ha.nc")), 0);
    assert_reason("data", "failed", "info_sz.dat.txt", "no unit source \"xxsza1\"");
    cli_remove("data/sift/info_sz.dat.txt");
    assert_reason("data", "skipped", "sift/info_sz.dat.txt", "data/fetch-benchmarks");
}

TEST_MAIN(cli_setup, cli_teardown)
