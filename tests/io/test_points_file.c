// io/points_file.c, io/zones_file.c: the same places from every format, every way in which a file can be
// wrong, and which points lie in a zone.
#include "tests/support/test.h"

#include "io/points_file.h"
#include "io/zones_file.h"
#include "tests/support/fresh.h"
#include "tests/support/statuses.h"

#include <string.h>

#define FEATURES(list) "{\"type\": \"FeatureCollection\", \"features\": [" list "]}"
#define FEATURE(name, type, coordinates)                                                                     \
    "{\"type\": \"Feature\", \"properties\": {\"name\": \"" name "\"}, \"geometry\": {\"type\": \"" type     \
    "\", \"coordinates\": " coordinates "}}"
#define PLANE_FEATURES(list)                                                                                 \
    "{\"type\": \"FeatureCollection\", \"crs\": {\"type\": \"name\", \"properties\": {\"name\": "            \
    "\"urn:ogc:def:crs:EPSG::32654\"}}, \"features\": [" list "]}"

TEST_SUITE(.setup = fresh_folder, .teardown = folder_remove);

static const char *write_file(const char *text)
{
    folder_write_text("places", text);
    return folder_path("places");
}

// The two places of every readable file below.
static void assert_two(const char *text, bool is_geographic)
{
    struct points_file points;
    assert_ok(points_file_read(write_file(text), is_geographic, &points));
    assert_int_equal(points.count, 2);
    assert_string_equal(points.points[0].name, "Crescent City, CA");
    assert_string_equal(points.points[1].name, "Kamaishi");
    const double expected[4] = {-124.25, 41.75, 141.875, 39.25};
    const double found[4] = {points.points[0].x, points.points[0].y, points.points[1].x, points.points[1].y};
    for (int k = 0; k < 4; k++)
        if (found[k] != expected[k])
            fail_msg("%s: number %d is %.17g, expected %.17g", text, k, found[k], expected[k]);
    points_file_free(&points);
}

TEST(every_format_gives_the_same_places)
{
    static const char *const files[] = {
        "name,longitude,latitude\n\"Crescent City, CA\",-124.25,41.75\nKamaishi,141.875,39.25\n",
        "\xEF\xBB\xBFName;Lat;Lon;people\r\n# towns\r\nCrescent City, CA;41.75;-124.25;6000\r\n\r\n"
        "Kamaishi;39.25;141.875;30000",
        "LON\tLAT\tname\n-124.25\t41.75\tCrescent City, CA\n141.875\t39.25\tKamaishi\n",
        "name, longitude (arcmin), latitude (degrees)\n\"Crescent City, CA\", -7455, 41.75\n"
        "\"Kamaishi\" , 8512.5, 39.25\n",
        FEATURES(FEATURE("Crescent City, CA", "Point",
                         "[-124.25, 41.75]") ", " FEATURE("Kamaishi", "Point", "[141.875, 39.25, 3]")),
        "{\"fathom_gauges\": 1, \"gauges\": [{\"name\": \"Crescent City, CA\", \"longitude\": "
        "\"-124.25 degree\", \"latitude\": \"41.75 degree\"}, {\"name\": \"Kamaishi\", \"longitude\": "
        "\"141.875 degree\", \"latitude\": \"39.25 degree\"}]}"};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        assert_two(files[k], true);
    assert_two("name,x (m),y\n\"Crescent City, CA\",-124.25,41.75\nKamaishi,141.875,39.25\n", false);
    assert_two(PLANE_FEATURES(FEATURE("Crescent City, CA", "Point", "[-124.25, 41.75]") ", " FEATURE(
                   "Kamaishi", "Point", "[141.875, 39.25]")),
               false);
}

// Degrees with letters, minutes, hemispheres in columns, decimal commas: each exactly these two places.
TEST(degrees_of_every_form_are_read)
{
    static const char *const files[] = {
        "name,lat,ns,lon,ew\n\"Crescent City, CA\",41.75,N,124.25,W\nKamaishi,39.25,n,141.875,East\n",
        "name,a,lat,b,lon\n\"Crescent City, CA\",N,41.75,W,124.25\nKamaishi,N,39.25,E,141.875\n",
        "name,Lat,Lon,N/S,E/W\n\"Crescent City, CA\",41.75,124.25,N,W\nKamaishi,39.25,141.875,N,E\n",
        "name,lat,lon,lon_hemisphere\n\"Crescent City, CA\",41.75,-124.25,W\nKamaishi,39.25,141.875,E\n",
        // Signs say it already; a coast's side is no hemisphere.
        "name,lat,lon,coast\n\"Crescent City, CA\",41.75,-124.25,W\nKamaishi,39.25,141.875,E\n",
        "name,lat,lon\n\"Crescent City, CA\",41.75N,124.25 W\nKamaishi,N 39.25,e141.875\n",
        "name,lat,lon\n\"Crescent City, CA\",41\u00B045'N,124 15 W\n"
        "Kamaishi,\"39\u00B015'00\"\" N\",141 52.5\u2032E\n",
        "name,lat,lon\n\"Crescent City, CA\",41 45,\u2212124 15 00\n"
        "Kamaishi,39 15 0,141\u00B052\u203230\u2033\n",
        "Name;Lat;Lon;people\r\nCrescent City, CA;41,75;-124,25;6000\r\n\r\nKamaishi;39,25;141,875;30 000\r\n"
        ";;;\r\n",
        "name,lat,lon\n\"Crescent City, CA \",41.75N,124.25W\nKamaishi\xC2\xA0,39.25N,141.875E\n",
        "name\tlon\tlat\nCrescent City, CA\t124,25W\t41 45 N\n\t\t\nKamaishi\t141,875E\t39 15 N\n",
    };
    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        assert_two(files[k], true);
}

static const struct {
    const char *text;
    bool is_plane;
    const char *fragment, *other;
} refused[] = {
    {"", false, "is empty", "column names"},
    {"name,longitude,latitude\n", false, "no points", "places"},
    {"name,longitude\nA,1\n", false, "line 1: no column latitude", "longitude, latitude"},
    {"Hilo,-155,19\n", false, "line 1: no column name", "first line"},
    {"name,lon,longitude,lat\nA,1,1,1\n", false, "the column longitude appears twice", "line 1"},
    {"name,longitude,latitude\nA,39.2,141.9\n", false, "line 2: latitude 141.9 is beyond 90", "exchanged"},
    {"name,longitude,latitude\nA,500,1\n", false, "longitude 500 is beyond 360", "line 2"},
    {"name,longitude,latitude\nA,1,1\nB,west,2\n", false, "line 3: longitude is \"west\"", "a number"},
    {"name;longitude;latitude\nA;141,9;39.2\n", false, "\"141,9\"", "with a point before its decimals"},
    {"name;longitude;latitude\nA;141,9;39,2\nB;1,141,9;39,2\n", false, "\"141,9\"", "with a point"},
    {"name;x;y\nA;141,9;39,2\n", true, "\"141,9\"", "with a point before its decimals"},
    {"name,longitude,latitude\nA,1,nan\n", false, "latitude is \"nan\"", "line 2"},
    {"name,longitude,latitude\nA,1\n", false, "line 2: has 2 fields", "none in the column latitude"},
    {"name,longitude,latitude\nA,1,1\nB,-71,62,-33,03\n", false,
     "line 3: has 5 fields, but the heading has 3", "decimals need a point"},
    {"name;lon;lat\nA;1;1;\n", false, "line 2: has 4 fields", "the heading has 3"},
    {"name,longitude,latitude\nA,0x10,1\n", false, "line 2: longitude is \"0x10\"", "a number"},
    {"name,longitude,latitude\nA,1,inf\n", false, "line 2: latitude is \"inf\"", "a number"},
    {"name,longitude,latitude\rA,1,1\rB,2,2\r", false, "line 1: a carriage return (CR)", "LF or CR LF"},
    {"name,longitude,latitude\r\nA,1,1\rB,2,2\r\n", false, "line 2: a carriage return (CR)", "LF or CR LF"},
    {"name,longitude,latitude\n,1,1\n", false, "line 2: the name is empty", "places"},
    {"name,longitude,latitude\n\"A,1,1\n", false, "line 2: a quotation mark is not closed", "places"},
    {"name,longitude,latitude\n\"A\"b,1,1\n", false, "text follows a closing quotation mark", "line 2"},
    {"name,longitude,latitude\nA,1,1\nB,2,2\nA,3,3\n", false, "the name \"A\" appears twice",
     "in lines 2 and 4"},
    {"name,longitude (km),latitude\nA,1,1\n", false, "column longitude", "km"},
    {"name,longitude,latitude\nA,1,1\n", true, "the columns are degrees", "a plane in metres: expected x, y"},
    {"name,x,y\nA,1,1\n", false, "the columns are x and y in metres", "expected longitude, latitude"},
    {"name,longitude,latitude\n\xff,1,1\n", false, "line 2: is not UTF-8 text",
     "iconv -f WINDOWS-1252 -t UTF-8"},
    // Hemispheres.
    {"name,lat,lon\nA,-12.06S,1\n", false, "line 2: latitude is \"-12.06S\"", "write one of them"},
    {"name,lat,lon\nA,155.06W,1\n", false, "latitude is \"155.06W\"", "which is a longitude"},
    {"name,lat,lon\nA,12 64 S,1\n", false, "latitude is \"12 64 S\"", "12 03.6 S"},
    {"name,lat,lon\nA,12.5 30 S,1\n", false, "latitude is \"12.5 30 S\"", "12 03.6 S"},
    {"name,lat,lon\nA,12 030 30 30 S,1\n", false, "latitude is \"12 030 30 30 S\"", "12.06S"},
    {"name,lat (arcmin),lon\nA,12 3 S,1\n", false, "latitude is \"12 3 S\"", "not in degrees"},
    {"name,lat,ns,lon,ew\nA,17.5,S,149.5,W\nB,17.5,,149.5,W\n", false,
     "line 3: nothing stands in the column ns", "hemisphere of latitude"},
    {"name,lat,ns,lon\nA,17.5,South-West,149.5\n", false, "the column ns has cells", "N or S alone"},
    {"name,lat,lon,lat_ns,hemisphere\nA,17.5,149.5,S,S\n", false, "lat_ns and hemisphere", "both"},
    {"name,lat,ns,lon\nA,17.5,S,149.5\nB,-17.5,S,149.5\n", false, "latitude is \"17.5\" with S", "line 2"},
    {"name,lat,ns,lon\nA,-17.5,N,149.5\n", false, "latitude is \"-17.5\" with N", "contradict"},
    {"name,lat,ns,lon\nA,17.5S,N,149.5\n", false, "latitude has S, and its column ns N", "line 2"},
    {"name,lat,lon,ew\nA,17.5,149.5,W\nB,17.5,149.5,O\n", false, "the column ew has O", "E or W"},
    // Which may be anything: a coast, a region.
    {"name,lat,lon,coast\nA,17.5,149.5,W\n", false, "the column coast holds E and W", "name the column ew"},
    {"name,lat,lon,a,b\nA,17.5,149.5,S,W\n", false, "the column a holds N and S", "name the column ns"},
    {"name,longitude,latitude\n0123456789012345678901234567890123456789012345678901234567890123,1,1\n", false,
     "the name has 64 bytes, at most 63", "line 2"},
    // A letter in one line, none in another.
    {"name,latitude,longitude\nApia,13.83,171.76\nSuva,18.1S,178.4E\n", false,
     "line 2: the column longitude is mixed: neither letter nor sign here, a letter in line 3", "E, W"},
    {"name;lat;lon\nA;13,83;171,76W\nB;18,1S;178,4E\n", false,
     "line 2: the column latitude is mixed: neither letter", "line 3"},
    {"name,lat,lon\nA,18.1S,178.4\nB,0,1\nC,-13.83,171\n", false,
     "line 4: the column latitude is mixed: a minus sign here, a letter in line 2", "N, S"},
    {"name,lat,ns,lon\nA,17.5,S,149.5\nB,-17.5,S,149.5\n", false, "line 3 has a minus sign", "mixed"},
    // Blanks at the ends of a name, and what turns the text behind it.
    {FEATURES(FEATURE(" ", "Point", "[1, 2]")), false, "feature 1: the name is empty", "places"},
    {FEATURES(FEATURE("\xC2\xA0", "Point", "[1, 2]")), false, "feature 1: the name is empty", "places"},
    {FEATURES(FEATURE("B", "Point", "[1, 2]") ", " FEATURE("A ", "Point", "[1, 2]") ", " FEATURE("A", "Point",
                                                                                                 "[1, 3]")),
     false, "the name \"A\" appears twice", "in entries 2 and 3"},
    {FEATURES(FEATURE("A\\u0000B", "Point", "[1, 2]")), false, "line 1: a text with the character \\u0000",
     "places"},
    {FEATURES(FEATURE("A\\u202EB", "Point", "[1, 2]")), false,
     "feature 1: the name has a character that turns", "direction"},
    {"{\"type\": \"FeatureCollection\", \"features\": []}", false, "has no features", "places"},
    {"{\"type\": \"FeatureCollection\"}", false, "without a list \"features\"", "places"},
    {"{\"type\": \"Point\", \"coordinates\": [1, 2]}", false, "a bare Point", "FeatureCollection"},
    {"{\"places\": []}", false, "neither GeoJSON", "fathom_gauges"},
    {FEATURES(FEATURE("A", "Point", "[1, 95]")), false, "feature 1: latitude 95 is beyond", "exchanged"},
    {FEATURES(FEATURE("A", "LineString", "[[1, 2], [3, 4]]")), false,
     "feature 1: its geometry is a LineString", "expected Point"},
    {FEATURES(FEATURE("A", "Point", "[1]")), false, "a position is not a list of two numbers", "feature 1"},
    {FEATURES("{\"type\": \"Feature\", \"geometry\": {\"type\": \"Point\", \"coordinates\": [1, 2]}}"), false,
     "feature 1: no property \"name\"", "places"},
    {FEATURES(FEATURE("A", "Point", "[1, 2]")), true, "longitudes and latitudes", "a plane in metres"},
    {PLANE_FEATURES(FEATURE("A", "Point", "[1, 2]")), false, "\"crs\" is not in longitude", "places"},
    {"{\"fathom_gauges\": 1, \"gauges\": [{\"name\": \"A\", \"x\": \"1 m\", \"y\": \"1 m\"}]}", false,
     "gauge number 1: is in metres", "expected longitude"},
    {"{\"fathom_gauges\": 1, \"gauges\": [{\"name\": \"A\", \"x\": 1, \"y\": \"1 m\"}]}", true,
     "\"x\" must be a text with a unit", "1200 m"},
    {"{\"type\": ", false, "not valid JSON at line 1", "places"},
};

TEST(each_fault_of_points_has_its_line)
{
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        struct points_file points;
        assert_failure(points_file_read(write_file(refused[k].text), !refused[k].is_plane, &points),
                       STATUS_DATA, "places", refused[k].fragment, refused[k].other);
        assert_true(points.count == 0 && !points.points);
    }
    struct points_file points;
    assert_failure(points_file_read(folder_path("none"), true, &points), STATUS_NO_INPUT, "none");
}

#define SQUARE "[[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]]"
#define HOLE   "[[1, 1], [2, 1], [2, 2], [1, 2], [1, 1]]"

static const struct {
    const char *text;
    bool is_plane;
    const char *fragment, *other;
} zones_refused[] = {
    {"name,longitude,latitude\nA,1,1\n", false, "not valid JSON", "line 1"},
    {"{\"zones\": []}", false, "not GeoJSON", "FeatureCollection"},
    {FEATURES(FEATURE("A", "Point", "[1, 2]")), false, "its geometry is a Point",
     "expected Polygon or MultiPolygon"},
    {FEATURES(FEATURE("A", "Polygon", "[[[0, 0], [4, 0], [4, 4], [0, 4]]]")), false, "a ring is not closed",
     "begins at (0, 0) and ends at (0, 4)"},
    {FEATURES(FEATURE("A", "Polygon", "[[[0, 0], [4, 0], [0, 0]]]")), false, "a ring has 3 positions",
     "at least 4"},
    {FEATURES(FEATURE("A", "Polygon", "[]")), false, "a polygon without rings", "feature 1"},
    {FEATURES(FEATURE("A", "MultiPolygon", "[]")), false, "without polygons", "feature 1"},
    {FEATURES(FEATURE("A", "Polygon", "[" SQUARE "]") ", " FEATURE("A ", "Polygon", "[" SQUARE "]")), false,
     "\"A\" appears twice", "in features 1 and 2"},
    {FEATURES(FEATURE("A", "Polygon", "[[[0, 0], [4, 0], [4, 99], [0, 0]]]")), false, "latitude 99",
     "feature 1"},
    {FEATURES(FEATURE("A", "Polygon", "[" SQUARE "]")), true, "a plane in metres", "crs"},
};

TEST(each_fault_of_zones_has_its_line)
{
    for (size_t k = 0; k < sizeof zones_refused / sizeof *zones_refused; k++) {
        struct zones_file zones;
        assert_failure(
            zones_file_read(write_file(zones_refused[k].text), NULL, !zones_refused[k].is_plane, &zones),
            STATUS_DATA, "places", zones_refused[k].fragment, zones_refused[k].other);
        assert_true(zones.zone_count == 0 && !zones.positions);
    }
    struct zones_file zones;
    assert_failure(
        zones_file_read(write_file(FEATURES(FEATURE("A", "Polygon", "[" SQUARE "]"))), "CODE", true, &zones),
        STATUS_DATA, "no property \"CODE\"");
}

static bool is_in(const struct zones_file *zones, size_t k, double x, double y)
{
    return zones_file_contains(zones, k, x, y);
}

TEST(a_zone_contains_what_lies_inside_and_not_in_its_holes)
{
    struct zones_file zones;
    assert_ok(zones_file_read(
        write_file(FEATURES(FEATURE("square", "Polygon", "[" SQUARE ", " HOLE "]") ", " FEATURE(
            "date line", "MultiPolygon",
            "[[[[178, -5], [180, -5], [180, 5], [178, 5], [178, -5]]], "
            "[[[-180, -5], [-178, -5], [-178, 5], [-180, 5], [-180, -5]]]]") ", " FEATURE("east", "Polygon",
                                                                                          "[[[4, 0], [8, 0], "
                                                                                          "[8, 4], [4, 4], "
                                                                                          "[4, 0]]]"))),
        NULL, true, &zones));
    assert_int_equal(zones.zone_count, 3);
    assert_int_equal(zones.ring_count, 5);
    static const struct {
        size_t zone;
        double x, y;
        bool is_inside;
    } places[] = {{0, 3, 3, true},    {0, 1.5, 1.5, false}, {0, 0.5, 1.5, true}, {0, 5, 3, false},
                  {0, 3, 4.5, false}, {0, 363, 3, true},    {0, -357, 3, true},  {1, 179, 0, true},
                  {1, -179, 0, true}, {1, 181, 0, true},    {1, 177, 0, false},  {1, -177, 0, false},
                  {1, 0, 0, false},   {1, 183, 0, false}};
    for (size_t k = 0; k < sizeof places / sizeof *places; k++)
        if (is_in(&zones, places[k].zone, places[k].x, places[k].y) != places[k].is_inside)
            fail_msg("(%g, %g) in zone %zu", places[k].x, places[k].y, places[k].zone);
    // On the common side of two zones: in one of them.
    assert_int_equal(is_in(&zones, 0, 4, 2) + is_in(&zones, 2, 4, 2), 1);
    zones_file_free(&zones);
    assert_ok(zones_file_read(write_file(PLANE_FEATURES(FEATURE("A", "Polygon", "[" SQUARE "]"))), NULL,
                              false, &zones));
    assert_true(is_in(&zones, 0, 3, 3) && !is_in(&zones, 0, 363, 3));
    zones_file_free(&zones);
}

// One ring from 177 to -178, as many programs write it, is a zone of 5 degrees and no belt round the Earth; a
// hole goes with it. A zone wider than half of the Earth stays what it is.
TEST(a_ring_over_the_antimeridian_is_taken_the_short_way)
{
    struct zones_file zones;
    assert_ok(zones_file_read(
        write_file(FEATURES(FEATURE(
            "across", "Polygon",
            "[[[177, -20], [-178, -20], [-178, -15], [177, -15], [177, -20]], "
            "[[-179.5, -18], [-179, -18], [-179, -17], [-179.5, -17], [-179.5, "
            "-18]]]") ", " FEATURE("wide", "Polygon",
                                   "[[[-100, 0], [0, 0], [120, 0], [120, 4], [0, 4], "
                                   "[-100, 4], "
                                   "[-100, 0]]]") ", " FEATURE("earth", "Polygon",
                                                               "[[[-180, -60], [180, "
                                                               "-60], [180, 60], "
                                                               "[-180, 60], "
                                                               "[-180, -60]]]") ","
                                                                                " " FEATURE(
                                                                                    "parts", "MultiPolygon",
                                                                                    "[[[[178, -5], [-179, "
                                                                                    "-5], [-179, 5], [178, "
                                                                                    "5], [178, -5]]], "
                                                                                    "[[[-178, -5], [-177, "
                                                                                    "-5], [-177, 5], [-178, "
                                                                                    "5], [-178, -5]]]]"))),
        NULL, true, &zones));
    static const struct {
        size_t zone;
        double x, y;
        bool is_inside;
    } places[] = {
        {0, 178, -18, true},      {0, -179.8, -18, true}, {0, 181.5, -18, true}, {0, -179.2, -17.5, false},
        {0, 180.8, -17.5, false}, {0, 0, -18, false},     {0, 176, -18, false},  {0, -177, -18, false},
        {1, 0, 2, true},          {1, 119, 2, true},      {1, 179, 2, false},    {2, 0, 0, true},
        {2, 180, 0, true},        {2, -180, 0, true},     {3, 178.5, 0, true},   {3, -179.5, 0, true},
        {3, -177.5, 0, true},     {3, -178.5, 0, false},  {3, 182.5, 0, true},   {3, 0, 0, false}};
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        unsigned char inside = 0;
        (void)zones_file_mark_row(&zones, places[k].zone, places[k].y, &places[k].x, 1, &inside);
        if (is_in(&zones, places[k].zone, places[k].x, places[k].y) != places[k].is_inside ||
            (inside == 1) != places[k].is_inside)
            fail_msg("(%g, %g) in zone %zu", places[k].x, places[k].y, places[k].zone);
    }
    zones_file_free(&zones);
}
