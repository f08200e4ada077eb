// See timings.h: from the file to the pictures.
#include "report/timings/timings.h"

#include "io/json_file.h"
#include "report/plot.h"
#include "report/timings/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

_Static_assert((int)TIMINGS_PICTURES_MAX == (int)CHART_PAGES_MAX, "a picture is a page");

// ---- texts over the picture

// What is shown: "times over sizes; speed-up over threads".
static void write_title(const struct timings_file *file, struct chart *chart, bool has_tables)
{
    bool has_threads = false, has_rows = false;
    char what[CHART_TEXT_BYTES] = "";
    for (size_t k = 0; k < file->row_count; k++) {
        has_threads = has_threads || file->rows[k].threads > 0;
        has_rows = has_rows || !(file->rows[k].threads > 0);
    }
    timings_append(what, sizeof what, "", has_tables ? "the author's figures beside ours" : "");
    const char *const parts[] = {has_rows ? "times and rates" : "",
                                 has_threads ? "speed-up over threads" : "",
                                 json_member(file->json, "ladder") ? "the author's programs" : "",
                                 json_member(file->json, "blocks") ? "shapes of blocks" : ""};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        timings_append(what, sizeof what, "; ", parts[k]);
    snprintf(chart->title, sizeof chart->title, "%s: %.150s (fathom bench %s)", file->model->title, what,
             file->model->name);
}

// Where ours were timed. "2026-11-30T10:00:53Z" is shown to the minute.
static enum status write_machine(const struct timings_file *file, char *line, size_t bytes)
{
    const char *const where = "the report", *date, *processor, *devices, *version, *clock;
    double threads;
    CHECK(timings_text(file, where, file->json, "date", false, &date));
    CHECK(timings_text(file, where, file->json, "processor", false, &processor));
    CHECK(timings_text(file, where, file->json, "devices", false, &devices));
    CHECK(timings_text(file, where, file->json, "version", false, &version));
    CHECK(timings_text(file, where, file->json, "clock", false, &clock));
    CHECK(timings_number(file, where, file->json, "threads", false, &threads));
    char day[24] = "", number[48] = "", program[80] = "";
    if (strlen(date) >= 16 && date[10] == 'T')
        snprintf(day, sizeof day, "%.10s %.5s UTC", date, date + 11);
    if (threads > 0)
        snprintf(number, sizeof number, "%.0f thread%s", threads, threads > 1 ? "s" : "");
    if (version[0] != '\0')
        snprintf(program, sizeof program, "fathom %.60s", version);
    snprintf(line, bytes, "Here: ");
    const char *const times = strcmp(clock, "processor") == 0 ? "by processor time" : "";
    const char *const parts[] = {processor, number, devices, times, day[0] ? day : date, program};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        timings_append(line, bytes, ", ", parts[k]);
    return STATUS_OK;
}

static enum status write_source(const struct timings_file *file, char *line, size_t bytes)
{
    const cJSON *source = json_member(file->json, "source"), *peers = timings_any_list(file->json, "peers");
    const char *authors, *title;
    char year[32];
    double number;
    CHECK(timings_text(file, "source", source, "authors", false, &authors));
    CHECK(timings_text(file, "source", source, "title", false, &title));
    CHECK(timings_number(file, "source", source, "year", false, &number));
    if (authors[0] == '\0')
        return STATUS_OK;
    snprintf(line, bytes, "Author: %.300s", authors);
    snprintf(year, sizeof year, "%.0f", number);
    timings_append(line, bytes, ", ", isnan(number) ? "" : year);
    timings_append(line, bytes, ": ", title);
    if (peers && cJSON_GetArraySize(peers) == 0)
        timings_append(line, bytes, ". ", "No figure of the author's has a size, so none is drawn");
    return STATUS_OK;
}

// has_tables: of the author's, with figures of ours.
static enum status write_heading(const struct timings_file *file, struct chart *chart, bool has_tables,
                                 int left_out)
{
    char *line = chart->lines[chart->line_count++];
    write_title(file, chart, has_tables);
    CHECK(write_machine(file, line, sizeof chart->lines[0]));
    line = chart->lines[chart->line_count++];
    CHECK(write_source(file, line, sizeof chart->lines[0]));
    if (left_out > 0)
        snprintf(chart->lines[chart->line_count++], sizeof chart->lines[0],
                 "%d table%s of the author's without any figure of ours %s left out: fathom bench %s "
                 "--table source prints %s",
                 left_out, left_out > 1 ? "s" : "", left_out > 1 ? "are" : "is", file->model->name,
                 left_out > 1 ? "them" : "it");
    return STATUS_OK;
}

static enum status fill(const struct timings_file *file, struct chart *chart)
{
    int group = 0, left_out;
    CHECK(timings_add_source(file, chart, &group, &left_out));
    const bool has_tables = chart->panel_count > 0;
    CHECK(timings_add_rows(file, chart, &group));
    CHECK(timings_add_peers(file, chart, &group));
    CHECK(timings_add_ising_rungs(file, chart, &group));
    CHECK(timings_add_blocks(file, chart, &group));
    return write_heading(file, chart, has_tables, left_out);
}

// ---- the pictures' names

// Of page 0 the name asked for, of others with "-2", "-3" … before the suffix.
static enum status name_picture(const char *file, const char *output, size_t page,
                                char path[REPORT_PATH_BYTES])
{
    const char *name = output ? output : file, *suffix = output ? ".png" : ".json";
    char number[24] = "";
    size_t length = strlen(name);
    const bool has_suffix = length > strlen(suffix) && strcmp(name + length - strlen(suffix), suffix) == 0;
    length -= has_suffix ? strlen(suffix) : 0;
    if (page > 0)
        snprintf(number, sizeof number, "-%zu", page + 1);
    const int written = snprintf(path, REPORT_PATH_BYTES, "%.*s%s%s", (int)length, name, number,
                                 output && !has_suffix ? "" : ".png");
    return written < REPORT_PATH_BYTES - 64 ? STATUS_OK
                                            : FAIL(STATUS_CANNOT_CREATE, "%s: the path is too long", name);
}

static enum status draw(const struct chart *chart, const struct chart_layout *layout, size_t page,
                        const struct timings_picture *picture)
{
    char folder[REPORT_PATH_BYTES] = ".";
    const char *slash = strrchr(picture->path, '/'), *name = slash ? slash + 1 : picture->path;
    if (slash)
        snprintf(folder, sizeof folder, "%.*s", (int)(slash == picture->path ? 1 : slash - picture->path),
                 picture->path);
    if (name[0] == '\0')
        return FAIL(STATUS_CANNOT_CREATE, "%s: the name of a picture is expected, not of a folder",
                    picture->path);
    return chart_draw(chart, layout, page, folder, name, picture->width_px);
}

static enum status draw_pages(const struct chart *chart, const char *path, const char *output, int width_px,
                              struct timings_picture *pictures, size_t *count)
{
    struct chart_layout layout;
    enum status status = chart_lay_out(chart, &layout);
    if (status == STATUS_OK)
        status = plot_check_gnuplot();
    for (size_t page = 0; status == STATUS_OK && page < layout.page_count; page++) {
        struct timings_picture *picture = &pictures[page];
        picture->width_px = width_px;
        picture->height_px = chart_height_px(&layout, page, width_px);
        status = name_picture(path, output, page, picture->path);
        if (status == STATUS_OK)
            status = draw(chart, &layout, page, picture);
        *count += status == STATUS_OK;
    }
    chart_layout_free(&layout);
    return status;
}

enum status timings_draw(const char *path, const char *output, int width_px,
                         struct timings_picture pictures[TIMINGS_PICTURES_MAX], size_t *count)
{
    struct timings_file file;
    struct chart chart = {0};
    *count = 0;
    enum status status = timings_read(path, &file);
    if (status == STATUS_OK)
        status = fill(&file, &chart);
    if (status == STATUS_OK && chart.panel_count > 0)
        status = draw_pages(&chart, path, output, width_px, pictures, count);
    chart_free(&chart);
    timings_free(&file);
    return status;
}
