// See timings.h: from the file to the picture.
#include "report/timings/timings.h"

#include "report/plot.h"
#include "report/timings/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- texts over the picture

// "2026-11-30T10:00:53Z" is shown to the minute.
static enum status write_heading(const struct timings_file *file, struct chart *chart)
{
    const char *const where = "the report", *date, *processor, *devices, *version;
    double threads;
    CHECK(timings_text(file, where, file->json, "date", false, &date));
    CHECK(timings_text(file, where, file->json, "processor", false, &processor));
    CHECK(timings_text(file, where, file->json, "devices", false, &devices));
    CHECK(timings_text(file, where, file->json, "version", false, &version));
    CHECK(timings_number(file, where, file->json, "threads", false, &threads));
    char day[24] = "", number[48] = "";
    if (strlen(date) >= 16 && date[10] == 'T')
        snprintf(day, sizeof day, "%.10s %.5s UTC", date, date + 11);
    if (threads > 0)
        snprintf(number, sizeof number, "%.0f thread%s", threads, threads > 1 ? "s" : "");
    const char *const parts[] = {processor, number, devices, day[0] ? day : date, version};
    size_t used = 0;
    for (size_t k = 0; k < sizeof parts / sizeof *parts && used < sizeof chart->second; k++)
        if (parts[k][0] != '\0')
            used += (size_t)snprintf(chart->second + used, sizeof chart->second - used, "%s%s%s",
                                     used > 0 ? ", " : "", k == 4 ? "fathom " : "", parts[k]);
    snprintf(chart->title, sizeof chart->title, "%s: fathom bench %s", file->model->title, file->model->name);
    return STATUS_OK;
}

static enum status fill(const struct timings_file *file, struct chart *chart)
{
    int group = 0;
    CHECK(write_heading(file, chart));
    CHECK(timings_add_source(file, chart, &group));
    CHECK(timings_add_rows(file, chart, &group));
    CHECK(timings_add_ising_rungs(file, chart, &group));
    CHECK(timings_add_blocks(file, chart, &group));
    return chart->panel_count > 0
               ? STATUS_OK
               : FAIL(STATUS_DATA, "%s: nothing in it was timed, so there is nothing to draw", file->path);
}

// ---- the picture's name

static enum status name_picture(const char *file, const char *output, char path[REPORT_PATH_BYTES])
{
    static const char suffix[] = ".json";
    size_t length = strlen(file);
    if (length > strlen(suffix) && strcmp(file + length - strlen(suffix), suffix) == 0)
        length -= strlen(suffix);
    const int written = output ? snprintf(path, REPORT_PATH_BYTES, "%s", output)
                               : snprintf(path, REPORT_PATH_BYTES, "%.*s.png", (int)length, file);
    return written < REPORT_PATH_BYTES - 64
               ? STATUS_OK
               : FAIL(STATUS_CANNOT_CREATE, "%s: the path is too long", output ? output : file);
}

static enum status draw(const struct chart *chart, int width_px, const struct timings_picture *picture)
{
    char folder[REPORT_PATH_BYTES] = ".";
    const char *slash = strrchr(picture->path, '/'), *name = slash ? slash + 1 : picture->path;
    if (slash)
        snprintf(folder, sizeof folder, "%.*s", (int)(slash == picture->path ? 1 : slash - picture->path),
                 picture->path);
    if (name[0] == '\0')
        return FAIL(STATUS_CANNOT_CREATE, "%s: the name of a picture is expected, not of a folder",
                    picture->path);
    return chart_draw(chart, folder, name, width_px);
}

enum status timings_draw(const char *path, const char *output, int width_px, struct timings_picture *picture)
{
    struct timings_file file;
    struct chart chart = {0};
    picture->width_px = width_px;
    enum status status = name_picture(path, output, picture->path);
    if (status != STATUS_OK)
        return status;
    status = timings_read(path, &file);
    if (status == STATUS_OK)
        status = fill(&file, &chart);
    if (status == STATUS_OK)
        status = plot_check_gnuplot();
    picture->height_px = chart_height(&chart, width_px);
    if (status == STATUS_OK)
        status = draw(&chart, width_px, picture);
    chart_free(&chart);
    timings_free(&file);
    return status;
}
