// Heat that the rounding of single precision loses: a pass must leave space for it, also in later runs.
#include "tests/support/bioheat_job.h"
#include "tests/support/numbers.h"
#include "tests/support/test.h"

TEST_SUITE(.setup = cli_setup, .teardown = cli_teardown);

// White matter without blood, in steps of 0.5 s.
static cJSON *slow_job(const char *precision, const char *reference, double rate_k_s, double duration_s,
                       const char *directory)
{
    return cli_json(
        "{'fathom': 1, 'model': 'bioheat', 'backend': 'openmp', 'method': 'euler', 'precision': '%s', "
        "'domain': {'uniform': {'tissue': 'white matter', 'cells': {'x': 8, 'y': 1, 'z': 1}, 'spacing': '1 "
        "mm'}, 'faces': {'all': {'kind': 'insulated'}}}, 'physics': {'perfusion': false, "
        "'reference_temperature': '%s'}, 'initial': {'temperature': '38.95 degC'}, 'source': {'boxes': "
        "{'at': [{'first': {'x': 0, 'y': 0, 'z': 0}, 'last': {'x': 7, 'y': 0, 'z': 0}}], 'values': "
        "[[%.17g]], 'units': 'W m-3', 'times': ['0 s', '%.17g s']}}, 'dose': {'definition': 'cem43'}, "
        "'time': {'duration': '%.17g s', 'step': '0.5 s'}, 'output': {'directory': '%s'}}",
        precision, reference, rate_k_s * 1041 * 3583, duration_s, duration_s, directory);
}

// It gains 1.5e-6 K a step, less than half of 3.8e-6 K, the spacing of single numbers at 39 K from the
// reference: it stays at 38.95 degC, where it would get to 39.1 degC.
TEST(test_heat_that_single_precision_loses)
{
    static const struct {
        const char *precision, *reference, *verdict;
        double largest_c;
    } rows[] = {{"single", "0 degC", "not judged", 38.95},
                {"double", "0 degC", "exceeded", 39.1},
                {"single", "37 degC", "exceeded", 39.1}};
    for (size_t k = 0; k < COUNT(rows); k++) {
        cli_assert_done(cli_rerun(slow_job(rows[k].precision, rows[k].reference, 3e-6, 50000, "out")));
        const cJSON *run = cli_read_json("out/run.json");
        assert_near("largest", cli_json_number(run, "thermal_safety.tissues.0.largest_temperature_c"),
                    rows[k].largest_c, 0.01);
        assert_string_equal(cli_text(run, "findings.0.verdict"), rows[k].verdict);
        assert_int_equal(cli_has_warning("out", "precision: ", "sum up to at most 0.38 K"), k == 0);
    }
}

// Three boxes are added one after the other, and each is lost: of 0.15 K a box nothing is left, and what the
// steps alone may lose, twice 0.19 K, would leave a pass at 38.6 degC.
TEST(test_heat_that_single_precision_loses_of_each_box)
{
    static const char *const precisions[] = {"single", "double"};
    static const char box[] = "{'first': {'x': 0, 'y': 0, 'z': 0}, 'last': {'x': 7, 'y': 0, 'z': 0}}";
    for (size_t k = 0; k < 2; k++) {
        const double heat_w_m3 = 3e-6 * 1041 * 3583;
        cli_assert_done(
            cli_rerun(cli_change(slow_job(precisions[k], "0 degC", 0, 50000, "out"),
                                 "initial.temperature = '38.6 degC'; source.boxes.at = [%s, %s, %s]; "
                                 "source.boxes.values = [[%.17g, %.17g, %.17g]]",
                                 box, box, box, heat_w_m3, heat_w_m3, heat_w_m3)));
        const cJSON *run = cli_read_json("out/run.json");
        assert_near("largest", cli_json_number(run, "thermal_safety.tissues.0.largest_temperature_c"),
                    k == 0 ? 38.6 : 39.05, 0.01);
        assert_string_equal(cli_text(run, "findings.0.verdict"), k == 0 ? "not judged" : "exceeded");
    }
}

// A run that passes, were it 0.38 K warmer, hands this on: another 0.4 K in double precision do not.
TEST(test_heat_that_single_precision_lost_before)
{
    static const char *const precisions[] = {"single", "double"};
    for (size_t k = 0; k < 2; k++) {
        cli_assert_done(cli_rerun(cli_change(slow_job(precisions[k], "0 degC", 1e-7, 50000, "slow"),
                                             "initial.temperature = '38.5 degC'; output.state = true")));
        assert_string_equal(cli_text(cli_read_json("slow/run.json"), "findings.0.verdict"), "passed");
        cli_assert_done(cli_rerun(
            cli_change(slow_job("double", "0 degC", 4e-3, 100, "after"), "initial = {'from': 'slow'}")));
        assert_string_equal(cli_text(cli_read_json("after/run.json"), "findings.0.verdict"),
                            k == 0 ? "not judged" : "passed");
    }
}
