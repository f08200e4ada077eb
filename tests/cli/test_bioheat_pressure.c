// Runs heated by a pressure field: the heat of a head against numpy's, from files of h5py as k-Wave and
// BabelBrain write them; files that must be refused; what run.json says of pressure, set and factors.
#include "tests/support/bioheat_job.h"
#include "tests/support/netcdf_maker.h"
#include "tests/support/test.h"

static const char *script(void)
{
    return format_text("%s/tests/support/pressure_heat.py", TEST_SOURCE_DIRECTORY);
}

// A head of ellipsoids in cells of 4 mm, and the files of pressure_heat.py.
static void make_files(void)
{
    if (cli_run_tool("/usr/bin/python3", "-c", "import h5py, netCDF4")->exit_code != 0)
        skip_because("python3-h5py and python3-netcdf4 are not installed");
    cli_assert_done(cli_run_tool("/usr/bin/python3",
                                 format_text("%s/data/generate-head", TEST_SOURCE_DIRECTORY), "--synthetic",
                                 "--every", "4", "."));
    cli_assert_done(cli_run_tool("/usr/bin/python3", script(), "make"));
}

// One step, whose warming is the heat over the heat capacity.
static cJSON *head_job(const char *file)
{
    return cli_json("{'fathom': 1, 'model': 'bioheat', 'precision': 'double', 'backend': 'openmp', 'domain': "
                    "{'labels': {'file': 'head.nc'}, 'faces': {'all': {'kind': 'insulated'}}}, 'tissues': "
                    "{'labels': {'1': 'skin', '2': 'cortical bone', '3': 'brain'}, 'void': [0]}, 'source': "
                    "{'pressure': {'file': '%s', 'frequency': '500 kHz'}}, 'time': {'duration': '100 ms', "
                    "'step': '100 ms'}, 'output': {'directory': 'out', 'precision': 'double', 'fields': "
                    "{'every': '100 ms'}}}",
                    file);
}

static void heat_equals_numpys(void)
{
    static const struct {
        const char *file, *same, *kind, *x, *y, *z;
    } runs[] = {{"pressure.h5", "pressure.h5", "amplitude", "-90", "-125", "-71"},
                {"rms.h5", "rms.h5", "rms", "-90", "-125", "-71"},
                {"babelbrain.h5", "same.h5", "amplitude", "-90", "-125", "-71"},
                {"other.h5", "other.h5", "amplitude", "-92", "-127", "-73"}};
    for (size_t k = 0; k < COUNT(runs); k++) {
        cJSON *job = head_job(runs[k].file);
        if (k == 3)
            cli_change(job, "source.pressure.origin = {'x': '%s mm', 'y': '%s mm', 'z': '%s mm'}", runs[k].x,
                       runs[k].y, runs[k].z);
        cli_assert_done(cli_rerun(job));
        cli_assert_done(cli_run_tool("/usr/bin/python3", script(), "check", "out", "head.nc", runs[k].same,
                                     runs[k].kind, runs[k].x, runs[k].y, runs[k].z));
    }
}

static void odd_files_are_refused(void)
{
    static const struct {
        const char *file, *fragment;
        int exit_code;
    } rows[] = {
        {"bare.h5", "bare.h5: no dy that is a real number: the spacing along y is missing", DATA},
        {"some.h5", "p_max holds 1000 values, the grid 46 x 55 x 46 cells (z, y, x)", DATA},
        {"complex.h5", "of complex ones write the modulus |p|", DATA},
        {"two.h5", "several pressures: name the variable", DATA},
        {"plain.h5", "variable pressure has no spacing along z", DATA},
        {"nan.h5", "p_max_all: cell (20, 30, 11) of z, y, x: nan: expected a pressure", DATA},
        {"negative.h5", "p_max_all: cell (20, 30, 11) of z, y, x: -1: expected a pressure", DATA},
        {"huge.h5", "3e+09: expected a pressure amplitude or effective value from 0 to 1 GPa", DATA},
        {"small.h5", "source.pressure.origin.z: is missing: small.h5 states no positions", CONFIGURATION},
    };
    for (size_t k = 0; k < COUNT(rows); k++)
        cli_assert_error(cli_rerun(head_job(rows[k].file)), rows[k].exit_code, false, rows[k].fragment);
    cJSON *job = cli_change(head_job("same.h5"), "source.pressure.frequency = '500 MHz'");
    cli_assert_error(cli_rerun(job), CONFIGURATION, false,
                     "source.pressure.frequency: 500 MHz is out of range: 0.02 to 20 MHz");
    job = cli_change(head_job("small.h5"),
                     "source.pressure.origin = {'x': '-20 mm', 'y': '-20 mm', 'z': '10 mm'}");
    cli_assert_error(cli_rerun(job), CONFIGURATION, false, "does not cover the domain's tissue", "\"zero\"");
    cli_assert_done(cli_rerun(cli_change(job, "source.pressure.outside = 'zero'")));
    const cJSON *pressure = cli_item(cli_item(cli_read_json("out/run.json"), "source"), "pressure");
    assert_true(cli_json_number(pressure, "cells_outside") > 40000);
}

// The image of the labels is turned by 20 degrees; that of the pressure is larger, and reversed along x.
static void images_lie_over_each_other(void)
{
    cJSON *job =
        cli_change(head_job("_FullElasticSolution_Sub.nii.gz"), "domain.labels.file = 'head.nii.gz'");
    const struct cli_result *result = cli_rerun(job);
    cli_assert_done(result);
    cli_assert_done(cli_run_tool("/usr/bin/python3", script(), "check", "out", "head.nc", "same.h5",
                                 "amplitude", "-90", "-125", "-71"));
    cli_set_text(job, "source.pressure.file", "other_FullElasticSolution.nii.gz");
    result = cli_rerun(job); // which warns of the labels' angle, too
    assert_int_equal(result->exit_code, CONFIGURATION);
    assert_has(result->error, "other_FullElasticSolution.nii.gz are turned by 5 degrees against head.nii.gz");
    job = head_job("other_FullElasticSolution.nii.gz");
    cli_assert_error(cli_rerun(job), CONFIGURATION, false,
                     "are turned by 25 degrees against x, y, z of the domain");
    cli_set_text(job, "source.pressure.file", "_FullElasticSolution_Sub_NORM.nii.gz");
    cli_assert_error(cli_rerun(job), DATA, false, "a normalised field or a phase of BabelBrain's");
    cli_set_text(job, "source.pressure.file", "pressure.nii.gz");
    cli_assert_error(cli_rerun(job), CONFIGURATION, false, "source.pressure.units: is missing");
    cli_change(job, "source.pressure.units = 'kPa'");
    cli_assert_error(cli_rerun(job), CONFIGURATION, false, "source.pressure.kind: is missing");
}

// In one test, because the head takes longer to make than its runs.
TEST(a_head_and_files_of_other_programs)
{
    make_files();
    heat_equals_numpys();
    odd_files_are_refused();
    images_lie_over_each_other();
}

// ---- what run.json says

// The small piece of head, at 1 MPa.
static cJSON *small_job(void)
{
    static const char *const names[] = {"z", "y", "x"};
    static const size_t lengths[] = {BIOHEAT_JOB_Z, BIOHEAT_JOB_Y, BIOHEAT_JOB_X};
    static double values[BIOHEAT_JOB_Z * BIOHEAT_JOB_Y * BIOHEAT_JOB_X];
    cJSON *job = bioheat_job();
    const int file = make_file(cli_path("pressure.nc"), NC_NETCDF4);
    int dimensions[3];
    for (int k = 0; k < 3; k++) {
        double places[BIOHEAT_JOB_X];
        for (size_t n = 0; n < lengths[k]; n++)
            places[n] = (double)n;
        dimensions[k] = make_axis(file, names[k], "mm", lengths[k], places);
    }
    for (size_t i = 0; i < COUNT(values); i++)
        values[i] = 1e6;
    make_field(file, "p", "Pa", 3, dimensions, values);
    NC(nc_close(file));
    return cli_change(
        job, "time.duration = '1 s'; delete source; delete output.state; delete output.fields; "
             "source.pressure = {'file': 'pressure.nc', 'kind': 'amplitude', 'frequency': '500 kHz'}");
}

static const cJSON *brain_of(const cJSON *report)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(cli_item(report, "media"), "tissues"))
    {
        if (strcmp(cli_text(item, "name"), "brain") == 0)
            return item;
    }
    fail_msg("no brain in run.json");
    return NULL;
}

// 1046 kg/m3 · 1050 kg/m3 · 3617 J/(kg K) · (mL/min/kg)
static const double perfusion_w_m3_k = 1046.0 * 1050 * 3617 * 1e-6 / 60;

TEST(sets_and_factors_change_the_numbers_and_are_stated)
{
    static const struct {
        const char *change, *set;
        double perfusion, conductivity;
    } rows[] = {
        {"output.precision = 'double'", "default", 559, 0.51},
        {"tissues.set = 'conservative'", "conservative", 196, 0.48},
        {"tissues.set = 'liberal'", "liberal", 809, 0.55},
        {"tissues.scale = {'perfusion': 0.7}", "default", 559 * 0.7, 0.51},
        {"tissues.scale = {'perfusion': {'brain': 1.3, 'skin': 2}}", "default", 559 * 1.3, 0.51},
        {"tissues.set = 'liberal'; tissues.scale = {'perfusion': {'skin': 2}, 'conductivity': 2}", "liberal",
         809, 1.1},
    };
    double absorbed_w[COUNT(rows)];
    for (size_t k = 0; k < COUNT(rows); k++) {
        cli_assert_done(cli_rerun(cli_change(small_job(), "%s", rows[k].change)));
        const cJSON *report = cli_read_json("out/run.json"), *media = cli_item(report, "media");
        assert_string_equal(cli_text(media, "tissue_set"), rows[k].set);
        assert_int_equal(cJSON_GetObjectItem(media, "tissue_scale") != NULL,
                         strstr(rows[k].change, "scale") != NULL);
        const double perfusion = cli_json_number(brain_of(report), "perfusion_w_m3_k"),
                     conductivity = cli_json_number(brain_of(report), "conductivity_w_m_k");
        assert_true(fabs(perfusion / (rows[k].perfusion * perfusion_w_m3_k) - 1) < 1e-12);
        assert_true(fabs(conductivity - rows[k].conductivity) < 1e-12);
        const cJSON *pressure = cli_item(cli_item(report, "source"), "pressure");
        assert_string_equal(cli_text(pressure, "form"), "volume");
        absorbed_w[k] = cli_json_number(pressure, "absorbed_power_w");
    }
    // More attenuation in the conservative set, less in the liberal one.
    assert_true(absorbed_w[1] > 1.3 * absorbed_w[0] && absorbed_w[2] < 0.7 * absorbed_w[0]);
    assert_true(absorbed_w[3] == absorbed_w[0]);
}

// A value of a sweep, and of --set.
TEST(factors_are_keys_of_the_command_line)
{
    cli_save_job(small_job());
    cli_do("run -q --restart --set tissues.scale.perfusion.brain=0.5 --set "
           "source.pressure.scale_to.peak_pressure=0.4MPa job.json");
    const cJSON *report = cli_read_json("out/run.json");
    assert_true(fabs(cli_json_number(brain_of(report), "perfusion_w_m3_k") / (279.5 * perfusion_w_m3_k) - 1) <
                1e-12);
    const cJSON *pressure = cli_item(cli_item(report, "source"), "pressure");
    assert_true(fabs(cli_json_number(pressure, "largest_amplitude_pa") - 4e5) < 1e-6);
    assert_string_equal(cli_text(pressure, "scaled_to"), "peak_pressure 0.4MPa");
}

TEST_MAIN(cli_setup, cli_teardown)
