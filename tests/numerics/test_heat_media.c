// Heat across media, on every back end: a slab of layers in steady state, with one flux through all of them;
// two half spaces in contact, and far from each other; heat conserved in media at random; a uniform
// temperature that stays as it is to the last bit; the same answer whatever the order and direction of the
// axes.
#include "tests/support/test.h"

#include "validate/closed/heat_slab.h"

#include "tests/support/heat_test.h"
#include "tests/support/numbers.h"

// Skin, skull, brain: k in W/m/K, ρc in J/m³/K.
static const double k_of[4] = {0, 0.37, 0.32, 0.51},
                    heat_of[4] = {0, 1109.0 * 3391, 1908.0 * 1313, 1046.0 * 3630};

static void set_tissues(struct heat_box *b, double perfusion_w_m3_k)
{
    for (int label = 1; label < 4; label++)
        heat_table_set(b, label, k_of[label], heat_of[label], perfusion_w_m3_k);
}

// ---- layered slab

enum { SLAB_CELLS = 24 };

// Cells of skin, skull (one cell thin), brain; a gradient of 15 K; the two layers at both ends keep what they
// have.
static void run_slab(enum bioheat_axis axis, enum bioheat_method method, enum element precision,
                     double profile_tolerance, double flux_tolerance)
{
    static const size_t first_skull = 9, first_brain = 10;
    const double h = 1e-3;
    const struct heat_slab slab = {3, {9 * h, 1 * h, 14 * h}, {k_of[1], k_of[2], k_of[3]}, -12, 3};
    struct heat_box b;
    size_t cells[3] = {1, 1, 1};
    cells[axis] = SLAB_CELLS;
    heat_box_open(&b, cells, (double[]){h, h, h});
    set_tissues(&b, 0);
    heat_all_faces(&b, BIOHEAT_FIXED);
    b.setup.method = method;
    b.setup.precision = precision;
    b.setup.step_s = 0.3 * h * h * heat_of[2] / k_of[3];
    for (size_t i = 0; i < SLAB_CELLS; i++) {
        b.labels[i] = i < first_skull ? 1 : i < first_brain ? 2 : 3;
        const bool is_kept = i < 2 || i + 2 >= SLAB_CELLS;
        b.theta[i] = is_kept ? heat_slab_k(&slab, ((double)i + 0.5) * h) : 20;
    }
    heat_box_run(&b, 12000);
    double worst = 0;
    for (size_t i = 0; i < SLAB_CELLS; i++)
        worst = heat_worst(worst, fabs(b.theta[i] - heat_slab_k(&slab, ((double)i + 0.5) * h)));
    assert_near("profile, relative to its range", worst / 15, 0, profile_tolerance);
    // In the tissues on both sides of the skull.
    const double flux = heat_slab_flux_w_m2(&slab);
    const double outer = k_of[1] * (b.theta[7] - b.theta[8]) / h,
                 inner = k_of[3] * (b.theta[10] - b.theta[11]) / h;
    assert_near("flux before the interface against that behind it", outer / inner, 1, flux_tolerance);
    assert_near("flux", inner / flux, 1, 10 * flux_tolerance);
    heat_box_close(&b);
}

TEST_SUITE(.run = heat_test_main);

TEST(layers_carry_one_flux)
{
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        run_slab((enum bioheat_axis)axis, BIOHEAT_EULER, ELEMENT_F64, 1e-10, 1e-10);
    for (int m = BIOHEAT_EULER_IN_PLACE; m <= BIOHEAT_SOURCE_THREE_COLOUR;
         m++) // in steady state all are right
        run_slab(BIOHEAT_X, (enum bioheat_method)m, ELEMENT_F64, 1e-10, 1e-10);
    // Single: a step that adds less than half a unit in the last place adds nothing.
    run_slab(BIOHEAT_Z, BIOHEAT_EULER, ELEMENT_F32, 1e-4, 1e-3);
}

// ---- half spaces

TEST(contact_keeps_its_wall)
{
    // Two grids: the jump of the start leaves an error that falls with h.
    const struct heat_contact contact = {{10, -2}, {k_of[3], k_of[1]}, {heat_of[3], heat_of[1]}};
    double error[2];
    for (int fine = 0; fine < 2; fine++) {
        struct heat_box b;
        const size_t n = (size_t)(80 << fine);
        const double h = 40e-3 / (double)n, t = 40;
        heat_box_open(&b, (size_t[]){1, 1, n}, (double[]){h, h, h});
        set_tissues(&b, 0);
        heat_all_faces(&b, BIOHEAT_INSULATED);
        const int64_t steps = 800 << (2 * fine);
        b.setup.step_s = t / (double)steps;
        for (size_t i = 0; i < n; i++) {
            b.labels[i] = i < n / 2 ? 3 : 1;
            b.theta[i] = contact.theta_k[i >= n / 2];
        }
        heat_box_run(&b, steps);
        error[fine] = 0;
        for (size_t i = 0; i < n; i++)
            error[fine] = heat_worst(
                error[fine], fabs(b.theta[i] - heat_contact_k(&contact, ((double)i + 0.5) * h - 20e-3, t)));
        heat_box_close(&b);
    }
    print_message("contact of 12 K after 40 s: error %.2e K at 0.5 mm, %.2e K at 0.25 mm\n", error[0],
                  error[1]);
    assert_true(error[0] <= 0.012 &&
                error[1] <= error[0] / 3.5); // a thousandth of the jump; second order: a quarter
}

// A blob in each of two half spaces is, away from the other, what it is in a uniform medium.
TEST(blobs_do_not_feel_the_other_half)
{
    enum { NX = 96, NY = 20, WIDTH = 4 };
    struct heat_box both, alone;
    double worst = 0, *result = phantom_array_new(NX * NY);
    static const size_t cells[3] = {1, NY, NX};
    for (int half = -1; half < 2; half++) { // −1: both tissues and both blobs
        struct heat_box *b = half < 0 ? &both : &alone;
        heat_box_open(b, cells, (double[]){1e-3, 1e-3, 1e-3});
        set_tissues(b, 3000);
        heat_all_faces(b, BIOHEAT_INSULATED);
        b->setup.step_s = 0.25;
        for (size_t k = 0; k < NX * NY; k++) {
            const double x = (double)(k % NX) - (NX - 1) / 2.0, y = (double)(k / NX) - 9.3;
            const double left = exp(-(pow(x + 24, 2) + y * y) / (WIDTH * WIDTH)),
                         right = exp(-(pow(x - 24, 2) + y * y) / (WIDTH * WIDTH));
            b->labels[k] = half == 0 ? 3 : half == 1 ? 2 : x < 0 ? 3 : 2;
            b->theta[k] = half == 0 ? left : half == 1 ? right : left + right;
        }
        heat_box_run(b, 240);
        for (size_t k = 0; k < NX * NY && half < 0; k++)
            result[k] = b->theta[k];
        for (size_t k = 0; k < NX * NY && half >= 0; k++)
            if ((k % NX < NX / 2) == (half == 0))
                worst = heat_worst(worst, fabs(result[k] - b->theta[k]));
        heat_box_close(b);
    }
    print_message("two half spaces: largest difference %.1e K\n", worst);
    assert_true(worst <= 3e-5);
    free(result);
}

// ---- conservation

static const size_t odd_cells[3] = {7, 9, 11};
static const double odd_spacing_m[3] = {1e-3, 1.3e-3, 0.8e-3};

// Labels at random, a VOID among them; a start at random.
static void random_box(struct heat_box *b, uint64_t seed)
{
    heat_box_open(b, odd_cells, odd_spacing_m);
    set_tissues(b, 0);
    b->table[200] = (struct bioheat_medium){BIOHEAT_VOID, 0.02, 1200, 0};
    for (size_t k = 0; k < heat_cells(b); k++) {
        const double pick = next_uniform(&seed, 0, 4);
        b->labels[k] = pick < 3 ? (uint8_t)(1 + (int)pick) : pick < 3.3 ? 200 : 3;
        b->theta[k] = (double)(float)next_uniform(&seed, -5, 20);
    }
    b->setup.step_s = 0.2;
}

static double heat_after(struct heat_box *b, int64_t steps, double *start_j)
{
    struct phantom *p = phantom_open(&b->setup);
    phantom_set(p, b->theta);
    *start_j = phantom_heat_j(p, b->theta);
    phantom_advance(p, 0, steps);
    phantom_get(p, b->theta);
    const double end_j = phantom_heat_j(p, b->theta);
    phantom_close(p);
    return end_j;
}

TEST(heat_stays)
{
    static const enum bioheat_face_kind kinds[] = {BIOHEAT_INSULATED, BIOHEAT_PERIODIC};
    static const struct {
        enum element precision;
        double tolerance;
    } precisions[] = {{ELEMENT_F64, 1e-14}, {ELEMENT_F32, 2e-6}};
    for (int method = BIOHEAT_EULER; method <= BIOHEAT_EULER_IN_PLACE; method++)
        for (int kind = 0; kind < 2; kind++)
            for (int p = 0; p < 2; p++) {
                struct heat_box b;
                double start;
                random_box(&b, 77 + (uint64_t)kind);
                heat_all_faces(&b, kinds[kind]);
                b.setup.method = (enum bioheat_method)method;
                b.setup.precision = precisions[p].precision;
                const double end = heat_after(&b, 200, &start);
                assert_near("heat at the end over that at the start", end / start, 1,
                            precisions[p].tolerance);
                heat_box_close(&b);
            }
}

// The same in full fields: smooth, and with jumps and cells of k = 0.
TEST(heat_stays_in_fields)
{
    for (int kind = 0; kind < 2; kind++) {
        struct heat_box b;
        double start;
        uint64_t seed = 5;
        random_box(&b, 9);
        double *k = phantom_array_new(heat_cells(&b)), *heat = phantom_array_new(heat_cells(&b));
        for (size_t c = 0; c < heat_cells(&b); c++) {
            k[c] = 0.5 + 0.05 * sin(0.4 * (double)c) + (kind ? next_uniform(&seed, -0.3, 0.3) : 0);
            k[c] = kind && next_uniform(&seed, 0, 1) < 0.1 ? 0 : k[c];
            heat[c] = 3.5e6 + 2e5 * cos(0.23 * (double)c);
        }
        b.setup.labels = NULL;
        b.setup.table = NULL;
        b.setup.conductivity = k;
        b.setup.heat_capacity = heat;
        heat_all_faces(&b, BIOHEAT_INSULATED);
        const double end = heat_after(&b, 200, &start);
        assert_near("heat at the end over that at the start", end / start, 1, 1e-14);
        free(k);
        free(heat);
        heat_box_close(&b);
    }
}

// What a source gives is in the tissue: a layer, points and boxes, some of it taken away, none of it in VOID
// cells.
TEST(heat_given_is_heat_found)
{
    enum { STEPS = 30 };
    struct heat_box b;
    static const size_t points[][3] = {{3, 4, 5}, {0, 0, 0}, {6, 8, 10}, {3, 4, 5}};
    static const struct bioheat_box boxes[] = {{{1, 2, 3}, {4, 4, 9}}, {{0, 0, 0}, {6, 8, 10}}};
    double amplitudes[STEPS * 7], start, given = 0;
    random_box(&b, 31);
    heat_all_faces(&b, BIOHEAT_INSULATED);
    const double volume = odd_spacing_m[0] * odd_spacing_m[1] * odd_spacing_m[2];
    for (int n = 0; n < STEPS; n++)
        for (int t = 0; t < 7; t++)
            amplitudes[n * 7 + t] = (t == 0 ? 1 : 2e5) * (1 + 0.4 * sin(n + 1.3 * t)) * (t == 3 ? -1 : 1);
    for (size_t c = 0; c < heat_cells(&b); c++)
        b.layer[c] = 1e5 * (double)(c % 7);
    b.setup.layer_count = 1;
    b.setup.layers[0] = b.layer;
    b.setup.point_count = 4;
    b.setup.points = points;
    b.setup.box_count = 2;
    b.setup.boxes = boxes;
    b.setup.amplitudes = amplitudes;
    for (size_t c = 0; c < heat_cells(&b); c++) {
        const size_t at[3] = {c / 99, c / 11 % 9, c % 11};
        for (int n = 0; n < STEPS && b.labels[c] != 200; n++) {
            double watts = amplitudes[n * 7] * b.layer[c];
            for (int p = 0; p < 4; p++)
                if (points[p][0] == at[0] && points[p][1] == at[1] && points[p][2] == at[2])
                    watts += amplitudes[n * 7 + 1 + p];
            for (int k = 0; k < 2; k++) {
                bool is_in = true;
                for (int axis = 0; axis < 3; axis++)
                    is_in = is_in && at[axis] >= boxes[k].first[axis] && at[axis] <= boxes[k].last[axis];
                watts += is_in ? amplitudes[n * 7 + 5 + k] : 0;
            }
            given += watts * volume * b.setup.step_s;
        }
    }
    double *before = phantom_array_new(heat_cells(&b));
    memcpy(before, b.theta, heat_cells(&b) * sizeof *before);
    const double end = heat_after(&b, STEPS, &start);
    assert_near("heat found over heat given", (end - start) / given, 1, 1e-11);
    for (size_t c = 0; c < heat_cells(&b); c++)
        assert_true(b.labels[c] != 200 || b.theta[c] == before[c]);
    free(before);
    heat_box_close(&b);
}

TEST(a_uniform_temperature_stays_to_the_bit)
{
    for (int method = BIOHEAT_EULER; method <= BIOHEAT_SOURCE_THREE_COLOUR; method++)
        for (int precision = 0; precision < 2; precision++) {
            struct heat_box b;
            random_box(&b, 3);
            heat_all_faces(&b, BIOHEAT_INSULATED);
            b.setup.faces[0][1] = (struct bioheat_face){.kind = BIOHEAT_FIXED};
            b.setup.faces[2][0] = (struct bioheat_face){BIOHEAT_CONVECTIVE, 50, 7.125};
            b.setup.method = (enum bioheat_method)method;
            b.setup.precision = precision ? ELEMENT_F32 : ELEMENT_F64;
            for (size_t k = 0; k < heat_cells(&b); k++)
                b.theta[k] = 7.125;
            heat_box_run(&b, 20);
            for (size_t k = 0; k < heat_cells(&b); k++)
                assert_true(b.theta[k] == 7.125);
            heat_box_close(&b);
        }
}

// ---- axes

// Cell (z, y, x) of the turned box is cell (y', x', z') of the other: each axis takes the next one's part;
// and mirrored, each runs the other way.
static void turn(const struct heat_box *from, struct heat_box *to, bool is_mirrored)
{
    const size_t *n = from->setup.cells, turned[3] = {n[1], n[2], n[0]};
    const double *h = from->setup.spacing_m;
    heat_box_open(to, turned, (double[]){h[1], h[2], h[0]});
    memcpy(to->table, from->table, sizeof to->table);
    to->setup.method = from->setup.method;
    to->setup.step_s = from->setup.step_s;
    for (int axis = 0; axis < 3; axis++)
        for (int side = 0; side < 2; side++)
            to->setup.faces[axis][side] = from->setup.faces[(axis + 1) % 3][side != is_mirrored];
}

static size_t turned_cell(const struct heat_box *from, size_t cell, bool is_mirrored)
{
    const size_t *n = from->setup.cells;
    size_t at[3] = {cell / n[2] / n[1], cell / n[2] % n[1], cell % n[2]};
    for (int axis = 0; axis < 3 && is_mirrored; axis++)
        at[axis] = n[axis] - 1 - at[axis];
    return (at[1] * n[2] + at[2]) * n[0] + at[0];
}

TEST(axes_are_alike)
{
    for (int method = BIOHEAT_EULER; method <= BIOHEAT_SOURCE_THREE_COLOUR; method++)
        for (int is_mirrored = 0; is_mirrored < (method <= BIOHEAT_EULER_IN_PLACE ? 2 : 1); is_mirrored++) {
            struct heat_box a, b;
            random_box(&a, 19);
            a.setup.method = (enum bioheat_method)method;
            a.setup.faces[0][0] = (struct bioheat_face){BIOHEAT_CONVECTIVE, 40, -12};
            a.setup.faces[0][1] = (struct bioheat_face){.kind = BIOHEAT_FIXED};
            for (int side = 0; side < 2; side++) {
                a.setup.faces[1][side] = (struct bioheat_face){.kind = BIOHEAT_PERIODIC};
                a.setup.faces[2][side] = (struct bioheat_face){.kind = BIOHEAT_INSULATED};
            }
            turn(&a, &b, is_mirrored);
            for (size_t k = 0; k < heat_cells(&a); k++) {
                const size_t at = turned_cell(&a, k, is_mirrored);
                b.labels[at] = a.labels[k];
                b.theta[at] = a.theta[k];
            }
            heat_box_run(&a, 25);
            heat_box_run(&b, 25);
            double worst = 0;
            for (size_t k = 0; k < heat_cells(&a); k++)
                worst = heat_worst(worst, fabs(a.theta[k] - b.theta[turned_cell(&a, k, is_mirrored)]));
            assert_near("turned, K", worst, 0, 1e-12);
            heat_box_close(&a);
            heat_box_close(&b);
        }
}
