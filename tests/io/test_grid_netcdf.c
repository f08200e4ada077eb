// netCDF grids made by ncgen from CDL: names and units that real files have, order of rows, columns and
// dimensions, packed and missing values, signs, records, and damaged files.
#include "tests/support/test.h"

#include "tests/io/grid_fixture.h"

#include "io/units.h"
#include "tests/support/netcdf_maker.h"

#include <sys/stat.h>

static const char plain[] = "netcdf a { dimensions: lon = 3 ; lat = 2 ;\n"
                            "variables: double lon(lon) ; lon:units = 'degrees_east' ;\n"
                            "double lat(lat) ; lat:units = 'degrees_north' ;\n"
                            "float z(lat, lon) ; z:units = 'km' ; z:positive = 'up' ;\n"
                            "data: lon = 10, 11, 12 ; lat = 50, 52 ; z = -1, -2, 3, 4, 5, NaN ; }\n";

TEST_SUITE(.setup = fresh_folder, .teardown = folder_remove);

TEST(test_plain_in_every_kind)
{
    static const char *const kinds[] = {"classic", "64-bit-offset", "64-bit-data", "netCDF-4",
                                        "netCDF-4 classic model"};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        struct grid_request request = request_of(file_of_cdl("a.dat", kinds[k], plain), GRID_AS_FILE);
        struct grid_file *file = must_open(&request);
        const struct grid_info *info = grid_info(file);
        assert_int_equal(info->format, GRID_FORMAT_NETCDF);
        assert_string_equal(info->variable, "z");
        assert_string_equal(info->file_units, "km");
        assert_int_equal(info->file_positive, GRID_POSITIVE_UP);
        assert_true(info->is_geographic);
        assert_false(info->wraps);
        assert_int_equal(info->nx_once, 3);
        assert_axis(info->x, 3, (double[]){10, 11, 12}, 0);
        assert_axis(info->y, 2, (double[]){50, 52}, 0);
        assert_row(file, 0, (double[]){1000, 2000, -3000});
        assert_row(file, 1, (double[]){-4000, -5000, NAN});
        owned_end(file);
    }
}

// North to south, west to east the other way, dimensions (lon, lat): all give the same grid.
TEST(test_orders)
{
    static const char *const cdls[] = {"netcdf a { dimensions: lon = 3 ; lat = 2 ; variables: double "
                                       "lon(lon) ; lon:units = 'degrees_east' ;\n"
                                       "double lat(lat) ; lat:units = 'degrees_north' ; float z(lat, lon) ; "
                                       "z:units = 'm' ; z:positive = 'down' ;\n"
                                       "data: lon = 10, 11, 12 ; lat = 52, 50 ; z = 4, 5, 6, 1, 2, 3 ; }\n",
                                       "netcdf a { dimensions: lon = 3 ; lat = 2 ; variables: double "
                                       "lon(lon) ; lon:units = 'degrees_east' ;\n"
                                       "double lat(lat) ; lat:units = 'degrees_north' ; float z(lat, lon) ; "
                                       "z:units = 'm' ; z:positive = 'down' ;\n"
                                       "data: lon = 12, 11, 10 ; lat = 50, 52 ; z = 3, 2, 1, 6, 5, 4 ; }\n",
                                       "netcdf a { dimensions: lon = 3 ; lat = 2 ; variables: double "
                                       "lon(lon) ; lon:units = 'degrees_east' ;\n"
                                       "double lat(lat) ; lat:units = 'degrees_north' ; float z(lon, lat) ; "
                                       "z:units = 'm' ; z:positive = 'down' ;\n"
                                       "data: lon = 10, 11, 12 ; lat = 52, 50 ; z = 4, 1, 5, 2, 6, 3 ; }\n"};
    for (size_t k = 0; k < sizeof cdls / sizeof cdls[0]; k++) {
        struct grid_request request = request_of(file_of_cdl("a.nc", "classic", cdls[k]), GRID_AS_FILE);
        struct grid_file *file = must_open(&request);
        assert_axis(grid_info(file)->x, 3, (double[]){10, 11, 12}, 0);
        assert_axis(grid_info(file)->y, 2, (double[]){50, 52}, 0);
        assert_row(file, 1, (double[]){4, 5, 6});
        assert_row(file, 0, (double[]){1, 2, 3});
        owned_end(file);
    }
}

// A grid of one CDL template with the given attributes of the values and of the axes.
static const char *template_file(const char *type, const char *attributes, const char *x_units,
                                 const char *y_units, const char *values)
{
    static char cdl[2048];
    snprintf(cdl, sizeof cdl,
             "netcdf a { dimensions: ETOPO_X = 3 ; ETOPO_Y = 2 ; variables: double ETOPO_X(ETOPO_X) ; %s\n"
             "double ETOPO_Y(ETOPO_Y) ; %s %s ROSE(ETOPO_Y, ETOPO_X) ; %s\n"
             "data: ETOPO_X = 10, 11, 12 ; ETOPO_Y = 50, 52 ; ROSE = %s ; }\n",
             x_units, y_units, type, attributes, values);
    return file_of_cdl("a.nc", "netCDF-4", cdl);
}

static const char east[] = "ETOPO_X:units = 'degrees_east' ;", north[] = "ETOPO_Y:units = 'degrees_north' ;";

TEST(test_missing_and_packed)
{
    static const struct {
        const char *type, *attributes, *values;
        double expected[6];
    } cases[] = {
        {"float",
         "ROSE:_FillValue = -1.e34f ; ROSE:missing_value = 7.f ;",
         "1, 2, -1.e34, 7, 5, 6",
         {1, 2, NAN, NAN, 5, 6}},
        {"float",
         "ROSE:missing_value = -1.e34 ;",
         "1, 2, -1.e34, 4, 5, 6",
         {1, 2, NAN, 4, 5, 6}},                                  // attribute in double
        {"float", "", "1, 2, _, 4, 5, 6", {1, 2, NAN, 4, 5, 6}}, // the library's own fill
        {"double", "ROSE:missing_value = 1., 2. ;", "1, 2, 3, 4, 5, 6", {NAN, NAN, 3, 4, 5, 6}},
        {"float", "ROSE:valid_range = 2.f, 5.f ;", "1, 2, 3, 4, 5, 6", {NAN, 2, 3, 4, 5, NAN}},
        {"float", "ROSE:valid_min = 3.f ;", "1, 2, 3, 4, 5, 6", {NAN, NAN, 3, 4, 5, 6}},
        {"float", "ROSE:valid_max = 3.f ;", "1, 2, 3, 4, 5, 6", {1, 2, 3, NAN, NAN, NAN}},
        {"short",
         "ROSE:scale_factor = 0.5 ; ROSE:add_offset = 100. ; ROSE:_FillValue = -99s ;",
         "1, 2, -99, 4, 5, 6",
         {100.5, 101, NAN, 102, 102.5, 103}},
        {"short",
         "ROSE:scale_factor = 0.5 ; ROSE:valid_range = 2s, 5s ;",
         "1, 2, 3, 4, 5, 6",
         {NAN, 1, 1.5, 2, 2.5, NAN}},
        {"short",
         "ROSE:scale_factor = 0.5 ; ROSE:valid_range = 1., 2. ;",
         "1, 2, 3, 4, 5, 6",
         {NAN, 1, 1.5, 2, NAN, NAN}},
        {"byte", "ROSE:_Unsigned = 'true' ;", "1, 2, -1, 4, 5, -128", {1, 2, 255, 4, 5, 128}},
        {"int", "", "1, 2, -2147483647, 4, 5, 6", {1, 2, NAN, 4, 5, 6}},
        {"float", "ROSE:missing_value = '-3' ;", "1, 2, -3, 4, Infinity, 6", {1, 2, NAN, 4, NAN, 6}}};
    for (size_t k = 0; k < COUNT(cases); k++) {
        struct grid_request request = request_of(
            template_file(cases[k].type, cases[k].attributes, east, north, cases[k].values), GRID_AS_FILE);
        request.positive = GRID_PLAIN;
        request.units = "m";
        struct grid_file *file = must_open(&request);
        assert_row(file, 0, cases[k].expected);
        assert_row(file, 1, cases[k].expected + 3);
        owned_end(file);
    }
    struct grid_request request = request_of(
        template_file("float", "ROSE:missing_value = 'none' ;", east, north, "1,2,3,4,5,6"), GRID_AS_FILE);
    must_refuse(&request, STATUS_DATA, "attribute missing_value is \"none\"");
}

TEST(test_sign_and_units)
{
    static const struct {
        const char *attributes;
        double sign; // of the first value as a depth; 0 = must ask
    } cases[] = {
        {"ROSE:units = 'METERS' ; ROSE:positive = 'Up' ;", -1},
        {"ROSE:units = 'meters' ; ROSE:positive = 'down' ;", 1},
        {"ROSE:units = 'm' ; ROSE:standard_name = 'surface_altitude' ;", -1},
        {"ROSE:units = 'm' ; ROSE:standard_name = 'bedrock_altitude' ;", -1},
        {"ROSE:units = 'm' ; ROSE:standard_name = 'height_above_mean_sea_level' ;", -1},
        {"ROSE:units = 'm' ; ROSE:standard_name = 'sea_floor_depth_below_geoid' ;", 1},
        {"ROSE:units = 'm' ; ROSE:standard_name = 'sea_floor_depth_below_mean_sea_level' ;", 1},
        {"ROSE:units = 'm' ; string ROSE:positive = 'down' ;", 1},
        {"ROSE:units = 'm' ;", 0},
        {"ROSE:units = 'm' ; ROSE:positive = 'sideways' ;", 0},
        {"ROSE:units = 'm' ; ROSE:positive = 'up' ; ROSE:standard_name = 'sea_floor_depth_below_geoid' ;", 0},
        {"ROSE:units = 'm' ; ROSE:long_name = 'depth' ;", 0}, // a long name is prose
    };
    for (size_t k = 0; k < COUNT(cases); k++) {
        struct grid_request request =
            request_of(template_file("float", cases[k].attributes, east, north, "1,2,3,4,5,6"), GRID_AS_FILE);
        if (cases[k].sign == 0) {
            must_refuse(&request, STATUS_DATA, "add \"positive\": \"up\" or \"down\"");
            request.positive = GRID_POSITIVE_DOWN;
        }
        struct grid_file *file = must_open(&request);
        double sign = cases[k].sign == 0 ? 1 : cases[k].sign;
        assert_row(file, 0, (double[]){sign, 2 * sign, 3 * sign});
        owned_end(file);
    }
    struct grid_request request = request_of(
        template_file("float", "ROSE:positive = 'down' ;", east, north, "1,2,3,4,5,6"), GRID_AS_FILE);
    must_refuse(&request, STATUS_DATA, "variable ROSE has no units: add \"units\"");
    request.units = "km"; // the job says it
    struct grid_file *file = must_open(&request);
    assert_row(file, 0, (double[]){1000, 2000, 3000});
    owned_end(file);
    request = request_of(template_file("float", "ROSE:positive = 'down' ; ROSE:units = 'kelvin' ;", east,
                                       north, "1,2,3,4,5,6"),
                         GRID_AS_FILE);
    must_refuse(&request, STATUS_DATA, "variable ROSE");
}

TEST(test_axis_words)
{
    static const struct {
        const char *x, *y;
        bool is_geographic;
        double first_x;
    } cases[] = {{"ETOPO_X:units = 'degree_E' ;", "ETOPO_Y:units = 'degreeN' ;", true, 10},
                 {"ETOPO_X:units = 'deg E' ;", "ETOPO_Y:units = 'deg N' ;", true, 10},
                 {"ETOPO_X:units = 'degrees east' ;", "ETOPO_Y:units = 'Degrees_North' ;", true, 10},
                 {"ETOPO_X:axis = 'X' ; ETOPO_X:units = 'km' ;",
                  "ETOPO_Y:axis = 'Y' ; ETOPO_Y:units = 'km' ;", false, 10000},
                 {"ETOPO_X:standard_name = 'projection_x_coordinate' ; ETOPO_X:units = 'm' ;",
                  "ETOPO_Y:standard_name = 'projection_y_coordinate' ; ETOPO_Y:units = 'metre' ;", false, 10},
                 {"ETOPO_X:standard_name = 'longitude' ;", "ETOPO_Y:standard_name = 'latitude' ;", true, 10}};
    for (size_t k = 0; k < COUNT(cases); k++) {
        struct grid_request request =
            request_of(template_file("float", "ROSE:units = 'm' ; ROSE:positive = 'down' ;", cases[k].x,
                                     cases[k].y, "1,2,3,4,5,6"),
                       GRID_AS_FILE);
        struct grid_file *file = must_open(&request);
        assert_int_equal(grid_info(file)->is_geographic, cases[k].is_geographic);
        assert_true(grid_info(file)->x[0] == cases[k].first_x);
        owned_end(file);
        request.axes = cases[k].is_geographic ? GRID_AXES_PLANE : GRID_AXES_GEOGRAPHIC;
        must_refuse(&request, STATUS_CONFIGURATION, "the axes are given as");
    }
    static const char depth[] = "ROSE:units = 'm' ; ROSE:positive = 'down' ;";
    struct grid_request request = request_of(
        template_file("float", depth, "ETOPO_X:axis = 'X' ;", "ETOPO_Y:axis = 'Y' ;", "1,2,3,4,5,6"),
        GRID_AS_FILE);
    must_refuse(&request, STATUS_DATA, "could be degrees or metres");
    request.axes = GRID_AXES_PLANE;
    owned_end(must_open(&request));
    request = request_of(template_file("float", depth, "", "", "1,2,3,4,5,6"), GRID_AS_FILE);
    must_refuse(&request, STATUS_DATA, "its axis ETOPO_X (units \"\") could be x or y");
    request = request_of(
        template_file("float", depth, east, "ETOPO_Y:axis = 'Y' ; ETOPO_Y:units = 'm' ;", "1,2,3,4,5,6"),
        GRID_AS_FILE);
    must_refuse(&request, STATUS_DATA, "expected both in degrees or both in a length");
    request =
        request_of(template_file("float", depth,
                                 "ETOPO_X:standard_name = 'grid_longitude' ; ETOPO_X:units = 'degrees' ;",
                                 north, "1,2,3,4,5,6"),
                   GRID_AS_FILE);
    must_refuse(&request, STATUS_DATA, "could be x or y"); // a rotated pole
}

TEST(test_records_and_choice)
{
    static const char cdl[] =
        "netcdf a { dimensions: time = UNLIMITED ; lat = 2 ; lon = 2 ; level = 1 ; strlen = 4 ;\n"
        "variables: double time(time) ; time:units = 'minutes since 2011-03-11 05:46:00' ;\n"
        "float lat(lat) ; lat:units = 'degrees_north' ; float lon(lon) ; lon:units = 'degrees_east' ;\n"
        "double ha(time, level, lat, lon) ; ha:units = 'cm' ; double ua(time, lat, lon) ; ua:units = 'cm/s' "
        ";\n"
        "char names(lat, strlen) ; double lon_bounds(lon, lat) ; int crs ;\n"
        "data: time = 10, 11, 13 ; lat = 0, 1 ; lon = 5, 6 ; ha = 1,2,3,4, 5,6,7,8, 9,10,11,12 ;\n"
        "ua = 1,2,3,4, 5,6,7,8, 9,10,11,12 ; names = 'abcd', 'efgh' ; lon_bounds = 1, 2, 3, 4 ; }\n";
    struct grid_request request = {.path = file_of_cdl("a.nc", "classic", cdl),
                                   .variable = "ha",
                                   .target_units = "m",
                                   .positive = GRID_PLAIN,
                                   .time_index = -1};
    must_refuse(&request, STATUS_CONFIGURATION, "has 3 records");
    request.time_index = 1;
    struct grid_file *file = must_open(&request);
    assert_int_equal(grid_info(file)->records, 3);
    assert_axis(grid_info(file)->times_s, 3, (double[]){0, 60, 180}, 0);
    assert_row(file, 0, (double[]){0.05, 0.06});
    assert_int_equal(grid_select_record(file, 2), STATUS_OK);
    assert_row(file, 1, (double[]){0.11, 0.12});
    owned_end(file);
    request.variable = "ux";
    must_refuse(&request, STATUS_DATA, "no variable ux; grids in this file: ha, ua, lon_bounds");
    request.variable = "names";
    must_refuse(&request, STATUS_DATA, "holds text");
    request.variable = "crs";
    must_refuse(&request, STATUS_DATA, "has 0 dimensions");
    request.variable = "time";
    must_refuse(&request, STATUS_DATA, "has 1 dimensions");
    // A grid without records stands before those with; the transposed bounds are the only one here.
    request.variable = NULL;
    request.units = "m";
    request.time_index = -1;
    file = must_open(&request);
    assert_string_equal(grid_info(file)->variable, "lon_bounds");
    assert_row(file, 0, (double[]){1, 3});
    owned_end(file);
    struct grid_variable_list list;
    assert_int_equal(grid_list_variables(request.path, &list), STATUS_OK);
    assert_int_equal(list.count, 3);
}

TEST(test_several_and_none)
{
    static const char several[] =
        "netcdf a { dimensions: x = 2 ; y = 2 ; variables: double x(x) ; x:units = 'm' ; double y(y) ;\n"
        "y:units = 'm' ; float a(y, x) ; float b(y, x) ; data: x = 0, 1 ; y = 0, 1 ; }\n";
    struct grid_request request = request_of(file_of_cdl("a.nc", "classic", several), GRID_AS_FILE);
    must_refuse(&request, STATUS_DATA, "name one (\"variable\"): a, b");
    static const char curvilinear[] =
        "netcdf a { dimensions: i = 2 ; j = 2 ; variables: float lon(j, i) ; lon:units = 'degrees_east' ;\n"
        "float lat(j, i) ; lat:units = 'degrees_north' ; float z(j, i) ; }\n";
    request.path = file_of_cdl("b.nc", "classic", curvilinear);
    must_refuse(&request, STATUS_DATA, "curvilinear grids are not read");
    static const char gmt3[] = "netcdf a { dimensions: side = 2 ; xysize = 4 ; variables: double "
                               "x_range(side) ; float z(xysize) ; }\n";
    request.path = file_of_cdl("c.nc", "classic", gmt3);
    must_refuse(&request, STATUS_DATA, "no variable is a grid");
    request.variable = "z";
    must_refuse(&request, STATUS_DATA, "gmt grdconvert");
}

// One axis in CDL, as many nodes as given, and what is found out about it.
static struct grid_file *open_axis(const char *type, const char *nodes, int count)
{
    static char cdl[65536];
    int length = snprintf(
        cdl, sizeof cdl,
        "netcdf a { dimensions: lon = %d ; lat = 2 ; variables: %s lon(lon) ; lon:units = 'degrees_east' ;\n"
        "double lat(lat) ; lat:units = 'degrees_north' ; byte z(lat, lon) ; z:units = 'm' ;\n"
        "data: lon = %s ; lat = 0, 1 ; }\n",
        count, type, nodes);
    assert_in_range(length, 1, sizeof cdl - 1);
    struct grid_request request = request_of(file_of_cdl("a.nc", "classic", cdl), GRID_AS_FILE);
    request.positive = GRID_PLAIN;
    return must_open(&request);
}

TEST(test_even_axes)
{
    static const struct {
        const char *type, *nodes;
        int count;
        bool is_uniform;
    } cases[] = {
        {"double", "10, 11, 12, 13", 4, true},
        {"double", "10, 11, 12.00002, 13", 4, false},
        {"double", "139.4138519, 139.4139012, 139.4139506, 139.413999", 4, false},
        {"double", "139.4138519, 139.4139012, 139.4139506, 139.4140000", 4,
         true},                             // 4.93 and 4.94e-5: seven decimals
        {"double", "0, 1, 3, 4", 4, false}, // whole numbers, but uneven
        {"double", "0.333, 0.667, 1, 1.333", 4, true},
        {"float", "290.0166667, 290.0333333, 290.05, 290.0666667", 4,
         true}, // single precision: steps differ by 0.2 %
        {"double", "290.016662597656, 290.033325195312, 290.049987792969, 290.067662597656", 4, false},
        {"float", "290.01667, 290.03333, 290.052, 290.06667", 4, false}};
    for (size_t k = 0; k < COUNT(cases); k++) {
        struct grid_file *file = open_axis(cases[k].type, cases[k].nodes, cases[k].count);
        const struct grid_info *info = grid_info(file);
        if (info->is_x_uniform != cases[k].is_uniform)
            fail_msg("%s %s: even %d", cases[k].type, cases[k].nodes, info->is_x_uniform);
        double step = (info->x[3] - info->x[0]) / 3;
        if (info->is_x_uniform) // and is then handed out even
            assert_axis(info->x, 4,
                        (double[]){info->x[0], info->x[0] + step, info->x[0] + 2 * step, info->x[3]}, 1e-13);
        owned_end(file);
    }
}

TEST(test_wrapping_axes)
{
    static const struct {
        const char *nodes;
        int count;
        bool wraps;
        size_t once;
        double first, last;
    } cases[] = {
        {"0, 60, 120, 180, 240, 300", 6, true, 6, 0, 300},
        {"0, 60, 120, 180, 240, 300, 360", 7, true, 6, 0, 360},
        {"-180, -120, -60, 0, 60, 120", 6, true, 6, -180, 120},
        {"0, 60, 120, 180, 240", 5, false, 5, 0, 240},
        {"0, 60, 120, 180, -120, -60", 6, true, 6, 0, 300},    // jumps at the antimeridian
        {"180, 120, 60, 0, -60, -120", 6, true, 6, -120, 180}, // eastern first
        {"150, 165, 180, -165, -150", 5, false, 5, 150, 210},
        {"20, 80, 140, 200, 260, 320, 380, 440", 8, true, 6, 20, 440}, // more than once round
        {"0, 60.5, 121, 181.5, 242, 302.5", 6, true, 6, 0, 300},       // off by 5 % of a spacing, as ETOPO5
        {"0, 50, 100, 150, 200, 250", 6, false, 6, 0, 250}};
    for (size_t k = 0; k < COUNT(cases); k++) {
        struct grid_file *file = open_axis("double", cases[k].nodes, cases[k].count);
        const struct grid_info *info = grid_info(file);
        if (info->wraps != cases[k].wraps || info->nx_once != cases[k].once || info->x[0] != cases[k].first ||
            fabs(info->x[info->nx - 1] - cases[k].last) > 1e-9)
            fail_msg("%s: wraps %d, once %zu, %g … %g", cases[k].nodes, info->wraps, info->nx_once,
                     info->x[0], info->x[info->nx - 1]);
        owned_end(file);
    }
}

// Every shorter classic file is refused: the library alone would read zeros.
TEST(test_truncated)
{
    static const char *const kinds[] = {"classic", "64-bit-offset", "64-bit-data", "netCDF-4"};
    static const char *const cdls[] = {
        plain, "netcdf a { dimensions: time = UNLIMITED ; y = 2 ; x = 3 ; variables: double x(x) ; x:units = "
               "'m' ; double y(y) ;\n"
               "y:units = 'm' ; short z(time, y, x) ; z:units = 'm' ; data: x = 0, 1, 2 ; y = 0, 1 ;\n"
               "z = 1,2,3,4,5,6, 7,8,9,10,11,12 ; }\n"};
    for (size_t k = 0; k < 8; k++) {
        const char *path = file_of_cdl("whole.nc", kinds[k % 4], cdls[k / 4]);
        size_t length;
        char *bytes = folder_read("whole.nc", &length);
        struct grid_request request = {
            .path = path, .target_units = "m", .positive = GRID_PLAIN, .time_index = 0};
        owned_end(must_open(&request));
        size_t step = k % 4 == 3 ? 97 : 1; // HDF5 checks its own length, slowly
        for (size_t kept = 8; kept < length; kept += step) {
            // Up to three bytes of padding may end a classic file; whatever holds no data may go.
            if (kept + 4 > length && kinds[k % 4][0] != 'n')
                break;
            request.path = file_of_bytes("cut.nc", bytes, kept);
            must_refuse(&request, STATUS_DATA, "");
        }
    }
}

TEST(test_truncated_says_so)
{
    size_t length;
    file_of_cdl("whole.nc", "classic", plain);
    char *bytes = folder_read("whole.nc", &length);
    const struct grid_request request = request_of(file_of_bytes("cut.nc", bytes, length - 4), GRID_AS_FILE);
    must_refuse(
        &request, STATUS_DATA,
        format_text("truncated: its header promises %s, the last 4 B are missing", UNITS_BYTES(length)));
}

// A unit that is a number is not a missing unit.
TEST(test_units_are_text)
{
    static const char *const units[] = {"ROSE:units = 7 ;", "ROSE:units = 1.5, 2.5 ;"};
    for (size_t k = 0; k < 2; k++) {
        const struct grid_request request =
            request_of(template_file("float", units[k], east, north, "1, 2, 3, 4, 5, 6"), GRID_PLAIN);
        must_refuse(&request, STATUS_DATA,
                    "variable ROSE: its attribute units is not one text; expected a text such as \"m\"");
    }
}

// Axes that a small file promises and does not hold are refused before memory is taken for them.
TEST(test_absurd_axes)
{
    int old;
    const char *path = folder_path("absurd.nc");
    const int file = make_file(path, NC_NETCDF4);
    NC(nc_set_fill(file, NC_NOFILL, &old));
    const int dimensions[2] = {make_dimension(file, "y", (size_t)1 << 40),
                               make_dimension(file, "x", (size_t)1 << 40)};
    for (int k = 0; k < 2; k++)
        make_variable(file, k ? "x" : "y", NC_DOUBLE, "m", 1, &dimensions[k]);
    make_variable(file, "z", NC_FLOAT, "m", 2, dimensions);
    NC(nc_close(file));
    const struct grid_request request = request_of(path, GRID_PLAIN);
    must_refuse(&request, STATUS_DATA, "axis x has 1099511627776 entries by its header, more than a file of");
}

// A header that promises 40000 × 60000 × 2 bytes, which 32 bits do not hold: the sum must be right in 64.
TEST(test_more_than_32_bits)
{
    static const char cdl[] = "netcdf a { dimensions: x = 60000 ; y = 40000 ; variables: float x(x) ; "
                              "x:units = 'km' ; float y(y) ;\n"
                              "y:units = 'km' ; short z(y, x) ; z:units = 'm' ; }\n";
    file_of_cdl("small.nc", "64-bit-offset", plain); // skips where ncgen is missing
    // -x: nothing is filled, so the file is sparse: its length is right, its blocks are not on the disk.
    struct stat about;
    const char *path = folder_path("big.nc");
    folder_write_json("big.cdl", "%s", cdl);
    folder_shell("ncgen -x -k 64-bit-offset -o '%s' '%s'", path, folder_path("big.cdl"));
    assert_int_equal(stat(path, &about), 0);
    assert_true(about.st_size > 4800000000);
    assert_int_equal(truncate(path, about.st_size - 8), 0);
    struct grid_request request = request_of(path, GRID_PLAIN);
    must_refuse(&request, STATUS_DATA, "truncated");
    assert_int_equal(truncate(path, about.st_size), 0);
    must_refuse(&request, STATUS_DATA, "changes its direction"); // the axes are holes: zeros
}
