// The weights of a batch's runs in its list, summary and page, and what becomes of them when a run fails.
#include "tests/support/ising_job.h"
#include "tests/support/test.h"

static int setup(void **state)
{
    if (cli_setup(state) != 0)
        return -1;
    cli_write_job(ising_job(), "small.json");
    cli_write_text("queue.json", "{\"fathom_batch\": 1, \"output\": \"set\", \"jobs\": [{\"name\": \"s\", "
                                 "\"job\": \"small.json\", \"scenarios\": \"table.csv\"}]}");
    return 0;
}

TEST(a_failed_run_is_left_out_and_the_rest_is_stated)
{
    cli_write_text("table.csv", "name, method.seed, weight\na, 1, 0.5\nb, none, 0.125\nc, 3, 0.375\n");
    assert_int_equal(cli_run("batch queue.json")->exit_code, 1);
    const cJSON *summary = cli_read_json("set/summary.json");
    assert_string_equal(cli_text(summary, "runs.1.name"), "s-b");
    assert_true(cli_json_number(summary, "runs.1.weight") == 0.125);
    assert_string_equal(cli_text(summary, "entries.0.name"), "s");
    assert_true(cli_json_number(summary, "entries.0.weights.members") == 2);
    assert_true(cli_json_number(summary, "entries.0.weights.members_sum") == 0.875);
    assert_int_equal(cli_count(summary, "entries.0.weights.left_out"), 1);
    assert_string_equal(cli_text(summary, "entries.0.weights.left_out.0.name"), "s-b");
    assert_true(cli_json_number(summary, "entries.0.weights.left_out.0.weight") == 0.125);
    assert_has(cli_text(summary, "entries.0.weights.left_out.0.reason"), "method.seed");
    const char *page = folder_text("set/index.html");
    assert_has(page, "<th>weight</th>");
    assert_has(page, "Left out: s-b");
    assert_has(page, "The weights of the 2 runs with results have a sum of 0.875");
}

TEST(weights_are_listed_and_may_change_without_another_run)
{
    cli_write_text("table.csv", "name, method.seed, weight\na, 1, 0.5\nc, 3, 0.5\n");
    cli_do("batch --quiet queue.json");
    cli_write_text("table.csv", "name, method.seed, weight\na, 1, 0.75\nc, 3, 0.25\n");
    assert_has(cli_do("batch --list queue.json")->output, "weight 0.75");
    cli_do("batch --resume queue.json");
    const cJSON *summary = cli_read_json("set/summary.json");
    assert_true(cli_json_number(summary, "runs.0.weight") == 0.75);
    assert_true(cli_json_number(summary, "runs.0.attempts") == 1);
    assert_true(cli_json_number(summary, "entries.0.weights.members_sum") == 1);
}

TEST_MAIN(setup, cli_teardown)
