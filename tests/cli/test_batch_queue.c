// Queues of jobs: what a file or a folder is written out to.
#include "io/units.h"
#include "tests/support/queue_fixture.h"
#include "tests/support/test.h"

// ---- what is read

TEST(a_whole_queue_is_read)
{
    folder_write_text(
        "overnight.json",
        "{\"fathom_batch\": 1, \"title\": \"Overnight\", \"output\": \"/results/overnight\",\"limits\": "
        "{\"cores\": 8, \"host\": \"16 GB\", \"device\": \"60 GB\", \"jobs\": 4},\"defaults\": {\"set\": "
        "{\"checkpoint.every\": \"5 min\", \"precision\": \"double\"}, \"time_limit\": \"2 h\", \"retries\": "
        "1, \"pictures\": true, \"cores\": 2},\"jobs\": [{\"name\": \"first\", \"job\": \"job.json\", "
        "\"priority\": -10},{\"name\": \"second\", \"job\": \"job.json\", \"time_limit\": \"30 s\", "
        "\"retries\": 0, \"pictures\": false, \"cores\": 0, \"set\": {\"precision\": \"single\", "
        "\"source.units\": {\"acsza1\": 1.5, \"text\": \"a \\\"b\\\"\"}}}]}");
    assert_int_equal(batch_queue_read(folder_path("overnight.json"), &queue), STATUS_OK);
    assert_string_equal(queue.title, "Overnight");
    assert_string_equal(queue.directory, "/results/overnight");
    assert_int_equal(queue.limits.cores, 8);
    assert_int_equal(queue.limits.jobs, 4);
    assert_true(queue.limits.host_bytes == 16000000000u && queue.limits.device_bytes == 60000000000u);
    assert_int_equal(queue.count, 2);
    const struct batch_job *first = &queue.jobs[0], *second = &queue.jobs[1];
    assert_string_equal(first->name, "first");
    assert_string_equal(first->path, folder_path("job.json"));
    assert_int_equal(first->priority, -10);
    assert_true(first->time_limit_s == 7200 && first->retries == 1 && first->cores == 2 && first->pictures);
    assert_int_equal(first->setting_count, 2);
    assert_int_equal(first->varied_count, 0);
    assert_string_equal(setting(0, "checkpoint.every"), "\"5 min\"");
    assert_string_equal(setting(0, "precision"), "\"double\"");
    assert_true(second->time_limit_s == 30 && second->retries == 0 && second->cores == 0 &&
                !second->pictures);
    assert_int_equal(second->entry, 1);
    assert_string_equal(setting(1, "checkpoint.every"), "\"5 min\"");
    assert_string_equal(setting(1, "precision"), "\"single\"");
    assert_string_equal(setting(1, "source.units"), "{\"acsza1\":1.5,\"text\":\"a \\\"b\\\"\"}");
}

TEST(what_is_left_out_has_defaults)
{
    read_queue("{'name': 'a', 'job': 'job.json'}");
    assert_string_equal(queue.title, "");
    assert_string_equal(queue.directory, "overnight-results");
    assert_int_equal(queue.limits.cores, 0);
    assert_int_equal(queue.limits.jobs, 0);
    assert_true(queue.limits.host_bytes == SIZE_MAX && queue.limits.device_bytes == SIZE_MAX);
    const struct batch_job *job = &queue.jobs[0];
    assert_true(job->time_limit_s == 0 && job->retries == 0 && job->cores == 0 && job->priority == 0 &&
                !job->pictures && job->setting_count == 0);
}

TEST(ranks_and_devices)
{
    read_queue(
        "{'name': 'a', 'job': 'job.json', 'ranks': 3}, {'name': 'b', 'job': 'job.json', 'devices': 2},"
        "{'name': 'c', 'job': 'job.json', 'devices': 2, 'ranks': 2}, {'name': 'd', 'job': 'job.json'}");
    static const int ranks[] = {3, 2, 2, 0};
    for (int k = 0; k < 4; k++) {
        assert_int_equal(queue.jobs[k].ranks, ranks[k]);
        assert_int_equal(queue.jobs[k].has_devices, k == 1 || k == 2);
        assert_true(queue.jobs[k].hash == queue.jobs[3].hash); // the bits are those of one rank
    }
}

// The last key of the sweep fastest; within each combination the ensemble.
TEST(a_sweep_takes_every_combination_and_an_ensemble_goes_along)
{
    static const char *const expected[][4] = {
        {"1", "\"x\"", "7", "\"p\""}, {"1", "\"x\"", "8", "\"q\""}, {"1", "null", "7", "\"p\""},
        {"1", "null", "8", "\"q\""},  {"2", "\"x\"", "7", "\"p\""}, {"2", "\"x\"", "8", "\"q\""},
        {"2", "null", "7", "\"p\""},  {"2", "null", "8", "\"q\""},
    };
    static const char *const keys[] = {"slow", "fast", "method.seed", "title"};
    read_queue("{'name': 'a', 'job': 'job.json', 'set': {'slow': 0, 'other': true},'sweep': {'slow': [1, 2], "
               "'fast': ['x', null]},'ensemble': {'method.seed': {'from': 7, 'count': 2}, 'title': ['p', "
               "'q']}},{'name': 'z', 'job': 'job.json'}");
    assert_int_equal(queue.count, 9);
    for (size_t run = 0; run < 8; run++) {
        const char *name = format_text("a-%04zu", run + 1);
        assert_string_equal(queue.jobs[run].name, name);
        assert_int_equal(queue.jobs[run].varied_count, 4);
        assert_int_equal(queue.jobs[run].setting_count, 5); // "slow" of "set" gave way
        assert_string_equal(queue.jobs[run].settings[0].key, "other");
        for (size_t k = 0; k < 4; k++) {
            assert_string_equal(queue.jobs[run].settings[1 + k].key, keys[k]);
            assert_string_equal(queue.jobs[run].settings[1 + k].value, expected[run][k]);
        }
    }
    assert_string_equal(queue.jobs[8].name, "z");
    assert_int_equal(queue.jobs[1].varied_count, 4);
    assert_int_equal(queue.jobs[8].varied_count, 0);
}

// ---- ranges

static void expect_values(const char *range, const char *const *expected)
{
    size_t count = 0;
    read_queue(format_text("{\"name\": \"a\", \"job\": \"job.json\", \"sweep\": {\"k\": %s}}", range));
    for (; expected[count]; count++) {
        if (count >= queue.count)
            fail_msg("%s: only %zu values", range, queue.count);
        if (strcmp(setting(count, "k"), expected[count]) != 0)
            fail_msg("%s: value %zu is %s instead of %s", range, count, setting(count, "k"), expected[count]);
    }
    assert_int_equal(queue.count, count);
}

TEST(ranges_have_the_decimals_that_people_mean)
{
#define VALUES(...) ((const char *const[]){__VA_ARGS__, NULL})
    expect_values("{\"from\": 0.02, \"to\": 0.03, \"step\": 0.005}", VALUES("0.02", "0.025", "0.03"));
    expect_values("{\"from\": 0.1, \"to\": 0.5, \"step\": 0.1}", VALUES("0.1", "0.2", "0.3", "0.4", "0.5"));
    expect_values("{\"from\": 0, \"to\": 1, \"count\": 5}", VALUES("0", "0.25", "0.5", "0.75", "1"));
    expect_values("{\"from\": 0, \"to\": 0.3, \"count\": 4}", VALUES("0", "0.1", "0.2", "0.3"));
    expect_values("{\"from\": 2, \"to\": -1, \"step\": -1}", VALUES("2", "1", "0", "-1"));
    expect_values("{\"from\": 1, \"to\": 2, \"step\": 0.4}", VALUES("1", "1.4", "1.8")); // the end is not met
    expect_values("{\"from\": 5, \"count\": 3}", VALUES("5", "6", "7"));
    expect_values("{\"from\": 5, \"count\": 3, \"step\": -0.1}", VALUES("5", "4.9", "4.8"));
    expect_values("{\"from\": 9007199254740990, \"count\": 2}",
                  VALUES("9007199254740990", "9007199254740991"));
    expect_values("{\"from\": 1, \"to\": 1000, \"count\": 4, \"scale\": \"log\"}",
                  VALUES("1", "10", "100", "1000"));
    expect_values("{\"from\": 0.001, \"to\": 10, \"count\": 5, \"scale\": \"log\"}",
                  VALUES("0.001", "0.01", "0.1", "1", "10"));
    expect_values("{\"from\": \"1 km\", \"to\": \"2 km\", \"step\": \"0.5 km\"}",
                  VALUES("\"1 km\"", "\"1.5 km\"", "\"2 km\""));
    expect_values("{\"from\": \"-10degC\", \"count\": 2, \"step\": \"10 degC\"}",
                  VALUES("\"-10 degC\"", "\"0 degC\""));
    expect_values("{\"from\": 3, \"to\": 3, \"step\": 1}", VALUES("3"));
    expect_values("{\"from\": 3, \"to\": 3, \"count\": 1}", VALUES("3"));
    expect_values("{\"from\": 1e300, \"to\": 3e300, \"step\": 1e300}", VALUES("1e+300", "2e+300", "3e+300"));
    expect_values("[0.1, 1e22, \"24 h\", [1, 2.50], {\"b\": true}, 0.30000000000000004]",
                  VALUES("0.1", "1e+22", "\"24 h\"", "[1,2.5]", "{\"b\":true}", "0.30000000000000004"));
}

// A step that was rounded when it was written still reaches the end, exactly.
TEST(an_end_is_met_within_rounding)
{
    expect_values("{\"from\": 0, \"to\": 1, \"step\": 0.33333333333333337}",
                  VALUES("0", "0.33333333333333337", "0.6666666666666667", "1"));
    expect_values("{\"from\": 0, \"to\": 1, \"step\": 0.3333333333333}",
                  VALUES("0", "0.3333333333333", "0.6666666666666", "1"));
    expect_values("{\"from\": 0, \"to\": 1, \"step\": 0.334}", VALUES("0", "0.334", "0.668"));
}

// Against arithmetic in exact integers: thousandths up to ten.
TEST(long_ranges_do_not_drift)
{
    read_queue("{'name': 'a', 'job': 'job.json', 'sweep': {'k': {'from': 0.001, 'to': 10, 'step': 0.001}}}");
    assert_int_equal(queue.count, 10000);
    for (size_t k = 0; k < queue.count; k++) {
        assert_true(strtod(setting(k, "k"), NULL) ==
                    strtod(format_text("%zu.%03zu", (k + 1) / 1000, (k + 1) % 1000), NULL));
        assert_true(strlen(setting(k, "k")) <= 6);
    }
    assert_string_equal(queue.jobs[0].name, "a-00001"); // as wide as the last one
    assert_string_equal(queue.jobs[9999].name, "a-10000");
}

// ---- identity

static uint64_t hash_of(const char *entry)
{
    read_queue(entry);
    return queue.jobs[0].hash;
}

TEST(a_run_is_known_by_its_file_and_its_settings)
{
#define ENTRY(rest) "{'name': 'a', 'job': 'job.json'" rest "}"
    const uint64_t plain = hash_of(ENTRY("")), one = hash_of(ENTRY(", \"set\": {\"k\": 1}")),
                   two = hash_of(ENTRY(", \"set\": {\"k\": 2}")),
                   other = hash_of(ENTRY(", \"set\": {\"kk\": 1}"));
    assert_true(plain != one && one != two && one != other && plain != other);
    assert_true(hash_of(ENTRY(", \"sweep\": {\"k\": [1]}")) == one); // wherever the key stands
    assert_true(hash_of(ENTRY(", \"set\": {\"k\": 1.0e0}")) == one); // however it is written
    assert_true(hash_of(ENTRY(", \"priority\": 5, \"retries\": 3")) ==
                plain); // how it is run is not what is run
    folder_write_text("job.json", "{\"fathom\": 1, \"model\": \"ising\" }");
    assert_true(hash_of(ENTRY("")) != plain);
}

// ---- a folder

TEST(a_folder_is_a_queue_of_its_jobs)
{
    folder_shell("mkdir '%s/jobs' '%s/jobs/d.json'", folder_root(), folder_root());
    folder_write_text("jobs/b.json", JOB_TEXT);
    folder_write_text("jobs/a-1.json", JOB_TEXT " ");
    folder_write_text("jobs/B.json", JOB_TEXT);
    folder_write_text("jobs/run.json", "{\"program\": \"Fathom\", \"model\": \"ising\"}"); // a result
    folder_write_text("jobs/faults.json", "{\"faults\": []}");
    folder_write_text("jobs/.hidden.json", JOB_TEXT);
    folder_write_text("jobs/notes.txt", "no job");
    folder_write_text("jobs/broken.json", "{\"fathom\": 1, \"model\": ");
    assert_int_equal(batch_queue_read(folder_path("jobs/"), &queue), STATUS_OK);
    static const char *const names[] = {"B", "a-1", "b", "broken"};
    assert_int_equal(queue.count, 4);
    for (size_t k = 0; k < 4; k++) {
        assert_string_equal(queue.jobs[k].name, names[k]);
        assert_int_equal(queue.jobs[k].setting_count, 0);
    }
    assert_true(queue.jobs[0].hash == queue.jobs[2].hash && queue.jobs[0].hash != queue.jobs[1].hash);
    assert_string_equal(queue.directory, "jobs-results");
    assert_true(queue.limits.host_bytes == SIZE_MAX);
}

TEST_SUITE(.setup = setup, .teardown = teardown, .end = units_release);
