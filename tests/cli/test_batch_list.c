// `fathom batch --list`: every run that a queue makes, and nothing run. And the queues that come with the
// program.
#include "tests/support/cli_fixture.h"
#include "tests/support/test.h"

static void write_queue(void)
{
    cli_write_json("job.json", "{'fathom': 1, 'model': 'ising'}");
    cli_write_json("overnight.json",
                   "{'fathom_batch': 1, 'title': 'Overnight', 'output': 'out', 'jobs': [{'name': 'a', 'job': "
                   "'job.json', 'priority': 3, 'time_limit': '2 h', 'retries': 1},{'name': 'b', 'job': "
                   "'job.json', 'set': {'precision': 'double'}, 'sweep': {'method.seed': {'from': 1, "
                   "'count': 3}}, 'cores': 2, 'pictures': true}]}");
}

TEST(people_see_every_run_and_what_it_varies)
{
    write_queue();
    const struct cli_result *result = cli_do("batch --list overnight.json");
    static const char *const lines[] = {"Overnight\n",
                                        "4 runs, results in out\n",
                                        "priority 3, time limit 2 h, 1 retry\n",
                                        "b-0003",
                                        "2 cores, pictures\n",
                                        "precision = \"double\"\n",
                                        "* method.seed = 3\n"};
    for (size_t k = 0; k < COUNT(lines); k++)
        if (!strstr(result->output, lines[k]))
            fail_msg("the list lacks \"%s\":\n%s", lines[k], result->output);
    assert_false(cli_exists("out")); // nothing is run, nothing is made
}

TEST(programs_get_it_as_json)
{
    write_queue();
    cJSON *list = cli_output_json(cli_do("batch --list --json overnight.json"));
    assert_true(cli_json_number(list, "count") == 4);
    const cJSON *runs = cJSON_GetObjectItemCaseSensitive(list, "runs"), *last = cJSON_GetArrayItem(runs, 3);
    assert_int_equal(cJSON_GetArraySize(runs), 4);
    assert_string_equal(cli_text(last, "name"), "b-0003");
    assert_true(cli_json_number(last, "number") == 4); // of --array-task
    const cJSON *set = cJSON_GetObjectItemCaseSensitive(last, "set"),
                *varied = cJSON_GetObjectItemCaseSensitive(last, "varied");
    assert_string_equal(cli_text(set, "precision"), "double");
    assert_true(cJSON_GetObjectItemCaseSensitive(varied, "method.seed")->valuedouble == 3);
    assert_true(cli_json_number(runs, "0.time_limit_s") == 7200);
    assert_false(cli_exists("out"));
}

TEST(a_mistake_is_one_line)
{
    cli_write_json("overnight.json", "{'fathom_batch': 1, 'jobs': [{'name': 'a', 'jop': 'job.json'}]}");
    cli_assert_error(cli_run("batch --list overnight.json"), CONFIGURATION, false, "overnight.json",
                     "jobs[0].jop", "did you mean jobs[0].job?");
}

// Plans a run of a list with its settings, as the batch would.
static void plan_run(const cJSON *run)
{
    enum { SETTINGS_MAX = 12 };
    static const char *const blocks[] = {"set", "varied"};
    static char settings[SETTINGS_MAX][200];
    int count = 0;
    for (int block = 0; block < 2; block++) {
        const cJSON *item;
        cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(run, blocks[block]))
        {
            char *value = owned_take(cJSON_PrintUnformatted(item));
            assert_true(count < SETTINGS_MAX);
            snprintf(settings[count++], sizeof settings[0], "--set=%s=%s", item->string, value);
        }
    }
    while (count < SETTINGS_MAX)
        settings[count++][0] = '\0'; // no argument
    const struct cli_result *result =
        cli_run("plan -b openmp %s %s %s %s %s %s %s %s %s %s %s %s %s", settings[0], settings[1],
                settings[2], settings[3], settings[4], settings[5], settings[6], settings[7], settings[8],
                settings[9], settings[10], settings[11], cli_text(run, "job"));
    // Public data may not be on this machine.
    if (result->exit_code != 0 && !strstr(result->error, "was not found"))
        fail_msg("%s: %s", cli_text(run, "name"), result->error);
}

// A queue that names a key which is none would be found out in the morning.
TEST(the_queues_of_the_program_are_right)
{
    static const struct {
        const char *path;
        int count;
    } queues[] = {{TEST_SOURCE_DIRECTORY "/data/queues/overnight.json", 8},
                  {TEST_SOURCE_DIRECTORY "/data/queues/friction.json", 10},
                  {TEST_SOURCE_DIRECTORY "/data/queues/head-perfusion.json", 5},
                  {TEST_SOURCE_DIRECTORY "/data/queues/tohoku-sift.json", 21},
                  {TEST_SOURCE_DIRECTORY "/data/queues/maule2010.json", 200},
                  {TEST_SOURCE_DIRECTORY "/data/queues/maule2010-first.json", 240}};
    for (size_t q = 0; q < COUNT(queues); q++) {
        cJSON *list = cli_output_json(cli_do("batch --list --json %s", queues[q].path));
        cli_expect_number(list, "count", queues[q].count);
        int number = 0;
        const cJSON *run;
        cJSON_ArrayForEach(run, cJSON_GetObjectItemCaseSensitive(list, "runs"))
        {
            if (q == 0 || number % 10 == 0) // those of a sweep differ in their values only
                plan_run(run);
            number++;
        }
    }
}

TEST_MAIN(cli_setup, cli_teardown)
