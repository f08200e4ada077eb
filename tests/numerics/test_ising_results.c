// The records of a temperature in results.nc, distributions.nc and reweighted.nc, for series with known
// results: states drawn with their exact probabilities, chains with a given autocorrelation time, series that
// relax. Also the flag and the warning for results that are not reliable.
#include "tests/support/test.h"

#include "core/log.h"
#include "core/philox.h"
#include "models/ising/results.h"
#include "validate/closed/ising_states.h"

#include "tests/support/ising_draws.h"
#include "tests/support/numbers.h"

// ---- results as a run has them

struct run {
    struct ising_params params;
    double betas[3];
    struct memory_plan *memory;
    struct ising_results results;
    double *records[3]; // of each stream; one number more, which must not change
};

static const struct ising_params usual = {
    .physics = {.lattice = {.columns = DRAW_SIDE, .rows = DRAW_SIDE, .replicas = 1}, .coupling = 1},
    .temperatures = 3,
    .sweeps = {.count = 40000, .thermalisation = 1000, .every = 10},
    .analysis = {.blocks = 64, .block_times = 20, .lags = 30, .bins = 41}};

static const struct stream *stream_of(const struct run *r, int k)
{
    const struct stream *const streams[] = {&r->results.results, &r->results.distributions,
                                            &r->results.reweighted};
    return streams[k];
}

static struct run *run_open(struct ising_params params, double beta)
{
    struct run *r = owned_zeros(1, sizeof *r);
    r->memory = owned_zeros(1, sizeof *r->memory);
    for (int k = 0; k < 3; k++)
        r->betas[k] = beta * (1 + 0.25 * k);
    r->params = params;
    r->params.betas = r->betas;
    r->results.params = &r->params;
    memory_plan_begin(r->memory);
    assert_int_equal(ising_results_plan(&r->results, r->memory), STATUS_OK);
    assert_int_equal(memory_plan_reserve(r->memory, SIZE_MAX, SIZE_MAX), STATUS_OK);
    memory_plan_seal(r->memory);
    ising_results_start(&r->results);
    for (int k = 0; k < 3; k++) {
        const size_t length = stream_record_bytes(stream_of(r, k)) / sizeof(double);
        r->records[k] = owned_zeros((length + 1) * sizeof(double), 1);
        r->records[k][length] = 12345;
    }
    return r;
}

static void run_close(struct run *r)
{
    for (int k = 0; k < 3; k++) {
        assert_true(r->records[k][stream_record_bytes(stream_of(r, k)) / sizeof(double)] == 12345);
    }
    memory_plan_release(r->memory);
}

static void record(struct run *r, uint32_t temperature)
{
    ising_results_record(&r->results, temperature, r->records[0]);
    ising_results_distributions(&r->results, temperature, r->records[1]);
    if (r->params.analysis.reweighting_points > 0)
        ising_results_reweighted(&r->results, temperature, r->records[2]);
    ising_results_next(&r->results);
}

// The first value of a variable in its stream's record.
static const double *values_of(const struct run *r, int k, const char *name)
{
    const struct stream *stream = stream_of(r, k);
    const double *values = r->records[k];
    for (int v = 0; v < stream->variable_count; v++) {
        if (strcmp(stream->variables[v].name, name) == 0)
            return values;
        values += stream_variable_length(stream, &stream->variables[v]);
    }
    fail_msg("%s has no variable %s", stream->name, name);
    return NULL;
}

static double value_of(const struct run *r, const char *name)
{
    return *values_of(r, 0, name);
}

static void expect(const struct run *r, const char *name, double exact, double factor)
{
    const char *error_name = format_text("%s_error", name);
    assert_near(name, factor * value_of(r, name), exact, 4 * factor * value_of(r, error_name));
}

// ---- series

static double uniform(uint64_t seed, uint64_t number)
{
    const struct philox_counter words =
        philox4x32(philox_counter_from(number, 0), philox_key_from_seed(seed));
    return philox_double(words.v[0], words.v[1]);
}

// Adds all measurements of a temperature. The first `far` ones have values that are impossible for the
// lattice.
static void add_draws(struct run *r, uint32_t temperature, size_t far)
{
    enum { REPLICAS_MAX = 8 };
    const size_t replicas = (size_t)r->params.physics.lattice.replicas;
    struct ising_draws *draws = draws_begin(r->betas[temperature], r->params.physics.field, 3 + temperature);
    assert_true(replicas <= REPLICAS_MAX);
    for (size_t k = 0; k < ising_measurements(&r->params); k++) {
        double energy[REPLICAS_MAX], magnetisation[REPLICAS_MAX], clusters[REPLICAS_MAX];
        for (size_t n = 0; n < replicas; n++) {
            const unsigned state = draws_next(draws);
            energy[n] = k < far ? 1e3 : draw_energy(draws, state);
            magnetisation[n] = k < far ? -30 : draw_spins(state) / (double)DRAW_SITES;
            clusters[n] =
                k < far ? 1e6 : 2 * DRAW_SITES * uniform(17, k) * magnetisation[n] * magnetisation[n];
        }
        ising_results_add(&r->results, energy, magnetisation, clusters);
    }
}

// Adds a chain x = a x + √(1 − a²) ξ, with ξ uniform in −√3 … √3 (variance 1), and a deviation that relaxes
// with θ. The values stay near `level`, so that |m| has the same autocorrelation time.
static void add_chain(struct run *r, double a, double level, double deviation, double theta)
{
    double x = 0;
    for (size_t k = 0; k < ising_measurements(&r->params); k++) {
        x = a * x + sqrt(1 - a * a) * sqrt(3) * (2 * uniform(5, k) - 1);
        const double value = level + 0.01 * (x + deviation * exp(-(double)k / theta));
        ising_results_add(&r->results, &value, &value, NULL);
    }
}

// ---- tests

static void expect_exact(const struct run *r, uint32_t temperature)
{
    const struct ising_physics *physics = &r->params.physics;
    const struct ising_means exact = ising_count_states(
        &(struct ising_system){DRAW_SIDE, DRAW_SIDE, false, 1, physics->field}, r->betas[temperature]);
    assert_true(value_of(r, "beta") == r->betas[temperature]);
    expect(r, "energy", exact.energy, 1);
    expect(r, "energy_per_bond", exact.energy, 2);
    expect(r, "specific_heat", exact.specific_heat, 1);
    expect(r, "magnetisation", exact.magnetisation, 1);
    expect(r, "absolute_magnetisation", exact.absolute, 1);
    expect(r, "magnetisation_squared", exact.square, 1);
    expect(r, "susceptibility", exact.susceptibility, 1);
    expect(r, "binder_cumulant", exact.binder, 1);
    expect(r, "tau_energy", 5, 1);
    expect(r, "tau_absolute_magnetisation", 5, 1);
    assert_true(value_of(r, "energy_error") < 0.02);
}

// Independent draws: τ = 1/2 measurement = 5 sweeps. Measurements during thermalisation must not count.
TEST(exact_draws_give_exact_values)
{
    struct ising_params params = usual;
    params.physics.method = ISING_WOLFF;
    params.physics.field = 0.05;
    struct run *r = run_open(params, 0.3);
    for (uint32_t temperature = 0; temperature < 3; temperature++) {
        add_draws(r, temperature, 100);
        record(r, temperature);
        expect_exact(r, temperature);
        assert_near("twice a mean of one half", value_of(r, "cluster_size"),
                    DRAW_SITES * value_of(r, "magnetisation_squared"), 4 * value_of(r, "cluster_size_error"));
        assert_true(value_of(r, "thermalisation") == 1000);
        assert_true(value_of(r, "measurements") == 3900);
        assert_near("independent", value_of(r, "independent_measurements"), 3900, 400);
        assert_true(value_of(r, "blocks") == 64);
        assert_true(value_of(r, "block_length") == 60);
        assert_true(value_of(r, "is_reliable") == 1);
        assert_memory_equal(r->results.table + temperature * ISING_RESULT_VALUES, r->records[0],
                            ISING_RESULT_VALUES * sizeof(double));
    }
    assert_int_equal(r->results.progress.verdict.temperatures, 3);
    assert_int_equal(r->results.progress.verdict.unreliable, 0);
    assert_near("fewest", r->results.progress.verdict.least_times, 7800, 800);
    run_close(r);
}

TEST(measurements_of_all_replicas_count)
{
    struct ising_params params = usual;
    params.physics.lattice.replicas = 8;
    params.sweeps = (struct ising_sweeps){.count = 8000, .thermalisation = 2000, .every = 10};
    struct run *r = run_open(params, 0.44);
    add_draws(r, 0, 200);
    record(r, 0);
    expect_exact(r, 0);
    assert_true(value_of(r, "measurements") == 600);
    assert_near("independent", value_of(r, "independent_measurements"), 4800, 500);
    assert_true(isnan(value_of(r, "cluster_size")));
    assert_true(isnan(value_of(r, "cluster_size_error")));
    run_close(r);
}

TEST(a_thermalisation_is_found)
{
    const double a = 0.95, tau = (1 + a) / (2 * (1 - a));
    struct ising_params params = usual;
    params.sweeps.thermalisation = -1;
    params.sweeps.count = 200000;
    struct run *r = run_open(params, 0.4);
    add_chain(r, a, 0.5, 0, 1);
    record(r, 0);
    const double found = value_of(r, "tau_energy") / 10;
    assert_near("τ", found, tau, 4 * value_of(r, "tau_energy_error") / 10);
    assert_true(value_of(r, "thermalisation") >= 10 * 10 * 0.9 * found);
    assert_true(value_of(r, "thermalisation") <= 0.3 * 200000);
    add_chain(r, a, 0.5, 30, 500);
    record(r, 0);
    assert_true(value_of(r, "thermalisation") >= 3 * 500 * 10);
    assert_true(value_of(r, "thermalisation") <= 10 * 500 * 10);
    assert_true(value_of(r, "measurements") == 20000 - value_of(r, "thermalisation") / 10);
    assert_near("energy", value_of(r, "energy"), 0.5, 4 * value_of(r, "energy_error"));
    assert_true(value_of(r, "is_reliable") == 1);
    // A chain that never reaches equilibrium: half of it is dropped.
    add_chain(r, 0, 0.5, 100, 30000);
    record(r, 0);
    assert_true(value_of(r, "thermalisation") == 100000);
    assert_true(value_of(r, "is_reliable") == 0);
    run_close(r);
}

// A thermalisation stated in the job is not changed. If it was too short, the result is marked as not
// reliable.
TEST(a_stated_thermalisation_is_judged)
{
    struct run *r = run_open(usual, 0.4);
    add_chain(r, 0.5, 0.5, 100, 20);
    record(r, 0);
    assert_true(value_of(r, "thermalisation") == 1000);
    assert_true(value_of(r, "is_reliable") == 1);
    assert_near("energy", value_of(r, "energy"), 0.5, 4 * value_of(r, "energy_error"));
    add_chain(r, 0.5, 0.5, 100, 4000);
    record(r, 0);
    assert_true(value_of(r, "thermalisation") == 1000);
    assert_true(value_of(r, "is_reliable") == 0);
    run_close(r);
}

// One warning for all temperatures names the first one.
TEST(unreliable_results_give_one_warning)
{
    struct ising_params params = usual;
    params.sweeps = (struct ising_sweeps){.count = 4000, .thermalisation = 0, .every = 10};
    struct run *r = run_open(params, 0.4);
    const struct ising_verdict *verdict = &r->results.progress.verdict;
    const size_t warnings = log_warning_count();
    add_chain(r, 0, 0.5, 0, 1);
    record(r, 0);
    assert_true(value_of(r, "is_reliable") == 1);
    assert_int_equal(verdict->first_unreliable, -1);
    assert_int_equal(log_warning_count(), warnings);
    for (uint32_t temperature = 1; temperature < 3; temperature++) {
        add_chain(r, 0.995, 0.5, 0, 1); // τ = 199.5, of 400 measurements
        record(r, temperature);
        assert_true(value_of(r, "is_reliable") == 0);
    }
    assert_int_equal(log_warning_count(), warnings + 1);
    const char *text = log_warning_text(log_warning_kept() - 1);
    assert_non_null(strstr(text, "at beta = 0.5 are not reliable"));
    assert_int_equal(verdict->temperatures, 3);
    assert_int_equal(verdict->unreliable, 2);
    assert_int_equal(verdict->first_unreliable, 1);
    assert_near("first", verdict->first_beta, 0.5, 1e-12);
    assert_near("last", verdict->last_beta, 0.6, 1e-12);
    assert_true(verdict->least_times < 60);
    run_close(r);
}

TEST(a_few_measurements_are_not_reliable)
{
    struct ising_params params = usual;
    params.sweeps = (struct ising_sweeps){.count = 160, .thermalisation = 0, .every = 10};
    struct run *r = run_open(params, 0.4);
    add_chain(r, 0.9, 0.5, 0, 1); // τ = 9.5
    record(r, 0);
    assert_true(value_of(r, "is_reliable") == 0);
    assert_true(value_of(r, "energy_error") > 0); // from blocks, although these are short
    run_close(r);
}

// From a constant series (frozen domain walls, an ordered lattice without excitations) no error can be
// estimated.
TEST(a_constant_series_is_not_reliable)
{
    const double energy = -1.85, magnetisation = 0.07;
    struct run *r = run_open(usual, 2);
    for (size_t k = 0; k < ising_measurements(&r->params); k++)
        ising_results_add(&r->results, &energy, &magnetisation, NULL);
    record(r, 0);
    assert_near("energy", value_of(r, "energy"), energy, 1e-12);
    assert_true(value_of(r, "is_reliable") == 0);
    run_close(r);
}

// Independent replicas with the same start: chains that start ten standard deviations from the mean, τ = 9.5.
static void record_chains(struct run *r)
{
    enum { REPLICAS = 64 };
    const double a = 0.9;
    double x[REPLICAS], energy[REPLICAS];
    for (size_t n = 0; n < REPLICAS; n++)
        x[n] = 10;
    for (size_t k = 0; k < ising_measurements(&r->params); k++) {
        for (size_t n = 0; n < REPLICAS; n++) {
            x[n] = a * x[n] + sqrt(1 - a * a) * sqrt(3) * (2 * uniform(100 + n, k) - 1);
            energy[n] = 0.5 + 0.01 * x[n];
        }
        ising_results_add(&r->results, energy, energy, NULL);
    }
    record(r, 0);
}

TEST(a_start_that_replicas_share_is_judged)
{
    struct ising_params params = usual;
    params.physics.lattice.replicas = 64;
    params.sweeps = (struct ising_sweeps){.count = 800, .thermalisation = 100, .every = 10};
    struct run *r = run_open(params, 0.4);
    record_chains(r);
    assert_true(value_of(r, "block_length") == 70); // all measurements of a replica
    assert_true(fabs(value_of(r, "energy") - 0.5) > 4 * value_of(r, "energy_error"));
    assert_true(value_of(r, "is_reliable") == 0);
    run_close(r);
    params.sweeps = (struct ising_sweeps){.count = 1700, .thermalisation = 1000, .every = 10};
    r = run_open(params, 0.4);
    record_chains(r);
    assert_near("energy", value_of(r, "energy"), 0.5, 4 * value_of(r, "energy_error"));
    assert_true(value_of(r, "is_reliable") == 1);
    run_close(r);
}

TEST(distributions_are_densities)
{
    struct ising_params params = usual;
    params.physics.field = 0.5;
    struct run *r = run_open(params, 0.4);
    const size_t bins = params.analysis.bins, measurements = ising_measurements(&r->params);
    // The smallest and the largest possible values, and the middle of a bin.
    for (size_t k = 0; k < measurements; k++) {
        const double energy = k % 3 == 0 ? -2.5 : k % 3 == 1 ? 2.5 : 0, m = k % 2 ? 1 : -1;
        ising_results_add(&r->results, &energy, &m, NULL);
    }
    record(r, 0);
    const double *energy = values_of(r, 1, "energy_density"), *m = values_of(r, 1, "magnetisation_density");
    const double *energies = r->results.distributions.axes[0].values, width = 5.0 / 41;
    assert_near("first middle", energies[0], -2.5 + width / 2, 1e-14);
    assert_near("last middle", energies[bins - 1], 2.5 - width / 2, 1e-14);
    for (size_t k = 0; k < bins; k++) {
        const bool is_there = k == 0 || k == 20 || k == bins - 1;
        assert_near("energy", energy[k], is_there ? 1 / (3 * width) : 0, 1e-12);
        assert_near("m", m[k], k == 0 || k == bins - 1 ? 0.5 / (2.0 / 41) : 0, 1e-12);
    }
    // ρ of a series with a period of three measurements: 1, −0.5, −0.5, …; lags in sweeps.
    for (int k = 0; k < 30; k++) {
        assert_true(r->results.distributions.axes[2].values[k] == 10.0 * k);
        assert_near("ρ", values_of(r, 1, "energy_autocorrelation")[k], k % 3 == 0 ? 1 : -0.5, 1e-3);
        assert_true(isnan(values_of(r, 1, "absolute_magnetisation_autocorrelation")[k])); // always 1
    }
    run_close(r);
}

TEST(reweighting_to_near_temperatures_is_exact)
{
    struct ising_params params = usual;
    params.physics.field = 0.05;
    params.analysis.reweighting_points = 5;
    params.analysis.reweighting_width = 0.2;
    struct run *r = run_open(params, 0.4);
    add_draws(r, 0, 100);
    record(r, 0);
    const double *betas = values_of(r, 2, "beta_reweighted"), *shares = values_of(r, 2, "effective_share");
    for (int k = 0; k < 5; k++) {
        const struct ising_means exact =
            ising_count_states(&(struct ising_system){DRAW_SIDE, DRAW_SIDE, false, 1, 0.05}, betas[k]);
        assert_near("β", betas[k], 0.4 * (0.8 + 0.1 * k), 1e-14);
#define EXPECT(name, value)                                                                                  \
    assert_near(name, values_of(r, 2, name)[k], value, 4 * values_of(r, 2, name "_error")[k])
        EXPECT("energy", exact.energy);
        EXPECT("specific_heat", exact.specific_heat);
        EXPECT("absolute_magnetisation", exact.absolute);
        EXPECT("susceptibility", exact.susceptibility);
        EXPECT("binder_cumulant", exact.binder);
        assert_true(shares[k] <= 1 + 1e-12);
    }
    assert_near("share where it was simulated", shares[2], 1, 1e-12);
    assert_true(shares[0] < shares[1] && shares[4] < shares[3] && shares[4] < 0.9);
    assert_near("the same", values_of(r, 2, "binder_cumulant")[2], value_of(r, "binder_cumulant"), 1e-13);
    run_close(r);
}

// The lattice is so large that its energies do not overlap with those at the other temperatures: NaN instead
// of wrong values.
TEST(reweighting_too_far_gives_nan)
{
    struct ising_params params = usual;
    params.physics.lattice.columns = params.physics.lattice.rows = 4096;
    params.analysis.reweighting_points = 3;
    params.analysis.reweighting_width = 0.5;
    struct run *r = run_open(params, 0.4);
    add_chain(r, 0, 0.5, 0, 1);
    record(r, 0);
    for (int k = 0; k < 3; k++) {
        assert_true(isfinite(values_of(r, 2, "effective_share")[k]));
        assert_true(isnan(values_of(r, 2, "energy")[k]) == (k != 1));
        assert_true(isnan(values_of(r, 2, "energy_error")[k]) == (k != 1));
    }
    run_close(r);
}

// With the arrays of a checkpoint in the middle of a temperature another run gives the same results.
TEST(a_checkpoint_is_complete)
{
    struct ising_params params = usual;
    params.physics.method = ISING_SWENDSEN_WANG;
    struct run *r = run_open(params, 0.35), *other = run_open(params, 0.35);
    struct checkpoint_array from[8], to[8];
    add_draws(r, 0, 100);
    record(r, 0);
    add_draws(r, 1, 0);
    const int count = ising_results_checkpoint_arrays(&r->results, from);
    assert_int_equal(ising_results_checkpoint_arrays(&other->results, to), count);
    for (int k = 0; k < count; k++) {
        assert_int_equal(to[k].bytes, from[k].bytes);
        memcpy(to[k].data, from[k].data, from[k].bytes);
    }
    record(r, 1);
    record(other, 1);
    for (int k = 0; k < 2; k++)
        assert_memory_equal(r->records[k], other->records[k], stream_record_bytes(stream_of(r, k)));
    assert_memory_equal(r->results.table, other->results.table, 3 * ISING_RESULT_VALUES * sizeof(double));
    assert_memory_equal(&r->results.progress.verdict, &other->results.progress.verdict,
                        sizeof r->results.progress.verdict);
    run_close(r);
    run_close(other);
}
