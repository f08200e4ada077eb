// Which files `fathom convert` never replaces: see convert_keep.h.
#include "cli/convert_keep.h"

#include "io/json_file.h"
#include "io/output/finished.h"
#include "io/output/log_file.h"
#include "io/path.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static bool is_same_file(const char *a, const char *b)
{
    struct stat about_a, about_b;
    return stat(a, &about_a) == 0 && stat(b, &about_b) == 0 && about_a.st_dev == about_b.st_dev &&
           about_a.st_ino == about_b.st_ino;
}

// NAME.nc and its segments NAME.0000.nc are one result.
static bool is_of_result(const char *name, const char *result)
{
    const size_t stem = strcspn(name, "."), length = strlen(name);
    return stem == strcspn(result, ".") && strncmp(name, result, stem) == 0 && length > 3 &&
           strcmp(name + length - 3, ".nc") == 0;
}

static bool is_of_run(const char *folder, const char *name)
{
    cJSON *report = output_finished_read(folder);
    bool is_own = false;
    if (report && strncmp(json_text(report, "program"), "Fathom ", 7) == 0) {
        const cJSON *file;
        is_own = strcmp(name, "run.json") == 0 || strcmp(name, output_log_name) == 0 ||
                 strcmp(name, output_log_unfinished_name) == 0 || strcmp(name, "forecast.json") == 0;
        cJSON_ArrayForEach(file, json_member(report, "files"))
        {
            is_own = is_own || (cJSON_IsString(file) && is_of_result(name, file->valuestring));
        }
    }
    cJSON_Delete(report);
    return is_own;
}

enum status convert_keep(const char *input, const char *output)
{
    char folder[PATH_BYTES];
    const char *slash = strrchr(output, '/'), *name = slash ? slash + 1 : output;
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - output) + 1 : 1, slash ? output : ".");
    if (is_same_file(input, output))
        return FAIL(STATUS_CANNOT_CREATE, "%s: is the input: choose another name for the output", output);
    if (is_of_run(folder, name))
        return FAIL(
            STATUS_CANNOT_CREATE,
            "%s: is a file of the run in this folder, which a conversion never replaces: choose another name",
            output);
    return STATUS_OK;
}
