// Orders in space against manufactured steady solutions, in double precision on every back end: fourth in a
// uniform medium and in fields that vary smoothly, between periodic and between insulated sides; second where
// tissues meet, and where smooth fields are held for jumps.
#include "tests/support/test.h"

#include "validate/closed/manufactured.h"

#include "tests/support/heat_test.h"
#include "tests/support/numbers.h"

static const double heat_capacity = 3.6e6, length_m = 0.03;

// Perfusion makes the steady state soon; so strong that its time is a few per cent of diffusion's across the
// box.
static const double perfusion = 4e4;

// Steps until the start counts for e^(−times).
static int64_t steps_to_rest(const struct heat_box *b, double times)
{
    return (int64_t)ceil(times * heat_capacity / perfusion / b->setup.step_s);
}

static void choose_step(struct heat_box *b, double largest_k)
{
    double rate = perfusion / heat_capacity;
    for (int axis = 0; axis < 3; axis++)
        if (b->setup.cells[axis] > 1)
            rate +=
                16.0 / 3 * largest_k / heat_capacity / (b->setup.spacing_m[axis] * b->setup.spacing_m[axis]);
    b->setup.step_s = 0.9 * 2 / rate;
}

// ---- smooth

struct smooth_case {
    const char *name;
    size_t cells[3]; // of the coarse grid
    bool is_insulated, has_fields;
    double variation, contrast_limit;
    enum bioheat_method method;
    double least, most; // order
};

static double smooth_error(const struct smooth_case *c, size_t fine)
{
    size_t cells[3];
    double spacing[3], worst = 0;
    struct heat_box b;
    struct manufactured solution = {.is_insulated = c->is_insulated,
                                    .conductivity_w_m_k = 0.5,
                                    .variation = c->variation,
                                    .amplitude_k = 5,
                                    .offset_k = 1,
                                    .perfusion_w_m3_k = perfusion,
                                    .arterial_k = 0.5};
    for (int axis = 0; axis < 3; axis++) {
        cells[axis] = c->cells[axis] > 1 ? c->cells[axis] * fine : 1;
        spacing[axis] = length_m / (double)cells[axis] * (1 + 0.2 * axis);
        solution.length_m[axis] = cells[axis] > 1 ? spacing[axis] * (double)cells[axis] : 0;
    }
    heat_box_open(&b, cells, spacing);
    heat_table_set(&b, 1, 0.5, heat_capacity, perfusion);
    heat_all_faces(&b, c->is_insulated ? BIOHEAT_INSULATED : BIOHEAT_PERIODIC);
    double *k = phantom_array_new(heat_cells(&b)), *heat = phantom_array_new(heat_cells(&b)),
           *blood = phantom_array_new(heat_cells(&b));
    for (size_t cell = 0; cell < heat_cells(&b); cell++) {
        double at[3];
        heat_place(&b, cell, at);
        k[cell] = manufactured_conductivity_w_m_k(&solution, at);
        heat[cell] = heat_capacity * (1 + 0.2 * sin((double)cell));
        blood[cell] = perfusion;
        b.layer[cell] = manufactured_source_w_m3(&solution, at);
        b.theta[cell] = manufactured_k(&solution, at); // near the end already
    }
    if (c->has_fields) {
        b.setup.labels = NULL;
        b.setup.table = NULL;
        b.setup.conductivity = k;
        b.setup.heat_capacity = heat;
        b.setup.perfusion = blood;
        b.setup.contrast_limit = c->contrast_limit;
    }
    b.setup.arterial_theta_k = solution.arterial_k;
    b.setup.method = c->method;
    choose_step(&b, 0.5 * (1 + c->variation) / 0.8);
    const int64_t steps = steps_to_rest(&b, 9); // from the exact solution
    heat_box_use_layer(&b, steps);
    heat_box_run(&b, steps);
    for (size_t cell = 0; cell < heat_cells(&b); cell++) {
        double at[3];
        heat_place(&b, cell, at);
        worst = heat_worst(worst, fabs(b.theta[cell] - manufactured_k(&solution, at)));
    }
    free(k);
    free(heat);
    free(blood);
    heat_box_close(&b);
    return worst;
}

TEST_SUITE(.run = heat_test_main);

TEST(smooth_media_are_fourth_order)
{
    static const struct smooth_case cases[] = {
        {"uniform, 1-D", {1, 1, 16}, false, false, 0, 0, BIOHEAT_EULER, 3.8, 4.2},
        {"uniform, 2-D, insulated", {1, 9, 9}, true, false, 0, 0, BIOHEAT_EULER_IN_PLACE, 3.8, 4.2},
        {"uniform, 3-D", {9, 9, 9}, false, false, 0, 0, BIOHEAT_EULER, 3.8, 4.2},
        {"uniform, 2-D, three-colour", {1, 12, 12}, false, false, 0, 0, BIOHEAT_THREE_COLOUR, 3.8, 4.2},
        {"smooth, along z", {16, 1, 1}, false, true, 0.3, 0, BIOHEAT_EULER, 3.8, 4.3},
        {"smooth, 2-D, insulated", {9, 9, 1}, true, true, 0.3, 0, BIOHEAT_EULER, 3.8, 4.3},
        {"smooth, 3-D", {9, 9, 9}, false, true, 0.15, 0, BIOHEAT_EULER, 3.8, 4.3},
        {"smooth, taken for jumps", {1, 1, 16}, false, true, 0.3, 1.0000001, BIOHEAT_EULER, 1.8, 2.2}};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        const bool is_solid = cases[n].cells[0] > 1 && cases[n].cells[1] > 1 && cases[n].cells[2] > 1;
        if (is_solid && PHANTOM_IS_SANITIZED) // long, and nothing that the others have not
            continue;
        const double coarse = smooth_error(&cases[n], is_solid ? 1 : 2),
                     fine = smooth_error(&cases[n], is_solid ? 2 : 4);
        const double order = log2(coarse / fine);
        print_message("%s: %.2e K, %.2e K, order %.2f\n", cases[n].name, coarse, fine, order);
        assert_true(order >= cases[n].least && order <= cases[n].most);
    }
}

// ---- tissues that meet

static double layers_error(enum bioheat_axis axis, size_t n, enum bioheat_interfaces interfaces)
{
    struct heat_box b;
    size_t cells[3] = {1, 1, 1};
    double worst = 0;
    const double h = length_m / (double)n;
    const struct manufactured_layers solution = {length_m, 0.51, 0.32, 5, perfusion};
    cells[axis] = n;
    heat_box_open(&b, cells, (double[]){h, h, h});
    heat_all_faces(&b, BIOHEAT_PERIODIC);
    heat_table_set(&b, 1, 0.51, heat_capacity, perfusion);
    heat_table_set(&b, 2, 0.32, 0.8 * heat_capacity, perfusion);
    for (size_t i = 0; i < n; i++) {
        const double x = ((double)i + 0.5) * h;
        b.labels[i] = manufactured_is_inner(&solution, x) ? 2 : 1;
        b.layer[i] = manufactured_layers_source_w_m3(&solution, x);
    }
    choose_step(&b, interfaces == BIOHEAT_QUADRATIC ? 0.7 : 0.51); // a parabola's rate is larger
    b.setup.interfaces = interfaces;
    if (!phantom_has_method(&b.setup)) {
        heat_box_close(&b);
        skip();
    }
    heat_box_use_layer(&b, steps_to_rest(&b, 25));
    heat_box_run(&b, steps_to_rest(&b, 25));
    for (size_t i = 0; i < n; i++)
        worst = heat_worst(worst, fabs(b.theta[i] - manufactured_layers_k(&solution, ((double)i + 0.5) * h)));
    heat_box_close(&b);
    return worst;
}

TEST(interfaces_are_second_order)
{
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        const double coarse = layers_error((enum bioheat_axis)axis, 32, BIOHEAT_TWO_POINT),
                     fine = layers_error((enum bioheat_axis)axis, 64, BIOHEAT_TWO_POINT);
        print_message("two tissues along axis %d: %.2e K, %.2e K, order %.2f\n", axis, coarse, fine,
                      log2(coarse / fine));
        assert_near("order", log2(coarse / fine), 2, 0.2);
    }
}

// With a parabola on either side: third order at least.
TEST(parabolas_are_third_order)
{
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        const double coarse = layers_error((enum bioheat_axis)axis, 32, BIOHEAT_QUADRATIC),
                     fine = layers_error((enum bioheat_axis)axis, 64, BIOHEAT_QUADRATIC);
        print_message("parabolas along axis %d: %.2e K, %.2e K, order %.2f\n", axis, coarse, fine,
                      log2(coarse / fine));
        assert_true(log2(coarse / fine) > 2.8);
        assert_true(fine < 0.1 * layers_error((enum bioheat_axis)axis, 64, BIOHEAT_TWO_POINT));
    }
}
