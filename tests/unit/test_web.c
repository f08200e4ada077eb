// Parts of the interactive page: the mechanism against the radiation of a double couple, lines reduced
// within their tolerance, longitudes over the antimeridian, images read back by libwebp, coast lines from a
// file made here.
#include "report/glyphs.h"
#include "report/image.h"
#include "report/library.h"
#include "report/web/coast.h"
#include "report/web/map.h"
#include "report/web/mechanism.h"
#include "tests/support/folder.h"
#include "tests/support/netcdf_maker.h"
#include "tests/support/statuses.h"
#include "tests/support/test.h"

#include <math.h>
#include <webp/decode.h>

static const double degree = 3.14159265358979323846 / 180;

static bool is_in_polygon(const double *xy, size_t count, double x, double y)
{
    bool is_inside = false;
    for (size_t k = 0, before = count - 1; k < count; before = k++)
        if ((xy[2 * k + 1] > y) != (xy[2 * before + 1] > y) &&
            x < xy[2 * k] +
                    (y - xy[2 * k + 1]) * (xy[2 * before] - xy[2 * k]) / (xy[2 * before + 1] - xy[2 * k + 1]))
            is_inside = !is_inside;
    return is_inside;
}

// First motion of P of a double couple as a function of take-off angle and azimuth, from strike, dip and
// rake: Aki and Richards 2002, section 4.5. Independent of the vectors.
static double radiation(double strike, double dip, double rake, double take_off, double azimuth)
{
    const double a = azimuth - strike, i = take_off;
    return cos(rake) * sin(dip) * pow(sin(i), 2) * sin(2 * a) - cos(rake) * cos(dip) * sin(2 * i) * cos(a) +
           sin(rake) * sin(2 * dip) * (pow(cos(i), 2) - pow(sin(i), 2) * pow(sin(a), 2)) +
           sin(rake) * cos(2 * dip) * sin(2 * i) * sin(a);
}

static void check_mechanism(double strike, double dip, double rake)
{
    double vectors[2][3], sides[2][2 * WEB_MECHANISM_POINTS];
    size_t counts[2];
    web_mechanism_vectors(strike, dip, rake, vectors[0], vectors[1]);
    for (int k = 0; k < 2; k++)
        counts[k] = web_mechanism_side(vectors[k], sides[k]);
    for (double i = 4; i < 90; i += 9)
        for (double azimuth = 1; azimuth < 360; azimuth += 13) {
            const double motion =
                radiation(strike * degree, dip * degree, rake * degree, i * degree, azimuth * degree);
            const double r = sqrt(2) * sin(i * degree / 2), x = r * sin(azimuth * degree),
                         y = r * cos(azimuth * degree);
            const bool is_dilatation = (counts[0] && is_in_polygon(sides[0], counts[0], x, y)) !=
                                       (counts[1] && is_in_polygon(sides[1], counts[1], x, y));
            if (fabs(motion) > 0.05 && is_dilatation != (motion < 0))
                fail_msg("strike %g, dip %g, rake %g: at %g from the nadir, azimuth %g: motion %g", strike,
                         dip, rake, i, azimuth, motion);
        }
}

TEST(mechanisms_show_the_radiation_of_a_double_couple)
{
    static const double angles[][3] = {{193, 14, 90},  {0, 90, 0},   {30, 90, 180}, {350, 45, -90},
                                       {90, 30, 45},   {210, 1, 90}, {45, 60, 120}, {0, 0, 90},
                                       {123, 77, -31}, {0, 90, 90}};
    char svg[WEB_MECHANISM_BYTES];
    for (size_t k = 0; k < COUNT(angles); k++) {
        check_mechanism(angles[k][0], angles[k][1], angles[k][2]);
        assert_true(web_mechanism_svg(angles[k][0], angles[k][1], angles[k][2], 60, svg));
        assert_has(svg, "<svg ", "</svg>");
    }
    assert_false(web_mechanism_svg(NAN, 10, 20, 60, svg));
}

// Without fontconfig's program no character beyond the usual ones is taken for drawable.
TEST(characters_without_a_font_are_left_out)
{
    const char *path = getenv("PATH");
    char *const before = owned_take(strdup(path ? path : ""));
    char copy[40];
    setenv("PATH", folder_root(), 1);
    assert_string_equal(glyphs_copy("Ōfunato 大船渡 ", copy, sizeof copy), "Ōfunato");
    assert_string_equal(glyphs_copy("気仙沼", copy, sizeof copy), "");
    assert_string_equal(glyphs_copy("Valparaíso 50 €", copy, 12), "Valparaíso");
    setenv("PATH", before, 1);
}

// ---- lines

TEST(reduced_lines_stay_within_the_tolerance)
{
    enum { POINTS = 3000 };
    static float xy[2 * POINTS];
    static bool keep[POINTS];
    for (int k = 0; k < POINTS; k++) {
        xy[2 * k] = (float)(k * 0.01);
        xy[2 * k + 1] = (float)(sin(k * 0.01) + 0.02 * sin(k * 0.7));
    }
    const size_t kept = web_map_simplify(xy, POINTS, 0.05, keep);
    assert_true(kept > 10 && kept < POINTS / 20);
    assert_true(keep[0] && keep[POINTS - 1]);
    for (int k = 0, before = 0, after = 1; k < POINTS - 1; k++) {
        if (k >= after)
            before = after;
        for (after = before + 1; !keep[after];)
            after++;
        const double dx = xy[2 * after] - xy[2 * before], dy = xy[2 * after + 1] - xy[2 * before + 1],
                     px = xy[2 * k] - xy[2 * before], py = xy[2 * k + 1] - xy[2 * before + 1];
        assert_true(fabs(px * dy - py * dx) / hypot(dx, dy) <= 0.05 + 1e-6);
    }
    assert_int_equal(web_map_simplify(xy, POINTS, 0, keep), POINTS); // no three of them lie on one line
}

TEST(longitudes_lie_on_the_map)
{
    cJSON *data = cJSON_CreateObject();
    const struct map_view ocean = {.is_geographic = true, .x = {120, 290}, .y = {-60, 60}, .y_weight = 1},
                          plane = {.x = {0, 100}, .y = {0, 50}, .metres_per_unit = 1, .y_weight = 1};
    const cJSON *map = web_map_add(data, "a", &ocean);
    static const double pairs[][2] = {{-70, 290}, {-155, 205}, {142, 142}, {500, 140}, {-240, 120}};
    for (size_t k = 0; k < COUNT(pairs); k++)
        assert_true(fabs(web_map_x(map, pairs[k][0]) - pairs[k][1]) < 1e-9);
    assert_true(web_map_x(web_map_add(data, "b", &plane), 400) == 400);
    cJSON_Delete(data);
}

// ---- images

static unsigned char *decode(const char *uri, int *width, int *height)
{
    static const char lead[] = "data:image/webp;base64,",
                      digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    assert_memory_equal(uri, lead, sizeof lead - 1);
    static unsigned char bytes[1 << 20];
    size_t used = 0;
    unsigned group = 0;
    int bits = 0;
    for (const char *p = uri + sizeof lead - 1; *p && *p != '='; p++) {
        group = group << 6 | (unsigned)(strchr(digits, *p) - digits);
        bits += 6;
        if (bits >= 8)
            bytes[used++] = (unsigned char)(group >> (bits -= 8));
    }
    unsigned char *pixels = WebPDecodeRGBA(bytes, used, width, height);
    assert_non_null(pixels);
    return pixels;
}

TEST(images_keep_every_pixel)
{
    enum { NX = 37, NY = 23 };
    static const char *const colours[] = {"#000000", "#ff8040", "#ffffff"};
    const struct image_palette palette = image_palette_of(colours, COUNT(colours), 100);
    unsigned char indices[NX * NY];
    for (size_t k = 0; k < NX * NY; k++)
        indices[k] = (unsigned char)(k * 7 % 101);
    char *uri;
    int width, height;
    assert_ok(image_uri(indices, NX, NY, &palette, &uri));
    unsigned char *pixels = decode(uri, &width, &height);
    assert_int_equal(width, NX);
    assert_int_equal(height, NY);
    for (size_t j = 0; j < NY; j++)
        for (size_t i = 0; i < NX; i++) {
            const unsigned char *pixel = pixels + 4 * ((NY - 1 - j) * NX + i); // north is above
            const unsigned index = indices[j * NX + i];
            assert_int_equal(pixel[3], index == 0 ? 0 : 255);
            if (index == 0)
                continue;
            // Colour k lies at (k − ½)/100 of the way; its first half leads from black to #ff8040.
            const double place = 2 * (index - 0.5) / 100;
            const double green = place < 1 ? place * 0x80 : 0x80 + (place - 1) * (255 - 0x80);
            assert_true(fabs(pixel[1] - green) <= 0.5 + 1e-9);
        }
    WebPFree(pixels);
    free(uri);
}

TEST(libraries_are_looked_for_where_the_environment_says)
{
    setenv("FATHOM_JAVASCRIPT", folder_root(), 1);
    assert_false(library_has_maps());
    assert_false(library_has_charts());
    folder_shell("mkdir '%s/leaflet' '%s/chart.js'", folder_root(), folder_root());
    folder_write_text("leaflet/leaflet.js",
                      "var L = '</script><!--';\n//# sourceMappingURL=leaflet.js.map\n");
    folder_write_text("leaflet/leaflet.css", ".a{b:url(images/none.png)}");
    folder_write_text("chart.js/chart.js", "var Chart = 1;");
    assert_true(library_has_maps());
    assert_true(library_has_charts());
    FILE *page = fopen(folder_path("page"), "w");
    assert_non_null(page);
    assert_ok(library_write(page, true, true, false));
    assert_int_equal(fclose(page), 0);
    const char *text = folder_text("page");
    assert_has(text, "var L = '<\\/script><\\!--';", "var Chart = 1;", ".a{b:none}", "Vladimir Agafonkin",
               "Chart.js Contributors");
    assert_null(strstr(text, "sourceMappingURL"));
    unsetenv("FATHOM_JAVASCRIPT");
}

// ---- coast lines

// One bin of 10 degrees of the four around 0°, 0° … the world has 36 × 18; two segments in it: an island as a
// square, and a lake, which is not drawn.
static void write_bins(int first_point_of_island)
{
    enum { BINS = 36 * 18, BIN = 8 * 36 + 35 }; // 350 … 360°, 0 … 10° north
    const int file = make_file(folder_path("binned_GSHHS_l.nc"), NC_CLASSIC_MODEL);
    const int one = make_dimension(file, "one", 1), bins = make_dimension(file, "bins", BINS),
              segments = make_dimension(file, "segments", 2), points = make_dimension(file, "points", 8);
    const struct {
        const char *name;
        nc_type type;
        int dimension, values[8];
    } lists[] = {
        {"Bin_size_in_minutes", NC_INT, one, {600}},
        {"N_bins_in_360_longitude_range", NC_INT, one, {36}},
        {"N_bins_in_180_degree_latitude_range", NC_INT, one, {18}},
        {"Id_of_first_point_in_a_segment", NC_INT, segments, {first_point_of_island, 5}},
        {"Embedded_npts_levels_exit_entry_for_a_segment",
         NC_INT,
         segments,
         {5 << 9 | 1 << 6, 3 << 9 | 2 << 6}},
        // 65535 is the far edge of the bin, 32768 (−32768 as a signed number) its middle.
        {"Relative_longitude_from_SW_corner_of_bin", NC_SHORT, points, {0, -32768, -32768, 0, 0, 9, 9, 9}},
        {"Relative_latitude_from_SW_corner_of_bin", NC_SHORT, points, {0, 0, -1, -1, 0, 9, 9, 9}}};
    int ids[COUNT(lists)];
    for (size_t k = 0; k < COUNT(lists); k++)
        ids[k] = make_variable(file, lists[k].name, lists[k].type, NULL, 1, &lists[k].dimension);
    const int first = make_variable(file, "Id_of_first_segment_in_a_bin", NC_INT, NULL, 1, &bins),
              count = make_variable(file, "N_segments_in_a_bin", NC_SHORT, NULL, 1, &bins);
    NC(nc_enddef(file));
    for (size_t k = 0; k < COUNT(lists); k++)
        NC(nc_put_var_int(file, ids[k], lists[k].values));
    int zeroes[BINS] = {0};
    NC(nc_put_var_int(file, first, zeroes));
    zeroes[BIN] = 2;
    NC(nc_put_var_int(file, count, zeroes));
    NC(nc_close(file));
}

// The island reaches from 350 to 355°, 0 to 10°; the area cuts it at −8° and 4°.
TEST(coast_lines_are_clipped_to_the_area)
{
    setenv("FATHOM_GSHHG", folder_root(), 1);
    struct contour_points lines = {0};
    const double x[2] = {-8, 20}, y[2] = {-5, 4};
    assert_ok(web_coast_lines(WEB_COAST_SHORES, x, y, &lines)); // no file: nothing
    assert_int_equal(lines.count, 0);
    write_bins(0);
    assert_ok(web_coast_lines(WEB_COAST_SHORES, x, y, &lines));
    double length = 0;
    for (size_t k = 0; k < lines.count; k++) {
        const float *p = lines.xy + 2 * k;
        if (isnan(p[0]))
            continue;
        assert_true(p[0] > -8.001 && p[0] < -4.999 && p[1] > -0.001 && p[1] < 4.001);
        if (k + 1 < lines.count && !isnan(p[2]))
            length += hypot((double)p[2] - (double)p[0], (double)p[3] - (double)p[1]);
    }
    assert_true(fabs(length - (3 + 4)) < 2e-3); // 3° of the southern side, 4° of the eastern one
    contour_free(&lines);
    write_bins(4); // its last point would be the ninth of eight
    assert_failure(web_coast_lines(WEB_COAST_SHORES, x, y, &lines), STATUS_DATA, "binned_GSHHS_l.nc");
    contour_free(&lines);
    unsetenv("FATHOM_GSHHG");
}

TEST_MAIN(folder_make, folder_remove)
