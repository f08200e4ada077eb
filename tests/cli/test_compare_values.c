// fathom compare: figures, masks, storage, times, blocks. Files are written here with netCDF-C; figures are
// worked out by hand, or by numpy and xarray, which read the same files with their own eyes.
#include "tests/support/cli_fixture.h"
#include "tests/support/netcdf_maker.h"
#include "tests/support/sanitized.h"
#include "tests/support/test.h"
#include "validate/compare/compare.h"

#include <sys/wait.h>

#define assert_near(value, expected, tolerance)                                                              \
    do {                                                                                                     \
        const double have_ = (value), want_ = (expected);                                                    \
        if (!(fabs(have_ - want_) <= (tolerance)))                                                           \
            fail_msg("%s:%d: %.17g, expected %.17g", __FILE__, __LINE__, have_, want_);                      \
    } while (0)

// The report of the last run of the program, and the entry of a variable in it.
static cJSON *report_of(const struct cli_result *result)
{
    cJSON *report = cli_output_json(result);
    if (!report)
        fail_msg("no JSON, exit code %d: %s%s", result->exit_code, result->output, result->error);
    return report;
}

static const cJSON *entry_of(const cJSON *report, const char *variable)
{
    const cJSON *entry;
    cJSON_ArrayForEach(entry,
                       cJSON_GetObjectItem(report, "variables")) if (strcmp(cli_text(entry, "variable"),
                                                                            variable) == 0) return entry;
    fail_msg("%s is not in the report", variable);
    return NULL;
}

static double figure(const cJSON *report, const char *variable, const char *name)
{
    const cJSON *item = cJSON_GetObjectItem(entry_of(report, variable), name);
    if (!cJSON_IsNumber(item) && !cJSON_IsNull(item))
        fail_msg("%s of %s is not in the report", name, variable);
    return cJSON_IsNull(item) ? NAN : item->valuedouble;
}

static bool has_note(const cJSON *report, const char *variable, const char *fragment)
{
    const cJSON *note;
    cJSON_ArrayForEach(note,
                       cJSON_GetObjectItem(entry_of(report, variable),
                                           "notes")) if (strstr(note->valuestring, fragment)) return true;
    return false;
}

// Where a pair lies: index or coordinate of its k-th axis.
static double place(const cJSON *report, const char *variable, const char *which, int k, const char *name)
{
    const cJSON *location = cJSON_GetObjectItem(entry_of(report, variable), which);
    const cJSON *axis = cJSON_GetArrayItem(cJSON_GetObjectItem(location, "at"), k);
    const cJSON *item = cJSON_GetObjectItem(axis, name);
    if (!cJSON_IsNumber(item))
        fail_msg("%s of %s has no %s of axis %d", which, variable, name, k);
    return item->valuedouble;
}

// A line of values against x = 0, 10, 20, ...
static void write_line(const char *name, const char *units, size_t count, const double *values)
{
    double *x = owned_zeros((count + 1), sizeof *x);
    for (size_t k = 0; k < count; k++)
        x[k] = 10 * (double)k;
    const int file = make_file(cli_path(name), NC_NETCDF4), axis = make_axis(file, "x", "m", count, x);
    make_field(file, "eta", units, 1, &axis, values);
    NC(nc_close(file));
}

// ---- figures

TEST(figures_by_hand)
{
    write_line("a.nc", "m", 4, (double[]){1, 2, 3, 4});
    write_line("b.nc", "m", 4, (double[]){1, 2, 3, 6});
    const struct cli_result *result = cli_run("compare a.nc b.nc --json --tolerance 'eta=50 cm'");
    assert_int_equal(result->exit_code, 1);
    assert_has(result->error, "fathom: ");
    cJSON *report = report_of(result);
    assert_string_equal(cli_text(report, "verdict"), "differ");
    assert_near(figure(report, "eta", "compared"), 4, 0);
    assert_near(figure(report, "eta", "largest"), 2, 0);
    assert_near(figure(report, "eta", "rms"), 1, 0);
    assert_near(figure(report, "eta", "bias"), -0.5, 0);
    assert_near(figure(report, "eta", "relative_rms"), 1 / sqrt(12.5), 1e-15);
    assert_near(figure(report, "eta", "relative_largest"), 2.0 / 6, 1e-15);
    assert_near(figure(report, "eta", "correlation"), 8 / sqrt(70), 1e-15);
    assert_near(figure(report, "eta", "beyond_tolerance"), 1, 0);
    assert_near(place(report, "eta", "largest_at", 0, "run_index"), 3, 0);
    assert_near(place(report, "eta", "largest_at", 0, "coordinate"), 30, 0);
    assert_near(place(report, "eta", "first_beyond_tolerance", 0, "reference_index"), 3, 0);
}

// Random fields with holes in both, three dimensions; numpy's masked arrays as the judge.
static const char numpy_script[] =
    "import json, sys, netCDF4, numpy as np\n"
    "if sys.argv[1] == 'make':\n"
    "    rng = np.random.default_rng(5)\n"
    "    truth = rng.normal(3, 2, (5, 37, 41))\n"
    "    for name, noise, seed in (('a.nc', 0.01, 1), ('b.nc', 0, 2)):\n"
    "        with netCDF4.Dataset(name, 'w') as f:\n"
    "            for n, d in (('time', 5), ('lat', 37), ('lon', 41)):\n"
    "                f.createDimension(n, d)\n"
    "                v = f.createVariable(n, 'f8', (n,))\n"
    "                v.units = {'time': 's', 'lat': 'degrees_north', 'lon': 'degrees_east'}[n]\n"
    "                v[:] = np.arange(d)\n"
    "            v = f.createVariable('eta', 'f4', ('time', 'lat', 'lon'), fill_value=-999)\n"
    "            v.units = 'm'\n"
    "            data = truth + noise * rng.normal(size=truth.shape)\n"
    "            hole = np.random.default_rng(seed).random(truth.shape) < 0.1\n"
    "            v[:] = np.ma.array(data, mask=hole)\n"
    "else:\n"
    "    a, b = (np.ma.array(netCDF4.Dataset(n)['eta'][:]) for n in ('a.nc', 'b.nc'))\n"
    "    ma, mb = np.ma.getmaskarray(a), np.ma.getmaskarray(b)\n"
    "    x, y = (v.data.astype('f8')[~ma & ~mb] for v in (a, b))\n"
    "    d = x - y\n"
    "    full = np.where(~ma & ~mb, np.abs(a.data.astype('f8') - b.data.astype('f8')), -1)\n"
    "    rms = lambda v: float(np.sqrt(np.mean(v * v)))\n"
    "    print(json.dumps(dict(compared=int(d.size), missing_in_both=int((ma & mb).sum()),\n"
    "        missing_in_run_only=int((ma & ~mb).sum()), missing_in_reference_only=int((~ma & mb).sum()),\n"
    "        largest=float(np.abs(d).max()), at=[int(k) for k in np.unravel_index(full.argmax(), a.shape)],\n"
    "        rms=rms(d), bias=float(d.mean()), reference_rms=rms(y), relative_rms=rms(d) / rms(y),\n"
    "        relative_largest=float(np.abs(d).max() / np.abs(y).max()),\n"
    "        correlation=float(np.corrcoef(x, y)[0, 1]),\n"
    "        beyond_tolerance=int((np.abs(d) > 0.005 + 0.001 * np.abs(y)).sum()))))\n";

static bool run_python(const char *script, const char *argument)
{
    cli_write_text("script.py", script);
    const struct cli_result *result = cli_run_tool("/usr/bin/python3", "script.py", argument);
    if (result->exit_code == 0)
        return true;
    if (!strstr(result->error, "ModuleNotFoundError"))
        fail_msg("python: %s", result->error);
    return false;
}

static void assert_figures(const cJSON *report, const char *variable, const cJSON *expected)
{
    for (const cJSON *item = expected->child; item; item = item->next)
        if (cJSON_IsNumber(item))
            assert_near(figure(report, variable, item->string), item->valuedouble,
                        1e-11 * fabs(item->valuedouble) + 1e-15);
}

TEST(figures_of_numpy)
{
    if (!run_python(numpy_script, "make")) {
        skip_because("python3 with numpy and netCDF4 is not there");
    }
    cJSON *report = report_of(cli_run("compare a.nc b.nc --json --absolute 0.005 --relative '0.1 %%'"));
    cJSON *expected = report_of(cli_run_tool("/usr/bin/python3", "script.py", "judge"));
    assert_figures(report, "eta", expected);
    const cJSON *at = cJSON_GetObjectItem(expected, "at");
    for (int k = 0; k < 3; k++)
        assert_near(place(report, "eta", "largest_at", k, "run_index"),
                    cJSON_GetArrayItem(at, k)->valuedouble, 0);
    assert_true(figure(report, "eta", "beyond_tolerance") > 0);
    assert_true(figure(report, "eta", "missing_in_both") > 0);
}

// The reference as another program might have it: packed, in cm, x before time before y, from north to
// south, longitudes from −180, hours since another date in another spelling, every second time. xarray puts
// the two together by their labels.
static const char xarray_script[] =
    "import json, sys, numpy as np, xarray as xr\n"
    "if sys.argv[1] == 'make':\n"
    "    rng = np.random.default_rng(3)\n"
    "    lon, lat = np.linspace(150, 215, 27), np.linspace(-12, 20, 33)\n"
    "    eta = rng.normal(0, 1.5, (9, 33, 27)); eta[:, 4:9, 3:7] = np.nan\n"
    "    run = xr.Dataset({'eta': (('time', 'lat', 'lon'), eta.astype('f4'), dict(units='m',\n"
    "        standard_name='sea_surface_height_above_mean_sea_level'))},\n"
    "        dict(time=('time', 600.0 * np.arange(9), dict(units='seconds since 2011-03-11 05:46:24')),\n"
    "        lat=('lat', lat, dict(units='degrees_north')), lon=('lon', lon, dict(units='degrees_east'))))\n"
    "    run.to_netcdf('a.nc')\n"
    "    ref = run.isel(time=slice(1, None, 2), lat=slice(None, None, -1)) * 100\n"
    "    ref = ref.assign_coords(lon=(ref.lon + 180) % 360 - 180, time=ref.time / 3600 - 1).sortby('lon')\n"
    "    ref = ref.rename(eta='zeta', lon='x', lat='y').transpose('x', 'time', 'y')\n"
    "    ref.zeta.attrs = dict(units='cm', standard_name=run.eta.attrs['standard_name'])\n"
    "    ref.time.attrs = dict(units='hours since 2011-03-11T06:46:24Z')\n"
    "    ref.x.attrs, ref.y.attrs = dict(standard_name='longitude', units='degrees_east'), "
    "dict(units='degreeN')\n"
    "    ref.to_netcdf('b.nc', encoding=dict(zeta=dict(dtype='i2', scale_factor=0.5, _FillValue=-9999)))\n"
    "else:\n"
    "    a, b = (xr.open_dataset(n, decode_times=True) for n in ('a.nc', 'b.nc'))\n"
    "    b = b.zeta.rename(x='lon', y='lat')\n"
    "    b = b.assign_coords(lon=b.lon % 360, time=b.time.dt.round('s')).sortby('lon').sortby('lat')\n"
    "    a = a.eta.assign_coords(time=a.time.dt.round('s')).sel(time=b.time).transpose('time', 'lat', "
    "'lon')\n"
    "    b = b.transpose('time', 'lat', 'lon').astype('f8') / 100\n"
    "    assert np.allclose(a.lon, b.lon) and np.allclose(a.lat, b.lat)\n"
    "    x, y = a.values.astype('f8'), b.values\n"
    "    d, ok = x - y, ~np.isnan(x - y)\n"
    "    print(json.dumps(dict(compared=int(ok.sum()), missing_in_both=int((~ok).sum()), "
    "missing_in_run_only=0,\n"
    "        missing_in_reference_only=0, bias=float(d[ok].mean()), rms=float(np.sqrt((d[ok] ** "
    "2).mean())),\n"
    "        largest=float(np.nanmax(abs(d))), correlation=float(np.corrcoef(x[ok], y[ok])[0, 1]))))\n";

TEST(transposed_by_xarray)
{
    if (!run_python(xarray_script, "make")) {
        skip_because("python3 with numpy and xarray is not there");
    }
    cJSON *report = report_of(cli_run("compare a.nc b.nc --json"));
    cJSON *expected = report_of(cli_run_tool("/usr/bin/python3", "script.py", "judge"));
    // xarray unpacks in single precision: its steps of 0.005 m are that far off.
    for (const cJSON *item = expected->child; item; item = item->next)
        assert_near(figure(report, "eta", item->string), item->valuedouble, 1e-6);
    assert_near(figure(report, "eta", "compared"), 4 * (33 * 27 - 20), 0);
    assert_near(figure(report, "eta", "largest"), 0.0025, 2e-6);
    assert_true(has_note(report, "eta", "packed, in steps of 0.5 cm"));
    assert_true(has_note(report, "eta", "converted from \"cm\" to \"m\""));
    assert_true(has_note(report, "eta", "dimensions in another order"));
    assert_true(has_note(report, "eta", "axis lat runs the other way"));
    assert_true(has_note(report, "eta", "round the circle"));
    assert_string_equal(cli_text(entry_of(report, "eta"), "paired_by"), "standard_name");
    cli_do("compare a.nc b.nc --tolerance 'eta=2.501 mm'");
    assert_int_equal(cli_run("compare a.nc b.nc --tolerance 'eta=2.4 mm'")->exit_code, 1);
    // The other way round: in the other file's units, with the same figures.
    report = report_of(cli_run("compare b.nc a.nc --json"));
    assert_near(figure(report, "zeta", "largest"), 0.25, 2e-4);
    assert_near(figure(report, "zeta", "compared"), 4 * (33 * 27 - 20), 0);
    assert_near(figure(report, "zeta", "correlation"), cli_json_number(expected, "correlation"), 1e-9);
}

// ---- tolerances

TEST(tolerances)
{
    // Differences 0.25 of 1 and 0.5 of 4: exact in binary.
    write_line("a.nc", "m", 2, (double[]){1.25, 4.5});
    write_line("b.nc", "m", 2, (double[]){1, 4});
    static const struct {
        const char *option, *value;
        int code;
    } cases[] = {
        {"--absolute", "0.5", 0},         {"--absolute", "0.49", 1},       {"--absolute", "50 cm", 0},
        {"--tolerance", "eta=0.5", 0},    {"--tolerance", "eta=49 cm", 1}, {"--tolerance", "eta=0.5 m", 0},
        {"--relative", "25 %", 0},        {"--relative", "0.125", 1},      {"--relative", "0.25", 0},
        {"--tolerance", "eta=500 mm", 0},
    };
    for (size_t k = 0; k < COUNT(cases); k++)
        if (cli_run("compare a.nc b.nc %s %s", cases[k].option, cases[k].value)->exit_code != cases[k].code)
            fail_msg("%s %s: expected %d", cases[k].option, cases[k].value, cases[k].code);
    // Both add up; one for the variable goes before the one for all.
    cli_do("compare a.nc b.nc --absolute 0.125 --relative 0.125");
    assert_int_equal(cli_run("compare a.nc b.nc --absolute 9 --tolerance 'eta=1 mm'")->exit_code, 1);
    assert_int_equal(cli_run("compare a.nc b.nc")->exit_code, 1);
    cli_do("compare a.nc a.nc");
    const struct cli_result *result = cli_run("compare a.nc b.nc --quiet");
    assert_int_equal(result->exit_code, 1);
    assert_string_equal(result->output, "");
    assert_string_equal(result->error, "");
}

TEST(table_is_readable)
{
    write_line("a.nc", "m", 3, (double[]){1.25, NAN, 4.5});
    write_line("b.nc", "cm", 3, (double[]){100, 3, 400});
    const struct cli_result *result = cli_run("compare a.nc b.nc --absolute '3 dm'");
    assert_int_equal(result->exit_code, 1);
    static const char *const fragments[] = {"eta (m)",
                                            "differs",
                                            "largest at x[2] 20 m: run 4.5, reference 4 m",
                                            "allowed: 0.3 m; beyond it: 1, first at x[2] 20 m",
                                            "missing in the run only: 1, first at x[1] 10 m",
                                            "converted from \"cm\" to \"m\"",
                                            "\ndiffer\n"};
    for (size_t k = 0; k < COUNT(fragments); k++)
        if (!strstr(result->output, fragments[k]))
            fail_msg("\"%s\" is not in: %s", fragments[k], result->output);
    for (const char *line = result->output; *line != '\0'; line += strcspn(line, "\n") + 1)
        assert_true(strcspn(line, "\n") <= 100 || strstr(line, "/tmp/"));
    assert_has(result->error, "eta by up to 0.5 m (1 of 1 variables differ)");
}

// ---- masks

TEST(masks)
{
    write_line("a.nc", "m", 5, (double[]){1, NAN, 3, NAN, NC_FILL_DOUBLE});
    write_line("b.nc", "m", 5, (double[]){1, NAN, NAN, 4, 5});
    cJSON *report = report_of(cli_run("compare a.nc b.nc --json"));
    assert_near(figure(report, "eta", "compared"), 1, 0);
    assert_near(figure(report, "eta", "missing_in_both"), 1, 0);
    assert_near(figure(report, "eta", "missing_in_run_only"), 2, 0);
    assert_near(figure(report, "eta", "missing_in_reference_only"), 1, 0);
    assert_near(place(report, "eta", "first_missing_in_run_only", 0, "run_index"), 3, 0);
    assert_near(place(report, "eta", "first_missing_in_reference_only", 0, "run_index"), 2, 0);
    assert_near(figure(report, "eta", "beyond_tolerance"), 0, 0);
    cli_assert_error(cli_run("compare a.nc b.nc --absolute 9"), 1, false,
                     "missing in one of them only at 3 places");
    cli_do("compare a.nc b.nc --ignore-mask");
    // Agreeing about nothing is no agreement.
    write_line("a.nc", "m", 2, (double[]){NAN, NAN});
    cli_assert_error(cli_run("compare a.nc a.nc"), 65, false, "not one value is in both");
}

// ---- other kinds of variables

TEST(odd_variables)
{
    for (int k = 0; k < 2; k++) {
        const int file = make_file(cli_path(k ? "b.nc" : "a.nc"), NC_NETCDF4);
        const int record = make_dimension(file, "record", NC_UNLIMITED),
                  width = make_dimension(file, "width", 4);
        const int none = make_dimension(file, "none", NC_UNLIMITED);
        make_field(file, "scalar", "m", 0, NULL, &(double){3});
        const int growing = make_variable(file, "growing", NC_FLOAT, "m", 1, &record);
        NC(nc_put_vara_double(file, growing, (size_t[]){0}, (size_t[]){3}, (double[]){1, 2, 3}));
        make_variable(file, "empty", NC_FLOAT, "m", 1, &none);
        const int text = make_variable(file, "remark", NC_CHAR, NULL, 1, &width);
        NC(nc_put_var_text(file, text, k ? "abcd" : "efgh"));
        int group;
        NC(nc_def_grp(file, "inner", &group));
        make_field(group, "eta", "m", 1, (int[]){record}, (double[]){4, 5, 6 + k});
        if (k == 0)
            make_field(file, "extra", "m", 0, NULL, &(double){0});
        NC(nc_close(file));
    }
    const struct cli_result *result = cli_run("compare a.nc b.nc");
    assert_int_equal(result->exit_code, 1);
    assert_has(result->output, "only in the run:\n    extra", "no plain numbers:\n    remark");
    cJSON *report = report_of(cli_run("compare a.nc b.nc --json"));
    assert_near(figure(report, "scalar", "compared"), 1, 0);
    assert_near(figure(report, "growing", "compared"), 3, 0);
    assert_near(figure(report, "empty", "compared"), 0, 0);
    assert_string_equal(cli_text(entry_of(report, "empty"), "verdict"), "no values");
    assert_near(figure(report, "inner/eta", "largest"), 1, 0);
    cli_do("compare a.nc b.nc --variable scalar --variable growing");
    // One variable with another name in the other file.
    cli_do("compare a.nc b.nc --variable inner/eta=growing --absolute 3 --quiet");
    // What the reference has and the run has not is a difference only if asked.
    cli_do("compare b.nc a.nc --absolute 1");
    const struct cli_result *lacking = cli_run("compare b.nc a.nc --absolute 1 --all");
    cli_assert_error(lacking, 1, false, "lacks 1 variables");
    assert_has(lacking->output, "\ndiffer\n");
}

TEST(single_against_double)
{
    write_line("double.nc", "m", 2, (double[]){0.1, 1000.3});
    const int file = make_file(cli_path("single.nc"), NC_CLASSIC_MODEL | NC_NETCDF4);
    const int x = make_axis(file, "x", "m", 2, (double[]){0, 10});
    make_values(file, make_variable(file, "eta", NC_FLOAT, "m", 1, &x), (double[]){0.1, 1000.3});
    NC(nc_close(file));
    cJSON *report = report_of(cli_run("compare single.nc double.nc --json"));
    assert_near(figure(report, "eta", "largest"), fabs((double)1000.3f - 1000.3), 0);
    assert_true(has_note(report, "eta", "the run is stored in single precision"));
    cli_do("compare single.nc double.nc --relative 6e-8");
}

// ---- times

// eta(time, x) = time in s + 1000·x, on x = 0, 1; 1-D times in the given units.
static void write_times(const char *name, const char *units, double unit_s, size_t count, const double *times,
                        double hole)
{
    const int file = make_file(cli_path(name), NC_NETCDF4);
    const int dimensions[2] = {make_axis(file, "time", units, count, times),
                               make_axis(file, "x", "m", 2, (double[]){0, 1})};
    double *values = owned_zeros(2 * count, sizeof *values);
    for (size_t k = 0; k < 2 * count; k++)
        values[k] = times[k / 2] == hole ? NAN : times[k / 2] * unit_s + 1000 * (double)(k % 2);
    make_field(file, "eta", "m", 2, dimensions, values);
    NC(nc_close(file));
}

TEST(times_in_common)
{
    write_times("a.nc", "seconds since 2000-01-01", 1, 5, (double[]){0, 60, 120, 180, 240}, -1);
    write_times("b.nc", "minutes since 2000-01-01 00:00:00 UTC", 60, 3, (double[]){1, 3, 9}, -1);
    cJSON *report = report_of(cli_run("compare a.nc b.nc --json"));
    assert_near(figure(report, "eta", "compared"), 4, 0);
    assert_near(figure(report, "eta", "largest"), 0, 0);
    const cJSON *time = cli_item(entry_of(report, "eta"), "axes.0");
    assert_near(cli_json_number(time, "run"), 5, 0);
    assert_near(cli_json_number(time, "reference"), 3, 0);
    assert_near(cli_json_number(time, "compared"), 2, 0);
    assert_has(cli_run("compare a.nc b.nc")->output,
               "time: 2 compared, of 5 in the run and 3 in the reference");
    write_times("b.nc", "minutes since 2000-01-01", 60, 2, (double[]){0.5, 9}, -1);
    cli_assert_error(cli_run("compare a.nc b.nc"), 65, false, "no entry of time in common", "5 from 0 to 240",
                     "2 from 30 to 540", "--time");
}

TEST(times_between)
{
    write_times("a.nc", "s", 1, 5, (double[]){0, 60, 120, 180, 240}, -1);
    write_times("b.nc", "s", 1, 5, (double[]){-10, 20, 60, 95, 271}, -1);
    // What is linear in time is what interpolation gives back; −10 and 271 are outside.
    cJSON *report = report_of(cli_run("compare a.nc b.nc --time linear --json"));
    assert_near(figure(report, "eta", "compared"), 6, 0);
    assert_near(figure(report, "eta", "largest"), 0, 1e-12);
    assert_true(has_note(report, "eta", "interpolated linearly in time at 2 of 3 times"));
    assert_near(place(report, "eta", "largest_at", 0, "coordinate"), 20, 75); // a time of the reference
    // −10 takes 0, 20 takes 0, 60, 95 takes 120; 271 is more than half a spacing away from 240.
    report = report_of(cli_run("compare a.nc b.nc --time nearest --json"));
    assert_near(figure(report, "eta", "compared"), 8, 0);
    assert_near(figure(report, "eta", "largest"), 25, 0);
    assert_near(place(report, "eta", "largest_at", 0, "run_index"), 2, 0);
    assert_near(figure(report, "eta", "bias"), (10 - 20 + 0 + 25) / 4.0, 1e-15);
    // A hole in the record beside leaves nothing to interpolate, but does not reach the record itself.
    write_times("a.nc", "s", 1, 5, (double[]){0, 60, 120, 180, 240}, 120);
    report = report_of(cli_run("compare a.nc b.nc --time linear --ignore-mask --json"));
    assert_near(figure(report, "eta", "compared"), 4, 0);
    assert_near(figure(report, "eta", "missing_in_run_only"), 2, 0);
}

// One record cut out by xarray's isel: the time is a coordinate without dimensions.
TEST(one_record)
{
    write_times("a.nc", "seconds since 2000-01-01", 1, 4, (double[]){0, 60, 120, 180}, -1);
    for (int has_time = 1; has_time >= 0; has_time--) {
        const int file = make_file(cli_path("b.nc"), NC_NETCDF4);
        const int x = make_axis(file, "x", "m", 2, (double[]){0, 1});
        make_field(file, "eta", "m", 1, &x, (double[]){120, 1120});
        if (has_time)
            make_field(file, "time", "minutes since 2000-01-01", 0, NULL, &(double){2});
        NC(nc_close(file));
        if (has_time)
            cli_do("compare a.nc b.nc");
    }
    cli_assert_error(cli_run("compare a.nc b.nc"), 65, false, "eta varies along time (4 entries), eta of",
                     "b.nc does not");
    cli_assert_error(cli_run("compare b.nc a.nc"), 65, false, "varies along time");
}

// ---- blocks

enum { NT = 7, NY = 19, NX = 23 };

// As written, and with x slowest and y backwards.
static void write_cube(const char *name, bool is_turned, double shift)
{
    static const size_t lengths[3] = {NT, NY, NX};
    static const char *const names[3] = {"time", "y", "x"};
    static const int order[2][3] = {{0, 1, 2}, {2, 0, 1}};
    static double values[NT * NY * NX];
    const int file = make_file(cli_path(name), NC_NETCDF4);
    int axes[3], dimensions[3];
    for (int k = 0; k < 3; k++) {
        double nodes[NX];
        for (size_t i = 0; i < lengths[k]; i++)
            nodes[i] = (double)(is_turned && k == 1 ? lengths[k] - 1 - i : i);
        axes[k] = make_axis(file, names[k], k == 0 ? "s" : "m", lengths[k], nodes);
    }
    for (int k = 0; k < 3; k++)
        dimensions[k] = axes[order[is_turned][k]];
    for (size_t t = 0; t < NT; t++)
        for (size_t j = 0; j < NY; j++)
            for (size_t i = 0; i < NX; i++) {
                const double value = (t * 5 + j * 3 + i) % 31 == 7
                                         ? NAN
                                         : sin(1.1 * (double)t + 0.7 * (double)j + 0.3 * (double)i) + shift;
                values[is_turned ? (i * NT + t) * NY + NY - 1 - j : (t * NY + j) * NX + i] = value;
            }
    make_field(file, "eta", "m", 3, dimensions, values);
    NC(nc_close(file));
}

TEST(blocks_do_not_matter)
{
    static const size_t buffers[] = {0, 1, 2, 7, NX, 64, 1000, NT * NY * NX - 1};
    static struct comparison whole, piece;
    write_cube("a.nc", false, 0.25);
    write_cube("b.nc", true, 0);
    struct compare_request request = {.run_path = cli_path("a.nc"), .reference_path = cli_path("b.nc")};
    for (size_t k = 0; k < COUNT(buffers); k++) {
        struct compare_session *session;
        struct compare_entry entry;
        request.buffer_values = buffers[k];
        if (compare_open(&request, &session) != STATUS_OK ||
            compare_find(session, "eta", NULL, &entry) != STATUS_OK ||
            compare_pair(session, &entry, &(struct compare_limits){.absolute = 0.2}, &piece) != STATUS_OK)
            fail_msg("%s", status_message());
        assert_true(compare_memory_bytes(session, &entry) < 64 << 20);
        compare_close(session);
        if (k == 0)
            whole = piece;
        assert_near(piece.rms, 0.25, 1e-15);
        assert_true(piece.difference.compared + piece.difference.missing == NT * NY * NX);
        assert_true(piece.difference.missing > 0 && piece.difference.mismatched == 0);
        assert_true(piece.beyond == piece.difference.compared);
        assert_memory_equal(&piece, &whole, sizeof piece);
    }
    // Linear in time, in blocks that cut the times apart.
    request.time = COMPARE_TIME_LINEAR;
    for (size_t buffer = 1; buffer < 3000; buffer = buffer * 3 + 1) {
        struct compare_session *session;
        struct compare_entry entry;
        request.buffer_values = buffer;
        assert_int_equal(compare_open(&request, &session), STATUS_OK);
        assert_int_equal(compare_find(session, "eta", NULL, &entry), STATUS_OK);
        assert_int_equal(compare_pair(session, &entry, &(struct compare_limits){.absolute = 0.3}, &piece),
                         STATUS_OK);
        compare_close(session);
        assert_near(piece.rms, 0.25, 1e-15);
    }
}

// Two variables of 240 MB of doubles each, nearly all never written: netCDF fills in what is not there, so
// the files are small and the values are not. Less memory than one of the two is held.
TEST(memory_is_bounded)
{
    if (IS_SANITIZED)
        skip();
    for (int k = 0; k < 2; k++) {
        const int file = make_file(cli_path(k ? "b.nc" : "a.nc"), NC_NETCDF4);
        const int dimensions[3] = {make_dimension(file, "time", 30), make_dimension(file, "y", 1000),
                                   make_dimension(file, "x", 1000)};
        const int variable = make_variable(file, "eta", NC_DOUBLE, "m", 3, dimensions);
        NC(nc_def_var_chunking(file, variable, NC_CHUNKED, (size_t[]){1, 250, 1000}));
        NC(nc_def_var_fill(file, variable, NC_FILL, &(double){1e30}));
        NC(nc_enddef(file));
        NC(nc_put_var1_double(file, variable, (size_t[]){29, 999, 998}, &(double){k}));
        NC(nc_close(file));
    }
    const struct cli_result *result = cli_run("compare a.nc b.nc --json");
    assert_int_equal(result->exit_code, 1);
    cJSON *report = report_of(result);
    assert_near(figure(report, "eta", "compared"), 1, 0);
    assert_near(figure(report, "eta", "missing_in_both"), 3e7 - 1, 0);
    assert_near(place(report, "eta", "largest_at", 2, "run_index"), 998, 0);
    const double said = cli_json_number(report, "memory_bytes_at_most");
    assert_true(result->memory_bytes <= said);
    assert_true(said < 240e6);
}

TEST_MAIN(cli_setup, cli_teardown)
