// Tables of scenarios in a queue: values, units, names and weights, and what is refused.
#include "io/units.h"
#include "tests/support/queue_fixture.h"
#include "tests/support/statuses.h"
#include "tests/support/test.h"

#include <math.h>

static const char entry[] = "{'name': 'set', 'job': 'job.json', 'scenarios': 'table.csv'}";

static void read_table(const char *text)
{
    folder_write_text("table.csv", text);
    read_queue(entry);
}

TEST(rows_are_runs_with_weights)
{
    read_table("# a set\n"
               "name, quake.magnitude, quake.depth (km), quake.relation, weight\n"
               "north-1, 8.6, 25.50, strasser-interface, 0.25\n"
               "\n"
               "south, 88e-1, 30, \"a, \"\"b\"\"\", 0.75\n");
    assert_int_equal(queue.count, 2);
    assert_string_equal(queue.jobs[0].name, "set-north-1");
    assert_string_equal(queue.jobs[1].name, "set-south");
    assert_true(queue.jobs[0].weight == 0.25 && queue.jobs[1].weight == 0.75);
    assert_string_equal(setting(0, "quake.magnitude"), "8.6");
    assert_string_equal(setting(0, "quake.depth"), "\"25.5 km\"");
    assert_string_equal(setting(0, "quake.relation"), "\"strasser-interface\"");
    assert_string_equal(setting(1, "quake.magnitude"), "8.8");
    assert_string_equal(setting(1, "quake.relation"), "\"a, \\\"b\\\"\"");
    assert_int_equal(queue.jobs[0].varied_count, 3);
    assert_int_equal(queue.jobs[0].entry_length, 3);
}

TEST(semicolons_units_and_true)
{
    read_table("\xEF\xBB\xBF"
               "weight;a.b;c.d\r\n0.5;true;25 km\r\n0.5;false;-3\r\n;;\r\n");
    assert_int_equal(queue.count, 2);
    assert_string_equal(queue.jobs[1].name, "set-0002");
    assert_string_equal(setting(0, "a.b"), "true");
    assert_string_equal(setting(0, "c.d"), "\"25 km\"");
    assert_string_equal(setting(1, "c.d"), "-3");
}

TEST(weights_count_up_to_one)
{
    read_table("weight, m\n0.333333, 1\n0.333333, 2\n0.333334, 3\n");
    assert_int_equal(queue.count, 3);
    folder_write_text("table.csv", "weight, m\n0.3333, 1\n0.3333, 2\n0.3333, 3\n");
    assert_failure(batch_queue_read(write_queue(entry), &queue), STATUS_DATA,
                   "table.csv: column weight: the sum of its 3 weights is 0.9999, expected 1 within 1e-06");
}

TEST(mistakes_name_line_column_and_value)
{
    static const struct {
        const char *table, *message;
    } cases[] = {
        {"", "table.csv: is empty: expected a line of job keys and \"weight\", then scenarios"},
        {"weight, m\n", "table.csv: has column names, but no scenarios"},
        {"m, n\n1, 2\n", "table.csv: line 1: no column weight: the first line must name"},
        {"weight\n1\n", "table.csv: line 1: no column with a job key"},
        {"weight, m, m\n1, 2, 3\n", "table.csv: line 1: the column m appears twice"},
        {"weight, m (parsecks)\n1, 2\n", "table.csv: line 1: column m: "},
        {"weight, a..b\n1, 2\n", "line 1: column \"a..b\": "},
        {"weight, output.directory\n1, 2\n", "column \"output.directory\": cannot be set"},
        {"weight, m\n0.5, 1\n0.5\n", "table.csv: line 3: has 1 fields, but the heading has 2"},
        {"weight, m\n0.5, 1\n0.5,\n", "table.csv: line 3: column m: is empty; expected a value"},
        {"weight, m\n0.5, 1\n-0.5, 2\n",
         "table.csv: line 3: column weight: \"-0.5\", expected a number above 0, and at most 1"},
        {"weight, m\n0.5, 1\nhalf, 2\n", "table.csv: line 3: column weight: \"half\", expected a number"},
        {"weight, m\nnan, 1\n", "table.csv: line 2: column weight: \"nan\", expected a number"},
        {"weight, m (km)\n1, deep\n", "table.csv: line 2: column m: \"deep\", expected a number, whose unit"},
        {"weight, m (km)\n1, true\n", "table.csv: line 2: column m: \"true\", expected a number, whose unit"},
        {"weight, m\n1, +3\n", "table.csv: line 2: column m: \"+3\", expected a number such as 0.5"},
        {"weight, m\n1, 1e999\n", "table.csv: line 2: column m: \"1e999\", expected a number such as 0.5"},
        {"name, weight, m\na, 0.5, 1\na, 0.5, 2\n",
         "table.csv: line 3: column name: \"a\" is also the name in line 2"},
        {"name, weight, m\na b, 1, 1\n", "line 2: column name: \"a b\" cannot be the name of a run"},
        {"weight, m\n1, \"2\n", "table.csv: line 2: a quotation mark is not closed"},
        {"weight, m\n1, \xE9\n", "table.csv: line 2: is not UTF-8 text"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        folder_write_text("table.csv", cases[k].table);
        const char *path = write_queue(entry);
        status_clear();
        const enum status status = batch_queue_read(path, &queue);
        if (status == STATUS_OK || !strstr(status_message(), cases[k].message) ||
            strchr(status_message(), '\n'))
            fail_msg("%s: %s: %s, expected %s", cases[k].table, status_name(status), status_message(),
                     cases[k].message);
        assert_int_equal(queue.count, 0);
        batch_queue_free(&queue);
    }
}

TEST(a_missing_table_is_named)
{
    assert_failure(batch_queue_read(write_queue(entry), &queue), STATUS_NO_INPUT, "jobs[0].scenarios",
                   "table.csv");
    assert_failure(batch_queue_read(write_queue("{'name': 'a', 'job': 'job.json', 'scenarios': 't.csv', "
                                                "'ensemble': {'m': [1]}}"),
                                    &queue),
                   STATUS_CONFIGURATION, "jobs[0].ensemble: stands beside \"scenarios\"");
}

TEST_SUITE(.setup = setup, .teardown = teardown, .end = units_release);
