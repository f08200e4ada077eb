// io/netcdf/dataset.c against files written here with netCDF-C itself: groups, storage, masks, and which
// variables belong together.
#include "tests/support/test.h"

#include "io/netcdf/dataset.h"
#include "tests/support/fresh.h"
#include "tests/support/netcdf_maker.h"
#include "tests/support/statuses.h"

OWNED(own_dataset, struct dataset, dataset_close);

static struct dataset *open_file(void)
{
    struct dataset *file;
    assert_ok(dataset_open(folder_path("file.nc"), &file));
    return own_dataset(file);
}

static const struct dataset_variable *find(const struct dataset *file, const char *name)
{
    const struct dataset_variable *variable = dataset_find(file, name);
    if (!variable)
        fail_msg("no variable %s was found", name);
    return variable;
}

static void read_all(const struct dataset *file, const char *name, double *values)
{
    struct netcdf_packing packing;
    const struct dataset_variable *variable = find(file, name);
    static const size_t start[DATASET_RANK_MAX];
    assert_ok(dataset_packing(file, variable, &packing));
    assert_ok(dataset_read(file, variable, &packing, start, variable->lengths, values));
}

// ---- storage

TEST_SUITE(.setup = fresh_folder, .teardown = folder_remove);

TEST(unpacks_and_masks)
{
    const int file = make_file(folder_path("file.nc"), NC_NETCDF4), x = make_dimension(file, "x", 6);
    const int packed = make_variable(file, "packed", NC_SHORT, "m", 1, &x);
    NC(nc_put_att_double(file, packed, "scale_factor", NC_DOUBLE, 1, &(double){0.5}));
    NC(nc_put_att_double(file, packed, "add_offset", NC_DOUBLE, 1, &(double){100}));
    NC(nc_put_att_short(file, packed, "missing_value", NC_SHORT, 2, (short[]){-1, 7}));
    NC(nc_put_att_short(file, packed, "valid_range", NC_SHORT, 2, (short[]){-10, 1000}));
    NC(nc_put_var_short(file, packed, (short[]){0, -1, 7, 1001, 1000, NC_FILL_SHORT}));
    const int real = make_variable(file, "real", NC_FLOAT, NULL, 1, &x);
    // Written in double: as the values are stored, 1e34 is another number.
    NC(nc_put_att_double(file, real, "missing_value", NC_DOUBLE, 1, &(double){1e34}));
    NC(nc_put_att_float(file, real, "valid_min", NC_FLOAT, 1, &(float){-5}));
    NC(nc_put_var_float(file, real, (float[]){1, 1e34f, NAN, NC_FILL_FLOAT, -5, -5.5f}));
    const int bytes = make_variable(file, "bytes", NC_BYTE, NULL, 1, &x);
    make_text(file, bytes, "_Unsigned", "true");
    NC(nc_put_att_schar(file, bytes, "missing_value", NC_BYTE, 1, (signed char[]){-1}));
    NC(nc_put_var_schar(file, bytes, (signed char[]){0, 127, -128, -2, -1, -127}));
    const int range = make_variable(file, "range", NC_SHORT, NULL, 1, &x);
    // A range of reals for packed integers is one of unpacked values.
    NC(nc_put_att_double(file, range, "scale_factor", NC_DOUBLE, 1, &(double){0.25}));
    NC(nc_put_att_double(file, range, "valid_max", NC_DOUBLE, 1, &(double){2}));
    NC(nc_put_var_short(file, range, (short[]){1, 8, 9, -4, 0, 100}));
    NC(nc_close(file));

    struct dataset *have = open_file();
    double values[6];
    read_all(have, "packed", values);
    assert_true(values[0] == 100 && isnan(values[1]) && isnan(values[2]) && isnan(values[3]));
    assert_true(values[4] == 600 && isnan(values[5]));
    read_all(have, "real", values);
    assert_true(values[0] == 1 && isnan(values[1]) && isnan(values[2]) && isnan(values[3]));
    assert_true(values[4] == -5 && isnan(values[5]));
    read_all(have, "bytes", values);
    assert_true(values[0] == 0 && values[1] == 127 && values[2] == 128 && values[3] == 254);
    assert_true(isnan(values[4]) && values[5] == 129);
    read_all(have, "range", values);
    assert_true(values[0] == 0.25 && values[1] == 2 && isnan(values[2]) && values[3] == -1);
    assert_true(isnan(values[5]));
    assert_true(dataset_is_single(find(have, "real")) && !dataset_is_single(find(have, "packed")));
}

TEST(reads_blocks_scalars_and_nothing)
{
    const int file = make_file(folder_path("file.nc"), NC_64BIT_OFFSET);
    const int dimensions[2] = {make_dimension(file, "record", NC_UNLIMITED), make_dimension(file, "x", 3)};
    const int field = make_variable(file, "field", NC_DOUBLE, NULL, 2, dimensions);
    const int scalar = make_variable(file, "scalar", NC_INT, NULL, 0, NULL);
    NC(nc_enddef(file));
    for (size_t k = 0; k < 4; k++)
        NC(nc_put_vara_double(file, field, (size_t[]){k, 0}, (size_t[]){1, 3},
                              (double[]){10.0 * (double)k, 10.0 * (double)k + 1, 10.0 * (double)k + 2}));
    NC(nc_put_var_int(file, scalar, &(int){-7}));
    NC(nc_close(file));
    struct dataset *have = open_file();
    struct netcdf_packing packing;
    const struct dataset_variable *variable = find(have, "field");
    double values[12];
    assert_int_equal(variable->lengths[0], 4);
    assert_ok(dataset_packing(have, variable, &packing));
    assert_ok(dataset_read(have, variable, &packing, (size_t[]){1, 1}, (size_t[]){2, 2}, values));
    assert_true(values[0] == 11 && values[1] == 12 && values[2] == 21 && values[3] == 22);
    assert_ok(dataset_read(have, variable, &packing, (size_t[]){4, 0}, (size_t[]){0, 3}, values));
    assert_failure(dataset_read(have, variable, &packing, (size_t[]){3, 0}, (size_t[]){2, 3}, values),
                   STATUS_DATA, "entries 3 to 5 of dimension record");
    read_all(have, "scalar", values);
    assert_true(values[0] == -7);
}

// ---- what is there

TEST(lists_groups)
{
    const int file = make_file(folder_path("file.nc"), NC_NETCDF4),
              x = make_axis(file, "x", "m", 2, (double[]){0, 1});
    int group, inner;
    NC(nc_def_grp(file, "forecast", &group));
    NC(nc_def_grp(group, "fine", &inner));
    make_field(group, "eta", "m", 1, &x, (double[]){3, 4});
    make_field(inner, "eta", "m", 1, &x, (double[]){5, 6});
    const int inner_x = make_axis(inner, "x", "km", 2, (double[]){7, 8});
    make_field(inner, "u", "m/s", 1, &inner_x, (double[]){1, 2});
    NC(nc_close(file));
    struct dataset *have = open_file();
    assert_int_equal(dataset_count(have), 5);
    double values[2];
    read_all(have, "forecast/eta", values);
    assert_true(values[1] == 4);
    read_all(have, "/forecast/fine/eta", values);
    assert_true(values[1] == 6);
    assert_null(dataset_find(have, "eta"));
    // Dimensions of the same name are not the same dimension.
    assert_string_equal(dataset_coordinate(have, find(have, "forecast/fine/eta"), 0)->name, "x");
    assert_string_equal(dataset_coordinate(have, find(have, "forecast/fine/u"), 0)->name, "forecast/fine/x");
    const struct dataset_variable *from = find(have, "forecast/fine/u");
    assert_string_equal(dataset_find_from(have, from, "eta")->name, "forecast/fine/eta");
    assert_string_equal(dataset_find_from(have, find(have, "forecast/eta"), "x")->name, "x");
    assert_null(dataset_find_from(have, from, "nothing"));
}

TEST(tells_coordinates_from_data)
{
    const int file = make_file(folder_path("file.nc"), NC_NETCDF4);
    const int time = make_axis(file, "time", "hours since 2000-01-01", 2, (double[]){0, 1});
    const int lat = make_axis(file, "lat", "degrees_north", 2, (double[]){0, 1});
    const int column = make_dimension(file, "column", 2), station = make_dimension(file, "station", 2),
              width = make_dimension(file, "width", 4);
    // Known by its units only, under another name than the dimension's.
    make_field(file, "east", "degree_E", 1, &column, (double[]){10, 11});
    make_field(file, "eta", "m", 3, (int[]){time, lat, column}, (double[]){1, 2, 3, 4, 5, 6, 7, 8});
    const int series = make_field(file, "series", "m", 2, (int[]){time, station}, (double[]){1, 2, 3, 4});
    make_text(file, series, "coordinates", "lon where name");
    make_field(file, "lon", "degrees_east", 1, &station, (double[]){1, 2});
    make_field(file, "where", "degrees_north", 1, &station, (double[]){1, 2});
    make_field(file, "time_bounds", NULL, 1, &time, (double[]){1, 2});
    make_text(file, 0, "bounds", "time_bounds");
    const int names = make_variable(file, "name", NC_CHAR, NULL, 2, (int[]){station, width});
    make_text(file, names, "cf_role", "timeseries_id");
    NC(nc_put_var_text(file, names, "ab  cdef"));
    const int crs = make_variable(file, "crs", NC_INT, NULL, 0, NULL);
    make_text(file, crs, "grid_mapping_name", "latitude_longitude");
    NC(nc_close(file));

    struct dataset *have = open_file();
    const struct dataset_variable *eta = find(have, "eta"), *of_station = find(have, "series");
    assert_string_equal(dataset_coordinate(have, eta, 0)->name, "time");
    assert_int_equal(dataset_coordinate(have, eta, 0)->role, NETCDF_ROLE_TIME);
    assert_int_equal(dataset_coordinate(have, eta, 1)->role, NETCDF_ROLE_Y);
    assert_string_equal(dataset_coordinate(have, eta, 2)->name, "east");
    assert_true(dataset_coordinate(have, eta, 2)->is_longitude);
    // Two candidates: neither is taken.
    assert_null(dataset_coordinate(have, of_station, 1));
    assert_string_equal(dataset_labels(have, of_station, 1)->name, "name");
    assert_null(dataset_labels(have, of_station, 0));
    char(*labels)[DATASET_TEXT_BYTES];
    size_t count;
    assert_ok(dataset_read_labels(have, find(have, "name"), &labels, &count));
    owned_take(labels);
    assert_int_equal(count, 2);
    assert_string_equal(labels[0], "ab");
    assert_string_equal(labels[1], "cdef");
    static const char *const auxiliary[] = {"time", "lat", "lon", "where", "name", "time_bounds", "crs"};
    for (size_t k = 0; k < sizeof auxiliary / sizeof *auxiliary; k++)
        if (!find(have, auxiliary[k])->is_auxiliary)
            fail_msg("%s is taken for data", auxiliary[k]);
    assert_false(eta->is_auxiliary || of_station->is_auxiliary);
}

TEST(other_types_are_listed_only)
{
    const int file = make_file(folder_path("file.nc"), NC_NETCDF4), x = make_dimension(file, "x", 2);
    int pair, variable;
    NC(nc_def_compound(file, 16, "pair", &pair));
    NC(nc_insert_compound(file, pair, "a", 0, NC_DOUBLE));
    NC(nc_insert_compound(file, pair, "b", 8, NC_DOUBLE));
    NC(nc_def_var(file, "pairs", pair, 1, &x, &variable));
    NC(nc_def_var(file, "texts", NC_STRING, 1, &x, &variable));
    NC(nc_put_var_string(file, variable, (const char *[]){"Ōfunato", "b  "}));
    int nine[9];
    for (int k = 0; k < 9; k++)
        nine[k] = x;
    NC(nc_def_var(file, "nine", NC_FLOAT, 9, nine, &variable));
    NC(nc_close(file));
    struct dataset *have = open_file();
    struct netcdf_packing packing;
    assert_int_equal(find(have, "pairs")->kind, DATASET_OTHER);
    assert_int_equal(find(have, "nine")->kind, DATASET_OTHER);
    assert_int_equal(find(have, "texts")->kind, DATASET_TEXT);
    assert_int_equal(dataset_packing(have, find(have, "pairs"), &packing), STATUS_DATA);
    char(*labels)[DATASET_TEXT_BYTES];
    size_t count;
    assert_ok(dataset_read_labels(have, find(have, "texts"), &labels, &count));
    owned_take(labels);
    assert_string_equal(labels[0], "Ōfunato");
    assert_string_equal(labels[1], "b");
}

TEST(refuses_nonsense)
{
    struct dataset *have;
    assert_int_equal(dataset_open("/nowhere/file.nc", &have), STATUS_NO_INPUT);
    assert_null(have);
    status_clear();
    folder_write_text("file.nc", "ncols 3\n");
    assert_failure(dataset_open(folder_path("file.nc"), &have), STATUS_DATA, "");
    const int file = make_file(folder_path("file.nc"), NC_NETCDF4), x = make_dimension(file, "x", 1);
    const int zero = make_variable(file, "zero", NC_SHORT, NULL, 1, &x);
    NC(nc_put_att_double(file, zero, "scale_factor", NC_DOUBLE, 1, &(double){0}));
    const int word = make_variable(file, "word", NC_SHORT, NULL, 1, &x);
    make_text(file, word, "add_offset", "much");
    const int two = make_variable(file, "two", NC_SHORT, NULL, 1, &x);
    NC(nc_put_att_double(file, two, "scale_factor", NC_DOUBLE, 2, (double[]){0.5, 2}));
    const int offsets = make_variable(file, "offsets", NC_SHORT, NULL, 1, &x);
    NC(nc_put_att_float(file, offsets, "add_offset", NC_FLOAT, 3, (float[]){1, 2, 3}));
    const int plain_one = make_variable(file, "dimensionless", NC_SHORT, NULL, 1, &x);
    NC(nc_put_att_int(file, plain_one, "units", NC_INT, 1, &(int){1}));
    NC(nc_close(file));
    have = open_file();
    struct netcdf_packing packing;
    assert_failure(dataset_packing(have, find(have, "zero"), &packing), STATUS_DATA, "scale_factor 0");
    assert_failure(dataset_packing(have, find(have, "word"), &packing), STATUS_DATA, "\"much\"");
    assert_failure(dataset_packing(have, find(have, "two"), &packing), STATUS_DATA,
                   "variable two: scale_factor has 2 values; expected one number");
    assert_failure(dataset_packing(have, find(have, "offsets"), &packing), STATUS_DATA,
                   "variable offsets: add_offset has 3 values; expected one number");
    assert_string_equal(find(have, "dimensionless")->units, "1");
}
