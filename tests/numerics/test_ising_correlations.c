// Correlations of spins: from states drawn with their exact weights to the exact mean values of all of a
// small lattice's states; from a large one's to the exact correlation function and length; and errors that
// are honest.
#include "tests/support/test.h"

#include "models/ising/correlations.h"
#include "models/ising/reference.h"
#include "models/ising/solver.h"
#include "validate/closed/ising_correlation.h"

#include "tests/support/ising_draws.h"
#include "tests/support/numbers.h"

static const double pi = 3.14159265358979323846;

struct run {
    struct ising_params params;
    double beta;
    int64_t distance[8];
    struct memory_plan *memory;
    struct ising_correlations correlations;
    double record[64]; // with a number after the last
};

static size_t record_length(const struct run *r)
{
    return stream_record_bytes(&r->correlations.stream) / sizeof(double);
}

static struct run *run_open(struct ising_params params, double beta)
{
    struct run *r = owned_zeros(1, sizeof *r);
    r->memory = owned_zeros(1, sizeof *r->memory);
    r->beta = beta;
    r->params = params;
    r->params.temperatures = 1;
    r->params.betas = &r->beta;
    r->params.distance = r->distance;
    for (int k = 0; k < 8; k++)
        r->distance[k] = k + 1;
    r->correlations.params = &r->params;
    memory_plan_begin(r->memory);
    assert_int_equal(ising_correlations_plan(&r->correlations, r->memory), STATUS_OK);
    assert_int_equal(memory_plan_reserve(r->memory, SIZE_MAX, SIZE_MAX), STATUS_OK);
    memory_plan_seal(r->memory);
    ising_correlations_start(&r->correlations);
    assert_true(record_length(r) < 64);
    r->record[record_length(r)] = 12345;
    return r;
}

static void run_close(struct run *r)
{
    assert_true(r->record[record_length(r)] == 12345);
    memory_plan_release(r->memory);
}

static const double *values_of(const struct run *r, const char *name)
{
    const struct stream *stream = &r->correlations.stream;
    const double *values = r->record;
    for (int v = 0; v < stream->variable_count; v++) {
        if (strcmp(stream->variables[v].name, name) == 0)
            return values;
        values += stream_variable_length(stream, &stream->variables[v]);
    }
    fail_msg("no variable %s", name);
    return NULL;
}

static double value_of(const struct run *r, const char *name)
{
    return *values_of(r, name);
}

static struct ising_params params_of(int64_t columns, int64_t rows, size_t distances, int64_t measurements)
{
    return (struct ising_params){
        .physics = {.lattice = {.columns = columns, .rows = rows, .replicas = 1}, .coupling = 1},
        .sweeps = {.count = 10 * measurements, .thermalisation = 0, .every = 5},
        .analysis = {.blocks = 64},
        .correlations_every = 10,
        .distances = distances};
}

// ---- all states of a 4 × 4 lattice

// What a solver would measure.
static void measure_state(const struct run *r, unsigned state, int64_t *to)
{
    const size_t distances = r->params.distances;
    memset(to, 0, (2 * distances + 2 * DRAW_SIDE) * sizeof *to);
    int64_t *rows = to + 2 * distances, *columns = rows + DRAW_SIDE;
    for (int y = 0; y < DRAW_SIDE; y++)
        for (int x = 0; x < DRAW_SIDE; x++) {
            const int spin = draw_spin(state, x, y);
            for (size_t d = 0; d < distances; d++) {
                to[d] += spin * draw_spin(state, x + (int)r->distance[d], y);
                to[distances + d] += spin * draw_spin(state, x, y + (int)r->distance[d]);
            }
            rows[y] += spin;
            columns[x] += spin;
        }
}

struct exact {
    double g[2], s0, s1, length; // G(1), G(2)
};

// By the definitions, over all states; both axes are alike.
static struct exact sum_all_states(double beta, double field)
{
    static struct ising_draws draws;
    struct exact exact = {.s0 = 0};
    double all = 0, m1 = 0;
    draws.field = field;
    for (unsigned state = 0; state < DRAW_STATES; state++) {
        const double weight = exp(-beta * DRAW_SITES * (draw_energy(&draws, state) + 2));
        const double m = draw_spins(state);
        double re = 0, im = 0;
        for (int y = 0; y < DRAW_SIDE; y++)
            for (int x = 0; x < DRAW_SIDE; x++) {
                const double spin = draw_spin(state, x, y);
                re += spin * cos(2 * pi * x / DRAW_SIDE);
                im += spin * sin(2 * pi * x / DRAW_SIDE);
                exact.g[0] += weight * spin * draw_spin(state, x + 1, y) / DRAW_SITES;
                exact.g[1] += weight * spin * draw_spin(state, x + 2, y) / DRAW_SITES;
            }
        all += weight;
        m1 += weight * m;
        exact.s0 += weight * m * m / DRAW_SITES;
        exact.s1 += weight * (re * re + im * im) / DRAW_SITES;
    }
    exact.g[0] /= all;
    exact.g[1] /= all;
    exact.s0 = exact.s0 / all - (field != 0 ? m1 / all * m1 / all / DRAW_SITES : 0);
    exact.s1 /= all;
    exact.length = sqrt(exact.s0 / exact.s1 - 1) / (2 * sin(pi / DRAW_SIDE));
    return exact;
}

static struct run *run_draws(double beta, double field, int64_t measurements, uint64_t seed)
{
    struct ising_params params = params_of(DRAW_SIDE, DRAW_SIDE, 2, measurements);
    params.physics.field = field;
    params.physics.lattice.replicas = 3;
    struct run *r = run_open(params, beta);
    struct ising_draws *draws = draws_begin(beta, field, seed);
    const size_t length = ising_correlations_length(&r->params.physics.lattice, 2);
    for (int64_t n = 0; n < measurements; n++) {
        for (size_t k = 0; k < 3; k++)
            measure_state(r, draws_next(draws), r->correlations.measured + k * length);
        ising_correlations_add(&r->correlations);
    }
    ising_correlations_record(&r->correlations, 0, r->record);
    return r;
}

TEST(exact_draws_give_exact_values)
{
    static const double betas[] = {0.15, 0.44, 0.2}, fields[] = {0, 0, 0.3};
    for (int k = 0; k < 3; k++) {
        const struct exact exact = sum_all_states(betas[k], fields[k]);
        struct run *r = run_draws(betas[k], fields[k], 3000, 31);
        for (int d = 0; d < 2; d++) {
            const double error = values_of(r, "correlation_error")[d];
            assert_near("G", values_of(r, "correlation")[d], exact.g[d], 4 * error);
            assert_near("G in x", values_of(r, "correlation_x")[d], exact.g[d], 8 * error);
            assert_near("G in y", values_of(r, "correlation_y")[d], exact.g[d], 8 * error);
            assert_true(error > 0 && error < 0.01);
        }
        assert_near("S(0)", value_of(r, "structure_factor_0"), exact.s0,
                    4 * value_of(r, "structure_factor_0_error"));
        assert_near("S(k1)", value_of(r, "structure_factor_1"), exact.s1,
                    4 * value_of(r, "structure_factor_1_error"));
        const double error = value_of(r, "correlation_length_error");
        assert_near("ξ", value_of(r, "correlation_length"), exact.length, 4 * error);
        assert_near("ξ in x", value_of(r, "correlation_length_x"), exact.length, 8 * error);
        assert_near("ξ in y", value_of(r, "correlation_length_y"), exact.length, 8 * error);
        assert_true(error < 0.1 * exact.length);
        assert_true(value_of(r, "beta") == betas[k]);
        assert_true(value_of(r, "measurements") == 3000);
        assert_true(value_of(r, "blocks") >= 8);
        run_close(r);
    }
}

// The sum of squares of 60 runs' deviations in their errors: χ², 0.1 % on either side of 31.7 … 99.6, and a
// little for the errors' own scatter.
TEST(errors_are_honest)
{
    const struct exact exact = sum_all_states(0.3, 0);
    double sums[3] = {0};
    for (uint64_t k = 0; k < 60; k++) {
        struct run *r = run_draws(0.3, 0, 300, 100 + k);
        const double deviations[] = {
            (values_of(r, "correlation")[0] - exact.g[0]) / values_of(r, "correlation_error")[0],
            (value_of(r, "structure_factor_0") - exact.s0) / value_of(r, "structure_factor_0_error"),
            (value_of(r, "correlation_length") - exact.length) / value_of(r, "correlation_length_error")};
        for (int q = 0; q < 3; q++)
            sums[q] += deviations[q] * deviations[q];
        run_close(r);
    }
    for (int q = 0; q < 3; q++)
        if (!(sums[q] > 31 && sums[q] < 110))
            fail_msg("quantity %d: χ² %g of 60", q, sums[q]);
}

// Measurements that each come so many times: as many fewer blocks say so.
TEST(blocks_that_know_of_each_other_are_joined)
{
    const int64_t measurements = 1024, times[] = {1, 128};
    double errors[2], blocks[2];
    for (int k = 0; k < 2; k++) {
        struct run *r = run_open(params_of(DRAW_SIDE, DRAW_SIDE, 1, measurements), 0.3);
        struct ising_draws *draws = draws_begin(0.3, 0, 3);
        for (int64_t n = 0; n < measurements; n++) {
            if (n % times[k] == 0)
                measure_state(r, draws_next(draws), r->correlations.measured);
            ising_correlations_add(&r->correlations);
        }
        ising_correlations_record(&r->correlations, 0, r->record);
        errors[k] = values_of(r, "correlation_error")[0];
        blocks[k] = value_of(r, "blocks");
        run_close(r);
    }
    assert_true(blocks[0] >= 16);
    assert_true(blocks[1] == 8);
    assert_true(errors[1] > 5 * errors[0]); // √128 = 11
}

// ---- single states

// A wave along each axis of a rectangle, and all up.
TEST(waves_are_seen_along_their_axis)
{
    struct run *r = run_open(params_of(8, 4, 1, 8), 1);
    int64_t *rows = r->correlations.measured + 2, *columns = rows + 4;
    double wave[2] = {0};
    for (int64_t n = 0; n < 8; n++) {
        for (int x = 0; x < 8; x++) {
            columns[x] = x % 8 < 4 ? 4 : -4; // half up, half down
            wave[0] += (double)columns[x] * cos(pi * x / 4) / 8;
            wave[1] += (double)columns[x] * sin(pi * x / 4) / 8;
        }
        ising_correlations_add(&r->correlations);
    }
    ising_correlations_record(&r->correlations, 0, r->record);
    assert_near("S(0)", value_of(r, "structure_factor_0"), 0, 1e-14);
    assert_near("S(k1)", value_of(r, "structure_factor_1"), (wave[0] * wave[0] + wave[1] * wave[1]) / 32 / 2,
                1e-12);
    assert_true(isnan(value_of(r, "correlation_length")));
    for (int x = 0; x < 8; x++)
        columns[x] = 4;
    for (int y = 0; y < 4; y++)
        rows[y] = 8;
    r->correlations.measured[0] = r->correlations.measured[1] = 32;
    for (int64_t n = 0; n < 8; n++)
        ising_correlations_add(&r->correlations);
    ising_correlations_record(&r->correlations, 0, r->record);
    assert_near("S(0) of the ordered state", value_of(r, "structure_factor_0"), 32, 1e-12);
    assert_near("its S(k1)", value_of(r, "structure_factor_1"), 0, 1e-12);
    assert_near("its G", value_of(r, "correlation"), 1, 0);
    assert_near("without error", value_of(r, "correlation_error"), 0, 1e-15);
    run_close(r);
}

TEST(moments_are_the_jobs)
{
    struct ising_params params = params_of(8, 8, 2, 10);
    params.sweeps = (struct ising_sweeps){.count = 300, .thermalisation = 95, .every = 5};
    struct run *r = run_open(params, 1);
    int due = 0;
    for (int64_t sweeps = 1; sweeps <= 300; sweeps++)
        due += ising_correlations_is_due(&r->correlations, sweeps);
    assert_int_equal(due, 21); // 100, 110, …, 300
    assert_false(ising_correlations_is_due(&r->correlations, 90));
    assert_true(ising_correlations_is_due(&r->correlations, 100));
    r->params.sweeps.thermalisation = -1; // half
    assert_false(ising_correlations_is_due(&r->correlations, 150));
    assert_true(ising_correlations_is_due(&r->correlations, 160));
    run_close(r);
}

// ---- a lattice much larger than its correlations

struct large {
    double beta;
    int64_t side, replicas;
    size_t distances;
};

static void run_sweeps(struct run *r, int64_t measurements)
{
    const struct ising_backend *reference = &ising_backend_reference;
    const struct ising_setup setup = {.physics = &r->params.physics};
    const size_t distances = r->params.distances;
    struct memory_plan *plan = owned_zeros(1, sizeof *plan);
    struct solver *solver;
    memory_plan_begin(plan);
    assert_int_equal(reference->plan(&setup, plan, "", &solver), STATUS_OK);
    assert_int_equal(memory_plan_reserve(plan, 1u << 30, 0), STATUS_OK);
    assert_int_equal(solver_touch(&reference->head, solver, false), STATUS_OK);
    reference->set_temperature(solver, 0, r->beta);
    assert_int_equal(reference->head.advance(solver, 0, 40), STATUS_OK);
    for (int64_t n = 0; n < measurements; n++) {
        assert_int_equal(reference->head.advance(solver, 40 + 2 * n, 2), STATUS_OK);
        assert_int_equal(reference->correlate(solver, distances, r->distance, r->correlations.measured),
                         STATUS_OK);
        ising_correlations_add(&r->correlations);
    }
    memory_plan_release(plan);
    solver_destroy(&reference->head, solver);
}

static void check_large(const struct large *large)
{
    enum { MEASUREMENTS = 640 };
    struct ising_params params = params_of(large->side, large->side, large->distances, MEASUREMENTS);
    double g[9];
    params.physics.method = ISING_SWENDSEN_WANG;
    params.physics.seed = 9;
    params.physics.lattice.replicas = large->replicas;
    struct run *r = run_open(params, large->beta);
    run_sweeps(r, MEASUREMENTS);
    ising_correlations_record(&r->correlations, 0, r->record);
    ising_exact_correlation(large->beta, 8, g);
    for (size_t d = 0; d < large->distances; d++)
        assert_near("G", values_of(r, "correlation")[d], g[d + 1],
                    4.5 * values_of(r, "correlation_error")[d]);
    const double error = value_of(r, "correlation_length_error");
    if (large->replicas > 2) {
        // Of the second moment, not of the decay m = 1/ξ: the same but for some percent, were S(k) = 1/(2
        // cosh m − 2 cos k).
        const double pole = 1 / (2 * sinh(0.5 / ising_exact_length(large->beta)));
        assert_true(error < 0.04 * pole);
        assert_near("ξ", value_of(r, "correlation_length"), pole, 0.02 * pole + 3 * error);
    }
    run_close(r);
}

TEST(large_lattices_have_the_exact_correlations)
{
    check_large(&(struct large){.beta = 0.1, .side = 24, .replicas = 2, .distances = 8});
    check_large(&(struct large){.beta = 0.36, .side = 40, .replicas = 2, .distances = 8});
    check_large(&(struct large){.beta = 0.3, .side = 20, .replicas = 24, .distances = 4});
}
