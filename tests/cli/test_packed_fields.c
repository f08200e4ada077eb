// Fields rounded to a resolution (output.fields.resolution): compared with the unrounded run by the bound
// that the file states, and read by other programs in the units of the quantity.
#include "tests/support/bioheat_job.h"
#include "tests/support/netcdf_maker.h"
#include "tests/support/test.h"

#include <math.h>

static double number_of(const char *file, const char *variable, const char *attribute)
{
    int ncid, id;
    double value;
    NC(nc_open(cli_path(file), NC_NOWRITE, &ncid));
    NC(nc_inq_varid(ncid, variable, &id));
    NC(nc_get_att_double(ncid, id, attribute, &value));
    NC(nc_close(ncid));
    return value;
}

// The integers of `rounded`, as the file's attributes have them read, against the numbers of `plain`,
// everywhere.
static void check_bound(const char *rounded, const char *plain, const char *variable, double resolution)
{
    size_t count, plain_count, moved = 0;
    double *stored = cli_read_variable(rounded, variable, &count, NULL);
    double *exact = cli_read_variable(plain, variable, &plain_count, NULL);
    assert_int_equal(count, plain_count);
    assert_true(number_of(rounded, variable, "scale_factor") == resolution);
    assert_true(number_of(rounded, variable, "largest_rounding_error") == 0.5 * resolution);
    const double missing = number_of(rounded, variable, "_FillValue");
    const double offset = number_of(rounded, variable, "add_offset");
    for (size_t k = 0; k < count; k++) {
        if (isnan(exact[k])) {
            assert_true(stored[k] == missing);
            continue;
        }
        const double value = stored[k] * resolution + offset;
        if (!(fabs(value - exact[k]) <= 0.5 * resolution * (1 + 1e-6)))
            fail_msg("%s: %zu: %.9g, expected %.9g", variable, k, value, exact[k]);
        moved += value != 0;
    }
    assert_true(moved > 100); // not all still
}

static cJSON *sea_job(const char *more)
{
    return cli_change(cli_sea_job(),
                      "output.fields.every = '60 s'; output.fields.variables = ['eta', 'u', 'v', "
                      "'speed', 'flux']; %s",
                      more);
}

TEST(test_waves)
{
    static const char *const rounded[4] = {"eta", "u", "v", "speed"};
    cli_run_job(sea_job("output.directory = 'plain'"));
    cli_run_job(sea_job("output.directory = 'rounded'; output.fields.resolution = {'elevation': '0.1 mm', "
                        "'velocity': '0.05 mm/s'}"));
    for (int v = 0; v < 4; v++)
        check_bound("rounded/fields.nc", "plain/fields.nc", rounded[v], v == 0 ? 1e-4 : 5e-5);
    // What has no resolution keeps its bits, and so does the rest of the run.
    cli_do("compare plain/fields.nc rounded/fields.nc --variable flux");
    cli_do("compare plain/maxima.nc rounded/maxima.nc");
    static const char script[] = "import sys\n"
                                 "try:\n"
                                 "    import xarray\n"
                                 "except ImportError:\n"
                                 "    sys.exit(0)\n"
                                 "a, b = (xarray.open_dataset(f) for f in sys.argv[1:])\n"
                                 "for v, most in ('eta', 0.5e-4), ('u', 2.5e-5):\n"
                                 "    assert a[v].attrs['units'] == b[v].attrs['units']\n"
                                 "    assert (a[v].isnull() == b[v].isnull()).all()\n"
                                 "    assert abs(a[v] - b[v].astype('f8')).max() <= most * 1.000001\n";
    const struct cli_result *result = cli_run_tool(
        "/usr/bin/python3", "-c", script, cli_path("rounded/fields.nc"), cli_path("plain/fields.nc"));
    if (result->exit_code != 0)
        fail_msg("%s", result->error);
}

TEST(test_heat)
{
    cli_run_job(cli_change(bioheat_job(), "output.directory = 'plain'"));
    cli_run_job(cli_change(bioheat_job(),
                           "output.directory = 'rounded'; output.fields.resolution.temperature = "
                           "'1 mK'"));
    check_bound("rounded/fields.nc", "plain/fields.nc", "temperature", 1e-3);
    cli_do("report rounded");
}

TEST(test_resolutions_that_are_refused)
{
    static const struct {
        const char *change, *key, *words;
    } cases[] = {
        {"output.fields.resolution.elevation = '0 mm'", "output.fields.resolution.elevation", "0 mm"},
        {"output.fields.resolution.elevation = '-1 mm'", "output.fields.resolution.elevation", "-1 mm"},
        {"output.fields.resolution.elevation = '0.1 s'", "output.fields.resolution.elevation", "s"},
        {"output.fields.resolution.elevation = 0.1", "output.fields.resolution.elevation", "unit"},
        {"output.fields.resolution.elevation = '1 fm'", "output.fields.resolution.elevation", "1 fm"},
        {"output.fields.resolution.velocity = '0.1 mm'", "output.fields.resolution.velocity", "mm"},
        {"output.fields.resolution = '0.1 mm'", "output.fields.resolution", ""},
        {"output.fields.variables = ['eta']; output.fields.resolution.velocity = '1 mm/s'",
         "output.fields.resolution.velocity", "u, v or speed"},
        {"delete output.fields; output.fields.resolution.elevation = '1 mm'",
         "output.fields.resolution.elevation", "output.fields.every"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        cli_assert_error(cli_try(sea_job(cases[k].change)), CONFIGURATION, false, cases[k].key,
                         cases[k].words);
    cli_assert_error(cli_try(cli_change(bioheat_job(), "output.fields.variables = ['dose']; "
                                                       "output.fields.resolution.temperature = '1 mK'")),
                     CONFIGURATION, false, "output.fields.resolution.temperature", "maximum");
}

TEST_MAIN(cli_setup, cli_teardown)
