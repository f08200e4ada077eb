// Files of reports in a run's folder (see the header).
#include "report/drawn.h"

#include "core/log.h"
#include "io/path.h"
#include "report/context.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char list_name[] = "report.files.json";
enum { LIST_BYTES_MAX = 1 << 20, NAME_BYTES_MAX = 200 };

// Of a file in the folder itself with that ending: no list removes results.
static bool is_name(const cJSON *name, const char *ending)
{
    return cJSON_IsString(name) && name->valuestring[0] && name->valuestring[0] != '.' &&
           !strchr(name->valuestring, '/') && strlen(name->valuestring) <= NAME_BYTES_MAX &&
           path_ends_with(name->valuestring, ending);
}

// NULL: none, or not one of a report.
static cJSON *read_list(const char *directory)
{
    char path[REPORT_PATH_BYTES];
    cJSON *list = NULL;
    snprintf(path, sizeof path, "%.3800s/%s", directory, list_name);
    if (json_file_read(path, LIST_BYTES_MAX, &list) != STATUS_OK)
        status_clear();
    if (list && json_member(list, "fathom_report"))
        return list;
    cJSON_Delete(list);
    return NULL;
}

static void add_name(cJSON *list, const char *key, const char *name)
{
    cJSON *names = cJSON_GetObjectItemCaseSensitive(list, key);
    const cJSON *other;
    if (!names)
        names = cJSON_AddArrayToObject(list, key);
    cJSON_ArrayForEach(other, names)
    {
        if (cJSON_IsString(other) && strcmp(other->valuestring, name) == 0)
            return;
    }
    cJSON_AddItemToArray(names, cJSON_CreateString(name));
}

enum status report_drawn_note(const struct report *report, const char *page)
{
    const char *directory = report->options.directory, *slash = strrchr(page, '/');
    char path[REPORT_PATH_BYTES];
    cJSON *list = read_list(directory);
    if (!list) {
        list = cJSON_CreateObject();
        cJSON_AddNumberToObject(list, "fathom_report", 1);
    }
    for (size_t k = 0; k < report->picture_count; k++)
        add_name(list, "pictures", report->pictures[k].file);
    if (report->options.has_animation)
        add_name(list, "pictures", "animation.webp");
    if (slash && (size_t)(slash - page) == strlen(directory) &&
        strncmp(page, directory, strlen(directory)) == 0)
        add_name(list, "pages", slash + 1);
    snprintf(path, sizeof path, "%.3800s/%s", directory, list_name);
    const enum status status = json_file_write(path, list);
    cJSON_Delete(list);
    return status;
}

static enum status remove_names(const char *directory, const char *folder, const char *ending,
                                const cJSON *names, int *count)
{
    const cJSON *name;
    char path[REPORT_PATH_BYTES];
    cJSON_ArrayForEach(name, names)
    {
        if (!is_name(name, ending))
            continue;
        snprintf(path, sizeof path, "%.3800s/%s%s", directory, folder, name->valuestring);
        *count += access(path, F_OK) == 0;
        CHECK(path_remove(path));
    }
    return STATUS_OK;
}

enum status report_drawn_remove(const char *directory)
{
    char path[REPORT_PATH_BYTES];
    cJSON *list = read_list(directory);
    int count = 0;
    enum status status = remove_names(directory, "", ".html", json_member(list, "pages"), &count);
    if (status == STATUS_OK)
        status = remove_names(directory, "pictures/", "", json_member(list, "pictures"), &count);
    if (list && status == STATUS_OK) {
        snprintf(path, sizeof path, "%.3800s/%s", directory, list_name);
        status = path_remove(path);
        snprintf(path, sizeof path, "%.3800s/pictures", directory);
        (void)rmdir(path); // others may have files in it
    }
    cJSON_Delete(list);
    if (count > 0)
        log_info("the earlier results' report, %d files, is removed: fathom report draws these", count);
    return status;
}

void report_drawn_warn(const char *directory)
{
    char path[REPORT_PATH_BYTES];
    snprintf(path, sizeof path, "%.3800s/report.html", directory);
    if (access(path, F_OK) == 0)
        log_warning("%s shows other results than these: fathom report draws it again", path);
}
