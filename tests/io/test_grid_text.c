// Text grids: MOST, ESRI ASCII, GeoClaw type 3 and Surfer 6 text, against numbers written into the test; and
// what is said about files that are damaged.
#include "tests/support/test.h"

#include "tests/io/grid_fixture.h"
#include "tests/support/statuses.h"

static const char most[] = "3 2\n"
                           "140.0\n141.0\n142.0\n"
                           "36.5\n35.0\n"
                           "  10.5  20  -3.25\n"
                           "1.0E+03 2.0D+03 0\n";

TEST_SUITE(.setup = fresh_folder, .teardown = folder_remove);

TEST(test_most)
{
    struct grid_request request = request_of(file_of_text("a.most", most), GRID_AS_FILE);
    struct grid_file *file = must_open(&request);
    const struct grid_info *info = grid_info(file);
    assert_int_equal(info->format, GRID_FORMAT_MOST);
    assert_int_equal(info->nx, 3);
    assert_int_equal(info->ny, 2);
    assert_true(info->is_geographic);
    assert_false(info->wraps);
    assert_true(info->is_x_uniform);
    assert_int_equal(info->records, 1);
    assert_axis(info->x, 3, (double[]){140, 141, 142}, 0);
    assert_axis(info->y, 2, (double[]){35, 36.5}, 0);
    assert_row(file, 0,
               (double[]){1000, 2000, 0}); // the southern row is the last one of the file; depths stay depths
    assert_row(file, 1, (double[]){10.5, 20, -3.25});
    assert_row(file, 0, (double[]){1000, 2000, 0}); // any order
    owned_end(file);

    // Depths by the format's definition: only a deliberate word stands above it.
    request.positive = GRID_POSITIVE_UP;
    must_refuse(&request, STATUS_CONFIGURATION, "contradicts the file, which states MOST (depths)");
    request.overrides = true;
    request.target_units = "km";
    file = must_open(&request);
    assert_row(file, 0, (double[]){-1, -2, 0});
}

TEST(test_most_south_to_north_and_wrapped_numbers)
{
    // Latitudes ascending, a row over several lines, CRLF, tabs: the words count, not the lines.
    static const char text[] = "3 2\r\n-179\r\n-178\r\n-177\r\n10\r\n11\r\n1\t2\r\n3\r\n4 5 6";
    struct grid_request request = request_of(file_of_text("a.corr", text), GRID_AS_FILE);
    struct grid_file *file = must_open(&request);
    assert_axis(grid_info(file)->y, 2, (double[]){10, 11}, 0);
    assert_row(file, 0, (double[]){1, 2, 3});
    assert_row(file, 1, (double[]){4, 5, 6});
}

static void refuse_most(const char *text, const char *part)
{
    struct grid_request request = request_of(file_of_text("bad.most", text), GRID_AS_FILE);
    must_refuse(&request, STATUS_DATA, part);
}

TEST(test_most_damaged)
{
    refuse_most("3 2\n140\n141\n142\n36\n35\n1 2 3\n4 5\n", "ends at line 9 after 5 numbers");
    refuse_most("3 2\n140\n141\n142\n36\n35\n1 2 3\n4 5 6\n7\n", "line 9: more numbers than");
    refuse_most("3 2\n140\n141\n142\n36\n35\n1 2 3\n4 five 6\n", "line 8: \"five\" is not part of a number");
    refuse_most("3 2\n140\n141\nx\n36\n35\n1 2 3\n4 5 6\n", "line 4: \"x\" is not a number");
    refuse_most("3 2\n140\n141\n141\n36\n35\n1 2 3\n4 5 6\n", "changes its direction");
    refuse_most("3 2\n140\n141\n142\n96\n35\n1 2 3\n4 5 6\n", "cannot be degrees");
    refuse_most("3 2\n140\n141\n142\nnan\n35\n1 2 3\n4 5 6\n", "cannot be degrees");
    refuse_most("2000000000 2000000000\n140\n141\n", "the header promises 2000000000 × 2000000000");
    refuse_most("3 1\n140\n141\n142\n36\n1 2 3\n", "the number of rows is \"1\"");
    refuse_most("3 2.5\n140\n141\n142\n36\n35\n1 2 3\n", "the number of rows is \"2.5\"");
    refuse_most("3 2\n140\n141\n", "the file ends before a longitude");
}

// Characters that numbers have, but no number: found when the row is read.
TEST(test_number_malformed)
{
    double values[3];
    struct grid_request request =
        request_of(file_of_text("a.most", "3 2\n140\n141\n142\n36\n35\n1 2 3\n4 5-6 6\n"), GRID_AS_FILE);
    struct grid_file *file = must_open(&request);
    assert_int_equal(grid_read_row(file, 0, values), STATUS_DATA);
    assert_message_has("line 8: \"5-6\" is not a number");
    status_clear();
    assert_int_equal(grid_read_row(file, 1, values), STATUS_OK); // the other row is still there
    assert_int_equal(grid_read_row(file, 2, values), STATUS_SOFTWARE);
}

TEST(test_esri)
{
    static const char text[] =
        "NCOLS 3\nnrows 2\nxllcorner 139.5\nyllcenter 35\ncellsize 1\nNODATA_value -9999\n"
        "1 2 -9999\n-4000.5 nan 6\n";
    struct grid_request request = request_of(file_of_text("a.txt", text), GRID_AS_FILE);
    must_refuse(&request, STATUS_DATA, "could be degrees or metres");
    request.axes = GRID_AXES_GEOGRAPHIC;
    struct grid_file *file = must_open(&request);
    assert_int_equal(grid_info(file)->format, GRID_FORMAT_ESRI_ASCII);
    assert_int_equal(grid_info(file)->file_positive, GRID_POSITIVE_UP);
    assert_axis(grid_info(file)->x, 3, (double[]){140, 141, 142}, 0); // corner + half a cell
    assert_axis(grid_info(file)->y, 2, (double[]){35, 36}, 0);        // centre as it is
    assert_row(file, 0, (double[]){4000.5, NAN, -6});                 // elevations become depths
    assert_row(file, 1, (double[]){-1, -2, NAN});
    owned_end(file);
    request.axes = GRID_AXES_PLANE;
    request.positive = GRID_PLAIN;
    file = must_open(&request);
    assert_false(grid_info(file)->is_geographic);
    assert_row(file, 0, (double[]){-4000.5, NAN, 6});
    owned_end(file);
    request.axes = GRID_AXES_LEAVE_OPEN;
    file = must_open(&request);
    assert_true(grid_info(file)->are_axes_open);
}

TEST(test_esri_metres_are_seen)
{
    static const char text[] =
        "ncols 2\nnrows 2\nxllcenter 500000\nyllcenter 4000000\ndx 50\ndy 25\n1 2\n3 -9999\n";
    struct grid_request request = request_of(file_of_text("a.asc", text), GRID_AS_FILE);
    struct grid_file *file = must_open(&request); // numbers that can be metres only need no word
    assert_false(grid_info(file)->is_geographic);
    assert_axis(grid_info(file)->x, 2, (double[]){500000, 500050}, 0);
    assert_axis(grid_info(file)->y, 2, (double[]){4000000, 4000025}, 0);
    assert_row(file, 0, (double[]){-3, NAN}); // −9999 is the format's default
    request.axes = GRID_AXES_GEOGRAPHIC;
    must_refuse(&request, STATUS_DATA, "cannot be degrees");
}

static void refuse_esri(const char *text, const char *part)
{
    struct grid_request request = {.path = file_of_text("bad.asc", text),
                                   .target_units = "m",
                                   .axes = GRID_AXES_PLANE,
                                   .time_index = -1};
    must_refuse(&request, STATUS_DATA, part);
}

TEST(test_esri_damaged)
{
    refuse_esri("ncols 2\nnrows 2\nxllcenter 0\nyllcenter 0\n1 2\n3 4\n", "has no cellsize");
    refuse_esri("ncols 2\nnrows 2\nxllcenter 0\nxllcorner 0\nyllcenter 0\ncellsize 1\n1 2\n3 4\n",
                "needs one of xllcorner and xllcenter");
    refuse_esri("ncols 2\nncols 2\nnrows 2\n1 2\n3 4\n", "line 2: ncols is given twice");
    refuse_esri("ncols two\nnrows 2\n1 2\n3 4\n", "line 1: ncols is \"two\"");
    refuse_esri("ncols 2\nnrows 2\ncellsise 1\n1 2\n3 4\n", "line 3: \"cellsise\" is not a key");
    refuse_esri("ncols 2\nnrows 2\nxllcenter 0\nyllcenter 0\ncellsize -1\n1 2\n3 4\n", "the cell size is -1");
    refuse_esri("ncols 2\nnrows 2\nxllcenter 0\nyllcenter 0\ncellsize 1\n1 2\n3\n", "after 3 numbers");
    refuse_esri("ncols 2\nnrows 2\nxllcenter 0\nyllcenter 0\ncellsize 1\n1,5 2\n3 4\n", "line 6: \",5\"");
    refuse_esri("ncols 2\nnrows 2\n", "ends within its header");
}

TEST(test_geoclaw_topography)
{
    static const char text[] =
        "  3   ncols\n 2 nrows\n 140.0 xlower\n35.0 yllcorner\n0.5 0.25 cellsize\n-99999 nodata_value\n"
        "1 2 3\n4 5 -99999\n";
    struct grid_request request = {.path = file_of_text("a.tt3", text),
                                   .target_units = "m",
                                   .axes = GRID_AXES_GEOGRAPHIC,
                                   .time_index = -1};
    struct grid_file *file = must_open(&request);
    assert_int_equal(grid_info(file)->format, GRID_FORMAT_GEOCLAW_TT3);
    assert_axis(grid_info(file)->x, 3, (double[]){140, 140.5, 141}, 0);
    assert_axis(grid_info(file)->y, 2, (double[]){35.125, 35.375}, 0);
    assert_row(file, 0, (double[]){-4, -5, NAN});
    assert_row(file, 1, (double[]){-1, -2, -3});
}

TEST(test_geoclaw_displacement)
{
    static const char text[] = "2 mx\n2 my\n3 mt\n10 xlower\n20 ylower\n1.0 t0\n0.5 dx\n0.5 dy\n2.5 dt\n"
                               "1 2\n3 4\n5 6\n7 8\n9 10\n11 12\n";
    struct grid_request request = {.path = file_of_text("a.dtt3", text),
                                   .target_units = "cm",
                                   .axes = GRID_AXES_GEOGRAPHIC,
                                   .time_index = -1,
                                   .positive = GRID_PLAIN};
    must_refuse(&request, STATUS_CONFIGURATION,
                "has 3 records, expected one: extract it with fathom convert --record N (0 … 2)");
    request.time_index = 3;
    must_refuse(&request, STATUS_CONFIGURATION, "record 3 was asked for");
    request.time_index = 2;
    struct grid_file *file = must_open(&request);
    assert_int_equal(grid_info(file)->records, 3);
    assert_axis(grid_info(file)->times_s, 3, (double[]){0, 2.5, 5}, 0);
    assert_row(file, 1, (double[]){900, 1000});
    assert_int_equal(grid_select_record(file, 0), STATUS_OK);
    assert_row(file, 0, (double[]){300, 400});
    assert_failure(grid_select_record(file, 3), STATUS_CONFIGURATION, "");
    assert_row(file, 1, (double[]){100, 200}); // the record is still 0
    request.positive = GRID_AS_FILE;           // a displacement is neither a depth nor an elevation
    must_refuse(&request, STATUS_DATA, "elevation or a depth");
}

TEST(test_surfer_text)
{
    static const char text[] = "DSAA\n3 2\n0 2000\n100 400\n-5 7\n1 2 3\n\n4 1.70141e+38\n6\n";
    struct grid_request request = request_of(file_of_text("a.grd", text), GRID_AS_FILE);
    must_refuse(&request, STATUS_DATA, "elevation or a depth");
    request.positive = GRID_POSITIVE_DOWN;
    struct grid_file *file = must_open(&request);
    assert_int_equal(grid_info(file)->format, GRID_FORMAT_SURFER6);
    assert_axis(grid_info(file)->x, 3, (double[]){0, 1000, 2000}, 0);
    assert_axis(grid_info(file)->y, 2, (double[]){100, 400}, 0);
    assert_row(file, 0, (double[]){1, 2, 3}); // from the south
    assert_row(file, 1, (double[]){4, NAN, 6});
    owned_end(file);
    request.path = file_of_text("b.grd", "DSAA\n3 2\n2000 0\n100 400\n-5 7\n1 2 3\n4 5 6\n");
    must_refuse(&request, STATUS_DATA, "expected ascending limits");
}

TEST(test_foreign_files)
{
    struct grid_request request = {.target_units = "m", .time_index = -1};
    static const unsigned char gzip[] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0};
    request.path = file_of_bytes("a.nc.gz", gzip, sizeof gzip);
    must_refuse(&request, STATUS_DATA, "gunzip");
    request.path = file_of_bytes("a.tif", "II*\0\10\0\0\0", 8);
    must_refuse(&request, STATUS_DATA, "TIFF");
    request.path = file_of_text("a.txt", "hello\n");
    must_refuse(&request, STATUS_DATA, "unknown grid format");
    request.path = file_of_text("a.nc", "hello\n");
    must_refuse(&request, STATUS_DATA, "not a netCDF file");
    request.path = file_of_text("empty.most", "");
    must_refuse(&request, STATUS_DATA, "the file is empty");
    request.path = folder_path("absent.most");
    must_refuse(&request, STATUS_NO_INPUT, "No such file");
    request.path = folder_root();
    must_refuse(&request, STATUS_NO_INPUT, "directory");
    static const char holed[] = "3 2\n140\n141\n142\n36\n35\n1 2 3\n4 \0 6\n"; // a block of the disk was lost
    request.path = file_of_bytes("b.most", holed, sizeof holed - 1);
    must_refuse(&request, STATUS_DATA, "is not part of a number");
}

// More text than one buffer holds: numbers across buffer ends, rows out of order.
TEST(test_large_text)
{
    enum { NX = 700, NY = 300 };
    FILE *stream = fopen(folder_path("large.most"), "w");
    assert_non_null(stream);
    fprintf(stream, "%d %d\n", NX, NY);
    for (int k = 0; k < NX; k++)
        fprintf(stream, "%.6f\n", 100 + k * 0.125);
    for (int k = 0; k < NY; k++)
        fprintf(stream, "%.6f\n", 40 - k * 0.125);
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++)
            fprintf(stream, "%d.5%s", 1000 * j + i, i == NX - 1 ? "\n" : " ");
    assert_int_equal(fclose(stream), 0);
    struct grid_request request = request_of(folder_path("large.most"), GRID_AS_FILE);
    struct grid_file *file = must_open(&request);
    double values[NX];
    for (int step = 0; step < NY; step++) {
        size_t row = (size_t)(step * 7) % NY; // 7 and 300 share no factor: every row, jumping about
        assert_int_equal(grid_read_row(file, row, values), STATUS_OK);
        for (int i = 0; i < NX; i++)
            if (values[i] != 1000.0 * (double)(NY - 1 - row) + i + 0.5)
                fail_msg("row %zu, column %d: %g", row, i, values[i]);
    }
}
