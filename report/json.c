// `fathom report --json`: the list of pictures and the figures of the run, for other programs.
#include "report/model.h"

#include "io/utf8.h"

#include <stdio.h>

enum status report_print_json(const struct report *report, const char *page)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "directory", report->options.directory);
    if (report->options.html)
        cJSON_AddStringToObject(root, "page", page);
    cJSON *pictures = cJSON_AddArrayToObject(root, "pictures");
    for (size_t k = 0; k < report->picture_count; k++) {
        cJSON *object = json_append_object(pictures);
        char path[REPORT_PATH_BYTES + 80];
        snprintf(path, sizeof path, "%s/%s", report->pictures_directory, report->pictures[k].file);
        cJSON_AddStringToObject(object, "file", path);
        cJSON_AddStringToObject(object, "title", report->pictures[k].title);
        cJSON_AddStringToObject(object, "caption", report->pictures[k].caption);
        cJSON_AddNumberToObject(object, "width_px", report->pictures[k].width_px);
        cJSON_AddNumberToObject(object, "height_px", report->pictures[k].height_px);
    }
    if (report->options.has_animation) {
        char path[REPORT_PATH_BYTES + 80];
        snprintf(path, sizeof path, "%s/animation.webp", report->pictures_directory);
        cJSON_AddStringToObject(root, "animation", path);
    }
    report->model->json(root, report);
    cJSON *warnings = cJSON_AddArrayToObject(root, "warnings");
    for (size_t k = 0; k < report->warning_count; k++)
        cJSON_AddItemToArray(warnings, cJSON_CreateString(report->warnings[k]));
    char *text = utf8_print_json(root);
    bool is_printed = text && puts(text) >= 0 && fflush(stdout) == 0;
    cJSON_free(text);
    cJSON_Delete(root);
    return is_printed ? STATUS_OK : FAIL(STATUS_IO, "report: the JSON could not be printed");
}
