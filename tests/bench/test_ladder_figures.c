// The file of the authors' figures: what it says is read, and each mistake is named with its place.
#include "bench/ladder/figures.h"
#include "tests/support/folder.h"
#include "tests/support/test.h"

#include <math.h>

TEST_MAIN(folder_make, folder_remove)

#define SOURCE "'source': {'authors': 'A. Author', 'year': 2010, 'title': 'On waves'}"

// Reads a file with these tables.
static enum status read_tables(const char *tables, struct ladder_figures *figures)
{
    folder_write_json("l.json", "{" SOURCE ", 'tables': [%s]}", tables);
    return ladder_figures_read(folder_path("l.json"), figures);
}

TEST(all_is_read)
{
    struct ladder_figures figures;
    assert_int_equal(
        read_tables("{'id': 't2', 'place': 'table 2', 'quantity': 'a run', 'unit': 'min', 'steps': 1000,"
                    " 'grid': [2581, 2879], 'precision': 'double', 'rows': ["
                    "{'rung': 'serial', 'machine': 'Phenom', 'value': 90, 'bound': 'at most',"
                    " 'differs': 'no curvature', 'threads': 4},"
                    "{'rung': 'naive', 'machine': 'GTX', 'value': 3, 'grid': [4, 5], 'block': [16, 16]}]},"
                    "{'id': 'f', 'place': 'figure 1', 'quantity': 'faster', 'unit': '1', 'of': 'serial',"
                    " 'rows': [{'rung': 'x', 'machine': 'y', 'value': 50}]}",
                    &figures),
        STATUS_OK);
    assert_string_equal(figures.authors, "A. Author");
    assert_int_equal(figures.year, 2010);
    assert_int_equal(figures.table_count, 2);
    const struct ladder_table *table = &figures.tables[0];
    assert_int_equal(table->measure, LADDER_TIME);
    assert_true(table->unit_scale == 60 && table->steps == 1000 && table->row_count == 2);
    assert_string_equal(table->precision, "double");
    const struct ladder_figure *row = table->rows;
    assert_string_equal(row->bound, "at most");
    assert_string_equal(row->differs, "no curvature");
    assert_true(row->value == 90 && row->threads == 4 && row->block[0] == 0);
    assert_true(row->size[0] == 2581 && row->size[1] == 2879 && row->size[2] == 1);
    assert_true(row[1].size[0] == 4 && row[1].size[1] == 5);
    assert_true(row[1].block[0] == 16 && row[1].block[1] == 16 && row[1].block[2] == 1);
    assert_int_equal(figures.tables[1].measure, LADDER_SPEED_UP);
    assert_string_equal(figures.tables[1].of, "serial");
    ladder_figures_free(&figures);
}

TEST(percents_are_savings_or_shares)
{
    struct ladder_figures figures;
    assert_int_equal(
        read_tables("{'id': 'a', 'place': 'p', 'quantity': 'q', 'unit': '%', 'of': 'serial',"
                    " 'rows': [{'rung': 'x', 'machine': 'y', 'value': 10}]},"
                    "{'id': 'b', 'place': 'p', 'quantity': 'q', 'unit': '%', 'measures': 'share',"
                    " 'rows': [{'rung': 'x', 'machine': 'y', 'value': 26, 'stage': 's'}]},"
                    "{'id': 'c', 'place': 'p', 'quantity': 'q', 'unit': '%',"
                    " 'rows': [{'rung': 'x', 'machine': 'y', 'value': 1}]}",
                    &figures),
        STATUS_OK);
    assert_int_equal(figures.tables[0].measure, LADDER_SAVING);
    assert_int_equal(figures.tables[1].measure, LADDER_SHARE);
    assert_string_equal(figures.tables[1].rows[0].stage, "s");
    assert_int_equal(figures.tables[2].measure, LADDER_NOTHING);
    ladder_figures_free(&figures);
}

#define TABLE(rows) "{'id': 'i', 'place': 'p', 'quantity': 'q', 'unit': 's', 'rows': [" rows "]}"
#define ROW         "'rung': 'r', 'machine': 'm'"

TEST(units_say_what_is_measured)
{
    static const struct {
        const char *unit;
        enum ladder_measure measure;
        double scale;
    } units[] = {{"ms", LADDER_TIME, 1e-3},      {"GFLOP/s", LADDER_OPERATIONS, 1e9},
                 {"GB/s", LADDER_BYTES, 1e9},    {"1/ns", LADDER_RATE, 1e9},
                 {"frames/s", LADDER_FRAMES, 1}, {"degrees", LADDER_NOTHING, 0}};
    for (size_t k = 0; k < COUNT(units); k++) {
        struct ladder_figures figures;
        const char *const table = format_text(
            "{'id': 'i', 'place': 'p', 'quantity': 'q', 'unit': '%s', 'rows': [{" ROW ", 'value': 1}]}",
            units[k].unit);
        assert_int_equal(read_tables(table, &figures), STATUS_OK);
        assert_int_equal(figures.tables[0].measure, units[k].measure);
        assert_true(figures.tables[0].unit_scale == units[k].scale);
        ladder_figures_free(&figures);
    }
}

TEST(mistakes_are_named)
{
    static const struct {
        const char *tables, *said;
    } cases[] = {
        {"", "l.json: tables: a list of 1 to 200 objects is expected"},
        {"3", "l.json: tables[0]: an object is expected"},
        {"{'place': 'p'}", "l.json: tables[0]: id: a text that is not empty is expected"},
        {TABLE("{" ROW ", 'value': 1}, {" ROW "}"),
         "l.json: tables[0].rows[1]: value: a number above 0 is expected"},
        {TABLE("{" ROW ", 'value': -1}"), "rows[0]: value: a number above 0 is expected"},
        {TABLE("{" ROW ", 'value': 1, 'place': 'p'}"), "rows[0]: unknown key \"place\""},
        {TABLE("{" ROW ", 'value': 1, 'grid': [1, 2, 3, 4]}"),
         "rows[0]: grid: a list of 1 to 3 whole numbers"},
        {TABLE("{" ROW ", 'value': 1, 'grid': [1.5]}"), "rows[0]: grid: a list of 1 to 3 whole numbers"},
        {TABLE("{" ROW ", 'value': 1, 'threads': 1.5}"), "rows[0]: threads: a whole number up to 1e9"},
        {"{'id': 'i', 'place': 'p', 'quantity': 'q', 'unit': 's', 'measures': 'share', 'rows': []}",
         "tables[0]: measures: \"share\" is not what the unit \"s\" says"},
        {"{'id': 'i', 'place': 'p', 'quantity': 'q', 'unit': 's', 'measures': 'rate', 'rows': []}",
         "tables[0]: measures: \"rate\" is not what the unit \"s\" says"},
        {"{'id': 'i', 'place': 'p', 'quantity': 'q', 'unit': '%', 'measures': 'more', 'rows': []}",
         "tables[0]: measures: \"more\" is not what the unit \"%\" says"},
    };
    for (size_t k = 0; k < COUNT(cases); k++) {
        struct ladder_figures figures;
        assert_int_equal(read_tables(cases[k].tables, &figures), STATUS_DATA);
        assert_has(status_message(), cases[k].said);
        ladder_figures_free(&figures);
        status_clear();
    }
}

// By its name a rung of a device that is not compiled in is told from one that does not exist.
TEST(rungs_of_devices_are_known_by_their_names)
{
    static const char *const models[] = {"tsunami", "bioheat", "gas"};
    for (size_t k = 0; k < COUNT(models); k++)
        for (const struct ladder_rung *const *rung = ladder_find(models[k])->rungs; *rung; rung++)
            assert_true(!(*rung)->is_device || ladder_is_of_device((*rung)->name));
    assert_true(ladder_is_of_device("gpu-naive") && !ladder_is_of_device("sort"));
}

TEST(a_missing_file_is_named)
{
    struct ladder_figures figures;
    assert_int_equal(ladder_figures_read(folder_path("none.json"), &figures), STATUS_NO_INPUT);
    assert_has(status_message(), "none.json");
    ladder_figures_free(&figures);
    status_clear();
}
