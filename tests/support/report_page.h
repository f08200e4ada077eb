// For tests of `fathom report`: which pictures it drew of the run in "out", their stated sizes,
// and what its page states. Header only.
#ifndef FATHOM_TESTS_SUPPORT_REPORT_PAGE_H
#define FATHOM_TESTS_SUPPORT_REPORT_PAGE_H

#include "tests/support/asserts.h"
#include "tests/support/cli_fixture.h"
#include "tests/support/folder.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// These, without ".png", and no others.
static inline void assert_pictures(const char *const *names, int count)
{
    for (int k = 0; k < count; k++) {
        char path[96];
        snprintf(path, sizeof path, "out/pictures/%s.png", names[k]);
        if (!cli_exists(path))
            fail_msg("%s was not drawn", path);
    }
    assert_int_equal(cli_count_entries("out/pictures"), count);
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

// out/report.html.
static inline char *read_page(void)
{
    return cli_own(folder_read("out/report.html", NULL));
}

static inline void assert_page_says(const char *const *words, size_t count)
{
    char *page = read_page();
    for (size_t k = 0; k < count; k++)
        if (!strstr(page, words[k]))
            fail_msg("the page does not say \"%s\"", words[k]);
}

static inline void assert_page_lacks(const char *word)
{
    char *page = read_page();
    if (strstr(page, word))
        fail_msg("the page says \"%s\"", word);
}

#endif
