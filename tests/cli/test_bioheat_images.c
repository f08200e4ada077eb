// Jobs over images of all orientations: the order of the cells of fields without positions, positions on
// tilted slices, images without a code or with two that contradict each other, tables of the wrong program.
// What the program made of them is read by nibabel (tests/support/image_places.py).
#include "tests/support/cli_fixture.h"
#include "tests/support/gnuplot.h"
#include "tests/support/report_page.h"
#include "tests/support/test.h"

static const char script[] = TEST_SOURCE_DIRECTORY "/tests/support/image_places.py";

static void make_images(void)
{
    if (cli_run_tool("/usr/bin/python3", "-c", "import nibabel, netCDF4, h5py")->exit_code != 0)
        skip_because("python3-nibabel, python3-netcdf4 or python3-h5py is not installed");
    cli_assert_tool(cli_run_tool("/usr/bin/python3", script, "make"));
}

static char noted[4096];

// Runs the job, and notes which voxel must be the hottest. Returns what the run said.
static const char *run_noting(const char *job, const char *voxel)
{
    static char error[1 << 16];
    const struct cli_result *result = cli_run("run %s.json", job);
    if (result->exit_code != 0)
        fail_msg("%s: exit code %d: %s", job, result->exit_code, result->error);
    snprintf(error, sizeof error, "%s", result->error);
    const size_t used = strlen(noted);
    snprintf(noted + used, sizeof noted - used, "%s %s\n", job, voxel);
    assert_true(strlen(noted) + 1 < sizeof noted);
    return error;
}

// Of all noted jobs: the hottest voxel is the one that the files of the case have.
static void check_noted(void)
{
    cli_write_text("noted", noted);
    noted[0] = '\0';
    cli_assert_tool(cli_run_tool("/usr/bin/python3", script, "check", "noted"));
}

TEST(cells_and_positions_over_images)
{
    static const struct {
        const char *name, *mirrored; // the voxel that files of ascending axes would heat; NULL: refused
        bool is_reordered, is_tilted;
    } cases[] = {{"ras", "3 6 2", false, false},
                 {"lps", "6 5 2", true, false},
                 {"pir", NULL, true, false},
                 {"cube", "6 7 6", true, false},
                 {"tilted", NULL, true, true}};
    static const char *const jobs[] = {"map", "start", "stream", "point", "box"};
    make_images();
    for (size_t c = 0; c < COUNT(cases); c++) {
        char job[64];
        snprintf(job, sizeof job, "%s-pressure", cases[c].name);
        const char *error = run_noting(job, "3 6 2");
        assert_true(cases[c].is_reordered == (strstr(error, "the image's voxels i, j, k") != NULL));
        assert_true(cases[c].is_tilted == (strstr(error, "its slices are tilted by") != NULL));
        assert_has(error, "largest amplitude 5 MPa, in brain at (");
        assert_has(error, "mm (scanner, RAS+)");
        assert_has(error, "sensor \"air\" lies in air");
        for (size_t k = 0; k < COUNT(jobs); k++) {
            snprintf(job, sizeof job, "%s-%s", cases[c].name, jobs[k]);
            run_noting(job, "3 6 2");
        }
        snprintf(job, sizeof job, "%s-ascending", cases[c].name);
        if (cases[c].mirrored)
            run_noting(job, cases[c].mirrored);
        else
            assert_int_equal(cli_run("run %s.json", job)->exit_code, CONFIGURATION);
    }
    check_noted();
}

TEST(frames_and_orders_that_the_job_states)
{
    make_images();
    cJSON *job = cli_read_json("tilted-box.json");
    cJSON_DeleteItemFromObject(cJSON_GetObjectItem(cJSON_GetObjectItem(job, "output"), "fields"), "z");
    const struct cli_result *result = cli_rerun(job); // which warns of the tilt, too
    assert_int_equal(result->exit_code, CONFIGURATION);
    assert_has(result->error, "output.fields: needs all of x, y, z, or none");
    job = cli_read_json("tilted-pressure.json");
    cli_change(job, "domain.frame = 'slices'");
    // Voxel (3, 6, 2) lies 6 cells of 2.5 mm, 3 of 2 mm and 2 of 3 mm from (12.5, -40, 7.25) mm.
    cli_change(job, "output.target = {'x': '-2.5 mm', 'y': '-46 mm', 'z': '13.25 mm', 'radius': '1 mm'}");
    cJSON_DeleteItemFromObject(cJSON_GetObjectItem(job, "output"), "sensors");
    cli_set_text(job, "output.directory", "slices");
    assert_int_equal(cli_rerun(job)->exit_code, 0);
    // What the affine is rounded by is no distance.
    assert_true(cli_json_number(cli_read_json("slices/run.json"), "target.hottest_distance_m") == 0);
    job = cli_read_json("lps-pressure.json");
    // A part of the image says no more than the whole which way its axes run.
    cli_change(job, "source.pressure.file = 'cube.h5'");
    cli_change(job, "source.pressure.outside = 'zero'");
    cli_change(job, "source.pressure.origin = {'x': '12.5 mm', 'y': '-40 mm', 'z': '7.25 mm'}");
    cli_assert_error(cli_rerun(job), CONFIGURATION, false, "source.pressure.axes: is missing");
    cli_change(job, "source.pressure.axes = 'image'"); // voxel (0, 0, 0) lies there: the same cells, smaller
    assert_int_equal(cli_rerun(job)->exit_code, 0);
}

// The planes of pictures are those of the image. Where these are tilted, their axes have other names than the
// scanner's, and the caption has the hottest cell, voxel (3, 6, 2), where nibabel has it.
TEST(pictures_along_tilted_slices_say_so)
{
    static const char *const names[] = {"lps", "tilted"};
    need_gnuplot();
    make_images();
    for (int is_tilted = 0; is_tilted < 2; is_tilted++) {
        cJSON *job = cli_read_json(format_text("%s-pressure.json", names[is_tilted]));
        cli_set_text(job, "output.directory", "out");
        assert_int_equal(cli_rerun(job)->exit_code, 0);
        const char *scripts = report_scripts("--size=500x400");
        assert_int_equal(folder_shell_code("grep -rq \"label 'x\u2032 (mm)'\" '%s'", scripts) == 0,
                         is_tilted);
        assert_int_equal(folder_shell_code("grep -rq \"label 'x (mm)'\" '%s'", scripts) == 0, !is_tilted);
        cli_remove("scripts");
        folder_shell(
            "cd '%s' && /usr/bin/python3 -c \"import nibabel; a = "
            "nibabel.load('%s.nii.gz').affine; print('x %%.4g, y %%.4g, z %%.4g mm' %% tuple((a @ [3, "
            "6, 2, 1])[:3]), end='')\" >place",
            folder_root(), names[is_tilted]);
        assert_int_equal(strstr(read_page(), "whose slices are tilted") != NULL, is_tilted);
        if (is_tilted)
            assert_page_says("In scanner coordinates the hottest cell is at ", folder_text("place"));
    }
}

TEST(images_whose_codes_say_nothing_or_two_things)
{
    make_images();
    const char *error = run_noting("nocode", "3 6 2");
    assert_has(error, "its sform_code and qform_code are 0");
    assert_has(error, "(of the image, orientation unknown)");
    error = run_noting("both", "3 6 2");
    assert_has(error, "its sform (code 2) and its qform (code 1) contradict each other, by up to");
    check_noted();
}

TEST(a_table_of_another_program)
{
    make_images();
    const struct cli_result *result = cli_run("plan head-simnibs-charm.json");
    assert_int_equal(result->exit_code, 0);
    assert_null(strstr(result->error, "warning"));
    assert_has(result->error, "label 7 (cortical bone): 3");
    result = cli_run("plan head-babelbrain.json");
    assert_int_equal(result->exit_code, 0);
    assert_has(result->error, "label 5 is the voxel of the target, but");
    assert_has(result->error, "of the outer surface is skin");
    assert_has(result->error, "the skull does not enclose the brain");
    // SPM's labels, with its air and with 0 for it; charm's with an intercept of 1.
    static const struct {
        const char *job, *says, *not ;
    } others[] = {
        {"spm", "no air or water about the head: 100 % of the border of the volume is eye", "1000 cells"},
        {"spm", "white matter encloses grey matter", "1000 cells"},
        {"spm0", "white matter encloses grey matter", "no air or water"},
        {"plus1", "100 % of the border of the volume is white matter", "1000 cells"},
        {"neck", "86 % of the border of the volume is white matter", "1000 cells"},
    };
    for (size_t k = 0; k < COUNT(others); k++) {
        result = cli_run("plan %s-simnibs-charm.json", others[k].job);
        assert_int_equal(result->exit_code, 0);
        assert_has(result->error, others[k].says);
        assert_null(strstr(result->error, others[k].not ));
    }
    // A part of a head needs no air about it: all of white matter, through the skull, up to the air.
    static const char *const parts[] = {"inside", "edge", "part"};
    for (size_t k = 0; k < COUNT(parts); k++) {
        result = cli_run("plan %s-simnibs-charm.json", parts[k]);
        assert_int_equal(result->exit_code, 0);
        assert_null(strstr(result->error, "no air or water"));
        assert_null(strstr(result->error, "encloses grey"));
    }
}

TEST_MAIN(cli_setup, cli_teardown)
