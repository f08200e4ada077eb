// fathom bench gas: every system by every method has its row, the figures of a row belong together, the
// fluids are those of the field's published energies, the regions' errors are those of their order, and what
// was not run follows from what was. How fast anything is, is never tested. With the argument "cuda": of the
// GPU.
#include "tests/cli/bench_report.h"
#include "tests/support/test.h"

#include "gpu/device.h"
#include "tests/support/cuda_test.h"

#define BRIEF "--repeat 1 --steps 2 --backend %s --json "

enum { SIZE = 1024 };

static const char *backend = "openmp";
static const double fluid_density = 0.7, reach = 2.5 * 1.2; // the cut-off and the skin

static const cJSON *row_of(const cJSON *report, const char *system, const char *method, const char *precision,
                           double n)
{
    return find_row(report,
                    format_text("system=%s method=%s precision=%s n=%.0f", system, method, precision, n));
}

// ---- figures that belong together

static double limit_of(const cJSON *report, const cJSON *row)
{
    const double operations =
        cli_json_number(cJSON_GetObjectItem(report, "operations_per_pair"), cli_text(row, "system"));
    const cJSON *limit;
    cJSON_ArrayForEach(limit, cJSON_GetObjectItem(report, "limits"))
    {
        if (is_text(limit, "precision", cli_text(row, "precision")) &&
            is_text(limit, "backend", cli_text(row, "backend")))
            return fmin(cli_json_number(limit, "fma_per_s") / operations,
                        cli_json_number(limit, "rsqrt_per_s"));
    }
    fail_msg("no limit of %s", cli_text(row, "precision"));
    return 0;
}

static void check_pairs(const cJSON *row)
{
    const double n = cli_json_number(row, "n");
    assert_near("pairs", cli_json_number(row, "pairs") / (n * (n - 1)), 1, 1e-12);
    assert_near("bytes", cli_json_number(row, "bytes") / n, 160, 1e-9);
}

// A list has who is within reach: 19.8 of an ideal gas, less in a fluid whose cores keep others away; 18
// exactly of a lattice.
static void check_lists(const cJSON *row)
{
    static const double pi = 3.14159265358979323846;
    const double n = cli_json_number(row, "n"), neighbours = cli_json_number(row, "neighbours");
    const double ideal = fluid_density * pi * reach * reach;
    assert_true(neighbours > 0.92 * ideal && neighbours < 0.99 * ideal);
    assert_near("pairs", cli_json_number(row, "pairs") / (n * neighbours), 1, 1e-9);
    assert_true(cli_json_number(row, "rebuilds_per_step") <= 1);
    assert_true(cli_json_number(row, "bytes") >= n * (160 + 4 * neighbours));
}

static void check_regions(const cJSON *row)
{
    const cJSON *error = cJSON_GetObjectItem(row, "relative_error");
    const double n = cli_json_number(row, "n");
    const double cells = cli_json_number(row, "columns") * cli_json_number(row, "rows");
    const double rms = cli_json_number(error, "rms");
    assert_true(cli_json_number(error, "samples") == 64);
    assert_true(rms > 0 && rms <= 1e-3);
    assert_true(cli_json_number(error, "largest") >= rms);
    // Nine cells of evenly spread particles; fewer at the border.
    const double even = 9 * n / cells;
    assert_true(cli_json_number(row, "pairs") / n > 0.6 * even - 1);
    assert_true(cli_json_number(row, "pairs") / n < 1.2 * even + 1);
}

static void check_row(const cJSON *report, const cJSON *row)
{
    const double seconds = cli_json_number(row, "step_ms") / 1e3, n = cli_json_number(row, "n");
    const double rate = cli_json_number(row, "pairs_per_s");
    assert_false(is_estimate(row));
    assert_near("rate", rate * seconds / cli_json_number(row, "pairs"), 1, 1e-9);
    assert_near("rate", cli_json_number(row, "particle_steps_per_s") * seconds / n, 1, 1e-9);
    check_shared_figures(report, row);
    if (!is_text(row, "method", "regions"))
        assert_near("share", cli_json_number(row, "of_arithmetic") * limit_of(report, row) / rate, 1, 1e-9);
    if (is_text(row, "method", "all-pairs"))
        check_pairs(row);
    else if (is_text(row, "method", "lists"))
        check_lists(row);
    else
        check_regions(row);
}

TEST(every_system_has_its_rows)
{
    static const char *const rows[][2] = {
        {"log", "all-pairs"},           {"log", "regions"},
        {"log-2500", "regions"},        {"condensing", "all-pairs"},
        {"condensing", "regions"},      {"condensing-2500", "regions"},
        {"real-gas", "all-pairs"},      {"real-gas", "lists"},
        {"lennard-jones", "all-pairs"}, {"lennard-jones", "lists"},
        {"lj-force-shifted", "lists"},  {"lj-force-shifted", "all-pairs"},
    };
    const int count = (int)(COUNT(rows));
    cJSON *report = bench_report_of(BENCH("gas --size 1024 " BRIEF, backend));
    assert_int_equal(cli_count(report, "notes"), 0);
    assert_int_equal(cli_count(report, "rows"), 2 * count);
    for (int k = 0; k < count; k++) {
        check_row(report, row_of(report, rows[k][0], rows[k][1], "float", SIZE));
        check_row(report, row_of(report, rows[k][0], rows[k][1], "double", SIZE));
    }
}

// The truncated and shifted potential at density 0.7 and temperature 1: U/N = −1.76339, by Monte Carlo of 400
// particles (docs/gas-validation.md). One moment of 1024 lies within some hundredths; the lattice that the
// fluid starts from is far below.
TEST(the_fluid_is_one)
{
    cJSON *report = bench_report_of(
        BENCH("gas --size 1024 --system lennard-jones --method cells --size 5000 " BRIEF, backend));
    assert_near(
        "U/N",
        cli_json_number(row_of(report, "lennard-jones", "lists", "double", SIZE), "potential_at_start"),
        -1.76339, 0.08);
    // Four copies of 1250: as dense, with as many neighbours.
    const cJSON *copies = row_of(report, "lennard-jones", "lists", "double", 5000);
    assert_near("U/N", cli_json_number(copies, "potential_at_start"), -1.76339, 0.08);
    check_lists(copies);
}

// ---- options do what they say

static const cJSON *regions_row(cJSON **report, const char *order, const char *columns)
{
    *report = bench_report_of(
        BENCH("gas --size 1024 --system log --method cells --precision double --order %s --columns %s " BRIEF,
              order, columns, backend));
    assert_int_equal(cli_count(*report, "rows"), 1);
    return row_of(*report, "log", "regions", "double", SIZE);
}

TEST(errors_follow_the_order)
{
    cJSON *first, *second;
    const cJSON *linear = regions_row(&first, "1", "30"), *constant = regions_row(&second, "0", "30");
    assert_true(cli_json_number(linear, "columns") == 30 && cli_json_number(linear, "rows") == 30);
    assert_true(number_in(linear, "relative_error", "rms") <
                0.5 * number_in(constant, "relative_error", "rms"));
}

// A wide skin has more neighbours, and lasts longer.
TEST(lists_follow_the_skin)
{
    double neighbours[2], rebuilds[2];
    for (int k = 0; k < 2; k++) {
        cJSON *report =
            bench_report_of(BENCH("gas --size 1024 --system lj-force-shifted --method cells --precision "
                                  "double --skin %s --steps 60 --repeat 1 --backend %s --json",
                                  k == 0 ? "0.15" : "0.6", backend));
        const cJSON *row = row_of(report, "lj-force-shifted", "lists", "double", SIZE);
        neighbours[k] = cli_json_number(row, "neighbours");
        rebuilds[k] = cli_json_number(row, "rebuilds_per_step");
    }
    assert_true(neighbours[1] > 1.2 * neighbours[0]);
    assert_true(rebuilds[1] > 0 && rebuilds[1] < 0.5 * rebuilds[0]);
}

// ---- what is not run

// By every pair what is not run goes with n (n − 1).
TEST(estimates_follow_what_was_run)
{
    cJSON *report = bench_report_of(BENCH("gas --size 1024 --size 30000 --system log --method all-pairs "
                                          "--precision float --budget 0.001 " BRIEF,
                                          backend));
    const cJSON *few = row_of(report, "log", "all-pairs", "float", 1024);
    const cJSON *many = row_of(report, "log", "all-pairs", "float", 30000);
    assert_false(is_estimate(few));
    assert_true(is_estimate(many));
    assert_near("estimate", cli_json_number(many, "step_ms") / cli_json_number(few, "step_ms"),
                30000.0 * 29999 / (1024.0 * 1023), 1e-6);
}

TEST(the_reference_has_one_size)
{
    cJSON *report =
        bench_report_of(BENCH("gas --size 300 --size 400 --repeat 1 --steps 1 --backend reference --json"));
    const cJSON *row;
    int rows = 0;
    cJSON_ArrayForEach(row, cli_item(report, "rows"))
    {
        assert_true(cli_json_number(row, "n") == 300 && is_text(row, "precision", "double"));
        assert_false(is_text(row, "method", "lists"));
        rows++;
    }
    assert_int_equal(rows, 9);
}

// With the argument "cuda": of the GPU.
static int begin(int argc, char **argv)
{
    if (!wants_cuda(argc, argv))
        return 0;
    backend = "cuda";
    return cuda_begin(argc, argv);
}

TEST_SUITE(.setup = cli_setup, .teardown = cli_teardown, .begin = begin);
