// A treatment that is given in many short runs, each of which continues the one before (initial.from), is
// judged as one long run is: what warms nothing adds up over the chain. Against closed forms: power times
// seconds, over the heat capacity.
#include "tests/support/bioheat_job.h"
#include "tests/support/netcdf_maker.h"
#include "tests/support/numbers.h"
#include "tests/support/test.h"

TEST_SUITE(.setup = cli_setup, .teardown = cli_teardown);

// Brain: 1 K takes so many J/m3 (data/tissues.json); cells of 1 mm.
static const double brain_j_m3_k = 1046 * 3630.0, cell_m3 = 1e-9, treatment_s = 20;

// A block of brain of 18 x 18 x 18 cells between fixed faces; one cell in a layer warms by spot_k in 20 s if
// it may, and 4 x 4 x 4 cells in the middle by box_k.
enum { BOX_CELLS = 64, BOX_FIRST = (7 * 18 + 7) * 18 + 7 };

static cJSON *treatment(double spot_k, double box_k)
{
    return cli_json(
        "{'fathom': 1, 'model': 'bioheat', 'backend': 'openmp', 'precision': 'double', 'domain': "
        "{'uniform': {'tissue': 'brain', 'cells': {'x': 18, 'y': 18, 'z': 18}, 'spacing': '1 mm'}, "
        "'faces': {'all': {'kind': 'fixed'}}}, 'source': {'points': {'at': [{'x': 1, 'y': 8, 'z': 8}], "
        "'values': [[%.17g]], 'units': 'W m-3', 'times': ['0 s'], 'after_end': 'last'}, 'boxes': "
        "{'at': [{'first': {'x': 7, 'y': 7, 'z': 7}, 'last': {'x': 10, 'y': 10, 'z': 10}}], "
        "'values': [[%.17g]], 'units': 'W m-3', 'times': ['0 s'], 'after_end': 'last'}}, 'time': "
        "{'duration': '20 s', 'step': '0.5 s'}, 'output': {'directory': 'out', 'state': true}}",
        spot_k * brain_j_m3_k / treatment_s, box_k * brain_j_m3_k / treatment_s);
}

// So many runs of equal length; returns the folder of the last.
static const char *run_parts(cJSON *job, int parts)
{
    cli_change(job, "time.duration = '%.17g s'; delete initial", treatment_s / parts);
    for (int k = 0; k < parts; k++) {
        cli_change(job, "output.directory = 'part%d'", k);
        if (k > 0)
            cli_change(job, "initial = {'from': 'part%d'}", k - 1);
        cli_assert_done(cli_rerun(job));
    }
    return format_text("part%d", parts - 1);
}

static double carried(const char *directory, const char *name)
{
    size_t count;
    const double value = cli_read_variable(format_text("%s/state.nc", directory), name, &count, NULL)[0];
    assert_int_equal(count, 1);
    return value;
}

// at: of the hottest place inside. most: how far the heat inside may be off, as a share of a cell's 1 K.
static void assert_carried(const char *directory, double spot_k, double box_k, double at, double most)
{
    const double volume_j_k = cell_m3 * brain_j_m3_k;
    assert_near("heat in the layers", carried(directory, "warming_heat_layers"), spot_k * volume_j_k,
                1e-12 * volume_j_k);
    assert_near("heat inside", carried(directory, "warming_heat_solved"), BOX_CELLS * box_k * volume_j_k,
                most * volume_j_k);
    assert_near("rise in the layers", carried(directory, "layers_rise"), spot_k, 1e-12);
    assert_near("rise inside", carried(directory, "solved_rise"), box_k, 1e-12);
    assert_true(carried(directory, "solved_rise_index") == at);
}

static void assert_verdict(const char *directory, bool is_judged, const char *what)
{
    const cJSON *run = cli_read_json(format_text("%s/run.json", directory));
    if (strcmp(cli_text(run, "findings.0.verdict"), is_judged ? "passed" : "not judged") != 0)
        fail_msg("%s, %s: %s (%s)", what, directory, cli_text(run, "findings.0.verdict"),
                 cli_text(run, "findings.0.message"));
}

// The same in all cells of the layers and the box, in a map and in a stream: of the layer's one cell and the
// box's 64, whichever file it is.
static void write_fields(double spot_k, double box_k)
{
    static double cells[2 * 18 * 18 * 18];
    double places[18];
    int space[3], dimensions[4];
    for (size_t k = 0; k < COUNT(places); k++)
        places[k] = (double)k;
    for (size_t k = 0; k < COUNT(cells); k++) {
        const size_t z = k / 324 % 18, y = k / 18 % 18, x = k % 18;
        const bool is_box = z >= 7 && z <= 10 && y >= 7 && y <= 10 && x >= 7 && x <= 10;
        cells[k] = (is_box ? box_k : z == 8 && y == 8 && x == 1 ? spot_k : 0) * brain_j_m3_k / treatment_s;
    }
    const int file = make_file(cli_path("fields.nc"), NC_NETCDF4);
    dimensions[0] = make_axis(file, "time", "s", 2, (double[]){0, 1});
    for (int axis = 0; axis < 3; axis++)
        dimensions[axis + 1] = space[axis] =
            make_axis(file, (const char *[]){"z", "y", "x"}[axis], "mm", COUNT(places), places);
    make_field(file, "map", "W m-3", 3, space, cells);
    make_field(file, "stream", "W m-3", 4, dimensions, cells);
    NC(nc_close(file));
}

static const int splits[] = {1, 2, 5, 20};

// Limits: 1 K; a fifth of the rise inside, from 0.1 K; 1 % of the heat: 0.64 times as many kelvins in the one
// cell as in each of the box.
TEST(a_split_treatment_is_judged_as_one_run)
{
    static const struct {
        double spot_k, box_k;
        bool is_judged;
        const char *why;
    } rows[] = {
        {0.15, 1, true, ""},
        {0.19, 0.9, false, "enough to warm a cell there by 0.19 K"},
        {0.16, 0.24, false, "enough to warm a cell there by 0.16 K"},
        {0.09, 0.1, false, "% of the source's heat"},
        {0.002, 0.004, true, ""},
    };
    for (size_t r = 0; r < COUNT(rows); r++)
        for (size_t s = 0; s < COUNT(splits); s++) {
            const double spot_k = rows[r].spot_k, box_k = rows[r].box_k;
            const char *last = run_parts(treatment(spot_k, box_k), splits[s]);
            assert_verdict(last, rows[r].is_judged, format_text("%g K of %g K", spot_k, box_k));
            if (!rows[r].is_judged)
                assert_has(cli_text(cli_read_json(format_text("%s/run.json", last)), "findings.0.message"),
                           splits[s] == 1 ? rows[r].why : "");
            assert_carried(last, spot_k, box_k, BOX_FIRST, 1e-12);
            assert_true(carried(last, "warming_heat_unsolved") == 0);
        }
}

// Maps and streams, the same numbers; a plane stands for the cell of a stream.
TEST(maps_and_streams_add_up_as_well)
{
    static const struct {
        const char *source;
        double at;
    } rows[] = {{"{'maps': {'m': {'file': 'fields.nc', 'variable': 'map'}}}", BOX_FIRST},
                {"{'stream': {'file': 'fields.nc', 'variable': 'stream', 'after_end': 'last'}}", -1 - 7}};
    const double spot_k = 0.19, box_k = 0.9;
    write_fields(spot_k, box_k);
    for (size_t r = 0; r < COUNT(rows); r++)
        for (size_t s = 0; s < 3; s++) {
            const char *last =
                run_parts(cli_change(treatment(0, 0), "source = %s", rows[r].source), splits[s]);
            assert_verdict(last, false, rows[r].source);
            assert_carried(last, spot_k, box_k, rows[r].at, 1e-11);
            if (s > 0)
                assert_near("of the chain", cli_run_number(last, "continues.fixed_layers_rise_k"), spot_k,
                            1e-12);
        }
}

// What cools the tissue inside, in the run itself, before or after it, or a run without a source, does not
// make what the layers lose of the warmth small: 2 % of it, and 0.2 K.
TEST(cooling_does_not_dilute_what_is_lost)
{
    static const char cooling[] =
        "{'boxes': {'at': [{'first': {'x': 7, 'y': 7, 'z': 7}, 'last': {'x': 10, 'y': "
        "10, 'z': 10}}], 'values': [[-1e6]], 'units': 'W m-3', 'times': ['0 s'], "
        "'after_end': 'last'}}";
    static const char second_box[] = "source.boxes.at = [{'first': {'x': 7, 'y': 7, 'z': 7}, 'last': {'x': "
                                     "10, 'y': 10, 'z': 10}}, {'first': "
                                     "{'x': 5, 'y': 5, 'z': 5}, 'last': {'x': 12, 'y': 12, 'z': 12}}]; "
                                     "source.boxes.values = [[%.17g, -1e5]]";
    const double spot_k = 0.08, box_k = 0.0625;
    cJSON *job = cli_change(treatment(spot_k, box_k), "time.duration = '5 s'; output.directory = 'one'");
    const double box_w_m3 = box_k * brain_j_m3_k / treatment_s;
    cli_assert_done(cli_rerun(job));
    assert_verdict("one", false, "alone");
    cli_assert_done(cli_rerun(cli_change(cli_own_json(cJSON_Duplicate(job, true)), second_box, box_w_m3)));
    assert_verdict("one", false, "with cooling beside it");
    cJSON *cold = cli_change(cli_own_json(cJSON_Duplicate(job, true)),
                             "source = %s; output.directory = 'cold'", cooling);
    cli_assert_done(cli_rerun(cold));
    assert_verdict("cold", true, "cooling alone");
    assert_near("cooling", carried("cold", "cooling_heat_solved"), 5 * 1e6 * BOX_CELLS * cell_m3, 1e-9);
    assert_true(carried("cold", "warming_heat_solved") == 0 && carried("cold", "solved_rise") == 0);
    cli_change(job, "initial = {'from': 'cold'}; output.directory = 'after'");
    cli_assert_done(cli_rerun(job));
    assert_verdict("after", false, "after cooling");
    // Parts of 0.09 K, each negligible by itself, with such a run between them.
    cli_assert_done(cli_rerun(cli_change(treatment(0.09, 0.3), "output.directory = 'part'")));
    assert_verdict("part", true, "part");
    cli_assert_done(cli_rerun(cli_change(cold, "initial = {'from': 'part'}")));
    assert_verdict("cold", true, "cooling after a part");
    cli_assert_done(cli_rerun(
        cli_change(treatment(0.09, 0.3), "initial = {'from': 'cold'}; output.directory = 'second'")));
    assert_verdict("second", false, "a second part");
    assert_near("rise in the layers", carried("second", "layers_rise"), 0.18, 1e-12);
    assert_near("rise inside", carried("second", "solved_rise"), 0.6, 1e-12);
}

// A spot may have half of what its start leaves to the level of 39 degC, or to 2 K above warmer blood.
TEST(a_warm_start_leaves_less)
{
    static const struct {
        const char *change;
        double most_k;
    } rows[] = {{"title = '37'", 1},
                {"initial.temperature = '36 degC'", 1},
                {"initial.temperature = '38 degC'", 0.5},
                {"initial.temperature = '38.5 degC'", 0.25},
                {"initial.temperature = '39.5 degC'", 0.1},
                {"physics.arterial_temperature = '38.5 degC'; initial.temperature = '38.5 degC'", 1},
                {"physics.arterial_temperature = '38.5 degC'; initial.temperature = '39.5 degC'", 0.5},
                {"initial = {'file': 'warm/fields.nc', 'variable': 'temperature', 'record': 0}", 0.5},
                {"initial = {'from': 'warm'}", 0.5}};
    cli_assert_done(
        cli_rerun(cli_change(treatment(0, 0), "initial.temperature = '38 degC'; output.directory = "
                                              "'warm'; time.duration = '1 s'; delete source; "
                                              "output.fields = {'every': '1 s', 'variables': "
                                              "['temperature']}; output.precision = 'double'")));
    for (size_t r = 0; r < COUNT(rows); r++)
        for (int side = 0; side < 2; side++) {
            const double spot_k = (side ? 1.04 : 0.96) * rows[r].most_k;
            cJSON *job = cli_change(treatment(spot_k, 1.7), "time.duration = '20 s'");
            cli_change(job, "source.boxes.values = [[%.17g]]", 6 * spot_k * brain_j_m3_k / treatment_s);
            cli_assert_done(cli_rerun(cli_change(job, "%s", rows[r].change)));
            assert_near("rise", cli_run_number("out", "source.fixed_layers_rise_k"), spot_k, 1e-9);
            if (cli_has_warning(
                    "out", "domain.faces: ", "it warms nothing, and thermal safety is not judged") != side)
                fail_msg("%s: %g K in a layer: %s", rows[r].change, spot_k, side ? "judged" : "not judged");
        }
}

// A state of an earlier version is read, but says too little for a pass.
TEST(a_state_without_these_numbers_is_read_and_not_judged)
{
    static const char *const names[] = {
        "warming_heat_solved",  "warming_heat_layers",   "warming_heat_unsolved", "cooling_heat_solved",
        "cooling_heat_layers",  "cooling_heat_unsolved", "layers_rise",           "solved_rise",
        "solved_rise_index",    "drained_z_low",         "drained_z_high",        "drained_y_low",
        "drained_y_high",       "drained_x_low",         "drained_x_high",        "drained_ratio_z_low",
        "drained_ratio_z_high", "drained_ratio_y_low",   "drained_ratio_y_high",  "drained_ratio_x_low",
        "drained_ratio_x_high", "drained_diffusivity",   "drained_perfusion",     "layers_rise_is_bound"};
    int file, variable;
    cli_assert_done(cli_rerun(cli_change(treatment(0.01, 0.5), "output.directory = 'first'")));
    assert_verdict("first", true, "first");
    assert_string_equal(cli_attribute("first/state.nc", NULL, "lacking_reasons"), "none");
    NC(nc_open(cli_path("first/state.nc"), NC_WRITE, &file));
    for (size_t k = 0; k < COUNT(names); k++) {
        NC(nc_inq_varid(file, names[k], &variable));
        NC(nc_rename_var(file, variable, format_text("other_%zu", k)));
    }
    NC(nc_close(file));
    cli_remove("first/run.json"); // with its checksum
    cli_assert_done(cli_rerun(cli_change(treatment(0.01, 0.5), "initial = {'from': 'first'}")));
    assert_verdict("out", false, "second");
    assert_has(cli_text(cli_read_json("out/run.json"), "findings.0.message"), "its state does not say");
    assert_string_equal(cli_attribute("out/state.nc", NULL, "lacking_reasons"),
                        "a run before it (lacking_before)");
}
