// fathom bench ising: every method has a row, the figures of a row agree with each other, the energies agree
// with exact ones, and the options have their effect. Speeds are not tested. With the argument "cuda" the
// tests use the GPU.
#include "tests/cli/bench_report.h"
#include "tests/support/test.h"

#include "gpu/device.h"
#include "models/ising/exact.h"
#include "tests/support/cuda_test.h"

#define BRIEF "--repeat 1 --budget 5 --backend %s --json "

static const char *backend = "openmp";

static const cJSON *row_of(const cJSON *report, const char *method, double size)
{
    return find_row(report, format_text("method=%s columns=%.0f", method, size));
}

// ---- agreement of the figures

static void check_row(const cJSON *report, const cJSON *row)
{
    const char *name = cli_text(row, "backend");
    const double sites =
        cli_json_number(row, "columns") * cli_json_number(row, "rows") * cli_json_number(row, "replicas");
    const double ns = 1e6 * cli_json_number(row, "step_ms"), rate = cli_json_number(row, "flips_per_ns");
    assert_true(ns > 0);
    assert_near("rate", rate * ns / (cli_json_number(row, "turned") * cli_json_number(row, "replicas")), 1,
                1e-9);
    if (!is_text(row, "method", "wolff"))
        assert_near("turned", cli_json_number(row, "turned") * cli_json_number(row, "replicas"), sites, 1e-9);
    const double draws = cli_json_number(cJSON_GetObjectItem(report, "random_words_per_s"), name);
    assert_near("arithmetic",
                cli_json_number(row, "of_arithmetic") * draws /
                    (1e9 * rate * cli_json_number(row, "words_per_flip")),
                1, 1e-9);
    check_shared_figures(report, row);
}

// The standard deviation of the mean energy of 32 independent configurations of N sites is √(c/32 N)/β.
static void check_energy(const cJSON *row, double beta)
{
    const cJSON *check = cJSON_GetObjectItem(row, "check");
    const int size = (int)cli_json_number(row, "columns");
    const struct ising_exact exact = ising_exact_periodic(size, size, beta);
    const double sites = size * size * cli_json_number(row, "replicas");
    const double least = sqrt(exact.specific_heat / (32 * sites)) / beta,
                 error = cli_json_number(check, "error");
    assert_near("beta", cli_json_number(check, "beta"), beta, 0);
    assert_near("exact", cli_json_number(check, "exact"), exact.energy, 1e-12);
    assert_true(cli_json_number(check, "measurements") == 32);
    assert_true(error > 0.5 * least && error < 6 * least);
    assert_near("energy", cli_json_number(check, "energy"), exact.energy, 6 * error);
    assert_near("sigmas", cli_json_number(check, "sigmas"),
                fabs(cli_json_number(check, "energy") - exact.energy) / error, 1e-9);
}

TEST(every_method_has_its_row)
{
    static const char *const methods[] = {
        "metropolis", "metropolis-integer", "metropolis-random", "heat-bath", "wolff", "swendsen-wang"};
    cJSON *report = bench_report_of(BENCH("ising --size 32 --replicas 20 --steps 20 " BRIEF, backend));
    for (int k = 0; k < 6; k++) {
        if (strcmp(backend, "cuda") == 0 && k == 2)
            continue; // treats one spin after the other
        const cJSON *row = row_of(report, methods[k], 32);
        assert_true(cli_json_number(row, "replicas") == 20);
        check_row(report, row);
        check_energy(row, 0.5);
    }
}

// Random words: metropolis-integer draws one word for each spin. heat-bath draws the binary digits of all
// spins of a word together until every spin is decided: at least 2 draws for the 32 spins of a word, and
// about log2 128 if 128 spins must be decided together.
TEST(random_words_are_shared)
{
    cJSON *report = bench_report_of(
        BENCH("ising --size 64 --size 10 --method heat-bath --method metropolis-integer --steps 20 " BRIEF,
              backend));
    const double many = cli_json_number(row_of(report, "heat-bath", 64), "words_per_flip");
    const double few = cli_json_number(row_of(report, "heat-bath", 10), "words_per_flip");
    assert_true(many * 32 > 7 + 1 && many * 32 < 7 + 2);           // log2 128 = 7
    assert_true(few * 5 > log2(20) + 1 && few * 5 < log2(20) + 2); // words of 5
    assert_near("integer", cli_json_number(row_of(report, "metropolis-integer", 64), "words_per_flip"), 1, 0);
    // Bits: three an update; bytes: eight times as many; and the measurement's, every ten sweeps.
    const double sites = 64 * 64;
    assert_near("bytes", cli_json_number(row_of(report, "heat-bath", 64), "bytes"),
                sites * (3 / 8.0 + 0.1 / 8), 1e-9);
}

// ---- options

TEST(temperatures_are_used)
{
    cJSON *report = bench_report_of(
        BENCH("ising --size 64 --method wolff --beta 0.55 --check-beta 0.6 --steps 400 --replicas 4 " BRIEF,
              backend));
    const cJSON *row = row_of(report, "wolff", 64);
    // The mean cluster has N⟨m²⟩ sites; ⟨m²⟩ is Yang's m² except for fluctuations, χ/βN.
    const double m = ising_exact_magnetisation(0.55);
    assert_near("cluster", cli_json_number(row, "turned") / (64 * 64), m * m, 0.03);
    check_energy(row, 0.6);
}

TEST(a_helical_lattice_has_no_exact_energy)
{
    cJSON *report = bench_report_of(
        BENCH("ising --size 16 --method metropolis --boundary helical --every 3 --steps 5 " BRIEF, backend));
    const cJSON *row = row_of(report, "metropolis", 16);
    assert_null(cJSON_GetObjectItem(row, "check"));
    assert_true(cli_json_number(row, "steps") == 5 && is_text(report, "boundary", "helical"));
    assert_near("bytes", cli_json_number(row, "bytes"), 256 * (4 / 8.0 + 1 / 24.0), 1e-9);
}

TEST(the_reference_has_one_size)
{
    cJSON *report = bench_report_of(BENCH(
        "ising --size 8 --size 16 --method metropolis --steps 3 --repeat 1 --backend reference --json"));
    assert_int_equal(cli_count(report, "rows"), 1);
    assert_true(cli_json_number(row_of(report, "metropolis", 8), "replicas") == 1);
}

TEST(without_json_a_table_is_printed)
{
    const struct cli_result *result = BENCH(
        "ising --size 8 --replicas 9 --method swendsen-wang --steps 3 --repeat 1 --backend %s", backend);
    cli_assert_done(result);
    assert_has(result->output, "random words alone", "9 of 8 x 8");
}

// Of a method whose bytes are not counted, beside one whose are; all rows were run.
TEST(what_a_row_lacks_has_a_reason)
{
    const struct cli_result *result = BENCH(
        "ising --size 8 --method metropolis --method metropolis-random --steps 3 --repeat 1 --backend %s",
        "openmp");
    cli_assert_done(result);
    assert_has(result->output,
               "- under \"memory\", \"of copy\": its method moves bytes that are not counted\n");
    assert_null(strstr(result->output, "~: not run"));
}

#ifdef FATHOM_LADDERS
static int count_rungs(const cJSON *ladder, const char *rung)
{
    const cJSON *row;
    int count = 0;
    cJSON_ArrayForEach(row, cJSON_GetObjectItem(ladder, "rows"))
    {
        count += is_text(row, "rung", rung);
        assert_true(cli_json_number(row, "sweep_ms") > 0);
    }
    return count;
}

// Three temperatures of each rung; the shapes of blocks that fit into 8 × 8 are 4 × 2 and 4 × 4.
TEST(rungs_of_the_source_are_timed)
{
    cJSON *report =
        bench_report_of(BENCH("ising --table source --table sizes --table blocks --size 8 --size 16 "
                              "--repeat 1 --backend %s --json",
                              backend));
    const cJSON *ladder = cJSON_GetObjectItem(report, "ladder");
    const bool is_device = strcmp(backend, "cuda") == 0;
    assert_int_equal(cJSON_GetArraySize(cli_item(report, "rows")), 0);
    assert_int_equal(count_rungs(ladder, "serial"), is_device ? 0 : 6);
    assert_int_equal(count_rungs(ladder, "global"), is_device ? 3 * 2 + 3 * 4 : 0);
    assert_int_equal(count_rungs(ladder, "staged"), count_rungs(ladder, "global"));
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(ladder, "crossovers")), 0);
}

TEST(rungs_name_their_author)
{
    cJSON *report = bench_report_of(BENCH("ising --table sizes --size 8 --repeat 1 --backend openmp --json"));
    assert_has(cli_text(cJSON_GetObjectItem(report, "source"), "authors"), "Karkoulis");
    assert_null(cJSON_GetObjectItem(report, "tables"));
}

// What he says stands below; nothing of it can be told of a processor alone.
TEST(figures_of_the_source_are_shown)
{
    const struct cli_result *result =
        BENCH("ising --table source --size 16 --repeat 1 --backend %s", backend);
    const bool is_device = strcmp(backend, "cuda") == 0;
    cli_assert_done(result);
    assert_has(result->output, "D. N. Karkoulis", "text on figure 4.13", "at most 2", "more than 128",
               is_device ? "the most, at L = 16" : "(figure 4.13)\nnot measured: no device\n",
               is_device ? "not measured: it takes --table blocks too"
                         : "not measured: no device. The author's");
}

TEST(blocks_of_a_device_are_refused_without_one)
{
    const struct cli_result *result = BENCH("ising --table blocks --size 16 --repeat 1 --backend openmp");
    assert_int_equal(result->exit_code, 78);
    assert_has(result->error, "--table blocks: only rungs of a device have blocks");
}

TEST(tables_that_do_not_go_together_are_refused)
{
    const struct cli_result *result = BENCH("ising --table threads --table sizes --backend %s", backend);
    assert_int_equal(result->exit_code, 64);
    assert_has(result->error, "--table threads stands alone");
}

TEST(rungs_need_a_power_of_two)
{
    const struct cli_result *result = BENCH("ising --table sizes --size 24 --backend %s", backend);
    assert_int_equal(result->exit_code, 64);
    assert_has(result->error, "--size 24", "power of two");
}
#else
TEST(rungs_are_refused_where_they_are_not_compiled_in)
{
    const struct cli_result *result = BENCH("ising --table source --backend %s", backend);
    assert_int_equal(result->exit_code, 78);
    assert_has(result->error, "FATHOM_LADDERS");
}
#endif

// With the argument "cuda" the tests use the GPU.
static int begin(int argc, char **argv)
{
    if (!wants_cuda(argc, argv))
        return 0;
    backend = "cuda";
    return cuda_begin(argc, argv);
}

TEST_SUITE(.setup = cli_setup, .teardown = cli_teardown, .begin = begin);
