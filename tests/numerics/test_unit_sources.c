// Folders of unit sources: which are found and what they are called; the surface at a place, from gauges or
// bilinear from fields, per metre of slip, against the function that the files were made of; slips as JSON
// and as text; and what is refused.
#include "tests/support/test.h"

#include "io/units.h"
#include "models/tsunami/forecast/database.h"
#include "models/tsunami/forecast/slips.h"
#include "tests/support/folder.h"

#include "tests/support/propagation_fixture.h"
#include "tests/support/statuses.h"

// Bilinear in latitude and longitude: interpolation between any four nodes is exact. Land in the north-west.
static double ramp(double time_s, double latitude, double longitude)
{
    const double y = latitude - 30, x = longitude - 140;
    return y > 2.5 && x < 1 ? NAN : 1e-4 * time_s + 0.01 * y + 0.02 * x + 0.003 * y * x;
}

static double doubled_ramp(double time_s, double latitude, double longitude)
{
    return 2 * ramp(time_s, latitude, longitude);
}

static void write_run(const char *name, const char *sift)
{
    folder_write_json(name, "{'model': 'tsunami', 'source': {'sift': {'slips': {%s}}}}", sift);
}

// kisza26: run with 2 m, gauges and fields; kiszb9: NOAA's; plain: fields alone; and two that are none.
static int make_database(void **state)
{
    folder_make(state);
    folder_shell("cd '%s' && mkdir first plain empty", folder_root());
    folder_write_text("readme.txt", "not a source");
    struct wave_file f = wave_file_of(false, doubled_ramp);
    wave_file_write(folder_path("first/fields.nc"), &f);
    wave_gauges_write(folder_path("first/gauges.nc"), doubled_ramp);
    write_run("first/run.json", "'kisza26': 2");
    f = wave_file_of(true, ramp);
    f.is_north_first = true;
    wave_file_write(folder_path("ki_009_b_ha.nc"), &f);
    f = wave_file_of(false, ramp);
    wave_file_write(folder_path("plain/fields.nc"), &f);
    return 0;
}

static int tear_down(void **state)
{
    units_release();
    status_clear();
    return folder_remove(state);
}

OWNED(own_database, struct database, database_close);

static struct database *open_database(void)
{
    struct database *database;
    assert_ok(database_open(folder_root(), &database));
    return own_database(database);
}

TEST_SUITE(.setup = make_database, .teardown = tear_down);

TEST(listing)
{
    struct database *database = open_database();
    static const char *const names[] = {"kisza26", "kiszb9", "plain"};
    assert_int_equal(database_count(database), 3);
    for (size_t k = 0; k < 3; k++)
        assert_string_equal(database_at(database, k)->name, names[k]);
    assert_true(database_at(database, 0)->slip_m == 2 && database_at(database, 1)->slip_m == 1);
    assert_int_equal(database_at(database, 1)->form, DATABASE_NOAA);
    size_t index;
    assert_ok(database_find(database, "ki_009_b", &index));
    assert_int_equal(index, 1);
    assert_ok(database_find(database, "kisza26", &index));
    assert_int_equal(index, 0);
    assert_failure(database_find(database, "kisza27", &index), STATUS_DATA, "did you mean kisza26?");
}

// Numbers by value, and the same source by two names.
TEST_WITH(names, folder_make, tear_down)
{
    struct wave_file f = wave_file_of(true, ramp);
    wave_file_write(folder_path("kisza10_ha.nc"), &f);
    wave_file_write(folder_path("ki_011_a_ha.nc"), &f);
    wave_file_write(folder_path("kisza9_ha.nc"), &f);
    struct database *database = open_database();
    assert_string_equal(database_at(database, 0)->name, "kisza9");
    assert_string_equal(database_at(database, 2)->name, "kisza11");
    wave_file_write(folder_path("kisza11_ha.nc"), &f);
    assert_failure(database_open(folder_root(), &database), STATUS_DATA, "kisza11 appears twice");
    folder_clear();
    assert_failure(database_open(folder_root(), &database), STATUS_DATA, "no unit source in it");
    assert_failure(database_open(folder_path("none"), &database), STATUS_NO_INPUT, "none: cannot be read");
}

static void expect_path(const struct database *database, const char *name, enum propagation_quantity quantity,
                        const char *file)
{
    char path[PATH_BYTES];
    size_t index;
    assert_ok(database_find(database, name, &index));
    const bool is_there = database_fields_path(database_at(database, index), quantity, path);
    assert_int_equal(is_there, file != NULL);
    if (file)
        assert_string_equal(path, folder_path("%s", file));
}

// Copies of the database on other systems have their names in capitals, or some of them.
TEST_WITH(capitals, folder_make, tear_down)
{
    static const char *const files[] = {"ACSZA10_HA.NC",  "ACSZA10_UA.NC",  "Acsza10_va.nc",
                                        "KI_026_A_HA.nc", "ki_026_b_ua.nc", "ki_026_b_ha.nc",
                                        "KISZA26_VA.NC",  "CS_001_A_UA.NC"};
    struct database *database;
    struct wave_file f = wave_file_of(true, ramp);
    wave_file_write(folder_path("%s", files[0]), &f);
    for (size_t k = 1; k < sizeof files / sizeof *files; k++)
        folder_shell("cd '%s' && cp %s %s", folder_root(), files[0], files[k]);
    database = open_database();
    assert_int_equal(database_count(database), 3); // cs_001_a has no elevations
    static const char *const names[] = {"acsza10", "kisza26", "kiszb26"};
    for (size_t k = 0; k < 3; k++)
        assert_string_equal(database_at(database, k)->name, names[k]);
    expect_path(database, "AC_010_A", PROPAGATION_ETA, files[0]);
    expect_path(database, "ACSZA10", PROPAGATION_U, files[1]);
    expect_path(database, "acsza10", PROPAGATION_V, files[2]);
    expect_path(database, "ki_026_a", PROPAGATION_ETA, files[3]);
    expect_path(database, "KISZA26", PROPAGATION_V, NULL); // another spelling than that of its elevations
    expect_path(database, "kiszb26", PROPAGATION_U, files[4]);
    struct database_series series;
    const struct database_place place = {.longitude = 142, .latitude = 31};
    assert_ok(database_read_series(database, 0, &place, &series));
    assert_true(fabs(series.eta_m[0] - ramp(0, 31, 142)) < 1e-6);
    database_series_free(&series);
    folder_shell("cd '%s' && cp %s KI_026_B_Ua.nc", folder_root(), files[0]);
    assert_failure(database_open(folder_root(), &database), STATUS_DATA, "differ only in case");
    folder_shell("cd '%s' && rm KI_026_B_Ua.nc && cp %s acsza10_HA.nc", folder_root(), files[0]);
    assert_failure(database_open(folder_root(), &database), STATUS_DATA, "acsza10 appears twice, in ");
    assert_failure(database_open(folder_root(), &database), STATUS_DATA, "ACSZA10_HA.NC");
}

// Result folders keep their names; asked for in another case, one is found if no other could be meant.
TEST(case_of_folders)
{
    size_t index;
    struct database *database = open_database();
    assert_ok(database_find(database, "PLAIN", &index));
    assert_int_equal(index, 2);
    folder_shell("cd '%s' && cp -r plain Plain", folder_root());
    database = open_database();
    assert_ok(database_find(database, "Plain", &index));
    assert_string_equal(database_at(database, index)->name, "Plain");
    assert_failure(database_find(database, "PLAIN", &index), STATUS_DATA,
                   "may be Plain or plain, which differ only in case");
}

TEST(bad_runs)
{
    struct database *database;
    write_run("first/run.json", "'kisza26': 0");
    assert_failure(database_open(folder_root(), &database), STATUS_DATA,
                   "kisza26 was run with a slip of 0 m");
    write_run("first/run.json", "'kisza26': '2'");
    assert_failure(database_open(folder_root(), &database), STATUS_DATA,
                   "expected the slip of a unit source");
    folder_write_json("first/run.json", "{'source': ");
    assert_failure(database_open(folder_root(), &database), STATUS_DATA, "not valid JSON");
    write_run("first/run.json", "'kisza26': 2, 'kisza27': 3"); // several: as it is, by the folder's name
    database = open_database();
    assert_string_equal(database_at(database, 0)->name, "first");
    assert_true(database_at(database, 0)->slip_m == 1);
}

// ---- series

static void expect_ramp(const struct database *database, size_t index, double longitude, double latitude,
                        double turn, enum database_origin origin)
{
    struct database_series series;
    const struct database_place place = {.longitude = longitude + turn, .latitude = latitude};
    assert_ok(database_read_series(database, index, &place, &series));
    assert_int_equal(series.samples, WAVE_RECORDS);
    assert_int_equal(series.origin, origin);
    for (size_t k = 0; k < series.samples; k++) {
        const double expected = ramp(60.0 * (double)k, latitude, longitude);
        assert_true(series.times_s[k] == 60.0 * (double)k);
        if (!(fabs(series.eta_m[k] - expected) <= 1e-8)) // single precision of 0.1 m
            fail_msg("sample %zu: %.10g, expected %.10g", k, series.eta_m[k], expected);
    }
    database_series_free(&series);
}

TEST(places)
{
    struct database *database = open_database();
    static const double at[][2] = {{140.1, 30.2},  {143.5, 32.75},    {140, 30},
                                   {141.77, 31.9}, {143.499, 30.001}, {142.5, 31.04}};
    for (size_t k = 0; k < sizeof at / sizeof *at; k++)
        for (size_t index = 0; index < 3; index++)
            for (int turn = -360; turn <= 360; turn += 360)
                expect_ramp(database, index, at[k][0], at[k][1], turn, DATABASE_FROM_FIELDS);
    // On a node beside land the land does not count.
    expect_ramp(database, 1, 141, 32.75, 0, DATABASE_FROM_FIELDS);
}

TEST(stations)
{
    struct database *database = open_database();
    struct database_series series;
    expect_ramp(database, 0, 140.5, 30.5, 0, DATABASE_FROM_GAUGE);
    expect_ramp(database, 0, 143, 32, -360, DATABASE_FROM_GAUGE);
    struct database_place place = {.name = "far", .longitude = NAN, .latitude = NAN};
    assert_ok(database_read_series(database, 0, &place, &series));
    assert_string_equal(series.station, "far");
    assert_true(fabs(series.eta_m[1] - ramp(60, 32, 143)) < 1e-8);
    database_series_free(&series);
    // 0.8 km off is the station, 3 km off is not; a name 400 km off is another's.
    place = (struct database_place){.longitude = 140.508, .latitude = 30.5};
    assert_ok(database_read_series(database, 0, &place, &series));
    assert_string_equal(series.station, "near");
    database_series_free(&series);
    expect_ramp(database, 0, 140.53, 30.5, 0, DATABASE_FROM_FIELDS);
    place = (struct database_place){.name = "far", .longitude = 140, .latitude = 30};
    assert_failure(database_read_series(database, 0, &place, &series), STATUS_DATA, "station far lies at");
    assert_null(series.eta_m);
    place = (struct database_place){.name = "fr", .longitude = NAN, .latitude = NAN};
    assert_failure(database_read_series(database, 0, &place, &series), STATUS_DATA,
                   "no gauge fr, and no position");
    assert_failure(database_read_series(database, 1, &place, &series), STATUS_DATA,
                   "no gauge fr, and no position");
    folder_delete("first/fields.nc");
    place = (struct database_place){.longitude = 141, .latitude = 31};
    assert_failure(database_read_series(database, 0, &place, &series), STATUS_DATA, "no gauge within 1000 m");
}

TEST(no_places)
{
    struct database *database = open_database();
    struct database_series series;
    static const struct {
        double longitude, latitude;
        const char *fragment;
    } cases[] = {{140.7, 32.6, "no water at the node 140.5000, 32.7500"},
                 {139.9, 31, "lies outside its grid"},
                 {141, 33, "lies outside its grid"},
                 {141, 95, "is not a place on Earth"},
                 {1e9, 31, "is not a place on Earth"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const struct database_place place = {.longitude = cases[k].longitude, .latitude = cases[k].latitude};
        assert_failure(database_read_series(database, 1, &place, &series), STATUS_DATA, cases[k].fragment);
    }
    folder_shell("truncate -s 700 '%s'", folder_path("ki_009_b_ha.nc"));
    const struct database_place place = {.longitude = 141, .latitude = 31};
    assert_failure(database_read_series(database, 1, &place, &series), STATUS_DATA, "ki_009_b_ha.nc");
}

// ---- slips

TEST_WITH(slips_back, folder_make, tear_down)
{
    struct slip_list list, back;
    assert_ok(slips_parse("kisza26=26.31,kiszb25=-1.5e-1", "--slips", &list));
    assert_int_equal(list.count, 2);
    assert_string_equal(list.slips[1].name, "kiszb25");
    assert_true(list.slips[0].slip_m == 26.31 && list.slips[1].slip_m == -0.15);
    assert_ok(slips_write(folder_path("slips.json"), &list, "a title", NULL));
    assert_int_equal(folder_count(""), 1);
    assert_ok(slips_take(folder_path("slips.json"), "--slips", &back));
    assert_int_equal(back.count, 2);
    assert_true(strcmp(back.slips[0].name, "kisza26") == 0 && back.slips[0].slip_m == 26.31);
    slips_free(&list);
    slips_free(&back);
    assert_ok(slips_take("kisza1=1", "--slips", &list));
    slips_free(&list);
}

TEST_WITH(bad_slips, folder_make, tear_down)
{
    struct slip_list list;
    static const char *const texts[][2] = {
        {"kisza26", "expected NAME=SLIP"},    {"kisza26=", "expected NAME=SLIP"},
        {"kisza26=2m", "expected NAME=SLIP"}, {"=2", "is not a name"},
        {"a=1,a=2", "a appears twice"},       {"a=nan", "a slip of nan m"},
        {"a=1e9", "expected a number from"},  {"a=1,", "expected NAME=SLIP"},
        {"", "expected NAME=SLIP"},
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        assert_failure(slips_parse(texts[k][0], "--slips", &list), STATUS_USAGE, texts[k][1]);
    static const char *const files[][2] = {
        {"[1]", "expected an object"},
        {"{'slips': {'a': 1}}", "expected \"fathom_slips\": 1"},
        {"{'fathom_slips': 2, 'slips': {'a': 1}}", "expected \"fathom_slips\": 1"},
        {"{'fathom_slips': 1, 'slip': {'a': 1}}", "unknown key \"slip\" (did you mean \"slips\"?)"},
        {"{'fathom_slips': 1, 'slips': {}}", "at least one unit source"},
        {"{'fathom_slips': 1}", "at least one unit source"},
        {"{'fathom_slips': 1, 'slips': {'a': '1 m'}}", "slips.a: expected a number"},
        {"{'fathom_slips': 1, 'slips': {'a': 1, 'a': 2}}", "a appears twice"},
        {"{'fathom_slips': 1, 'slips': {'a': 1e400}}", "a slip of inf m"},
        {"{'fathom_slips': 1", "not valid JSON"}};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        folder_write_json("slips.json", "%s", files[k][0]);
        assert_failure(slips_read(folder_path("slips.json"), &list), STATUS_DATA, files[k][1]);
        assert_null(list.slips);
    }
    assert_failure(slips_take("no/such.json", "--slips", &list), STATUS_NO_INPUT, "--slips");
}
