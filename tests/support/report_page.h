// For tests of `fathom report`: which pictures it drew of the run in "out", their stated sizes,
// and what its page states. Header only.
#ifndef FATHOM_TESTS_SUPPORT_REPORT_PAGE_H
#define FATHOM_TESTS_SUPPORT_REPORT_PAGE_H

#include "tests/support/cli_fixture.h"
#include "tests/support/test.h"

#include <sys/stat.h>

// These, without ".png", and no others.
#define assert_pictures(...) assert_pictures_are((const char *const[]){__VA_ARGS__, NULL})
static inline void assert_pictures_are(const char *const *names)
{
    int count = 0;
    for (; names[count]; count++) {
        const char *path = format_text("out/pictures/%s.png", names[count]);
        if (!cli_exists(path))
            fail_msg("%s was not drawn", path);
    }
    assert_int_equal(cli_count_entries("out/pictures"), count);
}

// What a report of earlier results left in a folder; its list names `result`, too, which no report wrote.
static inline void write_earlier_report(const char *folder, const char *result)
{
    folder_shell("mkdir -p %s/pictures", cli_path(folder));
    cli_write_text(format_text("%s/report.html", folder), "of the earlier results");
    cli_write_text(format_text("%s/pictures/map.png", folder), "of the earlier results");
    cli_write_text(format_text("%s/report.files.json", folder),
                   format_text("{\"fathom_report\": 1, \"pages\": [\"report.html\", \"%s\"], "
                               "\"pictures\": [\"map.png\"]}",
                               result));
}

static inline void assert_report_is_gone(const char *folder, const char *result)
{
    static const char *const names[] = {"report.html", "pictures", "report.files.json"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (cli_exists(format_text("%s/%s", folder, names[k])))
            fail_msg("%s/%s, of earlier results, is still there", folder, names[k]);
    assert_true(cli_exists(format_text("%s/%s", folder, result)));
}

// The PNGs have the sizes that `fathom report --json` gave.
static inline void assert_picture_sizes(const cJSON *said)
{
    const cJSON *picture;
    cJSON_ArrayForEach(picture, cJSON_GetObjectItem(said, "pictures"))
    {
        const char *path = cJSON_GetObjectItem(picture, "file")->valuestring;
        unsigned char head[24];
        unsigned size[2];
        FILE *file = fopen(cli_path(path), "rb");
        assert_non_null(file);
        assert_int_equal(fread(head, 1, sizeof head, file), sizeof head);
        fclose(file);
        assert_memory_equal(head, "\x89PNG\r\n\x1a\n", 8);
        for (size_t k = 0; k < 2; k++) {
            const unsigned char *b = head + 16 + 4 * k;
            size[k] = (unsigned)b[0] << 24 | (unsigned)b[1] << 16 | (unsigned)b[2] << 8 | b[3];
        }
        assert_true(size[0] == cli_json_number(picture, "width_px"));
        assert_true(size[1] == cli_json_number(picture, "height_px"));
    }
}

// Draws by a command and keeps gnuplot's scripts: their folder.
static inline const char *report_scripts_of(const char *command)
{
    const char *scripts = cli_path("scripts"), *before = getenv("TMPDIR");
    char *const saved = before ? owned_take(strdup(before)) : NULL;
    assert_int_equal(mkdir(scripts, 0700), 0);
    setenv("TMPDIR", scripts, 1);
    setenv("FATHOM_REPORT_KEEP", "1", 1);
    cli_assert_done(cli_run_line(command));
    unsetenv("FATHOM_REPORT_KEEP");
    saved ? setenv("TMPDIR", saved, 1) : unsetenv("TMPDIR");
    return scripts;
}

// Likewise of the run in "out".
static inline const char *report_scripts(const char *option)
{
    return report_scripts_of(format_text("report out %s", option));
}

// out/report.html.
static inline char *read_page(void)
{
    return folder_text("out/report.html");
}

// A browser without a window, or NULL, with a line that says so.
static inline const char *page_browser(void)
{
    static const char *const names[] = {"chromium", "chromium-browser", "google-chrome"};
    for (size_t k = 0; k < COUNT(names); k++)
        if (folder_shell_code("command -v %s >/dev/null", names[k]) == 0)
            return names[k];
    print_message("skipped: there is no Chromium\n");
    return NULL;
}

// Writes "probed.html": the page, and at its end a script in place of "</body>".
static inline void page_add_probe(const char *probe)
{
    char *page = read_page(), *end = strstr(page, "</body>");
    assert_non_null(end);
    *end = '\0';
    char *text = malloc(strlen(page) + strlen(probe) + 16);
    assert_non_null(text);
    sprintf(text, "%s%s</html>", page, probe);
    cli_write_text("probed.html", owned_take(text));
}

// The text that a page's script has made of its title, after so much of the browser's time: out/report.html
// with a script at its end. The browser's console has to be empty.
static inline char *page_probed_title(const char *browser, const char *probe, int time_ms)
{
    page_add_probe(probe);
    folder_shell("cd '%s' && HOME=$PWD timeout 300 %s --headless=new --no-sandbox --disable-gpu "
                 "--disable-dev-shm-usage --host-resolver-rules='MAP * ~NOTFOUND' --window-size=1200,900 "
                 "--enable-logging=stderr --virtual-time-budget=%d --dump-dom file://$PWD/probed.html "
                 ">dom.html 2>log.txt",
                 folder_root(), browser, time_ms);
    if (strstr(folder_text("log.txt"), "CONSOLE"))
        fail_msg("the browser's console: %s", strstr(folder_text("log.txt"), "CONSOLE"));
    char *title = strstr(folder_text("dom.html"), "<title>");
    assert_non_null(title);
    return title;
}

#define assert_page_says(...) assert_has(read_page(), __VA_ARGS__)

static inline void assert_page_lacks(const char *word)
{
    const char *page = read_page(), *found = strstr(page, word);
    if (found)
        fail_msg("the page says \"%.*s\"", 100, found - page < 50 ? page : found - 50);
}

#endif
