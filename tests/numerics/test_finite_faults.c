// The files of finite faults in the form in which they are published: what each is read as, where it measures
// positions, and how each kind of damage is refused.
#include "tests/support/test.h"

#include "tests/support/benchmarks.h"
#include "tests/support/earthquake_files.h"
#include "tests/support/numbers.h"

#include <math.h>

TEST_SUITE(.group_setup = folder_make, .group_teardown = folder_remove, .setup = clear_status);

static void assert_patch(const struct fault *fault, double longitude, double latitude, double depth_km,
                         double slip_m, double rake, double dip)
{
    assert_near("longitude", fault->longitude_deg, longitude, 1e-9);
    assert_near("latitude", fault->latitude_deg, latitude, 1e-9);
    assert_near("depth", fault->depth_m, 1e3 * depth_km, 1e-6);
    assert_near("slip", fault->slip_m, slip_m, 1e-12);
    assert_near("rake", fault->rake_deg, rake, 1e-9);
    assert_near("dip", fault->dip_deg, dip, 1e-12);
    assert_near("strike", fault->strike_deg, 6, 1e-12);
    assert_near("length", fault->length_m, 15000, 1e-9);
    assert_near("width", fault->width_m, 10000, 1e-9);
    assert_int_equal(fault->reference, FAULT_CENTRE);
}

TEST(param_with_two_segments)
{
    struct earthquake_rupture r = read_rupture(write_text(param), EARTHQUAKE_PARAM);
    assert_int_equal(r.faults.count, 6);
    assert_int_equal(r.segments, 2);
    assert_patch(&r.faults.faults[0], -70.5906, -24.8531, 31.5047, 0.0774089, 125.8916, 22);
    assert_patch(&r.faults.faults[5], -71.137, -24.6653, 12.7669, 1.476069, 56.53822, 18);
    assert_near("start", r.faults.faults[1].start_s, 64, 0);
    assert_near("rise", r.faults.faults[1].rise_s, 19.8, 1e-12);
    // Σ mo, dyn cm.
    const double sum =
        (7.841607e24 + 3.515052e25 + 5.911001e24 + 9.126337e25 + 6.030910e24 + 1.495275e26) * 1e-7;
    assert_near("moment", r.moment_n_m / sum, 1, 1e-12);
    assert_near("hypocentre", r.hypocentre.longitude_deg, -70.31, 0);
    earthquake_rupture_free(&r);
    // Windows' ends of lines, and blanks before '#', as newer files have them.
    folder_shell("sed -e 's/^#/ #/' -e 's/$/\\r/' '%s' > '%s'", folder_path("file"), folder_path("windows"));
    r = read_rupture(folder_path("windows"), EARTHQUAKE_PARAM);
    assert_near("moment", r.moment_n_m / sum, 1, 1e-12);
    earthquake_rupture_free(&r);
}

TEST(fsp_with_two_segments)
{
    struct earthquake_rupture r = read_rupture(write_text(fsp), EARTHQUAKE_FSP);
    assert_int_equal(r.faults.count, 6);
    assert_int_equal(r.segments, 2);
    assert_patch(&r.faults.faults[0], -70.5695, -24.8280, 32.2539, 0.0774, 125.8916, 22);
    assert_patch(&r.faults.faults[5], -71.1151, -24.6402, 13.3850, 1.4761, 56.5382, 18);
    assert_near("rise", r.faults.faults[1].rise_s, 14.4, 0);
    assert_near("moment", r.moment_n_m, 2.9e19, 0); // the header's
    assert_near("depth", r.hypocentre.depth_m, 36000, 0);
    assert_string_equal(r.title, "NEAR COAST OF NORTHERN CHILE  1995/07/30 [Hayes (NEIC,2014)]");
    earthquake_rupture_free(&r);
}

// Without Dx and Dz the patches share the segment's length and width; "top-center" is the middle of the upper
// edge.
TEST(fsp_of_other_forms)
{
    folder_write_text("file", fsp);
    folder_shell("sed -e '/Dx = /d' '%s' > '%s'", folder_path("file"), folder_path("no-size"));
    struct earthquake_rupture r = read_rupture(folder_path("no-size"), EARTHQUAKE_FSP);
    assert_near("length", r.faults.faults[0].length_m, 15000, 1e-9);
    assert_near("width", r.faults.faults[5].width_m, 10000, 1e-9);
    earthquake_rupture_free(&r);
    folder_shell("sed -e 's/given for center/given for top-center/' '%s' > '%s'", folder_path("file"),
                 folder_path("top"));
    r = read_rupture(folder_path("top"), EARTHQUAKE_FSP);
    assert_int_equal(r.faults.faults[5].reference, FAULT_TOP_CENTRE);
    assert_near("top", fault_top_depth_m(&r.faults.faults[5]), 13385, 1e-6);
    earthquake_rupture_free(&r);
    // The database's own form (s1992LANDER01COHE.fsp): a size for each segment, no rake, a stray line of the
    // header.
    r = read_rupture(
        write_text("% ---  FINITE-SOURCE RUPTURE MODEL  ---\n% Event : Landers (Calif.) \t\t06/28/1992 \n"
                   "% Size : LEN  = 83.0 km \tWID =  18.0 km\t\tMw = 7.08\tMo = 1e+17 Nm\n"
                   "% Mech : STRK = 330.0\t\tDIP = 90.0\t\tRAKE = 180.0\tHtop = 0.0 km \n"
                   "% Invs :  Nx  =  28 \tNz  = 6\n% Invs :  Dx  =  2.96 km \tDz  = 3.00 km\n"
                   "% Invs :  Ntw =  1\tNsg =  1\n\t10.0\t0.0\t0.0\t0.0\n"
                   "%   Coordinates are given for top-center of each subfault or segment: |'| \n"
                   "% SEGMENT #  1:  STRIKE =  354.0 deg       DIP =  90.0 deg \n"
                   "%                   LEN  =  6.00 km       WID =  3.00 km \n"
                   "%\t\t      Dx =   3.00 km       Dz = 3.00 km   \n%   Nsbfs =  2 subfaults \n"
                   "%    LAT     LON     X==EW     Y==NS     Z     SLIP    \n"
                   "   34.1176 -116.4197    0.9511   -9.1563    0.0000    0.1700  \n"
                   "   34.1445 -116.4231    0.6375   -6.1727    0.0000    0.0000  \n"),
        EARTHQUAKE_FSP);
    assert_near("length", r.faults.faults[1].length_m, 3000, 1e-9);
    assert_near("rake", fabs(r.faults.faults[0].rake_deg), 180, 0);
    assert_near("top", fault_top_depth_m(&r.faults.faults[0]), 0, 1e-9);
    earthquake_rupture_free(&r);
}

// Of the time of the earthquake. The USGS' present program (neic-finitefault) writes date and time into
// EventTAG; its earlier files and the database have a day alone, which FFM.geojson shows at midnight.
TEST(times_of_finite_faults)
{
    static const struct {
        const char *tag, *expected;
    } rows[] = {{"2015-09-16T22:54:32", "2015-09-16 22:54:32"},
                {"2025-03-28T06:20:54.360000", "2025-03-28 06:20:54.36"},
                {"p000714tHAYES", ""},
                {"1995-07-30", ""},
                {"2015-TOHOKU", ""}};
    for (size_t k = 0; k < COUNT(rows); k++) {
        write_text(fsp);
        folder_shell("sed -e 's/p000714tHAYES/%s/' '%s' > '%s'", rows[k].tag, folder_path("file"),
                     folder_path("tagged"));
        struct earthquake_rupture r = read_rupture(folder_path("tagged"), EARTHQUAKE_FSP);
        assert_string_equal(r.time, rows[k].expected);
        earthquake_rupture_free(&r);
    }
    static const char *const dates[][2] = {{"1995-07-30T00:00:00.000000Z", ""},
                                           {"1995-07-30T05:11:23.600000Z", "1995-07-30 05:11:23.6"},
                                           {"UNK", ""}};
    for (size_t k = 0; k < COUNT(dates); k++) {
        write_json(ffm);
        folder_shell("sed -e 's/\"epicenter\": {/&\"date\": \"%s\", /' '%s' > '%s'", dates[k][0],
                     folder_path("file"), folder_path("dated"));
        struct earthquake_rupture r = read_rupture(folder_path("dated"), EARTHQUAKE_FFM);
        assert_string_equal(r.time, dates[k][1]);
        earthquake_rupture_free(&r);
    }
}

// FFM.geojson's polygons are the same patches: their centres are the .fsp's positions, to the corners'
// rounding.
TEST(ffm_agrees_with_fsp)
{
    struct earthquake_rupture a = read_rupture(write_text(fsp), EARTHQUAKE_FSP);
    struct earthquake_rupture b = read_rupture(write_json(ffm), EARTHQUAKE_FFM);
    const size_t same[] = {0, 4};
    assert_int_equal(b.segments, 2);
    assert_near("moment", b.moment_n_m, 1.387e18, 0);
    for (size_t k = 0; k < 2; k++) {
        const struct fault *f = &a.faults.faults[same[k]], *g = &b.faults.faults[k];
        assert_near("longitude", g->longitude_deg, f->longitude_deg, 2e-4);
        assert_near("latitude", g->latitude_deg, f->latitude_deg, 2e-4);
        assert_near("depth", g->depth_m, f->depth_m, 0.1);
        assert_near("length", g->length_m, f->length_m, 30);
        assert_near("width", g->width_m, f->width_m, 30);
        assert_near("strike", g->strike_deg, f->strike_deg, 0.2);
        assert_near("dip", g->dip_deg, f->dip_deg, 0.2);
        assert_near("slip", g->slip_m, f->slip_m, 1e-12);
        assert_near("start", g->start_s, f->start_s, 0);
    }
    earthquake_rupture_free(&a);
    earthquake_rupture_free(&b);
}

TEST(csv_with_its_reference)
{
    struct earthquake_rupture r = read_rupture(write_text(csv), EARTHQUAKE_CSV);
    assert_int_equal(r.faults.count, 2);
    assert_int_equal(r.faults.faults[1].reference, FAULT_SIFT);
    assert_near("length", r.faults.faults[0].length_m, 1e5, 1e-9);
    assert_near("depth", r.faults.faults[1].depth_m, 5000, 1e-9);
    assert_true(isnan(r.moment_n_m));
    earthquake_rupture_free(&r);
    enum earthquake_format format;
    assert_ok(earthquake_read_rupture(write_text(strchr(csv, '\n') + 1), "top_centre", &r, &format));
    assert_int_equal(r.faults.faults[0].reference, FAULT_TOP_CENTRE);
    assert_near("top", fault_top_depth_m(&r.faults.faults[0]), 17940, 1e-6);
    earthquake_rupture_free(&r);
}

// UCSB's model of Tohoku 2011, 19 by 10 patches, whose last column is the rigidity.
TEST(tohoku_of_ucsb)
{
    char path[BENCHMARK_PATH];
    need_benchmark("okada/tohoku_ucsb.txt", path);
    struct earthquake_rupture r = read_rupture(path, EARTHQUAKE_PARAM);
    assert_int_equal(r.faults.count, 190);
    assert_near("slip", r.faults.faults[3].slip_m, 12.5365198, 1e-7);
    assert_near("Mw", earthquake_magnitude(r.moment_n_m), 9.1, 0.02); // Shao, Li & Ji (2011): 9.1
    earthquake_rupture_free(&r);
}

// A patch whose upper edge would break the sea floor moves its segment down to it; the slip stays.
TEST(shallow_segments_move_down)
{
    folder_write_text("file", param);
    folder_shell("sed -i -e 's/12.766900/1.000000/' '%s'", folder_path("file"));
    struct earthquake_rupture r = read_rupture(folder_path("file"), EARTHQUAKE_PARAM);
    const double half_m = 5000 * sin(18 * 3.14159265358979323846 / 180);
    assert_near("moved", r.moved_down_m, half_m - 1000, 1e-6);
    assert_near("depth", r.faults.faults[4].depth_m, half_m, 1e-6);
    assert_near("first segment", r.faults.faults[0].depth_m, 31504.7, 1e-6);
    earthquake_rupture_free(&r);
}

// ---- refusals

TEST(damaged_param)
{
    refuse_rupture(param, PARAM_LAST, "", "segment 2 ends after 1 of its 2 patches", "line 24");
    refuse_rupture(param, PARAM_ROW_3, "", "line 14: segment 1 ends after 3 of its 4 patches",
                   "nx 2 times ny 2");
    refuse_rupture(param, PARAM_LAST, PARAM_LAST PARAM_LAST, "line 26: a patch beyond the 2", "");
    refuse_rupture(param, "segments=     2", "segments=     3", "ends after 2 of its 3 segments",
                   "cut short");
    refuse_rupture(param, "#Fault_segment =   2", "#Fault_segment =   3",
                   "segment 3 where segment 2 should begin", "missing");
    refuse_rupture(param, "31.504700", "-1.504700", "line 11: depth -1.5047 km", "0 (the sea floor)");
    refuse_rupture(param, "22.0  68.0", "0.0  68.0", "line 11: dip 0 degree", "above 0 to 90");
    refuse_rupture(param, "5.835080", "5.835O80", "line 13: 3 numbers, then 5.835O80", "expected 11");
    refuse_rupture(param, "5.835080", "nan", "line 13: 3 numbers, then nan", "expected 11");
    refuse_rupture(param, "5.835080", "90000", "slip 900 m", "");
    refuse_rupture(param, "-24.853100  -70.590600", "-124.853100  -70.590600", "latitude -124.853 degree",
                   "");
    refuse_rupture(param, "Lat. Lon.", "Lat. Lat.", "doubled column", "");
    refuse_rupture(param, "slip rake", "slide rake", "unknown column \"slide\"", "");
    refuse_rupture(param, "Dx= 15.00km", "Dx= -15.00km", "numbers above 0", "line 2");
    refuse_rupture(param, "nx(Along-strike)=   2", "nx(Along-strike)=   0", "numbers above 0", "line 2");
    // All moments too large by 1e9: no earthquake.
    folder_write_text("file", param);
    folder_shell("sed -i -e 's/e+2\\([456]\\)/e+3\\1/' '%s'", folder_path("file"));
    struct earthquake_rupture r;
    enum earthquake_format format;
    assert_failure(earthquake_read_rupture(folder_path("file"), NULL, &r, &format), STATUS_DATA, "moment",
                   "expected");
    // By 1e3: a rigidity that no rock has.
    folder_write_text("file", param);
    folder_shell("sed -i -e 's/e+24/e+27/' -e 's/e+25/e+28/' -e 's/e+26/e+29/' '%s'", folder_path("file"));
    assert_failure(earthquake_read_rupture(folder_path("file"), NULL, &r, &format), STATUS_DATA, "rigidity",
                   "another unit");
}

TEST(damaged_fsp)
{
    refuse_rupture(fsp, FSP_LAST, "", "segment 2 ends after 1 of its 2 patches", "cut short");
    refuse_rupture(fsp, "Nsg = 2", "Nsg = 3", "ends after 2 of its 3 segments", "cut short");
    refuse_rupture(fsp, "Nsbfs = 4", "Nsbfs = 5", "segment 1 ends after 4 of its 5 patches", "line 26");
    refuse_rupture(fsp, "SEGMENT # 2", "SEGMENT # 3", "where segment 2 should begin", "missing");
    refuse_rupture(fsp, "32.2539", "-2.2539", "line 22: depth -2.2539 km", "sea floor");
    refuse_rupture(fsp, "DIP = 22 deg", "DIP = 0 deg", "dip 0 degree", "above 0 to 90");
    refuse_rupture(fsp, "Mo = 2.9e+19", "Mo = 2.9e+29", "Mw 13.6", "expected 3 to 10");
    refuse_rupture(fsp, "Dx = 15 km", "Dx = 1.5 km", "do not cover", "expected the same area");
    refuse_rupture(fsp, "0.3470", "O.3470", "line 23: 5 numbers, then O.3470", "expected 10");
    refuse_rupture(fsp, "LON X==EW", "LOM X==EW", "segment 1 ends after 0 of its 4 patches", "");
    refuse_rupture("% FINITE-SOURCE RUPTURE MODEL\n1 2 3\n", "1", "4", "no line names the columns",
                   "LAT LON");
    refuse_rupture(fsp, "X==EW Y==NS Z ", "X==EW Y==NS D ", "no column Z", "");
}

TEST(damaged_ffm_and_csv)
{
    char *text = folder_double_quotes(owned_take(strdup(ffm)));
    refuse_rupture(text, "\"slip\": 0.0774", "\"slip\": \"much\"", "feature 1: \"slip\": expected a number",
                   "");
    refuse_rupture(text, "\"slip\": 0.0595", "\"slop\": 0.0595", "feature 2: \"slip\"", "");
    refuse_rupture(text, "[-70.6075, -24.7566, 30380.86703], ", "",
                   "feature 1: expected a polygon of four corners", "");
    refuse_rupture(text, "34126.93297], [-70.5316", "30380.86703], [-70.5316", "feature 1", "no rectangle");
    refuse_rupture(text, "\"moment\": 1.387e+18", "\"moment\": 1.387e+30", "Mw 14.0", "");
    refuse_rupture(text, "\"type\": \"FeatureCollection\"}", "", "not valid JSON", "cut short");
    refuse_rupture(csv, "# reference: sift\n", "", "does not state where position and depth are measured",
                   "source.faults_reference");
    refuse_rupture(csv, "reference: sift", "reference: middle", "reference \"middle\"", "expected centre");
    refuse_rupture(csv, "Depth(km)", "Depth", "column depth states no unit", "line 2");
    refuse_rupture(csv, "Depth(km)", "Depth(kg)", "column depth", "kg");
    refuse_rupture(csv, "Latitude", "Lattitude", "unknown column \"lattitude\"", "did you mean latitude");
    refuse_rupture(csv, "Dip,", "Rake,", "the column rake appears twice", "");
    refuse_rupture(csv, "55.59800", "55,59800", "line 4", "");
    refuse_rupture(csv, ",acsza31", ",acsza31,7", "line 3: more than 10 fields", "");
    refuse_rupture(csv, "17.94", "-17.94", "depth -17.94 km", "line 3");
    refuse_rupture(csv, "15.000,90.0", "0,90.0", "dip 0 degree", "line 3");
}

// A grid of 4 by 3 patches of 20 by 15 km, whose n-th line (from 1) is `row`, as CSV and as .param.
static const char *write_grid(const char *changed, int n)
{
    char *text = owned_zeros(1, 4000);
    int used =
        sprintf(text, "# reference: centre\nLongitude,Latitude,Depth(km),Length(km),Width(km),Strike,Dip,"
                      "Rake,Slip(m),Start(s),Rise(s)\n");
    for (int k = 0; k < 12; k++)
        used += k + 1 == n ? sprintf(text + used, "%s\n", changed)
                           : sprintf(text + used, "%.4f,%.4f,%g,20,15,0,20,90,2,%d,5\n", -73 + 0.16 * (k / 4),
                                     -36 + 0.18 * (k % 4), 10 + 5.13 * (k / 4), 10 * k);
    return write_text(text);
}

static void refuse_grid(const char *changed, int n, const char *a, const char *b)
{
    struct earthquake_rupture r;
    enum earthquake_format format;
    assert_failure(earthquake_read_rupture(write_grid(changed, n), NULL, &r, &format), STATUS_DATA,
                   "/file: ", a, b);
    assert_null(r.faults.faults);
}

TEST(patches_that_contradict_each_other)
{
    struct earthquake_rupture r = read_rupture(write_grid("", 0), EARTHQUAKE_CSV);
    assert_int_equal(r.faults.count, 12);
    earthquake_rupture_free(&r);
    refuse_grid("-73,-36,10,20,15,0,20,90,3,0,5", 7, "line 9: the same patch as line 3", "each once");
    refuse_grid("73,-36,10,20,15,0,20,90,2,0,5", 1, "line 3: the patch at longitude 73", "sign or a digit");
    refuse_grid("-73,-36,10,20,15,0,20,90,-2,0,5", 1, "line 3: slip -2 m", "0 to 200 m");
    refuse_grid("-73,-36,10,20,15,0,20,90,2,5000,5", 1, "line 3: a rupture time of 5000 s", "0.5 km/s");
    // A second time window of the same patch is good.
    r = read_rupture(write_grid("-73,-36,10,20,15,0,20,90,3,30,5", 7), EARTHQUAKE_CSV);
    earthquake_rupture_free(&r);
}

// What a finite fault states of its patches, against their places.
TEST(patches_against_their_header)
{
    refuse_rupture(param, "Dx= 15.00km", "Dx=  1.50km", "lines 11 and 12",
                   "15 km apart, but the file states 1.5");
    refuse_rupture(param, "Dy= 10.00km", "Dy= 20.00km", "down dip", "20 km");
    // The sign of all longitudes, but not the header's.
    folder_write_text("file", param);
    folder_shell("sed -i -E -e 's/^( *-2[0-9.]+ +)-7/\\17/' '%s'", folder_path("file"));
    struct earthquake_rupture r;
    enum earthquake_format format;
    assert_failure(earthquake_read_rupture(folder_path("file"), NULL, &r, &format), STATUS_DATA,
                   "the hypocentre (longitude -70.31, latitude -23.36) lies", "km from the nearest patch",
                   "exchanged");
    // Each moment ten times too large, as slip in another unit makes it.
    folder_write_text("file", param);
    folder_shell("sed -i -e 's/e+26/e+27/' -e 's/e+25/e+26/' -e 's/e+24/e+25/' '%s'", folder_path("file"));
    assert_failure(earthquake_read_rupture(folder_path("file"), NULL, &r, &format), STATUS_DATA,
                   "a rigidity of", "expected 5 to 150");
}

// What a finite fault states as its date; "": it is that of a day.
static void expect_date(const char *text, const char *expected)
{
    folder_write_json("file", "%s", ffm);
    folder_shell("sed -i -e 's/\"location\"/\"date\": \"%s\", \"location\"/' '%s'", text,
                 folder_path("file"));
    struct earthquake_rupture r = read_rupture(folder_path("file"), EARTHQUAKE_FFM);
    assert_string_equal(r.time, expected);
    earthquake_rupture_free(&r);
    folder_write_text("file", fsp);
    folder_shell("sed -i -e 's|p000714tHAYES|%s|' '%s'", text, folder_path("file"));
    r = read_rupture(folder_path("file"), EARTHQUAKE_FSP);
    assert_string_equal(r.time, expected);
    earthquake_rupture_free(&r);
}

TEST(dates_of_finite_faults)
{
    expect_date("2011-03-11T00:00:00.000000Z", "");
    expect_date("2011-03-11T00:00:00", "");
    expect_date("2011-03-11T00:00:00Z", "");
    expect_date("2011-03-11 00:00:00", "");
    expect_date("2011-03-11 00:00:00+00:00", "");
    expect_date("2011-03-11", "");
    expect_date("2011-03-11T05:46:23", "2011-03-11 05:46:23");
    expect_date("2011-03-11T05:46:23+00:00", "2011-03-11 05:46:23");
    expect_date("2011-03-11T05:46:23.123456Z", "2011-03-11 05:46:23.123456");
    expect_date("2011-03-11T14:46:23.5+09:00", "2011-03-11 05:46:23.5");
    char *text = folder_double_quotes(owned_take(strdup(ffm)));
    refuse_rupture(text, "\"location\"", "\"date\": \"2011-02-29T05:46:23Z\", \"location\"",
                   "metadata.epicenter.date: \"2011-02-29T05:46:23Z\"", "not a date");
    refuse_rupture(fsp, "p000714tHAYES", "2011-02-29T05:46:23", "line 4: \"2011-02-29T05:46:23\"",
                   "not a date");
}

// The wrong kind of file is named, with the key that takes it.
TEST(the_other_kind)
{
    struct earthquake_rupture r;
    struct earthquake_event e;
    enum earthquake_format format;
    assert_failure(earthquake_read_rupture(write_text(TOHOKU), NULL, &r, &format), STATUS_DATA, "ndk",
                   "source.earthquake.file");
    assert_failure(earthquake_read_event(write_text(param), NULL, &e, &format), STATUS_DATA, ".param",
                   "source.faults");
    assert_failure(earthquake_read_rupture(write_text(param), "centre", &r, &format), STATUS_DATA,
                   "defines its own");
    assert_failure(earthquake_read_event(write_text("1 2 3\n"), NULL, &e, &format), STATUS_DATA,
                   "CMTSOLUTION");
    assert_failure(earthquake_read_rupture(write_text("1 2 3\n"), NULL, &r, &format), STATUS_DATA, ".fsp");
    assert_failure(earthquake_read_event(folder_path("none"), NULL, &e, &format), STATUS_NO_INPUT, "none");
}
