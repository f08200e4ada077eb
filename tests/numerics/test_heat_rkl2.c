// Runge–Kutta–Legendre steps of heat on every back end that has them: each wave has the method's own factor a
// step, for each number of stages; second order in time, of decay with perfusion and of sources that change;
// stable, without growth, at the longest step; heat is conserved; the dose is that of straight lines between
// the temperatures. And two published or known cases at coarse steps: k-Wave's half spaces with perfusion,
// and three layers under a source of 30 s, whose interfaces a parabola on either side resolves.
#include "tests/support/test.h"

#include "models/bioheat/rkl2.h"
#include "validate/closed/heat_dose.h"
#include "validate/closed/heat_gaussian.h"
#include "validate/closed/heat_modes.h"

#include "tests/support/heat_test.h"
#include "tests/support/numbers.h"

static const double pi = 3.14159265358979323846;
static const double conductivity = 0.51, heat_capacity = 1046.0 * 3630, perfusion = 1050.0 * 3617 * 0.009745;

static void choose(struct heat_box *b, int stages, double step_s)
{
    b->setup.method = BIOHEAT_RKL2;
    b->setup.stages = stages;
    b->setup.step_s = step_s;
    if (!phantom_has_method(&b->setup)) {
        heat_box_close(b);
        skip();
    }
}

static double euler_limit_s(const struct heat_box *b, double k, double heat, double blood)
{
    double rate = blood / heat;
    for (int axis = 0; axis < 3; axis++)
        if (b->setup.cells[axis] > 1)
            rate += 16.0 / 3 * k / heat / (b->setup.spacing_m[axis] * b->setup.spacing_m[axis]);
    return 2 / rate;
}

TEST_SUITE(.run = heat_test_main);

// ---- the method's factor

// R(z) = 1 − b + b P_s(1 − 4z/(s² + s − 2)), b = (s² + s − 2)/(2s(s + 1)), P_s Legendre's polynomial.
static double legendre_factor(int stages, double z)
{
    const double n = stages * stages + stages - 2, x = 1 - 4 * z / n, b = n / (2.0 * stages * (stages + 1));
    double before = 1, p = x;
    for (int j = 2; j <= stages; j++) {
        const double next = ((2 * j - 1) * x * p - (j - 1) * before) / j;
        before = p;
        p = next;
    }
    return 1 - b + b * p;
}

TEST(each_step_has_legendres_factor)
{
    enum { STEPS = 7 };
    static const int stages[] = {2, 3, 4, 7, 12, 32};
    static const struct {
        enum element precision;
        double tolerance_k;
    } precisions[] = {{ELEMENT_F64, 1e-13}, {ELEMENT_F32, 1e-5}};
    for (size_t n = 0; n < sizeof stages / sizeof *stages; n++)
        for (int p = 0; p < 2; p++) {
            struct heat_box b;
            double worst = 0;
            heat_box_open(&b, (size_t[]){6, 9, 18}, (double[]){1e-3, 1.3e-3, 0.8e-3});
            heat_all_faces(&b, BIOHEAT_PERIODIC);
            heat_table_set(&b, 1, conductivity, heat_capacity, perfusion);
            b.setup.precision = precisions[p].precision;
            choose(
                &b, stages[n],
                bioheat_rkl2_limit_s(stages[n], euler_limit_s(&b, conductivity, heat_capacity, perfusion)));
            struct heat_mode mode = {conductivity / heat_capacity, perfusion / heat_capacity, {0}};
            static const int periods[3] = {1, -2, 3};
            for (int axis = 0; axis < 3; axis++)
                mode.wave_number_rad_m[axis] =
                    2 * pi * periods[axis] / ((double)b.setup.cells[axis] * b.setup.spacing_m[axis]);
            const double rate = heat_mode_discrete_rate_per_s(&mode, b.setup.spacing_m), source_k_s = 0.05;
            for (size_t cell = 0; cell < heat_cells(&b); cell++) {
                double at[3];
                heat_place(&b, cell, at);
                const double shape =
                    sin(0.4 + mode.wave_number_rad_m[0] * at[0] + mode.wave_number_rad_m[1] * at[1] +
                        mode.wave_number_rad_m[2] * at[2]);
                b.theta[cell] = 5 * shape;
                b.layer[cell] = source_k_s * heat_capacity * shape;
            }
            double *start = phantom_array_new(heat_cells(&b));
            memcpy(start, b.theta, heat_cells(&b) * sizeof *start);
            heat_box_use_layer(&b, STEPS);
            heat_box_run(&b, STEPS);
            const double factor = pow(legendre_factor(stages[n], rate * b.setup.step_s), STEPS);
            const double expected = 5 * factor + source_k_s / rate * (1 - factor);
            for (size_t cell = 0; cell < heat_cells(&b); cell++)
                worst = heat_worst(worst, fabs(b.theta[cell] - expected * start[cell] / 5));
            assert_near("largest error, K", worst, 0, precisions[p].tolerance_k);
            free(start);
            heat_box_close(&b);
        }
}

// ---- order in time

// Two waves with perfusion for 24 s under a source that grows evenly, amplitudes being means over steps.
// Against the exact solution of the semi-discrete equations: u' = −λu + q t.
static double error_in_time(int steps, double *step_s)
{
    const double duration_s = 24, slope_k_s2 = 0.02;
    struct heat_box b;
    double worst = 0;
    heat_box_open(&b, (size_t[]){1, 12, 12}, (double[]){1, 1e-3, 1e-3});
    heat_all_faces(&b, BIOHEAT_PERIODIC);
    heat_table_set(&b, 1, conductivity, heat_capacity, perfusion);
    *step_s = duration_s / steps;
    choose(&b, 4, *step_s); // stable at the longest, 1.5 s, on 1 mm
    const struct heat_mode mode = {
        conductivity / heat_capacity, perfusion / heat_capacity, {0, 2 * pi / 12e-3, 4 * pi / 12e-3}};
    const double rate = heat_mode_discrete_rate_per_s(&mode, (double[]){0, 1e-3, 1e-3});
    heat_box_use_layer(&b, steps);
    for (int n = 0; n < steps; n++)
        b.amplitudes[n] = (n + 0.5) * *step_s;
    double *shape = phantom_array_new(heat_cells(&b));
    for (size_t cell = 0; cell < heat_cells(&b); cell++) {
        double at[3];
        heat_place(&b, cell, at);
        shape[cell] = sin(0.3 + mode.wave_number_rad_m[1] * at[1] + mode.wave_number_rad_m[2] * at[2]);
        b.theta[cell] = 5 * shape[cell];
        b.layer[cell] = slope_k_s2 * heat_capacity * shape[cell];
    }
    heat_box_run(&b, steps);
    const double decay = exp(-rate * duration_s);
    const double expected = 5 * decay + slope_k_s2 * (duration_s / rate - (1 - decay) / (rate * rate));
    for (size_t cell = 0; cell < heat_cells(&b); cell++)
        worst = heat_worst(worst, fabs(b.theta[cell] - expected * shape[cell]));
    free(shape);
    heat_box_close(&b);
    return worst;
}

TEST(error_falls_with_the_square_of_the_step)
{
    double step_s, before = error_in_time(16, &step_s);
    for (int steps = 32; steps <= 128; steps *= 2) {
        const double error = error_in_time(steps, &step_s), order = log2(before / error);
        print_message("steps of %.4g s: error %.3e K, order %.3f\n", step_s, error, order);
        assert_true(order > 1.9 && order < 2.2);
        before = error;
    }
}

// A device computes the stages as differences from the start. For a mode that is heated at the constant rate
// q one recurrence is the other.
TEST(differences_from_the_start_are_the_stages)
{
    static const double rates[] = {0, 0.3, 4, 25};
    for (int stages = 2; stages <= BIOHEAT_RKL2_STAGES_MAX; stages++)
        for (int n = 0; n < 4; n++) {
            const int parts = 1 + (stages + n) % 3;
            const double z = rates[n], q = 0.7, start = 1.25;
            const double of_first = bioheat_rkl2_stage_of_part(stages, parts, 1).rate;
            const double change = q - z * start;
            double earlier = start, last = start + of_first * change;
            double earlier_difference = 0, difference = of_first * change;
            for (int j = 2; j <= stages; j++) {
                const struct bioheat_rkl2_stage y = bioheat_rkl2_stage_of_part(stages, parts, j);
                const struct bioheat_rkl2_difference d = bioheat_rkl2_difference(stages, parts, j);
                const double next = start + y.last * (last - start) + y.earlier * (earlier - start) +
                                    y.rate * (q - z * last) + y.first_rate * change;
                const double from = j == 2 ? change : difference; // the first difference is a multiple of it
                const double next_difference =
                    d.rate * (-z * from) + d.last * from + d.earlier * earlier_difference + d.first * change;
                assert_true(j > 3 || d.earlier == 0);
                earlier = last;
                last = next;
                earlier_difference = difference;
                difference = next_difference;
                const double scale = 1 + z * fabs(start) * of_first * (double)(stages * stages);
                assert_near("stage", start + difference, last, 1e-14 * scale);
            }
        }
}

// ---- stability

// Noise at the longest step: every factor of RKL2 lies between 0 and 1, so that Σρcθ² falls where the
// operator is symmetric in it (one medium), and nothing grows elsewhere.
TEST(noise_decays_at_the_longest_step)
{
    static const enum phantom_media media[] = {PHANTOM_UNIFORM, PHANTOM_RANDOM, PHANTOM_LAYERS,
                                               PHANTOM_JUMPS};
    static const int stages[] = {2, 5, 16, 32};
    for (int m = 0; m < 4; m++)
        for (int n = 0; n < 4; n++) {
            struct phantom_setup setup = {.backend = heat_backend,
                                          .precision = ELEMENT_F64,
                                          .method = BIOHEAT_RKL2,
                                          .interfaces = BIOHEAT_QUADRATIC,
                                          .cells = {9, 9, 18},
                                          .spacing_m = {1e-3, 1e-3, 1e-3},
                                          .media = media[m],
                                          .stages = stages[n]};
            for (int axis = 0; axis < 3; axis++)
                for (int side = 0; side < 2; side++)
                    setup.faces[axis][side].kind = BIOHEAT_INSULATED;
            if (!phantom_has_method(&setup))
                skip();
            setup.step_s = bioheat_rkl2_limit_s(stages[n], phantom_safe_step_s(&setup) / 0.7 * 0.8);
            struct phantom *phantom = phantom_open(&setup);
            const size_t count = 9 * 9 * 18;
            double *theta = phantom_array_new(count), start = 0, end = 0;
            for (size_t k = 0; k < count; k++) {
                theta[k] = sin(1.7 * (double)k * (double)(k + 1));
                if (phantom_medium(phantom, k).role != BIOHEAT_TISSUE)
                    theta[k] = 0;
                else
                    start += theta[k] * theta[k] * phantom_medium(phantom, k).heat_capacity_j_m3_k;
            }
            phantom_set(phantom, theta);
            phantom_advance(phantom, 0, heat_is_reference() ? 15 : 30);
            phantom_get(phantom, theta);
            for (size_t k = 0; k < count; k++) {
                assert_true(fabs(theta[k]) <= 1);
                if (phantom_medium(phantom, k).role == BIOHEAT_TISSUE)
                    end += theta[k] * theta[k] * phantom_medium(phantom, k).heat_capacity_j_m3_k;
            }
            assert_true(end < 0.1 * start);
            free(theta);
            phantom_close(phantom);
        }
}

TEST(heat_is_conserved)
{
    static const enum phantom_media media[] = {PHANTOM_RANDOM, PHANTOM_LAYERS, PHANTOM_JUMPS};
    for (int m = 0; m < 3; m++) {
        struct phantom_setup setup = {.backend = heat_backend,
                                      .precision = ELEMENT_F64,
                                      .method = BIOHEAT_RKL2,
                                      .interfaces = BIOHEAT_QUADRATIC,
                                      .cells = {11, 9, 20},
                                      .spacing_m = {1e-3, 0.9e-3, 1.1e-3},
                                      .media = media[m]};
        for (int axis = 0; axis < 3; axis++)
            for (int side = 0; side < 2; side++)
                setup.faces[axis][side].kind = BIOHEAT_INSULATED;
        if (!phantom_has_method(&setup))
            skip();
        setup.step_s = 9 * phantom_safe_step_s(&setup);
        struct phantom *phantom = phantom_open(&setup);
        const size_t count = 11 * 9 * 20;
        double *theta = phantom_array_new(count);
        // Cells of fixed temperature exchange heat: all of one temperature, that of the mean, would not do.
        phantom_warm_start(setup.cells, theta);
        for (size_t k = 0; k < count && media[m] != PHANTOM_LAYERS; k++)
            theta[k] = 7;
        phantom_set(phantom, theta);
        const double before = phantom_heat_j(phantom, theta);
        phantom_advance(phantom, 0, 40);
        phantom_get(phantom, theta);
        assert_near("heat", phantom_heat_j(phantom, theta) / before, 1, 1e-13);
        free(theta);
        phantom_close(phantom);
    }
}

// ---- the dose

TEST(dose_is_that_of_straight_lines)
{
    enum { CELLS = 4 * 5 * 6, STEPS = 37 };
    static const enum bioheat_dose definitions[] = {BIOHEAT_DOSE_PLAIN, BIOHEAT_DOSE_KWAVE, BIOHEAT_DOSE_ISO};
    for (int p = 0; p < 2; p++)
        for (int d = 0; d < 3; d++) {
            struct heat_box b;
            double theta[CELLS], next[CELLS], dose[CELLS], once[CELLS], expected[CELLS] = {0},
                                                                        slack[CELLS] = {0};
            bool has_passed[CELLS] = {false};
            uint64_t seed = 40;
            heat_box_open(&b, (size_t[]){4, 5, 6}, (double[]){1e-3, 1e-3, 1e-3});
            heat_table_set(&b, 1, 0.51, heat_capacity, 30000);
            heat_table_set(&b, 2, 0.32, 0.7 * heat_capacity, 3000);
            heat_all_faces(&b, BIOHEAT_INSULATED);
            b.setup.precision = p == 0 ? ELEMENT_F64 : ELEMENT_F32;
            b.setup.dose = definitions[d];
            choose(&b, 5, 1.2);
            for (size_t k = 0; k < CELLS; k++) {
                b.theta[k] = (double)(float)next_uniform(&seed, -3, 19);
                b.labels[k] = next_uniform(&seed, 0, 1) < 0.5 ? 1 : 2;
            }
            struct phantom *phantom = phantom_open(&b.setup);
            phantom_set(phantom, b.theta);
            phantom_get(phantom, theta);
            for (int n = 0; n < STEPS; n++) {
                phantom_advance(phantom, n, 1);
                phantom_get(phantom, next);
                for (size_t k = 0; k < CELLS; k++) {
                    const double T0 = 37 + theta[k], T1 = 37 + next[k];
                    has_passed[k] = has_passed[k] || T0 >= 43;
                    expected[k] += heat_dose_ramp_min((enum heat_dose_definition)d, T0, T1, 1.2,
                                                      definitions[d] == BIOHEAT_DOSE_ISO && has_passed[k]);
                    // Of close temperatures the law's kink or cut-off between them is not resolved.
                    if (fabs(T1 - T0) < BIOHEAT_DOSE_NEAR_K)
                        slack[k] += (T0 - 43) * (T1 - 43) < 0   ? 0.006 * 1.2 / 60
                                    : (T0 - 39) * (T1 - 39) < 0 ? 0.5 * exp2(-8) * 1.2 / 60
                                    : (T0 - 37) * (T1 - 37) < 0 ? 0.5 * exp2(-12) * 1.2 / 60
                                                                : 0;
                    has_passed[k] = has_passed[k] || T1 >= 43;
                    theta[k] = next[k];
                }
            }
            phantom_records(phantom, STEPS, dose, NULL, NULL);
            phantom_close(phantom);
            for (size_t k = 0; k < CELLS; k++)
                if (isinf(expected[k]))
                    assert_true(isinf(dose[k]));
                else
                    assert_near("minutes", dose[k], expected[k],
                                (p == 0 ? 2e-9 : 1e-5) * expected[k] + slack[k]);
            phantom = phantom_open(&b.setup); // in one go: the same bits
            phantom_set(phantom, b.theta);
            phantom_advance(phantom, 0, STEPS);
            phantom_records(phantom, STEPS, once, NULL, NULL);
            phantom_close(phantom);
            for (size_t k = 0; k < CELLS; k++)
                assert_true(once[k] == dose[k]);
            heat_box_close(&b);
        }
}

// ---- k-Wave's half spaces

// kWaveDiffusion_compare_1D_heterog_perfusion_with_exact of k-Wave's own unit tests (2015): 128 mm, two media
// that meet in the middle, perfusion 0.01 and 0.05 1/s, a Gaussian of 1 K and 2 mm in each, then with a
// source; 100 steps of 0.5 s; here on 0.5 mm. Each half against the exact solution of its own medium
// throughout.
static double kwave_error(bool has_source)
{
    enum { CELLS = 256 };
    const double h = 0.5e-3, blood = 1060.0 * 3617, C[2] = {1079.0 * 3540, 1200.0 * 4000},
                 k[2] = {0.52, 0.13}, P[2] = {0.01 * blood, 0.05 * blood};
    struct heat_box b;
    double worst = 0;
    heat_box_open(&b, (size_t[]){1, 1, CELLS}, (double[]){1, 1, h});
    heat_all_faces(&b, BIOHEAT_INSULATED);
    for (int side = 0; side < 2; side++)
        heat_table_set(&b, 1 + side, k[side], C[side], P[side]);
    for (size_t i = 0; i < CELLS; i++) {
        const double x = (double)i * h - 0.064;
        b.labels[i] = x > 0 ? 2 : 1;
        b.theta[i] = exp(-pow((x + 0.033) / 2e-3, 2)) + exp(-pow((x - 0.031) / 2e-3, 2));
        b.layer[i] = has_source ? 1e5 * exp(-pow((x - 0.03) / 3e-3, 2)) : 0;
    }
    b.setup.interfaces = BIOHEAT_QUADRATIC;
    choose(&b, 3, 0.5);
    heat_box_use_layer(&b, 100);
    heat_box_run(&b, 100);
    for (size_t i = 0; i < CELLS; i++) {
        const double x = (double)i * h - 0.064;
        const int side = x > 0;
        const struct heat_gaussian start = {1, 2e-3, k[side] / C[side], P[side] / C[side], 1},
                                   source = {1e5 / C[side], 3e-3, k[side] / C[side], P[side] / C[side], 1};
        double expected = heat_gaussian_k(&start, fabs(x - (side ? 0.031 : -0.033)), 50);
        for (int n = 0; n <= 400 && has_source && side; n++) // Simpson's rule over the source's times
            expected += heat_gaussian_k(&source, fabs(x - 0.03), 0.125 * n) * 0.125 / 3 *
                        (n == 0 || n == 400 ? 1
                         : n % 2            ? 4
                                            : 2);
        worst = heat_worst(worst, fabs(b.theta[i] - expected));
    }
    heat_box_close(&b);
    return worst;
}

TEST(half_spaces_of_kwave)
{
    const double without = kwave_error(false), with = kwave_error(true);
    print_message("k-Wave's half spaces, 0.5 mm, 0.5 s: %.2e K, with a source %.2e K\n", without, with);
    assert_true(without <= 3e-5 && with <= 3e-5);
}

// ---- three layers

// Skin of 6 mm cooled by air, bone of 7 mm, brain of 35 mm, with perfusion; heated for 30 s, bone most, then
// not for 30 s. Temperatures of all cells at 30 s and 60 s.
enum { LAYERS_MM = 48 };
struct layered {
    double at_30[LAYERS_MM], at_60[LAYERS_MM], dose_min[LAYERS_MM];
};

// The value at the middle of each cell of 1 mm.
static void to_millimetres(const double *fine, size_t ratio, double *coarse)
{
    for (size_t i = 0; i < LAYERS_MM; i++) {
        const double *at = fine + i * ratio + ratio / 2;
        coarse[i] = ratio == 1 ? *at : (9 * (at[-1] + at[0]) - at[-2] - at[1]) / 16;
    }
}

static struct layered run_layers(size_t ratio, enum bioheat_interfaces interfaces, double step_s)
{
    const size_t cells = LAYERS_MM * ratio;
    const double blood = 1050.0 * 3617 * 1e-6 / 60, h = 1e-3 / (double)ratio;
    struct heat_box b;
    struct layered result;
    heat_box_open(&b, (size_t[]){1, 1, cells}, (double[]){1, 1, h});
    heat_all_faces(&b, BIOHEAT_INSULATED);
    b.setup.faces[BIOHEAT_X][0] = (struct bioheat_face){BIOHEAT_CONVECTIVE, 12, -15};
    heat_table_set(&b, 1, 0.37, 1109.0 * 3391, 106 * 1109 * blood);
    heat_table_set(&b, 2, 0.32, 1908.0 * 1313, 10 * 1908 * blood);
    heat_table_set(&b, 3, 0.51, 1046.0 * 3630, 559 * 1046 * blood);
    for (size_t i = 0; i < cells; i++) {
        b.labels[i] = i < 6 * ratio ? 1 : i < 13 * ratio ? 2 : 3;
        b.layer[i] = b.labels[i] == 1 ? 1.5e5 : b.labels[i] == 2 ? 1e6 : 2e5;
    }
    b.setup.interfaces = interfaces;
    b.setup.dose = BIOHEAT_DOSE_PLAIN;
    // A parabola's limit is at most 1.75 times shorter than a medium's (models/bioheat/body/stability.c).
    const double limit_s = euler_limit_s(&b, 0.51, 1908.0 * 1313, 559 * 1046 * blood) / 1.1;
    choose(&b, bioheat_rkl2_stages(step_s, limit_s), step_s);
    const int steps = (int)lround(60 / step_s);
    heat_box_use_layer(&b, steps);
    for (int n = 0; n < steps; n++)
        b.amplitudes[n] = n < steps / 2 ? 1 : 0;
    double *dose = phantom_array_new(cells);
    struct phantom *phantom = phantom_open(&b.setup);
    phantom_set(phantom, b.theta);
    phantom_advance(phantom, 0, steps / 2);
    phantom_get(phantom, b.theta);
    to_millimetres(b.theta, ratio, result.at_30);
    phantom_advance(phantom, steps / 2, steps - steps / 2);
    phantom_get(phantom, b.theta);
    to_millimetres(b.theta, ratio, result.at_60);
    phantom_records(phantom, steps, dose, NULL, NULL);
    to_millimetres(dose, ratio, result.dose_min);
    phantom_close(phantom);
    free(dose);
    heat_box_close(&b);
    return result;
}

static double layers_error(const struct layered *result, const struct layered *exact, double *dose)
{
    double worst = 0, most = 0, expected = 0;
    for (size_t i = 0; i < LAYERS_MM; i++) {
        worst = heat_worst(worst, fabs(result->at_30[i] - exact->at_30[i]));
        worst = heat_worst(worst, fabs(result->at_60[i] - exact->at_60[i]));
        most = i >= 6 && i < 13 ? fmax(most, result->dose_min[i]) : most;
        expected = i >= 6 && i < 13 ? fmax(expected, exact->dose_min[i]) : expected;
    }
    *dose = most / expected - 1;
    return worst;
}

// The exact solution: 1/16 mm between two-point interfaces, so that it does not rest on the parabolas.
TEST(three_layers_at_a_millimetre)
{
    const struct layered exact =
        run_layers(PHANTOM_IS_SANITIZED || heat_is_reference() ? 8 : 16, BIOHEAT_TWO_POINT, 0.25);
    double dose;
    for (int quadratic = 0; quadratic < 2; quadratic++)
        for (int n = 0; n < 3; n++) {
            const double step_s = (const double[]){0.5, 2, 5}[n];
            const struct layered result =
                run_layers(1, quadratic ? BIOHEAT_QUADRATIC : BIOHEAT_TWO_POINT, step_s);
            const double error = layers_error(&result, &exact, &dose);
            print_message("three layers, 1 mm, %s, steps of %g s: %.3f K, dose in bone %+.1f %%\n",
                          quadratic ? "parabolas" : "two-point", step_s, error, 100 * dose);
            if (quadratic) {
                assert_true(error <= (step_s < 3 ? 0.03 : 0.1));
                assert_true(fabs(dose) <= 0.02);
            } else {
                assert_true(error > 0.15); // what the parabolas are for
            }
        }
}
