// Jobs: what is read, and what every mistake in the text of a file is answered with. Messages are compared
// whole: they are what a user works with.
#include "tests/support/test.h"

#include "io/path.h"
#include "io/units.h"
#include "tests/support/folder.h"
#include "tests/support/job_fixture.h"
#include "tests/support/statuses.h"

#include <cjson/cJSON.h>

TEST_SUITE(.setup = job_setup, .teardown = job_teardown, .end = units_release);

TEST(a_whole_job_is_read)
{
    struct job *job =
        check_job("\xEF\xBB\xBF" // byte order mark, as some editors write it
                  "{ \"fathom\": 1, \"model\": \"test\", \"title\": \"T\xC5\x8Dhoku \\\"2011\\\"\", "
                  "\"backend\": 'openmp',\r\n"
                  "'precision': 'double', 'domain': {'latitude': ['-60 degree', '62 deg']},\n"
                  "'physics': {'manning_n': 0.03, 'coriolis': false, 'ratio': 0.5},'source': {'units': "
                  "{'acsza1': 2.0, 'acszb1': 3}, 'faults': [{'any': null}]},\n"
                  "'time': {'duration': '24 h', 'step': '10 s'}, 'seed': -9007199254740991,\n"
                  "'output': {'directory': 'out', 'fields': {'every': '30 min', 'variables': ['u', 'v']},\n"
                  "'gauges': {'file': 'dart.json'}, 'arrival': []},\n"
                  "'memory': {'host': '2 GB', 'device': '512 MiB'}, 'checkpoint': {'every': '90 s'},'check': "
                  "{'reference_steps': 20}}\n");
    assert_string_equal(job_path(job), job_file);
    assert_string_equal(job_directory(job), folder_root());
    assert_string_equal(job_model(job), "test");
    assert_string_equal(job_string(job, "model"), "test");
    assert_string_equal(job_string(job, "title"), "T\xC5\x8Dhoku \"2011\"");
    assert_string_equal(job_string(job, "backend"), "openmp");
    assert_string_equal(job_string(job, "precision"), "double");
    assert_int_equal(job_list_length(job, "domain.latitude"), 2);
    assert_true(job_list_quantity(job, "domain.latitude", 0) == -60.0);
    assert_true(job_list_quantity(job, "domain.latitude", 1) == 62.0);
    assert_string_equal(job_list_string(job, "domain.latitude", 1), "62 deg");
    assert_true(job_number(job, "physics.manning_n") == 0.03);
    assert_false(job_boolean(job, "physics.coriolis"));
    assert_true(job_quantity(job, "physics.ratio") == 0.5);
    assert_int_equal(job_list_length(job, "source.units"), 2);
    assert_string_equal(job_map_name(job, "source.units", 1), "acszb1");
    assert_true(job_map_number(job, "source.units", 0) == 2.0);
    assert_true(job_map_number(job, "source.units", 1) == 3.0);
    assert_true(job_quantity(job, "time.duration") == 86400.0);
    assert_true(job_quantity(job, "time.step") == 10.0);
    assert_string_equal(job_string(job, "time.step"), "10 s");
    assert_true(job_integer(job, "seed") == -9007199254740991);
    assert_int_equal(job_list_length(job, "output.fields.variables"), 2);
    assert_string_equal(job_list_string(job, "output.fields.variables", 1), "v");
    assert_true(job_quantity(job, "output.fields.every") == 1800.0);
    assert_string_equal(job_string(job, "output.gauges.file"), "dart.json");
    assert_true(job_quantity(job, "output.gauges.every") == 60.0);
    assert_int_equal(job_list_length(job, "output.arrival"), 0);
    assert_true(job_has(job, "output.arrival"));
    assert_true(job_integer(job, "memory.host") == 2000000000);
    assert_true(job_integer(job, "memory.device") == 536870912);
    assert_true(job_quantity(job, "checkpoint.every") == 90.0);
    assert_int_equal(job_integer(job, "check.reference_steps"), 20);
    assert_true(job_number(job, "check.reference_steps") == 20.0);
    assert_true(cJSON_IsArray((const cJSON *)job_json(job, "source.faults")));
    assert_true(cJSON_IsObject((const cJSON *)job_json(job, "output.gauges")));
}

TEST(absent_keys_yield_defaults)
{
    struct job *job = check_job(JOB_BASE "}");
    assert_false(job_has(job, "backend"));
    assert_true(job_has(job, "time.duration"));
    assert_string_equal(job_string(job, "backend"), "auto");
    assert_string_equal(job_string(job, "precision"), "single");
    assert_null(job_string(job, "title"));
    assert_true(isnan(job_quantity(job, "time.step")));
    assert_string_equal(job_string(job, "time.step"), "auto");
    assert_true(job_quantity(job, "checkpoint.every") == 600.0);
    assert_true(isnan(job_quantity(job, "output.fields.every")));
    assert_true(job_boolean(job, "output.join"));
    assert_false(job_boolean(job, "output.compress"));
    assert_int_equal(job_integer(job, "output.fields.stride"), 1);
    assert_int_equal(job_integer(job, "checkpoint.every_steps"), 0);
    assert_int_equal(job_integer(job, "memory.host"), 0);
    assert_true(job_number(job, "physics.manning_n") == 0.025);
    assert_true(job_quantity(job, "physics.wall_depth") == 10.0);
    assert_true(isnan(job_quantity(job, "physics.ratio")));
    assert_int_equal(job_integer(job, "seed"), 7);
    assert_int_equal(job_list_length(job, "output.arrival"), 2);
    assert_true(job_list_quantity(job, "output.arrival", 0) == 0.01);
    assert_true(job_list_quantity(job, "output.arrival", 1) == 0.1);
    assert_int_equal(job_list_length(job, "output.fields.variables"), 1);
    assert_string_equal(job_list_string(job, "output.fields.variables", 0), "eta");
    assert_int_equal(job_list_length(job, "source.units"), 0);
    assert_null(job_json(job, "source.faults"));
    assert_false(job_has(job, "output.gauges"));
}

TEST(files_that_are_no_jobs)
{
    struct job *job = NULL;
    assert_int_equal(job_read("/nonexistent/job.json", &job), STATUS_NO_INPUT);
    assert_string_equal(status_message(),
                        "/nonexistent/job.json cannot be opened: No such file or directory");
    assert_failure(job_read(folder_root(), &job), STATUS_NO_INPUT, "is a folder; a job file is expected");
    // 100 MB, without writing them.
    status_clear();
    write_job_bytes("{", 1);
    assert_int_equal(truncate(job_file, 100000000), 0);
    assert_int_equal(job_read(job_file, &job), STATUS_CONFIGURATION);
    expect_message("100 MB is too large for a job (at most 16 MB); is it a data file?");
    // Without end, and without a size.
    status_clear();
    assert_int_equal(job_read("/dev/zero", &job), STATUS_CONFIGURATION);
    assert_string_equal(status_message(),
                        "/dev/zero: this file is too large for a job (at most 16 MB); is it a data file?");
#define NOT_UTF8(column)                                                                                     \
    "line 1, column " column ": this character is not UTF-8; save the file with that encoding"
    static const struct job_mistake unreadable[] = {
        {"", "the file is empty; a job is a JSON object { ... }"},
        {" \n\t", "the file is empty; a job is a JSON object { ... }"},
        {"[1]", "a job is a JSON object { ... }, not a list [...]"},
        {"1", "a job is a JSON object { ... }, not a number"},
        {"{'title': '\xE9t\xE9'}", NOT_UTF8("12")},
        {"{'a': '\xC0\x80'}", NOT_UTF8("8")},
        {"{'a': '\xED\xA0\x80'}", NOT_UTF8("8")},
        {"{'a': '\xE2\x82", NOT_UTF8("8")}};
    EXPECT_UNREADABLE(unreadable);
    expect_unreadable_bytes("{\0}", 3, "line 1, column 2: a control character; is this a text file?");
    expect_unreadable_bytes("\x89HDF\r\n\x1a\n", 8, NOT_UTF8("1"));
}

TEST(syntax_errors_have_a_place_and_a_reason)
{
#define NO_VALUE                                                                                             \
    "line 1, column 7: a value is expected: text in double quotes, a number, true, false, {...} or [...]"
#define SINGLE_QUOTES ": texts and keys take double quotes (\"), not single ones"
    static const struct job_mistake unreadable[] = {
        {"{'a': 1", "line 1, column 8: the file ends too early: a } or ] is missing"},
        {"{'a': [1, 2", "line 1, column 12: the file ends too early: a } or ] is missing"},
        {"{\n  'a': 1\n  'b': 2\n}", "line 3, column 3: a comma or a colon is missing before this"},
        {"{'a' 1}", "line 1, column 6: a comma or a colon is missing before this"},
        {"{'a': 1,\n}", "line 2, column 1: nothing follows the last comma: remove the comma"},
        {"{'a': [1, ]}", "line 1, column 11: nothing follows the last comma: remove the comma"},
        {"{'\xC5\x8D': x}", NO_VALUE},
        {"{'a': }", NO_VALUE},
        {"{a: 1}", "line 1, column 2: a key or value in double quotes is expected"},
        {"{'a': 1, b: 2}", "line 1, column 10: a key or value in double quotes is expected"},
        {"{'a': 1, // one\n 'b': 2}",
         "line 1, column 10: JSON has no comments; a key that begins with // is one: \"//\": \"text\""},
        {"{'a': NaN}", "line 1, column 7: NaN and Infinity are not numbers in JSON"},
        {"{'a': -Infinity}", "line 1, column 7: NaN and Infinity are not numbers in JSON"},
        {"{'a': True}", "line 1, column 7: JSON writes true, false and null, in lower case"},
        {"{'a': .5}", "line 1, column 7: a number starts with a digit or a minus sign"},
        {"{'a': +1}", "line 1, column 7: a number starts with a digit or a minus sign"},
        {"{'a': 'x\\q'}",
         "line 1, column 9: unknown escape: after a backslash comes one of ' \\ / b f n r t or uXXXX"},
        {"{'a': 'x\n', 'b': 1}", "line 1, column 7: this text has no closing ' on its line"},
        {"{'a': 'x", "line 1, column 7: this text has no closing '"},
        {"{'a': 'x\ty'}", "line 1, column 9: a control character (a tab?) in a text"},
        {"{'a': 'x\\u0000y'}", "line 1, column 9: a text cannot hold the character \\u0000"},
        {"{'a': 1}}", "line 1, column 9: this bracket closes nothing, or the wrong one"},
        {"{'a': [1}", "line 1, column 9: this bracket closes nothing, or the wrong one"},
        {"{'a': 1} x", "line 1, column 10: a comma or a colon is missing before this"}};
    EXPECT_UNREADABLE(unreadable);
    expect_unreadable_bytes("{'a': 1}", 8, "line 1, column 2" SINGLE_QUOTES);
    expect_unreadable_bytes("{\"a\": 'x'}", 10, "line 1, column 7" SINGLE_QUOTES);
    static const char *const numbers[] = {"00.5", "-01",  "1.",    "1.e5", "-1.",
                                          "0x1",  "1e5x", "1e+5.", "0X1p3"};
    for (size_t k = 0; k < COUNT(numbers); k++)
        expect_unreadable(format_text("{'00.5': '1.',\n 'a': [1, %s]}", numbers[k]),
                          "line 2, column 11: JSON writes a number as 0.5, -12 or 1e-3: no zero before other "
                          "digits, digits on both sides of the point, decimal only");
}

TEST(nesting_is_bounded)
{
    enum { DEPTH = 100000 };
    char *text = owned_zeros(DEPTH + 8, 1);
    memcpy(text, "{\"a\": ", 6);
    memset(text + 6, '[', DEPTH);
    expect_unreadable_bytes(text, DEPTH + 6,
                            "line 1, column 1006: brackets are nested too deeply (at most 1000 levels)");
}

TEST(documents_without_ambiguity)
{
    static const struct job_mistake unreadable[] = {
        {"{'a': 1, 'a': 1}", "a: this key appears twice; once is expected"},
        {"{'time': {'step': 1, 'x': 2, 'step': 1}}", "time.step: this key appears twice; once is expected"},
        {"{'a': [0, {'b': 1, '\\u0062': 1}]}", "a[1].b: this key appears twice; once is expected"},
        {"{'a': {'b': 1e400}}", "a.b: the number is too large (at most about 1.8e308)"},
        {"{'a': [1, -1e400]}", "a[1]: the number is too large (at most about 1.8e308)"},
        {"{'a': 'x\\ny'}", "a: a line break or another control character in the text"},
        {"{'model': 'x'}", "fathom: missing; write 'fathom': 1, the version of the job format"},
        {"{'fathom': 2}", "fathom: this program reads version 1 of the job format, not 2"},
        {"{'fathom': 1.5}", "fathom: this program reads version 1 of the job format, not 1.5"},
        {"{'fathom': '1'}", "fathom: text is given; the number 1 is expected, the version of the job format"},
    };
    EXPECT_UNREADABLE(unreadable);
    struct job *job = read_job("{'fathom': 1, 'A': 1, 'a': {'A': 1, 'a': [1, 1]}}"); // all different
    assert_null(job_model(job));
    job = read_job("{'fathom': 1, 'model': 5}");
    assert_null(job_model(job));
}

TEST(many_keys_are_checked_quickly)
{
    enum { KEYS = 200000 };
    char *text = owned_zeros(KEYS * 16 + 64, 1);
    size_t length = (size_t)sprintf(text, JOB_BASE ",'source':{'units':{");
    for (int k = 0; k < KEYS; k++)
        length += (size_t)sprintf(text + length, "'k%d':%d,", (k * 7919) % KEYS, k);
    sprintf(text + length, "'k123':0}}}");
    expect_unreadable(text, "source.units.k123: this key appears twice; once is expected");
}

TEST(directories_of_jobs)
{
    char before[PATH_BYTES];
    write_job_bytes("{\"fathom\":1}", 12);
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(folder_root()), 0);
    struct job *job = NULL;
    enum status status = job_read("job.json", &job);
    assert_int_equal(chdir(before), 0);
    assert_ok(status);
    assert_string_equal(job_directory(job), ".");
    assert_string_equal(job_path(job), "job.json");
    job_free(job);
    job_free(NULL);
}

// Answered as a file of that name and text is.
TEST(jobs_without_a_file)
{
    char text[] = JOB_BASE "}";
    struct job *job, *read = read_job(text);
    assert_ok(job_parse("bench test", folder_double_quotes(text), &job));
    own_job(job);
    assert_ok(job_check(job, job_tables, 2));
    assert_string_equal(job_path(job), "bench test");
    assert_string_equal(job_directory(job), ".");
    assert_true(job_quantity(job, "time.duration") == 86400.0);
    assert_true(job_hash(job) == job_hash(read));
    static const char *const wrong[][2] = {
        {"{\"fathom\":2}", "fathom: this program reads version 1 of the job format, not 2"},
        {"{\"fathom\":1,\"fathom\":1}", "fathom: this key appears twice; once is expected"},
        {"[1]", "a job is a JSON object { ... }, not a list [...]"},
        {"", "the file is empty; a job is a JSON object { ... }"}};
    for (size_t k = 0; k < COUNT(wrong); k++) {
        const char *message = format_text("bench test: %s", wrong[k][1]);
        assert_int_equal(job_parse("bench test", wrong[k][0], &job), STATUS_CONFIGURATION);
        assert_null(job);
        assert_string_equal(status_message(), message);
        status_clear();
    }
}
