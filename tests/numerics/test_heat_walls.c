// What bounds and drains the tissue, on every back end: walls that lose heat against the series solution,
// perfusion against its exponential, blood that flows against the exact translation, cells and sides that
// keep their temperature, cells that nothing passes.
#include "tests/support/test.h"

#include "validate/closed/heat_slab.h"

#include "tests/support/heat_test.h"
#include "tests/support/numbers.h"

static const double pi = 3.14159265358979323846;
static const double conductivity = 0.51, heat_capacity = 1046.0 * 3630;

// ---- convection

static double cooling_error(enum bioheat_axis axis, int side, size_t n)
{
    struct heat_box b;
    size_t cells[3] = {1, 1, 1};
    double worst = 0;
    const double h = 0.02 / (double)n, time_s = 400, outside = -3;
    const struct heat_cooling cooling = {0.02, conductivity, heat_capacity, 60, 8 - outside};
    cells[axis] = n;
    heat_box_open(&b, cells, (double[]){h, h, h});
    heat_table_set(&b, 1, conductivity, heat_capacity, 0);
    heat_all_faces(&b, BIOHEAT_INSULATED);
    b.setup.faces[axis][side] = (struct bioheat_face){BIOHEAT_CONVECTIVE, 60, outside};
    // So short that the error in time is a hundredth of that in space, and a quarter on half the spacing.
    const int64_t steps = (int64_t)(n * n) * 5;
    b.setup.step_s = time_s / (double)steps;
    for (size_t i = 0; i < n; i++)
        b.theta[i] = 8;
    heat_box_run(&b, steps);
    for (size_t i = 0; i < n; i++) {
        const double from_insulated = ((double)(side ? i : n - 1 - i) + 0.5) * h;
        worst =
            heat_worst(worst, fabs(b.theta[i] - outside - heat_cooling_k(&cooling, from_insulated, time_s)));
    }
    heat_box_close(&b);
    return worst;
}

TEST_SUITE(.run = heat_test_main);

TEST(walls_cool_as_the_series)
{
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        const int side = axis != 1;
        const double coarse = cooling_error((enum bioheat_axis)axis, side, 16),
                     fine = cooling_error((enum bioheat_axis)axis, side, 32);
        print_message("cooling by 11 K at a wall, axis %d: error %.2e K at 1.25 mm, %.2e K at 0.625 mm\n",
                      axis, coarse, fine);
        assert_true(fine <= 5e-3);
        assert_near("order", log2(coarse / fine), 2, 0.2);
    }
}

// Heat that leaves through walls all round is what the tissue loses, step by step.
TEST(walls_take_what_is_lost)
{
    enum { STEPS = 20 };
    static const size_t n[3] = {5, 4, 6};
    static const double h[3] = {1e-3, 2e-3, 1.5e-3};
    struct heat_box b;
    heat_box_open(&b, n, h);
    heat_table_set(&b, 1, conductivity, heat_capacity, 0);
    uint64_t seed = 3;
    double lost = 0, start = 0, end = 0;
    for (int axis = 0; axis < 3; axis++)
        for (int side = 0; side < 2; side++)
            b.setup.faces[axis][side] =
                (struct bioheat_face){BIOHEAT_CONVECTIVE, 30 + 20 * axis + 7 * side, axis - side};
    b.setup.step_s = 0.3;
    for (size_t k = 0; k < heat_cells(&b); k++)
        b.theta[k] = next_uniform(&seed, 0, 10), start += b.theta[k];
    for (int step = 0; step < STEPS; step++) {
        for (size_t k = 0; k < heat_cells(&b); k++) {
            const size_t at[3] = {k / 24, k / 6 % 4, k % 6};
            for (int axis = 0; axis < 3; axis++)
                for (int side = 0; side < 2; side++) {
                    const struct bioheat_face *face = &b.setup.faces[axis][side];
                    if (at[axis] == (side ? n[axis] - 1 : 0))
                        lost += b.setup.step_s / heat_capacity / h[axis] *
                                (b.theta[k] - face->outside_theta_k) /
                                (1 / face->transfer_w_m2_k + h[axis] / (2 * conductivity));
                }
        }
        heat_box_run(&b, 1);
    }
    for (size_t k = 0; k < heat_cells(&b); k++)
        end += b.theta[k];
    assert_near("K cells lost", start - end, lost, 1e-10);
    heat_box_close(&b);
}

// ---- perfusion

TEST(perfusion_is_its_exponential)
{
    // Not source-three-colour: its factor is on every rate.
    for (int method = BIOHEAT_EULER; method <= BIOHEAT_THREE_COLOUR; method++) {
        struct heat_box b;
        const int steps = 400;
        heat_box_open(&b, (size_t[]){3, 3, 6}, (double[]){1e-3, 1e-3, 1e-3});
        heat_table_set(&b, 1, conductivity, heat_capacity, 37000);
        heat_all_faces(&b, BIOHEAT_INSULATED);
        b.setup.method = (enum bioheat_method)method;
        b.setup.arterial_theta_k = -0.5;
        b.setup.step_s = 0.25;
        for (size_t k = 0; k < heat_cells(&b); k++)
            b.theta[k] = 6;
        heat_box_run(&b, steps);
        const double rate = 37000 / heat_capacity, factor = 1 - rate * 0.25;
        const double exact = -0.5 + 6.5 * exp(-rate * 100), euler = -0.5 + 6.5 * pow(factor, steps);
        for (size_t k = 0; k < heat_cells(&b); k++) {
            assert_near("after 100 s", b.theta[k], exact, 1e-2);
            if (method != BIOHEAT_THREE_COLOUR)
                assert_near("factor a step", b.theta[k], euler, 1e-12);
        }
        heat_box_close(&b);
    }
}

// ---- blood that flows

// A wave carried along an axis by blood of `speed`; the exact one moves by ρ_b c_b/ρc of it and decays by D
// k².
static double carried_error(enum bioheat_axis axis, double speed, size_t n)
{
    struct heat_box b;
    size_t cells[3] = {1, 1, 1};
    const double length = 0.04, h = length / (double)n, wave_number = 2 * pi / length, time_s = 5;
    const double drift = 1050.0 * 3617 / heat_capacity * speed, D = conductivity / heat_capacity;
    double worst = 0;
    cells[axis] = n;
    heat_box_open(&b, cells, (double[]){h, h, h});
    double *velocity = phantom_array_new(n);
    heat_table_set(&b, 1, conductivity, heat_capacity, 0);
    heat_all_faces(&b, BIOHEAT_PERIODIC);
    const int64_t steps = (int64_t)(n * n / 4);
    b.setup.step_s = time_s / (double)steps;
    for (size_t i = 0; i < n; i++) {
        velocity[i] = speed;
        b.theta[i] = 4 * sin(wave_number * ((double)i + 0.5) * h);
    }
    b.setup.velocity_m_s[axis] = velocity;
    heat_box_run(&b, steps);
    for (size_t i = 0; i < n; i++) {
        const double exact = 4 * exp(-D * wave_number * wave_number * time_s) *
                             sin(wave_number * (((double)i + 0.5) * h - drift * time_s));
        worst = heat_worst(worst, fabs(b.theta[i] - exact));
    }
    free(velocity);
    heat_box_close(&b);
    return worst;
}

TEST(blood_carries_heat)
{
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        const double speed = axis == 1 ? -1e-3 : 1e-3;
        const double coarse = carried_error((enum bioheat_axis)axis, speed, 64),
                     fine = carried_error((enum bioheat_axis)axis, speed, 128);
        print_message("wave of 4 K carried by %g m/s along axis %d: error %.2e K, %.2e K, order %.2f\n",
                      speed, axis, coarse, fine, log2(coarse / fine));
        assert_near("order", log2(coarse / fine), 1, 0.1);
        assert_true(fine < 0.1);
    }
}

// ---- what keeps its temperature, what nothing passes

TEST(kept_cells_rule)
{
    // One HELD cell in an insulated box: in the end all is as warm as it.
    struct heat_box b;
    heat_box_open(&b, (size_t[]){3, 4, 5}, (double[]){1e-3, 1e-3, 1e-3});
    heat_table_set(&b, 1, conductivity, heat_capacity, 0);
    b.table[9] = (struct bioheat_medium){BIOHEAT_HELD, 2, 1e6, 0};
    heat_all_faces(&b, BIOHEAT_INSULATED);
    b.setup.step_s = 0.4;
    b.labels[37] = 9;
    b.theta[37] = 11;
    heat_box_run(&b, 6000);
    for (size_t k = 0; k < heat_cells(&b); k++)
        assert_near("as the HELD cell", b.theta[k], 11, 1e-6);
    assert_true(b.theta[37] == 11);
    heat_box_close(&b);
}

// Points and boxes heat no cell that keeps its temperature: not HELD ones, not a side's two layers.
TEST(what_is_kept_is_not_heated)
{
    struct heat_box b;
    static const size_t points[][3] = {{2, 2, 2}, {0, 0, 1}};
    static const struct bioheat_box boxes[] = {{{0, 0, 0}, {4, 4, 4}}};
    static const double amplitudes[] = {1e6, 2e6, 3e6, 1e6, 2e6, 3e6};
    heat_box_open(&b, (size_t[]){5, 5, 5}, (double[]){1e-3, 1e-3, 1e-3});
    heat_table_set(&b, 1, conductivity, heat_capacity, 0);
    b.table[9] = (struct bioheat_medium){BIOHEAT_HELD, 2, 1e6, 0};
    heat_all_faces(&b, BIOHEAT_INSULATED);
    b.setup.faces[2][0].kind = BIOHEAT_FIXED;
    b.setup.step_s = 0.4;
    b.setup.point_count = 2;
    b.setup.points = points;
    b.setup.box_count = 1;
    b.setup.boxes = boxes;
    b.setup.amplitudes = amplitudes;
    b.labels[62] = 9; // the first point
    heat_box_run(&b, 2);
    for (size_t k = 0; k < heat_cells(&b); k++)
        assert_true((b.theta[k] == 0) == (k == 62 || k % 5 < 2));
    heat_box_close(&b);
}

TEST(void_cells_part)
{
    // A wall of VOID: what is on the one side makes no difference to the other, to the bit; nor does what the
    // VOID holds.
    struct heat_box b;
    double *first = phantom_array_new(5 * 6 * 9);
    for (int run = 0; run < 2; run++) {
        heat_box_open(&b, (size_t[]){5, 6, 9}, (double[]){1e-3, 1e-3, 1e-3});
        heat_table_set(&b, 1, conductivity, heat_capacity, 3000);
        b.table[3] = (struct bioheat_medium){BIOHEAT_VOID, 0.02, 1200, 0};
        heat_all_faces(&b, BIOHEAT_INSULATED);
        uint64_t seed = 8, other = 1234;
        b.setup.step_s = 0.3;
        // Blood that flows along x is stopped by it too.
        double *velocity = phantom_array_new(heat_cells(&b));
        for (size_t k = 0; k < heat_cells(&b); k++)
            velocity[k] = k % 2 ? 1e-3 : -1e-3;
        b.setup.velocity_m_s[2] = velocity;
        for (size_t k = 0; k < heat_cells(&b); k++) {
            const double value = next_uniform(&seed, 0, 10);
            b.labels[k] = k % 9 == 4 ? 3 : 1;
            b.theta[k] = run == 1 && k % 9 >= 4 ? next_uniform(&other, 50, 60) : value;
        }
        const double kept = b.theta[4];
        heat_box_run(&b, 50);
        assert_true(b.theta[4] == kept);
        for (size_t k = 0; k < heat_cells(&b); k++) {
            if (run == 0)
                first[k] = b.theta[k];
            else if (k % 9 < 4)
                assert_true(b.theta[k] == first[k]);
            else
                assert_true(b.theta[k] != first[k]);
        }
        free(velocity);
        heat_box_close(&b);
    }
    free(first);
}

TEST(fixed_sides_keep_two_layers)
{
    for (int method = BIOHEAT_EULER; method <= BIOHEAT_SOURCE_THREE_COLOUR; method++) {
        struct heat_box b;
        uint64_t seed = 21;
        heat_box_open(&b, (size_t[]){7, 8, 9}, (double[]){1e-3, 1e-3, 1e-3});
        heat_table_set(&b, 1, conductivity, heat_capacity, 3000);
        heat_all_faces(&b, BIOHEAT_FIXED);
        b.setup.faces[1][0].kind = BIOHEAT_INSULATED;
        b.setup.method = (enum bioheat_method)method;
        b.setup.step_s = 0.3;
        double *before = phantom_array_new(heat_cells(&b));
        for (size_t k = 0; k < heat_cells(&b); k++) {
            before[k] = b.theta[k] = (double)(float)next_uniform(&seed, 0, 10);
            b.layer[k] = 2e4;
        }
        heat_box_use_layer(&b, 10);
        heat_box_run(&b, 10);
        for (size_t k = 0; k < heat_cells(&b); k++) {
            const size_t z = k / 72, y = k / 9 % 8, x = k % 9;
            const bool is_kept = z < 2 || z > 4 || y > 5 || x < 2 || x > 6;
            assert_true((b.theta[k] == before[k]) == is_kept);
        }
        free(before);
        heat_box_close(&b);
    }
}
