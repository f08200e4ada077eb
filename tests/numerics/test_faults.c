// Fault tables: what a good one means, how each kind of bad one is refused, NOAA's unit sources, and the
// tables and gauge lists in data/. With the public check files at hand: three known deformations, computed by
// another program, and the figures that the Tohoku table was made from.
#include "models/tsunami/faults.h"

#include "io/units.h"

#include <cjson/cJSON.h>

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
// cmocka needs the headers above first.
#include <cmocka.h>

enum { PATH_ROOM = 4096 };

static char directory[] = "/tmp/fathom_faults_XXXXXX";
static char table_path[PATH_ROOM];

static int make_directory(void **state)
{
    (void)state;
    if (mkdtemp(directory) == NULL)
        return -1;
    (void)snprintf(table_path, sizeof table_path, "%s/table.json", directory);
    return 0;
}

static int remove_directory(void **state)
{
    (void)state;
    units_release();
    (void)unlink(table_path);
    return rmdir(directory);
}

static int clear_status(void **state)
{
    (void)state;
    status_clear();
    return 0;
}

static void write_bytes(const char *bytes, size_t count)
{
    FILE *stream = fopen(table_path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, count, stream), count);
    assert_int_equal(fclose(stream), 0);
}

static void write_text(const char *text)
{
    write_bytes(text, strlen(text));
}

static void assert_near(const char *what, double got, double expected, double tolerance)
{
    if (!(fabs(got - expected) <= tolerance))
        fail_msg("%s: got %.15g, expected %.15g within %.3g", what, got, expected, tolerance);
}

static void assert_ok(enum status status)
{
    if (status != STATUS_OK)
        fail_msg("%s: %s", status_name(status), status_message());
}

// The failure's status, its one line and every word that it must hold (a list that ends with NULL).
static void assert_fails(enum status got, enum status expected, const struct fault_table *table,
                         const char *const *words)
{
    const char *message = status_message();
    if (got != expected)
        fail_msg("got %s (%s), expected %s", status_name(got), message, status_name(expected));
    assert_null(table->faults);
    assert_int_equal(table->count, 0);
    assert_null(strchr(message, '\n'));
    for (; *words != NULL; words++)
        if (strstr(message, *words) == NULL)
            fail_msg("\"%s\" is not in the message \"%s\"", *words, message);
}

// ----------------------------------------------------------------------------------------------------- good
// tables

static const char good_table[] =
    "{ \"fathom_faults\": 1, \"title\": \"two\", \"source\": \"none\", \"comment\": \"made up\",\n"
    "  \"reference\": \"top_centre\",\n"
    "  \"columns\": [\"slip\", \"latitude\", \"longitude\", \"depth\", \"width\", \"length\", \"dip\", "
    "\"strike\",\n"
    "                \"rake\", \"start\", \"rise\"],\n"
    "  \"units\": [\"cm\", \"arcmin\", \"degree\", \"km\", \"km\", \"m\", \"degree\", \"degree\", "
    "\"degree\",\n"
    "              \"min\", \"s\"],\n"
    "  \"rows\": [[250, 2280, 143.5, 12.5, 40, 60000, 14, 193, 90, 1.5, 20],\n"
    "            [-30, -600, -70, 0, 1e1, 1e4, 90, 0, -12.5, 0, 0]] }\n";

static void test_reads_and_converts(void **state)
{
    (void)state;
    struct fault_table table;
    write_text(good_table);
    assert_ok(fault_table_read(table_path, &table));
    assert_int_equal(table.count, 2);
    assert_true(table.is_geographic);
    const struct fault *a = &table.faults[0], *b = &table.faults[1];
    assert_near("slip", a->slip_m, 2.5, 1e-15);
    assert_near("latitude", a->latitude_deg, 38.0, 1e-13);
    assert_near("longitude", a->longitude_deg, 143.5, 0);
    assert_near("depth", a->depth_m, 12500, 1e-11);
    assert_near("width", a->width_m, 40000, 1e-11);
    assert_near("length", a->length_m, 60000, 0);
    assert_near("dip", a->dip_deg, 14, 0);
    assert_near("strike", a->strike_deg, 193, 0);
    assert_near("rake", a->rake_deg, 90, 0);
    assert_near("start", a->start_s, 90, 0);
    assert_near("rise", a->rise_s, 20, 0);
    assert_int_equal(a->reference, FAULT_TOP_CENTRE);
    assert_near("slip", b->slip_m, -0.3, 1e-15);
    assert_near("latitude", b->latitude_deg, -10, 1e-14);
    assert_near("rake", b->rake_deg, -12.5, 0);
    assert_int_equal(b->reference, FAULT_TOP_CENTRE);
    fault_table_free(&table);
    assert_null(table.faults);
    fault_table_free(&table); // an empty table is fine
}

static void test_plane_table_without_times(void **state)
{
    (void)state;
    struct fault_table table;
    write_text("{\"fathom_faults\": 1, \"reference\": \"top_corner\","
               "\"columns\": [\"x\", \"y\", \"depth\", \"length\", \"width\", \"strike\", \"dip\", \"rake\", "
               "\"slip\"],"
               "\"units\": [\"km\", \"m\", \"m\", \"m\", \"m\", \"degree\", \"degree\", \"degree\", \"m\"],"
               "\"rows\": [[12, -500, 0.5, 2, 1, 0, 45, 90, 0.01]]}");
    assert_ok(fault_table_read(table_path, &table));
    assert_int_equal(table.count, 1);
    assert_false(table.is_geographic);
    assert_near("x", table.faults[0].longitude_deg, 12000, 1e-11);
    assert_near("y", table.faults[0].latitude_deg, -500, 0);
    assert_near("start", table.faults[0].start_s, 0, 0);
    assert_near("rise", table.faults[0].rise_s, 0, 0);
    assert_int_equal(table.faults[0].reference, FAULT_TOP_CORNER);
    fault_table_free(&table);
}

// The upper edge may touch the surface; figures rounded so that it would stick out by a hair are put at the
// surface.
static void test_upper_edge_at_the_surface(void **state)
{
    (void)state;
    struct fault_table table;
    write_text("{\"fathom_faults\": 1, \"reference\": \"centre\","
               "\"columns\": [\"x\", \"y\", \"depth\", \"length\", \"width\", \"strike\", \"dip\", \"rake\", "
               "\"slip\"],"
               "\"units\": [\"m\", \"m\", \"m\", \"m\", \"m\", \"degree\", \"degree\", \"degree\", \"m\"],"
               "\"rows\": [[0, 0, 5000, 9e3, 1e4, 0, 90, 0, 1], [0, 0, 4999.99, 9e3, 1e4, 0, 90, 0, 1]]}");
    assert_ok(fault_table_read(table_path, &table));
    assert_near("depth", table.faults[1].depth_m, 5000, 1e-9);
    assert_true(fault_top_depth_m(&table.faults[1]) >= 0.0);
    fault_table_free(&table);
}

// ------------------------------------------------------------------------------------------------------ bad
// tables

// The good table with the first occurrence of `from` replaced by `to`.
struct change {
    const char *from, *to;
    const char *words[4];
};

static const struct change bad_changes[] = {
    {"\"fathom_faults\": 1", "\"fathom_faults\": 2", {"\"fathom_faults\": 1"}},
    {"\"fathom_faults\": 1", "\"comments\": 1", {"unknown key \"comments\"", "\"comment\""}},
    {"\"title\": \"two\"", "\"title\": 2", {"\"title\": expected text"}},
    {"\"title\"", "\"source\"", {"\"source\" is there twice"}},
    {"\"top_centre\"", "\"top_center\"", {"\"top_center\"", "did you mean \"top_centre\""}},
    {"\"top_centre\"", "7", {"\"reference\" is missing or no text", "bottom_centre"}},
    {"\"columns\"", "\"colums\"", {"unknown key \"colums\"", "did you mean \"columns\""}},
    {"\"slip\", ", "\"slipp\", ", {"unknown column \"slipp\"", "did you mean \"slip\""}},
    {"\"rake\", ", "\"dip\", ", {"column \"dip\" is there twice"}},
    {"\"slip\", ", "3, ", {"entry 1 is no text"}},
    {"\"slip\", ", "", {"10 \"columns\" but 11 \"units\""}},
    {"\"cm\", ", "\"smoots\", ", {"column \"slip\"", "smoots"}},
    {"\"cm\", ", "\"kg\", ", {"column \"slip\"", "kg"}},
    {"\"depth\", ", "\"x\", ", {"longitude and latitude, or x and y"}},
    {"250, ", "", {"row 1", "11 numbers"}},
    {"250, ", "250, 3, ", {"row 1", "11 numbers"}},
    {"[250, 2280, 143.5, 12.5, 40, 60000, 14, 193, 90, 1.5, 20]", "4", {"row 1", "11 numbers"}},
    {"-30, ", "\"much\", ", {"row 2, column \"slip\": expected a number"}},
    {"-30, ", "null, ", {"row 2, column \"slip\": expected a number"}},
    {"-30, ", "1e999, ", {"row 2, column \"slip\"", "out of range"}},
    {"-600", "-6000", {"row 2, column \"latitude\": -6000 arcmin", "-89 to 89 degree"}},
    {"-70", "-470", {"row 2, column \"longitude\": -470 degree", "-360 to 360 degree"}},
    {"12.5, 40", "-0.1, 40", {"row 1, column \"depth\": -0.1 km", "positive down"}},
    {"12.5, 40", "12.5, 0", {"row 1, column \"width\": 0 km", "above 0"}},
    {"60000", "-1", {"row 1, column \"length\": -1 m", "above 0"}},
    {"14, 193", "90.5, 193", {"row 1, column \"dip\": 90.5 degree", "0 to 90 degree"}},
    {"14, 193", "-1, 193", {"row 1, column \"dip\": -1 degree", "0 to 90 degree"}},
    {"193, 90", "721, 90", {"row 1, column \"strike\""}},
    {"193, 90", "193, 900", {"row 1, column \"rake\""}},
    {"1.5, 20", "-1, 20", {"row 1, column \"start\": -1 min"}},
    {"1.5, 20", "1.5, -20", {"row 1, column \"rise\": -20 s"}},
    {"\"top_centre\"",
     "\"centre\"",
     {"row 2", "upper edge would lie 5000 m above the surface", "\"centre\""}},
};

static void test_refuses_bad_tables(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof bad_changes / sizeof bad_changes[0]; k++) {
        const struct change *change = &bad_changes[k];
        const char *at = strstr(good_table, change->from);
        assert_non_null(at);
        char text[4096];
        int length = snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good_table), good_table, change->to,
                              at + strlen(change->from));
        assert_in_range(length, 1, sizeof text - 1);
        write_text(text);
        struct fault_table table;
        status_clear();
        enum status status = fault_table_read(table_path, &table);
        const char *words[6] = {table_path};
        memcpy(&words[1], change->words, sizeof change->words);
        assert_fails(status, STATUS_DATA, &table, words);
    }
}

static void test_missing_columns(void **state)
{
    (void)state;
    static const char *const names[] = {"longitude", "latitude", "depth", "length", "width",
                                        "strike",    "dip",      "rake",  "slip"};
    for (size_t missing = 0; missing < 9; missing++) {
        char columns[400] = "", units[400] = "", text[1200];
        for (size_t k = 0; k < 9; k++) {
            if (k == missing)
                continue;
            const char *comma = columns[0] == '\0' ? "" : ",";
            (void)snprintf(columns + strlen(columns), sizeof columns - strlen(columns), "%s\"%s\"", comma,
                           names[k]);
            (void)snprintf(units + strlen(units), sizeof units - strlen(units), "%s\"%s\"", comma,
                           strchr("adlw", names[k][0]) != NULL && k >= 2 && k <= 4 ? "m"
                           : k == 8                                                ? "m"
                                                                                   : "degree");
        }
        (void)snprintf(
            text, sizeof text,
            "{\"fathom_faults\": 1, \"reference\": \"centre\", \"columns\": [%s], \"units\": [%s], "
            "\"rows\": [[0,0,0,0,0,0,0,0]]}",
            columns, units);
        write_text(text);
        struct fault_table table;
        status_clear();
        char wanted[100];
        (void)snprintf(wanted, sizeof wanted, "the column \"%s\" is missing", names[missing]);
        assert_fails(fault_table_read(table_path, &table), STATUS_DATA, &table,
                     (const char *const[]){table_path, wanted, NULL});
    }
}

static void test_missing_parts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *words[4];
    } cases[] = {
        {"[1, 2]", {"expected a fault table"}},
        {"3", {"expected a fault table"}},
        {"{}", {"\"fathom_faults\": 1"}},
        {"{\"fathom_faults\": 1}", {"\"reference\" is missing"}},
        {"{\"fathom_faults\": 1, \"reference\": \"sift\"}", {"\"columns\" and \"units\""}},
        {"{\"fathom_faults\": 1, \"reference\": \"sift\", \"columns\": [], \"units\": []}", {"no position"}},
        {"{\"fathom_faults\": 1, \"reference\": \"sift\", \"columns\": [\"rise\"], \"units\": [\"s\"]}",
         {"no position"}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        struct fault_table table;
        write_text(cases[k].text);
        status_clear();
        assert_fails(fault_table_read(table_path, &table), STATUS_DATA, &table, cases[k].words);
    }
    char text[2048];
    const char *rows = strstr(good_table, "\"rows\"");
    (void)snprintf(text, sizeof text, "%.*s\"rows\": []}", (int)(rows - good_table), good_table);
    struct fault_table table;
    write_text(text);
    status_clear();
    assert_fails(fault_table_read(table_path, &table), STATUS_DATA, &table,
                 (const char *const[]){"\"rows\"", "at least one fault", NULL});
}

static void test_files_that_are_no_tables(void **state)
{
    (void)state;
    struct fault_table table;
    assert_fails(fault_table_read("/nowhere/table.json", &table), STATUS_NO_INPUT, &table,
                 (const char *const[]){"/nowhere/table.json", "No such file", NULL});
    status_clear();
    write_text("");
    assert_fails(fault_table_read(table_path, &table), STATUS_DATA, &table,
                 (const char *const[]){table_path, "line 1, column 1", NULL});
    status_clear();
    write_text("{\n  \"fathom_faults\": 1,\n  \"title\": oops\n}");
    assert_fails(fault_table_read(table_path, &table), STATUS_DATA, &table,
                 (const char *const[]){table_path, "line 3, column 12", "not valid JSON", NULL});
    status_clear();
    write_text("{\"fathom_faults\": 1} and more");
    assert_fails(fault_table_read(table_path, &table), STATUS_DATA, &table,
                 (const char *const[]){table_path, "line 1, column 22", NULL});
    status_clear();
    write_bytes("{\0}", 3);
    assert_fails(fault_table_read(table_path, &table), STATUS_DATA, &table,
                 (const char *const[]){table_path, "binary", NULL});
    status_clear();
    assert_fails(fault_table_read(directory, &table), STATUS_IO, &table,
                 (const char *const[]){directory, "directory", NULL});
}

// A file cut anywhere is refused, and leaves nothing behind (the sanitizers watch).
static void test_every_truncation_is_refused(void **state)
{
    (void)state;
    size_t last = (size_t)(strrchr(good_table, '}') - good_table);
    for (size_t length = 0; length <= last; length++) {
        struct fault_table table;
        write_bytes(good_table, length);
        status_clear();
        assert_int_equal(fault_table_read(table_path, &table), STATUS_DATA);
        assert_null(table.faults);
    }
}

static void test_table_inside_a_job(void **state)
{
    (void)state;
    struct fault_table table;
    cJSON *json = cJSON_Parse(good_table);
    assert_non_null(json);
    assert_ok(fault_table_parse(json, "job.json: source.faults", &table));
    assert_int_equal(table.count, 2);
    fault_table_free(&table);
    cJSON_DeleteItemFromObject(json, "rows");
    assert_fails(fault_table_parse(json, "job.json: source.faults", &table), STATUS_DATA, &table,
                 (const char *const[]){"job.json: source.faults: \"rows\"", NULL});
    cJSON_Delete(json);
}

// ---------------------------------------------------------------------------------------------------- unit
// sources

static const char sift_text[] =
    "# Propagation database metadata file\n"
    "# Name, URL, Long(deg), Lat(deg), Slip(m), Strike(deg), Dip(deg), Depth(km), Length(km), Width(km), "
    "Rake(deg)\n"
    "acsza1, http://host/ac_001_a_ha.nc, 164.7994, 55.9606, 1.0, 299.0, 17.0, 19.61, 100.0, 50.0, 90.0\n"
    "\n"
    "acszb1, http://host/ac_001_b_ha.nc, 164.431, 55.5849, 1.0, 299.0, 17.0, 5.0, 100.0, 50.0, 90.0\r\n"
    "cssza12,http://host/x.nc,281.5,-10.25,1.0,319,15,17.94,100,50,90";

static void test_unit_sources(void **state)
{
    (void)state;
    struct fault_table table;
    write_text(sift_text);
    assert_ok(fault_table_read_sift(table_path, (const char *const[]){"acszb1", "acsza1", "cssza12"},
                                    (const double[]){3.0, 2.0, -0.5}, 3, &table));
    assert_int_equal(table.count, 3);
    assert_true(table.is_geographic);
    const struct fault *b1 = &table.faults[0], *a1 = &table.faults[1], *c12 = &table.faults[2];
    assert_near("longitude", b1->longitude_deg, 164.431, 0);
    assert_near("latitude", b1->latitude_deg, 55.5849, 0);
    assert_near("slip", b1->slip_m, 3, 0);
    assert_near("rake", b1->rake_deg, 90, 0);
    assert_near("depth", a1->depth_m, 19610, 1e-11);
    assert_near("length", a1->length_m, 1e5, 1e-10);
    assert_near("width", a1->width_m, 5e4, 1e-10);
    assert_near("strike", a1->strike_deg, 299, 0);
    assert_near("dip", a1->dip_deg, 17, 0);
    assert_near("slip", a1->slip_m, 2, 0);
    assert_near("top", fault_top_depth_m(a1), 19610, 1e-9);
    assert_int_equal(a1->reference, FAULT_SIFT);
    assert_near("slip", c12->slip_m, -0.5, 0);
    fault_table_free(&table);
}

static void test_unit_sources_refused(void **state)
{
    (void)state;
    struct fault_table table;
    write_text(sift_text);
    const double slips_m[] = {1, 1, NAN};
    assert_fails(fault_table_read_sift(table_path, (const char *const[]){"acsza2"}, slips_m, 1, &table),
                 STATUS_CONFIGURATION, &table,
                 (const char *const[]){table_path, "no unit source \"acsza2\"", "did you mean \"acsza1\"",
                                       "the table has 3", NULL});
    status_clear();
    assert_fails(
        fault_table_read_sift(table_path, (const char *const[]){"acsza1", "acsza1"}, slips_m, 2, &table),
        STATUS_CONFIGURATION, &table,
        (const char *const[]){table_path, "\"acsza1\" is asked for twice", NULL});
    status_clear();
    assert_fails(fault_table_read_sift(table_path, (const char *const[]){"acsza1"}, &slips_m[2], 1, &table),
                 STATUS_DATA, &table, (const char *const[]){table_path, "acsza1", "slip", NULL});
    status_clear();
    assert_fails(fault_table_read_sift(table_path, NULL, NULL, 0, &table), STATUS_CONFIGURATION, &table,
                 (const char *const[]){"at least one unit source", NULL});
    status_clear();
    assert_fails(
        fault_table_read_sift("/nowhere/sz.txt", (const char *const[]){"acsza1"}, slips_m, 1, &table),
        STATUS_NO_INPUT, &table, (const char *const[]){"/nowhere/sz.txt", NULL});
    static const struct {
        const char *line;
        const char *words[4];
    } bad[] = {
        {"", {"no unit source in it"}},
        {"a, u, 1, 2, 3", {"line 2", "11 fields"}},
        {"a, u, 164, 55, 1, 299, 17, 19, 100, 50, 90, 7", {"line 2", "11 fields"}},
        {", u, 164, 55, 1, 299, 17, 19, 100, 50, 90", {"line 2", "11 fields"}},
        {"a, u, 164, fifty, 1, 299, 17, 19, 100, 50, 90", {"line 2", "\"latitude\"", "\"fifty\""}},
        {"a, u, 164, 55, 1, 299, 97, 19, 100, 50, 90", {"line 2", "\"dip\": 97 degree"}},
        {"a, u, 164, 55, 1, 299, 17, 19, 100, 0, 90", {"line 2", "\"width\": 0 km"}},
        {"a, u, 164, 55, 1, 299, 17, nan, 100, 50, 90", {"line 2", "\"depth\""}},
    };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        char text[300];
        (void)snprintf(text, sizeof text, "# made up\n%s\n", bad[k].line);
        write_text(text);
        status_clear();
        assert_fails(fault_table_read_sift(table_path, (const char *const[]){"a"}, slips_m, 1, &table),
                     STATUS_DATA, &table, bad[k].words);
    }
}

// NOAA gives a unit source Mw 7.5; another program gives the pair {2 m, 3 m} 7.966667 (both with 4e10 Pa).
static void test_magnitude(void **state)
{
    (void)state;
    struct fault_table table;
    write_text(sift_text);
    assert_ok(fault_table_read_sift(table_path, (const char *const[]){"acsza1"}, (const double[]){-1.0}, 1,
                                    &table));
    assert_near("unit source", fault_table_magnitude(&table, 4e10), 7.5, 0.001);
    fault_table_free(&table);
    assert_ok(fault_table_read_sift(table_path, (const char *const[]){"acsza1", "acszb1"},
                                    (const double[]){2.0, 3.0}, 2, &table));
    assert_near("pair", fault_table_magnitude(&table, 4e10), 7.966666666667, 1e-9);
    table.faults[0].slip_m = table.faults[1].slip_m = 0.0;
    assert_true(isinf(fault_table_magnitude(&table, 4e10)) && fault_table_magnitude(&table, 4e10) < 0.0);
    fault_table_free(&table);
}

// ------------------------------------------------------------------------------------------------ tables in
// data/

static void data_path(char path[PATH_ROOM], const char *name)
{
    (void)snprintf(path, PATH_ROOM, "%s/data/%s", TEST_SOURCE_DIRECTORY, name);
}

static void test_tohoku_table(void **state)
{
    (void)state;
    struct fault_table table;
    char path[PATH_ROOM];
    data_path(path, "faults/tohoku2011.json");
    assert_ok(fault_table_read(path, &table));
    assert_int_equal(table.count, 48);
    double largest_m = 0.0, potency_m3 = 0.0;
    for (size_t i = 0; i < table.count; i++) {
        const struct fault *f = &table.faults[i];
        largest_m = fmax(largest_m, f->slip_m);
        potency_m3 += f->slip_m * f->length_m * f->width_m;
        assert_int_equal(f->reference, FAULT_CENTRE);
        assert_true(f->start_s == 0.0 && f->rise_s == 0.0);
    }
    assert_near("largest slip", largest_m, 44.614, 0);
    // Summed from the source's own file with awk: 8.7305848077e11 m³.
    assert_near("potency", potency_m3, 8.7305848077e11, 1e2);
    assert_near("Mw, 4e10 Pa", fault_table_magnitude(&table, 4e10), 9.0, 0.01);
    fault_table_free(&table);
}

// M0 = 4e10 Pa × 450 km × 100 km × 15 m = 2.7e22 N m, Mw 8.9 (the source is coarse: the event had 8.8).
static void test_chile_table(void **state)
{
    (void)state;
    struct fault_table table;
    char path[PATH_ROOM];
    data_path(path, "faults/chile2010.json");
    assert_ok(fault_table_read(path, &table));
    assert_int_equal(table.count, 1);
    const struct fault *f = &table.faults[0];
    assert_int_equal(f->reference, FAULT_TOP_CENTRE);
    assert_near("longitude", f->longitude_deg, -72.668, 0);
    assert_near("latitude", f->latitude_deg, -35.826, 0);
    assert_near("depth", f->depth_m, 35e3, 1e-10);
    assert_near("length", f->length_m, 450e3, 1e-9);
    assert_near("width", f->width_m, 100e3, 1e-9);
    assert_true(f->strike_deg == 16 && f->dip_deg == 14 && f->rake_deg == 104 && f->slip_m == 15);
    assert_near("Mw", fault_table_magnitude(&table, 4e10), 2.0 / 3.0 * (log10(2.7e22) + 7.0) - 10.7, 1e-12);
    fault_table_free(&table);
}

static char *read_all(const char *path)
{
    enum { ROOM = 1 << 20 };
    FILE *stream = fopen(path, "rb");
    if (stream == NULL)
        return NULL;
    char *text = calloc(1, ROOM);
    assert_non_null(text);
    size_t length = fread(text, 1, ROOM - 1, stream);
    assert_in_range(length, 1, ROOM - 2);
    assert_int_equal(fclose(stream), 0);
    return text;
}

static double angle_of(const cJSON *gauge, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(gauge, key);
    double value = NAN;
    assert_true(cJSON_IsString(item));
    assert_ok(units_parse_quantity(item->valuestring, "degree", &value));
    return value;
}

static void check_observed(const cJSON *observed)
{
    static const char *const keys[] = {"file", "format", "time_column", "value_column", "skip_lines"};
    assert_int_equal(cJSON_GetArraySize(observed), 5);
    for (size_t k = 0; k < 5; k++)
        assert_non_null(cJSON_GetObjectItemCaseSensitive(observed, keys[k]));
    const char *format = cJSON_GetObjectItemCaseSensitive(observed, "format")->valuestring;
    assert_true(strcmp(format, "columns") == 0 || strcmp(format, "csv") == 0);
}

static void check_gauges(const cJSON *gauges)
{
    for (const cJSON *gauge = gauges->child; gauge != NULL; gauge = gauge->next) {
        const cJSON *name = cJSON_GetObjectItemCaseSensitive(gauge, "name");
        const cJSON *observed = cJSON_GetObjectItemCaseSensitive(gauge, "observed");
        assert_true(cJSON_IsString(name) && strlen(name->valuestring) == 5);
        assert_true(cJSON_IsString(cJSON_GetObjectItemCaseSensitive(gauge, "description")));
        assert_in_range(angle_of(gauge, "longitude") + 180.0, 0, 540);
        assert_in_range(angle_of(gauge, "latitude") + 90.0, 0, 180);
        assert_int_equal(cJSON_GetArraySize(gauge), observed == NULL ? 4 : 5);
        if (observed != NULL)
            check_observed(observed);
        for (const cJSON *later = gauge->next; later != NULL; later = later->next)
            assert_string_not_equal(name->valuestring,
                                    cJSON_GetObjectItemCaseSensitive(later, "name")->valuestring);
    }
}

static cJSON *read_gauges(const char *name)
{
    char path[PATH_ROOM];
    data_path(path, name);
    char *text = read_all(path);
    assert_non_null(text);
    cJSON *json = cJSON_Parse(text);
    free(text);
    if (json == NULL)
        fail_msg("%s is not valid JSON", path);
    assert_int_equal(cJSON_GetArraySize(json), 4);
    assert_true(cJSON_GetObjectItemCaseSensitive(json, "fathom_gauges")->valuedouble == 1.0);
    assert_true(cJSON_IsString(cJSON_GetObjectItemCaseSensitive(json, "title")));
    assert_true(cJSON_IsString(cJSON_GetObjectItemCaseSensitive(json, "source")));
    assert_true(cJSON_IsArray(cJSON_GetObjectItemCaseSensitive(json, "gauges")));
    return json;
}

static const cJSON *find_gauge(const cJSON *json, const char *name)
{
    const cJSON *gauge = cJSON_GetObjectItemCaseSensitive(json, "gauges")->child;
    while (gauge != NULL && strcmp(cJSON_GetObjectItemCaseSensitive(gauge, "name")->valuestring, name) != 0)
        gauge = gauge->next;
    return gauge;
}

static double distance_km(const cJSON *a, const cJSON *b)
{
    const double degree = 3.14159265358979323846 / 180.0;
    double fa = angle_of(a, "latitude") * degree, fb = angle_of(b, "latitude") * degree;
    double dl = (angle_of(a, "longitude") - angle_of(b, "longitude")) * degree;
    double h = pow(sin(0.5 * (fa - fb)), 2) + cos(fa) * cos(fb) * pow(sin(0.5 * dl), 2);
    return 2.0 * 6371.0 * asin(sqrt(h));
}

static void test_gauge_lists(void **state)
{
    (void)state;
    cJSON *all = read_gauges("gauges/dart.json"), *tohoku = read_gauges("gauges/tohoku2011.json");
    check_gauges(cJSON_GetObjectItemCaseSensitive(all, "gauges"));
    const cJSON *gauges = cJSON_GetObjectItemCaseSensitive(tohoku, "gauges");
    check_gauges(gauges);
    int observed = 0;
    for (const cJSON *gauge = gauges->child; gauge != NULL; gauge = gauge->next) {
        double longitude = fmod(angle_of(gauge, "longitude") + 360.0, 360.0);
        double latitude = angle_of(gauge, "latitude");
        assert_true(longitude >= 120.0 && longitude <= 290.0 && latitude >= -60.0 && latitude <= 62.0);
        observed += cJSON_GetObjectItemCaseSensitive(gauge, "observed") != NULL ? 1 : 0;
        // A buoy set out anew stays near its station: a wrong digit in either list would show.
        const cJSON *same = find_gauge(all, cJSON_GetObjectItemCaseSensitive(gauge, "name")->valuestring);
        assert_non_null(same);
        assert_true(distance_km(gauge, same) < 20.0);
    }
    assert_int_equal(observed, 3);
    cJSON_Delete(all);
    cJSON_Delete(tohoku);
}

// --------------------------------------------------------------------------------------------- public check
// files

static void benchmark_path(char path[PATH_ROOM], const char *name)
{
    const char *folder = getenv("FATHOM_BENCHMARKS");
    if (folder != NULL)
        (void)snprintf(path, PATH_ROOM, "%s/%s", folder, name);
    else
        (void)snprintf(path, PATH_ROOM, "%s/../shared/benchmarks/%s", TEST_SOURCE_DIRECTORY, name);
}

// The path of a check file, or the test is skipped.
static void need_benchmark(char path[PATH_ROOM], const char *name)
{
    benchmark_path(path, name);
    if (access(path, R_OK) != 0) {
        print_message(
            "skipped: %s is not here (set FATHOM_BENCHMARKS to the folder of the public check files)\n",
            path);
        skip();
    }
}

struct tt3 {
    int mx, my, mt;
    double west, south, dx, dy;
};

static double header_number(FILE *stream)
{
    char line[200];
    assert_non_null(fgets(line, sizeof line, stream));
    return strtod(line, NULL);
}

// Compares the vertical displacement at the file's last time with the table's, at every node.
// The check files were made with 6367.5 km and print seven figures: what is left is their rounding.
static void compare_with_tt3(const struct fault_table *table, const char *name)
{
    char path[PATH_ROOM];
    need_benchmark(path, name);
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    struct tt3 h = {.mx = (int)header_number(stream), .my = (int)header_number(stream)};
    h.mt = (int)header_number(stream);
    h.west = header_number(stream);
    h.south = header_number(stream);
    (void)header_number(stream); // first time
    h.dx = header_number(stream);
    h.dy = header_number(stream);
    (void)header_number(stream); // time step
    assert_in_range(h.mx, 20, 50);
    assert_in_range(h.my, 20, 50);
    double value, largest_m = 0.0, error_m = 0.0;
    for (int k = 0; k < h.mx * h.my * (h.mt - 1); k++)
        assert_int_equal(fscanf(stream, "%lf", &value), 1);
    for (int row = 0; row < h.my; row++) { // north to south
        for (int column = 0; column < h.mx; column++) {
            assert_int_equal(fscanf(stream, "%lf", &value), 1);
            double longitude = h.west + column * h.dx, latitude = h.south + (h.my - 1 - row) * h.dy, up = 0.0;
            for (size_t i = 0; i < table->count; i++)
                up += fault_displacement_sphere(&table->faults[i], longitude, latitude, 6367.5e3).up_m;
            largest_m = fmax(largest_m, fabs(value));
            error_m = fmax(error_m, fabs(up - value));
        }
    }
    assert_int_equal(fclose(stream), 0);
    print_message("%s: largest %.4f m, largest difference %.2e of it\n", name, largest_m,
                  error_m / largest_m);
    assert_true(largest_m > 1.0);
    assert_true(error_m < 3e-6 * largest_m);
}

static void test_sift_pair_deformation(void **state)
{
    (void)state;
    char path[PATH_ROOM];
    struct fault_table table;
    need_benchmark(path, "okada/sift_test_data.tt3");
    need_benchmark(path, "sift/info_sz.dat.txt");
    assert_ok(fault_table_read_sift(path, (const char *const[]){"acsza1", "acszb1"}, (const double[]){2, 3},
                                    2, &table));
    compare_with_tt3(&table, "okada/sift_test_data.tt3");
    fault_table_free(&table);
}

// Every one of NOAA's 1997 unit sources passes our checks.
static void test_whole_sift_table(void **state)
{
    (void)state;
    char path[PATH_ROOM];
    struct fault_table table;
    need_benchmark(path, "sift/info_sz.dat.txt");
    assert_fails(fault_table_read_sift(path, (const char *const[]){"acszz1"}, (const double[]){1}, 1, &table),
                 STATUS_CONFIGURATION, &table,
                 (const char *const[]){"\"acszz1\"", "the table has 1997", NULL});
}

// Our JSON made from the check file's own columns, units and reference rule.
static void test_alaska_deformation(void **state)
{
    (void)state;
    char path[PATH_ROOM], line[500];
    need_benchmark(path, "okada/alaska1964_test_data.tt3");
    need_benchmark(path, "okada/alaska1964.csv");
    FILE *in = fopen(path, "r"), *out = fopen(table_path, "w");
    assert_non_null(in);
    assert_non_null(out);
    (void)fputs(
        "{\"fathom_faults\": 1, \"reference\": \"sift\", \"columns\": [\"longitude\", \"latitude\", "
        "\"depth\", \"length\", \"width\", \"strike\", \"dip\", \"rake\", \"slip\"], \"units\": "
        "[\"degree\", \"degree\", \"km\", \"km\", \"km\", \"degree\", \"degree\", \"degree\", \"m\"], "
        "\"rows\": [",
        out);
    assert_non_null(fgets(line, sizeof line, in)); // names
    for (int row = 0; fgets(line, sizeof line, in) != NULL; row++) {
        *strrchr(line, ',') = '\0'; // the source's name
        (void)fprintf(out, "%s[%s]", row == 0 ? "" : ", ", line);
    }
    (void)fputs("]}", out);
    assert_int_equal(fclose(in), 0);
    assert_int_equal(fclose(out), 0);
    struct fault_table table;
    assert_ok(fault_table_read(table_path, &table));
    assert_int_equal(table.count, 12);
    compare_with_tt3(&table, "okada/alaska1964_test_data.tt3");
    fault_table_free(&table);
}

// 190 subfaults of 25 × 20 km given by their centres, slip in cm; rupture and rise times kept.
static void test_tohoku_subfaults_deformation(void **state)
{
    (void)state;
    char path[PATH_ROOM], line[500];
    need_benchmark(path, "okada/tohoku_test_data.tt3");
    need_benchmark(path, "okada/tohoku_ucsb.txt");
    FILE *in = fopen(path, "r"), *out = fopen(table_path, "w");
    assert_non_null(in);
    assert_non_null(out);
    (void)fputs(
        "{\"fathom_faults\": 1, \"reference\": \"centre\", \"columns\": [\"latitude\", \"longitude\", "
        "\"depth\", \"slip\", \"rake\", \"strike\", \"dip\", \"start\", \"rise\", \"length\", \"width\"], "
        "\"units\": [\"degree\", \"degree\", \"km\", \"cm\", \"degree\", \"degree\", \"degree\", \"s\", "
        "\"s\", \"km\", \"km\"], \"rows\": [",
        out);
    int row = 0;
    while (fgets(line, sizeof line, in) != NULL) {
        double v[10];
        if (sscanf(line, "%lf %lf %lf %lf %lf %lf %lf %lf %lf %lf", &v[0], &v[1], &v[2], &v[3], &v[4], &v[5],
                   &v[6], &v[7], &v[8], &v[9]) != 10)
            continue; // comments and the outline
        (void)fprintf(out, "%s[%.10g, %.10g, %.10g, %.10g, %.10g, %.10g, %.10g, %.10g, %.10g, 25, 20]",
                      row++ == 0 ? "" : ", ", v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8] + v[9]);
    }
    (void)fputs("]}", out);
    assert_int_equal(fclose(in), 0);
    assert_int_equal(fclose(out), 0);
    struct fault_table table;
    assert_ok(fault_table_read(table_path, &table));
    assert_int_equal(table.count, 190);
    compare_with_tt3(&table, "okada/tohoku_test_data.tt3");
    fault_table_free(&table);
}

// data/faults/tohoku2011.json, figure by figure, against the file it was made from.
static void test_tohoku_table_against_its_source(void **state)
{
    (void)state;
    static const struct {
        const char *label;
        size_t offset;
    } labels[] = {
        {"Fault Rupture Starting Time", offsetof(struct fault, start_s)},
        {"Focal Depth", offsetof(struct fault, depth_m)},
        {"Length of source area", offsetof(struct fault, length_m)},
        {"Width of source area", offsetof(struct fault, width_m)},
        {"Dislocation of fault plate", offsetof(struct fault, slip_m)},
        {"Rake", offsetof(struct fault, rake_deg)},
        {"Strike", offsetof(struct fault, strike_deg)},
        {"Dip ", offsetof(struct fault, dip_deg)},
        {"Epicenter: Latitude", offsetof(struct fault, latitude_deg)},
        {"Epicenter: Longitude", offsetof(struct fault, longitude_deg)},
    };
    enum { LABELS = sizeof labels / sizeof labels[0] };
    char path[PATH_ROOM], line[300];
    need_benchmark(path, "tohoku2011/FaultParameters.ctl");
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    struct fault_table table;
    data_path(path, "faults/tohoku2011.json");
    assert_ok(fault_table_read(path, &table));
    size_t compared = 0;
    while (fgets(line, sizeof line, in) != NULL) {
        for (size_t k = 0; line[0] == ' ' && k < LABELS; k++) {
            if (strncmp(line + 1, labels[k].label, strlen(labels[k].label)) != 0)
                continue;
            double ours;
            assert_in_range(compared, 0, LABELS * table.count - 1);
            memcpy(&ours, (const char *)&table.faults[compared / LABELS] + labels[k].offset, sizeof ours);
            assert_near(labels[k].label, ours, strtod(strrchr(line, ':') + 1, NULL), 1e-9);
            compared++;
        }
    }
    assert_int_equal(compared, LABELS * table.count);
    assert_int_equal(fclose(in), 0);
    fault_table_free(&table);
}

// The observed series that the gauge list names hold the largest values, at the times, known of them.
static void test_observed_series_are_those_meant(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double largest_m, time_s;
    } known[] = {{"21418", 1.888, 1957}, {"21413", 0.766, 4837}, {"21419", 0.542, 5377}};
    cJSON *json = read_gauges("gauges/tohoku2011.json");
    for (size_t k = 0; k < 3; k++) {
        const cJSON *observed = cJSON_GetObjectItemCaseSensitive(find_gauge(json, known[k].name), "observed");
        char path[PATH_ROOM], line[200];
        benchmark_path(path, cJSON_GetObjectItemCaseSensitive(observed, "file")->valuestring);
        FILE *in = fopen(path, "r");
        if (in == NULL) {
            cJSON_Delete(json);
            print_message("skipped: %s is not here\n", path);
            skip();
        }
        bool is_csv = strcmp(cJSON_GetObjectItemCaseSensitive(observed, "format")->valuestring, "csv") == 0;
        int skipped = cJSON_GetObjectItemCaseSensitive(observed, "skip_lines")->valueint;
        double largest_m = -1.0, time_s = 0.0, t, value;
        for (int number = 0; fgets(line, sizeof line, in) != NULL; number++) {
            if (number < skipped)
                continue;
            assert_int_equal(sscanf(line, is_csv ? "%lf,%lf" : "%lf %lf", &t, &value), 2);
            if (t > 1500.0 && value > largest_m) { // before: seismic waves
                largest_m = value;
                time_s = t;
            }
        }
        assert_int_equal(fclose(in), 0);
        assert_near(known[k].name, largest_m, known[k].largest_m, 6e-4);
        assert_near(known[k].name, time_s, known[k].time_s, 1.0);
    }
    cJSON_Delete(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_reads_and_converts, clear_status),
        cmocka_unit_test_setup(test_plane_table_without_times, clear_status),
        cmocka_unit_test_setup(test_upper_edge_at_the_surface, clear_status),
        cmocka_unit_test_setup(test_refuses_bad_tables, clear_status),
        cmocka_unit_test_setup(test_missing_columns, clear_status),
        cmocka_unit_test_setup(test_missing_parts, clear_status),
        cmocka_unit_test_setup(test_files_that_are_no_tables, clear_status),
        cmocka_unit_test_setup(test_every_truncation_is_refused, clear_status),
        cmocka_unit_test_setup(test_table_inside_a_job, clear_status),
        cmocka_unit_test_setup(test_unit_sources, clear_status),
        cmocka_unit_test_setup(test_unit_sources_refused, clear_status),
        cmocka_unit_test_setup(test_magnitude, clear_status),
        cmocka_unit_test_setup(test_tohoku_table, clear_status),
        cmocka_unit_test_setup(test_chile_table, clear_status),
        cmocka_unit_test_setup(test_gauge_lists, clear_status),
        cmocka_unit_test_setup(test_sift_pair_deformation, clear_status),
        cmocka_unit_test_setup(test_whole_sift_table, clear_status),
        cmocka_unit_test_setup(test_alaska_deformation, clear_status),
        cmocka_unit_test_setup(test_tohoku_subfaults_deformation, clear_status),
        cmocka_unit_test_setup(test_tohoku_table_against_its_source, clear_status),
        cmocka_unit_test_setup(test_observed_series_are_those_meant, clear_status),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
