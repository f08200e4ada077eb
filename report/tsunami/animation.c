// The frames of a tsunami's fields as an animation (--animation): each drawn as a map, all in the colours of
// the snapshots.
#include "report/tsunami/report.h"

#include "report/web/animation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { FRAMES_MAX = 240, FRAME_MS = 120, WIDTH_PX = 960, HEIGHT_PX = 720 };
static const char frame_file[] = "animation_frame.png";

static enum status draw_frame(struct report *report, double time_s, size_t record)
{
    const struct report_waves *waves = report_tsunami_waves(report);
    const struct report_grid *grid = &waves->grids[0];
    const struct map_part part = map_largest_part(report);
    struct map_pair pair = {0};
    char title[STYLE_TEXT_BYTES + 32], time[STYLE_TEXT_BYTES];
    snprintf(title, sizeof title, "Sea surface after %s", style_duration(time_s, time));
    enum status status =
        report_tsunami_read_pair(grid, grid->files.fields, "eta", &record, RESULT_MEAN, &part, &pair);
    const struct map_layers layers = {.pair = &pair, .scale = &waves->frame_scale};
    const struct map_single single = {.file = frame_file,
                                      .title = title,
                                      .caption = "",
                                      .palette = style_diverging,
                                      .format = style_length,
                                      .layers = &layers,
                                      .is_unlisted = true};
    if (status == STATUS_OK)
        status = map_draw_single(report, &single);
    map_free_pair(&pair);
    return status;
}

static enum status draw_frames(struct report *report, const double *times_s, size_t records,
                               struct web_animation *animation, const char *png)
{
    const size_t count = records < FRAMES_MAX ? records : FRAMES_MAX;
    for (size_t k = 0; k < count; k++) {
        const size_t record = count > 1 ? (k * (records - 1) + (count - 1) / 2) / (count - 1) : 0;
        CHECK(draw_frame(report, times_s[record], record));
        CHECK(web_animation_add(animation, png));
    }
    return STATUS_OK;
}

enum status report_tsunami_draw_animation(struct report *report)
{
    const struct result_variable *eta = result_find(report->files.fields, "eta");
    struct web_animation animation = {.frame_ms = FRAME_MS};
    const struct report_options options = report->options;
    char png[REPORT_PATH_BYTES + 80], path[REPORT_PATH_BYTES + 80];
    double *times_s;
    size_t records;
    if (!options.has_animation)
        return STATUS_OK;
    if (!eta || eta->rank != 3 || eta->lengths[0] < 2)
        return FAIL(STATUS_DATA,
                    "--animation: %s has no fields of the elevation at several times (output.fields)",
                    options.directory);
    CHECK(result_read_all(report->files.fields, "time", &times_s, &records));
    snprintf(png, sizeof png, "%s/%s", report->pictures_directory, frame_file);
    snprintf(path, sizeof path, "%s/animation.webp", report->pictures_directory);
    report->options.width_px = WIDTH_PX;
    report->options.height_px = HEIGHT_PX;
    const enum status status = draw_frames(report, times_s, records, &animation, png);
    report->options = options;
    free(times_s);
    (void)unlink(png);
    return web_animation_end(&animation, path, status);
}
