// Samples of distributions in a queue: strata, moments and weights of the runs, and what is refused.
#include "io/units.h"
#include "tests/support/queue_fixture.h"
#include "tests/support/test.h"

#include "tests/support/statuses.h"

#include <cjson/cJSON.h>
#include <math.h>

enum { COUNT = 200 };

// Five keys: one for each distribution. The job's model has no such keys: they are checked when a run is
// planned.
static const char whole_sample[] =
    "{'name': 'a', 'job': 'job.json', 'sample': {'count': 200, 'seed': 7, 'keys': {"
    "'quake.magnitude': {'normal': {'mean': 8.8, 'sigma': 0.2}},"
    "'quake.depth': {'lognormal': {'median': '30 km', 'sigma': 0.3}},"
    "'quake.strike': {'uniform': {'from': '-10 degree', 'to': '30 degree'}},"
    "'quake.seed': {'integer': {'from': 1, 'to': 1000}},"
    "'quake.relation': {'choice': {'values': ['one', 'two', 'three'], 'probabilities': [0.5, 0.3, 0.2]}}}}}";

// The number of a setting, 8.8 or "30.5 km".
static double number(size_t run, const char *key)
{
    const char *text = setting(run, key);
    assert_non_null(text);
    return strtod(text + (*text == '"'), NULL);
}

static double normal_part(double x) // of the C library
{
    return 0.5 * erfc(-x / sqrt(2.0));
}

// The part of its distribution that lies below the run's value.
static double part_below(size_t run, size_t key)
{
    switch (key) {
    case 0:
        return normal_part((number(run, "quake.magnitude") - 8.8) / 0.2);
    case 1:
        return normal_part(log(number(run, "quake.depth") / 30) / 0.3);
    case 2:
        return (number(run, "quake.strike") + 10) / 40;
    default:
        return (number(run, "quake.seed") - 0.5) / 1000;
    }
}

TEST(each_stratum_of_each_key_has_one_run)
{
    read_queue(whole_sample);
    assert_int_equal(queue.count, COUNT);
    for (size_t key = 0; key < 4; key++) {
        bool has[COUNT] = {false};
        for (size_t run = 0; run < COUNT; run++) {
            const size_t stratum = (size_t)(COUNT * part_below(run, key));
            if (stratum >= COUNT || has[stratum])
                fail_msg("key %zu: stratum %zu has two runs", key, stratum);
            has[stratum] = true;
        }
    }
    size_t found[3] = {0};
    for (size_t run = 0; run < COUNT; run++) {
        const char *value = setting(run, "quake.relation");
        found[strcmp(value, "\"one\"") == 0 ? 0 : strcmp(value, "\"two\"") == 0 ? 1 : 2]++;
    }
    assert_int_equal(found[0], 100); // strata: exactly the probabilities
    assert_int_equal(found[1], 60);
    assert_int_equal(found[2], 40);
}

static void moments(const double x[COUNT], double *mean, double *deviation)
{
    *mean = *deviation = 0;
    for (size_t k = 0; k < COUNT; k++)
        *mean += x[k] / COUNT;
    for (size_t k = 0; k < COUNT; k++)
        *deviation += (x[k] - *mean) * (x[k] - *mean) / COUNT;
    *deviation = sqrt(*deviation);
}

// The standard error of a mean over strata is far below σ/√n: 2 % of σ holds with ease; of σ itself 3 %. The
// correlation of independent orders has a standard deviation of 1/√(n − 1) = 0.071: below 0.25.
TEST(means_deviations_and_correlations)
{
    static double values[3][COUNT];
    double mean[3], deviation[3];
    read_queue(whole_sample);
    for (size_t run = 0; run < COUNT; run++) {
        values[0][run] = number(run, "quake.magnitude");
        values[1][run] = log(number(run, "quake.depth"));
        values[2][run] = number(run, "quake.strike");
    }
    static const double means[] = {8.8, 3.4011973816621555, 10},
                        deviations[] = {0.2, 0.3, 11.547005383792516};
    for (size_t key = 0; key < 3; key++) {
        moments(values[key], &mean[key], &deviation[key]);
        assert_true(fabs(mean[key] - means[key]) < 0.02 * deviations[key]);
        assert_true(fabs(deviation[key] / deviations[key] - 1) < 0.03);
    }
    for (size_t a = 0; a < 3; a++)
        for (size_t b = a + 1; b < 3; b++) {
            double product = 0;
            for (size_t run = 0; run < COUNT; run++)
                product += (values[a][run] - mean[a]) * (values[b][run] - mean[b]) / COUNT;
            assert_true(fabs(product / (deviation[a] * deviation[b])) < 0.25);
        }
}

TEST(weights_are_equal_and_values_have_few_digits)
{
    read_queue(whole_sample);
    double sum = 0;
    for (size_t run = 0; run < COUNT; run++) {
        assert_true(queue.jobs[run].weight == 1.0 / COUNT);
        sum += queue.jobs[run].weight;
        assert_in_range(strlen(setting(run, "quake.magnitude")), 1, 8); // 7 digits and a point
    }
    assert_true(fabs(sum - 1) < 1e-12);
}

// From the description in batch/sample.h, in Python: Philox, the order of the strata, and the quantile of
// statistics.NormalDist. These texts must come out on every machine.
TEST(values_are_those_of_another_program)
{
    read_queue(whole_sample);
    assert_string_equal(setting(0, "quake.magnitude"), "8.452094");
    assert_string_equal(setting(1, "quake.magnitude"), "8.883187");
    assert_string_equal(setting(199, "quake.magnitude"), "8.899999");
}

TEST(the_same_seed_gives_the_same_texts)
{
    read_queue("{'name': 'a', 'job': 'job.json', 'sample': {'count': 2, 'seed': 7, 'keys': {"
               "'m': {'normal': {'mean': 8.8, 'sigma': 0.2}}}}},"
               "{'name': 'b', 'job': 'job.json', 'sample': {'count': 2, 'seed': 7, 'keys': {"
               "'x': {'uniform': {'from': 0, 'to': 1}}, 'm': {'normal': {'mean': 8.8, 'sigma': 0.2}}}}},"
               "{'name': 'c', 'job': 'job.json', 'sample': {'count': 2, 'seed': 8, 'keys': {"
               "'m': {'normal': {'mean': 8.8, 'sigma': 0.2}}}}}");
    for (size_t k = 0; k < 2; k++) { // another key beside it changes nothing; another seed does
        assert_string_equal(setting(k, "m"), setting(2 + k, "m"));
        assert_true(strcmp(setting(k, "m"), setting(4 + k, "m")) != 0);
    }
}

TEST(bounds_truncate)
{
    read_queue("{'name': 'a', 'job': 'job.json', 'sample': {'count': 400, 'method': 'random', 'keys': {"
               "'m': {'normal': {'mean': 8.8, 'sigma': 0.2, 'from': 8.7, 'to': 9}},"
               "'d': {'lognormal': {'median': '30 km', 'sigma': 0.3, 'to': '25 km'}}}}}");
    double mean = 0;
    for (size_t run = 0; run < 400; run++) {
        const double m = number(run, "m");
        assert_true(m >= 8.7 && m <= 9 && number(run, "d") <= 25);
        mean += m / 400;
    }
    // μ + σ (φ(α) − φ(β))/(Φ(β) − Φ(α)), α = −0.5, β = 1; the standard error is 0.004.
    assert_true(fabs(mean - 8.8413262) < 0.016);
}

TEST(a_grid_has_every_combination_with_its_probability)
{
    read_queue("{'name': 'a', 'job': 'job.json', 'sample': {'method': 'grid', 'keys': {"
               "'m': {'normal': {'mean': 0, 'sigma': 1}, 'cells': 3},"
               "'r': {'choice': {'values': [1, true], 'probabilities': [0.75, 0.25]}}}}}");
    assert_int_equal(queue.count, 6);
    double sum = 0;
    for (size_t run = 0; run < 6; run++) {
        assert_string_equal(setting(run, "r"), run % 2 == 0 ? "1" : "true");
        assert_true(fabs(queue.jobs[run].weight - (run % 2 == 0 ? 0.25 : 0.25 / 3)) < 1e-15);
        sum += queue.jobs[run].weight;
    }
    assert_true(fabs(sum - 1) < 1e-12);
    // The medians of the thirds: the quantiles of 1/6, 1/2 and 5/6, to seven digits.
    assert_string_equal(setting(0, "m"), "-0.9674216");
    assert_string_equal(setting(2, "m"), "0");
    assert_string_equal(setting(5, "m"), "0.9674216");
    assert_string_equal(queue.jobs[0].name, "a-0001");
}

TEST(other_weights_do_not_run_again)
{
    uint64_t hash[2];
    read_queue("{'name': 'a', 'job': 'job.json', 'sample': {'method': 'grid', 'keys': {"
               "'r': {'choice': {'values': [1, 2], 'probabilities': [0.75, 0.25]}}}}}");
    hash[0] = queue.jobs[0].hash;
    read_queue("{'name': 'a', 'job': 'job.json', 'sample': {'method': 'grid', 'keys': {"
               "'r': {'choice': {'values': [1, 2], 'probabilities': [0.5, 0.5]}}}}}");
    hash[1] = queue.jobs[0].hash;
    assert_true(hash[0] == hash[1] && queue.jobs[0].weight == 0.5);
}

#define SAMPLE(text)      "{'name': 'a', 'job': 'job.json', 'sample': " text "}"
#define ONE(distribution) SAMPLE("{'count': 3, 'keys': {'m': " distribution "}}")

TEST(mistakes_are_refused_in_one_line)
{
    static const struct {
        const char *entry, *message;
    } cases[] = {
        {SAMPLE("{'count': 3}"),
         ": jobs[0].sample.keys: missing; it is required: job keys and their distributions"},
        {SAMPLE("{'count': 3, 'keys': {}}"),
         ": jobs[0].sample.keys: an object {\"KEY\": {DISTRIBUTION}, ...} with one key at least is expected"},
        {SAMPLE("{'keys': {'m': {'uniform': {'from': 0, 'to': 1}}}}"),
         ": jobs[0].sample.count: missing: the number of runs is expected"},
        {SAMPLE("{'count': 200000, 'keys': {'m': {'uniform': {'from': 0, 'to': 1}}}}"), NULL},
        {SAMPLE("{'method': 'grid', 'count': 3, 'keys': {'m': {'uniform': {'from': 0, 'to': 1}, 'cells': "
                "2}}}"),
         ": jobs[0].sample.count: has no effect: a grid has every combination of the cells"},
        {SAMPLE("{'method': 'grid', 'keys': {'m': {'uniform': {'from': 0, 'to': 1}}}}"),
         ": jobs[0].sample.keys.m: \"cells\" is missing: a grid needs them"},
        {SAMPLE("{'method': 'grid', 'keys': {'m': {'uniform': {'from': 0, 'to': 1}, 'cells': 1000}, 'n': "
                "{'uniform': {'from': 0, 'to': 1}, 'cells': 1000}}}"),
         ": jobs[0].sample.keys: 1e+06 runs are too many; the queue has capacity for 100000 (100000 runs in "
         "total)"},
        {SAMPLE("{'count': 3, 'keys': {'output.directory': {'uniform': {'from': 0, 'to': 1}}}}"),
         ": jobs[0].sample.keys.output.directory: cannot be set: each run has a folder of its name in the "
         "batch's output"},
        {ONE("{'uniform': {'from': 0, 'to': 1}, 'cells': 4}"),
         ": jobs[0].sample.keys.m: \"cells\" has no effect: \"method\" is not \"grid\""},
        {ONE("8.8"), NULL},
        {ONE("{'normal': {'mean': 8.8, 'sigma': 0}}"),
         ": jobs[0].sample.keys.m.normal.sigma: 0: must be above 0"},
        {ONE("{'normal': {'mean': 8.8}}"), NULL},
        {ONE("{'normal': {'mean': '30 km', 'sigma': 3}}"),
         ": jobs[0].sample.keys.m.normal.sigma: has no unit, but \"normal.mean\" has the unit \"km\"; use "
         "one "
         "unit"},
        {ONE("{'normal': {'mean': 8.8, 'sigma': 0.1, 'from': 10}}"),
         ": jobs[0].sample.keys.m.normal.from: the bounds hold less than a millionth of the distribution: "
         "are "
         "they right?"},
        {ONE("{'normal': {'mean': 8.8, 'sigma': 0.1, 'from': 9, 'to': 8}}"),
         ": jobs[0].sample.keys.m.normal.to: 8 is not above \"from\", 9"},
        {ONE("{'lognormal': {'median': -3, 'sigma': 0.1}}"),
         ": jobs[0].sample.keys.m.lognormal.median: -3: must be above 0"},
        {ONE("{'uniform': {'from': 0, 'to': 1}, 'integer': {'from': 0, 'to': 1}}"),
         ": jobs[0].sample.keys.m: has more than one distribution; one of normal, lognormal, uniform, "
         "integer, choice is expected"},
        {ONE("{'choice': {'values': []}}"),
         ": jobs[0].sample.keys.m.choice.values: a list with one value at least is expected"},
        {ONE("{'choice': {'values': [1, 2], 'probabilities': [0.5, 0.4]}}"),
         ": jobs[0].sample.keys.m.choice.probabilities: the sum is 0.9, expected 1 within 1e-06"},
        {ONE("{'choice': {'values': [1, 2], 'probabilities': [1]}}"),
         ": jobs[0].sample.keys.m.choice.probabilities: a list of 2 numbers, one for each of the values, is "
         "expected"},
        {ONE("{'gamma': {'mean': 1}}"), NULL},
        {"{'name': 'a', 'job': 'job.json', 'sweep': {'k': [1]}, 'sample': {'count': 3, 'keys': {'m': "
         "{'uniform': {'from': 0, 'to': 1}}}}}",
         ": jobs[0].sweep: stands beside \"sample\", which gives each run of the entry its weight; write two "
         "entries"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        if (cases[k].message)
            expect_refused(cases[k].entry, cases[k].message);
        else
            assert_failure(batch_queue_read(write_queue(cases[k].entry), &queue), STATUS_CONFIGURATION,
                           "jobs[0].sample.");
}

TEST_SUITE(.setup = setup, .teardown = teardown, .end = units_release);
