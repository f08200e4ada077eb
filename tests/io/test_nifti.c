// io/nifti.c against files made byte by byte (tests/support/nifti_maker.h): both orders of bytes, every type
// of numbers, scaling, places by sform, qform and spacing alone, compression, records; and what is wrong with
// files.
#include "tests/support/test.h"

#include "io/formats/nifti_place.h"
#include "io/nifti.h"
#include "io/nifti_offset.h"
#include "tests/support/fresh.h"
#include "tests/support/nifti_maker.h"
#include "tests/support/statuses.h"

static struct nifti *open_file(const char *name)
{
    struct nifti *file;
    assert_ok(nifti_open(folder_path("%s", name), &file));
    return file;
}

static void refuses(const char *name, enum status status, const char *fragment)
{
    struct nifti *file;
    assert_failure(nifti_open(folder_path("%s", name), &file), status, fragment, name);
    assert_null(file);
}

// ---- numbers

static const struct {
    int code, bits;
    const char *name;
    bool is_integer;
    int count;
    double values[4];
    uint64_t stored[4];
} types[] = {{2, 8, "uint8", true, 3, {0, 127, 255}, {0, 0x7f, 0xff}},
             {256, 8, "int8", true, 3, {-128, -1, 127}, {0x80, 0xff, 0x7f}},
             {4, 16, "int16", true, 3, {-32768, -2, 32767}, {0x8000, 0xfffe, 0x7fff}},
             {512, 16, "uint16", true, 2, {256, 65535}, {0x100, 0xffff}},
             {8, 32, "int32", true, 3, {-2147483648.0, 65536, 2147483647}, {0x80000000, 0x10000, 0x7fffffff}},
             {768, 32, "uint32", true, 2, {1, 4294967295.0}, {1, 0xffffffff}},
             {1024,
              64,
              "int64",
              true,
              3,
              {-1, -9223372036854775808.0, 4294967296.0},
              {~UINT64_C(0), UINT64_C(1) << 63, UINT64_C(1) << 32}},
             {1280, 64, "uint64", true, 2, {9223372036854775808.0, 7}, {UINT64_C(1) << 63, 7}},
             {16, 32, "float32", false, 3, {1.5, -0.375, 0x1p100}, {0x3fc00000, 0xbec00000, 0x71800000}},
             {64,
              64,
              "float64",
              false,
              3,
              {1.5, -0.1, 37},
              {0x3ff8000000000000, 0xbfb999999999999a, 0x4042800000000000}}};

TEST_SUITE(.setup = fresh_folder, .teardown = folder_remove);

TEST(every_type_in_both_orders)
{
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (int variant = 0; variant < 4; variant++) { // bytes in either order, plain or compressed
            struct nifti_bytes bytes =
                nifti_make(variant & 1, types[t].count, 1, 1, 1, types[t].code, types[t].bits);
            for (int k = 0; k < types[t].count; k++)
                nifti_put(&bytes, 352 + (size_t)(k * types[t].bits / 8), types[t].stored[k],
                          (size_t)types[t].bits / 8);
            nifti_save(&bytes, "a.nii");
            if (variant & 2)
                folder_shell("gzip -f %s", folder_path("a.nii"));
            const char *name = variant & 2 ? "a.nii.gz" : "a.nii";
            assert_true(nifti_is(folder_path("%s", name)));
            struct nifti *file = open_file(name);
            double values[4];
            assert_string_equal(nifti_info(file)->type, types[t].name);
            assert_int_equal(nifti_info(file)->is_integer, types[t].is_integer);
            assert_ok(nifti_read_plane(file, values));
            for (int k = 0; k < types[t].count; k++)
                if (values[k] != types[t].values[k])
                    fail_msg("%s, variant %d: value %d is %.17g, expected %.17g", types[t].name, variant, k,
                             values[k], types[t].values[k]);
            nifti_close(file);
            folder_delete(name);
        }
}

TEST(scaling)
{
    static const struct {
        double slope, intercept, expected; // of a stored 10
        bool is_integer;
    } cases[] = {
        {0.5, -3, 2, false}, {0, 99, 10, true}, {1, 0, 10, true}, {0, NAN, 10, true}, {2, 0, 20, false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct nifti_bytes bytes = nifti_make(k % 2, 1, 1, 1, 1, 4, 16);
        nifti_put_float(&bytes, 112, cases[k].slope);
        nifti_put_float(&bytes, 116, cases[k].intercept);
        nifti_put_short(&bytes, 352, 10);
        nifti_save(&bytes, "a.nii");
        struct nifti *file = open_file("a.nii");
        double value;
        assert_ok(nifti_read_plane(file, &value));
        assert_true(value == cases[k].expected);
        assert_int_equal(nifti_info(file)->is_integer, cases[k].is_integer);
        nifti_close(file);
    }
}

// ---- planes and records

TEST(planes_and_records_in_order)
{
    enum { NX = 4, NY = 3, NZ = 2, NT = 3 };
    struct nifti_bytes bytes = nifti_make(false, NX, NY, NZ, NT, 2, 8);
    nifti_put_float(&bytes, 108, 360); // the data need not follow at once
    for (size_t k = 0; k < NX * NY * NZ * NT; k++)
        nifti_put(&bytes, 360 + k, k, 1);
    nifti_save(&bytes, "a.nii");
    folder_shell("gzip -k %s", folder_path("a.nii"));
    static const char *const names[] = {"a.nii", "a.nii.gz"};
    for (int n = 0; n < 2; n++) {
        struct nifti *file = open_file(names[n]);
        const struct nifti_info *info = nifti_info(file);
        assert_true(info->cells[NIFTI_I] == NX && info->cells[NIFTI_J] == NY && info->cells[NIFTI_K] == NZ);
        assert_int_equal(info->records, NT);
        static const size_t records[] = {0, 2, 1, 0};
        for (size_t r = 0; r < 4; r++) {
            assert_ok(nifti_select(file, records[r]));
            for (size_t z = 0; z < NZ; z++) {
                double values[NX * NY];
                assert_ok(nifti_read_plane(file, values));
                for (size_t i = 0; i < NX * NY; i++)
                    assert_true(values[i] == (double)((records[r] * NZ + z) * NX * NY + i));
            }
        }
        assert_int_equal(nifti_select(file, 3), STATUS_DATA);
        nifti_close(file);
    }
}

// ---- places

static void expect_place(const char *placed_by, const int axis[3], const double spacing_mm[3],
                         const double origin_mm[3], double angle_degree)
{
    struct nifti *file = open_file("a.nii");
    const struct nifti_info *info = nifti_info(file);
    assert_string_equal(info->placed_by, placed_by);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(info->axis[k], axis[k]);
        assert_true(fabs(info->spacing_mm[k] - spacing_mm[k]) < 1e-5 * fabs(spacing_mm[k]));
        assert_true(fabs(info->origin_mm[k] - origin_mm[k]) < 1e-4);
    }
    assert_true(fabs(info->largest_angle_degree - angle_degree) < 1e-2);
    nifti_close(file);
}

TEST(spacing_alone)
{
    static const struct {
        int unit;
        double mm;
    } units[] = {{0, 1}, {1, 1000}, {2, 1}, {3, 1e-3}, {2 | 8, 1}}; // the last: times in seconds, too
    for (size_t k = 0; k < sizeof units / sizeof *units; k++) {
        struct nifti_bytes bytes = nifti_make(k % 2, 2, 2, 2, 1, 2, 8);
        nifti_put(&bytes, 123, (uint64_t)units[k].unit, 1);
        nifti_put(&bytes, 359, 0, 1);
        nifti_save(&bytes, "a.nii");
        const double mm = units[k].mm;
        expect_place("pixdim", (int[]){0, 1, 2}, (double[]){-mm, 2 * mm, 3 * mm},
                     (double[]){0.5 * mm, -mm, -1.5 * mm}, 0); // as nibabel has it
    }
}

TEST(sform_places)
{
    struct nifti_bytes bytes = nifti_make(true, 2, 2, 2, 1, 2, 8);
    nifti_put(&bytes, 359, 0, 1);
    // i towards the left, j up, k to the front: as sagittal and coronal scans have it.
    nifti_put_sform(&bytes, (const double[3][4]){{-0.5, 0, 0, 90}, {0, 0, 1.25, -126}, {0, 2, 0, -72}});
    nifti_put_short(&bytes, 252, 1); // the sform goes before
    nifti_save(&bytes, "a.nii");
    expect_place("sform", (int[]){0, 2, 1}, (double[]){-0.5, 2, 1.25}, (double[]){90, -126, -72}, 0);
    // Tilted by 10 degrees about x.
    const double c = cos(10 * acos(-1.0) / 180), s = sin(10 * acos(-1.0) / 180);
    bytes = nifti_make(false, 2, 2, 2, 1, 2, 8);
    nifti_put(&bytes, 359, 0, 1);
    nifti_put_sform(&bytes, (const double[3][4]){{1, 0, 0, 1}, {0, c, -s, 2}, {0, s, c, 3}});
    nifti_save(&bytes, "a.nii");
    expect_place("sform", (int[]){0, 1, 2}, (double[]){1, 1, 1}, (double[]){1, 2, 3}, 10);
}

TEST(qform_places)
{
    static const struct {
        double quaternion[3], fac;
        int axis[3];
        double spacing_mm[3], angle;
    } cases[] = {
        {{0, 0, 0}, 1, {0, 1, 2}, {1, 2, 3}, 0},
        {{0, 0, 0}, -1, {0, 1, 2}, {1, 2, -3}, 0},
        {{0, 1, 0}, 1, {0, 1, 2}, {-1, 2, -3}, 0},                  // half a turn about y
        {{0, 0, 0.70710678118654752}, 1, {1, 0, 2}, {1, -2, 3}, 0}, // a quarter about z: i to y, j to −x
        {{0.70710678118654752, 0, 0},
         -1,
         {0, 2, 1},
         {1, 2, 3},
         0}, // a quarter about x: j to z, k to −y, turned
        {{0.08715574274765817, 0, 0}, 1, {0, 1, 2}, {1, 2, 3}, 10}, // ten degrees about x
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct nifti_bytes bytes = nifti_make(k % 2, 2, 2, 2, 1, 2, 8);
        nifti_put(&bytes, 359, 0, 1);
        nifti_put_short(&bytes, 252, 1);
        nifti_put_float(&bytes, 76, cases[k].fac);
        for (size_t q = 0; q < 3; q++) {
            nifti_put_float(&bytes, 256 + 4 * q, cases[k].quaternion[q]);
            nifti_put_float(&bytes, 268 + 4 * q, 10.0 * (double)(q + 1));
        }
        nifti_save(&bytes, "a.nii");
        expect_place("qform", cases[k].axis, cases[k].spacing_mm, (double[]){10, 20, 30}, cases[k].angle);
    }
}

TEST(qforms_that_are_no_rotation)
{
    static const double wrong[][3] = {{2, 2, 2}, {0.6, 0.6, 0.6}, {NAN, 0, 0}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        struct nifti_bytes bytes = nifti_make(false, 2, 2, 2, 1, 2, 8);
        nifti_put(&bytes, 359, 0, 1);
        nifti_put_short(&bytes, 252, 1);
        for (size_t q = 0; q < 3; q++)
            nifti_put_float(&bytes, 256 + 4 * q, wrong[k][q]);
        nifti_save(&bytes, "a.nii");
        refuses("a.nii", STATUS_DATA, "its qform is no rotation");
    }
}

// ---- bad files

TEST(bad_headers)
{
    static const struct {
        size_t at, count;
        uint64_t bits;
        const char *fragment;
    } cases[] = {{0, 4, 540, "a NIfTI-2 file"},
                 {0, 4, 349, "not a NIfTI-1 file"},
                 {344, 4, 0, "ANALYZE 7.5"},
                 {344, 4, 0x0031696e, "two parts"}, // "ni1"
                 {40, 2, 1, "1 dimensions"},
                 {40, 2, 8, "8 dimensions"},
                 {42, 2, 0, "dimension 1 has length 0"},
                 {44, 2, 0xffff, "dimension 2 has length -1"},
                 {70, 2, 128, "colours"},
                 {70, 2, 32, "complex"},
                 {70, 2, 3, "datatype 3"},
                 {72, 2, 16, "bitpix 16"},
                 {108, 4, 0, "vox_offset is 0"},
                 {108, 4, 0x7fc00000, "vox_offset is"},
                 {80, 4, 0, "no spacing along dimension 1"},
                 {84, 4, 0x7f800000, "no spacing along dimension 2"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct nifti_bytes bytes = nifti_make(false, 2, 2, 2, 1, 2, 8);
        nifti_put(&bytes, 359, 0, 1);
        nifti_put(&bytes, cases[k].at, cases[k].bits, cases[k].count);
        nifti_save(&bytes, "a.nii");
        refuses("a.nii", STATUS_DATA, cases[k].fragment);
    }
    struct nifti_bytes bytes = nifti_make(false, 2, 2, 2, 1, 2, 8);
    nifti_put_short(&bytes, 40, 5);
    nifti_put_short(&bytes, 50, 3); // three values at each place: a displacement
    nifti_save(&bytes, "a.nii");
    refuses("a.nii", STATUS_DATA, "3 values at each point");
    folder_delete("a.nii");
    refuses("a.nii", STATUS_NO_INPUT, "cannot be opened");
    assert_false(nifti_is(folder_path("a.nii")));
    // Its name says that it is meant as one, so that the reader says what is wrong.
    folder_write_text("a.nii", "short");
    assert_true(nifti_is(folder_path("a.nii")));
    refuses("a.nii", STATUS_DATA, "its header: the file ends 343 B too early");
    folder_write_text("a.nii", "");
    assert_true(nifti_is(folder_path("a.nii")));
    refuses("a.nii", STATUS_DATA, "its header: the file ends 348 B too early");
    folder_write_text("a.nii", "CDF\001 and so on");
    assert_false(nifti_is(folder_path("a.nii")));
    folder_write_text("a.nc", "short");
    assert_false(nifti_is(folder_path("a.nc")));
}

// Each header contradicts itself or cannot be a model's domain; its cells are 1 x 2 x 3 mm by pixdim.
TEST(contradictory_headers)
{
    static const struct {
        double sform[3][4];
        double slope, intercept;
        int unit;
        enum { FINE, REFUSED, NO_DOMAIN } expected;
        const char *fragment;
    } cases[] = {
        {{{1, 0, 0, 0}, {0, 2, 0, 0}, {0, 0, 3, 0}}, 2, 1, 2, FINE, ""},
        {{{1, 0, 0, 0}, {0, 2, 0, 0}, {0, 0, 3, 0}}, 0, INFINITY, 2, FINE, ""}, // not scaled
        {{{1, 0, 0, 0}, {0, 2, 0, 0}, {0, 0, 3, 0}}, NAN, 0, 2, REFUSED, "scl_slope is nan and scl_inter 0"},
        {{{1, 0, 0, 0}, {0, 2, 0, 0}, {0, 0, 3, 0}}, INFINITY, 0, 2, REFUSED, "scl_slope is inf"},
        {{{1, 0, 0, 0}, {0, 2, 0, 0}, {0, 0, 3, 0}}, 2, NAN, 2, REFUSED, "scl_inter nan"},
        {{{1, 0, 0, 0}, {0, 2, 0, 0}, {0, 0, 4.4, 0}}, 1, 0, 2, FINE, ""}, // of an atlas
        {{{1, 0, 0, 0}, {0, 2, 0, 0}, {0, 0, 4.6, 0}}, 1, 0, 2, REFUSED, "its sform has cells of 4.6 mm"},
        {{{1, 0, 0, 0}, {0, 2, 0, 0}, {0, 0, 1e-9, 0}}, 1, 0, 2, REFUSED, "along dimension 3"},
        {{{1, 0.03, 0, 0}, {0, 2, 0, 0}, {0, 0, 3, 0}}, 1, 0, 2, FINE, ""}, // 0.86 degrees
        {{{1, 0.04, 0, 0}, {0, 2, 0, 0}, {0, 0, 3, 0}}, 1, 0, 2, NO_DOMAIN, "1.15 degrees off"},
        {{{1, 0, 0, 0}, {0, 2, 0, 0}, {0, 0, 3, 0}}, 1, 0, 1, NO_DOMAIN, "1000 x 2000 x 3000 mm"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct nifti_bytes bytes = nifti_make(false, 2, 2, 2, 1, 2, 8);
        nifti_put(&bytes, 359, 0, 1);
        nifti_put(&bytes, 123, (uint64_t)cases[k].unit, 1);
        nifti_put_float(&bytes, 112, cases[k].slope);
        nifti_put_float(&bytes, 116, cases[k].intercept);
        nifti_put_sform(&bytes, cases[k].sform);
        for (size_t i = 1; i <= 3; i++)
            nifti_put_float(&bytes, 76 + 4 * i, (double)i);
        nifti_save(&bytes, "a.nii");
        if (cases[k].expected == REFUSED) {
            refuses("a.nii", STATUS_DATA, cases[k].fragment);
            continue;
        }
        struct nifti *file = open_file("a.nii");
        struct nifti_place place;
        nifti_place_of(nifti_info(file), &place);
        if (cases[k].expected == FINE)
            assert_ok(nifti_place_check(&place, "a.nii"));
        else
            assert_failure(nifti_place_check(&place, "a.nii"), STATUS_DATA, "a.nii", cases[k].fragment);
        nifti_close(file);
    }
}

static enum status read_all(const char *name)
{
    struct nifti *file;
    static double values[64 * 64];
    enum status status =
        nifti_open(folder_path("%s", name), &file); // damage may be noticed as soon as it is buffered
    for (size_t k = 0; status == STATUS_OK && k < nifti_info(file)->cells[NIFTI_K]; k++)
        status = nifti_read_plane(file, values);
    nifti_close(file);
    return status;
}

TEST(cut_and_damaged_files)
{
    struct nifti_bytes bytes = nifti_make(false, 64, 64, 16, 1, 4, 16);
    uint32_t random = 1;
    for (size_t k = 0; k < 64 * 64 * 16; k++) {
        random = random * 1664525u + 1013904223u;
        nifti_put(&bytes, 352 + 2 * k, random >> 16, 2);
    }
    nifti_save(&bytes, "a.nii");
    folder_shell("gzip -k %s", folder_path("a.nii"));
    assert_ok(read_all("a.nii"));
    assert_ok(read_all("a.nii.gz"));
    static const char *const names[] = {"a.nii", "a.nii.gz"};
    for (int n = 0; n < 2; n++) {
        size_t length;
        char *whole = folder_read(names[n], &length);
        const char *cut = n ? "cut.nii.gz" : "cut.nii";
        folder_write(cut, whole, length * 3 / 5);
        assert_failure(read_all(cut), STATUS_DATA, "too early", "plane 9 of 16");
        if (n == 1) { // a byte inverted in the middle of the compressed data
            whole[length / 2] = (char)(whole[length / 2] ^ 0x55);
            folder_write(cut, whole, length);
            status_clear();
            const enum status status = read_all(cut);
            assert_int_equal(status, STATUS_DATA);
        }
    }
}

// Reads by the other way, into memory.
static enum status hold(const char *name)
{
    struct nifti *file;
    enum status status = nifti_open(folder_path("%s", name), &file);
    if (status == STATUS_OK)
        status = nifti_hold(file);
    nifti_close(file);
    return status;
}

// What follows the values in a file of gzip: their checksum in 4 bytes, their length in 4 (RFC 1952).
TEST(gzips_checksum_must_be_there_and_right)
{
    enum { TRAILER = 8 };
    static enum status (*const ways[])(const char *) = {read_all, hold};
    for (int records = 1; records < 3; records++) {
        struct nifti_bytes bytes = nifti_make(false, 20, 10, 3, records, 2, 8);
        for (size_t k = 0; k < 600 * (size_t)records; k++)
            nifti_put(&bytes, 352 + k, k * k, 1);
        nifti_save(&bytes, "b.nii");
        folder_shell("gzip -kf %s", folder_path("b.nii"));
        size_t length;
        char *whole = folder_read("b.nii.gz", &length);
        for (size_t way = 0; way < 2; way++) {
            assert_ok(ways[way]("b.nii.gz"));
            for (size_t cut = 1; cut <= TRAILER; cut++) {
                folder_write("cut.nii.gz", whole, length - cut);
                assert_failure(ways[way]("cut.nii.gz"), STATUS_DATA, "cut.nii.gz: damaged", "ends too early");
            }
            for (size_t at = length - TRAILER; at < length; at++) {
                whole[at] = (char)(whole[at] ^ 1);
                folder_write("cut.nii.gz", whole, length);
                assert_failure(ways[way]("cut.nii.gz"), STATUS_DATA, "cut.nii.gz", "damaged", "check");
                whole[at] = (char)(whole[at] ^ 1);
            }
            // What follows and is not gzip's is left aside, as gzip itself does.
            folder_shell("cat %s %s > %s", folder_path("b.nii.gz"), folder_path("b.nii"),
                         folder_path("cut.nii.gz"));
            assert_ok(ways[way]("cut.nii.gz"));
        }
    }
}

// ---- one image beside another

// Steps of 1, 2 and 3 mm turned by 30 degrees about z; and another image of the same directions, whose i runs
// the other way and whose j and k are exchanged. Its first cell lies 2 cells further along x and y, one less
// along z.
TEST(an_image_lies_among_the_cells_of_another)
{
    const double c = sqrt(3) / 2, s = 0.5;
    const struct nifti_info base = {.cells = {9, 8, 7},
                                    .origin_mm = {10, -20, 30},
                                    .step_mm = {{c, s, 0}, {-2 * s, 2 * c, 0}, {0, 0, 3}},
                                    .axis = {0, 1, 2},
                                    .spacing_mm = {1, 2, 3}};
    struct nifti_info image = {.cells = {5, 4, 6},
                               .step_mm = {{-c, -s, 0}, {0, 0, 3}, {-2 * s, 2 * c, 0}},
                               .axis = {0, 2, 1},
                               .spacing_mm = {-1, 3, 2}};
    double offset_mm[3], angle_degree;
    for (int x = 0; x < 3; x++) // cell (2 + 4, 2, -1) of the other is where its i begins
        image.origin_mm[x] =
            base.origin_mm[x] + 6 * base.step_mm[0][x] + 2 * base.step_mm[1][x] - base.step_mm[2][x];
    nifti_offset(&image, &base, offset_mm, &angle_degree);
    assert_true(angle_degree < 1e-5);
    const double expected[] = {2, 4, -3};
    for (int x = 0; x < 3; x++)
        assert_true(fabs(offset_mm[x] - expected[x]) < 1e-12);
    const struct nifti_info straight = {.cells = {9, 8, 7},
                                        .step_mm = {{1, 0, 0}, {0, 2, 0}, {0, 0, 3}},
                                        .axis = {0, 1, 2},
                                        .spacing_mm = {1, 2, 3}};
    nifti_offset(&straight, &base, offset_mm, &angle_degree);
    assert_true(fabs(angle_degree - 30) < 1e-9);
}
