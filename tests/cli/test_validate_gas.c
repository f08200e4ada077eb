// The gas model's validation, made shorter behind the cases' backs: its cases pass, and fail where what is
// run is a little off, and only there. What is fitted to series.
#include "tests/support/cli_fixture.h"
#include "tests/support/test.h"
#include "tests/support/validate_fixture.h"
#include "validate/gas/gas_job.h"

#define CHANGES (const struct validate_change[VALIDATE_CHANGES_MAX])

// A result's number, of a record that has it; `part` of its quantity.
static double computed_of(const struct validation_record *record, const char *part)
{
    for (int k = 0; k < record->result_count; k++)
        if (strstr(record->results[k].quantity, part))
            return record->results[k].computed;
    fail_msg("no result \"%s\"; %s", part, record->reason);
    return NAN;
}

// ---- the cases

TEST(a_potential_that_is_another_is_seen)
{
    validate_assert("gas/virial", "single", NULL, NULL);
    validate_assert("gas/virial", "double", CHANGES{{"apart", "physics.potential.well_depth", "1.00001"}},
                    "double: B");
    validate_assert("gas/crystal", "double", NULL, NULL);
    validate_assert("gas/crystal", "single", CHANGES{{"single-1", "physics.potential.well_depth", "1.00001"}},
                    "single: energy");
}

// Short runs have no standard error: energies and pressures within 10 %.
TEST(a_fluid_is_near_to_its_state_point)
{
    struct validation_list list;
    const struct validation_record *record =
        validate_case("gas/fluid", "single", CHANGES{{"", "time.duration", "16"}}, &list);
    assert_int_equal(record->result_count, 10);
    for (int k = 0; k < record->result_count; k++) {
        const struct validation_result *result = &record->results[k];
        if (!(fabs(result->computed / result->reference - 1) <= 0.1))
            fail_msg("%s: %g, expected %g", result->quantity, result->computed, result->reference);
    }
    validation_list_free(&list);
}

TEST(a_fluid_of_another_temperature_is_seen)
{
    struct validation_list list;
    const struct validation_record *record = validate_case(
        "gas/fluid", "single",
        CHANGES{{"", "time.duration", "8"}, {"0.70-hot", "physics.thermostat.temperature", "1.2"}}, &list);
    assert_int_equal(record->verdict, VALIDATION_FAILED);
    assert_true(computed_of(record, "T 2: pressure") < 3.5);
    validation_list_free(&list);
}

// In so short a time energy only comes and goes, by parts of 1e-4.
TEST(energy_that_goes_is_seen)
{
    struct validation_list list;
    const struct validation_record *record = validate_case(
        "gas/conserved", "double",
        CHANGES{{"l", "time.duration", "5"}, {"lennard-jones", "physics.limiters", "{\"mean_energy\": 4}"}},
        &list);
    assert_int_equal(record->verdict, VALIDATION_FAILED);
    assert_true(fabs(computed_of(record, "lj-force-shifted, double: drift")) < 1e-3);
    assert_true(computed_of(record, "lj-force-shifted, double: largest |dP|") < 1e-12);
    assert_true(computed_of(record, "lennard-jones, double: drift") < -1e-2);
    assert_true(computed_of(record, "lennard-jones, double: largest |dP|") > 1e-4);
    validation_list_free(&list);
}

TEST(a_way_back_that_is_another_is_seen)
{
    validate_assert("gas/reversed", "double", NULL, NULL);
    validate_assert("gas/reversed", "single", CHANGES{{"back", "method.integrator", "\"symplectic-euler\""}},
                    "single: ");
}

TEST(walls_that_take_energy_are_seen)
{
    validate_assert("gas/walls", "single",
                    CHANGES{{"leapfrog-", "time.duration", "2.5"},
                            {"euler-", "time.duration", "2.5"},
                            {"leapfrog-reflect", "domain",
                             "{\"size\": [32, 32], \"walls\": \"damped\", \"damping\": 0.5}"}},
                    "leapfrog, reflect");
    validate_assert(
        "gas/falling", "double",
        CHANGES{{"-", "time.duration", "5"}, {"leapfrog-field-corrected", "domain.walls", "\"reflect\""}},
        "leapfrog, field-corrected");
}

TEST(a_field_of_lower_order_is_seen)
{
    struct validation_list list;
    const struct validation_record *record =
        validate_case("gas/regions", "single", CHANGES{{"uniform-1", "method.regions.order", "0"}}, &list);
    assert_int_equal(record->verdict, VALIDATION_FAILED);
    for (int k = 0; k < record->result_count; k++) {
        const struct validation_result *result = &record->results[k];
        const bool is_changed =
            strstr(result->quantity, "uniform, order 1: ") && strstr(result->quantity, "far");
        if ((result->verdict == VALIDATION_FAILED) != is_changed)
            fail_msg("\"%s\": %g", result->quantity, result->computed);
    }
    validation_list_free(&list);
}

TEST(speeds_that_are_not_maxwells_are_seen)
{
    validate_assert("gas/speeds", "single", CHANGES{{"speeds", "time.duration", "5"}}, NULL);
    struct validation_list list;
    const struct validation_record *record =
        validate_case("gas/speeds", "single", CHANGES{{"speeds", "time.duration", "0.2"}}, &list);
    assert_int_equal(record->verdict, VALIDATION_FAILED);
    assert_true(computed_of(record, "chance") < 1e-6 && computed_of(record, "<v4>") < 1.9);
    validation_list_free(&list);
}

TEST(drops_form_only_where_energy_is_lost)
{
    struct validation_list list;
    const struct validate_change is_short = {"condensation", "time.duration", "60"};
    const struct validation_record *record =
        validate_case("gas/condensation", "single", CHANGES{is_short}, &list);
    assert_true(computed_of(record, "largest drop") > 3);
    validation_list_free(&list);
    record = validate_case("gas/condensation", "single",
                           CHANGES{is_short, {"condensation", "domain.damping", "0"}}, &list);
    assert_true(computed_of(record, "largest drop") < 3);
    validation_list_free(&list);
}

TEST(bits_that_differ_are_seen)
{
    validate_assert("gas/repeat", "single",
                    CHANGES{{"", "time.duration", "0.1"},
                            {"", "particles.lattice.count", "1000"},
                            {"lists-single-again", "physics.thermostat.seed", "2"}},
                    "lists, single: again");
    validate_assert("gas/repeat", "double",
                    CHANGES{{"", "time.duration", "0.1"},
                            {"", "particles.lattice.count", "1000"},
                            {"regions-double-legs", "physics.potential.attraction2", "10.000001"}},
                    "regions, double: stopped and resumed");
}

TEST(forces_that_differ_are_seen)
{
    validate_assert("gas/openmp-forces", "single", CHANGES{{"single-6", "physics.potential.cut_off", "2.49"}},
                    "lennard-jones, lists, single");
}

// ---- series

TEST(a_lines_change_is_found)
{
    const double x[] = {1, 2, 3, 4, 5}, y[] = {3, 5, 7, 9, 11}, wave[] = {0, 1, 0, -1, 0};
    assert_true(fabs(gas_fitted_change(x, y, 5) - 8) < 1e-14);
    assert_true(fabs(gas_fitted_change(x, wave, 5) + 0.8) < 1e-14); // slope Σ(x − 3) y/10
}

TEST_MAIN(validate_setup, validate_teardown)
