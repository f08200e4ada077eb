// io/netcdf/result.c against files written here with netCDF-C itself, and figures worked out by hand.
#include "tests/support/test.h"

#include "io/netcdf/result.h"
#include "tests/support/fresh.h"
#include "tests/support/netcdf_maker.h"
#include "tests/support/numbers.h"
#include "tests/support/statuses.h"

enum { NX = 7, NY = 5, NT = 2 };

// value(t, j, i) = 1000 t + 100 j + i, except a hole of NaN at (t, 2, 3) and a fill value at (t, 4, 6).
static void put_field(int file, int variable)
{
    float values[NT][NY][NX];
    for (int t = 0; t < NT; t++)
        for (int j = 0; j < NY; j++)
            for (int i = 0; i < NX; i++)
                values[t][j][i] = (float)(1000 * t + 100 * j + i);
    for (int t = 0; t < NT; t++) {
        values[t][2][3] = NAN;
        values[t][4][6] = -9999;
    }
    NC(nc_put_var_float(file, variable, &values[0][0][0]));
}

static void write_file(const double *x, const double *y, const char *units)
{
    const int file = make_file(folder_path("file.nc"), NC_NETCDF4);
    make_text(file, NC_GLOBAL, "title", "A test");
    const int time = make_dimension(file, "time", NT), lat = make_axis(file, "lat", units, NY, y),
              lon = make_axis(file, "lon", units, NX, x), station = make_dimension(file, "station", 2),
              width = make_dimension(file, "width", 8);
    const int field = make_variable(file, "eta", NC_FLOAT, "m", 3, (int[]){time, lat, lon});
    NC(nc_def_var_fill(file, field, NC_FILL, &(float){-9999}));
    const int names = make_variable(file, "name", NC_CHAR, NULL, 2, (int[]){station, width});
    const int strings = make_variable(file, "label", NC_STRING, NULL, 1, &station);
    put_field(file, field);
    NC(nc_put_var_text(file, names, "21418   Crescen "));
    NC(nc_put_var_string(file, strings, (const char *[]){"Ōfunato", "b"}));
    NC(nc_close(file));
}

static const double plain_x[NX] = {10, 12, 14, 16, 18, 20, 22}, plain_y[NY] = {-4, -3, -2, -1, 0};

OWNED(own_result, struct result_file, result_close);

static struct result_file *open_axes(const double x[NX], const char *units)
{
    struct result_file *file;
    write_file(x, plain_y, units);
    assert_ok(result_open(folder_path("file.nc"), &file));
    return own_result(file);
}

static struct result_file *open_plain(void)
{
    return open_axes(plain_x, "degrees_east");
}

TEST_SUITE(.setup = fresh_folder, .teardown = folder_remove);

TEST(lists_variables)
{
    struct result_file *file = open_plain();
    assert_int_equal(result_variable_count(file), 5);
    const struct result_variable *eta = result_find(file, "eta");
    assert_non_null(eta);
    assert_int_equal(eta->rank, 3);
    assert_int_equal(eta->lengths[0], NT);
    assert_int_equal(eta->lengths[2], NX);
    assert_string_equal(eta->dimensions[1], "lat");
    assert_string_equal(eta->units, "m");
    assert_false(eta->is_text);
    assert_true(result_find(file, "name")->is_text);
    assert_null(result_find(file, "u"));
    assert_null(result_find(NULL, "eta"));
    char text[4];
    result_attribute(file, NULL, "title", text, sizeof text);
    assert_string_equal(text, "A t"); // cut to the room given
    result_attribute(file, "eta", "long_name", text, sizeof text);
    assert_string_equal(text, "");
}

TEST(refuses_missing_and_foreign_files)
{
    struct result_file *file;
    assert_int_equal(result_open(folder_path("file.nc"), &file), STATUS_NO_INPUT);
    assert_null(file);
    status_clear();
    folder_write_text("file.nc", "this is not a netCDF file, but long enough to be looked at\n");
    assert_failure(result_open(folder_path("file.nc"), &file), STATUS_DATA, "file.nc");
}

TEST(reads_blocks)
{
    struct result_file *file = open_plain();
    double values[6];
    assert_ok(result_read(file, "eta", (size_t[]){1, 2, 2}, (size_t[]){1, 2, 3}, values));
    const double expected[6] = {1202, NAN, 1204, 1302, 1303, 1304};
    for (int k = 0; k < 6; k++)
        assert_true(isnan(expected[k]) ? isnan(values[k]) : values[k] == expected[k]);
    assert_ok(result_read(file, "eta", (size_t[]){0, 4, 6}, (size_t[]){1, 1, 1}, values));
    assert_true(isnan(values[0])); // the fill value
    assert_failure(result_read(file, "eta", (size_t[]){0, 3, 0}, (size_t[]){1, 3, 1}, values), STATUS_DATA,
                   "lat");
    assert_int_equal(result_read(file, "name", (size_t[]){0, 0}, (size_t[]){1, 1}, values), STATUS_DATA);
    assert_failure(result_read(file, "u", (size_t[]){0}, (size_t[]){1}, values), STATUS_DATA, " u ");
}

TEST(reads_texts)
{
    struct result_file *file = open_plain();
    char **texts;
    size_t length;
    assert_ok(result_read_texts(file, "name", &texts, &length));
    assert_int_equal(length, 2);
    assert_string_equal(texts[0], "21418");
    assert_string_equal(texts[1], "Crescen");
    result_free_texts(texts, length);
    assert_ok(result_read_texts(file, "label", &texts, &length));
    assert_string_equal(texts[0], "Ōfunato");
    result_free_texts(texts, length);
    assert_int_equal(result_read_texts(file, "eta", &texts, &length), STATUS_DATA);
}

TEST(maps_every_node)
{
    struct result_file *file = open_plain();
    struct result_map map;
    assert_ok(result_read_map(file, "eta", (size_t[]){1}, RESULT_MEAN, 100, 100, NULL, &map));
    assert_int_equal(map.nx, NX);
    assert_int_equal(map.ny, NY);
    assert_true(map.is_geographic);
    assert_true(map.x_first == 10 && map.x_step == 2 && map.y_first == -4 && map.y_step == 1);
    assert_true(map.x_extent[0] == 9 && map.x_extent[1] == 23);
    assert_true(map.y_extent[0] == -4.5 && map.y_extent[1] == 0.5);
    for (size_t j = 0; j < NY; j++)
        for (size_t i = 0; i < NX; i++) {
            float value = map.values[j * NX + i];
            bool is_hole = (j == 2 && i == 3) || (j == 4 && i == 6);
            assert_true(is_hole ? isnan(value) : value == (float)(1000 + 100 * j + i));
        }
    result_map_free(&map);
}

// 7 × 5 nodes on at most 3 × 3 pixels: blocks of 3 × 2; the last column has one node, the last row one.
TEST(reduces_blocks)
{
    struct result_file *file = open_plain();
    static const struct {
        enum result_reduction reduction;
        float first, with_hole, corner; // pixels (0, 0), (1, 1), (2, 2)
    } cases[] = {{RESULT_MEAN, 51, (204 + 205 + 303 + 304 + 305) / 5.f, NAN},
                 {RESULT_MAXIMUM, 102, 305, NAN},
                 {RESULT_MINIMUM, 0, 204, NAN},
                 {RESULT_VALID_FRACTION, 1, 5 / 6.f, 0}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct result_map map;
        assert_ok(result_read_map(file, "eta", (size_t[]){0}, cases[c].reduction, 3, 3, NULL, &map));
        assert_int_equal(map.nx, 3);
        assert_int_equal(map.ny, 3);
        assert_int_equal(map.source_nx, NX);
        assert_true(map.x_first == 12 && map.x_step == 6 && map.y_first == -3.5 && map.y_step == 2);
        assert_true(map.values[0] == cases[c].first);
        assert_near("a block with a hole", map.values[4], cases[c].with_hole, 1e-4);
        assert_true(isnan(cases[c].corner) ? isnan(map.values[8]) : map.values[8] == cases[c].corner);
        result_map_free(&map);
    }
}

TEST(maps_a_window)
{
    struct result_file *file = open_plain();
    struct result_map map;
    struct result_window window = {{13, 18.5}, {-3, -2}};
    assert_ok(result_read_map(file, "eta", (size_t[]){0}, RESULT_MEAN, 100, 100, &window, &map));
    assert_int_equal(map.nx, 3);
    assert_int_equal(map.ny, 2);
    assert_true(map.x_first == 14 && map.y_first == -3);
    assert_true(map.values[0] == 102 && map.values[2] == 104 && map.values[3] == 202 && isnan(map.values[4]));
    result_map_free(&map);
    window.x[1] = 14.5; // one node
    assert_failure(result_read_map(file, "eta", (size_t[]){0}, RESULT_MEAN, 9, 9, &window, &map), STATUS_DATA,
                   "lon");
}

// Every pixel shows a node in it, or else the nearest one.
TEST(resamples_uneven_axes)
{
    static const double x[NX] = {0, 1, 2, 3, 10, 20, 30};
    struct result_file *file = open_axes(x, "m");
    struct result_map map;
    assert_ok(result_read_map(file, "eta", (size_t[]){0}, RESULT_MAXIMUM, 71, 100, NULL, &map));
    assert_false(map.is_geographic);
    assert_true(map.metres_per_unit == 1);
    assert_int_equal(map.nx, 71);
    assert_true(map.x_extent[0] == -0.5 && map.x_extent[1] == 35);
    for (size_t i = 0; i < map.nx; i++) { // pixels are 0.5 wide: never two nodes in one
        double centre = map.x_first + map.x_step * (double)i;
        size_t nearest = (size_t)map.values[i];
        for (size_t n = 0; n < NX; n++)
            assert_true(fabs(x[nearest] - centre) <= fabs(x[n] - centre) + 0.25 + 1e-9);
    }
    result_map_free(&map);
}

TEST(refuses_bad_axes)
{
    static const double x[NX] = {10, 12, 14, 14, 18, 20, 22};
    struct result_file *file = open_axes(x, "km");
    struct result_map map;
    assert_failure(result_read_map(file, "eta", (size_t[]){0}, RESULT_MEAN, 9, 9, NULL, &map), STATUS_DATA,
                   "entry 3");
    assert_null(map.values);
    assert_failure(result_read_map(file, "eta", (size_t[]){2}, RESULT_MEAN, 9, 9, NULL, &map), STATUS_DATA,
                   "time");
    assert_int_equal(result_read_map(file, "lat", NULL, RESULT_MEAN, 9, 9, NULL, &map), STATUS_DATA);
}
