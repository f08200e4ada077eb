// What a run was made of, kept beside its checkpoints: compared key by key and file by file, believed only
// where the hashes say so.
#include "tests/support/test.h"

#include "io/job/record.h"
#include "tests/support/folder.h"

#include <cjson/cJSON.h>

static const char *const files[] = {"/data/sea.nc", "/data/gauges.json"};

// A run: a job given as text, and the sums of its inputs.
struct run {
    struct job *job;
    cJSON *identity;
    struct job_record record;
};

static struct run make_run(const char *job, const uint64_t *hashes, int count)
{
    struct run run;
    folder_write_text("job.json", job);
    assert_int_equal(job_read(folder_path("job.json"), &run.job), STATUS_OK);
    assert_int_equal(job_identity(run.job, &run.identity), STATUS_OK);
    run.record = (struct job_record){run.identity, files, hashes, count, "0123456789abcdef"};
    return run;
}

static void free_run(struct run *run)
{
    cJSON_Delete(run->identity);
    job_free(run->job);
}

static char job_text[JOB_RECORD_TEXT_BYTES], input_text[JOB_RECORD_TEXT_BYTES];

// Keeps the record of one run, and compares another with it.
static void compare(const char *before, const char *now, const uint64_t sums[2][2], int count_before,
                    int count_now)
{
    struct run first = make_run(before, sums[0], count_before), second = make_run(now, sums[1], count_now);
    assert_int_equal(job_record_write(folder_path("kept.json"), &first.record), STATUS_OK);
    job_record_compare(folder_path("kept.json"), job_hash(first.job),
                       job_record_input_hash(sums[0], count_before), &second.record, job_text, input_text);
    assert_string_equal(status_message(), "");
    free_run(&first);
    free_run(&second);
}

static const uint64_t same[2][2] = {{1, 0xffffffffffffffffu}, {1, 0xffffffffffffffffu}};

#define A_JOB                                                                                                \
    "{\"fathom\": 1, \"model\": \"tsunami\", \"physics\": {\"manning_n\": 0.03, \"coriolis\": true}, "       \
    "\"list\": [1, {\"a\": 0.30000000000000004}], \"output\": {\"directory\": \"a\"}, \"time\": {\"step\": " \
    "\"10 s\"}"

TEST_SUITE(.setup = folder_make, .teardown = folder_remove);

TEST(test_nothing_differs)
{
    compare(A_JOB "}", A_JOB "}", same, 2, 2);
    assert_string_equal(job_text, "");
    assert_string_equal(input_text, "");
    // Keys that do not affect the results are not compared; nor is the order of keys.
    compare(A_JOB ", \"title\": \"a\", \"limits\": {\"x\": 1}}",
            "{\"time\": {\"step\": \"10 s\"}, \"check\": {\"reference_steps\": 3}, \"memory\": {\"host\": "
            "\"1 GB\"}, \"fathom\": 1, \"model\": \"tsunami\", \"checkpoint\": {\"every\": \"1 s\"}, "
            "\"physics\": {\"coriolis\": true, \"manning_n\": 3e-2}, \"list\": [1, {\"a\": "
            "0.30000000000000004}], \"output\": {\"directory\": \"b\"}}",
            same, 2, 2);
    assert_string_equal(job_text, "");
}

TEST(test_keys_differ)
{
    compare(
        A_JOB "}",
        "{\"fathom\": 1, \"model\": \"tsunami\", \"physics\": {\"manning_n\": 0.025, \"coriolis\": true}, "
        "\"list\": [1, {\"a\": 0.3}], \"output\": {\"directory\": \"a\", \"join\": false}, \"time\": {}}",
        same, 2, 2);
    assert_string_equal(job_text, "physics.manning_n 0.03 → 0.025, list [1,{\"a\":0.30000000000000004}] → "
                                  "[1,{\"a\":0.3}], output.join (none) → false, time.step \"10 s\" → (none)");
    assert_string_equal(input_text, "");
}

// The first few, and how many more; long values are cut, not in the middle of a character.
TEST(test_many_keys_differ)
{
    compare("{\"fathom\": 1, \"a\": 1, \"b\": 2, \"c\": 3, \"d\": 4, \"e\": 5, \"f\": 6}", "{\"fathom\": 1}",
            same, 0, 0);
    assert_string_equal(job_text, "a 1 → (none), b 2 → (none), c 3 → (none), d 4 → (none) and 2 more");
    compare("{\"fathom\": 1, \"a\": \"xöööööööööööööööööööööööööööööööööööööööö\"}",
            "{\"fathom\": 1, \"a\": \"öööööööööööööööööööööööööööööööööööööööö\"}", same, 0, 0);
    assert_non_null(strstr(job_text, "ö... → \"ö"));
    assert_null(strstr(job_text, "\xc3..."));
}

TEST(test_inputs_differ)
{
    const uint64_t changed[2][2] = {{1, 2}, {1, 0xabc}};
    compare(A_JOB "}", A_JOB "}", changed, 2, 2);
    assert_string_equal(input_text, "/data/gauges.json xxh3 0000000000000002 → xxh3 0000000000000abc");
    compare(A_JOB "}", A_JOB "}", changed, 1, 2);
    assert_string_equal(input_text, "input (none) → /data/gauges.json");
}

// Of another run, damaged in any byte, or cut short: nothing is said that might be wrong.
TEST(test_not_believed)
{
    const char *other = "{\"fathom\": 1, \"model\": \"gas\"}";
    struct run first = make_run(A_JOB "}", same[0], 2), second = make_run(other, same[1], 2);
    const uint64_t inputs = job_record_input_hash(same[0], 2), job = job_hash(first.job);
    const char *path = folder_path("kept.json");
    assert_int_equal(job_record_write(path, &first.record), STATUS_OK);
    job_record_compare(path, job, inputs, &second.record, job_text, input_text);
    assert_true(job_text[0] != '\0');
    job_record_compare(path, job + 1, inputs, &second.record, job_text, input_text);
    assert_string_equal(job_text, "");
    job_record_compare(path, job, inputs + 1, &second.record, job_text, input_text);
    assert_string_equal(job_text, "");
    job_record_compare(folder_path("none.json"), job, inputs, &second.record, job_text, input_text);
    assert_string_equal(job_text, "");
    size_t length;
    char *text = folder_read("kept.json", &length);
    int believed = 0, whole = 0;
    for (size_t k = 0; k < length; k++) {
        folder_write("kept.json", text, k);
        job_record_compare(path, job, inputs, &second.record, job_text, input_text);
        whole += job_text[0] != '\0';
        text[k] ^= 1;
        folder_write("kept.json", text, length);
        job_record_compare(path, job, inputs, &second.record, job_text, input_text);
        believed += job_text[0] != '\0';
        text[k] ^= 1;
    }
    assert_int_equal(whole, 1); // the last byte is the end of the line
    // What is believed all the same was damaged in blanks, or in a path, which no hash is of.
    assert_true(believed < (int)length / 2);
    assert_string_equal(status_message(), "");
    free_run(&first);
    free_run(&second);
}
