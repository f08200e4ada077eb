// Rows of Okada's uplift against the formula point by point, against his printed values, and against the bits
// of other instruction sets and other rows; the fading against the great circle's distance.
#include "tests/support/test.h"

#include "models/tsunami/earthquake/great_circle.h"
#include "models/tsunami/earthquake/okada_row.h"
#include "tests/support/numbers.h"

enum { POINTS = 600 };

static const double radius_m = 6371000;
static const double pi = 3.14159265358979323846;
static const char *const sets[] = {"generic", "avx2", "avx512"};

static struct fault random_fault(uint64_t *state, int number)
{
    static const double odd_dips[] = {0, 1e-6, 1e-3, 89.9, 89.9999, 90};
    struct fault f = {.longitude_deg = next_uniform(state, -180, 180),
                      .latitude_deg = next_uniform(state, -80, 80),
                      .length_m = next_uniform(state, 2e3, 400e3),
                      .width_m = next_uniform(state, 2e3, 150e3),
                      .strike_deg = next_uniform(state, 0, 360),
                      .dip_deg = next_uniform(state, 1, 89),
                      .rake_deg = next_uniform(state, -180, 180),
                      .slip_m = 1,
                      .reference = FAULT_TOP_CENTRE};
    f.depth_m = number % 4 == 0 ? 0 : next_uniform(state, 0, 40e3);
    if (number % 3 == 0)
        f.dip_deg = odd_dips[number / 3 % 6];
    if (number % 5 == 0)
        f.strike_deg = 90 * (number / 5 % 4);
    return f;
}

// With a dip near the vertical both formulas divide rounding by its cosine (I4, I5).
static double tolerance_of(const struct fault *fault)
{
    const double cosine = cos(fault->dip_deg * pi / 180);
    return cosine < 1e-5 ? 1e-13 : 1e-13 + 1e-15 / cosine;
}

static void make_longitudes(uint64_t *state, const struct fault *fault, double *x_deg)
{
    for (int i = 0; i < POINTS; i++) {
        const double width = i % 3 == 0 ? 0.05 : i % 3 == 1 ? 4 : 170;
        x_deg[i] = fault->longitude_deg + next_uniform(state, -width, width) + (i % 7 == 0 ? 360 : 0);
    }
    x_deg[0] = fault->longitude_deg;
}

TEST(test_rows_on_the_sphere_are_the_formula)
{
    uint64_t state = 27;
    static double x_deg[POINTS], up_m[POINTS];
    for (int set = 0; set < 3; set++) {
        assert_int_equal(setenv("FATHOM_ISA", sets[set], 1), 0);
        for (int k = 0; k < 90; k++) {
            const struct fault fault = random_fault(&state, k);
            const struct fault_frame frame = fault_frame_of(&fault);
            const double y = fault.latitude_deg + (k % 6 == 0 ? 0 : next_uniform(&state, -3, 3));
            const struct fault_parallel parallel = fault_frame_parallel(&frame, y, radius_m);
            make_longitudes(&state, &fault, x_deg);
            okada_row_on_sphere(&frame, &parallel, x_deg, POINTS, up_m);
            for (int i = 0; i < POINTS; i++)
                assert_near(sets[set], up_m[i], fault_frame_at(&frame, &parallel, x_deg[i]).up_m,
                            tolerance_of(&fault));
        }
    }
    assert_int_equal(unsetenv("FATHOM_ISA"), 0);
}

// Points on, and beside, the lines where terms are singular: above the corners and the edges of a fault along
// y = 0 (north is along strike), and on its trace, where the displacement jumps.
TEST(test_rows_on_a_plane_are_the_formula_on_singular_lines_too)
{
    static const double beside_m[] = {0, 1e-9, -1e-9, 1e-6, 1e-3, -1e-3, 0.5, 300};
    static const double dips[] = {0, 10, 45, 80, 90}, depths_m[] = {0, 5e3};
    double x_m[8 * 3], up_m[8 * 3];
    for (int d = 0; d < 5; d++)
        for (int h = 0; h < 2; h++) {
            const struct fault fault = {.length_m = 60e3,
                                        .width_m = 20e3,
                                        .dip_deg = dips[d],
                                        .rake_deg = 40,
                                        .slip_m = 1,
                                        .depth_m = depths_m[h] + (dips[d] == 0 && h == 0 ? 1e3 : 0),
                                        .reference = FAULT_TOP_CENTRE};
            const struct fault_frame frame = fault_frame_of(&fault);
            const double lower_m = 20e3 * cos(dips[d] * pi / 180), edges_m[] = {0, lower_m, 0.5 * lower_m};
            for (int k = 0; k < 24; k++)
                x_m[k] = edges_m[k / 8] + beside_m[k % 8];
            for (int j = 0; j < 24; j++) {
                const double y_m = (j / 8 == 0 ? 30e3 : j / 8 == 1 ? -30e3 : 0) + beside_m[j % 8];
                okada_row_on_plane(&frame, x_m, y_m, 24, up_m);
                for (int k = 0; k < 24; k++)
                    assert_near("beside an edge", up_m[k], fault_frame_plane(&frame, x_m[k], y_m).up_m,
                                1e-13);
            }
        }
}

// Okada's table 2, case 2: length 3, width 2, depth 4, dip 70°, at x = 2, y = 3.
TEST(test_printed_values)
{
    static const double expected[2] = {-2.747e-3, -3.564e-2};
    for (int k = 0; k < 2; k++) {
        const struct fault fault = {.length_m = 3,
                                    .width_m = 2,
                                    .depth_m = 4,
                                    .strike_deg = 90,
                                    .dip_deg = 70,
                                    .rake_deg = 90 * k,
                                    .slip_m = 1,
                                    .reference = FAULT_BOTTOM_CENTRE};
        const struct fault_frame frame = fault_frame_of(&fault);
        const double x_m = 2 - 1.5;
        double up_m;
        okada_row_on_plane(&frame, &x_m, 3, 1, &up_m);
        assert_near("printed", up_m, expected[k], k == 0 ? 0.5e-6 : 0.5e-5);
    }
}

static void fill(const struct fault_frame *frame, const struct fault_parallel *parallel, const double *x_deg,
                 double values[2][POINTS])
{
    const struct okada_fade fade = {10, 0.001, 0.8, radius_m, 1.5e6};
    okada_row_on_sphere(frame, parallel, x_deg, POINTS, values[0]);
    okada_row_fade(&fade, x_deg, POINTS, values[1]);
}

TEST(test_bits_are_those_of_every_instruction_set_and_row)
{
    static double x_deg[POINTS], values[2][POINTS], others[2][POINTS];
    uint64_t state = 9;
    for (int k = 0; k < 12; k++) {
        struct fault fault = random_fault(&state, k);
        fault.longitude_deg = 10;
        const struct fault_frame frame = fault_frame_of(&fault);
        const struct fault_parallel parallel =
            fault_frame_parallel(&frame, fault.latitude_deg + 0.7, radius_m);
        make_longitudes(&state, &fault, x_deg);
        fill(&frame, &parallel, x_deg, values);
        for (int set = 0; set < 3; set++) {
            assert_int_equal(setenv("FATHOM_ISA", sets[set], 1), 0);
            fill(&frame, &parallel, x_deg, others);
            assert_memory_equal(values, others, sizeof values);
        }
        assert_int_equal(unsetenv("FATHOM_ISA"), 0);
        for (size_t i = 0; i < POINTS; i++) { // each point by itself
            double up_m;
            okada_row_on_sphere(&frame, &parallel, x_deg + i, 1, &up_m);
            assert_memory_equal(&up_m, &values[0][i], sizeof up_m);
        }
    }
}

// ½(1 + cos π(2 distance/extent − 1)) in the outer half.
TEST(test_fading)
{
    static double x_deg[POINTS], weights[POINTS];
    uint64_t state = 3;
    size_t within = 0, outside = 0;
    for (int k = 0; k < 40; k++) {
        const double x0 = next_uniform(&state, -180, 180), y0 = next_uniform(&state, -80, 80),
                     y = y0 + next_uniform(&state, -5, 5),
                     extent_m = k == 0 ? 3e7 : next_uniform(&state, 2e5, 3e6);
        const double sine = sin(0.5 * (y - y0) * pi / 180);
        const struct okada_fade fade = {x0, sine * sine, cos(y * pi / 180) * cos(y0 * pi / 180), radius_m,
                                        extent_m};
        for (int i = 0; i < POINTS; i++)
            x_deg[i] = x0 + next_uniform(&state, -60, 60) + (i % 4 == 0 ? 360 : 0);
        okada_row_fade(&fade, x_deg, POINTS, weights);
        for (int i = 0; i < POINTS; i++) {
            const double part = great_circle_m(radius_m, x0, y0, x_deg[i], y) / extent_m;
            const double expected = part <= 0.5 ? 1 : part >= 1 ? 0 : 0.5 * (1 + cos(pi * (2 * part - 1)));
            assert_near("weight", weights[i], expected, 3e-14);
            within += weights[i] == 1;
            outside += weights[i] == 0;
        }
    }
    assert_true(within > POINTS && outside > POINTS);
}
