// `fathom report --bench`: the pictures of each model's benchmark are drawn; axes, limits, marks and the
// number of series are those of the file; no text leaves the frame or runs over another; a file that is wrong
// in one place is refused in one line, and an earlier picture stays.
#include "tests/support/gnuplot.h"
#include "tests/support/report_page.h"
#include "tests/support/test.h"

TEST_MAIN(cli_setup, cli_teardown)

// ---- reports that were made by hand

#define HEAD "'date': '2026-11-30T10:20:30Z', 'version': '0.1.0', 'threads': 4, 'processor': 'A processor', "
#define ROW(method, precision, size, ms)                                                                     \
    "{'backend': 'openmp', 'grid': 'ocean', 'method': '" method "', 'precision': '" precision "', 'size': "  \
    "[" size "], 'copies': 1, 'is_estimate': false, 'step_ms': " ms ", 'node_steps_per_s': 1e6, 'gb_s': 2,"  \
    " 'flop_s': 5e9}"

static const char sizes[] =
    "{'model': 'tsunami', " HEAD "'copy_gb_s': {'openmp': 40, 'unused': 7}, 'limits': [{'backend': 'openmp', "
    "'precision': 'float', 'fma_per_s': 8e10}], 'crossovers': [{'faster': 'ocean, one: cuda rather than "
    "openmp', 'from': 5000}, {'faster': 'shore, one: another', 'from': 6000}, {'faster': 'ocean, never', "
    "'from': null}, {'faster': 'ocean, always', 'from': 0}], 'source': {'authors': 'A. Author', 'year': "
    "1999}, "
    "'peers': [{'rung': 'serial', 'machine': 'an abacus', 'size': [64, 48], 'step_s': 3.5}, {'rung': "
    "'blocked', "
    "'machine': 'a Babbage engine', 'size': [128, 96], 'bytes_per_s': 3e9}], 'rows': [" ROW(
        "one", "float", "64, 48", "0.5") ", " ROW("one", "float", "128, 96",
                                                  "2") ", " ROW("one", "double", "64, 48", "1") ", " //
    ROW("two", "float", "64, 48", "0.25") "], 'notes': []}";

static const char threads[] =
    "{'model': 'nbody', " HEAD
    "'clock': 'processor', 'rows': [{'backend': 'openmp', 'method': 'direct', 'precision': 'float', "
    "'size': [1000], 'copies': 1, 'step_ms': 8, 'threads': 1, 'speed_up': 1, 'efficiency': 1}, {'backend': "
    "'openmp', 'method': 'direct', 'precision': 'float', 'size': [1000], 'copies': 1, 'step_ms': 2.5, "
    "'threads': 4, 'speed_up': 3.2, 'efficiency': 0.8}]}";

static const char source[] =
    "{'model': 'nbody', 'source': {'authors': 'A. Author', 'year': 1999, 'title': 'On bodies'}, 'tables': "
    "[{'id': 'times', 'place': 'table 9', 'quantity': 'time of a step', 'unit': 's', 'precision': 'double', "
    "'rows': [{'rung': 'direct', 'machine': 'an abacus', 'value': 1000, 'bound': 'more than', 'grid': [500], "
    "'ours': 2.5, 'is_estimate': true, 'size': [500], 'precision': 'double', 'ours_is': 'openmp, double'}, "
    "{'rung': 'tree', 'machine': 'an abacus', 'value': 7.5, 'ours': null}, "
    "{'rung': 'tree', 'machine': 'an abacus', 'value': 89, 'bound': '80 to', 'grid': [500], 'size': [20], "
    "'ours': "
    "0.125, 'ratio': 60, 'is_device': true, 'precision': 'double'}]}, "
    "{'id': 'gain', 'place': 'table 9', 'quantity': 'times faster than direct', 'unit': '1', 'of': 'direct', "
    "'rows': [{'rung': 'tree', 'machine': 'an abacus', 'value': 9, 'ours': 8, 'ratio': 0.888, 'size': "
    "[20]}]}, "
    "{'id': 'clock', 'place': 'table 3', 'quantity': 'clock', 'unit': 'GHz', 'rows': [{'rung': 'gears', "
    "'machine': 'an abacus', 'value': 3}]}, {'id': 'again', 'place': 'figure 2 (a graph)', 'quantity': "
    "'time of a step', 'unit': 's', 'rows': [{'rung': 'direct', 'machine': 'an abacus', 'value': 5, "
    "'grid': [500], 'ours': 4, 'size': [500]}]}], 'rows': [], 'notes': []}";

#define BLOCK(rung, size, block, time)                                                                       \
    "{'rung': '" rung "', 'size': [" size "], 'block': [" block "], 'precision': 'single'" time "}"

static const char blocks[] =
    "{'model': 'bioheat', 'blocks': [" BLOCK("a", "64, 64, 64", "8, 8, 8", ", 'step_s': 0.002") ", " //
    BLOCK("a", "64, 64, 64", "32, 8, 4", ", 'step_s': 0.001") ", " BLOCK("a", "64, 64, 64", "16, 8, 8",
                                                                         "") ", " //
    BLOCK("b", "64, 64, 64", "8, 8, 8", ", 'step_s': 0.003") ", " BLOCK("b", "64, 64, 64", "32, 8, 4",
                                                                        ", 'step_s': 0.004") "]}";

#define RUNG(rung, side, more)                                                                               \
    "{'rung': '" rung "', 'side': " side ", 'beta': 0.44, " more ", 'scatter': null}"

static const char ladder[] =
    "{'model': 'ising', 'ladder': {'crossovers': [{'beta': 0.44, 'from_side': 12}], 'rows': ["   //
    RUNG("serial", "8", "'sweep_ms': 0.001") ", " RUNG("serial", "16", "'sweep_ms': 0.004") ", " //
    RUNG("global", "8", "'block_x': 4, 'block_y': 2, 'sweep_ms': 0.006") ", "                    //
    RUNG("global", "8", "'block_x': 4, 'block_y': 4, 'sweep_ms': 0.003") ", "                    //
    RUNG("global", "16", "'block_x': 4, 'block_y': 2, 'sweep_ms': 0.009") ", "                   //
    RUNG("global", "16", "'block_x': 4, 'block_y': 4, 'sweep_ms': 0.0035") "]}, 'rows': []}";

// ---- what gnuplot was told

// Draws the text as "made.png", and returns gnuplot's commands of all its pages.
static char *script_of(const char *json)
{
    folder_write_text("made.json", folder_double_quotes(owned_take(strdup(json))));
    report_scripts_of("report --bench made.json --quiet");
    folder_shell("cat '%s'/fathom-report-*/picture.gp > '%s'", folder_path("scripts"), folder_path("script"));
    assert_true(cli_exists("made.png"));
    return folder_text("script");
}

static int count_in(const char *text, const char *part)
{
    int count = 0;
    for (; (text = strstr(text, part)); text += strlen(part))
        count++;
    return count;
}

// The numbers of a series: of the `number`-th file that the picture has.
static void assert_data(int number, const float *values, size_t count)
{
    size_t length;
    folder_shell("cat '%s'/fathom-report-*/data%d.bin > '%s'", folder_path("scripts"), number,
                 folder_path("data"));
    char *data = folder_read("data", &length);
    assert_int_equal(length, count * sizeof *values);
    assert_memory_equal(data, values, length);
}

// Of the pages that script_of drew, by the widths in the font's file.
static void assert_texts_apart(void)
{
    const int code =
        folder_shell_code("/usr/bin/python3 '%s/tests/support/picture_texts.py' '%s'/fathom-report-*",
                          TEST_SOURCE_DIRECTORY, folder_path("scripts"));
    if (code == 77 || code == 127)
        print_message("texts are not measured: python3 or the fonts DejaVu are not installed\n");
    else
        assert_int_equal(code, 0);
}

// Three series in each of the panels, and one key; the author's points and the best of ours apart from them.
TEST(times_over_sizes)
{
    need_gnuplot();
    const char *script = script_of(sizes);
    assert_has(script, "\"Here: A processor, 4 threads, 2026-11-30 10:20 UTC, fathom 0.1.0\"",
               "\"Author: A. Author, 1999\"", "\"Tsunami: times and rates (fathom bench tsunami)\"",
               "set logscale x", "set logscale y", "\"nodes\"", "\"time of a step (ms)\"", "\"node-steps/s\"",
               "\"least traffic (GB/s)\"", "\"operations (GFLOP/s)\"", "\"copy rate, openmp: 40 GB/s\"",
               "\"multiply-adds alone, openmp, float", "\"from 5000 nodes on cuda is faster than",
               "from first 5000,graph 0 to first 5000,graph 1", "graph 0,first 40 to graph 1,first 40",
               "graph 0,first 160 to graph 1,first 160", "\"author: serial, an abacus\"",
               "\"Time of a step: the author\\047s and ours\"", "\"Memory traffic: the author\\047s\"",
               "\"author: blocked, a Babbage engine\"", "\"bytes that the program reads (GB/s)\"",
               "\"here: the best method of openmp, ocean\"");
    assert_int_equal(count_in(script, "with lines"), 4 + 1);
    assert_int_equal(count_in(script, "set label \"openmp, one, float\""), 1);
    assert_int_equal(count_in(script, "set label \"openmp, one, double\""), 1);
    assert_int_equal(count_in(script, "\nplot "), 4 + 2 + 1); // the last one is empty, for the texts
    assert_null(strstr(script, "unused"));
    assert_null(strstr(script, "another"));
    assert_null(strstr(script, "never"));
    assert_null(strstr(script, "always"));
    assert_data(0, (const float[]){64 * 48, 0.5F, 128 * 96, 2}, 4);
    assert_texts_apart();
}

// Threads are whole numbers, and the size is told.
TEST(speed_up_over_threads)
{
    need_gnuplot();
    const char *script = script_of(threads);
    assert_has(script, "\"threads\"", "\"times as fast as one thread\"", "speed-up a thread (",
               "\"1000 bodies\"", "set xtics ('1' 1, '2' 2, '4' 4)\n");
    assert_int_equal(count_in(script, "set label \"openmp, direct, float\""), 1);
    assert_int_equal(count_in(script, "set label \"ideal\""), 1);
    assert_has(script, "A processor, 4 threads, by processor time, ");
    assert_data(0, (const float[]){1, 1, 4, 3.2F}, 4);
    assert_data(2, (const float[]){1, 1, 4, 4}, 4); // the ideal line
    assert_data(3, (const float[]){1, 100, 4, 80}, 4);
    assert_texts_apart();
}

// Two rows of one name are two rows of the picture; a bound and an estimate are hollow, and an interval has
// two ends. A table without any figure of ours is left out; one of a speed-up says so.
TEST(the_authors_figures_beside_ours)
{
    need_gnuplot();
    const char *script = script_of(source);
    assert_has(script, "\"Time of a step, 500 bodies: table 9\"", "\"Time of a step, 500 bodies: figure 2\"",
               "\"table 9; author and here: double; author: 500", "\"more than 1000\"",
               "\"time of a step (s)\"", "\"~2.5 at 500\"", "\"7.5\"", "\"0.125 (60 ×) at 20, a device\"",
               "\"direct, an abacus; here openmp,", "\"tree, an abacus\"", "\"tree, an abacus (2)\"",
               "\"80 to 89\"", "from first 80,first 1.78 to first 89,first 1.78", "\"author: A. Author, 1999",
               "\"here (", "set logscale x", "\"Times faster than direct\"",
               "\"the source states a speed-up over direct; table 9; author: size not", "here: 20\"",
               "\"1 table of the author\\047s without any figure of ours is left out");
    assert_null(strstr(script, "gears"));
    assert_null(strstr(script, "0.888"));
    assert_int_equal(count_in(script, "with points"), 4 + 2 + 2);
    assert_data(0, (const float[]){1000, -0.22F, 80, 1.78F, 89, 1.78F}, 6);
    assert_data(1, (const float[]){7.5F, 0.78F}, 2);
    assert_data(2, (const float[]){2.5F, 0.22F}, 2);
    assert_data(3, (const float[]){0.125F, 2.22F}, 2);
    assert_texts_apart();
}

// A table of the author's that has no figure of ours.
#define ALONE                                                                                                \
    "'source': {'authors': 'A. Author', 'year': 1999}, 'tables': [{'id': 't', 'place': 'table 9', "          \
    "'quantity': 'time of a step', 'unit': 's', 'rows': [{'rung': 'tree', 'machine': 'an abacus', 'value': " \
    "7.5, 'not_measured': 'no device'}]}]"

// They are left out and counted even if there are no others, and the title names only what is shown.
TEST(figures_of_the_author_alone_are_left_out)
{
    need_gnuplot();
    const char *script = script_of("{'model': 'nbody', " ALONE
                                   ", 'rows': [{'backend': 'openmp', 'method': 'direct', 'precision': "
                                   "'float', 'size': [1000], 'copies': 1, 'step_ms': 8}]}");
    assert_has(script, "\"1 table of the author\\047s without any figure of ours is left out",
               ": times and rates");
    assert_null(strstr(script, "an abacus"));
    assert_null(strstr(script, "beside ours"));
    assert_texts_apart();
}

// What a rung saves may be less than nothing.
TEST(a_figure_of_ours_may_be_negative)
{
    need_gnuplot();
    const char *script = script_of(
        "{'model': 'tsunami', 'source': {'authors': 'A. Author', 'year': 1999}, 'tables': [{'place': "
        "'text', 'quantity': 'time saved', 'unit': '%', 'rows': [{'rung': 'gpu', 'stage': 'solver', "
        "'machine': 'an abacus', 'authors_block': [16, 8, 1], 'value': 10, 'ours': -30}]}]}");
    assert_has(script, "unset logscale x", "set xrange [-32.4:", "\"gpu, solver, 16 × 8, an abacus\"",
               "\"-30\"");
}

TEST(shapes_of_blocks)
{
    need_gnuplot();
    const char *script = script_of(blocks);
    assert_has(script, "a, single: time of a step by the shape of blocks", "\"8 × 8 × 8\"", "\"32 × 8 × 4\"",
               "\"1, fastest\"", "\"3, fastest\"", "\"time of a step (ms)\"", "\"64 × 64 × 64 cells\"",
               "from first 0,first -0.3 to first 2,first 0.3", "from first 0,first 0.7 to first 1,first 1.3");
    assert_int_equal(count_in(script, "set object rectangle"), 4);
    assert_null(strstr(script, "16 × 8 × 8")); // which was not timed
    assert_texts_apart();
}

// Lines with the largest block; a cell for each shape and side.
TEST(rungs_of_the_ising_model)
{
    need_gnuplot();
    const char *script = script_of(ladder);
    assert_has(script, "\"side L (spins on a side)\"", "\"time of a sweep (ms)\"", "\"serial\"", "\"global\"",
               "from first 12,graph 0", "\"global, β = 0.440\"", "\"4 × 2\"", "\"16\" 1", "\"0.009\"",
               "set xtics ('8' 8, '16' 16)\n");
    assert_int_equal(count_in(script, "set object rectangle"), 4);
    assert_int_equal(count_in(script, "with lines"), 2);
    assert_data(2, (const float[]){8, 0.003F, 16, 0.0035F}, 4);
    assert_texts_apart();
}

// Many methods are divided among panels with few lines each, on pages that are not too high; long names are
// not cut.
TEST(many_methods)
{
    enum { METHODS = 17, PAGE_MOST_PX = 2400, SERIES_MOST = 8 };
    need_gnuplot();
    char *json = owned_take(malloc(METHODS * 2000 + 1000));
    size_t used = (size_t)sprintf(json, "{'model': 'tsunami', " HEAD "'rows': [");
    for (int m = 0; m < METHODS; m++)
        for (int row = 0; row < 4; row++)
            used += (size_t)sprintf(
                json + used,
                "%s{'backend': '%s', 'grid': 'a sea', 'method': 'method-with-a-rather-long-name-%d', "
                "'size': [%d], 'step_ms': %d, 'node_steps_per_s': 1e6}",
                m + row > 0 ? ", " : "", row < 2 ? "openmp" : "cuda", m, row % 2 ? 500 : 100, m + row + 1);
    sprintf(json + used, "]}");
    const char *script = script_of(json);
    for (int m = 0; m < METHODS; m++)
        assert_non_null(strstr(script, format_text("-long-name-%d\"", m)));
    assert_null(strstr(script, "…"));
    assert_int_equal(count_in(script, "\"Time of a step\""), (2 * METHODS + SERIES_MOST - 1) / SERIES_MOST);
    assert_int_equal(count_in(script, "(page 1 of 2)"), 1);
    assert_true(cli_exists("made-2.png"));
    assert_texts_apart();
    for (const char *at = script; (at = strstr(at, " size 1600,")) != NULL; at++)
        assert_in_range(atoi(at + strlen(" size 1600,")), 400, PAGE_MOST_PX);
}

// ---- what the benchmarks write

// Runs it, draws what it wrote, and compares the picture's size with what the report says.
static void assert_drawn(const char *name, const char *arguments)
{
    const struct cli_result *result = cli_run_line(
        format_text("bench %s --backend openmp --repeat 1 --steps 2 --budget 0.01 --json", arguments));
    cli_assert_done(result);
    folder_write_text("out.json", result->output);
    cJSON *said =
        cli_output_json(cli_do("report --bench out.json --output %s.png --json --size 800x600", name));
    const cJSON *pictures = cJSON_GetObjectItem(said, "pictures");
    assert_true(cJSON_GetArraySize(pictures) >= 1);
    assert_true(cli_json_number(cJSON_GetArrayItem(pictures, 0), "width_px") == 800);
    assert_true(cli_exists(format_text("%s.png", name)));
    assert_picture_sizes(said);
}

TEST(each_models_sizes)
{
    need_gnuplot();
    assert_drawn("tsunami", "tsunami --table sizes --size 32x24 --size 64x48 --method vtcs2");
    assert_drawn("bioheat", "bioheat --table sizes --size 16x16x16 --size 24x24x24 --variant labels");
    assert_drawn("nbody", "nbody --table sizes --precision float");
    assert_drawn("gas", "gas --table sizes --size 256 --size 400 --system lennard-jones --precision float");
#ifdef FATHOM_LADDERS // the author's figures of bytes, too
    assert_has(folder_text("out.json"), "\"bytes_per_s\"", "\"flop_s\"", "\"step_s\"");
    assert_true(cli_exists("gas-2.png"));
#endif
    assert_drawn("ising", "ising --size 16 --size 32");
}

// Of the models that have a list of tables of their own.
TEST(their_threads)
{
    need_gnuplot();
    assert_drawn("nbody", "nbody --threads 2 --table threads --size 500");
    assert_drawn("ising", "ising --threads 2 --table threads --size 16");
}

#ifdef FATHOM_LADDERS
TEST(their_sources)
{
    need_gnuplot();
    assert_drawn("tsunami", "tsunami --table source --size 32x24");
    assert_drawn("nbody", "nbody --table source --table phases --size 500");
    assert_drawn("ising", "ising --table source --table sizes --size 16 --size 32");
}
#endif

// ---- what is wrong

static void assert_refused(const char *arguments, int exit_code, const char *fragment)
{
    cli_assert_error(cli_run_line(format_text("report --bench %s", arguments)), exit_code, false, fragment);
    assert_int_not_equal(folder_shell_code("ls -A '%s' | grep -q part", folder_root()), 0);
}

// The text with one change: the file is refused, and the picture of before is there still.
static void assert_changed_refused(const char *json, const char *from, const char *to, const char *fragment)
{
    const char *place = strstr(json, from);
    if (!place)
        fail_msg("no \"%s\" in the report", from);
    char *text = owned_take(malloc(strlen(json) + strlen(to) + 1));
    sprintf(text, "%.*s%s%s", (int)(place - json), json, to, place + strlen(from));
    folder_write_text("bad.json", folder_double_quotes(text));
    assert_refused("bad.json", 65, fragment);
    assert_string_equal(folder_text("bad.png"), "of before");
}

TEST(bad_files)
{
    folder_write_text("bad.png", "of before");
    static const struct {
        const char *json, *from, *to, *fragment;
    } rows[] = {
        {sizes, "{'model'", "'model'", "bad.json"},
        {sizes, "tsunami", "weather", "\"weather\" is not one of tsunami, bioheat, nbody, gas, ising"},
        {sizes, "'model': 'tsunami', ", "", "model: a text that is not empty is expected"},
        {sizes, "'rows'", "'lines'", "neither rows nor tables nor blocks"},
        {sizes, "'step_ms': 0.5", "'step_ms': NaN", "bad.json"},
        {sizes, "'step_ms': 0.5", "'step_ms': 1e999", "rows[0]: step_ms: a number above 0"},
        {sizes, "'step_ms': 2", "'step_ms': -2", "rows[1]: step_ms: a number above 0"},
        {sizes, "'step_ms': 0.5, ", "", "rows[0]: step_ms: a number above 0"},
        {sizes, "'size': [64, 48]", "'size': [64, 0.5]", "size: a list of one to three whole numbers"},
        {sizes, "'backend': 'openmp', 'grid'", "'backend': 3, 'grid'", "rows[0]: backend: a text"},
        {sizes, "'from': 5000", "'from': 'far'", "crossovers: from: a number above 0"},
        {sizes, "'fma_per_s': 8e10", "'fma_per_s': 0", "limits: fma_per_s: a number above 0"},
        {sizes, "'openmp': 40", "'openmp': null", "copy_gb_s: openmp: a number above 0"},
        {sizes, "'step_s': 3.5", "'step_s': 0", "peers[0]: step_s: a number above 0"},
        {threads, "'speed_up': 3.2", "'speed_up': 'much'", "rows[1]: speed_up: a number above 0"},
        {source, "'value': 7.5", "'value': 0", "tables[0].rows[1]: value: a number above 0"},
        {source, "'unit': 's', ", "", "tables[0]: unit: a text"},
        {source, "'ours': 0.125", "'ours': '?'", "tables[0].rows[2]: ours: a number is expected"},
        {source, "'ratio': 60", "'ratio': 'much'", "tables[0].rows[2]: ratio: a number is expected"},
        {source, "'is_device': true", "'is_device': 1",
         "tables[0].rows[2]: is_device: true or false is expected"},
        {source, "'is_estimate': true", "'is_estimate': 'no'",
         "tables[0].rows[0]: is_estimate: true or false"},
        {source, "'precision': 'double', 'ours_is'", "'precision': 64, 'ours_is'",
         "tables[0].rows[0]: precision: a text"},
        {sizes, "'precision': 'double'", "'precision': 2", "rows[2]: precision: a text"},
        {sizes, "'bytes_per_s': 3e9", "'bytes_per_s': '3'", "peers[1]: bytes_per_s: a number above 0"},
        {blocks, "'precision': 'single'", "'precision': true", "blocks[0]: precision: a text"},
        {blocks, "[8, 8, 8]", "[8, 8, 8, 8]", "blocks[0]: block: a list of one to three whole numbers"},
        {ladder, "'side': 8", "'side': 0", "ladder.rows[0]: side: a number above 0"},
    };
    for (size_t k = 0; k < COUNT(rows); k++)
        assert_changed_refused(rows[k].json, rows[k].from, rows[k].to, rows[k].fragment);
    assert_changed_refused("{'model': 'gas', 'rows': [1]}", "1", "1", "rows: a list of objects");
    assert_changed_refused("{'model': 'gas', 'tables': []}", "[]", "[]", "tables: a list of objects");
    assert_changed_refused("{'model': 'gas', 'blocks': []}", "[]", "[]", "blocks: a list of objects");
    assert_changed_refused("[1, 2]", "1", "1", "an object is expected");
}

// As `fathom bench` is content with timing nothing, so is this, in a line: an earlier picture stays.
TEST(nothing_was_timed)
{
    static const char *const files[] = {
        "{'model': 'gas', 'rows': []}", "{'model': 'ising', 'ladder': {'rows': []}, 'rows': []}",
        "{'model': 'bioheat', 'blocks': [" BLOCK("a", "64, 64, 64", "8, 8, 8", "") "]}",
        "{'model': 'ising', " ALONE ", 'rows': []}"};
    folder_write_text("made.png", "of before");
    for (size_t k = 0; k < COUNT(files); k++) {
        folder_write_text("made.json", folder_double_quotes(owned_take(strdup(files[k]))));
        const struct cli_result *result = cli_run_line("report --bench made.json --quiet");
        cli_assert_done(result);
        assert_has(result->error, "warning: made.json: nothing in it was timed, so no picture is drawn");
    }
    assert_string_equal(folder_text("made.png"), "of before");
}

TEST(mistakes_of_the_command)
{
    folder_write_json("good.json", "%s", threads);
    assert_refused("", 64, "no file of timings given");
    assert_refused("good.json --beside other", 64, "--beside is for the results of a run");
    assert_refused("good.json --no-html", 64, "--no-html is for the results of a run");
    assert_refused("good.json good.json --output a.png", 64, "--output names one picture, and 2 files");
    assert_refused("missing.json", 66, "missing.json");
    need_gnuplot();
    assert_refused("good.json --output nowhere/a.png", 73, "nowhere");
    assert_refused("good.json --output good.json", 64, "expected a name that ends in .png");
    assert_false(cli_exists("good.png"));
}
