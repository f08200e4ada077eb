// The stable step of heat in tissue (models/bioheat/body/stability.c) against the largest rate that the
// reference itself shows: twice the step blows up, at a rate that gives it. The limit must never be above
// it, and on media as bodies are made of not far below.
#include "tests/support/test.h"

#include "models/bioheat/body/stability.h"
#include "models/bioheat/step_times.h"
#include "tests/support/bioheat_fixture.h"
#include "tests/support/statuses.h"

static struct bioheat_limit limit_of(const struct phantom_setup *setup)
{
    struct bioheat_limit limit;
    struct phantom *phantom = phantom_open(setup);
    assert_ok(bioheat_step_limit(phantom_grid(phantom), phantom_media(phantom), phantom_read_plane, phantom,
                                 &limit));
    phantom_close(phantom);
    return limit;
}

// Largest rate (1/s) of the discrete operator, by iteration with a step at which it is the only one that
// grows: the factor of a step is 1 − Δt λ.
static double largest_rate(struct phantom_setup setup, double step_s)
{
    enum { ROUNDS = 40, STEPS = 10 };
    setup.step_s = step_s;
    setup.dose = BIOHEAT_DOSE_OFF;
    struct phantom *phantom = phantom_open(&setup);
    const size_t count = bioheat_cells(phantom_grid(phantom));
    double *theta = phantom_array_new(count), factor = 0;
    for (size_t i = 0; i < count; i++) // no symmetry that a mode might lack
        theta[i] = sin(1.7 * (double)i * (double)(i + 1)) * 1e6;
    for (int round = 0; round < ROUNDS; round++) {
        double before = 0, after = 0;
        for (size_t i = 0; i < count; i++)
            before = fmax(before, fabs(theta[i]));
        for (size_t i = 0; i < count; i++)
            theta[i] *= 1e6 / before;
        phantom_set(phantom, theta);
        phantom_advance(phantom, 0, STEPS);
        phantom_get(phantom, theta);
        for (size_t i = 0; i < count; i++)
            after = fmax(after, fabs(theta[i]));
        factor = pow(after / 1e6, 1.0 / STEPS);
    }
    free(theta);
    phantom_close(phantom);
    return (1 + factor) / step_s;
}

static struct phantom_setup base(enum phantom_media media, size_t z, size_t y, size_t x)
{
    struct phantom_setup setup = {.backend = &bioheat_backend_reference,
                                  .precision = ELEMENT_F64,
                                  .media = media,
                                  .cells = {z, y, x},
                                  .spacing_m = {1e-3, 1e-3, 1e-3}};
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        setup.faces[axis][0].kind = setup.faces[axis][1].kind = BIOHEAT_PERIODIC;
    return setup;
}

static void set_faces(struct phantom_setup *setup, enum bioheat_face_kind kind)
{
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        for (int side = 0; side < 2; side++)
            setup->faces[axis][side] =
                (struct bioheat_face){.kind = kind, .transfer_w_m2_k = kind == BIOHEAT_CONVECTIVE ? 1e4 : 0};
}

// ---- one medium: the known limit, reached

TEST(a_uniform_medium_has_the_known_limit)
{
    static const double spacings[][3] = {{1e-3, 1e-3, 1e-3}, {1e-3, 0.5e-3, 2e-3}};
    uint8_t *labels = calloc(8 * 8 * 8, 1);
    assert_non_null(labels);
    for (int k = 0; k < 4; k++) {
        struct bioheat_medium table[BIOHEAT_LABELS] = {{.role = BIOHEAT_TISSUE,
                                                        .conductivity_w_m_k = 0.51,
                                                        .heat_capacity_j_m3_k = 1046.0 * 3630,
                                                        .perfusion_w_m3_k = k < 2 ? 0 : 4e5}};
        struct phantom_setup setup = base(PHANTOM_GIVEN, 8, 8, k == 3 ? 1 : 8);
        memcpy(setup.spacing_m, spacings[k % 2], sizeof setup.spacing_m);
        setup.labels = labels;
        setup.table = table;
        double inverse = 0;
        for (int axis = 0; axis < BIOHEAT_AXES; axis++)
            inverse += setup.cells[axis] > 1 ? 1 / (setup.spacing_m[axis] * setup.spacing_m[axis]) : 0;
        const double expected =
            2 * 1046.0 * 3630 /
            (16 * 0.51 / 3 * inverse + table[0].perfusion_w_m3_k); // Δt (16/3 D Σ1/h² + P) = 2
        const struct bioheat_limit limit = limit_of(&setup);
        assert_true(fabs(limit.step_s / expected - 1) < 1e-13);
        assert_int_equal(limit.label, 0);
        const struct bioheat_grid grid = {
            .cells = {setup.cells[0], setup.cells[1], setup.cells[2]},
            .spacing_m = {setup.spacing_m[0], setup.spacing_m[1], setup.spacing_m[2]}};
        assert_true(fabs(bioheat_uniform_limit_s(&grid, &table[0]) / expected - 1) < 1e-13);
        // The chessboard is a mode of even periodic grids, and its rate is the bound itself.
        const double rate = largest_rate(setup, 2 * limit.step_s);
        if (fabs(rate * limit.step_s / 2 - 1) > 1e-3)
            fail_msg("case %d: the largest rate times the limit is %.6f, expected 2", k, rate * limit.step_s);
    }
    free(labels);
}

// ---- others: safe, and near

static void check(const char *name, const struct phantom_setup *setup, double least)
{
    const struct bioheat_limit limit = limit_of(setup);
    const double reached = largest_rate(*setup, 2 * limit.step_s) * limit.step_s / 2;
    print_message("%s: step limit %.4g s, of which %.3f is reached\n", name, limit.step_s, reached);
    if (!(reached <= 1 + 1e-6))
        fail_msg("%s: the limit %g s is %.4f times too long", name, limit.step_s, reached);
    if (!(reached >= least))
        fail_msg("%s: the limit %g s is needlessly short: only %.3f of it is reached", name, limit.step_s,
                 reached);
}

TEST(mixed_media_are_safe_and_near)
{
    static const struct {
        const char *name;
        enum phantom_media media;
        double least; // bodies have large parts of one tissue, which reach the bound
    } media[] = {{"layers", PHANTOM_LAYERS, 0.7},
                 {"body", PHANTOM_BODY, 0.7},
                 {"random", PHANTOM_RANDOM, 0.5},
                 {"smooth fields", PHANTOM_SMOOTH, 0.7},
                 {"fields with jumps", PHANTOM_JUMPS, 0.5}};
    static const enum bioheat_face_kind kinds[] = {BIOHEAT_PERIODIC, BIOHEAT_INSULATED, BIOHEAT_CONVECTIVE,
                                                   BIOHEAT_FIXED};
    for (size_t m = 0; m < sizeof media / sizeof *media; m++)
        for (size_t f = 0; f < sizeof kinds / sizeof *kinds; f++) {
            char name[64];
            struct phantom_setup setup = base(media[m].media, 10, 11, 13);
            set_faces(&setup, kinds[f]);
            setup.has_perfusion = f % 2 == 1;
            snprintf(name, sizeof name, "%s, faces %zu", media[m].name, f);
            check(name, &setup, media[m].least);
        }
}

TEST(narrow_and_flat_grids_are_safe)
{
    static const size_t cells[][3] = {{1, 12, 14}, {2, 9, 10}, {3, 5, 11}, {12, 1, 1}, {5, 4, 3}, {1, 1, 30}};
    static const enum bioheat_face_kind kinds[] = {BIOHEAT_INSULATED, BIOHEAT_CONVECTIVE, BIOHEAT_PERIODIC};
    for (size_t c = 0; c < sizeof cells / sizeof *cells; c++)
        for (size_t f = 0; f < sizeof kinds / sizeof *kinds; f++) {
            char name[64];
            struct phantom_setup setup =
                base(c % 2 ? PHANTOM_RANDOM : PHANTOM_LAYERS, cells[c][0], cells[c][1], cells[c][2]);
            set_faces(&setup, kinds[f]);
            setup.spacing_m[BIOHEAT_Y] = 0.6e-3;
            setup.has_perfusion = true;
            snprintf(name, sizeof name, "%zu x %zu x %zu, faces %zu", cells[c][0], cells[c][1], cells[c][2],
                     f);
            check(name, &setup, 0.2);
        }
}

TEST(a_flow_is_taken_in)
{
    struct phantom_setup setup = base(PHANTOM_LAYERS, 10, 12, 14);
    const double still_s = limit_of(&setup).step_s;
    setup.has_velocity = true;
    const struct bioheat_limit limit = limit_of(&setup);
    assert_true(limit.step_s < still_s);
    assert_true(limit.speed_m_s > 0);
    check("flow", &setup, 0.5);
}

// ---- the automatic step

static void expect_step(const double given_s[4], double expected_s)
{
    const double step_s = bioheat_automatic_step_s(given_s[0], given_s[1], given_s[2], given_s[3]);
    if (!(fabs(step_s - expected_s) < 1e-12))
        fail_msg("the step is %.15g s, expected %.15g s", step_s, expected_s);
}

// Limit, duration, intervals of sensors and fields.
TEST(automatic_steps_fit_end_and_outputs)
{
    // 0.9 of the limit is 0.9 s: records every 10 s are met by 12 steps of 0.8333 s.
    expect_step((const double[]){1, 100, 0, 10}, 10.0 / 12);
    // Three records would be a step of 0.9 s, but 112 of these end at 100.8 s.
    expect_step((const double[]){1, 100, 0.3, 0}, 100.0 / 112);
    expect_step((const double[]){0.1234, 7, 0, 0}, 7.0 / 64); // 7 / 0.11106 = 63.03
    // Sensors every second would halve the step: the fields' 5 s, in 6 steps, cost little.
    expect_step((const double[]){1, 20, 1, 5}, 5.0 / 6);
    // Of both, 1 s, that of the fields alone, 2.5 s: 0.5 and 0.8333 s.
    expect_step((const double[]){1, 15, 1, 2.5}, 2.5 / 3);
    // The run's end is not given up for records, even where no step near the limit meets it.
    expect_step((const double[]){1.19, 1.65, 1.1, 1.1}, 1.65 / 2);
    expect_step((const double[]){1, 10.0 / 3, 0, 1}, 10.0 / 12);
    expect_step((const double[]){1, 7, 50, 0}, 7.0 / 8);   // a record after the end
    expect_step((const double[]){INFINITY, 50, 0, 0}, 50); // nothing moves
    expect_step((const double[]){INFINITY, 60, 4, 10}, 4); // but is recorded
    expect_step((const double[]){0.01, 1e7, 0, 0}, 1e7 / 1111111112.0);
}
