// What the parts of `fathom report` share: warnings, the list of pictures, the job's title.
#include "report/context.h"

#include "report/plot.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

void report_warn(struct report *report, const char *format, ...)
{
    if (report->warning_count == REPORT_WARNINGS_MAX)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(report->warnings[report->warning_count], REPORT_TEXT_BYTES, format, arguments);
    va_end(arguments);
    fprintf(stderr, "fathom: report: warning: %s\n", report->warnings[report->warning_count]);
    report->warning_count++;
}

struct report_picture *report_add_picture(struct report *report, enum report_section section,
                                          const char *file, int width_px, int height_px)
{
    if (report->picture_count == REPORT_PICTURES_MAX)
        return NULL;
    struct report_picture *picture = &report->pictures[report->picture_count++];
    *picture = (struct report_picture){.section = section, .width_px = width_px, .height_px = height_px};
    snprintf(picture->file, sizeof picture->file, "%s", file);
    return picture;
}

enum status report_start_picture(const struct report *report, const struct report_picture *picture,
                                 double scale, struct plot *plot)
{
    return plot_start(plot, report->pictures_directory, picture->file, picture->width_px, picture->height_px,
                      scale);
}

double report_json_number(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

const char *report_json_text(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsString(item) ? item->valuestring : "";
}

const char *report_job_title(const struct report *report)
{
    const cJSON *title = cJSON_GetObjectItemCaseSensitive(report->run, "title");
    if (report->title[0])
        return report->title;
    return cJSON_IsString(title) ? title->valuestring : NULL;
}
