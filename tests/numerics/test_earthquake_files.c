// The files that describe an earthquake, in the form in which they are published: what each is read as, where
// it measures positions, and how each kind of damage is refused.
#include "tests/support/test.h"

#include "models/tsunami/earthquake/recognise.h"
#include "tests/support/benchmarks.h"
#include "tests/support/earthquake_texts.h"
#include "tests/support/folder.h"
#include "tests/support/numbers.h"
#include "tests/support/statuses.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int clear(void **state)
{
    (void)state;
    status_clear();
    return 0;
}

TEST_SUITE(.group_setup = folder_make, .group_teardown = folder_remove, .setup = clear);

// ---- reading

static const char *write_text(const char *text)
{
    folder_write_text("file", text);
    return folder_path("file");
}

static const char *write_json(const char *text)
{
    folder_write_json("file", "%s", text);
    return folder_path("file");
}

static struct earthquake_rupture read_rupture(const char *path, enum earthquake_format expected)
{
    struct earthquake_rupture rupture;
    enum earthquake_format format;
    assert_ok(earthquake_read_rupture(path, NULL, &rupture, &format));
    assert_int_equal(format, expected);
    return rupture;
}

static struct earthquake_event read_event(const char *path, const char *wanted,
                                          enum earthquake_format expected)
{
    struct earthquake_event event;
    enum earthquake_format format;
    assert_ok(earthquake_read_event(path, wanted, &event, &format));
    assert_int_equal(format, expected);
    return event;
}

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

TEST(moment_tensors)
{
    struct earthquake_event e = read_event(write_text(TOHOKU), NULL, EARTHQUAKE_NDK);
    assert_string_equal(e.name, "M201103110546A");
    assert_string_equal(e.time, "2011-03-11 05:46:23");
    assert_string_equal(e.place, "NEAR EAST COAST OF HONSH");
    assert_near("longitude", e.centroid.longitude_deg, 143.05, 0);
    assert_near("depth", e.centroid.depth_m, 20000, 0);
    assert_near("hypocentre", e.hypocentre.latitude_deg, 38.32, 0);
    assert_near("moment", e.solution.moment_n_m, 5.312e22, 5e18);
    e = read_event(write_text(PHILIPPINES), NULL, EARTHQUAKE_NDK);
    assert_near("latitude", e.centroid.latitude_deg, 10.47, 0);
    assert_near("moment", e.solution.moment_n_m, 5.74e17, 1e15);
    e = read_event(write_text(CMT), NULL, EARTHQUAKE_CMTSOLUTION);
    assert_string_equal(e.name, "201509162254A");
    assert_string_equal(e.place, "NEAR COAST OF CENTRAL CH");
    assert_string_equal(e.time, "2015-09-16 22:54:32.9");
    assert_near("moment", e.solution.moment_n_m, 3.229e21, 1e18);
    assert_near("depth", e.centroid.depth_m, 17350, 1e-9);
    e = read_event(write_text(QUAKEML(QUAKEML_TENSOR, "</eventParameters></q:quakeml>")), NULL,
                   EARTHQUAKE_QUAKEML);
    assert_string_equal(e.name, "20003k7a");
    assert_string_equal(e.place, "OFFSHORE COQUIMBO, CHILE");
    assert_near("centroid", e.centroid.latitude_deg, -31.38, 0);
    assert_near("hypocentre", e.hypocentre.depth_m, 22440, 0);
    const struct earthquake_event f = read_event(write_json(event_json), "us20003k7a", EARTHQUAKE_EVENT_JSON);
    assert_near("moment", f.solution.moment_n_m / e.solution.moment_n_m, 1, 1e-12);
    assert_near("centroid", f.centroid.depth_m, 25500, 1e-9);
    assert_string_equal(f.time, "2015-09-16 22:54:32.86");
    assert_string_equal(e.time, "2015-09-16 22:54:32.86");
}

// `text` with the first `from` replaced by `to`, as an event; the message has all fragments.
static void refuse_event(const char *text, const char *from, const char *to, const char *a, const char *b)
{
    struct earthquake_event e;
    enum earthquake_format format;
    const char *place = strstr(text, from);
    assert_non_null(place);
    char *changed = owned_zeros(1, strlen(text) + strlen(to) + 1);
    sprintf(changed, "%.*s%s%s", (int)(place - text), text, to, place + strlen(from));
    assert_failure(earthquake_read_event(write_text(changed), NULL, &e, &format), STATUS_DATA, "/file", a, b);
}

// The first messages: a magnitude and a place; then nodal planes. QuakeML and GeoJSON alike.
#define QUAKEML_FIRST(mechanism)                                                                             \
    "<q:quakeml xmlns:q='x'><eventParameters><event "                                                        \
    "publicID='a/b'><preferredOriginID>o</preferredOriginID>" mechanism                                      \
    "<magnitude publicID='m'><mag><value>8.1</value></mag></magnitude><origin "                              \
    "publicID='o'><longitude><value>-71.6"                                                                   \
    "</value></longitude><latitude><value>-31.5</value></latitude><depth><value>22000</value></depth></"     \
    "origin>"                                                                                                \
    "</event></eventParameters></q:quakeml>"
#define QUAKEML_PLANE                                                                                        \
    "<focalMechanism><nodalPlanes><nodalPlane1><strike><value>353</value></strike><dip><value>19</value></"  \
    "dip><rake>"                                                                                             \
    "<value>83</value></rake></nodalPlane1></nodalPlanes></focalMechanism>"
TEST(first_messages)
{
    struct earthquake_event e = read_event(write_text(QUAKEML_FIRST("")), NULL, EARTHQUAKE_QUAKEML);
    assert_false(e.has_mechanism);
    assert_near("magnitude", e.magnitude, 8.1, 0);
    assert_near("depth", e.hypocentre.depth_m, 22000, 0);
    e = read_event(write_text(QUAKEML_FIRST(QUAKEML_PLANE)), NULL, EARTHQUAKE_QUAKEML);
    assert_true(e.has_mechanism && e.is_from_planes);
    assert_near("Mw", earthquake_magnitude(e.solution.moment_n_m), 8.1, 1e-9);
    assert_near("strike", e.solution.planes[0].strike_deg, 353, 1e-6);
    assert_near("rake", e.solution.planes[0].rake_deg, 83, 1e-6);
    e = read_event(
        write_json("{'type': 'Feature', 'properties': {'mag': 7.9, 'products': {'origin': []}}, 'geometry': "
                   "{'coordinates': [143, 38, 20]}, 'id': 'x'}"),
        NULL, EARTHQUAKE_EVENT_JSON);
    assert_false(e.has_mechanism);
    assert_near("depth", e.hypocentre.depth_m, 20000, 0);
    e = read_event(
        write_json("{'type': 'Feature', 'properties': {'mag': 7.9, 'products': {'focal-mechanism': "
                   "[{'properties': {'nodal-plane-1-strike': '20', 'nodal-plane-1-dip': '70', "
                   "'nodal-plane-1-rake': '95'}}]}}, 'geometry': {'coordinates': [143, 38, 20]}, 'id': 'x'}"),
        NULL, EARTHQUAKE_EVENT_JSON);
    assert_near("steep", e.solution.planes[1].dip_deg, 70, 1e-6);
    refuse_event(QUAKEML_FIRST(QUAKEML_PLANE), "<value>19<", "<value>0<", "dip 0", "above 0, up to 90");
    refuse_event(QUAKEML_FIRST(""), "<value>8.1<", "<value>12<", "neither a moment tensor", "");
    refuse_event(QUAKEML_FIRST(QUAKEML_PLANE), "<value>8.1<", "<value>x<",
                 "<mag>: \"x\" is not a finite number", "");
}

// A job needs a moment magnitude: that of the file is taken, whichever is preferred; without one a body-wave
// magnitude (7.2 of Maule 2010, Mw 8.8) is none.
TEST(kinds_of_magnitudes)
{
#define MAGNITUDE(id, value, type)                                                                           \
    "<magnitude publicID='" id "'><mag><value>" value "</value></mag><type>" type "</type></magnitude>"
    struct earthquake_event e = read_event(
        write_text(QUAKEML_FIRST(QUAKEML_PLANE "<preferredMagnitudeID>b</preferredMagnitudeID>" MAGNITUDE(
            "b", "7.2", "mb") MAGNITUDE("w", "8.8", "Mww"))),
        NULL, EARTHQUAKE_QUAKEML);
    assert_near("Mww", earthquake_magnitude(e.solution.moment_n_m), 8.8, 1e-9);
    assert_string_equal(e.magnitude_type, "Mww");
    assert_false(earthquake_event_lacks_moment(&e));
    // The preferred one of two moment magnitudes, but none of the first minutes (Mwp).
    e = read_event(write_text(QUAKEML_FIRST("<preferredMagnitudeID>c</preferredMagnitudeID>" MAGNITUDE(
                       "w", "8.8", "Mww") MAGNITUDE("c", "8.7", "mwc"))),
                   NULL, EARTHQUAKE_QUAKEML);
    assert_near("mwc", e.magnitude, 8.7, 0);
    e = read_event(write_text(QUAKEML_FIRST("<preferredMagnitudeID>p</preferredMagnitudeID>" MAGNITUDE(
                       "p", "8.1", "Mwp") MAGNITUDE("w", "8.8", "Mww"))),
                   NULL, EARTHQUAKE_QUAKEML);
    assert_near("Mww", e.magnitude, 8.8, 0);
    static const char *const products[] = {
        "", ", 'products': {'origin': [{'properties': {'magnitude': '8.8', 'magnitude-type': 'Mww'}}]}"};
    for (int k = 0; k < 2; k++) {
        folder_write_json("file",
                          "{'type': 'Feature', 'properties': {'mag': 7.1, 'magType': 'mb'%s}, 'geometry': "
                          "{'coordinates': [143, 38, 20]}, 'id': 'x'}",
                          products[k]);
        e = read_event(folder_path("file"), NULL, EARTHQUAKE_EVENT_JSON);
        assert_near("magnitude", e.magnitude, k == 0 ? 7.1 : 8.8, 0);
        assert_int_equal(earthquake_event_lacks_moment(&e), k == 0);
    }
}

// A factor of 10 or 100 in a tensor that its file's magnitudes show. MS 7.9 of Tohoku 2011 (Mw 9.08) and mb,
// which saturate, show none.
TEST(tensors_against_magnitudes)
{
    char *json = folder_double_quotes(owned_take(strdup(event_json)));
    refuse_event(json, "\"mag\": 8.3", "\"mag\": 8.6, \"magType\": \"mww\"", "Mw 8.27",
                 "a magnitude of 8.6 (mww)");
    refuse_event(json, "\"mag\": 8.3", "\"mag\": 6.0, \"magType\": \"Mw\"", "Mw 8.27", "6.0 (Mw)");
    refuse_event(json, "\"mag\": 8.3", "\"mag\": 7.2, \"magType\": \"mwp\"", "Mw 8.27", "7.2 (mwp)");
    static const char *const accepted[] = {"8.5, \"magType\": \"mww", "7.3, \"magType\": \"mwp",
                                           "6.5, \"magType\": \"mb", "7.1, \"magType\": \"Ms_20"};
    for (size_t k = 0; k < COUNT(accepted); k++) {
        folder_write_text("file", json);
        folder_shell("sed -i -e 's/\"mag\": 8.3/\"mag\": %s\"/' '%s'", accepted[k], folder_path("file"));
        (void)read_event(folder_path("file"), NULL, EARTHQUAKE_EVENT_JSON);
    }
    refuse_event(json, "\"mag\": 8.3", "\"mag\": 9.3, \"magType\": \"Ms\"", "Mw 8.27", "9.3 (MS)");
    refuse_event(json, "\"mag\": 8.3", "\"mag\": 6.9, \"magType\": \"Ms\"", "Mw 8.27", "6.9 (MS)");
    static const char quakeml[] =
        QUAKEML(QUAKEML_TENSOR, MAGNITUDE("m", "8.3", "Mw") "</event></eventParameters></q:quakeml>");
    char *inside = owned_take(strdup(quakeml)); // the magnitude before the end of the event
    char *end = strstr(inside, "</event><magnitude");
    memmove(end, end + strlen("</event>"), strlen(end + strlen("</event>")) + 1);
    refuse_event(inside, ">8.3<", ">5.9<", "Mw 8.27", "5.9 (Mw)");
}

// The sign of one latitude: thousands of kilometres.
TEST(centroids_far_from_hypocentres)
{
    refuse_event(TOHOKU, "37.52", "33.12", "143.05, latitude 33.12",
                 "581 km apart, expected less than 500 km");
    refuse_event(TOHOKU, " 143.05", "-143.05", "longitude -143.05", "km apart");
    char *json = folder_double_quotes(owned_take(strdup(event_json)));
    refuse_event(json, "-31.38", "31.38", "latitude 31.38", "is the sign of one wrong");
    folder_write_text("file", json); // across the date line
    folder_shell("sed -i -e 's/-71.77/179.9/' -e 's/-71.6744/-179.9/' '%s'", folder_path("file"));
    (void)read_event(folder_path("file"), NULL, EARTHQUAKE_EVENT_JSON);
}

// A preferred element that the event lacks; and several of which none is preferred.
TEST(preferred_elements_of_quakeml)
{
    static const char quakeml[] = QUAKEML(QUAKEML_TENSOR, "</eventParameters></q:quakeml>");
    refuse_event(quakeml, "OriginID>o1<", "OriginID>o9<", "line 13: <preferredOriginID>: no <origin>",
                 "\"o9\"");
    refuse_event(quakeml, "MechanismID>mww<", "MechanismID>nope<", "no <focalMechanism>", "\"nope\"");
    refuse_event(QUAKEML_FIRST(""), "<magnitude", "<preferredMagnitudeID>x</preferredMagnitudeID><magnitude",
                 "no <magnitude>", "\"x\"");
    // A whole kind was left out by the service.
    (void)read_event(write_text(QUAKEML_FIRST("<preferredFocalMechanismID>x</preferredFocalMechanismID>")),
                     NULL, EARTHQUAKE_QUAKEML);
}

TEST(several_events)
{
    const char *path = write_text(PHILIPPINES "\n" TOHOKU);
    struct earthquake_event e;
    enum earthquake_format format;
    assert_failure(earthquake_read_event(path, NULL, &e, &format), STATUS_DATA, "2 solutions",
                   "earthquake.event");
    assert_failure(earthquake_read_event(path, "X", &e, &format), STATUS_DATA,
                   "none of its 2 solutions is \"X\"");
    status_clear();
    assert_near("moment", read_event(path, "201103110546A", EARTHQUAKE_NDK).solution.moment_n_m, 5.312e22,
                5e18);
    assert_near("moment", read_event(path, "B112096E", EARTHQUAKE_NDK).solution.moment_n_m, 5.74e17, 1e15);
}

// ---- refusals

// `text` with the first `from` replaced by `to`; the message has all fragments, and the rupture stays empty.
static void refuse_rupture(const char *text, const char *from, const char *to, const char *a, const char *b)
{
    struct earthquake_rupture r;
    enum earthquake_format format;
    const char *place = strstr(text, from);
    assert_non_null(place);
    char *changed = owned_zeros(1, strlen(text) + strlen(to) + 1);
    sprintf(changed, "%.*s%s%s", (int)(place - text), text, to, place + strlen(from));
    const char *path = write_text(changed);
    assert_failure(earthquake_read_rupture(path, NULL, &r, &format), STATUS_DATA, "/file", a, b);
    assert_null(r.faults.faults);
    assert_int_equal(r.faults.count, 0);
}

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

TEST(damaged_tensors)
{
    refuse_event(TOHOKU, "29  1.730", "23  1.730", "Mw 5.08", "magnitude of 7.9");
    refuse_event(TOHOKU, "29  1.730", "39  1.730", "exponent", "line 4");
    refuse_event(TOHOKU, " 1.730", " 2.730", "trace", "");
    refuse_event(TOHOKU, "4.550", "9.550", "5.312e+22", "component wrong");
    refuse_event(TOHOKU, TOHOKU_5, "", "ends after 4 of its 5 lines", "cut short");
    refuse_event(TOHOKU, " 20.0  0.0 FIX", "-20.0  0.0 FIX", "depth of -20 km", "positive down");
    refuse_event(TOHOKU, "37.52", "97.52", "latitude 97.52", "-90 to 90");
    refuse_event(CMT, CMT_LAST, "", "no line \"Mtp:\"", "six components");
    refuse_event(CMT, "1.950000e+28", "1.95000Oe+28", "", "");
    refuse_event(CMT, "Mrr:       1.950000e+28", "Mrr: much", "line 8: \"Mrr: much\": expected",
                 "one number");
    refuse_event(CMT, "Mtt:", "Mrr:", "line 9: a second \"Mrr\"", "");
    refuse_event(CMT CMT, "half", "half", "line 15: a second solution", "source.faults");
    folder_write_text("file", CMT);
    folder_shell("sed -i -e 's/e+28/e+21/' -e 's/e+27/e+20/' -e 's/e+26/e+19/' '%s'", folder_path("file"));
    struct earthquake_event e;
    enum earthquake_format format;
    assert_failure(earthquake_read_event(folder_path("file"), NULL, &e, &format), STATUS_DATA, "Mw 3.6",
                   "N m");
    static const char quakeml[] = QUAKEML(QUAKEML_TENSOR, "</eventParameters></q:quakeml>");
    refuse_event(quakeml, "<Mrp><value>-2.536e+021</value></Mrp>", "", "the tensor lacks <Mrp>", "line 9");
    refuse_event(quakeml, "-2.536e+021", "-2.536e+O21", "<Mrp>: \"-2.536e+O21\" is not a finite number", "");
    refuse_event(quakeml, "3.19e+021", "3.19e+022", "3.19e+22", "");
    refuse_event(quakeml, "</q:quakeml>", "", "not closed", "cut short");
    refuse_event(quakeml, "</tensor></moment", "</tensr></moment", "</tensr> closes tensor", "line 7");
    refuse_event(quakeml, "felt &amp;", "felt &amplify;", "no entity", "line 5");
    char *json = folder_double_quotes(owned_take(strdup(event_json)));
    refuse_event(json, "\"tensor-mtp\"", "\"tensor-mpt\"", "lacks \"tensor-mtp\"", "");
    refuse_event(json, "-2.536E+21", "-2.536F+21", "\"tensor-mrp\": \"-2.536F+21\"", "");
    char *first = owned_take(strdup(strstr(json, "\"mag\": 8.3") ? json : ""));
    memcpy(strstr(first, "moment-tensor"), "moment-tenser", 13);
    refuse_event(first, "\"mag\": 8.3", "\"mag\": 12", "neither a moment tensor nor a magnitude", "3 to 10");
}

// A line of ndk that one blank, or one blank less, shifts against its columns: it would have numbers there,
// too (longitude 1, depth 2 km), but others.
TEST(shifted_ndk)
{
    static const struct {
        const char *from, *to, *columns;
    } shifts[] = {{"0.01  143.05", "0.01   143.05", "columns 35 to 42 (longitude) hold \"143.0\""},
                  {"CENTROID:     69.8", "CENTROID:      69.8", "columns 10 to 18 (time shift) hold \"69.\""},
                  {"0.02  20.0", "0.02    20.0", "columns 48 to 53 (depth) hold \"20\""},
                  {"0.02  20.0", "0.02     20.0", "columns 48 to 53 (depth) hold \"2\""},
                  {"  38.32  142", "   38.32  142", "\"2\" in column 34"},
                  {"142.37  24.4", "142.37 24.4", "\"7\" in column 48"},
                  {" 7.9 NEAR", "  7.9 NEAR", "\"9\" in column 56"},
                  {"29  1.730", "29   1.730", "columns 3 to 9 (Mrr) hold \"1.73\""},
                  {"0.006 -0.281", "0.006  -0.281", "columns 16 to 22 (Mtt) hold \"-0.28\""},
                  {"115   5.312", "115    5.312", "columns 49 to 56 (scalar moment) hold \"5.31\""},
                  {"V10   5.305", "V10    5.305", "columns 4 to 11 (a principal axis) hold \"5.30\""},
                  {"20.0  0.0 FIX", "20.0  nan FIX", "columns 54 to 58 (its error) hold \"nan\""},
                  {"24.4", "0x18", "columns 43 to 47 (depth) hold \"0x18\""}};
    for (size_t k = 0; k < sizeof shifts / sizeof *shifts; k++)
        refuse_event(TOHOKU, shifts[k].from, shifts[k].to, shifts[k].columns, "columns of ndk");
}

// The day, the time and the zone of each format; and dates that there are not.
TEST(times_of_origins)
{
    static const char quakeml[] = QUAKEML(QUAKEML_TENSOR, "</eventParameters></q:quakeml>");
    static const char quakeml_time[] = "2015-09-16T22:54:32.860Z";
    folder_write_text("file", quakeml);
    folder_shell("sed -i -e 's/%s/2015-09-17T07:54:32.125+09:00/' '%s'", quakeml_time, folder_path("file"));
    assert_string_equal(read_event(folder_path("file"), NULL, EARTHQUAKE_QUAKEML).time,
                        "2015-09-16 22:54:32.125");
    refuse_event(quakeml, quakeml_time, "2011-02-29T05:46:23Z", "line 11: <time>: \"2011-02-29T05:46:23Z\"",
                 "not a date");
    refuse_event(quakeml, quakeml_time, "2011-03-11T24:00:00Z", "\"2011-03-11T24:00:00Z\"", "not a date");
    refuse_event(TOHOKU, "2011/03/11", "2011/02/29", "line 1: \"2011/02/29 05:46:23.0\"", "not a date");
    refuse_event(CMT, "2015  9 16", "2015  9 31", "line 1: \"2015-09-31 22:54:32.900\"", "not a date");
    refuse_event(CMT, "2015  9 16", "2015  9 nan", "line 1: 2 numbers, then \"nan 22", "the date");
    char *json = folder_double_quotes(owned_take(strdup(event_json)));
    refuse_event(json, "1442444072860", "1e300", "\"time\": 1e+300", "since 1970");
    refuse_event(json, "1442444072860", "\"today\"", "\"time\": \"today\"", "");
    // The products repeat the time: seconds for milliseconds, another zone.
    static const char repeated[] = "\"eventtime\": \"2015-09-16T22:54:32.860Z\", \"derived-depth\"";
    char *whole = owned_zeros(1, strlen(json) + sizeof repeated);
    char *place = strstr(json, "\"derived-depth\"");
    sprintf(whole, "%.*s%s%s", (int)(place - json), json, repeated, place + strlen("\"derived-depth\""));
    (void)read_event(write_text(whole), NULL, EARTHQUAKE_EVENT_JSON);
    refuse_event(whole, "1442444072860", "1442444072", "1970-01-17 16:40:44.072",
                 "\"eventtime\" of the moment-tensor is 2015-09-16 22:54:32.86");
    refuse_event(whole, "T22:54:32.860Z", "T23:04:33Z", "within 10 minutes", "2015-09-16 23:04:33");
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

// Names are one line of UTF-8 without control characters; a declared encoding is converted.
TEST(names_of_events)
{
    struct earthquake_event e;
    folder_write_text("file", TOHOKU);
    folder_shell("sed -i -e 's/COAST OF/CO\tST\033\377F/' '%s'", folder_path("file"));
    e = read_event(folder_path("file"), NULL, EARTHQUAKE_NDK);
    assert_string_equal(e.place, "NEAR EAST CO ST \357\277\275F HONSH");
    folder_write_text("file", QUAKEML(QUAKEML_TENSOR, "</eventParameters></q:quakeml>"));
    folder_shell("sed -i -e 's/COQUIMBO/\321U\321OA/' -e s/UTF-8/ISO-8859-1/ '%s'", folder_path("file"));
    e = read_event(folder_path("file"), NULL, EARTHQUAKE_QUAKEML);
    assert_string_equal(e.place, "OFFSHORE \303\221U\303\221OA, CHILE");
    static const char quakeml[] = QUAKEML(QUAKEML_TENSOR, "</eventParameters></q:quakeml>");
    refuse_event(quakeml, "UTF-8", "EBCDIC-TR", "encoding \"EBCDIC-TR\"", "expected UTF-8");
    folder_write_json("file", "%s", event_json);
    folder_shell("sed -i -e 's/48 km W/48 km\\\\n\\\\u001b[31m W/' '%s'", folder_path("file"));
    e = read_event(folder_path("file"), NULL, EARTHQUAKE_EVENT_JSON);
    assert_string_equal(e.place, "48 km  [31m W of Illapel, Chile");
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
