// The page of a batch: a picture of each run that has pictures (see page.h).
#include "batch/page.h"

#include "report/html.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

// Limits for a page that a browser opens at once, and that can be mailed.
enum {
    PAGE_BYTES_MAX = 24 << 20,
    PICTURE_BYTES_MAX = 3 << 20,
    FILE_BYTES = PATH_BYTES + BATCH_NAME_MAX + 300,
    PNG_HEAD_BYTES = 24
};

// The picture of a run: the first of these that `fathom report` has drawn.
static const char *const preferred[] = {"maximum.png", "slices.png", "projections.png", "snapshots.png",
                                        "beta.png",    "spins.png",  "statistics.png",  "diagnostics.png"};

static bool is_png(const char *name)
{
    const size_t length = strlen(name);
    return name[0] != '.' && length > 4 && length < 200 && strcmp(name + length - 4, ".png") == 0;
}

// Else the first by name.
static bool find_any(const char *folder, char name[256])
{
    DIR *entries = opendir(folder);
    name[0] = '\0';
    for (const struct dirent *entry; entries && (entry = readdir(entries));)
        if (is_png(entry->d_name) && (!name[0] || strcmp(entry->d_name, name) < 0))
            snprintf(name, 256, "%s", entry->d_name);
    if (entries)
        closedir(entries);
    return name[0] != '\0';
}

static bool find_picture(const struct batch *batch, size_t run, char path[FILE_BYTES])
{
    char folder[PATH_BYTES + BATCH_NAME_MAX + 16], name[256];
    struct stat about;
    snprintf(folder, sizeof folder, "%s/%s/pictures", batch->queue->directory, batch->queue->jobs[run].name);
    for (size_t k = 0; k < sizeof preferred / sizeof *preferred; k++) {
        snprintf(path, FILE_BYTES, "%s/%s", folder, preferred[k]);
        if (stat(path, &about) == 0 && S_ISREG(about.st_mode))
            return true;
    }
    if (!find_any(folder, name))
        return false;
    snprintf(path, FILE_BYTES, "%s/%s", folder, name);
    return true;
}

static int big_endian(const unsigned char *bytes)
{
    return (int)((unsigned)bytes[0] << 24 | (unsigned)bytes[1] << 16 | (unsigned)bytes[2] << 8 | bytes[3]);
}

// Reads width and height from the first chunk of a PNG (RFC 2083, 11.2.1). False: it is no PNG, or its size
// is invalid.
static bool read_size(const char *path, int *width, int *height)
{
    static const unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    unsigned char head[PNG_HEAD_BYTES];
    FILE *file = fopen(path, "rbe");
    if (!file)
        return false;
    const bool is_whole =
        fread(head, 1, sizeof head, file) == sizeof head && memcmp(head, signature, sizeof signature) == 0;
    fclose(file);
    if (!is_whole)
        return false;
    *width = big_endian(head + 16);
    *height = big_endian(head + 20);
    return *width > 0 && *width <= 20000 && *height > 0 && *height <= 20000;
}

static void put_caption(FILE *page, const struct batch *batch, size_t number)
{
    const char *name = batch->queue->jobs[number].name;
    fputs("<figcaption>", page);
    if (batch->runs[number].has_report)
        fprintf(page, "<a href=\"%s/report.html\">%s</a> ", name, name);
    else
        fprintf(page, "%s ", name);
    batch_page_label(page, batch, number);
    fputs("</figcaption></figure>\n", page);
}

void batch_page_pictures(FILE *page, const struct batch *batch)
{
    size_t bytes = 0, shown = 0, left_out = 0;
    for (size_t k = 0; k < batch->queue->count; k++) {
        char path[FILE_BYTES];
        struct stat about;
        int width, height;
        if (batch->runs[k].state != BATCH_PASSED || !find_picture(batch, k, path) ||
            stat(path, &about) != 0 || !read_size(path, &width, &height))
            continue;
        if (about.st_size > PICTURE_BYTES_MAX || bytes + (size_t)about.st_size > PAGE_BYTES_MAX) {
            left_out++;
            continue;
        }
        if (shown++ == 0)
            fputs("<h2>Pictures</h2>\n<div class=\"grid pictures\">\n", page);
        fputs("<figure>", page);
        bytes += (size_t)about.st_size;
        // A picture that is being redrawn is not a failure of the batch: the first failure must be kept.
        const bool was_clear = status_message()[0] == '\0';
        const char *name = batch->queue->jobs[k].name;
        fprintf(page, "<a href=\"%s/pictures/", name); // links to its full size
        html_text(page, strrchr(path, '/') + 1);
        fputs("\">", page);
        if (html_png(page, path, width, height, name) != STATUS_OK && was_clear)
            status_clear();
        fputs("</a>", page);
        put_caption(page, batch, k);
    }
    if (shown > 0)
        fputs("</div>\n", page);
    if (left_out > 0)
        fprintf(page,
                "<p class=\"soft\">%zu more runs have pictures, in their folders; they would make the page "
                "too large.</p>\n",
                left_out);
}
