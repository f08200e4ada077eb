// The files of an earthquake's moment tensor, nodal planes or magnitude, in the form in which they are
// published: what each is read as, and how each kind of damage is refused.
#include "tests/support/test.h"

#include "tests/support/earthquake_files.h"
#include "tests/support/numbers.h"

#include <math.h>

TEST_SUITE(.group_setup = folder_make, .group_teardown = folder_remove, .setup = clear_status);

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
