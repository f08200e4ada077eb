// An Ising job as numbers: temperatures however they are given, what is left out, and what is worked out of
// the rest.
#include "tests/support/test.h"

#include "models/ising/initial.h"
#include "models/ising/params.h"
#include "tests/support/model_job.h"

static struct ising_params p;
static struct job *job;

// Free with release, also after a refusal.
static enum status try_job(const char *backend, const char *outputs, const char *members)
{
    job = model_job(ising_keys,
                    "{'fathom': 1, 'model': 'ising', 'backend': '%s', 'output': {'directory': 'out'%s}, %s}",
                    backend, outputs, members);
    return ising_params_read(job, &p);
}

static void read_job(const char *outputs, const char *members)
{
    assert_ok(try_job("openmp", outputs, members));
}

static void release(void)
{
    ising_params_free(&p);
    job_free(job);
}

#define LATTICE "'lattice': {'columns': 40, 'rows': 12}"
#define SWEEPS  "'sweeps': {'count': 1000}"

static void expect_betas(const char *temperatures, size_t count, const double *betas)
{
    const char *members = format_text(LATTICE ", " SWEEPS ", 'temperatures': {%s}", temperatures);
    read_job("", members);
    assert_int_equal(p.temperatures, count);
    for (size_t k = 0; k < count; k++)
        if (fabs(p.betas[k] - betas[k]) > 1e-15)
            fail_msg("%s: beta %zu: %.17g, not %.17g", temperatures, k, p.betas[k], betas[k]);
    assert_int_equal(ising_steps(&p), (int64_t)count * 1000);
    assert_int_equal(ising_temperature_of(&p, (int64_t)count * 1000 - 1), count - 1);
    release();
}

TEST_SUITE(.setup = folder_make, .teardown = folder_remove);

TEST(temperatures)
{
    expect_betas("'beta': 0.44", 1, (const double[]){0.44});
    expect_betas("'beta': [0.5, 0.25, 0.5]", 3, (const double[]){0.5, 0.25, 0.5});
    expect_betas("'temperature': 2", 1, (const double[]){0.5});
    expect_betas("'temperature': [4, 2.5, 0.5]", 3, (const double[]){0.25, 0.4, 2});
    expect_betas("'range': {'first': 0.40, 'last': 0.48, 'count': 5}", 5,
                 (const double[]){0.40, 0.42, 0.44, 0.46, 0.48});
    expect_betas("'range': {'first': 0.5, 'last': 0.3, 'count': 3}", 3, (const double[]){0.5, 0.4, 0.3});
}

// What docs/ising.md and the table of keys say.
TEST(what_is_left_out)
{
    read_job("", "'lattice': {'columns': 40}, " SWEEPS ", 'temperatures': {'beta': 0.4}");
    const struct ising_lattice *lattice = &p.physics.lattice;
    assert_true(lattice->rows == 40 && lattice->replicas == 1 && lattice->boundary == ISING_PERIODIC);
    assert_true(p.physics.coupling == 1 && p.physics.field == 0 && p.physics.seed == 1);
    assert_int_equal(p.physics.method, ISING_METROPOLIS);
    assert_int_equal(ising_initial_kind(p.initial), ISING_START_COLD);
    assert_true(p.is_tempered && p.sweeps.thermalisation == -1 && p.sweeps.every == 1);
    assert_int_equal(ising_measurements(&p), 1000);
    assert_true(p.analysis.blocks == 64 && p.analysis.block_times == 20 && p.analysis.lags == 200);
    assert_true(p.analysis.bins == 100 && p.analysis.reweighting_points == 0);
    assert_true(p.has_series && p.has_final_state && p.format == ISING_PACKED);
    assert_true(p.configurations_every == 0 && p.correlations_every == 0 && p.distances == 0);
    assert_int_equal(p.check_steps, 0);
    release();
}

// Fewer lags than usual where fewer measurements may be left; distances up to half the shorter side.
TEST(what_follows_from_the_rest)
{
    read_job("", LATTICE ", 'sweeps': {'count': 330, 'every': 10}, 'temperatures': {'beta': 0.4}, "
                         "'analysis': {'reweighting': {}}");
    assert_int_equal(ising_measurements(&p), 33);
    assert_int_equal(p.analysis.lags, 17); // thermalisation may take 16
    assert_true(p.analysis.reweighting_points == 41 && p.analysis.reweighting_width == 0.02);
    release();
    read_job("", LATTICE
             ", 'sweeps': {'count': 330, 'thermalisation': 30, 'every': 10}, 'temperatures': {'beta': 0.4}");
    assert_int_equal(p.analysis.lags, 30);
    release();
}

static void expect_distances(int columns, size_t count, const int64_t *distances)
{
    char text[512];
    snprintf(text, sizeof text,
             "'lattice': {'columns': %d, 'rows': 200}, " SWEEPS ", 'temperatures': {'beta': 0.4}", columns);
    read_job(", 'correlations': {'every': 10}", text);
    assert_int_equal(p.distances, count);
    for (size_t k = 0; k < count; k++)
        assert_int_equal(p.distance[k], distances[k]);
    release();
}

TEST(distances)
{
    expect_distances(4, 2, (const int64_t[]){1, 2});
    expect_distances(18, 9, (const int64_t[]){1, 2, 3, 4, 5, 6, 7, 8, 9});
    expect_distances(
        64, 20, (const int64_t[]){1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 19, 22, 26, 31});
}

// ---- a back end that has not all methods

static bool has_only_metropolis(const struct ising_setup *setup, char *why, size_t bytes)
{
    if (setup->physics->method == ISING_METROPOLIS)
        return true;
    snprintf(why, bytes, "it is made for a test");
    return false;
}

static const struct ising_backend modest = {
    .head = {.name = "modest", .summary = "of a test", .rank = 100, .has_devices = true},
    .has_method = has_only_metropolis};

// Named, it is refused with the reason; auto takes the fastest of the others.
TEST(a_method_that_not_all_have)
{
    static const struct {
        const char *backend, *method, *taken; // NULL: refused
    } cases[] = {{"auto", "metropolis", "modest"},
                 {"modest:2", "metropolis", "modest"},
                 {"auto", "heat-bath", "openmp"},
                 {"openmp", "heat-bath", "openmp"},
                 {"modest", "heat-bath", NULL}};
    const struct backend_list before = ising_backends;
    // Without a device's back end, whose place the test's own takes.
    ising_backends = (struct backend_list){
        .members = {&ising_backend_openmp.head, &ising_backend_reference.head, &modest.head}, .count = 3};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char members[512];
        snprintf(members, sizeof members,
                 LATTICE ", " SWEEPS ", 'temperatures': {'beta': 0.4}, 'method': {'name': '%s'}",
                 cases[k].method);
        const enum status status = try_job(cases[k].backend, "", members);
        assert_int_equal(status, cases[k].taken ? STATUS_OK : STATUS_CONFIGURATION);
        if (cases[k].taken)
            assert_string_equal(p.backend->head.name, cases[k].taken);
        else
            assert_non_null(
                strstr(status_message(),
                       "method.name: heat-bath: back end modest does not have it: it is made for a test"));
        assert_int_equal(p.device, strchr(cases[k].backend, ':') ? 2 : 0);
        release();
    }
    ising_backends = before;
}
