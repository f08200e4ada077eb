// Runs heated by a pressure field: the heat of a head against numpy's, from files of h5py as k-Wave and
// BabelBrain write them; files that must be refused; what run.json says of pressure, set and factors.
#include "tests/support/bioheat_job.h"
#include "tests/support/gnuplot.h"
#include "tests/support/netcdf_maker.h"
#include "tests/support/numbers.h"
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
    enum { CHECK = 4, OF_A_RUN = 6 }; // words
    const char *words[CHECK + OF_A_RUN * COUNT(runs) + 1] = {"/usr/bin/python3", script(), "check",
                                                             "head.nc"};
    for (size_t k = 0; k < COUNT(runs); k++) {
        cJSON *job = head_job(runs[k].file);
        if (k == 3)
            cli_change(job, "source.pressure.origin = {'x': '%s mm', 'y': '%s mm', 'z': '%s mm'}", runs[k].x,
                       runs[k].y, runs[k].z);
        const char *of_run[OF_A_RUN] = {
            format_text("heat%zu", k), runs[k].same, runs[k].kind, runs[k].x, runs[k].y, runs[k].z};
        cli_run_to(job, of_run[0]);
        memcpy(words + CHECK + OF_A_RUN * k, of_run, sizeof of_run);
    }
    cli_assert_done(cli_run_words(words));
}

// What info says of k-Wave's file, and that its lines make a job.
static void files_are_described(void)
{
    const char *said = cli_do("info other.h5")->output;
    assert_has(said, "format     k-Wave, HDF5", "variable   p_max_all (amplitude, Pa)",
               "x          43 cells of 4.5 mm, no position", "z          41 cells of 4.7 mm",
               "\"source\":{\"pressure\":{\"file\":\"other.h5\",\"frequency\":\"?\"}}");
    assert_true(strstr(said, "refused") == NULL);
    cJSON *told = cli_output_json(cli_do("info --json huge.h5"));
    assert_near("largest", cli_json_number(told, "largest"), 3e9, 1e3);
    static const char *const refused[][2] = {
        {"nan.h5",
         "refused    by a run: 1 not finite, 0 negative, 0 above 1 GPa; the first, cell (20, 30, 11) "
         "of z, y, x, is nan"},
        {"negative.h5", "refused    by a run: 0 not finite, 1 negative, 0 above 1 GPa; the first, cell (20, "
                        "30, 11) of z, y, x, is -1"},
        {"huge.h5", "0 negative, 1 above 1 GPa"}};
    for (size_t k = 0; k < COUNT(refused); k++)
        assert_has(cli_do(format_text("info %s", refused[k][0]))->output, refused[k][1]);
    told = cli_output_json(cli_do("info --json negative.h5"));
    assert_near("negative", cli_json_number(told, "refused.negative"), 1, 0);
    assert_near("y", cli_json_number(told, "refused.first_zyx.1"), 30, 0);
    cli_assert_error(cli_run("info complex.h5"), DATA, false, "of complex ones write the modulus");
    assert_has(cli_do("info babelbrain.h5")->output, "format     BabelBrain", "the first at -90 mm");
    assert_has(cli_do("info head.nc")->output, "label");
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
        {"wide.h5", "its spacing along y is 4.2 mm, the domain's 4 mm: is it right?", CONFIGURATION},
        {"pairs.h5", "of complex numbers write the modulus", DATA},
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
    cli_run_to(job, "image");
    // Labels that were converted lie where their image does.
    cli_assert_done(cli_run("convert head.nii.gz turned.nc --as label"));
    cli_set_text(job, "domain.labels.file", "turned.nc");
    cli_run_to(job, "converted");
    cli_assert_done(cli_run_tool("/usr/bin/python3", script(), "check", "head.nc", "image", "same.h5",
                                 "amplitude", "-90", "-125", "-71", "converted", "same.h5", "amplitude",
                                 "-90", "-125", "-71"));
    cli_set_text(job, "source.pressure.file", "other_FullElasticSolution.nii.gz");
    const struct cli_result *result = cli_rerun(job);
    assert_int_equal(result->exit_code, CONFIGURATION);
    assert_has(result->error,
               "turned by 5 degrees against those of the image from which the domain was made");
    cli_set_text(job, "domain.labels.file", "head.nii.gz");
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
    // The lines that info gives for a job are members of an object, with all that the job then demands.
    char line[512];
    const char *at = strstr(cli_do("info pressure.nii.gz")->output, "in a job   ");
    assert_true(at && sscanf(at, "in a job   %500[^\n]", line) == 1);
    cJSON *members = cJSON_Parse(format_text("{%s}", line));
    assert_non_null(members);
    const cJSON *said = cli_item(members, "source.pressure");
    assert_string_equal(cli_text(said, "units"), "?");
    assert_string_equal(cli_text(said, "kind"), "?");
    cJSON_Delete(members);
}

// In one test, because the head takes longer to make than its runs.
TEST(a_head_and_files_of_other_programs)
{
    make_files();
    heat_equals_numpys();
    odd_files_are_refused();
    files_are_described();
    images_lie_over_each_other();
}

// ---- what run.json says

// 1 MPa, in the cells of label 2, the bone, a part of it.
static void write_bone_pressure(double part)
{
    static double values[BIOHEAT_JOB_Z * BIOHEAT_JOB_Y * BIOHEAT_JOB_X];
    static const char *const names[] = {"z", "y", "x"};
    static const size_t lengths[] = {BIOHEAT_JOB_Z, BIOHEAT_JOB_Y, BIOHEAT_JOB_X};
    const int file = make_file(cli_path("pressure.nc"), NC_NETCDF4);
    int dimensions[3];
    for (int k = 0; k < 3; k++) {
        double places[BIOHEAT_JOB_X];
        for (size_t n = 0; n < lengths[k]; n++)
            places[n] = (double)n;
        dimensions[k] = make_axis(file, names[k], "mm", lengths[k], places);
    }
    for (size_t i = 0; i < COUNT(values); i++) {
        const size_t x = i % BIOHEAT_JOB_X, y = i / BIOHEAT_JOB_X % BIOHEAT_JOB_Y,
                     z = i / BIOHEAT_JOB_X / BIOHEAT_JOB_Y;
        values[i] = bioheat_job_label(z, y, x) == 2 ? part * 1e6 : 1e6;
    }
    make_field(file, "p", "Pa", 3, dimensions, values);
    NC(nc_close(file));
}

// The small piece of head, at 1 MPa.
static cJSON *small_job(void)
{
    cJSON *job = bioheat_job();
    write_bone_pressure(1);
    return cli_change(
        job, "time.duration = '1 s'; delete source; delete output.state; delete output.fields; "
             "source.pressure = {'file': 'pressure.nc', 'kind': 'amplitude', 'frequency': '500 kHz'}");
}

// The pressure is the same everywhere, so that the power is proportional to attenuation/(rho c) and cells:
// its share in the layers is counted here.
static double share_in_layers(const double heat[4], bool of_x_alone)
{
    double all = 0, layers = 0;
    for (size_t z = 0; z < BIOHEAT_JOB_Z; z++)
        for (size_t y = 0; y < BIOHEAT_JOB_Y; y++)
            for (size_t x = 0; x < BIOHEAT_JOB_X; x++) {
                const double here = heat[bioheat_job_label(z, y, x)];
                const bool is_x = x < 2 || x + 2 >= BIOHEAT_JOB_X,
                           is_other = y < 2 || y + 2 >= BIOHEAT_JOB_Y || z < 2 || z + 2 >= BIOHEAT_JOB_Z;
                all += here;
                layers += is_x || (is_other && !of_x_alone) ? here : 0;
            }
    return layers / all;
}

// Its rise is a bound, and so small that a pass holds with it.
TEST(heat_in_layers_of_fixed_faces_is_told_and_judged_by_its_rise)
{
    static const char safe[] = "source.pressure.scale_to.peak_pressure = '0.1 MPa'; ";
    static const struct {
        const char *faces;
        bool of_x_alone, is_told;
    } cases[] = {
        {"delete domain.faces", false, true},
        {"domain.faces = {'all': {'kind': 'fixed'}}", false, true},
        {"domain.faces = {'all': {'kind': 'insulated'}}", false, false},
        {"domain.faces = {'y_low': {'kind': 'insulated'}, 'y_high': {'kind': 'insulated'}, 'z_low': {'kind': "
         "'insulated'}, 'z_high': {'kind': 'insulated'}}",
         true, true},
    };
    for (size_t k = 0; k < COUNT(cases); k++) {
        cli_save_job(cli_change(small_job(), "%s%s", safe, cases[k].faces));
        const bool is_planned = strstr(cli_do("plan job.json")->error,
                                       "% of the heat that the source gives to tissue lies in") != NULL;
        assert_int_equal(is_planned, cases[k].is_told);
        cli_assert_done(cli_rerun(cli_change(small_job(), "%s%s", safe, cases[k].faces)));
        const cJSON *run = cli_read_json("out/run.json"), *tissue;
        double heat[4] = {0}, rise_k = 0; // of 0.1 MPa, 1 s, in the layers and inside
        cJSON_ArrayForEach(tissue, cJSON_GetObjectItem(cli_item(run, "media"), "tissues"))
        {
            const int label = (int)cli_json_number(tissue, "label");
            if (label > 0)
                heat[label] =
                    cli_json_number(tissue, "attenuation_np_m") /
                    (cli_json_number(tissue, "density_kg_m3") * cli_json_number(tissue, "sound_speed_m_s"));
            if (label > 0)
                rise_k = fmax(rise_k, heat[label] * 1e10 /
                                          (cli_json_number(tissue, "density_kg_m3") *
                                           cli_json_number(tissue, "specific_heat_j_kg_k")));
        }
        if (cases[k].is_told) {
            assert_near("rise", cli_json_number(run, "source.fixed_layers_rise_k"), rise_k, 1e-6 * rise_k);
            assert_near("rise", cli_json_number(run, "source.solved_cells_rise_k"), rise_k, 1e-6 * rise_k);
        }
        const double share = cases[k].is_told ? share_in_layers(heat, cases[k].of_x_alone) : 0;
        assert_near("share", cli_json_number(run, "source.pressure.fixed_layers_share"), share, 1e-9);
        assert_near("share", cli_json_number(run, "source.fixed_layers_share"), share, 1e-9);
        assert_int_equal(cli_has_warning("out", "domain.faces: ", "passes only if it would, too, with "),
                         cases[k].is_told);
        assert_string_equal(cli_text(run, "findings.0.verdict"), "passed");
    }
}

// Bone that is void or of fixed temperature takes no heat of a pressure, which would not be seen in any
// temperature. The outside (label 0), and what the job calls water, have the same pressure and are none.
TEST(pressure_in_tissue_that_is_not_solved_is_told_and_not_judged)
{
    static const struct {
        const char *tissues;
        double part; // of the pressure amplitude
        bool is_told, is_judged;
    } rows[] = {
        {"tissues.void = [0]", 1, false, true},
        {"tissues.void = [0, 2]", 1, true, false},
        {"tissues.fixed_temperature = [2]", 1, true, false},
        {"delete tissues.labels.2; tissues.void = [0, 2]", 1, true, false},
        {"tissues.labels.2 = 'water'; tissues.void = [0, 2]", 1, false, true},
        {"tissues.labels.2 = 'water'; tissues.fixed_temperature = [2]", 1, false, true},
        {"tissues.void = [0, 2]", 0.11, true, false}, // 1.2 % of p2
        {"tissues.void = [0, 2]", 0.09, true, true},
        {"tissues.void = [0, 2]", 0.02, false, true},
    };
    for (size_t k = 0; k < COUNT(rows); k++) {
        cJSON *job = cli_change(small_job(), "source.pressure.scale_to.peak_pressure = '0.1 MPa'; %s",
                                rows[k].tissues);
        write_bone_pressure(rows[k].part);
        cli_assert_done(cli_rerun(job));
        const cJSON *run = cli_read_json("out/run.json");
        assert_int_equal(cli_has_warning("out", "source.pressure: in \"", "it warms nothing there"),
                         rows[k].is_told);
        assert_string_equal(cli_text(run, "findings.0.verdict"), rows[k].is_judged ? "passed" : "not judged");
        if (!rows[k].is_judged)
            assert_has(cli_text(run, "findings.0.message"), "is void or of fixed temperature, with ");
    }
}

// A field that lies beside the tissue heats nothing, and a verdict on it would say nothing.
TEST(a_pressure_of_zero_is_not_judged)
{
    cJSON *job =
        cli_change(small_job(), "tissues.labels.1 = 'water'; tissues.labels.3 = 'water'; tissues.void "
                                "= [0, 1, 3]; delete output.sensors");
    write_bone_pressure(0);
    cli_assert_done(cli_rerun(job));
    const cJSON *run = cli_read_json("out/run.json");
    assert_true(cli_has_warning("out", "has no pressure in the domain's tissue", "nothing is heated"));
    assert_string_equal(cli_text(run, "findings.0.verdict"), "not judged");
    assert_has(cli_text(run, "findings.0.message"), "source.pressure is zero in all tissue: ");
}

TEST(an_intensity_of_the_wrong_unit_is_doubted)
{
    static const char *const values[] = {"30 W m-2", "30 W cm-2"};
    for (size_t k = 0; k < COUNT(values); k++) {
        cli_save_job(cli_change(small_job(), "source.pressure.scale_to.isppa = '%s'", values[k]));
        const bool is_warned =
            strstr(cli_do("plan job.json")->error, "isppa: 30 W m-2 is 0.003 W/cm2, hardly") != NULL;
        assert_int_equal(is_warned, k == 0);
    }
}

// 1 MPa taken as 1 kPa, 1 GPa, and scaled to 1 kPa.
TEST(a_pressure_of_the_wrong_unit_is_doubted)
{
    static const struct {
        const char *changes;
        bool is_warned;
    } cases[] = {{"source.pressure.units = 'mPa'; source.pressure.override = true", true},
                 {"source.pressure.units = 'kPa'; source.pressure.override = true", false},
                 {"source.pressure.scale_to = {'peak_pressure': '1 kPa'}", true},
                 {"source.pressure.scale_to = {'peak_pressure': '1 MPa'}", false},
                 {"title = 'a head'", false}};
    for (size_t k = 0; k < COUNT(cases); k++) {
        cli_save_job(cli_change(small_job(), "%s", cases[k].changes));
        const bool is_warned = strstr(cli_do("plan job.json")->error,
                                      "hardly an intensity of ultrasound in tissue: are the values") != NULL;
        assert_int_equal(is_warned, cases[k].is_warned);
    }
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

// Brain: rho c, and its intensity at 1 MPa.
static const double brain_w_m2 = 1e12 / (2 * 1046.0 * 1546.3);

// The heat is multiplied by a protocol's amplitude, and so are the intensities; the pressure by its root.
TEST(what_is_applied_is_stated)
{
    static const struct {
        const char *change;
        double factor, duty, on_s;
    } rows[] = {
        {"source.pressure.amplitude = 1", 1, 1, 0},
        {"source.pressure.amplitude = 3", 3, 1, 0},
        {"source.pressure.amplitude = 'p'; source.protocols.p = {'amplitude': 2, 'prf': '10 Hz', "
         "'duty_cycle': 0.3, 'train': '0.5 s'}",
         2, 0.3, 0.15},
        {"source.pressure.amplitude = 'p'; source.protocols.p = {'amplitude': 0.5, 'on': '0.1 s', 'ramp_up': "
         "'0.04 s', 'levels': [{'period': '0.2 s', 'count': 3}]}",
         0.5, 0.4, 0.3},
        {"source.pressure.amplitude = 'p'; source.tables.p = {'times': ['0 s', '0.5 s', '1 s'], 'values': "
         "[0, 4, 0]}",
         4, NAN, 0}};
    double absorbed_w = 0;
    for (size_t k = 0; k < COUNT(rows); k++) {
        cli_save_job(cli_change(small_job(),
                                "source.pressure.scale_to = {'isppa': '30 W cm-2', 'tissue': "
                                "'brain'}; %s",
                                rows[k].change));
        const char *told = cli_do("run --restart job.json")->error;
        const cJSON *pressure = cli_item(cli_read_json("out/run.json"), "source.pressure");
        const double factor = rows[k].factor, brain_pa = 1e6 * sqrt(3e5 / brain_w_m2),
                     most_w_m2 = cli_json_number(pressure, "isppa_w_m2");
        assert_near("factor", cli_json_number(pressure, "largest_factor"), factor, 1e-12);
        assert_near("amplitude", cli_json_number(pressure, "largest_amplitude_pa"), brain_pa * sqrt(factor),
                    1e-9 * brain_pa);
        // The same pressure everywhere: the least rho c, that of skin or brain, has the largest intensity.
        assert_true(most_w_m2 >= 3e5 * factor * (1 - 1e-9) && most_w_m2 < 3.5e5 * factor);
        if (!isnan(rows[k].duty))
            assert_near("ispta", cli_json_number(pressure, "ispta_w_m2"), rows[k].duty * most_w_m2, 1);
        if (rows[k].on_s > 0)
            assert_near("on", cli_json_number(pressure, "on_s"), rows[k].on_s, 1e-12);
        if (k == 0)
            absorbed_w = cli_json_number(pressure, "absorbed_power_w");
        assert_near("absorbed", cli_json_number(pressure, "absorbed_power_w"), factor * absorbed_w,
                    1e-9 * absorbed_w);
        assert_int_equal(strstr(told, "with the largest factor of the heat") != NULL, factor != 1);
        assert_int_equal(strstr(told, "(Ispta)") != NULL, rows[k].duty < 1);
    }
}

// The two layers of a fixed face keep their temperature: their cells absorb nothing that counts.
TEST(absorbed_power_is_that_which_heats)
{
    for (int scaled = 0; scaled < 2; scaled++) {
        cli_assert_done(
            cli_rerun(cli_change(small_job(), "precision = 'double'; domain.faces.all.kind = 'fixed'%s",
                                 scaled ? "; source.pressure.scale_to.absorbed_power = '2 W'" : "")));
        const double stated_w = cli_run_number("out", "source.pressure.absorbed_power_w");
        size_t count, shape[4];
        const double *power_w = cli_read_variable("out/diagnostics.nc", "source_power", &count, shape);
        assert_near("power", stated_w, power_w[count - 1], 1e-9 * stated_w);
        if (scaled)
            assert_near("power", stated_w, 2, 1e-9);
    }
}

// ---- mechanical safety, plausibility, the page

// MI = 1 MPa/sqrt(0.5 MHz) = 1.414 at the factor 1; the amplitude of a protocol is a factor of the heat, so
// that of the pressure is its root. Ispta: Isppa of brain, 1e12/(2·1046·1546.3) W/m2, times 0.3.
TEST(the_mechanical_index_is_judged)
{
    static const struct {
        const char *change, *verdict;
        double index, ispta_w_m2;
        int exit_code;
    } rows[] = {
        {"source.pressure.amplitude = 1", "passed", 1.4142135623730951, 309132.3, 0},
        {"source.pressure.amplitude = 1.8", "passed", 1.8973665961010275, 1.8 * 309132.3, 0},
        {"source.pressure.amplitude = 1.9; check.itrusst = true", "exceeded", 1.9493588689617927,
         1.9 * 309132.3, CHECK_FAILED},
        {"source.pressure.amplitude = 'p'; source.protocols = {'p': {'prf': '10 Hz', 'duty_cycle': '30 %', "
         "'train': '1 s'}}",
         "passed", 1.4142135623730951, 0.3 * 309132.3, 0},
        {"source.pressure.amplitude = 'p'; source.protocols = {'p': {'prf': '10 Hz', 'duty_cycle': 0.3, "
         "'train': '1 s', 'amplitude': 4}}",
         "exceeded", 2.8284271247461903, 4 * 0.3 * 309132.3, 0},
        {"source.pressure.amplitude = 4; check.itrusst = false", "not judged", 2.8284271247461903,
         4 * 309132.3, 0},
    };
    for (size_t k = 0; k < COUNT(rows); k++) {
        const struct cli_result *result = cli_rerun(cli_change(small_job(), "%s", rows[k].change));
        assert_int_equal(result->exit_code, rows[k].exit_code);
        const cJSON *run = cli_read_json("out/run.json"), *safety = cli_item(run, "mechanical_safety");
        assert_string_equal(cli_text(safety, "verdict"), rows[k].verdict);
        assert_string_equal(cli_text(run, "findings.1.rule"), "mechanical safety (ITRUSST)");
        assert_string_equal(cli_text(run, "findings.1.verdict"), rows[k].verdict);
        assert_true(fabs(cli_json_number(safety, "mechanical_index") - rows[k].index) < 1e-12);
        assert_true(fabs(cli_json_number(cli_item(safety, "tissues.2"), "ispta_w_m2") / rows[k].ispta_w_m2 -
                         1) < 1e-6);
        if (rows[k].exit_code)
            assert_has(result->error,
                       "mechanical safety (ITRUSST) EXCEEDED: mechanical index 1.95 (level 1.9)");
    }
}

// It stands above thermal safety, which passed.
TEST(an_exceeded_index_comes_first)
{
    cli_assert_done(cli_rerun(cli_change(small_job(), "source.pressure.amplitude = 1.9")));
    assert_string_equal(cli_text(cli_read_json("out/run.json"), "findings.0.verdict"), "passed");
    cli_do("report out --size 500x400");
    const char *page = folder_text("out/report.html"),
               *alarm = strstr(page, "<p class=\"alarm\">mechanical safety (ITRUSST) EXCEEDED: ");
    assert_non_null(alarm);
    assert_true(alarm < strstr(page, "thermal safety (ITRUSST) passed: "));
    const char *printed = cli_do("info out")->output;
    alarm = strstr(printed, "mechanical safety (ITRUSST) EXCEEDED: ");
    assert_non_null(alarm);
    assert_true(alarm < strstr(printed, "thermal safety (ITRUSST) passed: "));
}

// What was exceeded once stays so in the runs that go on from there, with sound or without.
TEST(an_exceeded_index_stays_so_in_a_chain)
{
    static const char *const changes[] = {
        "source.pressure.amplitude = 4; output.directory = 'first'",
        "initial = {'from': 'first'}; output.directory = 'second'",
        "initial = {'from': 'second'}; delete source; check.itrusst = true; "
        "output.directory = 'third'"};
    static const char *const words[] = {
        "mechanical index 2.83",
        "before this one (initial.from) had mechanical index 2.83 (level 1.9); this "
        "run: mechanical index 1.41",
        "before this one (initial.from) had mechanical index 2.83 (level 1.9); this run: the pressure is "
        "not"};
    for (size_t k = 0; k < COUNT(changes); k++) {
        cJSON *job = cli_change(small_job(), "output.state = true");
        cli_save_job(cli_change(job, "%s", changes[k]));
        const struct cli_result *result = cli_run("run job.json");
        assert_int_equal(result->exit_code, k == 2 ? CHECK_FAILED : 0);
        assert_has(result->error, words[k], "EXCEEDED");
        const cJSON *run =
            cli_read_json(format_text("%s/run.json", (const char *[]){"first", "second", "third"}[k]));
        assert_string_equal(cli_text(run, "findings.1.verdict"), "exceeded");
        assert_has(cli_text(run, "findings.1.message"), words[k]);
        assert_string_equal(cli_text(run, "mechanical_safety.verdict"), "exceeded");
    }
}

// Bone has no bubbles of soft tissue.
TEST(bone_does_not_decide_the_mechanical_index)
{
    cli_assert_done(cli_rerun(small_job()));
    const cJSON *run = cli_read_json("out/run.json"), *item;
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(cli_item(run, "mechanical_safety"), "tissues"))
        assert_int_equal(cJSON_IsTrue(cJSON_GetObjectItem(item, "is_soft_tissue")),
                         strstr(cli_text(item, "tissue"), "bone") == NULL);
    assert_null(strstr(cli_text(run, "mechanical_safety.tissue"), "bone"));
}

// The numbers that decide the heat: alpha = 6.8032 Np/m 0.5^1.3.
TEST(tissues_state_how_they_absorb)
{
    cli_assert_done(cli_rerun(small_job()));
    const cJSON *brain = brain_of(cli_read_json("out/run.json"));
    assert_true(fabs(cli_json_number(brain, "attenuation_np_m") - 6.8032 * pow(0.5, 1.3)) < 1e-12);
    assert_true(cli_json_number(brain, "attenuation_at_1_mhz_np_m") == 6.8032);
    assert_true(cli_json_number(brain, "attenuation_exponent") == 1.3);
    assert_true(cli_json_number(brain, "sound_speed_m_s") == 1546.3);
    assert_true(cli_json_number(brain, "density_kg_m3") == 1046);
    assert_true(cli_json_number(brain, "specific_heat_j_kg_k") == 3630);
}

TEST(impossible_amplitudes_are_noticed)
{
    static const struct {
        const char *change, *warning;
    } rows[] = {
        {"source.pressure.scale_to = {'peak_pressure': '0.9 Pa'}", "is 9e-07 MPa (0.9 Pa), beyond the usual"},
        {"source.pressure.scale_to = {'peak_pressure': '21 MPa'}", "is 21 MPa"},
        {"source.pressure.amplitude = 900", "is 30 MPa"},
        {"source.pressure.amplitude = 0", NULL},
        {"source.pressure.scale_to = {'peak_pressure': '2 kPa'}", NULL}};
    for (size_t k = 0; k < COUNT(rows); k++) {
        cli_assert_done(cli_rerun(cli_change(small_job(), "%s; time.duration = '100 ms'", rows[k].change)));
        assert_int_equal(
            cli_has_warning("out", "largest amplitude in tissue", rows[k].warning ? rows[k].warning : ""),
            rows[k].warning != NULL);
    }
    cJSON *job = cli_change(small_job(), "source.pressure.scale_to = {'isppa': '9e7 W cm-2'}");
    cli_assert_error(cli_rerun(job), CONFIGURATION, false,
                     "source.pressure.scale_to: the largest amplitude in tissue "
                     "becomes 1.71 GPa: expected at most 1 GPa");
}

// A set moves the tissues with ranges only: the result says which are not moved.
TEST(a_set_says_what_it_does_not_move)
{
    cli_assert_done(cli_rerun(cli_change(small_job(), "tissues.set = 'conservative'")));
    assert_true(
        cli_has_warning("out", "conservative for cortical bone, brain only", "has no ranges for skin"));
    cli_assert_done(
        cli_rerun(cli_change(small_job(), "tissues.set = 'conservative'; tissues.labels.3 = 'grey matter'; "
                                          "tissues.labels.1 = 'white matter'")));
    assert_false(cli_has_warning("out", "tissues.set", ""));
    const cJSON *run = cli_read_json("out/run.json");
    assert_true(fabs(cli_json_number(cli_item(run, "media.tissues.1"), "attenuation_at_1_mhz_np_m") -
                     94 * log(10) / 20) < 1e-9); // 0.94 dB/cm
}

// k-Wave's pressure is not heat, and its name says so where its units do not.
TEST(a_pressure_among_the_maps_is_refused)
{
    static const size_t lengths[] = {BIOHEAT_JOB_Z, BIOHEAT_JOB_Y, BIOHEAT_JOB_X};
    static double values[BIOHEAT_JOB_Z * BIOHEAT_JOB_Y * BIOHEAT_JOB_X];
    cJSON *job = small_job();
    int dimensions[3];
    const int file = make_file(cli_path("kwave.h5"), NC_NETCDF4);
    for (int k = 0; k < 3; k++)
        dimensions[k] = make_dimension(file, (const char *const[]){"d0", "d1", "d2"}[k], lengths[k]);
    make_values(file, make_variable(file, "p_max_all", NC_FLOAT, NULL, 3, dimensions), values);
    NC(nc_close(file));
    cli_change(job, "source = {'maps': {'q': {'file': 'kwave.h5', 'variable': 'p_max_all'}}}");
    cli_assert_error(cli_rerun(job), DATA, false, "p_max_all states no units, and by its name is a pressure",
                     "source.pressure");
    cli_assert_error(cli_rerun(cli_change(job, "source.maps.q.units = 'W m-3'")), CONFIGURATION, false,
                     "\"W m-3\" contradicts", "\"override\": true");
    cli_assert_done(cli_rerun(cli_change(job, "source.maps.q.override = true")));
    assert_true(cli_has_warning("out", "override", "values read in W m-3, although k-Wave writes"));
}

// Every number of the page has a unit that people read.
TEST(the_page_has_units)
{
    need_gnuplot();
    cli_assert_done(
        cli_rerun(cli_change(small_job(), "output.target = {'x': '10 mm', 'y': '8 mm', 'z': '9 mm', "
                                          "'radius': '3 mm'}")));
    cli_do("report out --size 500x400");
    const char *page = folder_text("out/report.html");
    assert_has(page, "<tr><th>Isppa, in situ</th><td><span class=\"whole\">30.9 W/cm²</span>",
               "<th>Absorbed power</th><td><span class=\"whole\">",
               "Volume of tissue</th><td><span class=\"whole\">", "mm³</span>",
               "<tr><th>Radius</th><td><span class=\"whole\">3 mm</span>",
               "<th>Attenuation at the frequency</th>", "2.76 Np/m", "1 MPa</span>", "500 kHz</span>",
               "mechanical safety (ITRUSST) passed: mechanical index 1.41 (level 1.9)");
    static const char *const faults[] = {" m2<", " m3<", " w<", "0.003 m<"};
    const char *run = strstr(page, "<h2>The run</h2>");
    assert_non_null(run);
    char *tables = owned_take(strndup(run, (size_t)(strstr(run, "<details>") - run)));
    for (size_t k = 0; k < COUNT(faults); k++)
        if (strstr(tables, faults[k]))
            fail_msg("the page has \"%s\": %.200s", faults[k], strstr(tables, faults[k]) - 100);
}

TEST_MAIN(cli_setup, cli_teardown)
