// GeoTIFF grids made by GDAL (independent of the code under test) from an ESRI ASCII grid, in every type,
// layout and compression that is read; and what is refused.
#include "tests/support/test.h"

#include "io/geo/crs.h"
#include "io/units.h"
#include "tests/io/grid_fixture.h"

// 5 × 4 cells of half a degree; rows from the north.
static const char ascii[] = "ncols 5\nnrows 4\nxllcorner 139.75\nyllcorner 29.75\ncellsize 0.5\n"
                            "nodata_value 999\n"
                            "1 2 3 4 5\n6 7 999 9 10\n11 12 13 14 15\n16 17 18 19 20\n";
static const double north_rows[4][5] = {
    {1, 2, 3, 4, 5}, {6, 7, NAN, 9, 10}, {11, 12, 13, 14, 15}, {16, 17, 18, 19, 20}};

static int set_up(void **state)
{
    const int failed = folder_make(state);
    if (!failed)
        folder_write_text("a.asc", ascii);
    return failed;
}

TEST_SUITE(.setup = set_up, .teardown = folder_remove);

static void need_gdal(void)
{
    if (geo_missing()[0]) {
        print_message("skipped: this build is without GeoTIFF\n");
        skip();
    }
    if (system("command -v gdal_translate > /dev/null") != 0) {
        print_message("skipped: gdal_translate (package gdal-bin) is not installed\n");
        skip();
    }
}

static const char *translate(const char *options, const char *name)
{
    folder_shell("cd '%s' && gdal_translate -q %s a.asc '%s' 2> /dev/null", folder_path("."), options, name);
    return folder_path("%s", name);
}

static void assert_values(struct grid_file *file, double slope, double offset)
{
    double expected[5];
    for (size_t row = 0; row < 4; row++) {
        for (int k = 0; k < 5; k++)
            expected[k] = slope * north_rows[3 - row][k] + offset;
        assert_row(file, row, expected);
    }
}

static void assert_places(const struct grid_file *file, double tolerance)
{
    const struct grid_info *info = grid_info(file);
    assert_int_equal(info->nx, 5);
    assert_int_equal(info->ny, 4);
    assert_axis(info->x, 5, (double[]){140, 140.5, 141, 141.5, 142}, tolerance);
    assert_axis(info->y, 4, (double[]){30, 30.5, 31, 31.5}, tolerance);
}

// Every type of numbers, layout and compression gives the same grid.
TEST(test_kinds)
{
    static const char *const kinds[] = {
        "-ot Int16",
        "-ot UInt16",
        "-ot Int32",
        "-ot UInt32",
        "-ot Float32",
        "-ot Float64",
        "-ot Float64 -co BIGTIFF=YES",
        "-ot Int16 -co ENDIANNESS=BIG",
        "-ot Float32 -co ENDIANNESS=BIG -co BIGTIFF=YES",
        "-ot Int16 -co COMPRESS=LZW -co PREDICTOR=2",
        "-ot Float32 -co COMPRESS=DEFLATE -co PREDICTOR=3",
        "-ot Int32 -co COMPRESS=PACKBITS",
        "-ot Float64 -co COMPRESS=DEFLATE -co TILED=YES -co BLOCKXSIZE=16 -co BLOCKYSIZE=16",
        "-ot Int16 -co COMPRESS=LZW -co TILED=YES -co BLOCKXSIZE=16 -co BLOCKYSIZE=32",
        "-ot Float32 -co BLOCKYSIZE=1",
        "-ot Float32 -co BLOCKYSIZE=3 -co COMPRESS=DEFLATE",
    };
    need_gdal();
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        char options[200];
        snprintf(options, sizeof options, "-a_srs EPSG:4326 %s", kinds[k]);
        struct grid_request request = request_of(translate(options, "a.tif"), GRID_PLAIN);
        struct grid_file *file = must_open(&request);
        assert_int_equal(grid_info(file)->format, GRID_FORMAT_GEOTIFF);
        assert_true(grid_info(file)->is_geographic);
        assert_string_equal(grid_info(file)->crs, "EPSG:4326");
        assert_places(file, 0);
        assert_values(file, 1, 0);
        owned_end(file);
    }
}

// Pixels that are points lie where their numbers say; the same file as areas lies half a pixel away. Degrees
// that are no binary fractions: within 1e-9 of a spacing.
TEST(test_registration)
{
    need_gdal();
    struct grid_request request =
        request_of(translate("-a_srs EPSG:4326 -mo AREA_OR_POINT=Point", "point.tif"), GRID_PLAIN);
    assert_places(must_open(&request), 1e-9 * 0.5);
    request.path = translate("-a_srs EPSG:4326 -a_ullr 0.1 0.5 0.6 0.1", "tenths.tif");
    const struct grid_info *info = grid_info(must_open(&request));
    for (int k = 0; k < 5; k++)
        assert_true(fabs(info->x[k] - (0.15 + 0.1 * k)) < 1e-9 * 0.1);
    for (int k = 0; k < 4; k++)
        assert_true(fabs(info->y[k] - (0.15 + 0.1 * k)) < 1e-9 * 0.1);
}

// Scale, offset and unit by GDAL's metadata; the sign is the user's to say.
TEST(test_scale_unit_and_sign)
{
    need_gdal();
    struct grid_request request =
        request_of(translate("-ot Int16 -a_srs EPSG:4326 -a_scale 0.5 -a_offset 100", "a.tif"), GRID_PLAIN);
    assert_values(must_open(&request), 0.5, 100);
    request = request_of(translate("-a_srs EPSG:4326", "b.tif"), GRID_POSITIVE_UP);
    assert_row(must_open(&request), 3, (double[]){-1, -2, -3, -4, -5});
    request.positive = GRID_AS_FILE;
    must_refuse(&request, STATUS_DATA, "does not state whether it is an elevation or a depth");
    request.positive = GRID_POSITIVE_DOWN;
    request.units = "km";
    assert_row(must_open(&request), 3, (double[]){1000, 2000, 3000, 4000, 5000});
}

// On the ground, a metre of Web Mercator at 36 degrees is 1/cos(36 degrees) times shorter; of UTM it is one.
TEST(test_scale_of_projections)
{
    static const struct {
        const char *options, *fragment;
    } rows[] = {
        {"-a_srs EPSG:3857 -a_ullr 15600000 4310000 15601000 4300000", "is 1/1.2"},
        {"-a_srs EPSG:3395 -a_ullr 15600000 4290000 15601000 4280000", "is 1/1.2"},
        {"-a_srs '+proj=merc +ellps=WGS84' -a_ullr 15600000 4290000 15601000 4280000", "is 1/1.2"},
        {"-a_srs EPSG:3035 -a_ullr 900000 900000 1000000 800000", "expected within 2 %"},
        {"-a_srs EPSG:32654 -a_ullr 3500000 4000400 3501000 4000000", "expected within 2 %"},
        {"-a_srs EPSG:32654 -a_ullr 500000 4000400 501000 4000000", NULL},
        {"-a_srs EPSG:3857 -a_ullr 0 100000 1000 0", NULL}, // at the equator
        {"-a_srs EPSG:3035 -a_ullr 4321000 3210000 4421000 3110000", NULL},
        {"-a_srs '+proj=longlat +ellps=WGS84 +pm=paris' -a_ullr 140 32 142 30", "meridian than Greenwich"},
        {"-a_srs '+proj=longlat +ellps=WGS84' -a_ullr 140 32 142 30", NULL}};
    need_gdal();
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct grid_request request = request_of(translate(rows[k].options, "a.tif"), GRID_PLAIN);
        if (rows[k].fragment)
            must_refuse(&request, STATUS_DATA, rows[k].fragment);
        else
            owned_end(must_open(&request));
    }
}

// A projected grid is a plane in metres; degrees are no plane, and metres no degrees.
TEST(test_plane)
{
    need_gdal();
    struct grid_request request = request_of(
        translate("-a_srs EPSG:32654 -a_ullr 500000 4000400 501000 4000000", "utm.tif"), GRID_PLAIN);
    struct grid_file *file = must_open(&request);
    assert_false(grid_info(file)->is_geographic);
    assert_string_equal(grid_info(file)->crs, "EPSG:32654");
    assert_axis(grid_info(file)->x, 5, (double[]){500100, 500300, 500500, 500700, 500900}, 1e-7);
    assert_axis(grid_info(file)->y, 4, (double[]){4000050, 4000150, 4000250, 4000350}, 1e-7);
    request.axes = GRID_AXES_GEOGRAPHIC;
    must_refuse(&request, STATUS_CONFIGURATION, "given as geographic, but the file states a length");
    request.path = translate("-a_srs EPSG:4326", "globe.tif");
    request.axes = GRID_AXES_PLANE;
    must_refuse(&request, STATUS_CONFIGURATION, "given as plane, but the file states degrees");
    request.path = translate("", "open.tif"); // no system at all
    assert_false(grid_info(must_open(&request))->is_geographic);
    request.axes = GRID_AXES_AS_FILE;
    must_refuse(&request, STATUS_DATA, "could be degrees or metres");
}

TEST(test_refused)
{
    static const struct {
        const char *options;
        const char *fragment;
    } rows[] = {
        {"-ot Byte -a_srs EPSG:4326", "its values have 8 bits"},
        {"-b 1 -b 1 -a_srs EPSG:4326", "has 2 bands, expected one"},
        {"-a_srs EPSG:2272 -a_ullr 0 400 500 0", "is in US survey foot, expected metres"},
        {"-a_srs EPSG:4807", "EPSG:4807 (NTF (Paris)) counts longitudes from another meridian"},
        {"-a_srs EPSG:4326 -gcp 0 0 140 31 -gcp 4 0 142 31.1 -gcp 0 3 140 30", "control points"},
        {"-a_srs EPSG:4326 -co SPARSE_OK=TRUE -ot Float32 -co TILED=YES -co BLOCKXSIZE=16 -co BLOCKYSIZE=16 "
         "-srcwin 20 20 40 40 -a_nodata 0",
         "is missing"},
        {"-co PROFILE=BASELINE", "it is no GeoTIFF"},
        {"-ot Float32 -a_srs EPSG:4326 -a_ullr 140 30 142 32", "expected sizes above 0, north up"},
        {"-outsize 1 4 -a_srs EPSG:4326", "has 1 × 4 pixels, expected at least 2 × 2"},
    };
    need_gdal();
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char name[32];
        snprintf(name, sizeof name, "bad%zu.tif", k);
        struct grid_request request = request_of(translate(rows[k].options, name), GRID_PLAIN);
        must_refuse(&request, STATUS_DATA, rows[k].fragment);
    }
}

// A rotated picture, by a world of its own: GDAL writes the matrix.
TEST(test_rotated)
{
    need_gdal();
    folder_shell("cd '%s' && gdal_translate -q -of VRT a.asc a.vrt && "
                 "sed -i 's#<GeoTransform>.*</GeoTransform>#<GeoTransform>140, 0.5, 0.1, 32, 0.1, "
                 "-0.5</GeoTransform>#' a.vrt && gdal_translate -q -a_srs EPSG:4326 a.vrt turned.tif",
                 folder_path("."));
    struct grid_request request = request_of(folder_path("turned.tif"), GRID_PLAIN);
    must_refuse(&request, STATUS_DATA, "rotated or sheared (0.1, 0.1)");
}

// Every shorter file is refused, at its opening or with its first damaged row; never read as something else.
TEST(test_truncated)
{
    need_gdal();
    const char *path = translate("-ot Float64 -a_srs EPSG:4326 -co BLOCKYSIZE=1", "whole.tif");
    size_t length;
    char *bytes = folder_read("whole.tif", &length);
    (void)path;
    for (size_t part = 8; part < length; part += 7) {
        struct grid_request request = request_of(file_of_bytes("cut.tif", bytes, part), GRID_PLAIN);
        must_refuse(&request, STATUS_DATA, "");
    }
    // A header that promises a row which no such file can hold: ImageWidth, tag 256, as a number of 32 bits.
    for (size_t k = 8; k + 12 < length; k++)
        if (memcmp(bytes + k, (const unsigned char[]){0, 1, 3, 0, 1, 0, 0, 0, 5, 0}, 10) == 0)
            memcpy(bytes + k, (const unsigned char[]){0, 1, 4, 0, 1, 0, 0, 0, 0, 0, 0, 0x40}, 12);
    struct grid_request request = request_of(file_of_bytes("huge.tif", bytes, length), GRID_PLAIN);
    must_refuse(&request, STATUS_DATA, "promises 1073741824 × 4 values");
}

TEST(test_codes)
{
    struct geo_crs crs;
    if (geo_missing()[0])
        skip();
    assert_ok(geo_crs_parse("", "EPSG:32654", &crs));
    assert_string_equal(crs.name, "WGS 84 / UTM zone 54N");
    assert_false(crs.is_geographic);
    assert_ok(geo_crs_parse("", "epsg:4326", &crs));
    assert_true(crs.is_geographic);
    assert_failure(geo_crs_parse("", "UTM54", &crs), STATUS_DATA, "expected an EPSG code");
    assert_failure(geo_crs_parse("key", "EPSG:99999", &crs), STATUS_DATA, "key: EPSG:99999 is no coordinate");
    assert_failure(geo_crs_parse("", "EPSG:4978", &crs), STATUS_DATA, "neither geographic nor projected");
}
