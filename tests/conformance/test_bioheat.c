// Conformance of the heat model's fast versions: every back end, method and precision does, on every kind of
// grid, medium, face and source, what the plain reference does, within the tolerances of ONE table. The
// reference shares no arithmetic with them.
//
// Also, exactly: euler in place has euler's bits, and neither threads, nor how many steps go through the
// planes together, nor where a run is cut or resumed, nor the vector width change any.
#include "tests/support/test.h"

#include "gpu/device.h"
#include "models/bioheat/rkl2.h"
#include "tests/support/bioheat_fixture.h"
#include "tests/support/cuda_test.h"

#include "tests/support/numbers.h"

// ---- the tolerances ----

// Largest differences from the reference, for rises of up to 22 K after some dozens of steps near the
// stability limit.
//
// θ, double: half a unit in the last place of 22 K is 1.8e-15 K, once or twice a step in each version. float:
//   9.5e-7 K, and coefficients that are rounded to 6e-8 of changes of up to a few K a step.
// Dose: its rate changes by 2 ln 2 of itself per K, so the float's 1e-5 K are 1.4e-5 of it; its sum of ≤ 64
//   rates is rounded to 64 · 6e-8 of itself, its 2^x to 2e-7. A cell that is within the tolerance of θ of
//   where the rate begins may count, or not count, there: `dose_steps` times the rate there.
// Times of the largest rise: two steps that are as warm within the tolerance can be taken for each other: for
// so many of the cells.
static const struct tolerance {
    enum element precision;
    double theta_k;
    double dose;       // of itself
    double dose_steps; // steps' worth of the rate at the cut-off
    double times;      // share of the cells
} tolerances[] = {{ELEMENT_F64, 1e-13, 1e-12, 1, 1e-3}, {ELEMENT_F32, 1e-5, 1e-5, 12, 0.01}};

enum {
    STEPS = PHANTOM_IS_SANITIZED ? 5 : 6,
    LARGE_STEPS = PHANTOM_IS_SANITIZED ? 1 : 2,
    DOSE_STEPS = PHANTOM_IS_SANITIZED ? 66 : 140, // two blocks of summed rates, or one
    SLOW_DOSE_STEPS = 66
};

// ---- runs ----

struct run {
    size_t count;
    double *theta, *dose, *largest, *at;
};

static size_t cells_of(const struct phantom_setup *setup)
{
    return setup->cells[0] * setup->cells[1] * setup->cells[2];
}

static void run_free(struct run *run)
{
    free(run->theta);
    free(run->dose);
    free(run->largest);
    free(run->at);
}

static void read_run(struct phantom *phantom, int64_t step, struct run *run)
{
    phantom_get(phantom, run->theta);
    phantom_records(phantom, step, run->dose, run->largest, run->at);
}

// From the warm start; cut after so many steps (0: nowhere).
static struct run run_new(const struct phantom_setup *setup, int64_t steps, int64_t cut)
{
    struct run run = {.count = cells_of(setup)};
    run.theta = phantom_array_new(run.count);
    run.dose = phantom_array_new(run.count);
    run.largest = phantom_array_new(run.count);
    run.at = phantom_array_new(run.count);
    struct phantom *phantom = phantom_open(setup);
    phantom_warm_start(setup->cells, run.theta);
    phantom_set(phantom, run.theta);
    if (cut > 0)
        phantom_advance(phantom, 0, cut);
    phantom_advance(phantom, cut, steps - cut);
    read_run(phantom, steps, &run);
    phantom_close(phantom);
    return run;
}

static const char *name_of(const char *name, const struct phantom_setup *s)
{
    static char text[256];
    snprintf(text, sizeof text, "%s: %s %s %s, %s", name, s->backend->head.name,
             phantom_precision_name(s->precision), phantom_method_name(s->method),
             phantom_dose_name(s->dose));
    return text;
}

static void expect_same(const char *name, const struct phantom_setup *setup, const struct run *a,
                        const struct run *b)
{
    const double *pairs[][2] = {
        {a->theta, b->theta}, {a->dose, b->dose}, {a->largest, b->largest}, {a->at, b->at}};
    static const char *const what[] = {"theta", "dose", "largest rise", "its time"};
    for (int k = 0; k < 4; k++) {
        size_t where = 0;
        const size_t unequal = phantom_unequal(pairs[k][0], pairs[k][1], a->count, &where);
        if (unequal > 0)
            fail_msg("%s: %s differs in %zu of %zu cells, the first is %zu: %.17g and %.17g",
                     name_of(name, setup), what[k], unequal, a->count, where, pairs[k][0][where],
                     pairs[k][1][where]);
    }
}

// ---- comparison with the reference ----

// What a minute at the definition's cut-off counts for.
static double cut_off_rate(enum bioheat_dose dose)
{
    return dose == BIOHEAT_DOSE_KWAVE ? exp2(-12) : dose == BIOHEAT_DOSE_ISO ? exp2(-4) : 0;
}

// ISO's dose jumps where 43 or 57 °C were just reached, or not.
static bool is_on_the_edge(const struct phantom_setup *s, double largest_k, double tolerance_k)
{
    return s->dose == BIOHEAT_DOSE_ISO &&
           (fabs(largest_k - 6) <= tolerance_k || fabs(largest_k - 20) <= tolerance_k);
}

static void compare_dose(const char *name, const struct phantom_setup *s, const struct tolerance *t,
                         double step_s, const struct run *reference, const struct run *fast)
{
    const double least = t->dose_steps * cut_off_rate(s->dose) * step_s / 60;
    double largest = 0, worst = 0;
    size_t edges = 0, counted = 0;
    for (size_t k = 0; k < fast->count; k++) {
        const double a = reference->dose[k], b = fast->dose[k];
        if (a == b)
            continue;
        if (s->has_maximum && is_on_the_edge(s, reference->largest[k], t->theta_k)) {
            edges++;
            continue;
        }
        counted++;
        largest = fmax(largest, a);
        worst = fmax(worst, (fabs(b - a) - least) / a);
        if (!(fabs(b - a) <= t->dose * a + least + 1e-300))
            fail_msg("%s: dose of cell %zu is %.9g, reference %.9g min (largest rise %.9g K)",
                     name_of(name, s), k, b, a, reference->largest[k]);
    }
    assert_true(edges <= fast->count / 500 + 1);
    print_message("    dose up to %.3g min, off by %.1e of itself in %zu cells\n", largest, worst, counted);
}

static void compare(const char *name, const struct phantom_setup *s, double step_s,
                    const struct run *reference, const struct run *fast, bool prints)
{
    const struct tolerance *t = &tolerances[s->precision == ELEMENT_F64 ? 0 : 1];
    size_t where = 0, times = 0;
    const double difference = phantom_difference(reference->theta, fast->theta, fast->count, &where);
    if (prints)
        print_message("%-90s theta %.1e K\n", name_of(name, s), difference);
    if (!(difference <= t->theta_k))
        fail_msg("%s: theta of cell %zu is %.12g, reference %.12g K (%.2e apart)", name_of(name, s), where,
                 fast->theta[where], reference->theta[where], difference);
    if (s->dose != BIOHEAT_DOSE_OFF)
        compare_dose(name, s, t, step_s, reference, fast);
    if (!s->has_maximum)
        return;
    const double largest = phantom_difference(reference->largest, fast->largest, fast->count, &where);
    if (!(largest <= t->theta_k))
        fail_msg("%s: largest rise of cell %zu is %.12g, reference %.12g K", name_of(name, s), where,
                 fast->largest[where], reference->largest[where]);
    for (size_t k = 0; k < fast->count; k++)
        times += fabs(reference->at[k] - fast->at[k]) <= 1e-6 * reference->at[k] ? 0 : 1;
    if ((double)times > t->times * (double)fast->count + 1)
        fail_msg("%s: times of the largest rise differ in %zu of %zu cells", name_of(name, s), times,
                 fast->count);
}

static bool has_method(const struct phantom_case *c, enum bioheat_method method)
{
    return c->colours || (method != BIOHEAT_THREE_COLOUR && method != BIOHEAT_SOURCE_THREE_COLOUR);
}

// rkl2: steps of several of Euler's, and parabolas between tissues.
static void set_method(struct phantom_setup *setup, enum bioheat_method method)
{
    setup->method = method;
    if (method != BIOHEAT_RKL2)
        return;
    setup->interfaces = BIOHEAT_QUADRATIC;
    const double steps = setup->cells[BIOHEAT_X] % 2 == 0 ? 4.3 : 6.5; // 4 stages, or 5
    setup->step_s = steps * phantom_safe_step_s(setup);
}

static double step_of(const struct phantom_setup *s)
{
    return s->step_s > 0 ? s->step_s : phantom_safe_step_s(s);
}

static void check_case(const struct phantom_case *c, enum bioheat_method method, enum element precision,
                       const struct bioheat_backend *backend)
{
    struct phantom_setup setup = c->setup;
    const int64_t steps = c->is_large ? LARGE_STEPS : STEPS;
    set_method(&setup, method);
    setup.precision = precision;
    setup.has_maximum = true;
    setup.dose = BIOHEAT_DOSE_KWAVE;
    setup.backend = backend;
    if (!phantom_has_method(&setup))
        return;
    setup.backend = &bioheat_backend_reference;
    const struct run reference = run_new(&setup, steps, 0);
    setup.backend = backend;
    const struct run fast = run_new(&setup, steps, steps / 3);
    compare(c->name, &setup, step_of(&setup), &reference, &fast, true);
    run_free((struct run *)&reference);
    run_free((struct run *)&fast);
}

// Each case with each method, in one precision and the other in turn, so that each method has both with each
// kind of medium; the body, of which there is one small case, in both. Euler in place has Euler's bits in all
// these cases (below).
static void conforms(const struct bioheat_backend *backend)
{
    static const struct {
        enum bioheat_method method;
        bool is_for_large;
    } variants[] = {{BIOHEAT_EULER, true},
                    {BIOHEAT_THREE_COLOUR, false},
                    {BIOHEAT_RKL2, true},
                    {BIOHEAT_SOURCE_THREE_COLOUR, false}};
    for (size_t k = 0; k < phantom_case_count; k++)
        for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
            const struct phantom_case *c = &phantom_cases[k];
            const bool is_single = c->is_large || (k + v / 2) % 2 == 0,
                       has_both = !c->is_large && c->setup.media == PHANTOM_BODY;
            if (!has_method(c, variants[v].method) || (c->is_large && !variants[v].is_for_large))
                continue;
            if (is_single || has_both)
                check_case(c, variants[v].method, ELEMENT_F32, backend);
            if (!is_single || has_both)
                check_case(c, variants[v].method, ELEMENT_F64, backend);
        }
}

// Parabolas between tissues with Euler too, and in place its bits.
static void quadratic_interfaces(const struct bioheat_backend *backend)
{
    for (size_t k = 0; k < phantom_case_count; k++)
        for (int p = 0; p < 2; p++) {
            struct phantom_setup setup = phantom_cases[k].setup;
            setup.interfaces = BIOHEAT_QUADRATIC;
            setup.precision = p == 0 ? ELEMENT_F64 : ELEMENT_F32;
            setup.backend = backend;
            if (!phantom_has_method(&setup) || phantom_cases[k].is_large)
                continue;
            setup.backend = &bioheat_backend_reference;
            struct run reference = run_new(&setup, STEPS, 0);
            setup.backend = backend;
            struct run fast = run_new(&setup, STEPS, 0);
            compare(phantom_cases[k].name, &setup, step_of(&setup), &reference, &fast, true);
            setup.method = BIOHEAT_EULER_IN_PLACE;
            struct run in_place = run_new(&setup, STEPS, 0);
            expect_same(phantom_cases[k].name, &setup, &fast, &in_place);
            run_free(&reference);
            run_free(&fast);
            run_free(&in_place);
        }
}

// rkl2: few stages, whose recurrences begin and end at once, and more; steps with sub-steps between others;
// both fluxes between tissues; a dose in the cells that steps never change, too. Precisions and fluxes in
// turn: each pair of them has every number of stages in one of the four cases.
static void numbers_of_stages(const struct bioheat_backend *backend)
{
    static const size_t numbers[] = {3, 7, 10, 14};
    enum { FEWEST = 2, MOST = 7, FEW_STEPS = 5, SEVERAL_BLOCKS = 34 };
    for (int n = 0; n < 4; n++)
        for (int stages = FEWEST; stages <= MOST; stages++) {
            const int p = (n + stages) % 4;
            struct phantom_setup setup = phantom_cases[numbers[n]].setup;
            setup.method = BIOHEAT_RKL2;
            setup.stages = stages;
            setup.step_s = bioheat_rkl2_limit_s(stages, 0.95 * phantom_safe_step_s(&setup));
            setup.interfaces = p < 2 ? BIOHEAT_QUADRATIC : BIOHEAT_TWO_POINT;
            setup.precision = p % 2 == 0 ? ELEMENT_F64 : ELEMENT_F32;
            setup.dose = stages % 2 == 0 ? BIOHEAT_DOSE_KWAVE : BIOHEAT_DOSE_PLAIN;
            setup.has_maximum = true;
            setup.substeps = stages >= 4 ? stages - 2 : 0;
            setup.divided_every = 3;
            setup.backend = backend;
            if (!phantom_has_method(&setup))
                continue;
            setup.backend = &bioheat_backend_reference;
            const int64_t steps = stages == 3 && !PHANTOM_IS_SANITIZED ? SEVERAL_BLOCKS : FEW_STEPS;
            struct run reference = run_new(&setup, steps, 0);
            setup.backend = backend;
            struct run fast = run_new(&setup, steps, 3);
            compare(phantom_cases[numbers[n]].name, &setup, setup.step_s, &reference, &fast, p < 2);
            run_free(&reference);
            run_free(&fast);
        }
}

// ---- dose ----

// Long enough for several blocks of summed rates, and cooling below 43 °C on the way.
static void doses(const struct bioheat_backend *backend)
{
    static const enum bioheat_dose definitions[] = {BIOHEAT_DOSE_PLAIN, BIOHEAT_DOSE_KWAVE, BIOHEAT_DOSE_ISO};
    for (int d = 0; d < 3; d++)
        for (int p = 0; p < 4; p++) {
            if ((p / 2 + p + d) % 2 != 0) // each method in one precision and the other, in turn
                continue;
            struct phantom_setup setup = phantom_cases[2].setup;
            setup.precision = p % 2 == 0 ? ELEMENT_F64 : ELEMENT_F32;
            setup.backend = backend;
            set_method(&setup, p < 2 ? BIOHEAT_EULER : BIOHEAT_RKL2);
            if (!phantom_has_method(&setup))
                continue;
            setup.dose = definitions[d];
            setup.has_maximum = true;
            setup.backend = &bioheat_backend_reference;
            struct run reference = run_new(&setup, DOSE_STEPS, 0);
            setup.backend = backend;
            struct run fast = run_new(&setup, DOSE_STEPS, DOSE_STEPS / 2 + 5);
            compare("dose", &setup, step_of(&setup), &reference, &fast, true);
            run_free(&reference);
            run_free(&fast);
        }
}

// Two doses side by side are, bit for bit, those of runs that keep one each; in a run that is resumed too.
// The reference's own law stands behind `doses`; its records are the same code for all methods.
static void two_doses(const struct bioheat_backend *backend)
{
    const bool is_reference = backend == &bioheat_backend_reference;
    const int64_t steps = is_reference ? SLOW_DOSE_STEPS : DOSE_STEPS;
    for (enum bioheat_method method = BIOHEAT_EULER; method <= BIOHEAT_RKL2; method++) {
        if (is_reference && method != BIOHEAT_EULER && method != BIOHEAT_RKL2)
            continue;
        struct phantom_setup setup = phantom_cases[2].setup;
        setup.precision = method % 2 == 0 ? ELEMENT_F32 : ELEMENT_F64;
        setup.backend = backend;
        set_method(&setup, method);
        setup.substeps = method == BIOHEAT_RKL2 ? 3 : 0;
        setup.divided_every = 3;
        if (!phantom_has_method(&setup))
            continue;
        setup.has_maximum = true;
        setup.dose = BIOHEAT_DOSE_PLAIN;
        const struct run plain = run_new(&setup, steps, 0);
        setup.dose = BIOHEAT_DOSE_ISO;
        struct run iso = run_new(&setup, steps, 0), both = run_new(&setup, 0, 0);
        setup.dose = BIOHEAT_DOSE_PLAIN;
        setup.second_dose = BIOHEAT_DOSE_ISO;
        struct phantom *first = phantom_open(&setup), *second = phantom_open(&setup);
        phantom_set(first, both.theta);
        phantom_advance(first, 0, steps / 2);
        phantom_copy_checkpoint(first, second);
        phantom_advance(second, steps / 2, steps - steps / 2);
        read_run(second, steps, &both);
        expect_same("the first of two doses", &setup, &plain, &both);
        phantom_second_dose(second, steps, both.dose);
        expect_same("the second of two doses", &setup, &iso, &both);
        assert_true(phantom_unequal(plain.dose, iso.dose, iso.count, NULL) > 0);
        phantom_close(first);
        phantom_close(second);
        run_free((struct run *)&plain);
        run_free(&iso);
        run_free(&both);
    }
}

// ---- what changes no bit ----

static struct phantom_setup everything(size_t number, enum element precision, enum bioheat_method method,
                                       const struct bioheat_backend *backend)
{
    struct phantom_setup setup = phantom_cases[number].setup;
    setup.precision = precision;
    set_method(&setup, method);
    setup.dose = BIOHEAT_DOSE_ISO;
    setup.has_maximum = true;
    setup.backend = backend;
    return setup;
}

static void in_place_is_euler(const struct bioheat_backend *backend)
{
    for (size_t k = 0; k < phantom_case_count; k++)
        for (int p = 0; p < 2; p++) {
            const enum element precision = p == 0 ? ELEMENT_F64 : ELEMENT_F32;
            struct phantom_setup setup = everything(k, precision, BIOHEAT_EULER, backend);
            const int64_t steps = phantom_cases[k].is_large ? LARGE_STEPS : STEPS;
            struct run euler = run_new(&setup, steps, 0);
            setup.method = BIOHEAT_EULER_IN_PLACE;
            struct run in_place = run_new(&setup, steps, 2 % steps);
            expect_same(phantom_cases[k].name, &setup, &euler, &in_place);
            run_free(&euler);
            run_free(&in_place);
        }
}

static void cutting_and_resuming(const struct bioheat_backend *backend)
{
    static const size_t numbers[] = {2, 7, 15};
    for (int n = 0; n < 3; n++)
        for (enum bioheat_method method = BIOHEAT_EULER; method <= BIOHEAT_RKL2; method++) {
            const struct phantom_setup setup =
                everything(numbers[n], n == 1 ? ELEMENT_F64 : ELEMENT_F32, method, backend);
            if (!phantom_has_method(&setup))
                continue;
            const int64_t steps = STEPS + 2, cut = 5;
            struct run whole = run_new(&setup, steps, 0), cutting = run_new(&setup, steps, 1),
                       resumed = run_new(&setup, cut, 0);
            expect_same("cut", &setup, &whole, &cutting);
            struct phantom *first = phantom_open(&setup), *second = phantom_open(&setup);
            phantom_warm_start(setup.cells, resumed.theta);
            phantom_set(first, resumed.theta);
            phantom_advance(first, 0, cut);
            phantom_copy_checkpoint(first, second);
            phantom_advance(second, cut, steps - cut);
            read_run(second, steps, &resumed);
            expect_same("resumed", &setup, &whole, &resumed);
            phantom_close(first);
            phantom_close(second);
            run_free(&whole);
            run_free(&cutting);
            run_free(&resumed);
        }
}

// A chain: the records of one solver set in another go on there.
static void chained(const struct bioheat_backend *backend)
{
    if (!backend->set_records)
        return;
    for (int p = 0; p < 4; p++) {
        struct phantom_setup setup = everything(2, p % 2 == 0 ? ELEMENT_F64 : ELEMENT_F32,
                                                p < 2 ? BIOHEAT_EULER : BIOHEAT_RKL2, backend);
        if (!phantom_has_method(&setup))
            continue;
        const size_t count = cells_of(&setup), nx = setup.cells[BIOHEAT_X];
        struct run first = run_new(&setup, 9, 0), second = run_new(&setup, 0, 0),
                   expected = run_new(&setup, 0, 0);
        for (int pass = 0; pass < 2; pass++) { // the reference, then the other, from the same records
            setup.backend = pass == 0 ? &bioheat_backend_reference : backend;
            struct run *run = pass == 0 ? &expected : &second;
            struct phantom *phantom = phantom_open(&setup);
            for (size_t row = 0; row < count / nx; row++)
                setup.backend->set_records(phantom_solver(phantom), row / setup.cells[BIOHEAT_Y],
                                           row % setup.cells[BIOHEAT_Y], 0, nx, first.dose + row * nx,
                                           first.largest + row * nx, first.at + row * nx);
            phantom_set(phantom, first.theta);
            read_run(phantom, 0, run);
            for (size_t k = 0; k < count; k++)
                if (isfinite(first.dose[k]))
                    assert_near("dose taken over", run->dose[k], first.dose[k], 1e-14 * first.dose[k]);
            phantom_advance(phantom, 0, STEPS);
            read_run(phantom, STEPS, run);
            phantom_close(phantom);
        }
        compare("chained", &setup, step_of(&setup), &expected, &second, true);
        run_free(&first);
        run_free(&second);
        run_free(&expected);
    }
}

TEST_ON_HOST(threads_and_depth_change_nothing)
{
    static const size_t numbers[] = {3, 8, 14, 15};
    static const char *const depths[] = {"1", "3", "16"};
    static const int threads[] = {1, 2, 5};
    for (int n = 0; n < 4; n++)
        for (enum bioheat_method method = BIOHEAT_EULER; method <= BIOHEAT_RKL2; method++) {
            struct phantom_setup setup = everything(numbers[n], n % 2 == 0 ? ELEMENT_F32 : ELEMENT_F64,
                                                    method, &bioheat_backend_openmp);
            struct run plain = {0};
            for (int d = 0; d < 3; d++)
                for (int t = 0; t < 3; t++) {
                    assert_int_equal(setenv("FATHOM_HEAT_DEPTH", depths[d], 1), 0);
                    setup.threads = threads[t];
                    struct run run = run_new(&setup, STEPS + 7, 0);
                    if (d + t == 0) {
                        plain = run;
                        continue;
                    }
                    expect_same("threads and depth", &setup, &plain, &run);
                    run_free(&run);
                }
            run_free(&plain);
        }
    assert_int_equal(unsetenv("FATHOM_HEAT_DEPTH"), 0);
}

// Those with a fused multiply-add agree in every bit; each of them does as the reference.
TEST_ON_HOST(instruction_sets_agree)
{
    static const size_t numbers[] = {7, 8, 11, 16};
    const char *names[PHANTOM_INSTRUCTION_SETS_MAX];
    const int count = phantom_instruction_sets(names);
    for (int n = 0; n < 4; n++)
        for (enum bioheat_method method = BIOHEAT_EULER; method <= BIOHEAT_RKL2; method++) {
            struct phantom_setup setup = everything(numbers[n], n % 2 == 0 ? ELEMENT_F32 : ELEMENT_F64,
                                                    method, &bioheat_backend_reference);
            struct run reference = run_new(&setup, STEPS, 0), best = {0};
            setup.backend = &bioheat_backend_openmp;
            for (int k = count - 1; k >= 0; k--) {
                phantom_choose_instruction_set(names[k]);
                struct run run = run_new(&setup, STEPS, 0);
                compare(names[k], &setup, step_of(&setup), &reference, &run, false);
                if (k == count - 1) {
                    best = run;
                    continue;
                }
                if (strcmp(names[k], "generic") != 0)
                    expect_same(names[k], &setup, &best, &run);
                run_free(&run);
            }
            run_free(&reference);
            run_free(&best);
        }
    phantom_choose_instruction_set(NULL);
}

// A uniform medium without an array of labels is the same as with one.
TEST_ON_HOST(labels_may_be_absent)
{
    static struct bioheat_medium table[BIOHEAT_LABELS];
    table[9] = (struct bioheat_medium){BIOHEAT_TISSUE, 0.5, 3.7e6, 9000};
    struct phantom_setup setup = phantom_cases[3].setup;
    setup.backend = &bioheat_backend_openmp;
    setup.precision = ELEMENT_F32;
    setup.media = PHANTOM_GIVEN;
    setup.table = table;
    uint8_t *labels = malloc(cells_of(&setup));
    assert_non_null(labels);
    memset(labels, 9, cells_of(&setup));
    setup.labels = labels;
    struct run with = run_new(&setup, STEPS, 0), without = run_new(&setup, 0, 0);
    struct phantom *phantom = phantom_open(&setup);
    struct bioheat_media *media = (struct bioheat_media *)phantom_media(phantom); // the fixture's own
    media->labels = NULL;
    assert_int_equal(bioheat_backend_openmp.start(phantom_solver(phantom)), STATUS_OK);
    phantom_set(phantom, without.theta);
    phantom_advance(phantom, 0, STEPS);
    read_run(phantom, STEPS, &without);
    expect_same("without labels", &setup, &with, &without);
    phantom_close(phantom);
    run_free(&with);
    run_free(&without);
    free(labels);
}

// One array of temperatures where the method promises it.
TEST_ON_HOST(one_array_suffices)
{
    struct phantom_setup setup = phantom_cases[phantom_case_count - 3].setup;
    setup.backend = &bioheat_backend_openmp;
    setup.precision = ELEMENT_F32;
    size_t bytes[BIOHEAT_SOURCE_THREE_COLOUR + 1];
    for (enum bioheat_method method = BIOHEAT_EULER; method <= BIOHEAT_SOURCE_THREE_COLOUR; method++) {
        setup.method = method;
        setup.batch_steps = 1;
        struct phantom *phantom = phantom_open(&setup);
        bytes[method] = phantom_planned_bytes(phantom, MEMORY_HOST);
        phantom_close(phantom);
    }
    const size_t array = cells_of(&setup) * sizeof(float);
    for (enum bioheat_method method = BIOHEAT_EULER_IN_PLACE; method <= BIOHEAT_SOURCE_THREE_COLOUR; method++)
        assert_true(bytes[method] + array * 9 / 10 < bytes[BIOHEAT_EULER]);
}

// ---- the lists ----

static const struct bioheat_backend *tested = &bioheat_backend_openmp;

TEST(every_variant_does_as_the_reference)
{
    conforms(tested);
}

TEST(parabolas_do_as_the_reference)
{
    quadratic_interfaces(tested);
}

TEST(every_number_of_stages_does_as_the_reference)
{
    numbers_of_stages(tested);
}

TEST(every_dose_does_as_the_reference)
{
    doses(tested);
}

TEST(two_doses_are_those_of_two_runs)
{
    two_doses(tested);
    if (tested == &bioheat_backend_openmp)
        two_doses(&bioheat_backend_reference);
}

TEST(euler_in_place_has_eulers_bits)
{
    in_place_is_euler(tested);
}

TEST(a_run_may_be_cut_and_resumed)
{
    cutting_and_resuming(tested);
}

TEST(records_may_be_handed_on)
{
    chained(tested);
}

// On the host once; on a device with each of its back ends.
static int run(int argc, char **argv, const struct CMUnitTest *tests, size_t count)
{
    static const char *const names[] = {"cuda", "cuda-plain"};
    int failed = 0, found = 0;
    if (!wants_cuda(argc, argv))
        return _cmocka_run_group_tests(tested->head.name, tests, count, NULL, NULL);
    for (int k = 0; k < 2; k++) {
        const struct backend *backend = backend_find(&bioheat_backends, names[k]);
        if (!backend)
            continue;
        found++;
        tested = (const struct bioheat_backend *)backend;
        failed += _cmocka_run_group_tests(names[k], tests, count, NULL, NULL);
    }
    if (found == 0)
        printf("skipped: this build has no CUDA back end for heat\n");
    return found == 0 ? EXIT_SKIPPED : failed;
}

TEST_SUITE(.begin = cuda_begin, .run = run);
