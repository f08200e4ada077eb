// Pulse protocols and values given at times: their means over steps against sums over every single pulse and
// over every piece between two times, done here in another way; energies in all; ends distinguished from
// rounding.
#include "tests/support/test.h"

#include "models/bioheat/source/axis.h"
#include "models/bioheat/source/private.h"
#include "models/bioheat/source/protocol.h"
#include "tests/support/bioheat_fixture.h"
#include "tests/support/numbers.h"

static const struct protocol nested = {
    .start_s = 0.37,
    .on_s = 0.013,
    .ramp_up_s = 0.002,
    .ramp_down_s = 0.003,
    .amplitude = 2.5,
    .level_count = 3,
    .levels = {{"pulse", 0.031, 7}, {"train", 0.4, 5}, {"repetition", 3.1, 4}}};

// ---- protocols

// Integral from −∞ to t of a pulse that begins at 0.
static double pulse_until(const struct protocol *p, double t)
{
    const double up = p->ramp_up_s, down = p->ramp_down_s, on = p->on_s;
    if (t <= 0)
        return 0;
    if (t < up)
        return t * t / (2 * up);
    if (t <= on - down)
        return t - up / 2;
    if (t < on)
        return on - up / 2 - down / 2 - (on - t) * (on - t) / (2 * down);
    return on - up / 2 - down / 2;
}

// Pulse by pulse, level by level.
static double sum_over_pulses(const struct protocol *p, int level, double start_s, double from_s, double to_s)
{
    if (level < 0)
        return pulse_until(p, to_s - start_s) - pulse_until(p, from_s - start_s);
    double sum = 0;
    for (int64_t k = 0; k < p->levels[level].count; k++)
        sum += sum_over_pulses(p, level - 1, start_s + (double)k * p->levels[level].period_s, from_s, to_s);
    return sum;
}

static void check_mean(const struct protocol *p, double from_s, double to_s)
{
    const double expected =
        p->amplitude * sum_over_pulses(p, p->level_count - 1, p->start_s, from_s, to_s) / (to_s - from_s);
    assert_near("mean", protocol_mean(p, from_s, to_s), expected, 1e-12 * (1 + fabs(p->amplitude)));
}

TEST(means_are_those_of_every_single_pulse)
{
    static const double steps_s[] = {0.0007, 0.01, 0.0131, 0.11, 0.4, 1.7, 20};
    assert_int_equal(protocol_check(&nested), STATUS_OK);
    for (size_t s = 0; s < sizeof steps_s / sizeof *steps_s; s++) {
        double energy = 0;
        const int count = (int)ceil(13.5 / steps_s[s]);
        for (int n = -2; n < count; n++) {
            const double from_s = n * steps_s[s], to_s = (n + 1) * steps_s[s];
            if (n % 7 == 0 || steps_s[s] > 0.1)
                check_mean(&nested, from_s, to_s);
            energy += protocol_mean(&nested, from_s, to_s) * (to_s - from_s);
        }
        assert_near("energy", energy, 2.5 * 7 * 5 * 4 * (0.013 - 0.0025), 1e-11);
    }
    assert_near("total", protocol_total(&nested), 2.5 * 140 * 0.0105, 1e-14);
}

// A sonication of 30 s in a run of steps of 0.05 s, ten thousand of which lie before it: on is 1, off is 0,
// to the last bit, though 0.05 s is no binary number.
TEST(on_and_off_are_exact_to_the_last_bit)
{
    const struct protocol once = {.start_s = 500, .on_s = 30, .amplitude = 1};
    assert_int_equal(protocol_check(&once), STATUS_OK);
    for (int n = 0; n < 12000; n++) {
        const double mean = protocol_mean(&once, n * 0.05, (n + 1) * 0.05);
        if (mean != (n >= 10000 && n < 10600))
            fail_msg("step %d: mean %.17g", n, mean);
    }
    // 100 of 10 ms every 100 ms, in steps of 10 ms
    const struct protocol pulsed = {
        .start_s = 0.1, .on_s = 0.01, .amplitude = 3, .level_count = 1, .levels = {{"p", 0.1, 100}}};
    for (int n = 0; n < 1200; n++) {
        const double mean = protocol_mean(&pulsed, n * 0.01, (n + 1) * 0.01);
        if (mean != (n % 10 == 0 && n >= 10 && n < 1010 ? 3 : 0))
            fail_msg("step %d: mean %.17g", n, mean);
    }
}

// 10 million pulses of 1 µs at 1 % duty: each step of 50 ms has 500 of them.
TEST(pulses_far_shorter_than_a_step_give_their_duty)
{
    const struct protocol p = {
        .on_s = 1e-6, .amplitude = 1e8, .level_count = 1, .levels = {{"pulse", 1e-4, 10000000}}};
    for (int n = 0; n < 20000; n += 37)
        assert_near("mean", protocol_mean(&p, n * 0.05, (n + 1) * 0.05), 1e6, 1e-3);
    assert_near("mean", protocol_mean(&p, 999.9, 1000.1), 0.5 * 1e6, 1e-2);
}

// On for 1e-18 to 10 s, in up to three levels, at random times or where steps begin, also shorter than the
// rounding of these times: the steps have the energy of all pulses together.
static struct protocol random_pulses(uint64_t *state, double step_s)
{
    struct protocol p = {.amplitude = 1, .on_s = pow(10, next_uniform(state, -18, 1))};
    const bool is_even = next_uniform(state, 0, 1) < 0.5;
    p.start_s = is_even ? nearbyint(next_uniform(state, 0, 50)) * step_s : next_uniform(state, 0, 20);
    p.level_count = (int)next_uniform(state, 0, 3.999);
    double inner_s = p.on_s;
    for (int k = 0; k < p.level_count; k++) {
        const double whole_s = ceil(inner_s / step_s) * step_s;
        p.levels[k] = (struct protocol_level){
            .period_s = is_even ? whole_s * nearbyint(next_uniform(state, 1, 3))
                                : inner_s * pow(10, next_uniform(state, 0, inner_s < 1e-3 ? 3 : 0.3)),
            .count = (int64_t)next_uniform(state, 1, 6)};
        inner_s = protocol_level_duration_s(&p, k + 1);
    }
    if (next_uniform(state, 0, 1) < 0.3)
        p.ramp_up_s = p.ramp_down_s = next_uniform(state, 0, 0.5) * p.on_s;
    return p;
}

TEST(energies_of_random_pulses_arrive_whole)
{
    uint64_t state = 24;
    for (int trial = 0; trial < 4000; trial++) {
        const double step_s = trial % 2 ? 0.1 : next_uniform(&state, 0.01, 1);
        const struct protocol p = random_pulses(&state, step_s);
        assert_int_equal(protocol_check(&p), STATUS_OK);
        const double end_s = p.start_s + protocol_level_duration_s(&p, p.level_count);
        double energy = 0;
        for (int64_t n = 0; (double)n * step_s < end_s + 2 * step_s; n++)
            energy += protocol_mean(&p, (double)n * step_s, (double)(n + 1) * step_s) *
                      ((double)(n + 1) * step_s - (double)n * step_s);
        const double share = energy / protocol_total(&p);
        if (!(fabs(share - 1) <= 1e-12))
            fail_msg("trial %d: on for %.3g s from %.17g s, %d levels, steps of %.17g s: %.15g of the energy",
                     trial, p.on_s, p.start_s, p.level_count, step_s, share);
    }
}

TEST(mistakes_in_protocols_are_named)
{
    struct protocol p = nested;
    p.levels[1].period_s = 0.19;
    status_clear();
    assert_int_equal(protocol_check(&p), STATUS_CONFIGURATION);
    assert_string_equal(
        status_message(),
        "level 1 (train): every 0.19 s, but what it repeats takes 0.199 s: they would overlap");
    p = nested;
    p.ramp_down_s = 0.012;
    status_clear();
    assert_int_equal(protocol_check(&p), STATUS_CONFIGURATION);
    assert_string_equal(status_message(),
                        "the ramps, 0.002 s and 0.012 s, are longer than the pulse, 0.013 s");
    p = nested;
    p.on_s = 0;
    status_clear();
    assert_int_equal(protocol_check(&p), STATUS_CONFIGURATION);
    p = nested;
    p.levels[0].count = 0;
    status_clear();
    assert_int_equal(protocol_check(&p), STATUS_CONFIGURATION);
    assert_string_equal(status_message(), "level 0 (pulse): count is 0, expected 1 or more");
    status_clear();
}

// ---- values at times

enum { TIMES = 9 };
static const double times_s[TIMES] = {0.1, 0.5, 0.52, 0.9, 1.7, 1.75, 1.8, 1.85, 3};
static const double values[TIMES] = {2, -1, 7, 4, 4, 0, 11, -3, 5};

static double value_at(const struct source_axis *axis, double t)
{
    const size_t last = axis->records - 1;
    if (t < times_s[0])
        return axis->before == SOURCE_HELD ? values[0] : 0;
    if (t >= times_s[axis->time_count - 1])
        return axis->after == SOURCE_HELD ? values[last] : 0;
    size_t k = 0;
    while (t >= times_s[k + 1])
        k++;
    if (axis->is_linear)
        return values[k] + (values[k + 1] - values[k]) * (t - times_s[k]) / (times_s[k + 1] - times_s[k]);
    return axis->is_energy ? values[k] / (times_s[k + 1] - times_s[k]) : values[k];
}

// The next time of the axis before to_s, else to_s.
static double next_time(const struct source_axis *axis, double at_s, double to_s)
{
    double next_s = to_s;
    for (size_t k = 0; k < axis->time_count; k++)
        if (times_s[k] > at_s && times_s[k] < next_s)
            next_s = times_s[k];
    return next_s;
}

// Between two neighbouring times the value is linear: the middle's is the mean.
static double mean_by_pieces(const struct source_axis *axis, double from_s, double to_s)
{
    double sum = 0, at_s = from_s;
    while (at_s < to_s) {
        const double next_s = next_time(axis, at_s, to_s);
        sum += value_at(axis, 0.5 * (at_s + next_s)) * (next_s - at_s);
        at_s = next_s;
    }
    return sum / (to_s - from_s);
}

static double mean_by_weights(const struct source_axis *axis, int64_t step)
{
    const struct source_window window = source_axis_window(axis, step);
    double mean = 0;
    for (size_t k = window.first; k < window.first + window.count; k++) {
        assert_in_range(k, 0, axis->records - 1);
        mean += source_axis_weight(axis, &window, k) * values[k];
    }
    // Nothing beside the window counts.
    for (size_t k = 0; k < axis->records; k++)
        if (axis->times_s && (k < window.first || k >= window.first + window.count))
            assert_true(source_axis_weight(axis, &window, k) == 0);
    return mean;
}

// Two triangles where the line passes 0.
static double absolute_of_line(double first, double last)
{
    const double root = first / (first - last);
    return first * last >= 0 ? 0.5 * fabs(first + last)
                             : 0.5 * (fabs(first) * root + fabs(last) * (1 - root));
}

// The mean of the absolute value: between two neighbouring times the line is that of two points between them.
static double absolute_by_pieces(const struct source_axis *axis, double from_s, double to_s)
{
    double sum = 0, at_s = from_s;
    while (at_s < to_s) {
        const double next_s = next_time(axis, at_s, to_s);
        const double low = value_at(axis, at_s + 0.25 * (next_s - at_s)),
                     high = value_at(axis, at_s + 0.75 * (next_s - at_s)), slope = 0.5 * (high - low);
        sum += absolute_of_line(low - slope, high + slope) * (next_s - at_s);
        at_s = next_s;
    }
    return sum / (to_s - from_s);
}

static void find_parts(const struct source_axis *axis, int64_t step, double parts[SOURCE_SIGNS])
{
    const struct source_window window = source_axis_window(axis, step);
    parts[SOURCE_WARMS] = parts[SOURCE_COOLS] = 0;
    for (size_t k = window.first; k < window.first + window.count; k++)
        source_axis_add_parts(axis, &window, k, k > 0 ? values[k - 1] : NAN, values[k], parts);
}

static void check_axis(struct source_axis axis)
{
    static const double steps_s[] = {0.013, 0.05, 0.11, 0.6, 5};
    for (size_t s = 0; s < sizeof steps_s / sizeof *steps_s; s++) {
        const int64_t steps = (int64_t)ceil(4.2 / steps_s[s]);
        status_clear();
        assert_int_equal(source_axis_fit(&axis, -0.3, steps_s[s], steps), STATUS_OK);
        size_t first = 0;
        for (int64_t n = 0; n < steps; n++) {
            const double from_s = -0.3 + (double)n * steps_s[s], to_s = -0.3 + (double)(n + 1) * steps_s[s];
            assert_near("mean", mean_by_weights(&axis, n), mean_by_pieces(&axis, from_s, to_s), 1e-11);
            double parts[SOURCE_SIGNS];
            find_parts(&axis, n, parts);
            assert_near("absolute", parts[SOURCE_WARMS] + parts[SOURCE_COOLS],
                        absolute_by_pieces(&axis, from_s, to_s), 1e-11);
            assert_near("difference", parts[SOURCE_WARMS] - parts[SOURCE_COOLS],
                        mean_by_pieces(&axis, from_s, to_s), 1e-11);
            const struct source_window window = source_axis_window(&axis, n);
            assert_true(window.first >= first); // a stream never goes back
            first = window.first;
        }
    }
}

TEST(means_of_tables_are_exact)
{
    for (int linear = 0; linear < 2; linear++)
        for (int before = SOURCE_ZERO; before <= SOURCE_HELD; before++)
            for (int after = SOURCE_ZERO; after <= SOURCE_HELD; after++) {
                check_axis((struct source_axis){.records = TIMES,
                                                .times_s = times_s,
                                                .time_count = TIMES,
                                                .is_linear = linear,
                                                .before = (enum source_beyond)before,
                                                .after = (enum source_beyond)after});
                if (!linear)
                    check_axis((struct source_axis){.records = TIMES - 1,
                                                    .times_s = times_s,
                                                    .time_count = TIMES,
                                                    .before = (enum source_beyond)before,
                                                    .after = (enum source_beyond)after});
                check_axis((struct source_axis){.records = 1, // held before its time, after it, or neither
                                                .times_s = times_s,
                                                .time_count = 1,
                                                .is_linear = linear,
                                                .before = (enum source_beyond)before,
                                                .after = (enum source_beyond)after});
            }
    check_axis((struct source_axis){.records = TIMES - 1,
                                    .times_s = times_s,
                                    .time_count = TIMES,
                                    .is_energy = true,
                                    .before = SOURCE_ZERO,
                                    .after = SOURCE_ZERO});
}

// All of an energy arrives, however the steps lie.
TEST(energies_arrive_whole)
{
    struct source_axis axis = {.records = TIMES - 1,
                               .times_s = times_s,
                               .time_count = TIMES,
                               .is_energy = true,
                               .before = SOURCE_ZERO,
                               .after = SOURCE_ZERO};
    double expected = 0;
    for (size_t k = 0; k + 1 < TIMES; k++)
        expected += values[k];
    for (double step_s = 0.017; step_s < 2; step_s *= 1.7) {
        const int64_t steps = (int64_t)ceil(3.1 / step_s);
        assert_int_equal(source_axis_fit(&axis, 0, step_s, steps), STATUS_OK);
        double energy = 0;
        for (int64_t n = 0; n < steps; n++)
            energy += mean_by_weights(&axis, n) * step_s;
        assert_near("energy", energy, expected, 1e-12);
    }
    struct source_axis by_step = {.records = 4, .is_energy = true, .after = SOURCE_ZERO};
    assert_int_equal(source_axis_fit(&by_step, 0, 0.05, 6), STATUS_OK);
    for (int64_t n = 0; n < 6; n++)
        assert_near("mean", mean_by_weights(&by_step, n) * 0.05, n < 4 ? values[n] : 0, 1e-15);
}

// Times as a file has them, k · 0.05 s rounded otherwise than the run's: each record is one step's alone,
// with the weight 1.
TEST(times_that_differ_by_rounding_are_the_same)
{
    enum { COUNT = 2000 };
    static double even_s[COUNT + 1];
    double sum = 0;
    int unequal = 0;
    for (int k = 0; k <= COUNT; k++) {
        even_s[k] = k / 20.0;
        unequal += even_s[k] != k * 0.05;
        sum += 0.05;
    }
    assert_true(unequal > 0 && sum > 0);
    struct source_axis axis = {.records = COUNT, .times_s = even_s, .time_count = COUNT + 1};
    assert_int_equal(source_axis_fit(&axis, 0, 0.05, COUNT), STATUS_OK);
    for (int64_t n = 0; n < COUNT; n++) {
        const struct source_window window = source_axis_window(&axis, n);
        assert_int_equal(window.first, n);
        assert_int_equal(window.count, 1);
        assert_true(source_axis_weight(&axis, &window, (size_t)n) == 1);
    }
    axis = (struct source_axis){
        .records = COUNT + 1, .times_s = even_s, .time_count = COUNT + 1, .is_linear = true};
    assert_int_equal(source_axis_fit(&axis, 0, 0.05, COUNT), STATUS_OK);
    for (int64_t n = 0; n < COUNT; n++) {
        const struct source_window window = source_axis_window(&axis, n);
        assert_int_equal(window.first, n);
        assert_int_equal(window.count, 2);
        assert_near("weight", source_axis_weight(&axis, &window, (size_t)n), 0.5, 1e-12);
    }
}

TEST(a_run_longer_than_its_table_is_refused)
{
    struct source_axis axis = {
        .records = TIMES, .times_s = times_s, .time_count = TIMES, .is_linear = true, .before = SOURCE_ZERO};
    status_clear();
    assert_int_equal(source_axis_fit(&axis, 0, 0.1, 31), STATUS_CONFIGURATION);
    assert_string_equal(
        status_message(),
        "ends at 3 s, the run at 3.1 s: define what follows by after_end, \"zero\" or \"last\"");
    status_clear();
    assert_int_equal(source_axis_fit(&axis, 0, 0.1, 30), STATUS_OK);
    axis.before = SOURCE_REFUSED;
    assert_int_equal(source_axis_fit(&axis, 0, 0.1, 30), STATUS_CONFIGURATION);
    assert_string_equal(
        status_message(),
        "begins at 0.1 s, the run at 0 s: define what comes before by before_start, \"zero\" or \"first\"");
    status_clear();
    struct source_axis by_step = {.records = 12};
    assert_int_equal(source_axis_fit(&by_step, 0, 0.5, 12), STATUS_OK);
    assert_int_equal(source_axis_fit(&by_step, 0, 0.5, 13), STATUS_CONFIGURATION);
    assert_string_equal(status_message(), "12 rows, one a step, end at 6 s, the run at 6.5 s (13 steps of "
                                          "0.5 s): define what follows by after_end, \"zero\" or \"last\"");
    status_clear();
    const double swapped_s[] = {0, 2, 1}, equal_s[] = {0, 1, 1}, bad_s[] = {0, (double)NAN};
    assert_int_equal(source_axis_first_bad(swapped_s, 3), 2);
    assert_int_equal(source_axis_first_bad(equal_s, 3), 2);
    assert_int_equal(source_axis_first_bad(bad_s, 2), 1);
    assert_int_equal(source_axis_first_bad(times_s, TIMES), TIMES);
}

// ---- means of cells

// A Gaussian of σ 3 mm: its exact means over cells of h, converted, against its values at their middles.
static double worst_middle(double h, enum element precision, double *heat)
{
    const size_t n = (size_t)lround(0.02 / h);
    const struct bioheat_grid grid = {.cells = {n, n, n}, .spacing_m = {h, h, h}};
    double *middles = phantom_array_new(n), *means = phantom_array_new(n), worst = 0, sums[2] = {0};
    void *field = phantom_array_new(n * n * n), *old = phantom_array_new(SOURCE_OLD_PLANES * n * n);
    for (size_t i = 0; i < n; i++) {
        const double low = (double)i * h - 0.0097, sigma = 3e-3, root = sigma * sqrt(2);
        middles[i] = exp(-pow((low + h / 2) / root, 2));
        means[i] = root * sqrt(acos(-1)) / 2 * (erf((low + h) / root) - erf(low / root)) / h;
    }
    for (size_t k = 0; k < n * n * n; k++) {
        const double mean = means[k / n / n] * means[k / n % n] * means[k % n];
        element_set(precision, field, k, mean);
        sums[0] += mean;
    }
    source_means_to_middles(&grid, precision, field, old);
    for (size_t k = 0; k < n * n * n; k++) {
        const double value = element_get(precision, field, k);
        worst = fmax(worst, fabs(value - middles[k / n / n] * middles[k / n % n] * middles[k % n]));
        sums[1] += value;
    }
    *heat = sums[1] / sums[0];
    free(middles);
    free(means);
    free(field);
    free(old);
    return worst;
}

TEST(means_become_middles_to_fourth_order)
{
    double heat;
    const double coarse = worst_middle(1e-3, ELEMENT_F64, &heat),
                 fine = worst_middle(0.5e-3, ELEMENT_F64, &heat);
    print_message("middles of a Gaussian from means: %.2e, %.2e, order %.2f; heat %.6f\n", coarse, fine,
                  log2(coarse / fine), heat);
    assert_true(log2(coarse / fine) > 3.8);
    assert_true(coarse < 1e-3); // means taken for middles: 1.4e-2
    assert_near("heat", heat, 1, 1e-4);
    assert_near("single precision", worst_middle(1e-3, ELEMENT_F32, &heat), coarse, 1e-6);
}
