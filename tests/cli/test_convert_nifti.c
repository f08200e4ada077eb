// `fathom convert` from NIfTI-1: axes in their order and direction, labels, values, options that do not fit;
// and a run on the labels that come out.
#include "io/formats/volume.h"
#include "tests/support/cli_fixture.h"
#include "tests/support/nifti_maker.h"
#include "tests/support/test.h"

enum { NI = 8, NJ = 7, NK = 6 };

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) < 1e-12))
        fail_msg("%.15g, expected %.15g", value, expected);
}

// Labels: 3 at one cell, 1 at the faces, 2 within.
static int label_of(size_t i, size_t j, size_t k)
{
    if (i == 5 && j == 2 && k == 3)
        return 3;
    return i == 0 || j == 0 || k == 0 || i == NI - 1 || j == NJ - 1 || k == NK - 1 ? 1 : 2;
}

static void write_labels(const char *name, const double sform[3][4])
{
    struct nifti_bytes bytes = nifti_make(true, NI, NJ, NK, 1, 4, 16);
    for (size_t k = 0; k < NK; k++)
        for (size_t j = 0; j < NJ; j++)
            for (size_t i = 0; i < NI; i++)
                nifti_put(&bytes, 352 + 2 * ((k * NJ + j) * NI + i), (uint64_t)label_of(i, j, k), 2);
    nifti_put_sform(&bytes, sform);
    nifti_save(&bytes, name);
}

// Known by construction: the cells of each label, where the image lies, and what a job takes.
TEST(info_of_an_image)
{
    write_labels("a.nii", (const double[3][4]){{-1.5, 0, 0, 90}, {0, 0, 2, -126}, {0, 1, 0, -72}});
    const int inside = (NI - 2) * (NJ - 2) * (NK - 2);
    assert_has(cli_do("info a.nii")->output, "8 × 7 × 6 along i, j, k", "1.5 × 1 × 2 mm", "towards LSA",
               "x          79.5 … 90 mm (to the right)", "y          -126 … -116 mm",
               "z          -72 … -66 mm (up)", "values     1 … 3, 0 not finite", "  3: 1 cells (0.298 %)",
               "\"domain\":{\"labels\":{\"file\":");
    cJSON *json = cli_output_json(cli_do("info --json a.nii"));
    assert_true(cli_json_number(json, "labels.2") == inside - 1);
    assert_true(cli_json_number(json, "labels.1") == NI * NJ * NK - inside);
    assert_true(cli_json_number(json, "tilt_degree") == 0);
    cli_assert_error(cli_run("info --record 1 a.nii"), USAGE, false, "--record are not for images");
    // Sheared by more than a degree: described, with the reason why it is no domain.
    write_labels("a.nii", (const double[3][4]){{1, 0.3, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}});
    assert_has(cli_do("info a.nii")->output, "16.7 degrees off the right angle");
    folder_shell("truncate -s 600 %s", cli_path("a.nii"));
    cli_assert_error(cli_run("info a.nii"), DATA, false, "a.nii", "ends 88 B too early");
}

// i from right to left, j up, k to the front, as scanners like it: what is read as [z][y][x], ascending.
TEST(reversed_axes_come_out_right)
{
    write_labels("a.nii", (const double[3][4]){{-1.5, 0, 0, 90}, {0, 0, 2, -126}, {0, 1, 0, -72}});
    cli_do("convert a.nii a.nc --as label");
    struct volume *volume;
    assert_int_equal(volume_open(cli_path("a.nc"), NULL, -1, &volume), STATUS_OK);
    const struct volume_info *info = volume_info(volume);
    assert_string_equal(info->variable, "label");
    assert_true(info->cells[VOLUME_X] == NI && info->cells[VOLUME_Z] == NJ && info->cells[VOLUME_Y] == NK);
    assert_near(info->spacing_m[VOLUME_X], 1.5e-3);
    assert_near(info->spacing_m[VOLUME_Y], 2e-3);
    assert_near(info->spacing_m[VOLUME_Z], 1e-3);
    assert_near(info->origin_m[VOLUME_X], 90e-3 - (NI - 1) * 1.5e-3);
    assert_near(info->origin_m[VOLUME_Y], -126e-3);
    assert_near(info->origin_m[VOLUME_Z], -72e-3);
    static double values[NI * NJ * NK], scratch[NI * NJ * NK];
    assert_int_equal(volume_read(volume, 0, NJ, values, scratch), STATUS_OK);
    for (size_t z = 0; z < NJ; z++)
        for (size_t y = 0; y < NK; y++)
            for (size_t x = 0; x < NI; x++)
                assert_true(values[(z * NK + y) * NI + x] == label_of(NI - 1 - x, z, y));
    volume_close(volume);
    // In the file itself, too: for programs that take cells by their number.
    static const char *const axes[] = {"x", "y", "z"};
    for (int k = 0; k < 3; k++) {
        size_t count;
        double *places = cli_read_variable("a.nc", axes[k], &count, NULL);
        assert_true(places[0] < places[count - 1]);
    }
}

// Every combination of directions.
TEST(all_directions_come_out_right)
{
    for (int signs = 0; signs < 8; signs++) {
        double rows[3][4] = {{0}};
        for (int axis = 0; axis < 3; axis++)
            rows[axis][axis] = signs & (1 << axis) ? -1 : 1;
        write_labels("a.nii", (const double(*)[4])rows);
        cli_do("convert a.nii a.nc --as label");
        size_t count;
        double *labels = cli_read_variable("a.nc", "label", &count, NULL);
        assert_int_equal(count, NI * NJ * NK);
        for (size_t n = 0; n < count; n++) {
            const size_t x = n % NI, y = n / NI % NJ, z = n / NI / NJ;
            assert_true(labels[n] == label_of(signs & 1 ? NI - 1 - x : x, signs & 2 ? NJ - 1 - y : y,
                                              signs & 4 ? NK - 1 - z : z));
        }
    }
}

TEST(labels_and_values)
{
    static const double plain[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    write_labels("a.nii", plain);
    assert_has(cli_do("convert a.nii v.nc --variable T1 --units K --double --json")->output, "\"T1\"");
    struct volume *volume;
    assert_int_equal(volume_open(cli_path("v.nc"), "T1", -1, &volume), STATUS_OK);
    assert_string_equal(volume_info(volume)->units, "K");
    volume_close(volume);
    // A label must be one.
    struct nifti_bytes bytes = nifti_make(false, 2, 2, 2, 1, 4, 16);
    nifti_put(&bytes, 352 + 2 * 6, 300, 2);
    nifti_put(&bytes, 352 + 2 * 7, 0, 2);
    nifti_save(&bytes, "b.nii");
    cli_assert_error(cli_run("convert b.nii b.nc --as label"), DATA, false, "(1, 1, 0) of z, y, x is 300");
    assert_false(cli_exists("b.nc"));
    cli_do("convert b.nii b.nc");
}

static double dose_at(double x, double y, double time_s)
{
    return 1 + x + y;
}

TEST(options_that_do_not_fit)
{
    static const double plain[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    write_labels("a.nii", plain);
    cli_assert_error(cli_run("convert a.nii a.nc --spacing '2 mm'"), USAGE, false, "--spacing", "NIfTI-1");
    cli_assert_error(cli_run("convert a.nii a.nc --positive up"), USAGE, false, "--positive");
    cli_assert_error(cli_run("convert a.nii a.nc --as depth"), USAGE, false, "expected label or value");
    cli_assert_error(cli_run("convert a.nii a.nc --record 1"), DATA, false, "record 1 was asked for");
    struct nifti_bytes bytes = nifti_make(false, 2, 2, 2, 3, 2, 8);
    nifti_put(&bytes, 352 + 23, 5, 1);
    nifti_save(&bytes, "t.nii");
    cli_assert_error(cli_run("convert t.nii t.nc"), USAGE, false, "3 records", "--record");
    cli_do("convert t.nii t.nc --record 2");
    cli_write_grid("sea.nc", &cli_sea);
    cli_assert_error(cli_run("convert sea.nc a.nc --as label"), USAGE, false, "is not a volume");
    // Elsewhere a NIfTI file is recognised.
    cli_write_json("job.json", "{'fathom': 1, 'model': 'bioheat', 'domain': {'fields': {'file': 'a.nii'}}, "
                               "'time': {'duration': '5 s'}, 'output': {'directory': 'out'}}");
    cli_assert_error(cli_run("plan job.json"), CONFIGURATION, false, "domain.fields.file", "one quantity");
    cli_truncate("a.nii", 0.7);
    cli_assert_error(cli_run("convert a.nii a.nc --as label"), DATA, false, "a.nii", "too early");
    assert_false(cli_exists("a.nc"));
}

// A name promises a format: a NIfTI image becomes netCDF-4, under no other.
TEST(the_suffix_is_the_format)
{
    static const double plain[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    static const char *const others[] = {"out",     "out.h5",     "out.asc", "out.nc.gz",
                                         "out.tif", "sub.nc/out", ".nc"};
    static const char *const netcdf[] = {"out.nc", "out.NC", "out.nc4", "out.cdf", "out.nii.nc"};
    write_labels("a.nii", plain);
    cli_assert_error(cli_run("convert a.nii out.NII"), USAGE, false, "a NIfTI-1 file already");
    for (size_t k = 0; k < COUNT(others); k++) {
        cli_assert_error(cli_run("convert a.nii %s", others[k]), USAGE, false, others[k], ".nc");
        assert_false(cli_exists(others[k]));
    }
    for (size_t k = 0; k < COUNT(netcdf); k++) {
        cli_do("convert a.nii %s", netcdf[k]);
        size_t count;
        (void)cli_read_variable(netcdf[k], "value", &count, NULL);
        assert_int_equal(count, NI * NJ * NK);
    }
    // A dose is in minutes: it becomes an image, but no depths.
    const struct cli_grid dose =
        CLI_PLANE(6, 5, 0, 0, 0.001, 0.001, {.name = "dose", .units = "min", .value = dose_at});
    cli_write_grid("dose.nc", &dose);
    assert_has(cli_do("convert dose.nc dose.nii.gz --variable dose")->output, "coordinates");
    cli_assert_error(cli_run("convert dose.nc out.nc --variable dose"), DATA, false, "min is a time",
                     "--as value");
    cli_do("convert dose.nc out.nc --variable dose --as value");
    assert_string_equal(cli_attribute("out.nc", "dose", "units"), "min");
}

TEST(a_run_takes_what_comes_out)
{
    write_labels("a.nii", (const double[3][4]){{-1, 0, 0, 4}, {0, 0, 1, 0}, {0, 1, 0, 0}});
    cli_do("convert a.nii a.nc --as label");
    cli_write_json("job.json",
                   "{'fathom': 1, 'model': 'bioheat', 'domain': {'labels': {'file': 'a.nc'}, 'faces': "
                   "{'all': {'kind': 'insulated'}}}, 'tissues': {'labels': {'1': 'skin', '2': 'brain'}, "
                   "'void': [3]}, 'time': {'duration': '5 s'}, 'output': {'directory': 'out'}}");
    cli_do("run -q job.json");
}

TEST_MAIN(cli_setup, cli_teardown)
