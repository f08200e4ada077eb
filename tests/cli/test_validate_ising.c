// The Ising model's validation: its cases pass, made shorter, and fail where what is run is a little off, and
// only there. What is added up over temperatures.
#include "tests/support/cli_fixture.h"
#include "tests/support/test.h"
#include "tests/support/validate_fixture.h"
#include "validate/ising/ising_job.h"

#define CHANGES (const struct validate_change[VALIDATE_CHANGES_MAX])

// ---- the cases

TEST(another_temperature_is_seen)
{
    validate_assert("ising/critical-wolff", NULL,
                    CHANGES{{"side-", "lattice.replicas", "256"}, {"side-4", "physics.coupling", "0.9"}},
                    "L = 4: ");
}

TEST(another_size_is_seen)
{
    validate_assert_fails("ising/critical-swendsen-wang", NULL,
                          CHANGES{{"side-", "lattice.replicas", "128"},
                                  {"side-16", "lattice.columns", "8"},
                                  {"side-16", "lattice.rows", "8"}},
                          "L = 16: e");
}

TEST(means_and_errors_at_27_temperatures_are_judged)
{
    validate_assert_fails(
        "ising/betas", NULL,
        CHANGES{{"helical-8", "physics.coupling", "1.01"}, {"periodic-8", "lattice.replicas", "64"}},
        "helical-8, e: chi2/27");
}

TEST(another_field_is_seen)
{
    validate_assert("ising/states", NULL,
                    CHANGES{{"way-", "lattice.replicas", "128"}, {"way-2", "physics.field", "0.3"}},
                    "heat-bath, helical, B = -0.3: m");
}

TEST(another_seam_is_seen)
{
    validate_assert("ising/bits", NULL, CHANGES{{"bits-2", "lattice.boundary", "\"periodic\""}},
                    "metropolis, helical, 64: bond|metropolis, helical, 64: across words");
}

TEST(clusters_of_another_lattice_are_seen)
{
    validate_assert_fails("ising/clusters", NULL,
                          CHANGES{{"-16-", "lattice.replicas", "4"},
                                  {"wolff-helical-4", "lattice.boundary", "\"periodic\""},
                                  {"wolff-helical-4", "physics.coupling", "0.9"}},
                          "wolff, helical, L = 4");
}

TEST(another_coupling_of_a_large_lattice_is_seen)
{
    validate_assert_fails("ising/infinite", NULL,
                          CHANGES{{"metropolis-", "lattice.columns", "256"},
                                  {"metropolis-", "lattice.rows", "256"},
                                  {"metropolis-0.55", "physics.coupling", "1.01"}},
                          "beta = 0.55: |m|");
}

TEST(a_crossing_elsewhere_is_seen)
{
    validate_assert_fails(
        "ising/scaling", NULL,
        CHANGES{{"", "lattice.replicas", "16"}, {"swendsen-wang-", "physics.coupling", "1.02"}},
        "beta of the crossing, L = 16 and 32");
}

TEST(bits_that_differ_are_seen)
{
    validate_assert("ising/repeat", NULL, CHANGES{{"way-1-again", "method.seed", "8"}}, "62 x 30: again");
}

TEST(a_start_that_is_remembered_is_seen)
{
    validate_assert_fails("ising/order", NULL,
                          CHANGES{{"independent", "sweeps.thermalisation", "0"},
                                  {"independent", "sweeps.every", "1"},
                                  {"independent", "sweeps.count", "16"}},
                          "beta = 0.3");
}

TEST(stripes_are_refused)
{
    validate_assert("ising/stripes", NULL, CHANGES{{"refused", "start.kind", "\"cold\""}}, "is refused");
    validate_assert("ising/stripes", NULL, CHANGES{{"/helical.", "physics.coupling", "0.97"}},
                    "metropolis, helical");
}

TEST(programs_that_differ_are_seen)
{
    validate_assert_fails("ising/programs", NULL, CHANGES{{"sublattices-8", "physics.coupling", "1.01"}},
                          "L = 8: chi2/27 of R of e");
}

// ---- sums

TEST(a_missing_error_does_not_hold)
{
    const struct ising_estimate values[] = {{1, 0.5}, {3, 1}, {2, 0.3}}, known[] = {{2, 0}, {1, 0}, {2, 0.4}};
    const struct ising_chi2 chi2 = ising_chi2(values, known, 3);
    assert_true(fabs(chi2.sum - 8) < 1e-12 && fabs(chi2.largest - 2) < 1e-12);
    const struct ising_estimate sure[] = {{1, 0.5}, {3, 0}};
    assert_true(isnan(ising_chi2(sure, known, 2).sum));
}

TEST_MAIN(validate_setup, validate_teardown)
