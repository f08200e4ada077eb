// What the command line puts into a job: as if the file had said so, and with the mistakes named as coming
// from there.
#include "tests/support/test.h"

#include "io/units.h"
#include "tests/support/folder.h"
#include "tests/support/job_fixture.h"
#include "tests/support/statuses.h"

#include <cjson/cJSON.h>

// A value in single quotes or double ones.
static enum status set(struct job *job, const char *key, const char *value)
{
    return job_set_json(job, key, folder_double_quotes(format_text("%s", value)));
}

static struct job *set_job(const char *const settings[][2], size_t count)
{
    struct job *job = read_job(JOB_BASE ",'physics':{'manning_n':0.01,'coriolis':false}}");
    for (size_t k = 0; k < count; k++)
        assert_ok(set(job, settings[k][0], settings[k][1]));
    assert_ok(job_check(job, job_tables, 2));
    return job;
}

TEST_SUITE(.setup = job_setup, .teardown = job_teardown, .end = units_release);

TEST(values_are_json_or_text)
{
    const char *const settings[][2] = {{"physics.manning_n", "0.03"},    {"physics.wall_depth", "20 m"},
                                       {"physics.coriolis", "true"},     {"output.arrival", "['2 cm']"},
                                       {"title", "It's 'quoted' = yes"}, {"source.units", "{'acsza1': 2.5}"},
                                       {"output.gauges.file", "'a b'"},  {"domain.file", "1e3x"}};
    struct job *job = set_job(settings, COUNT(settings));
    assert_true(job_number(job, "physics.manning_n") == 0.03);
    assert_true(job_quantity(job, "physics.wall_depth") == 20);
    assert_true(job_boolean(job, "physics.coriolis"));
    assert_int_equal(job_list_length(job, "output.arrival"), 1);
    assert_true(job_map_number(job, "source.units", 0) == 2.5);
    assert_string_equal(job_string(job, "title"), "It's \"quoted\" = yes");
    assert_string_equal(job_string(job, "output.gauges.file"), "a b"); // the object was made on the way
    assert_string_equal(job_string(job, "domain.file"), "1e3x");       // begins like a number
}

// A job is the same, whether the file or the command line sets a key.
TEST(the_hash_is_that_of_the_file)
{
    const char *const settings[][2] = {{"physics.manning_n", "3.0e-2"}, {"physics.wall_depth", "20 m"}};
    struct job *set = set_job(settings, COUNT(settings));
    struct job *written =
        check_job(JOB_BASE ",'physics':{'manning_n':0.03,'coriolis':false,'wall_depth':'20 m'}}");
    struct job *other = check_job(JOB_BASE ",'physics':{'manning_n':0.03,'coriolis':false}}");
    assert_true(job_hash(set) == job_hash(written));
    assert_true(job_hash(set) != job_hash(other));
}

TEST(a_whole_object_can_be_replaced_and_changed_again)
{
    const char *const settings[][2] = {
        {"physics.wall_depth", "5 m"}, {"physics", "{'manning_n': 0.5}"}, {"physics.ratio", "'3'"}};
    const cJSON *value;
    struct job *job = set_job(settings, COUNT(settings));
    assert_true(job_number(job, "physics.manning_n") == 0.5);
    assert_true(job_boolean(job, "physics.coriolis")); // the default: the file's went with its object
    assert_true(job_quantity(job, "physics.wall_depth") == 10);
    // What was replaced is not recorded any more.
    assert_string_equal(job_setting(job, 0, &value), "physics");
    assert_true(cJSON_GetObjectItemCaseSensitive(value, "manning_n")->valuedouble == 0.5);
    assert_string_equal(job_setting(job, 1, &value), "physics.ratio");
    assert_string_equal(value->valuestring, "3");
    assert_null(job_setting(job, 2, &value));
}

// null takes a key away, a block, or an entry of a map, and a block that is empty without it.
TEST(null_takes_a_key_away)
{
    const char *const settings[][2] = {{"physics.manning_n", "null"},
                                       {"output.gauges.file", "null"},
                                       {"source.units", "{'acsza1': 2.5, 'acsza2': 1}"},
                                       {"source.units.acsza1", "null"}};
    const cJSON *value;
    struct job *job = set_job(settings, COUNT(settings));
    assert_false(job_has(job, "physics.manning_n"));
    assert_false(job_has(job, "output.gauges"));
    assert_false(job_boolean(job, "physics.coriolis")); // the file's, beside it
    assert_int_equal(job_list_length(job, "source.units"), 1);
    assert_string_equal(job_setting(job, 0, &value), "physics.manning_n");
    assert_null(value);
    struct job *written =
        check_job(JOB_BASE ",'physics':{'coriolis':false},'source':{'units':{'acsza2':1}}}");
    assert_true(job_hash(job) == job_hash(written));
    const char *const block[][2] = {{"physics", "null"}};
    job = set_job(block, 1);
    assert_true(job_boolean(job, "physics.coriolis"));
    job = read_job(JOB_BASE "}");
    assert_ok(job_set_json(job, "physics.maning_n", "null"));
    assert_int_equal(job_check(job, job_tables, 2), STATUS_CONFIGURATION);
    assert_non_null(strstr(status_message(), "did you mean physics.manning_n"));
}

// ---- mistakes

static void expect_set_refused(const char *key, const char *value, const char *expected)
{
    struct job *job = read_job(JOB_BASE ",'physics':{'manning_n':0.01}}");
    status_clear();
    enum status status = set(job, key, value);
    if (status == STATUS_OK)
        status = job_check(job, job_tables, 2);
    assert_int_equal(status, STATUS_CONFIGURATION);
    expect_message(expected);
}

TEST(mistakes_say_that_they_came_from_the_command_line)
{
    expect_set_refused("physics.manning_n", "2",
                       "physics.manning_n (--set): 2 is out of range: 0 to 1 is expected");
    expect_set_refused("physics.maning_n", "0.1",
                       "physics.maning_n (--set): unknown key (did you mean physics.manning_n?)");
    expect_set_refused("physics", "{'maning_n': 0.1}",
                       "physics.maning_n (--set): unknown key (did you mean physics.manning_n?)");
    expect_set_refused(
        "physics.wall_depth", "20 s",
        "physics.wall_depth (--set): '20 s': s is a time, but a length in m, km or mm is expected");
    expect_set_refused("output.arrival", "['1 cm', '1']",
                       "output.arrival[1] (--set): 1 has no unit; write '1 m', '1 km' or '1 mm'");
    expect_set_refused("title", "2011",
                       "title (--set): a number is given; text in double quotes is expected");
    expect_set_refused("physics.manning_n.x", "1",
                       "physics.manning_n.x (--set): cannot be set, 'manning_n' is not an object");
    expect_set_refused("output", "{'maxima': true}",
                       "output.directory (--set): missing; it is required: folder for the results, created "
                       "if missing; a relative one starts where the command is given");
    expect_set_refused("fathom", "2", "fathom: this program reads version 1 of the job format, not 2");
}

// What no file may hold cannot come in by this way either.
TEST(values_are_as_strict_as_files)
{
    expect_set_refused("source.units", "{'a': 1, 'a': 2}",
                       "source.units.a: this key appears twice; once is expected; given with --set");
    expect_set_refused(
        "physics.manning_n", "1e999",
        "physics.manning_n: the number is too large (at most about 1.8e308); given with --set");
    expect_set_refused("title", "two\nlines",
                       "title: a line break or another control character in the text; given with --set");
    expect_set_refused("output.arrival", "['1 cm'", "output.arrival (--set): ['1 cm' is not valid JSON");
    expect_set_refused("source.units", "{a: 1}", "source.units (--set): {a: 1} is not valid JSON");
}

TEST(keys_that_cannot_be_are_refused)
{
    static const char *const keys[] = {"", ".", "a.", ".a", "a..b", "a[1]", "a b", "a=b"};
    char longest[400];
    for (size_t k = 0; k < COUNT(keys); k++)
        assert_non_null(job_key_mistake(keys[k]));
    memset(longest, 'a', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    assert_non_null(job_key_mistake(longest));
    assert_null(job_key_mistake("physics.manning_n"));
    struct job *job = read_job(JOB_BASE "}");
    assert_int_equal(job_set_json(job, "output.arrival[1]", "2 cm"), STATUS_CONFIGURATION);
    assert_string_equal(status_message(),
                        "--set output.arrival[1]: a key cannot name one entry of a list: set the whole list");
}

// --backend and its like win over --set, and are blamed for themselves.
TEST(a_later_way_to_set_a_key_counts)
{
    const cJSON *value;
    struct job *job = read_job(JOB_BASE "}");
    assert_ok(job_set_json(job, "backend", "cuda"));
    assert_ok(job_set_string(job, "backend", "openmp"));
    assert_null(job_setting(job, 0, &value));
    assert_ok(job_check(job, job_tables, 2));
    assert_string_equal(job_string(job, "backend"), "openmp");
}
