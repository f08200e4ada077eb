// The start of a heat run with rkl2: what start_rates.c finds of the media and the temperatures are the rates
// of the solvers' own scheme, whatever the media and the faces; and the error that rkl2.h foretells from them
// is never below that of a run, nor far above: convective faces that meet, hot plates, probes, perfusion,
// foci that cool, noise, tissues at random.
#include "tests/support/test.h"

#include "models/bioheat/body/start_rates.h"
#include "models/bioheat/rkl2.h"

#include "tests/support/heat_test.h"
#include "tests/support/numbers.h"
#include "tests/support/statuses.h"

TEST_SUITE(.run = heat_test_main);

struct start {
    const double *theta;
    size_t plane;
};

static enum status read_theta(void *context, size_t z, double *theta_k)
{
    const struct start *start = context;
    memcpy(theta_k, start->theta + z * start->plane, start->plane * sizeof *theta_k);
    return STATUS_OK;
}

static struct bioheat_start_rates rates_of(struct phantom *phantom, const double *theta)
{
    const size_t *cells = phantom_grid(phantom)->cells;
    struct start start = {theta, cells[BIOHEAT_Y] * cells[BIOHEAT_X]};
    const struct bioheat_start_readers readers = {phantom_read_plane, phantom, read_theta, &start};
    struct bioheat_start_rates rates;
    assert_ok(bioheat_start_rates_find(phantom_grid(phantom), phantom_media(phantom), &readers, &rates));
    return rates;
}

static double largest_of(const double *values, size_t count)
{
    double most = 0;
    for (size_t k = 0; k < count; k++)
        most = heat_worst(most, fabs(values[k]));
    return most;
}

// ---- the rates

// Of all cells at `theta`, from one short step of Euler's method.
static void rates_by_euler(struct phantom *phantom, const double *theta, double step_s, double *rates)
{
    const size_t count = bioheat_cells(phantom_grid(phantom));
    phantom_set(phantom, theta);
    phantom_advance(phantom, 1, 1);
    phantom_get(phantom, rates);
    for (size_t k = 0; k < count; k++)
        rates[k] = (rates[k] - theta[k]) / step_s;
}

static void compare_rates(struct phantom_setup *setup, double slack)
{
    setup->step_s = phantom_safe_step_s(setup);
    struct phantom *phantom = phantom_open(setup);
    const size_t count = bioheat_cells(phantom_grid(phantom));
    double *theta = phantom_array_new(count), *rates = phantom_array_new(count),
           *moved = phantom_array_new(count), *bend = phantom_array_new(count);
    phantom_warm_start(setup->cells, theta);
    rates_by_euler(phantom, theta, setup->step_s, rates);
    for (size_t k = 0; k < count; k++) // along the rates by a second
        moved[k] = theta[k] + rates[k];
    rates_by_euler(phantom, moved, setup->step_s, bend);
    for (size_t k = 0; k < count; k++)
        bend[k] -= rates[k];
    const struct bioheat_start_rates found = rates_of(phantom, theta);
    assert_near("rate", found.rate_k_s / largest_of(rates, count), 1, slack);
    assert_near("bend", found.bend_k_s2 / largest_of(bend, count), 1, slack);
    assert_true(found.range_k > 5 && found.range_k < 60); // the warm start's, blood and the outside
    phantom_close(phantom);
    free(theta);
    free(rates);
    free(moved);
    free(bend);
}

TEST(rates_are_those_of_the_scheme)
{
    static const enum phantom_media media[] = {PHANTOM_UNIFORM, PHANTOM_LAYERS, PHANTOM_RANDOM,
                                               PHANTOM_BODY,    PHANTOM_SMOOTH, PHANTOM_JUMPS};
    static const size_t grids[][3] = {{9, 7, 8}, {1, 12, 9}, {11, 1, 6}};
    for (size_t g = 0; g < 3; g++)
        for (size_t m = 0; m < sizeof media / sizeof *media; m++)
            for (int faces = 0; faces < 3; faces++) {
                struct phantom_setup setup = {.backend = heat_backend,
                                              .precision = ELEMENT_F64,
                                              .method = BIOHEAT_EULER,
                                              .interfaces =
                                                  faces == 1 ? BIOHEAT_TWO_POINT : BIOHEAT_QUADRATIC,
                                              .cells = {grids[g][0], grids[g][1], grids[g][2]},
                                              .spacing_m = {1e-3, 1.2e-3, 0.9e-3},
                                              .media = media[m],
                                              .has_perfusion = faces != 1};
                for (int axis = 0; axis < 3; axis++)
                    for (int side = 0; side < 2; side++)
                        setup.faces[axis][side] =
                            faces == 0                ? (struct bioheat_face){.kind = BIOHEAT_INSULATED}
                            : (axis + faces) % 3 == 0 ? (struct bioheat_face){.kind = BIOHEAT_PERIODIC}
                            : side == 0 ? (struct bioheat_face){BIOHEAT_CONVECTIVE, 300 + 100 * axis, -9}
                                        : (struct bioheat_face){.kind = BIOHEAT_FIXED};
                if (!phantom_has_method(&setup))
                    skip();
                // Varying fields: (a) in place of (c).
                compare_rates(&setup, media[m] == PHANTOM_SMOOTH || media[m] == PHANTOM_JUMPS ? 0.2 : 1e-6);
            }
}

// ---- the error

enum { SIDE = 12, CELLS = SIDE * SIDE * SIDE };
static const double conductivity = 0.5, heat_capacity = 4e6;

static void make_convective(struct heat_box *b, int count, double transfer)
{
    for (int axis = 0; axis < count; axis++)
        b->setup.faces[axis][0] = (struct bioheat_face){BIOHEAT_CONVECTIVE, transfer, -20};
}

static void make_focus(struct heat_box *b, double sigma_cells, double middle)
{
    for (size_t k = 0; k < CELLS; k++) {
        const double z = (double)(k / SIDE / SIDE) - middle, y = (double)(k / SIDE % SIDE) - middle,
                     x = (double)(k % SIDE) - middle;
        b->theta[k] = 15 * exp(-(x * x + y * y + z * z) / (2 * sigma_cells * sigma_cells));
    }
}

static void make_hot_plate(struct heat_box *b)
{
    b->setup.faces[BIOHEAT_Z][0].kind = BIOHEAT_FIXED;
    for (size_t k = 0; k < 2 * SIDE * SIDE; k++)
        b->theta[k] = 13;
}

static void make_probe(struct heat_box *b)
{
    heat_table_set(b, 2, conductivity, heat_capacity, 0);
    b->table[2].role = BIOHEAT_HELD;
    for (size_t k = 0; k < CELLS; k++)
        if (k / SIDE / SIDE < SIDE / 2 && k / SIDE % SIDE / 2 == SIDE / 4 && k % SIDE / 2 == SIDE / 4) {
            b->labels[k] = 2;
            b->theta[k] = 33;
        }
}

static void make_noise(struct heat_box *b, bool has_tissues)
{
    uint64_t seed = 11;
    heat_table_set(b, 2, 0.32, 1900.0 * 1300, 0);
    heat_table_set(b, 3, 0.6, 1045.0 * 3700, 30000);
    for (size_t k = 0; k < CELLS; k++) {
        b->theta[k] = has_tissues ? (k % SIDE < 4 ? 8 : 0) : next_uniform(&seed, -0.5, 0.5);
        b->labels[k] = has_tissues ? (uint8_t)next_uniform(&seed, 1, 3.999) : 1;
    }
}

static void make_even(struct heat_box *b, double theta_k)
{
    heat_table_set(b, 1, conductivity, heat_capacity, 4e5);
    for (size_t k = 0; k < CELLS; k++)
        b->theta[k] = theta_k;
}

static const char *const names[] = {"one wall",   "an edge",       "a corner",         "a weak corner",
                                    "hot plate",  "probe",         "perfusion",        "focus of 2 cells",
                                    "focus of 3", "focus of 6",    "focus at an edge", "noise",
                                    "hot cell",   "random tissues"};
enum { STARTS = sizeof names / sizeof *names };

static void make_start(struct heat_box *b, int which)
{
    heat_box_open(b, (size_t[]){SIDE, SIDE, SIDE}, (double[]){1e-3, 1e-3, 1e-3});
    heat_all_faces(b, BIOHEAT_INSULATED);
    heat_table_set(b, 1, conductivity, heat_capacity, 2e4);
    b->setup.interfaces = BIOHEAT_QUADRATIC;
    if (which <= 2)
        make_convective(b, which + 1, 1000);
    else if (which == 3)
        make_convective(b, 3, 50);
    else if (which == 4)
        make_hot_plate(b);
    else if (which == 5)
        make_probe(b);
    else if (which == 6)
        make_even(b, -7);
    else if (which <= 10)
        make_focus(b, (double[]){2, 3, 6, 2}[which - 7], which == 10 ? 1 : 5.5);
    else if (which == 12)
        b->theta[CELLS / 2 + SIDE * SIDE / 2 + SIDE / 2] = 15;
    else
        make_noise(b, which == 13);
}

enum { KINDS = 8, DURATION_S = 30, FINE_PER_S = 10 };
struct trial {
    int step_s, substeps;
    struct phantom *phantom;
    double worst_k, foretold_k;
};

static struct phantom *open_run(struct heat_box *b, double step_s, int stages, int substeps)
{
    b->setup.method = BIOHEAT_RKL2;
    b->setup.step_s = step_s;
    b->setup.stages = stages;
    b->setup.substeps = substeps;
    b->setup.divided_every = substeps > 0 ? DURATION_S + 1 : 0; // the first alone
    b->setup.threads = 1;
    if (!phantom_has_method(&b->setup)) {
        heat_box_close(b);
        skip();
    }
    struct phantom *phantom = phantom_open(&b->setup);
    phantom_set(phantom, b->theta);
    return phantom;
}

static void open_trial(struct heat_box *b, struct trial *trial, double limit_s)
{
    const double step_s = trial->step_s;
    trial->phantom = open_run(b, step_s, bioheat_rkl2_stages(step_s, limit_s), trial->substeps);
    // The fixture gives sub-steps the stages that phantom_safe_step_s, a shorter limit, requires.
    const struct bioheat_rkl2_steps steps = {
        b->setup.stages, trial->substeps,
        bioheat_rkl2_stages(step_s / trial->substeps, phantom_safe_step_s(&b->setup))};
    const struct bioheat_start_rates rates = rates_of(trial->phantom, b->theta);
    const double sizes_k[] = {rates.range_k, step_s * rates.rate_k_s, step_s * step_s * rates.bend_k_s2};
    trial->foretold_k =
        bioheat_rkl2_start_error(&steps, step_s / limit_s, DURATION_S / trial->step_s, sizes_k);
}

// The largest at the ends of steps, against steps of 0.1 s, and the one that is foretold.
static void run_trials(struct heat_box *b, struct trial trials[KINDS])
{
    static double theta[2][CELLS];
    struct bioheat_limit limit;
    struct phantom *fine = open_run(b, 1.0 / FINE_PER_S, 3, 0);
    assert_ok(bioheat_step_limit(phantom_grid(fine), phantom_media(fine), phantom_read_plane, fine, &limit));
    for (int k = 0; k < KINDS; k++)
        open_trial(b, &trials[k], limit.step_s);
    for (int second = 1; second <= DURATION_S; second++) {
        phantom_advance(fine, (int64_t)(second - 1) * FINE_PER_S, FINE_PER_S);
        phantom_get(fine, theta[1]);
        for (int k = 0; k < KINDS; k++) {
            if (second % trials[k].step_s != 0)
                continue;
            phantom_advance(trials[k].phantom, second / trials[k].step_s - 1, 1);
            phantom_get(trials[k].phantom, theta[0]);
            trials[k].worst_k =
                heat_worst(trials[k].worst_k, phantom_difference(theta[0], theta[1], CELLS, NULL));
        }
    }
    for (int k = 0; k < KINDS; k++)
        phantom_close(trials[k].phantom);
    phantom_close(fine);
}

TEST(error_of_a_start_is_foretold)
{
    static const int steps_s[] = {1, 3, 10, 30};
    double least = INFINITY, most = 0;
    // The reference takes thirty times as long, and has the same rates: every fifth start.
    for (int which = 0; which < STARTS; which += heat_is_reference() ? 5 : 1) {
        struct trial trials[KINDS];
        struct heat_box b;
        for (int k = 0; k < KINDS; k++)
            trials[k] = (struct trial){.step_s = steps_s[k / 2], .substeps = k % 2 ? 3 : 1};
        make_start(&b, which);
        run_trials(&b, trials);
        for (int k = 0; k < KINDS; k++) {
            const double ratio = trials[k].foretold_k / trials[k].worst_k;
            print_message("%s, %d s, %d sub-steps: error %.4g K, foretold %.4g K, %.2f times\n", names[which],
                          trials[k].step_s, trials[k].substeps, trials[k].worst_k, trials[k].foretold_k,
                          ratio);
            assert_true(ratio >= 1 && ratio <= 20);
            least = fmin(least, ratio);
            most = fmax(most, ratio);
        }
        heat_box_close(&b);
    }
    print_message("foretold: %.2f to %.2f times the error\n", least, most);
}

// A uniform start where nothing pulls at it, and one that perfusion alone moves: exactly its own error.
TEST(nothing_is_foretold_at_rest)
{
    struct heat_box b;
    heat_box_open(&b, (size_t[]){5, 6, 7}, (double[]){1e-3, 1e-3, 1e-3});
    heat_all_faces(&b, BIOHEAT_INSULATED);
    heat_table_set(&b, 1, conductivity, heat_capacity, 4e5);
    b.setup.step_s = 0.1;
    struct phantom *phantom = phantom_open(&b.setup);
    struct bioheat_start_rates rates = rates_of(phantom, b.theta);
    assert_true(rates.range_k == 0 && rates.rate_k_s == 0 && rates.bend_k_s2 == 0);
    assert_near("perfusion", rates.perfusion_per_s, 0.1, 1e-12);
    for (size_t k = 0; k < heat_cells(&b); k++)
        b.theta[k] = -7;
    rates = rates_of(phantom, b.theta);
    assert_near("range", rates.range_k, 7, 1e-12);
    assert_near("rate", rates.rate_k_s, 0.7, 1e-12);
    assert_near("bend", rates.bend_k_s2, 0.07, 1e-12);
    phantom_close(phantom);
    heat_box_close(&b);
}
