// A source from a magnitude, from a moment tensor and from a finite fault, with the whole program: what plan
// and run.json say of it, and how mistakes are refused.
#include "tests/support/test.h"

#include "tests/support/cli_fixture.h"
#include "tests/support/cli_results.h"
#include "tests/support/gnuplot.h"
#include "tests/support/great_earthquakes.h"
#include "tests/support/numbers.h"
#include "tests/support/refusals.h"

#include <cjson/cJSON.h>
#include <math.h>

TEST_SUITE(.setup = cli_setup, .teardown = cli_teardown);

static double flat(double x, double y, double time_s)
{
    (void)x, (void)y, (void)time_s;
    return -4000;
}

// A sea round the places of Tohoku 2011 and Maule 2010.
static cJSON *wide_job(bool is_maule, const char *source)
{
    const struct cli_grid grid =
        CLI_GLOBE(41, 41, is_maule ? -85 : 130, is_maule ? -46 : 28, 0.5, 0.5, {"z", "m", "up", NULL, flat});
    cJSON *job = cli_change(cli_sea_job(), "domain.bathymetry = {'file': 'wide.nc'}; delete source.faults");
    cli_write_grid("wide.nc", &grid);
    return cli_change(job, "source = %s", source);
}

static cJSON *plan_of(cJSON *job)
{
    cli_save_job(job);
    return cli_output_json(cli_do("plan --json job.json"));
}

static void assert_source(cJSON *job, double magnitude, double moment_n_m)
{
    const cJSON *plan = plan_of(job);
    assert_near("Mw", cli_json_number(plan, "source.moment_magnitude"), magnitude, 0.01);
    assert_near("moment", cli_json_number(plan, "source.moment_n_m") / moment_n_m, 1, 1e-6);
}

#define TOHOKU_PLANE                                                                                         \
    "'longitude': '142.37 degree', 'latitude': '38.3 degree', 'depth': '29 km', 'strike': '203 degree', "    \
    "'dip': '10 "                                                                                            \
    "degree', 'rake': '88 degree'"
#define MAULE_PLANE                                                                                          \
    "'longitude': '-72.9 degree', 'latitude': '-36.12 degree', 'depth': '23 km', 'strike': '19 degree', "    \
    "'dip': '18 "                                                                                            \
    "degree', 'rake': '116 degree'"

// (a) Magnitude and mechanism; (b) the Global CMT solution.
TEST(magnitudes_and_tensors_of_great_earthquakes)
{
    assert_source(wide_job(false, "{'earthquake': {'magnitude': 9.08, " TOHOKU_PLANE "}}"), 9.08,
                  pow(10, 1.5 * 9.08 + 9.1));
    assert_source(wide_job(true, "{'earthquake': {'magnitude': 8.8, 'relation': 'blaser', " MAULE_PLANE "}}"),
                  8.8, pow(10, 1.5 * 8.8 + 9.1));
    assert_source(
        wide_job(true, "{'earthquake': {'moment': '1.86e22 N m', 'relation': 'murotani', " MAULE_PLANE "}}"),
        8.78, 1.86e22);
    cli_write_text("tohoku.ndk", great_tohoku_ndk);
    cli_write_text("maule.cmt", great_maule_cmt);
    assert_source(wide_job(false, "{'earthquake': {'file': 'tohoku.ndk'}}"), 9.08, 5.311834400222294e22);
    assert_source(
        wide_job(true, "{'earthquake': {'file': 'maule.cmt', 'relation': 'thingbaijam-interface'}}"), 8.78,
        1.857984293713657e22);
    // The tensor in the job itself, in dyn cm.
    assert_source(
        wide_job(false,
                 "{'earthquake': {'tensor': {'mrr': '1.73e29 dyne cm', 'mtt': '-0.281e29 dyne cm', 'mpp': "
                 "'-1.45e29 dyne cm', 'mrt': '2.12e22 N m', 'mrp': '4.55e22 N m', 'mtp': '-0.657e22 N "
                 "m'}, 'longitude': '143.05 degree', 'latitude': '37.52 degree', 'depth': '20 km'}}"),
        9.08, 5.311834400222294e22);
}

// (c) A finite fault in the USGS' form.
TEST(finite_faults_of_great_earthquakes)
{
    const double tohoku = great_write_tohoku("tohoku.param");
    assert_source(wide_job(false, "{'faults': 'tohoku.param'}"), (log10(tohoku) - 9.1) / 1.5, tohoku);
    const double maule = great_write_maule("maule.param");
    cJSON *job = wide_job(true, "{'faults': 'maule.param'}");
    assert_source(job, (log10(maule) - 9.1) / 1.5, maule);
    const cJSON *plan = plan_of(job);
    assert_near("segments", cli_json_number(plan, "source.finite_fault.segments"), 1, 0);
    assert_near("faults", cli_json_number(plan, "source.faults"), 180, 0);
    assert_has(cli_do("plan job.json")->output, "source     Mw 8.", "180 faults that slip", "slip 15.7",
               "largest uplift");
}

// The resolved faults in run.json are a table that makes the same waves, bit for bit.
TEST(the_resolved_source_repeats_the_run)
{
    cJSON *job = wide_job(
        false, "{'earthquake': {'magnitude': 8.2, 'rise': '40 s', 'start': '10 s', " TOHOKU_PLANE "}}");
    cli_run_job(job);
    const cJSON *run = cli_read_json("out/run.json");
    const cJSON *table = cJSON_GetArrayItem(cli_item(run, "source.fault_tables"), 0);
    assert_near("uplift", cli_json_number(run, "source.largest_uplift_m"), 1.3, 0.9);
    const char *text = owned_take(cJSON_PrintUnformatted(table));
    cli_set_text(job, "output.directory", "again");
    cli_run_job(cli_change(job, "source = {'faults': %s}", text));
    cli_assert_same_results("out", "again");
    if (!has_gnuplot())
        return;
    cli_do("report out --size 500x400");
    assert_has(folder_text("out/report.html"), "1 fault, moment magnitude 8.20, largest slip ",
               "largest uplift");
}

// The largest uplift is that of the run's own deformation, on a grid that is finer than the source.
TEST(largest_uplift_of_the_plan)
{
    const struct cli_grid grid = CLI_GLOBE(121, 121, 140, 35.3, 0.05, 0.05, {"z", "m", "up", NULL, flat});
    cJSON *job = wide_job(false, "{'earthquake': {'magnitude': 8.0, " TOHOKU_PLANE "}}");
    cli_write_grid("fine.nc", &grid);
    cli_change(
        job,
        "domain.bathymetry.file = 'fine.nc'; time = {'duration': '1 min'}; output = {'directory': 'out', "
        "'deformation': true}");
    const double planned = cli_json_number(plan_of(job), "source.largest_uplift_m");
    cli_run_job(job);
    const double *uplift = cli_read_variable("out/deformation.nc", "deformation", NULL, NULL);
    double most = 0;
    for (size_t k = 0; k < grid.nx * grid.ny; k++)
        most = fmax(most, uplift[k]);
    assert_near("uplift", planned / most, 1, 0.01);
    assert_true(planned >= most * 0.9999);
}

TEST(plan_and_log_say_what_was_chosen)
{
    cli_write_text("tohoku.ndk", great_tohoku_ndk);
    cli_save_job(wide_job(false, "{'earthquake': {'file': 'tohoku.ndk'}}"));
    const struct cli_result *result = cli_do("plan job.json");
    assert_has(
        result->output,
        "source     Mw 9.08 (5.312e+22 N m), one plane of 686.8 km by 202.4 km (Strasser et al. (2010), "
        "interface), slip 9.55 m, strike 203, dip 10, rake 88");
    assert_has(result->error,
               "of the nodal planes strike 203, dip 10, rake 88 degree and strike 25, dip 80, rake 90",
               "the first one, which dips less");
    cli_save_job(
        wide_job(false, "{'earthquake': {'file': 'tohoku.ndk', 'plane': 'steep', 'depth': '5 km'}}"));
    result = cli_do("plan job.json");
    assert_has(result->output, "strike 25, dip 80, rake 90");
    assert_has(result->error, "would break the sea floor, and was moved down by 94.8 km");
    cli_save_job(wide_job(
        false, "{'earthquake': {'magnitude': 9.6, 'relation': 'wells-coppersmith', " TOHOKU_PLANE "}}"));
    assert_has(cli_do("plan job.json")->error,
               "Mw 9.60 lies outside the data of Wells & Coppersmith (1994), Mw 4.8 to 7.6");
}

TEST(info_of_events_and_ruptures)
{
    cli_write_text("tohoku.ndk", great_tohoku_ndk);
    assert_has(
        cli_do("info tohoku.ndk")->output, "ndk, moment tensors", "M201103110546A, NEAR EAST COAST OF HONSH",
        "Mw 9.08, 5.312e+22 N m", "shallow: strike 203.4, dip 9.5, rake 88.5 degree (reverse)",
        "steep: strike 24.9, dip 80.5, rake 90.3", "\"source\": {\"earthquake\": {\"file\":\"tohoku.ndk\"}}");
    const cJSON *json = cli_output_json(cli_do("info --json tohoku.ndk"));
    assert_near("Mw", cli_json_number(json, "tensor_magnitude"), 9.0835, 1e-4);
    const double moment = great_write_param("a.param", 8, 5, 25, 20, 200, 10, 143, 38, 5, 1000);
    assert_has(cli_do("info a.param")->output, "USGS .param", "patches    40 in 1 segment, 40 slip",
               "slip       largest", "extent     longitude", "\"source\": {\"faults\": \"a.param\"}");
    json = cli_output_json(cli_do("info --json a.param"));
    assert_near("moment", cli_json_number(json, "moment_n_m") / moment, 1, 1e-9);
    assert_near("patches", cli_json_number(json, "patches"), 40, 0);
    cli_assert_error(cli_run("info --record 1 a.param"), 64, false, "are for grids");
    cli_assert_error(cli_run("info --event X a.param"), 64, false, "--event is for files of moment tensors");
    cli_assert_error(cli_run("info --event X tohoku.ndk"), 65, false, "none of its 1 solutions is \"X\"");
}

// What editors, spreadsheets and broken downloads make of a file: read, or refused with one line.
TEST(texts_of_other_programs)
{
    static const char convert[] = "iconv -f UTF-16 -t UTF-8";
    cli_write_text("tohoku.ndk", great_tohoku_ndk);
    folder_shell(
        "cd '%s' && iconv -f UTF-8 -t UTF-16 tohoku.ndk > utf16.ndk && sed -e 's/$/\r/' tohoku.ndk > "
        "crlf.ndk && (printf '\357\273\277'; cat tohoku.ndk) > bom.ndk && "
        "(head -c 9 /dev/zero; cat tohoku.ndk) > nul.ndk",
        folder_root());
    folder_shell("cd '%s' && (printf '{\"type\":\"Feature\",\"properties\":'; head -c 100000 /dev/zero | tr "
                 "'\\0' '[') > deep.json && (printf '<q:quakeml>'; yes '<a>' | head -n 50000) > deep.xml",
                 folder_root());
    cli_write_text("huge.json", "{\"type\": \"Feature\", \"properties\": {\"mag\": 1e999, \"products\": {}}, "
                                "\"geometry\": {\"coordinates\": [143, 38, 20]}, \"id\": \"x\"}");
    cli_write_text("empty.ndk", "");
    cli_write_text("feed.json", "{\"type\": \"FeatureCollection\", \"features\": [{\"type\": \"Feature\", "
                                "\"properties\": {\"mag\": 5.1, \"detail\": \"x\"}}]}");
    static const struct cli_refusal rows[] = {
        {"info feed.json", DATA, {"a feed of earthquakes", "\"detail\""}},
        {"info utf16.ndk", DATA, {"utf16.ndk", convert}},
        {"info nul.ndk", DATA, {"nul.ndk"}},
        {"info deep.json", DATA, {"deep.json"}},
        {"info deep.xml", DATA, {"deep.xml"}},
        {"info huge.json", DATA, {"huge.json", "3 to 10"}},
        {"info empty.ndk", DATA, {"the file is empty"}}};
    CLI_ASSERT_REFUSED(rows);
    EXPECT_BAD(wide_job(false, "{'earthquake': {'file': 'utf16.ndk'}}"), DATA, NULL,
               "source.earthquake.file: utf16.ndk", convert);
    EXPECT_BAD(wide_job(false, "{'faults': 'utf16.ndk'}"), DATA, NULL, "utf16.ndk", convert);
    assert_has(cli_do("info crlf.ndk")->output, "Mw 9.08, 5.312e+22 N m");
    assert_has(cli_do("info bom.ndk")->output, "Mw 9.08, 5.312e+22 N m");
}

// A file of the first minutes has a magnitude and a place; the job gives the mechanism, and may know better.
TEST(an_event_without_a_mechanism)
{
    cli_write_text("first.json", "{\"type\": \"Feature\", \"properties\": {\"mag\": 8.8, \"products\": {}}, "
                                 "\"geometry\": {\"coordinates\": [143, 38, 20]}, \"id\": \"x\"}");
    assert_has(cli_do("info first.json")->output, "magnitude  8.8 (the file does not say of which type)",
               ", no mechanism", "\"strike\":\"?\"", "to decide  strike, dip and rake");
    static const char mechanism[] = "'strike': '200 degree', 'dip': '10 degree', 'rake': '90 degree'";
    char source[300];
    sprintf(source, "{'earthquake': {'file': 'first.json', %s}}", mechanism);
    assert_source(wide_job(false, source), 8.8, pow(10, 1.5 * 8.8 + 9.1));
    sprintf(source, "{'earthquake': {'file': 'first.json', 'magnitude': 9.0, %s}}", mechanism);
    assert_source(wide_job(false, source), 9.0, pow(10, 1.5 * 9.0 + 9.1));
    EXPECT_BAD(wide_job(false, "{'earthquake': {'file': 'first.json'}}"), CONFIGURATION, NULL,
               "source.earthquake.strike", "the file has no mechanism");
}

// A body-wave magnitude is no Mw: the job gives one, with the nodal planes of the file or its own.
TEST(an_event_without_a_moment_magnitude)
{
#define BODY(products)                                                                                       \
    "{\"type\": \"Feature\", \"properties\": {\"mag\": 7.1, \"magType\": \"mb\"" products                    \
    "}, \"geometry\": {\"coordinates\": [143, 38, 20]}, \"id\": \"x\"}"
    cli_write_text("body.json", BODY(""));
    cli_write_text(
        "planes.json",
        BODY(", \"products\": {\"focal-mechanism\": [{\"properties\": {\"nodal-plane-1-strike\": 20, "
             "\"nodal-plane-1-dip\": 18, \"nodal-plane-1-rake\": 95}}]}"));
    assert_has(cli_do("info planes.json")->output, "magnitude  7.1 (mb), not a moment magnitude",
               "\"magnitude\":\"?\"", "to decide  magnitude (Mw)", "dip 18.0");
    EXPECT_BAD(wide_job(false, "{'earthquake': {'file': 'planes.json'}}"), CONFIGURATION, NULL,
               "source.earthquake.magnitude: missing", "7.1 of planes.json is mb, not a moment magnitude");
    EXPECT_BAD(wide_job(false,
                        "{'earthquake': {'file': 'body.json', 'strike': '20 degree', 'dip': '10 degree', "
                        "'rake': '90 degree'}}"),
               CONFIGURATION, NULL, "source.earthquake.magnitude: missing", "7.1 of body.json is mb");
    assert_source(wide_job(false, "{'earthquake': {'file': 'planes.json', 'magnitude': 8.8}}"), 8.8,
                  pow(10, 1.5 * 8.8 + 9.1));
}

static cJSON *source_of(const char *source)
{
    cli_write_job(wide_job(false, source), "slip.json");
    cli_do("run --quiet --output slip slip.json");
    return cli_read_json("slip/run.json");
}

// The patches of a random slip are faults of the run, with the moment of the magnitude; another seed is
// another slip. Strasser's area at one standard deviation: 0.304 of log10.
TEST(random_slip_and_deviations)
{
    cJSON *run =
        source_of("{'earthquake': {'magnitude': 9.0, " TOHOKU_PLANE ", 'random_slip': {'seed': 3}}}");
    const cJSON *source = cli_item(run, "source");
    const double moment_n_m = pow(10, 1.5 * 9 + 9.1), largest_m = cli_json_number(source, "largest_slip_m");
    assert_near("moment", cli_json_number(source, "moment_n_m"), moment_n_m, 1e-9 * moment_n_m);
    const double along = cli_json_number(source, "earthquake.random_slip.patches_along_strike"),
                 down = cli_json_number(source, "earthquake.random_slip.patches_down_dip");
    assert_true(cli_json_number(source, "faults_that_slip") == along * down && along * down > 50);
    double sum_n_m = 0;
    const cJSON *row;
    cJSON_ArrayForEach(row, cli_item(source, "fault_tables.0.rows")) sum_n_m +=
        4e10 * cJSON_GetArrayItem(row, 3)->valuedouble * cJSON_GetArrayItem(row, 4)->valuedouble *
        cJSON_GetArrayItem(row, 8)->valuedouble;
    assert_near("moment of the patches", sum_n_m, moment_n_m, 1e-6 * moment_n_m);
    assert_true(largest_m > 1.5 * cli_json_number(source, "mean_slip_m"));
    assert_has(cli_text(source, "summary"), "patches of random slip (seed 3)");
    run = source_of("{'earthquake': {'magnitude': 9.0, " TOHOKU_PLANE ", 'random_slip': {'seed': 4}}}");
    assert_true(fabs(cli_json_number(run, "source.largest_slip_m") - largest_m) > 1e-3);
    run = source_of("{'earthquake': {'magnitude': 9.0, " TOHOKU_PLANE ", 'area_sigmas': 1}}");
    const double area_km2 = 1e-6 * cli_json_number(run, "source.area_m2");
    assert_near("area", log10(area_km2), -2.477 - 0.882 + (0.585 + 0.351) * 9 + 0.304, 1e-9);
}

static cJSON *good_job(void)
{
    return wide_job(false, "{'earthquake': {'magnitude': 9.0, " TOHOKU_PLANE "}}");
}

#define TENSOR                                                                                               \
    "{'mrr': '1e20 N m', 'mtt': '0 N m', 'mpp': '-1e20 N m', 'mrt': '0 N m', 'mrp': '0 N m', 'mtp': '0 N "   \
    "m'}"

TEST(mistakes_in_the_block)
{
    cli_write_text("tohoku.ndk", great_tohoku_ndk);
    cli_write_text("strike-slip.cmt",
                   "\nevent name: x\ntime shift: 0\nhalf duration: 1\nlatitude: 38\nlongitude: 143\n"
                   "depth: 20\nMrr: 0\nMtt: 0\nMpp: 0\nMrt: 0\nMrp: 0\nMtp: 1e27\n");
    static const struct bad cases[] = {
        BAD("source.earthquake.magnitude = 12", "magnitude", "12 is out of range", "4 to 9.7"),
        BAD("source.earthquake.dip = '0 degree'", "dip", "out of range", "0.1 to 90"),
        BAD("source.earthquake.depth = '-3 km'", "depth", "out of range"),
        BAD("delete source.earthquake.strike", "source.earthquake.strike", "missing"),
        BAD("delete source.earthquake.depth", "source.earthquake.depth", "missing"),
        BAD("delete source.earthquake.magnitude", "neither magnitude nor moment", "length, width and slip"),
        BAD("source.earthquake.moment = '4e22 N m'", "source.earthquake.moment", "magnitude is given"),
        BAD("source.earthquake.slip = '30 m'", "a slip of 30 m", "magnitude is 9.00", "leave out slip"),
        BAD("source.earthquake.plane = 'steep'", "source.earthquake.plane", "has no effect"),
        BAD("source.earthquake.event = 'x'", "source.earthquake.event", "has no effect"),
        BAD("source.earthquake.aspect = 3", "source.earthquake.aspect", "murotani"),
        BAD("source.earthquake.point = 'centroid'; source.earthquake.down_dip = 0.2", "down_dip",
            "has no effect", "centroid"),
        BAD("source.earthquake.length = '300 km'; source.earthquake.width = '100 km'; "
            "source.earthquake.relation = "
            "'blaser'",
            "source.earthquake.relation", "length and width are given"),
        BAD("source.earthquake.relation = 'straser'", "relation", "strasser-interface"),
        BAD("source.earthquake.file = 'tohoku.ndk'", "source.earthquake.magnitude", "the tensor gives"),
        BAD_AS(DATA, "source = {'earthquake': {'file': 'tohoku.ndk', 'event': 'Y'}}",
               "source.earthquake.file", "none of its 1 solutions"),
        BAD_AS(NO_INPUT, "source = {'earthquake': {'file': 'nowhere'}}", "source.earthquake.file", "nowhere"),
        BAD("source = {'earthquake': {'file': 'strike-slip.cmt'}}", "source.earthquake.plane", "strike-slip",
            "shallow"),
        BAD("source.earthquake = {'tensor': " TENSOR "}", "source.earthquake.longitude", "missing"),
        BAD("source.earthquake = {'tensor': " TENSOR "}; delete source.earthquake.tensor.mtp", "mtp",
            "six components"),
        BAD("source.earthquake = {'tensor': " TENSOR "}; source.earthquake.tensor.mrr = '2e20 N m'", "trace"),
        BAD("source.earthquake.latitude = '10 degree'", "lies outside the domain"),
        BAD("source.faults_reference = 'centre'", "source.faults_reference", "has no effect"),
        BAD("source.earthquake.start = '2 h'", "begins after the end of the run"),
        BAD("source.earthquake.random_slip = {}", "source.earthquake.random_slip.seed", "missing"),
        BAD("source.earthquake.random_slip = {'seed': 1, 'correlation': 'karman'}", "mai-beroza"),
        BAD("source.earthquake.random_slip = {'seed': 1, 'taper': 0.6}", "taper", "0 to 0.5"),
        BAD("source.earthquake.random_slip = {'seed': 1, 'patch': '1 km'}", "source.earthquake.random_slip",
            "at most 10000"),
        BAD("source.earthquake.random_slip = {'seed': 1, 'correlation': 'mai-beroza', 'hurst': 1, "
            "'along_strike': '80 km', 'down_dip': '40 km'}",
            "random_slip.correlation", "has no effect"),
        BAD("source.earthquake.relation = 'leonard'; source.earthquake.length_sigmas = 1", "length_sigmas",
            "Leonard (2010), interplate gives no standard deviation of the length"),
        BAD("source.earthquake.relation = 'blaser'; source.earthquake.area_sigmas = 1", "area_sigmas",
            "Blaser et al. (2010) gives no standard deviation of the area"),
        BAD("source.earthquake.area_sigmas = 1; source.earthquake.width_sigmas = 1", "width_sigmas",
            "has no effect"),
        BAD("source.earthquake.length = '300 km'; source.earthquake.length_sigmas = 1", "length_sigmas",
            "has no effect"),
    };
    EXPECT_ALL(good_job, cases);
}

TEST(mistakes_in_files_of_faults)
{
    great_write_param("a.param", 8, 5, 25, 20, 200, 10, 143, 38, 5, 1000);
    cli_copy("a.param", "cut.param");
    cli_truncate("cut.param", 0.7);
    cli_write_text("a.csv", "Longitude,Latitude,Depth(km),Length(km),Width(km),Strike,Dip,Rake,Slip(m)\n"
                            "143,38,10,100,50,200,10,90,5\n");
    static const struct bad cases[] = {
        BAD_AS(DATA, "source = {'faults': 'cut.param'}", "source.faults", "cut.param", "line "),
        BAD_AS(DATA, "source = {'faults': 'a.csv'}", "a.csv: line 1", "source.faults_reference"),
        BAD_AS(DATA, "source = {'faults': 'a.param', 'faults_reference': 'centre'}", "defines its own"),
        BAD_AS(DATA, "source = {'earthquake': {'file': 'a.param'}}", "give it as source.faults"),
    };
    EXPECT_ALL(good_job, cases);
    cli_save_job(cli_change(good_job(), "source = {'faults': 'a.csv', 'faults_reference': 'top_centre'}"));
    assert_has(cli_do("plan job.json")->output, "Mw 7.9", "one fault of");
}
