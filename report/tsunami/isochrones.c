// Isochrones of a tsunami: lines of equal arrival time, with their labels. report/contour.c traces them.
#include "report/tsunami/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Isochrones: a line every step; every first, second or third line is strong and has a label.
enum { LEVELS_MAX = 64 };

const char *report_tsunami_isochrone_label(double time_s, double step_s, char *text)
{
    if (step_s >= 3600 && fmod(step_s, 3600) == 0)
        snprintf(text, STYLE_TEXT_BYTES, "%.0f h", time_s / 3600);
    else if (step_s >= 60 && time_s < 2 * 3600)
        snprintf(text, STYLE_TEXT_BYTES, "%.0f min", time_s / 60);
    else if (step_s >= 60)
        snprintf(text, STYLE_TEXT_BYTES, "%.0f:%02.0f h", floor(time_s / 3600), fmod(time_s, 3600) / 60);
    else
        snprintf(text, STYLE_TEXT_BYTES, "%.3g s", time_s);
    return text;
}

// Times on a smoothed copy: the first passage of a threshold is irregular where waves are small.
static enum status trace(const struct result_map *map, double latest_s, float *times,
                         struct report_isochrones *lines)
{
    const struct map_view view = map_view_of(map);
    memcpy(times, map->values, map->nx * map->ny * sizeof *times);
    CHECK(contour_smooth(times, map->nx, map->ny, 2));
    struct contour_field field = {map->nx,      map->ny,     map->x_first, map->x_step,
                                  map->y_first, map->y_step, times};
    // Lines every hour, as is customary, if this gives neither too few nor too many.
    bool is_hourly = latest_s >= 4 * 3600 && latest_s <= 30 * 3600;
    lines->step_s = is_hourly ? 3600 : style_step_time_s(latest_s, 24);
    int levels = (int)fmin(floor(latest_s / lines->step_s), LEVELS_MAX);
    int named = levels <= 13 ? 1 : (levels <= 26 ? 2 : 3);
    double shortest = 0.06 * (view.x[1] - view.x[0]);
    for (int k = 1; k <= levels; k++) {
        bool is_major = k % named == 0;
        struct contour_points *points = is_major ? &lines->major : &lines->minor;
        size_t mark = points->count;
        CHECK(contour_trace(&field, lines->step_s * k, shortest, view.y_weight, points));
        char text[STYLE_TEXT_BYTES];
        if (is_major)
            map_label_lines(&lines->labels, &view, points, mark, map->nx / 14 + 8,
                            report_tsunami_isochrone_label(lines->step_s * k, lines->step_s, text));
    }
    return STATUS_OK;
}

enum status report_tsunami_trace_isochrones(const struct result_map *map, double latest_s,
                                            struct report_isochrones *lines)
{
    float *times = malloc((map->nx * map->ny + 1) * sizeof *times);
    if (!times)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for isochrones");
    const enum status status = trace(map, latest_s, times, lines);
    free(times);
    return status;
}

void report_tsunami_free_isochrones(struct report_isochrones *lines)
{
    contour_free(&lines->minor);
    contour_free(&lines->major);
}
