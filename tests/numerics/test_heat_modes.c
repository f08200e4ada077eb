// Plane waves in a uniform medium, periodic in all directions, on every back end: each decays by the discrete
// operator's own factor a step, to rounding; the run as a whole stays within 1e-6 of the semi-discrete
// solution when steps are short; the error falls with the first power of the step; a Gaussian spreads as the
// exact one; the colourings are consistent, or wrong by the factor that is documented.
#include "tests/support/test.h"

#include "validate/closed/heat_gaussian.h"
#include "validate/closed/heat_modes.h"

#include "tests/support/heat_test.h"
#include "tests/support/numbers.h"

static const double pi = 3.14159265358979323846;

// Brain: k 0.51 W/m/K, ρc 3.797e6 J/m³/K, perfusion 559 mL/min/kg.
static const double conductivity = 0.51, heat_capacity = 1046.0 * 3630, perfusion = 1050.0 * 3617 * 0.009745;

enum { MODES = 4 };
struct box {
    struct heat_box heat;
    struct heat_mode modes[MODES];
    double amplitude_k[MODES], phase[MODES], source_k_s[MODES];
    int mode_count;
};

static void box_open(struct box *b, const size_t cells[3], const double spacing_m[3])
{
    b->mode_count = 0;
    heat_box_open(&b->heat, cells, spacing_m);
    heat_all_faces(&b->heat, BIOHEAT_PERIODIC);
    heat_table_set(&b->heat, 1, conductivity, heat_capacity, perfusion);
}

// A wave with so many periods along each axis; axes of one cell have none.
static void add_mode(struct box *b, const int periods[3], double amplitude_k, double phase, double source_k_s)
{
    const int n = b->mode_count++;
    b->modes[n] = (struct heat_mode){.diffusivity_m2_s = conductivity / heat_capacity,
                                     .perfusion_per_s = b->heat.table[1].perfusion_w_m3_k / heat_capacity};
    for (int axis = 0; axis < 3; axis++)
        b->modes[n].wave_number_rad_m[axis] =
            2 * pi * periods[axis] / ((double)b->heat.setup.cells[axis] * b->heat.setup.spacing_m[axis]);
    b->amplitude_k[n] = amplitude_k;
    b->phase[n] = phase;
    b->source_k_s[n] = source_k_s;
}

static double shape(const struct box *b, int mode, size_t cell)
{
    double at[3], phase = b->phase[mode];
    heat_place(&b->heat, cell, at);
    for (int axis = 0; axis < 3; axis++)
        phase += b->modes[mode].wave_number_rad_m[axis] * at[axis];
    return sin(phase);
}

static void fill(struct box *b, double *values, const double weights[MODES])
{
    for (size_t cell = 0; cell < heat_cells(&b->heat); cell++) {
        values[cell] = 0;
        for (int n = 0; n < b->mode_count; n++)
            values[cell] += weights[n] * shape(b, n, cell);
    }
}

// Runs from the sum of the modes, with their source as one layer, and gives θ.
static void run_box(struct box *b, int64_t steps)
{
    double watts[MODES] = {0};
    bool has_source = false;
    for (int n = 0; n < b->mode_count; n++) {
        watts[n] = b->source_k_s[n] * heat_capacity;
        has_source = has_source || watts[n] != 0;
    }
    fill(b, b->heat.layer, watts);
    if (has_source)
        heat_box_use_layer(&b->heat, steps);
    fill(b, b->heat.theta, b->amplitude_k);
    heat_box_run(&b->heat, steps);
}

// Largest difference from the sum of modes of these amplitudes.
static double largest_error(struct box *b, const double expected_k[MODES])
{
    double worst = 0;
    for (size_t cell = 0; cell < heat_cells(&b->heat); cell++) {
        double expected = 0;
        for (int n = 0; n < b->mode_count; n++)
            expected += expected_k[n] * shape(b, n, cell);
        const double error = fabs(b->heat.theta[cell] - expected);
        worst = heat_worst(worst, error);
    }
    return worst;
}

static double discrete_rate(const struct box *b, int mode)
{
    double spacing[3];
    for (int axis = 0; axis < 3; axis++)
        spacing[axis] = b->heat.setup.cells[axis] > 1 ? b->heat.setup.spacing_m[axis] : 0;
    return heat_mode_discrete_rate_per_s(&b->modes[mode], spacing);
}

// ---- exact in time

TEST_SUITE(.run = heat_test_main);

TEST(each_step_is_the_discrete_factor)
{
    static const struct {
        size_t cells[3];
        double spacing_m[3];
    } boxes[] = {{{12, 15, 18}, {1e-3, 1.5e-3, 0.8e-3}},
                 {{1, 21, 24}, {1e-3, 1e-3, 1e-3}},
                 {{9, 1, 5}, {1e-3, 1, 2e-3}}};
    static const enum bioheat_method methods[] = {BIOHEAT_EULER, BIOHEAT_EULER_IN_PLACE};
    static const struct {
        enum element precision;
        double tolerance_k;
    } precisions[] = {{ELEMENT_F64, 2e-13}, {ELEMENT_F32, 1e-5}}; // of a sum of 8 K, after 60 steps
    for (size_t n = 0; n < sizeof boxes / sizeof *boxes; n++)
        for (int m = 0; m < 2; m++)
            for (int p = 0; p < 2; p++) {
                struct box b;
                double expected[MODES];
                box_open(&b, boxes[n].cells, boxes[n].spacing_m);
                b.heat.setup.precision = precisions[p].precision;
                b.heat.setup.method = methods[m];
                b.heat.setup.step_s = phantom_safe_step_s(&b.heat.setup);
                const bool has[3] = {b.heat.setup.cells[0] > 1, b.heat.setup.cells[1] > 1,
                                     b.heat.setup.cells[2] > 1};
                add_mode(&b, (int[]){has[0], has[1], has[2]}, 5, 0.3, 0.02);
                add_mode(&b, (int[]){2 * has[0], -3 * has[1], has[2]}, 2, 1.1, -0.05);
                add_mode(&b, (int[]){-4 * has[0], 7 * has[1], 2 * has[2]}, 1, 2.3, 0.4);
                add_mode(&b, (int[]){0, 0, 0}, 0.5, 0.9, 0.01);
                run_box(&b, 60);
                for (int k = 0; k < MODES; k++)
                    expected[k] = heat_mode_after_euler(discrete_rate(&b, k), b.amplitude_k[k],
                                                        b.source_k_s[k], b.heat.setup.step_s, 60);
                assert_near("largest error, K", largest_error(&b, expected), 0, precisions[p].tolerance_k);
                heat_box_close(&b.heat);
            }
}

TEST(short_steps_are_semi_discrete)
{
    struct box b;
    double expected[MODES];
    box_open(&b, (size_t[]){1, 12, 12}, (double[]){1, 1e-3, 1e-3});
    add_mode(&b, (int[]){0, 1, 1}, 5, 0.3, 0.002);
    const double rate = discrete_rate(&b, 0), steps = 8000;
    b.heat.setup.step_s = 0.1 / rate / steps;
    run_box(&b, (int64_t)steps);
    expected[0] = heat_mode_after(rate, 5, 0.002, 0.1 / rate);
    assert_near("relative error", largest_error(&b, expected) / expected[0], 0, 1e-6);
    heat_box_close(&b.heat);
}

// ---- order in time

static double error_with(enum bioheat_method method, int fine, const size_t cells[3], double courant)
{
    struct box b;
    double expected[MODES];
    const int64_t steps = 24 * fine;
    box_open(&b, cells, (double[]){1e-3, 1e-3, 1e-3});
    b.heat.setup.method = method;
    b.heat.setup.step_s = courant * 1e-6 * heat_capacity / conductivity / fine;
    add_mode(&b, (int[]){cells[0] > 1, 1, 1}, 5, 0.3, 0.01);
    add_mode(&b, (int[]){0, 2, 0}, 3, 0.4, 0);
    run_box(&b, steps);
    for (int k = 0; k < 2; k++)
        expected[k] = heat_mode_after(discrete_rate(&b, k), b.amplitude_k[k], b.source_k_s[k],
                                      b.heat.setup.step_s * (double)steps);
    const double error = largest_error(&b, expected);
    heat_box_close(&b.heat);
    return error;
}

TEST(error_falls_with_the_step)
{
    static const struct {
        enum bioheat_method method;
        double least_order;
    } methods[] = {{BIOHEAT_EULER, 0.95}, {BIOHEAT_EULER_IN_PLACE, 0.95}, {BIOHEAT_THREE_COLOUR, 0.95}};
    static const size_t cells[3] = {1, 12, 12};
    for (int m = 0; m < 3; m++) {
        double error[3];
        for (int k = 0; k < 3; k++)
            error[k] = error_with(methods[m].method, 1 << k, cells, 0.1);
        for (int k = 1; k < 3; k++) {
            const double order = log2(error[k - 1] / error[k]);
            print_message("%s: error %.3e K with %d times the steps, order %.3f\n",
                          phantom_method_name(methods[m].method), error[k], 1 << k, order);
            assert_true(order >= methods[m].least_order && order < 2.2);
        }
    }
}

// ---- the colourings

// Rate of decay of a slow wave against the operator's own, at μ = DΔt/h².
static double measured_factor(enum bioheat_method method, double mu, int64_t steps)
{
    struct box b;
    box_open(&b, (size_t[]){24, 24, 24}, (double[]){1e-3, 1e-3, 1e-3});
    b.heat.table[1].perfusion_w_m3_k = 0;
    b.heat.setup.method = method;
    b.heat.setup.step_s = mu * 1e-6 * heat_capacity / conductivity;
    add_mode(&b, (int[]){0, 0, 1}, 5, 0.3, 0);
    // The share of the first wave at the end: by projection.
    run_box(&b, steps);
    double product = 0, square = 0;
    for (size_t cell = 0; cell < heat_cells(&b.heat); cell++) {
        product += b.heat.theta[cell] * shape(&b, 0, cell);
        square += shape(&b, 0, cell) * shape(&b, 0, cell);
    }
    const double rate = -log(product / square / 5) / ((double)steps * b.heat.setup.step_s);
    const double factor = rate / discrete_rate(&b, 0);
    heat_box_close(&b.heat);
    return factor;
}

TEST(the_sources_colouring_has_its_factor)
{
    // 1/(1 − 3.75 μ): 1.88 at μ = 1/8.
    static const double mus[] = {1.0 / 8, 1.0 / 16};
    for (int k = 0; k < 2; k++) {
        const double expected = 1 / (1 - 3.75 * mus[k]);
        const double plain = measured_factor(BIOHEAT_SOURCE_THREE_COLOUR, mus[k], 24);
        const double consistent = measured_factor(BIOHEAT_THREE_COLOUR, mus[k], 24);
        print_message("mu %.4f: source-three-colour %.4f (%.4f), three-colour %.4f\n", mus[k], plain,
                      expected, consistent);
        assert_near("plain", plain, expected, 0.02);
        assert_near("consistent", consistent, 1, 0.01);
    }
}

// ---- Gaussian

// θ after 30 s in steps of 0.05 s/`fine`.
static void spread(struct box *b, const struct heat_gaussian *g, int fine, double *theta_k)
{
    b->heat.setup.step_s = 0.05 / fine;
    for (size_t cell = 0; cell < heat_cells(&b->heat); cell++) {
        double at[3];
        heat_place(&b->heat, cell, at);
        theta_k[cell] = heat_gaussian_k(g, hypot(at[1] - 0.0202, at[2] - 0.0199), 0);
    }
    struct phantom *p = phantom_open(&b->heat.setup);
    phantom_set(p, theta_k);
    phantom_advance(p, 0, 600 * fine);
    phantom_get(p, theta_k);
    phantom_close(p);
}

TEST(a_gaussian_spreads)
{
    if (PHANTOM_IS_SANITIZED) // long, and nothing that the others have not
        skip();
    // Eight widths across: what comes round the edges is nothing. θ_tt = (P + a)² + a² with a = 4D/(w² + 4Dt)
    // at the middle, and explicit Euler is behind by ½Δt t θ_tt: 2.8e-3 K. Twice the half step's result less
    // the whole step's leaves the error in space, of fourth order, and that of the second in time.
    struct box b;
    box_open(&b, (size_t[]){1, 80, 80}, (double[]){1, 0.5e-3, 0.5e-3});
    b.heat.table[1].perfusion_w_m3_k = perfusion;
    const struct heat_gaussian g = {10, 3e-3, conductivity / heat_capacity, perfusion / heat_capacity, 2};
    double *halves = phantom_array_new(heat_cells(&b.heat)), worst = 0, worst_in_space = 0;
    spread(&b, &g, 1, b.heat.theta);
    spread(&b, &g, 2, halves);
    for (size_t cell = 0; cell < heat_cells(&b.heat); cell++) {
        double at[3];
        heat_place(&b.heat, cell, at);
        const double exact = heat_gaussian_k(&g, hypot(at[1] - 0.0202, at[2] - 0.0199), 30);
        const double error = fabs(b.heat.theta[cell] - exact),
                     in_space = fabs(2 * halves[cell] - b.heat.theta[cell] - exact);
        worst = heat_worst(worst, error);
        worst_in_space = heat_worst(worst_in_space, in_space);
    }
    print_message("Gaussian of 10 K after 30 s: error %.2e K, without that of first order in time %.2e K\n",
                  worst, worst_in_space);
    assert_true(worst <= 3e-3);
    assert_true(worst_in_space <= 2e-4);
    free(halves);
    heat_box_close(&b.heat);
}
