// The schema of jobs for editors: the files in data/schema are what the program prints; all example jobs
// follow them, jobs with mistakes do not. An independent program validates (python3-jsonschema).
#include "tests/support/cli_fixture.h"
#include "tests/support/test.h"

#include <dirent.h>

static const char folder[] = TEST_SOURCE_DIRECTORY "/data/schema",
                  script[] = TEST_SOURCE_DIRECTORY "/tests/cli/validate_jobs.py";

TEST(the_committed_schemas_are_those_that_the_program_prints)
{
    static const char *const names[][2] = {{"tsunami", "tsunami"}, {"bioheat", "bioheat"}, {"nbody", "nbody"},
                                           {"gas", "gas"},         {"ising", "ising"},     {"all", "fathom"}};
    for (size_t k = 0; k < COUNT(names); k++) {
        const struct cli_result *result = cli_do("run --explain %s --schema", names[k][0]);
        const char *text = folder_text(format_text("%s/%s.schema.json", folder, names[k][1]));
        if (strcmp(result->output, text) != 0)
            fail_msg("%s/%s.schema.json is old: run data/generate-schemas", folder, names[k][1]);
    }
}

TEST(all_example_jobs_follow_the_schema)
{
    const char *words[64] = {"/usr/bin/python3", script, folder};
    size_t count = 3;
    DIR *entries = opendir(TEST_SOURCE_DIRECTORY "/data/jobs");
    assert_non_null(entries);
    for (struct dirent *entry; (entry = readdir(entries)) && count < COUNT(words) - 1;)
        if (strstr(entry->d_name, ".json"))
            words[count++] = format_text(TEST_SOURCE_DIRECTORY "/data/jobs/%s", entry->d_name);
    closedir(entries);
    assert_true(count > 20);
    cli_assert_tool(cli_run_words(words));
}

// One mistake each in a job that follows the schema without it.
TEST(mistakes_do_not_follow_the_schema)
{
    static const struct {
        const char *model, *change;
    } rows[] = {
        {"tsunami", "time.duratoin = '24 h'"},           // misspelt
        {"tsunami", "time.duration = 24"},               // a number without unit
        {"tsunami", "time.duration = '24'"},             // the same as a text
        {"tsunami", "time.duration = '1e5'"},            // likewise: no unit e5
        {"tsunami", "time.duration = '24 m'"},           // a unit of another kind
        {"tsunami", "physics.wall_depth = '10 min'"},    // likewise
        {"tsunami", "output.arrival = ['1 cm', '1 s']"}, // in a list
        {"tsunami", "output.fields.longitude = ['1 km', '2 km']"},
        {"tsunami", "delete time.duration"},                // required
        {"tsunami", "delete time"},                         // its block
        {"tsunami", "output.gauges = {'every': '1 min'}"},  // required in a block that is given
        {"tsunami", "method = 'vtcs'"},                     // no such word
        {"tsunami", "physics.manning_n = 2"},               // out of range
        {"tsunami", "physics.manning_n = '0.025'"},         // a number as a text
        {"tsunami", "output.maxima = 'true'"},              // a flag as a text
        {"tsunami", "output.arrival = '1 cm'"},             // no list
        {"tsunami", "source.sift = {'slips': {'a': '1'}}"}, // a map of numbers
        {"tsunami", "memory.host = '2 Gigs'"},              // unit of memory
        {"tsunami", "fathom = 2"},                          // version
        {"tsunami", "nested = {'a': {'lattice': 1}}"},      // what no nested grid has
        {"ising", "domain = {'x': 1}"},                     // a key of another model
        {"ising", "model = 'Ising'"},
    };
    const char *words[8 + COUNT(rows)] = {"/usr/bin/python3", script, folder};
    for (size_t k = 0; k < COUNT(rows); k++) {
        cJSON *job = strcmp(rows[k].model, "ising") == 0
                         ? cli_json("{'fathom': 1, 'model': 'ising', 'lattice': {'columns': 64}, "
                                    "'temperatures': {'beta': 0.4}, 'sweeps': {'count': 10}, 'method': "
                                    "{'name': 'metropolis'}, 'output': {'directory': 'o'}}")
                         : cli_sea_job();
        cli_write_job(job, format_text("right-%s.json", rows[k].model));
        cli_write_job(cli_change(job, "%s", rows[k].change), format_text("wrong-%zu.json", k));
        words[3 + k] = cli_path(format_text("wrong-%zu.json", k));
    }
    cli_assert_tool(cli_run_tool("/usr/bin/python3", script, folder, cli_path("right-tsunami.json"),
                                 cli_path("right-ising.json")));
    const struct cli_result *result = cli_run_words(words);
    assert_int_equal(result->exit_code, 1);
    for (size_t k = 0; k < COUNT(rows); k++)
        if (!strstr(result->output, format_text("wrong-%zu.json: ", k)))
            fail_msg("%s follows the schema: %s", rows[k].change, result->output);
}

// What no mistake is: comments anywhere, the name of the schema, null in a nested grid, words and numbers
// where both may stand.
TEST(other_forms_follow_the_schema)
{
    static const char *const rows[] = {
        "nested = {'a': {'//': 'x', 'output': {'maxima': null}, 'physics': null, 'time': {'step': '1 s'}}}",
        "source.faults = 'table.json'",
        "source.faults = {'rows': []}",
        "time.step = 'auto'",
        "time.duration = '.5e1h'",
        "time.duration = '1e3 ks'",
        "time.duration = '2 weeks'",
        "physics.wall_depth = '10 fathom'",
        "output.fields.longitude = ['150E', '2.5 rad']",
        "physics.gravity = '981 cm s-2'",
        "physics.coriolis_parameter = '1e-4 1/s'"};
    cJSON *job = cli_sea_job();
    cJSON_AddStringToObject(job, "$schema", "fathom.schema.json");
    cJSON_AddStringToObject(job, "//", "a comment");
    cJSON_AddArrayToObject(cJSON_GetObjectItem(job, "time"), "# another");
    const char *words[8 + COUNT(rows)] = {"/usr/bin/python3", script, folder};
    for (size_t k = 0; k < COUNT(rows); k++) {
        cli_write_job(cli_change(job, "%s", rows[k]), format_text("job-%zu.json", k));
        words[3 + k] = cli_path(format_text("job-%zu.json", k));
    }
    cli_assert_tool(cli_run_words(words));
}

// The program ignores them, and the results do not depend on them.
TEST(a_job_with_comments_is_the_job_without)
{
    cJSON *job = cli_sea_job();
    cli_save_job(job);
    cJSON *plain = cli_output_json(cli_do("plan --json job.json"));
    cJSON_AddStringToObject(job, "$schema", "fathom.schema.json");
    cJSON_AddStringToObject(job, "//", "twice, and");
    cJSON_AddNumberToObject(job, "//", 2);
    cJSON_AddArrayToObject(cJSON_GetObjectItem(job, "time"), "# another");
    cli_save_job(job);
    cJSON *commented = cli_output_json(cli_do("plan --json job.json"));
    assert_true(cJSON_Compare(plain, commented, 1));
    cJSON_AddStringToObject(cJSON_GetObjectItem(job, "time"), "$schema", "elsewhere");
    cli_save_job(job);
    cli_assert_error(cli_run("plan job.json"), CONFIGURATION, false, "time.$schema: unknown key");
}

TEST(the_schema_of_an_unknown_model_is_refused)
{
    static const struct cli_refusal rows[] = {
        {"run --explain tsunmai --schema", USAGE, {"unknown model \"tsunmai\" (did you mean tsunami?)"}},
        {"run --explain tsunami output --schema", USAGE, {"--explain takes a model"}},
        {"run --schema", USAGE, {"--explain takes a model"}},
    };
    CLI_ASSERT_REFUSED(rows);
}

TEST_MAIN(cli_setup, cli_teardown)
