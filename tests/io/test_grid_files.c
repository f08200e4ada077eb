// Real files: ETOPO as Debian's ferret-datasets lays them, the Okushiri grids, GeoClaw displacements. Each is
// held against netCDF-C or the file's own text, read here without the code under test.
#include "tests/support/test.h"

#include "tests/io/grid_fixture.h"

#include "tests/support/netcdf_maker.h"

static const char etopo20[] = "/usr/share/ferret-vis/data/etopo20.cdf";
static const char etopo5[] = "/usr/share/ferret-vis/data/etopo5.cdf";

static double raw_value(const char *path, const char *variable, size_t row, size_t column)
{
    int ncid, varid;
    double value;
    size_t index[3] = {row, column, 0};
    NC(nc_open(path, NC_NOWRITE, &ncid));
    NC(nc_inq_varid(ncid, variable, &varid));
    NC(nc_get_var1_double(ncid, varid, index, &value));
    NC(nc_close(ncid));
    return value;
}

TEST_SUITE(.setup = fresh_folder, .teardown = folder_remove);

TEST(test_etopo20)
{
    struct grid_request request = request_of(file_or_skip(etopo20), GRID_AS_FILE);
    must_refuse(&request, STATUS_DATA, "variable ROSE does not state whether it is an elevation or a depth");
    request.positive = GRID_POSITIVE_UP;
    struct grid_file *file = must_open(&request);
    const struct grid_info *info = grid_info(file);
    assert_int_equal(info->nx, 1081);
    assert_int_equal(info->nx_once, 1080); // the last column is the first again
    assert_int_equal(info->ny, 540);
    assert_true(info->wraps && info->is_x_uniform && info->is_y_uniform && info->is_geographic);
    assert_axis(info->y, 2, (double[]){-89.8333333, -89.5}, 1e-6);
    double *row = owned_zeros(info->nx, sizeof *row);
    assert_int_equal(grid_read_row(file, 300, row), STATUS_OK);
    for (size_t k = 0; k < info->nx; k += 77)
        assert_true(row[k] == -raw_value(etopo20, "ROSE", 300, k));
}

// The Pacific window of the first example job, and the same nodes in the −180…180 convention.
TEST(test_etopo20_pacific)
{
    struct grid_request open = request_of(file_or_skip(etopo20), GRID_POSITIVE_UP);
    struct grid_file *file = must_open(&open);
    struct grid_window_request request = {.has_x = true,
                                          .has_y = true,
                                          .x_range = {120, 290},
                                          .y_range = {-60, 62},
                                          .spacing = {1.0 / 3, 1.0 / 3},
                                          .missing_value = NAN,
                                          .outside_value = NAN};
    struct grid_window window, other;
    struct grid_sampler *sampler, *other_sampler;
    assert_int_equal(grid_window_resolve(file, &request, &window), STATUS_OK);
    assert_int_equal(window.nx, 511);
    assert_int_equal(window.ny, 367);
    assert_int_equal(grid_sampler_open(file, &window, &request, &sampler), STATUS_OK);
    request.x_range[0] = -240;
    request.x_range[1] = -70;
    assert_int_equal(grid_window_resolve(file, &request, &other), STATUS_OK);
    assert_int_equal(grid_sampler_open(file, &other, &request, &other_sampler), STATUS_OK);
    double *row = owned_zeros(2 * window.nx, sizeof *row);
    for (size_t j = 0; j < window.ny; j += 61) {
        assert_int_equal(grid_sampler_row(sampler, j, row), STATUS_OK);
        assert_int_equal(grid_sampler_row(other_sampler, j, row + window.nx), STATUS_OK);
        for (size_t i = 0; i < window.nx; i++)
            assert_true(fabs(row[i] - row[window.nx + i]) <= 1e-6 * fmax(1, fabs(row[i])));
    }
    // 120, −60 lies in the middle of four cell centres: columns 299, 300 and rows 89, 90.
    assert_int_equal(grid_sampler_row(sampler, 0, row), STATUS_OK);
    double mean = 0;
    for (size_t k = 0; k < 4; k++)
        mean -= 0.25 * raw_value(etopo20, "ROSE", 89 + k / 2, 299 + k % 2);
    if (fabs(row[0] - mean) > 1) // the axis' seven digits move the point by 1e-4 of a cell
        fail_msg("%g, expected %g", row[0], mean);
    grid_sampler_close(sampler);
    grid_sampler_close(other_sampler);
    grid_window_free(&window);
    grid_window_free(&other);
}

// The spacing of etopo5 is off in the sixth digit, so that its circle does not quite close.
TEST(test_etopo5)
{
    struct grid_request open = request_of(file_or_skip(etopo5), GRID_POSITIVE_UP);
    struct grid_file *file = must_open(&open);
    const struct grid_info *info = grid_info(file);
    assert_true(info->wraps && info->is_x_uniform);
    assert_int_equal(info->nx_once, 4320);
    struct grid_window_request request = {.has_x = true,
                                          .has_y = true,
                                          .x_range = {-5, 5},
                                          .y_range = {-90, 90},
                                          .spacing = {1.0 / 12, 1.0 / 12},
                                          .missing_value = NAN,
                                          .outside_value = NAN};
    struct grid_window window;
    struct grid_sampler *sampler;
    assert_int_equal(grid_window_resolve(file, &request, &window), STATUS_OK);
    assert_int_equal(window.nx, 121);
    assert_int_equal(window.ny, 2161);
    assert_int_equal(grid_sampler_open(file, &window, &request, &sampler), STATUS_OK);
    double row[121];
    for (size_t j = 0; j < window.ny; j += 720) {
        assert_int_equal(grid_sampler_row(sampler, j, row), STATUS_OK);
        for (size_t i = 0; i < 121; i += 20) // nodes of the file: its values
            assert_true(row[i] == -raw_value(etopo5, "ROSE", j, (4320 - 60 + i) % 4320));
    }
    grid_sampler_close(sampler);
    grid_window_free(&window);
}

TEST(test_okushiri_grids)
{
    static const struct {
        const char *name;
        size_t nx, ny;
    } cases[] = {{"okushiri/OK30s_SSL2.1.nc", 357, 568},
                 {"okushiri/OK03s_ssl.nc", 184, 330},
                 {"okushiri/AO15m_SSL2.1.nc", 220, 280},
                 {"okushiri/MB06m_SSL2.1.nc", 252, 252}};
    for (size_t k = 0; k < 4; k++) {
        const char *path = benchmark_or_skip(cases[k].name);
        struct grid_request request = request_of(path, GRID_POSITIVE_DOWN);
        struct grid_file *file = must_open(&request);
        assert_int_equal(grid_info(file)->nx, cases[k].nx);
        assert_int_equal(grid_info(file)->ny, cases[k].ny);
        if (!grid_info(file)->is_x_uniform || !grid_info(file)->is_y_uniform)
            fail_msg("%s: uneven axes", path);
        assert_true(grid_info(file)->is_geographic);
        double row[400];
        assert_int_equal(grid_read_row(file, 100, row), STATUS_OK);
        assert_true(row[50] == raw_value(path, "bathy", 100, 50));
        owned_end(file);
    }
}

TEST(test_okushiri_uplift)
{
    const char *path = benchmark_or_skip("okushiri/bottomdefBP9_h.nc");
    struct grid_request request = request_of(path, GRID_PLAIN);
    struct grid_file *file = must_open(&request);
    const struct grid_info *info = grid_info(file);
    assert_int_equal(info->records, 1);
    assert_true(info->is_geographic);
    assert_false(info->is_x_uniform || info->is_y_uniform);
    double lowest = 0, highest = 0, row[383];
    assert_int_equal(info->nx, 383);
    for (size_t j = 0; j < info->ny; j++) {
        assert_int_equal(grid_read_row(file, j, row), STATUS_OK);
        for (size_t i = 0; i < info->nx; i++) {
            lowest = fmin(lowest, row[i]);
            highest = fmax(highest, row[i]);
        }
    }
    assert_true(fabs(lowest + 1.12) < 0.005 && fabs(highest - 4.88) < 0.005); // as its publishers say
}

TEST(test_geoclaw_displacements)
{
    const char *path = benchmark_or_skip("okada/tohoku_test_data.tt3");
    struct grid_request request = {.path = path,
                                   .target_units = "m",
                                   .positive = GRID_PLAIN,
                                   .axes = GRID_AXES_GEOGRAPHIC,
                                   .time_index = 9};
    struct grid_file *file = must_open(&request);
    const struct grid_info *info = grid_info(file);
    assert_int_equal(info->records, 10);
    assert_axis(info->times_s, 2, (double[]){0, 21.4651688888889}, 1e-9);
    assert_axis(info->x, 2, (double[]){140, 140.25}, 1e-12);
    assert_true(info->y[24] == 41);
    // The last line of the text is the southernmost row of the last record.
    static char line[65536], last[65536];
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    while (fgets(line, sizeof line, stream) != NULL)
        if (strlen(line) > 2)
            memcpy(last, line, sizeof line);
    assert_int_equal(fclose(stream), 0);
    double row[25];
    assert_int_equal(grid_read_row(file, 0, row), STATUS_OK);
    char *rest = last;
    for (int k = 0; k < 25; k++)
        assert_true(row[k] == strtod(rest, &rest));
}
