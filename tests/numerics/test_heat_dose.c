// Thermal dose and largest rise as every back end keeps them: an hour at 43 °C; each definition at each
// temperature; ramps against their integral, with cut-offs and memory; the trapezoidal rule over the
// temperatures that the run goes through; a chain of two exposures that is one.
#include "tests/support/test.h"

#include "validate/closed/heat_dose.h"

#include "tests/support/heat_test.h"
#include "tests/support/numbers.h"

static const double heat_capacity = 1046.0 * 3630;
static const enum bioheat_dose definitions[] = {BIOHEAT_DOSE_PLAIN, BIOHEAT_DOSE_KWAVE, BIOHEAT_DOSE_ISO};
static const enum element precisions[] = {ELEMENT_F64, ELEMENT_F32};

// The reference keeps its state in double whatever the run's precision: once is enough.
static int precision_count(void)
{
    return heat_is_reference() ? 1 : 2;
}

TEST_SUITE(.run = heat_test_main);

TEST(an_hour_at_43_is_60_minutes)
{
    enum { STEPS = 90000 };
    static const double tolerances_min[] = {1e-9, 1e-4};
    for (int p = 0; p < precision_count(); p++) {
        struct heat_box b;
        double dose[6];
        heat_box_open(&b, (size_t[]){1, 2, 3}, (double[]){1e-3, 1e-3, 1e-3});
        heat_table_set(&b, 1, 0.51, heat_capacity, 0);
        heat_all_faces(&b, BIOHEAT_INSULATED);
        b.setup.precision = precisions[p];
        b.setup.dose = BIOHEAT_DOSE_KWAVE;
        b.setup.step_s = 3600.0 / STEPS;
        b.setup.batch_steps = 1000;
        for (size_t k = 0; k < 6; k++)
            b.theta[k] = 6;
        struct phantom *phantom = phantom_open(&b.setup);
        phantom_set(phantom, b.theta);
        phantom_advance(phantom, 0, STEPS);
        phantom_records(phantom, STEPS, dose, NULL, NULL);
        phantom_close(phantom);
        for (size_t k = 0; k < 6; k++)
            assert_near("minutes", dose[k], 60, tolerances_min[p]);
        heat_box_close(&b);
    }
}

// A row of cells that keep what they have, 35 … 58.75 °C.
TEST(each_temperature_has_its_rate)
{
    enum { CELLS = 96, STEPS = 50 };
    for (int p = 0; p < precision_count(); p++)
        for (int d = 0; d < 3; d++) {
            struct heat_box b;
            double dose[CELLS], largest[CELLS], at_s[CELLS];
            heat_box_open(&b, (size_t[]){1, 1, CELLS}, (double[]){1e-3, 1e-3, 1e-3});
            b.table[1] = (struct bioheat_medium){BIOHEAT_HELD, 0.51, heat_capacity, 0};
            heat_all_faces(&b, BIOHEAT_INSULATED);
            b.setup.precision = precisions[p];
            b.setup.dose = definitions[d];
            b.setup.step_s = 0.5;
            b.setup.has_maximum = true;
            for (size_t k = 0; k < CELLS; k++)
                b.theta[k] = -2 + 0.25 * (double)k;
            struct phantom *phantom = phantom_open(&b.setup);
            phantom_set(phantom, b.theta);
            phantom_advance(phantom, 0, STEPS);
            phantom_records(phantom, STEPS, dose, largest, at_s);
            phantom_close(phantom);
            for (size_t k = 0; k < CELLS; k++) {
                assert_true(largest[k] == b.theta[k] && at_s[k] == 0); // reached first at once
                const double T = 35 + 0.25 * (double)k;
                const double expected =
                    STEPS * 0.5 / 60 * heat_dose_rate((enum heat_dose_definition)d, T, T >= 43);
                if (isinf(expected))
                    assert_true(isinf(dose[k]) && dose[k] > 0);
                else
                    assert_near("minutes", dose[k], expected, expected * (p == 0 ? 1e-14 : 2e-6));
            }
            heat_box_close(&b);
        }
}

// ---- ramps

// Tissue in every other cell of a row, VOID between: each goes its own way. All start at 35 °C, rise for `UP`
// steps and fall for `DOWN`, cell k by (k + 1)/RAMPS of the steepest, which reaches 59 °C; every 37, 39, 43
// is met by a step.
enum { RAMPS = 8, UP = 1200, DOWN = 1000 };
static const double ramp_step_s = 0.2, ramp_k_s = 0.1;

static struct phantom *open_ramps(struct heat_box *b, enum bioheat_dose definition, enum element precision)
{
    heat_box_open(b, (size_t[]){1, 1, 2 * RAMPS}, (double[]){1e-3, 1e-3, 1e-3});
    heat_table_set(b, 1, 0.51, heat_capacity, 0);
    b->table[5].role = BIOHEAT_VOID;
    heat_all_faces(b, BIOHEAT_INSULATED);
    b->setup.precision = precision;
    b->setup.dose = definition;
    b->setup.has_maximum = true;
    b->setup.step_s = ramp_step_s;
    b->setup.batch_steps = 100;
    heat_box_use_layer(b, UP + DOWN);
    for (size_t k = 0; k < 2 * RAMPS; k++) {
        b->labels[k] = k % 2 ? 5 : 1;
        b->theta[k] = -2;
        b->layer[k] = ramp_k_s * heat_capacity * (double)(k / 2 + 1) / RAMPS;
    }
    for (int n = 0; n < UP + DOWN; n++)
        b->amplitudes[n] = n < UP ? 1 : -1;
    struct phantom *phantom = phantom_open(&b->setup);
    phantom_set(phantom, b->theta);
    return phantom;
}

TEST(ramps_have_their_integral)
{
    // The trapezoidal rule's error is (2 ln 2 · 0.02 K)²/12 of the dose; in single precision the sum of 1200
    // steps is off by up to 1e-3 K.
    static const double tolerances[] = {2e-4, 3e-3};
    for (int p = 0; p < precision_count(); p++)
        for (int d = 0; d < 3; d++) {
            struct heat_box b;
            double dose[2 * RAMPS], largest[2 * RAMPS], at_s[2 * RAMPS];
            // On the way up and down together a step's rate at the cut-off; in single precision some steps'.
            const double cut_min =
                (p == 0 ? 1 : 3) * ramp_step_s / 60 *
                heat_dose_rate(HEAT_DOSE_PLAIN, definitions[d] == BIOHEAT_DOSE_ISO ? 39 : 37, false);
            struct phantom *phantom = open_ramps(&b, definitions[d], precisions[p]);
            phantom_advance(phantom, 0, UP + DOWN);
            phantom_records(phantom, UP + DOWN, dose, largest, at_s);
            phantom_close(phantom);
            for (size_t k = 0; k < RAMPS; k++) {
                const double steepness = ramp_k_s * (double)(k + 1) / RAMPS,
                             top_c = 35 + steepness * UP * ramp_step_s;
                const enum heat_dose_definition definition = (enum heat_dose_definition)d;
                const double expected =
                    heat_dose_ramp_min(definition, 35, top_c, UP * ramp_step_s, false) +
                    heat_dose_ramp_min(definition, top_c, top_c - steepness * DOWN * ramp_step_s,
                                       DOWN * ramp_step_s, top_c >= 43);
                if (isinf(expected))
                    assert_true(isinf(dose[2 * k]));
                else
                    assert_near("minutes", dose[2 * k], expected, tolerances[p] * expected + cut_min);
                assert_near("largest rise", largest[2 * k], top_c - 37, p == 0 ? 1e-10 : 2e-3);
                assert_near("when", at_s[2 * k], UP * ramp_step_s, 1e-9);
                assert_near("VOID keeps its temperature", largest[2 * k + 1], -2, 0);
            }
            heat_box_close(&b);
        }
}

// In the middle of the rise the largest is the present one, now.
TEST(the_largest_may_be_the_present)
{
    struct heat_box b;
    double theta[2 * RAMPS], largest[2 * RAMPS], at_s[2 * RAMPS];
    struct phantom *phantom = open_ramps(&b, BIOHEAT_DOSE_OFF, ELEMENT_F64);
    double dose[2 * RAMPS];
    phantom_records(phantom, 0, dose, largest, at_s);
    assert_true(isnan(dose[0]) && largest[0] == -2 && at_s[0] == 0);
    phantom_advance(phantom, 0, 300);
    phantom_get(phantom, theta);
    phantom_records(phantom, 300, NULL, largest, at_s);
    for (size_t k = 0; k < 2 * RAMPS; k += 2) {
        assert_true(largest[k] == theta[k]);
        assert_near("now", at_s[k], 300 * ramp_step_s, 1e-12);
    }
    phantom_close(phantom);
    heat_box_close(&b);
}

// ---- over the temperatures of a run

// A hot box of labels at random that cools; θ is read after every step, and the rule applied to what is read.
TEST(dose_is_the_trapezoidal_rule)
{
    enum { CELLS = 4 * 5 * 6, STEPS = 37 };
    static const double tolerances[] = {1e-12, 3e-6};
    for (int p = 0; p < precision_count(); p++)
        for (int d = 0; d < 3; d++) {
            struct heat_box b;
            double theta[CELLS], dose[CELLS], once[CELLS], expected[CELLS] = {0};
            bool has_passed[CELLS] = {false};
            uint64_t seed = 40;
            heat_box_open(&b, (size_t[]){4, 5, 6}, (double[]){1e-3, 1e-3, 1e-3});
            heat_table_set(&b, 1, 0.51, heat_capacity, 30000);
            heat_table_set(&b, 2, 0.32, 0.7 * heat_capacity, 3000);
            heat_all_faces(&b, BIOHEAT_INSULATED);
            b.setup.precision = precisions[p];
            b.setup.dose = definitions[d];
            b.setup.step_s = 0.25;
            for (size_t k = 0; k < CELLS; k++) {
                b.theta[k] = (double)(float)next_uniform(&seed, -3, 19);
                b.labels[k] = next_uniform(&seed, 0, 1) < 0.5 ? 1 : 2;
            }
            struct phantom *phantom = phantom_open(&b.setup);
            phantom_set(phantom, b.theta);
            for (int n = 0; n <= STEPS; n++) {
                phantom_get(phantom, theta);
                for (size_t k = 0; k < CELLS; k++) {
                    const double T = 37 + theta[k], weight = n == 0 || n == STEPS ? 0.5 : 1;
                    has_passed[k] = has_passed[k] || T >= 43;
                    expected[k] +=
                        weight * 0.25 / 60 * heat_dose_rate((enum heat_dose_definition)d, T, has_passed[k]);
                }
                if (n < STEPS)
                    phantom_advance(phantom, n, 1);
            }
            phantom_records(phantom, STEPS, dose, NULL, NULL);
            phantom_close(phantom);
            for (size_t k = 0; k < CELLS; k++)
                assert_near("minutes", dose[k], expected[k], tolerances[p] * expected[k]);
            // The same in one go has the same bits.
            phantom = phantom_open(&b.setup);
            phantom_set(phantom, b.theta);
            phantom_advance(phantom, 0, STEPS);
            phantom_records(phantom, STEPS, once, NULL, NULL);
            phantom_close(phantom);
            for (size_t k = 0; k < CELLS; k++)
                assert_true(once[k] == dose[k]);
            heat_box_close(&b);
        }
}

TEST(two_exposures_are_one)
{
    if (!heat_backend->set_records)
        skip();
    enum {
        CELLS = 2 * RAMPS,
        FIRST = 1800,
        ALL = UP + DOWN
    }; // parted where some have passed 43 °C and are below it
    struct heat_box whole_box, box;
    double whole[3][CELLS], part[3][CELLS], theta[CELLS];
    struct phantom *phantom = open_ramps(&whole_box, BIOHEAT_DOSE_ISO, ELEMENT_F64);
    phantom_advance(phantom, 0, ALL);
    phantom_records(phantom, ALL, whole[0], whole[1], whole[2]);
    phantom_close(phantom);
    heat_box_close(&whole_box);

    phantom = open_ramps(&box, BIOHEAT_DOSE_ISO, ELEMENT_F64);
    phantom_advance(phantom, 0, FIRST);
    phantom_get(phantom, theta);
    phantom_records(phantom, FIRST, part[0], part[1], part[2]);
    phantom_close(phantom);
    // The second run counts its steps from 0 again; its source continues.
    box.setup.amplitudes = box.amplitudes + FIRST;
    phantom = phantom_open(&box.setup);
    heat_backend->set_records(phantom_solver(phantom), 0, 0, 0, CELLS, part[0], part[1], part[2]);
    phantom_set(phantom, theta);
    phantom_advance(phantom, 0, ALL - FIRST);
    phantom_records(phantom, ALL - FIRST, part[0], part[1], part[2]);
    phantom_close(phantom);
    for (size_t k = 0; k < CELLS; k += 2) {
        if (isinf(whole[0][k]))
            assert_true(isinf(part[0][k]));
        else
            assert_near("dose of both", part[0][k], whole[0][k], 1e-13 * whole[0][k]);
        assert_true(part[1][k] == whole[1][k]);
    }
    heat_box_close(&box);
}
