// Nested grids that the sea does not reach through their parent: refused where no water of their edges is
// connected with it, warned of where less than half is; and a run reports that no wave came.
#include "tests/support/cli_fixture.h"
#include "tests/support/test.h"

// A plane coast, 60 by 40 km: deep water west of 30 km, a shelf of 5 m to 44 km, land beyond 46 km at 3 m. In
// the shelf, at the western edge of the harbour's grid (40 km), a pond of 30 m that only the shelf joins with
// the sea.
static bool is_pond(double x, double y)
{
    return x > 38900 && x < 41100 && y > 18900 && y < 21100;
}

static double shelf(double x, double y, double time_s)
{
    if (x <= 30000)
        return -200;
    if (is_pond(x, y))
        return -30;
    return x <= 44000 ? -5 : 3;
}

// The same without water on the shelf: the pond is a lake.
static double dry_shelf(double x, double y, double time_s)
{
    const double z = shelf(x, y, time_s);
    return z == -5 ? 1 : z;
}

// A channel of 30 m from the sea to the harbour, four of its 21 nodes wide (18.5 to 20.5 km north).
static double channel(double x, double y, double time_s)
{
    return x <= 44000 && y > 18400 && y < 20100 ? fmin(-30, shelf(x, y, time_s)) : shelf(x, y, time_s);
}

// A lake in the land, 90 of the parent's nodes, that its northern edge cuts.
static double cut_lake(double x, double y, double time_s)
{
    return x > 45900 && x < 54100 && y > 30900 ? -30 : dry_shelf(x, y, time_s);
}

// A sea of 200 m to 24 km, a bar of 5 m to 26 km, a lagoon of 20 m to 46 km, larger than a tenth of the sea.
static double large_lagoon(double x, double y, double time_s)
{
    return x <= 24000 ? -200 : x < 26000 ? -5 : x <= 46000 ? -20 : 3;
}

// The same behind dry land: a lake.
static double large_lake(double x, double y, double time_s)
{
    const double z = large_lagoon(x, y, time_s);
    return z == -5 ? 1 : z;
}

static double hump(double x, double y, double time_s)
{
    return exp(-(x - 10000) * (x - 10000) / 9e6);
}

static void write_coast(double (*bottom)(double x, double y, double time_s))
{
    struct cli_grid grid = CLI_PLANE(121, 81, 0, 0, 500, 500, {"z", "m", "up", NULL, bottom});
    cli_write_grid("coast.nc", &grid);
    grid.variables[0] = (struct cli_variable){"eta", "m", NULL, NULL, hump};
    cli_write_grid("hump.nc", &grid);
}

// The ocean with walls at 10 m and in it a harbour that floods, from 40 to 50 km east and 15 to 25 km north.
static cJSON *harbour_job(void)
{
    return cli_json("{'fathom': 1, 'model': 'tsunami', 'backend': 'openmp','domain': {'bathymetry': {'file': "
                    "'coast.nc'}, 'spacing': '1 km'},'source': {'initial': {'file': 'hump.nc', 'eta': "
                    "'eta'}},'time': {'duration': '30 min'}, 'output': {'directory': 'out'},'nested': "
                    "{'harbour': {'method': 'muscl-hancock', 'domain': {'bathymetry': {'file': 'coast.nc'}, "
                    "'x': ['40 km', '50 km'], 'y': ['15 km', '25 km']}}}}");
}

// A fault that strikes north: x, y and depth of its middle, length and width in km.
#define FAULT(place)                                                                                         \
    "{\"fathom_faults\": 1, \"reference\": \"centre\", \"columns\": [\"x\", \"y\", \"depth\", \"length\", "  \
    "\"width\", \"strike\", \"dip\", \"rake\", \"slip\"], \"units\": [\"km\", \"km\", \"km\", \"km\", "      \
    "\"km\", "                                                                                               \
    "\"degree\", \"degree\", \"degree\", \"m\"], \"rows\": [[" place ", 0, 20, 90, 3]]}"

static const struct cli_result *command(const char *word, const cJSON *job)
{
    cli_save_job(job);
    return strcmp(word, "plan") == 0 ? cli_run("plan job.json") : cli_run("run -q --restart job.json");
}

// A number of the nested grid's part of run.json.
static double of_harbour(const char *name)
{
    cJSON *report = cli_read_json("out/run.json");
    const cJSON *harbour = cli_item(report, "nested.0");
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(harbour, name);
    assert_non_null(item);
    const double value = cJSON_IsBool(item) ? cJSON_IsTrue(item) : item->valuedouble;
    return value;
}

// Water in both grids at the edge, a pond of the parent's: no way leads there from the sea.
TEST(a_harbour_cut_off_is_refused)
{
    cJSON *job = harbour_job();
    write_coast(shelf);
    static const char *const commands[] = {"plan", "run"};
    for (int k = 0; k < 2; k++) {
        const struct cli_result *result = command(commands[k], job);
        // West: 21 nodes; south and north: 8 more each before the land at 44.5 km.
        cli_assert_error(result, CONFIGURATION, false, "job.json: nested.harbour.domain: no wave can come in",
                         "of the 37 wet nodes of its edges none",
                         "the coast of the outermost grid is a wall at 10 m of depth: let it flood (method)");
    }
    assert_false(cli_exists("out"));
    // What the message states: a parent that floods, or whose walls stand in shallower water.
    cli_change(job, "method = 'muscl-hancock'");
    cli_assert_done(command("run", job));
    assert_true(of_harbour("wet_edge_nodes") == 37 && of_harbour("connected_edge_nodes") == 37);
    assert_true(of_harbour("wave_came_in") == 1 && of_harbour("largest_wave_at_edges_m") > 0.05);
    assert_false(cli_has_warning("out", "nested grid harbour", ""));
    cli_change(job, "delete method; physics.wall_depth = '2 m'");
    cli_assert_done(command("run", job));
    assert_true(of_harbour("connected_edge_nodes") == 37);
    // A lake, in a parent that floods: nothing to do but another grid.
    write_coast(dry_shelf);
    cli_change(job, "delete physics; method = 'muscl-hancock'");
    cli_assert_error(
        command("plan", job), CONFIGURATION, false, "no wave can come in",
        "the outermost grid, that is connected with the open sea; extend this grid to where the sea is");
}

// A channel feeds a few nodes: the run continues and reports the counts.
TEST(a_narrow_way_is_a_warning)
{
    cJSON *job = harbour_job();
    write_coast(channel);
    const struct cli_result *result = command("run", job);
    if (result->exit_code != 0)
        fail_msg("%s", result->error);
    assert_true(cli_has_warning("out", "nested grid harbour: only ", ""));
    assert_true(cli_has_warning(
        "out", "of the 37 wet nodes of its edges lie beside water of its parent, the outermost grid", ""));
    const double connected = of_harbour("connected_edge_nodes");
    assert_true(connected >= 3 && connected <= 8);
    assert_true(of_harbour("wave_came_in") == 1);
    const struct cli_result *plan = command("plan", job); // known before the run
    assert_int_equal(plan->exit_code, 0);
    assert_has(plan->error, "nested grid harbour: only ");
}

// The sea may reach a grid through another one: its own edges count, not that it has water.
TEST(a_chain_is_followed)
{
    cJSON *job = harbour_job();
    write_coast(shelf);
    cli_change(job, "nested.bay = {'method': 'muscl-hancock', 'domain': {'bathymetry': {'file': 'coast.nc'}, "
                    "'x': ['25 km', '55 km'], 'y': ['10 km', '30 km']}}; nested.harbour.parent = 'bay'");
    cli_assert_done(command("run", job));
    assert_false(cli_has_warning("out", "no wave", ""));
    // A bay whose western edge lies on the shelf is fed through the pond alone, and refused itself.
    cli_change(job, "nested.bay.domain.x = ['39 km', '55 km']");
    cli_assert_error(command("plan", job), CONFIGURATION, false, "nested.bay.domain: no wave can come in");
    // One that propagates, with walls at 10 m, reaches the sea and cuts the harbour off.
    cli_change(job, "nested.bay.domain.x = ['25 km', '55 km']; nested.bay.method = 'vtcs2-o2'");
    cli_assert_error(command("plan", job), CONFIGURATION, false, "nested.harbour.domain: no wave can come in",
                     "the coast of bay is a wall at 10 m");
}

// The wave needs some 7 minutes to the shelf's edge and 20 more to the harbour.
TEST(a_run_that_ends_too_early_is_reported)
{
    cJSON *job = harbour_job();
    write_coast(shelf);
    cli_change(job, "method = 'muscl-hancock'; time.duration = '3 min'");
    for (int k = 0; k < 2; k++) { // from the records, and without them
        cli_assert_done(command("run", job));
        assert_true(cli_has_warning("out", "nested grid harbour: no wave reached this grid", ""));
        assert_true(of_harbour("wave_came_in") == 0);
        cli_change(job, "output.maxima = false");
    }
    cli_change(job, "time.duration = '30 min'");
    cli_assert_done(command("run", job));
    assert_false(cli_has_warning("out", "no wave reached", ""));
    assert_true(of_harbour("wave_came_in") == 1);
}

// An open edge lets waves out and brings none: a lake that it cuts is no sea.
TEST(a_lake_cut_by_an_open_edge_is_no_sea)
{
    cJSON *job = harbour_job();
    write_coast(cut_lake);
    cli_change(job,
               "nested.harbour.domain.x = ['48 km', '56 km']; nested.harbour.domain.y = ['28 km', '38 km']");
    static const char *const methods[] = {"\"vtcs2-o2\"", "\"muscl-hancock\""};
    for (int k = 0; k < 2; k++) {
        cli_set(job, "method", methods[k]);
        cli_assert_error(command("plan", job), CONFIGURATION, false,
                         "nested.harbour.domain: no wave can come in", "is connected with the open sea");
    }
    // Unless a fault beside the lake moves its water: its plane dips from under the lake, its reference is on
    // land.
    cli_set(job, "source", "{\"faults\": " FAULT("50, 28, 5, 8, 8") "}");
    cli_assert_done(command("run", job));
    assert_false(cli_has_warning("out", "nested grid harbour", ""));
}

// A lagoon that only the parent's wall separates from the sea is not open sea, whatever the source does in
// it: its own slosh would pass for the wave. In a lake behind dry land the source counts, and a parent that
// floods has no such lagoon.
TEST(a_source_in_a_walled_lagoon_makes_it_no_sea)
{
    static const char pond_fault[] = "; source = {\"faults\": " FAULT("40, 20, 5, 12, 8") "}",
                      lagoon_fault[] = "; source = {\"faults\": " FAULT("36, 20, 5, 12, 8") "}",
                      flooding[] = "; method = 'muscl-hancock'",
                      part[] = "; nested.harbour.domain.x = ['15 km', '50 km']";
    static const struct {
        double (*bottom)(double x, double y, double time_s);
        const char *source, *change, *refusal, *warning;
    } cases[] = {
        {shelf, pond_fault, "", "of the 37 wet nodes of its edges none", NULL},
        {shelf, pond_fault, flooding, NULL, NULL},
        {dry_shelf, pond_fault, "", NULL, NULL},
        {large_lagoon, "", "", "of the 45 wet nodes of its edges none", NULL},
        {large_lagoon, lagoon_fault, "", "of the 45 wet nodes of its edges none", NULL},
        {large_lagoon, lagoon_fault, part, NULL, "only 59 of the 145 wet nodes of its edges"},
        {large_lagoon, lagoon_fault, flooding, NULL, NULL},
        {large_lake, lagoon_fault, "", NULL, NULL},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        cJSON *job = harbour_job();
        write_coast(cases[k].bottom);
        cli_change(job, "time.duration = '5 min'%s%s", cases[k].source, cases[k].change);
        static const char *const commands[] = {"plan", "run"};
        for (int c = 0; c < 2; c++) {
            const struct cli_result *result = command(commands[c], job);
            if (cases[k].refusal) {
                cli_assert_error(result, CONFIGURATION, false, "nested.harbour.domain: no wave can come in",
                                 cases[k].refusal, "lower its physics.wall_depth");
                continue;
            }
            if (result->exit_code != 0)
                fail_msg("case %zu: %s", k, result->error);
            if (cases[k].warning)
                assert_has(result->error, cases[k].warning);
            else
                assert_null(strstr(result->error, "nested grid harbour: only"));
        }
    }
}

// Edges on the parent's shelf alone: what makes it land there is stated.
TEST(a_harbour_on_a_walled_shelf_is_refused)
{
    cJSON *job = harbour_job();
    write_coast(shelf);
    cli_change(job, "nested.harbour.domain.x = ['42 km', '50 km']");
    cli_assert_error(command("plan", job), CONFIGURATION, false, "nested.harbour.domain: no wave can come in",
                     "; at 29 nodes of these edges the outermost grid has water that is shallower than its "
                     "physics.wall_depth, 10 m, and counts as land: let it flood (method)");
    cli_change(job, "physics.wall_depth = '2 m'");
    cli_assert_done(command("plan", job));
}

// A fault shifts the sea surface at the harbour by millimetres at once: its settling is no wave. The wave
// itself comes later.
TEST(a_far_faults_shift_is_no_wave)
{
    cJSON *job = harbour_job();
    write_coast(shelf);
    cli_change(job, "method = 'muscl-hancock'; source = %s; time.duration = '3 min'",
               "{\"faults\": " FAULT("10, 20, 6, 12, 8") "}");
    for (int k = 0; k < 2; k++) { // from the records, and without them
        cli_assert_done(command("run", job));
        assert_true(cli_has_warning("out", "nested grid harbour: no wave reached this grid", ""));
        assert_true(of_harbour("wave_came_in") == 0);
        cli_change(job, "time.duration = '30 min'");
        cli_assert_done(command("run", job));
        assert_false(cli_has_warning("out", "no wave reached", ""));
        assert_true(of_harbour("wave_came_in") == 1);
        cli_change(job, "time.duration = '3 min'; output.maxima = false");
    }
}

TEST_MAIN(cli_setup, cli_teardown)
