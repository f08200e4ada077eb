// io/nifti_write.c, read back by io/nifti.c: numbers of each type, places by sform and by the quaternion of
// the qform alone, records; refusals, and a disk that fills up.
#include "tests/support/test.h"

#include "io/nifti.h"
#include "io/nifti_write.h"
#include "tests/support/fresh.h"
#include "tests/support/statuses.h"

#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

enum { NI = 5, NJ = 4, NK = 3 };

TEST_SUITE(.setup = fresh_folder, .teardown = folder_remove);

static double value_of(size_t record, size_t k, size_t n)
{
    return n == 7 && k == 1 ? NAN : 36.5 + 0.25 * (double)n + 10 * (double)k - 3 * (double)record;
}

static enum status plane(void *context, size_t record, size_t k, double *values)
{
    const struct nifti_write *request = context;
    for (size_t n = 0; n < request->cells[0] * request->cells[1]; n++)
        values[n] = request->type == NIFTI_WRITE_U8 ? (double)((n + k) % 256) : value_of(record, k, n);
    return STATUS_OK;
}

static struct nifti_write request_of(const char *name, enum nifti_write_type type, size_t records)
{
    return (struct nifti_write){.path = folder_path("%s", name),
                                .cells = {NI, NJ, NK},
                                .records = records,
                                .affine = {{-1, 0, 0, 90}, {0, 0, 2, -126}, {0, 1.5, 0, 4}},
                                .code = 2,
                                .first_s = 10,
                                .step_s = 5,
                                .type = type,
                                .slope = 1,
                                .name = "a name that is longer than its field",
                                .description = "made by a test"};
}

static void write_file(struct nifti_write *request)
{
    request->context = request;
    request->plane = plane;
    assert_ok(nifti_write_file(request));
}

TEST(numbers_come_back)
{
    static const enum nifti_write_type types[] = {NIFTI_WRITE_U8, NIFTI_WRITE_F32, NIFTI_WRITE_I16};
    static const char *const names[] = {"uint8", "float32", "int16"};
    for (size_t t = 0; t < COUNT(types); t++)
        for (size_t records = 1; records <= 2; records++) {
            struct nifti_write request = request_of(records == 1 ? "a.nii" : "a.nii.gz", types[t], records);
            struct nifti *file;
            double values[NI * NJ];
            if (types[t] == NIFTI_WRITE_I16)
                nifti_write_scale(30, 70, &request.slope, &request.intercept);
            write_file(&request);
            assert_ok(nifti_open(request.path, &file));
            assert_string_equal(nifti_info(file)->type, names[t]);
            assert_int_equal(nifti_info(file)->records, records);
            assert_int_equal(nifti_info(file)->code, 2);
            for (size_t record = 0; record < records; record++) {
                assert_ok(nifti_select(file, record));
                for (size_t k = 0; k < NK; k++) {
                    assert_ok(nifti_read_plane(file, values));
                    for (size_t n = 0; n < NI * NJ; n++) {
                        const double wanted =
                            types[t] == NIFTI_WRITE_U8 ? (double)(n + k) : value_of(record, k, n);
                        const double step = types[t] == NIFTI_WRITE_I16 ? request.slope : 0;
                        if (isnan(wanted) && types[t] == NIFTI_WRITE_F32)
                            assert_true(isnan(values[n]));
                        else
                            assert_true(fabs(values[n] - (isnan(wanted) ? 0 : wanted)) <= 0.5001 * step);
                    }
                }
            }
            nifti_close(file);
        }
}

TEST(the_scale_holds_its_range_and_zero)
{
    static const double ranges[][2] = {{37, 57},     {-3, 900}, {-50, -10},     {0, 0},
                                       {1e-9, 2e-9}, {0, 1e30}, {36.93, 61.77}, {-0.013, 4711.3}};
    for (size_t r = 0; r < COUNT(ranges); r++) {
        double slope, intercept;
        nifti_write_scale(ranges[r][0], ranges[r][1], &slope, &intercept);
        const double ends[] = {ranges[r][0], ranges[r][1], 0};
        for (size_t k = 0; k < COUNT(ends); k++)
            assert_true(fabs((ends[k] - intercept) / slope) < 32768);
        // As readers of either precision multiply what the header holds: missing values come back as 0.
        const float single_slope = (float)slope, single_intercept = (float)intercept;
        const double stored = nearbyint((0 - intercept) / slope);
        assert_true(stored * (double)single_slope + (double)single_intercept == 0);
        assert_true((float)stored * single_slope + single_intercept == 0);
    }
}

// The sform is blanked in the file, so that the reader takes the quaternion.
static void read_by_qform(const char *path, struct nifti **file)
{
    FILE *stream = fopen(path, "r+b");
    assert_non_null(stream);
    assert_int_equal(fseek(stream, 254, SEEK_SET), 0);
    assert_int_equal(fwrite("\0\0", 1, 2, stream), 2);
    assert_int_equal(fclose(stream), 0);
    assert_ok(nifti_open(path, file));
}

static void check_rotation(const double affine[3][4])
{
    struct nifti_write request = request_of("q.nii", NIFTI_WRITE_U8, 1);
    struct nifti *file;
    memcpy(request.affine, affine, sizeof request.affine);
    write_file(&request);
    read_by_qform(request.path, &file);
    assert_string_equal(nifti_info(file)->placed_by, "qform");
    for (int x = 0; x < 3; x++) {
        assert_true(fabs(nifti_info(file)->origin_mm[x] - affine[x][3]) < 1e-5);
        for (int i = 0; i < 3; i++)
            if (!(fabs(nifti_info(file)->step_mm[i][x] - affine[x][i]) < 3e-6))
                fail_msg("row %d, column %d: %.9g, expected %.9g", x, i, nifti_info(file)->step_mm[i][x],
                         affine[x][i]);
    }
    nifti_close(file);
}

// All orders and directions of axes, half of them mirrored; and turns about a slanted axis, up to half a
// turn.
TEST(the_qform_is_the_sform)
{
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    static const double spacing[3] = {1, 1.5, 2}, axis[3] = {2.0 / 7, 3.0 / 7, 6.0 / 7};
    for (int order = 0; order < 6; order++)
        for (int signs = 0; signs < 8; signs++) {
            double affine[3][4] = {{0, 0, 0, 5}, {0, 0, 0, -7}, {0, 0, 0, 9}};
            for (int i = 0; i < 3; i++)
                affine[orders[order][i]][i] = signs & (1 << i) ? -spacing[i] : spacing[i];
            check_rotation(affine);
        }
    for (int turn = 0; turn <= 12; turn++) {
        const double c = cos(acos(-1.0) * turn / 12), s = sin(acos(-1.0) * turn / 12); // Rodrigues' formula
        const double cross[3][3] = {{0, -axis[2], axis[1]}, {axis[2], 0, -axis[0]}, {-axis[1], axis[0], 0}};
        double affine[3][4] = {{0, 0, 0, 1}, {0, 0, 0, 2}, {0, 0, 0, 3}};
        for (int x = 0; x < 3; x++)
            for (int i = 0; i < 3; i++)
                affine[x][i] = spacing[i] * ((x == i) * c + s * cross[x][i] + (1 - c) * axis[x] * axis[i]);
        check_rotation(affine);
    }
}

// A sheared affine has no quaternion: only the sform is written.
TEST(a_shear_has_no_qform)
{
    struct nifti_write request = request_of("s.nii", NIFTI_WRITE_U8, 1);
    struct nifti *file;
    request.affine[0][1] = 0.1;
    write_file(&request);
    assert_ok(nifti_open(request.path, &file));
    assert_true(nifti_info(file)->step_mm[1][0] == (double)0.1f);
    nifti_close(file);
    read_by_qform(request.path, &file);
    assert_string_equal(nifti_info(file)->placed_by, "pixdim");
    assert_int_equal(nifti_info(file)->code, 0);
    nifti_close(file);
}

TEST(what_does_not_fit_is_refused)
{
    struct nifti_write request = request_of("r.nii", NIFTI_WRITE_I16, 1);
    request.context = &request;
    request.plane = plane;
    request.slope = 1e-3; // ± 33
    assert_failure(nifti_write_file(&request), STATUS_DATA, "r.nii", "cell (0, 0, 0)", "16-bit");
    request.cells[2] = 32768;
    assert_failure(nifti_write_file(&request), STATUS_CONFIGURATION, "r.nii", "32768 cells", "1 to 32767");
    request = request_of("none/r.nii", NIFTI_WRITE_F32, 1);
    assert_failure(nifti_write_file(&request), STATUS_CANNOT_CREATE, "none/r.nii");
    assert_false(access(folder_path("r.nii"), F_OK) == 0 || access(folder_path("r.nii.part"), F_OK) == 0);
}

// The file before stays, and nothing else is left.
TEST(a_full_disk_leaves_the_file_before)
{
    static const char *const names[] = {"d.nii", "d.nii.gz"};
    for (size_t k = 0; k < COUNT(names); k++) {
        struct nifti_write request = request_of(names[k], NIFTI_WRITE_F32, 1);
        struct rlimit before, limit;
        struct nifti *file;
        write_file(&request);
        request.cells[0] = request.cells[1] = 400; // more than zlib's buffer
        assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
        limit = (struct rlimit){.rlim_cur = 4096, .rlim_max = before.rlim_max};
        signal(SIGXFSZ, SIG_IGN);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
        const enum status status = nifti_write_file(&request);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        assert_int_equal(status, STATUS_IO);
        if (!strstr(status_message(), names[k]))
            fail_msg("%s", status_message());
        status_clear();
        assert_ok(nifti_open(request.path, &file));
        assert_int_equal(nifti_info(file)->cells[0], NI);
        nifti_close(file);
        assert_false(access(folder_path("%s.part", names[k]), F_OK) == 0);
    }
}
