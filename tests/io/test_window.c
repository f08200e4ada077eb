// Windows and sampling: which nodes a range makes, longitudes in every convention, and values between nodes
// against a bilinear function, for which bilinear interpolation is exact.
#include "tests/support/test.h"

#include "tests/io/grid_fixture.h"
#include "tests/support/statuses.h"

// Bilinear in longitude and latitude, and not symmetric in them.
static double surface(double x, double y)
{
    return 100 + 3 * x - 5 * y + 0.25 * x * y;
}

// A MOST file with nodes x0 + i dx, y0 + j dy and surface() as depths; `hole` is the number of one missing
// node (NaN).
static struct grid_file *open_surface(double x0, double dx, size_t nx, double y0, double dy, size_t ny,
                                      size_t hole)
{
    const char *path = folder_path("surface.most");
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fprintf(stream, "%zu %zu\n", nx, ny);
    for (size_t i = 0; i < nx; i++)
        fprintf(stream, "%.17g\n", x0 + (double)i * dx);
    for (size_t j = ny; j-- > 0;)
        fprintf(stream, "%.17g\n", y0 + (double)j * dy);
    for (size_t j = ny; j-- > 0;)
        for (size_t i = 0; i < nx; i++)
            fprintf(stream, "%.17g\n",
                    j * nx + i == hole ? NAN : surface(x0 + (double)i * dx, y0 + (double)j * dy));
    assert_int_equal(fclose(stream), 0);
    struct grid_request request = request_of(path, GRID_AS_FILE);
    return must_open(&request);
}

static const size_t no_hole = SIZE_MAX;

static struct grid_window_request range(double west, double east, double south, double north, double spacing)
{
    return (struct grid_window_request){.has_x = true,
                                        .has_y = true,
                                        .x_range = {west, east},
                                        .y_range = {south, north},
                                        .spacing = {spacing, spacing},
                                        .missing_value = NAN,
                                        .outside_value = NAN};
}

OWNED(own_window, struct grid_window, grid_window_free);

static struct grid_window must_resolve(const struct grid_file *file,
                                       const struct grid_window_request *request)
{
    struct grid_window *window = owned_zeros(1, sizeof *window);
    assert_ok(grid_window_resolve(file, request, window));
    return *own_window(window);
}

static void must_not_resolve(const struct grid_file *file, const struct grid_window_request *request,
                             const char *part)
{
    struct grid_window window;
    assert_failure(grid_window_resolve(file, request, &window), STATUS_CONFIGURATION, part);
    assert_null(window.x);
    assert_null(window.y);
}

static void sample(struct grid_file *file, const struct grid_window *window,
                   const struct grid_window_request *request, double *values)
{
    struct grid_sampler *sampler;
    assert_ok(grid_sampler_open(file, window, request, &sampler));
    // Odd rows backwards first, then even ones: rows may come in any order.
    for (size_t row = window->ny; row-- > 0;)
        if (row % 2 == 1 && grid_sampler_row(sampler, row, values + row * window->nx) != STATUS_OK)
            fail_msg("%s", status_message());
    for (size_t row = 0; row < window->ny; row += 2)
        assert_ok(grid_sampler_row(sampler, row, values + row * window->nx));
    grid_sampler_close(sampler);
}

TEST_SUITE(.setup = fresh_folder, .teardown = folder_remove);

TEST(test_crop)
{
    struct grid_file *file = open_surface(140, 0.5, 21, 30, 0.5, 11, no_hole); // 140…150, 30…35
    struct grid_window_request request = range(141.2, 144, 30.5, 33.49999999, 0);
    struct grid_window window = must_resolve(file, &request);
    assert_int_equal(window.nx, 6);
    assert_int_equal(window.ny, 7); // 33.49999999 is a node but for rounding
    assert_axis(window.x, 6, (double[]){141.5, 142, 142.5, 143, 143.5, 144}, 1e-12);
    assert_axis(window.y, 7, (double[]){30.5, 31, 31.5, 32, 32.5, 33, 33.5}, 1e-12);
    assert_true(window.is_uniform_x && window.is_uniform_y && window.is_geographic);
    assert_false(window.covers_globe);
    double values[42];
    sample(file, &window, &request, values);
    for (size_t j = 0; j < 7; j++)
        for (size_t i = 0; i < 6; i++)
            assert_true(values[j * 6 + i] == surface(window.x[i], window.y[j])); // nodes: the value itself

    request = range(-219, -216, 30, 32, 0); // another convention; the window keeps it
    window = must_resolve(file, &request);
    assert_int_equal(window.nx, 7);
    assert_axis(window.x, 7, (double[]){-219, -218.5, -218, -217.5, -217, -216.5, -216}, 1e-12);
    double moved[35];
    sample(file, &window, &request, moved);
    assert_true(moved[0] == surface(141, 30));
    assert_true(moved[34] == surface(144, 32));

    request.has_x = request.has_y = false; // the whole file
    window = must_resolve(file, &request);
    assert_int_equal(window.nx, 21);
    assert_int_equal(window.ny, 11);
    assert_true(window.x[0] == 140 && window.x[20] == 150 && window.y[0] == 30 && window.y[10] == 35);
}

TEST(test_spacing)
{
    struct grid_file *file = open_surface(140, 0.5, 21, 30, 0.5, 11, no_hole);
    struct grid_window_request request = range(140.1, 141.1, 30, 35, 0.2);
    request.spacing[1] = 1.0 / 3;
    struct grid_window window = must_resolve(file, &request);
    assert_int_equal(window.nx, 6); // the upper end falls on a node
    assert_int_equal(window.ny, 16);
    assert_axis(window.x, 6, (double[]){140.1, 140.3, 140.5, 140.7, 140.9, 141.1}, 1e-12);
    double values[96];
    sample(file, &window, &request, values);
    for (size_t j = 0; j < 16; j++)
        for (size_t i = 0; i < 6; i++)
            if (fabs(values[j * 6 + i] - surface(window.x[i], window.y[j])) > 1e-9)
                fail_msg("%zu %zu: %.12g, expected %.12g", i, j, values[j * 6 + i],
                         surface(window.x[i], window.y[j]));

    request = range(140, 149.9, 30, 35, 3);
    request.spacing[1] = 1;
    window = must_resolve(file, &request);
    assert_int_equal(window.nx, 4); // 149; the upper end does not fall on a node
    assert_true(window.x[3] == 149);
}

TEST(test_ranges_refused)
{
    struct grid_file *file = open_surface(140, 0.5, 21, 30, 0.5, 11, no_hole);
    struct grid_window_request request = range(160, 170, 30, 35, 0);
    must_not_resolve(file, &request, "lies outside");
    request = range(135, 145, 30, 35, 0.5);
    must_not_resolve(file, &request, "nodes go from 140 to 150");
    request = range(140, 145, 30, 36, 0.5);
    must_not_resolve(file, &request, "latitude range 30 … 36 degree reaches beyond");
    request = range(139.6, 145, 30, 35, 0); // less than a spacing: cell edges
    struct grid_window window = must_resolve(file, &request);
    assert_true(window.x[0] == 140);
    request = range(139.4, 145, 30, 35, 0);
    must_not_resolve(file, &request, "reaches beyond");
    request.outside_value = 0;
    must_not_resolve(file, &request, "or give a spacing");
    request = range(140, 141, 30, 35, 0); // three columns
    must_not_resolve(file, &request, "holds 3 nodes, expected at least 4");
    request = range(140, 145, 33, 32, 0);
    must_not_resolve(file, &request, "is empty");
    request = range(140, 140, 31, 32, 0);
    must_not_resolve(file, &request, "is empty");
    request = range(140, 145, 30, 95, 0);
    must_not_resolve(file, &request, "expected −90 … 90");
    request = range(100, 500, 30, 35, 0);
    must_not_resolve(file, &request, "more than once round");
    request = range(140, 145, 30, 35, 1e-9);
    must_not_resolve(file, &request, "are degrees and metres mixed up?");
    request = range(140, 145, 30, 35, 1e-5);
    must_not_resolve(file, &request, "expected at most 1e11");
    request = range(140, 145, 30, 35, -1);
    must_not_resolve(file, &request, "a spacing ≥ 0");
    request = range(140, NAN, 30, 35, 1);
    must_not_resolve(file, &request, "expected finite numbers");
}

// A download of cells: 135 to 150 degrees in cells of 15 arc-seconds are nodes from 135.00208 to 149.99792.
// On a stated spacing the limits of the cells are accepted, and the outermost values hold there; what lies
// further out is not.
TEST(test_limits_of_cells)
{
    const double cell = 0.25, first = 135 + 0.5 * cell, south = 30 + 0.5 * cell;
    struct grid_file *file = open_surface(first, cell, 60, south, cell, 20, no_hole);
    struct grid_window_request request = range(135, 150, 30, 35, 0.5);
    struct grid_window window = must_resolve(file, &request);
    assert_true(window.nx == 31 && window.ny == 11 && window.x[0] == 135 && window.x[30] == 150);
    double *values = owned_zeros(31 * 11, sizeof *values);
    sample(file, &window, &request, values);
    for (size_t j = 0; j < 11; j++)
        for (size_t i = 0; i < 31; i++) {
            const double x = fmin(fmax(window.x[i], first), 150 - 0.5 * cell);
            const double y = fmin(fmax(window.y[j], south), 35 - 0.5 * cell);
            assert_true(fabs(values[j * 31 + i] - surface(x, y)) < 1e-9);
        }
    request = range(-225, -210, 30, 35, 0.5); // another turn
    window = must_resolve(file, &request);
    assert_true(window.nx == 31);
    request = range(134.9, 150, 30, 35, 0.5);
    must_not_resolve(file, &request, "longitude range 134.9");
    request = range(135, 150, 30, 35.1, 0.51);
    must_not_resolve(file, &request, "latitude range 30");
}

// Limits in the wrong order are a way across the antimeridian only where the file has that way.
TEST(test_swapped_limits)
{
    struct grid_file *file = open_surface(135, 0.5, 31, 30, 0.5, 11, no_hole);
    for (int k = 0; k < 2; k++) {
        struct grid_window_request request = range(150, 135, 30, 35, k == 0 ? 0 : 0.5);
        must_not_resolve(file, &request,
                         "longitude: the west limit, 150 degree, lies east of the east limit, 135 degree: "
                         "are the two swapped? (eastward from it are 345 degrees");
        request = range(-210, -225, 30, 35, k == 0 ? 0 : 0.5);
        must_not_resolve(file, &request,
                         "the west limit, -210 degree, lies east of the east limit, -225 degree");
    }
    struct grid_window_request request = range(135, 150, 35, 30, 0);
    must_not_resolve(file, &request, "are the two swapped?");
    owned_end(file);
    file = open_surface(160, 0.5, 81, 30, 0.5, 11, no_hole); // 160 … 200
    request = range(170, -170, 30, 35, 0.5);
    struct grid_window window = must_resolve(file, &request);
    assert_true(window.nx == 41 && window.x[0] == 170 && window.x[40] == 190);
    owned_end(file);
    file = open_surface(0, 1, 360, 30, 0.5, 11, no_hole);
    request = range(150, 135, 30, 35, 0);
    must_not_resolve(file, &request, "if all 345 degrees eastward from it are meant, write 150 … 495");
    request = range(150, 495, 30, 35, 0);
    window = must_resolve(file, &request);
    assert_int_equal(window.nx, 346);
    request = range(20, -70, 30, 35, 0); // the Indian and the Pacific Ocean
    window = must_resolve(file, &request);
    assert_int_equal(window.nx, 271);
}

// A global file, cell centres as ETOPO20: −179.5 … 179.5.
TEST(test_across_the_antimeridian)
{
    struct grid_file *file = open_surface(-179.5, 1, 360, -10, 1, 21, no_hole);
    assert_true(grid_info(file)->wraps);
    static const double conventions[][2] = {
        {175.5, 190.5}, {175.5, -169.5}, {-184.5, -169.5}, {535.5, 550.5}};
    for (size_t c = 0; c < 4; c++) {
        struct grid_window_request request = range(conventions[c][0], conventions[c][1], -5, 5, 0);
        struct grid_window window = must_resolve(file, &request);
        assert_int_equal(window.nx, 16);
        assert_true(window.is_uniform_x);
        assert_false(window.covers_globe);
        for (size_t i = 0; i < 16; i++)
            if (fabs(window.x[i] - (conventions[c][0] + (double)i)) > 1e-9)
                fail_msg("node %zu of %g … %g: %.12g", i, conventions[c][0], conventions[c][1], window.x[i]);
        double values[16 * 11];
        sample(file, &window, &request, values);
        for (size_t i = 0; i < 16; i++) {
            double longitude = 175.5 + (double)i > 180 ? 175.5 + (double)i - 360 : 175.5 + (double)i;
            if (fabs(values[3 * 16 + i] - surface(longitude, -2)) > 1e-9)
                fail_msg("node %zu: %.12g, expected %.12g", i, values[3 * 16 + i], surface(longitude, -2));
        }
    }
    // Between the last column and the first: the middle of the two.
    struct grid_window_request request = range(178, 184, -5, 5, 0.5);
    struct grid_window window = must_resolve(file, &request);
    double values[13 * 21];
    sample(file, &window, &request, values);
    assert_true(window.x[4] == 180);
    assert_true(fabs(values[4] - 0.5 * (surface(179.5, -5) + surface(-179.5, -5))) < 1e-9);
}

TEST(test_once_round)
{
    struct grid_file *file =
        open_surface(0, 10, 37, -40, 10, 9, no_hole); // 0 … 360, the last column repeated
    assert_int_equal(grid_info(file)->nx, 37);
    assert_int_equal(grid_info(file)->nx_once, 36);
    static const struct {
        double west, east, spacing;
        size_t nx;
        bool covers;
    } cases[] = {{0, 360, 0, 36, true},          {-180, 180, 0, 36, true},  {-180, 170, 0, 36, true},
                 {-180, 160, 0, 35, false},      {0, 360, 5, 72, true},     {20, 380, 2.5, 144, true},
                 {0, 357.5, 2.5, 144, true},     {0, 355, 2.5, 143, false}, {0, 360, 7, 52, false},
                 {0, 360, 0.0833333, 4320, true}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        struct grid_window_request request = range(cases[k].west, cases[k].east, -40, 40, cases[k].spacing);
        struct grid_window window = must_resolve(file, &request);
        if (window.nx != cases[k].nx || window.covers_globe != cases[k].covers ||
            window.x[0] != cases[k].west)
            fail_msg("%g … %g at %g: %zu nodes from %g, covers %d", cases[k].west, cases[k].east,
                     cases[k].spacing, window.nx, window.x[0], window.covers_globe);
    }
    struct grid_window_request whole = {.missing_value = NAN, .outside_value = NAN};
    struct grid_window window = must_resolve(file, &whole);
    assert_int_equal(window.nx, 36);
    assert_true(window.covers_globe);
    whole.spacing[0] = whole.spacing[1] = 4;
    window = must_resolve(file, &whole);
    assert_int_equal(window.nx, 90);
    assert_true(window.covers_globe);
}

TEST(test_missing)
{
    // Node 5, 3 (143, 33) is missing; spacing 1 from 138, 30.
    struct grid_file *file = open_surface(138, 1, 12, 30, 1, 8, 3 * 12 + 5);
    struct grid_window_request request = range(140, 146, 31, 36, 0.5);
    struct grid_window window = must_resolve(file, &request);
    struct grid_sampler *sampler;
    double row[13];
    assert_ok(grid_sampler_open(file, &window, &request, &sampler));
    assert_ok(grid_sampler_row(sampler, 2, row)); // 32: touches no missing node
    assert_int_equal(grid_sampler_row(sampler, 3, row), STATUS_DATA);
    assert_message_has("no value at 142.5, 32.5");
    status_clear();
    grid_sampler_close(sampler);

    request.missing_value = -7;
    double values[13 * 11];
    sample(file, &window, &request, values);
    for (size_t j = 0; j < 11; j++)
        for (size_t i = 0; i < 13; i++) {
            // Missing within one spacing of the hole, the nodes at exactly one spacing excepted: their weight
            // is zero.
            bool is_near = fabs(window.x[i] - 143) < 1 && fabs(window.y[j] - 33) < 1;
            double expected = is_near ? -7 : surface(window.x[i], window.y[j]);
            if (fabs(values[j * 13 + i] - expected) > 1e-9)
                fail_msg("%g %g: %g, expected %g", window.x[i], window.y[j], values[j * 13 + i], expected);
        }
    request.keeps_missing = true;
    sample(file, &window, &request, values);
    assert_true(isnan(values[4 * 13 + 6])); // 143, 33
    assert_true(!isnan(values[4 * 13 + 4]));
}

// A displacement on a larger grid: the window is not of this file.
TEST(test_outside)
{
    struct grid_file *file = open_surface(140, 1, 6, 30, 1, 6, no_hole); // 140…145, 30…35
    double x[5] = {-222, -220, -219.5, -215, -214.9}, y[4] = {29, 30, 35, 35.0000001};
    struct grid_window window = {.nx = 5, .ny = 4, .x = x, .y = y, .is_geographic = true};
    struct grid_window_request request = {.missing_value = NAN, .outside_value = NAN};
    struct grid_sampler *sampler;
    assert_int_equal(grid_sampler_open(file, &window, &request, &sampler), STATUS_CONFIGURATION);
    assert_message_has("x -222 is outside the file, whose nodes go from x 140 to 145");
    status_clear();
    request.outside_value = 0;
    double values[20];
    sample(file, &window, &request, values);
    for (int i = 0; i < 5; i++)
        assert_true(values[i] == 0);
    assert_true(values[5] == 0 && values[9] == 0);
    assert_true(values[6] == surface(140, 30) && values[8] == surface(145, 30));
    assert_true(fabs(values[7] - surface(140.5, 30)) < 1e-9);
    assert_true(values[16] == surface(140, 35)); // within rounding of the last row
    window.is_geographic = false;
    assert_int_equal(grid_sampler_open(file, &window, &request, &sampler), STATUS_CONFIGURATION);
    assert_message_has("its axes are degrees, but the grid it is wanted on is in metres");
    status_clear();
}

// An axis with spacings 1, 97, 1, 1, … as in the deformation file of the Okushiri set-up.
TEST(test_uneven)
{
    static const char text[] = "6 4\n100\n101\n130\n131\n132\n160\n10\n9\n5\n4\n"
                               "1 2 3 4 5 6\n1 2 3 4 5 6\n1 2 3 4 5 6\n1 2 3 4 5 6\n";
    struct grid_request open = request_of(file_of_text("a.most", text), GRID_AS_FILE);
    struct grid_file *file = must_open(&open);
    assert_false(grid_info(file)->is_x_uniform);
    struct grid_window_request request = {.missing_value = NAN, .outside_value = NAN};
    struct grid_window window = must_resolve(file, &request);
    assert_false(window.is_uniform_x);
    assert_int_equal(window.nx, 6);
    request = range(100, 160, 4, 10, 1);
    window = must_resolve(file, &request);
    double values[61 * 7];
    sample(file, &window, &request, values);
    assert_true(values[0] == 1 && values[1] == 2 && values[30] == 3 && values[60] == 6);
    assert_true(fabs(values[11] - (2 + 10.0 / 29)) < 1e-12);
    assert_true(fabs(values[46] - 5.5) < 1e-12);
}

TEST(test_records_of_a_sampler)
{
    static const char text[] = "4 mx\n4 my\n2 mt\n0 xlower\n0 ylower\n0 t0\n1000 dx\n1000 dy\n1 dt\n"
                               "1 1 1 1\n1 1 1 1\n1 1 1 1\n1 1 1 1\n2 2 2 2\n2 2 2 2\n2 2 2 2\n2 2 2 2\n";
    struct grid_request open = {
        .path = file_of_text("a.tt3", text), .target_units = "m", .positive = GRID_PLAIN};
    struct grid_file *file = must_open(&open);
    struct grid_window_request request = {.missing_value = NAN, .outside_value = NAN};
    struct grid_window window = must_resolve(file, &request);
    struct grid_sampler *sampler;
    double row[4];
    assert_ok(grid_sampler_open(file, &window, &request, &sampler));
    assert_ok(grid_sampler_row(sampler, 1, row));
    assert_true(row[0] == 1);
    assert_ok(grid_sampler_select_record(sampler, 1));
    assert_ok(grid_sampler_row(sampler, 1, row));
    assert_true(row[0] == 2); // not what was buffered
    assert_int_equal(grid_sampler_row(sampler, 4, row), STATUS_SOFTWARE);
    grid_sampler_close(sampler);
}
