// `fathom validate`: what is run, how results are judged and shown, how failures of every kind end, the files
// that it writes. With suites of the test's own, in its own process; and the real program as a child.
#include "cli/commands.h"
#include "tests/cli/in_process.h"
#include "tests/support/test.h"
#include "validate/suite.h"

#include <signal.h>
#include <sys/stat.h>

// ---- suites for the test

static enum status measure(struct validation_run *run, const char *quantity, double computed,
                           double reference, const char *tolerance)
{
    return validation_measure(run, &(struct validation_measure){.quantity = quantity,
                                                                .unit = "m",
                                                                .computed = computed,
                                                                .reference = reference,
                                                                .source = "by hand <&>",
                                                                .tolerance = tolerance});
}

static enum status run_good(struct validation_run *run)
{
    static const double x[] = {0, 1, 2, 3}, y[] = {0, 1, 4, NAN};
    struct validation_picture *picture;
    CHECK(measure(run, "within absolute", 1.25, 1, "absolute"));
    CHECK(measure(run, "within relative", -96, -100, "relative"));
    CHECK(measure(run, "an order", 1.97, 2, "order"));
    CHECK(measure(run, "an rms", 0.1, 4, "rms"));
    CHECK(validation_measure(run, &(struct validation_measure){.quantity = "scaled",
                                                               .unit = "s",
                                                               .computed = 1029,
                                                               .reference = 1000,
                                                               .source = "by hand",
                                                               .tolerance = "part",
                                                               .scale = 1000,
                                                               .allowance = 10}));
    CHECK(measure(run, "at least", 3, NAN, "at-least"));
    CHECK(validation_compare(run, NULL, "m", "by hand", 1.1, 1, "shown"));
    CHECK(validation_picture(run, "A parabola", "x (m)", "y (m)", "Four points, one of them missing.",
                             &picture));
    CHECK(validation_line(run, picture, "points", true, x, y, 4));
    CHECK(validation_line(run, picture, "line", false, x, y, 4));
    validation_note(run, "by the test");
    return STATUS_OK;
}

static enum status run_bad(struct validation_run *run)
{
    CHECK(measure(run, "within absolute", 1.25, 1, "absolute"));
    CHECK(measure(run, "beyond absolute", 0.5, 1, "absolute"));
    CHECK(measure(run, "beyond relative", 106, 100, "relative"));
    CHECK(measure(run, "too low an order", 1.8, 2, "order"));
    CHECK(measure(run, "too much rms", 0.5, 4, "rms"));
    CHECK(measure(run, "no number", NAN, 1, "absolute"));
    CHECK(measure(run, "no order", NAN, 2, "order"));
    CHECK(measure(run, "too little", 2, NAN, "at-least"));
    return measure(run, "part of nothing", 1, 0, "relative");
}

static enum status run_crash(struct validation_run *run)
{
    CHECK(measure(run, "before the end", 1, 1, "absolute"));
    fputs("these are my last words\n", stderr);
    fflush(stderr);
    abort();
}

static enum status run_error(struct validation_run *run)
{
    return FAIL(STATUS_DATA, "grid.nc: row 7 is \xff\xc3 upside down");
}

static enum status run_empty(struct validation_run *run)
{
    return STATUS_OK;
}

static enum status run_skip(struct validation_run *run)
{
    validation_skip(run, "there is no %s here", "moon");
    return STATUS_OK;
}

static enum status run_incomplete(struct validation_run *run)
{
    CHECK(measure(run, "what there is", 1, 1, "absolute"));
    return validation_leave_out(run, "what is not", "no record of it");
}

static enum status run_shown(struct validation_run *run)
{
    return validation_compare(run, NULL, "m", "by hand", 1, NAN, "what nothing judges");
}

static enum status run_size(struct validation_run *run)
{
    return measure(run, "size", run->is_full ? 4 : 3, NAN, "at-least");
}

static enum status run_unknown_tolerance(struct validation_run *run)
{
    return measure(run, "something", 1, 1, "absolut");
}

static enum status run_wrong_unit(struct validation_run *run)
{
    return measure(run, "something", 1, 1, "in-seconds");
}

static enum status run_many(struct validation_run *run)
{
    for (int k = 0; k <= VALIDATION_RESULTS_MAX; k++)
        CHECK(measure(run, "again", 1, 1, "absolute"));
    return STATUS_OK;
}

static const char *const moon_files[] = {"moon/tide.txt", NULL}, *const no_inputs[] = {"no-such-grid.cdf",
                                                                                       NULL};

#define CASE(case_name, function)                                                                            \
    {                                                                                                        \
        .name = case_name, .summary = "summary", .source = "by hand", .run = function                        \
    }
static const struct validation_case cases[] = {
    CASE("good", run_good),
    CASE("bad", run_bad),
    CASE("crash", run_crash),
    CASE("error", run_error),
    CASE("empty", run_empty),
    CASE("skip", run_skip),
    CASE("part", run_incomplete),
    CASE("shown", run_shown),
    CASE("size", run_size),
    CASE("unknown-tolerance", run_unknown_tolerance),
    CASE("wrong-unit", run_wrong_unit),
    CASE("many", run_many),
    {.name = "moon",
     .summary = "summary",
     .source = "by hand",
     .run = run_good,
     .benchmark_files = moon_files},
    {.name = "no-input",
     .summary = "summary",
     .source = "by hand",
     .run = run_good,
     .input_files = no_inputs},
};
static const struct validation_suite suite = {"test", "cases of the test", cases, COUNT(cases), false};

static const char tolerances[] =
    "{\"fathom_tolerances\": 1, \"tolerances\": {\n"
    "\"test/absolute\": {\"kind\": \"absolute\", \"value\": 0.25, \"unit\": \"m\", \"source\": \"a book\"},\n"
    "\"test/relative\": {\"kind\": \"relative\", \"value\": 0.05, \"unit\": \"1\", \"source\": \"a "
    "paper\"},\n"
    "\"test/order\": {\"kind\": \"order\", \"value\": 1.9, \"unit\": \"1\", \"source\": \"a thesis\"},\n"
    "\"test/rms\": {\"kind\": \"rms\", \"value\": 0.1, \"unit\": \"1\", \"source\": \"a note\"},\n"
    "\"test/at-least\": {\"kind\": \"at-least\", \"value\": 2.5, \"unit\": \"m\", \"source\": \"a map\"},\n"
    "\"test/part\": {\"kind\": \"absolute\", \"value\": 0.02, \"unit\": \"1\", \"source\": \"a letter\"},\n"
    "\"test/in-seconds\": {\"kind\": \"absolute\", \"value\": 1, \"unit\": \"s\", \"source\": \"a "
    "clock\"}}}\n";

static int setup(void **state)
{
    if (cli_setup(state) != 0)
        return -1;
    // The test's tolerances stand before the program's; folders that cases make must be seen to go.
    if (mkdir(cli_path("data"), 0700) != 0 || mkdir(cli_path("data/validation"), 0700) != 0 ||
        mkdir(cli_path("scratch"), 0700) != 0)
        return -1;
    cli_write_text("data/validation/tolerances.json", tolerances);
    setenv("FATHOM_DATA", cli_path("data"), 1);
    setenv("TMPDIR", cli_path("scratch"), 1);
    unsetenv("FATHOM_BENCHMARKS");
    status_clear();
    return 0;
}

static int teardown(void **state)
{
    unsetenv("FATHOM_DATA");
    unsetenv("TMPDIR");
    unsetenv("FATHOM_BENCHMARKS");
    unsetenv("FATHOM_BENCHMARK_SOURCE");
    return cli_teardown(state);
}

static void assert_lacks(const char *text, const char *part)
{
    if (strstr(text, part))
        fail_msg("\"%s\" should not be in:\n%s", part, text);
}

// A line of the table: what follows the quantity's name.
static const char *row(const struct cli_result *result, const char *quantity)
{
    const char *place = strstr(result->output, quantity);
    if (!place)
        fail_msg("no row \"%s\" in:\n%s", quantity, result->output);
    static char line[256];
    snprintf(line, sizeof line, "%.*s", (int)strcspn(place, "\n"), place);
    return line;
}

#define validate(...) run_in_process(command_validate, "validate " __VA_ARGS__)

// ---- the command line

TEST(lists_suites_and_cases)
{
    const struct cli_result *result = validate("--list");
    assert_int_equal(result->exit_code, 0);
    assert_has(result->output, "backends: every fast back end", "  tsunami-analytic/step\n",
               "  tsunami-field/chile2010  (needs benchmark files)\n", "against: Okada (1985)",
               "test: cases of the test");
    result = validate("--list test/good backends");
    assert_int_equal(result->exit_code, 0);
    assert_has(result->output, "test/good", "backends/openmp-plane");
    assert_lacks(result->output, "test/bad");
    assert_lacks(result->output, "tsunami-field");
    // Cases about another back end are left out, and only those.
    result = validate("--list --backend cuda:1");
    assert_has(result->output, "backends/cuda-plane");
    assert_lacks(result->output, "backends/openmp");
    assert_has(result->output, "test/good");
}

TEST(wrong_command_lines_are_refused)
{
    cli_assert_error(validate("backend"), 64, false, "no suite or case \"backend\"",
                     "did you mean \"backends\"");
    cli_assert_error(validate("test/god"), 64, false, "did you mean \"test/good\"");
    cli_assert_error(validate("step"), 64, false, "did you mean \"tsunami-analytic/step\"");
    cli_assert_error(validate("zzzzzzzzzz"), 64, false, "fathom validate --list");
    cli_assert_error(validate("-p half test/good"), 64, false,
                     "--precision must be single or double, not \"half\"");
    cli_assert_error(validate("-b cuda backends/openmp-plane"), 64, false, "about the back end cuda");
    cli_assert_error(validate("--data /nowhere test/good"), 66, false, "--data: /nowhere");
    setenv("FATHOM_BENCHMARKS", "/nowhere/else", 1);
    cli_assert_error(validate("test/good"), 66, false, "FATHOM_BENCHMARKS: /nowhere/else");
    const struct cli_result *result = validate("--help");
    assert_int_equal(result->exit_code, 0);
    assert_has(result->output, "--require-all", "--full");
}

// ---- verdicts

TEST(good_results_pass)
{
    const struct cli_result *result = validate("test/good");
    assert_int_equal(result->exit_code, 0);
    assert_string_equal(result->error, "");
    assert_has(result->output, "test/good: passed, ", "by the test");
    // computed, reference, error, allowed.
    assert_has(row(result, "within absolute (m)"), "1.25           1       0.25 <=     0.25  pass");
    assert_has(row(result, "within relative (m)"), "-96        -100        4 % <=      5 %  pass");
    assert_has(row(result, "an order (m)"), "1.97           2            >=      1.9  pass");
    assert_has(row(result, "an rms (m)"), "0.1           4      2.5 % <=     10 %  pass");
    assert_has(row(result, "scaled (s)"), "1029        1000         29 <=       30  pass");
    assert_has(row(result, "at least (m)"), "3           -            >=      2.5  pass");
    assert_has(row(result, "shown (m)"), "1.1           1       10 %           -");
    assert_lacks(row(result, "shown (m)"), "pass");
    assert_has(result->output, "1 case: 1 passed, 0 failed, 0 skipped; 7 results, 0 of them failed");
    assert_int_equal(cli_count_entries("scratch"), 0);
    assert_has(row(validate("test/size"), "size (m)"), " 3 ");
    assert_has(row(validate("--full test/size"), "size (m)"), " 4 ");
    result = validate("-q test/good");
    assert_string_equal(result->output,
                        "1 case: 1 passed, 0 failed, 0 skipped; 7 results, 0 of them failed\n");
}

TEST(bad_results_fail)
{
    const struct cli_result *result = validate("test/bad test/good");
    cli_assert_error(result, 1, false, "validate: 1 case failed");
    assert_has(result->output, "test/bad: FAILED", "test/good: passed"); // it is not the end
    assert_has(row(result, "within absolute (m)"), "pass");
    assert_has(row(result, "beyond absolute (m)"), "-0.5 <=     0.25  FAIL");
    assert_has(row(result, "beyond relative (m)"), "6 % <=      5 %  FAIL");
    assert_has(row(result, "too low an order (m)"), ">=      1.9  FAIL");
    assert_has(row(result, "too much rms (m)"), "12.5 % <=     10 %  FAIL");
    assert_has(row(result, "no number (m)"), "FAIL");
    assert_has(row(result, "no order (m)"), "FAIL");
    assert_has(row(result, "part of nothing (m)"), "FAIL");
    assert_has(row(result, "too little (m)"), ">=      2.5  FAIL");
    assert_has(result->output, "failed: test/bad\n",
               "2 cases: 1 passed, 1 failed, 0 skipped; 16 results, 8 of them failed");
    result = validate("--quiet test/bad");
    assert_has(result->output, "beyond absolute");
    assert_lacks(result->output, "within absolute");
}

TEST(cases_that_break_off_fail)
{
    const struct cli_result *result = validate("test/crash test/error test/empty test/many test/good");
    cli_assert_error(result, 1, false, "validate: 4 cases failed");
    assert_has(row(result, "test/crash"),
               "crashed: signal 6 (Aborted); last message: these are my last words");
    assert_has(row(result, "before the end"), "pass"); // what it had measured is shown
    assert_has(row(result, "test/error"), "grid.nc: row 7 is ?? upside down");
    assert_has(row(result, "test/empty"), "measured nothing");
    assert_has(row(result, "test/many"), "test/many has more than 64 results");
    assert_has(result->output, "test/good: passed");
    assert_int_equal(cli_count_entries("scratch"), 0);
}

TEST(skipped_cases_are_named)
{
    const struct cli_result *result = validate("test/skip test/moon test/no-input test/part");
    assert_int_equal(result->exit_code, 0);
    assert_has(row(result, "test/skip: skipped"), "there is no moon here");
    assert_has(row(result, "test/moon: skipped"), "needs the benchmark file moon/tide.txt",
               "data/fetch-benchmarks DIR");
    assert_has(row(result, "test/no-input: skipped"), "no-such-grid.cdf");
    assert_has(row(result, "what is not"), "skipped: no record of it");
    assert_has(result->output, "skipped: test/skip, test/moon, test/no-input\n",
               "4 cases: 1 passed, 0 failed, 3 skipped; 2 results, 0 of them failed, 1 left out");
    cli_assert_error(validate("--require-all test/skip test/good"), 1, false,
                     "skipped although all are required");
    cli_assert_error(validate("--require-all test/part"), 1, false, "skipped although all are required");
    assert_int_equal(validate("--require-all test/good")->exit_code, 0);
    // With the folder, by option and by environment: there, and not there.
    assert_int_equal(mkdir(cli_path("bench"), 0700), 0);
    result = validate("--data %s test/moon", cli_path("bench"));
    assert_has(row(result, "test/moon: skipped"), "bench/moon/tide.txt: No such file");
    assert_int_equal(mkdir(cli_path("bench/moon"), 0700), 0);
    cli_write_text("bench/moon/tide.txt", "high\n");
    setenv("FATHOM_BENCHMARKS", cli_path("bench"), 1);
    result = validate("test/moon");
    assert_has(result->output, "test/moon: passed");
    assert_has(row(validate("test/shown"), "test/shown: skipped"), "nothing of it is judged");
}

// ---- tolerances

TEST(tolerances_are_checked)
{
    const struct cli_result *result = validate("test/unknown-tolerance test/wrong-unit");
    assert_int_equal(result->exit_code, 1);
    assert_has(row(result, "test/unknown-tolerance"),
               "tolerances.json: there is no tolerance \"test/absolut\" (did you mean \"test/absolute\"?)");
    assert_has(row(result, "test/wrong-unit"),
               "test/in-seconds: is in \"s\", but something is judged by one in \"m\"");
    static const struct {
        const char *text, *word;
    } bad[] = {
        {"{", "not valid JSON at line 1, column 2"},
        {"{'tolerances': {}}", "\"fathom_tolerances\": 1"},
        {"{'fathom_tolerances': 1}", "\"tolerances\" must be an object"},
        {"{'fathom_tolerances': 1, 'tolerances': {'a/b': 3}}", "a/b: must be an object"},
        {"{'fathom_tolerances': 1, 'tolerances': {'a/b': {'kind': 'absolute', 'value': 1, 'unit': 'm'}}}",
         "a/b: needs \"source\""},
        {"{'fathom_tolerances': 1, 'tolerances': {'a/b': {'kind': 'absolute', 'value': 1, 'unit': 'm', "
         "'source': ''}}}",
         "a/b: needs \"source\""},
        {"{'fathom_tolerances': 1, 'tolerances': {'a/b': {'kind': 'about', 'value': 1, 'unit': 'm', "
         "'source': 's'}}}",
         "a/b: kind \"about\""},
        {"{'fathom_tolerances': 1, 'tolerances': {'a/b': {'kind': 'relative', 'value': 1, 'unit': 'm', "
         "'source': 's'}}}",
         "a/b: a tolerance of the kind relative has the unit \"1\""},
        {"{'fathom_tolerances': 1, 'tolerances': {'a/b': {'kind': 'relative', 'value': -1, 'unit': '1', "
         "'source': 's'}}}",
         "a/b: value must be"},
        {"{'fathom_tolerances': 1, 'tolerances': {'a/b': {'kind': 'relative', 'value': '1', 'unit': '1', "
         "'source': 's'}}}",
         "a/b: value must be"},
        {"{'fathom_tolerances': 1, 'tolerances': {'a/b': {'kind': 'relative', 'value': 1, 'unit': '1', "
         "'source': 's', 'why': 1}}}",
         "a/b: unknown key \"why\""},
        {"{'fathom_tolerances': 1, 'tolerances': {'a/b': {'kind': 'rms', 'value': 1, 'unit': '1', 'source': "
         "'s'}, 'a/b': {'kind': 'rms', 'value': 1, 'unit': '1', 'source': 's'}}}",
         "a/b: is there twice"},
    };
    for (size_t k = 0; k < COUNT(bad); k++) {
        char *text = format_text("%s", bad[k].text);
        for (char *quote; (quote = strchr(text, '\''));)
            *quote = '"';
        cli_write_text("data/validation/tolerances.json", text);
        cli_assert_error(validate("test/good"), 65, false, "data/validation/tolerances.json: ", bad[k].word);
    }
}

// ---- files

TEST(json_holds_everything)
{
    const struct cli_result *result = validate("--json test/good test/bad test/skip");
    assert_int_equal(result->exit_code, 1);
    cJSON *json = cli_output_json(result);
    assert_int_equal(cli_json_number(json, "passed"), 1);
    assert_int_equal(cli_json_number(json, "failed"), 1);
    assert_int_equal(cli_json_number(json, "skipped"), 1);
    const cJSON *all = cJSON_GetObjectItem(json, "cases"), *good = cJSON_GetArrayItem(all, 0),
                *bad_case = cJSON_GetArrayItem(all, 1), *skip_case = cJSON_GetArrayItem(all, 2);
    assert_string_equal(cli_text(good, "case"), "good");
    assert_string_equal(cli_text(good, "verdict"), "passed");
    assert_string_equal(cli_text(skip_case, "reason"), "there is no moon here");
    const cJSON *relative = cli_item(good, "results.1");
    assert_string_equal(cli_text(relative, "kind"), "relative");
    assert_string_equal(cli_text(relative, "tolerance_source"), "a paper");
    assert_string_equal(cli_text(relative, "source"), "by hand <&>");
    assert_true(fabs(cli_json_number(relative, "error") - 0.04) < 1e-15); // nearer to 0 than −100: by +4 %
    cli_expect_number(relative, "tolerance", 0.05);
    const cJSON *no_number = cli_item(bad_case, "results.5");
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(no_number, "computed")));
    assert_string_equal(cli_text(no_number, "verdict"), "failed");
}

TEST(junit_is_read_by_others)
{
    static const char script[] =
        "import sys, xml.etree.ElementTree as e\n"
        "r = e.parse(sys.argv[1]).getroot()\n"
        "for s in r:\n"
        "    print(s.tag, s.get('name'), s.get('tests'), s.get('failures'), s.get('skipped'))\n"
        "    for c in s:\n"
        "        print(c.get('classname'), c.get('name'), float(c.get('time')) >= 0,\n"
        "              ' '.join(k.tag + ': ' + k.get('message') for k in c))\n"
        "        for k in c:\n"
        "            print(k.text)\n";
    cli_write_text("read.py", script);
    assert_int_equal(
        validate("--junit %s test/good test/bad test/skip test/error test/part tsunami-analytic/okada-sift",
                 cli_path("junit.xml"))
            ->exit_code,
        1);
    const struct cli_result *read =
        cli_run_tool("/usr/bin/python3", cli_path("read.py"), cli_path("junit.xml"));
    cli_assert_done(read);
    assert_has(read->output, "testsuite test 5 2 1\n", "testsuite tsunami-analytic 1 0 1\n",
               "test good True \n", "test bad True failure: a result is out of tolerance\n",
               "beyond relative: computed 106 m, reference 100: error 0.06, allowed 0.05\n",
               "test skip True skipped: there is no moon here\n",
               "test error True failure: grid.nc: row 7 is ?? upside down\n");
    // All required: what was skipped is a failure.
    (void)validate("--junit %s --require-all test/skip test/part", cli_path("junit.xml"));
    assert_has(cli_run_tool("/usr/bin/python3", cli_path("read.py"), cli_path("junit.xml"))->output,
               "testsuite test 2 2 0\n", "failure: there is no moon here\n");
    cli_assert_error(validate("--junit /nowhere/j.xml test/good"), 73, false, "/nowhere/j.xml");
}

TEST(page_holds_its_pictures)
{
    static const char script[] =
        "import sys, base64, html.parser\n"
        "class P(html.parser.HTMLParser):\n"
        "    stack = []; images = []; rows = 0\n"
        "    def handle_starttag(self, t, a):\n"
        "        a = dict(a)\n"
        "        if t == 'img': self.images.append(a)\n"
        "        if t == 'tr': self.rows += 1\n"
        "        assert 'href' not in a and not a.get('src', 'data:').startswith('http')\n"
        "        if t not in ('meta', 'img', 'br'): self.stack.append(t)\n"
        "    def handle_endtag(self, t):\n"
        "        assert self.stack.pop() == t, t\n"
        "p = P(); p.feed(open(sys.argv[1], encoding='utf-8').read())\n"
        "assert not p.stack, p.stack\n"
        "for i in p.images:\n"
        "    png = base64.b64decode(i['src'].split('base64,')[1], validate=True)\n"
        "    assert png[:8] == b'\\x89PNG\\r\\n\\x1a\\n' and png[-8:-4] == b'IEND'\n"
        "    assert int.from_bytes(png[16:20], 'big') == int(i['width'])\n"
        "print(len(p.images), 'images', p.rows, 'rows')\n";
    cli_write_text("read.py", script);
    const struct cli_result *result =
        validate("--html %s test/good test/bad test/skip test/error", cli_path("page"));
    assert_int_equal(result->exit_code, 1);
    assert_true(cli_exists("page/pictures/test-good-1.png"));
    const struct cli_result *read =
        cli_run_tool("/usr/bin/python3", cli_path("read.py"), cli_path("page/validation.html"));
    cli_assert_done(read);
    assert_string_equal(read->output, "1 images 18 rows\n"); // 2 heads, 7 + 9 results
    assert_has(cli_run_tool("cat", cli_path("page/validation.html"))->output,
               "against: by hand &lt;&amp;&gt;", "a thesis", "no criterion", "there is no moon here");
    cli_assert_error(validate("--html /proc/none test/good"), 73, false, "/proc/none");
}

TEST(jobs_can_be_kept)
{
    assert_int_equal(validate("--keep %s test/good", cli_path("kept"))->exit_code, 0);
    assert_true(cli_exists("kept/test/good/messages.txt"));
    cli_assert_error(validate("--keep %s test/good", cli_path("kept")), 73, false,
                     "kept/test/good: is there already");
}

// ---- the real program

TEST(program_validates_itself)
{
    unsetenv("FATHOM_DATA"); // its own tolerances
    assert_has(cli_do("validate --keep %s tsunami-analytic/standing-wave tsunami-analytic/okada-table2 "
                      "backends/cuda-plane",
                      cli_path("kept"))
                   ->output,
               "tsunami-analytic/standing-wave: passed", "tsunami-analytic/okada-table2: passed");
    // A job of the validation is one that a user can run.
    assert_true(cli_exists("kept/tsunami-analytic/standing-wave/5km.json"));
    cli_do("plan kept/tsunami-analytic/standing-wave/5km.json");
    assert_int_equal(cli_run_number("kept/tsunami-analytic/standing-wave/5km", "steps"), 484);
}

// The job has the case's values.
TEST(failed_jobs_are_reported)
{
    unsetenv("FATHOM_DATA");
    const struct cli_result *result = cli_run("validate -b abacus tsunami-analytic/standing-wave");
    cli_assert_error(result, 1, false, "validate: 1 case failed");
    assert_has(row(result, "tsunami-analytic/standing-wave: FAILED"),
               "the job 10km ended with exit code 78: ", "abacus");
}

// The method of the command line is used, or the case is skipped with the reason; the case's note names it.
TEST(another_method)
{
    unsetenv("FATHOM_DATA");
    cli_assert_error(cli_run("validate --method c-grid6 tsunami-analytic/ritter"), 64, false,
                     "--method: \"c-grid6\" is not a method of the tsunami model (did you mean c-grid-6?)");
    const struct cli_result *result =
        cli_do("validate --method vtcs2 tsunami-analytic/standing-wave tsunami-analytic/ritter "
               "backends/openmp-plane gas/virial --keep %s",
               cli_path("methods"));
    assert_has(result->output, "tsunami-analytic/standing-wave: passed", ", vtcs2, double, ");
    assert_has(row(result, "tsunami-analytic/ritter: skipped"),
               "the method vtcs2 has no moving shore, which this case needs");
    assert_has(row(result, "backends/openmp-plane: skipped"), "its jobs take no method");
    assert_has(row(result, "gas/virial: skipped"), "its jobs take no method");
    assert_string_equal(
        cli_text(cli_read_json("methods/tsunami-analytic/standing-wave/5km/run.json"), "physics.method"),
        "vtcs2");
    result = cli_run("validate --method vtcs2-shore tsunami-analytic/ritter");
    assert_has(result->output, ", vtcs2-shore, double, ");
}

// A case's step is scaled to the method's limit; each method is judged by its own order, and an error below
// what the closed form leaves out has none.
TEST(a_method_is_judged_by_its_own_measure)
{
    unsetenv("FATHOM_DATA");
    const struct cli_result *result =
        cli_do("validate --method c-grid-6 tsunami-analytic/standing-wave tsunami-analytic/geostrophic");
    assert_has(row(result, "  error of the elevation, 2.5km"), "below a2/d, where no order is seen", "pass");
    assert_has(result->output, "tsunami-analytic/geostrophic: passed");
    result = cli_do("validate --method muscl-hancock tsunami-analytic/geostrophic");
    assert_has(result->output, "steps of 20 s"); // half of the case's own
    result = cli_do("validate --method vtcs2 tsunami-analytic/geostrophic");
    assert_has(row(result, "  order of the elevation, 20km to 10km"), " 1  ", "0.8  pass");
}

TEST(stops_on_request)
{
    unsetenv("FATHOM_DATA");
    cli_hold_at("scratch/"); // among the files of a job
    const pid_t child = cli_start("validate tsunami-analytic/step");
    cli_wait_until_held(child);
    cli_pace_as_usual();
    assert_true(cli_count_entries("scratch") > 0);
    assert_int_equal(kill(child, SIGTERM), 0);
    assert_int_equal(cli_finish(child)->signal, SIGTERM);
    assert_int_equal(cli_count_entries("scratch"), 0);
}

static int register_suite(void **state)
{
    validation_register(&suite);
    return 0;
}

TEST_SUITE(.setup = setup, .teardown = teardown, .group_setup = register_suite);
