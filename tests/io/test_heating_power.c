// What is known of a source of heat before a run: its largest power, and how much heat the means over steps
// miss. Pulses in the planner's words and as levels; runs of very many steps, of which those that are alike
// are left out.
#include "tests/support/test.h"

#include "models/bioheat/source/private.h"
#include "tests/support/heating_power.h"
#include "tests/support/numbers.h"

TEST_SUITE(.setup = heating_begin, .teardown = heating_end);

// 2 W/cm³ in every unit, in lists and maps; as energy, 4 s long.
TEST(the_largest_power_is_the_same_in_every_unit)
{
    static const struct {
        const char *units;
        double value;
    } cases[] = {{"W m-3", 2e6},
                 {"kW m-3", 2e3},
                 {"MW/m^3", 2},
                 {"W cm-3", 2},
                 {"mW cm-3", 2e3},
                 {"W mm-3", 2e-3},
                 {"J m-3", 8e6},
                 {"kJ/m^3", 8e3},
                 {"J cm-3", 8},
                 {"J mm-3", 8e-3},
                 {"cal cm-3 s-1", 2 / 4.1868},
                 {"W/L", 2e3}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double values[HEATING_CELLS] = {[7] = cases[k].value};
        for (int list = 0; list < 2; list++) {
            char source[512];
            snprintf(source, sizeof source,
                     "{'%s': {'at': [%s], 'times': ['0 s', '4 s'], 'values': [[%.17g]], 'units': '%s', "
                     "'after_end': 'zero'}}",
                     list == 0 ? "points" : "boxes",
                     list == 0 ? "{'x': 1, 'y': 1, 'z': 1}"
                               : "{'first': {'x': 1, 'y': 1, 'z': 1}, 'last': {'x': 2, 'y': 1, 'z': 1}}",
                     cases[k].value, cases[k].units);
            const struct bioheat_power power = power_of(source, 0.5, 12);
            assert_near(cases[k].units, power.largest_w_m3 / 2e6, 1, 1e-9);
            assert_near(cases[k].units, power.rough_w_m3 / 2e6, 1, 1e-9);
            assert_near(cases[k].units, power.missed_j_m3, 0, 1e-3);
        }
        if (strchr(cases[k].units, 'J')) // a map gives power
            continue;
        heating_make_field("unit.nc", NC_NETCDF4, NC_DOUBLE, cases[k].units, NULL, 0, values);
        assert_near(cases[k].units,
                    power_of("{'maps': {'q': {'file': 'unit.nc'}}}", 0.5, 12).largest_w_m3 / 2e6, 1, 1e-9);
    }
}

// A switch at the part f of a step: until then all of the source acts, and f of it is counted on; f (1 − f)
// of its heat in a step is missed. The same from protocols, tables, and rows of power and of energy.
TEST(missed_heat_is_that_of_a_switch_within_a_step)
{
    double values[HEATING_CELLS] = {[3] = 5e5, [4] = -1e6};
    static const double ends_s[] = {4, 4.1, 4.5, 4.9};
    heating_make_field("q.nc", NC_NETCDF4, NC_DOUBLE, "W m-3", NULL, 0, values);
    for (size_t k = 0; k < sizeof ends_s / sizeof *ends_s; k++) {
        const double f = ends_s[k] - 4, expected = 1e6 * f * (1 - f);
        for (int kind = 0; kind < 4; kind++) {
            char source[512];
            const char *const forms[] = {
                "{'maps': {'q': {'file': 'q.nc', 'amplitude': 'p'}}, 'protocols': {'p': {'on': '%g s'}}}",
                "{'maps': {'q': {'file': 'q.nc', 'amplitude': 't'}}, 'tables': {'t': {'between': 'stepwise', "
                "'times': ['0 s', '%g s'], 'values': [1], 'after_end': 'zero'}}}",
                "{'points': {'at': [{'x': 1, 'y': 1, 'z': 1}], 'times': ['0 s', '%g s'], 'values': [[1]], "
                "'units': 'W cm-3', 'after_end': 'zero'}}",
                "{'boxes': {'at': [{'first': {'x': 1, 'y': 1, 'z': 1}, 'last': {'x': 1, 'y': 1, 'z': 1}}], "
                "'times': ['0 s', '%g s'], 'values': [[%g]], 'units': 'J cm-3', 'after_end': 'zero'}}"};
            snprintf(source, sizeof source, forms[kind], ends_s[k], ends_s[k]);
            const double missed = power_of(source, 1, 8).missed_j_m3;
            if (missed > expected * 1.001 + 1 || missed < 0.9 * expected)
                fail_msg("source %d until %g s: %g J/m3, expected %g", kind, ends_s[k], missed, expected);
        }
    }
    // Pulses of 10 ms each 0.1 s within steps of 1 s: the ripple, 0.01 (1 − 0.1) of the heat in a second.
    const double ripple = power_of("{'maps': {'q': {'file': 'q.nc', 'amplitude': 'p'}}, 'protocols': {'p': "
                                   "{'on': '10 ms', 'levels': [{'period': '0.1 s', 'count': 80}]}}}",
                                   1, 8)
                              .missed_j_m3;
    assert_near("ripple", ripple, 9000, 1e-6);
}

// ---- pulses in the planner's words

static double random_between(double low, double high)
{
    static uint64_t state = 20261129;
    return next_uniform(&state, low, high);
}

struct plan {
    double start_s, length_s, ramp_s, period_s, pause_s, amplitude;
    int pulses, trains;
};

static struct plan random_plan(void)
{
    const double period_s = exp(random_between(log(0.02), log(9))), duty = random_between(0.05, 0.95),
                 length_s = duty * period_s;
    return (struct plan){random_between(0, 3),
                         length_s,
                         random_between(0, 1) < 0.5 ? 0 : random_between(0, 0.5) * length_s,
                         period_s,
                         random_between(0.1, 5),
                         random_between(0.2, 3),
                         (int)random_between(2, 9),
                         (int)random_between(2, 5)};
}

// 0: in words, 1: as levels.
static const char *source_of(const struct plan *p, int form)
{
    static char source[800];
    char protocol[400];
    const double train_s = p->pulses * p->period_s;
    if (form == 0)
        snprintf(protocol, sizeof protocol,
                 "'prf': '%.17g Hz', 'pulse_length': '%.17g s', 'ramp': '%.17g s', 'train': '%.17g s', "
                 "'inter_train_interval': '%.17g s', 'repetitions': %d",
                 1 / p->period_s, p->length_s, p->ramp_s, train_s, p->pause_s, p->trains);
    else
        snprintf(protocol, sizeof protocol,
                 "'on': '%.17g s', 'ramp_up': '%.17g s', 'ramp_down': '%.17g s', 'levels': [{'period': "
                 "'%.17g s', 'count': %d}, {'period': '%.17g s', 'count': %d}]",
                 p->length_s, p->ramp_s, p->ramp_s, p->period_s, p->pulses, train_s + p->pause_s, p->trains);
    snprintf(source, sizeof source,
             "{'maps': {'q': {'file': 'q.nc', 'amplitude': 'p'}}, 'protocols': {'p': {'start': '%.17g s', "
             "'amplitude': %.17g, %s}}}",
             p->start_s, p->amplitude, protocol);
    return source;
}

// The heat until t (J/m³ of 1 W/m³), pulse by pulse.
static double heat_until(const struct plan *p, double t_s)
{
    double sum = 0;
    for (int train = 0; train < p->trains; train++)
        for (int pulse = 0; pulse < p->pulses; pulse++) {
            const double t = t_s - p->start_s - train * (p->pulses * p->period_s + p->pause_s) -
                             pulse * p->period_s,
                         on = fmin(fmax(t, 0), p->length_s), r = p->ramp_s;
            const double up = fmin(on, r), down = fmax(0, on - (p->length_s - r)),
                         top = fmax(0, fmin(on, p->length_s - r) - r);
            sum += top + (r > 0 ? up * up / (2 * r) + down - down * down / (2 * r) : 0);
        }
    return p->amplitude * sum;
}

enum { PLANS = 60, CLOSE_PLANS = 24, PLAN_STEPS = 400, POINTS = 400 };
static const double most_w_m3 = 4e6, heat_j_m3_k = 4e6; // 1 K/s

static void open_plan(const struct plan *p, int form, double ripple_k, double step_s)
{
    assert_ok(heating_trial_create(&trial, &heating_grid, ELEMENT_F64, source_of(p, form)));
    assert_ok(bioheat_heating_survey(trial.heating));
    bioheat_heating_allow(trial.heating, ripple_k, heat_j_m3_k);
    assert_ok(heating_trial_prepare(&trial, step_s, PLAN_STEPS));
}

// Both forms of one plan give the same heat in each step, or, where words act by their mean power, heat that
// departs by no more than is allowed at any time; in all the same, to rounding.
TEST(words_give_the_heat_of_levels)
{
    double values[HEATING_CELLS] = {[7] = most_w_m3}, amplitudes[2][PLAN_STEPS], nearest = 0;
    int averaged = 0, shared = 0;
    heating_make_field("q.nc", NC_NETCDF4, NC_DOUBLE, "W m-3", NULL, 0, values);
    for (int k = 0; k < PLANS; k++) {
        const struct plan plan = random_plan();
        const double end_s = plan.start_s + plan.trains * (plan.pulses * plan.period_s + plan.pause_s),
                     step_s = end_s / (PLAN_STEPS - 1) * exp(random_between(0, 4)),
                     allowed_k = exp(random_between(log(1e-3), log(10)));
        for (int form = 0; form < 2; form++) {
            open_plan(&plan, form, allowed_k, step_s);
            bioheat_heating_amplitudes(trial.heating, 0, PLAN_STEPS, amplitudes[form]);
            heating_trial_end(&trial);
        }
        const double total = heat_until(&plan, INFINITY);
        double words = 0, levels = 0, apart = 0;
        bool is_same = true;
        for (int n = 0; n < PLAN_STEPS; n++) {
            words += amplitudes[0][n] * step_s;
            levels += amplitudes[1][n] * step_s;
            apart = fmax(apart, fabs(words - levels));
            is_same &= fabs(amplitudes[0][n] - amplitudes[1][n]) <= 1e-12 * plan.amplitude;
            assert_near("levels", levels, heat_until(&plan, (n + 1) * step_s), 1e-12 * total);
        }
        assert_near("energy", words, total, 2e-15 * PLAN_STEPS * total);
        assert_true(apart <= allowed_k * (1 + 1e-9));
        if (!is_same)
            nearest = fmax(nearest, apart / allowed_k);
        averaged += !is_same;
        shared += is_same;
    }
    print_message("%d plans by mean power (up to %.2f of what is allowed), %d shared\n", averaged, nearest,
                  shared);
    assert_true(averaged > 5 && shared > 20 && nearest > 0.2);
}

// The estimate against 400 points of each step: of the heat that acts, and of the true one.
TEST(missed_heat_of_plans_is_a_close_bound)
{
    double values[HEATING_CELLS] = {[7] = most_w_m3}, amplitudes[PLAN_STEPS];
    heating_make_field("q.nc", NC_NETCDF4, NC_DOUBLE, "W m-3", NULL, 0, values);
    for (int k = 0; k < CLOSE_PLANS; k++) {
        const struct plan plan = random_plan();
        const double end_s = plan.start_s + plan.trains * (plan.pulses * plan.period_s + plan.pause_s),
                     step_s = end_s / (PLAN_STEPS - 1) * exp(random_between(0, 4)),
                     allowed_k = k % 2 ? 0 : exp(random_between(log(1e-3), log(10)));
        open_plan(&plan, k % 4 == 3, allowed_k, step_s);
        bioheat_heating_amplitudes(trial.heating, 0, PLAN_STEPS, amplitudes);
        const struct bioheat_power power = bioheat_heating_power(trial.heating, step_s, PLAN_STEPS);
        heating_trial_end(&trial);
        double missed = 0, given = 0;
        for (int n = 0; n < PLAN_STEPS; n++) {
            for (int i = 1; i <= POINTS; i++)
                missed = fmax(missed, fabs(heat_until(&plan, (n + i / (double)POINTS) * step_s) - given -
                                           amplitudes[n] * step_s * i / POINTS));
            given += amplitudes[n] * step_s;
        }
        const double estimate = (power.missed_j_m3 + power.hidden_j_m3) / most_w_m3;
        if (missed > estimate * (1 + 1e-9) + 1e-12 || (power.hidden_j_m3 == 0 && missed < 0.9 * estimate) ||
            missed < 0.4 * estimate)
            fail_msg("plan %d: steps of %g s miss %g s, estimate %g s (mean power %g s)", k, step_s, missed,
                     estimate, power.hidden_j_m3 / most_w_m3);
    }
}

// ---- runs of very many steps

// Step by step: the heat of every step that the estimate may look at, and all amplitudes.
static void assert_same_step_by_step(const struct plan *plan, const char *source, double step_s,
                                     int64_t steps)
{
    static double amplitudes[1 << 16];
    double largest = 0, missed = 0;
    int64_t changing = 0;
    assert_in_range(steps, 1, COUNT(amplitudes));
    assert_ok(heating_trial_create(&trial, &heating_grid, ELEMENT_F64, source));
    assert_ok(bioheat_heating_survey(trial.heating));
    const struct bioheat_power power = bioheat_heating_power(trial.heating, step_s, steps);
    assert_ok(heating_trial_prepare(&trial, step_s, steps));
    bioheat_heating_amplitudes(trial.heating, 0, steps, amplitudes);
    for (int64_t n = 0; n < steps; n++) {
        largest = fmax(largest, fabs(amplitudes[n]));
        if (!source_is_steady(trial.heating, n) && (changing++ < 512 || changing % 17 == 0))
            missed = fmax(missed, source_missed_j_m3(trial.heating, n, step_s));
    }
    heating_trial_end(&trial);
    // Along a ramp each step's mean has a rounding of its own.
    const double rounding = plan->ramp_s > 0 ? 1e-12 : 0;
    assert_near("power", power.largest_w_m3, most_w_m3 * largest, rounding * most_w_m3 * plan->amplitude);
    assert_near("missed", power.missed_j_m3, missed, rounding * most_w_m3 * plan->amplitude * step_s);
}

TEST(steps_that_are_alike_may_be_left_out)
{
    double values[HEATING_CELLS] = {[7] = most_w_m3};
    heating_make_field("q.nc", NC_NETCDF4, NC_DOUBLE, "W m-3", NULL, 0, values);
    for (int k = 0; k < CLOSE_PLANS; k++) {
        const struct plan plan = random_plan();
        const double end_s = plan.start_s + plan.trains * (plan.pulses * plan.period_s + plan.pause_s);
        const int64_t steps = k % 2 ? 50000 : 5000;
        assert_same_step_by_step(&plan, source_of(&plan, k % 3 == 0), end_s / (double)steps, steps);
    }
}

// Closed forms: along a slope a step misses Q dA/dt Δt²/8; where a switch leaves the fraction f of a step on,
// Q f (1 − f) Δt. Of pulses at some places in a step, so that the largest is found to 5 %.
TEST(a_thousand_million_steps_are_no_matter)
{
    double values[HEATING_CELLS] = {[7] = most_w_m3};
    static const struct {
        const char *source;
        double step_s, steps, largest, missed_j_m3;
    } rows[] = {
        {"{'maps': {'q': {'file': 'q.nc', 'amplitude': 't'}}, 'tables': {'t': {'times': ['0 s', '1 h', '2 "
         "h'], "
         "'values': [0, -1, 0.25]}}}",
         1e-5, 7.2e8, 1, 1.25 / 3600 * 1e-10 / 8},
        {"{'maps': {'q': {'file': 'q.nc', 'amplitude': 'p'}}, 'protocols': {'p': {'on': '0.5 s', 'ramp_up': "
         "'0.1 "
         "s', 'amplitude': 2, 'levels': [{'period': '1 s', 'count': 1000}]}}}",
         1e-6, 1e9, 2, 20 * 1e-12 / 8},
        {"{'boxes': {'at': [{'first': {'x': 1, 'y': 1, 'z': 1}, 'last': {'x': 2, 'y': 2, 'z': 1}}], "
         "'values': "
         "[[4e6], [1e6], [0]], 'units': 'W m-3', 'times': ['0 s', '1000 s', '5000 s'], 'after_end': 'last'}}",
         3e-6, 2e9, 1, 0.75 * 2.0 / 9 * 3e-6},
    };
    heating_make_field("q.nc", NC_NETCDF4, NC_DOUBLE, "W m-3", NULL, 0, values);
    for (size_t k = 0; k < COUNT(rows); k++) {
        const struct bioheat_power power = power_of(rows[k].source, rows[k].step_s, (int64_t)rows[k].steps);
        assert_near("power", power.largest_w_m3, most_w_m3 * rows[k].largest, 1e-7 * most_w_m3);
        assert_near("missed", power.missed_j_m3 / (most_w_m3 * rows[k].missed_j_m3), 0.97, 0.03 + 1e-3);
    }
}

static const char *source_of_two(double start_s)
{
    static char source[800];
    snprintf(source, sizeof source,
             "{'maps': {'q': {'file': 'q.nc', 'amplitude': 'p'}, 'r': {'file': 'q.nc', 'amplitude': 'o'}}, "
             "'protocols': {'p': {'on': '0.3 s', 'levels': [{'period': '1 s', 'count': 50000}]}, 'o': "
             "{'start': '%.17g s', 'on': '0.31 s', 'ramp_up': '0.02 s', 'levels': [{'period': '0.7 s', "
             "'count': 30}, {'period': '28 s', 'count': 1500}]}}}",
             start_s);
    return source;
}

// `least`: the part of the largest that must be found.
static void assert_like_all_steps(const char *about, const char *source, double step_s, int64_t steps,
                                  double least)
{
    double largest = 0, missed = 0, given;
    static double amplitudes[1 << 20][2];
    assert_in_range(steps, 1, COUNT(amplitudes));
    assert_ok(heating_trial_create(&trial, &heating_grid, ELEMENT_F64, source));
    assert_ok(bioheat_heating_survey(trial.heating));
    const struct bioheat_power power = bioheat_heating_power(trial.heating, step_s, steps);
    assert_ok(heating_trial_prepare(&trial, step_s, steps));
    const size_t terms = bioheat_terms(bioheat_heating_source(trial.heating));
    double *const all = amplitudes[0];
    bioheat_heating_amplitudes(trial.heating, 0, steps, all);
    for (int64_t n = 0; n < steps; n++) {
        given = 0;
        for (size_t t = 0; t < terms; t++)
            given += fabs(all[(size_t)n * terms + t]);
        largest = fmax(largest, given);
        if (!source_is_steady(trial.heating, n))
            missed = fmax(missed, source_missed_j_m3(trial.heating, n, step_s));
    }
    heating_trial_end(&trial);
    print_message("%s: power %.9f of the largest, missed %.9f\n", about,
                  power.largest_w_m3 / (most_w_m3 * largest), missed > 0 ? power.missed_j_m3 / missed : 1);
    const double middle = 0.5 * (1 + least), margin = 1 - middle + 1e-9;
    assert_near(about, power.largest_w_m3 / (most_w_m3 * largest), middle, margin);
    if (missed > 1e-9 * most_w_m3 * step_s)
        assert_near(about, power.missed_j_m3 / missed, middle, margin + 1e-6);
}

// Steps that divide the period, that have a small multiple in common with it, and that have none; trains of
// pulses; two protocols.
TEST(regular_pulses_are_looked_at_by_blocks)
{
    double values[HEATING_CELLS] = {[7] = most_w_m3};
    heating_make_field("q.nc", NC_NETCDF4, NC_DOUBLE, "W m-3", NULL, 0, values);
    for (int k = 0; k < 6; k++) {
        struct plan plan = random_plan();
        const int way = k % 3;
        const double share = way == 0   ? 0.125
                             : way == 1 ? 3.0 / 7
                                        : 0.3141592653589793,
                     step_s = share * plan.period_s;
        // As few steps as are worth leaving out.
        plan.pulses = k % 2 ? 200 : (int)(72000 * share);
        plan.trains = k % 2 ? (int)(400 * share) : 2;
        if (k % 4 == 1) // the trains' period is a multiple of the pulses'
            plan.pause_s = 17 * plan.period_s;
        const double periods = plan.trains * (plan.pulses + plan.pause_s / plan.period_s);
        assert_like_all_steps(format_text("plan %d", k), source_of(&plan, 1), step_s,
                              (int64_t)(periods * plan.period_s / step_s) + 5, 0.97);
    }
    assert_like_all_steps("two, dividing", source_of_two(1.2), 0.1, 100000, 1 - 1e-9);
    assert_like_all_steps("two, sampled", source_of_two(1.23456), 0.0973, 100000, 0.99);
}

// 10¹² pulses. In steps of 0.4 s they begin at 0, 0.4, 0.8, 0.2 and 0.6 s of a period, of which the first 0.3
// s are heated: half of the third, 0.75 of the first.
TEST(a_million_million_pulses_are_no_matter)
{
    double values[HEATING_CELLS] = {[7] = most_w_m3};
    static const char *const source =
        "{'maps': {'q': {'file': 'q.nc', 'amplitude': 'p'}}, 'protocols': {'p': {'on': '0.3 s', 'levels': "
        "[{'period': '1 s', 'count': 1000}, {'period': '2000 s', 'count': 1000000000}]}}}";
    heating_make_field("q.nc", NC_NETCDF4, NC_DOUBLE, "W m-3", NULL, 0, values);
    const struct bioheat_power shared = power_of(source, 0.4, 5000000000000),
                               whole = power_of(source, 0.1, 20000000000000);
    assert_near("power", shared.largest_w_m3, 0.75 * most_w_m3, 1e-3 * most_w_m3);
    assert_near("missed", shared.missed_j_m3, 0.1 * most_w_m3, 1e-3 * most_w_m3);
    assert_near("power", whole.largest_w_m3, most_w_m3, 0);
    assert_near("missed", whole.missed_j_m3, 0, 1e-3 * most_w_m3);
}
