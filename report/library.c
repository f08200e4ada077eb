// Script libraries in a page: see library.h.
#include "report/library.h"

#include "io/json_file.h"
#include "report/html.h"
#include "report/page_files.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH = 4096, LIBRARY_BYTES_MAX = 4 << 20 };

// The minified files have no header of their own in Debian's package of Leaflet.
static const char leaflet_licence[] =
    "/*!\n * Leaflet, a JS library for interactive maps. https://leafletjs.com\n"
    " * (c) 2010-2019 Vladimir Agafonkin, (c) 2010-2011 CloudMade. All rights reserved.\n"
    " * Redistribution and use in source and binary forms, with or without modification, are permitted\n"
    " * provided that the following conditions are met:\n"
    " * 1. Redistributions of source code must retain the above copyright notice, this list of conditions\n"
    " *    and the following disclaimer.\n"
    " * 2. Redistributions in binary form must reproduce the above copyright notice, this list of "
    "conditions\n"
    " *    and the following disclaimer in the documentation and/or other materials provided with the\n"
    " *    distribution.\n"
    " * THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS \"AS IS\" AND ANY EXPRESS OR\n"
    " * IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND\n"
    " * FITNESS FOR A PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR\n"
    " * CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL\n"
    " * DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE,\n"
    " * DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER\n"
    " * IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT\n"
    " * OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.\n */\n";
static const char chart_licence[] =
    "/*!\n * Chart.js, (c) 2014-2022 Chart.js Contributors, with @kurkle/color, (c) Jukka Kurkela.\n"
    " * Permission is hereby granted, free of charge, to any person obtaining a copy of this software and\n"
    " * associated documentation files (the \"Software\"), to deal in the Software without restriction,\n"
    " * including without limitation the rights to use, copy, modify, merge, publish, distribute, "
    "sublicense,\n"
    " * and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do "
    "so,\n"
    " * subject to the following conditions:\n"
    " * The above copyright notice and this permission notice shall be included in all copies or "
    "substantial\n"
    " * portions of the Software.\n"
    " * THE SOFTWARE IS PROVIDED \"AS IS\", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT "
    "NOT\n"
    " * LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. "
    "IN\n"
    " * NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER "
    "LIABILITY,\n"
    " * WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE\n"
    " * SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.\n */\n";

const char *library_folder(void)
{
    const char *folder = getenv("FATHOM_JAVASCRIPT");
    return folder && *folder ? folder : "/usr/share/javascript";
}

// The first of the names that can be read; NULL ends them.
static bool find_file(const char *const *names, char path[PATH])
{
    for (; *names; names++) {
        const int length = snprintf(path, PATH, "%s/%s", library_folder(), *names);
        if (length < PATH && access(path, R_OK) == 0)
            return true;
    }
    return false;
}

static const char *const leaflet_scripts[] = {"leaflet/leaflet.min.js", "leaflet/leaflet.js", NULL},
                         *const leaflet_styles[] = {"leaflet/leaflet.css", NULL},
                         *const chart_scripts[] = {"chart.js/chart.min.js", "chart.js/Chart.min.js",
                                                   "chart.js/chart.umd.js", "chart.js/chart.js", NULL};

bool library_has_maps(void)
{
    char path[PATH];
    return find_file(leaflet_scripts, path) && find_file(leaflet_styles, path);
}

bool library_has_charts(void)
{
    char path[PATH];
    return find_file(chart_scripts, path);
}

static enum status read_file(const char *const *names, char **text)
{
    char path[PATH];
    size_t length;
    if (!find_file(names, path))
        return FAIL(STATUS_IO, "%s/%s: cannot be read into the page: %s", library_folder(), names[0],
                    strerror(errno));
    return text_file_read(path, LIBRARY_BYTES_MAX, text, &length);
}

// Whether the text begins with a word in lower case, whatever its own case.
static bool begins(const char *text, const char *word)
{
    while (*word && tolower((unsigned char)*text) == *word) {
        text++;
        word++;
    }
    return *word == '\0';
}

// A script as it is, but for what would end its element in HTML; the line that names a file for debuggers is
// left out.
static void write_script(FILE *page, const char *licence, const char *text)
{
    fprintf(page, "<script>\n%s", licence);
    for (const char *p = text; *p; p++) {
        if (begins(p, "//# sourcemappingurl="))
            p += strcspn(p, "\n");
        if (*p == '\0')
            break;
        fputc(*p, page);
        if (*p == '<' && (begins(p + 1, "/script") || begins(p + 1, "!--") || begins(p + 1, "script")))
            fputc('\\', page);
    }
    fputs("\n</script>\n", page);
}

// Copies the style with its small images inside; what is not found is left out, because a page loads nothing.
static void write_style(FILE *page, const char *text)
{
    fputs("<style>\n", page);
    for (const char *p = text; *p;) {
        char name[64] = "", path[PATH + 80], *image = NULL;
        int end = 0;
        if (strncmp(p, "url(", 4) != 0 || sscanf(p, "url(images/%60[a-z0-9.-])%n", name, &end) != 1 ||
            end == 0) {
            fputc(*p++, page);
            continue;
        }
        snprintf(path, sizeof path, "%s/leaflet/images/%s", library_folder(), name);
        FILE *file = fopen(path, "rbe");
        unsigned char bytes[8192];
        const size_t count = file ? fread(bytes, 1, sizeof bytes, file) : 0;
        if (count > 0 && count < sizeof bytes && (image = malloc(html_base64_bytes(count) + 1)))
            fprintf(page, "url(data:image/png;base64,%.*s)", (int)html_base64(bytes, count, image), image);
        else
            fputs("none", page);
        free(image);
        if (file)
            fclose(file);
        p += end;
    }
    fputs("</style>\n", page);
}

static enum status write_library(FILE *page, const char *const *names, const char *licence)
{
    char *text;
    CHECK(read_file(names, &text));
    write_script(page, licence, text);
    free(text);
    return STATUS_OK;
}

enum status library_write(FILE *page, bool has_maps, bool has_charts, bool has_volumes)
{
    if (has_maps) {
        char *style;
        CHECK(read_file(leaflet_styles, &style));
        write_style(page, style);
        free(style);
        CHECK(write_library(page, leaflet_scripts, leaflet_licence));
    }
    if (has_charts)
        CHECK(write_library(page, chart_scripts, chart_licence));
    fprintf(page, "<style>\n%s</style>\n", web_page_css);
    write_script(page, "", web_page_js);
    if (has_volumes)
        write_script(page, "", web_volume_js);
    return STATUS_OK;
}
