// Where the heat model's arithmetic and scheme end, on every back end: a source so slow that a temperature in
// single precision would not hold it, while the rise does; conductivities that jump, to the largest contrast
// limit that a job may have, and what would come beyond it.
#include "tests/support/test.h"

#include "tests/support/heat_test.h"
#include "tests/support/numbers.h"

static const double heat_capacity = 1046.0 * 3630, spacing_m = 1e-3;

TEST_SUITE(.run = heat_test_main);

// 1e-5 K/s for an hour in steps of 50 ms. Each of 72 000 steps adds 5e-7 K, an eighth of the spacing of
// floats at 37; the spacing at 0.036 is 3.7e-9, so that rounding is at most 0.4 % of a step.
TEST(a_slow_source_warms_in_single_precision)
{
    enum { CELLS = 20, STEPS = 72000 };
    static const enum element precisions[] = {ELEMENT_F32, ELEMENT_F64};
    static const double tolerances_k[] = {1.5e-4, 1e-12};
    for (int p = heat_is_reference() ? 1 : 0; p < 2; p++) { // the reference is double in any case
        struct heat_box b;
        heat_box_open(&b, (size_t[]){1, 1, CELLS}, (double[]){spacing_m, spacing_m, spacing_m});
        heat_table_set(&b, 1, 0.5, heat_capacity, 0);
        heat_all_faces(&b, BIOHEAT_INSULATED);
        b.setup.precision = precisions[p];
        b.setup.step_s = 0.05;
        b.setup.batch_steps = 1000;
        for (size_t k = 0; k < CELLS; k++)
            b.layer[k] = 1e-5 * heat_capacity;
        heat_box_use_layer(&b, STEPS);
        heat_box_run(&b, STEPS);
        for (size_t k = 0; k < CELLS; k++)
            assert_near("rise in an hour, K", b.theta[k], 0.036, tolerances_k[p]);
        heat_box_close(&b);
    }
}

// What is left of Σ θ² after 400 steps on a ring of cells of k, least, least, k, ... with the four-point flux
// throughout.
static double left_of_squares(double contrast)
{
    enum { CELLS = 12, STEPS = 400 };
    struct heat_box b;
    double k[CELLS], heat[CELLS], before = 0, after = 0;
    heat_box_open(&b, (size_t[]){1, 1, CELLS}, (double[]){spacing_m, spacing_m, spacing_m});
    heat_all_faces(&b, BIOHEAT_PERIODIC);
    for (size_t i = 0; i < CELLS; i++) {
        k[i] = i % 3 == 0 ? 0.5 : 0.5 / contrast;
        heat[i] = heat_capacity;
        b.theta[i] = sin(1.0 + (double)(i * i)); // waves of all lengths
    }
    b.setup.labels = NULL;
    b.setup.table = NULL;
    b.setup.conductivity = k;
    b.setup.heat_capacity = heat;
    b.setup.contrast_limit = contrast * (1 + 1e-12);
    b.setup.step_s = 0.3 * spacing_m * spacing_m * heat_capacity / 0.5;
    for (size_t i = 0; i < CELLS; i++)
        before += b.theta[i] * b.theta[i];
    heat_box_run(&b, STEPS);
    for (size_t i = 0; i < CELLS; i++)
        after += b.theta[i] * b.theta[i];
    heat_box_close(&b);
    return after / before;
}

// Without sources heat spreads, so that Σ ρc θ² falls. Beyond a contrast of 7.6 the four-point flux may run
// from cold to warm: there a wave grows however short the step. physics.contrast_limit ends at 5 (keys.c;
// tests/cli/test_bioheat_bad_input.c).
TEST(jumps_within_the_limit_do_not_grow)
{
    for (double contrast = 1.5; contrast <= 5; contrast += 0.5)
        assert_true(left_of_squares(contrast) < 1);
    assert_true(left_of_squares(20) > 100); // why there must be a limit
}
