// `fathom info` of what a heat planner has: jobs and queues, volumes in netCDF, images of other programs and
// of Fathom. What each is, and the lines of a job, or what cannot be known.
#include "io/formats/volume.h"
#include "models/bioheat/body/domain.h"
#include "tests/support/bioheat_job.h"
#include "tests/support/netcdf_maker.h"
#include "tests/support/nifti_maker.h"
#include "tests/support/numbers.h"
#include "tests/support/statuses.h"
#include "tests/support/test.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

TEST(jobs_and_queues_name_their_commands)
{
    cli_save_job(bioheat_job());
    const char *said = cli_do("info job.json")->output;
    assert_has(said, "format     job of Fathom\n", "model      bioheat: heat in living tissue",
               "to check   fathom plan job.json\n", "to run     fathom run job.json\n",
               "fathom run --explain bioheat\n");
    cJSON *told = cli_output_json(cli_do("info --json job.json"));
    assert_string_equal(cli_text(told, "format"), "job");
    assert_string_equal(cli_text(told, "model"), "bioheat");
    assert_string_equal(cli_text(told, "commands.1"), "fathom run job.json");
    cli_write_text("odd.json", "{\"fathom\": 1, \"model\": \"bioheet\"}");
    assert_has(cli_do("info odd.json")->output,
               "model      \"bioheet\" is unknown; this program has: tsunami,");
    cli_write_text("none.json", "  {\"fathom\": 1}");
    assert_has(cli_do("info none.json")->output, "model      missing; this program has: ");
    cli_write_text("queue.json", "{\"fathom_batch\": 1, \"jobs\": [{\"job\": \"job.json\"}]}");
    assert_has(cli_do("info queue.json")->output, "format     queue of jobs of Fathom",
               "jobs       1 entries", "fathom batch --list queue.json\n", "fathom batch queue.json\n");
    cli_assert_error(cli_run("info --record 1 job.json"), USAGE, false, "are not for jobs");
    cli_write_text("other.json", "{\"a\": 1}");
    cli_assert_error(cli_run("info other.json"), DATA, false, "unknown grid format");
}

TEST(damaged_json_is_called_so)
{
    static const struct cli_refusal rows[] = {
        {"info cut.json", DATA, {"cut.json: not valid JSON at line 2, column 12, where it ends"}},
        {"info cut.geojson", DATA, {"cut.geojson: not valid JSON at line 1"}},
        {"info list.json", DATA, {"list.json: not valid JSON at line 1"}},
        {"info --json odd", DATA, {"odd: not valid JSON at line 1"}}};
    cli_write_text("cut.json", "{\"fathom\": 1,\n  \"model\": ");
    cli_write_text("cut.geojson", "{\"type\": \"FeatureCollection\", \"features\": [");
    cli_write_text("list.json", "[1, 2");
    cli_write_text("odd", "{\"fathom_batch\": 1 \"jobs\": []}"); // by its content, whatever its name
    CLI_ASSERT_REFUSED(rows);
}

// A pipe, a device or a socket: nothing is waited for.
TEST(only_files_are_described)
{
    static const struct cli_refusal rows[] = {{"info pipe", NO_INPUT, {"pipe is a pipe; a file or a run's"}},
                                              {"info run.json", NO_INPUT, {"run.json is a pipe"}},
                                              {"info /dev/zero", NO_INPUT, {"/dev/zero is a device"}},
                                              {"info socket", NO_INPUT, {"socket is a socket"}}};
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const int made = socket(AF_UNIX, SOCK_STREAM, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", cli_path("socket"));
    assert_int_equal(mkfifo(cli_path("pipe"), 0600), 0);
    assert_int_equal(mkfifo(cli_path("run.json"), 0600), 0);
    assert_int_equal(bind(made, (const struct sockaddr *)&address, sizeof address), 0);
    CLI_ASSERT_REFUSED(rows);
    close(made);
}

// ---- netCDF

enum { NZ = 3, NY = 4, NX = 5 };

// Values 0, 0.5, ... of each record.
static void make_volumes(const char *const (*fields)[2], size_t count, size_t records)
{
    static const char *const names[] = {"z", "y", "x"};
    static const size_t lengths[] = {NZ, NY, NX};
    double places[NX], *values = calloc(records * NZ * NY * NX, sizeof *values);
    const int file = make_file(cli_path("v.nc"), NC_NETCDF4);
    int dimensions[4];
    assert_non_null(values);
    for (size_t n = 0; n < NX; n++)
        places[n] = 2 * (double)n;
    if (records > 1)
        dimensions[0] = make_axis(file, "time", "s", records, places);
    for (int k = 0; k < 3; k++)
        dimensions[k + (records > 1)] = make_axis(file, names[k], "mm", lengths[k], places);
    for (size_t n = 0; n < records * NZ * NY * NX; n++)
        values[n] = 0.5 * (double)n;
    for (size_t k = 0; k < count; k++)
        make_field(file, fields[k][0], fields[k][1], records > 1 ? 4 : 3, dimensions, values);
    NC(nc_close(file));
    free(values);
}

// The first axis is z, not time, and no volume is the uplift of a sea floor.
TEST(volumes_are_told_by_their_units)
{
    static const char *const fields[][2] = {{"q", "W cm-3"}, {"p", "kPa"},      {"T", "K"},
                                            {"d", "min"},    {"rho", "kg m-3"}, {"k", "W m-1 K-1"},
                                            {"E", "J m-3"}};
    make_volumes(fields, COUNT(fields), 1);
    const char *said = cli_do("info v.nc")->output;
    assert_has(
        said, "volume     q: 5 × 4 × 3 cells along x, y, z\nx          5 cells of 2 mm, the first at 0 mm",
        "values     0 … 29.5 W cm-3, 0 missing",
        "\"source\":{\"maps\":{\"q\":{\"file\":\"v.nc\",\"variable\":\"q\"}}}",
        "\"source\":{\"pressure\":{\"file\":\"v.nc\",\"variable\":\"p\",\"frequency\":\"?\",\"kind\":\"?\"}}",
        "\"initial\":{\"file\":\"v.nc\",\"variable\":\"T\"}", "not known from the unit min",
        "\"fields\":{\"file\":\"v.nc\",\"density\":\"rho\"}", "\"conductivity\":\"k\"",
        "not known from the unit J m-3");
    assert_null(strstr(said, "records"));
    assert_null(strstr(said, "displacement"));
    assert_null(strstr(said, "grid "));
    cJSON *told = cli_output_json(cli_do("info --json --variable q v.nc"));
    assert_int_equal(cJSON_GetArraySize(cli_item(told, "volumes")), 1);
    assert_near("cells", cli_json_number(told, "volumes.0.cells_z"), NZ, 0);
    assert_near("spacing", cli_json_number(told, "volumes.0.spacing_y_m"), 2e-3, 1e-15);
    assert_near("maximum", cli_json_number(told, "volumes.0.maximum"), 29.5, 1e-12);
    assert_null(cJSON_GetObjectItem(told, "grid"));
    make_volumes(fields, 3, 2);
    said = cli_do("info --record 1 v.nc")->output;
    assert_has(said, "2 records (below: record 1)", "values     30 … 59.5 W cm-3",
               "\"source\":{\"stream\":{\"file\":\"v.nc\",\"variable\":\"q\"}}", "\"record\":\"?\"");
    cli_assert_error(cli_run("info --record 2 v.nc"), DATA, false, "record 2 was asked for, it has 2");
}

// The files that a heat run writes.
TEST(results_of_heat_are_volumes)
{
    cli_run_job(cli_change(bioheat_job(), "time.duration = '1 s'; delete output.sensors"));
    assert_has(cli_do("info head.nc")->output, "volume     label: 24 × 18 × 15 cells",
               "\"domain\":{\"labels\":{\"file\":\"head.nc\",\"variable\":\"label\"}},\"tissues\":{"
               "\"labels\":\"?\"}");
    assert_has(cli_do("info out/state.nc")->output, "volume     rise",
               "in a job   \"initial\": {\"from\":\"out\"}");
}

// ---- images

static void make_image(const char *name, int datatype, double low, double high, const char *intent_name,
                       const char *description)
{
    struct nifti_bytes bytes = nifti_make(false, 4, 3, 2, 1, datatype, datatype == 2 ? 8 : 32);
    nifti_put_sform(&bytes, (const double[3][4]){{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}});
    for (size_t n = 0; n < strlen(description); n++)
        nifti_put(&bytes, 148 + n, (uint64_t)description[n], 1);
    for (size_t n = 0; n < strlen(intent_name); n++)
        nifti_put(&bytes, 328 + n, (uint64_t)intent_name[n], 1);
    for (size_t n = 0; n < 24; n++)
        if (datatype == 2)
            nifti_put(&bytes, 352 + n, (uint64_t)(low + (high - low) * (double)n / 23), 1);
        else
            nifti_put_float(&bytes, 352 + 4 * n, low + (high - low) * (double)n / 23);
    nifti_save(&bytes, name);
}

TEST(images_are_told_by_their_names)
{
    enum { U8 = 2, F32 = 16 };
    static const struct {
        const char *file, *intent, *description;
        int type;
        double low, high;
        const char *says, *job; // NULL: no lines
    } rows[] = {
        {"s_FullElasticSolution_Sub_NORM.nii", "", "", F32, 0, 1, "without Pa", NULL},
        {"s_FullElasticSolutionRefocus_Sub_NORM.nii", "", "", F32, 0, 1, "without Pa", NULL},
        {"s_FullElasticSolutionPhase__.nii", "", "", F32, -3, 3, "a phase of BabelBrain's", NULL},
        {"s_Water_FullElasticSolution_Sub.nii", "", "", F32, 0, 1e6, "in water, without the head", NULL},
        {"s_FullElasticSolution_Sub.nii", "", "", F32, 0, 1e6, "amplitude of BabelBrain's, in Pa",
         "pressure"},
        {"s_FullElasticSolution.nii", "", "", F32, -1, 1e6,
         "refused    by a run: s_FullElasticSolution.nii: variable image: cell (0, 0, 0) of z, y, x: -1:",
         NULL},
        {"s_FullElasticSolutionRefocus.nii", "", "", F32, 0, 2e9,
         "expected a pressure amplitude or effective", NULL},
        {"s_ThermalField-Duration-40.nii", "", "", F32, 37, 39, "temperature at the end", "initial"},
        {"s_PressureField-Duration-40.nii", "", "", F32, 0, 1e6, "pressure amplitude, in Pa",
         "\"units\":\"Pa\""},
        {"s_IntensityField-Duration-40.nii", "", "", F32, 0, 30, "intensity, in W/cm2", NULL},
        {"s-MI-Duration-40.nii", "", "", F32, 0, 2, "mechanical index", NULL},
        {"s_RayleighFreeWater.nii", "", "", F32, 0, 1e6, "in water, without the head", NULL},
        {"s_500kHz_6PPW_CT.nii", "", "", U8, 0, 23, "not Hounsfield units", NULL},
        {"s_PressureField-Duration-41.nii", "", "", F32, 0, 2e9, "from 0 to 1 GPa", NULL},
        {"s_ThermalField-Duration-41.nii", "", "", F32, -300, 39, "-300 degC is below absolute zero", NULL},
        {"t_BabelViscoInput.nii", "", "", U8, 0, 11, "label 9 has no tissue in table babelbrain", NULL},
        {"k.nii", "", "", F32, -2000, 1800, "-2000 HU; a CT in Hounsfield units lies between -1100 and",
         NULL},
        {"s_BabelViscoInput.nii", "", "", U8, 0, 5, "labels of BabelBrain's", "{\"labels\":\"babelbrain\"}"},
        {"final_tissues.nii", "", "", U8, 0, 10, "labels of SimNIBS's", "{\"labels\":\"simnibs-charm\"}"},
        {"a.nii", "largest_temperat", "Fathom 1", F32, 37, 39, "largest temperatures of a run", "\"degC\""},
        {"b.nii", "dose", "Fathom 1", F32, 0, 39, "thermal dose of a run", NULL},
        {"c.nii", "dose", "", F32, 0, 39, "which the file does not state", NULL},
        {"d.nii", "", "", F32, 37, 39, "which the file does not state", NULL},
        {"e.nii", "", "", F32, 0, 1, "which the file does not state", NULL},
        {"f.nii", "", "", F32, 0, 1e6, "whether it is a pressure", "\"units\":\"?\",\"kind\":\"?\""},
        {"g.nii", "", "", F32, -1000, 1800, "whether it is a CT", "\"ct\""},
        {"i.nii", "temperature", "Fathom 1", U8, 37, 39, "temperatures of a run", "\"degC\""},
        {"h.nii", "", "", U8, 0, 4, "tissues.labels", "\"labels\":\"?\""},
    };
    for (size_t k = 0; k < COUNT(rows); k++) {
        make_image(rows[k].file, rows[k].type, rows[k].low, rows[k].high, rows[k].intent,
                   rows[k].description);
        const char *said = cli_do(format_text("info %s", rows[k].file))->output;
        if (strstr(rows[k].says, "temperature")) // whole numbers that are none of labels
            assert_null(strstr(said, "\nlabels "));
        const char *line = strstr(said, "in a job   ");
        if (!strstr(said, rows[k].says) || !line != !rows[k].job || (line && !strstr(line, rows[k].job)))
            fail_msg("%s: %s", rows[k].file, said);
        cJSON *told = cli_output_json(cli_do(format_text("info --json %s", rows[k].file)));
        assert_true(!cJSON_GetObjectItem(told, "job") == !rows[k].job);
    }
}

// Labels of BabelBrain (BabelDatasetPreps.py, FinalMask) by their names.
TEST(labels_of_babelbrain_have_their_names)
{
    make_image("s_BabelViscoInput.nii", 2, 0, 8, "", "");
    assert_has(cli_do("info s_BabelViscoInput.nii")->output,
               "  0 water: ", "  1 skin: ", "  2 cortical bone: ", "  3 trabecular bone: ", "  4 brain: ",
               "  5 target: ", "  6 white matter: ", "  7 grey matter: ", "  8 cerebrospinal fluid: ");
}

// What no run takes for any use: axes that are not at right angles, cells of another unit, several records.
// The line is the run's own.
TEST(images_that_a_run_refuses_have_no_lines)
{
    static const struct {
        const char *name, *fragment;
        double rows[3][4];
        int records;
    } rows[] = {{"sheared",
                 "its axes are sheared: they are 11.3 degrees",
                 {{1, 0.2, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}},
                 1},
                {"singular", "its axes are sheared", {{1, 1, 0, 0}, {1, 1, 0, 0}, {0, 0, 1, 0}}, 1},
                {"metres", "expected 0.01 to 100 mm", {{1e3, 0, 0, 0}, {0, 1e3, 0, 0}, {0, 0, 1e3, 0}}, 1},
                {"far", "expected no more than 1000 m", {{1, 0, 0, 2e6}, {0, 1, 0, 0}, {0, 0, 1, 0}}, 1},
                {"several", "has 2 records in time", {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}, 2}};
    for (size_t k = 0; k < COUNT(rows); k++) {
        struct nifti_bytes bytes = nifti_make(false, 4, 3, 2, rows[k].records, 2, 8);
        nifti_put_sform(&bytes, rows[k].rows);
        for (size_t n = 0; n < 24 * (size_t)rows[k].records; n++)
            nifti_put(&bytes, 352 + n, n % 3, 1);
        nifti_save(&bytes, "a.nii");
        const char *said = cli_do("info a.nii")->output, *line = strstr(said, "refused    by a run: ");
        if (!line || !strstr(line, rows[k].fragment) || strstr(said, "in a job"))
            fail_msg("%s: %s", rows[k].name, said);
        char message[512];
        line += strlen("refused    by a run: ");
        snprintf(message, sizeof message, "%.*s", (int)strcspn(line, "\n"), line);
        cJSON *told = cli_output_json(cli_do("info --json a.nii"));
        assert_string_equal(cli_text(told, "refused.message"), message);
        assert_null(cJSON_GetObjectItem(told, "job"));
        cli_save_job(cli_change(bioheat_job(),
                                "domain = {'labels': {'file': 'a.nii'}}; tissues = {'labels': {'0': "
                                "'water', '1': 'skin', '2': 'brain'}}; delete source; delete "
                                "output.sensors"));
        cli_assert_error(cli_run("plan job.json"), DATA, true, message);
    }
}

// The same of netCDF: 1.5 GPa, and 10.5 kK.
TEST(volumes_that_a_run_refuses_have_no_lines)
{
    static const char *const fields[][2] = {{"p", "GPa"}, {"T", "kK"}};
    make_volumes(fields, 2, 1);
    const char *said = cli_do("info v.nc")->output;
    assert_has(said,
               "refused    by a run: v.nc: variable p: cell (0, 0, 3) of z, y, x: 1.5: expected a pressure "
               "amplitude or effective value from 0 to 1 GPa\n",
               "refused    by a run: v.nc: variable T: cell (1, 0, 1) of z, y, x: 1022");
    assert_null(strstr(said, "in a job"));
    cJSON *told = cli_output_json(cli_do("info --json v.nc"));
    assert_non_null(cli_item(told, "volumes.0.refused.message"));
    assert_null(cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(told, "volumes"), 0), "job"));
}

// Of files without a header of an image.
TEST(cells_have_a_size_and_a_place)
{
    struct volume_info info = {.path = "a.nc",
                               .has_spacing = {true, true, true},
                               .has_origin = {true, true, true},
                               .spacing_m = {1e-3, 1e-3, 1e-3}};
    assert_ok(bioheat_check_places(&info));
    info.spacing_m[2] = 2;
    assert_failure(bioheat_check_places(&info), STATUS_DATA, "a.nc: its cells are 2e+03 mm long along x",
                   "expected 0.01 to 1000 mm");
    info.spacing_m[2] = 1e-6;
    assert_failure(bioheat_check_places(&info), STATUS_DATA, "a.nc: its cells are 0.001 mm long along x");
    info.has_spacing[2] = false;
    info.origin_m[0] = -2000;
    assert_failure(bioheat_check_places(&info), STATUS_DATA, "a.nc: its first cell lies at -2e+03 m of z");
}

// A picture of grey values is whole numbers from 0 to 255, too.
TEST(grey_values_are_no_labels)
{
    struct nifti_bytes bytes = nifti_make(false, 6, 6, 6, 1, 2, 8);
    for (size_t n = 0; n < 216; n++)
        nifti_put(&bytes, 352 + n, n, 1);
    nifti_save(&bytes, "t1.nii");
    const char *said = cli_do("info t1.nii")->output;
    assert_has(said, "rather the grey values");
    assert_null(strstr(said, "in a job"));
}

TEST_SUITE(.setup = cli_setup, .teardown = cli_teardown);
