// Lines, tables and GeoTIFF of io/geo against closed forms.
#include "tests/support/test.h"

#include "io/geo/clip.h"
#include "io/geo/contour.h"
#include "io/geo/crs.h"
#include "io/geo/features.h"
#include "io/geo/geotiff.h"
#include "tests/io/grid_fixture.h"

#include <cjson/cJSON.h>

enum { N = 101 };

static double axis[N];

struct shape {
    double (*value)(double x, double y);
};

static enum status shape_row(void *context, size_t row, double *values)
{
    const struct shape *shape = context;
    for (size_t i = 0; i < N; i++)
        values[i] = shape->value(axis[i], axis[row]);
    return STATUS_OK;
}

static void trace(double (*value)(double x, double y), const double *levels, int count,
                  struct geo_lines *lines)
{
    struct shape shape = {value};
    for (int k = 0; k < N; k++)
        axis[k] = -5 + 0.1 * k;
    const struct geo_field field = {
        .nx = N, .ny = N, .x = axis, .y = axis, .context = &shape, .row = shape_row};
    assert_ok(geo_contour_trace(&field, levels, count, lines));
}

static double length_of(const struct geo_lines *lines)
{
    double length = 0;
    for (size_t k = 0; k < lines->line_count; k++)
        for (size_t p = lines->lines[k].first + 1; p < lines->lines[k].first + lines->lines[k].count; p++)
            length += hypot(lines->points[p][0] - lines->points[p - 1][0],
                            lines->points[p][1] - lines->points[p - 1][1]);
    return length;
}

static double bell(double x, double y)
{
    return 10 - x * x - y * y;
}

static double bell_beside_land(double x, double y)
{
    return x > 1.05 ? NAN : bell(x, y);
}

static double saddle(double x, double y)
{
    return x * y;
}

static double plane(double x, double y)
{
    return x + 2 * y;
}

TEST_SUITE(.setup = folder_make, .teardown = folder_remove);

// Circles are closed lines of length 2πr, every point on them to the error of linear interpolation, h²/8 f''.
TEST(test_circles)
{
    const double levels[3] = {1, 6, 9};
    struct geo_lines lines[3] = {0};
    trace(bell, levels, 3, lines);
    for (int k = 0; k < 3; k++) {
        const double radius = sqrt(10 - levels[k]);
        assert_int_equal(lines[k].line_count, 1);
        const struct geo_line *line = &lines[k].lines[0];
        assert_true(lines[k].points[0][0] == lines[k].points[line->count - 1][0]);
        assert_true(lines[k].points[0][1] == lines[k].points[line->count - 1][1]);
        for (size_t p = 0; p < line->count; p++)
            assert_true(fabs(bell(lines[k].points[p][0], lines[k].points[p][1]) - levels[k]) <= 0.0026);
        assert_true(fabs(length_of(&lines[k]) / (2 * acos(-1) * radius) - 1) < 2e-3);
        geo_lines_free(&lines[k]);
    }
}

// A plane's lines are straight and exact, from edge to edge.
TEST(test_plane_and_land)
{
    const double levels[2] = {0.5, 6};
    struct geo_lines lines[2] = {0};
    trace(plane, levels, 1, lines);
    assert_int_equal(lines[0].line_count, 1);
    for (size_t p = 0; p < lines[0].point_count; p++)
        assert_true(fabs(plane(lines[0].points[p][0], lines[0].points[p][1]) - 0.5) < 1e-12);
    assert_true(fabs(length_of(&lines[0]) - hypot(10, 5)) < 0.12);
    geo_lines_free(&lines[0]);
    // The circle of radius 2 is open where it meets land, and no point of it lies there.
    trace(bell_beside_land, levels, 2, lines);
    assert_int_equal(lines[1].line_count, 1);
    for (size_t p = 0; p < lines[1].point_count; p++)
        assert_true(lines[1].points[p][0] <= 1.0 + 1e-12);
    assert_true(fabs(length_of(&lines[1]) - 2 * 2 * (acos(-1) - acos(1.0 / 2))) < 0.01);
    geo_lines_free(&lines[0]);
    geo_lines_free(&lines[1]);
}

// Two branches of a hyperbola, which must not be joined where they come near each other.
TEST(test_saddle)
{
    const double level = 0.0001;
    struct geo_lines lines = {0};
    trace(saddle, &level, 1, &lines);
    assert_int_equal(lines.line_count, 2);
    for (size_t k = 0; k < 2; k++) {
        const double sign = lines.points[lines.lines[k].first][0];
        for (size_t p = lines.lines[k].first; p < lines.lines[k].first + lines.lines[k].count; p++)
            assert_true(sign * lines.points[p][0] >= 0);
    }
    geo_lines_free(&lines);
}

// ---- nodes that have the level itself

static double squares(double x, double y)
{
    return -fmax(fabs(x), fabs(y));
}

static double diamonds(double x, double y)
{
    return -fabs(x) - fabs(y);
}

static double bowl(double x, double y)
{
    return fmax(fabs(x), fabs(y));
}

// A ridge of 11 nodes along the x-axis, which widens to a square in the middle.
static double ridge(double x, double y)
{
    return fmax(-fabs(y) - fmax(0, fabs(x) - 5), 1 - fmax(fabs(x), fabs(y)));
}

// Ridges only: a cross of nodes.
static double cross_of_nodes(double x, double y)
{
    return -fmin(fabs(x), fabs(y)) - fmax(0, fmax(fabs(x), fabs(y)) - 7);
}

// Whole numbers from -2 to 2 that look random.
static double rough(double x, double y)
{
    uint32_t bits = (uint32_t)(x + 50) * 2654435761u ^ (uint32_t)(y + 50) * 2246822519u;
    bits = (bits ^ bits >> 15) * 2246822519u;
    return (double)((bits ^ bits >> 13) % 5) - 2;
}

static double squares_of_tenths(double x, double y)
{
    return squares(round(10 * x), round(10 * y));
}

// Nodes at whole numbers, so that levels at whole numbers are those of nodes.
static void trace_whole(double (*value)(double x, double y), double level, struct geo_lines *lines)
{
    struct shape shape = {value};
    for (int k = 0; k < N; k++)
        axis[k] = k - N / 2;
    const struct geo_field field = {
        .nx = N, .ny = N, .x = axis, .y = axis, .context = &shape, .row = shape_row};
    assert_ok(geo_contour_trace(&field, &level, 1, lines));
}

// Positive: counter-clockwise. NaN: the line is not closed.
static double area_of(const struct geo_lines *lines, const struct geo_line *line)
{
    const double(*p)[2] = (const double(*)[2])lines->points + line->first;
    double area = 0;
    for (size_t k = 0; k + 1 < line->count; k++)
        area += 0.5 * (p[k][0] * p[k + 1][1] - p[k + 1][0] * p[k][1]);
    const bool is_closed =
        p[0][0] == p[line->count - 1][0] && p[0][1] == p[line->count - 1][1] && line->count > 3;
    return is_closed ? area : (double)NAN;
}

// Rings through nodes: one piece, closed, around the higher values counter-clockwise; their area is exact.
// (In the corners of the bowl, beside the square of the ridge and in the middle of the cross three nodes of a
// cell have the level: half of the cell lies below.)
TEST(test_nodes_at_the_level)
{
    static const struct {
        double (*value)(double x, double y);
        double level;
        size_t lines;
        double area;
    } rows[] = {{squares, -3, 1, 36},      {squares, -1, 1, 4}, {diamonds, -4, 1, 32},
                {diamonds, -1, 1, 2},      {bowl, 3, 1, -34},   {bowl, 1, 1, -2},
                {squares, 0, 0, 0}, // a single node
                {diamonds, -2.5, 1, 12.5}, {ridge, 0, 1, 6},    {cross_of_nodes, 0, 1, 2}};
    for (size_t k = 0; k < COUNT(rows); k++) {
        struct geo_lines lines = {0};
        double area = 0;
        trace_whole(rows[k].value, rows[k].level, &lines);
        for (size_t l = 0; l < lines.line_count; l++)
            area += area_of(&lines, &lines.lines[l]);
        if (lines.line_count != rows[k].lines || !(fabs(area - rows[k].area) < 1e-12))
            fail_msg("row %zu: %zu lines, area %g", k, lines.line_count, area);
        geo_lines_free(&lines);
    }
}

static bool is_at_the_edge(const double *point)
{
    return fabs(point[0]) == N / 2 || fabs(point[1]) == N / 2;
}

// A rough field of whole numbers, many of them the level: every line is closed or ends at the map's edge, has
// the higher side to its left, and no part of it is passed there and back.
TEST(test_rough_field)
{
    struct geo_lines lines = {0};
    trace_whole(rough, 0, &lines);
    assert_true(lines.line_count > 100);
    size_t closed = 0;
    for (size_t l = 0; l < lines.line_count; l++) {
        const struct geo_line *line = &lines.lines[l];
        const double(*p)[2] = (const double(*)[2])lines.points + line->first;
        const bool is_closed = !isnan(area_of(&lines, line));
        closed += is_closed;
        assert_true(is_closed || (is_at_the_edge(p[0]) && is_at_the_edge(p[line->count - 1])));
        for (size_t k = 0; k + 1 < line->count; k++) {
            const double *next = p[k + 2 < line->count ? k + 2 : 1];
            assert_false(p[k][0] == p[k + 1][0] && p[k][1] == p[k + 1][1]);
            if (k + 2 < line->count || is_closed)
                assert_false(p[k][0] == next[0] && p[k][1] == next[1]);
        }
    }
    assert_true(closed > 50);
    geo_lines_free(&lines);
}

// Nodes whose distance is not exact in binary: the sides that meet in a node give one point, not two.
TEST(test_rounding_at_nodes)
{
    const double level = -3;
    struct geo_lines lines = {0};
    trace(squares_of_tenths, &level, 1, &lines);
    assert_int_equal(lines.line_count, 1);
    for (size_t p = 1; p < lines.point_count; p++)
        assert_true(hypot(lines.points[p][0] - lines.points[p - 1][0],
                          lines.points[p][1] - lines.points[p - 1][1]) > 0.01);
    assert_true(fabs(area_of(&lines, &lines.lines[0]) - 0.36) < 1e-12);
    geo_lines_free(&lines);
}

enum { WIDE = 400 };

static enum status checkers(void *context, size_t row, double *values)
{
    (void)context;
    for (size_t i = 0; i < WIDE; i++)
        values[i] = (i + row) % 2 == 0 ? 1 : -1;
    return STATUS_OK;
}

// A checkerboard has two pieces in each cell: of so many a level is left out and says so, the other is not.
TEST(test_bound)
{
    static double wide[WIDE];
    const double levels[2] = {0, 2};
    struct geo_lines lines[2] = {0};
    for (int k = 0; k < WIDE; k++)
        wide[k] = k;
    struct geo_field field = {.nx = WIDE, .ny = WIDE, .x = wide, .y = wide, .row = checkers};
    assert_true(2 * (WIDE - 1) * (WIDE - 1) > GEO_PIECES_MAX);
    assert_ok(geo_contour_trace(&field, levels, 2, lines));
    assert_true(lines[0].is_left_out && lines[0].line_count == 0);
    assert_false(lines[1].is_left_out);
    field.ny = 300;
    assert_ok(geo_contour_trace(&field, levels, 1, lines));
    assert_false(lines[0].is_left_out);
    assert_true(lines[0].line_count > 1000);
    geo_lines_free(&lines[0]);
}

TEST(test_levels)
{
    double levels[GEO_LEVELS_MAX];
    assert_int_equal(geo_height_levels(3.2, 4, levels), 4);
    assert_axis(levels, 4, (double[]){0.2, 0.5, 1, 2}, 0);
    assert_int_equal(geo_height_levels(0.05, 3, levels), 3);
    assert_axis(levels, 3, (double[]){0.005, 0.01, 0.02}, 0);
    assert_int_equal(geo_height_levels(-1, 3, levels), 0);
    assert_int_equal(geo_height_levels(NAN, 3, levels), 0);
    assert_int_equal(geo_time_levels(3600 * 10, 24, levels), 19); // every half hour, below 10 h
    assert_true(levels[0] == 1800 && levels[18] == 34200);
    assert_int_equal(geo_time_levels(0, 24, levels), 0);
}

// A line over the antimeridian is cut there, at the same latitude on both sides.
TEST(test_antimeridian)
{
    struct geo_lines lines = {0};
    assert_ok(geo_lines_begin(&lines));
    assert_ok(geo_lines_add(&lines, 170, 0));
    assert_ok(geo_lines_add(&lines, 190, 20));
    assert_ok(geo_lines_add(&lines, 175, 35));
    geo_lines_end(&lines);
    assert_ok(geo_lines_wrap(&lines));
    assert_int_equal(lines.line_count, 3);
    static const double expected[][2] = {{170, 0},   {180, 10}, {-180, 10}, {-170, 20},
                                         {-180, 30}, {180, 30}, {175, 35}};
    assert_int_equal(lines.point_count, 7);
    for (int k = 0; k < 7; k++) {
        assert_true(fabs(lines.points[k][0] - expected[k][0]) < 1e-12);
        assert_true(fabs(lines.points[k][1] - expected[k][1]) < 1e-12);
    }
    geo_lines_free(&lines);
    assert_true(geo_longitude(190) == -170 && geo_longitude(-190) == 170 && geo_longitude(180) == 180);
}

// The parts of a polygon on both sides of a line: how many there are, how many positions they have, and their
// areas, which are known.
static void assert_parts(const struct geo_rings *rings, bool is_east, size_t count, size_t positions,
                         double area)
{
    struct geo_rings clipped = {0};
    double found = 0;
    size_t points = 0;
    assert_ok(geo_rings_clip(rings, 180, is_east, &clipped));
    assert_int_equal(clipped.count, count);
    for (size_t k = 0; k < clipped.count; k++) {
        found += geo_ring_area(&clipped.rings[k]) / 2;
        points += clipped.rings[k].count;
        for (size_t p = 0; p < clipped.rings[k].count; p++)
            assert_true(is_east ? clipped.rings[k].points[p][0] >= 180
                                : clipped.rings[k].points[p][0] <= 180);
    }
    assert_int_equal(points, positions);
    assert_true(fabs(found - area) < 1e-12);
    geo_rings_free(&clipped);
}

// A zone over the antimeridian with a hole over it is two polygons with a notch each, not two with a hole on
// their side; arms that the meridian cuts off are polygons of their own.
TEST(test_polygons_are_cut_at_a_meridian)
{
    static const double box[][2] = {{178, 0}, {184, 0}, {184, 6}, {178, 6}},
                        hole[][2] = {{179, 2}, {179, 4}, {181, 4}, {181, 2}},
                        western[][2] = {{178.5, 1}, {178.5, 2}, {179, 2}, {179, 1}},
                        arms[][2] = {{179, 0},   {182, 0}, {182, 1}, {179.5, 1},
                                     {179.5, 2}, {182, 2}, {182, 3}, {179, 3}},
                        touching[][2] = {{180, 2}, {178, 3}, {178, 1}},
                        notch[][2] = {{180, 2}, {178.5, 1}, {178.5, 3}};
    struct geo_rings rings = {0};
    assert_ok(geo_rings_add(&rings, box, 4));
    assert_parts(&rings, false, 1, 4, 12);
    assert_parts(&rings, true, 1, 4, 24);
    assert_ok(geo_rings_add(&rings, hole, 4));
    assert_parts(&rings, false, 1, 8, 12 - 2);
    assert_parts(&rings, true, 1, 8, 24 - 2);
    assert_ok(geo_rings_add(&rings, western, 4));
    assert_parts(&rings, false, 2, 12, 12 - 2 - 0.5); // the whole hole stays one
    assert_parts(&rings, true, 1, 8, 24 - 2);
    geo_rings_free(&rings);
    assert_ok(geo_rings_add(&rings, arms, 8));
    assert_parts(&rings, false, 1, 8, 2.5);
    assert_parts(&rings, true, 2, 8, 4);
    geo_rings_free(&rings);
    // What touches the line with one position is neither cut nor joined to anything.
    assert_ok(geo_rings_add(&rings, touching, 3));
    assert_parts(&rings, false, 1, 3, 2);
    assert_parts(&rings, true, 0, 0, 0);
    geo_rings_free(&rings);
    assert_ok(geo_rings_add(&rings, box, 4));
    assert_ok(geo_rings_add(&rings, notch, 3));
    assert_parts(&rings, false, 2, 7, 12 - 1.5);
    assert_parts(&rings, true, 1, 4, 24);
    geo_rings_free(&rings);
}

// Texts that would break a format if they were not escaped, and missing values.
static char *names[2] = {"Kuji, \"harbour\" <A&B>", "Miyako"};
static const double longitudes[2] = {190.25, 141.75}, latitudes[2] = {40.2, 39.6}, heights[2] = {1.5, NAN};
static const struct geo_column columns[] = {{"name", NULL, NULL, names},
                                            {"longitude", "degrees_east", longitudes, NULL},
                                            {"crest", "m", heights, NULL}};
static const struct geo_table table = {.title = "Points",
                                       .rows = 2,
                                       .column_count = 3,
                                       .columns = columns,
                                       .x = longitudes,
                                       .y = latitudes,
                                       .name_column = 0,
                                       .levels = (const double[]){2, NAN}};
static const struct geo_note notes[] = {{.name = "event", .text = "M 9, \"Tohoku\""},
                                        {.name = "levels_m", .values = {0.3, 1}, .count = 2}};
static const struct geo_about about = {"T & T", "Fathom", notes, 2}, nothing = {"", "", NULL, 0};

TEST(test_texts)
{
    assert_ok(geo_csv_write(folder_path("a.csv"), &nothing, &table));
    assert_string_equal(folder_text("a.csv"), "name,longitude,crest_m\r\n"
                                              "\"Kuji, \"\"harbour\"\" <A&B>\",190.25,1.5\r\n"
                                              "Miyako,141.75,\r\n");
    // What is true of all rows stands in each of them, for a comment would be a row.
    assert_ok(geo_csv_write(folder_path("a.csv"), &about, &table));
    assert_has(folder_text("a.csv"), "crest_m,event,levels_m\r\n",
               "Miyako,141.75,,\"M 9, \"\"Tohoku\"\"\",0.3 1\r\n");
    const struct geo_table *tables[] = {&table, NULL};
    assert_ok(geo_json_write(folder_path("a.geojson"), &about, tables, NULL, 0));
    cJSON *json = cJSON_Parse(folder_text("a.geojson"));
    const cJSON *first = cJSON_GetArrayItem(cJSON_GetObjectItem(json, "features"), 0),
                *second = cJSON_GetArrayItem(cJSON_GetObjectItem(json, "features"), 1);
    const cJSON *properties = cJSON_GetObjectItem(first, "properties");
    assert_string_equal(cJSON_GetObjectItem(properties, "name")->valuestring, names[0]);
    const cJSON *place = cJSON_GetObjectItem(cJSON_GetObjectItem(first, "geometry"), "coordinates");
    assert_true(cJSON_GetArrayItem(place, 0)->valuedouble == -169.75);
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(cJSON_GetObjectItem(second, "properties"), "crest")));
    assert_string_equal(cJSON_GetObjectItem(json, "event")->valuestring, notes[0].text);
    assert_true(cJSON_GetArrayItem(cJSON_GetObjectItem(json, "levels_m"), 1)->valuedouble == 1);
    const cJSON *units = cJSON_GetObjectItem(json, "units");
    assert_string_equal(cJSON_GetObjectItem(units, "crest")->valuestring, "m");
    assert_int_equal(cJSON_GetArraySize(units), 2);
    cJSON_Delete(json);
    assert_ok(geo_kml_write(folder_path("a.kml"), &about, tables, NULL, 0));
    assert_has(folder_text("a.kml"), "<name>T &amp; T</name>", "levels_m: 0.3 1", "#level2</styleUrl>",
               "#unknown</styleUrl>");
    assert_non_null(strstr(folder_text("a.kml"), "Kuji, &quot;harbour&quot; &lt;A&amp;B&gt;"));
}

// A folder that does not exist, and nothing left of an unfinished file.
TEST(test_not_written)
{
    assert_failure(geo_csv_write(folder_path("none/a.csv"), &nothing, &table), STATUS_CANNOT_CREATE,
                   "none/a.csv");
    assert_int_equal(folder_count(""), 0);
}

static enum status infinite_row(void *context, size_t row, double *values)
{
    (void)context;
    for (int k = 0; k < 3; k++)
        values[k] = row == 1 ? INFINITY : 0;
    return STATUS_OK;
}

static enum status large_row(void *context, size_t row, double *values)
{
    (void)context;
    for (int k = 0; k < 3; k++)
        values[k] = row == 1 ? -1e300 : 3e38;
    return STATUS_OK;
}

// A map that is written reads back bit for bit, places to 1e-9 of a spacing; a failure leaves nothing.
TEST(test_tiff)
{
    if (geo_missing()[0])
        skip();
    struct shape shape = {bell_beside_land};
    struct geo_tiff map = {.path = folder_path("a.tif"),
                           .nx = N,
                           .ny = N,
                           .x_first = 140.1,
                           .x_step = 1.0 / 60,
                           .y_first = -10.2,
                           .y_step = 1.0 / 30,
                           .is_geographic = true,
                           .context = &shape,
                           .row = shape_row};
    assert_ok(geo_tiff_write(&map));
    struct grid_request request = request_of(map.path, GRID_PLAIN);
    struct grid_file *file = must_open(&request);
    double expected[N], values[N];
    for (size_t row = 0; row < N; row++) {
        assert_ok(shape_row(&shape, row, expected));
        assert_ok(grid_read_row(file, row, values));
        for (int i = 0; i < N; i++)
            assert_true(isnan(expected[i]) ? isnan(values[i]) : values[i] == (double)(float)expected[i]);
    }
    for (int k = 0; k < N; k++) {
        assert_true(fabs(grid_info(file)->x[k] - (140.1 + k / 60.0)) < 1e-9 / 60);
        assert_true(fabs(grid_info(file)->y[k] - (-10.2 + k / 30.0)) < 1e-9 / 30);
    }
    map.path = folder_path("b.tif");
    map.nx = 3;
    map.ny = 3;
    map.row = infinite_row;
    assert_failure(geo_tiff_write(&map), STATUS_DATA, "b.tif", "row 1 is infinite");
    map.row = large_row;
    assert_failure(geo_tiff_write(&map), STATUS_DATA, "b.tif", "row 1 is -1e+300, beyond single precision");
    map.path = folder_path("none/b.tif");
    assert_failure(geo_tiff_write(&map), STATUS_CANNOT_CREATE, "none/b.tif");
    assert_int_equal(folder_count(""), 1);
}
