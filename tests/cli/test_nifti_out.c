// Images in and out: a run that reads its labels from NIfTI-1 and writes its results over them, and
// fathom convert, by nibabel and by the format's own tool (tests/support/nifti_images.py); tables of labels;
// and what is refused.
#include "tests/support/cli_fixture.h"
#include "tests/support/nifti_maker.h"
#include "tests/support/test.h"

#include <netcdf.h>

static const char script[] = TEST_SOURCE_DIRECTORY "/tests/support/nifti_images.py";

static void need_nibabel(void)
{
    if (cli_run_tool("/usr/bin/python3", "-c", "import nibabel, netCDF4")->exit_code != 0)
        skip_because("python3-nibabel or python3-netcdf4 is not installed: images are not compared with it");
}

// Right and left, axes in other orders, turned and sheared slices; mm and m; plain and compressed; sform and
// qform.
TEST(results_lie_over_the_image)
{
    static const struct {
        const char *name, *suffix;
    } cases[] = {{"ras", ".nii"},    {"lps", ".nii.gz"},    {"sagittal", ".nii.gz"},
                 {"metres", ".nii"}, {"tilted", ".nii.gz"}, {"sheared", ".nii.gz"}};
    need_nibabel();
    cli_assert_tool(cli_run_tool("/usr/bin/python3", script, "make"));
    for (size_t k = 0; k < COUNT(cases); k++) {
        const char *name = cases[k].name;
        cli_do("run -q %s.json", name);
        cli_do("convert %s/maxima.nc %s-whole.nii --variable max_temperature --int16", name, name);
        cli_do("convert %s/fields.nc %s-5s.nii.gz --time '5 s'", name, name);
        cli_do("convert %s/state.nc %s-state.nii.gz --variable rise", name, name);
        cli_do("convert %s%s %s-l.nc --as label", name, cases[k].suffix, name);
        cli_do("convert %s-l.nc %s-back.nii.gz", name, name);
    }
    cli_assert_tool(cli_run_tool("/usr/bin/python3", script, "check"));
    if (cli_run_tool("/usr/bin/env", "nifti_tool", "-ver")->exit_code != 0)
        skip_because("nifti-bin is not installed: its nifti_tool does not check the images");
    for (size_t k = 0; k < COUNT(cases); k++) {
        static const char *const names[] = {"%s-whole.nii", "%s-5s.nii.gz", "%s/labels.nii.gz",
                                            "%s/temperature.nii.gz"};
        for (size_t n = 0; n < COUNT(names); n++) {
            char path[64];
            snprintf(path, sizeof path, names[n], cases[k].name);
            cli_assert_tool(
                cli_run_tool("/usr/bin/env", "nifti_tool", "-check_hdr", "-check_nim", "-infiles", path));
        }
    }
}

enum { NX = 7, NY = 6, NZ = 5 };

// Labels k at plane k, 0 at the first.
static void write_planes(const char *name)
{
    static const double plain[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    struct nifti_bytes bytes = nifti_make(false, NX, NY, NZ, 1, 2, 8);
    for (size_t n = 0; n < NX * NY * NZ; n++)
        nifti_put(&bytes, 352 + n, n / (NX * NY), 1);
    nifti_put_sform(&bytes, plain);
    nifti_save(&bytes, name);
}

static void write_job(const char *tissues, const char *output)
{
    char text[2048];
    snprintf(text, sizeof text,
             "{'fathom': 1, 'model': 'bioheat', 'domain': {'labels': {'file': 'a.nii'}, 'faces': {'all': "
             "{'kind': 'insulated'}}}, 'tissues': %s, 'initial': {'temperature': '37.5 degC'}, "
             "'time': {'duration': '1 s', 'step': '0.5 s'}, "
             "'output': {'directory': 'out'%s}}",
             tissues, output);
    cli_write_json("job.json", text);
}

TEST(labels_by_the_name_of_their_table)
{
    static const struct {
        const char *tissues, *names[NZ]; // of the planes
    } cases[] = {
        {"{'labels': 'simnibs-charm'}",
         {"void", "white matter", "grey matter", "cerebrospinal fluid", "bone"}},
        {"{'labels': 'babelbrain'}", {"water", "skin", "cortical bone", "trabecular bone", "brain"}},
        {"{'labels': 'colin27'}", {"void", "skin", "cortical bone", "cerebrospinal fluid", "grey matter"}},
        // Entries of the job come before those of the table.
        {"{'labels': {'table': 'simnibs-charm', '2': 'muscle', '0': 'fat'}, 'void': [3]}",
         {"fat", "white matter", "muscle", "cerebrospinal fluid", "bone"}}};
    for (size_t k = 0; k < COUNT(cases); k++) {
        write_planes("a.nii");
        write_job(cases[k].tissues, "");
        cli_do("run -q job.json");
        const cJSON *report = cli_read_json("out/run.json");
        assert_int_equal(cli_count(report, "media.tissues"), NZ);
        // Water about the head is what BabelBrain has there.
        assert_int_equal(cli_has_warning("out", "tissues.labels.0", "label 0 is fat here"), k == 3);
        assert_int_equal(cli_has_warning("out", "tissues.labels.0", "label 0 is"), k == 3);
        for (int label = 0; label < NZ; label++) {
            assert_int_equal(cli_json_number(report, format_text("media.tissues.%d.label", label)), label);
            assert_string_equal(cli_text(report, format_text("media.tissues.%d.name", label)),
                                cases[k].names[label]);
        }
        cli_remove("out");
    }
}

TEST(what_is_refused)
{
    static const char skin[] =
        "{'labels': {'1': 'skin', '2': 'brain', '3': 'fat', '4': 'liver'}, 'void': [0]}";
    static const struct {
        const char *tissues, *output, *fragments[2];
    } cases[] = {{"{'labels': 'simnibs'}",
                  "",
                  {"no table of labels \"simnibs\"", "simnibs-charm, babelbrain, colin27"}},
                 {"{'labels': {'table': 3}}", "", {"tissues.labels.table", "expected the name of a table"}},
                 {"{'labels': {'table': 'colin27', '9': 'nothing'}}",
                  "",
                  {"tissues.labels.9", "no tissue \"nothing\""}},
                 {skin, ", 'nifti': ['dose']", {"output.nifti", "dose needs dose.definition"}},
                 {skin, ", 'nifti': ['temperature']", {"output.nifti", "output.fields.every"}},
                 {skin, ", 'maxima': false, 'nifti': ['labels']", {"output.nifti", "output.maxima"}},
                 {skin, ", 'nifti': ['heat']", {"output.nifti", "largest_temperature"}}};
    write_planes("a.nii");
    for (size_t k = 0; k < COUNT(cases); k++) {
        write_job(cases[k].tissues, cases[k].output);
        cli_assert_error(cli_run("plan job.json"), CONFIGURATION, false, cases[k].fragments[0],
                         cases[k].fragments[1]);
    }
    // A label without a tissue; a file that is cut off; one that would be replaced.
    write_job("{'labels': {'1': 'skin'}, 'void': [0]}", "");
    cli_assert_error(cli_run("plan job.json"), DATA, false, "a.nii", "label 2 has no tissue");
    write_job(skin, ", 'nifti': ['labels']");
    cli_do("run -q job.json");
    cli_copy("out/labels.nii.gz", "copy.nii.gz");
    cli_write_json("own.json",
                   "{'fathom': 1, 'model': 'bioheat', 'domain': {'labels': {'file': 'out/labels.nii.gz'}}, "
                   "'tissues': {'labels': 'simnibs-charm'}, 'time': {'duration': '1 s', 'step': '0.5 s'}, "
                   "'output': {'directory': 'out', 'nifti': ['labels']}}");
    cli_assert_error(cli_run("run -q own.json"), CONFIGURATION, false, "output.nifti",
                     "would replace the job's own input");
    cli_truncate("a.nii", 0.7);
    cli_assert_error(cli_run("plan job.json"), DATA, false, "domain.labels.file", "too short");
    cli_truncate("copy.nii.gz", 0.7);
    cli_copy("copy.nii.gz", "a.nii");
    cli_assert_error(cli_run("plan job.json"), DATA, false, "domain.labels.file", "a.nii");
}

// What a header may say and no head has: named with the image, before anything is computed.
TEST(places_that_cannot_be)
{
    static const struct {
        double size_mm, offset_mm;
        const char *fragment;
    } cases[] = {
        {1, 1e38, "a.nii: its first cell lies at 1e+35 m of x, expected no more than 1000 m"},
        {1e-45, 0, "mm, expected 0.01 to 100 mm: does its header (xyzt_units) state the right unit?"},
        {1e-3, 0, "a.nii: its cells measure 0.001 x 0.001 x 0.001 mm"},
        {2000, 0, "a.nii: its cells measure 2000 x 2000 x 2000 mm"}};
    for (size_t k = 0; k < COUNT(cases); k++) {
        const double size = cases[k].size_mm,
                     rows[3][4] = {{size, 0, 0, cases[k].offset_mm}, {0, size, 0, 0}, {0, 0, size, 0}};
        struct nifti_bytes bytes = nifti_make(false, NX, NY, NZ, 1, 2, 8);
        for (size_t n = 0; n < NX * NY * NZ; n++)
            nifti_put(&bytes, 352 + n, n / (NX * NY), 1);
        nifti_put_sform(&bytes, rows);
        nifti_save(&bytes, "a.nii");
        write_job("{'labels': 'simnibs-charm'}", ", 'nifti': ['labels']");
        cli_assert_error(cli_run("run job.json"), DATA, false, "domain.labels.file", cases[k].fragment);
    }
}

TEST(convert_refuses)
{
    write_planes("a.nii");
    write_job("{'labels': 'simnibs-charm'}", ", 'fields': {'every': '0.5 s'}");
    cli_do("run -q job.json");
    cli_assert_error(cli_run("convert a.nii b.nii.gz"), USAGE, false, "a NIfTI-1 file already");
    cli_assert_error(cli_run("convert out/maxima.nc b.nii"), DATA, false, "name the variable");
    cli_assert_error(cli_run("convert out/fields.nc b.nii --time '0.7 s'"), DATA, false, "no record at 0.7 s",
                     "nearest is record 1");
    cli_assert_error(cli_run("convert out/fields.nc b.nii --record 7"), DATA, false, "record 7");
    cli_assert_error(cli_run("convert out/fields.nc b.nii --time '0 s' --record 0"), USAGE, false,
                     "one of them");
    cli_assert_error(cli_run("convert out/fields.nc b.nii --as depth"), USAGE, false, "label or value");
    cli_assert_error(cli_run("convert out/fields.nc b.nii --spacing '1 mm'"), USAGE, false, "--spacing");
    cli_assert_error(cli_run("convert out/fields.nc b.nc --int16"), USAGE, false, "--int16", "NIfTI-1");
    cli_assert_error(cli_run("convert out/fields.nc b.nii --as label"), DATA, false,
                     "labels are whole numbers from 0 to 255");
    cli_assert_error(cli_run("convert out/fields.nc none/b.nii"), CANNOT_CREATE, false, "none/b.nii");
    assert_false(cli_exists("b.nii") || cli_exists("b.nii.part"));
}

// Another program has moved the file: its attributes of the image no longer count.
TEST(attributes_that_no_longer_fit_are_left_aside)
{
    write_planes("a.nii");
    write_job("{'labels': 'simnibs-charm'}", "");
    cli_do("run -q job.json");
    assert_has(cli_do("convert out/maxima.nc b.nii --variable label")->output, "the image it was made of");
    int ncid, id;
    double x;
    assert_int_equal(nc_open(cli_path("out/maxima.nc"), NC_WRITE, &ncid), NC_NOERR);
    assert_int_equal(nc_inq_varid(ncid, "x", &id), NC_NOERR);
    for (size_t k = 0; k < NX; k++) {
        assert_int_equal(nc_get_var1_double(ncid, id, &k, &x), NC_NOERR);
        x += 0.005;
        assert_int_equal(nc_put_var1_double(ncid, id, &k, &x), NC_NOERR);
    }
    assert_int_equal(nc_close(ncid), NC_NOERR);
    const struct cli_result *result = cli_run("convert out/maxima.nc b.nii --variable label");
    assert_int_equal(result->exit_code, 0);
    assert_has(result->error, "no longer fit its coordinates");
    assert_has(result->output, "its coordinates");
}

TEST_MAIN(cli_setup, cli_teardown)
