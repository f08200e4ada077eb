// Titles and names that people give, in pictures and pages: 's-Gravenhage, 'Ewa Beach, and whatever else
// may stand in a text. gnuplot must print every one of them as it is, a report must be drawn of them, and
// the page must show them as text.
#include "report/html.h"
#include "report/style.h"
#include "tests/support/bioheat_job.h"
#include "tests/support/gnuplot.h"
#include "tests/support/report_page.h"
#include "tests/support/test.h"

enum { NAME_BYTES = 64, RANDOM_NAMES = 400 };

static const char *const names[] = {"'s-Gravenhage",
                                    "'Ewa Beach",
                                    "''",
                                    "'",
                                    "'''",
                                    "O''Higgins",
                                    "O'Higgins'",
                                    "a''''b",
                                    "\"",
                                    "\"\"",
                                    "a\"b\"",
                                    "\\",
                                    "\\\\",
                                    "a\\",
                                    "\\n",
                                    "\\047",
                                    "C:\\temp",
                                    "`date`",
                                    "$HOME",
                                    "$1",
                                    "@x",
                                    "@",
                                    "{/:Bold x}",
                                    "a_b^c",
                                    "%g",
                                    "50 %",
                                    "%%",
                                    "#5",
                                    "a # b",
                                    "[1:2]",
                                    "x; quit",
                                    "!ls",
                                    "~a",
                                    "&amp;",
                                    "<b>",
                                    "</td>",
                                    "a\nb",
                                    "a\tb",
                                    "tab\x7f",
                                    "日本橋",
                                    "São Tomé",
                                    "Ōfunato",
                                    "\xf0\x9f\x8c\x8a",
                                    " leading",
                                    "../../up"};
enum { NAMES = COUNT(names) };

// Of the characters that mean something to gnuplot, the shell or HTML; the same in every run.
static void random_name(uint32_t seed, char name[NAME_BYTES])
{
    static const char letters[] = "''''\"\"\\\\``$@{}_^%#[]<>&;!~|ab1 \n";
    uint32_t x = seed * 2654435761u + 1;
    size_t length = 0;
    do {
        x = x * 1664525u + 1013904223u;
        name[length++] = letters[(x >> 16) % (sizeof letters - 1)];
    } while (length < 12 && (x >> 28) != 0);
    name[length] = '\0';
}

static const char *name_at(size_t k, char name[NAME_BYTES])
{
    if (k < NAMES)
        return names[k];
    random_name((uint32_t)(k - NAMES), name);
    return name;
}

static char control_to_blank(char c)
{
    return (unsigned char)c < 0x20 || c == 0x7f ? ' ' : c;
}

// gnuplot reads every quoted text and prints it; and draws it as title, label, axis label, tick and in the
// key.
TEST(gnuplot_prints_every_name)
{
    need_gnuplot();
    char name[NAME_BYTES], quoted[8 * NAME_BYTES];
    FILE *script = fopen(folder_path("names.gp"), "w");
    assert_non_null(script);
    fprintf(script, "set encoding utf8\nset terminal pngcairo noenhanced size 200,100\nset output 'a.png'\n"
                    "set print 'printed'\n");
    for (size_t k = 0; k < NAMES + RANDOM_NAMES; k++) {
        style_quote(name_at(k, name), 60, quoted, sizeof quoted);
        fprintf(script, "print %s\nset label 1 %s at screen 0.5,0.5\nset title %s\nset xlabel %s\n", quoted,
                quoted, quoted, quoted);
        if (k < NAMES)
            fprintf(script, "plot x title %s\n", quoted);
    }
    assert_int_equal(fclose(script), 0);
    folder_shell("cd '%s' && gnuplot -d names.gp", folder_root());
    size_t length = 0;
    char *printed = folder_read("printed", &length), *line = printed;
    for (size_t k = 0; k < NAMES + RANDOM_NAMES; k++) {
        const char *expected = name_at(k, name);
        const size_t bytes = strlen(expected);
        for (size_t c = 0; c < bytes; c++)
            if (line[c] != control_to_blank(expected[c]))
                fail_msg("\"%s\" was printed as \"%.*s\"", expected, (int)strcspn(line, "\n"), line);
        assert_int_equal(line[bytes], '\n');
        line += bytes + 1;
    }
    assert_int_equal(*line, '\0');
}

static void make_gauges(size_t first, size_t count)
{
    cJSON *list = cJSON_CreateObject(), *gauges;
    cJSON_AddNumberToObject(list, "fathom_gauges", 1);
    gauges = cJSON_AddArrayToObject(list, "gauges");
    for (size_t k = first; k < first + count && k < NAMES; k++) {
        const char *longitude = format_text("%.2f degree", 144 + 4.0 * (double)(k - first) / (double)count);
        cJSON *gauge = cJSON_CreateObject();
        cJSON_AddStringToObject(gauge, "name", names[k]);
        cJSON_AddStringToObject(gauge, "longitude", longitude);
        cJSON_AddStringToObject(gauge, "latitude", "31 degree");
        cJSON_AddItemToArray(gauges, gauge);
    }
    char *text = owned_take(cJSON_Print(list));
    cli_write_text("gauges.json", text);
    cJSON_Delete(list);
}

static void assert_page_shows(const char *page, const char *name)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    assert_non_null(stream);
    fputs("<th scope=\"row\">", stream);
    html_text(stream, name);
    fputs("</th>", stream);
    assert_int_equal(fclose(stream), 0);
    owned_take(text);
    if (!strstr(page, text))
        fail_msg("the page lacks %s", text);
}

TEST(a_forecast_with_any_names_is_drawn)
{
    need_gnuplot();
    // No backslash: netCDF-C takes it for a separator, as on Windows.
    static const char *const folders[] = {"out", "it's 'our' $HOME `x` \"a\" 100 % @b"};
    static const char *const titles[] = {"'s-Gravenhage \\ `x` $y @z {_^} ''", "<i>\"'s\" & '''</i> \\"};
    for (size_t half = 0; half < 2; half++) {
        cJSON *job = cli_sea_job();
        make_gauges(half * (NAMES / 2), NAMES - NAMES / 2);
        cJSON_ReplaceItemInObject(job, "title", cJSON_CreateString(titles[half]));
        cli_change(job, "time.duration = '5 min'; output.gauges = {'file': 'gauges.json', 'every': '1 min'}");
        cJSON_ReplaceItemInObject(cJSON_GetObjectItem(job, "output"), "directory",
                                  cJSON_CreateString(folders[half]));
        cli_run_job(job);
        cli_do("report %s --size 500x400", folders[half]);
        if (half)
            assert_int_equal(rename(cli_path(folders[1]), cli_path("out")), 0);
        char *page = read_page();
        for (size_t k = half * (NAMES / 2); k < half * (NAMES / 2) + NAMES - NAMES / 2; k++)
            assert_page_shows(page, names[k]);
        assert_null(strstr(page, "<i>"));
        assert_null(strstr(page, "<b></th>"));
        cli_remove("out");
    }
    assert_false(cli_exists("../up")); // names make no files
}

TEST(sensors_with_any_names_are_drawn)
{
    need_gnuplot();
    cJSON *job = bioheat_job();
    cJSON *sensor;
    size_t k = 0;
    cJSON_ArrayForEach(sensor, cJSON_GetObjectItem(cli_item(job, "output.sensors"), "list"))
        cJSON_ReplaceItemInObject(sensor, "name", cJSON_CreateString(names[k++]));
    assert_true(k > 1);
    cJSON_ReplaceItemInObject(job, "title", cJSON_CreateString("'Ewa Beach''"));
    cli_run_job(job);
    cli_do("report out --size 500x400");
    assert_true(cli_exists("out/pictures/sensors.png"));
}

TEST_MAIN(cli_setup, cli_teardown)
