// Jobs: what is read, what every mistake is answered with, the getters, the identity of a job, the printed
// tables. Messages are compared whole: they are what a user works with.
#include "io/job.h"
#include "io/path.h"
#include "io/units.h"

#include <ftw.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

// The least that a job must hold, without the closing bracket.
#define BASE                                                                                                 \
    "{\"fathom\":1,\"model\":\"test\",\"time\":{\"duration\":\"24 h\"},\"output\":{\"directory\":\"out\"}"

static char root[64];
static char job_file[80];

static const struct job_key model_keys[] = {
    {.path = "domain.latitude",
     .type = JOB_QUANTITY_LIST,
     .unit = "degree",
     .minimum = -90,
     .maximum = 90,
     .help = "south, north"},
    {.path = "domain.file", .type = JOB_STRING, .help = "depths"},
    {.path = "physics.manning_n",
     .type = JOB_NUMBER,
     .default_value = "0.025",
     .minimum = 0,
     .maximum = 1,
     .help = "friction"},
    {.path = "physics.coriolis", .type = JOB_BOOLEAN, .default_value = "true", .help = "rotation"},
    {.path = "physics.wall_depth",
     .type = JOB_QUANTITY,
     .unit = "m",
     .default_value = "10 m",
     .help = "wall"},
    {.path = "physics.ratio", .type = JOB_QUANTITY, .unit = "1", .help = "ratio"},
    {.path = "source.units", .type = JOB_NUMBER_MAP, .help = "unit sources"},
    {.path = "source.faults", .type = JOB_ANY, .help = "faults | file or list"},
    {.path = "output.maxima", .type = JOB_BOOLEAN, .default_value = "false", .help = "maxima"},
    {.path = "output.arrival",
     .type = JOB_QUANTITY_LIST,
     .unit = "m",
     .default_value = "[\"1 cm\", \"10 cm\"]",
     .help = "arrival"},
    {.path = "output.fields.variables",
     .type = JOB_STRING_LIST,
     .default_value = "[\"eta\"]",
     .choices = "eta|u|v",
     .help = "fields of this model"},
    {.path = "output.gauges", .type = JOB_OBJECT, .help = "gauges"},
    {.path = "output.gauges.file", .type = JOB_STRING, .required = true, .help = "list of gauges"},
    {.path = "output.gauges.every",
     .type = JOB_QUANTITY,
     .unit = "s",
     .default_value = "1 min",
     .help = "interval"},
    {.path = "seed", .type = JOB_INTEGER, .default_value = "7", .help = "seed"},
    {.path = "level", .type = JOB_INTEGER, .minimum = 1, .maximum = 8, .help = "level"},
};

static struct job_key_table tables[2];

static int set_up(void **state)
{
    (void)state;
    tables[0] = job_shared_keys;
    tables[1] = (struct job_key_table){model_keys, COUNT(model_keys)};
    status_clear();
    snprintf(root, sizeof root, "%s", "/tmp/fathom-job-XXXXXX");
    if (mkdtemp(root) == NULL)
        return -1;
    snprintf(job_file, sizeof job_file, "%s/job.json", root);
    return 0;
}

static int remove_one(const char *path, const struct stat *information, int type, struct FTW *position)
{
    (void)information;
    (void)type;
    (void)position;
    return remove(path);
}

static int tear_down(void **state)
{
    (void)state;
    return nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void write_job_bytes(const char *text, size_t length)
{
    FILE *file = fopen(job_file, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static struct job *read_job(const char *text)
{
    struct job *job = NULL;
    status_clear();
    write_job_bytes(text, strlen(text));
    if (job_read(job_file, &job) != STATUS_OK)
        fail_msg("%s: %s", text, status_message());
    return job;
}

static struct job *check_job(const char *text)
{
    struct job *job = read_job(text);
    if (job_check(job, tables, 2) != STATUS_OK)
        fail_msg("%s: %s", text, status_message());
    return job;
}

// The message must be the job's path, ": ", and `expected`.
static void expect_message(const char *expected)
{
    size_t length = strlen(job_file);
    assert_int_equal(strncmp(status_message(), job_file, length), 0);
    assert_int_equal(strncmp(status_message() + length, ": ", 2), 0);
    assert_string_equal(status_message() + length + 2, expected);
    assert_null(strchr(status_message(), '\n'));
}

static void expect_unreadable_bytes(const char *text, size_t length, const char *expected)
{
    struct job *job = (struct job *)root;
    status_clear();
    write_job_bytes(text, length);
    assert_int_equal(job_read(job_file, &job), STATUS_CONFIGURATION);
    assert_null(job);
    expect_message(expected);
}

static void expect_unreadable(const char *text, const char *expected)
{
    expect_unreadable_bytes(text, strlen(text), expected);
}

static void expect_refused(const char *text, const char *expected)
{
    struct job *job = read_job(text);
    assert_int_equal(job_check(job, tables, 2), STATUS_CONFIGURATION);
    expect_message(expected);
    job_free(job);
}

// ---- reading
// -----------------------------------------------------------------------------------------------------

static void a_whole_job_is_read(void **state)
{
    (void)state;
    struct job *job = check_job(
        "\xEF\xBB\xBF" // byte order mark, as some editors write it
        "{ \"fathom\": 1, \"model\": \"test\", \"title\": \"T\xC5\x8Dhoku \\\"2011\\\"\", \"backend\": "
        "\"openmp\",\r\n"
        "\"precision\": \"double\", \"domain\": {\"latitude\": [\"-60 degree\", \"62 deg\"]},\n"
        "\"physics\": {\"manning_n\": 0.03, \"coriolis\": false, \"ratio\": 0.5},"
        "\"source\": {\"units\": {\"acsza1\": 2.0, \"acszb1\": 3}, \"faults\": [{\"any\": null}]},\n"
        "\"time\": {\"duration\": \"24 h\", \"step\": \"10 s\"}, \"seed\": -9007199254740991,\n"
        "\"output\": {\"directory\": \"out\", \"fields\": {\"every\": \"30 min\", \"variables\": [\"u\", "
        "\"v\"]},\n"
        "\"gauges\": {\"file\": \"dart.json\"}, \"arrival\": []},\n"
        "\"memory\": {\"host\": \"2 GB\", \"device\": \"512 MiB\"}, \"checkpoint\": {\"every\": \"90 s\"},"
        "\"check\": {\"reference_steps\": 20}}\n");
    assert_string_equal(job_path(job), job_file);
    assert_string_equal(job_directory(job), root);
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
    job_free(job);
}

static void absent_keys_yield_defaults(void **state)
{
    (void)state;
    struct job *job = check_job(BASE "}");
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
    job_free(job);
}

static void files_that_are_no_jobs(void **state)
{
    (void)state;
    struct job *job = NULL;
    assert_int_equal(job_read("/nonexistent/job.json", &job), STATUS_NO_INPUT);
    assert_string_equal(status_message(),
                        "/nonexistent/job.json cannot be opened: No such file or directory");
    status_clear();
    assert_int_equal(job_read(root, &job), STATUS_NO_INPUT);
    assert_non_null(strstr(status_message(), "is a folder; a job file is expected"));
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
    expect_unreadable("", "the file is empty; a job is a JSON object { ... }");
    expect_unreadable(" \n\t", "the file is empty; a job is a JSON object { ... }");
    expect_unreadable("[1]", "a job is a JSON object { ... }, not a list [...]");
    expect_unreadable("1", "a job is a JSON object { ... }, not a number");
    expect_unreadable_bytes("{\0}", 3, "line 1, column 2: a control character; is this a text file?");
    expect_unreadable_bytes(
        "\x89HDF\r\n\x1a\n", 8,
        "line 1, column 1: this character is not UTF-8; save the file with that encoding");
    expect_unreadable("{\"title\": \"\xE9t\xE9\"}",
                      "line 1, column 12: this character is not UTF-8; save the file with that encoding");
    expect_unreadable("{\"a\": \"\xC0\x80\"}",
                      "line 1, column 8: this character is not UTF-8; save the file with that encoding");
    expect_unreadable("{\"a\": \"\xED\xA0\x80\"}",
                      "line 1, column 8: this character is not UTF-8; save the file with that encoding");
    expect_unreadable("{\"a\": \"\xE2\x82",
                      "line 1, column 8: this character is not UTF-8; save the file with that encoding");
}

static void syntax_errors_have_a_place_and_a_reason(void **state)
{
    (void)state;
    expect_unreadable("{\"a\": 1", "line 1, column 8: the file ends too early: a } or ] is missing");
    expect_unreadable("{\"a\": [1, 2", "line 1, column 12: the file ends too early: a } or ] is missing");
    expect_unreadable("{\n  \"a\": 1\n  \"b\": 2\n}",
                      "line 3, column 3: a comma or a colon is missing before this");
    expect_unreadable("{\"a\" 1}", "line 1, column 6: a comma or a colon is missing before this");
    expect_unreadable("{\"a\": 1,\n}", "line 2, column 1: nothing follows the last comma: remove the comma");
    expect_unreadable("{\"a\": [1, ]}",
                      "line 1, column 11: nothing follows the last comma: remove the comma");
    expect_unreadable("{\"\xC5\x8D\": x}", "line 1, column 7: a value is expected: text in double quotes, a "
                                           "number, true, false, {...} or [...]");
    expect_unreadable("{\"a\": }", "line 1, column 7: a value is expected: text in double quotes, a number, "
                                   "true, false, {...} or [...]");
    expect_unreadable("{a: 1}", "line 1, column 2: a key or value in double quotes is expected");
    expect_unreadable("{\"a\": 1, b: 2}", "line 1, column 10: a key or value in double quotes is expected");
    expect_unreadable("{'a': 1}",
                      "line 1, column 2: texts and keys take double quotes (\"), not single ones");
    expect_unreadable("{\"a\": 'x'}",
                      "line 1, column 7: texts and keys take double quotes (\"), not single ones");
    expect_unreadable("{\"a\": 1, // one\n \"b\": 2}", "line 1, column 10: JSON has no comments");
    expect_unreadable("{\"a\": NaN}", "line 1, column 7: NaN and Infinity are not numbers in JSON");
    expect_unreadable("{\"a\": -Infinity}", "line 1, column 7: NaN and Infinity are not numbers in JSON");
    expect_unreadable("{\"a\": True}", "line 1, column 7: JSON writes true, false and null, in lower case");
    expect_unreadable("{\"a\": .5}", "line 1, column 7: a number starts with a digit or a minus sign");
    expect_unreadable(
        "{\"a\": \"x\\q\"}",
        "line 1, column 9: unknown escape: after a backslash comes one of \" \\ / b f n r t or uXXXX");
    expect_unreadable("{\"a\": \"x\n\", \"b\": 1}",
                      "line 1, column 7: this text has no closing \" on its line");
    expect_unreadable("{\"a\": \"x", "line 1, column 7: this text has no closing \"");
    expect_unreadable("{\"a\": \"x\ty\"}", "line 1, column 9: a control character (a tab?) in a text");
    expect_unreadable("{\"a\": \"x\\u0000y\"}", "line 1, column 9: a text cannot hold the character \\u0000");
    expect_unreadable("{\"a\": 1}}", "line 1, column 9: this bracket closes nothing, or the wrong one");
    expect_unreadable("{\"a\": [1}", "line 1, column 9: this bracket closes nothing, or the wrong one");
    expect_unreadable("{\"a\": 1} x", "line 1, column 10: a comma or a colon is missing before this");
}

static void nesting_is_bounded(void **state)
{
    (void)state;
    enum { DEPTH = 100000 };
    char *text = malloc(DEPTH + 8);
    assert_non_null(text);
    memcpy(text, "{\"a\": ", 6);
    memset(text + 6, '[', DEPTH);
    expect_unreadable_bytes(text, DEPTH + 6,
                            "line 1, column 1006: brackets are nested too deeply (at most 1000 levels)");
    free(text);
}

static void documents_without_ambiguity(void **state)
{
    (void)state;
    expect_unreadable("{\"a\": 1, \"a\": 1}", "a: this key appears twice; once is expected");
    expect_unreadable("{\"time\": {\"step\": 1, \"x\": 2, \"step\": 1}}",
                      "time.step: this key appears twice; once is expected");
    expect_unreadable("{\"a\": [0, {\"b\": 1, \"\\u0062\": 1}]}",
                      "a[1].b: this key appears twice; once is expected");
    expect_unreadable("{\"a\": {\"b\": 1e400}}", "a.b: the number is too large (at most about 1.8e308)");
    expect_unreadable("{\"a\": [1, -1e400]}", "a[1]: the number is too large (at most about 1.8e308)");
    expect_unreadable("{\"a\": \"x\\ny\"}", "a: a line break or another control character in the text");
    expect_unreadable("{\"model\": \"x\"}",
                      "fathom: missing; write \"fathom\": 1, the version of the job format");
    expect_unreadable("{\"fathom\": 2}", "fathom: this program reads version 1 of the job format, not 2");
    expect_unreadable("{\"fathom\": 1.5}", "fathom: this program reads version 1 of the job format, not 1.5");
    expect_unreadable("{\"fathom\": \"1\"}",
                      "fathom: text is given; the number 1 is expected, the version of the job format");
    struct job *job =
        read_job("{\"fathom\": 1, \"A\": 1, \"a\": {\"A\": 1, \"a\": [1, 1]}}"); // all different
    assert_null(job_model(job));
    job_free(job);
    job = read_job("{\"fathom\": 1, \"model\": 5}");
    assert_null(job_model(job));
    job_free(job);
}

static void many_keys_are_checked_quickly(void **state)
{
    (void)state;
    enum { KEYS = 200000 };
    char *text = malloc(KEYS * 16 + 64);
    assert_non_null(text);
    size_t length = (size_t)sprintf(text, BASE ",\"source\":{\"units\":{");
    for (int k = 0; k < KEYS; k++)
        length += (size_t)sprintf(text + length, "\"k%d\":%d,", (k * 7919) % KEYS, k);
    sprintf(text + length, "\"k123\":0}}}");
    expect_unreadable(text, "source.units.k123: this key appears twice; once is expected");
    free(text);
}

// ---- checking
// ----------------------------------------------------------------------------------------------------

static void unknown_keys_get_a_suggestion(void **state)
{
    (void)state;
    expect_refused(BASE ",\"tiem\":{}}", "tiem: unknown key (did you mean time?)");
    expect_refused("{\"fathom\":1,\"time\":{\"duratoin\":\"24 h\"}}",
                   "time.duratoin: unknown key (did you mean time.duration?)");
    expect_refused(BASE ",\"Seed\":1}", "Seed: unknown key (did you mean seed?)");
    expect_refused(BASE ",\"checkpoint\":{\"evrey\":\"1 h\"}}",
                   "checkpoint.evrey: unknown key (did you mean checkpoint.every?)");
    // at the wrong level
    expect_refused(BASE ",\"manning_n\":0.1}", "manning_n: unknown key (did you mean physics.manning_n?)");
    expect_refused(BASE ",\"physics\":{\"latitude\":[]}}",
                   "physics.latitude: unknown key (did you mean domain.latitude?)");
    // nothing near
    expect_refused(BASE ",\"memory\":{\"zzzzzzzz\":1}}",
                   "memory.zzzzzzzz: unknown key (known here: host, device)");
    expect_refused(BASE ",\"time.step\":\"1 s\"}", "top level: unknown key \"time.step\" (keys do not "
                                                   "contain points: nest them, {\"time\": {\"step\": ...}})");
    expect_refused(BASE ",\"physics\":{\"\":1}}", "physics: a key without a name");
    char text[1400] = BASE ",\"";
    size_t length = strlen(text);
    memset(text + length, 'k', 1000);
    strcpy(text + length + 1000, "\":1}");
    struct job *job = read_job(text);
    assert_int_equal(job_check(job, tables, 2), STATUS_CONFIGURATION);
    assert_non_null(strstr(status_message(), "kkk...: unknown key"));
    job_free(job);
}

static void wrong_types_name_both(void **state)
{
    (void)state;
    expect_refused(BASE ",\"title\":5}", "title: a number is given; text in double quotes is expected");
    expect_refused(BASE ",\"title\":null}", "title: null is given; text in double quotes is expected");
    expect_refused(BASE ",\"backend\":true}",
                   "backend: true or false is given; text in double quotes is expected");
    expect_refused(BASE ",\"physics\":{\"coriolis\":1}}",
                   "physics.coriolis: a number is given; true or false is expected");
    expect_refused(BASE ",\"physics\":{\"coriolis\":\"true\"}}",
                   "physics.coriolis: text is given; true or false, without quotes, is expected");
    expect_refused(BASE ",\"physics\":{\"manning_n\":\"0.03\"}}",
                   "physics.manning_n: text is given; a number is expected: write 0.03 without quotes");
    expect_refused(BASE ",\"physics\":{\"manning_n\":\"rough\"}}",
                   "physics.manning_n: text is given; a number is expected");
    expect_refused(BASE ",\"physics\":{\"wall_depth\":[\"1 m\"]}}",
                   "physics.wall_depth: a list [...] is given; text with a number and a unit is expected");
    expect_refused(BASE ",\"physics\":5}",
                   "physics: a number is given; an object {...} is expected, with the keys "
                   "manning_n, coriolis, wall_depth, ratio");
    expect_refused("{\"fathom\":1,\"output\":{\"gauges\":\"dart.json\"}}",
                   "output.gauges: text is given; an object {...} is expected");
    expect_refused("{\"fathom\":1,\"output\":{\"fields\":{\"variables\":\"eta\"}}}",
                   "output.fields.variables: text is given; a list of texts, in [...], is expected");
    expect_refused("{\"fathom\":1,\"output\":{\"fields\":{\"variables\":[\"eta\",5]}}}",
                   "output.fields.variables[1]: a number is given; text in double quotes is expected");
    expect_refused(
        BASE ",\"domain\":{\"latitude\":{}}}",
        "domain.latitude: an object {...} is given; a list of texts, as in [\"one\", \"two\"], is expected");
    expect_refused(BASE ",\"source\":{\"units\":[1]}}",
                   "source.units: a list [...] is given; an object of names and "
                   "numbers, as in {\"name\": 1.5}, is expected");
    expect_refused(BASE ",\"source\":{\"units\":{\"acsza1\":2,\"acszb1\":\"3 m\"}}}",
                   "source.units.acszb1: text is given; a number is expected");
}

static void quantities_are_checked(void **state)
{
    (void)state;
#define DURATION(value) "{\"fathom\":1,\"time\":{\"duration\":" value "}}"
    expect_refused(DURATION("24"), "time.duration: 24 has no unit; write \"24 s\", \"24 min\" or \"24 h\"");
    expect_refused(DURATION("0.1"),
                   "time.duration: 0.1 has no unit; write \"0.1 s\", \"0.1 min\" or \"0.1 h\"");
    expect_refused(DURATION("\"24\""),
                   "time.duration: 24 has no unit; write \"24 s\", \"24 min\" or \"24 h\"");
    expect_refused(DURATION("\"24 m\""),
                   "time.duration: \"24 m\": m is a length, but a time in s, min or h is expected");
    expect_refused(DURATION("\"24 huors\""),
                   "time.duration: \"24 huors\": unknown unit huors (did you mean hours?)");
    expect_refused(DURATION("\"0 s\""), "time.duration: 0 s is out of range: more than 0 s is expected");
    expect_refused(DURATION("\"-1 h\""), "time.duration: -1 h is out of range: more than 0 s is expected");
    expect_refused(DURATION("\"auto\""),
                   "time.duration: \"auto\" does not begin with a number; write a number and a "
                   "unit, as in \"24 h\"");
    expect_refused(BASE ",\"domain\":{\"latitude\":[\"-60 degree\",\"91 degree\"]}}",
                   "domain.latitude[1]: 91 degree is out of range: -90 to 90 degree is expected");
    expect_refused(BASE ",\"domain\":{\"latitude\":[-60]}}",
                   "domain.latitude[0]: -60 has no unit; write \"-60 degree\", "
                   "\"-60 arcmin\" or \"-60 arcsec\"");
    expect_refused("{\"fathom\":1,\"time\":{\"step\":\"atuo\"}}",
                   "time.step: \"atuo\" is not a quantity with a unit nor one of: auto (did you mean auto?)");
    expect_refused(BASE ",\"physics\":{\"ratio\":\"5 m\"}}",
                   "physics.ratio: \"5 m\": m is a length, but a number without unit is expected");
}

static void numbers_and_choices_are_checked(void **state)
{
    (void)state;
    expect_refused(BASE ",\"seed\":1.5}", "seed: 1.5 is given; a whole number is expected");
    expect_refused(BASE ",\"seed\":9007199254740993}",
                   "seed: 9007199254740992 is too large: whole numbers are exact up "
                   "to 9007199254740991 (2^53 - 1) only");
    expect_refused(BASE ",\"level\":9}", "level: 9 is out of range: 1 to 8 is expected");
    expect_refused(BASE ",\"level\":0}", "level: 0 is out of range: 1 to 8 is expected");
    expect_refused(BASE ",\"check\":{\"reference_steps\":-1}}",
                   "check.reference_steps: -1 is out of range: at least 0 is expected");
    expect_refused(BASE ",\"physics\":{\"manning_n\":-0.1}}",
                   "physics.manning_n: -0.1 is out of range: 0 to 1 is expected");
    expect_refused(BASE ",\"backend\":\"opnmp\"}",
                   "backend: \"opnmp\" is not one of: auto, reference, openmp, cuda (did you mean openmp?)");
    expect_refused(BASE ",\"backend\":\"opencl-gpu\"}",
                   "backend: \"opencl-gpu\" is not one of: auto, reference, openmp, cuda");
    expect_refused("{\"fathom\":1,\"output\":{\"fields\":{\"variables\":[\"eta\",\"w\"]}}}",
                   "output.fields.variables[1]: \"w\" is not one of: eta, u, v");
    struct job *job = check_job(BASE ",\"level\":8,\"seed\":1e3}");
    assert_int_equal(job_integer(job, "level"), 8);
    assert_int_equal(job_integer(job, "seed"), 1000);
    job_free(job);
}

static void amounts_of_memory(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t bytes;
    } good[] = {
        {"2 GB", 2000000000},        {"512 MiB", 536870912}, {"1.5 TB", 1500000000000}, {" 100 kB ", 100000},
        {"4GiB", 4294967296},        {"1000 B", 1000},       {"1e9 bytes", 1000000000}, {"3 KB", 3000},
        {"1 PiB", 1125899906842624}, {"0.1 kB", 100},
    };
    for (size_t k = 0; k < COUNT(good); k++) {
        char text[256];
        snprintf(text, sizeof text, BASE ",\"memory\":{\"host\":\"%s\"}}", good[k].text);
        struct job *job = check_job(text);
        assert_true(job_integer(job, "memory.host") == good[k].bytes);
        job_free(job);
    }
#define HOST(value) BASE ",\"memory\":{\"host\":" value "}}"
    expect_refused(HOST("2"), "memory.host: 2 has no unit; write for instance \"2 GB\" or \"512 MiB\"");
    expect_refused(HOST("\"2\""), "memory.host: 2 has no unit; write for instance \"2 GB\" or \"512 MiB\"");
    expect_refused(HOST("\"2 Gb\""), "memory.host: unknown unit of memory Gb (did you mean GB?)");
    expect_refused(
        HOST("\"2 m\""),
        "memory.host: unknown unit of memory m; kB, MB, GB, TB or KiB, MiB, GiB, TiB are expected");
    expect_refused(
        HOST("\"-2 GB\""),
        "memory.host: \"-2 GB\" is not an amount of memory; write for instance \"2 GB\" or \"512 MiB\"");
    expect_refused(
        HOST("\"inf GB\""),
        "memory.host: \"inf GB\" is not an amount of memory; write for instance \"2 GB\" or \"512 MiB\"");
    expect_refused(HOST("\"0 GB\""), "memory.host: 0 GB is out of range: at least 1 byte is expected");
    expect_refused(HOST("\"100 PB\""), "memory.host: \"100 PB\" is too large: at most 9 PB are expected");
    expect_refused(HOST("true"),
                   "memory.host: true or false is given; text with a number and a unit, as in \"2 GB\" or "
                   "\"512 MiB\", is expected");
}

static void required_keys_are_required(void **state)
{
    (void)state;
    expect_refused("{\"fathom\":1}",
                   "model: missing; it is required: which simulation model to run, for example tsunami");
    expect_refused("{\"fathom\":1,\"model\":\"\"}", "model: the text is empty");
    expect_refused(
        "{\"fathom\":1,\"model\":\"test\",\"output\":{\"directory\":\"out\"}}",
        "time.duration: missing; it is required: model time from start to end, for example \"24 h\"");
    // only within a block that is there
    expect_refused("{\"fathom\":1,\"model\":\"test\",\"time\":{\"duration\":\"24 "
                   "h\"},\"output\":{\"directory\":\"out\",\"gauges\":{}}}",
                   "output.gauges.file: missing; it is required: list of gauges");
}

static void later_tables_replace_rows(void **state)
{
    (void)state;
    static const struct job_key narrow[] = {{.path = "backend",
                                             .type = JOB_CHOICE,
                                             .default_value = "reference",
                                             .choices = "reference",
                                             .help = "one"}};
    struct job_key_table three[] = {tables[0], tables[1], {narrow, 1}};
    struct job *job = read_job(BASE "}");
    assert_int_equal(job_check(job, three, 2), STATUS_OK);
    assert_string_equal(job_string(job, "backend"), "auto");
    assert_int_equal(job_check(job, three, 3), STATUS_OK); // again, with other tables
    assert_string_equal(job_string(job, "backend"), "reference");
    job_free(job);
    job = read_job(BASE ",\"backend\":\"cuda\"}");
    assert_int_equal(job_check(job, three, 3), STATUS_CONFIGURATION);
    expect_message("backend: \"cuda\" is not one of: reference");
    job_free(job);
}

static void mistakes_in_tables_are_found(void **state)
{
    (void)state;
    static const struct job_key bad[] = {
        {.path = "a", .type = JOB_QUANTITY},
        {.path = "a", .type = JOB_CHOICE},
        {.path = "a", .type = JOB_INTEGER, .minimum = 1},
        {.path = "a", .type = JOB_INTEGER, .default_value = "x"},
        {.path = "a", .type = JOB_INTEGER, .default_value = "0", .minimum = 1, .maximum = 2},
        {.path = "a", .type = JOB_QUANTITY, .unit = "s", .default_value = "5 m"},
        {.path = "", .type = JOB_ANY},
    };
    for (size_t k = 0; k < COUNT(bad); k++) {
        struct job_key_table table = {&bad[k], 1};
        struct job *job = read_job("{\"fathom\":1}");
        assert_int_equal(job_check(job, &table, 1), STATUS_SOFTWARE);
        assert_non_null(strstr(status_message(), "table of job keys"));
        job_free(job);
    }
}

static void owners_can_fail_a_key(void **state)
{
    (void)state;
    struct job *job = check_job(BASE "}");
    assert_int_equal(job_fail(job, "domain.latitude", "%d values given, 2 are expected", 3),
                     STATUS_CONFIGURATION);
    expect_message("domain.latitude: 3 values given, 2 are expected");
    job_free(job);
}

static void directories_of_jobs(void **state)
{
    (void)state;
    char before[PATH_BYTES];
    write_job_bytes("{\"fathom\":1}", 12);
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(root), 0);
    struct job *job = NULL;
    enum status status = job_read("job.json", &job);
    assert_int_equal(chdir(before), 0);
    assert_int_equal(status, STATUS_OK);
    assert_string_equal(job_directory(job), ".");
    assert_string_equal(job_path(job), "job.json");
    job_free(job);
    job_free(NULL);
}

// ---- identity
// ----------------------------------------------------------------------------------------------------

static uint64_t hash_of(const char *text)
{
    struct job *job = read_job(text);
    uint64_t hash = job_hash(job);
    job_free(job);
    return hash;
}

static void the_hash_is_that_of_the_canonical_form(void **state)
{
    (void)state;
    const char canonical[] =
        "{\"a\":[1,-0.5,true,false,null,{\"title\":1,\"z\":0}],\"b\\\"\\\\\":\"\xC5\x8D\\\\\","
        "\"fathom\":1,\"n\":0.10000000000000001,\"output\":{\"fields\":{\"directory\":1}}}";
    uint64_t expected = XXH3_64bits(canonical, sizeof canonical - 1);
    assert_true(
        hash_of("{ \"title\": \"x\", \"n\": 1e-1, \"output\": {\"directory\": \"d\", \"fields\": "
                "{\"directory\": 1.0}},\n"
                "\"fathom\": 1.0, \"b\\\"\\\\\": \"\\u014d\\\\\", \"checkpoint\": {\"every\": \"1 h\"},"
                "\"a\": [1, -5e-1, true, false, null, {\"z\": -0, \"title\": 1}], \"memory\": 5, \"check\": "
                "[]}") == expected);
}

static void the_hash_changes_with_what_decides_numbers(void **state)
{
    (void)state;
    uint64_t base = hash_of(BASE "}");
    static const char *const same[] = {
        BASE ",\"title\":\"other\"}",
        BASE ",\"memory\":{\"host\":\"1 GB\"}}",
        BASE ",\"checkpoint\":{\"every\":\"1 h\"}}",
        BASE ",\"check\":{\"reference_steps\":3}}",
        "{\"output\":{\"directory\":\"elsewhere\"},\"time\":{\"duration\":\"24 "
        "h\"},\"model\":\"test\",\"fathom\":1}",
    };
    static const char *const different[] = {
        BASE ",\"backend\":\"openmp\"}",
        BASE ",\"precision\":\"double\"}",
        BASE ",\"seed\":1}",
        BASE ",\"seed\":2}",
        BASE ",\"seed\":\"1\"}",
        BASE ",\"seed\":[1]}",
        BASE ",\"physics\":{\"title\":\"x\"}}",
        BASE ",\"output.directory\":\"x\"}",
        "{\"fathom\":1,\"model\":\"test\",\"time\":{\"duration\":\"25 "
        "h\"},\"output\":{\"directory\":\"out\"}}",
        "{\"fathom\":1,\"model\":\"test\",\"time\":{\"duration\":\"24 "
        "h\"},\"output\":{\"directory\":\"out\",\"maxima\":true}}",
    };
    for (size_t k = 0; k < COUNT(same); k++)
        assert_true(hash_of(same[k]) == base);
    for (size_t k = 0; k < COUNT(different); k++) {
        assert_true(hash_of(different[k]) != base);
        for (size_t j = 0; j < k; j++)
            assert_true(hash_of(different[k]) != hash_of(different[j]));
    }
}

// ---- explaining
// --------------------------------------------------------------------------------------------------

static char *explain(enum job_explain_format format)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    job_explain(stream, tables, 2, format);
    assert_int_equal(ferror(stream), 0);
    assert_int_equal(fclose(stream), 0);
    return text;
}

static void tables_are_explained_as_text(void **state)
{
    (void)state;
    char *text = explain(JOB_EXPLAIN_TEXT);
    size_t lines = 0;
    const char *meaning = strstr(text, "meaning");
    assert_non_null(meaning);
    size_t column = (size_t)(meaning - text);
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"), lines++) {
        assert_true(strlen(line) > column);
        assert_int_equal(line[column - 1], ' '); // aligned
        assert_int_not_equal(line[column], ' ');
    }
    // one line a key, output.fields.variables being in both tables, and the heading
    assert_int_equal(lines, job_shared_keys.count + COUNT(model_keys) - 1 + 1);
    free(text);
    text = explain(JOB_EXPLAIN_TEXT);
    assert_non_null(strstr(text, "quantity in s, or auto"));
    assert_non_null(strstr(text, "single | double"));
    assert_non_null(strstr(text, "level (1 to 8)"));
    assert_non_null(strstr(text, "string list of eta | u | v"));
    assert_non_null(strstr(text, "required"));
    free(text);
}

static void tables_are_explained_as_json(void **state)
{
    (void)state;
    char *text = explain(JOB_EXPLAIN_JSON);
    cJSON *list = cJSON_ParseWithOpts(text, NULL, 0);
    assert_non_null(list);
    assert_int_equal(cJSON_GetArraySize(list), (int)(job_shared_keys.count + COUNT(model_keys) - 1));
    int found = 0;
    for (const cJSON *row = list->child; row != NULL; row = row->next) {
        const char *key = cJSON_GetStringValue(cJSON_GetObjectItem(row, "key"));
        assert_non_null(key);
        assert_non_null(cJSON_GetStringValue(cJSON_GetObjectItem(row, "type")));
        assert_true(cJSON_IsBool(cJSON_GetObjectItem(row, "required")));
        if (strcmp(key, "time.duration") == 0) {
            found++;
            assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(row, "unit")), "s");
            assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(row, "help")),
                                "model time from start to end, for example \"24 h\"");
            assert_true(cJSON_GetNumberValue(cJSON_GetObjectItem(row, "minimum")) == 1e-9);
            assert_null(cJSON_GetObjectItem(row, "maximum")); // open
        } else if (strcmp(key, "output.fields.variables") == 0) {
            found++;
            assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(row, "choices")), 3);
            assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(row, "default")), "[\"eta\"]");
        }
    }
    assert_int_equal(found, 2);
    cJSON_Delete(list);
    free(text);
}

static void tables_are_explained_as_markdown(void **state)
{
    (void)state;
    char *text = explain(JOB_EXPLAIN_MARKDOWN);
    assert_non_null(strstr(text, "| `source.faults` | any | - | faults \\| file or list |\n"));
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        int bars = 0;
        for (const char *c = line; *c != '\0'; c++)
            bars += *c == '|' && (c == line || c[-1] != '\\') ? 1 : 0;
        assert_int_equal(bars, 5);
    }
    free(text);
}

static void shared_keys_are_complete(void **state)
{
    (void)state;
    static const char *const paths[] = {
        "fathom",
        "model",
        "title",
        "backend",
        "precision",
        "time.duration",
        "time.step",
        "output.directory",
        "output.precision",
        "output.fields.every",
        "output.fields.variables",
        "output.fields.stride",
        "output.compress",
        "output.join",
        "output.diagnostics.every",
        "checkpoint.every",
        "checkpoint.every_steps",
        "memory.host",
        "memory.device",
        "check.reference_steps",
        "check.tolerance",
        "check.reference_file",
        "check.variables",
    };
    assert_int_equal(job_shared_keys.count, COUNT(paths));
    for (size_t k = 0; k < COUNT(paths); k++) {
        assert_string_equal(job_shared_keys.keys[k].path, paths[k]);
        assert_true(strlen(job_shared_keys.keys[k].help) > 20);
        assert_null(strchr(job_shared_keys.keys[k].help, '\n'));
    }
}

// ---- suggestions
// -------------------------------------------------------------------------------------------------

static void distances_are_known(void **state)
{
    (void)state;
    assert_int_equal(job_word_distance("kitten", "sitting"), 6); // the textbook's three edits, in halves
    assert_int_equal(job_word_distance("", "abc"), 6);
    assert_int_equal(job_word_distance("duration", "duratoin"), 2); // one exchange
    assert_int_equal(job_word_distance("ca", "abc"), 6); // restricted: 3; the unrestricted distance is 2
    assert_int_equal(job_word_distance("Step", "step"), 1);
    assert_int_equal(job_word_distance("same", "same"), 0);
    char word[80];
    memset(word, 'x', sizeof word);
    word[JOB_WORD_MAX] = '\0';
    assert_int_equal(job_word_distance(word, ""), 2 * JOB_WORD_MAX);
    word[JOB_WORD_MAX] = 'x';
    word[JOB_WORD_MAX + 1] = '\0';
    assert_int_equal(job_word_distance(word, ""), -1);
}

static void nearest_words(void **state)
{
    (void)state;
    static const char *const words[] = {"duration", "step", "directory", "every", "variables", "u"};
    assert_string_equal(job_nearest_word("duratoin", words, COUNT(words)), "duration");
    assert_string_equal(job_nearest_word("Step", words, COUNT(words)), "step");
    assert_string_equal(job_nearest_word("directry", words, COUNT(words)), "directory");
    assert_string_equal(job_nearest_word("variable", words, COUNT(words)), "variables");
    assert_string_equal(job_nearest_word("U", words, COUNT(words)), "u");
    assert_null(job_nearest_word("x", words, COUNT(words)));
    assert_null(job_nearest_word("xylophone", words, COUNT(words)));
    assert_null(job_nearest_word("", words, COUNT(words)));
    assert_null(job_nearest_word("step", words, 0));
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_whole_job_is_read),
        TEST(absent_keys_yield_defaults),
        TEST(files_that_are_no_jobs),
        TEST(syntax_errors_have_a_place_and_a_reason),
        TEST(nesting_is_bounded),
        TEST(documents_without_ambiguity),
        TEST(many_keys_are_checked_quickly),
        TEST(unknown_keys_get_a_suggestion),
        TEST(wrong_types_name_both),
        TEST(quantities_are_checked),
        TEST(numbers_and_choices_are_checked),
        TEST(amounts_of_memory),
        TEST(required_keys_are_required),
        TEST(later_tables_replace_rows),
        TEST(mistakes_in_tables_are_found),
        TEST(owners_can_fail_a_key),
        TEST(directories_of_jobs),
        TEST(the_hash_is_that_of_the_canonical_form),
        TEST(the_hash_changes_with_what_decides_numbers),
        TEST(tables_are_explained_as_text),
        TEST(tables_are_explained_as_json),
        TEST(tables_are_explained_as_markdown),
        TEST(shared_keys_are_complete),
        TEST(distances_are_known),
        TEST(nearest_words),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    units_release();
    return failed;
}
