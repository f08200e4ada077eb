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
    return cli_json("{'fathom': 1, 'model': 'bioheat', 'backend': 'openmp', 'precision': 'double', 'domain': "
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

static void assert_verdict(const char *directory, bool is_judged, const char *what)
{
    const cJSON *run = cli_read_json(format_text("%s/run.json", directory));
    if (strcmp(cli_text(run, "findings.0.verdict"), is_judged ? "passed" : "not judged") != 0)
        fail_msg("%s, %s: %s (%s)", what, directory, cli_text(run, "findings.0.verdict"),
                 cli_text(run, "findings.0.message"));
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
            const double volume_j_k = cell_m3 * brain_j_m3_k;
            assert_near("heat in the layers", carried(last, "warming_heat_layers"), spot_k * volume_j_k,
                        1e-12 * volume_j_k);
            assert_near("heat inside", carried(last, "warming_heat_solved"), BOX_CELLS * box_k * volume_j_k,
                        1e-12 * volume_j_k);
            assert_near("rise in the layers", carried(last, "layers_rise"), spot_k, 1e-12);
            assert_near("rise inside", carried(last, "solved_rise"), box_k, 1e-12);
            assert_true(carried(last, "solved_rise_index") == BOX_FIRST);
            assert_true(carried(last, "warming_heat_unsolved") == 0 && carried(last, "start_temperature") == 37);
        }
}

