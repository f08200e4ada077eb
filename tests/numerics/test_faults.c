// Fault tables: what a good one means, how each kind of bad one is refused; NOAA's unit sources.
#include "tests/support/test.h"

#include "tests/support/fault_fixture.h"
#include "tests/support/numbers.h"

#include <cjson/cJSON.h>

// ---- good tables

static const char good_table[] =
    "{ 'fathom_faults': 1, 'title': 'two', 'source': 'none', 'comment': 'made up', 'reference': "
    "'top_centre',\n"
    "  'columns': ['slip', 'latitude', 'longitude', 'depth', 'width', 'length', 'dip', 'strike', 'rake', "
    "'start', 'rise'],\n"
    "  'units': ['cm', 'arcmin', 'degree', 'km', 'km', 'm', 'degree', 'degree', 'degree', 'min', 's'],\n"
    "  'rows': [[250, 2280, 143.5, 12.5, 40, 60000, 14, 193, 90, 1.5, 20],\n"
    "            [-30, -600, -70, 0, 1e1, 1e4, 90, 0, -12.5, 0, 0]] }\n";

TEST_SUITE(.group_setup = fault_group_setup, .group_teardown = fault_group_teardown, .setup = clear_status);

TEST(test_reads_and_converts)
{
    struct fault_table table;
    write_table(good_table);
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

TEST(test_plane_table_without_times)
{
    const struct fault_table *table =
        read_table("{'fathom_faults': 1, 'reference': 'top_corner','columns': ['x', 'y', 'depth', 'length', "
                   "'width', 'strike', 'dip', 'rake', 'slip'],'units': ['km', 'm', 'm', 'm', 'm', 'degree', "
                   "'degree', 'degree', 'm'],'rows': [[12, -500, 0.5, 2, 1, 0, 45, 90, 0.01]]}");
    assert_int_equal(table->count, 1);
    assert_false(table->is_geographic);
    assert_near("x", table->faults[0].longitude_deg, 12000, 1e-11);
    assert_near("y", table->faults[0].latitude_deg, -500, 0);
    assert_near("start", table->faults[0].start_s, 0, 0);
    assert_near("rise", table->faults[0].rise_s, 0, 0);
    assert_int_equal(table->faults[0].reference, FAULT_TOP_CORNER);
}

// The upper edge may touch the surface; figures rounded so that it would stick out by a hair are put at the
// surface.
TEST(test_upper_edge_at_the_surface)
{
    const struct fault_table *table = read_table(
        "{'fathom_faults': 1, 'reference': 'centre','columns': ['x', 'y', 'depth', 'length', 'width', "
        "'strike', 'dip', 'rake', 'slip'],'units': ['m', 'm', 'm', 'm', 'm', 'degree', 'degree', 'degree', "
        "'m'],'rows': [[0, 0, 5000, 9e3, 1e4, 0, 90, 0, 1], [0, 0, 4999.99, 9e3, 1e4, 0, 90, 0, 1]]}");
    assert_near("depth", table->faults[1].depth_m, 5000, 1e-9);
    assert_true(fault_top_depth_m(&table->faults[1]) >= 0.0);
}

// ---- bad tables

// The good table with the first occurrence of `from` replaced by `to`.
struct change {
    const char *from, *to;
    const char *words[4];
};

static const struct change bad_changes[] = {
    {"'fathom_faults': 1", "'fathom_faults': 2", {"'fathom_faults': 1"}},
    {"'fathom_faults': 1", "'comments': 1", {"unknown key 'comments'", "'comment'"}},
    {"'title': 'two'", "'title': 2", {"'title': expected text"}},
    {"'title'", "'source'", {"'source' appears twice"}},
    {"'top_centre'", "'top_center'", {"'top_center'", "did you mean 'top_centre'"}},
    {"'top_centre'", "7", {"'reference' is missing or not a text", "bottom_centre"}},
    {"'columns'", "'colums'", {"unknown key 'colums'", "did you mean 'columns'"}},
    {"'slip', ", "'slipp', ", {"unknown column 'slipp'", "did you mean 'slip'"}},
    {"'rake', ", "'dip', ", {"column 'dip' appears twice"}},
    {"'slip', ", "3, ", {"entry 1 is not a text"}},
    {"'slip', ", "", {"10 'columns' but 11 'units'"}},
    {"'cm', ", "'smoots', ", {"column 'slip'", "smoots"}},
    {"'cm', ", "'kg', ", {"column 'slip'", "kg"}},
    {"'depth', ", "'x', ", {"longitude and latitude, or x and y"}},
    {"250, ", "", {"row 1", "11 numbers"}},
    {"250, ", "250, 3, ", {"row 1", "11 numbers"}},
    {"[250, 2280, 143.5, 12.5, 40, 60000, 14, 193, 90, 1.5, 20]", "4", {"row 1", "11 numbers"}},
    {"-30, ", "'much', ", {"row 2, column 'slip': expected a number"}},
    {"-30, ", "null, ", {"row 2, column 'slip': expected a number"}},
    {"-30, ", "1e999, ", {"row 2, column 'slip'", "out of range"}},
    {"-600", "-6000", {"row 2, column 'latitude': -6000 arcmin", "-89 to 89 degree"}},
    {"-70", "-470", {"row 2, column 'longitude': -470 degree", "-360 to 360 degree"}},
    {"12.5, 40", "-0.1, 40", {"row 1, column 'depth': -0.1 km", "positive down"}},
    {"12.5, 40", "12.5, 0", {"row 1, column 'width': 0 km", "above 0"}},
    {"60000", "-1", {"row 1, column 'length': -1 m", "above 0"}},
    {"14, 193", "90.5, 193", {"row 1, column 'dip': 90.5 degree", "0 to 90 degree"}},
    {"14, 193", "-1, 193", {"row 1, column 'dip': -1 degree", "0 to 90 degree"}},
    {"193, 90", "721, 90", {"row 1, column 'strike'"}},
    {"193, 90", "193, 900", {"row 1, column 'rake'"}},
    {"1.5, 20", "-1, 20", {"row 1, column 'start': -1 min"}},
    {"1.5, 20", "1.5, -20", {"row 1, column 'rise': -20 s"}},
    {"'top_centre'", "'centre'", {"row 2", "upper edge would lie 5000 m above the surface", "'centre'"}}};

TEST(test_refuses_bad_tables)
{
    for (size_t k = 0; k < COUNT(bad_changes); k++) {
        const struct change *change = &bad_changes[k];
        const char *at = strstr(good_table, change->from);
        assert_non_null(at);
        struct bad_table bad = {format_text("%.*s%s%s", (int)(at - good_table), good_table, change->to,
                                            at + strlen(change->from)),
                                {NULL}};
        memcpy(bad.words, change->words, sizeof bad.words);
        assert_text_refused(&bad);
    }
}

TEST(test_missing_columns)
{
    static const char *const names[] = {"longitude", "latitude", "depth", "length", "width",
                                        "strike",    "dip",      "rake",  "slip"};
    static const char *const units_of[] = {"degree", "degree", "m",      "m", "m",
                                           "degree", "degree", "degree", "m"};
    for (size_t missing = 0; missing < 9; missing++) {
        const char *columns = "", *units = "", *comma = "";
        for (size_t k = 0; k < 9; k++) {
            if (k == missing)
                continue;
            columns = format_text("%s%s'%s'", columns, comma, names[k]);
            units = format_text("%s%s'%s'", units, comma, units_of[k]);
            comma = ",";
        }
        assert_text_refused(&(struct bad_table){
            format_text("{'fathom_faults': 1, 'reference': 'centre', 'columns': [%s], 'units': [%s], "
                        "'rows': [[0,0,0,0,0,0,0,0]]}",
                        columns, units),
            {format_text("the column '%s' is missing", names[missing])}});
    }
}

TEST(test_missing_parts)
{
    static const struct bad_table bad[] = {
        {"[1, 2]", {"expected a fault table"}},
        {"3", {"expected a fault table"}},
        {"{}", {"'fathom_faults': 1"}},
        {"{'fathom_faults': 1}", {"'reference' is missing"}},
        {"{'fathom_faults': 1, 'reference': 'sift'}", {"'columns' and 'units'"}},
        {"{'fathom_faults': 1, 'reference': 'sift', 'columns': [], 'units': []}", {"no position"}},
        {"{'fathom_faults': 1, 'reference': 'sift', 'columns': ['rise'], 'units': ['s']}", {"no position"}},
        {"", {"line 1, column 1"}},
        {"{\n  'fathom_faults': 1,\n  'title': oops\n}", {"line 3, column 12", "not valid JSON"}},
        {"{'fathom_faults': 1} and more", {"line 1, column 22"}}};
    for (size_t k = 0; k < COUNT(bad); k++)
        assert_text_refused(&bad[k]);
    const int before_rows = (int)(strstr(good_table, "'rows'") - good_table);
    assert_text_refused(&(struct bad_table){format_text("%.*s'rows': []}", before_rows, good_table),
                                            {"'rows'", "at least one fault"}});
}

TEST(test_files_that_are_no_tables)
{
    assert_refused(fault_table_read("/nowhere/table.json", &refused), STATUS_NO_INPUT, "/nowhere/table.json",
                   "No such file");
    folder_write("table.json", "{\0}", 3);
    assert_refused(fault_table_read(table_path, &refused), STATUS_DATA, table_path, "binary");
    assert_refused(fault_table_read(folder_root(), &refused), STATUS_IO, folder_root(), "directory");
}

// A file cut anywhere is refused, and leaves nothing behind (the sanitizers watch).
TEST(test_every_truncation_is_refused)
{
    size_t last = (size_t)(strrchr(good_table, '}') - good_table);
    for (size_t length = 0; length <= last; length++) {
        folder_write_json("table.json", "%.*s", (int)length, good_table);
        assert_refused(fault_table_read(table_path, &refused), STATUS_DATA, table_path);
    }
}

TEST(test_table_inside_a_job)
{
    struct fault_table table;
    char text[sizeof good_table];
    cJSON *json = cJSON_Parse(folder_double_quotes(strcpy(text, good_table)));
    assert_non_null(json);
    assert_ok(fault_table_parse(json, "job.json: source.faults", &table));
    assert_int_equal(table.count, 2);
    fault_table_free(&table);
    cJSON_DeleteItemFromObject(json, "rows");
    assert_refused(fault_table_parse(json, "job.json: source.faults", &refused), STATUS_DATA,
                   "job.json: source.faults: 'rows'");
    cJSON_Delete(json);
}

// ---- unit sources

static const char sift_text[] =
    "# Propagation database metadata file\n"
    "# Name, URL, Long(deg), Lat(deg), Slip(m), Strike(deg), Dip(deg), Depth(km), Length(km), Width(km), "
    "Rake(deg)\n"
    "acsza1, http://host/ac_001_a_ha.nc, 164.7994, 55.9606, 1.0, 299.0, 17.0, 19.61, 100.0, 50.0, 90.0\n"
    "\n"
    "acszb1, http://host/ac_001_b_ha.nc, 164.431, 55.5849, 1.0, 299.0, 17.0, 5.0, 100.0, 50.0, 90.0\r\n"
    "cssza12,http://host/x.nc,281.5,-10.25,1.0,319,15,17.94,100,50,90";

// The test's table of such a text: of these sources with these slips.
static const struct fault_table *read_sift(const char *const *names, const double *slips_m, size_t count)
{
    struct fault_table *table = own_table(owned_zeros(1, sizeof *table));
    write_table(sift_text);
    assert_ok(fault_table_read_sift(table_path, names, slips_m, count, table));
    return table;
}

TEST(test_unit_sources)
{
    const struct fault_table *table =
        read_sift((const char *const[]){"acszb1", "acsza1", "cssza12"}, (const double[]){3.0, 2.0, -0.5}, 3);
    assert_int_equal(table->count, 3);
    assert_true(table->is_geographic);
    const struct fault *b1 = &table->faults[0], *a1 = &table->faults[1], *c12 = &table->faults[2];
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
}

static enum status try_sift(const char *path, const char *first, const char *second, double slip_m)
{
    return fault_table_read_sift(path, (const char *const[]){first, second}, (const double[]){slip_m, 1},
                                 second ? 2 : 1, &refused);
}

TEST(test_unit_sources_refused)
{
    write_table(sift_text);
    assert_refused(try_sift(table_path, "acsza2", NULL, 1), STATUS_CONFIGURATION, table_path,
                   "no unit source 'acsza2'", "did you mean 'acsza1'", "the table has 3");
    assert_refused(try_sift(table_path, "acsza1", "acsza1", 1), STATUS_CONFIGURATION, table_path,
                   "'acsza1' is named twice");
    assert_refused(try_sift(table_path, "acsza1", NULL, NAN), STATUS_DATA, table_path, "acsza1", "slip");
    assert_refused(fault_table_read_sift(table_path, NULL, NULL, 0, &refused), STATUS_CONFIGURATION,
                   "at least one unit source");
    assert_refused(try_sift("/nowhere/sz.txt", "acsza1", NULL, 1), STATUS_NO_INPUT, "/nowhere/sz.txt");
    static const struct bad_table bad[] = {
        {"", {"no unit source in it"}},
        {"a, u, 1, 2, 3", {"line 2", "11 fields"}},
        {"a, u, 164, 55, 1, 299, 17, 19, 100, 50, 90, 7", {"line 2", "11 fields"}},
        {", u, 164, 55, 1, 299, 17, 19, 100, 50, 90", {"line 2", "11 fields"}},
        {"a, u, 164, fifty, 1, 299, 17, 19, 100, 50, 90", {"line 2", "'latitude'", "'fifty'"}},
        {"a, u, 164, 55, 1, 299, 97, 19, 100, 50, 90", {"line 2", "'dip': 97 degree"}},
        {"a, u, 164, 55, 1, 299, 17, 19, 100, 0, 90", {"line 2", "'width': 0 km"}},
        {"a, u, 164, 55, 1, 299, 17, nan, 100, 50, 90", {"line 2", "'depth'"}}};
    for (size_t k = 0; k < COUNT(bad); k++) {
        const char *const *w = bad[k].words;
        write_table(format_text("# made up\n%s\n", bad[k].text));
        assert_refused(try_sift(table_path, "a", NULL, 1), STATUS_DATA, w[0], w[1], w[2]);
    }
}

// A unit source has 4e10 Pa · 100 km · 50 km · 1 m = 2e20 N m, for which NOAA gives Mw 7.5; the pair
// {2 m, 3 m} has 1e21 N m.
TEST(test_magnitude)
{
    const struct fault_table *one = read_sift((const char *const[]){"acsza1"}, (const double[]){-1.0}, 1);
    assert_near("unit source", fault_table_magnitude(one, 4e10), (20 + log10(2) - 9.1) / 1.5, 1e-9);
    assert_near("unit source, NOAA", fault_table_magnitude(one, 4e10), 7.5, 0.05);
    const struct fault_table *pair =
        read_sift((const char *const[]){"acsza1", "acszb1"}, (const double[]){2.0, 3.0}, 2);
    assert_near("pair", fault_table_magnitude(pair, 4e10), 11.9 / 1.5, 1e-9);
    pair->faults[0].slip_m = pair->faults[1].slip_m = 0.0;
    assert_true(isinf(fault_table_magnitude(pair, 4e10)) && fault_table_magnitude(pair, 4e10) < 0.0);
}
