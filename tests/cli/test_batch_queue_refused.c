// Queues of jobs with mistakes, and what each is answered with. Messages are compared whole: they are what a
// user works with in the evening.
#include "io/job/job.h"
#include "io/units.h"
#include "tests/support/queue_fixture.h"
#include "tests/support/statuses.h"
#include "tests/support/test.h"

TEST(folders_without_jobs_are_refused)
{
    folder_shell("mkdir '%s/jobs'", folder_root());
    expect_failure(folder_path("jobs"), STATUS_NO_INPUT,
                   ": holds no jobs: *.json files with \"fathom\" and \"model\" are expected");
    folder_write_text("jobs/my job.json", JOB_TEXT);
    expect_failure(folder_path("jobs"), STATUS_CONFIGURATION,
                   "/my job.json: \"my job\" cannot be the name of a run: a letter or a digit is expected, "
                   "then letters, digits, points, hyphens and underscores");
}

// ---- mistakes

#define A(rest)     "{'name': 'a', 'job': 'job.json', " rest "}"
#define SWEEP(rest) A("'sweep': {'physics.manning_n': " rest "}")
#define AT_SWEEP    ": jobs[0].sweep.physics.manning_n"

TEST(files_that_are_no_queue_are_refused)
{
    static const struct {
        const char *text, *expected;
    } bad[] = {
        {"{'jobs': []}", ": fathom_batch: missing; it is required: 1, the version of the queue format"},
        {"{'fathom_batch': 2, 'jobs': []}", ": fathom_batch: 2 is out of range: 1 is expected"},
        {"{'fathom_batch': 1, 'jobs': [],}",
         ": line 1, column 32: nothing follows the last comma: remove the comma"},
        {"[]", ": a queue of jobs is a JSON object { ... }, not a list [...]"},
        {"{'fathom_batch': 1, 'job': []}", ": job: unknown key (did you mean jobs?)"},
        {"{'fathom_batch': 1, 'jobs': {}}", ": jobs: a list of at least one object is expected"},
        {"{'fathom_batch': 1, 'jobs': [], 'limits': {'host': '16 Gb'}}",
         ": limits.host: unknown unit of memory Gb (did you mean GB?)"},
        {"{'fathom_batch': 1, 'jobs': [], 'output': ''}", ": output: must not be empty"},
        {"{'fathom_batch': 1, 'jobs': [], 'defaults': {'sweep': {}}}",
         ": defaults.sweep: unknown key (known here: set, priority, time_limit, retries, cores, ranks, "
         "devices, "
         "pictures)"}};
    expect_failure(folder_path("job.json"), STATUS_CONFIGURATION,
                   ": a job, not a queue of jobs: use fathom run, or name it in the \"jobs\" of a queue");
    for (size_t k = 0; k < COUNT(bad); k++) {
        folder_write_json("q.json", "%s", bad[k].text);
        expect_failure(folder_path("q.json"), STATUS_CONFIGURATION, bad[k].expected);
    }
    expect_failure(folder_path("none.json"), STATUS_NO_INPUT, " cannot be opened: No such file or directory");
}

TEST(entries_with_mistakes_are_refused)
{
    expect_refused("{'name': 'a', 'job': 'job.json'}, 5",
                   ": jobs[1]: a number is given; an object {...} is expected");
    expect_refused("{'job': 'job.json'}",
                   ": jobs[0].name: missing; it is required: the name of the run and of its folder");
    expect_refused(A("'retrys': 1"), ": jobs[0].retrys: unknown key (did you mean jobs[0].retries?)");
    expect_refused(A("'retries': 101"), ": jobs[0].retries: 101 is out of range: 0 to 100 is expected");
    expect_refused(A("'retries': 1.5"), ": jobs[0].retries: 1.5 is given; a whole number is expected");
    expect_refused(A("'ranks': 4097"), ": jobs[0].ranks: 4097 is out of range: 0 to 4096 is expected");
    expect_refused(A("'ranks': 2, 'devices': 3"),
                   ": jobs[0].devices: 3, but \"ranks\" is 2: each rank has one device; leave one out");
    expect_refused(A("'cores': -1"), ": jobs[0].cores: -1 is out of range: 0 to 65536 is expected");
    expect_refused(A("'set': [1]"), ": jobs[0].set: an object {\"KEY\": VALUE, ...} of job keys is expected");
    expect_refused(A("'set': {'a..b': 1}"),
                   ": jobs[0].set.a..b: a key without a name; expected, for instance, physics.manning_n");
    expect_refused(A("'set': {'a[1]': 1}"),
                   ": jobs[0].set.a[1]: a key cannot name one entry of a list: set the whole list");
    expect_refused(A("'set': {'output.directory': 'x'}"),
                   ": jobs[0].set.output.directory: cannot be set: each run has a folder of its name in the "
                   "batch's output");
    expect_refused(A("'set': {'x': 1, 'x': 2}"), ": jobs[0].set.x: this key appears twice; once is expected");
    expect_refused("{'name': 'a b', 'job': 'job.json'}",
                   ": jobs[0].name: \"a b\" cannot be the name of a run: a letter or a digit is expected, "
                   "then letters, digits, points, hyphens and underscores");
    expect_refused("{'name': '../a', 'job': 'job.json'}",
                   ": jobs[0].name: \"../a\" cannot be the name of a run: a letter or a digit is expected, "
                   "then letters, digits, points, hyphens and underscores");
    expect_refused("{'name': 'summary.json', 'job': 'job.json'}",
                   ": jobs[0].name: \"summary.json\" cannot be the name of a run: names that end in .json, "
                   ".jsonl, .xml or .html are reserved for files of the batch");
    expect_refused("{'name': 'a', 'job': 'job.json'}, {'name': 'b', 'job': 'job.json'}, {'name': 'a', 'job': "
                   "'job.json'}",
                   ": jobs[2].name: \"a\" is also the name of a run of jobs[0]");
    expect_refused("{'name': 'a-0002', 'job': 'job.json'}, " SWEEP("[1, 2]"),
                   ": jobs[1].name: \"a-0002\" is also the name of a run of jobs[0]");
    char expected[400];
    const char *text =
        format_text("{\"name\": \"%060d\", \"job\": \"job.json\", \"sweep\": {\"k\": [1]}}", 0);
    snprintf(expected, sizeof expected,
             ": jobs[0].name: \"%060d\" is too long for the names of its runs, \"%060d-0001\"; 59 letters "
             "are expected at most",
             0, 0);
    expect_refused(text, expected);
}

TEST(a_missing_job_is_named)
{
    const char *path = write_queue("{'name': 'a', 'job': 'nowhere.json'}");
    assert_failure(batch_queue_read(path, &queue), STATUS_NO_INPUT,
                   "overnight.json: jobs[0].job: nowhere.json",
                   folder_root()); // where it was looked for
}

TEST(invalid_values_are_refused)
{
    expect_refused(A("'sweep': {}"),
                   ": jobs[0].sweep: an object {\"KEY\": [VALUES], ...} with one key at least is expected");
    expect_refused(SWEEP("5"), AT_SWEEP ": a list [...] or a range {\"from\": ..., ...} is expected");
    expect_refused(SWEEP("[]"), AT_SWEEP ": the list is empty; expected at least one value");
    expect_refused(SWEEP("{'to': 1}"), AT_SWEEP ".from: missing; it is required: the first value");
    expect_refused(SWEEP("{'from': 1}"),
                   AT_SWEEP ".from: a range needs \"count\", or \"to\" with \"step\" or \"count\"");
    expect_refused(SWEEP("{'from': 1, 'step': 1}"),
                   AT_SWEEP ".from: a range needs \"count\", or \"to\" with \"step\" or \"count\"");
    expect_refused(SWEEP("{'from': 1, 'to': 2}"),
                   AT_SWEEP ".to: a range with an end needs \"step\" or \"count\"");
    expect_refused(SWEEP("{'from': 1, 'to': 2, 'step': 1, 'count': 2}"),
                   AT_SWEEP ".count: expected two of to, step and count, not all three");
    expect_refused(SWEEP("{'from': 1, 'to': 2, 'step': 0}"), AT_SWEEP ".step: must not be 0");
    expect_refused(SWEEP("{'from': 1, 'to': 2, 'step': -1}"),
                   AT_SWEEP ".step: has the wrong sign: it leads away from \"to\"");
    expect_refused(SWEEP("{'from': 1, 'to': 2, 'count': 1}"),
                   AT_SWEEP ".count: one value does not reach from \"from\" to \"to\"");
    expect_refused(SWEEP("{'from': 1, 'to': 2, 'stepp': 1}"),
                   AT_SWEEP ".stepp: unknown key (did you mean jobs[0].sweep.physics.manning_n.step?)");
    expect_refused(SWEEP("{'from': '1 km', 'to': '2000 m', 'step': '1 km'}"),
                   AT_SWEEP ".to: has the unit \"m\", but \"from\" has the unit \"km\"; use one unit");
    expect_refused(SWEEP("{'from': '1 km', 'to': 2, 'count': 2}"),
                   AT_SWEEP ".to: has no unit, but \"from\" has the unit \"km\"; use one unit");
    expect_refused(SWEEP("{'from': '1', 'to': '2', 'count': 2}"),
                   AT_SWEEP ".from: \"1\" has no unit; write a number without quotes, or add a unit");
    expect_refused(SWEEP("{'from': true, 'count': 2}"),
                   AT_SWEEP ".from: a number, or text with a number and a unit, is expected");
    expect_refused(SWEEP("{'from': '1 km', 'count': 2}"),
                   AT_SWEEP ".count: a range of quantities needs \"step\" or \"to\" beside it");
    expect_refused(SWEEP("{'from': 0, 'to': 2, 'count': 2, 'scale': 'log'}"),
                   AT_SWEEP ".from: a logarithmic range has values above 0 only");
    expect_refused(SWEEP("{'from': 1, 'to': 2, 'step': 2, 'scale': 'log'}"),
                   AT_SWEEP ".scale: a logarithmic range has from, to and count");
    expect_refused(SWEEP("{'from': 1, 'to': 2, 'count': 2, 'scale': 'lag'}"),
                   AT_SWEEP ".scale: \"lag\" is not one of: linear, log (did you mean log?)");
    expect_refused(A("'ensemble': {'a': [1, 2], 'b': [1, 2, 3]}"),
                   ": jobs[0].ensemble.b: 3 values, but a has 2: lists of one length are expected");
    expect_refused(A("'sweep': {'a': [1]}, 'ensemble': {'a': [1]}"),
                   ": jobs[0].ensemble.a: replaces the varied values of a");
    expect_refused(A("'sweep': {'a.b': [1], 'a': [{}]}"),
                   ": jobs[0].sweep.a: replaces the varied values of a.b");
    read_queue(A("'sweep': {'a': [{}], 'a.b': [1]}")); // into what was put in before: fine
}

// Refused by their number, before anything is made of them: a test of its own would be as large as the
// machine.
TEST(absurd_numbers_are_refused_at_once)
{
    expect_refused(
        SWEEP("{'from': 0, 'to': 1e300, 'step': 1e-300}"),
        AT_SWEEP ".step: inf values are too many; the queue has capacity for 100000 (100000 runs in total)");
    expect_refused(
        SWEEP("{'from': 0, 'to': 1e15, 'step': 1}"), AT_SWEEP
        ".step: 1e+15 values are too many; the queue has capacity for 100000 (100000 runs in total)");
    expect_refused(
        SWEEP("{'from': 0, 'count': 1000000000}"), AT_SWEEP
        ".count: 1e+09 values are too many; the queue has capacity for 100000 (100000 runs in total)");
    expect_refused(SWEEP("{'from': 1e308, 'count': 3, 'step': 1e308}"),
                   AT_SWEEP ": value 2 of the range is too large");
#define THOUSAND "{\"from\": 1, \"count\": 1000}"
    expect_refused(A("'sweep': {'a': " THOUSAND ", 'b': " THOUSAND ", 'c': " THOUSAND "}"),
                   ": jobs[0].sweep.b.count: 1000 values are too many; the queue has capacity for 100 "
                   "(100000 runs in total)");
    expect_refused(A("'sweep': {'a': " THOUSAND "}, 'ensemble': {'b': " THOUSAND "}"),
                   ": jobs[0].ensemble.b.count: 1000 values are too many; the queue has capacity for 100 "
                   "(100000 runs in total)");
    expect_refused(
        A("'sweep': {'a': {'from': 1, 'count': 60000}}") ", {'name': 'b', 'job': 'job.json', 'sweep': {'a': "
                                                         "{'from': 1, 'count': 60000}}}",
        ": jobs[1].sweep.a.count: 60000 values are too many; the queue has capacity for 40000 (100000 runs "
        "in total)");
}

TEST(settings_must_fit_a_command_line)
{
    static char text[400000];
    size_t length =
        (size_t)sprintf(text, "{\"name\": \"a\", \"job\": \"job.json\", \"set\": {\"k\": \"%0100000d\"}}", 0);
    expect_refused(text, ": jobs[0].set.k: the value is too long, by 2 B: the limit is 100 kB");
    length = (size_t)sprintf(text, "{\"name\": \"a\", \"job\": \"job.json\", \"set\": {");
    for (int k = 0; k <= JOB_SETTINGS_MAX; k++)
        length += (size_t)sprintf(text + length, "%s\"k%d\": 1", k > 0 ? "," : "", k);
    strcpy(text + length, "}}");
    expect_refused(text, ": jobs[0].set: 257 settings are too many; 256 are expected at most");
    length =
        (size_t)sprintf(text, "{\"name\": \"a\", \"job\": \"job.json\", \"sweep\": {\"x\": [1], \"big\": [");
    for (int k = 0; k < 20000; k++)
        length += (size_t)sprintf(text + length, "%s\"%05d\"", k > 0 ? "," : "", k);
    strcpy(text + length, "]}}");
    read_queue(text); // long lists are fine
    assert_int_equal(queue.count, 20000);
}

TEST_SUITE(.setup = setup, .teardown = teardown, .end = units_release);
