// Surfer binary grids, written byte by byte as Golden Software describes them.
#include "tests/support/test.h"

#include "tests/io/grid_fixture.h"
#include "tests/support/statuses.h"

struct bytes {
    unsigned char data[512];
    size_t length;
};

static void put_integer(struct bytes *bytes, uint64_t value, size_t count)
{
    for (size_t k = 0; k < count; k++)
        bytes->data[bytes->length++] = (unsigned char)(value >> (8 * k));
}

static void put_double(struct bytes *bytes, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_integer(bytes, bits, 8);
}

static void put_float(struct bytes *bytes, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_integer(bytes, bits, 4);
}

static void put_magic(struct bytes *bytes, const char *magic)
{
    memcpy(bytes->data + bytes->length, magic, 4);
    bytes->length += 4;
}

static struct bytes surfer6(void)
{
    struct bytes bytes = {.length = 0};
    static const double limits[6] = {0, 4000, 100, 300, -1, 1};
    static const float values[6] = {1.5F, -2.25F, 3, 4, 1.70141e38F, 6};
    put_magic(&bytes, "DSBB");
    put_integer(&bytes, 3, 2);
    put_integer(&bytes, 2, 2);
    for (int k = 0; k < 6; k++)
        put_double(&bytes, limits[k]);
    for (int k = 0; k < 6; k++)
        put_float(&bytes, values[k]);
    return bytes;
}

static struct bytes surfer7(uint64_t version, double rotation, double blank)
{
    struct bytes bytes = {.length = 0};
    const double numbers[8] = {1000, 2000, 50, 25, -1, 1, rotation, blank};
    static const double values[6] = {1.1, 2.2, 3.3, 4.4, 999, 1001};
    put_magic(&bytes, "DSRB");
    put_integer(&bytes, 4, 4);
    put_integer(&bytes, version, 4);
    put_integer(&bytes, 0x494C5546, 4); // a section of another kind: passed over
    put_integer(&bytes, 3, 4);
    put_integer(&bytes, 0, 3);
    put_integer(&bytes, 0x44495247, 4);
    put_integer(&bytes, 72, 4);
    put_integer(&bytes, 2, 4);
    put_integer(&bytes, 3, 4);
    for (int k = 0; k < 8; k++)
        put_double(&bytes, numbers[k]);
    put_integer(&bytes, 0x41544144, 4);
    put_integer(&bytes, 48, 4);
    for (int k = 0; k < 6; k++)
        put_double(&bytes, values[k]);
    return bytes;
}

TEST_SUITE(.setup = fresh_folder, .teardown = folder_remove);

TEST(test_surfer6)
{
    struct bytes bytes = surfer6();
    struct grid_request request =
        request_of(file_of_bytes("a.grd", bytes.data, bytes.length), GRID_POSITIVE_UP);
    struct grid_file *file = must_open(&request);
    assert_int_equal(grid_info(file)->format, GRID_FORMAT_SURFER6);
    assert_false(grid_info(file)->is_geographic);
    assert_axis(grid_info(file)->x, 3, (double[]){0, 2000, 4000}, 0);
    assert_axis(grid_info(file)->y, 2, (double[]){100, 300}, 0);
    assert_row(file, 1, (double[]){-4, NAN, -6});
    assert_row(file, 0, (double[]){-1.5, 2.25, -3});
}

// Every shorter file, and a longer one, is refused.
TEST(test_surfer6_lengths)
{
    struct bytes bytes = surfer6();
    for (size_t length = 4; length < bytes.length; length++) {
        struct grid_request request = request_of(file_of_bytes("a.grd", bytes.data, length), GRID_PLAIN);
        must_refuse(&request, STATUS_DATA, length < 56 ? "the file ends within" : "promises 3 × 2 values");
    }
    struct grid_request request =
        request_of(file_of_bytes("a.grd", bytes.data, bytes.length + 1), GRID_PLAIN);
    must_refuse(&request, STATUS_DATA, "25 B of data");
}

TEST(test_surfer7)
{
    struct bytes bytes = surfer7(1, 0, 999);
    struct grid_request request = request_of(file_of_bytes("a.grd", bytes.data, bytes.length), GRID_PLAIN);
    struct grid_file *file = must_open(&request);
    assert_int_equal(grid_info(file)->format, GRID_FORMAT_SURFER7);
    assert_int_equal(grid_info(file)->nx, 3);
    assert_axis(grid_info(file)->x, 3, (double[]){1000, 1050, 1100}, 0);
    assert_axis(grid_info(file)->y, 2, (double[]){2000, 2025}, 0);
    assert_row(file, 0, (double[]){1.1, 2.2, 3.3});
    assert_row(file, 1, (double[]){4.4, NAN, NAN}); // version 1: from the blank value up
    owned_end(file);
    bytes = surfer7(2, 0, 999);
    request.path = file_of_bytes("b.grd", bytes.data, bytes.length);
    file = must_open(&request);
    assert_row(file, 1, (double[]){4.4, NAN, 1001}); // version 2: the blank value itself
}

// A non-finite number that is not the blank value of the file: refused, with its place.
TEST(test_surfer7_infinite)
{
    struct bytes bytes = surfer7(2, 0, 999);
    double row[3];
    bytes.length -= 16; // in place of the last two values
    put_double(&bytes, -INFINITY);
    put_double(&bytes, 1001);
    struct grid_request request = request_of(file_of_bytes("a.grd", bytes.data, bytes.length), GRID_PLAIN);
    struct grid_file *file = must_open(&request);
    assert_ok(grid_read_row(file, 0, row));
    assert_failure(grid_read_row(file, 1, row), STATUS_DATA, "a.grd: z is infinite at 1050, 2025");
}

TEST(test_surfer7_damaged)
{
    struct bytes bytes = surfer7(1, 30, 999);
    struct grid_request request = request_of(file_of_bytes("a.grd", bytes.data, bytes.length), GRID_PLAIN);
    must_refuse(&request, STATUS_DATA, "rotated by 30 degrees");
    bytes = surfer7(1, 0, 999);
    for (size_t length = 4; length < bytes.length; length++) {
        request.path = file_of_bytes("a.grd", bytes.data, length);
        must_refuse(&request, STATUS_DATA, "");
    }
    bytes.data[31] = 0xff; // the row count becomes 255 rows
    bytes.data[34] = 0x7f; // … and more than the file could hold
    request.path = file_of_bytes("a.grd", bytes.data, bytes.length);
    must_refuse(&request, STATUS_DATA, "");
}
