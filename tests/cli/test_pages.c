// The pages of reports and batches as documents: elements closed in order, tables that scroll where they do
// not fit, nothing that breaks words, "The run" in the words of a forecaster and the rest of run.json
// folded away, rules for paper.
#include "tests/support/gnuplot.h"
#include "tests/support/report_page.h"
#include "tests/support/test.h"

#include <ctype.h>
#include <sys/stat.h>

// ---- the page's elements

enum { DEPTH_MAX = 64, WORD = 96 };

struct element {
    char name[16], class[WORD];
};

static bool is_void(const char *name)
{
    static const char *const names[] = {"meta", "img", "br", "wbr", "hr", "link", "input"};
    for (size_t k = 0; k < COUNT(names); k++)
        if (strcmp(name, names[k]) == 0)
            return true;
    return false;
}

static void read_element(const char *tag, struct element *element)
{
    *element = (struct element){0};
    for (size_t k = 0; k + 1 < sizeof element->name && isalnum((unsigned char)tag[k]); k++)
        element->name[k] = tag[k];
    const char *class = strstr(tag, "class=\""), *end = strchr(tag, '>');
    if (class && class < end)
        snprintf(element->class, sizeof element->class, "%.*s", (int)strcspn(class + 7, "\""), class + 7);
}

static bool is_inside(const struct element *stack, int depth, const char *class)
{
    for (int k = 0; k < depth; k++)
        if (strstr(stack[k].class, class))
            return true;
    return false;
}

// Every element is closed in its turn; every table lies in a box that scrolls. Returns how many tables
// there are.
static int check_elements(const char *page)
{
    struct element stack[DEPTH_MAX], element;
    int depth = 0, tables = 0;
    const char *body = strstr(page, "<body>");
    assert_non_null(body);
    for (const char *tag = strchr(body, '<'); tag; tag = strchr(tag + 1, '<')) {
        const bool is_end = tag[1] == '/';
        read_element(tag + (is_end ? 2 : 1), &element);
        if (is_void(element.name))
            continue;
        if (is_end) {
            if (depth == 0 && strcmp(element.name, "html") == 0)
                break;
            assert_true(depth > 0);
            if (strcmp(stack[depth - 1].name, element.name) != 0)
                fail_msg("<%s> is closed by </%s>: %.60s", stack[depth - 1].name, element.name, tag);
            depth--;
            continue;
        }
        if (strcmp(element.name, "table") == 0) {
            tables++;
            assert_true(is_inside(stack, depth, "scroll") || is_inside(stack, depth, "card"));
        }
        assert_true(depth < DEPTH_MAX);
        stack[depth++] = element;
    }
    assert_int_equal(depth, 0);
    return tables;
}

static void check_style(const char *page)
{
    static const char *const wanted[] = {".card{overflow-x:auto}",
                                         ".scroll{overflow-x:auto}",
                                         "@page{margin:",
                                         ".tile "
                                         "b{display:block;font-size:1.3rem;line-height:1.25;font-weight:650;"
                                         "white-space:nowrap}", // a number with its unit
                                         ".tiles{display:flex;",
                                         ".runs td{white-space:nowrap}",
                                         "details:not([open]){display:none}", // on paper
                                         "figure{display:inline-block;width:49.3%"};
    static const char *const unwanted[] = {"overflow-wrap:anywhere", "break-all", "break-word"};
    for (size_t k = 0; k < COUNT(wanted); k++)
        if (!strstr(page, wanted[k]))
            fail_msg("the style lacks \"%s\"", wanted[k]);
    for (size_t k = 0; k < COUNT(unwanted); k++)
        if (strstr(page, unwanted[k]))
            fail_msg("the style has \"%s\", which breaks words", unwanted[k]);
}

// ---- reports

static cJSON *forecast_job(void)
{
    cJSON *job = cli_change(
        cli_sea_job(),
        "time.origin = '2011-03-11T05:46:24Z'; time.duration = '10 min'; check.reference_steps = 2");
    return job;
}

static void assert_order(const char *page, const char *first, const char *second)
{
    const char *at = strstr(page, first);
    if (!at)
        fail_msg("the page does not say \"%s\"", first);
    if (!strstr(at, second))
        fail_msg("\"%s\" does not stand after \"%s\"", second, first);
}

TEST(test_a_report_states_what_was_run)
{
    need_gnuplot();
    cli_run_job(forecast_job());
    cli_do("report out --size 500x400");
    char *page = read_page();
    check_style(page);
    assert_true(check_elements(page) > 8);
    const char *run = strstr(page, "<h2>The run</h2>");
    assert_non_null(run);
    static const char *const summary[] = {
        "<h3>Summary</h3>",
        "<tr><th>Model</th><td>tsunami</td></tr>",
        "<tr><th>Origin time</th><td>2011-03-11 05:46:24 UTC</td></tr>",
        "<tr><th>Source</th><td>1 fault, moment magnitude ",
        "<tr><th>Grid</th><td>40 × 30 nodes, spacing 15′</td></tr>",
        "<tr><th>Area</th><td>longitude 140 … 149.75°, latitude 30 … 37.25°</td></tr>",
        "<tr><th>Bathymetry</th><td>",
        "<tr><th>Duration</th><td>10&nbsp;min&nbsp;00&nbsp;s in 20 steps of 30&nbsp;s</td></tr>",
        "<tr><th>Check</th><td><b class=\"good\">",
        "<h3>Physics</h3>",
        "<details><summary>"};
    for (size_t k = 0; k + 1 < COUNT(summary); k++)
        assert_order(run, summary[k], summary[k + 1]);
    // What is about the program is folded, and nothing of it stands before.
    static const char *const folded[] = {"<h3>Timings</h3>",     "Stall",
                                         "<h3>Memory</h3>",      "Peak resident",
                                         "<h3>Diagnostics</h3>", "<h3>Reference check</h3>"};
    const char *details = strstr(run, "<details>");
    assert_non_null(details);
    for (size_t k = 0; k < COUNT(folded); k++)
        if (strstr(page, folded[k]) < details)
            fail_msg("\"%s\" is missing, or not folded", folded[k]);
    assert_order(details, "Stall", "</details>");
}

// A long path has places to break, and needs no other.
TEST(test_long_paths_break_at_slashes)
{
    need_gnuplot();
    char path[400] = "";
    for (int k = 0; k < 8; k++) {
        const size_t used = strlen(path);
        snprintf(path + used, sizeof path - used, "%sa-folder-with-a-long-name-%d", k > 0 ? "/" : "", k);
        assert_int_equal(mkdir(cli_path(path), 0755), 0);
    }
    cJSON *job = forecast_job();
    strcat(path, "/sea.nc");
    cli_copy("sea.nc", path);
    cli_run_job(cli_change(job, "domain.bathymetry.file = '%s'", path));
    cli_do("report out --size 500x400");
    assert_page_says("/<wbr>a-folder-with-a-long-name-6/<wbr>");
}

// ---- batches

TEST(test_a_batch_page_scrolls)
{
    cli_save_job(forecast_job());
    cli_write_json(
        "q.json",
        "{'fathom_batch': 1, 'output': 'out', 'jobs': [{'name': 'good', 'job': 'job.json'},{'name': 'bad', "
        "'job': 'job.json', 'set': {'domain.bathymetry.file': '/nowhere/at/all.nc'}},{'name': 'many', 'job': "
        "'job.json', 'sweep': {'physics.manning_n': [0.02, 0.03]}}]}");
    assert_int_equal(cli_run("batch -q q.json")->exit_code, 1);
    cli_copy("out/index.html", "out/report.html");
    char *page = read_page();
    check_style(page);
    assert_int_equal(check_elements(page), 3); // failed, single runs, the sweep
    assert_has(page, "/nowhere/<wbr>at/<wbr>all.nc");
}

static int count_of(const char *text, const char *word)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, word)); at += strlen(word))
        count++;
    return count;
}

// A table of more columns than a sheet of A4 holds is split in two, each with the runs' names; heads are
// wrapped within long names, never before a unit, and the cells' quantities are whole.
TEST(test_a_wide_sweep_fits_on_paper)
{
    cli_save_job(forecast_job());
    cli_write_json("q.json", "{'fathom_batch': 1, 'output': 'out', 'jobs': [{'name': 'wide', 'job': "
                             "'job.json', 'sweep': {'physics.manning_n': [0.02, 0.03], 'time.duration': ['10 "
                             "min'], 'precision': ['single'], 'domain.bathymetry.positive': ['up']}}]}");
    cli_do("batch -q q.json");
    cli_copy("out/index.html", "out/report.html");
    char *page = read_page();
    check_style(page);
    assert_int_equal(check_elements(page), 2);
    assert_int_equal(count_of(page, "<thead><tr><th>run</th>"), 2);
    assert_int_equal(count_of(page, "wide-0002/\">wide-0002</a>"), 2);
    assert_int_equal(count_of(page, "<td>10 min</td>"), 2);
    assert_has(page, "<th>physics.<wbr>manning_n</th>", "<th>domain.<wbr>bathymetry.<wbr>positive</th>");
    // Each figure has one column.
    assert_int_equal(count_of(page, "<th>max_eta_m</th>"), 1);
    assert_int_equal(count_of(page, "<th>state</th>"), 1);
}

TEST_MAIN(cli_setup, cli_teardown)
