// Writing grids: what netCDF-C reads back, what ncdump says of the header, and that nothing is left of a
// failure.
#include "tests/support/test.h"

#include "tests/io/grid_fixture.h"

#include "tests/support/netcdf_maker.h"
#include <signal.h>
#include <sys/resource.h>

enum { NX = 50, NY = 40 };

struct source {
    size_t fail_at, nan_at; // rows; NY = none
    double factor;          // of the values
};

static double value_of(size_t row, size_t column)
{
    return 1000.5 * (double)row - 0.25 * (double)column;
}

static enum status make_row(void *context, size_t row, double *values)
{
    const struct source *source = context;
    if (row == source->fail_at)
        return FAIL(STATUS_DATA, "the source of row %zu dried up", row);
    for (size_t k = 0; k < NX; k++)
        values[k] = value_of(row, k) * source->factor;
    if (row == source->nan_at)
        values[7] = NAN;
    return STATUS_OK;
}

static struct grid_write request_for(const char *path, struct source *source)
{
    static struct {
        double x[NX], y[NY];
    } nodes;
    for (int k = 0; k < NX; k++)
        nodes.x[k] = 120 + k / 15.0;
    for (int k = 0; k < NY; k++)
        nodes.y[k] = -60 + k / 15.0;
    return (struct grid_write){.path = path,
                               .variable = "depth",
                               .standard_name = "sea_floor_depth_below_mean_sea_level",
                               .long_name = "depth",
                               .units = "m",
                               .positive = "down",
                               .history = "made by a test",
                               .source = "Fathom 9.9.9",
                               .source_file = "etopo.nc",
                               .is_geographic = true,
                               .nx = NX,
                               .ny = NY,
                               .x = nodes.x,
                               .y = nodes.y,
                               .context = source,
                               .row = make_row};
}

static void check_values(const char *path, double tolerance)
{
    int ncid, varid;
    static double values[NX * NY];
    double range[2], x[NX];
    NC(nc_open(path, NC_NOWRITE, &ncid));
    NC(nc_inq_varid(ncid, "depth", &varid));
    NC(nc_get_var_double(ncid, varid, values));
    for (size_t k = 0; k < NX * NY; k++)
        if (!(fabs(values[k] - value_of(k / NX, k % NX)) <= tolerance))
            fail_msg("value %zu: %g", k, values[k]);
    NC(nc_get_att_double(ncid, varid, "actual_range", range));
    assert_true(range[0] == value_of(0, NX - 1) && range[1] == value_of(NY - 1, 0));
    NC(nc_inq_varid(ncid, "lon", &varid));
    NC(nc_get_var_double(ncid, varid, x));
    for (int k = 0; k < NX; k++)
        assert_true(x[k] == 120 + k / 15.0);
    NC(nc_close(ncid));
}

TEST_SUITE(.setup = fresh_folder, .teardown = folder_remove);

TEST(test_written)
{
    struct source source = {NY, NY, 1};
    for (int variant = 0; variant < 4; variant++) {
        struct grid_write request = request_for(folder_path("out.nc"), &source);
        request.compress = variant % 2 == 1;
        request.is_double = variant >= 2;
        assert_ok(grid_write_netcdf(&request));
        check_values(request.path, 0);         // all values are floats
        assert_int_equal(folder_count(""), 1); // and no temporary file
    }
}

// The header as ncdump prints it: the attributes that CF asks for.
TEST(test_header)
{
    static const char *const expected[] = {"float depth(lat, lon) ;",
                                           "depth:standard_name = \"sea_floor_depth_below_mean_sea_level\" ;",
                                           "depth:units = \"m\" ;",
                                           "depth:positive = \"down\" ;",
                                           "depth:actual_range = -12.25f, 39019.5f ;",
                                           "lon:units = \"degrees_east\" ;",
                                           "lon:standard_name = \"longitude\" ;",
                                           "lat:units = \"degrees_north\" ;",
                                           "lat:axis = \"Y\" ;",
                                           ":Conventions = \"CF-1.8\" ;",
                                           ":title = \"depth\" ;",
                                           ":source = \"Fathom 9.9.9\" ;",
                                           ":history = \"made by a test\" ;",
                                           ":comment = \"Read from etopo.nc\" ;"};
    struct source source = {NY, NY, 1};
    struct grid_write request = request_for(folder_path("out.nc"), &source);
    assert_int_equal(grid_write_netcdf(&request), STATUS_OK);
    if (system("command -v ncdump > /dev/null") != 0) {
        print_message("skipped: ncdump (package netcdf-bin) is not installed\n");
        skip();
    }
    folder_shell("ncdump -h '%s' > '%s'", request.path, folder_path("header"));
    char *text = folder_read("header", NULL);
    for (size_t k = 0; k < sizeof expected / sizeof expected[0]; k++)
        if (strstr(text, expected[k]) == NULL)
            fail_msg("ncdump does not print %s in\n%s", expected[k], text);
    assert_null(strstr(text, "_FillValue")); // nothing is missing
}

TEST(test_large_values)
{
    struct source source = {NY, NY, 1e36};
    struct grid_write request = request_for(folder_path("out.nc"), &source);
    assert_int_equal(grid_write_netcdf(&request), STATUS_DATA);
    assert_message_has("the value at column 0 of row 1 is 1.0005e+39, beyond single precision");
    assert_int_equal(folder_count(""), 0);
    request.is_double = true;
    assert_ok(grid_write_netcdf(&request));
}

TEST(test_missing_values)
{
    struct source source = {NY, 3, 1};
    struct grid_write request = request_for(folder_path("out.nc"), &source);
    assert_int_equal(grid_write_netcdf(&request), STATUS_DATA);
    assert_message_has("the value at column 7 of row 3 is not a number");
    status_clear();
    assert_int_equal(folder_count(""), 0);
    request.has_missing = true;
    assert_int_equal(grid_write_netcdf(&request), STATUS_OK);
    int ncid, varid;
    float fill = 0, value = 0;
    size_t index[2] = {3, 7};
    NC(nc_open(request.path, NC_NOWRITE, &ncid));
    NC(nc_inq_varid(ncid, "depth", &varid));
    NC(nc_get_att_float(ncid, varid, "_FillValue", &fill));
    NC(nc_get_var1_float(ncid, varid, index, &value));
    assert_true(fill != fill && value != value);
    NC(nc_close(ncid));
}

// A failure half way leaves the old file as it was, and nothing else.
TEST(test_failure)
{
    struct source source = {NY, NY, 1};
    struct grid_write request = request_for(folder_path("out.nc"), &source);
    assert_int_equal(grid_write_netcdf(&request), STATUS_OK);
    source.fail_at = NY / 2;
    assert_int_equal(grid_write_netcdf(&request), STATUS_DATA);
    assert_message_has("the source of row 20 dried up");
    status_clear();
    check_values(request.path, 0);
    assert_int_equal(folder_count(""), 1);
    request.path = folder_path("no/such/folder.nc");
    assert_int_equal(grid_write_netcdf(&request), STATUS_CANNOT_CREATE);
    assert_message_has("No such file or directory");
    status_clear();
    assert_int_equal(folder_count(""), 1);
}

static enum status wide_row(void *context, size_t row, double *values)
{
    const size_t *nx = context;
    for (size_t k = 0; k < *nx; k++)
        values[k] = (double)(row * *nx + k);
    return STATUS_OK;
}

// A plane grid of 3 rows of *nx values, which has to outlive it.
static struct grid_write wide_grid(const char *name, size_t *nx)
{
    enum { ROWS = 3 };
    double *x = owned_zeros(*nx, sizeof *x), *y = owned_zeros(ROWS, sizeof *y);
    for (size_t k = 0; k < *nx; k++)
        x[k] = 10.0 * (double)k;
    for (size_t k = 0; k < ROWS; k++)
        y[k] = (double)k;
    return (struct grid_write){.path = folder_path(name),
                               .variable = "z",
                               .nx = *nx,
                               .ny = ROWS,
                               .x = x,
                               .y = y,
                               .context = nx,
                               .row = wide_row};
}

// No room: the file may not grow beyond 64 KiB, and the values need more.
TEST(test_no_room)
{
    size_t nx = 100000;
    struct grid_write request = wide_grid("out.nc", &nx);
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 65536;
    signal(SIGXFSZ, SIG_IGN); // the write fails instead
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    enum status status = grid_write_netcdf(&request);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(status, STATUS_IO);
    assert_message_has("out.nc");
    status_clear();
    assert_int_equal(folder_count(""), 0);
}

// A plane grid wide enough to be cut into chunks of parts of rows.
TEST(test_wide)
{
    size_t nx = 1200000;
    struct grid_write request = wide_grid("wide.nc", &nx);
    request.is_double = true;
    assert_int_equal(grid_write_netcdf(&request), STATUS_OK);
    int ncid, varid, storage;
    size_t chunk[2], index[2] = {2, 1199999};
    double value;
    NC(nc_open(request.path, NC_NOWRITE, &ncid));
    NC(nc_inq_varid(ncid, "z", &varid));
    NC(nc_inq_var_chunking(ncid, varid, &storage, chunk));
    assert_int_equal(chunk[0], 1);
    assert_in_range(chunk[1] * sizeof(double), 1 << 20, 4 << 20);
    NC(nc_get_var1_double(ncid, varid, index, &value));
    assert_true(value == 3599999);
    NC(nc_close(ncid));
}
